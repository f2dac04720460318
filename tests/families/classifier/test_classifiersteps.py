"""`algdim decompose` for classifiers: both methods of HM97, the hypothesis, the dimension, and the numbers at given tables."""

from __future__ import annotations

import json

import brute_classifier
import pytest
from amount import some
from hypothesis import given, settings
from test_classifier import FIGURE_2, chain, classifiers, naive, random_tables

import algdim
from algdim import InputError, LimitError, decompose
from algdim.families.classifier.decomposition import build_class_matrix


def test_figure_2a_in_steps():
    """Both methods of HM97 find 15, and so do the ranks of the log-odds and of the probabilities."""
    found = algdim.decompose(FIGURE_2)
    text = str(found)

    assert (15, 15, (15, 15)) == (found.recipe, found.report.dimension, found.through_probabilities)
    assert (32, 20, 15) == (found.elimination.rows, found.elimination.columns, found.elimination.rank)
    assert "1 + 1 + 2 + 3 + 4 + 4 = 15" in text
    assert "rank 15 of the log-odds, rank 15 of the probabilities" in text
    assert found.holds


def test_a_counterexample_in_steps():
    """Where the hypothesis fails, this is said, the recipe is called an upper bound, and φ is not called non-redundant."""
    found = algdim.decompose("classifier Y: Y -> X2 <- X1; states Y=3, X1=3")
    text = str(found)

    assert (12, 11, (11, 11)) == (found.recipe, found.report.dimension, found.through_probabilities)
    assert not found.holds
    assert "X2 with 2; the recipe gives 12, which is an upper bound" in text
    assert "non-redundant" not in text


@settings(max_examples=some(25))
@given(classifiers(4, 3, special=True, most=80))
def test_both_maps_have_one_rank(model):
    """The rank through p(y|x) is that through the log-odds, and both are the dimension."""
    found = decompose(model)
    expected = brute_classifier.dimension(model)

    assert (expected, expected) == found.through_probabilities
    assert expected == found.report.dimension <= found.recipe
    assert found.elimination.rank is not None
    assert (model.classes - 1) * found.elimination.rank == found.recipe
    assert json.loads(json.dumps(found.to_dict()))["recipe"] == found.recipe


def test_a_classifier_without_parameters():
    """With all entries fixed every rank is 0."""
    found = algdim.decompose("classifier Y: Y -> X; fix P(Y=0)=1/3, P(X=0|Y=0)=1/4, P(X=0|Y=1)=1/5")

    assert (0, (0, 0), True) == (found.report.dimension, found.through_probabilities, found.report.exact)


def test_numbers_at_given_tables():
    """With a parameter file the values of φ and p(y|x) are printed, as fractions."""
    model = algdim.model(chain(2))
    tables = random_tables(model, 5)
    found = algdim.decompose(
        chain(2),
        order=["X2", "X1"],
        at={name: [[str(v) for v in row] for row in rows] for name, rows in tables.items()},
    )
    expected = brute_classifier.posteriors(model, tables)

    assert expected == {tuple(state for _, state in states): chances for states, chances in found.posteriors()}
    assert "p(Y|x) through φ → λ, at the parameters of the given tables" in str(found)
    assert 4 == len(found.to_dict()["posteriors"]) == len(found.to_dict()["phi_values"])


def test_wrong_tables():
    """Zeros are refused, and so are orders and parameters for other families."""
    with pytest.raises(InputError, match="a probability is 0"):
        algdim.decompose(naive(1), at={"Y": [[0, 1]], "X1": [["1/2", "1/2"], ["1/2", "1/2"]]})
    with pytest.raises(InputError, match="are for models of the family classifier; this one is"):
        algdim.decompose("2:2,2,2", order=["X1"])
    with pytest.raises(InputError, match="each once"):
        algdim.decompose(naive(2), order=["X1"])


def test_large_classifiers():
    """What would be too large is left out and said to be; at given tables it is refused."""
    found = algdim.decompose(chain(30))

    assert (60, None, None) == (found.recipe, found.elimination.rank, found.through_probabilities)
    assert build_class_matrix(found.model).rows == 2**30
    assert "too large to be eliminated here" in str(found)
    assert "… 60 in all" in str(found)
    with pytest.raises(LimitError, match="at most"):
        algdim.decompose(chain(30), at={})


def test_inputs_without_influence_are_named():
    """An input that is in no factor with the class is said to be without influence."""
    assert "X0, X2 without influence" in str(algdim.decompose("classifier Y: X0 -> X2; Y -> X1"))
