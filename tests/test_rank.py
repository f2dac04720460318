"""The rank at drawn points: every method against printed numbers, brute force and each other."""

import re
import tracemalloc
from fractions import Fraction
from unittest import mock

import brute
import numpy as np
import pytest
from amount import daily, in_turn, some
from golden_numbers import GHM96
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import networks
from suites.agreement import is_small

import algdim
from algdim import InputError, LimitError
from algdim import rank as module
from algdim.exact import blas
from algdim.exact.arithmetic import SingularError
from algdim.exact.elimination import Rank
from algdim.exact.flint import estimate_reduced_rows, reduce_rows_by_flint
from algdim.families.discrete.map import get_param_map
from algdim.jacobian import evaluate_jacobian, make_evaluator
from algdim.limits import Allowance, allowing
from algdim.maps import FOUND, map_of
from algdim.models.anymodel import remove_irrelevant
from algdim.models.notation import parse
from algdim.rank import (
    METHODS,
    SPARE_PROBES,
    Task,
    choose,
    compute_float_rank,
    compute_rational_jacobian,
    draw,
    draw_thousandths,
    reduce_first_jacobian,
    try_drawn_points,
)

METHOD = pytest.mark.parametrize("method", METHODS)
TEXTS = (
    "2:2,2",
    "3:2,2,2,2",
    "A -> C <- H -> D <- B; hidden H",
    "4:3,3,3",
    "A -> H -> B; hidden H; given A",
    "2:3,3,3",
)
TRUE = (3, 13, 9, 25, 2, 13)  # GHM96 §5, §6; KZ02 Table 1; the fifth: two conditional rows of one binary variable


def task(text, **options):
    """What a method is asked."""
    pmap = get_param_map(algdim.model(text))
    return Task(pmap, make_evaluator(pmap), **options)


CASES = [
    (method, text, true)
    for text, true in zip(TEXTS, TRUE, strict=True)
    for method in METHODS
    # fraction-free elimination takes long beyond; these models have no mechanisms that products could factorise over
    if method != "products" and (method != "symbolic" or true < 10)
]


@pytest.mark.parametrize(("method", "text", "true"), CASES)
def test_every_method_finds_the_printed_rank(method, text, true):
    """One draw of each method."""
    found = draw(task(text), method)

    assert (method, true) == (found.method, found.rank.value)


@pytest.mark.parametrize("number", daily(GHM96[:8], 4), ids=lambda number: number["model"])
def test_the_papers_own_method_finds_the_papers_numbers(number):
    """RowReduce at ten points with coordinates k/1000 (GHM96 §5): the maximum of the ranks."""
    ranks = [draw(task(number["model"]), "rowreduce", run).rank.value for run in range(10)]

    assert number["dimension"] == max(ranks)


@METHOD
def test_rows_and_columns_show_the_rank(method):
    """The chosen minor has the rank's size, and over the rationals it is not zero."""
    asked = task("3:2,2,2" if method == "symbolic" else "3:2,2,2,2")
    found = draw(asked, method).rank
    assert found.value == len(set(found.rows)) == len(set(found.columns))
    if method not in {"probes", "symbolic"}:
        matrix = compute_rational_jacobian(asked.pmap, draw_thousandths(asked, 3))
        minor = [[matrix[row, column] for column in found.columns] for row in found.rows]

        assert found.value == brute.rational_rank(
            [[Fraction(int(x.numerator), int(x.denominator)) for x in row] for row in minor]
        )


@settings(max_examples=some(60))
@given(networks(max_variables=5, max_states=3, max_table=40), st.integers(0, 1000))
def test_no_draw_exceeds_the_dimension(model, seed):
    """A rank at a point is a lower bound, whatever the prime, the point and the probes; here it is also reached."""
    model = remove_irrelevant(model)[0]
    assume(is_small(model))
    pmap = get_param_map(model)
    asked = Task(pmap, make_evaluator(pmap), seed)
    true = brute.dimension(model)
    for method in ("table", "probes", "rational", "rowreduce"):
        assert (method, true) == (method, draw(asked, method).rank.value)


@settings(max_examples=some(30))
@given(networks(max_variables=4, max_states=3, max_table=40), st.sampled_from([2, 3, 5, 7]))
def test_tiny_primes_only_lower_the_rank(model, prime):
    """Modulo 2, 3, 5 or 7 ranks may fall, never rise (lemma "lower bound")."""
    model = remove_irrelevant(model)[0]
    assume(is_small(model))
    pmap = get_param_map(model)
    assume(all(d % prime for entries in pmap.arrays for d in entries.denominators()))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "draw_prime", lambda *_: prime)
        for method in ("table", "probes"):
            assert draw(Task(pmap, make_evaluator(pmap)), method).rank.value <= brute.dimension(model)


