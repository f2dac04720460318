"""A real data set: role conflict (Stouffer and Toby 1951), four binary items of 216 people, three classes tried by Goodman.

Goodman, Exploratory latent structure analysis using both identifiable and unidentifiable models, Biometrika 61 (1974) 215–231.
Three classes have 14 parameters and dimension 13.
"""

from __future__ import annotations

from math import log

import numpy as np

from algdim.experiments.annealing import log_marginals
from algdim.experiments.record import Cell, Mean, Outcome, mean, measured
from algdim.experiments.running import Setting, generator, outcome
from algdim.experiments.sampling import UNIFORM, dimensions, sample_of, scored
from algdim.plots.svg import Axis, Series, plot
from algdim.scores.singular import latent_class_coefficients, sbic

COUNTS = (42, 23, 6, 25, 6, 24, 7, 38, 1, 4, 1, 6, 2, 9, 2, 20)
"""The patterns in order, the first item slowest."""
NAMES = ("X1", "X2", "X3", "X4")
CLASSES = (1, 2, 3, 4)


def role_conflict(setting: Setting) -> Outcome:
    """The scores of one to four classes with 14 and with 13, and log p(D)."""
    sample = sample_of(NAMES, np.array(COUNTS, dtype=np.float64).reshape(2, 2, 2, 2))
    fits = {count: scored(sample, f"{count}:2^4", prior=UNIFORM) for count in CLASSES}
    sizes = {count: dimensions(f"{count}:2^4") for count in CLASSES}
    singular = sbic(
        [fits[count].fit.loglik for count in CLASSES],
        latent_class_coefficients([sizes[count][1] for count in CLASSES], len(NAMES)),
        sample.size,
    )
    values = {
        "BIC": {count: fits[count].bic(sizes[count][0]) for count in CLASSES},
        "BIC+": {count: fits[count].bic(sizes[count][1]) for count in CLASSES},
        "CS": {count: fits[count].cs() for count in CLASSES},
        "CS+": {count: fits[count].cs_plus(*sizes[count]) for count in CLASSES},
        "sBIC": dict(zip(CLASSES, singular, strict=True)),
    }
    random = generator(setting.seed, "role conflict")
    runs = setting.pick(2, 20, 50)
    exact = {
        count: mean(
            [log_marginals(sample, count, 1.0, random, particles=setting.pick(100, 400, 2000))[-1] for _ in range(runs)]
        )
        for count in CLASSES
    }
    cells: list[Cell] = []
    place = "Goodman (1974)"
    for name, found in values.items():
        apart = found[3] - found[2]
        cells.append(measured(place, f"{name} of three classes less that of two", Mean(apart, 0.0, 1)))
        best = max(found, key=lambda count: found[count])
        cells.append(measured(place, f"classes chosen by {name}", Mean(float(best), 0.0, 1)))
    gap = Mean(exact[3].value - exact[2].value, float(np.hypot(exact[3].error, exact[2].error)), runs)
    cells.append(measured(place, "log p(D) of three classes less that of two (Dirichlet(1), Monte Carlo error)", gap))
    cells.append(measured(place, "what 13 for 14 changes: ½ log N", Mean(log(sample.size) / 2, 0.0, 1)))
    square = 2 * (float(sum(count * log(count / sample.size) for count in COUNTS)) - fits[3].fit.loglik)
    cells.append(measured(place, "G² of three classes, on 15 − 13 = 2 degrees of freedom, not 1", Mean(square, 0.0, 1)))
    lines = [
        Series(name, tuple((float(count), found[count] - found[2]) for count in CLASSES))
        for name, found in values.items()
    ]
    lines.append(Series("log p(D)", tuple((float(count), exact[count].value - exact[2].value) for count in CLASSES)))
    figure = plot("Role conflict, 216 people", Axis("classes"), Axis("less the value at two classes"), lines)
    return outcome(setting, cells, {"role-conflict": figure})
