"""The bound by equal cells: against the rank by definition, and against the cells themselves."""

from __future__ import annotations

import random
from itertools import chain, combinations_with_replacement
from math import comb, inf, prod

import brute
import pytest
from amount import some
from hypothesis import given, settings
from hypothesis import strategies as st

import algdim
from algdim.families.discrete.bounds import equations
from algdim.families.discrete.bounds.equalcells import (
    bound_by_equal_cells,
    bound_by_equal_states,
    find_exchangeable_variables,
    find_state_exchanges,
    number_exchanged_cells,
)
from algdim.families.discrete.bounds.koszul import bound_by_koszul
from algdim.families.discrete.bounds.search import make_closed_setting
from algdim.families.discrete.bounds.secants import (
    bound_symmetric_items,
    compute_group_dimension,
    find_item_groups,
)
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
    assert algdim.verify(algdim.prove(text))


def test_cells_sum_to_one_under_each_condition():
    """Three of four cells are distinct under each of two conditions; variables conditioned on are not exchanged."""
    text = "Z, H -> A, B; hidden H; states H=4; given Z; share s: A, B"

    assert 4 == bound_by_equal_cells(get_param_map(parse(text))).value == brute.dimension(parse(text))
    assert 4 == algdim.prove(text).dimension
    assert names_of("A, B -> C; given A, B") == {("A",), ("B",), ("C",)}


def expected_powers(classes, states, items):
    """The theorem of Alexander and Hirschowitz (1995): sums of powers of linear forms, divided by a number."""
    if items == 2:
        rank = min(classes, states)
        return rank * states - rank * (rank - 1) // 2 - 1
    exceptions = {(4, 3, 5), (4, 4, 9), (3, 5, 7), (4, 5, 14)}
    defect = (items, states, classes) in exceptions
    return min(classes * states, comb(states + items - 1, items)) - 1 - defect


def expected_binary(classes, degrees):
    """The theorem of Laface and Postinghel (Math. Ann. 356, 2013): binary items, of each group all with one table."""
    degrees = sorted(degrees)
    cells = prod(degree + 1 for degree in degrees)
    *first, last = degrees
    defect = first in ([2], [1, 1]) and last % 2 == 0 and classes == last + 1
    defect |= (degrees, classes) in (([2, 2, 2], 7), ([1, 1, 1, 1], 3))
    return min(classes * (len(degrees) + 1), cells) - 1 - defect


def shared(classes, groups):
    """A latent class model whose items are groups of exchangeable ones, each group a number of states and of items."""
    names = [[f"X{group}_{k}" for k in range(items)] for group, (_, items) in enumerate(groups)]
    sizes = ", ".join(f"{name}={states}" for (states, _), group in zip(groups, names, strict=True) for name in group)
    shares = "".join(f"; share s{k}: {', '.join(group)}" for k, group in enumerate(names) if len(group) > 1)
    return f"H -> {', '.join(chain(*names))}; hidden H; states H={classes}, {sizes}{shares}"


SYMMETRIC = [
    (shared(classes, [(states, items)]), expected_powers(classes, states, items))
    for states in range(2, 6)
    for items in range(2, 6)
    if states**items <= 1100
    for classes in range(1, 16)
    if classes * states <= comb(states + items - 1, items) + 2 * states
]
PARTIAL = [
    (shared(classes, [(2, degree) for degree in degrees]), expected_binary(classes, degrees))
    for factors in (2, 3, 4)
    for degrees in combinations_with_replacement(range(1, 5), factors)
    if factors < sum(degrees) <= 8
    for classes in range(1, 12)
]
DEFECTIVE = [
    (shared(5, [(3, 4)]), 13),
    (shared(9, [(4, 4)]), 33),
    (shared(7, [(5, 3)]), 33),
    (shared(14, [(5, 4)]), 68),
    (shared(3, [(2, 2), (2, 2)]), 7),
    (shared(7, [(2, 2)] * 3), 25),
    (shared(5, [(2, 1), (2, 1), (2, 4)]), 18),
]


@pytest.mark.parametrize(("text", "expected"), DEFECTIVE)
def test_symmetric_tables_of_less_than_the_expected_dimension_are_proved(text, expected):
    """The exceptions of Alexander and Hirschowitz, three of Laface and Postinghel; the checker accepts them."""
    report = algdim.dimension(text)

    assert (expected, True) == (report.dimension, report.exact)
    assert algdim.verify(algdim.prove(text))


def test_the_theorems_on_groups_say_what_the_rank_is():
    """Binary groups, where the exceptions are, and groups of three items or more; both sides of the expected dimension."""
    binary = {
        degrees: (classes, expected)
        for text, expected in PARTIAL
        for classes, degrees in [find_item_groups(parse(text))]
    }
    large = [(classes, ((2, 3), (states, 3))) for states in (2, 3) for classes in (1, 2, 5, 6, 9, 10)]
    cases = [(classes, groups) for groups, (classes, _) in binary.items()] + large
    cases += [find_item_groups(parse(text)) for text, _ in DEFECTIVE[4:]]
    for classes, groups in cases:
        value, _ = compute_group_dimension(classes, groups)
        report = algdim.dimension(shared(classes, groups), bounds="counting,ambient")
        assert (value, True) == (report.lower.value, report.lower.trust.is_proved), (classes, groups)
    assert len(cases) > 20


