"""The E step of latent class models by products of matrices, beside the contraction of patterns."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from amount import some
from hypothesis import given, settings
from hypothesis import strategies as st

from algdim import fit
from algdim.families.discrete.likelihood import NetworkFamily
from algdim.families.discrete.map import ParamMap, get_param_map
from algdim.fitting import blocks, completions, halves, scoreproducts
from algdim.fitting.blocks import build_staircase, rank_by_frequency
from algdim.fitting.likelihood import make_likelihood_evaluator
from algdim.fitting.maximization import Prior, make_even_tables
from algdim.fitting.samples import MISSING, Sample, read_sample
from algdim.fitting.scoring import Shares, compute_information, make_coordinate_shares
from algdim.models.notation import parse


def draw_sample(source: np.random.Generator, sizes: list[int], cases: int, share: float) -> dict[str, list[int | None]]:
    """Cases with missing entries, every state in some of them."""
    columns: dict[str, list[int | None]] = {}
    for number, size in enumerate(sizes, 1):
        states = source.integers(0, size, cases).tolist()
        columns[f"X{number}"] = [None if source.random() < share else state for state in states]
    return columns


def prepare_shares(pmap: ParamMap, sample: Sample) -> Shares:
    """The coordinates of a latent class model."""
    shares = make_coordinate_shares(pmap, NetworkFamily(pmap, sample, Prior()).maximizer, make_even_tables(pmap), 1000)
    assert shares is not None
    return shares


STAIRS: dict[str, dict[str, int]] = {
    "as they are": {},
    "many small blocks": {"FIRST_GROUP": 2, "EACH": 1, "NEARLY_FILLED": 0, "ALONE": 8},
    "small tiles": {"FIRST_GROUP": 4, "EACH": 1, "NEARLY_FILLED": 0, "ALONE": 100, "MOST_CELLS": 40},
    "each by itself": {"EACH": 1, "NEARLY_FILLED": 0, "ALONE": 0},
}


@settings(max_examples=some(60), deadline=None)
@given(
    st.integers(0, 2**32),
    st.integers(2, 4),
    st.lists(st.integers(2, 4), min_size=4, max_size=6),
    st.sampled_from((0.0, 0.05, 0.3)),
    st.booleans(),
    st.sampled_from(sorted(STAIRS)),
)
def test_the_matrix_gives_what_the_contraction_gives(
    seed: int, classes: int, sizes: list[int], share: float, has_zeros: bool, how: str
) -> None:
    """Log-likelihoods and expected counts, and the products of scores, with missing entries and with entries that are 0."""
    source = np.random.default_rng(seed)
    model = parse(f"{classes}:{','.join(map(str, sizes))}")
    pmap = get_param_map(model)
    sample = read_sample(draw_sample(source, sizes, 250, share), model, missing=True)
    tables = [source.dirichlet(np.ones(entries.shape[-1]), size=(3, *entries.shape[:-1])) for entries in pmap.arrays]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(halves, "FEWEST_PATTERNS", 1)
        patch.setattr(scoreproducts, "AT_ONCE", 1 << 10)
        for name, value in STAIRS[how].items():
            patch.setattr(blocks, name, value)
        short = make_likelihood_evaluator(pmap, sample, 3)
        assert short.halves is not None
        shares = prepare_shares(pmap, sample)
        information = compute_information(short, shares, tables)
    whole = replace(short, halves=None)
    wanted = compute_information(whole, shares, tables)

    assert np.allclose(information, wanted, rtol=1e-9, atol=1e-9 * np.abs(wanted).max())
    if has_zeros:
        tables[1][0, 0] = np.eye(tables[1].shape[-1])[0]
    expected_logs, expected = whole.take_expectation(tables)
    for way in (short.halves, replace(short.halves, completed=None)):
        logs, counts = way.take_expectation(tables)

        assert np.allclose(logs, expected_logs, rtol=1e-12)
        for found, other in zip(counts, expected, strict=True):
            assert np.allclose(found, other, rtol=1e-10, atol=1e-12)


@settings(max_examples=some(60))
@given(st.integers(0, 2**32), st.integers(1, 60), st.sampled_from(sorted(STAIRS)))
def test_each_pair_has_one_place(seed: int, size: int, how: str) -> None:
    """Blocks and what is outside of them are all pairs, and a cell is that of its pair; blocks do not overlap."""
    source = np.random.default_rng(seed)
    pairs = np.unique(np.minimum(source.geometric(0.1, (20 * size, 2)), size) - 1, axis=0)
    numbers = [np.unique(one, return_inverse=True)[1] for one in pairs.T]
    rows, columns = (rank_by_frequency(one)[one] for one in numbers)
    with pytest.MonkeyPatch.context() as patch:
        for name, value in STAIRS[how].items():
            patch.setattr(blocks, name, value)
        stairs = build_staircase(rows, columns)
    seen = set()
    for block in stairs.blocks:
        inside = stairs.order[block.pairs]
        assert ((block.rows.start <= rows[inside]) & (rows[inside] < block.rows.stop)).all()
        assert (rows[inside] == block.rows.start + block.cells // block.width).all()
        assert (columns[inside] == block.cells % block.width).all()
        seen |= {(row, column) for row in range(block.rows.start, block.rows.stop) for column in range(block.width)}
    outside = stairs.order[stairs.outside :]

    assert sorted(stairs.order.tolist()) == list(range(len(rows)))
    assert sum((block.rows.stop - block.rows.start) * block.width for block in stairs.blocks) == len(seen)
    assert not seen & set(zip(rows[outside].tolist(), columns[outside].tolist(), strict=True))


def test_the_most_frequent_pairs_stand_in_blocks() -> None:
    """A corner that is filled, and as many pairs far apart: the corner is one block."""
    corner = np.indices((40, 40)).reshape(2, -1)
    apart = np.arange(40, 1640)
    rows, columns = np.concatenate([corner, [apart, apart]], axis=1)
    stairs = build_staircase(rows, columns)

    assert stairs.outside >= 1600
    assert sum((block.rows.stop - block.rows.start) * block.width for block in stairs.blocks) < 200 * 200


@settings(max_examples=some(40))
@given(st.integers(0, 2**32), st.lists(st.integers(2, 3), min_size=1, max_size=4))
def test_completions_by_hand(seed: int, sizes: list[int]) -> None:
    """Sums over the cells that agree with a pattern where it shows an entry, and their transposed ones."""
    source = np.random.default_rng(seed)
    patterns = np.stack([source.integers(MISSING, size, 9) for size in sizes], axis=1)
    found = completions.list_completions(patterns, sizes)
    cells = np.indices(sizes).reshape(len(sizes), -1).T
    agree = ((patterns[:, None] == cells) | (patterns[:, None] == MISSING)).all(axis=2)[found.order].astype(float)
    table, values = source.random((2, len(cells))), source.random((2, 9))

    assert np.allclose(found.add_up(table), table @ agree.T)
    assert np.allclose(found.spread(values), values @ agree)


def test_chances_whose_squares_are_no_numbers() -> None:
    """Of 200 items a pattern can have a chance of 1e-150: the products are those of the contraction, and finite."""
    source = np.random.default_rng(3)
    model = parse("2:" + ",".join(["2"] * 150))
    pmap = get_param_map(model)
    patterns = source.integers(0, 2, (100, 150))
    sample = Sample(tuple(variable.name for variable in model.observed), ((None, None),) * 150, patterns, np.ones(100))
    tables = [np.array([[0.5, 0.5]]), *[np.array([[[0.99, 0.01], [0.98, 0.02]]])] * 150]
    short = make_likelihood_evaluator(pmap, sample, 1)
    shares = prepare_shares(pmap, sample)
    found = compute_information(short, shares, tables)

    assert short.halves is not None
    assert np.isfinite(found).all()
    assert np.allclose(found, compute_information(replace(short, halves=None), shares, tables), rtol=1e-9, atol=1e-6)


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


def test_a_sample_that_would_leave_the_matrix_empty_has_no_blocks() -> None:
    """Forty items with a hundred different rows: the matrix would have ten thousand cells."""
    source = np.random.default_rng(0)
    model = parse("2:" + ",".join(["2"] * 40))
    patterns = source.integers(0, 2, (2000, 40))
    names = tuple(variable.name for variable in model.observed)
    sample = Sample(names, ((None, None),) * 40, patterns, np.ones(2000))
    made = make_likelihood_evaluator(get_param_map(model), sample, 1)

    assert MISSING not in patterns
    assert made.halves is not None
    assert not made.halves.stairs.blocks


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
    assert short.halves is not None
    assert not short.halves.is_free
    expected_logs, expected = replace(short, halves=None).take_expectation(tables)
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
