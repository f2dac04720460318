"""The notation: one line of text to a model and back.

Three forms are read: ``4:3,3,3`` (latent class), ``5(2,3(2,2),3(2,2))`` (latent tree) and clauses such as
``H -> X1, X2; hidden H; states H=3``. Text becomes tokens, tokens become a record of what was written
(`Clauses` or tree nodes), and the record becomes a model. Nothing here recurses, so nesting is bounded by size alone.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple, NoReturn

from algdim.errors import InputError, listed
from algdim.models.network import MOST_STATES, MOST_VARIABLES, Network, Variable, with_shared_entries
from algdim.models.tables import Cell, Table, cell_text

MOST_CHARACTERS = 1_000_000
MOST_EDGES = 1_000_000
MOST_DIGITS = 4000  # Python itself refuses to read or print integers of more than 4300 digits
RUN_TO_COMPRESS = 5  # so many equal sizes side by side are printed as SIZE^TIMES

CLAUSE_WORDS = ("hidden", "states", "share", "fix", "equal", "leak", "means", "given")
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.]*")
NAME_RULE = "a name has the letters A-Z and a-z, digits, '_' and '.', and begins with a letter or '_'"

TOKEN = re.compile(
    r"(?P<space>[ \t\r\n]+)|(?P<name>[A-Za-z_][A-Za-z0-9_.]*)|(?P<decimal>[0-9]+\.[0-9]+)|(?P<number>[0-9]+)"
    r"|(?P<symbol><->|->|<-|[-<>;:,()=|/^!{}])"
)
FAMILY = re.compile(r"[ \t\r\n]*([a-z][a-z-]*)(?:[ \t\r\n]+([A-Za-z0-9_.]+))?[ \t\r\n]*:")
VALUE = re.compile(r"([0-9]+)(?:/([0-9]+)|\.([0-9]+))?")

# Cyrillic, Greek, arrows and dashes that are easily taken for what the notation has
LOOK_ALIKES = {
    **dict(zip("АВЕКМНОРСТХаеорсух", "ABEKMHOPCTXaeopcyx", strict=True)),
    **dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧο", "ABEZHIKMNOPTYXo", strict=True)),
    **dict.fromkeys("→⟶⇒➔", "->"),
    **dict.fromkeys("←⟵⇐", "<-"),
    **dict.fromkeys("↔⟷⇔", "<->"),
    **dict.fromkeys("‐‑‒–—−", "-"),
}


class Token(NamedTuple):
    """A piece of the text: its kind (name, number, decimal, symbol, end), the text itself, and where it begins."""

    kind: str
    text: str
    at: int


class Entry(NamedTuple):
    """A table entry as it was written, ``P(name=state|parents)``, and where."""

    name: str
    state: int
    parents: tuple[tuple[str, int], ...]
    at: int


class Node(NamedTuple):
    """A node of a latent tree: its states, its kind (hidden, leaf, inner) and the index of its parent (-1: root)."""

    states: int
    kind: str
    parent: int


@dataclass(slots=True)
class Clauses:
    """What the clauses of a text say, with positions, before any family gives it a meaning."""

    text: str
    names: dict[str, int] = field(default_factory=dict)  # every variable, at its first mention, in that order
    introduced: set[str] = field(default_factory=set)  # those that stand beside an arrow or in `states`
    edges: dict[tuple[str, str], int] = field(default_factory=dict)
    bidirected: dict[tuple[str, str], int] = field(default_factory=dict)
    states: dict[str, Token] = field(default_factory=dict)
    hidden: dict[str, int] = field(default_factory=dict)
    given: dict[str, int] = field(default_factory=dict)
    shares: dict[str, tuple[str, ...]] = field(default_factory=dict)
    share_of: dict[str, str] = field(default_factory=dict)
    fixed: list[tuple[Entry, Fraction]] = field(default_factory=list)
    equal: list[tuple[Entry, str]] = field(default_factory=list)
    leak: int | None = None
    means_off: int | None = None


# ---------------------------------------------------------------- errors that point at the text


def failure(text: str, at: int, message: str) -> InputError:
    """Make an error that names the position (from 1) and shows the line with a caret under it."""
    start = text.rfind("\n", 0, at) + 1
    end = text.find("\n", at)
    end = len(text) if end < 0 else end
    left, right = max(start, at - 60), min(end, at + 40)
    before = ("…" if left > start else "") + text[left:at]
    after = text[at:right] + ("…" if right < end else "")
    shown = "".join(character if character.isprintable() else " " for character in before + after)
    return InputError(f"at position {at + 1}: {message}\n  {shown}\n  {' ' * len(before)}^")


def character_message(character: str) -> str:
    """Say what is wrong with a character that no token begins with, and what to write instead."""
    name = unicodedata.name(character, f"U+{ord(character):04X}")
    shown = repr(character) if character.isprintable() else name
    if character.isascii():
        return f"the character {shown} has no meaning here; {NAME_RULE}"
    instead = LOOK_ALIKES.get(character) or unicodedata.normalize("NFKC", character)
    hint = f"; it looks like {instead!r}, write that" if instead != character and instead.isascii() else ""
    return f"the character {shown} ({name}) is not allowed{hint}; {NAME_RULE}"


# ---------------------------------------------------------------- tokens


def tokens_of(text: str, start: int = 0) -> list[Token]:
    """Cut the text into tokens, the last of kind "end".

    >>> [token.text for token in tokens_of("A -> B")]
    ['A', '->', 'B', '']
    """
    tokens = []
    at = start
    while at < len(text):
        match = TOKEN.match(text, at)
        if match is None:
            raise failure(text, at, character_message(text[at]))
        if match.lastgroup != "space":
            tokens.append(Token(str(match.lastgroup), match.group(), at))
        at = match.end()
    return [*tokens, Token("end", "", len(text.rstrip()))]


class Cursor:
    """A place in the list of tokens, and the few ways to move on."""

    __slots__ = ("index", "text", "tokens")

    def __init__(self, text: str, start: int = 0) -> None:
        self.text = text
        self.tokens = tokens_of(text, start)
        self.index = 0

    @property
    def now(self) -> Token:
        """The token at the cursor."""
        return self.tokens[self.index]

    @property
    def next(self) -> Token:
        """The token after the one at the cursor."""
        return self.tokens[min(self.index + 1, len(self.tokens) - 1)]

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

    def need(self, symbol: str, why: str) -> Token:
        """Step over the symbol or fail."""
        if not self.meets(symbol):
            self.fail(f"'{symbol}' {why}")
        return self.take()

    def fail(self, expected: str, hint: str = "") -> NoReturn:
        """Raise: something else is expected at the cursor."""
        token = self.now
        found = "the end of the text" if token.kind == "end" else repr(token.text)
        if not hint and token.kind == "symbol" and token.text in "-<>":
            hint = "an arrow is written '->' or '<-'"
        elif not hint and token.text == "=" and self.next.text == ">":
            hint = "an arrow is written '->'"
        elif not hint and token.text in CLAUSE_WORDS:
            hint = f"'{token.text}' is a clause word; clauses are separated by ';'"
        raise failure(self.text, token.at, f"{expected} is expected, not {found}" + (f"; {hint}" if hint else ""))

    def number(self, what: str, least: int, most: int) -> int:
        """Read a whole number within bounds."""
        token = self.now
        if token.kind != "number":
            hint = "write a whole number" if token.kind == "decimal" else ""
            self.fail(f"{what} (a number from {least} to {most})", hint)
        check_number(self.text, token, what, least, most)
        self.index += 1
        return int(token.text)

    def name(self, what: str) -> Token:
        """Read a name that is not a clause word."""
        token = self.now
        if token.kind == "name" and token.text in CLAUSE_WORDS:
            raise failure(
                self.text, token.at, f"{what} is expected; '{token.text}' is a clause word and cannot be a name"
            )
        if token.kind != "name":
            hint = {"{": "braces belong to the families noisy-or, noisy-max, max, sum, parity and at-least N"}.get(
                token.text, ""
            )
            if token.kind in ("number", "decimal"):
                hint = NAME_RULE
            self.fail(what, hint)
        return self.take()


def check_number(text: str, token: Token, what: str, least: int, most: int) -> None:
    """Raise unless the number is within bounds; the digits are counted before they are read."""
    short = len(token.text.lstrip("0")) <= len(str(most))
    if not short or not least <= int(token.text) <= most:
        raise failure(text, token.at, f"{what} is {token.text if short else 'too large'}; {least} to {most} is allowed")


# ---------------------------------------------------------------- exact values


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


def check_name(name: str, place: str) -> None:
    """Raise unless the notation can read this name back."""
    if name in CLAUSE_WORDS:
        raise InputError(f"{place}: {name!r} is a clause word of the notation and cannot be a name; choose another")
    if not NAME.fullmatch(name):
        wrong = next((c for c in name if not c.isascii()), None)
        why = f" ({unicodedata.name(wrong, 'an unnamed character')} is not allowed)" if wrong else ""
        raise InputError(f"{place}: {name[:60]!r} is not a name{why}; {NAME_RULE}")


# ---------------------------------------------------------------- the one entrance

Catalogue = Mapping[str, str] | Callable[[str], str | None]
"""What gives the notation of a named model, or None: a mapping or a function."""


def parse(text: str, catalogue: Catalogue | None = None) -> Network:
    """Read a model from text: a latent class, a latent tree, clauses, or a name of the catalogue.

    >>> [variable.name for variable in parse("2:2,2").variables]
    ['H', 'X1', 'X2']
    """
    check_text(text)
    named = notation_of(text.strip(), catalogue)
    if named is not None:
        return parse(named)
    if text.lstrip()[0] in "0123456789!":
        return parse_sizes(text)
    word, argument, start = family_of(text)
    return FAMILIES[word](parse_clauses(text, start), argument)


def check_text(text: str) -> None:
    """Raise if there is nothing to read or far too much."""
    if len(text) > MOST_CHARACTERS:
        raise InputError(
            f"the text has {len(text)} characters; at most {MOST_CHARACTERS} are allowed. Write large models as a model file"
        )
    if not text.strip():
        raise InputError("the text is empty; a model is written like 4:3,3,3 or 5(2,3(2,2)) or H -> X1, X2; hidden H")


def notation_of(name: str, catalogue: Catalogue | None) -> str | None:
    """Look a name up in the catalogue."""
    if catalogue is None or len(name) > 200 or name[0] in "0123456789":
        return None
    return catalogue.get(name) if isinstance(catalogue, Mapping) else catalogue(name)


FAMILY_ARGUMENTS = {
    **dict.fromkeys(
        ("discrete", "gaussian", "sigmoid", "noisy-or", "noisy-max", "max", "sum", "parity", "poisson", "loglinear"), ""
    ),
    "at-least": "N",
    "classifier": "NAME",
}
"""Every family word of the notation and the argument it takes."""


def family_of(text: str) -> tuple[str, str, int]:
    """Return the family word, its argument, and where the clauses begin."""
    match = FAMILY.match(text)
    if match is None or match[1] not in FAMILY_ARGUMENTS:
        return "discrete", "", 0
    word, argument = match[1], match[2] or ""
    needs = FAMILY_ARGUMENTS[word]
    if bool(argument) != bool(needs):
        if not needs:
            return "discrete", "", 0
        raise failure(text, match.start(1), f"the family word is written '{word} {needs}:'")
    if word not in FAMILIES:
        raise failure(
            text, match.start(1), f"family {word} is not available in this version; available: {listed(FAMILIES)}"
        )
    rest = text[match.end() :].lstrip()
    if rest[:1].isdigit():
        raise failure(text, match.start(1), f"a latent class or tree takes no family word; write {rest[:40]}")
    return word, argument, match.end()


# ---------------------------------------------------------------- latent class and latent tree


def parse_sizes(text: str) -> Network:
    """Read ``K:ITEM,…`` or ``K(NODE,…)``."""
    cursor = Cursor(text)
    if cursor.meets("!"):
        cursor.fail(
            "the number of states of the hidden root",
            "the root of a tree is hidden; write clauses for an observed root",
        )
    if cursor.next.text == ",":
        refuse_flat(cursor)
    nodes = latent_class_nodes(cursor) if cursor.next.text == ":" else tree_nodes(cursor)
    if cursor.now.kind != "end":
        hint = (
            "a closing parenthesis too many"
            if cursor.meets(")")
            else "a latent class or tree takes no clauses; write the edges instead"
            if cursor.meets(";")
            else ""
        )
        cursor.fail("',' or the end of the text" if cursor.tokens[1].text == ":" else "the end of the text", hint)
    return tree_network(nodes)


def refuse_flat(cursor: Cursor) -> NoReturn:
    """Refuse the flat name of a latent tree (KZ02 §5), which does not tell which leaf hangs where."""
    sizes: tuple[list[int], list[int]] = ([], [])
    side = 0
    while True:
        size = cursor.number("a number of states", 1, MOST_STATES)
        times = cursor.number("the number of times", 1, MOST_VARIABLES) if cursor.skip("^") else 1
        if sum(map(len, sizes)) + times > MOST_VARIABLES:
            raise failure(
                cursor.text,
                cursor.now.at,
                f"the model has more than {MOST_VARIABLES} variables; at most {MOST_VARIABLES} are allowed",
            )
        sizes[side].extend([size] * times)
        if cursor.meets(":") and side == 0:
            side = 1
        elif not cursor.meets(","):
            break
        cursor.index += 1
    if side == 0:
        cursor.fail("',' or ':'", "a latent class is written like 4:3,3,3")
    hidden, leaves = sizes
    each = -(-len(leaves) // len(hidden))
    if each * (len(hidden) - 1) > len(leaves):
        each = len(leaves) // len(hidden)
    root = len(leaves) - each * (len(hidden) - 1)
    if each == 0 or len(leaves) > 40:
        example = "5(2,3(2,2),3(2,2))"
    else:
        inner = [
            f"{h}({sizes_text(leaves[root + i * each : root + (i + 1) * each])})" for i, h in enumerate(hidden[1:])
        ]
        example = f"{hidden[0]}({','.join(filter(None, (sizes_text(leaves[:root]), *inner)))})"
    raise failure(
        cursor.text,
        cursor.tokens[0].at,
        f"the flat name of a latent tree does not tell which leaf hangs where; write the tree form, for example {example}",
    )


def leaf_nodes(cursor: Cursor, parent: int, so_far: int) -> list[Node]:
    """Read ``STATES`` or ``STATES^TIMES``."""
    states = cursor.number("the states of an observed variable", 2, MOST_STATES)
    times = 1
    if cursor.skip("^"):
        at = cursor.now.at
        times = cursor.number("the number of times", 1, MOST_STATES)
        if so_far + times > MOST_VARIABLES:
            raise failure(
                cursor.text,
                at,
                f"the model has more than {MOST_VARIABLES} variables; at most {MOST_VARIABLES} are allowed",
            )
    if so_far >= MOST_VARIABLES:
        raise failure(
            cursor.text,
            cursor.now.at,
            f"the model has more than {MOST_VARIABLES} variables; at most {MOST_VARIABLES} are allowed",
        )
    return [Node(states, "leaf", parent)] * times


def latent_class_nodes(cursor: Cursor) -> list[Node]:
    """Read ``K:ITEM,ITEM,…``."""
    nodes = [Node(cursor.number("the number of classes", 1, MOST_STATES), "hidden", -1)]
    cursor.need(":", "after the number of classes")
    while True:
        nodes += leaf_nodes(cursor, 0, len(nodes))
        if cursor.meets("("):
            cursor.fail("',' or the end of the text", "nested models are written as a tree, like 4(3,3(2,2))")
        if not cursor.skip(","):
            return nodes


def tree_nodes(cursor: Cursor) -> list[Node]:
    """Read ``K(NODE,NODE,…)``; the open parentheses are kept on a stack."""
    nodes: list[Node] = []
    open_nodes: list[tuple[int, int]] = []  # index of the node, position of its parenthesis
    while True:
        parent = open_nodes[-1][0] if open_nodes else -1
        bang = cursor.skip("!")
        if not open_nodes or bang or cursor.next.text == "(":
            states = cursor.number(
                "the states of an observed inner node" if bang else "the states of a hidden variable",
                2 if bang else 1,
                MOST_STATES,
            )
            if len(nodes) >= MOST_VARIABLES:
                raise failure(
                    cursor.text,
                    cursor.now.at,
                    f"the model has more than {MOST_VARIABLES} variables; at most {MOST_VARIABLES} are allowed",
                )
            at = cursor.now.at
            why = (
                "after '!' and the states (a leaf is observed without '!')"
                if bang
                else "or ':' after the first number (as in 4:3,3,3 or 4(3,3,3))"
            )
            cursor.need("(", why)
            nodes.append(Node(states, "inner" if bang else "hidden", parent))
            open_nodes.append((len(nodes) - 1, at))
            continue
        nodes += leaf_nodes(cursor, parent, len(nodes))
        if cursor.meets("("):
            cursor.fail("',' or ')'", "only a leaf can be repeated by '^'")
        while cursor.skip(")"):
            open_nodes.pop()
            if cursor.meets("^"):
                cursor.fail("',' or ')'", "only a leaf can be repeated by '^'")
            if not open_nodes:
                return nodes
        if not cursor.skip(","):
            where = open_nodes[-1][1]
            cursor.fail("',' or ')'", f"the parenthesis at position {where + 1} is open")


def tree_network(nodes: list[Node]) -> Network:
    """Build the model of a latent tree; with one hidden variable and only leaves it is the latent class model."""
    hidden = sum(node.kind == "hidden" for node in nodes)
    plain = hidden == 1 and all(node.kind != "inner" for node in nodes)
    names: list[str] = []
    numbers = {"H": 0, "X": 0}
    for node in nodes:
        letter = "H" if node.kind == "hidden" else "X"
        numbers[letter] += 1
        names.append("H" if plain and letter == "H" else f"{letter}{numbers[letter]}")
    return Network(
        tuple(
            Variable(name, node.states, node.kind != "hidden", () if node.parent < 0 else (names[node.parent],))
            for name, node in zip(names, nodes, strict=True)
        )
    )


def latent_class(classes: int, items: Iterable[int]) -> Network:
    """Build the latent class model with these numbers of states.

    >>> latent_class(4, (3, 3, 3)) == parse("4:3,3,3")
    True
    """
    return tree_network([Node(classes, "hidden", -1), *(Node(states, "leaf", 0) for states in items)])


# ---------------------------------------------------------------- clauses


def parse_clauses(text: str, start: int = 0) -> Clauses:
    """Read what the clauses say, without giving it a meaning."""
    cursor, clauses = Cursor(text, start), Clauses(text)
    while True:
        if cursor.now.kind == "name" and cursor.now.text in CLAUSE_READERS:
            CLAUSE_READERS[cursor.take().text](cursor, clauses)
        elif cursor.now.kind == "end":
            cursor.fail("a clause", "there is none after the last ';' or ':'")
        else:
            read_edges(cursor, clauses)
        if cursor.now.kind == "end":
            return clauses
        if not cursor.skip(";"):
            hint = (
                "a ':' belongs to 'share NAME:' or to a family word: " + listed(FAMILY_ARGUMENTS)
                if cursor.meets(":")
                else ""
            )
            cursor.fail("',' or ';' or the end of the text", hint)


def read_list(cursor: Cursor, clauses: Clauses, what: str = "a variable's name") -> list[Token]:
    """Read ``NAME, NAME, …`` and note the mentions."""
    names = [cursor.name(what)]
    while cursor.skip(","):
        names.append(cursor.name(what))
    for token in names:
        clauses.names.setdefault(token.text, token.at)
    return names


def read_edges(cursor: Cursor, clauses: Clauses) -> None:
    """Read ``LIST ARROW LIST ARROW LIST …``; lists beside an arrow are a product."""
    left = read_list(cursor, clauses)
    if not cursor.meets("->", "<-", "<->"):
        single = len(left) == 1 and cursor.now.kind == "end" and not clauses.introduced
        hint = f"{left[0].text} is no model of the catalogue either ('algdim models' lists them)" if single else ""
        if cursor.meets(":"):
            hint = "a ':' belongs to 'share NAME:' or to a family word: " + listed(FAMILY_ARGUMENTS)
        cursor.fail("an arrow ('->' or '<-')" + ("" if single else " or ','"), hint)
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


def add_edge(clauses: Clauses, arrow: Token, before: Token, after: Token) -> None:
    """Note one edge, unless it is a loop or known."""
    edge = (after.text, before.text) if arrow.text == "<-" else (before.text, after.text)
    known = clauses.bidirected if arrow.text == "<->" else clauses.edges
    if edge[0] == edge[1]:
        raise failure(
            clauses.text, after.at, f"an edge from {edge[0]} to itself; an edge joins two different variables"
        )
    if edge in known or (arrow.text == "<->" and edge[::-1] in known):
        raise failure(
            clauses.text,
            after.at,
            f"the edge {edge[0]} {arrow.text.replace('<-', '->') if arrow.text == '<-' else arrow.text} {edge[1]} stands twice; once is allowed",
        )
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


def read_states(cursor: Cursor, clauses: Clauses) -> None:
    """Read the rest of ``states NAME=K, …``."""
    while True:
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
        if not cursor.skip(","):
            return


def read_share(cursor: Cursor, clauses: Clauses) -> None:
    """Read the rest of ``share NAME: LIST``."""
    share = cursor.name("the name of a shared table")
    if share.text in clauses.shares:
        raise failure(clauses.text, share.at, f"share {share.text} stands twice; name all its variables in one clause")
    cursor.need(":", "after the name of the shared table")
    members = read_list(cursor, clauses, "the name of a variable that shares the table")
    for token in members:
        if token.text in clauses.share_of:
            raise failure(
                clauses.text,
                token.at,
                f"{token.text} is in share {clauses.share_of[token.text]} already; a variable has one table",
            )
        clauses.share_of[token.text] = share.text
    clauses.shares[share.text] = tuple(token.text for token in members)


def read_fix(cursor: Cursor, clauses: Clauses) -> None:
    """Read the rest of ``fix P(X=1|H=0)=1/3, …``."""
    while True:
        entry = read_entry(cursor, clauses)
        cursor.need("=", "and a value")
        clauses.fixed.append((entry, read_value(cursor)))
        if not cursor.skip(","):
            return


def read_equal(cursor: Cursor, clauses: Clauses) -> None:
    """Read the rest of ``equal NAME = P(X=1|H=0), …``."""
    label = cursor.name("a name for the entries that are equal").text
    cursor.need("=", "and the entries that are equal")
    while True:
        clauses.equal.append((read_entry(cursor, clauses), label))
        if not cursor.skip(","):
            return


def read_leak(cursor: Cursor, clauses: Clauses) -> None:
    """Note the clause ``leak``."""
    clauses.leak = cursor.tokens[cursor.index - 1].at


def read_means(cursor: Cursor, clauses: Clauses) -> None:
    """Read the rest of ``means off``."""
    at = cursor.tokens[cursor.index - 1].at
    if cursor.now.text != "off":
        cursor.fail("'off' after 'means'")
    cursor.index += 1
    clauses.means_off = at


CLAUSE_READERS: dict[str, Callable[[Cursor, Clauses], None]] = {
    "hidden": read_hidden,
    "given": read_given,
    "states": read_states,
    "share": read_share,
    "fix": read_fix,
    "equal": read_equal,
    "leak": read_leak,
    "means": read_means,
}


def read_entry(cursor: Cursor, clauses: Clauses) -> Entry:
    """Read ``P(NAME=STATE|PARENT=STATE, …)``."""
    begin = cursor.now
    if begin.text != "P" or cursor.next.text != "(":
        cursor.fail("an entry such as P(X=1|H=0)")
    cursor.index += 2
    named = [read_assignment(cursor, clauses)]
    if cursor.skip("|"):
        named.append(read_assignment(cursor, clauses))
        while cursor.skip(","):
            named.append(read_assignment(cursor, clauses))
    if cursor.meets(",") and len(named) == 1:
        cursor.fail("'|' or ')'", "an entry is of one variable; its parents follow after '|'")
    cursor.need(")", "at the end of an entry")
    return Entry(*named[0], tuple(named[1:]), begin.at)


def read_assignment(cursor: Cursor, clauses: Clauses) -> tuple[str, int]:
    """Read ``NAME=STATE``."""
    token = cursor.name("a variable's name")
    clauses.names.setdefault(token.text, token.at)
    cursor.need("=", f"and a state of {token.text}")
    return token.text, cursor.number(f"a state of {token.text}", 0, MOST_STATES - 1)


def read_value(cursor: Cursor) -> Fraction:
    """Read a probability: ``p/q``, an integer or a decimal."""
    token = cursor.now
    if token.kind not in ("number", "decimal"):
        cursor.fail(
            "a value (p/q, a whole number or a decimal, from 0 to 1)",
            "a probability has no sign" if cursor.meets("-") else "write 0.5 for a half",
        )
    cursor.index += 1
    written = token.text
    if cursor.meets("/"):
        cursor.index += 1
        if token.kind == "decimal" or cursor.now.kind != "number":
            cursor.fail("a fraction p/q of whole numbers", "write the value as one fraction or one decimal")
        written += "/" + cursor.take().text
    try:
        value = fraction_from_text(written)
    except InputError as error:
        raise failure(cursor.text, token.at, str(error)) from None
    if not 0 <= value <= 1:
        raise failure(cursor.text, token.at, f"the value is {written[:60]}; a probability between 0 and 1 is allowed")
    return value


def parse_entry(text: str) -> Entry:
    """Read the name of one table entry, as model files have it.

    >>> parse_entry("P(X1=1|H=0)")[:3]
    ('X1', 1, (('H', 0),))
    """
    cursor = Cursor(text)
    entry = read_entry(cursor, Clauses(text))
    if cursor.now.kind != "end":
        cursor.fail("the end of the entry")
    return entry


def cell_of(entry: Entry, variable: str, parents: tuple[tuple[str, int], ...], states: int, text: str) -> Cell:
    """Place an entry in the table of its variable, whatever the order in which it names the parents."""
    said = dict(entry.parents)
    expected = ", ".join(name for name, _ in parents) or "none"
    if len(said) < len(entry.parents):
        raise failure(
            text, entry.at, f"an entry of {variable} names a parent twice; once is allowed (parents: {expected})"
        )
    known = dict(parents)
    for name in said:
        if name not in known:
            raise failure(
                text, entry.at, f"{name} is not a parent of {variable}; the parents of {variable} are: {expected}"
            )
    for name in known:
        if name not in said:
            raise failure(
                text,
                entry.at,
                f"an entry of {variable} must name the state of its parent {name}; the parents of {variable} are: {expected}",
            )
    for name, state, count in (
        (variable, entry.state, states),
        *((name, said[name], count) for name, count in parents),
    ):
        if state >= count:
            raise failure(text, entry.at, f"{name} has the states 0 to {count - 1}, not {state}")
    return tuple(said[name] for name, _ in parents), entry.state


# ---------------------------------------------------------------- the family "discrete"


def discrete(clauses: Clauses, argument: str = "") -> Network:
    """Build the discrete network that the clauses describe."""
    del argument  # the word takes none
    refuse_other_families(clauses)
    check_known(clauses)
    states = discrete_states(clauses)
    parents: dict[str, list[str]] = {name: [] for name in clauses.names}
    for parent, child in clauses.edges:
        parents[child].append(parent)
    fixed: dict[str, list[tuple[Cell, Fraction]]] = {}
    equal: dict[str, list[tuple[Cell, str]]] = {}
    seen: set[tuple[str, Cell]] = set()

    def place(entry: Entry) -> Cell:
        cell = cell_of(
            entry, entry.name, tuple((p, states[p]) for p in parents[entry.name]), states[entry.name], clauses.text
        )
        if (entry.name, cell) in seen:
            raise failure(
                clauses.text, entry.at, f"this entry of {entry.name} is fixed or named already; once is allowed"
            )
        seen.add((entry.name, cell))
        return cell

    for entry, value in clauses.fixed:
        fixed.setdefault(entry.name, []).append((place(entry), value))
    for entry, label in clauses.equal:
        equal.setdefault(entry.name, []).append((place(entry), label))
    variables = (
        Variable(
            name,
            states[name],
            name not in clauses.hidden,
            tuple(parents[name]),
            Table(clauses.share_of.get(name), tuple(fixed.get(name, ())), tuple(equal.get(name, ()))),
        )
        for name in clauses.names
    )
    try:
        return Network(with_shared_entries(variables), tuple(clauses.given))
    except InputError as error:
        shown = " ".join(clauses.text.split())
        raise InputError(f"{error}\n  in: {shown if len(shown) <= 200 else shown[:200] + '…'}") from None


def refuse_other_families(clauses: Clauses) -> None:
    """Refuse what only other families have."""
    text = clauses.text
    for at in clauses.bidirected.values():
        raise failure(
            text, at, "an edge '<->' (correlated errors) belongs to the family gaussian; discrete has '->' and '<-'"
        )
    if clauses.leak is not None:
        raise failure(
            text, clauses.leak, "the clause 'leak' belongs to the families noisy-or and noisy-max, not to discrete"
        )
    if clauses.means_off is not None:
        raise failure(text, clauses.means_off, "the clause 'means off' belongs to the family gaussian, not to discrete")


def check_known(clauses: Clauses) -> None:
    """Raise unless every name stands beside an arrow or in `states`."""
    for name, at in clauses.names.items():
        if name not in clauses.introduced:
            known = listed(sorted(clauses.introduced)) or "none"
            raise failure(
                clauses.text,
                at,
                f"there is no variable {name}; edges and 'states' introduce variables, so far: {known}",
            )


def discrete_states(clauses: Clauses) -> dict[str, int]:
    """Return the number of states of each variable, 2 unless said otherwise."""
    states = dict.fromkeys(clauses.names, 2)
    for name, token in clauses.states.items():
        hidden = name in clauses.hidden
        kind = "a hidden variable" if hidden else "an observed variable"
        check_number(clauses.text, token, f"the number of states of {name}, {kind},", 1 if hidden else 2, MOST_STATES)
        states[name] = int(token.text)
    return states


FAMILIES: dict[str, Callable[[Clauses, str], Network]] = {"discrete": discrete}
"""The families that are available: what makes a model of the clauses and the argument of the family word."""


# ---------------------------------------------------------------- the printer


def to_text(model: Network) -> str:
    """Print a model in the notation; `parse` reads it back as an equal record.

    >>> to_text(parse("4(3,3,3)"))
    '4:3,3,3'
    """
    if model.family != "discrete":
        raise InputError(f"a model of the family {model.family} cannot be written in the notation; available: discrete")
    sizes = text_of_tree(model)
    return sizes if sizes is not None else text_of_clauses(model)


def sizes_text(sizes: Iterable[int]) -> str:
    """Print numbers of states, long runs as SIZE^TIMES.

    >>> sizes_text((3, 2, 2, 2, 2, 2))
    '3,2^5'
    """
    runs = ((size, len(list(run))) for size, run in groupby(sizes))
    return ",".join(
        f"{size}^{times}" if times >= RUN_TO_COMPRESS else ",".join([str(size)] * times) for size, times in runs
    )


def text_of_tree(model: Network) -> str | None:
    """Print a model that its sizes describe, else return None."""
    nodes = nodes_of(model)
    if nodes is None or tree_network(nodes) != model:
        return None
    if all(node.parent == 0 and node.kind == "leaf" for node in nodes[1:]):
        return f"{nodes[0].states}:{sizes_text(node.states for node in nodes[1:])}"
    pieces: list[str] = []
    leaves: list[int] = []  # those that wait to be printed together

    def flush() -> None:
        if leaves:
            pieces.append(("" if pieces[-1].endswith("(") else ",") + sizes_text(leaves))
            leaves.clear()

    pieces.append(f"{nodes[0].states}(")
    open_nodes = [0]
    for index, node in enumerate(nodes[1:], 1):
        while open_nodes[-1] != node.parent:
            flush()
            pieces.append(")")
            open_nodes.pop()
        if node.kind == "leaf":
            leaves.append(node.states)
        else:
            flush()
            comma = "" if pieces[-1].endswith("(") else ","
            pieces.append(f"{comma}{'!' if node.kind == 'inner' else ''}{node.states}(")
            open_nodes.append(index)
    flush()
    return "".join(pieces) + ")" * len(open_nodes)


def nodes_of(model: Network) -> list[Node] | None:
    """Return the nodes of a tree that is directed away from a hidden root and stands in reading order, else None."""
    variables = model.variables
    if model.given or variables[0].observed or variables[0].parents or len(variables) < 2:
        return None
    if any(len(variable.parents) != 1 for variable in variables[1:]) or any(
        variable.local != Table() for variable in variables
    ):
        return None
    inner = {variable.parents[0] for variable in variables[1:]}
    nodes: list[Node] = []
    index: dict[str, int] = {}
    path: list[str] = []  # the ancestors of the variable that is read next
    for variable in variables:
        if variable.name not in inner and not variable.observed:
            return None
        while path and path[-1] != variable.parents[0]:
            path.pop()
        if not path and nodes:
            return None
        kind = "hidden" if not variable.observed else "inner" if variable.name in inner else "leaf"
        nodes.append(Node(variable.states, kind, index[path[-1]] if path else -1))
        if kind != "leaf":
            index[variable.name] = len(nodes) - 1
            path.append(variable.name)
    return nodes


def text_of_clauses(model: Network) -> str:
    """Print a model as clauses: edges, hidden, states, given, share, fix, equal."""
    for variable in model.variables:
        check_name(variable.name, f"variable {variable.name[:60]!r}")
        if not isinstance(variable.local, Table):
            raise InputError(
                f"{variable.name} has the local {variable.local.kind!r}, which the notation cannot write; write a model file"
            )
    names = [variable.name for variable in model.variables]
    edges, order = edge_clauses(model)
    hidden = [variable.name for variable in model.hidden]
    mentioned = {name for edge in model.edges for name in edge}
    states = [variable for variable in model.variables if variable.states != 2 or variable.name not in mentioned]
    in_order = list(dict.fromkeys([*order, *hidden, *(variable.name for variable in states)])) == names
    clauses = list(edges)
    if hidden:
        clauses.append(f"hidden {', '.join(hidden)}")
    if not in_order:
        clauses.insert(0, f"states {', '.join(f'{v.name}={v.states}' for v in model.variables)}")
    elif states:
        clauses.append(f"states {', '.join(f'{v.name}={v.states}' for v in states)}")
    if model.given:
        clauses.append(f"given {', '.join(model.given)}")
    return "; ".join([*clauses, *share_clauses(model), *entry_clauses(model)])


def edge_clauses(model: Network) -> tuple[list[str], list[str]]:
    """Print the edges, children of the same parents together, and return the order of first mention too."""
    order = {variable.name: index for index, variable in enumerate(model.variables)}
    with_parents = (variable for variable in model.variables if variable.parents)
    clauses: list[str] = []
    mentions: list[str] = []
    last: list[str] = []  # the list at the end of the last clause
    for parents, group in groupby(with_parents, key=lambda variable: variable.parents):
        children = [variable.name for variable in group]
        # parents that stand later among the variables go to the right: A -> B <- C keeps the order A, B, C
        split = next((i for i, parent in enumerate(parents) if order[parent] > order[children[0]]), len(parents))
        left, right = list(parents[:split]), list(parents[split:])
        sides = [", ".join(children), *([", ".join(right)] if right else [])]
        text = " <- ".join(sides)
        if left and left == last:
            clauses[-1] += f" -> {text}"
        else:
            clauses.append(f"{', '.join(left)} -> {text}" if left else text)
        last = right or children
        mentions += [*left, *children, *right]
    return clauses, list(dict.fromkeys(mentions))


def share_clauses(model: Network) -> list[str]:
    """Print the shared tables in the order of their first variables."""
    members: dict[str, list[str]] = {}
    for variable in model.variables:
        if isinstance(variable.local, Table) and variable.local.share is not None:
            members.setdefault(variable.local.share, []).append(variable.name)
    for share in members:
        check_name(share, f"share {share[:60]!r}")
    return [f"share {share}: {', '.join(names)}" for share, names in members.items()]


def entry_clauses(model: Network) -> list[str]:
    """Print the fixed and the named entries, those of a shared table at its first variable."""
    fixed: list[str] = []
    equal: dict[str, list[str]] = {}
    states = model.states
    for variable, table in one_of_each_table(model):
        parents = tuple((parent, states[parent]) for parent in variable.parents)
        fixed += [f"{cell_text(cell, variable.name, parents)}={fraction_text(value)}" for cell, value in table.fixed]
        for cell, label in table.equal:
            check_name(label, f"the name {label[:60]!r} of equal entries")
            equal.setdefault(label, []).append(cell_text(cell, variable.name, parents))
    return [
        *([f"fix {', '.join(fixed)}"] if fixed else []),
        *(f"equal {label} = {', '.join(cells)}" for label, cells in equal.items()),
    ]


def one_of_each_table(model: Network) -> list[tuple[Variable, Table]]:
    """Return the variables whose tables have fixed or named entries, of those that share a table only the first."""
    chosen: list[tuple[Variable, Table]] = []
    shares: set[str] = set()
    for variable in model.variables:
        local = variable.local
        if isinstance(local, Table) and (local.fixed or local.equal) and local.share not in shares:
            chosen.append((variable, local))
            if local.share is not None:
                shares.add(local.share)
    return chosen
