"""sBIC, learning coefficients, and the exact marginal likelihood of two classes that they are checked with."""

from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import pairwise
from math import exp, log

import numpy as np
import pytest
from amount import daily, in_turn
from hypothesis import given
from hypothesis import strategies as st

import algdim
from algdim import AlgdimError, InputError
from algdim.fitting.samples import Sample
from algdim.scores.marginal import compute_two_class_marginal
from algdim.scores.singular import (
    Coefficient,
    bound_class_coefficients,
    build_chain,
    compute_factor_coefficient,
    compute_naive_bayes_coefficient,
    compute_sbic,
)

CELLS = {
    "regular": [7, 1, 1, 1, 1, 1, 1, 7],
    "pair": [3, 3, 1, 1, 1, 1, 3, 3],
    "independent": [1] * 8,
}
"""Counts of three binary items; the first are two classes at a general point, 1/2 · (a³ + b³) with a ≠ b near enough."""


def sample_of(items, counts):
    """A sample that holds every cell so often."""
    patterns = np.indices((2,) * items).reshape(items, -1).T
    names = tuple(f"X{number + 1}" for number in range(items))
    return Sample(names, (("0", "1"),) * items, patterns, np.array(counts, dtype=np.float64))


def lack(items, cells, times):
    """How much log p(D) is below the log-likelihood of the cells' own shares."""
    sample = sample_of(items, np.array(cells) * times)
    best = float((sample.counts * np.log(sample.counts / sample.size)).sum())
    return best - compute_two_class_marginal(sample), log(sample.size)


def test_the_factor_table_of_drton_and_plummer():
    """The coefficients for six items and up to three factors, as printed."""
    printed = ["3", "9/2 6", "6 29/4 17/2", "15/2 17/2 19/2 21/2"]

    for factors, row in enumerate(printed):
        found = [compute_factor_coefficient(6, factors, true) for true in range(factors + 1)]
        assert [(Fraction(text), 1) for text in row.split()] == found


@given(st.lists(st.floats(0, 9), min_size=1, max_size=6), st.floats(1.2, 4.0), st.sampled_from([0.0, -200.0, -50000.0]))
def test_sbic_solves_its_equations(gains, log_size, start):
    """Σ_j≤i (L_i − L_ij) L_j = 0 for every model, in decimal arithmetic of 60 digits."""
    logliks = list(start + np.cumsum(gains))
    rows = bound_class_coefficients([5 * i - 1 for i in range(1, len(gains) + 1)], 4)
    size = 10.0**log_size
    found = compute_sbic(logliks, rows, size)

    with localcontext() as context:
        context.prec = 60
        shifted = [Decimal(value - start).exp() for value in found]
        for i, row in enumerate(rows):
            terms = [Decimal(logliks[i] - start + one.log_factor(size)).exp() for one in row]
            total = sum((shifted[i] - term) * own for term, own in zip(terms, shifted, strict=False))
            scale = sum((shifted[i] + term) * own for term, own in zip(terms, shifted, strict=False))
            assert abs(total) < scale * Decimal("1e-9")


def test_sbic_takes_the_dimension_where_the_count_is_too_high():
    """Three classes of four binary items: the coefficient of their own truth is 13/2, and no coefficient is above it."""
    rows = bound_class_coefficients([4, 9, 13, 15, 15], 4)

    assert Fraction(13, 2) == rows[2][2].value
    assert all(one.value <= row[-1].value for row in rows for one in row)
    assert all(earlier.value <= later.value for row in rows for earlier, later in pairwise(row))


def test_sbic_punishes_superfluous_classes_less_than_bic():
    """With data of one class the scores of more are above BIC+, below the truth's, and the score needs fits of its own."""
    data = algdim.simulate("1:2^4", {"H": [[1]], **{f"X{k}": [["1/3", "2/3"]] for k in range(1, 5)}}, 300, seed=1)
    one, three = (algdim.score(data, f"{k}:2^4", score=["bic+", "sbic"]).values for k in (1, 3))

    assert one["bic+"] == pytest.approx(one["sbic"])
    assert three["bic+"] + 1 < three["sbic"] < one["sbic"]


@pytest.mark.parametrize(
    ("text", "options", "reason"),
    [
        ("2:2,2", {"at": {"H": [[0.5, 0.5]], "X1": [[0.5, 0.5]] * 2, "X2": [[0.5, 0.5]] * 2}}, "greatest likelihoods"),
        ("H -> X1, X2; X1 -> X2; hidden H", {}, "sbic is for latent class models with free tables"),
    ],
)
def test_sbic_says_why_it_has_no_value(text, options, reason):
    """Given parameters and other models have a reason in its place."""
    found = algdim.score({"X1": [0, 1, 1], "X2": [0, 1, 0]}, text, score="sbic", **options)

    assert reason in found.reasons["sbic"]


@pytest.mark.parametrize("counts", [[1, 0, 2, 1], [2, 1, 0, 1, 0, 1, 1, 1]])
@pytest.mark.parametrize("alpha", [1.0, 0.4])
def test_two_classes_agree_with_all_completions(counts, alpha):
    """The polynomial product gives what going through the completions gives."""
    sample = sample_of(2 if len(counts) == 4 else 3, counts)
    found = algdim.score(sample, f"2:2^{len(sample.names)}", score="exact", alpha=alpha)

    assert found.values["exact"] == pytest.approx(compute_two_class_marginal(sample, alpha), abs=1e-9)


