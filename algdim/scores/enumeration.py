"""The marginal likelihood itself: in closed form for complete data, for tiny hidden models by going through all completions.

Completions of the data with the same counts have the same probability, so what is kept is how many completions have which
counts: pattern by pattern, the ways to share its cases out among the states of what it does not show.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from math import comb, factorial, log, log2, prod

import numpy as np

from algdim.errors import InputError, LimitError
from algdim.families.discrete.map import ParamMap
from algdim.figures import big
from algdim.fitting.likelihood import Numbers, Tables, is_table
from algdim.fitting.maximization import even_tables
from algdim.fitting.samples import MISSING, Sample
from algdim.scores.dirichlet import Priors

MOST_COMPLETIONS = 10_000
"""Of one case."""
MOST_ENTRIES = 2000
"""Of all tables: the counts of a completion are one number with a digit for each."""
MOST_ADDITIONS = 1_000_000
"""Of counts, in all; of numbers of 64 bits, where the orders of many cases are added."""


def log_marginal(priors: Priors, sample: Sample) -> float:
    """Log p(D) of the ordered sample, exactly; refused unless there are few completions."""
    pmap = priors.pmap
    if not (sample.counts == sample.counts.round()).all():
        raise InputError("the exact score needs whole counts")
    if offsets(pmap)[-1] > MOST_ENTRIES:
        raise LimitError(
            f"the tables have {big(offsets(pmap)[-1])} entries; the exact score takes up to {big(MOST_ENTRIES)}, unless the data are "
            "complete"
        )
    ways: dict[int, int] = {0: 1}
    base = int(sample.size) * len(pmap.factors) + 1  # a number in this base holds all counts
    additions = 0
    for pattern, count in zip(sample.patterns, sample.counts, strict=True):
        options = completions(pmap, pattern, base)
        if not options:
            return -np.inf
        shares = comb(int(count) + len(options) - 1, int(count))
        words = 1 + int(sample.size * log2(len(options))) // 64  # of the number of orders, which is added
        additions += len(ways) * shares * words
        if additions > MOST_ADDITIONS:
            raise LimitError(
                f"the completions of the data have too many different counts: more than {big(MOST_ADDITIONS)} additions are "
                "needed; the exact score is for complete data and tiny samples"
            )
        more = shared_out(options, int(count))
        merged: Counter[int] = Counter()
        for key, number in ways.items():
            for step, times in more.items():
                merged[key + step] += number * times
        ways = merged
    return log_sum(priors, ways, base)


def log_sum(priors: Priors, ways: dict[int, int], base: int) -> float:
    """Log of the sum of the completions' marginal likelihoods."""
    logs = []
    keys = iter(ways.items())
    while piece := list(islice(keys, 10_000)):
        counts = unpacked(priors.pmap, [key for key, _ in piece], base)
        logs.append(priors.log_marginal(counts) + np.array([log(number) for _, number in piece]))
    values = np.concatenate(logs)
    most = float(values.max())
    return most if most == -np.inf else most + log(np.exp(values - most).sum())


def completions(pmap: ParamMap, pattern: Numbers, base: int) -> list[int]:
    """Per completion of a case that deterministic nodes allow, its counts: one number whose digits belong to the entries."""
    shown = {axis: int(state) for axis, state in zip(pmap.observed, pattern, strict=True) if state != MISSING}
    open_axes = [axis for axis, size in enumerate(pmap.sizes) if axis not in shown and size > 1]
    sizes = [pmap.sizes[axis] for axis in open_axes]
    if prod(sizes) > MOST_COMPLETIONS:
        raise LimitError(
            f"a case has {big(prod(sizes))} completions; the exact score takes up to {big(MOST_COMPLETIONS)}"
        )
    grid = dict(zip(open_axes, np.indices(sizes).reshape(len(sizes), prod(sizes)), strict=True))
    states = {axis: grid.get(axis, np.full(prod(sizes), shown.get(axis, 0))) for axis in range(len(pmap.sizes))}
    tables, starts = even_tables(pmap), offsets(pmap)
    allowed, places = np.ones(prod(sizes), dtype=np.bool_), []
    for factor in pmap.factors:
        cell = tuple(states[axis] for axis in factor.axes)
        if is_table(pmap, factor.array):
            places.append(starts[factor.array] + np.ravel_multi_index(cell, tables[factor.array].shape))
        else:
            allowed &= tables[factor.array][cell] > 0
    return [sum(base ** int(place) for place in row) for row in np.array(places).T[allowed]]


def offsets(pmap: ParamMap) -> list[int]:
    """The number of each array's first entry, all entries numbered in a row."""
    return [0, *np.cumsum([prod(entries.shape) for entries in pmap.arrays]).tolist()]


def shared_out(options: list[int], count: int) -> Counter[int]:
    """In how many orders so many cases can take these options, by the sum of what they take."""
    result: Counter[int] = Counter()
    for shares in compositions(count, len(options)):
        total = sum(option * share for option, share in zip(options, shares, strict=True))
        result[total] += factorial(count) // prod(map(factorial, shares))
    return result


def compositions(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    """All ways to write a number as an ordered sum of so many numbers from 0.

    >>> list(compositions(2, 2))
    [(0, 2), (1, 1), (2, 0)]
    """
    if parts == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in compositions(total - first, parts - 1):
            yield (first, *rest)


def unpacked(pmap: ParamMap, keys: list[int], base: int) -> Tables:
    """The counts whose digits stand in these numbers, as arrays, one behind the other."""
    starts = offsets(pmap)
    digits = np.empty((len(keys), starts[-1]))
    for row, key in enumerate(keys):
        rest = key
        for place in range(starts[-1]):
            rest, digits[row, place] = divmod(rest, base)
    return [
        digits[:, start:stop].reshape(len(keys), *entries.shape)
        for start, stop, entries in zip(starts[:-1], starts[1:], pmap.arrays, strict=True)
    ]
