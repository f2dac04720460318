"""Graphs as models: those of networkx, and the lines of graph6 and digraph6, the formats of nauty.

What has directions, a ``DiGraph`` or a digraph6, is a discrete network, without cycles; other graphs are the graphical log-linear
model whose interactions are the cliques. A network becomes a ``DiGraph`` again.

Node attributes of networkx: ``states`` (default 2), ``hidden`` (default false), and, as `convert_to_graph` writes them, ``parents``
(their order, because copying a graph can change the order of its edges) and ``local`` (as in a model file). The graph attribute
``given`` lists what is conditioned on; ``family`` may be ``"discrete"`` and nothing else. Other attributes are left alone, unless
they look like one of these. In a line of printable signs variables are X1, X2, …; all have 2 states unless the option ``states``
says otherwise.
"""

from __future__ import annotations

from difflib import get_close_matches
from itertools import islice
from math import isqrt
from typing import TYPE_CHECKING, Any

from algdim.errors import InputError, join_names
from algdim.families import DEFAULT
from algdim.families.discrete.file import read_local
from algdim.families.discrete.locals.table import FREE, add_states
from algdim.families.discrete.mechanisms import expand_noisy_maxima
from algdim.families.discrete.model import Network, Variable, describe_cycle, find_cycle, merge_shared_entries
from algdim.families.loglinear.model import MOST_INTERACTIONS, LogLinear
from algdim.models.anymodel import AnyModel, convert_model_to_dictionary, read_states
from algdim.models.tokens import check_name, make_position_error
from algdim.models.values import MOST_VARIABLES, format_given_value
from algdim.readers.formats import Options, read_integer_option
from algdim.readers.pgmpyobjects import is_pgmpy, read_pgmpy

if TYPE_CHECKING:
    import networkx as nx


KNOWN = ("states", "hidden", "parents", "local")
MISTAKEN = {"n_states": "states", "cardinality": "states", "observed": "hidden", "latent": "hidden"}
"""Attributes that say something about the model elsewhere, and what says it here."""

ALIKE = 0.75
"""Words with at least this ratio of `difflib` look alike: state and states, hiden and hidden."""


def read_any_graph(graph: nx.Graph[Any]) -> AnyModel:
    """Read a model from a graph of networkx, directed or not, or from one that is an object of pgmpy."""
    if is_pgmpy(graph):
        return read_pgmpy(graph)
    if graph.is_directed() or graph.is_multigraph():
        return read_directed_graph(graph)
    return read_undirected_graph(graph)


