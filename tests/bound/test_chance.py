"""The chance that draws all missed the dimension, against the lemma's formula computed by hand."""

from fractions import Fraction
from math import comb, isclose, log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

import algdim
from algdim import dimension
from algdim.bound.chance import ENOUGH, bound_by_chance, compute_error, compute_prime_error, compute_probe_error
from algdim.bound.symbolic import bound_by_elimination
from algdim.exact.elimination import Rank
from algdim.exact.primes import count_primes
from algdim.families.discrete.locals.table import Table
from algdim.families.discrete.map import get_param_map
from algdim.families.discrete.model import Network, Variable
from algdim.jacobian import make_evaluator
from algdim.rank import Draw, Task, draw

# π(2^22), π(2^23), π(2^60), π(2^61): OEIS A007053
PRIMES = {23: 564163 - 295947, 61: 55890484045084135 - 28423094496953330}


def a_draw(value, prime, bits, count, functionals="probes"):
    """A draw with a known prime."""
    rank = Rank(value, (), ())
    return Draw(
        "probes", rank, 0, 0, "", prime=prime, prime_bits=bits, choices=prime, functionals=functionals, count=count
    )


def by_hand(classes, items, value, prime, bits, count, primes):
    """ε₁ + ε₂ + ε₃ for binary items: degree items + 1, coefficients at most (2k − 1)·2^items in sum."""
    degree, size = items + 1, (2 * classes - 1) * 2**items
    first = (value + 1) * log2(degree * size) / ((bits - 1) * primes)
    second = Fraction((value + 1) * (degree - 1), prime)
    third = Fraction(comb(count, value) * items ** (count - value), prime ** (count - value))
    return first + float(second) + float(third)


def test_the_number_of_primes_is_the_known_one():
    """Exactly for short primes; for long ones it is bounded from below, so that no chance comes out too small."""
    assert PRIMES[23] == count_primes(23)
    assert 0.6 * PRIMES[61] < count_primes(61) <= PRIMES[61]


@pytest.mark.parametrize(("bits", "printed"), [(23, 0.016), (61, 6e-14)])
def test_ten_classes_and_sixty_items(bits, printed):
    """One draw for 10 classes and 60 binary items: the formula's own examples, .016 and 6e-14, at the least primes."""
    pmap, prime = get_param_map(algdim.model("10:2^60")), 2 ** (bits - 1) + 1
    found = compute_error(pmap, [a_draw(609, prime, bits, 625)], 609)
    exact = by_hand(10, 60, 609, prime, bits, 625, PRIMES[bits])

    assert isclose(printed, exact, rel_tol=0.05)
    assert exact * 0.9999 <= found < exact * 1.4
    assert isclose(by_hand(10, 60, 609, prime, bits, 625, count_primes(bits)), found, rel_tol=1e-9)


def test_four_redraws_multiply():
    """Draws are independent: .016 to the fourth power is 6e-8."""
    pmap = get_param_map(algdim.model("10:2^60"))
    found = compute_error(pmap, [a_draw(609, 2**22 + 1, 23, 625)] * 4, 609)

    assert isclose(6.5e-8, found, rel_tol=0.1)


@given(st.integers(2, 6), st.integers(1, 12), st.integers(0, 60))
def test_latent_classes_follow_the_formula(classes, items, value):
    """For any latent class model with binary items."""
    pmap = get_param_map(algdim.model(f"{classes}:2^{items}"))
    prime, count = 2**61 - 1, 100
    found = compute_error(pmap, [a_draw(value, prime, 61, count)], value)

    assert isclose(by_hand(classes, items, value, prime, 61, count, count_primes(61)), found, rel_tol=1e-9)


@pytest.mark.parametrize(
    ("text", "degree", "size"),
    [
        ("A -> B; states B=3", 2, 2 * 3),
        ("4:3,3,3", 4, 7 * 27),
        ("5(2,3(2,2),3(2,2))", 8, 9 * 5 * 5 * 32),
        ("A -> C <- H -> D <- B; hidden H", 5, 3 * 16),
        ("A -> B; fix P(A=0)=1/3", 1, 2 * 2),
        ("H -> X; hidden H; fix P(H=0)=1/3", 1, 3 * 2),
        ("A -> B; given A", 1, 2),
    ],
)
def test_degree_and_size_of_the_coordinates(text, degree, size):
    """Factors with parameters count for the degree; hidden 2r − 1, observed r; fixed entries with cleared denominators."""
    found = get_param_map(algdim.model(text)).degree_and_log_size()

    assert degree == found[0]
    assert isclose(log2(size), found[1], abs_tol=1e-9)


def test_the_size_bounds_the_coefficients_of_a_fixed_model():
    """With fractions: the cleared coordinate (1/6)·t1 + (5/6)·t2 of H -> X has coefficients 1 and 5."""
    fixed = Table(fixed=((((), 0), Fraction(1, 6)),))
    model = Network((Variable("H", 2, False, local=fixed), Variable("X", parents=("H",))))

    assert get_param_map(model).degree_and_log_size()[1] >= log2(6)


