"""REPORT: the dimension of a model, with what proves it.

`dimension` is the door: it removes what cannot matter, splits into districts, examines each, and puts both bounds,
with the reasons, into a frozen `Report`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import TYPE_CHECKING, Any

from algdim.about import REPORT_SCHEMA, VERSION
from algdim.bound.bounds import Bound
from algdim.bound.districts import Part
from algdim.bound.families import FAMILIES, pairwise_value
from algdim.bound.strategy import (
    DISTRICTS,
    ENTRIES,
    KNOWN,
    Effort,
    Finding,
    chosen,
    combined,
    examine,
    known_method,
)
from algdim.bound.weights import rank_at_weights
from algdim.errors import InputError, LimitError, listed
from algdim.exact.draws import drawn_seed
from algdim.exact.inverses import SingularError
from algdim.exact.ranks import rank_rational
from algdim.exact.threads import threads
from algdim.figures import abridged, big
from algdim.maps.additive import AdditiveMap
from algdim.maps.anymap import Map, map_of
from algdim.maps.factors import ParamMap
from algdim.maps.latentprofile import MomentMap
from algdim.memory import ALLOW_MORE, allowed_memory
from algdim.models.anymodel import AnyModel
from algdim.models.embedded import Embedded
from algdim.models.network import Local, Network
from algdim.models.notation import to_text
from algdim.models.pruning import why_removed, without_irrelevant
from algdim.models.sigmoid import Sigmoid, why_free, with_free_tables
from algdim.rank import Draw, rational_jacobian
from algdim.trust import Trust, bounds_only, probable, proved_by, round_up, trust_in_all

if TYPE_CHECKING:
    from algdim.readers.anything import ModelLike


@dataclass(frozen=True, slots=True)
class Reason:
    """One node of the derivation: a sentence and what it rests on."""

    text: str
    because: tuple[Reason, ...] = ()

    def lines(self) -> list[str]:
        """The tree, drawn."""
        result = [self.text]
        for number, child in enumerate(self.because):
            last = number == len(self.because) - 1
            first, *rest = child.lines()
            result.append(("└─ " if last else "├─ ") + first)
            result.extend(("   " if last else "│  ") + line for line in rest)
        return result

    def to_dict(self) -> dict[str, Any]:
        """The tree as nested objects."""
        return {"text": self.text, "because": [child.to_dict() for child in self.because]}


@dataclass(frozen=True, slots=True)
class RankAt:
    """The rank at given parameters; the point is regular if it is the generic rank, ``None`` where that is not known.

    ``trust`` is in the rank and, where it is not ``None``, in what is said of the point.
    """

    rank: int
    regular: bool | None
    source: str
    trust: Trust

    @property
    def error(self) -> float | None:
        """The chance that the rank is greater, ``None`` if it is proved."""
        return self.trust.error

    def to_dict(self) -> dict[str, Any]:
        """The form of the JSON report."""
        return {"rank": self.rank, "regular": self.regular, "source": self.source, **self.trust.to_dict()}


@dataclass(frozen=True, slots=True)
class Moments:
    """What is known of the moments up to an order by themselves: they may have less dimensions than the distributions."""

    order: int
    complete: int
    lower: Bound
    upper: Bound

    def __str__(self) -> str:
        """One line."""
        return (
            f"of these moments alone: dimension {self.lower.value} ({trust(self.lower, self.upper)}) of {big(self.complete)}, "
            f"at most {self.upper.value}: {self.upper.reason}"
        )

    def to_dict(self) -> dict[str, Any]:
        """The form of the JSON report."""
        return {
            "order": self.order,
            "complete": self.complete,
            "dimension": self.lower.value,
            "exact": meet(self.lower, self.upper),
            **trust(self.lower, self.upper).to_dict(),
            "upper": {**self.upper.to_dict(), "error": self.upper.error},
        }


def meet(lower: Bound, upper: Bound) -> bool:
    """Whether both bounds are proved and equal, so that the dimension is a theorem."""
    return lower.is_proved and upper.is_proved and lower.value == upper.value


def trust(lower: Bound, upper: Bound) -> Trust:
    """How far a dimension with these bounds is known."""
    if lower.value != upper.value and lower.is_proved:
        return bounds_only(lower.value, upper.value, upper.trust)
    return trust_in_all([lower.trust, upper.trust])


@dataclass(frozen=True, slots=True)
class Report:
    """The dimension of a model: counts, a lower and an upper bound, and the reasons.

    ``complete`` is ``None`` where the saturated model has no finite dimension. ``moments`` are those of a latent-profile
    model; all else is said of its distributions.
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
    seconds: float
    removed: tuple[str, ...] = ()
    parts: tuple[Report, ...] = ()
    note: str = ""
    at: RankAt | None = None
    moments: Moments | None = None
    in_complete: Trust | None = None
    """Trust in ``complete``, where it was asked for."""

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
                f"is at least {self.lower.value}: the draws missed the hull by chance; take another --seed"
            )

    @property
    def dimension(self) -> int:
        """The lower bound's value; read ``exact`` for trust."""
        return self.lower.value

    @property
    def exact(self) -> bool:
        """Whether both bounds are proved and equal, so that the dimension is a theorem."""
        return meet(self.lower, self.upper)

    @property
    def redundant(self) -> int:
        """How many parameters are too many: standard − effective."""
        return self.standard - self.dimension

    @property
    def defect(self) -> int:
        """What is missing from the dimension that counting expects: min(standard, complete) − effective."""
        return self.expected - self.dimension

    @property
    def expected(self) -> int:
        """The less of standard and complete."""
        return self.standard if self.complete is None else min(self.standard, self.complete)

    @property
    def best_bound(self) -> int:
        """KZ02 Theorem 4's db: the least of standard, complete and pairwise bound."""
        return self.expected if self.pairwise_bound is None else min(self.expected, self.pairwise_bound)

    @property
    def trust(self) -> Trust:
        """How far the dimension is known."""
        return trust(self.lower, self.upper)

    @property
    def derivation(self) -> Reason:
        """The tree of reasons."""
        head = (
            f"{abridged(to_text(self.model))}   dimension {self.dimension} ({self.trust})   standard {big(self.standard)}   "
            f"complete {big(self.complete)}   defect {self.defect}"
        )
        return Reason(head, (*self.before(), *self.because(), *self.after()))

    def before(self) -> tuple[Reason, ...]:
        """What was done to the model first."""
        removed = f"removed first: {', '.join(self.removed)} (hidden, {FAMILIES[self.model.family].removed})"
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
            names = listed(part.subject for part in plain)
            total = sum(part.dimension for part in plain)
            below.append(Reason(f"observed tables {names}: {total}, each parameter is an entry{or_odds(plain)}"))
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
        rank = f"rank {self.at.rank}{error_suffix(self.at.error)}"
        return (Reason(f"at the parameters of {self.at.source}: {rank}, {words[self.at.regular]}"),)

    @property
    def subject(self) -> str:
        """The variables of a district: its members given its parents outside."""
        if not isinstance(self.model, Network):
            return ""  # no other family has districts
        given = self.model.given
        members = ",".join(variable.name for variable in self.model.variables if variable.name not in given)
        return f"{members}|{','.join(given)}" if given else members

    def __str__(self) -> str:
        """The derivation, drawn as a tree, and the seed unless it is the one that everybody has."""
        return self.text()

    def text(self, *further: str) -> str:
        """The same with further lines below the tree."""
        seed = [] if str(self.seed) == "0" else [f"seed {self.seed}"]
        return "\n".join([*self.derivation.lines(), *further, *seed])

    def _repr_html_(self) -> str:
        """The derivation for a notebook."""
        from html import escape

        return f"<pre>{escape(str(self))}</pre>"

    def _repr_latex_(self) -> str:
        """One line of mathematics for a notebook."""
        relation = "=" if self.exact else r"\overset{?}{=}"
        complete = r"\infty" if self.complete is None else self.complete
        return rf"$\dim {relation} {self.dimension} \quad (d_s = {self.standard},\ d_c = {complete})$"

    def to_dict(self) -> dict[str, Any]:
        """The JSON report."""
        upper = {**self.upper.to_dict(), "error": self.upper.error}
        return {
            "schema": REPORT_SCHEMA,
            "version": VERSION,
            "model": to_text(self.model),
            "family": self.model.family,
            "standard": self.standard,
            "complete": self.complete,
            "dimension": self.dimension,
            "exact": self.exact,
            "lower": self.lower.to_dict(),
            "upper": upper,
            "redundant": self.redundant,
            "defect": self.defect,
            "pairwise_bound": self.pairwise_bound,
            "best_bound": self.best_bound,
            "removed": list(self.removed),
            "note": self.note,
            "complete_trust": None if self.in_complete is None else self.in_complete.to_dict(),
            "moments": None if self.moments is None else self.moments.to_dict(),
            "parts": [part.to_dict() for part in self.parts],
            "derivation": self.derivation.to_dict(),
            "method": self.method,
            "primes": [draw.prime for draw in self.draws if draw.prime is not None],
            "points": [draw.point for draw in self.draws],
            "seed": self.seed,
            "at": None if self.at is None else self.at.to_dict(),
            "threads": threads(),
            "seconds": self.seconds,
        }


