"""The family "discrete": a directed acyclic network of variables with finitely many states.

The record holds no algebra. How a variable depends on its parents is its *local*: a table by default, and one
frozen record per other kind (`algdim.families.discrete.locals.table` and its siblings).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from graphlib import CycleError, TopologicalSorter
from itertools import combinations, permutations
from typing import Any, ClassVar, Protocol

from algdim.display.models import VariableModel
from algdim.errors import InputError, join_names
from algdim.families.contract import Names, Orders, Relation, Renaming
from algdim.families.discrete.locals.table import FREE, Parents, Table, add_states
from algdim.figures import format_count
from algdim.models.tokens import check_name
from algdim.models.values import MOST_STATES, MOST_VARIABLES


class Local(Protocol):
    """How a variable depends on its parents; each kind is one frozen record with a ``check``."""

    kind: ClassVar[str]

    @property
    def share(self) -> str | None:
        """The name under which several variables use one and the same local."""

    def check(self, name: str, states: int, parents: Parents) -> None:
        """Raise `InputError` unless this local fits a variable of this many states with these (parent, states)."""


@dataclass(frozen=True, slots=True)
class Variable:
    """One variable: its name, its states 0 … states − 1, whether it is observed, its parents in order, its local."""

    name: str
    states: int = 2
    observed: bool = True
    parents: tuple[str, ...] = ()
    local: Local = FREE
    labels: tuple[str, ...] = field(default=(), compare=False, repr=False)
    """What data call the states, in order, if the model's source says so; the model is the same without."""

    def with_states(self, states: int) -> Variable:
        """The variable with this many states; if these are others, nobody knows what data call them."""
        return self if states == self.states else replace(self, states=states, labels=())


@dataclass(frozen=True, slots=True, repr=False)
class Network(VariableModel[Variable]):
    """A discrete model: variables in order of first mention, and the names of those that are conditioned on.

    >>> h, x = Variable("H", observed=False), Variable("X", parents=("H",))
    >>> Network((h, x)).edges
    (('H', 'X'),)
    """

    family: ClassVar[str] = "discrete"
    needs_observed: ClassVar[bool] = True

    variables: tuple[Variable, ...]
    given: tuple[str, ...] = ()
    short: str = field(default="", compare=False, repr=False)
    """The short form that it was read from, for print; the model is the same without."""

    def __post_init__(self) -> None:
        check_variables(self.variables, self.needs_observed)
        check_parents(self.variables)
        check_given(self)
        check_locals(self.variables)
        check_share_names(self)

    def __hash__(self) -> int:
        return self.own_hash

    @cached_property
    def own_hash(self) -> int:
        """By which tables find the model again and again."""
        return hash((self.variables, self.given))

    @cached_property
    def edges(self) -> tuple[tuple[str, str], ...]:
        """All edges, child by child, the parents of a child in their order."""
        return tuple([(parent, child.name) for child in self.variables for parent in child.parents])

    @cached_property
    def states(self) -> Mapping[str, int]:
        """The number of states of each variable."""
        return {variable.name: variable.states for variable in self.variables}

    @cached_property
    def kinds(self) -> frozenset[str]:
        """The kinds of the locals."""
        return frozenset([variable.local.kind for variable in self.variables])


MakeNetwork = Callable[[tuple["Variable", ...], tuple[str, ...]], "Network"]
"""Variables and those conditioned on to a network."""


def check_variables(variables: tuple[Variable, ...], needs_observed: bool = True) -> None:
    """Raise unless names are unique, state counts are allowed and something is observed."""
    if not variables:
        raise InputError("the model is empty; at least one observed variable is needed")
    if len(variables) > MOST_VARIABLES:
        raise InputError(f"the model has {len(variables)} variables; at most {MOST_VARIABLES} are allowed")
    seen: set[str] = set()
    for variable in variables:
        if variable.name in seen:
            raise InputError(f"duplicate variable name {variable.name}; each name is allowed once")
        seen.add(variable.name)
        check_name(variable.name, "a variable")
        least = 2 if variable.observed else 1
        if not least <= variable.states <= MOST_STATES:
            kind = "an observed" if variable.observed else "a hidden"
            raise InputError(
                f"{variable.name} has {format_count(variable.states, 'state')}; {kind} variable has {least} to {MOST_STATES}"
            )
        if variable.labels and len(set(variable.labels)) != variable.states:
            raise InputError(
                f"{variable.name} has {format_count(variable.states, 'state')} and the labels {join_names(variable.labels)}; "
                "as many different ones are expected"
            )
    if needs_observed and not any(variable.observed for variable in variables):
        raise InputError("all variables are hidden; at least one observed variable is needed")


