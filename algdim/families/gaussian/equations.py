"""The equations that the graph of a Gaussian model implies for covariances and means, and which are independent.

Vanishing covariances and means, tetrads, sextads, octads and larger minors of which rows and columns have no variable in
common, partial covariances (lemma "treks"), pentads (lemma "pentads"): `algdim.families.gaussian.treksearch`. Coefficients in
kernels, the Verma-type equations (lemma "linear kernels"): `algdim.families.gaussian.verma`. What was not looked at is named.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from math import comb

import numpy as np

from algdim.exact.draws import describe_draw, draw_residues, format_point_label, open_stream
from algdim.exact.ranks import rank_mod
from algdim.families.gaussian.covarianceequations import CovarianceEquation, Gradients
from algdim.families.gaussian.map import GaussianMap
from algdim.families.gaussian.model import find_group
from algdim.families.gaussian.search import (
    GaussianPoint,
    GaussianSetting,
    compute_saturated_dimension,
    draw_gaussian_point,
)
from algdim.families.gaussian.treks import DoubledGraph, build_doubled_graph
from algdim.families.gaussian.treksearch import LeftOut, TrekSearch, describe_not_searched
from algdim.families.gaussian.verma import (
    KernelEquation,
    evaluate_kernel,
    find_kernel_equation,
    find_topological_places,
    project_gaussian,
    rename_vertices,
)
from algdim.figures import format_count
from algdim.limits import has_time
from algdim.trust import Trust, proved_by, trust_in_all

MOST_COORDINATES = 50_000
"""Of models with more covariances and means nothing is listed."""
MOST_KERNEL_WORK = 50_000
"""Multiplications of values with derivatives for coefficients in kernels."""
MOST_KERNEL_PAIRS = 5_000
"""Pairs of variables that are looked at for coefficients in kernels."""


@dataclass(frozen=True, slots=True)
class Found:
    """The equations of a model, the numbers of those that are independent at a point, and what was left out."""

    gmap: GaussianMap
    graph: DoubledGraph
    equations: tuple[CovarianceEquation, ...]
    independent: tuple[int, ...]
    trivial_tetrads: int
    left_out: tuple[LeftOut, ...]
    prime: int
    point: str
    upper: Trust
    """That the dimension is at most the number of covariances and means less that of independent equations."""


def find_gaussian_equations(gmap: GaussianMap, size: int, seed: int | str) -> Found:
    """All equations, minors with up to this many rows, checked at a point; the first ones that are independent there."""
    graph = build_doubled_graph(gmap.model)
    at, again = (
        draw_gaussian_point(GaussianSetting(gmap, 0, seed), use) for use in ("constraints", "constraints again")
    )
    if gmap.coordinate_count > MOST_COORDINATES:
        left_out = describe_not_searched("equations", gmap.coordinate_count, MOST_COORDINATES, "covariances and means")
        return Found(
            gmap, graph, (), (), 0, (left_out,), at.prime, at.label, compute_saturated_dimension(gmap, seed).trust
        )
    search = TrekSearch(gmap, graph, at, again)
    is_told = partial(is_in_one_group, gmap)
    zeros, tetrads, partials = (
        [*filter(is_told, found)] for found in (search.zeros(), search.tetrads(), search.partial())
    )
    partials += search.partial_by_constants(frozenset(find_equation_ends(equation) for equation in partials))
    defined = [equation for equation in partials if is_defined(equation, at)]
    if len(defined) < len(partials):
        why = f"given variables with a singular covariance matrix: {len(partials) - len(defined)} are not listed"
        search.left_out.append(LeftOut("partial covariances", why, len(partials), len(defined)))
    kernels = [
        *iterate_kernel_equations(search, [find_equation_ends(equation) for equation in (*zeros, *defined)], at, seed)
    ]
    kernels = select_new_kernels(Gradients(gmap, at, zeros), defined, kernels)
    larger = [equation for rows in range(3, size + 1) for equation in search.minors(rows)]
    larger += search.pentads([*zeros, *tetrads])
    equations = [*zeros, *tetrads, *defined, *filter(is_told, [*kernels, *larger])]
    gradients = Gradients(gmap, at, zeros)
    found, looked_at = gradients.first_new(equations[len(zeros) :])
    independent = [*range(len(zeros)), *(len(zeros) + number for number in found)]
    if looked_at + len(zeros) < len(equations):
        why = f"of which it is not known whether they are independent: all after the first {looked_at + len(zeros)}"
        search.left_out.append(LeftOut("equations", why, len(equations), looked_at + len(zeros)))
    for rows in range(3, size + 1):
        for shared in range(1, rows - 1) if not gradients.is_complete else ():
            for equation in filter(is_told, search.partial_minors(rows - shared, shared, gradients)):
                independent.append(len(equations))
                equations.append(equation)
    search.left_out += iterate_never_searched(gmap)
    return Found(
        gmap,
        graph,
        tuple(equations),
        tuple(independent),
        search.trivial,
        tuple(search.left_out),
        at.prime,
        at.label,
        verify_upper_bound(gmap, [equations[number] for number in independent], at, seed),
    )


def is_in_one_group(gmap: GaussianMap, equation: CovarianceEquation) -> bool:
    """Whether an equation is about variables of one group: others have no covariance."""
    if not gmap.model.groups:
        return True
    variables = gmap.model.variables
    named = {
        *equation.rows,
        *equation.columns,
        *(place for _, pairs in equation.terms for pair in pairs for place in pair),
    }
    return len({find_group(variables[place].name) for place in named}) == 1


def verify_upper_bound(
    gmap: GaussianMap, independent: Sequence[CovarianceEquation], at: GaussianPoint, seed: int | str
) -> Trust:
    """Trust that the dimension is at most the number of covariances and means less that of these equations."""
    if not independent:
        return compute_saturated_dimension(gmap, seed).trust
    where = describe_draw(format_point_label(seed, at.label), at.prime)
    facts = f"the gradients of {format_count(len(independent), 'equation')} are independent {where}"
    return trust_in_all([proved_by("equations", facts), *(equation.trust for equation in independent)])


def find_equation_ends(equation: CovarianceEquation) -> tuple[int, int]:
    """The two variables between which a covariance or a partial covariance vanishes."""
    one, other = equation.rows[0], (equation.columns or equation.rows)[0 if equation.columns else -1]
    return min(one, other), max(one, other)


def is_defined(equation: CovarianceEquation, at: GaussianPoint) -> bool:
    """Whether a partial covariance exists: the covariance of what is given is invertible at the point, so generically."""
    given = list(equation.rows[1:])
    return rank_mod(at.covariance[np.ix_(given, given)], at.prime).value == len(given)


def iterate_kernel_equations(
    search: TrekSearch, known: Sequence[tuple[int, int]], at: GaussianPoint, seed: int | str
) -> Iterator[CovarianceEquation]:
    """Coefficients in kernels that vanish, one for two variables that no set separates but a kernel does."""
    gmap, what = search.gmap, "coefficients in kernels"
    if not gmap.is_polynomial:
        search.left_out.append(LeftOut(what, "are not looked for where the graph has a cycle"))
        return
    pairs = comb(len(gmap.observed_places), 2)
    if pairs > MOST_KERNEL_PAIRS:
        search.left_out.append(describe_not_searched(what, pairs, MOST_KERNEL_PAIRS, "pairs of variables"))
        return
    graph = project_gaussian(search.graph, search.graph.names, gmap.observed_places)
    places, separated = find_topological_places(graph), frozenset(known)
    covariance = [[int(value) % at.prime for value in row] for row in at.covariance.tolist()]
    other = draw_any_covariance(len(covariance), at.prime, seed)
    work, left, undefined = 0, 0, 0
    for one, two in combinations(range(len(graph.names)), 2):
        near = graph.parents[one] | graph.siblings[one]
        if near >> two & 1 or graph.parents[two] >> one & 1 or get_variable_places(gmap, one, two) in separated:
            continue
        equation = find_kernel_equation(graph, places, one, two)
        if equation is None:
            continue
        if work + equation.work > MOST_KERNEL_WORK or not has_time():
            left += 1
            continue
        work += equation.work
        equation = rename_vertices(equation, gmap.observed_places)
        try:
            evaluate_kernel(equation, covariance, at.prime, slopes=False)
            value, _ = evaluate_kernel(equation, other, at.prime, slopes=False)
        except ZeroDivisionError:
            undefined += 1
            continue
        if value:  # otherwise it may be an identity
            because = explain_separation(equation, search.graph.names)
            where = describe_draw(format_point_label(seed, at.label), at.prime)
            facts = f"in the latent projection {because}, and the kernels have values {where}"
            ends_apart = equation.response, equation.cause
            yield CovarianceEquation("kernel", ends_apart, because, proved_by("linear kernels", facts), kernel=equation)
    if left:
        why = f"of {left} pairs of variables are left out: regressions with this many variables take too much work"
        search.left_out.append(LeftOut(what, why, left, 0))
    if undefined:
        why = f"of {undefined} pairs of variables are left out: a principal minor of Σ vanishes"
        search.left_out.append(LeftOut(what, why, undefined, 0))


def explain_separation(equation: KernelEquation, names: Sequence[str]) -> str:
    """Why it vanishes in the last kernel, in a few words."""
    cause = names[equation.cause]
    if equation.is_effect:
        kept = [names[v] for v in equation.steps[-1].kept]
        given = f"{{{', '.join(kept)}}}" if len(kept) > 1 else kept[0]
        return f"{cause} is no parent of {given}"
    condition = f" given {', '.join(names[v] for v in equation.given)}" if equation.given else ""
    return f"{cause} and {names[equation.response]} are separated in the kernel{condition}"


def get_variable_places(gmap: GaussianMap, one: int, two: int) -> tuple[int, int]:
    """The places of two observed variables."""
    places = gmap.observed_places[one], gmap.observed_places[two]
    return min(places), max(places)


def draw_any_covariance(count: int, prime: int, seed: int | str) -> list[list[int]]:
    """A symmetric matrix that does not come from the model."""
    drawn = draw_residues(open_stream(seed, "any covariance"), prime, count * count).reshape(count, count)
    return [[int(drawn[min(i, j), max(i, j)]) for j in range(count)] for i in range(count)]


def select_new_kernels(
    gradients: Gradients, smaller: Sequence[CovarianceEquation], kernels: Sequence[CovarianceEquation]
) -> list[CovarianceEquation]:
    """The coefficients in kernels with gradients independent of those of covariances, partial covariances and each other."""
    if not kernels:
        return []
    found, looked_at = gradients.first_new([*smaller, *kernels])
    return [equation for number, equation in enumerate(kernels, len(smaller)) if number in found or number >= looked_at]


def iterate_never_searched(gmap: GaussianMap) -> Iterator[LeftOut]:
    """What is on no list of a model of this kind."""
    if gmap.value_of or gmap.model.equal or gmap.linear:
        yield LeftOut(
            "linear equations that follow from fixed or equal entries, except what vanishes,", "are not looked for"
        )
    if gmap.means and any(entry[0] == "m" for entry in [*gmap.value_of, *dict(gmap.model.equal), *gmap.linear]):
        yield LeftOut("equations between means and covariances", "are not looked for")
