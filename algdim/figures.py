"""Figures printed for people: integers of any size, bytes, seconds."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fractions import Fraction

MOST_DIGITS = 12
MOST_LESS = 10**9
"""Numbers 2^n − k with k below this and below 2^(n/2) are printed in that form."""
LARGEST_BASE = 1000
PRINTABLE_DIGITS = 4000  # Python refuses to print integers of more than 4300 digits


def format_integer(value: int | None) -> str:
    """Print an integer; beyond twelve digits as a product of powers, or one less, if its factors are small. ``None`` is ∞.

    >>> (
    ...     format_integer(1234),
    ...     format_integer(2**60),
    ...     format_integer(2**60 - 1),
    ...     format_integer(2**40 * 3**5),
    ...     format_integer(2**60 - 122),
    ...     format_integer(2**5000 - 19998),
    ...     format_integer(10**20 + 9),
    ...     format_integer(None),
    ... )
    ('1234', '2^60', '2^60 − 1', '2^40·3^5', '2^60 − 122', '2^5000 − 19998', '100000000000000000009', '∞')
    """
    if value is None:
        return "∞"
    if abs(value) < 10**MOST_DIGITS:
        return str(value)
    for number, suffix in ((value, ""), (value + 1, " − 1")):
        product = format_product(number)
        if product is not None:
            return f"{product}{suffix}"
    power = value.bit_length()
    if value > 0 and (1 << power) - value < min(MOST_LESS, 1 << power // 2):
        return f"2^{power} − {(1 << power) - value}"
    digits = int(value.bit_length() * 0.30103) + 1
    return str(value) if digits <= PRINTABLE_DIGITS else f"a number of about {digits} digits"


def format_count(count: int, noun: str) -> str:
    """Print a number of things, one of them in the singular.

    >>> format_count(1, "entry"), format_count(2, "entry"), format_count(2**60, "cell")
    ('1 entry', '2 entries', '2^60 cells')
    """
    if count == 1:
        return f"1 {noun}"
    return f"{format_integer(count)} {noun[:-1]}ies" if noun.endswith("y") else f"{format_integer(count)} {noun}s"


def format_plural_count(count: int, nouns: str) -> str:
    """Print a number of things that are given in the plural, as coordinates are.

    >>> format_plural_count(1, "cells"), format_plural_count(3, "cells"), format_plural_count(1, "log-odds")
    ('1 cell', '3 cells', '1 log-odds')
    """
    one = nouns if nouns.endswith("odds") else nouns.removesuffix("s")
    return f"{format_integer(count)} {one if count == 1 else nouns}"


def format_product(value: int) -> str | None:
    """Write a number as a product of powers of small primes, or ``None`` if it has a large factor.

    >>> format_product(360), format_product(2 * 1000003)
    ('2^3·3^2·5', None)
    """
    factors: list[str] = []
    for base in range(2, LARGEST_BASE):
        exponent = 0
        while value % base == 0:
            value //= base
            exponent += 1
        if exponent:
            factors.append(f"{base}^{exponent}" if exponent > 1 else str(base))
    return "·".join(factors) if value == 1 else None


def format_bytes(size: int) -> str:
    """Print a number of bytes.

    >>> format_bytes(3_500_000_000), format_bytes(1200)
    ('3.5 GB', '1.2 kB')
    """
    for unit, scale in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if size >= scale:
            return f"{format_integer(size // scale)} {unit}" if size >= 100 * scale else f"{size / scale:.3g} {unit}"
    return f"{size} bytes"


def cut_text(text: str, most: int = 120) -> str:
    """A text, cut where it is long, between words where there are some: what stands after a model is to be found.

    >>> cut_text("4:3,3,3"), cut_text("abcdef", 3), cut_text("H -> A, B, C, D", 11)
    ('4:3,3,3', 'abc…', 'H -> A, B, …')
    """
    if len(text) <= most:
        return text
    begin, space, _ = text[:most].rpartition(" ")
    return f"{begin} …" if space and 2 * len(begin) > most else f"{text[:most]}…"


def remove_control_characters(text: str) -> str:
    r"""A text without control characters, which a file could use to write to the terminal.

    >>> remove_control_characters("a\x1b[2J\n")
    'a\\x1b[2J\n'
    """
    return "".join(sign if sign.isprintable() or sign == "\n" else repr(sign)[1:-1] for sign in text)


def format_value(value: Fraction) -> str:
    """Print a value for a message, approximately if it has many digits.

    >>> from fractions import Fraction
    >>> format_value(Fraction(1, 3)), format_value(Fraction(10**60 + 1, 3 * 10**60))
    ('1/3', 'about 0.333333')
    """
    digits = max(value.numerator.bit_length(), value.denominator.bit_length())
    if digits <= 100:
        return str(value)
    # beyond the range of floats
    return (
        f"about {float(value):.6g}"
        if value.numerator.bit_length() - value.denominator.bit_length() < 1000
        else "a huge number"
    )
