"""Nested models: maps of parameters that are found, equations that fail, and nothing said where neither is."""

from __future__ import annotations

import json
import os
import random
import shlex
import subprocess
import sys
from dataclasses import replace
from itertools import combinations, product
from pathlib import Path

import brute
import networkx as nx
import numpy as np
import pytest
import strategies
from amount import daily, in_turn, some
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from packages import ROOT
from suites.random_gaussians import gaussian_model

import algdim
from algdim import InputError, compare, dimension
from algdim.cli import main
from algdim.explanation.comparing import EQUAL, NESTED, NOT_NESTED, UNDECIDED
from algdim.explanation.evidence import find_refutation
from algdim.explanation.likelihoodratio import compute_trust
from algdim.explanation.nesting import match_coordinates
from algdim.families import FOLDERS, load_comparing
from algdim.families.discrete.locals.table import Table
from algdim.families.discrete.model import Network, Variable
from algdim.families.gaussian.model import Gaussian, GaussianVariable
from algdim.maps import map_of


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


@settings(max_examples=some(40), suppress_health_check=list(HealthCheck), derandomize=True)
@given(strategies.networks(max_variables=4, max_states=2, max_table=16))
def test_submodels_are_found(model):
    """What a network becomes by further edges, hidden states and hidden variables contains it, whatever else it has."""
    larger = larger_network(model, 1)
    assume(brute.joint_states(larger) <= 200)
    found = compare(model, larger)

    assert NESTED == found.forward.word
    assert found.freedom >= 0


@pytest.mark.parametrize("seed", daily(range(40), 5))
def test_gaussian_submodels_are_found(seed):
    """A Gaussian model with further edges, and with fixed and equal entries released, contains the first."""
    model = replace(gaussian_model(seed, most=5, cycles=False), linear=())  # nestings of sums are not decided
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


@pytest.mark.parametrize("seed", daily(range(24), 3))
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
    """All directed acyclic graphs on this many vertices."""
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


@pytest.mark.drawn
@pytest.mark.parametrize("made", [network, linear])
def test_some_graphs_of_three_variables(made):
    """Without hidden variables graphs decide; that something is not decided would be no error, but nothing is."""
    agree(made, random.Random(3).sample(list(product(graphs(3), repeat=2)), some(100)))


@pytest.mark.slow
@pytest.mark.parametrize("made", [network, linear])
def test_all_graphs_of_three_variables(made):
    """All 625 pairs."""
    agree(made, product(graphs(3), repeat=2))


@pytest.mark.parametrize("made", daily([network, linear], 1))
def test_some_graphs_of_four_variables(made):
    """The same for a sample of pairs of four variables."""
    known = list(graphs(4))
    draw = random.Random(4)
    agree(made, [draw.sample(known, 2) for _ in range(40)])


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    daily(
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
            (
                "gaussian: F -> X1, X2, X3; hidden F; fix v(F)=1",
                "gaussian: F -> X1, X2, X3; hidden F",
                (NESTED, NESTED),
            ),
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
        12,
    ),
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
        ("loglinear: {A,B}", "loglinear: {A,C}", "observes A .2., B .2., the second A .2., C"),
        ("A -> B", "polynomial: parameters a; coordinates a", "families discrete and polynomial"),
        ("gaussian: X", "latent-profile: H -> X; hidden H", "if it has one class"),
        (
            "polynomial: parameters a; coordinates u = a",
            "polynomial: parameters a; coordinates v = a",
            "coordinates u, the second v",
        ),
        ("classifier Y: Y -> X", "Y -> X", "given are X and none"),
        ("gaussian: A -> B", "gaussian: A -> B; means off", "only the first model has means"),
        ("gaussian: A, B; means off", "gaussian: A -> B", "only the second model has means"),
    ],
)
def test_models_that_cannot_be_compared(first, second, message):
    """The message says what differs."""
    with pytest.raises(InputError, match=message):
        compare(first, second)


