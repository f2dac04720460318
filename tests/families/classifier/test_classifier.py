"""The family "classifier": record, notation, files, log-odds, ranks, reports."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import log, prod

import brute_classifier
import numpy as np
import pytest
from amount import in_turn, some
from families import named
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import networks
from suites.conformance import check_bounds, check_methods

import algdim
from algdim import InputError, LimitError
from algdim.exact.arithmetic import Floats, Residues, SingularError, make_rationals
from algdim.explanation.printing import print_map
from algdim.families.classifier.bounds import is_recipe_valid
from algdim.families.classifier.map import build_classifier_map
from algdim.families.classifier.model import Classifier
from algdim.families.discrete.model import Network
from algdim.jacobian import evaluate_functionals, evaluate_jacobian, make_evaluator
from algdim.models.anymodel import convert_model_to_dictionary, read_model_dictionary
from algdim.models.notation import to_text
from algdim.rank import make_object_array

PRIME = 8388593
FIGURE_2 = "classifier Y: X1, X2 -> Y; X1, X3, Y -> X4; X2, X3, Y -> X5"


def naive(n, states=2):
    """The naive Bayes classifier."""
    return f"classifier Y: Y -> {', '.join(f'X{i}' for i in range(1, n + 1))}; states Y={states}"


def chain(n):
    """A class, and inputs that form a Markov chain given it."""
    names = [f"X{i}" for i in range(1, n + 1)]
    return f"classifier Y: Y -> {', '.join(names)}; {' -> '.join(names)}"


@st.composite
def classifiers(draw, max_variables=4, max_states=4, *, special=False, most=300):
    """Draw a classifier; with ``special`` tables may be shared, or have fixed and named entries, none of which is zero."""
    network = draw(
        networks(max_variables, max_states, special=special, max_table=most).filter(
            lambda network: prod(network.states.values()) <= most
        )
    )
    visible = tuple(
        type(variable)(variable.name, max(2, variable.states), True, variable.parents, variable.local)
        for variable in network.variables
    )
    label = draw(st.sampled_from([variable.name for variable in visible]))
    try:
        return Classifier(Network(visible), label)
    except InputError:  # an entry that is zero, or a table that no longer fits
        return Classifier(Network(tuple(type(v)(v.name, v.states, True, v.parents) for v in visible)), label)


def random_tables(model, seed=0):
    """A table of positive fractions for each variable."""
    source = np.random.default_rng(seed)
    tables = {}
    for variable in model.variables:
        rows = []
        for _ in range(prod(model.states[parent] for parent in variable.parents)):
            weights = source.integers(1, 20, variable.states).tolist()
            rows.append([Fraction(weight, sum(weights)) for weight in weights])
        tables[variable.name] = rows
    return tables


@pytest.mark.slow
@settings(max_examples=some(400))
@given(classifiers(5, 5, special=True, most=400))
def test_the_suite_holds_on_many_classifiers(model):
    """All methods and bounds agree with Bayes' rule on larger classifiers than the suite's own."""
    check_methods(named("classifier"), model)
    check_bounds(named("classifier"), model)


@settings(max_examples=some(60))
@given(classifiers(4, 3, special=True, most=100))
def test_the_linear_map_is_the_dimension_where_the_recipe_holds(model):
    """HM97 §4: then its bound is reached."""
    linear = algdim.dimension(model, bounds="linear-map,ambient").upper.value

    assert brute_classifier.dimension(model) <= linear
    assert not is_recipe_valid(model) or brute_classifier.dimension(model) == linear


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (FIGURE_2, 15),
        *((naive(n), n + 1) for n in (1, 2, 3, 5, 9)),
        *((chain(n), 2 * n) for n in (2, 3, 5, 9)),
        ("classifier Y: Y -> X2 <- X1; states Y=3, X1=3", 11),
        ("classifier Y: Y -> X2 <- X1; states Y=4", 11),
        ("classifier Y: Y -> A, B, X; A, B -> X; states Y=3, A=4, B=4", 62),
    ],
)
def test_known_dimensions(text, expected):
    """HM97 §4 and §6: Figure 2a, naive Bayes, the chain; and three classifiers for which Theorem 1 fails. All are proved."""
    report = algdim.dimension(text)

    assert (expected, True) == (report.dimension, report.exact)


@in_turn(3)
def test_a_chain_with_200_inputs():
    """The cost does not grow with the 2^200 configurations of the inputs: no array has more than eight entries."""
    report = algdim.dimension(chain(200))
    evaluator = make_evaluator(build_classifier_map(algdim.model(chain(200))))

    assert (400, True, 2**200) == (report.dimension, report.exact, report.complete)
    assert "probes" == report.method
    assert 8 == evaluator.largest


@in_turn(3)
def test_a_large_chain_needs_no_rank():
    """With thousands of parameters the theorem alone gives both bounds."""
    report = algdim.dimension(chain(1000))

    assert (2000, True, "linear-map") == (report.dimension, report.exact, report.method)
    assert report.lower.kind == report.upper.kind == "linear-map"


@pytest.mark.parametrize("sizes", [(2, 2, 2), (3, 2, 2), (2, 4, 3), (4, 2, 3)])
def test_the_trivial_classifier_is_the_free_table(sizes):
    """HM97 §2: if the inputs are the parents of the class, the dimension is that of the table, and so is every rank."""
    y, a, b = sizes
    clauses = f"A, B -> Y; states Y={y}, A={a}, B={b}"
    found, table = algdim.dimension(f"classifier Y: {clauses}"), algdim.dimension(f"{clauses}; given A, B")

    assert (y - 1) * a * b == found.dimension == found.complete == table.dimension == table.complete
    assert found.exact
    assert table.exact


@settings(max_examples=some(30))
@given(classifiers(most=120), st.integers(0, 5))
def test_log_odds_are_those_of_bayes(model, seed):
    """λ at given tables, in ordinary numbers, is the logarithm of the odds that Bayes' rule gives."""
    tables = random_tables(model, seed)
    cmap, field = build_classifier_map(model), Floats()
    point = np.array([float(value) for value in cmap.tables.point(tables)])
    found = evaluate_functionals(cmap, field, point, make_evaluator(cmap).all_coordinates())
    expected = [
        log(chance / chances[0])
        for _, chances in sorted(brute_classifier.posteriors(model, tables).items())
        for chance in chances[1:]
    ]

    assert expected == pytest.approx(found.tolist(), abs=1e-9)


