"""The family "gaussian": linear structural equations with correlated errors, latent variables and cycles (GHM96 §7).

Each variable is an intercept, plus coefficients times its parents, plus an error; a bidirected edge is a covariance of
two errors. The record holds no algebra.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from algdim.display.models import VariableModel
from algdim.errors import InputError, join_names
from algdim.families.contract import Names, Orders, Renaming, iterate_variable_looks
from algdim.families.gaussian.validity import check_blocks, check_inverse
from algdim.models.graphs import find_strong_components, group_neighbours, order_depth_first
from algdim.models.tokens import check_name

Entry = tuple[str, ...]
"""A number of the model: ("b", parent, child), ("v", variable), ("c", variable, variable) or ("m", variable)."""

KINDS = {"b": "coefficient", "v": "error variance", "c": "error covariance", "m": "intercept"}


@dataclass(frozen=True, slots=True)
class GaussianVariable:
    """A variable with a normal distribution, observed or latent."""

    name: str
    observed: bool = True


@dataclass(frozen=True, slots=True, repr=False)
class Gaussian(VariableModel[GaussianVariable]):
    """A linear Gaussian model: variables in order of first mention, directed and bidirected edges as they are listed.

    ``means`` says whether intercepts belong to the model. Entries are free unless ``fixed`` to a number or ``equal``:
    entries of the same name are equal.

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

    def __post_init__(self) -> None:
        check_variables(self.variables)
        check_edges(self)
        check_entries(self)
        names, fixed = [variable.name for variable in self.variables], dict(self.fixed)
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
    special = [entry for entry, _ in model.fixed] + [entry for entry, _ in model.equal]
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


def iterate_links(model: Gaussian) -> Iterator[tuple[Any, str, str]]:
    """The entries: of two variables, or of one."""
    fixed, equal = dict(model.fixed), {entry for entry, _ in model.equal}
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
    return observed, [
        (new, fixed.get(old), labels.setdefault(equal[old], len(labels)) if old in equal else None)
        for new, old in entries
    ]


RENAMING = Renaming(normalise_gaussian, iterate_variable_looks, iterate_links)


def find_components(model: Gaussian) -> tuple[tuple[str, ...], ...]:
    """The strongly connected components of the directed part of a model, parents first."""
    return find_strong_components([variable.name for variable in model.variables], model.edges)


def has_cycle(model: Gaussian) -> bool:
    """Whether the directed edges have a cycle; those fixed to 0 count as edges."""
    return any(len(members) > 1 for members in find_components(model))


def drop_irrelevant(model: Gaussian) -> tuple[Gaussian, tuple[str, ...]]:
    """Remove latent variables from which no directed path leads to an observed one; also return their names.

    Let D be these variables and A the others. No edge leads from D to A, so I − B is block triangular, and the columns
    of its inverse that belong to observed variables vanish on D and are those of (I − B_AA)⁻¹ on A. So no number of a
    variable in D, neither its intercept nor its error's variance and covariances, occurs in the observed covariances
    and means, with cycles or without.
    """
    names = [variable.name for variable in model.variables]
    back = group_neighbours(names, [(end, start) for start, end in model.edges])
    kept = set(order_depth_first([variable.name for variable in model.observed], back, set()))
    removed = tuple(name for name in names if name not in kept)
    if not removed:
        return model, ()
    smaller = Gaussian(
        tuple(variable for variable in model.variables if variable.name in kept),
        tuple(edge for edge in model.edges if kept.issuperset(edge)),
        tuple(edge for edge in model.bidirected if kept.issuperset(edge)),
        model.means,
        tuple((entry, value) for entry, value in model.fixed if kept.issuperset(entry[1:])),
        tuple((entry, label) for entry, label in model.equal if kept.issuperset(entry[1:])),
    )
    return smaller, removed
