"""Fixed sequences of random networks, on which the shares of proved dimensions are counted.

Each has a number of variables, a share of hidden ones, numbers of states, a probability of each edge (forwards in the order of
the variables), and a greatest number of cells. Networks are connected, and none is isomorphic to an earlier one.
"""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations
from math import prod
from typing import NamedTuple

import networkx as nx

from algdim.families.discrete.model import Network, Variable


class Kind(NamedTuple):
    """What the networks of a sequence are like."""

    variables: tuple[int, int] = (4, 8)
    states: tuple[int, int] = (2, 4)
    hidden: Fraction = Fraction(1, 3)
    edge: float = 0.4
    cells: int = 256


SMALL = Kind()
LARGER = {
    "larger": Kind((8, 11), edge=0.3, cells=4096),
    "denser": Kind((8, 11), edge=0.5, cells=4096),
    "binary": Kind((10, 16), (2, 2), Fraction(1, 2), 0.3, 1 << 16),
    "wide": Kind((12, 20), (2, 3), edge=0.2, cells=1 << 20),
}


def networks(count, seed=0, kind=SMALL):
    """The first networks of a seed; more of them begin with the same."""
    source = random.Random(seed)
    found, known = [], {}
    while len(found) < count:
        model = draw(source, kind)
        if is_wanted(model, kind) and is_new(model, known):
            found.append(model)
    return found


def draw(source, kind=SMALL):
    """One network, wanted or not. Hidden are H1, H2, …, observed X1, X2, …"""
    size = source.randint(*kind.variables)
    hidden = set(source.sample(range(size), round(size * kind.hidden)))
    names = [
        f"{'H' if i in hidden else 'X'}{1 + sum((j in hidden) == (i in hidden) for j in range(i))}" for i in range(size)
    ]
    states = [source.randint(*kind.states) for _ in range(size)]
    edges = [pair for pair in combinations(range(size), 2) if source.random() < kind.edge]
    return Network(
        tuple(
            Variable(names[i], states[i], i not in hidden, tuple(names[j] for j, k in edges if k == i))
            for i in range(size)
        )
    )


def graph(model):
    """The network as a graph whose nodes carry states and whether they are observed."""
    digraph = nx.DiGraph()
    for variable in model.variables:
        digraph.add_node(variable.name, kind=f"{variable.states} {variable.observed}")
    digraph.add_edges_from(model.edges)
    return digraph


def is_wanted(model, kind=SMALL):
    """Whether the network is connected and its observed table small."""
    cells = prod(variable.states for variable in model.observed)
    return cells <= kind.cells and nx.is_weakly_connected(graph(model))


def is_new(model, known):
    """Whether no isomorphic network is known; it is known from now on."""
    mine = graph(model)
    key = tuple(sorted((kind, mine.in_degree(name), mine.out_degree(name)) for name, kind in mine.nodes(data="kind")))
    same = known.setdefault(key, [])
    if any(nx.is_isomorphic(mine, other, node_match=lambda one, two: one["kind"] == two["kind"]) for other in same):
        return False
    same.append(mine)
    return True
