"""Running experiments: their sizes, tasks shared out among processes, results kept so that a run can go on."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import get_context, parent_process
from pathlib import Path
from threading import Thread
from time import perf_counter, strftime
from typing import Any, TypeVar

import numpy as np

from algdim.about import VERSION
from algdim.errors import InputError
from algdim.exact.draws import stream
from algdim.experiments.record import Cell, Outcome
from algdim.wholefiles import write_text

T = TypeVar("T")
R = TypeVar("R")

TINY, DEFAULT, FULL = "tiny", "default", "full"
SIZES = (TINY, DEFAULT, FULL)
"""For tests; in minutes on two cores; at least the papers' own sizes."""

Progress = Callable[[str, int, int], None]
"""Called with the name of an experiment, the tasks that are done and all of them."""


@dataclass(frozen=True, slots=True, eq=False)
class Setting:
    """How an experiment is run."""

    size: str = DEFAULT
    seed: int = 0
    workers: int = 1
    name: str = ""
    progress: Progress | None = None

    def pick(self, tiny: T, default: T, full: T) -> T:
        """The value of this size."""
        return dict(zip(SIZES, (tiny, default, full), strict=True))[self.size]

    def mapped(self, work: Callable[[T], R], tasks: Sequence[T]) -> list[R]:
        """Do the work of all tasks, in several processes if there are workers; results in the order of the tasks."""
        if self.workers == 1:
            return [self.told(work(task), number, len(tasks)) for number, task in enumerate(tasks, 1)]
        with ProcessPoolExecutor(self.workers, mp_context=get_context("spawn"), initializer=prepared) as pool:
            found = pool.map(work, tasks)
            return [self.told(result, number, len(tasks)) for number, result in enumerate(found, 1)]

    def told(self, result: R, number: int, total: int) -> R:
        """Tell how far the work is."""
        if self.progress is not None:
            self.progress(self.name, number, total)
        return result


def prepared() -> None:
    """A process starts no threads for sums, as processes share the processors, and ends when the one that began it ends."""
    from algdim.exact.threads import set_threads

    set_threads(1)
    Thread(target=end_with_parent, daemon=True).start()


def end_with_parent() -> None:
    """Wait for the end of the process that began this one, which may be killed, and end too."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


@dataclass(frozen=True, slots=True, eq=False)
class Experiment:
    """One experiment of a paper: what it is called, where it stands, what is expected, and how it is run."""

    name: str
    paper: str
    place: str
    expected: str
    run: Callable[[Setting], Outcome]


def generator(seed: int, *labels: int | str) -> np.random.Generator:
    """The random numbers of one purpose."""
    return np.random.default_rng(int.from_bytes(stream(seed, "experiment", *labels).key, "big"))


def outcome(
    setting: Setting, cells: Sequence[Cell], figures: dict[str, str] | None = None, notes: Sequence[str] = ()
) -> Outcome:
    """The outcome of an experiment in its setting."""
    return Outcome(setting.name, setting.size, setting.seed, VERSION, tuple(cells), figures or {}, tuple(notes))


def performed(experiment: Experiment, setting: Setting, folder: Path | None = None) -> Outcome:
    """Run an experiment, or read its outcome from the folder if it was run there at this size with this seed and version."""
    setting = replace(setting, name=experiment.name)
    if folder is not None and (known := kept(folder, setting)) is not None:
        return known
    begun = perf_counter()
    found = experiment.run(setting)
    found = replace(found, seconds=round(perf_counter() - begun, 1), date=strftime("%Y-%m-%d"))
    if folder is not None:
        keep(folder, found)
    return found


def keep(folder: Path, found: Outcome) -> None:
    """Write an outcome and its figures; the record last, so that what is there is whole."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder}: {error.strerror}") from None
    for name, text in found.figures.items():
        write_text(folder / f"{name}.svg", text)
    write_text(folder / f"{found.name}.json", json.dumps(found.to_dict(), ensure_ascii=False, indent=1) + "\n")


def kept(folder: Path, setting: Setting) -> Outcome | None:
    """The outcome that the folder has of this experiment at this size, if it has one."""
    try:
        data: dict[str, Any] = json.loads((folder / f"{setting.name}.json").read_text(encoding="utf-8"))
        if (data["size"], data["seed"], data["version"]) != (setting.size, setting.seed, VERSION):
            return None
        figures = {name: (folder / f"{name}.svg").read_text(encoding="utf-8") for name in data["figures"]}
        cells = tuple(Cell(**cell) for cell in data["cells"])
        plain = {name: data[name] for name in ("name", "size", "seed", "version", "seconds", "date")}
        return Outcome(**plain, cells=cells, figures=figures, notes=tuple(data["notes"]))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise InputError(
            f"{folder / setting.name}.json is not a whole outcome ({error}); remove it to run again"
        ) from None
