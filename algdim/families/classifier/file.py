"""The model file of the family "classifier": a discrete network with the name of its class."""

from __future__ import annotations

from typing import Any

from algdim.errors import InputError
from algdim.families.classifier.model import Classifier
from algdim.families.contract import ModelFile
from algdim.families.discrete.file import KEYS, discrete, discrete_dict
from algdim.models.modelvalues import check_keys, shown


def classifier(data: dict[str, Any]) -> Classifier:
    """Build a classifier: a discrete network with the name of its class."""
    check_keys(data, (*KEYS, "class"), "the model")
    label = data.get("class")
    if not isinstance(label, str):
        what = "is missing" if label is None else f"is {shown(label)}"
        raise InputError(f"class {what}; the name of the variable that is classified is expected")
    return Classifier(discrete({key: value for key, value in data.items() if key != "class"}), label)


def classifier_dict(model: Classifier) -> dict[str, Any]:
    """Write a classifier."""
    return {**discrete_dict(model.network), "family": model.family, "class": model.label}


FILE = ModelFile(classifier, classifier_dict)
