"""Bounds by margins: never less than the dimension by definition, models that nothing else proves, and their certificates."""

from __future__ import annotations

import random

import brute
import pytest
from amount import in_turn
from certificates import forced
from suites.random_networks import draw

import algdim
from algdim.families.discrete.bounds import margins
from algdim.families.discrete.bounds.grids import collect_forms
from algdim.families.discrete.bounds.margins import (
    bound_by_free_ends,
    bound_by_margins,
    bound_without_an_end,
    build_margin,
    compute_tangent_vectors,
    find_fitting_margins,
)
from algdim.families.discrete.bounds.search import Setting, make_closed_setting
from algdim.families.discrete.map import get_param_map
from algdim.models.notation import parse

END = """states H1=2, H2=2, H3=2, H4=2, H5=2, X1=2, X2=2, X3=2, X4=2, X5=2, X6=2, X7=2; H1 -> H3, H4; H2 -> H5; H3, H4 -> X1;
H1, X1 -> X2; H2, X1 -> X3, X5; H2, H3, H5, X4 -> X6; H1, H2, H4, H5, X3, X5 -> X7; hidden H1, H2, H3, H4, H5; given X4"""
"""X7, at the end, is free but for its independence of X4; the rest has symmetries."""


def setting_of(model, lower):
    """The setting of a closed model that is to be proved to have a dimension, and what its roots add."""
    return make_closed_setting(get_param_map(model), lower, 0)


@in_turn(3)
def test_symmetries_of_a_margin_and_equations_of_the_rest():
    """23 of the margin without X7, of which 1 is of X4; 48 of 64 numbers P(X7 | …), as X7 is independent of X4 given X1, X2, X3, X5."""
    setting, extra = setting_of(parse(END), 70)
    bound = bound_by_margins(setting)

    assert (70, "margins") == (bound.value - extra, bound.kind)
    assert ["X1", "X2", "X3", "X4", "X5", "X6"] == bound.evidence["margin"]
    assert {"margins", "symmetry", "equations"} <= set(bound.trust.lemmas)
    assert 70 == brute.dimension(parse(END))
    others = "counting,ambient,containing,koszul,grids,nested,symmetry"
    assert algdim.dimension(END, bounds=others).upper.value > 70


@in_turn(2)
def test_the_certificate_is_accepted():
    """With the margin, of which symmetries are shown, and equations."""
    certificate = algdim.prove(END)
    upper = certificate.data["evidence"]["upper"]

    assert algdim.verify(certificate)
    assert ["equations", "symmetry"] == [upper["kind"], upper["upper"]["kind"]]
    assert ["X1", "X2", "X3", "X4", "X5", "X6"] == sorted(upper["margin"])


FREE_END = "G, H -> Y; G -> X; H, A -> V; A, G, H, X, Y, V -> Z; hidden G, H; states G=3, H=3, Z=3; given A"
"""Z is free: 9 states of G and H, and 16 distributions of it."""


def test_of_a_margin_all_distributions_may_be_possible():
    """Each state of A, X, Y and V has its own distribution of Z; no equation and no matrix of all cells is needed."""
    model = parse(FREE_END)
    rank = brute.dimension(model)
    setting, extra = setting_of(model, rank)
    bound = bound_by_free_ends(setting)
    margin = build_margin(model, ["A", "Y", "X", "V"])

    assert rank == bound.value - extra
    assert ["Y", "X", "A", "V"] == bound.evidence["margin"]
    assert not bound.evidence["equations"]
    assert brute.dimension(margin) == rank - 2 * 16
    assert bound.reason == bound_by_margins(setting).reason


def test_what_is_not_free_is_not_left_out():
    """X given H: no margin of a latent class model has the distributions of the others free."""
    setting, _ = setting_of(parse("2:2,2,2,2"), 9)

    assert bound_by_free_ends(setting) is None


def test_the_certificate_of_a_free_end_is_accepted():
    """Sums of cells alone, and evidence about the margin."""
    data = forced(FREE_END, ("counting", "ambient", "margins"))
    upper = data["evidence"]["upper"]

    assert algdim.verify(data)
    assert ("equations", []) == (upper["kind"], upper["matrices"])