def or_odds(parts: Sequence[Report]) -> str:
    """What is to be added of sigmoid variables among observed tables."""
    has_sigmoid = any(
        isinstance(v.local, Sigmoid) for part in parts if isinstance(part.model, Network) for v in part.model.variables
    )
    return ", or of a sigmoid odds or a quotient of odds" if has_sigmoid else ""


def error_suffix(error: float | None) -> str:
    """What is to be said of a rank that may be greater."""
    return "" if error is None else f" (error below {round_up(error):.0e})"


def dimension(
    model: ModelLike,
    *,
    method: str = "auto",
    bounds: str | Sequence[str] = "auto",
    seed: int | str = 0,
    at: Any = None,
    max_memory: int | str | None = None,
) -> Report:
    """The effective dimension of a model, with its proof or the chance that it is wrong.

    >>> report = dimension("2:2,2")
    >>> report.dimension, report.standard, report.exact
    (3, 5, True)
    """
    from algdim.readers.anything import model as read_model

    began = perf_counter()
    memory, seed = allowed_memory(max_memory), drawn_seed(seed)
    effort = Effort(known_method(method), chosen(bounds), seed, memory)
    network = read_model(model)
    relevant, removed = without_irrelevant(network)
    smaller, full = with_free_tables(relevant) if isinstance(relevant, Network) else (relevant, ())
    pmap = map_of(smaller, network)
    family = FAMILIES[network.family]
    # the papers' own method takes the whole matrix, unless districts are asked for
    wanted = DISTRICTS in effort.bounds and not (method == "rowreduce" and effort.bounds == KNOWN)
    parts = family.split(smaller, pmap, network) if wanted else ()
    finding, reports = examined(pmap, parts, effort)
    allowed = (*why_removed(network.family, removed), *why_free(full))
    moments = moments_of(pmap, finding)
    complete = family.complete(pmap, seed) if moments is None else None
    report = Report(
        model=network,
        standard=len((map_of(network) if removed else pmap).parameters),
        complete=None if complete is None else complete.value,
        lower=allowed_by(finding.lower, allowed),
        upper=allowed_by(finding.upper, allowed),
        pairwise_bound=family.pairwise(pmap),
        method=finding.method,
        draws=finding.draws,
        seed=seed,
        seconds=perf_counter() - began,
        removed=removed,
        parts=reports,
        note="; ".join(
            filter(
                None,
                (
                    tables_text(full),
                    parts[0].note if len(parts) == 1 else family.note(pmap),
                    "" if complete is None else complete.note,
                ),
            )
        ),
        moments=moments,
        in_complete=None if complete is None else complete.trust,
    )
    if at is None:
        return report
    given = map_of(relevant, network) if full else pmap
    return replace(report, at=rank_at(given, report, at, memory), seconds=perf_counter() - began)


