"""Check certificates of dimensions: python3 -I -S check.py FILE...

A certificate claims the dimension of a model with hidden variables and carries the evidence. FORMAT.md describes it,
lemmas.md proves that what is checked here suffices. This file imports nothing but the standard library, so that nobody
has to trust the program that wrote the certificate. Exit: 0 accepted, 1 invalid (something is not true), 2 unreadable
(something is not in the format, or beyond its limits); of several files the worst.

The parts: reading (strict), models, tables, contraction (variable elimination with its derivatives), linear algebra
modulo a prime, then one small function for each kind of evidence. "Lemma" means lemmas.md.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from graphlib import CycleError, TopologicalSorter
from itertools import accumulate, combinations, combinations_with_replacement, pairwise, product
from math import comb, prod
from typing import Any, NamedTuple

FORMAT = "algdim certificate 1"

# The limits of the format. They are looked at before any work is done.
MOST_BYTES = 4_000_000
MOST_DIGITS = 4000
MOST_VARIABLES = 2000
MOST_STATES = 10_000
MOST_ENTRIES = 300_000  # of all tables together
MOST_DEPTH = 6  # of evidence within evidence
MOST_RANK = 800
MOST_WORK = 100_000_000  # as FORMAT.md counts it: a multiplication is 1,
KEPT, TERM, ENTRY = 10, 40, 100  # a number that is kept, a term of a sum, an entry of the model at hand
MOST_TEXT = 1000

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.]*")
WORDS = frozenset("hidden states share fix equal leak means given max sum parity at-least".split())
FRACTION = re.compile(r"(0|[1-9][0-9]*)(?:/([1-9][0-9]*))?")

Parameter = tuple[str, tuple[int, ...]]
Expression = tuple[Fraction, tuple[tuple[Parameter, Fraction], ...]]
Entries = dict[tuple[int, ...], Expression]
Matrix = list[list[int]]

ONE: Expression = (Fraction(1), ())


class Refused(Exception):  # noqa: N818 - not an error of this program
    """The certificate is not accepted; the message says why."""

    code = 1
    word = "invalid"


class Invalid(Refused):
    """It says something that is not true, or that the evidence does not show."""


class Unreadable(Refused):
    """It is not in the format, or beyond the format's limits."""

    code = 2
    word = "unreadable"


# Reading --------------------------------------------------------------------------------------------------------------


def read(data: bytes) -> Any:
    """Read JSON strictly: no byte too many, no key twice, no number but integers."""
    if len(data) > MOST_BYTES:
        raise Unreadable(f"{len(data)} bytes; at most {MOST_BYTES} are allowed")
    try:
        return json.loads(
            data.decode("utf-8"),
            object_pairs_hook=without_repetition,
            parse_int=integer,
            parse_float=no_number,
            parse_constant=no_number,
        )
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise Unreadable(f"not JSON: {error}") from None
    except RecursionError:
        raise Unreadable("nested too deeply") from None


def without_repetition(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make a dictionary unless a key stands twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise Unreadable("an object in which a key stands twice")
    return found


def integer(text: str) -> int:
    """Read an integer of bounded length."""
    if len(text) > MOST_DIGITS or text == "-0":
        raise Unreadable(f"the number {text[:20]}… has too many digits or is a negative zero")
    return int(text)


def no_number(text: str) -> Any:
    """Refuse what is not an integer."""
    raise Unreadable(f'{text[:20]} is not an integer; fractions are texts such as "1/3"')


def fields(value: Any, place: str, *names: str, optional: Sequence[str] = ()) -> list[Any]:
    """Return the values of an object that has these keys and no others; those left out are None."""
    if type(value) is not dict:
        raise Unreadable(f"{place} is not an object")
    for key in value:
        if key not in names and key not in optional:
            raise Unreadable(f"{place}: unknown key {key[:40]!r}")
    for name in names:
        if name not in value:
            raise Unreadable(f"{place}: the key {name} is missing")
    return [value.get(name) for name in (*names, *optional)]


def whole(value: Any, place: str, most: int | None = None) -> int:
    """Return a nonnegative integer."""
    if type(value) is not int or value < 0 or (most is not None and value > most):
        raise Unreadable(f"{place} is not an integer from 0{'' if most is None else f' to {most}'}")
    return value


def listed(value: Any, place: str) -> list[Any]:
    """Return a list."""
    if type(value) is not list:
        raise Unreadable(f"{place} is not a list")
    return value


def text_of(value: Any, place: str) -> str:
    """Return a short text."""
    if type(value) is not str or len(value) > MOST_TEXT or not value.isprintable():
        raise Unreadable(f"{place} is not a short printable text")
    return value


def name_of(value: Any, place: str) -> str:
    """Return a name."""
    name = text_of(value, place)
    if not NAME.fullmatch(name) or name in WORDS:
        raise Unreadable(f"{place}: {name[:40]!r} cannot be a name")
    return name


def names_of(value: Any, place: str, known: Iterable[str]) -> list[str]:
    """Return a list of different names, in the order in which they are known."""
    names = [name_of(name, place) for name in listed(value, place)]
    different = set(names)
    if names != [name for name in known if name in different]:
        raise Unreadable(f"{place}: names that are unknown, repeated or not in the model's order")
    return names


def increasing(value: Any, place: str, below: int) -> list[int]:
    """Return a list of different numbers in their order."""
    found = [whole(number, place, below - 1) for number in listed(value, place)]
    for one, other in pairwise(found):
        if one == other:
            raise Invalid(f"{place}: {one} stands twice, and a minor with equal rows or columns vanishes")
        if one > other:
            raise Unreadable(f"{place}: {other} after {one}; numbers stand in increasing order")
    return found


def fraction_of(value: Any, place: str) -> Fraction:
    """Return a probability in lowest terms."""
    match = FRACTION.fullmatch(text_of(value, place))
    if match is None:
        raise Unreadable(f'{place}: {value[:40]!r} is not a fraction such as "1/3"')
    fraction = Fraction(int(match[1]), int(match[2] or 1))
    if str(fraction) != value:
        raise Unreadable(f"{place}: {value[:40]} is not in lowest terms")
    if fraction > 1:
        raise Unreadable(f"{place}: {value[:40]} is not a probability")
    return fraction


# Models ---------------------------------------------------------------------------------------------------------------


class Local(NamedTuple):
    """How a variable depends on its parents: a table, or one of the rules below."""

    kind: str = "table"
    share: str | None = None
    fixed: tuple[tuple[tuple[int, ...], Fraction], ...] = ()
    equal: tuple[tuple[tuple[int, ...], str], ...] = ()
    n: int = 0


class Variable(NamedTuple):
    """A variable with the states 0 … states − 1."""

    states: int
    observed: bool
    parents: tuple[str, ...] = ()
    local: Local = Local()


class Model(NamedTuple):
    """A network; ``given`` is conditioned on. ``kept`` are the coordinates if some are left out.

    ``ties`` expresses the names of equal entries by those that are free (Lemma names and ties).
    """

    variables: dict[str, Variable]
    given: tuple[str, ...] = ()
    kept: frozenset[tuple[int, ...]] | None = None
    ties: Mapping[str, Expression] = {}
    tied: bool = False

    @property
    def observed(self) -> tuple[str, ...]:
        """The observed variables."""
        return tuple(name for name, variable in self.variables.items() if variable.observed)

    @property
    def hidden(self) -> tuple[str, ...]:
        """The hidden variables."""
        return tuple(name for name, variable in self.variables.items() if not variable.observed)

    def states(self, names: Iterable[str]) -> int:
        """The number of joint states."""
        return prod(self.variables[name].states for name in names)

    @property
    def complete(self) -> int:
        """The cells less one for every condition."""
        return self.states(self.observed) - self.states(self.given)


class Rule(NamedTuple):
    """A function of the parents, as a fold: the next state, the number of states after all, the result."""

    step: Callable[[int, int, int], int]
    result: Callable[[int, int], int]
    binary: bool


RULES = {
    "max": Rule(lambda a, b, _: max(a, b), lambda a, _: a, binary=False),
    "sum": Rule(lambda a, b, _: a + b, lambda a, _: a, binary=False),
    "parity": Rule(lambda a, b, _: a ^ b, lambda a, _: a, binary=True),
    "at-least": Rule(lambda a, b, n: min(a + b, n), lambda a, n: int(a >= n), binary=True),
}


def read_discrete(data: Any) -> Model:
    """Read a discrete network in the form in which it is written."""
    _, listing, edges, locals_, given = fields(
        data, "model", "family", "variables", "edges", optional=("local", "given")
    )
    bare: dict[str, tuple[int, bool]] = {}
    for item in listed(listing, "variables"):
        name, states, observed = fields(item, "a variable", "name", "states", "observed")
        if name_of(name, "a variable's name") in bare or type(observed) is not bool:
            raise Unreadable(f"the variable {name[:40]} stands twice, or observed is not true or false")
        if whole(states, f"states of {name}", MOST_STATES) < 1 + observed:
            raise Unreadable(f"{name} has too few states")
        bare[name] = (states, observed)
    order = list(bare)
    number = {name: place for place, name in enumerate(order)}
    if len(order) > MOST_VARIABLES or not any(observed for _, observed in bare.values()):
        raise Unreadable("too many variables, or none is observed")
    parents: dict[str, list[str]] = {name: [] for name in order}
    last = 0
    for edge in listed(edges, "edges"):
        pair = [name_of(name, "an edge") for name in listed(edge, "an edge")]
        if (
            len(pair) != 2
            or any(name not in number for name in pair)
            or pair[0] == pair[1]
            or pair[0] in parents[pair[1]]
        ):
            raise Unreadable(f"the edge {pair[:2]} is not between two variables, or stands twice")
        if number[pair[1]] < last:
            raise Unreadable("edges stand child by child, in the order of the variables")
        last = number[pair[1]]
        parents[pair[1]].append(pair[0])
    try:
        TopologicalSorter(parents).prepare()
    except CycleError:
        raise Unreadable("the edges form a cycle") from None
    known = {name: Variable(*bare[name], tuple(parents[name])) for name in order}
    if "local" in data and not locals_:
        raise Unreadable("local is empty")
    known = read_locals(locals_ if "local" in data else {}, known)
    conditions = names_of(given, "given", order) if "given" in data else []
    for name in conditions:
        if not known[name].observed or known[name].parents or known[name].local != Local():
            raise Unreadable(f"{name} cannot be conditioned on")
    if ("given" in data and not conditions) or all(name in conditions for name in order if known[name].observed):
        raise Unreadable("given is empty, or nothing is left beside it")
    return with_ties(Model(known, tuple(conditions)))


FAMILIES: dict[str, Callable[[Any], Any]] = {"discrete": read_discrete}


def read_locals(data: Any, known: dict[str, Variable]) -> dict[str, Variable]:
    """Read how variables depend on their parents; a shared table is written at its first variable."""
    if type(data) is not dict:
        raise Unreadable("local is no object")
    if list(data) != [name for name in known if name in data]:
        raise Unreadable("local: keys that are not variables, or not in the model's order")
    size = sum(table_size(known, name, rule_of(data.get(name))) for name in known)
    if size > MOST_ENTRIES:
        raise Unreadable(f"the tables have {size} entries; at most {MOST_ENTRIES} are allowed")
    shared: dict[str, tuple[tuple[int, ...], Local]] = {}
    found = dict(known)
    for name, value in data.items():
        variable = known[name]
        shape = (*(known[parent].states for parent in variable.parents), variable.states)
        local = read_local(value, name, variable, shape)
        if local.share is not None:
            first = shared.setdefault(local.share, (shape, local))
            if first[0] != shape or (first[1] is not local and (local.fixed or local.equal)):
                raise Unreadable(f"the shared table {local.share} has two shapes, or entries at two places")
            local = first[1]
        found[name] = variable._replace(local=local)
    if any(share in found and found[share].local.share != share for share in shared):
        raise Unreadable("a share has the name of a variable outside")
    return found


def table_size(variables: Mapping[str, Variable], name: str, kind: str) -> int:
    """The number of entries of a table; of a rule its states times the sum of its parents'."""
    sizes = [variables[parent].states for parent in variables[name].parents]
    return variables[name].states * (sum(sizes) if kind in RULES else prod(sizes))


def rule_of(data: Any) -> str:
    """The name of the rule that is described, or nothing for a table."""
    kind = data.get("type") if type(data) is dict else None
    return kind if type(kind) is str and kind in RULES else ""


def read_local(data: Any, name: str, variable: Variable, shape: tuple[int, ...]) -> Local:
    """Read a table with special entries, or a rule."""
    kind = rule_of(data)
    if kind:
        n = fields(data, name, "type", "n")[1] if kind == "at-least" else fields(data, name, "type") and 0
        n = whole(n, f"n of {name}", len(variable.parents))
        sizes = shape[:-1]
        wanted = {"max": max(sizes, default=0), "sum": 1 + sum(sizes) - len(sizes)}.get(kind, 2)
        if not sizes or variable.states != wanted or (RULES[kind].binary and set(sizes) != {2}):
            raise Unreadable(f"{name} cannot be the {kind} of its parents")
        if kind == "at-least" and n == 0:
            raise Unreadable(f"n of {name} is 0")
        return Local(kind, n=n)
    kind, share, fixed, equal = fields(data, name, "type", optional=("share", "fixed", "equal"))
    if kind != "table" or len(data) < 2:
        raise Unreadable(f"{name}: a table with something special, or one of the rules {', '.join(RULES)} is expected")
    cells = {text: cell for cell, text in cell_texts(name, variable.parents, shape)} if fixed or equal else {}
    found: list[list[tuple[tuple[int, ...], Any]]] = []
    for key, value, reader in (("fixed", fixed, fraction_of), ("equal", equal, name_of)):
        if key in data and (type(value) is not dict or not value or any(cell not in cells for cell in value)):
            raise Unreadable(f"{name}.{key} is empty, or not about entries of {name} in the form P(X=1|A=0,B=1)")
        found.append([(cells[cell], reader(entry, f"{name}.{key}")) for cell, entry in (value or {}).items()])
    both = [cell for special in found for cell, _ in special]
    if len(set(both)) < len(both) or any(special != sorted(special, key=lambda pair: pair[0]) for special in found):
        raise Unreadable(f"{name}: entries that are fixed and named, or not in increasing order")
    check_rows(name, found[0], shape[-1])
    share = None if "share" not in data else name_of(share, name)
    return Local("table", share, tuple(found[0]), tuple(found[1]))


def cell_texts(name: str, parents: Sequence[str], shape: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], str]]:
    """All entries of a table with their texts."""
    for cell in product(*map(range, shape)):
        condition = ",".join(f"{parent}={state}" for parent, state in zip(parents, cell, strict=False))
        yield cell, f"P({name}={cell[-1]}{'|' if condition else ''}{condition})"


