"""Models that are graphs, in the syntax of dagitty, and discrete networks in BIF.

Both have no place for fixed, equal or shared numbers and for other local maps; a model that has them is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import product
from math import prod
from typing import Any

from algdim.errors import InputError, LimitError
from algdim.families import family_of
from algdim.families.contract import Arrows
from algdim.families.discrete.model import Network, Variable
from algdim.models.anymodel import AnyModel, expect

MOST_VALUES = 1_000_000
"""Probabilities that are written; their number is checked before."""

DAGITTY_WORDS = ("node", "edge", "graph")
"""Names that begin a setting of dagitty's unless they stand in quotes."""


def as_graph(model: AnyModel, target: str) -> Arrows:
    """A model as a graph; refused where there is more to it than the format has."""
    arrows = family_of(model.family).arrows
    if arrows is None:
        raise InputError(f"{target} has graphs only; a model of the family {model.family} is none")
    found = arrows(model)
    if found.more:
        raise InputError(f"{target} cannot say that {found.more}")
    return found


def dagitty(model: Any) -> str:
    """Write a graph; the reader of dagitty reads it back."""
    graph = as_graph(model, "dagitty")
    states = graph.states
    lines = []
    for variable in model.variables:
        words = [] if variable.observed else ["latent"]
        words += [f"states={states[variable.name]}"] if states else []
        lines.append(quoted(variable.name) + (f" [{','.join(words)}]" if words else ""))
    lines += [f"{quoted(one)} -> {quoted(other)}" for one, other in model.edges]
    lines += [f"{quoted(one)} <-> {quoted(other)}" for one, other in graph.correlated]
    return "dag {\n" + "".join(f"{line}\n" for line in lines) + "}\n"


def quoted(name: str) -> str:
    """A name as dagitty reads it."""
    return f'"{name}"' if name in DAGITTY_WORDS else name


def bif(given: AnyModel) -> str:
    """Write a discrete network; the reader of BIF reads it back. Its tables are uniform: a model has no probabilities."""
    model = expect(given, Network, "BIF has models of the family discrete only")
    as_graph(model, "BIF")
    states = model.states
    count = sum(prod(states[name] for name in (variable.name, *variable.parents)) for variable in model.variables)
    if count > MOST_VALUES:
        raise LimitError(f"the tables have {count} probabilities; at most {MOST_VALUES} are written")
    pieces = [variable_text(variable) for variable in model.variables]
    names = {variable.name: names_of(variable) for variable in model.variables}
    pieces += [table_text(variable, names) for variable in model.variables]
    return "network unnamed {\n}\n" + "".join(pieces)


def variable_text(variable: Variable) -> str:
    """A variable with its states."""
    names = ", ".join(names_of(variable))
    hidden = "" if variable.observed else "  property hidden = true;\n"
    return f"variable {variable.name} {{\n  type discrete [ {variable.states} ] {{ {names} }};\n{hidden}}}\n"


def names_of(variable: Variable) -> list[str]:
    """What the states are called: as the model's source says, else s0, s1 and so on."""
    if not variable.labels or not all(re.fullmatch(r"[^\"\n\r]+", label) for label in variable.labels):
        return [f"s{state}" for state in range(variable.states)]
    return [label if re.fullmatch(r"[^\s{}()\[\],;|/]+", label) else f'"{label}"' for label in variable.labels]


def table_text(variable: Variable, states: dict[str, list[str]]) -> str:
    """The parents of a variable, and a uniform table."""
    parents = f" | {', '.join(variable.parents)}" if variable.parents else ""
    row = ", ".join(uniform(variable.states))
    if not variable.parents:
        body = f"  table {row};\n"
    else:
        body = "".join(f"  ({', '.join(names)}) {row};\n" for names in rows_of(variable, states))
    return f"probability ( {variable.name}{parents} ) {{\n{body}}}\n"


def rows_of(variable: Variable, states: dict[str, list[str]]) -> Iterable[tuple[str, ...]]:
    """The states of the parents, row by row."""
    yield from product(*(states[parent] for parent in variable.parents))


def uniform(states: int) -> list[str]:
    """Decimals that sum to 1: all but the last rounded."""
    each = round(1 / states, 9)
    return [*([f"{each:.9f}"] * (states - 1)), f"{1 - each * (states - 1):.9f}"]
