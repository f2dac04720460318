"""What clauses such as ``H -> X1, X2; hidden H; states H=3`` say, before any family gives it a meaning."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

from algdim.errors import InputError, join_names
from algdim.families import ARGUMENTS, ENTRIES
from algdim.models.tokens import CLAUSE_WORDS, REFUSED, Cursor, Token, make_position_error
from algdim.models.values import MOST_STATES

MOST_EDGES = 1_000_000
MOST_SHOWN = 200
"""Characters of a text that an error about the whole of it shows."""


COLON = "a ':' belongs to 'share NAME:' or to a family word: " + join_names(ARGUMENTS)


@dataclass(slots=True)
class Clauses:
    """What the clauses of a text say that all families have; positions are those in the text.

    What the clauses of a family say beyond that stands in a record of its own, which extends this one.
    """

    text: str
    names: dict[str, int] = field(default_factory=dict)  # every variable, at its first mention, in that order
    introduced: set[str] = field(default_factory=set)  # those that stand beside an arrow or in `states`
    edges: dict[tuple[str, str], int] = field(default_factory=dict)
    bidirected: dict[tuple[str, str], int] = field(default_factory=dict)
    states: dict[str, Token] = field(default_factory=dict)
    hidden: dict[str, int] = field(default_factory=dict)


@contextmanager
def add_text_to_errors(clauses: Clauses) -> Iterator[None]:
    """Errors about what the clauses describe show the text, unless they point at a place in it."""
    try:
        yield
    except InputError as error:
        if "\n" in str(error):
            raise
        text = " ".join(clauses.text.split())
        shown = text if len(text) <= MOST_SHOWN else text[:MOST_SHOWN] + "…"
        raise InputError(f"{error}\n  in: {shown}") from None


def parse_clauses(text: str, start: int, dialect: Dialect) -> Any:
    """Read what the clauses say, without giving it a meaning.

    >>> list(parse_clauses("H -> X1, X2; hidden H", 0, make_dialect("nobody", {"hidden": read_hidden})).edges)
    [('H', 'X1'), ('H', 'X2')]
    """
    cursor, clauses = Cursor(text, start), dialect.record(text)
    while True:
        if cursor.now.kind == "name" and cursor.now.text in dialect.readers:
            dialect.readers[cursor.take().text](cursor, clauses)
        elif cursor.now.kind == "end":
            cursor.fail("a clause", "there is none after the last ';' or ':'")
        else:
            dialect.edges(cursor, clauses)
        if cursor.now.kind == "end":
            check_end(cursor, clauses)
            return clauses
        if not cursor.skip(";"):
            cursor.fail("',' or ';' or the end of the text", COLON if cursor.meets(":") else "")


def check_end(cursor: Cursor, clauses: Clauses) -> None:
    """Raise if a full stop at the end makes another name of one that is known."""
    name = cursor.last.text.rstrip(".")
    if name != cursor.last.text and name in clauses.names:
        raise make_position_error(
            clauses.text,
            cursor.last.at,
            f"{cursor.last.text} is another name than {name}; write no full stop at the end",
        )


def read_list(cursor: Cursor, clauses: Clauses, what: str = "a variable's name") -> list[Token]:
    """Read ``NAME, NAME, …`` and note the mentions."""
    names = [token for _ in cursor.items() for token in cursor.names(what)]
    for token in names:
        clauses.names.setdefault(token.text, token.at)
    return names


def read_edges(cursor: Cursor, clauses: Clauses) -> None:
    """Read ``LIST ARROW LIST ARROW LIST …``; lists beside an arrow are a product."""
    left = read_list(cursor, clauses)
    if not cursor.meets("->", "<-", "<->"):
        single = len(left) == 1 and cursor.now.kind == "end" and not clauses.introduced
        hint = (
            f"no model of the catalogue is called {left[0].text} either ('algdim models' lists them)" if single else ""
        )
        if len(left) == 1 and cursor.now.kind == "name":
            hint = describe_meant_clause(left[0].text)
        cursor.fail("an arrow ('->' or '<-')" + ("" if single else " or ','"), COLON if cursor.meets(":") else hint)
    read_arrows(cursor, clauses, left)


def read_arrows(cursor: Cursor, clauses: Clauses, left: list[Token]) -> None:
    """Read the rest of ``LIST ARROW LIST ARROW LIST …`` and note the edges."""
    while cursor.meets("->", "<-", "<->"):
        arrow = cursor.take()
        right = read_list(cursor, clauses)
        clauses.introduced.update(token.text for token in (*left, *right))
        if len(clauses.edges) + len(clauses.bidirected) + len(left) * len(right) > MOST_EDGES:
            raise make_position_error(
                clauses.text, arrow.at, f"the model has more than {MOST_EDGES} edges; at most {MOST_EDGES} are allowed"
            )
        for before in left:
            for after in right:
                add_edge(clauses, arrow, before, after)
        left = right


def describe_meant_clause(word: str) -> str:
    """The clause word closest to a misspelt one.

    >>> describe_meant_clause("hiden"), describe_meant_clause("A")
    ("did you mean the clause word 'hidden'?", '')
    """
    if word in REFUSED:
        return REFUSED[word]
    from difflib import get_close_matches

    close = get_close_matches(word.lower(), CLAUSE_WORDS, n=1, cutoff=0.75)
    return f"did you mean the clause word {close[0]!r}?" if close else ""


def add_edge(clauses: Clauses, arrow: Token, before: Token, after: Token) -> None:
    """Note one edge, unless it is a loop or known."""
    edge = (after.text, before.text) if arrow.text == "<-" else (before.text, after.text)
    known, shown = (clauses.bidirected, "<->") if arrow.text == "<->" else (clauses.edges, "->")
    if edge[0] == edge[1]:
        raise make_position_error(
            clauses.text, after.at, f"an edge from {edge[0]} to itself; an edge joins two different variables"
        )
    if edge in known or (shown == "<->" and edge[::-1] in known):
        raise make_position_error(
            clauses.text, after.at, f"the edge {edge[0]} {shown} {edge[1]} occurs twice; once is allowed"
        )
    known[edge] = after.at


def read_hidden(cursor: Cursor, clauses: Clauses) -> None:
    """Read the rest of ``hidden LIST``."""
    for token in read_list(cursor, clauses, "the name of a hidden variable"):
        if token.text in clauses.hidden:
            raise make_position_error(clauses.text, token.at, f"{token.text} is hidden already; name it once")
        clauses.hidden[token.text] = token.at


def read_states(cursor: Cursor, clauses: Clauses) -> None:
    """Read the rest of ``states NAME=K, …``; all names of a range have as many."""
    for _ in cursor.items():
        names = cursor.names("a variable's name")
        for token in names:
            clauses.names.setdefault(token.text, token.at)
            clauses.introduced.add(token.text)
            if token.text in clauses.states:
                raise make_position_error(
                    clauses.text,
                    token.at,
                    f"the states of {token.text} are given already ({clauses.states[token.text].text}); give them once",
                )
        cursor.require("=", f"and the number of states of {names[0].text}")
        clauses.states.update((token.text, cursor.now) for token in names)
        cursor.number(f"the number of states of {names[0].text}", 1, MOST_STATES)


Reader: TypeAlias = Callable[[Cursor, Any], None]
"""What reads a clause, or the rest of it behind its word, and notes it."""


def make_fix_reader(read_entry: Callable[[Cursor, Any], Any], read_value: Callable[[Cursor], Fraction]) -> Reader:
    """What reads the rest of ``fix ENTRY=VALUE, …`` and notes it under ``fixed``."""

    def read(cursor: Cursor, clauses: Any) -> None:
        for _ in cursor.items():
            entry = read_entry(cursor, clauses.names)
            cursor.require("=", "and a value")
            clauses.fixed.append((entry, read_value(cursor)))

    return read


def make_equal_reader(read_entry: Callable[[Cursor, Any], Any], what: str) -> Reader:
    """What reads the rest of ``equal NAME = ENTRY, …`` and notes it under ``equal``; ``what`` entries are called."""

    def read(cursor: Cursor, clauses: Any) -> None:
        label = cursor.name(f"a name for the {what} that are equal").text
        cursor.require("=", f"and the {what} that are equal")
        clauses.equal += [(read_entry(cursor, clauses.names), label) for _ in cursor.items()]

    return read


def read_off(cursor: Cursor) -> int:
    """Read the rest of ``WORD off``; the place of the word in the text."""
    word = cursor.last
    if cursor.now.text != "off":
        cursor.fail(f"'off' after '{word.text}'")
    cursor.index += 1
    return word.at


class Dialect(NamedTuple):
    """The grammar of a family: the record of what its clauses say, how each is read behind its word, and where none stands."""

    record: Callable[[str], Any]
    readers: Mapping[str, Reader]
    edges: Reader


def make_dialect(
    families: str, readers: Mapping[str, Reader], edges: Reader = read_edges, record: Callable[[str], Any] = Clauses
) -> Dialect:
    """The dialect of families that have these clauses, and refuse those of others."""

    def refuse(cursor: Cursor, clauses: Clauses) -> None:
        word = cursor.last
        owners = [name for one in ENTRIES if word.text in one.clauses for name in one.families]
        whose = f"; it belongs to the famil{'y' if len(owners) == 1 else 'ies'} {join_names(owners)}" if owners else ""
        raise make_position_error(
            clauses.text, word.at, f"the clause '{word.text}' does not belong to {families}{whose}"
        )

    return Dialect(record, {**dict.fromkeys(CLAUSE_WORDS, refuse), **readers}, edges)


def make_clause_reader(dialect: Dialect, build: Callable[[Any, str, str], Any]) -> Callable[[str, int, str, str], Any]:
    """What reads models whose clauses are those of a dialect; it is built of them, the family word and its argument."""
    return lambda text, start, word, argument: build(parse_clauses(text, start, dialect), word, argument)
