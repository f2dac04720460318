"""The dimension of a small model of any family by the brute forces of the tests, which share no code with the engine."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import brute
import brute_additive
import brute_classifier
import brute_gaussian
import brute_loglinear
import brute_polynomial
import brute_profile
import brute_sigmoid

from algdim.families.additive.map import build_additive_map
from algdim.families.discrete.model import Network
from algdim.families.polynomial.expressions import NamedParameter, Number, Power, Product, Quotient, Sum

MOST_OF_A_CYCLE = 4
"""Variables of a cyclic Gaussian model, whose inverse is by Leibniz' formula."""


def dimension(model: Any) -> int | None:
    """The dimension, or ``None`` where no brute force knows all that the model has."""
    found: int | None = discrete(model) if isinstance(model, Network) else OTHERS[model.family](model)
    return found


def discrete(model: Network) -> int | None:
    """By loops over joint states."""
    kinds = {variable.local.kind for variable in model.variables}
    special = any(getattr(v.local, "fixed", ()) or getattr(v.local, "equal", ()) for v in model.variables)
    if "classifier" in kinds:
        plain = not special and not model.given and not any(variable.local.share for variable in model.variables)
        return brute_classifier.network_rank(model) if plain and kinds <= {"classifier", "table"} else None
    if "sigmoid" in kinds:
        return None if special else brute_sigmoid.dimension(model)
    return brute.dimension(model)


def gaussian(model: Any) -> int | None:
    """By treks, or by Leibniz' formula."""
    if not brute_gaussian.is_acyclic(model) and len(model.variables) > MOST_OF_A_CYCLE:
        return None
    try:
        return brute_gaussian.dimension(model)
    except ZeroDivisionError:
        return None


def profile(model: Any) -> int:
    """By Isserlis' sums."""
    point = brute_profile.random_point(model, 1)
    moments = brute_profile.moments_at(model, point, model.order)
    return brute.rank([[brute.residue(one.slopes.get(name, 0)) for name in point] for one in moments])


def tree_of(formula: Any) -> Any:
    """A formula as the tree that brute_polynomial reads."""
    match formula:
        case Number(value):
            return value if value.denominator == 1 else ("/", Fraction(value.numerator), Fraction(value.denominator))
        case NamedParameter(name):
            return name
        case Sum(terms):
            return chained("+", [tree_of(term) for term in terms])
        case Product(factors):
            return chained("*", [tree_of(factor) for factor in factors])
        case Power(base, exponent):
            return "^", tree_of(base), exponent
        case Quotient(above, below):
            return "/", tree_of(above), tree_of(below)
    raise TypeError(formula)


def chained(operation: str, trees: list[Any]) -> Any:
    """One operation on several trees."""
    first, *rest = trees
    for other in rest:
        first = operation, first, other
    return first


def polynomial(model: Any) -> int:
    """By dual numbers."""
    return brute_polynomial.dimension(model.parameters, [tree_of(one.formula) for one in model.coordinates])


OTHERS = {
    "gaussian": gaussian,
    "classifier": brute_classifier.dimension,
    "loglinear": brute_loglinear.dimension,
    "latent-profile": profile,
    **dict.fromkeys(
        ("poisson", "normal"), lambda model: brute_additive.dimension(model, build_additive_map(model).order)
    ),
    "polynomial": polynomial,
}
