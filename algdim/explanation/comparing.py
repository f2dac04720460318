"""`algdim compare`: whether one model is nested in another, proved by a map of parameters or refuted by an equation.

A model is *nested* in another if a map of parameters takes every point to one with the same observed distribution. It is
not nested if its dimension is greater, or if an equation of the other fails at an exact point. Where neither is found it
is said that nothing is decided (lemmas "embedding" and "refutation" in proofs/lemmas.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from algdim.about import VERSION
from algdim.analysis import Prepared
from algdim.arguments import check_arguments
from algdim.display.blocks import Block, Branch, Paragraph, TableBlock, TreeBlock
from algdim.display.results import Frame, Result, convert_members, cut_cell, make_frame
from algdim.exact.draws import draw_seed
from algdim.explanation.evidence import Embedding
from algdim.explanation.likelihoodratio import Ratio, Singular, describe_ratio_test
from algdim.explanation.nesting import (
    BACKWARD,
    FORWARD,
    NESTED,
    NOT_NESTED,
    UNDECIDED,
    NestingVerdict,
    decide_nesting,
    derive_opposite_verdict,
    map_to_compare,
    match_coordinates,
    weaken_verdict,
)
from algdim.figures import cut_text, format_integer
from algdim.limits import Untried, describe_untried, sharpen
from algdim.memory import allow, choose_memory_limit
from algdim.models.anymodel import AnyModel
from algdim.models.notation import to_text
from algdim.report import Report, dimension
from algdim.trust import Trust, trust_in_all

if TYPE_CHECKING:
    from algdim.readers.anything import ModelLike

EQUAL = "equal"


@dataclass(frozen=True, slots=True, repr=False)
class Comparison(Result):
    """Two models: the reports, whether each is nested in the other, and the likelihood-ratio test if one is.

    Attributes
    ----------
    first, second
        The reports.
    relation, trust
        How the models are related, and with what status: `None` where nothing is decided.
    forward, backward
        Whether the first is nested in the second, and the second in the first.
    smaller_and_larger
        The reports of the smaller and the larger model; `None` where neither is known to be nested.
    freedom, counted_freedom
        The difference of the dimensions, and of the numbers of parameters.
    ratio, singular
        What holds of the likelihood-ratio test; the rank at the smaller model, where it is less than the larger one's.
    untried
        Searches that were left out or not finished, for lack of time or memory.
    to_dict, to_pandas, to_polars, document, lines
        The result for JSON, as data frames, as a document of tables and figures, and as the lines that `print` shows.

    Examples
    --------
    >>> found = compare("2:2,2,2,2", "3:2,2,2,2")
    >>> found.freedom, found.counted_freedom
    (4, 5)
    """

    first: Report
    second: Report
    forward: NestingVerdict
    backward: NestingVerdict
    ratio: Ratio | None = None
    untried: tuple[Untried, ...] = ()
    """Searches that were not made to their end, because of the time or the memory allowed."""

    @property
    def relation(self) -> str:
        """How the models are related, in words."""
        words = (self.forward.word, self.backward.word)
        if words == (NESTED, NESTED):
            return EQUAL
        if NESTED in words:
            smaller, larger = ("first", "second") if words[0] == NESTED else ("second", "first")
            return f"the {smaller} is nested in the {larger}"
        return "neither is nested in the other" if words == (NOT_NESTED, NOT_NESTED) else UNDECIDED

    @property
    def trust(self) -> Trust | None:
        """How far the relation is known; ``None`` where nothing is decided."""
        if self.relation == UNDECIDED:
            return None
        both = [verdict for verdict in (self.forward, self.backward) if verdict.trust is not None]
        if self.smaller_and_larger is not None and self.relation != EQUAL:
            # that the smaller is nested; whether the larger is too, the other verdict says
            both = [verdict for verdict in both if verdict.word == NESTED]
        names = {id(self.forward): "first in second", id(self.backward): "second in first"}
        return trust_in_all(
            verdict.trust.about(names[id(verdict)]) if len(both) > 1 else verdict.trust
            for verdict in both
            if verdict.trust is not None
        )

    @property
    def smaller_and_larger(self) -> tuple[Report, Report] | None:
        """The reports of the smaller and the larger model, if one is nested in the other."""
        if self.forward.word == NESTED:
            return self.first, self.second
        return (self.second, self.first) if self.backward.word == NESTED else None

    @property
    def freedom(self) -> int | None:
        """The difference of the dimensions."""
        return (
            None
            if self.smaller_and_larger is None
            else self.smaller_and_larger[1].dimension - self.smaller_and_larger[0].dimension
        )

    @property
    def counted_freedom(self) -> int | None:
        """The difference of the numbers of parameters, which other programs use."""
        return (
            None
            if self.smaller_and_larger is None
            else self.smaller_and_larger[1].standard - self.smaller_and_larger[0].standard
        )

    @property
    def singular(self) -> Singular | None:
        """The rank at the smaller model, where it is less than the larger one's dimension."""
        return None if self.ratio is None else self.ratio.singular

    def _answer(self) -> str:
        """The relation, and its status."""
        return self.relation if self.trust is None else f"{self.relation} ({self.trust})"

    def _summarise(self) -> str:
        df = "" if self.freedom is None else f", df {self.freedom} (by counting {self.counted_freedom})"
        models = " and ".join(cut_text(to_text(one.model), 60) for one in (self.first, self.second))
        return f"{models}: {self._answer()}{df}"

    def _show(self) -> Iterator[Block]:
        rows = tuple(
            (
                name,
                cut_cell(to_text(report.model)),
                f"{report.dimension} ({report.trust})",
                format_integer(report.standard),
            )
            for name, report in (("first", self.first), ("second", self.second))
        )
        yield Paragraph(self._answer())
        yield TableBlock(("", "model", "dimension", "parameters"), rows)
        verdicts = (("first in second", self.forward), ("second in first", self.backward))
        yield TableBlock((), tuple((name, str(verdict)) for name, verdict in verdicts))
        if self.ratio is not None:
            lines = tuple(Branch(line.strip()) for line in self.ratio.lines())
            yield TreeBlock(Branch("The likelihood-ratio test", lines), is_open=True)

    def _tabulate(self) -> Frame:
        return make_frame(
            [
                {
                    "first": to_text(self.first.model),
                    "second": to_text(self.second.model),
                    "relation": self.relation,
                    "status": None if self.trust is None else self.trust.status,
                    "first_dimension": self.first.dimension,
                    "second_dimension": self.second.dimension,
                    "df": self.freedom,
                    "df_by_counting": self.counted_freedom,
                }
            ]
        )

    def lines(self) -> Iterator[str]:
        """The comparison, line by line."""
        for name, report in (("first", self.first), ("second", self.second)):
            text = cut_text(to_text(report.model))
            yield f"{name}: {text}   dimension {report.dimension} ({report.trust})   parameters {format_integer(report.standard)}"
        yield self._answer()
        directions = (("├─", "│ ", "first in second", self.forward), ("└─", "  ", "second in first", self.backward))
        for branch, beside, name, verdict in directions:
            yield f"{branch} {name}: {verdict}"
            yield from (f"{beside}   {line}" for line in (*verdict.lines, *verdict.told, verdict.checked) if line)
        if self.ratio is not None:
            yield from self.ratio.lines()
        if self.untried:
            yield describe_untried(self.untried)

    def to_dict(self) -> dict[str, Any]:
        """The JSON output."""
        return {
            "schema": "algdim-compare-1",
            "version": VERSION,
            "models": [
                {
                    "model": to_text(report.model),
                    **convert_members(report, "standard dimension exact trust"),
                }
                for report in (self.first, self.second)
            ],
            **convert_members(self, "relation relation_known=trust first_in_second=forward second_in_first=backward"),
            **convert_members(self, "df=freedom df_by_counting=counted_freedom singular likelihood_ratio=ratio"),
            **convert_members(self, "not_tried=untried seed=first.seed"),
        }


