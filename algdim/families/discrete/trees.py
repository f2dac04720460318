"""Latent trees with free tables: recognised, reduced to an equal smaller one, and cut into latent class models.

KZ02 Lemma 4.1 caps the states of a hidden variable. Theorem 5 cuts a tree at an edge between hidden variables, and Corollary
4.1 again until no such edge is left. What is needed for both to be exact is in the lemmas "capping" and "tree rule".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import NamedTuple

from algdim.families.discrete.locals.table import FREE
from algdim.families.discrete.model import Network, Variable
from algdim.models.values import MOST_STATES

Neighbours = Mapping[str, tuple[str, ...]]


class LatentTree(NamedTuple):
    """A tree: states of the hidden and of the observed variables, and who is joined to whom. Observed ones are leaves."""

    hidden: Mapping[str, int]
    observed: Mapping[str, int]
    neighbours: Neighbours

    @property
    def inner_edges(self) -> tuple[tuple[str, str], ...]:
        """The edges between hidden variables, each once."""
        order = {name: number for number, name in enumerate(self.hidden)}
        return tuple((a, b) for a in order for b in self.neighbours[a] if b in order and order[a] < order[b])


CAPPED, SPLICED, DELETED = "capped", "spliced", "deleted"


class ReductionStep(NamedTuple):
    """One step of a reduction: the hidden variable, its states before and after (0: it is gone), its neighbours then."""

    kind: str
    name: str
    before: int
    after: int
    neighbours: tuple[str, ...]


class TreeReduction(NamedTuple):
    """A reduced tree with what was done: hidden variables capped (name, states left), spliced out, deleted.

    ``steps`` has everything in the order in which it was done.
    """

    tree: LatentTree
    capped: tuple[tuple[str, int], ...] = ()
    spliced: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()
    steps: tuple[ReductionStep, ...] = ()

    @property
    def is_changed(self) -> bool:
        """Whether anything was done."""
        return bool(self.capped or self.spliced or self.deleted)


@dataclass(frozen=True)
class Decomposition:
    """Latent class models whose dimensions, less ``shared``, add up to the dimension of a latent tree.

    ``edges`` are the hidden-hidden edges of the reduced tree; ``shared`` is the sum of |X||Z| − 1 over them.
    """

    reduction: TreeReduction
    edges: tuple[tuple[str, str], ...]
    shared: int

    @cached_property
    def locals(self) -> tuple[Network, ...]:
        """The latent class models."""
        return build_local_models(self.reduction.tree)

    @property
    def trivial(self) -> bool:
        """Whether it says nothing: the tree is one latent class model and nothing was reduced."""
        return len(self.reduction.tree.hidden) <= 1 and not self.reduction.is_changed


def find_latent_tree(model: Network) -> LatentTree | None:
    """The model as a latent tree; ``None`` unless it is connected, with free tables, one parent at most, observed leaves.

    Hidden variables with one state are not covered.

    >>> from algdim.models.notation import parse
    >>> find_latent_tree(parse("4(2,2,3(2,2))")).inner_edges
    (('H1', 'H2'),)
    >>> find_latent_tree(parse("A -> B <- H; hidden H"))
    """
    variables, hidden, observed = model.variables, model.hidden, model.observed
    if model.given or not hidden or min([variable.states for variable in variables]) < 2:
        return None
    parents = [variable.parents for variable in variables]
    if max(map(len, parents)) > 1 or parents.count(()) != 1:  # one root: then it is connected
        return None
    if any(variable.local != FREE for variable in variables):
        return None
    joined: dict[str, list[str]] = {variable.name: [] for variable in variables}
    for parent, child in model.edges:
        joined[parent].append(child)
        joined[child].append(parent)
    if {len(joined[variable.name]) for variable in observed} != {1}:
        return None
    return LatentTree(
        {variable.name: variable.states for variable in hidden},
        {variable.name: variable.states for variable in observed},
        {name: tuple(others) for name, others in joined.items()},
    )


def reduce_tree(tree: LatentTree) -> TreeReduction:
    """The tree with hidden variables capped, spliced out and deleted until nothing changes; lemma "capping": it is equal.

    >>> from algdim.models.notation import parse
    >>> found = reduce_tree(find_latent_tree(parse("9(2,2,5(2,2(2)))")))
    >>> found.tree.hidden, found.capped, found.spliced
    ({'H1': 4, 'H2': 4}, (('H2', 4), ('H1', 4)), ('H3',))
    """
    states = {**tree.hidden, **tree.observed}
    joined = {name: list(others) for name, others in tree.neighbours.items()}
    waiting = dict.fromkeys(tree.hidden)
    capped: dict[str, int] = {}
    spliced: list[str] = []
    deleted: list[str] = []
    steps: list[ReductionStep] = []
    while waiting:
        name, _ = waiting.popitem()
        others = joined[name]
        sizes = [states[other] for other in others]
        cap = prod(sizes) // max(sizes, default=1)
        if len(others) <= 1:
            deleted.append(name)
            steps.append(ReductionStep(DELETED, name, states[name], 0, tuple(others)))
            for other in others:
                joined[other].remove(name)
        elif len(others) == 2 and states[name] >= cap:
            spliced.append(name)
            steps.append(ReductionStep(SPLICED, name, states[name], 0, tuple(others)))
            one, other = others
            joined[one][joined[one].index(name)] = other
            joined[other][joined[other].index(name)] = one
        elif states[name] > cap:
            steps.append(ReductionStep(CAPPED, name, states[name], cap, tuple(others)))
            capped[name] = states[name] = cap
            waiting.update(dict.fromkeys(other for other in others if other in tree.hidden))
            continue
        else:
            continue
        capped.pop(name, None)
        del joined[name]
        waiting.update(dict.fromkeys(other for other in others if other in tree.hidden))
    result = LatentTree(
        {name: states[name] for name in tree.hidden if name in joined},
        tree.observed,
        {name: tuple(others) for name, others in joined.items()},
    )
    return TreeReduction(result, tuple(capped.items()), tuple(spliced), tuple(deleted), tuple(steps))


def convert_to_network(tree: LatentTree) -> Network:
    """The tree as a network with free tables, rooted at its first hidden variable if it has one.

    >>> from algdim.models.notation import parse
    >>> model = parse("5(2,3(2,2))")
    >>> set(convert_to_network(find_latent_tree(model)).edges) == set(model.edges)
    True
    """
    states = {**tree.hidden, **tree.observed}
    root = next(iter(states))
    parents: dict[str, tuple[str, ...]] = {root: ()}
    waiting = [root]
    while waiting:
        name = waiting.pop()
        for other in tree.neighbours[name]:
            if other not in parents:
                parents[other] = (name,)
                waiting.append(other)
    return Network(tuple(Variable(name, count, name in tree.observed, parents[name]) for name, count in states.items()))


def count_parameters(tree: LatentTree) -> int:
    """The number of free parameters of the tree's network, without building it."""
    states = {**tree.hidden, **tree.observed}
    edges = [(a, b) for a, others in tree.neighbours.items() for b in others if a < b]
    # an edge's joint table has |a||b| − 1 free numbers; a variable's own r − 1 are in as many tables as it has edges
    return sum(states[a] * states[b] - 1 for a, b in edges) - sum(
        (len(others) - 1) * (states[name] - 1) for name, others in tree.neighbours.items()
    )


