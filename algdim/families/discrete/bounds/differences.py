"""Upper bounds by one slice of the table and by the differences of the others from it (lemma "differences" in proofs/lemmas.md).

Let X be conditioned on. The distributions given its states, its slices, are one of them and the differences of the others
from it, so that the dimension is at most that of the one plus that of the differences. The one is a network without X. A
difference is a sum of products as well: the change of the tables of X's children takes their place, and the numbers of a
change sum to 0. So does what it does to a child of a hidden variable, which therefore has one state less. What is then
no table, but any function, is divided by its sums, which become factors of functions of fewer variables; in the end the differences are
a number times the distributions of a network, whose bounds are known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from itertools import count, islice
from math import prod

from algdim.bound.bounds import UPPER, Bound, derive_bound
from algdim.bound.strategy import Effort, Finding, find_both_bounds
from algdim.errors import LimitError
from algdim.families.discrete.bounds.containing import bound_by_containing_models
from algdim.families.discrete.bounds.grids import bound_by_grids
from algdim.families.discrete.bounds.search import (
    Setting,
    bound_network,
    has_only_tables,
)
from algdim.families.discrete.bounds.supermodels import WORK_OF_A_MODEL, bound_by_supermodels
from algdim.families.discrete.bounds.symmetry import bound_by_symmetry
from algdim.families.discrete.districts import build_slice
from algdim.families.discrete.locals.table import FREE
from algdim.families.discrete.map import ParamMap, get_param_map
from algdim.families.discrete.model import Network, Variable, drop_irrelevant
from algdim.jacobian import make_method_evaluator
from algdim.limits import count_work, has_time, has_work
from algdim.maps import Map
from algdim.rank import Task, choose, draw

KIND = LEMMA = "differences"
MOST_VARIABLES = 32
MOST_SETS = 2000
"""Sets of variables that are looked at for an order."""
MOST_ORDERS = 3
"""Orders, of a change, whose networks' ranks are taken."""
MOST_NETWORKS = 40
"""Networks of differences whose rank is taken."""
MOST_PARAMETERS = 1024
MOST_CELLS = 1 << 16
MOST_MEMORY = 1 << 31

SEARCHES: tuple[Callable[[Setting], Bound | None], ...] = (
    bound_by_containing_models,
    bound_by_grids,
    bound_by_symmetry,
    bound_by_supermodels,
)

OF_PIECES = ("counting", "ambient", "containing", "flattenings", "koszul", "grids", "symmetry", "supermodels")
"""The names of the bounds of both networks that are tried, whatever bounds are asked for of the whole."""

Scope = frozenset[str]


@dataclass(frozen=True, slots=True)
class SliceChange:
    """The variable of the slices, variables in turn that get one state less, an order in which sums are divided out from the end."""

    variable: str
    reduced: tuple[str, ...]
    order: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Factors:
    """A product: the parents in tables that are kept, scopes of functions of any kind; the states of all variables that are left."""

    states: Mapping[str, int]
    kept: Mapping[str, tuple[str, ...]]
    scopes: tuple[Scope, ...]


def find_children(parents: Mapping[str, Sequence[str]], name: str) -> list[str]:
    """The variables that have this parent."""
    return [child for child, above in parents.items() if name in above]


def change_tables(model: Network, variable: str, reduced: Sequence[str]) -> Factors:
    """The factors of the differences of the slices of a variable that is conditioned on, others reduced in turn.

    A variable can be reduced that is alone in having its change; if it is hidden its children are changed in its place.
    """
    states = {one.name: one.states for one in model.variables}
    kept = {one.name: one.parents for one in model.variables if one.name not in model.given}
    observed = {one.name for one in model.observed}
    states[variable] -= 1
    changed = find_children(kept, variable)
    if not changed:
        raise ValueError(f"nothing depends on {variable}")
    scopes = [join_families(kept, changed, variable)]
    for name in reduced:
        if changed != [name]:
            raise ValueError(f"{name} is not the only variable that changes")
        states[name] -= 1
        changed = find_children(kept, name)
        if (name in observed) == bool(changed):
            raise ValueError(f"{name} is observed and has children, or hidden and has none")
        if changed:
            scopes.append(join_families(kept, changed, name))
    gone = {name for name in (variable, *reduced) if states[name] == 1}
    left = {name: number for name, number in states.items() if name not in gone}
    return Factors(left, kept, tuple(one - gone for one in scopes if one - gone))


