"""Dirichlet priors of the rows of all tables: marginal likelihood of complete data, density, posterior.

A row in which entries are fixed has a Dirichlet distribution over what its other entries share of the rest. Rows that are
equal, as those that come to one leaf of a decision tree, are one row that has the prior once.

BDe takes the exponents from a prior network, α_ijk = S · q(X_i = k, Pa_i = j) (GHM96 §2; Heckerman, Geiger, Chickering 1995);
with it equivalent networks have equal marginal likelihoods. BDeu is the case of a prior network without edges and even tables.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import lgamma, log, pi
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algdim.errors import InputError, join_names
from algdim.families.discrete.map import ParamMap, get_param_map
from algdim.families.discrete.model import Network
from algdim.fitting.likelihood import Numbers, Tables, make_likelihood_evaluator
from algdim.fitting.maximization import BDEU, ML, Prior, TableEntries, select_tables
from algdim.fitting.problems import require_discrete_network
from algdim.fitting.record import convert_to_arrays
from algdim.fitting.samples import MISSING, Sample
from algdim.readers.anything import ModelLike
from algdim.readers.parameters import read_parameters

NOTHING = 1e-12
"""A rest below it is rounding."""


@dataclass(frozen=True, slots=True, eq=False)
class TablePrior:
    """The prior of one table's rows, those that are equal being one *leaf*."""

    number: int
    """Of the table among the arrays of the map."""
    leaf: NDArray[np.intp]
    """Per row its leaf."""
    alpha: Numbers
    """Leaf × state; 0 where an entry is fixed."""
    log_fixed: Numbers
    """Leaf × state: the logarithm of a fixed entry, 0 elsewhere."""
    rest: Numbers
    """Per leaf: what the entries that are not fixed add up to."""

    @property
    def free(self) -> NDArray[np.bool_]:
        """Leaf × state: whether the entry is not fixed."""
        return self.alpha > 0

    @property
    def first(self) -> NDArray[np.intp]:
        """The first row of each leaf."""
        return np.unique(self.leaf, return_index=True)[1]

    def of_leaves(self, table: Numbers) -> Numbers:
        """The values of the table, leaf × state."""
        return np.asarray(table.reshape(len(self.leaf), -1)[self.first])

    def by_leaves(self, counts: Numbers) -> Numbers:
        """Counts of the table, several × leaf × state."""
        rows = counts.reshape(len(counts), len(self.leaf), -1)
        return add_rows_by_leaf(rows, self.leaf, len(self.alpha)) if len(self.alpha) < len(self.leaf) else rows

    def geometric_mean(self, counts: Numbers) -> Numbers:
        """The entries' exp E log θ under the posterior that these counts make of the prior: row × state."""
        alpha = self.alpha + np.where(self.free, self.by_leaves(counts)[0], 0.0)
        means = np.exp(self.log_fixed)
        rows = np.broadcast_to(alpha.sum(axis=1, keepdims=True), alpha.shape)
        rest = np.broadcast_to(self.rest[:, None], alpha.shape)
        inside = self.free
        means[inside] = rest[inside] * np.exp(digamma(alpha[inside]) - digamma(rows[inside]))
        return np.asarray(means[self.leaf])

    def log_density(self, values: Numbers, *, softmax: bool = False) -> float:
        """Log of the density of the free entries of all rows, the last of each left out, or of their log-odds against it."""
        exponents = self.alpha - (0.0 if softmax else 1.0)
        shares = np.where(self.free, values / np.where(self.free, self.rest[:, None], 1.0), 1.0)
        some = self.free.any(axis=1)
        lost = 0.0 if softmax else float(np.log(self.rest[some]) @ (self.free[some].sum(axis=1) - 1))
        constant = add_log_gammas(self.alpha.sum(axis=1)) - add_log_gammas(self.alpha)
        return constant + float((exponents * np.log(shares)).sum()) - lost


