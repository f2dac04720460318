"""Model syntax of the R package lavaan: statements to rows, one for each number that the text mentions.

What functions such as `sem` add to these rows stands in `algdim.readers.lavaandefaults`. Nothing is executed: a modifier
is a number, a fraction, a label, or one of a few functions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import NoReturn

from algdim.errors import InputError, LimitError, join_names
from algdim.models.tokens import Cursor, Token, make_position_error
from algdim.models.values import parse_fraction

PATTERN = re.compile(
    r"(?P<space>[ \t\r]+|[#!][^\n]*)|(?P<line>[\n;])|(?P<string>\"[^\"\n]*\"|'[^'\n]*')"
    r"|(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)|(?P<name>(?:[^\W\d]|\.)[\w.]*)"
    r"|(?P<operator>=~|<~|~\*~|~~|~|==|:=|[<>|%:])|(?P<symbol>[-+*(),/^?=])"
)

MODELLED = ("=~", "~", "~~")
IGNORED = {":=": "a defined parameter", "<": "an inequality", ">": "an inequality"}
"""Statements that leave the dimension as it is: they are read over."""

REFUSED = {
    "<~": "a composite (formative) variable; write it with '~', fix its residual variance to 0 (c ~~ 0*c), and say that it is hidden (--hidden c), if it is no column of the data",
    "|": "thresholds of ordered variables are not available: the model is of the covariances of continuous ones",
    "~*~": "scaling factors of ordered variables are not available",
    "%": "weights of groups are not available: one group is read",
    ":": "several groups, levels or blocks are not available: one group is read; give the model of one of them",
}
WITHOUT_EFFECT = ("start", "lower", "upper", "prior")
"""Modifiers that say where a search begins or what is expected, and leave the model as it is."""

OPPOSITE = {"=~": "~", "~": "=~"}
"""f =~ x and x ~ f are the same coefficient."""

MOST_EXPONENT = 300
MOST_ROWS = 1_000_000
RESERVED = (
    "NA",
    "NULL",
    "TRUE",
    "FALSE",
    "NaN",
    "Inf",
    "if",
    "else",
    "repeat",
    "while",
    "function",
    "for",
    "in",
    "next",
)
"""Words of R that name no variable."""

Key = tuple[str, str, str]
"""An operator (``=~``, ``~``, ``~~``, ``~1``), the variable on its left and the one on its right (none of ``~1``)."""


@dataclass(slots=True)
class Row:
    """A number that the text mentions: where, its value if it is fixed, where a search begins, its labels."""

    at: int
    fixed: Fraction | None = None
    start: Fraction | None = None
    free: bool = False
    labels: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Statements:
    """What a text says: rows, variables in order of first mention, latent ones, and which labels are equal or have values."""

    text: str
    rows: dict[Key, Row] = field(default_factory=dict)
    names: dict[str, int] = field(default_factory=dict)
    latent: dict[str, int] = field(default_factory=dict)
    same: list[tuple[str, str]] = field(default_factory=list)
    values: dict[str, Fraction] = field(default_factory=dict)
    places: dict[str, int] = field(default_factory=dict)
    """Where equations first name a label."""


@dataclass(slots=True)
class Term:
    """A term of a sum: what stands last in it, and what its modifiers say."""

    token: Token
    row: Row


def parse_statements(text: str) -> Statements:
    r"""Read the statements of a text.

    >>> list(parse_statements("f =~ x1 + 0.5*x2\n").rows)
    [('=~', 'f', 'x1'), ('=~', 'f', 'x2')]
    """
    cursor = Cursor(text, 0, PATTERN)
    cursor.tokens = join_continued_lines(cursor)
    found = Statements(text)
    while cursor.now.kind != "end":
        if cursor.now.kind == "line":
            cursor.index += 1
        else:
            read_statement(cursor, found)
    if not found.names:
        raise make_position_error(text, 0, "the text has no formula; a model is written like f =~ x1 + x2 + x3")
    return found


def join_continued_lines(cursor: Cursor) -> list[Token]:
    """Leave the ends of lines out after which no formula begins: a line without an operator continues the one before."""
    lines: list[list[Token]] = [[]]
    for token in cursor.tokens:
        if token.kind == "line":
            lines.append([])
        lines[-1].append(token)
    joined: list[Token] = []
    for line in filter(None, lines):
        begins = any(token.kind == "operator" for token in line) or line[-1].kind == "end"
        if not begins and not joined and any(token.kind != "line" for token in line):
            first = next(token for token in line if token.kind != "line")
            raise make_position_error(cursor.text, first.at, "this line has no operator; one of =~ ~ ~~ is expected")
        joined += line if begins else [token for token in line if token.kind != "line"]
    return joined


def read_statement(cursor: Cursor, found: Statements) -> None:
    """Read one statement, up to the end of its line."""
    start = cursor.index
    operator = find_next_operator(cursor)
    if operator.text in REFUSED:
        raise make_position_error(cursor.text, operator.at, f"{operator.text!r} is not read: {REFUSED[operator.text]}")
    if operator.text in IGNORED:
        while cursor.now.kind not in ("line", "end"):
            cursor.index += 1
        return
    cursor.index = start
    if operator.text == "==":
        read_constraint(cursor, found)
    elif operator.text in MODELLED:
        read_formula(cursor, found)
    else:
        raise make_position_error(cursor.text, operator.at, f"{operator.text!r} is no operator; known are =~ ~ ~~")
    if cursor.now.kind not in ("line", "end"):
        expected = "'+' or the end of the line"
        cursor.fail(expected, "a formula has one operator" if cursor.now.kind == "operator" else "")


def find_next_operator(cursor: Cursor) -> Token:
    """The first operator of a statement."""
    for token in cursor.tokens[cursor.index :]:
        if token.kind == "operator":
            return token
        if token.kind in ("line", "end"):
            break
    raise make_position_error(cursor.text, cursor.now.at, "this line has no operator; one of =~ ~ ~~ is expected")


def read_formula(cursor: Cursor, found: Statements) -> None:
    """Read ``left =~ right``, ``left ~ right`` or ``left ~~ right``."""
    left = [read_left_variable(cursor, found)]
    while cursor.skip("+"):
        left.append(read_left_variable(cursor, found))
    if cursor.now.kind != "operator":
        hint = "modifiers such as efa(…)* on the left are not available" if cursor.meets("*", "(") else ""
        cursor.fail("an operator =~, ~ or ~~", hint)
    operator = cursor.take().text
    if operator == "=~":
        for token in left:
            found.latent.setdefault(token.text, token.at)
    cursor.skip("+")
    terms = [read_term(cursor)]
    while cursor.skip("+"):
        terms.append(read_term(cursor))
    joined = list(merge_terms(terms))
    if len(found.rows) + len(left) * len(joined) > MOST_ROWS:
        raise LimitError(f"the text has more than {MOST_ROWS} coefficients and covariances; that is the limit")
    for token in left:
        for term in joined:
            add_row(found, operator, token, term)


def read_left_variable(cursor: Cursor, found: Statements) -> Token:
    """Read the name of a variable on the left."""
    if cursor.now.kind != "name":
        cursor.fail("the name of a variable")
    token = cursor.take()
    found.names.setdefault(token.text, token.at)
    return token


def merge_terms(terms: list[Term]) -> Iterator[Term]:
    """Join terms of the same variable: lavaan has several modifiers as several terms."""
    first: dict[str, Term] = {}
    for term in terms:
        known = first.setdefault(term.token.text, term)
        if known is not term:
            known.row.labels += term.row.labels
            known.row.fixed = term.row.fixed if known.row.fixed is None else known.row.fixed
            known.row.start = term.row.start if known.row.start is None else known.row.start
            known.row.free = known.row.free or term.row.free
    yield from first.values()


def read_term(cursor: Cursor) -> Term:
    """Read ``x``, ``1``, or one of these after modifiers with ``*``."""
    row = Row(cursor.now.at)
    while cursor.now.text in ("-", "(") or cursor.next.text in ("*", "?", "(", "/"):
        read_modifier(cursor, row)
        if not cursor.skip("?"):
            cursor.require("*", "and a variable are expected after a modifier")
    token = cursor.now
    if token.text in RESERVED or (token.kind != "name" and token.text not in ("0", "1")):
        cursor.fail("a variable, or 1 for an intercept,")
    if cursor.next.text == ":":
        message = "interactions are not read; give the product a column and a name of its own"
        raise make_position_error(cursor.text, cursor.next.at, message)
    return Term(cursor.take(), row)


def read_modifier(cursor: Cursor, row: Row) -> None:
    """Read one factor before a variable, and note what it says."""
    token = cursor.now
    if token.kind == "name" and cursor.next.text == "(":
        read_call(cursor, row)
    elif token.kind == "name":
        cursor.index += 1
        if token.text == "NA":
            row.free = True
        else:
            row.labels.append(token.text)
    elif token.kind == "string":
        cursor.index += 1
        row.labels.append(label_of(cursor, token))
    else:
        value = read_number(cursor)
        if cursor.meets("?"):  # 0.8?x is start(0.8)*x
            row.start = value
        else:
            row.fixed = value


def read_call(cursor: Cursor, row: Row) -> None:
    """Read a modifier with parentheses: start(…) and its like, label("…"), equal("…")."""
    name = cursor.take()
    if name.text == "c":
        message = "c(…) says something about several groups; one group is read: give the modifier of one of them"
        raise make_position_error(cursor.text, name.at, message)
    if name.text not in (*WITHOUT_EFFECT, "label", "equal"):
        known = join_names((*WITHOUT_EFFECT, "label", "equal"))
        raise make_position_error(cursor.text, name.at, f"the modifier {name.text}(…) is not read; known are {known}")
    cursor.require("(")
    begin = cursor.now
    if name.text == "start" and (cursor.now.kind == "number" or cursor.meets("-")):
        row.start = read_number(cursor)
    while not cursor.meets(")"):
        if cursor.now.kind in ("line", "end", "operator"):
            cursor.fail("')'")
        cursor.index += 1
    if name.text not in WITHOUT_EFFECT:
        if begin.kind != "string" or cursor.last is not begin:
            raise make_position_error(cursor.text, begin.at, f'a text in quotes is expected, as in {name.text}("a")')
        row.labels.append(label_of(cursor, begin))
    cursor.require(")")


def label_of(cursor: Cursor, token: Token) -> str:
    """The text between quotes, without blanks: a label, or the name of a number as in equal("f=~x1")."""
    label = "".join(token.text[1:-1].split())
    if not label:
        raise make_position_error(cursor.text, token.at, "the label is empty; write a name")
    return label


def read_number(cursor: Cursor) -> Fraction:
    """Read a number or a fraction, with or without signs and parentheses before it."""
    sign, opened = 1, 0
    while cursor.meets("-", "("):
        if cursor.take().text == "-":
            sign = -sign
        else:
            opened += 1
    if cursor.now.kind != "number":
        cursor.fail("a number, a label or NA")
    value = sign * read_exact_number(cursor)
    if cursor.skip("/"):
        if cursor.now.kind != "number":
            cursor.fail("a number after '/'")
        at, divisor = cursor.now.at, read_exact_number(cursor)
        if divisor == 0:
            raise make_position_error(cursor.text, at, "this divides by zero; another number is allowed")
        value /= divisor
    for _ in range(opened):
        cursor.require(")")
    return value


def read_exact_number(cursor: Cursor) -> Fraction:
    """The number at the cursor, exactly as its digits say."""
    token = cursor.take()
    mantissa, _, exponent = token.text.lower().partition("e")
    if abs(int(exponent or "0")) > MOST_EXPONENT:
        raise make_position_error(
            cursor.text, token.at, f"the exponent is too large; at most {MOST_EXPONENT} is allowed"
        )
    whole, _, decimals = mantissa.partition(".")
    try:
        value = parse_fraction(f"{whole or '0'}.{decimals or '0'}")
    except InputError as error:
        raise make_position_error(cursor.text, token.at, str(error)) from None
    return value * Fraction(10) ** int(exponent or "0")


def add_row(found: Statements, operator: str, left: Token, term: Term) -> None:
    """Add the number of one variable on the left and one term on the right."""
    token, text = term.token, found.text
    row = replace(term.row, labels=list(term.row.labels))
    if token.kind == "number":
        if operator == "=~" and token.text == "0":
            return  # a latent variable without indicators
        if operator != "~":
            raise make_position_error(text, token.at, f"{token.text} is no variable; intercepts are written x ~ 1")
        if token.text == "0":
            row.fixed = Fraction(0)
        key: Key = ("~1", left.text, "")
    else:
        found.names.setdefault(token.text, token.at)
        if operator != "~~" and left.text == token.text:
            raise make_position_error(
                text, token.at, f"{token.text} is on both sides; two different variables are needed"
            )
        if operator == "~~" and ("~~", token.text, left.text) in found.rows:
            left, token = token, left
        key = (operator, left.text, token.text)
    other = OPPOSITE.get(key[0])
    if key in found.rows or (other and (other, key[2], key[1]) in found.rows):
        said = f"{left.text} {operator} {token.text}"
        raise make_position_error(text, row.at, f"{said} occurs twice; once is allowed, with all its modifiers")
    found.rows[key] = row


def read_constraint(cursor: Cursor, found: Statements) -> None:
    """Read ``a == b`` or ``a == 0.5``."""
    at = cursor.now.at
    sides: list[str | Fraction] = []
    for _ in range(2):
        if cursor.now.kind == "name":
            found.places.setdefault(cursor.now.text, cursor.now.at)
            sides.append(cursor.take().text)
        else:
            sides.append(read_number(cursor))
        if len(sides) == 1:
            if cursor.now.text != "==":
                refuse_constraint(cursor, at)
            cursor.index += 1
    if cursor.now.kind not in ("line", "end"):
        refuse_constraint(cursor, at)
    match sides:
        case [str() as one, str() as other]:
            found.same.append((one, other))
        case [str() as label, Fraction() as value] | [Fraction() as value, str() as label]:
            if found.values.setdefault(label, value) != value:
                raise make_position_error(cursor.text, at, f"{label} has two values; one is allowed")
        case _:
            refuse_constraint(cursor, at)


def refuse_constraint(cursor: Cursor, at: int) -> NoReturn:
    """Refuse an equation between more than two numbers."""
    message = "only equations a == b of two labels and a == NUMBER are read; others are not available"
    raise make_position_error(cursor.text, at, message)
