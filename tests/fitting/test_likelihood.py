"""Log-likelihood and expected counts against sums over joint states, several points and chunks at once."""

from itertools import product

import brute
import numpy as np
import pytest
from amount import in_turn, some
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from strategies import networks

import algdim
from algdim.families.discrete.likelihood import NetworkFamily
from algdim.families.discrete.map import get_param_map
from algdim.fitting import likelihood as module
from algdim.fitting.em import Problem, draw_starts
from algdim.fitting.likelihood import make_likelihood_evaluator
from algdim.fitting.maximization import Prior
from algdim.fitting.record import name_table_rows
from algdim.fitting.samples import Sample
from algdim.models.anymodel import read_model_dictionary

SMALL = networks(max_variables=5, max_states=3, max_table=40, deterministic=True)


def problem(pmap, sample, prior):
    """The maximisation prepared."""
    return Problem(NetworkFamily(pmap, sample, prior), prior)


def random_sample(model, seed, *, missing=True):
    """Some cases, with missing entries unless conditioned on."""
    source = np.random.default_rng(seed)
    columns = []
    for variable in model.observed:
        column = source.integers(0, variable.states, size=6)
        if missing and variable.name not in model.given:
            column[source.random(6) < 0.3] = -1
        columns.append(column)
    names = tuple(variable.name for variable in model.observed)
    states = tuple(tuple(map(str, range(variable.states))) for variable in model.observed)
    return Sample(names, states, np.array(columns).T, source.integers(1, 5, size=6).astype(float))


def enumerated(model, tables, sample):
    """The log-likelihood and the expected counts by a visit to every joint state, for every pattern."""
    sizes = {variable.name: variable.states for variable in model.variables}
    with_table = [v for v in model.variables if v.name not in model.given and v.local.kind == "table"]
    total, counts = 0.0, {owner: np.zeros_like(np.array(rows)) for owner, rows in tables.items()}
    for pattern, times in zip(sample.patterns, sample.counts, strict=True):
        weights = []
        for joint in product(*(range(v.states) for v in model.variables)):
            at = dict(zip(sizes, joint, strict=True))
            if any(code not in (-1, at[name]) for name, code in zip(sample.names, pattern, strict=True)):
                continue
            weight, used = 1.0, []
            for variable in model.variables:
                row = tuple(at[parent] for parent in variable.parents)
                if variable in with_table:
                    owner = variable.local.share or variable.name
                    number = int(np.ravel_multi_index(row, [sizes[p] for p in variable.parents])) if row else 0
                    weight *= tables[owner][number][at[variable.name]]
                    used.append((owner, number, at[variable.name]))
                elif variable.name not in model.given:
                    weight *= brute.outcome(variable.local, row) == at[variable.name]
            weights.append((weight, used))
        probability = sum(weight for weight, _ in weights)
        total += times * np.log(probability) if probability > 0 else -np.inf
        for weight, used in weights if probability > 0 else ():
            for owner, number, state in used:
                counts[owner][number, state] += times * weight / probability
    return total, counts


@settings(max_examples=some(60))
@given(SMALL, st.integers(0, 2**32))
@example(algdim.model("3:2,3,2"), 0)
@example(algdim.model("A, C -> B; given A; hidden C; states C=1"), 1)
@example(
    read_model_dictionary(
        {
            "variables": [{"name": "A"}, {"name": "B", "observed": False}, {"name": "E"}],
            "edges": [["A", "E"], ["B", "E"]],
            "local": {"E": {"type": "max"}},
        }
    ),
    2,
)
@example(algdim.model("H -> X1, X2, X3; hidden H; share s: X1, X2, X3"), 3)
def test_expected_counts_are_those_of_enumeration(model, seed):
    """At two random starts: log-likelihood and expected counts to 1e-10."""
    assume(brute.joint_states(model) <= 400)
    sample = random_sample(model, seed)
    found = draw_starts(problem(get_param_map(model), sample, Prior()), seed, 2)
    for k in range(2):
        tables = name_table_rows(get_param_map(model), [table[k] for table in found.tables])
        expected = name_table_rows(get_param_map(model), [table[k] for table in found.expected])
        loglik, counts = enumerated(model, tables, sample)

        assert loglik == pytest.approx(found.objective[k], abs=1e-10, rel=1e-12)
        if np.isfinite(loglik):
            for owner, rows in counts.items():
                assert np.array(expected[owner]) == pytest.approx(rows, abs=1e-10)


def test_chunks_change_nothing(monkeypatch):
    """Patterns taken one by one give what they give together."""
    pmap = get_param_map(algdim.model("3(2,2(2,3),3)"))
    sample = random_sample(pmap.model, 3)
    tables = draw_starts(problem(pmap, sample, Prior()), 0, 4).tables
    together = make_likelihood_evaluator(pmap, sample, 4).take_expectation(tables)
    monkeypatch.setattr(module, "CHUNK_BYTES", 1)
    one_by_one = make_likelihood_evaluator(pmap, sample, 4)

    assert 6 == len(one_by_one.chunks)
    loglik, counts = one_by_one.take_expectation(tables)
    assert together[0] == pytest.approx(loglik, rel=1e-13)
    for mine, other in zip(together[1], counts, strict=True):
        assert mine == pytest.approx(other, abs=1e-11)


def test_restarts_are_independent():
    """Three starts at once give what each gives alone."""
    pmap = get_param_map(algdim.model("A -> C <- H -> D <- B; hidden H; states H=3"))
    sample = random_sample(pmap.model, 8)
    tables = draw_starts(problem(pmap, sample, Prior()), 0, 3).tables
    together, _ = make_likelihood_evaluator(pmap, sample, 3).take_expectation(tables)
    alone = [
        make_likelihood_evaluator(pmap, sample, 1).take_expectation([table[k : k + 1] for table in tables])[0][0]
        for k in range(3)
    ]

    assert alone == pytest.approx(together, rel=1e-13)


@in_turn(2)
def test_many_variables_do_not_underflow():
    """The log-likelihood of 1500 binary items, whose probability no float holds, is finite."""
    pmap = get_param_map(algdim.model("2:2^1500"))
    sample = random_sample(pmap.model, 0, missing=False)
    start = draw_starts(problem(pmap, sample, Prior()), 0, 1)

    assert -np.inf < start.objective[0] < -800
