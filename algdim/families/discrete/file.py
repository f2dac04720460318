"""The model file of the family "discrete": a dictionary to a network and back.

Values of fixed entries are strings ``"p/q"`` or numbers; a decimal number is read exactly as it is written (0.1 is
1/10). Entries that are fixed or named at one variable of a share hold for all of them, and are written at the first.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from algdim.errors import InputError, listed
from algdim.families.classifier.model import Classifier
from algdim.families.discrete.locals.classifier import Embedded
from algdim.families.discrete.locals.forms import LocalForm, checked, read_share
from algdim.families.discrete.locals.function import RULES, AtLeast, Deterministic
from algdim.families.discrete.locals.sigmoid import FORM as SIGMOID
from algdim.families.discrete.locals.sigmoid import Sigmoid
from algdim.families.discrete.locals.table import FREE, Parents, Table, cell_text, with_states
from algdim.families.discrete.mechanisms import NOISY, NoisyMaximum, expanded
from algdim.families.discrete.model import MOST_VARIABLES, Local, Network, Variable, with_shared_entries
from algdim.families.discrete.tabletrees import tree_names
from algdim.models.celltexts import cell_of, parse_entry
from algdim.models.filevariables import LABELLED_KEYS, read_variables
from algdim.models.tokens import REFUSED, check_name
from algdim.models.values import check_keys, exact_value, fraction_text, mapping_of, shown

KEYS = ("family", "variables", "edges", "local", "given")
TABLE_KEYS = ("type", "share", "fixed", "equal", "tree")
RULE_KEYS = ("type",)
AT_LEAST_KEYS = ("type", "n")
EMBEDDED_KEYS = ("type", "network")
NOISY_KEYS = ("type", "leak", "mechanisms")


def from_dictionary(data: dict[str, Any]) -> Network:
    """Build a discrete network."""
    check_keys(data, KEYS, "the model")
    bare = read_variables(data.get("variables"), LABELLED_KEYS)
    parents = read_edges(data.get("edges", []), bare)
    locals_ = mapping_of(data.get("local", {}), "local")
    for name in locals_:
        if name not in bare:
            raise InputError(f"local.{name[:60]}: there is no variable {name[:60]}; known are {listed(bare)}")
    given = data.get("given", [])
    if not isinstance(given, (list, tuple)) or not all(isinstance(name, str) for name in given):
        raise InputError(f"given: {shown(given)} is not a list of names")
    variables = []
    for name, variable in bare.items():
        with_parents = Variable(name, variable.states, variable.observed, tuple(parents[name]))
        states = tuple((parent, bare[parent].states) for parent in with_parents.parents)
        local = read_local(locals_[name], f"local.{name}", with_parents, states) if name in locals_ else FREE
        variables.append(replace(with_parents, local=local, labels=variable.labels))
    return Network(with_shared_entries(expanded(variables)), tuple(given))


def read_edges(data: object, variables: dict[str, Variable]) -> dict[str, list[str]]:
    """Read the edges and return the parents of each variable, in the order of the edges."""
    if not isinstance(data, (list, tuple)):
        raise InputError(f'edges is {shown(data)}; a list such as [["A", "B"]] is expected')
    parents: dict[str, list[str]] = {name: [] for name in variables}
    seen = set()
    for index, item in enumerate(data):
        place = f"edges[{index}]"
        if not isinstance(item, (list, tuple)) or len(item) != 2 or not all(isinstance(name, str) for name in item):
            raise InputError(f'{place} is {shown(item)}; a pair of names ["parent", "child"] is expected')
        parent, child = item
        for name in item:
            if name not in variables:
                raise InputError(f"{place}: there is no variable {name[:60]}; known are {listed(variables)}")
        if parent == child:
            raise InputError(f"{place}: an edge from {parent} to itself; an edge joins two different variables")
        if (parent, child) in seen:
            raise InputError(f"{place}: the edge {parent} -> {child} stands twice; once is allowed")
        seen.add((parent, child))
        parents[child].append(parent)
    return parents


def read_local(data: object, place: str, variable: Variable, parents: Parents) -> Local:
    """Read how a variable depends on its parents."""
    entry = mapping_of(data, place)
    kind = entry.get("type")
    if kind is None:
        raise InputError(f"{place}.type is missing; available: {listed(LOCALS)}")
    if isinstance(kind, str) and kind in REFUSED:
        raise InputError(f"{place}.type: {REFUSED[kind]}")
    if not isinstance(kind, str) or kind not in LOCALS:
        raise InputError(f"{place}.type: {shown(kind)} is not available in this version; available: {listed(LOCALS)}")
    return LOCALS[kind].read(entry, place, variable, parents)


def read_table(data: dict[str, Any], place: str, variable: Variable, parents: Parents) -> Local:
    """Read a table: its share, its fixed entries, its named entries, its rows that are equal as a tree says."""
    check_keys(data, TABLE_KEYS, place)
    share = read_share(data, place)
    fixed = []
    for key, value in mapping_of(data.get("fixed", {}), f"{place}.fixed").items():
        where = f"{place}.fixed[{key[:80]!r}]"
        fixed.append((read_cell(key, where, variable, parents), exact_value(value, where)))
    equal = []
    for key, label in mapping_of(data.get("equal", {}), f"{place}.equal").items():
        where = f"{place}.equal[{key[:80]!r}]"
        if not isinstance(label, str):
            raise InputError(f"{where} is {shown(label)}; a name for the equal entries is expected")
        check_name(label, where)
        equal.append((read_cell(key, where, variable, parents), label))
    if "tree" in data:
        equal += tree_names(data["tree"], f"{place}.tree", share or variable.name, variable.states, parents)
    # a table is checked here too, because equal duplicates would be lost when the members of a share are joined
    return checked(Table(share, tuple(fixed), tuple(equal)), place, variable, parents)


def read_cell(key: str, place: str, variable: Variable, parents: Parents) -> tuple[tuple[int, ...], int]:
    """Read the name of an entry of this variable's table."""
    try:
        entry = parse_entry(key)
        cell = cell_of(entry, parents, variable.states, key) if entry.name == variable.name else None
    except InputError as error:
        raise InputError(f"{place}: {error}") from None
    if cell is None:
        raise InputError(f"{place}: this is an entry of {entry.name}, not of {variable.name}")
    return cell


