"""A second computation of everything the engine computes, by explicit loops over joint states and plain Python integers.

It takes nothing from algdim but the record of a model. A table entry is a *class*: all entries that share a table or a
name are one class, a fixed entry is none. The classes obey linear equations, one per table row (it sums to 1). A point is
a solution of these equations, a direction one of the homogeneous equations; the dimension of a model is the rank of the
derivative of the observed distribution along all directions, at a point drawn at random, modulo a prime of 127 bits.
No parameter is singled out as "1 − the others", and nothing is contracted: each joint state is visited.
"""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import prod

PRIME = 2**127 - 1


def joint_states(model):
    """The number of joint states, hidden ones included."""
    return prod(variable.states for variable in model.variables)


def owner(variable):
    """The table that a variable uses."""
    return ("share", variable.local.share) if variable.local.share is not None else ("own", variable.name)


def outcome(local, row):
    """The state that a deterministic variable has when its parents have these."""
    if local.kind == "max":
        return max(row)
    if local.kind == "sum":
        return sum(row)
    if local.kind == "parity":
        return sum(row) % 2
    assert local.kind == "at-least", f"no brute force for {local.kind}"
    return 1 if sum(row) >= local.n else 0


def entry_of(variable, row, state):
    """One table entry: a fixed number, or the class that it belongs to."""
    if variable.local.kind != "table":
        return Fraction(int(outcome(variable.local, row) == state))
    for cell, value in variable.local.fixed:
        if cell == (row, state):
            return Fraction(value)
    for cell, label in variable.local.equal:
        if cell == (row, state):
            return ("named", label)
    return (*owner(variable), row, state)


def tables(model):
    """For every variable that is not conditioned on: all its entries, by row and state."""
    sizes = {variable.name: variable.states for variable in model.variables}
    return {
        variable.name: {
            (row, state): entry_of(variable, row, state)
            for row in product(*(range(sizes[parent]) for parent in variable.parents))
            for state in range(variable.states)
        }
        for variable in model.variables
        if variable.name not in model.given
    }


def equations(model):
    """The classes, and one equation per row: coefficients of the classes, and their sum."""
    classes, rows = {}, {}
    for name, table in tables(model).items():
        for (row, _), entry in table.items():
            coefficients, total = rows.setdefault((name, row), ({}, []))
            if isinstance(entry, Fraction):
                total.append(entry)
            else:
                number = classes.setdefault(entry, len(classes))
                coefficients[number] = coefficients.get(number, 0) + 1
    return classes, [(coefficients, 1 - sum(total)) for coefficients, total in rows.values()]


def residue(value, prime=PRIME):
    """An integer or a fraction modulo the prime."""
    value = Fraction(value)
    return value.numerator * pow(value.denominator, -1, prime) % prime


def eliminated(matrix, prime=PRIME):
    """The reduced row echelon form modulo the prime, without zero rows, and the pivots' columns."""
    rows, done, pivots = [list(row) for row in matrix], [], []
    for column in range(len(rows[0]) if rows else 0):
        found = next((number for number, row in enumerate(rows) if row[column] % prime), None)
        if found is None:
            continue
        top = rows.pop(found)
        factor = pow(top[column], -1, prime)
        top = [value * factor % prime for value in top]
        for group in (rows, done):
            for row in group:
                factor = row[column]
                if factor:
                    row[:] = [(value - factor * above) % prime for value, above in zip(row, top, strict=True)]
        done.append(top)
        pivots.append(column)
    return done, pivots


def violates_quadrics(values, member):
    """Whether a point, the number 1 first, violates a linear or quadratic equation that the members, by number, obey."""
    pairs = list(combinations_with_replacement(range(len(values)), 2))
    rows = []
    for number in range(len(pairs) + 3):
        there = member(number)
        rows.append([there[i] * there[j] % PRIME for i, j in pairs])
    reduced, pivots = eliminated(rows)
    products = [values[i] * values[j] % PRIME for i, j in pairs]
    return any(
        (products[free] - sum(row[free] * products[pivot] for row, pivot in zip(reduced, pivots, strict=True))) % PRIME
        for free in sorted(set(range(len(pairs))) - set(pivots))
    )


def rank(matrix, prime=PRIME):
    """The rank modulo the prime."""
    return len(eliminated(matrix, prime)[1])


def rational_rank(matrix):
    """The rank over the rationals, by elimination with fractions."""
    rows = [[Fraction(value) for value in row] for row in matrix]
    found = 0
    for column in range(len(rows[0]) if rows else 0):
        here = next((number for number in range(found, len(rows)) if rows[number][column]), None)
        if here is None:
            continue
        rows[found], rows[here] = rows[here], rows[found]
        for number in range(found + 1, len(rows)):
            factor = rows[number][column] / rows[found][column]
            if factor:
                rows[number] = [a - factor * b for a, b in zip(rows[number], rows[found], strict=True)]
        found += 1
    return found


def directions(model):
    """A basis of the directions in which the entries can move, one row per direction and one column per class."""
    classes, rows = equations(model)
    width = len(classes)
    reduced, pivots = eliminated(
        [[coefficients.get(number, 0) for number in range(width)] for coefficients, _ in rows if coefficients]
    )
    basis = []
    for free in sorted(set(range(width)) - set(pivots)):
        direction = [0] * width
        direction[free] = 1
        for row, pivot in zip(reduced, pivots, strict=True):
            direction[pivot] = -row[free] % PRIME
        basis.append(direction)
    return basis


