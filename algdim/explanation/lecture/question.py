"""The first steps: the question with the network and the three numbers as bars, and the map as the field writes it."""

from __future__ import annotations

import re
from typing import Any

from algdim.display.blocks import TableBlock
from algdim.display.html import render_block, render_formulas
from algdim.display.mathml import convert_to_formula
from algdim.display.models import FOR_TEXT
from algdim.errors import AlgdimError, InputError
from algdim.explanation.chosen import ShownPart, find_part
from algdim.explanation.lecture.page import LectureStep, write_figure, write_folded, write_paragraph
from algdim.explanation.printing import (
    PrintedCoordinates,
    choose_signs,
    format_coordinate_latex,
    format_expression_latex,
)
from algdim.explanation.sections import describe_subject
from algdim.families import load_explaining, load_family
from algdim.families.contract import Share
from algdim.figures import cut_text, format_count, format_integer, format_plural_count
from algdim.models.notation import to_text
from algdim.plots.counts import CountBars, draw_counts
from algdim.plots.networkdrawing import describe_network_signs, draw_network, get_model_graph
from algdim.report import Report

MOST_SHARES, MOST_IN_TITLE = 40, 80
MOST_BESIDE = 640
"""The width of a network next to which the numbers stand; above them stands what is wider."""
NUMBERS = "no one two three four five six seven eight nine ten eleven twelve".split()


def spell(number: int) -> str:
    """A small number as a word.

    >>> spell(3), spell(14)
    ('three', '14')
    """
    return NUMBERS[number] if number < len(NUMBERS) else format_integer(number)


def name_model(report: Report) -> str:
    """What kind of model it is, or else its text.

    >>> from algdim.report import dimension
    >>> name_model(dimension("3:2,2,2,2"))
    'Latent class model: 3 classes, 4 items'
    """
    what = load_family(report.model.family).describe(report.model) or cut_text(to_text(report.model), MOST_IN_TITLE)
    return f"{what[:1].upper()}{what[1:]}"


def ask_question(report: Report) -> str:
    """The numbers of a model, and what is odd about them.

    >>> from algdim.report import dimension
    >>> ask_question(dimension("3:2,2,2,2")), ask_question(dimension("2:2,2,2,2"))
    ('14 parameters, 13 dimensions. Where did one go?', '9 parameters, 9 dimensions. Is nothing lost?')
    """
    more = "" if report.upper.value == report.dimension else " or more"
    start = f"{format_count(report.standard, 'parameter')}, {format_count(report.dimension, 'dimension')}{more}."
    lost = (
        f"Where did {spell(report.redundant)} go?"
        if not more
        else f"{'Is' if report.redundant == 1 else 'Are'} {spell(report.redundant)} lost?"
    )
    return f"{start} {lost if report.redundant else 'Is nothing lost?'}"


def explain_numbers(report: Report) -> list[str]:
    """What the three numbers are, and how they compare."""
    known = f"{report.dimension} ({report.trust})"
    first = f"The model has {format_count(report.standard, 'free parameter')}. Its effective dimension, the number of independent directions in which its {describe_subject(report.model)} can move, is {known}."
    sentences = [first]
    if report.complete is None:
        sentences.append("The saturated model has no finite dimension.")
    elif report.df is not None:
        by_counting = report.df_by_counting or 0
        counted = (
            "as counting parameters says, too"
            if by_counting == report.df
            else f"while counting parameters gives {format_integer(by_counting).replace('-', '−')}"
        )
        sentences.append(
            f"The saturated model, the largest of its kind, has dimension {format_integer(report.complete)}: "
            f"{format_count(report.df, 'degree')} of freedom, {counted}."
        )
    if report.redundant:
        number, same = spell(report.redundant), describe_subject(report.model)
        is_known = report.upper.value == report.dimension
        about = "" if report.exact else "In all probability " if is_known else "Perhaps "
        sentences.append(
            f"{about}{number if about else number.capitalize()} {'parameter is' if report.redundant == 1 else 'parameters are'} "
            f"redundant{': ' if is_known else '; then '}many parameter values give the same {same}."
        )
    return sentences


def get_counts(report: Report) -> CountBars:
    """The numbers as they are drawn."""
    return CountBars(report.standard, report.dimension, report.complete, report.df, report.upper.value)


def draw_model_figure(report: Report, part: ShownPart | None = None) -> str:
    """The network with what its signs mean, of one that is too large a part, or why there is none."""
    try:
        return write_network_figure(report.model)
    except InputError:
        return ""
    except AlgdimError as error:
        part = part or find_part(report)
        if part is None:
            return write_paragraph(f"The network is not drawn: {error}.")
        count = len(get_model_graph(report.model).nodes)
        more = f"A part of the network, that of {part.name}; the whole network has {count} nodes."
        return write_network_figure(part.report.model, f"{more} ")


def write_network_figure(model: Any, before: str = "") -> str:
    """A network with what its signs mean."""
    caption = describe_network_signs(model).replace(FOR_TEXT, "")
    return write_figure(draw_network(model), f"{before}{caption}", "network")


def measure_width(figure: str) -> float:
    """How wide a picture is that was drawn.

    >>> measure_width('<figure><svg viewBox="0 0 300 282">')
    300.0
    """
    found = re.search(r'viewBox="0 0 ([\d.]+) ', figure)
    return float(found[1]) if found else 0.0


def make_question(report: Report, shares: tuple[Share, ...], part: ShownPart | None) -> LectureStep:
    """The step."""
    rows = [(share.owner, format_integer(share.count), share.what) for share in shares[:MOST_SHARES]]
    if len(shares) > MOST_SHARES:
        rows.append((f"… and {len(shares) - MOST_SHARES} more", "", ""))
    table, network = (
        render_block(TableBlock(("variable", "parameters", ""), tuple(rows))),
        draw_model_figure(report, part),
    )
    return LectureStep(
        "question",
        ask_question(report),
        (
            *(
                ('<div class="pair">', network)
                if measure_width(network) <= MOST_BESIDE
                else (network, '<div class="pair">')
            ),
            "<div>",
            write_figure(draw_counts(get_counts(report)), "", "counts"),
            *(write_paragraph(sentence) for sentence in explain_numbers(report)),
            "</div></div>",
            write_folded("Which parameters these are", [table]) if rows else "",
        ),
    )


MOST_LATEX = 700
"""Letters of a coordinate that is set as a formula."""


def make_map(report: Report, count: int, what: str, printed: PrintedCoordinates | None) -> LectureStep:
    """The step."""
    write = load_explaining(report.model.family).write_formulas
    formulas = [convert_to_formula(line) for line in write(report.model)] if write is not None else []
    lead = f"From {format_count(report.standard, 'parameter')} to {format_plural_count(count, what)}:"
    parts = [write_paragraph(lead), *(formulas or write_coordinates(printed))]
    if printed is not None:
        texts = printed.blocks()
        rest = count - len(texts)
        more = write_paragraph(f"… and {format_integer(rest)} more") if rest else ""
        parts.append(write_folded(f"The {what} as polynomials or sums of terms", [render_formulas(texts), more]))
    else:
        above = "; the formula above is all of them" if formulas else ""
        parts.append(write_paragraph(f"The {what} are not written out one by one{above}.", "small"))
    return LectureStep("map", "The map: from parameters to the distribution", tuple(parts))


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
                found.append(convert_to_formula(line))
            except ValueError:  # a function or a name that has no form there: it is in the folded list
                continue
    return found
