"""Sigmoid variables: the record, its texts and files, its entries, and the dimensions of networks (GHM96 §8)."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import log2

import brute_sigmoid
import numpy as np
import pytest
from amount import IS_ALL, daily, drawn
from brute import plus, times
from hypothesis import given
from hypothesis import strategies as st
from strategies import networks
from suites.random_sigmoids import sigmoid_network

import algdim
from algdim import InputError, LimitError
from algdim.bound.strategy import KNOWN
from algdim.certificate.exporting import NotProvedError
from algdim.exact.arithmetic import Booleans, Floats, Residues, SingularError, make_large_prime_field, make_rationals
from algdim.families.discrete.locals.sigmoid import Sigmoid, SigmoidEntries, replace_by_free_tables
from algdim.families.discrete.locals.table import Table
from algdim.families.discrete.map import get_param_map
from algdim.families.discrete.model import Network, Variable
from algdim.models.anymodel import convert_model_to_dictionary, read_model_dictionary
from algdim.models.notation import to_text
from algdim.rank import make_object_array
from algdim.readers.graphs import convert_to_graph, read_directed_graph

FOUR, FIVE = "X1, X2, X3, X4", "X1, X2, X3, X4, X5"
TWO_LEVELS = f"sigmoid: H1, H2 -> {FOUR}; hidden H1, H2"
THREE_LEVELS = f"sigmoid: T -> H1, H2 -> {FOUR}; hidden T, H1, H2"
WITH_ARC = f"sigmoid: H1 -> H2; H1, H2 -> {FOUR}; hidden H1, H2"
NAMES = [name for name in KNOWN if name not in {"ambient", "districts", "chance"}]

SHAPES = st.lists(st.integers(1, 4), max_size=3).map(tuple)


# the record, the notation, the files


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("sigmoid: A, B -> C", {"A": "sigmoid", "B": "sigmoid", "C": "sigmoid"}),
        ("A, B -> C; sigmoid C", {"A": "table", "B": "table", "C": "sigmoid"}),
        ("sigmoid C; A, B -> C; states A=3", {"C": "sigmoid", "A": "table", "B": "table"}),
        ("sigmoid: A, B -> C; max C", {"A": "sigmoid", "B": "sigmoid", "C": "max"}),
        ("sigmoid: A -> C; given A; states A=3", {"A": "table", "C": "sigmoid"}),
    ],
)
def test_the_notation_says_which_variables_are_sigmoid(text, kinds):
    """The family word is about all variables of which nothing else is said, the clause about those it names."""
    model = algdim.model(text)

    assert kinds == {variable.name: variable.local.kind for variable in model.variables}
    assert model == algdim.model(to_text(model))


def test_sigmoid_variables_share_their_weights():
    """A share clause names them, in either form of the notation."""
    one, other = (
        algdim.model("sigmoid: H -> A, B; share s: A, B"),
        algdim.model("H -> A, B; sigmoid H, A, B; share s: A, B"),
    )

    assert one == other
    assert Sigmoid("s") == one.variables[1].local
    assert "sigmoid: H -> A, B; share s: A, B" == to_text(one)
    assert ("A(H)", "A(s)", "B(s|pa1)") == get_param_map(one).parameters


@given(networks(deterministic=True, sigmoid=True))
def test_texts_files_and_graphs_lead_back(model):
    """A network with sigmoid variables is read back from its text, its dictionary and its graph."""
    assert model == algdim.model(to_text(model))
    assert model == read_model_dictionary(convert_model_to_dictionary(model))
    assert model == read_directed_graph(convert_to_graph(model))


@pytest.mark.parametrize(
    ("local", "message"),
    [
        ({"type": "sigmoid", "n": 2}, "local.C: unknown key 'n'; allowed are type, share"),
        ({"type": "sigmoid", "fixed": {}}, "local.C: unknown key 'fixed'"),
        ({"type": "sigmoid", "share": 1}, "local.C.share is 1"),
        ({"type": "sigmoid", "share": "max"}, "'max' is a clause word"),
        ({"type": "Sigmoid"}, "local.C.type: 'Sigmoid' is not available"),
    ],
)
def test_bad_entries_of_a_model_file_are_refused(local, message):
    """What a sigmoid variable does not have is an error that names the place."""
    variables = [{"name": name} for name in "ABC"]
    with pytest.raises(InputError) as caught:
        read_model_dictionary({"variables": variables, "edges": [["A", "C"], ["B", "C"]], "local": {"C": local}})

    assert message in str(caught.value)


def test_only_binary_variables_are_sigmoid():
    """Three states are refused, in the model file too; parents may have any number."""
    with pytest.raises(InputError, match=r"local.C: C has 3 states; a sigmoid variable has two"):
        read_model_dictionary({"variables": [{"name": "C", "states": 3}], "local": {"C": {"type": "sigmoid"}}})
    Sigmoid().check("C", 2, (("A", 7), ("B", 1)))


def test_a_share_has_one_kind():
    """A table and a sigmoid variable cannot share."""
    variables = [Variable("H", observed=False)]
    variables += [Variable(name, parents=("H",), local=kind("s")) for name, kind in (("A", Table), ("B", Sigmoid))]
    with pytest.raises(InputError, match="of different kinds"):
        Network(tuple(variables))


# entries


def entries_and_point(shape, numbers):
    """Entries whose first parameter is number 1, and a point with one number more in front."""
    return SigmoidEntries((*shape, 2), 1), make_object_array([Fraction(7), *numbers[: len(shape) + 1]])


@given(SHAPES, st.lists(st.fractions(Fraction(1, 9), 9, max_denominator=9), min_size=4, max_size=4))
def test_entries_are_the_sigmoid_function(shape, numbers):
    """P(1) = z / (1 + z) with z = A ∏ B^x, row by row, and the rows sum to one."""
    entries, point = entries_and_point(shape, numbers)
    field = make_rationals()
    values = entries.values(field, field.elements(point))

    assert (*shape, 2) == values.shape
    for row in product(*map(range, shape)):
        odds = numbers[0]
        for base, state in zip(numbers[1:], row, strict=False):
            odds *= base**state
        assert odds / (1 + odds) == Fraction(values[(*row, 1)])
        assert 1 / (1 + odds) == Fraction(values[(*row, 0)])


@given(SHAPES, st.lists(st.fractions(Fraction(1, 9), 9, max_denominator=9), min_size=4, max_size=4))
def test_derivatives_are_limits_of_quotients(shape, numbers):
    """The derivative agrees with a difference quotient to the order of its step."""
    entries, point = entries_and_point(shape, numbers)
    field, step = make_rationals(), Fraction(1, 10**12)
    found = entries.derivative(field, field.elements(point))
    dense = np.zeros((int(np.prod(shape)) * 2, len(shape) + 2))
    np.add.at(dense, (found.entry, found.parameter), [float(value) for value in found.coefficient])
    before = entries.values(field, field.elements(point)).ravel()
    for number in range(len(shape) + 1):
        moved = point.copy()
        moved[1 + number] += step
        slope = (entries.values(field, field.elements(moved)).ravel() - before) / step

        assert np.allclose([float(value) for value in slope], dense[:, 1 + number], atol=1e-9)
    assert not dense[:, 0].any()


@given(SHAPES, st.integers(0, 2**40), st.sampled_from([101, 8388593, 2**61 - 1]))
def test_all_arithmetics_agree(shape, seed, prime):
    """Residues of the exact values, floats close to them, and no zero for booleans."""
    source = np.random.default_rng(seed)
    numbers = [Fraction(int(value)) for value in source.integers(1, 50, 4)]
    entries, point = entries_and_point(shape, numbers)
    exact = entries.values(make_rationals(), make_rationals().elements(point)).ravel()
    field = Residues(prime) if prime < 1 << 23 else make_large_prime_field(prime)
    if all(value.denominator % prime for value in exact):
        modular = entries.values(field, field.elements(point)).ravel()
        assert [int(v.numerator) * pow(int(v.denominator), -1, prime) % prime for v in exact] == [
            int(v) % prime for v in modular
        ]
    else:
        with pytest.raises(SingularError):
            entries.values(field, field.elements(point))
    assert np.allclose([float(v) for v in exact], entries.values(Floats(), point.astype(float)).ravel())
    assert entries.values(Booleans(), np.ones(5, dtype=bool)).all()


def test_a_point_without_a_value_is_noticed():
    """Where 1 + z vanishes modulo the prime there is no value and no derivative."""
    entries, field = SigmoidEntries((2, 2), 0), Residues(7)
    point = field.elements(np.array([6, 3]))
    for evaluate in (entries.values, entries.derivative):
        with pytest.raises(SingularError):
            evaluate(field, point)


@given(SHAPES, st.lists(st.fractions(Fraction(1, 9), 9, max_denominator=9), min_size=4, max_size=4))
def test_the_parameters_are_read_off_the_entries(shape, numbers):
    """A and B are the odds and the quotients of odds of a table."""
    shape = tuple(size for size in shape if size > 1)
    entries, point = entries_and_point(shape, numbers)
    flat = [Fraction(v) for v in entries.values(make_rationals(), make_rationals().elements(point)).ravel()]

    assert {1 + k: numbers[k] for k in range(len(shape) + 1)} == entries.parameters(flat)
    assert entries.readable == frozenset(entries.parameters(flat))


# sizes for the chance


def polynomials_of(model):
    """Per observed cell the numerator and the denominator of lemma "quotients", as dictionaries of monomials."""
    place = {variable.name: number for number, variable in enumerate(model.variables)}
    one = {(): 1}

    def odds(variable, row):
        monomial = (f"A{variable.name}",)
        for parent, state in zip(variable.parents, row, strict=True):
            monomial += (f"B{variable.name}{parent}",) * state
        return {tuple(sorted(monomial)): 1}

    found = {}
    for cell in product(*(range(v.states) for v in model.observed)):
        at = dict(zip((v.name for v in model.observed), cell, strict=True))
        denominator, rows = one, {}
        for variable in model.variables:
            ranges = [[at[p]] if p in at else range(model.variables[place[p]].states) for p in variable.parents]
            rows[variable.name] = list(product(*ranges))
            for row in rows[variable.name]:
                denominator = times(denominator, plus(one, odds(variable, row)))
        numerator = {}
        for states in product(*(range(v.states) for v in model.hidden)):
            joint = at | dict(zip((v.name for v in model.hidden), states, strict=True))
            term = one
            for variable in model.variables:
                mine = tuple(joint[parent] for parent in variable.parents)
                term = times(term, odds(variable, mine) if joint[variable.name] else one)
                for row in rows[variable.name]:
                    term = term if row == mine else times(term, plus(one, odds(variable, row)))
            numerator = plus(numerator, term)
        found[cell] = numerator, denominator
    return found


@pytest.mark.parametrize(
    "text",
    [
        "sigmoid: A -> B",
        "sigmoid: A, B -> C; hidden A",
        "sigmoid: A, B -> C -> D; hidden A, B",
        "sigmoid: H -> A, B, C; A -> C; hidden H",
        "sigmoid: H, G -> A, B; hidden G, H",
    ],
)
def test_degree_and_size_bound_numerators_and_denominators(text):
    """The numbers put into the lemma on chance are no less than those of the polynomials, multiplied out."""
    model = algdim.model(text)
    pmap = get_param_map(model)
    degree, log_size = pmap.degree_and_log_size()
    for numerator, denominator in polynomials_of(model).values():
        sizes = [sum(map(abs, polynomial.values())) for polynomial in (numerator, denominator)]

        assert max(len(monomial) for monomial in (*numerator, *denominator)) <= degree / 2
        assert log2(sizes[0]) + log2(sizes[1]) <= log_size
    assert not pmap.is_polynomial


def test_the_share_of_points_with_a_value():
    """Modulo a small prime the points with a value are counted: no fewer than is claimed."""
    pmap = get_param_map(algdim.model("sigmoid: A, B -> C; given A, B"))
    prime = 11
    field, count = Residues(prime), 0
    for point in product(range(prime), repeat=3):
        try:
            pmap.arrays[0].values(field, field.elements(np.array(point)))
            count += 1
        except SingularError:
            pass

    assert 0 < pmap.share_with_value(prime) <= count / prime**3


def test_points_without_a_value_are_drawn_again(monkeypatch):
    """With a tiny prime many points have no value; others are taken, and no bound is wrong."""
    monkeypatch.setattr("algdim.rank.draw_prime", lambda *_: 7)
    streams = set()
    for seed in range(10):
        report = algdim.dimension(TWO_LEVELS, method="table", bounds="counting,symmetry,flattenings,ambient", seed=seed)
        streams.update(text for draw in report.draws for text in draw.streams)

        assert report.lower.value <= 14 <= report.upper.value
    assert any("again" in text for text in streams)


# dimensions


@pytest.mark.parametrize(
    ("text", "standard", "expected"),
    [
        (TWO_LEVELS, 14, 14),
        (THREE_LEVELS, 17, 15),
        (WITH_ARC, 15, 15),
        (f"sigmoid: T -> H1, H2 -> {FIVE}; hidden T, H1, H2", 20, 18),
        (f"sigmoid: H1 -> H2; H1, H2 -> {FIVE}; hidden H1, H2", 18, 18),
        (f"sigmoid: H1, H2 -> {FIVE}; hidden H1, H2", 17, 17),
    ],
)
def test_the_networks_of_the_paper(text, standard, expected):
    """GHM96 §8: 14 of 14, 15 of 17 and its 15-parameter network; with five items the two are missing too."""
    report = algdim.dimension(text)

    assert (expected, standard) == (report.dimension, report.standard)
    assert report.exact
    assert expected == brute_sigmoid.dimension(report.model)


@pytest.mark.parametrize("text", [TWO_LEVELS, THREE_LEVELS, WITH_ARC, "sigmoid: G, H -> A, B, C; hidden G, H"])
def test_the_rank_in_the_weights_themselves(text):
    """Sixty digits, with error bounds: at a point in a and b the rank is at least the dimension that is proved above."""
    report = algdim.dimension(text)

    assert report.exact
    assert report.dimension == brute_sigmoid.certified_rank(report.model)


def check_bounds(seed):
    """Every bound on one random network, alone beside ambient, with districts and without."""
    model = sigmoid_network(seed)
    rank = brute_sigmoid.dimension(model)
    for name in NAMES:
        for bounds in (f"{name},ambient", f"{name},ambient,districts"):
            report = algdim.dimension(model, bounds=bounds)
            assert report.lower.value <= rank <= report.upper.value, (seed, bounds, model)
            assert report.upper.is_proved


def test_fields_of_polynomials_are_not_sought_where_tables_are_quotients():
    """The products of the tables around the hidden variables of this network are no polynomials: nothing is multiplied out."""
    check_bounds(310)


@pytest.mark.slow
@pytest.mark.parametrize("block", range(20))
def test_no_bound_is_below_the_rank_on_many_networks(block):
    """Symmetries, flattenings, trees and the others, on 1,000 networks that are larger than the suite's own."""
    for seed in range(1000 + 50 * block, 1050 + 50 * block):
        check_bounds(seed)


