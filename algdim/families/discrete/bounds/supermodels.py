"""Upper bounds of models that contain this one and have its dimension (lemma "supermodels" in proofs/lemmas.md).

A model is contained in the one in which a hidden variable is averaged out, in the one in which a table is free and has
more parents, and in the one in which an arc is reversed. Most of these have a greater dimension. Where a rank at a point says
that one has not, and its symmetries are easier to see, its bound is this one's: a hidden variable that could have a parent of
its children for a parent, for instance, can be mixed in another way for each state of it. First all that can be is averaged
out, hidden variables get the parents that all their children have, and arcs to children on which all other children depend
are reversed; then the search goes from such a model to the next. Ranks only lead it.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from itertools import count
from math import prod
from typing import Any

from algdim.bound.bounds import UPPER, Bound, derive_bound
from algdim.bound.counting import bound_by_counting
from algdim.bound.strategy import Effort, Finding, find_both_bounds
from algdim.errors import LimitError
from algdim.families.discrete.bounds.containing import (
    Averaged,
    Counts,
    collect_own_parameters,
    convert_to_masks,
    iterate_child_orders,
    remove_variable,
)
from algdim.families.discrete.bounds.normalforms import LITTLE_WORK, bound_by_normal_form
from algdim.families.discrete.bounds.search import Setting, has_only_tables
from algdim.families.discrete.bounds.symmetry import bound_by_symmetry
from algdim.families.discrete.map import ParamMap, get_param_map
from algdim.families.discrete.model import Network, Variable
from algdim.jacobian import make_method_evaluator
from algdim.limits import count_work, has_time, has_work
from algdim.maps import Map
from algdim.models.graphs import iterate_positions
from algdim.rank import Task, choose, draw

KIND = LEMMA = "supermodels"
MOST_VARIABLES = 64
MOST_RANKS = 48
"""Models whose rank is taken."""
MOST_IDLE = 6
"""After the symmetries of so many models in a row gave no less the search ends."""
MOST_PARAMETERS = 4096
MOST_WORK = 1 << 37
"""Larger models are not looked at, and no more multiplications spent on ranks."""
WORK_OF_A_MODEL = 1 << 28
"""What it takes to make a model and its matrix, in multiplications: counted of the work that searches share."""
MOST_MEMORY = 1 << 31
MOST_AVERAGES, MOST_TRIED = 64, 4
"""After so many sets of hidden variables that are averaged out together no larger ones are looked at, and of so few the rank is taken."""


REMOVED, WIDENED, REVERSED = "hidden", "widened", "reversed"
WORDS = {REMOVED: "children", WIDENED: "parents", REVERSED: "child"}
"""Kinds of steps, and what the other variables of each are."""


@dataclass(frozen=True, slots=True)
class SupermodelStep:
    """A hidden variable averaged out, with its children in an order; a free table that gets more parents; an arc to one child reversed."""

    kind: str
    variable: int
    others: tuple[int, ...]

    def to_dict(self, names: Sequence[str]) -> dict[str, Any]:
        """The step by names."""
        others = [names[other] for other in self.others]
        return {self.kind: names[self.variable], WORDS[self.kind]: others[0] if self.kind == REVERSED else others}

    def text(self, names: Sequence[str]) -> str:
        """The step for people."""
        one, others = names[self.variable], ", ".join(names[other] for other in self.others)
        if self.kind == REMOVED:
            return f"{one} averaged out"
        return f"{others} -> {one} added" if self.kind == WIDENED else f"{one} -> {others} reversed"


@dataclass(frozen=True, slots=True)
class Supermodel:
    """A model that contains the one at hand, and how it comes from it."""

    graph: Averaged
    steps: tuple[SupermodelStep, ...] = ()


class Ranks:
    """Takes the ranks of models that contain one, as long as there is work left."""

    def __init__(self, setting: Setting) -> None:
        self.setting, self.model = setting, setting.pmap.model
        self.taken = self.work = 0

    def is_over(self, cost: int = 0) -> bool:
        """Whether no rank of this cost is taken any more."""
        return self.taken >= MOST_RANKS or self.work + cost > MOST_WORK or not (has_work() and has_time())

    def examine(self, graph: Averaged, cost: int) -> ParamMap | None:
        """The map of a model, if its rank is no greater."""
        self.taken, self.work = self.taken + 1, self.work + cost
        count_work(WORK_OF_A_MODEL + cost)
        pmap = get_param_map(build_network(self.model, graph))
        return None if compute_rank(pmap, self.setting) > self.setting.lower else pmap


def bound_by_supermodels(setting: Setting) -> Bound | None:
    """The least bound of models that contain this one and seem to have its dimension; ``None`` if none was found.

    Symmetries are tried of many models, a normal form of the smallest one alone.
    """
    model = setting.pmap.model
    if not model.hidden or len(model.variables) > MOST_VARIABLES or not has_only_tables(setting.pmap):
        return None
    ranks = Ranks(setting)
    reduced = list(iterate_reduced(ranks, Supermodel(convert_to_masks(setting.pmap))))
    best = search_by_symmetry(ranks, reduced)
    if reduced and (best is None or best[0].value > setting.lower):
        found, smallest = min(reduced, key=lambda one: one[1].parameter_count)
        inner = Setting(smallest, setting.lower, setting.seed, (*setting.labels, KIND, "normal-form"))
        bound = (
            bound_by_normal_form(inner, LITTLE_WORK)
            if smallest.parameter_count < setting.pmap.parameter_count
            else None
        )
        best = (bound, found) if bound is not None and bound.value <= setting.lower else best
    return make_supermodel_bound(setting, best)


def search_by_symmetry(ranks: Ranks, reduced: Sequence[tuple[Supermodel, ParamMap]]) -> tuple[Bound, Supermodel] | None:
    """The model with the least bound by symmetries, among those that are reduced and others step by step."""
    setting, model = ranks.setting, ranks.model
    start = convert_to_masks(setting.pmap)
    seen, ticket, idle = {start}, count(), 0
    waiting: list[tuple[tuple[int, int], int, Supermodel]] = [((0, 0), next(ticket), Supermodel(start))]
    best: tuple[Bound, Supermodel] | None = None
    for number, (found, larger) in enumerate(reduced):
        bound = bound_small_model(larger, setting, number)
        seen.add(found.graph)
        if best is None or bound.value < best[0].value:
            best = bound, found
            if bound.value <= setting.lower:
                return best
        heappush(waiting, ((bound.value, len(larger.model.hidden)), next(ticket), found))
    while waiting:
        _, _, last = heappop(waiting)
        for cost, step, graph in list_affordable_steps(model, last.graph, seen):
            seen.add(graph)
            if ranks.work + cost > MOST_WORK:
                break
            if idle >= MOST_IDLE or ranks.is_over(cost):
                return best
            pmap = ranks.examine(graph, cost)
            if pmap is None:
                continue
            found = Supermodel(graph, (*last.steps, step))
            bound = bound_small_model(pmap, setting, ranks.taken)
            idle += 1
            if best is None or bound.value < best[0].value:
                best, idle = (bound, found), 0
                if bound.value <= setting.lower:
                    return best
            heappush(waiting, ((bound.value, len(pmap.model.hidden)), next(ticket), found))
    return best


def iterate_reduced(ranks: Ranks, start: Supermodel) -> Iterator[tuple[Supermodel, ParamMap]]:
    """Models, one from the other: variables averaged out, together and singly; parents added that all children have; arcs reversed; more parents.

    A hidden variable with such a parent can be mixed in another way for each state of it; if the rank stays the same, it is.
    """
    while averaged := list(iterate_averages(ranks, start.graph)):
        yield from averaged
        start = averaged[0][0]  # of which more can be averaged out
    for iterate in (
        iterate_smaller,
        iterate_common_parents,
        iterate_reversed,
        iterate_common_parents,
        iterate_parents_of_parents,
    ):
        found, last = take_all(ranks, start, iterate)
        if last is None:
            continue
        start = found
        yield found, last


def iterate_averages(ranks: Ranks, start: Averaged) -> Iterator[tuple[Supermodel, ParamMap]]:
    """Networks with few parameters in which more hidden variables are averaged out together and whose rank is no greater.

    Of a network without hidden variables the dimension is the number of parameters, and no rank is taken.
    """
    model, counts = ranks.model, make_counts(ranks.setting.pmap)
    found = sorted(list_averages(ranks.setting.pmap, start).values(), key=lambda one: one[0])
    few = [(number, graph) for number, graph in found if number < counts.of(start)]
    hidden = {number for number, variable in enumerate(model.variables) if not variable.observed}
    partial = [graph for number, graph in few if number <= ranks.setting.lower or not has_gone(graph, hidden)]
    for graph in partial[:MOST_TRIED]:
        cost = estimate_work(model, graph)
        if cost is None or ranks.is_over(cost):
            continue
        larger = ranks.examine(graph, cost)
        if larger is not None:
            steps = tuple(SupermodelStep(REMOVED, vertex, order) for vertex, order in graph.removed)
            yield Supermodel(graph, steps), larger


def has_gone(graph: Averaged, hidden: set[int]) -> bool:
    """Whether all hidden variables have been averaged out."""
    return hidden <= {vertex for vertex, _ in graph.removed}


def make_counts(pmap: ParamMap) -> Counts:
    """Counts the parameters of graphs."""
    return Counts(tuple(variable.states for variable in pmap.model.variables), collect_own_parameters(pmap))


def list_averages(pmap: ParamMap, start: Averaged) -> dict[frozenset[int], tuple[int, Averaged]]:
    """For each set of hidden variables the network with the fewest parameters in which they are averaged out, in a search of limited size."""
    counts, sizes = make_counts(pmap), [variable.states for variable in pmap.model.variables]
    hidden = [v for v in iterate_positions(start.left) if not pmap.model.variables[v].observed]
    found: dict[frozenset[int], tuple[int, Averaged]] = {}
    last = {frozenset[int](): start}
    while last and len(found) < MOST_AVERAGES:
        larger: dict[frozenset[int], tuple[int, Averaged]] = {}
        for gone, graph in last.items():
            for vertex in hidden:
                if vertex in gone:
                    continue
                for order in iterate_child_orders(graph, vertex, sizes):
                    smaller = remove_variable(graph, vertex, order)
                    one = counts.of(smaller), smaller
                    key = gone | {vertex}
                    if key not in larger or one[0] < larger[key][0]:
                        larger[key] = one
        found |= larger
        last = {key: graph for key, (_, graph) in larger.items()}
    return found


def take_all(
    ranks: Ranks, found: Supermodel, iterate: Callable[[Network, Averaged], Iterator[tuple[SupermodelStep, Averaged]]]
) -> tuple[Supermodel, ParamMap | None]:
    """A model after all steps of a kind that leave the rank as it is, the cheapest first, each tried once; its map if there is one."""
    tried: set[SupermodelStep] = set()
    last: ParamMap | None = None
    while True:
        left = [one for one in list_affordable_steps(ranks.model, found.graph, (), iterate) if one[1] not in tried]
        if not left or ranks.is_over(left[0][0]):
            return found, last
        cost, step, graph = left[0]
        tried.add(step)
        pmap = ranks.examine(graph, cost)
        if pmap is not None:
            found, last = Supermodel(graph, (*found.steps, step)), pmap


def iterate_smaller(model: Network, graph: Averaged) -> Iterator[tuple[SupermodelStep, Averaged]]:
    """Each hidden variable averaged out, where no more parameters come of it."""
    now = estimate_work(model, graph)
    for step, smaller in iterate_steps(model, graph):
        cost = estimate_work(model, smaller) if step.kind == REMOVED else None
        if cost is not None and (now is None or cost <= now):
            yield step, smaller


def iterate_common_parents(model: Network, graph: Averaged) -> Iterator[tuple[SupermodelStep, Averaged]]:
    """Each hidden variable with one more parent, which all its children have."""
    for step, larger in iterate_steps(model, graph):
        if step.kind == WIDENED:
            children = [v for v in iterate_positions(graph.left) if graph.parents[v] >> step.variable & 1]
            if all(graph.parents[child] >> step.others[0] & 1 for child in children):
                yield step, larger


def iterate_reversed(model: Network, graph: Averaged) -> Iterator[tuple[SupermodelStep, Averaged]]:
    """Each arc from a hidden V to an observed child on which all other children of V, or of a hidden variable above V, depend.

    Once it is reversed, the child is a parent of all children of that variable, and can become one of the variable itself.
    """
    hidden = [v for v in iterate_positions(graph.left) if not model.variables[v].observed]
    children = {v: [child for child in iterate_positions(graph.left) if graph.parents[child] >> v & 1] for v in hidden}
    for v in hidden:
        above = [one for one in hidden if find_descendants(graph, one) >> v & 1]
        for child in children[v]:
            if not model.variables[child].observed or not can_be_reversed(graph, v, child):
                continue
            if any(
                len(others) > 1 and all(other == child or graph.parents[other] >> child & 1 for other in others)
                for others in ([other for other in children[one] if other != v] for one in above)
            ):
                yield SupermodelStep(REVERSED, v, (child,)), reverse_arc(graph, v, child)


def iterate_parents_of_parents(model: Network, graph: Averaged) -> Iterator[tuple[SupermodelStep, Averaged]]:
    """Each observed child of a hidden variable with one more parent, which a parent of it has that is a child of the same hidden variable.

    Tables around a hidden variable can be mixed together if each has all variables of the one before it for parents.
    """
    hidden = sum(1 << v for v in iterate_positions(graph.left) if not model.variables[v].observed)
    for child in iterate_positions(graph.left):
        if not model.variables[child].observed or not graph.parents[child] & hidden:
            continue
        more = 0
        for parent in iterate_positions(graph.parents[child]):
            if graph.parents[parent] & graph.parents[child] & hidden:
                more |= graph.parents[parent]
        for other in iterate_positions(more & ~graph.parents[child]):
            yield SupermodelStep(WIDENED, child, (other,)), widen_table(graph, child, other)


def can_be_reversed(graph: Averaged, vertex: int, child: int) -> bool:
    """Whether the arc is the only path from the variable to its child."""
    others = graph.parents[child] & ~(1 << vertex)
    return not find_descendants(graph, vertex) & others


def reverse_arc(graph: Averaged, vertex: int, child: int) -> Averaged:
    """The graph in which a child is a parent, and both have the parents of both."""
    parents = list(graph.parents)
    both = (parents[vertex] | parents[child]) & ~(1 << vertex)
    parents[child], parents[vertex] = both, both | 1 << child
    return replace(graph, parents=tuple(parents), freed=graph.freed | 1 << vertex | 1 << child)


def list_affordable_steps(
    model: Network,
    graph: Averaged,
    seen: Container[Averaged],
    iterate: Callable[[Network, Averaged], Iterator[tuple[SupermodelStep, Averaged]]] | None = None,
) -> list[tuple[int, SupermodelStep, Averaged]]:
    """The steps to models that were not seen and are not too large, with the work of a rank, the least first."""
    found = []
    for step, larger in (iterate or iterate_steps)(model, graph):
        cost = None if larger in seen else estimate_work(model, larger)
        if cost is not None:
            found.append((cost, step, larger))
    return sorted(found, key=lambda one: one[0])


def iterate_steps(model: Network, graph: Averaged) -> Iterator[tuple[SupermodelStep, Averaged]]:
    """Each hidden variable averaged out, and each given one more parent: another parent of a child of it, no descendant."""
    sizes = [variable.states for variable in model.variables]
    hidden = [v for v in iterate_positions(graph.left) if not model.variables[v].observed]
    for v in hidden:
        for order in iterate_child_orders(graph, v, sizes):
            yield SupermodelStep(REMOVED, v, order), remove_variable(graph, v, order)
    for v in hidden:
        children = [child for child in iterate_positions(graph.left) if graph.parents[child] >> v & 1]
        besides = 0
        for child in children:
            besides |= graph.parents[child]
        for other in iterate_positions(besides & ~find_descendants(graph, v) & ~graph.parents[v]):
            yield SupermodelStep(WIDENED, v, (other,)), widen_table(graph, v, other)


def widen_table(graph: Averaged, vertex: int, other: int) -> Averaged:
    """The graph with one more parent of a variable, whose table becomes free."""
    parents = list(graph.parents)
    parents[vertex] |= 1 << other
    return replace(graph, parents=tuple(parents), freed=graph.freed | 1 << vertex)


def find_descendants(graph: Averaged, vertex: int) -> int:
    """A variable and those that descend from it."""
    found, grown = 0, 1 << vertex
    while grown != found:
        found = grown
        for other in iterate_positions(graph.left):
            if graph.parents[other] & found:
                grown |= 1 << other
    return found


def build_network(model: Network, graph: Averaged) -> Network:
    """The network of a graph: tables that were not freed stay what they were."""
    found = []
    for v in iterate_positions(graph.left):
        old = model.variables[v]
        names = tuple(model.variables[parent].name for parent in iterate_positions(graph.parents[v]))
        found.append(Variable(old.name, old.states, old.observed, names) if graph.freed >> v & 1 else old)
    return Network(tuple(found))


def estimate_work(model: Network, graph: Averaged) -> int | None:
    """About how many multiplications a rank takes; ``None`` if the model is too large."""
    sizes = [variable.states for variable in model.variables]
    parameters = 0
    for v in iterate_positions(graph.left):
        parameters += (sizes[v] - 1) * prod(sizes[parent] for parent in iterate_positions(graph.parents[v]))
    return None if parameters > MOST_PARAMETERS else parameters**3


def compute_rank(pmap: ParamMap, setting: Setting) -> int:
    """The rank at a point, which decides nothing but where to search."""
    method = choose(pmap)
    task = Task(pmap, make_method_evaluator(pmap, method), setting.seed, (*setting.labels, KIND), MOST_MEMORY)
    try:
        return draw(task, method, 0).rank.value
    except LimitError:
        return setting.lower + 1


def bound_small_model(pmap: ParamMap, setting: Setting, number: int) -> Bound:
    """The bound by symmetries, or by counting."""
    counted = bound_by_counting(pmap)
    if counted.value <= setting.lower:
        return counted
    inner = Setting(pmap, setting.lower, setting.seed, (*setting.labels, KIND, number))
    return bound_by_symmetry(inner) or counted


def make_supermodel_bound(setting: Setting, best: tuple[Bound, Supermodel] | None) -> Bound | None:
    """The bound of the best model."""
    if best is None:
        return None
    bound, found = best
    names = [variable.name for variable in setting.pmap.model.variables]
    how = ", ".join(step.text(names) for step in found.steps)
    reason = f"{bound.value} of the model with {how}, which contains this one: {bound.reason}"
    evidence = {"steps": [step.to_dict(names) for step in found.steps], "bound": bound.to_dict()}
    return derive_bound([bound], bound.value, UPPER, KIND, reason, LEMMA, evidence, f"{how}: at most {bound.value}")


def examine_supermodel(
    pmap: ParamMap, bound: Bound, effort: Effort, labels: tuple[str, ...]
) -> tuple[tuple[Map, Finding], ...]:
    """The model on which a bound rests, with what is found of it."""
    if bound.kind != KIND:
        return ()
    network = rebuild_supermodel(pmap.model, bound.evidence["steps"])
    small = get_param_map(network)
    names = ("counting", *(name for name in effort.bounds if name not in (KIND, "counting")))
    return ((small, find_both_bounds(small, effort._replace(bounds=names), (*labels, KIND))),)


def rebuild_supermodel(model: Network, steps: Sequence[Mapping[str, Any]]) -> Network:
    """The model that comes of steps by names, under the same conditions."""
    closed = replace(model, given=())
    graph = convert_to_masks(get_param_map(closed))
    number = {variable.name: index for index, variable in enumerate(closed.variables)}
    for step in steps:
        if "hidden" in step:
            graph = remove_variable(graph, number[step["hidden"]], [number[v] for v in step["children"]])
        elif "reversed" in step:
            graph = reverse_arc(graph, number[step["reversed"]], number[step["child"]])
        else:
            for other in step["parents"]:
                graph = widen_table(graph, number[step["widened"]], number[other])
    return replace(build_network(closed, graph), given=model.given)
