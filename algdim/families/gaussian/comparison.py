"""How Gaussian models are compared: maps of entries in order, minors that fail, and where one variance is at its end.

A map (lemma "embedding") carries entries over, latent variables in other units where the second model fixes these, and entries
that are missing become 0. A graph without latent variables may also take the regressions of the other model.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from graphlib import CycleError, TopologicalSorter
from itertools import combinations, product
from math import isqrt
from typing import Any, cast

import numpy as np

from algdim.errors import InputError, join_names
from algdim.exact.arithmetic import invert_matrix, make_rationals
from algdim.exact.draws import describe_draw, format_point_label
from algdim.exact.rationals import drop_rows_and_columns, find_bad_minor
from algdim.explanation.evidence import (
    Embedding,
    Refutation,
    iterate_matches,
    make_refutation,
    prove_embedding,
    search_forms,
)
from algdim.explanation.samplepoint import compute_coordinate_values
from algdim.families.contract import Comparing
from algdim.families.gaussian.constraints import format_equation
from algdim.families.gaussian.covarianceequations import evaluate_with_gradient
from algdim.families.gaussian.equations import find_gaussian_equations
from algdim.families.gaussian.family import DOMAIN, evaluate_error_covariances
from algdim.families.gaussian.map import GaussianMap, collect_parameters
from algdim.families.gaussian.model import Entry, Gaussian, format_entry
from algdim.families.gaussian.search import GaussianSetting, draw_gaussian_point
from algdim.families.gaussian.treks import TrekSeparation, find_trek_separation
from algdim.jacobian import evaluate_functionals, make_evaluator
from algdim.maps import Map
from algdim.rank import make_object_array
from algdim.report import Report, join_dimension_trusts
from algdim.trust import Trust, proved_by, trust_in_all

Monomial = tuple[Fraction, tuple[tuple[int, Fraction], ...]]
"""A coefficient and exponents of parameters, whole or half."""
ZERO: Monomial = (Fraction(0), ())
ONE: Monomial = (Fraction(1), ())


def find_entry_embedding(first: GaussianMap, second: GaussianMap, match: Mapping[str, str]) -> Embedding | None:
    """The map that carries entries over, in the same units or in those of the second model, if that has all that are needed."""
    if first.model.means != second.model.means or first.linear or second.linear:
        return None
    latent = Latent(first, second, match)
    for scales in (dict.fromkeys(latent.stands, ONE), latent.units()):
        values = latent.values(scales)
        entries = None if values is None else latent.accept_values(values)
        if entries is not None:
            roots = (n for one in entries.values() for n, exponent in one[1] if exponent.denominator == 2)
            lines = tuple(latent.lines(scales, entries))
            trust = prove_embedding("embedding", lines)
            zeros = frozenset(
                second.number_of[one] for one in entries if entries[one] == ZERO and one in second.number_of
            )
            at = partial(evaluate_entries, second, entries)
            return Embedding(lines, trust, first, second, at, frozenset(roots), zeros)
    return None


def evaluate_entries(
    second: GaussianMap, entries: Mapping[Entry, Monomial], point: Sequence[Fraction]
) -> list[Fraction]:
    """The parameters of the second model from its entries at a point of the first."""
    return collect_parameters(second, {entry: evaluate_monomial(number, point) for entry, number in entries.items()})


class Latent:
    """Gaussian models whose latent variables stand for those of another, each multiplied by a scale.

    Of several that stand for one the first is the leader. The others are copies: a child of the leader with nothing else
    added, or, where the leader has no parents, a variable with the leader's error.
    """

    def __init__(self, first: GaussianMap, second: GaussianMap, match: Mapping[str, str]) -> None:
        self.first, self.second, self.match = first, second, match
        other = second.model
        self.stands = {
            variable.name: variable.name if variable.observed else match[variable.name]
            for variable in other.variables
            if variable.observed or variable.name in match
        }
        self.order = [name for name in order_parents_first(other) if name in self.stands]
        self.members: dict[str, list[str]] = {}
        for name in self.order:
            self.members.setdefault(self.stands[name], []).append(name)
        self.further = {variable.name for variable in other.hidden} - set(match)
        self.edges = set(other.edges)
        self.known = {
            entry: number
            for entry in first.model.entries
            if (number := convert_entry_to_monomial(first, entry)) != ZERO
        }

    def children(self, members: Sequence[str]) -> list[str]:
        """The copies that are children of their leader."""
        return [name for name in members[1:] if (members[0], name) in self.edges]

    def units(self) -> dict[str, Monomial]:
        """Scales with which a fixed coefficient, or else a fixed variance, of each variable comes out."""
        fixed = dict(self.second.model.fixed)
        scales = dict.fromkeys(self.stands, ONE)
        for name in reversed([name for name in self.order if name in self.match]):
            mine = self.match[name]
            for (kind, *ends), value in fixed.items():
                if kind == "b" and ends[0] == name and value and ends[1] in self.stands:
                    number = self.known.get(("b", mine, self.stands[ends[1]]))
                    if number is not None:
                        scales[name] = multiply_monomials(multiply_monomials(number, scales[ends[1]]), (value, ()), -1)
                        break
            else:
                value, variance = fixed.get(("v", name), Fraction(0)), self.known.get(("v", mine))
                root = (
                    None
                    if variance is None or value <= 0
                    else find_square_root(multiply_monomials((value, ()), variance, -1))
                )
                scales[name] = root or ONE
        return scales

    def values(self, scales: Mapping[str, Monomial]) -> dict[Entry, Monomial] | None:
        """The entries of the second model that are not 0; ``None`` if an edge is missing."""
        found: dict[Entry, Monomial] = {}
        errors: dict[str, list[str]] = {}
        for mine, members in self.members.items():
            copies = self.children(members)
            found |= {
                ("b", members[0], name): multiply_monomials(scales[name], scales[members[0]], -1) for name in copies
            }
            errors[mine] = [name for name in members if name not in copies]
        for (kind, *ends), number in self.known.items():
            if kind == "b":
                child = self.members[ends[1]][0]
                parent = next((name for name in self.members[ends[0]] if (name, child) in self.edges), None)
                if parent is None or len(errors[ends[1]]) > 1:
                    return None
                found["b", parent, child] = multiply_monomials(
                    multiply_monomials(number, scales[child]), scales[parent], -1
                )
            elif kind == "m":
                found |= {("m", name): multiply_monomials(number, scales[name]) for name in errors[ends[0]]}
            else:
                for one, other in product(errors[ends[0]], errors[ends[-1]]):
                    entry: Entry = ("v", one) if one == other else normalise_entry(("c", one, other))
                    found[entry] = multiply_monomials(multiply_monomials(number, scales[one]), scales[other])
        return found

    def accept_values(self, values: Mapping[Entry, Monomial]) -> dict[Entry, Monomial] | None:
        """The entries of the second model, if it has those that are not 0, and its fixed and equal ones come out."""
        other, left = self.second.model, dict(values)
        entries: dict[Entry, Monomial] = {}
        labels: dict[str, Monomial] = {}
        fixed, equal = dict(other.fixed), dict(other.equal)
        for entry in other.entries:
            number = left.pop(normalise_entry(entry), ZERO)
            if entry in fixed:
                value: Monomial = (fixed[entry], ())
                # of further variables either the coefficients are 0 or the variance is
                is_idle = entry[0] == "v" or (entry[0] == "b" and not fixed.get(("v", entry[1])))
                if number != value and not (entry[1] in self.further and is_idle):
                    return None
                number = value
            if entry in equal and labels.setdefault(equal[entry], number) != number:
                return None
            entries[entry] = number
        return None if left else entries

    def lines(self, scales: Mapping[str, Monomial], entries: Mapping[Entry, Monomial]) -> Iterator[str]:
        """What the map is."""
        for theirs, mine in self.match.items():
            if scales[theirs] != ONE:
                factor = format_monomial(scales[theirs], self.first.parameters)
                stands = "is" if theirs == mine else f"stands for {mine},"
                yield f"{theirs} {stands} rescaled by the factor {factor}"
            elif theirs != mine:
                yield f"{theirs} stands for {mine}"
        fixed = dict(self.second.model.fixed)
        missing = [format_entry(entry) for entry, number in entries.items() if number == ZERO and entry not in fixed]
        if missing:
            yield f"{join_names(missing)} {'is' if len(missing) == 1 else 'are'} 0"


def order_parents_first(model: Gaussian) -> list[str]:
    """The names of the variables, parents first if there are no cycles."""
    try:
        return list(TopologicalSorter(collect_parents(model)).static_order())
    except CycleError:
        return [variable.name for variable in model.variables]


def convert_entry_to_monomial(gmap: GaussianMap, entry: Entry) -> Monomial:
    """An entry: a parameter, or the number that it is fixed to."""
    if entry in gmap.value_of:
        return Fraction(gmap.value_of[entry]), ()
    return Fraction(1), ((gmap.number_of[entry], Fraction(1)),)


def multiply_monomials(one: Monomial, other: Monomial, power: int = 1) -> Monomial:
    """The product of a monomial and a power of another.

    >>> half = Fraction(1, 2)
    >>> multiply_monomials((Fraction(3), ((0, half),)), (Fraction(2), ((0, half),)), -1)
    (Fraction(3, 2), ())
    """
    exponents = dict(one[1])
    for number, exponent in other[1]:
        exponents[number] = exponents.get(number, Fraction(0)) + power * exponent
    return one[0] * other[0] ** power, tuple(sorted((n, e) for n, e in exponents.items() if e))


def find_square_root(one: Monomial) -> Monomial | None:
    """The root of a monomial with a positive coefficient, if that of the coefficient is a fraction."""
    root = Fraction(isqrt(one[0].numerator), isqrt(one[0].denominator))
    return (root, tuple((number, exponent / 2) for number, exponent in one[1])) if root * root == one[0] else None


def evaluate_monomial(one: Monomial, point: Sequence[Fraction]) -> Fraction:
    """The value at a point, where what has half exponents is a square."""
    value = one[0]
    for number, exponent in one[1]:
        base = point[number]
        if exponent.denominator == 2:
            base = Fraction(isqrt(base.numerator), isqrt(base.denominator))
        value *= base**exponent.numerator
    return value


def format_monomial(one: Monomial, names: Sequence[str]) -> str:
    """A monomial in the names of parameters.

    >>> format_monomial((Fraction(1), ((0, Fraction(1)), (1, Fraction(-1, 2)))), ["b(F->X)", "v(F)"])
    'b(F->X)·v(F)^(−1/2)'
    """
    factors = [
        names[n] if e == 1 else f"{names[n]}^{e if e > 0 and e.denominator == 1 else f'({e})'.replace('-', '−')}"
        for n, e in one[1]
    ]
    return "·".join([*([str(one[0]).replace("-", "−")] if one[0] != 1 or not factors else []), *factors])


def find_regression_embedding(first: GaussianMap, second: GaussianMap) -> Embedding | None:
    """The map that takes regression coefficients, into a graph of free entries without latent variables and cycles.

    Errors may be correlated of variables without parents. In an order in which these come first, and parents before children,
    treks show every variable to be uncorrelated with those before it given its parents, but for correlated errors.
    """
    one, other = first.model, second.model
    special = other.hidden or other.fixed or other.equal or other.linear or not second.is_polynomial
    parents = collect_parents(other)
    if special or one.means != other.means or any(parents[name] for pair in other.bidirected for name in pair):
        return None
    joined = {frozenset(pair) for pair in other.bidirected}
    before: list[str] = []
    hypotheses: list[str] = []
    for name in sorted(TopologicalSorter(parents).static_order(), key=lambda name: bool(parents[name])):
        rest = [
            earlier for earlier in before if earlier not in parents[name] and frozenset((earlier, name)) not in joined
        ]
        if rest:
            treks = find_trek_separation(one, [name, *parents[name]], [*rest, *parents[name]])
            if treks.number > len(parents[name]):
                return None
            hypotheses.append(describe_uncorrelated(name, parents[name], rest, treks))
        before.append(name)
    line = "every coefficient is that of a regression in the first model, which has the vanishing partial correlations of the second"
    lines = (line, "variables without parents have the covariances of the first model") if joined else (line,)
    trust = prove_embedding("embedding", lines, [f"the order {', '.join(before)}", *hypotheses])

    def at(point: Sequence[Fraction]) -> list[Fraction]:
        return collect_parameters(second, compute_regressions(first, second, point))

    return Embedding(lines, trust, first, second, at, needs_value=True)


def describe_uncorrelated(name: str, parents: Sequence[str], rest: Sequence[str], treks: TrekSeparation) -> str:
    """That a variable is uncorrelated with others given its parents, by what meets all treks."""
    if not parents:
        return f"in the first model no trek leads from {name} to {','.join(rest)}"
    given = ",".join(parents)
    sides = " and ".join(
        f"{','.join(side)} on the side of {ends}"
        for side, ends in ((treks.left, f"{name},{given}"), (treks.right, f"{','.join(rest)},{given}"))
        if side
    )
    return f"in the first model {sides} meet all treks between {name},{given} and {','.join(rest)},{given}"


def find_covariance_embedding(first: GaussianMap, second: GaussianMap) -> Embedding | None:
    """The map that takes covariances themselves, into a graph of free correlated errors; where these are missing no trek leads."""
    one, other = first.model, second.model
    if other.hidden or other.edges or other.fixed or other.equal or other.linear or one.means != other.means:
        return None
    joined = {frozenset(pair) for pair in other.bidirected}
    apart = [pair for pair in combinations([one.name for one in other.variables], 2) if frozenset(pair) not in joined]
    if any(find_trek_separation(one, pair[:1], pair[1:]).number for pair in apart):
        return None
    line = "every covariance is that of the first model, in which no trek joins what the second leaves uncorrelated"
    apart_are = [f"in the first model no trek leads between {one} and {other}" for one, other in apart]
    trust = prove_embedding("Markov maps", [line], apart_are)
    return Embedding(
        (line,),
        trust,
        first,
        second,
        lambda point: collect_parameters(second, compute_covariance_entries(first, second, point)),
    )


def compute_covariance_entries(first: Map, second: GaussianMap, point: Sequence[Fraction]) -> dict[Entry, Fraction]:
    """Covariances and means at a point of the first model, as entries of a graph of correlated errors."""
    covariance, means = compute_moments(first, second, point)
    place = {variable.name: number for number, variable in enumerate(second.model.observed)}
    found = {}
    for entry in second.model.entries:
        kind, *names = entry
        value = means[place[names[0]]] if kind == "m" else covariance[place[names[0]], place[names[-1]]]
        found[entry] = Fraction(int(value.numerator), int(value.denominator))
    return found


def compute_moments(first: Map, second: GaussianMap, point: Sequence[Fraction]) -> tuple[Any, Any]:
    """The covariance matrix and the means at a point of the first model."""
    arithmetic, evaluator = make_rationals(), make_evaluator(first)
    values = evaluate_functionals(
        first,
        arithmetic,
        arithmetic.elements(make_object_array(point)),
        evaluator.all_coordinates(),
        evaluator=evaluator,
    )
    count = len(second.model.observed)
    covariance = np.full((count, count), 0 * values[0], dtype=object)
    pairs = second.pairs
    covariance[pairs] = covariance.T[pairs] = values[: len(pairs[0])]
    return covariance, values[len(pairs[0]) :]


def collect_parents(model: Gaussian) -> dict[str, list[str]]:
    """The parents of every variable."""
    return {
        variable.name: [parent for parent, child in model.edges if child == variable.name]
        for variable in model.variables
    }


def compute_regressions(first: Map, second: GaussianMap, point: Sequence[Fraction]) -> dict[Entry, Fraction]:
    """The regressions of all variables on their parents at a point of the first model; `SingularError` if there are none."""
    arithmetic = make_rationals()
    names = [variable.name for variable in second.model.observed]
    covariance, means = compute_moments(first, second, point)
    place = {name: number for number, name in enumerate(names)}
    found: dict[Entry, Any] = {
        ("c", *pair): covariance[place[pair[0]], place[pair[1]]] for pair in second.model.bidirected
    }
    for name, parents in collect_parents(second.model).items():
        here, rows = place[name], [place[parent] for parent in parents]
        slopes = (
            invert_matrix(arithmetic, covariance[np.ix_(rows, rows)]) @ covariance[rows, here] if rows else np.zeros(0)
        )
        found["v", name] = covariance[here, here] - sum(
            b * covariance[row, here] for b, row in zip(slopes, rows, strict=True)
        )
        found |= {("b", parent, name): slope for parent, slope in zip(parents, slopes, strict=True)}
        if second.model.means:
            found["m", name] = means[here] - sum(b * means[row] for b, row in zip(slopes, rows, strict=True))
    return {entry: Fraction(int(value.numerator), int(value.denominator)) for entry, value in found.items()}


def normalise_entry(entry: Entry) -> Entry:
    """An entry with the two variables of a covariance in one order."""
    return ("c", *sorted(entry[1:])) if entry[0] == "c" else entry


SIZE = 3
"""Minors of Gaussian models have up to this many rows."""


def check_means(first: Gaussian, second: Gaussian) -> None:
    """Raise if only one model has means, or if groups differ."""
    if set(first.groups) != set(second.groups):
        told = " and ".join(join_names(model.groups) or "none" for model in (first, second))
        raise InputError(f"the groups of the models are {told}; models of the same groups are compared")
    if first.means != second.means:
        with_means = "first" if first.means else "second"
        raise InputError(
            f"only the {with_means} model has means; models of the same coordinates are compared: give both means, or none (means off)"
        )


def has_bound_errors(model: Gaussian, names: frozenset[str]) -> bool:
    """Whether a covariance of these variables' errors cannot be 0: then other variances may have to be greater for it."""
    known = [entry for entry, value in model.fixed if value] + [entry for entry, _ in (*model.equal, *model.linear)]
    return any(entry[0] == "c" and not names.isdisjoint(entry[1:]) for entry in known)


