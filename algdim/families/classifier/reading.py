"""The family "classifier" in the notation: ``classifier Y: Y -> X1, X2; X1 -> X2; states Y=3``.

The clauses are those of a discrete network over the class and the inputs; the class stands behind the family word.
"""

from __future__ import annotations

from typing import Any

from algdim.families.classifier.model import Classifier
from algdim.families.contract import ModelFile, Notation
from algdim.families.discrete.clauses import DISCRETE, NetworkClauses, build_discrete, format_clauses
from algdim.families.discrete.file import KEYS
from algdim.families.discrete.file import read_dictionary as read_network
from algdim.families.discrete.file import write_dictionary as write_network
from algdim.models.clauses import add_text_to_errors, make_clause_reader
from algdim.models.values import check_keys, require


def build_classifier(clauses: NetworkClauses, argument: str) -> Classifier:
    """Build the classifier that the clauses describe; the argument of the family word is the class."""
    network = build_discrete(clauses)
    with add_text_to_errors(clauses):
        return Classifier(network, argument)


def format_classifier(model: Classifier) -> str:
    """Print a classifier.

    >>> from algdim.models.notation import parse
    >>> format_classifier(parse("classifier Y: X <- Y; states Y=3"))
    'classifier Y: X <- Y; states Y=3'
    """
    return f"{model.family} {model.label}: {format_clauses(model.network)}"


NOTATION = Notation(
    make_clause_reader(DISCRETE, lambda clauses, _, argument: build_classifier(clauses, argument)), format_classifier
)


def read_dictionary(data: dict[str, Any]) -> Classifier:
    """Build a classifier: a discrete network with the name of its class."""
    check_keys(data, (*KEYS, "class"), "the model")
    expected = "the name of the variable that is classified is expected"
    label = data.get("class")
    label = require(label, isinstance(label, str), "class", expected)
    return Classifier(read_network({key: value for key, value in data.items() if key != "class"}), label)


def write_dictionary(model: Classifier) -> dict[str, Any]:
    """Write a classifier."""
    return {**write_network(model.network), "family": model.family, "class": model.label}


FILE = ModelFile(read_dictionary, write_dictionary)
