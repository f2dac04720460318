"""The catalogue: models of the literature that open by name.

The entries are data (`catalogue.toml` beside this module) and are read when they are first asked for.
"""

from __future__ import annotations

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
    return read_catalogue().get(name)


def find_catalogue_notation(name: str) -> str | None:
    """Return the notation of the entry of this name, or None.

    >>> find_catalogue_notation("autoclass")
    '3:2^4'
    """
    entry = find(name)
    return None if entry is None else entry.notation


def list_catalogue_names() -> tuple[str, ...]:
    """Return all names, in the order of the catalogue."""
    return tuple(read_catalogue())


def list_catalogue_entries() -> tuple[CatalogueEntry, ...]:
    """Return all entries, in the order of the catalogue."""
    return tuple(read_catalogue().values())


@cache
def read_catalogue() -> dict[str, CatalogueEntry]:
    """Read the catalogue, once."""
    import tomllib

    text = resources.files("algdim.models").joinpath("catalogue.toml").read_text(encoding="utf-8")
    return {entry["name"]: CatalogueEntry(**entry) for entry in tomllib.loads(text)["model"]}
