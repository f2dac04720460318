"""Curves of parameters with the same distribution: the states of a hidden variable mixed, G on one side and its inverse on the other.

This is the finite form of the symmetries of `algdim.families.discrete.bounds.fields`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import partial

import numpy as np

from algdim.exact.arithmetic import Array, make_rationals
from algdim.exact.elimination import convert_to_fraction
from algdim.families.contract import Curve
from algdim.families.discrete.bounds.directions import Point, find_movable_factors, list_parameter_numbers
from algdim.families.discrete.bounds.fields import (
    Place,
    Sides,
    find_alike_states,
    find_place,
    list_proved_sides,
    make_indicator,
    put_in_table,
    take_slice,
)
from algdim.families.discrete.map import ParamMap
from algdim.rank import make_object_array


def iterate_mixtures(pmap: ParamMap, point: Sequence[Fraction]) -> Iterator[tuple[str, Curve]]:
    """For each hidden variable between two sides and each pair of its states: G = 1 + t(E_il − E_ii) and its inverse."""
    movable = find_movable_factors(pmap)
    elements = make_rationals().elements(make_object_array(list(point)))
    anywhere = Point(pmap, 2, "", np.zeros(0, dtype=np.int64))
    observed = set(pmap.observed)
    for axis in range(len(pmap.model.variables)):
        around = [number for number, factor in enumerate(pmap.factors) if axis in factor.axes]
        if axis in observed or not around:
            continue
        place = find_place(anywhere, axis, around, movable)
        for sides in list_proved_sides(place.shape):
            left, right = (
                [place.names[place.shape.factors[k][-1]] for k in side] for side in (sides.left, sides.right)
            )
            where = dict.fromkeys(sides.common, 0)
            for i, l in find_alike_states(place, where):
                pair, hidden = (i, l), place.names[place.shape.hidden]
                text = (
                    f"the states {i} and {l} of {hidden} mixed by G = 1 + t(E[{i},{l}] − E[{i},{i}]): "
                    f"{name_tables(left)} times G, G⁻¹ times {name_tables(right)}"
                )
                yield text, partial(apply_mixing, place, sides, pair, elements)


def name_tables(names: Sequence[str]) -> str:
    """The tables of some variables, in words.

    >>> name_tables(["H", "X1"]), name_tables(["X2"])
    ('the tables of H, X1', 'the table of X2')
    """
    return f"the table{'s' if names[1:] else ''} of {', '.join(names)}"


def apply_mixing(place: Place, sides: Sides, pair: tuple[int, int], point: Array, t: Fraction) -> list[Fraction] | None:
    """The parameters after mixing: U′ = UG for the product U of the left side, T′ = G⁻¹T for that of the right side."""
    shape, pmap = place.shape, place.point.pmap
    numbers = (*sides.left, *sides.right)
    tables = {k: pmap.arrays[place.array_number(k)].values(make_rationals(), point).copy() for k in numbers}
    where = make_indicator(shape, sides.common, (0,) * len(sides.common), place.sizes)
    step = make_rationals().elements(make_object_array([t]))[0] * where
    back = -step / (1 - step)
    one = where * 0 + 1
    for chain, is_left in ((sides.left, True), (sides.right, False)):
        before, after = (one, one), (one, one)
        for k in chain:
            rows = [take_slice(shape, tables[k], k, state) for state in pair]
            product = [a * b for a, b in zip(before, rows, strict=True)]
            new = (
                (product[0] - step * product[0], product[1] + step * product[0])
                if is_left
                else (product[0] + back * (product[1] - product[0]), product[1] + 0 * back)
            )
            for state, value, divisor in zip(pair, new, after, strict=True):
                part = tuple(state if axis == shape.hidden else slice(None) for axis in shape.factors[k])
                tables[k][part] = put_in_table(shape, value / divisor, k, place.sizes)[()]
            before, after = (product[0], product[1]), new
    result = [convert_to_fraction(value) for value in point]
    for k, table in tables.items():
        for number, value in zip(list_parameter_numbers(pmap, place.array_number(k)).flat, table.flat, strict=True):
            if number >= 0:
                result[number] = convert_to_fraction(value)
    return result


CURVES = iterate_mixtures
