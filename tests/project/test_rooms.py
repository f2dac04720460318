"""Where tests stand, and what they import: those of behaviour public names alone, the others no part that comes after theirs.

- `interface/`: what algdim promises (`algdim.__all__`), and the commands, by their function `main`.
- A folder named after a part: internals of that part and of those before it in the order of imports, families among them.
- `families/<family>/`: internals of that family and of networks, which are the ground, and of all parts up to `explanation`.
- `test_<module>.py` beside the folders: as a folder, for a module that is no package.
- `papers/`, the last part, and `project/`, about the repository itself: anything.

Helpers stand beside the folders; what they import counts for the tests that import them, where only public names are free.
"""

from __future__ import annotations

import ast
from collections import Counter
from functools import cache
from graphlib import TopologicalSorter

import pytest
from packages import FACADE, PAPERS, ROOT
from sources import nodes_of
from test_layers import GROUND, STAGE_OF, part_of

import algdim
from algdim.families import ENTRIES

TESTS = ROOT / "tests"
FILES = sorted(TESTS.rglob("*.py"))
MODULES = {".".join((*file.relative_to(TESTS).parts[:-1], file.stem)): file for file in FILES}
MODULES |= {file.stem: file for file in FILES}

INTERFACE, PROJECT = "interface", "project"
COMMAND = f"{FACADE}.cli.main"
LAST_OF_FAMILIES = STAGE_OF["explanation"]
"""What families are asked by: their tests may know it."""

EXCEPTIONS = {
    "test_certificate": (
        ["algdim_papers.claims.reading.list_claims", "algdim_papers.claims.reading.list_papers"],
        "what the papers claim is certified",
    ),
    "test_cli": (["algdim_papers.claims.reading"], "a command of the papers is told what they claim"),
    "test_memory": (
        ["algdim.cli.build_parser", "algdim.studio.answering", "algdim.sweeping.querying.iterate_rows"],
        "every command that has a limit of memory, the page, and rows of a store are measured",
    ),
    "test_identifying": (
        ["algdim.explanation.printing.print_map"],
        "the map as it is printed is differentiated again",
    ),
}
"""Tests that import what comes after their part, and why."""


@cache
def internals_of(file):
    """The internals that a file imports, as dotted names: of the packages, but no public name and not the command."""
    found = set()
    for node in nodes_of(file):
        match node:
            case ast.Import(names=names):
                found |= {one.name for one in names if one.name.startswith((f"{FACADE}.", PAPERS))}
            case ast.ImportFrom(module=str(module), names=names) if module.split(".")[0] in (FACADE, PAPERS):
                found |= {f"{module}.{one.name}" for one in names if module != FACADE or one.name not in PUBLIC}
    return frozenset(found - {COMMAND})


PUBLIC = frozenset(algdim.__all__)


def borrowed(file):
    """The files of tests that a file imports."""
    for node in nodes_of(file):
        match node:
            case ast.Import(names=names):
                yield from (MODULES[one.name] for one in names if one.name in MODULES)
            case ast.ImportFrom(module=str(module), names=names):
                longer = [f"{module}.{one.name}" for one in names]
                yield from (MODULES[one] for one in (module, *longer) if one in MODULES)


def room_of(file):
    """The folder in which a test stands, with dots; the stem of the module, where it stands beside them."""
    return ".".join(file.relative_to(TESTS).parts[:-1]) or file.stem.removeprefix("test_")


def is_after(name, room):
    """Whether an internal is of a part that comes after the part of a folder, or of another family."""
    part = part_of(name)
    if room in (PROJECT, "papers"):
        return False
    if part.startswith(PAPERS) or room == INTERFACE:
        return True
    of_family = room.startswith("families.")
    if part.startswith("families."):
        return of_family and part not in (room, f"families.{GROUND}")
    return STAGE_OF[part] > (LAST_OF_FAMILIES if of_family else STAGE_OF[room])


def offences_in(file):
    """Yield the internals that a test imports and should not."""
    room = room_of(file)
    yield from (name for name in sorted(internals_of(file)) if is_after(name, room))
    if room == INTERFACE:
        yield from (f"{one.stem}: {name}" for one in set(borrowed(file)) for name in sorted(internals_of(one)))


ROOMS = [file for file in FILES if file.stem.startswith("test_")]


def test_tests_import_nothing_that_comes_after_them():
    """The direction of imports holds for tests, too; those of behaviour hold to what is promised."""
    found = {file.stem: list(offences_in(file)) for file in ROOMS}

    assert {name: [*names] for name, (names, _) in EXCEPTIONS.items()} == {name: of for name, of in found.items() if of}


def test_every_folder_is_a_part():
    """Of the package, or one of the three others; and names are those of modules where no folder is."""
    rooms = {room_of(file) for file in ROOMS}
    folders = {f"families.{one.folder}" for one in ENTRIES}

    assert {INTERFACE, PROJECT, "papers"} <= rooms
    assert rooms - {INTERFACE, PROJECT, "papers"} - folders <= {*STAGE_OF}
    assert [] == [name for name, count in Counter(file.name for file in ROOMS).items() if count > 1]


def test_helpers_stand_beside_the_folders():
    """What several tests share is no test; tests borrow from each other in no circle."""
    helpers = [file for file in FILES if not file.stem.startswith("test_")]

    assert {TESTS, TESTS / "suites"} == {file.parent for file in helpers}
    TopologicalSorter({file: {*borrowed(file)} - {file} for file in FILES}).prepare()


@pytest.mark.parametrize(
    ("name", "room", "expected"),
    [
        ("algdim.bound.bounds.Bound", "bound", False),
        ("algdim.exact.primes.is_prime", "bound", False),
        ("algdim.families.gaussian.model.Gaussian", "bound", False),
        ("algdim.report.RankAt", "bound", True),
        ("algdim.report.RankAt", "families.gaussian", False),
        ("algdim.families.gaussian.map.gaussian_map", "families.loglinear", True),
        ("algdim.families.discrete.map.param_map", "families.loglinear", False),
        ("algdim.cli.options.table", "families.discrete", True),
        ("algdim.rank.draw", "jacobian", True),
        ("algdim.jacobian.values_at", "rank", False),
        ("algdim.models.notation.parse", INTERFACE, True),
        ("algdim_papers.claims.claims", "cli", True),
        ("algdim_papers.claims.claims", "papers", False),
    ],
)
def test_what_comes_after(name, room, expected):
    """Parts, families, the interface and the papers."""
    assert expected == is_after(name, room)
