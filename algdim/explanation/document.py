"""What every form of an explanation is made of: sections of sentences, formulas, tables, matrices and pictures."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Sentences."""

    text: str


@dataclass(frozen=True, slots=True)
class Formulas:
    """Equations, each as text and in LaTeX."""

    lines: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Listing:
    """Lines that keep their layout, such as a tree of reasons."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rows:
    """A table: names of columns, and rows of text."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Matrix:
    """A matrix of text, with the names of its columns and the places of its pivots."""

    entries: tuple[tuple[str, ...], ...]
    columns: tuple[str, ...] = ()
    pivots: frozenset[tuple[int, int]] = frozenset()


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawing as SVG, the same in lines of text, and where there is one as a tikzpicture."""

    svg: str
    lines: tuple[str, ...]
    caption: str
    tikz: str = ""


Block = Paragraph | Formulas | Listing | Rows | Matrix | Picture


@dataclass(frozen=True, slots=True)
class Section:
    """One step of an explanation."""

    title: str
    blocks: tuple[Block, ...]
    key: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Document:
    """An explanation before it takes a form; ``play`` is what a page needs to compute ranks by itself."""

    title: str
    lead: str
    sections: tuple[Section, ...]
    play: dict[str, Any] | None = field(default=None)
