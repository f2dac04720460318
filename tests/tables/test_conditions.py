"""Conditions on quantities: what they mean, and that nothing else gets in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from algdim import InputError
from algdim.tables.conditions import read_condition

NAMES = ("dimension", "standard", "exact", "error", "model")
QUANTITIES = {"dimension": 13, "standard": 14, "exact": True, "error": None, "model": "3:2,2,2,2"}


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("dimension < standard", True),
        ("dimension == standard - 1", True),
        ("10 < dimension <= 13", True),
        ("10 < dimension < 13", False),
        ("exact and not dimension > standard", True),
        ("not exact or standard + 1 == 15", True),
        ("model == '3:2,2,2,2'", True),
        ("error < 1", False),
        ("error == None", True),
        ("error + 1 > 0", False),
        ("model < 3", False),
    ],
)
def test_what_conditions_mean(text, holds):
    """Python's own words; what cannot be compared does not hold."""
    assert holds == read_condition(text, NAMES).holds(QUANTITIES)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "dimension <",
        "defect < 1",
        "__import__('os').system('true')",
        "dimension.__class__",
        "standard ** 9",
        "standard * 9",
        "[1][0] == 1",
        "(lambda: 1)() == 1",
        "f'{dimension}' == 'a'",
        "dimension in (1, 2)",
        "x := 3",
        "1.5 < dimension",
        "dimension is None",
        "-dimension < 0",
        "dimension < 1; standard",
        "(" * 300 + "1" + ")" * 300,
        "dimension < 1 and " * 40 + "exact",
        "a\0b",
    ],
)
def test_nothing_else_gets_in(text):
    """Calls, attributes, other signs, unknown names and long texts are refused before anything is evaluated."""
    with pytest.raises(InputError):
        read_condition(text, NAMES)


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text):
    """No text ends in another error."""
    try:
        condition = read_condition(text, NAMES)
    except InputError:
        return
    assert condition.holds(QUANTITIES) in {True, False}


@pytest.mark.parametrize(
    "text", ["outcome = 'done'", "outcome == 'done' AND exact", "model LIKE '2:%'", "dimension <> 3"]
)
def test_conditions_of_sql_are_put_right(text):
    """Who writes SQL is told how it is written here; others are not."""
    with pytest.raises(InputError, match="equality is written =="):
        read_condition(text, ("outcome", "exact", "model", "dimension"))
    with pytest.raises(InputError, match=r"and exact$"):
        read_condition("dimension < ", ("dimension",))