@dataclass(frozen=True, slots=True, eq=False)
class Leaves:
    """The leaves of all tables one after the other: a score is then a few operations, however many tables there are."""

    alpha: Numbers
    """Per entry."""
    log_fixed: Numbers
    starts: NDArray[np.intp]
    """Per leaf its first entry."""
    rest: Numbers
    """Per leaf."""
    own: float
    """What of the marginal likelihood does not depend on counts."""

    @property
    def free(self) -> NDArray[np.bool_]:
        """Whether the entry is not fixed."""
        return self.alpha > 0


@dataclass(frozen=True, slots=True, eq=False)
class Priors:
    """The priors of all tables of a map."""

    pmap: ParamMap
    tables: tuple[TablePrior, ...]
    rows: Leaves

    def log_marginal(self, counts: Tables) -> Numbers:
        """Log p(D′) of complete data with these counts (CH96 Eq. 5: Cooper and Herskovits, BDeu), which need not be whole."""
        several, rows, free = len(counts[0]), self.rows, self.rows.free
        if not self.tables:
            return np.zeros(several)
        whole = np.concatenate(
            [table.by_leaves(counts[table.number]).reshape(several, -1) for table in self.tables], axis=1
        )
        totals = np.add.reduceat(np.where(free, whole, 0.0), rows.starts, axis=1)
        alphas = np.add.reduceat(rows.alpha, rows.starts)
        some = alphas > 0
        per_row = totals[:, some] * np.log(rows.rest[some]) - log_gamma(alphas[some] + totals[:, some])
        per_entry = log_gamma(rows.alpha[free] + whole[:, free])
        fixed = multiply_by_logs(whole[:, ~free], rows.log_fixed[~free])
        return np.asarray(rows.own + per_row.sum(axis=1) + per_entry.sum(axis=1) + fixed.sum(axis=1))

    def log_likelihood(self, tables: Tables, counts: Tables) -> Numbers:
        """Log p(D′|θ) of complete data with these counts: Σ N log θ."""
        several, total = len(counts[0]), np.zeros(len(counts[0]))
        if self.tables:
            chances, numbers = (
                np.concatenate([of[table.number].reshape(len(of[table.number]), -1) for table in self.tables], axis=1)
                for of in (tables, counts)
            )
            with np.errstate(divide="ignore"):
                total = multiply_by_logs(numbers, np.log(chances)).reshape(several, -1).sum(axis=1)
        return total


def collect_leaves(tables: Sequence[TablePrior]) -> Leaves:
    """The leaves of all tables."""
    if not tables:
        return Leaves(np.zeros(0), np.zeros(0), np.zeros(0, dtype=np.intp), np.zeros(0), 0.0)
    alpha, log_fixed = (
        np.concatenate([part.ravel() for part in parts])
        for parts in ([table.alpha for table in tables], [table.log_fixed for table in tables])
    )
    widths = np.concatenate([np.full(len(table.alpha), table.alpha.shape[1]) for table in tables])
    starts = np.concatenate([[0], np.cumsum(widths)[:-1]]).astype(np.intp)
    alphas = np.add.reduceat(alpha, starts)
    own = log_gamma(alphas[alphas > 0]).sum() - log_gamma(alpha[alpha > 0]).sum()
    return Leaves(alpha, log_fixed, starts, np.concatenate([table.rest for table in tables]), float(own))


def add_rows_by_leaf(rows: Numbers, leaf: NDArray[np.intp], leaves: int) -> Numbers:
    """The sum of the rows of each leaf; rows are the last axis but one."""
    result = np.zeros((leaves, *rows.shape[:-2], rows.shape[-1]))
    np.add.at(result, leaf, np.moveaxis(rows, -2, 0))
    return np.moveaxis(result, 0, -2)


def evaluate_gamma_ratio(above: Numbers, below: Numbers) -> Numbers:
    """Log Γ(above) − log Γ(below)."""
    return log_gamma(above) - log_gamma(below)


