"""The M step: closed forms, ties, monotone EM."""

from dataclasses import replace

import brute
import numpy as np
import pytest
from amount import in_turn, some
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from strategies import networks
from test_likelihood import problem, random_sample

import algdim
from algdim import InputError
from algdim.families.discrete.map import get_param_map
from algdim.fitting.em import draw_starts
from algdim.fitting.maximization import Component, Prior, make_maximizer, maximise_by_newton, parse_prior
from algdim.fitting.record import name_table_rows
from algdim.fitting.samples import read_sample

TIED = "A -> B -> C; states A=3, B=3, C=3; equal s = P(B=0|A=0), P(B=0|A=1); equal t = P(C=1|B=0), P(B=2|A=0)"
CROSSED = (
    "states A=3, B=3; A -> C; equal a = P(A=0), P(B=0); equal b = P(A=1), P(B=1); equal c = P(A=2), P(B=2); "
    "equal d = P(C=0|A=0), P(C=1|A=1); equal e = P(C=1|A=0), P(C=0|A=2)"
)


def check_constraints(model, rows):
    """Rows are distributions, fixed entries have their values, entries of one name are equal."""
    sizes, values = model.states, {}
    for variable in model.variables:
        table = rows.get(getattr(variable.local, "share", None) or variable.name)
        if table is None:
            continue
        assert np.ones(len(table)) == pytest.approx(np.sum(table, axis=1), abs=1e-12)
        assert (np.array(table) >= 0).all()
        cells = np.reshape(table, (*(sizes[parent] for parent in variable.parents), variable.states))
        for (row, state), value in variable.local.fixed:
            assert float(value) == cells[*row, state]
        for (row, state), label in variable.local.equal:
            assert values.setdefault(label, cells[*row, state]) == cells[*row, state]


@settings(max_examples=some(60))
@given(networks(max_variables=5, max_states=3, max_table=40, deterministic=True), st.integers(0, 2**32), st.booleans())
@example(algdim.model("3:2,3,2"), 0, False)
@example(algdim.model(TIED), 1, False)
@example(algdim.model(TIED), 1, True)
@example(algdim.model(CROSSED), 1, False)
@example(algdim.model(CROSSED), 1, True)
def test_em_is_monotone_and_keeps_the_constraints(model, seed, with_prior):
    """No step lowers the objective; fixed entries, names and row sums hold as a parameter file demands."""
    assume(brute.joint_states(model) <= 2000)
    sample = random_sample(model, seed)
    what = problem(get_param_map(model), sample, Prior("alpha", 1.5) if with_prior else Prior())
    climbers = draw_starts(what, seed, 3)
    possible = np.isfinite(climbers.objective)
    at = what.evaluator(3)
    for _ in range(8):
        climbers = what.step(at, climbers)

        assert (climbers.gain[possible] >= -1e-9 * (1 + np.abs(climbers.objective[possible]))).all()
    for k in np.flatnonzero(possible):
        rows = name_table_rows(what.family.pmap, [table[k] for table in climbers.tables])
        check_constraints(model, rows)


@in_turn(2)
def test_a_tied_step_is_not_lost_to_rounding():
    """A class without counts: the step that is taken gains what it can, and its rows add up; 1e-9 less had been refused."""
    network = algdim.model(TIED)
    what = problem(get_param_map(network), random_sample(network, 1), Prior())
    climbers = draw_starts(what, 1, 3)
    at = what.evaluator(3)
    for _ in range(40):
        climbers = what.step(at, climbers)
    whole = replace(at, shown=None, parts=())
    other = draw_starts(what, 1, 3)
    for _ in range(40):
        other = what.step(whole, other)

    assert climbers.objective == pytest.approx(other.objective, abs=1e-6)
    assert climbers.objective[0] > -29
    for table in climbers.tables:
        assert np.ones(table.shape[:-1]) == pytest.approx(table.sum(axis=-1), abs=1e-13)


def em(model, data, steps, prior="ml", start=0):
    """The tables after some steps."""
    network = algdim.model(model)
    what = problem(get_param_map(network), read_sample(data, network), parse_prior(prior))
    climbers = draw_starts(what, start, 1)
    for _ in range(steps):
        climbers = what.step(what.evaluator(1), climbers)
    return name_table_rows(what.family.pmap, [table[0] for table in climbers.tables])


ABC = {"A": [0, 0, 0, 1, 1, 1], "B": [0, 1, 0, 1, 1, 0], "count": [5, 3, 1, 2, 7, 4]}


def test_complete_data_need_one_step():
    """Free tables are relative frequencies: A is 9 and 13 of 22; B given A is 6:3 and 4:9."""
    found = em("A -> B", ABC, 1)

    assert ((9 / 22, 13 / 22),) == found["A"]
    assert np.array([[6 / 9, 3 / 9], [4 / 13, 9 / 13]]) == pytest.approx(np.array(found["B"]))


def test_a_shared_table_adds_its_uses():
    """An i.i.d. pair: 10 zeros of A, 9 of B, among 2 · 22."""
    found = em("states A=2, B=2; share s: A, B", ABC, 1)

    assert np.array([[19 / 44, 25 / 44]]) == pytest.approx(np.array(found["s"]))


