"""Write certificates: both bounds of a dimension with all that is needed to check them again.

The evidence follows the findings of `algdim.bound.strategy`. The models that it is about, districts, kernels, local models
of trees, are derived here, and by the checker on its own; where the two differ nothing is written. The checker is run on
every certificate before it is returned.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

from algdim.bound.bounds import Bound
from algdim.bound.strategy import DISTRICTS, TREES, Effort, Finding, by_rank, chosen, combined, examine
from algdim.bound.symbolic import is_small
from algdim.certificate import checker
from algdim.certificate.equations import constants_of, coordinates_of_table, equations_node, items_of
from algdim.certificate.outlines import Derived, Outline, Shape, outline_of, outline_of_class, shapes_in
from algdim.certificate.record import Certificate
from algdim.errors import AlgdimError, LimitError
from algdim.exact.draws import drawn_seed, stream
from algdim.families.additive.map import additive_map
from algdim.families.additive.model import KINDS, Additive
from algdim.families.classifier.bounds import best_bound, embedded_in
from algdim.families.classifier.family import LINEAR
from algdim.families.classifier.map import classifier_map
from algdim.families.classifier.model import Classifier
from algdim.families.contract import Part
from algdim.families.discrete.bounds.localmaps import local_model
from algdim.families.discrete.bounds.mechanisms import KIND as MECHANISMS
from algdim.families.discrete.bounds.pairwise import grouping, parameter_count
from algdim.families.discrete.bounds.theorems import dimension_of_secants, free_latent_class
from algdim.families.discrete.bounds.zeros import support
from algdim.families.discrete.certificate import described, described_classifier
from algdim.families.discrete.districts import split
from algdim.families.discrete.locals.function import AtLeast, Maximum, Parity
from algdim.families.discrete.locals.sigmoid import with_free_tables
from algdim.families.discrete.map import ParamMap, param_map
from algdim.families.discrete.model import Network, Variable
from algdim.families.discrete.trees import latent_tree
from algdim.families.gaussian import certificate as gaussian
from algdim.families.gaussian.map import gaussian_map
from algdim.families.gaussian.model import Gaussian
from algdim.families.latentprofile.model import LatentProfile
from algdim.families.latentprofile.order import moment_map
from algdim.families.loglinear.map import loglinear_map
from algdim.families.loglinear.model import LogLinear, connected
from algdim.families.polynomial.evidence import (
    described_loglinear,
    described_polynomial,
    fields_node,
    kernel_fields,
    monomials_node,
)
from algdim.families.polynomial.map import polynomial_map
from algdim.families.polynomial.model import Polynomial
from algdim.jacobian import PRODUCTS
from algdim.maps.anymap import Map
from algdim.memory import allowed_memory
from algdim.models.anymodel import AnyModel, without_irrelevant
from algdim.models.modelfile import to_dict
from algdim.models.notation import to_text
from algdim.rank import Draw, usable_prime

if TYPE_CHECKING:
    from algdim.readers.anything import ModelLike

Node = dict[str, Any]
Counts = tuple[int, int | None]


class Family(NamedTuple):
    """What describes a model, counts its parameters and those of the saturated one, and writes the evidence for both bounds.

    The latter two also get the model that the checker reads in the description.
    """

    describe: Callable[[Any], Node]
    counts: Callable[[Any, Any], Counts]
    sides: Callable[[Node, Any, Any, Effort], tuple[Node, Node]]


class NotProvedError(AlgdimError):
    """There is no certificate, because the dimension is not proved, or not by evidence that the format knows."""

    exit_code = 1


def prove(model: ModelLike, *, seed: int | str = 0, max_memory: int | str | None = None) -> Certificate:
    """A certificate of a model's dimension; an error where the dimension is not proved.

    >>> print(prove("3:2,2,2,2"))
    dimension 13, standard 14, complete 15: rank and equations
    """
    from algdim.readers.anything import model as read_model

    network = read_model(model)
    if network.family not in SIDES:
        raise NotProvedError(f"{to_text(network)}: there are no certificates yet for the family {network.family}")
    names = chosen("auto")
    effort = Effort("auto", names, drawn_seed(seed), allowed_memory(max_memory))
    if isinstance(network, Network):
        network = in_order(network)
    first = tuple(name for name in names if name not in LAST)
    if first and first != names:
        try:
            return certificate_of(network, replace(effort, bounds=first))
        except (NotProvedError, LimitError):
            pass  # the search with all bounds tells whether there is another proof, or one without a form
    return certificate_of(network, effort)


def certificate_of(network: Any, effort: Effort) -> Certificate:
    """The certificate that an effort leads to."""
    family = SIDES[network.family]
    try:
        model = family.describe(network)
        claimed = checker.FAMILIES[network.family](model, checker.Work())  # refuses what is too large before any work
        standard, complete = family.counts(network, claimed)
        lower, upper = family.sides(model, claimed, network, effort)
    except checker.Unreadable as refused:
        raise beyond_limits(network, refused) from None
    claim = {"model": model, "dimension": lower["value"], "standard": standard, "complete": complete}
    found = Certificate({"format": checker.FORMAT, "claim": claim, "evidence": {"lower": lower, "upper": upper}})
    code, reason = checker.verdict(found.text.encode())
    if code == checker.Unreadable.code:
        raise beyond_limits(network, reason)
    if code:
        raise RuntimeError(f"{to_text(network)}: the checker does not accept the certificate ({reason})")
    return found


def beyond_limits(model: AnyModel, reason: object) -> LimitError:
    """The error for a certificate that is too large."""
    return LimitError(f"{to_text(model)}: the certificate is beyond the format's limits ({reason})")


def in_order(network: Network) -> Network:
    """The model with what is conditioned on in the order of its variables, as the format has it."""
    return replace(network, given=tuple(v.name for v in network.variables if v.name in network.given))


def gaussian_sides(_claim: Node, _claimed: Any, model: Gaussian, effort: Effort) -> tuple[Node, Node]:
    """The evidence for both bounds of a Gaussian model."""
    smaller, _ = without_irrelevant(model)
    gmap = gaussian_map(smaller)
    finding = examine(gmap, effort)
    check_exact(finding, smaller)
    if finding.upper.kind not in gaussian.UPPER:
        raise not_covered(smaller, finding.upper)
    upper = gaussian.UPPER[finding.upper.kind](gmap, finding.upper, finding)
    return rank_node(finding, gmap, finding.lower), upper


def profile_sides(_claim: Node, _claimed: Any, model: LatentProfile, effort: Effort) -> tuple[Node, Node]:
    """The evidence for both bounds of a latent-profile model: nothing but the parameters bounds its distributions."""
    pmap = moment_map(model)
    finding = examine(pmap, effort)
    check_exact(finding, model)
    return rank_node(finding, pmap, finding.lower), {"kind": finding.upper.kind, "value": finding.upper.value}


def additive_sides(_claim: Node, _claimed: Any, model: Additive, effort: Effort) -> tuple[Node, Node]:
    """The evidence for both bounds of an additive model; the format counts cumulants order by order, and has no probes."""
    pmap = additive_map(model)
    finding = examine(pmap, replace(effort, method="table"))
    check_exact(finding, model)
    node = rank_node(finding, pmap, finding.lower)

    def place(row: int) -> int:
        cell, order = divmod(row - pmap.tables, pmap.order)
        return row if row < pmap.tables else pmap.tables + order * pmap.configurations + cell

    order = sorted(range(len(node["rows"])), key=lambda k: place(node["rows"][k]))
    lower = node | {"rows": [place(node["rows"][k]) for k in order]}
    return lower, {"kind": finding.upper.kind, "value": finding.upper.value}


def classifier_sides(_claim: Node, _claimed: Any, model: Classifier, effort: Effort) -> tuple[Node, Node]:
    """The evidence for both bounds of a classifier."""
    cmap = classifier_map(model)
    finding = examine(cmap, effort)
    check_exact(finding, model)
    if finding.lower.kind == LINEAR and finding.lower.value > checker.MOST_RANK:
        return class_bound(model, finding.lower), class_bound(model, finding.upper)
    if finding.lower.kind == LINEAR:
        finding = by_rank(cmap, effort, (), finding.upper)
        check_exact(finding, model)
    return rank_node(finding, cmap, finding.lower), class_bound(model, finding.upper)


def class_bound(model: Classifier, bound: Bound) -> Node:
    """A bound of a classifier: the tables whose parameters are counted, none for the linear map alone."""
    node = {"kind": bound.kind, "value": bound.value}
    if bound.kind not in (LINEAR, "class-tables"):
        return node
    counted = bound.evidence.get("tables", ())
    owners = {variable.name: variable.local.share or variable.name for variable in model.variables}
    factors = {factor.owner for factor in model.factors}
    names = [name for name, owner in owners.items() if name in factors and owner in counted]
    return node | {"kind": "class-tables", "tables": names}


def loglinear_sides(_claim: Node, _claimed: Any, model: LogLinear, effort: Effort) -> tuple[Node, Node]:
    """The evidence for both bounds of a log-linear model."""
    smaller, _ = without_irrelevant(model)
    lmap = loglinear_map(smaller)
    finding = examine(lmap, effort)
    check_exact(finding, smaller)
    upper = (
        formula_bound(lmap, finding) if finding.upper.kind != "containing" else in_class_model(smaller, finding, effort)
    )
    if upper is None:
        raise not_covered(smaller, finding.upper)
    return rank_node(finding, lmap, finding.lower), upper


def in_class_model(model: LogLinear, finding: Finding, effort: Effort) -> Node | None:
    """The latent class model that contains a log-linear one, with a bound of its own."""
    states = model.states
    blocks = connected(tuple(variable.name for variable in model.observed), model.interactions)
    shape = [prod(v.states for v in model.hidden), *(prod(states[name] for name in block) for block in blocks)]
    upper = class_exporter(shape, effort).upper()
    node = {
        "kind": "latent-class",
        "value": upper["value"],
        "blocks": [list(block) for block in blocks],
        "upper": upper,
    }
    return node if node["value"] == finding.upper.value else None


def polynomial_sides(_claim: Node, _claimed: Any, model: Polynomial, effort: Effort) -> tuple[Node, Node]:
    """The evidence for both bounds of a map given by formulas."""
    pmap = polynomial_map(model)
    finding = examine(pmap, effort)
    check_exact(finding, model)
    bound = finding.upper
    upper = formula_bound(pmap, finding) if bound.kind != "flattenings" else monomials_node(pmap, bound, effort.seed)
    if upper is None:
        raise not_covered(model, bound)
    return rank_node(finding, pmap, finding.lower), upper


def formula_bound(pmap: Map, finding: Finding) -> Node | None:
    """An upper bound of a map given by formulas; ``None`` if it has no form."""
    bound = finding.upper
    if bound.kind == "symmetry":
        return fields_node(bound)
    if bound.kind == "symbolic":
        best = best_draw(finding)
        try:
            fields = kernel_fields(pmap, pmap.parameters)
        except LimitError:
            return None
        return {"kind": "symmetry", "value": bound.value, "prime": best.prime, "point": best.streams[0]} | {
            "fields": fields
        }
    return {"kind": bound.kind, "value": bound.value} if bound.kind in ("counting", "ambient") else None


def not_covered(model: AnyModel, bound: Bound) -> NotProvedError:
    """The error for a proof that the format does not have."""
    return NotProvedError(
        f"{to_text(model)}: the bound {bound.value} is proved by {bound.kind} ({bound.reason}), "
        "which certificates do not cover"
    )


def network_sides(claim: Node, claimed: checker.Discrete, network: Network, effort: Effort) -> tuple[Node, Node]:
    """The evidence for both bounds of a discrete network, by districts if there are several."""
    model = Derived(outline_of(claim, network).relevant(), claimed.relevant())
    smaller, _ = with_free_tables(without_irrelevant(network)[0])
    pmap = param_map(smaller, ties=network)
    parts = split(smaller, pmap, network) if DISTRICTS in effort.bounds else ()
    if len(parts) < 2:
        return Exporter(model, pmap, effort).both()
    if any(part.pmap.kept is not None for part in parts):
        try:
            return by_districts(model, pmap, parts, effort)
        except NotProvedError:
            return Exporter(
                model, pmap, effort
            ).both()  # entries of kernels that are left out may take the proof with them
    return by_districts(model, pmap, parts, effort)


def by_districts(model: Derived, pmap: ParamMap, parts: Sequence[Part], effort: Effort) -> tuple[Node, Node]:
    """The evidence for both bounds, each the sum over the districts."""
    insides = [[v.name for v in p.pmap.model.variables if v.name not in p.pmap.model.given] for p in parts]
    models = model.parts(insides)
    labels = [("part", inside[0]) for inside in insides]
    exporters = [Exporter(m, p.pmap, effort, use) for m, p, use in zip(models, parts, labels, strict=True)]
    finding = combined([exporter.finding for exporter in exporters], pmap, effort)
    check_exact(finding, pmap.model)
    lower = {"kind": DISTRICTS, "value": finding.lower.value, "parts": [exporter.lower() for exporter in exporters]}
    if finding.upper.kind != DISTRICTS:
        return lower, Exporter(model, pmap, effort, finding=finding).upper()
    nodes = [exporter.upper() for exporter in exporters]
    return lower, {"kind": DISTRICTS, "value": finding.upper.value, "parts": nodes}


def check_exact(finding: Finding, model: AnyModel) -> None:
    """Raise unless the bounds prove the dimension."""
    lower, upper = finding.lower, finding.upper
    if not (lower.is_proved and upper.is_proved):
        raise NotProvedError(
            f"{to_text(model)}: the dimension is at least {lower.value}, and at most {upper.value} only with "
            f"{upper.trust}; a certificate holds what is proved"
        )
    if lower.value != upper.value:
        raise NotProvedError(
            f"{to_text(model)}: the dimension is between {lower.value} and {upper.value}; "
            "a certificate needs two bounds that are equal"
        )


class Exporter:
    """Turns the finding for one model into evidence."""

    def __init__(
        self,
        model: Derived,
        pmap: ParamMap,
        effort: Effort,
        labels: tuple[str, ...] = (),
        finding: Finding | None = None,
    ) -> None:
        self.model, self.outline, self.pmap, self.effort, self.labels = model, model.outline, pmap, effort, labels
        self.finding = finding or examine(pmap, effort, labels)
        self.trees: list[tuple[Node, Node]] | None = None

    def both(self) -> tuple[Node, Node]:
        """Both bounds, which must be equal."""
        check_exact(self.finding, self.pmap.model)
        return self.lower(), self.upper()

    def lower(self) -> Node:
        """The lower bound."""
        return self.exported(self.finding.lower, LOWER)

    def upper(self) -> Node:
        """The upper bound."""
        return self.exported(self.finding.upper, UPPER)

    def exported(self, bound: Bound, writers: dict[str, Writer]) -> Node:
        """One bound; with variables conditioned on, a search was made in the model in which these are free."""
        if not bound.is_proved:
            check_exact(self.finding, self.pmap.model)
        if bound.kind not in writers:
            raise not_covered(self.pmap.model, bound)
        return writers[bound.kind](self, self.pmap, bound)

    def shapes(self) -> list[Shape]:
        """The shapes of the local models of a latent tree; what is conditioned on is a variable like others there."""
        tree = latent_tree(replace(self.pmap.model, given=()))
        assert tree is not None, "the bound rests on it"  # noqa: S101
        return shapes_in(tree)

    def parts(self) -> list[tuple[Node, Node]]:
        """Both bounds of the local models of a latent tree."""
        if self.trees is None:
            self.trees = [
                class_exporter(shape, self.effort, ("local", *(str(size) for size in shape))).both()
                for shape in self.shapes()
            ]
        return self.trees


Writer = Callable[[Exporter, ParamMap, Bound], Node]


def class_exporter(shape: Sequence[int], effort: Effort, labels: tuple[str, ...] = ()) -> Exporter:
    """That of the latent class model of a shape, with the names that the format gives its variables."""
    items = (Variable(f"X{number}", size, parents=("H",)) for number, size in enumerate(shape[1:], 1))
    network = Network((Variable("H", shape[0], observed=False), *items))
    return Exporter(Derived(outline_of_class(shape), checker.class_model(*shape)), param_map(network), effort, labels)


def plain(exporter: Exporter, pmap: ParamMap, bound: Bound) -> Node:  # noqa: ARG001
    """Evidence that the checker needs nothing for."""
    return {"kind": bound.kind, "value": bound.value}


def ambient(exporter: Exporter, pmap: ParamMap, bound: Bound) -> Node:
    """Nothing but the kind, or with impossible cells these: coordinates that are constant."""
    if "impossible" not in bound.evidence:
        return plain(exporter, pmap, bound)
    labels: tuple[int | str, ...] = (
        *exporter.labels,
        "equations",
        0,
    )  # constants need no point, but the format has one
    possible = support(replace(pmap, kept=None))
    counted = range(pmap.cells) if pmap.kept is None else set(pmap.kept.tolist())
    constants = [number for number in range(pmap.cells) if not possible[number] or number not in counted]
    node = {
        "kind": "equations",
        "value": bound.value,
        "prime": usable_prime(pmap, exporter.effort.seed, *labels),
        "point": stream(exporter.effort.seed, "point", *labels).text,
        "constants": constants,
        "matrices": [],
    }
    return covered(exporter, pmap, bound, node)


def rank(exporter: Exporter, pmap: ParamMap, bound: Bound) -> Node:
    """A minor at a point, or the theorem for one that is too large."""
    if bound.value > checker.MOST_RANK and is_known(pmap.model, bound.value):
        return {"kind": "secants", "value": bound.value}
    return rank_node(exporter.finding, pmap, bound)


def is_known(model: Network, value: int) -> bool:
    """Whether a theorem says that this is the dimension of a latent class model."""
    classes, items = free_latent_class(model) or (0, ())
    if len(items) == 2:
        rank = min(classes, *items)
        return value == rank * (sum(items) - rank) - 1
    return {*items} == {2} and value == dimension_of_secants(classes, len(items))


def secants(exporter: Exporter, pmap: ParamMap, bound: Bound) -> Node:  # noqa: ARG001
    """The dimension of a latent class model with two items, or binary ones; of a tree of binary variables by its parts."""
    if not is_known(pmap.model, bound.value):
        raise not_covered(pmap.model, bound)
    return {"kind": "secants", "value": bound.value}


def pairwise(exporter: Exporter, pmap: ParamMap, bound: Bound) -> Node:
    """The two groups of items."""
    outline = exporter.outline
    groups = grouping(outline.states[outline.hidden[0]], pmap.shape)
    assert groups is not None, "the bound rests on it"  # noqa: S101
    blocks = [[outline.observed[number] for number in group] for group in groups]
    return {"kind": "pairwise", "value": bound.value, "blocks": blocks, "S": list(outline.hidden)}


def symbolic(exporter: Exporter, pmap: ParamMap, bound: Bound) -> Node:
    """The kernel of the Jacobian, as fields of polynomials."""
    best = best_draw(exporter.finding)
    names = [f"p{number}" for number in range(len(pmap.parameters))]
    try:
        fields = [{"along": field} for field in kernel_fields(pmap, names)]
    except LimitError:
        raise not_covered(pmap.model, bound) from None
    node = {"kind": "symmetry", "value": bound.value, "prime": best.prime, "point": best.streams[0], "fields": fields}
    return covered(exporter, pmap, bound, node)


def best_draw(finding: Finding) -> Draw:
    """The first draw that shows the greatest rank."""
    return max(finding.draws, key=lambda draw: draw.rank.value)


def rank_node(finding: Finding, pmap: Map, bound: Bound) -> Node:
    """A minor at the point that a finding rests on."""
    best = best_draw(finding)
    if best.rank.value < bound.value:
        raise NotProvedError(
            f"{to_text(pmap.model)}: no point was drawn at which the rank is {bound.value}, which is proved by {bound.kind} "
            f"({bound.reason}); a certificate needs one; try another --seed"
        )
    if best.prime is None:
        raise NotProvedError(f"{to_text(pmap.model)}: the rank was not taken modulo a prime; use the method auto")
    if best.functionals == PRODUCTS:
        raise NotProvedError(
            f"{to_text(pmap.model)}: the rank was taken against products, which certificates do not cover"
        )
    if best.rank.value > checker.MOST_RANK:
        raise LimitError(
            f"{to_text(pmap.model)}: a minor with {best.rank.value} rows; certificates hold at most {checker.MOST_RANK}"
        )
    rows = best.rank.rows if pmap.kept is None else [int(pmap.kept[row]) for row in best.rank.rows]
    node = {"kind": "rank", "value": bound.value, "prime": best.prime, "point": best.streams[0]}
    if len(best.streams) > 1:
        node["probes"] = best.streams[1]
    return node | {"rows": list(rows), "columns": sorted(best.rank.columns)}


def equations(exporter: Exporter, pmap: ParamMap, bound: Bound) -> Node:
    """Gradients at a point."""
    found, seed = bound.evidence, exporter.effort.seed
    constants = constants_of(pmap.shape, found["equations"])
    items = items_of(pmap.model.states, found["equations"])
    point = f"algdim 1|{seed}|point|{found['point']}"
    coordinates = coordinates_of_table(pmap)
    node = equations_node(coordinates, found["prime"], point, constants, items, pmap.complete - bound.value)
    return {"kind": "equations", "value": bound.value, **node}


def classifiers(exporter: Exporter, pmap: ParamMap, bound: Bound) -> Node:
    """Bounds of all embedded classifiers."""
    models = embedded_in(pmap.model)
    found = [
        {"name": v, "upper": class_bound(models[v], best_bound(models[v]))}
        for v in exporter.outline.states
        if v in models
    ]
    return {"kind": "classifiers", "value": bound.value, "of": found}


def mechanisms(exporter: Exporter, pmap: ParamMap, bound: Bound) -> Node:
    """The effects with the functions that they are made of, their mechanisms, and what is multiplied."""
    effects = [effect_node(exporter.outline, pmap, effect, names) for effect, names, *_ in bound.evidence["effects"]]
    return {"kind": MECHANISMS, "value": bound.value, "effects": effects}


def effect_node(outline: Outline, pmap: ParamMap, effect: str, names: Sequence[str]) -> Node:
    """One effect: what stands between it and its mechanisms are parts of its rule, or hidden effects with the same one."""
    local = {variable.name: variable for variable in pmap.model.variables}
    rule, states = local[effect].local, local[effect].states
    inside, waiting = [], [effect]
    while waiting:
        above = (u for u in outline.parents[waiting.pop()] if u in outline.hidden and u not in names)
        more = [u for u in above if u not in local or local[u].local == rule]
        waiting += more
        inside += more
    first = range(states - 1) if isinstance(rule, Maximum) else [0]
    levels = [[int(state <= e) for state in range(states)] for e in first]
    if isinstance(rule, Parity):
        levels = [[1, -1]]
    elif isinstance(rule, AtLeast) and rule.n > 1:
        levels = [[0, 1]]
    return {
        "effect": effect,
        "functions": [v for v in outline.hidden if v in inside],
        "mechanisms": [v for v in outline.hidden if v in names],
        "levels": levels,
    }


def kruskal(exporter: Exporter, pmap: ParamMap, bound: Bound) -> Node:  # noqa: ARG001
    """Three blocks and their ranks."""
    found = bound.evidence
    texts = {use: "|".join(("algdim 1", str(found["seed"]), use, found["labels"])) for use in ("point", "probes")}
    blocks = [[item.name for item in pmap.model.observed if item.name in block] for block in found["blocks"]]
    return {"kind": "kruskal", "value": bound.value, "prime": found["prime"], **texts, "blocks": blocks} | {
        "ranks": list(found["ranks"])
    }


def trees(exporter: Exporter, pmap: ParamMap, bound: Bound) -> Node:  # noqa: ARG001
    """The local models."""
    side = 0 if bound.side == "lower" else 1
    return {"kind": TREES, "value": bound.value, "parts": [pair[side] for pair in exporter.parts()]}


def containing(exporter: Exporter, pmap: ParamMap, bound: Bound) -> Node:
    """Hidden variables averaged out, or the reduced tree, whose parameters are counted part by part."""
    if "averaged_out" not in bound.evidence:
        counts = [parameter_count(classes, items) for classes, *items in exporter.shapes()]
        return {"kind": TREES, "value": bound.value, "parts": [{"kind": "counting", "value": n} for n in counts]}
    steps = [{"hidden": name, "children": list(order)} for name, order in bound.evidence["averaged_out"]]
    return {"kind": "containing", "value": bound.value, "averaged": [*partial(exporter.outline, pmap, steps), *steps]}


def partial(outline: Outline, pmap: ParamMap, steps: Sequence[Node]) -> list[Node]:
    """First averaged out, from above: the parts that the format makes of a function of many, if its table becomes free."""
    ours = {variable.name for variable in pmap.model.variables}
    below = {name: child for child, above in outline.parents.items() for name in above if name not in ours}
    freed = {child for step in steps for child in step["children"]}

    def function(name: str) -> str:
        """The function whose part this is."""
        return function(below[name]) if name in below else name

    return [{"hidden": name, "children": [child]} for name, child in below.items() if function(name) in freed]


def symmetry(exporter: Exporter, pmap: ParamMap, bound: Bound) -> Node:
    """The kernels of local maps."""
    found = bound.evidence
    point = f"algdim 1|{exporter.effort.seed}|point|{found['point']}"
    node: Node = {"kind": "symmetry", "value": bound.value, "prime": found["prime"], "point": point, "fields": []}
    names = [{field["hidden"]} if isinstance(field["hidden"], str) else {*field["hidden"]} for field in found["fields"]]
    for hidden in dict.fromkeys(tuple(name for name in exporter.outline.hidden if name in one) for one in names):
        node["fields"].extend(local_map(exporter, pmap, hidden))
    try:
        return covered(exporter, pmap, bound, node)
    except NotProvedError:
        if not is_small(pmap):
            raise
    return symbolic(exporter, pmap, bound)


def covered(exporter: Exporter, pmap: ParamMap, bound: Bound, node: Node) -> Node:
    """The node, unless the checker refuses it."""
    try:
        checker.Check().bound("upper", exporter.model.claimed, node)
    except checker.Refused as refused:
        raise NotProvedError(
            f"{to_text(pmap.model)}: the bound {bound.value} is proved by {bound.kind} ({bound.reason}), which "
            f"certificates do not cover here ({refused})"
        ) from None
    return node


def local_map(exporter: Exporter, pmap: ParamMap, hidden: tuple[str, ...]) -> list[Node]:
    """The local map of some hidden variables with a proof of its rank; nothing if there is none."""
    network = local_model(pmap.model, frozenset(hidden))
    if network is None:
        return []
    labels = (*exporter.labels, "local", *hidden)
    effort = replace(exporter.effort, bounds=tuple(name for name in exporter.effort.bounds if name != "symmetry"))
    around = with_links(exporter.outline, network, hidden)
    inner = Exporter(exporter.model.local_map(around), param_map(network), effort, labels)
    try:
        return [{"hidden": around, "upper": inner.both()[1]}]
    except NotProvedError:
        return []


def with_links(outline: Outline, network: Network, hidden: tuple[str, ...]) -> list[str]:
    """Hidden variables with the links of the chains that stand for rules in their local map."""
    found = {variable.name for variable in network.variables if variable.name not in network.given}
    known = found | set(network.given)
    for name in reversed([v for v in outline.hidden if v not in known]):
        if any(name in outline.parents[child] for child in found if child not in hidden):
            found.add(name)
    return [v for v in outline.hidden if v in hidden or v in found - known]


def counts_of(pmap: Map) -> Counts:
    """How many parameters a map has, and the dimension of the saturated model."""
    return len(pmap.parameters), pmap.complete


def counts_of_additive(model: Additive) -> Counts:
    """The same; with mixtures the saturated model has no finite dimension."""
    pmap = additive_map(model)
    return len(pmap.parameters), None if pmap.is_mixed else pmap.complete


def counts_of_profile(model: LatentProfile) -> Counts:
    """The same; the saturated model has no finite dimension."""
    return len(moment_map(model).parameters), None


def counts_of_formulas(model: Polynomial, claimed: checker.Formulas) -> Counts:
    """The same; where there are too many terms for algdim the affine hull is known from the checker alone."""
    hull = polynomial_map(model).multiplied_hull
    return len(model.parameters), claimed.complete if hull is None else hull


SIDES: dict[str, Family] = {
    "classifier": Family(described_classifier, lambda one, _: counts_of(classifier_map(one)), classifier_sides),
    "loglinear": Family(described_loglinear, lambda one, _: counts_of(loglinear_map(one)), loglinear_sides),
    "polynomial": Family(described_polynomial, counts_of_formulas, polynomial_sides),
    "discrete": Family(
        lambda one: described(one, param_map(one)), lambda one, _: counts_of(param_map(one)), network_sides
    ),
    "gaussian": Family(to_dict, lambda one, _: counts_of(gaussian_map(one)), gaussian_sides),
    **dict.fromkeys(KINDS, Family(to_dict, lambda one, _: counts_of_additive(one), additive_sides)),
    "latent-profile": Family(
        lambda one: to_dict(replace(one, order=None)), lambda one, _: counts_of_profile(one), profile_sides
    ),
}
"""What writes certificates, by family."""

LAST = frozenset(("pairwise", "nested", "settimi-smith", "defective", "half-trek", "symbolic"))
"""Bounds that are used where no others suffice: they have no form, or a longer one, or rest on theorems cited."""

LOWER: dict[str, Writer] = {
    "rank": rank,
    **dict.fromkeys(("symbolic", "settimi-smith"), rank),
    "entries": plain,
    "kruskal": kruskal,
    "binary-items": secants,
    TREES: trees,
}
UPPER: dict[str, Writer] = {
    "counting": plain,
    "ambient": ambient,
    "flattenings": equations,
    "koszul": equations,
    "pairwise": pairwise,
    "binary-items": secants,
    "settimi-smith": secants,
    "nested": plain,
    "symbolic": symbolic,
    "class-tables": classifiers,
    "containing": containing,
    MECHANISMS: mechanisms,
    "symmetry": symmetry,
    TREES: trees,
}
