"""Upper bounds of models that show more, part by part (lemma "parts" in proofs/lemmas.md).

A model shows no more than the same one in which some hidden variables are observed, and this one decomposes into more districts. What is
given the states of an observed variable shows no more than what is given each of them alone, with tables of its own. Both are done as
long as the ranks add up to the rank at hand; then each part that is left has to have a bound that is its rank. Ranks only lead the search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from algdim.bound.bounds import UPPER, Bound, derive_bound
from algdim.bound.strategy import Effort, Finding, find_both_bounds
from algdim.errors import LimitError
from algdim.families.discrete.bounds.containing import bound_by_containing_models
from algdim.families.discrete.bounds.determinantforms import bound_by_determinants
from algdim.families.discrete.bounds.differences import bound_by_differences, list_roots
from algdim.families.discrete.bounds.grids import bound_by_grids
from algdim.families.discrete.bounds.margins import bound_by_margins
from algdim.families.discrete.bounds.normalforms import bound_by_normal_form
from algdim.families.discrete.bounds.search import (
    Setting,
    bound_network,
    has_only_tables,
)
from algdim.families.discrete.bounds.supermodels import bound_by_supermodels
from algdim.families.discrete.bounds.symmetry import bound_by_symmetry
from algdim.families.discrete.districts import build_kernel, build_slice, find_districts
from algdim.families.discrete.map import ParamMap, get_param_map
from algdim.families.discrete.model import Network, drop_irrelevant
from algdim.jacobian import make_method_evaluator
from algdim.limits import has_time
from algdim.maps import Map
from algdim.rank import Task, choose, draw

KIND, LEMMA = "parts", "parts"
OBSERVED, SLICE = "observed", "slice"
MOST_VARIABLES = 64
MOST_RANKS = 60
"""Networks whose rank is taken."""
MOST_WORK = 1 << 33
"""Multiplications for them."""
MOST_PARAMETERS = 2048
MOST_CELLS = 1 << 16
MOST_MEMORY = 1 << 31
MOST_SEARCHED = 128
"""Parameters of a part for which more than the first searches are made."""
OF_PARTS = (
    *("counting", "ambient", "containing", "flattenings", "koszul", "grids", "determinants", "symmetry"),
    *("margins", "differences", "supermodels", "normal-form"),
)
"""The names of the bounds of parts that are tried, whatever bounds are asked for of the whole."""

FIRST_SEARCHES: tuple[Callable[[Setting], Bound | None], ...] = (
    bound_by_containing_models,
    bound_by_grids,
    bound_by_determinants,
    bound_by_symmetry,
)
SEARCHES = (
    *FIRST_SEARCHES,
    bound_by_margins,
    bound_by_differences,
    bound_by_supermodels,
    bound_by_normal_form,
)


@dataclass(frozen=True, slots=True)
class NetworkPart:
    """A network, how often it counts, and how it comes from the model: what was observed, and whose states were taken one by one."""

    network: Network
    rank: int
    times: int = 1
    steps: tuple[tuple[str, str], ...] = ()


class PartRanks:
    """Takes ranks, as long as there is work left; a network without hidden variables is counted."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.known: dict[Network, int | None] = {}
        self.work = 0

    def of(self, network: Network) -> int | None:
        """The rank of a network; nothing where that is too much."""
        if network not in self.known:
            self.known[network] = self.compute(network)
        return self.known[network]

    def compute(self, network: Network) -> int | None:
        """The same, taken anew."""
        pmap = get_param_map(network)
        if not network.hidden:
            return pmap.parameter_count
        cost = pmap.parameter_count**2 * min(pmap.cells, pmap.parameter_count)
        self.work += cost
        is_large = pmap.parameter_count > MOST_PARAMETERS or pmap.cells > MOST_CELLS
        if is_large or self.work > MOST_WORK or len(self.known) >= MOST_RANKS or not has_time():
            return None
        method = choose(pmap)
        labels = (*self.setting.labels, KIND, len(self.known))
        task = Task(pmap, make_method_evaluator(pmap, method), self.setting.seed, labels, MOST_MEMORY)
        try:
            return draw(task, method, 0).rank.value
        except LimitError:
            return None


def bound_by_parts(setting: Setting) -> Bound | None:
    """The sum of the bounds of parts, if each is the rank of its part and these add up to the rank at hand."""
    closed = setting.pmap.model
    if not closed.hidden or len(closed.variables) > MOST_VARIABLES or not has_only_tables(setting.pmap):
        return None
    roots = list_roots(closed)
    extra = sum(closed.states[name] - 1 for name in roots)
    if len(roots) == len(closed.observed):
        return None
    ranks = PartRanks(setting)
    whole = NetworkPart(replace(closed, given=roots), setting.lower - extra)
    found = divide_all(whole, ranks)
    if found == [whole]:
        return None
    bounds: dict[Network, Bound] = {}
    for number, part in enumerate(sorted(found, key=lambda one: one.rank)):
        if part.network not in bounds:
            size = get_param_map(part.network).parameter_count
            searches = SEARCHES if size <= MOST_SEARCHED else FIRST_SEARCHES
            bound = bound_network(
                part.network, part.rank, searches, setting.seed, (*setting.labels, KIND, "bound", number)
            )
            if bound is None or bound.value > part.rank:
                return None
            bounds[part.network] = bound
    return make_parts_bound(found, bounds, extra)


