"""Describe discrete networks as certificates do: variables with parents, and tables whose entries are written out.

What is shared, fixed, named or tied becomes sums of numbers and parameters, with values of the named parameters at which
nothing but zeros vanishes; a rule of many parents becomes a chain of hidden variables.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import prod
from typing import Any, cast

from algdim.errors import LimitError
from algdim.families.classifier.model import Classifier
from algdim.families.contract import JsonNode
from algdim.families.discrete.locals.classifier import Embedded
from algdim.families.discrete.locals.contract import Affine
from algdim.families.discrete.locals.function import Deterministic, build_chain
from algdim.families.discrete.locals.sigmoid import Sigmoid, Weighted
from algdim.families.discrete.locals.table import Table
from algdim.families.discrete.map import ParamMap, get_param_map
from algdim.families.discrete.model import Network, Variable

Expression = dict[str, Fraction]
"""Numbers by the names of parameters; "1" stands for the number 1."""


MOST_NAMES = 60
"""A linear program over the rationals is solved for this many named parameters at most."""


def encode_network(network: Network, pmap: ParamMap) -> JsonNode:
    """The model of a claim, from a network and its map.

    >>> from algdim.families.discrete.map import get_param_map
    >>> from algdim.models.notation import parse
    >>> model = parse("A -> B; fix P(B=0|A=0)=1")
    >>> encode_network(model, get_param_map(model))["tables"]["B"]
    [['1', '0'], [{'P(B=0|A=1)': '1'}, {'1': '1', 'P(B=0|A=1)': '-1'}]]
    """
    sizes = network.states
    taken = {*sizes, *pmap.owners}
    arrays = dict(zip(pmap.owners, pmap.arrays, strict=True))
    variables: list[JsonNode] = []
    tables: dict[str, list[list[Expression]]] = {}
    others: dict[str, Any] = {}
    for variable in network.variables:
        local = variable.local
        if isinstance(local, Deterministic):
            for item, array in iterate_chain_links(variable, local, sizes, taken):
                variables.append(item)
                tables[item["name"]] = list_entry_rows(array, ())
            continue
        share = {} if local.share is None else {"table": local.share}
        variables.append(
            {**encode_variable(variable.name, variable.states, variable.parents, variable.observed), **share}
        )
        owner = local.share or variable.name
        if isinstance(local, Sigmoid):
            others[owner] = local.kind
        elif isinstance(local, Weighted):
            from algdim.certificate.exporting import NotProvedError

            raise NotProvedError(f"{variable.name} is {local.kind}; certificates have tables and log-odds")
        elif isinstance(local, Embedded):
            others[owner] = encode_classifier(local.classifier)
        elif not isinstance(local, Table) or local.fixed or local.equal:
            # whatever else is affine in the parameters is written out
            tables[owner] = list_entry_rows(cast("Affine", arrays[owner]), pmap.parameters)
    found: JsonNode = {"family": "discrete", "variables": variables}
    lines = [row for rows in tables.values() for row in rows]
    names = dict.fromkeys(name for row in lines for entry in row for name in entry if name != "1")
    if tables or others:
        written = {owner: [[encode_entry(entry) for entry in row] for row in rows] for owner, rows in tables.items()}
        found["tables"] = {**written, **others}
    if names:
        found["names"] = {name: str(value) for name, value in find_inner_values(list(names), lines).items()}
    return found | ({"given": list(network.given)} if network.given else {})


def encode_classifier(model: Classifier) -> JsonNode:
    """A classifier: its network as a discrete model, and the class."""
    return encode_network(model.network, get_param_map(model.network)) | {"family": model.family, "class": model.label}


def encode_variable(name: str, states: int, parents: Sequence[str], observed: bool) -> JsonNode:
    """A variable as it is written."""
    return {"name": name, "states": states, "observed": observed, "parents": list(parents)}


def iterate_chain_links(
    variable: Variable, local: Deterministic, sizes: Mapping[str, int], taken: set[str]
) -> Iterator[tuple[JsonNode, Affine]]:
    """A rule as a chain of tables, the last of which is the variable's."""
    inner, arrays = build_chain(local, [sizes[parent] for parent in variable.parents])
    before, rest = list(variable.parents[:1]), variable.parents[1:] or ("",)
    for number, (parent, array) in enumerate(zip(rest, arrays, strict=True)):
        parents = [*before, *([parent] if parent else [])]
        if number == len(inner):
            yield encode_variable(variable.name, variable.states, parents, variable.observed), array
            return
        name = f"{variable.name}.{number + 2}"
        while name in taken:
            name += "_"
        taken.add(name)
        yield encode_variable(name, inner[number], parents, observed=False), array
        before = [name]


def list_entry_rows(array: Affine, parameters: Sequence[str]) -> list[list[Expression]]:
    """The entries of an array, row by row."""
    entries: list[Expression] = [{"1": Fraction(int(x) if not isinstance(x, Fraction) else x)} for x in array.constants]
    triples = zip(array.entry.tolist(), array.parameter.tolist(), array.coefficient, strict=True)
    for entry, parameter, coefficient in sorted(triples, key=lambda triple: triple[:2]):
        entries[entry][parameters[parameter]] = Fraction(
            coefficient if isinstance(coefficient, Fraction) else int(coefficient)
        )
    without_zeros = [{name: x for name, x in entry.items() if x} for entry in entries]
    width = array.shape[-1]
    return [without_zeros[k : k + width] for k in range(0, prod(array.shape), width)]


def encode_entry(entry: Expression) -> Any:
    """An entry as it is written: a number alone, or numbers by name."""
    if entry.keys() <= {"1"}:
        return str(entry.get("1", Fraction(0)))
    return {name: str(x) for name, x in entry.items()}


def find_inner_values(names: Sequence[str], rows: Sequence[Sequence[Expression]]) -> dict[str, Fraction]:
    """Values at which no entry but zeros vanishes: small ones where that will do, else by a linear program."""
    entries = [entry for row in rows for entry in row if entry]
    for power in (1, 2, 3, 5, 8, 13, 21, 40, 80):
        values = dict.fromkeys(names, Fraction(1, 1 << power))
        if all(sum(x * values.get(name, 1) for name, x in entry.items()) > 0 for entry in entries):
            return values
    if len(names) > MOST_NAMES:
        raise LimitError(
            f"{len(names)} names of entries that are tied; certificates are written for at most {MOST_NAMES}"
        )
    from sympy import Rational, Symbol
    from sympy.solvers.simplex import lpmax

    least, symbols = Symbol("least"), {name: Symbol(f"x{number}") for number, name in enumerate(names)}
    limits = [
        sum(Rational(x.numerator, x.denominator) * symbols.get(name, Rational(1)) for name, x in entry.items()) >= least
        for entry in entries
    ]
    solved = lpmax(least, [*limits, least <= 1])[1]
    return {name: Fraction(int(solved[symbol].p), int(solved[symbol].q)) for name, symbol in symbols.items()}
