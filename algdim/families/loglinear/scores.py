"""The family "loglinear": how well a fit agrees with the data."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from algdim.families.contract import Scoring
from algdim.families.discrete.model import Network
from algdim.families.loglinear.likelihood import EffectsFamily

if TYPE_CHECKING:
    from algdim.scores.goodness import Goodness
    from algdim.scores.scoringcontext import Material


def compute_goodness(of: Material) -> Goodness:
    """G² and X² of the cells."""
    from algdim.scores.goodness import measure_goodness

    model, sample, complete = of.fit.model, of.fit.sample, of.report.complete or 0  # tables have a saturated model
    family = EffectsFamily(model, sample)
    chances = family.add_up_patterns(family.joint(family.curve.weights(of.fit.parameters)[None]).sum(axis=2))
    with np.errstate(divide="ignore"):
        logs = np.log(chances[0])
    return measure_goodness(Network(model.variables), sample, logs, complete, of.report.dimension)


SCORING = Scoring(measure_goodness=compute_goodness)
