"""HM97 §5: features selected by BIC, on data from a known classifier.

The class and six inputs are binary, and the classifier is naive Bayes on three of them, which is logistic regression (§4). For
every subset of the inputs its naive classifier is fitted, and scored with its dimension, n + 1, or with its number of parameters, 2n + 1.
"""

from __future__ import annotations

from itertools import combinations
from math import log
from typing import NamedTuple

import numpy as np

from algdim.experiments.record import Outcome, mean, measured, stated
from algdim.experiments.running import Setting, generator, outcome
from algdim.experiments.sampling import dimensions
from algdim.fitting.likelihood import Numbers
from algdim.plots.svg import Axis, Series, plot

INPUTS, RELEVANT = 6, (0, 1, 2)
CASES = (100, 300, 1000, 3000, 10_000)
STEPS = 50
RIGHT, COUNTED = "dimension", "count"


class Task(NamedTuple):
    """The number of a classifier and the sizes of its samples."""

    number: int
    cases: tuple[int, ...]
    seed: int


def classifier(size: int) -> str:
    """The notation of naive Bayes with so many inputs."""
    return f"classifier Y: Y -> {', '.join(f'X{number}' for number in range(1, size + 1))}"


def numbers(size: int) -> tuple[int, int]:
    """Parameters and dimension of naive Bayes with so many inputs; without any the class has one of both."""
    return dimensions(classifier(size)) if size else (1, 1)


def greatest(inputs: Numbers, ones: Numbers, totals: Numbers) -> float:
    """The greatest log-likelihood of a class that is 1 so often of so many times, log-odds being linear in the inputs."""
    design = np.column_stack([np.ones(len(inputs)), inputs])
    at, now = np.zeros(design.shape[1]), -np.inf
    step = np.zeros(design.shape[1])
    for _ in range(STEPS):
        odds = design @ (at + step)
        value = float(ones @ odds - totals @ np.logaddexp(0.0, odds))
        if value < now:
            step /= 2
            continue
        gained, at, now = value - now, at + step, value
        if gained < 1e-10:
            break
        chances = 1 / (1 + np.exp(-design @ at))
        known = (design * (totals * chances * (1 - chances))[:, None]).T @ design
        step = np.linalg.lstsq(known, design.T @ (ones - totals * chances), rcond=None)[0]
    return now


def selected(task: Task) -> dict[int, dict[str, tuple[int, ...]]]:
    """The subsets with the greatest BIC, by dimension and by count, on samples of one classifier."""
    random = generator(task.seed, "HM97 5", task.number)
    cells = np.array(list(np.ndindex(*[2] * INPUTS)), dtype=np.float64)
    # naive Bayes: rows drawn evenly
    prior, rows = random.random(), random.random((2, len(RELEVANT)))
    shown = cells[:, list(RELEVANT)][None]
    joint = np.log([1 - prior, prior])[:, None] + np.log(np.where(shown == 1, rows[:, None], 1 - rows[:, None])).sum(
        axis=2
    )
    chances = 1 / (1 + np.exp(joint[0] - joint[1]))
    subsets = [some for size in range(INPUTS + 1) for some in combinations(range(INPUTS), size)]
    found = {}
    for cases in task.cases:
        totals = np.asarray(random.multinomial(cases, np.full(len(cells), 1 / len(cells))), dtype=np.float64)
        ones = np.asarray(random.binomial(totals.astype(np.int64), chances), dtype=np.float64)
        logliks = {some: greatest(cells[:, list(some)], ones, totals) for some in subsets}
        found[cases] = {
            kind: max(subsets, key=lambda some: logliks[some] - numbers(len(some))[kind == RIGHT] / 2 * log(cases))
            for kind in (RIGHT, COUNTED)
        }
    return found


def feature_selection(setting: Setting) -> Outcome:
    """How often exactly the relevant inputs are selected, and how many others are."""
    sets, cases = setting.pick(2, 200, 1000), setting.pick((100, 300), CASES, (*CASES, 30_000))
    results = setting.mapped(selected, [Task(number, cases, setting.seed) for number in range(sets)])
    right = {
        kind: {size: mean([float(one[size][kind] == RELEVANT) for one in results]) for size in cases}
        for kind in (RIGHT, COUNTED)
    }
    cells = []
    for kind in (RIGHT, COUNTED):
        for size in cases:
            text = f"share in which exactly the 3 relevant of 6 inputs are selected, BIC by {kind}, N = {size}"
            cells.append(measured("HM97 §5", text, right[kind][size]))
            more = mean([float(len(set(one[size][kind]) - set(RELEVANT))) for one in results])
            cells.append(measured("HM97 §5", f"irrelevant inputs selected, BIC by {kind}, N = {size}", more))
    grows = mean(
        [float(one[cases[-1]][RIGHT] == RELEVANT) - float(one[cases[0]][RIGHT] == RELEVANT) for one in results]
    )
    text = f"what that share gains from N = {cases[0]} to {cases[-1]}, BIC by dimension"
    cells.append(stated("HM97 §5", text, grows, "features are selected", holds=grows.low > 0))
    lines = [Series(f"by {kind}", tuple((float(size), right[kind][size].value) for size in cases)) for kind in right]
    figure = plot(
        "HM97 §5: exactly the relevant inputs", Axis("cases", logarithmic=True), Axis("share of data sets"), lines
    )
    return outcome(setting, cells, {"hm97-features": figure})
