"""Equations of Gaussian models, evaluated with their derivatives by the covariances: minors, regressions, kernels.

A kernel is a system of regressions, one after the other; what has none is fixed. In it each variable is a linear function
of what is fixed, plus an error; a further kernel consists of regressions in the one before.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hunting.formulas import Slope, UnreadableError, tree_of, value_of
from hunting.members import Member, modular

ATOM = re.compile(r"(?:β|cov)\([^()]*\)")


@dataclass(frozen=True, eq=False)
class Covariances:
    """The covariances and means of a member, each with the slope 1 by itself."""

    member: Member
    places: Mapping[str, int]

    def number(self, value: int) -> Slope:
        """A constant."""
        return Slope(value, np.zeros(len(self.places), dtype=np.int64), self.member.prime)

    def coordinate(self, name: str) -> Slope:
        """A coordinate."""
        slopes = np.zeros(len(self.places), dtype=np.int64)
        slopes[self.places[name]] = 1
        return Slope(self.member.coordinates[name], slopes, self.member.prime)

    def covariance(self, one: str, other: str) -> Slope:
        """A covariance."""
        name = f"cov({one},{other})"
        return self.coordinate(name if name in self.places else f"cov({other},{one})")

    def block(self, rows: Sequence[str], columns: Sequence[str]) -> list[list[Slope]]:
        """The covariances of rows with columns."""
        return [[self.covariance(row, column) for column in columns] for row in rows]

    def determinant(self, matrix: list[list[Slope]]) -> Slope:
        """A determinant with its derivatives: by the adjugate, whose entries are minors."""
        prime, size = self.member.prime, len(matrix)
        values = [[one.value for one in row] for row in matrix]
        total = np.zeros(len(self.places), dtype=np.int64)
        for r in range(size):
            for c in range(size):
                minor = [[x for k, x in enumerate(row) if k != c] for n, row in enumerate(values) if n != r]
                cofactor = (-1) ** (r + c) * (int(modular(minor, prime).det()) if minor else 1) % prime
                total = (total + matrix[r][c].slopes * cofactor) % prime
        return Slope(int(modular(values, prime).det()) if size else 1, total, prime)

    def solved(self, matrix: list[list[Slope]], right: list[Slope]) -> list[Slope]:
        """The solution of linear equations, by Cramer's rule."""
        below = self.determinant(matrix).inverse()
        found = []
        for place in range(len(right)):
            changed = [[*row[:place], one, *row[place + 1 :]] for row, one in zip(matrix, right, strict=True)]
            found.append(self.determinant(changed) * below)
        return found


def covariances_of(member: Member) -> Covariances:
    """The covariances of a member."""
    return Covariances(member, {name: place for place, name in enumerate(member.coordinates)})


def equation_of(one: Mapping[str, Any], at: Covariances) -> list[Slope]:
    """What is said to vanish, with its derivatives; more than one where the text and the members say it each."""
    if one["kind"] == "zero mean":
        return [at.coordinate(f"mean({one['variables'][0]})")]
    if "kernels" in one:
        found = [kernel_value(one, at)]
        if one["text"].startswith("β"):
            found.append(polynomial_value(one["text"], at))
        return found
    found = []
    if "terms" in one:
        total = at.number(0)
        for sign, pairs in one["terms"]:
            value = at.number(sign)
            for pair in pairs:
                value = value * at.covariance(*pair)
            total = total + value
        found.append(total)
    if one.get("columns"):
        found.append(at.determinant(at.block(one["rows"], one["columns"])))
        given = [name for name in one["rows"] if name in one["columns"]]
        if not at.determinant(at.block(given, given)).value:
            raise ZeroDivisionError  # what is given has no inverse
    if not found:
        raise UnreadableError(one["text"])
    return found


def polynomial_value(text: str, at: Covariances) -> Slope:
    """A sum of products of regression coefficients and covariances, as it is printed."""
    left, _, right = text.rpartition("=")
    if right.strip() != "0":
        raise UnreadableError(text)
    names = list(dict.fromkeys(ATOM.findall(left)))
    values = {name: atom_value(name, at) for name in names}
    spread = ATOM.sub(lambda found: f"({found[0]})", left)
    tree = tree_of(re.sub(r"\)\)\s*\(", "))*(", spread), names)
    found: Slope = value_of(tree, values, lambda above, below: at.number(above * pow(below, -1, at.member.prime)))
    return found


