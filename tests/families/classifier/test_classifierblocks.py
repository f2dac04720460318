"""HM97 §6: θ → ω → η → ψ → φ → λ, with exact numbers, against Bayes' rule and against eliminations."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import exp, log, prod

import brute
import brute_classifier
import pytest
from amount import some
from hypothesis import given, settings
from hypothesis import strategies as st
from test_classifier import FIGURE_2, chain, classifiers, naive, random_tables

import algdim
from algdim import InputError
from algdim.families.classifier.blocks import (
    Phi,
    compute_odds,
    compute_probabilities,
    compute_steps,
    cut_into_blocks,
    find_natural_order,
    format_log_odds,
    list_configurations,
)
from algdim.families.classifier.bounds import rank_of_linear_map


def test_figure_2a():
    """HM97 §6: contexts and ranks of Equation 12, 15 = 1 + 1 + 2 + 3 + 4 + 4 if the sum of Equation 18 begins at 0."""
    blocks = cut_into_blocks(algdim.model(FIGURE_2)).blocks

    assert ["", "X1", "X2", "X3", "X4", "X5"] == [block.variable for block in blocks]
    assert [1, 1, 2, 3, 4, 4] == [block.rank for block in blocks]
    assert [1, 1, 2, 4, 4, 4] == [block.psis for block in blocks]
    assert [(), (), ("X1",), ("X1", "X2"), ("X1", "X3"), ("X2", "X3")] == [block.context for block in blocks]
    assert 14 == sum(block.rank for block in blocks[1:])


def test_the_chain():
    """HM97 §6: d = 1 + 1 + 2(n − 1)."""
    blocks = cut_into_blocks(algdim.model(chain(6))).blocks

    assert [1, 1, 2, 2, 2, 2, 2] == [block.rank for block in blocks]


@settings(max_examples=some(40))
@given(classifiers(4, 3, most=100), st.data())
def test_any_order_gives_the_rank_of_the_linear_map(model, data):
    """Each block's rank is that of its matrix of zeros and ones; the sum does not depend on the order."""
    order = data.draw(st.permutations(model.inputs))
    found = cut_into_blocks(model, order)
    for block in found.blocks[1:]:
        if not block.terms:
            assert (0, 0, 0) == (block.rank, block.etas, block.psis)
            continue
        rows = []
        for context in list_configurations(model, block.context):
            at = dict(context)
            rows.append(
                [
                    int(all(at[name] == state for name, state in some))
                    for term in block.terms
                    for some in list_configurations(model, term.before)
                ]
            )
        each = (model.classes - 1) * (model.states[block.variable] - 1)

        assert (each * len(rows), each * len(rows[0])) == (block.psis, block.etas)
        assert each * brute.rank(rows) == block.rank
        # Gaussian elimination from above takes the same ψ into the basis as the faces do
        pivots = brute.eliminated(list(zip(*rows, strict=True)))[1]
        chosen = [list_configurations(model, block.context)[pivot] for pivot in pivots]
        mine = {one.states[:-1] for one in found.phi if one.states and one.states[-1][0] == block.variable}
        assert mine == {tuple((name, state) for name, state in context if state) for context in chosen}
    assert rank_of_linear_map(model, model.factors) == found.rank == len(found.phi) == len(set(found.phi))


@settings(max_examples=some(40))
@given(classifiers(4, 3, most=100), st.data(), st.integers(0, 9))
def test_inference_through_phi(model, data, seed):
    """φ → λ and the softmax function give p(y|x) exactly, at any tables and in any order (HM97 §6, Equation 3)."""
    tables = random_tables(model, seed)
    blocks = cut_into_blocks(model, data.draw(st.permutations(model.inputs)))
    phi = compute_steps(blocks, tables).phi
    for states, expected in brute_classifier.posteriors(model, tables).items():
        at = dict(zip(model.inputs, states, strict=True))

        assert expected == compute_probabilities(compute_odds(blocks, phi, at))


