"""Which bounds are tried, in which order: cheap ones first, until lower meets upper. Each can be forced by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import log

from algdim.bound.bounds import LOWER, PROBABLE, UPPER, Bound, least
from algdim.bound.chance import ENOUGH, chance, error_of
from algdim.bound.counting import ambient, counting
from algdim.bound.pairwise import pairwise
from algdim.errors import InputError
from algdim.maps.contraction import plan_contraction
from algdim.maps.factors import ParamMap
from algdim.models.tables import Table
from algdim.rank import METHODS, PROVES_NOTHING, Draw, Task, choose, draw

CHANCE, DISTRICTS = "chance", "districts"

BOUNDS: Mapping[str, Callable[[ParamMap], Bound | None]] = {
    "counting": counting,
    "ambient": ambient,
    "pairwise": lambda pmap: pairwise(pmap.model) if pmap.kept is None else None,
}

ROWREDUCE_RUNS = 10
"""GHM96 §5: ten values for the parameters, the maximum of the resulting ranks."""

WIDE_PARAMETERS = 700
WIDE_COST = 8
"""How many draws with 23-bit primes take the time of one with a 61-bit prime, for models with more parameters."""

ONE_DRAW = ("symbolic", "float")
MOST_DRAWS = 12
"""Draws stop here even if the chance of error is still above `ENOUGH`."""


@dataclass(frozen=True, slots=True)
class Effort:
    """How a dimension is to be found: the method, the bounds, the seed, the memory allowed."""

    method: str
    bounds: tuple[str, ...]
    seed: int | str
    max_memory: int


@dataclass(frozen=True, slots=True)
class Finding:
    """Both bounds of a map's dimension, and the draws behind them."""

    lower: Bound
    upper: Bound
    method: str
    draws: tuple[Draw, ...] = ()


def chosen(names: str) -> tuple[str, ...]:
    """The bounds that a text such as "counting,ambient" names; "auto" means all.

    >>> chosen("auto")
    ('counting', 'ambient', 'pairwise', 'districts', 'chance')
    """
    known = (*BOUNDS, DISTRICTS, CHANCE)
    if names == "auto":
        return known
    wanted = tuple(name.strip() for name in names.split(","))
    for name in wanted:
        if name not in known:
            raise InputError(f"there is no bound {name!r}; known are auto, {', '.join(known)}")
    return wanted


def upper_bounds(pmap: ParamMap, names: Sequence[str]) -> list[Bound]:
    """The upper bounds that need no point, as far as they apply."""
    found = (BOUNDS[name](pmap) for name in names if name in BOUNDS)
    return [bound for bound in found if bound is not None]


def examine(pmap: ParamMap, effort: Effort, labels: tuple[str, ...] = ()) -> Finding:
    """Take ranks until the lower bound meets an upper bound that is proved or sure enough."""
    proved = least(upper_bounds(pmap, effort.bounds))
    if effort.method == "auto" and is_one_table(pmap) and proved is not None:
        count = len(pmap.parameters)
        return Finding(Bound(count, LOWER, "entries", "its parameters are entries of the kernel"), proved, "entries")
    method = choose(pmap) if effort.method == "auto" else effort.method
    stop_at = None if proved is None else proved.value
    plan = plan_contraction(pmap)
    draws: list[Draw] = []
    while len(draws) < most_draws(method, effort.bounds):
        wide = len(draws) > 0 and wide_is_cheaper(pmap, draws)
        task = Task(pmap, plan, effort.seed, labels, effort.max_memory, stop_at, wide)
        draws.append(draw(task, method, len(draws)))
        if method != "rowreduce" and is_enough(pmap, draws, stop_at):
            break
    best = max(draws, key=lambda draw: draw.rank.value)
    upper = upper_bound(pmap, draws, best.rank.value, proved, effort.bounds)
    return Finding(lower_bound(best), upper, method, tuple(draws))