@settings(max_examples=some(20))
@given(classifiers(3, 3, most=60), st.integers(0, 5))
def test_derivatives_are_differences_of_logarithms(model, seed):
    """Each derivative is that of the four logarithms which Equation 4 has for a table, written out by hand."""
    tables = random_tables(model, seed)
    cmap, field = build_classifier_map(model), make_rationals()
    point = cmap.tables.point(tables)
    matrix = evaluate_jacobian(
        cmap, field, field.elements(make_object_array(point)), make_evaluator(cmap).all_coordinates()
    )
    names = [variable.name for variable in model.variables]
    rows = []
    for states in product(*(range(model.states[name]) for name in model.inputs)):
        for k in range(1, model.classes):
            row = dict.fromkeys(cmap.parameters, Fraction(0))
            for label, sign in ((k, 1), (0, -1)):
                at = {**dict(zip(model.inputs, states, strict=True)), model.label: label}
                for variable in model.variables:
                    given_ = ",".join(f"{parent}={at[parent]}" for parent in variable.parents)
                    place = 0
                    for parent in variable.parents:
                        place = place * model.states[parent] + at[parent]
                    entry = tables[variable.name][place][at[variable.name]]
                    bar = f"|{given_}" if given_ else ""
                    for state in range(variable.states - 1):
                        slope = (at[variable.name] == state) - (at[variable.name] == variable.states - 1)
                        row[f"P({variable.name}={state}{bar})"] += sign * slope / entry
            rows.append(list(row.values()))

    assert names
    assert rows == [[Fraction(int(v.numerator), int(v.denominator)) for v in row] for row in matrix.tolist()]


