"""The report of an analysis, both bounds of the dimension with their reasons; `dimension` is the entry point."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from time import perf_counter
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from algdim.about import REPORT_SCHEMA, VERSION
from algdim.analysis import Analysis, PartFound, Prepared, analyse, name_district
from algdim.arguments import check_arguments
from algdim.bound.bounds import Bound
from algdim.bound.counting import compute_saturated_dimension
from algdim.bound.strategy import ENTRIES, Effort, check_method, choose_bounds
from algdim.display.models import draw_model, plot_report
from algdim.display.results import Compact, Frame, Plain, Result, convert_members, cut_cell, shorten
from algdim.errors import InputError, LimitError, join_names
from algdim.exact.arithmetic import SingularError
from algdim.exact.draws import draw_seed
from algdim.exact.ranks import rank_rational
from algdim.exact.threads import count_threads
from algdim.families import load_family, load_identifying
from algdim.figures import cut_text, format_integer
from algdim.limits import Allowance, Untried, describe_untried
from algdim.maps import Map, map_of
from algdim.memory import ALLOW_MORE, allow, choose_memory_limit
from algdim.models.anymodel import AnyModel, prove_removal
from algdim.models.notation import to_text
from algdim.rank import Draw, compute_rational_jacobian, measure_weakest_value, warn_nearly_smaller
from algdim.trust import Remark, Trust, bounds_only, proved_by, round_up, trust_in_all

if TYPE_CHECKING:
    from algdim.display.blocks import Block
    from algdim.display.html import Drawing
    from algdim.readers.anything import ModelLike


@dataclass(frozen=True, slots=True, repr=False)
class Reason(Plain):
    """One node of the derivation: a sentence and what it rests on."""

    text: str
    because: tuple[Reason, ...] = ()

    def __repr__(self) -> str:
        below = f", {len(self.because)} below" if self.because else ""
        return f"Reason({shorten(self.text)!r}{below})"

    def lines(self) -> list[str]:
        """The tree, drawn."""
        from algdim.display.blocks import draw_tree

        return list(draw_tree(self))


WIDEST_HEADING = 74
"""Where model and kind take more, the kind stands below."""

Row: TypeAlias = tuple[str, str, str]
"""A number of the answer: what it is, the number, what is to be said of it."""


def format_rows(rows: Sequence[Row]) -> list[str]:
    r"""The rows in aligned columns.

    >>> print(*format_rows([("dimension", "13", "proved"), ("saturated", "2^60", "")]), sep="\n")
      dimension    13   proved
      saturated  2^60
    """
    names, numbers = (max(len(row[place]) for row in rows) for place in (0, 1))
    return [f"  {name:<{names}}  {number:>{numbers}}   {more}".rstrip() for name, number, more in rows]


@dataclass(frozen=True, slots=True, repr=False)
class RankAt(Compact, Plain):
    """The rank at given parameters; the point is regular if it is the generic rank, ``None`` where that is not known.

    ``trust`` is in the rank and, where it is not ``None``, in what is said of the point.
    """

    _json: ClassVar[str] = "rank regular source weakest fit_boundary? trust"

    rank: int
    regular: bool | None
    source: str
    trust: Trust
    weakest: float | None = None
    """The last singular value of the Jacobian there that the rank leaves, over the first, in floating point."""
    fit_boundary: str = ""
    """What the fit that was given says of the boundary."""

    @property
    def error(self) -> float | None:
        """The chance that the rank is greater, ``None`` if it is proved."""
        return self.trust.error


@dataclass(frozen=True, slots=True, repr=False)
class Moments(Compact):
    """What is known of the moments up to an order by themselves: their dimension may be smaller than that of the distributions."""

    order: int
    complete: int
    lower: Bound
    upper: Bound

    def __str__(self) -> str:
        return (
            f"of these moments alone: dimension {self.lower.value} ({derive_dimension_trust(self.lower, self.upper)}) of {format_integer(self.complete)}, "
            f"at most {self.upper.value}: {self.upper.reason}"
        )

    def to_dict(self) -> dict[str, Any]:
        """The form of the JSON report."""
        return {
            "order": self.order,
            "complete": self.complete,
            "dimension": self.lower.value,
            "exact": is_dimension_proved(self.lower, self.upper),
            **derive_dimension_trust(self.lower, self.upper).to_dict(),
            "upper": {**self.upper.to_dict(), "error": self.upper.error},
        }


def is_dimension_proved(lower: Bound, upper: Bound) -> bool:
    """Whether both bounds are proved and equal, so that the dimension is a theorem."""
    return lower.is_proved and upper.is_proved and lower.value == upper.value


def derive_dimension_trust(lower: Bound, upper: Bound) -> Trust:
    """How far a dimension with these bounds is known."""
    if lower.value != upper.value and lower.is_proved:
        return bounds_only(lower.value, upper.value, upper.trust)
    return trust_in_all([lower.trust, upper.trust])


COLUMNS = tuple(
    "model family dimension upper status error standard complete df df_by_counting redundant defect".split()
)
"""Of a report as a row."""


@dataclass(frozen=True, slots=True, repr=False)
class Report(Result):
    """The dimension of a model: counts, a lower and an upper bound, and the reasons.

    Attributes
    ----------
    model
        The model that was read.
    dimension, exact, proved, trust
        The value of the lower bound; whether both bounds are proved and equal (twice); the same in words.
    lower, upper
        The bounds, with `value`, `status`, `error`, `kind`, `reason`, `evidence`.
    standard, complete
        The number of parameters, and the dimension of the saturated model: `None` where that is not finite.
    df, df_by_counting
        The degrees of freedom against the saturated model, and what counting parameters gives.
    expected, redundant, defect
        The smaller of both counts; how many parameters are too many; expected less dimension.
    pairwise_bound, best_bound
        KZ02's dp, `None` of what is no latent class model, and db.
    parts, removed
        The reports of districts; hidden variables that have no effect.
    note, note_trust
        A remark on the model, and its status.
    moments
        `None`, or of a latent-profile model what is known of the moments by themselves.
    at
        `None`, or the rank at given parameters.
    derivation
        The tree of reasons, which `str` prints.
    method, draws, seed, seconds
        How it was found.
    untried
        Searches that were left out or not finished, for lack of time or memory.
    plot
        The picture "derivation", "network" or "states" as SVG, as `algdim explain --svg` draws it.
    to_dict, to_pandas, to_polars, document, lines
        The result for JSON, as data frames, as a document of tables and figures, and as the lines that `print` shows.

    Examples
    --------
    >>> report = dimension("3:2,2,2,2")
    >>> report.dimension, report.proved, report.df, report.df_by_counting
    (13, True, 2, 1)
    >>> report
    Report(3:2,2,2,2: dimension 13 (proved); parameters 14, saturated 15, df 2)
    """

    model: AnyModel
    standard: int
    complete: int | None
    lower: Bound
    upper: Bound
    pairwise_bound: int | None
    method: str
    draws: tuple[Draw, ...]
    seed: int | str
    seconds: float = field(compare=False)
    removed: tuple[str, ...] = ()
    parts: tuple[Report, ...] = ()
    note: str = ""
    at: RankAt | None = None
    note_trust: Trust | None = None
    """Trust in what the note says of the model, where it says something."""
    moments: Moments | None = None
    in_complete: Trust | None = None
    """Trust in ``complete``, where it was asked for."""
    untried: tuple[Untried, ...] = ()
    """Searches that were not made to their end, because of the time or the memory allowed."""
    analysis: Analysis | None = field(default=None, repr=False, compare=False)
    """What the report was made of, for further questions; ``None`` in the report of a part."""

    _inner: ClassVar[frozenset[str]] = frozenset(
        {
            "after",
            "analysis",
            "because",
            "before",
            "defective",
            "derive",
            "heading",
            "in_complete",
            "preparation",
            "reason_lines",
            "rows",
            "subject",
            "text",
            "work_lines",
        }
    )

    def __post_init__(self) -> None:
        if self.lower.is_proved and self.upper.is_proved and self.lower.value > self.upper.value:
            raise RuntimeError(
                f"at least {self.lower.value} ({self.lower.reason}) and at most {self.upper.value} ({self.upper.reason}) "
                "cannot both be true: a bug in algdim, please report the model"
            )
        drawn = self.in_complete is not None and not self.in_complete.is_proved
        if self.complete is not None and self.complete < self.lower.value and drawn and self.lower.is_proved:
            raise LimitError(
                f"at the points drawn the coordinates seem to have an affine hull of dimension {self.complete}, and the dimension "
                f"is at least {self.lower.value}: the draws happened to miss the hull; take another --seed"
            )

    def plot(self, what: str = "derivation") -> Drawing:
        """A picture as SVG, which a notebook shows and `save` writes: "derivation", "network" or "states"."""
        return plot_report(self, what)

    @property
    def preparation(self) -> Prepared:
        """The model made ready, for further questions."""
        return Prepared(self.model) if self.analysis is None else self.analysis.prepared

    @property
    def dimension(self) -> int:
        """The lower bound's value; read ``exact`` for trust."""
        return self.lower.value

    @property
    def exact(self) -> bool:
        """Whether both bounds are proved and equal, so that the dimension is a theorem."""
        return is_dimension_proved(self.lower, self.upper)

    @property
    def proved(self) -> bool:
        """The same as ``exact``."""
        return self.exact

    @property
    def df(self) -> int | None:
        """The degrees of freedom against the saturated model, structural zeros left out (lemma "degrees of freedom").

        ``None`` where the saturated model has no finite dimension, or there are too many cells to find the zeros. As far
        as the dimension is known, so far is this number.
        """
        if self.complete is None:
            return None
        own = load_identifying(self.model.family).count_freedom
        if own is None:
            return self.complete - self.dimension
        found: int | None = own(self.preparation.whole_map, self, None).right
        return found

    @property
    def df_by_counting(self) -> int | None:
        """What other programs print: saturated less parameters."""
        return None if self.complete is None else self.complete - self.standard

    @property
    def redundant(self) -> int:
        """How many parameters are too many: standard − effective."""
        return self.standard - self.dimension

    @property
    def defect(self) -> int:
        """Expected minus actual dimension: min(standard, complete) − effective."""
        return self.expected - self.dimension

    @property
    def expected(self) -> int:
        """The smaller of standard and complete."""
        return self.standard if self.complete is None else min(self.standard, self.complete)

    @property
    def best_bound(self) -> int:
        """KZ02 Theorem 4's db: the least of standard, complete and pairwise bound."""
        return self.expected if self.pairwise_bound is None else min(self.expected, self.pairwise_bound)

    @property
    def trust(self) -> Trust:
        """How far the dimension is known."""
        return derive_dimension_trust(self.lower, self.upper)

    @property
    def derivation(self) -> Reason:
        """The tree of reasons."""
        return self.derive(to_text(self.model))

    def derive(self, name: str) -> Reason:
        """The same, of the model as it is printed."""
        head = (
            f"{cut_text(name)}   dimension {self.dimension} ({self.trust})   parameters {format_integer(self.standard)}   "
            f"saturated {format_integer(self.complete)}{self.defective}"
        )
        return Reason(head, (*self.before(), *self.because(), *self.after()))

    @property
    def defective(self) -> str:
        """The remark where the dimension is not the expected one, the smaller of parameters and saturated."""
        return f"   expected {format_integer(self.expected)}: defective" if self.defect > 0 else ""

    def before(self) -> tuple[Reason, ...]:
        """What was done to the model first."""
        removed = f"removed first: {', '.join(self.removed)} (hidden, {load_family(self.model.family).why_irrelevant})"
        return tuple(Reason(text) for text in (removed if self.removed else "", self.note) if text)

    def because(self) -> tuple[Reason, ...]:
        """The reasons of both bounds; districts whose parameters are their entries share one line."""
        below = [
            Reason(f"district {part.subject}: {part.dimension} ({part.trust})", (*part.before(), *part.because()))
            for part in self.parts
            if part.method != ENTRIES
        ]
        plain = [part for part in self.parts if part.method == ENTRIES]
        if plain:
            names = join_names(part.subject for part in plain)
            total = sum(part.dimension for part in plain)
            entries = load_family(self.model.family).describe_entries
            below.append(
                Reason(
                    f"observed tables {names}: {total}{'' if entries is None else f', {entries([part.model for part in plain])}'}"
                )
            )
        lower = Reason(f"at least {self.lower.value}: {self.lower.reason}", tuple(below))
        upper = Reason(f"at most {self.upper.value}: {self.upper.reason}{self.upper.trust.caveat}")
        narrower = self.moments is not None and self.moments.upper.value < self.upper.value
        return (lower, upper, Reason(str(self.moments))) if narrower else (lower, upper)

    def after(self) -> tuple[Reason, ...]:
        """The rank at given parameters."""
        if self.at is None:
            return ()
        words = {
            True: "the generic rank: the point is regular",
            False: f"not the generic rank {self.dimension}: the point is not regular",
            None: "whether this is the generic rank is not known"
            + ("; higher moments may show more" if self.moments else ""),
        }
        rank = f"rank {self.at.rank}{describe_rank_error(self.at.error)}"
        beside = (self.at.fit_boundary, warn_nearly_smaller(self.at.weakest, self.at.rank))
        texts = tuple(Reason(text) for text in beside if text)
        return (Reason(f"at the parameters of {self.at.source}: {rank}, {words[self.at.regular]}", texts),)

    @property
    def subject(self) -> str:
        """The variables of a district: its members given its parents outside."""
        return name_district(self.model)

    def lines(self) -> list[str]:
        return self.text().split("\n")

    @property
    def heading(self) -> str:
        """The model and what was understood."""
        text, kind = cut_text(to_text(self.model)), load_family(self.model.family).describe(self.model)
        if not kind or text == kind:
            return text
        return f"{text}   {kind}" if len(text) + len(kind) < WIDEST_HEADING else f"{text}\n  {kind}"

    @property
    def rows(self) -> tuple[Row, ...]:
        """The numbers of the answer."""
        open_above = "" if self.upper.value == self.dimension else "≥ "
        about = "" if self.trust.is_proved else "at most " if self.lower.is_proved else "about "
        redundant = f"{about}{format_integer(self.redundant)} redundant" if self.redundant else ""
        expected = ("expected", format_integer(self.expected), f"defective by {about}{format_integer(self.defect)}")
        return (
            ("dimension", f"{open_above}{self.dimension}", str(self.trust)),
            *((expected,) if self.defect > 0 else ()),
            ("parameters", format_integer(self.standard), redundant),
            ("saturated", format_integer(self.complete), ""),
        )

    def text(self, *further: str, rows: Sequence[Row] = (), verbose: bool = False) -> str:
        """The answer with further rows and sentences, then the reasons; also the seed unless it is the one that everybody has."""
        blocks = [
            [self.heading, *(f"  {one.text}" for one in self.before())],
            format_rows([*self.rows, *rows]),
            [f"  {sentence}" for sentence in further],
            [f"  {line}" for line in self.reason_lines(verbose=verbose)],
            [f"  {line}" for one in self.after() for line in one.lines()],
            [f"  {describe_untried(self.untried)}"] if self.untried else [],
            [f"  {line}" for line in self.work_lines()] if verbose else [],
            [] if str(self.seed) == "0" else [f"  seed {self.seed}"],
        ]
        return "\n\n".join("\n".join(block) for block in blocks if block)

    def reason_lines(self, *, verbose: bool = False) -> Iterator[str]:
        """Both bounds with their reasons, below the lower one those of the parts; with lemmas and facts if asked for."""
        width = max(len(str(one.value)) for one in (self.lower, self.upper))
        inside = " " * (width + len("≥    "))
        lower, upper, *more = self.because()
        for sign, bound, reason in (("≥", self.lower, lower), ("≤", self.upper, upper)):
            yield f"{sign} {bound.value:>{width}}   {reason.text.partition(': ')[2]}"
            if verbose and bound.trust.lemmas:
                yield f"{inside}by {bound.trust.lemmas_in_words}: {bound.trust.facts_in_words}"
            for number, child in enumerate(reason.because):
                first, *rest = child.lines()
                last = number == len(reason.because) - 1
                yield f"{inside}{'└─ ' if last else '├─ '}{first}"
                yield from (f"{inside}{'   ' if last else '│  '}{line}" for line in rest)
        yield from (one.text for one in more)

    def work_lines(self) -> Iterator[str]:
        """What was drawn, by what, and how long it took."""
        yield f"method {self.method}, seed {self.seed}"
        for owner, draws in (("", self.draws), *((f"district {one.subject}: ", one.draws) for one in self.parts)):
            for draw in draws:
                if draw.drawn_at:
                    yield f"{owner}rank {draw.rank.value} at {draw.drawn_at}"

    def _summarise(self) -> str:
        df = "" if self.df is None else f", df {format_integer(self.df)}"
        return (
            f"{cut_text(to_text(self.model))}: dimension {self.dimension} ({self.trust}); parameters "
            f"{format_integer(self.standard)}, saturated {format_integer(self.complete)}{df}"
        )

    def _show(self) -> Iterator[Block]:
        from algdim.display.blocks import TableBlock, TreeBlock

        counted = format_integer(self.df_by_counting).replace("-", "−")
        right = "not known: too many cells to find the impossible ones" if self.df is None else format_integer(self.df)
        rows = (
            ("dimension", f"{self.dimension} ({self.trust})"),
            ("parameters", format_integer(self.standard)),
            ("saturated", format_integer(self.complete)),
            *((("df", f"{right} (by counting {counted})"),) if self.complete is not None else ()),
            *((("redundant", str(self.redundant)),) if self.redundant else ()),
        )
        yield TableBlock((), rows, caption=cut_cell(to_text(self.model)))
        picture = draw_model(self.model)
        if picture is not None:
            yield picture
        yield TreeBlock(Reason("Why", (*self.before(), *self.because(), *self.after())))

    def _tabulate(self) -> Frame:
        values = (
            to_text(self.model),
            self.model.family,
            self.dimension,
            self.upper.value,
            self.trust.status,
            self.trust.error,
            self.standard,
            self.complete,
            self.df,
            self.df_by_counting,
            self.redundant,
            self.defect,
        )
        return Frame(COLUMNS, (values,))

    def _repr_latex_(self) -> str:
        """One line of mathematics for a notebook."""
        relation = "=" if self.exact else r"\overset{?}{=}"
        complete = r"\infty" if self.complete is None else self.complete
        return rf"$\dim {relation} {self.dimension} \quad (d_s = {self.standard},\ d_c = {complete})$"

    def to_dict(self) -> dict[str, Any]:
        """The JSON report."""
        upper, text = {**self.upper.to_dict(), "error": self.upper.error}, to_text(self.model)
        return {
            "schema": REPORT_SCHEMA,
            "version": VERSION,
            "model": text,
            **convert_members(self, "family=model.family standard complete dimension exact lower"),
            "upper": upper,
            **convert_members(self, "redundant defect pairwise_bound best_bound removed note note_trust"),
            **convert_members(self, "complete_trust=in_complete moments parts"),
            "derivation": self.derive(text).to_dict(),
            "method": self.method,
            "primes": [draw.prime for draw in self.draws if draw.prime is not None],
            "points": [draw.point for draw in self.draws],
            **convert_members(self, "not_tried=untried seed at"),
            "threads": count_threads(),
            "seconds": self.seconds,
        }


