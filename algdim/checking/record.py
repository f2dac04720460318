"""The verdicts on the claims of a file: for people, for machines, and as a table for a paper."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from algdim.about import VERSION
from algdim.checking.judging import CONFIRMED, OPEN, REFUTED, ClaimVerdict
from algdim.display.blocks import Block, Paragraph, TableBlock
from algdim.display.results import Frame, Result, cut_rows
from algdim.figures import cut_text, format_count
from algdim.limits import Untried, describe_untried
from algdim.tables.grid import Cell, Grid
from algdim.trust import PROVED

SCHEMA = "algdim-check-1"
CODES = {CONFIRMED: 0, REFUTED: 1, OPEN: 4}
"""What the command ends with: refuted if any is, else open if any is."""

COLUMNS = ("line", "label", "model", "quantity", "printed", "computed", "verdict", "status", "reason")
MOST_LABEL = 40
NARROW_LABEL = 18
"""Characters of a label in the table, and in a terminal."""


@dataclass(frozen=True, slots=True, repr=False)
class Checked(Result):
    """The verdicts on the claims of a file.

    Attributes
    ----------
    verdicts
        Of each claim: `claim`, `word` ("confirmed", "refuted", "open"), `computed`, `trust`, `reason`, `certificate`.
    confirmed, refuted, open
        The verdicts by word.
    code, counts
        What the command ends with: 0 all confirmed, 1 any refuted, 4 any open; and how many there are of each.
    source, notes, untried, seed
        The file, what of it was not read, the searches that limits ended, and the seed of the draws.
    grid
        The table, with `latex`, `markdown`, `html`, `typst` and `csv`; what is refuted is bold.
    to_dict, to_pandas, to_polars, document, lines
        The result for JSON, as data frames, as a document of tables and figures, and as the lines that `print` shows.

    Examples
    --------
    >>> from algdim.checking.running import check
    >>> found = check([{"model": "3:2,2,2,2", "printed": {"dimension": 14, "parameters": 14}}])
    >>> found.code, [(one.word, one.computed) for one in found.verdicts]
    (1, [('refuted', '13'), ('confirmed', '14')])
    """

    _inner: ClassVar[frozenset[str]] = frozenset({"list_reasons", "of_word", "text"})

    source: str
    verdicts: tuple[ClaimVerdict, ...]
    notes: tuple[str, ...] = ()
    untried: tuple[Untried, ...] = ()
    seed: int | str = 0

    def of_word(self, word: str) -> tuple[ClaimVerdict, ...]:
        """The verdicts with this word."""
        return tuple(one for one in self.verdicts if one.word == word)

    @property
    def confirmed(self) -> tuple[ClaimVerdict, ...]:
        """The claims that hold."""
        return self.of_word(CONFIRMED)

    @property
    def refuted(self) -> tuple[ClaimVerdict, ...]:
        """The claims that do not."""
        return self.of_word(REFUTED)

    @property
    def open(self) -> tuple[ClaimVerdict, ...]:
        """The claims of which it is not decided."""
        return self.of_word(OPEN)

    @property
    def code(self) -> int:
        """The exit code of the command."""
        return CODES[REFUTED] if self.refuted else CODES[OPEN] if self.open else CODES[CONFIRMED]

    @property
    def counts(self) -> str:
        """How many claims there are, and how many of each verdict."""
        parts = [f"{len(some)} {word}" for word in CODES if (some := self.of_word(word))]
        return f"{format_count(len(self.verdicts), 'claim')}: {', '.join(parts)}"

    @property
    def grid(self) -> Grid:
        """The table, in which what is refuted is bold."""
        return Grid(
            "claims",
            f"Claims of {self.source}, recomputed: {self.counts}.",
            ("line", "model", "quantity", "printed", "computed", "verdict", "status"),
            tuple(map(build_row, self.verdicts)),
            untried=self.untried,
            provenance=f"algdim {VERSION}, seed {self.seed}.",
        )

    def list_reasons(self) -> Iterator[str]:
        """What is refuted and what is open, each with the reason."""
        weak = tuple(one for one in self.confirmed if not one.trust.is_proved)
        for word, some in ((REFUTED, self.refuted), (OPEN, self.open), ("confirmed without a proof", weak)):
            if some:
                yield ""
                yield word
                yield from (f"  {describe_verdict(one)}" for one in some)
        if any(one.certificate for one in self.verdicts):
            yield ""
            yield "certificates"
            yield from (f"  {one.claim.source.place}: {one.certificate}" for one in self.verdicts if one.certificate)
        if self.untried:
            yield ""
            yield describe_untried(self.untried)

    def text(self, width: int | None = None) -> str:
        """The table for a terminal, and the reasons."""
        rows = tuple(build_row(one, NARROW_LABEL, is_narrow=True) for one in self.verdicts)
        table = Grid("claims", "", self.grid.columns, rows).text(width)
        notes = ["", *self.notes] if self.notes else []
        return "\n".join([f"{self.source}: {self.counts}", "", table, *self.list_reasons(), *notes])

    def lines(self) -> list[str]:
        return self.text().split("\n")

    def _summarise(self) -> str:
        return f"{self.source}: {self.counts}"

    def _show(self) -> Iterator[Block]:
        grid = self.grid
        rows = tuple(tuple(cell.text for cell in row) for row in grid.rows)
        bold = frozenset(number for number, one in enumerate(self.verdicts) if one.word == REFUTED)
        yield TableBlock(grid.columns, cut_rows(rows), caption=f"{self.source}: {self.counts}", bold=bold)
        yield from (Paragraph(line.strip()) for line in self.list_reasons() if line)

    def _tabulate(self) -> Frame:
        rows = tuple(
            (
                one.claim.source.place,
                one.claim.source.label,
                one.claim.source.text,
                one.claim.quantity,
                one.claim.printed.text,
                one.computed,
                one.word,
                one.trust.status,
                one.reason,
            )
            for one in self.verdicts
        )
        return Frame(COLUMNS, rows)

    def to_dict(self) -> dict[str, Any]:
        """The form of the JSON output."""
        return {
            "schema": SCHEMA,
            "version": VERSION,
            "source": self.source,
            "code": self.code,
            "counts": {word: len(self.of_word(word)) for word in CODES},
            "claims": [one.to_dict() for one in self.verdicts],
            "notes": list(self.notes),
            "not_tried": [one.to_dict() for one in self.untried],
            "seed": self.seed,
        }


def build_row(one: ClaimVerdict, longest: int = MOST_LABEL, *, is_narrow: bool = False) -> tuple[Cell, ...]:
    """The cells of one verdict; narrow ones leave to the lines below how probable something is."""
    claim, is_bold = one.claim, one.word == REFUTED
    is_model = claim.source.label == claim.source.text and not is_narrow
    # what a word beside it says of a verdict that is not final
    word = one.word if is_narrow or not one.likely else f"{one.word} (probably {one.likely})"
    return (
        make_number_cell(claim.source.place.removeprefix("line ")),
        Cell(claim.source.label if is_model else cut_text(claim.source.label, longest), is_model=is_model),
        Cell(claim.quantity),
        make_number_cell(claim.printed.text),
        make_number_cell(one.computed, is_bold),
        Cell(word, is_bold),
        Cell(one.trust.status if is_narrow else str(one.trust), lemmas=one.trust.lemmas),
    )


def make_number_cell(text: str, is_bold: bool = False) -> Cell:
    """A cell with an integer as a number, which is printed to the right."""
    return Cell(int(text) if text.isascii() and text.isdigit() and len(text) < MOST_LABEL else text, is_bold)


WORDS = {
    "parameters": "the number of parameters",
    "saturated": "the saturated dimension",
    "redundant": "the number of redundant parameters",
    "tetrads": "the number of vanishing tetrads",
    "independent_tetrads": "the number of independent tetrads",
    "rank": "the rank at the point",
    "expected": "the expected dimension",
    "pairwise_bound": "the pairwise bound",
    "best_bound": "the best bound",
    "df_by_counting": "df by counting",
}
"""Quantities in a sentence, where their names are none."""


def describe_verdict(one: ClaimVerdict) -> str:
    """One verdict as a sentence: what is true, and why."""
    claim = one.claim
    named = (
        claim.source.label if claim.source.label == claim.source.text else f"{claim.source.label}, {claim.source.text}"
    )
    cited = f" ({claim.cited})" if claim.cited else ""
    known = one.trust.with_lemmas if one.trust.status == PROVED else str(one.trust)
    # of bounds alone the numbers stand in the value already
    said = "" if one.computed == "—" or "between" in known else f"; {known}"
    likely = f"; probably {one.likely}" if one.likely else ""
    reason = f"; {one.reason}" if one.reason else ""
    return (
        f"{claim.source.place}{cited}: {cut_text(named, 100)}: {WORDS.get(claim.quantity, claim.subject)} is {one.computed}, "
        f"printed {claim.printed.text}{likely}{said}{reason}"
    )
