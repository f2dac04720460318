"""Separation in the graph of a network (d-separation), by bits, so that thousands of questions cost little.

Sets of variables are integers: bit i stands for the i-th variable of the model. If A and B are separated by Z, they are
independent given Z for all tables of the variables, whatever their entries; nothing is said of the converse.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from algdim.errors import InputError, listed
from algdim.families.discrete.model import Network

Bits = int
"""A set of variables: bit i for the i-th variable of the model."""


@dataclass(frozen=True, slots=True)
class Graph:
    """The graph of a network: for each variable its parents, its children, and its ancestors with itself."""

    names: tuple[str, ...]
    parents: tuple[Bits, ...]
    children: tuple[Bits, ...]
    ancestors: tuple[Bits, ...]

    def bits(self, names: Iterable[str]) -> Bits:
        """The set of these variables.

        >>> from algdim.models.notation import parse
        >>> graph_of(parse("A -> B -> C")).bits(["A", "C"])
        5
        """
        number = {name: index for index, name in enumerate(self.names)}
        found = 0
        for name in names:
            if name not in number:
                raise InputError(f"there is no variable {name}; known are {listed(self.names)}")
            found |= 1 << number[name]
        return found

    def members(self, variables: Bits) -> tuple[str, ...]:
        """The names of a set's variables, in the model's order."""
        return tuple(self.names[index] for index in positions(variables))

    def connected(self, source: Bits, given: Bits) -> Bits:
        """All variables outside ``given`` that an active path joins to one of ``source``, these included.

        A path is active given Z if each of its inner variables at which two arrows meet is in Z or has a descendant
        there, and no other one is in Z.
        """
        ancestral = 0
        for index in positions(given):
            ancestral |= self.ancestors[index]
        rising, falling = source & ~given, 0  # the path comes from a child (or begins), from a parent
        upward, downward = 0, 0
        while rising or falling:
            upward, downward = upward | rising, downward | falling
            above, below = 0, 0
            for index in positions(rising & ~given):
                above |= self.parents[index]
                below |= self.children[index]
            for index in positions(falling & ~given):
                below |= self.children[index]
            for index in positions(falling & ancestral):
                above |= self.parents[index]
            rising, falling = above & ~upward, below & ~downward
        return (upward | downward) & ~given

    def separated(self, one: Bits, other: Bits, given: Bits) -> bool:
        """Whether ``given`` separates two disjoint sets."""
        return not self.connected(one, given) & other


def graph_of(model: Network) -> Graph:
    """The graph of a network."""
    names = tuple(variable.name for variable in model.variables)
    number = {name: index for index, name in enumerate(names)}
    parents = [sum(1 << number[parent] for parent in variable.parents) for variable in model.variables]
    children = [0] * len(names)
    for index, above in enumerate(parents):
        for parent in positions(above):
            children[parent] |= 1 << index
    return Graph(names, tuple(parents), tuple(children), tuple(closures(parents)))


def closures(parents: list[Bits]) -> list[Bits]:
    """For each variable its ancestors and itself."""
    found = [0] * len(parents)
    for start in range(len(parents)):
        path = [start]
        while path:
            missing = [index for index in positions(parents[path[-1]]) if not found[index]]
            if missing and not found[path[-1]]:
                path.extend(missing)
                continue
            index = path.pop()
            if not found[index]:
                found[index] = 1 << index
                for parent in positions(parents[index]):
                    found[index] |= found[parent]
    return found


def positions(variables: Bits) -> Iterator[int]:
    """The places of the ones, from the lowest.

    >>> list(positions(0b1101))
    [0, 2, 3]
    """
    while variables:
        lowest = variables & -variables
        yield lowest.bit_length() - 1
        variables ^= lowest


def separated(model: Network, one: Iterable[str], other: Iterable[str], given: Iterable[str] = ()) -> bool:
    """Whether ``given`` separates two disjoint sets of variables in the model's graph.

    >>> from algdim.models.notation import parse
    >>> model = parse("A -> C <- B; C -> D")
    >>> separated(model, ["A"], ["B"]), separated(model, ["A"], ["B"], ["D"])
    (True, False)
    """
    graph = graph_of(model)
    a, b, z = graph.bits(one), graph.bits(other), graph.bits(given)
    if a & b or a & z or b & z:
        twice = graph.members((a & b) | (a & z) | (b & z))
        raise InputError(f"{listed(twice)} stands in two of the three sets; they are disjoint")
    return graph.separated(a, b, z)