def build_local_models(tree: LatentTree) -> tuple[Network, ...]:
    """Per hidden variable the latent class model whose items are its neighbours; the whole if none is hidden."""
    if not tree.hidden:
        return (convert_to_network(tree),)
    states = {**tree.hidden, **tree.observed}
    return tuple(
        Network(
            (
                Variable(name, count, observed=False),
                *(Variable(other, states[other], parents=(name,)) for other in tree.neighbours[name]),
            )
        )
        for name, count in tree.hidden.items()
    )


def cut_latent_tree(model: Network) -> Decomposition | None:
    """Reduce a latent tree and cut it into latent class models; ``None`` if the model is no latent tree.

    In a reduced tree every hidden–hidden edge satisfies the condition of the lemma "tree rule" (lemma "capping", last
    claim), so the dimension is the sum of the parts' less |X||Z| − 1 for each such edge.

    >>> from algdim.models.notation import parse
    >>> parts = cut_latent_tree(parse("4(2,2,3(2,2))"))
    >>> len(parts.locals), parts.shared
    (2, 11)
    """
    tree = find_latent_tree(model)
    if tree is None:
        return None
    reduction = reduce_tree(tree)
    smaller = reduction.tree
    if any(count > MOST_STATES for count in smaller.hidden.values()):
        return None
    edges = smaller.inner_edges
    shared = sum(smaller.hidden[a] * smaller.hidden[b] - 1 for a, b in edges)
    return Decomposition(reduction, edges, shared)


