"""Upper bounds by counting the parameters of models that contain this one, or are equal to it.

- A latent tree with free tables is equal to its reduced one (lemma "capping").
- A hidden variable can be averaged out as in GHM96 §5's "not beyond 12" (lemma "containing"): reverse its edges to its
  children one after the other (Shachter 1986), each child before those it is an ancestor of; then nothing depends on it any
  more. The i-th child gets as parents the parents of the hidden variable, those of the first i children, and these children.
  The network that remains contains the model, whatever its tables: the tables of the children are made free, all others
  stay what they were.
- The nested Markov model of the latent projection contains the model, for any number of hidden states (lemma "nested"). A
  positive distribution of a network with hidden variables obeys the nested Markov property (Richardson, Evans, Robins,
  Shpitser, arXiv:1701.06686), and is then a polynomial in the numbers q(head = x | tail = y), x without the last state of any
  member (Evans, Richardson, "Smooth, identifiable supermodels of discrete DAG models with latent variables",
  arXiv:1511.06813): as many as Σ over heads of ∏_{head}(r − 1)·∏_{tail} r. These are rational functions of the parameters, so
  no more than that many can be independent among the cells. Tables that are fixed, shared or deterministic are special cases
  of free ones, whose inner points are positive: so this bounds every discrete network.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count, permutations
from math import prod
from typing import NamedTuple

from algdim.bound.bounds import UPPER, Bound, choose_least, prove_bound
from algdim.exact.arithmetic import Booleans
from algdim.families.discrete.bounds.search import Setting
from algdim.families.discrete.bounds.trees import describe_reduction
from algdim.families.discrete.map import ParamMap
from algdim.families.discrete.model import Network
from algdim.families.discrete.trees import TreeReduction, count_parameters, find_latent_tree, reduce_tree
from algdim.figures import format_count
from algdim.jacobian import make_inner_point
from algdim.maps import plan_once
from algdim.models.graphs import Head, MixedGraph, find_heads, iterate_positions, project_hidden_variables

CONTAINING = "containing"
MOST_VARIABLES = 64
MOST_GRAPHS = 400
"""Networks that are counted in one search."""
MOST_PERMUTED = 4
"""Up to this many children all orders are tried, beyond two."""


@dataclass(frozen=True, slots=True)
class Averaged:
    """A network with some hidden variables averaged out: masks of parents, what is left, whose tables were made free."""

    parents: tuple[int, ...]
    left: int
    freed: int
    removed: tuple[tuple[int, tuple[int, ...]], ...] = field(default=(), compare=False)


class Counts(NamedTuple):
    """What is needed to count the parameters of such a network: sizes, and each table's own parameters."""

    sizes: tuple[int, ...]
    own: tuple[frozenset[int], ...]

    def of(self, network: Averaged) -> int:
        """The number of parameters: those of untouched tables, and those of freed tables."""
        kept: set[int] = set()
        value = 0
        for vertex in iterate_positions(network.left):
            if network.freed >> vertex & 1:
                above = iterate_positions(network.parents[vertex])
                value += (self.sizes[vertex] - 1) * prod(map(self.sizes.__getitem__, above))
            else:
                kept |= self.own[vertex]
        return value + len(kept)


def bound_by_containing_models(setting: Setting) -> Bound | None:
    """The least number of parameters found among models that contain this one, ``None`` if none was looked at."""
    return choose_least([bound_by_reduced_tree(setting), bound_by_averaging(setting), bound_by_sum_scores(setting)])


def bound_by_sum_scores(setting: Setting) -> Bound | None:
    """Of items of Rasch's model with one hidden trait: ∏ A·g(sum of the states), which contains it whatever its classes.

    >>> from algdim.families.discrete.map import get_param_map
    >>> from algdim.models.notation import parse
    >>> pmap = get_param_map(parse("H -> X1..X5; hidden H; states H=9; rasch X1..X5"))
    >>> bound_by_sum_scores(Setting(pmap, 0)).value
    9
    """
    model = setting.pmap.model
    traits = {one.parents for one in model.observed}
    rasch = all(one.local.kind == "rasch" for one in model.observed)
    if not rasch or len(traits) != 1 or model.given or setting.pmap.kept_coordinates is not None:
        return None
    (trait,) = traits
    hidden = {one.name for one in model.hidden}
    if len(trait) != 1 or not hidden.issuperset(trait):
        return None
    most = sum(one.states - 1 for one in model.observed)
    reason = f"{most} constants of the items and {most + 1} functions of the sum score, less one scale, of probabilities that sum to 1"
    evidence = {"trait": trait[0]}
    return prove_bound(2 * most - 1, UPPER, CONTAINING, reason, "sigmoid", "generic rank", evidence=evidence)