def read_undirected_graph(graph: nx.Graph[Any]) -> LogLinear:
    """Read a graphical log-linear model: its interactions are the cliques of the graph.

    >>> import networkx as nx
    >>> read_undirected_graph(nx.Graph([("A", "B"), ("B", "C")])).interactions
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
    return make_graphical_model(variables, list(graph.edges))


def read_directed_graph(graph: nx.DiGraph[Any]) -> Network:
    """Read a model from a directed graph: nodes in their order, parents in the order of their edges.

    >>> import networkx as nx
    >>> graph = nx.DiGraph([("H", "X")])
    >>> graph.nodes["H"]["hidden"] = True
    >>> read_directed_graph(graph).hidden[0].name
    'H'
    """
    if not graph.is_directed() or graph.is_multigraph():
        raise InputError(f"a graph of the type {type(graph).__name__} is not allowed; give a networkx.DiGraph")
    said = graph.graph.get("family", DEFAULT)
    if said != DEFAULT:
        raise InputError(
            f"the graph's attribute family is {format_given_value(said)}; of graphs discrete models are read: leave it out, "
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
        parents = order_parents(list(graph.predecessors(node)), attributes.get("parents"), node)
        variable = Variable(node, states[node], not hidden[node], parents)
        pairs = add_states(parents, states)
        local = attributes.get("local")
        read = FREE if local is None else read_local(local, f"node {node}: local", variable, pairs)
        variables.append(Variable(node, states[node], not hidden[node], parents, read))
    given = graph.graph.get("given", ())
    if not isinstance(given, (list, tuple)) or not all(isinstance(name, str) for name in given):
        raise InputError(f"the graph's attribute given is {format_given_value(given)}; a list of names is expected")
    return Network(merge_shared_entries(expand_noisy_maxima(variables)), tuple(given))


def check_node(node: object, attributes: dict[str, Any]) -> None:
    """Raise unless a node has a usable name and attributes."""
    if not isinstance(node, str):
        raise InputError(
            f"the node {format_given_value(node)} is not a text; name the nodes, for example by networkx.relabel_nodes"
        )
    check_name(node, f"node {node[:60]!r}")
    for attribute in attributes:
        meant = find_meant_attribute(attribute)
        if meant is not None:
            raise InputError(
                f"node {node}: the attribute {format_given_value(attribute)} is not read; write {meant!r} (read are {join_names(KNOWN)})"
            )
    if not isinstance(attributes.get("hidden", False), bool):
        raise InputError(f"node {node}: hidden is {format_given_value(attributes['hidden'])}; True or False is allowed")


def find_meant_attribute(attribute: object) -> str | None:
    """Which attribute of ours another one looks like; ``None`` for our own, and for those of other libraries.

    >>> (
    ...     find_meant_attribute("State"),
    ...     find_meant_attribute("latnet"),
    ...     find_meant_attribute("hidden"),
    ...     find_meant_attribute("color"),
    ... )
    ('states', 'hidden', None, None)
    """
    if not isinstance(attribute, str) or attribute in KNOWN:
        return None
    close = get_close_matches(attribute.lower(), (*KNOWN, *MISTAKEN), n=1, cutoff=ALIKE)
    return MISTAKEN.get(close[0], close[0]) if close else None


def order_parents(parents: list[str], order: object, node: str) -> tuple[str, ...]:
    """Put parents into the order that the attribute ``parents`` gives, new ones last."""
    if order is None:
        return tuple(parents)
    if not isinstance(order, (list, tuple)) or not all(isinstance(name, str) for name in order):
        raise InputError(f"node {node}: parents is {format_given_value(order)}; a list of names is expected")
    places = {name: place for place, name in enumerate(order)}
    return tuple(sorted(parents, key=lambda name: places.get(name, len(places))))


def convert_to_graph(model: Network) -> nx.DiGraph[Any]:
    """Write a model as a directed graph; `read_directed_graph` reads it back as an equal record."""
    import networkx as nx

    locals_ = convert_model_to_dictionary(model).get("local", {})
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


WORDS = {"states": "NUMBER"}
MOST_EQUAL_STATES = 1000
LEAST, MOST = 63, 126
"""The codes of the signs; each holds six bits."""


def read_digraph6(text: str, options: Options) -> Network:
    r"""Read a directed graph without cycles.

    >>> read_digraph6("&AO\n", {}).edges
    (('X1', 'X2'),)
    """
    body, at = find_graph_body(text, ">>digraph6<<")
    if not body.startswith("&"):
        raise make_position_error(text, at, "a digraph6 begins with '&'")
    size, bits = decode_graph_bits(text, body[1:], at + 1, directed=True)
    names = [f"X{number + 1}" for number in range(size)]
    parents = {
        name: [names[row] for row in range(size) if bits[row * size + column]] for column, name in enumerate(names)
    }
    for name in names:
        if name in parents[name]:
            raise make_position_error(text, at, f"{name} has an edge to itself; two different variables are needed")
    cycle = find_cycle(parents)
    if cycle:
        raise make_position_error(text, at, describe_cycle(cycle))
    states = read_integer_option(options, "states", 2, 2, MOST_EQUAL_STATES, "the format digraph6")
    return Network(tuple(Variable(name, states, parents=tuple(parents[name])) for name in names))


def read_graph6(text: str, options: Options) -> LogLinear:
    r"""Read an undirected graph.

    >>> read_graph6("Bg\n", {}).interactions
    (('X1', 'X2'), ('X2', 'X3'))
    """
    body, at = find_graph_body(text, ">>graph6<<")
    if body[:1] in ("&", ":"):
        kind = "digraph6" if body[0] == "&" else "sparse6"
        raise make_position_error(text, at, f"this is a {kind}, not a graph6")
    size, bits = decode_graph_bits(text, body, at, directed=False)
    edges = [
        (f"X{row + 1}", f"X{column + 1}")
        for column in range(size)
        for row in range(column)
        if bits[column * (column - 1) // 2 + row]
    ]
    states = read_integer_option(options, "states", 2, 2, MOST_EQUAL_STATES, "the format graph6")
    return make_graphical_model([Variable(f"X{number + 1}", states) for number in range(size)], edges)


def make_graphical_model(variables: list[Variable], edges: list[tuple[str, str]]) -> LogLinear:
    """The log-linear model whose interactions are the cliques of a graph."""
    import networkx as nx

    graph: nx.Graph[str] = nx.Graph()
    graph.add_nodes_from(variable.name for variable in variables)
    graph.add_edges_from(edges)
    place = {variable.name: number for number, variable in enumerate(variables)}
    found = list(islice(nx.find_cliques(graph), MOST_INTERACTIONS + 1))
    if len(found) > MOST_INTERACTIONS:
        raise InputError(f"the graph has more than {MOST_INTERACTIONS} cliques; that is the limit of interactions")
    cliques = sorted(sorted(place[name] for name in clique) for clique in found)
    names = [variable.name for variable in variables]
    return LogLinear(tuple(variables), tuple(tuple(names[number] for number in clique) for clique in cliques))


def find_graph_body(text: str, header: str) -> tuple[str, int]:
    """The one line that holds the graph, without the header, and where it begins."""
    at = len(text) - len(text.lstrip())
    lines = text.strip().split("\n")
    if len(lines) > 1:
        raise make_position_error(text, text.index("\n", at) + 1, f"{len(lines)} lines; one graph in one line is read")
    line = lines[0]
    if line.startswith(header):
        at += len(header)
        line = line.removeprefix(header)
    if not line:
        raise make_position_error(text, 0, "there is no graph; one line is expected")
    return line, at


def decode_graph_bits(text: str, body: str, at: int, *, directed: bool) -> tuple[int, list[bool]]:
    """The number of vertices and the bits of the matrix."""
    for place, sign in enumerate(body):
        if not LEAST <= ord(sign) <= MOST:
            raise make_position_error(
                text, at + place, f"the sign {sign!r} is not one of '?' to '~', which hold six bits each"
            )
    values = [ord(sign) - LEAST for sign in body]
    length = 1 if values[:1] != [63] else 4 if values[1:2] != [63] else 8
    digits = values[{1: 0, 4: 1, 8: 2}[length] : length]
    if len(values) < length:
        raise make_position_error(text, at, "the number of vertices is cut off")
    size = sum(digit << 6 * power for power, digit in enumerate(reversed(digits)))
    if not 1 <= size <= min(MOST_VARIABLES, isqrt(20 * len(body)) + 10):
        raise make_position_error(
            text, at, f"{size} vertices; 1 to {MOST_VARIABLES} are allowed, and as many bits as they need"
        )
    count = size * size if directed else size * (size - 1) // 2
    needed = -(-count // 6)
    if len(values) - length != needed:
        message = f"{size} vertices need {needed} signs for their edges; there are {len(values) - length}"
        raise make_position_error(text, at + length, message)
    bits = [bool(value >> shift & 1) for value in values[length:] for shift in range(5, -1, -1)]
    if any(bits[count:]):
        raise make_position_error(text, at + len(body) - 1, "bits after the last edge are not 0")
    return size, bits[:count]
