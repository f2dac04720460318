"""Aligned sequences as data: a column for each, a row for each site."""

import gzip

import pytest

import algdim
from algdim import InputError
from algdim.fitting.tabulardata import read_columns

TEXT = """>Homo_sapiens a comment
ACGTACGTTA
CGAT
; another
>Pan_troglodytes
acguacguuacgaa
>Gorilla
ACGTNCGT-ACGAT
>Pongo
AAGTACGTTACCAT
"""


def test_letters(tmp_path):
    """Lines are joined, U is T, gaps and N are missing; packed files too."""
    for name, write in (("a.fasta", lambda path: path.write_text(TEXT, encoding="utf-8")), ("a.fa.gz", pack)):
        path = tmp_path / name
        write(path)
        found = read_columns(path)
        assert ("Homo_sapiens", "Pan_troglodytes", "Gorilla", "Pongo") == found.names
        assert [14] * 4 == list(map(len, found.columns))
        assert list("ACGTACGTTACGAA") == found.columns[1]
        assert [4, 8] == [row for row, label in enumerate(found.columns[2]) if label is None]
        assert ("taken as missing: 1 letter for several nucleotides (N)",) == found.notes


def pack(path):
    """The text as gzip."""
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.write(TEXT)


def test_the_likelihood_is_that_of_the_sites(tmp_path):
    """The same as of a table with these columns."""
    path = tmp_path / "a.fasta"
    path.write_text(TEXT, encoding="utf-8")
    text = "phylo JC69: ((Homo_sapiens,Pan_troglodytes),Gorilla,Pongo)"
    rows = ["ACGTACGTTACGAT", "ACGTACGTTACGAA", "ACGT?CGT?ACGAT", "AAGTACGTTACCAT"]
    table = {
        name: [None if letter == "?" else letter for letter in row]
        for name, row in zip(("Homo_sapiens", "Pan_troglodytes", "Gorilla", "Pongo"), rows, strict=True)
    }
    found = [algdim.fit(data, text, missing=True, starts=4, identify=False) for data in (path, table)]

    assert found[0].loglik == pytest.approx(found[1].loglik, abs=1e-9)
    assert (14, 2) == (found[0].sample.size, found[0].sample.missing)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ("ACGT", "line 1: a line '>'"),
        (">A\nACG\n>B\nAC\n", "the sequence B has 2 letters and A has 3"),
        (">A\nAC\n>A\nAC\n", "line 3: the name A occurs twice"),
        (">A\nAC\n>\nAC\n", "line 3: the sequence has no name"),
        (">A\nAC\n>B\n..\n", "write the letters"),
    ],
)
def test_what_is_refused(text, message, tmp_path):
    """What was given, what is expected."""
    path = tmp_path / "a.fas"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(InputError, match=message):
        read_columns(path)


def test_states_that_are_no_nucleotides(tmp_path):
    """Letters of another alphabet stay what they are."""
    path = tmp_path / "a.fna"
    path.write_text(">A\n01-1\n>B\n0101\n>C\n0011\n", encoding="utf-8")

    assert (["0", "1", None, "1"], list("0101"), list("0011")) == read_columns(path).columns
    assert 3 == algdim.fit(path, "phylo CFN: (A,B,C)", missing=True, starts=2).identified.dimension
