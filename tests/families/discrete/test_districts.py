"""Districts: the graph part, the kernels, and the hypotheses under which dimensions add."""

import numpy as np
import pytest
from amount import daily
from suites.mixed_networks import mixed_network

import algdim
from algdim.analysis import make_draw_labels
from algdim.bound.strategy import Effort, choose_bounds, find_both_bounds
from algdim.families.discrete.bounds.pairwise import compute_pairwise_value
from algdim.families.discrete.bounds.search import find_support
from algdim.families.discrete.districts import build_kernel, find_districts, find_extending_cells, split
from algdim.families.discrete.functionals import select_marginal_cells
from algdim.families.discrete.locals.function import Maximum
from algdim.families.discrete.map import get_param_map
from algdim.families.discrete.model import Network, Variable
from algdim.report import prove_map_counts

WHOLE = "counting,ambient,chance"


def copy(name, parent):
    """A variable that repeats its parent."""
    return Variable(name, parents=(parent,), local=Maximum())


def dimensions(model):
    """The dimension with districts and without."""
    return algdim.dimension(model).dimension, algdim.dimension(model, bounds=WHOLE).dimension


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        (Network((Variable("A"), copy("B", "A"), Variable("C", parents=("A", "B")))), 3),
        (
            Network(
                (
                    Variable("A"),
                    Variable("B"),
                    Variable("D", parents=("A", "B"), local=Maximum()),
                    Variable("E", parents=("A", "D")),
                )
            ),
            5,
        ),
        (algdim.model("A -> D; A, D -> E; fix P(D=0|A=0)=1"), 5),
        (
            Network(
                (
                    Variable("H", 4, observed=False),
                    Variable("A", parents=("H",)),
                    copy("B", "A"),
                    Variable("C", parents=("H", "B")),
                )
            ),
            3,
        ),
        (algdim.model("X0 -> X1 -> X2; share t: X1, X2"), 3),
    ],
    ids=["copy", "max", "noisy-or without leak", "copy beside a hidden cause", "homogeneous chain"],
)
def test_the_plain_sum_of_districts_would_be_too_high(model, expected):
    """Zeros and shared tables break the plain sum; the true numbers are counted by hand."""
    assert (expected, expected) == dimensions(model)


def test_kernels_of_the_verma_network():
    """The outside parents of a kernel become roots that are conditioned on."""
    model = algdim.model("A -> B -> C -> D; U -> B, D; hidden U")

    assert (("A",), ("B", "D", "U"), ("C",)) == find_districts(model)
    assert ("A", "C") == build_kernel(model, ("B", "D", "U")).given


def test_a_share_joins_districts_and_keeps_others_apart():
    """Only the districts that use the shared table are taken together."""
    report = algdim.dimension("A -> B; C -> D; E -> F; share t: B, D")

    assert 3 + 2 + 2 == report.dimension
    assert {"B,D|A,C", "A", "C", "E", "F|E"} == {part.subject for part in report.parts}


def test_districts_joined_by_a_share_beside_zeros():
    """The zero is in another district, so the sum holds; the notes say which district was joined and which lost an entry."""
    report = algdim.dimension("A -> B; C -> D; E -> F; share t: B, D; fix P(F=0|E=0)=1")

    assert 1 + 2 + 1 + 1 + 1 == report.dimension
    assert {
        "A": "",
        "B,D|A,C": "districts that share parameters",
        "C": "",
        "E": "",
        "F|E": "left out: 1 entry of the kernel, zero or in no observed cell",
    } == {part.subject: part.note for part in report.parts}


def test_districts_joined_by_a_share_are_not_split_where_they_lose_entries():
    """C is A where B has its rows, and the other rows of the shared table are those of D: 4 + 3 parameters, all counted once."""
    model = algdim.model("A -> C; A, C -> B; E, F -> D; share t: B, D; max C")
    (part,) = split(model, get_param_map(model), model)

    assert "not split: districts share parameters and entries of their kernels vanish" == part.note
    assert (7, 7) == dimensions(model)


def test_parts_add_up():
    """The bounds of the parts are summands of the report's."""
    report = algdim.dimension("A -> C <- H -> D <- B; hidden H; states H=3")

    assert report.dimension == sum(part.dimension for part in report.parts) == 10
    assert report.parts[1].model.given == ("A", "B")


def test_entries_left_out_are_counted():
    """A copies B: of the kernel of C the two entries for A ≠ B are in no cell, for each state of C."""
    report = algdim.dimension(Network((Variable("A"), copy("B", "A"), Variable("C", 3, parents=("A", "B")))))

    assert "left out: 6 entries of the kernel, zero or in no observed cell" in [part.note for part in report.parts]


