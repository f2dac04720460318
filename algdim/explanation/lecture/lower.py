"""The step with the lower bound: what a rank at one point proves, a point to play with, and singular values near a special one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import partial
from itertools import chain
from json import dumps
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algdim.errors import AlgdimError
from algdim.exact.arithmetic import SingularError
from algdim.explanation.chosen import ShownPart, find_part
from algdim.explanation.lecture.page import LectureStep, write_figure, write_folded, write_paragraph
from algdim.explanation.printing import write_coordinate_expressions
from algdim.explanation.samplepoint import (
    Standing,
    evaluate_at_point,
    find_largest_thousandth,
    make_special_points,
)
from algdim.explanation.sections import RANK_DOES_NOT, RANK_PROVES, describe_generic_rank
from algdim.explanation.walks import FloatMap, is_in_domain
from algdim.families import load_domain
from algdim.figures import format_count, format_integer
from algdim.limits import sharpen
from algdim.maps import PROBABILITY
from algdim.plots.heatmap import draw_singular_values
from algdim.report import Report
from algdim.trust import IN_FLOATS

MOST_IN_FRACTIONS, MOST_PLAYED = 1500, 25_000
"""Of entries of the Jacobian, for a page that computes ranks by itself, in fractions or else modulo a prime."""
PRIME = (1 << 26) - 5
"""The largest prime modulo which a page multiplies exactly in floating point."""
MOST_TREE = 600_000
"""Letters of the map in the page."""
PLAYED_PARTS = (1500, 800, 400, 200, 100)
"""Entries of the Jacobian of a part with sliders: of some families longer maps cannot be written out."""
SPECIAL_IN_WORDS = {
    "all rows alike": "all rows of a table are alike",
    "coefficients zero": "all coefficients are zero",
    "all parameters equal": "all parameters are equal",
    "all parameters 1": "all parameters are 1",
    "all parameters 0": "all parameters are 0",
}
PLACES = 41
"""On the way to a special point."""
MOST_WALKED = 25_000
"""Of entries of the Jacobian, whose singular values are drawn on that way."""


def find_special_points(standing: Standing) -> dict[str, tuple[list[Fraction], int]]:
    """Points at which the rank is smaller, computed exactly, with their ranks; the first is the most telling.

    >>> from algdim.explanation.samplepoint import evaluate_at_random_point
    >>> from algdim.maps import map_of
    >>> from algdim.models.notation import parse
    >>> found = find_special_points(evaluate_at_random_point(map_of(parse("3:2,2,2,2"))))
    >>> {name: rank for name, (_, rank) in found.items()}
    {'all rows alike': 4, 'all parameters equal': 4, 'all parameters 0': 4}
    """
    found: dict[str, tuple[list[Fraction], int]] = {}
    for name, point in iterate_special_candidates(standing):
        try:
            rank = evaluate_at_point(standing.pmap, point, "").rank
        except (SingularError, ZeroDivisionError, AlgdimError):
            continue
        if rank < standing.rank and len(found) < 3:
            found[name] = (point, rank)
    return found


def list_tried_points(standing: Standing) -> list[str]:
    """The points that are special in other families, and where the rank is that of the page's point."""
    found = []
    for name, point in iterate_special_candidates(standing):
        if not is_in_domain(standing.pmap, point):
            continue
        try:
            rank = evaluate_at_point(standing.pmap, point, "").rank
        except (SingularError, ZeroDivisionError, AlgdimError):
            continue
        if rank == standing.rank:
            found.append(SPECIAL_IN_WORDS.get(name, f"“{name}”"))
    return found


def iterate_special_candidates(standing: Standing) -> Iterator[tuple[str, list[Fraction]]]:
    """Points that are special in many families."""
    yield from make_special_points(standing.pmap, standing.point).items()
    width = len(standing.point)
    top = find_largest_thousandth(standing.pmap.model)
    points = {
        "all parameters equal": [Fraction(min(top, 250), 1000)] * width,
        "all parameters 1": [Fraction(1)] * width,
        "all parameters 0": [Fraction(0)] * width,
    }
    # those of a distribution first
    yield from sorted(points.items(), key=lambda one: not is_in_domain(standing.pmap, one[1]))


