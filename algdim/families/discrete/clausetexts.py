"""A discrete network as clauses, in print."""

from __future__ import annotations

from itertools import groupby

from algdim.errors import InputError
from algdim.families.discrete.locals import CLAUSES, kind_of
from algdim.families.discrete.locals.classifier import Embedded
from algdim.families.discrete.locals.sigmoid import Sigmoid
from algdim.families.discrete.locals.table import Table, cell_text, with_states
from algdim.families.discrete.model import Network, Variable
from algdim.models.tokens import check_name
from algdim.models.values import fraction_text


def text_of_clauses(model: Network) -> str:
    """Print a model as clauses: edges, hidden, states, given, rules, share, fix, equal."""
    for variable in model.variables:
        check_name(variable.name, f"variable {variable.name[:60]!r}")
        if variable.local.kind not in (Table.kind, *CLAUSES):
            raise InputError(
                f"{variable.name} has the local {variable.local.kind!r}, which the notation cannot write; write a model file"
            )
    names = [variable.name for variable in model.variables]
    hidden = [variable.name for variable in model.hidden]
    states = states_to_print(model)

    def keeps_order(mentions: list[str]) -> bool:
        return list(dict.fromkeys([*mentions, *hidden, *states])) == names

    clauses, order = edge_clauses(model)
    if not keeps_order(order):
        others, other_order = edge_clauses_in_two(model)
        clauses, order = (others, other_order) if keeps_order(other_order) else (clauses, order)
    in_order = keeps_order(order)
    if hidden:
        clauses.append(f"hidden {', '.join(hidden)}")
    if not in_order:
        clauses.insert(0, states_clause(model.states))
    elif states:
        clauses.append(states_clause(states))
    if model.given:
        clauses.append(f"given {', '.join(model.given)}")
    with_numbers = [variable for variable in model.variables if variable.name not in model.given]
    family, rules = (
        ("sigmoid: ", []) if all(isinstance(v.local, Sigmoid) for v in with_numbers) else ("", rule_clauses(model))
    )
    return family + "; ".join([*clauses, *rules, *share_clauses(model), *entry_clauses(model)])


def states_to_print(model: Network) -> dict[str, int]:
    """Return the numbers of states that a reader would not assume, and those of variables without edges."""
    mentioned = {name for edge in model.edges for name in edge}
    return {
        variable.name: variable.states
        for variable in model.variables
        # what a rule gives is assumed, and nothing else is possible
        if variable.name not in mentioned or (variable.states != 2 and isinstance(variable.local, Table))
    }


def states_clause(states: dict[str, int]) -> str:
    """Print numbers of states.

    >>> states_clause({"A": 3, "B": 2})
    'states A=3, B=2'
    """
    return f"states {', '.join(f'{name}={count}' for name, count in states.items())}"


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


def edge_clauses_in_two(model: Network) -> tuple[list[str], list[str]]:
    """Print first the edges from parents that stand before, in chains, then the others: A -> B -> C -> D; U -> B, D."""
    place = {variable.name: index for index, variable in enumerate(model.variables)}
    first: list[tuple[tuple[str, ...], str]] = []
    later: dict[tuple[str, ...], list[str]] = {}
    for variable in model.variables:
        parents = variable.parents
        split = next((i for i, p in enumerate(parents) if place[p] > place[variable.name]), len(parents))
        if parents[:split]:
            first.append((parents[:split], variable.name))
        if parents[split:]:
            later.setdefault(parents[split:], []).append(variable.name)
    clauses: list[str] = []
    mentions: list[str] = []
    last: tuple[str, ...] = ()
    for left, group in groupby(first, key=lambda pair: pair[0]):
        children = [child for _, child in group]
        if left == last:
            clauses[-1] += f" -> {', '.join(children)}"
        else:
            clauses.append(f"{', '.join(left)} -> {', '.join(children)}")
        last = tuple(children)
        mentions += [*left, *children]
    for left, children in later.items():
        clauses.append(f"{', '.join(left)} -> {', '.join(children)}")
        mentions += [*left, *children]
    return clauses, list(dict.fromkeys(mentions))


def rule_clauses(model: Network) -> list[str]:
    """Print the variables that are functions of their parents, and the sigmoid ones, rule by rule."""
    members: dict[str, list[str]] = {}
    for variable in model.variables:
        rule = variable.local
        if isinstance(rule, Embedded):
            members[f"{rule.kind} {variable.name} {{{text_of_clauses(rule.classifier.network)}}}"] = []
        elif not isinstance(rule, Table):
            members.setdefault(kind_of(rule.kind).head(rule), []).append(variable.name)
    return [f"{word} {', '.join(names)}".rstrip() for word, names in members.items()]


def share_clauses(model: Network) -> list[str]:
    """Print the shared tables in the order of their first variables."""
    members: dict[str, list[str]] = {}
    for variable in model.variables:
        if variable.local.share is not None:
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
        parents = with_states(variable.parents, states)
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