def check_rows(name: str, fixed: Sequence[tuple[tuple[int, ...], Fraction]], states: int) -> None:
    """Raise unless fixed entries leave a distribution in every row."""
    rows: dict[tuple[int, ...], list[Fraction]] = {}
    for cell, value in fixed:
        rows.setdefault(cell[:-1], []).append(value)
    for values in rows.values():
        left = 1 - sum(values)
        if left < 0 or (left == 0 and len(values) < states - 1) or (left > 0 and len(values) == states):
            raise Unreadable(f"{name}: the fixed entries of a row do not sum to 1, or leave nothing for others")


def with_ties(model: Model) -> Model:
    """Solve the rows in which every entry is fixed or named: later names are expressed by earlier ones."""
    order: dict[str, None] = {}
    equations: list[tuple[dict[str, int], Fraction]] = []
    seen: set[str] = set()
    for name, variable in model.variables.items():
        local, owner = variable.local, variable.local.share or name
        if owner in seen or not local.equal:
            continue
        seen.add(owner)
        rows: dict[tuple[int, ...], list[str]] = {}
        others: dict[tuple[int, ...], list[Fraction]] = {}
        for cell, label in local.equal:
            order.setdefault(label)
            rows.setdefault(cell[:-1], []).append(label)
        for cell, value in local.fixed:
            others.setdefault(cell[:-1], []).append(value)
        for row, labels in rows.items():
            fixed = others.get(row, [])
            if len(labels) + len(fixed) == variable.states:
                equations.append(({label: labels.count(label) for label in labels}, 1 - sum(fixed, Fraction(0))))
            elif sum(fixed) == 1:
                raise Unreadable(f"{name}: nothing is left for the named entries of a row")
    columns = list(order)[::-1]
    if len(columns) * len(equations) > MOST_ENTRIES // 100:
        raise Unreadable("too many named entries in rows without a free one")
    rows_ = [[Fraction(labels.get(label, 0)) for label in columns] + [rest] for labels, rest in equations]
    pivots = reduce_rational(rows_)
    if len(columns) in pivots:
        raise Unreadable("named entries that contradict each other")
    solved: dict[str, Expression] = {label: (Fraction(0), (((label, ()), Fraction(1)),)) for label in order}
    for line, pivot in zip(rows_, pivots, strict=False):
        terms = [((columns[k], ()), -x) for k, x in enumerate(line[:-1]) if k != pivot and x]
        solved[columns[pivot]] = (line[-1], tuple(terms))
    return model._replace(ties=solved, tied=bool(equations))


def reduce_rational(rows: list[list[Fraction]]) -> list[int]:
    """Bring rows into reduced echelon form, in place; return the pivot columns."""
    pivots: list[int] = []
    for column in range(len(rows[0]) if rows else 0):
        top = len(pivots)
        found = next((k for k in range(top, len(rows)) if rows[k][column]), None)
        if found is None:
            continue
        rows[top], rows[found] = rows[found], rows[top]
        rows[top] = [x / rows[top][column] for x in rows[top]]
        for k, row in enumerate(rows):
            if k != top and row[column]:
                rows[k] = [x - row[column] * y for x, y in zip(row, rows[top], strict=True)]
        pivots.append(column)
    return pivots


# Tables as functions of the parameters --------------------------------------------------------------------------------


def table_of(model: Model, name: str) -> Entries:
    """The entries that are not zero of a table: the last free one of a row is 1 − the others."""
    variable = model.variables[name]
    local = variable.local
    owner, fixed, equal = local.share or name, dict(local.fixed), dict(local.equal)
    found: Entries = {}
    for row in product(*(range(model.variables[parent].states) for parent in variable.parents)):
        cells = [(*row, state) for state in range(variable.states)]
        line: list[Expression | None] = [
            (fixed[cell], ()) if cell in fixed else model.ties[equal[cell]] if cell in equal else None for cell in cells
        ]
        free = [state for state, entry in enumerate(line) if entry is None]
        for state in free[:-1]:
            line[state] = (Fraction(0), (((owner, (*row, state)), Fraction(1)),))
        if free:
            line[free[-1]] = one_minus(entry for entry in line if entry is not None)
        found.update({(*row, state): entry for state, entry in enumerate(line) if entry and any(entry)})
    return found


def one_minus(expressions: Iterable[Expression]) -> Expression:
    """One minus a sum."""
    constant, terms = Fraction(1), dict[Parameter, Fraction]()
    for value, pairs in expressions:
        constant -= value
        for parameter, coefficient in pairs:
            terms[parameter] = terms.get(parameter, Fraction(0)) - coefficient
    return constant, tuple((parameter, coefficient) for parameter, coefficient in terms.items() if coefficient)


class Factor(NamedTuple):
    """An array: its variables, and its entries that are not zero."""

    scope: tuple[str, ...]
    entries: Entries


class Network(NamedTuple):
    """The model as a sum of products: sizes of all variables, factors, parameters in order of first use."""

    model: Model
    sizes: dict[str, int]
    factors: list[Factor]
    parameters: dict[Parameter, int]
    zeros: bool


def network_of(model: Model) -> Network:
    """Write out the tables; functions of many parents become chains with auxiliary hidden variables."""
    sizes = {name: variable.states for name, variable in model.variables.items()}
    factors: list[Factor] = []
    numbers: dict[Parameter, int] = {}
    zeros = False
    for name, variable in model.variables.items():
        if name in model.given:
            continue
        if variable.local.kind in RULES:
            factors.extend(chain(model, name, sizes))
            zeros = True
            continue
        entries = table_of(model, name)
        for _, terms in entries.values():
            for parameter, _ in terms:
                numbers.setdefault(parameter, len(numbers))
        zeros = zeros or len(entries) < model.states((*variable.parents, name))
        factors.append(Factor((*variable.parents, name), entries))
    return Network(model, sizes, factors, numbers, zeros)


def chain(model: Model, name: str, sizes: dict[str, int]) -> Iterator[Factor]:
    """The factors of a rule: one if there are at most two parents, otherwise one for each further parent."""
    parents, local = model.variables[name].parents, model.variables[name].local
    rule, n = RULES[local.kind], local.n
    before, count = parents[0], sizes[parents[0]]
    for number, parent in enumerate(parents[1:] or [""], 2):
        is_last = number >= len(parents)
        after = name if is_last else f"{name}/{number}"
        pairs = product(range(count), range(sizes[parent]) if parent else [0])
        outcome = {(a, b): rule.step(a, b, n) if parent else a for a, b in pairs}
        if is_last:
            outcome = {pair: rule.result(state, n) for pair, state in outcome.items()}
        scope = (before, parent, after) if parent else (before, after)
        yield Factor(scope, {((*pair, state) if parent else (pair[0], state)): ONE for pair, state in outcome.items()})
        count = sizes[name] if is_last else max(outcome.values()) + 1
        sizes[after] = count
        before = after


# Contraction ----------------------------------------------------------------------------------------------------------


class Step(NamedTuple):
    """Sum one variable out: for each term the place in the result, and the places in the arrays that are multiplied."""

    inputs: list[int]
    size: int
    terms: list[tuple[int, tuple[int, ...]]]


class Plan(NamedTuple):
    """How to sum out all variables but those that are kept. Array k is the k-th factor, then the results of the steps.

    ``keys`` are the states of the kept variables for which there is a term, in the order of the last result.
    """

    steps: list[Step]
    keys: list[tuple[int, ...]]

    @property
    def work(self) -> int:
        """The number of multiplications."""
        return sum(len(step.inputs) * len(step.terms) for step in self.steps)


class Budget:
    """Counts the work against the format's limit."""

    def __init__(self) -> None:
        self.left = MOST_WORK

    def spend(self, work: int) -> None:
        """Take off work that is about to be done."""
        self.left -= work
        if self.left < 0:
            raise Unreadable(f"to check this takes more than {MOST_WORK} units of work, the format's limit")


Scoped = tuple[tuple[str, ...], Iterable[tuple[int, ...]]]


def plan_of(sizes: Mapping[str, int], arrays: Sequence[Scoped], keep: Sequence[str], budget: Budget) -> Plan:
    """Plan the sum over all variables but ``keep``, each time over the one whose sum has the fewest terms."""
    budget.spend(len(sizes) ** 2)
    scopes = [scope for scope, _ in arrays]
    places = [{key: place for place, key in enumerate(keys)} for _, keys in arrays]
    using: dict[str, set[int]] = {name: set() for name in sizes}
    for number, scope in enumerate(scopes):
        for name in scope:
            using[name].add(number)
    left = [name for name in sizes if name not in keep and using[name]]
    alive = set(range(len(arrays)))
    steps: list[Step] = []

    def joint(numbers: Iterable[int]) -> dict[str, None]:
        return dict.fromkeys(name for number in sorted(numbers) for name in scopes[number])

    cost = {name: prod(sizes[other] for other in joint(using[name])) for name in left}
    for chosen in iter(lambda: min(left, key=cost.__getitem__) if left else "", None):
        inputs = sorted(using[chosen] if chosen else alive)
        around = list(joint(inputs)) if chosen else list(keep)
        rest = tuple(name for name in around if name != chosen)
        count = prod(sizes[name] for name in around)
        budget.spend(count * (len(inputs) + TERM))
        found: dict[tuple[int, ...], int] = {}
        terms: list[tuple[int, tuple[int, ...]]] = []
        axes = [[around.index(name) for name in scopes[number]] for number in inputs]
        target = [around.index(name) for name in rest]
        tables = [places[number] for number in inputs]
        for states in product(*(range(sizes[name]) for name in around)):
            at = [table.get(tuple(states[axis] for axis in mine)) for table, mine in zip(tables, axes, strict=True)]
            if None not in at:
                key = tuple(states[axis] for axis in target)
                terms.append((found.setdefault(key, len(found)), tuple(at)))  # type: ignore[arg-type]
        steps.append(Step(inputs, len(found), terms))
        number = len(scopes)
        scopes.append(rest)
        places.append(found)
        alive = (alive - set(inputs)) | {number}
        touched = set(rest)
        for name in joint(inputs):
            using[name] = (using[name] - set(inputs)) | ({number} if name in touched else set())
        if not chosen:
            break
        left.remove(chosen)
        for name in touched.intersection(left):
            cost[name] = prod(sizes[other] for other in joint(using[name]))
    return Plan(steps, list(places[-1]))


def forward(plan: Plan, arrays: Sequence[list[int]], prime: int) -> list[list[int]]:
    """All arrays and all results modulo the prime."""
    values = list(arrays)
    for step in plan.steps:
        inputs = [values[number] for number in step.inputs]
        out = [0] * step.size
        for place, at in step.terms:
            term = 1
            for array, k in zip(inputs, at, strict=True):
                term = term * array[k] % prime
            out[place] += term
        values.append([x % prime for x in out])
    return values