@settings(max_examples=some(20))
@given(classifiers(most=100))
def test_random_functionals_are_combinations_of_the_log_odds(model):
    """A random functional's slopes are those of all log-odds, weighted by the product of its vectors."""
    cmap, field = build_classifier_map(model), Residues(PRIME)
    evaluator = make_evaluator(cmap)
    source = np.random.default_rng(1)
    point = field.elements(source.integers(1, PRIME, len(cmap.parameters)))
    probes = evaluator.random_functionals(3, PRIME, 0)
    vectors = probes.vectors(field, 0, 3)
    whole = evaluate_jacobian(cmap, field, point, evaluator.all_coordinates())
    weights = np.array(
        [
            [
                prod(int(vector[state, number]) for vector, state in zip(vectors, states, strict=True)) % PRIME
                for states in product(*(range(size) for size in cmap.shape))
            ]
            for number in range(3)
        ]
    )

    assert [[1] * 3] * len(model.inputs) == [(v.sum(axis=0) % PRIME).astype(int).tolist() for v in vectors[:-1]]
    assert (
        field.matmul(field.elements(weights), whole).tolist() == evaluate_jacobian(cmap, field, point, probes).tolist()
    )


@settings(max_examples=some(25))
@given(classifiers(3, 3, most=60))
def test_size_and_degree_are_bounds(model):
    """A row of the Jacobian, multiplied by the entries it divides by, stays at the point of twos below what its size allows."""
    cmap, field = build_classifier_map(model), make_rationals()
    degree, log_size = cmap.degree_and_log_size()
    twos = field.elements(make_object_array([Fraction(2)] * len(cmap.parameters)))
    matrix = evaluate_jacobian(cmap, field, twos, make_evaluator(cmap).all_coordinates()).tolist()
    arrays = [entries.values(field, twos) for entries in cmap.relevant.arrays]
    names = [variable.name for variable in model.variables]
    rows = iter(matrix)
    for states in product(*(range(model.states[name]) for name in model.inputs)):
        for k in range(1, model.classes):
            cleared = Fraction(1)
            for label in (k, 0):
                at = {**dict(zip(model.inputs, states, strict=True)), model.label: label}
                for use in cmap.relevant.factors:
                    entry = arrays[use.array][tuple(at[names[axis]] for axis in use.axes)]
                    cleared *= Fraction(int(entry.numerator), int(entry.denominator))
            total = sum(abs(value) for value in next(rows)) * abs(cleared)

            assert total <= degree * 2 ** (log_size + degree - 1) * (1 + 1e-9)


def test_the_share_with_a_value_by_hand():
    """None of the 2 + 4 + 4 entries may be zero."""
    cmap = build_classifier_map(algdim.model(naive(2)))

    assert 1 - 10 / PRIME == cmap.share_with_value(PRIME)
    assert 0 == cmap.share_with_value(9)


def test_a_probability_of_zero_is_no_point():
    """Where an entry is zero the map has no value; a parameter file with a zero is refused with the reason."""
    cmap, field = build_classifier_map(algdim.model(naive(1))), Residues(PRIME)
    coordinates = make_evaluator(cmap).all_coordinates()
    with pytest.raises(SingularError):
        evaluate_jacobian(cmap, field, field.elements(np.array([0, 2, 3])), coordinates)
    tables = {"Y": [["1/2", "1/2"]], "X1": [["1/3", "2/3"], [0, 1]]}
    with pytest.raises(InputError, match="a probability is 0"):
        algdim.dimension(naive(1), at=tables)


def test_the_rank_at_given_parameters():
    """Parameter files have the tables of the network; a class that does not depend on its child is not regular there."""
    tables = {"Y": [["1/2", "1/2"]], "X1": [["1/3", "2/3"], ["1/4", "3/4"]]}
    report = algdim.dimension(naive(1), at=tables)

    assert (2, True) == (report.at.rank, report.at.regular)


def test_the_map_is_written_out():
    """Coordinates are sums of logarithms of entries, their derivatives rational."""
    printed = print_map(build_classifier_map(algdim.model(naive(1))))

    assert ("λ(Y=1|X1=0)", "λ(Y=1|X1=1)") == printed.coordinates
    assert "log(P(X1=0|Y=1))" in str(printed)
    assert "1/P(X1=0|Y=1)" in printed.jacobian_text().replace(" ", "")


def test_a_report_names_the_recipe_where_it_fails():
    """Where HM97 Theorem 1 gives another number, the report says so, and why."""
    wrong = str(algdim.dimension("classifier Y: Y -> X2 <- X1; states Y=3, X1=3"))

    assert "HM97 Theorem 1 would give 12" in wrong
    assert "X2 with fewer states than the class" in wrong
    assert "Theorem 1" not in str(algdim.dimension(FIGURE_2))


