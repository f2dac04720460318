"""Nested models: maps of parameters that are found, equations that fail, and nothing said where neither is."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from itertools import combinations, product

import brute
import networkx as nx
import pytest
import strategies
from hypothesis import HealthCheck, assume, given, settings
from suites.random_gaussians import gaussian_model

from algdim.errors import InputError
from algdim.explanation.comparing import EQUAL, NESTED, NOT_NESTED, UNDECIDED, compare
from algdim.models.gaussian import Gaussian, GaussianVariable
from algdim.models.network import Network, Variable
from algdim.models.tables import Table


def words(first, second):
    """Both verdicts."""
    found = compare(first, second)
    json.dumps(found.to_dict())
    return found.forward.word, found.backward.word


def larger_network(model, seed):
    """A network with further edges, hidden states and a further hidden variable, its variables in another order."""
    draw = random.Random(seed)
    arrows = [*model.edges, *((variable.name, "end") for variable in model.variables)]
    order = list(nx.topological_sort(nx.DiGraph(arrows)))[:-1]
    variables = []
    for variable in model.variables:
        earlier = order[: order.index(variable.name)]
        more = [name for name in earlier if name not in variable.parents and draw.random() < 0.3]
        variables.append(
            variable
            if variable.name in model.given or variable.local != Table()
            else replace(variable, parents=(*variable.parents, *more))
        )
    variables = [
        v if v.observed or v.local != Table() or is_used(v.name, variables) else replace(v, states=v.states + 1)
        for v in variables
    ]
    if draw.random() < 0.4:
        variables.append(Variable("new", 2, observed=False))
        variables = [
            replace(v, parents=(*v.parents, "new"))
            if v.name != "new" and v.local == Table() and v.name not in model.given and draw.random() < 0.4
            else v
            for v in variables
        ]
    draw.shuffle(variables)
    return Network(tuple(variables), model.given)


def is_used(name, variables):
    """Whether a table that is not free has this parent."""
    return any(name in variable.parents and variable.local != Table() for variable in variables)


@settings(max_examples=40, suppress_health_check=list(HealthCheck), deadline=None, derandomize=True)
@given(strategies.networks(max_variables=4, max_states=2, max_table=16))
def test_submodels_are_found(model):
    """What a network becomes by further edges, hidden states and hidden variables contains it, whatever else it has."""
    larger = larger_network(model, 1)
    assume(brute.joint_states(larger) <= 200)
    found = compare(model, larger)

    assert NESTED == found.forward.word
    assert found.freedom >= 0


@pytest.mark.parametrize("seed", range(40))
def test_gaussian_submodels_are_found(seed):
    """A Gaussian model with further edges, and with fixed and equal entries released, contains the first."""
    model = gaussian_model(seed, most=5, cycles=False)
    draw = random.Random(seed)
    names = [variable.name for variable in model.variables]
    taken = {*model.edges, *((b, a) for a, b in model.edges)}
    order = list(nx.topological_sort(nx.DiGraph([*model.edges, *((name, "end") for name in names)])))[:-1]
    more = [pair for pair in combinations(order, 2) if pair not in taken and draw.random() < 0.3]
    variables = [*model.variables, GaussianVariable("new", observed=False)]
    draw.shuffle(variables)
    larger = Gaussian(
        tuple(variables),
        (*model.edges, *more, ("new", names[0])),
        model.bidirected,
        model.means,
        model.fixed[1:],
        model.equal[1:],
    )

    assert NESTED == compare(model, larger).forward.word


@pytest.mark.parametrize("seed", range(24))
def test_one_factor_in_the_place_of_two(seed):
    """Two correlated factors, or one that depends on the other, contain their common factor, whatever fixes their units."""
    draw = random.Random(seed)
    items = [f"X{number}" for number in range(1, draw.randint(4, 6))]
    cut = draw.randint(1, len(items) - 1)
    joined = draw.choice(["F <-> G", "F -> G"])
    units = [f"b({factor}->{own[0]})={draw.randint(1, 3)}" for factor, own in (("F", items[:cut]), ("G", items[cut:]))]
    if joined == "F <-> G":
        units = [
            draw.choice([unit, f"v({factor})={draw.choice(['1', '4', '1/9'])}"])
            for factor, unit in zip("FG", units, strict=True)
        ]
    mine = draw.choice([f"fix b(A->{items[-1]})=2", "fix v(A)=1", f"equal w = v(A), v({items[0]})"])
    first = f"gaussian: A -> {', '.join(items)}; hidden A; {mine}"
    second = f"gaussian: F -> {', '.join(items[:cut])}; G -> {', '.join(items[cut:])}; {joined}; hidden F, G; fix {', '.join(units)}"

    assert NESTED == compare(first, second).forward.word


def graphs(count):
    """All directed acyclic graphs on so many vertices."""
    pairs = list(combinations("ABCD"[:count], 2))
    for kinds in product(range(3), repeat=len(pairs)):
        edges = [pair if kind == 1 else pair[::-1] for pair, kind in zip(pairs, kinds, strict=True) if kind]
        graph = nx.DiGraph(edges)
        graph.add_nodes_from("ABCD"[:count])
        if nx.is_directed_acyclic_graph(graph):
            yield graph


def network(graph):
    """The network of a graph of binary observed variables."""
    return Network(tuple(Variable(name, 2, parents=tuple(sorted(graph.predecessors(name)))) for name in sorted(graph)))


def separations(graph):
    """All single independences of a graph, by networkx."""
    names = sorted(graph)
    return {
        (one, other, given)
        for one, other in combinations(names, 2)
        for size in range(len(names) - 1)
        for given in combinations([name for name in names if name not in (one, other)], size)
        if nx.is_d_separator(graph, {one}, {other}, set(given))
    }


def linear(graph):
    """The linear model of a graph of observed variables."""
    return Gaussian(tuple(map(GaussianVariable, sorted(graph))), tuple(graph.edges))


def agree(made, pairs):
    """Assert that one is nested in the other exactly if it has all of the other's independences."""
    for one, other in pairs:
        expected = NESTED if separations(other) <= separations(one) else NOT_NESTED

        assert expected == compare(made(one), made(other)).forward.word


