"""Causal interaction models in the notation: ``max: {C1,C2},{C3} -> E`` (MH97 §2, §3).

A clause with braces gives its effects one mechanism for each pair of braces, with these causes; ``{}`` is a leak. The
mechanism variables of E are called E.1, E.2, … and are hidden. They have the causes as parents, unless edges to them are
written: then these are the inside of the mechanism. ``{…} -> E.1`` makes E.1 an effect itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import groupby

from algdim.errors import InputError
from algdim.families.discrete.clauses import (
    discrete,
    edge_clauses,
    entry_clauses,
    share_clauses,
    sigmoid,
    states_clause,
    text_of_clauses,
)
from algdim.families.discrete.locals.function import RULES, AtLeast, Deterministic, Maximum
from algdim.families.discrete.locals.table import FREE, Table
from algdim.families.discrete.mechanisms import (
    NOISY,
    Effect,
    Mechanism,
    check_mechanisms,
    distinguished,
    effects_of,
    is_distinguished,
    variable_of,
)
from algdim.families.discrete.model import MOST_STATES, MOST_VARIABLES, Network, Variable
from algdim.models.celltexts import CellEntry
from algdim.models.clauses import (
    CLAUSE_READERS,
    DISCRETE,
    MOST_EDGES,
    Clauses,
    Dialect,
    Rule,
    parse_clauses,
    read_edges,
    read_list,
)
from algdim.models.tokens import Cursor, Token, failure

KINDS = (*NOISY, *RULES, AtLeast.kind)
"""The family words."""


def read_causes(cursor: Cursor, clauses: Clauses) -> None:
    """Read ``{LIST},{LIST},… -> LIST``, or edges where no brace stands."""
    if not cursor.meets("{"):
        read_edges(cursor, clauses)
        return
    mechanisms = [read_braces(cursor, clauses) for _ in cursor.items()]
    cursor.need("->", "after the causes between braces")
    effects = read_list(cursor, clauses, "the name of an effect")
    total = len(clauses.edges) + sum(len(found) for found in clauses.mechanisms.values())
    if total + len(effects) * sum(1 + len(causes) for causes in mechanisms) > MOST_EDGES:
        raise failure(clauses.text, effects[0].at, f"the model has more than {MOST_EDGES} edges")
    clauses.introduced.update(token.text for token in (*effects, *(cause for causes in mechanisms for cause in causes)))
    for effect in effects:
        clauses.effects.setdefault(effect.text, effect.at)
        clauses.mechanisms.setdefault(effect.text, []).extend(mechanisms)
    if cursor.meets("->", "<-", "<->"):
        cursor.fail("';' or the end of the text", "a clause with braces has one arrow")


def read_braces(cursor: Cursor, clauses: Clauses) -> tuple[Token, ...]:
    """Read ``{NAME, …}``, maybe with nothing between."""
    cursor.need("{", "before the causes of a mechanism")
    names = () if cursor.meets("}") else tuple(read_list(cursor, clauses, "the name of a cause"))
    cursor.need("}", "after the causes of a mechanism")
    twice = next((token for token, times in Counter(token.text for token in names).items() if times > 1), None)
    if twice is not None:
        again = [token for token in names if token.text == twice][1]
        raise failure(clauses.text, again.at, f"{twice} stands twice between the braces; once is allowed")
    return names


MECHANISMS = Dialect(CLAUSE_READERS, read_causes)
"""The clauses of the discrete family, and those with braces."""


def interaction(kind: str, clauses: Clauses, argument: str = "") -> Network:
    """Build the network of a causal interaction model."""
    if not clauses.mechanisms:
        hint = "an edge without braces makes a free table"
        raise failure(clauses.text, 0, f"no mechanism is given; {kind} has a clause such as {{A,B}},{{C}} -> E; {hint}")
    rule = rule_named(kind, clauses, argument)
    return discrete(lowered(clauses, kind, rule))


def rule_named(kind: str, clauses: Clauses, argument: str) -> Deterministic:
    """The rule that a family word stands for."""
    if kind != AtLeast.kind:
        return RULES.get(kind, Maximum())
    if not argument.isdecimal() or not 1 <= int(argument[:9]) <= MOST_VARIABLES or len(argument) > 9:
        raise failure(clauses.text, 0, f"at-least {argument[:20]}: a number from 1 to {MOST_VARIABLES} is allowed")
    return AtLeast(int(argument))


def lowered(clauses: Clauses, kind: str, rule: Deterministic) -> Clauses:
    """The same model in the clauses of the discrete family: mechanism variables, their edges, rules, fixed rows."""
    found = mechanisms_of(clauses)
    by_variable = {mechanism.variable: mechanism for mechanism in found}
    names = ordered_names(clauses, found)
    rules = {**{mechanism.effect: rule for mechanism in found}, **clauses.rules}
    states = states_of(clauses, kind, rules, found)
    edges = {**clauses.edges, **missing_edges(clauses, found)}
    check(clauses, found, edges, by_variable)
    fixed = list(clauses.fixed)
    if kind in NOISY:
        fixed += [entry for mechanism in found for entry in zero_row(mechanism, clauses, edges, states)]
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


def mechanisms_of(clauses: Clauses) -> list[Mechanism]:
    """All mechanisms, effect by effect; the clause ``leak`` adds one to every effect that is not inside a mechanism."""
    inner = {variable_of(effect, number) for effect, all_of in clauses.mechanisms.items() for number in numbers(all_of)}
    found = []
    for effect, braces in clauses.mechanisms.items():
        causes = [tuple(token.text for token in tokens) for tokens in braces]
        if clauses.leak is not None and effect not in inner:
            if () in causes:
                raise failure(clauses.text, clauses.leak, f"{effect} has a leak already, written {{}}; once is allowed")
            causes.append(())
        found += [Mechanism(effect, variable_of(effect, number), one) for number, one in enumerate(causes, 1)]
    return found


def numbers(mechanisms: list[tuple[Token, ...]]) -> range:
    """The numbers of the mechanisms of an effect."""
    return range(1, len(mechanisms) + 1)


def ordered_names(clauses: Clauses, found: list[Mechanism]) -> dict[str, int]:
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


def states_of(clauses: Clauses, kind: str, rules: Mapping[str, Rule], found: list[Mechanism]) -> dict[str, Token]:
    """The numbers of states that are said, and those of mechanism variables under a maximum: as many as the effect has."""
    states = dict(clauses.states)
    for name in {**rules, **{mechanism.variable: None for mechanism in found}}:
        if kind == "noisy-or" and name in states and states[name].text != "2":
            text = states[name].text
            raise failure(
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


def missing_edges(clauses: Clauses, found: list[Mechanism]) -> dict[tuple[str, str], int]:
    """The edges that no clause writes: to the effects, and from the causes to variables without a written inside."""
    with_inside = {child for _, child in clauses.edges} | clauses.mechanisms.keys()
    edges: dict[tuple[str, str], int] = {}
    for mechanism in found:
        at = clauses.effects[mechanism.effect]
        edges[mechanism.variable, mechanism.effect] = clauses.edges.get((mechanism.variable, mechanism.effect), at)
        if mechanism.variable not in with_inside:
            for cause in mechanism.causes:
                edges[cause, mechanism.variable] = place_of(clauses, cause, mechanism.variable)
    return edges


def place_of(clauses: Clauses, cause: str, variable: str) -> int:
    """Where a cause is declared between the braces of a mechanism."""
    effect, _, number = variable.rpartition(".")
    braces = {str(number): tokens for number, tokens in enumerate(clauses.mechanisms.get(effect, []), 1)}
    tokens = braces.get(number, ())
    return next((token.at for token in tokens if token.text == cause), clauses.names.get(cause, 0))


def check(
    clauses: Clauses,
    found: list[Mechanism],
    edges: Mapping[tuple[str, str], int],
    by_variable: Mapping[str, Mechanism],
) -> None:
    """Raise unless the definition of mechanisms holds, at the place in the text that is wrong."""
    parents: dict[str, list[str]] = {name: [] for name in (*clauses.names, *by_variable)}
    for parent, child in edges:
        parents[child].append(parent)

    def fail(parent: str, child: str, message: str) -> InputError:
        at = clauses.edges.get((parent, child), place_of(clauses, parent, child))
        return failure(clauses.text, at, message)

    for name, at in clauses.given.items():
        if name in by_variable:
            raise failure(
                clauses.text, at, f"{name} is a mechanism variable, which is hidden; it cannot be conditioned on"
            )
    check_mechanisms(found, parents, {*clauses.hidden, *by_variable}, fail)


def zero_row(
    mechanism: Mechanism,
    clauses: Clauses,
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
    return [(CellEntry(name, state, parents, at), value) for (_, state), value in distinguished(count, len(parents))]


def interaction_text(model: Network) -> str | None:
    """Print a network as a causal interaction model, if it is one and the text is read back as the same record."""
    effects = effects_of(model)
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
        text = f"{kind}{argument}: {'; '.join(clauses_of(model, effects, inner, kind, states_first=is_first))}"
        if reads_back(text, model):
            return text
    return None


def reads_back(text: str, model: Network) -> bool:
    """Whether a text of a causal interaction model is this one."""
    head, _, _ = text.partition(":")
    kind, _, argument = head.partition(" ")
    try:
        return interaction(kind, parse_clauses(text, len(head) + 1, MECHANISMS), argument) == model
    except InputError:
        return False


def clauses_of(
    model: Network, effects: Mapping[str, Effect], inner: set[str], kind: str, *, states_first: bool
) -> list[str]:
    """The clauses: mechanisms, other edges, hidden, states, given, other rules, shares, entries."""
    rest = [variable for variable in model.variables if variable.name not in inner]
    plain = [replace(one, parents=(), local=FREE) if one.name in effects else one for one in rest]
    hidden = [variable.name for variable in rest if not variable.observed]
    structure = [
        *mechanism_clauses(effects, inner),
        *(edge_clauses(Network(tuple(plain)))[0] if any(one.parents for one in plain) else []),
        *([f"hidden {', '.join(hidden)}"] if hidden else []),
    ]
    said = said_states(model, rest, effects, kind, all_of_rest=states_first)
    states = [states_clause(said)] if said else []
    main = next(effect.rule for effect in effects.values() if effect.name not in inner)
    rules = [
        rule_clause(variable.name, variable.local)
        for variable in model.variables
        if isinstance(variable.local, Deterministic) and (variable.name not in effects or variable.local != main)
    ]
    cleared = tuple(
        cleared_of_zero_row(variable) if kind in NOISY and variable.name in inner else variable
        for variable in model.variables
    )
    entries = Network(cleared, model.given)
    return [
        *([*states, *structure] if states_first else [*structure, *states]),
        *([f"given {', '.join(model.given)}"] if model.given else []),
        *rules,
        *share_clauses(entries),
        *entry_clauses(entries),
    ]


def mechanism_clauses(effects: Mapping[str, Effect], inner: set[str]) -> list[str]:
    """The causes of every mechanism in braces; effects with the same ones share a clause, those of the main kind first."""
    clauses = []
    ordered = sorted(effects.values(), key=lambda effect: effect.name in inner)
    for causes, group in groupby(ordered, key=lambda effect: [one.causes for one in effect.mechanisms]):
        braces = ",".join(f"{{{','.join(names)}}}" for names in causes)
        clauses.append(f"{braces} -> {', '.join(effect.name for effect in group)}")
    return clauses


def said_states(
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


def rule_clause(name: str, rule: Deterministic) -> str:
    """One variable with its rule.

    >>> rule_clause("E", AtLeast(2))
    'at-least 2 E'
    """
    return f"{rule.kind} {rule.n} {name}" if isinstance(rule, AtLeast) else f"{rule.kind} {name}"


def cleared_of_zero_row(variable: Variable) -> Variable:
    """The variable without the fixed entries that the family word implies."""
    if not isinstance(variable.local, Table) or not is_distinguished(variable):
        return variable
    implied = set(distinguished(variable.states, len(variable.parents)))
    fixed = tuple(entry for entry in variable.local.fixed if entry not in implied)
    return replace(variable, local=replace(variable.local, fixed=fixed))


BUILDERS: dict[str, Callable[[Clauses, str], Network]] = {kind: partial(interaction, kind) for kind in KINDS}
"""What makes a network, by family word."""

DIALECTS: Mapping[str, tuple[Dialect, Callable[[Clauses, str], Network]]] = {
    "discrete": (DISCRETE, discrete),
    "sigmoid": (DISCRETE, sigmoid),
    **{kind: (MECHANISMS, build) for kind, build in BUILDERS.items()},
}
"""What a word before the colon says of the clauses that follow, and what they mean."""


def read_clauses(text: str, start: int, word: str, argument: str) -> Network:
    """Read a network from clauses."""
    dialect, build = DIALECTS[word]
    return build(parse_clauses(text, start, dialect), argument)


def clauses_text(model: Network) -> str:
    """Print a network as a causal interaction model if it is one, else as clauses."""
    return interaction_text(model) or text_of_clauses(model)
