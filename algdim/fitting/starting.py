"""Numbers for random starts: each start has a stream of its own, so that more starts have the same first ones."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from algdim.exact.draws import stream, words

Numbers = NDArray[np.float64]

SUMMANDS = 12
"""So many uniform numbers less 6 are about standard normal."""


def uniform(seed: int | str, numbers: range, size: int) -> Numbers:
    """Start × number: uniform between 0 and 1, both excluded."""
    drawn = np.array([words(stream(seed, "start", number), size, 32) for number in numbers])
    return np.asarray((drawn + 0.5) / 2.0**32).reshape(len(numbers), size)


def normal(drawn: Numbers) -> Numbers:
    """About standard normal numbers from twelve times as many uniform ones."""
    return np.asarray(drawn.reshape(len(drawn), SUMMANDS, -1).sum(axis=1) - SUMMANDS / 2)
