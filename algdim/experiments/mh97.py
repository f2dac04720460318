"""MH97 Figure 5: posterior probabilities of five causal interaction models by the Cheeseman-Stutz score.

The score is taken with the right dimensions, with those that Table 1 prints, and with the number of parameters. The paper
chose the parameters of each generator by hand; here rows are uniform, many times over.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from algdim.experiments.record import Cell, Mean, Outcome, mean, measured, stated
from algdim.experiments.running import Setting, generator, outcome
from algdim.experiments.sampling import cell_chances, dimensions, network, random_tables, sample_of, scored
from algdim.plots.svg import Axis, Series, plot

MODELS = {
    "F1": "max: {C1},{C2},{C3} -> E",
    "F2": "max: {C1,C2},{C3} -> E",
    "F3": "max: {C1,C2},{C2,C3} -> E",
    "F4": "max: {C1,C2},{C1,C3},{C2,C3} -> E",
    "F5": "max: {C1,C2,C3} -> E",
}
PRINTED = dict(zip(MODELS, (7, 7, 9, 10, 11), strict=True))
CASES = (100, 200, 400, 800, 1600, 6400)
RIGHT, TABLE_1, UNADJUSTED = "right", "printed", "unadjusted"
KINDS = (RIGHT, TABLE_1, UNADJUSTED)

Weights = dict[str, dict[int, dict[str, float]]]
"""Dimensions → cases → model → posterior probability."""


class Task(NamedTuple):
    """A generator, the number of its parameters, the sizes of the initial segments."""

    truth: str
    number: int
    cases: tuple[int, ...]
    seed: int


def weighed(task: Task) -> Weights:
    """The posterior probabilities of the five models on the initial segments of one data set."""
    random = generator(task.seed, "MH97 5", task.truth, task.number)
    model = network(MODELS[task.truth])
    names = [variable.name for variable in model.observed]
    chances = cell_chances(model, random_tables(model, random))
    order = random.choice(chances.size, size=max(task.cases), p=chances.ravel())
    found: Weights = {kind: {} for kind in KINDS}
    for cases in task.cases:
        counts = np.bincount(order[:cases], minlength=chances.size).reshape(chances.shape).astype(np.float64)
        values: dict[str, dict[str, float]] = {kind: {} for kind in KINDS}
        for name, text in MODELS.items():
            # the observed variables of all five stand in one order
            at = scored(sample_of(names, counts), text, task.number)
            standard, effective = dimensions(text)
            for kind, dimension in ((RIGHT, effective), (TABLE_1, PRINTED[name]), (UNADJUSTED, standard)):
                values[kind][name] = at.cs_plus(standard, dimension)
        for kind in KINDS:
            found[kind][cases] = posterior(values[kind])
    return found


def posterior(values: dict[str, float]) -> dict[str, float]:
    """Weights that add up to 1."""
    top = max(values.values())
    parts = {name: float(np.exp(value - top)) for name, value in values.items()}
    return {name: part / sum(parts.values()) for name, part in parts.items()}


def figure_5(setting: Setting) -> Outcome:
    """All five generators."""
    sets, cases = setting.pick(2, 20, 100), setting.pick((100,), CASES, CASES)
    tasks = [Task(truth, number, cases, setting.seed) for truth in MODELS for number in range(sets)]
    found = list(zip(tasks, setting.mapped(weighed, tasks), strict=True))
    cells: list[Cell] = []
    figures: dict[str, str] = {}
    for truth in MODELS:
        results = [one for task, one in found if task.truth == truth]
        cells += cells_of(truth, results, cases)
        if len(cases) > 1:
            figures |= {f"mh97-{truth}-{kind}": drawn_weights(truth, kind, results, cases) for kind in (RIGHT, TABLE_1)}
    return outcome(setting, cells, figures)


def weight(results: Sequence[Weights], kind: str, cases: int, name: str) -> Mean:
    """The mean posterior probability of a model."""
    return mean([one[kind][cases][name] for one in results])


def cells_of(truth: str, results: Sequence[Weights], cases: Sequence[int]) -> list[Cell]:
    """Whether the probability of the generator grows, with each choice of dimensions."""
    place, last, cells = "MH97 Figure 5", max(cases), []
    for kind in KINDS:
        for size in cases:
            text = f"weight of {truth} where it is true, {kind} dimensions, N = {size}"
            cells.append(measured(place, text, weight(results, kind, size, truth)))
    if len(cases) > 1:
        first = min(cases)
        for kind in (RIGHT, TABLE_1):
            rise = mean([one[kind][1600][truth] - one[kind][first][truth] for one in results])
            text = f"what the weight of {truth} gains from N = {first} to 1600, {kind} dimensions"
            if truth == "F1" and kind == TABLE_1:
                cells.append(stated(place, text, rise, "does not accumulate", holds=rise.low <= 0))
            elif truth == "F1":
                cells.append(measured(place, text, rise, "with 7 and 8 there is no exception"))
            else:
                cells.append(stated(place, text, rise, "mass accumulates", holds=rise.low > 0))
    if truth == "F4":
        wins = mean(
            [float(max(one[UNADJUSTED][last], key=lambda name: one[UNADJUSTED][last][name]) == "F4") for one in results]
        )
        text = f"share of data sets in which F4 wins with unadjusted dimensions, N = {last}"
        cells.append(stated("MH97 §5", text, wins, "impossible", holds=wins.value == 0))
    return cells


def drawn_weights(truth: str, kind: str, results: Sequence[Weights], cases: Sequence[int]) -> str:
    """The mean posterior probabilities against the number of cases."""
    lines = [
        Series(name, tuple((float(size), weight(results, kind, size, name).value) for size in cases)) for name in MODELS
    ]
    title = f"MH97 Figure 5: {truth} is true, {kind} dimensions"
    return plot(title, Axis("cases", logarithmic=True), Axis("mean posterior probability"), lines)
