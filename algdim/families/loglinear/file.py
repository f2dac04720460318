"""The model file of the family "loglinear": a dictionary to a model and back.

{"family": "loglinear",
 "variables": [{"name": "V1"}, {"name": "V2"}, {"name": "H", "states": 3, "observed": false}],
 "interactions": [["V1", "H"], ["V2", "H"]],
 "hierarchical": true}
"""

from __future__ import annotations

from typing import Any

from algdim.errors import InputError
from algdim.families.contract import ModelFile
from algdim.families.loglinear.model import LogLinear
from algdim.models.filevariables import read_variables
from algdim.models.modelvalues import check_keys, shown

KEYS = ("family", "variables", "interactions", "hierarchical")


def loglinear(data: dict[str, Any]) -> LogLinear:
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


def loglinear_dict(model: LogLinear) -> dict[str, Any]:
    """Write a model as a dictionary; `loglinear` reads it back as an equal record."""
    data: dict[str, Any] = {
        "family": model.family,
        "variables": [{"name": v.name, "states": v.states, "observed": v.observed} for v in model.variables],
        "interactions": [list(interaction) for interaction in model.interactions],
    }
    return data if model.hierarchical else {**data, "hierarchical": False}


FILE = ModelFile(loglinear, loglinear_dict)
