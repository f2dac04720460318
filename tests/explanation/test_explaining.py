"""Models of every family explained: the parameters add up, the map is abridged, and each sentence has its occasion."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from amount import in_turn, some
from hypothesis import given, settings
from strategies import networks
from suites.random_gaussians import gaussian_model

from algdim import dimension, explain
from algdim.cli import main
from algdim.explanation.explaining import SHOWN
from algdim.explanation.sections import describe_generic_rank
from algdim.families import load_explaining
from algdim.maps import map_of

MODELS = {
    "discrete": "3:2,2,2,2",
    "gaussian": "gaussian: H -> X1, X2, X3, X4; hidden H; X1 <-> X2",
    "latent-profile": "latent-profile: H -> X, Y, C; hidden H; states H=2, C=3; covariances full; moments 3",
    "loglinear": "loglinear: {A,H}, {B,H}, {C,H}, {D,H}; hidden H",
    "polynomial": f"polynomial: parameters a, b; coordinates {', '.join(f'a^{n}*b' for n in range(1, 12))}",
}


@pytest.mark.parametrize("family", MODELS)
def test_every_family(family):
    """The parameters by variable sum to standard; the tree of the report is in the text; the JSON can be written."""
    found = explain(MODELS[family])
    document = json.loads(json.dumps(found.to_dict()))
    text = str(found)

    assert family == document["family"] == document["report"]["family"]
    assert found.report.standard == sum(share["count"] for share in document["parameters"])
    assert all(f"  {line}" in text for line in found.report.derivation.lines())
    assert SHOWN == len(document["map"]["coordinates"])
    assert f"… and {found.coordinate_count - SHOWN} more" in text
    assert ("treks" in document["map"]["coordinates"][0]) == (family == "gaussian")


@given(networks())
@settings(max_examples=some(40))
def test_shares_of_networks(model):
    """Every parameter of a network is counted once, shared, equal and fixed ones included."""
    pmap = map_of(model)

    assert len(pmap.parameters) == sum(share.count for share in load_explaining("discrete").count_shares(pmap))


@pytest.mark.parametrize("seed", range(40))
def test_shares_of_gaussian_models(seed):
    """Every parameter of a Gaussian model is counted once."""
    pmap = map_of(gaussian_model(seed))

    assert len(pmap.parameters) == sum(share.count for share in load_explaining("gaussian").count_shares(pmap))


def test_pairs_have_their_own_line():
    """Error covariances and covariances in a class belong to two variables."""
    for family, owner in (("gaussian", "X1 <-> X2"), ("latent-profile", "X <-> Y")):
        assert owner in [share.owner for share in explain(MODELS[family]).shares]


def test_parameters_of_a_leak_have_its_name():
    """A mechanism without causes is E.2, and the bracket after it is none of its name."""
    assert ["A", "E.1", "E.2"] == [share.owner for share in explain("normal: {A},{} -> E").shares]


def test_redundant_has_a_sentence_only_if_there_are_some():
    """2:2,2 has two parameters too many, 2:2,2,2 none."""
    assert explain("2:2,2").redundant.startswith("2 of 5 parameters are redundant")
    assert "Redundant:" in str(explain("2:2,2"))
    assert "" == explain("2:2,2,2").redundant
    assert "Redundant:" not in str(explain("2:2,2,2"))


@in_turn(2)
def test_a_large_map_is_not_written_out():
    """The rest of the explanation stands, and it is said why the map is not there."""
    found = explain("2:2^30")

    assert found.printed is None
    assert "not shown: there are 1073741824 cells" in str(found)
    assert found.standing is None
    assert {"fibre", "jacobian", "lower"} == found.lecture().data.keys()
    assert [] == found.to_dict()["map"]["coordinates"]


def test_command(capsys):
    """Text and JSON; wrong input has its exit code."""
    assert 0 == main(["explain", "2:2,2"])
    assert "What a rank proves: the rank of the Jacobian" in capsys.readouterr().out
    for form, start in (("markdown", "# 2:2,2"), ("latex", r"\documentclass"), ("html", "<!DOCTYPE html>")):
        assert 0 == main(["explain", "2:2,2", f"--{form}"])
        assert capsys.readouterr().out.startswith(start)
    assert 0 == main(["explain", "2:2,2", "--svg", "network"])
    assert capsys.readouterr().out.startswith("<svg")
    assert 2 == main(["explain", "2:2,2", "--json", "--html"])
    assert 0 == main(["explain", "2:2,2", "--json"])
    assert 3 == json.loads(capsys.readouterr().out)["report"]["dimension"]
    assert 2 == main(["explain", "no model"])


def test_a_file_is_written(tmp_path, capsys):
    """With -o nothing is printed; a folder that is not there is wrong input."""
    target = tmp_path / "page.html"

    assert 0 == main(["explain", "2:2,2", "--html", "-o", str(target)])
    assert "" == capsys.readouterr().out
    assert target.read_text(encoding="utf-8") == explain("2:2,2").html()
    assert 2 == main(["explain", "2:2,2", "-o", str(tmp_path / "none" / "x.txt")])


def test_the_form_for_machines():
    """Point, equations and a family, exact numbers as text."""
    document = explain("A -> C <- H -> D <- B; hidden H").to_dict()

    assert 9 == document["point"]["rank"] == len(document["point"]["pivots"])
    assert {"0"} == {one["value"] for one in document["equations"]}
    assert 3 == len(document["same_distribution"]["points"])


def test_a_rank_of_truncated_moments_is_not_said_to_be_the_dimension():
    """At almost every point it is the dimension of these moments, not of the distributions."""
    text = str(explain("latent-profile: H -> X1, X2, X3; hidden H; covariances full; moments 3"))

    assert "it is the dimension (GHM96" not in text
    assert "it is the dimension of the moments up to order 3 alone (GHM96 Theorem 1)." in text


def test_nor_is_one_of_truncated_cumulants():
    """Here a bound is raised, as if more cumulants were needed than are taken."""
    report = dimension("poisson: {A,H},{B} -> E; hidden H")
    open_bounds = replace(report, upper=replace(report.upper, value=report.upper.value + 1))

    assert describe_generic_rank(open_bounds, "cumulants").startswith("the dimension of the cumulants alone")
    assert "the dimension (GHM96 Theorem 1)." == describe_generic_rank(report, "cumulants")


def test_a_rank_of_moments_that_show_everything_is_the_dimension():
    """Where the moments have as many dimensions as there are parameters nothing is kept back."""
    assert "it is the dimension (GHM96 Theorem 1)." in str(explain("latent-profile: H -> X1, X2, X3; hidden H"))
