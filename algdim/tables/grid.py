"""The intermediate table: cells with a value and an emphasis. What fills it knows no form, what prints it no model."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import floor, isfinite, log10
from typing import Any, ClassVar

from algdim.display import rendering
from algdim.display.blocks import Block, Paragraph, TableBlock
from algdim.display.latexlayout import render_latex
from algdim.display.rendering import Text
from algdim.display.results import Frame, Result, convert_members
from algdim.errors import join_names
from algdim.figures import format_count
from algdim.limits import Untried, describe_untried


@dataclass(frozen=True, slots=True)
class Cell:
    """One entry: a number, a text or nothing (``None``), bold or not, perhaps with footnotes."""

    value: int | float | str | None
    bold: bool = False
    footnotes: tuple[str, ...] = ()
    places: int | None = field(default=None, repr=False)
    """Of a number with a point this many decimal places are printed, else three digits."""
    lemmas: tuple[str, ...] = field(default=(), repr=False)
    """Of the word *proved*: the lemmas that prove it; JSON has them."""
    is_model: bool = field(default=False, repr=False)
    """Whether the value is a model's notation, which LaTeX sets as mathematics."""
    error: float | None = field(default=None, repr=False)
    """What stands behind ± of a number: a standard error or deviation, to whose digits the number is printed unless ``places`` says."""

    @property
    def text(self) -> str:
        """The value as it is printed, of a text of several lines the first."""
        match self.value:
            case None:
                return "—"
            case bool():
                return "yes" if self.value else "no"
            case int() | float() if self.error is not None:
                return format_measured(self.value, self.error, self.places)
            case float():
                return f"{self.value:.3g}" if self.places is None else f"{self.value:.{self.places}f}"
        first, more, _ = str(self.value).partition("\n")
        return f"{first} …" if more else first

    def to_dict(self) -> dict[str, Any]:
        """The entry for machines."""
        more: dict[str, Any] = {"lemmas": list(self.lemmas)} if self.lemmas else {}
        more |= {} if self.error is None else {"error": self.error}
        return {"value": self.value, "bold": self.bold, "footnotes": list(self.footnotes), **more}


IN_PRINT = {"standard": "parameters", "complete": "saturated"}
"""Columns that are called otherwise in print."""


