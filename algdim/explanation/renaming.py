"""Models that are the same but for names and order (lemma "renaming" in proofs/lemmas.md).

Free names are those of hidden variables, of shares, of equal entries and of formulas' parameters; no order means anything:
of variables, of parents (a function of parents is symmetric), of the states of a hidden variable between tables.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice, permutations, product
from typing import Any

from algdim.families import renaming
from algdim.families.contract import Names, Orders, Renaming
from algdim.models.anymodel import AnyModel

MOST_TRIED = 5000
"""So many ways to name hidden variables, and to order their states, are tried at most."""
MOST_COLOURED = 3000
"""In larger models hidden variables keep their names."""


def renamed(first: AnyModel, second: AnyModel) -> tuple[str, ...] | None:
    """How names and states of the first model's hidden variables have to be changed to give the second; ``None`` if none will do.

    >>> from algdim.models.notation import parse
    >>> renamed(parse("2:2,2"), parse("G -> X2, X1; hidden G"))
    ('G stands for H',)
    >>> renamed(parse("2:2,2"), parse("G -> X2, X1; hidden G; states G=3"))
    """
    if first == second:
        return ()
    if first.family != second.family:
        return None
    own = renaming(first.family)
    if own.same is not None:
        return () if own.same(first, second) else None
    mine, theirs = (list(hidden_names(model)) for model in (first, second))
    target = own.form(second, {name: name for name in theirs}, {})
    for names, orders in islice(namings(own, first, second, mine, theirs), MOST_TRIED):
        if own.form(first, names, orders) == target:
            return tuple(
                [f"{new} stands for {old}" for old, new in names.items() if old != new]
                + [f"the states of {names[name]} are numbered otherwise" for name in orders]
            )
    return None


def hidden_names(model: Any) -> Iterator[str]:
    """The names of hidden variables."""
    return (getattr(variable, "name", variable) for variable in model.hidden)


def namings(
    family: Renaming, first: Any, second: Any, mine: Sequence[str], theirs: Sequence[str]
) -> Iterator[tuple[Names, Orders]]:
    """The ways to name the hidden variables of the first model as those of the second that look alike, and order states."""
    if len(mine) != len(theirs):
        return
    if len(getattr(first, "variables", ())) > MOST_COLOURED:
        classes = [([name], [name]) for name in mine]
    else:
        colours = coloured(family, first, second)
        classes = []
        for colour in dict.fromkeys(colours[0][name] for name in mine):
            alike, others = (
                [name for name in names if known[name] == colour]
                for names, known in zip((mine, theirs), colours, strict=True)
            )
            classes.append((alike, others))
        if any(len(one) != len(other) for one, other in classes):
            return
    for chosen in product(*(permutations(other) for _, other in classes)):
        names = {
            old: new for (one, _), news in zip(classes, chosen, strict=True) for old, new in zip(one, news, strict=True)
        }
        for orders in family.orders(first):
            yield names, orders


def coloured(family: Renaming, *models: Any) -> list[dict[str, int]]:
    """A colour for each variable of each model such that variables that stand for each other have the same one."""
    links = [list(family.links(model)) for model in models]
    colours = [dict(family.looks(model)) for model in models]
    count = 0
    while True:
        numbers: dict[Any, int] = {}
        around: list[dict[str, list[Any]]] = [defaultdict(list) for _ in models]
        for near, edges, known in zip(around, links, colours, strict=True):
            for label, one, other in edges:
                near[one].append((label, 0, known[other]))
                near[other].append((label, 1, known[one]))
        colours = [
            {
                name: numbers.setdefault((colour, tuple(sorted(near[name], key=repr))), len(numbers))
                for name, colour in known.items()
            }
            for near, known in zip(around, colours, strict=True)
        ]
        # nothing new, or all are told apart
        if len(numbers) in (count, max(map(len, colours))):
            return colours
        count = len(numbers)
