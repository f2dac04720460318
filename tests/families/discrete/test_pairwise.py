"""KZ02 Theorem 3's bound."""

from itertools import product
from math import prod

import pytest
from golden_numbers import KZ02
from hypothesis import given
from hypothesis import strategies as st

import algdim
from algdim.families.discrete.bounds.pairwise import bound_by_bipartition, find_best_bipartition, find_latent_class


@pytest.mark.parametrize("number", [row for row in KZ02 if "pairwise_bound" in row], ids=lambda row: row["model"])
def test_table_1_column_dp(number):
    """dp as printed; where it prints dc no bipartition qualifies."""
    bound = bound_by_bipartition(algdim.model(number["model"]))

    assert number["pairwise_bound"] == ("dc" if bound is None else bound.value)


@given(st.integers(1, 6), st.lists(st.integers(2, 5), min_size=1, max_size=6))
def test_the_best_of_all_bipartitions_is_found(classes, items):
    """Every way to group the items is tried by hand."""
    sums = []
    for sides in product((False, True), repeat=len(items)):
        left = prod(size for size, side in zip(items, sides, strict=True) if side)
        right = prod(items) // left
        if classes < min(left, right):
            sums.append(left + right)
    best = find_best_bipartition(classes, tuple(items))

    assert (min(sums) if sums else None) == (sum(best) if best else None)
    bound = bound_by_bipartition(algdim.model(f"{classes}:{','.join(map(str, items))}"))
    assert (classes * (min(sums) - classes) - 1 if sums else None) == (bound.value if bound else None)


def test_sixty_items_are_grouped_at_once():
    """Groups matter by their numbers of states only."""
    assert (2**30, 2**30) == find_best_bipartition(10, (2,) * 60)


@pytest.mark.parametrize(
    "text",
    [
        "A -> C <- H -> D <- B; hidden H",
        "5(2,3(2,2),3(2,2))",
        "H -> A -> B; hidden H",
        "A -> H -> B; hidden H",
        "H -> A, B; hidden H; states C=2",
        "A -> B",
    ],
)
def test_other_models_have_no_pairwise_bound(text):
    """Only a hidden root whose children are all observed variables, without edges between these."""
    assert find_latent_class(algdim.model(text)) is None
    assert bound_by_bipartition(algdim.model(text)) is None


def test_a_latent_class_model_is_recognised_in_any_order():
    """Whatever the names and the order."""
    assert (3, (2, 4)) == find_latent_class(algdim.model("states X=2, H=3, Y=4; H -> X, Y; hidden H"))
