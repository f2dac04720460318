"""The papers' tables of experiments in their own layout: what was measured here in one line, what is printed below it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import log, sqrt

from algdim.tables.grid import Cell, Grid
from algdim_papers.experiments import ch96, kz02
from algdim_papers.experiments.record import (
    DIFFERENT,
    ONLY_DIRECTION,
    Mean,
    Outcome,
    compute_mean,
)
from algdim_papers.experiments.rows import Findings
from algdim_papers.printed import CH96_SETS, CH96_TABLE_2, CH96_TIMES, KZ02_SCORES, KZ02_TABLE_2

HERE, IN_PRINT = "here", "print"
CH96_HEADS = ("CS", "MLED", "Draper", "BIC/MDL")
Measured = Mapping[str, Findings]
"""What experiments measured, by their names."""


def build_printed_tables(found: Measured) -> list[Grid]:
    """The tables of which something was measured."""
    return [grid for build in BUILDERS for grid in [build(found)] if grid.rows]


def build_chickering_heckerman_1(found: Measured) -> Grid:
    """CH96 Table 1: how many classes more than Laplace's approximation the other scores choose."""
    rows, sets = list[tuple[Cell, ...]](), set[int]()
    for number, order in ch96.FIGURES.items():
        findings = found.get(f"figure-{number}")
        results = {} if findings is None else ch96.group_by_row(findings[f"figure-{number}"])
        for row in order:
            if row not in results:
                continue
            verdicts = {cell.quantity: cell.verdict for cell in ch96.make_row_cells(row, results[row])}
            laplace = ch96.collect_choices(results[row], ch96.LAPLACE)
            moved = [
                ch96.compute_paired_difference(ch96.collect_choices(results[row], name), laplace)
                for name in ch96.OTHERS
            ]
            sets.add(len(laplace))
            missed = [verdicts[f"Δc of {name}, {row.text}"] in {DIFFERENT, ONLY_DIRECTION} for name in ch96.OTHERS]
            shown = [
                Cell(one.value, bold, error=one.error * sqrt(one.sets)) for one, bold in zip(moved, missed, strict=True)
            ]
            rows += make_pair([row.items, row.classes, row.cases], shown, [make_printed(*one) for one in row.printed])
    counts = " to ".join(map(str, sorted({min(sets, default=0), max(sets, default=0)})))
    return Grid(
        "chickering-heckerman-1",
        "Errors in model selection: Δc, mean ± s.d. (CH96 Table 1).",
        ("n", "c", "N", "", *CH96_HEADS),
        tuple(rows),
        (
            f"here: {counts} data sets, each from a model of its own; print: {CH96_SETS} data sets of one model.",
            "Bold: not reproduced.",
        ),
    )


def build_chickering_heckerman_2(found: Measured) -> Grid:
    """CH96 Table 2: seconds of EM and of the scores, by the dimension of the test model."""
    rows = list[tuple[Cell, ...]]()
    seconds = found.get(f"figure-{ch96.TIMED}", {}).get(f"figure-{ch96.TIMED}-seconds")
    for parameters, printed in CH96_TABLE_2.items():
        part = None if seconds is None else seconds.where(tried=(parameters + 1) // 65)
        if part is None or not part.entries:
            continue
        shown = [Cell(compute_mean(part.column(name)).value) for name in CH96_TIMES]
        rows += make_pair([parameters], shown, [Cell(value) for value in printed])
    return Grid(
        "chickering-heckerman-2",
        "Seconds by the dimension d of the test model, n = 64, c = 32, N = 400 (CH96 Table 2).",
        ("d", "", "EM", "Laplace", *CH96_HEADS),
        tuple(rows),
        ("EM: from the starts of CH96 §3, here to a maximum; those of the scores are without EM.",),
    )


def build_kocka_zhang_2(found: Measured) -> Grid:
    """KZ02 Table 2: divergence from the truth of the trees that the scores find."""
    rows, sets = list[tuple[Cell, ...]](), 0
    trees = found.get("latent-trees", {}).get("latent-trees")
    for size, part in (trees.split("cases") if trees is not None else {}).items():
        by_score = part.split("score")
        bits = {name: [value / log(2) for value in kz02.scale_to_thousandths(by_score[name])] for name in KZ02_SCORES}
        sets, best = len(bits[KZ02_SCORES[0]]), find_best(bits)
        shown = [Cell(one.value, name in best, error=one.error) for name, one in compute_means(bits).items()]
        rows += make_pair([size], shown, [make_printed(*one) for one in KZ02_TABLE_2[size]])
    return Grid(
        "kocka-zhang-2",
        "Average information divergence (thousandths of a bit) for scores and sample sizes SS (KZ02 Table 2).",
        ("SS", "", *KZ02_SCORES),
        tuple(rows),
        (
            f"here: {sets} parametrisations of {kz02.TREE}, mean ± standard error; print: fifty.",
            "Bold: the best, and all that are within two standard errors of it on the same data; in print the bold type is lost.",
        ),
    )


def compute_means(values: Mapping[str, Sequence[float]]) -> dict[str, Mean]:
    """The mean of each."""
    return {name: compute_mean(some) for name, some in values.items()}


def find_best(values: Mapping[str, Sequence[float]]) -> set[str]:
    """The scores whose mean is the least, or not significantly greater on the same data sets.

    >>> sorted(find_best({"a": [1.0, 2.0, 3.0], "b": [1.1, 1.9, 3.1], "c": [2.0, 3.0, 4.1]}))
    ['a', 'b']
    """
    means = compute_means(values)
    least = min(means, key=lambda name: means[name].value)
    return {
        name
        for name in values
        if name == least or compute_mean([a - b for a, b in zip(values[name], values[least], strict=True)]).low <= 0
    }


def make_pair(keys: Sequence[int], here: Sequence[Cell], printed: Sequence[Cell]) -> list[tuple[Cell, ...]]:
    """Two rows: ours with the keys, and what is printed."""
    return [
        (*map(Cell, keys), Cell(HERE), *here),
        (*(Cell("") for _ in keys), Cell(IN_PRINT), *printed),
    ]


def make_printed(value: float, deviation: float) -> Cell:
    """A printed number, with what stands behind ± if anything does, to the places of both.

    >>> make_printed(5.0, 6.4).text, make_printed(0.5, 0.09).text, make_printed(0, 0).text
    ('5.0 ± 6.4', '0.50 ± 0.09', '0')
    """
    if not deviation:
        return Cell(value)
    places = max(1, *(len(f"{number:g}".partition(".")[2]) for number in (value, deviation)))
    return Cell(value, places=places, error=deviation)


BUILDERS: tuple[Callable[[Measured], Grid], ...] = (
    build_chickering_heckerman_1,
    build_chickering_heckerman_2,
    build_kocka_zhang_2,
)


def build_cell_grid(name: str, caption: str, found: Outcome) -> Grid:
    """All cells of an experiment as a table."""
    rows = tuple(
        (
            Cell(one.place),
            Cell(one.quantity),
            Cell(one.printed or None),
            Cell(one.found, error=one.error),
            Cell(one.sets),
            Cell(one.verdict, one.verdict == DIFFERENT, (one.note,) if one.note else ()),
        )
        for one in found.cells
    )
    heads = ("place", "quantity", "printed", "found", "sets", "verdict")
    return Grid(name, caption, heads, rows, (f"Size {found.size}, seed {found.seed}, algdim {found.version}.",))
