"""What identifies the parameters of Gaussian models: the half-trek criterion, the units of latent variables, equal covariances."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from algdim.errors import LimitError
from algdim.exact.algebras import Equation
from algdim.families.contract import Identifying
from algdim.families.gaussian.family import half_trek_note
from algdim.families.gaussian.halftrek import IDENTIFIABLE, MOST_VARIABLES, half_trek, is_about_half_treks
from algdim.families.gaussian.map import GaussianMap
from algdim.families.gaussian.model import Gaussian
from algdim.families.gaussian.solutions import SameCovariances, same_covariances
from algdim.families.gaussian.units import units_of
from algdim.identifiability.solutions import FEW, Count, System, at_points, proved_count, written_out
from algdim.report import Report
from algdim.trust import Remark, proved_by


def by_half_treks(model: Gaussian, gmap: GaussianMap, seed: int | str) -> Count | None:
    """One solution, where the half-trek criterion says it."""
    del model, seed
    if not is_about_half_treks(gmap) or len(gmap.model.variables) > MOST_VARIABLES:
        return None
    found = half_trek(gmap.model)
    if found.verdict != IDENTIFIABLE or found.trust is None:
        return None
    how = "the half-trek criterion: every entry is a rational function of the covariances"
    return Count(1, how, found.trust)


def count_solutions(gmap: GaussianMap, seed: int | str, piece: int) -> Count | None:
    """The number of solutions where everything is observed, by the equations of the coefficients alone."""
    if gmap.model.hidden:
        return None
    return few_entries(gmap) or at_points(gaussian_system(gmap), len(gmap.parameters), gmap.denominators(), seed, piece)


def few_entries(gmap: GaussianMap) -> Count | None:
    """The number of solutions of a small Gaussian model, with a proof, or of one without unknown coefficients."""
    if not any(entry[0] == "b" for entry in gmap.number_of):
        how = "variances, covariances and intercepts follow from those of the variables"
        return Count(1, how, proved_by("half-trek", "no coefficient is free"))
    if not gmap.is_polynomial or len(gmap.parameters) > FEW:
        return None
    try:
        return proved_count(*written_out(gmap))
    except LimitError:
        return None


def gaussian_system(gmap: GaussianMap) -> System:
    """The equations of all coefficients with the same covariances and means; where there are cycles, det(I − B) ≠ 0."""

    def at(point: Sequence[int], prime: int) -> tuple[Sequence[Equation], int, Sequence[Equation]] | None:
        found: SameCovariances | None = same_covariances(gmap, point, prime)
        return None if found is None else (found.equations, found.count, found.determinants)

    return at


def beside(model: Gaussian, gmap: GaussianMap, report: Report) -> Iterator[Remark]:
    """What the half-trek criterion says."""
    del model, report
    note = half_trek_note(gmap)
    if note.text:
        yield note


IDENTIFYING = Identifying(by_theorem=by_half_treks, solutions=count_solutions, beside=beside, units=units_of)
