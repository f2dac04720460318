"""How one kind of local is read from the model file and written to it: what all kinds have in common."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from algdim.errors import InputError
from algdim.families.discrete.locals.table import Parents
from algdim.families.discrete.model import Local, Variable
from algdim.models.tokens import check_name
from algdim.models.values import shown


class LocalForm(NamedTuple):
    """How one kind of local is read from a dictionary (which stands at a place) and written to one.

    The last argument of ``write`` says whether the variable is the first that is met of its share.
    """

    read: Callable[[dict[str, Any], str, Variable, Parents], Local]
    write: Callable[[Any, Variable, Parents, bool], dict[str, Any]]


def checked(local: Local, place: str, variable: Variable, parents: Parents) -> Local:
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
        raise InputError(f"{place}.share is {shown(share)}; the name of a shared table is expected")
    check_name(share, f"{place}.share")
    return share
