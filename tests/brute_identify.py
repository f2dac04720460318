"""Identifiability from the map's formulas: sympy differentiates, fractions are eliminated; no code of the engine is used."""

from __future__ import annotations

import random
from itertools import combinations

import sympy
from gmpy2 import mpq


def jacobians(parameters, expressions, count=2, seed=0):
    """The Jacobian at this many random rational points, as fractions."""
    symbols = [sympy.Symbol(name) for name in parameters]
    stand_ins = sympy.symbols(f"u0:{len(parameters)}")
    plain = [sympy.sympify(one).subs(dict(zip(symbols, stand_ins, strict=True))) for one in expressions]
    slopes = [[sympy.diff(one, symbol) for symbol in stand_ins] for one in plain]
    # a fraction in the text of a function would be a float
    fractions = sorted({x for row in slopes for one in row for x in one.atoms(sympy.Rational) if x.q > 1})
    names = sympy.symbols(f"f0:{len(fractions)}")
    named = dict(zip(fractions, names, strict=True))
    slopes = [[one.xreplace(named) for one in row] for row in slopes]
    at = sympy.lambdify([*stand_ins, *names], slopes, modules="sympy")
    draw = random.Random(seed)
    found = []
    for _ in range(count):
        point = [sympy.Rational(draw.randint(1, 997), 1009) for _ in parameters]
        found.append([[mpq(int(x.p), int(x.q)) for x in map(sympy.Rational, row)] for row in at(*point, *fractions)])
    return found


FRACTION = type(mpq(1, 2))


def as_fraction(x):
    """A number of any kind as a fraction of GMP, which is many times as fast as Python's."""
    return x if type(x) is FRACTION else mpq(int(x.numerator), int(x.denominator))


def reduced(rows, width):
    """The reduced row echelon form without zero rows, and the pivots."""
    rows, pivots = [[as_fraction(x) for x in row] for row in rows], []
    for column in range(width):
        place = len(pivots)
        found = next((i for i in range(place, len(rows)) if rows[i][column]), None)
        if found is None:
            continue
        rows[place], rows[found] = rows[found], rows[place]
        first = rows[place][column]
        rows[place] = [x / first if x else x for x in rows[place]]
        for i in range(len(rows)):
            if i != place and rows[i][column]:
                factor = rows[i][column]
                rows[i] = [x - factor * y if y else x for x, y in zip(rows[i], rows[place], strict=True)]
        pivots.append(column)
    return rows[: len(pivots)], pivots


def rank(rows, width):
    """The rank."""
    return len(reduced(rows, width)[1])


def without(rows, gone):
    """The matrix without some columns."""
    return [[x for place, x in enumerate(row) if place not in gone] for row in rows]


class Truth:
    """What rational Jacobians at random points say, each question answered by ranks alone."""

    def __init__(self, parameters, matrices):
        """Take the Jacobian of greatest rank."""
        self.names, self.width = parameters, len(parameters)
        self.matrix = max(matrices, key=lambda rows: rank(rows, self.width))
        self.rank = rank(self.matrix, self.width)

    def rank_without(self, gone):
        """The rank when some parameters are fixed."""
        return rank(without(self.matrix, gone), self.width - len(gone))

    @property
    def lost(self):
        """The parameters whose columns depend on the others."""
        return {name for place, name in enumerate(self.names) if self.rank_without({place}) == self.rank}

    def groups(self):
        """Finest parts of the columns whose ranks add up, of those that are lost: joined where a circuit has both."""
        part = {name: {name} for name in self.lost}
        for size in range(1, self.rank + 2):
            for circuit in combinations(range(self.width), size):
                mine = [[row[place] for place in circuit] for row in self.matrix]
                if rank(mine, size) == size - 1 and all(
                    rank([r[:i] + r[i + 1 :] for r in mine], size - 1) == size - 1 for i in range(size)
                ):
                    joined = set().union(*(part[self.names[place]] for place in circuit))
                    part.update(dict.fromkeys(joined, joined))
        return {frozenset(one) for one in part.values()}

    def fixings(self):
        """All smallest sets that leave as many dimensions as parameters."""
        size = self.width - self.rank
        return {
            frozenset(self.names[place] for place in gone)
            for gone in combinations(range(self.width), size)
            if self.rank_without(set(gone)) == self.rank
        }