def divide_all(whole: NetworkPart, ranks: PartRanks) -> list[NetworkPart]:
    """The parts that cannot be divided any more."""
    waiting, found = [whole], []
    while waiting:
        part = waiting.pop()
        smaller = divide(part, ranks)
        if smaller is None:
            found.append(part)
        else:
            waiting.extend(smaller)
    return found


def divide(part: NetworkPart, ranks: PartRanks) -> list[NetworkPart] | None:
    """The districts, the slices, or what one more observed variable makes of a part, if the ranks add up to its own."""
    if not part.network.hidden:
        return None
    for word, name, networks, times in iterate_divisions(part.network):
        total, several = 0, []
        for network in networks:
            rank = ranks.of(network)
            if rank is None or total + rank * times > part.rank:
                break
            total += rank * times
            several.append(NetworkPart(network, rank, part.times * times, (*part.steps, (word, name))))
        else:
            return several
    return None


def iterate_divisions(network: Network) -> Iterator[tuple[str, str, list[Network], int]]:
    """One slice of each variable conditioned on, as often as it has states; the districts after one hidden variable is observed."""
    for name in network.given:
        if any(name in variable.parents for variable in network.variables):
            yield SLICE, name, [build_slice(network, (name,))], network.states[name]
    for variable in network.hidden:
        if variable.states > 1:  # what is observed has two states or more
            yield OBSERVED, variable.name, list_districts(observe(network, variable.name)), 1


def observe(network: Network, name: str) -> Network:
    """The network in which one more variable is observed."""
    changed = tuple(replace(one, observed=True) if one.name == name else one for one in network.variables)
    return Network(changed, network.given)


def list_districts(network: Network) -> list[Network]:
    """The kernels of the districts, without what does not matter in them."""
    return [drop_irrelevant(build_kernel(network, members))[0] for members in find_districts(network)]


def make_parts_bound(parts: list[NetworkPart], bounds: dict[Network, Bound], extra: int) -> Bound:
    """The bound from those of the parts."""
    value = sum(part.times * bounds[part.network].value for part in parts)
    steps = list(dict.fromkeys(step for part in parts for step in part.steps))
    shown = [name for word, name in steps if word == OBSERVED]
    sliced = [name for word, name in steps if word == SLICE]
    how = [f"{', '.join(shown)} observed"] * bool(shown) + [f"a slice for each state of {', '.join(sliced)}"] * bool(
        sliced
    )
    sums = " + ".join(
        f"{part.times}·{bounds[part.network].value}" if part.times > 1 else str(bounds[part.network].value)
        for part in parts
    )
    hard = [f"{bound.value}: {bound.reason}" for network, bound in bounds.items() if network.hidden]
    what = f"{sums}, {' and '.join(how)}" + (f"; {extra} of roots" if extra else "")
    evidence: dict[str, Any] = {
        "parts": [
            {
                "variables": [one.name for one in part.network.variables if one.name not in part.network.given],
                "steps": [list(step) for step in part.steps],
                "times": part.times,
                "bound": bounds[part.network].to_dict(),
            }
            for part in parts
        ]
    }
    return derive_bound(
        list(bounds.values()), value + extra, UPPER, KIND, "; ".join([what, *hard]), LEMMA, evidence, what
    )


def list_shown_parts(model: Network, evidence: Mapping[str, Any]) -> list[tuple[Network, tuple[str, ...]]]:
    """All parts at once, with the variables of which one state stands for all: what is observed is so in all parts.

    A variable whose states were taken one by one before another one was observed need not be in all parts that this made.
    """
    steps = {tuple(one["variables"]): one["steps"] for one in evidence["parts"]}
    shown = {name for each in steps.values() for word, name in each if word == OBSERVED}
    larger = model
    for name in (one.name for one in model.hidden if one.name in shown):
        larger = observe(larger, name)
    found = []
    for members in find_districts(larger):
        kernel = build_kernel(larger, members)
        sliced = {name for word, name in steps.get(members, ()) if word == SLICE} if kernel.hidden else {}
        names = tuple(name for name in kernel.given if name in sliced)
        found.append((build_slice(kernel, names) if names else kernel, names))
    return found


def examine_parts(
    pmap: ParamMap, bound: Bound, effort: Effort, labels: tuple[str, ...]
) -> tuple[tuple[Map, Finding], ...]:
    """The parts on which a bound rests, with what is found of them."""
    inner = effort._replace(bounds=OF_PARTS)
    maps = [get_param_map(network) for network, _ in list_shown_parts(pmap.model, bound.evidence)]
    return tuple((one, find_both_bounds(one, inner, (*labels, KIND, str(place)))) for place, one in enumerate(maps))
