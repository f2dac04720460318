"""The family "discrete": which clauses describe a network, what they mean, and a network as clauses, in print."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from graphlib import TopologicalSorter
from itertools import groupby, pairwise
from typing import Any, ClassVar, Protocol, cast

from algdim.errors import InputError, describe_closest_word, join_names
from algdim.families.discrete.celltexts import CellEntry, match_cell, read_entry
from algdim.families.discrete.locals import CLAUSES, get_local_kind
from algdim.families.discrete.locals.sigmoid import Sigmoid, Weighted
from algdim.families.discrete.locals.table import Cell, Table, add_states, format_cell
from algdim.families.discrete.model import (
    Local,
    MakeNetwork,
    Network,
    Variable,
    describe_cycle,
    explain_not_given,
    find_cycle,
    merge_shared_entries,
)
from algdim.models.clauses import (
    Clauses,
    Reader,
    add_text_to_errors,
    make_dialect,
    make_equal_reader,
    make_fix_reader,
    read_hidden,
    read_list,
    read_states,
)
from algdim.models.tokens import Cursor, Token, check_name, check_number, make_position_error
from algdim.models.values import MOST_STATES, format_fraction, read_probability


class Rule(Protocol):
    """What a clause such as ``max LIST`` says of variables: a local that knows how many states it gives."""

    kind: ClassVar[str]

    def states(self, counts: Sequence[int]) -> int:
        """The number of states of a variable whose parents have this many."""


@dataclass(slots=True)
class NetworkClauses(Clauses):
    """What the clauses of a discrete network say."""

    given: dict[str, int] = field(default_factory=dict)
    rules: dict[str, Rule] = field(default_factory=dict)
    shares: set[str] = field(default_factory=set)
    share_of: dict[str, Token] = field(default_factory=dict)  # the name of its share, at the variable's position
    fixed: list[tuple[CellEntry, Fraction]] = field(default_factory=list)
    equal: list[tuple[CellEntry, str]] = field(default_factory=list)


def read_given(cursor: Cursor, clauses: NetworkClauses) -> None:
    """Read the rest of ``given LIST``."""
    for token in read_list(cursor, clauses, "the name of a variable that is conditioned on"):
        if token.text in clauses.given:
            raise make_position_error(clauses.text, token.at, f"{token.text} is given already; name it once")
        clauses.given[token.text] = token.at


def read_rule(cursor: Cursor, clauses: NetworkClauses) -> None:
    """Read the rest of a clause such as ``max LIST`` or ``at-least N LIST``."""
    word = cursor.last.text
    kind = get_local_kind(word)
    if kind.clause is not None:
        add_rule(clauses, *kind.clause(cursor, clauses))
        return
    if cursor.meets(":"):
        cursor.fail(f"a variable's name after '{word}'", "a family word and its ':' stand at the beginning of the text")
    rule: Rule = cast("Callable[[str, Cursor], Rule]", kind.rule)(word, cursor)
    for token in read_list(cursor, clauses, f"the name of a variable for '{word}'"):
        add_rule(clauses, token, rule)


def add_rule(clauses: NetworkClauses, token: Token, rule: Rule) -> None:
    """Note the rule of a variable that has none yet."""
    if token.text in clauses.rules:
        other = clauses.rules[token.text].kind
        raise make_position_error(
            clauses.text, token.at, f"{token.text} has the rule '{other}' already; a variable has one"
        )
    clauses.rules[token.text] = rule


def read_share(cursor: Cursor, clauses: NetworkClauses) -> None:
    """Read the rest of ``share NAME: LIST``."""
    share = cursor.name("the name of a shared table")
    if share.text in clauses.shares:
        raise make_position_error(
            clauses.text, share.at, f"share {share.text} occurs twice; name all its variables in one clause"
        )
    clauses.shares.add(share.text)
    cursor.require(":", "after the name of the shared table")
    for token in read_list(cursor, clauses, "the name of a variable that shares the table"):
        if token.text in clauses.share_of:
            raise make_position_error(
                clauses.text,
                token.at,
                f"{token.text} is in share {clauses.share_of[token.text].text} already; a variable has one table",
            )
        clauses.share_of[token.text] = share._replace(at=token.at)


def refuse_leak(cursor: Cursor, clauses: NetworkClauses) -> None:
    """Say who has the clause ``leak``."""
    message = "the clause 'leak' belongs to families of mechanisms such as noisy-or, not to discrete"
    raise make_position_error(clauses.text, cursor.last.at, message)


CLAUSE_READERS: dict[str, Reader] = {
    "hidden": read_hidden,
    "given": read_given,
    "states": read_states,
    "share": read_share,
    "fix": make_fix_reader(read_entry, read_probability),  # P(X=1|H=0)=1/3, …
    "equal": make_equal_reader(read_entry, "entries"),
    "leak": refuse_leak,
    **dict.fromkeys(CLAUSES, read_rule),
}
"""What reads the rest of a clause after each of the clause words."""

DISCRETE = make_dialect("the family discrete", CLAUSE_READERS, record=NetworkClauses)


def build_discrete(clauses: NetworkClauses, argument: str = "", of: MakeNetwork = Network) -> Network:
    """Build the discrete network that the clauses describe."""
    del argument  # the word takes none
    for at in clauses.bidirected.values():
        message = "an edge '<->' (correlated errors) belongs to the family gaussian; discrete has '->' and '<-'"
        raise make_position_error(clauses.text, at, message)
    check_known(clauses)
    check_rules(clauses)
    parents: dict[str, list[str]] = {name: [] for name in clauses.names}
    for parent, child in clauses.edges:
        parents[child].append(parent)
    check_cycles(clauses, parents)
    states = choose_states(clauses, parents)
    tables = build_tables(clauses, parents, states)
    variables = [
        Variable(
            name,
            states[name],
            name not in clauses.hidden,
            tuple(parents[name]),
            find_rule(clauses, name) or tables.get(name, Table()),
        )
        for name in clauses.names
    ]
    for variable in variables:
        wrong = explain_not_given(variable) if variable.name in clauses.given else ""
        if wrong:
            raise make_position_error(clauses.text, clauses.given[variable.name], wrong)
    with add_text_to_errors(clauses):
        return of(merge_shared_entries(variables), tuple(clauses.given))


def build_sigmoid(clauses: NetworkClauses, argument: str = "") -> Network:
    """Build the network; variables without another rule become sigmoid (GHM96 §8)."""
    for name in clauses.names:
        if name not in clauses.given:
            clauses.rules.setdefault(name, Sigmoid())
    return build_discrete(clauses, argument)


def find_rule(clauses: NetworkClauses, name: str) -> Local | None:
    """The rule of a variable, with its share."""
    rule: Any = clauses.rules.get(name)
    is_shared = rule is not None and name in clauses.share_of
    local: Local | None = replace(rule, share=clauses.share_of[name].text) if is_shared else rule
    return local


def check_known(clauses: NetworkClauses) -> None:
    """Raise unless every name stands beside an arrow or in `states`."""
    for name, at in clauses.names.items():
        if name not in clauses.introduced:
            known = join_names(sorted(clauses.introduced)) or "none"
            raise make_position_error(
                clauses.text,
                at,
                f"there is no variable {name}{describe_closest_word(name, clauses.introduced)}; edges and 'states' introduce variables, so far: {known}",
            )


def check_cycles(clauses: NetworkClauses, parents: Mapping[str, Sequence[str]]) -> None:
    """Raise if the edges form a cycle, at the first of its edges in the text."""
    cycle = find_cycle(parents)
    if cycle:
        at = min(clauses.edges[edge] for edge in pairwise(cycle))
        raise make_position_error(clauses.text, at, describe_cycle(cycle))


def check_rules(clauses: NetworkClauses) -> None:
    """Raise if a variable without a table fixes or names entries, or shares them and may not."""
    entries = [entry for entry, _ in (*clauses.fixed, *clauses.equal)]
    for entry in entries:
        rule = clauses.rules.get(entry.name)
        if rule is not None and get_local_kind(rule.kind).shares:
            what = get_local_kind(rule.kind).what.format(kind=rule.kind)
            raise make_position_error(
                clauses.text,
                entry.at,
                f"{entry.name} {what} and has no table whose entries can be fixed or equal; leave it out here",
            )
    for name, at in (
        *((name, share.at) for name, share in clauses.share_of.items()),
        *((entry.name, entry.at) for entry in entries),
    ):
        rule = clauses.rules.get(name)
        if rule is not None and not get_local_kind(rule.kind).shares:
            what = get_local_kind(rule.kind).what.format(kind=rule.kind)
            raise make_position_error(
                clauses.text, at, f"{name} {what} and has no table; leave it out here, or leave out '{rule.kind}'"
            )


def choose_states(clauses: NetworkClauses, parents: Mapping[str, Sequence[str]]) -> dict[str, int]:
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


def build_tables(
    clauses: NetworkClauses, parents: Mapping[str, Sequence[str]], states: Mapping[str, int]
) -> dict[str, Table]:
    """Return the tables about which the clauses say something."""
    fixed: dict[str, list[tuple[Cell, Fraction]]] = {}
    equal: dict[str, list[tuple[Cell, str]]] = {}
    seen: set[tuple[str, Cell]] = set()

    def place(entry: CellEntry) -> Cell:
        name = entry.name
        cell = match_cell(entry, add_states(parents[name], states), states[name], clauses.text)
        if (name, cell) in seen:
            raise make_position_error(
                clauses.text, entry.at, f"this entry of {name} is fixed or named already; once is allowed"
            )
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


def format_clauses(model: Network) -> str:
    """Print a model as clauses: edges, hidden, states, given, rules, share, fix, equal."""
    for variable in model.variables:
        check_name(variable.name, f"variable {variable.name[:60]!r}")
        if variable.local.kind not in (Table.kind, *CLAUSES):
            raise InputError(
                f"{variable.name} has the local {variable.local.kind!r}, which the notation cannot write; write a model file"
            )
    names = [variable.name for variable in model.variables]
    hidden = [variable.name for variable in model.hidden]
    states = select_states(model)

    def keeps_order(mentions: list[str]) -> bool:
        return list(dict.fromkeys([*mentions, *hidden, *states])) == names

    clauses, order = format_edges(model)
    if not keeps_order(order):
        others, other_order = format_edges_in_two(model)
        clauses, order = (others, other_order) if keeps_order(other_order) else (clauses, order)
    in_order = keeps_order(order)
    if hidden:
        clauses.append(f"hidden {', '.join(hidden)}")
    if not in_order:
        clauses.insert(0, format_states(model.states))
    elif states:
        clauses.append(format_states(states))
    if model.given:
        clauses.append(f"given {', '.join(model.given)}")
    with_numbers = [variable for variable in model.variables if variable.name not in model.given]
    family, rules = (
        ("sigmoid: ", []) if all(v.local.kind == Sigmoid.kind for v in with_numbers) else ("", format_rules(model))
    )
    return family + "; ".join([*clauses, *rules, *format_shares(model), *format_entries(model)])


def select_states(model: Network) -> dict[str, int]:
    """Return the numbers of states that a reader would not assume, and those of variables without edges."""
    mentioned = {name for edge in model.edges for name in edge}
    return {
        variable.name: variable.states
        for variable in model.variables
        # what a rule gives is assumed, and nothing else is possible
        if variable.name not in mentioned or (variable.states != 2 and isinstance(variable.local, Table | Weighted))
    }


def format_states(states: Mapping[str, int]) -> str:
    """Print numbers of states.

    >>> format_states({"A": 3, "B": 2})
    'states A=3, B=2'
    """
    return f"states {', '.join(f'{name}={count}' for name, count in states.items())}"


def format_edges(model: Network) -> tuple[list[str], list[str]]:
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


def format_edges_in_two(model: Network) -> tuple[list[str], list[str]]:
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


def format_rules(model: Network) -> list[str]:
    """Print the variables that are functions of their parents, and the sigmoid ones, rule by rule."""
    members: dict[str, list[str]] = {}
    for variable in model.variables:
        rule = variable.local
        if isinstance(rule, Table):
            continue
        kind = get_local_kind(rule.kind)
        names = members.setdefault(kind.head(rule), [])
        if kind.clause is None:  # else the head says of which variable it is
            names.append(variable.name)
    return [f"{word} {', '.join(names)}".rstrip() for word, names in members.items()]


def format_shares(model: Network) -> list[str]:
    """Print the shared tables in the order of their first variables."""
    members: dict[str, list[str]] = {}
    for variable in model.variables:
        if variable.local.share is not None:
            members.setdefault(variable.local.share, []).append(variable.name)
    for share in members:
        check_name(share, f"share {share[:60]!r}")
    return [f"share {share}: {', '.join(names)}" for share, names in members.items()]


def format_entries(model: Network) -> list[str]:
    """Print the fixed and the named entries, those of a shared table at its first variable."""
    fixed: list[str] = []
    equal: dict[str, list[str]] = {}
    states = model.states
    for variable, table in select_distinct_tables(model):
        parents = add_states(variable.parents, states)
        fixed += [
            f"{format_cell(cell, variable.name, parents)}={format_fraction(value)}" for cell, value in table.fixed
        ]
        for cell, label in table.equal:
            check_name(label, f"the name {label[:60]!r} of equal entries")
            equal.setdefault(label, []).append(format_cell(cell, variable.name, parents))
    return [
        *([f"fix {', '.join(fixed)}"] if fixed else []),
        *(f"equal {label} = {', '.join(cells)}" for label, cells in equal.items()),
    ]


def select_distinct_tables(model: Network) -> list[tuple[Variable, Table]]:
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
