"""A likelihood that falls into parts is the same as the contraction of the whole network for every pattern."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from alarm import alarm, with_hidden

import algdim
from algdim.families.discrete.map import get_param_map
from algdim.fitting.likelihood import make_likelihood_evaluator, split_likelihood
from algdim.fitting.maximization import make_even_tables
from algdim.fitting.samples import MISSING, Sample

MODELS = {
    "A -> B -> C": (3, 0),
    "H -> A, B; B -> C; A, C -> D; hidden H; states B=3": (2, 1),
    "H -> A, B; K -> C, D; B -> C; hidden H, K; states H=3": (0, 2),
    "A -> H -> B; B -> C; hidden H; given A": (1, 1),
    "H -> A, B; B -> C, D; hidden H; share t: C, D": (2, 1),
    "A, B -> M; max M; M -> C; H -> C, D; hidden H": (3, 1),
    "A, B -> M; max M; A -> C": (4, 0),
    "H -> A; K -> B; hidden H, K": (0, 2),
    "1:2,2,3": (2, 1),
    "A -> B; H -> K; hidden H, K": (1, 1),
    "A -> B -> H; hidden H": (2, 1),
}


def drawn(text, restarts, seed, missing=0.0):
    """A map, cases that the model allows or not, and positive tables at some points."""
    pmap = get_param_map(algdim.model(text))
    random = np.random.default_rng(seed)
    sizes = [variable.states for variable in pmap.model.observed]
    patterns = np.stack([random.integers(0, size, 30) for size in sizes], axis=1)
    names = [variable.name for variable in pmap.model.observed]
    if {"A", "B", "M"} <= set(names):
        a, b, m = (names.index(name) for name in "ABM")
        patterns[:, m] = np.maximum(patterns[:, a], patterns[:, b])
    free = [k for k, name in enumerate(names) if name not in pmap.model.given]
    patterns[:, free] = np.where(random.random((30, len(free))) < missing, MISSING, patterns[:, free])
    counts = random.integers(1, 5, 30) * 0.5
    labels = tuple(tuple(map(str, range(size))) for size in sizes)
    even = make_even_tables(pmap)
    tables = [
        np.broadcast_to(table, (restarts, *table.shape))
        * np.where(table > 0, random.uniform(0.1, 1, (restarts, *table.shape)), 1)
        if set(np.unique(table)) - {0.0, 1.0}
        else np.broadcast_to(table, (restarts, *table.shape))
        for table in even
    ]
    return pmap, Sample(tuple(names), labels, patterns, counts), tables


@pytest.mark.parametrize("missing", [0.0, 0.2])
@pytest.mark.parametrize("text", MODELS)
def test_parts_add_up(text, missing):
    """Log-likelihood and expected counts, at several points and at one."""
    pmap, sample, tables = drawn(text, 3, len(text), missing)
    parted = make_likelihood_evaluator(pmap, sample, 3)
    whole = replace(parted, shown=None, parts=(), halves=None, mixture=None)
    if not missing:
        assert MODELS[text] == (0 if parted.shown is None else len(parted.shown.arrays), len(parted.parts))
    for at, other, some in (
        (parted, whole, tables),
        (parted.select_restarts(1), whole.select_restarts(1), [t[1:2] for t in tables]),
    ):
        (loglik, counts), (wanted, others) = at.take_expectation(some), other.take_expectation(some)
        assert np.isfinite(wanted).all()
        assert wanted == pytest.approx(loglik, abs=1e-9)
        for one, two in zip(counts, others, strict=True):
            assert two == pytest.approx(one, abs=1e-9)


def test_what_cannot_occur():
    """An entry 0 that a case shows makes the likelihood 0, as in the whole contraction."""
    pmap, sample, tables = drawn("H -> A, B; B -> C; hidden H", 2, 5)
    place = pmap.owners.index("C")
    broken = [table.copy() for table in tables]
    broken[place][0, 0, 0] = 0.0
    loglik, counts = make_likelihood_evaluator(pmap, sample, 2).take_expectation(broken)

    assert -np.inf == loglik[0]
    assert np.isfinite(loglik[1])
    assert all(np.isfinite(table).all() for table in counts)


def test_a_fit_is_the_same():
    """Of a network in which most tables are shown, by both ways."""
    random = np.random.default_rng(1)
    data = {name: random.integers(0, 2, 60).tolist() for name in "ABCDE"}
    model = algdim.model("H -> A, B, C; C -> D; D, A -> E; hidden H")
    found = algdim.fit(data, model)
    tables = {name: np.array(rows) for name, rows in found.parameters.items()}
    joint = 0.0
    for a, b, c, d, e in zip(*data.values(), strict=True):
        inner = sum(tables["H"][0, h] * tables["A"][h, a] * tables["B"][h, b] * tables["C"][h, c] for h in range(2))
        row = {("D", "A"): 2 * d + a, ("A", "D"): 2 * a + d}[model_parents(model, "E")]
        joint += np.log(inner * tables["D"][c, d] * tables["E"][row, e])

    assert joint == pytest.approx(found.loglik, abs=1e-9)


def model_parents(model, name):
    """The parents of a variable in their order."""
    return next(variable.parents for variable in model.variables if variable.name == name)


def test_two_hidden_variables_of_alarm():
    """Of 37 tables five are contracted, for at most as many patterns as the variables around them have; the others are counted."""
    model = with_hidden(alarm(), ["LVFAILURE", "HYPOVOLEMIA"])
    random = np.random.default_rng(3)
    sizes = [variable.states for variable in model.observed]
    patterns = np.stack([random.integers(0, size, 500) for size in sizes], axis=1)
    labels = tuple(tuple(map(str, range(size))) for size in sizes)
    sample = Sample(tuple(variable.name for variable in model.observed), labels, patterns, np.ones(500))
    parts = split_likelihood(get_param_map(model), sample)
    ((part, cases),) = parts.contracted

    assert ["HISTORY", "LVEDVOLUME", "STROKEVOLUME"] == sorted(cases.names)
    assert {"HISTORY", "LVEDVOLUME", "STROKEVOLUME", "LVFAILURE", "HYPOVOLEMIA"} == {
        part.owners[factor.array] for factor in part.factors
    }
    assert 500 == cases.size
    assert len(cases.counts) <= 2 * 3 * 3
    assert 32 == len(parts.shown.arrays)
