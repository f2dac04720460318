"""Graphs of dagitty and Graphviz."""

from __future__ import annotations

import pytest
from shipped import shipped_files

import algdim
from algdim import model


@pytest.mark.parametrize(
    ("text", "notation"),
    [
        ("dag { X -> Y }", "gaussian: X -> Y; means off"),
        ("dag G { X <- U -> Y; U [latent] }", "gaussian: X; U -> X, Y; hidden U; means off"),
        (
            'dag {\nbb="0,0,1,1"\nX [exposure,pos="-1,2"]\nY [outcome]\nX <-> Y [pos="1,1"]\n}',
            "gaussian: X <-> Y; means off",
        ),
        ("dag { {A B} -> C -> D }", "gaussian: A; B; A, B -> C -> D; means off"),
        ('dag { "Birth Weight" -> Y // so\n }', "gaussian: Birth_Weight -> Y; means off"),
        ("dag { U [latent,states=3] U -> X Y [states=2] X -> Y}", "U -> X -> Y; hidden U; states U=3"),
        ("digraph { edge [beta=0.3] A -> B; }", "gaussian: A -> B; means off"),
    ],
)
def test_graphs(text, notation):
    """Variables stand in order of first mention, edges in their order."""
    assert algdim.model(notation) == model(text, format="dagitty")


def test_the_family_can_be_forced():
    """A graph alone is Gaussian; with the option it is discrete."""
    assert algdim.model("A -> B") == model("dag { A -> B }", format="dagitty:discrete")
    assert algdim.model("gaussian: A -> B; means off") == model(
        "dag { A [states=3] A -> B }", format="dagitty:gaussian"
    )


@pytest.mark.parametrize("file", shipped_files(".txt"), ids=lambda file: file.stem)
def test_graphs_shipped_with_pgmpy(file):
    """The graphs of dagitty that older versions of pgmpy ship are read, and look like graphs of dagitty."""
    assert model(file).edges
    assert model(file) == model(file, format="dagitty")
