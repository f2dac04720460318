"""networkx graphs: a ``DiGraph`` to a discrete network and back, a ``Graph`` to a graphical log-linear model.

Node attributes: ``states`` (default 2), ``hidden`` (default false), and, as `to_graph` writes them, ``parents`` (their
order, because copying a graph can change the order of its edges) and ``local`` (as in a model file). The graph
attribute ``given`` lists what is conditioned on; ``family`` may be ``"discrete"`` and nothing else. Other attributes are left alone, unless they look like one of these.
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from algdim.errors import InputError, listed
from algdim.families import DEFAULT
from algdim.families.discrete.file import read_local
from algdim.families.discrete.locals.table import FREE, with_states
from algdim.families.discrete.mechanisms import expanded
from algdim.families.discrete.model import Network, Variable, with_shared_entries
from algdim.families.loglinear.model import LogLinear
from algdim.models.anymodel import AnyModel
from algdim.models.filevariables import read_states
from algdim.models.modelfile import to_dict
from algdim.models.tokens import check_name
from algdim.models.values import shown
from algdim.readers.graph6 import graphical
from algdim.readers.pgmpyobjects import from_pgmpy, is_pgmpy

if TYPE_CHECKING:
    import networkx as nx

KNOWN = ("states", "hidden", "parents", "local")
MISTAKEN = {"n_states": "states", "cardinality": "states", "observed": "hidden", "latent": "hidden"}
"""Attributes that say something about the model elsewhere, and what says it here."""

ALIKE = 0.75
"""Words with at least this ratio of `difflib` look alike: state and states, hiden and hidden."""


def from_any_graph(graph: nx.Graph[Any]) -> AnyModel:
    """Read a model from a graph of networkx, directed or not, or from one that is an object of pgmpy."""
    if is_pgmpy(graph):
        return from_pgmpy(graph)
    if graph.is_directed() or graph.is_multigraph():
        return from_graph(graph)
    return from_undirected(graph)


def from_undirected(graph: nx.Graph[Any]) -> LogLinear:
    """Read a graphical log-linear model: its interactions are the cliques of the graph.

    >>> import networkx as nx
    >>> from_undirected(nx.Graph([("A", "B"), ("B", "C")])).interactions
    (('A', 'B'), ('B', 'C'))
    """
    variables = []
    for node, attributes in graph.nodes(data=True):
        check_node(node, attributes)
        observed = not attributes.get("hidden", False)
        states = read_states(attributes.get("states", 2), f"node {node}: states", observed=observed)
        variables.append(Variable(node, states, observed))
        if "local" in attributes or "parents" in attributes:
            raise InputError(f"node {node}: local and parents belong to a networkx.DiGraph, not to a Graph")
    for one, other in graph.edges:
        if one == other:
            raise InputError(f"node {one} has an edge to itself; two different nodes are needed")
    return graphical(variables, list(graph.edges))


def from_graph(graph: nx.DiGraph[Any]) -> Network:
    """Read a model from a directed graph: nodes in their order, parents in the order of their edges.

    >>> import networkx as nx
    >>> graph = nx.DiGraph([("H", "X")])
    >>> graph.nodes["H"]["hidden"] = True
    >>> from_graph(graph).hidden[0].name
    'H'
    """
    if not graph.is_directed() or graph.is_multigraph():
        raise InputError(f"a graph of the type {type(graph).__name__} is not allowed; give a networkx.DiGraph")
    said = graph.graph.get("family", DEFAULT)
    if said != DEFAULT:
        raise InputError(
            f"the graph's attribute family is {shown(said)}; of graphs discrete models are read: leave it out, "
            "or give a model of another family in the notation or as a dictionary"
        )
    states: dict[str, int] = {}
    hidden: dict[str, bool] = {}
    for node, attributes in graph.nodes(data=True):
        check_node(node, attributes)
        hidden[node] = attributes.get("hidden", False)
        states[node] = read_states(attributes.get("states", 2), f"node {node}: states", observed=not hidden[node])
    variables = []
    for node, attributes in graph.nodes(data=True):
        parents = ordered_parents(list(graph.predecessors(node)), attributes.get("parents"), node)
        variable = Variable(node, states[node], not hidden[node], parents)
        pairs = with_states(parents, states)
        local = attributes.get("local")
        read = FREE if local is None else read_local(local, f"node {node}: local", variable, pairs)
        variables.append(Variable(node, states[node], not hidden[node], parents, read))
    given = graph.graph.get("given", ())
    if not isinstance(given, (list, tuple)) or not all(isinstance(name, str) for name in given):
        raise InputError(f"the graph's attribute given is {shown(given)}; a list of names is expected")
    return Network(with_shared_entries(expanded(variables)), tuple(given))


def check_node(node: object, attributes: dict[str, Any]) -> None:
    """Raise unless a node has a usable name and attributes."""
    if not isinstance(node, str):
        raise InputError(f"the node {shown(node)} is not a text; name the nodes, for example by networkx.relabel_nodes")
    check_name(node, f"node {node[:60]!r}")
    for attribute in attributes:
        meant = meant_by(attribute)
        if meant is not None:
            raise InputError(
                f"node {node}: the attribute {shown(attribute)} is not read; write {meant!r} (read are {listed(KNOWN)})"
            )
    if not isinstance(attributes.get("hidden", False), bool):
        raise InputError(f"node {node}: hidden is {shown(attributes['hidden'])}; True or False is allowed")


def meant_by(attribute: object) -> str | None:
    """Which attribute of ours another one looks like; ``None`` for our own, and for those of other libraries.

    >>> meant_by("State"), meant_by("latnet"), meant_by("hidden"), meant_by("color")
    ('states', 'hidden', None, None)
    """
    if not isinstance(attribute, str) or attribute in KNOWN:
        return None
    close = get_close_matches(attribute.lower(), (*KNOWN, *MISTAKEN), n=1, cutoff=ALIKE)
    return MISTAKEN.get(close[0], close[0]) if close else None


def ordered_parents(parents: list[str], order: object, node: str) -> tuple[str, ...]:
    """Put parents into the order that the attribute ``parents`` gives, new ones last."""
    if order is None:
        return tuple(parents)
    if not isinstance(order, (list, tuple)) or not all(isinstance(name, str) for name in order):
        raise InputError(f"node {node}: parents is {shown(order)}; a list of names is expected")
    places = {name: place for place, name in enumerate(order)}
    return tuple(sorted(parents, key=lambda name: places.get(name, len(places))))


def to_graph(model: Network) -> nx.DiGraph[Any]:
    """Write a model as a directed graph; `from_graph` reads it back as an equal record."""
    import networkx as nx

    locals_ = to_dict(model).get("local", {})
    graph: nx.DiGraph[Any] = nx.DiGraph()
    for variable in model.variables:
        attributes: dict[str, Any] = {"states": variable.states, "hidden": not variable.observed}
        if len(variable.parents) > 1:
            attributes["parents"] = variable.parents
        if variable.name in locals_:
            attributes["local"] = locals_[variable.name]
        graph.add_node(variable.name, **attributes)
    graph.add_edges_from(model.edges)
    if model.given:
        graph.graph["given"] = model.given
    return graph
