"""REPORT: the dimension of a model, with what proves it.

`dimension` is the door: it removes what cannot matter, takes ranks until the lower bound meets an upper bound that is
proved or sure enough, and puts both, with the reasons, into a frozen `Report`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any

from algdim.about import REPORT_SCHEMA, VERSION
from algdim.bound.bounds import LOWER, PROBABLE, PROVED, Bound, least
from algdim.bound.chance import ENOUGH, chance, error_of
from algdim.bound.pairwise import latent_class, pairwise
from algdim.bound.strategy import CHANCE, chosen, upper_bounds
from algdim.errors import InputError
from algdim.exact.ranks import rank_rational
from algdim.figures import big
from algdim.maps.contraction import plan_contraction
from algdim.maps.factors import ParamMap, param_map
from algdim.models.network import Network
from algdim.models.notation import to_text
from algdim.models.pruning import without_irrelevant
from algdim.rank import (
    METHODS,
    PROVES_NOTHING,
    WIDE_PARAMETERS,
    Draw,
    Task,
    choose,
    default_memory,
    draw,
    rational_jacobian,
)

if TYPE_CHECKING:
    from algdim.readers.anything import ModelLike

ROWREDUCE_RUNS = 10
"""GHM96 §5: ten values for the parameters, the maximum of the resulting ranks."""

ONE_DRAW = ("symbolic", "float")
MOST_DRAWS = 12
"""Draws stop here even if the chance of error is still above `ENOUGH`."""


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
    """The rank at given parameters, beside the generic one: a point is regular if they are equal."""

    rank: int
    regular: bool
    source: str

    def to_dict(self) -> dict[str, Any]:
        """The form of the JSON report."""
        return {"rank": self.rank, "regular": self.regular, "source": self.source}


@dataclass(frozen=True, slots=True)
class Report:
    """The dimension of a model: counts, a lower and an upper bound, and the reasons."""

    model: Network
    standard: int
    complete: int
    lower: Bound
    upper: Bound
    pairwise_bound: int | None
    removed: tuple[str, ...]
    method: str
    draws: tuple[Draw, ...]
    seed: int | str
    seconds: float
    parts: tuple[Report, ...] = ()
    at: RankAt | None = None

    @property
    def dimension(self) -> int:
        """The lower bound's value; read ``exact`` for trust."""
        return self.lower.value

    @property
    def exact(self) -> bool:
        """Whether both bounds are proved and equal, so that the dimension is a theorem."""
        return self.lower.is_proved and self.upper.is_proved and self.lower.value == self.upper.value

    @property
    def redundant(self) -> int:
        """How many parameters are too many: standard − effective."""
        return self.standard - self.dimension

    @property
    def defect(self) -> int:
        """What is missing from the dimension that counting expects: min(standard, complete) − effective."""
        return min(self.standard, self.complete) - self.dimension

    @property
    def best_bound(self) -> int:
        """KZ02 Theorem 4's db: the least of standard, complete and pairwise bound."""
        return min(self.standard, self.complete, self.complete if self.pairwise_bound is None else self.pairwise_bound)

    @property
    def trust(self) -> str:
        """How far the dimension can be trusted, in words."""
        if self.exact:
            return "proved"
        if self.lower.value == self.upper.value:
            return self.upper.trust if self.lower.is_proved else "numerical, proves nothing"
        return f"between {self.lower.value} and {self.upper.value}"

    @property
    def derivation(self) -> Reason:
        """The tree of reasons."""
        head = (
            f"{to_text(self.model)}   dimension {self.dimension} ({self.trust})   standard {big(self.standard)}   "
            f"complete {big(self.complete)}   defect {self.defect}"
        )
        reasons = [
            Reason(f"at least {self.lower.value}: {self.lower.reason}"),
            Reason(f"at most {self.upper.value}: {self.upper.reason}{trust_suffix(self.upper)}"),
        ]
        if self.removed:
            names = ", ".join(self.removed)
            reasons.insert(0, Reason(f"removed first: {names} (hidden, without observed descendants)"))
        if self.at is not None:
            word = (
                "the generic rank: the point is regular"
                if self.at.regular
                else f"below the generic rank {self.dimension}: the point is not regular"
            )
            reasons.append(Reason(f"at the parameters of {self.at.source}: rank {self.at.rank}, {word}"))
        return Reason(head, tuple(reasons))

    def __str__(self) -> str:
        """The derivation, drawn as a tree."""
        return "\n".join(self.derivation.lines())

    def _repr_html_(self) -> str:
        """The derivation for a notebook."""
        from html import escape

        return f"<pre>{escape(str(self))}</pre>"

    def _repr_latex_(self) -> str:
        """One line of mathematics for a notebook."""
        relation = "=" if self.exact else r"\overset{?}{=}"
        return rf"$\dim {relation} {self.dimension} \quad (d_s = {self.standard},\ d_c = {self.complete})$"

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
            "parts": [part.to_dict() for part in self.parts],
            "derivation": self.derivation.to_dict(),
            "method": self.method,
            "primes": [draw.prime for draw in self.draws if draw.prime is not None],
            "points": [draw.point for draw in self.draws],
            "seed": self.seed,
            "at": None if self.at is None else self.at.to_dict(),
            "seconds": self.seconds,
        }


