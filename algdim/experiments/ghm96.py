"""GHM96 §6: what the score of AutoClass misses at 3:2,2,2,2 as N grows; §4: a likelihood that is a ridge, not a peak."""

from __future__ import annotations

from functools import partial
from math import exp, log
from typing import NamedTuple

import numpy as np

from algdim.experiments.annealing import log_marginals
from algdim.experiments.record import Outcome, compared, mean, measured, stated
from algdim.experiments.running import Setting, generator, outcome
from algdim.experiments.sampling import UNIFORM, Scored, cell_chances, dimensions, network, random_tables, sample_of
from algdim.fitting.fitting import fit
from algdim.fitting.priors import DIRICHLET, Prior
from algdim.plots.surface import surface
from algdim.plots.svg import Axis, Series, plot

MODEL = "3:2,2,2,2"
CASES = (100, 300, 1000, 3000, 10_000, 30_000, 100_000)
PARTICLES = 500
INSIDE = Prior(DIRICHLET, 1.1)
"""Its mode lies inside. The greatest likelihood is a whole curve of parameters, and CS differs by nats along it."""


class Task(NamedTuple):
    """The number of a parametrisation, the sizes, the particles."""

    number: int
    cases: tuple[int, ...]
    particles: int
    seed: int


def missed(task: Task) -> dict[int, float]:
    """CS less log p(D) by sequential Monte Carlo, for the initial segments of one data set."""
    random = generator(task.seed, "GHM96 6", task.number)
    model = network(MODEL)
    chances = cell_chances(model, random_tables(model, random))
    names = [variable.name for variable in model.observed]
    order = random.choice(chances.size, size=max(task.cases), p=chances.ravel())
    # each segment is taken in anew and in an order of its own, so the errors are independent
    found = {}
    for cases in task.cases:
        counts = np.bincount(order[:cases], minlength=chances.size).astype(np.float64).reshape(chances.shape)
        sample = sample_of(names, counts)
        exact = log_marginals(sample, 3, 1.0, random, particles=task.particles)[-1]
        found[cases] = Scored(fit(sample, model, prior=INSIDE, seed=task.number), UNIFORM).cs() - exact
    return found


def growing(setting: Setting) -> Outcome:
    """§6: CS drifts away from log p(D) by half log N, CS+ does not."""
    sets, cases = setting.pick(2, 20, 50), setting.pick(CASES[:2], CASES, (*CASES, 300_000, 1_000_000))
    particles = setting.pick(100, PARTICLES, 4 * PARTICLES)
    results = setting.mapped(missed, [Task(number, cases, particles, setting.seed) for number in range(sets)])
    standard, effective = dimensions(MODEL)
    refund = (standard - effective) / 2
    logs, cells = np.log(cases), []
    for part, where in ((slice(None), ""), (slice(-3, None), ", the three greatest N")):
        slopes = [float(np.polyfit(logs[part], [one[size] for size in cases[part]], 1)[0]) for one in results]
        drift, bounded = mean(slopes), mean([slope + refund for slope in slopes])
        text = f"slope of CS − log p(D) in log N{where}"
        cells.append(compared("GHM96 §6", text, drift, -0.5, 0.0, direction=drift.has_sign_of(-0.5)))
        holds = bounded.low <= 0 <= bounded.high
        cells.append(stated("GHM96 §6", f"slope of CS+ − log p(D) in log N{where}", bounded, "0", holds=holds))
    for size in cases:
        apart = mean([one[size] for one in results])
        cells.append(measured("GHM96 §6", f"CS − log p(D), N = {size}", apart))
        plus = mean([one[size] + refund * log(size) for one in results])
        cells.append(measured("GHM96 §6", f"CS+ − log p(D), N = {size}", plus))
    lines = [
        Series("CS", tuple((float(size), mean([one[size] for one in results]).value) for size in cases)),
        Series(
            "CS+",
            tuple((float(size), mean([one[size] + refund * log(size) for one in results]).value) for size in cases),
        ),
        Series("−½ log N", tuple((float(size), -log(size) / 2) for size in cases)),
    ]
    figure = plot(f"GHM96 §6: {MODEL}", Axis("cases", logarithmic=True), Axis("score − log p(D)"), lines)
    return outcome(setting, cells, {"ghm96-growing": figure})


WEIGHT, ONES, RIDGE_CASES = 0.5, 0.4, 100


def likelihood(chance: float) -> float:
    """The likelihood of a share of ones, over its greatest value."""
    if not 0 < chance < 1:
        return 0.0
    log_ratio = ONES * log(chance / ONES) + (1 - ONES) * log((1 - chance) / (1 - ONES))
    return exp(RIDGE_CASES * log_ratio)


def hidden_likelihood(first: float, second: float) -> float:
    """H → X with H hidden: only the mixed chance of X counts."""
    return likelihood(WEIGHT * first + (1 - WEIGHT) * second)


def shown_likelihood(first: float, second: float) -> float:
    """The same with H seen, the shares of ones being .3 and .5."""
    half = RIDGE_CASES / 2
    logs = [
        half * (share * log(chance / share) + (1 - share) * log((1 - chance) / (1 - share)))
        for chance, share in ((first, 0.3), (second, 0.5))
    ]
    return exp(sum(logs))


def ridge(setting: Setting) -> Outcome:
    """§4: with H hidden the likelihood of H → X is a ridge; the share of the square with at least half of the top shrinks with N^(−1/2), not 1/N."""
    draw = partial(surface, x="P(x | h)", y="P(x | not h)", scale="likelihood / greatest")
    figures = {
        "ghm96-ridge": draw(f"GHM96 §4: H → X, H hidden, N = {RIDGE_CASES}", height=hidden_likelihood),
        "ghm96-peak": draw(f"GHM96 §4: H → X, H seen, N = {RIDGE_CASES}", height=shown_likelihood),
    }
    random = generator(setting.seed, "GHM96 4")
    cells = []
    for name, height in (("hidden", hidden_likelihood), ("seen", shown_likelihood)):
        shares = [float(np.mean([height(*pair) > 0.5 for pair in random.random((2000, 2))])) for _ in range(20)]
        cells.append(
            measured("GHM96 §4", f"share of the square above half the greatest likelihood, H {name}", mean(shares))
        )
    return outcome(setting, cells, figures)
