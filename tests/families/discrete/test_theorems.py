"""Bounds by citation: which models they cover, and that the rank agrees."""

from __future__ import annotations

import pytest

import algdim
from algdim.families.discrete.bounds.secants import bound_binary_items


@pytest.mark.parametrize("classes", range(1, 8))
@pytest.mark.parametrize("items", range(1, 7))
def test_rank_agrees_with_the_theorem(classes, items):
    """The rank at a random point is the dimension of the theorem, from one item on."""
    model = algdim.model(f"{classes}:2^{items}")
    lower, upper = bound_binary_items(model)

    assert lower.value == upper.value
    assert algdim.dimension(model, bounds="counting,ambient,chance").dimension == upper.value


def test_the_exception():
    """Three classes and four binary items have 13 dimensions instead of 14 (CGG; also GHM96's and KZ02's number)."""
    assert 13 == bound_binary_items(algdim.model("3:2,2,2,2"))[1].value
    assert "the only case below the number expected" in bound_binary_items(algdim.model("3:2,2,2,2"))[1].reason
    assert "have the dimension expected" in bound_binary_items(algdim.model("3:2,2,2,2,2"))[1].reason


def test_naive_bayes_conjecture_of_ghm96():
    """GHM96 §5's conjecture: 2n + 1 for a binary root and n > 2 binary items, here for large n."""
    assert [2 * n + 1 for n in (3, 10, 1000)] == [
        bound_binary_items(algdim.model(f"2:2^{n}"))[1].value for n in (3, 10, 1000)
    ]


@pytest.mark.parametrize(
    "text",
    [
        "3:2,2,2,3",
        "3(2,2,2(2,2))",
        "H -> A, B, C, D; H -> K; K -> E; hidden H, K; states H=3",
        "A -> B -> C; A -> D; hidden A; states A=3",
        "H -> A, B, C, D; hidden H; states H=3; share s: A, B",
        "H -> A, B, C, D; hidden H; states H=3; fix P(A=0|H=0)=1/2",
        "H -> A, B, C, D; hidden H; states H=3; fix P(H=0)=1/3",
    ],
)
def test_other_models_are_not_covered(text):
    """More states, more hidden variables, shared or fixed tables: the theorem says nothing."""
    assert () == bound_binary_items(algdim.model(text))
