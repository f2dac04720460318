"""The intermediate table: cells with a value and an emphasis. What fills it knows no form, what prints it no model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from algdim.tables import rendering


@dataclass(frozen=True, slots=True)
class Cell:
    """One entry: an integer or a text, bold or not."""

    value: int | str
    bold: bool = False


@dataclass(frozen=True, slots=True)
class Grid:
    """A table: its name, a caption, the heads of its columns, rows of cells, notes below it.

    >>> grid = Grid("one", "A caption.", ("model", "de"), ((Cell("2:2,2"), Cell(3, bold=True)),))
    >>> print(grid.markdown())
    | model | de |
    |:---|---:|
    | 2:2,2 | **3** |
    """

    name: str
    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for number, row in enumerate(self.rows, 1):
            if len(row) != len(self.columns):
                raise ValueError(f"row {number} has {len(row)} cells; the table has {len(self.columns)} columns")

    @property
    def numeric(self) -> tuple[bool, ...]:
        """Per column, whether it holds numbers: they stand to the right."""
        return tuple(any(isinstance(row[place].value, int) for row in self.rows) for place in range(len(self.columns)))

    def texts(self) -> list[list[tuple[str, bool]]]:
        """The cells as texts, each with whether it is bold."""
        return [[(str(cell.value), cell.bold) for cell in row] for row in self.rows]

    def text(self) -> str:
        """The table for a terminal; a bold cell has a star."""
        return rendering.text(self.caption, self.columns, self.texts(), self.numeric, self.notes)

    def markdown(self) -> str:
        """The table in Markdown."""
        return rendering.markdown(self.columns, self.texts(), self.numeric)

    def latex(self) -> str:
        """The table in LaTeX, for the package booktabs."""
        return rendering.latex(self.name, self.caption, self.columns, self.texts(), self.numeric)

    def csv(self) -> str:
        """The table as comma-separated values, without emphasis."""
        return rendering.csv_text(self.columns, self.texts())

    def __str__(self) -> str:
        """The table for a terminal."""
        return self.text()

    def _repr_markdown_(self) -> str:
        """The table for a notebook."""
        return self.markdown()

    def _repr_latex_(self) -> str:
        """The table for a printed notebook."""
        return self.latex()

    def to_dict(self) -> dict[str, Any]:
        """The table for machines."""
        return {
            "name": self.name,
            "caption": self.caption,
            "columns": list(self.columns),
            "rows": [
                {
                    column: {"value": cell.value, "bold": cell.bold}
                    for column, cell in zip(self.columns, row, strict=True)
                }
                for row in self.rows
            ],
            "notes": list(self.notes),
        }