OF_EACH_KIND = {
    "discrete": "X -> Y",
    "loglinear": "loglinear: {X,Y}",
    "classifier": "classifier Y: Y -> X",
    "gaussian": "gaussian: X -> Y",
    "latent-profile": "latent-profile: H -> X, Y; hidden H",
    "latent-profile of one class": "latent-profile: H -> X, Y; hidden H; states H=1",
    "conditional-gaussian": "conditional-gaussian: X -> Y",
    "poisson": "poisson: {X} -> Y",
    "normal": "normal: {X} -> Y",
    "max-poisson": "max-poisson: {X} -> Y",
    "max-normal": "max-normal: {X} -> Y",
    "at-least-poisson": "at-least-poisson 2: {X},{X} -> Y",
    "at-least-normal": "at-least-normal 2: {X},{X} -> Y",
    "polynomial": "polynomial: parameters a, b; coordinates X = a, Y = b",
}
"""Models of X and Y."""

WITH_OTHERS = {
    ("discrete", "loglinear"),
    ("discrete", "classifier"),
    ("gaussian", "latent-profile of one class"),
    ("latent-profile", "latent-profile of one class"),
}
"""The pairs of them that have coordinates in common."""


def test_each_family_is_among_them():
    """And none that there is not."""
    assert set(FOLDERS) == {algdim.model(text).family for text in OF_EACH_KIND.values()}


@pytest.mark.parametrize("first", OF_EACH_KIND)
@pytest.mark.parametrize("second", OF_EACH_KIND)
def test_families_have_coordinates_in_common(first, second):
    """A table, a conditional table, covariances or moments; sums of different variables and formulas stand alone."""
    models = [algdim.model(OF_EACH_KIND[name]) for name in (first, second)]
    told = ""
    try:
        match_coordinates(*models)
    except InputError as error:
        told = str(error)

    assert ("have no coordinates in common" in told) == (
        first != second and not {(first, second), (second, first)} & WITH_OTHERS
    )


def test_who_has_tables_tells_of_them():
    """Families with cells of tables as coordinates need this of each other; no other family has it."""
    models = [algdim.model(text) for text in OF_EACH_KIND.values()]
    have = {one.family for one in models if load_comparing(one.family).in_table is not None}

    assert have == {one.family for one in models if "table" in load_comparing(one.family).list_coordinates(one)}


def test_an_equation_of_one_state_names_it():
    """Where the hidden variable is fixed for one state of the condition, only there the rank is 1."""
    rows = "fix P(H=0|A=0)=0, P(H=1|A=0)=1"
    found = compare("A -> B -> C; states B=3", f"A -> H; A, H -> B, C; hidden H; states B=3; {rows}")

    assert "rank P(B; C | A=0) ≤ 1 (it is 2)" in found.forward.reason


