"""Gaussian models by textbook formulas, for comparison: no code of the engine is used.

Σ and μ are sums over treks, all directed paths being listed; with cycles they come from Leibniz' formula for the adjugate
and the determinant of I − B. Derivatives come with the numbers (dual numbers), ranks from elimination over the rationals.
"""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import permutations


class Dual:
    """A rational number with its derivatives by all parameters."""

    def __init__(self, value, slopes=None):
        """Take the value and a dictionary of the slopes that are not zero."""
        self.value, self.slopes = Fraction(value), slopes or {}

    def __add__(self, other):
        """Add the slopes."""
        slopes = dict(self.slopes)
        for name, slope in other.slopes.items():
            slopes[name] = slopes.get(name, 0) + slope
        return Dual(self.value + other.value, slopes)

    def __mul__(self, other):
        """Use the product rule."""
        slopes = {name: slope * other.value for name, slope in self.slopes.items()}
        for name, slope in other.slopes.items():
            slopes[name] = slopes.get(name, 0) + slope * self.value
        return Dual(self.value * other.value, slopes)

    def inverse(self):
        """Use the quotient rule."""
        return Dual(1 / self.value, {name: -slope / self.value**2 for name, slope in self.slopes.items()})


ZERO, ONE, MINUS = Dual(0), Dual(1), Dual(-1)


def product(factors):
    """Multiply."""
    result = ONE
    for factor in factors:
        result = result * factor
    return result


def total(summands):
    """Add up."""
    result = ZERO
    for summand in summands:
        result = result + summand
    return result


def entries(model):
    """List the numbers of a model, without the record's own list."""
    names = [variable.name for variable in model.variables]
    found = [("b", *edge) for edge in model.edges] + [("v", name) for name in names]
    found += [("c", *pair) for pair in model.bidirected]
    return found + ([("m", name) for name in names] if model.means else [])


def parameters(model):
    """Name what is free: an entry by itself, equal ones by their label."""
    fixed, labels = dict(model.fixed), dict(model.equal)
    given = fixed.keys() | dict(model.linear).keys()
    return list(dict.fromkeys(labels.get(entry, entry) for entry in entries(model) if entry not in given))


def numbers_at(model, point):
    """Give every entry its value, with the slope 1 by its parameter."""
    fixed, labels, linear = dict(model.fixed), dict(model.equal), dict(model.linear)
    found = {}
    for entry in entries(model):
        name = labels.get(entry, entry)
        if entry not in linear:
            found[entry] = Dual(fixed[entry]) if entry in fixed else Dual(point[name], {name: Fraction(1)})
    sums = {
        entry: total(Dual(factor) * (found[other] if other else ONE) for other, factor in terms)
        for entry, terms in linear.items()
    }
    return {entry: sums[entry] if entry in sums else found[entry] for entry in entries(model)}


def pairs(model):
    """The pairs of observed variables that one case shows: those of one group."""
    seen = [variable.name for variable in model.variables if variable.observed]
    every = [(one, other) for number, one in enumerate(seen) for other in seen[number:]]
    return [pair for pair in every if not model.groups or pair[0].split(".")[-1] == pair[1].split(".")[-1]]


def is_acyclic(model):
    """Whether taking away variables without parents ends with none."""
    left, edges = {variable.name for variable in model.variables}, set(model.edges)
    while roots := {name for name in left if all(child != name for _, child in edges)}:
        left -= roots
        edges = {edge for edge in edges if edge[0] in left}
    return not left


def paths(model, start):
    """List the directed paths from a variable, as lists of edges; without cycles only."""
    found = [(start, [])]
    for end, path in found:
        found += [(child, [*path, (parent, child)]) for parent, child in model.edges if parent == end]
    return found


def effects_by_paths(model, numbers):
    """Return the total effect of each variable on each: the sum over the paths of the products of their coefficients."""
    names = [variable.name for variable in model.variables]
    found = {(one, other): ZERO for one in names for other in names}
    for start in names:
        for end, path in paths(model, start):
            found[start, end] += product(numbers["b", *edge] for edge in path)
    return found


def determinant(matrix):
    """Leibniz' formula."""
    terms = []
    for order in permutations(range(len(matrix))):
        swaps = sum(order[i] > order[j] for i in range(len(order)) for j in range(i + 1, len(order)))
        terms.append(product([MINUS if swaps % 2 else ONE, *(matrix[i][j] for i, j in enumerate(order))]))
    return total(terms)


def effects_by_minors(model, numbers):
    """Return the entries of the inverse of I − B: minors over the determinant."""
    names = [variable.name for variable in model.variables]
    matrix = [
        [(ONE if one == other else ZERO) + MINUS * numbers.get(("b", one, other), ZERO) for other in names]
        for one in names
    ]
    inverse = determinant(matrix).inverse()
    found = {}
    for i, one in enumerate(names):
        for j, other in enumerate(names):
            minor = [[row[c] for c in range(len(names)) if c != i] for r, row in enumerate(matrix) if r != j]
            found[one, other] = product([MINUS if (i + j) % 2 else ONE, determinant(minor), inverse])
    return found


def coordinates_at(model, point):
    """Return the observed covariances, the upper triangle row by row, then the means."""
    numbers = numbers_at(model, point)
    effects = (effects_by_paths if is_acyclic(model) else effects_by_minors)(model, numbers)
    names = [variable.name for variable in model.variables]
    errors = [(name, name, numbers["v", name]) for name in names]
    for one, other in model.bidirected:
        errors += [(one, other, numbers["c", one, other]), (other, one, numbers["c", one, other])]
    seen = [variable.name for variable in model.variables if variable.observed]
    found = [
        total(effects[source, one] * value * effects[end, other] for source, end, value in errors)
        for one, other in pairs(model)
    ]
    if model.means:
        found += [total(effects[name, one] * numbers["m", name] for name in names) for one in seen]
    return found


def rank(rows):
    """Eliminate over the rationals."""
    rows, found = [list(row) for row in rows], 0
    for column in range(len(rows[0]) if rows else 0):
        pivot = next((row for row in rows[found:] if row[column]), None)
        if pivot is None:
            continue
        rows.remove(pivot)
        rows.insert(found, pivot)
        found += 1
        for row in rows[found:]:
            factor = row[column] / pivot[column]
            row[:] = [value - factor * above for value, above in zip(row, pivot, strict=True)]
    return found


def random_point(model, seed=0):
    """Draw integers up to a million."""
    source = random.Random(seed)
    return {name: Fraction(source.randint(-(10**6), 10**6)) for name in parameters(model)}


def dimension(model, seed=0):
    """The rank at a random point."""
    names = parameters(model)
    rows = [
        [value.slopes.get(name, Fraction(0)) for name in names]
        for value in coordinates_at(model, random_point(model, seed))
    ]
    return rank(rows)


def complete(model):
    """The number of covariances and means."""
    seen = sum(variable.observed for variable in model.variables)
    return len(pairs(model)) + (seen if model.means else 0)
