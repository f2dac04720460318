"""Fixed numbers that leave no valid point are refused, and no others."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, pairwise

import pytest
import sympy
from amount import in_turn, some
from hypothesis import given, settings
from hypothesis import strategies as st

import algdim
from algdim import InputError, dimension
from algdim.families.gaussian.validity import find_bad_minor, is_semidefinite, iterate_uncorrelated_sets

NO_INVERSE = "I − B has no inverse"


@pytest.mark.parametrize(
    "rest",
    [
        "A -> B -> A; fix b(A->B)=2, b(B->A)=1/2",
        "A -> B -> A; O -> A; fix b(A->B)=2, b(B->A)=1/2",
        "O; A -> B -> A; hidden A, B; fix b(A->B)=-1, b(B->A)=-1",
        "O -> A; A -> B -> A; hidden A, B; fix b(A->B)=-1, b(B->A)=-1",
        "A -> B -> C -> A; fix b(A->B)=2, b(B->C)=3, b(C->A)=1/6",
        # a free coefficient that joins nothing on the cycle, and one that is part of a component but of no cycle with a value
        "A -> B -> A; A -> C; C -> A; fix b(A->B)=1, b(B->A)=1, b(C->A)=0",
        # the row of A is minus that of B
        "A -> B -> A; A, B -> C; C -> A; fix b(A->B)=1, b(B->A)=1; equal l = b(A->C), b(B->C); fix b(C->A)=0",
    ],
)
def test_fixed_cycles_without_an_inverse(rest):
    """Where no value of the free coefficients helps there is no model, be it about what is observed or not."""
    with pytest.raises(InputError, match=NO_INVERSE):
        algdim.model(f"gaussian: {rest}; means off")


@pytest.mark.parametrize(
    "rest",
    [
        "A -> B -> A; fix b(A->B)=2, b(B->A)=1/3",
        "A -> B -> A; A -> C -> A; fix b(A->B)=1, b(B->A)=1",
        "A -> B -> A; fix b(A->B)=1",
        "A -> B -> A; equal l = b(A->B), b(B->A)",
        "A -> B -> A; fix b(A->B)=0, b(B->A)=5",
        "A -> B -> A; C -> D -> C; B -> C; D -> A; fix b(A->B)=1, b(B->A)=1, b(C->D)=1, b(D->C)=1",
    ],
)
def test_fixed_cycles_with_an_inverse(rest):
    """Where some value helps, the model is taken."""
    assert dimension(f"gaussian: {rest}; means off").lower.is_proved


@settings(max_examples=some(150))
@given(st.data())
def test_singular_exactly_if_the_determinant_vanishes(data):
    """Among random cycles with small fixed numbers, those are refused whose determinant is the zero polynomial."""
    names = "ABCD"[: data.draw(st.integers(2, 4))]
    edges = data.draw(
        st.lists(st.sampled_from([(i, j) for i in names for j in names if i != j]), unique=True, min_size=2)
    )
    values = {edge: data.draw(st.sampled_from([None, -1, 1, 1, 2, "1/2"])) for edge in edges}
    matrix = sympy.eye(len(names))
    for (one, other), value in values.items():
        entry = sympy.Symbol(one + other) if value is None else sympy.Rational(value)
        matrix[names.index(one), names.index(other)] -= entry
    fixed = ", ".join(f"b({one}->{other})={value}" for (one, other), value in values.items() if value is not None)
    arrows = "; ".join(f"{one} -> {other}" for one, other in edges)
    text = f"gaussian: {', '.join(names)}; {arrows}{'; fix ' if fixed else ''}{fixed}"
    if sympy.expand(matrix.det()) == 0:
        with pytest.raises(InputError, match=NO_INVERSE):
            algdim.model(text)
    else:
        assert algdim.model(text).edges


def errors(covariances, variances="v(A)=1, v(B)=1, v(C)=1", more=""):
    """Three errors with fixed numbers."""
    fixed = ", ".join(f"c({pair[0]}<->{pair[1]})={value}" for pair, value in covariances.items() if value is not None)
    arrows = "; ".join(f"{pair[0]} <-> {pair[1]}" for pair in covariances)
    return f"gaussian: A, B, C; {arrows}; fix {variances}, {fixed}{more}"


def test_three_errors():
    """Each pair can be, all three together cannot; with a free number between nothing is said."""
    with pytest.raises(InputError, match="errors of A, B, C are fixed to a matrix that is not positive definite"):
        algdim.model(errors({"AB": "9/10", "BC": "9/10", "AC": "-9/10"}))
    with pytest.raises(InputError, match="not positive definite"):
        algdim.model(errors({"AB": "9/10", "BC": "9/10"}))

    assert algdim.model(errors({"AB": "9/10", "BC": "9/10", "AC": "9/10"}))
    assert algdim.model(errors({"AB": "9/10", "BC": "9/10", "AC": None}))
    assert algdim.model(errors({"AB": "9/10", "BC": "9/10"}, "v(A)=1, v(B)=1"))


def test_blocks_around_free_covariances():
    """The sets without the free covariance are looked at."""
    bad = errors(
        {"AB": "9/10", "BC": "9/10"}, more="; D; D <-> A; D <-> B; D <-> C; fix v(D)=1, c(D<->B)=1/100, c(D<->C)=0"
    )

    with pytest.raises(InputError, match="not positive definite"):
        algdim.model(bad)


@settings(max_examples=some(60))
@given(st.lists(st.integers(-3, 3), min_size=10, max_size=10), st.integers(1, 4))
def test_minors_are_those_of_sympy(numbers, size):
    """The first leading minor that is not positive."""
    matrix = [[numbers[i * (i + 1) // 2 + j] + 3 * (i == j) for j in range(i + 1)] for i in range(size)]
    full = [[matrix[max(i, j)][min(i, j)] for j in range(size)] for i in range(size)]
    minors = [sympy.Matrix(full)[: k + 1, : k + 1].det() for k in range(size)]

    assert next((k for k, minor in enumerate(minors) if minor <= 0), None) == find_bad_minor(
        [[Fraction(x) for x in row] for row in full]
    )


@given(st.sets(st.sampled_from(list(combinations("ABCDE", 2)))))
def test_blocks_without_free_covariances(free):
    """Each set without free pairs is within one of the blocks, and no block has one."""
    blocks = list(iterate_uncorrelated_sets(tuple("ABCDE"), sorted(free)))

    assert not any({*pair} <= {*block} for pair in free for block in blocks)
    for size in range(6):
        for chosen in combinations("ABCDE", size):
            if not any({*pair} <= {*chosen} for pair in free):
                assert any({*chosen} <= {*block} for block in blocks)


@in_turn(3)
def test_large_models_are_not_held_up():
    """Hundreds of fixed covariances in a row, or a long cycle, take no time."""
    count = 600
    names = [f"X{number}" for number in range(count)]
    chain = "; ".join(f"{one} <-> {other}" for one, other in pairwise(names))
    fixed = [f"v({name})=3" for name in names] + [f"c({one}<->{other})=1" for one, other in pairwise(names)]
    cycle = "; ".join(f"{one} -> {other}" for one, other in zip(names, [*names[1:], names[0]], strict=True))
    ones = [f"b({one}->{other})=1" for one, other in zip(names, [*names[1:], names[0]], strict=True)]

    assert algdim.model(f"gaussian: {chain}; fix {', '.join(fixed)}; means off")
    with pytest.raises(InputError, match=NO_INVERSE):
        algdim.model(f"gaussian: {cycle}; fix {', '.join(ones)}; means off")


TWINS = """gaussian: A1 -> P1; A2 -> P2; C1 -> P1; C2 -> P2; A1 <-> A2; C1 <-> C2; hidden A1, A2, C1, C2
; fix v(A1)=1, v(A2)=1, v(C1)=1, v(C2)=1, c(A1<->A2)=1/2, c(C1<->C2)=1; means off"""
ONE_ENVIRONMENT = """gaussian: A1 -> P1; A2 -> P2; C -> P1, P2; A1 <-> A2; hidden A1, A2, C
; fix v(A1)=1, v(A2)=1, v(C)=1, c(A1<->A2)=1/2; means off"""


def test_errors_that_are_one():
    """The common environment of twins correlates 1: the model is that with one variable for it, in every count."""
    found, wanted = (dimension(text.replace("\n", "")) for text in (TWINS, ONE_ENVIRONMENT))

    assert (3, True) == (found.dimension, found.exact)
    assert (wanted.dimension, wanted.standard, wanted.complete) == (found.dimension, found.standard, found.complete)
    assert algdim.model(errors({"AB": "1", "BC": "1", "AC": "1"}))
    assert algdim.model(errors({"AB": "-1"}))


def test_a_free_covariance_of_errors_that_are_one():
    """It is another one's number, with the sign that the errors have: no model has both as parameters."""
    with pytest.raises(
        InputError, match="a function of the others; then the covariance of the errors of B and C follows"
    ):
        algdim.model(errors({"AB": "1", "BC": None}))
    with pytest.raises(InputError, match="fixed to a matrix that is not positive definite"):
        algdim.model(errors({"AB": "1", "BC": "1"}))


@given(st.lists(st.integers(-2, 2), min_size=9, max_size=9), st.lists(st.integers(-2, 2), min_size=6, max_size=6))
def test_semidefinite_matrices(loadings, numbers):
    """Products of a matrix and its transpose are; others are if no principal minor is negative."""
    rows = [loadings[:3], loadings[3:6], loadings[6:]]
    product = [[Fraction(sum(x * y for x, y in zip(one, other, strict=True))) for other in rows] for one in rows]
    a, b, c, d, e, f = map(Fraction, numbers)
    other = [[a, b, c], [b, d, e], [c, e, f]]
    minors = [sympy.Matrix(other).extract(s, s).det() for s in ([0], [1], [2], [0, 1], [0, 2], [1, 2], [0, 1, 2])]

    assert is_semidefinite(product)
    assert is_semidefinite(other) == all(minor >= 0 for minor in minors)