def wide_is_cheaper(pmap: ParamMap, draws: Sequence[Draw]) -> bool:
    """Whether one draw with a 61-bit prime costs less than the draws with 23-bit primes that would still be needed."""
    error = error_of(pmap, draws[:1], max(draw.rank.value for draw in draws))
    if not 0 < error < 1:
        return error > 0
    still = log(ENOUGH) / log(error) - len(draws)
    return still > (WIDE_COST if len(pmap.parameters) > WIDE_PARAMETERS else 1)


def is_one_table(pmap: ParamMap) -> bool:
    """Whether the only variable that is not conditioned on has a table: its parameters stand among its entries."""
    free = [variable for variable in pmap.model.variables if variable.name not in pmap.model.given]
    return pmap.kept is None and len(free) == 1 and isinstance(free[0].local, Table)


def most_draws(method: str, names: Sequence[str]) -> int:
    """How many points are tried at most."""
    if method == "rowreduce":
        return ROWREDUCE_RUNS
    return MOST_DRAWS if CHANCE in names and method not in ONE_DRAW else 1


def is_enough(pmap: ParamMap, draws: Sequence[Draw], stop_at: int | None) -> bool:
    """Whether a further draw cannot help: the bounds meet, or a greater dimension is all but excluded."""
    value = max(draw.rank.value for draw in draws)
    if stop_at is not None and value >= stop_at:
        return True
    return error_of(pmap, draws, value) < ENOUGH


def lower_bound(best: Draw) -> Bound:
    """What the best draw proves."""
    reason = f"rank {best.rank.value} of the Jacobian{best.place}"
    evidence = {
        "method": best.method,
        "prime": best.prime,
        "point": best.point,
        "seed": best.seed,
        "number": best.number,
        "functionals": best.functionals,
        "count": best.count,
    }
    if best.proves == PROVES_NOTHING:
        return Bound(best.rank.value, LOWER, "numerical", f"{reason}; {best.note}", PROBABLE, 1.0, evidence)
    return Bound(best.rank.value, LOWER, "rank", reason, evidence=evidence)


def upper_bound(pmap: ParamMap, draws: Sequence[Draw], value: int, proved: Bound | None, names: Sequence[str]) -> Bound:
    """The least upper bound; a chance is used only where it says something and is below the proved bound."""
    candidates = [] if proved is None else [proved]
    if proved is None or value < proved.value:
        by_chance = chance(pmap, draws, value)
        if by_chance.is_proved or (CHANCE in names and (by_chance.error or 0.0) < 1):
            candidates.append(by_chance)
    found = least(candidates)
    if found is None:
        raise InputError(f"none of the bounds {', '.join(names)} gives one for this model; add ambient, or use auto")
    return found


def added(bounds: Sequence[Bound], side: str) -> Bound:
    """The bound of a sum from the bounds of its summands; chances of error add up."""
    value = sum(bound.value for bound in bounds)
    reason = (
        f"{' + '.join(str(bound.value) for bound in bounds)}, {len(bounds)} districts"
        if len(bounds) <= MOST_SUMMANDS
        else f"the sum over {len(bounds)} districts"
    )
    if all(bound.is_proved for bound in bounds):
        return Bound(value, side, DISTRICTS, reason)
    error = sum(bound.error or 0.0 for bound in bounds)
    return Bound(value, side, DISTRICTS, reason, PROBABLE, error)


MOST_SUMMANDS = 12


def known_method(name: str) -> str:
    """Raise unless there is such a method."""
    if name != "auto" and name not in METHODS:
        raise InputError(f"there is no method {name}; known are auto, {', '.join(METHODS)}")
    return name


def combined(findings: Sequence[Finding], whole: ParamMap, effort: Effort) -> Finding:
    """The finding for a model from those of its districts; what counts for the whole model may still be less."""
    lower = added([finding.lower for finding in findings], LOWER)
    upper = added([finding.upper for finding in findings], UPPER)
    best = least([upper, *upper_bounds(whole, effort.bounds)]) or upper
    draws = tuple(draw for finding in findings for draw in finding.draws)
    methods = dict.fromkeys(finding.method for finding in findings if finding.draws)
    return Finding(lower, best, "+".join(methods) or "entries", draws)
