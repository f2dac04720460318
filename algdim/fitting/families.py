"""The data and the likelihood of a model, of any family that has one."""

from __future__ import annotations

from typing import Any

from algdim.errors import InputError
from algdim.families import fitting_of, lacking
from algdim.fitting.climbing import Family, Problem
from algdim.fitting.networks import as_network
from algdim.fitting.priors import ML, Prior
from algdim.fitting.samples import KnownStates
from algdim.readers.anything import ModelLike, model


def problem_of(
    data: Any, described: ModelLike, prior: Prior, *, missing: bool = False, states: KnownStates | None = None
) -> Problem[Family]:
    """Read the data for a model, with the ``states`` of other data if there are any, and prepare the maximisation."""
    found = as_network(model(described))
    fitting = fitting_of(found.family)
    if fitting is None:
        raise InputError(lacking(found.family, "fitted", "fitting", by_network=True))
    # before the data are read: what is refused here is no matter of the data
    if prior.kind != ML and not fitting.has_priors:
        raise InputError(
            f"the prior {prior}: models of the family {found.family} are fitted by maximum likelihood (ml)"
        )
    if missing and not fitting.takes_missing:
        raise InputError(
            f"missing entries are for discrete networks; models of the family {found.family} take complete cases: "
            "leave --missing (missing=True) out, and rows with empty entries too"
        )
    return Problem(fitting.prepare(found, data, prior, missing, states), prior)
