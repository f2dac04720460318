"""The page of the atlas is what its recipe makes of the data that are kept, and the data agree with each other."""

from __future__ import annotations

import csv
import importlib.util
import json
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


@pytest.fixture
def few(entries):
    """Some entries of which a certificate can be stored."""
    small = [entry for entry in entries if entry["class"] == "latent-trees" and int(entry["dimension"]) <= 20]
    return random.Random(SEED).sample(small, 3)


def test_certificates_are_stored_once(few, tmp_path, monkeypatch):
    """Each in a file that the checker accepts; a second run makes nothing."""
    certificates = load("certificates")
    assert certificates.store_certificates(tmp_path, few, float("inf")) == []
    paths = [certificates.place_certificate(tmp_path, entry) for entry in few]
    assert all(word.startswith("accepted") for word in certificates.check(paths).values())
    assert [json.loads(path.read_text(encoding="utf-8"))["claim"]["dimension"] for path in paths] == [
        int(one["dimension"]) for one in few
    ]
    assert certificates.list_stored(tmp_path) == {(entry["class"], entry["key"]) for entry in few}
    monkeypatch.setattr(certificates.algdim, "prove", None)
    assert certificates.store_certificates(tmp_path, few, float("inf")) == []


def test_what_the_checker_refuses_is_not_stored(few, tmp_path, monkeypatch):
    """A claim that is greater than its evidence, and an entry that says something else."""
    certificates = load("certificates")
    right = algdim.prove(few[0]["model"])
    data = json.loads(right.text)
    data["evidence"]["lower"]["value"] -= 1
    wrong = type(right)(data)
    monkeypatch.setattr(certificates.algdim, "prove", lambda _: wrong)
    (refused,) = certificates.store_certificates(tmp_path, few[:1], float("inf"))
    assert "accepted" not in refused
    assert certificates.list_stored(tmp_path) == set()
    monkeypatch.undo()
    with pytest.raises(RuntimeError, match="the atlas has"):
        certificates.store_certificates(tmp_path, [few[0] | {"dimension": "1"}], float("inf"))


def test_entries_without_a_certificate_have_a_reason(tmp_path):
    """They are not tried again."""
    certificates = load("certificates")
    entry = {"class": "defective-formats", "key": "0", "model": "23:2^2*,2^22*", "dimension": "67", "status": "proved"}
    assert certificates.store_certificates(tmp_path, [entry], float("inf")) == []
    (row,) = certificates.read_lacking(tmp_path)
    assert "symmetric-items" in row["reason"]


def test_formats_are_settled_and_identified_from_where_a_run_stopped(tmp_path):
    """The store of a run that was ended anywhere leads to the same rows; each format has a number up to which it is identified."""
    formats = load("formats")
    store = tmp_path / "formats.csv"
    never = float("inf")
    formats.settle_formats("arrays", 70, store, never)
    once = formats.read_rows(store)
    lines = store.read_text(encoding="utf-8").splitlines(keepends=True)
    store.write_text("".join(lines[:9]) + lines[9][:5], encoding="utf-8")
    formats.settle_formats("arrays", 70, store, never)
    assert formats.read_rows(store) == once
    formats.identify_formats("arrays", 70, store, never)
    tested = formats.read_rows(tmp_path / "identified.csv")
    assert [row["format"] for row in tested if row["shown"] == "0"] == ["2,2,2,2,2", "4,4,4"]
    summary = formats.count_identified("arrays", once, tested)
    assert summary["tested"] == len(tested) == len(once) - summary["perfect"]
    assert summary["cells"] == max(int(row["cells"]) for row in once)
    numbers = {row["format"]: (row["identified"], row["by"]) for row in formats.list_identified(once, tested)}
    assert numbers["4,4,4"] == (5, formats.SECANT)
    assert numbers["3,4,4"] == (4, formats.ISOLATED)
    assert numbers["2,2,2,3"] == (3, formats.SECANT)
    shorter = formats.count_identified("arrays", once, tested[:-1])
    assert int(shorter["cells"]) < int(tested[-1]["cells"])


def test_open_formats_are_improved_by_ranks(tmp_path):
    """What a store says less of than can be proved becomes what a search says; a format that is defective stays."""
    formats = load("formats")
    store = tmp_path / "formats.csv"
    store.write_text(
        'kind,cells,format,independent,full\narrays,72,"3,4,6",4,9\narrays,48,"3,4,4",4,6\n', encoding="utf-8"
    )
    formats.improve_formats("arrays", 100, store, float("inf"))
    found = find_secants(Search(), [ItemGroup(states, 1) for states in (3, 4, 6)])
    (_, _, last) = formats.read_rows(store)
    assert (last["format"], int(last["independent"]), int(last["full"])) == ("3,4,6", found.independent, found.full)


def test_formats_that_are_not_shown_to_be_identified_have_too_few_hyperplanes():
    """The arrays, but for those in print: an item has more states than the other items have together for each cell that is left."""
    rows = [row for row in read_table("contacts.csv") if row["kind"] == "arrays"]
    (tested,) = (row for row in read_table("identified.csv") if row["kind"] == "arrays")
    found = set()
    for row in rows:
        classes, _, items = row["model"].partition(":")
        *others, most = sorted(int(states) - 1 for states in items.split(","))
        left = int(row["cells"]) - int(classes) * (1 + sum(others) + most)
        assert left > 0
        if left * sum(others) >= most:
            found.add(row["model"])
    assert found == {"5:2,2,2,2,2", "6:4,4,4", "8:3,6,6"}
    assert len({row["model"] for row in rows}) == len(rows) == int(tested["tested"]) - int(tested["shown"])
