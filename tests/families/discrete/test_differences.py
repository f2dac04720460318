"""Bounds by slices and differences: never less than the dimension by definition, a model that nothing else proves, and certificates."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from itertools import islice

import brute
import pytest
from amount import drawn, in_turn
from suites.random_networks import Kind, draw

import algdim
from algdim.certificate import checker
from algdim.families.discrete.bounds.differences import (
    SliceChange,
    bound_by_differences,
    build_difference,
    iterate_reductions,
    list_changes,
    list_roots,
)
from algdim.families.discrete.bounds.search import make_closed_setting
from algdim.families.discrete.describing import encode_network
from algdim.families.discrete.districts import build_slice
from algdim.families.discrete.locals.table import FREE, Table
from algdim.families.discrete.map import get_param_map
from algdim.families.discrete.model import Network, drop_irrelevant
from algdim.families.discrete.outlines import Derived, draw_plain_outline
from algdim.models.notation import parse

SLICES = """states X1=3, H1=4, X2=2, H2=4, X3=4, H3=2, X4=4, X5=2; H1 -> H2; H1, X2 -> X3; X1, H1, X2 -> H3; H2, X3, H3 -> X4;
H1 -> X5; hidden H1, H2, H3; given X1, X2"""
"""The differences of the slices of X1: Σ d(x1, h1, x2) P(x3 | h1, x2) W(x4 | h1, x3) P(x5, h1), of 76 dimensions."""

SMALL = Kind((3, 6), (2, 3), Fraction(1, 3), 0.5, 64)


def test_a_slice_and_the_differences():
    """61 and 75 + 1; the two binary variables X1 and H3 of the differences have two and one state."""
    setting, extra = make_closed_setting(get_param_map(parse(SLICES)), 137, 0)
    bound = bound_by_differences(setting)

    assert (137, "differences") == (bound.value - extra, bound.kind)
    assert ("X1", ["H3", "X4"]) == (bound.evidence["variable"], bound.evidence["reduced"])
    assert (61, 75) == (bound.evidence["slice"]["value"], bound.evidence["difference"]["value"])
    assert "differences" in bound.trust.lemmas


def test_the_networks_of_a_change():
    """X1 and X4 have a state less, H3 none is left of; H2 has got the parents by which its sum can be divided out."""
    model = parse(SLICES)
    change = SliceChange("X1", ("H3", "X4"), ("X2", "X1", "H1", "X3", "X4", "X5", "H2"))
    found = {one.name: (one.states, set(one.parents)) for one in build_difference(model, change).variables}

    assert {"X1": (2, {"X2"}), "X2": (2, set()), "X4": (3, {"H1", "X3"})} == {
        name: found[name] for name in ("X1", "X2", "X4")
    }
    assert "H3" not in found
    assert [("H3", "X4"), ("H3",), ()] == list(iterate_reductions(model, "X1"))
    assert ("H1", "X2") == next(one.parents for one in build_slice(model, ("X1",)).variables if one.name == "H3")


@in_turn(2)
def test_the_certificate_is_accepted():
    """With evidence about both networks; no other bound proves the dimension."""
    certificate = algdim.prove(SLICES)
    upper = certificate.data["evidence"]["upper"]

    assert algdim.verify(certificate)
    assert ("differences", 137, 2) == (upper["kind"], upper["value"], len(upper["parts"]))
    others = "counting,ambient,containing,flattenings,koszul,grids,nested,symmetry,margins,supermodels"
    assert algdim.dimension(SLICES, bounds=others).upper.value > 137


def make_special(model, source):
    """The network with some tables shared, entries fixed or equal, and rows of zeros and ones."""
    sizes = {one.name: one.states for one in model.variables}
    variables, shapes = list(model.variables), {}
    for number, one in enumerate(variables):
        if not one.parents or source.random() < 0.3:
            continue
        row = tuple(source.randrange(sizes[name]) for name in one.parents)
        other = tuple(source.randrange(sizes[name]) for name in one.parents)
        kind = source.choice(["share", "copy", "fixed", "equal"])
        shape = (one.states, tuple(sizes[name] for name in one.parents))
        if kind == "share" and shape in shapes:
            local = Table(share=f"s{shapes[shape]}")
            variables[shapes[shape]] = replace(variables[shapes[shape]], local=local)
        elif kind == "copy":
            kept = source.randrange(one.states)
            local = Table(fixed=tuple(((row, state), Fraction(int(state == kept))) for state in range(one.states)))
        elif kind == "fixed":
            local = Table(fixed=(((row, 0), Fraction(1, 3)),))
        elif kind == "equal" and row != other:
            local = Table(equal=(((row, 0), f"a{number}"), ((other, 0), f"a{number}")))
        else:
            shapes.setdefault(shape, number)
            continue
        variables[number] = replace(one, local=local)
    return Network(tuple(variables))


def iterate_networks(source, count):
    """Small random networks with roots conditioned on, every other one with special tables."""
    found = 0
    while found < count:
        model = draw(source, SMALL)
        if found % 2:
            model = make_special(model, source)
        roots = list_roots(model)
        if not model.hidden or not roots or len(roots) == len(model.observed):
            continue
        found += 1
        yield drop_irrelevant(replace(model, given=roots))[0]


@pytest.mark.slow
def test_bounds_are_no_smaller_than_the_dimension():
    """Of random networks and every change, with the dimensions of both networks by definition."""
    met, tight, special = 0, 0, 0
    for model in iterate_networks(random.Random(8), 400):
        rank = brute.dimension(model)
        for change in list_changes(model):
            other = build_difference(model, change)
            value = brute.dimension(build_slice(model, (change.variable,))) + 1
            value += 0 if other is None else brute.dimension(other)
            assert rank <= value, (model, change)
            met, tight = met + 1, tight + (value == rank)
            special += any(one.local != FREE for one in model.variables)
    assert min(met, tight, special) > 100


def test_the_checker_derives_the_same_networks():
    """Of random networks with special tables, too; it compares names, states, parents and what is conditioned on."""
    met = 0
    for model in drawn(list(iterate_networks(random.Random(9), 60)), 12):
        claimed = checker.FAMILIES["discrete"](encode_network(model, get_param_map(model)), checker.Work())
        for change in islice(list_changes(model), 6):
            pieces = build_slice(model, (change.variable,)), build_difference(model, change)
            if pieces[1] is None:
                with pytest.raises(checker.Invalid, match="the differences show nothing"):
                    checker.slices(claimed, change.variable, change.reduced, change.order, checker.Work())
                continue
            theirs = checker.slices(claimed, change.variable, change.reduced, change.order, checker.Work())
            for piece, other in zip(pieces, theirs, strict=True):
                Derived(draw_plain_outline(piece), other)
                assert get_param_map(piece).parameter_count == len(other.parameters)
            met += 1
    assert met > 10


@pytest.mark.slow
def test_certificates_of_differences_are_accepted():
    """Of random networks with this bound, where it gives the dimension."""
    met = 0
    for model in iterate_networks(random.Random(10), 300):
        report = algdim.dimension(model, bounds="counting,ambient,differences,districts")
        if report.exact and "differences" in [part.upper.kind for part in report.parts or (report,)]:
            assert report.dimension == brute.dimension(model)
            assert algdim.verify(algdim.prove(model))
            met += 1
    assert met > 10


def test_one_state_is_no_change():
    """A hidden variable with one state has no differences."""
    text = "A -> H; H, K -> X, Y, Z; hidden H, K; states H=1, K=3"

    assert 8 == algdim.dimension(text, bounds="differences,counting,ambient").lower.value