def join_families(kept: dict[str, tuple[str, ...]], children: Sequence[str], parent: str) -> Scope:
    """The children and the parents in their tables, which are no longer kept, the one that changes among them."""
    return frozenset([parent, *children, *(above for child in children for above in kept.pop(child))])


def iterate_reductions(model: Network, variable: str) -> Iterator[tuple[str, ...]]:
    """All that can be reduced in turn, the most first."""
    kept = {one.name: one.parents for one in model.variables if one.name not in model.given}
    observed = {one.name for one in model.observed}
    found: list[str] = []
    changed = find_children(kept, variable)
    while len(changed) == 1:
        (name,) = changed
        changed = find_children(kept, name)
        if (name in observed) == bool(changed) or model.states[name] < 2:
            break
        found.append(name)
    for length in range(len(found), -1, -1):
        yield tuple(found[:length])


def divide_out(factors: Factors, order: Sequence[str]) -> dict[str, Scope]:
    """The parents of the variables whose tables become free: functions are divided by their sums, from the end of the order."""
    scopes, freed = list(factors.scopes), dict[str, Scope]()
    place = {name: number for number, name in enumerate(order)}
    for name, above in factors.kept.items():
        if any(place[parent] > place[name] for parent in above if parent in place):
            raise ValueError(f"{name} stands before one of its parents")
    for name in reversed(order):
        mine = [scope for scope in scopes if name in scope]
        if mine:
            parents = frozenset().union(*mine, factors.kept.get(name, ())) - {name}
            freed[name] = parents
            scopes = [scope for scope in scopes if name not in scope] + [parents] * bool(parents)
    return freed


def build_difference(model: Network, change: SliceChange) -> Network | None:
    """The network of which the differences are multiples; nothing if it shows nothing."""
    factors = change_tables(model, change.variable, change.reduced)
    freed = divide_out(factors, change.order)
    found = []
    for one in model.variables:
        if one.name not in factors.states:
            continue
        if one.name in freed:
            above = tuple(other.name for other in model.variables if other.name in freed[one.name])
            found.append(Variable(one.name, factors.states[one.name], one.observed, above))
        else:
            found.append(one)
    given = tuple(name for name in model.given if name in factors.states and name not in freed)
    if all(not one.observed or one.name in given for one in found):
        return None
    return drop_irrelevant(Network(tuple(found), given))[0]


def iterate_orders(model: Network, factors: Factors) -> Iterator[tuple[str, ...]]:
    """Orders in which parents stand first, those with few entries of tables first, in a search of limited size."""
    observed = {one.name for one in model.observed}
    ticket, seen, pushed = count(), set[tuple[Scope, tuple[Scope, ...]]](), 0
    start = (0, next(ticket), (), factors.scopes, frozenset[str]())
    waiting: list[tuple[int, int, tuple[str, ...], tuple[Scope, ...], Scope]] = [start]
    while waiting:
        cost, _, done, scopes, used = heappop(waiting)
        left = [name for name in factors.states if name not in done]
        if not left:
            yield tuple(reversed(done))
            continue
        state = (frozenset(left), tuple(sorted(scopes, key=sorted)))
        if state in seen or pushed > MOST_SETS:
            continue
        seen.add(state)
        for name in left:
            if any(name in factors.kept.get(other, ()) for other in left):
                continue
            mine = [scope for scope in scopes if name in scope]
            own = frozenset(factors.kept.get(name, ()))
            parents = own.union(*mine) - {name}
            counts = (mine or name in factors.kept) and (name in observed or name in used)
            more = prod(factors.states[one] for one in (*parents, name)) if counts else 0
            after = [scope for scope in scopes if name not in scope] + [parents] * bool(mine and parents)
            pushed += 1
            heappush(
                waiting,
                (
                    cost + more,
                    next(ticket),
                    (*done, name),
                    tuple(dict.fromkeys(after)),
                    used | parents if counts else used,
                ),
            )


def list_roots(model: Network) -> tuple[str, ...]:
    """Observed variables without parents that have free tables of their own: as good as conditioned on."""
    return tuple(one.name for one in model.observed if not one.parents and one.local == FREE)


