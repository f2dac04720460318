"""The real lavaan: what its functions make of a text, where R and the package are installed."""

from __future__ import annotations

import os
import shutil
import subprocess
from fractions import Fraction
from functools import cache

import pytest

R_PROGRAM = r"""
suppressMessages(library(lavaan))
ask <- function(i, m, f, std, ms, orth) tryCatch({
  auto <- f != "lavaan"
  p <- suppressWarnings(lavaanify(m, meanstructure = ms || f == "growth", int.ov.free = f %in% c("sem", "cfa"),
    int.lv.free = f == "growth", std.lv = std, orthogonal = orth, fixed.x = TRUE, auto.fix.first = auto && !std,
    auto.fix.single = auto, auto.var = auto, auto.cov.lv.x = auto, auto.cov.y = auto))
  for (k in seq_along(p$lhs)) cat(i, p$lhs[k], p$op[k], p$rhs[k], p$free[k], p$ustart[k], p$exo[k], p$label[k], "\n", sep = "\t")
}, error = function(e) cat(i, "error\n", sep = "\t"))
"""

FOR_R = {**os.environ, "LC_ALL": "C.UTF-8"}
"""In a Turkish locale lavaan does not find the maximum: R has another capital i there."""


@cache
def has(package):
    """Whether R is here, and has a package."""
    ask = ["Rscript", "-e", f"library({package})"]
    return shutil.which("Rscript") is not None and not subprocess.run(ask, capture_output=True, check=False).returncode


def needs_lavaan():
    """Skip the test where lavaan cannot be asked."""
    if not has("lavaan"):
        pytest.skip("the R package lavaan is not installed (Debian: apt-get install r-cran-lavaan)")


def lavaan_tables(cases):
    """The tables of parameters of texts, each with options as they stand beside the format; one row where it fails."""
    program = [R_PROGRAM]
    for number, (text, options) in enumerate(cases):
        words = options.split(",")
        flags = ", ".join(str(word in words).upper() for word in ("std.lv", "meanstructure", "orthogonal"))
        program.append(f'ask({number}, "{text}", "{words[0]}", {flags})')
    ended = subprocess.run(
        ["Rscript", "-"],
        input="\n".join(program),
        capture_output=True,
        text=True,
        check=True,
        encoding="utf-8",
        env=FOR_R,
    )
    rows = {number: [] for number in range(len(cases))}
    for line in ended.stdout.splitlines():
        number, *row = line.split("\t")
        rows[int(number)].append(row)
    return list(rows.values())


def groups(names):
    """The sets of several keys with the same value."""
    sets = [frozenset(key for key in names if names[key] == name) for name in set(names.values())]
    return {members for members in sets if len(members) > 1}


def numbers_of_lavaan(rows):
    """The same of the rows of a table of lavaan."""
    values, names = {}, {}
    for left, operator, right, free, start, exogenous, label, *_ in rows:
        match operator:
            case "=~":
                key = ("b", left, right)
            case "~":
                key = ("b", right, left)
            case "~1":
                key = ("m", left)
            case "~~":
                key = ("v", left) if left == right else ("c", *sorted((left, right)))
            case _:
                continue
        value = (
            None if free != "0" or exogenous == "1" else Fraction(start).limit_denominator(1000)
        )  # R prints seven digits
        if key[0] in "bc" and value == 0:
            continue
        values[key] = value
        if label and value is None:
            names[key] = label
    return values, groups(names)


R_FIT = r"""
suppressMessages(library(lavaan))
HolzingerSwineford1939 <- HolzingerSwineford1939; d <- list(HS = HolzingerSwineford1939, PD = PoliticalDemocracy, DG = Demo.growth)
ask <- function(i, f, data, m, ...) tryCatch({
  data <- if (data %in% names(d)) d[[data]] else eval(parse(text = data))
  fit <- suppressWarnings(do.call(f, list(m, data = data, ...)))
  cat(i, fitMeasures(fit, "df"), format(fitMeasures(fit, "chisq"), digits = 10), format(logLik(fit)[1], digits = 12), "\n", sep = "\t")
}, error = function(e) cat(i, "error", conditionMessage(e), "\n", sep = "\t"))
"""


def lavaan_fits(cases):
    """Degrees of freedom, χ² and log-likelihood of calls: a function, data of lavaan, a text, and further arguments in R."""
    calls = [
        f"ask({number}, '{function}', '{data}', '{text}'{', ' if more else ''}{more})"
        for number, (function, data, text, more) in enumerate(cases)
    ]
    program = "\n".join([R_FIT, *calls])
    ended = subprocess.run(
        ["Rscript", "-"], input=program, capture_output=True, text=True, check=True, encoding="utf-8", env=FOR_R
    )
    return [list(map(float, line.split("\t")[1:4])) for line in ended.stdout.splitlines()]
