"""The pieces of a text in the notation, a cursor that goes through them, and errors that point at the text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple, NoReturn

from algdim.errors import InputError
from algdim.families import ENTRIES
from algdim.families.discrete.locals import CLAUSES
from algdim.models.ranges import MOST_NAMES, describe_wrong_sign, expand_range, is_like_range

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.]*")
NAME_RULE = "a name has the letters A-Z and a-z, digits, '_' and '.', and begins with a letter or '_'"

TOKEN = re.compile(
    rf"(?P<space>[ \t\r\n]+)|(?P<name>at-least(?![A-Za-z0-9_.])|{NAME.pattern})"
    r"|(?P<decimal>[0-9]+\.[0-9]+)|(?P<number>[0-9]+)|(?P<symbol><->|->|<-|[-+<>;:,()=|/^!{}])"
)

# Cyrillic, Greek, arrows and dashes that are easily taken for what the notation has
LOOK_ALIKES = {
    **dict(zip("АВЕКМНОРСТХаеорсух", "ABEKMHOPCTXaeopcyx", strict=True)),
    **dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧο", "ABEZHIKMNOPTYXo", strict=True)),
    **dict.fromkeys("→⟶⇒➔", "->"),
    **dict.fromkeys("←⟵⇐", "<-"),
    **dict.fromkeys("↔⟷⇔", "<->"),
    **dict.fromkeys("‐‑‒–—−─━", "-"),
    **dict.fromkeys("·⋅×∗", "*"),
    "…": "..",
}


class Token(NamedTuple):
    """A piece of the text: its kind (name, number, decimal, symbol, end), the text itself, and where it begins."""

    kind: str
    text: str
    at: int


def make_position_error(text: str, at: int, message: str) -> InputError:
    r"""Make an error that names the position (from 1) and shows the line with a caret under it.

    >>> str(make_position_error("A -> B", 2, "an example")).splitlines()[0]
    'at position 3: an example'
    >>> str(make_position_error("A -> B\n", 2, "an example")).splitlines()[0]
    'line 1, column 3: an example'
    """
    start = text.rfind("\n", 0, at) + 1
    end = text.find("\n", at)
    end = len(text) if end < 0 else end
    left, right = max(start, at - 60), min(end, at + 40)
    before = ("…" if left > start else "") + text[left:at]
    after = text[at:right] + ("…" if right < end else "")
    shown = "".join(character if character.isprintable() else " " for character in before + after)
    lines = text.count("\n", 0, at) + 1
    place = f"line {lines}, column {at - start + 1}" if "\n" in text else f"at position {at + 1}"
    return InputError(f"{place}: {message}\n  {shown}\n  {' ' * len(before)}^")


def describe_wrong_character(character: str) -> str:
    """Say what is wrong with a character that no token begins with, and what to write instead."""
    name = unicodedata.name(character, f"U+{ord(character):04X}")
    shown = repr(character) if character.isprintable() else name
    if character.isascii():
        return f"the character {shown} has no meaning here; {NAME_RULE}"
    instead = LOOK_ALIKES.get(character) or unicodedata.normalize("NFKC", character)
    hint = f"; it looks like {instead!r}, write that" if instead != character and instead.isascii() else ""
    if not character.isprintable() and not character.isspace():
        hint = "; it cannot be seen, delete it"
    return f"the character {shown} ({name}) is not allowed{hint}; {NAME_RULE}"


def describe_range_between(text: str, at: int) -> str:
    """What to write where a character stands between two numbered names, if a range of names can be meant."""
    left = re.search(rf"({NAME.pattern})[ \t]*$", text[max(0, at - 100) : at])
    if text.startswith("..", at):
        return "a range of names is written 'X1..X4', two dots between two numbered names, without spaces"
    right = re.match(r"[ \t]*([A-Za-z0-9_]+)", text[at + 1 : at + 100])
    return describe_wrong_sign(left[1], text[at], right[1]) if left and right else ""


def split_into_tokens(text: str, start: int = 0, pattern: re.Pattern[str] = TOKEN) -> list[Token]:
    """Cut the text into tokens as the pattern has them, the last of kind "end".

    >>> [token.text for token in split_into_tokens("A -> B")]
    ['A', '->', 'B', '']
    """
    tokens = []
    at = start
    while at < len(text):
        match = pattern.match(text, at)
        if match is None:
            raise make_position_error(text, at, describe_range_between(text, at) or describe_wrong_character(text[at]))
        if match.lastgroup != "space":
            tokens.append(Token(str(match.lastgroup), match.group(), at))
        at = match.end()
    return [*tokens, Token("end", "", len(text.rstrip()))]


class Cursor:
    """A place in the list of tokens, and the few ways to move on."""

    __slots__ = ("index", "notation", "ranged", "text", "tokens")

    def __init__(self, text: str, start: int = 0, pattern: re.Pattern[str] = TOKEN) -> None:
        self.text = text
        self.tokens = split_into_tokens(text, start, pattern)
        self.index = 0
        self.ranged = 0  # the names that ranges stood for so far
        self.notation = pattern is TOKEN

    @property
    def now(self) -> Token:
        """The token at the cursor."""
        return self.tokens[self.index]

    @property
    def next(self) -> Token:
        """The token after the one at the cursor."""
        return self.tokens[min(self.index + 1, len(self.tokens) - 1)]

    @property
    def last(self) -> Token:
        """The token before the one at the cursor."""
        return self.tokens[self.index - 1]

    def take(self) -> Token:
        """Return the token at the cursor and step over it."""
        token = self.now
        self.index += 1
        return token

    def meets(self, *symbols: str) -> bool:
        """Whether one of the symbols stands at the cursor."""
        return self.now.kind == "symbol" and self.now.text in symbols

    def skip(self, symbol: str) -> bool:
        """Step over the symbol if it stands at the cursor, and say whether it did."""
        found = self.meets(symbol)
        self.index += found
        return found

    def items(self) -> Iterator[None]:
        """Yield once, and once more after every comma that is met."""
        yield
        while self.skip(","):
            yield

    def require(self, symbol: str, why: str = "") -> Token:
        """Step over the symbol or fail; ``why`` stands before "is expected"."""
        if not self.meets(symbol):
            self.fail(f"'{symbol}' {why}".rstrip())
        return self.take()

    def fail(self, expected: str, hint: str = "") -> NoReturn:
        """Raise: something else is expected at the cursor."""
        token = self.now
        found = {"end": "the end of the text", "line": "the end of the line"}.get(token.kind, repr(token.text[:60]))
        if self.index and self.last.kind == "name" and self.next.kind in ("name", "number"):
            hint = describe_wrong_sign(self.last.text, token.text, self.next.text) or hint
        if hint or not self.notation:  # what follows is said of the notation
            pass
        elif token.kind == "symbol" and token.text in "-<>":
            hint = "an arrow is written '->' or '<-'"
        elif token.text == "=" and self.next.text == ">":
            hint = "an arrow is written '->'"
        elif token.text in CLAUSE_WORDS:
            hint = f"'{token.text}' is a clause word; clauses are separated by ';'"
        raise make_position_error(
            self.text, token.at, f"{expected} is expected, not {found}" + (f"; {hint}" if hint else "")
        )

    def number(self, what: str, least: int, most: int) -> int:
        """Read an integer within bounds."""
        token = self.now
        if token.kind != "number":
            hint = "write an integer" if token.kind == "decimal" else ""
            self.fail(f"{what} (a number from {least} to {most})", hint)
        check_number(self.text, token, what, least, most)
        self.index += 1
        return int(token.text)

    def names(self, what: str) -> list[Token]:
        """Read a name, or a range of names such as X1..X4."""
        token = self.word(what)
        try:
            names = expand_range(token.text)
        except InputError as error:
            raise make_position_error(self.text, token.at, str(error)) from None
        self.ranged += len(names) - 1
        if self.ranged > MOST_NAMES:
            message = f"the ranges of the text have more than {MOST_NAMES} names; at most {MOST_NAMES} are allowed"
            raise make_position_error(self.text, token.at, message)
        return [token._replace(text=name) for name in names]

    def name(self, what: str) -> Token:
        """Read one name that is not a clause word."""
        token, *others = self.names(what)
        if others:
            raise make_position_error(
                self.text, token.at, f"{what} is expected, not a range of {1 + len(others)} names; name one"
            )
        return token

    def word(self, what: str) -> Token:
        """Read a name, or what looks like one, that is not a clause word."""
        token = self.now
        if token.kind == "name" and token.text in CLAUSE_WORDS:
            raise make_position_error(
                self.text, token.at, f"{what} is expected; '{token.text}' is a clause word and cannot be a name"
            )
        if token.kind != "name":
            hint = ""
            if token.text == "{":
                hint = "braces belong to the families noisy-or, noisy-max, max, sum, parity and at-least N, at the beginning of a clause"
            elif token.kind in ("number", "decimal"):
                hint = NAME_RULE
            self.fail(what, hint)
        return self.take()


def check_number(text: str, token: Token, what: str, least: int, most: int) -> None:
    """Raise unless the number is within bounds; the digits are counted before they are read."""
    short = len(token.text.lstrip("0")) <= len(str(most))
    if not short or not least <= int(token.text) <= most:
        raise make_position_error(
            text, token.at, f"{what} is {token.text if short else 'too large'}; {least} to {most} is allowed"
        )


CLAUSE_WORDS = ("hidden", "states", *dict.fromkeys(word for one in ENTRIES for word in one.clauses), *CLAUSES)
"""The words that begin a clause; none of them can be a name. They are known before a family is imported."""

REFUSED = {
    "threshold": (
        "a threshold of a sum of continuous mechanism variables (MH97 §3.3) is not available: P(E=1) is an integral of their density, "
        "no rational function of the parameters; with normal mechanism variables and observed causes its dimension is the number of "
        "free entries of the causes' tables plus that of the map from means and variances to (Σ means)^2/(Σ variances) in every joint "
        'state of the causes, which polynomial: computes (lemma "links"); for a threshold of binary mechanism variables take at-least N'
    ),
}
"""Kinds of effect, in the papers and in other programs, that are refused by name."""


def check_name(name: str, place: str) -> None:
    """Raise unless the notation can read this name back."""
    if name in CLAUSE_WORDS:
        raise InputError(f"{place}: {name!r} is a clause word of the notation and cannot be a name; choose another")
    if is_like_range(name):
        raise InputError(f"{place}: {name[:60]!r} looks like a range of names, and is none; choose another name")
    if not NAME.fullmatch(name):
        wrong = next((c for c in name if not c.isascii()), None)
        why = f" ({unicodedata.name(wrong, 'an unnamed character')} is not allowed)" if wrong else ""
        raise InputError(f"{place}: {name[:60]!r} is not a name{why}; {NAME_RULE}")
