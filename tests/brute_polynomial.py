"""Maps given by formulas, by dual numbers and the definition: no code of the engine is used.

A tree is a name, a number, or a tuple of an operation and trees: ("+", a, b), ("-", a, b), ("*", a, b), ("/", a, b), ("^", a, 3).
"""

from __future__ import annotations

import random
from fractions import Fraction


def text_of(tree):
    """A tree as text, with parentheses around everything."""
    if isinstance(tree, tuple):
        operation, left, right = tree
        return f"({text_of(left)}{operation}{right if operation == '^' else text_of(right)})"
    return f"({tree})"


def divides_by_zero(tree):
    """Whether something is divided by that is zero at each of some points."""
    if not isinstance(tree, tuple):
        return False
    operation, left, right = tree
    if divides_by_zero(left) or (operation != "^" and divides_by_zero(right)):
        return True
    if operation != "/":
        return False
    source = random.Random(2)
    for _ in range(4):
        try:
            if dual(right, {name: source.randint(1, 10**9) for name in ("a", "b", "x_1")})[0]:
                return False
        except ZeroDivisionError:
            continue
    return True


def dual(tree, point):
    """The value and the derivatives by name at a point; `ZeroDivisionError` where there is none."""
    if isinstance(tree, str):
        return Fraction(point[tree]), {tree: Fraction(1)}
    if not isinstance(tree, tuple):
        return Fraction(tree), {}
    operation, left, right = tree
    a, da = dual(left, point)
    if operation == "^":
        return a**right, {name: right * a ** (right - 1) * slope for name, slope in da.items()} if right else {}
    b, db = dual(right, point)
    names = {**da, **db}
    parts = {
        "+": (a + b, lambda x, y: x + y),
        "-": (a - b, lambda x, y: x - y),
        "*": (a * b, lambda x, y: x * b + a * y),
    }
    if operation == "/":
        return a / b, {n: (da.get(n, 0) * b - a * db.get(n, 0)) / b**2 for n in names}
    value, rule = parts[operation]
    return value, {n: rule(da.get(n, Fraction(0)), db.get(n, Fraction(0))) for n in names}


def points(names, trees, count, seed=0):
    """This many random rational points at which all trees have a value."""
    source = random.Random(seed)
    found = []
    while len(found) < count:
        point = {name: Fraction(source.randint(-(10**6), 10**6)) for name in names}
        try:
            for tree in trees:
                dual(tree, point)
        except ZeroDivisionError:
            continue
        found.append(point)
    return found


def rank(rows):
    """The rank over the rationals, by elimination."""
    rows, found = [list(row) for row in rows], 0
    for column in range(len(rows[0]) if rows else 0):
        pivot = next((i for i in range(found, len(rows)) if rows[i][column]), None)
        if pivot is None:
            continue
        rows[found], rows[pivot] = rows[pivot], rows[found]
        for i in range(found + 1, len(rows)):
            factor = rows[i][column] / rows[found][column]
            rows[i] = [x - factor * y for x, y in zip(rows[i], rows[found], strict=True)]
        found += 1
    return found


def dimension(names, trees):
    """The rank of the Jacobian at random points."""
    return max(
        rank([[dual(tree, point)[1].get(name, Fraction(0)) for name in names] for tree in trees])
        for point in points(names, trees, 2)
    )


def hull(names, trees):
    """The dimension of the affine hull: the rank of the differences of values."""
    values = [[dual(tree, point)[0] for tree in trees] for point in points(names, trees, len(trees) + 3, seed=1)]
    return rank([[x - y for x, y in zip(row, values[0], strict=True)] for row in values[1:]])
