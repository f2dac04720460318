"""Graphs as dagitty writes them: ``dag { U [latent] U -> {X Y} X <-> Z }``, and those of Graphviz with the word digraph.

dagitty says nothing of distributions: a graph is a Gaussian model of covariances, unless a variable has ``states=3`` in its
brackets or the option ``discrete`` is given.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise

from algdim.errors import InputError, LimitError
from algdim.families.discrete.model import Network, Variable, describe_cycle, find_cycle
from algdim.families.gaussian.model import Gaussian, GaussianVariable
from algdim.models.anymodel import AnyModel
from algdim.models.tokens import Cursor, Token, check_number, make_position_error
from algdim.models.values import MOST_STATES
from algdim.readers.formats import Options
from algdim.readers.identifiers import check_no_range, make_notation_names

PATTERN = re.compile(
    r"(?P<space>[ \t\r\n]+|//[^\n]*|\#[^\n]*)|(?P<string>\"[^\"\n]*\")|(?P<arrow><->|->|<-|--|@-@|@->|<-@|@--|--@)"
    r"|(?P<number>-?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)|(?P<name>[^\W\d][\w.]*)|(?P<symbol>[{}\[\]=,;])"
)
KINDS = ("dag", "digraph")
OTHER_KINDS = ("pdag", "mag", "pag", "graph", "cpdag")
HIDDEN = frozenset(("latent", "l", "unobserved", "u"))
MOST_EDGES = 1_000_000
WORDS = {"gaussian": "", "discrete": ""}


@dataclass(slots=True)
class DrawnGraph:
    """What stands in the braces: variables with their places, hidden ones, states, edges with their places."""

    names: dict[str, int] = field(default_factory=dict)
    hidden: set[str] = field(default_factory=set)
    states: dict[str, int] = field(default_factory=dict)
    edges: dict[tuple[str, str], int] = field(default_factory=dict)
    bidirected: dict[tuple[str, str], int] = field(default_factory=dict)


def read_dagitty(text: str, options: Options) -> AnyModel:
    r"""Read a graph.

    >>> read_dagitty("dag { X -> Y }\n", {}).edges
    (('X', 'Y'),)
    """
    if len(options) > 1:
        raise InputError("the format dagitty: gaussian and discrete contradict each other; one is allowed")
    cursor = Cursor(text, 0, PATTERN)
    begin = cursor.now
    if begin.text in OTHER_KINDS:
        raise make_position_error(
            text, begin.at, f"a {begin.text} is not read: it stands for several models; a dag is one"
        )
    if begin.text not in KINDS:
        cursor.fail("'dag'")
    cursor.index += 1
    if cursor.now.kind in ("name", "string"):
        cursor.index += 1  # the graph's own name
    cursor.require("{", "after the word dag")
    drawing = DrawnGraph()
    while not cursor.meets("}"):
        read_statement(cursor, drawing)
    cursor.index += 1
    if cursor.now.kind != "end":
        cursor.fail("the end of the text after '}'")
    if not drawing.names:
        raise make_position_error(text, begin.at, "the graph is empty; at least one variable is needed")
    discrete = "discrete" in options or ("gaussian" not in options and bool(drawing.states))
    return build_dagitty_network(text, drawing) if discrete else build_dagitty_gaussian(text, drawing)


def read_statement(cursor: Cursor, drawing: DrawnGraph) -> None:
    """Read variables and edges between them, a setting of the drawing, or nothing."""
    if cursor.skip(";"):
        return
    if cursor.now.kind == "name" and cursor.next.text == "=":  # bb="0,0,1,1"
        cursor.index += 2
        read_value(cursor)
        return
    if cursor.now.text in ("node", "edge", "graph") and cursor.next.text == "[":
        cursor.index += 1
        read_brackets(cursor)
        return
    left = read_group(cursor, drawing)
    alone = cursor.now.kind != "arrow"
    while cursor.now.kind == "arrow":
        arrow = cursor.take()
        right = read_group(cursor, drawing)
        if len(drawing.edges) + len(drawing.bidirected) + len(left) * len(right) > MOST_EDGES:
            raise LimitError(f"the graph has more than {MOST_EDGES} edges; that is the limit")
        for one in left:
            for other in right:
                add_edge(cursor, drawing, arrow, one, other)
        left = right
    said = read_brackets(cursor)
    for name in left if alone else ():
        if HIDDEN.intersection(said):
            drawing.hidden.add(name.text)
        token = said.get("states")
        if token is not None:
            if not token.text.isdecimal():
                raise make_position_error(
                    cursor.text, token.at, f"states is {token.text[:30]!r}; an integer is allowed"
                )
            check_number(cursor.text, token, f"the number of states of {name.text}", 1, MOST_STATES)
            drawing.states[name.text] = int(token.text)


def read_group(cursor: Cursor, drawing: DrawnGraph) -> list[Token]:
    """Read one variable, or several in braces."""
    braces = cursor.skip("{")
    found: list[Token] = []
    while not found or (braces and not cursor.meets("}")):
        token = cursor.now
        if token.kind not in ("name", "string", "number") or (token.kind == "number" and not token.text.isdigit()):
            cursor.fail("the name of a variable")
        cursor.index += 1
        name = token.text[1:-1] if token.kind == "string" else token.text
        if not name.strip():
            raise make_position_error(cursor.text, token.at, "the name is empty; write a name")
        drawing.names.setdefault(name, token.at)
        found.append(Token("name", name, token.at))
        if braces:
            cursor.skip(",")
    if braces:
        cursor.require("}")
    return found


def read_brackets(cursor: Cursor) -> dict[str, Token | None]:
    """Read ``[latent, states=3, pos="0,1"]`` if it stands there."""
    said: dict[str, Token | None] = {}
    if not cursor.skip("["):
        return said
    while not cursor.meets("]"):
        if cursor.now.kind != "name":
            cursor.fail("a word such as latent, or ']'")
        word = cursor.take().text
        said[word] = read_value(cursor) if cursor.skip("=") else None
        if not cursor.skip(",") and not cursor.skip(";") and not cursor.meets("]"):
            cursor.fail("',' or ']'")
    cursor.index += 1
    return said


def read_value(cursor: Cursor) -> Token:
    """Read a value: a word, a number, or a text in quotes."""
    if cursor.now.kind not in ("name", "number", "string"):
        cursor.fail("a value")
    token = cursor.take()
    return token._replace(text=token.text.strip('"'))


def add_edge(cursor: Cursor, drawing: DrawnGraph, arrow: Token, one: Token, other: Token) -> None:
    """Add an edge, unless it occurs twice or joins a variable with itself."""
    text = f"{one.text} {arrow.text} {other.text}"
    if arrow.text not in ("->", "<-", "<->"):
        raise make_position_error(cursor.text, arrow.at, f"the edge {text} has no direction; ->, <- and <-> are read")
    if one.text == other.text:
        raise make_position_error(
            cursor.text, other.at, f"the edge {text} joins a variable with itself; two are needed"
        )
    pair = (other.text, one.text) if arrow.text == "<-" else (one.text, other.text)
    edges = drawing.bidirected if arrow.text == "<->" else drawing.edges
    if pair in edges or (arrow.text == "<->" and pair[::-1] in edges):
        raise make_position_error(cursor.text, arrow.at, f"the edge {text} occurs twice; once is allowed")
    edges[pair] = arrow.at


def build_dagitty_gaussian(text: str, drawing: DrawnGraph) -> Gaussian:
    """The model of covariances."""
    check_no_range(text, drawing.names)
    names = make_notation_names(drawing.names)
    if len(drawing.hidden) == len(names):
        raise make_position_error(text, 0, "all variables are latent; at least one observed variable is needed")
    return Gaussian(
        tuple(GaussianVariable(names[name], name not in drawing.hidden) for name in drawing.names),
        tuple((names[one], names[other]) for one, other in drawing.edges),
        tuple((names[one], names[other]) for one, other in drawing.bidirected),
        means=False,
    )


def build_dagitty_network(text: str, drawing: DrawnGraph) -> Network:
    """The discrete network; variables have 2 states unless it is said."""
    for (one, other), at in drawing.bidirected.items():
        raise make_position_error(
            text,
            at,
            f"{one} <-> {other} has no meaning in a discrete network; write a latent variable with its states and an edge to both",
        )
    parents: dict[str, list[str]] = {name: [] for name in drawing.names}
    for one, other in drawing.edges:
        parents[other].append(one)
    check_acyclic(text, parents, drawing.edges)
    check_no_range(text, drawing.names)
    names = make_notation_names(drawing.names)
    for name, at in drawing.names.items():
        if name not in drawing.hidden and drawing.states.get(name, 2) < 2:
            raise make_position_error(text, at, f"{name} is observed and has 1 state; 2 are needed at least")
    if len(drawing.hidden) == len(names):
        raise make_position_error(text, 0, "all variables are latent; at least one observed variable is needed")
    return Network(
        tuple(
            Variable(
                names[name],
                drawing.states.get(name, 2),
                name not in drawing.hidden,
                tuple(names[parent] for parent in parents[name]),
            )
            for name in drawing.names
        )
    )


def check_acyclic(text: str, parents: dict[str, list[str]], places: dict[tuple[str, str], int]) -> None:
    """Raise if the edges form a cycle, at the first of its edges in the text."""
    cycle = find_cycle(parents)
    if cycle:
        raise make_position_error(text, min(places[edge] for edge in pairwise(cycle)), describe_cycle(cycle))
