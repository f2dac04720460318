"""Running experiments: their sizes, tasks shared out among processes, results kept so that a run can go on."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from multiprocessing import active_children, get_context, parent_process
from pathlib import Path
from threading import Thread, current_thread, main_thread
from time import process_time, strftime
from typing import Any, TypeVar

import numpy as np

from algdim.about import VERSION
from algdim.errors import InputError
from algdim.exact.draws import open_stream
from algdim.readers.files import MOST_BYTES
from algdim.wholefiles import write_text
from algdim_papers.experiments.journal import Journal, make_key, open_journal
from algdim_papers.experiments.record import SCHEMA, Cell, Outcome, compute_digest
from algdim_papers.experiments.rows import Findings, parse_csv, write_csv

T = TypeVar("T")

TINY, DEFAULT, FULL = "tiny", "default", "full"
SIZES = (TINY, DEFAULT, FULL)
"""For tests; in minutes on two cores; at least the papers' own sizes."""

Progress = Callable[[str, int, int], None]
"""Called with the name of an experiment, the tasks that are done and all of them."""


Keep = Callable[[str, tuple[Any, float]], None]
"""Called with the key of a task, its result, and its seconds of processor time."""


@dataclass(frozen=True, slots=True, eq=False)
class Setting:
    """How an experiment is run."""

    size: str = DEFAULT
    seed: int = 0
    workers: int = 1
    name: str = ""
    progress: Progress | None = None
    journal: Journal = field(default_factory=lambda: Journal(None, {}))
    """What the tasks have found so far."""

    def pick(self, tiny: T, default: T, full: T) -> T:
        """The value of this size."""
        return dict(zip(SIZES, (tiny, default, full), strict=True))[self.size]

    def mapped(self, work: Callable[[T], Any], tasks: Sequence[T]) -> list[Any]:
        """Do the work of all tasks, in several processes if there are workers; results in the order of the tasks, as JSON has them.

        Results are kept as they come, and those that an earlier run kept are not made again.
        """
        keys = [make_key(work, task) for task in tasks]
        missing = [(key, task) for key, task in zip(keys, tasks, strict=True) if key not in self.journal.results]
        done = len(tasks) - len(missing)

        def keep(key: str, found: tuple[Any, float]) -> None:
            nonlocal done
            result, seconds = found
            self.journal.add(key, json.loads(json.dumps(result)), seconds)
            done += 1
            self.tell(done, len(tasks))

        if missing:
            self.tell(done, len(tasks))

        if self.workers == 1:
            for key, task in missing:
                keep(key, measure_time(work, task))
        elif missing:
            self.share_out(work, missing, keep)
        return [self.journal.results[key] for key in keys]

    def tell(self, done: int, total: int) -> None:
        """Tell how far the work is."""
        if self.progress is not None:
            self.progress(self.name, done, total)

    def share_out(self, work: Callable[[T], Any], tasks: Sequence[tuple[str, T]], keep: Keep) -> None:
        """Do tasks in several processes, and keep each result when it is there."""
        pool = ProcessPoolExecutor(self.workers, mp_context=get_context("spawn"), initializer=start_worker)
        with pool, stop_children_on_error():
            with refuse_interruption():
                # not `map`, whose results are cancelled while those of ended processes are set, which Python complains of
                found = {pool.submit(measure_time, work, task): key for key, task in tasks}
            for one in as_completed(found):
                keep(found[one], one.result())


def measure_time(work: Callable[[T], Any], task: T) -> tuple[Any, float]:
    """What a task finds, and its seconds of processor time, which do not depend on what else runs."""
    begun = process_time()
    return work(task), process_time() - begun


