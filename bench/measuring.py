"""What the measurements share: threads set before numpy is loaded, interleaved repetitions, a description of the machine.

Nothing here imports numpy at the top, so that `pin` can be called first.
"""

from __future__ import annotations

import os
import platform
import resource
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

OURS = "ALGDIM_THREADS"
THREAD_VARIABLES = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
PACKAGES = ("algdim", "numpy", "python-flint", "sympy", "gmpy2", "opt_einsum", "cypari", "stepmix")


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


def clock() -> float:
    """Seconds of this process on the processor, which do not depend on what else runs; with several threads those on the wall."""
    return process_time() if os.environ.get(OURS, "1") == "1" else perf_counter()


def pin(threads: int) -> None:
    """Set the number of threads of every program; numpy must not have been loaded yet."""
    if "numpy" in sys.modules:
        raise RuntimeError("numpy is loaded already; the number of threads must be set before")
    os.environ.update({**dict.fromkeys(THREAD_VARIABLES, str(threads)), OURS: str(threads)})


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


@dataclass(frozen=True, slots=True)
class Section:
    """One part of the page: a table, what it says of the targets, and plots by the names of their files."""

    title: str
    about: str
    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    remarks: Sequence[str] = ()
    verdicts: Sequence[str] = ()
    plots: Mapping[str, str] = field(default_factory=dict)
    wrong: bool = False
    """Whether a value is not what it must be."""
    names: int = 1
    """So many columns name a row."""
    ratio: str = ""
    """The column of a ratio within one run, greater being better for algdim; it is compared with the last published one."""

    def __str__(self) -> str:
        return "\n".join([f"\n{self.title}", table(self.header, self.rows), *self.remarks, *self.verdicts])


def markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """A table of Markdown, all columns but the first to the right."""
    return [f"| {' | '.join(line)} |" for line in (header, ["---", *["---:"] * (len(header) - 1)], *rows)]


@dataclass(frozen=True, slots=True)
class Ran:
    """A command that has ended: seconds of processor and peak memory, by the kernel's count, and its exit code."""

    seconds: float
    megabytes: int
    code: int


def run(command: Sequence[str], most: int = 120) -> Ran:
    """Run a command to its end, or until it has taken so many seconds of processor time."""
    starter = [sys.executable, "-S", "-E", str(Path(__file__).with_name("starter.py")), str(most)]
    printed = subprocess.run([*starter, *command], capture_output=True, text=True, check=True, encoding="utf-8").stdout
    seconds, megabytes, code = printed.split()
    return Ran(float(seconds), int(megabytes), int(code))


def sum_own_seconds() -> float:
    """Seconds of the processor of this process and of its children that have ended."""
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


class Busy:
    """How many processors other programs took since it was made, by the kernel's counts; not known on every system."""

    COUNTS = Path("/proc/stat")

    def __init__(self) -> None:
        self.before = self.read(), perf_counter()

    def read(self) -> float | None:
        """Seconds of all processors that were neither idle nor waiting, but those of this process and of its children that have ended."""
        try:
            first = self.COUNTS.read_text(encoding="utf-8").splitlines()[0]
        except OSError:
            return None
        user, nice, system, _, _, irq, soft, *_ = map(int, first.split()[1:])
        return (user + nice + system + irq + soft) / os.sysconf("SC_CLK_TCK") - sum_own_seconds()

    def measure_others(self) -> dict[str, float]:
        """The processors that others took on average, and how many there are."""
        (then, began), now = self.before, self.read()
        if then is None or now is None:
            return {}
        return {"others": round(max(0.0, now - then) / (perf_counter() - began), 2), "processors": os.cpu_count() or 1}


def at_least(what: str, ratio: float, target: float) -> str:
    """A verdict on a ratio."""
    return f"{what}: {ratio:.3g}, target at least {target:g}: {'reached' if ratio >= target else 'MISSED'}"


def at_most(what: str, value: float, target: float, unit: str = "") -> str:
    """A verdict on a budget."""
    return (
        f"{what}: {short(value)}{unit}, target at most {target:g}{unit}: {'reached' if value <= target else 'MISSED'}"
    )


def environment() -> str:
    """Processor, BLAS, thread variables and versions, one line each."""
    lines = [f"processor     {processor()}, {os.cpu_count()} cores", f"BLAS          {blas()}"]
    lines += [f"{name}={os.environ[name]}" for name in (OURS, *THREAD_VARIABLES) if name in os.environ]
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
