"""Formulas as algdim prints them, read and evaluated by the referee's own means: residues with their derivatives."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.int64]

NUMBER = re.compile(r"[0-9]+(\.[0-9]+)?")
SPACE = re.compile(r"\s+")


class UnreadableError(ValueError):
    """A text that the referee does not understand: nothing is said of it."""


class Slope:
    """A residue and its derivatives by all parameters."""

    __slots__ = ("prime", "slopes", "value")

    def __init__(self, value: int, slopes: Vector, prime: int) -> None:
        self.value, self.slopes, self.prime = value % prime, slopes, prime

    def __add__(self, other: Slope) -> Slope:
        return Slope(self.value + other.value, (self.slopes + other.slopes) % self.prime, self.prime)

    def __neg__(self) -> Slope:
        return Slope(-self.value, -self.slopes % self.prime, self.prime)

    def __mul__(self, other: Slope) -> Slope:
        slopes = (self.slopes * other.value + other.slopes * self.value % self.prime) % self.prime
        return Slope(self.value * other.value, slopes, self.prime)

    def inverse(self) -> Slope:
        """One over it; `ZeroDivisionError` where there is none."""
        if self.value == 0:
            raise ZeroDivisionError
        one = pow(self.value, -1, self.prime)
        return Slope(one, self.slopes * (-one * one % self.prime) % self.prime, self.prime)

    def __pow__(self, exponent: int) -> Slope:
        if exponent < 0:
            return (self.inverse()) ** -exponent
        if exponent == 0:
            return Slope(1, self.slopes * 0, self.prime)
        before = pow(self.value, exponent - 1, self.prime)
        return Slope(before * self.value, self.slopes * (exponent * before % self.prime) % self.prime, self.prime)


Tree = tuple[Any, ...]
"""A formula: an operation and what it is applied to."""


def tokens_of(text: str, names: Sequence[str]) -> list[str]:
    """Names of parameters (the longest first, for they have signs in them), numbers and signs."""
    by_length = sorted(names, key=len, reverse=True)
    found, place = [], 0
    while place < len(text):
        space = SPACE.match(text, place)
        if space:
            place = space.end()
            continue
        name = next((name for name in by_length if text.startswith(name, place)), None)
        number = NUMBER.match(text, place)
        if name is not None:
            found.append(name)
        elif text.startswith("**", place):
            found.append("^")
            place += 2
            continue
        elif number:
            found.append(number[0])
        elif text[place] in "+-−·*/^()":
            found.append(text[place])
        else:
            raise UnreadableError(f"{text[place:]!r} in {text!r}")
        place += len(found[-1])
    return [{"−": "-", "·": "*"}.get(token, token) for token in found]


class Reader:
    """Recursive descent, the usual precedences."""

    def __init__(self, text: str, names: Sequence[str]) -> None:
        self.names, self.tokens, self.place, self.text = frozenset(names), tokens_of(text, names), 0, text

    @property
    def next(self) -> str:
        """The next token, empty at the end."""
        return self.tokens[self.place] if self.place < len(self.tokens) else ""

    def take(self) -> str:
        """The next token, behind it the place."""
        token = self.next
        self.place += 1
        return token

    def whole(self) -> Tree:
        """The whole text."""
        found = self.sum()
        if self.next:
            raise UnreadableError(f"{self.next!r} in {self.text!r}")
        return found

    def sum(self) -> Tree:
        """Terms with signs between them."""
        found = self.product()
        while self.next in ("+", "-"):
            sign, more = self.take(), self.product()
            found = "+", found, ("−", more) if sign == "-" else more
        return found

    def product(self) -> Tree:
        """Factors, multiplied and divided from the left."""
        found = self.factor()
        while self.next in ("*", "/"):
            sign, more = self.take(), self.factor()
            found = "*", found, ("^", more, -1) if sign == "/" else more
        return found

    def factor(self) -> Tree:
        """A power, perhaps with a sign before it."""
        if self.next in ("-", "+"):
            sign = self.take()
            return ("−", self.factor()) if sign == "-" else self.factor()
        base = self.base()
        if self.next == "^":
            self.take()
            sign = self.take() if self.next == "-" else ""
            exponent = self.take()
            if not exponent.isdigit():
                raise UnreadableError(f"exponent {exponent!r} in {self.text!r}")
            return "^", base, -int(exponent) if sign else int(exponent)
        return base

    def base(self) -> Tree:
        """A number, a name, or parentheses."""
        token = self.take()
        if token in self.names:
            return "name", token
        if token.startswith("("):
            inner = self.sum()
            if self.take() != ")":
                raise UnreadableError(f"a parenthesis is missing in {self.text!r}")
            return inner
        if NUMBER.fullmatch(token):
            above, _, below = token.partition(".")
            return "number", int(above + below), 10 ** len(below)
        raise UnreadableError(f"{token!r} in {self.text!r}")


def tree_of(text: str, names: Sequence[str]) -> Tree:
    """Read a formula in these parameters."""
    return Reader(text, names).whole()


def value_of(tree: Tree, at: Mapping[str, Any], number: Callable[[int, int], Any]) -> Any:
    """The value of a formula, whatever the parameters are; ``number`` makes a constant of a fraction."""
    operation, first, *rest = tree
    if operation == "name":
        return at[first]
    if operation == "number":
        return number(first, rest[0])
    value = value_of(first, at, number)
    if operation == "−":
        return -value
    if operation == "^":
        return value ** rest[0]
    other = value_of(rest[0], at, number)
    return value + other if operation == "+" else value * other


def slope_of(text: str, at: Mapping[str, Slope], prime: int) -> Slope:
    """A formula's value at a point, with its derivatives."""

    def number(above: int, below: int) -> Slope:
        return Slope(above * pow(below, -1, prime), np.zeros(len(at), dtype=np.int64), prime)

    found: Slope = value_of(tree_of(text, list(at)), at, number)
    return found


def point_of(values: Mapping[str, int], prime: int) -> dict[str, Slope]:
    """The parameters themselves, each with the slope 1 by itself."""
    found = {}
    for place, (name, value) in enumerate(values.items()):
        slopes = np.zeros(len(values), dtype=np.int64)
        slopes[place] = 1
        found[name] = Slope(value, slopes, prime)
    return found
