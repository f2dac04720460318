"""Model syntax of the R package lavaan: statements to rows, one for each number that the text mentions.

What functions such as `sem` add to these rows stands in `algdim.readers.lavaandefaults`. Nothing is executed: a modifier
is a number, a fraction, a label, or one of a few functions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import NamedTuple

from algdim.errors import InputError, LimitError, join_names
from algdim.models.tokens import Cursor, Token, make_position_error
from algdim.models.values import parse_fraction

PATTERN = re.compile(
    r"(?P<space>[ \t\r]+|[#!][^\n]*)|(?P<line>[\n;])|(?P<string>\"[^\"\n]*\"|'[^'\n]*')"
    r"|(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)|(?P<name>(?:[^\W\d]|\.)[\w.]*)"
    r"|(?P<operator>=~|<~|~\*~|~~|~|==|:=|[<>|%:])|(?P<symbol>[-+*(),/^?=])"
)

MODELLED = ("=~", "<~", "~", "~~")
IGNORED = {"<": "an inequality", ">": "an inequality"}
"""Statements that leave the dimension as it is: they are read over."""

REFUSED = {
    "|": (
        "thresholds of ordered variables are not available. Leave the line out: the model of the normal variables behind the "
        "items has as many degrees of freedom, if the variance of each item's error is free, because thresholds are "
        "free and take up one number for each category but one, and the polychoric correlations are the rest"
    ),
    "~*~": "scaling factors of ordered variables are not available",
    "%": "weights of groups are not available: one group is read",
    ":": "levels and blocks other than 'group: NAME' are not available; give the model of one of them",
}
NOT_LINEAR = "equations are sums of labels times numbers, as in l1 + l2 + l3 == 3; for others write the map as formulas (algdim map, and the family polynomial)"

ONE, ZERO = Fraction(1), Fraction(0)

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
"""An operator (``=~``, ``<~``, ``~``, ``~~``, ``~1``), the variable on its left and the one on its right (none of ``~1``)."""


@dataclass(slots=True)
class Row:
    """A number that the text mentions: where, its value if it is fixed, where a search begins, its labels."""

    at: int
    fixed: Fraction | None = None
    start: Fraction | None = None
    free: bool = False
    labels: list[str] = field(default_factory=list)
    parts: list[list[Row]] = field(default_factory=list)
    """What c(…) says of each group."""

    def says(self) -> tuple[object, ...]:
        """All of it but the place."""
        return self.fixed, self.start, self.free, self.labels, [[part.says() for part in one] for one in self.parts]

    def select(self, number: int) -> Row:
        """What it says of one group."""
        found = replace(self, labels=list(self.labels), parts=[])
        for parts in self.parts:
            found.add(parts[number])
        return found

    def add(self, other: Row) -> None:
        """Add what another one says that is not said yet."""
        self.labels += other.labels
        self.fixed = other.fixed if self.fixed is None else self.fixed
        self.start = other.start if self.start is None else self.start
        self.free = self.free or other.free
        self.parts += other.parts


Sum = dict[str, Fraction]
"""Factors of labels; that of "" is a number."""


class LabelEquation(NamedTuple):
    """A sum of labels that is 0, and where it stands."""

    sum: Sum
    at: int


@dataclass(slots=True)
class Statements:
    """What a text says: rows, variables in order of first mention, latent ones, equations between labels, and groups."""

    text: str
    rows: dict[Key, Row] = field(default_factory=dict)
    names: dict[str, int] = field(default_factory=dict)
    latent: dict[str, int] = field(default_factory=dict)
    equations: list[LabelEquation] = field(default_factory=list)
    defined: dict[str, Sum | None] = field(default_factory=dict)
    """What ``:=`` defines; ``None`` for what is not linear."""
    places: dict[str, int] = field(default_factory=dict)
    """Where equations first name a label."""
    blocks: dict[str, Statements] = field(default_factory=dict)
    """What stands behind ``group: NAME``."""

    def select(self, number: int) -> Statements:
        """What the text says of one group."""
        return replace(self, rows={key: row.select(number) for key, row in self.rows.items()})


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
    if not (found.names or found.blocks):
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
    if operator.text == ":" and cursor.now.text == "group" and cursor.next is operator:
        cursor.index += 2
        if cursor.now.kind not in ("name", "number", "string") or cursor.now.text in found.blocks:
            cursor.fail("the name of a group, another one for each,")
        found.blocks[cursor.take().text.strip("\"'")] = Statements(cursor.text)
        return
    into = next(reversed(found.blocks.values()), found)
    if operator.text in REFUSED:
        raise make_position_error(cursor.text, operator.at, f"{operator.text!r} is not read: {REFUSED[operator.text]}")
    if operator.text in IGNORED:
        while cursor.now.kind not in ("line", "end"):
            cursor.index += 1
        return
    cursor.index = start
    if operator.text == ":=":
        token, places = cursor.take(), dict(found.places)
        cursor.index += 1
        try:
            found.defined[token.text] = read_sum(cursor, found)
        except InputError:  # not linear, which matters where it is used
            found.defined[token.text] = None
        while cursor.now.kind not in ("line", "end"):
            cursor.index += 1
        found.places = places
    elif operator.text == "==":
        at, left = cursor.now.at, read_sum(cursor, found)
        if cursor.now.text != "==":
            cursor.fail("'=='", NOT_LINEAR)
        cursor.index += 1
        right = read_sum(cursor, found)
        found.equations.append(LabelEquation(add_sums(left, right, -ONE), at))
    elif operator.text in MODELLED:
        read_formula(cursor, into)
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
    """Read ``left =~ right``, ``left <~ right``, ``left ~ right`` or ``left ~~ right``."""
    left = [read_left_variable(cursor, found)]
    while cursor.skip("+"):
        left.append(read_left_variable(cursor, found))
    if cursor.now.kind != "operator":
        hint = "modifiers such as efa(…)* on the left are not available" if cursor.meets("*", "(") else ""
        cursor.fail("an operator =~, ~ or ~~", hint)
    operator = cursor.take().text
    if operator in ("=~", "<~"):
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
            known.row.add(term.row)
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
    """Read a modifier with parentheses: c(…) of groups, start(…) and its like, label("…"), equal("…")."""
    name = cursor.take()
    if name.text == "c":
        cursor.require("(")
        row.parts.append([])
        for _ in cursor.items():
            row.parts[-1].append(Row(cursor.now.at))
            read_modifier(cursor, row.parts[-1][-1])
        cursor.require(")")
        return
    if name.text not in (*WITHOUT_EFFECT, "label", "equal"):
        known = join_names(("c", *WITHOUT_EFFECT, "label", "equal"))
        raise make_position_error(cursor.text, name.at, f"the modifier {name.text}(…) is not read; known are {known}")
    cursor.require("(")
    begin = cursor.now
    if name.text == "start" and (cursor.now.kind == "number" or cursor.meets("-")):
        row.start = read_number(cursor)
    opened = 0
    while opened or not cursor.meets(")"):
        if cursor.now.kind in ("line", "end", "operator"):
            cursor.fail("')'")
        opened += cursor.meets("(") - cursor.meets(")")
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
    row = replace(term.row, labels=list(term.row.labels), parts=list(term.row.parts))
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
    if key in found.rows and found.rows[key].says() == row.says():
        return  # said twice
    if key in found.rows or (other and (other, key[2], key[1]) in found.rows):
        said = f"{left.text} {operator} {token.text}"
        raise make_position_error(
            text, row.at, f"{said} occurs twice; once is allowed, with all its modifiers, or both times the same"
        )
    found.rows[key] = row


def read_sum(cursor: Cursor, found: Statements) -> Sum:
    """Read sums, multiples and quotients by numbers of labels.

    >>> dict(read_sum(Cursor("2*(a - b)/4 + 1", 0, PATTERN), Statements("")))
    {'a': Fraction(1, 2), 'b': Fraction(-1, 2), '': Fraction(1, 1)}
    """
    total: Sum = {}
    while not total or cursor.meets("+", "-"):
        sign = -ONE if cursor.meets("-") else ONE
        if cursor.meets("+", "-"):
            cursor.index += 1
        product = read_factor(cursor, found)
        while cursor.meets("*", "/"):
            at, divides = cursor.now.at, cursor.take().text == "/"
            factor = read_factor(cursor, found)
            number, other = (factor, product) if divides or factor.keys() <= {""} else (product, factor)
            if not number.keys() <= {""}:
                raise make_position_error(cursor.text, at, NOT_LINEAR)
            value = number.get("", ZERO)
            if divides and not value:
                raise make_position_error(cursor.text, at, "this divides by zero; another number is allowed")
            product = {label: one / value if divides else one * value for label, one in other.items()}
        if cursor.meets("^"):
            raise make_position_error(cursor.text, cursor.now.at, NOT_LINEAR)
        total = add_sums(total, product, sign) or {"": ZERO}
    return total


def read_factor(cursor: Cursor, found: Statements) -> Sum:
    """Read a number, a label, or a sum in parentheses."""
    if cursor.skip("("):
        inner = read_sum(cursor, found)
        cursor.require(")")
        return inner
    if cursor.skip("-"):
        return {label: -value for label, value in read_factor(cursor, found).items()}
    if cursor.now.kind == "number":
        return {"": read_exact_number(cursor)}
    if cursor.now.kind != "name" or cursor.next.text == "(":
        cursor.fail("a number or a label", NOT_LINEAR if cursor.now.kind == "name" else "")
    token = cursor.take()
    if token.text in found.defined:
        known = found.defined[token.text]
        if known is None:
            raise make_position_error(cursor.text, token.at, f"{token.text} is not linear in labels; {NOT_LINEAR}")
        found.places |= {label: token.at for label in known if label and label not in found.places}
        return known
    found.places.setdefault(token.text, token.at)
    return {token.text: ONE}


def add_sums(one: Sum, other: Sum, factor: Fraction) -> Sum:
    """A sum and a multiple of another."""
    found = dict(one)
    for label, value in other.items():
        found[label] = found.get(label, ZERO) + factor * value
    return {label: value for label, value in found.items() if value}