def make_lower(
    report: Report, standing: Standing | None, part: ShownPart | None, not_standing: str, seen: str
) -> LectureStep:
    """The step."""
    lower = report.lower
    title = f"Why not less than {lower.value}"
    by = f" ({lower.trust.lemmas_in_words})" if lower.trust.lemmas_in_words else ""
    parts = [
        write_paragraph(f"The dimension is at least {lower.value} ({lower.trust}).", "key"),
        write_paragraph(f"The reason{by}: {lower.reason}."),
        write_paragraph(
            "At any point the rank of the Jacobian is at most the dimension, and at almost every point it is equal."
        ),
        *(write_paragraph(text) for text in explain_point(report, standing)),
    ]
    details = [
        write_paragraph(f"What a rank proves: {RANK_PROVES}{describe_generic_rank(report, seen)}"),
        write_paragraph(f"What it does not prove: {RANK_DOES_NOT}"),
    ]
    fold = write_folded("What a rank at a point proves, and what it does not", details)
    special: Mapping[str, tuple[list[Fraction], int]] = {}
    play: dict[str, Any] = {}
    why, shown = "", standing
    if standing is not None:
        special = find_special_points(standing)
        play, why = make_play(report, standing, special)
    part = None if play else choose_played_part(report, part)
    if part is not None:
        shown, special = part.standing, find_special_points(part.standing)
        play, why = make_play(part.report, part.standing, special)
        play = play and {**play, "of": " of this part"}
        parts.append(write_paragraph(explain_part(part)))
    if shown is None:
        parts.append(write_paragraph(f"There is no point on this page: {not_standing}."))
        return LectureStep("lower", title, (*parts, fold))
    data: dict[str, Any] = {}
    if special:
        picture, data = draw_approach(shown, special)
        parts.append(picture)
    elif (tried := list_tried_points(shown)) and shown.rank:
        parts.append(
            write_paragraph(
                f"Where {' or '.join(tried[:3])}, the rank is {shown.rank} as well, computed in fractions: none of these points is special here."
            )
        )
    parts += ['<div id="play" hidden></div>' if play else write_paragraph(why, "small"), fold]
    return LectureStep("lower", title, tuple(part for part in parts if part), {**data, **play})


def choose_played_part(report: Report, part: ShownPart | None) -> ShownPart | None:
    """The part that the page shows, or the largest one, whose map is short enough for sliders; the first one if there is none."""
    smaller = (sharpen("a part for the sliders", partial(find_part, report, most)) for most in PLAYED_PARTS)
    found = None
    for one in chain([part], smaller):
        if one is not None and make_play(one.report, one.standing, {})[0]:
            return one
        found = found or one
    return found


def explain_part(part: ShownPart) -> str:
    """What a rank of a part says of the whole."""
    return (
        f"The sliders are those of {part.name}, with "
        f"{format_count(part.report.standard, 'parameter')} and dimension {part.report.dimension} ({part.report.trust}). "
        f"{part.smaller.follows}, so a rank seen here is a lower bound for the whole model, too."
    )


def explain_point(report: Report, standing: Standing | None) -> list[str]:
    """Why the proof may have another point than the page."""
    if standing is None:
        return []
    whose = "the rank of the rows shown" if standing.left_out else "it"
    here = f"At the point of this page {whose} is {standing.rank}, computed in fractions."
    if standing.rank < report.dimension:
        here += f" (This point happens to be special: elsewhere the rank is {report.dimension}.)"
    if any(draw.prime is not None for draw in report.draws):
        here += " The proof has a point of its own, and computes modulo a prime, because that is faster; any point with this rank will do."
    return [here]


def draw_approach(standing: Standing, special: Mapping[str, tuple[list[Fraction], int]]) -> tuple[str, dict[str, Any]]:
    """The singular values on the straight way to the first special point."""
    (name, (point, rank)), *_ = special.items()
    if len(standing.point) * standing.pmap.coordinate_count > MOST_WALKED:
        return "", {}
    values = compute_singular_values(standing, point)
    drawn = draw_singular_values(values, standing.rank, rank, name)
    caption = (
        f"The singular values of {name_matrix(standing)} on the way from the point of this page to a special one, “{name}”, where the rank, "
        f"computed in fractions, is {rank}: {standing.rank - rank} of them {'falls' if standing.rank - rank == 1 else 'fall'} to zero ({IN_FLOATS})."
    )
    return write_figure(drawn, caption, "singular"), {"special": name}


