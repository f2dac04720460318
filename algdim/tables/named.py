"""The door to all tables: those of the literature, which stand next door, and those that a file describes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from algdim.errors import InputError, listed, meant
from algdim.exact.draws import drawn_seed
from algdim.nextdoor import ask_papers
from algdim.tables.grid import Grid
from algdim.tables.listing import placed_at
from algdim.tables.spec import fill, is_spec, read_spec


def table(
    spec: str,
    *,
    columns: Sequence[str] | None = None,
    seed: int | str = 0,
    progress: Callable[[int, int, str], None] | None = None,
) -> Grid:
    """A table of the literature by its name, or of one's own by the path of a TOML or CSV file; computed.

    >>> table("kocka-zhang-1").columns
    ('LC model', 'de', 'db', 'ds', 'dc', 'dp')
    """
    if is_spec(spec):
        with placed_at(spec):
            return fill(read_spec(spec, columns), seed=drawn_seed(seed), progress=progress)
    tables: Mapping[str, Callable[[int | str], Grid]] = ask_papers().named_tables()
    if spec not in tables:
        raise InputError(
            f"there is no table {spec!r}{meant(spec, tables)}; known are {listed(tables)}, and files that end in .toml or .csv and list models"
        )
    if columns is not None:
        raise InputError(f"the columns of {spec} are those in print; columns can be chosen for a table of one's own")
    return tables[spec](drawn_seed(seed))
