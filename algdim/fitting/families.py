"""What is fitted, family by family; the others are refused by name."""

from __future__ import annotations

from typing import Any

from algdim.fitting.climbing import Family, Problem
from algdim.fitting.discrete import NetworkFamily
from algdim.fitting.networks import as_network, network_of
from algdim.fitting.priors import Prior
from algdim.fitting.samples import read_sample
from algdim.maps.factors import param_map
from algdim.models.network import Network
from algdim.readers.anything import ModelLike, model


def problem_of(data: Any, described: ModelLike, prior: Prior, *, missing: bool = False) -> Problem[Family]:
    """Read the data for a model, and prepare the maximisation."""
    found = as_network(model(described))
    if not isinstance(found, Network):
        network_of(found)
    network = network_of(found)
    return Problem(NetworkFamily(param_map(network), read_sample(data, network, missing=missing), prior), prior)
