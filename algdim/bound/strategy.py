"""Which bounds are tried, in which order: cheap ones first, until lower meets upper. Each can be forced by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from algdim.bound.bounds import LOWER, UPPER, Bound, greatest, least, proved_bound, resting_on
from algdim.bound.chance import ENOUGH, chance, error_of
from algdim.bound.classifierbounds import by_theorem, class_tables, linear_map, log_odds_bound, of_embedded
from algdim.bound.containing import containing
from algdim.bound.counting import ambient, counting, saturated
from algdim.bound.defective import defective_upper
from algdim.bound.flattenings import flattenings
from algdim.bound.freemaps import MapSetting, field_symmetry, hull
from algdim.bound.gaussianminors import gaussian_minors
from algdim.bound.gaussiansetting import GaussianSetting
from algdim.bound.gaussiansymmetry import gaussian_symmetry
from algdim.bound.halftreks import KIND as HALF_TREK
from algdim.bound.halftreks import half_trek_bound
from algdim.bound.koszul import koszul
from algdim.bound.kruskal import kruskal_lower
from algdim.bound.mechanisms import mechanisms
from algdim.bound.moments import moments_bound, of_distributions, parameters_bound
from algdim.bound.nested import nested
from algdim.bound.pairwise import pairwise
from algdim.bound.powersums import power_sums
from algdim.bound.settimismith import settimi_smith
from algdim.bound.setting import Setting, closed
from algdim.bound.shifts import all_parameters, of_the_effect, shifts_bound
from algdim.bound.symbolic import LEMMA as ELIMINATION
from algdim.bound.symbolic import eliminated, symbolic
from algdim.bound.symmetry import symmetry
from algdim.bound.theorems import binary_items
from algdim.bound.trees import added_up, by_shape
from algdim.errors import InputError, listed
from algdim.jacobian import evaluator_for
from algdim.maps.additive import AdditiveMap
from algdim.maps.anymap import Map
from algdim.maps.classifier import ClassifierMap
from algdim.maps.factors import ParamMap, param_map
from algdim.maps.gaussian import GaussianMap
from algdim.maps.latentprofile import MomentMap
from algdim.models.additive import KINDS
from algdim.models.loglinear import containing_latent_class
from algdim.models.notation import to_text
from algdim.models.sigmoid import Sigmoid
from algdim.models.tables import Table
from algdim.models.trees import decompose
from algdim.rank import METHODS, PROVES_BOTH, PROVES_NOTHING, Draw, Task, choose, draw
from algdim.trust import IN_FLOATS, proved_by, trust_in_all

SYMBOLIC, CHANCE, DISTRICTS, TREES, KRUSKAL, BINARY_ITEMS = (
    "symbolic",
    "chance",
    "districts",
    "trees",
    "kruskal",
    "binary-items",
)
LINEAR = "linear-map"

BOUNDS: Mapping[str, Callable[[ParamMap], Bound | None]] = {
    "counting": counting,
    "ambient": ambient,
    "mechanisms": mechanisms,
    "pairwise": lambda pmap: pairwise(pmap.model) if pmap.kept is None else None,
}
"""Upper bounds that only look at the map."""

Found = Bound | tuple[Bound, ...] | None
"""What a search finds: an upper bound, both bounds, or nothing."""

SEARCHES: Mapping[str, Callable[[Setting], Found]] = {
    "class-tables": lambda setting: of_embedded(setting.pmap),
    "containing": containing,
    "flattenings": flattenings,
    "koszul": koszul,
    BINARY_ITEMS: lambda setting: binary_items(setting.model),
    "nested": nested,
    "symmetry": symmetry,
    "settimi-smith": lambda setting: settimi_smith(setting.model),
    "defective": lambda setting: defective_upper(setting.model),
    SYMBOLIC: lambda setting: symbolic(setting.pmap),
}
"""Bounds that are searched for, once a rank is known, in this order."""

BEGUN_BY = {"flattenings": "koszul"}
"""Searches with which another one begins: if that one is made, they are not made on their own."""

GAUSSIAN_BOUNDS: Mapping[str, Callable[[GaussianMap], Bound | None]] = {"counting": counting, "ambient": saturated}
"""The same for Gaussian models."""

GAUSSIAN_SEARCHES: Mapping[str, Callable[[GaussianSetting], Found]] = {
    "minors": gaussian_minors,
    "symmetry": gaussian_symmetry,
    SYMBOLIC: lambda setting: symbolic(setting.gmap),
    HALF_TREK: half_trek_bound,
}
"""Bounds of Gaussian models that are searched for, in this order; that without a certificate is the last."""

MOMENT_BOUNDS: Mapping[str, Callable[[MomentMap], Bound | None]] = {
    "counting": parameters_bound,
    "ambient": moments_bound,
}
"""Upper bounds of the moments of latent-profile models; nothing is searched for."""

ADDITIVE_BOUNDS: Mapping[str, Callable[[AdditiveMap], Bound | None]] = {
    "counting": all_parameters,
    "shifts": shifts_bound,
}
"""Upper bounds of additive models."""

CLASSIFIER_BOUNDS: Mapping[str, Callable[[ClassifierMap], Bound | None]] = {
    "counting": counting,
    "ambient": log_odds_bound,
    LINEAR: linear_map,
    "class-tables": class_tables,
}
"""Upper bounds of classifiers; nothing is searched for."""


def in_latent_class(setting: MapSetting) -> Bound | None:
    """A bound of the latent class model that contains a log-linear one (lemma "log-linear")."""
    network = containing_latent_class(setting.pmap.model)
    if network is None:
        return None
    effort = Effort("auto", tuple(name for name in KNOWN if name != CHANCE), setting.seed, 0)
    pmap = param_map(network)
    searches = searched(pmap, setting.lower, effort, tuple(map(str, setting.labels)))
    found = least([*upper_bounds(pmap, effort.bounds), *on_side(UPPER, searches)])
    if found is None or not found.is_proved:
        return None
    reason = f"{to_text(network)} contains the model: {found.reason}"
    evidence = {"model": to_text(network), "by": found.kind}
    contains = proved_by("log-linear", f"{to_text(network)} contains the model", "containing")
    return Bound(found.value, UPPER, "containing", reason, trust_in_all([contains, found.trust]), evidence)


FREE_SEARCHES: Mapping[str, Callable[[MapSetting], Found]] = {
    "symmetry": field_symmetry,
    SYMBOLIC: lambda setting: symbolic(setting.pmap),
}
"""Bounds of maps given by formulas that are searched for, in this order."""

LOGLINEAR_SEARCHES: Mapping[str, Callable[[MapSetting], Found]] = {
    "containing": in_latent_class,
    **FREE_SEARCHES,
}
"""The same for log-linear models."""

KNOWN = tuple(
    dict.fromkeys(
        (
            *BOUNDS,
            *SEARCHES,
            *GAUSSIAN_SEARCHES,
            *ADDITIVE_BOUNDS,
            *CLASSIFIER_BOUNDS,
            KRUSKAL,
            TREES,
            DISTRICTS,
            CHANCE,
        ),
    )
)
ALL_OR_FEW = {"auto": KNOWN, "no-proof": (*BOUNDS, DISTRICTS, CHANCE)}

SHORTCUT_PARAMETERS = 1000
"""Models with more parameters are first held against the theorems that need no rank of the whole Jacobian."""

ROWREDUCE_RUNS = 10
"""GHM96 §5: ten values for the parameters, the maximum of the resulting ranks."""

ENTRIES = "entries"
"""The method of a kernel that is one table: its parameters are entries, and no rank is taken."""

ONE_DRAW = ("symbolic", "float")
MOST_SUMMANDS = 12
MOST_DRAWS = 60
"""With a chance of one half in each draw, these reach `ENOUGH`."""
DRAWS_WITHOUT_STATEMENT = 2
"""Where draws say nothing of a greater dimension, one of them may still have been unlucky, hardly two."""


@dataclass(frozen=True, slots=True)
class Effort:
    """How a dimension is to be found: the method, the bounds, the seed, the memory allowed.

    ``parts`` is the number of parts whose chances of error add up.
    """

    method: str
    bounds: tuple[str, ...]
    seed: int | str
    max_memory: int
    parts: int = 1


@dataclass(frozen=True, slots=True)
class Finding:
    """Both bounds of a model's dimension, and the draws behind them.

    ``seen`` bounds what the map shows, where that need not be all of the model's distributions.
    """

    lower: Bound
    upper: Bound
    method: str
    draws: tuple[Draw, ...] = ()
    seen: Bound | None = None


def chosen(names: str | Sequence[str]) -> tuple[str, ...]:
    """The bounds that a text or a list names; "auto" means all, "no-proof" those without a search.

    >>> chosen("counting, chance") == chosen(["counting", "chance"])
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
            raise InputError(f"there is no bound {name!r}; known are auto, no-proof, {', '.join(KNOWN)}")
    return wanted


