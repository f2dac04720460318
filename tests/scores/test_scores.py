"""Scores: their relations, brute force on tiny data, refusals, the command."""

import json
from itertools import pairwise, product
from math import inf, log, pi, prod

import brute_scores
import numpy as np
import pytest
from amount import daily, in_turn, some
from brute_scores import drawn, some_parameters
from hypothesis import given, settings
from hypothesis import strategies as st

import algdim
from algdim import AlgdimError, InputError
from algdim.cli import main
from algdim.families.discrete.map import get_param_map
from algdim.fitting.likelihood import make_likelihood_evaluator
from algdim.fitting.record import convert_to_arrays
from algdim.fitting.samples import read_sample
from algdim.scores.dirichlet import make_priors
from algdim.scores.marginal import (
    compute_log_marginal,
    compute_variational_bound,
    count_allocations,
    iterate_compositions,
)
from algdim.scores.named import SCORES, SLOW
from algdim.scores.scores import choose_prior

TINY = ["2:2,2", "2:2,2,3", "3:2,2", "A -> B; H -> A, B; hidden H", "H -> A, B; hidden H; share t: A, B", "2(2,2(2))"]

CHAIN = [f"H{i}" for i in range(1, 15)]
MECHANISMS = [
    "max: {A},{A,B} -> E",
    "parity: {A},{B} -> E",
    "at-least 2: {A},{B},{A,B} -> E",
    "noisy-or: {A},{B},{} -> E",
]


def exponents(model, kind, amount):
    """The exponent of each entry of a variable's table."""
    if kind == "alpha":
        return lambda variable: amount
    return lambda v: amount / (v.states * prod(model.states[parent] for parent in v.parents))


@pytest.mark.parametrize(
    "text", daily([*TINY, "A -> B -> C; hidden B", "A -> B", "H -> A; hidden H; fix P(A=1|H=0) = 1/3"][:-1], 8)
)
@pytest.mark.parametrize(("kind", "amount"), [("alpha", 1.0), ("ess", 1.0), ("alpha", 0.7)])
def test_exact_is_the_sum_over_all_completions(text, kind, amount):
    """The marginal likelihood agrees with going through all completions case by case."""
    model = algdim.model(text)
    columns, cases = drawn(model, 3, 4)
    found = algdim.score(columns, model, score="exact", **{kind: amount})

    wanted = brute_scores.log_marginal(model, cases, exponents(model, kind, amount))
    assert wanted == pytest.approx(found.values["exact"], abs=1e-8)


def test_fixed_entries_have_no_prior():
    """With P(A=2) = 1/2 fixed the cases 0, 1, 2 have the chance 1/2 · 1/4 · 1/6, by Laplace's rule of succession in the rest."""
    found = algdim.score({"A": [0, 1, 2]}, "states A=3; fix P(A=2) = 1/2", alpha=1.0)

    assert log(1 / 48) == pytest.approx(found.values["exact"], abs=1e-9)
    assert log(1 / 48) == pytest.approx(found.values["variational"], abs=1e-9)


def test_a_mechanism_alone_is_a_table():
    """One mechanism whose effect is the maximum of itself has the scores of a plain edge, hidden states and all."""
    columns, _ = drawn(algdim.model("A -> E"), 6, 12)
    found, plain = (algdim.score(columns, text, alpha=1.5) for text in ("max: {A} -> E", "A -> E"))

    assert ["sbic"] == list(found.reasons)
    assert {name: plain.values[name] for name in found.values} == pytest.approx(found.values, abs=1e-7)


def test_missing_entries_are_summed_over():
    """An entry that is missing is a state that the case does not show."""
    model = algdim.model("A -> B")
    columns = {"A": [0, 1, None, 1], "B": [1, 0, 1, None]}
    cases = [{"A": 0, "B": 1}, {"A": 1, "B": 0}, {"B": 1}, {"A": 1}]
    found = algdim.score(columns, model, score="exact", alpha=1.0, missing=True)

    assert brute_scores.log_marginal(model, cases, lambda _: 1.0) == pytest.approx(found.values["exact"], abs=1e-8)


