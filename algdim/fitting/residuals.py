"""Bivariate residuals: the pairs of items that a model does not explain.

Of each pair the counts are compared with those that the model expects given what is conditioned on, by Pearson's X² over the degrees
of freedom of the pair's table, (r − 1)(s − 1), as other programs for latent classes print it. It has no reference distribution; large
values point at local dependence.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from algdim.display.results import Plain
from algdim.errors import InputError, join_names
from algdim.families import FOLDERS, find_fitting
from algdim.fitting.problems import convert_to_network
from algdim.fitting.record import Fit


@dataclass(frozen=True, slots=True)
class Residual(Plain):
    """A pair of variables, Pearson's X² over its degrees of freedom."""

    _json: ClassVar[str] = "first second residual=value"

    first: str
    second: str
    value: float


def compute_residuals(found: Fit) -> tuple[Residual, ...]:
    """The residuals of all pairs, the largest first.

    >>> from algdim.fitting.fitting import fit
    >>> data = {"A": [0, 0, 1, 1], "B": [0, 1, 0, 1], "count": [40, 10, 10, 40]}
    >>> [round(one.value, 6) for one in compute_residuals(fit(data, "1:2,2", identify=False))]
    [36.0]
    """
    model: Any = convert_to_network(found.model)
    fitting = find_fitting(model.family)
    if fitting is None or fitting.compare_pairs is None:
        able = [one for one in FOLDERS if (other := find_fitting(one)) is not None and other.compare_pairs is not None]
        raise InputError(
            f"models of the family {model.family} have no bivariate residuals; those of {join_names(able)} have"
        )
    return tuple(sorted(fitting.compare_pairs(model, found), key=lambda residual: -residual.value))
