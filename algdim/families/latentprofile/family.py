"""What a dimension needs of latent-profile models, the domain of their parameters, and their certificates.

The parameters bound the dimension of the family of distributions. How many moments there are up to an order, and a rank of
them that was not exceeded, bound the dimension of these moments only: higher ones may show more of the distribution.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from algdim.bound.bounds import UPPER, Bound, prove_bound
from algdim.display.mathml import format_value_latex, format_variable_latex, list_values_latex
from algdim.exact.rationals import Square, find_bad_minor, is_covariance, reduce_diagonal
from algdim.families.contract import (
    Bounds,
    Certifying,
    Domain,
    Explaining,
    Family,
    Graph,
    JsonNode,
    Node,
    SmallerModel,
    count_by_kind,
    name_margin,
)
from algdim.families.latentprofile.evaluation import MomentEvaluator
from algdim.families.latentprofile.map import Layout, MomentMap
from algdim.families.latentprofile.model import LatentProfile
from algdim.families.latentprofile.order import get_moment_map
from algdim.figures import format_count, format_integer
from algdim.maps import COVARIANCE, MEAN, PROBABILITY, VARIANCE, collect_numbers, is_positive, iterate_completed_rows
from algdim.models.anymodel import convert_model_to_dictionary
from algdim.trust import Remark, Trust, proved_by

if TYPE_CHECKING:
    from algdim.analysis import Analysis, Prepared


def prove_moment_rank(pmap: MomentMap) -> Trust:
    """Why the rank of the moments is a lower bound of the dimension of the distributions."""
    return proved_by("moments", f"moments up to order {pmap.order}, whose rank is at most that of the distribution")


def bound_by_parameters(pmap: MomentMap) -> Bound:
    """The dimension of the distributions is at most the number of parameters, whether or not these moments show them."""
    count = len(pmap.parameters)
    return prove_bound(count, UPPER, "counting", format_count(count, "parameter"), "moments")


def bound_by_moments(pmap: MomentMap) -> Bound:
    """The dimension of the moments is at most their number."""
    sums = ", those of degree 0 sum to 1" if pmap.model.categorical else ""
    reason = f"{format_integer(pmap.coordinate_count)} moments{sums}"
    evidence = {"order": pmap.order}
    return prove_bound(pmap.complete, UPPER, "ambient", reason, "counting and ambient", evidence=evidence)


def make_upper_bounds(pmap: MomentMap, of_moments: Bound) -> tuple[Bound, Bound]:
    """The upper bound of the family of distributions, which is nothing but counting, beside that of the moments."""
    return bound_by_parameters(pmap), of_moments


def describe_moments(pmap: MomentMap) -> str:
    """Which moments were taken, and what their rank says."""
    how = (
        ""
        if pmap.model.order is not None
        else f", the least order found to show all {format_count(len(pmap.parameters), 'parameter')}"
    )
    return f"taken are the moments up to order {pmap.order}{how}; what they show, the distribution shows"


def build_graph(model: LatentProfile) -> Graph:
    """The class above its items, with arcs between continuous ones if these are correlated."""
    items = tuple(Node(one.name, str(one.states or "ℝ"), one.observed) for one in model.items)
    edges = tuple((model.label, one.name) for one in model.items)
    arcs = tuple(combinations([one.name for one in model.continuous], 2)) if model.full else ()
    return Graph((Node(model.label, str(model.classes), observed=False), *items), edges, (), arcs)


def describe_profile(model: LatentProfile) -> str:
    """What kind of model it is."""
    classes = "1 class" if model.classes == 1 else f"{format_integer(model.classes)} classes"
    return f"latent profile model: {classes}, {format_count(len(model.items), 'item')}"


FAMILY = Family(
    describe=describe_profile,
    make_graph=build_graph,
    make_map=lambda model, whole: get_moment_map(model),  # noqa: ARG005 (nothing is tied to other models)
    make_evaluator=MomentEvaluator,
    bounds=Bounds({"counting": bound_by_parameters, "ambient": bound_by_moments}, separate=make_upper_bounds),
    get_order=lambda pmap: int(pmap.order),
    prove_for_distributions=prove_moment_rank,
    describe_map=lambda pmap: Remark(describe_moments(pmap)),
)


KINDS = {MEAN: "mean", VARIANCE: "variance", COVARIANCE: "covariance", PROBABILITY: "probability"}


def write_mixture_formulas(model: LatentProfile) -> Iterator[str]:
    r"""The density, and the moments that are taken of it.

    >>> from algdim.models.notation import parse
    >>> print(next(write_mixture_formulas(parse("latent-profile: H -> X, Y; hidden H; states H=2"))))
    f(x,y) = \sum_{h=0}^{1} P(h)\,f(x\mid h)\,f(y\mid h),\quad X\mid h \sim N(m_{X\mid h},\,v_{X\mid h})
    """
    label = format_value_latex(model.label)
    names = [item.name for item in model.items]
    categorical = [rf"P({format_value_latex(item.name)}\mid {label})" for item in model.categorical]
    continuous = [item.name for item in model.continuous]
    normal = rf"\sim N(m_{{{label}}},\,\Sigma{'' if model.equal else f'_{{{label}}}'})"
    values = list_values_latex(continuous)
    if model.full:
        densities = [rf"f({values}\mid {label})"]
        law = rf"({','.join(map(format_variable_latex, continuous[:4]))}{',' + chr(92) + 'ldots' if len(continuous) > 4 else ''})\mid {label} {normal}"
    else:
        densities = [rf"f({format_value_latex(name)}\mid {label})" for name in continuous[:6]]
        densities += [r"\cdots"] if len(continuous) > 6 else []
        one = format_variable_latex(continuous[0])
        law = rf"{one}\mid {label} \sim N(m_{{{one}\mid {label}}},\,v_{{{one}{'' if model.equal else rf'{chr(92)}mid {label}'}}})"
    product = r"\,".join([*categorical[:6], *densities])
    yield rf"f({list_values_latex(names)}) = \sum_{{{label}=0}}^{{{model.classes - 1}}} P({label})\,{product},\quad {law}"
    cells = [format_value_latex(item.name) for item in model.categorical]
    power = rf"\prod_{{i}} X_{{i}}^{{a_{{i}}}}{rf'{chr(92)},1({chr(44).join(cells)})' if cells else ''}"
    inside = r"\,".join([*categorical[:6], rf"M_{{a}}({label})"])
    yield rf"E({power}) = \sum_{{{label}}} P({label})\,{inside},\quad M_{{a}}({label}) = E(\prod_{{i}} X_{{i}}^{{a_{{i}}}}\mid {label})"


MOST_CLASSES = 4
"""Of a margin on a page; where there are more it has two, for the moments of more are too long to be written out."""


def iterate_profile_margins(model: LatentProfile) -> Iterator[SmallerModel]:
    """Marginal distributions of the items, a continuous one first."""
    items, classes = (*model.continuous, *model.categorical), model.classes if model.classes <= MOST_CLASSES else 2
    for count in range(1, len(items) + (classes < model.classes)):
        margin = name_margin(
            replace(model, classes=classes, items=items[:count]), [item.name for item in items[:count]]
        )
        yield (
            margin
            if classes == model.classes
            else margin._replace(
                name=f"{margin.name} with two classes",
                follows="It is what the whole distribution says where the other classes have the weight 0",
            )
        )


EXPLAINING = Explaining(
    lambda pmap: count_by_kind(pmap, lambda one: KINDS[one.kind]),
    shows_all=lambda pmap: False,  # noqa: ARG005 (higher moments may show more)
    write_formulas=write_mixture_formulas,
    offer_parts=lambda model: iter((iterate_profile_margins(model),)),
)


Numbers = NDArray[np.intp]


def is_inside(pmap: MomentMap, point: Sequence[Fraction], strictly: bool, margin: Fraction) -> bool:
    """Whether the classes have covariance matrices, and no probability is negative."""
    covariances = list(iterate_class_covariances(pmap, point))
    fits = (
        find_bad_minor(reduce_diagonal(one, margin)) is None if strictly else is_covariance(one) for one in covariances
    )
    ends = iterate_completed_rows(list_probability_rows(pmap), point)
    return all(fits) and all(is_positive(value, strictly, margin) for value in ends)


def iterate_class_covariances(pmap: MomentMap, point: Sequence[Fraction]) -> Iterator[Square]:
    """The covariances inside each class; one matrix where they are the same."""
    layout, count = Layout(pmap.model), len(pmap.model.continuous)
    for kind in range(1 if pmap.model.equal else pmap.model.classes):
        matrix = [[Fraction(0)] * count for _ in range(count)]
        for item, numbers in enumerate(layout.variances):
            matrix[item][item] = point[numbers[kind]]
        for (one, other), numbers in zip(combinations(range(count), 2), layout.pairs, strict=False):
            matrix[one][other] = matrix[other][one] = point[numbers[kind]]
        yield matrix


def list_probability_rows(pmap: MomentMap) -> list[Numbers]:
    """The parameters that are probabilities, a row for each distribution, whose last probability is no parameter."""
    layout = Layout(pmap.model)
    found = [layout.weights, *(row for table in layout.tables for row in table)]
    return [row for row in found if row.size]


def find_nonnegative_parameters(pmap: MomentMap) -> frozenset[int]:
    """Weights, variances and probabilities."""
    layout = Layout(pmap.model)
    return collect_numbers([layout.weights, layout.variances, *layout.tables])


def iterate_alike_parameters(pmap: MomentMap) -> Iterator[Numbers]:
    """The parameters of an item in all classes."""
    layout = Layout(pmap.model)
    for array in (layout.means, layout.variances, layout.pairs, *(table.T for table in layout.tables)):
        yield from array


DOMAIN = Domain(
    is_inside,
    find_nonnegative_parameters,
    find_covariances=lambda pmap: collect_numbers([Layout(pmap.model).pairs]),
    iterate_alike=iterate_alike_parameters,
    list_states=lambda model: [model.classes, *(item.states or 0 for item in model.categorical)],
)


def write_profile_bounds(_claim: JsonNode, _claimed: Any, analysis: Analysis) -> tuple[JsonNode, JsonNode]:
    """The evidence for both bounds of a latent-profile model: nothing but the parameters bounds its distributions."""
    from algdim.certificate.exporting import check_exact, write_rank

    finding = analysis.finding
    check_exact(finding, analysis.model)
    return write_rank(finding, analysis.prepared.pmap, finding.lower), {
        "kind": finding.upper.kind,
        "value": finding.upper.value,
    }


def count_profile_parameters(prepared: Prepared, claimed: Any) -> tuple[int, int | None]:
    """The number of parameters; the saturated model has no finite dimension."""
    del claimed
    return len(prepared.whole_map.parameters), None


CERTIFYING = Certifying(
    lambda prepared: convert_model_to_dictionary(replace(cast("LatentProfile", prepared.model), order=None)),
    write_profile_bounds,
    count_profile_parameters,
)
