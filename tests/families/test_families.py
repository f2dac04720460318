"""What the families of fits take of priors and missing entries, and with which words they refuse the rest."""

from __future__ import annotations

import pytest

import algdim
from algdim import InputError

MIXED = {"X1": [0.5, 1.5, 2.0, 4.0, 3.0], "X2": [1.0, 2.5, 0.0, 5.0, 1.0]}
COUNTS = {"A": [0, 1, 0, 1, 1], "E": [2, 5, 1, 3, 7]}
FITTED = [
    ("gaussian: X1 -> X2", MIXED),
    ("latent-profile: H -> X1, X2; hidden H", MIXED),
    ("poisson: {A},{} -> E", COUNTS),
    ("normal: {A},{} -> E", COUNTS),
]


@pytest.mark.parametrize(("model", "data"), FITTED)
def test_priors_are_refused_by_family(model, data):
    """Maximum likelihood alone: the sentence names the family."""
    family = model.partition(":")[0]

    with pytest.raises(InputError, match=f"prior alpha=2: models of the family {family} are fitted by maximum likeli"):
        algdim.fit(data, model, prior="alpha=2")


@pytest.mark.parametrize(("model", "data"), FITTED)
def test_gaps_are_allowed_by_name(model, data):
    """With `missing` a row that shows a part counts for it; without, the row is named, and what to do."""
    column = list(data)[-1]
    gap = {**data, column: [*data[column][:-1], None]}
    whole, part = algdim.fit(data, model, missing=True), algdim.fit(gap, model, missing=True)

    assert whole.loglik == pytest.approx(algdim.fit(data, model).loglik)
    assert (5, 1) == (part.sample.size, part.sample.missing)
    with pytest.raises(InputError, match=rf"row 5, column {column} is empty.* allow missing values .*missing=True"):
        algdim.fit(gap, model)


def test_a_mean_is_that_of_the_cases_that_show_it():
    """Of all five values; of the four complete cases it would be 2."""
    model, data = FITTED[0]
    part = algdim.fit({**data, "X2": [*data["X2"][:-1], None]}, model, missing=True)

    assert 2.2 == pytest.approx(part.parameters["means"]["X1"])


@pytest.mark.parametrize(("model", "data"), FITTED[:2])
def test_no_prior_is_said_where_none_is_given(model, data):
    """Neither in files nor on the page."""
    found = algdim.score(data, model)

    assert found.to_dict()["prior"] is None
    assert "prior" not in str(found).splitlines()[1]


@pytest.mark.parametrize(("model", "data"), FITTED[1:2])
def test_scores_without_a_prior(model, data):
    """Families whose scores take no prior refuse one that is given."""
    for prior in ({"alpha": 1}, {"ess": 1}):
        with pytest.raises(InputError, match=r"no score of the family .* takes a prior; leave alpha and ess out"):
            algdim.score(data, model, **prior)


def test_gaussian_networks_have_a_prior_only_where_one_is_given():
    """Marginal likelihoods take alpha, the number of prior cases, and no other prior."""
    model, data = FITTED[0]
    found = algdim.score(data, model, alpha=1)

    assert "alpha=1" == found.to_dict()["prior"]
    assert {"cs", "exact"} <= set(found.values)
    assert not {"cs", "exact"} & set(algdim.score(data, model).values)
    with pytest.raises(
        InputError, match="scores of Gaussian networks take alpha, the number of prior cases; leave ess"
    ):
        algdim.score(data, model, ess=1)


def test_sums_have_a_prior_only_where_one_is_given():
    """Cheeseman and Stutz's score of sums takes alpha; nothing else there takes a prior."""
    model, data = FITTED[2]

    assert "alpha=1" == algdim.score(data, model, alpha=1).to_dict()["prior"]
    assert algdim.score(data, model).to_dict()["prior"] is None
    with pytest.raises(InputError, match="scores of sums take alpha"):
        algdim.score(data, model, ess=1)


def test_inputs_of_a_classifier_are_complete():
    """They are conditioned on: cases without them are left out; the class itself may be missing."""
    cases = {"A": [0, 1, 1], "Y": [0, None, 1]}

    assert 3 == algdim.fit(cases, "classifier Y: Y -> A", missing=True).sample.size
    assert 2 == algdim.fit({"A": [0, None, 1], "Y": [0, 1, 1]}, "classifier Y: Y -> A", missing=True).sample.size


@pytest.mark.parametrize("model", ["polynomial: parameters t; coordinates t, t^2"])
def test_families_that_are_not_fitted(model):
    """They are refused by name, with the list of those that are."""
    refusal = f"models of the family {model.partition(':')[0]} are not fitted; those of .* loglinear are"
    with pytest.raises(InputError, match=refusal):
        algdim.fit(MIXED, model, missing=True)
