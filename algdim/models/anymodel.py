"""A model of any family, and the model file: a dictionary, as JSON and TOML have it, to a model and back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import prod
from typing import Any, Protocol, TypeGuard, TypeVar

from algdim.errors import InputError, join_names
from algdim.families import DEFAULT, FOLDERS, is_available, load_family, load_model_file
from algdim.families.discrete.model import Variable
from algdim.figures import format_count
from algdim.models.ranges import expand_range, is_like_range
from algdim.models.tokens import check_name
from algdim.models.values import MOST_STATES, format_given_value, read_listed_variables, require_mapping
from algdim.trust import Trust, proved_by

M = TypeVar("M")

MOST_ENTRIES = 1_000_000
"""That ranges of names in one list may stand for."""


class AnyModel(Protocol):
    """A frozen record that names its family."""

    @property
    def family(self) -> str:
        """The name of the family."""


def is_model(x: object) -> TypeGuard[AnyModel]:
    """Whether something is the record of a model; other libraries have objects with a family too."""
    return type(x).__module__.startswith("algdim.families.") and is_available(getattr(x, "family", None))


def require_model(model: AnyModel, record: type[M], sentence: str) -> M:
    """Return a model of one kind of record, or raise with the sentence and the family that was given."""
    if not isinstance(model, record):
        raise InputError(f"{sentence}; this one is of the family {model.family}")
    return model


Model = TypeVar("Model", bound=Any)


def remove_irrelevant(model: Model) -> tuple[Model, tuple[str, ...]]:
    """Remove hidden variables without observed descendants (KZ02 §1's O → X); also return their names.

    >>> from algdim.models.notation import parse
    >>> smaller, removed = remove_irrelevant(parse("O -> X; hidden X"))
    >>> [variable.name for variable in smaller.variables], removed
    (['O'], ('X',))
    """
    remove = load_family(model.family).drop_irrelevant
    return (model, ()) if remove is None else remove(model)


def prove_removal(family: str, removed: Sequence[str]) -> tuple[Trust, ...]:
    """Trust that nothing observed changes when these are removed, as `without_irrelevant` does; none where nothing is.

    >>> from algdim.models.notation import parse
    >>> [trust.facts for trust in prove_removal("discrete", remove_irrelevant(parse("O -> X; hidden X"))[1])]
    ['X: hidden, without observed descendants']
    """
    if not removed:
        return ()
    found = load_family(family)
    return (proved_by(found.irrelevance_lemma, f"{join_names(removed)}: hidden, {found.why_irrelevant}"),)


def read_model_dictionary(data: object) -> AnyModel:
    """Build the model that a dictionary of the model-file form describes.

    >>> read_model_dictionary({"variables": [{"name": "A"}, {"name": "B"}], "edges": [["A", "B"]]}).edges
    (('A', 'B'),)
    """
    table = require_mapping(data, "the model")
    family = table.get("family", DEFAULT)
    if not is_available(family):
        raise InputError(
            f"family: {format_given_value(family)} is not available in this version; available: {join_names(FOLDERS)}"
        )
    found: AnyModel = load_model_file(family).read(expand_ranges(table))
    return found


def expand_ranges(table: dict[str, Any]) -> dict[str, Any]:
    """The same file, the names in place of each range such as X1..X4: in lists of names, of variables and of pairs.

    >>> expand_ranges({"variables": [{"name": "X1..X2", "states": 3}], "edges": [["H", "X1..X2"]]})
    {'variables': [{'name': 'X1', 'states': 3}, {'name': 'X2', 'states': 3}], 'edges': [['H', 'X1'], ['H', 'X2']]}
    """
    found = dict(table)
    for key in ("variables", "edges", "bidirected", "given", "parameters", "interactions", "mechanisms"):
        if isinstance(table.get(key), (list, tuple)):
            found[key] = [one for item in table[key] for one in iterate_range_items(item, key)]
            if len(found[key]) > MOST_ENTRIES:
                raise InputError(f"{key}: more than {MOST_ENTRIES} entries; at most that many are read")
    if isinstance(table.get("local"), dict):
        found["local"] = {name: one for key, one in table["local"].items() for name in expand_names(key, "local")}
    return found


def iterate_range_items(item: Any, key: str) -> Iterator[Any]:
    """What an entry of a list stands for: itself, unless it is a range or has one."""
    if isinstance(item, dict):
        yield from (
            (item | {"name": name} for name in expand_names(item.get("name"), key)) if "name" in item else (item,)
        )
    elif isinstance(item, (list, tuple)):
        lists = [expand_names(name, key) for name in item]
        if key in ("edges", "bidirected"):
            if prod(map(len, lists)) > MOST_ENTRIES:
                raise InputError(f"{key}: a product of ranges has more than {MOST_ENTRIES} pairs")
            yield from map(list, product(*lists))
        else:
            yield [name for names in lists for name in names]
    else:
        yield from expand_names(item, key)


def expand_names(name: Any, key: str) -> list[Any]:
    """The names that a text stands for, or what stands there instead."""
    if not isinstance(name, str) or not is_like_range(name):
        return [name]
    try:
        return list(expand_range(name))
    except InputError as error:
        raise InputError(f"{key}: {error}") from None


def convert_model_to_dictionary(model: AnyModel) -> dict[str, Any]:
    """Write a model as a dictionary of the model-file form; `read_model_dictionary` reads it back as an equal record.

    >>> convert_model_to_dictionary(read_model_dictionary({"variables": [{"name": "A"}]}))["variables"]
    [{'name': 'A', 'states': 2, 'observed': True}]
    """
    return load_model_file(model.family).write(model)


VARIABLE_KEYS = ("name", "states", "observed")


LABELLED_KEYS = (*VARIABLE_KEYS, "labels")
"""Where data are read against the model."""


def read_variables(data: object, keys: tuple[str, ...] = VARIABLE_KEYS) -> dict[str, Variable]:
    """Read the list of variables, still without parents."""
    variables: dict[str, Variable] = {}
    for place, name, observed, entry in read_listed_variables(data, keys, '{"name": "A", "states": 2}'):
        check_name(name, f"{place}.name")
        if name in variables:
            raise InputError(f"{place}.name: duplicate variable name {name}; each name is allowed once")
        states = read_states(entry.get("states", 2), f"{place}.states", observed=observed)
        variables[name] = Variable(name, states, observed, labels=read_labels(entry, place, states))
    return variables


def read_labels(entry: Mapping[str, Any], place: str, states: int) -> tuple[str, ...]:
    """Read what data call the states, in order."""
    labels = entry.get("labels", [])
    whole = isinstance(labels, (list, tuple)) and all(isinstance(label, str) and label for label in labels)
    if not whole or ("labels" in entry and len(set(labels)) != states) or len(labels) > states:
        raise InputError(
            f"{place}.labels is {format_given_value(labels)}; {format_count(states, 'different text')} {'is' if states == 1 else 'are'} expected"
        )
    return tuple(labels)


def read_states(states: object, place: str, *, observed: bool) -> int:
    """Read a number of states."""
    least = 2 if observed else 1
    kind = "an observed" if observed else "a hidden"
    if not isinstance(states, int) or isinstance(states, bool) or not least <= states <= MOST_STATES:
        raise InputError(
            f"{place} is {format_given_value(states)}; {kind} variable has an integer from {least} to {MOST_STATES}"
        )
    return states
