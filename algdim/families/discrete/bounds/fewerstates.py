"""Upper bounds of models in which variables have fewer states (lemma "fewer states" in proofs/lemmas.md).

Let an observed variable be conditioned on, or have no children. Each of its states adds the same table to what the others show, with
parameters of its own; so the dimension is concave in the number of states: no state adds more than the one before it. Where ranks say
that it grows by equal steps from few states on, a bound of a model with few states, and ranks of one with fewer, bound the one at hand.
One variable after the other gets as few states as ranks allow. Ranks of the models that are bounded only lead the search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any

from algdim.bound.bounds import UPPER, Bound, derive_bound
from algdim.bound.strategy import Effort, Finding, find_both_bounds, make_lower_bound
from algdim.errors import LimitError
from algdim.families.discrete.bounds.containing import bound_by_containing_models
from algdim.families.discrete.bounds.determinantforms import bound_by_determinants
from algdim.families.discrete.bounds.differences import bound_by_differences, list_roots
from algdim.families.discrete.bounds.grids import bound_by_grids
from algdim.families.discrete.bounds.margins import bound_by_margins, build_margin
from algdim.families.discrete.bounds.normalforms import LITTLE_WORK, bound_by_normal_form
from algdim.families.discrete.bounds.parts import KIND as PARTS
from algdim.families.discrete.bounds.parts import OF_PARTS, bound_by_parts
from algdim.families.discrete.bounds.search import (
    Setting,
    bound_network,
    has_only_tables,
)
from algdim.families.discrete.bounds.supermodels import WORK_OF_A_MODEL, bound_by_supermodels
from algdim.families.discrete.bounds.surroundings import bound_by_surroundings
from algdim.families.discrete.bounds.symmetry import bound_by_symmetry
from algdim.families.discrete.districts import build_slice
from algdim.families.discrete.locals.table import FREE
from algdim.families.discrete.map import ParamMap, get_param_map
from algdim.families.discrete.model import Network
from algdim.jacobian import make_method_evaluator
from algdim.limits import count_work, has_time
from algdim.maps import Map
from algdim.rank import Draw, Task, choose, draw

KIND, LEMMA = "fewer-states", "fewer states"
FEW = 2
"""Nothing is to be gained of a variable with no more states."""
MANY, MOST_LEFT = 256, Fraction(2, 3)
"""Parameters: a model with many, and hardly fewer than the one at hand, is as hard as that."""
MOST_VARIABLES = 64
MOST_RANKS = 60
"""Models whose rank is taken."""
MOST_WORK = 1 << 34
"""Multiplications for them."""
MOST_MEMORY = 1 << 31

SEARCHES: tuple[Callable[[Setting], Bound | None], ...] = (
    bound_by_containing_models,
    bound_by_grids,
    bound_by_determinants,
    bound_by_symmetry,
    bound_by_margins,
    bound_by_differences,
    bound_by_supermodels,
    bound_by_parts,
    partial(bound_by_normal_form, most=LITTLE_WORK),
    bound_by_surroundings,
)
"""Searches for a bound of the model with few states."""
COUNTED = ("counting", "ambient")
OF_LAST = (*OF_PARTS, PARTS, "surroundings")
"""The names of these, whatever bounds are asked for of the whole."""


@dataclass(frozen=True, slots=True, eq=False)
class FewerStates:
    """A variable that gets fewer states: how many it has and gets, the model that it makes, its rank, a draw of the model with one state less still."""

    variable: str
    states: int
    kept: int
    network: Network
    rank: int
    below: Draw

    def carry_over(self, bound: int) -> int:
        """The bound of the model with all states from one of the model with few."""
        return bound + (self.states - self.kept) * (bound - self.below.rank.value)


class RanksOfModels:
    """Draws ranks of models as long as there is work left."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.known: dict[Network, Draw | None] = {}
        self.work = 0

    def of(self, network: Network) -> Draw | None:
        """The draw of a network; nothing where that is too much work."""
        if network not in self.known:
            self.known[network] = self.draw(network)
        return self.known[network]

    def draw(self, network: Network) -> Draw | None:
        """The same, drawn anew."""
        pmap = get_param_map(network)
        cost = pmap.parameter_count**2 * min(pmap.complete, pmap.parameter_count)
        self.work += cost
        count_work(WORK_OF_A_MODEL + cost)
        if self.work > MOST_WORK or len(self.known) >= MOST_RANKS or not has_time():
            return None
        method = choose(pmap)
        labels = (*self.setting.labels, KIND, len(self.known))
        task = Task(pmap, make_method_evaluator(pmap, method), self.setting.seed, labels, MOST_MEMORY)
        try:
            return draw(task, method, 0)
        except LimitError:
            return None


