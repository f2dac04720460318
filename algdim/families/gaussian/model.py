"""The family "gaussian": linear structural equations with correlated errors, latent variables and cycles (GHM96 §7).

Each variable is an intercept, plus coefficients times its parents, plus an error; a bidirected edge is a covariance of
two errors. The record holds no algebra.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from typing import Any, ClassVar

from algdim.display.models import VariableModel
from algdim.errors import InputError, join_names
from algdim.families.contract import Names, Orders, Relation, Renaming, iterate_variable_looks
from algdim.families.gaussian.validity import check_blocks, check_inverse
from algdim.models.graphs import find_strong_components, group_neighbours, order_depth_first
from algdim.models.tokens import check_name

Entry = tuple[str, ...]
"""A number of the model: ("b", parent, child), ("v", variable), ("c", variable, variable) or ("m", variable)."""

KINDS = {"b": "coefficient", "v": "error variance", "c": "error covariance", "m": "intercept"}

ONE: Entry = ()
"""Stands for the number 1 in what is linear."""

Terms = tuple[tuple[Entry, Fraction], ...]
"""A sum of multiples of entries, and of 1."""


@dataclass(frozen=True, slots=True)
class GaussianVariable:
    """A variable with a normal distribution, observed or latent."""

    name: str
    observed: bool = True


@dataclass(frozen=True, slots=True, repr=False)
class Gaussian(VariableModel[GaussianVariable]):
    """A linear Gaussian model: variables in order of first mention, directed and bidirected edges as they are listed.

    ``means`` says whether intercepts belong to the model. Entries are free unless ``fixed`` to a number, ``equal`` (entries
    of the same name are) or ``linear`` in others. With ``groups``, by the column ``by``, cases of each have their own variables,
    whose names end in a point and the group.

    >>> model = Gaussian((GaussianVariable("F", False), GaussianVariable("X")), (("F", "X"),), means=False)
    >>> model.entries
    (('b', 'F', 'X'), ('v', 'F'), ('v', 'X'))
    """

    family: ClassVar[str] = "gaussian"

    variables: tuple[GaussianVariable, ...]
    edges: tuple[tuple[str, str], ...] = ()
    bidirected: tuple[tuple[str, str], ...] = ()
    means: bool = True
    fixed: tuple[tuple[Entry, Fraction], ...] = ()
    equal: tuple[tuple[Entry, str], ...] = ()
    linear: tuple[tuple[Entry, Terms], ...] = ()
    by: str = ""
    groups: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_variables(self.variables)
        check_edges(self)
        check_entries(self)
        names, fixed = [variable.name for variable in self.variables], dict(self.fixed)
        if self.linear:
            fixed |= check_linear(self)
        if self.groups or self.by:
            check_groups(self)
        check_constants(self, fixed)
        check_blocks(names, self.bidirected, fixed)
        check_inverse(names, self.edges, fixed, dict(self.equal))

    @property
    def entries(self) -> tuple[Entry, ...]:
        """All numbers of the model: coefficients, variances, covariances, intercepts."""
        names = [variable.name for variable in self.variables]
        return (
            *(("b", *edge) for edge in self.edges),
            *(("v", name) for name in names),
            *(("c", *pair) for pair in self.bidirected),
            *((("m", name) for name in names) if self.means else ()),
        )


def find_group(name: str) -> str:
    """The group of a variable, behind the last point of its name.

    >>> find_group("x1.school")
    'school'
    """
    return name.rpartition(".")[2]


def strip_group(name: str) -> str:
    """The name of a variable without its group."""
    return name.rpartition(".")[0]


def format_entry(entry: Entry) -> str:
    """Print an entry as the notation reads it.

    >>> format_entry(("b", "F", "X1")), format_entry(("c", "X1", "X2")), format_entry(("v", "F"))
    ('b(F->X1)', 'c(X1<->X2)', 'v(F)')
    """
    kind, *names = entry
    return f"{kind}({({'b': '->', 'c': '<->'}.get(kind, '')).join(names)})"


def check_variables(variables: tuple[GaussianVariable, ...]) -> None:
    """Raise unless names are allowed and unique and something is observed."""
    if not variables:
        raise InputError("the model is empty; at least one observed variable is needed")
    for variable in variables:
        check_name(variable.name, "a variable")
    for name, times in Counter(variable.name for variable in variables).items():
        if times > 1:
            raise InputError(f"the variable {name} stands {times} times; each name is allowed once")
    if not any(variable.observed for variable in variables):
        raise InputError("all variables are latent; at least one observed variable is needed")


def check_edges(model: Gaussian) -> None:
    """Raise unless every edge joins two known variables and stands once; cycles are allowed."""
    names = {variable.name for variable in model.variables}
    for arrow, edges in (("->", model.edges), ("<->", model.bidirected)):
        seen: set[tuple[str, ...]] = set()
        for one, other in edges:
            text = f"the edge {one} {arrow} {other}"
            for name in (one, other):
                if name not in names:
                    raise InputError(f"{text}: there is no variable {name}; known are {join_names(sorted(names))}")
            if one == other:
                raise InputError(f"{text} joins a variable with itself; two different ones are needed")
            key = (one, other) if arrow == "->" else tuple(sorted((one, other)))
            if key in seen:
                raise InputError(f"{text} occurs twice; once is allowed")
            seen.add(key)


def check_constants(model: Gaussian, fixed: Mapping[Entry, Fraction]) -> None:
    """Raise if an error whose variance is fixed to 0 has a covariance."""
    for one, other in model.bidirected:
        entry = ("c", one, other)
        if 0 in (fixed.get(("v", one)), fixed.get(("v", other))) and fixed.get(entry) != 0:
            raise InputError(
                f"{format_entry(entry)}: an error of variance 0 has no covariance; leave the edge out, or fix it to 0"
            )


def check_entries(model: Gaussian) -> None:
    """Raise unless every fixed or named entry exists and stands once, and fixed variances are not negative."""
    known = set(model.entries)
    special = [entry for entry, _ in (*model.fixed, *model.equal, *model.linear)]
    for entry in special:
        if entry not in known:
            kind = KINDS.get(entry[0], "entry")
            raise InputError(
                f"{format_entry(entry)}: the model has no such {kind}; known are {join_names(map(format_entry, model.entries))}"
            )
    for entry, times in Counter(special).items():
        if times > 1:
            raise InputError(f"{format_entry(entry)} is fixed or named {times} times; once is allowed")
    for entry, value in model.fixed:
        if entry[0] == "v" and value < 0:
            raise InputError(f"{format_entry(entry)} is fixed to {value}; a variance is not negative")
    kinds: dict[str, str] = {}
    for entry, label in model.equal:
        check_name(label, "an equal entry")
        if kinds.setdefault(label, entry[0]) != entry[0]:
            raise InputError(f"equal {label}: {format_entry(entry)} is not of the same kind as the entries before it")


def check_linear(model: Gaussian) -> dict[Entry, Fraction]:
    """Raise unless what is linear is so in other entries; also return the entries that are numbers by that."""
    known, fixed, left = set(model.entries), dict(model.fixed), dict(model.linear)
    block = {name: number for number, members in enumerate(find_components(model)) for name in members}
    found: dict[Entry, Fraction] = {}
    for entry, terms in model.linear:
        text = format_linear(entry, terms)
        for other, value in terms:
            if other and other not in known:
                raise InputError(f"{text}: the model has no number {format_entry(other)}")
            if other in left:
                raise InputError(f"{text}: {format_entry(other)} is itself given by others; name those here")
            if not value:
                raise InputError(f"{text}: a term has the factor 0; leave it out")
        if not any(other for other, _ in terms):
            raise InputError(f"{text}: there is no number on the right that varies; write fix {text.replace(' ', '')}")
        if len({other for other, _ in terms}) < len(terms):
            raise InputError(f"{text}: a number occurs twice on the right; once is allowed")
        if entry[0] == "b" and block[entry[1]] == block[entry[2]]:
            raise InputError(f"{text}: coefficients on a cycle can be fixed or equal, and are not given by others")
        if is_constant(reduced := merge_terms(terms, fixed, dict(model.equal))):
            found[entry] = sum((value for _, value in reduced), Fraction(0))
            if entry[0] == "v" and found[entry] < 0:
                raise InputError(f"{text} is {found[entry]}; a variance is not negative")
    return found


def check_groups(model: Gaussian) -> None:
    """Raise unless each variable belongs to one of several groups, and edges join variables of one."""
    check_name(model.by, "the column of the groups")
    if len(model.groups) < 2 or len(set(model.groups)) < len(model.groups):
        raise InputError(
            f"given {model.by}: the groups are {join_names(model.groups)}; two or more different ones are needed"
        )
    for variable in model.variables:
        if find_group(variable.name) not in model.groups or "." not in variable.name:
            raise InputError(
                f"given {model.by}: {variable.name} belongs to no group; its name ends in one of "
                f"{join_names(f'.{group}' for group in model.groups)}"
            )
    empty = [group for group in model.groups if group not in {find_group(variable.name) for variable in model.observed}]
    if empty:
        raise InputError(
            f"given {model.by}: nothing is observed in the group {empty[0]}; name the groups that have variables"
        )
    for one, other in (*model.edges, *model.bidirected):
        if find_group(one) != find_group(other):
            raise InputError(f"the edge between {one} and {other} joins two groups; cases belong to one")


def format_linear(entry: Entry, terms: Terms) -> str:
    """Print an entry that is linear in others, as the notation reads it.

    >>> format_linear(("v", "A"), ((ONE, Fraction(3)), (("v", "B"), Fraction(-1)), (("v", "C"), Fraction(1, 2))))
    'v(A) = 3 - v(B) + 1/2 v(C)'
    """
    found = ""
    for other, value in terms:
        size = f"{abs(value)}" if not other or abs(value) != 1 else ""
        name = format_entry(other) if other else ""
        sign = (" - " if value < 0 else " + ") if found else ("-" if value < 0 else "")
        found += sign + " ".join(filter(None, (size, name)))
    return f"{format_entry(entry)} = {found or '0'}"


def iterate_links(model: Gaussian) -> Iterator[tuple[Any, str, str]]:
    """The entries: of two variables, or of one."""
    fixed, equal = dict(model.fixed), {entry for entry, _ in (*model.equal, *model.linear)}
    for entry in model.entries:
        if entry[0] in ("b", "c"):
            yield (entry[0], str(fixed.get(entry)), entry in equal), entry[1], entry[2]
        else:  # a number of one variable
            yield (entry[0], str(fixed.get(entry)), entry in equal), entry[1], entry[1]
    if model.bidirected:  # these have no direction
        for one, other in model.bidirected:
            entry = ("c", one, other)
            yield (entry[0], str(fixed.get(entry)), entry in equal), other, one


def normalise_gaussian(model: Gaussian, names: Names, orders: Orders) -> Any:
    """The entries: free, fixed, or equal to others."""
    del orders  # no states
    called = {variable.name: names.get(variable.name, variable.name) for variable in model.variables}
    fixed, equal = dict(model.fixed), dict(model.equal)

    def key(entry: tuple[str, ...]) -> tuple[str, ...]:
        kind, *ends = entry
        new = [called[name] for name in ends]
        return (kind, *(sorted(new) if kind == "c" else new))

    labels: dict[str, int] = {}
    observed = sorted(variable.name for variable in model.observed)
    entries = sorted((key(entry), entry) for entry in model.entries)
    numbers = [
        (new, fixed.get(old), labels.setdefault(equal[old], len(labels)) if old in equal else None)
        for new, old in entries
    ]
    linear = sorted(
        (key(entry), sorted((key(one) if one else one, value) for one, value in terms)) for entry, terms in model.linear
    )
    return observed, numbers, linear, sorted(model.groups)


def relate_variables(model: Gaussian) -> tuple[list[str], list[Relation]] | None:
    """Arrows and arcs, where nothing else belongs to the model."""
    if model.fixed or model.equal or model.linear or model.groups:
        return None
    places = {variable.name: place for place, variable in enumerate(model.variables)}
    directed: list[Relation] = [("->", (places[one], places[other])) for one, other in model.edges]
    arcs: list[Relation] = [
        ("<->", ends) for pair in model.bidirected for ends in permutations([places[v] for v in pair])
    ]
    return [f"{variable.observed} {model.means}" for variable in model.variables], directed + arcs


RENAMING = Renaming(normalise_gaussian, iterate_variable_looks, iterate_links, relate=relate_variables)


def find_components(model: Gaussian) -> tuple[tuple[str, ...], ...]:
    """The strongly connected components of the directed part of a model, parents first."""
    return find_strong_components([variable.name for variable in model.variables], model.edges)


def has_cycle(model: Gaussian) -> bool:
    """Whether the directed edges have a cycle; those fixed to 0 count as edges."""
    return any(len(members) > 1 for members in find_components(model))


def drop_irrelevant(model: Gaussian) -> tuple[Gaussian, tuple[str, ...]]:
    """Remove latent variables from which no directed path leads to an observed one; also return their names.

    They stay where other numbers are linear in parameters that they alone have.

    Let D be these variables and A the others. No edge leads from D to A, so I − B is block triangular, and the columns
    of its inverse that belong to observed variables vanish on D and are those of (I − B_AA)⁻¹ on A. So no number of a
    variable in D, neither its intercept nor its error's variance and covariances, occurs in the observed covariances
    and means, with cycles or without.
    """
    names = [variable.name for variable in model.variables]
    back = group_neighbours(names, [(end, start) for start, end in model.edges])
    kept = set(order_depth_first([variable.name for variable in model.observed], back, set()))
    removed = tuple(name for name in names if name not in kept)
    linear = fold_linear(model, kept)
    if not removed or linear is None:
        return model, ()
    constants = [
        (entry, sum((value for _, value in terms), Fraction(0))) for entry, terms in linear if is_constant(terms)
    ]
    smaller = Gaussian(
        tuple(variable for variable in model.variables if variable.name in kept),
        tuple(edge for edge in model.edges if kept.issuperset(edge)),
        tuple(edge for edge in model.bidirected if kept.issuperset(edge)),
        model.means,
        (*((entry, value) for entry, value in model.fixed if kept.issuperset(entry[1:])), *constants),
        tuple((entry, label) for entry, label in model.equal if kept.issuperset(entry[1:])),
        tuple((entry, terms) for entry, terms in linear if not is_constant(terms)),
        model.by,
        model.groups,
    )
    return smaller, removed


def is_constant(terms: Terms) -> bool:
    """Whether a sum has no number that varies by its form."""
    return not any(entry for entry, _ in terms)


def merge_terms(terms: Terms, fixed: Mapping[Entry, Fraction], alike: Mapping[Entry, Any]) -> Terms:
    """A sum with what is fixed as a constant, and each entry under its other name, if it has one, added up.

    >>> merge_terms(((("v", "A"), Fraction(2)), (("m", "B"), Fraction(1))), {("m", "B"): Fraction(3)}, {})
    ((('v', 'A'), Fraction(2, 1)), ((), Fraction(3, 1)))
    """
    total: dict[Any, Fraction] = {}
    for entry, factor in terms:
        name, value = (ONE, factor * fixed[entry]) if entry in fixed else (alike.get(entry, entry), factor)
        total[name] = total.get(name, Fraction(0)) + value
    return tuple((name, value) for name, value in total.items() if value)


def fold_linear(model: Gaussian, kept: set[str]) -> tuple[tuple[Entry, Terms], ...] | None:
    """What is linear among some variables, the numbers of others being constants or equal to theirs; nothing if one is neither."""
    inside = {label: entry for entry, label in reversed(model.equal) if kept.issuperset(entry[1:])}
    alike = {entry: inside[label] for entry, label in model.equal if label in inside and not kept.issuperset(entry[1:])}
    fixed = {entry: value for entry, value in model.fixed if not kept.issuperset(entry[1:])}
    linear = [(left, terms) for left, terms in model.linear if kept.issuperset(left[1:])]
    merged = tuple((left, merge_terms(terms, fixed, alike)) for left, terms in linear)
    return merged if all(kept.issuperset(entry[1:]) for _, terms in merged for entry, _ in terms) else None
