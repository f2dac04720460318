"""The Jacobian at a point, in any arithmetic."""

from fractions import Fraction
from itertools import pairwise
from math import log2

import brute
import numpy as np
import pytest
from amount import some
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from profile_strategies import profiles
from strategies import networks
from suites.agreement import is_small
from suites.random_gaussians import gaussian_model

import algdim
from algdim import LimitError, dimension
from algdim import jacobian as module
from algdim.exact.arithmetic import SIZES, Floats, Residues, make_rationals, make_size_point
from algdim.families.discrete.functionals import draw_probes, select_all_cells
from algdim.families.discrete.map import get_param_map
from algdim.jacobian import evaluate_functionals, evaluate_jacobian, make_evaluator
from algdim.limits import Allowance, allowing, get_allowance, telling
from algdim.maps import map_of
from algdim.models.notation import parse

FREE = networks(max_variables=4, max_states=3, special=False, max_table=30)


def point_of(pmap):
    """A point that is not a probability."""
    return [Fraction(3 * number + 2, 7) for number in range(len(pmap.parameters))]


@settings(max_examples=some(40))
@given(FREE)
def test_values_and_derivatives_are_those_of_the_polynomials(model):
    """Every cell and each of its derivatives, over the rationals, equal the polynomials' values."""
    assume(brute.joint_states(model) <= 100)
    pmap, field = get_param_map(model), make_rationals()
    point = point_of(pmap)
    by_name = dict(zip(pmap.parameters, point, strict=True))
    elements = field.elements(np.array(point, dtype=object))
    values = evaluate_functionals(pmap, field, elements, select_all_cells(pmap))
    matrix = evaluate_jacobian(pmap, field, elements, select_all_cells(pmap))
    for polynomial, value, row in zip(brute.free_polynomials(model).values(), values, matrix, strict=True):
        assert brute.value_at(polynomial, by_name) == value
        assert [brute.value_at(brute.by(polynomial, name), by_name) for name in pmap.parameters] == list(row)


@settings(max_examples=some(60))
@given(networks(max_variables=5, max_states=3, max_table=40))
def test_every_parameter_moves_the_cells_as_its_column_says(model):
    """With shared, fixed and named entries: a column is the slope of the cells in that parameter, found by interpolation."""
    assume(is_small(model))
    pmap = get_param_map(model)
    field = Residues(8388593)
    prime, count = field.prime, len(pmap.parameters)
    assume(count > 0)
    cells, evaluator = select_all_cells(pmap), make_evaluator(pmap)
    start = np.arange(2, 2 + count) ** 5
    matrix = evaluate_jacobian(pmap, field, field.elements(start), cells, evaluator=evaluator)
    number = hash(model) % count
    degree = len(model.variables)
    samples = []
    for step in range(degree + 1):
        moved = start.copy()
        moved[number] += step
        samples.append(
            [
                int(value)
                for value in evaluate_functionals(pmap, field, field.elements(moved), cells, evaluator=evaluator)
            ]
        )
    # the derivative at 0 of the polynomial through the samples at 0, 1, …, by forward differences
    slopes, differences = [0] * pmap.cells, samples
    for order in range(1, degree + 1):
        differences = [[b - a for a, b in zip(x, y, strict=True)] for x, y in pairwise(differences)]
        factor = pow(order, -1, prime) * (1 if order % 2 else -1)
        slopes = [(slope + factor * value) % prime for slope, value in zip(slopes, differences[0], strict=True)]

    assert slopes == [int(value) % prime for value in matrix[:, number]]


@settings(max_examples=some(40))
@given(networks(max_variables=4, max_states=3, max_table=40))
def test_probabilities_sum_to_one(model):
    """Per condition the cells sum to 1 at every point, and so every column of the Jacobian sums to 0."""
    pmap, field = get_param_map(model), make_rationals()
    elements = field.elements(np.array(point_of(pmap), dtype=object))
    conditions = pmap.cells - pmap.complete
    matrix = evaluate_jacobian(pmap, field, elements, select_all_cells(pmap))

    assert conditions == sum(evaluate_functionals(pmap, field, elements, select_all_cells(pmap)))
    assert all(sum(column) == 0 for column in matrix.T)