def describe_rank_error(error: float | None) -> str:
    """What is to be said of a rank that may be greater."""
    return "" if error is None else f" (error below {round_up(error):.0e})"


@check_arguments
def dimension(
    model: ModelLike,
    *,
    format: str | None = None,  # noqa: A002
    hidden: Iterable[str] = (),
    method: str = "auto",
    bounds: str | Sequence[str] = "auto",
    seed: int | str = 0,
    at: Any = None,
    max_memory: int | str | None = None,
    max_seconds: float | None = None,
) -> Report:
    """The effective dimension of a model, with its proof or the probability that it is wrong.

    Parameters
    ----------
    model : text, path, dictionary, graph or model
        Whatever `algdim.model` reads.
    format : str, optional
        How a file or a text is written, such as "lavaan" or "dagitty"; without it the suffix of a path tells.
    hidden : names
        Variables that are not observed, in addition to those that the model declares hidden.
    method : str
        How ranks are taken; "auto" chooses. An unknown name is an error that lists those known.
    bounds : str or list of str
        The upper bounds that may be tried, such as "counting,ambient"; "no-proof" leaves out all that search.
    seed : int or str
        The seed of all draws; "random" takes one from the system.
    at : path or dictionary, optional
        Parameters at which the rank is taken too, in the form of a parameter file.
    max_memory : int or str, optional
        Bytes that may be used, as a number or as "4G"; half of the machine's memory without it.
    max_seconds : float, optional
        Seconds for searches that only sharpen a proof, together; 120 without it. No rank is ended by it.

    Returns
    -------
    Report
        The dimension, both bounds with their reasons, and the counts.

    Examples
    --------
    >>> report = dimension("3:2,2,2,2")
    >>> report.dimension, report.standard, report.df, report.proved
    (13, 14, 2, True)
    >>> dimension("H -> A, B", hidden=["H"])
    Report(H -> A, B; hidden H: dimension 3 (proved); parameters 5, saturated 3, df 0)
    """
    from algdim.readers.anything import read_model

    began = perf_counter()
    memory, seed = choose_memory_limit(max_memory), draw_seed(seed)
    effort = Effort(check_method(method), choose_bounds(bounds), seed, memory)
    with allow(max_seconds, memory) as allowance:
        known = len(allowance.untried)
        prepared = Prepared(read_model(model, format=format, hidden=hidden))
        report = make_report(analyse(prepared, effort), allowance, known, began)
        if at is None:
            return report
        report = replace(report, at=rank_at(prepared.relevant_map, report, at, memory))
        return replace(report, untried=allowance.since(known), seconds=perf_counter() - began)


