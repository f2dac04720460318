"""Points at which the rank may be smaller: what is conditioned on tells nothing, coefficients are zero."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from algdim.families import domain_of
from algdim.maps import Map


def special_points(pmap: Map, point: Sequence[Fraction]) -> dict[str, list[Fraction]]:
    """Points made of this one, by what is special about them.

    >>> from algdim.maps import map_of
    >>> from algdim.models.notation import parse
    >>> pmap = map_of(parse("gaussian: A -> B; C -> D; equal e = b(A->B), b(C->D); means off"))
    >>> [str(x) for x in special_points(pmap, [Fraction(1, 2)] * 5)["coefficients zero"]]
    ['0', '1/2', '1/2', '1/2', '1/2']
    """
    alike = without_differences(pmap, point)
    found = {"conditions make no difference": alike} if alike != list(point) else {}
    domain = domain_of(pmap.model.family)
    coefficients = frozenset[int]() if domain.coefficients is None else domain.coefficients(pmap)
    if coefficients:
        found["coefficients zero"] = [Fraction(0) if n in coefficients else value for n, value in enumerate(point)]
    return found


def without_differences(pmap: Map, point: Sequence[Fraction]) -> list[Fraction]:
    """The point with the parameters of a row in all other rows of its table; a weight of a sigmoid variable is e^0."""
    found, same = list(point), {number: {number} for number in range(len(point))}
    domain = domain_of(pmap.model.family)
    for group in () if domain.alike is None else domain.alike(pmap):
        # a parameter can stand in several tables
        together = set().union(*(same[int(number)] for number in group.flat))
        same.update(dict.fromkeys(together, together))
    for number, together in same.items():
        found[number] = point[min(together)]
    for number in () if domain.neutral is None else domain.neutral(pmap):
        found[number] = Fraction(1)
    return found
