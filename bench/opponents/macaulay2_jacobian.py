"""Macaulay2: the Jacobian of the cells as polynomials over a small prime field, and its rank at a random point."""

from __future__ import annotations

from collections.abc import Sequence

from opponents import systems

NAME = "Macaulay2 Jacobian"
CELLS = """\
setRandomSeed {seed};
k = {classes}; items = {items};
n = k - 1 + k * sum(items, s -> s - 1);
R = {field}[x_0..x_(n-1)];
began = cpuTime();
at = k - 1;
weights = append(apply(k - 1, h -> x_h), 1 - sum(k - 1, h -> x_h));
tables = apply(items, s -> apply(k, h -> (
    row := apply(s - 1, i -> x_(at + i));
    at = at + s - 1;
    append(row, 1 - sum row))));
cells = {{{{}}}};
scan(items, s -> cells = flatten apply(cells, c -> apply(s, i -> append(c, i))));
F = matrix {{apply(cells, c -> sum(k, h -> weights#h * product(#items, i -> tables#i#h#(c#i))))}};
"""
RANK = """\
r = rank sub(jacobian F, matrix {apply(n, i -> random(ZZ/32003))});
print("answer " | toString r | " " | toString(cpuTime() - began));
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