MIXED = [
    ("loglinear: {A,B}, {B,C}", "A -> B -> C", (NESTED, NESTED)),
    ("loglinear: {A,B}, {B,C}", "A -> B <- C", (NOT_NESTED, NOT_NESTED)),
    ("loglinear: {A,B}, {B,C}, {A,C}", "A -> B -> C; A -> C", (NESTED, NOT_NESTED)),
    ("loglinear: {A,B}, {B,C}, {C,D}, {D,A}", "A -> B -> C -> D; A -> D; A -> C", (NESTED, NOT_NESTED)),
    ("loglinear: {A,B}, {B,C}, {C,D}, {D,A}", "A -> B -> C -> D; A -> D", (NOT_NESTED, NOT_NESTED)),
    ("loglinear: {A,B}; hierarchical off", "loglinear: {A},{B}", (NOT_NESTED, NOT_NESTED)),
    ("loglinear: {X1,H}, {X2,H}, {X3,H}; hidden H", "2:2,2,2", (NESTED, NESTED)),
    ("loglinear: {X1,H}, {X2,H}, {X3,H}, {X4,H}; hidden H", "3:2,2,2,2", (NESTED, NOT_NESTED)),
    ("2:2,2,2,2", "loglinear: {X1,H}, {X2,H}, {X3,H}, {X4,H}; hidden H; states H=3", (NESTED, NOT_NESTED)),
    ("sigmoid: A, B -> C", "A, B -> C", (NESTED, NOT_NESTED)),
    ("sigmoid: A -> B -> C", "C -> B -> A", (NESTED, NESTED)),
    ("sigmoid: A, B -> C", "loglinear: {A,B,C}", (NESTED, NOT_NESTED)),
    ("sigmoid: A -> C; states B=2", "sigmoid: A, B -> C", (NESTED, NOT_NESTED)),
    ("classifier Y: Y -> X1, X2", "X1, X2 -> Y; given X1, X2", (NESTED, NOT_NESTED)),
    ("classifier Y: Y -> X1, X2", "X1, X2 -> Y; sigmoid Y; given X1, X2", (NESTED, NESTED)),
    (
        "classifier Y: Y -> X1, X2; states X2=3",
        "X1, X2 -> Y; sigmoid Y; given X1, X2; states X2=3",
        (NOT_NESTED, NESTED),
    ),
    ("classifier Y: Y -> X1, X2", "classifier Y: Y -> X1 -> X2; Y -> X2", (NESTED, NOT_NESTED)),
    ("gaussian: A -> B <- C", "gaussian: A <-> B <-> C", (NESTED, NESTED)),
    ("gaussian: A -> B", "latent-profile: H -> A, B; hidden H; states H=1; covariances full", (NESTED, NESTED)),
    (
        "latent-profile: H -> A, B; hidden H",
        "latent-profile: G -> B, A; hidden G; states G=3; covariances full",
        (NESTED, NOT_NESTED),
    ),
    (
        "latent-profile: H -> C, A, X, B, D; hidden H; states H=2, C=3, D=2; covariances full, equal",
        "latent-profile: G -> B, D, X, C, A; hidden G; states G=3, C=3, D=2; covariances full",
        (NESTED, NOT_NESTED),
    ),
    (
        "latent-profile: H -> A, B, X; hidden H; states H=3; covariances full",
        "latent-profile: G -> X, B, A; hidden G; states G=3; covariances full",
        (NESTED, NESTED),
    ),
    ("poisson: {A},{B} -> E", "poisson: {A,B} -> E", (NESTED, NOT_NESTED)),
    ("poisson: {A},{B} -> E", "poisson: {},{B},{A} -> E", (NESTED, NESTED)),
    ("noisy-or: {A},{B} -> E", "noisy-or: {A},{B} -> E; leak", (NESTED, NOT_NESTED)),
    ("A, B, D -> C; max C", "B, D, A -> C; max C", (NESTED, NESTED)),
    ("A, B, D -> C; max C", "A, B, D -> C", (NESTED, NOT_NESTED)),
    ("A, B, D -> C; parity C", "A, B, D -> C; sigmoid C", (NOT_NESTED, NOT_NESTED)),
    ("max: {A},{B} -> E", "A, B -> E", (NESTED, NOT_NESTED)),
    ("A -> B; fix P(B=0|A=0)=1, P(B=1|A=0)=0", "A -> B; fix P(B=0|A=1)=1, P(B=1|A=1)=0", (NOT_NESTED, NOT_NESTED)),
    ("A -> B; equal x = P(A=0), P(B=0|A=0)", "A -> B; equal x = P(A=0), P(B=0|A=1)", (NOT_NESTED, NOT_NESTED)),
    (
        "polynomial: parameters a, b; coordinates a*b, b, a",
        "polynomial: parameters a, b; coordinates a, b, a",
        (NOT_NESTED, NOT_NESTED),
    ),
    # a hidden variable without observed descendants ties the names of two others: a + b = 1
    (
        "A -> H; states B=2; hidden H; equal a = P(A=0), P(H=0|A=0), P(H=0|A=1); equal b = P(B=0), P(H=1|A=0), P(H=1|A=1)",
        "states A=2, B=2; equal a = P(A=0); equal b = P(B=0)",
        (NESTED, NOT_NESTED),
    ),
    (
        "A -> H; states B=2; hidden H; equal a = P(A=0), P(H=0|A=0), P(H=0|A=1); equal b = P(B=0), P(H=1|A=0), P(H=1|A=1)",
        "states A=2, B=2; equal a = P(A=0), P(B=0)",
        (NOT_NESTED, NOT_NESTED),
    ),
]


