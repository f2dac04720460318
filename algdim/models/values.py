"""Exact values: in the notation, in model files and parameter files, and as messages show them.

They are fractions, whole numbers and decimals, read as they are written. Tables of files have known keys.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from fractions import Fraction
from numbers import Rational
from typing import Any, NamedTuple

from algdim.errors import InputError, join_names
from algdim.figures import format_value
from algdim.models.tokens import Cursor, make_position_error

MOST_VARIABLES = 100_000
MOST_STATES = 1_000_000

MOST_DIGITS = 4000  # Python itself refuses to read or print integers of more than 4300 digits

VALUE = re.compile(r"([0-9]+)(?:/([0-9]+)|\.([0-9]+))?")


def parse_fraction(text: str) -> Fraction:
    """Read ``p/q``, an integer or a decimal exactly.

    >>> parse_fraction("0.25")
    Fraction(1, 4)
    """
    match = VALUE.fullmatch(text.strip())
    if match is None:
        shown = text if len(text) <= 40 else text[:40] + "…"
        raise InputError(
            f"{shown!r} is not a value; allowed are fractions p/q, integers and decimals such as 0.25, without sign"
        )
    if len(text) > MOST_DIGITS:
        raise InputError(f"a value of {len(text)} characters; at most {MOST_DIGITS} are allowed")
    whole, denominator, decimals = match.groups()
    if denominator is not None:
        if int(denominator) == 0:
            raise InputError(f"{text.strip()} divides by zero; allowed are fractions p/q with q > 0")
        return Fraction(int(whole), int(denominator))
    return Fraction(int(whole + (decimals or "")), 10 ** len(decimals or ""))


def format_fraction(value: Fraction) -> str:
    """Print a value as `parse_fraction` reads it.

    >>> format_fraction(Fraction(1, 3))
    '1/3'
    """
    # a digit has 3.3 bits, and counting them is safe for a number of any size
    short = max(value.numerator.bit_length(), value.denominator.bit_length()) < 10 * MOST_DIGITS // 3
    if not short or len(str(value)) > MOST_DIGITS:
        raise InputError(f"a value has more than {MOST_DIGITS} digits and cannot be written; shorten it")
    return str(value)


def read_probability(cursor: Cursor) -> Fraction:
    """Read a probability: ``p/q``, an integer or a decimal."""
    token = cursor.now
    if token.kind not in ("number", "decimal"):
        cursor.fail(
            "a value (p/q, an integer or a decimal, from 0 to 1)",
            "a probability has no sign" if cursor.meets("-") else "write 0.5 for a half",
        )
    value, written = read_value(cursor)
    if not 0 <= value <= 1:
        raise make_position_error(
            cursor.text, token.at, f"the value is {written[:60]}; a probability between 0 and 1 is allowed"
        )
    return value


def read_signed(cursor: Cursor) -> Fraction:
    """Read a number with or without a minus: ``p/q``, an integer or a decimal."""
    sign = -1 if cursor.skip("-") else 1
    if cursor.now.kind not in ("number", "decimal"):
        cursor.fail("a value (p/q, an integer or a decimal)", "write 0.5 for a half")
    return sign * read_value(cursor)[0]


def read_value(cursor: Cursor) -> tuple[Fraction, str]:
    """Read ``p/q``, an integer or a decimal at the cursor; also return what was written."""
    token = cursor.take()
    written = token.text
    if cursor.skip("/"):
        if token.kind == "decimal" or cursor.now.kind != "number":
            cursor.fail("a fraction p/q of integers", "write the value as one fraction or one decimal")
        written += "/" + cursor.take().text
    try:
        return parse_fraction(written), written
    except InputError as error:
        raise make_position_error(cursor.text, token.at, str(error)) from None


MOST_EXPONENT = 1000  # 1e1000 and 1e-1000 are the ends of what a decimal number may be


def read_exact_value(value: object, place: str) -> Fraction:
    """Read a number or a string ``"p/q"`` exactly, a decimal number as it is written.

    >>> read_exact_value("1/3", "here"), read_exact_value(0.1, "here")
    (Fraction(1, 3), Fraction(1, 10))
    """
    if isinstance(value, str):
        try:
            return parse_fraction(value)
        except InputError as error:
            raise InputError(f"{place}: {error}") from None
    if isinstance(value, bool) or not isinstance(value, (Rational, float, Decimal)):
        raise InputError(f"{place}: {format_given_value(value)} is not a value; a number or a string 'p/q' is allowed")
    if isinstance(value, Rational):
        fraction = Fraction(int(value.numerator), int(value.denominator))
        if max(fraction.numerator.bit_length(), fraction.denominator.bit_length()) >= 10 * MOST_DIGITS // 3:
            raise InputError(f"{place}: a number with too many digits; at most about {MOST_DIGITS} are allowed")
        return fraction
    # float.__repr__ also serves the subclasses of float that other libraries have
    number = value if isinstance(value, Decimal) else Decimal(float.__repr__(value))
    if not number.is_finite():
        raise InputError(f"{place}: {value} is not a value; a finite number is allowed")
    if number and (abs(number.adjusted()) > MOST_EXPONENT or len(number.as_tuple().digits) > MOST_DIGITS):
        raise InputError(f"{place}: a number with too large an exponent or too many digits; write a string 'p/q'")
    return Fraction(number) if number else Fraction(0)


def read_signed_value(value: object, place: str) -> Fraction:
    """Read a number or a string ``"p/q"`` exactly, with or without a minus.

    >>> read_signed_value("-1/3", "here"), read_signed_value(-0.5, "here")
    (Fraction(-1, 3), Fraction(-1, 2))
    """
    if isinstance(value, str) and value.strip().startswith("-"):
        return -read_exact_value(value.strip()[1:], place)
    return read_exact_value(value, place)


def format_given_value(value: object) -> str:
    """Print what was given, by its type where it is long."""
    if isinstance(value, (dict, list, tuple)):
        return f"a {'table' if isinstance(value, dict) else 'list'}"
    if isinstance(value, Rational) and not isinstance(value, bool):
        return format_value(Fraction(int(value.numerator), int(value.denominator)))
    text = str(value) if isinstance(value, Decimal) else repr(value)
    return text if len(text) <= 60 else f"{text[:60]}…"


def require_mapping(value: object, place: str) -> dict[str, Any]:
    """Return the value if it is a dictionary whose keys are text."""
    if not isinstance(value, dict):
        raise InputError(f"{place}: {format_given_value(value)} is not a table; a JSON object (TOML table) is expected")
    for key in value:
        if not isinstance(key, str):
            raise InputError(f"{place}: the key {format_given_value(key)} is not text")
    return value


def require(value: Any, is_right: bool, place: str, expected: str) -> Any:
    """Return a value of a model file if it has the right form.

    >>> require(3, False, "means", "true or false is allowed")
    Traceback (most recent call last):
    algdim.errors.InputError: means is 3; true or false is allowed
    """
    if not is_right:
        what = "is missing" if value is None else f"is {format_given_value(value)}"
        raise InputError(f"{place} {what}; {expected}")
    return value


def require_truth(value: Any, place: str) -> bool:
    """Return the value if it is true or false."""
    return bool(require(value, isinstance(value, bool), place, "true or false is allowed"))


def is_list_of_names(value: object) -> bool:
    """Whether a value is a list of texts."""
    return isinstance(value, (list, tuple)) and all(isinstance(name, str) for name in value)


def is_list_of_lists(value: object) -> bool:
    """Whether a value is a list of lists of texts."""
    return isinstance(value, (list, tuple)) and all(map(is_list_of_names, value))


def read_pairs(data: Any, section: str, pair: str = '["A", "B"]') -> tuple[tuple[str, str], ...]:
    """Read a list of pairs of names."""
    require(data, isinstance(data, (list, tuple)), section, 'a list such as [["A", "B"]] is expected')
    for index, item in enumerate(data):
        is_pair = is_list_of_names(item) and len(item) == 2
        require(item, is_pair, f"{section}[{index}]", f"a pair of names {pair} is expected")
    return tuple((first, second) for first, second in data)


def check_keys(data: dict[str, Any], allowed: Iterable[str], place: str) -> None:
    """Raise unless all keys are known."""
    for key in data:
        if key not in allowed:
            raise InputError(f"{place}: unknown key {format_given_value(key)}; allowed are {join_names(allowed)}")


class VariableEntry(NamedTuple):
    """A variable of a model file: where it stands, its name, whether it is observed, and all that stands there."""

    place: str
    name: str
    observed: bool
    entry: dict[str, Any]


def read_listed_variables(data: Any, keys: Iterable[str], example: str) -> Iterator[VariableEntry]:
    """Read what the variables of all families have in common.

    >>> [one.name for one in read_listed_variables([{"name": "A"}], ("name", "observed"), "")]
    ['A']
    """
    require(data, isinstance(data, (list, tuple)), "variables", f"a list such as [{example}] is expected")
    if len(data) > MOST_VARIABLES:
        raise InputError(f"the model has {len(data)} variables; at most {MOST_VARIABLES} are allowed")
    for index, item in enumerate(data):
        place = f"variables[{index}]"
        entry = require_mapping(item, place)
        check_keys(entry, keys, place)
        name = entry.get("name")
        name = require(name, isinstance(name, str), f"{place}.name", "a text is expected")
        observed = require_truth(entry.get("observed", True), f"{place}.observed")
        yield VariableEntry(place, name, observed, entry)