def make_report(analysis: Analysis, allowance: Allowance, known: int, began: float) -> Report:
    """The report of an analysis: the dimension, and the numbers that are compared with it; also what was not tried, and how long it took.

    Before it so many searches were ``known`` not to be tried; it ``began`` at a time.
    """
    finding, prepared = analysis.finding, analysis.prepared
    pmap, reduction = prepared.pmap, prepared.reduction
    family, seed = load_family(analysis.model.family), analysis.effort.seed
    moments = (
        None if finding.seen is None else Moments(family.get_order(pmap), pmap.complete, finding.lower, finding.seen)
    )
    complete = (family.compute_complete or compute_saturated_dimension)(pmap, seed) if moments is None else None
    simplified = reduction.simplified or Remark()
    reduced = (
        *prove_removal(analysis.model.family, reduction.removed),
        *([] if simplified.trust is None else [simplified.trust]),
    )
    allowed = (*reduced, *prove_map_counts(pmap))
    notes = (simplified.text, analysis.note.text, "" if complete is None else complete.note)
    return Report(
        model=analysis.model,
        standard=(prepared.whole_map if reduction.removed else pmap).parameter_count,
        complete=None if complete is None else complete.value,
        lower=extend_bound_trust(finding.lower, allowed),
        upper=extend_bound_trust(finding.upper, allowed),
        pairwise_bound=family.compute_pairwise(pmap),
        method=finding.method,
        draws=finding.draws,
        seed=seed,
        seconds=perf_counter() - began,
        removed=reduction.removed,
        parts=tuple(make_part_report(one, seed) for one in analysis.parts),
        note="; ".join(filter(None, notes)),
        note_trust=analysis.note.trust,
        moments=moments,
        untried=allowance.since(known),
        in_complete=None if complete is None else complete.trust,
        analysis=analysis,
    )


