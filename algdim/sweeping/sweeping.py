"""The sweep itself: models are handed out in batches of about a second, and rows are stored as they come."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ThreadPoolExecutor,
    wait,
)
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from threading import current_thread, main_thread
from time import monotonic
from types import FrameType
from typing import ClassVar

from algdim.arguments import check_arguments
from algdim.display.blocks import Block, TableBlock
from algdim.display.results import Frame, Plain, Result, cut_cell, make_frame
from algdim.errors import AlgdimError, InputError, LimitError, describe_type
from algdim.exact.draws import draw_seed
from algdim.exact.threads import count_processors
from algdim.limits import check_seconds
from algdim.memory import parse_memory_size
from algdim.sweeping.language import Sweep, describe_duplicates, read_sweep
from algdim.sweeping.processes import run_batch, start_runners
from algdim.sweeping.store import Store
from algdim.sweeping.tasks import DIED, Row, Settings, compute_model_hash, make_row, name_outcome
from algdim.tables.listing import Unread

BATCH_SECONDS = 1.0
MOST_IN_BATCH = 500
AHEAD = 2
"""Batches handed out for each worker, so that none waits for the parent."""

Progress = Callable[["State"], None]
"""What is told how far a sweep is, after every batch."""


@dataclass(slots=True)
class State:
    """How far a sweep is."""

    total: int
    before: int
    """Models that the store had already."""
    done: int = 0
    outcomes: dict[str, int] = field(default_factory=dict)
    began: float = field(default_factory=monotonic)
    stopped: bool = False

    @property
    def missing(self) -> int:
        """Models that have no row yet."""
        return self.total - self.before - self.done

    @property
    def rate(self) -> float:
        """Models per second in this run."""
        return self.done / max(monotonic() - self.began, 1e-9)

    @property
    def remaining(self) -> float | None:
        """Seconds to the end at this rate, ``None`` before anything is done."""
        return self.missing / self.rate if self.done else None


WORTH_SAYING = 60
"""From so many seconds on, the line about a sweep says how many; of shorter ones it is the same every time."""


@dataclass(frozen=True, slots=True, repr=False)
class Swept(Result, Plain):
    """The end of a sweep: how many models there are, how many rows, and what became of those of this run."""

    _json: ClassVar[str] = "sweep store total listed before done outcomes complete seconds"

    sweep: str
    store: str
    total: int
    before: int
    done: int
    outcomes: dict[str, int]
    seconds: float = field(compare=False)
    listed: int
    """As many models were listed or drawn: one may come more than once."""
    twice: str = ""
    """What is to be said of those that did."""

    @property
    def complete(self) -> bool:
        """Whether every model has a row."""
        return self.before + self.done == self.total

    def _show(self) -> Iterator[Block]:
        rows = [("models", f"{self.before + self.done} of {self.total}"), ("there before", str(self.before))]
        rows += [(what, str(count)) for what, count in sorted(self.outcomes.items())]
        yield TableBlock((), (*rows, ("seconds", f"{self.seconds:.1f}")), caption=cut_cell(self.store))

    def _tabulate(self) -> Frame:
        return make_frame(
            [
                {
                    "sweep": self.sweep,
                    "store": self.store,
                    "total": self.total,
                    "before": self.before,
                    "done": self.done,
                    "complete": self.complete,
                    "seconds": self.seconds,
                }
            ]
        )

    def _summarise(self) -> str:
        outcomes = ", ".join(f"{count} {what}" for what, count in sorted(self.outcomes.items())) or "nothing to do"
        had = f"{self.before} were there, " if self.before else ""
        many = f" ({self.twice})" if self.twice else ""
        line = f"{self.store}: {self.before + self.done} of {self.total} models{many}; {had}{outcomes}"
        line += f"; {self.seconds:.0f} s" if self.seconds >= WORTH_SAYING else ""
        return line if self.complete else f"{line}\nstopped; rerun the command to resume"


@check_arguments
def sweep(
    models: str | Sweep,
    store: str | os.PathLike[str],
    *,
    executor: Callable[[], AbstractContextManager[Executor]] | None = None,
    workers: int | None = None,
    seed: int | str = 0,
    method: str = "auto",
    bounds: str = "auto",
    certificates: bool = False,
    timeout: float | None = None,
    max_memory: int | str | None = None,
    max_seconds: float | None = None,
    retry: bool = False,
    keep_going: bool = False,
    progress: Progress | None = None,
) -> Swept:
    """Examine all models of a sweep and store a row for each; resume where an earlier run was stopped.

    Parameters
    ----------
    models : str
        A kind of models with ranges of its quantities, or the path of a file that lists models.
    store : path
        The SQLite file of results; it is made if it is not there.
    executor : callable, optional
        Makes anything with the interface of `concurrent.futures.Executor`; by default there are local processes.
    workers : int, optional
        Tasks at a time; by default as many as there are processors.
    seed : int or str
        The seed of all draws; "random" takes one from the system.
    method : str
        As in `algdim.dimension`.
    bounds : str
        As in `algdim.dimension`.
    certificates : bool
        Whether certificates of proved dimensions are stored.
    timeout : float, optional
        Seconds after which a model is given up.
    max_memory : int or str, optional
        Bytes that a task may use.
    max_seconds : float, optional
        Seconds of each model for searches that only sharpen a proof; without it no limit, so that rows do not depend on the machine.
    retry : bool
        Whether models are tried again that failed.
    keep_going : bool
        Whether models of a file that cannot be read are recorded as failed; they stop the sweep before it begins otherwise.
    progress : callable, optional
        Told how far the sweep is after every batch.

    Returns
    -------
    Swept
        How many models there are, and what became of them.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     found = sweep("lc cells<=8", f"{folder}/results.sqlite", workers=1)
    >>> found.total, found.complete
    (4, True)
    """
    if not isinstance(models, str) and not hasattr(models, "entries"):
        raise InputError(
            f"the models of a sweep are expected as a text, not {describe_type(models)}; algdim.dimensions takes a list of models"
        )
    listed = read_sweep(models) if isinstance(models, str) else models
    limit = None if max_memory is None else parse_memory_size(max_memory)
    seconds = None if max_seconds is None else check_seconds(max_seconds)
    settings = Settings(draw_seed(seed), method, bounds, certificates, timeout, limit, seconds)
    check(settings)
    found = listed.entries(keep_going=keep_going)
    entries, sources = found.models, found.sources
    count = count_processors() if workers is None else workers
    with Store(store, settings) as kept:
        kept.add_sources(str(listed), [(compute_model_hash(text), label, place) for text, label, place in sources])
        known = kept.hashes(only_done=retry)
        wanted = [(number, text) for number, text in enumerate(entries, 1) if compute_model_hash(text) not in known]
        state = State(len(entries), len(entries) - len(wanted))
        waiting = save_unread(str(listed), wanted, entries, settings, kept, state)
        make = executor or (lambda: ThreadPoolExecutor(count, thread_name_prefix="sweep"))
        if waiting:
            with stop_on_signal(state):
                run_batches(waiting, settings, make, count, kept, state, progress)
    seconds = monotonic() - state.began
    many, twice = found.made or len(entries), describe_duplicates(found)
    return Swept(
        str(listed), os.fspath(store), state.total, state.before, state.done, state.outcomes, seconds, many, twice
    )


def save_unread(
    listed: str,
    wanted: Sequence[tuple[int, str]],
    entries: Mapping[str, Unread | None],
    settings: Settings,
    store: Store,
    state: State,
) -> list[tuple[int, str]]:
    """Save what cannot be read as failed; the others wait."""
    unread = {text: unread for _, text in wanted if (unread := entries[text]) is not None}
    save_rows(
        [make_row(text, settings, name_outcome(one.error), f"{listed}: {one}") for text, one in unread.items()],
        [(number, text) for number, text in wanted if text in unread],
        store,
        state,
    )
    return [(number, text) for number, text in wanted if text not in unread]


def check(settings: Settings) -> None:
    """Raise if the settings would make every task fail."""
    from algdim.bound.strategy import check_method, choose_bounds

    check_method(settings.method)
    choose_bounds(settings.bounds)
    if settings.timeout is not None and not settings.timeout > 0:
        raise LimitError(f"a time limit of {settings.timeout:g} s; more than 0 is allowed")


def run_batches(
    waiting: Sequence[tuple[int, str]],
    settings: Settings,
    make: Callable[[], AbstractContextManager[Executor]],
    workers: int,
    store: Store,
    state: State,
    progress: Progress | None,
) -> None:
    """Hand out batches until there are no more, or until the sweep is stopped; store what comes back.

    Where an executor loses a batch, because a process of its own has died, the models are handed out again one by one,
    and the one that is lost again is recorded.
    """
    queue = list(reversed(waiting))
    alone: list[tuple[int, str]] = []
    flying: dict[Future[list[Row]], list[tuple[int, str]]] = {}
    size = 1
    with make() as pool, start_runners(), stop_on_error(pool):
        while True:
            while not state.stopped and (queue or alone) and len(flying) < (1 if alone else workers * AHEAD):
                batch = [alone.pop()] if alone else [queue.pop() for _ in range(min(size, len(queue)))]
                flying[pool.submit(run_batch, [text for _, text in batch], settings)] = batch
            if state.stopped:  # what nobody has begun with is not wanted any more
                flying = {future: batch for future, batch in flying.items() if not future.cancel()}
            if not flying:
                return
            # woken now and then, so that a signal is seen where the system does not interrupt waiting
            for future in wait(flying, timeout=1.0, return_when=FIRST_COMPLETED).done:
                batch = flying.pop(future)
                rows = collect_rows(future, batch, settings)
                if rows is None:
                    alone.extend(reversed(batch))
                    continue
                save_rows(rows, batch, store, state)
                size = choose_batch_size(rows, len(queue), workers)
                if progress is not None:
                    progress(state)


@contextmanager
def stop_on_error(pool: Executor) -> Iterator[None]:
    """Begin with no more tasks if something goes wrong."""
    try:
        yield
    except BrokenExecutor as error:
        raise LimitError(f"the executor has broken down: {error}; rerun the command to resume") from None
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        raise


def collect_rows(future: Future[list[Row]], batch: Sequence[tuple[int, str]], settings: Settings) -> list[Row] | None:
    """The rows of a batch; ``None`` if it was lost with others."""
    try:
        return future.result()
    except (AlgdimError, BrokenExecutor):
        raise
    except (Exception, CancelledError) as error:  # noqa: BLE001  # each executor has errors of its own
        if len(batch) > 1:
            return None
        return [make_row(batch[0][1], settings, DIED, f"lost by the executor: {type(error).__name__}: {error}")]


def save_rows(rows: Sequence[Row], batch: Sequence[tuple[int, str]], store: Store, state: State) -> None:
    """Store the rows of a batch, with the numbers of the models."""
    store.add([{**row, "number": number} for row, (number, _) in zip(rows, batch, strict=True)])
    state.done += len(rows)
    for row in rows:
        state.outcomes[row["outcome"]] = state.outcomes.get(row["outcome"], 0) + 1


def choose_batch_size(rows: Sequence[Row], left: int, workers: int) -> int:
    """This many models take about a second, if they take as long as the last ones, of which there were not far fewer.

    The last batches are shared out evenly.
    """
    each = sum(row["seconds"] or BATCH_SECONDS for row in rows) / len(rows)
    return max(1, min(MOST_IN_BATCH, 4 * len(rows), int(BATCH_SECONDS / max(each, 1e-6)), -(-left // workers)))


@contextmanager
def stop_on_signal(state: State) -> Iterator[None]:
    """Let the first Ctrl-C, or a request to end, stop the handing out, and the second end the run at once."""
    if current_thread() is not main_thread():  # signals come to the main thread only
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        del frame
        if state.stopped:
            raise KeyboardInterrupt
        state.stopped = True
        name = "Ctrl-C" if number == signal.SIGINT else signal.Signals(number).name
        print(
            f"\n{name}: the tasks in flight are finished first; once more to end at once", file=sys.stderr, flush=True
        )

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
