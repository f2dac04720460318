"""Three-step estimation: what classes that were found from items have to do with variables that were not among the items.

The first step fits the model, the second puts each case into its most probable class W. That class is often wrong, and how
often is known: P(W = s | class t), the mean of the cases' posterior probabilities of t that are put into s. The third step
takes this into account. For outcomes (distal variables) cases get the weights Σ_s [W = s] (D⁻¹)_st, D_ts = P(W = s | t),
which may be negative (Bolck, Croon and Hagenaars 2004; Vermunt 2010: BCH). For predictors of the class the likelihood
Σ_t P(t | z) D_ts is maximised, P(t | z) a multinomial logit (Vermunt 2010: ML). Standard errors take D as known.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isfinite, sqrt
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from algdim.display.results import Plain
from algdim.errors import InputError, join_names
from algdim.fitting.diagnostics import compute_memberships
from algdim.fitting.record import Fit
from algdim.fitting.samples import COUNT
from algdim.fitting.tabulardata import Columns, read_columns
from algdim.scores.goodness import compute_upper_tail

Numbers = NDArray[np.float64]

BCH, ML, NONE = "bch", "ml", "none"
CORRECTIONS = (BCH, ML, NONE)
MOST_LABELS = 20
MOST_STEPS = 200
LEAST_SINGULAR = 1e-6
LEAST_SPREAD = 1e-6
"""Of variances of estimates, to the greatest: below, Wald's test has no meaning."""
CLOSE = 1e-10


@dataclass(frozen=True, eq=False)
class Assignment:
    """The most probable class of each case, and how it depends on the true one."""

    name: str
    """The hidden variable."""
    modal: NDArray[np.intp]
    counts: Numbers
    """How often each case occurs."""
    errors: Numbers
    """D: true class × class that it is put into."""

    @property
    def classes(self) -> int:
        """Their number."""
        return len(self.errors)

    def compute_weights(self, correction: str) -> Numbers:
        """Case × class: BCH's weights, or without correction the indicator of the most probable class."""
        by_class = np.asarray(
            np.linalg.inv(self.errors) if correction == BCH else np.eye(self.classes), dtype=np.float64
        )
        return by_class[self.modal]


@dataclass(frozen=True, slots=True)
class ClassEstimate(Plain):
    """A number of one class, with its standard error: a mean, a share, or a log-odds coefficient."""

    _json: ClassVar[str] = "of state value error"

    of: str
    """What it is: `mean`, a label of the outcome, or the name of a coefficient."""
    state: int
    """The class."""
    value: float
    error: float


@dataclass(frozen=True, slots=True)
class ThirdStep(Plain):
    """What one further variable, or all predictors together, have to do with the classes."""

    _json: ClassVar[str] = "variable kind correction cases estimates wald dof p"

    variable: str
    kind: str
    """`mean`, `shares` or `predictors`."""
    correction: str
    cases: float
    estimates: tuple[ClassEstimate, ...]
    wald: float | None
    """Wald's statistic of no difference between the classes; ``None`` where the errors have no inverse, or some are 0."""
    dof: int

    @property
    def p(self) -> float | None:
        """Its upper tail under χ²."""
        return None if self.wald is None else compute_upper_tail(self.wald, self.dof)

    def iterate_lines(self) -> Iterator[str]:
        """A line for each number that is estimated, the classes side by side, with standard errors."""
        by: dict[str, list[ClassEstimate]] = {}
        for one in self.estimates:
            by.setdefault(one.of, []).append(one)
        test = "" if self.wald is None else f"   Wald {self.wald:.2f}, df {self.dof}, p = {self.p:.4f}"
        yield f"{self.variable}: {self.kind} by class, {self.correction}, {self.cases:g} cases{test}"
        for name, some in by.items():
            shown = "   ".join(f"{one.state}: {one.value:.4f} ± {one.error:.4f}" for one in some)
            yield f"  {name}   {shown}"