def test_the_prequential_identity():
    """With complete data the score is the sum of the log predictions of each case from those before, in any order (CH96 §2)."""
    model = algdim.model("A -> B -> C; A -> C; states B=3")
    columns, cases = drawn(model, 8, 40)
    found = algdim.score(columns, model, score="exact", ess=2.0).values["exact"]
    alpha = exponents(model, "ess", 2.0)

    assert found == pytest.approx(brute_scores.log_complete(model, cases, alpha), abs=1e-8)
    assert found == pytest.approx(brute_scores.log_complete(model, cases[::-1], alpha), abs=1e-8)


@pytest.mark.parametrize("text", MECHANISMS)
def test_the_chain_holds_for_interaction_models(text):
    """The same with hidden mechanisms and fixed entries, at the fit (MH97)."""
    columns, _ = drawn(algdim.model(text), 12, 8)
    names = ["mled", "cs", "variational", "exact"]
    found = algdim.score(columns, text, score=names)

    values = [found.values[name] for name in names]
    assert all(lower <= upper + 1e-7 for lower, upper in pairwise(values)), values


@settings(max_examples=some(25))
@given(st.sampled_from(TINY), st.integers(0, 10**6), st.sampled_from([0.3, 1.0, 2.5]), st.integers(1, 6))
def test_the_chain_of_lower_bounds(text, seed, amount, rows):
    """MLED ≤ CS ≤ variational ≤ log p(D) for any parameters, the completed data being from them."""
    model = algdim.model(text)
    columns, _ = drawn(model, seed, rows)
    names = ["mled", "cs", "variational", "exact"]
    found = algdim.score(columns, model, at=some_parameters(model, seed), score=names, alpha=amount)

    assert {} == found.reasons
    values = [found.values[name] for name in names]
    assert all(lower <= upper + 1e-7 for lower, upper in pairwise(values)), values


def test_the_variational_bound_is_raised_until_it_stays(monkeypatch):
    """One step is not the end of it, and it never exceeds the marginal likelihood."""
    model = algdim.model("2:2,3,2")
    sample, pmap = read_sample(drawn(model, 5, 9)[0], model), get_param_map(model)
    priors, at = make_priors(pmap, choose_prior(None, None)), make_likelihood_evaluator(pmap, sample, 1)
    _, expected = at.take_expectation(convert_to_arrays(pmap, some_parameters(model, 5)))
    last = compute_variational_bound(priors, at, expected)
    monkeypatch.setattr("algdim.scores.marginal.LEAST_GAIN", inf)
    first = compute_variational_bound(priors, at, expected)

    assert first + 1e-3 < last < compute_log_marginal(priors, sample)


def test_the_penalties_are_the_formulas():
    """BIC and Draper's score by hand, with 14 parameters and with the 13 dimensions (GHM96 §6)."""
    columns, cases = drawn(algdim.model("3:2,2,2,2"), 1, 50)
    parameters = some_parameters(algdim.model("3:2,2,2,2"), 2)
    found = algdim.score(columns, "3:2,2,2,2", at=parameters)
    loglik = brute_scores.log_likelihood(algdim.model("3:2,2,2,2"), cases, parameters)

    assert loglik == pytest.approx(found.fit.loglik, abs=1e-9)
    assert loglik - 7 * log(50) == pytest.approx(found.values["bic"])
    assert loglik - 6.5 * log(50) == pytest.approx(found.values["bic+"])
    assert loglik - 7 * log(50) + 7 * log(2 * pi) == pytest.approx(found.values["draper"])
    assert loglik - 6.5 * log(50) + 6.5 * log(2 * pi) == pytest.approx(found.values["draper+"])
    assert found.values["cs"] + log(50) / 2 == pytest.approx(found.values["cs+"])


def test_laplace_is_refused_by_the_dimension():
    """With a redundant parameter there is a reason instead of a value, and a value when it is forced."""
    columns, _ = drawn(algdim.model("2:2,2"), 1, 60)
    names = ["laplace", "laplace-softmax"]
    refused = algdim.score(columns, "2:2,2", score=names, alpha=2.0)
    forced = algdim.score(columns, "2:2,2", score=names, alpha=2.0, force=True)

    assert {} == refused.values
    assert all("3 (proved) is below the 5 parameters" in reason for reason in refused.reasons.values())
    assert set(names) == set(forced.values)
    assert refused.to_dict()["scores"] == dict.fromkeys(names)


