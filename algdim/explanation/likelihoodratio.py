"""What is known of the likelihood-ratio statistic of a model nested in another: the difference of dimensions, and what Wilks's theorem supposes.

The map of parameters is followed to points of the larger model, which are looked at: are they regular, are they inside the
parameters, are cells impossible that the larger model allows. The reference distribution is named where all is checked
that it needs (lemma "one variance at its end").
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from algdim.display.results import Compact, Plain
from algdim.errors import AlgdimError, join_names
from algdim.exact.arithmetic import SingularError
from algdim.exact.draws import open_stream
from algdim.explanation.evidence import Embedding
from algdim.explanation.samplepoint import draw_thousandths
from algdim.families import find_fitting, load_comparing, load_domain
from algdim.families.contract import NOTHING_SPECIAL
from algdim.fitting.problems import convert_to_network
from algdim.identifiability.points import is_inside
from algdim.identifiability.rowspaces import make_point_source
from algdim.maps import Map
from algdim.models.notation import to_text
from algdim.report import Report, join_dimension_trusts
from algdim.trust import BOUNDED, BOUNDS_ONLY, Trust, bounds_only

DRAWS = 3
"""This many points of the smaller model are followed."""
TRIES = 60
MOST_CELLS = 1 << 20
MOST_NAMED = 6
SOME_END = "some parameters are on the boundary of their ranges"

SUPPOSES = (
    "Wilks's theorem (asymptotically χ² with this many degrees of freedom) requires that the true distribution comes from a "
    "regular interior point of the larger model's parameter space, and from no other point"
)


@dataclass(frozen=True, slots=True, repr=False)
class Singular(Compact, Plain):
    """The greatest rank of the larger model's Jacobian at images of points of the smaller, where it is less than its dimension."""

    _json: ClassVar[str] = "rank dimension"

    rank: int
    dimension: int
    points: int

    def __str__(self) -> str:
        return (
            f"warning: at the points drawn of the smaller model ({self.points}), under this map of parameters, the Jacobian of the larger one "
            f"has rank {self.rank} modulo a prime, not {self.dimension}; the larger model may not be regular along the smaller one, and the "
            "likelihood-ratio statistic need not have a χ² distribution"
        )


@dataclass(frozen=True, slots=True, repr=False)
class Ratio(Compact):
    """The difference of dimensions, and what is known of the statistic's distribution.

    ``regular``: whether the larger model's Jacobian has its full rank at an image, ``boundary`` what is at an end of its range at all of
    them, both ``None`` where no point could be followed. ``impossible`` counts cells that only the larger model allows.
    """

    freedom: int
    counted: int
    trust: Trust
    regular: bool | None
    singular: Singular | None
    boundary: tuple[str, ...] | None
    points: int
    impossible: int
    reference: tuple[str, Trust] | None
    commands: tuple[str, ...]
    no_reference: str = ""
    """Why no reference distribution is known at a boundary of the larger model."""

    @property
    def is_doubtful(self) -> bool:
        """Whether something that Wilks's theorem supposes is missing."""
        return self.singular is not None or bool(self.boundary) or self.impossible > 0

    def lines(self) -> Iterator[str]:
        """What is printed."""
        counted = str(self.counted).replace("-", "−")
        yield f"difference of dimensions: {self.freedom} ({self.trust}); counting parameters gives {counted}"
        if not self.freedom:
            return  # no equation tells the models apart
        yield f"likelihood-ratio test: {SUPPOSES}"
        if self.singular is not None:
            yield str(self.singular)
        if self.boundary:
            yield (
                f"warning: the smaller model lies on the boundary of the larger one, under this map of parameters (at {self.points} points of it): "
                f"{'; '.join(self.boundary)}; if parameters are kept in their ranges, the statistic need not have a χ² distribution"
            )
        if self.impossible:
            cells = "a cell is" if self.impossible == 1 else f"{self.impossible} cells are"
            yield (
                f"warning: {cells} impossible in the smaller model and possible in the larger one; under the smaller model the "
                "counts there are 0, and the statistic need not have a χ² distribution"
            )
        if self.regular is None:
            yield "not checked: whether the point is regular and interior"
        if self.reference is not None:
            yield f"reference distribution: {self.reference[0]} ({self.reference[1]})"
        elif self.is_doubtful:
            if self.boundary and self.no_reference:
                yield self.no_reference
            yield from self.commands

    def to_dict(self) -> dict[str, Any]:
        """The form of the JSON output."""
        reference = (
            None if self.reference is None else {"distribution": self.reference[0], **self.reference[1].to_dict()}
        )
        return {
            "difference": self.freedom,
            **self.trust.to_dict(),
            "supposes": SUPPOSES,
            "regular": self.regular,
            "boundary": None if self.boundary is None else list(self.boundary),
            "impossible_cells": self.impossible,
            "reference": reference,
            "simulate": list(self.commands) if self.is_doubtful and self.reference is None else [],
        }


