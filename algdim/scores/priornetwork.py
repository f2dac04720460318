"""BDe: exponents from a prior network, α_ijk = S · q(X_i = k, Pa_i = j) (GHM96 §2; Heckerman, Geiger, Chickering 1995).

With it equivalent networks have equal marginal likelihoods. BDeu is the case of a prior network without edges and even tables.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from algdim.errors import InputError, listed
from algdim.families.discrete.map import ParamMap, param_map
from algdim.families.discrete.model import Network
from algdim.fitting.likelihood import Numbers, Tables, evaluator
from algdim.fitting.maximization import tables_of
from algdim.fitting.problems import network_of
from algdim.fitting.record import arrays_of
from algdim.fitting.samples import MISSING, Sample
from algdim.readers.anything import ModelLike
from algdim.readers.parameters import read_parameters
from algdim.scores.dirichlet import Priors, with_exponents

Source = tuple[ModelLike, str | os.PathLike[str] | dict[str, Any]]
"""A model and its parameters."""


def priors_from(pmap: ParamMap, source: Source, ess: float) -> Priors:
    """The priors of a map's tables from a prior network over the same variables, hidden ones included."""
    network = network_of(source[0])
    lacking = [
        variable.name for variable in pmap.model.variables if network.states.get(variable.name) != variable.states
    ]
    if lacking or network.given:
        raise InputError(
            f"the prior network says nothing of {listed(lacking or network.given)}; "
            "it needs all variables of the model, with the same states, and conditions on none"
        )
    shown = replace(network, variables=tuple(replace(variable, observed=True) for variable in network.variables))
    prior_map = param_map(shown)
    tables = arrays_of(prior_map, read_parameters(source[1], shown))
    alphas: dict[int, Numbers] = {}
    numbers = {owner: number for number, owner in enumerate(pmap.owners) if number in tables_of(pmap)}
    for variable in pmap.model.variables:
        number = numbers.get(getattr(variable.local, "share", None) or variable.name)
        if number is not None and variable.name not in pmap.model.given:
            family = (*variable.parents, variable.name)
            found = ess * joint(prior_map, shown, tables, family).reshape(-1, variable.states)
            alphas[number] = alphas[number] + found if number in alphas else found
    for number, alpha in alphas.items():
        if not (alpha > 0).all():
            raise InputError(f"the prior network gives a chance 0 to a row or an entry of {pmap.owners[number]}")
    return with_exponents(pmap, alphas, add_up=True)


def joint(pmap: ParamMap, model: Network, tables: Tables, names: tuple[str, ...]) -> Numbers:
    """The joint distribution of some variables, in their order."""
    where: Mapping[str, int] = {variable.name: number for number, variable in enumerate(model.observed)}
    sizes = tuple(model.states[name] for name in names)
    cells = np.indices(sizes).reshape(len(sizes), -1).T
    patterns = np.full((len(cells), len(where)), MISSING)
    patterns[:, [where[name] for name in names]] = cells
    labels = tuple(tuple(map(str, range(variable.states))) for variable in model.observed)
    every = Sample(tuple(where), labels, patterns, np.ones(len(cells)))
    return np.asarray(np.exp(evaluator(pmap, every, 1).log_values(tables)[0]))
