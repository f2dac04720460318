"""The bound by symmetry: known numbers, models that break its hypotheses, and never a bound below the rank."""

import json

import brute
import numpy as np
import pytest
from amount import drawn, in_turn, some
from hypothesis import given, settings
from strategies import networks
from suites.mixed_networks import mixed_network

import algdim
from algdim.bound.searches import Directions, check_tangent
from algdim.exact.arithmetic import Residues
from algdim.exact.ranks import rank_mod
from algdim.families.discrete.bounds.directions import compute_right_kernel, draw_point
from algdim.families.discrete.bounds.search import Setting, make_closed_setting
from algdim.families.discrete.bounds.symmetry import (
    bound_by_symmetry,
    compute_kernel_of_slices,
    find_slice_variables,
)
from algdim.families.discrete.districts import build_slice
from algdim.families.discrete.functionals import draw_probes, select_all_cells
from algdim.families.discrete.map import get_param_map
from algdim.families.discrete.model import Network, Variable
from algdim.jacobian import evaluate_jacobian
from algdim.models.anymodel import remove_irrelevant

PRIME = 8388593


def setting_of(model, lower=0):
    """The setting of a model given by its text or record, and what its free roots add."""
    model = algdim.model(model) if isinstance(model, str) else model
    return make_closed_setting(get_param_map(model), lower, 0)


def rank_of(setting):
    """The rank at a random point, with probes."""
    field = Residues(PRIME)
    width = len(setting.pmap.parameters)
    point = field.elements(np.random.default_rng(1).integers(0, PRIME, width))
    many = setting.pmap.cells > width + 16
    wanted = draw_probes(setting.pmap, width + 16, PRIME, "tests") if many else select_all_cells(setting.pmap)
    return rank_mod(evaluate_jacobian(setting.pmap, field, point, wanted), PRIME).value


def hidden_chain(length, classes=3, items=4):
    """A hidden Markov chain with free tables."""
    hidden = [Variable(f"H{i}", classes, observed=False, parents=(f"H{i - 1}",) if i else ()) for i in range(length)]
    return Network((*hidden, *(Variable(f"X{i}", items, parents=(f"H{i}",)) for i in range(length))))


KNOWN = {
    "A -> C <- H -> D <- B; hidden H": (11, 9),  # GHM96 §5
    "H -> X; hidden H": (3, 1),
    "H -> X; hidden H; states H=4, X=3": (11, 2),
    "2:2,2": (5, 3),  # KZ02 Theorem 1 with two items
    "2:3,4": (11, 9),
    "3:4,5": (23, 17),  # ds − k(k − 1)
    "4:4,6": (35, 23),
    "A -> B -> C -> D; U -> B, D; hidden U": (12, 10),
    "2(2,2(2,2))": (9, 7),  # Settimi and Smith: ds − 2 per hidden variable with two neighbours
    "2(2,2(2(2,2)))": (11, 7),
    "A -> H -> X; hidden H": (5, 3),
    "A -> H -> X; hidden H; states A=4, H=2, X=4": (13, 11),
}


@pytest.mark.parametrize("text", KNOWN)
def test_known_numbers(text):
    """The bound is the dimension known from the literature."""
    standard, expected = KNOWN[text]
    setting, _ = setting_of(text)
    bound = bound_by_symmetry(setting)
    assert standard == len(setting.pmap.parameters)
    assert (expected, "symmetry", True) == (bound.value, bound.kind, bound.is_proved)
    assert standard - expected == bound.evidence["rank"]


@pytest.mark.parametrize(("length", "expected"), [(2, 14), (3, 29), (4, 44), (5, 59), (40, 584), (200, 2984)])
def test_hidden_markov_chains(length, expected):
    """The two end pieces of a hidden Markov chain lose k(k − 1) each; hundreds of variables take no time."""
    setting, _ = setting_of(hidden_chain(length), expected)
    bound = bound_by_symmetry(setting)
    assert expected == bound.value
    assert ["H0", f"H{length - 1}"] == sorted({field["hidden"] for field in bound.evidence["fields"]})


def test_a_local_map_under_a_greater_one():
    """More classes than the larger side has states: more than k(k − 1) directions, from the local map."""
    setting, extra = setting_of("A -> H -> X; hidden H; states H=3, X=5; given A", 0)
    bound = bound_by_symmetry(setting)
    assert 2 * 4 == bound.value - extra
    assert {"local map"} == {field["type"] for field in bound.evidence["fields"]} - {"two sides"}


