"""The families of latent class models whose dimension is below db, confirmed by ranks and equations for small members."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import algdim
from algdim import dimension
from algdim.families.discrete.bounds.latentclass import compute_latent_class_bounds
from algdim.families.discrete.bounds.secants import bound_defective, compute_secant_dimension, find_defective_format
from algdim.families.discrete.model import build_latent_class

MEMBERS = ["3:2,2,2,2", "5:3,3,2,2", "7:4,4,2,2", "9:5,5,2,2", "4:3,3,3", "7:5,5,3", "10:7,7,3", "5:4,4,3", "5:3,2,3,2"]


@pytest.mark.parametrize("text", MEMBERS)
def test_members_have_one_dimension_less_than_db(text):
    """The recognised dimension is what rank and equations prove, one below db."""
    model = algdim.model(text)
    report = dimension(model, bounds="counting,ambient,pairwise,flattenings,koszul")
    bound = bound_defective(model)

    assert report.exact
    assert report.dimension == bound.value == compute_latent_class_bounds(model).best_bound - 1


@pytest.mark.parametrize("m", [3, 5, 9, 101])
def test_formulas(m):
    """dc − 1 for 3,m,m and dc − 2 for 2,2,m,m, of any size; db is one more."""
    three = find_defective_format((3 * m - 1) // 2, (m, 3, m))
    four = find_defective_format(2 * m - 1, (m, 2, m, 2))

    assert 3 * m * m - 2 == three.at_most
    assert 4 * m * m - 3 == four.at_most
    for found in (three, four):
        counts = compute_latent_class_bounds(build_latent_class(found.classes, found.items))
        assert counts.best_bound - 1 == found.at_most
        assert found == counts.defective


@pytest.mark.parametrize(
    "text", ["3:3,3,3", "5:3,3,3", "4:4,4,3", "6:4,4,3", "5:5,4,3", "3:2,2,2", "3:2^5", "6:3,3,2,2", "6:4,4,4"]
)
def test_others_are_not_recognised(text):
    """One class or one state beside a family."""
    assert bound_defective(algdim.model(text)) is None


@pytest.mark.parametrize(
    "text",
    ["H -> A, B, C, D; hidden H; states H=3; share s: A, B", "H -> A, B, C, D; hidden H; states H=3; fix P(A=0|H=0)=0"],
)
def test_tables_must_be_free(text):
    """The theorem is about free tables."""
    assert bound_defective(algdim.model(text)) is None


@given(st.integers(1, 40), st.integers(1, 12))
def test_binary_items_are_defective_once(classes, items):
    """k:2^n is in no family but for 3:2^4, as the theorem of Catalisano, Geramita and Gimigliano says."""
    found = find_defective_format(classes, (2,) * items)
    expected = min(classes * (items + 1) - 1, 2**items - 1)

    assert ((classes, items) == (3, 4)) == (found is not None)
    assert compute_secant_dimension(classes, items) == (expected if found is None else found.at_most)


@given(st.integers(2, 7), st.lists(st.integers(2, 4), min_size=2, max_size=4).map(tuple))
def test_db_is_the_rank_outside_the_families(classes, items):
    """On small models the rank is db, or the dimension of the family."""
    found = find_defective_format(classes, items)
    counts = compute_latent_class_bounds(build_latent_class(classes, items))
    rank = dimension(counts.model, bounds="counting,ambient,pairwise,chance").dimension

    assert rank == (counts.best_bound if found is None else found.at_most)


def test_no_more_than_the_upper_bound_is_called_proved():
    """The lemma proves the bound; that it is attained is in the paper."""
    found = find_defective_format(199, (2, 2, 100, 100))

    assert str(found).startswith("the dimension is at most 39997 (2,2,m,m")
    assert (39997, "proved", ["defective"]) == tuple(found.to_dict()[key] for key in ("at_most", "status", "lemmas"))
    assert "dimension 39997" not in bound_defective(build_latent_class(199, (2, 2, 100, 100))).reason
