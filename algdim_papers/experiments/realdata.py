"""A real data set: role conflict (Stouffer and Toby 1951), four binary items of 216 people, three classes tried by Goodman.

Goodman, Exploratory latent structure analysis using both identifiable and unidentifiable models, Biometrika 61 (1974) 215–231.
Three classes have 14 parameters and dimension 13: the greatest likelihood is a curve, and CS depends on the point of it at
which a fit stops, so it is taken at many.
"""

from __future__ import annotations

from math import hypot, log

import numpy as np

from algdim.fitting.samples import Sample
from algdim.plots.svg import Axis, plot
from algdim.scores.singular import bound_class_coefficients, compute_sbic
from algdim_papers.experiments.annealing import estimate_log_marginals
from algdim_papers.experiments.record import Cell, Mean, compute_mean, make_measured_cell, make_series
from algdim_papers.experiments.rows import Findings, Rows, make_rows
from algdim_papers.experiments.running import Setting, make_generator
from algdim_papers.experiments.sampling import (
    UNIFORM,
    compute_dimensions,
    compute_four_scores,
    sample_of,
    score_maximum,
)

COUNTS = (42, 23, 6, 25, 6, 24, 7, 38, 1, 4, 1, 6, 2, 9, 2, 20)
"""The patterns in order, the first item slowest."""
NAMES = ("X1", "X2", "X3", "X4")
CLASSES = (1, 2, 3, 4)


SIZE = sum(COUNTS)
REFERENCE = 2
"""Classes: what the other values are compared with."""
PLACE = "Goodman (1974)"


def format_candidate(classes: int) -> str:
    """The notation of a candidate."""
    return f"{classes}:2^{len(NAMES)}"


def load_sample() -> Sample:
    """The 216 people."""
    return sample_of(NAMES, np.array(COUNTS, dtype=np.float64).reshape(2, 2, 2, 2))


def measure_conflict(setting: Setting) -> Findings:
    """The greatest likelihood and CS of one to four classes from many starts, and runs of log p(D)."""
    sample, random = load_sample(), make_generator(setting.seed, "role conflict")
    starts, particles = setting.pick(2, 20, 50), setting.pick(100, 400, 2000)
    fits = [
        (classes, start, at.fit.loglik, at.cs())
        for classes in CLASSES
        for start in range(starts)
        for at in [score_maximum(sample, format_candidate(classes), start, prior=UNIFORM)]
    ]
    exact = [
        (classes, run, estimate_log_marginals(sample, classes, 1.0, random, particles=particles)[-1])
        for classes in CLASSES
        for run in range(starts)
    ]
    return {
        "role-conflict": make_rows(("classes", "start", "loglik", "CS"), fits),
        "role-conflict-exact": make_rows(("classes", "run", "log p(D)"), exact),
    }


def collect_values(findings: Findings) -> dict[str, dict[int, Mean]]:
    """Score → classes → value: the mean over starts for CS and CS+, over runs for log p(D); the others are at the best start."""
    parts = findings["role-conflict"].split("classes")
    logliks = {classes: max(part.column("loglik")) for classes, part in parts.items()}
    by_start = {classes: compute_scores(classes, part) for classes, part in parts.items()}
    found = {
        name: {classes: compute_mean(some[name]) for classes, some in by_start.items()}
        for name in ("BIC", "BIC+", "CS", "CS+")
    }
    for name in ("BIC", "BIC+"):
        found[name] = {
            classes: Mean(compute_four_scores(best, 0.0, format_candidate(classes), SIZE)[name], 0.0, 1)
            for classes, best in logliks.items()
        }
    coefficients = bound_class_coefficients(
        [compute_dimensions(format_candidate(classes))[1] for classes in CLASSES], len(NAMES)
    )
    singular = compute_sbic(list(logliks.values()), coefficients, SIZE)
    found["sBIC"] = {classes: Mean(value, 0.0, 1) for classes, value in zip(CLASSES, singular, strict=True)}
    exact = findings["role-conflict-exact"].split("classes")
    found["log p(D)"] = {classes: compute_mean(part.column("log p(D)")) for classes, part in exact.items()}
    return found


def compute_scores(classes: int, part: Rows) -> dict[str, list[float]]:
    """All scores of a candidate, at every start."""
    pairs = zip(part.column("loglik"), part.column("CS"), strict=True)
    each = [compute_four_scores(loglik, completed, format_candidate(classes), SIZE) for loglik, completed in pairs]
    return {name: [one[name] for one in each] for name in each[0]}


def compare_to_reference(found: dict[int, Mean]) -> dict[int, Mean]:
    """The values less that of two classes, which are measured apart from each other."""
    low = found[REFERENCE]
    return {
        classes: Mean(one.value - low.value, 0.0 if classes == REFERENCE else hypot(one.error, low.error), one.sets)
        for classes, one in found.items()
    }


def compare_conflict(findings: Findings) -> list[Cell]:
    """What changes when 14 becomes 13."""
    cells = []
    for name, found in collect_values(findings).items():
        apart = compare_to_reference(found)[3]
        what = {"log p(D)": " (Dirichlet(1), Monte Carlo error)", "CS": " (over starts)", "CS+": " (over starts)"}
        text = f"{name} of three classes less that of two{what.get(name, '')}"
        cells.append(make_measured_cell(PLACE, text, apart))
        if name != "log p(D)":
            # its difference is within its error
            best = max(found, key=lambda classes: found[classes].value)
            cells.append(make_measured_cell(PLACE, f"classes chosen by {name}", Mean(float(best), 0.0, 1)))
    three = findings["role-conflict"].where(classes=3)
    spread = max(three.column("CS")) - min(three.column("CS"))
    text = "greatest less least CS of three classes, over starts that reach the same likelihood"
    cells.append(make_measured_cell(PLACE, text, Mean(spread, 0.0, 1)))
    cells.append(make_measured_cell(PLACE, "what 13 for 14 changes: ½ log N", Mean(log(SIZE) / 2, 0.0, 1)))
    square = 2 * (sum(count * log(count / SIZE) for count in COUNTS) - max(three.column("loglik")))
    text = "G² of three classes, on 15 − 13 = 2 degrees of freedom, not 1"
    return [*cells, make_measured_cell(PLACE, text, Mean(square, 0.0, 1))]


def draw_conflict(findings: Findings) -> dict[str, str]:
    """The scores against the number of classes."""
    lines = [make_series(name, compare_to_reference(found)) for name, found in collect_values(findings).items()]
    runs = len(findings["role-conflict"].split("start"))
    note = f"CS, CS+: means of {runs} starts; log p(D): of {runs} runs; bars: errors"
    x, y = Axis("classes", whole=True), Axis("less the value at two classes (nats)")
    return {"role-conflict": plot("Role conflict, 216 people", x, y, lines, note)}
