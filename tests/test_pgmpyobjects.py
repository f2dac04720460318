"""Objects of pgmpy."""

from __future__ import annotations

import warnings

import networkx as nx
import pytest

from algdim.errors import InputError
from algdim.models.notation import parse
from algdim.readers.anything import model


@pytest.fixture
def pgmpy():
    """The library, or a skip that names it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            import pgmpy.base
            import pgmpy.factors.discrete
            import pgmpy.models
        except ImportError as error:
            pytest.skip(f"pgmpy cannot be imported: {error}")
        yield pgmpy


def test_latents_and_tables(pgmpy):
    """Latent variables are hidden; tables say states and the order of parents."""
    table = pgmpy.factors.discrete.TabularCPD
    network = pgmpy.models.DiscreteBayesianNetwork([("A", "X"), ("H", "X"), ("X", "Y")], latents={"H"})
    network.add_cpds(
        table("H", 3, [[0.2], [0.3], [0.5]]),
        table("X", 2, [[0.5] * 6] * 2, evidence=["H", "A"], evidence_card=[3, 2]),
    )

    assert parse("states A=2, X=2, H=3; H, A -> X -> Y; hidden H") == model(network)


def test_linear_networks_and_graphs(pgmpy):
    """Linear Gaussian networks are Gaussian; a graph without tables has two states everywhere."""
    linear = pgmpy.models.LinearGaussianBayesianNetwork([("F", "X"), ("F", "Y")], latents={"F"})

    assert parse("gaussian: F -> X, Y; hidden F") == model(linear)
    assert parse("a_b -> c") == model(pgmpy.base.DAG([("a b", "c")]))


def test_others_are_refused():
    """What is of pgmpy and no such network is named."""
    kind = type("MarkovNetwork", (nx.Graph,), {"__module__": "pgmpy.models"})
    with pytest.raises(InputError, match="a MarkovNetwork of pgmpy is not read; read are DAG"):
        model(kind())
