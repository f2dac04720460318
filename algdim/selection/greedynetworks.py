"""Greedy search over networks without hidden variables by the marginal likelihood of complete data, BD (CH96 §5).

The score of a network is a sum of one term for each variable, which depends on the variable and its parents alone. So a
change of an edge changes one term or two, and every term is computed once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from math import prod

import numpy as np

from algdim.errors import InputError
from algdim.families.discrete.model import Network, Variable, cycle_of
from algdim.fitting.priors import Prior
from algdim.fitting.samples import Sample
from algdim.scores.dirichlet import gamma_ratio

MOST_ENTRIES = 1 << 16
"""No table gets more."""
LEAST_GAIN = 1e-9

Parents = dict[int, frozenset[int]]


@dataclass(frozen=True, slots=True, eq=False)
class Terms:
    """The terms of complete data, each computed once."""

    sample: Sample
    prior: Prior
    known: dict[tuple[int, frozenset[int]], float] = field(default_factory=dict)

    @property
    def sizes(self) -> list[int]:
        """The states of each variable."""
        return [len(states) for states in self.sample.states]

    def __call__(self, child: int, parents: frozenset[int]) -> float:
        """Log of the probability of one variable's data given its parents' (CH96 Eq. 5, the factor i)."""
        if (child, parents) not in self.known:
            self.known[child, parents] = self._computed(child, sorted(parents))
        return self.known[child, parents]

    def _computed(self, child: int, parents: list[int]) -> float:
        """Count the states of the child under each condition that occurs; the others contribute nothing."""
        rows = np.zeros(len(self.sample.counts), dtype=np.int64)
        for parent in parents:
            rows = rows * self.sizes[parent] + self.sample.patterns[:, parent]
        shown, where = np.unique(rows, return_inverse=True)
        states = self.sizes[child]
        places = where.ravel() * states + self.sample.patterns[:, child]
        counts = np.bincount(places, self.sample.counts, len(shown) * states).astype(np.float64).reshape(-1, states)
        alpha = float(self.prior.alpha((prod(self.sizes[parent] for parent in parents), states)).flat[0])
        per_row = gamma_ratio(np.full(len(shown), states * alpha), states * alpha + counts.sum(axis=1))
        return float(per_row.sum() + gamma_ratio(alpha + counts, np.full(counts.shape, alpha)).sum())


def greedy_network(sample: Sample, prior: Prior) -> Network:
    """From no edges, the change of one edge (added, removed, turned) that gains most, until none gains anything.

    >>> patterns, counts = np.array([[0, 0], [0, 1], [1, 0], [1, 1]]), np.array([40.0, 5.0, 5.0, 40.0])
    >>> data = Sample(("A", "B"), (("0", "1"), ("0", "1")), patterns, counts)
    >>> len(greedy_network(data, Prior("ess", 1.0)).edges)
    1
    """
    if sample.has_missing:
        raise InputError("entries are missing; networks without hidden variables are searched with complete data")
    terms = Terms(sample, prior)
    parents: Parents = {number: frozenset() for number in range(len(sample.names))}
    gain = partial(gain_of, terms, parents)
    while True:
        change = max(changes(parents, terms.sizes), key=gain, default=None)
        if change is None or gain(change) <= LEAST_GAIN:
            return network_of(sample, parents)
        parents.update(change)


def gain_of(terms: Terms, parents: Parents, change: Parents) -> float:
    """What a change of some variables' parents gains."""
    return sum(terms(child, after) - terms(child, parents[child]) for child, after in change.items())


def changes(parents: Parents, sizes: list[int]) -> Iterator[Parents]:
    """All changes of one edge that leave no cycle and no table that is too large."""

    def allowed(change: Parents) -> bool:
        after = {**parents, **change}
        small = all(sizes[child] * prod(sizes[one] for one in above) <= MOST_ENTRIES for child, above in change.items())
        return small and not cycle_of({str(child): [str(one) for one in above] for child, above in after.items()})

    for child in parents:
        for other in parents:
            if other == child:
                continue
            if other not in parents[child]:
                found: list[Parents] = [{child: parents[child] | {other}}]
            else:
                removed = {child: parents[child] - {other}}
                found = [removed, {**removed, other: parents[other] | {child}}]
            yield from filter(allowed, found)


def network_of(sample: Sample, parents: Parents) -> Network:
    """The network with these parents."""
    return Network(
        tuple(
            Variable(
                name, len(sample.states[child]), parents=tuple(sample.names[one] for one in sorted(parents[child]))
            )
            for child, name in enumerate(sample.names)
        )
    )
