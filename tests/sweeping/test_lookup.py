"""The atlas: what is looked up, hostile files, and that entries are what `dim` says."""

from __future__ import annotations

import csv
import gzip
import random

import pytest
from amount import SEED

import algdim
from algdim.errors import InputError, LimitError
from algdim.families import load_renaming
from algdim.sweeping import lookup
from algdim.sweeping.lookup import ATLAS, COLUMNS, iterate_entries, look_up


@pytest.fixture(scope="module")
def entries():
    """All rows of the atlas."""
    return list(iterate_entries(ATLAS))


def test_some_entries_are_what_dim_says(entries):
    """Drawn each day: the same dimension, parameters and status."""
    for row in random.Random(SEED).sample(entries, 6):
        report = algdim.dimension(row["model"])
        found = str(report.dimension), str(report.standard), report.trust.to_dict()["status"].split(",")[0]
        assert found == (row["dimension"], row["parameters"], row["status"])
        assert look_up(algdim.model(row["model"])).dimension == report.dimension


def test_keys_are_those_of_the_models(entries):
    """Of drawn entries of each class: a key that is made otherwise today would not be found."""
    classes = {row["class"]: [] for row in entries}
    for row in entries:
        classes[row["class"]].append(row)
    for rows in classes.values():
        for row in random.Random(SEED).sample(rows, min(20, len(rows))):
            assert lookup.compute_key(algdim.model(row["model"])) == row["key"], row["model"]


def test_every_model_is_there_once_in_its_class(entries):
    """Keys of different models in one class may meet, their texts not."""
    assert len({(row["class"], row["model"]) for row in entries}) == len(entries) > 20_000


def write_atlas(path, rows, columns=COLUMNS):
    """An atlas of these rows."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerows([columns, *rows])
    return path


def test_a_key_alone_does_not_decide(tmp_path):
    """Of two models with one key the forms are compared."""
    key = lookup.compute_key(algdim.model("3:2,2,2,2"))
    rows = [[key, "x", text, 9, 9, number, "proved", "", ""] for text, number in (("2:2,2", 1), ("3:2,2,2,2", 13))]
    found = look_up(algdim.model("3:2,2,2,2"), write_atlas(tmp_path / "a.csv", rows))
    assert found.dimension == 13


def test_items_of_one_table_are_found_under_any_names():
    """In other orders, with other names of items and tables; other groups of the same items are other models."""
    found = look_up(algdim.model("2:3,2^3*"))
    same = [
        "B, A, C, D <- G; hidden G; states A=3; share z: C, D, B",
        "G -> A, B, C, D; hidden G; states D=3; share q: A, B, C",
    ]
    assert found is not None
    assert {look_up(algdim.model(text)).model for text in same} == {found.model}
    keys = [
        lookup.compute_key(algdim.model(text))
        for text in ("2:3,2^3*", "2:3,2^2*,2", "2:3,2,2,2", "3:3,2^3*", "2:3,2^4*")
    ]
    assert len(set(keys)) == len(keys)


def test_shared_tables_of_two_parents_are_known_by_their_text_alone():
    """The parents have an order, which a set of edges does not have."""
    text = "A, B -> C, D; share t: C, D"
    assert load_renaming("discrete").relate(algdim.model(text)) is None


@pytest.mark.parametrize(
    "more",
    [
        "equal v(A) = 2 + v(B)",
        "fix b(A->B)=1",
        "given S = a, b; share loadings",
        "",
    ],
)
def test_restrictions_belong_to_a_model(more):
    """A model with equal, fixed or shared numbers, or with groups, is not the plain one."""
    found = look_up(algdim.model(f"gaussian: A -> B -> C; means off; {more}".rstrip("; ")))
    assert (found is None) == bool(more)


OWN = lookup.compute_key(algdim.model("2:2"))
BAD = {
    "no atlas": b"a,b\n1,2\n",
    "short row": (",".join(COLUMNS) + f"\n{OWN},2\n").encode(),
    "no number": (",".join(COLUMNS) + f"\n{OWN},c,2:2,many,3,3,proved,,\n").encode(),
    "no text": b"\xff\xfe\x00",
    "cut": gzip.compress(b"x" * 1000)[:-9],
}


@pytest.mark.parametrize("name", BAD)
def test_files_that_are_no_atlas(name, tmp_path):
    """Each is an error that names the file."""
    path = tmp_path / "bad.csv"
    path.write_bytes(BAD[name])
    with pytest.raises(InputError, match=r"bad\.csv"):
        look_up(algdim.model("2:2"), path)
    with pytest.raises(InputError, match=r"bad\.csv"):
        list(iterate_entries(path))


def test_rows_of_a_key_are_those_of_all_rows(entries):
    """The quick way finds what reading all of them finds."""
    for row in random.Random(SEED).sample(entries, 3):
        assert list(iterate_entries(ATLAS, row["key"])) == [one for one in entries if one["key"] == row["key"]]
    assert list(iterate_entries(ATLAS, "")) == []


def test_what_unpacks_to_too_much_is_refused(tmp_path, monkeypatch):
    """The size is bounded while it is unpacked."""
    monkeypatch.setattr(lookup, "MOST_BYTES", 10_000)
    path = tmp_path / "large.csv.gz"
    path.write_bytes(gzip.compress(b"x" * 1_000_000))
    with pytest.raises(LimitError, match="large"):
        look_up(algdim.model("2:2"), path)
