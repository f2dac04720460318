"""The steps with the Jacobian: its entries at the point of the page as colours, and its reduced form with the free columns."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import groupby, islice
from typing import Any

import numpy as np

from algdim.display.html import format_mathematics
from algdim.errors import AlgdimError
from algdim.explanation.chosen import ShownPart
from algdim.explanation.lecture.fibre import pack, write_point_table
from algdim.explanation.lecture.page import LectureStep, write_figure, write_folded, write_paragraph
from algdim.explanation.printing import format_expression, write_jacobian
from algdim.explanation.samplepoint import Standing
from algdim.explanation.sections import draw_standing_jacobian
from algdim.families import load_explaining
from algdim.families.contract import CELL
from algdim.figures import format_count, format_integer
from algdim.plots.networkdrawing import draw_network
from algdim.report import Report

NOT_REDUCED = (
    "The Jacobian is too large to be reduced on a page. Its rank, of which the next step speaks, is the number of pivots that its reduced "
    "form has; each column without pivot is a parameter that depends on others."
)
MOST_FORMULAS, LONGEST_FORMULA = 400, 180
"""Entries of a Jacobian whose formulas are on the page, and letters of one."""
MOST_ROWS, MOST_FREE, MOST_TABLES = 24, 14, 4
"""Of the reduced form: rows that are not folded, columns without pivot in one table, further tables."""


def make_jacobian(report: Report, standing: Standing | None, part: ShownPart | None, not_standing: str) -> LectureStep:
    """The step."""
    title = "The Jacobian: how the distribution moves when a parameter does"
    whole = ""
    if part is not None:
        whole = f"Of the whole model it has {format_integer(report.standard)} columns; this is that of {part.name}."
        report, standing = part.report, part.standing
    if standing is None:
        text = f"A matrix with {format_integer(report.standard)} columns, one for each parameter. It is not drawn: {not_standing}."
        return LectureStep("jacobian", title, (write_paragraph(text),))
    records = standing.pmap.records
    pivots = [column for _, column in standing.reduced.pivots]
    free = len(records) - len(pivots)
    dependent = (
        f". A green triangle marks a column that depends on those before it; there {'is' if free == 1 else 'are'} {free}"
        if free
        else ""
    )
    all_of_them = describe_rows(standing)
    text = (
        f"One row for each of {all_of_them}, one column for each of the "
        f"{format_count(len(records), 'parameter')}, all at one point, the point of this page. Orange is positive, blue negative, "
        f"darker is larger{dependent}."
    )
    try:
        heat = f'<div id="jacobian" class="wide">{draw_standing_jacobian(standing)}</div>'
        data = describe_entries(standing)
    except AlgdimError as error:
        heat, data = write_paragraph(f"Not drawn: {error}."), {}
    parts = (
        write_paragraph(whole) if whole else "",
        write_paragraph(text),
        '<div class="pair">',
        heat,
        f'<div>{draw_small_network(report)}<p id="jacobian-entry" class="entry" hidden aria-live="polite"></p></div>',
        "</div>",
        write_point_table(standing),
    )
    return LectureStep("jacobian", title, tuple(part for part in parts if part), data)


def describe_rows(standing: Standing) -> str:
    """What the rows of the matrix are: all coordinates, or which of them."""
    pmap = standing.pmap
    count = format_integer(pmap.coordinate_count)
    if not standing.left_out:
        return f"the {count} {pmap.coordinates_are}"
    total = f"{format_integer(pmap.coordinate_count + standing.left_out)} {pmap.coordinates_are}"
    offers = load_explaining(pmap.model.family).offer_coordinates is not None
    sums = offers and all(record.kind == CELL for record in pmap.coordinate_records())
    which = f"{count} sums of the {total}" if sums else f"{count} of the {total}"
    return f"{which}, chosen so that their rank is that of all"


def make_reduced(standing: Standing | None, part: ShownPart | None) -> LectureStep:
    """The step with the matrix reduced."""
    title = "Reduced: which parameters depend on which"
    if standing is None:
        return LectureStep("reduced", title, (write_paragraph(NOT_REDUCED),))
    if not standing.reduced.pivots:
        return LectureStep(
            "reduced", title, (write_paragraph("The Jacobian has no pivot: no parameter moves anything."),)
        )
    rank, width = standing.rank, len(standing.point)
    same = "as many as there are columns" if rank == width else f"and {format_count(width - rank, 'column')} without"
    whole = f" Of the whole model the rank is larger: this is {part.name}." if part is not None else ""
    text = (
        f"The same matrix in reduced row echelon form, computed in fractions: {format_count(rank, 'pivot')}, {same}. The rank at this "
        f"point is {rank}.{whole}"
    )
    return LectureStep("reduced", title, (write_paragraph(text), *write_reduced(standing)))


def draw_small_network(report: Report) -> str:
    """The network, in which the variables of a parameter light up."""
    try:
        return write_figure(draw_network(report.model), "", "network lights")
    except AlgdimError:
        return ""


def describe_entries(standing: Standing) -> dict[str, Any]:
    """What is said of an entry that is pointed at: its number, of small matrices its formula, and the variables of its column."""
    pmap = standing.pmap
    width = len(pmap.parameters)
    found: dict[str, Any] = {
        "rows": pmap.coordinates(),
        "columns": list(pmap.parameters),
        "names": [
            list(dict.fromkeys([*record.owners, *(name for name, _ in record.given)])) for record in pmap.records
        ],
        "values": pack(np.array([[float(value) for value in row] for row in standing.jacobian])),
    }
    if pmap.coordinate_count * width <= MOST_FORMULAS:
        try:
            texts = [[write_short_formula(value) for value in row] for row in write_jacobian(pmap)]
        except AlgdimError:
            return found
        unique = list(dict.fromkeys(text for row in texts for text in row))
        places = {text: number for number, text in enumerate(unique)}
        found["formulas"] = unique
        found["formula"] = [places[text] for row in texts for text in row]
    return found


def write_short_formula(value: Any) -> str:
    """An expression that is not too long; nothing of one that is far too long to be read."""
    from sympy import preorder_traversal

    if sum(1 for _ in islice(preorder_traversal(value), LONGEST_FORMULA + 1)) > LONGEST_FORMULA:
        return ""
    text = format_expression(value)
    return text if len(text) <= LONGEST_FORMULA else f"{text[:LONGEST_FORMULA]} …"


def write_reduced(standing: Standing) -> list[str]:
    """The reduced row echelon form: runs of pivot columns in one column each, all columns without pivot."""
    names, reduced = standing.pmap.parameters, standing.reduced
    pivots = {column: row for row, column in reduced.pivots}
    zeros = len(reduced.matrix) - len(pivots)
    if len(pivots) == len(names):
        below = f", and {format_count(zeros, 'row')} of zeros below" if zeros else ""
        text = f"Every column has a pivot: reduced, the matrix is the identity{below}. To first order no direction leaves all {standing.pmap.coordinates_are} in place."
        return [write_paragraph(text, "key")]
    runs = [list(columns) for _, columns in groupby(range(len(names)), key=lambda column: column in pivots)]
    first, *others = split_columns(runs, pivots)
    rows = reduced.pivots
    tables = [write_table(standing, first, some) for some in (rows[:MOST_ROWS], rows[MOST_ROWS:]) if some]
    text = (
        f"In a direction that to first order leaves all {standing.pmap.coordinates_are} in place, the parameter of a row changes by minus "
        f"{'its number times the change of the parameter' if len(names) == len(pivots) + 1 else 'its numbers times the changes of the parameters'} in green. Decimals are rounded; the fraction is under the pointer."
        + (f" {format_count(zeros, 'row')} of zeros left out." if zeros else "")
    )
    rest = [write_folded(f"{len(rows) - MOST_ROWS} more rows", tables[1:])] if tables[1:] else []
    for columns in others[:MOST_TABLES]:
        free = sum(column[0] not in pivots for column in columns)
        rest.append(
            write_folded(f"{format_count(free, 'more column')} without pivot", [write_table(standing, columns, rows)])
        )
    if others[MOST_TABLES:]:
        free = sum(column[0] not in pivots for columns in others[MOST_TABLES:] for column in columns)
        rest.append(write_paragraph(f"{format_count(free, 'column')} without pivot left out.", "small"))
    return [tables[0], write_paragraph(text, "small"), *rest]


def write_table(standing: Standing, shown: Sequence[Sequence[int]], rows: Sequence[tuple[int, int]]) -> str:
    """Some columns of some rows."""
    names, pivots = standing.pmap.parameters, {column for _, column in standing.reduced.pivots}
    head = "".join(
        f"<th>{write_run_head(columns, names)}</th>"
        if columns[0] in pivots
        else f'<th class="free">{format_mathematics(names[columns[0]]).replace("|", "|<wbr>")}</th>'
        for columns in shown
    )
    body = "".join(write_row(standing, row, pivot, shown) for row, pivot in rows)
    return f'<div class="wide"><table class="reduced"><thead><tr><th></th>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def write_row(standing: Standing, row: int, pivot: int, shown: Sequence[Sequence[int]]) -> str:
    """The row of one pivot."""
    reduced, names = standing.reduced, standing.pmap.parameters
    pivots = {column for _, column in reduced.pivots}
    cells = "".join(
        ('<td class="pivot">1</td>' if pivot in columns else '<td class="zero">·</td>')
        if columns[0] in pivots
        else write_number(reduced.matrix[row][columns[0]])
        for columns in shown
    )
    return f"<tr><th>{format_mathematics(names[pivot])}</th>{cells}</tr>"


def split_columns(runs: Sequence[Sequence[int]], pivots: dict[int, int]) -> list[list[list[int]]]:
    """Runs of pivot columns together, others one by one: so many of them in each table, the runs between them in the first one.

    >>> split_columns([[0, 1], [2, 3], [4]], {0: 0, 1: 1, 4: 2})
    [[[0, 1], [2], [3], [4]]]
    """
    free = [column for columns in runs if columns[0] not in pivots for column in columns]
    first = set(free[:MOST_FREE])
    found = [
        list(one)
        for columns in runs
        for one in ([columns] if columns[0] in pivots else [[column] for column in columns if column in first])
    ]
    rest = free[MOST_FREE:]
    return [
        found,
        *([[column] for column in rest[start : start + MOST_FREE]] for start in range(0, len(rest), MOST_FREE)),
    ]


def write_run_head(columns: Sequence[int], names: Sequence[str]) -> str:
    """What is above a run of pivot columns."""
    first = format_mathematics(names[columns[0]])
    if len(columns) == 1:
        return first
    return f"{first} …<br>{format_mathematics(names[columns[-1]])}<br><small>{len(columns)} pivots</small>"


def write_number(value: Any) -> str:
    """An entry as a decimal, its fraction under the pointer.

    >>> write_number(Fraction(1, 3))
    '<td title="1/3">0.3333</td>'
    """
    if value == 0:
        return '<td class="zero">0</td>'
    exact = str(value)
    number = float(Fraction(exact))
    digits = max(1, 4 - max(0, len(str(int(abs(number)))) - 1))
    text = (
        exact
        if "/" not in exact and len(exact) < 8
        else f"{number:.{digits}f}"
        if 1e-3 <= abs(number) < 1e5
        else f"{number:.3g}"
    )
    return f'<td title="{exact}">{text.replace("-", "−")}</td>'
