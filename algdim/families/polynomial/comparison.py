"""How maps given by formulas are compared: by their coordinates (lemma "free coordinates")."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from algdim.errors import listed
from algdim.exact.arithmetic import rationals
from algdim.explanation.evidence import Embedding, by_forms, by_lemma
from algdim.families.contract import Comparing
from algdim.families.polynomial.expressions import Parameter
from algdim.families.polynomial.map import PolynomialMap
from algdim.families.polynomial.model import Polynomial
from algdim.jacobian import evaluator_of, values_at
from algdim.rank import objects


def in_order(model: Polynomial, names: Sequence[str]) -> Polynomial:
    """A model with its coordinates in this order."""
    known = {coordinate.name: coordinate for coordinate in model.coordinates}
    return replace(model, coordinates=tuple(known[name] for name in names))


def by_free_coordinates(first: PolynomialMap, second: PolynomialMap) -> Embedding | None:
    """The map into one whose coordinates are different parameters: these take the values of the coordinates."""
    names = [one.formula.name for one in second.model.coordinates if isinstance(one.formula, Parameter)]
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


COMPARING = Comparing(
    observed=lambda model: {coordinate.name: None for coordinate in model.coordinates},
    differ="the first model has the coordinates {}, the second {}; maps to the same coordinates are compared",
    ordered=in_order,
    embeddings=(by_free_coordinates,),
    refutations=by_forms,
)
