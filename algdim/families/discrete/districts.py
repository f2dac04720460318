"""Districts: the connected components that are left if only edges out of hidden variables count.

So an observed variable is alone in its district if no hidden variable points at it. Each district has a kernel, the
distribution of its observed members given their observed parents outside, and all kernels multiply to what is observed.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

from algdim.families.discrete.model import Network, Variable
from algdim.models.graph import Graph, Node

Members = tuple[str, ...]
Item = TypeVar("Item", bound=Hashable)


def districts(model: Network) -> tuple[Members, ...]:
    """The districts, each in the model's order; variables conditioned on belong to none.

    >>> from algdim.models.notation import parse
    >>> districts(parse("A -> C <- H -> D <- B; hidden H"))
    (('A',), ('C', 'H', 'D'), ('B',))
    """
    hidden = {variable.name for variable in model.hidden}
    links = [(parent, child) for parent, child in model.edges if parent in hidden]
    return components([v.name for v in model.variables if v.name not in model.given], links)


def components(items: Iterable[Item], links: Iterable[tuple[Item, Item]]) -> tuple[tuple[Item, ...], ...]:
    """The connected components, by order of their first item.

    >>> components("abc", [("a", "c")])
    (('a', 'c'), ('b',))
    """
    root = {item: item for item in items}

    def find(item: Item) -> Item:
        while root[item] != item:
            root[item] = root[root[item]]
            item = root[item]
        return item

    for one, other in links:
        root[find(other)] = find(one)
    found: dict[Item, list[Item]] = {}
    for item in root:
        found.setdefault(find(item), []).append(item)
    return tuple(tuple(members) for members in found.values())


def overlapping(sets: Sequence[Iterable[Hashable]]) -> tuple[tuple[int, ...], ...]:
    """The sets, by number, in groups: two that have a member in common are in one.

    >>> overlapping(["ab", "c", "bd"])
    ((0, 2), (1,))
    """
    first: dict[Hashable, int] = {}
    links = [(first.setdefault(member, number), number) for number, members in enumerate(sets) for member in members]
    return components(range(len(sets)), links)


def kernel(model: Network, members: Iterable[str]) -> Network:
    """The model of the members' observed variables given their parents outside, which become roots without parameters.

    >>> from algdim.models.notation import parse
    >>> small = kernel(parse("A -> C <- H -> D <- B; hidden H"), ("C", "H", "D"))
    >>> [variable.name for variable in small.variables], small.given
    (['A', 'C', 'H', 'D', 'B'], ('A', 'B'))
    """
    inside = set(members)
    outside = {
        parent for variable in model.variables if variable.name in inside for parent in variable.parents
    } - inside
    variables = tuple(
        variable if variable.name in inside else Variable(variable.name, variable.states)
        for variable in model.variables
        if variable.name in inside or variable.name in outside
    )
    return Network(variables, tuple(variable.name for variable in variables if variable.name in outside))


def opened(model: Network, chosen: Iterable[str]) -> Network | None:
    """The hidden variables chosen, their children, and the parents of these; all but the chosen ones are observed.

    Variables that are parents only are conditioned on. ``None`` if a variable that becomes observed has one state, or if
    no variable but the chosen ones is left to have a distribution.

    >>> from algdim.models.notation import parse
    >>> local = opened(parse("A -> G -> H -> X; B -> X; hidden G, H"), ["H"])
    >>> [variable.name for variable in local.variables], local.given
    (['G', 'H', 'X', 'B'], ('G', 'B'))
    """
    hidden = set(chosen)
    inside = {v.name for v in model.variables if v.name in hidden or hidden.intersection(v.parents)}
    outside = {parent for v in model.variables if v.name in inside for parent in v.parents} - inside
    variables = tuple(
        replace(v, observed=v.name not in hidden) if v.name in inside else Variable(v.name, v.states)
        for v in model.variables
        if v.name in inside or v.name in outside
    )
    if inside == hidden or any(v.observed and v.states < 2 for v in variables):
        return None
    return Network(variables, tuple(v.name for v in variables if v.name in outside))


def network_graph(model: Network, *, frames: bool = True) -> Graph:
    """The arrows, with districts of more than one variable in frames."""
    nodes = tuple(Node(one.name, str(one.states), one.observed) for one in model.variables)
    large = tuple(part for part in districts(model) if len(part) > 1) if frames else ()
    return Graph(nodes, model.edges, frames=large)
