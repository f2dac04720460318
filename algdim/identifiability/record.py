"""What `algdim identify` finds, for people and for machines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from algdim.about import VERSION
from algdim.display.blocks import Block, Paragraph, TableBlock
from algdim.display.results import Compact, Frame, Plain, Result, convert_members, cut_cell, cut_rows
from algdim.errors import join_names
from algdim.figures import cut_text, format_count, format_integer
from algdim.identifiability.degreesoffreedom import Freedom
from algdim.identifiability.groups import Group
from algdim.identifiability.points import VerdictsAtPoint
from algdim.identifiability.solutions import FibreDegree
from algdim.limits import Untried, describe_untried
from algdim.models.notation import to_text
from algdim.report import Report
from algdim.trust import BOUNDED, Remark, Trust, trust_in_all

NAMES_SHOWN = 8
SETS_SHOWN = 6
FEW = 4
"""Directions and sets to fix are printed for groups with fewer directions than these; JSON has them all."""


@dataclass(frozen=True, slots=True, repr=False)
class Verdict(Compact, Plain):
    """Whether a parameter is identifiable; ``None`` where that is not decided."""

    parameter: str
    identifiable: bool | None
    trust: Trust

    @property
    def error(self) -> float | None:
        """The probability that a probable verdict is wrong."""
        return self.trust.error


@dataclass(frozen=True, slots=True, repr=False)
class Determined(Compact, Plain):
    """A function of the parameters that the observed distribution determines."""

    text: str
    kind: str
    """parameter, sum, product or coordinate"""
    trust: Trust

    @property
    def error(self) -> float | None:
        """The probability that a probable function is not determined."""
        return self.trust.error


@dataclass(frozen=True, slots=True, repr=False)
class Lists(Compact, Plain):
    """Trust in lists, each as one statement; ``None`` of a list that is empty.

    Errors of members that fail at different points add up, over all that could have been listed.
    """

    identifiable: Trust | None = None
    not_identifiable: Trust | None = None
    groups: Trust | None = None
    fixing: Trust | None = None
    basis: Trust | None = None


@dataclass(frozen=True, slots=True, repr=False)
class Units(Compact, Plain):
    """How many directions are choices of scale and origin of latent variables, and how many are not.

    The choices are ones that an equation, such as a loading fixed to 1 and an intercept fixed to 0, makes without loss.
    """

    _json: ClassVar[str] = "count of rest trust"

    count: int
    of: tuple[str, ...]
    rest: int
    counted_all: Trust
    """Trust in ``count``; where only bounds are known there may be more choices, and less is redundant."""
    dimension: Trust
    """Trust in the number of all directions."""

    @property
    def trust(self) -> Trust:
        """Trust in both numbers."""
        return trust_in_all([self.counted_all, self.dimension])

    def __str__(self) -> str:
        is_open = self.dimension.status == BOUNDED or self.dimension.says_nothing
        caveat = ", as far as the dimension is right" if is_open else self.trust.caveat
        least = "" if self.counted_all.is_proved else "at least "
        most = "" if self.counted_all.is_proved else "at most "
        if not self.count:
            none = (
                "the 1 redundant direction is no"
                if self.rest == 1
                else f"none of the {self.rest} redundant directions is a"
            )
            found = ", as far as was found" if least else ""
            return f"{none} mere choice of scale or origin of a latent variable{found}: {most}real redundancy{caveat}"
        is_one = self.count == 1
        rest = (
            f"{most}{format_count(self.rest, 'direction')} more: real redundancy"
            if self.rest
            else "nothing else is redundant"
        )
        return (
            f"{least}{format_count(self.count, 'direction')} {'is a choice' if is_one else 'are choices'} of scale or origin "
            f"({', '.join(self.of)}); {rest}{caveat}"
        )


@dataclass(frozen=True, slots=True, repr=False)
class Identification(Result):
    """Which parameters of a model the observed distribution determines.

    Attributes
    ----------
    report, dimension
        The report of the model, and its dimension.
    sentence
        The answer in one sentence.
    verdicts
        Of each parameter whether it is identifiable, and with what status.
    identifiable, lost, undecided
        The parameters by verdict.
    groups
        Parameters that only move together, with directions and sets to fix.
    fixing
        A smallest set of parameters that leaves nothing to move once they are fixed.
    basis
        Independent functions of the parameters that are determined, as many as there are dimensions (fewer where these were
        not written out).
    lists
        How far each list is known as one statement.
    freedom, df
        The degrees of freedom with their trust, and the number.
    units
        How many directions are choices of scale and origin of latent variables; `None` where there are none.
    fibre
        How many parameters have the same distribution, where finitely many have.
    further_remarks
        What further criteria say, in sentences.
    at
        `None`, or what holds at given parameters.
    untried
        Searches that were left out or not finished, for lack of time or memory.
    to_dict, to_pandas, to_polars, document, lines
        The result for JSON, as data frames, as a document of tables and figures, and as the lines that `print` shows.

    Examples
    --------
    >>> from algdim.identifiability.identifying import identify
    >>> found = identify("3:2,2,2,2")
    >>> len(found.lost), found.df, found.fixing
    (14, 2, ('P(H=0)',))
    """

    _inner: ClassVar[frozenset[str]] = frozenset({"loss", "remarks", "remedy"})

    report: Report
    verdicts: tuple[Verdict, ...]
    groups: tuple[Group, ...]
    basis: tuple[Determined, ...]
    lists: Lists
    freedom: Freedom | None = None
    units: Units | None = None
    fibre: FibreDegree | None = None
    remarks: tuple[Remark, ...] = ()
    at: VerdictsAtPoint | None = None
    untried: tuple[Untried, ...] = ()
    """Searches that were not made to their end, because of the time or the memory allowed."""

    @property
    def df(self) -> int | None:
        """The degrees of freedom: those of ``freedom``."""
        return None if self.freedom is None else self.freedom.right

    @property
    def dimension(self) -> int:
        """The dimension of the model: that of ``report``."""
        return self.report.dimension

    @property
    def further_remarks(self) -> tuple[str, ...]:
        """What further criteria say, in sentences."""
        return tuple(remark.text for remark in self.remarks)

    @property
    def identifiable(self) -> tuple[str, ...]:
        """The parameters that are identifiable."""
        return tuple(verdict.parameter for verdict in self.verdicts if verdict.identifiable)

    @property
    def lost(self) -> tuple[str, ...]:
        """The parameters that are not identifiable."""
        return tuple(verdict.parameter for verdict in self.verdicts if verdict.identifiable is False)

    @property
    def undecided(self) -> tuple[str, ...]:
        """The parameters of which it is not decided."""
        return tuple(verdict.parameter for verdict in self.verdicts if verdict.identifiable is None)

    @property
    def fixing(self) -> tuple[str, ...]:
        """A smallest set of parameters that leaves nothing to move once they are fixed."""
        return tuple(name for group in self.groups for name in group.fixings[0])

    @property
    def sentence(self) -> str:
        """One plain sentence."""
        count = len(self.verdicts)
        if self.undecided and not self.lost:
            return f"It is not decided which of {format_count(count, 'parameter')} are identified."
        if not self.groups:
            return (
                f"Every parameter is locally identified ({self.lists.identifiable}): almost every observed distribution of the "
                f"model leaves only finitely many possibilities for the {format_count(count, 'parameter')}."
                if count
                else "There are no parameters."
            )
        return f"{self.loss} {self.remedy}".rstrip()

    @property
    def loss(self) -> str:
        """Which parameters are not identified."""
        count, trust = len(self.verdicts), self.lists.not_identifiable
        if len(self.lost) == count:
            if count == 1:
                return f"The only parameter is not identified ({trust})."
            return f"None of the {format_count(count, 'parameter')} is identified ({trust})."
        of = f"{len(self.lost)} of {format_count(count, 'parameter')} {'is' if len(self.lost) == 1 else 'are'} not identified"
        return f"{of} ({trust}): {join_names(self.lost, most=NAMES_SHOWN)}."

    @property
    def remedy(self) -> str:
        """What to fix."""
        count, example = len(self.verdicts), list(self.fixing)
        if len(example) == count:
            return ""
        names = join_names(example, most=NAMES_SHOWN, separator=" and " if len(example) < FEW else ", ")
        (group, *more) = self.groups
        if not more and len(example) == 1 and len(group.parameters) > 1 and group.all_listed:
            if len(group.fixings) == len(group.parameters):
                names = f"any one of them, e.g. {names}"
        elif len(example) > NAMES_SHOWN:
            names = f"{len(example)} of them, e.g. {names}"
        return f"Fixing {names}, at almost any value{'' if len(example) == 1 else 's'}, makes the others locally identified."

    def _summarise(self) -> str:
        return f"{cut_text(to_text(self.report.model), 60)}: {self.sentence}"

    def _show(self) -> Iterator[Block]:
        group_of = {name: number for number, group in enumerate(self.groups, 1) for name in group.parameters}
        words = {True: "identifiable", False: "not identifiable", None: "not decided"}
        rows = [
            (
                verdict.parameter,
                words[None] if verdict.identifiable is None else f"{words[verdict.identifiable]} ({verdict.trust})",
                str(group_of.get(verdict.parameter, "")),
            )
            for verdict in self.verdicts
        ]
        yield Paragraph(f"{cut_cell(to_text(self.report.model))}. {self.sentence}")
        if rows:
            yield TableBlock(("parameter", "", "group"), cut_rows(rows))
        further = {"units": self.units, "solutions": self.fibre, "degrees of freedom": self.freedom}
        beside = [(name, str(value)) for name, value in further.items() if value is not None]
        if beside:
            yield TableBlock((), tuple(beside))
        if self.groups:
            heads = ("group", "moves in", "parameters", "fix, for instance")
            yield TableBlock(heads, cut_rows([row_of_group(*one) for one in enumerate(self.groups, 1)]))
        yield from (Paragraph(text) for text in self.further_remarks)
        if self.at is not None:
            yield TableBlock(
                (), tuple((line.strip("├─└│ "),) for line in self.at.lines()), caption="at the point given"
            )

    def _tabulate(self) -> Frame:
        group_of = {name: number for number, group in enumerate(self.groups, 1) for name in group.parameters}
        return Frame(
            ("parameter", "identifiable", "status", "error", "group"),
            tuple(
                (one.parameter, one.identifiable, one.trust.status, one.error, group_of.get(one.parameter))
                for one in self.verdicts
            ),
        )

    def lines(self) -> Iterator[str]:
        """The findings, line by line."""
        report = self.report
        yield (
            f"{cut_text(to_text(report.model))}   dimension {report.dimension} ({report.trust})   "
            f"parameters {format_integer(report.standard)}   redundant {report.redundant}"
        )
        yield self.sentence
        if self.groups or self.undecided:
            if self.identifiable:
                yield f"identified ({self.lists.identifiable}): {join_names(self.identifiable, most=NAMES_SHOWN)}"
            if self.undecided:
                yield f"not decided: {join_names(self.undecided, most=NAMES_SHOWN)}"
        for group in self.groups:
            yield from group_lines(group)
        if self.groups and self.basis:
            texts = [one.text for one in self.basis if one.kind != "parameter"]
            kept = [f"the {format_count(len(self.identifiable), 'identified parameter')}"] if self.identifiable else []
            missing = report.dimension - len(self.basis)
            more = [f"{missing} more, not written out"] if missing else []
            trust = self.lists.basis
            drawn = "" if trust is None or trust.is_proved else f"; {trust}"
            yield f"determined ({report.dimension}{drawn}): {'; '.join([*kept, *([join_names(texts, most=NAMES_SHOWN)] if texts else []), *more])}"
        if self.units is not None:
            yield f"scale of latent variables: {self.units}"
        if self.fibre is not None:
            yield f"generic degree: {self.fibre}"
        if self.freedom is not None:
            yield f"degrees of freedom: {self.freedom}"
        yield from self.further_remarks
        if self.at is not None:
            yield from self.at.lines()
        if self.untried:
            yield describe_untried(self.untried)

    def to_dict(self) -> dict[str, Any]:
        """The JSON output."""
        report = self.report
        return {
            "schema": "algdim-identify-1",
            "version": VERSION,
            "model": to_text(report.model),
            **convert_members(report, "family=model.family standard dimension exact redundant"),
            **convert_members(self, "sentence parameters=verdicts groups basis fixing lists"),
            **convert_members(self, "degrees_of_freedom=freedom units fibre"),
            "beside": list(self.further_remarks),
            **convert_members(self, "remarks at not_tried=untried seed=report.seed"),
        }


def row_of_group(number: int, group: Group) -> tuple[str, ...]:
    """A group as a row of a table."""
    shown = (join_names(names, most=NAMES_SHOWN) for names in (group.parameters, group.fixings[0]))
    return (str(number), f"{format_count(group.freedom, 'direction')} ({group.trust})", *shown)


def group_lines(group: Group) -> Iterator[str]:
    """A group for people; a group that is not proved says so."""
    drawn = group.trust.caveat
    if len(group.parameters) == 1:
        yield f"├─ {group.parameters[0]} can change alone{drawn}: nothing observed depends on it"
        return
    yield f"├─ can change together, in {format_count(group.freedom, 'direction')}{drawn}: {join_names(group.parameters, most=NAMES_SHOWN)}"
    if group.freedom < FEW:
        for direction in group.directions:
            yield f"│    {'' if direction.at is None else 'at a point: '}{direction}"
    sets = group.fixings[: SETS_SHOWN if group.freedom < FEW else 1]
    of = "one of" if group.all_listed and len(group.fixings) > 1 else "for instance"
    texts = [join_names(names, most=NAMES_SHOWN, separator=" and " if group.freedom < FEW else ", ") for names in sets]
    rest = f"; … ({len(group.fixings)} in all)" if len(group.fixings) > len(sets) and group.all_listed else ""
    yield f"│    fix {group.freedom}, {of}: {'; '.join(texts)}{rest}"