def standard(model):
    """The number of free parameters."""
    return len(directions(model))


def random_point(model, seed=0):
    """A random solution of the equations modulo the prime, as a list by class."""
    classes, rows = equations(model)
    width = len(classes)
    reduced, pivots = eliminated(
        [
            [*(coefficients.get(number, 0) for number in range(width)), residue(total)]
            for coefficients, total in rows
            if coefficients
        ]
    )
    assert width not in pivots, "the equations contradict each other"
    source = random.Random(seed)
    point = [source.randrange(PRIME) for _ in range(width)]
    for row, pivot in zip(reduced, pivots, strict=True):
        others = sum(row[number] * point[number] for number in range(width) if number != pivot)
        point[pivot] = (row[width] - others) % PRIME
    return point


def observed_cells(model):
    """All cells of the observed table, the first variable slowest."""
    return list(product(*(range(variable.states) for variable in model.variables if variable.observed)))


def terms(model):
    """For every joint state: the observed cell, and the entries that are multiplied."""
    names = [variable.name for variable in model.variables]
    all_tables = tables(model)
    for states in product(*(range(variable.states) for variable in model.variables)):
        at = dict(zip(names, states, strict=True))
        cell = tuple(at[variable.name] for variable in model.variables if variable.observed)
        yield (
            cell,
            [
                all_tables[variable.name][tuple(at[parent] for parent in variable.parents), at[variable.name]]
                for variable in model.variables
                if variable.name not in model.given
            ],
        )


def distribution(model, value_of, prime=None):
    """The observed distribution by cell, when ``value_of`` gives the number of an entry that is not fixed."""
    cells = dict.fromkeys(observed_cells(model), 0)
    for cell, entries in terms(model):
        weight = 1
        for entry in entries:
            weight *= entry if isinstance(entry, Fraction) else value_of(entry)
        cells[cell] += weight
    return {cell: residue(value, prime) if prime else value for cell, value in cells.items()}


def derivative(model, point):
    """The derivative of the observed distribution by all classes at a point modulo the prime: a row per cell."""
    classes, _ = equations(model)
    rows = {cell: [0] * len(classes) for cell in observed_cells(model)}
    for cell, entries in terms(model):
        numbers = [residue(entry) if isinstance(entry, Fraction) else point[classes[entry]] for entry in entries]
        for place, entry in enumerate(entries):
            if not isinstance(entry, Fraction):
                others = 1
                for other, number in enumerate(numbers):
                    if other != place:
                        others = others * number % PRIME
                rows[cell][classes[entry]] += others
    return [[value % PRIME for value in row] for row in rows.values()]


def dimension(model, seed=0):
    """The rank at a random point of the derivative along all directions."""
    jacobian, basis = derivative(model, random_point(model, seed)), directions(model)
    along = [
        [sum(a * b for a, b in zip(row, direction, strict=True) if b) % PRIME for direction in basis]
        for row in jacobian
    ]
    return rank(along)


def complete(model):
    """The dimension of the saturated model: per condition the cells less one."""
    cells = prod(variable.states for variable in model.variables if variable.observed)
    return cells - prod(variable.states for variable in model.variables if variable.name in model.given)


# Polynomials for the map written out: a dictionary from monomials, sorted tuples of names, to coefficients.


def times(left, right):
    """The product of two polynomials."""
    result = {}
    for a, x in left.items():
        for b, y in right.items():
            monomial = tuple(sorted(a + b))
            result[monomial] = result.get(monomial, 0) + x * y
    return {monomial: value for monomial, value in result.items() if value}


def plus(left, right, factor=1):
    """The sum of two polynomials, the second multiplied by a number."""
    result = dict(left)
    for monomial, value in right.items():
        result[monomial] = result.get(monomial, 0) + factor * value
    return {monomial: value for monomial, value in result.items() if value}


def by(polynomial, name):
    """The derivative of a polynomial by one of its variables."""
    result = {}
    for monomial, value in polynomial.items():
        power = monomial.count(name)
        if power:
            rest = list(monomial)
            rest.remove(name)
            result[tuple(rest)] = result.get(tuple(rest), 0) + power * value
    return {monomial: value for monomial, value in result.items() if value}


def free_polynomials(model):
    """The observed distribution of a model of free, unshared tables: a polynomial per cell, the last state is 1 − the others."""
    sizes = {variable.name: variable.states for variable in model.variables}

    def entry(variable, row, state):
        given = ",".join(f"{parent}={value}" for parent, value in zip(variable.parents, row, strict=True))
        bar = f"|{given}" if given else ""
        names = [f"P({variable.name}={other}{bar})" for other in range(sizes[variable.name] - 1)]
        if state < len(names):
            return {(names[state],): 1}
        return {(): 1, **{(name,): -1 for name in names}}

    cells = {cell: {} for cell in observed_cells(model)}
    names = [variable.name for variable in model.variables]
    for states in product(*(range(size) for size in sizes.values())):
        at = dict(zip(names, states, strict=True))
        weight = {(): 1}
        for variable in model.variables:
            weight = times(weight, entry(variable, tuple(at[parent] for parent in variable.parents), at[variable.name]))
        cell = tuple(at[variable.name] for variable in model.variables if variable.observed)
        cells[cell] = plus(cells[cell], weight)
    return cells


def value_at(polynomial, point):
    """The value of a polynomial at a point given by name."""
    return sum(value * prod(point[name] for name in monomial) for monomial, value in polynomial.items())
