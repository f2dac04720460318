"""Ranks of dense matrices modulo a 23-bit prime: algdim by the method that it chooses, FLINT with the way from an array, FFLAS-FFPACK.

The matrices are n × n of rank .9 n: so many random columns, and random combinations of them behind, as a product of random matrices
has but for a change of basis. Speeds count (2/3)·n³ operations for a rank and 2·n³ for a
product, so that a rank at the speed of the product would have ratio one.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from functools import cache
from typing import Any

import measuring
from asking import Program
from measuring import clock
from opponents import compiled, ffpack
from opponents.compiled import PRIME

SIZES = (20, 50, 100, 200, 300, 500, 1000, 2000, 4000, 8000)
QUICK = (50, 100, 200, 500, 1000)
MOST_FLINT = 2000
TWO_THREADS_FROM = 2000
SECONDS = 180.0
GOALS = {4000: 0.65, 8000: 0.70}
"""The least speed in that of a matrix product."""
NOT_SLOWER_FROM = 500
BESIDE_FFPACK = {200, 300, 500, 1000}
LEAST_BY_FFPACK = 1 / 1.3
HEADER = ["n", "program", "rank", "conversion", "seconds", "Gop/s", "by product", "relative time"]
ABOUT = """\
Dense n × n matrices of rank .9 n modulo 8388593, in float64; medians of nine repetitions up to n = 500, of three up to 4000, one beyond. Gop/s are (2/3)·n³ operations in the time of the rank, conversion included; *by product*
is that speed in numpy's for the matrix product of the same size, *relative time* a program's time divided by that of algdim. It has loaded FLINT, as after some
ranks, and leaves matrices with fewer than 125 rows to it."""

Answer = dict[str, Any]


@cache
def matrix(size: int) -> Any:
    """A random matrix of rank .9 n, the same for all programs that take one."""
    import numpy as np

    source, rank = np.random.default_rng(size), size * 9 // 10
    columns = source.integers(0, PRIME, (size, rank)).astype(np.float64)
    combined = columns @ source.integers(0, 1 << 15, (rank, size - rank)).astype(np.float64)  # sums below 2^53
    return np.concatenate([columns, np.remainder(combined, PRIME)], axis=1)


def kernel(size: int) -> Answer:
    """Algdim by the method that it chooses: FLINT for tiny matrices, its kernel for others."""
    import flint  # noqa: F401 (loaded, as in a process that has taken some ranks)

    from algdim.exact.ranks import rank_mod

    values = matrix(size)
    began = clock()
    value = rank_mod(values, PRIME).value
    return {"value": value, "seconds": [0.0, clock() - began]}


def product(size: int) -> Answer:
    """One product in floating point, nothing else."""
    values = matrix(size)
    began = clock()
    values @ values
    return {"value": 0, "seconds": [0.0, clock() - began]}


def by_flint(size: int) -> Answer:
    """FLINT, the matrix handed over as a list of Python integers."""
    import flint
    import numpy as np

    values = matrix(size)
    began = clock()
    converted = flint.nmod_mat(size, size, values.astype(np.int64).ravel().tolist(), PRIME)
    ready = clock()
    return {"value": converted.rank(), "seconds": [ready - began, clock() - ready]}


def by_ffpack(size: int) -> Answer:
    """FFLAS-FFPACK, a matrix that it makes itself."""
    value, _, seconds = compiled.run([ffpack.compile_program(), str(size), str(PRIME)])
    return {"value": value, "seconds": [0.0, seconds]}


TWO = "algdim, 2 threads"
PROGRAMS: Mapping[str, Callable[[int], Answer]] = {
    "numpy product": product,
    "algdim": kernel,
    TWO: kernel,
    "python-flint": by_flint,
    "FFLAS-FFPACK": by_ffpack,
}


def wanted(name: str, size: int) -> bool:
    """Whether a program is asked for a size."""
    if name == TWO:
        return size >= TWO_THREADS_FROM and (os.cpu_count() or 1) > 1
    return name != "python-flint" or size <= MOST_FLINT


def measured(size: int, names: list[str], failed: dict[str, str]) -> dict[str, tuple[int, float, measuring.Times]]:
    """For each program the rank, the median of the conversion and the total times."""
    repetitions = 1 if size > 4000 else 3 if size > 500 else 9
    with ExitStack() as stack:
        programs = {name: stack.enter_context(Program(SECONDS)) for name in names if wanted(name, size)}
        programs.get(TWO, Program(0)).environment = {measuring.OURS: "2"}
        answers: dict[str, list[Answer]] = {name: [] for name in programs}
        for name, program in programs.items():
            program.ask(kind="rank", program=name, size=100)  # loads what it needs
        for _ in range(repetitions):
            for name, program in programs.items():
                answer = program.ask(kind="rank", program=name, size=size)
                if "failed" in answer:
                    failed[f"{name}, n = {size}"] = answer["failed"]
                else:
                    answers[name].append(answer)
    return {
        name: (
            found[0]["value"],
            measuring.Times(tuple(answer["seconds"][0] for answer in found)).median,
            measuring.Times(tuple(sum(answer["seconds"]) for answer in found)),
        )
        for name, found in answers.items()
        if found
    }


def sections(quick: bool) -> list[measuring.Section]:
    """Run everything."""
    from algdim.plots.svg import Axis, Series, plot

    why = ffpack.missing()
    names = [name for name in PROGRAMS if name != "FFLAS-FFPACK" or not why]
    failed: dict[str, str] = {}
    rows, verdicts, wrong = [], [], False
    speeds: dict[str, list[tuple[float, float]]] = {name: [] for name in names}
    for size in QUICK if quick else SIZES:
        found = measured(size, names, failed)
        best = found["numpy product"][2].median / 3  # what a rank would take at this speed
        ours = found["algdim"][2].median
        for name, (value, conversion, times) in found.items():
            seconds = times.median / (3 if name == "numpy product" else 1)
            speeds[name].append((size, 2 / 3 * size**3 / seconds / 1e9))
            wrong = wrong or (name != "numpy product" and value != size * 9 // 10)
            rows.append(
                [
                    *(str(size), name, str(value or ""), measuring.short(conversion) if conversion else ""),
                    *(f"{measuring.short(times.median)} ({times.spread})", f"{speeds[name][-1][1]:.1f}"),
                    *(f"{best / seconds:.2f}", "" if name == "algdim" else f"{seconds / ours:.2f}"),
                ]
            )
        if size in GOALS:
            verdicts.append(measuring.at_least(f"n = {size}, speed by numpy's product", best / ours, GOALS[size]))
        if size in BESIDE_FFPACK and "FFLAS-FFPACK" in found:
            what = f"n = {size}, time of FFLAS-FFPACK relative to algdim"
            verdicts.append(measuring.at_least(what, found["FFLAS-FFPACK"][2].median / ours, LEAST_BY_FFPACK))
        if size >= NOT_SLOWER_FROM and "python-flint" in found:
            what = f"n = {size}, time of python-flint relative to algdim"
            verdicts.append(measuring.at_least(what, found["python-flint"][2].median / ours, 1.0))
    blas = "" if why else compiled.find_blas(ffpack.compile_program())
    remarks = [f"FFLAS-FFPACK is skipped: {why}" if why else f"FFLAS-FFPACK, with the BLAS {blas}"]
    remarks += [f"{what}: {reason}" for what, reason in failed.items()]
    series = [Series(name, tuple(points)) for name, points in speeds.items()]
    axes = Axis("n", logarithmic=True), Axis("Gop/s", logarithmic=True)
    drawn = {"ranks.svg": plot("Ranks modulo a 23-bit prime: speed", *axes, series)}
    title = "Ranks of dense matrices"
    return [
        measuring.Section(title, ABOUT, HEADER, rows, remarks, verdicts, drawn, wrong, names=2, ratio="relative time")
    ]
