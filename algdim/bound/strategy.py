"""Which bounds are tried, in which order: cheap ones first, until lower meets upper. Each can be forced by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import NamedTuple

from algdim.bound.bounds import LOWER, UPPER, Bound, choose_greatest, choose_least, derive_bound
from algdim.bound.chance import ENOUGH, bound_by_chance, compute_error
from algdim.bound.symbolic import LEMMA as ELIMINATION
from algdim.bound.symbolic import bound_by_elimination, bound_symbolically
from algdim.errors import InputError, LimitError, describe_closest_word
from algdim.families import ENTRIES as FOLDERS
from algdim.families import load_family
from algdim.jacobian import make_method_evaluator
from algdim.limits import describe_untried, get_allowance, sharpen
from algdim.maps import Map, find_once, plan_once
from algdim.rank import METHODS, PROVES_BOTH, PROVES_NOTHING, Draw, Task, choose, draw
from algdim.trust import IN_FLOATS, Trust, proved_by, trust_in_all

SYMBOLIC, CHANCE, DISTRICTS, TREES, KRUSKAL = "symbolic", "chance", "districts", "trees", "kruskal"

Found = Bound | tuple[Bound, ...] | None
"""What a search finds: an upper bound, both bounds, or nothing."""

BEGUN_BY = {"flattenings": "koszul", "koszul": "grids"}
"""Searches with which another one begins: if that one is made, they are not made on their own."""

KNOWN = (
    *dict.fromkeys(name for one in FOLDERS for name in one.bounds),
    *(KRUSKAL, TREES, DISTRICTS, CHANCE),
)
CHEAP = ("counting", "ambient", "mechanisms", "pairwise")
ALL_OR_FEW = {"auto": KNOWN, "no-proof": (*CHEAP, KRUSKAL, TREES, DISTRICTS, CHANCE)}

SHORTCUT_PARAMETERS = 1000
"""Models with more parameters are first held against the theorems that need no rank of the whole Jacobian."""

ROWREDUCE_RUNS = 10
"""GHM96 §5: ten values for the parameters, the maximum of the resulting ranks."""

RANK = "rank"
"""A lower bound by the rank of the map's own Jacobian."""

ENTRIES = "entries"
"""The method of a kernel that is one table: its parameters are entries, and no rank is taken."""

ONE_DRAW = ("symbolic", "float")
MOST_SUMMANDS = 12
MOST_DRAWS = 60
"""With a chance of one half in each draw, these reach `ENOUGH`."""
DRAWS_WITHOUT_STATEMENT = 2
"""Where draws say nothing of a greater dimension, one of them may still have been unlucky, hardly two."""


class Effort(NamedTuple):
    """How a dimension is to be found: the method, the bounds, the seed, the memory allowed.

    ``parts`` is the number of parts whose chances of error add up. Where a certificate is to be written, ``minors`` are taken
    of a size up to this even where theorems make them unnecessary, and of models that a theorem speaks of as certificates have them.
    """

    method: str
    bounds: tuple[str, ...]
    seed: int | str
    max_memory: int
    parts: int = 1
    minors: int = 0


class Finding(NamedTuple):
    """Both bounds of a model's dimension, and the draws behind them.

    ``seen`` bounds what the map shows, where that need not be all of the model's distributions. ``of`` are the maps of other
    models on which the bounds rest, with what was found of each.
    """

    lower: Bound
    upper: Bound
    method: str
    draws: tuple[Draw, ...] = ()
    seen: Bound | None = None
    of: tuple[tuple[Map, Finding], ...] = ()


