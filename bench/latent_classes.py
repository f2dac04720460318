"""Compare algdim with what people use instead, on latent class models: ``python bench/bench_latent_class.py [--quick]``.

Every model is given to algdim and to the opponents in turn, one repetition of each after the other, so that a change in
the machine's load meets all of them. Printed are medians, with the least and the greatest total. ``ratio`` is the
opponent's total by algdim's; ``no conv.`` the same without the time for converting. An opponent's rank is neither an
upper bound nor, for the singular values, a lower one; algdim's time is that of the whole report with its bounds.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from time import perf_counter

import measuring

MODELS = {
    "4:3^3": (4, (3,) * 3),
    "3:2^10": (3, (2,) * 10),
    "10:6^4": (10, (6,) * 4),
    "8:2^12": (8, (2,) * 12),
    "20:2^14": (20, (2,) * 14),
}
QUICK = ("4:3^3", "3:2^10", "8:2^12")
TARGETS = {("20:2^14", "python-flint"): 50.0, ("20:2^14", "numpy SVD"): 10.0, ("10:6^4", "numpy SVD"): 1.0}
"""What algdim must reach: the least ratio of an opponent's time to its own."""

HEADER = [*"model parameters cells who value same table convert rank total spread ratio".split(), "no conv."]

Run = Callable[[int], tuple[int, float, float, float]]


@dataclass(frozen=True, slots=True)
class Result:
    """What one of the programs said of one model, and the seconds of its repetitions for table, conversion, rank."""

    name: str
    value: int
    parts: tuple[tuple[float, float, float], ...]

    @property
    def totals(self) -> measuring.Times:
        """The sums."""
        return measuring.Times(tuple(sum(parts) for parts in self.parts))

    def part(self, number: int) -> float:
        """The median of one part."""
        return measuring.Times(tuple(parts[number] for parts in self.parts)).median


def runners(text: str) -> tuple[dict[str, Run], list[str]]:
    """What is compared, by name, and why some are left out."""
    from opponents import flint_table, numpy_svd, sympy_rank

    import algdim

    def ours(seed: int) -> tuple[int, float, float, float]:
        began = perf_counter()
        report = algdim.dimension(text, seed=seed)
        return report.dimension, 0.0, 0.0, perf_counter() - began

    classes, items = MODELS[text]
    runs: dict[str, Run] = {"algdim": ours}
    reasons = []
    for opponent in (numpy_svd, flint_table, sympy_rank):
        if reason := opponent.skipped(classes, items):
            reasons.append(f"{text}: {opponent.NAME} {reason}")
            continue
        runs[opponent.NAME] = lambda seed, find=opponent.dimension: find(classes, items, seed)
    return runs, reasons


def compared(text: str, budget: float) -> tuple[list[Result], list[str]]:
    """Run everything on one model, in turn."""
    runs, reasons = runners(text)
    first = {name: run(0) for name, run in runs.items()}  # also warms up
    counts = {name: repetitions(sum(found[1:]), budget) for name, found in first.items()}
    parts: dict[str, list[tuple[float, float, float]]] = {name: [] for name in runs}
    values = {name: {found[0]} for name, found in first.items()}
    for turn in range(max(counts.values())):
        for name, run in runs.items():
            if turn < counts[name]:
                value, *spent = run(turn + 1)
                values[name].add(value)
                parts[name].append((spent[0], spent[1], spent[2]))
    # a random point can only lower a rank
    return [Result(name, max(values[name]), tuple(parts[name])) for name in runs], reasons


def repetitions(once: float, budget: float) -> int:
    """An odd number of repetitions that about fits the budget: three at least, one of what takes seconds."""
    return measuring.times(once, 1 if once > budget else 3, 21, budget) | 1


def rows(text: str, results: Sequence[Result]) -> list[list[str]]:
    """The lines of one model."""
    classes, items = MODELS[text]
    parameters = classes - 1 + classes * sum(states - 1 for states in items)
    ours = results[0]
    lines = []
    for result in results:
        mine = result is ours
        total = result.totals
        lines.append(
            [
                *(text, str(parameters), str(prod(items)), result.name, str(result.value)),
                "" if mine else "yes" if result.value == ours.value else "NO",
                *("" if mine else measuring.short(result.part(number)) for number in range(3)),
                *(measuring.short(total.median), total.spread),
                "" if mine else f"{total.median / ours.totals.median:.2f}",
                "" if mine else f"{(total.median - result.part(1)) / ours.totals.median:.2f}",
            ]
        )
    return lines


def judged(text: str, results: Sequence[Result]) -> list[str]:
    """One line per target that concerns this model."""
    ours = results[0].totals.median
    lines = []
    for result in results[1:]:
        if (text, result.name) in TARGETS:
            target, ratio = TARGETS[text, result.name], result.totals.median / ours
            word = "reached" if ratio >= target else "MISSED"
            lines.append(f"{text} against {result.name}: {ratio:.1f} times faster, target {target:g}: {word}")
    return lines


def main() -> int:
    """Read the arguments, print the table; 1 if values differ."""
    arguments = measuring.parser(__doc__).parse_args()
    measuring.pin(arguments.threads)
    print(measuring.environment())
    found, notes, targets = [], [], []
    for text in QUICK if arguments.quick else MODELS:
        results, reasons = compared(text, 0.3 if arguments.quick else 3.0)
        found += rows(text, results)
        notes += reasons
        targets += judged(text, results)
    print(measuring.table(HEADER, found))
    print("\n".join([*notes, *targets]))
    return int(any(row[HEADER.index("same")] == "NO" for row in found))


if __name__ == "__main__":
    sys.exit(main())