MOST_HIDDEN = 400
"""Trees with more hidden variables are not cut edge by edge."""

Edge = tuple[str, str]


class Cut(NamedTuple):
    """A latent tree with two smaller ones, which together count the edge's joint table twice; a leaf has neither.

    ``sides`` are X's side with Z as an observed leaf and Z's side with X as one, for ``edge`` = (X, Z).
    """

    tree: LatentTree
    edge: Edge | None = None
    sides: tuple[Cut, ...] = ()

    @property
    def shared_entries(self) -> int:
        """The number of free entries of the edge's joint table, |X||Z| − 1."""
        return 0 if self.edge is None else self.tree.hidden[self.edge[0]] * self.tree.hidden[self.edge[1]] - 1


def split_at_edge(tree: LatentTree, edge: Edge) -> tuple[LatentTree, LatentTree]:
    """KZ02 Theorem 5's M₁ and M₂: each side of the edge, with the other end as an observed leaf.

    >>> from algdim.models.notation import parse
    >>> from algdim.families.discrete.trees import find_latent_tree
    >>> [one.observed for one in split_at_edge(find_latent_tree(parse("4(2,2,3(2,2))")), ("H1", "H2"))]
    [{'X1': 2, 'X2': 2, 'H2': 3}, {'X3': 2, 'X4': 2, 'H1': 4}]
    """
    x, z = edge
    return cut_side(tree, x, z), cut_side(tree, z, x)


def cut_side(tree: LatentTree, near: str, far: str) -> LatentTree:
    """The near side of an edge, with the far end as an observed leaf."""
    found = find_near_side(tree, near, far)
    return LatentTree(
        {name: states for name, states in tree.hidden.items() if name in found},
        {**{name: states for name, states in tree.observed.items() if name in found}, far: tree.hidden[far]},
        {
            **{name: others for name, others in tree.neighbours.items() if name in found},
            far: (near,),
        },
    )


def find_near_side(tree: LatentTree, near: str, far: str) -> set[str]:
    """What is on the near side of an edge."""
    found, waiting = {near}, [near]
    while waiting:
        name = waiting.pop()
        for other in tree.neighbours[name]:
            if other not in found and not (name == near and other == far):
                found.add(other)
                waiting.append(other)
    return found


def cut_at_edges(tree: LatentTree) -> Cut:
    """Cut the tree in two until every part has one hidden variable, each time as evenly as its edges allow."""
    edges = tree.inner_edges
    if not edges or len(tree.hidden) > MOST_HIDDEN:
        return Cut(tree)
    edge = choose_middle_edge(tree)
    return Cut(tree, edge, tuple(cut_at_edges(part) for part in split_at_edge(tree, edge)))


def choose_middle_edge(tree: LatentTree) -> Edge:
    """The edge between hidden variables with numbers of hidden variables on its sides as equal as they can be."""
    root = next(iter(tree.hidden))
    order, parent = [root], {root: ""}
    for name in order:
        for other in tree.neighbours[name]:
            if other in tree.hidden and other != parent[name]:
                parent[other] = name
                order.append(other)
    below = dict.fromkeys(order, 1)
    for name in reversed(order[1:]):
        below[parent[name]] += below[name]
    best = min(order[1:], key=lambda name: abs(len(order) - 2 * below[name]))
    return parent[best], best
