"""MH97 Figure 5: posterior probabilities of five causal interaction models by the Cheeseman-Stutz score.

The score is taken with the right dimensions, with those that Table 1 prints, and with the number of parameters. As in §4.2 one
prior, Dirichlet(1.01), has the mode at which the score is taken and is the prior of the score; BDeu(1) at the greatest
likelihood shows what the prior does. The paper chose the parameters of each generator by hand and prints none: beside ours,
chosen by hand, rows are uniform, many times over.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from importlib import resources
from typing import NamedTuple

import numpy as np

from algdim.fitting.likelihood import Numbers, Tables
from algdim.fitting.record import convert_to_arrays
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
    NEARLY,
    compute_cell_chances,
    compute_dimensions,
    draw_tables,
    make_map,
    parse_network,
    score_maxima,
    score_posterior_modes,
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


DRAWN, BY_HAND = "drawn", "by hand"
"""Rows that are uniform, another parametrisation for each data set; one parametrisation, in the files of `by_hand`."""
ONE_PRIOR, OTHER_PRIOR = "Dirichlet(1.01)", "BDeu(1)"
EPSILON = 0.01
DESIGNS = ((DRAWN, ONE_PRIOR), (BY_HAND, ONE_PRIOR), (DRAWN, OTHER_PRIOR))


TOGETHER = {ONE_PRIOR: 10, OTHER_PRIOR: 1}
"""Data sets of one task: where EM climbs alone they go faster together, where scoring does the arrays become too large."""


class Task(NamedTuple):
    """How the parameters are chosen, the prior, a generator, the numbers of its data sets, the sizes of the initial segments."""

    parameters: str
    prior: str
    truth: str
    numbers: tuple[int, ...]
    cases: tuple[int, ...]
    seed: int


def choose_tables(task: Task, random: np.random.Generator) -> Tables:
    """The parameters of a generator."""
    model = parse_network(MODELS[task.truth])
    if task.parameters == DRAWN:
        return draw_tables(model, random)
    file = resources.files("algdim_papers.experiments").joinpath("by_hand", f"{task.truth}.toml")
    return convert_to_arrays(make_map(model), tomllib.loads(file.read_text(encoding="utf-8")))


def draw_segments(task: Task, number: int) -> list[Numbers]:
    """The counts of the cells in the initial segments of one data set."""
    words = () if task.parameters == DRAWN else (task.parameters,)
    random = make_generator(task.seed, "MH97 5", task.truth, number, *words)
    chances = compute_cell_chances(parse_network(MODELS[task.truth]), choose_tables(task, random))
    order = random.choice(chances.size, size=max(task.cases), p=chances.ravel())
    return [np.bincount(order[:cases], minlength=chances.size).astype(np.float64) for cases in task.cases]


def score_models(task: Task) -> list[tuple[int, int, list[float]]]:
    """Data set, cases, and Cheeseman and Stutz's score, not yet corrected, of the five models on its initial segments."""
    # the observed variables of all five stand in one order
    stack = np.array([counts for number in task.numbers for counts in draw_segments(task, number)])
    keys = [(number, cases) for number in task.numbers for cases in task.cases]
    seeds = [number for number, _ in keys]
    found = [
        score_posterior_modes(stack, text, EPSILON, seeds, NEARLY)
        if task.prior == ONE_PRIOR
        else score_maxima(stack, text, seeds)
        for text in MODELS.values()
    ]
    scores = np.array([one.cs() for one in found]).T.tolist()
    return [(*key, values) for key, values in zip(keys, scores, strict=True)]


def measure_figure(setting: Setting) -> Findings:
    """All five generators, in all designs."""
    sets, cases = setting.pick(2, 20, 20), setting.pick((100,), CASES, CASES)
    tasks = [
        Task(parameters, prior, truth, tuple(range(sets)[first : first + TOGETHER[prior]]), cases, setting.seed)
        for parameters, prior in DESIGNS
        for truth in MODELS
        for first in range(0, sets, TOGETHER[prior])
    ]
    found = setting.mapped(score_models, tasks)
    entries: list[tuple[Value, ...]] = [
        (*task[:3], number, size, *values)
        for task, many in zip(tasks, found, strict=True)
        for number, size, values in many
    ]
    return {"figure-5": make_rows(("parameters", "prior", "truth", "set", "cases", *MODELS), entries)}


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


