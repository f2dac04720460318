"""Units of latent Gaussian variables: directions that only rescale or shift them, told apart from real redundancy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from algdim.bound.gaussianmoves import Change, Entries, Move
from algdim.bound.gaussiansetting import GaussianSetting, gaussian_point
from algdim.bound.gaussiansymmetry import Field, field_of, field_text, shared, values_of, violations
from algdim.exact.ranks import rank_mod
from algdim.exact.sparse import vanishing
from algdim.figures import counted
from algdim.maps.gaussian import GaussianMap


@dataclass(frozen=True, slots=True)
class Units:
    """How many directions are choices of scale and origin of latent variables, and how many are not; proved.

    The choices are ones that an equation, such as a loading fixed to 1 and an intercept fixed to 0, makes without loss.
    """

    count: int
    of: tuple[str, ...]
    rest: int

    def __str__(self) -> str:
        """One sentence."""
        if not self.count:
            none = "the 1 direction is no" if self.rest == 1 else f"none of the {self.rest} directions is a"
            return f"{none} choice of units of latent variables: real redundancy"
        is_one = self.count == 1
        rest = f"{counted(self.rest, 'direction')} more: real redundancy" if self.rest else "nothing else is redundant"
        return f"{counted(self.count, 'direction')} {'is a choice' if is_one else 'are choices'} of units ({', '.join(self.of)}); {rest}"

    def to_dict(self) -> dict[str, Any]:
        """The form of the JSON output."""
        return {"count": self.count, "of": list(self.of), "rest": self.rest}


def unit_fields(gmap: GaussianMap) -> list[Field]:
    """Independent fields that rescale and shift latent variables and change no entry that is fixed or held equal."""
    entries, equal = Entries(gmap), shared(gmap)
    latent = [variable.name for variable in gmap.model.hidden]
    moves = [Move("both", (name, name)) for name in latent]
    moves += [Move("mean", (name,)) for name in latent] if gmap.model.means else []
    changes: Sequence[Change] = [entries.change(move) for move in moves]
    wrong = [dict(violations(gmap, equal, change)) for change in changes]
    free = [number for number, one in enumerate(wrong) if not one]
    tied = [number for number, one in enumerate(wrong) if one]
    fields = [field_of(gmap, equal, [(1, moves[number], changes[number])]) for number in free]  # type: ignore[list-item]
    for vector in vanishing([wrong[number] for number in tied]):
        parts = [(value, moves[tied[place]], changes[tied[place]]) for place, value in sorted(vector.items())]
        fields.append(field_of(gmap, equal, parts))
    return [field for field in fields if field.change]


def units_of(gmap: GaussianMap, redundant: int, seed: int | str) -> Units | None:
    """The units among so many redundant directions; ``None`` if there are no latent variables."""
    if not gmap.model.hidden or not redundant:
        return None
    fields = unit_fields(gmap)
    if not fields:
        return Units(0, (), redundant)
    at = gaussian_point(GaussianSetting(gmap, 0, seed, ("units",)), "units")
    rows = np.array([values_of(field, at) for field in fields])
    rank = rank_mod(rows, at.prime)
    texts = tuple(dict.fromkeys(field_text(fields[number]) for number in rank.rows))
    return Units(rank.value, texts, redundant - rank.value)
