"""Singular: the Jacobian of the cells as polynomials over a small prime field, and its rank at a random point.

Rows of tables need not sum to one, so that the cells are short polynomials, and the dimension is one more.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from opponents import systems

NAME = "Singular"
SCRIPT = """\
system("--random", {seed});
system("--ticks-per-sec", 1000000);
int k = {classes};
intvec items = {items};
int cells = {cells};
ring R = 32003, (x(1..{parameters})), dp;
int began = timer; int on_the_wall = rtimer;
int h, i, c, rest;
intvec start = k;
for (i = 1; i < size(items); i++) {{ start[i + 1] = start[i] + k * items[i]; }}
poly value, term;
ideal F;
F[cells] = 0;
for (c = 0; c < cells; c++) {{
  value = 0;
  for (h = 1; h <= k; h++) {{
    term = x(h);
    rest = c;
    for (i = size(items); i >= 1; i--) {{
      term = term * x(start[i] + (h - 1) * items[i] + rest % items[i] + 1);
      rest = rest div items[i];
    }}
    value = value + term;
  }}
  F[c + 1] = value;
}}
ideal point;
for (i = 1; i <= nvars(R); i++) {{ point[i] = random(1, 32002); }}
map at_point = R, point;
matrix J = jacob(F);
int r = rank(at_point(J));
int used = timer - began;
if (used == 0) {{ used = rtimer - on_the_wall; }}
print("answer " + string(r - 1) + " " + string(used) + "e-6");
exit;
"""


def missing() -> str:
    """Why it cannot be asked; empty if it can."""
    return systems.missing("Singular")


def dimension(classes: int, items: Sequence[int], seed: int) -> tuple[int, float, float, float]:
    """The dimension and the seconds, all in one."""
    script = SCRIPT.format(
        seed=seed + 1,
        classes=classes,
        items=", ".join(map(str, items)),
        cells=prod(items),
        parameters=classes + classes * sum(items),
    )
    value, seconds = systems.answer(["Singular", "-q", "--no-rc"], script, ".sing")
    return value, 0.0, 0.0, seconds
