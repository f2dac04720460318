"""Bounds of models that contain a model: their dimension is never less by definition, and cases that nothing else proves."""

from __future__ import annotations

import random
from math import inf

import brute
import pytest
from amount import in_turn
from suites.random_networks import draw

import algdim
from algdim.families.discrete.bounds import supermodels
from algdim.families.discrete.bounds.containing import convert_to_masks
from algdim.families.discrete.bounds.search import make_closed_setting
from algdim.families.discrete.bounds.supermodels import (
    REVERSED,
    WIDENED,
    SupermodelStep,
    bound_by_supermodels,
    build_network,
    can_be_reversed,
    find_descendants,
    iterate_common_parents,
    iterate_parents_of_parents,
    iterate_reversed,
    iterate_smaller,
    iterate_steps,
    rebuild_supermodel,
    reverse_arc,
)
from algdim.families.discrete.bounds.symmetry import bound_by_symmetry
from algdim.families.discrete.map import get_param_map
from algdim.models.notation import parse

MIXED = "X1, H -> X, Y; hidden H; states X=3, Y=3; given X1"
"""H can be mixed in another way for each state of X1 if it has X1 for a parent."""


def setting_of(text, lower):
    """The setting of a closed model that is to be proved to have a dimension, and what its roots add."""
    return make_closed_setting(get_param_map(parse(text)), lower, 0)


def test_a_parent_more_shows_the_symmetries():
    """17 parameters; with X1 -> H 18, of which four are redundant; in the model itself no linear symmetry is."""
    setting, extra = setting_of(MIXED, 14)
    bound = bound_by_supermodels(setting)

    assert (14, "supermodels") == (bound.value - extra, bound.kind)
    assert [{"widened": "H", "parents": ["X1"]}] == bound.evidence["steps"]
    assert ("supermodels", "symmetry") == bound.trust.lemmas
    assert 14 == brute.dimension(parse(MIXED))


REDUCED = "A -> G; U, H, G -> Y; H, A, V, Y -> Z; hidden H, G; states U=3; given A, U, V"
"""G is superfluous; without it A is a parent of all children of H."""


def test_what_can_be_averaged_out_is_first():
    """31 parameters; 30 without G and with A -> H, of which four are redundant."""
    setting, extra = setting_of(REDUCED, 26)
    bound = bound_by_supermodels(setting)

    assert (26, "supermodels") == (bound.value - extra, bound.kind)
    assert [{"hidden": "G", "children": ["Y"]}, {"widened": "H", "parents": ["A"]}] == bound.evidence["steps"]
    assert 26 == brute.dimension(parse(REDUCED)) < bound_by_symmetry(setting).value - extra


def test_common_parents_are_those_of_all_children():
    """Of H, whose children are Y and Z, A after G is averaged out, and nothing before."""
    setting, _ = setting_of(REDUCED, 26)
    model, graph = setting.pmap.model, convert_to_masks(setting.pmap)
    names = [variable.name for variable in model.variables]
    steps = list(iterate_smaller(model, graph))
    smaller = next(graph for step, graph in steps if names[step.variable] == "G")

    assert ["A -> H added"] == [step.text(names) for step, _ in iterate_common_parents(model, smaller)]
    assert "A -> H added" not in [step.text(names) for step, _ in iterate_common_parents(model, graph)]


TURNED = "G -> H -> A; G, A -> Y; G, A, B -> Z; H, Y, Z -> V; hidden G, H; states H=3, V=3; given B"
"""41 parameters less what was found; given A, G and H can be mixed in other ways if A is above them."""


def test_reversed_arcs_show_the_symmetries():
    """A, a child of H, is a parent of all other children of G; above both, it has its own mixtures in each state."""
    setting, extra = setting_of(TURNED, 40)
    bound = bound_by_supermodels(setting)

    assert (39, "supermodels") == (bound.value - extra, bound.kind)
    steps = [{"reversed": "H", "child": "A"}, {"reversed": "G", "child": "A"}, {"widened": "H", "parents": ["Y"]}]
    assert steps == bound.evidence["steps"]
    assert "H -> A reversed, G -> A reversed, Y -> H added" in bound.reason
    assert 39 == brute.dimension(parse(TURNED)) < bound_by_symmetry(setting).value - extra


@in_turn(2)
def test_certificates_have_reversed_arcs():
    """The steps by name, and symmetries of the network that they lead to."""
    certificate = algdim.prove(TURNED)
    upper = certificate.data["evidence"]["upper"]

    assert algdim.verify(certificate)
    assert {"reversed": "H", "child": "A"} == upper["averaged"][0]


def test_more_parents_are_those_of_parents():
    """H is above X and Y, X above Y; Y can have the parent A of X, which is a child of H as well."""
    model = parse("A, H -> X; H, X -> Y; H -> Z; hidden H")
    names = [variable.name for variable in model.variables]

    assert ["A -> Y added"] == [
        step.text(names) for step, _ in iterate_parents_of_parents(model, convert_to_masks(get_param_map(model)))
    ]


def list_arcs(model, graph):
    """All arcs that can be reversed, with their graphs."""
    found = []
    for one, variable in enumerate(model.variables):
        for child, other in enumerate(model.variables):
            if variable.name in other.parents and can_be_reversed(graph, one, child):
                found.append((SupermodelStep(REVERSED, one, (child,)), reverse_arc(graph, one, child)))
    return found


