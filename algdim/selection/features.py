"""Feature selection: which inputs a naive Bayes classifier should have, by a score of the class given them (HM97 §5)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from algdim.errors import InputError, listed
from algdim.families.classifier.model import Classifier
from algdim.families.discrete.model import Network, Variable
from algdim.fitting.columns import Columns
from algdim.fitting.samples import COUNT
from algdim.models.anymodel import AnyModel

T = TypeVar("T")

MOST_INPUTS = 18
"""Of a classifier: its log-odds have a row for each of their joint states."""


def of_columns(data: Columns, names: Sequence[str]) -> Columns:
    """Some of the columns, and the counts."""
    header = data.names or ()
    places = [k for k, name in enumerate(header) if name in names or name == COUNT]
    return replace(data, names=tuple(header[k] for k in places), columns=tuple(data.columns[k] for k in places))


def naive(label: Variable, inputs: Sequence[Variable]) -> AnyModel:
    """The naive Bayes classifier of a class with these inputs; without inputs the class alone."""
    if not inputs:
        return Network((label,))
    children = tuple(replace(one, parents=(label.name,)) for one in inputs)
    return Classifier(Network((label, *children)), label.name)


def features(
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
            f"the class {label!r}: a named column of the data is expected, with others beside it; there are {listed(by_name)}"
        )
    found: dict[frozenset[str], T] = {}

    def assessed(inputs: frozenset[str]) -> float:
        if inputs not in found:
            model = naive(by_name[label], [item for item in items if item.name in inputs])
            found[inputs] = assess(of_columns(data, [*inputs, label]), model)
        return value(found[inputs])

    here: frozenset[str] = frozenset()
    others = [item.name for item in items if item.name != label]
    while True:
        nearby = [here ^ {name} for name in others if name in here or len(here) < MOST_INPUTS]
        best = max([here, *nearby], key=assessed)
        if best == here:
            return list(found.values())
        here = best
