"""GHM96 §6: what the score of AutoClass misses at 3:2,2,2,2 as N grows; §4: a likelihood that is a ridge, not a peak."""

from __future__ import annotations

from functools import partial
from math import exp, log
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from algdim.fitting.fitting import fit
from algdim.plots.svg import Axis, Series, plot
from algdim.scores.marginal import apply_effective_dimension
from algdim_papers.experiments.annealing import estimate_log_marginals
from algdim_papers.experiments.record import (
    Cell,
    compute_mean,
    describe_error_bars,
    make_compared_cell,
    make_measured_cell,
    make_series,
    make_stated_cell,
)
from algdim_papers.experiments.rows import Findings, Rows, make_rows
from algdim_papers.experiments.running import Setting, make_generator
from algdim_papers.experiments.sampling import (
    INSIDE,
    UNIFORM,
    compute_cell_chances,
    compute_dimensions,
    draw_tables,
    parse_network,
    sample_of,
    score_fit,
)
from algdim_papers.experiments.surface import draw_surface

MODEL = "3:2,2,2,2"
CASES = (100, 300, 1000, 3000, 10_000, 30_000, 100_000)
PARTICLES = 500


class Task(NamedTuple):
    """The number of a parametrisation, the sizes, the particles."""

    number: int
    cases: tuple[int, ...]
    particles: int
    seed: int


def score_segments(task: Task) -> list[tuple[int, float, float]]:
    """Cases, CS, and log p(D) by sequential Monte Carlo, for the initial segments of one data set."""
    random = make_generator(task.seed, "GHM96 6", task.number)
    model = parse_network(MODEL)
    chances = compute_cell_chances(model, draw_tables(model, random))
    names = [variable.name for variable in model.observed]
    order = random.choice(chances.size, size=max(task.cases), p=chances.ravel())
    # each segment is taken in anew and in an order of its own, so the errors are independent
    found = []
    for cases in task.cases:
        counts = np.bincount(order[:cases], minlength=chances.size).astype(np.float64).reshape(chances.shape)
        sample = sample_of(names, counts)
        exact = estimate_log_marginals(sample, 3, 1.0, random, particles=task.particles)[-1]
        found.append(
            (cases, score_fit(fit(sample, model, prior=INSIDE, seed=task.number, identify=False), UNIFORM).cs(), exact)
        )
    return found


def measure_growing(setting: Setting) -> Findings:
    """§6: CS and log p(D) as N grows."""
    sets, cases = setting.pick(2, 20, 50), setting.pick(CASES[:2], CASES, (*CASES, 300_000, 1_000_000))
    particles = setting.pick(100, PARTICLES, 4 * PARTICLES)
    found = setting.mapped(score_segments, [Task(number, cases, particles, setting.seed) for number in range(sets)])
    entries = [(number, *one) for number, many in enumerate(found) for one in many]
    return {"growing": make_rows(("set", "cases", "CS", "log p(D)"), entries)}


def compute_misses(found: Rows) -> dict[str, list[float]]:
    """What CS and CS+ miss of log p(D), in every row."""
    standard, effective = compute_dimensions(MODEL)
    columns = zip(*(found.column(name) for name in ("cases", "CS", "log p(D)")), strict=True)
    pairs = [
        (value - exact, apply_effective_dimension(value, standard, effective, cases) - exact)
        for cases, value, exact in columns
    ]
    return {"CS": [one for one, _ in pairs], "CS+": [one for _, one in pairs]}


PRINTED = {"CS": -0.5, "CS+": 0.0}
"""What §6 says of the drift, for a unit of log N."""
GREATEST = 3


def compare_growing(findings: Findings) -> list[Cell]:
    """§6: CS drifts away from log p(D) by half log N, CS+ does not."""
    found = findings["growing"]
    sizes = list(found.split("cases"))
    parts = {"": sizes, ", the three greatest N": sizes[-GREATEST:]} if len(sizes) > GREATEST else {"": sizes}
    cells = [make_slope_cell(found, name, some, where) for where, some in parts.items() for name in PRINTED]
    for size, part in found.split("cases").items():
        for name, values in compute_misses(part).items():
            cells.append(make_measured_cell("GHM96 §6", f"{name} − log p(D), N = {size}", compute_mean(values)))
    return cells