@contextmanager
def refuse_interruption() -> Iterator[None]:
    """Let processes begin that do not hear Ctrl-C, which a terminal sends to all: who began them ends them.

    Here signals wait: blocked in this thread they still reach others, and Python would stop this one between the beginning of
    a process and the telling it what to do, of which that process complains.
    """
    if not hasattr(signal, "pthread_sigmask"):  # not on Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        with let_signals_wait(signal.SIGINT, signal.SIGTERM):
            yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def let_signals_wait(*numbers: int) -> Iterator[None]:
    """Let signals do only afterwards what they would do; where that cannot be said, outside of the main thread, they do it at once."""
    if current_thread() is not main_thread():
        yield
        return
    waiting: list[int] = []
    before = {number: signal.signal(number, lambda number, _: waiting.append(number)) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for number in dict.fromkeys(waiting):
            signal.raise_signal(number)


@contextmanager
def stop_children_on_error() -> Iterator[None]:
    """End the processes that begin meanwhile when their results are not wanted any more."""
    before = active_children()
    try:
        yield
    except BaseException:
        for child in active_children():
            if child not in before:
                child.terminate()
        raise


def start_worker() -> None:
    """A process starts no threads for sums, as processes share the processors, and ends when the one that began it ends."""
    from algdim.exact.threads import set_threads

    set_threads(1)
    Thread(target=stop_with_parent, daemon=True).start()


def stop_with_parent() -> None:
    """Wait for the end of the process that began this one, which may be killed, and end too."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


@dataclass(frozen=True, slots=True, eq=False)
class Experiment:
    """One experiment of a paper: what it is called, where it stands, what is expected, and its three steps.

    What is measured on the data sets is all that is kept: the cells and the figures are functions of it.
    """

    name: str
    paper: str
    place: str
    expected: str
    in_print: str
    """The size that the paper tells."""
    measure: Callable[[Setting], Findings]
    judge: Callable[[Findings], list[Cell]]
    draw: Callable[[Findings], dict[str, str]]
    one_size: bool = False
    """The default size is the papers' own already, so that it is the full one too."""

    def settle_size(self, size: str) -> str:
        """The largest size at which the same is measured."""
        return FULL if self.one_size and size == DEFAULT else size


def make_generator(seed: int, *labels: int | str) -> np.random.Generator:
    """The random numbers of one purpose."""
    return np.random.default_rng(int.from_bytes(open_stream(seed, "experiment", *labels).key, "big"))


def run_experiment(experiment: Experiment, setting: Setting, folder: Path | None = None) -> Outcome:
    """Run an experiment, or judge what the folder has of it at this size or a larger one with this seed and version; a stopped run goes on."""
    setting = replace(setting, size=experiment.settle_size(setting.size))
    found = load_outcome(folder, experiment, setting) if folder is not None else None
    if found is None:
        head = {"schema": SCHEMA, "name": experiment.name, "size": setting.size, "seed": setting.seed}
        journal = open_journal(folder / f"{experiment.name}.partial" if folder else None, {**head, "version": VERSION})
        begun = process_time()
        findings = experiment.measure(replace(setting, name=experiment.name, journal=journal))
        # an experiment without tasks has no times of tasks
        seconds = journal.seconds if journal.results else process_time() - begun
        found = make_outcome(experiment, setting, findings, round(seconds, 1), strftime("%Y-%m-%d"))
        if folder is not None:
            save_outcome(folder, found)
        journal.remove()
    elif folder is not None:
        save_outcome(folder, found)
    return found


def make_outcome(
    experiment: Experiment, setting: Setting, findings: Findings, seconds: float, date: str, version: str = VERSION
) -> Outcome:
    """What was measured, judged and drawn."""
    cells, figures = tuple(experiment.judge(findings)), experiment.draw(findings)
    return Outcome(experiment.name, setting.size, setting.seed, version, findings, cells, figures, seconds, date)


def save_outcome(folder: Path, found: Outcome) -> None:
    """Write an outcome, its rows and its figures; the record last, so that what is there is whole."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder}: {error.strerror}") from None
    for name, some in found.findings.items():
        write_text(folder / f"{name}.csv", write_csv(some))
    for name, text in found.figures.items():
        write_text(folder / f"{name}.svg", text)
    write_text(folder / f"{found.name}.json", json.dumps(found.to_dict(), ensure_ascii=False, indent=1) + "\n")


def read_limited_text(file: Path) -> str:
    """The text of a file, no further than is allowed."""
    with file.open("rb") as opened:
        data = opened.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise ValueError(f"{file.name} has more than {MOST_BYTES} bytes")
    return data.decode("utf-8").replace("\r\n", "\n")


def load_outcome(folder: Path, experiment: Experiment, setting: Setting, version: str = VERSION) -> Outcome | None:
    """What the folder has of this experiment at this size or a larger one, measured by this version, judged and drawn anew."""
    try:
        data: dict[str, Any] = json.loads(read_limited_text(folder / f"{experiment.name}.json"))
        if (data["schema"], data["seed"], data["version"]) != (SCHEMA, setting.seed, version):
            return None
        size = experiment.settle_size(data["size"])
        if SIZES.index(size) < SIZES.index(experiment.settle_size(setting.size)):
            return None
        # the files are in the folder itself, whatever the record says
        files = {name: folder / Path(f"{name}.csv").name for name in data["rows"]}
        texts = {name: read_limited_text(file) for name, file in files.items()}
        # rows of another run: one was ended before it wrote its record, or two share the folder
        if data.get("digests") != {name: compute_digest(text) for name, text in texts.items()}:
            return None
        findings = {name: parse_csv(text) for name, text in texts.items()}
        whole = replace(setting, size=size)
        return make_outcome(experiment, whole, findings, float(data["seconds"]), str(data["date"]), version)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, KeyError, IndexError, RecursionError) as error:
        raise InputError(
            f"{folder / experiment.name}.json is not a whole outcome ({error}); remove it to run again"
        ) from None
