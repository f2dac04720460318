"""The words for identifiability, each only where it is proved."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from algdim import dimension
from algdim.families.discrete.model import build_latent_class
from algdim.identifiability.classification import (
    FINITE,
    NOT,
    RELABELLING,
    UNKNOWN,
    Identifiability,
    derive_identifiability,
)


@pytest.mark.parametrize("text", ["2:2,2,2", "2:2^7", "3:3,3,3", "4:2^5", "10:2^60", "3:2,3,4", "1:2,2", "1:3"])
def test_identifiable_up_to_relabelling(text):
    """Kruskal's condition j_A + j_B + j_C ≥ 2k + 2 is met, or there is one class."""
    found = derive_identifiability(text)

    assert RELABELLING == found.word
    assert 0 == found.redundant


def test_the_condition_is_exact():
    """4:2^5 has 4 + 4 + 2 = 2·4 + 2, 5:2^5 has 4 + 4 + 2 < 2·5 + 2."""
    assert "4 + 4 + 2 ≥ 2·4 + 2" in derive_identifiability("4:2^5").reason
    assert FINITE == derive_identifiability("5:2^5").word


def test_five_classes_and_five_binary_items():
    """5:2^5 has 29 parameters and 29 dimensions, and generically two solutions: never called identifiable."""
    for seed in range(3):
        found = derive_identifiability("5:2^5", seed=seed)

        assert (FINITE, 29, 29) == (found.word, found.standard, found.dimension)
        assert "identifiable" not in found.word


@pytest.mark.parametrize(
    ("text", "by"), [("3:2,2,2,2", 1), ("4:3,3,3", 2), ("2:2,2", 2), ("2:3", 3), ("5(2,3(2,2),3(2,2))", 18)]
)
def test_not_identifiable_by_how_much(text, by):
    """The dimension is smaller than the number of parameters, and the difference is told."""
    found = derive_identifiability(text)

    assert (NOT, by, True) == (found.word, found.redundant, found.exact)
    assert f"{found.dimension + by} parameters, dimension {found.dimension}" == found.reason


@given(st.integers(1, 5), st.lists(st.integers(2, 3), min_size=1, max_size=5).map(tuple))
def test_two_items_are_never_identifiable(classes, items):
    """With two classes or more and at most two items some parameters are free; with one class none is."""
    found = derive_identifiability(build_latent_class(classes, items))
    if classes == 1:
        assert RELABELLING == found.word
    elif len(items) <= 2:
        assert NOT == found.word
    assert (found.word == NOT) == (found.redundant > 0)
    assert found.word != UNKNOWN


def test_relabelling_needs_free_tables():
    """With a shared table the theorem is not used, although the dimension is the number of parameters."""
    assert FINITE == derive_identifiability("H -> A, B, C; hidden H; share s: A, B").word


def test_nothing_is_claimed_where_the_bounds_do_not_meet():
    """An upper bound that holds by chance decides nothing against identifiability."""
    found = Identifiability(UNKNOWN, "dimension 3 (probable), 4 parameters", 4, 3, False)

    assert str(found).startswith("not decided")


def test_json():
    """The word, why, by how much, and the lemma with the facts."""
    found = derive_identifiability("3:2,2,2,2").to_dict()
    assert {"word": NOT, "dimension": 13, "redundant": 1, "exact": True, "status": "proved", "error": None} == {
        key: value for key, value in found.items() if key not in {"reason", "lemmas", "facts"}
    }
    assert ["generic rank", "matrices of bounded rank", "equations"] == found["lemmas"]
    assert found["facts"].startswith("the dimension is at most 13, less than 14; 15 − 2; 2 equations")


@pytest.mark.parametrize(
    ("text", "lemma"),
    [("2:2,2,2", "Kruskal"), ("1:2,2", "fibre"), ("5:2^5", "generic rank"), ("2:2,2", "generic rank")],
)
def test_each_word_has_its_lemma(text, lemma):
    """And "not decided" has none."""
    assert lemma == derive_identifiability(text).trust.lemmas[0]
    assert Identifiability(UNKNOWN, "", 4, 3, False).to_dict()["status"] is None


@pytest.mark.parametrize("text", ["5:2^5", "2:2,2", "3:2,2,2,2"])
def test_a_word_that_rests_on_a_bound_has_its_lemmas(text):
    """What proves the bound proves the word: it is passed on, not made anew."""
    report = dimension(text)
    bound = report.lower if report.dimension == report.standard else report.upper

    assert {"generic rank", *bound.trust.lemmas} == set(derive_identifiability(text).trust.lemmas)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("5:2^5", "Kruskal's condition is not met, so there may"),
        ("A -> B", "but there may"),
        ("gaussian: A -> B", "but there may"),
    ],
)
def test_kruskal_is_named_where_it_was_asked(text, why):
    """Of latent class models alone; what is finite is exact."""
    found = derive_identifiability(text)

    assert found.reason.endswith(f"= number of parameters; {why} be several solutions that are not relabellings")
    assert (True, found.standard) == (found.exact, found.dimension)