def make_slope_cell(found: Rows, name: str, sizes: list[int], where: str) -> Cell:
    """The drift of a score, over some sizes."""
    per_set = [compute_misses(one)[name][-len(sizes) :] for one in found.split("set").values()]
    slope = compute_mean([fit_slope(np.log(sizes), np.asarray(values)) for values in per_set])
    text = f"slope of {name} − log p(D) in log N{where}"
    if not PRINTED[name]:
        return make_stated_cell("GHM96 §6", text, slope, "0", holds=slope.low <= 0 <= slope.high)
    return make_compared_cell("GHM96 §6", text, slope, PRINTED[name], 0.0, direction=slope.has_sign_of(PRINTED[name]))


def fit_slope(x: NDArray[np.float64], y: NDArray[np.float64]) -> float:
    """The slope of the least-squares line.

    >>> fit_slope(np.array([0.0, 1.0, 2.0]), np.array([1.0, 3.0, 5.0]))
    2.0
    """
    centred = x - x.mean()
    return float((centred * y).sum() / (centred * centred).sum())


def draw_growing(findings: Findings) -> dict[str, str]:
    """What CS and CS+ miss, against N, beside a line that falls by ½ log N."""
    found = findings["growing"]
    parts = found.split("cases")
    lines = [
        make_series(name, {size: compute_mean(compute_misses(part)[name]) for size, part in parts.items()})
        for name in PRINTED
    ]
    lines.append(Series("−½ log N", tuple((float(size), -log(size) / 2) for size in parts)))
    x, y = Axis("cases", logarithmic=True), Axis("score − log p(D) (nats)")
    return {"ghm96-growing": plot(f"GHM96 §6: {MODEL}", x, y, lines, describe_error_bars(len(found.split("set"))))}


WEIGHT, ONES, RIDGE_CASES = 0.5, 0.4, 100


def compute_likelihood(chance: float) -> float:
    """The likelihood of a share of ones, over its greatest value."""
    if not 0 < chance < 1:
        return 0.0
    log_ratio = ONES * log(chance / ONES) + (1 - ONES) * log((1 - chance) / (1 - ONES))
    return exp(RIDGE_CASES * log_ratio)


def compute_hidden_likelihood(first: float, second: float) -> float:
    """H → X with H hidden: only the mixed chance of X counts."""
    return compute_likelihood(WEIGHT * first + (1 - WEIGHT) * second)


def compute_shown_likelihood(first: float, second: float) -> float:
    """The same with H seen, the shares of ones being .3 and .5."""
    half = RIDGE_CASES / 2
    logs = [
        half * (share * log(chance / share) + (1 - share) * log((1 - chance) / (1 - share)))
        for chance, share in ((first, 0.3), (second, 0.5))
    ]
    return exp(sum(logs))


HEIGHTS = {"hidden": compute_hidden_likelihood, "seen": compute_shown_likelihood}
HALF = 0.5
"""Of the greatest likelihood."""


def measure_ridge(setting: Setting) -> Findings:
    """§4: which share of the square has at least half of the greatest likelihood, by points at random."""
    random = make_generator(setting.seed, "GHM96 4")
    entries = [
        (name, run, float(np.mean([height(*pair) > HALF for pair in random.random((2000, 2))])))
        for name, height in HEIGHTS.items()
        for run in range(20)
    ]
    return {"ridge": make_rows(("H", "run", "share"), entries)}


def compare_ridge(findings: Findings) -> list[Cell]:
    """A ridge shrinks with N^(−1/2), a peak with 1/N, so with H hidden the share is the greater."""
    return [
        make_measured_cell(
            "GHM96 §4",
            f"share of the square above half the greatest likelihood, H {name}",
            compute_mean(part.column("share")),
        )
        for name, part in findings["ridge"].split("H").items()
    ]


def draw_ridge(_: Findings) -> dict[str, str]:
    """§4: with H hidden the likelihood of H → X is a ridge, with H seen a peak."""
    draw = partial(draw_surface, x="P(x | h)", y="P(x | not h)", scale="likelihood / greatest")
    return {
        "ghm96-ridge": draw(f"GHM96 §4: H → X, H hidden, N = {RIDGE_CASES}", height=compute_hidden_likelihood),
        "ghm96-peak": draw(f"GHM96 §4: H → X, H seen, N = {RIDGE_CASES}", height=compute_shown_likelihood),
    }
