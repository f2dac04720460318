"""Changes of a model that a hand can make: other states, observed or not, shared tables, a number fixed, less of it.

Each gives the dictionary of a model file, which its family reads: whether it is a model, the family decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from algdim.errors import InputError, describe_closest_word, join_names
from algdim.families import load_model_file
from algdim.figures import format_count
from algdim.maps import COEFFICIENT, PROBABILITY, VARIANCE, map_of
from algdim.models.anymodel import AnyModel, convert_model_to_dictionary
from algdim.studio.renaming import WORD

Drawing = dict[str, Any]

MOST_STATES = 8
"""Of a hidden variable on the slider, or as many as it has and one more."""


@dataclass(frozen=True, slots=True)
class ModelChange:
    """What is changed, in words; the kind of change; the model afterwards; of a number of states which, and whether it is so now."""

    label: str
    kind: str
    drawing: Drawing
    states: int | None = None
    now: bool = False


def list_changes(model: AnyModel, names: Sequence[str]) -> list[ModelChange]:
    """The changes at a variable, or at several that are alike.

    >>> from algdim.models.notation import parse
    >>> [one.label for one in list_changes(parse("2:2,2"), ["X1"])]
    ['make X1 latent', 'one table for X1, X2', 'without X1']
    """
    drawing = convert_model_to_dictionary(model)
    variables = {one["name"]: one for one in drawing.get("variables", ())}
    unknown = next((name for name in names if name not in variables), None)
    if unknown is not None or not names:
        close = describe_closest_word(str(unknown), variables)
        raise InputError(f"there is no variable {str(unknown)[:60]!r}{close}; known are {join_names(variables)}")
    first = variables[names[0]]
    return [
        *list_state_changes(drawing, names, first),
        turn_variables(drawing, names, observed=not first["observed"]),
        *list_shares(drawing, variables, names[0]),
        *remove_variables(drawing, names),
    ]


def describe_names(names: Sequence[str]) -> str:
    """One name, or the first and the last of many."""
    return names[0] if len(names) == 1 else f"{names[0]} … {names[-1]}"


def list_state_changes(drawing: Drawing, names: Sequence[str], variable: dict[str, Any]) -> list[ModelChange]:
    """The numbers of states of a hidden variable, for a slider."""
    states = variable.get("states")
    if variable["observed"] or states is None:
        return []
    found = []
    for count in range(1, max(MOST_STATES, min(states + 1, 2 * MOST_STATES)) + 1):
        changed = deepcopy(drawing)
        for one in changed["variables"]:
            if one["name"] in names:
                one["states"] = count
                one.pop("labels", None)
        label = f"{describe_names(names)} with {format_count(count, 'state')}"
        found.append(ModelChange(label, "states", changed, count, count == states))
    return found


def turn_variables(drawing: Drawing, names: Sequence[str], *, observed: bool) -> ModelChange:
    """Observed in place of latent, or the other way round."""
    changed = deepcopy(drawing)
    for one in changed["variables"]:
        if one["name"] in names:
            one["observed"] = observed
            if observed and one.get("states") == 1:
                one["states"] = 2
    return ModelChange(f"make {describe_names(names)} {'observed' if observed else 'latent'}", "observed", changed)


def remove_variables(drawing: Drawing, names: Sequence[str]) -> list[ModelChange]:
    """The model without them, where nothing but edges and arcs is said of them."""
    rest = [value for key, value in drawing.items() if key not in {"family", "variables", "edges", "bidirected"}]
    if {*names} & {*WORD.findall(repr(rest))} or len(names) == len(drawing["variables"]):
        return []
    changed = deepcopy(drawing)
    changed["variables"] = [one for one in changed["variables"] if one["name"] not in names]
    for key in {"edges", "bidirected"} & drawing.keys():
        changed[key] = [pair for pair in changed[key] if not {*pair} & {*names}]
    return [ModelChange(f"without {describe_names(names)}", "without", changed)]


def list_link_changes(model: AnyModel, pairs: Sequence[Sequence[str]], key: str) -> list[ModelChange]:
    """Without an arrow, or with it turned round; without an arc.

    >>> from algdim.models.notation import parse
    >>> [one.label for one in list_link_changes(parse("A -> B"), [["A", "B"]], "edges")]
    ['without A → B', 'B → A']
    """
    drawing = convert_model_to_dictionary(model)
    wanted = [[*pair] for pair in pairs]
    if not wanted or any(pair not in drawing.get(key, ()) for pair in wanted):
        raise InputError("there is no such arrow")
    changed, turned = deepcopy(drawing), deepcopy(drawing)
    changed[key] = [pair for pair in changed[key] if [*pair] not in wanted]
    turned[key] = [[*pair][::-1] if [*pair] in wanted else pair for pair in turned[key]]
    one, other = (describe_names(list(dict.fromkeys(names))) for names in zip(*wanted, strict=True))
    if key == "bidirected":
        return [ModelChange(f"without {one} ↔ {other}", "without", changed)]
    return [
        ModelChange(f"without {one} → {other}", "without", changed),
        ModelChange(f"{other} → {one}", "turned", turned),
    ]


def list_shares(drawing: Drawing, variables: dict[str, dict[str, Any]], name: str) -> list[ModelChange]:
    """One table for all variables that have as many states, and parents with as many; nothing where no tables are."""
    locals_ = drawing.get("local", {})
    if "states" not in variables[name] or name in locals_ or not load_model_file(drawing["family"]).has_locals:
        return []

    def describe_shape(one: str) -> tuple[Any, ...]:
        parents = [start for start, end in drawing.get("edges", ()) if end == one]
        return (variables[one].get("states"), [variables[parent].get("states") for parent in parents])

    wanted = describe_shape(name)
    alike = [one for one in variables if one not in locals_ and wanted[1] and describe_shape(one) == wanted]
    if len(alike) < 2:
        return []
    taken = {one.get("share") for one in locals_.values()} | set(variables)
    label = next(word for word in ("shared", *(f"shared{number}" for number in range(2, 1000))) if word not in taken)
    changed = deepcopy(drawing)
    changed.setdefault("local", {}).update({one: {"type": "table", "share": label} for one in alike})
    named = join_names(alike) if len(alike) <= 6 else describe_names(alike)
    return [ModelChange(f"one table for {named}", "share", changed)]


def fix_parameter(model: AnyModel, parameter: str) -> ModelChange:
    """A parameter fixed: a coefficient or a variance to 1, a probability to 1 by the number of states, others to 0.

    >>> from algdim.models.notation import parse, to_text
    >>> from algdim.models.anymodel import read_model_dictionary
    >>> to_text(read_model_dictionary(fix_parameter(parse("gaussian: F -> X; hidden F"), "v(F)").drawing))
    'gaussian: F -> X; hidden F; fix v(F)=1'
    """
    record = next((one for one in map_of(model).records if str(one) == parameter), None)
    if record is None:
        raise InputError(f"the model has no parameter {parameter[:80]!r}")
    drawing = deepcopy(convert_model_to_dictionary(model))
    owner = record.owners[-1]
    if record.kind == PROBABILITY:
        states = next((one.get("states", 2) for one in drawing["variables"] if one["name"] == owner), 2)
        value = f"1/{states}"
        local = drawing.setdefault("local", {}).setdefault(owner, {"type": "table"})
        local["fixed"] = {**local.get("fixed", {}), parameter: value}
    else:
        value = "1" if record.kind in (COEFFICIENT, VARIANCE) else "0"
        drawing["fixed"] = {**drawing.get("fixed", {}), parameter: value}
    return ModelChange(f"fix {parameter} = {value}", "fix", drawing)
