"""Latent projection, districts, intrinsic sets, heads and tails, against their definitions."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from strategies import networks

import algdim
from algdim.families.discrete.model import Network, Variable
from algdim.models.graphs import Head, find_districts, find_heads, iterate_positions, project_hidden_variables


def told(graph, head):
    return "".join(graph.names_of(head.head)), "".join(graph.names_of(head.tail))


def test_verma_network_has_five_heads():
    """The Verma network's heads are A, B|A, C|B, D|C and BD|AC: {B, D} is intrinsic, {B, C, D} is not."""
    graph = project_hidden_variables(algdim.model("A -> B -> C -> D; U -> B, D; hidden U"))

    assert {("A", ""), ("B", "A"), ("C", "B"), ("D", "C"), ("BD", "AC")} == {
        told(graph, head) for head in find_heads(graph, 100)
    }


def test_hidden_chain_projects_to_one_edge():
    """A directed path through hidden variables is one edge; its hidden variables join what hangs on them."""
    graph = project_hidden_variables(algdim.model("A -> H -> K -> B; H -> C; hidden H, K"))

    assert [["A", "B"], ["A", "C"]] == sorted(graph.directed_edges)
    assert [["B", "C"]] == graph.bidirected_edges


def test_hidden_variable_with_one_state_is_passed_over():
    """A hidden variable with one state carries nothing from parents to children and joins no children."""
    model = Network(
        (
            Variable("A"),
            Variable("H", 1, observed=False, parents=("A",)),
            Variable("B", parents=("H",)),
            Variable("C", parents=("H",)),
        )
    )
    graph = project_hidden_variables(model)

    assert [] == graph.directed_edges
    assert [] == graph.bidirected_edges


def test_what_cannot_be_fixed_stays():
    """In the bidirected triangle with A → B the variable A cannot be fixed before B: {B} and {B, C} are not intrinsic."""
    graph = project_hidden_variables(algdim.model("A -> B; P -> A, B; Q -> B, C; R -> A, C; hidden P, Q, R"))

    assert {("BC", "A"), ("AC", ""), ("B", "A"), ("A", ""), ("C", "")} == {
        told(graph, head) for head in find_heads(graph, 100)
    }


def test_too_many_heads_are_given_up():
    """The search ends as soon as more sets are known than allowed."""
    graph = project_hidden_variables(algdim.model("2:2^60"))

    assert find_heads(graph, 1000) is None


@pytest.mark.parametrize("count", [1, 2, 5])
def test_one_hidden_parent_makes_every_set_intrinsic(count):
    """In a latent class model every set of items is its own head, without a tail."""
    graph = project_hidden_variables(algdim.model(f"2:2^{count}"))
    found = find_heads(graph, 100)

    assert 2**count - 1 == len(found)
    assert all(head == Head(head.intrinsic, head.intrinsic, 0) for head in found)


def fixable(graph, inside, vertex):
    """By the definition: no descendant within the graph on ``inside`` is in the vertex's district, except itself."""
    below, frontier = 1 << vertex, [vertex]
    while frontier:
        one = frontier.pop()
        for child in iterate_positions(inside & ~below):
            if graph.parents[child] >> one & 1:
                below |= 1 << child
                frontier.append(child)
    mine = next(district for district in find_districts(graph, inside) if district >> vertex & 1)
    return below & mine == 1 << vertex


def reachable_sets(graph):
    """All sets that fixing vertices one by one leads to, from the definition."""
    found, waiting = {graph.everything}, [graph.everything]
    while waiting:
        inside = waiting.pop()
        for vertex in iterate_positions(inside):
            smaller = inside & ~(1 << vertex)
            if smaller and smaller not in found and fixable(graph, inside, vertex):
                found.add(smaller)
                waiting.append(smaller)
    return found


@given(networks(max_variables=7, special=False))
def test_intrinsic_sets_agree_with_the_definition(model):
    """Intrinsic sets are the reachable sets that are one district; the head has no child inside; the tail is the parents."""
    graph = project_hidden_variables(model)
    expected = {inside for inside in reachable_sets(graph) if len(find_districts(graph, inside)) == 1}
    found = find_heads(graph, 1 << 12)

    assert expected == {head.intrinsic for head in found}
    assert len(found) == len({head.head for head in found})
    for head in found:
        inside = list(iterate_positions(head.intrinsic))
        with_child = {v for v, w in combinations(inside, 2) if graph.parents[w] >> v & 1}
        with_child |= {w for v, w in combinations(inside, 2) if graph.parents[v] >> w & 1}

        assert {v for v in inside if v not in with_child} == set(iterate_positions(head.head))
        assert head.intrinsic & ~head.head == head.tail & head.intrinsic


@given(networks(max_variables=7, special=False))
def test_projection_agrees_with_paths(model):
    """v → w where a path through hidden variables leads; v ↔ w where a hidden variable reaches both so."""
    graph = project_hidden_variables(model)
    states = model.states
    children = {
        variable.name: [c.name for c in model.variables if variable.name in c.parents] for variable in model.variables
    }
    hidden = {variable.name for variable in model.hidden if states[variable.name] > 1}
    passed = {variable.name for variable in model.hidden} - hidden

    def reach(name):
        found = set()
        for child in children[name]:
            if child in hidden:
                found |= reach(child)
            elif child not in passed:
                found.add(child)
        return found

    observed = [variable.name for variable in model.observed]

    assert {(v, w) for v in observed for w in reach(v)} == {tuple(edge) for edge in graph.directed_edges}
    assert {frozenset(pair) for h in hidden for pair in combinations(reach(h), 2)} == {
        frozenset(edge) for edge in graph.bidirected_edges
    }
