"""What a dimension needs of sums and maxima, the domain of their parameters, and their certificates.

What can be moved from one summand to another is lost (lemma "shifts"); of a maximum, or of the n-th largest of several, nothing
is lost (lemmas "maxima" and "order statistics").
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from algdim.bound.bounds import LOWER, UPPER, Bound, prove_bound
from algdim.bound.counting import Complete, make_saturated
from algdim.bound.strategy import Effort, Finding
from algdim.display.mathml import format_variable_latex, list_values_latex
from algdim.errors import InputError, join_names
from algdim.families.additive.map import (
    MOST_COORDINATES,
    AdditiveMap,
    build_additive_map,
    list_letters,
    make_additive_evaluator,
)
from algdim.families.additive.model import Additive
from algdim.families.additive.shifts import find_shifts
from algdim.families.contract import (
    FEWER_STATES,
    Bounds,
    Certifying,
    Domain,
    Explaining,
    Family,
    Graph,
    Identifying,
    JsonNode,
    Node,
    Share,
    SmallerModel,
)
from algdim.families.discrete.districts import build_network_graph
from algdim.families.discrete.model import Network
from algdim.figures import format_count, format_integer
from algdim.maps import collect_numbers, is_positive, iterate_completed_rows
from algdim.models.anymodel import convert_model_to_dictionary
from algdim.models.graphs import find_above, iterate_ancestral_sets
from algdim.trust import Remark, Trust, proved_by

if TYPE_CHECKING:
    from algdim.analysis import Analysis, Prepared


ORDERED, ORDERED_KIND = "order statistics", "order-statistics"
"""The lemma that says that all parameters of the n-th largest of several variables are identifiable, and the kind of bounds by it."""


def bound_by_shifts(pmap: AdditiveMap) -> Bound | None:
    """The parameters less the translations of rates (or of means, and of variances) that leave every sum as it is."""
    lost = pmap.redundant_shifts
    if not lost:
        return None
    what = "rates" if pmap.model.is_poisson else "means and of variances"
    reason = (
        f"{format_count(len(pmap.parameters), 'parameter')}, {format_count(lost, 'translation')} of {what} between the mechanisms "
        f"{'leaves' if lost == 1 else 'leave'} every sum as it is"
    )
    evidence = {"translations": lost}
    return prove_bound(len(pmap.parameters) - lost, UPPER, "shifts", reason, "shifts", evidence=evidence)


def bound_by_parameters(pmap: AdditiveMap) -> Bound:
    """The parameters bound the dimension of the distributions, whatever the order of the cumulants."""
    count = len(pmap.parameters)
    return prove_bound(count, UPPER, "counting", format_count(count, "parameter"), "counting and ambient")


def find_by_theorem(pmap: AdditiveMap, effort: Effort, labels: tuple[str, ...], proved: Bound | None) -> Finding | None:
    """The finding where the coordinates are the parameters because a theorem says so."""
    del effort, labels
    if proved is None:
        return None
    if pmap.model.is_shared or (pmap.is_mixed and pmap.coordinate_count > MOST_COORDINATES):
        count = pmap.parameter_count - pmap.redundant_shifts
        what = "rates" if pmap.model.is_poisson else "means and variances"
        reason = (
            f"the probabilities and the total {what} of the mixture components are locally identifiable; as functions of the parameters "
            f"they have rank {count}"
        )
        return Finding(prove_bound(count, LOWER, "shifts", reason, "shifts"), proved, "shifts", seen=proved)
    if not pmap.shows_parameters:
        return None
    reason = f"all {pmap.parameter_count} parameters are locally identifiable from the distribution of the {describe_mechanisms(pmap.model)}"
    return Finding(
        prove_bound(pmap.parameter_count, LOWER, ORDERED_KIND, reason, ORDERED), proved, ORDERED_KIND, seen=proved
    )


def prove_coordinate_rank(pmap: AdditiveMap) -> Trust:
    """Why the Jacobian of the coordinates says something of the distribution; without mixtures they are all of it."""
    what = f"entries of the causes' tables and {pmap.numbers_are} of {pmap.model.effect} up to order {pmap.order}"
    if pmap.shows_parameters:
        what = (
            f"all parameters: {describe_mechanisms(pmap.model)}, with {format_count(pmap.parameter_count, 'parameter')}"
        )
        return proved_by(ORDERED, what)
    if pmap.model.is_order_statistic:
        what = f"entries of the causes' tables and {describe_taken_numbers(pmap)}"
        return proved_by("maxima", f"{what}, whose rank is at most that of the distribution")
    if pmap.model.is_shared:
        what = f"entries of the causes' tables and {pmap.numbers_are} of {join_names(pmap.model.effects)} in all joint states of the causes"
        return proved_by("shifts", f"{what}, which are locally identifiable")
    if pmap.is_mixed:
        return proved_by("shifts", f"{what}, whose rank is at most that of the distribution")
    return proved_by("shifts", f"{what}, which have the rank of the distribution: no mechanism is a mixture")


def compute_saturated_dimension(pmap: AdditiveMap, seed: int | str) -> Complete:
    """The dimension of all tables of the causes with any numbers of the effect in each of their joint states: rates, means and variances."""
    del seed
    states = pmap.configurations
    free = "a rate" if pmap.model.is_poisson else "a mean and a variance"
    free += " of each effect" if len(pmap.model.effects) > 1 else ""
    what = f"{pmap.order} {pmap.numbers_are}" if pmap.is_partial else free
    facts = f"{format_count(states - 1, 'free entry')} in the table of the causes, and {what} in each of their {states} joint states"
    return make_saturated(pmap.complete, facts)


def describe_taken_numbers(pmap: AdditiveMap) -> str:
    """Which numbers were taken of the effect."""
    effect, order = pmap.model.effect, pmap.order
    if pmap.shows_parameters:
        return "the parameters themselves"
    if pmap.model.is_shared:
        return f"probabilities of all joint states of the causes, and the {pmap.numbers_are} in these"
    if not pmap.model.is_order_statistic:
        return f"the cumulants of {effect} up to order {order}"
    if pmap.model.is_poisson:
        return f"log P({effect}≤n), n up to {order - 1}"
    return f"the coefficients of e^−1 to e^−{order} in log P({effect}≤e)"


def describe_coordinates(pmap: AdditiveMap) -> str:
    """Which numbers were taken, where they are not the whole distribution."""
    if not pmap.is_partial:
        return ""
    if pmap.shows_parameters:
        return "coordinates: the parameters, which are locally identifiable"
    if pmap.model.is_shared:
        return f"coordinates: {describe_taken_numbers(pmap)}, which are locally identifiable"
    return f"coordinates: {describe_taken_numbers(pmap)}, which are functions of the distribution"


def bound_effect_distribution(pmap: AdditiveMap, of_cumulants: Bound) -> tuple[Bound, Bound | None]:
    """What bounds the distributions, beside what bounds the cumulants up to the order, where these are not everything."""
    if not pmap.is_partial:
        return of_cumulants, None
    return bound_by_shifts(pmap) or bound_by_parameters(pmap), of_cumulants


def build_graph(model: Additive) -> Graph:
    """The causes above their sum, or their maximum."""
    causes = build_network_graph(model.network, frames=False)
    effects = (Node(effect, name_sign(model), observed=True) for effect in model.effects)
    ways = (
        (cause, model.effects[owner])
        for part, owner in zip(model.mechanisms, model.owners, strict=True)
        for cause in part
    )
    return Graph((*causes.nodes, *effects), (*causes.edges, *dict.fromkeys(ways)))


def describe_mechanisms(model: Additive) -> str:
    """What kind of model it is."""
    kind = "Poisson" if model.is_poisson else "normal"
    what = "maximum" if model.is_order_statistic else "sum"
    if model.least:
        what = "minimum" if model.least == len(model.mechanisms) else f"{name_ordinal(model.least)} largest"
    parts = f"{format_count(len(model.mechanisms), f'{kind} variable')}, one for each mechanism"
    if len(model.effects) > 1:
        return f"{len(model.effects)} sums of {parts}"
    return f"{what} of {parts}"


def name_ordinal(number: int) -> str:
    """A number as a place.

    >>> [name_ordinal(number) for number in (2, 3, 4, 11, 21, 112)]
    ['2nd', '3rd', '4th', '11th', '21st', '112th']
    """
    ends = {1: "st", 2: "nd", 3: "rd"}
    return f"{number}{'th' if number % 100 in (11, 12, 13) else ends.get(number % 10, 'th')}"


def name_sign(model: Additive) -> str:
    """What stands for the function of the mechanism variables in pictures.

    >>> from algdim.models.notation import parse
    >>> [name_sign(parse(f"{word}: {{A}},{{B}},{{C}} -> E")) for word in ("normal", "max-normal", "at-least-normal 2")]
    ['Σ', 'max', '≥2']
    """
    if not model.is_order_statistic:
        return "Σ"
    return f"≥{model.least}" if model.least else "max"


MOST_STATES_AT_A_POINT = 100_000
"""Joint states of all causes that are compared at given parameters."""


def refuse_point(pmap: AdditiveMap, source: Any) -> None:
    """Refuse ranks at given parameters where the coordinates need not be identifiable (lemma "shifts" (e))."""
    if pmap.model.is_shared:
        from algdim.readers.parameters import read_named_parameters

        trouble = find_alike_states(pmap, read_named_parameters(source, pmap.parameters))
        if trouble:
            raise InputError(
                f"the rank at given parameters is not known here: {trouble}; leave the parameters out (--at)"
            )
    if pmap.shows_parameters:
        raise InputError(
            f"{describe_mechanisms(pmap.model)}: the rank at given parameters is not known here, since mechanisms may be alike there; leave "
            "them out (--at); maxima of few variables without hidden causes have ranks at parameters"
        )


def find_alike_states(pmap: AdditiveMap, point: Sequence[Fraction]) -> str:
    """Which probability is not positive, or which hidden states with the same observed ones are alike for all effects; nothing if none."""
    if pmap.configurations > MOST_STATES_AT_A_POINT:
        count = format_integer(pmap.configurations)
        return f"the variables have {count} joint states; at most {format_integer(MOST_STATES_AT_A_POINT)} are compared"
    for chances in list_probability_rows(pmap):
        zero = [pmap.parameters[k] for k in chances if point[k] <= 0]
        if zero:
            return f"{zero[0]} is not positive"
        if sum(point[k] for k in chances) >= 1:
            return f"{' + '.join(pmap.parameters[k] for k in chances)} is not below 1"
    cells = np.indices(pmap.sizes).reshape(len(pmap.sizes), pmap.configurations)
    letters = len(list_letters(pmap.model))
    values = np.zeros((pmap.configurations, len(pmap.model.effects), letters), dtype=object)
    exact = np.array([*point], dtype=object)
    for row in pmap.rows:
        places = np.zeros(pmap.configurations, dtype=np.intp)
        for axis in row.axes:
            places = places * pmap.sizes[axis] + cells[axis]
        values[:, row.effect] += exact[row.components[places, 0]]
    variables = pmap.model.coordinate_variables
    observed = [axis for axis, variable in enumerate(variables) if variable.observed]
    found: dict[tuple[Any, ...], int] = {}
    for k in range(pmap.configurations):
        first = found.setdefault((*cells[observed, k].tolist(), *values[k].ravel().tolist()), k)
        if first < k:
            states = (
                join_names([f"{one.name}={state}" for one, state in zip(variables, cells[:, at].tolist(), strict=True)])
                for at in (first, k)
            )
            what = "rates" if pmap.model.is_poisson else "means and variances"
            return f"{join_names(pmap.model.effects)} have the same {what} in the states {' and '.join(f'({one})' for one in states)}"
    return ""


FAMILY = Family(
    describe=describe_mechanisms,
    make_graph=build_graph,
    can_hide=False,
    make_map=lambda model, whole: build_additive_map(model),  # noqa: ARG005 (nothing is tied to other models)
    make_evaluator=make_additive_evaluator,
    bounds=Bounds(
        {"counting": bound_by_parameters, "shifts": bound_by_shifts},
        separate=bound_effect_distribution,
        find_without_rank=find_by_theorem,
    ),
    get_order=lambda pmap: int(pmap.order),
    compute_complete=compute_saturated_dimension,
    prove_for_distributions=prove_coordinate_rank,
    describe_map=lambda pmap: Remark(describe_coordinates(pmap)),
    rank_at=lambda pmap, report, source, memory: refuse_point(pmap, source),  # noqa: ARG005 (elsewhere it is the usual one)
)

IDENTIFYING = Identifying(check_point=refuse_point, find_kernel=find_shifts)


def iterate_summand_shares(pmap: AdditiveMap) -> Iterator[Share]:
    """The parameters of each cause, hidden variable inside a mechanism, and mechanism variable."""
    owners = Counter(one.owner for one in pmap.records)
    for owner, count in owners.items():
        yield Share(owner, count, "")


def write_summand_formulas(model: Additive) -> Iterator[str]:
    r"""The effect as a sum over mechanisms, and its cumulants; or as a maximum, and its distribution function.

    >>> from algdim.models.notation import parse
    >>> print(next(write_summand_formulas(parse("poisson: {A},{B} -> E"))))
    E = E_{1} + E_{2},\quad E_{j}\mid q_{j} \sim \mathrm{Poisson}(\ell_{j}(q_{j}))
    """
    for number, name in enumerate(model.effects[:MOST_WRITTEN]):
        yield from write_effect_formulas(model, name, model.list_mechanisms(number))
    if model.is_shared:  # h is what is hidden of q
        yield r"P(c, e) = \sum_{h} P(c, h) \prod_{i} P(e_{i}\mid c, h)"


MOST_WRITTEN = 3
"""So many effects are written out."""


def write_effect_formulas(model: Additive, name: str, mechanisms: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """The formulas of one effect."""
    effect, count = format_variable_latex(name), len(mechanisms)
    plain = f"({effect})" if "_" in effect else effect
    terms = [f"{plain}_{{{number}}}" for number in range(1, count + 1)]
    sign = ", " if model.is_order_statistic else " + "
    total = sign.join(terms if count <= 5 else [*terms[:2], r"\cdots", terms[-1]])
    if model.least:
        total = rf"\max\{{e : e \le {plain}_{{j}} \text{{ for at least {model.least} of }} {total}\}}"
    elif model.is_order_statistic:
        total = rf"\max({total})"
    law = r"\mathrm{Poisson}(\ell_{j}(q_{j}))" if model.is_poisson else r"N(m_{j}(q_{j}),\,v_{j}(q_{j}))"
    yield rf"{effect} = {total},\quad {plain}_{{j}}\mid q_{{j}} \sim {law}"
    causes = r",\quad ".join(
        rf"q_{{{number}}} = ({list_values_latex(list(mechanisms[number - 1]), 6)})"
        for number in range(1, min(count, 5) + 1)
    )
    yield causes
    if model.least:
        yield rf"P({effect} > e \mid c) = \sum_{{|I| \ge {model.least}}} \prod_{{j \in I}} P({plain}_{{j}} > e \mid q_{{j}}) \prod_{{j \notin I}} P({plain}_{{j}} \le e \mid q_{{j}})"
    elif model.is_order_statistic:
        yield rf"P({effect} \le e \mid c) = \prod_{{j=1}}^{{{count}}} P({plain}_{{j}} \le e \mid q_{{j}})"
    elif model.is_shared:
        whole, part = (r"\lambda", r"\ell") if model.is_poisson else (r"(\mu,v)", "(m,v)")
        yield rf"{whole}_{{{effect}}}(c,h) = \sum_{{j=1}}^{{{count}}} {part}_{{j}}(q_{{j}})"
    elif model.hidden:  # c is what is observed of q
        yield rf"\kappa_{{n}}({effect}\mid c) = \sum_{{j=1}}^{{{count}}} \kappa_{{n}}({plain}_{{j}}\mid c_{{j}}),\quad q_{{j}} = (c_{{j}},h_{{j}})"
        yield r"\kappa_{n} = m_{n} - \sum_{i=1}^{n-1} \frac{(n-1)!}{(i-1)!\,(n-i)!}\,\kappa_{i}\,m_{n-i},\quad m_{n}(c_{j}) = \sum_{h_{j}} P(h_{j}\mid c)\,m_{n}(q_{j})"
    else:
        yield rf"\kappa_{{n}}({effect}\mid c) = \sum_{{j=1}}^{{{count}}} \kappa_{{n}}({plain}_{{j}}\mid q_{{j}})"


def offer_smaller_sums(model: Additive) -> Iterator[Iterator[SmallerModel]]:
    """Sums with fewer causes, and with fewer states of these; of what is ordered none is up to constants what the whole says."""
    if model.is_order_statistic or len(model.effects) > 1 or model.is_shared:
        return
    for most in (max(variable.states for variable in model.variables), *FEWER_STATES):
        yield iterate_smaller_sums(model, most)


def iterate_smaller_sums(model: Additive, most: int) -> Iterator[SmallerModel]:
    """One cause more each time, parents first; a hidden variable inside a mechanism keeps the parents that are left."""
    hidden = frozenset(model.hidden)
    parents = {one.name: one.parents for one in model.variables if one.name not in hidden}
    is_cut = any(one.states > most and one.observed for one in model.variables)
    for some in iterate_ancestral_sets(parents, parents):
        kept = frozenset[str]().union(*(find_above(parents, name) for name in some))
        mechanisms = tuple(
            tuple(name for name in one if name in kept or name in hidden)
            for one in model.mechanisms
            if kept & {*one} or hidden >= {*one}
        )
        if not mechanisms:
            continue
        inside = kept.union(*mechanisms)
        smaller = tuple(
            replace(
                one.with_states(min(one.states, most) if one.observed else one.states),
                parents=tuple(name for name in one.parents if name in inside),
            )
            for one in model.variables
            if one.name in inside
        )
        causes = join_names([one.name for one in smaller if one.observed], most=12)
        yield SmallerModel(
            Additive(model.family, Network(smaller), model.effects, mechanisms),
            f"the sum with the causes {causes} alone{f', with at most {most} states each' if is_cut else ''}",
            f"{'Up to constants it' if len(smaller) < len(model.variables) else 'It'} is what the whole model says"
            + (" in some states of these causes" if is_cut else "")
            + (" with the other causes in one state" if len(smaller) < len(model.variables) else ""),
            "this part in place, not always the whole distribution",
        )


EXPLAINING = Explaining(
    iterate_summand_shares,
    shows_all=lambda pmap: not pmap.is_partial,
    has_rational_values=lambda pmap: pmap.is_polynomial,
    write_formulas=write_summand_formulas,
    offer_parts=offer_smaller_sums,
)


Numbers = NDArray[np.intp]


def is_inside(pmap: AdditiveMap, point: Sequence[Fraction], strictly: bool, margin: Fraction) -> bool:
    """Whether no rate, variance or probability is negative."""
    ends = [
        *(point[number] for number in find_nonnegative_parameters(pmap)),
        *iterate_completed_rows(list_probability_rows(pmap), point),
    ]
    return all(is_positive(value, strictly, margin) for value in ends)


def collect_rates(pmap: AdditiveMap) -> list[Numbers]:
    """The rates of Poisson variables, or the variances of normal ones."""
    letters = [number for number, letter in enumerate(list_letters(pmap.model)) if letter in ("l", "v")]
    return [row.components[..., letters] for row in pmap.rows]


def iterate_table_numbers(pmap: AdditiveMap) -> Iterator[Numbers]:
    """Yield the numbers of the parameters in the tables of the causes, rows × free states."""
    start, states = 0, pmap.model.network.states
    for variable in pmap.model.coordinate_variables:
        rows, free = prod(states[parent] for parent in variable.parents), variable.states - 1
        yield np.arange(start, start + rows * free).reshape(rows, free)
        start += rows * free


def list_probability_rows(pmap: AdditiveMap) -> list[Numbers]:
    """The parameters that are probabilities, a row for each distribution, whose last probability is no parameter."""
    tables = (*iterate_table_numbers(pmap), *(row.weights for row in pmap.rows))
    return [row for table in tables for row in table if row.size]


def find_nonnegative_parameters(pmap: AdditiveMap) -> frozenset[int]:
    """Rates, variances and probabilities."""
    return collect_numbers([*list_probability_rows(pmap), *collect_rates(pmap)])


def iterate_alike_parameters(pmap: AdditiveMap) -> Iterator[Numbers]:
    """The parameters that are the same in all rows if causes and hidden variables make no difference."""
    for table in iterate_table_numbers(pmap):
        yield from table.T
    for row in pmap.rows:
        yield from row.weights.T
        yield from np.moveaxis(row.components, -1, 0)


DOMAIN = Domain(
    is_inside,
    find_nonnegative_parameters,
    iterate_alike=iterate_alike_parameters,
    list_states=lambda model: [variable.states for variable in model.network.variables],
)


def write_additive_bounds(_claim: JsonNode, _claimed: Any, analysis: Analysis) -> tuple[JsonNode, JsonNode]:
    """The evidence for both bounds of an additive model; the format counts cumulants order by order, and has no probes.

    Of what is ordered a theorem says the lower one, whatever the rank was taken of, and so it is for sums where the format has no rank:
    with several effects or shared hidden causes, and where probes were taken.
    """
    from algdim.certificate.exporting import check_exact, choose_best_draw, write_rank

    pmap: Any = analysis.prepared.pmap
    finding = analysis.finding
    check_exact(finding, analysis.model)
    upper = {"kind": finding.upper.kind, "value": finding.upper.value}
    if pmap.model.is_order_statistic:
        return {"kind": ORDERED_KIND, "value": finding.lower.value}, upper
    is_single = len(pmap.model.effects) == 1 and not pmap.model.is_shared
    if not (is_single and finding.draws and len(choose_best_draw(finding).streams) == 1):
        return {"kind": "shifts", "value": finding.lower.value}, upper
    node = write_rank(finding, pmap, finding.lower)

    def place(row: int) -> int:
        cell, order = divmod(row - pmap.tables, pmap.order)
        return row if row < pmap.tables else pmap.tables + order * pmap.configurations + cell

    order = sorted(range(len(node["rows"])), key=lambda k: place(node["rows"][k]))
    lower = node | {"rows": [place(node["rows"][k]) for k in order]}
    return lower, upper


def encode_effects(prepared: Prepared) -> JsonNode:
    """The model as certificates have it: with hidden causes that are shared a list of effects, of one too."""
    model: Any = prepared.model
    found = convert_model_to_dictionary(model)
    if not model.is_shared or "effects" in found:
        return found
    effect = {"name": found.pop("effect"), "mechanisms": found.pop("mechanisms")}
    return {**found, "effects": [effect]}


def count_parameters_and_coordinates(prepared: Prepared, claimed: Any) -> tuple[int, int | None]:
    """The numbers of parameters and of coordinates; with mixtures the saturated model has no finite dimension."""
    del claimed
    pmap: Any = prepared.pmap
    return len(pmap.parameters), None if pmap.is_partial else pmap.complete


CERTIFYING = Certifying(
    encode_effects,
    write_additive_bounds,
    count_parameters_and_coordinates,
)