def describe_ratio_test(found: Embedding | None, small: Report, large: Report, seed: int | str, memory: int) -> Ratio:
    """What is known of the test of the smaller model against the larger."""
    known = NOTHING_SPECIAL if found is None else load_comparing(found.second.model.family)
    trust = compute_trust(small, large)
    freedom, counted = large.dimension - small.dimension, large.standard - small.standard
    images = [] if found is None else list(iterate_inner_images(found, seed))
    ranks = [] if found is None else rank_at_images(found, images, seed, memory)
    singular = None
    if ranks and max(ranks) < large.dimension:
        singular = Singular(max(ranks), large.dimension, len(ranks))
    boundary: tuple[str, ...] | None = None
    if found is not None and images:
        ends = [find_ends(found.second, image) for _, image in images]
        boundary = tuple(one for one in ends[0] if all(one in other for other in ends))
        if not boundary and all(ends):
            boundary = (SOME_END,)
    impossible = 0 if found is None else count_lost_cells(found.first, found.second)
    reference = None
    if found is not None and known.find_reference and images and boundary and not impossible and singular is None:
        reference = known.find_reference(found, images, ranks, small, large)
    return Ratio(
        freedom, counted, trust, (singular is None) if ranks else None, singular, boundary, len(images), impossible, reference,
        tuple(write_commands(small, large)),
        known.explain_no_reference(found.second) if found is not None and known.explain_no_reference else "",
    )  # fmt: skip


def compute_trust(small: Report, large: Report) -> Trust:
    """Trust in the difference of the dimensions of a model and of a larger one; bounds of one of them are no bounds of it."""
    found = join_dimension_trusts(small, large)
    if found.status != BOUNDED:
        return found
    if not all(bound.is_proved for report in (small, large) for bound in (report.lower, report.upper)):
        return BOUNDS_ONLY
    least, most = large.lower.value - small.upper.value, large.upper.value - small.lower.value
    return bounds_only(max(0, least), most)


def iterate_inner_images(found: Embedding, seed: int | str) -> Iterator[tuple[list[Fraction], list[Fraction]]]:
    """Drawn points strictly inside the first model's parameters, and what the map makes of them."""
    pmap, count = found.first, 0
    for attempt in range(TRIES):
        point = found.square_roots(draw_thousandths(pmap, open_stream(seed, "compare", "inside", attempt), attempt))
        try:
            if not is_inside(pmap, point, strictly=True):
                continue
            yield point, found.at(point)
        except (SingularError, ZeroDivisionError, AlgdimError):
            continue
        count += 1
        if count == DRAWS:
            return


def rank_at_images(
    found: Embedding, images: Sequence[tuple[Any, Sequence[Fraction]]], seed: int | str, memory: int
) -> list[int]:
    """The ranks of the larger model's Jacobian at images, where it has values."""
    if not images:
        return []
    points = make_point_source(found.second, seed, memory)
    ranks = []
    for number, (_, image) in enumerate(images):
        try:
            ranks.append(points.take_point(number, image).rank)
        except (ZeroDivisionError, SingularError, ValueError):  # no value there modulo this prime
            continue
    return ranks


def find_ends(pmap: Map, image: Sequence[Fraction]) -> list[str]:
    """What is at an end of its range at a point of the larger model; nothing if all nearby parameters are those of a distribution."""
    if is_inside(pmap, image, strictly=True):
        return []
    ends = load_comparing(pmap.model.family).describe_ends
    if ends is not None:
        return ends(pmap, image)
    zero = [
        pmap.parameters[number]
        for number in sorted(load_domain(pmap.model.family).find_not_negative(pmap))
        if not image[number]
    ]
    if not zero:
        return [load_domain(pmap.model.family).at_end or SOME_END]
    shown = join_names(zero) if len(zero) <= MOST_NAMED else f"{join_names(zero[:MOST_NAMED])}, … ({len(zero)} in all)"
    return [f"{shown} {'is' if len(zero) == 1 else 'are'} 0"]


def count_lost_cells(first: Map, second: Map) -> int:
    """How many cells are impossible in the first model and possible in the second."""
    mine, theirs = (load_comparing(pmap.model.family).in_table for pmap in (first, second))
    if mine is None or theirs is None or first.coordinate_count > MOST_CELLS:
        return 0
    possible = mine.find_possible(first)
    if possible is None:
        return 0
    others = theirs.find_possible(second)
    return int(np.count_nonzero(~possible if others is None else ~possible & others))


def write_commands(small: Report, large: Report) -> Iterator[str]:
    """How to simulate the statistic's distribution, if these models are fitted."""
    if not all(find_fitting(convert_to_network(report.model).family) for report in (small, large)):
        yield "its distribution can be simulated: draw data from the fitted smaller model and fit both (algdim fits no models of this family)"
        return
    one, other = (format_for_shell(to_text(report.model)) for report in (small, large))
    yield "its distribution can be simulated by a parametric bootstrap: fit the smaller model, draw samples of your size from it, each with its own seed, and fit both models to each:"
    yield f"  algdim fit data.csv {one} --json > small.json"
    yield f"  algdim simulate {one} --at small.json -n 1000 --seed 1 > drawn.csv"
    yield f"  algdim fit drawn.csv {one}"
    yield f"  algdim fit drawn.csv {other}"
    yield "the statistic is twice the difference of the two log-likelihoods"


def format_for_shell(text: str) -> str:
    """A model as an argument of a command."""
    return f"'{text}'" if any(sign in text for sign in " ;|()<>{}!") else text
