"""networkx graphs: a ``DiGraph`` to a discrete network and back, a ``Graph`` to a graphical log-linear model.

Node attributes: ``states`` (default 2), ``hidden`` (default false), and, as `to_graph` writes them, ``parents`` (their
order, because copying a graph can change the order of its edges) and ``local`` (as in a model file). The graph
attribute ``given`` lists what is conditioned on; ``family`` may be ``"discrete"`` and nothing else. Other attributes are left alone, unless they look like one of these.

graph6 and digraph6, the formats of nauty: one graph as a line of printable signs.

A digraph6 is a discrete network, without cycles. A graph6 is the graphical log-linear model whose interactions are
the cliques of the graph. Variables are X1, X2, …; all have 2 states unless the option ``states`` says otherwise.
"""

from __future__ import annotations

from difflib import get_close_matches
from itertools import islice
from math import isqrt
from typing import TYPE_CHECKING, Any

from algdim.errors import InputError, listed
from algdim.families import DEFAULT
from algdim.families.discrete.file import read_local
from algdim.families.discrete.locals.table import FREE, with_states
from algdim.families.discrete.mechanisms import expanded
from algdim.families.discrete.model import Network, Variable, cycle_message, cycle_of, with_shared_entries
from algdim.families.loglinear.model import MOST_INTERACTIONS, LogLinear
from algdim.models.anymodel import AnyModel, read_states, to_dict
from algdim.models.tokens import check_name, failure
from algdim.models.values import MOST_VARIABLES, shown
from algdim.readers.formats import Options, whole_number
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


WORDS = {"states": "NUMBER"}
MOST_EQUAL_STATES = 1000
LEAST, MOST = 63, 126
"""The codes of the signs; each holds six bits."""


def from_digraph6(text: str, options: Options) -> Network:
    r"""Read a directed graph without cycles.

    >>> from_digraph6("&AO\n", {}).edges
    (('X1', 'X2'),)
    """
    body, at = body_of(text, ">>digraph6<<")
    if not body.startswith("&"):
        raise failure(text, at, "a digraph6 begins with '&'")
    size, bits = bits_of(text, body[1:], at + 1, directed=True)
    names = [f"X{number + 1}" for number in range(size)]
    parents = {
        name: [names[row] for row in range(size) if bits[row * size + column]] for column, name in enumerate(names)
    }
    for name in names:
        if name in parents[name]:
            raise failure(text, at, f"{name} has an edge to itself; two different variables are needed")
    cycle = cycle_of(parents)
    if cycle:
        raise failure(text, at, cycle_message(cycle))
    states = whole_number(options, "states", 2, 2, MOST_EQUAL_STATES, "the format digraph6")
    return Network(tuple(Variable(name, states, parents=tuple(parents[name])) for name in names))


def from_graph6(text: str, options: Options) -> LogLinear:
    r"""Read an undirected graph.

    >>> from_graph6("Bg\n", {}).interactions
    (('X1', 'X2'), ('X2', 'X3'))
    """
    body, at = body_of(text, ">>graph6<<")
    if body[:1] in ("&", ":"):
        kind = "digraph6" if body[0] == "&" else "sparse6"
        raise failure(text, at, f"this is a {kind}, not a graph6")
    size, bits = bits_of(text, body, at, directed=False)
    edges = [
        (f"X{row + 1}", f"X{column + 1}")
        for column in range(size)
        for row in range(column)
        if bits[column * (column - 1) // 2 + row]
    ]
    states = whole_number(options, "states", 2, 2, MOST_EQUAL_STATES, "the format graph6")
    return graphical([Variable(f"X{number + 1}", states) for number in range(size)], edges)


def graphical(variables: list[Variable], edges: list[tuple[str, str]]) -> LogLinear:
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


def body_of(text: str, header: str) -> tuple[str, int]:
    """The one line that holds the graph, without the header, and where it begins."""
    at = len(text) - len(text.lstrip())
    lines = text.strip().split("\n")
    if len(lines) > 1:
        raise failure(text, text.index("\n", at) + 1, f"{len(lines)} lines; one graph in one line is read")
    line = lines[0]
    if line.startswith(header):
        at += len(header)
        line = line.removeprefix(header)
    if not line:
        raise failure(text, 0, "there is no graph; one line is expected")
    return line, at


def bits_of(text: str, body: str, at: int, *, directed: bool) -> tuple[int, list[bool]]:
    """The number of vertices and the bits of the matrix."""
    for place, sign in enumerate(body):
        if not LEAST <= ord(sign) <= MOST:
            raise failure(text, at + place, f"the sign {sign!r} is not one of '?' to '~', which hold six bits each")
    values = [ord(sign) - LEAST for sign in body]
    length = 1 if values[:1] != [63] else 4 if values[1:2] != [63] else 8
    digits = values[{1: 0, 4: 1, 8: 2}[length] : length]
    if len(values) < length:
        raise failure(text, at, "the number of vertices is cut off")
    size = sum(digit << 6 * power for power, digit in enumerate(reversed(digits)))
    if not 1 <= size <= min(MOST_VARIABLES, isqrt(20 * len(body)) + 10):
        raise failure(text, at, f"{size} vertices; 1 to {MOST_VARIABLES} are allowed, and as many bits as they need")
    count = size * size if directed else size * (size - 1) // 2
    needed = -(-count // 6)
    if len(values) - length != needed:
        message = f"{size} vertices need {needed} signs for their edges; there are {len(values) - length}"
        raise failure(text, at + length, message)
    bits = [bool(value >> shift & 1) for value in values[length:] for shift in range(5, -1, -1)]
    if any(bits[count:]):
        raise failure(text, at + len(body) - 1, "bits after the last edge are not 0")
    return size, bits[:count]
