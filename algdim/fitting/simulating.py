"""Data drawn from a model at given parameters, and numbers for random starts.

Each label has its own stream, and each start: more starts have the same first ones.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from io import StringIO
from itertools import chain, islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algdim.arguments import check_arguments
from algdim.display.blocks import Block, TableBlock
from algdim.display.results import MOST_ROWS, Frame, Result
from algdim.errors import InputError, LimitError, join_names
from algdim.exact.draws import draw_seed, draw_words, open_stream
from algdim.families import describe_lack, find_sampling
from algdim.figures import format_count
from algdim.fitting.problems import convert_to_network
from algdim.models.anymodel import AnyModel
from algdim.readers.anything import ModelLike, read_model
from algdim.readers.files import read_state_labels

MOST_DRAWS = 50_000_000
"""Cases times variables."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Simulation(Result):
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
        for row in chain([self.columns], self.rows()):
            line = StringIO()
            csv.writer(line, lineterminator="").writerow(row)
            yield line.getvalue()

    def _summarise(self) -> str:
        return f"{format_count(len(self), 'case')} of {join_names(self.columns)}, seed {self.seed}"

    def _show(self) -> Iterator[Block]:
        rows = [tuple(map(format_number, row)) for row in islice(self.rows(), MOST_ROWS)]
        more = [(f"… ({len(self)} in all)", *[""] * (len(self.columns) - 1))] if len(self) > MOST_ROWS else []
        yield TableBlock(tuple(self.columns), (*rows, *more), caption=f"seed {self.seed}")

    def _tabulate(self) -> Frame:
        return Frame(tuple(self.columns), tuple(self.rows()))

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """The cases one by one."""
        return zip(*(column.tolist() for column in self.columns.values()), strict=True)

    def to_dict(self) -> dict[str, Any]:
        return {"n": len(self), "seed": self.seed, "columns": {k: v.tolist() for k, v in self.columns.items()}}


def format_number(value: Any) -> str:
    """A state, a label or a value in a table."""
    return f"{value:.4g}" if isinstance(value, float) else str(value)


@check_arguments
def simulate(
    model: ModelLike,
    at: str | os.PathLike[str] | dict[str, Any],
    n: int,
    *,
    format: str | None = None,  # noqa: A002
    hidden: Iterable[str] = (),
    seed: int | str = 0,
) -> Simulation:
    """Draw cases from a model at given parameters.

    Parameters
    ----------
    model : text, path, dictionary, graph or model
        Whatever `algdim.model` reads.
    at : path or dictionary
        The parameters; with the JSON of a fit the cases have the labels of its data.
    n : int
        The number of cases.
    format : str, optional
        How a file or a text is written, such as "lavaan" or "dagitty"; without it the suffix of a path tells.
    hidden : names
        Variables that are not observed, in addition to those that the model declares hidden.
    seed : int or str
        The seed of all draws; "random" takes one from the system.

    Returns
    -------
    Simulation
        The states or values of the observed variables, by name.

    Examples
    --------
    >>> simulate("A -> B", {"A": [[0, 1]], "B": [[1, 0], [0, 1]]}, 3)["B"].tolist()
    [1, 1, 1]
    """
    found: Any = convert_to_network(read_model(model, format=format, hidden=hidden))
    sampling = find_sampling(found.family)
    if sampling is None:
        raise InputError(describe_lack(found.family, "simulated", "sampling"))
    if isinstance(n, bool) or not isinstance(n, int) or n < 1:
        raise InputError(f"{n!r} cases cannot be drawn; an integer from 1 is allowed")
    if n * len(found.variables) > MOST_DRAWS:
        raise LimitError(
            f"{n} cases of {len(found.variables)} variables are {n * len(found.variables)} draws; at most {MOST_DRAWS} are allowed"
        )
    seed = draw_seed(seed)
    columns = sampling.draw(found, at, n, seed)
    return Simulation(found, label_columns(columns, at) if sampling.has_states else columns, seed)