def upper_bounds(pmap: Map, names: Sequence[str]) -> list[Bound]:
    """The upper bounds that need no point, as far as they apply."""
    known = FAMILIES[pmap.model.family].bounds
    found = (known[name](pmap) for name in names if name in known)
    return [bound for bound in found if bound is not None]


def examine(pmap: Map, effort: Effort, labels: tuple[str, ...] = ()) -> Finding:
    """Find both bounds of a map: by what needs no rank, else by ranks and searches until the bounds meet."""
    proved = least(upper_bounds(pmap, effort.bounds))
    if effort.method == "auto":
        found = FAMILIES[pmap.model.family].without_rank(pmap, effort, labels, proved)
        if found is not None:
            return found
    return by_rank(pmap, effort, labels, proved)


def without_rank(pmap: ParamMap, effort: Effort, labels: tuple[str, ...], proved: Bound | None) -> Finding | None:
    """The finding where the whole Jacobian need not be ranked: one table, a large latent class model, a latent tree."""
    if pmap.kept is not None:
        return None
    count = len(pmap.parameters)
    if is_one_table(pmap) and proved is not None:
        what = "entries of the kernel" if pmap.is_polynomial else "odds, or quotients of odds, of the kernel"
        entries = proved_bound(count, LOWER, ENTRIES, f"its parameters are {what}", "generic rank")
        return Finding(entries, proved, ENTRIES)
    if not pmap.given and count > SHORTCUT_PARAMETERS:
        lower = kruskal_lower(pmap.model, effort.seed, labels) if KRUSKAL in effort.bounds else None
        if lower is not None and proved is not None and lower.value >= proved.value:
            return Finding(lower, proved, KRUSKAL)
        both = binary_items(pmap.model) if BINARY_ITEMS in effort.bounds else ()
        if both:
            return Finding(both[0], both[1], BINARY_ITEMS)
    return by_tree(pmap, effort) if TREES in effort.bounds else None


