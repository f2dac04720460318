"""Mechanisms in records and model files: what is expanded, recognised, refused; and what they can do together."""

from __future__ import annotations

import random
from fractions import Fraction
from math import inf

import brute
import networkx as nx
import pytest
from amount import daily

import algdim
from algdim import InputError
from algdim.families.discrete.bounds.mechanisms import (
    add_forms,
    add_states_up_to,
    bound_by_mechanisms,
    iterate_product_effects,
    scale_form,
)
from algdim.families.discrete.map import get_param_map
from algdim.families.discrete.mechanisms import find_effects, find_noisy_or
from algdim.models.anymodel import convert_model_to_dictionary, read_model_dictionary
from algdim.readers.graphs import read_directed_graph
from algdim.readers.parameters import read_parameters


def with_local(local, states=2):
    """Two causes and an effect with this local."""
    return {
        "variables": [{"name": "A"}, {"name": "B"}, {"name": "E", "states": states}],
        "edges": [["A", "E"], ["B", "E"]],
        "local": {"E": local},
    }


@pytest.mark.parametrize(
    ("local", "states", "text"),
    [
        ({"type": "noisy-or"}, 2, "noisy-or: {A},{B} -> E"),
        ({"type": "noisy-or", "leak": False}, 2, "noisy-or: {A},{B} -> E"),
        ({"type": "noisy-or", "leak": True}, 2, "noisy-or: {A},{B},{} -> E"),
        ({"type": "noisy-max"}, 3, "noisy-max: {A},{B} -> E; states E=3"),
        ({"type": "noisy-max", "mechanisms": [["A", "B"], ["B"]]}, 3, "noisy-max: {A,B},{B} -> E; states E=3"),
    ],
)
def test_model_files(local, states, text):
    """A noisy-or or noisy-max of a model file is the model of the notation, and is written as what it is made of."""
    model = read_model_dictionary(with_local(local, states))

    assert algdim.model(text) == model
    assert model == read_model_dictionary(convert_model_to_dictionary(model))


def test_graphs():
    """A node of a graph may be a noisy-or; the mechanisms are put in its place."""
    graph = nx.DiGraph([("A", "E"), ("B", "E")])
    graph.nodes["E"]["local"] = {"type": "noisy-or"}

    assert find_effects(algdim.model("noisy-or: {A},{B} -> E")) == find_effects(read_directed_graph(graph))
    assert algdim.dimension("noisy-or: {A},{B} -> E").dimension == algdim.dimension(graph).dimension


@pytest.mark.parametrize(
    ("local", "states", "message"),
    [
        ({"type": "noisy-or"}, 3, "local.E: E has 3 states; noisy-or takes 2"),
        ({"type": "noisy-or", "leak": 1}, 2, "local.E.leak is 1; true or false is allowed"),
        ({"type": "noisy-or", "n": 1}, 2, "unknown key 'n'; allowed are type, leak, mechanisms"),
        ({"type": "noisy-or", "mechanisms": {}}, 2, "local.E.mechanisms is a table; lists of causes"),
        ({"type": "noisy-or", "mechanisms": [["A", 1]]}, 2, "local.E.mechanisms is a list; lists of causes"),
        ({"type": "noisy-or", "mechanisms": ["A", "B"]}, 2, "local.E.mechanisms is a list; lists of causes"),
        ({"type": "noisy-or", "mechanisms": []}, 2, "E has no mechanism; at least one parent is needed"),
        ({"type": "noisy-or", "mechanisms": [["A", "A"], ["B"]]}, 2, "has the causes A, A; one or more, each once"),
        ({"type": "noisy-or", "mechanisms": [["A"], []]}, 2, "has the causes none; one or more, each once"),
        ({"type": "noisy-or", "mechanisms": [["A"]]}, 2, "B, a parent of E, is a cause of none of its mechanisms"),
        ({"type": "noisy-or", "mechanisms": [["A", "C"]]}, 2, "C, a cause of a mechanism of E, is no parent of it"),
    ],
)
def test_model_files_that_are_refused(local, states, message):
    """What is no noisy-or is refused at its place."""
    with pytest.raises(InputError) as error:
        read_model_dictionary(with_local(local, states))

    assert message in str(error.value)


def test_a_name_that_is_taken_is_refused():
    """A variable that is called like a mechanism variable is in the way."""
    data = with_local({"type": "noisy-or"})
    data["variables"].append({"name": "E.1"})

    with pytest.raises(InputError, match=r"duplicate variable name E\.1"):
        read_model_dictionary(data)


