"""Strongly connected components of a directed graph, by names and edges."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence


def neighbours(names: Iterable[str], edges: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """To each name the names at the ends of its edges."""
    found: dict[str, list[str]] = {name: [] for name in names}
    for start, end in edges:
        found[start].append(end)
    return found


def finished(starts: Iterable[str], following: Mapping[str, Sequence[str]], seen: set[str]) -> list[str]:
    """What is reached from the starts and not yet seen, in the order in which a depth-first search leaves it."""
    left: list[str] = []
    for start in starts:
        if start in seen:
            continue
        seen.add(start)
        path = [(start, iter(following[start]))]
        while path:
            name, rest = path[-1]
            step = next((other for other in rest if other not in seen), None)
            if step is None:
                left.append(name)
                path.pop()
            else:
                seen.add(step)
                path.append((step, iter(following[step])))
    return left


def strong_components(names: Sequence[str], edges: Sequence[tuple[str, str]]) -> tuple[tuple[str, ...], ...]:
    """The strongly connected components, parents before children; one name each if there is no cycle.

    >>> strong_components(["A", "B", "C"], [("C", "A"), ("A", "B"), ("B", "A")])
    (('C',), ('A', 'B'))
    """
    place = {name: number for number, name in enumerate(names)}
    order = reversed(finished(names, neighbours(names, edges), set()))
    back = neighbours(names, [(end, start) for start, end in edges])
    seen: set[str] = set()
    found = [finished([name], back, seen) for name in order]
    return tuple(tuple(sorted(group, key=place.__getitem__)) for group in found if group)
