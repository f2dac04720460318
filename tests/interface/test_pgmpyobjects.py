"""Objects of pgmpy."""

from __future__ import annotations

import warnings

import networkx as nx
import pytest
from amount import in_turn

import algdim
from algdim import InputError, export, model


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


@in_turn(2)
def test_latents_and_tables(pgmpy):
    """Latent variables are hidden; tables say states and the order of parents."""
    table = pgmpy.factors.discrete.TabularCPD
    network = pgmpy.models.DiscreteBayesianNetwork([("A", "X"), ("H", "X"), ("X", "Y")], latents={"H"})
    network.add_cpds(
        table("H", 3, [[0.2], [0.3], [0.5]], state_names={"H": ["a", "b", "c"]}),
        table("X", 2, [[0.5] * 6] * 2, evidence=["H", "A"], evidence_card=[3, 2]),
    )
    read = model(network)

    assert algdim.model("states A=2, X=2, H=3; H, A -> X -> Y; hidden H") == read
    assert {"A": (), "H": ("a", "b", "c"), "X": (), "Y": ()} == {one.name: one.labels for one in read.variables}


def test_linear_networks_and_graphs(pgmpy):
    """Linear Gaussian networks are Gaussian; a graph without tables has two states everywhere."""
    linear = pgmpy.models.LinearGaussianBayesianNetwork([("F", "X"), ("F", "Y")], latents={"F"})

    assert algdim.model("gaussian: F -> X, Y; hidden F") == model(linear)
    assert algdim.model("a_b -> c") == model(pgmpy.base.DAG([("a b", "c")]))


@in_turn(2)
def test_pgmpy_reads_what_is_written(pgmpy):
    """Our BIF is a valid network there, and what pgmpy writes of it, in BIF and XMLBIF, is read back."""
    readwrite = pytest.importorskip("pgmpy.readwrite")
    text = "A -> C <- H -> D; states H=3, C=3"
    network = readwrite.BIFReader(string=export(text, "bif")).get_model()
    written = str(readwrite.BIFWriter(network)), str(readwrite.XMLBIFWriter(network))

    assert network.check_model()
    for read in (model(network), model(written[0], format="bif"), model(written[1], format="xmlbif")):
        assert set(algdim.model(text).edges) == set(read.edges)
        assert algdim.model(text).states == read.states


def test_others_are_refused():
    """What is of pgmpy and no such network is named."""
    kind = type("MarkovNetwork", (nx.Graph,), {"__module__": "pgmpy.models"})
    with pytest.raises(InputError, match="a MarkovNetwork of pgmpy is not read; read are DAG"):
        model(kind())


def pgmpy_class(name, *bases):
    """A class that says it is of pgmpy, which need not be installed."""
    return type(name, bases, {"__module__": f"pgmpy.models.{name}"})


DAG = pgmpy_class("DAG", nx.DiGraph)


def test_what_a_class_of_pgmpy_adds_is_not_read_over():
    """A class that is derived from one that is read may be another model; one of the user's own is what it is derived from."""
    plain, functional = pgmpy_class("DiscreteBayesianNetwork", DAG), pgmpy_class("FunctionalBayesianNetwork", DAG)
    own = type("MyNetwork", (plain,), {})

    assert algdim.model("A -> B") == model(own([("A", "B")]))
    with pytest.raises(InputError, match="a FunctionalBayesianNetwork of pgmpy is not read; read are DAG"):
        model(functional([("A", "B")]))


class Node(tuple):
    """A node of two slices, as pgmpy writes one."""

    __slots__ = ()


def test_slices_share_their_tables():
    """A variable with the same parents in both slices has one table; the first slice of a chain has one of its own."""
    kind = pgmpy_class("DynamicBayesianNetwork", DAG)
    z, x, later_z, later_x = Node(("Z", 0)), Node(("X", 0)), Node(("Z", 1)), Node(("X", 1))
    network = kind([(z, x), (z, later_z), (later_z, later_x)])
    wanted = "Z_0 -> X_0, Z_1; Z_1 -> X_1; share X: X_0, X_1"

    assert algdim.model(wanted) == model(network)
    assert 5 == algdim.dimension(network).dimension
    network.latents = {z, later_z}
    assert algdim.model(f"{wanted}; hidden Z_0, Z_1") == model(network)


