"""The step with the upper bound: a picture of its evidence, and why one equation more would not help."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

from algdim.errors import AlgdimError
from algdim.exact.flint import compute_determinant, reduce_rows_by_flint
from algdim.explanation.constraints import Constraint, Evaluated
from algdim.explanation.lecture.page import LectureStep, write_figure, write_folded, write_paragraph
from algdim.explanation.standing import Standing, evaluate_at_random_point
from algdim.families import load_explaining, load_family
from algdim.families.contract import BoundPicture, EqualCells, Heads, OnGraph
from algdim.figures import format_count
from algdim.limits import sharpen
from algdim.plots.dimensions import draw_derivation
from algdim.plots.grids import draw_arrows, draw_equal_cells, draw_grid_sum, draw_heads
from algdim.plots.networkdrawing import draw_network
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
    why = explain_codimension(standing, *equations)
    if why and "codimension" not in upper.evidence:
        why = f"Equations alone: {why[:1].lower()}{why[1:]}" if upper.kind != COUNTING else ""
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
            caption = f"Heads are counted: {format_count(report.standard, 'parameter')}, and each gives one direction at most."
            yield write_figure(draw_heads(owners, caption), caption)
    elif report.complete is not None and upper.value == report.complete:
        if upper.value <= MOST_HEADS:
            caption = f"Heads are counted: the saturated model has {format_count(upper.value, 'direction')}, and no model has more."
            yield write_figure(draw_heads([""] * upper.value, caption), caption)
    elif standing is not None and standing.rank == report.dimension:
        yield from draw_kernel(standing, is_proved=upper.is_proved)


def draw_family_evidence(report: Report, standing: Standing | None) -> Iterator[str]:
    """The pictures that the family has of such evidence; without a point those that need none."""
    picture = load_explaining(report.model.family).picture_bound
    if picture is None:
        return
    pmap, point = (report.preparation.whole_map, ()) if standing is None else (standing.pmap, standing.point)
    find = partial(picture, pmap, point if standing is None or standing.values else (), report.upper)
    for one in sharpen("pictures of the upper bound", lambda: list(find())) or ():
        yield draw_picture(report.model, one)


def draw_picture(model: Any, one: BoundPicture) -> str:
    """One of them; of a graph that is too large for a picture what it would show."""
    if isinstance(one, OnGraph):
        try:
            return write_figure(
                draw_network(model if one.model is None else one.model, one.nodes, one.edges), one.text, "evidence"
            )
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
    frames = load_family(report.model.family).make_graph(report.model).frames
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
            continue
        found = list(draw_family_evidence(part, standing)) or draw_symmetry(part, standing)
        text = f"District {part.subject}, at most {part.upper.value} ({part.upper.trust}): {part.upper.reason}."
        yield write_paragraph(text)
        yield from found[:1]
        drawn += 1


def draw_symmetry(report: Report, standing: Standing) -> list[str]:
    """The directions of a part whose bound is that they change nothing."""
    if not report.redundant or standing.rank != report.dimension or report.upper.value == report.complete:
        return []
    return list(draw_kernel(standing, is_proved=report.upper.is_proved))


def draw_kernel(standing: Standing, *, is_proved: bool) -> Iterator[str]:
    """Directions that change no coordinate, as arrows."""
    directions = sorted(standing.kernel(), key=lambda vector: sum(value != 0 for value in vector))
    ending = (
        ": each such direction is one that the dimension lacks"
        if is_proved
        else ". That there is such a direction at almost every point is what was not shown with certainty"
    )
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
    gradients = [gradient for one in evaluated if (gradient := find_gradient(standing, one)) is not None]
    if len(gradients) < len(found):  # of others nothing is known here
        return text
    reduced = reduce_rows_by_flint([list(column) for column in zip(*gradients, strict=True)])
    rank = len(reduced.pivots)
    if rank == len(gradients):
        more = f"The gradients of the {rank} determinants that are written out are independent at the point of this page, computed in fractions."
    else:
        pivots = [column for _, column in reduced.pivots]
        free = next(column for column in range(len(gradients)) if column not in pivots)
        terms = [
            f"{float(Fraction(str(reduced.matrix[row][free]))):.4g} · ∇{place + 1}"
            for row, place in reduced.pivots
            if reduced.matrix[row][free]
        ]
        named = "; ".join(f"{number}: {one.equation.text}" for number, one in enumerate(evaluated, 1))
        more = (
            f"Why do {len(gradients)} determinants not take {len(gradients)} dimensions away ({named})? Their gradients ∇ are dependent at the point of this page: "
            f"∇{free + 1} = {' + '.join(terms).replace('+ -', '− ')} (the coefficients are rounded, the dependence was found in fractions). "
            f"They span {format_count(rank, 'direction')}."
        )
    return f"{more} {text}"


def find_gradient(standing: Standing, one: Evaluated) -> list[Fraction] | None:
    """The gradient of a determinant whose entries are coordinates, at the point; ``None`` of other equations."""
    size = len(one.names)
    if not size or any(len(row) != size for row in one.names):
        return None
    places = {name: number for number, name in enumerate(standing.pmap.coordinates())}
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
