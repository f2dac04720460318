"""Scoring and its coordinates: what they stand for, gradients by differences, the same maxima as EM."""

import brute
import numpy as np
import pytest
from amount import daily, some
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from strategies import networks
from test_likelihood import problem, random_sample
from test_maximization import CROSSED, TIED, check_constraints

import algdim
from algdim import InputError
from algdim.families.discrete.map import get_param_map
from algdim.fitting import scoring
from algdim.fitting.em import Tolerance, draw_starts, run_em
from algdim.fitting.maximization import Prior, make_even_tables
from algdim.fitting.problems import require_discrete_network
from algdim.fitting.record import name_table_rows
from algdim.fitting.scoring import (
    compute_information,
    join_table_entries,
    learn_curvature,
    make_coordinate_shares,
    run_scoring,
)
from algdim.fitting.searching import DEAR, estimate_scoring_cost, search_for

ANY = networks(max_variables=5, max_states=3, max_table=40, deterministic=True)


def prepared(model, seed, prior=None, starts=2):
    """A problem, its coordinates and some starts."""
    what = problem(get_param_map(model), random_sample(model, seed), prior or Prior())
    shares = make_coordinate_shares(what.family.pmap, what.family.maximizer, make_even_tables(what.family.pmap), 1000)
    return what, shares, draw_starts(what, seed, starts)


@settings(max_examples=some(60))
@given(ANY, st.integers(0, 2**32))
@example(algdim.model(TIED), 1)
@example(algdim.model("states A=3, B=3; fix P(A=1) = 1/5; equal a = P(A=0), P(B=0), P(B=2)"), 1)
@example(algdim.model("noisy-or: {A},{B},{} -> E"), 1)
def test_shares_make_up_the_tables(model, seed):
    """From tables to shares and back; the gradient by differences, in the sum of all that can be observed."""
    assume(brute.joint_states(model) <= 2000)
    what, shares, start = prepared(model, seed)
    assume(shares is not None)
    values = shares.of(start.tables)

    assert np.ones_like(values) == pytest.approx(values @ shares.together)
    for mine, other in zip(shares.tables(values, start.tables), start.tables, strict=True):
        assert other == pytest.approx(mine, abs=1e-12)
    if not np.isfinite(start.objective).all():
        return
    counts = join_table_entries(start.expected) @ shares.uses
    slope = counts - values * (counts @ shares.together)
    move = 1e-6 * np.random.default_rng(seed).normal(size=len(shares.group))
    moved = [values * np.exp(sign * move) for sign in (1, -1)]
    ends = [what.at(shares.tables(x / (x @ shares.together), start.tables)).objective for x in moved]

    assert slope @ move * 2 == pytest.approx(ends[0] - ends[1], rel=1e-4, abs=1e-8)


def test_crossed_names_have_no_shares():
    """Classes in several equations are left to EM."""
    assert prepared(algdim.model(CROSSED), 0)[1] is None


def test_the_information_is_that_of_the_scores():
    """Per pattern the gradient of log p by differences; their weighted squares add up to the information."""
    model = algdim.model("2:2,3")
    what, shares, start = prepared(model, 5, starts=1)
    at = what.evaluator(1)
    values = shares.of(start.tables)
    rows = []
    for number in range(len(shares.group)):
        move = np.zeros(len(shares.group))
        move[number] = 1e-6
        logs = []
        for sign in (1, -1):
            x = values * np.exp(sign * move)
            logs.append(at.log_values(shares.tables(x / (x @ shares.together), start.tables))[0])
        rows.append((logs[0] - logs[1]) / 2e-6)
    score = np.array(rows)

    assert (score * what.family.sample.counts) @ score.T == pytest.approx(
        compute_information(at, shares, start.tables)[0], abs=1e-6
    )


@settings(max_examples=some(25))
@given(ANY, st.integers(0, 2**32))
@example(algdim.model(TIED), 1)
@example(algdim.model("noisy-or: {A},{B},{} -> E"), 1)
@example(algdim.model("sigmoid: H -> A, B; hidden H"), 1)
def test_gradients_are_sums_and_the_last_of_a_group_follows(model, seed):
    """Sums by index are products with matrices of zeros and ones; a matrix of some coordinates has all that it is to have."""
    assume(brute.joint_states(model) <= 2000)
    _, shares, start = prepared(model, seed)
    assume(shares is not None)
    values, slopes = shares.of(start.tables), shares.slopes(start.tables)
    counts = np.random.default_rng(seed).random((2, len(shares.constant), 3))
    per_share = np.matmul(shares.uses.T, counts)
    dense = per_share - values[:, :, None] * np.matmul(shares.together, per_share)
    score = shares.gradient(slopes, values, counts)
    kept = shares.inner_coordinates
    fewer = shares.gradient(slopes, values, counts, kept[kept < len(shares.group)])

    assert dense == pytest.approx(score[:, : len(shares.group)])
    assert score[:, kept] == pytest.approx(fewer)
    assert np.matmul(score, score.transpose(0, 2, 1)) == pytest.approx(
        shares.complete_matrix(np.matmul(fewer, fewer.transpose(0, 2, 1))), abs=1e-9
    )


