"""algdim beside its opponents, and how its time grows: ``python bench/bench.py [--quick] [--output FOLDER]``.

Every part is measured in a process of its own, and what it found is kept in ``build/bench``: with ``--resume`` parts that are
kept there are not measured again, with ``--only PART`` that one alone is. All that is kept is printed, and the ratios beside
those of the published page; ``--output docs`` writes ``docs/benchmarks/results.json``, plots, and the page that is made of
them. Programs that are not installed are named as skipped. Exit code 1 if two programs, or a program and the literature,
differ in a value, or a part did not end; times never fail.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from time import perf_counter
from typing import Any

import measuring
import page

sys.path.insert(0, str(Path(__file__).parents[1]))

PARTS = {
    "models": "latent_classes",
    "ranks": "ranks",
    "growth": "growth",
    "causes": "causes",
    "sweeps": "sweeps",
    "fits": "fits",
    "selection": "selection",
    "starts": "starts",
    "costly": "costly",
}
"""The parts in the order of the page, with their modules."""
KEPT = Path(__file__).parents[1] / "build" / "bench"
MOST_SECONDS = 1200
"""One part is ended after so many on the wall; on a quiet machine the longest takes a third of that."""


def main() -> int:
    """Measure the parts, print all of them, write the page."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--threads", type=int, default=1, help="threads of every program (default 1)")
    options.add_argument("--quick", action="store_true", help="fewer and smaller models, fewer repetitions")
    options.add_argument("--only", choices=PARTS, help="measure one part; the others as they are kept")
    options.add_argument("--resume", action="store_true", help="do not measure again what is kept")
    options.add_argument("--output", type=Path, help="the folder in which to write the page and its plots")
    options.add_argument("--here", action="store_true", help=argparse.SUPPRESS)  # the process of one part
    arguments = options.parse_args()
    if arguments.here:
        measure_part(arguments.only, arguments.threads, quick=arguments.quick)
        return 0
    kept = name_folder(quick=arguments.quick)
    wanted = [arguments.only] if arguments.only else list(PARTS)
    for name in wanted:
        path = kept / f"{name}.json"
        if not (arguments.resume and path.exists()):
            run_part(name, path, arguments.threads, quick=arguments.quick)
    found = {name: json.loads(path.read_text("utf-8")) for name in PARTS if (path := kept / f"{name}.json").exists()}
    missing = [name for name in PARTS if name not in found]
    sections = [measuring.Section(**section) for part in found.values() for section in part["sections"]]
    import comparing

    print(comparing.compare(sections, page.read_results()["sections"]))
    print("".join(f"\nNOT MEASURED: {name}" for name in missing))
    if arguments.output is not None and found:
        write(arguments.output, page.join_parts(list(found.values()), missing, quick=arguments.quick), sections)
    return int(any(name in missing for name in wanted) or any(section.wrong for section in sections))


def name_folder(*, quick: bool) -> Path:
    """Where parts are kept."""
    return KEPT / ("quick" if quick else "whole")


def run_part(name: str, path: Path, threads: int, *, quick: bool) -> None:
    """Measure a part in a process of its own; where it does not end well nothing is kept of it."""
    path.unlink(missing_ok=True)
    command = [sys.executable, str(Path(__file__)), "--here", "--only", name, "--threads", str(threads)]
    process = subprocess.Popen([*command, *(["--quick"] if quick else [])], start_new_session=True)
    try:
        code = process.wait(MOST_SECONDS)
    except (subprocess.TimeoutExpired, KeyboardInterrupt) as error:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        if isinstance(error, KeyboardInterrupt):
            raise
        print(f"\n{name}: ended after {MOST_SECONDS} s", flush=True)
    else:
        if code:
            print(f"\n{name}: exit code {code}", flush=True)


def measure_part(name: str, threads: int, *, quick: bool) -> None:
    """Measure a part, print it, and keep it."""
    measuring.pin(threads)
    began, when, busy = perf_counter(), datetime.now(tz=UTC), measuring.Busy()
    environment = measuring.environment()
    print(f"\n{name}\n{environment}", flush=True)
    sections = []
    for section in import_module(PARTS[name]).sections(quick):
        print(section, flush=True)
        sections.append(section)
    seconds = perf_counter() - began
    print(f"\n{name}: {seconds:.0f} s, of the processor {measuring.sum_own_seconds():.0f}", flush=True)
    found = page.collect_results(sections, environment, f"{when:%Y-%m-%d}", seconds) | busy.measure_others()
    path = name_folder(quick=quick) / f"{name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(found), encoding="utf-8")


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