@in_turn(3)
def test_dirichlet_1_refunds_too_much():
    """Data of two classes: CS+ with Dirichlet(1) rises with superfluous classes, with BDeu it falls.

    Of 8 classes and 4 binary items 39 parameters stand for 15 dimensions; a uniform prior pays most of them back already.
    """
    random = np.random.default_rng(11)
    hidden = random.integers(0, 2, size=2000)
    data = (random.random((2000, 4)) < np.where(hidden == 1, 0.8, 0.25)[:, None]).astype(int)

    def best(**prior):
        scores = {k: algdim.score(data, f"{k}:2^4", score="cs+", **prior).values["cs+"] for k in (1, 2, 5, 8)}
        return max(scores, key=scores.get)

    assert 8 == best(alpha=1.0)
    assert 2 == best(ess=1.0)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"score": "aic"}, "'aic' is not known; did you mean 'bic'\\?; known are all, bic"),
        ({"score": []}, "known are all"),
        ({"alpha": 1, "ess": 1}, "one prior"),
        ({"ess": -1}, "positive"),
        ({"alpha": 1e308}, "1e-09 to 1e\\+09"),
        ({"alpha": float("nan")}, "positive"),
    ],
)
def test_what_is_not_allowed_is_named(options, message):
    """Wrong options are answered with the allowed ones."""
    with pytest.raises(InputError, match=message):
        algdim.score({"A": [0, 1]}, "states A=2", **options)


def test_counts_beyond_rounding_are_refused():
    """This many cases are no data; their expected counts and gamma functions would overflow."""
    for compute in (algdim.score, algdim.fit):
        with pytest.raises(InputError, match=r"2e\+306 cases; up to 1e\+15"):
            compute({"A": [0, 1], "count": [1e306, 1e306]}, "states A=2")