def test_what_a_noisy_or_is():
    """Binary causes, one for each mechanism, a fixed row in each, at most one leak; nothing else."""
    assert find_noisy_or(algdim.model("noisy-or: {A},{B},{} -> E"), "E") is not None
    for text in (
        "max: {A},{B} -> E",
        "noisy-or: {A,B} -> E",
        "noisy-or: {A} -> E; states A=3",
        "noisy-max: {A} -> E; states E=3",
        "noisy-or: {A},{},{} -> E",
        "noisy-or: {A} -> E; equal q = P(E.1=0|A=1), P(A=0)",
        "noisy-or: {} -> E",
        "A -> E",
    ):
        assert find_noisy_or(algdim.model(text), "E") is None


PRIORS = {"A": [["1/2", "1/2"]], "B": [["1/4", "3/4"]]}


def test_parameters_of_a_noisy_or():
    """q is the chance that a present cause fails, leak the chance that the effect is absent without any cause."""
    model = algdim.model("noisy-or: {A},{B},{} -> E")
    tables = read_parameters({**PRIORS, "E": {"leak": "9/10", "q": {"B": 0.2, "A": "1/3"}}}, model)

    assert ((1, 0), (Fraction(1, 3), Fraction(2, 3))) == tables["E.1"]
    assert ((1, 0), (Fraction(1, 5), Fraction(4, 5))) == tables["E.2"]
    assert ((Fraction(9, 10), Fraction(1, 10)),) == tables["E.3"]


@pytest.mark.parametrize(
    ("numbers", "message"),
    [
        ({"E": {"leak": 1, "q": {"A": "1/2"}}}, "E.q says nothing of B"),
        ({"E": {"q": {"A": "1/2", "B": "1/2"}}}, "E.leak is missing"),
        ({"E": {"leak": 1, "q": {"A": 2, "B": 0}}}, "E.q.A is 2; a probability between 0 and 1"),
        ({"E": {"leak": "x", "q": {"A": 1, "B": 0}}}, "E.leak"),
        ({"E": {"leak": 1, "q": {"A": 1, "B": 0, "C": 0}}}, "E.q: unknown key 'C'; allowed are A, B"),
        ({"E": {"leak": 1, "p": {}}}, "E: unknown key 'p'; allowed are leak, q"),
        ({"E": {"leak": 1, "q": [1]}}, "E.q: a list is not a table"),
        (
            {"E": {"leak": 1, "q": {"A": 1, "B": 0}}, "E.1": [[1, 0], [0, 1]]},
            "E.1: the numbers of this mechanism stand",
        ),
        ({}, "tables are missing: E.1"),
    ],
)
def test_parameters_that_are_refused(numbers, message):
    """Numbers that are no parameters of the noisy-or are refused at their place."""
    with pytest.raises(InputError) as error:
        read_parameters({**PRIORS, **numbers}, algdim.model("noisy-or: {A},{B},{} -> E"))

    assert message in str(error.value)


def test_a_leak_that_the_model_lacks_is_refused():
    """Without a leak there is no number for one."""
    with pytest.raises(InputError, match=r"E\.leak is given, and there is no leak"):
        read_parameters({**PRIORS, "E": {"leak": 1, "q": {"A": 1, "B": 0}}}, algdim.model("noisy-or: {A},{B} -> E"))


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_a_noisy_or_has_as_many_parameters_as_causes(count):
    """MH97 §3.1: n parameters, none of them redundant, and almost all tables have 2^n different rows."""
    causes = [f"C{i}" for i in range(count)]
    text = f"noisy-or: {','.join(f'{{{cause}}}' for cause in causes)} -> E; given {', '.join(causes)}"
    report = algdim.dimension(text)

    assert (count, count, True) == (report.standard, report.dimension, report.exact)
    fails = [Fraction(1, prime) for prime in (2, 3, 5, 7)[:count]]
    rows = {1}
    for number in fails:  # P(E = 0 | c) is the product over the causes that are present
        rows |= {row * number for row in rows}
    assert 2**count == len(rows)