def bound_by_reduced_tree(setting: Setting) -> Bound | None:
    """The number of parameters of the reduced tree, ``None`` if the model is no latent tree that can be reduced."""
    reduction = plan_once(setting.pmap, "reduced tree", lambda: find_reduction(setting.pmap.model))
    if reduction is None:
        return None
    value = count_parameters(reduction.tree)
    evidence = {
        "capped": [list(pair) for pair in reduction.capped],
        "spliced": list(reduction.spliced),
        "deleted": list(reduction.deleted),
    }
    reason = f"{describe_reduction(reduction)}{format_parameter_count(value)}"
    return prove_bound(value, UPPER, CONTAINING, reason, "capping", "containing", evidence=evidence)


def find_reduction(model: Network) -> TreeReduction | None:
    """How a latent tree is reduced, ``None`` if it is none or cannot be."""
    tree = find_latent_tree(model)
    reduction = None if tree is None else reduce_tree(tree)
    return reduction if reduction is not None and reduction.is_changed else None


def bound_by_averaging(setting: Setting) -> Bound | None:
    """The least number of parameters after averaging out hidden variables, ``None`` if there are none or too many."""
    model, pmap = setting.pmap.model, setting.pmap
    if not model.hidden or model.given or pmap.kept_coordinates is not None or len(model.variables) > MOST_VARIABLES:
        return None
    best = plan_once(pmap, ("averaged", setting.lower), lambda: find_least_average(pmap, setting.lower))
    return None if best is None else make_containing_bound(pmap, *best)


def find_least_average(pmap: ParamMap, enough: int) -> tuple[int, Averaged] | None:
    """The network with the fewest parameters, in a search of limited size that ends where they are few enough.

    The search goes on from the network with the fewest parameters so far.
    """
    model = pmap.model
    counts = Counts(tuple(variable.states for variable in model.variables), collect_own_parameters(pmap))
    hidden = [number for number, variable in enumerate(model.variables) if not variable.observed]
    start = convert_to_masks(pmap)
    seen = {start}
    ticket = count()
    waiting = [(counts.of(start), next(ticket), start)]
    best: tuple[int, Averaged] | None = None
    while waiting and len(seen) < MOST_GRAPHS:
        value, _, network = heappop(waiting)
        if network.removed and (best is None or value < best[0]):
            best = value, network
            if value <= enough:
                break
        for vertex in hidden:
            if not network.left >> vertex & 1:
                continue
            for order in iterate_child_orders(network, vertex, counts.sizes):
                smaller = remove_variable(network, vertex, order)
                if smaller not in seen:
                    seen.add(smaller)
                    heappush(waiting, (counts.of(smaller), next(ticket), smaller))
    for value, _, network in waiting:
        if network.removed and (best is None or value < best[0]):
            best = value, network
    return best


def convert_to_masks(pmap: ParamMap) -> Averaged:
    """The model's graph."""
    number = {variable.name: index for index, variable in enumerate(pmap.model.variables)}
    parents = tuple(sum(1 << number[name] for name in variable.parents) for variable in pmap.model.variables)
    return Averaged(parents, (1 << len(parents)) - 1, 0)


def collect_own_parameters(pmap: ParamMap) -> tuple[frozenset[int], ...]:
    """For each variable the parameters that occur in its table; none for a deterministic one."""
    point = make_inner_point(pmap)
    occurring = [frozenset(entries.derivative(Booleans(), point).parameter.tolist()) for entries in pmap.arrays]
    found: list[frozenset[int]] = [frozenset()] * len(pmap.model.variables)
    for factor in pmap.factors:
        own = factor.axes[-1]
        if own < len(found):  # otherwise an auxiliary axis of a chain, without parameters
            found[own] |= occurring[factor.array]
    return tuple(found)


