"""The numbers of a sigmoid variable in a parameter file: ``{"a": -0.5, "b": {"H1": "3/2", "H2": 1}}``."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Context, Decimal
from fractions import Fraction
from itertools import product
from math import prod

from algdim.errors import InputError, listed
from algdim.families.discrete.locals.table import Parents
from algdim.families.discrete.model import Variable
from algdim.figures import brief
from algdim.models.values import check_keys, mapping_of, signed_value

Exponential = Callable[[Fraction], Fraction]
"""What is taken for e^x."""

KEYS = ("a", "b")
MOST_WEIGHT = 1000
PLACES = Context(prec=50)


def rounded_exponential(value: Fraction) -> Fraction:
    """e^x to fifty places.

    >>> float(rounded_exponential(Fraction(1)))
    2.718281828459045
    """
    return Fraction(PLACES.exp(PLACES.divide(Decimal(value.numerator), Decimal(value.denominator))))


def read_weights(
    data: object, key: str, variable: Variable, parents: Parents, exponential: Exponential
) -> tuple[tuple[Fraction, ...], ...]:
    """Read the weights of one variable (a shared one's parents are pa1, pa2, …) and return the rows of its table."""
    entry = mapping_of(data, key)
    check_keys(entry, KEYS, key)
    if "a" not in entry:
        raise InputError(f"{key}.a is missing; the log-odds of {variable.name} where all parents are 0 are expected")
    named = [
        (parent if variable.local.share is None else f"pa{number}", states)
        for number, (parent, states) in enumerate(parents, 1)
        if states > 1
    ]
    slopes = mapping_of(entry.get("b", {}), f"{key}.b")
    check_keys(slopes, [name for name, _ in named], f"{key}.b")
    missing = [name for name, _ in named if name not in slopes]
    if missing:
        raise InputError(f"{key}.b says nothing of {listed(missing)}; one weight for each parent is expected")
    constant = exponential(read_weight(entry["a"], f"{key}.a"))
    factors = [exponential(read_weight(slopes[name], f"{key}.b.{name}")) for name, _ in named]
    rows = []
    for states in product(*(range(count) for _, count in named)):
        odds = constant * prod(
            (factor**state for factor, state in zip(factors, states, strict=True)), start=Fraction(1)
        )
        rows.append((1 / (1 + odds), odds / (1 + odds)))
    return tuple(rows)


def read_weight(data: object, place: str) -> Fraction:
    """Read one weight."""
    value = signed_value(data, place)
    if abs(value) > MOST_WEIGHT:
        raise InputError(f"{place} is {brief(value)}; a weight from -{MOST_WEIGHT} to {MOST_WEIGHT} is allowed")
    return value
