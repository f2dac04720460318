"""How a discrete network is read and printed: by its sizes, or by clauses; or from a model file.

Sizes are latent classes and latent trees as numbers of states, ``4:3,3,3`` and ``5(2,3(2,2),3(2,2))``. Nothing here recurses,
so nesting is bounded by size alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple, NoReturn

from algdim.families import load_on_demand
from algdim.families.contract import ModelFile, Notation
from algdim.families.discrete.locals.table import FREE, Table
from algdim.families.discrete.model import Network, Variable
from algdim.families.discrete.short import WORDS, find_short_form, read_short_form
from algdim.models.tokens import TOKEN, Cursor, make_position_error
from algdim.models.values import MOST_STATES, MOST_VARIABLES


def read_network(text: str, start: int, word: str, argument: str) -> Network:
    """Read a latent class or tree by its sizes, or clauses as the word before the colon says."""
    if text.lstrip()[0] in "0123456789!":
        return parse_sizes(text)
    if word in WORDS:
        return read_short_form(text, start, word, argument)
    found: Network = load_on_demand("discrete", "mechanismnotation", "read_clauses")(text, start, word, argument)
    return found


def format_network(model: Network) -> str:
    """Print a network, in its short form, as a tree or a causal interaction model if it has or is one, else as clauses."""
    return (
        find_short_form(model)
        or format_tree(model)
        or str(load_on_demand("discrete", "mechanismnotation", "format_network")(model))
    )


NOTATION = Notation(read_network, format_network)
FILE = ModelFile(
    load_on_demand("discrete", "file", "read_dictionary"),
    load_on_demand("discrete", "file", "write_dictionary"),
    has_locals=True,
)


RUN_TO_COMPRESS = 5  # this many equal sizes side by side are printed as SIZE^TIMES


SIZES = re.compile(TOKEN.pattern.replace("/^!", "/*^!"))
"""The pieces of a text with sizes alone."""


class TreeNode(NamedTuple):
    """A node of a latent tree: its states, its kind (hidden, leaf, inner) and the index of its parent (-1: root).

    Leaves from one table have the index of the first of them (-1: a table of its own).
    """

    states: int
    kind: str
    parent: int
    first: int = -1


def parse_sizes(text: str) -> Network:
    """Read ``K:ITEM,…`` or ``K(NODE,…)``."""
    cursor = Cursor(text, 0, SIZES)
    cursor.notation = True
    if cursor.meets("!"):
        cursor.fail(
            "the number of states of the hidden root",
            "the root of a tree is hidden; write clauses for an observed root",
        )
    if cursor.next.text == ",":
        refuse_flat(cursor)
    flat = cursor.next.text == ":"
    nodes = parse_latent_class(cursor) if flat else parse_tree(cursor)
    if cursor.now.kind != "end":
        hints = {
            ")": "a closing parenthesis too many",
            ";": "a latent class or tree takes no clauses; write the edges instead",
        }
        cursor.fail("',' or the end of the text" if flat else "the end of the text", hints.get(cursor.now.text, ""))
    return build_tree_network(nodes)


def check_room(cursor: Cursor, at: int, variables: int) -> None:
    """Raise if these are more variables than a model may have."""
    if variables > MOST_VARIABLES:
        message = f"the model has more than {MOST_VARIABLES} variables; at most {MOST_VARIABLES} are allowed"
        raise make_position_error(cursor.text, at, message)


def refuse_flat(cursor: Cursor) -> NoReturn:
    """Refuse the flat name of a latent tree (KZ02 §5), which does not tell which leaf hangs where."""
    hidden: list[int] = []
    leaves: list[int] = []
    side = hidden
    while True:
        size = cursor.number("a number of states", 1, MOST_STATES)
        times = cursor.number("the number of times", 1, MOST_VARIABLES) if cursor.skip("^") else 1
        check_room(cursor, cursor.now.at, len(hidden) + len(leaves) + times)
        side.extend([size] * times)
        if cursor.meets(":") and side is hidden:
            side = leaves
        elif not cursor.meets(","):
            break
        cursor.index += 1
    if side is hidden:
        cursor.fail("',' or ':'", "a latent class is written like 4:3,3,3")
    raise make_position_error(
        cursor.text,
        cursor.tokens[0].at,
        f"the flat name of a latent tree does not tell which leaf hangs where; write the tree form, for example {format_example_tree(hidden, leaves)}",
    )


def format_example_tree(hidden: list[int], leaves: list[int]) -> str:
    """Print one of the trees that a flat name can mean: all inner nodes below the root, as even as possible.

    >>> format_example_tree([5, 3, 3], [2, 2, 2, 2, 2])
    '5(2,3(2,2),3(2,2))'
    """
    each = -(-len(leaves) // len(hidden))
    if each * (len(hidden) - 1) > len(leaves):
        each = len(leaves) // len(hidden)
    if each == 0 or len(leaves) > 40:
        return "5(2,3(2,2),3(2,2))"
    root = len(leaves) - each * (len(hidden) - 1)
    groups = [leaves[start : start + each] for start in range(root, len(leaves), each)]
    inner = [f"{states}({format_sizes(group)})" for states, group in zip(hidden[1:], groups, strict=True)]
    return f"{hidden[0]}({','.join(filter(None, (format_sizes(leaves[:root]), *inner)))})"


def parse_leaf_nodes(cursor: Cursor, parent: int, so_far: int) -> list[TreeNode]:
    """Read ``STATES`` or ``STATES^TIMES``."""
    states = cursor.number("the number of states of an observed variable", 2, MOST_STATES)
    repeated = cursor.skip("^")
    at = cursor.now.at
    times = cursor.number("the number of times", 1, MOST_STATES) if repeated else 1
    check_room(cursor, at, so_far + times)
    if not repeated or not cursor.skip("*"):
        return [TreeNode(states, "leaf", parent)] * times
    if times < 2:
        message = "'*' gives items one table, and there is one item; at least 2 are expected, as in 3:2^6*"
        raise make_position_error(cursor.text, cursor.last.at, message)
    return [TreeNode(states, "leaf", parent, so_far)] * times


def parse_latent_class(cursor: Cursor) -> list[TreeNode]:
    """Read ``K:ITEM,ITEM,…``."""
    nodes = [TreeNode(cursor.number("the number of classes", 1, MOST_STATES), "hidden", -1)]
    cursor.require(":", "after the number of classes")
    for _ in cursor.items():
        nodes += parse_leaf_nodes(cursor, 0, len(nodes))
        if cursor.meets("("):
            cursor.fail("',' or the end of the text", "nested models are written as a tree, like 4(3,3(2,2))")
    return nodes


def parse_tree(cursor: Cursor) -> list[TreeNode]:
    """Read ``K(NODE,NODE,…)``; the open parentheses are kept on a stack."""
    nodes: list[TreeNode] = []
    open_nodes: list[tuple[int, int]] = []  # index of the node, position of its parenthesis
    while True:
        parent = open_nodes[-1][0] if open_nodes else -1
        bang = cursor.skip("!")
        if not open_nodes or bang or cursor.next.text == "(":
            open_nodes.append((len(nodes), cursor.next.at))
            nodes.append(parse_inner_node(cursor, parent, bang))
            check_room(cursor, cursor.last.at, len(nodes))
            continue
        nodes += parse_leaf_nodes(cursor, parent, len(nodes))
        if cursor.meets("("):
            cursor.fail("',' or ')'", "only a leaf can be repeated by '^'")
        while cursor.skip(")"):
            open_nodes.pop()
            if cursor.meets("^"):
                cursor.fail("',' or ')'", "only a leaf can be repeated by '^'")
            if not open_nodes:
                return nodes
        if not cursor.skip(","):
            where = open_nodes[-1][1]
            cursor.fail("',' or ')'", f"the parenthesis at position {where + 1} is open")


def parse_inner_node(cursor: Cursor, parent: int, bang: bool) -> TreeNode:
    """Read ``STATES(``, the beginning of a hidden node, or of an observed one if there was a '!'."""
    if bang:
        states = cursor.number("the number of states of an observed inner node", 2, MOST_STATES)
        cursor.require("(", "after '!' and the states (a leaf is observed without '!')")
    else:
        states = cursor.number("the number of states of a hidden variable", 1, MOST_STATES)
        cursor.require("(", "or ':' after the first number (as in 4:3,3,3 or 4(3,3,3))")
    return TreeNode(states, "inner" if bang else "hidden", parent)


def build_tree_network(nodes: list[TreeNode]) -> Network:
    """Build the model of a latent tree; with one hidden variable and only leaves it is the latent class model."""
    return Network(name_tree_variables(nodes))


def name_tree_variables(nodes: list[TreeNode]) -> tuple[Variable, ...]:
    """The variables of a latent tree."""
    hidden = sum(node.kind == "hidden" for node in nodes)
    plain = hidden == 1 and all(node.kind != "inner" for node in nodes)
    names: list[str] = []
    numbers = {"H": 0, "X": 0}
    for node in nodes:
        letter = "H" if node.kind == "hidden" else "X"
        numbers[letter] += 1
        names.append("H" if plain and letter == "H" else f"{letter}{numbers[letter]}")
    return tuple(
        [
            Variable(
                name,
                node.states,
                node.kind != "hidden",
                () if node.parent < 0 else (names[node.parent],),
                FREE if node.first < 0 else Table(names[node.first]),
            )
            for name, node in zip(names, nodes, strict=True)
        ]
    )


def format_sizes(sizes: Iterable[int]) -> str:
    """Print numbers of states, long runs as SIZE^TIMES.

    >>> format_sizes((3, 2, 2, 2, 2, 2))
    '3,2^5'
    """
    runs = ((size, len(list(run))) for size, run in groupby(sizes))
    return ",".join(
        f"{size}^{times}" if times >= RUN_TO_COMPRESS else ",".join([str(size)] * times) for size, times in runs
    )


def format_leaves(leaves: Sequence[TreeNode]) -> str:
    """Print leaves side by side, those from one table as SIZE^TIMES*."""
    pieces = []
    for first, run in groupby(leaves, key=lambda node: node.first):
        sizes = [node.states for node in run]
        pieces.append(format_sizes(sizes) if first < 0 else f"{sizes[0]}^{len(sizes)}*")
    return ",".join(pieces)


def format_tree(model: Network) -> str | None:
    """Print a model that its sizes describe, else return None.

    >>> format_tree(parse_sizes("4(3,3,3)"))
    '4:3,3,3'
    """
    nodes = find_tree_nodes(model)
    if nodes is None or name_tree_variables(nodes) != model.variables:
        return None
    if all(node.parent == 0 and node.kind == "leaf" for node in nodes[1:]):
        return f"{nodes[0].states}:{format_leaves(nodes[1:])}"
    pieces: list[str] = []
    leaves: list[TreeNode] = []  # those that wait to be printed together

    def add(piece: str) -> None:
        pieces.append(piece if not pieces or pieces[-1].endswith("(") else f",{piece}")

    def flush() -> None:
        if leaves:
            add(format_leaves(leaves))
            leaves.clear()

    open_nodes: list[int] = []
    for index, node in enumerate(nodes):
        while open_nodes and open_nodes[-1] != node.parent:
            flush()
            pieces.append(")")
            open_nodes.pop()
        if node.kind == "leaf":
            leaves.append(node)
        else:
            flush()
            add(f"{'!' if node.kind == 'inner' else ''}{node.states}(")
            open_nodes.append(index)
    flush()
    return "".join(pieces) + ")" * len(open_nodes)


def is_leaf_table(variable: Variable) -> bool:
    """Whether a table is free, and shared at most."""
    return isinstance(variable.local, Table) and not variable.local.fixed and not variable.local.equal


def find_tree_nodes(model: Network) -> list[TreeNode] | None:
    """Return the nodes of a tree that is directed away from a hidden root and stands in reading order, else None."""
    variables = model.variables
    if model.given or variables[0].observed or variables[0].parents or len(variables) < 2:
        return None
    if any(len(variable.parents) != 1 for variable in variables[1:]) or not all(map(is_leaf_table, variables)):
        return None
    place = {variable.name: number for number, variable in enumerate(variables)}
    inner = {variable.parents[0] for variable in variables[1:]}
    nodes: list[TreeNode] = []
    index: dict[str, int] = {}
    path: list[str] = []  # the ancestors of the variable that is read next
    for variable in variables:
        if variable.name not in inner and not variable.observed:
            return None
        while path and path[-1] != variable.parents[0]:
            path.pop()
        if not path and nodes:
            return None
        kind = "hidden" if not variable.observed else "inner" if variable.name in inner else "leaf"
        first = -1 if variable.local.share is None else place.get(variable.local.share, -2)
        if first == -2 or (first >= 0 and kind != "leaf"):
            return None
        nodes.append(TreeNode(variable.states, kind, index[path[-1]] if path else -1, first))
        if kind != "leaf":
            index[variable.name] = len(nodes) - 1
            path.append(variable.name)
    return nodes
