"""Hypothesis strategies for models."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod

from hypothesis import strategies as st

from algdim.families.discrete.locals.function import AtLeast, Deterministic, Maximum, Parity, StateSum
from algdim.families.discrete.locals.sigmoid import Sigmoid
from algdim.families.discrete.locals.table import Cell, Table
from algdim.families.discrete.model import Local, Network, Variable

NAMES = ("A", "B", "C", "D", "E", "F", "G", "H", "X1", "X2", "Y_3", "z.1", "P", "off", "x")
LABELS = ("a", "b", "c")
VALUES = (Fraction(0), Fraction(1, 4), Fraction(1, 5), Fraction(1, 7))  # any three of them leave something over
MOST_CELLS = 400


@st.composite
def networks(
    draw: st.DrawFn,
    max_variables: int = 6,
    max_states: int = 4,
    *,
    special: bool = True,
    deterministic: bool = False,
    sigmoid: bool = False,
    max_table: int = MOST_CELLS,
) -> Network:
    """Draw a valid discrete network, with ``special`` also shared tables, fixed and named entries, and given variables.

    With ``deterministic`` some variables are functions of their parents, with ``sigmoid`` some binary ones are sigmoid.

    Edges may point against the order of the variables. Every row with a fixed or named entry keeps an entry that is
    neither. No table has more than ``max_table`` entries.
    """
    names = draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=max_variables, unique=True))
    hidden = set(draw(st.lists(st.sampled_from(names), max_size=len(names) - 1, unique=True)))
    states = {name: draw(st.integers(1 if name in hidden else 2, max_states)) for name in names}
    parents = draw_parents(draw, names, states, max_table)
    rules = draw_rules(draw, hidden, states, parents, max_table) if deterministic else {}
    tables = dict.fromkeys(names, Table())
    given: list[str] = []
    if special:
        roots = [name for name in names if not parents[name] and name not in hidden]
        if len(names) - len(hidden) > 1 and roots:
            most = min(len(roots), len(names) - len(hidden) - 1)
            given = draw(st.lists(st.sampled_from(roots), max_size=most, unique=True))
        with_tables = [name for name in names if name not in given and name not in rules]
        draw_tables(draw, tables, with_tables, states, parents)
    binary = {tables[name].share or name for name in names if states[name] == 2 and name not in given}
    weighted = set(draw(st.lists(st.sampled_from(sorted(binary)), unique=True))) if sigmoid and binary else set()

    def local(name: str) -> Local:
        table = tables[name]
        return Sigmoid(table.share) if (table.share or name) in weighted else table

    return Network(
        tuple(
            Variable(name, states[name], name not in hidden, parents[name], rules.get(name) or local(name))
            for name in names
        ),
        tuple(given),
    )


def draw_rules(
    draw: st.DrawFn,
    hidden: set[str],
    states: dict[str, int],
    parents: dict[str, tuple[str, ...]],
    max_table: int,
) -> dict[str, Deterministic]:
    """Draw rules for some variables and set their states to what the rules give."""
    rules: dict[str, Deterministic] = {}
    for name, mine in parents.items():  # parents before children
        counts = [states[parent] for parent in mine]
        if not counts or not draw(st.booleans()):
            continue
        possible: list[Deterministic] = [Maximum(), StateSum()]
        if set(counts) == {2}:
            possible += [Parity(), AtLeast(draw(st.integers(1, len(counts))))]
        rule = draw(st.sampled_from(possible))
        changed = {**states, name: rule.states(counts)}
        families = [child for child in parents if child == name or name in parents[child]]
        small = all(prod(changed[v] for v in (child, *parents[child])) <= max_table for child in families)
        if small and (changed[name] > 1 or name in hidden):
            rules[name] = rule
            states[name] = changed[name]
    return rules


def draw_parents(
    draw: st.DrawFn, names: list[str], states: dict[str, int], max_table: int
) -> dict[str, tuple[str, ...]]:
    """Draw an acyclic graph whose tables are not too large."""
    order: list[str] = draw(st.permutations(names))
    parents: dict[str, tuple[str, ...]] = {}
    for index, name in enumerate(order):
        before = order[:index]
        if not before:
            parents[name] = ()
            continue
        chosen: list[str] = draw(st.lists(st.sampled_from(before), max_size=3, unique=True))
        while states[name] * prod(states[parent] for parent in chosen) > max_table:
            chosen.pop()
        parents[name] = tuple(chosen)
    return parents


def draw_tables(
    draw: st.DrawFn,
    tables: dict[str, Table],
    names: list[str],
    states: dict[str, int],
    parents: dict[str, tuple[str, ...]],
) -> None:
    """Draw shares among tables of the same shape, and special entries, one set for each table."""
    shapes: dict[tuple[int, ...], list[str]] = {}
    for name in names:
        shapes.setdefault((*(states[parent] for parent in parents[name]), states[name]), []).append(name)
    groups: list[tuple[str | None, tuple[int, ...], list[str]]] = []
    for number, (shape, members) in enumerate(shapes.items()):
        sharing: list[str] = draw(st.lists(st.sampled_from(members), unique=True))
        if sharing:
            groups.append((f"share{number}", shape, sharing))
        groups += [(None, shape, [name]) for name in members if name not in sharing]
    for share, shape, members in groups:
        fixed, equal = draw_entries(draw, shape) if draw(st.booleans()) else ((), ())
        for name in members:
            tables[name] = Table(share, fixed, equal)


def draw_entries(
    draw: st.DrawFn, shape: tuple[int, ...]
) -> tuple[tuple[tuple[Cell, Fraction], ...], tuple[tuple[Cell, str], ...]]:
    """Draw fixed and named entries of a few rows of a table of this shape."""
    *outer, states = shape
    rows = list(product(*(range(count) for count in outer)))
    chosen: list[tuple[int, ...]] = draw(st.lists(st.sampled_from(rows), max_size=3, unique=True))
    fixed: list[tuple[Cell, Fraction]] = []
    equal: list[tuple[Cell, str]] = []
    for row in chosen if states > 1 else []:
        entries: list[int] = draw(st.lists(st.integers(0, states - 1), max_size=min(3, states - 1), unique=True))
        for state in entries:
            if draw(st.booleans()):
                fixed.append(((row, state), draw(st.sampled_from(VALUES))))
            else:
                equal.append(((row, state), draw(st.sampled_from(LABELS))))
    return tuple(fixed), tuple(equal)


@st.composite
def latent_trees(draw: st.DrawFn, max_nodes: int = 12) -> str:
    """Draw the text of a latent class or latent tree."""
    text = str(draw(st.integers(2, 5)))
    opened = 0
    size = draw(st.integers(1, max_nodes))
    pieces = [text + "("]
    for _ in range(size):
        comma = "" if pieces[-1].endswith("(") else ","
        kind = draw(st.sampled_from(("leaf", "leaf", "leaf", "hidden", "inner", "close")))
        if kind == "close" and opened and comma:
            pieces.append(")")
            opened -= 1
        elif kind in ("hidden", "inner"):
            pieces.append(f"{comma}{'!' if kind == 'inner' else ''}{draw(st.integers(2, 4))}(")
            opened += 1
        else:
            times = draw(st.sampled_from(("", "", "^2", "^5")))
            pieces.append(f"{comma}{draw(st.integers(2, 3))}{times}")
    if pieces[-1].endswith("("):
        pieces.append("2")
    return "".join(pieces) + ")" * (opened + 1)