def assign_classes(data: Any, found: Fit, *, missing: bool = False) -> Assignment:
    """The second step: the most probable class of each row, and the table of its errors."""
    if found.identified is not None and found.identified.value is False:
        raise InputError(
            "parameters of the model are not identified, so that the data do not say who belongs together; fit fewer classes, or "
            "fix what algdim identify names"
        )
    memberships = compute_memberships(data, found, missing=missing)
    if len(memberships.shares) != 1:
        raise InputError(
            f"the hidden variables are {join_names(memberships.shares)}; the third step takes the classes of one"
        )
    ((name, shares),) = memberships.shares.items()
    counts = memberships.data.get(COUNT)
    weights = np.ones(len(shares)) if counts is None else np.array([float(value or 0) for value in counts])
    modal = shares.argmax(axis=1)
    joint = np.zeros((shares.shape[1], shares.shape[1]))
    np.add.at(joint.T, modal, shares * weights[:, None])
    errors = joint / joint.sum(axis=1, keepdims=True)
    if np.linalg.svd(errors, compute_uv=False)[-1] < LEAST_SINGULAR:
        raise InputError(
            f"the most probable classes of {name} do not tell the classes apart: some class is nobody's most probable one, or two "
            "are put into classes alike; fit fewer classes, or one model of items and outcome together"
        )
    return Assignment(name, modal, weights, errors)


def compare_classes(
    assigned: Assignment, data: Any, variables: Sequence[str], *, correction: str = BCH
) -> tuple[ThirdStep, ...]:
    """The third step for outcomes: means of columns of numbers, shares of the labels of others, class by class.

    >>> from algdim.fitting.fitting import fit
    >>> data = {name: [0] * 40 + [1] * 60 for name in "ABC"} | {"Z": [1] * 20 + [3] * 20 + [5] * 60}
    >>> assigned = assign_classes(data, fit(data, "H -> A, B, C; hidden H", identify=False))
    >>> sorted(round(one.value, 6) for one in compare_classes(assigned, data, ["Z"])[0].estimates)
    [2.0, 5.0]
    """
    check_correction(correction)
    table = read_columns(data)
    steps = []
    for name in variables:
        labels = find_column(table, name, assigned)
        known = np.array([label is not None for label in labels])
        numbers = read_numbers(labels)
        if numbers is not None and correction == ML:
            raise InputError(
                f"{name} has numbers: ML needs a distribution within classes; take bch, which needs none, or put the values into groups"
            )
        if numbers is not None:
            steps.append(estimate_means(name, "mean", ["mean"], numbers[:, None], known, assigned, correction))
            continue
        names = sorted({label for label in labels if label is not None})
        if not 2 <= len(names) <= MOST_LABELS:
            raise InputError(f"{name} has {len(names)} labels; 2 to {MOST_LABELS} are compared")
        values = np.array([[float(label == other) for other in names] for label in labels])
        steps.append(estimate_means(name, "shares", names, values, known, assigned, correction))
    return tuple(steps)


def check_correction(correction: str) -> None:
    """Refuse other words."""
    if correction not in CORRECTIONS:
        raise InputError(f"there is no correction {correction!r}; there are {join_names(CORRECTIONS)}")


def find_column(table: Columns, name: str, assigned: Assignment) -> list[str | None]:
    """The labels of a column, in the order of the cases that have classes."""
    if table.rows != len(assigned.modal):
        raise InputError(f"{table.source} has {table.rows} rows, and {len(assigned.modal)} cases have classes")
    header = table.names or ()
    if name not in header:
        raise InputError(f"{table.source}: there is no column {name}; there are {join_names(header)}")
    return table.columns[header.index(name)]


def read_numbers(labels: Sequence[str | None]) -> Numbers | None:
    """A column of numbers, 0 where one is missing; nothing if some label is no number."""
    try:
        numbers = [0.0 if label is None else float(label) for label in labels]
    except ValueError:
        return None
    return np.array(numbers) if all(map(isfinite, numbers)) else None