def check_agreement(seed):
    """All methods agree on one random network, with districts and without."""
    model = mixed_network(seed)
    numbers = {
        (method, bounds): algdim.dimension(model, method=method, bounds=bounds).dimension
        for method in ("probes", "table", "rational")
        for bounds in ("auto", WHOLE)
    }

    assert 1 == len(set(numbers.values())), (seed, model, numbers)


@pytest.mark.parametrize("block", daily(range(10), 1))
def test_methods_agree_on_random_networks(block):
    """Probes, table and rational ranks are equal with and without districts."""
    for seed in range(12 * block, 12 * (block + 1)):
        check_agreement(seed)


@pytest.mark.slow
@pytest.mark.parametrize("block", range(20))
def test_methods_agree_on_two_thousand_random_networks(block):
    """The same on 2,000 networks."""
    for seed in range(100 * block, 100 * (block + 1)):
        check_agreement(seed)


EFFORT = Effort("auto", choose_bounds("auto"), 0, 1 << 30)


@pytest.mark.parametrize("bounds", ["auto", "no-proof", "ambient", "chance,ambient,counting", "districts,chance"])
@pytest.mark.parametrize(
    "text",
    [
        "A -> B -> C; A -> C; states A=3, C=4",
        "A, B -> C; H -> D, E; A -> D; hidden H",
        "A -> B; states A=5; B -> C, D; H -> D; hidden H",
    ],
)
def test_what_is_counted_is_what_the_map_says(text, bounds):
    """A free table is counted and its map not made; bounds, counts and reasons are those that the map would give."""
    model = algdim.model(text)
    effort = EFFORT._replace(bounds=choose_bounds(bounds))
    counted = [part for part in split(model, get_param_map(model), model) if part.counted]

    assert len(counted) > 1
    for part in counted:
        found = part.counted.find(effort)
        assert part.has_all_coordinates
        assert "pmap" not in vars(part)
        assert (part.counted.parameters, part.counted.complete) == (len(part.pmap.parameters), part.pmap.complete)
        assert compute_pairwise_value(part.pmap) is None
        assert prove_map_counts(part.pmap) == ()
        if found is None:
            assert not {"counting", "ambient"} & {*effort.bounds}
        else:
            assert found == find_both_bounds(part.pmap, effort, make_draw_labels(part))


def test_a_method_asks_for_the_map():
    """With a method of one's own the rank of a free table is taken as any other."""
    model = algdim.model("A -> B")
    found = split(model, get_param_map(model), model)

    assert [None, None] == [part.counted.find(EFFORT._replace(method="rational")) for part in found]
    assert {"rational"} == {part.method for part in algdim.dimension(model, method="rational").parts}


@pytest.mark.parametrize(
    ("text", "others"),
    [
        ("A -> B; fix P(B=0|A=0)=1/3", {"A"}),
        ("A -> B; equal a = P(B=0|A=0), P(B=0|A=1)", {"A"}),
        ("A -> C; B -> D; share t: C, D", {"A", "B"}),
        ("H -> A, B; hidden H; C -> D", {"C", "C,D"}),
    ],
)
def test_only_free_tables_of_observed_variables_are_counted(text, others):
    """Where entries are fixed, tied or shared, or a variable is hidden, the map is asked."""
    model = algdim.model(text)
    found = split(model, get_param_map(model), model)

    assert others == {",".join(part.model.states) for part in found if part.counted}


@pytest.mark.parametrize(
    "text",
    [
        "max: {A}, {B}, {A, B} -> E1, E2, E3; leak",
        "A, B -> C; C, D -> E; H -> C, E; hidden H; max C, E",
        "A -> B -> C -> D; H -> B, D; hidden H; sum B, D; states B=3",
        "A, B -> C -> D; A -> D; given A; max C, D",
    ],
)
def test_the_ancestors_say_which_cells_are_possible(text):
    """A kernel has the same cells in the whole network as in that of its own variables and their ancestors."""
    model = algdim.model(text)
    network = getattr(model, "network", model)
    whole = get_param_map(network)
    axis = {variable.name: number for number, variable in enumerate(network.variables)}
    for members in find_districts(network):
        kernel = get_param_map(build_kernel(network, members))
        axes = [axis[variable.name] for variable in kernel.model.observed]
        possible = find_support(whole, select_marginal_cells(whole, axes))

        assert np.flatnonzero(possible).tolist() == find_extending_cells(kernel, whole).tolist()


def test_many_effects_are_not_asked_at_once():
    """Twelve sums of nine causes: the parts are found at once, each with its own causes."""
    report = algdim.dimension(
        "sum: {C5},{C4,C7},{C5,C6,C9},{C4,C5,C6,C8},{C1,C9} -> E1..E12; states C8=2, C9=2; leak", bounds="no-proof"
    )

    assert len(report.parts) > 12
