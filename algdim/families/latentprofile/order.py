"""Which moments are taken: those up to the order that a model states, or else up to the least one that shows all parameters."""

from __future__ import annotations

from math import comb

import numpy as np

from algdim.errors import LimitError
from algdim.exact.arithmetic import RESIDUE_BITS, Array, Residues
from algdim.exact.draws import draw_residues, open_stream
from algdim.exact.primes import draw_prime
from algdim.exact.ranks import rank_mod
from algdim.families.latentprofile.evaluation import MomentEvaluator, list_moments
from algdim.families.latentprofile.map import MomentMap, count_moments, count_parameters, name_parameters
from algdim.families.latentprofile.model import MOST_ORDER, LatentProfile
from algdim.figures import format_count, format_integer
from algdim.jacobian import evaluate_jacobian

MOST_MOMENTS = 50_000
"""Of one map; all of them are evaluated."""

MOST_POWERS = 1 << 24
"""Moments times continuous items: the exponents are held as a matrix."""

MOST_PARAMETERS = 100_000

MOST_SEARCHED = 5000
"""With more parameters no order is searched for."""

LEAST_BLOCK = 1024


def get_moment_map(model: LatentProfile) -> MomentMap:
    """The map of a model to its moments up to the order that it states, or else that is found.

    >>> from algdim.families.latentprofile.model import ProfileVariable
    >>> found = get_moment_map(LatentProfile("H", 2, (ProfileVariable("X"),)))
    >>> found.parameters
    ('P(H=0)', 'm(X|H=0)', 'm(X|H=1)', 'v(X|H=0)', 'v(X|H=1)')
    >>> found.order
    5
    """
    count = count_parameters(model)
    if count > MOST_PARAMETERS:
        raise LimitError(f"the model has {format_integer(count)} parameters; at most {MOST_PARAMETERS} are allowed")
    if model.order is not None:
        check_moments(model, model.order)
        return MomentMap(model, model.order, name_parameters(model))
    return find_least_order(model)


def explain_too_many_moments(model: LatentProfile, order: int) -> str:
    """Why there are too many moments up to an order; nothing if there are not."""
    count, items = count_moments(model, order), len(model.continuous)
    if count > MOST_MOMENTS or comb(items + order, order) * items > MOST_POWERS:
        return (
            f"there are {format_integer(count)} moments of {format_count(items, 'continuous item')} up to order {order}; at most "
            f"{MOST_MOMENTS} moments are allowed, and {MOST_POWERS} exponents"
        )
    return ""


def check_moments(model: LatentProfile, order: int) -> None:
    """Refuse too many moments."""
    reason = explain_too_many_moments(model, order)
    if reason:
        raise LimitError(f"{reason}; take a smaller order or a smaller model")


def find_least_order(model: LatentProfile) -> MomentMap:
    """The map to the moments up to the least order at which they have, at a drawn point, the rank of all parameters.

    Prime and point are always the same ones, so that the order belongs to the model and not to a seed.
    """
    check_moments(model, 1)
    parameters = name_parameters(model)
    shown = format_count(len(parameters), "parameter")
    if len(parameters) > MOST_SEARCHED:
        raise LimitError(
            f"the model has {shown}; with more than {MOST_SEARCHED} no order of moments is searched for; "
            "state one, as in 'moments 3', to have the dimension of these moments"
        )
    prime = draw_prime(open_stream(0, "order", "prime"), RESIDUE_BITS)
    point = draw_residues(open_stream(0, "order", "point"), prime, len(parameters))
    order, reason = 0, ""
    while not reason:
        order += 1
        candidate = MomentMap(model, order, parameters)
        if candidate.complete >= len(parameters) and has_full_rank(candidate, prime, point):
            return candidate
        reason = (
            explain_too_many_moments(model, order + 1)
            if order < MOST_ORDER
            else f"at most order {MOST_ORDER} is allowed"
        )
    raise LimitError(
        f"the moments up to order {order} do not show all {shown}, and {reason}; "
        f"state an order, as in 'moments {order}', to have the dimension of these moments"
    )


def has_full_rank(pmap: MomentMap, prime: int, point: Array) -> bool:
    """Whether the Jacobian at a point has as many independent rows as there are parameters, some rows at a time.

    No more than three matrices with as many rows as parameters exist at once.
    """
    arithmetic, width = Residues(prime), len(pmap.parameters)
    evaluator, numbers = MomentEvaluator(pmap), arithmetic.elements(point)
    basis = arithmetic.elements(np.zeros((0, width), dtype=np.int64))
    block = max(width // 2, LEAST_BLOCK)
    for start in range(0, pmap.coordinate_count, block):
        some = range(start, min(start + block, pmap.coordinate_count))
        coordinates = list_moments(pmap.coordinate_count)
        rows = evaluate_jacobian(pmap, arithmetic, numbers, coordinates, evaluator=evaluator, rows=some)
        basis = np.vstack([basis, rows])
        rank = rank_mod(basis, prime)
        if rank.value == width:
            return True
        basis = basis[list(rank.rows)]
    return False
