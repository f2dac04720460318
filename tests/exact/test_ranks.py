from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import flint
import gmpy2
import numpy as np
import pytest
from amount import daily, in_turn, some
from hypothesis import given, settings
from hypothesis import strategies as st

from algdim import InputError
from algdim.exact import blas
from algdim.exact.arithmetic import LEAST_SAFE_TERMS
from algdim.exact.blas import LOW, count_safe_terms, invert_four, reduce
from algdim.exact.elimination import reduce_rows, reduce_rows_mod
from algdim.exact.flint import eliminate_in_place, reduce_fully, reduce_rows_by_flint
from algdim.exact.ranks import METHODS, SHORT, Rank, choose, rank_mod, rank_rational

PRIMES = (2, 3, 5, 101, 2097169, 4194301, 8388593)
WIDE_PRIMES = (8388617, 2**31 - 1, 2**61 - 1, 2**63 - 25)
FAST = ("flint", "blas")


def hilbert(size: int) -> np.ndarray:
    """Entries 1/(i+j+1) modulo 101, as a column-dependent but not random matrix."""
    return np.array([[pow(i + j + 1, -1, 101) for j in range(size)] for i in range(size)], dtype=np.int64).reshape(
        size, size
    )


# name: (matrix, prime, rank); the ranks are known without computing
CASES: dict[str, tuple[np.ndarray, int, int]] = {
    "no rows": (np.zeros((0, 5)), 5, 0),
    "no columns": (np.zeros((5, 0)), 5, 0),
    "nothing": (np.zeros((0, 0)), 5, 0),
    "one zero": (np.zeros((1, 1)), 5, 0),
    "one unit": (np.ones((1, 1)), 2, 1),
    "zero modulo the prime": (np.full((4, 7), 101.0), 101, 0),
    "zero": (np.zeros((70, 50)), 8388593, 0),
    "identity": (np.eye(60), 2, 60),
    "reversed identity": (np.eye(60)[::-1].copy(), 8388593, 60),
    "identity below zeros": (np.vstack([np.zeros((90, 33)), np.eye(33)]), 8388593, 33),
    "identity right of zeros": (np.hstack([np.zeros((33, 90)), np.eye(33)]), 8388593, 33),
    "a last corner": (np.pad(np.ones((1, 1)), ((79, 0), (99, 0))), 3, 1),
    "rank one": (np.outer(np.arange(1, 80), np.arange(1, 50)).astype(np.float64), 8388593, 1),
    "sums i + j": (np.add.outer(np.arange(80), np.arange(90)), 8388593, 2),
    "every row twice": (np.repeat(np.eye(40), 2, axis=0), 5, 40),
    "every column twice": (np.repeat(np.eye(40), 2, axis=1), 5, 40),
    "Hilbert's": (hilbert(50), 101, 50),  # Cauchy determinants do not vanish while no i + j reaches 101
    "the row (1, …, 1) less a multiple of 3": (np.eye(3) * 3 - 1, 3, 1),
    "circulant of 1 and −1": (np.eye(64) - np.roll(np.eye(64), 1, axis=1), 4194301, 63),
    "checkerboard": ((np.indices((65, 66)).sum(axis=0) % 2).astype(np.int64), 2, 2),
    "Vandermonde": (np.array([[pow(x, k, 101) for k in range(101)] for x in range(101)]), 101, 101),
    "Vandermonde with a power too many": (
        np.array([[pow(x, k, 101) for k in range(102)] for x in range(101)]),
        101,
        101,
    ),
    "unbalanced": (np.array([[-7, 2**53 - 1], [7, 1 - 2**53]], dtype=np.int64), 8388593, 1),
    "unsigned": (np.array([[2**64 - 1, 1], [1, 1]], dtype=np.uint64), 3, 2),  # 2^64 − 1 is divisible by 3
    "a triangle": (np.triu(np.ones((130, 130))), 8388593, 130),
    "a triangle upside down": (np.triu(np.ones((130, 130)))[::-1].copy(), 8388593, 130),
}


