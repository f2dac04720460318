"""Cognitive diagnosis: ``diagnosis DINA: items 10, 01, 11``, a row of the Q-matrix for each item, with attribute hierarchies.

The hidden variable is the pattern of attributes that a person masters, one of those that the hierarchy allows, and has a free
distribution. An item depends on the pattern as its model says: by a table with names, by a sum, a product or log-odds of what
the attributes that it requires contribute. Two patterns that no item tells apart stay two: that is for the dimension to say.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from algdim.errors import InputError, LimitError, describe_closest_word, join_names
from algdim.families.discrete.locals.sigmoid import Sigmoid
from algdim.families.discrete.locals.table import Table
from algdim.families.discrete.model import Network, Variable
from algdim.families.discrete.short import find_short_form
from algdim.figures import format_count, format_integer
from algdim.models.tokens import Cursor, make_position_error
from algdim.readers.identifiers import make_notation_names
from algdim.trust import Remark, proved_by

MOST_ATTRIBUTES = 12
MOST_ITEMS = 500
MOST_ENTRIES = 1_000_000
"""Of all items, patterns times states of what an item depends on."""

PATTERN = re.compile(
    r"(?P<space>[ \t\r\n]+)|(?P<row>[01]+(?![A-Za-z0-9_.]))|(?P<name>[A-Za-z_][A-Za-z0-9_.]*)|(?P<symbol>->|[;,=])|(?P<other>\S)"
)
EXAMPLE = "a Q-matrix is written row by row, as 'diagnosis DINA: items 10, 01, 11'"


@dataclass(frozen=True, slots=True)
class DiagnosisSpec:
    """A model, the Q-matrix by items and attributes, and which attributes others presuppose."""

    model: str
    items: tuple[str, ...]
    attributes: tuple[str, ...]
    requires: tuple[tuple[bool, ...], ...]
    hierarchy: tuple[tuple[int, int], ...] = ()


def read_line(text: str, start: int, word: str, argument: str) -> tuple[Network, str]:
    """Read ``diagnosis MODEL: items ITEM=ROW, ROW; attributes NAME, NAME; NAME -> NAME``, as a network and as it is printed."""
    del word
    spec = read_diagnosis(text, start, argument)
    return expand_diagnosis(spec), write_diagnosis(spec)


def find_diagnosis(model: Network) -> DiagnosisSpec | None:
    """What a network was read from, if it is a diagnosis and still that network."""
    line = find_short_form(model) or ""
    head, colon, _ = line.partition(":")
    word, _, argument = head.partition(" ")
    return read_diagnosis(line, len(head) + len(colon), argument) if word == "diagnosis" else None


def read_diagnosis(text: str, start: int, argument: str) -> DiagnosisSpec:
    """Read what the line says."""
    model = choose_model(argument)
    cursor = Cursor(text, start, PATTERN)
    rows = read_rows(cursor)
    attributes: list[str] = []
    edges: list[tuple[str, str, int]] = []
    while cursor.skip(";"):
        if cursor.now.text == "attributes" and cursor.next.kind == "name":
            cursor.index += 1
            attributes += [read_name(cursor) for _ in cursor.items()]
        else:
            edges += read_prerequisites(cursor)
    if cursor.now.kind != "end":
        cursor.fail("',' or ';' or the end of the text", EXAMPLE)
    width = len(rows[0][1])
    names = attributes or [f"A{number}" for number in range(1, width + 1)]
    if len(names) != width or len(set(names)) < width:
        raise InputError(
            f"there are {width} columns and the attributes {join_names(names)}; one name for each is expected"
        )
    place = {name: number for number, name in enumerate(names)}
    hierarchy: list[tuple[int, int]] = []
    for before, after, at in edges:
        for name in (before, after):
            if name not in place:
                message = (
                    f"there is no attribute {name}{describe_closest_word(name, names)}; known are {join_names(names)}"
                )
                raise make_position_error(text, at, message)
        hierarchy.append((place[before], place[after]))
    items = [name or f"X{number}" for number, (name, _) in enumerate(rows, 1)]
    return make_diagnosis(model, items, names, [row for _, row in rows], hierarchy)


def read_rows(cursor: Cursor) -> list[tuple[str, str]]:
    """Read the rows of the Q-matrix, with the names of items where there are such."""
    rows: list[tuple[str, str]] = []
    if cursor.take().text != "items":
        cursor.index -= 1
        cursor.fail("'items'", EXAMPLE)
    for _ in cursor.items():
        name = ""
        if cursor.now.kind == "name":
            name = read_name(cursor)
            cursor.require("=", "and the row of the item")
        token = cursor.now
        if token.kind != "row":
            cursor.fail("a row of zeros and ones", EXAMPLE)
        if rows and len(token.text) != len(rows[0][1]):
            message = f"this row has {len(token.text)} signs, the first one {len(rows[0][1])}; one for each attribute is expected"
            raise make_position_error(cursor.text, token.at, message)
        rows.append((name, cursor.take().text))
        if len(rows) > MOST_ITEMS:
            raise make_position_error(
                cursor.text, token.at, f"more than {MOST_ITEMS} items; at most that many are allowed"
            )
    return rows


def read_name(cursor: Cursor) -> str:
    """Read the name of an item or of an attribute."""
    if cursor.now.kind != "name":
        cursor.fail("a name")
    return cursor.take().text


def read_prerequisites(cursor: Cursor) -> Iterator[tuple[str, str, int]]:
    """Read ``A1 -> A2, A3 -> A4``: who masters what stands behind an arrow masters what stands before it."""
    left = [(read_name(cursor), cursor.last.at) for _ in cursor.items()]
    if not cursor.meets("->"):
        cursor.fail("'->' between attributes, or 'attributes' and their names", "a hierarchy is written A1 -> A2")
    while cursor.skip("->"):
        right = [(read_name(cursor), cursor.last.at) for _ in cursor.items()]
        yield from ((before, after, at) for before, _ in left for after, at in right)
        left = right


def choose_model(word: str) -> str:
    """The model of this name."""
    name = ALIASES.get(word.upper(), word.upper())
    if name not in MODELS:
        raise InputError(
            f"the model of diagnosis {word[:60]!r} is not known{describe_closest_word(word.upper(), MODELS)}; "
            f"known are {join_names(MODELS, most=len(MODELS))}"
        )
    return name


def make_diagnosis(
    model: str,
    items: Sequence[str],
    attributes: Sequence[str],
    rows: Sequence[str],
    hierarchy: Sequence[tuple[int, int]] = (),
) -> DiagnosisSpec:
    """A diagnosis, if it is one."""
    if len(attributes) > MOST_ATTRIBUTES:
        raise LimitError(
            f"the Q-matrix has {len(attributes)} attributes; at most {MOST_ATTRIBUTES} are allowed: they have 2^{len(attributes)} patterns"
        )
    names = list(make_notation_names([*items, *attributes]).values())
    if len(names) < len(items) + len(attributes):
        raise InputError("two items or attributes have the same name; each has its own")
    for name, row in zip(items, rows, strict=True):
        if "1" not in row:
            raise InputError(f"the item {name[:60]} requires no attribute; leave it out, or give it one")
    requires = tuple(tuple(sign == "1" for sign in row) for row in rows)
    for number, name in enumerate(attributes):
        if not any(row[number] for row in requires):
            raise InputError(f"no item requires the attribute {name[:60]}; leave out its column")
    spec = DiagnosisSpec(model, tuple(names[: len(items)]), tuple(names[len(items) :]), requires, tuple(hierarchy))
    sort_attributes(spec)
    return spec


def sort_attributes(spec: DiagnosisSpec) -> list[int]:
    """The attributes in an order in which none stands before one that it presupposes."""
    left, found = list(range(len(spec.attributes))), list[int]()
    while left:
        free = next(
            (k for k in left if not any(after == k and before in left for before, after in spec.hierarchy)), None
        )
        if free is None:
            raise InputError(
                f"the attributes {join_names([spec.attributes[k] for k in left])} presuppose each other in a circle"
            )
        left.remove(free)
        found.append(free)
    return found


def write_diagnosis(spec: DiagnosisSpec) -> str:
    """Print the line."""
    plain = spec.items == tuple(f"X{number}" for number in range(1, len(spec.items) + 1))
    rows = ["".join("01"[one] for one in row) for row in spec.requires]
    usual = spec.attributes == tuple(f"A{number}" for number in range(1, len(spec.attributes) + 1))
    clauses = [
        ", ".join(rows if plain else [f"{name}={row}" for name, row in zip(spec.items, rows, strict=True)]),
        *([] if usual else [f"attributes {', '.join(spec.attributes)}"]),
        *(f"{spec.attributes[before]} -> {spec.attributes[after]}" for before, after in spec.hierarchy),
    ]
    return f"diagnosis {spec.model}: items {'; '.join(clauses)}"


def list_patterns(spec: DiagnosisSpec) -> list[tuple[int, ...]]:
    """The patterns of attributes that the hierarchy allows, the first attribute slowest."""
    everything = product((0, 1), repeat=len(spec.attributes))
    return [one for one in everything if all(one[before] >= one[after] for before, after in spec.hierarchy)]


def expand_diagnosis(spec: DiagnosisSpec) -> Network:
    """The network of a diagnosis: the pattern of a person, and the items."""
    patterns = list_patterns(spec)
    hidden = "Pattern"
    while hidden in (*spec.items, *spec.attributes):
        hidden += "_"
    labels = tuple("".join(map(str, one)) for one in patterns)
    variables = [Variable(hidden, len(patterns), observed=False, labels=labels)]
    build = MODELS[spec.model]
    entries = sum(2 * len(patterns) * (sum(row) + 2) for row in spec.requires)
    if entries > MOST_ENTRIES:
        raise LimitError(
            f"the items have up to {format_integer(entries)} entries for {format_count(len(patterns), 'pattern')}; at most "
            f"{format_integer(MOST_ENTRIES)} are allowed: take fewer items or attributes"
        )
    if build is None:  # log-odds need attributes for parents
        variables += [
            make_attribute(hidden, name, [one[k] for one in patterns]) for k, name in enumerate(spec.attributes)
        ]
    for name, row in zip(spec.items, spec.requires, strict=True):
        own = [k for k, required in enumerate(row) if required]
        if build is None:
            parents = tuple(spec.attributes[k] for k in own)
            variables.append(Variable(name, 2, parents=parents, local=Sigmoid()))
        else:
            variables += build(name, hidden, [tuple(one[k] for k in own) for one in patterns])
    return Network(tuple(variables))


Required = list[tuple[int, ...]]
"""The states of the attributes that an item requires, for each pattern."""


def make_attribute(hidden: str, name: str, mastered: Sequence[int]) -> Variable:
    """An attribute as a function of the pattern."""
    return make_function(
        name, (hidden,), {(number,): bool(state) for number, state in enumerate(mastered)}, observed=False
    )


def make_function(
    name: str, parents: tuple[str, ...], values: Mapping[tuple[int, ...], bool], *, observed: bool = True
) -> Variable:
    """A variable of two states that is a function of its parents."""
    fixed = tuple(
        ((given, state), Fraction(int(value == bool(state)))) for given, value in values.items() for state in (0, 1)
    )
    return Variable(name, 2, observed, parents, Table(fixed=fixed))


def build_and(name: str, hidden: str, required: Required) -> list[Variable]:
    """An item that slips where all its attributes are mastered, and is guessed elsewhere."""
    return [make_gate(name, hidden, [all(one) for one in required])]


def build_or(name: str, hidden: str, required: Required) -> list[Variable]:
    """An item for which one of its attributes suffices."""
    return [make_gate(name, hidden, [any(one) for one in required])]


def make_gate(name: str, hidden: str, suffices: Sequence[bool]) -> Variable:
    """An item with two chances, to slip and to be guessed."""
    equal = tuple(
        (((number,), 0), f"{name}.s") if enough else (((number,), 1), f"{name}.g")
        for number, enough in enumerate(suffices)
    )
    return Variable(name, 2, parents=(hidden,), local=Table(equal=equal))


def build_general(name: str, hidden: str, required: Required) -> list[Variable]:
    """An item with a chance for each pattern of its attributes."""
    equal = tuple((((number,), 1), f"{name}.{''.join(map(str, one))}") for number, one in enumerate(required))
    return [Variable(name, 2, parents=(hidden,), local=Table(equal=equal))]


def build_additive(name: str, hidden: str, required: Required) -> list[Variable]:
    """An item whose chance is a sum: a switch chooses success, one of the attributes, which decides, or failure."""
    switch, count = f"{name}.from", len(required[0])
    values: dict[tuple[int, ...], bool] = {
        (chosen, number): chosen == 0 or (chosen <= count and one[chosen - 1] == 1)
        for chosen in range(count + 2)
        for number, one in enumerate(required)
    }
    return [Variable(switch, count + 2, observed=False), make_function(name, (switch, hidden), values)]


def build_product(name: str, hidden: str, required: Required) -> list[Variable]:
    """An item whose chance is a product: a factor for the whole, and one for each attribute that is not mastered."""
    inner = [Variable(f"{name}.0", 2, observed=False)]
    for k in range(len(required[0])):
        known = tuple(
            (((number,), state), Fraction(state)) for number, one in enumerate(required) if one[k] for state in (0, 1)
        )
        equal = tuple((((number,), 1), f"{name}.r{k + 1}") for number, one in enumerate(required) if not one[k])
        local = Table(fixed=known, equal=equal)
        inner.append(Variable(f"{name}.{k + 1}", 2, observed=False, parents=(hidden,), local=local))
    parents = tuple(one.name for one in inner)
    values = {given: all(given) for given in product((0, 1), repeat=len(parents))}
    return [*inner, make_function(name, parents, values)]


MODELS: Mapping[str, Callable[[str, str, Required], list[Variable]] | None] = {
    "DINA": build_and,
    "DINO": build_or,
    "ACDM": build_additive,
    "RRUM": build_product,
    "LLM": None,
    "GDINA": build_general,
}
"""The models of items; in ACDM, RRUM and LLM the chance, its logarithm or its log-odds are a sum of effects."""

ALIASES: Mapping[str, str] = {"A-CDM": "ACDM", "G-DINA": "GDINA", "LCDM": "GDINA", "R-RUM": "RRUM"}


def prove_dina_identifiability(spec: DiagnosisSpec) -> Remark | None:
    """What Gu and Xu's theorem says of DINA and, with the words exchanged, of DINO (lemma "DINA")."""
    if spec.model not in ("DINA", "DINO") or spec.hierarchy:
        return None
    lacks = list(list_lacks(spec))
    if lacks:
        text = (
            f"as a {spec.model} model: not identified everywhere, since {join_names(lacks, separator='; ')} "
            "(Gu and Xu 2019); generic identifiability is decided by ranks"
        )
    else:
        text = (
            f"as a {spec.model} model: identified wherever 1 - s > g at all items and all patterns are possible "
            "(Gu and Xu 2019)"
        )
    facts = join_names(lacks, separator="; ") or "an item for each attribute alone, three for each, different columns"
    return Remark(text, proved_by("DINA", facts))


def list_lacks(spec: DiagnosisSpec) -> Iterator[str]:
    """Which of the three conditions on a Q-matrix fail, and where."""
    rows = list(spec.requires)
    for k, name in enumerate(spec.attributes):
        alone = tuple(other == k for other in range(len(spec.attributes)))
        if alone in rows:
            rows.remove(alone)
        else:
            yield f"no item requires {name} alone"
        times = sum(row[k] for row in spec.requires)
        if times < 3:
            yield f"{name} is required by {format_count(times, 'item')}, three are needed"
    columns: dict[tuple[bool, ...], list[str]] = {}
    for k, name in enumerate(spec.attributes):
        columns.setdefault(tuple(row[k] for row in rows), []).append(name)
    for names in columns.values():
        if len(names) > 1:
            yield f"the columns of {join_names(names)} are the same without such items"
