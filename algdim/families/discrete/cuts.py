"""A latent tree cut at an edge between hidden variables (KZ02 Theorem 5), and again until none is left (Corollary 4.1)."""

from __future__ import annotations

from dataclasses import dataclass

from algdim.families.discrete.trees import LatentTree

MOST_HIDDEN = 400
"""Trees with more hidden variables are not cut edge by edge."""

Edge = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Cut:
    """A latent tree with two smaller ones, which together count the edge's joint table twice; a leaf has neither.

    ``sides`` are X's side with Z as an observed leaf and Z's side with X as one, for ``edge`` = (X, Z).
    """

    tree: LatentTree
    edge: Edge | None = None
    sides: tuple[Cut, ...] = ()

    @property
    def shared(self) -> int:
        """The number of free entries of the edge's joint table, |X||Z| − 1."""
        return 0 if self.edge is None else self.tree.hidden[self.edge[0]] * self.tree.hidden[self.edge[1]] - 1


def sides_of(tree: LatentTree, edge: Edge) -> tuple[LatentTree, LatentTree]:
    """KZ02 Theorem 5's M₁ and M₂: each side of the edge, with the other end as an observed leaf.

    >>> from algdim.models.notation import parse
    >>> from algdim.families.discrete.trees import latent_tree
    >>> [one.observed for one in sides_of(latent_tree(parse("4(2,2,3(2,2))")), ("H1", "H2"))]
    [{'X1': 2, 'X2': 2, 'H2': 3}, {'X3': 2, 'X4': 2, 'H1': 4}]
    """
    x, z = edge
    return side(tree, x, z), side(tree, z, x)


def side(tree: LatentTree, near: str, far: str) -> LatentTree:
    """The near side of an edge, with the far end as an observed leaf."""
    found = reached(tree, near, far)
    return LatentTree(
        {name: states for name, states in tree.hidden.items() if name in found},
        {**{name: states for name, states in tree.observed.items() if name in found}, far: tree.hidden[far]},
        {
            **{name: others for name, others in tree.neighbours.items() if name in found},
            far: (near,),
        },
    )


def reached(tree: LatentTree, near: str, far: str) -> set[str]:
    """What is on the near side of an edge."""
    found, waiting = {near}, [near]
    while waiting:
        name = waiting.pop()
        for other in tree.neighbours[name]:
            if other not in found and not (name == near and other == far):
                found.add(other)
                waiting.append(other)
    return found


def cut(tree: LatentTree) -> Cut:
    """Cut the tree in two until every part has one hidden variable, each time as evenly as its edges allow."""
    edges = tree.inner_edges
    if not edges or len(tree.hidden) > MOST_HIDDEN:
        return Cut(tree)
    edge = most_even(tree)
    return Cut(tree, edge, tuple(cut(part) for part in sides_of(tree, edge)))


def most_even(tree: LatentTree) -> Edge:
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