def prove_map_counts(pmap: Map) -> tuple[Trust, ...]:
    """Why ranks and counts of the map are those of its model."""
    found = load_family(pmap.model.family).prove_counts
    return () if found is None else found(pmap)


def extend_bound_trust(bound: Bound, allowed: Sequence[Trust]) -> Bound:
    """A bound of the model as it was made ready, as one of the model that was given."""
    return replace(bound, trust=trust_in_all([bound.trust, *allowed])) if allowed else bound


def join_dimension_trusts(small: Report, large: Report) -> Trust:
    """Trust in both dimensions."""
    return trust_in_all([small.trust.about("the smaller model"), large.trust.about("the larger model")])


def make_part_report(found: PartFound, seed: int | str) -> Report:
    """The report of one part."""
    part, finding = found.part, found.finding
    counted = part.counted
    pmap = part.pmap if counted is None else None  # is not made for a report
    allowed = () if pmap is None else prove_map_counts(pmap)
    return Report(
        model=part.model,
        standard=part.pmap.parameter_count if counted is None else counted.parameters,
        complete=part.pmap.complete if counted is None else counted.complete,
        lower=extend_bound_trust(finding.lower, allowed),
        upper=extend_bound_trust(finding.upper, allowed),
        pairwise_bound=None if pmap is None else load_family(part.model.family).compute_pairwise(pmap),
        method=finding.method,
        draws=finding.draws,
        seed=seed,
        seconds=found.seconds,
        note=part.note,
    )


