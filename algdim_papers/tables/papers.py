"""The models of one paper: every dimension and every count that it prints about a model, computed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from algdim.claims.judging import Verdict, run
from algdim.claims.reading import QUANTITIES, claims
from algdim.tables.grid import Cell, Grid

NOTE = "Bold: what is printed is refuted. — : the paper prints none."


def paper_table(paper: str, seed: int | str = 0) -> Grid:
    """Rows are the models, columns the place and the quantities of which the paper prints a value for some model."""
    about = [claim for claim in claims(paper) if claim.quantity and not claim.cases]
    found: dict[str, dict[str, list[Verdict]]] = defaultdict(lambda: defaultdict(list))
    for verdict in run(about, seed=seed):
        found[verdict.claim.model][verdict.claim.quantity].append(verdict)
    quantities = tuple(name for name in QUANTITIES if any(name in row for row in found.values()))
    rows = tuple(
        (Cell(model), Cell(next(iter(row.values()))[0].claim.place), *(cell(row.get(name, [])) for name in quantities))
        for model, row in found.items()
    )
    caption = f"The models of {paper} and the numbers that it prints about them, computed."
    return Grid(paper.lower(), caption, ("model", "place", *quantities), rows, (NOTE,))


def cell(verdicts: Sequence[Verdict]) -> Cell:
    """A computed number; what stands in its place in print, perhaps at several places, and what is not proved, as footnotes."""
    if not verdicts:
        return Cell(None)
    verdict = verdicts[0]
    if verdict.computed is None:
        return Cell(None, footnotes=(verdict.reason,))
    computed = Cell(verdict.computed)
    if verdict.trust is None or not verdict.trust.is_proved:
        computed = replace(computed, footnotes=("not proved",))
    printed = dict.fromkeys(
        f"printed: {one.claim.printed}" for one in verdicts if str(one.verdict).startswith("refuted")
    )
    if printed:
        return replace(computed, bold=True, footnotes=(*computed.footnotes, *printed))
    return computed
