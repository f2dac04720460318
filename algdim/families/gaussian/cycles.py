"""The directed part of a Gaussian model: cycles, orders, and what reaches the observed variables."""

from __future__ import annotations

from algdim.families.gaussian.model import Gaussian
from algdim.models.components import finished, neighbours, strong_components


def model_components(model: Gaussian) -> tuple[tuple[str, ...], ...]:
    """The strongly connected components of the directed part of a model, parents first."""
    return strong_components([variable.name for variable in model.variables], model.edges)


def has_cycle(model: Gaussian) -> bool:
    """Whether the directed edges have a cycle; those fixed to 0 count as edges."""
    return any(len(members) > 1 for members in model_components(model))


def without_irrelevant(model: Gaussian) -> tuple[Gaussian, tuple[str, ...]]:
    """Remove latent variables from which no directed path leads to an observed one; also return their names.

    Let D be these variables and A the others. No edge leads from D to A, so I − B is block triangular, and the columns
    of its inverse that belong to observed variables vanish on D and are those of (I − B_AA)⁻¹ on A. So no number of a
    variable in D, neither its intercept nor its error's variance and covariances, occurs in the observed covariances
    and means, with cycles or without.
    """
    names = [variable.name for variable in model.variables]
    back = neighbours(names, [(end, start) for start, end in model.edges])
    kept = set(finished([variable.name for variable in model.observed], back, set()))
    removed = tuple(name for name in names if name not in kept)
    if not removed:
        return model, ()
    smaller = Gaussian(
        tuple(variable for variable in model.variables if variable.name in kept),
        tuple(edge for edge in model.edges if kept.issuperset(edge)),
        tuple(edge for edge in model.bidirected if kept.issuperset(edge)),
        model.means,
        tuple((entry, value) for entry, value in model.fixed if kept.issuperset(entry[1:])),
        tuple((entry, label) for entry, label in model.equal if kept.issuperset(entry[1:])),
    )
    return smaller, removed
