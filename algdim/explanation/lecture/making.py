"""The steps of the page, in order."""

from __future__ import annotations

from collections.abc import Sequence

from algdim.display.blocks import Section
from algdim.display.html import render_block
from algdim.explanation.lecture.page import Lecture, Step
from algdim.explanation.lecture.question import make_question, name_model
from algdim.families.contract import Share
from algdim.figures import cut_text
from algdim.models.notation import to_text
from algdim.report import Report

MOST_IN_LEAD = 200


def make_lecture(report: Report, shares: tuple[Share, ...], sections: Sequence[Section]) -> Lecture:
    """The page of a model whose dimension was found."""
    rest = [
        Step(one.key or f"more-{number}", one.title, tuple(map(render_block, one.blocks)))
        for number, one in enumerate(sections)
    ]
    return Lecture(
        name_model(report), cut_text(to_text(report.model), MOST_IN_LEAD), (make_question(report, shares), *rest)
    )
