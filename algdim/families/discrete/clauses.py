"""The family "discrete": what clauses mean for a network of variables with finitely many states."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from graphlib import TopologicalSorter
from itertools import pairwise
from typing import Any

from algdim.errors import listed
from algdim.families.classifier.model import Classifier
from algdim.families.discrete.locals import kind_of
from algdim.families.discrete.locals.classifier import Embedded
from algdim.families.discrete.locals.sigmoid import Sigmoid
from algdim.families.discrete.locals.table import Cell, Table, with_states
from algdim.families.discrete.model import (
    MOST_STATES,
    Local,
    Network,
    Variable,
    cycle_message,
    cycle_of,
    why_not_given,
    with_shared_entries,
)
from algdim.models.celltexts import CellEntry, cell_of
from algdim.models.clauses import Clauses, Inner, naming_text
from algdim.models.tokens import check_number, failure


def discrete(clauses: Clauses, argument: str = "") -> Network:
    """Build the discrete network that the clauses describe."""
    del argument  # the word takes none
    refuse_other_families(clauses)
    check_known(clauses)
    check_rules(clauses)
    parents: dict[str, list[str]] = {name: [] for name in clauses.names}
    for parent, child in clauses.edges:
        parents[child].append(parent)
    check_cycles(clauses, parents)
    states = states_of(clauses, parents)
    tables = tables_of(clauses, parents, states)
    variables = [
        Variable(
            name,
            states[name],
            name not in clauses.hidden,
            tuple(parents[name]),
            rule_of(clauses, name) or tables.get(name, Table()),
        )
        for name in clauses.names
    ]
    for variable in variables:
        wrong = why_not_given(variable) if variable.name in clauses.given else ""
        if wrong:
            raise failure(clauses.text, clauses.given[variable.name], wrong)
    with naming_text(clauses):
        return Network(with_shared_entries(variables), tuple(clauses.given))


def sigmoid(clauses: Clauses, argument: str = "") -> Network:
    """Build the network in which every variable is sigmoid of which no clause says anything else (GHM96 §8)."""
    for name in clauses.names:
        if name not in clauses.given:
            clauses.rules.setdefault(name, Sigmoid())
    return discrete(clauses, argument)


def rule_of(clauses: Clauses, name: str) -> Local | None:
    """The rule of a variable, with its share; the classifier that clauses in braces describe."""
    rule: Any = clauses.rules.get(name)
    if isinstance(rule, Inner):
        return Embedded(Classifier(discrete(rule.clauses), name))
    is_shared = rule is not None and name in clauses.share_of
    local: Local | None = replace(rule, share=clauses.share_of[name].text) if is_shared else rule
    return local


def refuse_other_families(clauses: Clauses) -> None:
    """Refuse what only other families have."""
    text = clauses.text
    for at in clauses.bidirected.values():
        raise failure(
            text, at, "an edge '<->' (correlated errors) belongs to the family gaussian; discrete has '->' and '<-'"
        )
    if clauses.leak is not None:
        raise failure(
            text, clauses.leak, "the clause 'leak' belongs to families of mechanisms such as noisy-or, not to discrete"
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


def check_cycles(clauses: Clauses, parents: Mapping[str, Sequence[str]]) -> None:
    """Raise if the edges form a cycle, at the first of its edges in the text."""
    cycle = cycle_of(parents)
    if cycle:
        at = min(clauses.edges[edge] for edge in pairwise(cycle))
        raise failure(clauses.text, at, cycle_message(cycle))


def check_rules(clauses: Clauses) -> None:
    """Raise if a variable without a table fixes or names entries, or shares them and may not."""
    entries = [entry for entry, _ in (*clauses.fixed, *clauses.equal)]
    for entry in entries:
        rule = clauses.rules.get(entry.name)
        if rule is not None and kind_of(rule.kind).shares:
            what = kind_of(rule.kind).what.format(kind=rule.kind)
            raise failure(
                clauses.text,
                entry.at,
                f"{entry.name} {what} and has no table whose entries can be fixed or equal; leave it out here",
            )
    for name, at in (
        *((name, share.at) for name, share in clauses.share_of.items()),
        *((entry.name, entry.at) for entry in entries),
    ):
        rule = clauses.rules.get(name)
        if rule is not None and not kind_of(rule.kind).shares:
            what = kind_of(rule.kind).what.format(kind=rule.kind)
            raise failure(
                clauses.text, at, f"{name} {what} and has no table; leave it out here, or leave out '{rule.kind}'"
            )


def states_of(clauses: Clauses, parents: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """Return the number of states of each variable: as it is said, else as a rule gives it, else 2."""
    states = dict.fromkeys(clauses.names, 2)
    for name, token in clauses.states.items():
        hidden = name in clauses.hidden
        kind = "a hidden variable" if hidden else "an observed variable"
        check_number(clauses.text, token, f"the number of states of {name}, {kind},", 1 if hidden else 2, MOST_STATES)
        states[name] = int(token.text)
    # a rule may stand on variables that have one themselves
    for name in TopologicalSorter({name: parents[name] for name in clauses.rules}).static_order():
        if name in clauses.rules and name not in clauses.states and parents[name]:
            states[name] = clauses.rules[name].states([states[parent] for parent in parents[name]])
    return states


def tables_of(clauses: Clauses, parents: Mapping[str, Sequence[str]], states: Mapping[str, int]) -> dict[str, Table]:
    """Return the tables about which the clauses say something."""
    fixed: dict[str, list[tuple[Cell, Fraction]]] = {}
    equal: dict[str, list[tuple[Cell, str]]] = {}
    seen: set[tuple[str, Cell]] = set()

    def place(entry: CellEntry) -> Cell:
        name = entry.name
        cell = cell_of(entry, with_states(parents[name], states), states[name], clauses.text)
        if (name, cell) in seen:
            raise failure(clauses.text, entry.at, f"this entry of {name} is fixed or named already; once is allowed")
        seen.add((name, cell))
        return cell

    for entry, value in clauses.fixed:
        fixed.setdefault(entry.name, []).append((place(entry), value))
    for entry, label in clauses.equal:
        equal.setdefault(entry.name, []).append((place(entry), label))
    shares = {name: share.text for name, share in clauses.share_of.items()}
    return {
        name: Table(shares.get(name), tuple(fixed.get(name, ())), tuple(equal.get(name, ())))
        for name in shares | fixed | equal
    }