@pytest.mark.parametrize("seed", daily(range(40), 5))
def test_full_sigmoids_are_tables(seed):
    """The model with tables in the place of sigmoids with a weight for every row has the same rank by brute force."""
    model = sigmoid_network(seed)
    other, names = replace_by_free_tables(model)

    assert brute_sigmoid.dimension(model) == brute_sigmoid.dimension(other)
    assert brute_sigmoid.standard(model) == brute_sigmoid.standard(other)
    assert all(isinstance(v.local, Table) == (v.name in names) for v in other.variables if v.name in names)


def test_a_tree_of_sigmoids_is_a_latent_tree():
    """With one binary parent each, everything that is known of latent trees applies, and the report says so."""
    tree = algdim.dimension("sigmoid: G -> A, B, H; H -> C, D; hidden G, H")

    assert tree.dimension == algdim.dimension("2(2,2,2(2,2))").dimension
    assert "trees" == tree.upper.kind
    assert "sigmoid G, A, B, H, C, D: the same as free tables" in str(tree)


def test_one_observed_sigmoid_variable_needs_no_rank():
    """Its weights are functions of its table, however many parents it has."""
    parents = ", ".join(f"A{number}" for number in range(15))
    report = algdim.dimension(f"sigmoid: {parents} -> X")

    assert 15 + 16 == report.dimension == report.standard
    assert report.exact
    assert not report.draws


