"""Causal interaction models in the notation: ``max: {C1,C2},{C3} -> E`` (MH97 §2, §3).

A clause with braces gives its effects one mechanism for each pair of braces, with these causes; ``{}`` is a leak. The
mechanism variables of E are called E.1, E.2, … and are hidden. They have the causes as parents, unless edges to them are
written: then these are the inside of the mechanism. ``{…} -> E.1`` makes E.1 an effect itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from itertools import groupby
from typing import Any

from algdim.errors import InputError
from algdim.families.discrete.celltexts import CellEntry
from algdim.families.discrete.clauses import (
    CLAUSE_READERS,
    DISCRETE,
    NetworkClauses,
    Rule,
    build_discrete,
    build_sigmoid,
    format_clauses,
    format_edges,
    format_entries,
    format_shares,
    format_states,
)
from algdim.families.discrete.locals.function import RULES, AtLeast, Deterministic, Maximum
from algdim.families.discrete.locals.noisy import NOISY
from algdim.families.discrete.locals.table import FREE, Table
from algdim.families.discrete.mechanisms import (
    Effect,
    Mechanism,
    check_mechanisms,
    find_effects,
    is_distinguished,
    make_fixed_entries,
    name_mechanism_variable,
)
from algdim.families.discrete.model import Network, Variable
from algdim.models.clauses import MOST_EDGES, Dialect, make_dialect, parse_clauses, read_edges, read_list
from algdim.models.tokens import Cursor, Token, make_position_error
from algdim.models.values import MOST_STATES, MOST_VARIABLES

KINDS = (*NOISY, *RULES, AtLeast.kind)
"""The family words."""


@dataclass(slots=True)
class MechanismClauses(NetworkClauses):
    """What the clauses of a causal interaction model say beyond those of a network."""

    mechanisms: dict[str, list[tuple[Token, ...]]] = field(default_factory=dict)  # the causes of each, by effect
    effects: dict[str, int] = field(default_factory=dict)
    leak: int | None = None


def read_causes(cursor: Cursor, clauses: MechanismClauses) -> None:
    """Read ``{LIST},{LIST},… -> LIST``, or edges where no brace stands."""
    if not cursor.meets("{"):
        read_edges(cursor, clauses)
        return
    mechanisms = [read_braces(cursor, clauses) for _ in cursor.items()]
    cursor.require("->", "after the causes between braces")
    effects = read_list(cursor, clauses, "the name of an effect")
    total = len(clauses.edges) + sum(len(found) for found in clauses.mechanisms.values())
    if total + len(effects) * sum(1 + len(causes) for causes in mechanisms) > MOST_EDGES:
        raise make_position_error(clauses.text, effects[0].at, f"the model has more than {MOST_EDGES} edges")
    clauses.introduced.update(token.text for token in (*effects, *(cause for causes in mechanisms for cause in causes)))
    for effect in effects:
        clauses.effects.setdefault(effect.text, effect.at)
        clauses.mechanisms.setdefault(effect.text, []).extend(mechanisms)
    if cursor.meets("->", "<-", "<->"):
        cursor.fail("';' or the end of the text", "a clause with braces has one arrow")


def read_braces(cursor: Cursor, clauses: MechanismClauses) -> tuple[Token, ...]:
    """Read ``{NAME, …}``, maybe with nothing between."""
    cursor.require("{", "before the causes of a mechanism")
    names = () if cursor.meets("}") else tuple(read_list(cursor, clauses, "the name of a cause"))
    cursor.require("}", "after the causes of a mechanism")
    twice = next((token for token, times in Counter(token.text for token in names).items() if times > 1), None)
    if twice is not None:
        again = [token for token in names if token.text == twice][1]
        raise make_position_error(clauses.text, again.at, f"{twice} occurs twice between the braces; once is allowed")
    return names


def read_leak(cursor: Cursor, clauses: MechanismClauses) -> None:
    """Note the clause ``leak``."""
    clauses.leak = cursor.last.at


MECHANISMS = make_dialect(
    "the families of mechanisms", {**CLAUSE_READERS, "leak": read_leak}, read_causes, MechanismClauses
)
"""The clauses of the discrete family, and those with braces."""


def build_interaction_model(kind: str, clauses: MechanismClauses, argument: str = "") -> Network:
    """Build the network of a causal interaction model."""
    if not clauses.mechanisms:
        hint = "an edge without braces makes a free table"
        raise make_position_error(
            clauses.text, 0, f"no mechanism is given; {kind} has a clause such as {{A,B}},{{C}} -> E; {hint}"
        )
    rule = find_rule(kind, clauses, argument)
    return build_discrete(expand_mechanism_clauses(clauses, kind, rule))


def find_rule(kind: str, clauses: MechanismClauses, argument: str) -> Deterministic:
    """The rule that a family word stands for."""
    if kind != AtLeast.kind:
        return RULES.get(kind, Maximum())
    if not argument.isdecimal() or not 1 <= int(argument[:9]) <= MOST_VARIABLES or len(argument) > 9:
        raise make_position_error(
            clauses.text, 0, f"at-least {argument[:20]}: a number from 1 to {MOST_VARIABLES} is allowed"
        )
    return AtLeast(int(argument))


def expand_mechanism_clauses(clauses: MechanismClauses, kind: str, rule: Deterministic) -> MechanismClauses:
    """The same model in the clauses of the discrete family: mechanism variables, their edges, rules, fixed rows."""
    found = list_mechanisms(clauses)
    by_variable = {mechanism.variable: mechanism for mechanism in found}
    names = order_names(clauses, found)
    rules = {**{mechanism.effect: rule for mechanism in found}, **clauses.rules}
    states = collect_states(clauses, kind, rules, found)
    edges = {**clauses.edges, **find_missing_edges(clauses, found)}
    check(clauses, found, edges, by_variable)
    fixed = list(clauses.fixed)
    if kind in NOISY:
        fixed += [entry for mechanism in found for entry in make_zero_row(mechanism, clauses, edges, states)]
    return replace(
        clauses,
        names=names,
        introduced=clauses.introduced | by_variable.keys(),
        edges=edges,
        states=states,
        hidden={**clauses.hidden, **{name: names[name] for name in by_variable}},
        rules=rules,
        fixed=fixed,
        leak=None,
    )


def list_mechanisms(clauses: MechanismClauses) -> list[Mechanism]:
    """All mechanisms, effect by effect; the clause ``leak`` adds one to every effect that is not inside a mechanism."""
    inner = {
        name_mechanism_variable(effect, number)
        for effect, all_of in clauses.mechanisms.items()
        for number in iterate_mechanism_numbers(all_of)
    }
    found = []
    for effect, braces in clauses.mechanisms.items():
        causes = [tuple(token.text for token in tokens) for tokens in braces]
        if clauses.leak is not None and effect not in inner:
            if () in causes:
                raise make_position_error(
                    clauses.text, clauses.leak, f"{effect} has a leak already, written {{}}; once is allowed"
                )
            causes.append(())
        found += [
            Mechanism(effect, name_mechanism_variable(effect, number), one) for number, one in enumerate(causes, 1)
        ]
    return found


def iterate_mechanism_numbers(mechanisms: list[tuple[Token, ...]]) -> range:
    """The numbers of the mechanisms of an effect."""
    return range(1, len(mechanisms) + 1)


def order_names(clauses: MechanismClauses, found: list[Mechanism]) -> dict[str, int]:
    """All names; mechanism variables stand just before their effect unless they were mentioned before."""
    variables: dict[str, list[str]] = {}
    for mechanism in found:
        variables.setdefault(mechanism.effect, []).append(mechanism.variable)
    names: dict[str, int] = {}
    for name, at in clauses.names.items():
        waiting = [(name, False)]
        while waiting:
            one, is_ready = waiting.pop()
            if is_ready:
                names.setdefault(one, clauses.names.get(one, at))
            elif one not in names:
                waiting += [(one, True), *((inner, False) for inner in reversed(variables.get(one, ())))]
    return names


def collect_states(
    clauses: MechanismClauses, kind: str, rules: Mapping[str, Rule], found: list[Mechanism]
) -> dict[str, Token]:
    """The numbers of states that are said, and those of mechanism variables under a maximum: as many as the effect has."""
    states = dict(clauses.states)
    for name in {**rules, **{mechanism.variable: None for mechanism in found}}:
        if kind == "noisy-or" and name in states and states[name].text != "2":
            text = states[name].text
            raise make_position_error(
                clauses.text, states[name].at, f"{name} has {text} states; noisy-or takes 2, noisy-max any number"
            )
    inside: dict[str, list[str]] = {}
    for mechanism in found:
        inside.setdefault(mechanism.effect, []).append(mechanism.variable)
    for effect in sorted(inside, key=len):  # an effect before those inside its mechanisms, whose names are longer
        if not isinstance(rules[effect], Maximum):
            continue
        known = [states[name] for name in (effect, *inside[effect]) if name in states]
        most = max((int(token.text) for token in known if is_number_of_states(token)), default=2)
        for name in inside[effect]:
            if isinstance(rules.get(name, Maximum()), Maximum):
                states.setdefault(name, Token("number", str(most), clauses.effects[effect]))
    return states


def is_number_of_states(token: Token) -> bool:
    """Whether a token is a number that is not too long to be read; what it may be is checked later."""
    return token.text.isdecimal() and len(token.text) <= len(str(MOST_STATES))


def find_missing_edges(clauses: MechanismClauses, found: list[Mechanism]) -> dict[tuple[str, str], int]:
    """The edges that no clause writes: to the effects, and from the causes to variables without a written inside."""
    with_inside = {child for _, child in clauses.edges} | clauses.mechanisms.keys()
    edges: dict[tuple[str, str], int] = {}
    places = map_cause_places(clauses)
    for mechanism in found:
        at = clauses.effects[mechanism.effect]
        edges[mechanism.variable, mechanism.effect] = clauses.edges.get((mechanism.variable, mechanism.effect), at)
        if mechanism.variable not in with_inside:
            for cause in mechanism.causes:
                edges[cause, mechanism.variable] = places.get((cause, mechanism.variable), clauses.names.get(cause, 0))
    return edges


def map_cause_places(clauses: MechanismClauses) -> dict[tuple[str, str], int]:
    """Where each cause of each mechanism variable is declared between braces."""
    return {
        (token.text, name_mechanism_variable(effect, number)): token.at
        for effect, all_of in clauses.mechanisms.items()
        for number, tokens in zip(iterate_mechanism_numbers(all_of), all_of, strict=True)
        for token in tokens
    }


def check(
    clauses: MechanismClauses,
    found: list[Mechanism],
    edges: Mapping[tuple[str, str], int],
    by_variable: Mapping[str, Mechanism],
) -> None:
    """Raise unless the definition of mechanisms holds, at the place in the text that is wrong."""
    parents: dict[str, list[str]] = {name: [] for name in (*clauses.names, *by_variable)}
    for parent, child in edges:
        parents[child].append(parent)

    places = map_cause_places(clauses)

    def fail(parent: str, child: str, message: str) -> InputError:
        at = clauses.edges.get((parent, child), places.get((parent, child), clauses.names.get(parent, 0)))
        return make_position_error(clauses.text, at, message)

    for name, at in clauses.given.items():
        if name in by_variable:
            raise make_position_error(
                clauses.text, at, f"{name} is a mechanism variable, which is hidden; it cannot be conditioned on"
            )
    check_mechanisms(found, parents, {*clauses.hidden, *by_variable}, fail)


def make_zero_row(
    mechanism: Mechanism,
    clauses: MechanismClauses,
    edges: Mapping[tuple[str, str], int],
    states: Mapping[str, Token],
) -> list[tuple[CellEntry, Fraction]]:
    """The fixed entries of a mechanism that does nothing while its parents are in state 0; none of a leak or an effect."""
    name = mechanism.variable
    parents = tuple((parent, 0) for parent, child in edges if child == name)
    if not parents or name in clauses.mechanisms:
        return []
    count = int(states[name].text)
    at = clauses.effects[mechanism.effect]
    return [
        (CellEntry(name, state, parents, at), value) for (_, state), value in make_fixed_entries(count, len(parents))
    ]


def format_interaction_model(model: Network) -> str | None:
    """Print a network as a causal interaction model, if it is one and the text is read back as the same record."""
    effects = find_effects(model)
    inner = {mechanism.variable for effect in effects.values() for mechanism in effect.mechanisms}
    outer = [effect for effect in effects.values() if effect.name not in inner]
    by_name = {variable.name: variable for variable in model.variables}
    leaves = [by_name[name] for name in inner if name not in effects]
    if not outer or not all(isinstance(leaf.local, Table) for leaf in leaves):
        return None
    if any(inner & {*variable.parents} for variable in model.variables if variable.name not in {*effects, *inner}):
        return None  # what stands inside a mechanism has a child outside, for which the form has no clause
    with_causes = [leaf for leaf in leaves if leaf.parents]
    is_noisy = bool(with_causes) and isinstance(outer[0].rule, Maximum) and all(map(is_distinguished, with_causes))
    kind = outer[0].rule.kind
    if is_noisy:
        kind = NOISY[any(by_name[effect.name].states != 2 for effect in outer)]
    argument = f" {outer[0].rule.n}" if isinstance(outer[0].rule, AtLeast) else ""
    for is_first in (False, True):
        text = (
            f"{kind}{argument}: {'; '.join(format_clauses_of_kind(model, effects, inner, kind, states_first=is_first))}"
        )
        if can_read_back(text, model):
            return text
    return None


def can_read_back(text: str, model: Network) -> bool:
    """Whether a text of a causal interaction model is this one."""
    head, _, _ = text.partition(":")
    kind, _, argument = head.partition(" ")
    try:
        return build_interaction_model(kind, parse_clauses(text, len(head) + 1, MECHANISMS), argument) == model
    except InputError:
        return False


def format_clauses_of_kind(
    model: Network, effects: Mapping[str, Effect], inner: set[str], kind: str, *, states_first: bool
) -> list[str]:
    """The clauses: mechanisms, other edges, hidden, states, given, other rules, shares, entries."""
    rest = [variable for variable in model.variables if variable.name not in inner]
    plain = [replace(one, parents=(), local=FREE) if one.name in effects else one for one in rest]
    hidden = [variable.name for variable in rest if not variable.observed]
    structure = [
        *format_mechanism_clauses(effects, inner),
        *(format_edges(Network(tuple(plain)))[0] if any(one.parents for one in plain) else []),
        *([f"hidden {', '.join(hidden)}"] if hidden else []),
    ]
    said = select_stated_states(model, rest, effects, kind, all_of_rest=states_first)
    states = [format_states(said)] if said else []
    main = next(effect.rule for effect in effects.values() if effect.name not in inner)
    rules = [
        format_rule_clause(variable.name, variable.local)
        for variable in model.variables
        if isinstance(variable.local, Deterministic) and (variable.name not in effects or variable.local != main)
    ]
    cleared = tuple(
        remove_zero_row(variable) if kind in NOISY and variable.name in inner else variable
        for variable in model.variables
    )
    entries = Network(cleared, model.given)
    return [
        *([*states, *structure] if states_first else [*structure, *states]),
        *([f"given {', '.join(model.given)}"] if model.given else []),
        *rules,
        *format_shares(entries),
        *format_entries(entries),
    ]


def format_mechanism_clauses(effects: Mapping[str, Effect], inner: set[str]) -> list[str]:
    """The causes of every mechanism in braces; effects with the same ones share a clause, those of the main kind first."""
    clauses = []
    ordered = sorted(effects.values(), key=lambda effect: effect.name in inner)
    for causes, group in groupby(ordered, key=lambda effect: [one.causes for one in effect.mechanisms]):
        braces = ",".join(f"{{{','.join(names)}}}" for names in causes)
        clauses.append(f"{braces} -> {', '.join(effect.name for effect in group)}")
    return clauses


def select_stated_states(
    model: Network, rest: Sequence[Variable], effects: Mapping[str, Effect], kind: str, *, all_of_rest: bool
) -> dict[str, int]:
    """The numbers of states that a reader of the other clauses would not take anyway."""
    states, mentioned = model.states, {name for edge in model.edges for name in edge}
    # of the other kinds the states of an effect follow from those of its parents
    is_free = kind in (*NOISY, Maximum.kind)
    said = {
        variable.name: variable.states
        for variable in rest
        if all_of_rest
        or variable.name not in mentioned
        or (variable.states != 2 and (variable.name not in effects or is_free))
    }
    for effect in effects.values():
        usual = states[effect.name] if is_free else 2
        for mechanism in effect.mechanisms:
            if states[mechanism.variable] != usual:
                said[mechanism.variable] = states[mechanism.variable]
    return said


def format_rule_clause(name: str, rule: Deterministic) -> str:
    """One variable with its rule.

    >>> format_rule_clause("E", AtLeast(2))
    'at-least 2 E'
    """
    return f"{rule.kind} {rule.n} {name}" if isinstance(rule, AtLeast) else f"{rule.kind} {name}"


def remove_zero_row(variable: Variable) -> Variable:
    """The variable without the fixed entries that the family word implies."""
    if not isinstance(variable.local, Table) or not is_distinguished(variable):
        return variable
    implied = set(make_fixed_entries(variable.states, len(variable.parents)))
    fixed = tuple(entry for entry in variable.local.fixed if entry not in implied)
    return replace(variable, local=replace(variable.local, fixed=fixed))


BUILDERS: dict[str, Callable[[Any, str], Network]] = {kind: partial(build_interaction_model, kind) for kind in KINDS}
"""What makes a network, by family word."""

DIALECTS: Mapping[str, tuple[Dialect, Callable[[Any, str], Network]]] = {
    "discrete": (DISCRETE, build_discrete),
    "sigmoid": (DISCRETE, build_sigmoid),
    **{kind: (MECHANISMS, build) for kind, build in BUILDERS.items()},
}
"""What a word before the colon says of the clauses that follow, and what they mean."""


def read_clauses(text: str, start: int, word: str, argument: str) -> Network:
    """Read a network from clauses."""
    dialect, build = DIALECTS[word]
    return build(parse_clauses(text, start, dialect), argument)


def format_network(model: Network) -> str:
    """Print a network as a causal interaction model if it is one, else as clauses."""
    return format_interaction_model(model) or format_clauses(model)
