"""The step with the slider: parameters that move while the distribution does not, or why there are none."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algdim.errors import join_names
from algdim.explanation.chosen import ShownPart
from algdim.explanation.lecture.page import LectureStep, write_folded, write_paragraph
from algdim.explanation.samplepoint import Standing
from algdim.explanation.sections import describe_subject
from algdim.explanation.swaps import find_swaps
from algdim.explanation.walks import KEPT, FloatMap, Walk
from algdim.figures import format_count, format_integer
from algdim.identifiability.classification import derive_report_identifiability
from algdim.plots.fibre import BLUE, GREEN, Bars, draw_panel
from algdim.report import Report
from algdim.trust import IN_FLOATS, round_up

MOST_BARS = 24
OF_THE_PAGE = " of this page"
SLIDER = (
    '<div class="controls" id="fibre-controls" hidden><label><span>t</span>'
    '<input type="range" id="fibre-slider" min="0" max="1" step="1" value="0" aria-label="place on the curve"/></label>'
    '<span id="fibre-directions"></span><output id="fibre-output" aria-live="off"></output></div>'
)

Numbers = NDArray[np.float64]


def choose_rows(walks: Sequence[Walk], width: int) -> list[int]:
    """The parameters that are shown: all, or those that move most, in their order."""
    if width <= MOST_BARS:
        return list(range(width))
    moved = np.max([walk.movements for walk in walks], axis=0)
    return sorted(np.argsort(-moved, kind="stable")[:MOST_BARS].tolist())


def make_panels(standing: Standing, walks: Sequence[Walk], same: str) -> tuple[Bars, Bars, list[int]]:
    """Both panels at the first walk's start, and which parameters are in the left one."""
    rows = choose_rows(walks, len(standing.point))
    names, cells = standing.pmap.parameters, standing.pmap.coordinates()[:MOST_BARS]
    walk = walks[0]
    low, high = find_scale([one.points[:, rows] for one in walks])
    left = Bars(
        "parameters",
        [names[number] for number in rows],
        walk.points[walk.start, rows].tolist(),
        [(float(a), float(b)) for a, b in zip(walk.points[:, rows].min(0), walk.points[:, rows].max(0), strict=True)],
        low,
        high,
        BLUE,
        "p",
    )
    values = walk.values[walk.start, : len(cells)].tolist()
    low, high = find_scale([one.values[:, : len(cells)] for one in walks])
    ends = [
        (float(a), float(b))
        for a, b in zip(walk.values[:, : len(cells)].min(0), walk.values[:, : len(cells)].max(0), strict=True)
    ]
    right = Bars(same, cells, values, ends, low, high, GREEN, "c", 6)
    return left, right, rows


def find_scale(tables: Sequence[Numbers]) -> tuple[float, float]:
    """From zero, or the least number, to the greatest, or one if it is a little less."""
    low = min(0.0, *(float(table.min()) for table in tables))
    high = max(0.0, *(float(table.max()) for table in tables))
    return low, 1.0 if 0.6 < high < 1 and low == 0 else high or 1.0


def pack(table: Numbers) -> str:
    """A table of numbers for the script, exactly as they are: eight bytes each, the lowest first."""
    return b64encode(np.ascontiguousarray(table, dtype="<f8").tobytes()).decode()


def make_swap_walks(standing: Standing) -> list[Walk]:
    """Isolated points with the same distribution, each with the point shown as a walk of two points."""
    inside, found = FloatMap(standing.pmap), []
    for words, point in find_swaps(standing):
        points = np.array([[float(value) for value in one] for one in (standing.point, point)])
        values = np.array([inside.find_values(one) for one in points])
        found.append(Walk(words, points, values, 0, exact=True))
    return found


def make_fibre(
    report: Report,
    standing: Standing | None,
    part: ShownPart | None,
    walks: Sequence[Walk],
    same: str,
    why_not: str,
    below: Sequence[str],
) -> LectureStep:
    """The step: the slider where there is a curve, label swapping where the parameters are identified."""
    title = (
        f"Different parameters, the same {same}"
        if report.redundant
        else f"The {same} and the parameters"
        if not report.exact
        else f"No parameters nearby have the same {same}"
    )
    about, shown = (report, standing) if part is None else (part.report, part.standing)
    swaps = make_swap_walks(shown) if shown is not None and not about.redundant else []
    curves = [*walks, *swaps]
    sliding = f"Move the slider: the bars on the left are parameters, those on the right the {same}."
    leads = [sliding] if about.redundant and shown is not None and curves else []
    whole = (
        explain_redundancy(report, same)
        if report.redundant
        else explain_identified(report, shown if part is None else None)
    )
    texts = [*leads, whole]
    if part is not None:
        leads = leads if about.redundant else [explain_identified(about, shown)]
        texts = [whole, describe_part(part, report), *leads]
    if shown is None or not curves:
        reason = why_not or "no curve was found that stays inside the parameter space"
        more = f"No curve is shown: {reason}." if about.redundant else ""
        return LectureStep("fibre", title, (*(write_paragraph(text) for text in [*texts, more] if text), *below))
    left, right, rows = make_panels(shown, curves, shown.pmap.coordinates_are)
    parts = [
        *(write_paragraph(text, "key" if not number else "") for number, text in enumerate(texts)),
        SLIDER,
        f'<div class="pair" id="fibre"><div class="wide">{draw_panel(left)}</div><div class="wide">{draw_panel(right)}</div></div>',
        write_paragraph(describe_rest(shown, left, right), "small"),
        write_paragraph(describe_walk(curves[0]), "small how"),
        *below,
    ]
    return LectureStep(
        "fibre", title, tuple(part for part in parts if part), make_fibre_data(curves, left, right, rows)
    )


