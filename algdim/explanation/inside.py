"""Whether there is a distribution with given parameters: no negative probability, covariance matrices positive definite."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from algdim.exact.arithmetic import rationals
from algdim.maps.anymap import Map
from algdim.maps.classifier import ClassifierMap
from algdim.maps.factors import ParamMap
from algdim.maps.gaussian import GaussianMap
from algdim.maps.latentprofile import MomentMap
from algdim.models.gaussianfixed import first_bad_minor
from algdim.rank import objects

Square = list[list[Fraction]]


def is_inside(pmap: Map, point: Sequence[Fraction]) -> bool:
    """Whether the parameters are those of a distribution; of maps of one's own every point is.

    >>> from algdim.maps.anymap import map_of
    >>> from algdim.models.notation import parse
    >>> pmap = map_of(parse("gaussian: A <-> B; means off"))
    >>> [is_inside(pmap, [Fraction(1), Fraction(1), Fraction(c, 10)]) for c in (9, 11)]
    [True, False]
    """
    if isinstance(pmap, ClassifierMap):
        return is_inside(pmap.tables, point)
    if isinstance(pmap, ParamMap):
        elements = rationals().elements(objects(list(point)))
        return all(value >= 0 for entries in pmap.arrays for value in entries.values(rationals(), elements).flat)
    if isinstance(pmap, GaussianMap):
        return is_covariance(error_covariances(pmap, point))
    if isinstance(pmap, MomentMap):
        return all(map(is_covariance, class_covariances(pmap, point)))
    return True


def is_covariance(matrix: Square) -> bool:
    """Whether a matrix is positive definite once variables of variance 0, which are constants, are left out.

    >>> is_covariance([[Fraction(0), Fraction(0)], [Fraction(0), Fraction(1)]])
    True
    """
    varying = [i for i, row in enumerate(matrix) if any(row)]
    return first_bad_minor([[matrix[i][j] for j in varying] for i in varying]) is None


def error_covariances(gmap: GaussianMap, point: Sequence[Fraction]) -> Square:
    """The covariances of the errors, one row for each variable."""
    matrix = [[Fraction(0)] * len(gmap.place) for _ in gmap.place]
    for entry in gmap.model.entries:
        if entry[0] in ("v", "c"):
            one, other = gmap.place[entry[1]], gmap.place[entry[-1]]
            number = gmap.number_of.get(entry)
            matrix[one][other] = matrix[other][one] = gmap.value_of[entry] if number is None else point[number]
    return matrix


def class_covariances(pmap: MomentMap, point: Sequence[Fraction]) -> Iterator[Square]:
    """The covariances inside each class."""
    model, values = pmap.model, dict(zip(pmap.parameters, point, strict=True))
    names = [item.name for item in model.continuous]
    for number in range(1 if model.equal else model.classes):
        end = ")" if model.equal else f"|{model.label}={number})"
        yield [
            [
                values[f"v({one}{end}"]
                if one == other
                else values.get(f"c({one}<->{other}{end}", values.get(f"c({other}<->{one}{end}", Fraction(0)))
                for other in names
            ]
            for one in names
        ]