def atom_value(text: str, at: Covariances) -> Slope:
    """β(Y,X|Z), the coefficient of X in the regression of Y on X and Z, or a covariance."""
    head, _, inside = text.removesuffix(")").partition("(")
    names, _, given = inside.partition("|")
    one, other = names.split(",")
    if head == "cov" and not given:
        return at.covariance(one, other)
    if head == "cov":
        raise UnreadableError(text)
    causes = [other, *given.split(",")] if given else [other]
    return at.solved(at.block(causes, causes), [at.covariance(one, cause) for cause in causes])[0]


@dataclass(frozen=True, eq=False)
class Kernel:
    """Covariances of some variables, and how each depends on what is fixed."""

    covariance: dict[tuple[str, str], Slope]
    effects: dict[str, dict[str, Slope]]

    @property
    def names(self) -> list[str]:
        """The variables that are not fixed."""
        return list(self.effects)


def observed(at: Covariances) -> Kernel:
    """The observed variables, nothing fixed."""
    names = [name[4:-1].split(",")[0] for name in at.places if name.startswith("cov(")]
    seen = list(dict.fromkeys(names))
    return Kernel({(a, b): at.covariance(a, b) for a in seen for b in seen}, {name: {} for name in seen})


def built(regressions: Sequence[tuple[str, Sequence[str]]], before: Kernel, at: Covariances) -> Kernel:
    """The system of regressions of variables, each in the kernel before."""
    covariance: dict[tuple[str, str], Slope] = {}
    effects: dict[str, dict[str, Slope]] = {}
    for name, given in regressions:
        inner = [other for other in given if other in before.effects]
        coefficients: dict[str, Slope] = {}
        if inner:
            matrix = [[before.covariance[a, b] for b in inner] for a in inner]
            values = at.solved(matrix, [before.covariance[name, other] for other in inner])
            coefficients.update(zip(inner, values, strict=True))
        spread = before.covariance[name, name]
        for other, value in coefficients.items():
            spread = spread + -(value * before.covariance[name, other])
        for fixed in (other for other in given if other not in before.effects):
            value = before.effects[name].get(fixed, at.number(0))
            for other in inner:
                value = value + -(coefficients[other] * before.effects[other].get(fixed, at.number(0)))
            coefficients[fixed] = value
        own: dict[str, Slope] = {}
        for other, value in coefficients.items():
            for source, effect in effects[other].items() if other in effects else ((other, at.number(1)),):
                own[source] = own.get(source, at.number(0)) + value * effect
        for placed in effects:
            total = at.number(0)
            for other, value in coefficients.items():
                if other in effects:
                    total = total + value * covariance[other, placed]
            covariance[name, placed] = covariance[placed, name] = total
        for other, value in coefficients.items():
            if other in effects:
                spread = spread + value * covariance[name, other]
        covariance[name, name] = spread
        effects[name] = own
    return Kernel(covariance, effects)


def kernel_value(one: Mapping[str, Any], at: Covariances) -> Slope:
    """The effect of a fixed variable in the last kernel, or a partial covariance there."""
    kernel = observed(at)
    for step in one["kernels"]:
        kernel = built([(name, tuple(given)) for name, given in step["regressions"]], kernel, at)
        kept = step.get("kept") or kernel.names
        kernel = Kernel(
            {pair: value for pair, value in kernel.covariance.items() if set(pair) <= set(kept)},
            {name: effect for name, effect in kernel.effects.items() if name in kept},
        )
    cause, response, given = one["cause"], one["response"], list(one["given"])
    if cause not in kernel.effects:
        value = kernel.effects[response].get(cause, at.number(0))
        if given:
            matrix = [[kernel.covariance[a, b] for b in given] for a in given]
            coefficients = at.solved(matrix, [kernel.covariance[response, other] for other in given])
            for other, factor in zip(given, coefficients, strict=True):
                value = value + -(factor * kernel.effects[other].get(cause, at.number(0)))
        return value
    rows, columns = [cause, *given], [response, *given]
    return at.determinant([[kernel.covariance[a, b] for b in columns] for a in rows])