def test_one_state_parents_have_no_weight():
    """A parent that is always 0 adds no parameter."""
    assert ("A(X)", "B(X|G)") == get_param_map(algdim.model("G, H -> X; hidden H; states H=1; sigmoid X")).parameters[
        1:
    ]


def test_symbolic_elimination_is_refused():
    """The coordinates are quotients, and the message says why."""
    with pytest.raises(LimitError, match=r"no polynomials .*sigmoid"):
        algdim.dimension(TWO_LEVELS, method="symbolic")


def test_more_than_two_states_give_powers():
    """A parent with three states has scores 0, 1, 2: fewer weights than rows, and the dimension is that of loops."""
    model = algdim.model("A, H -> X, Y; hidden H; states A=3, H=3; sigmoid X, Y")

    assert brute_sigmoid.dimension(model) == algdim.dimension(model).dimension
    assert brute_sigmoid.certified_rank(model) <= algdim.dimension(model).dimension


# commands


def test_what_is_not_there_for_sigmoid_variables_is_refused_by_name():
    """KZ02's bounds say that it is the sigmoid variables that they do not know."""
    with pytest.raises(InputError, match="or sigmoid; KZ02's bounds are for free tables"):
        algdim.bounds("A, H -> X; H -> Y; hidden H; sigmoid X")


