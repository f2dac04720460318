"""A model taken apart, with every step shown, by the rule that its family has."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from algdim.arguments import check_arguments
from algdim.bound.strategy import Effort, choose_bounds
from algdim.errors import InputError, join_names
from algdim.exact.draws import draw_seed
from algdim.families import FOLDERS, describe_lack, find_decomposing
from algdim.memory import allow, choose_memory_limit

if TYPE_CHECKING:
    from algdim.families.contract import TakenApart
    from algdim.readers.anything import ModelLike


@check_arguments
def decompose(
    model: ModelLike,
    *,
    format: str | None = None,  # noqa: A002
    hidden: Iterable[str] = (),
    seed: int | str = 0,
    max_memory: int | str | None = None,
    max_seconds: float | None = None,
    order: Sequence[str] | None = None,
    at: Any = None,
) -> TakenApart:
    """A model taken apart: a network into latent class models by the rule for latent trees, a classifier into blocks.

    Parameters
    ----------
    model : text, path, dictionary, graph or model
        Whatever `algdim.model` reads.
    format : str, optional
        How a file or a text is written, such as "lavaan" or "dagitty"; without it the suffix of a path tells.
    hidden : names
        Variables that are not observed, in addition to those that the model declares hidden.
    seed : int or str
        The seed of all draws; "random" takes one from the system.
    max_memory : int or str, optional
        Bytes that may be used, as a number or as "4G"; half of the machine's memory without it.
    max_seconds : float, optional
        Seconds for searches that only sharpen a proof, together; 120 without it. No rank is ended by it.
    order : list of names, optional
        The inputs of a classifier in the order in which blocks take them.
    at : path or dictionary, optional
        Parameters of a classifier at which the steps are computed (HM97 §6).

    Returns
    -------
    A record with the parts
        Its `derivation` is the tree of reasons.

    Examples
    --------
    >>> found = decompose("5(2,3(2,2),3(2,2))")
    >>> found.dimension, [local.difference for local in found.parts[0].locals]
    (23, [12, 3, 3])
    """
    from algdim.readers.anything import read_model

    with allow(max_seconds, max_memory) as allowance:
        known = len(allowance.untried)
        effort = Effort("auto", choose_bounds("auto"), draw_seed(seed), choose_memory_limit(max_memory))
        found = take_apart(read_model(model, format=format, hidden=hidden), effort, order, at)
        return replace(found, untried=allowance.since(known))


def take_apart(read: Any, effort: Effort, order: Sequence[str] | None, at: Any) -> TakenApart:
    """A model taken apart by the rule that its family has."""
    own = find_decomposing(read.family)
    if own is None:
        raise InputError(describe_lack(read.family, "taken apart", "decomposing"))
    if order is None and at is None:
        return own.take_apart(read, effort)
    if own.take_apart_in_order is None:
        able = [name for name in FOLDERS if (found := find_decomposing(name)) and found.take_apart_in_order]
        raise InputError(
            "an order of the inputs, or parameters at which steps are computed, are for models of the family "
            f"{join_names(able)}; this one is of the family {read.family}"
        )
    return own.take_apart_in_order(read, effort, order, at)
