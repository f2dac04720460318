"""Identified formats: second derivatives by definition, the exceptions in print, and hyperplanes in blocks as at once."""

from __future__ import annotations

import random
from functools import reduce
from itertools import combinations_with_replacement
from math import prod

from amount import SEED
from flint import nmod_mat

from algdim.families.discrete.bounds import contacts, tangents
from algdim.families.discrete.bounds.contacts import count_second_derivatives, find_hyperplanes, is_identified
from algdim.families.discrete.bounds.splitting import Search, find_secants, find_unbalanced, list_formats
from algdim.families.discrete.bounds.tangents import (
    PRIME,
    ItemGroup,
    count_cells,
    count_directions,
    list_block_sizes,
)

NOT_IDENTIFIED = {"2,2,2,2,2": 5, "4,4,4": 6, "3,6,6": 8}
"""Independent formats with at most 140 cells with a number of classes below the generic one that is not identified: Theorem 1.1
of Chiantini, Ottaviani and Vannieuwenhoven 2014."""


def differentiate(vector, items, entries):
    """Derivatives of all monomials of a degree by some entries: exponents fall, and are factors."""
    found = []
    for places in combinations_with_replacement(range(len(vector)), items):
        exponents, factor = [places.count(entry) for entry in range(len(vector))], 1
        for entry in entries:
            factor *= exponents[entry]
            exponents[entry] -= 1
        found.append(factor and factor * prod(pow(int(x), e, PRIME) for x, e in zip(vector, exponents, strict=True)))
    return found


def list_second_derivatives(groups, vectors):
    """For each entry of a group's vector the derivatives by it and by each entry, one after the other."""
    entries = [(i, entry) for i, group in enumerate(groups) for entry in range(group.states)]

    def find(chosen):
        factors = [
            differentiate(vectors[i], group.items, [entry for at, entry in chosen if at == i])
            for i, group in enumerate(groups)
        ]
        return reduce(lambda one, other: [x * y % PRIME for x in one for y in other], factors)

    return [[find([first, second]) for second in entries] for first in entries]


def count_moving(groups, planes, vectors):
    """In how many directions a point moves so that its tangent space leaves what the hyperplanes contain."""
    moved = [
        [sum(int(x) * y for x, y in zip(plane, row, strict=True)) % PRIME for row in line for plane in planes]
        for line in list_second_derivatives(groups, vectors)
    ]
    return nmod_mat(moved, PRIME).rank()


def test_second_derivatives_are_those_by_definition():
    """Of drawn small formats with and without items of one table."""
    source = random.Random(SEED)
    formats = list_formats(24, is_shared=True) + list_formats(24, is_shared=False)
    for groups in source.sample([one for one in formats if count_cells(one) > count_directions(one, 1)], 8):
        classes = source.randint(1, (count_cells(groups) - 1) // count_directions(groups, 1))
        _, planes, vectors = find_hyperplanes(0, groups, classes, None)
        assert count_second_derivatives(groups, planes, vectors) == count_moving(groups, planes, vectors), groups


def test_hyperplanes_in_blocks_are_those_at_once():
    """As many, whatever the size of the blocks, and the first derivatives of their equations are 0 at the point."""
    source = random.Random(SEED)
    formats = [
        one for one in list_formats(60, is_shared=False) + list_formats(40, is_shared=True) if list_block_sizes(one, 2)
    ]
    for groups in source.sample(formats, 20):
        classes = max(1, (count_cells(groups) - 1) // count_directions(groups, 1) - 1)
        rank, planes, _ = find_hyperplanes(0, groups, classes, None)
        assert rank + len(planes) == count_cells(groups)
        for size in list_block_sizes(groups, classes):
            found, some, vectors = find_hyperplanes(0, groups, classes, size)
            assert found + len(some) == count_cells(groups)
            assert nmod_mat((some % PRIME).astype(int).tolist(), PRIME).rank() == len(some)
            for i, group in enumerate(groups):
                for entry in range(group.states):
                    factors = [
                        differentiate(vector, one.items, [entry] if at == i else [])
                        for at, (one, vector) in enumerate(zip(groups, vectors, strict=True))
                    ]
                    row = reduce(lambda one, other: [x * y % PRIME for x in one for y in other], factors)
                    assert all(sum(int(x) * y for x, y in zip(plane, row, strict=True)) % PRIME == 0 for plane in some)


def test_exceptions_are_those_in_print(monkeypatch):
    """All arrays with at most 140 cells, at once and in blocks."""
    search = Search()
    for small in (contacts.SMALL, 0):
        monkeypatch.setattr(contacts, "SMALL", small)
        found = {}
        for groups in list_formats(140, is_shared=False):
            independent = find_secants(search, groups).independent
            if find_unbalanced(groups) is None and count_directions(groups, independent) < count_cells(groups):
                text = ",".join(str(group.states) for group in groups)
                found |= {} if is_identified(0, groups, independent) else {text: independent}
        assert found == NOT_IDENTIFIED


def test_what_is_not_independent_is_not_shown():
    """With defective or too many classes nothing is proved."""
    three, four = ItemGroup(3, 1), ItemGroup(4, 1)
    assert is_identified(0, (three, four, four), 4)
    assert not is_identified(0, (three, four, four), 5)
    assert not is_identified(0, (three, three, three), 5)


def test_points_have_no_entry_that_is_zero(monkeypatch):
    """The derivative by the first entry of a vector is left out, which loses a direction where that entry is 0."""
    monkeypatch.setattr(tangents, "PRIME", 5)
    points = tangents.draw_points(0, (ItemGroup(3, 1), ItemGroup(2, 2)), 50, "")
    assert {int(entry) for vectors in points for entry in vectors.flat} == {1, 2, 3, 4}
