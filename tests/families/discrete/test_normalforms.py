"""Normal forms: their rank is the dimension by definition, fields do what the lemma says, models that nothing else proves."""

from __future__ import annotations

import json
import random
from fractions import Fraction

import brute
import numpy as np
import pytest
from amount import in_turn
from certificates import forced
from suites.random_networks import LARGER, Kind, draw

import algdim
from algdim.certificate import checker
from algdim.exact.arithmetic import Residues
from algdim.exact.draws import draw_residues, open_stream
from algdim.exact.polynomials import (
    TermWork,
    find_generic_rank,
    find_kernel_by_primitive_rows,
    make_polynomials,
    multiply_by_vector,
)
from algdim.exact.ranks import rank_mod
from algdim.families.discrete.bounds.circuits import compute_jacobian
from algdim.families.discrete.bounds.directions import Point
from algdim.families.discrete.bounds.normalforms import (
    bound_by_normal_form,
    choose_normal_form,
    collect_directions,
    find_chain,
    iterate_mixing_fields,
    iterate_observed_states,
    iterate_weighting_fields,
    list_equivariant_fields,
    list_free_tables,
    list_sums_of_cells,
    pick_ends,
    pick_first,
)
from algdim.families.discrete.bounds.search import Setting, make_closed_setting
from algdim.families.discrete.bounds.surroundings import bound_by_surroundings
from algdim.families.discrete.certificate import order_given_variables
from algdim.families.discrete.functionals import select_all_cells
from algdim.families.discrete.map import get_param_map
from algdim.jacobian import evaluate_functionals, evaluate_jacobian
from algdim.models.notation import parse

PRIME = 8388593
FEW = ("counting", "ambient", "normal-form")
BINARY = LARGER["binary"]._replace(variables=(4, 7))
OTHER = Kind((4, 6), (2, 3), Fraction(1, 3), 0.5, 128)

PAIR = """H1, X1 -> H2; H2, X5 -> H5; H1, X2, X3, H5 -> X7; H1, X2, X4, H3 -> X6; X1, X5 -> H3;
hidden H1, H2, H3, H5; given X1, X2, X3, X4, X5"""
THREE = "H2 -> X3; X1, H2 -> H4; X1, H2, X3, H4 -> X4; H4 -> H5; X2, X3, H5 -> X7; H1, X1, H2 -> X2; hidden H2, H4, H5; given H1, X1"
"""A district of three hidden variables: of 41 parameters 36 matter."""


def setting_of(model, lower):
    """The setting of a closed model that is to be proved to have a dimension, and what its roots add."""
    return make_closed_setting(get_param_map(model), lower, 0)


def draw_point_of(pmap, number=0):
    """A point of a map."""
    values = draw_residues(open_stream(number, "normal form"), PRIME, pmap.parameter_count).astype(np.int64)
    return Point(pmap, PRIME, "", values)


def iterate_models(seed, kinds=(BINARY, OTHER)):
    """Random networks of several kinds with hidden variables."""
    source = random.Random(seed)
    while True:
        model = draw(source, source.choice(kinds))
        if model.hidden and len(model.observed) > 1:
            yield model


def test_a_model_that_nothing_else_proves():
    """36 of 41, by definition; symmetries alone leave 37."""
    report = algdim.dimension(THREE, bounds="counting,ambient,normal-form")

    assert (36, True, "normal-form") == (report.dimension, report.exact, report.upper.kind)
    assert 36 == brute.dimension(parse(THREE))
    assert 36 < algdim.dimension(THREE, bounds="counting,ambient,containing,grids,symmetry,margins").upper.value


def test_the_rank_of_a_local_map_proves_directions():
    """One of seven directions is around H2 and H5, where a normal form has four parameters left."""
    model = parse(PAIR)
    setting, extra = setting_of(model, 38)
    bound = bound_by_surroundings(setting)

    assert 38 == brute.dimension(model)
    assert (38, "symmetry") == (bound.value - extra, bound.kind)
    assert "normal forms" in str(bound.evidence)


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow), pytest.param(3, marks=pytest.mark.slow)])
def test_the_rank_on_a_normal_form_is_the_dimension(seed):
    """Of random networks, with the rank by definition; no rank is known, so that no constants are left out as special."""
    met = 0
    for model in iterate_models(seed):
        bound = bound_by_normal_form(Setting(get_param_map(model), 0, seed))
        if bound is not None:
            met += 1
            assert bound.value == brute.dimension(model), model
        if met == (40 if seed == 1 else 150):
            break


@pytest.mark.parametrize("seed", [5, pytest.param(6, marks=pytest.mark.slow)])
def test_no_search_proves_less_than_the_dimension(seed):
    """Of random networks: surroundings that are asked for one less than the rank by definition find nothing."""
    for number, model in zip(range(8 if seed == 5 else 120), iterate_models(seed), strict=False):
        rank = brute.dimension(model)
        setting, _ = make_closed_setting(get_param_map(model), rank - 1, number)
        assert bound_by_surroundings(setting) is None, model


