"""KZ02 §3: ds, dc, dp and db of latent class models, regularity, Lemma 3.1; and all models up to 260 cells."""

from __future__ import annotations

from itertools import product
from math import prod

import pytest
from amount import SELDOM, in_turn
from golden_numbers import KZ02
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import algdim
from algdim import InputError, dimension
from algdim.families.discrete.bounds.latentclass import compute_latent_class_bounds, evaluate_lemma_3_1
from algdim.families.discrete.bounds.secants import find_defective_format
from algdim.families.discrete.model import build_latent_class
from algdim.models.notation import to_text

TABLE_1 = [row for row in KZ02 if "pairwise_bound" in row]

# the list of Abo, Ottaviani and Peterson up to 260 cells
TWELVE = (
    "3:2,2,2,2 4:3,3,3 5:3,3,2,2 5:4,4,3 7:4,4,2,2 7:5,5,3 9:5,5,2,2 11:6,6,2,2 10:7,7,3 13:7,7,2,2 13:9,9,3 15:8,8,2,2"
)
MOST_CELLS = 260

shapes = st.tuples(st.integers(1, 9), st.lists(st.integers(2, 5), min_size=1, max_size=5).map(tuple))


def bounds_of(classes, items):
    return compute_latent_class_bounds(build_latent_class(classes, items))


