"""MH97 §5: the five models, the structures that might have been meant, and the same structures with other functions."""

from __future__ import annotations

from itertools import combinations, combinations_with_replacement
from math import prod

import pytest
from amount import daily
from packages import ROOT

import algdim
from algdim import InputError

DOCUMENT = ROOT / "docs" / "causal.md"
WORDS = ("max", "noisy-or", "sum", "parity", "at-least 2")
FIVE = {
    "F1": "{C1},{C2},{C3}",
    "F2": "{C1,C2},{C3}",
    "F3": "{C1,C2},{C2,C3}",
    "F4": "{C1,C2},{C1,C3},{C2,C3}",
    "F5": "{C1,C2,C3}",
}


def faces(sets):
    """All subsets of the sets."""
    return {frozenset(face) for one in sets for size in range(len(one) + 1) for face in combinations(sorted(one), size)}


def structures(rows):
    """All lists of mechanisms, the order disregarded, of three binary causes, whose tables have this many rows."""
    sets = [frozenset(one) for size in range(4) for one in combinations((1, 2, 3), size)]
    return [
        chosen
        for count in range(1, rows + 1)
        for chosen in combinations_with_replacement(sets, count)
        if sum(2 ** len(one) for one in chosen) == rows
    ]


def text(sets, word="max"):
    """The model in the notation; all three causes are in it."""
    braces = ",".join("{" + ",".join(f"C{i}" for i in sorted(one)) + "}" for one in sets)
    return f"{word}: {braces} -> E; states C1=2, C2=2, C3=2"


def test_all_structures_with_nine_parameters():
    """There are 32; those of dimension 7 are F1 and structures in which the effect ignores a cause."""
    found = structures(6)
    seven = []
    for sets in found:
        report = algdim.dimension(text(sets))
        assert (9, 3 + len(faces(sets)), True) == (report.standard, report.dimension, report.exact)
        if report.dimension == 7:
            seven.append(sets)

    assert 32 == len(found)
    assert [{1, 2, 3}] == [set().union(*sets) for sets in seven if set().union(*sets) == {1, 2, 3}]
    assert [frozenset([1]), frozenset([2]), frozenset([3])] in [list(sets) for sets in seven]


@pytest.mark.parametrize(
    ("states", "dimensions"),
    [
        ("", (7, 8, 9, 10, 11)),
        ("; states E=3", (11, 13)),
        ("; states C1=3, C2=3, C3=3", (13, 17)),
        ("; states C1=3, C2=3, C3=3, E=3", (20, 28)),
    ],
)
def test_dimensions_are_the_faces_of_a_complex(states, dimensions):
    """Counted by hand: causes, and for each face the products of the causes' states less one, for each level of E."""
    for braces, expected in zip(FIVE.values(), dimensions, strict=False):
        r = 3 if "C1=3" in states else 2
        levels = 2 if "E=3" in states else 1
        sets = [one.split(",") for one in braces.strip("{}").split("},{")]
        by_hand = 3 * (r - 1) + levels * sum(prod(r - 1 for _ in face) for face in faces(sets))
        report = algdim.dimension(f"max: {braces} -> E{states}")

        assert (expected, expected, True) == (by_hand, report.dimension, report.exact)


def line(name):
    """The line of the table in the document."""
    cells = [f"{name}", f"`{FIVE[name]}`"]
    for word in WORDS:
        try:
            report = algdim.dimension(f"{word}: {FIVE[name]} -> E")
        except InputError:
            cells.append("–")
        else:
            certificate = algdim.prove(f"{word}: {FIVE[name]} -> E")
            assert report.exact
            assert algdim.verify(certificate)
            assert report.dimension == certificate.dimension
            cells.append(f"{report.dimension} of {report.standard}")
    return f"| {' | '.join(cells)} |"


@pytest.mark.parametrize("name", FIVE)
def test_the_table_in_the_document(name):
    """The table of the same structures with other functions is what comes out, and each number is certified."""
    assert line(name) in DOCUMENT.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize(
    ("causes", "effects", "leak", "dimension"),
    daily(
        [
            *[(2, 3, 1, 7), (2, 4, 1, 14), (3, 4, 1, 15), (3, 5, 1, 23), (4, 5, 1, 29)],
            *[(2, 3, 0, 7), (2, 4, 0, 10), (3, 4, 0, 15), (3, 5, 0, 18), (4, 5, 0, 24)],
        ],
        8,
    ),
)
@pytest.mark.parametrize("method", ["auto", "products"])
def test_two_layers(causes, effects, leak, dimension, method):
    """A fully connected network of two layers: as many dimensions as parameters or cells allow."""
    report = algdim.dimension(two_layers(causes, effects, leak), method=method)
    expected = min(causes + effects * (causes + leak), 2**effects - 1)

    assert (dimension, expected, True) == (expected, report.dimension, report.exact)


def two_layers(causes, effects, leak):
    """Hidden causes, each a cause of every effect by a noisy-or."""
    names = [f"H{i}" for i in range(1, causes + 1)]
    braces = ",".join(f"{{{name}}}" for name in names) + ",{}" * leak
    return f"noisy-or: {braces} -> {', '.join(f'E{i}' for i in range(1, effects + 1))}; hidden {', '.join(names)}"


@pytest.mark.slow
@pytest.mark.parametrize(("leak", "dimension"), [(1, 2500), (0, 2440)])
def test_forty_causes_and_sixty_effects(leak, dimension):
    """A product functional of the effects would need 2^40 numbers; one that factorises is a product over the causes."""
    report = algdim.dimension(two_layers(40, 60, leak))

    assert (dimension, True, "products") == (report.dimension, report.exact, report.method)


def test_twelve_causes_and_twenty_effects():
    """The same with fewer: the method is found by itself."""
    report = algdim.dimension(two_layers(12, 20, 1))

    assert (12 + 20 * 13, True, "products") == (report.dimension, report.exact, report.method)


@pytest.mark.parametrize(("word", "expected"), [("max", 81), ("parity", 81), ("noisy-or", 80), ("at-least 3", 120)])
def test_forty_mechanisms(word, expected):
    """Forty observed causes, each with a mechanism: the map is as large as its tables."""
    braces = ",".join(f"{{C{i}}}" for i in range(40))
    report = algdim.dimension(f"{word}: {braces} -> E")

    assert (expected, True) == (report.dimension, report.exact)
