"""What a dimension needs of log-linear models: their map, and bounds of models that contain them; their certificates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from math import prod
from typing import TYPE_CHECKING, Any, cast

from algdim.bound.bounds import LOWER, UPPER, Bound, choose_least, prove_bound
from algdim.bound.counting import COUNTED, bound_by_counting
from algdim.bound.searches import SearchSetting
from algdim.bound.strategy import (
    CHANCE,
    KNOWN,
    Effort,
    Finding,
    find_both_bounds,
    find_upper_bounds,
    search_bounds,
    select_side,
)
from algdim.display.mathml import format_value_latex, list_values_latex
from algdim.errors import join_names
from algdim.families.contract import (
    BoundPicture,
    Bounds,
    Certifying,
    Domain,
    Explaining,
    Family,
    Graph,
    JsonNode,
    Node,
    OnGraph,
    Share,
)
from algdim.families.discrete.bounds.search import bound_by_ambient, compute_saturated_dimension
from algdim.families.discrete.map import get_param_map
from algdim.families.loglinear.map import (
    LogLinearMap,
    build_loglinear_map,
    compute_cleared_jacobian,
    make_normalised_evaluator,
)
from algdim.families.loglinear.model import (
    LogLinear,
    drop_irrelevant,
    find_containing_class,
    list_summed_out,
    sum_out_hidden,
)
from algdim.families.polynomial.bounds import FREE_SEARCHES
from algdim.figures import cut_text, format_count
from algdim.maps import Map, is_positive
from algdim.models.graphs import find_blocks
from algdim.models.notation import to_text
from algdim.trust import proved_by, trust_in_all

if TYPE_CHECKING:
    from algdim.analysis import Analysis, Prepared


def bound_by_latent_class(setting: SearchSetting[Map]) -> Bound | None:
    """A bound of the latent class model that contains a log-linear one (lemma "log-linear")."""
    network = find_containing_class(setting.pmap.model)
    if network is None:
        return None
    effort = Effort("auto", tuple(name for name in KNOWN if name != CHANCE), setting.seed, 0)
    pmap = get_param_map(network)
    searches = search_bounds(pmap, setting.lower, effort, tuple(map(str, setting.labels)))
    found = choose_least([*find_upper_bounds(pmap, effort.bounds), *select_side(UPPER, searches)])
    if found is None or not found.is_proved:
        return None
    reason = f"{to_text(network)} contains the model: {found.reason}"
    evidence = {"model": to_text(network), "by": found.kind}
    contains = proved_by("log-linear", f"{to_text(network)} contains the model", "containing")
    return Bound(found.value, UPPER, "containing", reason, trust_in_all([contains, found.trust]), evidence)


def examine_latent_class(
    pmap: LogLinearMap, bound: Bound, effort: Effort, labels: tuple[str, ...]
) -> tuple[tuple[Map, Finding], ...]:
    """The latent class model that contains a log-linear one, where a bound is by it, with bounds of its own."""
    del labels
    network = find_containing_class(pmap.model) if bound.kind == "containing" else None
    if network is None:
        return ()
    contains = get_param_map(network)
    return ((contains, find_both_bounds(contains, effort)),)


ALL_OBSERVED, ONE_INTERACTION = "all-observed", "one-interaction"

RANKED = 1 << 26
"""Below this many parameters times cells times effects a rank is taken, which certificates have a form for."""


def bound_by_summing_out(pmap: LogLinearMap) -> Bound | None:
    """The number of parameters without the hidden variables that are in one interaction only (lemma "one interaction")."""
    smaller = sum_out_hidden(pmap.model)
    if smaller is None:
        return None
    return prove_bound(
        smaller.parameter_count, UPPER, ONE_INTERACTION, describe_rest(pmap.model, smaller), "one interaction", COUNTED
    )


def describe_rest(model: LogLinear, smaller: LogLinear) -> str:
    """What is left where hidden variables are summed out."""
    names = smaller.states
    removed = cut_text(join_names(one.name for one in model.hidden if one.name not in names))
    predicate = (
        "is in one interaction only; summed out, it leaves"
        if len(model.variables) == len(names) + 1
        else "are in one interaction only, one after the other; summed out, they leave"
    )
    return (
        f"{removed} {predicate} {cut_text(to_text(smaller))}, of {format_count(smaller.parameter_count, 'parameter')}"
    )


def picture_summing_out(pmap: LogLinearMap, point: Sequence[Fraction], bound: Bound) -> Iterator[BoundPicture]:
    """The model that is left where hidden variables are summed out."""
    del point
    smaller = sum_out_hidden(pmap.model) if bound.kind == ONE_INTERACTION else None
    if smaller is not None:
        text = f"Summed out, a variable in one interaction only leaves this model with the same distributions; it has {format_count(bound.value, 'parameter')}."
        yield OnGraph({}, {}, text, smaller)


def find_without_rank(
    pmap: LogLinearMap, effort: Effort, labels: tuple[str, ...], proved: Bound | None
) -> Finding | None:
    """The finding of a large model without hidden variables, or whose hidden variables can be summed out: it needs no rank."""
    del labels
    count = len(pmap.parameters)
    work = count * pmap.coordinate_count * max(1, len(pmap.model.effects))
    if effort.minors or proved is None or work < RANKED:
        return None
    if pmap.model.hidden:
        return find_summed_out(pmap.model) if ONE_INTERACTION in effort.bounds else None
    reason = f"no variable is hidden, so that its {format_count(count, 'parameter')} can be read off the table"
    return Finding(prove_bound(count, LOWER, ALL_OBSERVED, reason, "all observed"), proved, ALL_OBSERVED)


def find_summed_out(model: LogLinear) -> Finding | None:
    """The finding where each hidden variable is in one interaction only (lemma "one interaction")."""
    smaller = sum_out_hidden(model)
    if smaller is None or smaller.hidden:
        return None
    count, reason = smaller.parameter_count, describe_rest(model, smaller)
    low, high = (
        prove_bound(count, side, ONE_INTERACTION, reason, "one interaction", "all observed") for side in (LOWER, UPPER)
    )
    return Finding(low, high, ALL_OBSERVED)


def build_graph(model: LogLinear) -> Graph:
    """Lines between variables that interact."""
    nodes = tuple(Node(one.name, str(one.states), one.observed) for one in model.variables)
    pairs = {pair: None for group in model.interactions for pair in combinations(group, 2)}
    return Graph(nodes, lines=tuple(pairs))


def describe_interactions(model: LogLinear) -> str:
    """What kind of model it is."""
    hidden = len(model.hidden)
    also = f" and {hidden} hidden" if hidden else ""
    variables = "variable" if len(model.variables) == 1 else "variables"
    return f"log-linear model: {len(model.variables) - hidden} observed{also} {variables}, {format_count(len(model.interactions), 'interaction')}"


FAMILY = Family(
    describe=describe_interactions,
    compute_complete=lambda pmap, seed: compute_saturated_dimension(pmap.unnormalised, seed),
    make_graph=build_graph,
    make_map=lambda model, whole: build_loglinear_map(model),  # noqa: ARG005 (nothing is tied to other models)
    make_evaluator=make_normalised_evaluator,
    bounds=Bounds(
        {
            "counting": bound_by_counting,
            "ambient": lambda pmap: bound_by_ambient(pmap.unnormalised),
            ONE_INTERACTION: bound_by_summing_out,
        },
        {"containing": bound_by_latent_class, **FREE_SEARCHES},
        SearchSetting,
        find_without_rank=find_without_rank,
        rests_on=examine_latent_class,
    ),
    multiply_out=compute_cleared_jacobian,
    drop_irrelevant=drop_irrelevant,
    irrelevance_lemma="log-linear",
    why_irrelevant="joined to no observed variable by effects with parameters",
)


def iterate_effect_shares(pmap: LogLinearMap) -> Iterator[Share]:
    """The effects of each interaction of a log-linear model."""
    states = pmap.model.states
    for effect in pmap.model.effects:
        yield Share(",".join(effect), prod(states[name] - 1 for name in effect), "")


MOST_FACTORS = 10


def write_interaction_formulas(model: LogLinear) -> Iterator[str]:
    r"""The distribution as a product of effects, summed over hidden states and normalised.

    >>> from algdim.models.notation import parse
    >>> print(next(write_interaction_formulas(parse("loglinear: {A,B}"))))
    P(a,b) = \frac{1}{Z}\,t(a)\,t(b)\,t(a,b)
    """
    hidden = [variable.name for variable in model.hidden]
    factors = [f"t({','.join(map(format_value_latex, names))})" for names in model.effects]
    rest = [r"\cdots", factors[-1]] if len(factors) > MOST_FACTORS else factors[MOST_FACTORS - 1 :]
    total = rf"\sum_{{{list_values_latex(hidden, 6)}}} " if hidden else ""
    product = r"\,".join([*factors[: MOST_FACTORS - 1], *rest])
    observed = list_values_latex([variable.name for variable in model.observed])
    yield rf"P({observed}) = \frac{{1}}{{Z}}\,{total}{product}"
    yield r"t = e^{\theta} \text{, and } 1 \text{ where one of the variables is in state } 0"


EXPLAINING = Explaining(
    iterate_effect_shares, most_bits=24, write_formulas=write_interaction_formulas, picture_bound=picture_summing_out
)

DOMAIN = Domain(
    lambda _, point, strictly, margin: all(is_positive(value, strictly, margin) for value in point),
    lambda pmap: frozenset(range(len(pmap.parameters))),
    list_states=lambda model: [variable.states for variable in model.variables],
)


def write_loglinear_bounds(_claim: JsonNode, claimed: Any, analysis: Analysis) -> tuple[JsonNode, JsonNode]:
    """The evidence for both bounds of a log-linear model."""
    from algdim.certificate.exporting import check_exact, make_proof_error, write_rank
    from algdim.families.polynomial.certificate import write_upper_bound

    smaller, lmap, finding = analysis.prepared.reduction.smaller, analysis.prepared.pmap, analysis.finding
    check_exact(finding, smaller)
    if finding.upper.kind == ONE_INTERACTION:
        upper = write_summed_out(smaller, claimed, finding.upper)
    elif finding.upper.kind == "containing":
        upper = write_class_bound(smaller, finding, analysis.effort)
    else:
        upper = write_upper_bound(lmap, finding)
    if upper is None:
        raise make_proof_error(smaller, finding.upper)
    return write_rank(finding, lmap, finding.lower), upper


def write_summed_out(model: LogLinear, claimed: Any, bound: Bound) -> JsonNode | None:
    """The hidden variables that are summed out, in turn; nothing if variables with one state stand in the way."""
    from algdim.certificate import checker

    node = {
        "kind": ONE_INTERACTION,
        "value": bound.value,
        "hidden": list_summed_out(model),
        "upper": {"kind": "counting", "value": bound.value},
    }
    try:
        checker.Check().bound("upper", claimed.relevant(), node)
    except checker.Refused:
        return None
    return node


def write_class_bound(model: LogLinear, finding: Finding, effort: Effort) -> JsonNode | None:
    """The latent class model that contains a log-linear one, with a bound of its own."""
    from algdim.families.discrete.certificate import make_class_exporter

    states = model.states
    blocks = find_blocks(tuple(variable.name for variable in model.observed), model.interactions)
    shape = [prod(v.states for v in model.hidden), *(prod(states[name] for name in block) for block in blocks)]
    ((_, contains),) = finding.of
    upper = make_class_exporter(shape, effort, contains).upper()
    node = {
        "kind": "latent-class",
        "value": upper["value"],
        "blocks": [list(block) for block in blocks],
        "upper": upper,
    }
    return node if node["value"] == finding.upper.value else None


def encode_prepared_model(prepared: Prepared) -> JsonNode:
    """The model as certificates have it."""
    from algdim.families.polynomial.certificate import encode_loglinear

    return encode_loglinear(cast("LogLinear", prepared.model))


CERTIFYING = Certifying(encode_prepared_model, write_loglinear_bounds)
