"""algdim beside what people use instead, on latent class models.

Every model is given to all programs in turn, one repetition of each after the other, so that a change in the machine's
load meets all of them. An opponent's rank is neither an upper bound nor, for singular values, a lower one; algdim's
time is that of the whole report with its bounds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from importlib import import_module
from math import prod
from statistics import median
from typing import Any

import measuring
from asking import Program

from algdim.plots.svg import Axis, Series, plot

MODELS = {
    "4:3^3": (4, (3,) * 3),
    "3:2^10": (3, (2,) * 10),
    "8:2^12": (8, (2,) * 12),
    "10:6^4": (10, (6,) * 4),
    "20:2^14": (20, (2,) * 14),
}
QUICK = ("4:3^3", "3:2^10", "8:2^12")
OPPONENTS = (
    "numpy_svd",
    "flint_table",
    "ffpack",
    "ntl",
    "pari",
    "macaulay2_jacobian",
    "singular",
    "macaulay2_numerical",
    "sympy_rank",
)
OURS = "algdim"
TARGETS = {("20:2^14", "python-flint"): 50.0, ("20:2^14", "numpy SVD"): 10.0, ("10:6^4", "numpy SVD"): 1.0}
"""The least ratio of an opponent's time to ours."""

SECONDS, QUICK_SECONDS = 12.0, 8.0
"""How long one answer may take."""
BUDGET, QUICK_BUDGET = 1.5, 0.3
"""Seconds for the repetitions of one program."""
FEWEST, MOST = 3, 21
"""Repetitions, if one takes no longer than the budget."""
START_SECONDS = 90.0
ABOUT = f"""\
Seconds for one model in a warm process: medians of as many answers as fit into {BUDGET} s, from {FEWEST} to {MOST}, and one where it takes longer, with the smallest and largest total in brackets; no answer may take longer than {SECONDS:g} s on the wall. *ratio* is a program's time by
algdim's, *without conversion* the same without the time of conversion. algdim's time is that of the whole report, with both bounds; the opponents find
a rank, which proves no upper bound, and numpy's no lower one."""
HEADER = "model|parameters|cells|program|dimension|same|Jacobian|conversion|rank|total|ratio|without conversion".split(
    "|"
)


def parameters(classes: int, items: Sequence[int]) -> int:
    """The number of parameters of a latent class model."""
    return classes - 1 + classes * sum(states - 1 for states in items)


@dataclass(frozen=True, slots=True)
class Result:
    """What one program said of one model, and its seconds for Jacobian, conversion and rank, by repetition."""

    name: str
    value: int
    parts: tuple[tuple[float, float, float], ...]

    @property
    def total(self) -> measuring.Times:
        """The sums."""
        return measuring.Times(tuple(sum(parts) for parts in self.parts))

    def part(self, number: int) -> float:
        """The median of one part."""
        return median(parts[number] for parts in self.parts)


def question(name: str, text: str, seed: int) -> dict[str, Any]:
    """What a worker is asked."""
    classes, items = MODELS[text]
    if name == OURS:
        return {"kind": "report", "model": text, "seed": seed}
    return {"kind": "opponent", "program": name, "classes": classes, "items": items, "seed": seed}


def compared(text: str, programs: Mapping[str, Program], budget: float) -> tuple[list[Result], dict[str, str]]:
    """Ask all programs for one model, in turn; the results, and why others have none."""
    failed: dict[str, str] = {}
    counts: dict[str, int] = {}
    parts: dict[str, list[tuple[float, float, float]]] = {name: [] for name in programs}
    values: dict[str, set[int]] = {name: set() for name in programs}

    def ask(name: str, seed: int) -> float:
        answer = programs[name].ask(**question(name, text, seed))
        if "failed" in answer:
            failed[name] = answer["failed"]
            return 0.0
        parts[name].append(tuple(answer["seconds"]))
        values[name].add(answer["value"])
        return float(sum(answer["seconds"]))

    for name in programs:
        once = ask(name, 0)
        counts[name] = measuring.times(once, 1 if once > budget else FEWEST, MOST, budget) | 1
        if counts[name] > 1:  # the first answer of this size only warms up
            parts[name].clear()
    for turn in range(1, max(counts.values()) + 1):
        for name in programs:
            if name not in failed and turn <= counts[name] > 1:
                ask(name, turn)
    # a random point can only lower a rank
    found = [
        Result(name, max(values[name]), tuple(parts[name])) for name in programs if name not in failed and parts[name]
    ]
    return found, failed