def iterate_child_orders(network: Averaged, vertex: int, sizes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Orders of a variable's children in which none stands before one of its ancestors: all of few, otherwise two."""
    children = [child for child in iterate_positions(network.left) if network.parents[child] >> vertex & 1]
    above = {child: find_ancestors(network, child, children) for child in children}
    if len(children) <= MOST_PERMUTED:
        for order in permutations(children):
            before = 0
            for child in order:
                if above[child] & ~before:
                    break
                before |= 1 << child
            else:
                yield order
        return
    yield choose_greedy_order(children, above, dict.fromkeys(children, 0))
    yield choose_greedy_order(
        children,
        above,
        {child: prod(sizes[v] for v in iterate_positions(network.parents[child])) for child in children},
    )


def choose_greedy_order(
    children: Sequence[int], above: Mapping[int, int], weight: Mapping[int, int]
) -> tuple[int, ...]:
    """An order in which, among those that may come next, the lightest does; of equals the first."""
    order: list[int] = []
    placed, left = 0, list(children)
    while left:
        child = min((child for child in left if not above[child] & ~placed), key=lambda child: weight[child])
        left.remove(child)
        order.append(child)
        placed |= 1 << child
    return tuple(order)


def find_ancestors(network: Averaged, vertex: int, others: Sequence[int]) -> int:
    """Those of the others that are ancestors of a variable."""
    found = frontier = network.parents[vertex]
    while frontier:
        reached = 0
        for member in iterate_positions(frontier):
            reached |= network.parents[member]
        frontier = reached & ~found
        found |= frontier
    return found & sum(map((1).__lshift__, others))


def remove_variable(network: Averaged, vertex: int, order: Sequence[int]) -> Averaged:
    """The network with one variable averaged out, its children made complete among themselves in this order."""
    parents = list(network.parents)
    gathered = parents[vertex]
    freed = network.freed & ~(1 << vertex)
    for child in order:
        gathered |= parents[child] & ~(1 << vertex)
        parents[child] = gathered
        gathered |= 1 << child
        freed |= 1 << child
    parents[vertex] = 0
    removed = (*network.removed, (vertex, tuple(order)))
    return Averaged(tuple(parents), network.left & ~(1 << vertex), freed, removed)


def make_containing_bound(pmap: ParamMap, value: int, network: Averaged) -> Bound:
    """The bound by the network that is left."""
    names = [variable.name for variable in pmap.model.variables]
    removed = [[names[vertex], [names[child] for child in order]] for vertex, order in network.removed]
    families = {
        names[v]: [names[parent] for parent in iterate_positions(network.parents[v])]
        for v in iterate_positions(network.left)
    }
    freed = [names[v] for v in iterate_positions(network.freed)]
    gone = ", ".join(names[vertex] for vertex, _ in network.removed)
    reason = f"{format_parameter_count(value)} of the network with {gone} averaged out (arcs reversed, GHM96 §5)"
    evidence = {"averaged_out": removed, "parents": families, "made_free": freed}
    return prove_bound(value, UPPER, CONTAINING, reason, "containing", evidence=evidence)


def format_parameter_count(value: int) -> str:
    """A number of parameters in words.

    >>> format_parameter_count(1), format_parameter_count(12)
    ('1 parameter', '12 parameters')
    """
    return format_count(value, "parameter")


MOST_OBSERVED = 64
MOST_HEADS = 1024
"""Every set of ten observed variables may be intrinsic."""


def bound_by_nested_model(setting: Setting) -> Bound | None:
    """The nested Markov head count, ``None`` if there are too many heads."""
    return bound_by_heads(setting.pmap.model)


def bound_by_heads(model: Network) -> Bound | None:
    """The number of parameters of the nested Markov model on the latent projection, an upper bound for the dimension.

    >>> from algdim.models.notation import parse
    >>> bound_by_heads(parse("A -> B -> C -> D; U -> B, D; hidden U; states U=9")).value
    11
    """
    if model.given or not model.hidden or len(model.observed) > MOST_OBSERVED:
        return None
    graph = project_hidden_variables(model)
    found = find_heads(graph, MOST_HEADS)
    if found is None:
        return None
    sizes = [variable.states for variable in model.observed]
    value = sum(count_free_numbers(sizes, head) for head in found)
    size = f"{format_count(value, 'parameter')} of the nested Markov model on the latent projection"
    reason = f"{size}, {format_count(len(found), 'head')} (Evans, Richardson)"
    evidence = {
        "directed": graph.directed_edges,
        "bidirected": graph.bidirected_edges,
        "heads": [encode_head(graph, sizes, head) for head in found],
    }
    return prove_bound(value, UPPER, "nested", reason, "nested", evidence=evidence)


def count_free_numbers(sizes: list[int], head: Head) -> int:
    """How many numbers q(head | tail) there are with no member of the head in its last state."""
    return prod(sizes[v] - 1 for v in iterate_positions(head.head)) * prod(
        sizes[v] for v in iterate_positions(head.tail)
    )


def encode_head(graph: MixedGraph, sizes: list[int], head: Head) -> dict[str, object]:
    """A head as plain values."""
    return {
        "intrinsic": graph.names_of(head.intrinsic),
        "head": graph.names_of(head.head),
        "tail": graph.names_of(head.tail),
        "count": count_free_numbers(sizes, head),
    }
