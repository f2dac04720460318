"""Fits of latent class models against StepMix: time to the same log-likelihood.

Both get the same data, the same number of random starts and the same tolerance on the mean log-likelihood; each draws its
own starts. StepMix climbs by EM; algdim by its default method, and by plain EM for comparison.
"""

from __future__ import annotations

import subprocess
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import measuring
from measuring import clock

if TYPE_CHECKING:
    from algdim.fitting.simulating import Simulation

GOALS = (("3:2^4", 1000, 20), ("4:2^8", 400, 8))
QUICK = GOALS[1:]
STARTS = 20
TOLERANCE = 1e-9  # of the mean log-likelihood
STEPS = 5000
REPEATS = 3
NEAR = 1e-8
"""Of the log-likelihood."""
SAME = 0.01
"""Log-likelihoods that differ by less are the same."""

Fit = Callable[[str, "Simulation"], tuple[float, float]]
"""Seconds and log-likelihood."""


def sections(quick: bool) -> Iterator[measuring.Section]:
    """One table, with the ratios that are aimed at."""
    programs: dict[str, Fit] = {"algdim": partial(by_algdim, "auto"), "algdim, EM": partial(by_algdim, "em")}
    missing = [] if find_spec("stepmix") else ["StepMix is not installed: skipped (pip install 'algdim[bench]')"]
    if not missing:
        programs["StepMix"] = by_stepmix
    rows, verdicts = [], []
    for text, n, goal in QUICK if quick else GOALS:
        data = data_of(text, n, seed=1)
        programs["algdim"](text, data)  # imports and caches are not measured
        found = {name: best_of(1 if name == "StepMix" else REPEATS, fit, text, data) for name, fit in programs.items()}
        ours, best = found["algdim"][0], max(loglik for _, loglik in found.values())
        for name, (seconds, loglik) in found.items():
            less = "" if best - loglik < SAME else f"{best - loglik:.2f}"
            rows.append((text, str(n), name, f"{loglik:.4f}", less, measuring.short(seconds), f"{seconds / ours:.1f}"))
        if not missing:
            verdicts.append(
                measuring.at_least(f"{text}, time of StepMix relative to algdim", found["StepMix"][0] / ours, goal)
            )
    about = (
        f"Latent class models fitted to simulated data: {STARTS} random starts, tolerance {TOLERANCE:g} on the mean log-likelihood, for all programs;\n"
        "*short* is by how much a program's best start stays below the best of all. A program that falls short has not yet arrived, whatever its time."
    )
    header = ("model", "N", "program", "log-likelihood", "short", "seconds", "relative time")
    yield measuring.Section("Fits", about, header, rows, missing, verdicts, names=3, ratio="relative time")
    yield arrival(quick, programs, missing)


def arrival(quick: bool, programs: dict[str, Fit], missing: list[str]) -> measuring.Section:
    """Twenty data sets: the time to the end, and whether this is the best that is known."""
    shapes = (("4:2^8", 400), ("3:3^5", 500), ("5:2^8", 1000), ("3:2^6", 2000))
    why = find_missing_e1071()
    more = {} if why else {E1071: by_e1071}
    taken: dict[str, dict[int, float]] = {name: {} for name in (*programs, *more)}
    there: dict[str, int] = dict.fromkeys(taken, 0)
    for number in range(3 if quick else 20):
        text, n = shapes[number % len(shapes)]
        data = data_of(text, n, seed=100 + number)
        asked = {**programs, **(more if set(text.partition(":")[2][:1]) == {"2"} else {})}  # e1071 takes binary items
        found = {name: fit(text, data) for name, fit in asked.items()}
        best = max(loglik for _, loglik in found.values())
        for name, (seconds, loglik) in found.items():
            taken[name][number] = seconds
            there[name] += best - loglik <= NEAR * abs(best)
    rows, verdicts, ratios = [], [], {}
    for name, seconds in taken.items():
        ours = sum(taken["algdim"][number] for number in seconds)
        ratios[name] = sum(seconds.values()) / ours
        short = (measuring.short(value) for value in (median(seconds.values()), sum(seconds.values())))
        rows.append((name, f"{there[name]} of {len(seconds)}", *short, f"{ratios[name]:.1f}"))
    if not missing:
        verdicts.append(
            measuring.at_least("20 data sets, time of StepMix relative to algdim", ratios["StepMix"], LEAST_BY_STEPMIX)
        )
        ours, theirs = there["algdim"], there["StepMix"]
        verdicts.append(measuring.at_least("data sets on which algdim arrives, by StepMix's", ours / max(1, theirs), 1))
    about = (
        f"Data sets drawn from random models, {STARTS} random starts each. *arrived*: on how many a program's best start is within {NEAR:g} of the log-likelihood of the best\n"
        f"that any program found; *relative time* is on the data sets that a program was given. e1071 takes binary items alone, and as many steps as it is told: {R_STEPS}.\n"
        "poLCA, glca and VarSelLCM are R packages outside of Debian; they are not asked."
    )
    header = ("program", "arrived", "seconds, median", "seconds, sum", "relative time")
    remarks = [*missing, *([f"{E1071} is skipped: {why}"] if why else [])]
    return measuring.Section("Fits of 20 data sets", about, header, rows, remarks, verdicts, ratio="relative time")