@pytest.mark.parametrize("made", [network, linear])
def test_some_graphs_of_three_variables(made):
    """Without hidden variables graphs decide; that something is not decided would be no error, but nothing is."""
    agree(made, random.Random(3).sample(list(product(graphs(3), repeat=2)), 100))


@pytest.mark.slow
@pytest.mark.parametrize("made", [network, linear])
def test_all_graphs_of_three_variables(made):
    """All 625 pairs."""
    agree(made, product(graphs(3), repeat=2))


@pytest.mark.parametrize("made", [network, linear])
def test_some_graphs_of_four_variables(made):
    """The same for a sample of pairs of four variables."""
    known = list(graphs(4))
    draw = random.Random(4)
    agree(made, [draw.sample(known, 2) for _ in range(40)])


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("2:2,2,2,2", "3:2,2,2,2", (NESTED, NOT_NESTED)),
        ("2:2,2,2,2", "2(2,2,2(2,2))", (NESTED, NOT_NESTED)),
        ("1:2,2,2", "2:2,2,2", (NESTED, NOT_NESTED)),
        ("H -> X1, X2, X3; hidden H; share s: X1, X2", "2:2,2,2", (NESTED, NOT_NESTED)),
        ("2:2,2,2", "G -> X1, X2, X3; hidden G", (NESTED, NESTED)),
        ("A -> B -> C", "C -> B -> A", (NESTED, NESTED)),
        ("A -> B <- C", "A -> B -> C", (NOT_NESTED, NOT_NESTED)),
        ("2:2^5", "X1 -> X2 -> X3 -> X4 -> X5", (NOT_NESTED, NOT_NESTED)),
        ("loglinear: {A,B}, {B,C}", "loglinear: {A,B,C}", (NESTED, NOT_NESTED)),
        ("max: {C1},{C2} -> E", "max: {C1},{C2} -> E", (NESTED, NESTED)),
        ("gaussian: A -> B -> C", "gaussian: A -> C -> B", (NOT_NESTED, NOT_NESTED)),
        ("gaussian: F -> A, B, C; hidden F", "gaussian: A -> B, C; B -> C", (NESTED, UNDECIDED)),
        ("gaussian: A -> B -> C; A <-> C", "gaussian: C -> B -> A; C -> A", (NESTED, UNDECIDED)),
        ("gaussian: A, B; means off", "gaussian: A -> B; means off", (NESTED, NOT_NESTED)),
        ("gaussian: F -> X1, X2, X3; hidden F; fix v(F)=1", "gaussian: F -> X1, X2, X3; hidden F", (NESTED, NESTED)),
        (
            "gaussian: F -> X1, X2, X3; hidden F; fix v(F)=4",
            "gaussian: G -> X1, X2, X3; hidden G; fix b(G->X1)=2",
            (NESTED, NESTED),
        ),
        (
            "gaussian: F -> X1, X2, X3; hidden F; fix v(F)=1; equal l = b(F->X1), b(F->X2)",
            "gaussian: G -> X1, X2, X3; hidden G; fix b(G->X1)=1, b(G->X2)=1",
            (NESTED, NESTED),
        ),
        (
            "gaussian: F -> X1, X2, X3, X4; hidden F; fix v(F)=1",
            "gaussian: F -> X1, X2; G -> X3, X4; F <-> G; hidden F, G; fix b(F->X1)=1, b(G->X3)=1",
            (NESTED, NOT_NESTED),
        ),
        (
            "gaussian: F -> X1, X2, X3, X4; hidden F; fix v(F)=1",
            "gaussian: F -> X1, X2; G -> X3, X4; F -> G; hidden F, G; fix v(F)=1, v(G)=1",
            (UNDECIDED, NOT_NESTED),
        ),
        (
            "gaussian: F -> X1, X2, X3, X4; hidden F; fix b(F->X1)=1",
            "gaussian: F -> X1, X2; G -> X3, X4; F -> G; hidden F, G; fix b(F->X1)=1, b(G->X3)=1",
            (NESTED, NOT_NESTED),
        ),
        ("gaussian: A; fix m(A)=0", "gaussian: A", (NESTED, NOT_NESTED)),
        ("gaussian: A", "gaussian: A; fix m(A)=0", (NOT_NESTED, NESTED)),
        ("A -> B; fix P(B=0|A=0)=1, P(B=1|A=0)=0, P(B=0|A=1)=1, P(B=1|A=1)=0", "B -> A", (NESTED, NOT_NESTED)),
        ("3:2,2,2", "A,B,C; states A=2", None),
    ],
)
def test_known_pairs(first, second, expected):
    """Pairs whose relation is known; a change of units is not found, and nothing wrong is said."""
    if expected is None:
        with pytest.raises(InputError):
            compare(first, second)
    else:
        assert expected == words(first, second)


