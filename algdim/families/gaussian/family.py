"""What a dimension needs of Gaussian models: their map, the bounds in order, and the half-trek criterion in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from algdim.bound.bounds import UPPER, Bound, proved_bound
from algdim.bound.counting import COUNTED, counting
from algdim.bound.symbolic import symbolic
from algdim.families.contract import Arrows, Bounds, Explaining, Family, Graph, Node, Share
from algdim.families.gaussian.evaluation import structural_equations
from algdim.families.gaussian.halftrek import (
    IDENTIFIABLE,
    INFINITE,
    MOST_VARIABLES,
    UNDECIDED,
    half_trek,
    half_trek_bound,
    is_about_half_treks,
)
from algdim.families.gaussian.map import GaussianMap, gaussian_map, log_size_of_quotients, point_of
from algdim.families.gaussian.minors import gaussian_minors
from algdim.families.gaussian.model import KINDS, Gaussian, without_irrelevant
from algdim.families.gaussian.search import GaussianSetting, all_covariances, covariances_and_means
from algdim.families.gaussian.symmetry import gaussian_symmetry
from algdim.families.gaussian.treksums import trek_terms
from algdim.figures import counted
from algdim.trust import Remark

HALF_TREK_WORDS = {
    IDENTIFIABLE: "identifiable, every coefficient is almost everywhere a rational function of the covariances",
    INFINITE: "infinite-to-one, almost everywhere infinitely many parameters have the same covariances",
    UNDECIDED: "decides nothing here",
}


def half_trek_note(gmap: GaussianMap) -> Remark:
    """The verdict of the half-trek criterion, where it is about the model and the graph is not large.

    It looks at covariances alone: where intercepts are fixed or equal, the means may determine what these leave open.
    """
    if not is_about_half_treks(gmap) or len(gmap.model.variables) > MOST_VARIABLES:
        return Remark()
    found = half_trek(gmap.model)
    verdict = found.verdict
    means = gmap.model.fixed or gmap.model.equal
    more = "; this is about covariances alone, and intercepts that are fixed or equal may determine more"
    trust = found.trust
    words = f"{HALF_TREK_WORDS[verdict]}{more if means and verdict == INFINITE else ''}"
    return Remark(
        f"half-trek criterion: {words}" if trust is None else f"half-trek criterion ({trust}): {words}", trust
    )


def entry_point(gmap: GaussianMap, source: Any, model: Gaussian) -> list[Fraction]:
    """The parameters of a Gaussian model from a parameter file."""
    from algdim.families.gaussian.parameterfile import read_parameters

    return point_of(gmap, read_parameters(source, model))


def saturated(gmap: GaussianMap) -> Bound:
    """The dimension of a Gaussian model is at most the number of covariances and means."""
    return proved_bound(gmap.complete, UPPER, "ambient", covariances_and_means(gmap), COUNTED)


def graph(model: Gaussian) -> Graph:
    """The arrows, and arcs between correlated errors."""
    return Graph(tuple(Node(one.name, "", one.observed) for one in model.variables), model.edges, (), model.bidirected)


def arrows(model: Gaussian) -> Arrows:
    """The errors that are correlated, and whether numbers are said of the model."""
    numbers = "numbers are fixed" if model.fixed else "numbers are equal" if model.equal else ""
    more = numbers or ("there are means" if model.means else "")
    return Arrows({}, model.bidirected, more and f"{more}; write lavaan or json, which can")


FAMILY = Family(
    complete=all_covariances,
    graph=graph,
    arrows=arrows,
    make_map=lambda model, whole: gaussian_map(model),  # noqa: ARG005 (equal entries need nothing from outside)
    evaluator=structural_equations,
    bounds=Bounds(
        {"counting": counting, "ambient": saturated},
        {
            "minors": gaussian_minors,
            "symmetry": gaussian_symmetry,
            "symbolic": lambda setting: symbolic(setting.gmap),
            # without a certificate, and therefore the last
            "half-trek": half_trek_bound,
        },
        GaussianSetting,
    ),
    without_irrelevant=without_irrelevant,
    removal="irrelevant latent variables",
    point=entry_point,
    note=half_trek_note,
    no_value="the coefficients on a cycle make I − B singular",
)


def entry_shares(gmap: GaussianMap) -> Iterator[Share]:
    """The entries of each variable of a Gaussian model, and of each pair with an error covariance."""
    kinds: dict[str, Counter[str]] = {variable.name: Counter() for variable in gmap.model.variables}
    for one in gmap.records:
        kinds.setdefault(one.owner, Counter())[KINDS[one.kind]] += 1
    for owner, count in kinds.items():
        yield Share(owner, count.total(), ", ".join(counted(times, kind) for kind, times in count.items()))


EXPLAINING = Explaining(
    entry_shares, in_lowest_terms=True, most_bits=24, log_size=log_size_of_quotients, terms=trek_terms
)
