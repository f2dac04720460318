"""How Gaussian models are compared: maps of entries in order, minors that fail, and where one variance is at its end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, cast

from algdim.errors import InputError
from algdim.exact.draws import point_text, where_drawn
from algdim.exact.rationals import first_bad_minor, without
from algdim.explanation.evidence import Embedding, Refutation, by_forms, failing, matches
from algdim.explanation.standing import values_of
from algdim.families.contract import Comparing
from algdim.families.gaussian.constraints import equations_of
from algdim.families.gaussian.covarianceequations import value_and_gradient
from algdim.families.gaussian.embeddings import by_covariances, by_entries, by_regressions
from algdim.families.gaussian.equations import texts_of
from algdim.families.gaussian.family import DOMAIN, error_covariances
from algdim.families.gaussian.map import GaussianMap
from algdim.families.gaussian.model import Gaussian
from algdim.families.gaussian.search import GaussianSetting, gaussian_point
from algdim.report import Report, of_both
from algdim.trust import Trust, proved_by, trust_in_all

SIZE = 3
"""Minors of Gaussian models have up to so many rows."""


def check_means(first: Gaussian, second: Gaussian) -> None:
    """Raise if only one model has means."""
    if first.means != second.means:
        with_means = "first" if first.means else "second"
        raise InputError(
            f"only the {with_means} model has means; models of the same coordinates are compared: give both means, or none (means off)"
        )


def binds_errors(model: Gaussian, names: frozenset[str]) -> bool:
    """Whether a covariance of these variables' errors cannot be 0: then other variances may have to be greater for it."""
    known = [entry for entry, value in model.fixed if value] + [entry for entry, _ in model.equal]
    return any(entry[0] == "c" and not names.isdisjoint(entry[1:]) for entry in known)


def by_matched_entries(first: GaussianMap, second: GaussianMap) -> Embedding | None:
    """The map that carries entries over, for the first way in which latent variables stand for each other that has one."""
    hidden = ([variable.name for variable in gmap.model.hidden] for gmap in (first, second))
    return next(filter(None, (by_entries(first, second, match) for match in matches(*hidden))), None)


def refutations(first: GaussianMap, second: GaussianMap, seed: int | str) -> Iterator[Refutation | None]:
    """Minors, pentads and means, then other equations between covariances that are polynomials."""
    yield failing_minor(first, second, seed)
    yield from by_forms(first, second, seed)


def failing_minor(first: GaussianMap, second: GaussianMap, seed: int | str) -> Refutation | None:
    """A vanishing minor, pentad or mean of the second model that does not vanish on the first."""
    found = equations_of(second, SIZE, seed)
    at = gaussian_point(GaussianSetting(first, 0, seed), "compare")
    names = [variable.name for variable in second.model.variables]
    places = [
        first.place[name] if variable.observed else None
        for name, variable in zip(names, second.model.variables, strict=True)
    ]
    covariance = [
        [0 if i is None or j is None else int(at.covariance[i, j]) % at.prime for j in places] for i in places
    ]
    for equation in found.equations:
        if equation.kind == "zero mean":
            place = places[equation.rows[0]]
            value = 0 if place is None else int(at.mean[place]) % at.prime
        else:
            value, _ = value_and_gradient(equation, covariance, at.prime, len(names))
        if value:
            where = where_drawn(point_text(seed, at.label), at.prime)
            return failing(texts_of(equation, names)[0], where, equation.trust)
    return None


def mixture_of(
    found: Embedding,
    images: Sequence[tuple[Any, Sequence[Fraction]]],
    ranks: Sequence[int],
    small: Report,
    large: Report,
) -> tuple[str, Trust] | None:
    """The mixture ½χ²(q − 1) + ½χ²(q), if all is checked that lemma "one variance at its end" supposes."""
    first, second = cast("GaussianMap", found.first), cast("GaussianMap", found.second)
    if not (small.exact and large.exact):
        return None
    width = len(second.parameters)
    if not has_linear_coordinates(second) or large.dimension != width or not ranks or max(ranks) < width:
        return None
    q = large.dimension - small.dimension
    is_face = q == 1
    is_flat = has_linear_coordinates(first) and small.dimension == len(first.parameters)
    variances = sorted(DOMAIN.not_negative(second))
    zero = {tuple(number for number in variances if not image[number]) for _, image in images}
    if not (is_face or is_flat) or len(zero) != 1 or len(next(iter(zero))) != 1:
        return None
    number = next(iter(next(iter(zero))))
    if number not in found.zeros:  # 0 at the points drawn, which proves nothing of others
        return None
    members = [entry[1] for entry, n in second.number_of.items() if n == number and entry[0] == "v"]
    if any(name in entry[1:] for entry in second.model.entries if entry[0] == "c" for name in members):
        return None
    fixed_zero = {
        second.place[name] for (kind, name, *_), value in second.value_of.items() if kind == "v" and not value
    }
    for point, image in images:
        if first_bad_minor(covariances(first, point)) is not None:
            return None
        rest = without(error_covariances(second, image), {second.place[name] for name in members} | fixed_zero)
        if first_bad_minor(rest) is not None:
            return None
    name = second.parameters[number]
    facts = (
        f"Σ and μ are linear in the {width} parameters of the larger model, of rank {width}; under the map {name} = 0 identically, and the "
        f"other errors have a positive definite covariance matrix; difference of dimensions {q}"
    )
    text = f"½χ²({q - 1}) + ½χ²({q}), with {name} ≥ 0, at almost every point of the smaller model, all coefficients of the larger one being fixed (Self and Liang 1987)"
    return text, trust_in_all([of_both(small, large), proved_by("one variance at its end", facts)])


def covariances(gmap: GaussianMap, point: Sequence[Fraction]) -> list[list[Fraction]]:
    """The covariance matrix of the observed variables."""
    values = iter(values_of(gmap, point))
    count = len(gmap.observed)
    matrix = [[Fraction(0)] * count for _ in range(count)]
    for i in range(count):
        for j in range(i, count):
            matrix[i][j] = matrix[j][i] = next(values)
    return matrix


def has_linear_coordinates(gmap: GaussianMap) -> bool:
    """Whether covariances and means are linear in the parameters: all coefficients are numbers."""
    return all(entry in gmap.value_of for entry in gmap.model.entries if entry[0] == "b")


def no_reference(gmap: GaussianMap) -> str:
    """Why no reference distribution is known at a boundary of a model; empty where it may be known."""
    if has_linear_coordinates(gmap):
        return ""
    return (
        "no reference distribution is known here: algdim knows one where every coefficient of the larger model is fixed "
        "to a number, and in this one some are free"
    )


COMPARING = Comparing(
    coordinates=lambda model: ("covariances",),  # noqa: ARG005
    check=check_means,
    keeps=lambda model, removed, as_larger: as_larger and binds_errors(model, frozenset(removed)),
    embeddings=(by_matched_entries, by_regressions, by_covariances),
    refutations=refutations,
    reference=mixture_of,
    no_reference=no_reference,
)
