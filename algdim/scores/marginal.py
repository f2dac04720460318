"""The marginal likelihood itself where it can be computed, and what completed data say of it elsewhere.

For complete data it is known in closed form. For tiny hidden models all completions are gone through: those with the same counts
have the same probability, so what is kept is how many completions have which counts, pattern by pattern, the ways to share its
cases out among the states of what it does not show. For two classes with binary items this reaches hundreds of cases: what a
completion contributes depends only on how many cases the first class has, and how many of them show state 1 of each item, and
the number of completions with these counts is a polynomial product over the patterns, taken in one dense array.

Elsewhere the data are completed by the expected counts at some parameters; what the completed data D′ would tell is known in
closed form. For any parameters and any prior MLED ≤ CS ≤ variational ≤ log p(D), where "variational" began at the same counts:
Cheeseman and Stutz's score CS is the bound E_q log p(D, Z)/q(Z) ≤ log p(D) of the distribution q of the hidden states Z at these
parameters, with the expectation of log p(D, Z|θ) taken inside the integral, and the variational bound is the best of that form.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate, combinations, islice, pairwise
from math import comb, lgamma, log, log2, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algdim.errors import InputError, LimitError
from algdim.families.discrete.map import ParamMap
from algdim.figures import format_integer
from algdim.fitting.likelihood import LikelihoodEvaluator, Numbers, Tables, is_table
from algdim.fitting.maximization import make_even_tables
from algdim.fitting.samples import MISSING, Sample
from algdim.memory import ALLOW_MORE, check_memory
from algdim.scores.dirichlet import Priors, log_gamma

MOST_COMPLETIONS = 10_000
"""Of one case."""
MOST_ENTRIES = 2000
"""Of all tables: the counts of a completion are one number with a digit for each."""
MOST_ADDITIONS = 1_000_000
"""Of counts, in all; of numbers of 64 bits, where the orders of many cases are added."""

BESIDE_KEY = 200
"""Bytes of an entry of a dictionary besides the digits of its key."""
DECODED = 1 << 20
"""Counts that are taken out of their keys at a time."""


def compute_log_marginal(priors: Priors, sample: Sample) -> float:
    """Log p(D) of the ordered sample, exactly; refused unless there are few completions."""
    pmap = priors.pmap
    if not (sample.counts == sample.counts.round()).all():
        raise InputError("the exact score needs whole counts")
    if compute_offsets(pmap)[-1] > MOST_ENTRIES:
        raise LimitError(
            f"the tables have {format_integer(compute_offsets(pmap)[-1])} entries; the exact score takes up to {format_integer(MOST_ENTRIES)}, unless the data are "
            "complete"
        )
    ways: dict[int, int] = {0: 1}
    base = int(sample.size) * len(pmap.factors) + 1  # a number in this base holds all counts
    key_bytes = compute_offsets(pmap)[-1] * base.bit_length() // 8 + BESIDE_KEY
    additions = 0
    for pattern, count in zip(sample.patterns, sample.counts, strict=True):
        options = list_completions(pmap, pattern, base)
        if not options:
            return -np.inf
        shares = comb(int(count) + len(options) - 1, int(count))
        words = 1 + int(sample.size * log2(len(options))) // 64  # of the number of orders, which is added
        additions += len(ways) * shares * words
        if additions > MOST_ADDITIONS:
            raise LimitError(
                f"the completions of the data have too many different counts: more than {format_integer(MOST_ADDITIONS)} additions are "
                "needed; the exact score is for complete data and tiny samples"
            )
        needed = (len(ways) + 1) * (shares + 1) * key_bytes  # before and after, and the shares
        check_memory(needed, None, "the exact score counts completions by all their counts", ALLOW_MORE)
        more = count_allocations(options, int(count))
        merged: Counter[int] = Counter()
        for key, number in ways.items():
            for step, times in more.items():
                merged[key + step] += number * times
        ways = merged
    return add_completions(priors, ways, base)


def add_completions(priors: Priors, ways: dict[int, int], base: int) -> float:
    """Log of the sum of the completions' marginal likelihoods."""
    logs = []
    keys, many = iter(ways.items()), max(1, DECODED // compute_offsets(priors.pmap)[-1])
    while piece := list(islice(keys, many)):
        counts = decode_counts(priors.pmap, [key for key, _ in piece], base)
        logs.append(priors.log_marginal(counts) + np.array([log(number) for _, number in piece]))
    values = np.concatenate(logs)
    most = float(values.max())
    return most if most == -np.inf else most + log(np.exp(values - most).sum())


def list_completions(pmap: ParamMap, pattern: Numbers, base: int) -> list[int]:
    """Per completion of a case that deterministic nodes allow, its counts: one number whose digits belong to the entries."""
    shown = {axis: int(state) for axis, state in zip(pmap.observed, pattern, strict=True) if state != MISSING}
    open_axes = [axis for axis, size in enumerate(pmap.sizes) if axis not in shown and size > 1]
    sizes = [pmap.sizes[axis] for axis in open_axes]
    if prod(sizes) > MOST_COMPLETIONS:
        raise LimitError(
            f"a case has {format_integer(prod(sizes))} completions; the exact score takes up to {format_integer(MOST_COMPLETIONS)}"
        )
    grid = dict(zip(open_axes, np.indices(sizes).reshape(len(sizes), prod(sizes)), strict=True))
    states = {axis: grid.get(axis, np.full(prod(sizes), shown.get(axis, 0))) for axis in range(len(pmap.sizes))}
    tables, starts = make_even_tables(pmap), compute_offsets(pmap)
    allowed, places = np.ones(prod(sizes), dtype=np.bool_), []
    for factor in pmap.factors:
        cell = tuple(states[axis] for axis in factor.axes)
        if is_table(pmap, factor.array):
            places.append(starts[factor.array] + np.ravel_multi_index(cell, tables[factor.array].shape))
        else:
            allowed &= tables[factor.array][cell] > 0
    return [sum(base ** int(place) for place in row) for row in np.array(places).T[allowed]]


def compute_offsets(pmap: ParamMap) -> list[int]:
    """The number of each array's first entry, all entries numbered in a row."""
    return [0, *np.cumsum([prod(entries.shape) for entries in pmap.arrays]).tolist()]


def count_allocations(options: list[int], count: int) -> Counter[int]:
    """In how many orders this many cases can take these options, by the sum of what they take."""
    result: Counter[int] = Counter()
    for shares in iterate_compositions(count, len(options)):
        total = sum(option * share for option, share in zip(options, shares, strict=True))
        result[total] += count_orders(shares)
    return result


def count_orders(shares: Sequence[int]) -> int:
    """The multinomial coefficient; no factorial of all is computed, which has as many digits where there is only one order.

    >>> count_orders((2, 1, 1)), count_orders((10**7,))
    (12, 1)
    """
    return prod(comb(before, share) for before, share in zip(accumulate(shares), shares, strict=True))


def iterate_compositions(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    """All ways to write a number as an ordered sum of this many numbers from 0.

    >>> list(iterate_compositions(2, 2))
    [(0, 2), (1, 1), (2, 0)]
    """
    if parts == 1:  # of a hundred million stars no list is made
        yield (total,)
        return
    # where the bars stand between so many stars and bars: no recursion, as there can be thousands of parts
    for bars in combinations(range(total + parts - 1), parts - 1):
        yield tuple(stop - start - 1 for start, stop in pairwise((-1, *bars, total + parts - 1)))


def decode_counts(pmap: ParamMap, keys: list[int], base: int) -> Tables:
    """The counts whose digits stand in these numbers, as arrays, one behind the other."""
    starts = compute_offsets(pmap)
    digits = np.empty((len(keys), starts[-1]))
    for row, key in enumerate(keys):
        rest = key
        for place in range(starts[-1]):
            rest, digits[row, place] = divmod(rest, base)
    return [
        digits[:, start:stop].reshape(len(keys), *entries.shape)
        for start, stop, entries in zip(starts[:-1], starts[1:], pmap.arrays, strict=True)
    ]


MOST_STATES = 30_000_000
"""Of counts at once."""
MOST_CASES = 1000
"""Beyond them 2^(−N) is no number of the machine."""


def compute_two_class_marginal(sample: Sample, alpha: float = 1.0) -> float:
    """Log p(D) of the ordered sample under `2:2^n` with Dirichlet(alpha) on every row.

    >>> from math import exp
    >>> sample = Sample(("X1", "X2"), (("0", "1"),) * 2, np.array([[0, 0], [1, 1]]), np.ones(2))
    >>> round(17 * exp(-compute_two_class_marginal(sample)), 6)
    432.0
    """
    if any(len(states) != 2 for states in sample.states) or (sample.patterns < 0).any():
        raise InputError("the items are not all binary, or entries are missing; complete binary data are expected")
    if sample.size > MOST_CASES or not (sample.counts == sample.counts.round()).all():
        raise LimitError(f"{sample.size:g} cases; whole counts of up to {MOST_CASES} cases are counted out")
    ones = (sample.counts @ sample.patterns).astype(np.int64)
    shape = (int(sample.size) + 1, *(int(total) + 1 for total in ones))
    if prod(shape) > MOST_STATES:
        raise LimitError(
            f"the classes can share the cases in {format_integer(prod(shape))} ways; up to {format_integer(MOST_STATES)} fit"
        )
    ways = count_completions(sample, shape)
    size, axes = int(sample.size), range(len(ones))
    first = np.arange(size + 1)
    logs = [compute_log_beta([first, size - first], alpha)]
    for axis in axes:
        inside = np.arange(int(ones[axis]) + 1)
        outside = int(ones[axis]) - inside
        possible = (inside <= first[:, None]) & (outside <= size - first[:, None])
        rest = np.maximum(first[:, None] - inside, 0), np.maximum(size - first[:, None] - outside, 0)
        both = compute_log_beta([inside[None], rest[0]], alpha) + compute_log_beta([outside[None], rest[1]], alpha)
        spread = [1] * len(ones)
        spread[axis] = len(inside)
        logs.append(np.where(possible, both, -np.inf).reshape(-1, *spread))
    total = logs[0].reshape(-1, *[1] * len(ones))
    for each in logs[1:]:
        total = total + each
    with np.errstate(divide="ignore"):
        total = total + np.log(ways)
    most = float(total.max())
    return most + float(np.log(np.exp(total - most).sum())) + size * log(2)


def count_completions(sample: Sample, shape: tuple[int, ...]) -> Numbers:
    """How many completions have which counts, over 2^N."""
    ways = np.zeros(shape)
    ways[(0,) * len(shape)] = 1.0
    top = np.zeros(len(shape), dtype=np.int64)  # nothing is beyond it yet
    for pattern, count in zip(sample.patterns, sample.counts.astype(np.int64), strict=True):
        move = np.array([1, *pattern])
        part = ways[tuple(slice(0, int(end) + 1) for end in top)].copy()
        more = np.zeros(tuple(int(end) + 1 for end in top + count * move))
        chances = np.exp(compute_log_binomials(int(count)) - count * log(2))
        for number, chance in enumerate(chances):
            start = number * move
            more[tuple(slice(int(a), int(a + b) + 1) for a, b in zip(start, top, strict=True))] += chance * part
        top = top + count * move
        ways[tuple(slice(0, int(end) + 1) for end in top)] = more
    return ways


def compute_log_binomials(total: int) -> Numbers:
    """The logarithms of the binomial coefficients."""
    orders = log_gamma(np.arange(1, total + 2, dtype=np.float64))
    return np.asarray(orders[-1] - orders - orders[::-1])


def compute_log_beta(counts: list[NDArray[Any]], alpha: float) -> Numbers:
    """Log of the probability of a sequence with these two counts, under Dirichlet(alpha)."""
    first, second = counts
    found = log_gamma(first + alpha) + log_gamma(second + alpha) - log_gamma(first + second + 2 * alpha)
    return np.asarray(found + lgamma(2 * alpha) - 2 * lgamma(alpha))


LEAST_GAIN = 1e-9
MOST_STEPS = 20_000


def compute_mled(priors: Priors, expected: Tables) -> float:
    """CH96 Eq. 12: log p(D′), the marginal likelihood of the expected data."""
    return float(priors.log_marginal(expected)[0])


def compute_cheeseman_stutz(priors: Priors, tables: Tables, expected: Tables, loglik: float) -> float:
    """KZ02 §2.3, CH96 Eq. 13 with d′ = d: log p(D′) − log p(D′|θ) + log p(D|θ)."""
    return compute_mled(priors, expected) - float(priors.log_likelihood(tables, expected)[0]) + loglik


def apply_effective_dimension(score: float, standard: int, effective: int, size: float) -> float:
    """KZ02 §2.3, CH96 Eq. 13 with d′ = ds and d = de: the score plus (ds − de)/2 · log N, which turns CS into CS+.

    >>> apply_effective_dimension(-100.0, 14, 13, 1.0)
    -100.0
    """
    return score + (standard - effective) / 2 * log(size)


def compute_variational_bound(priors: Priors, at: LikelihoodEvaluator, expected: Tables) -> float:
    """The bound of variational Bayes, raised from the given expected counts until a step gains next to nothing.

    The tables of a step are exp E log θ under the Dirichlet posterior of the counts; their rows add up to less than 1.
    The bound is CS's formula at these tables.
    """
    best, tables = -np.inf, [table[None] for table in make_even_tables(priors.pmap)]
    for _ in range(MOST_STEPS):
        for table in priors.tables:
            mean = table.geometric_mean(expected[table.number])
            tables[table.number] = mean.reshape(tables[table.number].shape)
        logliks, expected = at.take_expectation(tables)
        value = compute_cheeseman_stutz(priors, tables, expected, float(logliks[0]))
        if value - best <= LEAST_GAIN:
            return max(value, best)
        best = value
    raise LimitError(f"the variational bound still rises after {MOST_STEPS} steps; it is at {best:.6f}")
