"""The family "loglinear" in the notation: interactions in braces.

loglinear: {V1,H}, {V2,H}, {V1,V2}; hidden H; states H=3
loglinear: {A}, {B}, {A,B,H}; hidden H; hierarchical off
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from algdim.families.contract import ModelFile, Notation
from algdim.families.discrete.model import Variable
from algdim.families.loglinear.model import LogLinear
from algdim.models.anymodel import read_variables
from algdim.models.clauses import (
    Clauses,
    add_text_to_errors,
    make_clause_reader,
    make_dialect,
    read_hidden,
    read_list,
    read_off,
    read_states,
)
from algdim.models.tokens import Cursor, make_position_error
from algdim.models.values import check_keys, is_list_of_names, require, require_truth


@dataclass(slots=True)
class InteractionClauses(Clauses):
    """What the clauses of a log-linear model say."""

    interactions: list[tuple[tuple[str, ...], int]] = field(default_factory=list)
    hierarchical_off: int | None = None


def read_interactions(cursor: Cursor, clauses: InteractionClauses) -> None:
    """Read ``{A,B}, {B,C}``."""
    for _ in cursor.items():
        at = cursor.now.at
        if not cursor.skip("{"):
            cursor.fail("an interaction such as {A,B}", "interactions are written in braces: {A,B}, {B,C}")
        names = tuple(token.text for token in read_list(cursor, clauses))
        cursor.require("}", "or ',' within an interaction")
        clauses.interactions.append((names, at))


def read_hierarchical(cursor: Cursor, clauses: InteractionClauses) -> None:
    """Read the rest of ``hierarchical off``."""
    clauses.hierarchical_off = read_off(cursor)


LOGLINEAR = make_dialect(
    "the family loglinear",
    {
        "hidden": read_hidden,
        "states": read_states,
        "hierarchical": read_hierarchical,
    },
    read_interactions,
    InteractionClauses,
)


def build_loglinear(clauses: InteractionClauses) -> LogLinear:
    """Build the model that the clauses describe."""
    states = {name: int(token.text) for name, token in clauses.states.items()}
    if is_unseparated([names for names, _ in clauses.interactions], states):
        name, at = next((names[0], at) for names, at in clauses.interactions if len(names[0]) > 1)
        message = f"{{{name}}} is one variable here; write {{{','.join(name)}}}, or name the variable in 'states {name}=2' as well"
        raise make_position_error(clauses.text, at, message)
    with add_text_to_errors(clauses):
        variables = tuple(Variable(name, states.get(name, 2), name not in clauses.hidden) for name in clauses.names)
        interactions = tuple(names for names, _ in clauses.interactions)
        return LogLinear(variables, interactions, clauses.hierarchical_off is None)


def is_unseparated(interactions: Sequence[Sequence[str]], said: Collection[str]) -> bool:
    """Whether these may be meant as interactions of variables with one letter each, as {AB}, {BC}.

    >>> is_unseparated([["AB"], ["BC"]], ()), is_unseparated([["AGE"], ["RIOT"]], ())
    (True, False)
    """
    names = [names[0] for names in interactions if len(names) == 1]
    distinct = {letter for name in names for letter in name}
    short = len(names) == len(interactions) and all(
        name.isalpha() and len(set(name)) == len(name) <= 3 for name in names
    )
    alike = len({name.isupper() for name in names}) == 1 and len(distinct) < sum(map(len, names))
    return short and alike and not any(name in said for name in names)


def format_loglinear(model: LogLinear) -> str:
    """Print a model.

    >>> format_loglinear(LogLinear((Variable("A"), Variable("H", 3, False)), (("A", "H"),)))
    'loglinear: {A,H}; hidden H; states H=3'
    """
    mentioned = dict.fromkeys(name for interaction in model.interactions for name in interaction)
    in_order = list(mentioned) == [variable.name for variable in model.variables]
    is_short = in_order and not is_unseparated(model.interactions, [v.name for v in model.variables if v.states != 2])
    states = [f"{v.name}={v.states}" for v in model.variables if not is_short or v.states != 2]
    named = f"states {', '.join(states)}" if states else ""
    clauses = [
        "" if in_order else named,
        ", ".join(f"{{{','.join(interaction)}}}" for interaction in model.interactions),
        f"hidden {', '.join(v.name for v in model.hidden)}" if model.hidden else "",
        named if in_order else "",
        "" if model.hierarchical else "hierarchical off",
    ]
    return f"{model.family}: {'; '.join(clause for clause in clauses if clause)}"


NOTATION = Notation(make_clause_reader(LOGLINEAR, lambda clauses, _, __: build_loglinear(clauses)), format_loglinear)


KEYS = ("family", "variables", "interactions", "hierarchical")


def read_dictionary(data: dict[str, Any]) -> LogLinear:
    """Build a model."""
    check_keys(data, KEYS, "the model")
    variables = read_variables(data.get("variables"))
    expected = 'a list of lists of names such as [["A", "H"], ["B", "H"]] is expected'
    given = data.get("interactions")
    given = require(given, isinstance(given, (list, tuple)), "interactions", expected)
    for place, interaction in enumerate(given):
        expected = 'a list of names such as ["A", "H"] is expected'
        require(interaction, is_list_of_names(interaction), f"interactions[{place}]", expected)
    hierarchical = require_truth(data.get("hierarchical", True), "hierarchical")
    return LogLinear(tuple(variables.values()), tuple(tuple(names) for names in given), hierarchical)


def write_dictionary(model: LogLinear) -> dict[str, Any]:
    """Write a model as a dictionary; `read_dictionary` reads it back as an equal record."""
    data: dict[str, Any] = {
        "family": model.family,
        "variables": [{"name": v.name, "states": v.states, "observed": v.observed} for v in model.variables],
        "interactions": [list(interaction) for interaction in model.interactions],
    }
    return data if model.hierarchical else {**data, "hierarchical": False}


FILE = ModelFile(read_dictionary, write_dictionary)