@in_turn(3)
def test_mixing_and_weights_act_linearly():
    """J·w is a fixed matrix times the cells; of weights, less a number for each condition times the cells."""
    fields = 0
    for number, model in zip(range(20), iterate_models(4), strict=False):
        pmap = get_param_map(model)
        point = draw_point_of(pmap, number)
        field = Residues(PRIME)
        values = field.elements(point.values)
        cells = np.remainder(evaluate_functionals(pmap, field, values, select_all_cells(pmap)), PRIME).astype(object)
        jacobian = evaluate_jacobian(pmap, field, values, select_all_cells(pmap))
        tables = list_free_tables(point)
        for row in iterate_weighting_fields(point, tables):
            moved = np.remainder(field.matmul(jacobian, field.elements(row[:, None])), PRIME)[:, 0]
            weights = {
                int(change) * pow(int(cell), -1, PRIME) % PRIME for change, cell in zip(moved, cells, strict=True)
            }
            assert len(weights) == 2, model  # those of the cells with the state, and of the others
            assert 1 == (max(weights) - min(weights)) % PRIME or PRIME - 1 == max(weights) - min(weights)
            fields += 1
        for row in iterate_mixing_fields(point, tables):
            moved = np.remainder(field.matmul(jacobian, field.elements(row[:, None])), PRIME)[:, 0].astype(object)
            assert any(np.array_equal(moved, one % PRIME) for one in list_mixed(pmap, cells)), model
            fields += 1
    assert fields > 100


def list_mixed(pmap, cells):
    """What mixing two states of a variable, for a joint state of others that are observed, makes of the cells."""
    table = cells.reshape(pmap.shape)
    tables = list_free_tables(draw_point_of(pmap))
    for axis, one in tables.items():
        if axis not in pmap.observed:
            continue
        place = pmap.observed.index(axis)
        for state in iterate_observed_states(pmap, one.axes[:-1]):
            index = [slice(None)] * len(pmap.shape)
            for parent, value in zip(one.axes[:-1], state, strict=True):
                if parent in pmap.observed:
                    index[pmap.observed.index(parent)] = value
            for i in range(pmap.sizes[axis]):
                for j in range(pmap.sizes[axis]):
                    source, target = list(index), list(index)
                    source[place], target[place] = j, i
                    found = np.zeros(table.shape, dtype=object)
                    found[tuple(target)] += table[tuple(source)]
                    found[tuple(source)] -= table[tuple(source)]
                    if i != j:
                        yield found.ravel()


def test_constants_are_moved_independently():
    """By the fields at the point at which all have them."""
    for model, _ in zip(iterate_models(6), range(10), strict=False):
        pmap = get_param_map(model)
        form = choose_normal_form(Setting(pmap, 0, 0), pick_first)
        if form is None:
            continue
        fields = np.vstack([list_equivariant_fields(form.point), collect_directions(form.known, pmap.parameter_count)])
        columns = np.ascontiguousarray(fields[:, sorted(form.constants)] % form.point.prime)

        assert rank_mod(columns, form.point.prime).value == len(form.constants)
        assert all(form.point.values[k] == c % form.point.prime for k, c in form.constants.items())


def test_weights_need_tables_that_take_them():
    """In W nothing takes what the weights of C leave over: H and A have no table with the other for a parent."""
    pmap = get_param_map(parse("A -> C <- H -> D <- B; hidden H"))
    tables = list_free_tables(draw_point_of(pmap))
    numbers = {variable.name: number for number, variable in enumerate(pmap.model.variables)}

    assert find_chain(pmap, numbers["C"], tables) is None
    assert find_chain(pmap, numbers["A"], tables) == [numbers["A"]]
    chain = get_param_map(parse("H -> A; H, A -> B; hidden H"))
    assert find_chain(chain, 2, list_free_tables(draw_point_of(chain))) == [2, 1, 0]


@in_turn(2)
def test_sums_of_cells_have_the_same_rank():
    """They are a basis of all functionals."""
    for model, number in zip(iterate_models(8), range(12), strict=False):
        pmap = get_param_map(model)
        field = Residues(PRIME)
        identity = evaluate_jacobian_of_cells(pmap)
        assert rank_mod(identity, PRIME).value == pmap.cells
        values = field.elements(draw_point_of(pmap, number).values)
        sums = evaluate_jacobian(pmap, field, values, list_sums_of_cells(pmap))
        cells = compute_jacobian(pmap, PRIME, draw_point_of(pmap, number).values)
        assert rank_mod(sums, PRIME).value == rank_mod(cells, PRIME).value