def shown(matrix: np.ndarray, prime: int, rank: Rank) -> bool:
    """Whether the minor has as many rows and columns as the rank says, and FLINT finds its determinant nonzero."""
    minor = [[int(matrix[row, column]) for column in rank.columns] for row in rank.rows]
    square = flint.nmod_mat(rank.value, rank.value, [entry for row in minor for entry in row], prime)
    distinct = len(set(rank.rows)) == len(set(rank.columns)) == rank.value
    return distinct and int(square.det()) != 0


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("case", CASES)
def test_every_method_finds_the_known_ranks(case: str, method: str) -> None:
    """Every method finds the known rank of every named case, and a minor that shows it."""
    matrix, prime, rank = CASES[case]
    before = matrix.copy()
    found = rank_mod(matrix, prime, method=method)

    assert rank == found.value
    assert shown(matrix, prime, found)
    assert np.array_equal(before, matrix)


def dense(rng: np.random.Generator, height: int, width: int, prime: int) -> np.ndarray:
    """Uniform residues."""
    return rng.integers(0, prime, (height, width))


def sparse(rng: np.random.Generator, height: int, width: int, prime: int) -> np.ndarray:
    """Mostly zeros."""
    return dense(rng, height, width, prime) * (rng.random((height, width)) < 2 / (width + 1))


def product(rng: np.random.Generator, height: int, width: int, prime: int) -> np.ndarray:
    """A product of low rank."""
    inner = int(rng.integers(0, 1 + min(height, width)))
    small = min(prime, 2**15)
    return dense(rng, height, inner, prime) @ dense(rng, inner, width, small)


