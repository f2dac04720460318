"""Bounds of classifiers (HM97 §4 and §6, corrected; lemmas "interactions" and "classifier" in proofs/lemmas.md).

HM97 writes λ = Lκ, a linear map L of the log-odds κ of single factors, and takes its rank for the dimension (Theorem 1).
It is always an upper bound. It is the dimension for a binary class, and whenever `is_recipe_valid`; in general it is not: a child of
the class with fewer states than the class has fewer parameters than its κ have dimensions.

Any set of factors may be counted by their parameters and the others by the rank of their part of L. The least of these
bounds is a minimum cut.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from algdim.bound.bounds import LOWER, UPPER, Bound, choose_least, derive_bound, prove_bound
from algdim.errors import join_names
from algdim.families.classifier.map import ClassifierMap, build_classifier_map
from algdim.families.classifier.model import ClassFactor, Classifier
from algdim.families.discrete.locals.classifier import Embedded, EmbeddedEntries
from algdim.families.discrete.map import ParamMap
from algdim.families.discrete.model import Network
from algdim.figures import format_count, format_integer
from algdim.models.graphs import compute_face_dimension, compute_span_dimension, list_faces

MOST_SHOWN = 8
"""Faces whose dimensions are printed one by one."""


def rank_of_linear_map(model: Classifier, factors: Sequence[ClassFactor]) -> int:
    """The rank of κ → λ on the κ of some factors: functions of their inputs, one for each class but the first."""
    return (
        (model.classes - 1) * compute_span_dimension([factor.inputs for factor in factors], model.states)
        if factors
        else 0
    )


def bound_by_ambient(cmap: ClassifierMap) -> Bound:
    """The dimension is at most the number of log-odds."""
    return prove_bound(cmap.complete, UPPER, "ambient", f"{format_integer(cmap.complete)} log-odds", "generic rank")


def bound_by_linear_map(cmap: ClassifierMap) -> Bound:
    """The dimension is at most the rank of the linear map κ → λ (HM97 §4)."""
    model = cmap.model
    value = rank_of_linear_map(model, model.factors)
    reason = f"rank {value} of the linear map κ → λ: {describe_faces(model, model.factors)}"
    return prove_bound(value, UPPER, "linear-map", reason, "classifier", "interactions")


def describe_faces(model: Classifier, factors: Sequence[ClassFactor]) -> str:
    """Where a rank of the linear map comes from."""
    found = list_faces([factor.inputs for factor in factors], list(model.states))
    sizes = [compute_face_dimension(face, model.states) for face in found]
    inner = (
        " + ".join(map(str, sizes)) if len(sizes) <= MOST_SHOWN else f"a sum over {format_count(len(sizes), 'face')}"
    )
    if model.classes == 2:
        return inner
    return f"{model.classes - 1}·{inner if len(sizes) == 1 else f'({inner})'}"


def is_recipe_valid(model: Classifier) -> bool:
    """Whether the lemma "classifier" shows that the rank of the linear map is the dimension.

    A factor is *full* if its κ are, up to the kernel of L, free to move in all directions: the class's own factor; those
    of children with at least as many states as the class; and those of children whose other parents all stand among the
    inputs of one full factor. All must be.
    """
    return model.is_free and not find_factors_not_full(model)


def find_factors_not_full(model: Classifier) -> list[ClassFactor]:
    """The factors of which the lemma does not show that they are full."""
    states, waiting = model.states, list(model.factors)
    full: list[ClassFactor] = []
    while True:
        found = [
            factor
            for factor in waiting
            if factor.owner == model.label
            or states[factor.owner] >= model.classes
            or any(set(factor.inputs) - {factor.owner} <= set(other.inputs) for other in full)
        ]
        if not found:
            return waiting
        full += found
        waiting = [factor for factor in waiting if factor not in found]


def bound_by_theorem(cmap: ClassifierMap) -> Bound | None:
    """The rank of the linear map as a lower bound, where the lemma "classifier" shows that it is one."""
    if not is_recipe_valid(cmap.model):
        return None
    upper = bound_by_linear_map(cmap)
    why = "the class is binary" if cmap.model.classes == 2 else "no child of the class is too small"
    reason = f"{upper.reason}; the image of θ → κ is open, because {why}"
    return prove_bound(upper.value, LOWER, "linear-map", reason, "classifier", "interactions")


def explain_recipe(cmap: ClassifierMap) -> str:
    """What a report says of HM97's recipe where it gives more than there can be."""
    model, recipe, less = cmap.model, bound_by_linear_map(cmap).value, bound_by_class_tables(cmap)
    if not model.is_free or less is None or less.value >= recipe:
        return ""
    names = join_names(factor.owner for factor in find_factors_not_full(model))
    return (
        f"HM97 Theorem 1 would give {recipe}, the rank of the linear map κ → λ; it does not hold here: {names} with fewer "
        "states than the class"
    )


