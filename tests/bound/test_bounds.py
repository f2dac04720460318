"""The record of a bound."""

import json
from dataclasses import replace
from decimal import ROUND_CEILING, Decimal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from algdim.bound.bounds import LOWER, UPPER, Bound, choose_least, prove_bound
from algdim.trust import probable, round_up


def next_digit(value):
    """The least number with one significant digit that is not below."""
    exact = Decimal(repr(value))
    return float(exact.quantize(Decimal(1).scaleb(exact.adjusted()), rounding=ROUND_CEILING))


@given(st.floats(1e-290, 1))
@example(1.2e-5)
@example(2.4e-5)
@example(9.6e-5)
@example(0.95)
def test_a_printed_chance_is_the_next_one_digit_number(error):
    """Never too small, and no more than one step too large."""
    assert next_digit(error) == round_up(error)


@given(st.floats(1e-290, 0.5))
def test_a_printed_chance_is_never_too_small(error):
    """Also after it has been printed with one digit."""
    assert error <= float(str(probable(error)).rpartition(" ")[2])


def test_a_bound_says_how_far_it_can_be_trusted():
    """Proved, probable with a chance, or nothing."""
    ranked = prove_bound(1, LOWER, "rank", "rank 1", "lower bound")
    drawn = Bound(1, UPPER, "chance", "no greater rank", probable(1.01e-18))

    assert ("proved", None, True) == (ranked.status, ranked.error, ranked.is_proved)
    assert ("probable", 1.01e-18, False) == (drawn.status, drawn.error, drawn.is_proved)


def test_a_bound_without_a_reason_is_not_proved():
    """The reason is what the lemma was applied to."""
    with pytest.raises(ValueError, match="names its lemma and the facts"):
        prove_bound(1, UPPER, "counting", "", "counting and ambient")


def test_a_bound_goes_into_json():
    """Value, status and evidence, as the JSON report has them."""
    bound = prove_bound(3, UPPER, "counting", "3 parameters", "counting and ambient", evidence={"more": 1})
    document = json.loads(json.dumps(bound.to_dict()))

    assert {"value": 3, "status": "proved", "lemmas": ["counting and ambient"]} == {
        key: document[key] for key in ("value", "status", "lemmas")
    }
    assert {"kind": "counting", "reason": "3 parameters", "more": 1} == document["evidence"]


def test_the_least_bound_is_the_first_of_the_smallest():
    """Of none there is none."""
    first, second, third = (
        prove_bound(value, UPPER, kind, "invented", "containing") for value, kind in [(4, "a"), (3, "b"), (3, "c")]
    )

    assert second is choose_least([first, second, third])
    assert choose_least([]) is None


def test_bounds_can_be_keys():
    """Equal bounds have equal hashes, whatever evidence they carry."""
    bound = prove_bound(3, UPPER, "a", "invented", "containing", evidence={"x": [1]})

    assert hash(bound) == hash(replace(bound, evidence={"x": [2]}))
