"""What a search for an upper bound of a Gaussian model starts from, and the point at which it looks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from algdim.bound.counting import Complete, make_saturated
from algdim.bound.searches import SearchSetting
from algdim.errors import LimitError
from algdim.exact.arithmetic import RESIDUE_BITS, Array, Residues, SingularError
from algdim.exact.draws import draw_residues, open_stream
from algdim.exact.primes import draw_prime
from algdim.families.gaussian.evaluation import evaluate_covariance
from algdim.families.gaussian.map import GaussianMap
from algdim.figures import format_count

MOST_POINTS = 100


GaussianSetting = SearchSetting[GaussianMap]


@dataclass(frozen=True, slots=True, eq=False)
class GaussianPoint:
    """A point modulo a prime with Σ and μ of all variables, as balanced residues, and how point and prime were drawn."""

    prime: int
    label: str
    values: NDArray[np.int64]
    covariance: Array
    mean: Array

    @property
    def field(self) -> Residues:
        """The arithmetic."""
        return Residues(self.prime)


def draw_gaussian_point(setting: GaussianSetting, use: str) -> GaussianPoint:
    """Draw a prime that divides no fixed entry's denominator, and a point at which the map has a value."""
    gmap = setting.pmap
    denominators = gmap.denominators()
    for number in range(MOST_POINTS):
        labels = (*setting.labels, use, number)
        prime = draw_prime(open_stream(setting.seed, "prime", *labels), RESIDUE_BITS)
        if any(denominator % prime == 0 for denominator in denominators):
            continue
        values = draw_residues(open_stream(setting.seed, "point", *labels), prime, len(gmap.parameters))
        try:
            covariance, mean = evaluate_covariance(gmap, prime, values)
        except SingularError:
            continue
        return GaussianPoint(prime, "|".join(str(label) for label in labels), values, covariance, mean)
    raise LimitError(f"the map has no value at {MOST_POINTS} points drawn; fix other coefficients on the cycles")


def compute_saturated_dimension(gmap: GaussianMap, seed: int | str) -> Complete:
    """The dimension of all covariance matrices, with all means if the model has means."""
    del seed
    return make_saturated(gmap.complete, describe_coordinate_counts(gmap))


def describe_coordinate_counts(gmap: GaussianMap) -> str:
    """How many there are."""
    means = f", {format_count(gmap.means, 'mean')}" if gmap.means else ""
    # one entry is the variance of a single variable
    entries = format_count(gmap.covariances, "variance" if gmap.covariances == 1 else "variances and covariance")
    return f"{entries}{means}"