def test_rows_are_a_slice_of_all_rows():
    """Some rows can be asked for; batches do not show."""
    pmap, field = get_param_map(algdim.model("5(2,3(2,2),3(2,2))")), Residues(8388593)
    point = field.elements(np.arange(1, 42))
    whole = evaluate_jacobian(pmap, field, point, select_all_cells(pmap))

    assert (32, 41) == whole.shape
    assert (whole[5:29] == evaluate_jacobian(pmap, field, point, select_all_cells(pmap), rows=range(5, 29))).all()


def test_small_batches_change_nothing(monkeypatch):
    """The result is the same whatever fits at once."""
    pmap, field = get_param_map(algdim.model("3:3,2,2")), Residues(8388593)
    point = field.elements(np.arange(1, 1 + len(pmap.parameters)))
    probes = draw_probes(pmap, 31, field.prime, 0)
    whole = evaluate_jacobian(pmap, field, point, probes)
    monkeypatch.setattr(module, "TAPE_BYTES", 2000)

    assert (whole == evaluate_jacobian(pmap, field, point, probes)).all()


def test_probe_rows_are_combinations_of_cell_rows():
    """Each probe's row is the combination of the cells' rows with its own weights."""
    pmap, field = get_param_map(algdim.model("3:3,2,2")), Residues(8388593)
    point = field.elements(np.arange(1, 1 + len(pmap.parameters)))
    probes = draw_probes(pmap, 7, field.prime, 0)
    vectors = [vector.astype(np.int64).astype(object) for vector in probes.vectors(field, 0, 7)]
    weights = np.einsum("ak,bk,ck->kabc", *vectors).reshape(7, -1)
    cells = evaluate_jacobian(pmap, field, point, select_all_cells(pmap)).astype(np.int64).astype(object)
    found = evaluate_jacobian(pmap, field, point, probes).astype(np.int64).astype(object)

    assert ((weights @ cells - found) % field.prime == 0).all()


def test_floats_are_near_the_exact_values():
    """The same engine in floating point."""
    pmap = get_param_map(algdim.model("2:2,2,2"))
    point = [Fraction(number, 10) for number in range(2, 9)]
    exact = evaluate_jacobian(
        pmap, make_rationals(), make_rationals().elements(np.array(point, dtype=object)), select_all_cells(pmap)
    )
    found = evaluate_jacobian(pmap, Floats(), np.array([float(value) for value in point]), select_all_cells(pmap))

    assert np.abs(exact.astype(float) - found).max() < 1e-14


def refusal(text, method, memory):
    """What is said where a method does not fit."""
    with pytest.raises(LimitError) as caught:
        dimension(text, method=method, max_memory=memory)
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "method", "memory", "helps"),
    [
        ("2:2^16", "rational", 10**6, True),
        ("2:2^16", "rowreduce", 10**5, True),
        ("2:2^16", "table", 10**5, True),
        ("20:2^14", "table", 150_000, False),
        ("20:2^14", "probes", 10**5, False),
    ],
)
def test_probes_are_advised_where_they_help(text, method, memory, helps):
    """Not where they were used already, nor where a block of the table is too large that has as many rows."""
    assert helps == ("use the method probes" in refusal(text, method, memory))


def test_a_block_of_rows_is_called_a_block():
    """A table with more rows than are taken at once."""
    message = refusal("20:2^14", "table", 150_000)

    assert "a block of 315 of 16384 rows of the Jacobian has 299 columns" in message


def test_at_a_point_probes_are_no_help():
    """All cells are needed."""
    tables = {"H": [["1/2", "1/2"]], **{f"X{n}": [["1/3", "2/3"], ["1/5", "4/5"]] for n in range(1, 17)}}
    with pytest.raises(LimitError, match=r"allow more \(--max-memory\)$"):
        dimension("2:2^16", at=tables, max_memory=10**6)


