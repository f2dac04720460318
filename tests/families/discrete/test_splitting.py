"""Formats: what is proved by splitting is what ranks say; the exceptions are those in print; what is kept is found again."""

from __future__ import annotations

import csv
import random
from functools import reduce
from itertools import combinations_with_replacement
from math import comb

import numpy as np
import pytest
from amount import SEED
from flint import nmod_mat
from packages import ROOT

import algdim
from algdim.exact.primes import is_prime
from algdim.families.discrete.bounds import splitting
from algdim.families.discrete.bounds.secants import find_defective_format
from algdim.families.discrete.bounds.splitting import (
    Search,
    SecantProblem,
    bound_lacking,
    find_blocks,
    find_secants,
    find_unbalanced,
    is_expected,
    is_settled,
    is_split,
    iterate_cuts,
    iterate_splittings,
    list_formats,
    look_up_lacking,
)
from algdim.families.discrete.bounds.tangents import (
    PRIME,
    ItemGroup,
    compute_rank,
    count_cells,
    count_directions,
    find_split_group,
)

OTHER_PRIME = 1_000_003


def write(groups, classes):
    """A latent class model of a format."""
    parts = [f"{states}^{items}*" if items > 1 else str(states) for states, items, _ in groups]
    return f"{classes}:{','.join(parts)}"


def multiply(one, other):
    """The products of all entries."""
    return [x * y % OTHER_PRIME for x in one for y in other]


def power(forms):
    """The symmetric product of vectors, in coordinates: values on all multisets of places."""
    states, items = len(forms[0]), len(forms)
    cells = []
    for places in combinations_with_replacement(range(states), items):
        total = 0
        for number in range(items):
            # the first form on one place, the second, which all others are, on the rest
            rest = [forms[-1][place] for at, place in enumerate(places) if at != number]
            total += forms[0][places[number]] * reduce(lambda x, y: x * y % OTHER_PRIME, rest, 1)
        cells.append(total % OTHER_PRIME)
    return cells


def rank(groups, classes, source):
    """The dimension of all spaces by definition, at points of its own and modulo another prime."""
    rows = []

    def add(places):
        vectors = [[source.randrange(1, OTHER_PRIME) for _ in range(group.states)] for group in groups]
        for place in places:
            for entry in range(groups[place].states):
                unit = [int(entry == state) for state in range(groups[place].states)]
                factors = [
                    power([unit if at == place else vector] + [vector] * (group.items - 1))
                    for at, (group, vector) in enumerate(zip(groups, vectors, strict=True))
                ]
                rows.append(reduce(multiply, factors))

    for _ in range(classes):
        add(range(len(groups)))
    for place, group in enumerate(groups):
        for _ in range(group.partial):
            add([place])
    return nmod_mat(rows, OTHER_PRIME).rank() if rows else 0


def draw_format(source):
    """Some groups with directions of their own, and a number of classes about where both bounds meet."""
    while True:
        groups = tuple(
            sorted(
                ItemGroup(source.randint(2, 4), source.choice([1, 1, 1, 2, 3]), source.choice([0, 0, 1, 2]))
                for _ in range(source.randint(2, 4))
            )
        )
        if count_cells(groups) <= 90:
            most = count_cells(groups) // count_directions([group._replace(partial=0) for group in groups], 1)
            return groups, source.randint(0, most + 1)


def test_the_modulus_is_a_prime():
    """Ranks are taken in a field."""
    assert is_prime(PRIME)


def has_expected_dimension(groups, classes, source):
    """By definition."""
    return rank(groups, classes, source) == min(count_directions(groups, classes), count_cells(groups))


def test_what_is_proved_is_the_rank():
    """With and without splitting: never more than the rank by definition, and the rank itself where all may be ranked."""
    source = random.Random(SEED)
    proved = splittings = 0
    for _ in range(60):
        groups, classes = draw_format(source)
        expected = has_expected_dimension(groups, classes, source)
        split = Search(small=8, quick=0, largest=8)
        by_splitting = is_expected(split, groups, classes)
        assert expected or not by_splitting, (groups, classes)
        assert expected == is_expected(Search(small=100), groups, classes), (groups, classes)
        assert expected == is_settled(Search(small=8, quick=0, largest=100), groups, classes), (groups, classes)
        proved, splittings = proved + by_splitting, splittings + split.splittings
    assert proved > 10
    assert splittings > 5


