"""What a fit says of cases and of pairs of items.

Of each case the probabilities of the hidden states, at the parameters of the fit. Of each pair of items how badly the model
explains it: the counts are compared with those that the model expects given what is conditioned on, by Pearson's X² over the
degrees of freedom of the pair's table, (r − 1)(s − 1), as other programs for latent classes print it. It has no reference
distribution; large values point at local dependence.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from algdim.display.results import Plain
from algdim.errors import InputError, join_names
from algdim.families import FOLDERS, find_fitting
from algdim.fitting.problems import convert_to_network
from algdim.fitting.record import Fit
from algdim.fitting.samples import find_whole_rows
from algdim.fitting.tabulardata import read_columns

Numbers = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Memberships:
    """For each hidden discrete variable case × state, in the order of the data; the columns of the data beside them.

    States that have labels, as patterns of attributes 00, 01, …, are named by them. Of a cognitive diagnosis model ``mastery``
    has the probabilities of each attribute.
    """

    shares: Mapping[str, Numbers]
    data: Mapping[str, list[str | None]]
    labels: Mapping[str, Sequence[str]] = field(default_factory=dict)
    mastery: Mapping[str, Numbers] = field(default_factory=dict)

    @property
    def columns(self) -> dict[str, Any]:
        """The data, the probabilities of the states, and the most probable state, column by column."""
        found: dict[str, Any] = dict(self.data)
        for name, share in self.shares.items():
            labels = self.labels.get(name) or range(share.shape[1])
            found |= {f"P({name}={label})": share[:, state] for state, label in enumerate(labels)}
            found[name] = np.array(labels)[share.argmax(axis=1)]
        return found | {f"P({name}=1)": share for name, share in self.mastery.items()}

    def __str__(self) -> str:
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        columns = self.columns
        writer.writerow(columns)
        for row in zip(*columns.values(), strict=True):
            writer.writerow(
                [f"{value:.6g}" if isinstance(value, float) else "" if value is None else value for value in row]
            )
        return text.getvalue()


def compute_memberships(data: Any, found: Fit, *, missing: bool = False) -> Memberships:
    """The probabilities of the hidden states of each row of data, those of the fit or others.

    >>> from algdim.fitting.fitting import fit
    >>> data = {"A": [0, 0, 1], "B": [0, 0, 1], "C": [0, 1, 1]}
    >>> list(compute_memberships(data, fit(data, "2:2^3", identify=False)).columns)
    ['A', 'B', 'C', 'P(H=0)', 'P(H=1)', 'H']
    """
    model: Any = convert_to_network(found.model)
    fitting = find_fitting(model.family)
    if fitting is None or fitting.share_out is None:
        able = [one for one in FOLDERS if (other := find_fitting(one)) is not None and other.share_out is not None]
        raise InputError(
            f"cases of the family {model.family} are not shared out among classes; those of {join_names(able)} are"
        )
    table = read_columns(data)
    given: tuple[str, ...] = getattr(model, "given", ())
    if missing and given:
        table = table.select_rows(find_whole_rows(table, model))
    known = {name: tuple(states) for name, states in found.sample.to_dict()["states"].items()}
    shares = fitting.share_out(model, table, found.parameters, missing, known)
    if not shares:
        raise InputError("no discrete variable is hidden; there are no classes")
    names = table.names or [f"V{number}" for number in range(1, len(table.columns) + 1)]
    labels = {one.name: one.labels for one in model.hidden if getattr(one, "labels", ())}
    columns = dict(zip(names, map(list, table.columns), strict=True))
    mastery = {} if fitting.compute_mastery is None else fitting.compute_mastery(model, shares)
    return Memberships(shares, columns, labels, mastery)


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
