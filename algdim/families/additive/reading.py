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
    if not clauses.mechanisms:
        at, message = (
            len(clauses.text.rstrip()),
            f"an effect is expected; {family} has a clause such as {{A,B}},{{C}} -> E",
        )
        raise make_position_error(clauses.text, at, message)
    mechanisms: list[tuple[str, ...]] = []
    owners: list[int] = []
    for number, (effect, braces) in enumerate(clauses.mechanisms.items()):
        own = [tuple(token.text for token in tokens) for tokens in braces]
        if clauses.leak is not None:
            if () in own:
                raise make_position_error(
                    clauses.text, clauses.leak, f"{effect} has a leak already, written {{}}; once is allowed"
                )
            own.append(())
        check_effect(family, effect, clauses)
        mechanisms += own
        owners += [number] * len(own)
    effects = tuple(clauses.mechanisms)
    names = {name: at for name, at in clauses.names.items() if name not in effects}
    introduced = clauses.introduced - {*effects}
    rest = replace(clauses, names=names, introduced=introduced, leak=None, mechanisms={}, effects={})
    if not names:
        raise make_position_error(
            clauses.text, clauses.effects[effects[0]], f"{effects[0]} has no cause; at least one is needed"
        )
    effect_of_mechanism = tuple(owners) if len(effects) > 1 else ()
    with add_text_to_errors(clauses):
        return Additive(
            family, build_discrete(rest, of=make_causes), effects, tuple(mechanisms), least, effect_of_mechanism
        )


def check_effect(family: str, effect: str, clauses: MechanismClauses) -> None:
    """Raise if an effect has edges, or is called a cause, hidden, or a variable with states."""
    inside = [token for braces in clauses.mechanisms.values() for one in braces for token in one]
    found = next((token for token in inside if token.text == effect), None)
    if found is not None:
        message = (
            f"{effect} is an effect and stands between braces: as a cause it would have infinitely many states; if it is added to another "
            "effect, their difference is an effect without it, and shows as much"
        )
        raise make_position_error(clauses.text, found.at, message)
    for (parent, child), at in clauses.edges.items():
        if effect in (parent, child):
            message = f"the edge {parent} -> {child}: only its mechanisms, in braces, point at {effect}"
            if parent == effect:
                message = (
                    f"the edge {parent} -> {child}: {effect} has infinitely many values, and a table has a row for each; group them ('sum:' or "
                    f"'max:' with 'states {effect}.1=3'), or give {child} from {effect} by a model of its own: {effect} is observed, so that "
                    "all parameters of that model count, if it has no hidden variables"
                )
            raise make_position_error(clauses.text, at, message)
    for where in (clauses.states, clauses.hidden):
        if effect in where:
            raise make_position_error(
                clauses.text,
                clauses.effects[effect],
                f"{effect} is {SAID.get(family, 'a sum')}: it has no number of states and is observed",
            )


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
    braces = [
        f"{','.join(f'{{{chr(44).join(parents)}}}' for parents in model.list_mechanisms(number))} -> {effect}"
        for number, effect in enumerate(model.effects)
    ]
    edges = [f"{', '.join(variable.parents)} -> {variable.name}" for variable in variables if variable.parents]
    hidden = [f"hidden {', '.join(model.hidden)}"] if model.hidden else []
    mentioned = {name for parents in model.mechanisms for name in parents} | {
        name for edge in model.network.edges for name in edge
    }
    some = {v.name: v.states for v in variables if v.states != 2 or v.name not in mentioned}
    short = [*braces, *edges, *hidden, *([format_states(some)] if some else [])]
    long = [format_states({v.name: v.states for v in variables}), *braces, *edges, *hidden]
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


KEYS = ("family", "variables", "edges", "effect", "mechanisms", "effects", "least")
SEVERAL = ("name", "mechanisms")


def read_dictionary(data: dict[str, Any]) -> Additive:
    """Build an additive model: a discrete network of causes, and mechanisms."""
    network = read_network({key: value for key, value in data.items() if key in ("variables", "edges")}, make_causes)
    check_keys(data, KEYS, "the model")
    effects, effect_of_mechanism = read_effects(data)
    mechanisms = [one for _, own in effects for one in own]
    least = data.get("least", 0)
    least = require(least, isinstance(least, int) and not isinstance(least, bool), "least", "an integer is expected")
    names = tuple(name for name, _ in effects)
    return Additive(
        data["family"], network, names, tuple(tuple(parents) for parents in mechanisms), least, effect_of_mechanism
    )


def read_effects(data: dict[str, Any]) -> tuple[list[tuple[str, list[list[str]]]], tuple[int, ...]]:
    """The effects with their mechanisms, and the number of the effect of each mechanism if there are several."""
    several = data.get("effects")
    if several is None:
        return [read_effect(data, "effect", "")], ()
    expected = 'a list such as [{"name": "E", "mechanisms": [["A"]]}] is expected'
    is_list = isinstance(several, list) and len(several) > 0 and all(isinstance(one, dict) for one in several)
    require(several, is_list, "effects", expected)
    require(
        data.get("effect", data.get("mechanisms")), not {"effect", "mechanisms"} & {*data}, "effect", "effects has it"
    )
    for one in several:
        check_keys(one, SEVERAL, "an effect")
    found = [read_effect(one, "name", "an effect: ") for one in several]
    return found, tuple(number for number, (_, own) in enumerate(found) for _ in own) if len(found) > 1 else ()


def read_effect(data: dict[str, Any], key: str, place: str) -> tuple[str, list[list[str]]]:
    """An effect and its mechanisms."""
    name, mechanisms = data.get(key), data.get("mechanisms")
    name = require(name, isinstance(name, str), f"{place}{key}", "a name is expected")
    expected = 'lists of names such as [["A", "B"], ["C"], []] are expected'
    return name, require(mechanisms, is_list_of_lists(mechanisms), f"{place}mechanisms", expected)


def write_effects(model: Additive) -> dict[str, Any]:
    """The effects with their mechanisms."""
    lists = [
        (effect, [list(parents) for parents in model.list_mechanisms(number)])
        for number, effect in enumerate(model.effects)
    ]
    if len(lists) == 1:
        ((effect, mechanisms),) = lists
        return {"effect": effect, "mechanisms": mechanisms}
    return {"effects": [{"name": effect, "mechanisms": mechanisms} for effect, mechanisms in lists]}


def write_dictionary(model: Additive) -> dict[str, Any]:
    """Write an additive model."""
    return {
        "family": model.family,
        **{key: value for key, value in write_network(model.network).items() if key in ("variables", "edges")},
        **write_effects(model),
        **({"least": model.least} if model.least else {}),
    }


FILE = ModelFile(read_dictionary, write_dictionary)