def find_matched_embedding(first: GaussianMap, second: GaussianMap) -> Embedding | None:
    """The map that carries entries over, for the first way in which latent variables stand for each other that has one."""
    hidden = ([variable.name for variable in gmap.model.hidden] for gmap in (first, second))
    return next(filter(None, (find_entry_embedding(first, second, match) for match in iterate_matches(*hidden))), None)


def iterate_refutations(first: GaussianMap, second: GaussianMap, seed: int | str) -> Iterator[Refutation | None]:
    """Minors, pentads and means, then other equations between covariances that are polynomials."""
    yield find_failing_minor(first, second, seed)
    yield from search_forms(first, second, seed)


def find_failing_minor(first: GaussianMap, second: GaussianMap, seed: int | str) -> Refutation | None:
    """A vanishing minor, pentad or mean of the second model that does not vanish on the first."""
    found = find_gaussian_equations(second, SIZE, seed)
    at = draw_gaussian_point(GaussianSetting(first, 0, seed), "compare")
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
            value, _ = evaluate_with_gradient(equation, covariance, at.prime, len(names))
        if value:
            where = describe_draw(format_point_label(seed, at.label), at.prime)
            return make_refutation(format_equation(equation, names)[0], where, equation.trust)
    return None


def find_mixture(
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
    variances = sorted(DOMAIN.find_not_negative(second))
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
        if find_bad_minor(compute_covariances(first, point)) is not None:
            return None
        rest = drop_rows_and_columns(
            evaluate_error_covariances(second, image), {second.place[name] for name in members} | fixed_zero
        )
        if find_bad_minor(rest) is not None:
            return None
    name = second.parameters[number]
    facts = (
        f"Σ and μ are linear in the {width} parameters of the larger model, of rank {width}; under the map {name} = 0 identically, and the "
        f"other errors have a positive definite covariance matrix; difference of dimensions {q}"
    )
    text = f"½χ²({q - 1}) + ½χ²({q}), with {name} ≥ 0, at almost every point of the smaller model, all coefficients of the larger one being fixed (Self and Liang 1987)"
    return text, trust_in_all([join_dimension_trusts(small, large), proved_by("one variance at its end", facts)])


def compute_covariances(gmap: GaussianMap, point: Sequence[Fraction]) -> list[list[Fraction]]:
    """The covariance matrix of the observed variables."""
    values = iter(compute_coordinate_values(gmap, point))
    count = len(gmap.observed_places)
    matrix = [[Fraction(0)] * count for _ in range(count)]
    for i, j in zip(*(side.tolist() for side in gmap.pairs), strict=True):
        matrix[i][j] = matrix[j][i] = next(values)
    return matrix


def has_linear_coordinates(gmap: GaussianMap) -> bool:
    """Whether covariances and means are linear in the parameters: all coefficients are numbers."""
    return all(entry in gmap.value_of for entry in gmap.model.entries if entry[0] == "b")


def explain_missing_reference(gmap: GaussianMap) -> str:
    """Why no reference distribution is known at a boundary of a model; empty where it may be known."""
    if has_linear_coordinates(gmap):
        return ""
    return (
        "no reference distribution is known here: algdim knows one where every coefficient of the larger model is fixed "
        "to a number, and in this one some are free"
    )


COMPARING = Comparing(
    list_coordinates=lambda model: ("covariances",),  # noqa: ARG005
    check=check_means,
    keeps_irrelevant=lambda model, removed, as_larger: as_larger and has_bound_errors(model, frozenset(removed)),
    embeddings=(find_matched_embedding, find_regression_embedding, find_covariance_embedding),
    iterate_refutations=iterate_refutations,
    find_reference=find_mixture,
    explain_no_reference=explain_missing_reference,
)
