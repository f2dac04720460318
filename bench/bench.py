"""algdim beside its opponents, and how its time grows: ``python bench/bench.py [--quick] [--output FOLDER]``.

Prints everything, and the ratios beside those of the published page, and with ``--output docs`` writes ``docs/benchmarks/results.json``, plots, and the page that is made of them. Programs that are not
installed are named as skipped. Exit code 1 if two programs, or a program and the literature, differ in a value; times
never fail.
"""

from __future__ import annotations

import argparse
import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter
from typing import Any

import measuring
import page

sys.path.insert(0, str(Path(__file__).parents[1]))


def main() -> int:
    """Run all sections, print them, write the page."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--threads", type=int, default=1, help="threads of every program (default 1)")
    options.add_argument("--quick", action="store_true", help="fewer and smaller models, fewer repetitions")
    options.add_argument(
        "--only",
        choices=("models", "ranks", "growth", "fits", "selection", "sweeps", "starts", "costly"),
        help="one part instead of all",
    )
    options.add_argument("--output", type=Path, help="the folder in which to write the page and its plots")
    arguments = options.parse_args()
    measuring.pin(arguments.threads)

    import comparing
    import costly
    import fits
    import growth
    import latent_classes
    import ranks
    import selection
    import starts
    import sweeps

    parts = {
        "models": latent_classes,
        "ranks": ranks,
        "growth": growth,
        "sweeps": sweeps,
        "fits": fits,
        "selection": selection,
        "starts": starts,
        "costly": costly,
    }
    began, when, busy = perf_counter(), datetime.now(tz=UTC), measuring.Busy()
    environment = measuring.environment()
    print(environment, flush=True)
    found: list[measuring.Section] = []
    for name, part in parts.items():
        if arguments.only in {None, name}:
            before = perf_counter()
            for section in part.sections(arguments.quick):
                print(section, flush=True)
                found.append(section)
            print(f"\n{name}: {perf_counter() - before:.0f} s", flush=True)
    seconds = perf_counter() - began
    print(f"\n{seconds:.0f} s in all")
    print(comparing.compare(found, page.read_results()["sections"]))
    if arguments.output is not None:
        results = page.collect_results(found, environment, f"{when:%Y-%m-%d}", seconds)
        results |= {"quick": arguments.quick, "only": arguments.only or "", **busy.measure_others()}
        write(arguments.output, results, found)
    return int(any(section.wrong for section in found))


def write(folder: Path, results: dict[str, Any], found: list[measuring.Section]) -> None:
    """Write the results, the page made of them, and its plots."""
    (folder / page.PLOTS).mkdir(parents=True, exist_ok=True)
    text = json.dumps(results, indent=1, ensure_ascii=False)
    (folder / page.PLOTS / page.RESULTS).write_text(f"{text}\n", encoding="utf-8")
    (folder / page.PAGE).write_text(page.write_page(results), encoding="utf-8")
    for section in found:
        for name, drawing in section.plots.items():
            (folder / page.PLOTS / name).write_text(drawing, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