def allowed_by(bound: Bound, allowed: Sequence[Trust]) -> Bound:
    """A bound of the model as it was made ready, as one of the model that was given."""
    return replace(bound, trust=trust_in_all([bound.trust, *allowed])) if allowed else bound


def examined(pmap: Map, parts: Sequence[Part], effort: Effort) -> tuple[Finding, tuple[Report, ...]]:
    """What is found of a map, and the reports of its parts if there are several."""
    if len(parts) < 2:
        return examine(pmap, effort), ()
    reports = tuple(part_report(part, replace(effort, parts=len(parts))) for part in parts)
    findings = [Finding(part.lower, part.upper, part.method, part.draws) for part in reports]
    return combined(findings, pmap, effort), reports


def moments_of(pmap: Map, finding: Finding) -> Moments | None:
    """What is found of the moments of a map by themselves, where that is another question than its distributions."""
    if not isinstance(pmap, MomentMap | AdditiveMap) or finding.seen is None:
        return None
    return Moments(pmap.order, pmap.complete, finding.lower, finding.seen)


def tables_text(names: Sequence[str]) -> str:
    """What is to be said of sigmoid variables in whose place there are tables.

    >>> tables_text(["A", "B"])
    'sigmoid A, B: as good as free tables, with a weight for every row'
    """
    return f"sigmoid {listed(names)}: as good as free tables, with a weight for every row" if names else ""


