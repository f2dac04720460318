"""HM97 §5: features selected by BIC, on data from a known classifier.

The class and six inputs are binary, and the classifier is naive Bayes on three of them, which is logistic regression (§4). From no
inputs the one is added or removed that gains most; BIC takes the dimension, n + 1, or the number of parameters, 2n + 1.
"""

from __future__ import annotations

from functools import partial
from math import log
from typing import NamedTuple

import numpy as np

from algdim.families.discrete.model import Variable
from algdim.fitting.fitting import fit
from algdim.fitting.likelihood import Numbers
from algdim.fitting.samples import COUNT
from algdim.fitting.tabulardata import Columns, read_columns
from algdim.models.anymodel import AnyModel
from algdim.plots.svg import Axis, plot
from algdim.selection.searches import select_features
from algdim_papers.experiments.record import (
    Cell,
    Mean,
    compute_mean,
    describe_error_bars,
    make_measured_cell,
    make_series,
    make_stated_cell,
)
from algdim_papers.experiments.rows import Findings, Rows, make_rows
from algdim_papers.experiments.running import Setting, make_generator
from algdim_papers.experiments.sampling import compute_dimensions

INPUTS, RELEVANT = 6, ("X1", "X2", "X3")
NAMES = tuple(f"X{number}" for number in range(1, INPUTS + 1))
CASES = (100, 300, 1000, 3000, 10_000)
RIGHT, COUNTED = "dimension", "count"

Assessed = tuple[tuple[str, ...], float]
"""Inputs and the greatest log-likelihood."""


class Task(NamedTuple):
    """The number of a classifier and the sizes of its samples."""

    number: int
    cases: tuple[int, ...]
    seed: int


def format_classifier(size: int) -> str:
    """The notation of naive Bayes with this many inputs."""
    return f"classifier Y: Y -> {', '.join(f'X{number}' for number in range(1, size + 1))}"


def compute_naive_bayes_numbers(size: int) -> tuple[int, int]:
    """Parameters and dimension of naive Bayes with this many inputs; without any the class has one of both."""
    return compute_dimensions(format_classifier(size)) if size else (1, 1)


def fit_candidate(known: dict[tuple[str, ...], Assessed], data: Columns, candidate: AnyModel) -> Assessed:
    """The inputs of a candidate and its log-likelihood, each fitted once."""
    columns = dict(zip(data.names or (), data.columns, strict=True))
    inputs = tuple(name for name in NAMES if name in columns)
    if inputs not in known:
        known[inputs] = inputs, fit(columns, candidate, identify=False).loglik
    return known[inputs]


def compute_bic(kind: str, cases: int, one: Assessed) -> float:
    """BIC by dimension or by count."""
    return one[1] - compute_naive_bayes_numbers(len(one[0]))[kind == RIGHT] / 2 * log(cases)


def build_columns(cells: Numbers, ones: Numbers, totals: Numbers) -> Columns:
    """Twice all inputs: with the class 1 so often, and with the class 0."""
    label = [1] * len(cells) + [0] * len(cells)
    named = {name: [*column, *column] for name, column in zip(NAMES, cells.T, strict=True)}
    return read_columns({**named, "Y": label, COUNT: [*ones, *(totals - ones)]})


def select_inputs(task: Task) -> list[tuple[int, str, str]]:
    """Cases, how BIC is taken, and the inputs that are selected, on samples of one classifier."""
    random = make_generator(task.seed, "HM97 5", task.number)
    cells = np.array(list(np.ndindex(*[2] * INPUTS)), dtype=np.float64)
    # naive Bayes: rows drawn evenly
    prior, rows = random.random(), random.random((2, 1, len(RELEVANT)))
    shown = cells[None, :, : len(RELEVANT)]
    joint = np.log([[1 - prior], [prior]]) + np.log(np.where(shown == 1, rows, 1 - rows)).sum(axis=2)
    chances = 1 / (1 + np.exp(joint[0] - joint[1]))
    items = [Variable(name) for name in (*NAMES, "Y")]
    found = []
    for cases in task.cases:
        totals = np.asarray(random.multinomial(cases, np.full(len(cells), 1 / len(cells))), dtype=np.float64)
        ones = np.asarray(random.binomial(totals.astype(np.int64), chances), dtype=np.float64)
        data, assess = build_columns(cells, ones, totals), partial(fit_candidate, {})
        values = {kind: partial(compute_bic, kind, cases) for kind in (RIGHT, COUNTED)}
        found += [
            (cases, kind, " ".join(max(select_features(data, items, "Y", assess, value), key=value)[0]))
            for kind, value in values.items()
        ]
    return found


def measure_features(setting: Setting) -> Findings:
    """The inputs that are selected on every data set."""
    sets, cases = setting.pick(2, 20, 20), setting.pick((100, 300), CASES, CASES)
    found = setting.mapped(select_inputs, [Task(number, cases, setting.seed) for number in range(sets)])
    entries = [(number, *one) for number, many in enumerate(found) for one in many]
    return {"features": make_rows(("set", "cases", "BIC by", "selected"), entries)}


def collect_inputs(found: Rows) -> list[set[str]]:
    """The inputs that are selected, in every row."""
    return [set((text or "").split()) for text in found.column("selected")]


def match_relevant_inputs(found: Rows) -> list[bool]:
    """Whether they are the relevant ones."""
    return [inputs == set(RELEVANT) for inputs in collect_inputs(found)]


def compare_features(findings: Findings) -> list[Cell]:
    """How often exactly the relevant inputs are selected, and how many others are."""
    kinds, cells = findings["features"].split("BIC by"), []
    for kind, some in kinds.items():
        for size, part in some.split("cases").items():
            text = f"share in which exactly the 3 relevant of 6 inputs are selected, BIC by {kind}, N = {size}"
            cells.append(make_measured_cell("HM97 §5", text, compute_mean(match_relevant_inputs(part))))
            more = compute_mean([len(inputs - set(RELEVANT)) for inputs in collect_inputs(part)])
            cells.append(make_measured_cell("HM97 §5", f"irrelevant inputs selected, BIC by {kind}, N = {size}", more))
    sizes = kinds[RIGHT].split("cases")
    text = f"what that share gains from N = {min(sizes)} to {max(sizes)}, BIC by dimension"
    grows = compute_mean_gain(sizes[max(sizes)], sizes[min(sizes)])
    cells.append(make_stated_cell("HM97 §5", text, grows, "features are selected", holds=grows.low > 0))
    by_count = kinds[COUNTED].split("cases")
    for size, part in sizes.items():
        text = f"what the share by dimension is more than that by count, N = {size}"
        cells.append(make_measured_cell("HM97 §5", text, compute_mean_gain(part, by_count[size])))
    return cells


def compute_mean_gain(more: Rows, less: Rows) -> Mean:
    """The mean difference of the share, on the same classifiers."""
    return compute_mean(
        [float(a) - float(b) for a, b in zip(match_relevant_inputs(more), match_relevant_inputs(less), strict=True)]
    )


def draw_features(findings: Findings) -> dict[str, str]:
    """The share of data sets in which exactly the relevant inputs are selected."""
    found = findings["features"]
    lines = [
        make_series(
            f"by {kind}",
            {size: compute_mean(match_relevant_inputs(part)) for size, part in some.split("cases").items()},
        )
        for kind, some in found.split("BIC by").items()
    ]
    x, y = Axis("cases", logarithmic=True), Axis("share of data sets")
    title = "HM97 §5: exactly the relevant inputs selected"
    return {"hm97-features": plot(title, x, y, lines, describe_error_bars(len(found.split("set"))))}
