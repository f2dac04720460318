"""The catalogue: models of the literature that open by name.

The entries are data (`catalogue.toml` beside this module) and are read when they are first asked for.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources


@dataclass(frozen=True, slots=True)
class CatalogueEntry:
    """A named model: its notation, where it comes from, and one line about it."""

    name: str
    title: str
    notation: str
    citation: str
    remark: str


def find(name: str) -> CatalogueEntry | None:
    """Return the entry of this name, or None.

    >>> find("w-structure").notation
    'A -> C <- H -> D <- B; hidden H'
    >>> find("no-such-model") is None
    True
    """
    return by_name().get(name)


def notation_of(name: str) -> str | None:
    """Return the notation of the entry of this name, or None.

    >>> notation_of("autoclass")
    '3:2^4'
    """
    entry = find(name)
    return None if entry is None else entry.notation


def names() -> tuple[str, ...]:
    """Return all names, in the order of the catalogue."""
    return tuple(by_name())


def entries() -> tuple[CatalogueEntry, ...]:
    """Return all entries, in the order of the catalogue."""
    return tuple(by_name().values())


@cache
def by_name() -> dict[str, CatalogueEntry]:
    """Read the catalogue, once."""
    text = resources.files("algdim.models").joinpath("catalogue.toml").read_text(encoding="utf-8")
    return {entry["name"]: CatalogueEntry(**entry) for entry in tomllib.loads(text)["model"]}