@pytest.mark.drawn
def test_random_networks_have_certificates():
    """Most are proved to the checker, and then the claim is that of the brute force."""
    proved = 0
    for seed in drawn(range(300, 320), 6):
        model = sigmoid_network(seed)
        try:
            claim = algdim.prove(model).data["claim"]
        except NotProvedError:
            continue
        proved += 1
        assert brute_sigmoid.dimension(model) == claim["dimension"]
        assert brute_sigmoid.standard(model) == claim["standard"]

    assert proved >= (15 if IS_ALL else 1)


def test_a_latent_class_model_of_sigmoids_is_one_of_tables():
    """Bounds, identifiability and the decomposition are those of 2:2,2,2."""
    text = "sigmoid: H -> X1, X2, X3; hidden H"

    assert algdim.bounds("2:2,2,2").to_dict() == {**algdim.bounds(text).to_dict(), "model": "2:2,2,2"}
    assert algdim.decompose(text).rule
    assert "the same as free tables" in str(algdim.decompose(text))
    assert "no latent tree: X is sigmoid" in str(algdim.decompose("A, H -> X; H -> Y; hidden A, H; sigmoid X"))


def test_the_map_is_written_out():
    """Quotients, with A and B by name, and in LaTeX."""
    from algdim.explanation.printing import print_map

    printed = print_map(get_param_map(algdim.model("sigmoid: A -> B")))

    assert "P(A=0,B=0) = 1/((A(A) + 1)·(A(B) + 1))" == str(printed).splitlines()[0]
    assert r"B_{B \mid A}" in printed.latex()
    assert "2 states, sigmoid, given A" in str(algdim.explain("sigmoid: A -> B"))
