"""Macaulay2's package NumericalImplicitization: ``numericalImageDim`` of the cells. No proof."""

from __future__ import annotations

from collections.abc import Sequence

from opponents import systems
from opponents.macaulay2_jacobian import CELLS, missing

__all__ = ["NAME", "dimension", "missing"]

NAME = "Macaulay2 numericalImageDim"
RANK = """\
r = numericalImageDim(F, ideal 0_R);
print("answer " | toString(r - 1) | " " | toString(cpuTime() - began));
exit 0
"""


def dimension(classes: int, items: Sequence[int], seed: int) -> tuple[int, float, float, float]:
    """The dimension and the seconds, all in one."""
    script = CELLS.format(seed=seed, classes=classes, items=systems.braces(items), field="CC") + RANK
    value, seconds = systems.answer(["M2", "--script"], 'needsPackage "NumericalImplicitization";\n' + script, ".m2")
    return value, 0.0, 0.0, seconds