def by_tree(pmap: ParamMap, effort: Effort) -> Finding | None:
    """The finding for a latent tree from its local latent class models, each shape once; ``None`` for other models."""
    setting, extra = closed(pmap, 0, effort.seed)
    parts = decompose(setting.model)
    if parts is None or parts.trivial:
        return None
    effort = replace(effort, parts=effort.parts * len(parts.locals))
    findings = {
        shape: examine(param_map(local), effort, ("local", str(shape[0]), *(str(size) for size in shape[1])))
        for shape, local in by_shape(parts).items()
    }
    lower = added_up(parts, {shape: finding.lower for shape, finding in findings.items()}, LOWER)
    upper = added_up(parts, {shape: finding.upper for shape, finding in findings.items()}, UPPER)
    draws = tuple(draw for finding in findings.values() for draw in finding.draws)
    best = least([conditioned(upper, extra, pmap), *upper_bounds(pmap, effort.bounds)])
    return Finding(conditioned(lower, extra, pmap), best or upper, TREES, draws)


def by_rank(pmap: Map, effort: Effort, labels: tuple[str, ...], proved: Bound | None) -> Finding:
    """Take ranks until the lower bound meets an upper bound that is proved, after a search, or sure enough."""
    method = choose(pmap) if effort.method == "auto" else effort.method
    evaluator = evaluator_for(pmap, method)
    draws: list[Draw] = []
    below: Bound | None = None
    while len(draws) < most_draws(method, effort.bounds):
        stop_at = None if proved is None else proved.value
        task = Task(pmap, evaluator, effort.seed, labels, effort.max_memory, stop_at)
        draws.append(draw(task, method, len(draws)))
        value = max(draw.rank.value for draw in draws)
        if len(draws) == 1 and (stop_at is None or value < stop_at):
            found = searched(pmap, value, effort, labels)
            proved, below = least([proved, *on_side(UPPER, found)]), greatest(on_side(LOWER, found))
        if below is not None and value < below.value:
            continue  # these points were unlucky; one of the next ones is a proof that is easier to check
        if method != "rowreduce" and is_enough(pmap, draws, None if proved is None else proved.value, effort.parts):
            break
    best = max(draws, key=lambda draw: draw.rank.value)
    lower = below if below is not None and below.value > best.rank.value else lower_bound(best, len(draws))
    found_upper = upper_bound(pmap, draws, lower.value, proved, effort.bounds)
    upper, seen = FAMILIES[pmap.model.family].whole(pmap, found_upper)
    return Finding(lower, upper, method, tuple(draws), seen)