def trust_suffix(bound: Bound) -> str:
    """What a reason needs to say of a bound that is not proved."""
    return "" if bound.is_proved else f" ({bound.trust})"


def dimension(
    model: ModelLike,
    *,
    method: str = "auto",
    bounds: str = "auto",
    seed: int | str = 0,
    at: Any = None,
    max_memory: int | None = None,
) -> Report:
    """The effective dimension of a model, with its proof or the chance that it is wrong.

    >>> report = dimension("2:2,2")
    >>> report.dimension, report.standard, report.exact
    (3, 5, True)
    """
    from algdim.readers.anything import model as read_model

    began = perf_counter()
    if method != "auto" and method not in METHODS:
        raise InputError(f"there is no method {method!r}; known are auto, {', '.join(METHODS)}")
    names = chosen(bounds)
    memory = default_memory() if max_memory is None else max_memory
    network = read_model(model)
    smaller, removed = without_irrelevant(network)
    pmap = param_map(smaller)
    named = choose(pmap) if method == "auto" else method
    lower, upper, draws = meet(pmap, named, names, seed, memory)
    pair = pairwise(smaller)
    return Report(
        model=network,
        standard=len(pmap.parameters) if not removed else len(param_map(network).parameters),
        complete=pmap.complete,
        lower=lower,
        upper=upper,
        pairwise_bound=pair.value if pair else pmap.complete if latent_class(smaller) else None,
        removed=removed,
        method=named,
        draws=draws,
        seed=seed,
        seconds=perf_counter() - began,
        at=None if at is None else rank_at(pmap, network, at, lower.value, memory),
    )


def meet(
    pmap: ParamMap, method: str, names: Sequence[str], seed: int | str, memory: int
) -> tuple[Bound, Bound, tuple[Draw, ...]]:
    """Take ranks until the lower bound meets an upper bound that is proved or sure enough."""
    proved = least(upper_bounds(pmap, names))
    plan = plan_contraction(pmap)
    draws: list[Draw] = []
    best: Draw | None = None
    for number in range(most_draws(method, names)):
        wide = number > 0 and len(pmap.parameters) <= WIDE_PARAMETERS
        stop_at = None if proved is None else proved.value
        draws.append(draw(Task(pmap, plan, seed, max_memory=memory, stop_at=stop_at, wide=wide), method, number))
        best = max(draws, key=lambda draw: draw.rank.value)
        if method != "rowreduce" and is_enough(pmap, draws, best, stop_at):
            break
    assert best is not None  # noqa: S101 - at least one draw is made
    return lower_bound(best), upper_bound(pmap, draws, best, proved, names), tuple(draws)


def most_draws(method: str, names: Sequence[str]) -> int:
    """How many points are tried at most."""
    if method == "rowreduce":
        return ROWREDUCE_RUNS
    return MOST_DRAWS if CHANCE in names and method not in ONE_DRAW else 1


def is_enough(pmap: ParamMap, draws: Sequence[Draw], best: Draw, stop_at: int | None) -> bool:
    """Whether a further draw cannot help: the bounds meet, or a greater dimension is all but excluded."""
    if stop_at is not None and best.rank.value >= stop_at:
        return True
    return error_of(pmap, draws, best.rank.value) < ENOUGH


def lower_bound(best: Draw) -> Bound:
    """What the best draw proves."""
    reason = f"rank {best.rank.value} of the Jacobian{best.place}"
    evidence = {
        "method": best.method,
        "prime": best.prime,
        "point": best.point,
        "seed": best.seed,
        "number": best.number,
    }
    if best.proves == PROVES_NOTHING:
        return Bound(best.rank.value, LOWER, "numerical", f"{reason}; {best.note}", PROBABLE, 1.0, evidence)
    return Bound(best.rank.value, LOWER, "rank", reason, PROVED, None, evidence)


def upper_bound(pmap: ParamMap, draws: Sequence[Draw], best: Draw, proved: Bound | None, names: Sequence[str]) -> Bound:
    """The least upper bound; a chance is used only where it says something and is below the proved bound."""
    value = best.rank.value
    candidates = [] if proved is None else [proved]
    if proved is None or value < proved.value:
        by_chance = chance(pmap, draws, value)
        if by_chance.is_proved or (CHANCE in names and (by_chance.error or 0.0) < 1):
            candidates.append(by_chance)
    found = least(candidates)
    if found is None:
        raise InputError(f"none of the bounds {', '.join(names)} applies to this model; add ambient, or use auto")
    return found


def rank_at(pmap: ParamMap, network: Network, source: Any, generic: int, memory: int) -> RankAt:
    """The exact rank at given parameters."""
    from algdim.readers.parameters import read_parameters

    point = pmap.point(read_parameters(source, network))
    matrix = rational_jacobian(pmap, point, memory)
    rank = rank_rational(matrix).value
    return RankAt(rank, rank == generic, "the given tables" if isinstance(source, dict) else str(source))
