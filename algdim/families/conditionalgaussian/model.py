"""The family "conditional-gaussian": networks of discrete and Gaussian variables (Lauritzen and Wermuth; CH96 §2).

A discrete variable has a table given its parents, which are discrete. A Gaussian variable is, in each joint state of its discrete
parents, an intercept, plus coefficients times its Gaussian parents, plus an independent normal error. The record holds no algebra.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

from algdim.display.models import VariableModel
from algdim.errors import InputError, join_names
from algdim.families.contract import Names, Orders, Renaming
from algdim.families.discrete.model import Network, Variable
from algdim.families.gaussian.model import KINDS, Entry, format_entry
from algdim.models.graphs import find_strong_components, group_neighbours, order_depth_first
from algdim.models.tokens import check_name
from algdim.models.values import MOST_STATES, MOST_VARIABLES

WORDS = ("common",)
"""Clause words of this family alone."""


@dataclass(frozen=True, slots=True)
class MixedVariable:
    """A variable: discrete with its number of states, Gaussian without."""

    name: str
    states: int | None = None
    observed: bool = True


@dataclass(frozen=True, repr=False)
class ConditionalGaussian(VariableModel[MixedVariable]):
    """Variables in order of first mention, edges as they are listed.

    An entry is a coefficient, an error variance or an intercept, ("b", parent, child), ("v", variable) or ("m", variable): one
    number for each joint state of the child's discrete parents. It is one number for all of them if it is ``common``. All are free
    unless ``fixed`` to a number, or ``equal``: entries of the same name are equal, state by state.

    >>> X = MixedVariable
    >>> model = ConditionalGaussian((X("H", 2, False), X("Y"), X("Z")), (("H", "Y"), ("Y", "Z")), common=(("v", "Y"),))
    >>> model.entries
    (('m', 'Y'), ('v', 'Y'), ('m', 'Z'), ('b', 'Y', 'Z'), ('v', 'Z'))
    >>> model.get_switches(("m", "Y")), model.get_switches(("v", "Y"))
    (('H',), ())
    """

    family: ClassVar[str] = "conditional-gaussian"

    variables: tuple[MixedVariable, ...]
    edges: tuple[tuple[str, str], ...] = ()
    common: tuple[Entry, ...] = ()
    fixed: tuple[tuple[Entry, Fraction], ...] = ()
    equal: tuple[tuple[Entry, str], ...] = ()

    def __post_init__(self) -> None:
        check_variables(self.variables)
        check_edges(self)
        check_entries(self)
        listed = frozenset(self.common)
        object.__setattr__(self, "common", tuple(entry for entry in self.entries if entry in listed))

    @cached_property
    def constant_entries(self) -> frozenset[Entry]:
        """The entries that depend on no state, because they are common or fixed."""
        return frozenset([*self.common, *(entry for entry, _ in self.fixed)])

    @cached_property
    def values(self) -> dict[Entry, Fraction]:
        """The entries that are fixed."""
        return dict(self.fixed)

    @cached_property
    def labels(self) -> dict[Entry, str]:
        """The names of equal entries."""
        return dict(self.equal)

    @cached_property
    def firsts(self) -> dict[str, Entry]:
        """The first entry of each name."""
        return {label: entry for entry, label in reversed(self.equal)}

    @cached_property
    def switching(self) -> dict[str, tuple[str, ...]]:
        """The discrete parents of each variable."""
        return {name: tuple(one for one in above if one in self.states) for name, above in self.parents.items()}

    @cached_property
    def states(self) -> dict[str, int]:
        """The discrete variables with their numbers of states."""
        return {one.name: one.states for one in self.variables if one.states is not None}

    @cached_property
    def parents(self) -> dict[str, tuple[str, ...]]:
        """The parents of each variable, as their edges are listed."""
        found: dict[str, list[str]] = {one.name: [] for one in self.variables}
        for parent, child in self.edges:
            found[child].append(parent)
        return {name: tuple(names) for name, names in found.items()}

    @cached_property
    def gaussian(self) -> tuple[str, ...]:
        """The Gaussian variables, parents first."""
        names = [name for (name,) in find_strong_components(list(self.parents), self.edges)]
        return tuple(name for name in names if name not in self.states)

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        """All entries, variable by variable: intercept, coefficients, variance."""
        found: list[Entry] = []
        for one in self.variables:
            if one.states is None:
                found.append(("m", one.name))
                found += [("b", parent, one.name) for parent in self.parents[one.name] if parent not in self.states]
                found.append(("v", one.name))
        return tuple(found)

    def get_switches(self, entry: Entry) -> tuple[str, ...]:
        """The discrete variables on whose states an entry depends."""
        return () if entry in self.constant_entries else self.switching[entry[-1]]

    @cached_property
    def switches(self) -> tuple[str, ...]:
        """The discrete variables on which some entry depends, in order."""
        used = {name for entry in self.entries for name in self.get_switches(entry)}
        return tuple(name for name in self.states if name in used)

    @cached_property
    def relevant(self) -> frozenset[str]:
        """The observed variables and their ancestors."""
        back = group_neighbours(list(self.parents), [(child, parent) for parent, child in self.edges])
        return frozenset(order_depth_first([one.name for one in self.observed], back, set()))

    @cached_property
    def shown_switches(self) -> tuple[str, ...]:
        """The discrete variables on which some entry of these depends: the others change nothing that is observed."""
        used = {name for entry in self.entries if entry[-1] in self.relevant for name in self.get_switches(entry)}
        return tuple(name for name in self.states if name in used)

    @cached_property
    def network(self) -> Network | None:
        """The discrete variables with their tables, the shown switches observed too; ``None`` if none is."""
        found = tuple(
            Variable(
                one.name,
                one.states,
                one.observed or (one.name in self.shown_switches and one.states > 1),
                self.parents[one.name],
            )
            for one in self.variables
            if one.states is not None
        )
        return Network(found) if any(one.observed for one in found) else None


def check_variables(variables: tuple[MixedVariable, ...]) -> None:
    """Raise unless names are allowed and unique, and something Gaussian is observed."""
    if len(variables) > MOST_VARIABLES:
        raise InputError(f"the model has {len(variables)} variables; at most {MOST_VARIABLES} are allowed")
    for one in variables:
        check_name(one.name, "a variable")
        if one.name in WORDS:
            raise InputError(f"{one.name!r} is a clause word of the family conditional-gaussian; choose another name")
        least = 2 if one.observed else 1
        if one.states is not None and (
            not isinstance(one.states, int) or isinstance(one.states, bool) or not least <= one.states <= MOST_STATES
        ):
            raise InputError(
                f"the states of {one.name}: {one.states!r} is not allowed; an integer from {least} to {MOST_STATES} is"
            )
    for name, times in Counter(one.name for one in variables).items():
        if times > 1:
            raise InputError(f"the variable {name} stands {times} times; each name is allowed once")
    if not any(one.observed and one.states is None for one in variables):
        raise InputError(
            "no Gaussian variable is observed; at least one is needed, that is one without states "
            "(a network of discrete variables takes no family word)"
        )


def check_edges(model: ConditionalGaussian) -> None:
    """Raise unless edges join known variables once, without cycles, and none leads from a Gaussian variable to a discrete one."""
    names = {one.name for one in model.variables}
    for edge, times in Counter(model.edges).items():
        parent, child = edge
        for name in edge:
            if name not in names:
                raise InputError(
                    f"the edge {parent} -> {child}: there is no variable {name}; known are {join_names(sorted(names))}"
                )
        if times > 1 or parent == child:
            what = "joins a variable with itself" if parent == child else f"stands {times} times"
            raise InputError(f"the edge {parent} -> {child} {what}; an edge joins two variables, once")
        if child in model.states and parent not in model.states:
            raise InputError(
                f"the edge {parent} -> {child}: {child} is discrete and {parent} is Gaussian; in conditional Gaussian networks "
                "discrete variables have discrete parents only; turn the edge around"
            )
    for members in find_strong_components(sorted(names), model.edges):
        if len(members) > 1:
            raise InputError(f"the edges make a cycle through {join_names(members)}; a network has none")


def check_entries(model: ConditionalGaussian) -> None:
    """Raise unless what is common, fixed or equal exists, stands once, and fits."""
    known = frozenset(model.entries)
    for entry in (*model.common, *(one for one, _ in (*model.fixed, *model.equal))):
        if entry not in known:
            raise InputError(
                f"the model has no number {format_entry(entry)}; known are {join_names(map(format_entry, model.entries))}"
            )
    for what, listed in (
        ("common", model.common),
        ("fixed or named", [one for one, _ in (*model.fixed, *model.equal)]),
    ):
        for entry, times in Counter(listed).items():
            if times > 1:
                raise InputError(f"{format_entry(entry)} is {what} {times} times; once is allowed")
    for entry, value in model.fixed:
        if entry in model.common:
            raise InputError(f"{format_entry(entry)} is fixed, and so the same in all states; leave it out of 'common'")
        if entry[0] == "v" and value <= 0:
            raise InputError(f"{format_entry(entry)} is fixed to {value}; a variance is positive here")
    first: dict[str, Entry] = {}
    for entry, label in model.equal:
        check_name(label, "an equal entry")
        other = first.setdefault(label, entry)
        if other[0] != entry[0]:
            raise InputError(
                f"equal {label}: {format_entry(other)} is a {KINDS[other[0]]} and {format_entry(entry)} is not"
            )
        mine, theirs = model.get_switches(entry), model.get_switches(other)
        if set(mine) != set(theirs):
            raise InputError(
                f"equal {label}: {format_entry(other)} depends on {join_names(theirs) or 'no state'}, {format_entry(entry)} on "
                f"{join_names(mine) or 'no state'}; equal entries depend on the same discrete variables"
            )


def drop_irrelevant(model: ConditionalGaussian) -> tuple[ConditionalGaussian, tuple[str, ...]]:
    """The model without hidden variables that have no observed descendants; also their names."""
    names = [one.name for one in model.variables]
    kept = model.relevant
    removed = tuple(name for name in names if name not in kept)
    if not removed:
        return model, ()
    return (
        replace(
            model,
            variables=tuple(one for one in model.variables if one.name in kept),
            edges=tuple(edge for edge in model.edges if kept.issuperset(edge)),
            common=tuple(entry for entry in model.common if kept.issuperset(entry[1:])),
            fixed=tuple((entry, value) for entry, value in model.fixed if kept.issuperset(entry[1:])),
            equal=tuple((entry, label) for entry, label in model.equal if kept.issuperset(entry[1:])),
        ),
        removed,
    )


def iterate_looks(model: ConditionalGaussian) -> Iterator[tuple[str, Any]]:
    """What the variables look like, the observed ones by their names."""
    for one in model.variables:
        yield one.name, (one.name if one.observed else "", one.states)


def describe_ties(model: ConditionalGaussian, entry: Entry) -> tuple[Any, ...]:
    """How an entry is tied, whatever the variables are called."""
    return str(model.values.get(entry)), model.get_switches(entry) == (), entry in model.labels


def iterate_links(model: ConditionalGaussian) -> Iterator[tuple[Any, str, str]]:
    """The edges, and the entries of one variable, with how these are tied."""
    entries = frozenset(model.entries)
    for parent, child in model.edges:
        entry: Entry = ("b", parent, child)
        yield describe_ties(model, entry) if entry in entries else ("edge",), parent, child
    for entry in model.entries:
        if len(entry) == 2:
            yield (entry[0], *describe_ties(model, entry)), entry[1], entry[1]


def normalise_network(model: ConditionalGaussian, names: Names, orders: Orders) -> Any:
    """Variables, edges, and entries: free, common, fixed, or equal to others."""
    del orders  # no entry belongs to one state only
    called = {one.name: names.get(one.name, one.name) for one in model.variables}
    fixed, equal = model.values, model.labels
    labels: dict[str, int] = {}
    entries = sorted(((entry[0], *(called[name] for name in entry[1:])), entry) for entry in model.entries)
    return (
        frozenset((called[one.name], one.states, one.observed) for one in model.variables),
        frozenset((called[parent], called[child]) for parent, child in model.edges),
        [
            (
                new,
                fixed.get(old),
                not model.get_switches(old),
                labels.setdefault(equal[old], len(labels)) if old in equal else None,
            )
            for new, old in entries
        ],
    )


RENAMING = Renaming(normalise_network, iterate_looks, iterate_links)
