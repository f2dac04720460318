"""Latent class analysis in the manner of scikit-learn, with the effective dimension where a dimension is asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import log
from typing import Any, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from algdim.errors import InputError
from algdim.families.discrete.map import get_param_map
from algdim.families.discrete.model import build_latent_class
from algdim.fitting.fitting import fit
from algdim.fitting.likelihood import Numbers, compute_posteriors, make_likelihood_evaluator
from algdim.fitting.maximization import ML
from algdim.fitting.record import convert_to_arrays
from algdim.fitting.samples import read_sample
from algdim.fitting.searching import AUTO
from algdim.fitting.tabulardata import Columns, read_columns
from algdim.report import dimension

try:
    from sklearn.base import BaseEstimator, DensityMixin
    from sklearn.exceptions import NotFittedError
    from sklearn.utils.validation import check_is_fitted, validate_data
except ImportError as error:
    raise ImportError("LatentClass needs scikit-learn 1.6 or newer: pip install 'algdim[sklearn]'") from error

Read = TypeVar("Read")

HIDDEN = "H"
FEWEST_STATES = 2


class LatentClass(DensityMixin, BaseEstimator):  # type: ignore[misc]
    """Latent class analysis in the manner of scikit-learn: given a hidden class the columns are independent.

    Columns hold categories, texts or numbers, in an array or a data frame (numpy, pandas, polars); the states of a column
    are the labels that it shows in `fit`.

    Parameters
    ----------
    n_classes : int
        The number of classes.
    prior : str
        "ml" for none, or a prior in the words of `algdim.fit`.
    coordinates : str
        In which the posterior has its mode: "probability" or "softmax".
    starts : int or str
        "auto", "staged", or a number of random starts.
    tol : float
        The climb ends when a step gains no more.
    max_iter : int
        The most steps of a start.
    missing : bool
        Whether missing values are allowed (None, NaN, empty).
    random_state : int or generator
        The seed.

    Attributes
    ----------
    class_prob_, item_prob_
        The estimates: the probabilities of the classes, and for each column those of its labels given the class.
    effective_dimension_, n_parameters_
        The effective dimension, and the number of parameters.
    labels_, n_iter_, converged_
        The most probable class of each case; the steps; whether a tolerance was met.
    model_, fit_, states_
        The model and the fit as algdim has them, and the labels of each column.

    Examples
    --------
    >>> model = LatentClass(n_classes=2).fit([["no", "a"], ["yes", "b"], ["no", "a"], ["yes", "b"]])
    >>> len(set(model.predict([["no", "a"], ["yes", "b"]])))
    2
    """

    def __init__(
        self,
        n_classes: int = 2,
        *,
        prior: str = ML,
        coordinates: str = "probability",
        starts: int | str = AUTO,
        tol: float = 1e-8,
        max_iter: int = 10_000,
        missing: bool = False,
        random_state: Any = 0,
    ) -> None:
        self.n_classes = n_classes
        self.prior = prior
        self.coordinates = coordinates
        self.starts = starts
        self.tol = tol
        self.max_iter = max_iter
        self.missing = missing
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> Self:
        """Fit the model to cases × variables."""
        del y
        X = check_features(self, X, reset=True)
        columns = read_categories(X)
        sizes = [len({label for label in column if label is not None}) for column in columns.columns]
        model = build_latent_class(self.n_classes, [max(FEWEST_STATES, size) for size in sizes])
        sample = convert_input_errors(lambda: read_sample(columns, model, missing=self.missing))
        self.fit_ = fit(
            sample,
            model,
            prior=self.prior,
            coordinates=self.coordinates,
            starts=self.starts,
            absolute=self.tol,
            iterations=self.max_iter,
            seed=choose_seed(self.random_state),
            identify=False,  # `effective_dimension_` is there for who asks
        )
        self.model_ = model
        self.states_ = dict(zip(sample.names, sample.states, strict=True))
        self.class_prob_ = np.array(self.fit_.parameters[HIDDEN][0])
        self.item_prob_ = [np.array(self.fit_.parameters[item.name]) for item in model.observed]
        self.n_iter_ = max(1, self.fit_.iterations)
        self.converged_ = self.fit_.stopping.converged
        self.labels_: NDArray[np.int64] = self.predict(X)
        return self

    def fit_predict(self, X: Any, y: Any = None) -> NDArray[np.int64]:
        """Fit the model and give the most probable class of each case."""
        return self.fit(X, y).labels_

    def predict_proba(self, X: Any) -> Numbers:
        """The probability of each class, given each case."""
        return self.evaluate_cases(X)[1]

    def predict(self, X: Any) -> NDArray[np.int64]:
        """The most probable class of each case."""
        return np.asarray(self.predict_proba(X).argmax(axis=1), dtype=np.int64)

    def score_samples(self, X: Any) -> Numbers:
        """The log-likelihood of each case."""
        return self.evaluate_cases(X)[0]

    def score(self, X: Any, y: Any = None) -> float:
        """The mean log-likelihood of a case."""
        del y
        return float(self.score_samples(X).mean())

    def bic(self, X: Any) -> float:
        """−2 log-likelihood + (effective dimension)·log N: smaller is better."""
        logs = self.score_samples(X)
        return float(-2 * logs.sum() + self.effective_dimension_ * log(len(logs)))

    def bic_count(self, X: Any) -> float:
        """The same with the number of parameters, as other programs have it."""
        logs = self.score_samples(X)
        return float(-2 * logs.sum() + self.n_parameters_ * log(len(logs)))

    @property
    def n_parameters_(self) -> int:
        """The number of free parameters."""
        self._check()
        return (self.n_classes - 1) + self.n_classes * sum(item.states - 1 for item in self.model_.observed)

    @property
    def effective_dimension_(self) -> int:
        """The effective dimension of the model."""
        self._check()
        if not hasattr(self, "_dimension"):
            self._dimension: int = dimension(self.model_).dimension
        return self._dimension

    def _check(self) -> None:
        """Raise unless the model has been fitted."""
        if not hasattr(self, "fit_"):
            raise NotFittedError("this LatentClass is not fitted yet; call fit first")

    def evaluate_cases(self, X: Any) -> tuple[Numbers, Numbers]:
        """The log-likelihood and the class probabilities of each case."""
        check_is_fitted(self)
        X = check_features(self, X, reset=False)
        columns = read_categories(X)
        sample = convert_input_errors(
            lambda: read_sample(columns, self.model_, missing=self.missing, states=self.states_, compress=False)
        )
        pmap = get_param_map(self.model_)
        at = make_likelihood_evaluator(pmap, sample, 1)
        logs, counts = compute_posteriors(at, convert_to_arrays(pmap, self.fit_.parameters))
        return logs[0], counts[0][0].T

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn should know: categories, texts among them, and missing entries if they are allowed."""
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.input_tags.allow_nan = self.missing
        return tags


