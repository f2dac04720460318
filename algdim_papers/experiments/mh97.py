"""MH97 Figure 5: posterior probabilities of five causal interaction models by the Cheeseman-Stutz score.

The score is taken with the right dimensions, with those that Table 1 prints, and with the number of parameters. The paper
chose the parameters of each generator by hand; here rows are uniform, many times over. The score is taken at a mode of the
posterior (§4.2), under a prior that has one: the greatest likelihood is more than a point, and CS differs by nats along it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from algdim.plots.svg import Axis, plot
from algdim.scores.marginal import apply_effective_dimension
from algdim_papers.experiments.record import (
    Cell,
    Mean,
    compute_mean,
    describe_error_bars,
    make_measured_cell,
    make_series,
    make_stated_cell,
)
from algdim_papers.experiments.rows import Findings, Rows, Value, make_rows
from algdim_papers.experiments.running import Setting, make_generator
from algdim_papers.experiments.sampling import (
    compute_cell_chances,
    compute_dimensions,
    draw_tables,
    parse_network,
    sample_of,
    score_inner_mode,
)

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
LARGEST_PRINTED = 1600
"""The greatest N of Figure 5."""


class Task(NamedTuple):
    """A generator, the number of its parameters, the sizes of the initial segments."""

    truth: str
    number: int
    cases: tuple[int, ...]
    seed: int


def score_models(task: Task) -> list[tuple[int, list[float]]]:
    """Cheeseman and Stutz's score, not yet corrected, of the five models on the initial segments of one data set."""
    random = make_generator(task.seed, "MH97 5", task.truth, task.number)
    model = parse_network(MODELS[task.truth])
    names = [variable.name for variable in model.observed]
    chances = compute_cell_chances(model, draw_tables(model, random))
    order = random.choice(chances.size, size=max(task.cases), p=chances.ravel())
    found = []
    for cases in task.cases:
        counts = np.bincount(order[:cases], minlength=chances.size).reshape(chances.shape).astype(np.float64)
        # the observed variables of all five stand in one order
        sample = sample_of(names, counts)
        found.append((cases, [score_inner_mode(sample, text, task.number).cs() for text in MODELS.values()]))
    return found


def measure_figure(setting: Setting) -> Findings:
    """All five generators."""
    sets, cases = setting.pick(2, 20, 100), setting.pick((100,), CASES, CASES)
    tasks = [Task(truth, number, cases, setting.seed) for truth in MODELS for number in range(sets)]
    found = setting.mapped(score_models, tasks)
    entries: list[tuple[Value, ...]] = [
        (task.truth, task.number, size, *values)
        for task, many in zip(tasks, found, strict=True)
        for size, values in many
    ]
    return {"figure-5": make_rows(("truth", "set", "cases", *MODELS), entries)}


def get_dimensions(kind: str, name: str) -> tuple[int, int]:
    """The number of parameters of a model and the dimension that its score is corrected to."""
    standard, effective = compute_dimensions(MODELS[name])
    return standard, {RIGHT: effective, TABLE_1: PRINTED[name], UNADJUSTED: standard}[kind]


def compute_posteriors(found: Rows, kind: str) -> list[dict[str, float]]:
    """The posterior probabilities of the five models in every row."""
    sizes = {name: get_dimensions(kind, name) for name in MODELS}
    columns = zip(found.column("cases"), *(found.column(name) for name in MODELS), strict=True)
    return [
        compute_posterior(
            {
                name: apply_effective_dimension(value, *sizes[name], cases)
                for name, value in zip(MODELS, values, strict=True)
            }
        )
        for cases, *values in columns
    ]


def compute_posterior(values: dict[str, float]) -> dict[str, float]:
    """Weights that add up to 1.

    >>> compute_posterior({"F1": -1000.0, "F2": -1000.0})
    {'F1': 0.5, 'F2': 0.5}
    """
    top = max(values.values())
    parts = {name: float(np.exp(value - top)) for name, value in values.items()}
    return {name: part / sum(parts.values()) for name, part in parts.items()}


Weights = dict[str, dict[int, list[dict[str, float]]]]
"""Dimensions → cases → on each data set: model → posterior probability."""


def collect_weights(found: Rows) -> Weights:
    """The posterior probabilities where one generator is true."""
    return {
        kind: {size: compute_posteriors(part, kind) for size, part in found.split("cases").items()} for kind in KINDS
    }


def compare_figure(findings: Findings) -> list[Cell]:
    """Whether the probability of each generator grows, with each choice of dimensions."""
    cells = []
    for truth, found in findings["figure-5"].split("truth").items():
        weights = collect_weights(found)
        cells += make_weight_cells(truth, weights)
        if LARGEST_PRINTED in weights[RIGHT]:
            cells += [make_gain_cell(truth, kind, weights[kind]) for kind in (RIGHT, TABLE_1)]
        if truth == "F4":
            cells.append(make_unadjusted_cell(weights[UNADJUSTED]))
    return cells


def make_weight_cells(truth: str, weights: Weights) -> list[Cell]:
    """The weight of the generator."""
    return [
        make_measured_cell(
            "MH97 Figure 5",
            f"weight of {truth} where it is true, {kind} dimensions, N = {size}",
            compute_mean([one[truth] for one in many]),
        )
        for kind, by_size in weights.items()
        for size, many in by_size.items()
    ]


def make_gain_cell(truth: str, kind: str, by_size: dict[int, list[dict[str, float]]]) -> Cell:
    """Whether mass accumulates on the generator; on F1 it does not, as printed, which its dimensions explain."""
    first = min(by_size)
    pairs = zip(by_size[LARGEST_PRINTED], by_size[first], strict=True)
    rise: Mean = compute_mean([after[truth] - before[truth] for after, before in pairs])
    place = "MH97 Figure 5"
    text = f"what the weight of {truth} gains from N = {first} to {LARGEST_PRINTED}, {kind} dimensions"
    if truth != "F1":
        return make_stated_cell(place, text, rise, "mass accumulates", holds=rise.low > 0)
    if kind == TABLE_1:
        return make_stated_cell(place, text, rise, "does not accumulate", holds=rise.low <= 0)
    return make_measured_cell(place, text, rise, "with 7 and 8 there is no exception" if rise.low > 0 else "")


def make_unadjusted_cell(by_size: dict[int, list[dict[str, float]]]) -> Cell:
    """F4 has more parameters than F5 and says less, so it cannot win by their number."""
    last = max(by_size)
    wins = compute_mean([max(one, key=lambda name: one[name]) == "F4" for one in by_size[last]])
    text = f"share of data sets in which F4 wins with unadjusted dimensions, N = {last}"
    return make_stated_cell("MH97 §5", text, wins, "impossible", holds=wins.value == 0)


def draw_figure(findings: Findings) -> dict[str, str]:
    """The mean posterior probabilities against the number of cases."""
    figures = {}
    for truth, found in findings["figure-5"].split("truth").items():
        weights = collect_weights(found)
        for kind in (RIGHT, TABLE_1):
            lines = [
                make_series(
                    name, {size: compute_mean([one[name] for one in many]) for size, many in weights[kind].items()}
                )
                for name in MODELS
            ]
            x, y = Axis("cases", logarithmic=True), Axis("mean posterior probability")
            title = f"MH97 Figure 5: {truth} is true, {kind} dimensions"
            figures[f"mh97-{truth}-{kind}"] = plot(title, x, y, lines, describe_error_bars(len(found.split("set"))))
    return figures
