"""The page of the atlas is what its recipe makes of the data that are kept, and the data agree with each other."""

from __future__ import annotations

import doctest
import json
import random

import pytest
from amount import SEED

import algdim
from algdim.families.discrete.bounds.secants import find_item_groups
from algdim.families.discrete.bounds.splitting import Search, find_secants
from algdim.families.discrete.bounds.tangents import ItemGroup
from algdim.sweeping.lookup import ALL, ATLAS, iterate_entries
from atlas import build, certificates, contacts, counting, groups, latentclasses, page, settling, tables
from atlas.classes import CLASSES
from atlas.page import count_hidden, write_page
from atlas.tables import CONTACTS, COUNTS, DEFECTIVE, HERE, IDENTIFIED, OPEN, PAGE, open_found, read_found, read_table


@pytest.fixture(scope="module")
def entries():
    """All rows of the atlas."""
    return list(iterate_entries(ATLAS))


@pytest.fixture(scope="module")
def counts():
    """What is kept of each class."""
    return {row["class"]: row for row in read_table(COUNTS)}


@pytest.mark.parametrize("module", [contacts, counting, groups, latentclasses, page, settling, tables])
def test_examples_in_docstrings(module):
    """They say what the functions do."""
    assert doctest.testmod(module).failed == 0


def test_the_page_is_what_the_recipe_writes(entries, counts):
    """No number on it was written by hand, or is of an earlier run."""
    text = write_page(entries, counts)
    assert PAGE.read_text(encoding="utf-8") == text
    assert "@" not in text.replace("@ ", "")


def test_counts_are_those_of_the_entries(entries, counts):
    """Every column that can be counted again."""
    assert list(counts) == [name for name in CLASSES if name in counts]
    for name, row in counts.items():
        mine = [entry for entry in entries if entry["class"] == name]
        again = build.summarise(int(row["models"]), mine, float(row["seconds"]))
        assert {key: str(value) for key, value in again.items()} == row


def test_lemmas_say_of_latent_classes_what_was_swept(entries):
    """Of drawn small ones that were ranked, and of all whose dimension is one below KZ02's db."""
    swept = [entry for entry in entries if entry["class"] == "latent-classes"]
    drawn = random.Random(SEED).sample(swept, 500)
    drawn += [entry for entry in swept if entry["proof"] in {"flattenings", "koszul"}]
    for entry, row in zip(drawn, latentclasses.derive_latent_classes(one["model"] for one in drawn), strict=True):
        assert [str(row[name]) for name in ("standard", "complete", "dimension", "status")] == [
            entry[name] for name in ("parameters", "saturated", "dimension", "status")
        ]


def test_large_latent_classes_are_those_of_the_lemmas(entries):
    """Drawn ones again, and the defective ones of which a published sweep tells."""
    large = [entry for entry in entries if entry["class"] == "large-latent-classes"]
    drawn = random.Random(SEED).sample(large, 300)
    for entry, row in zip(drawn, latentclasses.derive_latent_classes(one["model"] for one in drawn), strict=True):
        assert str(row["dimension"]) == entry["dimension"]
    printed = read_table(HERE.parent / "examples" / "sweeps" / "latent_classes_1000.csv")
    known = {entry["model"]: entry for entry in entries if entry["class"] in {"latent-classes", "large-latent-classes"}}
    below = [known[row["model"]] for row in printed]
    assert [entry["dimension"] for entry in below] == [row["dimension"] for row in printed]
    assert {entry["model"] for entry in large if entry["proof"] not in {"counting", "ambient", "pairwise"}} <= {
        row["model"] for row in printed
    }


def test_hidden_variables_are_counted_in_the_text(entries):
    """As in the model that the text means."""
    structures = [entry for entry in entries if entry["class"].startswith("structures")]
    for entry in random.Random(SEED).sample(structures, 20):
        assert count_hidden(entry) == len(algdim.model(entry["model"]).hidden)


def test_missing_models_come_before_probable_ones():
    """In the order of the class; what is proved is not computed again."""
    old = {"a": {"status": "proved"}, "b": {"status": "probable"}}
    assert build.choose_missing(["a", "b", "c", "d"], old) == ["c", "d", "b"]


def test_open_numbers_of_classes_are_between_what_is_proved():
    """Of drawn small ones: the search says the same, and no dimension of them is kept."""
    kept, unsettled = read_table(DEFECTIVE), read_table(OPEN)
    assert not {row["model"] for row in kept} & {row["model"] for row in unsettled}
    small = [row for row in kept if int(row["cells"]) <= 100]
    for row in random.Random(SEED).sample(small, 5):
        classes, groups = find_item_groups(algdim.model(row["model"]))
        found = find_secants(Search(), [ItemGroup(*group) for group in groups])
        assert classes in found.between, row


