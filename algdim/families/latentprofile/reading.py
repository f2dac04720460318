"""The family "latent-profile" in the notation: what clauses mean for it, and how a model is printed.

    latent-profile: H -> X1, X2, C; hidden H; states H=3, C=2; covariances full, equal; moments 4

Items with `states` are categorical, the others continuous. Without `covariances` every class has a diagonal matrix of its
own; without `moments` the order is found.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from algdim.errors import InputError
from algdim.families.contract import ModelFile, Notation
from algdim.families.latentprofile.model import MOST_ORDER, LatentProfile, ProfileVariable
from algdim.models.clauses import (
    COLON,
    Clauses,
    add_text_to_errors,
    describe_meant_clause,
    make_clause_reader,
    make_dialect,
    read_arrows,
    read_hidden,
    read_list,
    read_states,
)
from algdim.models.tokens import Cursor, make_position_error
from algdim.models.values import check_keys, format_given_value, read_listed_variables, require_mapping, require_truth

OPTIONS = {"diagonal": ("full", False), "full": ("full", True), "own": ("equal", False), "equal": ("equal", True)}
"""What can stand after `covariances`: the field of the record that a word sets, and its value."""


def read_edges(cursor: Cursor, clauses: Clauses) -> None:
    """Read ``H -> LIST``."""
    left = read_list(cursor, clauses)
    if not cursor.meets("->", "<-", "<->"):
        hint = describe_meant_clause(left[0].text) if len(left) == 1 and cursor.now.kind == "name" else ""
        cursor.fail("an arrow ('->' or '<-') or ','", COLON if cursor.meets(":") else hint)
    read_arrows(cursor, clauses, left)


@dataclass(slots=True)
class ProfileClauses(Clauses):
    """What the clauses of a latent-profile model say."""

    covariances: dict[str, bool] = field(default_factory=dict)  # full, equal
    moments: int | None = None


def read_covariances(cursor: Cursor, clauses: ProfileClauses) -> None:
    """Read the rest of ``covariances full, equal``."""
    for _ in cursor.items():
        token = cursor.now
        if token.text not in OPTIONS:
            cursor.fail("diagonal or full, own or equal")
        field, value = OPTIONS[token.text]
        if field in clauses.covariances:
            raise make_position_error(clauses.text, token.at, f"{token.text}: this is given twice; give it once")
        clauses.covariances[field] = value
        cursor.index += 1


def read_moments(cursor: Cursor, clauses: ProfileClauses) -> None:
    """Read the rest of ``moments 4``."""
    token = cursor.now
    if clauses.moments is not None:
        raise make_position_error(clauses.text, token.at, "the order of the moments is given already; give it once")
    clauses.moments = cursor.number("the order of the moments", 1, MOST_ORDER)


LATENT_PROFILE = make_dialect(
    "the family latent-profile",
    {
        "hidden": read_hidden,
        "states": read_states,
        "covariances": read_covariances,
        "moments": read_moments,
    },
    read_edges,
    ProfileClauses,
)


def build_latent_profile(clauses: ProfileClauses) -> LatentProfile:
    """Build the model that the clauses describe."""
    for (one, other), at in clauses.bidirected.items():
        message = f"the edge {one} <-> {other} belongs to the family gaussian; write 'covariances full'"
        raise make_position_error(clauses.text, at, message)
    if len(clauses.hidden) != 1:
        at = list(clauses.hidden.values())[1] if clauses.hidden else len(clauses.text.rstrip())
        raise make_position_error(clauses.text, at, "one hidden variable, the class, is expected: hidden H")
    (label,) = clauses.hidden
    for name, at in clauses.names.items():
        if name != label and (label, name) not in clauses.edges:
            raise make_position_error(clauses.text, at, f"{name} is no item of {label}; write {label} -> {name}")
    for (parent, child), at in clauses.edges.items():
        if parent != label:
            message = f"the edge {parent} -> {child}: only the class {label} has edges, {label} -> …"
            raise make_position_error(clauses.text, at, message)
    states = {name: int(token.text) for name, token in clauses.states.items()}
    items = tuple(ProfileVariable(child, states.get(child)) for _, child in clauses.edges)
    with add_text_to_errors(clauses):
        return LatentProfile(label, states.get(label, 2), items, order=clauses.moments, **clauses.covariances)


def format_latent_profile(model: LatentProfile) -> str:
    """Print a model.

    >>> format_latent_profile(LatentProfile("H", 3, (ProfileVariable("X"), ProfileVariable("C", 2)), equal=True))
    'latent-profile: H -> X, C; hidden H; states H=3, C=2; covariances equal'
    """
    items = ", ".join(item.name for item in model.items)
    states = [f"{variable.name}={variable.states}" for variable in model.variables if variable.states is not None]
    if states[0] == f"{model.label}=2":
        states = states[1:]
    chosen = [word for word, said in (("full", model.full), ("equal", model.equal)) if said]
    clauses = [
        f"{model.label} -> {items}",
        f"hidden {model.label}",
        f"states {', '.join(states)}" if states else "",
        f"covariances {', '.join(chosen)}" if chosen else "",
        f"moments {model.order}" if model.order is not None else "",
    ]
    return f"{model.family}: {'; '.join(clause for clause in clauses if clause)}"


NOTATION = Notation(
    make_clause_reader(LATENT_PROFILE, lambda clauses, _, __: build_latent_profile(clauses)), format_latent_profile
)


KEYS = ("family", "variables", "covariances", "moments")
VARIABLE_KEYS = ("name", "states", "observed")
COVARIANCE_KEYS = ("full", "equal")


def read_dictionary(data: dict[str, Any]) -> LatentProfile:
    """Build a model."""
    check_keys(data, KEYS, "the model")
    variables = tuple(read_variables(data.get("variables")))
    hidden = [variable for variable in variables if not variable.observed]
    if len(hidden) != 1:
        raise InputError(
            f'variables: {len(hidden)} are hidden; exactly one, the class, is expected: {{"name": "H", "states": 3, "observed": false}}'
        )
    matrices = require_mapping(data.get("covariances", {}), "covariances")
    check_keys(matrices, COVARIANCE_KEYS, "covariances")
    for key, value in matrices.items():
        require_truth(value, f"covariances.{key}")
    items = tuple(variable for variable in variables if variable.observed)
    label, classes = hidden[0].name, hidden[0].states
    return LatentProfile(label, 2 if classes is None else classes, items, order=data.get("moments"), **matrices)


def read_variables(data: object) -> Iterator[ProfileVariable]:
    """Read the list of variables."""
    for place, name, observed, entry in read_listed_variables(data, VARIABLE_KEYS, '{"name": "X1"}'):
        states = entry.get("states")
        if "states" in entry and (not isinstance(states, int) or isinstance(states, bool)):
            raise InputError(
                f"{place}.states is {format_given_value(states)}; an integer is allowed, or none for a continuous item"
            )
        yield ProfileVariable(name, states, observed)


def write_dictionary(model: LatentProfile) -> dict[str, Any]:
    """Write a model as a dictionary; `read_dictionary` reads it back as an equal record."""
    data: dict[str, Any] = {"family": model.family, "variables": []}
    for variable in model.variables:
        states = {} if variable.states is None else {"states": variable.states}
        data["variables"].append({"name": variable.name, **states, "observed": variable.observed})
    matrices = {key: True for key, said in (("full", model.full), ("equal", model.equal)) if said}
    if matrices:
        data["covariances"] = matrices
    if model.order is not None:
        data["moments"] = model.order
    return data


FILE = ModelFile(read_dictionary, write_dictionary)