def evaluate_jacobian_of_cells(pmap):
    """The sums as a matrix whose columns are cells."""
    vectors = list_sums_of_cells(pmap).vectors(Residues(PRIME), 0, pmap.cells)
    rows = []
    for number in range(pmap.cells):
        row = np.ones(1)
        for one in vectors:
            row = np.multiply.outer(row, one[:, number]).ravel()
        rows.append(row)
    return np.array(rows)


def test_elimination_by_primitive_rows_is_elimination():
    """Of random matrices of polynomials, with the rank by fraction-free elimination; with too little work it ends."""
    source = random.Random(9)
    _, variables = make_polynomials(3)
    zero = variables[0] - variables[0]
    for _ in range(30):
        small = [
            [source.choice([zero, *variables, variables[0] * variables[1] - 2]) for _ in range(3)] for _ in range(5)
        ]
        mixing = [[source.choice([zero, *variables]) for _ in range(5)] for _ in range(6)]
        matrix = [
            [sum((a * b for a, b in zip(row, column, strict=True)), zero) for column in zip(*small, strict=True)]
            for row in mixing
        ]
        rows = [{k: entry for k, entry in enumerate(row) if entry != 0} for row in matrix]

        kernel = find_kernel_by_primitive_rows(rows, range(5), variables[0] ** 0, TermWork(1 << 20))

        assert 5 - len(kernel) == len(find_generic_rank(matrix)[0])
        assert not any(multiply_by_vector(row, vector, TermWork(1 << 20)) != 0 for row in rows for vector in kernel)
    with pytest.raises(algdim.LimitError, match="products of terms"):
        find_kernel_by_primitive_rows(rows, range(5), variables[0] ** 0, TermWork(3))


def test_rows_are_picked():
    """As many as there are states, all of them different."""
    for rows in range(2, 9):
        for states in range(2, rows + 1):
            assert len(set(pick_first(rows, states))) == len(set(pick_ends(rows, states))) == states


def as_claimed(model):
    """The model as the checker has it."""
    variables = [
        {"name": v.name, "states": v.states, "observed": v.observed, "parents": list(v.parents)}
        for v in model.variables
    ]
    given = {"given": [v.name for v in model.variables if v.name in model.given]} if model.given else {}
    return checker.discrete({"family": "discrete", "variables": variables, **given}, checker.Work())


KERNELS = (
    "A, B -> H -> X; A, B -> Y; H -> Y; hidden H; given A, B; states X=3, H=3, A=3",
    "A -> H -> X -> Y; H, B -> Y; X -> Z; hidden H; given A, B; states Y=3",
    "G -> H; A, H -> X; G, X -> Y; Y, B -> Z; hidden G, H; given A, B; states G=3, Z=3",
)


def test_the_checker_finds_the_same_fields():
    """It derives mixings and weightings from the lemma for itself, of conditional models, too."""
    fields = 0
    models = [
        *(parse(text) for text in KERNELS),
        *(model for model, _ in zip(iterate_models(12), range(15), strict=False)),
    ]
    for number, model in enumerate(models):
        claimed, pmap = as_claimed(model), get_param_map(model)
        point = draw_point_of(pmap, number)
        values = dict(zip(claimed.parameters, point.values.tolist(), strict=True))
        field = checker.Field(PRIME, checker.Work())
        theirs = [*checker.mixings(claimed, field, values), *checker.weightings(claimed, field, values)]
        mine = list_equivariant_fields(point) % PRIME

        assert {tuple(row) for row in checker.rows_of(theirs, claimed)} == {tuple(row) for row in mine.tolist()}, model
        fields += len(mine)
    assert fields > 100


@pytest.mark.parametrize(
    ("model", "bounds"),
    [
        pytest.param(THREE, (*FEW, "containing", "flattenings"), marks=pytest.mark.slow),
        (PAIR, (*FEW, "containing", "flattenings", "surroundings")),
    ],
)
def test_normal_forms_and_surroundings_have_certificates(model, bounds):
    """The normal form itself, and a local map whose rank one proves."""
    found = forced(order_given_variables(parse(model)), bounds)
    text = json.dumps(found)

    assert brute.dimension(parse(model)) == found["claim"]["dimension"]
    assert checker.verdict(text.encode())[0] == 0
    assert '"normal-form"' in text


@pytest.mark.parametrize(
    "seed", [21, pytest.param(22, marks=pytest.mark.slow), pytest.param(23, marks=pytest.mark.slow)]
)
def test_normal_forms_have_certificates(seed):
    """Of random networks for which no other bound is tried."""
    met = 0
    for model in iterate_models(seed):
        report = algdim.dimension(model, bounds=FEW)
        if report.upper.kind == "normal-form" and report.exact:
            met += 1
            certificate = forced(model, FEW)
            assert certificate["claim"]["dimension"] == brute.dimension(model), model
            assert checker.verdict(json.dumps(certificate).encode())[0] == 0, model
        if met == (5 if seed == 21 else 60):
            break
