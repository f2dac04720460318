"""Variables that cannot matter: a hidden variable without observed descendants drops out, in every family that has any."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from algdim.errors import listed
from algdim.models import gaussiancycles, loglinear
from algdim.models.anymodel import AnyModel
from algdim.models.network import Network
from algdim.trust import Trust, proved_by

Model = TypeVar("Model", bound=AnyModel)


def without_irrelevant(model: Model) -> tuple[Model, tuple[str, ...]]:
    """Remove hidden variables without observed descendants (KZ02 §1's O → X); also return their names.

    >>> from algdim.models.notation import parse
    >>> smaller, removed = without_irrelevant(parse("O -> X; hidden X"))
    >>> [variable.name for variable in smaller.variables], removed
    (['O'], ('X',))
    """
    if model.family not in FAMILIES:
        return model, ()
    smaller, removed = FAMILIES[model.family](model)
    return smaller, removed


def why_removed(family: str, removed: Sequence[str]) -> tuple[Trust, ...]:
    """Trust that nothing observed changes when these are removed, as `without_irrelevant` does; none where nothing is.

    >>> from algdim.models.notation import parse
    >>> [trust.facts for trust in why_removed("discrete", without_irrelevant(parse("O -> X; hidden X"))[1])]
    ['X: hidden, without observed descendants']
    """
    if not removed:
        return ()
    lemma, why = LEMMAS[family]
    return (proved_by(lemma, f"{listed(removed)}: hidden, {why}"),)


def discrete(model: Network) -> tuple[Network, tuple[str, ...]]:
    """The same for a discrete network: the sum over a variable without observed descendants is one."""
    relevant = ancestors(model, tuple(variable.name for variable in model.observed))
    removed = tuple(variable.name for variable in model.variables if variable.name not in relevant)
    if not removed:
        return model, ()
    kept = tuple(variable for variable in model.variables if variable.name in relevant)
    return Network(kept, model.given), removed


def ancestors(model: Network, names: tuple[str, ...]) -> frozenset[str]:
    """The variables named and all their ancestors."""
    parents = {variable.name: variable.parents for variable in model.variables}
    found, waiting = set(names), list(names)
    while waiting:
        for parent in parents[waiting.pop()]:
            if parent not in found:
                found.add(parent)
                waiting.append(parent)
    return frozenset(found)


FAMILIES: Mapping[str, Callable[[Any], tuple[Any, tuple[str, ...]]]] = {
    "discrete": discrete,
    "gaussian": gaussiancycles.without_irrelevant,
    "loglinear": loglinear.without_irrelevant,
}
"""What removes such variables from a model; families that are not named have none."""

WITHOUT_DESCENDANTS = "without observed descendants"
LEMMAS: Mapping[str, tuple[str, str]] = {
    "discrete": ("irrelevant variables", WITHOUT_DESCENDANTS),
    "gaussian": ("irrelevant latent variables", WITHOUT_DESCENDANTS),
    "loglinear": ("log-linear", "joined to no observed variable"),
}
"""The lemma that allows it, and what it supposes."""