def bound_by_fewer_states(setting: Setting) -> Bound | None:
    """The bound by a model in which ranks say that further states add equally much, if its bound is its rank; nothing otherwise."""
    closed = setting.pmap.model
    if not closed.hidden or len(closed.variables) > MOST_VARIABLES or not has_only_tables(setting.pmap):
        return None
    roots = list_roots(closed)
    if len(roots) == len(closed.observed):
        return None
    extra = sum(closed.states[name] - 1 for name in roots)
    ranks = RanksOfModels(setting)
    steps = list(iterate_steps(replace(closed, given=roots), setting.lower - extra, ranks))
    if not steps:
        return None
    last = steps[-1]
    left = get_param_map(last.network).parameter_count
    if left > MANY and left > MOST_LEFT * setting.pmap.parameter_count:
        return None
    bound = bound_network(last.network, last.rank, SEARCHES, setting.seed, (*setting.labels, KIND, "bound"))
    return None if bound is None or bound.value > last.rank else make_fewer_states_bound(steps, bound, extra)


def iterate_steps(network: Network, rank: int, ranks: RanksOfModels) -> Iterator[FewerStates]:
    """Steps to smaller models, each time the one to the smallest."""
    while True:
        steps = [step for name in list_repeated(network) if (step := find_step(network, name, rank, ranks)) is not None]
        if not steps:
            return
        best = min(steps, key=lambda one: get_param_map(one.network).parameter_count)
        yield best
        network, rank = best.network, best.rank


def list_repeated(network: Network) -> list[str]:
    """Observed variables with more than few states, each of which has a table of its own for the same scope: conditioned on, or at an end of the graph."""
    parents = {name for one in network.variables for name in one.parents}
    has_others = len(network.observed) > len(network.given) + 1
    found = []
    for one in network.observed:
        children = [child for child in network.variables if one.name in child.parents]
        own = children if one.name in network.given else [one] if one.name not in parents and has_others else []
        if one.states > FEW and own and all(table.local == FREE for table in own):
            found.append(one.name)
    return found


def find_step(network: Network, name: str, rank: int, ranks: RanksOfModels) -> FewerStates | None:
    """The fewest states of a variable from which ranks grow by equal steps; nothing if the last two steps differ."""
    states, values, found = network.states[name], [rank], list[Draw]()
    for fewer in range(states - 1, 0, -1):
        one = ranks.of(give_states(network, name, fewer))
        if one is None or (found and values[-1] - one.rank.value != values[0] - values[1]):
            break
        values.append(one.rank.value)
        found.append(one)
    if len(found) < 2:  # the last step alone is equal to itself
        return None
    kept = states - len(found) + 1
    return FewerStates(name, states, kept, give_states(network, name, kept), values[-2], found[-1])


def give_states(network: Network, name: str, states: int) -> Network:
    """The network in which a variable has so many states; with one it is left out."""
    if states > 1:
        changed = tuple(one.with_states(states) if one.name == name else one for one in network.variables)
        return Network(changed, network.given)
    if name in network.given:
        return build_slice(network, (name,))
    return build_margin(network, [one.name for one in network.observed if one.name != name])


def make_fewer_states_bound(steps: list[FewerStates], bound: Bound, extra: int) -> Bound:
    """The bound from that of the smallest model and the ranks below each step."""
    value, listed = bound.value, []
    for step in reversed(steps):
        value = step.carry_over(value)
    evidence: dict[str, Any] = {"steps": [], "bound": bound.to_dict()}
    proofs = [bound]
    for step in steps:
        below = make_lower_bound(step.below, 1)
        proofs.append(below)
        listed.append(f"{step.variable} with {step.kept} states in place of {step.states}")
        evidence["steps"].append(
            {"variable": step.variable, "states": step.states, "kept": step.kept, "below": below.to_dict()}
        )
    what = f"{bound.value} of the model in which {', '.join(listed)}, and equally much for each further state" + (
        f"; {extra} of roots" if extra else ""
    )
    return derive_bound(proofs, value + extra, UPPER, KIND, f"{what}: {bound.reason}", LEMMA, evidence, what)


def list_smaller_models(model: Network, evidence: Mapping[str, Any]) -> list[Network]:
    """The model with one state less still than each step leaves, and last the one after all steps; roots are conditioned on."""
    closed = replace(model, given=())
    network, found = replace(closed, given=list_roots(closed)), []
    for step in evidence["steps"]:
        found.append(give_states(network, step["variable"], step["kept"] - 1))
        network = give_states(network, step["variable"], step["kept"])
    return [*found, network]


def examine_fewer_states(
    pmap: ParamMap, bound: Bound, effort: Effort, labels: tuple[str, ...]
) -> tuple[tuple[Map, Finding], ...]:
    """The models on which a bound rests, with what is found of them: of all but the last a rank is all that is wanted."""
    *below, last = [get_param_map(one) for one in list_smaller_models(pmap.model, bound.evidence)]
    wanted = [*((one, COUNTED) for one in below), (last, OF_LAST)]
    return tuple(
        (one, find_both_bounds(one, effort._replace(bounds=names), (*labels, KIND, str(place))))
        for place, (one, names) in enumerate(wanted)
    )
