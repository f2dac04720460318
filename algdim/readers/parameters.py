"""Parameter files: the numbers in the tables of a model.

One table, or the weights of a sigmoid variable, ``{"a": -0.5, "b": {"H1": "3/2", "H2": 1}}``, per variable that has one (one
per share, under the share's name), one row per configuration of the parents, the first parent slowest; of an embedded
classifier the tables of its network. A row of strings ``"p/q"`` (or whole numbers, or `Fraction`) is exact and sums to 1
exactly. In a row with a decimal number, which is read as it is written, the sum may be off by 1e-9; then fixed and equally
named entries are set to their exact values, and one free entry, the last if possible, becomes 1 minus the others.
Of a noisy-or E ``{"leak": …, "q": {cause: …}}`` may be given in the place of the mechanisms' tables: ``q`` is the chance
that a cause that is present fails, ``leak`` the chance that E is 0 with all causes absent.

In families whose parameters have names of their own each is given by its name, as `algdim map` prints it:

    {"P(H=0)": "1/3", "m(X|H=0)": 0, "m(X|H=1)": 2.5, "v(X|H=0)": 1, "v(X|H=1)": 1}
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Context, Decimal
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any, cast

from algdim.errors import InputError, join_names
from algdim.families.discrete.locals.classifier import Embedded, format_inner_key
from algdim.families.discrete.locals.function import Deterministic
from algdim.families.discrete.locals.sigmoid import Sigmoid, Weighted
from algdim.families.discrete.locals.table import Parents, Table, add_states, format_cell
from algdim.families.discrete.mechanisms import find_noisy_or
from algdim.families.discrete.model import Network, Variable
from algdim.figures import format_count, format_value
from algdim.models.values import check_keys, format_given_value, read_exact_value, read_signed_value, require_mapping
from algdim.readers.files import read_by


def read_named_parameters(source: str | os.PathLike[str] | dict[str, object], names: Sequence[str]) -> list[Fraction]:
    """Read the values of all parameters, in their order, from a file (JSON, TOML) or a dictionary, exactly.

    >>> read_named_parameters({"v(X)": "1/2", "m(X|H=0)": -1}, ["m(X|H=0)", "v(X)"])
    [Fraction(-1, 1), Fraction(1, 2)]
    """
    return read_by(source, lambda data: read_named_values(data, names))


def read_named_values(source: dict[str, object], names: Sequence[str]) -> list[Fraction]:
    """Read all values; raise unless every parameter stands there and nothing else."""
    data = require_mapping(source, "the parameters")
    known = frozenset(names)
    for key in data:
        if key not in known:
            raise InputError(f"the parameters: the model has no {key[:80]!r}; known are {join_names(names)}")
    missing = [name for name in names if name not in data]
    if missing:
        raise InputError(f"the parameters: values are missing: {join_names(missing)}")
    return [read_signed_value(data[name], name) for name in names]


Exponential = Callable[[Fraction], Fraction]
"""What is taken for e^x."""

WEIGHT_KEYS = ("a", "b")
MOST_WEIGHT = 1000
PLACES = Context(prec=50)


def compute_exponential(value: Fraction) -> Fraction:
    """e^x to fifty places.

    >>> float(compute_exponential(Fraction(1)))
    2.718281828459045
    """
    return Fraction(PLACES.exp(PLACES.divide(Decimal(value.numerator), Decimal(value.denominator))))


def read_weights(
    data: object, key: str, variable: Variable, parents: Parents, exponential: Exponential
) -> tuple[tuple[Fraction, ...], ...]:
    """Read the weights of one variable (a shared one's parents are pa1, pa2, …) and return the rows of its table."""
    if variable.local.kind != Sigmoid.kind:
        return read_logit_rows(data, key, variable, parents, exponential)
    entry = require_mapping(data, key)
    check_keys(entry, WEIGHT_KEYS, key)
    if "a" not in entry:
        raise InputError(f"{key}.a is missing; the log-odds of {variable.name} where all parents are 0 are expected")
    named = [
        (parent if variable.local.share is None else f"pa{number}", states)
        for number, (parent, states) in enumerate(parents, 1)
        if states > 1
    ]
    slopes = require_mapping(entry.get("b", {}), f"{key}.b")
    check_keys(slopes, [name for name, _ in named], f"{key}.b")
    missing = [name for name, _ in named if name not in slopes]
    if missing:
        raise InputError(f"{key}.b says nothing of {join_names(missing)}; one weight for each parent is expected")
    constant = exponential(read_weight(entry["a"], f"{key}.a"))
    factors = [exponential(read_weight(slopes[name], f"{key}.b.{name}")) for name, _ in named]
    rows = []
    for states in product(*(range(count) for _, count in named)):
        odds = constant * prod(
            (factor**state for factor, state in zip(factors, states, strict=True)), start=Fraction(1)
        )
        rows.append((1 / (1 + odds), odds / (1 + odds)))
    return tuple(rows)


def read_logit_rows(
    data: object, key: str, variable: Variable, parents: Parents, exponential: Exponential
) -> tuple[tuple[Fraction, ...], ...]:
    """Read the weights of a variable with log-odds: a list of constants, for each parent one weight or a list of them."""
    from algdim.families.discrete.locals.logit import check_falling, compute_rows

    kind, steps = variable.local.kind, variable.states - 1
    entry = require_mapping(data, key)
    slopes_key = "t" if kind == "rasch" else "b"
    check_keys(entry, ("a", slopes_key), key)
    wide = [
        (parent if variable.local.share is None else f"pa{number}", states)
        for number, (parent, states) in enumerate(parents, 1)
        if states > 1
    ]
    named = require_mapping(entry.get(slopes_key, {}), f"{key}.{slopes_key}")
    check_keys(named, [name for name, _ in wide], f"{key}.{slopes_key}")
    found = read_weight_list(entry.get("a"), steps, f"{key}.a")
    if kind in ("cumulative", "probit"):
        check_falling(found)
    for name, states in wide:
        count = {"multinomial": steps, "rasch": states - 1}.get(kind)
        given = named.get(name) if count is not None else [named.get(name)]
        found += read_weight_list(given, count or 1, f"{key}.{slopes_key}.{name}")
    if kind == "probit":
        from algdim.families.discrete.locals.probit import compute_probit_rows

        return compute_probit_rows(variable.states, wide, found)
    return compute_rows(kind, variable.states, wide, found, exponential)


def read_weight_list(data: object, count: int, place: str) -> list[Fraction]:
    """Read so many weights."""
    if not isinstance(data, (list, tuple)) or len(data) != count or None in data:
        is_missing = data is None or data == [None]
        what = "is missing" if is_missing else f"is {format_given_value(data)}"
        raise InputError(f"{place} {what}; {format_count(count, 'weight')} {'is' if count == 1 else 'are'} expected")
    return [read_weight(value, place) for value in data]


def read_weight(data: object, place: str) -> Fraction:
    """Read one weight."""
    value = read_signed_value(data, place)
    if abs(value) > MOST_WEIGHT:
        raise InputError(f"{place} is {format_value(value)}; a weight from -{MOST_WEIGHT} to {MOST_WEIGHT} is allowed")
    return value


TOLERANCE = Fraction(1, 10**9)

Row = tuple[Fraction, ...]
ParameterTables = dict[str, tuple[Row, ...]]
Agreed = dict[str, tuple[Fraction, str]]
"""For each name of entries the value, and the place where it was read."""


def read_parameters(
    source: str | os.PathLike[str] | dict[str, object], model: Network, exponential: Exponential = compute_exponential
) -> ParameterTables:
    """Read the tables of a model from a file (JSON, TOML) or a dictionary, exactly but for e^x in sigmoid variables.

    >>> from algdim.models.notation import parse
    >>> read_parameters({"A": [["1/3", "2/3"]]}, parse("states A=2"))
    {'A': ((Fraction(1, 3), Fraction(2, 3)),)}
    """
    return read_by(source, lambda data: read_parameter_tables(data, model, exponential))


def read_parameter_tables(source: dict[str, object], model: Network, exponential: Exponential) -> ParameterTables:
    """Read all tables, then check that equally named entries agree."""
    data = expand_noisy_tables(require_mapping(source, "the parameters"), model)
    owners = dict(iterate_table_owners(model))
    check_names(data, owners, model)
    agreed: Agreed = {}
    states = model.states

    parents = {key: add_states(variable.parents, states) for key, variable in owners.items()}

    def read(*, strict: bool) -> ParameterTables:
        tables: ParameterTables = {}
        for key, variable in owners.items():
            if isinstance(variable.local, Weighted):
                tables[key] = read_weights(data[key], key, variable, parents[key], exponential)
            elif isinstance(variable.local, Embedded):
                inside = read_parameter_tables(
                    require_mapping(data[key], key), variable.local.classifier.network, exponential
                )
                tables[key] = compute_classifier_rows(inside, key, variable)
                tables |= {format_inner_key(key, name): rows for name, rows in inside.items()}
            else:
                tables[key] = read_rows(data[key], key, variable, parents[key], agreed, strict=strict)
        return tables

    tables = read(strict=False)
    check_levels(data, owners)
    return read(strict=True) if normalise_named_entries(owners, agreed) else tables


def check_levels(data: dict[str, Any], owners: Mapping[str, Variable]) -> None:
    """Raise unless a parent has the same levels at all its rasch children; they have been read before."""
    known: dict[str, tuple[list[Fraction], str]] = {}
    for key, variable in owners.items():
        levels = data[key].get("t", {}) if variable.local.kind == "rasch" else {}
        for parent, values in levels.items():
            place = f"{key}.t.{parent}"
            found = [read_weight(value, place) for value in values]
            first, where = known.setdefault(parent, (found, place))
            if found != first:
                raise InputError(
                    f"{place} is not the same as {where}; a parent has the same levels at all its rasch children"
                )


def compute_classifier_rows(tables: ParameterTables, key: str, variable: Variable) -> tuple[Row, ...]:
    """The rows that the tables of an embedded classifier's network make: p(class | parents)."""
    classifier = cast("Embedded", variable.local).classifier
    network = classifier.network
    result = []
    for configuration in product(*(range(classifier.states[name]) for name in variable.parents)):
        at = dict(zip(variable.parents, configuration, strict=True))
        joint = []
        for state in range(variable.states):
            at[variable.name] = state
            joint.append(
                prod((get_table_entry(one, tables, at, network.states) for one in network.variables), start=Fraction(1))
            )
        total = sum(joint, Fraction(0))
        if not total:
            raise InputError(f"{key}: the tables give probability 0 to {join_names(f'{k}={v}' for k, v in at.items())}")
        result.append(tuple(value / total for value in joint))
    return tuple(result)


def get_table_entry(one: Variable, tables: ParameterTables, at: dict[str, int], states: Mapping[str, int]) -> Fraction:
    """The entry of a variable's table in a joint state."""
    row = 0
    for parent in one.parents:
        row = row * states[parent] + at[parent]
    return tables[one.local.share or one.name][row][at[one.name]]


def normalise_named_entries(owners: dict[str, Variable], agreed: Agreed) -> bool:
    """Round named entries so that rows without a free entry sum to 1 exactly; whether any row did not.

    What is missing goes to the greatest name of the row; if names are tied across rows too intricately for that, reading
    again finds the row and refuses it.
    """
    changed = False
    for variable in owners.values():
        if not isinstance(variable.local, Table):
            continue
        names: dict[tuple[int, ...], list[str]] = {}
        for (at, _), label in variable.local.equal:
            names.setdefault(at, []).append(label)
        bound = Counter(at for (at, _), _ in (*variable.local.fixed, *variable.local.equal))
        fixed: dict[tuple[int, ...], Fraction] = {}
        for (at, _), value in variable.local.fixed:
            fixed[at] = fixed.get(at, Fraction(0)) + value
        for at, labels in names.items():
            missing = 1 - fixed.get(at, Fraction(0)) - sum((agreed[label][0] for label in labels), Fraction(0))
            if bound[at] == variable.states and missing:
                greatest = max(labels, key=lambda label: agreed[label][0])
                value, where = agreed[greatest]
                agreed[greatest] = value + missing / labels.count(greatest), where
                changed = True
    return changed


def expand_noisy_tables(data: dict[str, object], model: Network) -> dict[str, object]:
    """Put the tables of the mechanism variables in the place of ``{"leak": …, "q": {cause: …}}`` of a noisy-or."""
    tables: dict[str, object] = {}
    for name, value in data.items():
        effect = find_noisy_or(model, name)
        if effect is None or not isinstance(value, dict):
            tables[name] = value
            continue
        check_keys(value, ("leak", "q"), name)
        fails = require_mapping(value.get("q"), f"{name}.q")
        causes = [one.causes[0] for one in effect.mechanisms if one.causes]
        has_leak = len(causes) < len(effect.mechanisms)
        check_keys(fails, causes, f"{name}.q")
        missing = [cause for cause in causes if cause not in fails]
        if missing:
            raise InputError(f"{name}.q says nothing of {join_names(missing)}; one value for each cause is expected")
        if has_leak != ("leak" in value):
            raise InputError(f"{name}.leak is {'missing' if has_leak else 'given, and there is no leak'}")
        for one in effect.mechanisms:
            if one.variable in data:
                raise InputError(f"{one.variable}: the numbers of this mechanism stand under {name}; give them once")
            place = f"{name}.q.{one.causes[0]}" if one.causes else f"{name}.leak"
            chance = read_exact_value(fails[one.causes[0]] if one.causes else value["leak"], place)
            if not 0 <= chance <= 1:
                raise InputError(f"{place} is {format_value(chance)}; a probability between 0 and 1 is allowed")
            row = [chance, 1 - chance]
            tables[one.variable] = [[1, 0], row] if one.causes else [row]
    return tables


def iterate_table_owners(model: Network) -> Iterator[tuple[str, Variable]]:
    """Yield the key of each table and the (first) variable that has it."""
    seen: set[str] = set()
    for variable in model.variables:
        if variable.name in model.given or isinstance(variable.local, Deterministic):
            continue
        if not isinstance(variable.local, Table | Weighted | Embedded):
            raise InputError(
                f"{variable.name} has a local of the kind {variable.local.kind}; parameter files have tables and sigmoid variables"
            )
        share = variable.local.share
        if share is None or share not in seen:
            yield share or variable.name, variable
        if share is not None:
            seen.add(share)


def check_names(data: dict[str, object], owners: dict[str, Variable], model: Network) -> None:
    """Raise unless there is one table under each name that has one."""
    for name in data:
        if name in owners:
            continue
        variable = next((v for v in model.variables if v.name == name), None)
        owner = owners.get(name.partition(":")[0])
        if owner is not None and isinstance(owner.local, Embedded):
            inside = join_names(one.name for one in owner.local.classifier.network.variables)
            raise InputError(
                f"{name[:60]}: the tables of the network of {owner.name}, of {inside}, belong in an object under {owner.name}"
            )
        if variable is None:
            raise InputError(f"{name[:60]}: there is no such table; expected are {join_names(owners)}")
        if name in model.given:
            raise InputError(f"{name}: this variable is conditioned on and has no table; leave it out")
        if isinstance(variable.local, Deterministic):
            raise InputError(
                f"{name}: this variable is a function of its parents ({variable.local.kind}) and has no table; leave it out"
            )
        share = variable.local.share
        raise InputError(f"{name}: this variable shares its table; give it once, under the name {share}")
    missing = [name for name in owners if name not in data]
    if missing:
        raise InputError(f"tables are missing: {join_names(missing)}")


def read_rows(
    data: object, key: str, variable: Variable, parents: Parents, agreed: Agreed, *, strict: bool
) -> tuple[Row, ...]:
    """Read one table."""
    count = prod(states for _, states in parents)
    if not isinstance(data, (list, tuple)):
        raise InputError(f"{key}: {format_given_value(data)} is not a table; a list of rows is expected")
    if len(data) != count:
        of = f" ({' × '.join(f'{name} {states}' for name, states in parents)}, the first slowest)" if parents else ""
        raise InputError(
            f"{key} has {format_count(len(data), 'row')}; {count} {'is' if count == 1 else 'are'} expected{of}"
        )
    configurations = product(*(range(states) for _, states in parents))
    return tuple(
        read_row(
            row,
            describe_row_place(key, number, configuration, parents),
            configuration,
            variable,
            parents,
            agreed,
            strict=strict,
        )
        for number, (row, configuration) in enumerate(zip(data, configurations, strict=True), 1)
    )


def describe_row_place(key: str, number: int, configuration: tuple[int, ...], parents: Parents) -> str:
    """Name a row.

    >>> describe_row_place("X1", 2, (1,), (("H", 2),))
    'X1 row 2 (H=1)'
    """
    states = ", ".join(f"{name}={state}" for (name, _), state in zip(parents, configuration, strict=True))
    return f"{key} row {number}" + (f" ({states})" if states else "")


def read_row(
    data: object,
    place: str,
    configuration: tuple[int, ...],
    variable: Variable,
    parents: Parents,
    agreed: Agreed,
    *,
    strict: bool,
) -> Row:
    """Read one row: a distribution over the states of the variable."""
    if not isinstance(data, (list, tuple)):
        raise InputError(
            f"{place}: {format_given_value(data)} is not a row; a list of {variable.states} values is expected"
        )
    if len(data) != variable.states:
        raise InputError(
            f"{place} has {format_count(len(data), 'value')}; {variable.states} are expected, one for each state of {variable.name}"
        )
    row = [read_exact_value(value, f"{place} entry {state + 1}") for state, value in enumerate(data)]
    tolerance = TOLERANCE if any(isinstance(value, (float, Decimal)) for value in data) else Fraction(0)
    for state, value in enumerate(row):
        if not 0 <= value <= 1:
            raise InputError(
                f"{place} entry {state + 1} is {format_given_value(data[state])}; a probability between 0 and 1 is allowed"
            )
    total = sum(row, Fraction(0))
    if abs(total - 1) > tolerance:
        within = "within 1e-9" if tolerance else "exactly"
        raise InputError(f"{place} sums to {format_value(total)}; a row sums to 1 {within}")
    bound = check_row_entries(row, place, configuration, variable, parents, agreed, tolerance)
    return fill_row(row, bound, place, strict=strict or not tolerance)


def check_row_entries(
    row: list[Fraction],
    place: str,
    configuration: tuple[int, ...],
    variable: Variable,
    parents: Parents,
    agreed: Agreed,
    tolerance: Fraction,
) -> set[int]:
    """Check the fixed and the named entries of a row, set them to their exact values, and return their states."""
    table = variable.local
    bound: set[int] = set()
    if not isinstance(table, Table):
        return bound
    for (at, state), value in table.fixed:
        if at == configuration:
            if abs(row[state] - value) > tolerance:
                raise InputError(
                    f"{place} entry {state + 1} is {format_value(row[state])}; {format_cell((at, state), variable.name, parents)} is fixed to {format_value(value)}"
                )
            row[state] = value
            bound.add(state)
    for (at, state), label in table.equal:
        if at == configuration:
            here = f"{place} entry {state + 1}"
            value, where = agreed.setdefault(label, (row[state], here))
            if abs(row[state] - value) > tolerance:
                raise InputError(
                    f"{here} is {format_value(row[state])} and {where} is {format_value(value)}; both are named {label} and must be equal"
                )
            row[state] = value
            bound.add(state)
    return bound


def fill_row(row: list[Fraction], bound: set[int], place: str, *, strict: bool) -> Row:
    """Make a row sum to 1 exactly by changing one free entry: the last, or the largest if the last would be negative.

    A row without a free entry is refused if it does not, or let be unless strict.
    """
    missing = 1 - sum(row, Fraction(0))
    if not missing:
        return tuple(row)
    free = [state for state in range(len(row)) if state not in bound]
    if not free and not strict:
        return tuple(row)
    if not free:
        raise InputError(
            f"{place} sums to {format_value(1 - missing)}, and all its entries are fixed or named; it must sum to 1 exactly. Write strings 'p/q'"
        )
    chosen = free[-1] if row[free[-1]] + missing >= 0 else max(free, key=lambda state: row[state])
    row[chosen] += missing
    if row[chosen] < 0:
        raise InputError(f"{place}: its fixed and named entries sum to more than 1")
    return tuple(row)
