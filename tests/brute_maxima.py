"""The n-th largest of Poisson or normal mechanisms by the definition, for comparison: no code of the engine is used.

The probabilities P(E ≤ e | c) are sums over all sets of variables that may be above, computed with many digits at values of e that are as many as there are parameters and some
more, derivatives are differences, and the rank is that of elimination with these digits. The causes' own tables are free, so
that they add what they have parameters.
"""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import chain, product
from math import prod

import mpmath

DIGITS = 80
STEP = mpmath.mpf(10) ** -40
ZERO = mpmath.mpf(10) ** -25
"""Pivots are above this, relative to the row, and errors of differences far below."""


def below(model, numbers, value):
    """The chance that a mechanism variable is at most a value."""
    if model.family.endswith("poisson"):
        (rate,) = numbers
        return mpmath.exp(-rate) * mpmath.fsum(rate**k / mpmath.factorial(k) for k in range(value + 1))
    mean, variance = numbers
    return mpmath.ncdf((value - mean) / mpmath.sqrt(variance))


def few_above(chances, place):
    """The chance that fewer than ``place`` variables are above, whose chances not to be are given: by all sets of those above."""
    return mpmath.fsum(
        mpmath.fprod(1 - chance if above else chance for chance, above in zip(chances, which, strict=True))
        for which in product((False, True), repeat=len(chances))
        if sum(which) < place
    )


def rank(rows):
    """The rank, by elimination with complete pivoting of rows that are scaled."""
    rows = [[x / max(map(abs, row)) for x in row] for row in rows if any(row)]
    found = 0
    while rows and rows[0]:
        size, at, place = max((abs(x), i, k) for i, row in enumerate(rows) for k, x in enumerate(row))
        if size < ZERO:
            break
        pivot, found = rows.pop(at), found + 1
        rows = [
            [x - row[place] / pivot[place] * y for k, (x, y) in enumerate(zip(row, pivot, strict=True)) if k != place]
            for row in rows
        ]
    return found


def dimension(model, seed=0, value_of=None):
    """The rank at a random point, or at that at which ``value_of`` gives the number of a name."""
    source, known = random.Random(seed), {}
    letters = ("mean",) if model.family.endswith("poisson") else ("mean", "variance")
    by_name = {variable.name: variable for variable in model.network.variables}
    causes = [variable for variable in by_name.values() if variable.observed]
    place = max(1, getattr(model, "least", 0))

    def look_up(key, drawn):
        if key not in known:
            exact = drawn if value_of is None else value_of(*key)
            known[key] = mpmath.mpf(exact.numerator) / exact.denominator
        return key

    def list_components(number, at):
        """The weights of a mechanism's components and the names of their numbers; the last weight is the rest."""
        inside = [name for name in model.mechanisms[number] if not by_name[name].observed]
        sizes = [by_name[name].states for name in inside]
        weights = [
            look_up(
                ("chance", name, tuple(at[p] for p in by_name[name].parents), state),
                Fraction(source.randint(2, 5), 9 * size),
            )
            for name, size in zip(inside, sizes, strict=True)
            for state in range(size - 1)
        ]
        rows = []
        for states in product(*map(range, sizes)):
            here = at | dict(zip(inside, states, strict=True))
            row = tuple(here[name] for name in model.mechanisms[number])
            rows.append([look_up((letter, number, row), Fraction(source.randint(1, 4000), 1000)) for letter in letters])
        return weights, rows

    def chance(parts, where, values):
        chances = []
        for weights, rows in parts:
            some = [values[key] for key in weights]
            every = [below(model, [values[key] for key in row], where) for row in rows]
            chances.append(mpmath.fsum(w * one for w, one in zip([*some, 1 - mpmath.fsum(some)], every, strict=True)))
        return few_above(chances, place)

    with mpmath.workdps(DIGITS):
        found = []
        for cell in product(*(range(variable.states) for variable in causes)):
            at = dict(zip((variable.name for variable in causes), cell, strict=True))
            parts = [list_components(number, at) for number in range(len(model.mechanisms))]
            keys = list(dict.fromkeys(key for weights, rows in parts for key in [*weights, *chain(*rows)]))
            for value in range(len(keys) + 2):
                where = value if len(letters) == 1 else 3 - mpmath.mpf(value) * 6 / (len(keys) + 2)
                slopes = {}
                for key in keys:
                    sides = [chance(parts, where, known | {key: known[key] + step}) for step in (STEP, -STEP)]
                    slopes[key] = (sides[0] - sides[1]) / (2 * STEP)
                found.append(slopes)
        free = sum((v.states - 1) * prod(by_name[p].states for p in v.parents) for v in causes)
        return free + rank([[slopes.get(key, mpmath.mpf(0)) for key in known] for slopes in found])