def test_too_little_memory_is_refused_with_the_figure():
    """Before anything is allocated."""
    pmap, field = get_param_map(algdim.model("2:2^10")), Residues(8388593)
    with pytest.raises(LimitError, match=r"1024 rows and 21 columns.*are needed and 1 kB are allowed"):
        evaluate_jacobian(
            pmap, field, field.elements(np.ones(21, dtype=np.int64)), select_all_cells(pmap), max_memory=1000
        )


def test_a_map_without_parameters_has_no_columns():
    """And as many rows as cells."""
    pmap, field = get_param_map(algdim.model("states A=3; fix P(A=0)=1/3, P(A=1)=1/3")), make_rationals()

    assert (3, 0) == evaluate_jacobian(pmap, field, np.zeros(0, dtype=object), select_all_cells(pmap)).shape


def test_values_are_told_where_nothing_else_is():
    """Who evaluates cells for long says so, unless a search has said already what is done."""
    said = []
    pmap = map_of(parse("2:2,2"))

    class Listening(Residues):
        def elements(self, numbers):
            said.append(get_allowance().doing)
            return super().elements(numbers)

    cells, field = make_evaluator(pmap).all_coordinates(), Listening(101)
    with allowing(Allowance()):
        evaluate_functionals(pmap, field, Residues(101).elements(np.arange(5)), cells)
        with telling("koszul"):
            evaluate_functionals(pmap, field, Residues(101).elements(np.arange(5)), cells)

    assert "the values of 4 coordinates at a point" in said
    assert "koszul" == said[-1]


def evaluate_sizes(pmap):
    """The greatest degree, and log₂ of the greatest norm, of all coordinates by the formula, which sees nothing cancel."""
    coordinates = make_evaluator(pmap).all_coordinates()
    found = evaluate_functionals(pmap, SIZES, make_size_point(len(pmap.parameters)), coordinates)
    return max(size.degree for size in found), log2(max(1, *(size.norm for size in found)))


@settings(max_examples=some(40))
@given(st.integers(0, 10**6), st.booleans())
def test_no_gaussian_size_by_hand_is_below_that_of_the_formula(seed, special):
    """Without fixed entries that are 0 the degrees are the same; the norm by hand takes the greatest error for each."""
    model = gaussian_model(seed, most=5, cycles=False, special=special)
    pmap = map_of(model)
    degree, log_size = evaluate_sizes(pmap)

    assert pmap.degree_and_log_size()[0] >= degree
    assert pmap.degree_and_log_size()[1] >= log_size - 1e-9
    if not special:
        assert pmap.degree_and_log_size()[0] == degree


@settings(max_examples=some(30))
@given(profiles())
def test_sizes_of_moments_by_hand_are_those_of_the_formula(model):
    """Both are the same."""
    pmap = map_of(model)
    (degree, log_size), (expected, log_expected) = evaluate_sizes(pmap), pmap.degree_and_log_size()

    assert (expected, round(log_expected, 9)) == (degree, round(log_size, 9))


@settings(max_examples=some(30))
@given(networks(max_variables=4, max_states=3, max_table=30))
def test_no_size_of_a_network_by_hand_is_below_that_of_the_formula(model):
    """Of tables of all kinds; those by hand clear the denominators of fixed entries."""
    assume(brute.joint_states(model) <= 100)
    pmap = map_of(model)
    assume(pmap.parameters and pmap.is_polynomial)
    degree, log_size = evaluate_sizes(pmap)

    assert pmap.degree_and_log_size()[0] >= degree
    assert pmap.degree_and_log_size()[1] >= log_size - 1e-9


def test_components_of_which_nothing_is_observed():
    """Their factors are numbers, which sum to 1."""
    pmap = map_of(algdim.model("states A=2, H=2, K=3; hidden H, K"))

    assert [["1", "0", "0", "0"], ["-1", "0", "0", "0"]] == [
        [str(entry) for entry in row] for row in module.compute_symbolic_jacobian(pmap, make_evaluator(pmap), 100)
    ]
