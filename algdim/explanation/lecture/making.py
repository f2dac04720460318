"""The steps of the page, in order."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import TypeAlias

from algdim.display.blocks import Section
from algdim.display.html import render_block
from algdim.errors import InputError
from algdim.exact.threads import run_with_one_thread
from algdim.explanation.chosen import evaluate_chosen_coordinates, find_part
from algdim.explanation.constraints import Constraint, Evaluated
from algdim.explanation.equivalentparameters import Fibre, find_exact_fibre
from algdim.explanation.lecture.consequences import make_consequences
from algdim.explanation.lecture.fibre import make_fibre
from algdim.explanation.lecture.jacobian import make_jacobian, make_reduced
from algdim.explanation.lecture.lower import make_lower
from algdim.explanation.lecture.page import Lecture, LectureStep, write_folded
from algdim.explanation.lecture.question import make_map, make_question, name_model
from algdim.explanation.lecture.upper import make_upper
from algdim.explanation.printing import PrintedCoordinates
from algdim.explanation.samplepoint import Standing
from algdim.explanation.walks import find_walks
from algdim.families.contract import Share
from algdim.figures import cut_text
from algdim.limits import sharpen
from algdim.models.notation import to_text
from algdim.report import Report

MOST_IN_LEAD = 200

Equations: TypeAlias = tuple[tuple[Evaluated, ...], tuple[Constraint, ...], str]


@run_with_one_thread
def make_lecture(
    report: Report,
    shares: tuple[Share, ...],
    standing: Standing | None,
    not_standing: str,
    fibre: Fibre | None,
    same: str,
    printed: PrintedCoordinates | None,
    equations: Equations,
    sections: Sequence[Section],
) -> Lecture:
    """The page of a model whose dimension was found."""
    whole = report.preparation.whole_map
    part = None
    with suppress(InputError):  # entries that are no rational functions have values at no rational point
        if standing is None:
            standing = evaluate_chosen_coordinates(whole, report.dimension, report.seed)
        part = sharpen("a part of the model for the page", partial(find_part, report)) if standing is None else None
    shown, about = (standing, report) if part is None else (part.standing, part.report)
    if fibre is None and shown is not None and about.redundant:
        fibre = sharpen("an exact curve", partial(find_exact_fibre, shown))
    walks = (
        ()
        if shown is None or not about.redundant
        else sharpen("walks along the fibre", partial(find_walks, shown, fibre)) or ()
    )
    numbers = [render_block(block) for one in sections if one.key == "redundant" for block in one.blocks]
    below = [write_folded("In numbers", numbers)] if numbers else []
    details = [
        render_block(block) for one in sections if one.key == "equations" and equations[1] for block in one.blocks
    ]
    step = make_fibre(report, standing, part, walks, same, not_standing, below)
    rest = [
        LectureStep(one.key or f"more-{number}", one.title, tuple(map(render_block, one.blocks)))
        for number, one in enumerate(sections)
        if one.key not in {"redundant", "equations"}
    ]
    steps = (
        make_question(report, shares, part),
        make_map(report, whole.coordinate_count, whole.coordinates_are, printed),
        step,
        make_jacobian(report, standing, part, not_standing),
        make_reduced(shown, part),
        make_lower(report, standing, part, not_standing, whole.coordinates_are),
        make_upper(report, standing, part, equations, details),
        make_consequences(report, standing, part),
        *rest,
    )
    lead = cut_text(to_text(report.model), MOST_IN_LEAD)
    return Lecture(name_model(report), lead, tuple(one for one in steps if one is not None))
