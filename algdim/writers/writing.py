"""A model as the text of another program."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from algdim.errors import InputError, listed, meant
from algdim.models.anymodel import AnyModel
from algdim.models.modelfile import to_dict
from algdim.writers.algebra import macaulay2, singular, sympy
from algdim.writers.graphs import bif, dagitty
from algdim.writers.lavaan import lavaan

if TYPE_CHECKING:
    from algdim.readers.anything import ModelLike


def as_json(model: AnyModel) -> str:
    """The model file."""
    import json

    return json.dumps(to_dict(model), ensure_ascii=False, indent=1) + "\n"


TARGETS: Mapping[str, Callable[[AnyModel], str]] = {
    "macaulay2": macaulay2,
    "singular": singular,
    "sympy": sympy,
    "lavaan": lavaan,
    "dagitty": dagitty,
    "bif": bif,
    "json": as_json,
}
"""What is written, by name."""


def export(model: ModelLike, to: str) -> str:
    r"""Return the text of a model for another program: macaulay2, singular, sympy, lavaan, dagitty, bif or json.

    >>> export("gaussian: F -> X1, X2; hidden F; means off", "dagitty")
    'dag {\nF [latent]\nX1\nX2\nF -> X1\nF -> X2\n}\n'
    """
    from algdim.readers.anything import model as read_model

    if to not in TARGETS:
        raise InputError(f"{to[:60]!r} is not written{meant(to, TARGETS)}; available are {listed(TARGETS)}")
    return TARGETS[to](read_model(model))