@pytest.mark.parametrize(("first", "second", "expected"), daily(MIXED, 12))
def test_models_of_several_families(first, second, expected):
    """Families that describe the same table, conditional table, covariances; functions of three parents, leaks."""
    assert expected == words(first, second)
    assert tuple(reversed(expected)) == words(second, first)


def test_the_five_models_are_nested():
    """MH97 §5: what acts through one mechanism or two acts through the larger ones of the next model."""
    names = [f"mh97-f{number}" for number in range(1, 6)]
    for smaller, larger in combinations(names, 2):
        assert (NESTED, NOT_NESTED) == words(smaller, larger)


def test_every_verdict_says_what_it_rests_on():
    """A decided verdict has a lemma and facts, one that is not has nothing; JSON has the same."""
    found = compare("A -> B <- C", "A -> B -> C")
    for verdict in (found.forward, found.backward):
        assert verdict.trust.is_proved
        assert "refutation" in verdict.to_dict()["lemmas"]
    open_one = compare("gaussian: F -> A, B, C; hidden F", "gaussian: A -> B, C; B -> C").backward

    assert UNDECIDED == open_one.word
    assert (None, [], None) == tuple(open_one.to_dict()[key] for key in ("status", "lemmas", "facts"))
    assert "both dimensions are 9, so both satisfy the same equations" in open_one.reason


VERMA = "gaussian: A -> B -> C -> D; U -> B, D; hidden U; means off"
TWO_FACTORS = "gaussian: F, G -> A, B, C, D, E; hidden F, G; means off"


@pytest.mark.parametrize(
    ("first", "second", "equation", "lemmas"),
    daily(
        [
            ("A -> B -> C; A -> C", "A -> B -> C", "A ⊥ C | B", ("matrices of bounded rank",)),
            ("4:2,2,2,2", "2:2,2,2,2", "rank P(", ("matrices of bounded rank",)),
            ("loglinear: {A,B,C}", "loglinear: {A,B}, {B,C}", "A ⊥ C | B", ("matrices of bounded rank", "Markov maps")),
            ("loglinear: {A,B,C}", "loglinear: {A,B}, {B,C}, {A,C}", "no interaction of", ("Markov maps",)),
            ("A, B -> C", "A, B -> C; max C", "P(", ("districts",)),
            ("gaussian: A -> B; means off", "gaussian: A, B; means off", "cov(A,B) = 0", ("treks",)),
            ("gaussian: A -> B", "gaussian: A -> B; fix m(A)=0", "mean(A) = 0", ("treks",)),
            (VERMA.replace("; U", "; A -> D; U"), VERMA, "β(D,A|B,C)", ("linear kernels",)),
            (TWO_FACTORS.replace("F, G", "F, G, H"), TWO_FACTORS, "cov(A,B) cov(A,C)", ("pentads",)),
            (
                "polynomial: parameters x, y; coordinates x, y",
                "polynomial: parameters x; coordinates x, x",
                " = ",
                ("instances",),
            ),
        ],
        4,
    ),
)
def test_what_fails_is_proved_to_hold_on_the_other_model(first, second, equation, lemmas):
    """A refutation rests on its own lemma, and on those that prove the equation: from the search that found it."""
    one, other = match_coordinates(algdim.model(first), algdim.model(second))
    found = find_refutation(map_of(one), map_of(other), 0)

    assert equation in found.equation
    assert ("refutation", *lemmas) == found.trust.lemmas
    assert f'{found.equation} fails at the point drawn from "algdim 1|0|point|compare|' in found.trust.facts
    assert find_refutation(map_of(other), map_of(other), 0) is None


