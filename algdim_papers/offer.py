"""What the engine takes up: commands and tables. `algdim.nextdoor` imports this module, and the engine no other one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from algdim_papers.commands import COMMANDS

if TYPE_CHECKING:
    from algdim.tables.grid import Grid

__all__ = ["COMMANDS", "named_tables"]


def named_tables() -> Mapping[str, Callable[[int | str], Grid]]:
    """The tables of the literature by name; each is filled with a seed."""
    from algdim_papers.tables import NAMED

    return NAMED
