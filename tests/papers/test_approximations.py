"""The checks of approximations and of HM97's §6: their limits against numbers, and that a changed formula is not confirmed."""

from __future__ import annotations

from itertools import product

import mpmath
import pytest

from algdim_papers.claims import approximations, hm97, switching
from algdim_papers.claims.checks import run_check
from algdim_papers.claims.finding import Finding

N = 10**7
"""Tosses at which a limit is compared with a number."""


def log_beta(x, y):
    """The logarithm of Euler's integral, to forty digits."""
    return mpmath.loggamma(x) + mpmath.loggamma(y) - mpmath.loggamma(x + y)


def log_ridge(n):
    """log p(D) of n tosses, half of them heads, under H -> X: the density of w integrated with harmonic numbers."""
    harmonic = mpmath.digamma(n + 3) - mpmath.digamma(n / 2 + 2)
    return mpmath.log(4) + log_beta(n / 2 + 2, n / 2 + 1) + mpmath.log(harmonic)


@pytest.fixture(autouse=True)
def _digits():
    with mpmath.workdps(40):
        yield


def test_limits_are_those_of_the_gamma_functions():
    """Errors of BIC, Draper's score, Laplace, Eq. 10 and CS at ten million tosses, without any expansion."""
    n, two = mpmath.mpf(N), mpmath.log(2)
    coin = log_beta(n / 2 + 1, n / 2 + 1)
    expected = coin + 2 * log_beta(n / 4 + 1, n / 4 + 1)
    prior = mpmath.log(6) + log_beta(n / 2 + 2, n / 2 + 2)
    peak = -n * two + mpmath.log(1.5) + mpmath.log(2 * mpmath.pi) / 2 - mpmath.log(4 * (n + 2)) / 2
    numbers = {
        approximations.log_marginal_of_a_coin() - approximations.log_peak(1, 1): coin + n * two + mpmath.log(n) / 2,
        approximations.log_marginal_of_the_ridge() - approximations.log_peak(1, 1): log_ridge(n)
        + n * two
        + mpmath.log(n) / 2,
        approximations.log_marginal_of_expected_data() - approximations.log_peak(2, 3): expected
        + 2 * n * two
        + 3 * mpmath.log(n) / 2,
    }

    for expansion, number in numbers.items():
        assert abs(mpmath.mpf(str(approximations.find_limit(expansion).evalf(40))) - number) < 1e-5
    assert "N times the error to -3/4" in approximations.laplace_with_a_prior().reason
    assert abs(n * (prior - peak) + 0.75) < 1e-5


def test_what_grows_has_no_limit():
    """A term in N or in log N is infinite, with its sign; lower orders do not matter then."""
    e, logarithm = approximations.make_size()

    assert ["oo", "-oo", "oo", "7"] == [
        str(approximations.find_limit(expansion))
        for expansion in (1 / e - logarithm / e**0, -logarithm, 3 * logarithm / e, 7 + e * logarithm)
    ]


@pytest.mark.parametrize("count", [0, 2, 3])
@pytest.mark.parametrize("name", ["schwarz", "draper"])
def test_another_dimension_is_not_confirmed(name, count, monkeypatch):
    """BIC's and Draper's errors are bounded with d = 1 only."""
    real = approximations.log_peak
    monkeypatch.setattr(approximations, "log_peak", lambda bits, d: real(bits, count if d == 1 else d))

    assert not getattr(approximations, name)().holds


def test_laplace_needs_its_factor(monkeypatch):
    """A prior density of 2 at the mode instead of 3/2 leaves an error that does not vanish."""
    real = approximations.log_shifted
    monkeypatch.setattr(
        approximations, "log_shifted", lambda shift, part: real(shift, part) + (1 if part == 1 and shift == 2 else 0)
    )

    assert not approximations.laplace_with_a_prior().holds


def test_the_correction_of_the_score_is_by_the_dimension(monkeypatch):
    """With d = 2 the corrected score is not right: it is the rank that counts."""
    assert approximations.cheeseman_stutz(1).holds
    real = approximations.log_peak
    monkeypatch.setattr(approximations, "log_peak", lambda bits, d: real(bits, d + 1 if bits == 0 else d))
    assert not approximations.cheeseman_stutz(1).holds


def test_the_ridge_has_the_density_of_its_parameters():
    """∫ (w(1 − w))^m over h, a, b against the formula with harmonic numbers, which the check compares before it is used."""
    for heads in (1, 2, 3, 5):
        exact = approximations.integrate_ridge(heads)
        assert (
            abs(mpmath.log(mpmath.mpf(exact.numerator) / exact.denominator) - log_ridge(mpmath.mpf(2 * heads))) < 1e-30
        )


@pytest.mark.parametrize("shift", list(product((0, 1), repeat=2))[1:])
def test_a_wrong_index_of_equation_12_is_not_confirmed(shift, monkeypatch):
    """With the state of another input in ψ_3 the odds differ."""
    real = switching.list_psi

    def changed(x):
        psi = real(x)
        return [
            [
                (eta[0], eta[1], (eta[2][0], eta[2][1] ^ shift[eta[1] == "x5"], None)) if eta[0] == 3 else eta
                for eta in one
            ]
            for one in psi
        ]

    monkeypatch.setattr(switching, "list_psi", changed)
    assert not switching.odds_by_switching().holds


def test_the_rank_needs_every_eta(monkeypatch):
    """Without ψ_5 the rank is not the dimension."""
    real = switching.list_psi
    monkeypatch.setattr(switching, "list_psi", lambda x: [psi for psi in real(x) if psi[0][0] != 5])

    assert not switching.rank_by_eta().holds


def test_the_image_of_eta_is_not_open_with_a_sum_of_two(monkeypatch):
    """A number more, that depends on the others, is found."""
    real = switching.list_eta
    monkeypatch.setattr(switching, "list_eta", lambda: [*real(), real()[0]])

    assert not switching.image_of_eta().holds


def test_dimensions_of_parts_are_compared(monkeypatch):
    """One parameter too many is found."""
    (text, (free, parts)), *_ = hm97.EMBEDDED.items()
    monkeypatch.setattr(hm97, "EMBEDDED", {text: (free + 1, parts)})

    assert not hm97.sum_of_dimensions().holds


@pytest.mark.parametrize(
    ("name", "arguments", "printed"),
    [("odds-of-a-chain", (), "54/91"), ("union-of-bases", (), "14"), ("image-of-omega", (), "rank 20")],
)
def test_what_is_refuted_says_by_what(name, arguments, printed):
    """The reason has the number of the printed formula."""
    found = run_check(name, arguments)

    assert isinstance(found, Finding)
    assert not found.holds
    assert printed in found.reason
