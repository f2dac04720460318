"""Unlucky primes: drawn modulo 2, 3, 5 and 101, ranks may be too low, but nothing is wrong and nothing exact is false."""

import sys
from itertools import count

import pytest
from amount import daily, in_turn

import algdim
from algdim import LimitError
from algdim.bound.strategy import KNOWN
from algdim.certificate.exporting import NotProvedError
from algdim.exact import primes
from hunting import oracle
from hunting.random_models import TURNS, model_of

PRIMES = (2, 3, 5, 101)
CLASSICS = {
    "2:2,2,2": 7,  # as many parameters as cells less one
    "3:2,2,2,2": 13,  # GHM96, KZ02
    "4:3,3,3": 25,  # KZ02
    "H -> A, B, C, D; hidden H": 9,  # GHM96
    "gaussian: F -> A, B, C, D; hidden F; means off": 8,  # one factor, two tetrads of ten covariances
}


@pytest.fixture(params=PRIMES)
def forced(request, monkeypatch):
    """Every prime that is drawn anywhere is this one, but in ranks over the rationals, which draw until they have a proof."""
    plain = primes.draw_prime
    for name, module in list(sys.modules.items()):
        if name.startswith("algdim.") and name != "algdim.exact.ranks" and getattr(module, "draw_prime", None) is plain:
            monkeypatch.setattr(module, "draw_prime", lambda source, bits: request.param)
    return request.param


def check(model, expected, seed):
    """No proved bound is on the wrong side, whatever the method; certificates that come out prove what is so."""
    for method, bounds in (
        ("auto", "auto"),
        ("table", "auto"),
        ("probes", "auto"),
        ("products", "auto"),
        ("rational", KNOWN),
    ):
        try:
            report = algdim.dimension(model, method=method, bounds=bounds, seed=seed)
        except LimitError:
            continue  # each point has a denominator that is zero, or the prime divides one of the model's
        assert report.lower.value <= expected
        assert not report.upper.is_proved or expected <= report.upper.value
        assert not report.exact or expected == report.dimension
    try:
        certificate = algdim.prove(model, seed=seed)
    except (NotProvedError, LimitError):
        return
    assert expected == certificate.dimension


@in_turn(2)
@pytest.mark.parametrize("text", daily(CLASSICS, 1))
def test_the_papers_models(forced, text):
    """Models whose dimensions are in print."""
    check(algdim.model(text), CLASSICS[text], forced)


def known_from(number):
    """The first model from a number on whose dimension brute force finds."""
    models = (model_of("unlucky", one)[1] for one in count(number))
    return next((model, found) for model in models if (found := oracle.dimension(model)) is not None)


@pytest.mark.parametrize("number", daily(range(0, 2 * len(TURNS), 5), 1))
def test_random_models(forced, number):
    """Models of all families, against brute force."""
    model, expected = known_from(number)
    check(model, expected, number)


@pytest.mark.parametrize("number", daily([1019, 1253, 1438], 1))
def test_derivatives_without_value(forced, number):
    """Embedded classifiers that have a value at a point, but no derivative: another point is drawn."""
    _, model = model_of("unlucky", number)
    check(model, oracle.dimension(model), number)


@pytest.mark.slow
@pytest.mark.parametrize("block", range(10))
def test_more_random_models(forced, block):
    """The same on 500 models."""
    for number in range(1000 + 50 * block, 1050 + 50 * block):
        _, model = model_of("unlucky", number)
        expected = oracle.dimension(model)
        if expected is not None:
            check(model, expected, number)
