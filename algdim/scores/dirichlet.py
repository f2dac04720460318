"""Dirichlet priors of the rows of all tables: marginal likelihood of complete data, density, posterior.

A row in which entries are fixed has a Dirichlet distribution over what its other entries share of the rest.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import lgamma

import numpy as np
from numpy.typing import NDArray

from algdim.errors import InputError
from algdim.fitting.climbing import even_tables
from algdim.fitting.likelihood import Numbers, Tables
from algdim.fitting.maximization import tables_of
from algdim.fitting.priors import ML, Prior
from algdim.fitting.record import Rows
from algdim.maps.factors import ParamMap

NOTHING = 1e-12
"""A rest below it is rounding."""

log_gamma = np.frompyfunc(lgamma, 1, 1)


@dataclass(frozen=True, slots=True, eq=False)
class TablePrior:
    """The prior of one table's rows."""

    number: int
    """Of the table among the arrays of the map."""
    alpha: Numbers
    """Row × state; 0 where an entry is fixed."""
    log_fixed: Numbers
    """Row × state: the logarithm of a fixed entry, 0 elsewhere."""
    rest: Numbers
    """Per row: what the entries that are not fixed add up to."""

    @property
    def free(self) -> NDArray[np.bool_]:
        """Row × state: whether the entry is not fixed."""
        return self.alpha > 0

    def log_marginal(self, counts: Numbers) -> Numbers:
        """Log of the probability of complete data with these counts: several × row × state."""
        inside = np.where(self.free, counts, 0.0)
        alphas, totals = self.alpha.sum(axis=-1), inside.sum(axis=-1)
        some = alphas > 0
        per_row = np.zeros(totals.shape)
        per_row[..., some] = gamma_ratio(alphas[some], alphas[some] + totals[..., some])
        per_row[..., some] += totals[..., some] * np.log(self.rest[some])
        per_entry = np.zeros(counts.shape)
        per_entry[..., self.free] = gamma_ratio(self.alpha[self.free] + inside[..., self.free], self.alpha[self.free])
        per_entry[..., ~self.free] = times(counts[..., ~self.free], self.log_fixed[~self.free])
        return np.asarray(per_row.sum(axis=-1) + per_entry.sum(axis=(-2, -1)))

    def geometric_mean(self, counts: Numbers) -> Numbers:
        """Exp E log θ of each entry under the posterior that these counts make of the prior; row × state."""
        alpha = self.alpha + np.where(self.free, counts, 0.0)
        means = np.exp(self.log_fixed)
        rows = np.broadcast_to(alpha.sum(axis=1, keepdims=True), alpha.shape)
        rest = np.broadcast_to(self.rest[:, None], alpha.shape)
        inside = self.free
        means[inside] = rest[inside] * np.exp(digamma(alpha[inside]) - digamma(rows[inside]))
        return means

    def log_density(self, values: Numbers, *, softmax: bool = False) -> float:
        """Log of the density of the free entries of all rows, the last of each left out, or of their log-odds against it."""
        exponents = self.alpha - (0.0 if softmax else 1.0)
        shares = np.where(self.free, values / np.where(self.free, self.rest[:, None], 1.0), 1.0)
        some = self.free.any(axis=1)
        lost = 0.0 if softmax else float(np.log(self.rest[some]) @ (self.free[some].sum(axis=1) - 1))
        constant = gamma_sum(self.alpha.sum(axis=1)) - gamma_sum(self.alpha)
        return constant + float((exponents * np.log(shares)).sum()) - lost


