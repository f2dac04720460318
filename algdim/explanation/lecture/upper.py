"""The step with the upper bound: a picture of its evidence, and why one equation more would not help."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import partial
from math import prod
from typing import Any

from algdim.errors import AlgdimError
from algdim.exact.flint import compute_determinant, reduce_rows_by_flint
from algdim.explanation.chosen import ShownPart
from algdim.explanation.constraints import Constraint, Evaluated
from algdim.explanation.lecture.page import LectureStep, write_figure, write_folded, write_paragraph
from algdim.explanation.samplepoint import Standing, evaluate_at_random_point
from algdim.explanation.sections import describe_shared_coordinates, describe_subject
from algdim.families import load_explaining
from algdim.families.contract import BoundPicture, EqualCells, Heads, OnGraph
from algdim.figures import format_count
from algdim.limits import sharpen
from algdim.plots.dimensions import draw_derivation
from algdim.plots.grids import draw_arrows, draw_equal_cells, draw_grid_sum, draw_heads
from algdim.plots.networkdrawing import draw_network, get_model_graph
from algdim.report import Report

COUNTING = "counting"
"""The bound by the number of parameters."""
MOST_ARROWS = 2
MOST_PARTS = 2
"""Of districts whose evidence is drawn."""
MOST_HEADS = 480


def make_upper(
    report: Report,
    standing: Standing | None,
    part: ShownPart | None,
    equations: tuple[Sequence[Evaluated], Sequence[Constraint], str],
    details: Sequence[str],
) -> LectureStep:
    """The step."""
    upper = report.upper
    title = f"Why not more than {upper.value}"
    verdict = f"The dimension is at most {upper.value} ({upper.trust})."
    by = f" ({upper.trust.lemmas_in_words})" if upper.trust.lemmas_in_words else ""
    meet = f" Both bounds meet: the dimension is {report.dimension}, a theorem." if report.exact else ""
    pictures = list(draw_evidence(report, standing))
    example = [] if part is None or "<figure" in "".join(pictures) else [*draw_evidence(part.report, part.standing)]
    if part is not None and example:
        margin = part.report.upper
        pictures += [
            write_paragraph(
                f"For example {part.name}, with dimension at most {margin.value} ({margin.trust}): {margin.reason}."
            ),
            *example,
        ]
    why = explain_codimension(standing, *equations)
    if why and ("codimension" not in upper.evidence or not why.endswith(f"= {upper.value}.")):
        alone = upper.kind != COUNTING and "prove nothing" not in why
        why = f"Independences and determinants alone: {why[:1].lower()}{why[1:]}" if alone else ""
    try:
        tree = write_figure(
            draw_derivation(report), "Blue: what proves it from below. Orange: what proves it from above."
        )
    except AlgdimError:
        tree = ""
    return LectureStep(
        "upper",
        title,
        tuple(
            part
            for part in (
                write_paragraph(verdict, "key"),
                write_paragraph(f"The reason{by}: {upper.reason}.{meet}"),
                f'<div class="flow">{"".join(pictures)}</div>' if pictures else "",
                write_paragraph(why) if why else "",
                write_folded("All reasons as a tree", [tree]) if tree else "",
                write_folded("The equations that hold, with their values", details) if details else "",
            )
            if part
        ),
    )


def draw_evidence(report: Report, standing: Standing | None) -> Iterator[str]:
    """The pictures of an upper bound: those that its family has, else what is counted, or the directions that change nothing."""
    upper = report.upper
    if report.parts:
        yield from draw_districts(report)
        return
    found = list(draw_family_evidence(report, standing))
    if found:
        yield from found
    elif not report.redundant and upper.value == report.standard:
        if upper.value <= MOST_HEADS:
            owners = [record.owner for record in report.preparation.whole_map.records]
            caption = f"Counting: {format_count(report.standard, 'parameter')}, and each gives at most one direction."
            yield write_figure(draw_heads(owners, caption), caption)
    elif report.complete is not None and upper.value == report.complete:
        if upper.value <= MOST_HEADS:
            caption = (
                f"Counting: the saturated model has {format_count(upper.value, 'direction')}, and no model has more."
            )
            yield write_figure(draw_heads([""] * upper.value, caption), caption)
    elif standing is not None and standing.rank == report.dimension:
        yield from draw_kernel(standing, report)


def draw_family_evidence(report: Report, standing: Standing | None) -> Iterator[str]:
    """The pictures that the family has of such evidence; without a point those that need none."""
    picture = load_explaining(report.model.family).picture_bound
    if picture is None:
        return
    is_known = standing is not None and standing.values and not standing.left_out
    point = standing.point if standing is not None and is_known else ()
    find = partial(picture, report.preparation.whole_map, point, report.upper)
    for one in sharpen("pictures of the upper bound", lambda: list(find())) or ():
        yield draw_picture(report.model, one)


def draw_picture(model: Any, one: BoundPicture) -> str:
    """One of them; of a graph that is too large for a picture what it would show."""
    if isinstance(one, OnGraph):
        try:
            drawn = draw_network(model if one.model is None else one.model, one.nodes, one.edges)
            return write_figure(drawn, f"{one.text} {one.of_picture}".rstrip(), "evidence")
        except AlgdimError:
            return write_paragraph(one.text)
    if isinstance(one, EqualCells):
        return write_figure(draw_equal_cells(one.numbers, one.rows, one.columns, one.text), one.text, "evidence")
    if isinstance(one, Heads):
        return write_figure(draw_heads(one.owners, one.text, one.others), one.text, "evidence")
    return write_figure(draw_grid_sum(one.whole, one.parts, one.name, one.name), one.text, "evidence")


def draw_districts(report: Report) -> Iterator[str]:
    """The districts with their dimensions, and the evidence of those that are not counted only."""
    owners = [part.subject.partition("|")[0].split(",") for part in report.parts]
    badges = {own[0]: f"+{part.upper.value}" for own, part in zip(owners, report.parts, strict=True)}
    total = " + ".join(str(part.upper.value) for part in report.parts)
    frames = get_model_graph(report.model).frames
    together = any(len(own) > 1 and not any(set(own) <= set(frame) for frame in frames) for own in owners)
    which = "Districts with parameters in common are taken together; each such group" if together else "Each district"
    caption = (
        f"{total} = {report.upper.value}. {which}, given its parents, is a factor of the distribution with parameters of its own, so the "
        f"dimensions add up. The number is at the first variable of its {'group' if together else 'district'}."
    )
    try:
        yield write_figure(draw_network(report.model, badges), caption, "evidence")
    except AlgdimError:
        yield write_paragraph(caption)
    drawn = 0
    for part in report.parts:
        if drawn == MOST_PARTS:
            break
        if part.upper.kind == COUNTING:
            continue
        try:
            standing = evaluate_at_random_point(part.preparation.whole_map, report.seed)
        except AlgdimError:
            standing = None
        found = list(draw_family_evidence(part, standing)) or draw_symmetry(part, standing)
        if standing is None and not found:
            continue
        text = f"District {part.subject}, at most {part.upper.value} ({part.upper.trust}): {part.upper.reason}."
        yield write_paragraph(text)
        yield from found[:1]
        drawn += 1


def draw_symmetry(report: Report, standing: Standing | None) -> list[str]:
    """The directions of a part whose bound is that they change nothing."""
    if (
        standing is None
        or not report.redundant
        or standing.rank != report.dimension
        or report.upper.value == report.complete
    ):
        return []
    return list(draw_kernel(standing, report))


def draw_kernel(standing: Standing, report: Report) -> Iterator[str]:
    """Directions that change no coordinate, as arrows, and what they say of the dimension."""
    directions = sorted(standing.kernel(), key=lambda vector: sum(value != 0 for value in vector))
    if report.exact:
        ending = ": each such direction is one that the dimension lacks"
    elif describe_shared_coordinates(report, standing) != describe_subject(report.model):
        ending = ". Higher orders may change in it"
    else:
        ending = ". That there is such a direction at almost every point is what was not shown with certainty"
    for number, direction in enumerate(directions[:MOST_ARROWS], 1):
        of = f" ({number} of {len(directions)})" if len(directions) > 1 else ""
        caption = f"A direction that to first order changes none of the {standing.pmap.coordinates_are}{of}, computed in fractions at the point of this page{ending}."
        numbers = [float(value) for value in direction]
        yield write_figure(draw_arrows(standing.pmap.parameters, numbers, caption), caption, "evidence")


def explain_codimension(
    standing: Standing | None, evaluated: Sequence[Evaluated], found: Sequence[Constraint], reason: str
) -> str:
    """How many of the equations are independent, and what the gradients of the others depend on."""
    if not found:
        return ""
    text = f"{reason[0].upper()}{reason[1:]}." if reason else ""
    if standing is None or len(found) < 2:
        return text
    alone = [find_codimension(one) for one in found]
    if None not in alone and set(alone) != {1}:
        each, total = " + ".join(map(str, alone)), sum(filter(None, alone))
        return f"Separately they would lower the dimension by {each} = {total}, but they have cells in common. {text}"
    gradients = [gradient for one in evaluated if (gradient := find_gradient(standing, one)) is not None]
    if len(gradients) < len(found) or (None in alone and not all(one.terms for one in evaluated)):
        return text  # of others nothing is known here
    reduced = reduce_rows_by_flint([list(column) for column in zip(*gradients, strict=True)])
    rank = len(reduced.pivots)
    if rank == len(gradients):
        more = (
            f"The gradients of the {rank} equations are independent at the point of this page, computed in fractions."
        )
        return f"{more} {text}"
    pivots = [column for _, column in reduced.pivots]
    free = next(column for column in range(len(gradients)) if column not in pivots)
    weights = [(Fraction(str(reduced.matrix[row][free])), place + 1) for row, place in reduced.pivots]
    named = "; ".join(f"{number}: {one.equation.text}" for number, one in enumerate(evaluated, 1))
    rounded = any(weight.denominator > 1 for weight, _ in weights)
    more = (
        f"Why do {len(gradients)} equations not lower the dimension by {len(gradients)} ({named})? Their gradients ∇ are dependent at the point of this page, "
        f"as computed in fractions: ∇{free + 1} = {format_combination(weights)}{' (coefficients rounded)' if rounded else ''}. They span "
        f"{format_count(rank, 'direction')}."
    )
    return f"{more} {text}"


def find_codimension(one: Constraint) -> int | None:
    """By how much a bound on the rank of one matrix lowers the dimension of all tables; ``None`` of other equations.

    The matrices with r rows, c columns and rank k have (r − k)(c − k) dimensions less.
    """
    evidence = one.evidence
    if evidence.get("type") != "flattening" or evidence["C"]:
        return None
    (rows, columns), rank = evidence["size"], evidence["rank"]
    return int((rows - rank) * (columns - rank))


def format_combination(weights: Sequence[tuple[Fraction, int]]) -> str:
    """A sum of gradients by their numbers.

    >>> format_combination([(Fraction(-1), 1), (Fraction(1), 2), (Fraction(0), 3), (Fraction(1, 3), 4)])
    '−∇1 + ∇2 + 0.3333 ∇4'
    """
    found = ""
    for weight, number in weights:
        if weight:
            size = "" if abs(weight) == 1 else f"{float(abs(weight)):.4g} "
            sign = ("−" if weight < 0 else "") if not found else (" − " if weight < 0 else " + ")
            found += f"{sign}{size}∇{number}"
    return found


def find_gradient(standing: Standing, one: Evaluated) -> list[Fraction] | None:
    """The gradient of a determinant, or sum of products, of coordinates at the point; ``None`` of other equations."""
    places = {name: number for number, name in enumerate(standing.pmap.coordinates())}
    if one.terms and all(name in places for _, names in one.terms for name in names):
        found = [Fraction(0)] * len(places)
        for sign, names in one.terms:
            for number, name in enumerate(names):
                others = [standing.values[places[other]] for place, other in enumerate(names) if place != number]
                found[places[name]] += sign * prod(others, start=Fraction(1))
        return found
    size = len(one.names)
    if not size or any(len(row) != size for row in one.names):
        return None
    if any(name not in places for row in one.names for name in row):
        return None
    found = [Fraction(0)] * len(places)
    for i, row in enumerate(one.names):
        for j, name in enumerate(row):
            minor = [
                [value for column, value in enumerate(line) if column != j]
                for number, line in enumerate(one.numbers)
                if number != i
            ]
            found[places[name]] += (-1) ** (i + j) * (compute_determinant(minor) if minor else Fraction(1))
    return found
