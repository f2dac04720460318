"""Independences: true, complete by closure under the four rules of conditional independence, nothing listed twice; pairs."""

from __future__ import annotations

from itertools import combinations, product

import pytest
from amount import daily, in_turn
from deadlines import ended_after
from suites.members import random_network

import algdim
from algdim import constraints
from algdim.families.discrete.equations import independences as module
from algdim.families.discrete.equations.independences import find_independences, make_independence
from algdim.models.graphs import MixedGraph, is_separated, project_hidden_variables

EIGHT = "X1, X2, X3, X4, X5, X6, X7, X8 -> Y"


def separated_by_paths(model, one, other, given):
    """Whether no path between two sets is active, by walking all paths without a vertex twice in the whole graph."""
    parents = {variable.name: set(variable.parents) for variable in model.variables}
    children = {name: {child for child, above in parents.items() if name in above} for name in parents}
    below = {name: {name} for name in parents}
    for _ in parents:
        below = {name: found.union(*(below[child] for child in children[name])) for name, found in below.items()}

    def active(path):
        for before, vertex, after in zip(path, path[1:], path[2:], strict=False):
            if before in parents[vertex] and after in parents[vertex]:
                if not below[vertex] & set(given):
                    return False
            elif vertex in given:
                return False
        return True

    waiting = [[start] for start in one]
    while waiting:
        path = waiting.pop()
        if not active(path):
            continue
        if path[-1] in other:
            return False
        waiting += [[*path, step] for step in parents[path[-1]] | children[path[-1]] if step not in path]
    return True


def all_statements(count):
    """All (A, B, C), disjoint sets of this many variables, A and B not empty, as bit masks."""
    for places in product(range(4), repeat=count):
        one, other, given = (sum(1 << v for v, place in enumerate(places) if place == which) for which in (1, 2, 3))
        if one and other:
            yield one, other, given


def closure(statements):
    """What follows by symmetry, decomposition, weak union and contraction."""
    found, waiting = set(), list(statements)
    by_given = {}
    while waiting:
        one, other, given = waiting.pop()
        if (one, other, given) in found:
            continue
        found.add((one, other, given))
        by_given.setdefault((one, given), set()).add(other)
        waiting.append((other, one, given))
        part = (other - 1) & other
        while part:
            waiting.append((one, part, given))
            waiting.append((one, part, given | other & ~part))
            part = (part - 1) & other
        # A ⊥ B | C and A ⊥ D | B, C give A ⊥ B, D | C
        waiting += [(one, other | more, given) for more in by_given.get((one, given | other), ())]
        part = given
        while part:
            if part in by_given.get((one, given & ~part), ()):
                waiting.append((one, other | part, given & ~part))
            part = (part - 1) & given
    return found


@pytest.mark.parametrize("seed", daily(range(60), 7))
def test_the_basis_implies_exactly_all_separations(seed):
    """The closure of the list is the set of all separations of the whole graph, found by walking paths."""
    model = algdim.model(random_network(seed, zeros=False, most=4 if seed % 4 else 5))
    graph = project_hidden_variables(model)
    found = find_independences(graph)
    names = graph.names_of
    separations = {
        (one, other, given)
        for one, other, given in all_statements(len(graph.names))
        if separated_by_paths(model, names(one), names(other), names(given))
    }

    assert found.is_complete
    assert separations == closure((x.one, x.other, x.given) for x in found.basis)


@pytest.mark.parametrize("seed", daily(range(60), 7))
def test_separation_in_the_projection_is_separation_in_the_graph(seed):
    """For all sets."""
    model = algdim.model(random_network(seed, zeros=False, most=4))
    graph = project_hidden_variables(model)
    for one, other, given in all_statements(len(graph.names)):
        paths = separated_by_paths(model, graph.names_of(one), graph.names_of(other), graph.names_of(given))

        assert paths == is_separated(graph, one, other, given)


