"""How log-linear models are compared: interactions of a table (lemma "Markov maps").

Products of cells and their inverses are the effects of a log-linear model that has all interactions of the first one.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import chain, combinations, islice, product

import networkx as nx
import numpy as np

from algdim.exact.arithmetic import Array, SingularError
from algdim.explanation.evidence import MOST_MATCHES, Embedding, prove_embedding
from algdim.families.contract import Comparing, InTable
from algdim.families.discrete.comparison import iterate_refutations
from algdim.families.discrete.conditionalembeddings import (
    Opened,
    TableMap,
    collect_subsets,
    compute_joint_table,
    describe_renamings,
    iterate_openings,
)
from algdim.families.discrete.map import ParamMap, get_param_map
from algdim.families.discrete.model import Network, Variable
from algdim.families.loglinear.map import LogLinearMap
from algdim.families.loglinear.model import LogLinear
from algdim.trust import Trust, proved_by


def find_interaction_embedding(first: TableMap, second: LogLinearMap) -> Embedding | None:
    """The map into a log-linear model that has all interactions of the first model, which has positive cells."""
    if first.given:
        return None
    states = second.model.states
    theirs = {frozenset(effect) for effect in second.model.effects}
    for opened in islice(iterate_openings(first, second), MOST_MATCHES):
        needed = {
            effect for effect in find_interaction_supports(opened) if all(opened.states[name] > 1 for name in effect)
        }
        further = {name for name in opened.called.values() if opened.states[name] < states[name]}
        if needed <= theirs and all(frozenset([name]) in theirs for name in further):
            break
    else:
        return None
    names = {frozenset(effect): effect for effect in second.model.effects}

    def at(point: Sequence[Fraction]) -> list[Fraction]:
        table, seen = opened.table(point), list(opened.called.values())
        if not all(table.flat):
            raise SingularError("a cell is zero")
        effects = {
            effect: compute_interaction(table, [seen.index(name) for name in effect])
            for effect in map(names.__getitem__, needed)
        }
        values = []
        for effect in second.model.effects:
            for cell in product(*(range(1, states[name]) for name in effect)):
                # states that the first model's hidden variable has not get the weight 0
                beyond = [
                    name
                    for name, state in zip(effect, cell, strict=True)
                    if name in further and state >= opened.states[name]
                ]
                if len(effect) == 1 and beyond:
                    values.append(Fraction(0))
                else:
                    values.append(effects[effect][cell] if effect in effects and not beyond else Fraction(1))
        return values

    lines = [
        *describe_renamings(opened),
        "every effect is that of the first model's probabilities, which have no other interactions",
    ]
    return Embedding(tuple(lines), prove_embedding("Markov maps", lines), first, second, at)


def find_interaction_supports(opened: Opened) -> set[frozenset[str]]:
    """Sets of variables, beside which there are no interactions in the probabilities of what is seen."""
    if opened.is_whole:
        groups = opened.within.find_groups(opened.pmap.model)
        return {frozenset(opened.called[name] for name in group) for group in groups}
    graph, names = nx.Graph(), list(opened.called.values())
    graph.add_nodes_from(names)
    for pair in combinations(names, 2):
        if not opened.is_separated(pair[:1], pair[1:], [name for name in names if name not in pair]):
            graph.add_edge(*pair)
    return collect_subsets(nx.find_cliques(graph))


def compute_interaction(table: Array, axes: Sequence[int]) -> dict[tuple[int, ...], Fraction]:
    """The factors t of an interaction, by states other than the first: products of cells and inverses of such (Möbius inversion)."""
    found = {}
    for cell in product(*(range(1, table.shape[axis]) for axis in axes)):
        value = Fraction(1)
        for kept in product((False, True), repeat=len(axes)):
            place = [0] * table.ndim
            for axis, state, is_kept in zip(axes, cell, kept, strict=True):
                place[axis] = state if is_kept else 0
            number = table[tuple(place)]
            value = value * number if (len(axes) - sum(kept)) % 2 == 0 else value / number
        found[cell] = value
    return found


def build_interaction_graph(model: LogLinear) -> nx.Graph:
    """Two variables are joined if an interaction has both."""
    graph = nx.Graph()
    graph.add_nodes_from(variable.name for variable in model.variables)
    graph.add_edges_from(pair for effect in model.effects for pair in combinations(effect, 2))
    return graph


def is_separated(model: LogLinear, one: Sequence[str], other: Sequence[str], given: Sequence[str]) -> bool:
    """Whether no path of interactions leads from one set to the other around what is given."""
    graph = build_interaction_graph(model)
    graph.remove_nodes_from(given)
    reached = set(chain.from_iterable(nx.node_connected_component(graph, name) for name in one))
    return not reached & set(other)


def collect_effects(model: LogLinear) -> set[frozenset[str]]:
    """The sets of variables that interact."""
    return {frozenset(effect) for effect in model.effects}


def compute_joint_distribution(pmap: LogLinearMap, names: Sequence[str], point: Sequence[Fraction]) -> Array:
    """The probabilities of some variables at a point."""
    cells = compute_joint_table(pmap.unnormalised, names, point)
    total = sum(cells.flat, Fraction(0))
    if not total:
        raise SingularError("the sum over all joint states is zero at this point")
    return np.asarray(cells / total, dtype=object)


def build_covering_map(pmap: LogLinearMap) -> tuple[ParamMap, tuple[Trust, ...]] | None:
    """The map of a network over the filled-in graph of the interactions, which contains the model."""
    model = pmap.model
    if any(variable.states < 2 for variable in model.variables):
        return None
    facts = "the interactions lie in cliques of a chordal graph"
    return get_param_map(build_covering_network(model)), (proved_by("Markov maps", facts),)


def build_covering_network(model: LogLinear) -> Network:
    """The network of free tables that has the independences of a chordal graph with all interactions in its cliques."""
    chordal, _ = nx.complete_to_chordal_graph(build_interaction_graph(model))
    numbered = order_by_cardinality(chordal)
    place = {name: number for number, name in enumerate(numbered)}
    variables = (
        Variable(
            one.name,
            one.states,
            one.observed,
            tuple(sorted((n for n in chordal[one.name] if place[n] < place[one.name]), key=place.__getitem__)),
        )
        for one in model.variables
    )
    return Network(tuple(variables))


def order_by_cardinality(chordal: nx.Graph) -> list[str]:
    """The vertices in an order in which the earlier neighbours of each are joined: maximum cardinality search."""
    seen: list[str] = []
    left = list(chordal)
    while left:
        best = max(left, key=lambda name: sum(one in chordal[name] for one in seen))
        seen.append(best)
        left.remove(best)
    return seen


COMPARING = Comparing(
    list_coordinates=lambda model: ("table",),  # noqa: ARG005
    embeddings=(find_interaction_embedding,),
    iterate_refutations=iterate_refutations,
    in_table=InTable(
        is_separated,
        collect_effects,
        lambda pmap: collect_effects(pmap.model),
        compute_joint_distribution,
        lambda pmap: None,  # noqa: ARG005
        build_covering_map,
    ),
)
