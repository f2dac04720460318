"""A model of any family."""

from __future__ import annotations

from typing import TypeAlias

from algdim.errors import InputError
from algdim.models.additive import Additive
from algdim.models.classifier import Classifier
from algdim.models.gaussian import Gaussian
from algdim.models.latentprofile import LatentProfile
from algdim.models.loglinear import LogLinear
from algdim.models.network import Network
from algdim.models.polynomial import Polynomial

AnyModel: TypeAlias = Network | Gaussian | LatentProfile | Additive | Classifier | LogLinear | Polynomial
"""The records of all families."""

RECORDS = (Network, Gaussian, LatentProfile, Additive, Classifier, LogLinear, Polynomial)


def discrete_only(model: AnyModel, purpose: str) -> Network:
    """Return a discrete network, or raise: what "is" or "are" for discrete models has no meaning, or none yet, for other families."""
    if not isinstance(model, Network):
        raise InputError(f"{purpose} for discrete models; this one is of the family {model.family}")
    return model