E1071, R_STEPS = "e1071 (R)", 1000
LEAST_BY_STEPMIX = 8
SCRIPT = f"""
library(e1071); x <- as.matrix(read.csv(commandArgs(TRUE)[1])); k <- as.integer(commandArgs(TRUE)[2]); set.seed(0)
begun <- proc.time(); best <- max(replicate({STARTS}, lca(x, k, niter={R_STEPS})$logl), na.rm=TRUE)
cat(sum((proc.time() - begun)[c("user.self", "sys.self")]), format(best, digits=15))
"""


def find_missing_e1071() -> str:
    """Why e1071 cannot be asked; empty if it can."""
    if not which("Rscript"):
        return "Rscript is not on the path"
    found = subprocess.run(["Rscript", "-e", "library(e1071)"], capture_output=True, check=False)  # noqa: S607 (found on the path)
    return "the R package e1071 is not installed" if found.returncode else ""


def by_e1071(text: str, data: Simulation) -> tuple[float, float]:
    """`lca` of R's e1071, by EM, as many starts and a fixed number of steps; R's start and the reading of the file are not counted."""
    with TemporaryDirectory() as folder:
        cases, script = Path(folder, "cases.csv"), Path(folder, "lca.R")
        rows = zip(*data.columns.values(), strict=True)
        lines = [",".join(data.columns), *(",".join(map(str, row)) for row in rows)]
        cases.write_text("\n".join(lines) + "\n", encoding="utf-8")
        script.write_text(SCRIPT, encoding="utf-8")
        command = ["Rscript", str(script), str(cases), text.partition(":")[0]]
        found = subprocess.run(command, capture_output=True, text=True, check=True, encoding="utf-8").stdout
    seconds, loglik = map(float, found.split())
    return seconds, loglik


def best_of(repeats: int, fit: Fit, text: str, data: Simulation) -> tuple[float, float]:
    """The quickest of several equal runs."""
    return min((fit(text, data) for _ in range(repeats)), key=lambda found: found[0])


def data_of(text: str, n: int, seed: int) -> Simulation:
    """Cases from the model at parameters drawn uniformly (CH96 §3)."""
    import numpy as np

    import algdim

    source = np.random.default_rng(seed)
    model = algdim.model(text)
    classes = model.hidden[0].states
    tables: dict[str, Any] = {"H": [source.dirichlet(np.ones(classes)).tolist()]}
    tables |= {v.name: source.dirichlet(np.ones(v.states), size=classes).tolist() for v in model.observed}
    return algdim.simulate(model, tables, n, seed=seed)


def by_algdim(method: str, text: str, data: Simulation) -> tuple[float, float]:
    """Algdim by one of its methods."""
    import algdim

    begun = clock()
    found = algdim.fit(data, text, starts=STARTS, method=method, absolute=TOLERANCE * len(data), iterations=STEPS)
    return clock() - begun, found.loglik


def by_stepmix(text: str, data: Simulation) -> tuple[float, float]:
    """StepMix with the same starts and tolerance."""
    import numpy as np
    from stepmix import StepMix

    import algdim

    cases = np.array(list(data.columns.values())).T
    classes = algdim.model(text).hidden[0].states
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        begun = clock()
        model = StepMix(
            classes,
            measurement="categorical",
            n_init=STARTS,
            abs_tol=TOLERANCE,
            rel_tol=0.0,
            max_iter=STEPS,
            random_state=0,
            progress_bar=0,
            verbose=0,
        ).fit(cases)
        seconds = clock() - begun
        return seconds, float(model.score(cases)) * len(cases)
