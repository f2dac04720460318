"""SBIC (Drton and Plummer 2017), and the learning coefficients that it and the exact theory of singular models know.

If the truth lies in a smaller model j, the marginal likelihood of model i falls like N^(−λ) · (log N)^(m−1), where the
learning coefficient λ is at most half the effective dimension and often less. Which j is true is not known: sBIC averages
over all of them, weighted by the scores themselves, and solves for these. All is done with logarithms. The models stand in
a chain, each within the next: latent classes, and factors of normal variables.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import exp, inf, log, log1p
from typing import NamedTuple

from algdim.errors import InputError, join_names
from algdim.families import load_scoring
from algdim.models.anymodel import AnyModel

HALF = Fraction(1, 2)


class Coefficient(NamedTuple):
    """A learning coefficient λ and its multiplicity m."""

    value: Fraction
    multiplicity: int = 1

    def log_factor(self, size: float) -> float:
        """The logarithm of N^(−λ) · (log N)^(m−1)."""
        more = (self.multiplicity - 1) * log(log(size)) if self.multiplicity > 1 else 0.0
        return more - float(self.value) * log(size)


def compute_sbic(logliks: Sequence[float], coefficients: Sequence[Sequence[Coefficient]], size: float) -> list[float]:
    """The scores of a chain of models, each within the next.

    ``logliks[i]`` is the greatest log-likelihood of model i, ``coefficients[i][j]`` for j ≤ i the coefficient of model i
    where the truth is a general point of model j. All models have the same prior probability.

    >>> one = Coefficient(Fraction(1)), Coefficient(Fraction(3, 2))
    >>> [round(value, 6) for value in compute_sbic([-10.0, -10.0], [one[:1], one[::-1]], 1.0)]
    [-10.0, -10.0]
    """
    scores: list[float] = []
    for loglik, row in zip(logliks, coefficients, strict=True):
        *below, own = (loglik + coefficient.log_factor(size) for coefficient in row)
        scores.append(
            solve_log_quadratic(
                own, compute_log_sum(scores), compute_log_sum([a + b for a, b in zip(below, scores, strict=True)])
            )
        )
    return scores


def solve_log_quadratic(own: float, total: float, mixed: float) -> float:
    """The logarithm of the positive root x of x² + (S − A)x = C, given log A, log S and log C; nothing cancels.

    >>> round(exp(solve_log_quadratic(log(2), log(1), log(6))), 9)
    3.0
    """
    if mixed == -inf:
        return own
    high, low = max(own, total), min(own, total)
    apart = high + log1p(-exp(low - high)) if high > low else -inf
    larger = compute_log_sum([apart, compute_log_sum([2 * apart, log(4) + mixed]) / 2])
    return larger - log(2) if own >= total else log(2) + mixed - larger


def compute_log_sum(values: Sequence[float]) -> float:
    """The logarithm of a sum of exponentials."""
    most = max(values, default=-inf)
    return most if most == -inf else most + log(sum(exp(value - most) for value in values))


def bound_class_coefficients(dimensions: Sequence[int], width: int) -> list[list[Coefficient]]:
    """Upper bounds of λ for latent class models with 1, 2, … classes, the truth having j ≤ i of them.

    ``dimensions`` are the effective ones, ``width`` is Σ(r − 1) over the items. A class too many costs φ if its
    weight is 0, and the width if it equals another class. As in the R package sBIC, φ is (width + 1)/2.

    >>> [[str(one.value) for one in row] for row in bound_class_coefficients([4, 9, 13], 4)]
    [['2'], ['13/4', '9/2'], ['9/2', '23/4', '13/2']]
    """
    phi = Fraction(width + 1, 2)
    return [
        [
            Coefficient(
                HALF * min(dimensions[j - 1] + phi * (i - j), Fraction(width * i + j - 1), Fraction(dimensions[i - 1]))
            )
            for j in range(1, i + 1)
        ]
        for i in range(1, len(dimensions) + 1)
    ]


def compute_factor_coefficient(items: int, factors: int, true: int) -> Coefficient:
    """The coefficient of a Gaussian model with this many factors where the truth has fewer (Drton and Plummer 2017, §5.3).

    >>> [str(compute_factor_coefficient(6, 2, true).value) for true in range(3)]
    ['6', '29/4', '17/2']
    """
    if not 0 <= true <= factors:
        raise InputError(f"{true} of {factors} factors are true; a number from 0 to {factors} is allowed")
    return Coefficient(Fraction((factors + 2) * items + true * (items - factors + 1), 4))


REGULAR, PAIR, INDEPENDENT = "regular", "pair", "independent"
TRUTHS = (REGULAR, PAIR, INDEPENDENT)


def compute_naive_bayes_coefficient(items: int, truth: str) -> Coefficient:
    """The exact coefficient of two classes with binary items (Rusakov and Geiger 2005), the prior being positive.

    The truth is ``regular``, has exactly one ``pair`` of dependent items, or all items are ``independent``.

    >>> (
    ...     [str(compute_naive_bayes_coefficient(3, truth).value) for truth in TRUTHS],
    ...     compute_naive_bayes_coefficient(2, INDEPENDENT),
    ... )
    (['7/2', '5/2', '2'], Coefficient(value=Fraction(3, 2), multiplicity=3))
    """
    if truth not in TRUTHS or items < 1:
        raise InputError(f"{items} items, {truth!r}: at least one item and one of {join_names(TRUTHS)} are known")
    if items == 1:
        return Coefficient(HALF)
    if items == 2:
        return Coefficient(Fraction(3, 2), 3 if truth == INDEPENDENT else 1)
    numerator = {REGULAR: 2 * items + 1, PAIR: 2 * items - 1, INDEPENDENT: items + 1}
    return Coefficient(Fraction(numerator[truth], 2))


CoefficientRows = list[list[Coefficient]]


@dataclass(frozen=True, slots=True)
class Chain:
    """The models below one, smallest first, and the coefficients of all of them by their dimensions."""

    below: tuple[AnyModel, ...]
    coefficients: Callable[[Sequence[int]], CoefficientRows]


def build_chain(model: AnyModel) -> Chain:
    """The chain that ends at a latent class model, a factor model, or a model without hidden variables.

    >>> from algdim.models.notation import parse, to_text
    >>> [to_text(one) for one in build_chain(parse("3:2,2,2,2")).below]
    ['1:2,2,2,2', '2:2,2,2,2']
    >>> [to_text(one) for one in build_chain(parse("gaussian: F -> X, Y, Z; hidden F")).below]
    ['gaussian: X, Y, Z']
    """
    chain = load_scoring(model.family).find_chain
    if chain is None:
        raise InputError(f"sbic is for latent class models and factors, not for the family {model.family}")
    found: Chain = chain(model)
    return found


def compute_regular_coefficients(dimensions: Sequence[int]) -> CoefficientRows:
    """The coefficients of models that are regular."""
    return [[Coefficient(HALF * dimension) for dimension in dimensions]]
