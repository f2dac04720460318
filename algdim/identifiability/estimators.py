"""`algdim.for_estimator`: the effective dimension and the BIC with it, of models that other libraries have fitted.

Estimators are known by the names of their classes and packages; nothing of theirs is imported.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import log
from typing import Any

import numpy as np

from algdim.errors import InputError
from algdim.families.discrete.model import Network, Variable
from algdim.families.latentprofile.model import LatentProfile, ProfileVariable
from algdim.figures import counted
from algdim.report import dimension
from algdim.trust import Trust, proved_by

LEAST = 1e-9
"""An outcome whose probability is less in every class does not occur."""

BINARY, CATEGORICAL = ("binary", "bernoulli"), ("categorical", "multinoulli")
OTHER_NAMES = {"gaussian": "gaussian_unit", "continuous": "gaussian_diag"}
COVARIANCES: Mapping[str, Callable[[int, int], int]] = {
    "full": lambda classes, items: classes * items * (items + 1) // 2,
    "tied": lambda classes, items: items * (items + 1) // 2,  # noqa: ARG005 (one form for all)
    "diag": lambda classes, items: classes * items,
    "spherical": lambda classes, items: classes,  # noqa: ARG005 (the same)
    "unit": lambda classes, items: 0,  # noqa: ARG005 (the same)
}
"""How many parameters the covariance matrices of a mixture of normal distributions have."""


@dataclass(frozen=True, slots=True)
class Shape:
    """What was fitted: in words, the number of parameters, the dimension and how far it is known."""

    text: str
    standard: int
    dimension: int
    trust: Trust


@dataclass(frozen=True, slots=True)
class Estimated:
    """A fitted estimator: its counts, and on the data given the BIC with the dimension and with the number of parameters.

    Both BIC are −2 log-likelihood + d·log n, as scikit-learn has them: smaller is better. Of a dimension that is only known
    to lie between bounds it is the lower one.
    """

    text: str
    standard: int
    dimension: int
    trust: Trust
    n: int | None = None
    loglik: float | None = None

    @property
    def exact(self) -> bool:
        """Whether the dimension is a theorem."""
        return self.trust.is_proved

    @property
    def bic(self) -> float | None:
        """The BIC with the effective dimension; ``None`` without data."""
        return self.penalised(self.dimension)

    @property
    def bic_count(self) -> float | None:
        """The BIC with the number of parameters, as other programs have it."""
        return self.penalised(self.standard)

    def penalised(self, count: int) -> float | None:
        """−2 log-likelihood + count · log n."""
        return None if self.n is None or self.loglik is None else -2 * self.loglik + count * log(self.n)

    def __str__(self) -> str:
        """One line."""
        line = f"{self.text}: effective dimension {self.dimension} of {self.standard} parameters ({self.trust})"
        if self.bic is None or self.bic_count is None:
            return line
        instead = f", not {self.bic_count:.6g}" if self.dimension != self.standard else ", no correction needed"
        return f"{line}; BIC {self.bic:.6g}{instead} (n = {self.n})"

    def to_dict(self) -> dict[str, Any]:
        """The form of JSON."""
        return {
            "estimator": self.text,
            "standard": self.standard,
            "dimension": self.dimension,
            "exact": self.exact,
            **self.trust.to_dict(),
            "n": self.n,
            "loglik": self.loglik,
            "bic": self.bic,
            "bic_count": self.bic_count,
        }


def for_estimator(estimator: Any, X: Any = None) -> Estimated:
    """The effective dimension of a fitted estimator, and with data the BIC that it gives.

    StepMix's, scikit-learn's GaussianMixture and algdim's LatentClass are known.

    >>> class GaussianMixture:
    ...     __module__ = "sklearn.mixture"
    ...     covariance_type, means_ = "diag", np.zeros((3, 2))
    >>> print(for_estimator(GaussianMixture()))
    GaussianMixture, 3 classes, covariances diag: effective dimension 14 of 14 parameters (proved)
    """
    names = [(one.__module__.partition(".")[0], one.__name__) for one in type(estimator).__mro__]
    found = next((READERS[name] for name in names if name in READERS), None)
    if found is None:
        raise InputError(
            f"a {type(estimator).__module__}.{type(estimator).__name__} is no estimator that is known; known are "
            + ", ".join(f"{name} of {package}" for package, name in READERS)
        )
    shape = found(estimator)
    if X is None:
        return Estimated(shape.text, shape.standard, shape.dimension, shape.trust)
    n = len(X)
    # all three have the mean log-likelihood as `score`
    return Estimated(shape.text, shape.standard, shape.dimension, shape.trust, n, float(estimator.score(X)) * n)


def fitted(estimator: Any, name: str) -> Any:
    """An attribute that fitting sets; raise if it is not there."""
    if not hasattr(estimator, name):
        raise InputError(f"this {type(estimator).__name__} is not fitted yet; call its fit first")
    return getattr(estimator, name)


def of_gaussian_mixture(estimator: Any) -> Shape:
    """A GaussianMixture: its classes, features and covariance type."""
    classes, items = np.shape(fitted(estimator, "means_"))
    return of_normals("GaussianMixture", classes, items, str(estimator.covariance_type))


def of_normals(name: str, classes: int, items: int, kind: str) -> Shape:
    """A mixture of normal distributions has as many dimensions as parameters (lemma "normal mixtures")."""
    if kind not in COVARIANCES:
        raise InputError(f"covariances are {kind!r}; known are {', '.join(COVARIANCES)}")
    count = classes - 1 + classes * items + COVARIANCES[kind](classes, items)
    text = f"{classes_text(classes)}, covariances {kind}"
    facts = f"{text}, {counted(count, 'parameter')}"
    return Shape(f"{name}, {text}", count, count, proved_by("normal mixtures", facts))


def classes_text(classes: int) -> str:
    """A number of classes."""
    return "1 class" if classes == 1 else f"{classes} classes"


def of_latent_class(estimator: Any) -> Shape:
    """A LatentClass: the model that it has fitted."""
    return of_model(f"LatentClass, {classes_text(estimator.n_classes)}", fitted(estimator, "model_"))


def of_model(text: str, model: Network | LatentProfile) -> Shape:
    """What a model of ours has."""
    report = dimension(model)
    return Shape(text, report.standard, report.dimension, report.trust)


def of_stepmix(estimator: Any) -> Shape:
    """A StepMix without structural model: categorical items, normal ones, or both."""
    fitted(estimator, "_mm")
    if hasattr(estimator, "_sm"):
        raise InputError("this StepMix has a structural model too; fit the measurement model alone")
    parameters = estimator.get_parameters()
    classes = int(estimator.n_components)
    text = f"StepMix, {classes_text(classes)}"
    kinds = kinds_of(estimator.measurement)
    numbers = parameters["measurement"]
    states: list[int] = []
    normal: list[tuple[str, int]] = []
    for name, kind in kinds.items():
        mine = numbers if name is None else numbers[name]
        if kind in (*BINARY, *CATEGORICAL):
            states += [2] * np.shape(mine["pis"])[1] if kind in BINARY else outcomes(mine)
        elif kind.removeprefix("gaussian_") in COVARIANCES:
            normal.append((kind.removeprefix("gaussian_"), np.shape(mine["means"])[1]))
        else:
            raise InputError(
                f"the measurement {kind!r} is not known; known are binary, categorical, continuous, gaussian_…"
            )
    if not normal:
        items = tuple(Variable(f"X{n}", size, parents=("H",)) for n, size in enumerate(states, 1))
        return of_model(text, Network((Variable("H", classes, observed=False), *items)))
    if len(normal) == 1 and not states:
        return of_normals("StepMix", classes, normal[0][1], normal[0][0])
    if len(normal) > 1 or normal[0][0] not in ("full", "tied", "diag"):
        raise InputError("several kinds of normal items, or spherical ones beside categorical ones, are not known yet")
    kind, count = normal[0]
    mixed = (
        *(ProfileVariable(f"X{n}", size) for n, size in enumerate(states, 1)),
        *(ProfileVariable(f"Y{n}") for n in range(1, count + 1)),
    )
    return of_model(text, LatentProfile("H", classes, mixed, full=kind != "diag", equal=kind == "tied"))


def kinds_of(measurement: Any) -> dict[str | None, str]:
    """The kind of each block of items; one without a name if there is only one. Missing values change no model."""
    blocks = (
        {None: measurement}
        if isinstance(measurement, str)
        else {name: str(block["model"]) for name, block in measurement.items()}
    )
    kinds = {name: kind.removesuffix("_nan") for name, kind in blocks.items()}
    return {name: OTHER_NAMES.get(kind, kind) for name, kind in kinds.items()}


def outcomes(numbers: Any) -> list[int]:
    """How many outcomes each categorical item has: those that have a probability in some class."""
    most = int(numbers["max_n_outcomes"])
    chances = np.asarray(numbers["pis"]).max(axis=0).reshape(-1, most)
    found = [int(np.flatnonzero(row > LEAST)[-1]) + 1 for row in chances]
    if sum(found) != int(numbers["total_outcomes"]):
        raise InputError(
            f"outcomes have no probability in any class: {sum(found)} of {numbers['total_outcomes']} are seen; fit with other starts"
        )
    return [max(2, size) for size in found]


READERS: Mapping[tuple[str, str], Callable[[Any], Shape]] = {
    ("stepmix", "StepMix"): of_stepmix,
    ("sklearn", "GaussianMixture"): of_gaussian_mixture,
    ("algdim", "LatentClass"): of_latent_class,
}
"""By package and class, what was fitted."""