def bound_by_differences(setting: Setting) -> Bound | None:
    """The bound by the first variable and order whose two networks have proved bounds that meet the rank; nothing if there is none."""
    closed = setting.pmap.model
    if not closed.hidden or len(closed.variables) > MOST_VARIABLES or not has_only_tables(setting.pmap):
        return None
    roots = list_roots(closed)
    if not roots or len(roots) == len(closed.observed):
        return None
    model = replace(closed, given=roots)
    extra = sum(one.states - 1 for one in model.variables if one.name in roots)
    wanted = setting.lower - extra
    ranks, seen = dict[str, int](), set[tuple[str, Network]]()
    for number, change in enumerate(list_changes(model)):
        other = build_difference(model, change)
        if other is None or (change.variable, other) in seen:
            continue
        seen.add((change.variable, other))
        pieces = build_slice(model, (change.variable,)), other
        if any(is_large(piece) for piece in pieces):
            continue
        if len(seen) > MOST_NETWORKS or not (has_work() and has_time()):
            return None
        labels = (*setting.labels, KIND, number)
        if change.variable not in ranks:
            ranks[change.variable] = compute_rank(pieces[0], setting.seed, (*labels, 0))
        both = ranks[change.variable], compute_rank(other, setting.seed, (*labels, 1))
        if sum(both) + 1 > wanted:
            continue
        found = []
        for place, (piece, rank) in enumerate(zip(pieces, both, strict=True)):
            bound = bound_network(piece, rank, SEARCHES, setting.seed, (*labels, place))
            if bound is None or bound.value > rank:
                break
            found.append(bound)
        else:
            return make_difference_bound(change, found[0], found[1], extra)
    return None


def list_changes(model: Network) -> Iterator[SliceChange]:
    """The variables conditioned on that something depends on, what is reduced, and a few orders."""
    for variable in model.given:
        if not any(variable in one.parents for one in model.variables):
            continue
        for reduced in iterate_reductions(model, variable):
            factors = change_tables(model, variable, reduced)
            for order in islice(iterate_orders(model, factors), MOST_ORDERS):
                yield SliceChange(variable, reduced, order)


def is_large(model: Network) -> bool:
    """Whether no rank is taken of a network."""
    pmap = get_param_map(model)
    return pmap.parameter_count > MOST_PARAMETERS or pmap.cells > MOST_CELLS


def compute_rank(model: Network, seed: int | str, labels: tuple[int | str, ...]) -> int:
    """The rank at a point, which decides nothing but where to search; more than any where that is too much."""
    pmap = get_param_map(model)
    count_work(WORK_OF_A_MODEL + pmap.parameter_count**2 * min(pmap.parameter_count, pmap.complete))
    method = choose(pmap)
    task = Task(pmap, make_method_evaluator(pmap, method), seed, labels, MOST_MEMORY)
    try:
        return draw(task, method, 0).rank.value
    except LimitError:
        return pmap.complete


def make_difference_bound(change: SliceChange, one: Bound, other: Bound, extra: int) -> Bound:
    """The bound from those of the slice and of the network of the differences."""
    value = one.value + other.value + 1
    what = (
        f"{one.value} of one slice of {change.variable}, {other.value} + 1 of the differences of the others from it, "
        "multiples of a network's distributions"
    )
    whole = what if not extra else f"{what}; {extra} of roots"
    evidence = {
        "variable": change.variable,
        "reduced": list(change.reduced),
        "order": list(change.order),
        "slice": one.to_dict(),
        "difference": other.to_dict(),
    }
    return derive_bound([one, other], value + extra, UPPER, KIND, whole, LEMMA, evidence, whole)


def examine_differences(
    pmap: ParamMap, bound: Bound, effort: Effort, labels: tuple[str, ...]
) -> tuple[tuple[Map, Finding], ...]:
    """The two networks on which a bound rests, with what is found of them."""
    model, found = pmap.model, bound.evidence
    if found["variable"] not in model.given:
        model = replace(model, given=(*model.given, found["variable"]))
    change = SliceChange(found["variable"], tuple(found["reduced"]), tuple(found["order"]))
    pieces = build_slice(model, (change.variable,)), build_difference(model, change)
    inner = effort._replace(bounds=OF_PIECES)
    maps = [get_param_map(piece) for piece in pieces if piece is not None]
    return tuple((one, find_both_bounds(one, inner, (*labels, KIND, str(place)))) for place, one in enumerate(maps))