@pytest.mark.parametrize(
    ("data", "text", "reason"),
    [
        ({"A": [0, 1], "B": [0, 1], "count": [0.5, 1.5]}, "2:2,2", "whole counts"),
        ({"A": [0, 1], "B": [0, 1], "count": [1, 1.5]}, "2:2,2", "whole counts"),
        (np.arange(800).reshape(200, 4) * 7 // 3 % 2, "3:2^4", "complete data and tiny samples"),
        (np.eye(10, dtype=int), "128:2^10", "2000"),
        ({"X1": [0, 1], "X2": [0, 1], "count": [20_000, 1]}, "2:2,2", "complete data and tiny samples"),
        ({"A": [0, 1]}, f"{' -> '.join(CHAIN)} -> A; hidden {', '.join(CHAIN)}", "a case has .* completions"),
    ],
)
def test_exact_is_refused_where_it_would_take_too_long(data, text, reason):
    """Before much is built the reason says what is allowed."""
    model = algdim.model(text)
    priors = make_priors(get_param_map(model), choose_prior(None, None))
    with pytest.raises(AlgdimError, match=reason):
        compute_log_marginal(priors, read_sample(data, model))


def test_the_orders_of_many_equal_cases_are_counted_at_once():
    """A factorial of a thousand million has nine thousand million digits; two items that are independent have one completion."""
    model, count = algdim.model("1:2,2"), 10**9
    priors = make_priors(get_param_map(model), choose_prior(None, None))
    data = {"X1": [0, 1], "X2": [0, 0], "count": [count, 1]}
    found = compute_log_marginal(priors, read_sample(data, model))

    # of the prior Dirichlet(1/2): B(n + 1/2, 3/2) B(n + 3/2, 1/2) / π², nearly 1 / (2π n²)
    assert found == pytest.approx(-2 * log(count) - log(2 * pi), abs=1e-4)
    assert {7 * 3: 1} == dict(count_allocations([7], 3))
    assert {0: 1, 1: 3, 2: 3, 3: 1} == dict(count_allocations([0, 1], 3))


def test_every_score_of_complete_data_has_a_value():
    """A network without hidden variables has all scores, and three of them agree."""
    columns, _ = drawn(algdim.model("A -> B <- C"), 5, 100)
    found = algdim.score(columns, "A -> B <- C", alpha=1.5)

    assert tuple(name for name in SCORES if name not in SLOW) == tuple(found.values)
    exact = found.values["exact"]
    assert (exact, exact, exact) == pytest.approx([found.values[name] for name in ("mled", "cs", "variational")])
    assert exact == pytest.approx(found.values["laplace"], abs=0.2)
    assert exact == pytest.approx(found.values["laplace-softmax"], abs=0.2)


def test_single_ties_have_no_marginal_likelihood_but_penalties():
    """Names that tie single entries are refused by the scores that integrate, and only by them."""
    for last, text in (
        (1, "A -> B; equal e = P(A=0), P(B=1|A=1)"),
        (2, "A -> B; states B=3; equal e = P(B=1|A=0), P(B=1|A=1)"),
    ):
        found = algdim.score({"A": [0, 1, 0], "B": [0, 1, last]}, text)

        assert {"bic", "bic+", "draper", "draper+", "sbic"} == set(found.values)
        assert "tie single entries" in found.reasons["cs"]


@pytest.mark.parametrize("options", [{"alpha": 1.5}, {"ess": 3.0}])
def test_equal_rows_are_one_row(options):
    """A table whose rows are equal has the scores of the table without that parent."""
    data = {"A": [0, 1, 0, 1, 1], "B": [0, 1, 1, 1, 0]}
    names = ["bic", "cs", "exact", "variational", "laplace", "laplace-softmax"]
    tied = algdim.score(data, "A -> B; equal e = P(B=0|A=0), P(B=0|A=1)", score=names, **options)
    plain = algdim.score(data, "states A=2, B=2", score=names, **options)

    assert plain.values == pytest.approx(tied.values, abs=1e-7)


def test_ghm96_equation_1():
    """The closed form is N·H − d/2 · log N up to a constant, as N grows with fixed shares (GHM96 Eq. 1)."""
    shares = {"A": [0, 0, 1, 1], "B": [0, 1, 0, 1]}
    differences = []
    for size in (100, 10_000, 1_000_000):
        data = {**shares, "count": [size * part // 100 for part in (40, 10, 20, 30)]}
        values = algdim.score(data, "A -> B", score=["bic", "exact"], alpha=1.0).values
        differences.append(values["exact"] - values["bic"])

    assert differences[1] == pytest.approx(differences[2], abs=2e-3)
    assert differences[0] == pytest.approx(differences[2], abs=0.2)


@in_turn(2)
def test_the_command_prints_what_the_function_finds(tmp_path, capsys):
    """The JSON of the command is that of the record, at given parameters."""
    model = algdim.model("2:2,2,2")
    columns, cases = drawn(model, 4, 30)
    data, parameters = tmp_path / "data.csv", tmp_path / "at.json"
    data.write_text(
        "\n".join([",".join(columns), *(",".join(map(str, case.values())) for case in cases)]), encoding="utf-8"
    )
    parameters.write_text(json.dumps(some_parameters(model, 4)), encoding="utf-8")

    assert 0 == main(["score", str(data), "2:2,2,2", "--at", str(parameters), "--alpha", "1.5", "--json"])
    printed = json.loads(capsys.readouterr().out)
    assert algdim.score(columns, model, at=some_parameters(model, 4), alpha=1.5).to_dict() == printed
    assert (30, 7, 7, True, "alpha=1.5") == tuple(printed[k] for k in ("n", "standard", "dimension", "exact", "prior"))


def test_a_model_without_parameters_has_scores():
    """All of them are its log-likelihood."""
    found = algdim.score({"A": [0, 1, 1]}, "states A=2; fix P(A=0)=1/3, P(A=1)=2/3")

    assert tuple(name for name in SCORES if name not in SLOW) == tuple(found.values)
    assert [log(4 / 27)] * len(found.values) == pytest.approx(list(found.values.values()))


def test_a_case_with_thousands_of_completions_needs_no_recursion():
    """The compositions of a number, in their order."""
    assert 3000 == len(list(iterate_compositions(1, 3000)))
    assert sorted(c for c in product(range(4), repeat=3) if sum(c) == 3) == list(iterate_compositions(3, 3))