def list_designs(findings: Findings) -> Iterator[tuple[str, str, str, Rows]]:
    """How parameters are chosen, the prior, the generator, and what was measured."""
    for parameters, some in findings["figure-5"].split("parameters").items():
        for prior, others in some.split("prior").items():
            for truth, found in others.split("truth").items():
                yield parameters, prior, truth, found


def compare_figure(findings: Findings) -> list[Cell]:
    """Whether the probability of each generator grows, with each choice of dimensions."""
    cells = []
    for parameters, prior, truth, found in list_designs(findings):
        weights, design = collect_weights(found), f"parameters {parameters}, {prior}"
        cells += make_weight_cells(truth, weights, design, kinds=KINDS if parameters == DRAWN else KINDS[:1])
        if LARGEST_PRINTED in weights[RIGHT]:
            kinds = (RIGHT, TABLE_1) if prior == ONE_PRIOR else (RIGHT,)
            cells += [make_gain_cell(truth, kind, weights[kind], design, prior) for kind in kinds]
        if truth == "F4":
            cells.append(make_unadjusted_cell(weights[UNADJUSTED], design))
    return cells


def make_weight_cells(truth: str, weights: Weights, design: str, kinds: Sequence[str]) -> list[Cell]:
    """The weight of the generator; with wrong dimensions for the largest data sets."""
    return [
        make_measured_cell(
            "MH97 Figure 5",
            f"weight of {truth} where it is true, {kind} dimensions, {design}, N = {size}",
            compute_mean([one[truth] for one in many]),
        )
        for kind in kinds
        for size, many in weights[kind].items()
        if kind == RIGHT or size >= LARGEST_PRINTED
    ]


def make_gain_cell(truth: str, kind: str, by_size: dict[int, list[dict[str, float]]], design: str, prior: str) -> Cell:
    """Whether mass accumulates on the generator; on F1 it does not, as printed, which its dimensions explain."""
    first = min(by_size)
    pairs = zip(by_size[LARGEST_PRINTED], by_size[first], strict=True)
    rise: Mean = compute_mean([after[truth] - before[truth] for after, before in pairs])
    place = "MH97 Figure 5"
    text = f"what the weight of {truth} gains from N = {first} to {LARGEST_PRINTED}, {kind} dimensions, {design}"
    if prior != ONE_PRIOR:
        return make_measured_cell(place, text, rise, "the prior's influence")
    if truth != "F1":
        return make_stated_cell(place, text, rise, "mass accumulates", holds=rise.low > 0)
    if kind == TABLE_1:
        return make_stated_cell(place, text, rise, "does not accumulate", holds=rise.low <= 0)
    return make_measured_cell(place, text, rise, "with 7 and 8 there is no exception" if rise.low > 0 else "")


def make_unadjusted_cell(by_size: dict[int, list[dict[str, float]]], design: str) -> Cell:
    """F4 has more parameters than F5 and says less, so it cannot win by their number."""
    last = max(by_size)
    wins = compute_mean([max(one, key=lambda name: one[name]) == "F4" for one in by_size[last]])
    text = f"share of data sets in which F4 wins with unadjusted dimensions, {design}, N = {last}"
    return make_stated_cell("MH97 §5", text, wins, "impossible", holds=wins.value == 0)


def draw_figure(findings: Findings) -> dict[str, str]:
    """The mean posterior probabilities against the number of cases; and, as in print, those of one data set by Table 1's dimensions."""
    figures = {}
    for parameters, prior, truth, found in list_designs(findings):
        if prior != ONE_PRIOR:
            continue
        name = f"mh97-{truth}-{parameters.replace(' ', '-')}"
        title = f"MH97 Figure 5: {truth} is true, parameters {parameters}"
        bars = describe_error_bars(len(found.split("set")))
        figures[name] = draw_weights(title, collect_weights(found)[RIGHT], bars)
        if parameters == BY_HAND:
            one = next(iter(found.split("set").values()))
            title = f"MH97 Figure 5: {truth} is true, dimensions of Table 1"
            figures[f"mh97-{truth}-one-data-set"] = draw_weights(title, collect_weights(one)[TABLE_1], "one data set")
    return figures


def draw_weights(title: str, weights: dict[int, list[dict[str, float]]], below: str) -> str:
    """A line for each model."""
    lines = [
        make_series(name, {size: compute_mean([one[name] for one in many]) for size, many in weights.items()})
        for name in MODELS
    ]
    return plot(title, Axis("cases", logarithmic=True), Axis("mean posterior probability"), lines, below)