def name_matrix(standing: Standing) -> str:
    """The matrix at the point."""
    return "the rows of the Jacobian on this page" if standing.left_out else "the Jacobian"


def compute_singular_values(standing: Standing, end: list[Fraction]) -> NDArray[np.float64]:
    """One row for each place on the way, in floating point."""
    first, last = (np.array([float(value) for value in point]) for point in (standing.point, end))
    inside, rows = FloatMap(standing.pmap), []
    with np.errstate(all="ignore"):
        for share in np.linspace(0, 1, PLACES):
            matrix = inside.find_jacobian((1 - share) * first + share * last)
            size = min(matrix.shape)
            rows.append(
                np.linalg.svd(matrix, compute_uv=False) if np.all(np.isfinite(matrix)) else np.full(size, np.nan)
            )
    return np.array(rows)[:, : standing.rank]


def make_play(
    report: Report, standing: Standing, special: Mapping[str, tuple[list[Fraction], int]]
) -> tuple[dict[str, Any], str]:
    """What the page needs to compute ranks by itself: the map as nested lists, points, the dimension; or why it does not."""
    pmap = standing.pmap
    entries = pmap.coordinate_count * len(pmap.parameters)
    if entries > MOST_PLAYED:
        return {}, (
            f"There are no sliders here: the Jacobian has {format_integer(entries)} entries, and a page computes ranks of up to "
            f"{format_integer(MOST_PLAYED)}."
        )
    try:
        expressions = write_coordinate_expressions(pmap)
    except AlgdimError as error:
        return {}, f"There are no sliders here: {error}."
    numbers = {name: number for number, name in enumerate(pmap.parameters)}
    points = {"the point of this page": list(standing.point), **{name: point for name, (point, _) in special.items()}}
    negative = load_domain(report.model.family).find_not_negative(pmap)
    trees = [convert_to_prefix(expression, numbers) for expression in expressions]
    if len(dumps(trees)) > MOST_TREE:
        return {}, "There are no sliders here: the map, written out, is too long for a page."
    return {
        "parameters": list(pmap.parameters),
        "coordinates": trees,
        "rows": name_matrix(standing) if standing.left_out else "",
        "prime": PRIME if entries > MOST_IN_FRACTIONS else 0,
        "dimension": report.dimension,
        "exact": report.exact,
        "top": find_largest_thousandth(report.model),
        "ends": [
            [0, 1] if record.kind == PROBABILITY else [0, 2] if number in negative else [-2, 2]
            for number, record in enumerate(pmap.records)
        ],
        "points": {name: [str(value) for value in point] for name, point in points.items()},
    }, ""


def convert_to_prefix(expression: Any, numbers: dict[str, int]) -> Any:
    """A sympy expression as nested lists: ["+", …], ["*", …], ["^", base, exponent], ["log", …], a parameter's number as an integer, a constant as text.

    >>> from sympy import symbols
    >>> x, y = symbols("x y")
    >>> convert_to_prefix(x * (1 - y) ** 2, {"x": 0, "y": 1})
    ['*', 0, ['^', ['+', '1', ['*', '-1', 1]], 2]]
    """
    if expression.is_Symbol:
        return numbers[expression.name]
    if expression.is_Rational:  # as str does, which takes longer
        return str(expression.p) if expression.q == 1 else f"{expression.p}/{expression.q}"
    if expression.is_Pow and expression.exp.is_Integer:
        return ["^", convert_to_prefix(expression.base, numbers), int(expression.exp)]
    sign = "+" if expression.is_Add else "*" if expression.is_Mul else "log"
    if sign == "log" and expression.func.__name__ != "log":
        raise ValueError(f"{expression.func.__name__} has no form here")
    return [sign, *(convert_to_prefix(part, numbers) for part in expression.args)]