@dataclass(frozen=True, slots=True, repr=False)
class Grid(Result):
    """A table: its name, a caption, the heads of its columns, rows of cells, notes below it, and where it comes from.

    >>> grid = Grid("one", "A caption.", ("model", "de"), ((Cell("2:2,2"), Cell(3, bold=True)),))
    >>> print(grid.markdown())
    A caption.
    <BLANKLINE>
    | model | de |
    |:---|---:|
    | 2:2,2 | **3** |
    """

    _inner: ClassVar[frozenset[str]] = frozenset(
        {"below", "footnotes", "has_names", "heads", "numeric", "remarks", "texts"}
    )

    name: str
    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()
    provenance: str = ""
    has_names: bool = False
    """Whether the heads are names by which one asks for columns, and are printed as they are."""
    untried: tuple[Untried, ...] = ()
    """Searches for proofs that were not made to their end."""
    remarks: tuple[str, ...] = ()
    """What is to be said to who makes the table, and not printed in it."""

    def __post_init__(self) -> None:
        for number, row in enumerate(self.rows, 1):
            if len(row) != len(self.columns):
                raise ValueError(f"row {number} has {len(row)} cells; the table has {len(self.columns)} columns")

    @property
    def heads(self) -> tuple[str, ...]:
        """The columns as they are called in print; in CSV, JSON and conditions they keep their names."""
        return self.columns if self.has_names else tuple(IN_PRINT.get(column, column) for column in self.columns)

    @property
    def numeric(self) -> tuple[bool, ...]:
        """Per column, whether it holds numbers: they stand to the right."""
        return tuple(any(is_number(row[place].value) for row in self.rows) for place in range(len(self.columns)))

    @property
    def footnotes(self) -> tuple[str, ...]:
        """All footnotes, in the order in which they are met; their places are their marks."""
        return tuple(dict.fromkeys(note for row in self.rows for cell in row for note in cell.footnotes))

    @property
    def texts(self) -> list[list[Text]]:
        """The cells as texts."""
        marks = {note: format_footnote_mark(number) for number, note in enumerate(self.footnotes)}
        return [
            [Text(cell.text, cell.bold, "".join(marks[note] for note in cell.footnotes), cell.is_model) for cell in row]
            for row in self.rows
        ]

    @property
    def below(self) -> tuple[str, ...]:
        """The lines below the table: footnotes with their marks, notes, where the table comes from."""
        marked = (f"{format_footnote_mark(number)} {note}" for number, note in enumerate(self.footnotes))
        last = (describe_untried(self.untried), self.provenance)
        return (*marked, *self.notes, *filter(None, last))

    def text(self, width: int | None = None) -> str:
        """The table for a terminal; a bold cell has a star. Columns beyond the width stand in a table below."""
        return rendering.render_text(self.caption, self.heads, self.texts, self.numeric, self.below, width)

    def markdown(self) -> str:
        """The table in Markdown."""
        return rendering.render_markdown(self.caption, self.heads, self.texts, self.numeric, self.below)

    def latex(self, *, in_two_columns: bool = False, with_siunitx: bool = False) -> str:
        """The table in LaTeX, for the package booktabs; in a document of two columns wide tables span both.

        With siunitx numbers are aligned at their points.
        """
        return render_latex(
            self.name,
            self.caption,
            self.heads,
            self.texts,
            self.numeric,
            self.below,
            in_two_columns=in_two_columns,
            with_siunitx=with_siunitx,
        )

    def html(self) -> str:
        """The table in HTML."""
        return rendering.render_html(self.caption, self.heads, self.texts, self.numeric, self.below)

    def typst(self) -> str:
        """The table in Typst."""
        return rendering.render_typst(self.name, self.caption, self.heads, self.texts, self.numeric, self.below)

    def csv(self, *, formulas: bool = False) -> str:
        """The table as comma-separated values, without emphasis and notes; what a spreadsheet computes has an apostrophe."""
        return rendering.render_csv(self.columns, self.values(), formulas=formulas)

    def values(self) -> list[list[int | float | str | None]]:
        """The values of all rows."""
        return [[cell.value for cell in row] for row in self.rows]

    def _summarise(self) -> str:
        return f"{self.name}: {format_count(len(self.rows), 'row')}, columns {join_names(self.columns)}"

    def _show(self) -> Iterator[Block]:
        yield TableBlock(self.heads, tuple(tuple(cell.text for cell in row) for row in self.rows), caption=self.caption)
        yield from map(Paragraph, self.below)

    def _tabulate(self) -> Frame:
        return Frame(self.columns, tuple(map(tuple, self.values())))

    def lines(self) -> list[str]:
        return self.text().split("\n")

    def _repr_html_(self) -> str:
        """The table for a notebook."""
        return self.html()

    def _repr_markdown_(self) -> str:
        """The table for a notebook that shows Markdown."""
        return self.markdown()

    def _repr_latex_(self) -> str:
        """The table for a printed notebook."""
        return self.latex()

    def to_dict(self) -> dict[str, Any]:
        return {
            **convert_members(self, "name caption columns"),
            "rows": [
                {column: cell.to_dict() for column, cell in zip(self.columns, row, strict=True)} for row in self.rows
            ],
            **convert_members(self, "notes not_tried=untried provenance"),
        }


def format_measured(value: float, error: float, places: int | None = None) -> str:
    """A number with its error, both to the place of the error's first digit, or of its second if the first is 1.

    >>> format_measured(-14.2, 0.61), format_measured(0.05, 0.0123), format_measured(26, 33), format_measured(0.4, 0)
    ('-14.2 ± 0.6', '0.050 ± 0.012', '26 ± 33', '0.4 ± 0')
    """
    if places is None:
        if not isfinite(error) or error <= 0:
            return f"{value:.3g} ± {error:g}"
        first = floor(log10(error))
        places = max(0, 1 - first if f"{error:e}".startswith("1") else -first)
    return f"{value:.{places}f} ± {error:.{places}f}"


def is_number(value: object) -> bool:
    """Whether a value is a number; yes and no are none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def format_footnote_mark(number: int) -> str:
    """The mark of a footnote.

    >>> format_footnote_mark(0), format_footnote_mark(25), format_footnote_mark(26)
    ('a', 'z', 'aa')
    """
    before, last = divmod(number, 26)
    return (format_footnote_mark(before - 1) if before else "") + chr(ord("a") + last)
