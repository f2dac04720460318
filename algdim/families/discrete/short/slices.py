"""Time slices: ``dynamic 6: prev.H -> H -> X; hidden H``, and hidden Markov models, ``hmm: states 3, items 4, length 6``.

A template describes one slice; ``prev.X`` is X in the slice before, ``prev.prev.X`` two slices before. In the first slices, where
such a parent does not exist, a variable has a free table, given the parents that it has. All other tables are the same in all
slices, unless ``varying`` says otherwise.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import product
from typing import Any

from algdim.errors import InputError, LimitError, join_names
from algdim.families.discrete.clauses import CLAUSE_READERS, NetworkClauses, build_discrete
from algdim.families.discrete.locals import get_local_kind
from algdim.families.discrete.locals.function import Deterministic
from algdim.families.discrete.locals.table import FREE, Table
from algdim.families.discrete.model import Local, Network, Variable
from algdim.families.discrete.reading import format_sizes
from algdim.figures import format_integer
from algdim.models.clauses import make_dialect, parse_clauses, read_list
from algdim.models.tokens import Cursor, make_position_error
from algdim.models.values import MOST_STATES, MOST_VARIABLES

BEFORE = "prev."
MOST_SLICES = 10_000
MOST_LAGS = 9
MOST_CHAIN_STATES = 60
"""States of a stationary chain: a name for each pair."""
MOST_CHAIN_ENTRIES = 1_500_000
"""Of the tables of all its moves."""
ZERO, ONE = Fraction(0), Fraction(1)


@dataclass(slots=True)
class SliceClauses(NetworkClauses):
    """What the clauses of a template say."""

    varying: dict[str, int] = field(default_factory=dict)  # the variables whose tables change, at their places
    all_vary: bool = False


def read_varying(cursor: Cursor, clauses: SliceClauses) -> None:
    """Read the rest of ``varying`` or ``varying LIST``."""
    if cursor.now.kind == "end" or cursor.meets(";"):
        clauses.all_vary = True
        return
    for token in read_list(cursor, clauses, "the name of a variable whose table varies"):
        clauses.varying[token.text] = token.at


TEMPLATE = make_dialect("a template of slices", {**CLAUSE_READERS, "varying": read_varying}, record=SliceClauses)


def read_line(text: str, start: int, word: str, argument: str) -> tuple[Network, str]:
    """Read what stands behind ``dynamic N:`` or ``hmm:``, as a network and as it is printed."""
    if word == "hmm":
        return read_hidden_markov(text, start)
    if not argument.isdigit() or len(argument) > 6 or not 1 <= int(argument) <= MOST_SLICES:
        raise InputError(
            f"'dynamic {argument[:20]}:': the number of slices is from 1 to {MOST_SLICES}, as in 'dynamic 6:'"
        )
    clauses: SliceClauses = parse_clauses(text, start, TEMPLATE)
    template = build_template(clauses)
    varying = [v.name for v in template.variables if clauses.all_vary or v.name in clauses.varying]
    found = unroll(template, int(argument), frozenset(varying))
    return found, f"dynamic {argument}: {' '.join(text[start:].split())}"


def split_name(name: str) -> tuple[str, int]:
    """The name of a variable without what says of which slice, and how many slices it lies before.

    >>> split_name("prev.prev.H")
    ('H', 2)
    """
    lag = 0
    while name.startswith(BEFORE):
        name, lag = name.removeprefix(BEFORE), lag + 1
    return name, lag


def build_template(clauses: SliceClauses) -> Network:
    """The network of one slice, in which variables of slices before are roots with as many states."""
    for name, at in clauses.names.items():
        base, lag = split_name(name)
        if not lag:
            continue
        message = ""
        if lag > MOST_LAGS:
            message = f"{name[:60]} is {lag} slices before; at most {MOST_LAGS} are allowed"
        elif base not in clauses.introduced:
            message = f"there is no variable {base}, of which {name} is an earlier copy"
        elif name in clauses.states or name in clauses.hidden or name in clauses.given or name in clauses.varying:
            message = f"{name} is {base} in a slice before: leave it out here, and say it of {base}"
        elif any(child == name for _, child in clauses.edges):
            message = f"an edge leads to {name}, of a slice before; write it of {base}"
        if message:
            raise make_position_error(clauses.text, at, message)
        if base in clauses.states:
            clauses.states[name] = clauses.states[base]
    for name, at in clauses.varying.items():
        if name not in clauses.introduced:
            raise make_position_error(
                clauses.text, at, f"there is no variable {name}; 'varying' names variables of the slice"
            )
    template = build_discrete(clauses)
    states = template.states
    late = {name: states[split_name(name)[0]] for name in states if split_name(name)[1]}
    return Network(tuple(replace(v, states=late.get(v.name, v.states)) for v in template.variables), template.given)


def unroll(template: Network, length: int, varying: frozenset[str]) -> Network:
    """The network of so many slices.

    >>> from algdim.models.notation import parse
    >>> unroll(parse("prev.H -> H -> X; hidden H"), 2, frozenset()).edges
    (('H_1', 'X_1'), ('H_1', 'H_2'), ('H_2', 'X_2'))
    """
    own = [v for v in template.variables if not split_name(v.name)[1]]
    if len(own) * length > MOST_VARIABLES:
        raise LimitError(
            f"{length} slices of {len(own)} variables are more than {MOST_VARIABLES} variables; at most that many are allowed"
        )
    found: list[Variable] = []
    for moment in range(1, length + 1):
        for variable in own:
            above = [split_name(parent) for parent in variable.parents]
            parents = tuple(name_copy(name, moment - lag) for name, lag in above if moment > lag)
            is_first = any(moment <= lag for _, lag in above)
            is_free = is_first or variable.name in template.given
            local = FREE if is_free else share_local(variable, length, varying)
            copy = replace(variable, name=name_copy(variable.name, moment), parents=parents, local=local)
            found.append(copy)
    given = tuple(name_copy(name, moment) for moment in range(1, length + 1) for name in template.given)
    return Network(tuple(found), given)


def name_copy(name: str, moment: int) -> str:
    """A variable in a slice.

    >>> name_copy("H", 3)
    'H_3'
    """
    return f"{name}_{moment}"


def share_local(variable: Variable, length: int, varying: frozenset[str]) -> Local:
    """The local of a variable in every slice that has all of its parents: the same one, unless it varies."""
    local: Any = variable.local
    first = 1 + max((split_name(parent)[1] for parent in variable.parents), default=0)
    is_common = local.share is not None or bool(getattr(local, "equal", ()))
    found: Local = local
    if variable.name in varying:
        if is_common:
            raise InputError(
                f"{variable.name} varies, and its table is shared or has names, which are the same in all slices; leave one out"
            )
        return found
    if local.share is not None or first >= length or isinstance(local, Deterministic):
        return found
    kind = get_local_kind(local.kind)
    if not isinstance(local, Table) and not kind.shares:
        what = kind.what.format(kind=local.kind)
        raise InputError(f"{variable.name} {what}, which slices do not have in common; add 'varying {variable.name}'")
    found = replace(local, share=variable.name)  # a name for it says its type
    return found  # noqa: RET504


def read_hidden_markov(text: str, start: int) -> tuple[Network, str]:
    """Read ``hmm: states 3, items 4, length 6, homogeneous, stationary``."""
    cursor = Cursor(text, start)
    numbers: dict[str, int] = {}
    items: list[int] = []
    words: dict[str, None] = {}
    for _ in cursor.items():
        token = cursor.now
        if token.text in (*numbers, *words) or (token.text == "items" and items):
            raise make_position_error(text, token.at, f"'{token.text}' occurs twice; once is allowed")
        cursor.index += 1
        if token.text in MOST:
            numbers[token.text] = cursor.number(f"the number behind '{token.text}'", *MOST[token.text])
        elif token.text == "items":
            items = read_items(cursor)
        elif token.text in OPTIONS:
            words[token.text] = None
        else:
            cursor.index -= 1
            cursor.fail(f"one of {join_names((*MOST, 'items', *OPTIONS))}", EXAMPLE)
    if cursor.now.kind != "end":
        cursor.fail("',' or the end of the text", EXAMPLE)
    for word, missing in (
        ("states", "states" not in numbers),
        ("items", not items),
        ("length", "length" not in numbers),
    ):
        if missing:
            cursor.fail(f"'{word}'", EXAMPLE)
    states, length = numbers["states"], numbers["length"]
    if states == 1:
        raise InputError(
            "a hidden Markov model has two states or more; with one all items are independent, and the items of the times, "
            "from one table or not, are a latent class model with one class, as 1:3^5* or 1:3^5"
        )
    check_options(states, words)
    said = ", ".join(
        [f"states {states}", f"items {format_sizes(items)}", f"length {length}", *(o for o in OPTIONS if o in words)]
    )
    return build_hidden_markov(states, items, length, words), f"hmm: {said}"


MOST: Mapping[str, tuple[int, int]] = {"states": (1, MOST_STATES), "length": (1, MOST_SLICES)}
EXAMPLE = "a hidden Markov model is written 'hmm: states 3, items 4, length 6, homogeneous'"
HOMOGENEOUS, INVARIANT, STATIONARY, REVERSIBLE = OPTIONS = ("homogeneous", "invariant", "stationary", "reversible")


def read_items(cursor: Cursor) -> list[int]:
    """Read the numbers of states of what is observed at each time, as ``4`` or ``2,3`` or ``2^5``."""
    found: list[int] = []
    while True:
        size = cursor.number("the number of states of an item", 2, MOST_STATES)
        times = cursor.number("the number of times", 1, MOST_VARIABLES) if cursor.skip("^") else 1
        found += [size] * times
        if not (cursor.meets(",") and cursor.next.kind == "number"):
            return found
        cursor.index += 1


def check_options(states: int, words: Collection[str]) -> None:
    """Raise where options have no meaning or no polynomials."""
    if HOMOGENEOUS in words and INVARIANT in words:
        raise InputError(
            "'homogeneous' says of all tables that they are the same at all times, 'invariant' of the items' alone; say one"
        )
    if {STATIONARY, REVERSIBLE}.intersection(words) and HOMOGENEOUS not in words:
        raise InputError("a stationary or reversible chain has one table of transitions; add 'homogeneous'")
    if REVERSIBLE in words and STATIONARY not in words:
        raise InputError("'reversible' belongs to a stationary chain; add 'stationary'")
    if STATIONARY in words and REVERSIBLE not in words and states > 2:
        raise InputError(
            f"the stationary distribution of {states} states is a quotient of polynomials of the transitions, and a table has none; "
            "the nearest are 'homogeneous, stationary, reversible', and 'homogeneous' with a free start"
        )
    if STATIONARY in words and states > MOST_CHAIN_STATES:
        raise LimitError(f"a stationary chain has {states} states; at most {MOST_CHAIN_STATES} are allowed")


def build_hidden_markov(states: int, sizes: Sequence[int], length: int, words: Collection[str]) -> Network:
    """The network of a hidden Markov model."""
    names = ["X"] if len(sizes) == 1 else [f"X{number}" for number in range(1, len(sizes) + 1)]
    template = Network(
        (
            Variable(f"{BEFORE}H", states, observed=True),
            Variable("H", states, observed=False, parents=(f"{BEFORE}H",)),
            *(Variable(name, size, parents=("H",)) for name, size in zip(names, sizes, strict=True)),
        )
    )
    all_vary = frozenset(() if HOMOGENEOUS in words else ("H",) if INVARIANT in words else ("H", *names))
    found = unroll(template, length, all_vary)
    if STATIONARY not in words:
        return found
    entries = (length - 1) * 2 * states**3
    if entries > MOST_CHAIN_ENTRIES:
        raise LimitError(
            f"the moves of a stationary chain of length {length} with {states} states have tables with {format_integer(entries)} "
            f"entries; at most {format_integer(MOST_CHAIN_ENTRIES)} are allowed: take fewer states or a shorter chain"
        )
    return make_stationary(found, states)


def make_stationary(model: Network, states: int) -> Network:
    """The chain starts in its equilibrium; a move is drawn from that, and accepted with one chance for both directions.

    These are the reversible chains, for two states all, as far as equations go: a chance above 1 is none.
    """
    equilibrium = [f"pi.{state}" for state in range(states)]

    def name_acceptance(old: int, new: int) -> str:
        return f"a.{min(old, new)}.{max(old, new)}"

    draw = Table(equal=tuple((((), state), label) for state, label in enumerate(equilibrium)))
    no = [(((new, new), state), (ONE, ZERO)[state]) for new in range(states) for state in (0, 1)]
    yes = [(((new, old), 1), name_acceptance(old, new)) for new, old in product(range(states), repeat=2) if new != old]
    accept = Table(fixed=tuple(no), equal=tuple(yes))
    move = Table(
        fixed=tuple(
            (((new, flag, old), state), ONE if state == (new if flag else old) else ZERO)
            for new, flag, old, state in product(range(states), (0, 1), range(states), range(states))
        )
    )
    found: list[Variable] = []
    for variable in model.variables:
        if not variable.name.startswith("H_"):
            found.append(variable)
            continue
        moment = int(variable.name.removeprefix("H_"))
        if moment == 1:
            found.append(replace(variable, local=draw))
            continue
        before, proposal, accepted = name_copy("H", moment - 1), name_copy("Z", moment), name_copy("B", moment)
        found += [
            Variable(proposal, states, observed=False, local=draw),
            Variable(accepted, 2, observed=False, parents=(proposal, before), local=accept),
            replace(variable, parents=(proposal, accepted, before), local=move),
        ]
    return Network(tuple(found))