def test_a_fair_coin():
    """Fixed entries: no formula covers the one direction, a polynomial field of degree one does."""
    setting, _ = setting_of("H -> X, Y; hidden H; fix P(H=0)=1/2; states X=3, Y=3")
    bound = bound_by_symmetry(setting)
    assert (7, ["polynomial fields"]) == (bound.value, [field["type"] for field in bound.evidence["fields"]])
    assert rank_of(setting) == bound.value


@pytest.mark.parametrize(
    "text",
    [
        "2:2,2,2",
        "3:3,3,3",
        "A -> B -> C",
        "H -> X, Y, Z; hidden H; share T: X, Y, Z",
        "G -> H -> X; G -> Y; H -> Z; G -> W; H -> V; hidden G, H",
        "2:2^4",
    ],
)
def test_nothing_to_find(text):
    """Without a field there is no bound."""
    assert bound_by_symmetry(setting_of(text)[0]) is None


def test_not_searched_when_counting_suffices():
    """If the rank is the number of parameters nothing is searched."""
    assert bound_by_symmetry(setting_of("2:2,2", 5)[0]) is None


def test_shared_and_fixed_tables_stay():
    """A table that is used twice, or has fixed entries, is not moved by a formula: the bound keeps above the rank."""
    free = "G -> H -> X; G -> Y; hidden G, H; states X=3, Y=3"
    shared = free + "; share T: X, Y"
    fixed = free + "; fix P(X=0|H=0)=1/3"
    values = [bound_by_symmetry(setting_of(text)[0]) for text in (free, shared, fixed)]
    for text, bound in zip((free, shared, fixed), values, strict=True):
        setting, _ = setting_of(text)
        assert rank_of(setting) <= (len(setting.pmap.parameters) if bound is None else bound.value)


def test_states_that_a_rule_tells_apart():
    """A deterministic child blocks the directions that it can see and lets the others pass."""
    seen = "A -> H -> X; H -> Y; hidden H; states A=4, H=2, X=4; max Y"
    setting, _ = setting_of(seen)
    bound = bound_by_symmetry(setting)
    assert rank_of(setting) <= (len(setting.pmap.parameters) if bound is None else bound.value)
    assert bound is None


def test_a_wrong_direction_is_noticed():
    """A direction that changes the observed distribution raises instead of giving a bound."""
    setting, _ = setting_of("2:2,2")
    point = draw_point(setting)
    wrong = Directions(np.array([0, 1]), np.array([[1, 5]]), "H", {})
    with pytest.raises(RuntimeError, match="around H changes the observed distribution"):
        check_tangent(setting, point.prime, point.values, [wrong])


def test_evidence_is_plain_and_repeats():
    """The evidence goes through JSON and is the same for the same seed."""
    setting, _ = setting_of("G -> H -> X; G -> Y; G -> Z; hidden G, H; states H=3")
    one, other = (bound_by_symmetry(setting) for _ in range(2))
    assert json.loads(json.dumps(one.evidence)) == other.evidence


def test_huge_models_are_left_alone():
    """Many classes, or many states, are refused by counts before anything large is built."""
    assert [None] * 3 == [bound_by_symmetry(setting_of(text)[0]) for text in ("90:9,9", "2:500,500,2", "9:2^40")]


def check_never_below(model):
    """Assert that the bound is not below the rank; whether there is one."""
    model, _ = remove_irrelevant(model)
    setting, _ = make_closed_setting(get_param_map(model), 0, 0)
    bound = bound_by_symmetry(setting)
    if bound is not None:
        assert rank_of(setting) <= bound.value
    return bound is not None


@settings(max_examples=some(60))
@given(networks(max_table=60))
def test_never_below_the_rank(model):
    """Networks with shared, fixed and named entries."""
    check_never_below(model)


@settings(max_examples=some(60))
@given(networks(deterministic=True, max_table=60))
def test_never_below_the_rank_with_rules(model):
    """Networks with deterministic variables too."""
    check_never_below(model)


@settings(max_examples=some(60))
@given(networks(special=False, max_table=60))
def test_never_below_the_rank_with_free_tables(model):
    """Networks with free tables, where there is most to find."""
    check_never_below(model)