def describe_part(part: ShownPart, report: Report) -> str:
    """What is shown of a model that is too large for a page."""
    return (
        f"The whole model is too large for a page. From here to the sliders it shows a part in full, "
        f"{part.name}: {format_count(part.report.standard, 'parameter')} of {format_integer(report.standard)}, "
        f"dimension {part.report.dimension} ({part.report.trust}). "
        f"{'What moves there leaves ' + part.smaller.keeps + '.' if part.report.redundant else ''}"
    ).rstrip()


def explain_redundancy(report: Report, same: str) -> str:
    """What the slider shows, or would show."""
    number = report.redundant
    about = "" if report.exact else "at most " if report.lower.is_proved else "about "
    form = "a curve" if number == 1 and report.exact else f"a set of dimension {about}{format_integer(number)}"
    unknown = (
        "no amount of data can say where on it the truth is"
        if same == describe_subject(report.model)
        else "they do not say where on it the truth is; higher orders may"
    )
    return f"Around almost every point the parameters with the same {same} form {form}, a fibre: {unknown}."


def explain_identified(report: Report, standing: Standing | None) -> str:
    """That nothing is lost, as far as it is known, and how the parameters follow."""
    found = derive_report_identifiability(report)
    word = str(found)
    text = f"{word[:1].upper()}{word[1:]}."
    if standing is not None and standing.rank == len(standing.point):
        chosen = [standing.pmap.coordinates()[row] for row in standing.reduced.rows[: standing.rank]]
        text += (
            f" The Jacobian at the point of this page has rank {standing.rank}: near it, the changes of "
            f"{join_names(chosen, most=4)} determine the changes of all {format_count(report.standard, 'parameter')}."
        )
    return text


def describe_rest(standing: Standing, left: Bars, right: Bars) -> str:
    """What is not shown."""
    parts = []
    if len(left.names) < len(standing.point):
        parts.append(f"the {len(left.names)} of {len(standing.point)} parameters that move most")
    if len(right.names) < standing.pmap.coordinate_count:
        parts.append(
            f"the first {len(right.names)} of {format_integer(standing.pmap.coordinate_count)} {standing.pmap.coordinates_are}{OF_THE_PAGE if standing.left_out else ''}"
        )
    return f"Shown: {' and '.join(parts)}." if parts else ""


def describe_walk(walk: Walk) -> str:
    """How a walk was found, and how far the coordinates are from staying."""
    if len(walk.points) == 2:
        return f"{walk.name[:1].upper()}{walk.name[1:]}: computed with fractions, the coordinates are exactly the same. The slider jumps from one solution to the other."
    how = (
        f"An exact curve, computed with fractions: {walk.name}."
        if walk.exact
        else f"Followed numerically ({IN_FLOATS})."
    )
    # a walk is kept only if that is so; the last digits depend on the machine
    relative = " of the longest bar" if np.max(np.abs(walk.values)) > 1 else ""
    return f"{how} Along the whole curve no bar on the right moves by more than {KEPT:.0e}{relative}."


def format_change(walk: Walk) -> str:
    """The largest change of a coordinate, in proportion, rounded up.

    >>> format_change(Walk("", np.zeros((2, 1)), np.array([[0.25], [0.25]]), 0, exact=True))
    '0'
    """
    return f"{round_up(walk.off):.0e}" if walk.off else "0"


def make_fibre_data(walks: Sequence[Walk], left: Bars, right: Bars, rows: Sequence[int]) -> dict[str, Any]:
    """What the slider needs: the points of each walk, and the coordinates computed there."""
    width = len(right.names)
    return {
        "scales": [[left.low, left.high], [right.low, right.high]],
        "digits": [left.digits, right.digits],
        "begins": [left.name, right.name],
        "walks": [
            {
                "name": f"exact: {walk.name}" if walk.exact else walk.name,
                "start": walk.start,
                "count": len(walk.points),
                "off": format_change(walk),
                "how": describe_walk(walk),
                "points": pack(walk.points[:, list(rows)]),
                "values": pack(walk.values[:, :width]),
            }
            for walk in walks
        ],
    }


def write_point_table(standing: Standing) -> str:
    """The point of the page, in fractions, folded."""
    rows = "".join(
        f"<tr><td>{name}</td><td>{value}</td></tr>"
        for name, value in zip(standing.pmap.parameters, standing.point, strict=True)
    )
    return write_folded(
        "The point of this page, in fractions", [f'<table class="numbers"><tbody>{rows}</tbody></table>']
    )
