"""Bounds of models that contain a model: their dimension is never less by definition, and cases that nothing else proves."""

from __future__ import annotations

import random
from math import inf

import brute
import pytest
from suites.random_networks import draw

import algdim
from algdim.families.discrete.bounds import supermodels
from algdim.families.discrete.bounds.containing import convert_to_masks
from algdim.families.discrete.bounds.search import make_closed_setting
from algdim.families.discrete.bounds.supermodels import (
    bound_by_supermodels,
    build_network,
    find_descendants,
    iterate_common_parents,
    iterate_smaller,
    iterate_steps,
    rebuild_supermodel,
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
            assert step.is_removed or not find_descendants(graph, step.variable) & sum(1 << v for v in step.others)
            met.add(step.is_removed)

    assert {True, False} == met


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
