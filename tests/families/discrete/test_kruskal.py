"""Kruskal's theorem at a point: exact for large latent class models, silent where hypotheses fail."""

from __future__ import annotations

import pytest
from amount import SELDOM, some
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import algdim
from algdim.families.discrete.bounds.kruskal import bound_by_kruskal, find_tripartition

NO_SEARCH = "counting,ambient,chance"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2:2,2,2", 7),
        ("2:2^50", 101),
        ("3:3,3,2", 2 + 3 * 5),
        ("50:2^1000", 50 * 1001 - 1),
        ("300:3^40", 300 * 81 - 1),
        ("5:2,2,2,2,2,2,2", 5 * 8 - 1),
    ],
)
def test_all_parameters_count(text, expected):
    """Where three blocks suffice the dimension is the number of parameters, without a large matrix."""
    bound = bound_by_kruskal(algdim.model(text), 0)

    assert expected == bound.value
    assert bound.is_proved


@pytest.mark.parametrize("text", ["1:2,2,2", "2:2,2", "3:2,2,2,2", "4:3,3,3", "5:4,4,3", "7:5,5,3", "2:9", "20:2^5"])
def test_too_few_items(text):
    """No blocks suffice for models that have fewer dimensions than parameters, nor for one class."""
    assert bound_by_kruskal(algdim.model(text), 0) is None


@pytest.mark.parametrize(
    "text",
    [
        "H -> A, B, C; hidden H; share s: A, B",
        "H -> A, B, C; hidden H; fix P(A=0|H=0)=1/2",
        "H -> A, B, C; A -> B; hidden H",
        "H -> A, B, C; G -> C; hidden H",
        "2(2,2(2,2))",
    ],
)
def test_other_models_are_not_covered(text):
    """Shared or fixed tables, items that depend on each other, other parents, trees: nothing is said."""
    assert bound_by_kruskal(algdim.model(text), 0) is None


def test_evidence_can_be_checked():
    """The evidence names three disjoint blocks, their ranks and the prime."""
    bound = bound_by_kruskal(algdim.model("4:2^8"), 7, ("district", 1))
    blocks, ranks = bound.evidence["blocks"], bound.evidence["ranks"]
    names = [name for block in blocks for name in block]

    assert len(names) == len(set(names))
    assert 2 * 4 + 2 <= sum(ranks)
    assert "district|1|kruskal|0" == bound.evidence["labels"]


@settings(max_examples=some(60), suppress_health_check=SELDOM)
@given(st.integers(2, 6), st.lists(st.integers(2, 4), min_size=1, max_size=5))
def test_never_above_the_rank(classes, items):
    """Where Kruskal's theorem applies the rank of the Jacobian is the number of parameters."""
    model = algdim.model(f"{classes}:{','.join(map(str, items))}")
    bound = bound_by_kruskal(model, 0)
    assume(bound is not None)

    assert bound.value == algdim.dimension(model, bounds=NO_SEARCH).dimension


@given(st.integers(2, 40), st.lists(st.integers(2, 9), max_size=12))
def test_blocks_are_disjoint_and_large_enough(classes, items):
    """The three blocks share no item, and their products, capped, add up to what Kruskal's theorem needs."""
    blocks = find_tripartition(classes, tuple(items))
    if blocks is None:
        return
    chosen = [item for block in blocks for item in block]
    sizes = []
    for block in blocks:
        size = 1
        for item in block:
            size *= items[item]
        sizes.append(min(classes, size))

    assert len(chosen) == len(set(chosen))
    assert 2 * classes + 2 <= sum(sizes)
