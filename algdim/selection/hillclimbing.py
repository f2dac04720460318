"""Hill-climbing over the states of the hidden variables of a tree (KZ02 §6)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from math import prod
from typing import Any, TypeVar

from algdim.errors import InputError, listed
from algdim.families import scoring
from algdim.families.discrete.model import Network
from algdim.families.discrete.trees import LatentTree, latent_tree

T = TypeVar("T")

FIRST_STATES = 2


def climbed(model: Any, assess: Callable[[Network], T], best: Callable[[Sequence[T]], T]) -> list[T]:
    """From two states of every hidden variable, one state more wherever that is best, until nothing is better.

    ``assess`` is asked once of every candidate, ``best`` which of some assessments is preferred. All are returned. No
    hidden variable gets more states than its neighbours can use (KZ02 Lemma 4.1).
    """
    tree = latent_tree(model) if scoring(model.family).is_network else None
    if tree is None:
        raise InputError("the tree: hidden variables with free tables are expected, one parent each, observed leaves")
    lonely = [name for name, others in tree.neighbours.items() if name in tree.hidden and len(others) < 2]
    if lonely:
        raise InputError(f"the hidden {listed(lonely)} joins nothing; leave it out of the tree")
    here = with_states(model, dict.fromkeys(tree.hidden, FIRST_STATES))
    found = [assess(here)]
    now = found[0]
    while True:
        nearby = [(candidate, assess(candidate)) for candidate in larger(here)]
        found += [one for _, one in nearby]
        then = best([now, *(one for _, one in nearby)])
        if then is now:
            return found
        here, now = next((candidate, one) for candidate, one in nearby if one is then)


def larger(model: Network) -> Iterator[Network]:
    """The trees with one state more of one hidden variable, as long as none has more than its neighbours can use.

    >>> from algdim.models.notation import parse, to_text
    >>> [to_text(tree) for tree in larger(parse("2(2,2(2,2))"))]
    ['2(2,3(2,2))']
    """
    for variable in model.hidden:
        candidate = with_states(model, {variable.name: variable.states + 1})
        tree = latent_tree(candidate)
        if tree is not None and not has_excess(tree):
            yield candidate


def has_excess(tree: LatentTree) -> bool:
    """Whether a hidden variable has more states than its neighbours can use: all their states but the greatest number."""
    states = {**tree.hidden, **tree.observed}
    around = {name: [states[other] for other in tree.neighbours[name]] for name in tree.hidden}
    return any(tree.hidden[name] > prod(sizes) // max(sizes) for name, sizes in around.items())


def with_states(model: Network, states: dict[str, int]) -> Network:
    """The model with other numbers of states."""
    return replace(
        model,
        variables=tuple(one.with_states(states.get(one.name, one.states)) for one in model.variables),
    )