def label_columns(
    columns: dict[str, NDArray[Any]], at: str | os.PathLike[str] | dict[str, Any]
) -> dict[str, NDArray[Any]]:
    """The columns with the labels that a fit's data had, where these are not the numbers of the states."""
    known = {name: labels for name, labels in read_state_labels(at).items() if name in columns}
    known = {name: labels for name, labels in known.items() if labels != tuple(map(str, range(len(labels))))}
    for name, labels in known.items():
        if columns[name].max() >= len(labels):
            raise InputError(f"{name}: the fit has the {len(labels)} states {join_names(labels)}; the model has more")
    return columns | {name: np.array(labels)[columns[name]] for name, labels in known.items()}


Numbers = NDArray[np.float64]
States = NDArray[np.int64]

GREATEST_RATE = 1e5


def draw_uniforms(seed: int | str, label: str, count: int) -> Numbers:
    """Uniform numbers from 0 on, below 1: 53 bits, so that the number below 1 is exact."""
    return np.asarray(
        (draw_words(open_stream(seed, "simulate", label), count, 64) >> np.uint64(11)).astype(np.float64) / 2.0**53
    )


def draw_normals(seed: int | str, label: str, count: int) -> Numbers:
    """Standard normal numbers, by Box and Muller."""
    drawn = draw_uniforms(seed, label, 2 * count)
    return np.asarray(np.sqrt(-2 * np.log1p(-drawn[:count])) * np.cos(2 * np.pi * drawn[count:]))


def draw_poissons(seed: int | str, label: str, rates: Numbers) -> States:
    """Poisson numbers with these rates, by going up from 0 until the distribution function is passed."""
    if (rates > GREATEST_RATE).any():
        raise InputError(f"a rate is {rates.max():g}; up to {GREATEST_RATE:g} are drawn")
    left = draw_uniforms(seed, label, len(rates))
    # in logarithms, as e^−rate may be 0
    logs, value = -rates, np.zeros(len(rates), dtype=np.int64)
    open_ = np.ones(len(rates), dtype=np.bool_)
    last = int(rates.max(initial=0.0) + 40 * np.sqrt(rates.max(initial=0.0)) + 60)
    for k in range(1, last):
        left = left - np.exp(logs)
        open_ &= left >= 0
        if not open_.any():
            break
        value[open_] = k
        with np.errstate(divide="ignore"):
            logs = logs + np.log(rates) - np.log(k)
    return value


def select_row_states(rows: Numbers, row: NDArray[np.intp] | States, uniform: Numbers) -> States:
    """The state of each case by its row of a table; a state of probability 0 is never drawn."""
    bounds = np.cumsum(rows, axis=1)
    bounds[:, -1] = 1.0
    state = np.zeros(len(uniform), dtype=np.int64)
    for below in bounds[:, :-1].T:
        state += uniform >= below[row]
    last_possible = rows.shape[1] - 1 - np.argmax(rows[:, ::-1] > 0, axis=1)
    return np.asarray(np.minimum(state, last_possible[row]))


def compute_symmetric_root(matrix: NDArray[np.float64], what: str) -> NDArray[np.float64]:
    """A symmetric root of a covariance matrix."""
    values, vectors = np.linalg.eigh(matrix)
    if values.min() < -1e-9 * max(1.0, float(values.max())):
        raise InputError(f"{what} are no covariance matrix: it has the eigenvalue {values.min():.4g}, none is negative")
    return np.asarray((vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T)


def expand_table_rows(rows: list[list[float]], name: str) -> NDArray[np.float64]:
    """The rows of a table whose last entries are what is left."""
    found = np.array([[*row, 1 - sum(row)] for row in rows])
    if (found < -1e-9).any():
        raise InputError(f"{name}: the entries of a row are from 0 to 1 and add up to 1")
    return np.asarray(np.maximum(found, 0.0), dtype=np.float64)


SUMMANDS = 12
"""This many uniform numbers less 6 are about standard normal."""


def draw_start_uniforms(seed: int | str, numbers: range, size: int) -> Numbers:
    """Start × number: uniform between 0 and 1, both excluded."""
    drawn = np.array([draw_words(open_stream(seed, "start", number), size, 32) for number in numbers])
    return np.asarray((drawn + 0.5) / 2.0**32).reshape(len(numbers), size)


def convert_to_normals(drawn: Numbers) -> Numbers:
    """About standard normal numbers from twelve times as many uniform ones."""
    return np.asarray(drawn.reshape(len(drawn), SUMMANDS, -1).sum(axis=1) - SUMMANDS / 2)
