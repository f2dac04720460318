"""The model file of the families "poisson" and "normal": a dictionary to a model and back.

{"family": "poisson",
 "variables": [{"name": "A", "states": 3}, {"name": "B"}, {"name": "C"}],
 "edges": [["A", "B"]],
 "effect": "E",
 "mechanisms": [["A", "B"], ["C"], []]}
"""

from __future__ import annotations

from typing import Any

from algdim.errors import InputError
from algdim.families.additive.model import Additive
from algdim.families.contract import ModelFile
from algdim.families.discrete.file import discrete, discrete_dict
from algdim.families.discrete.model import Network
from algdim.models.modelvalues import check_keys, shown

KEYS = ("family", "variables", "edges", "effect", "mechanisms")


def additive(data: dict[str, Any], network: Network) -> Additive:
    """Build a model from its dictionary and the network of causes that stands in it."""
    check_keys(data, KEYS, "the model")
    effect, mechanisms = data.get("effect"), data.get("mechanisms")
    if not isinstance(effect, str):
        raise InputError(f"effect {'is missing' if effect is None else f'is {shown(effect)}'}; a name is expected")
    if not isinstance(mechanisms, (list, tuple)) or not all(
        isinstance(parents, (list, tuple)) and all(isinstance(name, str) for name in parents) for parents in mechanisms
    ):
        what = "is missing" if mechanisms is None else f"is {shown(mechanisms)}"
        raise InputError(f'mechanisms {what}; lists of names such as [["A", "B"], ["C"], []] are expected')
    return Additive(data["family"], network, effect, tuple(tuple(parents) for parents in mechanisms))


def additive_dict(model: Additive, network: dict[str, Any]) -> dict[str, Any]:
    """Write a model, given the dictionary of its network; `additive` reads it back as an equal record."""
    return {
        "family": model.family,
        **{key: value for key, value in network.items() if key in ("variables", "edges")},
        "effect": model.effect,
        "mechanisms": [list(parents) for parents in model.mechanisms],
    }


def read_additive(data: dict[str, Any]) -> Additive:
    """Build an additive model: a discrete network of causes, and mechanisms."""
    causes = {key: value for key, value in data.items() if key in ("variables", "edges")}
    return additive(data, discrete(causes))


def write_additive(model: Additive) -> dict[str, Any]:
    """Write an additive model."""
    return additive_dict(model, discrete_dict(model.network))


FILE = ModelFile(read_additive, write_additive)
