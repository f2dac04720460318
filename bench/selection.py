"""Choosing a number of classes on many cases against StepMix; missing entries; a file of a million rows."""

from __future__ import annotations

import sys
import tempfile
import warnings
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

import measuring

ITEMS, CASES, STARTS = 12, 20_000, 10
CLASSES, QUICK_CLASSES = range(1, 9), range(1, 4)
THEIR_STARTS = 1
"""Ten of StepMix's would take most of the time of all benchmarks; the time of one counts tenfold."""
THEIR_STEPS = 1000
GOAL = 20.0
MISSING = 0.05
REPEATS = 5
MOST_BY_COMPLETE = 1.5
ROWS = 1_000_000
MOST_MEGABYTES = 500


def sections(quick: bool) -> Iterator[measuring.Section]:
    """The three tables."""
    cases = draw_cases(CASES)
    yield choosing(cases, QUICK_CLASSES if quick else CLASSES)
    yield missing(cases)
    if find_spec("pyarrow"):
        yield large_file(ROWS // 10 if quick else ROWS)


def draw_cases(count: int) -> Any:
    """Cases of four classes with random tables."""
    import numpy as np

    source = np.random.default_rng(1)
    tables = source.dirichlet(np.ones(2), size=(4, ITEMS))[:, :, 0]
    hidden = source.choice(4, size=count, p=source.dirichlet(np.full(4, 3.0)))
    return (source.random((count, ITEMS)) > tables[hidden]).astype(np.int64)


def columns(cases: Any) -> dict[str, Any]:
    """The cases by item."""
    return {f"X{number + 1}": cases[:, number].tolist() for number in range(ITEMS)}


def choosing(cases: Any, classes: range) -> measuring.Section:
    """All numbers of classes, each with its likelihood."""
    import algdim

    data = columns(cases)
    began = process_time()
    found = algdim.select(data, classes=f"{classes[0]}..{classes[-1]}", starts=STARTS, by="bic+", score="bic,bic+")
    whole = process_time() - began
    rows, theirs = [], 0.0
    has_stepmix = find_spec("stepmix") is not None
    for number, one in zip(classes, found.candidates, strict=True):
        row = [str(number), f"{one.fit.loglik:.3f}", str(one.fit.iterations)]
        if has_stepmix:
            seconds, loglik = by_stepmix(cases, number)
            theirs += seconds * STARTS / THEIR_STARTS
            row += [f"{loglik:.3f}", measuring.short(seconds)]
        rows.append(row)
    header = ["classes", "log-likelihood", "steps", "StepMix, one start", "seconds, one start"][
        : 5 if has_stepmix else 3
    ]
    remarks = [
        f"algdim select, ten starts, scores and identifiability: {whole:.2f} s; it chooses {found.best.fit.model.hidden[0].states if found.best.fit.model.hidden else 1} classes"
    ]
    verdicts = []
    if has_stepmix:
        verdicts.append(
            measuring.at_least("select, time of StepMix's ten starts relative to algdim", theirs / whole, GOAL)
        )
    else:
        remarks.append("StepMix is not installed: skipped (pip install 'algdim[bench]')")
    about = (
        f"{CASES:,} cases of {ITEMS} binary items, drawn from four classes; `select --classes {classes[0]}..{classes[-1]} --starts {STARTS}` in seconds of processor time.\n"
        f"StepMix gets one start for each number of classes and at most {THEIR_STEPS} steps; its time counts tenfold."
    )
    return measuring.Section("Selection", about, header, rows, remarks, verdicts)


def by_stepmix(cases: Any, classes: int) -> tuple[float, float]:
    """Seconds and log-likelihood of one start."""
    from stepmix import StepMix

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        began = process_time()
        model = StepMix(
            classes,
            measurement="categorical",
            n_init=THEIR_STARTS,
            abs_tol=1e-10,
            rel_tol=0.0,
            max_iter=THEIR_STEPS,
            random_state=0,
            progress_bar=0,
            verbose=0,
        ).fit(cases)
        return process_time() - began, float(model.score(cases)) * len(cases)


def missing(cases: Any) -> measuring.Section:
    """The same cases, complete and with missing entries."""
    import numpy as np

    import algdim

    some = np.random.default_rng(2).random(cases.shape) < MISSING
    holes = {
        name: [None if gone else state for state, gone in zip(column, where.tolist(), strict=True)]
        for (name, column), where in zip(columns(cases).items(), some.T, strict=True)
    }
    asked = {"complete": columns(cases), f"{MISSING:.0%} missing": holes}
    taken: dict[str, list[float]] = {name: [] for name in asked}
    found = {}
    for _ in range(REPEATS):
        for name, data in asked.items():
            began = process_time()
            found[name] = algdim.fit(data, f"4:{','.join(['2'] * ITEMS)}", starts=STARTS, missing=True, identify=False)
            taken[name].append(process_time() - began)
    rows = []
    for name, one in found.items():
        times = measuring.Times(tuple(taken[name]))
        shown = f"{measuring.short(times.median)} ({times.spread})"
        rows.append([name, str(len(one.sample.counts)), str(one.iterations), shown])
    about = f"Four classes fitted to the same cases from ten starts, once with entries taken out, {REPEATS} times in turn; patterns are the different rows."
    complete, holed = (median(seconds) for seconds in taken.values())
    verdicts = [measuring.at_most("time with missing entries by that without", holed / complete, MOST_BY_COMPLETE)]
    return measuring.Section("Missing entries", about, ["data", "patterns", "steps", "seconds"], rows, (), verdicts)


def large_file(count: int) -> measuring.Section:
    """A command that reads a Parquet file: time and peak memory of its process."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "cases.parquet"
        for rows_now in (count // 10, count):
            pq.write_table(pa.table(columns(draw_cases(rows_now))), path)
            model = f"4:{','.join(['2'] * ITEMS)}"
            ran = measuring.run([sys.executable, "-m", "algdim", "fit", str(path), model, "--starts", "10"])
            rows.append([f"{rows_now:,}", str(ran.code), measuring.short(ran.seconds), str(ran.megabytes)])
    about = (
        "`algdim fit cases.parquet 4:2,2,… --starts 10`, twelve items: processor time and peak memory of the process."
    )
    verdicts = [measuring.at_most(f"{count:,} rows", float(rows[-1][3]), MOST_MEGABYTES, " MB")]
    return measuring.Section(
        "A large file", about, ["rows", "exit code", "seconds", "MB"], rows, (), verdicts, wrong=rows[-1][1] != "0"
    )
