"""How discrete networks are compared: what fails in a table, maps into a network in the order in which they are tried, and ends.

What fails at an exact point of another model are impossible cells, independences, flattenings, interactions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import chain, combinations, product

import numpy as np

from algdim.errors import InputError, join_names
from algdim.exact.ranks import rank_mod
from algdim.explanation.evidence import (
    Embedding,
    Exact,
    Refutation,
    evaluate_at_drawn_point,
    find_failing_form,
    join_embeddings,
    make_refutation,
    prove_embedding,
)
from algdim.families.classifier.model import Classifier
from algdim.families.contract import Comparing, InTable
from algdim.families.discrete.bounds.flattenings import Flattening, Separators, compute_rank_trust, list_candidates
from algdim.families.discrete.bounds.search import Setting, TableAtPoint, find_support
from algdim.families.discrete.conditionalembeddings import (
    TableMap,
    collect_subsets,
    compute_joint_table,
    find_conditional_embedding,
    get_table_contract,
)
from algdim.families.discrete.equations import MOST_LISTED_CELLS, convert_to_flattening, is_independence
from algdim.families.discrete.equations.independences import find_independences
from algdim.families.discrete.family import iterate_table_entries
from algdim.families.discrete.locals.classifier import Embedded
from algdim.families.discrete.locals.sigmoid import Sigmoid
from algdim.families.discrete.locals.table import Table
from algdim.families.discrete.map import ParamMap, get_param_map
from algdim.families.discrete.model import Network, Variable
from algdim.families.discrete.tableembeddings import find_table_embedding, iterate_effect_tables
from algdim.models.anymodel import AnyModel
from algdim.models.graphs import build_directed_graph, project_hidden_variables
from algdim.trust import proved_by, trust_in_all


def iterate_refutations(first: TableMap, second: TableMap, seed: int | str) -> Iterator[Refutation | None]:
    """The equations of the second model that may fail, at one point of the first."""
    mine, theirs = remove_conditions(first), remove_conditions(second)
    if mine.coordinate_count > MOST_LISTED_CELLS:
        return
    at = evaluate_at_drawn_point(mine, seed)
    yield find_impossible_cell(at, theirs)
    yield find_failing_flattening(at, theirs, seed)
    yield find_failing_interaction(at, theirs)
    yield find_failing_form(at, theirs)


def remove_conditions(pmap: TableMap) -> TableMap:
    """The map in which what is conditioned on is a free root: a conditional table is nested if the whole table is."""
    return get_param_map(replace(pmap.model, given=())) if pmap.given else pmap


def find_impossible_cell(at: Exact, second: TableMap) -> Refutation | None:
    """A cell that is impossible in the second model only."""
    possible = get_table_contract(second).find_possible(second)
    if possible is None:
        return None
    cells = np.flatnonzero(~possible & (at.values % at.prime != 0))
    if not len(cells):
        return None
    name = second.coordinates()[cells[0]]
    return make_refutation(
        f"{name} = 0", at.where, proved_by("districts", f"{name}: a factor is 0 in all states of what is hidden")
    )


def find_failing_flattening(at: Exact, second: TableMap, seed: int | str) -> Refutation | None:
    """A conditional independence or flattening of the second model whose rank is too great on the first."""
    covering = get_table_contract(second).find_covering(second)
    if covering is None:
        return None
    pmap, contained = covering
    setting = Setting(pmap, 0, seed, ("compare",))
    table = TableAtPoint(at.prime, at.label, at.values.reshape(pmap.shape))
    names = [variable.name for variable in pmap.model.observed]
    separations = find_independences(project_hidden_variables(pmap.model))
    listed = ((convert_to_flattening(setting, one), one.trust) for one in separations.basis)
    others = ((one, None) for one in list_candidates(Separators(setting)))
    for flattening, known in chain(listed, others):
        for state, matrix in flattening.matrices(table):
            rank = rank_mod(np.ascontiguousarray(matrix.values), table.prime).value
            if rank > matrix.rank:
                holds = known or compute_rank_trust(flattening, matrix.rank, names)
                return make_refutation(
                    rank_text(flattening, state, matrix.rank, rank, names), at.where, holds, *contained
                )
    return None


def rank_text(flattening: Flattening, state: Sequence[int], most: int, rank: int, names: Sequence[str]) -> str:
    """An independence, or the greatest rank on the model in a state of the condition, beside the rank elsewhere."""
    one, other, given = flattening.sets(names)
    sides = ",".join(one), ",".join(other)
    if is_independence(flattening):
        return " ⊥ ".join(sides) + (f" | {','.join(given)}" if given else "")
    # the rank may be another in another state of the condition
    states = ",".join(f"{name}={value}" for name, value in zip(given, state, strict=True))
    return f"rank P({'; '.join(sides)}{f' | {states}' if given else ''}) ≤ {most} (it is {rank})"


def find_failing_interaction(at: Exact, second: TableMap) -> Refutation | None:
    """An interaction that a model without hidden variables and impossible cells has not: an equation between products of cells."""
    if second.model.hidden:
        return None
    known = get_table_contract(second).find_interactions(second)
    if known is None:
        return None
    names = [variable.name for variable in second.model.observed]
    table = at.values.reshape([variable.states for variable in second.model.observed])
    for size in range(1, len(names) + 1):
        for axes in combinations(range(len(names)), size):
            if frozenset(names[axis] for axis in axes) in known:
                continue
            for cell in product(*(range(1, table.shape[axis]) for axis in axes)):
                sides = [1, 1]
                for kept in product((False, True), repeat=size):
                    place = [0] * table.ndim
                    for axis, state, is_kept in zip(axes, cell, kept, strict=True):
                        place[axis] = state if is_kept else 0
                    side = (size - sum(kept)) % 2
                    sides[side] = sides[side] * int(table[tuple(place)]) % at.prime
                if sides[0] != sides[1]:
                    effect = ",".join(f"{names[axis]}={state}" for axis, state in zip(axes, cell, strict=True))
                    holds = proved_by(
                        "Markov maps",
                        f"nothing is hidden, and no factor has all of {join_names(names[axis] for axis in axes)}",
                    )
                    return make_refutation(f"no interaction of {effect}, t({effect}) = 1", at.where, holds)
    return None


def find_interactions(second: ParamMap) -> set[frozenset[str]] | None:
    """The sets of variables that may interact; ``None`` if some cells are impossible."""
    if not find_support(second).all():
        return None
    groups: list[tuple[str, ...]] = []
    for variable in second.model.variables:
        own = (variable.name,)
        if isinstance(variable.local, Sigmoid) and variable.local.kind != "cumulative":
            # y·(a + Σ b x) and the normalisation, a function of the parents
            groups += [variable.parents, own, *((name, *own) for name in variable.parents)]
        elif isinstance(variable.local, Embedded):
            factors = variable.local.classifier.factors
            groups += [variable.parents, *((*factor.inputs, *own) for factor in factors)]
        else:
            groups.append((*variable.parents, *own))
    return {frozenset(some) for group in groups for size in range(len(group) + 1) for some in combinations(group, size)}


def has_ties(variable: Variable) -> bool:
    """Whether entries have names or a shared table, so that what is said of them here matters elsewhere."""
    return isinstance(variable.local, Table) and bool(variable.local.equal or variable.local.share)


def has_dependents(model: Network, removed: Sequence[str], as_larger: bool) -> bool:
    """Whether something else depends on tables of variables that could be removed."""
    del as_larger
    return any(has_ties(one) for one in model.variables if one.name in removed)


def check_given(first: AnyModel, second: AnyModel) -> None:
    """Raise unless the same variables are conditioned on."""
    given = [model.given if isinstance(model, Network) else () for model in (first, second)]
    if set(given[0]) != set(given[1]):
        raise InputError(
            f"given are {join_names(given[0]) or 'none'} and {join_names(given[1]) or 'none'}; models under the same conditions are compared"
        )


def find_network_embedding(first: TableMap, second: ParamMap) -> Embedding | None:
    """A map into a network, by tables or by conditional probabilities."""
    return find_table_embedding(first, second) or find_conditional_embedding(first, second)


def find_joint_embedding(first: TableMap, second: ParamMap) -> Embedding | None:
    """The map of a classifier's network into that of another: what holds of joint distributions holds of conditional ones."""
    one, other = find_classifier(first), find_classifier(second)
    if one is None or other is None:
        return None
    by_name = {variable.name: variable for variable in other.network.variables}
    ordered = Network(tuple(by_name[variable.name] for variable in one.network.variables))
    found = find_network_embedding(get_param_map(one.network), get_param_map(ordered))
    if found is None:
        return None
    names = get_param_map(other.network).parameters
    line = "the joint distributions of class and inputs are nested"

    def at(point: Sequence[Fraction]) -> list[Fraction]:
        values = dict(zip(found.second.parameters, found.at(point), strict=True))
        return [values[name] for name in names]

    trust = trust_in_all([prove_embedding("Markov maps", [line]), found.trust])
    return Embedding((line, *found.lines), trust, first, second, at)


