"""Embedded classifiers (HM97 §2): as the local of a variable of any discrete network, in texts and files, and their ranks."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import inf, log2, prod

import brute_classifier
import pytest
from amount import some
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import networks
from test_classifier import classifiers, random_tables

import algdim
from algdim import InputError
from algdim.exact.arithmetic import make_rationals
from algdim.families.classifier.map import build_classifier_map
from algdim.families.classifier.model import Classifier
from algdim.families.discrete.locals.classifier import Embedded
from algdim.families.discrete.locals.table import FREE
from algdim.families.discrete.map import get_param_map
from algdim.families.discrete.model import Network, Variable
from algdim.jacobian import evaluate_functionals, evaluate_jacobian, make_evaluator
from algdim.models.anymodel import convert_model_to_dictionary, read_model_dictionary
from algdim.rank import make_object_array
from algdim.readers.parameters import read_parameters

NAIVE = "X1, X2 -> Y; classifier Y {Y -> X1, X2}"


CHANCES = {"X1": [["1/2", "1/2"]], "X2": [["1/3", "2/3"]]}
INSIDE = {"Y": [["1/2", "1/2"]], "X1": [["1/3", "2/3"], ["1/5", "4/5"]], "X2": [["1/4", "3/4"], ["1/7", "6/7"]]}


@st.composite
def embeddings(draw, max_variables=4, max_states=3, most=120):
    """Draw a network of free tables in which one or more variables have a classifier, hidden variables included."""
    network = draw(
        networks(max_variables, max_states, special=False).filter(
            lambda found: (
                prod(found.states.values()) <= most
                and any(
                    one.parents and all(found.states[name] > 1 for name in (*one.parents, one.name))
                    for one in found.variables
                )
            )
        )
    )
    states = network.states
    able = [v.name for v in network.variables if v.parents and min(states[n] for n in (*v.parents, v.name)) > 1]
    chosen = draw(st.lists(st.sampled_from(able), min_size=1, max_size=2, unique=True))
    variables = []
    for variable in network.variables:
        if variable.name not in chosen:
            variables.append(variable)
            continue
        order = draw(st.permutations([*variable.parents, variable.name]))
        inner = tuple(
            Variable(
                name,
                states[name],
                True,
                tuple(draw(st.lists(st.sampled_from(order[:place]), unique=True))) if place else (),
            )
            for place, name in enumerate(order)
        )
        variables.append(
            Variable(
                variable.name,
                variable.states,
                variable.observed,
                variable.parents,
                Embedded(Classifier(Network(inner), variable.name)),
            )
        )
    return Network(tuple(variables))


@pytest.mark.slow
@settings(max_examples=some(400))
@given(embeddings(5, 3, 300))
def test_ranks_and_bounds_on_many_networks(network):
    """The rank is that of the textbook's distribution on larger networks than the suite's own."""
    expected = brute_classifier.network_rank(network)
    report = algdim.dimension(network)

    assert expected == report.dimension <= report.upper.value


@settings(max_examples=some(25))
@given(embeddings(4, 3, 60), st.integers(0, 9))
def test_values_are_a_distribution(network, seed):
    """The observed distribution at rational parameters is positive and sums to 1."""
    pmap, field = get_param_map(network), make_rationals()
    point = [Fraction(1 + (7 * number + seed) % 5, 29) for number in range(len(pmap.parameters))]
    values = evaluate_functionals(
        pmap, field, field.elements(make_object_array(point)), make_evaluator(pmap).all_coordinates()
    )

    assert 1 == sum(values)
    assert all(value > 0 for value in values)


@settings(max_examples=some(25))
@given(classifiers(4, 3, most=60).filter(lambda model: len(model.variables) > 1), st.integers(0, 9))
def test_entries_are_those_of_bayes(model, seed):
    """Given its parents, the variable has the distribution that Bayes' rule finds in the network of the classifier."""
    tables = random_tables(model, seed)
    inputs = tuple(Variable(name, model.states[name]) for name in model.inputs)
    own = Variable(model.label, model.classes, True, model.inputs, Embedded(model))
    pmap, field = get_param_map(Network((*inputs, own), model.inputs)), make_rationals()
    point = field.elements(make_object_array(build_classifier_map(model).tables.point(tables)))
    values = pmap.arrays[-1].values(field, point)
    expected = brute_classifier.posteriors(model, tables)

    assert {
        states: tuple(Fraction(int(v.numerator), int(v.denominator)) for v in values[states]) for states in expected
    } == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (NAIVE, 1 + 1 + 3),
        ("H -> X1, X2, X3; X1, X2, X3 -> Y; hidden H; classifier Y {Y -> X1, X2, X3}", 7 + 4),
        ("X1, X2 -> Y; states X1=3, Y=3; classifier Y {Y -> X2 <- X1; states Y=3, X1=3}", 2 + 1 + 11),
        ("A, B -> Y; classifier Y {A, B -> Y}", 1 + 1 + 4),
    ],
)
def test_dimensions_add_up(text, expected):
    """HM97 §5: with all data observed the dimensions of the classifiers add up; each is proved."""
    report = algdim.dimension(text)

    assert (expected, True) == (report.dimension, report.exact)


