"""Two models brought to the same coordinates: the table of the observed variables, a conditional table, covariances.

Networks (sigmoid ones, functions, mechanisms) and log-linear models describe the table; a classifier is a network that is
conditioned on all inputs; a latent-profile model of one class is Gaussian.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any, cast

from algdim.errors import InputError, listed
from algdim.families.additive.model import Additive
from algdim.families.classifier.model import Classifier
from algdim.families.discrete.locals.classifier import Embedded
from algdim.families.discrete.locals.sigmoid import why_free, with_free_tables
from algdim.families.discrete.locals.table import Table
from algdim.families.discrete.model import Network, Variable
from algdim.families.gaussian.model import Gaussian, GaussianVariable
from algdim.families.latentprofile.model import LatentProfile
from algdim.families.loglinear.model import LogLinear
from algdim.families.polynomial.model import Polynomial
from algdim.models.anymodel import AnyModel, why_removed, without_irrelevant
from algdim.trust import Trust, trust_in_all

TABLES = (Network, LogLinear)
"""The families whose coordinates are the cells of a table."""


def with_common_coordinates(first: AnyModel, second: AnyModel) -> tuple[AnyModel, AnyModel]:
    """The two models with the same coordinates in the same order; raise if they have different ones.

    >>> from algdim.models.notation import parse
    >>> one, other = with_common_coordinates(parse("A -> B"), parse("loglinear: {B,A}"))
    >>> [[variable.name for variable in model.variables] for model in (one, other)]
    [['A', 'B'], ['A', 'B']]
    """
    if isinstance(first, Classifier) and isinstance(second, Classifier | Network):
        first = conditional_network(first)
    if isinstance(second, Classifier) and isinstance(first, Network):
        second = conditional_network(second)
    if isinstance(second, Gaussian) and isinstance(first, LatentProfile):
        first = one_class(first)
    if isinstance(first, Gaussian) and isinstance(second, LatentProfile):
        second = one_class(second)
    same = first.family == second.family or (isinstance(first, TABLES) and isinstance(second, TABLES))
    if not same:
        hint = "; a latent-profile model is compared with a gaussian one if it has one class and no categorical item"
        both = {first.family, second.family}
        raise InputError(
            f"models of the families {first.family} and {second.family} have no coordinates in common"
            + (hint if both == {"gaussian", "latent-profile"} else "")
        )
    check_variables(first, second)
    if isinstance(first, Gaussian) and isinstance(second, Gaussian) and first.means != second.means:
        with_means = "first" if first.means else "second"
        raise InputError(
            f"only the {with_means} model has means; models of the same coordinates are compared: give both means, or none (means off)"
        )
    given = [model.given if isinstance(model, Network) else () for model in (first, second)]
    if set(given[0]) != set(given[1]):
        raise InputError(
            f"given are {listed(given[0]) or 'none'} and {listed(given[1]) or 'none'}; models under the same conditions are compared"
        )
    return first, in_order(second, list(observed_of(first)))


def conditional_network(model: Classifier) -> Network:
    """The network over the class given the inputs that a classifier stands for (HM97 §2)."""
    label = next(variable for variable in model.variables if variable.name == model.label)
    if not model.inputs:
        return Network((label,))
    states = model.states
    roots = (Variable(name, states[name]) for name in model.inputs)
    own = Variable(model.label, model.classes, parents=model.inputs, local=Embedded(model))
    return Network((*roots, own), model.inputs)


def one_class(model: LatentProfile) -> Gaussian | LatentProfile:
    """The Gaussian model that a mixture of one normal distribution is; anything else as it is."""
    if model.classes != 1 or model.categorical:
        return model
    names = [item.name for item in model.continuous]
    pairs = tuple(combinations(names, 2)) if model.full else ()
    return Gaussian(tuple(map(GaussianVariable, names)), bidirected=pairs)


def observed_of(model: Any) -> Mapping[str, Any]:
    """What is observed, with the number of states, in order."""
    if isinstance(model, Polynomial):
        return {coordinate.name: None for coordinate in model.coordinates}
    if isinstance(model, Additive):
        return {**{one.name: one.states for one in model.network.observed}, model.effect: None}
    return {variable.name: getattr(variable, "states", None) for variable in model.observed}


def reduced_model(model: AnyModel, *, as_larger: bool) -> tuple[AnyModel, Trust | None]:
    """The model without hidden variables that cannot matter, sigmoid variables as good as tables as such; and why that is allowed.

    What is removed may keep the rest from some values. Without it a model has more distributions, which does no harm to the
    smaller one of two; the larger one keeps such variables.
    """
    smaller, removed = without_irrelevant(model)
    if (isinstance(model, Network) and any(ties_others(one) for one in model.variables if one.name in removed)) or (
        as_larger and isinstance(model, Gaussian) and binds_errors(model, frozenset(removed))
    ):
        smaller, removed = model, ()
    trusts = [*why_removed(model.family, removed)]
    if isinstance(smaller, Network):
        smaller, full = with_free_tables(smaller)
        trusts += why_free(full)
    return smaller, trust_in_all(trusts) if trusts else None


def ties_others(variable: Variable) -> bool:
    """Whether entries have names or a shared table, so that what is said of them here matters elsewhere."""
    return isinstance(variable.local, Table) and bool(variable.local.equal or variable.local.share)


def binds_errors(model: Gaussian, names: frozenset[str]) -> bool:
    """Whether a covariance of these variables' errors cannot be 0: then other variances may have to be greater for it."""
    known = [entry for entry, value in model.fixed if value] + [entry for entry, _ in model.equal]
    return any(entry[0] == "c" and not names.isdisjoint(entry[1:]) for entry in known)


def check_variables(first: AnyModel, second: AnyModel) -> None:
    """Raise unless the models observe the same variables with the same states."""
    sizes = [observed_of(model) for model in (first, second)]
    if sizes[0] != sizes[1]:
        texts = [listed(f"{name} ({size})" if size else name for name, size in one.items()) for one in sizes]
        if isinstance(first, Polynomial):
            raise InputError(
                f"the first model has the coordinates {texts[0]}, the second {texts[1]}; maps to the same coordinates are compared"
            )
        raise InputError(
            f"the first model observes {texts[0]}, the second {texts[1]}; models of the same variables are compared"
        )


def in_order(model: AnyModel, names: Sequence[str]) -> AnyModel:
    """A model with its observed variables in this order, hidden ones behind them."""
    if isinstance(model, Polynomial):
        known = {coordinate.name: coordinate for coordinate in model.coordinates}
        return replace(model, coordinates=tuple(known[name] for name in names))
    if isinstance(model, LatentProfile):
        items = {item.name: item for item in model.items}
        return replace(model, items=tuple(items[name] for name in names))
    if not isinstance(model, Network | Gaussian | LogLinear):
        return model
    by_name: dict[str, Any] = {variable.name: variable for variable in model.variables}
    ordered = (*(by_name[name] for name in names), *model.hidden)
    return cast("AnyModel", replace(model, variables=cast("Any", ordered)))
