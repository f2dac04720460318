"""The step with the map: how the field writes it, and its coordinates one by one, folded."""

from __future__ import annotations

from algdim.display.html import render_formulas
from algdim.display.mathml import convert_to_mathml
from algdim.explanation.lecture.page import Step, write_folded, write_paragraph
from algdim.explanation.printing import (
    PrintedCoordinates,
    choose_signs,
    format_coordinate_latex,
    format_expression_latex,
)
from algdim.families import load_explaining
from algdim.figures import format_count, format_integer, format_plural_count
from algdim.report import Report

MOST_LATEX = 700
"""Letters of a coordinate that is set as a formula."""


def make_map(report: Report, count: int, what: str, printed: PrintedCoordinates | None) -> Step:
    """The step."""
    write = load_explaining(report.model.family).write_formulas
    formulas = [convert_to_mathml(line) for line in write(report.model)] if write is not None else []
    lead = f"From {format_count(report.standard, 'parameter')} to {format_plural_count(count, what)}:"
    parts = [write_paragraph(lead), *(formulas or write_coordinates(printed))]
    if printed is not None:
        texts = printed.blocks()
        rest = count - len(texts)
        more = write_paragraph(f"… and {format_integer(rest)} more") if rest else ""
        parts.append(write_folded(f"The {what} as polynomials or sums of terms", [render_formulas(texts), more]))
    else:
        parts.append(
            write_paragraph(
                f"Expanded, the {what} would be too long to be read; the formula above is all of them.", "small"
            )
        )
    return Step("map", "The map: from parameters to the distribution", tuple(parts))


def write_coordinates(printed: PrintedCoordinates | None) -> list[str]:
    """The coordinates as formulas, where these are all that is known of the map; long ones are in the folded list only."""
    if printed is None:
        return []
    signs = choose_signs(printed.pmap.parameters, printed.pmap.records)
    lines = [
        f"{format_coordinate_latex(one)} = {format_expression_latex(expression, signs)}"
        for one, expression in zip(printed.records, printed.expressions, strict=True)
    ]
    found = []
    for line in lines:
        if len(line) <= MOST_LATEX:
            try:
                found.append(convert_to_mathml(line))
            except ValueError:  # a function or a name that has no form there: it is in the folded list
                continue
    return found