@dataclass(frozen=True, slots=True, eq=False)
class Priors:
    """The priors of all tables of a map."""

    pmap: ParamMap
    tables: tuple[TablePrior, ...]

    def log_marginal(self, counts: Tables) -> Numbers:
        """Log p(D′) of complete data with these counts (CH96 Eq. 5: Cooper and Herskovits, BDeu), which need not be whole."""
        total = np.zeros(len(counts[0]))
        for table in self.tables:
            total += table.log_marginal(counts[table.number].reshape(-1, *table.alpha.shape))
        return total

    def log_likelihood(self, tables: Tables, counts: Tables) -> Numbers:
        """Log p(D′|θ) of complete data with these counts: Σ N log θ."""
        total = np.zeros(len(counts[0]))
        for table in self.tables:
            with np.errstate(divide="ignore"):
                logs = np.log(tables[table.number])
            total += times(counts[table.number], logs).reshape(len(total), -1).sum(axis=1)
        return total


def gamma_ratio(above: Numbers, below: Numbers) -> Numbers:
    """Log Γ(above) − log Γ(below)."""
    return np.asarray(log_gamma(above) - log_gamma(below), dtype=np.float64)


def digamma(values: Numbers) -> Numbers:
    """The derivative of log Γ: shifted beyond 10, where the asymptotic series is exact to rounding.

    >>> digamma(np.array([1.0, 0.5, 100.0])).round(12).tolist()
    [-0.577215664902, -1.963510026021, 4.600161852738]
    """
    total, x = np.zeros_like(values), values.copy()
    while (small := x < 10).any():
        total[small] -= 1 / x[small]
        x[small] += 1
    inverse = 1 / x**2
    series = np.zeros_like(x)
    for coefficient in (-1 / 12, 691 / 32760, -1 / 132, 1 / 240, -1 / 252, 1 / 120, -1 / 12):
        series = (series + coefficient) * inverse
    return np.asarray(total + np.log(x) - 0.5 / x + series)


def gamma_sum(values: Numbers) -> float:
    """Σ log Γ over the positive values."""
    return float(sum(lgamma(value) for value in values[values > 0].ravel()))


def times(counts: Numbers, logs: Numbers) -> Numbers:
    """Count times logarithm, 0 where the count is."""
    return np.where(counts > 0, counts * np.where(counts > 0, logs, 0.0), 0.0)


def priors_of(pmap: ParamMap, prior: Prior) -> Priors:
    """The priors of a map's tables.

    >>> from algdim.maps.factors import param_map
    >>> from algdim.models.notation import parse
    >>> found = priors_of(param_map(parse("A -> B")), Prior("ess", 1.0))
    >>> [table.alpha.tolist() for table in found.tables]
    [[[0.5, 0.5]], [[0.25, 0.25], [0.25, 0.25]]]
    """
    if prior.kind == ML:
        raise InputError("a marginal likelihood needs a prior; take alpha=A (Dirichlet) or ess=S (BDeu)")
    found = []
    for number, cells in tables_of(pmap).items():
        if cells.equal:
            raise InputError(
                f"the table {pmap.owners[number]} has equal entries; marginal likelihoods are known for tables that are free, "
                "shared, or fixed in part"
            )
        shape = (cells.entries // cells.states, cells.states)
        alpha, log_fixed, fixed = prior.alpha(shape).ravel(), np.zeros(cells.entries), np.zeros(cells.entries)
        for place, value in cells.fixed:
            alpha[place], fixed[place] = 0.0, value
            log_fixed[place] = np.log(value) if value > 0 else -np.inf
        rest = 1.0 - fixed.reshape(shape).sum(axis=1)
        nothing = np.repeat(rest < NOTHING, cells.states) & (alpha > 0)  # what is left of these rows can only be 0
        alpha[nothing], log_fixed[nothing] = 0.0, -np.inf
        found.append(TablePrior(number, alpha.reshape(shape), log_fixed.reshape(shape), rest))
    return Priors(pmap, tuple(found))


def arrays_of(pmap: ParamMap, rows: Mapping[str, Rows]) -> Tables:
    """The arrays of a map with these rows, those of deterministic nodes as they are; the first axis has length 1."""
    return [
        np.array(rows[owner], dtype=np.float64).reshape(1, *entries.shape) if owner in rows else table[None]
        for owner, entries, table in zip(pmap.owners, pmap.arrays, even_tables(pmap), strict=True)
    ]
