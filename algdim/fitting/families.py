"""What is fitted, family by family; the others are refused by name."""

from __future__ import annotations

from typing import Any

from algdim.errors import InputError
from algdim.families.additive.likelihood import SumFamily
from algdim.families.additive.model import Additive
from algdim.families.discrete.map import param_map
from algdim.families.discrete.model import Network
from algdim.families.gaussian.likelihood import NormalFamily
from algdim.families.gaussian.map import gaussian_map
from algdim.families.gaussian.model import Gaussian
from algdim.families.latentprofile.likelihood import ProfileFamily
from algdim.families.latentprofile.model import LatentProfile
from algdim.fitting.climbing import Family, Problem
from algdim.fitting.discrete import NetworkFamily
from algdim.fitting.mixedsamples import read_mixed
from algdim.fitting.networks import as_network, network_of
from algdim.fitting.priors import ML, Prior
from algdim.fitting.samples import KnownStates, read_sample
from algdim.readers.anything import ModelLike, model


def problem_of(
    data: Any, described: ModelLike, prior: Prior, *, missing: bool = False, states: KnownStates | None = None
) -> Problem[Family]:
    """Read the data for a model, with the ``states`` of other data if there are any, and prepare the maximisation."""
    found = as_network(model(described))
    if isinstance(found, Network):
        network = network_of(found)
        sample = read_sample(data, network, missing=missing, states=states)
        return Problem(NetworkFamily(param_map(network), sample, prior), prior)
    if not isinstance(found, Gaussian | LatentProfile | Additive):
        raise InputError(
            f"models of the family {found.family} are not fitted; discrete networks, sigmoid ones, classifiers, gaussian, "
            "latent-profile, poisson and normal models are"
        )
    # before the data are read: what is refused here is no matter of the data
    if prior.kind != ML:
        raise InputError(
            f"the prior {prior}: models of the family {found.family} are fitted by maximum likelihood (ml)"
        )
    if missing:
        raise InputError(
            f"missing entries are for discrete networks; models of the family {found.family} take complete cases: "
            "leave --missing (missing=True) out, and rows with empty entries too"
        )
    return Problem(continuous(found, data, states), prior)


def continuous(found: Gaussian | LatentProfile | Additive, data: Any, states: KnownStates | None) -> Family:
    """The families with continuous variables, or counts."""
    if isinstance(found, Gaussian):
        return NormalFamily(gaussian_map(found), read_mixed(data, [one.name for one in found.observed]))
    if isinstance(found, LatentProfile):
        names = [item.name for item in found.items]
        categorical = [(item.name, item.states or 0) for item in found.categorical]
        sample = read_mixed(data, [one.name for one in found.continuous], categorical, names, states)
        return ProfileFamily(found, sample)
    causes = [(one.name, one.states) for one in found.network.observed]
    order = [*(name for name, _ in causes), found.effect]
    return SumFamily(found, read_mixed(data, [found.effect], causes, order, states))
