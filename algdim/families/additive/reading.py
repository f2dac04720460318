"""Sums in the notation: ``poisson: {A,B},{C} -> E; states A=3; leak``, and what is ordered: ``max-normal: …``, ``at-least-normal 2: …``.

Braces hold the parents of a mechanism; a hidden name between them makes it a mixture. Edges without braces are among the
causes, and from causes to hidden names of their mechanism.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from algdim.families.additive.model import (
    AT_LEAST_NORMAL,
    AT_LEAST_POISSON,
    MAX_NORMAL,
    MAX_POISSON,
    Additive,
    make_causes,
)
from algdim.families.contract import ModelFile, Notation
from algdim.families.discrete.clauses import build_discrete, format_states
from algdim.families.discrete.file import read_dictionary as read_network
from algdim.families.discrete.file import write_dictionary as write_network
from algdim.families.discrete.mechanismnotation import MechanismClauses, read_causes, read_leak
from algdim.models.clauses import (
    Clauses,
    add_text_to_errors,
    make_clause_reader,
    make_dialect,
    parse_clauses,
    read_hidden,
    read_states,
)
from algdim.models.tokens import Cursor, make_position_error
from algdim.models.values import check_keys, is_list_of_lists, require


def refuse_function(cursor: Cursor, clauses: Clauses) -> None:
    """Refuse another function than the family's, with what is nearest."""
    del clauses
    cursor.index -= 1
    example = NEAREST[cursor.now.text]
    cursor.fail(
        "a clause of this family",
        "the effect is the sum of its mechanism variables, or their maximum in the families max-poisson and max-normal, or the n-th largest "
        f"in at-least-poisson and at-least-normal; other functions are available of variables with finitely many states: group the values, and write '{example}'",
    )


NEAREST = {"max": "max: {A},{B} -> E; states E=10", "at-least": "at-least 2: {A},{B},{C} -> E"}
"""What comes nearest to functions that are no sums."""

ADDITIVE = make_dialect(
    "the families poisson, normal, max-poisson, max-normal, at-least-poisson and at-least-normal",
    {
        "hidden": read_hidden,
        "states": read_states,
        "leak": read_leak,
        **dict.fromkeys(NEAREST, refuse_function),
    },
    read_causes,
    MechanismClauses,
)


def build_additive(family: str, clauses: MechanismClauses, argument: str = "") -> Additive:
    """Build the model that the clauses describe; the argument is the number of mechanism variables that are at least the effect."""
    least = read_least(clauses, argument)
    if len(clauses.mechanisms) != 1:
        at = list(clauses.effects.values())[1] if clauses.mechanisms else len(clauses.text.rstrip())
        message = f"one effect is expected; {family} has a clause such as {{A,B}},{{C}} -> E"
        if clauses.mechanisms:
            message += (
                "; given observed causes several effects are independent: write a model for each, and add the dimensions, "
                "with the causes' tables counted once"
            )
        raise make_position_error(clauses.text, at, message)
    ((effect, braces),) = clauses.mechanisms.items()
    mechanisms = [tuple(token.text for token in tokens) for tokens in braces]
    if clauses.leak is not None:
        if () in mechanisms:
            raise make_position_error(
                clauses.text, clauses.leak, f"{effect} has a leak already, written {{}}; once is allowed"
            )
        mechanisms.append(())
    for (parent, child), at in clauses.edges.items():
        if effect in (parent, child):
            message = f"the edge {parent} -> {child}: only its mechanisms, in braces, point at {effect}"
            if parent == effect:
                message = (
                    f"the edge {parent} -> {child}: {effect} has infinitely many values, and a table has a row for each; group "
                    f"them ('sum:' or 'max:' with 'states {effect}.1=3'), or give {child} from {effect} by a model of its own"
                )
            raise make_position_error(clauses.text, at, message)
    for where in (clauses.states, clauses.hidden):
        if effect in where:
            raise make_position_error(
                clauses.text,
                clauses.effects[effect],
                f"{effect} is {SAID.get(family, 'a sum')}: it has no number of states and is observed",
            )
    names = {name: at for name, at in clauses.names.items() if name != effect}
    rest = replace(clauses, names=names, introduced=clauses.introduced - {effect}, leak=None, mechanisms={}, effects={})
    if not names:
        raise make_position_error(
            clauses.text, clauses.effects[effect], f"{effect} has no cause; at least one is needed"
        )
    with add_text_to_errors(clauses):
        return Additive(family, build_discrete(rest, of=make_causes), effect, tuple(mechanisms), least)


