"""The model file: a dictionary, as JSON and TOML have it, to a model and back."""

from __future__ import annotations

from typing import Any

from algdim.errors import InputError, listed
from algdim.families import DEFAULT, FOLDERS, file_of, is_available
from algdim.models.anymodel import AnyModel
from algdim.models.values import mapping_of, shown


def from_dict(data: object) -> AnyModel:
    """Build the model that a dictionary of the model-file form describes.

    >>> from_dict({"variables": [{"name": "A"}, {"name": "B"}], "edges": [["A", "B"]]}).edges
    (('A', 'B'),)
    """
    table = mapping_of(data, "the model")
    family = table.get("family", DEFAULT)
    if not is_available(family):
        raise InputError(f"family: {shown(family)} is not available in this version; available: {listed(FOLDERS)}")
    found: AnyModel = file_of(family).read(table)
    return found


def to_dict(model: AnyModel) -> dict[str, Any]:
    """Write a model as a dictionary of the model-file form; `from_dict` reads it back as an equal record.

    >>> to_dict(from_dict({"variables": [{"name": "A"}]}))["variables"]
    [{'name': 'A', 'states': 2, 'observed': True}]
    """
    return file_of(model.family).write(model)
