"""The tables that have a name."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from algdim.errors import InputError
from algdim.exact.draws import drawn_seed
from algdim.tables.grid import Grid
from algdim.tables.kockazhang import kocka_zhang_1

TABLES: Mapping[str, Callable[[int | str], Grid]] = {"kocka-zhang-1": kocka_zhang_1}


def table(name: str, *, seed: int | str = 0) -> Grid:
    """A table of the literature, computed.

    >>> table("kocka-zhang-1").columns
    ('LC model', 'de', 'db', 'ds', 'dc', 'dp')
    """
    if name not in TABLES:
        raise InputError(f"there is no table {name!r}; known are {', '.join(TABLES)}")
    return TABLES[name](drawn_seed(seed))