def rank_at(pmap: Map, report: Report, source: Any, memory: int) -> RankAt:
    """The rank at given parameters, exact but for a chance where there are weights of sigmoid variables."""
    otherwise = load_family(report.model.family).rank_at
    found = None if otherwise is None else otherwise(pmap, report, source, memory)
    if found is not None:
        return found
    from algdim.readers.files import describe_fit_boundary

    point = read_map_point(pmap, source, report.model)
    try:
        matrix = compute_rational_jacobian(pmap, point, memory, ALLOW_MORE)
    except SingularError:
        raise InputError(
            f"the map has no value at the given parameters: {load_family(report.model.family).no_value}"
        ) from None
    name, rank = describe_parameter_source(source), rank_rational(matrix).value
    found = compare_point_rank(report, rank, name)
    return replace(found, weakest=measure_weakest_value(matrix, rank), fit_boundary=describe_fit_boundary(source))


def compare_point_rank(report: Report, rank: int, name: str) -> RankAt:
    """Whether the rank over ℚ at a point is the generic one."""
    known = proved_by("generic rank", f"rank {rank} of the Jacobian over ℚ at the parameters of {name}")
    # where these moments show less than the generic rank, higher ones may still show more
    if rank < report.lower.value and report.moments is None:
        return RankAt(rank, False, name, trust_in_all([known, report.lower.trust]))
    if report.exact and rank == report.dimension:
        return RankAt(rank, True, name, trust_in_all([known, report.trust]))
    return RankAt(rank, None, name, known)


def read_map_point(pmap: Map, source: Any, model: AnyModel) -> list[Fraction]:
    """The parameters of a map from a parameter file, which has those of removed variables too, or by their names."""
    from algdim.readers.parameters import read_named_parameters

    point = load_family(model.family).read_point
    is_named = isinstance(source, Mapping) and bool(source) and set(source) <= set(map_of(model).parameters)
    if point is not None and not is_named:
        return point(pmap, source, model)
    if pmap.model == model:
        return read_named_parameters(source, pmap.parameters)
    names = map_of(model).parameters
    values = dict(zip(names, read_named_parameters(source, names), strict=True))
    return [values[name] for name in pmap.parameters]


def describe_parameter_source(source: Any) -> str:
    """What given parameters are called."""
    return "the given tables" if isinstance(source, dict) else str(source)
