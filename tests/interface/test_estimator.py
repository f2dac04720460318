"""The estimator: scikit-learn's own checks, every library's data, the effective dimension in `bic`."""

import subprocess
import sys
import warnings
from math import log

import numpy as np
import pytest

pytest.importorskip("sklearn")

import algdim
from algdim import LatentClass

ITEMS = algdim.simulate(
    "2:2^4",
    {"H": [[0.4, 0.6]], **{f"X{k}": [[0.9, 0.1], [0.2, 0.8]] for k in range(1, 5)}},
    300,
    seed=3,
)
TEXTS = np.array([["no", "yes"][x] for k in ITEMS.columns for x in ITEMS[k]], dtype=object).reshape(4, 300).T

EXPECTED_FAILURES: dict[str, str] = {}
"""None: even continuous columns are read, each number as a category."""


@pytest.mark.slow
def test_scikit_learn_has_nothing_to_say():
    """All of its estimator checks pass but the expected failures."""
    from sklearn.utils.estimator_checks import check_estimator

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = check_estimator(
            LatentClass(starts=1, tol=1e-3, max_iter=200),
            on_fail=None,
            on_skip=None,
            expected_failed_checks=EXPECTED_FAILURES,
        )

    assert [] == [result["check_name"] for result in found if result["status"] == "failed"]


def test_libraries_agree():
    """numpy, pandas and polars, texts and numbers: the same fit and the same classes."""
    pd, pl = pytest.importorskip("pandas"), pytest.importorskip("polars")
    names = list(ITEMS.columns)
    inputs = [
        TEXTS,
        TEXTS.astype(str),
        pd.DataFrame(TEXTS, columns=names),
        pd.DataFrame(TEXTS, columns=names, dtype="category"),
        pl.DataFrame({name: TEXTS[:, k].tolist() for k, name in enumerate(names)}),
        np.array([ITEMS[name] for name in names]).T,
    ]
    fits = [LatentClass(2).fit(data) for data in inputs]
    for model, data in zip(fits, inputs, strict=True):
        assert fits[0].score(TEXTS) == pytest.approx(model.score(data), abs=1e-12)
        assert (fits[0].predict(TEXTS) == model.predict(data)).all()


def test_probabilities_are_bayes_rule():
    """P(H | x) is prior times product over sum; the log-likelihood is the logarithm of that sum."""
    model = LatentClass(2).fit(TEXTS)
    states = (TEXTS == "yes").astype(int)
    joint = np.array([model.class_prob_[h] * np.ones(300) for h in range(2)])
    for k, table in enumerate(model.item_prob_):
        joint *= table[:, states[:, k]]

    assert (joint / joint.sum(axis=0)).T == pytest.approx(model.predict_proba(TEXTS))
    assert np.log(joint.sum(axis=0)) == pytest.approx(model.score_samples(TEXTS))
    assert model.fit_.loglik == pytest.approx(300 * model.score(TEXTS))


def test_bic_has_the_effective_dimension():
    """KZ02 Table 1 and GHM96 §5: 3:2,2,2,2 has 14 parameters and dimension 13."""
    model = LatentClass(3).fit(TEXTS)

    assert (14, 13) == (model.n_parameters_, model.effective_dimension_)
    assert model.bic_count(TEXTS) - model.bic(TEXTS) == pytest.approx(log(300))


def test_unknown_categories_are_refused():
    """A label that was not there when the model was fitted."""
    model = LatentClass(2).fit(TEXTS)
    with pytest.raises(ValueError, match="'maybe' was not among the states"):
        model.predict([["no", "yes", "maybe", "no"]])


def test_missing_entries_only_if_allowed():
    """None is refused unless `missing` is set, and then does no harm."""
    data = TEXTS.copy()
    data[0, 0] = None
    with pytest.raises(ValueError, match="row 1, column 1 is empty"):
        LatentClass(2).fit(data)

    assert 1.0 == pytest.approx(LatentClass(2, missing=True).fit(data).predict_proba(data)[0].sum())


def test_algdim_does_without_scikit_learn():
    """Importing algdim, and fitting, imports no scikit-learn."""
    code = "import sys, algdim; algdim.fit({'A': [0, 1]}, 'states A=2'); sys.exit('sklearn' in sys.modules)"

    assert 0 == subprocess.run([sys.executable, "-c", code], check=False).returncode