RANDOM_INTERCEPT = "gaussian: H -> X, Y; hidden H; means off; fix b(H->X)=1, b(H->Y)=1"


def test_a_variance_at_its_end_has_a_mixture():
    """A random intercept that is not there: half of the samples have the statistic 0. By simulation in closed form as well."""
    found = compare("gaussian: X, Y; means off", RANDOM_INTERCEPT).ratio
    draw = np.random.default_rng(1)
    sample = draw.standard_normal((4000, 200, 2))
    moments = np.einsum("sni,snj->sij", sample, sample) / 200
    correlation = moments[:, 0, 1] / np.sqrt(moments[:, 0, 0] * moments[:, 1, 1])
    # with v(H) ≥ 0 a negative covariance gives v(H) = 0; a positive one this small is attained
    statistic = np.where(correlation > 0, -200 * np.log1p(-(correlation**2)), 0)

    assert found.reference[0].startswith("½χ²(0) + ½χ²(1), with v(H) ≥ 0")
    assert "one variance at its end" in found.reference[1].lemmas
    assert 0.5 == pytest.approx((statistic == 0).mean(), abs=0.03)
    assert 0.025 == pytest.approx((statistic > 3.841).mean(), abs=0.008)
    assert 0.05 == pytest.approx((statistic > 2.706).mean(), abs=0.011)


def test_a_mixture_of_more_degrees_of_freedom():
    """Both variances equal besides: ½χ²(1) + ½χ²(2), whose mean is 3/2."""
    found = compare("gaussian: X, Y; means off; equal v = v(X), v(Y)", RANDOM_INTERCEPT).ratio
    sample = np.random.default_rng(2).standard_normal((4000, 200, 2))
    moments = np.einsum("sni,snj->sij", sample, sample) / 200
    one, other, both = moments[:, 0, 0], moments[:, 1, 1], np.maximum(moments[:, 0, 1], 0)
    statistic = 200 * (2 * np.log((one + other) / 2) - np.log(one * other - both**2))

    assert found.reference[0].startswith("½χ²(1) + ½χ²(2)")
    assert 1.5 == pytest.approx(statistic.mean(), abs=0.1)
    # (P(χ²(1) > 5.991) + P(χ²(2) > 5.991)) / 2
    assert 0.0322 == pytest.approx((statistic > 5.991).mean(), abs=0.009)


TWO_INTERCEPTS = (
    "gaussian: H -> X1, X2; G -> X3, X4; hidden H, G; means off; fix b(H->X1)=1, b(H->X2)=1, b(G->X3)=1, b(G->X4)=1; "
    "equal e = v(X1), v(X2), v(X3), v(X4)"
)


@pytest.mark.parametrize("name", ["s", "v1", "b", "m"])
def test_a_variance_that_two_have_is_seen_whatever_it_is_called(name):
    """Two random intercepts with one variance: a name that the user chooses decides nothing. By simulation as well."""
    first = "gaussian: X1, X2, X3, X4; means off; equal e = v(X1), v(X2), v(X3), v(X4)"
    found = compare(first, f"{TWO_INTERCEPTS}; equal {name} = v(H), v(G)").ratio
    sample = np.random.default_rng(3).standard_normal((4000, 200, 2, 2))
    sums, differences = (((sample[..., 0] + sign * sample[..., 1]) ** 2).mean(axis=(1, 2)) / 2 for sign in (1, -1))
    pooled = 2 * np.log((sums + differences) / 2) - np.log(sums) - np.log(differences)
    statistic = np.where(sums > differences, 400 * pooled, 0)

    assert (f"{name} is 0",) == found.boundary
    assert found.reference[0].startswith(f"½χ²(0) + ½χ²(1), with {name} ≥ 0")
    assert 0.5 == pytest.approx((statistic == 0).mean(), abs=0.03)
    assert 0.05 == pytest.approx((statistic > 2.706).mean(), abs=0.011)