def test_fixed_entries_stay():
    """One entry is 1/2; the two others part the rest as 2 and 3."""
    found = em("states A=3; fix P(A=1) = 1/2", {"A": [0, 1, 2], "count": [2, 9, 3]}, 1)

    assert np.array([[0.2, 0.5, 0.3]]) == pytest.approx(np.array(found["A"]))


def test_named_entries_add_up():
    """P(B=0|A=0) = P(B=1|A=1): agreement 6 + 9 of 22."""
    found = em("A -> B; equal s = P(B=0|A=0), P(B=1|A=1)", ABC, 1)

    assert np.array([[15 / 22, 7 / 22], [7 / 22, 15 / 22]]) == pytest.approx(np.array(found["B"]))


def test_an_entry_named_twice_in_a_row():
    """2a + b = 1: a has half of what its two entries have."""
    found = em("states A=3; equal a = P(A=0), P(A=1)", {"A": [0, 1, 2], "count": [2, 3, 5]}, 1)

    assert np.array([[0.25, 0.25, 0.5]]) == pytest.approx(np.array(found["A"]))


def test_crossed_names_reach_the_maximum():
    """a + b = 1 and a + c + d = 1 in one table each: what Newton finds no small feasible move improves."""
    text = "states A=2, B=3; equal a = P(A=0), P(B=0); equal b = P(A=1); equal d = P(B=2)"
    found = em(text, {"A": [0, 1, 1, 0], "B": [0, 1, 2, 2], "count": [5, 3, 4, 7]}, 2)

    # a: 12 + 5, the rest of A 7, and of B 3 and 11: the rest 1 − a of both is one number
    assert 17 / (17 + 7 + 14) == pytest.approx(found["A"][0][0])


def test_priors_add_their_counts():
    """Dirichlet(3) adds 2 to every entry, 3 in softmax coordinates; equal entries have it once."""
    network = algdim.model("states A=2, B=2; share s: A, B")
    for coordinates, more in (("probability", 2), ("softmax", 3)):
        (pseudo,) = make_maximizer(get_param_map(network), parse_prior("alpha=3", coordinates)).pseudo

        assert [more, more] == pseudo.tolist()
    (_, pseudo) = make_maximizer(
        get_param_map(algdim.model("A -> B; equal s = P(B=0|A=0), P(B=1|A=1)")), parse_prior("ess=8", "softmax")
    ).pseudo

    assert [[4, 4], [0, 0]] == pseudo.tolist()


@pytest.mark.parametrize(
    ("rows", "mode"),
    [
        ("P(B=0|A=0), P(B=0|A=1)", 6 / 12),
        ("P(B=1|A=0), P(B=1|A=1)", 6 / 12),
        ("P(B=0|A=0), P(B=1|A=1)", 5 / 12),
    ],
)
def test_equal_rows_have_the_prior_once(rows, mode):
    """5 of 10 cases are 0, 4 of 10 agree, and Dirichlet(2) adds 1 to each of two entries, however many rows are equal."""
    data = {"A": [0, 0, 1, 1], "B": [0, 1, 0, 1], "count": [2, 3, 3, 2]}

    assert mode == pytest.approx(em(f"A -> B; equal s = {rows}", data, 1, "alpha=2")["B"][0][0])


def test_parts_of_a_common_rest_have_their_own_prior():
    """P(B=0) is one parameter of two rows; how a row parts the rest is its own: (4 + 1) over 10 + 1 + 4, and so on."""
    data = {"A": [0, 0, 0, 1, 1, 1], "B": [0, 1, 2, 0, 1, 2], "count": [1, 2, 2, 3, 1, 1]}
    found = em("A -> B; states B=3; equal s = P(B=0|A=0), P(B=0|A=1)", data, 1, "alpha=2")

    assert 5 / 15 == pytest.approx(found["B"][0][0])
    assert [10 / 15 / 2, 10 / 15 / 2] == pytest.approx(found["B"][1][1:])


def test_alpha_below_one_has_no_mode_in_probabilities():
    """The density is unbounded at the boundary, so it is refused; softmax coordinates have a mode."""
    pmap = get_param_map(algdim.model("2:2,2"))
    with pytest.raises(InputError, match="softmax"):
        make_maximizer(pmap, parse_prior("ess=1"))

    assert 0.25 == make_maximizer(pmap, parse_prior("ess=1", "softmax")).pseudo[1][0, 0]


@given(st.integers(0, 2**32))
@settings(max_examples=some(30))
def test_newton_solves_what_has_no_closed_form(seed):
    """Σ N log t subject to crossed equations: the gradient is a combination of the equations (Lagrange)."""
    source = np.random.default_rng(seed)
    matrix = np.array([[1.0, 1, 1, 0, 0], [1, 0, 0, 2, 0], [0, 1, 0, 0, 1]])
    part = Component(np.arange(5), matrix, np.ones(3))
    counts = source.exponential(size=(4, 5)) * 20
    values = maximise_by_newton(part, counts, np.full((4, 5), np.nan))

    assert np.ones((4, 3)) == pytest.approx(values @ matrix.T)
    slope = counts / values
    for row in slope:
        left = row - matrix.T @ np.linalg.lstsq(matrix.T, row, rcond=None)[0]
        assert np.zeros(5) == pytest.approx(left, abs=1e-5 * row.max())
