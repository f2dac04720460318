"""How the time grows: ``python bench/bench_scaling.py [--quick]``.

First 8:2^n, whose parameters grow with n and whose cells grow with 2^n: the exponent of the time against the parameters
is fitted to the logarithms by least squares, and printed from one size to the next as well. Then the same number of
parameters with ever more cells. Then single large models, among them the ALARM network of ``examples/models`` with five
variables hidden. Times are those of the whole report, in one process that has been warmed up.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log, log2
from pathlib import Path
from typing import Any

import measuring

# the network with hidden variables stands beside the tests of the file
sys.path.append(str(Path(__file__).parents[1] / "tests"))

GROWING = tuple(f"8:2^{n}" for n in (20, 40, 80, 160, 320))
GROWING_QUICK = GROWING[:4]
LARGEST_EXPONENT = 3.1

# k:r^n with 320 free entries per class of the items, so about equally many parameters, and ever more cells
SAME_PARAMETERS = ("8:33^10", "8:17^20", "8:9^40", "8:5^80", "8:3^160", "8:2^320")
SAME_PARAMETERS_QUICK = ("8:17^10", "8:9^20", "8:5^40", "8:3^80", "8:2^160")

LARGE = ("10:2^60", "20:3^60", "50:4^40")
LARGE_QUICK = ("10:2^60",)
KNOWN = {"10:2^60": 609, "20:3^60": 2419, "50:4^40": 6049, "8:2^320": 2567}
KNOWN |= {"hidden Markov chain, length 40": 584, "hidden Markov chain, length 200": 2984}
"""Dimensions that are known from elsewhere."""

HEADER = "model parameters cells dimension exact method seconds spread".split()


ENGINE = "no-proof"
"""For the growth of time: with searches, theorems would answer for the large models instead of the engine."""


@dataclass(frozen=True, slots=True)
class Result:
    """One model: the report and the times."""

    name: str
    report: Any
    times: measuring.Times

    @property
    def cells(self) -> int:
        """The number of cells of the observed table."""
        return int(self.report.complete) + 1

    @property
    def line(self) -> list[str]:
        """A line of the table."""
        report = self.report
        known = KNOWN.get(self.name, report.dimension)
        value = str(report.dimension) if report.dimension == known else f"{report.dimension}, NOT {known}"
        return [
            self.name,
            str(report.standard),
            f"2^{log2(self.cells):.0f}",
            value,
            "yes" if report.exact else "no",
            report.method,
            measuring.short(self.times.median),
            self.times.spread,
        ]


def parameters(result: Result) -> int:
    """The number of parameters."""
    return int(result.report.standard)


def measured(name: str, model: object, most: int, bounds: str = "auto") -> Result:
    """The report of one model and its times."""
    import algdim

    report = algdim.dimension(model, bounds=bounds)  # warms up too
    times = measuring.times(report.seconds, 1, most, 3.0)
    return Result(name, report, measuring.Times(tuple(timed(model, bounds) for _ in range(times))))


def timed(model: object, bounds: str) -> float:
    """The seconds of one report."""
    import algdim

    return measuring.seconds(lambda: algdim.dimension(model, bounds=bounds))


def slope(results: Sequence[Result], of: Callable[[Result], int]) -> float:
    """The exponent of the time against a number, by least squares on the logarithms."""
    x = [log(of(result)) for result in results]
    y = [log(result.times.median) for result in results]
    mean = sum(x) / len(x), sum(y) / len(y)
    above = sum((a - mean[0]) * (b - mean[1]) for a, b in zip(x, y, strict=True))
    return above / sum((a - mean[0]) ** 2 for a in x)


def hidden_chain(length: int, hidden: int = 3, observed: int = 4) -> str:
    """A hidden Markov chain with free tables, in the notation."""
    names = [f"H{number}" for number in range(1, length + 1)]
    items = [f"X{number}" for number in range(1, length + 1)]
    clauses = [" -> ".join(names), *(f"{name} -> {item}" for name, item in zip(names, items, strict=True))]
    states = [f"{name}={hidden}" for name in names] + [f"{item}={observed}" for item in items]
    return "; ".join([*clauses, f"hidden {', '.join(names)}", f"states {', '.join(states)}"])


def networks(quick: bool) -> dict[str, Callable[[], object]]:
    """Models that are no latent class models, by name."""
    from alarm import alarm_drawn, alarm_most_children

    models: dict[str, Callable[[], object]] = {
        "ALARM, most children hidden": alarm_most_children,
        "ALARM, five drawn hidden": alarm_drawn,
        "hidden Markov chain, length 40": lambda: hidden_chain(40),
    }
    if not quick:
        models["hidden Markov chain, length 200"] = lambda: hidden_chain(200)
    return models


def show(title: str, results: Sequence[Result]) -> None:
    """Print a table."""
    print(f"\n{title}\n{measuring.table(HEADER, [result.line for result in results])}", flush=True)


def main() -> int:
    """Read the arguments, print the tables; 1 if a dimension is not the known one."""
    arguments = measuring.parser(__doc__).parse_args()
    measuring.pin(arguments.threads)
    import algdim

    print(measuring.environment())
    algdim.dimension("2:2,2")
    quick, most = arguments.quick, 3 if arguments.quick else 7

    growing = [measured(text, text, most, ENGINE) for text in (GROWING_QUICK if quick else GROWING)]
    show("time against parameters", growing)
    steps = ", ".join(f"{slope(growing[number : number + 2], parameters):.2f}" for number in range(len(growing) - 1))
    fitted = slope(growing, parameters)
    word = "reached" if fitted <= LARGEST_EXPONENT else "MISSED"
    print(f"exponent {fitted:.2f} (from one to the next: {steps}); target at most {LARGEST_EXPONENT}: {word}")

    same = [measured(text, text, most, ENGINE) for text in (SAME_PARAMETERS_QUICK if quick else SAME_PARAMETERS)]
    show("time against cells, parameters nearly equal", same)
    against_cells = slope(same, lambda result: result.cells)
    most_cells = same[-1].times.median / same[0].times.median
    print(f"exponent {against_cells:.3f}; the most cells take {most_cells:.2f} times as long as the fewest")

    large = [measured(text, text, most) for text in (LARGE_QUICK if quick else LARGE)]
    large += [measured(name, model(), most) for name, model in networks(quick).items()]
    show("large models", large)
    everything = [*growing, *same, *large]
    return int(any(KNOWN.get(result.name, result.report.dimension) != result.report.dimension for result in everything))


if __name__ == "__main__":
    sys.exit(main())
