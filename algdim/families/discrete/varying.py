"""Changes of a network that make good exercises: another item, other numbers of classes, a parameter that is known."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from algdim.families.discrete.locals.table import Table
from algdim.families.discrete.model import Network, Variable


def vary_network(model: Network) -> Iterator[tuple[str, Network]]:
    """Questions, and the network that each is about.

    >>> from algdim.models.notation import parse
    >>> [question for question, _ in vary_network(parse("3:2,2,2,2"))]
    ['What happens with one more item like X4?', 'What happens if H has 2 states?', 'What happens if X1 is not observed?']
    """
    hidden, observed = model.hidden, [one for one in model.observed if one.name not in model.given]
    leaves = (
        [one for one in observed if one.parents and not any(one.name in other.parents for other in model.variables)]
        if all(is_plain(one) for one in model.variables)
        else []
    )
    if hidden and leaves:
        last = leaves[-1]
        name = name_next(last.name, {one.name for one in model.variables})
        yield (
            f"What happens with one more item like {last.name}?",
            replace(model, variables=(*model.variables, Variable(name, last.states, True, last.parents))),
        )
    for one in hidden:
        if one.states > 2 and is_plain(one):
            yield (
                f"What happens if {one.name} has {one.states - 1} states?",
                replace(
                    model,
                    variables=tuple(v.with_states(v.states - 1) if v.name == one.name else v for v in model.variables),
                ),
            )
            break
    for one in observed[:1] if len(observed) > 2 else []:
        yield (
            f"What happens if {one.name} is not observed?",
            replace(
                model, variables=tuple(replace(v, observed=False) if v.name == one.name else v for v in model.variables)
            ),
        )


def is_plain(variable: Variable) -> bool:
    """Whether the variable has a table of its own without further conditions."""
    return variable.local == Table()


def name_next(name: str, known: set[str]) -> str:
    """A name that is not there yet.

    >>> name_next("X4", {"X4", "X5"}), name_next("Smoking", set())
    ('X6', 'Smoking2')
    """
    stem = name.rstrip("0123456789")
    number = int(name[len(stem) :] or 1) + 1
    while f"{stem}{number}" in known:
        number += 1
    return f"{stem}{number}"