def searched(pmap: Map, value: int, effort: Effort, labels: tuple[str, ...]) -> list[Bound]:
    """The bounds found by searching, in order, until an upper one meets the rank."""
    family = FAMILIES[pmap.model.family]
    wanted = [
        search
        for name, search in family.searches.items()
        if name in effort.bounds and not (BEGUN_BY.get(name) in effort.bounds and BEGUN_BY[name] in family.searches)
    ]
    if not wanted:
        return []
    if pmap.kept is not None:  # other searches are about models, elimination is about the map at hand
        return list(symbolic(pmap)) if SYMBOLIC in effort.bounds else []
    setting, extra = family.setting(pmap, value, effort.seed, labels)
    found: list[Bound] = []
    for search in wanted:
        bounds: Found = search(setting)
        several = bounds if isinstance(bounds, tuple) else (bounds,)
        found += [conditioned(bound, extra, pmap) for bound in several if bound is not None]
        if any(bound.value <= value for bound in on_side(UPPER, found)):
            break
    return found


def on_side(side: str, bounds: Sequence[Bound]) -> list[Bound]:
    """Those of the bounds that are on one side."""
    return [bound for bound in bounds if bound.side == side]


def conditioned(bound: Bound, extra: int, pmap: Map) -> Bound:
    """The bound of a kernel from that of its closed model."""
    if extra == 0:
        return bound
    roots = listed(getattr(pmap.model, "given", ()))
    reason = f"{bound.value} − {extra}, with {roots} as free roots; {bound.reason}"
    evidence = {**bound.evidence, "roots": extra}
    return resting_on([bound], bound.value - extra, bound.side, bound.kind, reason, "districts", evidence)


def is_one_table(pmap: ParamMap) -> bool:
    """Whether the only variable that is not conditioned on has a table that determines each of its parameters.

    Ties of entry names in another table can leave parameters that are no entries. Those of a sigmoid are functions of them.
    """
    free = [variable for variable in pmap.model.variables if variable.name not in pmap.model.given]
    is_table = pmap.kept is None and len(free) == 1 and isinstance(free[0].local, Table | Sigmoid)
    return is_table and len(pmap.readable) == len(pmap.parameters)


def most_draws(method: str, names: Sequence[str]) -> int:
    """How many points are tried at most."""
    if method == "rowreduce":
        return ROWREDUCE_RUNS
    return MOST_DRAWS if CHANCE in names and method not in ONE_DRAW else 1


def is_enough(pmap: Map, draws: Sequence[Draw], stop_at: int | None, parts: int) -> bool:
    """Whether a further draw cannot help: the bounds meet, or a greater dimension is all but excluded."""
    value = max(draw.rank.value for draw in draws)
    if stop_at is not None and value >= stop_at:
        return True
    error = error_of(pmap, draws, value)
    return error < ENOUGH / parts or (error >= 1 and len(draws) >= DRAWS_WITHOUT_STATEMENT)


def lower_bound(best: Draw, count: int) -> Bound:
    """What the best of so many draws proves."""
    reason = f"rank {best.rank.value} of the Jacobian{best.place}"
    if best.method == "rowreduce":
        reason += f", the greatest at {count} points with coordinates k/1000"
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
    return proved_bound(best.rank.value, LOWER, "rank", reason, lemma, evidence=evidence)


def upper_bound(pmap: Map, draws: Sequence[Draw], value: int, proved: Bound | None, names: Sequence[str]) -> Bound:
    """The least upper bound, given that the dimension is at least the value; of equal ones one that is proved."""
    is_seen = any(draw.rank.value >= value for draw in draws)  # else the draws are known to have missed
    drawn = eliminated(draws, value) or (chance(pmap, draws, value) if CHANCE in names and is_seen else None)
    found = least([proved, drawn])
    if found is None:
        other = "counting" if "ambient" in names else "ambient"  # sums of mechanisms have no ambient space
        raise InputError(f"none of the bounds {', '.join(names)} gives one for this model; add {other}, or use auto")
    return found


