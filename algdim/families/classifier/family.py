"""What a dimension needs of classifiers, what identifies their parameters, and their certificates.

The bounds are those of the linear map from log-odds. Only the tables that contain the class can be identified.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, cast

from algdim.bound.bounds import Bound
from algdim.bound.counting import bound_by_counting
from algdim.bound.strategy import SHORTCUT_PARAMETERS, Effort, Finding, find_by_rank
from algdim.display.mathml import format_value_latex, list_values_latex
from algdim.errors import join_names
from algdim.families.classifier.bounds import (
    bound_by_ambient,
    bound_by_class_tables,
    bound_by_linear_map,
    bound_by_theorem,
    explain_recipe,
)
from algdim.families.classifier.map import ClassifierMap, build_classifier_map, make_log_odds_evaluator, offer_log_odds
from algdim.families.classifier.model import Classifier
from algdim.families.contract import (
    FEWER_STATES,
    Bounds,
    Certifying,
    Comparing,
    Domain,
    Explaining,
    Family,
    Identifying,
    JsonNode,
    Share,
    SmallerModel,
)
from algdim.families.discrete.districts import build_network_graph
from algdim.families.discrete.family import (
    find_nonnegative_parameters,
    is_inside,
    iterate_alike_parameters,
    iterate_neutral_weights,
    iterate_table_shares,
    read_table_point,
)
from algdim.families.discrete.locals.classifier import Embedded
from algdim.families.discrete.model import Network, Variable
from algdim.figures import format_count
from algdim.models.graphs import find_above, iterate_ancestral_sets
from algdim.trust import Remark, proved_by

if TYPE_CHECKING:
    from algdim.analysis import Analysis, Prepared
    from algdim.identifiability.kernels import Pieces


LINEAR = "linear-map"


def find_without_rank(
    cmap: ClassifierMap, effort: Effort, labels: tuple[str, ...], proved: Bound | None
) -> Finding | None:
    """The finding for a large classifier for which the rank of the linear map is the dimension."""
    lower = bound_by_theorem(cmap) if LINEAR in effort.bounds and len(cmap.parameters) > SHORTCUT_PARAMETERS else None
    if lower is None or proved is None:
        return None
    is_written = lower.value <= effort.minors
    return find_by_rank(cmap, effort, labels, proved) if is_written else Finding(lower, proved, LINEAR)


def read_class_point(cmap: ClassifierMap, source: Any, model: Classifier) -> list[Fraction]:
    """The parameters of a classifier from a parameter file, which has the tables of its network."""
    return read_table_point(cmap.tables, source, model.network)


def convert_to_network(model: Classifier) -> Network:
    """The inputs, on which it conditions, and the class."""
    if not model.inputs:
        return model.network
    inputs = tuple(Variable(name, model.states[name]) for name in model.inputs)
    label = Variable(model.label, model.classes, parents=model.inputs, local=Embedded(model))
    return Network((*inputs, label), given=model.inputs)


def describe_inputs(model: Classifier) -> str:
    """What kind of model it is."""
    inputs = len(model.network.observed) - 1
    return f"classifier of {model.label} from {format_count(inputs, 'input')}"


FAMILY = Family(
    describe=describe_inputs,
    make_graph=lambda model: build_network_graph(model.network, frames=False),
    can_hide=False,
    convert_to_network=convert_to_network,
    make_map=lambda model, whole: build_classifier_map(model),  # noqa: ARG005 (nothing is tied to other models)
    make_evaluator=make_log_odds_evaluator,
    bounds=Bounds(
        {
            "counting": bound_by_counting,
            "ambient": bound_by_ambient,
            LINEAR: bound_by_linear_map,
            "class-tables": bound_by_class_tables,
        },
        find_without_rank=find_without_rank,
    ),
    read_point=read_class_point,
    describe_map=lambda pmap: Remark(explain_recipe(pmap)),
    no_value="a probability is 0, and log-odds need its logarithm",
)


def iterate_class_shares(cmap: ClassifierMap) -> Iterator[Share]:
    """The parameters of each table of a classifier, and whether the class occurs in it."""
    owners = set(cmap.relevant.owners)
    for share in iterate_table_shares(cmap.tables):
        occurs = share.owner in owners or share.owner == "ties"
        yield share if occurs else replace(share, what=f"{share.what}; without the class, it cancels")


MOST_FACTORS = 8


def write_odds_formulas(model: Classifier) -> Iterator[str]:
    r"""The log-odds as the field writes them, and the distribution that follows from them.

    >>> from algdim.models.notation import parse
    >>> print(next(write_odds_formulas(parse("classifier Y: Y -> X"))))
    \lambda_{k}(x) = \log\frac{P(y_{k}\mid x)}{P(y_{0}\mid x)} = \log\frac{P(y_{k})}{P(y_{0})} + \log\frac{P(x\mid y_{k})}{P(x\mid y_{0})}
    """
    inputs, small = list_values_latex(list(model.inputs)), format_value_latex(model.label)
    states = {state: f"{small}_{{{state}}}" if "_" not in small else f"({small})_{{{state}}}" for state in ("k", "0")}
    terms = []
    by_name = {variable.name: variable for variable in model.network.variables}
    for factor in model.factors[:MOST_FACTORS]:
        sides = []
        for state in states.values():
            values = [
                state if name == model.label else format_value_latex(name) for name in by_name[factor.owner].parents
            ]
            own = state if factor.owner == model.label else format_value_latex(factor.owner)
            sides.append(rf"P({own}\mid {','.join(values)})" if values else f"P({own})")
        terms.append(rf"\log\frac{{{sides[0]}}}{{{sides[1]}}}")
    rest = r" + \cdots" if len(model.factors) > MOST_FACTORS else ""
    ratio = rf"\frac{{P({states['k']}\mid {inputs})}}{{P({states['0']}\mid {inputs})}}"
    yield rf"\lambda_{{k}}({inputs}) = \log{ratio} = {' + '.join(terms)}{rest}"
    exponential = rf"e^{{\lambda_{{k}}({inputs})}}"
    below = rf"1 + \sum_{{j=1}}^{{{model.classes - 1}}} e^{{\lambda_{{j}}({inputs})}}"
    yield rf"\varphi_{{k}}({inputs}) = P({states['k']}\mid {inputs}) = \frac{{{exponential}}}{{{below}}}"


def offer_smaller_classifiers(model: Classifier) -> Iterator[Iterator[SmallerModel]]:
    """Classifiers of some inputs, and with fewer states, where every table is free."""
    if model.is_free:
        for most in (max(model.states.values()), *FEWER_STATES):
            yield iterate_smaller_classifiers(model, most)


def iterate_smaller_classifiers(model: Classifier, most: int) -> Iterator[SmallerModel]:
    """One input more each time, parents first, of those that occur in a table with the class."""
    variables = model.network.variables
    parents = {variable.name: variable.parents for variable in variables}
    occurring = {name for factor in model.factors for name in factor.inputs}
    always = find_above(parents, model.label)
    names = [name for name in model.inputs if name in occurring and name not in always]
    is_cut = any(variable.states > most for variable in variables)
    for some in iterate_ancestral_sets(parents, names, always):
        kept = always.union(*(find_above(parents, name) for name in some))
        smaller = tuple(
            variable.with_states(min(variable.states, most)) for variable in variables if variable.name in kept
        )
        inputs = join_names([variable.name for variable in smaller if variable.name != model.label], most=12)
        yield SmallerModel(
            Classifier(Network(smaller), model.label),
            f"the classifier with the inputs {inputs} alone{f', with at most {most} states each' if is_cut else ''}",
            f"It is what the whole model says{' in some states of its variables' if is_cut else ''}"
            + (" where the other inputs are independent of the class" if len(smaller) < len(variables) else ""),
            "these log-odds in place, not always the others"
            if is_cut
            else "the log-odds of the whole model in place, too: the tables of other inputs, which do not move, are added to these",
        )


EXPLAINING = Explaining(
    iterate_class_shares,
    describe_subject=lambda model: f"distribution of {model.label} given the inputs",
    has_rational_values=lambda pmap: False,  # noqa: ARG005 (logarithms)
    write_formulas=write_odds_formulas,
    offer_coordinates=offer_log_odds,
    offer_parts=offer_smaller_classifiers,
)

COMPARING = Comparing(
    list_coordinates=lambda model: ("conditional table",),  # noqa: ARG005
    bring=lambda model, kind: convert_to_network(model),  # noqa: ARG005
)

DOMAIN = Domain(
    lambda cmap, point, strictly, margin: is_inside(cmap.tables, point, strictly, margin),
    lambda cmap: find_nonnegative_parameters(cmap.tables),
    iterate_alike=lambda cmap: iterate_alike_parameters(cmap.tables),
    iterate_neutral=lambda cmap: iterate_neutral_weights(cmap.tables),
    list_states=lambda model: [variable.states for variable in model.variables],
)


def select_class_tables(prepared: Prepared) -> Pieces:
    """The tables that contain the class; on the others nothing observed depends."""
    from algdim.identifiability.kernels import Piece, Pieces

    cmap = cast("ClassifierMap", prepared.whole_map)
    everything = frozenset(range(len(cmap.parameters)))
    occurring = frozenset[int]().union(*cmap.occurring)
    loops = everything - occurring
    facts = f"{format_count(len(loops), 'parameter')} in no table that contains the class"
    why = (proved_by("classifier", facts),) if loops else ()
    return Pieces((Piece(cmap, tuple(sorted(occurring))),), loops, why, ())


IDENTIFYING = Identifying(find_pieces=select_class_tables, has_polynomial_kernel=False)


def write_classifier_bounds(_claim: JsonNode, _claimed: Any, analysis: Analysis) -> tuple[JsonNode, JsonNode]:
    """The evidence for both bounds of a classifier."""
    from algdim.certificate.exporting import check_exact, write_rank

    model, finding = cast("Classifier", analysis.model), analysis.finding
    check_exact(finding, model)
    is_linear = finding.lower.kind == LINEAR
    lower = (
        write_class_bound(model, finding.lower)
        if is_linear
        else write_rank(finding, analysis.prepared.pmap, finding.lower)
    )
    return lower, write_class_bound(model, finding.upper)


def write_class_bound(model: Classifier, bound: Bound) -> JsonNode:
    """A bound of a classifier: the tables whose parameters are counted, none for the linear map alone."""
    node = {"kind": bound.kind, "value": bound.value}
    if bound.kind not in (LINEAR, "class-tables"):
        return node
    counted = bound.evidence.get("tables", ())
    owners = {variable.name: variable.local.share or variable.name for variable in model.variables}
    factors = {factor.owner for factor in model.factors}
    names = [name for name, owner in owners.items() if name in factors and owner in counted]
    return node | {"kind": "class-tables", "tables": names}


def encode_prepared_model(prepared: Prepared) -> JsonNode:
    """The model as certificates have it."""
    from algdim.families.discrete.describing import encode_classifier

    return encode_classifier(cast("Classifier", prepared.model))


CERTIFYING = Certifying(encode_prepared_model, write_classifier_bounds)