def item_lists(most, largest=None, fewest=2):
    """All lists of at least two numbers of states, largest first, with at most this many cells."""
    found = []

    def extend(items, cells):
        if len(items) >= fewest:
            found.append(tuple(items))
        for size in range(2, min(items[-1] if items else most, most // cells) + 1):
            extend([*items, size], cells * size)

    extend([], 1)
    return found


@pytest.mark.parametrize("row", TABLE_1, ids=lambda row: row["model"])
def test_table_1(row):
    """db, ds, dc and dp of KZ02 Table 1."""
    found = compute_latent_class_bounds(algdim.model(row["model"]))

    assert (row["best_bound"], row["standard"], row["complete"]) == (found.best_bound, found.standard, found.complete)
    assert row["pairwise_bound"] == ("dc" if found.partition is None else found.pairwise_bound)


@given(shapes)
def test_the_bipartition_gives_dp(shape):
    """The named sides make up all items, have more states than classes, and Theorem 1's dimension is dp; else dp is dc."""
    classes, items = shape
    found = bounds_of(classes, items)
    states = found.model.states
    if found.partition is None:
        assert found.complete == found.pairwise_bound
        return
    a, b = (prod(states[name] for name in side) for side in found.partition)
    one, other = found.partition

    assert sorted(f"X{number + 1}" for number in range(len(items))) == sorted((*one, *other))
    assert classes < min(a, b)
    assert (classes - 1) + classes * (a + b - 2) - classes * (classes - 1) == found.pairwise_bound


@given(shapes)
def test_what_is_attained(shape):
    """The least bounds are named, and no other."""
    found = bounds_of(*shape)
    named = {"ds": found.standard, "dc": found.complete, "dp": found.pairwise_bound}

    assert min(named.values()) == found.best_bound
    assert {name for name, value in named.items() if value == found.best_bound} == set(found.attained)


@settings(suppress_health_check=SELDOM)
@given(shapes)
def test_lemma_3_1_is_right_where_it_is_true(shape):
    """If both inequalities hold, ds < dp and ds < dc."""
    found = bounds_of(*shape)
    assume(found.lemma.holds)

    assert found.standard < found.complete
    assert found.standard < found.pairwise_bound
    assert ("ds",) == found.attained


@given(st.integers(1, 60), st.lists(st.integers(2, 9), min_size=1, max_size=5).map(tuple))
def test_lemma_3_1_as_it_is_printed(classes, items):
    """The squared inequality is the printed one, decided with sympy's exact roots."""
    from sympy import Integer, sqrt

    cells, n = prod(items), len(items)
    lemma = evaluate_lemma_3_1(classes, items)

    assert bool(classes < 2 * sqrt(Integer(cells)) - sum(items) + (n - 1)) == lemma.below_pairwise
    assert (classes * (sum(items) - (n - 1)) < cells) == lemma.below_complete


def test_lemma_3_1_at_the_border():
    """Equality is not enough: 2√16 − 8 + 3 is 3, and 3 is not below it; floats are not asked."""
    assert not evaluate_lemma_3_1(3, (2,) * 4).below_pairwise
    assert evaluate_lemma_3_1(2, (2,) * 4).below_pairwise
    # 2√|O| is 2^81 exactly; one class less and the inequality is true
    items = (2,) * 160
    assert not evaluate_lemma_3_1(2**81 - 161, items).below_pairwise
    assert evaluate_lemma_3_1(2**81 - 162, items).below_pairwise


@pytest.mark.parametrize(
    ("text", "regular", "equivalent"),
    [
        ("2:2,2", True, "2:2,2"),
        ("3:2,2", False, "2:2,2"),
        ("4:2,2,2", True, "4:2,2,2"),
        ("5:2,2,2", False, "4:2,2,2"),
        ("9:4,2,2", False, "4:4,2,2"),
        ("2:3", False, "1:3"),
        ("1:2", True, "1:2"),
    ],
)
def test_regular_models(text, regular, equivalent):
    """KZ02 Lemma 3.2: as many classes as all items but a largest one have states are enough."""
    found = compute_latent_class_bounds(algdim.model(text))

    assert (regular, equivalent) == (found.regular, to_text(found.equivalent))


@given(st.integers(1, 9), st.lists(st.integers(2, 3), min_size=1, max_size=3).map(tuple))
def test_the_equivalent_model_has_the_same_dimension(classes, items):
    """Ranks of the model and of the regular one agree, and db never lies below."""
    found = bounds_of(classes, items)
    rank = dimension(found.model, bounds="counting,ambient,chance").dimension

    assert rank == dimension(found.equivalent, bounds="counting,ambient,chance").dimension
    assert rank <= found.best_bound


def test_names_are_kept():
    """A model written with edges keeps its names, whichever way the edges point."""
    found = compute_latent_class_bounds(algdim.model("A -> H -> B, C; hidden H; states A=3"))
    above = compute_latent_class_bounds(algdim.model("A -> H -> B, C; hidden H; states A=3, H=9"))

    assert {("A",), ("B", "C")} == set(found.partition)
    assert found.regular
    assert (False, 4) == (above.regular, above.equivalent.states["H"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("5(2,3(2,2),3(2,2))", "decompose"),
        ("H -> A, B; hidden H; share s: A, B", "free tables"),
        ("H -> A, B; hidden H; fix P(A=0|H=0)=0", "free tables"),
        ("A -> B", "no latent class model"),
        ("A -> C <- H -> D; hidden H", "no latent class model"),
    ],
)
def test_other_models_are_refused(text, message):
    """What is not a latent class model with free tables is refused with what to do."""
    with pytest.raises(InputError, match=message):
        compute_latent_class_bounds(algdim.model(text))


def test_any_size_is_exact():
    """Sixty items, two thousand items, and sizes that no float holds."""
    assert 609 == bounds_of(10, (2,) * 60).best_bound
    many = bounds_of(7, (3,) * 2_000)
    assert 3**2_000 - 1 == many.complete
    assert 7 * (2 * 3**1_000 - 7) - 1 == many.pairwise_bound


def test_too_many_bipartitions():
    """Fifty different sizes are not gone through; Lemma 3.1 shows that ds is db."""
    found = bounds_of(5, tuple(range(2, 52)))

    assert (None, None) == (found.pairwise_bound, found.partition)
    assert ("ds",) == found.attained
    assert "Lemma 3.1" in str(found)


def test_json_has_short_and_long_names():
    """The keys that scripts rely on."""
    found = compute_latent_class_bounds(algdim.model("3:5,2,2")).to_dict()

    assert (20, 19, 17, 17) == tuple(found[key] for key in ("ds", "dc", "dp", "db"))
    assert (20, 19, 17, 17) == tuple(found[key] for key in ("standard", "complete", "pairwise_bound", "best_bound"))
    assert [["X2", "X3"], ["X1"]] == found["partition"]
    assert (True, "3:5,2,2") == (found["regular"], found["equivalent"])
    none = compute_latent_class_bounds(algdim.model("2:2,2")).to_dict()
    assert (None, none["dc"]) == (none["partition"], none["dp"])


@in_turn(3)
def test_the_models_up_to_260_cells_are_counted():
    """There are 6,628 models up to the first number of classes with the complete dimension, by KZ02's db and the twelve."""
    total, below = 0, []
    for items in item_lists(MOST_CELLS):
        for classes in range(2, prod(items) + 1):
            total += 1
            found = find_defective_format(classes, items)
            if found is not None:
                below.append(f"{classes}:{','.join(map(str, items))}")
            if (bounds_of(classes, items).best_bound if found is None else found.at_most) == prod(items) - 1:
                break

    assert 6628 == total
    assert set(TWELVE.split()) == set(below)


@pytest.mark.slow
def test_db_is_the_dimension_but_for_twelve_models_up_to_260_cells():
    """All latent class models with two or more items up to 260 cells, k = 2, 3, … up to the first complete one; all exact."""
    below, total, not_exact = {}, 0, []
    for items in item_lists(MOST_CELLS):
        for classes in range(2, prod(items) + 1):
            total += 1
            counts, report = bounds_of(classes, items), dimension(build_latent_class(classes, items))
            if not report.exact:
                not_exact.append(to_text(report.model))
            if report.dimension < counts.best_bound:
                below[f"{classes}:{','.join(map(str, items))}"] = counts.best_bound - report.dimension
            if report.dimension == counts.complete:
                break

    assert [] == not_exact
    assert 6628 == total
    assert dict.fromkeys(TWELVE.split(), 1) == below


def test_item_lists_are_complete():
    """The lists of items are all sorted products, found here by going through all tuples."""
    wanted = {
        tuple(sorted(sizes, reverse=True))
        for length in (2, 3, 4)
        for sizes in product(range(2, 17), repeat=length)
        if prod(sizes) <= 30
    }

    assert wanted == set(item_lists(30))


@pytest.mark.parametrize(
    ("text", "lemmas"),
    [
        ("2:2,2,2", {"counting and ambient", "pairwise", "capping"}),
        ("5:4,4,3", {"counting and ambient", "pairwise", "capping"}),
        ("2:2^60", {"counting and ambient", "pairwise", "capping"}),
    ],
)
def test_the_bounds_name_their_lemmas(text, lemmas):
    """They are proved without any rank."""
    found = compute_latent_class_bounds(algdim.model(text))

    assert lemmas == set(found.trust.lemmas) == set(found.to_dict()["lemmas"])
    assert "free tables" in found.trust.facts
    assert len(found.trust.facts) < 200


@given(st.integers(2, 12), st.lists(st.integers(2, 5), min_size=2, max_size=5))
def test_the_inequalities_of_lemma_3_1(classes, items):
    """Lemma "pairwise" (c): with the first one no bipartition's bound is as low as the parameters, with the second ds < dc."""
    lemma = evaluate_lemma_3_1(classes, tuple(items))
    count = classes - 1 + classes * sum(size - 1 for size in items)
    for chosen in product((False, True), repeat=len(items)):
        u = prod(size for size, is_left in zip(items, chosen, strict=True) if is_left)
        v = prod(items) // u
        assert not lemma.below_pairwise or classes * (u + v) - classes**2 - 1 > count
    assert lemma.below_complete == (count < prod(items) - 1)


def test_the_lemmas_inequalities_in_words_and_in_json():
    """(k + Σrᵢ − (n − 1))² < 4|O| and k(Σrᵢ − (n − 1)) < |O|, each with its verdict."""
    found = evaluate_lemma_3_1(3, (2, 2, 2, 2))
    first, second = (3 + 8 - 3) ** 2 < 4 * 16, 3 * (8 - 3) < 16

    assert found.to_dict() == {
        "holds": first and second,
        "first": {"squared": 8, "below": 64, "holds": first},
        "second": {"value": 15, "below": 16, "holds": second},
    }
    assert str(found).endswith(": 8² < 4|O| = 64 fails, 15 < |O| = 16 holds")
