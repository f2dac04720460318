"""What a dimension needs of Gaussian models: their map and bounds, the graph.

The short records stand here as well: the domain of the entries, and curves with the same covariances, which change the scale of a
latent variable.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from algdim.bound.bounds import UPPER, Bound, prove_bound
from algdim.bound.counting import COUNTED, bound_by_counting
from algdim.bound.symbolic import bound_symbolically
from algdim.exact.rationals import Square, drop_rows_and_columns, find_bad_minor, is_covariance, reduce_diagonal
from algdim.families.contract import (
    Arrows,
    Bounds,
    Curve,
    Domain,
    Explaining,
    Family,
    Graph,
    Node,
    count_by_kind,
)
from algdim.families.gaussian.evaluation import build_structural_equations
from algdim.families.gaussian.halftrek import (
    IDENTIFIABLE,
    INFINITE,
    MOST_VARIABLES,
    UNDECIDED,
    apply_half_trek_criterion,
    bound_by_half_treks,
    is_about_half_treks,
)
from algdim.families.gaussian.map import GaussianMap, collect_parameters, compute_quotient_log_size, get_gaussian_map
from algdim.families.gaussian.minors import bound_by_minors
from algdim.families.gaussian.model import KINDS, Gaussian, drop_irrelevant, format_linear
from algdim.families.gaussian.picturing import picture_minors, vary_gaussian, write_structural_equations
from algdim.families.gaussian.search import GaussianSetting, compute_saturated_dimension, describe_coordinate_counts
from algdim.families.gaussian.symmetry import bound_by_symmetry
from algdim.families.gaussian.treksums import list_trek_terms
from algdim.figures import format_count
from algdim.trust import Remark

if TYPE_CHECKING:
    from algdim.maps import Parameter


HALF_TREK_WORDS = {
    IDENTIFIABLE: "identifiable, every coefficient is almost everywhere a rational function of the covariances",
    INFINITE: "infinite-to-one, almost everywhere infinitely many parameters have the same covariances",
    UNDECIDED: "inconclusive",
}


def describe_half_trek(gmap: GaussianMap) -> Remark:
    """The verdict of the half-trek criterion, where it is about the model and the graph is not large.

    It looks at covariances alone: where intercepts are fixed or equal, the means may determine what these leave open.
    """
    if not is_about_half_treks(gmap) or len(gmap.model.variables) > MOST_VARIABLES:
        return Remark()
    found = apply_half_trek_criterion(gmap.model)
    verdict = found.verdict
    means = gmap.model.fixed or gmap.model.equal or gmap.model.linear
    more = "; this is about covariances alone, and intercepts that are fixed or equal may determine more"
    trust = found.trust
    words = f"{HALF_TREK_WORDS[verdict]}{more if means and verdict == INFINITE else ''}"
    return Remark(
        f"half-trek criterion: {words}" if trust is None else f"half-trek criterion ({trust}): {words}", trust
    )


def read_parameter_point(gmap: GaussianMap, source: Any, model: Gaussian) -> list[Fraction]:
    """The parameters of a Gaussian model from a parameter file."""
    from algdim.families.gaussian.reading import read_parameters

    return collect_parameters(gmap, read_parameters(source, model))


def bound_by_ambient(gmap: GaussianMap) -> Bound:
    """The dimension of a Gaussian model is at most the number of covariances and means."""
    return prove_bound(gmap.complete, UPPER, "ambient", describe_coordinate_counts(gmap), COUNTED)


def build_graph(model: Gaussian) -> Graph:
    """The arrows, and arcs between correlated errors; what is fixed, or equal to others, next to them."""
    numbers = {entry: f"= {value}" for entry, value in model.fixed} | dict(model.equal)
    numbers |= {entry: format_linear(entry, terms).partition(" ")[2] for entry, terms in model.linear}
    labels = {(entry[1], entry[2]): text for entry, text in numbers.items() if len(entry) == 3}
    notes = {entry[1]: f"v {text}" for entry, text in numbers.items() if entry[0] == "v"}
    nodes = tuple(Node(one.name, notes.get(one.name, ""), one.observed) for one in model.variables)
    return Graph(nodes, model.edges, (), model.bidirected, labels=labels)


def make_arrows(model: Gaussian) -> Arrows:
    """The errors that are correlated, and whether numbers are said of the model."""
    numbers = "numbers are fixed" if model.fixed else "numbers are equal" if model.equal or model.linear else ""
    numbers = f"it is given {model.by}" if model.groups else numbers
    more = numbers or ("there are means" if model.means else "")
    return Arrows({}, model.bidirected, more and f"{more}; write lavaan or json, which can")


def describe_variables(model: Gaussian) -> str:
    """What kind of model it is."""
    observed = sum(one.observed for one in model.variables)
    latent = len(model.variables) - observed
    also = f" and {latent} latent" if latent else ""
    means = "with means" if model.means else "covariances only"
    groups = f" in {format_count(len(model.groups), 'group')} of {model.by}" if model.groups else ""
    return f"linear Gaussian model: {observed} observed{also} {'variable' if len(model.variables) == 1 else 'variables'}{groups}, {means}"


FAMILY = Family(
    describe=describe_variables,
    compute_complete=compute_saturated_dimension,
    make_graph=build_graph,
    make_arrows=make_arrows,
    make_map=lambda model, whole: get_gaussian_map(model),  # noqa: ARG005 (equal entries need nothing from outside)
    make_evaluator=build_structural_equations,
    bounds=Bounds(
        {"counting": bound_by_counting, "ambient": bound_by_ambient},
        {
            "minors": bound_by_minors,
            "symmetry": bound_by_symmetry,
            "symbolic": lambda setting: bound_symbolically(setting.pmap, setting.lower),
            # without a certificate, and therefore the last
            "half-trek": bound_by_half_treks,
        },
        GaussianSetting,
    ),
    drop_irrelevant=drop_irrelevant,
    irrelevance_lemma="irrelevant latent variables",
    read_point=read_parameter_point,
    describe_map=describe_half_trek,
    no_value="the coefficients on a cycle make I − B singular",
)


def make_kind_names(model: Gaussian) -> Callable[[Parameter], str]:
    """What an entry is called; those of latent variables without parents as factor analysts call them."""
    factors = find_factors(model)

    def name_kind(one: Parameter) -> str:
        if one.kind == "b" and one.owners[0] in factors:
            return "loading"
        return (FACTOR_KINDS if factors.issuperset(one.owners) else KINDS).get(one.kind, KINDS[one.kind])

    return name_kind


FACTOR_KINDS = {"v": "factor variance", "c": "factor covariance"}
"""What entries of latent variables without parents are called."""


def find_factors(model: Gaussian) -> frozenset[str]:
    """The latent variables that no other variable acts on."""
    reached = {child for _, child in model.edges}
    return frozenset(one.name for one in model.variables if not one.observed and one.name not in reached)


EXPLAINING = Explaining(
    lambda gmap: count_by_kind(gmap, make_kind_names(gmap.model)),
    in_lowest_terms=True,
    most_bits=24,
    compute_log_size=compute_quotient_log_size,
    list_terms=list_trek_terms,
    write_formulas=write_structural_equations,
    picture_bound=picture_minors,
    vary=vary_gaussian,
)


Numbers = NDArray[np.intp]


def is_inside(gmap: GaussianMap, point: Sequence[Fraction], strictly: bool, margin: Fraction) -> bool:
    """Whether the errors have a covariance matrix, ``strictly`` a definite one, far from others by the margin."""
    errors = evaluate_error_covariances(gmap, point)
    if not strictly:
        return is_covariance(errors)
    constant = {gmap.place[name] for (kind, name, *_), value in gmap.value_of.items() if kind == "v" and not value}
    kept = [number for number in range(len(errors)) if number not in constant]
    far = not margin or is_far(gmap, point, errors, kept, margin)
    return far and find_bad_minor(reduce_diagonal(drop_rows_and_columns(errors, constant), margin)) is None


def is_far(gmap: GaussianMap, point: Sequence[Fraction], errors: Square, kept: Sequence[int], margin: Fraction) -> bool:
    """Whether the errors' variances are more than a share of their variables', in floating point."""
    coefficients = np.zeros((len(errors), len(errors)))
    for entry in gmap.model.entries:
        if entry[0] == "b":
            coefficients[gmap.place[entry[1]], gmap.place[entry[-1]]] = float(gmap.evaluate_entry(entry, point))
    omega = np.array([[float(value) for value in row] for row in errors])
    try:
        inverse = np.linalg.inv(np.eye(len(errors)) - coefficients)
    except np.linalg.LinAlgError:
        return False
    sigma = inverse.T @ omega @ inverse
    return all(omega[number, number] > float(margin) * sigma[number, number] for number in kept)


def evaluate_error_covariances(gmap: GaussianMap, point: Sequence[Fraction]) -> Square:
    """The covariances of the errors, one row for each variable."""
    matrix = [[Fraction(0)] * len(gmap.place) for _ in gmap.place]
    for entry in gmap.model.entries:
        if entry[0] in ("v", "c"):
            one, other = gmap.place[entry[1]], gmap.place[entry[-1]]
            matrix[one][other] = matrix[other][one] = gmap.evaluate_entry(entry, point)
    return matrix


DOMAIN = Domain(
    is_inside,
    lambda gmap: gmap.numbers_of("v"),
    find_covariances=lambda gmap: gmap.numbers_of("c"),
    find_coefficients=lambda gmap: gmap.numbers_of("b"),
    at_end="the covariance matrix of the errors is singular",
)


def iterate_scale_curves(gmap: GaussianMap, point: Sequence[Fraction]) -> Iterator[tuple[str, Curve]]:
    """For each latent variable, its scale: what leads in is multiplied by c = 1 + t, what leads out divided."""
    for variable in gmap.model.hidden:
        powers: dict[int, int] = {}
        fits = True
        for entry in gmap.model.entries:
            power = scale_power(entry, variable.name)
            constant, terms = gmap.linear.get(entry, (gmap.value_of.get(entry, Fraction(0)), {}))
            fits = fits and (power == 0 or constant == 0)
            for number in terms or ([gmap.number_of[entry]] if entry in gmap.number_of else []):
                fits = fits and powers.setdefault(number, power) == power
        if fits:
            yield f"the scale of {variable.name}", partial(scale_parameters, point, powers)


def scale_power(entry: Sequence[str], name: str) -> int:
    """Which power of the scale of a variable an entry is multiplied by.

    >>> scale_power(("v", "F"), "F"), scale_power(("b", "F", "X"), "F"), scale_power(("c", "F", "G"), "F")
    (2, -1, 1)
    """
    kind, *names = entry
    if kind == "b":
        return (names[1] == name) - (names[0] == name)
    return (2 if kind == "v" else 1) * (name in names)


def scale_parameters(point: Sequence[Fraction], powers: Mapping[int, int], t: Fraction) -> list[Fraction]:
    """The parameters times powers of 1 + t."""
    return [value * (1 + t) ** powers.get(number, 0) for number, value in enumerate(point)]


CURVES = iterate_scale_curves