def find_classifier(pmap: TableMap) -> Classifier | None:
    """The classifier of a network in which all but its class is given."""
    if not isinstance(pmap, ParamMap):
        return None
    model = pmap.model
    free = [variable.local for variable in model.variables if variable.name not in model.given]
    return free[0].classifier if len(free) == 1 and isinstance(free[0], Embedded) else None


def find_indirect_embedding(first: TableMap, second: ParamMap) -> Embedding | None:
    """A map by way of a network in which mechanisms of the second one are idle and their effects have tables."""
    for simpler in iterate_effect_tables(second.model):
        middle = get_param_map(simpler)
        begin = find_network_embedding(first, middle)
        end = None if begin is None else find_table_embedding(middle, second)
        if begin is not None and end is not None:
            return join_embeddings(begin, end)
    return None


def list_boundary_tables(pmap: ParamMap, image: Sequence[Fraction]) -> list[str]:
    """The tables in which free entries are at an end of their range."""
    return [f"{join_names(find_tables_with_zeros(pmap, image))} with entries 0 that are free"]


def find_tables_with_zeros(pmap: ParamMap, image: Sequence[Fraction]) -> list[str]:
    """The tables in which a free entry is 0."""
    tables = zip(pmap.owners, iterate_table_entries(pmap, image), strict=True)
    found = [owner for owner, (values, is_free) in tables if (values[is_free] == 0).any()]
    return [f"the table{'' if len(found) == 1 else 's'} of {join_names(found)}"]


def is_separated(model: Network, one: Sequence[str], other: Sequence[str], given: Sequence[str]) -> bool:
    """Whether the graph shows an independence."""
    graph = build_directed_graph(model)
    bits = [graph.bits(names) for names in (one, other, given)]
    return graph.is_separated(bits[0], bits[1], bits[2])


COMPARING = Comparing(
    list_coordinates=lambda model: ("table", "conditional table"),  # noqa: ARG005
    check=check_given,
    keeps_irrelevant=has_dependents,
    embeddings=(find_table_embedding, find_conditional_embedding, find_joint_embedding, find_indirect_embedding),
    iterate_refutations=iterate_refutations,
    describe_ends=list_boundary_tables,
    in_table=InTable(
        is_separated,
        lambda model: collect_subsets([(*one.parents, one.name) for one in model.variables]),
        find_interactions,
        compute_joint_table,
        find_support,
        lambda pmap: (pmap, ()),
    ),
)