PARTIAL_END = "H, A -> X, Y; H, A, X -> Z; hidden H; states Y=3"
"""Given A the 4 × 3 matrix of X and Z by Y has rank 2, and Y the margin 7."""


def test_equations_in_blocks_and_a_margin():
    """Of 16 numbers that leave the margin of A, X and Z as it is, two equations for each state of A leave 12."""
    model = parse(PARTIAL_END)
    bound = bound_without_an_end(Setting(get_param_map(model), 19, 0))
    (equation,) = bound.evidence["equations"]

    assert 19 == brute.dimension(model) == bound.value
    assert (["A", "X", "Z"], 7) == (bound.evidence["margin"], bound.evidence["bound"]["value"])
    assert (["A"], [[0], [1]], 4) == (equation["C"], equation["states"], bound.evidence["codimension"])
    assert {"margins", "equations"} <= set(bound.trust.lemmas)
    assert bound_without_an_end(Setting(get_param_map(model), 18, 0)) is None


def test_the_certificate_of_equations_in_blocks_is_accepted():
    """With the pairs of kernels that the checker asks for."""
    data = forced(PARTIAL_END, ("counting", "ambient", "margins"))

    assert algdim.verify(data)
    assert 2 == len(data["evidence"]["upper"]["matrices"])


@pytest.mark.slow
def test_no_end_gives_less_than_the_dimension():
    """Of random networks: asked for one less than the rank by definition nothing is found, and for the rank often a bound."""
    source, met, found = random.Random(6), 0, 0
    while met < 100:
        model = draw(source)
        if is_small(model) and len(model.observed) > 2:
            pmap, rank = get_param_map(model), brute.dimension(model)
            assert bound_without_an_end(Setting(pmap, rank - 1, 0)) is None, model
            found += bound_without_an_end(Setting(pmap, rank, 0)) is not None
            met += 1
    assert found > 10


def test_margins_leave_out_what_does_not_matter():
    """Hidden variables without observed descendants are left out; what is conditioned on, and is not shown, is hidden."""
    small = build_margin(parse("K, H -> A; H -> B; B -> C; hidden H; given K"), ["A"])

    assert (("K", "H", "A"), ()) == (tuple(variable.name for variable in small.variables), small.given)
    assert ("A",) == tuple(variable.name for variable in small.observed)


def is_small(model):
    """Whether the definition soon gives the dimension, and something is hidden."""
    return bool(model.hidden) and get_param_map(model).cells <= 64


@pytest.mark.slow
def test_bounds_are_no_smaller_than_the_dimension(monkeypatch):
    """Of random networks and every margin, with the dimension of the margin by definition; those that fit are equal to it."""
    source, met, fitting = random.Random(4), 0, 0
    while met < 300:
        model = draw(source)
        if not is_small(model):
            continue
        pmap = get_param_map(model)
        rank = brute.dimension(model)
        setting = Setting(pmap, rank, 0)
        forms = collect_forms(setting)
        vectors = None if forms is None or forms[0].equal is not None else compute_tangent_vectors(setting, forms[0])
        if vectors is None:
            continue
        met += 1
        fits = set(find_fitting_margins(vectors))
        for axis in range(len(vectors.shape)):
            kept = tuple(one for one in range(len(vectors.shape)) if one != axis)
            names = [pmap.model.variables[pmap.observed[one]].name for one in kept]
            dimension = brute.dimension(build_margin(model, names)) if kept else 0
            value = vectors.bound_with(kept, dimension) if kept else rank
            assert value >= rank, (model, kept)
            assert not kept or (value == rank) == (kept in fits), (model, kept)
            fitting += kept in fits
    assert fitting > 20


@pytest.mark.slow
def test_free_ends_give_no_less_than_the_dimension(monkeypatch):
    """Of random networks, whatever the ranks say: with any margin left out as if it were free."""
    monkeypatch.setattr(margins, "has_rank", lambda *_: True)
    source, met = random.Random(5), 0
    while met < 60:
        model = draw(source)
        if not is_small(model):
            continue
        rank = brute.dimension(model)
        for asked in (rank, rank - 1):
            bound = bound_by_free_ends(Setting(get_param_map(model), asked, 0))
            if bound is not None:
                assert bound.value >= rank, model
                met += 1
