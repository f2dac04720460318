"""The model file of the family "latent-profile": a dictionary to a model and back.

{"family": "latent-profile",
 "variables": [{"name": "H", "states": 3, "observed": false}, {"name": "X1"}, {"name": "X2"}, {"name": "C", "states": 2}],
 "covariances": {"full": true, "equal": true},
 "moments": 4}
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from algdim.errors import InputError
from algdim.families.contract import ModelFile
from algdim.families.latentprofile.model import LatentProfile, ProfileVariable
from algdim.models.modelvalues import check_keys, listed_variables, mapping_of, shown

KEYS = ("family", "variables", "covariances", "moments")
VARIABLE_KEYS = ("name", "states", "observed")
COVARIANCE_KEYS = ("full", "equal")


def latent_profile(data: dict[str, Any]) -> LatentProfile:
    """Build a model."""
    check_keys(data, KEYS, "the model")
    variables = tuple(read_variables(data.get("variables")))
    hidden = [variable for variable in variables if not variable.observed]
    if len(hidden) != 1:
        raise InputError(
            f'variables: {len(hidden)} are hidden; exactly one, the class, is expected: {{"name": "H", "states": 3, "observed": false}}'
        )
    matrices = mapping_of(data.get("covariances", {}), "covariances")
    check_keys(matrices, COVARIANCE_KEYS, "covariances")
    for key, value in matrices.items():
        if not isinstance(value, bool):
            raise InputError(f"covariances.{key} is {shown(value)}; true or false is allowed")
    items = tuple(variable for variable in variables if variable.observed)
    label, classes = hidden[0].name, hidden[0].states
    return LatentProfile(label, 2 if classes is None else classes, items, order=data.get("moments"), **matrices)


def read_variables(data: object) -> Iterator[ProfileVariable]:
    """Read the list of variables."""
    for place, name, observed, entry in listed_variables(data, VARIABLE_KEYS, '{"name": "X1"}'):
        states = entry.get("states")
        if "states" in entry and (not isinstance(states, int) or isinstance(states, bool)):
            raise InputError(
                f"{place}.states is {shown(states)}; a whole number is allowed, or none for a continuous item"
            )
        yield ProfileVariable(name, states, observed)


def latent_profile_dict(model: LatentProfile) -> dict[str, Any]:
    """Write a model as a dictionary; `latent_profile` reads it back as an equal record."""
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


FILE = ModelFile(latent_profile, latent_profile_dict)
