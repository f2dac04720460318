"""The E step of latent class models by products of matrices, beside the contraction of patterns."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from amount import some
from hypothesis import given, settings
from hypothesis import strategies as st

from algdim import fit
from algdim.families.discrete.map import get_param_map
from algdim.fitting import halves
from algdim.fitting.likelihood import make_likelihood_evaluator, make_mixture
from algdim.fitting.samples import MISSING, Sample, read_sample
from algdim.models.notation import parse


def draw_sample(source: np.random.Generator, sizes: list[int], cases: int, share: float) -> dict[str, list[int | None]]:
    """Cases with missing entries, every state in some of them."""
    columns: dict[str, list[int | None]] = {}
    for number, size in enumerate(sizes, 1):
        states = source.integers(0, size, cases).tolist()
        columns[f"X{number}"] = [None if source.random() < share else state for state in states]
    return columns


@settings(max_examples=some(60), deadline=None)
@given(
    st.integers(0, 2**32),
    st.integers(2, 4),
    st.lists(st.integers(3, 4), min_size=4, max_size=6),
    st.sampled_from((0.0, 0.3)),
    st.booleans(),
)
def test_the_matrix_gives_what_the_contraction_gives(
    seed: int, classes: int, sizes: list[int], share: float, has_zeros: bool
) -> None:
    """Log-likelihoods and expected counts, with missing entries and with entries that are 0."""
    source = np.random.default_rng(seed)
    model = parse(f"{classes}:{','.join(map(str, sizes))}")
    pmap = get_param_map(model)
    sample = read_sample(draw_sample(source, sizes, 250, share), model, missing=True)
    tables = [source.dirichlet(np.ones(entries.shape[-1]), size=(3, *entries.shape[:-1])) for entries in pmap.arrays]
    if has_zeros:
        tables[1][0, 0] = np.eye(tables[1].shape[-1])[0]
    short = make_likelihood_evaluator(pmap, sample, 3)
    matrix = halves.make_halves(pmap, sample)
    assert matrix is not None
    assert matrix.is_filled == (short.halves is not None)
    expected_logs, expected = replace(short, halves=None, mixture=None).take_expectation(tables)
    one_by_one = make_mixture(pmap, sample, matrix)  # where the matrix would be empty
    assert matrix.is_filled == (one_by_one is None)
    for way in filter(None, (matrix, one_by_one)):
        logs, counts = way.take_expectation(tables)

        assert np.allclose(logs, expected_logs, rtol=1e-12)
        for found, wanted in zip(counts, expected, strict=True):
            assert np.allclose(found, wanted, rtol=1e-10, atol=1e-12)


def test_what_cannot_occur_has_no_expected_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """The log-likelihood is minus infinity, the counts are those of the other pattern."""
    model = parse("2:2,2")
    pmap = get_param_map(model)
    sample = read_sample({"X1": [0, 1], "X2": [0, 1]}, model)
    monkeypatch.setattr(halves, "FEWEST_PATTERNS", 1)
    sure = np.array([[[1.0, 0.0], [1.0, 0.0]]])
    tables = [np.array([[0.5, 0.5]]), sure, sure]
    logs, counts = make_likelihood_evaluator(pmap, sample, 1).take_expectation(tables)

    assert logs[0] == -np.inf
    assert sum(count.sum() for count in counts) == 3.0


def test_a_sample_that_would_leave_the_matrix_empty_is_contracted() -> None:
    """Forty items with a hundred different rows: the matrix would have ten thousand cells."""
    source = np.random.default_rng(0)
    model = parse("2:" + ",".join(["2"] * 40))
    patterns = source.integers(0, 2, (100, 40))
    names = tuple(variable.name for variable in model.observed)
    sample = Sample(names, ((None, None),) * 40, patterns, np.ones(100))
    made = make_likelihood_evaluator(get_param_map(model), sample, 1)

    assert MISSING not in patterns
    assert made.halves is None
    assert made.mixture is not None


NAMED = {
    "many patterns": "diagnosis DINA: items 10, 01, 11, 10, 01, 11, 10, 01, 11, 11",
    "a matrix that is filled": "diagnosis GDINA: items 10, 01, 11, 10, 01, 11, 10",
    "fixed entries": "H -> A, B, C, D, E, F, G, I; hidden H; states H=3; fix P(A=0|H=0)=0, P(B=0|H=1)=1/3; equal p = P(C=0|H=0), P(D=1|H=2)",
}


@pytest.mark.parametrize("share", [0.0, 0.3])
@pytest.mark.parametrize("name", NAMED)
def test_tables_with_names_and_fixed_entries(name: str, share: float) -> None:
    """What is expected of an entry does not depend on which others are equal to it; a fit finds the same maximum."""
    source = np.random.default_rng(5)
    model = parse(NAMED[name])
    pmap = get_param_map(model)
    columns = draw_sample(source, [2] * len(model.observed), 250, share)
    data = dict(zip((variable.name for variable in model.observed), columns.values(), strict=True))
    sample = read_sample(data, model, missing=True)
    tables = [source.dirichlet(np.ones(entries.shape[-1]), size=(3, *entries.shape[:-1])) for entries in pmap.arrays]
    short = make_likelihood_evaluator(pmap, sample, 3)
    assert short.halves is not None or (short.mixture is not None and not short.mixture.is_free)
    expected_logs, expected = replace(short, halves=None, mixture=None).take_expectation(tables)
    logs, counts = short.take_expectation(tables)

    assert np.allclose(logs, expected_logs, rtol=1e-12)
    for found, wanted in zip(counts, expected, strict=True):
        assert np.allclose(found, wanted, rtol=1e-10, atol=1e-12)


def test_scoring_of_tables_with_names() -> None:
    """Its information is of the coordinates, which are no entries there; it ends where EM does."""
    text = "diagnosis DINA: items 10, 01, 11, 10, 01, 11, 10, 01, 11, 11"
    source = np.random.default_rng(7)
    base = source.integers(0, 2, (300, 2))
    data = {
        f"X{k + 1}": (base[:, k % 2] ^ (source.random(300) < 0.15)).tolist() for k in range(10)
    }  # the rows of the Q-matrix do not matter
    logs = [fit(data, text, method=method, starts=6, identify=False).loglik for method in ("em", "scoring")]

    assert logs[0] == pytest.approx(logs[1], abs=1e-4)