@pytest.mark.parametrize(
    ("text", "savings"),
    [
        ("max: {A},{B},{C} -> E", [("E", 6, 4)]),
        ("max: {A},{B},{C} -> E; states E=3", [("E", 12, 8)]),
        ("max: {A},{B} -> E; states E=3, E.1=2", [("E", 6, 5)]),
        ("noisy-or: {A},{B},{} -> E", [("E", 3, 3)]),
        ("parity: {A},{B} -> E, F", [("E", 4, 3), ("F", 4, 3)]),
        ("at-least 2: {A},{B} -> E", [("E", 4, 3)]),
        ("at-least 2: {A},{B},{C} -> E", []),
        ("sum: {A},{B} -> E", []),
        ("max: {A,B},{C} -> E; {A},{B} -> E.1", [("E", 6, 4)]),
        ("max: {A,B},{C} -> E; {A},{B} -> E.1; parity E.1", [("E", 2, 2), ("E.1", 4, 3)]),
        ("max: {A},{B} -> E; share x: E.1, E.2", [("E", 2, 2)]),
        ("max: {A},{B} -> E; equal q = P(E.1=0|A=1), P(A=0)", [("E", 2, 2)]),
        ("max: {A},{B},{} -> E; equal p = P(E.1=0|A=1), P(E.2=0|B=1); equal q = P(E.2=0|B=0), P(B=0)", [("E", 1, 1)]),
        ("max: {A},{} -> E; fix P(E.1=0|A=0)=1/2", [("E", 2, 2)]),
        ("max: {A},{} -> E; equal q = P(E.1=0|A=0), P(E.1=0|A=1), P(E.2=0)", [("E", 1, 1)]),
        ("max: {H},{} -> E; hidden H", [("E", 3, 2)]),
        ("A -> X, Y; X, Y -> E; hidden X; max E", [("E", 2, 2)]),
        ("A -> X; X -> E, F; B -> Y -> E; hidden X, Y; max E, F", [("E", 2, 2)]),
        ("max: {},{},{} -> E", [("E", 3, 1)]),
    ],
)
def test_numbers_through_which_mechanisms_are_seen(text, savings):
    """The products of a maximum, a parity, an or and an and, counted by hand."""
    found = [
        (one.effect, one.parameters, one.numbers) for one in iterate_product_effects(get_param_map(algdim.model(text)))
    ]

    assert sorted(savings) == sorted(found)


def test_effects_are_functions():
    """A sigmoid variable is no effect, whatever its parents are called; as a mechanism variable it has its own causes."""
    assert {} == find_effects(algdim.model("A -> E.1; B -> E.2; E.1, E.2 -> E; hidden E.1, E.2; sigmoid A, E"))
    found = find_effects(algdim.model("max: {A},{B} -> E; C -> A; sigmoid E.1"))
    assert [("A",), ("B",)] == [mechanism.causes for mechanism in found["E"].mechanisms]


def random_mechanisms(seed):
    """Mechanisms that share causes, parameters and names, hidden causes, nested effects."""
    source = random.Random(seed)
    word = source.choice(["max", "noisy-or", "parity", "at-least 1", "at-least 2"])
    causes = ["A", "B", "H"]
    effects = ["E", "F"][: source.randint(1, 2)]
    clauses = []
    for effect in effects:
        sets = [source.sample(causes, source.randint(0, 2)) for _ in range(source.randint(2, 3))]
        clauses.append(",".join(f"{{{','.join(one)}}}" for one in sets) + f" -> {effect}")
        if source.random() < 0.3 and word != "noisy-or":
            rows = ",".join(f"{name}=0" for name in sets[0])
            clauses.append(
                f"equal {effect}q = P({effect}.1=0{'|' if rows else ''}{rows}), P({causes[len(clauses) > 2]}=0)"
            )
    clauses.append("states A=2, B=2, H=2; hidden H")
    return algdim.model(f"{word}: {'; '.join(clauses)}")


BOUNDED = [seed for seed in range(40) if bound_by_mechanisms(get_param_map(random_mechanisms(seed))) is not None]
"""In the others nothing is saved."""


@pytest.mark.parametrize("seed", daily(range(40), 5, *BOUNDED[:3]))
def test_the_bound_holds_for_random_mechanisms(seed):
    """It is never below what brute force finds, and is known to be there for some."""
    model = random_mechanisms(seed)
    bound = bound_by_mechanisms(get_param_map(model))
    expected = brute.dimension(model)

    assert expected == algdim.dimension(model).dimension
    assert (seed in BOUNDED) == (bound is not None)
    assert expected <= (inf if bound is None else bound.value)


def test_many_random_mechanisms_are_bounded():
    """So the test above looks at something."""
    assert len(BOUNDED) >= 10


@pytest.mark.parametrize("seed", range(10))
def test_forms_are_added_as_functions(seed):
    """A sum, and the chance of at most a state, at any values of the parameters; the chance of the last state is 1."""
    draw = random.Random(seed)
    values = [Fraction(draw.randint(-9, 9), 7) for _ in range(4)]

    def value(form):
        return form[0] + sum(coefficient * values[number] for number, coefficient in form[1])

    forms = [
        (Fraction(draw.randint(-3, 3)), tuple((n, Fraction(draw.randint(-3, 3))) for n in draw.sample(range(4), 2)))
        for _ in range(3)
    ]
    rest = add_forms([(Fraction(1), ()), *(scale_form(form, Fraction(-1)) for form in forms)])
    row = [*forms, rest]

    assert value(add_forms(forms)) == sum(map(value, forms))
    assert [value(add_states_up_to(state, row)) for state in range(4)] == [
        sum(map(value, row[: state + 1])) for state in range(4)
    ]
    assert (Fraction(1), ()) == add_states_up_to(3, row)
    assert not any(coefficient == 0 for _, coefficient in add_forms(forms)[1])
