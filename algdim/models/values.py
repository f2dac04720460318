"""Exact values as text: fractions, whole numbers and decimals."""

from __future__ import annotations

import re
from fractions import Fraction

from algdim.errors import InputError
from algdim.models.tokens import Cursor, failure

MOST_DIGITS = 4000  # Python itself refuses to read or print integers of more than 4300 digits

VALUE = re.compile(r"([0-9]+)(?:/([0-9]+)|\.([0-9]+))?")


def fraction_from_text(text: str) -> Fraction:
    """Read ``p/q``, an integer or a decimal exactly.

    >>> fraction_from_text("0.25")
    Fraction(1, 4)
    """
    match = VALUE.fullmatch(text.strip())
    if match is None:
        shown = text if len(text) <= 40 else text[:40] + "…"
        raise InputError(
            f"{shown!r} is not a value; allowed are fractions p/q, whole numbers and decimals such as 0.25, without sign"
        )
    if len(text) > MOST_DIGITS:
        raise InputError(f"a value of {len(text)} characters; at most {MOST_DIGITS} are allowed")
    whole, denominator, decimals = match.groups()
    if denominator is not None:
        if int(denominator) == 0:
            raise InputError(f"{text.strip()} divides by zero; allowed are fractions p/q with q > 0")
        return Fraction(int(whole), int(denominator))
    return Fraction(int(whole + (decimals or "")), 10 ** len(decimals or ""))


def fraction_text(value: Fraction) -> str:
    """Print a value as `fraction_from_text` reads it.

    >>> fraction_text(Fraction(1, 3))
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
            "a value (p/q, a whole number or a decimal, from 0 to 1)",
            "a probability has no sign" if cursor.meets("-") else "write 0.5 for a half",
        )
    value, written = read_value(cursor)
    if not 0 <= value <= 1:
        raise failure(cursor.text, token.at, f"the value is {written[:60]}; a probability between 0 and 1 is allowed")
    return value


def read_signed(cursor: Cursor) -> Fraction:
    """Read a number with or without a minus: ``p/q``, an integer or a decimal."""
    sign = -1 if cursor.skip("-") else 1
    if cursor.now.kind not in ("number", "decimal"):
        cursor.fail("a value (p/q, a whole number or a decimal)", "write 0.5 for a half")
    return sign * read_value(cursor)[0]


def read_value(cursor: Cursor) -> tuple[Fraction, str]:
    """Read ``p/q``, an integer or a decimal at the cursor; also return what was written."""
    token = cursor.take()
    written = token.text
    if cursor.skip("/"):
        if token.kind == "decimal" or cursor.now.kind != "number":
            cursor.fail("a fraction p/q of whole numbers", "write the value as one fraction or one decimal")
        written += "/" + cursor.take().text
    try:
        return fraction_from_text(written), written
    except InputError as error:
        raise failure(cursor.text, token.at, str(error)) from None