class Form:
    """A model made ready to be the smaller or the larger of two, and why that is allowed."""

    def __init__(self, prepared: Prepared, *, as_larger: bool) -> None:
        self.map, allowed = map_to_compare(prepared, as_larger=as_larger)
        self.allowed = [] if allowed is None else [allowed]


def compare_models(
    first: Prepared,
    second: Prepared,
    small: Report,
    large: Report,
    seed: int | str,
    names: tuple[str, str] = FORWARD,
) -> tuple[NestingVerdict, Embedding | None]:
    """Whether the first model is nested in the second: as it is, or else without what may be left out of the smaller one."""
    outer, inner = Form(second, as_larger=True), Form(first, as_larger=True)
    verdict, found = decide_nesting(inner.map, outer.map, small, large, seed, names)
    further = Form(first, as_larger=False)
    if verdict.word == UNDECIDED and further.map.model != inner.map.model:
        inner = further
        verdict, found = decide_nesting(inner.map, outer.map, small, large, seed, names)
    return weaken_verdict(verdict, [*inner.allowed, *outer.allowed]), found


@check_arguments
def compare(
    first: ModelLike,
    second: ModelLike,
    *,
    format: str | None = None,  # noqa: A002
    hidden: Iterable[str] = (),
    seed: int | str = 0,
    max_memory: int | str | None = None,
    max_seconds: float | None = None,
) -> Comparison:
    """Whether one of two models of the same observed variables is nested in the other, and the df of the test.

    Parameters
    ----------
    first, second : text, path, dictionary, graph or model
        Whatever `algdim.model` reads.
    format : str, optional
        How both files or texts are written; without it the suffixes of paths tell.
    hidden : names
        Variables that are not observed in either model.
    seed : int or str
        The seed of all draws; "random" takes one from the system.
    max_memory : int or str, optional
        Bytes that may be used, as a number or as "4G"; half of the machine's memory without it.
    max_seconds : float, optional
        Seconds for searches that only sharpen a proof, together; 120 without it. No rank is ended by it.

    Returns
    -------
    Comparison
        The relation and its status, and what holds of the likelihood-ratio test.

    Examples
    --------
    >>> found = compare("states A=2, B=2", "A -> B")
    >>> found.relation, found.freedom
    ('the first is nested in the second', 1)
    """
    from algdim.readers.anything import read_model

    with allow(max_seconds, max_memory) as allowance:
        known = len(allowance.untried)
        one, other = (read_model(given, format=format, hidden=hidden) for given in (first, second))
        found = compare_read_models(one, other, draw_seed(seed), choose_memory_limit(max_memory))
        return replace(found, untried=allowance.since(known))


