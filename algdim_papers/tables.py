"""The tables of the literature, computed: two as they are printed, all models of each paper, and the verdicts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from algdim.families.discrete.bounds.latentclass import COMPLETE, PAIRWISE, STANDARD, compute_latent_class_bounds
from algdim.families.discrete.model import Network
from algdim.models.anymodel import require_model
from algdim.models.catalogue import list_catalogue_entries
from algdim.models.notation import parse
from algdim.report import dimension
from algdim.tables.grid import Cell, Grid
from algdim_papers.claims.judging import Verdict, format_counts, is_notable, name_subject, run
from algdim_papers.claims.reading import QUANTITIES, list_claims, list_papers

KOCKA_ZHANG_CAPTION = (
    "Comparison of the effective dimension de, bound db from Theorem 4 (bold if db ≠ de), standard dimension ds, complete "
    "dimension dc and pairwise dimension dp from Theorem 3 (bold if ds, dc, dp = db) for selected LC models (KZ02 Table 1)."
)
KOCKA_ZHANG_COLUMNS = ("LC model", "de", "db", STANDARD, COMPLETE, PAIRWISE)
KOCKA_ZHANG_NOTE = "* is bold in print. dp is dc where no bipartition qualifies, and then bold together with dc."


def build_kocka_zhang_1(seed: int | str = 0) -> Grid:
    """KZ02 Table 1: the printed models, every number computed, bold by the rule of the paper's caption."""
    models = dict.fromkeys(claim.model for claim in list_claims("KZ02") if claim.place.startswith("Table 1"))
    rows = [build_kocka_zhang_row(model, seed) for model in models]
    doubtful = [str(row[0].value) for row in rows if isinstance(row[1].value, str)]
    notes = (KOCKA_ZHANG_NOTE, *([f"? is not proved: {'; '.join(doubtful)}"] if doubtful else []))
    return Grid("kocka-zhang-1", KOCKA_ZHANG_CAPTION, KOCKA_ZHANG_COLUMNS, tuple(rows), notes)


def build_kocka_zhang_row(text: str, seed: int | str = 0) -> tuple[Cell, ...]:
    """One model's row.

    >>> (
    ...     [cell.value for cell in build_kocka_zhang_row("3:2,2,2,2")],
    ...     [cell.bold for cell in build_kocka_zhang_row("3:2,2,2,2")],
    ... )
    (['3:2,2,2,2', 13, 14, 14, 15, 14], [False, False, True, True, False, True])
    """
    counts = compute_latent_class_bounds(require_model(parse(text), Network, "the table is for discrete models"))
    report = dimension(text, seed=seed)
    de, db = report.dimension, counts.best_bound

    def bounding(value: int | None, printed: int | str | None = None) -> Cell:
        return Cell("—" if value is None else value if printed is None else printed, value == db)

    return (
        Cell(text, is_model=True),
        Cell(de if report.exact else f"{de}?"),
        Cell(db, db != de),
        bounding(counts.standard),
        bounding(counts.complete),
        bounding(counts.pairwise_bound, COMPLETE if counts.partition is None else None),
    )


MEEK_HECKERMAN_CAPTION = "The dimension of the NMI models (MH97 Table 1)."
MEEK_HECKERMAN_MODELS = ("F1", "F2", "F3", "F4", "F5")
MEEK_HECKERMAN_ROWS = {"Dimension": "dimension", "Unadjusted dim.": "standard"}
"""The printed heads of the rows, and the quantities they stand for."""

MEEK_HECKERMAN_NOTE = (
    "The models of the paper's Figure 4, which is lost, in the only reading that fits: three independent binary causes, a binary "
    "effect, the mechanisms"
)


