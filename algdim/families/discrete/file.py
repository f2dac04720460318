"""The model file of the family "discrete": a dictionary to a network and back.

Values of fixed entries are strings ``"p/q"`` or numbers; a decimal number is read exactly as it is written (0.1 is
1/10). Entries that are fixed or named at one variable of a share hold for all of them, and are written at the first.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from algdim.errors import InputError, join_names
from algdim.families.discrete.locals import LOCALS, get_local_kind
from algdim.families.discrete.locals.table import FREE, Parents, add_states
from algdim.families.discrete.mechanisms import expand_noisy_maxima
from algdim.families.discrete.model import Local, MakeNetwork, Network, Variable, merge_shared_entries
from algdim.models.anymodel import LABELLED_KEYS, read_variables
from algdim.models.tokens import REFUSED, check_name
from algdim.models.values import check_keys, format_given_value, read_pairs, require_mapping

KEYS = ("family", "variables", "edges", "local", "given")


def read_dictionary(data: dict[str, Any], of: MakeNetwork = Network) -> Network:
    """Build a discrete network."""
    check_keys(data, KEYS, "the model")
    bare = read_variables(data.get("variables"), LABELLED_KEYS)
    parents = read_edges(data.get("edges", []), bare)
    locals_ = require_mapping(data.get("local", {}), "local")
    for name in locals_:
        if name not in bare:
            raise InputError(f"local.{name[:60]}: there is no variable {name[:60]}; known are {join_names(bare)}")
    given = data.get("given", [])
    if not isinstance(given, (list, tuple)) or not all(isinstance(name, str) for name in given):
        raise InputError(f"given: {format_given_value(given)} is not a list of names")
    variables = []
    for name, variable in bare.items():
        with_parents = Variable(name, variable.states, variable.observed, tuple(parents[name]))
        states = tuple((parent, bare[parent].states) for parent in with_parents.parents)
        local = read_local(locals_[name], f"local.{name}", with_parents, states) if name in locals_ else FREE
        variables.append(replace(with_parents, local=local, labels=variable.labels))
    return of(merge_shared_entries(expand_noisy_maxima(variables)), tuple(given))


def read_edges(data: object, variables: dict[str, Variable]) -> dict[str, list[str]]:
    """Read the edges and return the parents of each variable, in the order of the edges."""
    parents: dict[str, list[str]] = {name: [] for name in variables}
    seen = set()
    for index, (parent, child) in enumerate(read_pairs(data, "edges", '["parent", "child"]')):
        place = f"edges[{index}]"
        for name in (parent, child):
            if name not in variables:
                raise InputError(f"{place}: there is no variable {name[:60]}; known are {join_names(variables)}")
        if parent == child:
            raise InputError(f"{place}: an edge from {parent} to itself; an edge joins two different variables")
        if (parent, child) in seen:
            raise InputError(f"{place}: the edge {parent} -> {child} occurs twice; once is allowed")
        seen.add((parent, child))
        parents[child].append(parent)
    return parents


def read_local(data: object, place: str, variable: Variable, parents: Parents) -> Local:
    """Read how a variable depends on its parents."""
    entry = require_mapping(data, place)
    kind = entry.get("type")
    if kind is None:
        raise InputError(f"{place}.type is missing; available: {join_names(LOCALS)}")
    if isinstance(kind, str) and kind in REFUSED:
        raise InputError(f"{place}.type: {REFUSED[kind]}")
    if not isinstance(kind, str) or kind not in LOCALS:
        raise InputError(
            f"{place}.type: {format_given_value(kind)} is not available in this version; available: {join_names(LOCALS)}"
        )
    return get_local_kind(kind).read(entry, place, variable, parents)


def write_dictionary(model: Network) -> dict[str, Any]:
    """Write a discrete network."""
    states = model.states
    locals_: dict[str, Any] = {}
    shares: set[str] = set()
    for index, variable in enumerate(model.variables):
        check_name(variable.name, f"variables[{index}].name")
        if variable.local == FREE:
            continue
        if variable.local.kind not in LOCALS:
            raise InputError(
                f"{variable.name}: a local of the kind {variable.local.kind} cannot be written; available: {join_names(LOCALS)}"
            )
        parents = add_states(variable.parents, states)
        share = variable.local.share
        locals_[variable.name] = get_local_kind(variable.local.kind).write(
            variable.local, variable, parents, share not in shares
        )
        if share is not None:
            shares.add(share)
    data: dict[str, Any] = {
        "family": model.family,
        "variables": [
            {"name": v.name, "states": v.states, "observed": v.observed}
            | ({"labels": list(v.labels)} if v.labels else {})
            for v in model.variables
        ],
        "edges": [list(edge) for edge in model.edges],
    }
    if locals_:
        data["local"] = locals_
    if model.given:
        data["given"] = list(model.given)
    return data