@pytest.mark.parametrize(
    ("counts", "reason"), [([0.5] * 4, "whole counts"), ([600] * 4, "up to 1000"), ([250] * 4, "ways")]
)
def test_too_many_cases_are_refused(counts, reason):
    """Nothing is built that does not fit."""
    with pytest.raises(AlgdimError, match=reason):
        compute_two_class_marginal(sample_of(2, counts))


@in_turn(3)
@pytest.mark.parametrize("truth", daily(CELLS, 1))
def test_slopes_of_the_exact_marginal_likelihood(truth):
    """Between some 40 and 96 cases log p(D) falls by the exact coefficient of its truth, not by that of another one."""
    times = (3, 5) if truth == "regular" else (3, 6) if truth == "pair" else (6, 12)
    (low, log_low), (high, log_high) = (lack(3, CELLS[truth], number) for number in times)
    slope = (high - low) / (log_high - log_low)
    wanted = float(compute_naive_bayes_coefficient(3, truth).value)

    assert wanted == pytest.approx(slope, abs=0.45)
    assert wanted == min((7 / 2, 5 / 2, 2.0), key=lambda value: abs(value - slope))


@in_turn(3)
def test_slopes_of_two_items():
    """3/2 · log N where they depend on each other, and 2 log log N less where they do not."""
    for cells, times in (([3, 1, 1, 3], (10, 40)), ([1, 1, 1, 1], (20, 80))):
        truth = "independent" if len(set(cells)) == 1 else "pair"
        coefficient = compute_naive_bayes_coefficient(2, truth)
        (low, log_low), (high, log_high) = (lack(2, cells, number) for number in times)
        wanted = coefficient.log_factor(exp(log_low)) - coefficient.log_factor(exp(log_high))
        other = Coefficient(Fraction(3, 2), 4 - coefficient.multiplicity)

        assert wanted == pytest.approx(high - low, abs=0.2)
        assert abs(other.log_factor(exp(log_low)) - other.log_factor(exp(log_high)) - (high - low)) > 0.4


def test_one_item_has_a_coefficient_of_one_half():
    """A binary item tells of one dimension whatever is hidden behind it."""
    (low, log_low), (high, log_high) = lack(1, [1, 1], 50), lack(1, [1, 1], 500)

    assert float(compute_naive_bayes_coefficient(1, "regular").value) == pytest.approx(
        (high - low) / (log_high - log_low), abs=0.01
    )


@in_turn(2)
def test_sbic_of_factor_models_is_bic_plus_for_the_smallest():
    """Without factors it is BIC+; one factor too many costs less than half its dimensions, and the right number wins."""
    random = np.random.default_rng(4)
    values = random.normal(size=(250, 1)) @ [[1.0, -0.8, 0.7, 1.2, 0.9]] + random.normal(size=(250, 5))
    data = {f"X{number + 1}": values[:, number].tolist() for number in range(5)}
    names = "X1, X2, X3, X4, X5"
    texts = [f"gaussian: {names}"] + [
        f"gaussian: {factors} -> {names}; hidden {factors}" for factors in ("F1", "F1, F2")
    ]
    none, one, two = (algdim.score(data, text, score=["bic+", "sbic"]).values for text in texts)

    assert none["bic+"] == pytest.approx(none["sbic"])
    assert two["bic+"] < two["sbic"] < one["sbic"]
    assert none["sbic"] < one["sbic"]


def test_factor_coefficients_meet_the_dimension():
    """With the truth in no smaller model twice λ is the dimension, means included (GHM96 §7: one factor and four items, 12)."""
    chain = build_chain(algdim.model("gaussian: F -> X1, X2, X3, X4; hidden F"))

    assert [[4], [5, 6]] == [[one.value for one in row] for row in chain.coefficients([8, 12])]


@pytest.mark.parametrize(
    "rest",
    [
        "F -> A, B, C, D; A <-> B",
        "F -> A, B, C, D; equal l = b(F->A), b(F->B)",
        "F -> A, B, C, D; fix b(F->A)=1",
        "F -> A, B, C, D; fix v(A)=1",
        "F -> A, B, C, D; A -> B",
        "F -> A, B, C; D",
    ],
)
def test_other_factor_models_have_no_sbic(rest):
    """The coefficients are those of loadings that are all free, with independent errors that are free too."""
    with pytest.raises(InputError, match="factors that are independent and lead to all variables"):
        build_chain(algdim.model(f"gaussian: {rest}; hidden F"))


def test_the_variance_of_a_factor_may_be_fixed():
    """The scale of the factor; the model without it has nothing fixed."""
    (none,) = build_chain(algdim.model("gaussian: F -> A, B, C, D; hidden F; fix v(F)=1")).below

    assert algdim.model("gaussian: A, B, C, D") == none


def test_unknown_truths_are_answered_with_the_known_ones():
    """However many items there are, and at least one is needed."""
    for items, truth in ((1, "pairs"), (2, "pairs"), (4, "pairs"), (0, "regular")):
        with pytest.raises(InputError, match="regular, pair, independent are known"):
            compute_naive_bayes_coefficient(items, truth)


def test_correlated_factors_have_no_sbic():
    """The reason names the models that have one."""
    with pytest.raises(AlgdimError, match="independent"):
        build_chain(algdim.model("gaussian: F -> X1, X2, X3; G -> X3, X4, X5; hidden F, G"))
    with pytest.raises(AlgdimError, match="not for the family"):
        build_chain(algdim.model("poisson: {A} -> E"))
