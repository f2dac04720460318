"""Steps over latent trees reach every tree, and keep to what a tree is."""

from itertools import combinations

import pytest

from algdim import InputError
from algdim.families.discrete.model import Variable
from algdim.families.discrete.trees import find_latent_tree
from algdim.selection.treestructures import build_tree_network, iterate_structures, make_first_structure


def items_of(count, states=2):
    """So many items."""
    return [Variable(f"X{number}", states) for number in range(1, count + 1)]


def reach(items, most_states=2, limit=100_000):
    """All structures that steps lead to, with no more than so many states of a hidden node."""
    sizes = {item.name: item.states for item in items}
    found, waiting = set(), [make_first_structure(items)]
    while waiting:
        here = waiting.pop()
        if here in found or max(states for _, states in here) > most_states:
            continue
        found.add(here)
        assert len(found) <= limit
        waiting += iterate_structures(here, sizes)
    return found


def divide_by_network(network):
    """For each hidden node, the items that remain together when it is taken out, by walking over the edges."""
    names = {variable.name for variable in network.variables}
    pairs = {frozenset((parent, one.name)) for one in network.variables for parent in one.parents}
    observed = {one.name for one in network.observed}
    found = set()
    for node in network.hidden:
        left, blocks = names - {node.name}, set()
        while left:
            block = {next(iter(left))}
            while grown := {b for b in left - block if any(frozenset((a, b)) in pairs for a in block)}:
                block |= grown
            left -= block
            blocks.add(frozenset(block & observed))
        found.add((frozenset(blocks), node.states))
    return frozenset(found)


@pytest.mark.parametrize(("count", "trees"), [(3, 1), (4, 4), (5, 26), (6, 236)])
def test_all_trees_are_reached(count, trees):
    """As many as Schröder's fourth problem has: leaf-labelled trees without nodes of two neighbours."""
    assert trees == len(reach(items_of(count)))


@pytest.mark.parametrize(("count", "states", "most"), [(4, 2, 3), (4, 3, 3), (5, 2, 2)])
def test_the_network_is_the_tree(count, states, most):
    """Its hidden nodes divide the items as the structure says, and it is a latent tree for the tree rule."""
    items = items_of(count, states)
    for structure in reach(items, most):
        network = build_tree_network(structure, items)

        assert structure == divide_by_network(network)
        tree = find_latent_tree(network)
        assert tree is not None
        assert all(len(around) >= 3 for name, around in tree.neighbours.items() if name in tree.hidden)


def test_steps_can_be_taken_back_where_no_states_are_lost():
    """With binary nodes every step has one that undoes it."""
    items = items_of(5)
    sizes = {item.name: 2 for item in items}
    binary = reach(items)
    for here, there in combinations(binary, 2):
        assert (there in set(iterate_structures(here, sizes))) == (here in set(iterate_structures(there, sizes)))


def test_hidden_names_are_no_items():
    """An item H1 keeps its name."""
    items = [Variable("H1"), Variable("A"), Variable("B")]

    assert ["H2"] == [one.name for one in build_tree_network(make_first_structure(items), items).hidden]


def test_two_items_are_no_tree():
    """There is nothing to search."""
    with pytest.raises(InputError, match="2 items: latent trees are searched of 3 to 200"):
        make_first_structure(items_of(2))
