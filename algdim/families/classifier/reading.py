"""The family "classifier" in the notation: ``classifier Y: Y -> X1, X2; X1 -> X2; states Y=3``.

The clauses are those of a discrete network over the class and the inputs; the class stands behind the family word.
"""

from __future__ import annotations

from typing import Any

from algdim.errors import InputError
from algdim.families.classifier.model import Classifier
from algdim.families.contract import ModelFile, Notation
from algdim.families.discrete.clauses import discrete, text_of_clauses
from algdim.families.discrete.file import KEYS
from algdim.families.discrete.file import from_dictionary as read_network
from algdim.families.discrete.file import to_dictionary as write_network
from algdim.models.clauses import DISCRETE, Clauses, naming_text, of_clauses
from algdim.models.values import check_keys, shown


def classifier(clauses: Clauses, argument: str) -> Classifier:
    """Build the classifier that the clauses describe; the argument of the family word is the class."""
    network = discrete(clauses)
    with naming_text(clauses):
        return Classifier(network, argument)


def classifier_text(model: Classifier) -> str:
    """Print a classifier.

    >>> from algdim.models.notation import parse
    >>> classifier_text(parse("classifier Y: X <- Y; states Y=3"))
    'classifier Y: X <- Y; states Y=3'
    """
    return f"{model.family} {model.label}: {text_of_clauses(model.network)}"


NOTATION = Notation(of_clauses(DISCRETE, lambda clauses, _, argument: classifier(clauses, argument)), classifier_text)


def from_dictionary(data: dict[str, Any]) -> Classifier:
    """Build a classifier: a discrete network with the name of its class."""
    check_keys(data, (*KEYS, "class"), "the model")
    label = data.get("class")
    if not isinstance(label, str):
        what = "is missing" if label is None else f"is {shown(label)}"
        raise InputError(f"class {what}; the name of the variable that is classified is expected")
    return Classifier(read_network({key: value for key, value in data.items() if key != "class"}), label)


def to_dictionary(model: Classifier) -> dict[str, Any]:
    """Write a classifier."""
    return {**write_network(model.network), "family": model.family, "class": model.label}


FILE = ModelFile(from_dictionary, to_dictionary)
