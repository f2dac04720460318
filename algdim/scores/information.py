"""How much the observed data tell of the parameters, at an estimate: the rank of the model there, in figures.

In the Fisher metric of complete data on the parameters, and that of the observed variables on their distributions, the singular
values of the Jacobian do not depend on coordinates. Their squares are the shares of the complete data's information that are left
when hidden variables are hidden: 1 where nothing is lost, 0 in a direction that does not move the distribution. All cells of the
observed table are taken at once, in models that have not too many; so is the divergence of two fits.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import prod, sqrt
from typing import Any, ClassVar

import numpy as np

from algdim.display.results import Plain
from algdim.errors import InputError, LimitError, describe_type
from algdim.families.discrete.locals.curves import check_tables
from algdim.families.discrete.map import ParamMap, get_param_map
from algdim.figures import format_integer
from algdim.fitting.likelihood import Numbers, Tables, make_likelihood_evaluator
from algdim.fitting.record import Fit, convert_to_arrays
from algdim.fitting.samples import Sample
from algdim.scores.curvature import MOST_ENTRIES, compute_entry_directions, compute_outer_products

TINY = 1e-200
"""Instead of an entry 0, whose information is infinite."""

LOST = 1e-10
"""A direction that is shorter depends on others."""


@dataclass(frozen=True, slots=True)
class Information(Plain):
    """The singular values, greatest first, at an estimate from this many cases."""

    _json: ClassVar[str] = "singular_values=values weakest weak=is_weak"

    values: tuple[float, ...]
    dimension: int
    size: float
    near: int = 0
    """This many entries are within 1/N of 0; with two states the other one is near 1, and not counted."""

    @property
    def weakest(self) -> float:
        """The last singular value that the dimension allows, over the first."""
        if not self.dimension:
            return 1.0
        return self.values[self.dimension - 1] / self.values[0] if self.values[0] else 0.0

    @property
    def is_weak(self) -> bool:
        """Whether the data cannot tell the model at the estimate from one of a smaller dimension."""
        return self.weakest < 1 / sqrt(self.size)

    def __str__(self) -> str:
        """One line, with a warning where it is due."""
        if not self.dimension:
            return "no parameters to tell"
        line = f"singular values at the estimate: {self.values[0]:.4g} … {self.values[self.dimension - 1]:.4g} (number {self.dimension})"
        if not self.is_weak:
            return line
        if self.near:
            entries = (
                "1 entry within 1/N of 0 makes"
                if self.near == 1
                else f"{format_integer(self.near)} entries within 1/N of 0 make"
            )
            return f"{line}; their ratio is below 1/√N, but {entries} singular values small: the dimension there need not be less"
        return f"{line}; WARNING: their ratio is below 1/√N, the dimension there may be less"


def compute_information(pmap: ParamMap, tables: Tables, dimension: int, size: float, near: int = 0) -> Information:
    """The singular values at one point, where this many entries are near 0; conditions count equally."""
    check_tables(pmap, "singular values are taken for tables")
    entries = sum(prod(array.shape) for array in pmap.arrays)
    if entries > MOST_ENTRIES:
        raise LimitError(
            f"the tables have {format_integer(entries)} entries; singular values are taken of up to {format_integer(MOST_ENTRIES)}"
        )
    cells = compute_cell_probabilities(pmap, tables)
    possible = cells.counts >= np.finfo(float).tiny  # smaller numbers have no reciprocal
    cells = replace(cells, patterns=cells.patterns[possible], counts=cells.counts[possible])
    at = make_likelihood_evaluator(pmap, cells, 1)
    _, expected = at.take_expectation(tables)
    rows = [np.broadcast_to(one.sum(axis=-1, keepdims=True), one.shape) for one in expected]
    masses, values = (np.concatenate([one.ravel() for one in each]) for each in (rows, tables))
    # complete data have the information mᵢ/θᵢ on an entry: an orthonormal basis of the parameters' directions in this metric
    roots = np.sqrt(masses / np.maximum(values, TINY))
    spanned = roots[:, None] * compute_entry_directions(pmap)
    lengths = np.sqrt((spanned**2).sum(axis=0))
    basis, lost, _ = np.linalg.svd(spanned[:, lengths > 0] / lengths[lengths > 0], full_matrices=False)
    inverse = np.divide(1.0, roots, out=np.zeros_like(roots), where=roots > 0)
    basis = inverse[:, None] * basis[:, lost > LOST]
    shares = np.linalg.eigvalsh(basis.T @ compute_outer_products(at, tables, entries) @ basis)[::-1]
    found = np.sqrt(np.clip(shares, 0.0, None)).tolist()
    return Information((*found, *[0.0] * (len(lengths) - len(found))), dimension, size, near)


MOST_CELLS = 1 << 16


def compute_cell_probabilities(pmap: ParamMap, tables: Tables) -> Sample:
    """All cells as patterns, the first variable slowest, their probabilities as counts; with conditions, under each."""
    if pmap.cells > MOST_CELLS:
        raise LimitError(
            f"the observed table has {format_integer(pmap.cells)} cells; up to {format_integer(MOST_CELLS)} are gone through one by one"
        )
    patterns = np.indices(pmap.shape).reshape(len(pmap.shape), pmap.cells).T
    names = tuple(variable.name for variable in pmap.model.observed)
    states = tuple(tuple(map(str, range(size))) for size in pmap.shape)
    every = Sample(names, states, patterns, np.ones(pmap.cells))
    return replace(every, counts=np.exp(make_likelihood_evaluator(pmap, every, 1).log_values(tables)[0]))


def divergence(first: Fit, second: Fit | Numbers) -> float:
    """The Kullback-Leibler divergence Σ p log(p / q) of a fit from another one, or from a table of probabilities.

    Both are distributions of the same observed variables in the same order. It is infinite where q is 0 and p is not.

    Parameters
    ----------
    first : Fit
        The fit that gives p.
    second : Fit or array
        The fit, or the table of probabilities with an axis for each variable, that gives q.

    Returns
    -------
    float
        The divergence, 0 or more.

    Examples
    --------
    >>> from algdim.fitting.fitting import fit
    >>> found = fit({"A": [0, 1]}, "states A=2")
    >>> round(divergence(found, [0.25, 0.75]), 6)
    0.143841
    """
    if not isinstance(first, Fit):
        raise InputError(f"a fit is expected first, as algdim.fit returns it, not {describe_type(first)}")
    p = compute_distribution(first)
    q = compute_distribution(second) if isinstance(second, Fit) else read_table(second)
    if p.shape != q.shape:
        raise InputError(f"the distributions have the shapes {p.shape} and {q.shape}; equal ones are expected")
    if not isinstance(second, Fit) and not ((q >= 0).all() and abs(q.sum() - 1) < 1e-9):
        raise InputError("the table is no distribution; entries from 0 on that add up to 1 are expected")
    with np.errstate(divide="ignore"):
        ratios = np.log(p[p > 0]) - np.log(q[p > 0])
    return float((p[p > 0] * ratios).sum())


def read_table(table: Any) -> Numbers:
    """A table of probabilities."""
    try:
        return np.asarray(table, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f"a fit or a table of probabilities is expected, not {describe_type(table)}") from None


def compute_distribution(of: Fit) -> Numbers:
    """The distribution of a fit, an axis for each observed variable."""
    if of.model.given:
        raise InputError("a model with conditions has no distribution of its own")
    pmap = get_param_map(of.model)
    return compute_cell_probabilities(pmap, convert_to_arrays(pmap, of.parameters)).counts.reshape(pmap.shape)