def asked(names: Mapping[str, str], quick: bool) -> tuple[dict[str, list[Result]], list[str]]:
    """All models: the results, and remarks on what was left out."""
    found: dict[str, list[Result]] = {}
    remarks: list[str] = []
    still = list(names)
    for text in QUICK if quick else MODELS:
        with ExitStack() as stack:
            programs = {name: stack.enter_context(Program(START_SECONDS)) for name in still}
            for name, program in programs.items():
                program.ask(**question(name, "4:3^3", 0))  # loads what it needs
                program.limit = QUICK_SECONDS if quick else SECONDS
            results, failed = compared(text, programs, QUICK_BUDGET if quick else BUDGET)
        found[text] = results
        for name, reason in failed.items():
            if name == OURS:
                raise RuntimeError(f"algdim failed on {text}: {reason}")
            remarks.append(f"{names[name]} on {text}: {reason}; it is not asked for larger models")
            still.remove(name)
    return found, remarks


def lines(text: str, results: Sequence[Result], names: Mapping[str, str]) -> list[list[str]]:
    """The lines of one model."""
    classes, items = MODELS[text]
    ours = next(result for result in results if result.name == OURS)
    rows = []
    for result in results:
        mine, total = result is ours, result.total
        rows.append(
            [
                *(text, str(parameters(classes, items)), str(prod(items)), names[result.name], str(result.value)),
                "" if mine else "yes" if result.value == ours.value else "NO",
                *("" if mine else measuring.short(result.part(number)) for number in range(3)),
                f"{measuring.short(total.median)} ({total.spread})",
                "" if mine else f"{total.median / ours.total.median:.2f}",
                "" if mine else f"{(total.median - result.part(1)) / ours.total.median:.2f}",
            ]
        )
    return rows


def verdicts(found: Mapping[str, Sequence[Result]], names: Mapping[str, str]) -> list[str]:
    """One line for each target."""
    said = []
    for text, results in found.items():
        ours = next(result for result in results if result.name == OURS).total.median
        for result in results:
            target = TARGETS.get((text, names[result.name]))
            if target is not None:
                what = f"{text}, time of {names[result.name]} relative to algdim"
                said.append(measuring.at_least(what, result.total.median / ours, target))
    return said


def sections(quick: bool) -> list[measuring.Section]:
    """Run everything."""
    modules = {name: import_module(f"opponents.{name}") for name in OPPONENTS}
    names = {OURS: OURS, **{name: module.NAME for name, module in modules.items() if not module.missing()}}
    skipped = [f"{module.NAME} is skipped: {module.missing()}" for module in modules.values() if module.missing()]
    found, remarks = asked(names, quick)
    rows = [line for text, results in found.items() for line in lines(text, results, names)]
    plots = {f"time-against-{what}.svg": drawn(found, names, what) for what in ("parameters", "cells")}
    wrong = any(row[HEADER.index("same")] == "NO" for row in rows)
    remarks = [*skipped, *remarks]
    section = measuring.Section(
        "Latent class models",
        ABOUT,
        HEADER,
        rows,
        remarks,
        verdicts(found, names),
        plots,
        wrong,
        names=4,
        ratio="ratio",
    )
    return [section]


def drawn(found: Mapping[str, Sequence[Result]], names: Mapping[str, str], what: str) -> str:
    """The times against the number of parameters or cells."""
    of = {"parameters": lambda model: parameters(*model), "cells": lambda model: prod(model[1])}[what]
    series = []
    for program, name in names.items():
        points = [
            (float(of(MODELS[text])), result.total.median)
            for text, results in found.items()
            for result in results
            if result.name == program and result.total.median > 0
        ]
        series.append(Series(name, tuple(sorted(points))))
    axes = Axis(what, logarithmic=True), Axis("seconds", logarithmic=True)
    return plot(f"Latent class models: time against {what}", *axes, series)