def write_table(table: Table, variable: Variable, parents: Parents, first: bool) -> dict[str, Any]:
    """Write a table; ``first`` says whether it is the first that is met of its share."""
    data: dict[str, Any] = {"type": "table"}
    if table.share is not None:
        data["share"] = table.share
    if table.fixed and first:
        data["fixed"] = {cell_text(cell, variable.name, parents): fraction_text(value) for cell, value in table.fixed}
    if table.equal and first:
        data["equal"] = {cell_text(cell, variable.name, parents): label for cell, label in table.equal}
    return data


def read_rule(data: dict[str, Any], place: str, variable: Variable, parents: Parents) -> Local:
    """Read the rule of a variable that is a function of its parents."""
    kind = data["type"]
    if kind != AtLeast.kind:
        check_keys(data, RULE_KEYS, place)
        return checked(RULES[kind], place, variable, parents)
    check_keys(data, AT_LEAST_KEYS, place)
    n = data.get("n")
    if not isinstance(n, int) or isinstance(n, bool) or not 1 <= n <= MOST_VARIABLES:
        what = "is missing" if n is None else f"is {shown(n)}"
        raise InputError(f"{place}.n {what}; the number of parents that must be 1 is expected, from 1 to all of them")
    return checked(AtLeast(n), place, variable, parents)


def write_rule(rule: Deterministic, variable: Variable, parents: Parents, first: bool) -> dict[str, Any]:
    """Write the rule of a variable that is a function of its parents."""
    del variable, parents, first  # a rule says nothing about them
    return {"type": rule.kind, "n": rule.n} if isinstance(rule, AtLeast) else {"type": rule.kind}


def read_noisy(data: dict[str, Any], place: str, variable: Variable, parents: Parents) -> Local:
    """Read an effect of mechanisms that do nothing without their causes; every parent has one of its own by default."""
    check_keys(data, NOISY_KEYS, place)
    leak = data.get("leak", False)
    if not isinstance(leak, bool):
        raise InputError(f"{place}.leak is {shown(leak)}; true or false is allowed")
    if data["type"] == NOISY[0] and variable.states != 2:
        raise InputError(
            f"{place}: {variable.name} has {variable.states} states; noisy-or takes 2, noisy-max any number"
        )
    groups = data.get("mechanisms", [[parent] for parent, _ in parents])
    is_list = isinstance(groups, (list, tuple))
    if not is_list or not all(
        isinstance(causes, (list, tuple)) and all(isinstance(cause, str) for cause in causes) for causes in groups
    ):
        raise InputError(
            f'{place}.mechanisms is {shown(groups)}; lists of causes such as [["A", "B"], ["C"]] are expected'
        )
    return checked(NoisyMaximum(tuple(tuple(causes) for causes in groups), leak), place, variable, parents)


def write_noisy(local: Local, variable: Variable, parents: Parents, first: bool) -> dict[str, Any]:
    """Nothing is written: a model has the mechanisms in its place."""
    del parents, first
    raise InputError(f"{variable.name}: the {local.kind} was not expanded into its mechanisms")


def read_embedded(data: dict[str, Any], place: str, variable: Variable, parents: Parents) -> Local:
    """Read a classifier: a network over the variable and its parents, as the model file has networks."""
    check_keys(data, EMBEDDED_KEYS, place)
    network = mapping_of(data.get("network"), f"{place}.network")
    inner = network.get("local")
    for name, entry in inner.items() if isinstance(inner, dict) else ():
        if isinstance(entry, dict) and entry.get("type") == Embedded.kind:  # before it is read: files can be deep
            raise InputError(f"{place}.network.local.{str(name)[:60]}: a classifier within a classifier is not allowed")
    try:
        local = Embedded(Classifier(from_dictionary(network), variable.name))
    except InputError as error:
        raise InputError(f"{place}.network: {error}") from None
    return checked(local, place, variable, parents)


def write_embedded(local: Embedded, variable: Variable, parents: Parents, first: bool) -> dict[str, Any]:
    """Write a classifier."""
    del variable, parents, first
    return {"type": local.kind, "network": to_dictionary(local.classifier.network)}


LOCALS: dict[str, LocalForm] = {
    "table": LocalForm(read_table, write_table),
    **dict.fromkeys((*RULES, AtLeast.kind), LocalForm(read_rule, write_rule)),
    **dict.fromkeys(NOISY, LocalForm(read_noisy, write_noisy)),
    Sigmoid.kind: SIGMOID,
    Embedded.kind: LocalForm(read_embedded, write_embedded),
}
"""The kinds of local that are available, by the name that stands under "type"."""


def to_dictionary(model: Network) -> dict[str, Any]:
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
                f"{variable.name}: a local of the kind {variable.local.kind} cannot be written; available: {listed(LOCALS)}"
            )
        parents = with_states(variable.parents, states)
        share = variable.local.share
        locals_[variable.name] = LOCALS[variable.local.kind].write(
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
