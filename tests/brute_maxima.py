"""Maxima of Poisson or normal mechanisms by the definition, for comparison: no code of the engine is used.

The probabilities P(E ≤ e | c) are computed with many digits at values of e that are as many as there are parameters and some
more, derivatives are differences, and the rank is that of elimination with these digits. The causes' own tables are free, so
that they add what they have parameters.
"""

from __future__ import annotations

import random
from itertools import product
from math import prod

import mpmath

DIGITS = 80
STEP = mpmath.mpf(10) ** -40
ZERO = mpmath.mpf(10) ** -25
"""Pivots are above this, relative to the row, and errors of differences far below."""


def below(model, numbers, value):
    """The chance that a mechanism variable is at most a value."""
    if model.family == "max-poisson":
        (rate,) = numbers
        return mpmath.exp(-rate) * mpmath.fsum(rate**k / mpmath.factorial(k) for k in range(value + 1))
    mean, variance = numbers
    return mpmath.ncdf((value - mean) / mpmath.sqrt(variance))


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
    letters = ("mean",) if model.family == "max-poisson" else ("mean", "variance")
    causes = [variable for variable in model.network.variables if variable.observed]
    states = {variable.name: variable.states for variable in causes}
    with mpmath.workdps(DIGITS):

        def numbers(place, row):
            for letter in letters:
                if (letter, place, row) not in known:
                    drawn = mpmath.mpf(source.randint(1, 4000)) / 1000
                    if value_of is not None:
                        exact = value_of(letter, place, row)
                        drawn = mpmath.mpf(exact.numerator) / exact.denominator
                    known[letter, place, row] = drawn, len(known)
            return [known[letter, place, row] for letter in letters]

        found = []
        for cell in product(*(range(variable.states) for variable in causes)):
            at = dict(zip((variable.name for variable in causes), cell, strict=True))
            parts = [
                numbers(place, tuple(at[name] for name in parents)) for place, parents in enumerate(model.mechanisms)
            ]
            for value in range(len(letters) * len(parts) + 2):
                where = value if len(letters) == 1 else 2 - value

                def chance(parts, where=where):
                    return mpmath.fprod(below(model, [number for number, _ in part], where) for part in parts)

                slopes = {}
                for j, part in enumerate(parts):
                    for i, (number, index) in enumerate(part):
                        sides = []
                        for step in (STEP, -STEP):
                            moved = [list(one) for one in parts]
                            moved[j][i] = (number + step, index)
                            sides.append(chance(moved))
                        slopes[index] = (sides[0] - sides[1]) / (2 * STEP)
                found.append(slopes)
        free = sum((v.states - 1) * prod(states[p] for p in v.parents) for v in causes)
        return free + rank([[slopes.get(place, mpmath.mpf(0)) for place in range(len(known))] for slopes in found])