def test_what_no_rank_reaches_follows_from_the_theorem():
    """A Jacobian of 26,999 columns is not needed; where a table is changed or a group has two items, no theorem is used."""
    (lower, upper) = bound_symmetric_items(parse("3000:5^6*,5^7*"))
    assert (26_999, 26_999) == (lower.value, upper.value)
    for text in ("3000:5^6*,5^2*", f"{shared(3, [(2, 3), (2, 3)])}; fix P(X0_0=0|H=0)=1/3", "3:2,3"):
        assert () == bound_symmetric_items(parse(text))


@pytest.mark.slow
@pytest.mark.parametrize("cases", [SYMMETRIC, PARTIAL])
def test_published_dimensions_of_symmetric_and_partially_symmetric_tables_are_proved(cases):
    """Every one of them, by both theorems."""
    assert cases
    for text, expected in cases:
        report = algdim.dimension(text)
        assert (expected, True) == (report.dimension, report.exact), text


@pytest.mark.slow
def test_bounds_of_exchangeable_items_hold():
    """Random models with shared tables: all equations that there are leave no fewer dimensions than the rank by definition."""
    source = random.Random(0)
    met = 0
    for _ in range(150):
        text = draw_shared(source)
        model = parse(text)
        rank = brute.dimension(model)
        setting, extra = make_closed_setting(get_param_map(model), 0, source.randrange(100))
        bound = bound_by_koszul(setting)
        assert rank <= (inf if bound is None else bound.value - extra), text
        report = algdim.dimension(text)
        assert report.lower.value == rank, text
        if "exchangeable" in report.upper.evidence:
            met += 1
            assert algdim.verify(algdim.prove(text)), text
    assert met > 3


def draw_shared(source):
    """Items in groups with one table each, below one hidden variable, two, or an observed one."""
    above = source.choice(["H", "H, G", "G", "H, Z"])
    count, states = source.randint(2, 4), source.randint(2, 3)
    states = 2 if count == 4 else states
    items = [f"X{k}" for k in range(count)]
    cut = source.randint(0, count)
    groups = [group for group in (items[:cut], items[cut:]) if len(group) > 1]
    shares = "".join(f"; share s{k}: {', '.join(group)}" for k, group in enumerate(groups))
    more = {"H": "", "H, G": "; H -> G", "G": "; H -> G", "H, Z": source.choice(["", "; given Z"])}[above]
    hidden = "H, G" if "G" in above else "H"
    sizes = ", ".join([f"H={source.randint(2, 5)}", *(f"{item}={states}" for item in items)])
    if "G" in above:
        sizes += f", G={source.randint(2, 3)}"
    return f"{above} -> {', '.join(items)}{more}; hidden {hidden}; states {sizes}{shares}"


@pytest.mark.parametrize(
    ("text", "classes"),
    [
        # the spaces of mixtures (Casanellas, Fernández-Sánchez and Kedzierska 2012, for n leaves)
        *(
            (f"phylo JC69: {tree}", (2 ** (2 * n - 3) + 1) // 3 + 2 ** (n - 2))
            for tree, n in (("(A,B,C)", 3), ("(A,B,C,D)", 4))
        ),
        *((f"phylo K2P: {tree}", 2 ** (2 * n - 3) + 2 ** (n - 2)) for tree, n in (("(A,B,C)", 3), ("(A,B,C,D)", 4))),
        *((f"phylo K3P: {tree}", 4 ** (n - 1)) for tree, n in (("(A,B,C)", 3), ("((A,B),(C,D))", 4))),
        *((f"phylo SSM: {tree}", 2 ** (2 * n - 1)) for tree, n in (("(A,B,C)", 3), ("((A,B),(C,D))", 4))),
        ("phylo JC69: (A,B,C); (A,(B,C)); invariable", 5),
        ("phylo CFN: (A,B,C); classes 2", 4),
    ],
)
def test_states_that_can_be_exchanged(text, classes):
    """As many different cells as print says; equal ones are equal at a random point."""
    model = parse(text)
    pmap = get_param_map(model)
    found = number_exchanged_cells(pmap)
    entries, _ = brute.equations(model)
    point = brute.random_point(model, 1)

    assert classes == len(set(found)) == bound_by_equal_states(pmap).value + 1
    if pmap.cells <= 64:
        cells = list(brute.distribution(model, lambda entry: point[entries[entry]], brute.PRIME).values())
        assert len(set(zip(found.tolist(), cells, strict=True))) == classes


def test_states_that_cannot_be_exchanged():
    """An equilibrium tells them apart, and so does a table of one variable."""
    for text in (
        "phylo F81: (A,B)",
        "phylo GM: (A,B)",
        "H -> A, B; hidden H; equal e = P(A=0|H=0), P(A=1|H=1)",
        "2:2,2",
    ):
        assert [] == find_state_exchanges(get_param_map(parse(text)))


def test_cells_are_not_numbered_where_no_equations_are_sought(monkeypatch):
    """Of 2²⁴ cells the places alone take gigabytes; the answer rests on a rank."""
    numbered = []
    monkeypatch.setattr(equations, "number_equal_cells", lambda pmap: numbered.append(pmap.cells))
    assert algdim.dimension("42:2^20*,4^2*").dimension == 206
    assert not numbered
    assert algdim.dimension("3:2^4*").dimension == 4
