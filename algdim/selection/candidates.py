"""Candidates: latent class models of some data, with no more classes than the items can use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from algdim.errors import InputError, join_names
from algdim.families.discrete.model import Network, Variable
from algdim.figures import remove_control_characters
from algdim.fitting.samples import (
    CALL_IT_COUNT,
    COUNT,
    LIKE_COUNT,
    find_missing_codes,
    format_missing_option,
    has_only_numbers,
    is_count_column,
)
from algdim.fitting.tabulardata import Columns
from algdim.readers.identifiers import make_notation_names

FEWEST_STATES = 2
FEW_LABELS = 10
"""This many labels may be an item's, however few the rows are."""
FEW_ROWS = 5
"""From this many rows on, rows without counts that all have another label are told apart by it."""
MANY_STATES = 20
"""An item with more is named."""


@dataclass(frozen=True, slots=True)
class Candidates:
    """Models to choose from, and what is to be said of how they came about."""

    models: tuple[Network, ...]
    notes: tuple[str, ...] = ()


def make_latent_classes(data: Columns, numbers: Sequence[int]) -> Candidates:
    """The latent class models of the data's columns with so many classes; the irregular ones are left out (KZ02 §3.2).

    >>> data = Columns(("A", "B", "C"), (["0", "1"], ["x", "y"], ["0", "1"]), "the data", 1)
    >>> found = make_latent_classes(data, [3, 4, 5])
    >>> [model.states["H"] for model in found.models], found.notes
    ([3, 4], ('more than 4 classes are equal to 4 classes (KZ02 Lemma 3.2); they are left out',))
    """
    fewest, most = min(numbers), max(numbers)
    if fewest < 1:
        raise InputError(f"{fewest} classes: numbers from 1 upward are expected, as 1..8")
    items = make_items(data)
    sizes = [item.states for item in items]
    cap = count_most_classes(items)
    if fewest > cap:
        raise InputError(
            f"from {cap} classes upward all models of {join_names(sizes)} states are equal (KZ02 Lemma 3.2); begin below"
        )
    name = choose_hidden_name({item.name for item in items})
    models = tuple(
        Network(
            (
                Variable(name, classes, observed=False),
                *(Variable(item.name, item.states, parents=(name,)) for item in items),
            )
        )
        for classes in sorted({min(number, cap) for number in numbers})
    )
    said = f"more than {cap} classes are equal to {cap} classes (KZ02 Lemma 3.2); they are left out"
    long = [f"{item.name} ({item.states})" for item in items if item.states > MANY_STATES]
    measured = (
        f"items with many states: {join_names(long)}; put the values of measurements into groups, or leave them out"
    )
    notes = (*((said,) if most > cap else ()), *((measured,) if long else ()), *describe_count_items(data))
    return Candidates(models, notes)


def count_most_classes(items: Sequence[Variable]) -> int:
    """From so many classes on all models of these items are equal (KZ02 Lemma 3.2).

    >>> count_most_classes([Variable("A", 2), Variable("B", 3), Variable("C", 3)])
    6
    """
    sizes = [item.states for item in items]
    return prod(sizes) // max(sizes)


def describe_count_items(data: Columns) -> tuple[str, ...]:
    """Notes on items that have a name of counts, and small numbers, of which nobody knows what they are."""
    return tuple(
        remove_control_characters(f"the {data.name(k)} is taken for an item; {CALL_IT_COUNT}")
        for k, name in enumerate(data.names or ())
        if name != COUNT and name.lower() in LIKE_COUNT and has_only_numbers(data.columns[k])
    )


def check_answers(data: Columns) -> None:
    """Refuse columns with what may stand for missing answers: `fit` has the model to say how many answers there are."""
    for k in range(len(data.columns)):
        stray = find_missing_codes({label for label in data.columns[k] if label is not None})
        if stray and (data.names is None or data.names[k] != COUNT):
            raise InputError(
                f"{data.source}: the {data.name(k)} has the answer {join_names(stray)}; if {join_names(stray)} "
                f"{'stands' if len(stray) == 1 else 'stand'} for a missing one, say so ({format_missing_option(stray)}); if not, say that all "
                "are answers (--all-answers, or all_answers=True)"
            )


def make_items(data: Columns) -> tuple[Variable, ...]:
    """A variable for each column, with as many states as it has labels, named as the column looks in the notation."""
    places = [k for k in range(len(data.columns)) if data.names is None or data.names[k] != COUNT]
    if not places or not data.rows:
        raise InputError(f"{data.source}: there are no columns with cases; at least one of each is expected")
    names = [f"X{number}" for number in range(1, len(places) + 1)]
    if data.names is not None:
        looks = list(make_notation_names(data.names).values())
        names = [looks[k] for k in places]
    labels = [{label for label in data.columns[k] if label is not None} for k in places]
    for k, found in zip(places, labels, strict=True):
        if data.names is not None and data.names[k].lower() in LIKE_COUNT and is_count_column(found):
            raise InputError(f"{data.source}: the {data.name(k)}: {CALL_IT_COUNT}")
        apart = len(found) == data.rows >= FEW_ROWS and len(places) == len(data.columns)
        if apart or len(found) > max(FEW_LABELS, data.rows // 2):
            name = "" if data.names is None else f"(--without {data.names[k]}) "
            raise InputError(
                f"{data.source}: the {data.name(k)} has {len(found)} different labels in {data.rows} rows; what tells rows "
                f"apart is no item: leave it out {name}or put its values into groups"
            )
    return tuple(Variable(name, max(FEWEST_STATES, len(found))) for name, found in zip(names, labels, strict=True))


def choose_hidden_name(taken: set[str]) -> str:
    """A name for the hidden variable.

    >>> choose_hidden_name({"A", "H"})
    'H1'
    """
    return next(name for name in ("H", *(f"H{number}" for number in range(1, len(taken) + 2))) if name not in taken)
