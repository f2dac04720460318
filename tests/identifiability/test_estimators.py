"""Estimators that others have fitted: counts, and both BIC."""

from __future__ import annotations

from math import log

import numpy as np
import pytest

from algdim import InputError, dimension, for_estimator
from algdim.readers.estimatorobjects import Normals

DRAW = np.random.default_rng(5)
BINARY = DRAW.integers(0, 2, (120, 4))
THREE = DRAW.integers(0, 3, (120, 3))
NORMAL = DRAW.normal(size=(120, 2))


@pytest.mark.parametrize("kind", ["full", "tied", "diag", "spherical"])
@pytest.mark.parametrize("classes", [1, 2, 3])
def test_gaussian_mixtures(kind, classes):
    """As many dimensions as scikit-learn counts parameters; the BIC is scikit-learn's."""
    mixture = pytest.importorskip("sklearn.mixture").GaussianMixture(classes, covariance_type=kind, random_state=0)
    found = for_estimator(mixture.fit(NORMAL), NORMAL)

    assert mixture._n_parameters() == found.standard == found.dimension
    assert pytest.approx(mixture.bic(NORMAL)) == found.bic == found.bic_count
    assert "no correction needed" in str(found)
    assert str(found).startswith("GaussianMixture, ")


@pytest.mark.parametrize(
    "text", ["H -> X; hidden H", "H -> X, Y; hidden H; covariances full", "H -> X, Y; hidden H; covariances equal"]
)
def test_normal_mixtures_lose_nothing(text):
    """The moments of small mixtures show as many dimensions as parameters, as the theorem says."""
    report = dimension(f"latent-profile: {text}")

    assert report.exact
    assert report.standard == report.dimension


def test_latent_class():
    """The same numbers as the estimator's own."""
    latent_class = pytest.importorskip("algdim.fitting.estimator").LatentClass
    model = latent_class(n_classes=3, random_state=0).fit(BINARY)
    found = for_estimator(model, BINARY)

    assert (14, 13) == (found.standard, found.dimension)
    assert pytest.approx(model.bic(BINARY)) == found.bic
    assert pytest.approx(model.bic_count(BINARY)) == found.bic_count
    assert pytest.approx(log(120)) == found.bic_count - found.bic
    assert "effective dimension 13 of 14 parameters (proved); BIC" in str(found)
    assert found.to_dict() == {
        "estimator": found.text,
        "standard": 14,
        "dimension": 13,
        "exact": True,
        **found.trust.to_dict(),
        "n": 120,
        "loglik": found.loglik,
        "bic": found.bic,
        "bic_count": found.bic_count,
        "not_tried": [],
    }


def test_a_dimension_that_is_not_proved_has_its_number(monkeypatch):
    """The chance of error, or the bounds between which it lies, in words and in JSON; a proof names its lemma."""
    from algdim.identifiability import estimators
    from algdim.models.notation import parse

    texts = {
        "chance": "effective dimension 13 of 14 parameters (probable, error below ",
        "counting": "effective dimension 13 of 14 parameters (between 13 and 14)",
    }
    for bounds, text in texts.items():
        monkeypatch.setattr(estimators, "dimension", lambda model, bounds=bounds: dimension(model, bounds=bounds))
        found = estimators.Estimated("LatentClass", *estimators.count_estimator_dimension(parse("3:2,2,2,2")))
        assert f"LatentClass: {text}" in str(found)
        assert found.to_dict()["status"] in ("probable", "bounds only")
        assert not found.exact
    _, _, normal = estimators.count_estimator_dimension(Normals(2, 3, "full"))
    assert ("normal mixtures",) == normal.lemmas


