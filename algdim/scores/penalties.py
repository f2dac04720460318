"""BIC and Draper's score: a log-likelihood less half the dimension times the logarithm of the number of cases.

With the number of parameters as dimension they are the papers' BIC and Draper, with the effective dimension BIC+ and Draper+.
"""

from __future__ import annotations

from math import log, pi


def bic(loglik: float, dimension: int, size: float) -> float:
    """CH96 Eq. 9 (KZ02 §2.3): log p(D|θ) − d/2 · log N.

    >>> round(bic(-100.0, 4, 50.0), 6)
    -107.824046
    """
    return loglik - dimension / 2 * log(size)


def draper(loglik: float, dimension: int, size: float) -> float:
    """CH96 Eq. 10: BIC with the term d/2 · log 2π kept.

    >>> round(draper(-100.0, 4, 50.0) - bic(-100.0, 4, 50.0), 6)
    3.675754
    """
    return bic(loglik, dimension, size) + dimension / 2 * log(2 * pi)
