"""The bound by equal cells: against the rank by definition, and against the cells themselves."""

from __future__ import annotations

from math import comb

import brute
import pytest
from amount import some
from hypothesis import given, settings
from hypothesis import strategies as st

import algdim
from algdim.families.discrete.bounds.equalcells import bound_by_equal_cells, find_exchangeable_variables
from algdim.families.discrete.map import get_param_map
from algdim.models.notation import parse
from algdim.rank import SPARE_PROBES


def names_of(text):
    """The names of the variables that can be exchanged."""
    pmap = get_param_map(parse(text))
    return {tuple(pmap.model.variables[axis].name for axis in group) for group in find_exchangeable_variables(pmap)}


@st.composite
def models(draw):
    """Draw some items with one table or several, below one hidden variable or two."""
    count = draw(st.integers(2, 4))
    size, above = draw(st.integers(2, 3 if count < 4 else 2)), draw(st.sampled_from(["H", "G"]))
    parents = [draw(st.sampled_from(["H", "H", above])) for _ in range(count)]
    items = [f"X{number}" for number in range(count)]
    arrows = "; ".join(f"{parent} -> {item}" for item, parent in zip(items, parents, strict=True))
    more = "; H -> G" if "G" in parents else ""
    hidden = "H, G" if more else "H"
    states = ", ".join([f"H={draw(st.integers(2, 4))}", *(f"{item}={size}" for item in items)])
    below = [[item for item, parent in zip(items, parents, strict=True) if parent == one] for one in ("H", "G")]
    shared = [draw(st.lists(st.sampled_from(group), unique=True)) if len(group) > 1 else [] for group in below]
    shares = "".join(f"; share s{number}: {', '.join(group)}" for number, group in enumerate(shared) if len(group) > 1)
    return f"{arrows}{more}; hidden {hidden}; states {states}{shares}"


def count_values(model):
    """How many different numbers the cells have at a random point, by the definition of the model."""
    classes, _ = brute.equations(model)
    point = brute.random_point(model, 1)
    cells = brute.distribution(model, lambda entry: point[classes[entry]], brute.PRIME)
    return len(set(cells.values()))


@settings(max_examples=some(20), deadline=None)
@given(models())
def test_the_bound_holds(text):
    """It counts the cells that differ, and is never below the dimension; that comes out as by definition."""
    model = parse(text)
    pmap = get_param_map(model)
    bound, values = bound_by_equal_cells(pmap), count_values(model)

    most = pmap.cells - 1 if bound is None else bound.value
    assert values == most + 1
    assert most >= brute.dimension(model) == algdim.dimension(model).dimension


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("H -> A, B, C; hidden H; share s: A, C", {("A", "C"), ("B",)}),
        ("H -> A, B, C; hidden H", {("A",), ("B",), ("C",)}),
        ("H -> A, B; A -> C; hidden H; share s: A, B", {("A",), ("B",), ("C",)}),
        ("H1 -> H2; H1 -> A; H2 -> B; hidden H1, H2; share s: A, B", {("A",), ("B",)}),
        ("G, H -> A, B; hidden G, H; share s: A, B", {("A", "B")}),
        ("A, B -> C; share s: A, B", {("A",), ("B",), ("C",)}),
        ("share s: A, B; share t: C, D; states A=2, B=2, C=3, D=3", {("A", "B"), ("C", "D")}),
    ],
)
def test_what_can_be_exchanged(text, expected):
    """Variables with one table and the same parents, which are no parents themselves."""
    assert expected == names_of(text)


def test_a_large_shared_table_is_counted():
    """Fewer probes are drawn than there are parameters, and both bounds meet; a certificate says what it lacks."""
    text = "H -> X1, X2, X3; hidden H; states H=30, X1=5, X2=5, X3=5; share s: X1, X2, X3"
    report = algdim.dimension(text, method="probes")

    assert (comb(7, 3) - 1, True) == (report.dimension, report.exact)
    assert ("equal cells",) == report.upper.trust.lemmas
    assert report.draws[0].count == comb(7, 3) - 1 + SPARE_PROBES
    with pytest.raises(algdim.AlgdimError, match="equal-cells"):
        algdim.prove(text)


def test_nothing_is_said_of_conditions():
    """Cells are then conditional probabilities, which sum to 1 under each condition."""
    assert bound_by_equal_cells(get_param_map(parse("Z, H -> A, B; hidden H; given Z; share s: A, B"))) is None


def test_other_evidence_comes_first_in_certificates():
    """Where two bounds are as good, one is written that the format has."""
    text = "H -> A, B, C; hidden H; states H=4; share s: A, B, C"

    assert "equal-cells" == algdim.dimension(text).upper.kind
    assert 3 == algdim.prove(text).dimension
