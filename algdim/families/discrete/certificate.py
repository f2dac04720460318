"""Certificates of discrete networks: the evidence for both bounds, by districts, trees and local maps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, cast

from algdim.analysis import Analysis, analyse, make_draw_labels
from algdim.bound.bounds import Bound
from algdim.bound.strategy import DISTRICTS, TREES, Effort, Finding, find_both_bounds
from algdim.bound.symbolic import is_small
from algdim.certificate import checker
from algdim.certificate.equations import find_constants, iterate_items, write_equations
from algdim.certificate.exporting import (
    NotProvedError,
    check_exact,
    choose_best_draw,
    count_parameters,
    make_proof_error,
    write_rank,
)
from algdim.errors import LimitError
from algdim.exact.draws import open_stream
from algdim.families.classifier.bounds import choose_best_bound, collect_embedded_classifiers
from algdim.families.classifier.family import write_class_bound
from algdim.families.contract import Certifying
from algdim.families.discrete.bounds.cited import compute_secant_dimension, find_free_latent_class
from algdim.families.discrete.bounds.mechanisms import KIND as MECHANISMS
from algdim.families.discrete.bounds.pairwise import build_grouping, count_class_parameters
from algdim.families.discrete.bounds.search import find_support
from algdim.families.discrete.bounds.symmetry import build_local_model
from algdim.families.discrete.bounds.trees import build_class_model, compute_shape
from algdim.families.discrete.describing import encode_network
from algdim.families.discrete.locals.function import AtLeast, Maximum, Parity
from algdim.families.discrete.map import ParamMap, get_param_map
from algdim.families.discrete.model import Network
from algdim.families.discrete.outlines import (
    Derived,
    Outline,
    Shape,
    draw_class_outline,
    draw_network_outline,
    list_cells,
    list_shapes,
)
from algdim.families.discrete.trees import find_latent_tree
from algdim.families.polynomial.certificate import write_kernel_fields
from algdim.models.notation import to_text
from algdim.rank import find_usable_prime

Node = dict[str, Any]


def order_given_variables(network: Network) -> Network:
    """The model with what is conditioned on in the order of its variables, as the format has it."""
    return replace(network, given=tuple(v.name for v in network.variables if v.name in network.given))


def write_network_bounds(claim: Node, claimed: checker.Discrete, analysis: Analysis) -> tuple[Node, Node]:
    """The evidence for both bounds of a discrete network, by districts if there are several."""
    network = cast("Network", analysis.model)
    model = Derived(draw_network_outline(claim, network).relevant(), claimed.relevant())
    if not analysis.parts:
        return make_exporter(model, analysis).both()
    try:
        return write_by_districts(model, analysis)
    except NotProvedError:
        if all(found.part.pmap.kept is None for found in analysis.parts):
            raise
        # entries of kernels that are left out may take the proof with them
        bounds = tuple(name for name in analysis.effort.bounds if name != DISTRICTS)
        return make_exporter(model, analyse(analysis.prepared, replace(analysis.effort, bounds=bounds))).both()


def make_exporter(model: Derived, analysis: Analysis) -> Exporter:
    """That of a model as one piece."""
    return Exporter(model, cast("ParamMap", analysis.prepared.pmap), analysis.effort, analysis.finding)


def write_by_districts(model: Derived, analysis: Analysis) -> tuple[Node, Node]:
    """The evidence for both bounds, each the sum over the districts."""
    finding, maps = analysis.finding, [found.part.pmap for found in analysis.parts]
    insides = [[v.name for v in pmap.model.variables if v.name not in pmap.model.given] for pmap in maps]
    exporters = [
        Exporter(derived, found.part.pmap, analysis.effort, found.finding, make_draw_labels(found.part))
        for derived, found in zip(model.parts(insides), analysis.parts, strict=True)
    ]
    check_exact(finding, analysis.prepared.reduction.smaller)
    lower = {"kind": DISTRICTS, "value": finding.lower.value, "parts": [exporter.lower() for exporter in exporters]}
    if finding.upper.kind != DISTRICTS:
        return lower, make_exporter(model, analysis).upper()
    nodes = [exporter.upper() for exporter in exporters]
    return lower, {"kind": DISTRICTS, "value": finding.upper.value, "parts": nodes}


class Exporter:
    """Turns the finding for one model into evidence."""

    def __init__(
        self,
        model: Derived,
        pmap: ParamMap,
        effort: Effort,
        finding: Finding,
        labels: tuple[str, ...] = (),
    ) -> None:
        self.model, self.outline, self.pmap, self.effort, self.labels = model, model.outline, pmap, effort, labels
        self.finding = finding
        self.trees: list[tuple[Node, Node]] | None = None

    def both(self) -> tuple[Node, Node]:
        """Both bounds, which must be equal."""
        check_exact(self.finding, self.pmap.model)
        return self.lower(), self.upper()

    def lower(self) -> Node:
        """The lower bound."""
        return self.export_bound(self.finding.lower, LOWER)

    def upper(self) -> Node:
        """The upper bound."""
        return self.export_bound(self.finding.upper, UPPER)

    def export_bound(self, bound: Bound, writers: dict[str, Writer]) -> Node:
        """One bound; with variables conditioned on, a search was made in the model in which these are free."""
        if not bound.is_proved:
            check_exact(self.finding, self.pmap.model)
        if bound.kind not in writers:
            raise make_proof_error(self.pmap.model, bound)
        return writers[bound.kind](self, self.pmap, bound)

    def shapes(self) -> list[Shape]:
        """The shapes of the local models of a latent tree; what is conditioned on is a variable like others there."""
        tree = find_latent_tree(replace(self.pmap.model, given=()))
        assert tree is not None, "the bound rests on it"  # noqa: S101
        return list_shapes(tree)

    def parts(self) -> list[tuple[Node, Node]]:
        """Both bounds of the local models of a latent tree."""
        if self.trees is None:
            found = {compute_shape(pmap.model): finding for pmap, finding in self.finding.of}
            self.trees = [
                make_class_exporter(
                    shape,
                    self.effort,
                    ("local", *(str(size) for size in shape)),
                    found[shape[0], shape[1:]],
                ).both()
                for shape in self.shapes()
            ]
        return self.trees


Writer = Callable[[Exporter, ParamMap, Bound], Node]


def make_class_exporter(
    shape: Sequence[int], effort: Effort, labels: tuple[str, ...] = (), finding: Finding | None = None
) -> Exporter:
    """That of the latent class model of a shape, with the names that the format gives its variables."""
    pmap = get_param_map(build_class_model(shape[0], shape[1:]))
    finding = finding or find_both_bounds(pmap, effort, labels)
    return Exporter(Derived(draw_class_outline(shape), checker.class_model(*shape)), pmap, effort, finding, labels)


def write_plain_bound(exporter: Exporter, pmap: ParamMap, bound: Bound) -> Node:  # noqa: ARG001
    """Evidence that the checker needs nothing for."""
    return {"kind": bound.kind, "value": bound.value}


def write_ambient(exporter: Exporter, pmap: ParamMap, bound: Bound) -> Node:
    """Nothing but the kind, or with impossible cells these: coordinates that are constant."""
    if "impossible" not in bound.evidence:
        return write_plain_bound(exporter, pmap, bound)
    labels: tuple[int | str, ...] = (
        *exporter.labels,
        "equations",
        0,
    )  # constants need no point, but the format has one
    possible = find_support(pmap if pmap.kept is None else replace(pmap, kept=None))
    counted = range(pmap.cells) if pmap.kept is None else set(pmap.kept.tolist())
    constants = [number for number in range(pmap.cells) if not possible[number] or number not in counted]
    node = {
        "kind": "equations",
        "value": bound.value,
        "prime": find_usable_prime(pmap, exporter.effort.seed, *labels),
        "point": open_stream(exporter.effort.seed, "point", *labels).text,
        "constants": constants,
        "matrices": [],
    }
    return require_covered(exporter, pmap, bound, node)


def rank(exporter: Exporter, pmap: ParamMap, bound: Bound) -> Node:
    """A minor at a point, or the theorem for one that is too large."""
    if bound.value > checker.MOST_RANK and is_known(pmap.model, bound.value):
        return {"kind": "secants", "value": bound.value}
    return write_rank(exporter.finding, pmap, bound)


def is_known(model: Network, value: int) -> bool:
    """Whether a theorem says that this is the dimension of a latent class model."""
    classes, items = find_free_latent_class(model) or (0, ())
    if len(items) == 2:
        rank = min(classes, *items)
        return value == rank * (sum(items) - rank) - 1
    return {*items} == {2} and value == compute_secant_dimension(classes, len(items))


def write_secants(exporter: Exporter, pmap: ParamMap, bound: Bound) -> Node:  # noqa: ARG001
    """The dimension of a latent class model with two items, or binary ones; of a tree of binary variables by its parts."""
    if not is_known(pmap.model, bound.value):
        raise make_proof_error(pmap.model, bound)
    return {"kind": "secants", "value": bound.value}


def write_pairwise(exporter: Exporter, pmap: ParamMap, bound: Bound) -> Node:
    """The two groups of items."""
    outline = exporter.outline
    groups = build_grouping(outline.states[outline.hidden[0]], pmap.shape)
    assert groups is not None, "the bound rests on it"  # noqa: S101
    blocks = [[outline.observed[number] for number in group] for group in groups]
    return {"kind": "pairwise", "value": bound.value, "blocks": blocks, "S": list(outline.hidden)}


def write_symbolic(exporter: Exporter, pmap: ParamMap, bound: Bound) -> Node:
    """The kernel of the Jacobian, as fields of polynomials."""
    best = choose_best_draw(exporter.finding)
    names = [f"p{number}" for number in range(len(pmap.parameters))]
    try:
        fields = [{"along": field} for field in write_kernel_fields(pmap, names)]
    except LimitError:
        raise make_proof_error(pmap.model, bound) from None
    node = {"kind": "symmetry", "value": bound.value, "prime": best.prime, "point": best.streams[0], "fields": fields}
    return require_covered(exporter, pmap, bound, node)


def write_gradients(exporter: Exporter, pmap: ParamMap, bound: Bound) -> Node:
    """Gradients at a point, or the theorem where there are so many that the checker could not look at them all."""
    found, seed = bound.evidence, exporter.effort.seed
    least, likely = count_equation_steps(pmap.cells, pmap.cells - bound.value)
    if likely > checker.MOST_WORK and is_known(pmap.model, bound.value):
        return {"kind": "secants", "value": bound.value}
    if least > checker.MOST_WORK:
        raise LimitError(
            f"{to_text(pmap.model)}: {pmap.cells - bound.value} equations in {pmap.cells} cells take the checker at least "
            f"{least} steps; the format allows {checker.MOST_WORK}"
        )
    constants = find_constants(pmap.shape, found["equations"])
    items = iterate_items(pmap.model.states, found["equations"])
    point = f"algdim 1|{seed}|point|{found['point']}"
    coordinates = list_cells(pmap)
    node = write_equations(coordinates, found["prime"], point, constants, items, pmap.complete - bound.value)
    return {"kind": "equations", "value": bound.value, **node}


def count_equation_steps(cells: int, count: int) -> tuple[int, int]:
    """How many steps this many equations take the checker at least, and if all of them have nearly all cells.

    >>> count_equation_steps(10, 3)
    (1200, 1238)
    """
    least = 40 * cells * count
    return least, least + count * count * (2 * cells - count) // 4


def write_classifiers(exporter: Exporter, pmap: ParamMap, bound: Bound) -> Node:
    """Bounds of all embedded classifiers."""
    models = collect_embedded_classifiers(pmap.model)
    found = [
        {"name": v, "upper": write_class_bound(models[v], choose_best_bound(models[v]))}
        for v in exporter.outline.states
        if v in models
    ]
    return {"kind": "classifiers", "value": bound.value, "of": found}


def write_mechanisms(exporter: Exporter, pmap: ParamMap, bound: Bound) -> Node:
    """The effects with the functions that they are made of, their mechanisms, and what is multiplied."""
    effects = [write_effect(exporter.outline, pmap, effect, names) for effect, names, *_ in bound.evidence["effects"]]
    return {"kind": MECHANISMS, "value": bound.value, "effects": effects}


def write_effect(outline: Outline, pmap: ParamMap, effect: str, names: Sequence[str]) -> Node:
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


def write_kruskal(exporter: Exporter, pmap: ParamMap, bound: Bound) -> Node:  # noqa: ARG001
    """Three blocks and their ranks."""
    found = bound.evidence
    texts = {use: "|".join(("algdim 1", str(found["seed"]), use, found["labels"])) for use in ("point", "probes")}
    blocks = [[item.name for item in pmap.model.observed if item.name in block] for block in found["blocks"]]
    return {"kind": "kruskal", "value": bound.value, "prime": found["prime"], **texts, "blocks": blocks} | {
        "ranks": list(found["ranks"])
    }


def write_trees(exporter: Exporter, pmap: ParamMap, bound: Bound) -> Node:  # noqa: ARG001
    """The local models."""
    side = 0 if bound.side == "lower" else 1
    return {"kind": TREES, "value": bound.value, "parts": [pair[side] for pair in exporter.parts()]}


def write_containing(exporter: Exporter, pmap: ParamMap, bound: Bound) -> Node:
    """Hidden variables averaged out, or the reduced tree, whose parameters are counted part by part."""
    if "averaged_out" not in bound.evidence:
        counts = [count_class_parameters(classes, items) for classes, *items in exporter.shapes()]
        return {"kind": TREES, "value": bound.value, "parts": [{"kind": "counting", "value": n} for n in counts]}
    steps = [{"hidden": name, "children": list(order)} for name, order in bound.evidence["averaged_out"]]
    return {
        "kind": "containing",
        "value": bound.value,
        "averaged": [*list_partial_steps(exporter.outline, pmap, steps), *steps],
    }


def list_partial_steps(outline: Outline, pmap: ParamMap, steps: Sequence[Node]) -> list[Node]:
    """First averaged out, from above: the parts that the format makes of a function of many, if its table becomes free."""
    ours = {variable.name for variable in pmap.model.variables}
    below = {name: child for child, above in outline.parents.items() for name in above if name not in ours}
    freed = {child for step in steps for child in step["children"]}

    def function(name: str) -> str:
        """The function whose part this is."""
        return function(below[name]) if name in below else name

    return [{"hidden": name, "children": [child]} for name, child in below.items() if function(name) in freed]


def write_symmetry(exporter: Exporter, pmap: ParamMap, bound: Bound) -> Node:
    """The kernels of local maps."""
    found = bound.evidence
    point = f"algdim 1|{exporter.effort.seed}|point|{found['point']}"
    node: Node = {"kind": "symmetry", "value": bound.value, "prime": found["prime"], "point": point, "fields": []}
    names = [{field["hidden"]} if isinstance(field["hidden"], str) else {*field["hidden"]} for field in found["fields"]]
    for hidden in dict.fromkeys(tuple(name for name in exporter.outline.hidden if name in one) for one in names):
        node["fields"].extend(write_local_map(exporter, pmap, hidden))
    try:
        return require_covered(exporter, pmap, bound, node)
    except NotProvedError:
        if not is_small(pmap):
            raise
    return write_symbolic(exporter, pmap, bound)


def require_covered(exporter: Exporter, pmap: ParamMap, bound: Bound, node: Node) -> Node:
    """The node, unless the checker refuses it."""
    try:
        checker.Check().bound("upper", exporter.model.claimed, node)
    except checker.Refused as refused:
        raise NotProvedError(
            f"{to_text(pmap.model)}: the bound {bound.value} is proved by {bound.kind} ({bound.reason}), which "
            f"certificates do not cover here ({refused})"
        ) from None
    return node


def write_local_map(exporter: Exporter, pmap: ParamMap, hidden: tuple[str, ...]) -> list[Node]:
    """The local map of some hidden variables with a proof of its rank; nothing if there is none."""
    network = build_local_model(pmap.model, frozenset(hidden))
    if network is None:
        return []
    labels = (*exporter.labels, "local", *hidden)
    effort = replace(exporter.effort, bounds=tuple(name for name in exporter.effort.bounds if name != "symmetry"))
    around = add_links(exporter.outline, network, hidden)
    # the search looks at a point of the model; that the rank there is the generic one is a proof of its own
    local = get_param_map(network)
    inner = Exporter(exporter.model.local_map(around), local, effort, find_both_bounds(local, effort, labels), labels)
    try:
        return [{"hidden": around, "upper": inner.both()[1]}]
    except NotProvedError:
        return []


def add_links(outline: Outline, network: Network, hidden: tuple[str, ...]) -> list[str]:
    """Hidden variables with the links of the chains that stand for rules in their local map."""
    found = {variable.name for variable in network.variables if variable.name not in network.given}
    known = found | set(network.given)
    for name in reversed([v for v in outline.hidden if v not in known]):
        if any(name in outline.parents[child] for child in found if child not in hidden):
            found.add(name)
    return [v for v in outline.hidden if v in hidden or v in found - known]


LOWER: dict[str, Writer] = {
    "rank": rank,
    **dict.fromkeys(("symbolic", "settimi-smith"), rank),
    "entries": write_plain_bound,
    "kruskal": write_kruskal,
    "binary-items": write_secants,
    TREES: write_trees,
}
UPPER: dict[str, Writer] = {
    "counting": write_plain_bound,
    "ambient": write_ambient,
    "flattenings": write_gradients,
    "koszul": write_gradients,
    "pairwise": write_pairwise,
    "binary-items": write_secants,
    "settimi-smith": write_secants,
    "nested": write_plain_bound,
    "symbolic": write_symbolic,
    "class-tables": write_classifiers,
    "containing": write_containing,
    MECHANISMS: write_mechanisms,
    "symmetry": write_symmetry,
    TREES: write_trees,
}


CERTIFYING = Certifying(
    lambda prepared: encode_network(cast("Network", prepared.model), cast("ParamMap", prepared.whole_map)),
    count_parameters,
    write_network_bounds,
    ordered=order_given_variables,
)