def collect_embedded_classifiers(network: Network) -> dict[str, Classifier]:
    """The classifiers that stand in place of tables, by variable."""
    return {v.name: v.local.classifier for v in network.variables if isinstance(v.local, Embedded)}


def choose_best_bound(model: Classifier) -> Bound:
    """The least upper bound of a classifier that only looks at its network."""
    cmap = build_classifier_map(model)
    found = choose_least([bound_by_linear_map(cmap), bound_by_class_tables(cmap), bound_by_ambient(cmap)])
    assert found is not None, "the linear map always gives a bound"  # noqa: S101
    return found


def bound_by_embedded_classifiers(pmap: ParamMap) -> Bound | None:
    """The dimension is at most that of embedded classifiers and the number of all other parameters; ``None`` without any."""
    models = collect_embedded_classifiers(pmap.model)
    if not models:
        return None
    own = sum(len(entries.own) for entries in pmap.arrays if isinstance(entries, EmbeddedEntries))
    bounds = [(label, choose_best_bound(model)) for label, model in models.items()]
    rest = len(pmap.parameters) - own
    total = rest + sum(found.value for _, found in bounds)
    texts = [f"classifier of {label}: {found.value}, {found.reason}" for label, found in bounds]
    reason = "; ".join([*texts, format_count(rest, "other parameter")] if rest else texts)
    return derive_bound([found for _, found in bounds], total, UPPER, "class-tables", reason, "classifier")


@dataclass(frozen=True, slots=True)
class SharedTable:
    """A table that contains the class: its name, the factors that use it, and the parameters that occur in it."""

    name: str
    factors: tuple[ClassFactor, ...]
    parameters: frozenset[int]


def collect_class_tables(cmap: ClassifierMap) -> tuple[SharedTable, ...]:
    """All tables that contain the class, each with its factors."""
    names = [variable.name for variable in cmap.model.variables]
    factor_of = {factor.owner: factor for factor in cmap.model.factors}
    return tuple(
        SharedTable(
            owner,
            tuple(factor_of[names[use.axes[-1]]] for use in cmap.relevant.factors if use.array == number),
            parameters,
        )
        for number, (owner, parameters) in enumerate(zip(cmap.relevant.owners, cmap.occurring, strict=True))
    )


def bound_by_class_tables(cmap: ClassifierMap) -> Bound | None:
    """The least sum of the parameters of some tables and of the rank of the linear map on the others.

    ``None`` if counting parameters does not help anywhere: the linear map by itself is as good.
    """
    model, tables = cmap.model, collect_class_tables(cmap)
    counted_ones = choose_cheapest_tables(model, tables)
    if not counted_ones:
        return None
    linear = [factor for table in tables if table not in counted_ones for factor in table.factors]
    parameters = len(frozenset[int]().union(*(table.parameters for table in counted_ones)))
    rank = rank_of_linear_map(model, linear)
    where = "the table" if len(counted_ones) == 1 else "the tables"
    reason = f"{format_count(parameters, 'parameter')} in {where} of {join_names(table.name for table in counted_ones)}"
    if linear:
        reason = (
            f"{parameters} + {rank}: {reason}, and the linear map κ → λ of the others: {describe_faces(model, linear)}"
        )
    evidence = {"tables": [table.name for table in counted_ones], "parameters": parameters, "rank": rank}
    return prove_bound(
        parameters + rank, UPPER, "class-tables", reason, "classifier", "interactions", evidence=evidence
    )


def choose_cheapest_tables(model: Classifier, tables: Sequence[SharedTable]) -> tuple[SharedTable, ...]:
    """The tables that are counted by their parameters in the least bound.

    Not considered are tables with at least as many parameters as the functions of their inputs have dimensions. Each of
    the others is either counted, or its faces are; a face is counted once for all. This is a minimum cut.
    """
    small = [table for table in tables if len(table.parameters) < rank_of_linear_map(model, table.factors)]
    if not small:
        return ()
    from networkx import DiGraph, minimum_cut

    order = list(model.states)
    paid = {face for table in tables if table not in small for face in list_table_faces(table, order)}
    graph = DiGraph()
    for number, table in enumerate(small):
        graph.add_edge("source", number, capacity=len(table.parameters))
        for face in list_table_faces(table, order):
            if face not in paid:
                graph.add_edge(number, face)
                graph.add_edge(face, "sink", capacity=(model.classes - 1) * compute_face_dimension(face, model.states))
    if "sink" not in graph:
        return ()
    _, (_, cut) = minimum_cut(graph, "source", "sink")
    return tuple(table for number, table in enumerate(small) if number in cut)


def list_table_faces(table: SharedTable, order: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """The faces that the factors of a table generate."""
    return list_faces([factor.inputs for factor in table.factors], order)