def choose_bounds(names: str | Sequence[str]) -> tuple[str, ...]:
    """The bounds that a text or a list names; "auto" means all, "no-proof" those without a search.

    >>> choose_bounds("counting, chance") == choose_bounds(["counting", "chance"])
    True
    """
    listed = [names] if isinstance(names, str) else names
    if not isinstance(listed, list | tuple) or not listed or not all(isinstance(name, str) for name in listed):
        raise InputError(f"bounds is {names!r}; a text such as 'counting,ambient' or a list of such names is expected")
    if len(listed) == 1 and listed[0] in ALL_OR_FEW:
        return ALL_OR_FEW[listed[0]]
    wanted = tuple(name.strip() for text in listed for name in text.split(","))
    for name in wanted:
        if name not in KNOWN:
            raise InputError(
                f"there is no bound {name!r}{describe_closest_word(name, (*KNOWN, *ALL_OR_FEW))}; known are auto, no-proof, {', '.join(KNOWN)}"
            )
    return wanted


def find_upper_bounds(pmap: Map, names: Sequence[str]) -> list[Bound]:
    """The upper bounds that need no point, as far as they apply."""
    known = load_family(pmap.model.family).bounds.bounds
    found = (known[name](pmap) for name in names if name in known)
    return [bound for bound in found if bound is not None]


def find_both_bounds(pmap: Map, effort: Effort, labels: tuple[str, ...] = ()) -> Finding:
    """Find both bounds of a map: by what needs no rank, else by ranks and searches until the bounds meet."""
    known = load_family(pmap.model.family).bounds
    last = known.without_form if effort.minors else ()
    proved = choose_least(find_upper_bounds(pmap, [name for name in effort.bounds if name not in last]))
    without_rank = known.find_without_rank
    if effort.method == "auto" and without_rank is not None:
        found = without_rank(pmap, effort, labels, proved)
        if found is not None:
            return found
    return find_by_rank(pmap, effort, labels, proved)


def find_by_rank(pmap: Map, effort: Effort, labels: tuple[str, ...], proved: Bound | None) -> Finding:
    """Take ranks until the lower bound meets an upper bound that is proved, after a search, or sure enough."""
    method = choose(pmap) if effort.method == "auto" else effort.method
    evaluator = make_method_evaluator(pmap, method)
    draws: list[Draw] = []
    below: Bound | None = None
    while len(draws) < count_draws(method, effort.bounds):
        stop_at = None if proved is None else proved.value
        task = Task(pmap, evaluator, effort.seed, labels, effort.max_memory, stop_at)
        one = draw_asked_or_further(task, method, len(draws))
        if one is None:
            break
        draws.append(one)
        value = max(draw.rank.value for draw in draws)
        if len(draws) == 1 and (stop_at is None or value < stop_at):
            found = search_bounds(pmap, value, effort, labels)
            last = load_family(pmap.model.family).bounds.without_form if effort.minors else ()
            uncertified = find_upper_bounds(pmap, [name for name in effort.bounds if name in last])
            proved, below = (
                choose_least([proved, *select_side(UPPER, found), *uncertified]),
                choose_greatest(select_side(LOWER, found)),
            )
        if below is not None and value < below.value:
            continue  # these points were unlucky; one of the next ones is a proof that is easier to check
        if method != "rowreduce" and is_enough(pmap, draws, None if proved is None else proved.value, effort.parts):
            break
    best = max(draws, key=lambda draw: draw.rank.value)
    lower = (
        below
        if below is not None and below.value > best.rank.value
        else make_lower_bound(best, len(draws), prove_coordinates_suffice(pmap))
    )
    upper = make_upper_bound(pmap, draws, lower.value, proved, effort.bounds)
    known = load_family(pmap.model.family).bounds
    of_model, seen = (upper, None) if known.separate is None else known.separate(pmap, upper)
    is_certified = effort.minors > 0 and upper.is_proved and upper.value == lower.value
    of = known.rests_on(pmap, upper, effort, labels) if is_certified and known.rests_on is not None else ()
    return Finding(lower, of_model, method, tuple(draws), seen, of)


def draw_asked_or_further(task: Task, method: str, number: int) -> Draw | None:
    """The first rank, which is asked for, however long it takes; further ones only as long as there is time for them."""
    if number == 0 or method == "rowreduce":
        return draw(task, method, number)
    return sharpen("ranks at further points", lambda: draw(task, method, number))