STIRLING = (-3617 / 122400, 1 / 156, -691 / 360360, 1 / 1188, -1 / 1680, 1 / 1260, -1 / 360, 1 / 12)
"""B_2k / (2k (2k − 1)), the greatest k first."""
SHIFT = 8
"""From 8 on what follows these terms is below 10⁻¹⁵."""
FAR = 1e6
"""From here on no shift is needed, and the product of the steps could be too great for a float."""


def integrate_dirichlet(counts: Numbers, alpha: float) -> float:
    """Log marginal likelihood of the rows of a table."""
    totals, states = counts.sum(axis=1), counts.shape[1]
    rows = evaluate_gamma_ratio(np.full(len(counts), states * alpha), states * alpha + totals)
    return float(rows.sum() + evaluate_gamma_ratio(alpha + counts, np.full(counts.shape, alpha)).sum())


def log_gamma(values: Numbers) -> Numbers:
    """Log Γ of positive numbers: Stirling's series, SHIFT further where they are small.

    >>> log_gamma(np.array([1.0, 0.5, 100.0])).round(12).tolist()
    [0.0, 0.572364942925, 359.134205369575]
    """
    x = np.asarray(values, dtype=np.float64)
    small = np.where(x < FAR, x, 1.0)
    product, far = small.copy(), np.where(x < FAR, x + SHIFT, x)
    for step in range(1, SHIFT):
        product *= small + step
    inverse = 1 / far
    square = inverse * inverse
    series = np.full_like(far, STIRLING[0])
    for coefficient in STIRLING[1:]:
        series *= square
        series += coefficient
    return np.asarray(
        (far - 0.5) * np.log(far) - far + 0.5 * log(2 * pi) + series * inverse - np.where(x < FAR, np.log(product), 0.0)
    )


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


def add_log_gammas(values: Numbers) -> float:
    """Σ log Γ over the positive values."""
    return float(sum(lgamma(value) for value in values[values > 0].ravel()))


def multiply_by_logs(counts: Numbers, logs: Numbers) -> Numbers:
    """Count times logarithm, 0 where the count is."""
    return np.where(counts > 0, counts * np.where(counts > 0, logs, 0.0), 0.0)


