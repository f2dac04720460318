"""How large models of each family grow: time and memory at two sizes, and the modules in which the time of the larger one is spent."""

from __future__ import annotations

import cProfile
import pstats
from collections import Counter
from collections.abc import Callable
from math import log
from pathlib import Path

import growth
import measuring

FACTOR = 5
"""The larger size by the smaller one."""
NAMED = 3
"""So many modules are named."""


def name_features(count: int) -> str:
    """A classifier with so many features."""
    return f"classifier Y: Y -> {', '.join(f'X{number}' for number in range(1, count + 1))}"


LARGE: tuple[tuple[str, int, Callable[[int], str]], ...] = (
    ("hidden Markov chain, length", 2000, growth.hidden_chain),
    ("tree, leaves", 5000, growth.tree),
    (
        "Gaussian chain of factors with ten indicators each, factors",
        50,
        lambda count: growth.clustered_factors(count, 10),
    ),
    ("factors of 100 indicators, factors", 10, lambda count: growth.factors(100, count)),
    ("chain of hidden sigmoid variables, length", 100, growth.sigmoid_chain),
    ("classifier, features", 1000, name_features),
)


def sections(quick: bool) -> list[measuring.Section]:
    """One line for each family."""
    rows, failed = [], []
    for name, large, make in LARGE[:: 2 if quick else 1]:
        found = []
        for size in (large // FACTOR, large):
            outcome = growth.asked(growth.Large(f"{name} {size}", make(size)), 3)
            if isinstance(outcome, str):
                failed.append(outcome)
            else:
                found.append(outcome)
        if len(found) < 2:
            continue
        (small, before), (last, after) = found
        exponent = log(after.median / before.median) / log(FACTOR)
        rows.append(
            [
                *(name, f"{large // FACTOR}, {large}", f"{small['standard']}, {last['standard']}"),
                *(f"{measuring.short(before.median)}, {measuring.short(after.median)}", f"{exponent:.2f}"),
                *(f"{small['megabytes']}, {last['megabytes']}", list_modules(make(large))),
            ]
        )
    about = (
        f"Large models of each family at two sizes, the second {FACTOR} times the first. *exponent*: seconds grow as its power of the size;\n"
        "*mostly in*: modules of algdim with the greatest shares of the larger model's time, that of numpy and of Python's own functions counted where they are called."
    )
    header = ["models", "sizes", "parameters", "seconds", "exponent", "MB", "mostly in"]
    return [measuring.Section("Growth of large models", about, header, rows, failed)]


def list_modules(text: str) -> str:
    """The modules that take most of the time of a report, with their shares."""
    import algdim

    algdim.dimension("2:2,2")  # loads what it needs
    profile = cProfile.Profile()
    profile.runcall(algdim.dimension, text)
    shares = share_out(pstats.Stats(profile))
    total = sum(shares.values())
    return ", ".join(f"{module} {100 * seconds / total:.0f} %" for module, seconds in shares.most_common(NAMED))


def share_out(stats: pstats.Stats) -> Counter[str]:
    """Seconds by module of algdim; those of other functions go to the modules that call them."""
    found: Counter[str] = Counter()
    for (path, _, _), (_, _, own, _, callers) in stats.stats.items():  # type: ignore[attr-defined]
        module = name_module(path)
        if module:
            found[module] += own
        for (other, _, _), (_, _, seconds, _) in callers.items() if not module else ():
            found[name_module(other) or "elsewhere"] += seconds
    return found


def name_module(path: str) -> str:
    """The name of a module of algdim without its first word; empty for other files."""
    parts = Path(path).with_suffix("").parts
    return ".".join(parts[len(parts) - parts[::-1].index("algdim") :]) if "algdim" in parts else ""


if __name__ == "__main__":
    measuring.pin(1)
    print(*sections(quick=False))
