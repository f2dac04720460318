"""The record of a bound."""

import json
from decimal import ROUND_CEILING, Decimal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from algdim.bound.bounds import LOWER, PROBABLE, PROVED, UPPER, Bound, least, round_up


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
    trust = Bound(1, UPPER, "chance", "", PROBABLE, error).trust

    assert error <= float(trust.rpartition(" ")[2])


def test_a_proved_bound_has_no_error():
    """And a probable one has."""
    with pytest.raises(ValueError):
        Bound(1, UPPER, "x", "", PROVED, 0.5)
    with pytest.raises(ValueError):
        Bound(1, UPPER, "x", "", PROBABLE)


def test_a_bound_says_how_far_it_can_be_trusted():
    """Proved, probable with a chance, or nothing."""
    assert "proved" == Bound(1, LOWER, "rank", "").trust
    assert Bound(1, LOWER, "rank", "").is_proved
    assert "probable, error below 2e-18" == Bound(1, UPPER, "chance", "", PROBABLE, 1.01e-18).trust
    assert "no statement" == Bound(1, UPPER, "chance", "", PROBABLE, 1.0).trust
    assert not Bound(1, UPPER, "chance", "", PROBABLE, 1e-18).is_proved


def test_a_bound_goes_into_json():
    """Value, status and evidence, as the JSON report has them."""
    document = json.loads(json.dumps(Bound(3, UPPER, "counting", "3 parameters", evidence={"more": 1}).to_dict()))

    assert {"value": 3, "status": "proved"} == {key: document[key] for key in ("value", "status")}
    assert {"kind": "counting", "reason": "3 parameters", "more": 1} == document["evidence"]


def test_the_least_bound_is_the_first_of_the_smallest():
    """Of none there is none."""
    first, second, third = (Bound(value, UPPER, kind, "") for value, kind in [(4, "a"), (3, "b"), (3, "c")])

    assert second is least([first, second, third])
    assert least([]) is None


def test_bounds_can_be_keys():
    """Equal bounds have equal hashes, whatever evidence they carry."""
    assert hash(Bound(3, UPPER, "a", "", evidence={"x": [1]})) == hash(Bound(3, UPPER, "a", "", evidence={"x": [1]}))