def test_a_coefficient_has_no_end_whatever_it_is_called():
    """A variance is 0 and so are two equal coefficients that are called v: the variance is at its end."""
    second = (
        "gaussian: H -> X1, X2; G -> X3, X4; hidden H, G; means off; fix v(H)=1, b(G->X3)=1, b(G->X4)=1; "
        "equal v = b(H->X1), b(H->X2)"
    )

    assert ("v(G) is 0",) == compare("gaussian: X1, X2, X3, X4; means off", second).ratio.boundary


@pytest.mark.parametrize(
    ("first", "second", "boundary", "known"),
    [
        ("gaussian: X, Y; means off", RANDOM_INTERCEPT, True, True),
        ("gaussian: X, Y; means off", "gaussian: X -> Y; means off", False, False),
        (
            "gaussian: X, Y",
            RANDOM_INTERCEPT.replace("means off; ", "").replace("b(H->Y)=1", "b(H->Y)=1, m(H)=0"),
            True,
            True,
        ),
        ("gaussian: X, Y; means off; equal v = v(X), v(Y)", RANDOM_INTERCEPT, True, True),
        # the coefficients are free, or two variances are 0
        ("gaussian: X, Y, Z; means off", "gaussian: H -> X, Y, Z; hidden H; means off; fix b(H->X)=1", True, False),
        (
            "gaussian: X, Y, Z; means off",
            "gaussian: H -> X, Y; G -> Y, Z; hidden H, G; means off; fix b(H->X)=1, b(H->Y)=1, b(G->Y)=1, b(G->Z)=1",
            True,
            False,
        ),
        ("A, B", "A -> B", False, False),
        ("2:2,2,2,2", "3:2,2,2,2", True, False),
        ("max: {A},{B} -> E", "A, B -> E", False, False),
    ],
)
def test_the_boundary_is_warned_of(first, second, boundary, known):
    """Where the smaller model lies at an end of the larger one's parameters; and what is known is said of few pairs."""
    first = "states A=2, B=2" if first == "A, B" else first
    ratio = compare(first, second).ratio

    assert boundary == bool(ratio.boundary)
    assert known == (ratio.reference is not None)
    assert (boundary and not known) == bool(ratio.to_dict()["simulate"])


def test_impossible_cells_are_warned_of():
    """A count that is 0 always: the statistic is 0 always."""
    found = compare("A -> B; fix P(B=1|A=0)=0, P(B=0|A=0)=1", "A -> B")

    assert 1 == found.ratio.impossible
    assert "a cell is impossible in the smaller model" in str(found)
    assert "difference of dimensions: 1 (proved); counting parameters gives 1" in str(found)


@in_turn(2)
def test_the_commands_that_simulate_run(tmp_path, monkeypatch, capsys):
    """As they are printed, one after the other, with data of the smaller model."""
    found = compare("A -> B; fix P(B=1|A=0)=0, P(B=0|A=0)=1", "A -> B")
    lines = [line.strip() for line in found.ratio.commands if line.startswith("  algdim")]
    (tmp_path / "data.csv").write_text("A,B\n0,0\n1,0\n1,1\n0,0\n1,1\n", encoding="utf-8")

    assert 4 == len(lines)
    first, *others = lines
    command = first.replace("algdim", f"{shlex.quote(sys.executable)} -m algdim", 1)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    assert 0 == subprocess.run(command, shell=True, cwd=tmp_path, env=environment, check=False).returncode
    monkeypatch.chdir(tmp_path)
    for line in others:
        words = shlex.split(line)[1:]
        if ">" in words:  # as the shell does
            *words, _, file = words
            assert 0 == main(words)
            Path(file).write_text(capsys.readouterr().out, encoding="utf-8")
        else:
            assert 0 == main(words)


BOUND = "gaussian: X <-> Y; X <-> H; hidden H; means off; equal s = c(X<->Y), c(X<->H); fix v(H)=1"


