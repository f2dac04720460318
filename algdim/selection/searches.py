"""Searches for a model: inputs of a classifier, numbers of hidden states, networks without hidden variables.

Which inputs a naive Bayes classifier should have is said by a score of the class given them (HM97 §5). Over the states of
the hidden variables of a tree there is hill-climbing (KZ02 §6). Networks are found greedily by the marginal likelihood of
complete data, BD (CH96 §5): it is a sum of one term for each variable, which depends on the variable and its parents
alone. So a change of an edge changes one term or two, and every term is computed once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from math import prod
from typing import Any, TypeVar

import numpy as np

from algdim.errors import InputError, join_names
from algdim.families import load_scoring
from algdim.families.classifier.model import Classifier
from algdim.families.discrete.model import Network, Variable, find_cycle
from algdim.families.discrete.trees import LatentTree, find_latent_tree
from algdim.fitting.maximization import Prior
from algdim.fitting.samples import COUNT, Sample
from algdim.fitting.tabulardata import Columns
from algdim.models.anymodel import AnyModel
from algdim.scores.dirichlet import evaluate_gamma_ratio

T = TypeVar("T")

MOST_INPUTS = 18
"""Of a classifier: its log-odds have a row for each of their joint states."""


def select_columns(data: Columns, names: Sequence[str]) -> Columns:
    """Some of the columns, and the counts."""
    header = data.names or ()
    places = [k for k, name in enumerate(header) if name in names or name == COUNT]
    return replace(data, names=tuple(header[k] for k in places), columns=tuple(data.columns[k] for k in places))


def build_naive_bayes(label: Variable, inputs: Sequence[Variable]) -> AnyModel:
    """The naive Bayes classifier of a class with these inputs; without inputs the class alone."""
    if not inputs:
        return Network((label,))
    children = tuple(replace(one, parents=(label.name,)) for one in inputs)
    return Classifier(Network((label, *children)), label.name)


def select_features(
    data: Columns,
    items: Sequence[Variable],
    label: str,
    assess: Callable[[Columns, AnyModel], T],
    value: Callable[[T], float],
) -> list[T]:
    """From no inputs, the input added or removed that gains most, until none gains anything; all that was assessed."""
    by_name = {item.name: item for item in items}
    if data.names is None or label not in by_name or len(by_name) < 2:
        raise InputError(
            f"the class {label!r}: a named column of the data is expected, and at least one more; there are {join_names(by_name)}"
        )
    found: dict[frozenset[str], T] = {}

    def score_inputs(inputs: frozenset[str]) -> float:
        if inputs not in found:
            model = build_naive_bayes(by_name[label], [item for item in items if item.name in inputs])
            found[inputs] = assess(select_columns(data, [*inputs, label]), model)
        return value(found[inputs])

    here: frozenset[str] = frozenset()
    others = [item.name for item in items if item.name != label]
    while True:
        nearby = [here ^ {name} for name in others if name in here or len(here) < MOST_INPUTS]
        best = max([here, *nearby], key=score_inputs)
        if best == here:
            return list(found.values())
        here = best


FIRST_STATES = 2


def search_state_numbers(model: Any, assess: Callable[[Network], T], best: Callable[[Sequence[T]], T]) -> list[T]:
    """From two states of every hidden variable, one state more wherever that is best, until nothing is better.

    ``assess`` is asked once of every candidate, ``best`` which of some assessments is preferred. All are returned. No
    hidden variable gets more states than its neighbours can use (KZ02 Lemma 4.1).
    """
    tree = find_latent_tree(model) if load_scoring(model.family).is_network else None
    if tree is None:
        raise InputError("the tree: hidden variables with free tables are expected, one parent each, observed leaves")
    lonely = [name for name, others in tree.neighbours.items() if name in tree.hidden and len(others) < 2]
    if lonely:
        raise InputError(f"the hidden {join_names(lonely)} joins nothing; leave it out of the tree")
    here = replace_states(model, dict.fromkeys(tree.hidden, FIRST_STATES))
    found = [assess(here)]
    now = found[0]
    while True:
        nearby = [(candidate, assess(candidate)) for candidate in iterate_larger_trees(here)]
        found += [one for _, one in nearby]
        then = best([now, *(one for _, one in nearby)])
        if then is now:
            return found
        here, now = next((candidate, one) for candidate, one in nearby if one is then)


def iterate_larger_trees(model: Network) -> Iterator[Network]:
    """The trees with one state more of one hidden variable, as long as none has more than its neighbours can use.

    >>> from algdim.models.notation import parse, to_text
    >>> [to_text(tree) for tree in iterate_larger_trees(parse("2(2,2(2,2))"))]
    ['2(2,3(2,2))']
    """
    for variable in model.hidden:
        candidate = replace_states(model, {variable.name: variable.states + 1})
        tree = find_latent_tree(candidate)
        if tree is not None and not has_excess(tree):
            yield candidate


def has_excess(tree: LatentTree) -> bool:
    """Whether a hidden variable has more states than its neighbours can use: all their states but the greatest number."""
    states = {**tree.hidden, **tree.observed}
    around = {name: [states[other] for other in tree.neighbours[name]] for name in tree.hidden}
    return any(tree.hidden[name] > prod(sizes) // max(sizes) for name, sizes in around.items())


def replace_states(model: Network, states: dict[str, int]) -> Network:
    """The model with other numbers of states."""
    return replace(
        model,
        variables=tuple(one.with_states(states.get(one.name, one.states)) for one in model.variables),
    )


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
            self.known[child, parents] = self.compute_local_score(child, sorted(parents))
        return self.known[child, parents]

    def compute_local_score(self, child: int, parents: list[int]) -> float:
        """Count the states of the child under each condition that occurs; the others contribute nothing."""
        rows = np.zeros(len(self.sample.counts), dtype=np.int64)
        for parent in parents:
            rows = rows * self.sizes[parent] + self.sample.patterns[:, parent]
        shown, where = np.unique(rows, return_inverse=True)
        states = self.sizes[child]
        places = where.ravel() * states + self.sample.patterns[:, child]
        counts = np.bincount(places, self.sample.counts, len(shown) * states).astype(np.float64).reshape(-1, states)
        alpha = float(self.prior.alpha((prod(self.sizes[parent] for parent in parents), states)).flat[0])
        per_row = evaluate_gamma_ratio(np.full(len(shown), states * alpha), states * alpha + counts.sum(axis=1))
        return float(per_row.sum() + evaluate_gamma_ratio(alpha + counts, np.full(counts.shape, alpha)).sum())


def search_network(sample: Sample, prior: Prior) -> Network:
    """From no edges, the change of one edge (added, removed, turned) that gains most, until none gains anything.

    >>> patterns, counts = np.array([[0, 0], [0, 1], [1, 0], [1, 1]]), np.array([40.0, 5.0, 5.0, 40.0])
    >>> data = Sample(("A", "B"), (("0", "1"), ("0", "1")), patterns, counts)
    >>> len(search_network(data, Prior("ess", 1.0)).edges)
    1
    """
    if sample.has_missing:
        raise InputError("entries are missing; networks without hidden variables are searched with complete data")
    terms = Terms(sample, prior)
    parents: Parents = {number: frozenset() for number in range(len(sample.names))}
    gain = partial(compute_gain, terms, parents)
    while True:
        change = max(iterate_edge_changes(parents, terms.sizes), key=gain, default=None)
        if change is None or gain(change) <= LEAST_GAIN:
            return build_network(sample, parents)
        parents.update(change)


def compute_gain(terms: Terms, parents: Parents, change: Parents) -> float:
    """What a change of some variables' parents gains."""
    return sum(terms(child, after) - terms(child, parents[child]) for child, after in change.items())


def iterate_edge_changes(parents: Parents, sizes: list[int]) -> Iterator[Parents]:
    """All changes of one edge that leave no cycle and no table that is too large."""

    def is_allowed(change: Parents) -> bool:
        after = {**parents, **change}
        small = all(sizes[child] * prod(sizes[one] for one in above) <= MOST_ENTRIES for child, above in change.items())
        return small and not find_cycle({str(child): [str(one) for one in above] for child, above in after.items()})

    for child in parents:
        for other in parents:
            if other == child:
                continue
            if other not in parents[child]:
                found: list[Parents] = [{child: parents[child] | {other}}]
            else:
                removed = {child: parents[child] - {other}}
                found = [removed, {**removed, other: parents[other] | {child}}]
            yield from filter(is_allowed, found)


def build_network(sample: Sample, parents: Parents) -> Network:
    """The network with these parents."""
    return Network(
        tuple(
            Variable(
                name, len(sample.states[child]), parents=tuple(sample.names[one] for one in sorted(parents[child]))
            )
            for child, name in enumerate(sample.names)
        )
    )
