"""Equations that a model implies, tested on data one by one, with levels corrected for their number; and all of them together.

The statistics are the family's. What is printed is a p-value: the probability of data at least so far from the equation, if it holds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from algdim.display.blocks import Block, Paragraph, TableBlock
from algdim.display.results import Frame, Result, convert_members, cut_rows
from algdim.figures import format_count
from algdim.scores.goodness import FEW, compute_upper_tail

LEVEL = 0.05
"""Below it a corrected p-value speaks against an equation."""


class Statistic(NamedTuple):
    """A statistic that has a χ² distribution if the equation holds, and what other tests say of it by their names."""

    name: str
    value: float
    dof: int
    others: tuple[tuple[str, float], ...] = ()
    caution: str = ""

    @property
    def p(self) -> float:
        """The upper tail."""
        return compute_upper_tail(self.value, self.dof)

    def __str__(self) -> str:
        more = "".join(f", {name} p = {format_p(p)}" for name, p in self.others)
        return f"{self.name} = {self.value:.4g}, df {self.dof}, p = {format_p(self.p)}{more}"


@dataclass(frozen=True, slots=True)
class Tested:
    """An equation with its statistic, and its p-value corrected for the number of tests."""

    kind: str
    text: str
    statistic: Statistic
    corrected: float

    def to_dict(self) -> dict[str, Any]:
        """The form of the JSON output."""
        found = convert_members(self, "kind text statistic=statistic.name value=statistic.value df=statistic.dof")
        more = convert_members(self, "p=statistic.p p_holm=corrected others=statistic.others caution=statistic.caution")
        return found | more | {"others": dict(self.statistic.others)}


@dataclass(frozen=True, slots=True, repr=False)
class Tests(Result):
    """The tests of a model's equations on data."""

    heading: str
    """The data in words."""
    tested: tuple[Tested, ...]
    together: Statistic | None
    """All independent equations at once, where the family has such a test."""
    untested: tuple[str, ...] = ()
    """Kinds for which there is no test, with their number."""
    notes: tuple[str, ...] = ()
    """What is to be said of how the data were read."""

    @property
    def rejections(self) -> tuple[Tested, ...]:
        """The equations that the data speak against."""
        return tuple(one for one in self.tested if one.corrected < LEVEL)

    def lines(self, most: int | None = None) -> Iterator[str]:
        """What the tests say, the smallest p-values first."""
        yield f"on {self.heading}, a test of each equation; Holm: p corrected for {format_count(len(self.tested), 'test')}"
        ordered = sorted(self.tested, key=lambda one: (one.corrected, one.statistic.p))
        for one in ordered[:most]:
            mark = "rejected: " if one.corrected < LEVEL else ""
            yield f"  {mark}{one.text}   {one.statistic}, Holm {format_p(one.corrected)}"
        if most is not None and len(ordered) > most:
            yield f"  … and {len(ordered) - most} more (--all)"
        if self.together is not None:
            yield f"  all independent equations together: {self.together}"
        yield from (f"  caution: {text}" for text in dict.fromkeys(one.statistic.caution for one in ordered) if text)
        yield from (f"  not tested: {text}" for text in self.untested)
        yield f"  {self.describe_outcome()}"

    def describe_outcome(self) -> str:
        """What the data say of the model's equations."""
        if not self.tested:
            return "there is nothing to test"
        if not self.rejections:
            return f"no equation is rejected at the level {LEVEL:g}, which does not make them true"
        return f"{len(self.rejections)} of {format_count(len(self.tested), 'equation')} rejected at the level {LEVEL:g}"

    def _summarise(self) -> str:
        return f"{self.heading}: {self.describe_outcome()}"

    def _show(self) -> Iterator[Block]:
        rows = [(one.text, str(one.statistic), format_p(one.corrected)) for one in self.tested]
        if rows:
            yield TableBlock(("equation", "test", "Holm"), cut_rows(rows), caption=self.heading)
        yield Paragraph(self.describe_outcome())

    def _tabulate(self) -> Frame:
        return Frame(
            ("kind", "equation", "statistic", "value", "df", "p", "p_holm"),
            tuple(
                (one.kind, one.text, found.name, found.value, found.dof, found.p, one.corrected)
                for one in self.tested
                for found in [one.statistic]
            ),
        )

    def to_dict(self) -> dict[str, Any]:
        found = self.together
        return {
            "data": self.heading,
            "level": LEVEL,
            "tested": [one.to_dict() for one in self.tested],
            "together": None if found is None else {"value": found.value, "df": found.dof, "p": found.p},
            "not_tested": list(self.untested),
            "notes": list(self.notes),
        }


def format_p(p: float) -> str:
    """A p-value.

    >>> format_p(0.04321), format_p(1.0), format_p(3e-9)
    ('0.043', '1', '3e-09')
    """
    return f"{p:.2g}"


def apply_holm(ps: Sequence[float]) -> list[float]:
    """The p-values corrected by Holm's steps: whatever is true, a false rejection at a level has at most its probability.

    >>> apply_holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    order = sorted(range(len(ps)), key=lambda place: ps[place])
    found, least = [0.0] * len(ps), 0.0
    for rank, place in enumerate(order):
        least = max(least, min(1.0, (len(ps) - rank) * ps[place]))
        found[place] = least
    return found


def describe_sparse(cases: float, cells: int) -> str:
    """What is to be thought of G² where cases are few for the cells.

    >>> describe_sparse(100, 30)
    'fewer than 5 cases a cell on average; χ² is no good approximation'
    """
    return "" if cases >= FEW * cells else f"fewer than {FEW} cases a cell on average; χ² is no good approximation"
