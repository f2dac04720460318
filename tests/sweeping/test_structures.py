"""Networks up to Markov equivalence: counts against brute force, one of each class, none that could be smaller."""

from __future__ import annotations

from itertools import combinations, permutations, product

import networkx as nx
import pytest

import algdim
from algdim.sweeping.language import read_sweep
from algdim.sweeping.lookup import compute_key, make_form
from algdim.sweeping.structures import find_structures


def all_graphs(count):
    """All acyclic graphs with numbered vertices, as sets of edges."""
    pairs = list(combinations(range(count), 2))
    for kinds in product((None, 1, -1), repeat=len(pairs)):
        edges = frozenset(
            pair if kind == 1 else pair[::-1] for pair, kind in zip(pairs, kinds, strict=True) if kind is not None
        )
        graph = nx.DiGraph()
        graph.add_nodes_from(range(count))
        graph.add_edges_from(edges)
        if nx.is_directed_acyclic_graph(graph) and nx.is_weakly_connected(graph):
            yield edges


def equivalence(edges):
    """Neighbours and v-structures."""
    joined = {frozenset(edge) for edge in edges}
    ends = {}
    for v, w in edges:
        ends.setdefault(w, []).append(v)
    colliders = {
        (frozenset(pair), end)
        for end, parents in ends.items()
        for pair in combinations(parents, 2)
        if frozenset(pair) not in joined
    }
    return frozenset(joined), frozenset(colliders)


def count_by_force(observed, hidden):
    """Classes of graphs in which no member has a hidden variable without children, or a root with one child."""
    count = observed + hidden
    classes, bad = {}, set()
    for edges in all_graphs(count):
        key = equivalence(edges)
        classes.setdefault(key, edges)
        for h in range(observed, count):
            children = sum(v == h for v, _ in edges)
            parents = sum(w == h for _, w in edges)
            if children == 0 or (children == 1 and parents == 0):
                bad.add(key)
    found = set()
    for key in classes.keys() - bad:
        joined, colliders = key
        forms = []
        for one in permutations(range(observed)):
            for other in permutations(range(observed, count)):
                to = (*one, *other)
                forms.append(
                    (
                        sorted(sorted(to[v] for v in pair) for pair in joined),
                        sorted((sorted(to[v] for v in pair), to[end]) for pair, end in colliders),
                    )
                )
        found.add(str(min(forms)))
    return len(found)


@pytest.mark.parametrize(("observed", "hidden"), [(2, 0), (3, 0), (4, 0), (2, 1), (3, 1), (2, 2)])
def test_as_many_classes_as_by_force(observed, hidden):
    """All graphs with numbered vertices, all renamings."""
    assert len(find_structures(observed, (0,) * hidden)) == count_by_force(observed, hidden)


def test_no_two_structures_have_one_form():
    """The canonical form of `lookup` and the codes of the generator agree."""
    texts = read_sweep("structures observed<=3 hidden<=2 classes<=3").texts()
    assert len({make_form(algdim.model(text)) for text in texts}) == len(texts) > 700


def test_keys_do_not_depend_on_names():
    """Other names, another order, a Markov equivalent graph."""
    assert compute_key(algdim.model("A -> B; U -> A, B, C; hidden U")) == compute_key(
        algdim.model("Y <- Z; W -> Y, Z; W -> K; hidden W")
    )
    assert compute_key(algdim.model("A -> B; U -> A, B, C; hidden U")) != compute_key(
        algdim.model("A -> B; U -> A, C; hidden U")
    )