def build_meek_heckerman_1(seed: int | str = 0) -> Grid:
    """MH97 Table 1: every number computed; bold, with a footnote, where another one is printed."""
    notations = {entry.name: entry.notation for entry in list_catalogue_entries()}
    texts = {name: notations[f"mh97-{name.lower()}"] for name in MEEK_HECKERMAN_MODELS}
    reports = {name: dimension(text, seed=seed) for name, text in texts.items()}
    printed = {(claim.model, claim.quantity): claim.printed for claim in list_claims("MH97")}
    rows = tuple(
        (
            Cell(head),
            *(
                make_compared_cell(getattr(reports[name], kind), printed[texts[name], kind])
                for name in MEEK_HECKERMAN_MODELS
            ),
        )
        for head, kind in MEEK_HECKERMAN_ROWS.items()
    )
    doubtful = [name for name, report in reports.items() if not report.exact]
    structures = "; ".join(f"{name} {text.removeprefix('max: ').removesuffix(' -> E')}" for name, text in texts.items())
    notes = (
        f"{MEEK_HECKERMAN_NOTE} {structures}.",
        *([f"The dimension is not proved: {', '.join(doubtful)}."] if doubtful else []),
    )
    return Grid("meek-heckerman-1", MEEK_HECKERMAN_CAPTION, ("Model", *MEEK_HECKERMAN_MODELS), rows, notes)


def make_compared_cell(value: int, printed: int | str) -> Cell:
    """A number, and what stands in its place in print if that is another one.

    >>> make_compared_cell(7, 7), make_compared_cell(8, 7).footnotes
    (Cell(value=7, bold=False, footnotes=()), ('7 in print',))
    """
    return Cell(value) if value == printed else Cell(value, bold=True, footnotes=(f"{printed} in print",))


PAPER_NOTE = "Bold: what is printed is refuted. — : the paper prints none."


def build_paper_table(paper: str, seed: int | str = 0) -> Grid:
    """Rows are the models, columns the place and the quantities of which the paper prints a value for some model."""
    wanted = [claim for claim in list_claims(paper) if claim.quantity and not claim.cases]
    found: dict[str, dict[str, list[Verdict]]] = defaultdict(lambda: defaultdict(list))
    for verdict in run(wanted, seed=seed):
        found[verdict.claim.model][verdict.claim.quantity].append(verdict)
    quantities = tuple(name for name in QUANTITIES if any(name in row for row in found.values()))
    rows = tuple(
        (
            Cell(model, is_model=True),
            Cell(next(iter(row.values()))[0].claim.place),
            *(make_verdict_cell(row.get(name, [])) for name in quantities),
        )
        for model, row in found.items()
    )
    caption = f"The models of {paper} and the numbers that it prints about them, computed."
    return Grid(paper.lower(), caption, ("model", "place", *quantities), rows, (PAPER_NOTE,))


def make_verdict_cell(verdicts: Sequence[Verdict]) -> Cell:
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


VERDICT_COLUMNS = ("claim", "place", "about", "printed", "computed", "verdict", "status", "seconds", "reason")
NARROW_COLUMNS = ("claim", "place", "printed", "computed", "verdict")
"""The columns for which a printed page has room."""


def build_verdict_grid(verdicts: Iterable[Verdict], columns: tuple[str, ...] = VERDICT_COLUMNS) -> Grid:
    """The table of verdicts, a row for each claim; bold is what is not as printed, or open in the paper."""
    verdicts = list(verdicts)
    caption = f"What the papers print, computed again: {format_counts(verdicts)}."
    places = [VERDICT_COLUMNS.index(name) for name in columns]
    rows = tuple(tuple(row[place] for place in places) for row in map(build_verdict_row, verdicts))
    return Grid("reproduce", caption, columns, rows)


def build_verdict_row(verdict: Verdict) -> tuple[Cell, ...]:
    """The cells of one verdict."""
    claim = verdict.claim
    return (
        Cell(claim.id),
        Cell(claim.place),
        Cell(name_subject(claim)),
        Cell(claim.printed),
        Cell(verdict.computed),
        Cell(verdict.verdict, is_notable(verdict)),
        Cell(verdict.status, lemmas=() if verdict.trust is None else verdict.trust.lemmas),
        Cell(round(verdict.seconds, 3)),
        Cell(verdict.reason or claim.note or None),
    )


NAMED: Mapping[str, Callable[[int | str], Grid]] = {
    "kocka-zhang-1": build_kocka_zhang_1,
    "meek-heckerman-1": build_meek_heckerman_1,
    **{paper.lower(): partial(build_paper_table, paper) for paper in list_papers()},
}
"""The tables that have a name; by the key of a paper all of its models."""
