"""Networks in BIF."""

from __future__ import annotations

import pytest
from shipped import shipped_files

from algdim.models.notation import parse
from algdim.readers.anything import model
from algdim.report import dimension

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
    expected = parse("Disease -> Test; Disease, Test -> X_ray; hidden Disease; states Disease=3")

    assert expected == model(TEXT, format="bif")


def test_hidden_variables_are_named_beside():
    """A file without such a property can have hidden variables all the same."""
    assert ["Test", "Disease"] == [v.name for v in model(TEXT, format="bif", hidden=["Test"]).hidden][::-1]


@pytest.mark.parametrize("file", shipped_files(".bif.gz"), ids=lambda file: file.name.split(".")[0])
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
