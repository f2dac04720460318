"""The size of an experiment as it was run here, told from its rows: it stands beside the size in print."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from algdim_papers.experiments.rows import Findings, Rows, Value

VARIED = {
    "items": "items",
    "classes": "classes",
    "cases": "cases",
    "tried": "classes tried",
    "epsilon": "ε",
}
"""Columns of which the numbers that were taken are told, with what they are called."""
FEW = 4
"""So many numbers are all told."""


def describe_size(findings: Findings) -> str:
    """How many data sets there are, and the numbers that were taken.

    >>> rows = [(classes, number, 400, tried) for classes in (4, 8) for number in range(3) for tried in (2, 4)]
    >>> describe_size({"x": Rows(("classes", "set", "cases", "tried"), tuple(rows))})
    '3 data sets; classes 4, 8; cases 400; classes tried 2, 4'
    """
    found = next(iter(findings.values()))
    if "set" not in found.columns:
        return ""
    return "; ".join([describe_sets(found), *describe_varied(found)])


def describe_sets(found: Rows) -> str:
    """How many data sets each setting has."""
    numbers = {len(part.split("set")) for part in split_by_setting(found)}
    least, most = min(numbers), max(numbers)
    return f"{least} data sets" if least == most else f"{least} to {most} data sets"


def split_by_setting(found: Rows) -> list[Rows]:
    """The rows by all that stands before the number of the data set."""
    parts = [found]
    for name in found.columns[: found.columns.index("set")]:
        parts = [piece for part in parts for piece in part.split(name).values()]
    return parts


def describe_varied(found: Rows) -> list[str]:
    """The numbers in each column; where the candidates are others for other numbers of classes, of each."""
    told, place = [], found.columns.index("set")
    for name, word in VARIED.items():
        # behind the number of the data set stands what was found of it, but for these
        if name not in (*found.columns[:place], *({"cases", "tried"} & {*found.columns})):
            continue
        by_truth = name == "tried" and "classes" in found.columns[:place]
        parts = found.split("classes") if by_truth else {None: found}
        lists = {key: format_numbers(sorted(set(part.column(name)))) for key, part in parts.items()}
        if len(set(lists.values())) == 1:
            told.append(f"{word} {next(iter(lists.values()))}")
        else:
            told += [f"{word} {text} where {key} are true" for key, text in lists.items()]
    return told


def format_numbers(values: Sequence[Value]) -> str:
    """Numbers in order; many with equal steps by their ends.

    >>> format_numbers([2, 3, 4, 5, 6]), format_numbers([8, 10, 12, 14, 16]), format_numbers([100, 300, 1000])
    ('2 … 6', '8, 10, … 16', '100, 300, 1000')
    """
    numbers = [value for value in values if isinstance(value, int)]
    steps = {after - before for before, after in pairwise(numbers)}
    if len(numbers) == len(values) > FEW and len(steps) == 1:
        return f"{numbers[0]} … {numbers[-1]}" if steps == {1} else f"{numbers[0]}, {numbers[1]}, … {numbers[-1]}"
    return ", ".join(f"{value:g}" if isinstance(value, float) else str(value) for value in values)
