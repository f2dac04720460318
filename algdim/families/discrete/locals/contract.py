"""What a kind of local is: a module with a record of this form under the name ``LOCAL``, and what these modules have in common.

The local itself is a frozen record as `algdim.families.discrete.model.Local` says, with its kind; where a clause names it also
with ``states``, the number of states that it gives a variable whose parents have so many.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Any

from algdim.errors import InputError
from algdim.models.tokens import check_name
from algdim.models.values import format_given_value

if TYPE_CHECKING:
    from algdim.families.discrete.locals.curves import Curve
    from algdim.families.discrete.locals.table import Parents
    from algdim.families.discrete.map import Builder
    from algdim.families.discrete.model import Local, Variable
    from algdim.models.tokens import Cursor, Token


def count_table_entries(states: int, parents: Sequence[int]) -> int:
    """How many entries a table has."""
    return states * prod(parents)


@dataclass(frozen=True, slots=True)
class Kind:
    """What a network needs of a kind of local.

    ``read`` reads one from a dictionary of the model file, which stands at a place, and ``write`` writes it, also told whether
    the variable is the first that is met of its share. ``add`` adds the factors of a variable to the map that is built, at these
    axes of its parents and itself; ``entries`` is how many entries they have, by the variable's states and its parents'.
    ``rule`` is what a clause says of the variables that it names, from its word and what stands between that and the names;
    ``head`` prints both; ``clause`` reads a clause in which more stands than names, of one variable, all of which ``head``
    prints. ``what`` is said of a variable that has no table because of its local, ``shares`` allows several variables the same
    parameters, and without ``has_likelihood`` fitting does not know how data determine them; they do it by the
    ``curve`` of the variable, given the shape of its array and the states of all variables, where it has no table.
    """

    read: Callable[[dict[str, Any], str, Variable, Parents], Local]
    write: Callable[[Any, Variable, Parents, bool], dict[str, Any]]
    add: Callable[[Builder, Variable, tuple[int, ...]], None]
    entries: Callable[[int, Sequence[int]], int] = count_table_entries
    rule: Callable[[str, Cursor], Any] | None = None
    head: Callable[[Any], str] = lambda local: str(local.kind)
    what: str = "is {kind}"
    shares: bool = False
    curve: Callable[[Variable, tuple[int, ...], Mapping[str, int]], Curve] | None = None
    has_likelihood: bool = False
    clause: Callable[[Cursor, Any], tuple[Token, Any]] | None = None


def check_local(local: Local, place: str, variable: Variable, parents: Parents) -> Local:
    """Return the local if it fits its variable, else raise an error that names the place."""
    try:
        local.check(variable.name, variable.states, parents)
    except InputError as error:
        raise InputError(f"{place}: {error}") from None
    return local


def read_share(data: dict[str, Any], place: str) -> str | None:
    """Read the name of the share, if there is one."""
    share = data.get("share")
    if share is None:
        return None
    if not isinstance(share, str):
        raise InputError(f"{place}.share is {format_given_value(share)}; the name of a shared table is expected")
    check_name(share, f"{place}.share")
    return share