def estimate_means(
    variable: str,
    kind: str,
    names: Sequence[str],
    values: Numbers,
    known: NDArray[np.bool_],
    assigned: Assignment,
    correction: str,
) -> ThirdStep:
    """Weighted means in each class; shares are the means of indicators, and by ML those of the greatest likelihood."""
    weights = assigned.compute_weights(NONE if correction == NONE else BCH)
    times = assigned.counts * known
    totals = (weights * times[:, None]).sum(axis=0)
    if not (totals > 0).all():
        raise InputError(f"{variable}: some class has no cases with a value; fit fewer classes")
    means = np.einsum("nt,n,nj->tj", weights, times, values) / totals[:, None]
    if correction == ML and (means < 0).any():
        means = maximise_shares(values, times, assigned)
    # the influence of each case on each mean
    influence = weights[:, :, None] * (values[:, None, :] - means[None]) / totals[None, :, None]
    flat = influence.reshape(len(values), -1)
    covariance = np.einsum("n,na,nb->ab", times, flat, flat)
    errors = np.sqrt(np.diagonal(covariance)).reshape(means.shape)
    wald, dof = compare_means(means, covariance)
    estimates = tuple(
        ClassEstimate(name, state, float(means[state, place]), float(errors[state, place]))
        for place, name in enumerate(names)
        for state in range(assigned.classes)
    )
    return ThirdStep(variable, kind, correction, float(times.sum()), estimates, wald, dof)


def maximise_shares(values: Numbers, times: Numbers, assigned: Assignment) -> Numbers:
    """The shares that maximise Σ n_sz log Σ_t P(t, z) D_ts, by EM; where BCH's are none below 0 they are these."""
    counts = np.zeros((assigned.classes, values.shape[1]))
    np.add.at(counts, assigned.modal, values * times[:, None])
    joint = np.full(counts.shape, 1 / counts.size)
    for _ in range(MOST_STEPS * MOST_STEPS):
        expected = assigned.errors.T @ joint
        ratio = np.divide(counts, expected, out=np.zeros_like(counts), where=expected > 0) / counts.sum()
        then = joint * (assigned.errors @ ratio)
        moved, joint = float(np.abs(then - joint).max()), then
        if moved < CLOSE:
            break
    shares: Numbers = joint / joint.sum(axis=1, keepdims=True)
    return shares


def compare_means(means: Numbers, covariance: Numbers) -> tuple[float | None, int]:
    """Wald's test that all classes have the same means; of shares the last one follows from the others."""
    classes, width = means.shape
    kept = max(1, width - 1)
    rows = np.zeros(((classes - 1) * kept, classes * width))
    for state in range(1, classes):
        for place in range(kept):
            rows[(state - 1) * kept + place, [place, state * width + place]] = -1, 1
    spread = np.diagonal(covariance).reshape(means.shape)[:, :kept]
    if (spread < LEAST_SPREAD * spread.max()).any():
        return None, len(rows)  # a class in which nothing varies: no normal distribution is near
    return compute_wald(rows @ means.ravel(), rows @ covariance @ rows.T), len(rows)


def compute_wald(values: Numbers, covariance: Numbers) -> float | None:
    """The statistic, or nothing if the covariances have no inverse."""
    if not len(values) or np.linalg.matrix_rank(covariance, hermitian=True) < len(values):
        return None
    return float(values @ np.linalg.solve(covariance, values))


