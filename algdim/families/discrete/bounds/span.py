"""The linear space that all distributions of a mixture lie in (lemma "mixture span" in proofs/lemmas.md).

A cell is a polynomial of small degree in each parameter, so its values on a grid determine it: the cells on the grid span what
the cells at all parameters span. In a mixture each class has parameters of its own, and the grids of the classes suffice, one after
the other. So linear invariants are found and proved, as those of models of evolution on a tree.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from typing import NamedTuple, cast

import numpy as np

from algdim.bound.bounds import UPPER, Bound, prove_bound
from algdim.exact.arithmetic import Residues, make_rationals
from algdim.exact.draws import draw_residues, open_stream
from algdim.exact.flint import rank_of_integers, scale_to_integers
from algdim.exact.ranks import rank_mod
from algdim.families.discrete.bounds.directions import find_movable_factors, list_parameter_numbers
from algdim.families.discrete.bounds.equalcells import number_equal_cells, number_exchanged_cells
from algdim.families.discrete.bounds.search import Setting
from algdim.families.discrete.functionals import list_cells, select_all_cells
from algdim.families.discrete.locals.contract import Affine
from algdim.families.discrete.map import ParamMap
from algdim.figures import format_count, format_integer
from algdim.jacobian import evaluate_functionals, make_evaluator
from algdim.limits import check_time

SPAN = "span"
MOST_CELLS = 4096
MOST_VALUES = 1 << 16
"""Points of the grids times cells."""
SPARE = 4
"""Random points beyond those that would be independent if the bound did not suffice."""
PRIME = 8388593


class ClassMixture(NamedTuple):
    """A hidden variable that chooses a class, by its axis and its own parameters (none: one class).

    ``classes`` are states in which it looks different, with the degrees of the cells in each parameter.
    """

    axis: int
    own: tuple[int, ...]
    classes: tuple[tuple[int, Mapping[int, int]], ...]

    @property
    def points(self) -> int:
        """How many points the grids have."""
        return sum(prod(degree + 1 for degree in degrees.values()) for _, degrees in self.classes)


def bound_by_span(setting: Setting) -> Bound | None:
    """One less than the dimension of the span, if random points say that this is the rank that was found."""
    pmap = setting.pmap
    if pmap.given or pmap.kept_coordinates is not None or pmap.cells > MOST_CELLS or setting.lower >= pmap.complete:
        return None
    if not all(isinstance(entries, Affine) for entries in pmap.arrays):
        return None
    best = min(iterate_mixtures(pmap), key=lambda mixture: mixture.points)
    exchanged = number_exchanged_cells(pmap)
    equal = number_equal_cells(pmap) if exchanged is None else exchanged
    # of equal cells the first
    labels = np.arange(pmap.cells) if equal is None else np.unique(equal, return_index=True)[1]
    if best.points * len(labels) > MOST_VALUES or not is_promising(setting):
        return None
    arithmetic, evaluator = make_rationals(), make_evaluator(pmap)
    cells = list_cells(pmap.shape, labels)
    rows = []
    for point in iterate_grid(pmap, best):
        check_time()
        at = arithmetic.elements(np.array(point, dtype=object))
        values = evaluate_functionals(pmap, arithmetic, at, cells, evaluator=evaluator)
        rows.append([Fraction(value) for value in values.tolist()])
    rank = rank_of_integers(scale_to_integers(rows))
    classes = f" given {pmap.model.variables[best.axis].name}" if best.own else ""
    reason = (
        f"the cells{classes} at {format_count(best.points, 'point')} of a grid span {format_integer(rank)} dimensions; all "
        "distributions lie in this space and sum to 1"
    )
    return prove_bound(rank - 1, UPPER, SPAN, reason, "mixture span", evidence={"points": best.points, "rank": rank})


def iterate_mixtures(pmap: ParamMap) -> Iterator[ClassMixture]:
    """The whole model as one class, and each hidden root with a free table as what chooses classes."""
    yield ClassMixture(-1, (), ((0, describe_class(pmap, -1, 0, frozenset())[0]),))
    movable = find_movable_factors(pmap)
    for factor, can_move in zip(pmap.factors, movable, strict=True):
        axis = factor.axes[-1]
        if not can_move or len(factor.axes) > 1 or axis in pmap.observed:
            continue
        own = frozenset(int(number) for number in list_parameter_numbers(pmap, factor.array).ravel() if number >= 0)
        classes: dict[Hashable, tuple[int, Mapping[int, int]]] = {}
        for state in range(pmap.sizes[axis]):
            degrees, look = describe_class(pmap, axis, state, own)
            classes.setdefault(look, (state, degrees))
        yield ClassMixture(axis, tuple(sorted(own)), tuple(classes.values()))


def describe_class(pmap: ParamMap, axis: int, state: int, own: frozenset[int]) -> tuple[Mapping[int, int], Hashable]:
    """The factors where an axis is in a state: how many have each parameter, and what they look like under other names.

    The cells' degree in a parameter is at most the number of these factors. Classes that look alike have the same cells, as
    functions of parameters of other names.
    """
    found: Counter[int] = Counter()
    numbers: dict[int, int] = {}
    looks = []
    for factor in pmap.factors:
        entries = cast("Affine", pmap.arrays[factor.array])
        if axis in factor.axes:
            where = np.zeros(entries.shape, dtype=np.bool_)
            where[tuple(state if one == axis else slice(None) for one in factor.axes)] = True
        else:
            where = np.ones(entries.shape, dtype=np.bool_)
        place = np.cumsum(where.ravel()) - 1
        terms = [
            (int(place[entry]), parameter, str(coefficient))
            for entry, parameter, coefficient in zip(
                entries.entry.tolist(), entries.parameter.tolist(), entries.coefficient.tolist(), strict=True
            )
            if where.ravel()[entry] and parameter not in own
        ]
        found.update({parameter for _, parameter, _ in terms})
        named = [(entry, numbers.setdefault(parameter, len(numbers)), x) for entry, parameter, x in terms]
        is_own = factor.axes == (axis,)
        constants = () if is_own else tuple(map(str, entries.constants[where.ravel()].tolist()))
        looks.append((tuple(one for one in factor.axes if one != axis), constants, tuple(named)))
    return found, tuple(looks)


def is_promising(setting: Setting) -> bool:
    """Whether random points span no more than the rank that was found would allow."""
    pmap, field = setting.pmap, Residues(PRIME)
    cells = select_all_cells(pmap)
    rows = []
    for number in range(setting.lower + 1 + SPARE):
        drawn = draw_residues(open_stream(setting.seed, "span", number, *setting.labels), PRIME, len(pmap.parameters))
        try:
            values = evaluate_functionals(pmap, field, field.elements(drawn), cells)
        except ArithmeticError:
            return False
        rows.append(values)
    return rank_mod(np.array(rows), PRIME).value <= setting.lower + 1


def iterate_grid(pmap: ParamMap, mixture: ClassMixture) -> Iterator[Sequence[Fraction]]:
    """The points: one class at a time, its parameters at 0, 1, … up to their degree, all others at 0."""
    for state, degrees in mixture.classes:
        numbers = list(degrees)
        for values in product(*(range(degrees[number] + 1) for number in numbers)):
            point = [Fraction(0)] * len(pmap.parameters)
            if state < len(mixture.own):
                point[mixture.own[state]] = Fraction(1)
            for number, value in zip(numbers, values, strict=True):
                point[number] = Fraction(value)
            yield point
