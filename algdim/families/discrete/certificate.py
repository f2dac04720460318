"""Certificates of discrete networks: the evidence for both bounds, by districts, trees and local maps."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import prod
from typing import Any, cast

import numpy as np

from algdim.analysis import Analysis, make_draw_labels
from algdim.bound.bounds import Bound
from algdim.bound.searches import Directions
from algdim.bound.strategy import DISTRICTS, TREES, Effort, Finding
from algdim.bound.symbolic import is_small
from algdim.certificate import checker
from algdim.certificate.equations import find_constants, iterate_items, list_independent_sets, write_equations
from algdim.certificate.exporting import (
    NotProvedError,
    check_exact,
    choose_best_draw,
    make_proof_error,
    write_rank,
)
from algdim.errors import LimitError
from algdim.exact.draws import Stream, draw_residues, open_stream
from algdim.exact.polynomials import make_primitive
from algdim.families.classifier.bounds import choose_best_bound, collect_embedded_classifiers
from algdim.families.classifier.family import write_class_bound
from algdim.families.contract import Certifying, JsonNode, Part, make_part
from algdim.families.discrete.bounds.chainfields import CHAIN
from algdim.families.discrete.bounds.circuits import FEW
from algdim.families.discrete.bounds.commontables import KIND as COMMON_TABLES
from algdim.families.discrete.bounds.determinants import KIND as DETERMINANTS
from algdim.families.discrete.bounds.differences import KIND as DIFFERENCES
from algdim.families.discrete.bounds.directions import Point
from algdim.families.discrete.bounds.equalcells import EQUAL_CELLS, list_exchangeable_names, number_equal_cells
from algdim.families.discrete.bounds.fewerstates import KIND as FEWER_STATES
from algdim.families.discrete.bounds.fewerstates import list_smaller_models
from algdim.families.discrete.bounds.margins import KIND as MARGINS
from algdim.families.discrete.bounds.mechanisms import MECHANISMS
from algdim.families.discrete.bounds.normalforms import (
    collect_directions,
    find_independent_columns,
    find_kernel,
    list_equivariant_fields,
    set_constants,
)
from algdim.families.discrete.bounds.pairwise import build_grouping, count_class_parameters, find_free_latent_class
from algdim.families.discrete.bounds.parts import KIND as PARTS
from algdim.families.discrete.bounds.parts import OBSERVED, list_shown_parts
from algdim.families.discrete.bounds.search import find_support
from algdim.families.discrete.bounds.secants import (
    compute_group_dimension,
    compute_secant_dimension,
    compute_symmetric_dimension,
    find_item_groups,
    find_symmetric_latent_class,
)
from algdim.families.discrete.bounds.symmetry import NORMAL_FORM, build_local_model, compute_local_kernel
from algdim.families.discrete.bounds.trees import compute_shape
from algdim.families.discrete.describing import encode_network
from algdim.families.discrete.locals.function import AtLeast, Maximum, Parity
from algdim.families.discrete.map import ParamMap, get_param_map
from algdim.families.discrete.model import Network, build_latent_class
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
from algdim.families.polynomial.certificate import write_field, write_kernel_fields, write_polynomial
from algdim.models.notation import to_text
from algdim.rank import find_usable_prime


def order_given_variables(network: Network) -> Network:
    """The model with what is conditioned on in the order of its variables, as the format has it."""
    return replace(network, given=tuple(v.name for v in network.variables if v.name in network.given))


def write_network_bounds(claim: JsonNode, claimed: checker.Discrete, analysis: Analysis) -> tuple[JsonNode, JsonNode]:
    """The evidence for both bounds of a discrete network, by districts if there are several."""
    network = cast("Network", analysis.model)
    model = Derived(draw_network_outline(claim, network).relevant(), claimed.relevant())
    return write_by_districts(model, analysis) if analysis.parts else make_exporter(model, analysis).both()


def make_exporter(model: Derived, analysis: Analysis) -> Exporter:
    """That of a model as one piece."""
    return Exporter(model, make_part(analysis.prepared.pmap), analysis.effort, analysis.finding)


def write_by_districts(model: Derived, analysis: Analysis) -> tuple[JsonNode, JsonNode]:
    """The evidence for both bounds, each the sum over the districts."""
    finding, models = analysis.finding, [found.part.model for found in analysis.parts]
    insides = [[v.name for v in model.variables if v.name not in model.given] for model in models]
    exporters = [
        Exporter(derived, found.part, analysis.effort, found.finding, make_draw_labels(found.part))
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
        part: Part,
        effort: Effort,
        finding: Finding,
        labels: tuple[str, ...] = (),
    ) -> None:
        self.model, self.outline, self.part, self.effort, self.labels = model, model.outline, part, effort, labels
        self.finding = finding
        self.trees: list[tuple[JsonNode, JsonNode]] | None = None

    @property
    def pmap(self) -> ParamMap:
        """The map, made where a proof needs it."""
        return cast("ParamMap", self.part.pmap)

    def both(self) -> tuple[JsonNode, JsonNode]:
        """Both bounds, which must be equal."""
        check_exact(self.finding, self.part.model)
        return self.lower(), self.upper()

    def lower(self) -> JsonNode:
        """The lower bound."""
        return self.export_bound(self.finding.lower, LOWER)

    def upper(self) -> JsonNode:
        """The upper bound."""
        return self.export_bound(self.finding.upper, UPPER)

    def export_bound(self, bound: Bound, writers: dict[str, Writer]) -> JsonNode:
        """One bound; with variables conditioned on, a search was made in the model in which these are free."""
        if not bound.is_proved:
            check_exact(self.finding, self.part.model)
        if bound.kind not in writers:
            raise make_proof_error(self.part.model, bound)
        return writers[bound.kind](self, bound)

    def shapes(self) -> list[Shape]:
        """The shapes of the local models of a latent tree; what is conditioned on is a variable like others there."""
        tree = find_latent_tree(replace(self.pmap.model, given=()))
        assert tree is not None, "the bound rests on it"  # noqa: S101
        return list_shapes(tree)

    def parts(self) -> list[tuple[JsonNode, JsonNode]]:
        """Both bounds of the local models of a latent tree."""
        if self.trees is None:
            found = {compute_shape(pmap.model): finding for pmap, finding in self.finding.of}
            self.trees = [
                make_class_exporter(
                    shape, self.effort, found[shape[0], shape[1:]], ("local", *(str(size) for size in shape))
                ).both()
                for shape in self.shapes()
            ]
        return self.trees


Writer = Callable[[Exporter, Bound], JsonNode]


def make_class_exporter(
    shape: Sequence[int], effort: Effort, finding: Finding, labels: tuple[str, ...] = ()
) -> Exporter:
    """That of the latent class model of a shape, with the names that the format gives its variables."""
    part = make_part(get_param_map(build_latent_class(shape[0], shape[1:])))
    return Exporter(Derived(draw_class_outline(shape), checker.class_model(*shape)), part, effort, finding, labels)


def write_plain_bound(exporter: Exporter, bound: Bound) -> JsonNode:  # noqa: ARG001
    """Evidence that the checker needs nothing for."""
    return {"kind": bound.kind, "value": bound.value}


def write_ambient(exporter: Exporter, bound: Bound) -> JsonNode:
    """Nothing but the kind, or with impossible cells these: coordinates that are constant."""
    if "impossible" not in bound.evidence:
        return write_plain_bound(exporter, bound)
    pmap = exporter.pmap
    possible = find_support(pmap if pmap.kept_coordinates is None else replace(pmap, kept_coordinates=None))
    counted = range(pmap.cells) if pmap.kept_coordinates is None else set(pmap.kept_coordinates.tolist())
    constants = [number for number in range(pmap.cells) if not possible[number] or number not in counted]
    node = {
        "kind": "equations",
        "value": bound.value,
        **draw_place(exporter),
        "constants": constants,
        "matrices": [],
    }
    return require_covered(exporter, bound, node)


def draw_place(exporter: Exporter) -> JsonNode:
    """A prime and a point, which the format has even where equations need none."""
    labels: tuple[int | str, ...] = (*exporter.labels, 0)
    seed = exporter.effort.seed
    return {
        "prime": find_usable_prime(exporter.pmap, seed, *labels),
        "point": open_stream(seed, "point", *labels).text,
    }


def rank(exporter: Exporter, bound: Bound) -> JsonNode:
    """A minor at a point, or the theorem for one that is too large."""
    if bound.value > checker.MOST_RANK and is_known(exporter.part.model, bound.value):
        return {"kind": "secants", "value": bound.value}
    return write_rank(exporter.finding, exporter.pmap, bound)


def is_known(model: Network, value: int) -> bool:
    """Whether a theorem says that this is the dimension of a latent class model."""
    symmetric = find_symmetric_latent_class(model)
    if symmetric is not None:
        return value == compute_symmetric_dimension(*symmetric)
    groups = find_item_groups(model)
    known = None if groups is None else compute_group_dimension(*groups)
    if known is not None:
        return value == known[0]
    classes, items = find_free_latent_class(model) or (0, ())
    if len(items) == 2:
        rank = min(classes, *items)
        return value == rank * (sum(items) - rank) - 1
    return {*items} == {2} and value == compute_secant_dimension(classes, len(items))


def write_secants(exporter: Exporter, bound: Bound) -> JsonNode:
    """The dimension of a latent class model with two items, binary ones or such of one table; of a tree of binary variables by its parts."""
    if not is_known(exporter.part.model, bound.value):
        raise make_proof_error(exporter.part.model, bound)
    return {"kind": "secants", "value": bound.value}


def write_pairwise(exporter: Exporter, bound: Bound) -> JsonNode:
    """The two groups of items."""
    outline = exporter.outline
    groups = build_grouping(outline.states[outline.hidden[0]], exporter.pmap.shape)
    assert groups is not None, "the bound rests on it"  # noqa: S101
    blocks = [[outline.observed[number] for number in group] for group in groups]
    return {"kind": "pairwise", "value": bound.value, "blocks": blocks, "S": list(outline.hidden)}


def write_symbolic(exporter: Exporter, bound: Bound) -> JsonNode:
    """The kernel of the Jacobian, as fields of polynomials."""
    pmap = exporter.pmap
    best = choose_best_draw(exporter.finding)
    names = [f"p{number}" for number in range(len(pmap.parameters))]
    try:
        known = bound.evidence.get("fields") if bound.kind == "symbolic" else None
        kernel = write_kernel_fields(pmap, names) if known is None else [write_field(one, names) for one in known]
        fields = [{"along": field} for field in kernel]
    except LimitError:
        raise make_proof_error(pmap.model, bound) from None
    node = {"kind": "symmetry", "value": bound.value, "prime": best.prime, "point": best.streams[0], "fields": fields}
    return require_covered(exporter, bound, node)


def write_gradients(exporter: Exporter, bound: Bound) -> JsonNode:
    """Gradients at a point, or the theorem where there are so many that the checker could not look at them all."""
    pmap = exporter.pmap
    found, seed = bound.evidence, exporter.effort.seed
    coordinates = list_cells(pmap)
    if "exchangeable" in found:
        coordinates = replace(coordinates, equal=number_equal_cells(pmap))
    distinct = pmap.cells if coordinates.equal is None else int(coordinates.equal.max()) + 1
    least, likely = count_equation_steps(pmap.cells, distinct - bound.value)
    if likely > checker.MOST_WORK and is_known(pmap.model, bound.value):
        return {"kind": "secants", "value": bound.value}
    if least > checker.MOST_WORK:
        raise LimitError(
            f"{to_text(pmap.model)}: {distinct - bound.value} equations in {distinct} cells take the checker at least "
            f"{least} steps; the format allows {checker.MOST_WORK}"
        )
    constants = find_constants(pmap.shape, found["equations"])
    items = iterate_items(pmap.model.states, found["equations"])
    point = f"algdim 1|{seed}|point|{found['point']}"
    needed = pmap.complete - bound.value - (pmap.cells - distinct)
    node = write_equations(coordinates, found["prime"], point, constants, items, needed)
    node = {"kind": "equations", "value": bound.value, **node}
    if coordinates.equal is not None:
        node = write_exchangeable(pmap, node)
    is_plain = coordinates.equal is None and bound.kind != COMMON_TABLES
    return node if is_plain else require_covered(exporter, bound, node)


def write_exchangeable(pmap: ParamMap, node: JsonNode) -> JsonNode:
    """The node on the tables in which cells are equal that are so because variables are exchangeable."""
    return {**node, "exchangeable": list_exchangeable_names(pmap)}


def write_equal_cells(exporter: Exporter, bound: Bound) -> JsonNode:
    """No equation but those between equal cells, and that cells sum to 1."""
    node = {"kind": "equations", "value": bound.value, **draw_place(exporter), "constants": [], "matrices": []}
    return require_covered(exporter, bound, write_exchangeable(exporter.pmap, node))


def count_equation_steps(cells: int, count: int) -> tuple[int, int]:
    """How many steps this many equations take the checker at least, and if all of them have nearly all cells.

    >>> count_equation_steps(10, 3)
    (1200, 1238)
    """
    least = 40 * cells * count
    return least, least + count * count * (2 * cells - count) // 4


def write_classifiers(exporter: Exporter, bound: Bound) -> JsonNode:
    """Bounds of all embedded classifiers."""
    models = collect_embedded_classifiers(exporter.part.model)
    found = [
        {"name": v, "upper": write_class_bound(models[v], choose_best_bound(models[v]))}
        for v in exporter.outline.states
        if v in models
    ]
    return {"kind": "classifiers", "value": bound.value, "of": found}


def write_mechanisms(exporter: Exporter, bound: Bound) -> JsonNode:
    """The effects with the functions that they are made of, their mechanisms, and what is multiplied."""
    effects = [
        write_effect(exporter.outline, exporter.pmap, effect, names) for effect, names, *_ in bound.evidence["effects"]
    ]
    return {"kind": MECHANISMS, "value": bound.value, "effects": effects}


def write_effect(outline: Outline, pmap: ParamMap, effect: str, names: Sequence[str]) -> JsonNode:
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


def write_kruskal(exporter: Exporter, bound: Bound) -> JsonNode:
    """Three blocks and their ranks."""
    found = bound.evidence
    texts = {use: "|".join(("algdim 1", str(found["seed"]), use, found["labels"])) for use in ("point", "probes")}
    blocks = [[item.name for item in exporter.part.model.observed if item.name in block] for block in found["blocks"]]
    return {"kind": "kruskal", "value": bound.value, "prime": found["prime"], **texts, "blocks": blocks} | {
        "ranks": list(found["ranks"])
    }


def write_trees(exporter: Exporter, bound: Bound) -> JsonNode:
    """The local models."""
    side = 0 if bound.side == "lower" else 1
    return {"kind": TREES, "value": bound.value, "parts": [pair[side] for pair in exporter.parts()]}


def write_containing(exporter: Exporter, bound: Bound) -> JsonNode:
    """Hidden variables averaged out, functions of sum scores, or the reduced tree, whose parameters are counted part by part."""
    if "trait" in bound.evidence:
        return {"kind": "sum-scores", "value": bound.value}
    if "averaged_out" not in bound.evidence:
        counts = [count_class_parameters(classes, items) for classes, *items in exporter.shapes()]
        return {"kind": TREES, "value": bound.value, "parts": [{"kind": "counting", "value": n} for n in counts]}
    steps = [{"hidden": name, "children": list(order)} for name, order in bound.evidence["averaged_out"]]
    return {
        "kind": "containing",
        "value": bound.value,
        "averaged": [*list_partial_steps(exporter.outline, exporter.pmap, steps), *steps],
    }


def write_supermodel(exporter: Exporter, bound: Bound) -> JsonNode:
    """The steps to a model that contains this one, and evidence about that."""
    steps = [dict(step) for step in bound.evidence["steps"]]
    ((small, finding),) = exporter.finding.of
    labels = (*exporter.labels, "supermodels")
    inner = Exporter(exporter.model.supermodel(steps), make_part(small), exporter.effort, finding, labels)
    try:
        node = {"kind": "containing", "value": bound.value, "averaged": steps, "upper": inner.upper()}
    except NotProvedError:  # of the larger model, which nobody asked for
        raise make_proof_error(exporter.part.model, bound) from None
    return require_covered(exporter, bound, node)


def write_margin(exporter: Exporter, bound: Bound) -> JsonNode:
    """Evidence about a margin, and equations of what it leaves open."""
    pmap, found = exporter.pmap, bound.evidence
    ((small, finding),) = exporter.finding.of
    names = [name for name in exporter.outline.observed if name in found["margin"]]
    inner = Exporter(
        exporter.model.margin(names), make_part(small), exporter.effort, finding, (*exporter.labels, MARGINS)
    )
    numbers = np.arange(pmap.cells).reshape(pmap.shape)
    shown = [k for k, axis in enumerate(pmap.observed) if pmap.model.variables[axis].name in names]
    left = [k for k in range(len(pmap.shape)) if k not in shown]
    sums = numbers.transpose(*shown, *left).reshape(prod(pmap.shape[k] for k in shown), -1).tolist()
    coordinates = list_cells(pmap)
    if not {*pmap.model.given} <= {*names}:  # else the sums of the cells with each condition are combinations of these
        sums = list_independent_sets([*sums, *coordinates.sums], pmap.cells, found["prime"])
    needed = pmap.cells - (bound.value - finding.upper.value) - len(sums)
    point = f"algdim 1|{exporter.effort.seed}|point|{found['point']}"
    items = iterate_items(pmap.model.states, found["equations"])
    constants = find_constants(pmap.shape, found["equations"])
    try:
        upper = inner.upper()
    except NotProvedError:  # of the margin, which nobody asked for
        raise make_proof_error(exporter.part.model, bound) from None
    equations = write_equations(replace(coordinates, sums=sums), found["prime"], point, constants, items, needed)
    node = {"kind": "equations", "value": bound.value, **equations, "margin": names, "upper": upper}
    return require_covered(exporter, bound, node)


def write_differences(exporter: Exporter, bound: Bound) -> JsonNode:
    """What is reduced, in which order sums are divided out, and evidence about both networks."""
    found = {key: bound.evidence[key] for key in ("variable", "reduced", "order")}
    maps = [part.model for part, _ in exporter.finding.of]
    pieces = zip(exporter.model.slices(found, maps), exporter.finding.of, strict=True)
    try:
        parts = [
            Exporter(
                model, make_part(small), exporter.effort, finding, (*exporter.labels, DIFFERENCES, str(number))
            ).upper()
            for number, (model, (small, finding)) in enumerate(pieces)
        ]
    except NotProvedError:  # of one of them, which nobody asked for
        raise make_proof_error(exporter.part.model, bound) from None
    return require_covered(exporter, bound, {"kind": DIFFERENCES, "value": bound.value, **found, "parts": parts})


def write_parts(exporter: Exporter, bound: Bound) -> JsonNode:
    """What is observed, and for each part the variables of which one state stands for all, with evidence about it."""
    parts = list_shown_parts(exporter.pmap.model, bound.evidence)
    steps = {tuple(step) for part in bound.evidence["parts"] for step in part["steps"]}
    observed = [name for name in exporter.outline.hidden if (OBSERVED, name) in steps]
    models, pairs = exporter.model.shown_parts(observed, parts), exporter.finding.of
    found: list[JsonNode] = []
    try:
        for number, (model, (small, finding), (_, names)) in enumerate(zip(models, pairs, parts, strict=True)):
            labels = (*exporter.labels, PARTS, str(number))
            inner = Exporter(model, make_part(small), exporter.effort, finding, labels)
            found.append({"slices": list(names), "upper": inner.upper()})
    except NotProvedError:  # of one of them, which nobody asked for
        raise make_proof_error(exporter.part.model, bound) from None
    return require_covered(exporter, bound, {"kind": PARTS, "value": bound.value, "observed": observed, "of": found})


def write_fewer_states(exporter: Exporter, bound: Bound) -> JsonNode:
    """How many states each variable gets, a rank of the model with one less still, and evidence about the model with few states."""
    steps = [(step["variable"], step["kept"]) for step in bound.evidence["steps"]]
    models = exporter.model.fewer_states(steps, list_smaller_models(exporter.pmap.model, bound.evidence))
    *below, last = [
        Exporter(model, make_part(small), exporter.effort, finding, (*exporter.labels, FEWER_STATES, str(number)))
        for number, (model, (small, finding)) in enumerate(zip(models, exporter.finding.of, strict=True))
    ]
    node: JsonNode = {"kind": FEWER_STATES, "value": bound.value}
    try:
        node["steps"] = [
            {"variable": name, "states": kept, "lower": one.lower()}
            for (name, kept), one in zip(steps, below, strict=True)
        ]
        node["upper"] = last.upper()
    except NotProvedError:  # of one of them, which nobody asked for
        raise make_proof_error(exporter.part.model, bound) from None
    return require_covered(exporter, bound, node)


def list_partial_steps(outline: Outline, pmap: ParamMap, steps: Sequence[JsonNode]) -> list[JsonNode]:
    """First averaged out, from above: the parts that the format makes of a function of many, if its table becomes free."""
    ours = {variable.name for variable in pmap.model.variables}
    below = {name: child for child, above in outline.parents.items() for name in above if name not in ours}
    freed = {child for step in steps for child in step["children"]}

    def function(name: str) -> str:
        """The function whose part this is."""
        return function(below[name]) if name in below else name

    return [{"hidden": name, "children": [child]} for name, child in below.items() if function(name) in freed]


def write_symmetry(exporter: Exporter, bound: Bound) -> JsonNode:
    """The kernels of local maps, and fields that move few parameters."""
    found = bound.evidence
    point = f"algdim 1|{exporter.effort.seed}|point|{found['point']}"
    fields = [
        one for hidden in list_hidden_sets(exporter, found["fields"]) for one in write_local_map(exporter, hidden)
    ]
    fields += [one for field in found["fields"] if field["type"] == FEW for one in write_few(exporter, field)]
    fields += [{"hidden": one["hidden"], "times": one["times"]} for one in found["fields"] if one["type"] == CHAIN]
    node: JsonNode = {
        "kind": "symmetry",
        "value": bound.value,
        "prime": found["prime"],
        "point": point,
        "fields": fields,
    }
    try:
        return require_covered(exporter, bound, node)
    except NotProvedError:
        if not is_small(exporter.pmap):
            raise
    return write_symbolic(exporter, bound)


def list_hidden_sets(exporter: Exporter, fields: Sequence[Mapping[str, Any]]) -> list[tuple[str, ...]]:
    """The hidden variables around which fields are, each set once; those that move few parameters, or moves of chains, have forms of their own."""
    names = [
        {field["hidden"]} if isinstance(field["hidden"], str) else {*field["hidden"]}
        for field in fields
        if field["type"] not in (FEW, CHAIN)
    ]
    return list(dict.fromkeys(tuple(name for name in exporter.outline.hidden if name in one) for one in names))


def write_few(exporter: Exporter, found: Mapping[str, Any]) -> list[JsonNode]:
    """Fields that move few parameters, or one table, as formulas; with the same formulas for other parameters where these are repeated."""
    numbers = {name: f"p{number}" for number, name in enumerate(exporter.pmap.parameters)}
    hidden = [name for name in exporter.outline.hidden if name in found["hidden"]]
    nodes: list[JsonNode] = []
    again = found.get("repeated", [[]] * len(found["fields"]))
    for field, repeated in zip(found["fields"], again, strict=True):
        formulas = [
            {"sum": [{"product": [number, *(numbers[name] for name in factors)]} for number, factors in terms]}
            for terms in field.values()
        ]
        nodes += [
            {"hidden": hidden, "along": {numbers[name]: one for name, one in zip(moved, formulas, strict=True)}}
            for moved in (list(field), *repeated)
        ]
    return nodes


def require_covered(exporter: Exporter, bound: Bound, node: JsonNode) -> JsonNode:
    """The node, unless the checker refuses it."""
    try:
        checker.Check().bound("upper", exporter.model.claimed, node)
    except checker.Refused as refused:
        raise NotProvedError(
            f"{to_text(exporter.part.model)}: the bound {bound.value} is proved by {bound.kind} ({bound.reason}), which "
            f"certificates do not cover here ({refused})"
        ) from None
    return node


def write_normal_form(exporter: Exporter, bound: Bound) -> JsonNode:
    """Constants that fields move independently, and what is left of the kernel of the Jacobian, as polynomials."""
    pmap, found = exporter.pmap, bound.evidence
    names = [f"p{number}" for number in range(pmap.parameter_count)]
    around = {hidden: write_local_map(exporter, hidden) for hidden in list_hidden_sets(exporter, found["fields"])}
    node: JsonNode = {
        "kind": NORMAL_FORM,
        "value": bound.value,
        "prime": found["prime"],
        "point": f"algdim 1|{exporter.effort.seed}|point|{found['point']}",
        "fields": [one for nodes in around.values() for one in nodes],
    }
    # what is conditioned on has no parameters here; the search took it for roots, which may have had constants
    constants = {
        n: int(found["constants"][name]) for n, name in enumerate(pmap.parameters) if name in found["constants"]
    }
    drawn = draw_residues(Stream(node["point"]), node["prime"], pmap.parameter_count).astype(np.int64)
    point = Point(pmap, node["prime"], found["point"], set_constants(drawn, constants, node["prime"]))
    still = collect_directions(
        [find_local_directions(exporter, point, hidden) for hidden, nodes in around.items() if nodes], len(names)
    )
    kept = find_independent_columns(np.vstack([list_equivariant_fields(point), still]), list(constants), point.prime)
    kernel = find_kernel(point, {number: constants[number] for number in kept}, still, bound.value)
    if kernel is None or not kept:
        raise make_proof_error(exporter.part.model, bound)
    left = [name for number, name in enumerate(names) if number not in kept]
    vectors = [make_primitive(one) for one in kernel.vectors]
    node["constants"] = {names[number]: str(constants[number]) for number in sorted(kept)}
    node["kernel"] = [{names[k]: write_polynomial(x, left) for k, x in one.items()} for one in vectors]
    return require_covered(exporter, bound, node)


def find_local_directions(exporter: Exporter, point: Point, hidden: Sequence[str]) -> Directions:
    """The directions at a point that a local map takes to zero."""
    numbers = {name: number for number, name in enumerate(point.pmap.parameters)}
    network = build_local_model(exporter.part.model, frozenset(hidden))
    assert network is not None, "it is in the certificate"  # noqa: S101
    parameters, _, kernel = compute_local_kernel(get_param_map(network), point, numbers)
    return Directions(parameters, kernel, "", {})


def write_local_map(exporter: Exporter, hidden: tuple[str, ...]) -> list[JsonNode]:
    """The local map of some hidden variables with a proof of its rank; nothing if there is none."""
    network = build_local_model(exporter.part.model, frozenset(hidden))
    if network is None:
        return []
    local, finding = next(pair for pair in exporter.finding.of if pair[0].model == network)
    around = add_links(exporter.outline, network, hidden)
    labels = (*exporter.labels, "local", *hidden)
    inner = Exporter(exporter.model.local_map(around), make_part(local), exporter.effort, finding, labels)
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
    **dict.fromkeys(("binary-items", "symmetric-items"), write_secants),
    TREES: write_trees,
}
UPPER: dict[str, Writer] = {
    "counting": write_plain_bound,
    "ambient": write_ambient,
    EQUAL_CELLS: write_equal_cells,
    **dict.fromkeys(("flattenings", COMMON_TABLES), write_gradients),
    "koszul": write_gradients,
    "grids": write_gradients,
    DETERMINANTS: write_gradients,
    "pairwise": write_pairwise,
    **dict.fromkeys(("binary-items", "symmetric-items"), write_secants),
    "settimi-smith": write_secants,
    "nested": write_plain_bound,
    "symbolic": write_symbolic,
    "class-tables": write_classifiers,
    "containing": write_containing,
    "supermodels": write_supermodel,
    MARGINS: write_margin,
    DIFFERENCES: write_differences,
    PARTS: write_parts,
    FEWER_STATES: write_fewer_states,
    MECHANISMS: write_mechanisms,
    "symmetry": write_symmetry,
    NORMAL_FORM: write_normal_form,
    TREES: write_trees,
}


CERTIFYING = Certifying(
    lambda prepared: encode_network(cast("Network", prepared.model), cast("ParamMap", prepared.whole_map)),
    write_network_bounds,
    order=order_given_variables,
)
