"""Macaulay2: the Jacobian of the cells as polynomials over a small prime field, and its rank at a random point.

Rows of tables need not sum to one, so that the cells are short polynomials, and the dimension is one more.
"""

from __future__ import annotations

from collections.abc import Sequence

from opponents import systems

NAME = "Macaulay2 Jacobian"
CELLS = """\
setRandomSeed {seed};
k = {classes}; items = {items};
n = k + k * sum items;
R = {field}[x_0..x_(n-1)];
began = cpuTime();
starts = apply(#items, i -> k + k * sum take(items, i));
cells = {{{{}}}};
scan(items, s -> cells = flatten apply(cells, c -> apply(s, i -> append(c, i))));
entry = (h, i, s) -> x_(starts#i + h * items#i + s);
F = matrix {{apply(cells, c -> sum(k, h -> x_h * product(#items, i -> entry(h, i, c#i))))}};
"""
RANK = """\
r = rank sub(jacobian F, matrix {apply(n, i -> random(ZZ/32003))});
print("answer " | toString(r - 1) | " " | toString(cpuTime() - began));
exit 0
"""


def missing() -> str:
    """Why it cannot be asked; empty if it can."""
    return systems.missing("M2")


def dimension(classes: int, items: Sequence[int], seed: int) -> tuple[int, float, float, float]:
    """The dimension and the seconds, all in one."""
    script = CELLS.format(seed=seed, classes=classes, items=systems.braces(items), field="ZZ/32003") + RANK
    value, seconds = systems.answer(["M2", "--script"], script, ".m2")
    return value, 0.0, 0.0, seconds