def added(bounds: Sequence[Bound], side: str) -> Bound:
    """The bound of a sum from the bounds of its summands; chances of error add up."""
    value = sum(bound.value for bound in bounds)
    reason = (
        f"{' + '.join(str(bound.value) for bound in bounds)}, {len(bounds)} districts"
        if len(bounds) <= MOST_SUMMANDS
        else f"the sum over {len(bounds)} districts"
    )
    return resting_on(bounds, value, side, DISTRICTS, reason, "districts")


def known_method(name: str) -> str:
    """Raise unless there is such a method."""
    if name != "auto" and name not in METHODS:
        raise InputError(f"there is no method {name}; known are auto, {', '.join(METHODS)}")
    return name


def combined(findings: Sequence[Finding], whole: Map, effort: Effort) -> Finding:
    """The finding for a model from those of its districts; what counts for the whole model may still be less."""
    lower = added([finding.lower for finding in findings], LOWER)
    upper = added([finding.upper for finding in findings], UPPER)
    best = least([upper, *upper_bounds(whole, effort.bounds)]) or upper
    draws = tuple(draw for finding in findings for draw in finding.draws)
    methods = dict.fromkeys(finding.method for finding in findings if finding.method != ENTRIES)
    return Finding(lower, best, "+".join(methods) or ENTRIES, draws)


@dataclass(frozen=True, slots=True)
class Family:
    """The bounds of one family.

    Upper ones that only look at the map, those that are searched for and what a search starts from, what makes the rank of the
    whole Jacobian unnecessary, and the upper bounds of the model and of what its map shows of it.
    """

    bounds: Mapping[str, Callable[[Any], Bound | None]]
    searches: Mapping[str, Callable[[Any], Found]]
    setting: Callable[[Any, int, int | str, tuple[int | str, ...]], tuple[Any, int]]
    without_rank: Callable[[Any, Effort, tuple[str, ...], Bound | None], Finding | None]
    whole: Callable[[Any, Bound], tuple[Bound, Bound | None]] = lambda pmap, found: (found, None)  # noqa: ARG005 (most maps show all)


def gaussian_setting(
    gmap: GaussianMap, lower: int, seed: int | str, labels: tuple[int | str, ...]
) -> tuple[GaussianSetting, int]:
    """The setting of a Gaussian map; nothing is conditioned on, so nothing is to be subtracted."""
    return GaussianSetting(gmap, lower, seed, labels), 0


def map_setting(pmap: Map, lower: int, seed: int | str, labels: tuple[int | str, ...]) -> tuple[MapSetting, int]:
    """The setting of a map given by formulas."""
    return MapSetting(pmap, lower, seed, labels), 0


def always_by_rank(pmap: Map, effort: Effort, labels: tuple[str, ...], proved: Bound | None) -> None:
    """Nothing makes the rank unnecessary."""
    del pmap, effort, labels, proved


def classifier_without_rank(
    cmap: ClassifierMap, effort: Effort, labels: tuple[str, ...], proved: Bound | None
) -> Finding | None:
    """The finding for a large classifier for which the rank of the linear map is the dimension."""
    del labels
    lower = by_theorem(cmap) if LINEAR in effort.bounds and len(cmap.parameters) > SHORTCUT_PARAMETERS else None
    return None if lower is None or proved is None else Finding(lower, proved, LINEAR)


FAMILIES: Mapping[str, Family] = {
    "discrete": Family(BOUNDS, SEARCHES, closed, without_rank),
    "gaussian": Family(GAUSSIAN_BOUNDS, GAUSSIAN_SEARCHES, gaussian_setting, always_by_rank),
    "latent-profile": Family(MOMENT_BOUNDS, {}, lambda *setting: (setting, 0), always_by_rank, of_distributions),
    **dict.fromkeys(KINDS, Family(ADDITIVE_BOUNDS, {}, lambda *setting: (setting, 0), always_by_rank, of_the_effect)),
    "classifier": Family(CLASSIFIER_BOUNDS, {}, lambda *setting: (setting, 0), classifier_without_rank),
    "loglinear": Family(
        {"counting": counting, "ambient": lambda pmap: ambient(pmap.unnormalised)},
        LOGLINEAR_SEARCHES,
        map_setting,
        always_by_rank,
    ),
    "polynomial": Family(
        {"counting": counting, "ambient": hull},
        {"flattenings": power_sums, **FREE_SEARCHES},
        map_setting,
        always_by_rank,
    ),
}
"""The bounds by family."""
