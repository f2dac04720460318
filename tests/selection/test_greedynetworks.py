"""Greedy search by BD: its terms are the closed form, its result no single edge improves."""

from itertools import product

import numpy as np
import pytest
from amount import some
from hypothesis import given, settings
from hypothesis import strategies as st

import algdim
from algdim import InputError
from algdim.families.discrete.model import Network, Variable
from algdim.fitting.maximization import Prior
from algdim.fitting.samples import read_sample
from algdim.models.notation import to_text
from algdim.selection.searches import Terms, iterate_edge_changes, search_network

PRIORS = [Prior("ess", 1.0), Prior("alpha", 1.0)]
OPTIONS = [{"ess": 1.0}, {"alpha": 1.0}]


def some_data(seed, size=200):
    """Three variables that depend on each other in some way."""
    random = np.random.default_rng(seed)
    a = random.integers(0, 2, size)
    b = np.where(random.random(size) < 0.3 + 0.5 * random.random(), a, random.integers(0, 3, size))
    c = np.where(random.random(size) < random.random(), (a + b) % 2, random.integers(0, 2, size))
    return {"A": a.tolist(), "B": b.tolist(), "C": c.tolist()}


def sample_of(data):
    """The data as patterns."""
    return read_sample(data, Network((Variable("A"), Variable("B", 3), Variable("C"))))


@settings(max_examples=some(15))
@given(st.integers(0, 2**32), st.integers(0, 1))
def test_the_terms_add_up_to_the_exact_score(seed, which):
    """The network that is found has as marginal likelihood the sum of its terms."""
    data = some_data(seed)
    sample = sample_of(data)
    found = search_network(sample, PRIORS[which])
    order = {name: number for number, name in enumerate(sample.names)}
    terms = Terms(sample, PRIORS[which])
    total = sum(terms(order[v.name], frozenset(order[p] for p in v.parents)) for v in found.variables)

    assert algdim.score(data, found, score="exact", **OPTIONS[which]).values["exact"] == pytest.approx(total, abs=1e-7)


def all_networks():
    """Every acyclic network of three variables."""
    pairs = [(0, 1), (0, 2), (1, 2)]
    for choice in product((None, 0, 1), repeat=3):
        parents = {number: frozenset() for number in range(3)}
        for pair, way in zip(pairs, choice, strict=True):
            if way is not None:
                parents[pair[1 - way]] |= {pair[way]}
        if choice not in ((0, 1, 0), (1, 0, 1)):
            yield parents


@settings(max_examples=some(15))
@given(st.integers(0, 2**32))
def test_no_single_edge_improves_the_result(seed):
    """Greedy search ends at one of the 25 networks, where no change of one edge gains."""
    sample = sample_of(some_data(seed))
    terms = Terms(sample, PRIORS[0])
    order = {name: number for number, name in enumerate(sample.names)}
    network = search_network(sample, PRIORS[0])
    parents = {order[v.name]: frozenset(order[p] for p in v.parents) for v in network.variables}
    everything = list(all_networks())

    assert 25 == len(everything)
    assert parents in everything
    assert all(
        sum(terms(c, a) - terms(c, parents[c]) for c, a in change.items()) <= 1e-8
        for change in iterate_edge_changes(parents, [2, 3, 2])
    )


def test_independent_data_have_no_edges():
    """Equal counts in all cells."""
    data = {"A": [0, 0, 0, 1, 1, 1] * 2, "B": [0, 1, 2] * 4, "C": [0] * 6 + [1] * 6, "count": [20] * 12}

    assert "states A=2, B=3, C=2" == to_text(search_network(sample_of(data), PRIORS[0]))


def test_missing_entries_are_refused():
    """The closed form is for complete data."""
    network = Network((Variable("A"), Variable("B")))
    sample = read_sample({"A": [0, None], "B": [1, 0]}, network, missing=True)
    with pytest.raises(InputError, match="complete data"):
        search_network(sample, PRIORS[0])