def test_tables_of_slices(pgmpy):
    """States are those of either slice's table; two tables that differ are two; what pgmpy copies is one."""
    table, kind = pgmpy.factors.discrete.TabularCPD, pgmpy.models.DynamicBayesianNetwork
    network = kind([(("Z", 0), ("X", 0)), (("W", 0), ("X", 0)), (("Z", 0), ("Z", 1))])
    network.add_cpds(
        table(("Z", 0), 3, [[0.2], [0.3], [0.5]]),
        table(("W", 0), 2, [[0.2], [0.8]]),
        table(("Z", 1), 3, [[0.2] * 3, [0.3] * 3, [0.5] * 3], evidence=[("Z", 0)], evidence_card=[3]),
        table(("X", 0), 2, [[0.1, 0.2] * 3, [0.9, 0.8] * 3], evidence=[("Z", 0), ("W", 0)], evidence_card=[3, 2]),
    )
    wanted = "Z_0 -> X_0, Z_1; W_0 -> X_0; Z_1 -> X_1; W_1 -> X_1; states Z_0=3, Z_1=3; share W: W_0, W_1"

    def tables(found):
        return {(one.name, one.states, one.parents, one.local.share) for one in model(found).variables}

    shared = tables(algdim.model(f"{wanted}; share X: X_0, X_1"))
    assert shared == tables(network)
    network.initialize_initial_state()
    assert shared == tables(network)
    other = table(("X", 1), 2, [[0.5] * 6] * 2, evidence=[("W", 1), ("Z", 1)], evidence_card=[2, 3])
    network.cpds = [one for one in network.cpds if tuple(one.variable[k] for k in (0, 1)) != ("X", 1)]
    network.add_cpds(other)
    assert tables(algdim.model(wanted)) == tables(network)


def test_tables_say_the_states_of_parents(pgmpy):
    """A parent without a table of its own has the states that its child's table has of it; all tables agree."""
    table, kind = pgmpy.factors.discrete.TabularCPD, pgmpy.models.DiscreteBayesianNetwork
    network = kind([("A", "B"), ("A", "C")])
    network.add_cpds(table("B", 2, [[0.5] * 3] * 2, evidence=["A"], evidence_card=[3]))

    assert algdim.model("A -> B, C; states A=3") == model(network)
    assert algdim.model("A -> B, C; states A=3; hidden A") == model(network, hidden=["A"])
    network.add_cpds(table("C", 2, [[0.5] * 4] * 2, evidence=["A"], evidence_card=[4]))
    with pytest.raises(InputError, match="one table has 3 states of 'A', and that of 'C' has 4; all tables must agree"):
        model(network)


def test_tables_say_the_states_of_parents_in_both_slices(pgmpy):
    """A variable has as many states in one slice as in the other, where nothing else is said."""
    table, kind = pgmpy.factors.discrete.TabularCPD, pgmpy.models.DynamicBayesianNetwork
    network = kind([(("Z", 0), ("X", 0)), (("Z", 0), ("Z", 1))])
    network.add_cpds(table(("X", 0), 2, [[0.5] * 3] * 2, evidence=[("Z", 0)], evidence_card=[3]))

    assert {"Z_0": 3, "X_0": 2, "Z_1": 3, "X_1": 2} == model(network).states


def test_nodes_named_by_nodes():
    """Where pgmpy makes a node ((Z, 0), 0) of a latent (Z, 0), there is no such variable; the advice is followed."""
    z, x, later = Node(("Z", 0)), Node(("X", 0)), Node(("Z", 1))
    edges = [(z, x), (z, later)]
    network = pgmpy_class("DynamicBayesianNetwork", DAG)(edges)
    wanted = model(network, hidden=["Z_0", "Z_1"])
    network.add_nodes_from([Node((z, 0)), Node((later, 0))])
    with pytest.raises(InputError, match=r"is itself a node; .*: hidden=\[\"Z_0\", \"Z_1\"\]"):
        model(network)

    assert {"Z_0", "Z_1"} == {one.name for one in wanted.hidden}


def test_what_pgmpy_makes_of_latent_nodes(pgmpy):
    """The same with pgmpy itself: either the nodes are latent, or the network is refused."""
    network = pgmpy.models.DynamicBayesianNetwork([(("Z", 0), ("X", 0)), (("Z", 0), ("Z", 1))])
    network.latents = {("Z", 0), ("Z", 1)}
    try:
        said = f"hidden={sorted(one.name for one in model(network).hidden)}".replace("'", '"')
    except InputError as error:
        said = str(error)

    assert 'hidden=["Z_0", "Z_1"]' in said