def test_large_parts_of_little_work_are_ranked():
    """Directions in one table fill most of a part with 600 cells: what is left to rank is small, and no splitting proves it."""
    groups = tuple(ItemGroup(states, 1) for states in (2, 2, 2, 3, 5, 75))
    slow, quick = Search(quick=0), Search()
    assert not is_split(slow, groups, 107)
    assert is_split(quick, groups, 107)
    assert quick.work < 10**8


def test_every_splitting_proves_what_is_true():
    """Not the first that succeeds alone: whatever the parts prove is the dimension by definition, or nothing is proved."""
    source = random.Random(SEED)
    search, tried, proved = Search(small=100), 0, 0
    while tried < 200:
        groups, classes = draw_format(source)
        found = [proof(search) for proof in iterate_splittings(SecantProblem(groups, classes))]
        tried, proved = tried + len(found), proved + sum(found)
        assert not any(found) or has_expected_dimension(groups, classes, source), (groups, classes)
    assert proved > 50


def test_ranks_are_those_by_definition():
    """At once as by definition; in blocks, at points that are special, at most as large, mostly equal, and so with one block."""
    source = random.Random(SEED)
    seen = equal = partial = 0
    while seen < 60:
        groups, classes = draw_format(source)
        place = find_split_group(groups)
        if place < 0:
            continue
        states, general = groups[place].states, rank(groups, classes, source)
        found = compute_rank(0, groups, classes, source.randint(1, states))
        once = compute_rank(0, groups, classes)
        assert found <= general == once == compute_rank(0, groups, classes, states), (groups, classes)
        seen, equal = seen + 1, equal + (found == general)
        partial += any(group.partial for at, group in enumerate(groups) if at != place)
    assert equal > 40
    assert partial > 10


def test_a_search_that_proves_nothing_ends(monkeypatch):
    """A format that is neither split nor ranked has no class that is proved independent, and is full with as many as cells."""
    monkeypatch.setattr(splitting, "MOST_TRIED", 0)
    found = find_secants(Search(small=1, quick=0, largest=1), (ItemGroup(3, 2), ItemGroup(3, 2)))
    assert (found.independent, found.full) == (0, 36)


def test_splittings_lose_nothing():
    """The cells and the directions expected of all parts are those of the whole."""
    source = random.Random(SEED)
    blocks = cuts = 0
    for _ in range(60):
        groups, classes = draw_format(source)
        whole, expected = SecantProblem(groups, classes), count_directions(groups, classes)
        for place, group in enumerate(groups):
            if group.items == 1:
                found = find_blocks(whole, place, source.randint(1, group.states)) or []
                parts = [found] if found else []
                blocks += len(parts)
            else:
                found = list(iterate_cuts(whole, place))
                # points on the hyperplane are products of the other part
                parts = [(cut.trace, cut.residue._replace(lines=cut.residue.lines + cut.lines)) for cut in found]
                cuts += len(parts)
            for split in parts:
                assert sum(count_cells(part.groups) for part in split) == count_cells(groups)
                assert sum(count_directions(part.groups, part.classes) + part.lines for part in split) == expected
                assert min(min(part.classes, part.lines) for part in split) >= 0
                assert min((group.partial for part in split for group in part.groups), default=0) >= 0
                room = [part.spare for part in split]
                assert min(room) >= 0 if whole.spare >= 0 else max(room) <= 0
    assert min(blocks, cuts) > 10


