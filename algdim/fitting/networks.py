"""Which models are fitted: discrete networks; the others are refused by name."""

from __future__ import annotations

from algdim.errors import InputError, listed
from algdim.models.embedded import Embedded
from algdim.models.network import Network
from algdim.models.sigmoid import Sigmoid
from algdim.models.tables import Table
from algdim.readers.anything import ModelLike, model


def network_of(described: ModelLike, done: str = "fitted") -> Network:
    """The model, refused unless it is a discrete network of tables and deterministic nodes."""
    found = model(described)
    if not isinstance(found, Network):
        raise InputError(f"models of the family {found.family} are not {done} in this version; discrete networks are")
    weighted = [variable.name for variable in found.variables if isinstance(variable.local, Sigmoid)]
    if weighted:
        raise InputError(
            f"{listed(weighted)} {'is' if len(weighted) == 1 else 'are'} sigmoid; networks of tables are {done} in this version"
        )
    embedded = [variable.name for variable in found.variables if isinstance(variable.local, Embedded)]
    if embedded:
        raise InputError(
            f"{listed(embedded)} {'has' if len(embedded) == 1 else 'have'} a classifier; networks of tables are {done} in this version"
        )
    if all(variable.name in found.given or not isinstance(variable.local, Table) for variable in found.variables):
        raise InputError(f"the model has no tables but those that are conditioned on; nothing is to be {done}")
    return found
