"""How discrete networks are compared: maps into a network in order, and what is at an end of its range."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from algdim.errors import InputError, listed
from algdim.explanation.evidence import Embedding, by_lemma, one_after_another
from algdim.families.classifier.model import Classifier
from algdim.families.contract import Comparing, InTable
from algdim.families.discrete.bounds.search import support
from algdim.families.discrete.conditionalembeddings import TableMap, by_conditionals, joint, subsets
from algdim.families.discrete.family import table_entries
from algdim.families.discrete.locals.classifier import Embedded
from algdim.families.discrete.locals.table import Table
from algdim.families.discrete.map import ParamMap, param_map
from algdim.families.discrete.model import Network, Variable
from algdim.families.discrete.refutations import interactions_of, table_refutations
from algdim.families.discrete.tableembeddings import by_tables, with_tables_for_effects
from algdim.models.anymodel import AnyModel
from algdim.models.graphs import graph_of
from algdim.trust import trust_in_all


def ties_others(variable: Variable) -> bool:
    """Whether entries have names or a shared table, so that what is said of them here matters elsewhere."""
    return isinstance(variable.local, Table) and bool(variable.local.equal or variable.local.share)


def keeps(model: Network, removed: Sequence[str], as_larger: bool) -> bool:
    """Whether something else depends on tables of variables that could be removed."""
    del as_larger
    return any(ties_others(one) for one in model.variables if one.name in removed)


def check_given(first: AnyModel, second: AnyModel) -> None:
    """Raise unless the same variables are conditioned on."""
    given = [model.given if isinstance(model, Network) else () for model in (first, second)]
    if set(given[0]) != set(given[1]):
        raise InputError(
            f"given are {listed(given[0]) or 'none'} and {listed(given[1]) or 'none'}; models under the same conditions are compared"
        )


def into_network(first: TableMap, second: ParamMap) -> Embedding | None:
    """A map into a network, by tables or by conditional probabilities."""
    return by_tables(first, second) or by_conditionals(first, second)


def by_joint_distributions(first: TableMap, second: ParamMap) -> Embedding | None:
    """The map of a classifier's network into that of another: what holds of joint distributions holds of conditional ones."""
    one, other = classifier_of(first), classifier_of(second)
    if one is None or other is None:
        return None
    by_name = {variable.name: variable for variable in other.network.variables}
    ordered = Network(tuple(by_name[variable.name] for variable in one.network.variables))
    found = into_network(param_map(one.network), param_map(ordered))
    if found is None:
        return None
    names = param_map(other.network).parameters
    line = "the joint distributions of class and inputs are nested"

    def at(point: Sequence[Fraction]) -> list[Fraction]:
        values = dict(zip(found.second.parameters, found.at(point), strict=True))
        return [values[name] for name in names]

    trust = trust_in_all([by_lemma("Markov maps", [line]), found.trust])
    return Embedding((line, *found.lines), trust, first, second, at)


def classifier_of(pmap: TableMap) -> Classifier | None:
    """The classifier of a network in which all but its class is given."""
    if not isinstance(pmap, ParamMap):
        return None
    model = pmap.model
    free = [variable.local for variable in model.variables if variable.name not in model.given]
    return free[0].classifier if len(free) == 1 and isinstance(free[0], Embedded) else None


def by_way_of(first: TableMap, second: ParamMap) -> Embedding | None:
    """A map by way of a network in which mechanisms of the second one are idle and their effects have tables."""
    for simpler in with_tables_for_effects(second.model):
        middle = param_map(simpler)
        begin = into_network(first, middle)
        end = None if begin is None else by_tables(middle, second)
        if begin is not None and end is not None:
            return one_after_another(begin, end)
    return None


def ends(pmap: ParamMap, image: Sequence[Fraction]) -> list[str]:
    """The tables in which free entries are at an end of their range."""
    return [f"{listed(tables_with_zeros(pmap, image))} with entries 0 that are free"]


def tables_with_zeros(pmap: ParamMap, image: Sequence[Fraction]) -> list[str]:
    """The tables in which a free entry is 0."""
    found = []
    entries = table_entries(pmap, image)
    for owner, array in zip(pmap.owners, pmap.arrays, strict=True):
        size = int(np.prod(array.shape))
        if any(is_free and value == 0 for value, is_free in [next(entries) for _ in range(size)]):
            found.append(owner)
    return [f"the table{'' if len(found) == 1 else 's'} of {listed(found)}"]


def is_separated(model: Network, one: Sequence[str], other: Sequence[str], given: Sequence[str]) -> bool:
    """Whether the graph shows an independence."""
    graph = graph_of(model)
    bits = [graph.bits(names) for names in (one, other, given)]
    return graph.separated(bits[0], bits[1], bits[2])


COMPARING = Comparing(
    coordinates=lambda model: ("table", "conditional table"),  # noqa: ARG005
    check=check_given,
    keeps=keeps,
    embeddings=(by_tables, by_conditionals, by_joint_distributions, by_way_of),
    refutations=table_refutations,
    ends=ends,
    in_table=InTable(
        is_separated,
        lambda model: subsets([(*one.parents, one.name) for one in model.variables]),
        interactions_of,
        joint,
        support,
        lambda pmap: (pmap, ()),
    ),
)
