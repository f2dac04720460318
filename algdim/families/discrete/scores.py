"""What scores need of discrete networks: chains of latent class models for sBIC, priors of tables, cells."""

from __future__ import annotations

from algdim.errors import InputError
from algdim.families.contract import Scoring
from algdim.families.discrete.bounds.latentclass import rooted, with_classes
from algdim.families.discrete.model import Network
from algdim.scores.chains import Chain, half_dimensions
from algdim.scores.singular import latent_class_coefficients


def chain_of(model: Network) -> Chain:
    """The latent class models with fewer classes."""
    if not model.hidden:
        return Chain((), half_dimensions)
    try:
        root = rooted(model)
    except InputError:
        raise InputError(
            "sbic is for latent class models with free tables, for factors, and for models without hidden variables"
        ) from None
    width = sum(item.states - 1 for item in root.observed)
    below = tuple(with_classes(root, classes) for classes in range(1, root.hidden[0].states))
    return Chain(below, lambda dimensions: latent_class_coefficients(dimensions, width))


SCORING = Scoring(chain=chain_of, takes_prior=lambda prior: True, is_network=True)  # noqa: ARG005 (every prior of tables)
