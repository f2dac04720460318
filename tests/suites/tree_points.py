"""Exact parameters of latent trees, and how each step of a reduction carries them over, in both directions.

A point is a rooted tree with tables of fractions. Nothing here is taken from algdim but the names in a step: what a step
does to the parameters is written out from the lemma "capping", the observed distribution is a sum over all states.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product


@dataclass(frozen=True)
class Point:
    """States by variable, which are observed, the root and its distribution, and a table for each edge away from it."""

    states: dict
    observed: frozenset
    root: str
    prior: list
    tables: dict

    def children(self, name):
        """The variables below another one."""
        return [child for parent, child in self.tables if parent == name]


def random_row(source, length):
    """Positive fractions that sum to 1."""
    weights = [source.randint(1, 9) for _ in range(length)]
    return [Fraction(weight, sum(weights)) for weight in weights]


def random_point(states, observed, neighbours, root, seed):
    """Random tables along the edges away from the root."""
    source = random.Random(seed)
    tables, waiting, seen = {}, [root], {root}
    while waiting:
        name = waiting.pop()
        for other in neighbours[name]:
            if other not in seen:
                seen.add(other)
                waiting.append(other)
                tables[name, other] = [random_row(source, states[other]) for _ in range(states[name])]
    assert seen == set(states), "the tree is connected"
    return Point(dict(states), frozenset(observed), root, random_row(source, states[root]), tables)


def distribution(point):
    """The probability of every observed cell, a cell being a set of pairs of a name and a state."""

    def beyond(name):
        """For each state of the variable, what is seen of it and of what is below."""
        found = []
        below = [(child, beyond(child)) for child in point.children(name)]
        for state in range(point.states[name]):
            cells = {frozenset([(name, state)] if name in point.observed else []): Fraction(1)}
            for child, seen in below:
                mixed = {}
                for weight, part in zip(point.tables[name, child][state], seen, strict=True):
                    for cell, chance in part.items():
                        mixed[cell] = mixed.get(cell, 0) + weight * chance
                cells = {one | other: a * b for (one, a), (other, b) in product(cells.items(), mixed.items())}
            found.append(cells)
        return found

    total = {}
    for weight, part in zip(point.prior, beyond(point.root), strict=True):
        for cell, chance in part.items():
            total[cell] = total.get(cell, 0) + weight * chance
    assert sum(total.values()) == 1
    return total


def path_to(point, name):
    """The variables from the root to another one."""
    above = {child: parent for parent, child in point.tables}
    found = [name]
    while found[-1] != point.root:
        found.append(above[found[-1]])
    return found[::-1]


def normal(weights):
    """The weights divided by their sum, or a uniform row if they are zero."""
    total = sum(weights)
    return [weight / total for weight in weights] if total else [Fraction(1, len(weights))] * len(weights)


def rerooted(point, name):
    """The same distribution of all variables, with another root."""
    for old, new in zip(path_to(point, name), path_to(point, name)[1:], strict=False):
        joint = [[a * b for b in row] for a, row in zip(point.prior, point.tables[old, new], strict=True)]
        columns = [list(column) for column in zip(*joint, strict=True)]
        tables = {edge: table for edge, table in point.tables.items() if edge != (old, new)}
        tables[new, old] = [normal(column) for column in columns]
        point = replace(point, root=new, prior=[sum(column) for column in columns], tables=tables)
    return point


def indicator(state, length):
    """A row that is 1 at one state."""
    return [Fraction(int(place == state)) for place in range(length)]


def mixture(point, names, states):
    """The joint probability of states of some neighbours of the root, by state of the root."""
    found = []
    for root, weight in enumerate(point.prior):
        for name, state in zip(names, states, strict=True):
            weight *= point.tables[point.root, name][root][state]  # noqa: PLW2901  # a running product
        found.append(weight)
    return found


def without(point, name):
    """The tables in which a variable does not occur, and the states of the others."""
    tables = {edge: table for edge, table in point.tables.items() if name not in edge}
    return tables, {other: count for other, count in point.states.items() if other != name}


def carried(step, point):
    """The parameters of the smaller tree that give the same observed distribution."""
    point = rerooted(point, step.name)
    assert set(step.neighbours) == set(point.children(step.name))
    assert step.before == point.states[step.name]
    if step.kind == "capped":
        return capped(step, point)
    tables, states = without(point, step.name)
    if step.kind == "deleted":
        (other,) = step.neighbours
        prior = [sum(mixture(point, [other], [state])) for state in range(states[other])]
        return Point(states, point.observed, other, prior, tables)
    one, other = step.neighbours
    joint = [[sum(mixture(point, [one, other], [a, b])) for b in range(states[other])] for a in range(states[one])]
    tables[one, other] = [normal(row) for row in joint]
    return Point(states, point.observed, one, [sum(row) for row in joint], tables)


def capped(step, point):
    """H becomes the joint state of all its neighbours but a largest one, which stays random given H."""
    largest = max(step.neighbours, key=lambda name: point.states[name])
    others = [name for name in step.neighbours if name != largest]
    joint = list(product(*(range(point.states[name]) for name in others)))
    assert len(joint) == step.after
    tables, states = without(point, step.name)
    for place, name in enumerate(others):
        tables[step.name, name] = [indicator(cell[place], states[name]) for cell in joint]
    given = []
    for cell in joint:
        weights = mixture(point, others, cell)
        columns = zip(*point.tables[step.name, largest], strict=True)
        given.append([sum(a * b for a, b in zip(weights, column, strict=True)) for column in columns])
    tables[step.name, largest] = [normal(row) for row in given]
    return Point({**states, step.name: step.after}, point.observed, step.name, [sum(row) for row in given], tables)


def embedded(step, point):
    """The parameters of the larger tree that give the same observed distribution."""
    states = {**point.states, step.name: step.before}
    if step.kind == "deleted":
        (other,) = step.neighbours
        row = normal([Fraction(1)] * step.before)
        tables = {**point.tables, (other, step.name): [row] * states[other]}
        return replace(point, states=states, tables=tables)
    if step.kind == "capped":
        point = rerooted(point, step.name)
        spare = step.before - step.after
        tables = {
            (parent, child): table + ([normal([Fraction(1)] * states[child])] * spare if parent == step.name else [])
            for (parent, child), table in point.tables.items()
        }
        return Point(states, point.observed, step.name, point.prior + [Fraction(0)] * spare, tables)
    small, large = sorted(step.neighbours, key=lambda name: states[name])
    assert states[small] <= step.before
    point = rerooted(point, small)
    spare = step.before - states[small]
    tables = {edge: table for edge, table in point.tables.items() if edge != (small, large)}
    tables[step.name, small] = [indicator(min(state, states[small] - 1), states[small]) for state in range(step.before)]
    tables[step.name, large] = point.tables[small, large] + [normal([Fraction(1)] * states[large])] * spare
    return Point(states, point.observed, step.name, point.prior + [Fraction(0)] * spare, tables)
