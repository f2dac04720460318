"""A model of any family."""

from __future__ import annotations

from typing import TypeAlias

from algdim.errors import InputError
from algdim.families.additive.model import Additive
from algdim.families.classifier.model import Classifier
from algdim.families.discrete.model import Network
from algdim.families.gaussian.model import Gaussian
from algdim.families.latentprofile.model import LatentProfile
from algdim.families.loglinear.model import LogLinear
from algdim.families.polynomial.model import Polynomial

AnyModel: TypeAlias = Network | Gaussian | LatentProfile | Additive | Classifier | LogLinear | Polynomial
"""The records of all families."""

RECORDS = (Network, Gaussian, LatentProfile, Additive, Classifier, LogLinear, Polynomial)


def discrete_only(model: AnyModel, purpose: str) -> Network:
    """Return a discrete network, or raise: what "is" or "are" for discrete models has no meaning, or none yet, for other families."""
    if not isinstance(model, Network):
        raise InputError(f"{purpose} for discrete models; this one is of the family {model.family}")
    return model