@given(st.integers(1, 30), st.integers(0, 40), st.integers(0, 40))
def test_probes_follow_the_formula(axes, value, spare):
    """C(K, r)(n/p)^(K − r), at most 1."""
    prime, count = 8388593, value + spare
    exact = Fraction(comb(count, value) * axes**spare, prime**spare) if spare else Fraction(1)

    assert isclose(float(min(exact, 1)), compute_probe_error(axes, count, value, prime), rel_tol=1e-9, abs_tol=1e-300)


def test_impossible_primes_say_nothing():
    """If more primes may be excluded than there are, the chance is 1."""
    assert 1.0 == compute_prime_error(3, 10.0, 23, 1e9)


def test_nothing_is_claimed_about_a_prime_that_was_not_drawn():
    """Nor about floating point."""
    pmap = get_param_map(algdim.model("3:2,2,2,2"))
    fixed = Draw("table", Rank(13, (), ()), 0, 0, "", prime=8388593, choices=8388593, count=16)
    plan = make_evaluator(pmap)

    assert 1.0 == compute_error(pmap, [fixed], 13)
    assert 1.0 == compute_error(pmap, [draw(Task(pmap, plan), "float")], 13)


def test_nothing_is_claimed_about_functionals_that_factorise():
    """The lemma is about probes, all of whose entries are drawn."""
    pmap = get_param_map(algdim.model("10:2^60"))

    assert 1.0 == compute_error(pmap, [a_draw(609, 2**22 + 1, 23, 625, functionals="products")], 609)


def test_nothing_is_claimed_where_no_point_need_have_a_value():
    """A denominator that may be zero at every point that can be drawn."""
    pmap = get_param_map(algdim.model("sigmoid: A -> B"))

    assert 0 == pmap.share_with_value(1)
    assert 1.0 == compute_error(pmap, [Draw("rational", Rank(3, (), ()), 0, 0, "", choices=1)], 3)


def test_symbolic_elimination_proves():
    """All greater minors are identically zero."""
    pmap = get_param_map(algdim.model("2:2,2"))
    draws = [draw(Task(pmap, make_evaluator(pmap)), "symbolic")]
    bound = bound_by_elimination(draws, 3)

    assert bound.is_proved
    assert ("symbolic", 3) == (bound.kind, bound.value)
    assert bound_by_chance(pmap, draws, 3) is None


@pytest.mark.parametrize(
    ("method", "words"),
    [("probes", "prime, point and probes"), ("table", "prime and point"), ("rational", "the point")],
)
def test_the_reason_says_what_was_drawn(method, words):
    """And how often."""
    pmap = get_param_map(algdim.model("3:2,2,2,2"))
    plan = make_evaluator(pmap)
    draws = [draw(Task(pmap, plan), method, number) for number in range(2)]
    bound = bound_by_chance(pmap, draws, 13)

    assert f"no greater rank in 2 independent draws of {words}" == bound.reason
    assert {"draws": 2} == dict(bound.evidence)
    assert 0 < bound.error < 1


def test_the_rational_method_counts_the_point_alone():
    """(r + 1)(δ − 1)/|S| with 2^61 coordinates."""
    pmap = get_param_map(algdim.model("3:2,2,2,2"))
    found = compute_error(pmap, [draw(Task(pmap, make_evaluator(pmap)), "rational")], 13)

    assert isclose(14 * 4 / 2**61, found)
    assert found > ENOUGH / 100


def test_the_chances_of_all_parts_together_are_small_enough():
    """Twelve separate models with four items each, none of them proved."""
    one = "H{0} -> A{0}, B{0}, C{0}, D{0}"
    text = "; ".join(one.format(k) for k in range(12))
    names = ", ".join(f"H{k}" for k in range(12))
    states = ", ".join(f"H{k}=3" for k in range(12))
    found = dimension(f"{text}; hidden {names}; states {states}", bounds="counting,districts,chance")

    assert 12 * 13 == found.dimension
    assert not found.exact
    assert 0 < found.upper.error < ENOUGH


@pytest.mark.parametrize("degree", [0, 1, 6])
def test_no_rank_is_negative(degree):
    """That draws show a rank of at most −1 has no chance, whatever they are."""
    assert 0 == compute_probe_error(degree, 21, -1, 8388593)
    assert 0 == compute_error(get_param_map(algdim.model("2:2,2")), [a_draw(0, 2**22 + 1, 23, 21)], -1)


def test_points_without_a_value_are_drawn_again(monkeypatch):
    """Where half of the points have a value, the chances of an unlucky prime and point are twice as large, that of probes is not."""
    pmap, prime = get_param_map(algdim.model("4:2,2,2")), 2**61 - 1
    of_probes = compute_probe_error(pmap.functional_degree, 9, 6, prime)
    errors = []
    for share in (1.0, 0.5):
        monkeypatch.setattr(type(pmap), "share_with_value", lambda *_, share=share: share)
        errors.append(compute_error(pmap, [a_draw(6, prime, 61, 9)], 6) - of_probes)
    monkeypatch.setattr(type(pmap), "share_with_value", lambda *_: 0.0)

    assert isclose(2 * errors[0], errors[1], rel_tol=1e-9)
    assert 1.0 == compute_error(pmap, [a_draw(6, prime, 61, 9)], 6)
