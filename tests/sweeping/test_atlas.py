"""The page of the atlas is what its recipe makes of the data that are kept, and the data agree with each other."""

from __future__ import annotations

import csv
import importlib.util
import random
from math import prod

import pytest
from amount import SEED
from packages import ROOT

import algdim
from algdim.families.discrete.bounds.secants import find_item_groups
from algdim.families.discrete.bounds.splitting import Search, find_secants
from algdim.families.discrete.bounds.tangents import ItemGroup
from algdim.sweeping.lookup import ATLAS, iterate_entries


def load(name):
    """A script of the folder `atlas`."""
    spec = importlib.util.spec_from_file_location(f"atlas_{name}", ROOT / "atlas" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def build():
    """The recipe."""
    return load("build")


@pytest.fixture(scope="module")
def entries():
    """All rows of the atlas."""
    return list(iterate_entries(ATLAS))


@pytest.fixture(scope="module")
def counts(build):
    """What is kept of each class."""
    return {row["class"]: row for row in build.read_table(build.COUNTS)}


def read_table(name):
    """A table of the folder `atlas`."""
    with (ROOT / "atlas" / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_the_page_is_what_the_recipe_writes(build, entries, counts):
    """No number on it was written by hand, or is of an earlier run."""
    page = build.write_page(entries, counts)
    assert (ROOT / "docs" / "atlas.md").read_text(encoding="utf-8") == page
    assert "@" not in page.replace("@ ", "")


def test_counts_are_those_of_the_entries(build, entries, counts):
    """Every column that can be counted again."""
    assert list(counts) == [name for name in build.CLASSES if name in counts]
    for name, row in counts.items():
        mine = [entry for entry in entries if entry["class"] == name]
        again = build.summarise(int(row["models"]), mine, float(row["seconds"]))
        assert {key: str(value) for key, value in again.items()} == row


def test_hidden_variables_are_counted_in_the_text(build, entries):
    """As in the model that the text means."""
    structures = [entry for entry in entries if entry["class"].startswith("structures")]
    for entry in random.Random(SEED).sample(structures, 20):
        assert build.count_hidden(entry) == len(algdim.model(entry["model"]).hidden)


def test_missing_models_come_before_probable_ones(build):
    """In the order of the class; what is proved is not computed again."""
    old = {"a": {"status": "proved"}, "b": {"status": "probable"}}
    assert build.choose_missing(["a", "b", "c", "d"], old) == ["c", "d", "b"]


def test_open_numbers_of_classes_are_between_what_is_proved():
    """Of drawn small ones: the search says the same, and no dimension of them is kept."""
    kept, unsettled = read_table("defective.csv"), read_table("open.csv")
    assert not {row["model"] for row in kept} & {row["model"] for row in unsettled}
    formats = load("formats")
    for row in unsettled:
        cells = prod(states**items for states, items, _ in formats.read_groups(row["model"].partition(":")[2]))
        assert int(row["cells"]) > formats.MOST_RANKED or cells > formats.MOST_CELLS
    small = [row for row in kept if int(row["cells"]) <= 100]
    for row in random.Random(SEED).sample(small, 5):
        classes, groups = find_item_groups(algdim.model(row["model"]))
        found = find_secants(Search(), [ItemGroup(*group) for group in groups])
        assert classes in found.between, row