SAID = {
    **dict.fromkeys((MAX_POISSON, MAX_NORMAL), "a maximum"),
    **dict.fromkeys((AT_LEAST_POISSON, AT_LEAST_NORMAL), "one of its mechanism variables"),
}


def read_least(clauses: MechanismClauses, argument: str) -> int:
    """The number behind the family word; 0 if there is none."""
    if argument and not (argument.isdecimal() and len(argument) < 8):
        raise make_position_error(clauses.text, 0, f"{argument[:20]}: a number of mechanism variables is expected")
    return int(argument or 0)


def format_additive(model: Additive) -> str:
    """Print a model; `parse` reads it back as an equal record."""
    variables = model.network.variables
    braces = f"{','.join(f'{{{chr(44).join(parents)}}}' for parents in model.mechanisms)} -> {model.effect}"
    edges = [f"{', '.join(variable.parents)} -> {variable.name}" for variable in variables if variable.parents]
    hidden = [f"hidden {', '.join(model.hidden)}"] if model.hidden else []
    mentioned = {name for parents in model.mechanisms for name in parents} | {
        name for edge in model.network.edges for name in edge
    }
    some = {v.name: v.states for v in variables if v.states != 2 or v.name not in mentioned}
    short = [braces, *edges, *hidden, *([format_states(some)] if some else [])]
    long = [format_states({v.name: v.states for v in variables}), braces, *edges, *hidden]
    word = f"{model.family} {model.least}" if model.least else model.family
    texts = [f"{word}: {'; '.join(clauses)}" for clauses in (short, long)]
    return next((text for text in texts if is_text_of_model(text, model)), texts[-1])


def is_text_of_model(text: str, model: Additive) -> bool:
    """Whether a text is read as this model."""
    argument = str(model.least or "")
    return build_additive(model.family, parse_clauses(text, text.index(":") + 1, ADDITIVE), argument) == model


NOTATION = Notation(
    make_clause_reader(ADDITIVE, lambda clauses, word, argument: build_additive(word, clauses, argument)),
    format_additive,
)


KEYS = ("family", "variables", "edges", "effect", "mechanisms", "least")


def read_dictionary(data: dict[str, Any]) -> Additive:
    """Build an additive model: a discrete network of causes, and mechanisms."""
    network = read_network({key: value for key, value in data.items() if key in ("variables", "edges")}, make_causes)
    check_keys(data, KEYS, "the model")
    effect, mechanisms = data.get("effect"), data.get("mechanisms")
    effect = require(effect, isinstance(effect, str), "effect", "a name is expected")
    expected = 'lists of names such as [["A", "B"], ["C"], []] are expected'
    mechanisms = require(mechanisms, is_list_of_lists(mechanisms), "mechanisms", expected)
    least = data.get("least", 0)
    least = require(least, isinstance(least, int) and not isinstance(least, bool), "least", "an integer is expected")
    return Additive(data["family"], network, effect, tuple(tuple(parents) for parents in mechanisms), least)


def write_dictionary(model: Additive) -> dict[str, Any]:
    """Write an additive model."""
    return {
        "family": model.family,
        **{key: value for key, value in write_network(model.network).items() if key in ("variables", "edges")},
        "effect": model.effect,
        "mechanisms": [list(parents) for parents in model.mechanisms],
        **({"least": model.least} if model.least else {}),
    }


FILE = ModelFile(read_dictionary, write_dictionary)
