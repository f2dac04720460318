"""Which observed variables of a directed graph are separated by which, by moral graphs, and what independences imply.

Statements are elementary: a pair of variables and what is given. A ⊥ B | C is as much as all i ⊥ j | K with i in A, j in B
and C within K within all others of A, B and C; what follows by the rules of a semigraphoid is a closure of these.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, combinations
from typing import Any

Statement = tuple[frozenset[str], frozenset[str]]
"""A pair and what is given."""


def subsets(names: Iterable[str]) -> Iterable[tuple[str, ...]]:
    """All subsets."""
    listed = sorted(names)
    return chain.from_iterable(combinations(listed, size) for size in range(len(listed) + 1))


def parents_of(model: Any) -> dict[str, set[str]]:
    """The parents of all variables; a correlation of errors is a common parent."""
    if not hasattr(model, "bidirected"):
        return {variable.name: set(variable.parents) for variable in model.variables}
    found = {variable.name: {a for a, b in model.edges if b == variable.name} for variable in model.variables}
    for number, pair in enumerate(model.bidirected):
        common = f"between {number}"
        found[common] = set()
        for name in pair:
            found[name].add(common)
    return found


def has_cycle(parents: dict[str, set[str]]) -> bool:
    """Whether taking away variables without parents does not end with none."""
    left = {name: set(names) for name, names in parents.items()}
    while roots := [name for name, names in left.items() if not names & left.keys()]:
        for name in roots:
            del left[name]
    return bool(left)


def separated(model: Any, names: Sequence[str]) -> set[Statement]:
    """All elementary statements that the graph of a network implies."""
    parents = parents_of(model)
    found = set()
    for one, other in combinations(names, 2):
        for given in subsets(set(names) - {one, other}):
            if is_separated(parents, one, other, set(given)):
                found.add((frozenset((one, other)), frozenset(given)))
    return found


def is_separated(parents: dict[str, set[str]], one: str, other: str, given: set[str]) -> bool:
    """Whether no path joins two variables in the moral graph of the ancestors without what is given."""
    ancestors = {one, other, *given}
    while more := {parent for name in ancestors for parent in parents[name]} - ancestors:
        ancestors |= more
    beside: dict[str, set[str]] = {name: set() for name in ancestors}
    for name in ancestors:
        for a, b in combinations((name, *parents[name]), 2):
            beside[a].add(b)
            beside[b].add(a)
    reached, waiting = {one}, [one]
    while waiting:
        for name in beside[waiting.pop()] - reached - given:
            reached.add(name)
            waiting.append(name)
    return other not in reached


def elementary(one: Sequence[str], other: Sequence[str], given: Sequence[str]) -> Iterable[Statement]:
    """The elementary statements that an independence of sets is."""
    everything = {*one, *other}
    for a in one:
        for b in other:
            for more in subsets(everything - {a, b}):
                yield frozenset((a, b)), frozenset((*given, *more))


def closure(listed: Iterable[tuple[Sequence[str], Sequence[str], Sequence[str]]]) -> set[Statement]:
    """What independences imply: i ⊥ j | K and i ⊥ k | K ∪ j are as much as i ⊥ k | K and i ⊥ j | K ∪ k."""
    found = {one for triple in listed for one in elementary(*triple)}
    waiting = list(found)
    while waiting:
        pair, given = waiting.pop()
        for i in pair:
            (j,) = pair - {i}
            # with the given ones less k, and k with j given
            for k in given:
                less = given - {k}
                if (frozenset((i, k)), less) in found:
                    for new in ((frozenset((i, j)), less), (frozenset((i, k)), less | {j})):
                        if new not in found:
                            found.add(new)
                            waiting.append(new)
            for k in {name for other, _ in found for name in other} - pair - given:
                if (frozenset((i, k)), given | {j}) in found:
                    for new in ((frozenset((i, k)), given), (frozenset((i, j)), given | {k})):
                        if new not in found:
                            found.add(new)
                            waiting.append(new)
    return found
