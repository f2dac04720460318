"""Networks in BIF."""

from __future__ import annotations

import json
import tracemalloc

import pytest
from amount import daily
from shipped import shipped_files

from algdim import InputError, dimension, export, model
from algdim.readers import bif

TEXT = """
// a comment
network "a clinic" { property "made by hand"; }
variable Disease { type discrete [ 3 ] { none, mild, severe }; property "hidden"; property position = (1, 2); }
variable Test { type discrete[2] {no,yes}; }
variable "X ray" { type discrete [ 2 ] { "no {", >=1 }; }
probability ( Disease ) { table 0.5, 0.3, 0.2; }
probability ( Test | Disease ) { (none) 0.9, 0.1; default 0.5, 0.5; }
/* another
   comment */
probability ( "X ray" | Disease, Test ) { table 0.1; }
"""

PARAMETERS = {
    "alarm": 509,
    "asia": 18,
    "barley": 114005,
    "cancer": 10,
    "child": 230,
    "earthquake": 10,
    "hailfinder": 2656,
    "mildew": 540150,
    "water": 10083,
    "win95pts": 574,
    "andes": 1157,
    "hepar2": 1453,
    "link": 14211,
    "munin1": 15622,
    "pathfinder": 72079,
    "pigs": 5618,
    "diabetes": 429409,
    "sachs": 178,
    "survey": 21,
}
"""Numbers of parameters in the Bayesian network repository of the R package bnlearn (Scutari)."""


def test_a_network():
    """Variables, states, parents; the property hidden; names that are made similar ones."""
    expected = model("Disease -> Test; Disease, Test -> X_ray; hidden Disease; states Disease=3")

    assert expected == model(TEXT, format="bif")


def test_names_of_states_are_kept():
    """In the order of the file; the model is the same with and without them, and export writes them."""
    read = model(TEXT, format="bif")

    assert [("none", "mild", "severe"), ("no", "yes"), ("no {", ">=1")] == [one.labels for one in read.variables]
    assert model("Disease -> Test; Disease, Test -> X_ray; hidden Disease; states Disease=3") == read
    assert [one.labels for one in read.variables] == [
        one.labels for one in model(export(read, "bif"), format="bif").variables
    ]
    assert [one.labels for one in read.variables] == [
        one.labels for one in model(json.loads(export(read, "json"))).variables
    ]


def test_a_state_stands_once():
    """Two states of one name could not be told apart in data."""
    with pytest.raises(InputError, match="the state no of Test occurs twice"):
        model(TEXT.replace("{no,yes}", "{no,no}"), format="bif")


@pytest.mark.parametrize("filling", ["a", '""', "/**/"])
def test_long_texts_between_words_take_no_memory(filling):
    """A property, a text in quotes, comments, of a megabyte: no more than some copies of it."""
    begun = "network n { property x; }" if filling == "/**/" else "network n { property "
    text = begun + filling * (1_000_000 // len(filling)) + ("" if filling == "/**/" else "; }")
    text += " variable A { type discrete [2] { no, yes }; } probability (A) { table 0.5, 0.5; }"
    tracemalloc.start()
    try:
        read = bif.read_bif(text, {})
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert {"A": 2} == read.states
    assert most < 5 * len(text)


def test_no_more_states_are_read_than_there_are():
    """A list of millions is left as soon as it is too long."""
    text = "variable A { type discrete [2] { " + ",".join(map(str, range(1000))) + " }; }"

    with pytest.raises(InputError, match="A has 2 states and more are listed"):
        bif.read_bif(text, {})


def test_hidden_variables_are_named_beside():
    """A file without such a property can have hidden variables all the same."""
    assert ["Test", "Disease"] == [v.name for v in model(TEXT, format="bif", hidden=["Test"]).hidden][::-1]


OR = """
variable A { type discrete [ 2 ] { no, yes }; }
variable B { type discrete [ 2 ] { no, yes }; }
variable C { type discrete [ 3 ] { none, one, both }; }
probability ( A ) { table 0.25, 0.75; }
probability ( B ) { table 0.0e5, 1.0; }
probability ( C | A, B ) { ROWS }
"""
ROWS = "(no, no) 1.0, 0.0, 0; (yes, no) 0, 1, 0; default 0.0, 0.5, 0.5;"


def test_zeros_can_belong_to_the_model():
    """With the option, entries that are 0 are fixed, and 1 where nothing else is left; without it all are free."""
    zeros = "P(C=0|A=0,B=0)=1, P(C=1|A=0,B=0)=0, P(C=2|A=0,B=0)=0, P(C=0|A=1,B=0)=0, P(C=1|A=1,B=0)=1, P(C=2|A=1,B=0)=0"
    default = "P(C=0|A=0,B=1)=0, P(C=0|A=1,B=1)=0"
    expected = model(f"A, B -> C; states C=3; fix P(B=0)=0, P(B=1)=1, {zeros}, {default}")

    assert expected == model(OR.replace("ROWS", ROWS), format="bif:zeros")
    assert model("A, B -> C; states C=3") == model(OR.replace("ROWS", ROWS), format="bif")


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("table 1, 0, 0;", "line 7, column 28: a table of a variable with parents"),
        ("(no, no) 1, 0;", "line 7, column 28: this row of C has 2 numbers; 3 numbers"),
        ("(no, no) 0, 0, 0;", "this row of C is zero"),
        ("(no, no) 1, 0, 0; (no, no) 1, 0, 0;", "column 46: this row of C occurs twice"),
        ("(no) 1, 0, 0;", "column 29: the row has 1 states; 2 parents have one each"),
        ("(no, no, no) 1, 0, 0;", "column 37: 'no' is no state of the parent in this place"),
        ("(no, maybe) 1, 0, 0;", "column 33: 'maybe' is no state of the parent in this place"),
        ("(no, no) 1, nil, 0;", "column 40: 'nil' is no probability"),
        ("(no, no) 1, ., 0;", "column 40: '.' is no probability"),
        ("(no, no) 1, 0, 0", "',' is expected or ';', not '}'"),
        ("rows 1, 0, 0;", "column 28: a row, table or default is expected, not 'rows'"),
    ],
)
def test_bad_rows_are_refused(rows, message):
    """Where the numbers are read, they are read strictly."""
    with pytest.raises(InputError) as caught:
        model(OR.replace("ROWS", rows), format="bif:zeros")

    assert message in str(caught.value)


@pytest.mark.parametrize("file", shipped_files("asia.bif.gz"), ids=lambda file: file.name)
def test_a_logical_or_has_no_parameters(file):
    """In the network Asia the variable either is a logical or: four parameters fewer."""
    assert 18 - 4 == dimension(model(file, format="bif:zeros")).dimension


@pytest.mark.parametrize("file", daily(shipped_files(".bif.gz"), 4), ids=lambda file: file.name.split(".")[0])
def test_networks_shipped_with_pgmpy(file):
    """The networks of the repository have its numbers of parameters."""
    network = model(file)
    name = file.name.split(".")[0]
    states = network.states
    count = 0
    for variable in network.variables:
        rows = 1
        for parent in variable.parents:
            rows *= states[parent]
        count += rows * (variable.states - 1)

    assert PARAMETERS.get(name, count) == count


def test_a_network_has_a_dimension():
    """What is read is a model like others."""
    assert 2 + 3 + 6 == dimension(model(TEXT, format="bif")).standard