def regress_classes(assigned: Assignment, data: Any, predictors: Sequence[str], *, correction: str = ML) -> ThirdStep:
    """The third step for predictors: log-odds of each class relative to the first, linear in columns of numbers or labels.

    >>> from algdim.fitting.fitting import fit
    >>> data = {name: [0] * 40 + [1] * 60 for name in "ABC"} | {"Z": [0] * 30 + [1] * 10 + [0] * 20 + [1] * 40}
    >>> assigned = assign_classes(data, fit(data, "H -> A, B, C; hidden H", identify=False))
    >>> found = regress_classes(assigned, data, ["Z"])
    >>> round(abs(found.estimates[1].value), 4), found.dof  # the logarithm of (30 · 40) / (10 · 20)
    (1.7918, 1)
    """
    check_correction(correction)
    if correction == BCH:
        raise InputError("predictors of the class are corrected by ml, or not (none); bch is for outcomes")
    table = read_columns(data)
    names, columns = ["intercept"], [np.ones(len(assigned.modal))]
    known = np.ones(len(assigned.modal), dtype=bool)
    for name in predictors:
        labels = find_column(table, name, assigned)
        known &= np.array([label is not None for label in labels])
        numbers = read_numbers(labels)
        if numbers is not None:
            names, columns = [*names, name], [*columns, numbers]
            continue
        others = sorted({label for label in labels if label is not None})
        if len(others) > MOST_LABELS:
            raise InputError(f"{name} has {len(others)} labels; at most {MOST_LABELS} are predictors")
        for other in others[1:]:
            names.append(f"{name}={other}")
            columns.append(np.array([float(label == other) for label in labels]))
    design, times = np.column_stack(columns), assigned.counts * known
    if np.linalg.matrix_rank(design * (times > 0)[:, None]) < len(names):
        raise InputError(f"the predictors {join_names(names)} are linearly dependent; leave one out")
    errors = assigned.errors if correction == ML else np.eye(assigned.classes)
    weights, information = maximise_logit(design, times, errors[:, assigned.modal].T)
    covariance = np.linalg.inv(information)
    slopes = np.array(
        [row * len(names) + column for row in range(assigned.classes - 1) for column in range(1, len(names))]
    )
    wald = compute_wald(weights.ravel()[slopes], covariance[np.ix_(slopes, slopes)]) if len(slopes) else None
    spread = np.sqrt(np.diagonal(covariance)).reshape(weights.shape)
    estimates = tuple(
        ClassEstimate(name, state, float(weights[state - 1, place]), float(spread[state - 1, place]))
        for place, name in enumerate(names)
        for state in range(1, assigned.classes)
    )
    return ThirdStep(", ".join(predictors), "predictors", correction, float(times.sum()), estimates, wald, len(slopes))


def maximise_logit(design: Numbers, times: Numbers, seen: Numbers) -> tuple[Numbers, Numbers]:
    """The weights that maximise Σ n log Σ_t P(t | z) seen_t, and the observed information there; the first class has none."""
    cases, classes = seen.shape
    weights = np.zeros((classes - 1, design.shape[1]))

    def evaluate(at: Numbers) -> tuple[float, Numbers, Numbers]:
        scale = np.column_stack([np.zeros(cases), design @ at.T])
        scale -= scale.max(axis=1, keepdims=True)
        prior = np.exp(scale)
        prior /= prior.sum(axis=1, keepdims=True)
        joint = prior * seen
        total = joint.sum(axis=1)
        return float(times @ np.log(total)), prior, joint / total[:, None]

    def differentiate(prior: Numbers, posterior: Numbers) -> tuple[Numbers, Numbers]:
        slope = np.einsum("n,nt,np->tp", times, (posterior - prior)[:, 1:], design)
        spread = spread_out(prior) - spread_out(posterior)
        curve = np.einsum("n,nst,np,nq->sptq", times, spread[:, 1:, 1:], design, design, optimize=True)
        return slope, curve.reshape(weights.size, weights.size)

    value, prior, posterior = evaluate(weights)
    for _ in range(MOST_STEPS):
        slope, information = differentiate(prior, posterior)
        system = information
        if np.linalg.eigvalsh(system)[0] <= CLOSE * max(
            1.0, abs(np.trace(system))
        ):  # not concave here: Fisher's, of the prior
            spread = np.einsum("n,nst,np,nq->sptq", times, spread_out(prior)[:, 1:, 1:], design, design, optimize=True)
            system = spread.reshape(information.shape) + CLOSE * np.eye(len(information))
        step = np.linalg.solve(system, slope.ravel()).reshape(weights.shape)
        length = 1.0
        while (found := evaluate(weights + length * step))[0] < value and length > CLOSE:
            length /= 2
        gained = found[0] - value
        weights, (value, prior, posterior) = weights + length * step, found
        if gained < CLOSE and float(np.abs(slope).max()) < sqrt(CLOSE) * max(1.0, float(times.sum())):
            break
    _, information = differentiate(prior, posterior)
    if np.linalg.eigvalsh(information)[0] <= CLOSE * max(1.0, abs(np.trace(information))):
        raise InputError("the likelihood of the predictors has no maximum: they separate the classes; leave one out")
    return weights, information


def spread_out(shares: Numbers) -> Numbers:
    """The covariance of the indicators of the classes in each case: diag(p) − p pᵀ."""
    spread: Numbers = shares[:, :, None] * (np.eye(shares.shape[1]) - shares[:, None, :])
    return spread
