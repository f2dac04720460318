"""What identifies parameters at a given point, by the exact Jacobian there; whether there is a distribution with them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from algdim.display.results import Compact, convert_members
from algdim.errors import InputError, LimitError, join_names
from algdim.exact.arithmetic import SingularError
from algdim.exact.elimination import Reduced
from algdim.exact.flint import reduce_rows_by_flint
from algdim.families import load_domain, load_family, load_identifying
from algdim.maps import Map
from algdim.memory import ALLOW_MORE
from algdim.models.anymodel import AnyModel
from algdim.rank import compute_rational_jacobian, measure_weakest_value, warn_nearly_smaller
from algdim.readers.files import describe_fit_boundary
from algdim.report import Report, describe_parameter_source, read_map_point
from algdim.trust import BOUNDED, BOUNDS_ONLY, Trust, proved_by, trust_in_all

NAMES_SHOWN = 8
LEMMA = "parameters"
ON, NEAR_IT = "on", "near"
"""Where a point stands to the boundary of the parameters."""


@dataclass(frozen=True, slots=True, repr=False)
class VerdictsAtPoint(Compact):
    """The verdicts at a point; ``None`` where the Jacobian there does not decide.

    At a point of the generic rank a parameter that is generically identifiable is identifiable, and one that a kernel vector
    changes is not if the point is no boundary point, such as one with a probability of 0: there what has the same coordinates
    may be outside. A point that an estimate has all but on the boundary counts as one. Of one that moves generically, but not to first order here, nothing is known. At any other point only full
    rank decides.
    """

    rank: int
    regular: bool | None
    """Whether the rank, which is exact, is the generic one; ``None`` where that is not known."""
    source: str
    identifiable: tuple[tuple[str, bool | None], ...]
    in_regular: Trust
    """Trust in ``regular``, and in what is not identifiable there."""
    in_identifiable: Trust | None = None
    """Trust in all that is identifiable there, as one statement; ``None`` if nothing is."""
    boundary: str | None = None
    """``on`` or ``near``: why that what moves is not called lost; ``None`` where the boundary is irrelevant."""
    weakest: float | None = None
    """The last singular value of the Jacobian there that the rank leaves, over the first, in floating point."""
    fit_boundary: str = ""
    """What the fit that was given says of the boundary."""

    def to_dict(self) -> dict[str, Any]:
        """The form of the JSON output."""
        found = convert_members(self, "rank regular source identifiable boundary weakest fit_boundary? trust")
        return found | {"identifiable": dict(self.identifiable)}

    @property
    def trust(self) -> Trust:
        """Trust in all findings at the point together."""
        return trust_in_all([self.in_regular, *([self.in_identifiable] if self.in_identifiable else [])])

    @property
    def error(self) -> float | None:
        """The probability that one of the findings is wrong."""
        return self.trust.error

    def list_parameters(self, value: bool | None) -> tuple[str, ...]:
        """The parameters with a verdict."""
        return tuple(name for name, verdict in self.identifiable if verdict is value)

    def lines(self) -> Iterator[str]:
        """The verdicts for people."""
        words = {
            True: "the point is regular",
            False: "the point is not regular",
            None: "whether that is the generic rank is not known",
        }
        drawn = "" if self.regular is None else self.in_regular.caveat
        yield f"at the parameters of {self.source}: rank {self.rank}, {words[self.regular]}{drawn}"
        for value, text, trust in (
            (True, "identifiable there", self.in_identifiable),
            (False, "not identifiable there", self.in_regular),
            (None, "not decided there", None),
        ):
            if self.list_parameters(value):
                yield f"  {text}{'' if trust is None else trust.caveat}: {join_names(self.list_parameters(value), most=NAMES_SHOWN)}"
        if self.boundary is not None:
            where = "on" if self.boundary == ON else f"within {float(NEAR):.0e} of".replace("e-0", "e-")
            yield (
                f"  the point is {where} the boundary of the parameters (a probability 0 or 1, a variance 0), and counts as a "
                "boundary point: what has the same distribution nearby may lie outside"
            )
        yield from (f"  {text}" for text in (self.fit_boundary, warn_nearly_smaller(self.weakest, self.rank)) if text)


def identify_at_point(
    model: AnyModel,
    pmap: Map,
    report: Report,
    generic: Sequence[bool | None],
    trusts: tuple[Trust | None, Trust],
    source: Any,
    max_memory: int,
) -> VerdictsAtPoint:
    """The verdicts at the parameters of a file, from the exact Jacobian.

    ``trusts`` are those in all that is generically identifiable, and in the generic rank.
    """
    check = load_identifying(model.family).check_point
    if check is not None:
        check(pmap, source)
    point = read_map_point(pmap, source, model)
    try:
        matrix = compute_rational_jacobian(pmap, point, max_memory, ALLOW_MORE)
    except SingularError:
        raise InputError(
            f"the map has no value at the given parameters: {load_family(model.family).no_value}"
        ) from None
    reduced = reduce_rows_by_flint(matrix.tolist())
    rank, text = len(reduced.pivots), describe_parameter_source(source)
    return replace(
        derive_point_verdicts(pmap, report, generic, trusts, point, reduced, text),
        weakest=measure_weakest_value(matrix, rank),
        fit_boundary=describe_fit_boundary(source),
    )


def derive_point_verdicts(
    pmap: Map,
    report: Report,
    generic: Sequence[bool | None],
    trusts: tuple[Trust | None, Trust],
    point: Sequence[Fraction],
    reduced: Reduced,
    text: str,
) -> VerdictsAtPoint:
    """What the reduced Jacobian at a point says of each parameter."""
    pivots = {column: row for row, column in reduced.pivots}
    free = [column for column in range(len(pmap.parameters)) if column not in pivots]
    rank = len(pivots)
    there = f"rank {rank} of the Jacobian over ℚ at the parameters of {text}"
    if rank == len(pmap.parameters):
        full = proved_by(LEMMA, f"{there}, as many as parameters")
        return VerdictsAtPoint(rank, True, text, tuple((name, True) for name in pmap.parameters), full, full)
    nothing = tuple((name, None) for name in pmap.parameters)
    if rank < report.lower.value:
        less = trust_in_all([proved_by("generic rank", there), report.lower.trust])
        return VerdictsAtPoint(rank, False, text, nothing, less)
    if rank > report.lower.value:
        raise LimitError(
            f"the rank at the given parameters is {rank}, and the draws of the dimension showed {report.dimension}: they missed "
            "it by accident; take another --seed"
        )
    kept, bounded = trusts
    if bounded.status == BOUNDED or bounded.says_nothing:
        return VerdictsAtPoint(rank, None, text, nothing, BOUNDS_ONLY)
    moving = [
        place not in pivots or any(reduced.matrix[pivots[place]][column] for column in free)
        for place in range(len(pmap.parameters))
    ]
    boundary = find_nearby_boundary(pmap, point)

    def verdict(place: int) -> bool | None:
        if generic[place]:
            return True
        return False if moving[place] and boundary is None else None

    found = tuple((name, verdict(place)) for place, name in enumerate(pmap.parameters))
    lost = (
        "; a vector of its kernel there changes what is not identifiable" if any(v is False for _, v in found) else ""
    )
    regular = trust_in_all([proved_by(LEMMA, f"{there}, which is the dimension{lost}"), bounded])
    stays = None if kept is None else trust_in_all([kept, regular])
    matters = any(moves and not known for moves, known in zip(moving, generic, strict=True))
    return VerdictsAtPoint(rank, True, text, found, regular, stays, boundary if matters else None)


def find_nearby_boundary(pmap: Map, point: Sequence[Fraction]) -> str | None:
    """Whether a point is on the boundary of the parameters, or so near that an estimate there stands for the boundary."""
    if not is_inside(pmap, point, strictly=True):
        return ON
    return None if is_inside(pmap, point, strictly=True, margin=NEAR) else NEAR_IT


NEAR = Fraction(1, 10**9)
"""Estimates that are this near to the end of a range are taken for the end: climbing algorithms do not arrive there."""


def is_inside(pmap: Map, point: Sequence[Fraction], *, strictly: bool = False, margin: Fraction = Fraction(0)) -> bool:
    """Whether the parameters are those of a distribution, ``strictly`` all nearby ones too; user-defined maps accept every point.

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
    return load_domain(pmap.model.family).is_inside(pmap, point, strictly, margin)
