"""The family "loglinear" in the notation: interactions in braces.

loglinear: {V1,H}, {V2,H}, {V1,V2}; hidden H; states H=3
loglinear: {A}, {B}, {A,B,H}; hidden H; hierarchical off
"""

from __future__ import annotations

from typing import Any

from algdim.errors import InputError
from algdim.families.contract import ModelFile, Notation
from algdim.families.discrete.model import Variable
from algdim.families.loglinear.model import LogLinear
from algdim.models.anymodel import read_variables
from algdim.models.clauses import Clauses, dialect_of, naming_text, of_clauses, read_hidden, read_list, read_states
from algdim.models.tokens import Cursor
from algdim.models.values import check_keys, shown


def read_interactions(cursor: Cursor, clauses: Clauses) -> None:
    """Read ``{A,B}, {B,C}``."""
    for _ in cursor.items():
        at = cursor.now.at
        if not cursor.skip("{"):
            cursor.fail("an interaction such as {A,B}", "interactions stand in braces: {A,B}, {B,C}")
        names = tuple(token.text for token in read_list(cursor, clauses))
        cursor.need("}", "or ',' within an interaction")
        clauses.interactions.append((names, at))


def read_hierarchical(cursor: Cursor, clauses: Clauses) -> None:
    """Read the rest of ``hierarchical off``."""
    clauses.hierarchical_off = cursor.last.at
    if cursor.now.text != "off":
        cursor.fail("'off' after 'hierarchical'")
    cursor.index += 1


LOGLINEAR = dialect_of(
    "loglinear",
    {
        "hidden": read_hidden,
        "states": read_states,
        "hierarchical": read_hierarchical,
    },
    read_interactions,
)


def loglinear(clauses: Clauses) -> LogLinear:
    """Build the model that the clauses describe."""
    states = {name: int(token.text) for name, token in clauses.states.items()}
    with naming_text(clauses):
        variables = tuple(Variable(name, states.get(name, 2), name not in clauses.hidden) for name in clauses.names)
        interactions = tuple(names for names, _ in clauses.interactions)
        return LogLinear(variables, interactions, clauses.hierarchical_off is None)


def loglinear_text(model: LogLinear) -> str:
    """Print a model.

    >>> loglinear_text(LogLinear((Variable("A"), Variable("H", 3, False)), (("A", "H"),)))
    'loglinear: {A,H}; hidden H; states H=3'
    """
    mentioned = dict.fromkeys(name for interaction in model.interactions for name in interaction)
    in_order = list(mentioned) == [variable.name for variable in model.variables]
    states = [f"{v.name}={v.states}" for v in model.variables if not in_order or v.states != 2]
    named = f"states {', '.join(states)}" if states else ""
    clauses = [
        "" if in_order else named,
        ", ".join(f"{{{','.join(interaction)}}}" for interaction in model.interactions),
        f"hidden {', '.join(v.name for v in model.hidden)}" if model.hidden else "",
        named if in_order else "",
        "" if model.hierarchical else "hierarchical off",
    ]
    return f"{model.family}: {'; '.join(clause for clause in clauses if clause)}"


NOTATION = Notation(of_clauses(LOGLINEAR, lambda clauses, _, __: loglinear(clauses)), loglinear_text)


KEYS = ("family", "variables", "interactions", "hierarchical")


def from_dictionary(data: dict[str, Any]) -> LogLinear:
    """Build a model."""
    check_keys(data, KEYS, "the model")
    variables = read_variables(data.get("variables"))
    given = data.get("interactions")
    if not isinstance(given, (list, tuple)):
        what = "is missing" if given is None else f"is {shown(given)}"
        raise InputError(f'interactions {what}; a list of lists of names such as [["A", "H"], ["B", "H"]] is expected')
    for place, interaction in enumerate(given):
        if not isinstance(interaction, (list, tuple)) or not all(isinstance(name, str) for name in interaction):
            raise InputError(
                f'interactions[{place}] is {shown(interaction)}; a list of names such as ["A", "H"] is expected'
            )
    hierarchical = data.get("hierarchical", True)
    if not isinstance(hierarchical, bool):
        raise InputError(f"hierarchical is {shown(hierarchical)}; true or false is allowed")
    return LogLinear(tuple(variables.values()), tuple(tuple(names) for names in given), hierarchical)


def to_dictionary(model: LogLinear) -> dict[str, Any]:
    """Write a model as a dictionary; `from_dictionary` reads it back as an equal record."""
    data: dict[str, Any] = {
        "family": model.family,
        "variables": [{"name": v.name, "states": v.states, "observed": v.observed} for v in model.variables],
        "interactions": [list(interaction) for interaction in model.interactions],
    }
    return data if model.hierarchical else {**data, "hierarchical": False}


FILE = ModelFile(from_dictionary, to_dictionary)
