"""Settimi and Smith's theorems, as KZ02 cites them: against ranks, and refused where a hypothesis fails."""

from __future__ import annotations

import pytest
from amount import some
from hypothesis import given, settings
from hypothesis import strategies as st

import algdim
from algdim import InputError, dimension
from algdim.bound.bounds import LOWER, UPPER
from algdim.families.discrete.bounds.settimismith import bound_binary_tree, bound_by_settimi_smith, bound_two_items

NO_SEARCH = "counting,ambient,chance"


def rank_of(text):
    return dimension(algdim.model(text), bounds=NO_SEARCH).dimension


@st.composite
def binary_trees(draw, depth=3):
    """Draw a tree of binary variables in which every hidden one has at least two neighbours."""
    root = depth == 3
    children = []
    for _ in range(draw(st.integers(2 if root else 1, 3))):
        nested = depth and draw(st.booleans())
        children.append(draw(binary_trees(depth=depth - 1)) if nested else "2")
    return f"2({','.join(children)})"


@pytest.mark.parametrize("a", range(2, 6))
@pytest.mark.parametrize("b", range(2, 6))
def test_theorem_1_on_a_grid(a, b):
    """Two items and up to seven classes: the rank is what the theorem says, from both sides."""
    for classes in range(1, 8):
        lower, upper = bound_two_items(algdim.model(f"{classes}:{a},{b}"))

        assert (LOWER, UPPER) == (lower.side, upper.side)
        assert rank_of(f"{classes}:{a},{b}") == lower.value == upper.value
        assert lower.is_proved
        assert upper.is_proved


def test_both_cases_of_theorem_1_agree_where_they_meet():
    """With as many classes as the smaller item has states, ds − k(k − 1) is dc."""
    for k in range(2, 9):
        assert k * (k + 3) - 1 == bound_two_items(algdim.model(f"{k}:{k},{k + 3}"))[0].value


@settings(max_examples=some(60))
@given(binary_trees())
def test_theorem_2_against_the_rank(text):
    """Two parameters are lost for each hidden variable with two neighbours."""
    model = algdim.model(text)
    lower, upper = bound_binary_tree(model)

    assert dimension(model, bounds=NO_SEARCH).dimension == lower.value == upper.value


@pytest.mark.parametrize(
    ("text", "expected"), [("2:2,2", 3), ("2(2,2(2,2))", 7), ("2(2(2(2)),2)", 3), ("2(2,2(2(2,2)),2)", 11)]
)
def test_theorem_2_on_chains(text, expected):
    """Counted by hand: two parameters for each edge and one for the root, less two for each variable spliced out."""
    assert expected == bound_binary_tree(algdim.model(text))[0].value


@pytest.mark.parametrize("text", ["2(2(2,2))", "2(2)", "2:2", "H -> A, B, K; hidden H, K"])
def test_hidden_leaves_are_refused(text):
    """Theorem 2 does not cover them; the reason says what goes wrong."""
    with pytest.raises(InputError, match="hidden lea"):
        bound_binary_tree(algdim.model(text))


def test_the_formula_is_wrong_with_hidden_leaves():
    """2(2(2,2)): 7 parameters, two hidden variables, one of them with fewer than three neighbours; 7 − 2 is not 3."""
    assert 3 == rank_of("2(2(2,2))")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("2(2,3(2,2))", "not two states"),
        ("2(2,2(2,3))", "not two states"),
        ("2(2,!2(2,2))", "no latent tree"),
        ("H -> A, B, C; hidden H; share s: A, B", "no latent tree"),
        ("A -> C <- H -> D; hidden H", "no latent tree"),
    ],
)
def test_hypotheses_of_theorem_2(text, message):
    """More states, observed inner variables, shared tables, two parents."""
    with pytest.raises(InputError, match=message):
        bound_binary_tree(algdim.model(text))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("2:2,2,2", "3 items"),
        ("H -> A, B; hidden H; share s: A, B", "free tables"),
        ("A -> B", "no latent class model"),
    ],
)
def test_hypotheses_of_theorem_1(text, message):
    """Three items, shared tables, nothing hidden."""
    with pytest.raises(InputError, match=message):
        bound_two_items(algdim.model(text))


@pytest.mark.parametrize("text", ["3:2,2,2,2", "2(2(2,2))", "A -> B", "H -> A, B; hidden H; fix P(A=0|H=0)=1/2"])
def test_no_bound_where_neither_applies(text):
    """As evidence, the theorems are silent about other models."""
    assert () == bound_by_settimi_smith(algdim.model(text))