def test_an_arc_is_reversed_where_no_other_path_leads_to_the_child():
    """In H -> A -> B, H -> B the arc H -> B cannot be: A is between."""
    model = parse("H -> A; H, A -> B; hidden H")

    assert [("H", "A"), ("A", "B")] == [
        (model.variables[step.variable].name, model.variables[step.others[0]].name)
        for step, _ in list_arcs(model, convert_to_masks(get_param_map(model)))
    ]


def test_reversed_arcs_are_those_to_parents_of_other_children():
    """A is a parent of Y and Z; Y is one of no other child."""
    model = parse("H -> A; H, A -> Y; H, A, B -> Z; hidden H")
    names = [variable.name for variable in model.variables]

    assert ["H -> A reversed"] == [
        step.text(names) for step, _ in iterate_reversed(model, convert_to_masks(get_param_map(model)))
    ]


@pytest.mark.parametrize(
    "text",
    [
        "states X1=3, X2=2, X3=3, H1=2, X4=3; X1 -> H1; X1, H1, X3 -> X2; X1, H1 -> X4; hidden H1",
        "states H1=3, X1=2, H2=2, H3=2, X2=2, X3=3, X4=2; H1 -> X1 -> H3; H2, H3 -> X2; X1, H3 -> X3 -> X4; hidden H1, H2, H3",
    ],
)
def test_dimensions_are_those_by_definition(text):
    """Networks as random ones are."""
    report = algdim.dimension(text)

    assert (brute.dimension(parse(text)), True) == (report.dimension, report.exact)


def test_steps_make_no_cycles_and_can_be_repeated():
    """No parent descends from its child, observed variables keep their parents, and the steps by name give the same network."""
    source = random.Random(0)
    met = set()
    for _ in range(15):
        model = draw(source)
        graph = convert_to_masks(get_param_map(model))
        for step, larger in iterate_steps(model, graph):
            names = [variable.name for variable in model.variables]
            network = build_network(model, larger)
            assert network == rebuild_supermodel(model, [step.to_dict(names)])
            more = sum(1 << v for v in step.others)
            assert step.kind != WIDENED or not find_descendants(graph, step.variable) & more
            met.add(step.kind)

    assert {"hidden", "widened"} == met


def test_reversed_arcs_leave_a_network_that_contains_the_model():
    """No cycles, the same network by the names of the steps, and at least the dimension by definition; the same where the parents are the same."""
    source, met = random.Random(3), 0
    while met < 12:
        model = draw(source)
        if not model.hidden or get_param_map(model).cells > 40:
            continue
        names = [variable.name for variable in model.variables]
        rank = brute.dimension(model)
        for step, larger in list_arcs(model, convert_to_masks(get_param_map(model)))[:3]:
            network = build_network(model, larger)
            assert network == rebuild_supermodel(model, [step.to_dict(names)])
            found = brute.dimension(network)
            one, child = (model.variables[v] for v in (step.variable, *step.others))
            is_same = {*one.parents, one.name} == {*child.parents}
            assert found == rank if is_same else found >= rank, (model, step)
            met += 1


@pytest.mark.slow
def test_supermodels_are_no_smaller(monkeypatch):
    """Of random networks, whatever the ranks say: each bound is at least the rank by definition."""
    monkeypatch.setattr(supermodels, "compute_rank", lambda *_: 0)
    monkeypatch.setattr(supermodels, "MOST_RANKS", 12)
    source, met = random.Random(1), 0
    while met < 60:
        model = draw(source)
        pmap = get_param_map(model)
        if pmap.cells > 64 or not model.hidden:
            continue
        rank = brute.dimension(model)
        bound = bound_by_supermodels(make_closed_setting(pmap, rank - 1, 0)[0])
        assert rank <= (inf if bound is None else bound.value), model
        met += bound is not None


@pytest.mark.slow
def test_certificates_of_supermodels_are_accepted():
    """Of random networks with this bound alone, where it gives the dimension and the format has the symmetries."""
    source, met = random.Random(2), 0
    for _ in range(400):
        model = draw(source)
        if get_param_map(model).cells > 64 or not model.hidden:
            continue
        report = algdim.dimension(model, bounds="counting,ambient,supermodels,districts")
        if report.exact and "supermodels" in [part.upper.kind for part in report.parts or (report,)]:
            try:
                certificate = algdim.prove(model)
            except algdim.AlgdimError:
                continue
            assert algdim.verify(certificate)
            met += 1
    assert met > 2


@pytest.mark.slow
def test_hidden_variables_are_averaged_out_together_again():
    """H3 and H7, then H6 and H8, each of which alone would leave more parameters: 175 of a binary network with 16 variables."""
    text = """H1, H3 -> H4; X1, X2 -> H5; H2, H3 -> H6; H1, X3 -> X4; X1, H4, X2 -> X5; X3, X5 -> H7; X1, H2, X3, H6, H8 -> X6;
    H1, H2, H3, H4, X3, H6, X4, X5, H7 -> H8; H1, H4, X6 -> X7; H2, H4, H5, X4, X5 -> X8; given X1, X2, X3;
    hidden H1, H2, H3, H4, H5, H6, H7, H8"""
    report = algdim.dimension(text)

    assert (175, True, "supermodels") == (report.dimension, report.exact, report.upper.kind)
    assert {"H3", "H6", "H7", "H8"} <= {step.get("hidden") for step in report.upper.evidence["steps"]}