def stepmix(data, classes, measurement):
    """A fitted StepMix."""
    made = pytest.importorskip("stepmix").StepMix(
        n_components=classes, measurement=measurement, verbose=0, progress_bar=0, random_state=0, max_iter=30
    )
    return made.fit(data)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("data", "classes", "measurement", "lost"),
    [
        (BINARY, 3, "binary", 1),
        (BINARY, 2, "binary_nan", 0),
        (THREE, 4, "categorical", 2),
        (np.column_stack([BINARY[:, :1], THREE[:, :2]]), 2, "categorical", 0),
        (NORMAL, 2, "gaussian", 0),
        (NORMAL, 2, "continuous", 0),
        (NORMAL, 2, "gaussian_full", 0),
        (NORMAL, 2, "gaussian_unit", 0),
        (NORMAL, 2, "gaussian_spherical", 0),
        (
            np.column_stack([BINARY, THREE[:, :1]]),
            2,
            {"a": {"model": "binary", "n_columns": 4}, "b": {"model": "categorical", "n_columns": 1}},
            0,
        ),
        (
            np.column_stack([BINARY[:, :1], NORMAL[:, :1]]),
            2,
            {"a": {"model": "binary", "n_columns": 1}, "b": {"model": "gaussian_diag", "n_columns": 1}},
            0,
        ),
    ],
)
def test_stepmix(data, classes, measurement, lost):
    """StepMix's own count, less what is redundant; its BIC is the one by counting."""
    model = stepmix(data, classes, measurement)
    found = for_estimator(model, data)

    if not isinstance(measurement, dict):  # its count of several blocks is of binary outcomes too
        assert model.n_parameters == found.standard
        assert pytest.approx(model.bic(data)) == found.bic_count
    assert lost == found.standard - found.dimension
    assert pytest.approx(lost * log(len(data))) == found.bic_count - found.bic


@pytest.mark.filterwarnings("ignore")
def test_what_is_not_known_is_refused():
    """Other classes, estimators that are not fitted, structural models."""
    sklearn, stepmix_package = pytest.importorskip("sklearn.mixture"), pytest.importorskip("stepmix")
    with pytest.raises(InputError, match=r"builtins\.dict is no estimator that is known; known are StepMix of stepmix"):
        for_estimator({})
    with pytest.raises(InputError, match="not fitted"):
        for_estimator(sklearn.GaussianMixture(2))
    with pytest.raises(InputError, match="not fitted"):
        for_estimator(stepmix_package.StepMix(2))
    both = stepmix_package.StepMix(2, measurement="binary", structural="binary", verbose=0, progress_bar=0)
    with pytest.raises(InputError, match="structural model"):
        for_estimator(both.fit(BINARY, BINARY[:, :1]))


def parameters_of(kind, items, classes):
    """What StepMix's `get_parameters` gives of one block: only shapes count."""
    if kind.startswith(("binary", "bernoulli")):
        return {"pis": np.full((classes, items), 0.5)}
    if kind.startswith("categorical"):  # three places for each item, the second item has two outcomes
        pis = np.tile([1 / 3, 1 / 3, 1 / 3, 0.5, 0.5, 0.0], (classes, 1))
        return {"pis": pis, "max_n_outcomes": 3, "total_outcomes": 5}
    return {"means": np.zeros((classes, items))}


@pytest.mark.parametrize(
    ("measurement", "inside"),
    [
        ("binary", 2),
        ("bernoulli_nan", 2),
        ("categorical", 2 + 1),
        ({"a": {"model": "binary"}, "b": {"model": "categorical_nan"}}, 2 + 3),
        ("gaussian_full", 2 + 3),
        ("gaussian_spherical", 2 + 1),
        ("gaussian_unit_nan", 2),
        ({"a": {"model": "gaussian_diag"}}, 2 + 2),
        ({"a": {"model": "categorical"}, "b": {"model": "gaussian_diag"}}, 3 + 2 + 2),
        ({"a": {"model": "binary"}, "b": {"model": "gaussian_full"}}, 2 + 2 + 3),
    ],
)
@pytest.mark.parametrize("classes", [1, 2])
def test_what_stepmix_has_fitted_is_counted(measurement, inside, classes):
    """Parameters of the classes and inside each of them, for two items in each block; StepMix itself is not needed."""

    class StepMix:
        """As much of a fitted estimator as is looked at."""

        __module__ = "stepmix.stepmix"
        _mm = None
        n_components = classes

        def get_parameters(self):
            if isinstance(measurement, str):
                return {"measurement": parameters_of(measurement, 2, classes)}
            return {"measurement": {name: parameters_of(one["model"], 2, classes) for name, one in measurement.items()}}

    StepMix.measurement = measurement
    found = for_estimator(StepMix())

    assert classes - 1 + classes * inside == found.standard
    assert str(found).startswith(f"StepMix, {'1 class' if classes == 1 else '2 classes'}")