def search_bounds(pmap: Map, value: int, effort: Effort, labels: tuple[str, ...]) -> list[Bound]:
    """The bounds found by searching, in order, until an upper one meets the rank."""
    known = load_family(pmap.model.family).bounds
    wanted = list_searches(tuple(known.searches), effort.bounds)
    if not wanted:
        return []
    if pmap.kept_coordinates is not None:  # other searches are about models, elimination is about the map at hand
        if SYMBOLIC not in effort.bounds:
            return []
        return list(sharpen(name_search(SYMBOLIC, labels), lambda: bound_symbolically(pmap, value)) or ())
    setting = known.make_setting(pmap, value, effort.seed, labels)
    found: list[Bound] = []
    if effort.minors:  # for a certificate others are tried before
        wanted = tuple(sorted(wanted, key=lambda one: one[0] in known.without_form))
    for name, *begun in wanted:
        may_find = known.may_find.get(name)
        if may_find is not None and not plan_once(setting.pmap, ("may find", name), partial(may_find, setting.pmap)):
            continue
        # elimination is about the map at hand, which has fewer parameters than one in which nothing is conditioned on
        made = partial(bound_symbolically, pmap, value) if name == SYMBOLIC else partial(known.searches[name], setting)
        bounds: Found = sharpen(
            name_search(name, labels),
            partial(find_once, pmap, ("search", name, value, effort.seed, labels), made),
            *[name_search(one, labels) for one in begun],
        )
        if bounds is None:
            continue
        several = [bound for bound in (bounds if isinstance(bounds, tuple) else (bounds,)) if bound is not None]
        found += several if name == SYMBOLIC else [known.carry_over(bound, setting, pmap) for bound in several]
        if any(bound.value <= value for bound in select_side(UPPER, found)):
            break
    return found


