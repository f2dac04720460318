"""The family "classifier" in the notation: ``classifier Y: Y -> X1, X2; X1 -> X2; states Y=3``.

The clauses are those of a discrete network over the class and the inputs; the class stands behind the family word.
"""

from __future__ import annotations

from algdim.errors import InputError
from algdim.families.classifier.model import Classifier
from algdim.families.contract import Notation
from algdim.families.discrete.clauses import discrete
from algdim.families.discrete.clausetexts import text_of_clauses
from algdim.models.clauses import DISCRETE, Clauses, of_clauses


def classifier(clauses: Clauses, argument: str = "") -> Classifier:
    """Build the classifier that the clauses describe; the argument of the family word is the class."""
    network = discrete(clauses)
    try:
        return Classifier(network, argument)
    except InputError as error:
        shown = " ".join(clauses.text.split())
        raise InputError(f"{error}\n  in: {shown if len(shown) <= 200 else shown[:200] + '…'}") from None


def classifier_text(model: Classifier) -> str:
    """Print a classifier.

    >>> from algdim.models.notation import parse
    >>> classifier_text(parse("classifier Y: X <- Y; states Y=3"))
    'classifier Y: X <- Y; states Y=3'
    """
    return f"{model.family} {model.label}: {text_of_clauses(model.network)}"


NOTATION = Notation(of_clauses(DISCRETE, lambda clauses, _, argument: classifier(clauses, argument)), classifier_text)
