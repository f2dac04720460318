"""Objects of pgmpy."""

from __future__ import annotations

import warnings

import networkx as nx
import pytest

from algdim.errors import InputError
from algdim.models.notation import parse
from algdim.readers.anything import model
from algdim.writers.writing import export


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
        table("H", 3, [[0.2], [0.3], [0.5]], state_names={"H": ["a", "b", "c"]}),
        table("X", 2, [[0.5] * 6] * 2, evidence=["H", "A"], evidence_card=[3, 2]),
    )
    read = model(network)

    assert parse("states A=2, X=2, H=3; H, A -> X -> Y; hidden H") == read
    assert {"A": (), "H": ("a", "b", "c"), "X": (), "Y": ()} == {one.name: one.labels for one in read.variables}


def test_linear_networks_and_graphs(pgmpy):
    """Linear Gaussian networks are Gaussian; a graph without tables has two states everywhere."""
    linear = pgmpy.models.LinearGaussianBayesianNetwork([("F", "X"), ("F", "Y")], latents={"F"})

    assert parse("gaussian: F -> X, Y; hidden F") == model(linear)
    assert parse("a_b -> c") == model(pgmpy.base.DAG([("a b", "c")]))


def test_pgmpy_reads_what_is_written(pgmpy):
    """Our BIF is a valid network there, and what pgmpy writes of it, in BIF and XMLBIF, is read back."""
    readwrite = pytest.importorskip("pgmpy.readwrite")
    text = "A -> C <- H -> D; states H=3, C=3"
    network = readwrite.BIFReader(string=export(text, "bif")).get_model()
    written = str(readwrite.BIFWriter(network)), str(readwrite.XMLBIFWriter(network))

    assert network.check_model()
    for read in (model(network), model(written[0], format="bif"), model(written[1], format="xmlbif")):
        assert set(parse(text).edges) == set(read.edges)
        assert parse(text).states == read.states


def test_others_are_refused():
    """What is of pgmpy and no such network is named."""
    kind = type("MarkovNetwork", (nx.Graph,), {"__module__": "pgmpy.models"})
    with pytest.raises(InputError, match="a MarkovNetwork of pgmpy is not read; read are DAG"):
        model(kind())
