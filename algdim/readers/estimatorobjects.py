"""Estimators that other libraries have fitted, as models: StepMix's, scikit-learn's GaussianMixture, algdim's LatentClass.

They are known by the names of their classes and packages; nothing of theirs is imported.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from algdim.errors import InputError
from algdim.families.discrete.model import Network, build_latent_class
from algdim.families.latentprofile.model import LatentProfile, ProfileVariable

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


class Normals(NamedTuple):
    """A mixture of normal distributions, whose covariance matrices are of a kind."""

    classes: int
    items: int
    kind: str

    @property
    def parameters(self) -> int:
        """How many there are."""
        return self.classes - 1 + self.classes * self.items + COVARIANCES[self.kind](self.classes, self.items)


class Fitted(NamedTuple):
    """What was fitted: in words, and as a model."""

    text: str
    model: Network | LatentProfile | Normals


def read_estimator(estimator: Any) -> Fitted:
    """What an estimator has fitted."""
    names = [(one.__module__.partition(".")[0], one.__name__) for one in type(estimator).__mro__]
    found = next((READERS[name] for name in names if name in READERS), None)
    if found is None:
        raise InputError(
            f"a {type(estimator).__module__}.{type(estimator).__name__} is no estimator that is known; known are "
            + ", ".join(f"{name} of {package}" for package, name in READERS)
        )
    return found(estimator)


def require_fitted_attribute(estimator: Any, name: str) -> Any:
    """An attribute that fitting sets; raise if it is not there."""
    if not hasattr(estimator, name):
        raise InputError(f"this {type(estimator).__name__} is not fitted yet; call its fit first")
    return getattr(estimator, name)


def read_gaussian_mixture(estimator: Any) -> Fitted:
    """A GaussianMixture: its classes, features and covariance type."""
    classes, items = np.shape(require_fitted_attribute(estimator, "means_"))
    return make_normal_mixture("GaussianMixture", classes, items, str(estimator.covariance_type))


def make_normal_mixture(name: str, classes: int, items: int, kind: str) -> Fitted:
    """A mixture of normal distributions."""
    if kind not in COVARIANCES:
        raise InputError(f"covariances are {kind!r}; known are {', '.join(COVARIANCES)}")
    return Fitted(f"{name}, {format_class_count(classes)}, covariances {kind}", Normals(classes, items, kind))


def format_class_count(classes: int) -> str:
    """A number of classes."""
    return "1 class" if classes == 1 else f"{classes} classes"


def read_latent_class(estimator: Any) -> Fitted:
    """A LatentClass: the model that it has fitted."""
    return Fitted(
        f"LatentClass, {format_class_count(estimator.n_classes)}", require_fitted_attribute(estimator, "model_")
    )


def read_stepmix(estimator: Any) -> Fitted:
    """A StepMix without structural model: categorical items, normal ones, or both."""
    require_fitted_attribute(estimator, "_mm")
    if hasattr(estimator, "_sm"):
        raise InputError("this StepMix has a structural model too; fit the measurement model alone")
    parameters = estimator.get_parameters()
    classes = int(estimator.n_components)
    text = f"StepMix, {format_class_count(classes)}"
    kinds = get_measurement_kinds(estimator.measurement)
    numbers = parameters["measurement"]
    states: list[int] = []
    normal: list[tuple[str, int]] = []
    for name, kind in kinds.items():
        mine = numbers if name is None else numbers[name]
        if kind in (*BINARY, *CATEGORICAL):
            states += [2] * np.shape(mine["pis"])[1] if kind in BINARY else count_item_outcomes(mine)
        elif kind.removeprefix("gaussian_") in COVARIANCES:
            normal.append((kind.removeprefix("gaussian_"), np.shape(mine["means"])[1]))
        else:
            raise InputError(
                f"the measurement {kind!r} is not known; known are binary, categorical, continuous, gaussian_…"
            )
    if not normal:
        return Fitted(text, build_latent_class(classes, states))
    if len(normal) == 1 and not states:
        return make_normal_mixture("StepMix", classes, normal[0][1], normal[0][0])
    if len(normal) > 1 or normal[0][0] not in ("full", "tied", "diag"):
        raise InputError("several kinds of normal items, or spherical ones with categorical ones, are not supported")
    kind, count = normal[0]
    mixed = (
        *(ProfileVariable(f"X{n}", size) for n, size in enumerate(states, 1)),
        *(ProfileVariable(f"Y{n}") for n in range(1, count + 1)),
    )
    return Fitted(text, LatentProfile("H", classes, mixed, full=kind != "diag", equal=kind == "tied"))


def get_measurement_kinds(measurement: Any) -> dict[str | None, str]:
    """The kind of each block of items; one without a name if there is only one. Missing values change no model."""
    blocks = (
        {None: measurement}
        if isinstance(measurement, str)
        else {name: str(block["model"]) for name, block in measurement.items()}
    )
    kinds = {name: kind.removesuffix("_nan") for name, kind in blocks.items()}
    return {name: OTHER_NAMES.get(kind, kind) for name, kind in kinds.items()}


def count_item_outcomes(numbers: Any) -> list[int]:
    """How many outcomes each categorical item has: those that have a probability in some class."""
    most = int(numbers["max_n_outcomes"])
    chances = np.asarray(numbers["pis"]).max(axis=0).reshape(-1, most)
    found = [int(np.flatnonzero(row > LEAST)[-1]) + 1 for row in chances]
    if sum(found) != int(numbers["total_outcomes"]):
        raise InputError(
            f"outcomes have no probability in any class: {sum(found)} of {numbers['total_outcomes']} are seen; fit with other starts"
        )
    return [max(2, size) for size in found]


READERS: Mapping[tuple[str, str], Callable[[Any], Fitted]] = {
    ("stepmix", "StepMix"): read_stepmix,
    ("sklearn", "GaussianMixture"): read_gaussian_mixture,
    ("algdim", "LatentClass"): read_latent_class,
}
"""By package and class, what was fitted."""