def check_parents(variables: tuple[Variable, ...]) -> None:
    """Raise unless every parent exists, stands once, and there is no cycle."""
    names = {variable.name for variable in variables}
    for variable in variables:
        for parent in variable.parents:
            if parent not in names:
                raise InputError(
                    f"the edge {parent} -> {variable.name}: there is no variable {parent}; known are {join_names(sorted(names))}"
                )
        if len(set(variable.parents)) < len(variable.parents):
            twice = next(p for p in variable.parents if variable.parents.count(p) > 1)
            raise InputError(f"the edge {twice} -> {variable.name} occurs twice; once is allowed")
    before: set[str] = set()
    for variable in variables:
        if not before.issuperset(variable.parents):  # else the order shows that there is none
            cycle = find_cycle({variable.name: variable.parents for variable in variables})
            if cycle:
                raise InputError(describe_cycle(cycle))
            return
        before.add(variable.name)


def order_parents_first(model: Network) -> list[str]:
    """The names of the variables, parents first."""
    return list(TopologicalSorter({variable.name: variable.parents for variable in model.variables}).static_order())


def find_cycle(parents: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """The variables of a cycle, the first again at the end, each a parent of the next; none if there is no cycle."""
    try:
        TopologicalSorter(parents).prepare()
    except CycleError as error:
        return tuple(error.args[1])  # graphlib lists each node before the one that depends on it
    return ()


def describe_cycle(cycle: Sequence[str]) -> str:
    """Say what is wrong with a cycle."""
    return f"the edges form a cycle: {' -> '.join(cycle)}; a discrete network has none"


def explain_not_given(variable: Variable) -> str:
    """Why a variable cannot be conditioned on; nothing if it can."""
    name = variable.name
    if not variable.observed:
        return f"given {name}: {name} is hidden; only an observed variable can be conditioned on"
    if variable.parents:
        parents = ", ".join(variable.parents)
        return f"given {name}: {name} has the parents {parents}; only a variable without parents can be conditioned on"
    if variable.local != FREE:
        return f"given {name}: {name} has a local map of its own; a variable conditioned on has no parameters"
    return ""


def check_given(model: Network) -> None:
    """Raise unless the variables conditioned on are observed roots with a default local, and others remain."""
    by_name = {variable.name: variable for variable in model.variables}
    if len(set(model.given)) < len(model.given):
        raise InputError(f"given {', '.join(model.given)}: a name occurs twice; once is allowed")
    for name in model.given:
        if name not in by_name:
            raise InputError(f"given {name}: there is no variable {name}; known are {join_names(sorted(by_name))}")
        wrong = explain_not_given(by_name[name])
        if wrong:
            raise InputError(wrong)
    if model.given and all(variable.name in model.given for variable in model.observed):
        raise InputError("every observed variable is conditioned on; at least one other is needed")


def check_locals(variables: tuple[Variable, ...]) -> None:
    """Raise unless every local fits its variable and shared tables agree."""
    states = {variable.name: variable.states for variable in variables}
    first: dict[str, Variable] = {}
    fits = set[tuple[int, int, tuple[int, ...]]]()
    for variable in variables:
        parents = add_states(variable.parents, states)
        fit = (id(variable.local), variable.states, tuple([count for _, count in parents]))
        if fit not in fits:  # the same table of another variable need not be looked at again
            variable.local.check(variable.name, variable.states, parents)
            fits.add(fit)
        if variable.local.share is not None:
            other = first.setdefault(variable.local.share, variable)
            mine = (variable.states, *(states[p] for p in variable.parents))
            theirs = (other.states, *(states[p] for p in other.parents))
            if mine != theirs:
                raise InputError(
                    f"share {variable.local.share}: {other.name} and {variable.name} have tables of different shape "
                    f"({' × '.join(map(str, theirs))} and {' × '.join(map(str, mine))}); a shared table has one shape"
                )
            if variable.local != other.local:
                raise InputError(
                    f"share {variable.local.share}: {other.name} and {variable.name} fix or name entries differently, or are of "
                    "different kinds; a shared table is one table"
                )


def check_share_names(model: Network) -> None:
    """Raise if a share has the name of a variable outside it: parameter files know tables by one name."""
    shares = {variable.local.share for variable in model.variables}
    for variable in model.variables:
        if variable.name in shares and variable.local.share != variable.name and variable.name not in model.given:
            raise InputError(
                f"share {variable.name}: a variable outside the share has this name too; choose another name for the share"
            )


def merge_shared_entries(variables: Iterable[Variable]) -> tuple[Variable, ...]:
    """Give all members of a share the entries that were fixed or named at any one of them."""
    variables = tuple(variables)
    gathered: dict[str, tuple[set[object], set[object]]] = {}
    for variable in variables:
        if isinstance(variable.local, Table) and variable.local.share is not None:
            fixed, equal = gathered.setdefault(variable.local.share, (set(), set()))
            fixed.update(variable.local.fixed)
            equal.update(variable.local.equal)

    def complete_table(variable: Variable) -> Variable:
        if not isinstance(variable.local, Table) or variable.local.share is None:
            return variable
        fixed, equal = gathered[variable.local.share]
        return replace(variable, local=replace(variable.local, fixed=tuple(fixed), equal=tuple(equal)))  # type: ignore[arg-type]

    return tuple(complete_table(variable) for variable in variables)


def build_latent_class(classes: int, sizes: Iterable[int]) -> Network:
    """The latent class model with free tables, so many classes of H and items with these numbers of states.

    >>> [variable.name for variable in build_latent_class(3, (2, 2, 4)).variables]
    ['H', 'X1', 'X2', 'X3']
    """
    items = (Variable(f"X{number}", size, parents=("H",)) for number, size in enumerate(sizes, 1))
    return Network((Variable("H", classes, observed=False), *items))


def drop_irrelevant(model: Network) -> tuple[Network, tuple[str, ...]]:
    """Remove hidden variables without observed descendants; also return their names: the sum over a variable without observed descendants is one."""
    relevant = find_ancestors(model, tuple([variable.name for variable in model.observed]))
    if len(relevant) == len(model.variables):
        return model, ()
    removed = tuple(variable.name for variable in model.variables if variable.name not in relevant)
    kept = tuple(variable for variable in model.variables if variable.name in relevant)
    return Network(kept, model.given), removed


@lru_cache(1 << 8)
def find_ancestors(model: Network, names: tuple[str, ...]) -> frozenset[str]:
    """The variables named and all their ancestors."""
    parents = {variable.name: variable.parents for variable in model.variables}
    found, waiting = set(names), list(names)
    while waiting:
        for parent in parents[waiting.pop()]:
            if parent not in found:
                found.add(parent)
                waiting.append(parent)
    return frozenset(found)


def iterate_variable_signatures(model: Network) -> Iterator[tuple[str, Any]]:
    """What a variable looks like by itself; an observed one by its name."""
    for variable in model.variables:
        local = variable.local
        table = (len(local.fixed), len(local.equal)) if isinstance(local, Table) else ()
        look = (variable.states, local.kind, getattr(local, "n", None), table)
        yield variable.name, (variable.name if variable.observed else "", look)


def iterate_links(model: Network) -> Iterator[tuple[Any, str, str]]:
    """The edges."""
    yield from (("->", *edge) for edge in model.edges)


def count_reordered_states(model: Network) -> dict[str, int]:
    """The hidden variables that stand in tables with fixed or named entries, and how many states they have."""
    movable: dict[str, int] = {}
    for variable in model.variables:
        around = [variable, *(one for one in model.variables if variable.name in one.parents)]
        tables = [one.local for one in around if isinstance(one.local, Table)]
        if not variable.observed and len(tables) == len(around) and any(table.fixed or table.equal for table in tables):
            movable[variable.name] = variable.states
    return movable


def normalise_network(model: Network, names: Names, orders: Orders) -> Any:
    """A network without names and orders that mean nothing: equal forms, equal models."""
    called = {variable.name: names.get(variable.name, variable.name) for variable in model.variables}
    groups: dict[Any, list[Variable]] = defaultdict(list)
    for variable in sorted(model.variables, key=lambda one: called[one.name]):
        share = variable.local.share
        groups[variable.name if share is None else ("share", share)].append(variable)
    labels: dict[str, int] = {}
    found = []
    for members in groups.values():
        # a shared table has one order of its parents for all; that of the first member's sorted parents
        order = sorted(range(len(members[0].parents)), key=lambda place: called[members[0].parents[place]])
        shown = [
            (
                called[one.name],
                one.states,
                one.observed,
                tuple(called[one.parents[place]] for place in order),
                one.name in model.given,
            )
            for one in members
        ]
        found.append((shown, normalise_local(members, order, called, orders, labels)))
    return found


def normalise_local(
    members: Sequence[Variable], order: Sequence[int], called: Names, orders: Orders, labels: dict[str, int]
) -> Any:
    """How variables depend on their parents; of those with one table all have to order states alike."""
    first, local = members[0], members[0].local
    classifier = getattr(local, "classifier", None)
    if classifier is not None:
        return (
            local.kind,
            called.get(classifier.label, classifier.label),
            normalise_network(classifier.network, called, orders),
        )
    if not isinstance(local, Table):
        return local.kind, getattr(local, "n", None)
    known = {tuple(tuple(orders.get(name, ())) for name in (*one.parents, one.name)) for one in members}
    if len(known) > 1:
        return "ordered differently", known, first.name

    def place(cell: tuple[tuple[int, ...], int]) -> tuple[tuple[int, ...], int]:
        row = [move_state(orders, first.parents[axis], cell[0][axis]) for axis in order]
        return tuple(row), move_state(orders, first.name, cell[1])

    fixed = sorted((place(cell), value) for cell, value in local.fixed)
    equal = sorted((place(cell), label) for cell, label in local.equal)
    return local.kind, fixed, [(cell, labels.setdefault(label, len(labels))) for cell, label in equal]


def move_state(orders: Orders, name: str, state: int) -> int:
    """The new number of a state."""
    return orders[name][state] if name in orders else state


def relate_variables(model: Network) -> tuple[list[str], list[Relation]] | None:
    """Neighbours and v-structures: all that Markov equivalent networks of free tables have in common.

    With a table for several variables the edges and which variables these are, if none has two parents, which have an order.
    """
    kept, _ = drop_irrelevant(model)
    shares = defaultdict(list)
    for place, variable in enumerate(kept.variables):
        share = variable.local.share if isinstance(variable.local, Table) else None
        if variable.local != Table(share) or (share is not None and len(variable.parents) > 1):
            return None
        if share is not None:
            shares[share].append(place)
    if kept.given:
        return None
    places = {variable.name: place for place, variable in enumerate(kept.variables)}
    colours = [f"{variable.observed} {variable.states}" for variable in kept.variables]
    if shares:
        edges: list[Relation] = [("->", (places[one], places[other])) for one, other in kept.edges]
        # a table is one more vertex: pairs of variables would be many
        groups = enumerate(shares.values(), len(colours))
        users: list[Relation] = [("=", (user, table)) for table, group in groups for user in group]
        return colours + ["table"] * len(shares), edges + users
    joined = {frozenset((places[one], places[other])) for one, other in kept.edges}
    relations: list[Relation] = [("-", ends) for pair in joined for ends in permutations(sorted(pair))]
    for variable in kept.variables:
        for pair in combinations([places[parent] for parent in variable.parents], 2):
            if frozenset(pair) not in joined:
                relations += [("v", (*ends, places[variable.name])) for ends in permutations(pair)]
    return colours, relations


RENAMING = Renaming(
    normalise_network, iterate_variable_signatures, iterate_links, count_reordered_states, relate=relate_variables
)
