"""What clauses such as ``H -> X1, X2; hidden H; states H=3`` say, before any family gives it a meaning."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from difflib import get_close_matches
from fractions import Fraction
from typing import Any, ClassVar, NamedTuple, Protocol, cast

from algdim.errors import InputError, listed
from algdim.families import ARGUMENTS
from algdim.families.discrete.locals import CLAUSES, kind_of
from algdim.families.discrete.model import MOST_STATES
from algdim.models.celltexts import CellEntry, read_entry
from algdim.models.tokens import CLAUSE_WORDS, Cursor, Token, failure
from algdim.models.values import read_probability

MOST_EDGES = 1_000_000
MOST_SHOWN = 200
"""Characters of a text that an error about the whole of it shows."""


class Rule(Protocol):
    """What a clause such as ``max LIST`` says of variables."""

    kind: ClassVar[str]

    def states(self, counts: Sequence[int]) -> int:
        """The number of states of a variable whose parents have so many."""


@dataclass(frozen=True, slots=True)
class Inner:
    """What the clauses in braces behind ``classifier NAME`` say: a classifier of this variable."""

    kind: ClassVar[str] = "classifier"

    name: str
    clauses: Clauses

    def states(self, counts: Sequence[int]) -> int:
        """The states of the variable as they are said in the braces."""
        del counts
        token = self.clauses.states.get(self.name)
        return 2 if token is None else int(token.text)


COLON = "a ':' belongs to 'share NAME:' or to a family word: " + listed(ARGUMENTS)


@dataclass(slots=True)
class Clauses:
    """What the clauses of a text say; positions are those in the text."""

    text: str
    names: dict[str, int] = field(default_factory=dict)  # every variable, at its first mention, in that order
    introduced: set[str] = field(default_factory=set)  # those that stand beside an arrow or in `states`
    edges: dict[tuple[str, str], int] = field(default_factory=dict)
    bidirected: dict[tuple[str, str], int] = field(default_factory=dict)
    states: dict[str, Token] = field(default_factory=dict)
    hidden: dict[str, int] = field(default_factory=dict)
    given: dict[str, int] = field(default_factory=dict)
    rules: dict[str, Rule] = field(default_factory=dict)
    shares: set[str] = field(default_factory=set)
    share_of: dict[str, Token] = field(default_factory=dict)  # the name of its share, at the variable's position
    fixed: list[tuple[CellEntry, Fraction]] = field(default_factory=list)
    equal: list[tuple[CellEntry, str]] = field(default_factory=list)
    fixed_numbers: list[tuple[Any, Fraction]] = field(default_factory=list)  # those of a Gaussian model
    equal_numbers: list[tuple[Any, str]] = field(default_factory=list)
    mechanisms: dict[str, list[tuple[Token, ...]]] = field(default_factory=dict)  # the causes of each, by effect
    effects: dict[str, int] = field(default_factory=dict)
    leak: int | None = None
    means_off: int | None = None
    covariances: dict[str, bool] = field(default_factory=dict)  # of a latent-profile model: full, equal
    moments: int | None = None
    interactions: list[tuple[tuple[str, ...], int]] = field(default_factory=list)  # of a log-linear model
    hierarchical_off: int | None = None


@contextmanager
def naming_text(clauses: Clauses) -> Iterator[None]:
    """Errors about what the clauses describe show the text, unless they point at a place in it."""
    try:
        yield
    except InputError as error:
        if "\n" in str(error):
            raise
        text = " ".join(clauses.text.split())
        shown = text if len(text) <= MOST_SHOWN else text[:MOST_SHOWN] + "…"
        raise InputError(f"{error}\n  in: {shown}") from None


def parse_clauses(text: str, start: int = 0, dialect: Dialect | None = None) -> Clauses:
    """Read what the clauses say, without giving it a meaning.

    >>> list(parse_clauses("H -> X1, X2; hidden H").edges)
    [('H', 'X1'), ('H', 'X2')]
    """
    cursor, clauses, dialect = Cursor(text, start), Clauses(text), dialect or DISCRETE
    while True:
        if cursor.now.kind == "name" and cursor.now.text in dialect.readers:
            dialect.readers[cursor.take().text](cursor, clauses)
        elif cursor.now.kind == "end":
            cursor.fail("a clause", "there is none after the last ';' or ':'")
        else:
            dialect.edges(cursor, clauses)
        if cursor.now.kind == "end":
            return clauses
        if not cursor.skip(";"):
            cursor.fail("',' or ';' or the end of the text", COLON if cursor.meets(":") else "")


def read_list(cursor: Cursor, clauses: Clauses, what: str = "a variable's name") -> list[Token]:
    """Read ``NAME, NAME, …`` and note the mentions."""
    names = [cursor.name(what) for _ in cursor.items()]
    for token in names:
        clauses.names.setdefault(token.text, token.at)
    return names


def read_edges(cursor: Cursor, clauses: Clauses) -> None:
    """Read ``LIST ARROW LIST ARROW LIST …``; lists beside an arrow are a product."""
    left = read_list(cursor, clauses)
    if not cursor.meets("->", "<-", "<->"):
        single = len(left) == 1 and cursor.now.kind == "end" and not clauses.introduced
        hint = f"{left[0].text} is no model of the catalogue either ('algdim models' lists them)" if single else ""
        if len(left) == 1 and cursor.now.kind == "name":
            hint = meant_word(left[0].text)
        cursor.fail("an arrow ('->' or '<-')" + ("" if single else " or ','"), COLON if cursor.meets(":") else hint)
    read_arrows(cursor, clauses, left)


def read_arrows(cursor: Cursor, clauses: Clauses, left: list[Token]) -> None:
    """Read the rest of ``LIST ARROW LIST ARROW LIST …`` and note the edges."""
    while cursor.meets("->", "<-", "<->"):
        arrow = cursor.take()
        right = read_list(cursor, clauses)
        clauses.introduced.update(token.text for token in (*left, *right))
        if len(clauses.edges) + len(clauses.bidirected) + len(left) * len(right) > MOST_EDGES:
            raise failure(
                clauses.text, arrow.at, f"the model has more than {MOST_EDGES} edges; at most {MOST_EDGES} are allowed"
            )
        for before in left:
            for after in right:
                add_edge(clauses, arrow, before, after)
        left = right


def meant_word(word: str) -> str:
    """Say which clause word a word looks like that stands where one can.

    >>> meant_word("hiden"), meant_word("A")
    ("the clause word 'hidden' may be meant by 'hiden'", '')
    """
    close = get_close_matches(word.lower(), CLAUSE_WORDS, n=1)
    return f"the clause word {close[0]!r} may be meant by {word!r}" if close else ""


def add_edge(clauses: Clauses, arrow: Token, before: Token, after: Token) -> None:
    """Note one edge, unless it is a loop or known."""
    edge = (after.text, before.text) if arrow.text == "<-" else (before.text, after.text)
    known, shown = (clauses.bidirected, "<->") if arrow.text == "<->" else (clauses.edges, "->")
    if edge[0] == edge[1]:
        raise failure(
            clauses.text, after.at, f"an edge from {edge[0]} to itself; an edge joins two different variables"
        )
    if edge in known or (shown == "<->" and edge[::-1] in known):
        raise failure(clauses.text, after.at, f"the edge {edge[0]} {shown} {edge[1]} stands twice; once is allowed")
    known[edge] = after.at


def read_hidden(cursor: Cursor, clauses: Clauses) -> None:
    """Read the rest of ``hidden LIST``."""
    for token in read_list(cursor, clauses, "the name of a hidden variable"):
        if token.text in clauses.hidden:
            raise failure(clauses.text, token.at, f"{token.text} is hidden already; name it once")
        clauses.hidden[token.text] = token.at


def read_given(cursor: Cursor, clauses: Clauses) -> None:
    """Read the rest of ``given LIST``."""
    for token in read_list(cursor, clauses, "the name of a variable that is conditioned on"):
        if token.text in clauses.given:
            raise failure(clauses.text, token.at, f"{token.text} is given already; name it once")
        clauses.given[token.text] = token.at


def read_rule(cursor: Cursor, clauses: Clauses) -> None:
    """Read the rest of a clause such as ``max LIST`` or ``at-least N LIST``."""
    word = cursor.last.text
    if cursor.meets(":"):
        cursor.fail(f"a variable's name after '{word}'", "a family word and its ':' stand at the beginning of the text")
    rule: Rule = cast("Callable[[str, Cursor], Rule]", kind_of(word).rule)(word, cursor)
    for token in read_list(cursor, clauses, f"the name of a variable for '{word}'"):
        if token.text in clauses.rules:
            other = clauses.rules[token.text].kind
            raise failure(clauses.text, token.at, f"{token.text} has the rule '{other}' already; a variable has one")
        clauses.rules[token.text] = rule


def read_classifier(cursor: Cursor, clauses: Clauses) -> None:
    """Read the rest of ``classifier NAME {CLAUSE; …}``, whose clauses are those of a discrete network."""
    if cursor.next.text == ":":
        cursor.fail("a variable's name and '{' after 'classifier'", "a family word stands at the beginning of the text")
    name = cursor.name("the name of a variable with a classifier")
    clauses.names.setdefault(name.text, name.at)
    if name.text in clauses.rules:
        other = clauses.rules[name.text].kind
        raise failure(clauses.text, name.at, f"{name.text} has the rule '{other}' already; a variable has one")
    start = cursor.need("{", f"and the clauses of the classifier of {name.text}")
    while not cursor.meets("}"):
        if cursor.now.kind == "end" or cursor.meets("{"):
            cursor.fail("'}'", "braces of a classifier hold clauses without braces")
        cursor.take()
    end = cursor.take()
    inner = parse_clauses(clauses.text[: end.at], start.at + 1)
    clauses.rules[name.text] = Inner(name.text, inner)


def read_states(cursor: Cursor, clauses: Clauses) -> None:
    """Read the rest of ``states NAME=K, …``."""
    for _ in cursor.items():
        token = cursor.name("a variable's name")
        clauses.names.setdefault(token.text, token.at)
        clauses.introduced.add(token.text)
        if token.text in clauses.states:
            raise failure(
                clauses.text,
                token.at,
                f"the states of {token.text} are given already ({clauses.states[token.text].text}); give them once",
            )
        cursor.need("=", f"and the number of states of {token.text}")
        clauses.states[token.text] = cursor.now
        cursor.number(f"the number of states of {token.text}", 1, MOST_STATES)


def read_share(cursor: Cursor, clauses: Clauses) -> None:
    """Read the rest of ``share NAME: LIST``."""
    share = cursor.name("the name of a shared table")
    if share.text in clauses.shares:
        raise failure(clauses.text, share.at, f"share {share.text} stands twice; name all its variables in one clause")
    clauses.shares.add(share.text)
    cursor.need(":", "after the name of the shared table")
    for token in read_list(cursor, clauses, "the name of a variable that shares the table"):
        if token.text in clauses.share_of:
            raise failure(
                clauses.text,
                token.at,
                f"{token.text} is in share {clauses.share_of[token.text].text} already; a variable has one table",
            )
        clauses.share_of[token.text] = share._replace(at=token.at)


def read_fix(cursor: Cursor, clauses: Clauses) -> None:
    """Read the rest of ``fix P(X=1|H=0)=1/3, …``."""
    for _ in cursor.items():
        entry = read_entry(cursor, clauses.names)
        cursor.need("=", "and a value")
        clauses.fixed.append((entry, read_probability(cursor)))


def read_equal(cursor: Cursor, clauses: Clauses) -> None:
    """Read the rest of ``equal NAME = P(X=1|H=0), …``."""
    label = cursor.name("a name for the entries that are equal").text
    cursor.need("=", "and the entries that are equal")
    clauses.equal += [(read_entry(cursor, clauses.names), label) for _ in cursor.items()]


def read_leak(cursor: Cursor, clauses: Clauses) -> None:
    """Note the clause ``leak``."""
    clauses.leak = cursor.last.at


def read_means(cursor: Cursor, clauses: Clauses) -> None:
    """Read the rest of ``means off``."""
    clauses.means_off = cursor.last.at
    if cursor.now.text != "off":
        cursor.fail("'off' after 'means'")
    cursor.index += 1


CLAUSE_READERS: dict[str, Callable[[Cursor, Clauses], None]] = {
    "hidden": read_hidden,
    "given": read_given,
    "states": read_states,
    "share": read_share,
    "fix": read_fix,
    "equal": read_equal,
    "leak": read_leak,
    "means": read_means,
    **dict.fromkeys(CLAUSES, read_rule),
    Inner.kind: read_classifier,
}
"""What reads the rest of a clause after each of the clause words."""


class Dialect(NamedTuple):
    """How the clauses of some families are read: after each clause word, and where none stands."""

    readers: Mapping[str, Callable[[Cursor, Clauses], None]]
    edges: Callable[[Cursor, Clauses], None]


DISCRETE = Dialect(CLAUSE_READERS, read_edges)


def dialect_of(
    family: str,
    readers: Mapping[str, Callable[[Cursor, Clauses], None]],
    edges: Callable[[Cursor, Clauses], None] = read_edges,
) -> Dialect:
    """The dialect of a family that has these clauses and refuses those of other families."""

    def refuse(cursor: Cursor, clauses: Clauses) -> None:
        word = cursor.last
        raise failure(clauses.text, word.at, f"the clause '{word.text}' does not belong to the family {family}")

    return Dialect({**dict.fromkeys(CLAUSE_WORDS, refuse), **readers}, edges)


def of_clauses(dialect: Dialect, build: Callable[[Clauses, str, str], Any]) -> Callable[[str, int, str, str], Any]:
    """What reads models whose clauses are those of a dialect; it is built of them, the family word and its argument."""
    return lambda text, start, word, argument: build(parse_clauses(text, start, dialect), word, argument)
