"""What `compare` says of random models against exact members of them, by code that takes nothing from algdim but records.

A model that is nested by construction is never said not to be; and one is never said to be nested if a member of it violates an
equation that random members of the other obey.
"""

from __future__ import annotations

import pytest
from amount import daily
from suites import comparable_classifiers as classifiers
from suites import comparable_gaussians as gaussians
from suites.comparable_models import model_of, submodel_of, violates
from test_lemmas import NAMES

import algdim
from algdim import AlgdimError, compare
from algdim.explanation.nesting import NESTED, NOT_NESTED

STATES = [(2, 2, 2), (2, 2, 2), (2, 2, 2), (3, 2, 2)]


def check(first, second, seed, violates=violates):
    """Assert that neither verdict contradicts the equations, and that what is decided is proved by lemmas of the page."""
    found = compare(first, second)
    for one, other, verdict in ((first, second, found.forward), (second, first, found.backward)):
        assert verdict.word != NESTED or not violates(one, other, seed), (one, other, verdict)
        if verdict.trust is not None:
            assert verdict.trust.is_proved
            assert set(verdict.trust.lemmas) <= NAMES
    return found


def pair(number):
    """Two random models of the same table."""
    states = STATES[number % len(STATES)]
    return model_of(f"first {number}", states), model_of(f"second {number}", states)


def smaller(number):
    """A random model and one nested in it; none where the drawn restrictions contradict each other."""
    larger = model_of(f"larger {number}", STATES[number % len(STATES)])
    try:
        return submodel_of(larger, number), larger
    except AlgdimError:
        return None, larger


CONSISTENT = [number for number in range(24) if smaller(number)[0] is not None]


@pytest.mark.parametrize("number", daily(range(24), 3))
def test_random_pairs(number):
    """Whatever two models are, what is said of them holds at their members."""
    check(*pair(number), number)


@pytest.mark.parametrize("number", daily(CONSISTENT, 3))
def test_submodels(number):
    """Entries fixed, zeros among them, or equal, edges and interactions left out: nested, and never said not to be."""
    assert check_submodel(number)


def check_submodel(number):
    """Assert that a restricted model is never said not to be nested; whether the restrictions drawn do not contradict each other."""
    model, larger = smaller(number)
    if model is not None:
        assert NOT_NESTED != check(model, larger, number).forward.word
    return model is not None


def test_restrictions_seldom_contradict_each_other():
    """So the test above looks at something."""
    assert 20 <= len(CONSISTENT)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(24, 600))
def test_more_random_models(number):
    """The same for many more."""
    check(*pair(number), number)
    check_submodel(number)


def classifier_pair(number):
    """Two random models of A given B and C."""
    states = [(2, 2, 2), (2, 2, 3), (3, 2, 2), (2, 3, 2)][number % 4]
    return (classifiers.model_of(f"{which} {number}", states) for which in ("first", "second"))


@pytest.mark.parametrize("number", daily(range(16), 2))
def test_random_classifiers(number):
    """The same for conditional tables: classifiers, tables and sigmoid variables."""
    check(*classifier_pair(number), number, classifiers.violates)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(16, 300))
def test_more_classifiers(number):
    """The same for many more."""
    test_random_classifiers(number)


def gaussian_pair(number):
    """Two random Gaussian models of the same variables."""
    count, means = 2 + number % 2, number % 4 == 3
    return (gaussians.model_of(f"{which} {number}", count, means=means) for which in ("first", "second"))


@pytest.mark.parametrize("number", daily(range(16), 2))
def test_random_gaussian_pairs(number):
    """The same for covariances, with cycles and latent variables."""
    check(*gaussian_pair(number), number, gaussians.violates)


def check_gaussian_submodel(number):
    """Assert that a restricted model is never said not to be nested."""
    _, larger = gaussian_pair(number)
    found = check(gaussians.submodel_of(larger, number), larger, number, gaussians.violates)
    assert NOT_NESTED != found.forward.word


def unrestricted(number):
    """Whether nothing is fixed or equal already."""
    _, larger = gaussian_pair(number)
    return not larger.fixed and not larger.equal


@pytest.mark.parametrize("number", daily(filter(unrestricted, range(16)), 2))
def test_gaussian_submodels(number):
    """Entries fixed and equal: nested, and never said not to be."""
    check_gaussian_submodel(number)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(16, 300))
def test_more_gaussian_models(number):
    """The same for many more."""
    test_random_gaussian_pairs(number)
    if unrestricted(number):
        check_gaussian_submodel(number)


def test_the_force_sees_a_difference():
    """The oracle itself: a chain and a collider violate each other's independence, and nothing of their own."""
    chain, collider = algdim.model("A -> B -> C"), algdim.model("A -> B <- C")

    assert violates(chain, collider)
    assert violates(collider, chain)
    assert not violates(chain, chain)
