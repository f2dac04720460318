"""Formulas of the user's own map: rational functions of named parameters as trees, read from text, printed, or taken from sympy.

    FORMULA := ["-"] TERM (("+" | "-") TERM)*
    TERM    := FACTOR (("*" | "/") FACTOR)*
    FACTOR  := "-" FACTOR | BASE [("^" | "**") ["-"] NUMBER]
    BASE    := NUMBER | DECIMAL | NAME | "(" FORMULA ")"

The functions `add_formulas`, `multiply_formulas`, `raise_to_power` and `make_quotient` are the only ones that make trees. They put numbers together and
flatten what is nested, so that a formula that is printed and read again is the same tree; nothing is multiplied out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from hashlib import sha256
from typing import Any, TypeAlias

from algdim.errors import InputError
from algdim.models.tokens import NAME, Cursor, make_position_error
from algdim.models.values import MOST_DIGITS, format_fraction, parse_fraction

MOST_DEPTH = 40
"""Of parentheses and signs inside one another."""

MOST_EXPONENT = 1000

MOST_BITS = 10 * MOST_DIGITS // 3
"""Of numerators and denominators, so that a number can be printed again."""

PRIME = (1 << 61) - 1

TOKEN = re.compile(
    rf"(?P<space>[ \t\r\n]+)|(?P<name>{NAME.pattern})|(?P<decimal>[0-9]+\.[0-9]+)|(?P<number>[0-9]+)"
    r"|(?P<symbol>\*\*|[-+*/^()=,;:])"
)


@dataclass(frozen=True, slots=True)
class Number:
    """A rational number."""

    value: Fraction


@dataclass(frozen=True, slots=True)
class NamedParameter:
    """A parameter by its name."""

    name: str


@dataclass(frozen=True, slots=True)
class Sum:
    """Two terms or more, none of them a sum; a number other than 0, if there is one, stands last."""

    terms: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Product:
    """Two factors or more, none of them a product; a number other than 1, if there is one, stands first.

    A quotient can be a factor only after a number, and then it is the only one.
    """

    factors: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Power:
    """A formula, no number and no power, to an exponent of at least 2."""

    base: Formula
    exponent: int


@dataclass(frozen=True, slots=True)
class Quotient:
    """A formula that is no quotient over one that is no number; neither begins with a number, but a one can stand above."""

    above: Formula
    below: Formula


Formula: TypeAlias = "Number | NamedParameter | Sum | Product | Power | Quotient"

ONE = Number(Fraction(1))


def make_number(value: Fraction) -> Number:
    """A number, unless it is too long."""
    if max(value.numerator.bit_length(), value.denominator.bit_length()) >= MOST_BITS:
        raise InputError(f"a number has more than {MOST_DIGITS} digits; use smaller exponents or shorter numbers")
    return Number(value)


def add_formulas(terms: Iterable[Formula]) -> Formula:
    """The sum of formulas."""
    flat = [inner for term in terms for inner in (term.terms if isinstance(term, Sum) else (term,))]
    constant = make_number(sum((term.value for term in flat if isinstance(term, Number)), Fraction(0)))
    rest: list[Formula] = [term for term in flat if not isinstance(term, Number)]
    if constant.value or not rest:
        rest.append(constant)
    return rest[0] if len(rest) == 1 else Sum(tuple(rest))


def split_coefficient(formula: Formula) -> tuple[Fraction, tuple[Formula, ...]]:
    """The number in front, and the other factors."""
    if isinstance(formula, Number):
        return formula.value, ()
    if isinstance(formula, Product):
        first, *others = formula.factors
        return (first.value, tuple(others)) if isinstance(first, Number) else (Fraction(1), formula.factors)
    return Fraction(1), (formula,)


def multiply_formulas(factors: Iterable[Formula]) -> Formula:
    """The product of formulas."""
    pairs = [split_coefficient(factor) for factor in factors]
    coefficient = Fraction(1)
    for value, _ in pairs:
        coefficient = make_number(coefficient * value).value
    if not coefficient:
        return Number(coefficient)
    rest = [factor for _, others in pairs for factor in others]
    below = [factor.below for factor in rest if isinstance(factor, Quotient)]
    if below and len(rest) > 1:
        above = [factor.above if isinstance(factor, Quotient) else factor for factor in rest]
        return multiply_formulas(
            [Number(coefficient), make_quotient(multiply_formulas(above), multiply_formulas(below))]
        )
    if coefficient != 1 or not rest:
        rest.insert(0, Number(coefficient))
    return rest[0] if len(rest) == 1 else Product(tuple(rest))


def make_quotient(above: Formula, below: Formula) -> Formula:
    """A formula divided by another one."""
    upper, lower = split_coefficient(above), split_coefficient(below)
    check_divisor(below)
    coefficient = make_number(upper[0] / lower[0])
    if isinstance(above, Quotient):
        return make_quotient(above.above, multiply_formulas([above.below, below]))
    if len(upper[1]) == 1 and isinstance(upper[1][0], Quotient):
        return multiply_formulas([coefficient, make_quotient(upper[1][0], multiply_formulas(lower[1]))])
    if not lower[1] or not coefficient.value:
        return multiply_formulas([coefficient, *upper[1]])
    plain = Quotient(multiply_formulas(upper[1]), multiply_formulas(lower[1]))
    return plain if coefficient.value == 1 else Product((coefficient, plain))


def check_divisor(below: Formula) -> Formula:
    """The formula, unless it vanishes at every point.

    Two points modulo a prime decide: one of degree n that is not zero vanishes at both with chance n²/2^122.
    """
    if all(evaluate_residue(below, number) == 0 for number in range(2)):
        raise InputError("this divides by zero: what it divides by vanishes at every point")
    return below


def evaluate_residue(formula: Formula, point: int) -> int | None:
    """The value modulo a prime at a point that the names of the parameters determine; `None` where there is none."""
    match formula:
        case Number(value):
            below = value.denominator % PRIME
            return value.numerator * pow(below, -1, PRIME) % PRIME if below else None
        case NamedParameter(name):
            return int.from_bytes(sha256(f"{point}|{name}".encode()).digest()) % PRIME
    values = [evaluate_residue(inner, point) for inner in list_parts(formula)]
    known = [value for value in values if value is not None]
    if len(known) < len(values):
        return None
    match formula:
        case Sum():
            return sum(known) % PRIME
        case Product():
            return reduce(lambda one, other: one * other % PRIME, known)
        case Power(_, exponent):
            return pow(known[0], exponent, PRIME)
    return known[0] * pow(known[1], -1, PRIME) % PRIME if known[1] else None


def raise_to_power(base: Formula, exponent: int) -> Formula:
    """A formula to a whole exponent, which may be negative."""
    if exponent < 0:
        return make_quotient(ONE, raise_to_power(base, -exponent))
    if isinstance(base, Power):
        return raise_to_power(base.base, base.exponent * exponent)
    if exponent > MOST_EXPONENT:
        raise InputError(
            f"the exponent {exponent if exponent < 10**9 else ''} is too large; at most {MOST_EXPONENT} is allowed"
        )
    if isinstance(base, Number):
        bits = max(base.value.numerator.bit_length(), base.value.denominator.bit_length())
        return make_number(base.value**exponent if bits * exponent < 2 * MOST_BITS else Fraction(1 << MOST_BITS))
    if exponent == 0:
        return ONE
    return base if exponent == 1 else Power(base, exponent)


def walk(formula: Formula) -> Iterator[Formula]:
    """The formula and all that it is made of."""
    waiting = [formula]
    while waiting:
        inner = waiting.pop()
        yield inner
        waiting.extend(list_parts(inner))


def list_parts(formula: Formula) -> tuple[Formula, ...]:
    """What a formula is made of, one level down."""
    match formula:
        case Sum(terms):
            return terms
        case Product(factors):
            return factors
        case Power(base, _):
            return (base,)
        case Quotient(above, below):
            return (above, below)
    return ()


def format_formula(formula: Formula) -> str:
    """Print a formula as `parse_formula` reads it.

    >>> format_formula(parse_formula("(a - 2*b)^2/3 - 1/c"))
    '1/3*(a - 2*b)^2 - 1/c'
    """
    match formula:
        case Number(value):
            return format_fraction(abs(value)) if value >= 0 else f"-{format_fraction(-value)}"
        case NamedParameter(name):
            return name
        case Sum(terms):
            first, *rest = map(format_formula, terms)
            return first + "".join(f" - {text[1:]}" if text.startswith("-") else f" + {text}" for text in rest)
        case Product((Number(value), *rest)):
            sign = "-" if value == -1 else f"{format_formula(Number(value))}*"
            return sign + format_factors(rest)
        case Product(factors):
            return format_factors(factors)
        case Power(base, exponent):
            text = format_formula(base)
            return f"{text}^{exponent}" if isinstance(base, NamedParameter) else f"({text})^{exponent}"
        case Quotient(above, below):
            upper, lower = format_formula(above), format_formula(below)
            upper = f"({upper})" if isinstance(above, Sum) else upper
            return f"{upper}/{lower}" if isinstance(below, NamedParameter | Power) else f"{upper}/({lower})"
    raise TypeError(formula)


def format_factors(factors: Iterable[Formula]) -> str:
    """Print factors of which none but the first is a number."""
    return "*".join(
        f"({format_formula(factor)})" if isinstance(factor, Sum) else format_formula(factor) for factor in factors
    )


def parse_formula(text: str) -> Formula:
    """Read a formula.

    >>> parse_formula("a*b - 1/2").terms[1]
    Number(value=Fraction(-1, 2))
    """
    cursor = Cursor(text, 0, TOKEN)
    formula = read_formula(cursor)
    if cursor.now.kind != "end":
        cursor.fail("an operator (+ - * / ^) or the end of the formula", explain_misplaced_token(cursor))
    return formula


def explain_misplaced_token(cursor: Cursor) -> str:
    """What a piece may be meant for that stands where an operator can."""
    if cursor.now.kind in ("name", "number", "decimal") or cursor.meets("("):
        return "a product is written with '*'"
    return (
        "a power is written a^2 or a**2"
        if cursor.meets("^", "**")
        else "formulas have numbers, parameters, + - * / ^ ( )"
    )


def read_formula(cursor: Cursor, depth: int = 0) -> Formula:
    """Read a sum at the cursor."""
    if depth > MOST_DEPTH:
        raise make_position_error(
            cursor.text, cursor.now.at, f"more than {MOST_DEPTH} parentheses and signs inside one another"
        )
    terms = [read_term(cursor, depth)]
    while cursor.meets("+", "-"):
        at = cursor.take()
        term = read_term(cursor, depth)
        terms.append(
            make_formula_at(cursor, at.at, multiply_formulas, [Number(Fraction(-1)), term]) if at.text == "-" else term
        )
    return make_formula_at(cursor, cursor.last.at, add_formulas, terms)


def read_term(cursor: Cursor, depth: int) -> Formula:
    """Read a product at the cursor."""
    at = cursor.now.at
    above, below = [read_factor(cursor, depth)], list[Formula]()
    while cursor.meets("*", "/"):
        operator = cursor.take()
        factor = read_factor(cursor, depth)
        if operator.text == "*":
            above.append(factor)
        else:
            below.append(make_formula_at(cursor, operator.at, check_divisor, factor))
    whole = make_formula_at(cursor, at, multiply_formulas, above)
    return make_formula_at(cursor, at, make_quotient, whole, multiply_formulas(below)) if below else whole


def read_factor(cursor: Cursor, depth: int) -> Formula:
    """Read a base with its exponent at the cursor, or one with a minus."""
    if cursor.meets("-", "+"):
        if depth > MOST_DEPTH:
            raise make_position_error(
                cursor.text, cursor.now.at, f"more than {MOST_DEPTH} parentheses and signs inside one another"
            )
        sign = Fraction(-1 if cursor.take().text == "-" else 1)
        return multiply_formulas([Number(sign), read_factor(cursor, depth + 1)])
    base = read_base(cursor, depth)
    if not cursor.meets("^", "**"):
        return base
    at = cursor.take().at
    negative = cursor.skip("-")
    exponent = cursor.number("a whole exponent", 0, MOST_EXPONENT)
    if cursor.meets("^", "**"):
        cursor.fail("an operator other than a second power", "write (a^2)^3")
    return make_formula_at(cursor, at, raise_to_power, base, -exponent if negative else exponent)


def read_base(cursor: Cursor, depth: int) -> Formula:
    """Read a number, a name, or a formula in parentheses at the cursor."""
    token = cursor.now
    if cursor.skip("("):
        inner = read_formula(cursor, depth + 1)
        if not cursor.skip(")"):
            cursor.fail("')' or an operator", explain_misplaced_token(cursor))
        return inner
    if token.kind in ("number", "decimal"):
        cursor.index += 1
        return make_formula_at(cursor, token.at, make_number, parse_fraction(token.text))
    if token.kind != "name":
        cursor.fail("a number, a parameter or '('", "formulas have numbers, parameters, + - * / ^ ( )")
    cursor.index += 1
    if cursor.meets("("):
        cursor.fail(
            "an operator (+ - * / ^)", f"there are no functions such as {token.text}; a product is written with '*'"
        )
    return NamedParameter(token.text)


def make_formula_at(cursor: Cursor, at: int, make: Callable[..., Formula], *given: Any) -> Formula:
    """Make a formula; an error names the position."""
    try:
        return make(*given)
    except InputError as error:
        raise make_position_error(cursor.text, at, str(error)) from None


def convert_from_sympy(expression: Any, depth: int = 0) -> Formula:
    """Take a formula from a sympy expression by its structure; sympy itself is not needed for that."""
    if depth > 2 * MOST_DEPTH:
        raise InputError(f"a sympy expression has more than {2 * MOST_DEPTH} levels")
    if getattr(expression, "is_Symbol", False):
        return NamedParameter(str(expression.name))
    if getattr(expression, "is_Rational", False):
        return make_number(Fraction(int(expression.p), int(expression.q)))
    if getattr(expression, "is_Add", False):
        return add_formulas(convert_from_sympy(term, depth + 1) for term in expression.args)
    if getattr(expression, "is_Mul", False):
        return multiply_formulas([convert_from_sympy(factor, depth + 1) for factor in expression.args])
    if getattr(expression, "is_Pow", False) and getattr(expression.args[1], "is_Integer", False):
        return raise_to_power(convert_from_sympy(expression.args[0], depth + 1), int(expression.args[1]))
    shown = str(type(expression).__name__)
    raise InputError(
        f"a sympy expression has a {shown}; allowed are symbols, integers, fractions, sums, products and integer powers"
    )


def is_sympy(value: object) -> bool:
    """Whether a value is an expression of sympy's."""
    return hasattr(value, "free_symbols") and hasattr(value, "is_Symbol")


def iterate_names(formula: Formula) -> Iterator[str]:
    """The parameters of a formula, as often as they occur."""
    return (inner.name for inner in walk(formula) if isinstance(inner, NamedParameter))