def compare_read_models(one: AnyModel, other: AnyModel, seed: int | str, memory: int) -> Comparison:
    """The same of models that were read."""
    brought = match_coordinates(one, other)
    reports = (dimension(one, seed=seed, max_memory=memory), dimension(other, seed=seed, max_memory=memory))
    one_ready, other_ready = (
        report.preparation if model == report.model else Prepared(model)
        for model, report in zip(brought, reports, strict=True)
    )
    forward, map_forward = compare_models(one_ready, other_ready, *reports, seed)
    backward, map_backward = compare_models(other_ready, one_ready, *reports[::-1], seed, BACKWARD)
    if reports[0].exact and reports[1].exact and reports[0].dimension == reports[1].dimension:
        named = zip(("the first model", "the second model"), reports, strict=True)
        trust = trust_in_all([report.trust.about(name) for name, report in named])
        forward, backward = (
            derive_opposite_verdict(forward, backward, trust),
            derive_opposite_verdict(backward, forward, trust, BACKWARD),
        )
    ratio = None
    if forward.word == NESTED and backward.word != NESTED:
        ratio = sharpen("the likelihood ratio", partial(describe_ratio_test, map_forward, *reports, seed, memory))
    elif backward.word == NESTED and forward.word != NESTED:
        ratio = sharpen(
            "the likelihood ratio", partial(describe_ratio_test, map_backward, *reports[::-1], seed, memory)
        )
    return Comparison(reports[0], reports[1], forward, backward, ratio)
