"""What a dimension needs of maps given by formulas: the map itself, its affine hull, and the bounds that only look at it.

Such maps are compared by their coordinates (lemma "free coordinates").
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from algdim.bound.counting import counting
from algdim.errors import listed
from algdim.families.contract import Bounds, Comparing, Explaining, Family, Share
from algdim.families.polynomial.bounds import FREE_SEARCHES, MapSetting, affine_hull, hull, power_sums
from algdim.families.polynomial.expressions import NamedParameter, names_in
from algdim.families.polynomial.map import PolynomialMap, formula_program, polynomial_jacobian, polynomial_map
from algdim.families.polynomial.model import Polynomial
from algdim.figures import counted
from algdim.jacobian import evaluator_of, values_at
from algdim.rank import objects

if TYPE_CHECKING:
    from algdim.explanation.evidence import Embedding, Refutation


FAMILY = Family(
    can_hide=False,
    make_map=lambda model, whole: polynomial_map(model),  # noqa: ARG005 (nothing is tied to other models)
    evaluator=formula_program,
    bounds=Bounds({"counting": counting, "ambient": hull}, {"flattenings": power_sums, **FREE_SEARCHES}, MapSetting),
    multiplied_out=polynomial_jacobian,
    complete=affine_hull,
)


def plain_shares(pmap: PolynomialMap) -> Iterator[Share]:
    """The parameters one by one."""
    uses = [frozenset(names_in(one.formula)) for one in pmap.model.coordinates]
    for name in pmap.parameters:
        yield Share(name, 1, f"in {sum(name in used for used in uses)} of {counted(len(uses), 'coordinate')}")


EXPLAINING = Explaining(plain_shares, most_bits=64, subject=lambda model: "coordinates")  # noqa: ARG005


def in_order(model: Polynomial, names: Sequence[str]) -> Polynomial:
    """A model with its coordinates in this order."""
    known = {coordinate.name: coordinate for coordinate in model.coordinates}
    return replace(model, coordinates=tuple(known[name] for name in names))


def by_free_coordinates(first: PolynomialMap, second: PolynomialMap) -> Embedding | None:
    """The map into one whose coordinates are different parameters: these take the values of the coordinates."""
    from algdim.exact.arithmetic import rationals
    from algdim.explanation.evidence import Embedding, by_lemma

    names = [one.formula.name for one in second.model.coordinates if isinstance(one.formula, NamedParameter)]
    if len(names) < second.coordinate_count or len(set(names)) < len(names):
        return None
    place = {name: number for number, name in enumerate(second.parameters)}
    line = f"{listed(names)} {'is the coordinate' if len(names) == 1 else 'are the coordinates'} of the first map"
    idle = [name for name in second.parameters if name not in names]
    lines = (line, f"{listed(idle)} {'is' if len(idle) == 1 else 'are'} 0") if idle else (line,)

    def at(point: Sequence[Fraction]) -> list[Fraction]:
        field, evaluator = rationals(), evaluator_of(first)
        elements = field.elements(objects(point))
        found = [Fraction(0)] * len(place)
        values = values_at(first, field, elements, evaluator.all_coordinates(), evaluator=evaluator)
        for name, value in zip(names, values, strict=True):
            found[place[name]] = Fraction(int(value.numerator), int(value.denominator))
        return found

    return Embedding(lines, by_lemma("free coordinates", lines), first, second, at)


def failing_forms(first: PolynomialMap, second: PolynomialMap, seed: int | str) -> Iterator[Refutation | None]:
    """An equation between the coordinates that fails."""
    from algdim.explanation.evidence import by_forms

    return by_forms(first, second, seed)


COMPARING = Comparing(
    observed=lambda model: {coordinate.name: None for coordinate in model.coordinates},
    differ="the first model has the coordinates {}, the second {}; maps to the same coordinates are compared",
    ordered=in_order,
    embeddings=(by_free_coordinates,),
    refutations=failing_forms,
)
