"""The family "conditional-gaussian" in the notation and in the model file.

    conditional-gaussian: H -> F, X1..X4; F -> X1..X4; hidden H, F; states H=2; common variances, b(F->X1); fix v(F)=1

Variables with `states` are discrete, the others Gaussian.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from itertools import groupby
from typing import Any

from algdim.errors import InputError
from algdim.families.conditionalgaussian.model import ConditionalGaussian, MixedVariable
from algdim.families.contract import ModelFile, Notation
from algdim.families.gaussian.model import Entry, format_entry
from algdim.families.gaussian.reading import (
    ARROWS,
    NumberName,
    format_shortest_edges,
    parse_entry,
    read_edges_or_names,
    read_number_name,
    write_ties,
)
from algdim.models.clauses import (
    Clauses,
    add_text_to_errors,
    make_clause_reader,
    make_dialect,
    make_equal_reader,
    make_fix_reader,
    read_hidden,
    read_states,
)
from algdim.models.tokens import Cursor, make_position_error
from algdim.models.values import (
    check_keys,
    format_fraction,
    format_given_value,
    is_list_of_names,
    read_listed_variables,
    read_pairs,
    read_signed,
    read_signed_value,
    require,
    require_mapping,
)

KIND_WORDS = {"variances": "v", "coefficients": "b", "intercepts": "m"}
"""What can stand after `common` for all entries of a kind that are not fixed."""


@dataclass(slots=True)
class MixedClauses(Clauses):
    """What the clauses say."""

    common: list[NumberName] = field(default_factory=list)
    fixed: list[tuple[NumberName, Fraction]] = field(default_factory=list)
    equal: list[tuple[NumberName, str]] = field(default_factory=list)


def read_common(cursor: Cursor, clauses: MixedClauses) -> None:
    """Read the rest of ``common variances, b(F->X)``."""
    for _ in cursor.items():
        token = cursor.now
        if token.text in KIND_WORDS and cursor.next.text != "(":
            cursor.index += 1
            clauses.common.append(NumberName((KIND_WORDS[token.text],), token.at))
        elif token.text in ARROWS and cursor.next.text == "(":
            clauses.common.append(read_number_name(cursor, clauses.names))
        else:
            cursor.fail("variances, coefficients, intercepts, or a number such as v(X), b(F->X) or m(X)")


DIALECT = make_dialect(
    "the family conditional-gaussian",
    {
        "hidden": read_hidden,
        "states": read_states,
        "common": read_common,
        "fix": make_fix_reader(read_number_name, read_signed),
        "equal": make_equal_reader(read_number_name, "numbers"),
    },
    read_edges_or_names,
    MixedClauses,
)


def list_of_kind(model: ConditionalGaussian, kind: str) -> list[Entry]:
    """The entries of a kind that are not fixed."""
    fixed = model.values
    return [entry for entry in model.entries if entry[0] == kind and entry not in fixed]


def build_mixed(clauses: MixedClauses) -> ConditionalGaussian:
    """Build the model that the clauses describe."""
    for (one, other), at in clauses.bidirected.items():
        raise make_position_error(
            clauses.text,
            at,
            f"the edge {one} <-> {other} belongs to the family gaussian; write {one} -> {other}, or a hidden parent of both",
        )
    for name, at in clauses.names.items():
        if name not in clauses.introduced:
            raise make_position_error(
                clauses.text, at, f"{name} has no edge and no states; write {name} in an edge, or in a list of names"
            )
    variables = tuple(
        MixedVariable(
            name, int(clauses.states[name].text) if name in clauses.states else None, name not in clauses.hidden
        )
        for name in clauses.names
    )
    with add_text_to_errors(clauses):
        model = ConditionalGaussian(
            variables,
            tuple(clauses.edges),
            fixed=tuple((name.entry, value) for name, value in clauses.fixed),
        )
        return add_ties(
            model, [name.entry for name in clauses.common], [(name.entry, label) for name, label in clauses.equal]
        )


def add_ties(model: ConditionalGaussian, common: list[Entry], equal: list[tuple[Entry, str]]) -> ConditionalGaussian:
    """The model with entries that are common, a kind alone standing for all of it, or equal."""
    listed = {entry: None for one in common for entry in (list_of_kind(model, *one) if len(one) == 1 else [one])}
    return ConditionalGaussian(model.variables, model.edges, tuple(listed), model.fixed, tuple(equal))


def format_common(model: ConditionalGaussian) -> list[str]:
    """What is common, whole kinds by their words."""
    whole = {
        kind: word
        for word, kind in KIND_WORDS.items()
        if 1 < len(every := list_of_kind(model, kind)) and {*every} <= {*model.common}
    }
    return [*whole.values(), *(format_entry(entry) for entry in model.common if entry[0] not in whole)]


def format_mixed(model: ConditionalGaussian) -> str:
    """Print a model.

    >>> X = MixedVariable
    >>> edges = (("H", "X"), ("H", "Y"), ("X", "Y"))
    >>> format_mixed(ConditionalGaussian((X("H", 3, False), X("X"), X("Y")), edges, (("v", "X"), ("v", "Y"))))
    'conditional-gaussian: H -> X, Y; X -> Y; hidden H; states H=3; common variances'
    """
    clauses = format_shortest_edges([one.name for one in model.variables], model.edges)
    hidden = [one.name for one in model.hidden]
    states = [f"{name}={count}" for name, count in model.states.items()]
    clauses += [f"hidden {', '.join(hidden)}"] if hidden else []
    clauses += [f"states {', '.join(states)}"] if states else []
    clauses += [f"common {', '.join(format_common(model))}"] if model.common else []
    if model.fixed:
        clauses.append(
            f"fix {', '.join(f'{format_entry(entry)}={format_fraction(value)}' for entry, value in model.fixed)}"
        )
    for label, run in groupby(model.equal, key=lambda pair: pair[1]):
        clauses.append(f"equal {label} = {', '.join(format_entry(entry) for entry, _ in run)}")
    return f"{model.family}: {'; '.join(clauses)}"


NOTATION = Notation(make_clause_reader(DIALECT, lambda clauses, _, __: build_mixed(clauses)), format_mixed)

KEYS = ("family", "variables", "edges", "common", "fixed", "equal")
VARIABLE_KEYS = ("name", "states", "observed")


def read_dictionary(data: dict[str, Any]) -> ConditionalGaussian:
    """Build a model from a model file."""
    check_keys(data, KEYS, "the model")
    variables = []
    for place, name, observed, entry in read_listed_variables(data.get("variables"), VARIABLE_KEYS, '{"name": "X1"}'):
        states = entry.get("states")
        if "states" in entry and (not isinstance(states, int) or isinstance(states, bool)):
            raise InputError(
                f"{place}.states is {format_given_value(states)}; an integer is allowed, or none for a Gaussian variable"
            )
        variables.append(MixedVariable(name, states, observed))
    common, fixed, equal = (
        data.get("common", []),
        require_mapping(data.get("fixed", {}), "fixed"),
        require_mapping(data.get("equal", {}), "equal"),
    )
    require(common, is_list_of_names(common), "common", 'a list such as ["variances", "b(F->X)"] is expected')
    for key, label in equal.items():
        require(label, isinstance(label, str), f"equal[{key[:80]!r}]", "a name for the equal numbers is expected")
    model = ConditionalGaussian(
        tuple(variables),
        read_pairs(data.get("edges", []), "edges"),
        fixed=tuple(
            (read_key(key, "fixed"), read_signed_value(value, f"fixed[{key[:80]!r}]")) for key, value in fixed.items()
        ),
    )
    listed = [(KIND_WORDS[one],) if one in KIND_WORDS else read_key(one, "common") for one in common]
    return add_ties(model, listed, [(read_key(key, "equal"), label) for key, label in equal.items()])


def read_key(key: str, section: str) -> Entry:
    """Read the name of an entry."""
    try:
        return parse_entry(key)
    except InputError as error:
        raise InputError(f"{section}[{key[:80]!r}]: {error}") from None


def list_variables_and_edges(model: ConditionalGaussian) -> dict[str, Any]:
    """What a model file and a certificate have in common."""
    return {
        "family": model.family,
        "variables": [
            {"name": one.name, **({} if one.states is None else {"states": one.states}), "observed": one.observed}
            for one in model.variables
        ],
        "edges": [list(edge) for edge in model.edges],
    }


def write_dictionary(model: ConditionalGaussian) -> dict[str, Any]:
    """Write a model as a dictionary; `read_dictionary` reads it back as an equal record."""
    data = list_variables_and_edges(model)
    if model.common:
        data["common"] = format_common(model)
    return data | write_ties(model.fixed, model.equal)


FILE = ModelFile(read_dictionary, write_dictionary)