@settings(max_examples=some(20))
@given(classifiers(3, 3, most=60), st.integers(0, 9))
def test_every_step_is_what_the_paper_says(model, seed):
    """ω is a ratio of entries, ψ a sum of η, and λ the running total of ψ over the inputs that are turned on (Equation 12)."""
    tables = random_tables(model, seed)
    blocks = cut_into_blocks(model)
    steps = compute_steps(blocks, tables)
    posteriors = brute_classifier.posteriors(model, tables)
    for block in blocks.blocks[1:]:
        for (k, states), value in steps.psi.items():
            if states and states[-1][0] == block.variable:
                etas = [
                    steps.eta[term.factor.owner, k, tuple(p for p in states if p[0] in (*term.before, block.variable))]
                    for term in block.terms
                ]
                assert value == prod(etas, start=Fraction(1))
    for states, chances in posteriors.items():
        at = dict(zip(model.inputs, states, strict=True))
        for k in range(1, model.classes):
            running = steps.psi[k, ()]
            for block in blocks.blocks[1:]:
                if block.terms and at[block.variable]:
                    key = (*((name, at[name]) for name in block.context), (block.variable, at[block.variable]))
                    running *= steps.psi[k, key]

            assert chances[k] / chances[0] == running


def test_equation_6_lacks_logarithms():
    """For naive Bayes λ is φ_0 + Σ I(x_i)·φ_i with differences of logarithms; without these, as printed, it is not."""
    model = algdim.model(naive(2))
    tables = random_tables(model, 3)
    y = tables["Y"][0]
    ratios = {name: [tables[name][1][state] / tables[name][0][state] for state in (0, 1)] for name in model.inputs}
    start = log(y[1] / y[0]) + sum(log(ratio[0]) for ratio in ratios.values())
    for states, chances in brute_classifier.posteriors(model, tables).items():
        on = [ratios[name] for name, state in zip(model.inputs, states, strict=True) if state]
        expected = log(chances[1] / chances[0])

        assert expected == pytest.approx(start + sum(log(two) - log(one) for one, two in on))
        if on:
            assert expected != pytest.approx(start + sum(float(two - one) for one, two in on))


def test_names_and_meanings():
    """A parameter φ says which log-odds it compares."""
    phi = cut_into_blocks(algdim.model(chain(2))).phi

    assert ["φ1", "φ1(X1=1)", "φ1(X2=1)", "φ1(X2=1|X1=1)"] == [one.name for one in phi]
    assert "λ(Y=1|X1=1,X2=1) − λ(Y=1|X1=1,X2=0), other inputs 0" == phi[-1].meaning("Y")


def test_a_meaning_is_true():
    """The difference of log-odds that a φ is said to be, by Bayes' rule."""
    model = algdim.model(FIGURE_2)
    tables = random_tables(model, 1)
    steps = compute_steps(cut_into_blocks(model), tables)
    posteriors = brute_classifier.posteriors(model, tables)
    odds = {states: chances[1] / chances[0] for states, chances in posteriors.items()}

    assert odds[1, 0, 1, 1, 0] / odds[1, 0, 1, 0, 0] == steps.phi[Phi(1, (("X1", 1), ("X3", 1), ("X4", 1)))]
    assert odds[0, 0, 0, 0, 0] == steps.phi[Phi(1, ())]


def test_the_softmax_polynomial():
    """The formula, evaluated with interactions of φ as its coefficients, is λ."""
    model = algdim.model("classifier Y: Y -> A, B; A -> B; states Y=3, A=3")
    blocks = cut_into_blocks(model)
    terms = format_log_odds(blocks).removeprefix("λ_k = ").split(" + ")

    assert blocks.rank // 2 == len(terms)
    assert "c_k(A=2,B=1)·[A=2][B=1]" in terms
    assert format_log_odds(blocks, 2).endswith("+ …")


def test_orders_that_are_none():
    """An order has all inputs, each once."""
    model = algdim.model(naive(2))
    assert ("X1", "X2") == find_natural_order(model)
    for order in (["X1"], ["X1", "X1"], ["X1", "X2", "Y"], ["X1", "X3"]):
        with pytest.raises(InputError, match="each once: X1, X2"):
            cut_into_blocks(model, order)


def test_softmax():
    """Equation 3 with numbers."""
    odds = [2.0, 0.5]
    total = 1 + exp(log(2.0)) + exp(log(0.5))

    assert [1 / total, 2 / total, 0.5 / total] == pytest.approx(
        [float(value) for value in compute_probabilities([Fraction(value) for value in odds])]
    )
    assert list(product((0, 1), repeat=2)) == [
        tuple(state for _, state in one) for one in list_configurations(algdim.model(naive(2)), ["X1", "X2"])
    ]
