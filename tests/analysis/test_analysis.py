"""What every answer begins with: each map is made once, each contraction planned once, and nothing is examined twice."""

from __future__ import annotations

import sys

import numpy as np
import pytest

import algdim
from algdim.analysis import Prepared
from algdim.exact import flint
from algdim.exact.ranks import rank_mod
from algdim.families.classifier import family as classifiers
from algdim.families.discrete import map as maps
from algdim.families.discrete.model import build_latent_class
from algdim.models.anymodel import read_model_dictionary


def test_a_model_made_ready_has_the_maps_of_its_report():
    """Further questions to a report meet the maps that it was made of."""
    report = algdim.dimension("O -> Y -> X; hidden X")

    first = report.preparation.whole_map

    assert first is report.preparation.whole_map
    assert report.preparation.pmap.model == report.preparation.reduction.smaller
    assert len(report.preparation.whole_map.parameters) == report.standard
    assert ("X",) == report.preparation.reduction.removed


def test_the_parts_are_those_of_the_locals_that_were_given():
    """Sigmoids that are as good as tables are split as such, but a question about their weights splits the given model."""
    prepared = Prepared(algdim.model("sigmoid: A -> B; H -> C, D; hidden H"))

    assert prepared.reduction.simplified
    assert {name for part in prepared.relevant_parts for name in part.pmap.parameters} == set(
        prepared.whole_map.parameters
    )
    assert {name for part in prepared.parts for name in part.pmap.parameters} == set(prepared.pmap.parameters)


def test_equal_networks_with_other_labels_have_maps_of_their_own():
    """The labels of states do not tell networks apart, but a map knows them."""
    plain = algdim.model("A -> B")
    labelled = read_model_dictionary(
        {"variables": [{"name": "A", "labels": ["no", "yes"]}, {"name": "B"}], "edges": [["A", "B"]]}
    )

    one, other = maps.get_param_map(plain), maps.get_param_map(labelled)

    assert plain == labelled
    assert [("", ""), ("no", "yes")] == [
        tuple(model.variables[0].labels) or ("", "") for model in (one.model, other.model)
    ]
    assert maps.get_param_map(plain) is one


def test_a_tie_from_outside_makes_another_map():
    """Rows of other variables may tie names, so that the same kernel has other maps in other networks."""
    free = algdim.model("A -> B; equal a = P(B=0|A=0)")
    tied = algdim.model("A -> B, C; equal a = P(B=0|A=0), P(C=0|A=0), P(C=1|A=0)")

    assert len(maps.get_param_map(free).parameters) > len(maps.get_param_map(free, tied).parameters)


def test_certificates_hold_minors_where_a_theorem_needs_none(monkeypatch):
    """The rank of a large classifier is known by a theorem; a certificate has the minor all the same."""
    model = "classifier Y: Y -> A, B; states A=3"
    expected = algdim.prove(model).data["evidence"]["lower"]
    monkeypatch.setattr(classifiers, "SHORTCUT_PARAMETERS", 1)

    assert "linear-map" == algdim.dimension(model).lower.kind
    assert expected == algdim.prove(model).data["evidence"]["lower"]


@pytest.mark.parametrize("text", ["2:2,2", "2(3(3,2),2(4))", "3(2,2(2,2),2(2,2))"])
def test_local_models_of_trees_as_certificates_have_them(text):
    """Their dimensions are those of the models that the report speaks of, a table without classes included."""
    assert algdim.prove(text).dimension == algdim.dimension(text).dimension
    assert build_latent_class(3, (2, 4)) == algdim.model("3:2,4")


def test_a_small_rank_is_the_same_without_flint(monkeypatch):
    """Until FLINT is worth loading small matrices are eliminated by hand, to the same minor."""
    source = np.random.default_rng(1)
    for _ in range(20):
        height, width, rank = source.integers(1, 9, 3)
        matrix = source.integers(0, 101, (height, rank)) @ source.integers(0, 101, (rank, width))
        expected = rank_mod(matrix, 101, method="flint")
        with monkeypatch.context() as alone:
            alone.delitem(sys.modules, "flint")
            alone.setattr(flint.BY_HAND, "work", 0)
            assert expected == rank_mod(matrix, 101)
            assert "flint" not in sys.modules
            flint.BY_HAND.work = flint.WORTH_LOADING
            assert expected == rank_mod(matrix, 101)
            assert not flint.BY_HAND.is_enough(0)
