"""Discrete networks in the Bayesian Interchange Format: variables, their states and their parents.

Probabilities are one point of the model and are read over, unless the option ``zeros`` says that those that are 0 or 1
belong to the model. The format has no word for hidden variables: a property ``hidden`` is one here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import islice, pairwise, product

from algdim.errors import LimitError
from algdim.families.discrete.locals.table import Cell, Table
from algdim.families.discrete.model import Network, Variable, describe_cycle, find_cycle
from algdim.models.tokens import make_position_error
from algdim.models.values import MOST_STATES, MOST_VARIABLES
from algdim.readers.formats import Options
from algdim.readers.identifiers import make_notation_names

SPACE = re.compile(r"(?:\s++|//[^\n]*+|/\*.*?\*/)*+", re.DOTALL)
WORD = re.compile(r"\"([^\"\n]*)\"|([^\s{}()\[\],;|\"]+)")
PROPERTY = re.compile(r"([^;{}\"]*+(?:\"[^\"]*+\"[^;{}\"]*+)*+);")
BODY = re.compile(r"[^{}\"]*+(?:\"[^\"]*+\"[^{}\"]*+)*+\}")
HIDDEN = re.compile(r"(?:hidden|latent)(?:\s*=?\s*(?:true|yes))?|observed\s*=?\s*(?:false|no)", re.IGNORECASE)
"""The property that makes a variable hidden."""

NUMBER = re.compile(r"[0-9]*\.?[0-9]*(?:[eE][-+]?[0-9]+)?")
WORDS = {"zeros": ""}
"""The option of the format."""

MOST_FIXED = 1_000_000
"""Entries that are fixed to 0 or 1."""

MOST_COUNT = 9
"""Digits of a number of states."""


@dataclass(slots=True)
class BifPieces:
    """What a file says, with the places of names."""

    names: dict[str, int] = field(default_factory=dict)
    states: dict[str, int] = field(default_factory=dict)
    labels: dict[str, dict[str, int]] = field(default_factory=dict)
    """The names of the states and their numbers."""
    fixed: dict[str, list[tuple[Cell, Fraction]]] = field(default_factory=dict)
    hidden: set[str] = field(default_factory=set)
    parents: dict[str, list[str]] = field(default_factory=dict)
    places: dict[str, int] = field(default_factory=dict)
    """Where the probabilities of a variable begin."""

    def add_states(self, text: str, at: int, name: str, labels: list[str]) -> None:
        """The states of a variable by name."""
        self.states[name] = len(labels)
        self.labels[name] = {label: state for state, label in enumerate(labels)}
        if len(self.labels[name]) < len(labels):
            twice = next(label for state, label in enumerate(labels) if self.labels[name][label] != state)
            raise make_position_error(text, at, f"the state {twice[:60]} of {name} occurs twice; each is allowed once")


class Scanner:
    """A text and a place in it; unlike tokens, what is read over costs nothing."""

    __slots__ = ("at", "last", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.last = 0  # where the last word began
        self.space()

    def space(self) -> None:
        """Step over blanks and comments."""
        match = SPACE.match(self.text, self.at)
        self.at = match.end() if match else self.at

    def skip(self, sign: str) -> bool:
        """Step over a sign if it stands there, and say whether it did."""
        found = self.text.startswith(sign, self.at)
        if found:
            self.at += len(sign)
            self.space()
        return found

    def require(self, sign: str, where: str) -> None:
        """Step over a sign or fail."""
        if not self.skip(sign):
            raise make_position_error(self.text, self.at, f"'{sign}' is expected {where}, not {self.describe_place()}")

    def describe_place(self) -> str:
        """What stands at the place, for a message."""
        word = WORD.match(self.text, self.at)
        if self.at >= len(self.text):
            return "the end of the text"
        return repr((word[0] if word else self.text[self.at])[:60])

    def word(self, what: str) -> str:
        """Read a word or a text in quotes."""
        match = WORD.match(self.text, self.at)
        if match is None or not (match[1] or match[2]):
            raise make_position_error(self.text, self.at, f"{what} is expected, not {self.describe_place()}")
        self.last, self.at = self.at, match.end()
        self.space()
        return match[1] or match[2]

    def over(self, pattern: re.Pattern[str], what: str) -> re.Match[str]:
        """Step over what a pattern describes."""
        match = pattern.match(self.text, self.at)
        if match is None:
            raise make_position_error(self.text, self.at, f"{what} has no end; a '}}' or ';' is missing")
        self.at = match.end()
        self.space()
        return match

    def words(self, what: str, end: str) -> Iterator[str]:
        """Read words between commas up to a sign."""
        while True:
            yield self.word(what)
            if self.skip(end):
                return
            self.require(",", f"or '{end}'")


def read_bif(text: str, options: Options) -> Network:
    r"""Read a network.

    >>> source = "network n {} variable A { type discrete [2] { no, yes }; } probability (A) { table 0.5, 0.5; }\n"
    >>> read_bif(source, {}).states
    {'A': 2}
    """
    scanner, pieces = Scanner(text), BifPieces()
    while scanner.at < len(text):
        at = scanner.at
        match scanner.word("network, variable or probability"):
            case "network":
                scanner.word("the name of the network")
                scanner.require("{", "after the name of the network")
                while not scanner.skip("}"):
                    scanner.over(PROPERTY, "a property")
            case "variable":
                read_variable(scanner, pieces)
            case "probability":
                read_probability(scanner, pieces, zeros="zeros" in options)
            case other:
                raise make_position_error(text, at, f"network, variable or probability is expected, not {other[:60]!r}")
    return build_bif_network(text, pieces)


def read_variable(scanner: Scanner, pieces: BifPieces) -> None:
    """Read ``NAME { type discrete [ n ] { a, b }; property …; }``."""
    at = scanner.at
    name = scanner.word("the name of a variable")
    if name in pieces.names:
        raise make_position_error(scanner.text, at, f"duplicate variable name {name}; each name is allowed once")
    if len(pieces.names) == MOST_VARIABLES:
        raise make_position_error(
            scanner.text, at, f"there are more than {MOST_VARIABLES} variables; that is the limit"
        )
    pieces.names[name] = at
    scanner.require("{", "after the name of a variable")
    while not scanner.skip("}"):
        start = scanner.at
        match scanner.word("type, property or '}'"):
            case "type":
                labels = read_type(scanner, name)
                pieces.add_states(scanner.text, at, name, labels)
            case "property":
                said = scanner.over(PROPERTY, "a property")[1].strip().strip('"').strip()
                if HIDDEN.fullmatch(said):
                    pieces.hidden.add(name)
            case other:
                raise make_position_error(
                    scanner.text, start, f"type, property or '}}' is expected, not {other[:60]!r}"
                )
    if name not in pieces.states:
        raise make_position_error(
            scanner.text, at, f"the variable {name} has no type; write type discrete [ 2 ] {{ no, yes }};"
        )


def read_type(scanner: Scanner, name: str) -> list[str]:
    """Read ``discrete [ n ] { a, b };`` and return the states."""
    at = scanner.at
    kind = scanner.word("discrete")
    if kind != "discrete":
        raise make_position_error(scanner.text, at, f"{name} is of the type {kind[:60]!r}; discrete variables are read")
    scanner.require("[", "after the word discrete")
    at = scanner.at
    count = scanner.word("the number of states")
    if not count.isdecimal() or len(count) > MOST_COUNT or not 1 <= int(count) <= MOST_STATES:
        raise make_position_error(
            scanner.text, at, f"the number of states is {count[:20]!r}; 1 to {MOST_STATES} is allowed"
        )
    scanner.require("]", "after the number of states")
    scanner.require("{", "before the states")
    found = list(islice(scanner.words("a state", "}"), int(count) + 1))
    if len(found) != int(count):
        listed = "more" if len(found) > int(count) else str(len(found))
        raise make_position_error(scanner.text, at, f"{name} has {int(count)} states and {listed} are listed")
    scanner.require(";", "after the states")
    return found


def read_probability(scanner: Scanner, pieces: BifPieces, *, zeros: bool) -> None:
    """Read ``( X | A, B )``, and of the numbers those that are 0 or 1, or nothing."""
    scanner.require("(", "after the word probability")
    at = scanner.at
    name = scanner.word("the name of a variable")
    check_known(scanner.text, pieces, name, at)
    if name in pieces.parents:
        raise make_position_error(scanner.text, at, f"the probabilities of {name} stand twice; once is allowed")
    pieces.places[name] = at
    parents = pieces.parents[name] = []
    if not scanner.skip(")"):
        scanner.require("|", "or ')'")
        for parent in scanner.words("the name of a parent", ")"):
            check_known(scanner.text, pieces, parent, scanner.last)
            if parent in parents:
                raise make_position_error(
                    scanner.text, scanner.last, f"{parent} is a parent of {name} twice; once is allowed"
                )
            parents.append(parent)
    scanner.require("{", "before the probabilities")
    if zeros:
        pieces.fixed[name] = read_fixed_cells(scanner, pieces, name)
    else:
        scanner.over(BODY, f"the list of probabilities of {name}")


def read_fixed_cells(scanner: Scanner, pieces: BifPieces, name: str) -> list[tuple[Cell, Fraction]]:
    """Read the rows ``(a, b) 0.1, 0.9;`` and return the entries that are 0, and 1 where all others of the row are."""
    parents, states = pieces.parents[name], pieces.states[name]
    rows: dict[tuple[int, ...], list[tuple[Cell, Fraction]]] = {}
    others: list[bool] | None = None
    while not scanner.skip("}"):
        at = scanner.at
        row: tuple[int, ...] | None = ()
        if scanner.skip("("):
            row = read_row(scanner, pieces, parents)
        elif (word := scanner.word("a row, table or default")) == "default":
            row = None
        elif word != "table":
            raise make_position_error(scanner.text, at, f"a row, table or default is expected, not {word[:60]!r}")
        elif parents:
            message = (
                "a table of a variable with parents: the order of its numbers is not certain; write rows (state, …)"
            )
            raise make_position_error(scanner.text, at, message)
        values = [is_zero(scanner, value) for value in scanner.words("a probability", ";")]
        if len(values) != states or all(values) or row in rows:
            what = "occurs twice" if row in rows else "is zero" if all(values) else f"has {len(values)} numbers"
            raise make_position_error(
                scanner.text, at, f"this row of {name} {what}; {states} numbers, not all 0, are expected once"
            )
        if row is None:
            others = values
        else:
            rows[row] = find_fixed_entries(row, values)
        if sum(map(len, pieces.fixed.values())) + len(rows) * states > MOST_FIXED:
            raise LimitError(f"the tables have more than {MOST_FIXED} entries; that is the limit where zeros are read")
    for row in product(*(range(pieces.states[parent]) for parent in parents)) if others is not None else ():
        rows.setdefault(row, find_fixed_entries(row, others or []))
        if len(rows) * states > MOST_FIXED:
            raise LimitError(f"the tables have more than {MOST_FIXED} entries; that is the limit where zeros are read")
    return [cell for cells in rows.values() for cell in cells]


def read_row(scanner: Scanner, pieces: BifPieces, parents: list[str]) -> tuple[int, ...]:
    """Read the states of the parents."""
    row: list[int] = []
    for label in scanner.words("a state", ")"):
        if len(row) == len(parents) or label not in pieces.labels[parents[len(row)]]:
            raise make_position_error(
                scanner.text, scanner.last, f"{label[:60]!r} is no state of the parent in this place"
            )
        row.append(pieces.labels[parents[len(row)]][label])
    if len(row) < len(parents):
        raise make_position_error(
            scanner.text, scanner.last, f"the row has {len(row)} states; {len(parents)} parents have one each"
        )
    return tuple(row)


def is_zero(scanner: Scanner, word: str) -> bool:
    """Whether a number is 0."""
    if not any(sign.isdigit() for sign in word) or NUMBER.fullmatch(word) is None:
        raise make_position_error(scanner.text, scanner.last, f"{word[:30]!r} is no probability; a number is expected")
    return not word.lower().partition("e")[0].strip("0.")


def find_fixed_entries(row: tuple[int, ...], values: list[bool]) -> list[tuple[Cell, Fraction]]:
    """The entries of a row that are 0, and the one that is 1 if no other is left."""
    cells = [((row, state), Fraction(0)) for state, zero in enumerate(values) if zero]
    if len(cells) == len(values) - 1:
        cells.append(((row, values.index(False)), Fraction(1)))
    return cells


def check_known(text: str, pieces: BifPieces, name: str, at: int) -> None:
    """Raise unless there is such a variable."""
    if name not in pieces.names:
        raise make_position_error(text, at, f"there is no variable {name[:60]}; variables stand before probabilities")


def build_bif_network(text: str, pieces: BifPieces) -> Network:
    """Build the network."""
    if not pieces.names:
        raise make_position_error(text, 0, "the text has no variable; at least one is needed")
    for name, at in pieces.names.items():
        if name not in pieces.parents:
            raise make_position_error(
                text, at, f"the variable {name} has no probabilities, so that its parents are not known"
            )
        if name not in pieces.hidden and pieces.states[name] < 2:
            raise make_position_error(text, at, f"{name} is observed and has 1 state; 2 are needed at least")
    cycle = find_cycle(pieces.parents)
    if cycle:
        at = min(pieces.places[child] for _, child in pairwise(cycle))
        raise make_position_error(text, at, describe_cycle(cycle))
    if len(pieces.hidden) == len(pieces.names):
        raise make_position_error(text, 0, "all variables are hidden; at least one observed variable is needed")
    names = make_notation_names(pieces.names)
    return Network(
        tuple(
            Variable(
                names[name],
                pieces.states[name],
                name not in pieces.hidden,
                tuple(names[parent] for parent in pieces.parents[name]),
                Table(fixed=tuple(pieces.fixed.get(name, ()))),
                tuple(pieces.labels[name]),
            )
            for name in pieces.names
        )
    )
