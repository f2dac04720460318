"""Singular: the Jacobian of the cells as polynomials over a small prime field, and its rank at a random point."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from opponents import systems

NAME = "Singular"
SCRIPT = """\
option(noredefine);
system("--random", {seed});
system("--ticks-per-sec", 1000000);
int k = {classes};
intvec items = {items};
int cells = {cells};
ring R = 32003, (x(1..{parameters})), dp;
int began = timer;
int at = k - 1;
int h, i, j, c, rest;
poly value, term, last;
ideal weights = x(1..k-1);
weights[k] = 1;
for (h = 1; h < k; h++) {{ weights[k] = weights[k] - x(h); }}
list tables;
ideal row;
for (i = 1; i <= size(items); i++) {{
  list byclass;
  for (h = 1; h <= k; h++) {{
    row = 0;
    last = 1;
    for (j = 1; j < items[i]; j++) {{ at++; row[j] = x(at); last = last - x(at); }}
    row[items[i]] = last;
    byclass[h] = row;
  }}
  tables[i] = byclass;
  kill byclass;
}}
ideal F;
F[cells] = 0;
for (c = 0; c < cells; c++) {{
  value = 0;
  for (h = 1; h <= k; h++) {{
    term = weights[h];
    rest = c;
    for (i = size(items); i >= 1; i--) {{
      term = term * tables[i][h][rest % items[i] + 1];
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
print("answer " + string(r) + " " + string(timer - began) + "e-6");
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
        parameters=classes - 1 + classes * sum(states - 1 for states in items),
    )
    value, seconds = systems.answer(["Singular", "-q", "--no-rc"], script, ".sing")
    return value, 0.0, 0.0, seconds