def check_features(estimator: LatentClass, X: Any, *, reset: bool) -> Any:
    """X with the names and the number of its columns checked against those of `fit`."""
    if isinstance(X, (list, tuple)):
        X = np.array(X, dtype=object)
    if hasattr(X, "toarray"):
        raise TypeError("a sparse matrix was passed, but categories are dense; call its toarray() first")
    if hasattr(X, "ndim") and X.ndim != 2:
        raise ValueError(f"Expected 2D array, got {X.ndim}D array instead. Reshape your data with X.reshape(-1, 1)")
    if hasattr(X, "dtype") and getattr(X.dtype, "kind", "") == "c":
        raise ValueError("Complex data not supported")
    if len(X) == 0:
        raise ValueError(f"0 sample(s) (shape={np.shape(X)}) while a minimum of 1 is required.")
    if np.shape(X)[1] == 0:
        raise ValueError(f"0 feature(s) (shape={np.shape(X)}) while a minimum of 1 is required.")
    validate_data(estimator, X, reset=reset, skip_check_array=True)
    return X


def read_categories(X: Any) -> Columns:
    """The columns by position: a data frame's names have been checked, and a column `count` is an item here."""
    return replace(convert_input_errors(lambda: read_columns(X)), names=None)


def convert_input_errors(read: Callable[[], Read]) -> Read:
    """What is wrong with data is a ValueError in scikit-learn."""
    try:
        return read()
    except InputError as error:
        raise ValueError(str(error)) from error


def choose_seed(state: Any) -> int:
    """The seed that a ``random_state`` stands for: an integer itself, a generator's next number, nothing for 0."""
    if state is None:
        return 0
    if isinstance(state, (int, np.integer)):
        return int(state)
    draw = state.randint if hasattr(state, "randint") else state.integers
    return int(draw(2**31 - 1))