@lru_cache(1 << 6)
def list_searches(searches: tuple[str, ...], names: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """The searches that are to be made, in order, each before those of the names that it begins with.

    >>> list_searches(("flattenings", "koszul", "symmetry"), ("symmetry", "koszul", "flattenings"))
    (('koszul', 'flattenings'), ('symmetry',))
    """
    made = [name for name in searches if name in names and not {BEGUN_BY.get(name)} & {*names} & {*searches}]
    return tuple((name, *[one for one in list_begun(name) if one in names]) for name in made)


def list_begun(name: str) -> list[str]:
    """The searches with which one begins, the last one first.

    >>> list_begun("grids"), list_begun("symmetry")
    (['koszul', 'flattenings'], [])
    """
    found = [one for one, by in BEGUN_BY.items() if by == name]
    return [first for one in found for first in (one, *list_begun(one))]


def name_search(name: str, labels: tuple[str, ...]) -> str:
    """A search as a report calls it that was not made: its name, and of which part or local model it is.

    >>> name_search("koszul", ()), name_search("koszul", ("part", "A"))
    ('koszul', 'koszul of part A')
    """
    return f"{name} of {' '.join(labels)}" if labels else name


def select_side(side: str, bounds: Sequence[Bound]) -> list[Bound]:
    """Those of the bounds that are on one side."""
    return [bound for bound in bounds if bound.side == side]


def count_draws(method: str, names: Sequence[str]) -> int:
    """How many points are tried at most."""
    if method == "rowreduce":
        return ROWREDUCE_RUNS
    return MOST_DRAWS if CHANCE in names and method not in ONE_DRAW else 1


def is_enough(pmap: Map, draws: Sequence[Draw], stop_at: int | None, parts: int) -> bool:
    """Whether a further draw cannot help: the bounds meet, or a greater dimension is all but excluded."""
    value = max(draw.rank.value for draw in draws)
    if stop_at is not None and value >= stop_at:
        return True
    error = compute_error(pmap, draws, value)
    return error < ENOUGH / parts or (error >= 1 and len(draws) >= DRAWS_WITHOUT_STATEMENT)


def prove_coordinates_suffice(pmap: Map) -> tuple[Trust, ...]:
    """Why the rank of the coordinates says something of the distributions; nothing where these are the coordinates."""
    seen = load_family(pmap.model.family).prove_for_distributions
    return () if seen is None else (seen(pmap),)


def make_lower_bound(best: Draw, count: int, seen: Sequence[Trust] = ()) -> Bound:
    """What the best of this many draws proves, given why the coordinates show the distributions."""
    rank = f"rank {best.rank.value} of the Jacobian"
    many = f", the greatest at {count} points with coordinates k/1000" if best.method == "rowreduce" else ""
    reason = f"{rank}{best.place}{many}"
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
        return Bound(best.rank.value, LOWER, "numerical", f"{reason}; {best.note}", IN_FLOATS, evidence)
    lemma = ELIMINATION if best.proves == PROVES_BOTH else "lower bound"
    drawn_from = best.drawn_from
    trust = trust_in_all([proved_by(lemma, f"{rank} {drawn_from}{many}" if drawn_from else reason), *seen])
    return Bound(best.rank.value, LOWER, RANK, reason, trust, evidence | {"streams": list(best.streams)})


def make_upper_bound(pmap: Map, draws: Sequence[Draw], value: int, proved: Bound | None, names: Sequence[str]) -> Bound:
    """The least upper bound, given that the dimension is at least the value; of equal ones one that is proved."""
    is_seen = any(draw.rank.value >= value for draw in draws)  # else the draws are known to have missed
    found = bound_by_elimination(draws, value)
    if found is not None:
        found = replace(found, trust=trust_in_all([found.trust, *prove_coordinates_suffice(pmap)]))
    is_met = proved is not None and proved.value <= value  # then chance is not asked
    drawn = found or (bound_by_chance(pmap, draws, value) if CHANCE in names and is_seen and not is_met else None)
    found = choose_least([proved, drawn])
    if found is None:
        other = "counting" if "ambient" in names else "ambient"  # sums of mechanisms have no ambient space
        untried = get_allowance().untried
        if untried:
            raise LimitError(f"no upper bound was found; {describe_untried(untried)}; or add {other}")
        raise InputError(f"none of the bounds {', '.join(names)} gives one for this model; add {other}, or use auto")
    return found


def add_bounds(bounds: Sequence[Bound], side: str, names: Sequence[str]) -> Bound:
    """The bound of a sum from the bounds of its summands, the districts with these names; chances of error add up."""
    value = sum(bound.value for bound in bounds)
    reason = (
        f"{' + '.join(str(bound.value) for bound in bounds)}, {len(bounds)} districts"
        if len(bounds) <= MOST_SUMMANDS
        else f"the sum over {len(bounds)} districts"
    )
    owned = [
        replace(bound, trust=bound.trust.about(f"district {name}")) for bound, name in zip(bounds, names, strict=True)
    ]
    return derive_bound(owned, value, side, DISTRICTS, reason, "districts")


def check_method(name: str) -> str:
    """Raise unless there is such a method."""
    if name != "auto" and name not in METHODS:
        raise InputError(
            f"there is no method {name!r}{describe_closest_word(name, METHODS)}; known are auto, {', '.join(METHODS)}"
        )
    return name


def join_findings(findings: Sequence[Finding], names: Sequence[str], whole: Map, effort: Effort) -> Finding:
    """The finding for a model from those of its districts; what counts for the whole model may still be less."""
    lower = add_bounds([finding.lower for finding in findings], LOWER, names)
    upper = add_bounds([finding.upper for finding in findings], UPPER, names)
    best = choose_least([upper, *find_upper_bounds(whole, effort.bounds)]) or upper
    draws = tuple(draw for finding in findings for draw in finding.draws)
    methods = dict.fromkeys(finding.method for finding in findings if finding.method != ENTRIES)
    return Finding(lower, best, "+".join(methods) or ENTRIES, draws)
