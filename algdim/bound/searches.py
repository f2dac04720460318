"""What searches for upper bounds share: what they start from, forms that vanish on the tangent space, directions along symmetries."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from algdim.exact.arithmetic import Array, Residues, get_residues, reduce
from algdim.exact.draws import draw_residues, open_stream
from algdim.exact.ranks import reduce_first_rows
from algdim.jacobian import evaluate_jacobian, is_probed, make_evaluator
from algdim.maps import Map

PROBES = 2
"""Functionals that no direction may change."""
MOST_NUMBERS = 1 << 20
"""Maps of which one functional needs more numbers are not checked."""

AnyMap = TypeVar("AnyMap", bound=Map)


@dataclass(frozen=True, eq=False)
class SearchSetting(Generic[AnyMap]):
    """A map, the rank that a bound has to meet, the seed and its use."""

    pmap: AnyMap
    lower: int
    seed: int | str = 0
    labels: tuple[int | str, ...] = ()
    roots: int = 0
    """By how much the dimension is greater than that of the kernel whose closed model, with free roots, has this map."""

    @property
    def needed_codimension(self) -> int:
        """The codimension that proves the rank to be the dimension."""
        return self.pmap.complete - self.lower


class FormBasis:
    """Independent forms modulo a prime, until there are as many as needed, with the seed by which more are drawn.

    The basis is reduced: its columns ``pivots`` are those of the identity. Of the forms that are needed ``known`` ones are
    not among them: the forms are looked at on the space where these vanish.
    """

    def __init__(self, setting: SearchSetting[AnyMap], width: int, prime: int, known: int = 0) -> None:
        self.seed, self.labels = setting.seed, setting.labels
        self.needed = setting.needed_codimension - known
        self.field = get_residues(prime)
        self.rows: Array = np.zeros((0, width))
        self.pivots: NDArray[np.intp] = np.zeros(0, dtype=np.intp)
        self.work = 0
        """How many multiplications there were."""

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def missing(self) -> int:
        """How many are still needed."""
        return max(0, self.needed - len(self.rows))

    def draw_pairs(self, left: Array, right: Array, count: int) -> tuple[Array, Array]:
        """As many random pairs of two kernels, or all pairs of the bases if these are fewer."""
        if len(left) * len(right) <= count:
            if len(left) == len(right) == 1:
                return left, right
            return np.repeat(left, len(right), axis=0), np.tile(right, (len(left), 1))
        return self.combine_randomly(left, count, "left"), self.combine_randomly(right, count, "right")

    def combine_randomly(self, basis: Array, count: int, side: str) -> Array:
        """Random combinations of the rows."""
        source = open_stream(self.seed, side, *self.labels)
        drawn = draw_residues(source, self.field.prime, count * len(basis)).reshape(count, len(basis))
        return self.field.matmul(self.field.elements(drawn), basis)

    def reduce_forms(self, forms: Array) -> Array:
        """Subtract from forms what the basis has of them."""
        if not len(self.rows):
            return forms
        self.work += forms.size * len(self.rows)
        return self.field.add(forms, -self.field.matmul(forms[:, self.pivots], self.rows))

    def extend(self, forms: Array) -> bool:
        """Extend the basis by forms, as far as they are needed; whether any was new."""
        forms = self.reduce_forms(forms)
        self.work += forms.size * len(forms)
        columns, new = (
            reduce_row(forms, self.field)
            if len(forms) == 1 and self.missing
            else reduce_first_rows(forms, self.field.prime, self.missing)
        )
        if not columns:
            return False
        if len(self.rows):
            rows = self.field.add(self.rows, -self.field.matmul(self.rows[:, columns], new))
            new, columns = np.vstack([rows, new]), (*self.pivots, *columns)
        self.rows, self.pivots = new, np.array(columns, dtype=np.intp)
        return True


def reduce_row(row: Array, field: Residues) -> tuple[tuple[int, ...], Array]:
    """What `reduce_first_rows` makes of a single row of balanced residues: its first entry that is not zero becomes 1.

    >>> reduce_row(np.array([[0.0, 2.0, -1.0]]), get_residues(7))
    ((1,), array([[0., 1., 3.]]))
    """
    column = int((row[0] != 0).argmax())
    first = int(row[0, column])
    if not first:
        return (), row[:0]
    return (column,), reduce(row * float(pow(first, -1, field.prime)), field.prime)


class Directions(NamedTuple):
    """Values of fields at a point: one row per field, one column for each of the parameters that it may change."""

    parameters: NDArray[np.intp]
    matrix: NDArray[np.int64]
    text: str
    evidence: dict[str, Any]


def check_tangent(
    setting: SearchSetting[Any], prime: int, point: NDArray[np.int64], found: Iterable[Directions]
) -> None:
    """Raise if a direction changes what is observed at the point: every field has been proved not to."""
    evaluator = make_evaluator(setting.pmap)
    if not is_probed(evaluator) or evaluator.numbers_per_functional > MOST_NUMBERS:
        return
    field = get_residues(prime)
    probes = evaluator.random_functionals(PROBES, prime, setting.seed, *setting.labels, "symmetry")
    jacobian = evaluate_jacobian(setting.pmap, field, field.elements(point), probes, evaluator=evaluator)
    for directions in found:
        if field.matmul(jacobian[:, directions.parameters], field.elements(directions.matrix.T)).any():
            raise RuntimeError(f"a direction around {directions.text} changes the observed distribution")