@METHOD
def test_draws_are_reproducible(method):
    """The same seed and number give the same draw, others give another point."""
    text = "2:2,2"
    first, again = draw(task(text), method), draw(task(text), method)
    other, later = draw(task(text, seed=1), method), draw(task(text), method, 1)

    assert first == again
    if method != "symbolic":
        assert 3 == len({first.point, other.point, later.point})


def test_labels_change_the_draw():
    """Two parts of one model use points of their own."""
    assert draw(task("2:2,2"), "table") != draw(task("2:2,2", labels=("part", "X")), "table")


def test_primes_have_23_bits():
    """Products of their residues add up exactly in float64."""
    assert {23} == {draw(task("2:2,2"), "table", number).prime.bit_length() for number in range(20)}


def test_primes_do_not_divide_denominators(monkeypatch):
    """A drawn prime that divides the denominator of a fixed entry is passed over."""
    primes = iter([7, 7, 5])
    monkeypatch.setattr(module, "draw_prime", lambda *_: next(primes))

    assert 5 == draw(task("A -> B; fix P(A=0)=1/7"), "table").prime


def test_giving_up_on_primes_is_a_limit(monkeypatch):
    """If every prime divides, another method is proposed."""
    monkeypatch.setattr(module, "draw_prime", lambda *_: 7)
    with pytest.raises(LimitError, match="use the method rational"):
        draw(task("A -> B; fix P(A=0)=1/7"), "table")


def test_an_unknown_method_is_answered_with_the_known_ones():
    """All of them."""
    with pytest.raises(
        InputError, match="there is no method 'magic'; known are auto, table, probes, products, rational, rowreduce"
    ):
        draw(task("2:2,2"), "magic")


def test_the_search_stops_at_a_proved_bound(monkeypatch):
    """Once a bound that cannot be exceeded is met, further rows of the table are not looked at."""
    monkeypatch.setattr(module, "LEAST_BLOCK", 16)
    with pytest.MonkeyPatch.context() as patch:
        blocks = []
        patch.setattr(
            module, "evaluate_jacobian", lambda *a, **k: blocks.append(k["rows"]) or evaluate_jacobian(*a, **k)
        )
        found = draw(task("2:2^10", stop_at=21), "table")

    assert 21 == found.rank.value
    assert blocks[-1].stop < 1024


@pytest.mark.parametrize("memory", [None, 40_000, 100_000])
def test_blocks_of_rows_find_the_same_rank(memory, monkeypatch):
    """A table is ranked some rows at a time; rows of the chosen minor are numbered through the whole table."""
    monkeypatch.setattr(module, "LEAST_BLOCK", 16)
    asked = task("3:2^8", max_memory=memory)
    found = draw(asked, "table")
    matrix = compute_rational_jacobian(asked.pmap, draw_thousandths(asked, 0))
    minor = matrix[np.ix_(found.rank.rows, found.rank.columns)]

    assert 3 * 8 + 2 == found.rank.value  # KZ02 Lemma 3.1: for many items ds applies
    assert 26 == brute.rank(
        [[brute.residue(Fraction(int(x.numerator), int(x.denominator))) for x in row] for row in minor]
    )


@in_turn(6)
def test_blocks_take_three_copies_of_a_square_matrix_at_most(monkeypatch):
    """A long table is ranked beside a basis of what was seen; the basis and a block are copied once."""
    asked = task("30:2^12")
    width, rows = asked.parameters, 4096
    source = np.random.default_rng(2)
    # the last rows are the only ones that show the full rank
    table = np.vstack(
        [source.integers(0, 1000, (rows - 99, 300)) @ source.integers(0, 2, (300, width)), np.eye(99, width)]
    )
    monkeypatch.setattr(module, "LEAST_BLOCK", 16)
    monkeypatch.setattr(blas, "NOT_LARGE", 0)  # a matrix that is not has one copy more, of 4 MB at most
    monkeypatch.setattr(
        module, "evaluate_jacobian", lambda *_, rows, **__: table[rows.start : rows.stop].astype(np.float64)
    )
    functionals = asked.evaluator.all_coordinates()
    tracemalloc.start()
    found, _ = module.rank_in_blocks(asked, 8388593, np.zeros(width), functionals)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    tiles = 1 << 20

    assert len(set(found.rows)) == found.value > 300
    assert peak < 3 * 8 * width**2 + tiles


@pytest.mark.parametrize("method", ["table", "rational", "rowreduce", "float", "symbolic"])
def test_a_table_beyond_memory_is_refused_at_once(method):
    """Before anything of its size is allocated."""
    with pytest.raises(LimitError):
        draw(task("10:2^60", max_memory=10**10), method)