def repeated(rng: np.random.Generator, height: int, width: int, prime: int) -> np.ndarray:
    """Rows and columns drawn with repetition from a smaller matrix."""
    matrix = dense(rng, 1 + height // 2, 1 + width // 2, prime)
    return np.asarray(matrix[rng.integers(0, len(matrix), height)][:, rng.integers(0, matrix.shape[1], width)])


def late(rng: np.random.Generator, height: int, width: int, prime: int) -> np.ndarray:
    """Every column begins with zeros, so that pivots stand far below the top."""
    return np.tril(dense(rng, height, width, prime), -height // 2)[:, rng.permutation(width)]


def stairs(rng: np.random.Generator, height: int, width: int, prime: int) -> np.ndarray:
    """Blocks of low rank beside blocks of zeros, rows shuffled."""
    matrix = np.zeros((height, width), dtype=np.int64)
    cut, split = height // 3, width // 3
    matrix[:cut, split:] = product(rng, cut, width - split, prime)
    matrix[cut:, : 2 * split] = product(rng, height - cut, 2 * split, prime)
    return matrix[rng.permutation(height)]


Generator = Callable[[np.random.Generator, int, int, int], np.ndarray]
GENERATORS: tuple[Generator, ...] = (dense, sparse, product, repeated, late, stairs)


@settings(max_examples=some(150))
@given(
    st.integers(0, 2**32),
    st.sampled_from(GENERATORS),
    st.integers(0, 24),
    st.integers(0, 24),
    st.sampled_from(PRIMES + WIDE_PRIMES),
)
def test_the_fast_methods_agree_with_the_readable_one(
    seed: int, make: Generator, height: int, width: int, prime: int
) -> None:
    """All methods find one rank and the same first independent columns, and a minor that shows the rank."""
    matrix = make(np.random.default_rng(seed), height, width, min(2**40, prime))
    expected = rank_mod(matrix, prime, method="readable")

    for method in FAST if prime < 2**23 else ("flint",):
        found = rank_mod(matrix, prime, method=method)
        assert (expected.value, expected.columns) == (found.value, found.columns)
        assert shown(matrix, prime, found)


@settings(max_examples=some(100))
@given(
    st.integers(0, 2**32),
    st.sampled_from(GENERATORS),
    st.integers(1, 300),
    st.integers(1, 300),
    st.sampled_from(PRIMES),
)
def test_the_kernel_agrees_with_flint_on_larger_matrices(
    seed: int, make: Generator, height: int, width: int, prime: int
) -> None:
    """Beyond the sizes of panels and leaves, the kernel and FLINT find the same."""
    matrix = make(np.random.default_rng(seed), height, width, prime)
    expected = rank_mod(matrix, prime, method="flint")
    found = rank_mod(matrix.astype(np.float64), prime, method="blas")

    assert (expected.value, expected.columns) == (found.value, found.columns)
    assert shown(matrix, prime, found)


@settings(max_examples=some(100))
@given(
    st.integers(0, 2**32),
    st.sampled_from(GENERATORS),
    st.integers(1, LOW - 1),
    st.integers(1, 120),
    st.sampled_from(PRIMES),
    st.booleans(),
)
def test_of_few_rows_the_kernel_finds_the_first_independent_ones(
    seed: int, make: Generator, height: int, width: int, prime: int, is_loaded: bool
) -> None:
    """The choice between FLINT and the kernel, by panels or by strips, changes no minor, and so no certificate."""
    matrix = make(np.random.default_rng(seed), height, width, prime)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("algdim.exact.blas.is_flint_quicker", lambda columns: is_loaded)
        found = rank_mod(matrix, prime, method="blas")

    assert rank_mod(matrix, prime, method="flint") == found


@settings(max_examples=some(100))
@given(st.lists(st.integers(-(2**22), 2**22), min_size=16, max_size=16), st.sampled_from(PRIMES))
def test_squares_of_four_are_inverted_by_their_minors(entries: list[int], prime: int) -> None:
    """The product with the inverse is one, in integers; without an inverse the readable rank is less than four."""
    square = reduce(np.remainder(np.array(entries), prime).reshape(4, 4).astype(np.float64), prime)
    inverse = invert_four(square.tolist(), prime)

    if inverse is None:
        assert reduce_rows_mod(square.astype(int).tolist(), prime).rank.value < 4
    else:
        ones = square.astype(np.int64).astype(object) @ inverse.astype(np.int64).astype(object) % prime
        assert np.array_equal(ones, np.eye(4))
        assert np.abs(inverse).max() <= prime // 2 + 1


@pytest.mark.parametrize("prime", daily(PRIMES, 2))
def test_sums_of_the_largest_products_stay_exact(prime: int) -> None:
    """Matrices whose entries are all as large as they can be have rank one, however long the sums are."""
    half = prime // 2 if prime > 2 else 1
    signs = np.where(np.arange(1100) % 7 == 0, -1.0, 1.0)
    matrix = np.triu(np.full((1100, 1100), float(half))) * signs

    assert 1100 == rank_mod(matrix, prime, method="blas").value
    matrix[550:] = matrix[:550]
    assert 550 == rank_mod(matrix, prime, method="blas").value


@given(st.sampled_from(PRIMES), st.data())
def test_reduction_gives_small_residues(prime: int, data: st.DataObject) -> None:
    """Every sum that a product may form is reduced to the right residue, and a multiple of the prime to zero."""
    largest = prime // 2 + 2
    bound = count_safe_terms(prime) * largest**2 + largest
    value = data.draw(
        st.one_of(st.integers(-bound, bound), st.integers(-bound // prime, bound // prime).map(lambda q: q * prime))
    )
    reduced = int(reduce(np.array([float(value)]), prime)[0])

    assert count_safe_terms(prime) >= LEAST_SAFE_TERMS
    assert bound + prime <= 2**53
    assert 0 == (value - reduced) % prime
    assert abs(reduced) <= largest
    assert (value % prime == 0) == (reduced == 0)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("kind", [np.float64, np.int64])
def test_a_matrix_may_be_given_up(method: str, kind: type) -> None:
    """Where it may be overwritten, the answer is the same, for integers too."""
    matrix = repeated(np.random.default_rng(6), 60, 70, 8388593).astype(kind)
    expected = rank_mod(matrix, 8388593, method=method)

    assert expected == rank_mod(matrix.copy(), 8388593, method=method, overwrite=True)


@pytest.mark.parametrize("method", FAST)
def test_the_search_stops_at_a_known_bound(method: str) -> None:
    """With a bound that is the rank, the answer is the same."""
    matrix = product(np.random.default_rng(5), 200, 150, 8388593)
    expected = rank_mod(matrix, 8388593, method=method)

    assert expected == rank_mod(matrix, 8388593, method=method, stop_at=expected.value)


@pytest.mark.parametrize(("takes_arrays", "small"), [(True, "flint"), (False, "blas")])
def test_a_method_is_chosen_that_can_do_it(monkeypatch: pytest.MonkeyPatch, takes_arrays: bool, small: str) -> None:
    """Primes beyond the reach of float64 and tiny matrices go to FLINT, small ones if it takes arrays, others to BLAS."""
    monkeypatch.setattr("algdim.exact.ranks.is_loaded", lambda: takes_arrays)

    assert "blas" == choose((1200, 40), 2**23 - 15)
    assert "flint" == choose((20, 40), 2**23 - 15)
    assert small == choose((SHORT - 1, 80), 2**23 - 15)
    assert "blas" == choose((2000, 2000), 2**23 - 15)
    assert "flint" == choose((2000, 2000), 2**23 + 9)
    assert 30 == rank_mod(dense(np.random.default_rng(0), 30, 40, 2**61 - 1), 2**61 - 1).value


def test_an_unknown_method_is_answered_with_the_known_ones() -> None:
    """The message lists the methods."""
    with pytest.raises(InputError, match="auto, readable, rows, flint, blas"):
        rank_mod(np.eye(2), 5, method="gauss")


@pytest.mark.parametrize(
    ("matrix", "prime"),
    [
        (np.eye(2), 4),
        (np.eye(2), 1),
        (np.eye(2), 2**63 + 29),
        (np.zeros(3), 5),
        (np.array([[0.5]]), 5),
        (np.array([[np.nan]]), 5),
        (np.array([[np.inf]]), 5),
        (np.array([[2.0**54]]), 5),
        (np.array([[Fraction(1)]]), 5),
        (np.array([[True]]), 5),
        ([[1]], 5),
    ],
)
def test_what_has_no_exact_rank_is_refused(matrix: np.ndarray, prime: int) -> None:
    """Moduli that are not prime, and entries that are not exact integers, are refused."""
    with pytest.raises(InputError):
        rank_mod(matrix, prime)


def test_blas_refuses_large_primes() -> None:
    """Products of residues beyond 23 bits would not be exact."""
    with pytest.raises(InputError, match="flint"):
        rank_mod(np.eye(2), 8388617, method="blas")


fractions = st.fractions(min_value=-5, max_value=5, max_denominator=6)


@st.composite
def rational_matrices(draw: st.DrawFn) -> list[list[Fraction]]:
    """Small matrices of fractions, often of low rank."""
    height, inner, width = (draw(st.integers(1, 6)) for _ in range(3))
    left = [[draw(fractions) for _ in range(inner)] for _ in range(height)]
    right = [[draw(fractions) for _ in range(width)] for _ in range(inner)]
    return [
        [sum((a * b for a, b in zip(row, column, strict=True)), Fraction(0)) for column in zip(*right, strict=True)]
        for row in left
    ]


@in_turn(2)
@settings(deadline=None)
@given(rational_matrices())
def test_flint_reduces_rational_matrices_to_the_same_form(rows: list[list[Fraction]]) -> None:
    """The reduced row echelon form is unique, and both programs find it."""
    assert reduce_rows(rows) == reduce_rows_by_flint(rows)


@in_turn(2)
@settings(deadline=None)
@given(rational_matrices())
def test_the_rational_rank_is_that_of_the_reduced_form(rows: list[list[Fraction]]) -> None:
    """The rank over the rationals, with its first rows and columns, is the readable one's."""
    assert reduce_rows(rows).rank == rank_rational(rows)
    assert reduce_rows(rows).rank == rank_rational([[gmpy2.mpq(value) for value in row] for row in rows])


def test_the_reduced_form_is_that_of_the_textbook() -> None:
    """A system with one free variable, reduced by hand."""
    reduced = reduce_rows([[0, 1, 2], [2, 4, 6], [1, 3, 5]])

    assert ((1, 0, -1), (0, 1, 2), (0, 0, 0)) == reduced.matrix
    assert ((0, 0), (1, 1)) == reduced.pivots
    assert (0, 1) == reduced.rows


def test_rational_ranks_do_not_depend_on_one_prime() -> None:
    """A determinant that is a product of many primes does not vanish."""
    primes = [number for number in range(2, 2000) if flint.fmpz(number).is_prime()]

    assert (
        len(primes)
        == rank_rational([[p if i == j else 0 for j in range(len(primes))] for i, p in enumerate(primes)]).value
    )


@pytest.mark.parametrize("shape", [(0, 0), (0, 3), (3, 0)])
def test_empty_rational_matrices_have_rank_zero(shape: tuple[int, int]) -> None:
    """Without rows or columns there is nothing to find."""
    assert Rank(0, (), ()) == rank_rational(np.zeros(shape, dtype=object))


def test_floats_are_not_rational() -> None:
    """A float is refused rather than taken at its binary value."""
    with pytest.raises(InputError):
        reduce_rows([[0.5]])
    with pytest.raises(InputError):
        rank_rational([[0.5]])


def test_ragged_rows_are_refused() -> None:
    """Rows of different length are no matrix."""
    with pytest.raises(InputError):
        reduce_rows([[1], [1, 2]])
    with pytest.raises(InputError):
        rank_rational([[1], [1, 2]])


def test_modular_elimination_is_in_reduced_form() -> None:
    """Over GF(5), by hand."""
    assert ((1, 0, 3), (0, 1, 4)) == reduce_rows_mod([[2, 1, 0], [1, 1, 2]], 5).matrix


@settings(max_examples=some(60))
@given(
    st.integers(0, 2**32),
    st.sampled_from(GENERATORS),
    st.integers(1, 260),
    st.integers(1, 150),
    st.sampled_from(PRIMES),
)
def test_the_minor_does_not_depend_on_whether_flint_is_loaded(
    seed: int, make: Generator, height: int, width: int, prime: int
) -> None:
    """Panels that FLINT eliminates and those without it, and matrices put into its memory or one by one, show one minor."""
    matrix = make(np.random.default_rng(seed), height, width, prime).astype(np.float64)
    expected, by_flint = (rank_mod(matrix, prime, method=method) for method in ("blas", "flint"))

    with pytest.MonkeyPatch.context() as alone:
        alone.setattr(blas, "is_flint_quicker", lambda columns: columns < 0)
        assert expected == rank_mod(matrix, prime, method="blas")
        alone.setattr("algdim.exact.flint.open_library", lambda: None)
        assert by_flint == rank_mod(matrix, prime, method="flint")


def test_a_library_of_another_make_is_not_used() -> None:
    """Where what comes out of its memory is not the known answer, entries go in one by one."""

    class Library:
        """Its headers are of another form."""

        def __getattr__(self, name: str) -> Callable[..., int]:
            return lambda *_: 0

    assert 0 == eliminate_in_place(Library(), np.ones((3, 4), dtype=np.int64), 7, reduce_fully)[0]