@pytest.mark.parametrize("seed", daily(range(60), 7))
def test_pairs(seed):
    """A pair is listed exactly if some set separates it, with a set of which no member can be left out."""
    graph = project_hidden_variables(algdim.model(random_network(seed, zeros=False)))
    pairs = {(x.one, x.other): x.given for x in find_independences(graph).pairs}
    for v, w in combinations(range(len(graph.names)), 2):
        others = [u for u in range(len(graph.names)) if u not in (v, w)]
        sets = [sum(1 << u for u in some) for k in range(len(others) + 1) for some in combinations(others, k)]
        separating = [given for given in sets if is_separated(graph, 1 << v, 1 << w, given)]

        assert bool(separating) == ((1 << v, 1 << w) in pairs)
        if separating:
            given = pairs[1 << v, 1 << w]
            assert given in separating
            assert not any(given & 1 << u and given & ~(1 << u) in separating for u in others)


@pytest.mark.parametrize("seed", range(40))
def test_nothing_is_listed_twice(seed):
    """No statement implies another one, and none can be made larger."""
    graph = project_hidden_variables(algdim.model(random_network(seed, zeros=False)))
    basis = find_independences(graph).basis
    for one in basis:
        assert not any(other.implies(one) for other in basis if other != one)
        for vertex in range(len(graph.names)):
            bit = 1 << vertex
            if bit & (one.one | one.other):
                continue
            assert not is_separated(graph, one.one | bit, one.other, one.given & ~bit)
            assert not is_separated(graph, one.one, one.other | bit, one.given & ~bit)


def test_what_a_statement_implies():
    """Leaving out and conditioning, not more."""
    apart = MixedGraph(tuple("ABCDEF"), (0,) * 6, (0,) * 6)

    def stated(*sets):
        return make_independence(apart, *sets)

    large = stated(0b0011, 0b1100, 0b10000)

    assert large.implies(stated(0b0001, 0b0100, 0b11010))
    assert large.implies(stated(0b0100, 0b0001, 0b10000))
    assert not large.implies(stated(0b0001, 0b0100, 0))
    assert not large.implies(stated(0b0001, 0b0100, 0b110000))
    assert not large.implies(stated(0b0001, 0b0010, 0b10000))


def test_eight_causes():
    """Seven statements imply that eight causes are independent: 28 pairs, none of which is missing."""
    found = constraints(EIGHT)

    assert 7 == len(found.of_kind("independence"))
    assert 28 == len(found.rests[0].implied)
    assert all(not one.evidence["C"] for one in found.rests[0].implied)
    assert found.to_dict()["independences_complete"] is True
    assert 8 + 256 == found.complete - found.codimension


@in_turn(3)
def test_large_models_have_independences():
    """They need no table: a chain of sixty variables, and 2⁶⁰ cells."""
    with ended_after(600):
        found = constraints("; ".join(f"V{number} -> V{number + 1}" for number in range(59)))

    assert 58 == len(found.of_kind("independence"))
    assert 59 * 58 // 2 == len(found.rests[0].implied)
    assert {1} == {len(one.evidence["C"]) for one in found.rests[0].implied}


def test_beyond_the_limits_it_is_said(monkeypatch):
    """With more variables than are looked at, or more Markov blankets, the list is not called complete."""
    monkeypatch.setattr(module, "MOST_BLANKETS", 3)
    some = constraints(EIGHT)
    monkeypatch.setattr(module, "MOST_OBSERVED", 5)
    none = constraints(EIGHT)

    assert some.to_dict()["independences_complete"] is False
    assert 28 == len(some.rests[0].implied)
    assert any("the search ended after 3 Markov blankets" in note for note in some.notes)
    assert "follow" not in str(some)
    assert none.to_dict()["independences_complete"] is False
    assert () == none.constraints
    assert any("there are 9 observed variables, at most 5 are examined" in note for note in none.notes)


@pytest.mark.parametrize(
    "clause",
    ["max C", "fix P(C=0|A=0,B=0)=1, P(C=1|A=0,B=0)=0", "fix P(A=0)=1/2, P(A=1)=1/2", "equal a = P(A=0), P(B=0)"],
)
def test_functions_and_zeros_may_imply_more(clause):
    """The list then implies all that the graph implies; it is neither said that there are more nor that there are none."""
    found = constraints(f"A, B -> C; {clause}")

    assert found.to_dict()["independences_complete"] is None
    assert any("not looked for" in note for note in found.notes)
