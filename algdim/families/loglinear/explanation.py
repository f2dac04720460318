"""How the parameters of log-linear models are counted by interaction."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from algdim.families.contract import Explaining, Share
from algdim.families.loglinear.map import LogLinearMap


def effect_shares(pmap: LogLinearMap) -> Iterator[Share]:
    """The effects of each interaction of a log-linear model."""
    states = pmap.model.states
    for effect in pmap.model.effects:
        yield Share(",".join(effect), prod(states[name] - 1 for name in effect), "")


EXPLAINING = Explaining(effect_shares, most_bits=24)
