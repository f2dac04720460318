"""Graphs up to isomorphism, against counts in print and against going through all labelled ones."""

from __future__ import annotations

from itertools import combinations, permutations, product
from math import factorial

import pytest

from algdim import LimitError
from algdim.sweeping.isomorphism import iterate_orbits, list_dags, list_subsets

# OEIS A003087 and A003024: acyclic directed graphs with n nodes, unlabelled and labelled
UNLABELLED = {1: 1, 2: 2, 3: 6, 4: 31, 5: 302, 6: 5984}
LABELLED = {1: 1, 2: 3, 3: 25, 4: 543, 5: 29281, 6: 3781503}


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, pytest.param(6, marks=pytest.mark.slow)])
def test_acyclic_graphs_are_as_many_as_in_print(count):
    """The classes are as many as in OEIS, and so are the labelled graphs that the symmetries say are in them."""
    found = list_dags(count)

    assert UNLABELLED[count] == len(found)
    assert LABELLED[count] == sum(factorial(count) // len(dag.symmetries) for dag in found)


def test_too_many_vertices_are_refused():
    """There is a limit, and it is said."""
    with pytest.raises(LimitError, match="at most 6"):
        list_dags(7)


@pytest.mark.parametrize("count", [2, 3, 4])
def test_orbits_are_the_classes(count):
    """One of every class of sets of pairs under the symmetries of each graph, found by going through all permutations."""
    pairs = list_subsets(count, 2, 2)
    choices = [frozenset(chosen) for size in range(len(pairs) + 1) for chosen in combinations(pairs, size)]

    def moved(mask, p):
        return sum(1 << p[v] for v in range(count) if mask >> v & 1)

    for dag in list_dags(count):
        group = [p for p in permutations(range(count)) if {(p[v], p[w]) for v, w in dag.edges} == set(dag.edges)]
        classes = {frozenset(frozenset(moved(mask, p) for mask in choice) for p in group) for choice in choices}
        found = list(iterate_orbits(choices, dag.symmetries))

        assert len(classes) == len(found)
        assert classes == {frozenset(frozenset(moved(mask, p) for mask in one) for p in group) for one in found}


def test_subsets_are_complete():
    """All subsets of the sizes asked for, by bits."""
    wanted = {
        sum(bit << place for place, bit in enumerate(bits)) for bits in product((0, 1), repeat=4) if 2 <= sum(bits) <= 3
    }

    assert wanted == set(list_subsets(4, 2, 3))