def test_what_is_kept_is_what_ranks_of_models_say():
    """Dimensions of drawn formats with shared tables, by the Jacobian of the model."""
    kept = [row for row in read_table(DEFECTIVE) if row["kind"] == "shared" and int(row["cells"]) <= 150]
    for row in random.Random(SEED).sample(kept, 4):
        report = algdim.dimension(row["model"])
        assert (report.dimension, report.exact) == (int(row["dimension"]), True), row


def test_dimensions_are_found_from_where_a_run_stopped(tmp_path):
    """Every number between the two of a format with shared tables has one, and a second run appends nothing."""
    store = tmp_path / "formats.csv"
    settling.settle_formats("shared", 60, store, float("inf"))
    settling.describe_formats("shared", 60, store, float("inf"))
    text = (tmp_path / settling.DIMENSIONS).read_text(encoding="utf-8")
    found = read_found(tmp_path / settling.DIMENSIONS)
    settled = read_table(store)
    assert not [one for row in settled for one in settling.list_open(row, {other["model"] for other in found})]
    known = {row["model"]: row for row in read_table(DEFECTIVE) if row["kind"] == "shared"}
    assert {row["model"] for row in found} == {model for model, row in known.items() if int(row["cells"]) <= 60}
    assert all(known[row["model"]] == row for row in found)
    assert settling.count_sources([*found, {**found[0], "kind": "arrays"}])[0]["numbers"] == 1
    (tmp_path / settling.DIMENSIONS).write_text(text[: len(text) // 2], encoding="utf-8")
    settling.describe_formats("shared", 60, store, float("inf"))
    assert (tmp_path / settling.DIMENSIONS).read_text(encoding="utf-8") == text


@pytest.fixture
def few(entries):
    """Some entries of which a certificate can be stored."""
    small = [entry for entry in entries if entry["class"] == "latent-trees" and int(entry["dimension"]) <= 20]
    return random.Random(SEED).sample(small, 3)


def test_certificates_are_stored_once(few, tmp_path, monkeypatch):
    """Each in a file that the checker accepts; a second run makes nothing."""
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
    text = """states V3=2, V4=4, V2=4, V1=3, V0=3; V4 <- V1, V2; V2 <- V1; hidden V1; max V4; share s0: V1, V0;
    fix P(V2=0|V1=1)=0, P(V2=0|V1=2)=1/2"""
    entry = {"class": "papers", "key": "0", "model": text, "dimension": "7", "status": "proved"}
    assert certificates.store_certificates(tmp_path, [entry], float("inf")) == []
    (row,) = certificates.read_lacking(tmp_path)
    assert "which certificates do not cover" in row["reason"]


def test_formats_are_settled_and_identified_from_where_a_run_stopped(tmp_path):
    """The store of a run that was ended anywhere leads to the same rows; each format has a number up to which it is identified."""
    store = tmp_path / "formats.csv"
    never = float("inf")
    settling.settle_formats("arrays", 70, store, never)
    once = read_table(store)
    lines = store.read_text(encoding="utf-8").splitlines(keepends=True)
    store.write_text("".join(lines[:9]) + lines[9][:5], encoding="utf-8")
    settling.settle_formats("arrays", 70, store, never)
    assert read_table(store) == once
    settling.settle_formats("arrays", 70, tmp_path / "two.csv", never, workers=2)
    assert read_table(tmp_path / "two.csv") == once
    contacts.identify_formats("arrays", 70, store, never)
    tested = read_table(tmp_path / "identified.csv")
    assert [row["format"] for row in tested if row["shown"] == "0"] == ["2,2,2,2,2", "4,4,4"]
    summary = contacts.count_identified("arrays", once, tested)
    assert summary["tested"] == len(tested) == len(once) - summary["perfect"]
    assert summary["cells"] == max(int(row["cells"]) for row in once)
    numbers = {row["format"]: (row["identified"], row["by"]) for row in contacts.list_identified(once, tested)}
    assert numbers["4,4,4"] == (5, contacts.SECANT)
    assert numbers["3,4,4"] == (4, contacts.ISOLATED)
    assert numbers["2,2,2,3"] == (3, contacts.SECANT)
    shorter = contacts.count_identified("arrays", once, tested[:-1])
    assert int(shorter["cells"]) < int(tested[-1]["cells"])


def test_a_number_that_was_cut_is_not_read(tmp_path):
    """A run may be killed while it writes: 2 is not what was found if the line was to end with 23."""
    store = tmp_path / "found.csv"
    with open_found(store, ("model", "number")) as (rows, append):
        assert rows == []
        append({"model": "a", "number": 1})
        append({"model": "b", "number": 23})
    whole = read_found(store)
    assert [row["number"] for row in whole] == ["1", "23"]
    store.write_text(store.read_text(encoding="utf-8")[:-2], encoding="utf-8")
    with open_found(store, ("model", "number")) as (rows, append):
        assert rows == whole[:1]
        append(whole[1])
    assert read_found(store) == whole


def test_identified_parameters_are_counted_from_where_a_run_stopped(entries, tmp_path, monkeypatch):
    """What the store has is not counted again."""
    store = tmp_path / "counted.csv"
    some = [entry for entry in entries if entry["class"] == "structures" and entry["identified"] != ALL]
    drawn = random.Random(SEED).sample(some, 5)
    empty = [entry | {"identified": ""} for entry in drawn]
    assert counting.count_all_identified(empty, ["structures"], store, 0) == 5
    assert counting.count_all_identified(empty[:3], ["structures"], store, 60) == 0
    assert [entry["identified"] for entry in empty[:3]] == [entry["identified"] for entry in drawn[:3]]
    monkeypatch.setattr(counting, "count_identified", lambda entry: f"of {entry['model']}")
    again = [entry | {"identified": ""} for entry in drawn]
    assert counting.count_all_identified(again, ["structures"], store, 60) == 0
    assert [entry["identified"] for entry in again] == [
        *(entry["identified"] for entry in drawn[:3]),
        *(f"of {entry['model']}" for entry in drawn[3:]),
    ]


@pytest.mark.parametrize("name", ["structures", "structures-two-hidden", "symmetric", "mixed-graphs", "papers"])
def test_one_point_counts_what_identify_finds(entries, name):
    """Where it decides; and the atlas has the same number."""
    mine = [entry for entry in entries if entry["class"] == name and entry["identified"] not in {"", ALL}]
    for entry in random.Random(SEED).sample(mine, 4):
        verdicts = algdim.identify(entry["model"]).verdicts
        count = sum(verdict.identifiable is True for verdict in verdicts)
        assert counting.count_at_point(entry) in {None, count}
        assert entry["identified"].split()[0] == str(count)


def test_with_more_classes_nothing_more_is_identified(entries, tmp_path, monkeypatch):
    """Where nothing is with few classes one Jacobian says it of all numbers, and those of more classes say the same."""
    lost, found = {}, []
    for entry in entries:
        if entry["class"] in {"latent-classes", "large-latent-classes"} and entry["identified"] != ALL:
            classes, items = counting.find_shape(entry["model"])
            found.append((classes, items, entry))
            if entry["identified"] == counting.NOTHING:
                lost[items] = min(classes, lost.get(items, classes))
    more = [entry for classes, items, entry in found if classes > lost.get(items, classes)]
    assert {counting.NOTHING} == {entry["identified"] for entry in more}
    small = [entry for entry in more if int(entry["parameters"]) < 300]
    assert {0} == {counting.count_at_point(entry) for entry in random.Random(SEED).sample(small, 3)}

    chosen = [entry | {"identified": ""} for classes, items, entry in found if items == (2, 2, 93)][::-1]
    counted = []
    monkeypatch.setattr(counting, "count_identified", lambda entry: counted.append(entry["model"]) or counting.NOTHING)
    assert counting.count_all_identified(chosen, ["large-latent-classes"], tmp_path / "counted.csv", 60) == 0
    assert (["3:93,2,2"], {counting.NOTHING}) == (counted, {entry["identified"] for entry in chosen})


def test_a_point_of_less_rank_counts_nothing():
    """Where the kernel is larger than of most points, more changes than can."""
    entry = {"model": "H -> X1, X2; X1 -> X3; hidden H", "dimension": "6"}
    assert counting.count_at_point(entry) is None


def test_formats_that_are_not_shown_to_be_identified_have_too_few_hyperplanes():
    """The arrays, but for those in print: an item has more states than the other items have together for each cell that is left."""
    rows = [row for row in read_table(CONTACTS) if row["kind"] == "arrays"]
    (tested,) = (row for row in read_table(IDENTIFIED) if row["kind"] == "arrays")
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