@settings(max_examples=some(25))
@given(ANY, st.integers(0, 2**32), st.booleans())
def test_scoring_is_monotone_and_at_least_as_far_as_em(model, seed, with_prior):
    """No step lowers the objective; constraints hold; where EM has converged scoring has too."""
    assume(brute.joint_states(model) <= 500)
    assume(get_param_map(model).parameters)
    what, shares, start = prepared(model, seed, Prior("alpha", 1.5) if with_prior else None)
    assume(shares is not None)
    assume(np.isfinite(start.objective).all())
    tolerance = Tolerance(1e-10, 0, 100)
    before = start
    for _ in range(5):
        after = run_scoring(what, shares, before, 1, Tolerance(0, 0, 1000), None)

        assert (after.objective >= before.objective).all()
        before = after
    climbed = run_scoring(what, shares, run_em(what, start, 5, tolerance, None), 100, tolerance, None)
    for k in range(2):
        check_constraints(model, name_table_rows(what.family.pmap, [table[k] for table in climbed.tables]))


def test_scoring_finds_what_em_finds_slowly():
    """Where EM needs thousands of steps, scoring arrives at the same maximum in a hundred."""
    model = algdim.model("3:3,3,2")
    what, shares, start = prepared(model, 3, Prior("alpha", 1.2), starts=6)
    slow = run_em(what, start, 20000, Tolerance(1e-12, 0, 20000), None)
    quick = run_scoring(what, shares, run_em(what, start, 10, Tolerance(), None), 100, Tolerance(1e-9, 0, 110), None)

    assert slow.objective.max() == pytest.approx(quick.objective.max(), abs=1e-4)


def test_a_model_without_tables_is_refused():
    """Where all that has a table is conditioned on there is nothing to fit."""
    with pytest.raises(InputError, match="nothing is to be fitted"):
        require_discrete_network("A, C -> B; max B; given A, C")


@pytest.mark.parametrize(("concentration", "classes"), daily([(0.7, 3), (3.0, 3)], 1))
def test_the_usual_method_takes_no_more_work_than_em(monkeypatch, concentration, classes):
    """In steps of EM, at the price of a step of scoring, whether classes are far apart or overlap; and finds the same."""
    rng = np.random.default_rng(2)
    of = rng.integers(0, classes, 500)
    rows = rng.dirichlet(np.full(4, concentration), (classes, 9))
    data = {f"X{j + 1}": [int(rng.choice(4, p=rows[c, j])) for c in of] for j in range(9)}
    taken = []
    steps = scoring.compute_information
    monkeypatch.setattr(
        scoring,
        "compute_information",
        lambda at, shares, tables: (taken.append(len(tables[0])), steps(at, shares, tables))[1],
    )
    found = algdim.fit(data, f"{classes}:4^9")
    price = estimate_scoring_cost(len(found.sample.counts), classes - 1 + 27 * classes)
    work = found.iterations + price * sum(taken)
    taken.clear()
    wanted = algdim.fit(data, f"{classes}:4^9", method="em")

    assert not taken
    assert price > DEAR
    assert wanted.loglik - 1e-6 <= found.loglik
    assert work <= 1.5 * wanted.iterations


def test_cheap_scoring_begins_at_once():
    """With few coordinates it chooses among the starts too; by name it does so however many there are."""
    what, _, _ = prepared(algdim.model("H -> A, B, C, D; hidden H"), 1)
    assert 0 == search_for(what, "auto", Tolerance(), None).patience
    large, _, _ = prepared(algdim.model("H -> A, B, C; hidden H; states H=6, A=5, B=5, C=5"), 1)
    assert search_for(large, "auto", Tolerance(), None).patience > 100
    assert 0 == search_for(large, "scoring", Tolerance(), None).patience


def test_a_step_teaches_the_curvature_along_it() -> None:
    """What is known then foresees the change that was shown, and stays symmetric; a step not taken teaches nothing."""
    source = np.random.default_rng(0)
    roots = source.normal(size=(2, 5, 5))
    known = np.matmul(roots, roots.transpose(0, 2, 1))
    before = known.copy()
    move = source.normal(size=(2, 5))
    change = move * np.arange(1.0, 6.0)
    learn_curvature(known, move, change, np.array([True, False]))

    assert np.allclose(known[0] @ move[0], change[0])
    assert np.allclose(known[0], known[0].T)
    assert np.linalg.eigvalsh(known[0]).min() > 0
    assert np.array_equal(known[1], before[1])


def test_a_model_with_too_few_classes_is_climbed_in_few_steps() -> None:
    """The scores' squares are not the curvature where the model is wrong; what the steps show of it is."""
    source = np.random.default_rng(3)
    table = source.dirichlet(np.ones(2), size=(4, 8))[:, :, 0]
    hidden = source.integers(0, 4, 1500)
    cases = (source.random((1500, 8)) > table[hidden]).astype(int)
    data = {f"X{number + 1}": cases[:, number].tolist() for number in range(8)}
    quick = algdim.fit(data, "2:2,2,2,2,2,2,2,2", starts=4, identify=False)
    slow = algdim.fit(data, "2:2,2,2,2,2,2,2,2", starts=4, method="em", absolute=1e-9, identify=False)

    assert quick.loglik >= slow.loglik - 1e-6
    assert quick.iterations < slow.iterations / 4