@pytest.mark.parametrize(
    ("free", "bound"),
    [
        # errors with cov(X,H) = cov(X,Y) and var(H) = 1 need cov(X,Y)² < var(X)
        ("gaussian: X <-> Y; means off", BOUND),
        # cov(X,H) = 2 and var(H) = 1 need var(X) > 4
        ("gaussian: X, Y; means off", "gaussian: X, Y; X <-> H; hidden H; means off; fix v(H)=1, c(X<->H)=2"),
    ],
)
def test_what_nothing_observed_depends_on_can_bound_the_rest(free, bound):
    """A latent variable without observed descendants keeps variances from some values: the free model is not proved to be nested."""
    found = compare(free, bound)

    assert UNDECIDED == found.forward.word
    assert NESTED == found.backward.word
    assert ["renaming"] == list(compare(bound, bound).forward.trust.lemmas)
    assert EQUAL == compare(bound, bound.replace("H", "G")).relation


def test_what_nothing_observed_depends_on_is_left_out_of_both():
    """Free numbers of such a variable bound nothing."""
    found = compare("gaussian: X <-> Y; X <-> H; X -> H; hidden H; means off", "gaussian: X <-> Y; means off")

    assert EQUAL == found.relation
    assert "irrelevant latent variables" in found.forward.trust.lemmas


def test_bounds_of_a_dimension_are_no_bounds_of_the_difference():
    """The smaller model has dimension 4 or 5, the larger one 6 or 7: the difference is 1 to 3."""
    small, large = dimension("A -> B; B -> C"), dimension("A -> B")
    small = replace(small, lower=replace(small.lower, value=4))
    large = replace(large, lower=replace(large.lower, value=6), upper=replace(large.upper, value=7))
    assert "between 4 and 5" == str(small.trust)

    assert "between 1 and 3" == str(compute_trust(small, large))
    assert "between 0 and 2" == str(compute_trust(large, replace(large, upper=replace(large.upper, value=8))))


def test_negative_numbers_have_a_minus_sign():
    """As `identify` prints them."""
    text = str(compare("gaussian: X -> Y <- H -> X; hidden H", "gaussian: X <-> Y"))

    assert "counting parameters gives −4" in text


@pytest.mark.parametrize(
    ("first", "second", "relation"),
    [
        ("X -> Y <- Z; X <-> Z", "X -> Y <- Z -> X", EQUAL),
        ("X -> Y <- Z; X <-> Z; means off", "X -> Y <- Z <- X; means off", EQUAL),
        ("A -> D <- B; C -> D; A <-> B; B <-> C; A <-> C", "A -> B -> C -> D; A -> C; A -> D; B -> D", EQUAL),
        ("A -> D; C -> D; A <-> B", "A -> B; A -> D <- C", EQUAL),
        # the larger one leaves A and C uncorrelated, the other does not; and the edge into A makes its error another one
        ("A -> D; B -> D; A <-> B; B <-> C", "A -> B -> C; A -> D <- B", "neither is nested in the other"),
        ("Z -> X; X <-> Y; Z -> Y", "Z -> X -> Y; Z -> Y", None),
    ],
)
def test_correlated_errors_of_variables_without_parents(first, second, relation):
    """Their covariances are free, as regressions are: the same distributions, where the others are uncorrelated as they ought to be."""
    found = compare(f"gaussian: {first}", f"gaussian: {second}")

    assert relation in (None, found.relation)
    assert "only inequalities" not in str(found)


@settings(max_examples=some(40))
@given(st.integers(0, 2**32))
def test_no_map_into_correlated_errors_is_wrong(number):
    """A map is checked at a point: none that is found changes the distribution, and nested dimensions are no greater."""
    draw = random.Random(number)
    names = ["A", "B", "C", "D"]

    def graph():
        later = [pair for pair in combinations(names, 2) if draw.random() < 0.5]
        children = {child for _, child in later}
        first = [name for name in names if name not in children]
        arcs = [pair for pair in combinations(first, 2) if draw.random() < 0.6]
        edges = [f"{a} -> {b}" for a, b in later] + [f"{a} <-> {b}" for a, b in arcs]
        return f"gaussian: {', '.join(names)}; {'; '.join(edges)}".rstrip("; ")

    first, second = graph(), graph()
    found = compare(first, second)
    assume(found.smaller_and_larger is not None)

    assert found.freedom >= 0
    assert found.freedom == abs(found.first.dimension - found.second.dimension)
    assert EQUAL == compare(first, first).relation


