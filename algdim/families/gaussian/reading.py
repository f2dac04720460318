"""The family "gaussian" in the notation, in the model file and in parameter files.

    gaussian: A -> B <-> C; F -> B, C; hidden F; fix v(F)=1; equal l = b(F->B), b(F->C); means off

A clause that is a list of names, without an arrow, introduces variables (in their order). A parameter file has coefficients,
error variances and covariances, intercepts:

    {"coefficients": {"F->X1": "1/2"}, "variances": {"F": 1, "X1": "3/4"}, "covariances": {"X1<->X2": 0.25}, "means": {"F": 0}}

Decimal numbers are read exactly. Fixed entries may be left out; if they stand there, they have their values.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import groupby
from typing import Any, NamedTuple

from algdim.errors import InputError, join_names
from algdim.families.contract import ModelFile, Notation
from algdim.families.gaussian.model import Entry, Gaussian, GaussianVariable, format_entry
from algdim.figures import format_value
from algdim.models.clauses import (
    COLON,
    Clauses,
    add_text_to_errors,
    describe_meant_clause,
    make_clause_reader,
    make_dialect,
    make_equal_reader,
    make_fix_reader,
    read_arrows,
    read_hidden,
    read_list,
    read_off,
)
from algdim.models.tokens import Cursor, check_name, make_position_error
from algdim.models.values import (
    check_keys,
    format_fraction,
    read_listed_variables,
    read_pairs,
    read_signed,
    read_signed_value,
    require,
    require_mapping,
    require_truth,
)
from algdim.readers.files import read_by

Edges = Sequence[tuple[str, str]]


def read_edges_or_names(cursor: Cursor, clauses: Clauses) -> None:
    """Read edges, or a list of names that introduces variables."""
    left = read_list(cursor, clauses)
    if len(left) == 1 and cursor.now.kind == "name":
        cursor.fail("an arrow ('->', '<-' or '<->') or ','", describe_meant_clause(left[0].text))
    if cursor.meets(":"):
        cursor.fail("an arrow ('->', '<-' or '<->')", COLON)
    clauses.introduced.update(token.text for token in left)
    read_arrows(cursor, clauses, left)


class NumberName(NamedTuple):
    """A number as it was named, and where."""

    entry: Entry
    at: int


def read_number_name(cursor: Cursor, mentions: dict[str, int]) -> NumberName:
    """Read ``b(F->X)``, ``v(X)``, ``c(X<->Y)`` or ``m(X)`` and note the names that were not mentioned before."""
    begin = cursor.now
    if begin.text not in ARROWS or cursor.next.text != "(":
        cursor.fail("a coefficient b(F->X), a variance v(X), a covariance c(X<->Y) or an intercept m(X)")
    cursor.index += 2
    names = [cursor.name("a variable's name")]
    arrow = ARROWS[begin.text]
    if arrow:
        cursor.require(arrow, f"in {begin.text}({names[0].text}{arrow}…)")
        names.append(cursor.name("a variable's name"))
    cursor.require(")", f"at the end of {begin.text}(…)")
    for token in names:
        mentions.setdefault(token.text, token.at)
    return NumberName((begin.text, *(token.text for token in names)), begin.at)


@dataclass(slots=True)
class GaussianClauses(Clauses):
    """What the clauses of a Gaussian model say."""

    fixed: list[tuple[NumberName, Fraction]] = field(default_factory=list)
    equal: list[tuple[NumberName, str]] = field(default_factory=list)
    means_off: int | None = None


def read_means(cursor: Cursor, clauses: GaussianClauses) -> None:
    """Read the rest of ``means off``."""
    clauses.means_off = read_off(cursor)


GAUSSIAN = make_dialect(
    "the family gaussian",
    {
        "hidden": read_hidden,
        "fix": make_fix_reader(read_number_name, read_signed),
        "equal": make_equal_reader(read_number_name, "numbers"),
        "means": read_means,
    },
    read_edges_or_names,
    GaussianClauses,
)


def build_gaussian(clauses: GaussianClauses) -> Gaussian:
    """Build the Gaussian model that the clauses describe."""
    for name, at in clauses.names.items():
        if name not in clauses.introduced:
            known = join_names(sorted(clauses.introduced)) or "none"
            message = f"there is no variable {name}; edges and lists of names introduce variables, so far: {known}"
            raise make_position_error(clauses.text, at, message)
    variables = tuple(GaussianVariable(name, name not in clauses.hidden) for name in clauses.names)
    edges, bidirected, means = tuple(clauses.edges), tuple(clauses.bidirected), clauses.means_off is None
    with add_text_to_errors(clauses):
        known_entries = frozenset(Gaussian(variables, edges, bidirected, means).entries)
        placed: dict[Entry, int] = {}
        for number, _ in (*clauses.fixed, *clauses.equal):
            entry = find_listed_entry(number.entry, known_entries)
            if entry not in known_entries:
                raise make_position_error(clauses.text, number.at, f"the model has no number {format_entry(entry)}")
            if entry in placed:
                raise make_position_error(
                    clauses.text, number.at, f"{format_entry(entry)} is fixed or named already; once is allowed"
                )
            placed[entry] = number.at
        return Gaussian(
            variables,
            edges,
            bidirected,
            means,
            tuple((find_listed_entry(name.entry, known_entries), value) for name, value in clauses.fixed),
            tuple((find_listed_entry(name.entry, known_entries), label) for name, label in clauses.equal),
        )


def format_gaussian(model: Gaussian) -> str:
    """Print a model: edges, hidden, fix, equal, means; names first where the order asks for it.

    >>> X = GaussianVariable
    >>> format_gaussian(Gaussian((X("A"), X("C"), X("F", False)), (("A", "C"), ("F", "C")), means=False))
    'gaussian: A -> C <- F; hidden F; means off'
    """
    names = [variable.name for variable in model.variables]
    for name in names:
        check_name(name, f"variable {name[:60]!r}")
    hidden = [variable.name for variable in model.hidden]
    clauses = format_shortest_edges(names, model.edges, model.bidirected)
    if hidden:
        clauses.append(f"hidden {', '.join(hidden)}")
    if model.fixed:
        clauses.append(
            f"fix {', '.join(f'{format_entry(entry)}={format_fraction(value)}' for entry, value in model.fixed)}"
        )
    # runs, not groups: the order of the record is kept
    for label, run in groupby(model.equal, key=lambda pair: pair[1]):
        clauses.append(f"equal {label} = {', '.join(format_entry(entry) for entry, _ in run)}")
    if not model.means:
        clauses.append("means off")
    return f"gaussian: {'; '.join(clauses)}"


def format_shortest_edges(names: list[str], edges: Edges, bidirected: Edges = ()) -> list[str]:
    """The clauses of the edges in the shorter of two forms, and before them the names if their order is another."""
    found: list[list[str]] = []
    for products in (list_single_edges, group_edges):
        clauses: list[str] = []
        mentions: list[str] = []
        last: list[str] = []
        for arrow, listed in (("->", edges), ("<->", bidirected)):
            for left, right in products(listed):
                last = add_product(clauses, mentions, last, left, arrow, right)
        if list(dict.fromkeys(mentions)) != names:  # the clause "hidden" introduces nobody
            clauses.insert(0, ", ".join(names))
        found.append(clauses)
    return min(found, key=lambda clauses: len("; ".join(clauses)))


def list_single_edges(edges: Edges) -> list[tuple[list[str], list[str]]]:
    """Each edge by itself."""
    return [([one], [other]) for one, other in edges]


def group_edges(edges: Edges) -> list[tuple[list[str], list[str]]]:
    """Runs of edges as products of lists, in the order of the edges.

    >>> group_edges([("F", "A"), ("F", "B"), ("G", "A"), ("G", "B"), ("A", "B")])
    [(['F', 'G'], ['A', 'B']), (['A'], ['B'])]
    """
    found: list[tuple[list[str], list[str]]] = []
    for one, run in groupby(edges, key=lambda edge: edge[0]):
        others = [other for _, other in run]
        if found and found[-1][1] == others:
            found[-1][0].append(one)
        else:
            found.append(([one], others))
    return found


def add_product(
    clauses: list[str], mentions: list[str], last: list[str], left: list[str], arrow: str, right: list[str]
) -> list[str]:
    """Print a product of lists, after the last clause if that ends in one of them; return the list at the end."""
    one, other = ", ".join(left), ", ".join(right)
    if last == left:
        clauses[-1] += f" {arrow} {other}"
    elif last == right and arrow == "->" and 1 in (len(left), len(right)):
        # read child by child: the order of the edges is the same only if one list has a single name
        clauses[-1] += f" <- {one}"
        mentions += left
        return left
    else:
        clauses.append(f"{one} {arrow} {other}")
        mentions += left
    mentions += right
    return right


NOTATION = Notation(make_clause_reader(GAUSSIAN, lambda clauses, _, __: build_gaussian(clauses)), format_gaussian)


KEYS = ("family", "variables", "edges", "bidirected", "means", "fixed", "equal")
VARIABLE_KEYS = ("name", "observed")


def read_dictionary(data: dict[str, Any]) -> Gaussian:
    """Build a Gaussian model."""
    check_keys(data, KEYS, "the model")
    means = require_truth(data.get("means", True), "means")
    listed = read_listed_variables(data.get("variables"), VARIABLE_KEYS, '{"name": "F", "observed": false}')
    variables = tuple(GaussianVariable(one.name, one.observed) for one in listed)
    edges = read_pairs(data.get("edges", []), "edges")
    bidirected = read_pairs(data.get("bidirected", []), "bidirected")
    known = frozenset(Gaussian(variables, edges, bidirected, means).entries)
    fixed = require_mapping(data.get("fixed", {}), "fixed")
    equal = require_mapping(data.get("equal", {}), "equal")
    for key, label in equal.items():
        require(label, isinstance(label, str), f"equal[{key[:80]!r}]", "a name for the equal numbers is expected")
    return Gaussian(
        variables,
        edges,
        bidirected,
        means,
        tuple(
            (read_entry(key, "fixed", known), read_signed_value(value, f"fixed[{key[:80]!r}]"))
            for key, value in fixed.items()
        ),
        tuple((read_entry(key, "equal", known), label) for key, label in equal.items()),
    )


def read_entry(key: str, section: str, known: frozenset[Entry]) -> Entry:
    """Read the name of a number of the model."""
    try:
        entry = find_listed_entry(parse_entry(key), known)
    except InputError as error:
        raise InputError(f"{section}[{key[:80]!r}]: {error}") from None
    if entry not in known:
        raise InputError(f"{section}[{key[:80]!r}]: the model has no number {format_entry(entry)}")
    return entry


def write_dictionary(model: Gaussian) -> dict[str, Any]:
    """Write a Gaussian model as a dictionary; `read_dictionary` reads it back as an equal record."""
    data: dict[str, Any] = {
        "family": model.family,
        "variables": [{"name": variable.name, "observed": variable.observed} for variable in model.variables],
        "edges": [list(edge) for edge in model.edges],
    }
    if model.bidirected:
        data["bidirected"] = [list(pair) for pair in model.bidirected]
    data["means"] = model.means
    return data | write_ties(model.fixed, model.equal)


def write_ties(fixed: Sequence[tuple[Entry, Fraction]], equal: Sequence[tuple[Entry, str]]) -> dict[str, Any]:
    """What is fixed, and what is equal, as far as there is any."""
    found: dict[str, Any] = {}
    if fixed:
        found["fixed"] = {format_entry(entry): format_fraction(value) for entry, value in fixed}
    if equal:
        found["equal"] = {format_entry(entry): label for entry, label in equal}
    return found


FILE = ModelFile(read_dictionary, write_dictionary)


ARROWS = {"b": "->", "v": "", "c": "<->", "m": ""}


def parse_entry(text: str) -> Entry:
    """Read the name of a number, as model files have it.

    >>> parse_entry("b(F -> X1)")
    ('b', 'F', 'X1')
    """
    cursor = Cursor(text)
    name = read_number_name(cursor, {})
    if cursor.now.kind != "end":
        cursor.fail("the end of the name")
    return name.entry


def find_listed_entry(entry: Entry, known: frozenset[Entry]) -> Entry:
    """The entry under which a model lists a covariance, whatever the order of its variables."""
    turned = (entry[0], *reversed(entry[1:]))
    return turned if entry[0] == "c" and entry not in known and turned in known else entry


SECTIONS = {"b": "coefficients", "v": "variances", "c": "covariances", "m": "means"}


def read_parameters(source: str | os.PathLike[str] | dict[str, object], model: Gaussian) -> dict[Entry, Fraction]:
    """Read the values of all entries of a model from a file (JSON, TOML) or a dictionary, exactly.

    >>> from algdim.families.gaussian.model import GaussianVariable
    >>> read_parameters({"variances": {"A": "1/3"}}, Gaussian((GaussianVariable("A"),), means=False))
    {('v', 'A'): Fraction(1, 3)}
    """
    return read_by(source, lambda data: read_entries(data, model))


def read_entries(source: dict[str, object], model: Gaussian) -> dict[Entry, Fraction]:
    """Read all sections; raise unless every free entry stands there once and equal ones are equal."""
    data = require_mapping(source, "the parameters")
    for key in data:
        if key not in SECTIONS.values():
            raise InputError(f"the parameters: unknown key {key[:60]!r}; allowed are {join_names(SECTIONS.values())}")
    names = {(kind, name): entry for entry in model.entries for kind in entry[0] for name in list_entry_keys(entry)}
    values = dict(model.fixed)
    given: dict[Entry, Fraction] = {}
    for kind, section in SECTIONS.items():
        for key, value in require_mapping(data.get(section, {}), section).items():
            place = f"{section}[{key[:80]!r}]"
            entry = names.get((kind, key.replace(" ", "")))
            if entry is None:
                known = join_names(list_entry_keys(entry)[0] for entry in model.entries if entry[0] == kind) or "none"
                raise InputError(f"{place}: the model has no such entry; known are {known}")
            if entry in given:
                raise InputError(f"{place}: {format_entry(entry)} occurs twice; once is allowed")
            given[entry] = read_signed_value(value, place)
            if values.get(entry, given[entry]) != given[entry]:
                raise InputError(
                    f"{place} is {format_value(given[entry])}; it is fixed to {format_value(values[entry])}"
                )
    values |= given
    missing = [format_entry(entry) for entry in model.entries if entry not in values]
    if missing:
        raise InputError(f"the parameters: values are missing: {join_names(missing)}")
    check_equal(model, values)
    return values


def list_entry_keys(entry: Entry) -> list[str]:
    """How an entry can be named in its section.

    >>> list_entry_keys(("c", "A", "B")), list_entry_keys(("m", "A"))
    (['A<->B', 'B<->A'], ['A'])
    """
    kind, *names = entry
    if kind == "c":
        return ["<->".join(names), "<->".join(reversed(names))]
    return ["->".join(names)]


def check_equal(model: Gaussian, values: dict[Entry, Fraction]) -> None:
    """Raise unless entries of the same name have the same value."""
    first: dict[str, Any] = {}
    for entry, label in model.equal:
        other = first.setdefault(label, entry)
        if values[other] != values[entry]:
            raise InputError(
                f"{format_entry(other)} is {format_value(values[other])} and {format_entry(entry)} is {format_value(values[entry])}; "
                f"both are named {label} and must be equal"
            )
