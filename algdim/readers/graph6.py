"""graph6 and digraph6, the formats of nauty: one graph as a line of printable signs.

A digraph6 is a discrete network, without cycles. A graph6 is the graphical log-linear model whose interactions are
the cliques of the graph. Variables are X1, X2, …; all have 2 states unless the option ``states`` says otherwise.
"""

from __future__ import annotations

from itertools import islice
from math import isqrt

from algdim.errors import InputError
from algdim.families.discrete.model import Network, Variable, cycle_message, cycle_of
from algdim.families.loglinear.model import MOST_INTERACTIONS, LogLinear
from algdim.models.tokens import failure
from algdim.models.values import MOST_VARIABLES
from algdim.readers.formats import Options, whole_number

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
