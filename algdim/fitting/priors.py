"""Priors of the parameters, and what EM adds to the expected counts.

Every row of a table has a Dirichlet distribution (CH96 Eq. 3). Entries that are equal, of one table used twice or by name,
are one parameter and have the prior once. The mode depends on the coordinates (MH97 footnote 2): of the density of the
probabilities themselves EM adds α − 1 to each expected count (CH96 §2), of the density of their logarithms it adds α.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from algdim.errors import InputError, listed, meant

ML = "ml"
DIRICHLET = "alpha"
BDEU = "ess"
PROBABILITY = "probability"
SOFTMAX = "softmax"
COORDINATES = (PROBABILITY, SOFTMAX)

FORM = re.compile(r"(alpha|ess)=([0-9.eE+-]{1,30})")


@dataclass(frozen=True, slots=True)
class Prior:
    """No prior (`ml`), the same α for every entry (`alpha`), or BDeu with an equivalent sample size (`ess`)."""

    kind: str = ML
    amount: float = 0.0
    coordinates: str = PROBABILITY

    def __post_init__(self) -> None:
        if self.kind not in (ML, DIRICHLET, BDEU):
            raise InputError(f"the prior {self.kind!r} is not known; known are {ML}, {DIRICHLET} and {BDEU}")
        if self.coordinates not in COORDINATES:
            raise InputError(
                f"the coordinates {self.coordinates!r} are not known{meant(str(self.coordinates), COORDINATES)}; known are {listed(COORDINATES)}"
            )
        if self.kind != ML and not (self.amount > 0 and isfinite(self.amount)):
            raise InputError(f"the prior {self.kind}={self.amount}: a positive number is allowed")

    def __str__(self) -> str:
        """Print the prior as `prior_of` reads it."""
        if self.kind == ML:
            return ML
        return f"{self.kind}={self.amount:g}" + (f", {SOFTMAX} coordinates" if self.coordinates == SOFTMAX else "")

    def alpha(self, shape: tuple[int, ...]) -> NDArray[np.float64]:
        """The exponents of one table's rows: α, or for BDeu the equivalent sample size spread over the table."""
        return np.full(shape, self.amount / np.prod(shape) if self.kind == BDEU else self.amount)

    @property
    def less(self) -> float:
        """What is taken off α in these coordinates."""
        return 1.0 if self.coordinates == PROBABILITY else 0.0


def prior_of(prior: Prior | str, coordinates: str = PROBABILITY) -> Prior:
    """The prior of a text: `ml`, `alpha=1.01` (Dirichlet on every row) or `ess=1` (BDeu).

    >>> prior_of("alpha=1.01")
    Prior(kind='alpha', amount=1.01, coordinates='probability')
    """
    if isinstance(prior, Prior):
        return prior
    if prior == ML:
        return Prior(ML, 0.0, coordinates)
    match = FORM.fullmatch(prior) if isinstance(prior, str) else None
    if match is None:
        raise InputError(
            f"the prior {prior!r} is not known{meant(str(prior).partition('=')[0], (DIRICHLET, BDEU, ML))}; write ml, alpha=A (Dirichlet) or ess=S (BDeu)"
        )
    try:
        amount = float(match[2])
    except ValueError:
        raise InputError(f"the prior {prior!r}: {match[2]} is not a number") from None
    return Prior(match[1], amount, coordinates)