def backward(plan: Plan, values: Sequence[list[int]], prime: int) -> list[list[int]]:
    """The derivatives of the last result, a single number, by all entries of all arrays."""
    derivatives = [[0] * len(array) for array in values]
    derivatives[-1] = [1] * len(values[-1])
    first = len(values) - len(plan.steps)
    for number in reversed(range(len(plan.steps))):
        step = plan.steps[number]
        inputs = [values[k] for k in step.inputs]
        outputs = [derivatives[k] for k in step.inputs]
        above = [x % prime for x in derivatives[first + number]]
        for place, at in step.terms:
            entries = [array[k] for array, k in zip(inputs, at, strict=True)]
            after = [above[place]]  # products of what stands behind, times the derivative of the result
            for entry in reversed(entries[1:]):
                after.append(after[-1] * entry % prime)
            before = 1
            for output, k, entry in zip(outputs, at, entries, strict=True):
                output[k] += before * after.pop() % prime
                before = before * entry % prime
    return derivatives


def support(
    network: Network, keep: Sequence[str], budget: Budget, extra: Sequence[Scoped] = ()
) -> set[tuple[int, ...]]:
    """The states of some variables for which a product of entries that are not zero exists."""
    arrays: list[Scoped] = [(factor.scope, factor.entries) for factor in network.factors]
    arrays += [((name,), [(state,) for state in range(network.sizes[name])]) for name in network.model.given]
    return set(plan_of(network.sizes, [*arrays, *extra], keep, budget).keys)


class Point(NamedTuple):
    """A network at a point modulo a prime: the values of all entries, and their derivatives by the parameters."""

    network: Network
    prime: int
    arrays: list[list[int]]
    slopes: list[list[tuple[int, int, int]]]


def drawn(network: Network, text: str, prime: int) -> dict[Parameter, int]:
    """The parameters, drawn from a stream."""
    return dict(zip(network.parameters, residues(text, prime, len(network.parameters)), strict=True))


def modulo(value: Fraction, prime: int) -> int:
    """A rational number modulo the prime."""
    if value.denominator % prime == 0:
        raise Invalid(f"the prime {prime} divides the denominator of {value}")
    return value.numerator * pow(value.denominator, -1, prime) % prime


def point_of(network: Network, theta: Mapping[Parameter, int], prime: int) -> Point:
    """Evaluate the tables and their derivatives at a point."""
    arrays, slopes = [], []
    for factor in network.factors:
        array, slope = [], []
        for place, (constant, terms) in enumerate(factor.entries.values()):
            value = modulo(constant, prime)
            for parameter, coefficient in terms:
                times = modulo(coefficient, prime)
                value += times * theta[parameter]
                slope.append((place, network.parameters[parameter], times))
            array.append(value % prime)
        arrays.append(array)
        slopes.append(slope)
    return Point(network, prime, arrays, slopes)


def jacobian(point: Point, functionals: Iterable[Sequence[list[int]]], budget: Budget) -> Iterator[list[int]]:
    """The gradients of product functionals, each given by one vector for every observed variable."""
    network, prime = point.network, point.prime
    arrays: list[Scoped] = [(factor.scope, factor.entries) for factor in network.factors]
    arrays += [((name,), [(k,) for k in range(network.sizes[name])]) for name in network.model.observed]
    plan = plan_of(network.sizes, arrays, (), budget)
    for vectors in functionals:
        budget.spend(4 * plan.work)
        derivatives = backward(plan, forward(plan, [*point.arrays, *vectors], prime), prime)
        gradient = [0] * len(network.parameters)
        for slope, derivative in zip(point.slopes, derivatives, strict=False):
            for place, number, coefficient in slope:
                gradient[number] += coefficient * derivative[place]
        yield [x % prime for x in gradient]


# Arithmetic -----------------------------------------------------------------------------------------------------------


def residues(text: str, prime: int, count: int) -> list[int]:
    """The first residues of a stream, as docs/seeds.md describes."""
    key = hashlib.sha256(text.encode("utf-8")).digest()
    size = 4 if prime <= 1 << 32 else 8
    mask = (1 << (prime - 1).bit_length()) - 1
    found: list[int] = []
    block = 0
    while len(found) < count:
        digest = hashlib.sha256(key + block.to_bytes(8, "big")).digest()
        words = (int.from_bytes(digest[start : start + size], "big") & mask for start in range(0, 32, size))
        found.extend(word for word in words if word < prime)
        block += 1
    return found[:count]


def prime_of(value: Any) -> int:
    """Return a prime below 2^63, proved by Miller and Rabin's test to twelve bases (Sorenson and Webster 2015)."""
    number = whole(value, "prime", (1 << 63) - 1)
    bases = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)
    if number in bases:
        return number
    twos = ((number - 1) & (1 - number)).bit_length() - 1 if number > 1 else 0
    for base in bases:
        powers = [pow(base, (number - 1) >> k, number) for k in range(1, twos + 1)] if number > 1 else []
        # from the top: the first power that is not 1 must be −1
        first = next((power for power in powers if power != 1), number - 1)
        if number < 2 or number % base == 0 or not powers or first != number - 1:
            raise Invalid(f"{number} is not a prime")
    return number


def stream_of(value: Any, place: str) -> str:
    """Return the text of a stream."""
    text = text_of(value, place)
    if not text.startswith("algdim 1|"):
        raise Unreadable(f"{place}: the text of a stream begins with 'algdim 1|'")
    return text


def rank_of(rows: Iterable[Sequence[int]], prime: int, budget: Budget) -> int:
    """The rank modulo the prime."""
    matrix = [list(row) for row in rows]
    return len(matrix) - len(eliminate(matrix, len(matrix[0]) if matrix else 0, prime, budget))


