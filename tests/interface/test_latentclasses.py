"""`algdim bounds` and `algdim.bounds`."""

from __future__ import annotations

import json

import pytest

import algdim
from algdim.cli import main


def test_the_record():
    """The short names, the bipartition by name, and the word."""
    found = algdim.bounds("3:5,2,2")

    assert (20, 19, 17, 17) == (found.ds, found.dc, found.dp, found.db)
    assert (("X2", "X3"), ("X1",)) == found.partition
    assert (("dp",), True, "3:5,2,2") == (found.attained, found.regular, found.equivalent)
    assert "not identifiable" == found.identifiability.word


@pytest.mark.parametrize("text", ["2:2,2", "5:2,2,2", "3:2,2,2,2", "10:2^60", "A -> H -> B, C; hidden H"])
def test_json_has_the_promised_keys(text, capsys):
    """ds, dc, dp, db, partition, regular and equivalent beside the long names."""
    assert 0 == main(["bounds", text, "--json"])
    document = json.loads(capsys.readouterr().out)

    assert set("ds dc dp db partition regular equivalent".split()) <= set(document)
    assert document["db"] == min(document["ds"], document["dc"], document["dp"]) == document["best_bound"]
    assert (document["partition"] is not None) or document["dp"] == document["dc"]
    assert document["identifiability"]["dimension"] <= document["db"]


def test_without_a_rank():
    """Only counts: immediate for any size."""
    found = algdim.bounds("1000000:2^9999", rank=False)

    assert found.identifiability is None
    assert 1000000 * 10000 - 1 == found.db == found.ds


def test_a_limit_is_told():
    """Where the dimension meets a limit, and no bound says enough, the counts are still given."""
    found = algdim.bounds("20:5,5,5,5", max_memory=1000)

    assert found.identifiability is None
    assert "identifiability not decided" in str(found)
    assert 20 * 17 - 1 == found.ds


@pytest.mark.parametrize(("text", "most"), [("199:2,2,100,100", 39997), ("200:9,20,20", 3599)])
def test_an_upper_bound_decides_where_no_rank_can_be_taken(text, most, capsys):
    """Fewer dimensions than parameters are a proof, whatever a rank would need."""
    found = algdim.bounds(text, max_memory=100_000)
    word = found.identifiability

    assert ("not identifiable", None, "proved") == (word.word, word.dimension, word.trust.status)
    assert most == found.counts.at_most[0] < found.ds
    assert f"{found.ds} parameters, dimension at most {most}" in word.reason
    assert "dimension not computed" in found.note
    assert 0 == main(["bounds", text, "--max-memory", "100000", "--json"])
    assert json.loads(capsys.readouterr().out)["identifiability"]["dimension"] is None


def test_what_db_misses_is_told(capsys):
    """The family is named with its citation."""
    assert 0 == main(["bounds", "3:2,2,2,2"])
    out = capsys.readouterr().out

    assert "db is not tight" in out
    assert "Abo, Ottaviani, Peterson 2009" in out
    assert "not identified (proved): 14 parameters" in out


def test_a_tree_is_sent_elsewhere(capsys):
    """Exit code 2 and the command to use."""
    assert 2 == main(["bounds", "5(2,3(2,2),3(2,2))"])
    assert "algdim decompose" in capsys.readouterr().err