def test_a_trivial_classifier_is_a_free_table():
    """HM97 §2: the traditional local distribution is the classifier of the same graph, also of a hidden variable."""
    for clauses in ("A, B -> Y", "A, B -> Y -> Z1, Z2; hidden Y", "A, B -> Y -> Z1, Z2; hidden B"):
        inner = "classifier Y {A, B -> Y}"

        assert algdim.dimension(clauses).dimension == algdim.dimension(f"{clauses}; {inner}").dimension


def test_parameters_of_a_classifier_are_its_own():
    """Names inside do not meet those outside, and explain counts them at their variable."""
    pmap = get_param_map(algdim.model(NAIVE))

    assert ("P(X1=0)", "P(X2=0)", "Y:P(Y=0)") == pmap.parameters[:3]
    assert [("X1", 1), ("X2", 1), ("Y", 5)] == [(one.owner, one.count) for one in algdim.explain(NAIVE).shares]


WRONG = {
    "no parents": ("classifier Y {Y -> X}; X -> Z; states Y=2", "Y has no parents"),
    "a parent is missing": ("A, B -> Y; classifier Y {A -> Y}", "the parent B is missing"),
    "one too many": ("A -> Y; B -> A; classifier Y {A, B -> Y}", "B is no parent of Y"),
    "other states": ("A -> Y; states A=3; classifier Y {A -> Y}", "A has 2 states there and 3 outside"),
    "hidden inside": ("A, B -> Y; classifier Y {A, B -> Y; hidden B}", "all variables of a classifier are observed"),
    "without Y": ("A -> Y; classifier Y {states A=2}", "there is no such variable"),
    "a brace is open": ("A -> Y; classifier Y {A -> Y", "'}'"),
    "no brace": ("A -> Y; classifier Y A -> Y", "'{'"),
    "one within one": ("A -> Y; classifier Y {A -> Y; classifier Y {A -> Y}}", "braces"),
    "twice": ("A -> Y; classifier Y {A -> Y}; classifier Y {A -> Y}", "already"),
    "beside a rule": ("A -> Y; max Y; classifier Y {A -> Y}", "already"),
    "with a table": ("A -> Y; classifier Y {A -> Y}; fix P(Y=0|A=0)=1/2", "has a classifier and has no table"),
    "in another family": ("gaussian: A -> Y; classifier Y {A -> Y}", ""),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_texts(case):
    """What is wrong is named."""
    text, message = WRONG[case]
    with pytest.raises(InputError) as caught:
        algdim.model(text)

    assert message in str(caught.value)


def test_wrong_files():
    """Places in files are named; a classifier within a classifier is refused before it is read."""
    data = convert_model_to_dictionary(algdim.model(NAIVE))
    inner = data["local"]["Y"]["network"]
    for change, message in (
        ({"type": "classifier"}, "local.Y.network"),
        ({"type": "classifier", "network": 3}, "local.Y.network"),
        ({"type": "classifier", "network": inner, "class": "Y"}, "class"),
        ({"type": "classifier", "network": {**inner, "local": {"X1": data["local"]["Y"]}}}, "within a classifier"),
    ):
        with pytest.raises(InputError) as caught:
            read_model_dictionary({**data, "local": {"Y": change}})

        assert message in str(caught.value)


def test_ranks_at_given_tables(tmp_path):
    """The tables of the classifier's network stand under the variable; the point is regular, or what it loses is seen."""
    path = tmp_path / "at.json"
    path.write_text(json.dumps({**CHANCES, "Y": INSIDE}), encoding="utf-8")
    inputs = {"X1": [["0", "1"]], "X2": [["1/3", "2/3"]]}

    assert (5, True) == rank_and_regular(algdim.dimension(NAIVE, at=str(path)))
    # where X1 is always 1, nothing shows p(y | X1 = 0), but X1 itself may still move
    assert (2 + 2, False) == rank_and_regular(algdim.dimension(NAIVE, at={**inputs, "Y": INSIDE}))


def rank_and_regular(report):
    """What a report says of the given parameters."""
    return report.at.rank, report.at.regular


def test_verdicts_at_given_tables():
    """`identify --at` takes the same file; parameters have the names that `algdim map` prints."""
    found = algdim.identify(NAIVE, at={**CHANCES, "Y": INSIDE}).at

    assert {"P(X1=0)": True, "Y:P(X1=0|Y=0)": False} == {
        name: known for name, known in found.identifiable if name in ("P(X1=0)", "Y:P(X1=0|Y=0)")
    }


@pytest.mark.parametrize(
    ("tables", "message"),
    [
        ({"Y:P(Y=0)": "1/2"}, "the tables of the network of Y, of Y, X1, X2, belong in an object under Y"),
        ({"Y": {"Y": [["1/2", "1/2"]]}}, "X1"),
        ({"Y": {**INSIDE, "X1": [["0", "1"], ["1/5", "4/5"]]}}, "an entry of a classifier's table is 0"),
        ({"Y": [["1/2", "1/2"]]}, "Y"),
    ],
)
def test_wrong_tables(tables, message):
    """Names of the map are answered with the form that files have; zeros with what is divided by them."""
    with pytest.raises(InputError, match=message):
        algdim.dimension(NAIVE, at={**CHANCES, **tables})


def test_weights_beside_a_classifier_are_refused():
    """The lemma about powers of e says nothing of quotients of another kind."""
    text = "X1 -> X2; X1, X2 -> Y; sigmoid X2; classifier Y {Y -> X1, X2}"
    with pytest.raises(InputError, match="sigmoid variables and embedded classifiers"):
        algdim.dimension(text, at={"X1": [["1/2", "1/2"]], "X2": {"a": 1, "b": {"X1": 2}}, "Y": INSIDE})


@settings(max_examples=some(30))
@given(embeddings(4, 3, 60), st.integers(0, 9))
def test_a_file_describes_the_point(network, seed):
    """The distribution at the point of a parameter file is the one that Bayes' rule makes of its tables."""
    inner = {v.name: v.local.classifier for v in network.variables if isinstance(v.local, Embedded)}
    bare = replace(network, variables=tuple(replace(v, local=FREE) for v in network.variables))
    tables = random_tables(bare, seed)
    inside = {name: random_tables(model, seed + 1) for name, model in inner.items()}
    pmap, field = get_param_map(network), make_rationals()
    point = field.elements(make_object_array(pmap.point(read_parameters({**tables, **inside}, network))))
    values = evaluate_functionals(pmap, field, point, make_evaluator(pmap).all_coordinates())
    rows = {name: brute_classifier.posteriors(model, inside[name]) for name, model in inner.items()}

    def entry(variable, at):
        """The chance of a state, the rows of a classifier in the order of its own inputs."""
        if variable.name in rows:
            return rows[variable.name][tuple(at[name] for name in inner[variable.name].inputs)][at[variable.name]]
        row = 0
        for parent in variable.parents:
            row = row * network.states[parent] + at[parent]
        return tables[variable.name][row][at[variable.name]]

    expected = {}
    for states in product(*(range(v.states) for v in network.variables)):
        at = {v.name: state for v, state in zip(network.variables, states, strict=True)}
        cell = tuple(at[v.name] for v in network.observed)
        expected[cell] = expected.get(cell, 0) + prod(entry(v, at) for v in network.variables)

    assert [expected[cell] for cell in product(*map(range, pmap.shape))] == [
        Fraction(int(v.numerator), int(v.denominator)) for v in values
    ]


@pytest.mark.parametrize(
    ("more", "rows", "hidden"),
    [("", 1, 2), ("; hidden X1", 2, 3), ("; hidden X1, X2", 4, Fraction(9, 2))],
)
def test_degree_and_size_by_hand(more, rows, hidden):
    """Roots have degree 1 and size 2, or 3 if hidden; this many rows' denominators, each 2·2·2·2 with degree 3, multiply up."""
    degree, log_size = get_param_map(algdim.model(NAIVE + more)).degree_and_log_size()

    assert 2 * (2 + 3 * rows) == degree
    assert log2(2 * hidden) + 2 * (4 * rows) == pytest.approx(log_size)


def test_tied_tables_inside_say_nothing_of_chance():
    """A denominator may then vanish modulo a prime."""
    tied = "X1, X2 -> Y; classifier Y {Y -> X1, X2; fix P(X1=0|Y=0)=1/3}"

    assert inf == get_param_map(algdim.model(tied)).degree_and_log_size()[1]


@pytest.mark.parametrize(
    "text",
    [
        "X1, X2 -> Y; classifier Y {Y -> X1, X2; X1 -> X2; states X1=3, Y=3}; states X1=3, Y=3",
        "X1, X2 -> Y; classifier Y {X1 -> Y -> X2; states X1=3, X2=4}; states X1=3, X2=4; hidden X1",
    ],
)
def test_derivatives_are_those_of_differences(text):
    """Entries of tables with several parameters, such as the last of a row, included."""
    pmap, field, step = get_param_map(algdim.model(text)), make_rationals(), Fraction(1, 10**9)
    point = [Fraction(1, 7 + 3 * number) for number in range(len(pmap.parameters))]
    coordinates = make_evaluator(pmap).all_coordinates()
    found = evaluate_jacobian(pmap, field, field.elements(make_object_array(point)), coordinates).astype(float)
    for number in range(len(point)):
        ends = []
        for sign in (1, -1):
            moved = [value + sign * step * (place == number) for place, value in enumerate(point)]
            ends.append(evaluate_functionals(pmap, field, field.elements(make_object_array(moved)), coordinates))
        slopes = [float((high - low) / (2 * step)) for high, low in zip(*ends, strict=True)]

        assert slopes == pytest.approx(found[:, number].tolist(), abs=1e-12)
