"""Networks of observed variables whose tables may be causal interaction models, searched locally and globally (MH97 §6).

A variable has a free table of its parents, or is a function of mechanism variables, each with some of the parents. Since
all variables but the mechanisms are observed, log-likelihood and dimension are sums of a term for each variable, so that
bic and bic+ are. A change of one variable's parents or mechanisms changes one term, a turned edge two; each local
structure is fitted once, as a model of its variable given the parents.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import prod

from algdim.errors import InputError, join_names
from algdim.families.discrete.locals.function import Deterministic, Maximum, Parity
from algdim.families.discrete.mechanisms import name_mechanism_variable
from algdim.families.discrete.model import Network, Variable, find_cycle

Causes = frozenset[str]
MOST_ENTRIES = 1 << 12
"""Of the table of a variable, and of its mechanism variables together, given all its parents."""
MOST_ITEMS = 60
ADDITIVE_SCORES = ("bic", "bic+")
"""Those that are sums of a term for each variable."""
RULES: tuple[Deterministic, ...] = (Maximum(), Parity())


@dataclass(frozen=True, slots=True)
class LocalStructure:
    """How a variable depends on its parents: the causes of each mechanism; one mechanism or none is a free table."""

    mechanisms: frozenset[Causes] = frozenset()
    rule: str = ""
    """The kind of the function of the mechanism variables; empty where there is no more than one."""

    @property
    def parents(self) -> Causes:
        """All causes."""
        return frozenset[str]().union(*self.mechanisms)


Structure = frozenset[tuple[str, LocalStructure]]


def make_local_structure(mechanisms: frozenset[Causes], rule: str) -> LocalStructure:
    """The structure of these mechanisms, without those whose causes another one has too, which change nothing."""
    some = frozenset(one for one in mechanisms if one and not any(one < other for other in mechanisms))
    return LocalStructure(some, rule if len(some) > 1 else "")


def make_first_structure(items: Sequence[Variable]) -> Structure:
    """No edges."""
    if not 2 <= len(items) <= MOST_ITEMS:
        raise InputError(
            f"{len(items)} items: interactions are searched of 2 to {MOST_ITEMS}; choose others with --items"
        )
    return frozenset((item.name, LocalStructure()) for item in items)


def iterate_additions(here: LocalStructure, cause: str, rules: Sequence[str]) -> Iterator[LocalStructure]:
    """With one parent more: as a mechanism of its own, or in one of those that there are."""
    if not here.mechanisms:
        yield LocalStructure(frozenset({frozenset({cause})}))
        return
    for rule in (here.rule,) if here.rule else rules:
        yield make_local_structure(here.mechanisms | {frozenset({cause})}, rule)
    for one in sort_mechanisms(here):
        yield make_local_structure(here.mechanisms - {one} | {one | {cause}}, here.rule)


def remove_cause(here: LocalStructure, cause: str) -> LocalStructure:
    """Without a parent, in whichever mechanisms it is."""
    return make_local_structure(frozenset(one - {cause} for one in here.mechanisms), here.rule)


def iterate_local_changes(here: LocalStructure, rules: Sequence[str]) -> Iterator[LocalStructure]:
    """With the same parents: mechanisms joined, a cause with one of its own, or in another as well, a mechanism of two more, one less, another function."""
    mechanisms, parents = sort_mechanisms(here), sorted(here.parents)
    if here.rule:
        yield LocalStructure(frozenset({here.parents}))
        yield from (LocalStructure(here.mechanisms, rule) for rule in rules if rule != here.rule)
    for rule in (here.rule,) if here.rule else rules:
        yield make_local_structure(frozenset(frozenset({cause}) for cause in parents), rule)
        for one in mechanisms:
            for cause in sorted(one):
                rest = here.mechanisms - {one} | {one - {cause}}
                yield make_local_structure(rest | {frozenset({cause})}, rule)
    for one, other in combinations(mechanisms, 2):
        yield make_local_structure(here.mechanisms - {one, other} | {one | other}, here.rule)
    for one in mechanisms:
        for cause in sorted(here.parents - one):
            yield make_local_structure(here.mechanisms - {one} | {one | {cause}}, here.rule)
        if here.rule and here.parents == frozenset[str]().union(*(here.mechanisms - {one})):
            yield make_local_structure(here.mechanisms - {one}, here.rule)
    for pair in map(frozenset, combinations(parents if here.rule else (), 2)):
        yield make_local_structure(here.mechanisms | {pair}, here.rule)


def sort_mechanisms(here: LocalStructure) -> list[Causes]:
    """In the order of the names of their causes."""
    return sorted(here.mechanisms, key=sorted)


def iterate_structures(structure: Structure, sizes: dict[str, int]) -> Iterator[Structure]:
    """The structures one step away: an edge more or less, one turned, or the mechanisms of one variable changed."""
    local = dict(structure)
    for child, states in sizes.items():
        rules = list_rules(states)
        found: list[dict[str, LocalStructure]] = [{child: one} for one in iterate_local_changes(local[child], rules)]
        for other, many in sizes.items():
            if other in local[child].parents:
                removed = remove_cause(local[child], other)
                found.append({child: removed})
                turned = iterate_additions(local[other], child, list_rules(many))
                found += [{child: removed, other: one} for one in turned]
            elif other != child:
                found += [{child: one} for one in iterate_additions(local[child], other, rules)]
        for change in found:
            after = {**local, **change}
            if all(count_entries(one, after[one], sizes) <= MOST_ENTRIES for one in change) and not find_cycle(
                {one: sorted(after[one].parents) for one in after}
            ):
                yield frozenset(after.items())


def list_rules(states: int) -> list[str]:
    """The functions that a variable with so many states can be of its mechanism variables: parity if it is binary."""
    return [rule.kind for rule in RULES if states == 2 or rule == Maximum()]


def count_entries(child: str, local: LocalStructure, sizes: dict[str, int]) -> int:
    """The entries of the largest table that the term of a variable takes."""
    return prod(sizes[one] for one in local.parents) * sizes[child]


def build_local_variables(item: Variable, local: LocalStructure) -> tuple[Variable, ...]:
    """The variable, and its mechanism variables."""
    if not local.rule:
        return (replace(item, parents=tuple(sorted(local.parents))),)
    rule = next(one for one in RULES if one.kind == local.rule)
    names = [name_mechanism_variable(item.name, number) for number in range(1, len(local.mechanisms) + 1)]
    inner = (
        Variable(name, item.states, parents=tuple(sorted(causes)), observed=False)
        for name, causes in zip(names, sort_mechanisms(local), strict=True)
    )
    return (*inner, replace(item, parents=tuple(names), local=rule))


def build_local_model(child: str, local: LocalStructure, items: dict[str, Variable]) -> Network:
    """One variable given its parents: the model of a term."""
    parents = tuple(sorted(local.parents))
    return Network((*(items[one] for one in parents), *build_local_variables(items[child], local)), given=parents)


def build_interaction_network(structure: Structure, items: dict[str, Variable]) -> Network:
    """The network of a structure."""
    local = dict(structure)
    return Network(tuple(one for name in items for one in build_local_variables(items[name], local[name])))


def check_mechanism_names(items: Sequence[Variable]) -> None:
    """Refuse items that are called as mechanism variables of others are."""
    names = [item.name for item in items]
    taken = [
        name for name in names if any(name.startswith(f"{one}.") and name[len(one) + 1 :].isdigit() for one in names)
    ]
    if taken:
        raise InputError(f"{join_names(taken)}: mechanism variables are called so; rename the column, or leave it out")