def test_the_reference_distribution_needs_fixed_coefficients_and_the_output_says_so():
    """With all of them fixed, and where one is free."""
    free = "gaussian: H -> X, Y, Z; hidden H; means off; fix b(H->X)=1"
    known, unknown = (
        compare("gaussian: X, Y; means off", RANDOM_INTERCEPT),
        compare("gaussian: X, Y, Z; means off", free),
    )

    assert "all coefficients of the larger one being fixed" in str(known)
    assert "no reference distribution is known here" not in str(known)
    assert "no reference distribution is known here" in str(unknown)


@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        ("parameters a; coordinates a^2, a^3", "parameters a, b; coordinates a, b", ("nested", "not nested")),
        ("parameters a; coordinates a, 1/(a + 1)", "parameters c, b, a; coordinates b, a", ("nested", "not nested")),
        ("parameters a, b; coordinates b, a", "parameters a, b; coordinates a + b, a - b", ("not decided", "nested")),
        ("parameters a; coordinates a^2, a^3", "parameters a, b; coordinates a, a", ("not nested", "not nested")),
    ],
)
def test_coordinates_that_are_different_parameters_are_free(first, second, words):
    """Every map with these coordinates is nested; where one parameter occurs twice it is not."""
    found = compare(f"polynomial: {first}", f"polynomial: {second}")
    verdicts = (found.forward, found.backward)

    assert words == tuple(verdict.word for verdict in verdicts)
    for verdict in verdicts:
        if verdict.word == "nested":
            assert ("free coordinates",) == verdict.trust.lemmas
            assert verdict.checked.startswith("compared at a random point")


@pytest.mark.parametrize(
    ("first", "second", "line", "lemmas"),
    [
        ("sigmoid: A, B -> X", "A, B -> X", "X has the same table, whose rows are 1/(1 + z), z/(1 + z)", {"sigmoid"}),
        ("A, B -> X; max X", "A, B -> X", "X has the same table, with 1 at the value of the function", set()),
        ("A -> X; states B=2", "A, B -> X", "X has the same table, whatever B is", set()),
        ("classifier X: X -> A", "A -> X; given A", "X has the same table, whose rows are products", {"classifier"}),
        (
            "A, B -> X; classifier X {X -> A, B}",
            "A, B -> X",
            "X has the same table, whose rows are products",
            {"classifier"},
        ),
        (
            "A, B -> X; classifier X {X -> A, B}",
            "sigmoid: A, B -> X",
            "X has the same table, whose log-odds are linear in the states of its parents, whose rows are products",
            {"classifier"},
        ),
    ],
)
def test_a_map_says_what_becomes_of_weights_and_functions(first, second, line, lemmas):
    """Weights, and the entries of a classifier, are no entries of a table, so that not all numbers stay."""
    verdict = compare(first, second).forward

    assert (NESTED, True) == (verdict.word, verdict.trust.is_proved)
    assert lemmas <= set(verdict.trust.lemmas)
    assert any(one.startswith(line) for one in verdict.lines)
    assert "all numbers stay" not in verdict.lines
    assert "X" in verdict.trust.facts


@pytest.mark.parametrize("name", ["G", "of"])
def test_what_is_summed_out_is_named_whatever_it_is_called(name):
    """Beside parents that are put together, also a variable that is called like a word of the sentence about these."""
    first = f"A -> H1; B -> {name} -> H2; H1, H2 -> E; hidden H1, H2, {name}; max E"
    text = str(compare(first, "A, B -> K -> E; hidden K; max E"))

    assert "K has the distribution of the max of H1, H2" in text
    assert f"{name} is summed out" in text