@pytest.mark.drawn
def test_random_networks_have_bounds():
    """The networks above seldom have one; of these, with hidden variables anywhere, one in three has."""
    found = [check_never_below(mixed_network(seed)) for seed in drawn(range(200), 40)]

    assert any(found)


def test_a_point_where_derivatives_have_values():
    """Sigmoid rows are quotients: the point is one where neither they nor their derivatives divide by zero."""
    model = algdim.model("sigmoid: H -> A, B; hidden H")
    pmap = get_param_map(model)
    point = draw_point(Setting(pmap, 0, 0))

    assert not pmap.is_polynomial
    assert all(len(point.array(number)) for number in range(len(pmap.arrays)))


def test_names_of_the_surroundings_alone():
    """A local map with names is looked at if no other table has them; a name elsewhere excludes it."""
    own = "A, B, H -> X; A -> Y; B -> Z; hidden H; " + "; ".join(
        f"equal {label} = {', '.join(f'P(X={1 - state}|A={a},B={b},H={h})' for a in (0, 1) for b in (0, 1) if (a, b)[h] == state)}"
        for h, label in enumerate("ab")
        for state in (0,)
    )
    report = algdim.dimension(f"{own}; given A, B")

    assert report.exact
    assert brute.dimension(algdim.model(f"{own}; given A, B")) == report.dimension


def test_states_that_no_table_tells_apart():
    """Probability moves between them: three patterns of two attributes that an item of both does not distinguish."""
    text = "H -> X1, X2, X3, X4; hidden H; states H=4; " + "; ".join(
        f"equal g{n} = {', '.join(f'P(X{n}=1|H={h})' for h in range(3))}" for n in range(1, 5)
    )
    report = algdim.dimension(text)

    assert (9, 11, True) == (report.dimension, report.standard, report.exact)
    assert "symmetry" == report.upper.kind


SLICED = "A, C -> H; A, C, H -> X; A, B, H -> Y; H, A -> Z; hidden H; states C=3, X=3; given A, B, C"


def test_slices_have_the_rank_of_the_whole():
    """A is a parent of all: two maps of the same form, whose kernels are that of the whole."""
    pmap = get_param_map(algdim.model(SLICED))
    slices = find_slice_variables(pmap.model)
    jacobian = evaluate_jacobian(
        pmap,
        Residues(PRIME),
        Residues(PRIME).elements(np.random.default_rng(2).integers(0, PRIME, pmap.parameter_count)),
        select_all_cells(pmap),
    )
    rank, kernel = compute_kernel_of_slices(pmap, jacobian, slices, PRIME)
    small = get_param_map(build_slice(pmap.model, slices))

    assert ("A",) == slices
    assert compute_right_kernel(jacobian, PRIME)[0] == rank == 2 * brute.dimension(small.model)
    assert rank + len(kernel) == pmap.parameter_count == 2 * small.parameter_count
    assert rank_mod(kernel, PRIME).value == len(kernel)
    assert not Residues(PRIME).matmul(Residues(PRIME).elements(kernel), jacobian.T).any()


@pytest.mark.parametrize(
    "text", ["A -> H; A, B, H -> X; H -> Y; hidden H; given A, B", "A, H -> X; H -> Y; hidden H; given A"]
)
def test_what_is_no_parent_of_all_gives_no_slices(text):
    """H, or Y, is the same in all states of A."""
    assert () == find_slice_variables(algdim.model(text))


def test_tables_that_are_not_free_give_no_slices():
    """A fixed entry may be in one slice and not in the other."""
    text = "A, H -> X; A -> H; hidden H; given A; fix P(X=0|A=0,H=0)=1/2"
    assert () == find_slice_variables(algdim.model(text))


@in_turn(3)
def test_large_local_maps_are_proved_slice_by_slice():
    """1035 parameters around H, a third of them for each state of A: rank 3 · 318."""
    text = """A, C -> H; A, B, C, H -> X; A, H, X, K, U -> V; hidden H; given A, B, C, K, U;
    states A=3, B=2, C=3, H=4, X=3, K=4, U=2, V=4"""
    setting, extra = setting_of(text, 954 + sum((2, 1, 2, 3, 1)))
    bound = bound_by_symmetry(setting)

    assert 954 == bound.value - extra
