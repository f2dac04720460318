"""What the measurements share: threads set before numpy is loaded, interleaved repetitions, a description of the machine.

Nothing here imports numpy at the top, so that a script can call `pin` first.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from statistics import median

THREAD_VARIABLES = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
PACKAGES = ("algdim", "numpy", "python-flint", "sympy", "gmpy2", "opt_einsum")


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds of several runs."""

    seconds: tuple[float, ...]

    @property
    def median(self) -> float:
        """The middle one."""
        return median(self.seconds)

    @property
    def spread(self) -> str:
        """The least and the greatest."""
        return f"{short(min(self.seconds))}-{short(max(self.seconds))}"


def parser(description: str | None) -> argparse.ArgumentParser:
    """The options of every script."""
    options = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--threads", type=int, default=1, help="threads of numpy's matrix product (default 1)")
    options.add_argument("--quick", action="store_true", help="the smaller models only, fewer repetitions")
    return options


def pin(threads: int) -> None:
    """Set the number of BLAS threads; numpy must not have been loaded yet."""
    if "numpy" in sys.modules:
        raise RuntimeError("numpy is loaded already; the number of threads must be set before")
    os.environ.update(dict.fromkeys(THREAD_VARIABLES, str(threads)))


def seconds(run: Callable[[], object]) -> float:
    """The time of one call."""
    began = time.perf_counter()
    run()
    return time.perf_counter() - began


def repeated(run: Callable[[], object], least: int = 3, most: int = 25, budget: float = 2.0) -> Times:
    """Several times of one call, after a call that warms up: as many as fit the budget, within least and most."""
    first = seconds(run)
    return Times(tuple(seconds(run) for _ in range(times(first, least, most, budget))))


def times(once: float, least: int, most: int, budget: float) -> int:
    """How many repetitions fit the budget."""
    return max(least, min(most, int(budget / max(once, 1e-9))))


def short(value: float) -> str:
    """Seconds with three digits."""
    return f"{value:.3g}" if value < 1000 else f"{value:.0f}"


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Columns of equal width, the first to the left."""
    widths = [max(len(row[column]) for row in (header, *rows)) for column in range(len(header))]
    lines = [
        "  ".join(cell.ljust(width) if number == 0 else cell.rjust(width) for number, (cell, width) in enumerate(cells))
        for cells in ([*zip(row, widths, strict=True)] for row in (header, *rows))
    ]
    return "\n".join(line.rstrip() for line in lines)


def environment() -> str:
    """Processor, BLAS, thread variables and versions, one line each."""
    lines = [f"processor     {processor()}, {os.cpu_count()} cores", f"BLAS          {blas()}"]
    lines += [f"{name}={os.environ[name]}" for name in THREAD_VARIABLES if name in os.environ]
    versions = ", ".join(f"{name} {installed(name)}" for name in PACKAGES)
    return "\n".join([*lines, f"Python {platform.python_version()} on {platform.system()}; {versions}"])


def processor() -> str:
    """The name of the processor."""
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:  # systems without this file
        return platform.processor() or platform.machine()
    return platform.processor() or platform.machine()


def blas() -> str:
    """The linear algebra library that numpy was built with."""
    import numpy as np

    found = np.show_config(mode="dicts").get("Build Dependencies", {}).get("blas", {})  # type: ignore[union-attr]
    return " ".join(str(found[key]) for key in ("name", "version", "openblas configuration") if key in found)


def installed(package: str) -> str:
    """The version of a package."""
    if package == "algdim":
        from algdim import __version__

        return __version__
    try:
        return version(package)
    except PackageNotFoundError:
        return "absent"
