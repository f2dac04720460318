"""The few kinds of blocks of which everything that is shown consists: text, formula, lines, table, tree, matrix, figure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Sentences."""

    text: str


@dataclass(frozen=True, slots=True)
class FormulaBlock:
    """Equations, each as text and in LaTeX."""

    lines: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Listing:
    """Lines that keep their layout, such as a tree of reasons."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TableBlock:
    """A table: names of columns, none where each row begins with its own, and rows of text."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str = ""
    bold: frozenset[int] = frozenset()
    """The rows that are set off."""


class OutlineNode(Protocol):
    """A sentence and those below it."""

    @property
    def text(self) -> str:
        """The sentence."""

    @property
    def because(self) -> Sequence[OutlineNode]:
        """What stands below."""


@dataclass(frozen=True, slots=True)
class Branch:
    """A node of a tree that is made to be shown."""

    text: str
    because: tuple[Branch, ...] = ()


@dataclass(frozen=True, slots=True)
class TreeBlock:
    """A tree of reasons."""

    root: OutlineNode
    is_open: bool = False
    """Where it can be folded."""


@dataclass(frozen=True, slots=True)
class MatrixBlock:
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


Block = Paragraph | FormulaBlock | Listing | TableBlock | TreeBlock | MatrixBlock | Picture


@dataclass(frozen=True, slots=True)
class Section:
    """One step of an explanation."""

    title: str
    blocks: tuple[Block, ...]
    key: str = ""


def draw_tree(node: OutlineNode) -> Iterator[str]:
    """The lines of a tree.

    >>> from types import SimpleNamespace
    >>> leaf = SimpleNamespace(text="b", because=())
    >>> print(*draw_tree(SimpleNamespace(text="a", because=(leaf, leaf))), sep="; ")
    a; ├─ b; └─ b
    """
    yield node.text
    for number, child in enumerate(node.because):
        last = number == len(node.because) - 1
        first, *rest = draw_tree(child)
        yield ("└─ " if last else "├─ ") + first
        yield from (("   " if last else "│  ") + line for line in rest)