def make_priors(pmap: ParamMap, prior: Prior) -> Priors:
    """The priors of a map's tables.

    >>> from algdim.families.discrete.map import get_param_map
    >>> from algdim.models.notation import parse
    >>> found = make_priors(get_param_map(parse("A -> B")), Prior("ess", 1.0))
    >>> [table.alpha.tolist() for table in found.tables]
    [[[0.5, 0.5]], [[0.25, 0.25], [0.25, 0.25]]]
    """
    if prior.kind == ML:
        raise InputError("a marginal likelihood needs a prior; take alpha=A (Dirichlet) or ess=S (BDeu)")
    tables = select_tables(pmap)
    alphas = {number: prior.alpha((cells.entries // cells.states, cells.states)) for number, cells in tables.items()}
    return make_exponent_priors(pmap, alphas, add_up=prior.kind == BDEU)


def make_exponent_priors(pmap: ParamMap, alphas: Mapping[int, Numbers], *, add_up: bool) -> Priors:
    """The priors with these exponents, row × state of each table; of rows that are equal they add up, or are taken once."""
    found, owners = [], dict[str, tuple[object, ...]]()
    for number, cells in select_tables(pmap).items():
        leaf, first = group_rows_by_leaf(cells, pmap.owners[number], owners)
        rows = alphas[number]
        alpha = add_rows_by_leaf(rows, leaf, len(first)) if add_up else rows[first]
        log_fixed, fixed = np.zeros(alpha.shape), np.zeros(alpha.shape)
        for place, value in cells.fixed:
            row, state = divmod(place, cells.states)
            alpha[leaf[row], state], fixed[leaf[row], state] = 0.0, value
            log_fixed[leaf[row], state] = np.log(value) if value > 0 else -np.inf
        rest = 1.0 - fixed.sum(axis=1)
        nothing = (rest < NOTHING)[:, None] & (alpha > 0)  # what is left of these rows can only be 0
        alpha[nothing], log_fixed[nothing] = 0.0, -np.inf
        found.append(TablePrior(number, leaf, alpha, log_fixed, rest))
    return Priors(pmap, tuple(found), collect_leaves(found))


def group_rows_by_leaf(
    cells: TableEntries, owner: str, owners: dict[str, tuple[object, ...]]
) -> tuple[NDArray[np.intp], list[int]]:
    """Per row its leaf, and the first row of each; ``owners`` collects where each name stands."""
    rows = cells.entries // cells.states
    if not cells.equal:
        return np.arange(rows), list(range(rows))
    marks: list[object] = [None] * cells.entries
    for place, value in cells.fixed:
        marks[place] = value
    for place, name in cells.equal:
        marks[place] = name
    leaf, first, known = [], list[int](), dict[tuple[object, ...], int]()
    for row in range(rows):
        found = tuple(marks[row * cells.states : (row + 1) * cells.states])
        names = [mark for mark in found if isinstance(mark, str)]
        here = (owner, found)
        if names and (found.count(None) > 1 or any(owners.setdefault(name, here) != here for name in names)):
            raise InputError(
                f"the table {owner} has names that tie single entries; marginal likelihoods are known where whole rows of a table "
                "are equal, as in decision trees"
            )
        if names and len(set(names)) < len(names):
            raise InputError(
                f"the table {owner} has equal entries in one row; no marginal likelihood is known for them"
            )
        number = known.setdefault(found, len(first)) if names else len(first)
        if number == len(first):
            first.append(row)
        leaf.append(number)
    return np.array(leaf, dtype=np.intp), first


Source = tuple[ModelLike, str | os.PathLike[str] | dict[str, Any]]
"""A model and its parameters."""


def derive_network_priors(pmap: ParamMap, source: Source, ess: float) -> Priors:
    """The priors of a map's tables from a prior network over the same variables, hidden ones included."""
    network = require_discrete_network(source[0])
    lacking = [
        variable.name for variable in pmap.model.variables if network.states.get(variable.name) != variable.states
    ]
    if lacking or network.given:
        raise InputError(
            f"the prior network says nothing of {join_names(lacking or network.given)}; "
            "it needs all variables of the model, with the same states, and conditions on none"
        )
    shown = replace(network, variables=tuple(replace(variable, observed=True) for variable in network.variables))
    prior_map = get_param_map(shown)
    tables = convert_to_arrays(prior_map, read_parameters(source[1], shown))
    alphas: dict[int, Numbers] = {}
    numbers = {owner: number for number, owner in enumerate(pmap.owners) if number in select_tables(pmap)}
    for variable in pmap.model.variables:
        number = numbers.get(getattr(variable.local, "share", None) or variable.name)
        if number is not None and variable.name not in pmap.model.given:
            family = (*variable.parents, variable.name)
            found = ess * compute_joint_distribution(prior_map, shown, tables, family).reshape(-1, variable.states)
            alphas[number] = alphas[number] + found if number in alphas else found
    for number, alpha in alphas.items():
        if not (alpha > 0).all():
            raise InputError(f"the prior network gives probability 0 to a row or an entry of {pmap.owners[number]}")
    return make_exponent_priors(pmap, alphas, add_up=True)


def compute_joint_distribution(pmap: ParamMap, model: Network, tables: Tables, names: tuple[str, ...]) -> Numbers:
    """The joint distribution of some variables, in their order."""
    where: Mapping[str, int] = {variable.name: number for number, variable in enumerate(model.observed)}
    sizes = tuple(model.states[name] for name in names)
    cells = np.indices(sizes).reshape(len(sizes), -1).T
    patterns = np.full((len(cells), len(where)), MISSING)
    patterns[:, [where[name] for name in names]] = cells
    labels = tuple(tuple(map(str, range(variable.states))) for variable in model.observed)
    every = Sample(tuple(where), labels, patterns, np.ones(len(cells)))
    return np.asarray(np.exp(make_likelihood_evaluator(pmap, every, 1).log_values(tables)[0]))