TEXTS = ("classifier Y: X <- Y; states Y=3", FIGURE_2, "classifier B: A -> B; fix P(A=0)=1/3; share s: A")


@pytest.mark.parametrize("text", TEXTS)
def test_round_trip(text):
    """Texts and model files give the record back."""
    model = algdim.model(text)

    assert model == algdim.model(to_text(model)) == read_model_dictionary(convert_model_to_dictionary(model))
    assert model.label == convert_model_to_dictionary(model)["class"]


WRONG = {
    "no class": ("classifier: Y -> X", "classifier NAME:"),
    "an unknown class": ("classifier Z: Y -> X", "there is no such variable; known are Y, X"),
    "hidden": ("classifier Y: Y -> X; hidden X", "observed"),
    "given": ("classifier Y: X -> Y; given X", "conditioned on all its inputs anyway"),
    "a rule": ("classifier Y: Y, A -> X; max X", "'max'"),
    "a zero": ("classifier Y: Y -> X; fix P(X=0|Y=0)=0", "is fixed to 0"),
    "a zero that is left": ("classifier Y: Y -> X; fix P(X=0|Y=0)=1", "sum to 1, so another one is 0"),
    "a cycle": ("classifier Y: Y -> X -> Y", "cycle"),
    "another family's edge": ("classifier Y: Y <-> X", "gaussian"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_texts(case):
    """What is wrong is named, with what is allowed."""
    text, message = WRONG[case]
    with pytest.raises(InputError) as caught:
        algdim.model(text)

    assert message in str(caught.value)


GOOD_FILE = {"family": "classifier", "class": "Y", "variables": [{"name": "Y"}, {"name": "X"}], "edges": [["Y", "X"]]}
WRONG_FILES = {
    "no class": ({"class": None}, "class is missing"),
    "a number": ({"class": 3}, "class is 3"),
    "unknown": ({"class": "Z"}, "there is no such variable"),
    "hidden": ({"variables": [{"name": "Y"}, {"name": "X", "observed": False}]}, "observed"),
    "an unknown key": ({"label": "Y"}, "label"),
    "given": ({"given": ["Y"]}, "given"),
}


@pytest.mark.parametrize("case", WRONG_FILES)
def test_wrong_files(case):
    """A model file says what is wrong and where."""
    change, message = WRONG_FILES[case]
    assert 2 == len(read_model_dictionary(GOOD_FILE).variables)
    with pytest.raises(InputError) as caught:
        read_model_dictionary({**GOOD_FILE, **change})

    assert message in str(caught.value)


def test_a_discrete_file_has_no_class():
    """The key belongs to this family alone."""
    with pytest.raises(InputError, match="class"):
        read_model_dictionary({**GOOD_FILE, "family": "discrete"})


def test_other_commands_refuse_by_name():
    """What is for other families says so."""
    with pytest.raises(algdim.AlgdimError, match="classifier"):
        algdim.constraints(naive(2))


def test_too_many_log_odds_are_refused():
    """The table of all log-odds is refused before it is built."""
    with pytest.raises(LimitError, match="log-odds"):
        algdim.dimension(chain(100), method="table")


def test_inputs_without_influence():
    """What does not depend on the class, nor the class on it, cancels, also by Bayes' rule, which is not told so."""
    model = algdim.model("classifier Y: Y -> X1; X0 -> X2")

    assert 2 == brute_classifier.dimension(model) == algdim.dimension(model).dimension
    assert (6, 8) == (algdim.dimension(model).standard, algdim.dimension(model).complete)


def test_all_log_odds_are_not_written_down():
    """Whether there is memory for what is made of them is asked later: a billion numbers would be there before."""
    text = f"classifier Y: Y -> X1..X9; states {', '.join(f'X{number}=10' for number in range(1, 10))}"
    evaluator = make_evaluator(build_classifier_map(algdim.model(text)))
    functionals = evaluator.all_coordinates(10**12)

    assert 10**9 == functionals.count
    places = functionals.vectors(make_rationals(), 12, 13)
    assert [2, 1, 0, 0] == [int(vector[:, 0].argmax()) for vector in places[-2:-6:-1]]  # the last one is the class's