@pytest.mark.parametrize(
    ("method", "words"),
    [
        ("table", r" at an exact point, 8 cells"),
        ("rational", r" at a rational point, 8 cells"),
        ("symbolic", " over the rational functions, 8 cells"),
        ("float", r" at a point in floating point, 8 cells"),
    ],
)
def test_a_draw_says_where_it_was_made(method, words):
    """The point, unless it is generic, and the numbers that were computed with."""
    assert re.fullmatch(words, draw(task("2:2,2,2"), method).place)


def test_other_points_are_drawn_until_the_map_has_a_value():
    """Each attempt has labels of its own; the first has those that were given."""
    tried = []

    def run(labels):
        tried.append(labels)
        if len(tried) < 3:
            raise SingularError
        return "found"

    assert "found" == try_drawn_points(("use", 7), run)
    assert [("use", 7), ("use", 7, "again", 1), ("use", 7, "again", 2)] == tried


def test_the_choice_follows_the_number_of_cells():
    """All cells where there are few, probes where there are many."""
    assert "table" == choose(get_param_map(algdim.model("4:3,3,3")))
    assert "probes" == choose(get_param_map(algdim.model("2:2^20")))


def test_probes_are_as_many_as_can_be_needed_and_some():
    """Beyond the number of parameters, or of cells if these are fewer."""
    assert 41 + 16 == draw(task("2:2^20"), "probes").count
    assert 3 + 16 == draw(task("2:2,2"), "probes").count


def test_the_float_rank_tells_its_gap():
    """The last pivot counted and the first not counted are far apart, and the draw says that it proves nothing."""
    found = draw(task("3:2,2,2,2"), "float")

    assert "nothing" == found.proves
    assert "last counted" in found.note
    assert (Rank(1, (0,), (1,)), 1.0, 0.0) == compute_float_rank(np.array([[0.0, 2.0], [0.0, 1.0]], dtype=object))
    assert (0, 1.0, 0.0) == (
        compute_float_rank(np.zeros((2, 2), dtype=object))[0].value,
        *compute_float_rank(np.zeros((2, 0), dtype=object))[1:],
    )


def test_the_reduced_matrix_is_in_echelon_form():
    """Leading ones, zeros above and below them (what Mathematica's RowReduce prints)."""
    reduced = reduce_first_jacobian(get_param_map(algdim.model("A -> C <- H -> D <- B; hidden H")), 0, None)
    columns = [column for _, column in reduced.pivots]

    assert 9 == len(reduced.pivots)
    assert 7 == sum(not any(row) for row in reduced.matrix)  # GHM96 §5: 7 rows containing all zeros
    for row, column in reduced.pivots:
        assert [int(other == row) for other in range(16)] == [line[column] for line in reduced.matrix]
    assert columns == sorted(columns)


def test_a_bound_that_is_too_low_does_not_cut_the_rank_off():
    """An upper bound below the rank is contradicted by it, instead of proving itself."""
    assert 121 == draw(task("2:2^60", stop_at=120), "probes").rank.value


def test_probes_are_as_many_as_a_proved_bound_needs():
    """Whoever asked before: what is kept of a draw is of this number of probes."""
    pmap = map_of(parse("3:2,2,2,2"))
    for bounds in ((None, 5, None), (5, None, 5)):
        FOUND.clear()
        counts = [draw(Task(pmap, make_evaluator(pmap), 0, stop_at=one), "probes").count for one in bounds]
        assert [SPARE_PROBES + (14 if one is None else one) for one in bounds] == counts


def test_who_waits_is_told_which_method_takes_how_large_a_rank():
    """Methods for comparison take long, too."""
    pmap, said = map_of(parse("2:2,2,2")), []
    with (
        allowing(Allowance()) as allowance,
        mock.patch.dict(module.METHODS, {"rowreduce": lambda *_: said.append(allowance.doing)}),
    ):
        draw(Task(pmap, make_evaluator(pmap), "told"), "rowreduce")

    assert ["the rank of the Jacobian by the method rowreduce, 8 × 7"] == said


def test_a_reduced_matrix_that_does_not_fit_is_refused():
    """Its fractions are long, which is known before they are computed."""
    rows = [[Fraction(k * j + 1, j + 2) for j in range(30)] for k in range(3, 9)]
    reduced = reduce_rows_by_flint(rows)
    taken = sum(
        value.numerator.bit_length() + value.denominator.bit_length() for row in reduced.matrix for value in row
    )

    assert taken / 8 < estimate_reduced_rows(rows)
    with (
        mock.patch("algdim.exact.flint.estimate_reduced_rows", return_value=10**13),
        pytest.raises(LimitError, match=r"the reduced matrix of 8 × 7 fractions; 10000 GB are needed"),
    ):
        algdim.dimension("2:2,2,2", method="rowreduce", bounds="counting,chance", seed="refused")