def test_arrays_that_are_exceptions_are_those_in_print():
    """Up to 150 cells: the families of Abo, Ottaviani and Peterson, and no others."""
    search = Search()
    found = set()
    for groups in list_formats(150, is_shared=False):
        states = tuple(group.states for group in groups)
        between = find_secants(search, groups).between
        if find_unbalanced(groups) is None:
            found |= {(classes, states) for classes in between}
    assert len(found) > 8
    assert all(find_defective_format(*one) is not None for one in found)


def test_formats_are_what_dim_says():
    """Drawn ones: all parameters at one number, all cells at the other, less between them; unbalanced ones too."""
    source = random.Random(SEED)
    formats = list_formats(40, is_shared=True) + list_formats(40, is_shared=False)
    for groups in source.sample(formats, 12):
        found = find_secants(Search(), groups)
        cells, each = count_cells(groups), count_directions(groups, 1)
        for classes in {found.independent, found.full, *found.between[:1]}:
            dimension = algdim.dimension(write(groups, classes)).dimension
            expected = min(classes * each, cells) - 1
            assert (dimension < expected) == (classes in found.between), (groups, classes)


def test_formats_are_listed_once():
    """Shared tables and arrays: each multiset of groups, counted in another way."""
    for most in (30, 100):
        arrays, shared = list_formats(most, is_shared=False), list_formats(most, is_shared=True)
        assert len(set(arrays)) == len(arrays)
        assert len(set(shared)) == len(shared)
        assert len(arrays) == sum(count_factorisations(cells, 2, 3) for cells in range(8, most + 1))
        assert all(comb(group.states + group.items - 1, group.items) == group.cells for one in shared for group in one)


def count_factorisations(number, least, factors):
    """In how many ways a number is a product of at least so many factors, each at least as large as the one before."""
    ways = int(number >= least and factors <= 1)
    return ways + sum(
        count_factorisations(number // first, first, factors - 1)
        for first in range(least, number)
        if first * first <= number and number % first == 0
    )


@pytest.fixture(scope="module")
def kept():
    """The numbers of classes between both bounds that are kept."""
    with (ROOT / "atlas" / "defective.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_what_is_kept_is_found_again(kept):
    """Drawn rows: dimension, expected dimension and proof; what is only cited is in a family of its paper."""
    assert {row["status"] for row in kept} <= {"proved", "cited", "probable"}
    for row in random.Random(SEED).sample([row for row in kept if int(row["cells"]) <= 150], 6):
        report = algdim.dimension(row["model"])
        assert (row["dimension"], row["status"]) == (str(report.dimension), report.trust.to_dict()["status"])
        assert int(row["expected"]) >= report.dimension
    for row in kept:
        if row["status"] == "cited":
            classes, _, items = row["model"].partition(":")
            known = find_defective_format(int(classes), tuple(map(int, items.split(","))))
            assert known is not None
            assert known.at_most == int(row["dimension"])


def test_what_settled_formats_say_of_larger_ones():
    """From formats with fewer cells: at most what L lacks by a rank, exactly what it lacks of a settled one, and often enough."""
    search, met = Search(), 0
    for groups in list_formats(48, is_shared=True):
        before = [bound_lacking(search, groups, classes) for classes in range(9)]
        settled = find_secants(search, groups)
        after = look_up_lacking(search, groups, np.arange(9))
        for classes in range(9):
            lacks = count_cells(groups) - compute_rank(1, groups, classes) if classes else count_cells(groups)
            assert lacks <= before[classes], (groups, classes)
            assert lacks <= after[classes], (groups, classes)
            if classes not in settled.between:
                assert lacks == after[classes], (groups, classes)
            met += lacks == before[classes]
    assert met > 500


@pytest.mark.parametrize(("items", "states"), [(1, 3), (2, 4), (4, 3), (7, 2), (9, 4)])
def test_two_groups_of_which_one_is_binary_and_one_alone(items, states):
    """Lemma "splitting" (j): as expected, by ranks by definition too."""
    source = random.Random(SEED)
    groups = tuple(sorted((ItemGroup(2, items), ItemGroup(states, 1))))
    for classes in range(1, items + 3):
        assert is_settled(Search(), groups, classes) == has_expected_dimension(groups, classes, source)
