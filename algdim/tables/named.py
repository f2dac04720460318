"""The door to all tables: those that have a name, and those that a file describes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from algdim.claims.reading import papers
from algdim.errors import InputError, listed
from algdim.exact.draws import drawn_seed
from algdim.tables.grid import Grid
from algdim.tables.kockazhang import kocka_zhang_1
from algdim.tables.listing import placed_at
from algdim.tables.meekheckerman import meek_heckerman_1
from algdim.tables.papers import paper_table
from algdim.tables.spec import fill, is_spec, read_spec

TABLES: Mapping[str, Callable[[int | str], Grid]] = {
    "kocka-zhang-1": kocka_zhang_1,
    "meek-heckerman-1": meek_heckerman_1,
    **{paper.lower(): partial(paper_table, paper) for paper in papers()},
}
"""The tables of the literature; by the key of a paper all of its models."""


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
    if spec not in TABLES:
        raise InputError(
            f"there is no table {spec!r}; known are {listed(TABLES)}, and files that end in .toml or .csv and list models"
        )
    if columns is not None:
        raise InputError(f"the columns of {spec} are those in print; columns can be chosen for a table of one's own")
    return TABLES[spec](drawn_seed(seed))
