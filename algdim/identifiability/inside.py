"""Whether there is a distribution with given parameters: no negative probability, covariance matrices positive definite."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from algdim.families import domain_of
from algdim.maps import Map

NEAR = Fraction(1, 10**9)
"""Estimates that are this near to the end of a range are taken for the end: climbing algorithms do not arrive there."""


def is_inside(pmap: Map, point: Sequence[Fraction], *, strictly: bool = False, margin: Fraction = Fraction(0)) -> bool:
    """Whether the parameters are those of a distribution, ``strictly`` all nearby ones too; of maps of one's own every point is.

    With a margin probabilities, rates and effects are to be greater than it, and the errors' covariance matrix stays positive
    definite when the variances are less by this share, and every variance is more than this share of its variable's.

    >>> from algdim.maps import map_of
    >>> from algdim.models.notation import parse
    >>> pmap = map_of(parse("gaussian: A <-> B; means off"))
    >>> [is_inside(pmap, [Fraction(1), Fraction(1), Fraction(c, 10)]) for c in (9, 11)]
    [True, False]
    >>> pmap = map_of(parse("A -> B"))
    >>> [
    ...     is_inside(pmap, [Fraction(1), Fraction(1, 2), Fraction(1, 3)], strictly=strictly)
    ...     for strictly in (False, True)
    ... ]
    [True, False]
    """
    return domain_of(pmap.model.family).is_inside(pmap, point, strictly, margin)