def test_a_model_is_equal_to_itself_whatever_comes_first():
    """A hidden variable before the observed ones, and a local of which no map of parameters is looked for."""
    text = "A, B -> C; hidden A; classifier C {A -> C; states C=3, B=2}"

    assert (NESTED, NESTED) == words(text, text)
    assert (NESTED, NESTED) == words("A -> B; A -> C; hidden A", "A -> C; A -> B; hidden A")


def test_the_test_and_its_warning():
    """Three classes against two: the dimensions differ by 4, the parameters by 5, and the two lie in the singular part."""
    found = compare("2:2,2,2,2", "3:2,2,2,2")

    assert (4, 5) == (found.freedom, found.counted_freedom)
    assert (9, 13) == (found.singular.rank, found.singular.dimension)
    assert "need not have a χ² distribution" in str(found)
    assert compare("H -> X1, X2, X3; hidden H; share s: X1, X2", "2:2,2,2").singular is None
    assert compare("A -> B -> C", "C -> B -> A").relation == EQUAL


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        ("A -> B", "A -> C", "observes A .2., B .2., the second A .2., C"),
        ("A -> B", "A -> B; states B=3", "B .3."),
        ("A -> B", "gaussian: A -> B", "families discrete and gaussian"),
        ("A -> B", "A -> B; given A", "given are none and A"),
        ("loglinear: {A,B}", "loglinear: {A,C}", "different coordinates"),
        ("gaussian: A -> B", "gaussian: A -> B; means off", "only the first model has means"),
        ("gaussian: A, B; means off", "gaussian: A -> B", "only the second model has means"),
    ],
)
def test_models_that_cannot_be_compared(first, second, message):
    """The message says what differs."""
    with pytest.raises(InputError, match=message):
        compare(first, second)


def test_an_equation_of_one_state_names_it():
    """Where the hidden variable is fixed for one state of the condition, only there the rank is 1."""
    rows = "fix P(H=0|A=0)=0, P(H=1|A=0)=1"
    found = compare("A -> B -> C; states B=3", f"A -> H; A, H -> B, C; hidden H; states B=3; {rows}")

    assert "rank P(B; C | A=0) ≤ 1 (it is 2)" in found.forward.reason