def part_report(part: Part, effort: Effort) -> Report:
    """The report of one part; its draws have labels of their own."""
    began = perf_counter()
    model = part.pmap.model
    members = tuple(variable.name for variable in model.variables if variable.name not in model.given)
    finding = examine(part.pmap, effort, labels=("part", members[0]))
    return Report(
        model=model,
        standard=len(part.pmap.parameters),
        complete=part.pmap.complete,
        lower=finding.lower,
        upper=finding.upper,
        pairwise_bound=pairwise_value(part.pmap),
        method=finding.method,
        draws=finding.draws,
        seed=effort.seed,
        seconds=perf_counter() - began,
        note=part.note,
    )


def rank_at(pmap: Map, report: Report, source: Any, memory: int) -> RankAt:
    """The rank at given parameters, exact but for a chance where there are weights of sigmoid variables."""
    if isinstance(report.model, Network) and isinstance(pmap, ParamMap) and has_local(report.model, Sigmoid):
        if has_local(report.model, Embedded):
            raise InputError(
                "the rank at given parameters is not available for networks with sigmoid variables and embedded classifiers; "
                "leave --at out"
            )
        return at_weights(pmap, report, report.model, source, memory)
    point = FAMILIES[report.model.family].point(pmap, source, report.model)
    try:
        rank = rank_rational(rational_jacobian(pmap, point, memory, ALLOW_MORE)).value
    except SingularError:
        why = FAMILIES[report.model.family].no_value
        raise InputError(f"the map has no value at the given parameters: {why}") from None
    name = source_text(source)
    known = proved_by("generic rank", f"rank {rank} of the Jacobian over ℚ at the parameters of {name}")
    # where these moments show less than the generic rank, higher ones may still show more
    if rank < report.lower.value and report.moments is None:
        return RankAt(rank, False, name, trust_in_all([known, report.lower.trust]))
    if report.exact and rank == report.dimension:
        return RankAt(rank, True, name, trust_in_all([known, report.trust]))
    return RankAt(rank, None, name, known)


def has_local(model: Network, kind: type[Local]) -> bool:
    """Whether a variable depends on its parents in this way."""
    return any(isinstance(variable.local, kind) for variable in model.variables)


def source_text(source: Any) -> str:
    """What given parameters are called."""
    return "the given tables" if isinstance(source, dict) else str(source)


def at_weights(pmap: ParamMap, report: Report, model: Network, source: Any, memory: int) -> RankAt:
    """The rank at a parameter file of a network with sigmoid variables; proved where it is the dimension."""
    from algdim.readers.parameters import read_parameters

    rank, error = rank_at_weights(pmap, lambda e: read_parameters(source, model, e), report.seed, memory)
    name = source_text(source)
    known = proved_by("exponentials", f"rank {rank} at the weights of {name}, modulo a prime")
    if report.exact and rank == report.dimension:  # the least that it can be, and the greatest
        return RankAt(rank, True, name, trust_in_all([known, report.trust]))
    if error >= 1:
        raise LimitError(
            f"the rank at these weights is at least {rank}, and may be greater; take weights with a smaller common denominator"
        )
    known = probable(error) if error else known
    if rank < report.lower.value:
        return RankAt(rank, False, name, trust_in_all([known, report.lower.trust]))
    return RankAt(rank, None, name, known)
