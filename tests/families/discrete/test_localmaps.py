"""Local maps: which variables they have, when they are not used, and what proves their rank."""

from dataclasses import replace

import pytest

import algdim
from algdim.families.discrete.bounds.directions import draw_point
from algdim.families.discrete.bounds.flattenings import bound_by_flattenings
from algdim.families.discrete.bounds.search import make_closed_setting
from algdim.families.discrete.bounds.symmetry import LocalMaps, Proof, build_local_model, iterate_connected_sets
from algdim.families.discrete.map import get_param_map
from algdim.trust import probable


def local_maps(text, *searches):
    """The local maps of a model."""
    setting, _ = make_closed_setting(get_param_map(algdim.model(text)), 0, 0)
    return LocalMaps(setting, draw_point(setting), searches)


def test_local_model():
    """Children stay below the hidden variable, whatever is parent only is conditioned on, all others are left out."""
    local = build_local_model(algdim.model("A -> G -> H -> X -> Y; B -> X; G -> W; hidden G, H"), frozenset("H"))
    assert (["G", "H", "X", "B"], ("G", "B")) == ([v.name for v in local.variables], local.given)
    assert ["H"] == [v.name for v in local.hidden]


@pytest.mark.parametrize(
    "text",
    [
        "H -> X, Y; hidden H; share T: X, Y",
        "H -> X; A -> Y; hidden H; share T: X, Y",
        "H -> X; A -> Y; hidden H; equal a = P(X=0|H=0), P(Y=1|A=1)",
        "H -> G -> X; hidden G, H; states G=1",
    ],
)
def test_no_local_model(text):
    """Parameters that may occur elsewhere, and variables that cannot be observed, exclude a local map."""
    assert build_local_model(algdim.model(text), frozenset("H")) is None


def test_connected_sets():
    """Sets of hidden variables hang together by common tables, a common child included."""
    model = algdim.model("F -> X; G -> X; G -> Y; H -> Y; K -> Z; hidden F, G, H, K")
    assert ["FG", "GH"] == ["".join(sorted(chosen)) for chosen in iterate_connected_sets(model, 2)]
    assert ["FGH"] == ["".join(sorted(chosen)) for chosen in iterate_connected_sets(model, 3)]


def test_a_complete_local_map():
    """A local map whose rank is that of all distributions needs no other proof."""
    found = list(local_maps("A -> H -> X; hidden H; states H=3, X=5; given A").around(1, []))
    assert ["complete"] == [one.directions.evidence["proof"] for one in found]
    assert [8] == [len(one.directions.matrix) for one in found]


def test_a_local_map_needs_a_proof():
    """Without a proof that the rank is no greater generically the kernel at the point is not used."""
    text = "A -> H -> X; G -> A, B, C; hidden G, H; states A=4, H=2, X=4"
    assert [] == list(local_maps(text).around(1, []))
    (found,) = local_maps(text, bound_by_flattenings).around(1, [])
    evidence = found.directions.evidence
    assert (["H"], "bound", "flattenings") == (
        evidence["hidden"],
        evidence["proof"],
        evidence["bound"]["evidence"]["kind"],
    )
    assert 2 == len(found.directions.matrix)


def test_the_whole_model_is_no_local_map():
    """The map of all hidden variables is not bounded again, which would go in a circle."""
    assert [] == list(local_maps("3:4,5", bound_by_flattenings).around(1, []))


def test_nothing_new_is_left_out():
    """Directions that are known already are not found again."""
    text = "A -> H -> X; hidden H; states H=3, X=5; given A"
    maps = local_maps(text)
    found = list(maps.around(1, []))
    assert [] == list(maps.around(1, found))


def test_a_kernel_is_used_only_where_the_point_has_the_rank_that_is_proved(monkeypatch):
    """At a point of a smaller rank some vectors of the kernel are the values of no field."""
    monkeypatch.setattr(LocalMaps, "prove_rank", lambda _, chosen, pmap, rank: Proof(rank + len(chosen), {}))

    assert [] == list(local_maps("A -> H -> X; hidden H; states H=3, X=5; given A").around(1, []))


def test_a_rank_that_is_probable_proves_no_kernel():
    """A search may know the rank by chance only."""
    text = "A -> H -> X; G -> A, B, C; hidden G, H; states A=4, H=2, X=4"
    (found,) = local_maps(text, bound_by_flattenings).around(1, [])
    kinds = []

    def by_chance(setting):
        bound = bound_by_flattenings(setting)
        if bound is not None:
            kinds.append(bound.kind)
            bound = replace(bound, trust=probable(1e-9))
        return bound

    assert ["H"] == found.directions.evidence["hidden"]
    assert [] == list(local_maps(text, by_chance).around(1, []))
    assert "flattenings" in kinds