def eliminate(rows: Matrix, width: int, prime: int, budget: Budget) -> list[int]:
    """Subtract from each row multiples of those before it until it is zero or begins elsewhere, in place.

    Only the first ``width`` columns count. Return the numbers of the rows that become zero there.
    """
    dependent: list[int] = []
    budget.spend(len(rows) * min(len(rows), width) * len(rows[0]) // 8 if rows else 0)
    for number, row in enumerate(rows):
        column = next((k for k in range(width) if row[k]), None)
        if column is None:
            dependent.append(number)
            continue
        inverse, tail = pow(row[column], -1, prime), row[column:]
        for other in rows[number + 1 :]:
            if other[column]:
                scale = prime - other[column] * inverse % prime
                other[column:] = [(x + scale * y) % prime for x, y in zip(other[column:], tail, strict=True)]
    return dependent


def kernel_of(matrix: Matrix, rank: int, prime: int, budget: Budget) -> dict[int, list[int]]:
    """The left kernel: for each row that depends on rows before it, the relation with coefficient 1 there.

    In it only this row and the independent ones before it have coefficients. The rank is checked.
    """
    width = len(matrix[0])
    budget.spend(KEPT * len(matrix) * (width + len(matrix)))
    rows = [[*row, *(int(k == number) for k in range(len(matrix)))] for number, row in enumerate(matrix)]
    dependent = eliminate(rows, width, prime, budget)
    if len(rows) - len(dependent) != rank:
        raise Invalid(f"a matrix has rank {len(rows) - len(dependent)} at the point; the evidence needs {rank}")
    return {number: rows[number][width:] for number in dependent}


# Evidence: districts and other models derived from the model -------------------------------------------------------------


def ancestors(model: Model, names: Iterable[str]) -> set[str]:
    """These variables and all above them."""
    found, waiting = set(names), list(names)
    while waiting:
        for parent in model.variables[waiting.pop()].parents:
            if parent not in found:
                found.add(parent)
                waiting.append(parent)
    return found


def relevant(model: Model) -> Model:
    """Leave out hidden variables without observed descendants (Lemma irrelevant variables)."""
    above = ancestors(model, model.observed)
    return model._replace(variables={name: v for name, v in model.variables.items() if name in above})


def components(names: Iterable[str], links: Iterable[tuple[str, str]]) -> list[list[str]]:
    """The connected components, by their first names."""
    group = {name: [name] for name in names}
    for one, other in links:
        if group[one] is not group[other]:
            first, second = group[one], group[other]
            first.extend(second)
            for name in second:
                group[name] = first
    found: dict[int, list[str]] = {}
    for name, members in group.items():
        found.setdefault(id(members), []).append(name)
    return list(found.values())


def kernel_model(model: Model, inside: Iterable[str]) -> Model:
    """These variables, given their parents outside."""
    inside = set(inside)
    outside = {parent for name in inside for parent in model.variables[name].parents} - inside
    variables = {
        name: variable if name in inside else Variable(variable.states, observed=True)
        for name, variable in model.variables.items()
        if name in inside or name in outside
    }
    return model._replace(variables=variables, given=tuple(name for name in variables if name in outside))


def parts_of(model: Model, side: str, budget: Budget) -> list[Model]:
    """The kernels of the districts; those that use a parameter in common are joined (Lemma districts)."""
    if model.kept is not None:
        raise Invalid("a kernel with cells left out is not split")
    links = [(p, name) for name, v in model.variables.items() for p in v.parents if not model.variables[p].observed]
    found = components([name for name in model.variables if name not in model.given], links)
    first: dict[Parameter, int] = {}
    shared = [
        (str(first.setdefault(parameter, number)), str(number))
        for number, members in enumerate(found)
        for parameter in network_of(kernel_model(model, members)).parameters
    ]
    groups = components([str(number) for number in range(len(found))], shared)
    if len(groups) < 2:
        raise Invalid("the model has one district, or all use parameters in common")
    if side == "lower" and model.tied:
        raise Invalid("names are tied to each other; the format's rule of districts proves no lower bound then")
    parts = [kernel_model(model, (name for number in group for name in found[int(number)])) for group in groups]
    network = network_of(model)
    if not network.zeros:
        return parts
    kept = []
    for part, group in zip(parts, groups, strict=True):
        cells = frozenset(support(network, part.observed, budget))
        if len(cells) == part.states(part.observed):
            kept.append(part)
            continue
        if side == "lower" and len(group) > 1:
            raise Invalid("districts use parameters in common, and entries of their kernel vanish or are never seen")
        kept.append(part._replace(kept=cells))
    return kept


def districts(check: Check, side: str, model: Model, node: Any) -> int:
    """The sum over the districts (Lemma districts)."""
    (parts,) = check.fields(node, "parts")
    models = parts_of(model, side, check.budget)
    if len(listed(parts, "parts")) != len(models):
        raise Invalid(f"evidence for {len(parts)} parts; the model has {len(models)}")
    return sum(check.bound(side, part, evidence) for part, evidence in zip(models, parts, strict=True))


def closed(check: Check, side: str, model: Model, node: Any) -> int:
    """What is conditioned on becomes free, and its own parameters are subtracted (Lemma districts (d))."""
    (inner,) = check.fields(node, "of")
    if not model.given or model.kept is not None:
        raise Invalid("nothing is conditioned on, or cells are left out")
    extra = sum(model.variables[name].states - 1 for name in model.given)
    return check.bound(side, model._replace(given=()), inner) - extra


# Evidence: lower bounds --------------------------------------------------------------------------------------------------


def rank_at_point(check: Check, _: str, model: Model, node: Any) -> int:
    """A minor of the Jacobian that does not vanish at a point (Lemma lower bound); rows are cells or probes."""
    value, prime, point, rows, columns, probes = check.fields(
        node, "prime", "point", "rows", "columns", optional=("probes",), value=True
    )
    if "probes" in node:
        stream_of(probes, "probes")
    prime = prime_of(prime)
    network = network_of(model)
    shape = [model.variables[name].states for name in model.observed]
    columns = increasing(columns, "columns", len(network.parameters))
    cells = prod(shape)
    rows = increasing(rows, "rows", cells if probes is None else MOST_RANK * 20)
    if not len(rows) == len(columns) == value <= MOST_RANK:
        raise Invalid(
            f"{len(rows)} rows and {len(columns)} columns are no minor of {value} rows; {MOST_RANK} is the limit"
        )
    numbers: list[int] = []
    if probes is not None:
        if model.kept is not None:
            raise Invalid("probes of a kernel with cells left out")
        check.budget.spend((max(rows, default=-1) + 1) * sum(shape))
        numbers = residues(stream_of(probes, "probes"), prime, (max(rows, default=-1) + 1) * sum(shape))
    check.budget.spend(KEPT * len(rows) * sum(shape))
    functionals: list[Matrix] = []
    ends = [0, *accumulate(shape)]
    for row in rows:
        drawn_ = [numbers[row * ends[-1] + a : row * ends[-1] + b] for a, b in pairwise(ends)] if numbers else []
        functionals.append(cell_vectors(row, shape, model) if probes is None else drawn_)
    at = point_of(network, drawn(network, stream_of(point, "point"), prime), prime)
    gradients = jacobian(at, functionals, check.budget)
    if rank_of(([row[column] for column in columns] for row in gradients), prime, check.budget) < value:
        raise Invalid(f"the minor of {value} rows vanishes modulo {prime}")
    return len(rows)


def cell_vectors(number: int, shape: Sequence[int], model: Model) -> Matrix:
    """The unit vectors of a cell, by number; the first variable varies slowest."""
    states: list[int] = []
    for size in reversed(shape):
        number, state = divmod(number, size)
        states.insert(0, state)
    if model.kept is not None and tuple(states) not in model.kept:
        raise Invalid(f"the cell {states} is not among those that are kept")
    return [[int(k == state) for k in range(size)] for state, size in zip(states, shape, strict=True)]


def entries(check: Check, _: str, model: Model, node: Any) -> int:
    """The parameters that are entries of the only table, and so coordinates."""
    check.fields(node)
    names = [name for name in model.variables if name not in model.given]
    if len(names) != 1 or model.kept is not None or not model.variables[names[0]].observed:
        raise Invalid("the kernel is not a single observed table")
    found = network_of(model).factors[-1].entries.values()
    return len({terms[0][0] for constant, terms in found if constant == 0 and len(terms) == 1})


# Evidence: upper bounds --------------------------------------------------------------------------------------------------


def counting(check: Check, _: str, model: Model, node: Any) -> int:
    """The parameters, or those that occur in the cells that are kept (Lemma counting and ambient)."""
    check.fields(node)
    network = network_of(model)
    if model.kept is None:
        return len(network.parameters)
    found: set[Parameter] = set()
    for factor in network.factors:
        reached = support(network, factor.scope, check.budget, [(model.observed, model.kept)])
        found.update(parameter for key in reached for parameter, _ in factor.entries[key][1])
    return len(found)


def ambient(check: Check, _: str, model: Model, node: Any) -> int:
    """The cells less one for every condition; of those kept, for every condition with all cells that do not vanish."""
    check.fields(node)
    if model.kept is None:
        return model.complete
    cells = support(network_of(model), model.observed, check.budget)
    axes = [model.observed.index(name) for name in model.given]
    conditions = {tuple(cell[axis] for axis in axes) for cell in cells}
    lost = {tuple(cell[axis] for axis in axes) for cell in cells - model.kept}
    return len(model.kept) - len(conditions - lost)


def latent_class(model: Model) -> tuple[str, list[str]]:
    """The hidden root and the items of a latent class model."""
    hidden = model.hidden
    if len(hidden) != 1 or model.given or model.kept is not None or model.variables[hidden[0]].parents:
        raise Invalid("the model is no latent class model")
    items = list(model.observed)
    if any(model.variables[item].parents != hidden for item in items):
        raise Invalid("the model is no latent class model")
    return hidden[0], items


def two_groups(check: Check, _: str, model: Model, node: Any) -> int:
    """A matrix of rank k (Lemma pairwise): the items in two groups."""
    (left,) = check.fields(node, "left")
    root, items = latent_class(model)
    left = names_of(left, "left", items)
    k, u, v = model.variables[root].states, model.states(left), model.states(set(items) - set(left))
    if k > min(u, v):
        raise Invalid(f"{k} classes, but groups of {u} and {v} states")
    return k * (u + v) - k * k - 1


def table_at(point: Point, budget: Budget) -> dict[tuple[int, ...], int]:
    """The observed table at a point; cells that vanish identically are left out."""
    network = point.network
    plan = plan_of(network.sizes, [(f.scope, f.entries) for f in network.factors], network.model.observed, budget)
    budget.spend(plan.work)
    return dict(zip(plan.keys, forward(plan, point.arrays, point.prime)[-1], strict=True))


def is_free(model: Model) -> bool:
    """Whether all tables are free and not shared."""
    return all(variable.local == Local() for variable in model.variables.values())


def separated(model: Model, one: Iterable[str], other: Iterable[str], given: Iterable[str]) -> bool:
    """Whether ``given`` separates two sets: no path in the moral graph of the ancestors."""
    one, other, given = set(one), set(other), set(given)
    above = ancestors(model, one | other | given)
    joined: dict[str, set[str]] = {name: set() for name in above}
    for name in above:
        family = {name, *model.variables[name].parents}
        for member in family:
            joined[member] |= family
    reached, waiting = set(one), list(one)
    while waiting:
        for name in joined[waiting.pop()] - given - reached:
            reached.add(name)
            waiting.append(name)
    return not reached & other


def equations(check: Check, _: str, model: Model, node: Any) -> int:
    """Gradients, at one point, of equations that hold on the model (Lemmas equations and matrices of bounded rank)."""
    prime, point, matrices = check.fields(node, "prime", "point", "matrices")
    prime = prime_of(prime)
    if model.given or model.kept is not None:
        raise Invalid("equations of a conditional model; its conditions have to be made free first")
    network = network_of(model)
    stream = stream_of(point, "point")
    at = table_at(point_of(network, drawn(network, stream, prime), prime), check.budget)
    cells = list(product(*(range(model.variables[name].states) for name in model.observed)))
    forms: Matrix = []
    for item in listed(matrices, "matrices"):
        kind = item.get("type") if type(item) is dict else None
        if kind == "zeros":
            numbers = increasing(fields(item, "zeros", "type", "cells")[1], "cells", len(cells))
            if support(network, model.observed, check.budget).intersection(cells[number] for number in numbers):
                raise Invalid("a cell that does not vanish on the model is said to")
            check.budget.spend(KEPT * len(numbers) * len(cells))
            forms.extend([int(k == number) for k in range(len(cells))] for number in numbers)
            continue
        if kind not in ("flattening", "koszul"):
            raise Unreadable("a matrix of an unknown type; known are zeros, flattening, koszul")
        flat = flattening(network, item, check.budget) if kind == "flattening" else koszul(network, item, check.budget)
        forms.extend(forms_of(flat, model, at, cells, prime, check.budget))
    budgeted = rank_of(forms, prime, check.budget)
    if budgeted < len(forms):
        raise Invalid(f"{len(forms)} equations with gradients of rank {budgeted}")
    return model.complete - len(forms)


class Flat(NamedTuple):
    """A matrix of linear forms: its size, the bound of its rank, where entries of the blocks' array stand, with signs.

    ``blocks`` are the variables of the array, those conditioned on last, these in the state ``state``.
    """

    size: tuple[int, int]
    rank: int
    terms: Sequence[tuple[int, int, int, tuple[int, ...]]]
    blocks: list[list[str]]
    given: list[str]
    state: tuple[int, ...]
    pairs: list[tuple[int, int]]


def separation(
    network: Network, blocks: Any, item: Any, budget: Budget
) -> tuple[list[list[str]], list[str], tuple[int, ...], int]:
    """Blocks of observed variables that S and C separate; also the state of C and the number of states of S."""
    model = network.model
    budget.spend(KEPT * len(model.variables))
    names = [names_of(block, "a block", model.observed) for block in blocks]
    given, hidden = names_of(item["C"], "C", model.observed), names_of(item["S"], "S", model.hidden)
    state = tuple(whole(x, "state") for x in listed(item["state"], "state"))
    sizes = [model.variables[name].states for name in given]
    if len(state) != len(sizes) or any(x >= size for x, size in zip(state, sizes, strict=True)):
        raise Unreadable("state is not a state of C")
    used = [name for block in [*names, given] for name in block]
    if not all(names) or len(set(used)) < len(used):
        raise Invalid("blocks that are empty or overlap")
    for number, block in enumerate(names[:-1]):
        others = [name for other in names[number + 1 :] for name in other]
        if not separated(model, block, others, given + hidden):
            raise Invalid(
                f"{','.join(block)} and {','.join(others)} are not separated by {','.join(given + hidden) or 'nothing'}"
            )
    count = model.states(hidden)
    if network.zeros and hidden:
        count = sum(key[: len(given)] == state for key in support(network, [*given, *hidden], budget))
    return names, given, state, count


def pairs_of(value: Any) -> list[tuple[int, int]]:
    """Return pairs of a row and a column."""
    pairs = [listed(pair, "a pair") for pair in listed(value, "pairs")]
    if any(len(pair) != 2 for pair in pairs):
        raise Unreadable("a pair that is not one of a row and a column")
    return [(whole(a, "a row"), whole(b, "a column")) for a, b in pairs]


def flattening(network: Network, item: Any, budget: Budget) -> Flat:
    """The matrix P(a, b, C=c): its rank is at most the number of states of S (Lemma matrices of bounded rank (a))."""
    _, a, b, _, _, _, rank, pairs = fields(item, "flattening", "type", "A", "B", "C", "S", "state", "rank", "pairs")
    blocks, given, state, count = separation(network, [a, b], item, budget)
    if whole(rank, "rank") != count:
        raise Invalid(f"the rank is bounded by {count}, not {rank}")
    height, width = (network.model.states(block) for block in blocks)
    budget.spend(TERM * height * width)
    terms = [(row, column, 1, (row, column)) for row in range(height) for column in range(width)]
    return Flat((height, width), count, terms, blocks, given, state, pairs_of(pairs))


def koszul(network: Network, item: Any, budget: Budget) -> Flat:
    """The Koszul flattening of three blocks, the first perhaps multiplied (Lemma matrices of bounded rank (b))."""
    names = ("type", "blocks", "C", "S", "state", "rank", "pairs", "order")
    *_, rank, pairs, order, projection = fields(item, "koszul", *names, optional=("projection",))
    blocks, given, state, count = separation(network, listed(item["blocks"], "blocks"), item, budget)
    if len(blocks) != 3:
        raise Unreadable("three blocks are needed")
    x, y, z = (network.model.states(block) for block in blocks)
    rows = [listed(row, "projection") for row in listed(projection, "projection")] if "projection" in item else None
    if rows is not None and any(len(row) != x or any(type(value) is not int for value in row) for row in rows):
        raise Unreadable(f"a projection has rows of {x} integers")
    m = x if rows is None else len(rows)
    if not 1 <= whole(order, "order") <= m - 2 or m > 12:
        raise Invalid(f"order {order} of a block of dimension {m}")
    if whole(rank, "rank") != comb(m - 1, order) * count:
        raise Invalid(f"the rank is bounded by {comb(m - 1, order) * count}, not {rank}")
    above = {chosen: place for place, chosen in enumerate(combinations(range(m), order + 1))}
    below = list(combinations(range(m), order))
    budget.spend(TERM * len(below) * m * y * z * (1 if rows is None else x))
    terms = []
    for column, chosen in enumerate(below):
        for i in set(range(m)) - set(chosen):
            row, sign = above[tuple(sorted((*chosen, i)))], (-1) ** sum(j < i for j in chosen)
            weights = [(i, sign)] if rows is None else [(k, sign * value) for k, value in enumerate(rows[i])]
            for k, weight in weights:
                terms += [(row * z + c, column * y + b, weight, (k, b, c)) for b in range(y) for c in range(z)]
    return Flat((len(above) * z, len(below) * y), rank, terms, blocks, given, state, pairs_of(pairs))


def places_of(
    flat: Flat, model: Model, table: Mapping[tuple[int, ...], int], cells: Sequence[tuple[int, ...]], prime: int
) -> tuple[dict[int, tuple[int, ...]], dict[tuple[int, ...], int]]:
    """Where each cell stands in the array of the blocks, and that array."""
    axes = [[model.observed.index(name) for name in block] for block in flat.blocks]
    fixed = [model.observed.index(name) for name in flat.given]
    sizes = [[model.variables[name].states for name in block] for block in flat.blocks]
    place: dict[int, tuple[int, ...]] = {}
    array: dict[tuple[int, ...], int] = {}
    for number, cell in enumerate(cells):
        if tuple(cell[axis] for axis in fixed) == flat.state:
            at = tuple(joint([cell[axis] for axis in mine], size) for mine, size in zip(axes, sizes, strict=True))
            place[number] = at
            array[at] = (array.get(at, 0) + table.get(cell, 0)) % prime
    return place, array


def matrix_of(flat: Flat, array: Mapping[tuple[int, ...], int], prime: int) -> Matrix:
    """The matrix at the point."""
    matrix = [[0] * flat.size[1] for _ in range(flat.size[0])]
    for row, column, weight, at in flat.terms:
        matrix[row][column] = (matrix[row][column] + weight * array[at]) % prime
    return matrix


def forms_of(
    flat: Flat,
    model: Model,
    table: Mapping[tuple[int, ...], int],
    cells: Sequence[tuple[int, ...]],
    prime: int,
    budget: Budget,
) -> Iterator[list[int]]:
    """The gradients ℓᵀM(·)r, as rows over the cells, for pairs of a row and a column that name ℓ and r."""
    place, array = places_of(flat, model, table, cells, prime)
    height, width = flat.size
    budget.spend(len(flat.terms) * (1 + len(flat.pairs)) + KEPT * (height * width + len(cells) * (1 + len(flat.pairs))))
    matrix = matrix_of(flat, array, prime)
    left = kernel_of(matrix, flat.rank, prime, budget)
    right = kernel_of([list(column) for column in zip(*matrix, strict=True)], flat.rank, prime, budget)
    for a, b in flat.pairs:
        if a not in left or b not in right:
            raise Invalid(f"row {a} or column {b} does not depend on those before it")
        form: dict[tuple[int, ...], int] = {}
        for row, column, weight, at in flat.terms:
            if left[a][row] and right[b][column]:
                form[at] = (form.get(at, 0) + weight * left[a][row] * right[b][column]) % prime
        yield [form.get(place[number], 0) if number in place else 0 for number in range(len(cells))]


def joint(states: Sequence[int], sizes: Sequence[int]) -> int:
    """The number of a joint state; the first variable varies slowest."""
    number = 0
    for state, size in zip(states, sizes, strict=True):
        number = number * size + state
    return number


def free_latent_class(model: Model) -> tuple[int, list[str]]:
    """The classes and the items of a latent class model with free tables."""
    root, items = latent_class(model)
    if not is_free(model):
        raise Invalid("tables that are not free")
    return model.variables[root].states, items


def binary_items(check: Check, _: str, model: Model, node: Any) -> int:
    """The theorem of Catalisano, Geramita and Gimigliano (2011) about secants of products of lines."""
    check.fields(node)
    classes, items = free_latent_class(model)
    if any(model.variables[item].states != 2 for item in items):
        raise Invalid("items that are not binary")
    if (classes, len(items)) == (3, 4):
        return 13
    return min(classes * (len(items) + 1) - 1, (1 << len(items)) - 1)


def kruskal(check: Check, _: str, model: Model, node: Any) -> int:
    """All parameters, as three blocks of items have enough independent classes at a point (Lemma Kruskal)."""
    prime, point, probes, blocks, ranks = check.fields(node, "prime", "point", "probes", "blocks", "ranks")
    prime = prime_of(prime)
    classes, items = free_latent_class(model)
    point, probes = stream_of(point, "point"), stream_of(probes, "probes")
    blocks = [names_of(block, "a block", items) for block in listed(blocks, "blocks")]
    ranks = [whole(rank, "a rank", classes) for rank in listed(ranks, "ranks")]
    used = [item for block in blocks for item in block]
    if len(blocks) != 3 or len(ranks) != 3 or len(set(used)) < len(used):
        raise Invalid("there must be three blocks without common items, and three ranks")
    if classes < 2 or sum(ranks) < 2 * classes + 2:
        raise Invalid(f"{' + '.join(map(str, ranks))} is less than 2·{classes} + 2")
    for block, rank in zip(blocks, ranks, strict=True):
        check.budget.spend(classes * rank * (rank + sum(model.variables[item].states for item in block)))
        matrix = [[1] * rank for _ in range(classes)]
        for item in block:
            number, r = items.index(item), model.variables[item].states
            theta = residues(f"{point}|{number}", prime, classes * (r - 1))
            vectors = residues(f"{probes}|{number}", prime, r * rank)
            for h, line in enumerate(matrix):
                row = theta[h * (r - 1) : (h + 1) * (r - 1)]
                row.append(1 - sum(row))
                for column in range(rank):
                    value = sum(row[state] * vectors[state * rank + column] for state in range(r))
                    line[column] = line[column] * value % prime
        if rank_of(matrix, prime, check.budget) < rank:
            raise Invalid(f"the block {','.join(block)} does not show {rank} independent classes")
    return len(network_of(model).parameters)


class Tree(NamedTuple):
    """A latent tree: the states of all variables, the hidden ones, and who is joined to whom."""

    states: dict[str, int]
    hidden: list[str]
    joined: dict[str, list[str]]


def reduced_tree(check: Check, model: Model) -> Tree:
    """Cap, splice out and delete hidden variables, the first possible one each time (Lemma capping)."""
    variables = model.variables
    roots = [name for name, variable in variables.items() if not variable.parents]
    joined: dict[str, list[str]] = {name: list(variable.parents) for name, variable in variables.items()}
    for name, variable in variables.items():
        for parent in variable.parents:
            joined[parent].append(name)
    leaves = all(len(joined[name]) == 1 for name in model.observed)
    single = all(len(variable.parents) < 2 and variable.states > 1 for variable in variables.values())
    if (
        model.given
        or model.kept is not None
        or not (model.hidden and is_free(model) and len(roots) == 1 and leaves and single)
    ):
        raise Invalid("the model is no latent tree with free tables")
    tree = Tree({name: variable.states for name, variable in variables.items()}, list(model.hidden), joined)
    while reduce_once(tree):
        check.budget.spend(len(tree.hidden))
    return tree


def reduce_once(tree: Tree) -> bool:
    """Change the first hidden variable that can be changed; whether there was one."""
    states, hidden, joined = tree
    for name in hidden:
        others = joined[name]
        sizes = [states[other] for other in others]
        cap = prod(sizes) // max(sizes, default=1)
        if len(others) > 2 or (len(others) == 2 and states[name] < cap):
            if states[name] <= cap:
                continue
            states[name] = cap
            return True
        for other in others:
            joined[other].remove(name)
        if len(others) == 2:
            joined[others[0]].append(others[1])
            joined[others[1]].append(others[0])
        hidden.remove(name)
        del joined[name], states[name]
        return True
    return False


def reduced(check: Check, _: str, model: Model, node: Any) -> int:
    """The number of parameters of the reduced tree, which is an equal model (Lemma capping)."""
    check.fields(node)
    tree = reduced_tree(check, model)
    ends = sum(tree.states[a] * tree.states[b] - 1 for a, others in tree.joined.items() for b in others)
    return ends // 2 - sum((len(others) - 1) * (tree.states[name] - 1) for name, others in tree.joined.items())


def trees(check: Check, side: str, model: Model, node: Any) -> int:
    """The local latent class models of the reduced tree, each shape once, less what edges share (Lemma tree rule)."""
    (parts,) = check.fields(node, "parts")
    tree = reduced_tree(check, model)
    states, hidden, joined = tree
    if not hidden:
        if listed(parts, "parts"):
            raise Invalid("no hidden variable is left, so that there are no parts")
        return prod(states.values()) - 1
    shapes = [(states[name], *sorted(states[other] for other in joined[name])) for name in hidden]
    distinct = list(dict.fromkeys(shapes))
    if len(listed(parts, "parts")) != len(distinct):
        raise Invalid(f"evidence for {len(parts)} parts; the reduced tree has {len(distinct)} shapes of parts")
    found = {shape: check.bound(side, class_model(shape), part) for shape, part in zip(distinct, parts, strict=True)}
    inner = [(a, b) for a in hidden for b in joined[a] if b in hidden and hidden.index(a) < hidden.index(b)]
    return sum(found[shape] for shape in shapes) - sum(states[a] * states[b] - 1 for a, b in inner)


def class_model(shape: Sequence[int]) -> Model:
    """The latent class model with this number of classes and these items."""
    items = {f"X{number}": Variable(size, observed=True, parents=("H",)) for number, size in enumerate(shape[1:], 1)}
    return Model({"H": Variable(shape[0], observed=False), **items})


def nested(check: Check, _: str, model: Model, node: Any) -> int:
    """The parameters of the nested Markov model on the latent projection (Lemma nested; Evans and Richardson)."""
    check.fields(node)
    if model.given or model.kept is not None:
        raise Invalid("a head count of a conditional model")
    parents: dict[str, set[str]] = {}
    above: dict[str, set[str]] = {}
    for name in model.observed:
        waiting, parents[name], above[name] = [name], set(), set()
        while waiting:
            for parent in model.variables[waiting.pop()].parents:
                if model.variables[parent].observed:
                    parents[name].add(parent)
                elif parent not in above[name] and model.variables[parent].states > 1:
                    above[name].add(parent)
                    waiting.append(parent)
    links = [(a, b) for a, b in combinations(model.observed, 2) if above[a] & above[b]]

    def parts(inside: Iterable[str]) -> list[frozenset[str]]:
        inside = set(inside)
        return [frozenset(part) for part in components(sorted(inside), [(a, b) for a, b in links if {a, b} <= inside])]

    waiting_ = parts(model.observed)
    seen = set(waiting_)
    value = 0
    while waiting_:
        inside = waiting_.pop()
        tail = set().union(*(parents[name] for name in inside))
        head = inside - tail
        check.budget.spend((1 + len(head)) * (100 + len(inside) + KEPT * len(links)))
        value += prod(model.variables[name].states - 1 for name in head) * model.states(tail)
        for name in head:
            new = [part for part in parts(inside - {name}) if part not in seen]
            seen.update(new)
            waiting_.extend(new)
    return value


def containing(check: Check, _: str, model: Model, node: Any) -> int:
    """The parameters after hidden variables have been averaged out by reversing edges (Lemma containing)."""
    (averaged,) = check.fields(node, "averaged")
    if model.given or model.kept is not None:
        raise Invalid("the parameters of a conditional model")
    parents = {name: set(variable.parents) for name, variable in model.variables.items()}
    free: set[str] = set()
    for step in listed(averaged, "averaged"):
        name, order = fields(step, "a step", "hidden", "children")
        if name_of(name, "hidden") not in parents or model.variables[name].observed:
            raise Invalid(f"{name} is not a hidden variable that is left")
        order = [name_of(child, "children") for child in listed(order, "children")]
        if sorted(order) != sorted(child for child, mine in parents.items() if name in mine):
            raise Invalid(f"these are not the children of {name}")
        for number, child in enumerate(order):
            reached, waiting = set[str](), [child]
            while waiting:
                check.budget.spend(1 + len(parents[waiting[-1]]))
                more = parents[waiting.pop()] - reached
                reached |= more
                waiting.extend(more)
            if reached.intersection(order[number + 1 :]):
                raise Invalid(f"{child} stands before one of its ancestors")
        gathered = parents.pop(name)
        for child in order:
            gathered = gathered | (parents[child] - {name})
            parents[child] = gathered
            gathered = gathered | {child}
        free = (free - {name}) | set(order)
    own: set[Parameter] = set()
    for name in parents:
        if name not in free and model.variables[name].local.kind == "table":
            own.update(parameter for _, terms in table_of(model, name).values() for parameter, _ in terms)
    return len(own) + sum((model.variables[name].states - 1) * model.states(parents[name]) for name in free)


def symmetry(check: Check, _: str, model: Model, node: Any) -> int:
    """The parameters less the rank of directions that leave local maps as they are (Lemma symmetry)."""
    prime, point, maps = check.fields(node, "prime", "point", "maps")
    prime = prime_of(prime)
    if model.kept is not None:
        raise Invalid("symmetries of a kernel with cells left out")
    network = network_of(model)
    theta = drawn(network, stream_of(point, "point"), prime)
    directions: Matrix = []
    for item in listed(maps, "maps"):
        check.budget.spend(KEPT * len(model.variables))
        is_local = type(item) is dict and "upper" in item
        found = (
            kernel_directions(check, model, item, theta, prime)
            if is_local
            else two_sides(check, network, item, theta, prime)
        )
        for direction in found:
            row = [0] * len(network.parameters)
            for parameter, value in direction.items():
                row[network.parameters[parameter]] = value
            directions.append(row)
            check.budget.spend(KEPT * len(row))
    return len(network.parameters) - rank_of(directions, prime, check.budget)


def kernel_directions(
    check: Check, model: Model, item: Any, theta: Mapping[Parameter, int], prime: int
) -> Iterator[dict[Parameter, int]]:
    """The kernel of a local map at the point, if it has there the rank that bounds it."""
    hidden, upper = fields(item, "a map", "hidden", "upper")
    local = local_map(model, names_of(hidden, "hidden", model.hidden))
    rank = check.bound("upper", local, upper)
    at = point_of(network_of(local), theta, prime)
    shape = [local.variables[name].states for name in local.observed]
    check.budget.spend(KEPT * prod(shape) * len(at.network.parameters))
    cells = (cell_vectors(number, shape, local) for number in range(prod(shape)))
    columns = [list(column) for column in zip(*jacobian(at, cells, check.budget), strict=True)]
    for relation in kernel_of(columns, rank, prime, check.budget).values() if columns else ():
        yield dict(zip(at.network.parameters, relation, strict=True))


def two_sides(
    check: Check, network: Network, item: Any, theta: Mapping[Parameter, int], prime: int
) -> Iterator[dict[Parameter, int]]:
    """The fields for g = E_il − E_ii around one hidden variable with two sides (Lemma symmetry)."""
    hidden, left, right, pairs, at = fields(item, "sides", "hidden", "left", "right", "pairs", "at")
    variables = network.model.variables
    states_of = {name: range(variable.states) for name, variable in variables.items()}
    left, right = ([name_of(name, "a side") for name in listed(side, "a side")] for side in (left, right))
    pairs = pairs_of(pairs)
    entries_ = sum(len(factor.entries) for factor in network.factors if hidden in factor.scope)
    check.budget.spend(
        len(pairs) * entries_ * (10 + len(left) + len(right)) * max(variables[v].states for v in variables)
    )
    check_sides(network, hidden, left, right, pairs)
    common = set(variables[hidden].parents) & set(variables[right[0]].parents)
    if type(at) is not dict or not set(at) <= common:
        raise Invalid("a field may depend on common parents of both sides only")
    where = {name: whole(state, "a state", variables[name].states - 1) for name, state in at.items()}

    def entry(name: str, states: Mapping[str, int]) -> int:
        row, last = tuple(states[parent] for parent in variables[name].parents), variables[name].states - 1
        if states[name] < last:
            return theta[name, (*row, states[name])]
        return 1 - sum(theta[name, (*row, state)] for state in range(last))

    for i, l in pairs:
        direction: dict[Parameter, int] = {}
        for side, other, target in ((left, i, l), (right, l, i)):
            for number, name in enumerate(side):
                scope = [v for v in (*variables[name].parents, name) if v != hidden]
                for chosen in product(*(states_of[v] for v in scope)):
                    states = dict(zip(scope, chosen, strict=True))
                    if any(states[v] != state for v, state in where.items()):
                        continue
                    at_i, at_l = entry(name, {**states, hidden: i}), entry(name, {**states, hidden: l})
                    above = prod(entry(v, {**states, hidden: other}) for v in side[:number]) % prime
                    below = prod(entry(v, {**states, hidden: target}) for v in side[:number]) % prime
                    if not below:
                        raise Invalid("a denominator vanishes at the point")
                    changes = (
                        {l: at_i, i: -at_i}
                        if name == hidden
                        else {target: above * pow(below, -1, prime) * (at_i - at_l)}
                    )
                    for h, change in changes.items():
                        cell = tuple({**states, hidden: h}[v] for v in (*variables[name].parents, name))
                        if cell[-1] < variables[name].states - 1:
                            direction[name, cell] = change % prime
        yield direction


def check_sides(network: Network, hidden: Any, left: list[str], right: list[str], pairs: list[tuple[int, int]]) -> None:
    """Raise unless the two sides are chains of free tables that contain the hidden variable, and no other table tells i from l."""
    variables = network.model.variables
    moved = [*left, *right]
    if hidden not in network.model.hidden or left[:1] != [hidden] or not right or len(set(moved)) < len(moved):
        raise Invalid("the sides are not those of a hidden variable")
    for name in moved:
        if (
            name not in variables
            or variables[name].local != Local()
            or (name != hidden and hidden not in variables[name].parents)
        ):
            raise Invalid(f"{name} is no child of {hidden} with a free table")
    for side in (left, right):
        for one, other in pairwise(side):
            if not {one, *variables[one].parents} - {hidden} <= set(variables[other].parents):
                raise Invalid(f"{other} lacks a parent that {one} depends on")
    if any(i == l or max(i, l) >= variables[hidden].states for i, l in pairs):
        raise Invalid("a pair that is not one of two states")
    for factor in network.factors:
        if hidden in factor.scope and factor.scope[-1] not in moved:
            axis = factor.scope.index(hidden)
            for i, l in pairs:
                sides = (
                    {(*k[:axis], *k[axis + 1 :]): x for k, x in factor.entries.items() if k[axis] == h} for h in (i, l)
                )
                if len({frozenset(side.items()) for side in sides}) > 1:
                    raise Invalid(f"the table of {factor.scope[-1]} tells the states {i} and {l} of {hidden} apart")


def local_map(model: Model, chosen: Sequence[str]) -> Model:
    """Hidden variables with their children, all but the chosen ones observed, given the other parents of these."""
    inside = {name for name, v in model.variables.items() if name in chosen or set(v.parents).intersection(chosen)}
    for name in inside:
        local = model.variables[name].local
        if name in model.given or local.share is not None or local.equal:
            raise Invalid(f"the parameters of {name} may occur elsewhere")
    found = kernel_model(model, inside)
    variables = {name: v._replace(observed=name not in chosen) for name, v in found.variables.items()}
    if any(v.observed and v.states < 2 for v in variables.values()):
        raise Invalid("a local map that sees a variable with one state")
    if not chosen or all(name in chosen or name in found.given for name in variables):
        raise Invalid("a local map without hidden variables, or with nothing to see")
    return found._replace(variables=variables)


# Evidence: Gaussian models -----------------------------------------------------------------------------------------------

Entry = tuple[str, ...]  # ("b", parent, child), ("v", variable), ("c", variable, variable) or ("m", variable)
ENTRY_TEXTS = {"b": "b({}->{})", "v": "v({})", "c": "c({}<->{})", "m": "m({})"}
Polynomial = dict[tuple[str, ...], Fraction]  # by the parameters that are multiplied, in order


class Gaussian(NamedTuple):
    """Linear equations with normal errors: whether each variable is observed; each entry's number, or its parameter's name."""

    variables: dict[str, bool]
    entries: dict[Entry, Fraction | str]
    means: bool

    @property
    def observed(self) -> list[str]:
        """The observed variables."""
        return [name for name, seen in self.variables.items() if seen]

    @property
    def parameters(self) -> dict[str, int]:
        """The numbers of the parameters, in the order in which they are met."""
        found = dict.fromkeys(value for value in self.entries.values() if isinstance(value, str))
        return {name: number for number, name in enumerate(found)}

    @property
    def coordinates(self) -> dict[tuple[str, str], int]:
        """The numbers of the coordinates: covariances row by row, then means, which are those of a variable and "1"."""
        names = self.observed
        pairs = [(one, other) for number, one in enumerate(names) for other in names[number:]]
        return {pair: k for k, pair in enumerate([*pairs, *((name, "1") for name in names if self.means)])}

    @property
    def complete(self) -> int:
        """The number of coordinates."""
        count = len(self.observed)
        return count * (count + 1) // 2 + count * self.means


def read_gaussian(data: Any) -> Gaussian:
    """Read a Gaussian model in the form in which it is written."""
    _, listing, edges, means, bidirected, fixed, equal = fields(
        data, "model", "family", "variables", "edges", "means", optional=("bidirected", "fixed", "equal")
    )
    if type(means) is not bool:
        raise Unreadable("means is not true or false")
    observed: dict[str, bool] = {}
    for item in listed(listing, "variables"):
        name, seen = fields(item, "a variable", "name", "observed")
        if type(seen) is not bool or name_of(name, "a variable's name") in observed:
            raise Unreadable(f"the variable {str(name)[:40]} stands twice, or observed is not true or false")
        observed[name] = seen
    if len(observed) > MOST_VARIABLES or not any(observed.values()):
        raise Unreadable("too many variables, or none is observed")
    entries: dict[Entry, Fraction | str] = {}

    def add_edges(value: Any, kind: str) -> None:
        for edge in listed(value, "edges"):
            pair = [name_of(name, "an edge") for name in listed(edge, "an edge")]
            if len(pair) != 2 or pair[0] == pair[1] or not {*pair} <= observed.keys() or (kind, *pair) in entries:
                raise Unreadable(f"the edge {pair[:2]} is not between two variables, or stands twice")
            if kind == "c" and (kind, *pair[::-1]) in entries:
                raise Unreadable(f"the edge {pair} stands twice")
            entries[kind, *pair] = entry_text((kind, *pair))

    add_edges(edges, "b")
    entries.update({("v", name): entry_text(("v", name)) for name in observed})
    if "bidirected" in data:
        add_edges(bidirected, "c")
    entries.update({("m", name): entry_text(("m", name)) for name in observed if means})
    if len(entries) > MOST_ENTRIES:
        raise Unreadable(f"the model has {len(entries)} entries; at most {MOST_ENTRIES} are allowed")
    known = {text: entry for entry, text in entries.items()}
    for key, value in (("bidirected", bidirected), ("fixed", fixed), ("equal", equal)):
        if key in data and (type(value) not in (dict, list) or not value):
            raise Unreadable(f"{key} is empty, or neither a list nor an object")
        if key in data and key != "bidirected" and (type(value) is not dict or not value.keys() <= known.keys()):
            raise Unreadable(f"{key} is not about entries of the model in the form b(A->B)")
    kinds: dict[str, str] = {}
    for text, value in (fixed or {}).items():
        entries[known[text]] = number = signed(value, text)
        if known[text][0] == "v" and number < 0:
            raise Unreadable(f"{text} is negative")
    for text, label in (equal or {}).items():
        entry = known[text]
        if isinstance(entries[entry], Fraction) or kinds.setdefault(name_of(label, text), entry[0]) != entry[0]:
            raise Unreadable(f"{text} is fixed and named, or has the name of an entry of another kind")
        entries[entry] = label
    return Gaussian(observed, entries, means)


FAMILIES["gaussian"] = read_gaussian


def entry_text(entry: Entry) -> str:
    """An entry as it is written."""
    return ENTRY_TEXTS[entry[0]].format(*entry[1:])


def signed(value: Any, place: str) -> Fraction:
    """Return a rational number in lowest terms."""
    match = FRACTION.fullmatch(text_of(value, place).removeprefix("-"))
    if match is None:
        raise Unreadable(f'{place}: {value[:40]!r} is not a fraction such as "-1/3"')
    fraction = Fraction(int(match[1]), int(match[2] or 1)) * (-1 if value[0] == "-" else 1)
    if str(fraction) != value:
        raise Unreadable(f"{place}: {value[:40]} is not in lowest terms")
    return fraction


def reached(arcs: Mapping[str, Iterable[str]], starts: Iterable[str], avoiding: Iterable[str] = ()) -> set[str]:
    """All vertices on paths from the starts that meet none to be avoided."""
    found = set(starts) - set(avoiding)
    waiting = list(found)
    while waiting:
        for vertex in arcs.get(waiting.pop(), ()):
            if vertex not in found and vertex not in avoiding:
                found.add(vertex)
                waiting.append(vertex)
    return found


def relevant_gaussian(model: Gaussian) -> Gaussian:
    """Leave out latent variables from which no directed path leads to an observed one (Lemma irrelevant variables)."""
    back: dict[str, list[str]] = {}
    for kind, first, *last in model.entries:
        if kind == "b":
            back.setdefault(last[0], []).append(first)
    kept = reached(back, model.observed)
    variables = {name: seen for name, seen in model.variables.items() if name in kept}
    return Gaussian(variables, {e: value for e, value in model.entries.items() if kept.issuperset(e[1:])}, model.means)


class Moments(NamedTuple):
    """A Gaussian model at a point: T = (I − B)⁻¹, Σ = TᵀΩT and μ = Tᵀm of all variables."""

    paths: Matrix
    covariance: Matrix
    mean: list[int]


def values_of(model: Gaussian, text: str, prime: int) -> dict[Entry, int]:
    """The values of all entries, their parameters drawn from a stream."""
    theta = dict(zip(model.parameters, residues(text, prime, len(model.parameters)), strict=True))
    return {e: theta[x] if isinstance(x, str) else modulo(x, prime) for e, x in model.entries.items()}


def times(one: Matrix, other: Iterable[Sequence[int]], prime: int) -> Matrix:
    """One matrix times the transpose of another."""
    rows = list(other)
    return [[sum(x * y for x, y in zip(line, row, strict=True)) % prime for row in rows] for line in one]


def moments(model: Gaussian, values: Mapping[Entry, int], prime: int, budget: Budget) -> Moments:
    """Solve the equations, if that can be done at the point."""
    place = {name: number for number, name in enumerate(model.variables)}
    count = len(place)
    budget.spend(2 * count**3 + KEPT * count * len(values))
    units = [[int(row == column) for column in range(count)] for row in range(count)]
    equations_ = [list(row) for row in units]
    for (kind, *names), value in values.items():
        if kind == "b":
            equations_[place[names[0]]][place[names[1]]] = -value % prime
    relations = kernel_of([*equations_, *units], count, prime, budget)
    if list(relations) != list(range(count, 2 * count)):
        raise Invalid("I − B has no inverse at the point")
    paths = [[-x % prime for x in relation[:count]] for relation in relations.values()]
    errors = [[0] * count for _ in range(count)]
    for (kind, *names), value in values.items():
        if kind in ("v", "c"):
            for one, other in {(names[0], names[-1]), (names[-1], names[0])}:
                errors[place[one]] = [
                    (x + value * y) % prime for x, y in zip(errors[place[one]], paths[place[other]], strict=True)
                ]
    turned = list(map(list, zip(*paths, strict=True)))
    intercepts = [values.get(("m", name), 0) for name in place]
    return Moments(
        paths, times(turned, zip(*errors, strict=True), prime), [row[0] for row in times(turned, [intercepts], prime)]
    )


def gradient_of(
    model: Gaussian, at: Moments, vectors: Sequence[Mapping[str, int]], prime: int, budget: Budget
) -> list[int]:
    """The derivatives of uᵀΣv + wᵀμ: by b_ij (Σv)_i p_j + (Σu)_i q_j + μ_i s_j, by ω_ij p_i q_j + p_j q_i, by m_j s_j."""
    names, numbers = list(model.variables), model.parameters
    budget.spend(5 * len(names) ** 2 + KEPT * len(model.entries))
    place = {name: number for number, name in enumerate(names)}
    full = [[vector.get(name, 0) for name in names] for vector in vectors]
    p, q, s = times(full, at.paths, prime)
    above_u, above_v = times(full[:2], at.covariance, prime)
    gradient = [0] * len(numbers)
    for (kind, *ends), name in model.entries.items():
        if isinstance(name, str):
            i, j = place[ends[0]], place[ends[-1]]
            if kind == "b":
                change = above_v[i] * p[j] + above_u[i] * q[j] + at.mean[i] * s[j]
            else:
                change = s[j] if kind == "m" else p[i] * q[j] + (p[j] * q[i] if kind == "c" else 0)
            gradient[numbers[name]] += change
    return [x % prime for x in gradient]


def gaussian_rank(check: Check, _: str, model: Gaussian, node: Any) -> int:
    """A minor of the Jacobian that does not vanish at a point; rows are covariances and means, or probes uᵀΣv + wᵀμ."""
    value, prime, point, rows, columns, probes = check.fields(
        node, "prime", "point", "rows", "columns", optional=("probes",), value=True
    )
    prime = prime_of(prime)
    names, pairs = model.observed, list(model.coordinates)
    columns = increasing(columns, "columns", len(model.parameters))
    rows = increasing(rows, "rows", MOST_RANK * 20 if "probes" in node else len(pairs))
    if not len(rows) == len(columns) == value <= MOST_RANK:
        raise Invalid(
            f"{len(rows)} rows and {len(columns)} columns are no minor of {value} rows; {MOST_RANK} is the limit"
        )
    count = len(names)
    width = count * (3 if model.means else 2) if "probes" in node else 0
    check.budget.spend((max(rows, default=-1) + 1) * width)
    numbers = residues(stream_of(probes, "probes"), prime, (max(rows, default=-1) + 1) * width) if width else []
    at = moments(model, values_of(model, stream_of(point, "point"), prime), prime, check.budget)
    minor: Matrix = []
    for row in rows:
        if width:
            mine = numbers[row * width : (row + 1) * width]
            u, v, w = (dict(zip(names, mine[k : k + count], strict=False)) for k in (0, count, 2 * count))
        else:
            one, other = pairs[row]
            u, v, w = ({}, {}, {one: 1}) if other == "1" else ({one: 1}, {other: 1}, {})
        gradient = gradient_of(model, at, (u, v, w), prime, check.budget)
        minor.append([gradient[column] for column in columns])
    if rank_of(minor, prime, check.budget) < value:
        raise Invalid(f"the minor of {value} rows vanishes modulo {prime}")
    return len(rows)


def all_parameters(check: Check, _: str, model: Gaussian, node: Any) -> int:
    """The parameters (Lemma counting and ambient)."""
    check.fields(node)
    return len(model.parameters)


def all_coordinates(check: Check, _: str, model: Gaussian, node: Any) -> int:
    """The covariances and means."""
    check.fields(node)
    return model.complete


def trek_arcs(model: Gaussian, *, free: bool) -> dict[str, list[str]]:
    """The arcs of the doubled graph, with a second copy A' of each vertex A; without those of entries that are 0, or of all fixed ones."""
    arcs: dict[str, list[str]] = {}
    for (kind, *names), value in model.entries.items():
        if isinstance(value, str) or (value and not free):
            one, other = names[0], names[-1]
            joined = {"b": [(f"{other}'", f"{one}'"), (one, other)], "m": [(f"{one}'", "1"), ("1'", one)]}
            for start, end in joined.get(kind, [(f"{one}'", other), (f"{other}'", one)]):
                arcs.setdefault(start, []).append(end)
    return arcs


def minors(check: Check, _: str, model: Gaussian, node: Any) -> int:
    """Coordinates that are constant, and gradients of minors that vanish by trek separation (Lemmas treks, equations)."""
    prime, point, constants, matrices = check.fields(node, "prime", "point", "constants", "matrices")
    prime, point = prime_of(prime), stream_of(point, "point")
    check.budget.spend(KEPT * len(model.variables) * len(model.entries))
    numbers = model.coordinates
    arcs, free = trek_arcs(model, free=False), trek_arcs(model, free=True)
    pairs = list(numbers)
    constants = increasing(constants, "constants", len(pairs))
    moved: dict[str, set[str]] = {}
    for one, other in (pairs[number] for number in constants):
        if one not in moved:
            changing = (end for start in reached(arcs, [f"{one}'"]) for end in free.get(start, ()))
            moved[one] = reached(arcs, changing)
        if other in moved[one]:
            raise Invalid(f"there is a trek between {one} and {other} with an entry that is not fixed")
    for number in constants:
        del numbers[pairs[number]]
    numbers = both_orders(numbers)
    values = values_of(model, point, prime)
    at = moments(model, values, prime, check.budget) if listed(matrices, "matrices") else None
    forms: Matrix = []
    for item in matrices:
        check.budget.spend(KEPT * len(model.entries))
        forms.extend(trek_forms(model, arcs, item, numbers, at, prime, check.budget))
    rank = rank_of(forms, prime, check.budget)
    if rank < len(forms):
        raise Invalid(f"{len(forms)} equations with gradients of rank {rank}")
    return model.complete - len(constants) - len(forms)


def vertices_of(value: Any, place: str, known: Sequence[str]) -> list[str]:
    """Return a list of different vertices, in the order in which they are known."""
    chosen = [text_of(name, place) for name in listed(value, place)]
    different = set(chosen)
    if chosen != [name for name in known if name in different]:
        raise Unreadable(f"{place}: names that are unknown, repeated or not in the model's order")
    return chosen


def both_orders(numbers: Mapping[tuple[str, str], int]) -> dict[tuple[str, str], int]:
    """The numbers of coordinates by their two names in either order."""
    return {**numbers, **{(other, one): number for (one, other), number in numbers.items()}}


def moment(at: Moments, model: Gaussian, one: str, other: str) -> int:
    """A covariance, or with "1" a mean; 0 for "1" and "1"."""
    place = [list(model.variables).index(name) for name in (one, other) if name != "1"]
    return at.covariance[place[0]][place[1]] if len(place) == 2 else at.mean[place[0]] if place else 0


def trek_forms(
    model: Gaussian,
    arcs: Mapping[str, list[str]],
    item: Any,
    numbers: Mapping[tuple[str, str], int],
    at: Any,
    prime: int,
    budget: Budget,
) -> Iterator[list[int]]:
    """The gradients ℓᵀ dΣ r of the minors of one matrix, for pairs of a row and a column that name ℓ and r."""
    rows, columns, left, right, pairs = fields(item, "a matrix", "rows", "columns", "left", "right", "pairs")
    one = ["1"] if model.means else []
    rows, columns = (vertices_of(side, "a side", [*model.observed, *one]) for side in (rows, columns))
    left, right = (vertices_of(side, "a cut", [*model.variables, *one]) for side in (left, right))
    pairs = pairs_of(pairs)
    cut = {*right, *(f"{name}'" for name in left)}
    if not rows or not columns:
        raise Invalid("a matrix without rows or columns")
    if reached(arcs, (f"{name}'" for name in rows), cut) & set(columns):
        raise Invalid(f"not all treks between {','.join(rows)} and {','.join(columns)} meet the vertices named")
    budget.spend(KEPT * (len(rows) * len(columns) + max(numbers.values(), default=0)) * (1 + len(pairs)))
    matrix = [[moment(at, model, a, b) for b in columns] for a in rows]
    before = kernel_of(matrix, len(cut), prime, budget)
    behind = kernel_of([list(column) for column in zip(*matrix, strict=True)], len(cut), prime, budget)
    for a, b in pairs:
        if a not in before or b not in behind:
            raise Invalid(f"row {a} or column {b} does not depend on those before it")
        form = [0] * (1 + max(numbers.values(), default=0))
        for x, row in zip(before[a], rows, strict=True):
            for y, column in zip(behind[b], columns, strict=True):
                if (row, column) in numbers:
                    form[numbers[row, column]] += x * y
        yield [x % prime for x in form]


def moves(check: Check, _: str, model: Gaussian, node: Any) -> int:
    """The parameters less the rank of fields that change nothing observed (Lemmas moves and symmetry)."""
    prime, point, listing = check.fields(node, "prime", "point", "fields")
    prime = prime_of(prime)
    values = values_of(model, stream_of(point, "point"), prime)
    theta = {x: values[e] for e, x in model.entries.items() if isinstance(x, str)}
    directions: Matrix = []
    for field in listed(listing, "fields"):
        change: dict[Entry, Polynomial] = {}
        for item in listed(field, "a field"):
            add_move(check, model, item, change)
        by_name: dict[str, Polynomial] = {}
        for entry, value in model.entries.items():
            polynomial = {monomial: x for monomial, x in change.pop(entry, {}).items() if x}
            allowed = by_name.setdefault(value, polynomial) if isinstance(value, str) else {}
            if polynomial != allowed:
                raise Invalid(f"a field changes {entry_text(entry)}, which is fixed, or not as its equals")
        if any(x for polynomial in change.values() for x in polynomial.values()):
            raise Invalid("a field changes entries that the model does not have")
        check.budget.spend(KEPT * (len(theta) + len(model.entries)))
        direction = []
        for name in theta:
            terms = (modulo(x, prime) * prod(theta[k] for k in monomial) for monomial, x in by_name[name].items())
            direction.append(sum(terms) % prime)
        directions.append(direction)
    return len(theta) - rank_of(directions, prime, check.budget)


def add_move(check: Check, model: Gaussian, item: Any, change: dict[Entry, Polynomial]) -> None:
    """Add what a move changes, times a number and an entry: every term is an entry of A = I − Bᵀ, Ω or m, or 1."""
    kind, of, coefficient, factor = fields(item, "a move", "move", "of", "coefficient", optional=("factor",))
    names = [name_of(name, "of") for name in listed(of, "of")]
    if kind not in ("equation", "substitution", "both", "errors", "mean") or len(names) != (1 if kind == "mean" else 2):
        raise Unreadable("a move of an unknown kind, or not of as many variables")
    if not {*names} <= model.variables.keys() or (kind != "equation" and model.variables[names[0]]):
        raise Invalid(f"{names[0]} is not a latent variable, or a name is not known")
    first, last = names[0], names[-1]
    texts = {entry_text(entry): entry for entry in model.entries} if "factor" in item else {}
    if "factor" in item and text_of(factor, "factor") not in texts:
        raise Invalid("a factor that is no entry of the model")
    times_ = [texts[factor]] if "factor" in item else []
    number = signed(coefficient, "coefficient")
    check.budget.spend(TERM * len(model.entries))

    def add(target: Entry, sign: int, *sources: Entry) -> None:
        weight, monomial = number * sign, list[str]()
        for value in (model.entries[source] for source in (*times_, *sources)):
            if isinstance(value, str):
                monomial.append(value)
            else:
                weight *= value
        into, key = change.setdefault(target, {}), tuple(sorted(monomial))
        into[key] = into.get(key, Fraction(0)) + weight
        check.budget.spend((into[key].denominator.bit_length() // 64) ** 2)

    def error(one: str, other: str) -> Entry:
        low, high = sorted((one, other))
        return (
            ("v", one) if one == other else ("c", high, low) if ("c", high, low) in model.entries else ("c", low, high)
        )

    mixes, replaces = kind in ("equation", "both"), kind in ("substitution", "both")
    for sign, name, *source in column_of(model, first) if kind != "equation" else ():  # of A, with sign
        if replaces:
            add(("b", last, name), sign, *source)
        elif kind == "errors":
            add(error(name, last), sign * (2 if name == last else 1), *source)
        else:
            add(("m", name), sign, *source)
    if mixes:
        add(("b", last, first), -1)
    for entry in model.entries if mixes else ():
        if entry[0] == "b" and entry[2] == last:
            add(("b", entry[1], first), 1, entry)
        elif entry[0] in "vc" and last in entry[1:]:
            other = entry[1] if entry[-1] == last else entry[-1]
            add(error(first, other), 2 if first == other else 1, entry)
        elif entry == ("m", last):
            add(("m", first), 1, entry)


def column_of(model: Gaussian, name: str) -> Iterator[Any]:
    """The entries of a column of A: sign, the row's variable, and the coefficient unless it is 1."""
    yield 1, name
    for entry in model.entries:
        if entry[0] == "b" and entry[1] == name:
            yield -1, entry[2], entry


# Evidence: latent-profile models ------------------------------------------------------------------------------------------


class Profile(NamedTuple):
    """Classes; the states of the items, None of continuous ones; whether matrices are full, and equal in all classes."""

    classes: int
    items: Sequence[int | None]
    full: bool
    equal: bool
    complete: None = None

    @property
    def parameters(self) -> range:
        """The numbers of the parameters: weights, means and free entries of tables; matrices."""
        count = self.items.count(None)
        rows = 1 + sum(1 if states is None else states - 1 for states in self.items)
        matrix = count * (count + 1) // 2 if self.full else count
        return range(self.classes * rows - 1 + matrix * (1 if self.equal else self.classes))


def read_profile(data: Any) -> Profile:
    """Read a latent-profile model in the form in which it is written; the class comes first."""
    _, listing, matrices = fields(data, "model", "family", "variables", optional=("covariances",))
    full, equal = fields(matrices if "covariances" in data else {}, "covariances", optional=("full", "equal"))
    if "covariances" in data and (not matrices or any(value is not True for value in matrices.values())):
        raise Unreadable("covariances is empty, or has a value that is not true")
    seen: dict[str, int | None] = {}
    for item in listed(listing, "variables"):
        name, observed, states = fields(item, "a variable", "name", "observed", optional=("states",))
        if name_of(name, "a variable's name") in seen or observed is not bool(seen):
            raise Unreadable(f"the variable {name[:40]} stands twice, or it is not the first alone that is hidden")
        if ("states" in item or not seen) and whole(states, f"states of {name}", MOST_STATES) < 1 + observed:
            raise Unreadable(f"{name} has too few states")
        seen[name] = states
    states, *items = [*seen.values(), None]
    model = Profile(states or 0, items[:-1], bool(full), bool(equal))
    if None not in model.items or len(seen) > MOST_VARIABLES or len(model.parameters) > MOST_ENTRIES:
        raise Unreadable("no continuous item, or too many variables or parameters")
    return model


FAMILIES["latent-profile"] = read_profile
MOST_ORDER = 100  # of moments
Jet = dict[int, int]  # a number: its value at the point (key 0), its derivatives by parameters (from 1; others are 0)


def moments_rank(check: Check, _: str, model: Profile, node: Any) -> int:
    """A minor of the Jacobian of moments that does not vanish at a point (Lemma moments)."""
    value, prime, point, rows, columns = check.fields(node, "prime", "point", "rows", "columns", value=True)
    prime, size = prime_of(prime), len(model.parameters)
    rows, columns = increasing(rows, "rows", MOST_ENTRIES), increasing(columns, "columns", size)
    if not len(rows) == len(columns) == value <= MOST_RANK:
        raise Invalid(f"{len(rows)} rows and {len(columns)} columns are no minor of {value} rows")
    theta = iter([{0: x, k: 1} for k, x in enumerate(residues(stream_of(point, "point"), prime, size), 1)])
    classes, continuous = range(model.classes), range(model.items.count(None))
    tables = [states for states in model.items if states is not None]

    def total(terms: Iterable[Jet]) -> Jet:
        found: Jet = {0: 0}
        for term in terms:
            check.budget.spend(TERM * len(term))
            found.update((k, (found.get(k, 0) + x) % prime) for k, x in term.items())
        return found

    def product_of(factors: Iterable[Jet]) -> Jet:
        found: Jet = {0: 1}
        for one in factors:  # by the product rule
            found = total([{k: x * found[0] for k, x in one.items()}, {k: x * one[0] for k, x in found.items() if k}])
        return found

    def row(length: int) -> list[Jet]:
        free = [next(theta) for _ in range(length - 1)]
        return [*free, total([{0: 1}, *({k: -x for k, x in one.items()} for one in free)])]

    weights = row(model.classes)
    means = [[next(theta) for _ in classes] for _ in continuous]
    pairs = [(i, i) for i in continuous] + (list(combinations(continuous, 2)) if model.full else [])
    entry = {pair: [next(theta)] * len(classes) if model.equal else [next(theta) for _ in classes] for pair in pairs}
    chances = [[row(states) for _ in classes] for states in tables]
    known: dict[tuple[int, tuple[int, ...]], Jet] = {}

    def moment(h: int, of: tuple[int, ...]) -> Jet:
        """E[X_i X_j ⋯ | h] = μ_i E[X_j ⋯ | h] + Σ_j σ_ij E[the others | h] (Isserlis)."""
        if (h, of) not in known:
            terms = [(means[of[0]], of[1:])] if of else []
            terms += [(entry[of[0], j], of[1:k] + of[k + 1 :]) for k, j in enumerate(of) if k and (of[0], j) in entry]
            known[h, of] = total(product_of([by[h], moment(h, rest)]) for by, rest in terms) if of else {0: 1}
        return known[h, of]

    minor, cells, listing = [], prod(tables), products(len(continuous))
    check.budget.spend(TERM * max(rows, default=0) // cells)
    powers = [next(listing) for _ in range((max(rows, default=-1) + (not tables)) // cells + 1)]
    for number in rows:
        place, cell = divmod(number + (not tables), cells)
        states = [0] * len(tables)
        for k in reversed(range(len(tables))):
            cell, states[k] = divmod(cell, tables[k])
        gradient = total(
            product_of([weights[h], moment(h, powers[place]), *(c[h][x] for c, x in zip(chances, states, strict=True))])
            for h in classes
        )
        check.budget.spend(KEPT * size)
        minor.append([gradient.get(1 + column, 0) for column in columns])
    if rank_of(minor, prime, check.budget) < value:
        raise Invalid(f"the minor of {value} rows vanishes modulo {prime}")
    return len(rows)


def products(items: int) -> Iterator[tuple[int, ...]]:
    """The products of items, as lists of their factors: by degree, then in lexicographic order."""
    for degree in range(MOST_ORDER + 1):
        yield from combinations_with_replacement(range(items), degree)
    raise Unreadable(f"a moment of an order above {MOST_ORDER}")


# Evidence: what there is for each family ----------------------------------------------------------------------------------

Evidence = Callable[["Check", str, Any, Any], int]

BOTH: dict[str, Evidence] = {"districts": districts, "closed": closed, "trees": trees, "binary-items": binary_items}
LOWER: dict[str, Evidence] = {"rank": rank_at_point, "entries": entries, "kruskal": kruskal, **BOTH}
UPPER: dict[str, Evidence] = {
    "counting": counting,
    "ambient": ambient,
    "pairwise": two_groups,
    "equations": equations,
    "nested": nested,
    "containing": containing,
    "reduced": reduced,
    "symmetry": symmetry,
    **BOTH,
}
GAUSSIAN_LOWER: dict[str, Evidence] = {"rank": gaussian_rank}
GAUSSIAN_UPPER: dict[str, Evidence] = {
    "counting": all_parameters,
    "ambient": all_coordinates,
    "minors": minors,
    "moves": moves,
}
PROFILE_LOWER: dict[str, Evidence] = {"rank": moments_rank}
PROFILE_UPPER: dict[str, Evidence] = {"counting": all_parameters}


class Family(NamedTuple):
    """What is done with the models of a family: parameters and entries counted, what cannot matter left out, kinds of evidence."""

    standard: Callable[[Any], int]
    size: Callable[[Any], int]
    relevant: Callable[[Any], Any]
    lower: dict[str, Evidence]
    upper: dict[str, Evidence]


def entry_count(model: Model) -> int:
    """The number of entries of all tables."""
    return sum(table_size(model.variables, name, v.local.kind) for name, v in model.variables.items())


FAMILY_OF: dict[type, Family] = {
    Model: Family(lambda model: len(network_of(model).parameters), entry_count, relevant, LOWER, UPPER),
    Gaussian: Family(
        lambda model: len(model.parameters),
        lambda model: len(model.entries),
        relevant_gaussian,
        GAUSSIAN_LOWER,
        GAUSSIAN_UPPER,
    ),
    Profile: Family(
        lambda model: len(model.parameters),
        lambda model: len(model.parameters),
        lambda model: model,
        PROFILE_LOWER,
        PROFILE_UPPER,
    ),
}


# The checker -------------------------------------------------------------------------------------------------------------


class Check:
    """One run: the budget, and how deep evidence stands within evidence."""

    def __init__(self) -> None:
        self.budget = Budget()
        self.depth = 0

    def fields(self, node: Any, *names: str, optional: Sequence[str] = (), value: bool = False) -> list[Any]:
        """The fields of a node beside its kind and value."""
        found = fields(node, str(node["kind"]), "kind", "value", *names, optional=optional)
        return found[1:] if value else found[2:]

    def bound(self, side: str, model: Model | Gaussian, node: Any) -> int:
        """Check one node of evidence for a model and return its value."""
        family = FAMILY_OF[type(model)]
        kinds = family.lower if side == "lower" else family.upper
        kind = node.get("kind") if type(node) is dict else None
        if type(kind) is not str or kind not in kinds:
            raise Unreadable(f"evidence of an unknown kind for a {side} bound; known are {', '.join(kinds)}")
        value = whole(node.get("value"), f"value of {kind}")
        self.budget.spend(ENTRY * family.size(model))
        self.depth += 1
        if self.depth > MOST_DEPTH:
            raise Unreadable(f"evidence within evidence more than {MOST_DEPTH} deep")
        found = kinds[kind](self, side, model, node)
        self.depth -= 1
        if found != value:
            raise Invalid(f"{kind} shows {found}, not {value}")
        return found


def check(data: bytes) -> str:
    """Check a certificate; return what it proves, or raise."""
    form, claim, evidence = fields(read(data), "the certificate", "format", "claim", "evidence")
    if form != FORMAT:
        raise Unreadable(f"the format is {str(form)[:40]!r}; this program reads {FORMAT!r}")
    described, dimension, standard, complete = fields(claim, "claim", "model", "dimension", "standard", "complete")
    dimension, standard = whole(dimension, "claim"), whole(standard, "claim")
    family = described.get("family") if type(described) is dict else None
    if type(family) is not str or family not in FAMILIES:
        raise Unreadable(f"a family that is not known; known are {', '.join(FAMILIES)}")
    model = FAMILIES[family](described)
    counted = FAMILY_OF[type(model)].standard(model)
    if counted != standard:
        raise Invalid(f"the model has {counted} parameters, not {standard}")
    if model.complete != (complete if complete is None else whole(complete, "claim")):
        raise Invalid("the dimension of the saturated model is not the one claimed")
    lower, upper = fields(evidence, "evidence", "lower", "upper")
    model = FAMILY_OF[type(model)].relevant(model)
    run = Check()
    for side, node in (("upper", upper), ("lower", lower)):
        value = run.bound(side, model, node)
        if value != dimension:
            raise Invalid(f"the {side} bound is {value}; claimed is the dimension {dimension}")
    return f"dimension {dimension}, {lower['kind']} and {upper['kind']}"


def verdict(data: bytes) -> tuple[int, str]:
    """The exit code for a certificate, and the reason in one line."""
    try:
        return 0, f"accepted: {check(data)}"
    except Refused as refused:
        return refused.code, f"{refused.word}: {refused}"


def content(path: str) -> bytes:
    """Read a file, no further than needed to see that it is too long."""
    with open(path, "rb") as file:  # noqa: PTH123 - the fewer imports the better
        return file.read(MOST_BYTES + 1)


USAGE = "usage: python3 -I -S check.py FILE ...   exit: 0 accepted, 1 invalid, 2 unreadable; of several the worst"


def main(paths: Sequence[str]) -> int:
    """Check files; the exit code is the worst."""
    if not paths or list(paths) == ["--help"]:
        print(USAGE, file=sys.stdout if paths else sys.stderr)
        return 0 if paths else 2
    worst = 0
    for path in paths:
        try:
            data = content(path)
        except OSError as error:
            code, reason = 2, f"unreadable: {error.strerror}"
        else:
            code, reason = verdict(data)
        print(f"{path}: {reason}".encode("ascii", "backslashreplace").decode())
        worst = max(worst, code)
    return worst


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
