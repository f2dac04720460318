"""Structures of latent trees, and the steps of a search over them (KZ02 §6; Zhang and Kočka 2004).

A tree without a root is given by its hidden nodes: each divides the items into blocks, one for every neighbour, and no two
nodes divide them alike, since each has three neighbours or more. So a structure is a set of pairs of a division and a
number of states, however the hidden nodes may be called, and the model does not depend on which of them is the root.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import prod

from algdim.errors import InputError
from algdim.families.discrete.model import Network, Variable

Block = frozenset[str]
Division = frozenset[Block]
Structure = frozenset[tuple[Division, int]]

FEWEST_ITEMS = 3
MOST_ITEMS = 200
FIRST_STATES = 2


def make_first_structure(items: Sequence[Variable]) -> Structure:
    """One hidden variable with two states above all items: a latent class model."""
    if not FEWEST_ITEMS <= len(items) <= MOST_ITEMS:
        raise InputError(
            f"{len(items)} items: latent trees are searched of {FEWEST_ITEMS} to {MOST_ITEMS}; choose others with --items"
        )
    return frozenset({(frozenset(frozenset({item.name}) for item in items), FIRST_STATES)})


def find_neighbour(structure: Structure, whole: Block, block: Block) -> tuple[Division, int]:
    """The hidden node behind a block of several items: the one that has all other items in one block."""
    rest = whole - block
    return next(node for node in structure if rest in node[0])


def iterate_structures(structure: Structure, sizes: dict[str, int]) -> Iterator[Structure]:
    """The structures one step away, without hidden variables that have more states than their neighbours can use.

    A step changes a number of states by one, joins two neighbours of a hidden node under a new one, merges two hidden
    nodes that are joined, moves a neighbour of one to the other, or exchanges neighbours of two that have three each.
    """
    whole = frozenset(sizes)
    seen = {structure}
    for found in iterate_changes(structure, whole):
        if found not in seen and not has_idle_states(found, whole, sizes):
            seen.add(found)
            yield found


def iterate_changes(structure: Structure, whole: Block) -> Iterator[Structure]:
    """All steps, some of them with states in excess; in an order that depends on names alone."""
    for node in sort_nodes(structure):
        division, states = node
        rest = structure - {node}
        yield rest | {(division, states + 1)}
        if states > FIRST_STATES:
            yield rest | {(division, states - 1)}
        blocks = sort_blocks(division)
        if len(blocks) > 3:
            for one, other in combinations(blocks, 2):
                left = division - {one, other} | {one | other}
                added = frozenset({one, other, whole - one - other})
                for number in sorted({FIRST_STATES, states}):
                    yield rest | {(left, states), (added, number)}
        for block in blocks:
            if len(block) > 1:
                yield from iterate_changes_of_edge(structure, whole, node, block)


def iterate_changes_of_edge(
    structure: Structure, whole: Block, node: tuple[Division, int], block: Block
) -> Iterator[Structure]:
    """The steps that merge this node with the one behind a block, or move neighbours from it to that one."""
    other = find_neighbour(structure, whole, block)
    (division, states), (behind, many) = node, other
    rest = structure - {node, other}
    back = whole - block
    own, foreign = division - {block}, behind - {back}
    for number in sorted({states, many}):
        yield rest | {(own | foreign, number)}
    for moved in sort_blocks(own):
        if len(division) > 3:
            yield rest | {(own - {moved} | {block | moved}, states), (foreign | {moved, back - moved}, many)}
        elif len(behind) == 3:
            for given in sort_blocks(foreign):
                here = own - {moved} | {given, block - given | moved}
                there = foreign - {given} | {moved, back - moved | given}
                yield rest | {(here, states), (there, many)}


def sort_blocks(division: Division) -> list[Block]:
    """In the order of the names in them."""
    return sorted(division, key=sorted)


def sort_nodes(structure: Structure) -> list[tuple[Division, int]]:
    """In the order of the names in their blocks."""
    return sorted(structure, key=lambda node: [sorted(block) for block in sort_blocks(node[0])])


def has_idle_states(structure: Structure, whole: Block, sizes: dict[str, int]) -> bool:
    """Whether a hidden variable has more states than its neighbours can use (KZ02 Lemma 4.1).

    >>> items = [Variable(name) for name in "ABC"]
    >>> ((division, _),) = make_first_structure(items)
    >>> [has_idle_states(frozenset({(division, k)}), frozenset("ABC"), dict.fromkeys("ABC", 2)) for k in (4, 5)]
    [False, True]
    """
    for division, states in structure:
        around = [
            sizes[next(iter(block))] if len(block) == 1 else find_neighbour(structure, whole, block)[1]
            for block in division
        ]
        if states > prod(around) // max(around):
            return True
    return False


def build_tree_network(structure: Structure, items: Sequence[Variable]) -> Network:
    """The network of a structure, its root the hidden variable next to the first item.

    >>> from algdim.models.notation import to_text
    >>> to_text(
    ...     build_tree_network(make_first_structure([Variable(name) for name in "ABC"]), [Variable(n) for n in "ABC"])
    ... )
    'H1 -> A, B, C; hidden H1'
    """
    whole = frozenset(item.name for item in items)
    taken, number = set(whole), 0
    parent: dict[str, str] = {}
    hidden: list[Variable] = []
    first = frozenset({items[0].name})
    waiting: list[tuple[tuple[Division, int], Block | None, str | None]] = [
        (next(node for node in structure if first in node[0]), None, None)
    ]
    while waiting:
        node, back, above = waiting.pop(0)
        number = next(k for k in range(number + 1, number + len(whole) + 2) if f"H{k}" not in taken)
        name = f"H{number}"
        hidden.append(Variable(name, node[1], parents=() if above is None else (above,), observed=False))
        for block in sort_blocks(node[0] - {back} if back is not None else node[0]):
            if len(block) == 1:
                parent[next(iter(block))] = name
            else:
                waiting.append((find_neighbour(structure, whole, block), whole - block, name))
    return Network((*hidden, *(Variable(item.name, item.states, parents=(parent[item.name],)) for item in items)))
