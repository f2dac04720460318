"""A fixed sequence of random networks, on which the shares of proved dimensions are counted.

Four to eight variables, one third of them hidden, two to four states, each edge (forwards in the order of the
variables) with probability 0.4, connected, at most 256 cells, none isomorphic to an earlier one.
"""

from __future__ import annotations

import random
from itertools import combinations
from math import prod

import networkx as nx

from algdim.families.discrete.model import Network, Variable

EDGE = 0.4
MOST_CELLS = 256


def networks(count, seed=0):
    """The first networks of a seed; more of them begin with the same."""
    source = random.Random(seed)
    found, known = [], {}
    while len(found) < count:
        model = draw(source)
        if is_wanted(model) and is_new(model, known):
            found.append(model)
    return found


def draw(source):
    """One network, wanted or not. Hidden are H1, H2, …, observed X1, X2, …"""
    size = source.randint(4, 8)
    hidden = set(source.sample(range(size), round(size / 3)))
    names = [
        f"{'H' if i in hidden else 'X'}{1 + sum((j in hidden) == (i in hidden) for j in range(i))}" for i in range(size)
    ]
    states = [source.randint(2, 4) for _ in range(size)]
    edges = [pair for pair in combinations(range(size), 2) if source.random() < EDGE]
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


def is_wanted(model):
    """Whether the network is connected and its observed table small."""
    cells = prod(variable.states for variable in model.observed)
    return cells <= MOST_CELLS and nx.is_weakly_connected(graph(model))


def is_new(model, known):
    """Whether no isomorphic network is known; it is known from now on."""
    mine = graph(model)
    key = tuple(sorted((kind, mine.in_degree(name), mine.out_degree(name)) for name, kind in mine.nodes(data="kind")))
    same = known.setdefault(key, [])
    if any(nx.is_isomorphic(mine, other, node_match=lambda one, two: one["kind"] == two["kind"]) for other in same):
        return False
    same.append(mine)
    return True
