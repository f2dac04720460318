"""Data drawn from a model at given parameters."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator
from dataclasses import dataclass
from io import StringIO
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algdim.errors import InputError, LimitError, listed
from algdim.exact.draws import drawn_seed
from algdim.families import lacking, sampling_of
from algdim.fitting.networks import as_network
from algdim.models.anymodel import AnyModel
from algdim.readers.anything import ModelLike
from algdim.readers.anything import model as read_model
from algdim.readers.files import labels_in

MOST_DRAWS = 50_000_000
"""Cases times variables."""


@dataclass(frozen=True, slots=True, eq=False)
class Simulation:
    """Cases drawn from a model: the states or values of its observed variables, by name."""

    model: AnyModel
    columns: dict[str, NDArray[Any]]
    seed: int | str

    def __getitem__(self, name: str) -> NDArray[Any]:
        """One column."""
        return self.columns[name]

    def __len__(self) -> int:
        """The number of cases."""
        return len(next(iter(self.columns.values())))

    def lines(self) -> Iterator[str]:
        """The lines of a CSV file."""
        rows = zip(*(column.tolist() for column in self.columns.values()), strict=True)
        for row in chain([self.columns], rows):
            line = StringIO()
            csv.writer(line, lineterminator="").writerow(row)
            yield line.getvalue()

    def to_dict(self) -> dict[str, Any]:
        """The columns and the seed."""
        return {"n": len(self), "seed": self.seed, "columns": {k: v.tolist() for k, v in self.columns.items()}}

    def __str__(self) -> str:
        """Print the cases as CSV."""
        return "\n".join(self.lines())


def simulate(
    model: ModelLike, at: str | os.PathLike[str] | dict[str, Any], n: int, *, seed: int | str = 0
) -> Simulation:
    """Draw cases from a model at the parameters of a file or dictionary; with the JSON of a fit they have its labels.

    >>> simulate("A -> B", {"A": [[0, 1]], "B": [[1, 0], [0, 1]]}, 3)["B"].tolist()
    [1, 1, 1]
    """
    found: Any = as_network(read_model(model))
    sampling = sampling_of(found.family)
    if sampling is None:
        raise InputError(lacking(found.family, "simulated", "sampling"))
    if isinstance(n, bool) or not isinstance(n, int) or n < 1:
        raise InputError(f"{n!r} cases cannot be drawn; a whole number from 1 is allowed")
    if n * len(found.variables) > MOST_DRAWS:
        raise LimitError(
            f"{n} cases of {len(found.variables)} variables are {n * len(found.variables)} draws; at most {MOST_DRAWS} are allowed"
        )
    seed = drawn_seed(seed)
    columns = sampling.draw(found, at, n, seed)
    return Simulation(found, labelled(columns, at) if sampling.has_states else columns, seed)


def labelled(columns: dict[str, NDArray[Any]], at: str | os.PathLike[str] | dict[str, Any]) -> dict[str, NDArray[Any]]:
    """The columns with the labels that a fit's data had, where these are not the numbers of the states."""
    known = {name: labels for name, labels in labels_in(at).items() if name in columns}
    known = {name: labels for name, labels in known.items() if labels != tuple(map(str, range(len(labels))))}
    for name, labels in known.items():
        if columns[name].max() >= len(labels):
            raise InputError(f"{name}: the fit has the {len(labels)} states {listed(labels)}; the model has more")
    return columns | {name: np.array(labels)[columns[name]] for name, labels in known.items()}
