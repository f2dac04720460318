"""The model file: a dictionary, as JSON and TOML have it, to a model and back."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import prod
from typing import Any

from algdim.errors import InputError, listed
from algdim.families import FOLDERS, file_of
from algdim.models.anymodel import AnyModel
from algdim.models.ranges import looks_like_range, names_in
from algdim.models.values import mapping_of, shown

MOST_ENTRIES = 1_000_000
"""That ranges of names in one list may stand for."""


def from_dict(data: object) -> AnyModel:
    """Build the model that a dictionary of the model-file form describes.

    >>> from_dict({"variables": [{"name": "A"}, {"name": "B"}], "edges": [["A", "B"]]}).edges
    (('A', 'B'),)
    """
    table = mapping_of(data, "the model")
    family = table.get("family", "discrete")
    if not isinstance(family, str) or family not in FOLDERS:
        raise InputError(f"family: {shown(family)} is not available in this version; available: {listed(FOLDERS)}")
    found: AnyModel = file_of(family).read(with_ranges(table))
    return found


def with_ranges(table: dict[str, Any]) -> dict[str, Any]:
    """The same file, the names in place of each range such as X1..X4: in lists of names, of variables and of pairs.

    >>> with_ranges({"variables": [{"name": "X1..X2", "states": 3}], "edges": [["H", "X1..X2"]]})
    {'variables': [{'name': 'X1', 'states': 3}, {'name': 'X2', 'states': 3}], 'edges': [['H', 'X1'], ['H', 'X2']]}
    """
    found = dict(table)
    for key in ("variables", "edges", "bidirected", "given", "parameters", "interactions", "mechanisms"):
        if isinstance(table.get(key), (list, tuple)):
            found[key] = [one for item in table[key] for one in without_ranges(item, key)]
            if len(found[key]) > MOST_ENTRIES:
                raise InputError(f"{key}: more than {MOST_ENTRIES} entries; so many are not read")
    if isinstance(table.get("local"), dict):
        found["local"] = {name: one for key, one in table["local"].items() for name in names_at(key, "local")}
    return found


def without_ranges(item: Any, key: str) -> Iterator[Any]:
    """What an entry of a list stands for: itself, unless it is a range or has one."""
    if isinstance(item, dict):
        yield from (item | {"name": name} for name in names_at(item.get("name"), key)) if "name" in item else (item,)
    elif isinstance(item, (list, tuple)):
        lists = [names_at(name, key) for name in item]
        if key in ("edges", "bidirected"):
            if prod(map(len, lists)) > MOST_ENTRIES:
                raise InputError(f"{key}: a product of ranges has more than {MOST_ENTRIES} pairs")
            yield from map(list, product(*lists))
        else:
            yield [name for names in lists for name in names]
    else:
        yield from names_at(item, key)


def names_at(name: Any, key: str) -> list[Any]:
    """The names that a text stands for, or what stands there instead."""
    if not isinstance(name, str) or not looks_like_range(name):
        return [name]
    try:
        return list(names_in(name))
    except InputError as error:
        raise InputError(f"{key}: {error}") from None


def to_dict(model: AnyModel) -> dict[str, Any]:
    """Write a model as a dictionary of the model-file form; `from_dict` reads it back as an equal record.

    >>> to_dict(from_dict({"variables": [{"name": "A"}]}))["variables"]
    [{'name': 'A', 'states': 2, 'observed': True}]
    """
    return file_of(model.family).write(model)
