"""Topic models: the formulas of the recipe, and ranks of Dirichlet moments in floating point."""

from itertools import product
from math import lgamma
from pathlib import Path

import numpy as np
import pytest
from amount import daily

import algdim

RECIPE = Path(__file__).parents[2] / "docs" / "recipes.md"


def read_recipe():
    """The function that the page defines."""
    text = RECIPE.read_text(encoding="utf-8")
    lines = [line[4:] for line in text.splitlines() if line.startswith((">>> ", "... "))]
    start = next(k for k, line in enumerate(lines) if line.startswith("from itertools import combinations_with"))
    end = next(k for k, line in enumerate(lines) if line.startswith("for length in (2, 3)"))
    source = []
    for line in lines[start:end]:
        source += ["", line] if not line.startswith(" ") else [line]
    found = {}
    exec("\n".join(source), found)
    return found["allocate"]


def evaluate(numbers, topics, words, length):
    """The probability of each ordered document, by moments of the Dirichlet distribution as ratios of gamma functions."""
    exponents, entries = np.exp(numbers[:topics]), numbers[topics:].reshape(topics, words - 1)
    tables = np.column_stack([entries, 1 - entries.sum(axis=1)])
    table = np.zeros((words,) * length)
    for chosen in product(range(topics), repeat=length):
        log = lgamma(exponents.sum()) - lgamma(exponents.sum() + length)
        log += sum(lgamma(exponents[t] + chosen.count(t)) - lgamma(exponents[t]) for t in range(topics))
        part = np.array(np.exp(log))
        for topic in chosen:
            part = np.multiply.outer(part, tables[topic])
        table += part
    return table.ravel()


@pytest.mark.parametrize(
    ("topics", "words", "length", "dimension"),
    daily([(3, 4, 2, 8), (3, 4, 3, 12), (2, 4, 3, 7), (2, 4, 2, 6), (3, 3, 3, 9)], 2),
)
def test_ranks_of_moments(topics, words, length, dimension):
    """The dimension of the recipe's formulas is the rank of derivatives by central differences."""
    random = np.random.default_rng(topics * words + length)
    at = np.concatenate([random.uniform(-0.5, 0.7, topics), random.uniform(0.1, 0.9 / words, topics * (words - 1))])
    step = 1e-5
    jacobian = [
        (evaluate(at + step * unit, topics, words, length) - evaluate(at - step * unit, topics, words, length))
        / (2 * step)
        for unit in np.eye(len(at))
    ]
    sizes = np.linalg.svd(np.array(jacobian), compute_uv=False)

    assert dimension == int((sizes > 1e-8 * sizes[0]).sum())
    assert dimension == algdim.dimension(read_recipe()(topics, words, length)).dimension
