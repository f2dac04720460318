"""The local maps of discrete networks: how a variable depends on its parents. A module for each, imported when one is met.

What is true of one kind of local stands in its module, in a record ``LOCAL``, or several by name; `contract` says what that has to offer. To add a
kind, write its module and enter it here.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from algdim.families import load

if TYPE_CHECKING:
    from algdim.families.discrete.locals.contract import Kind


class LocalsEntry(NamedTuple):
    """A module, the kinds of local in it, and whether these are words that begin a clause of the notation."""

    module: str
    kinds: tuple[str, ...]
    has_clause: bool = True


ENTRIES = (
    LocalsEntry("tablefile", ("table",), has_clause=False),
    LocalsEntry("function", ("max", "sum", "parity", "at-least")),
    LocalsEntry("noisy", ("noisy-or", "noisy-max"), has_clause=False),
    LocalsEntry("sigmoid", ("sigmoid",)),
    LocalsEntry("logit", ("multinomial", "adjacent", "cumulative", "rasch")),
    LocalsEntry("probit", ("probit",)),
    LocalsEntry("classifier", ("classifier",)),
)
"""The local maps that are available."""

LOCALS: Mapping[str, str] = {kind: one.module for one in ENTRIES for kind in one.kinds}
"""The module of each kind, by the name that stands under "type" in a model file."""

CLAUSES: tuple[str, ...] = tuple(kind for one in ENTRIES if one.has_clause for kind in one.kinds)
"""The kinds that a clause of the notation names."""


@cache
def get_local_kind(name: str) -> Kind:
    """What a network needs of a kind of local.

    >>> get_local_kind("sigmoid").shares
    True
    """
    found: Kind | Mapping[str, Kind] = load("discrete", f"locals.{LOCALS[name]}").LOCAL
    return found[name] if isinstance(found, Mapping) else found
