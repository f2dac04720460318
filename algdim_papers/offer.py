"""What the engine takes up: commands and tables. `algdim.nextdoor` imports this module, and the engine no other one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from algdim_papers.commands import add_cite, add_reproduce

if TYPE_CHECKING:
    from algdim.tables.grid import Grid

COMMANDS: Mapping[str, Callable[[Any], None]] = {"reproduce": add_reproduce, "cite": add_cite}
"""Each adds its parser."""


def named_tables() -> Mapping[str, Callable[[int | str], Grid]]:
    """The tables of the literature by name; each is filled with a seed."""
    from algdim_papers.tables import NAMED

    return NAMED
