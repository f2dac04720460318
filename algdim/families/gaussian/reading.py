"""The family "gaussian" in the notation, in the model file and in parameter files.

    gaussian: A -> B <-> C; F -> B, C; hidden F; fix v(F)=1; equal l = b(F->B), b(F->C); means off
    gaussian: F -> A, B, C; hidden F; equal b(F->A) = 3 - b(F->B) - b(F->C); given school = a, b; share loadings

A clause that is a list of names, without an arrow, introduces variables (in their order). A parameter file has coefficients,
error variances and covariances, intercepts:

    {"coefficients": {"F->X1": "1/2"}, "variances": {"F": 1, "X1": "3/4"}, "covariances": {"X1<->X2": 0.25}, "means": {"F": 0}}

Decimal numbers are read exactly. Fixed entries may be left out; if they stand there, they have their values.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import groupby
from typing import Any, NamedTuple

from algdim.errors import InputError, join_names
from algdim.families.contract import ModelFile, Notation
from algdim.families.gaussian.groups import SHARED, Copies, Edges, format_runs, share_entries, strip_groups
from algdim.families.gaussian.model import (
    ONE,
    Entry,
    Gaussian,
    GaussianVariable,
    format_entry,
    format_linear,
)
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
    linear: list[tuple[NumberName, list[tuple[NumberName | None, Fraction]]]] = field(default_factory=list)
    by: str = ""
    groups: list[str] = field(default_factory=list)
    shared: list[str] = field(default_factory=list)


NAMED_EQUAL = make_equal_reader(read_number_name, "numbers")


def read_equal(cursor: Cursor, clauses: GaussianClauses) -> None:
    """Read the rest of ``equal NAME = NUMBER, …`` or of ``equal NUMBER = SUM``."""
    if cursor.now.text not in ARROWS or cursor.next.text != "(":
        NAMED_EQUAL(cursor, clauses)
        return
    left = read_number_name(cursor, clauses.names)
    cursor.require("=", "and what the number is equal to")
    terms: list[tuple[NumberName | None, Fraction]] = []
    while not terms or cursor.meets("+", "-"):
        sign = -1 if cursor.meets("-") else 1
        if cursor.meets("+", "-"):
            cursor.index += 1
        is_number = cursor.now.kind in ("number", "decimal")
        value = sign * (read_signed(cursor) if is_number else Fraction(1))
        named = cursor.now.text in ARROWS and cursor.next.text == "("
        terms.append((read_number_name(cursor, clauses.names) if named or not is_number else None, value))
    clauses.linear.append((left, terms))


def read_given(cursor: Cursor, clauses: GaussianClauses) -> None:
    """Read the rest of ``given COLUMN = GROUP, GROUP, …``."""
    clauses.by = cursor.name("the column of the groups").text
    cursor.require("=", "and the groups")
    for _ in cursor.items():
        if cursor.now.kind not in ("name", "number"):
            cursor.fail("the name of a group")
        clauses.groups.append(cursor.take().text)


def read_share(cursor: Cursor, clauses: GaussianClauses) -> None:
    """Read the rest of ``share KIND, …``: what is the same in all groups."""
    for _ in cursor.items():
        if cursor.now.text not in SHARED:
            cursor.fail(f"what groups have in common ({join_names(SHARED)})")
        clauses.shared.append(cursor.take().text)


def read_means(cursor: Cursor, clauses: GaussianClauses) -> None:
    """Read the rest of ``means off``."""
    clauses.means_off = read_off(cursor)


GAUSSIAN = make_dialect(
    "the family gaussian",
    {
        "hidden": read_hidden,
        "fix": make_fix_reader(read_number_name, read_signed),
        "equal": read_equal,
        "means": read_means,
        "given": read_given,
        "share": read_share,
    },
    read_edges_or_names,
    GaussianClauses,
)


def build_gaussian(clauses: GaussianClauses) -> Gaussian:
    """Build the Gaussian model that the clauses describe."""
    copies, means = Copies(tuple(clauses.groups)), clauses.means_off is None
    introduced = clauses.introduced | {*copies.names(clauses.introduced)}
    for name, at in clauses.names.items():
        if name not in introduced:
            known = join_names(sorted(clauses.introduced)) or "none"
            message = f"there is no variable {name}; edges and lists of names introduce variables, so far: {known}"
            raise make_position_error(clauses.text, at, message)
    if clauses.shared and not clauses.groups:
        raise InputError("share says what groups have in common, and there are none; write given COLUMN = GROUP, GROUP")
    hidden = frozenset(copies.names(clauses.hidden))
    variables = tuple(GaussianVariable(name, name not in hidden) for name in copies.names(clauses.names))
    edges, bidirected = copies.edges(clauses.edges), copies.edges(clauses.bidirected)
    with add_text_to_errors(clauses):
        plain = Gaussian(variables, edges, bidirected, means, by=clauses.by, groups=copies.groups)
        known_entries = frozenset(plain.entries)
        placed: dict[Entry, int] = {}

        def find(number: NumberName, *, twice: bool = False) -> list[Entry]:
            """The entries that a number stands for, one in each group, if it names none."""
            found = [find_listed_entry(entry, known_entries) for entry in copies.entries(number.entry)]
            found = [entry for entry in found if entry in known_entries] or found[:1]
            for entry in found:
                if entry not in known_entries:
                    raise make_position_error(clauses.text, number.at, f"the model has no number {format_entry(entry)}")
                if not twice and placed.setdefault(entry, number.at) != number.at:
                    message = f"{format_entry(entry)} is fixed or named already; once is allowed"
                    raise make_position_error(clauses.text, number.at, message)
            return found

        fixed = tuple((entry, value) for name, value in clauses.fixed for entry in find(name))
        equal = tuple((entry, label) for name, label in clauses.equal for entry in find(name))
        linear = []
        for left, terms in clauses.linear:
            lefts = find(left)
            rights = [(find(name, twice=True) if name else [ONE], value) for name, value in terms]
            for number, entry in enumerate(lefts):
                if any(len(right) not in (1, len(lefts)) for right, _ in rights):
                    raise make_position_error(
                        clauses.text, left.at, "a side of this equation is in other groups than the other"
                    )
                linear.append((entry, tuple((right[number % len(right)], value) for right, value in rights)))
        return share_entries(replace(plain, fixed=fixed, equal=equal, linear=tuple(linear)), clauses.shared)


def format_gaussian(model: Gaussian) -> str:
    """Print a model: edges, hidden, fix, equal, means; names first where the order asks for it.

    >>> X = GaussianVariable
    >>> format_gaussian(Gaussian((X("A"), X("C"), X("F", False)), (("A", "C"), ("F", "C")), means=False))
    'gaussian: A -> C <- F; hidden F; means off'
    """
    names = [variable.name for variable in model.variables]
    for name in names:
        check_name(name, f"variable {name[:60]!r}")
    alike = strip_groups(model)
    whole = names, model.edges, model.bidirected, [variable.name for variable in model.hidden]
    names, edges, bidirected, hidden = alike or whole
    clauses = format_shortest_edges(names, edges, bidirected)
    if hidden:
        clauses.append(f"hidden {', '.join(hidden)}")
    # runs, not groups: the order of the record is kept
    values = [
        f"{text}={format_fraction(value)}"
        for value, run in groupby(model.fixed, key=lambda pair: pair[1])
        for text, _ in format_runs(model.groups, [entry for entry, _ in run])
    ]
    if values:
        clauses.append(f"fix {', '.join(values)}")
    for label, run in groupby(model.equal, key=lambda pair: pair[1]):
        clauses.append(
            f"equal {label} = {', '.join(text for text, _ in format_runs(model.groups, [one for one, _ in run]))}"
        )
    clauses += [f"equal {format_linear(entry, terms)}" for entry, terms in model.linear]
    if model.groups:
        clauses.append(f"given {model.by} = {', '.join(model.groups)}")
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


KEYS = ("family", "variables", "edges", "bidirected", "means", "fixed", "equal", "linear", "by", "groups")
VARIABLE_KEYS = ("name", "observed")


def read_dictionary(data: dict[str, Any]) -> Gaussian:
    """Build a Gaussian model."""
    check_keys(data, KEYS, "the model")
    means = require_truth(data.get("means", True), "means")
    listed = read_listed_variables(data.get("variables"), VARIABLE_KEYS, '{"name": "F", "observed": false}')
    variables = tuple(GaussianVariable(one.name, one.observed) for one in listed)
    edges = read_pairs(data.get("edges", []), "edges")
    bidirected = read_pairs(data.get("bidirected", []), "bidirected")
    by, groups = data.get("by", ""), data.get("groups", [])
    if not isinstance(by, str) or not isinstance(groups, list) or not all(isinstance(one, str) for one in groups):
        raise InputError(
            'by is the column of the groups, and groups their names, as in "by": "school", "groups": ["a", "b"]'
        )
    known = frozenset(Gaussian(variables, edges, bidirected, means, by=by, groups=tuple(groups)).entries)
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
        tuple(
            (
                read_entry(key, "linear", known),
                tuple(
                    (ONE if name == UNIT else read_entry(name, place, known), read_signed_value(value, place))
                    for name, value in require_mapping(terms, place).items()
                ),
            )
            for key, terms in require_mapping(data.get("linear", {}), "linear").items()
            for place in [f"linear[{key[:80]!r}]"]
        ),
        by,
        tuple(groups),
    )


UNIT = "1"
"""What the constant of what is linear stands under."""


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
    data |= write_ties(model.fixed, model.equal)
    if model.linear:
        data["linear"] = {
            format_entry(entry): {
                format_entry(other) if other else UNIT: format_fraction(value) for other, value in terms
            }
            for entry, terms in model.linear
        }
    return data | ({"by": model.by, "groups": list(model.groups)} if model.groups else {})


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
    for entry, terms in model.linear:
        if all(not other or other in values for other, _ in terms):
            value = sum((factor * (values[other] if other else 1) for other, factor in terms), Fraction(0))
            if values.setdefault(entry, value) != value:
                raise InputError(
                    f"{format_entry(entry)} is {format_value(values[entry])}; {format_linear(entry, terms)} is {format_value(value)}"
                )
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
