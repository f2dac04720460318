"""Batches of models for an executor: whichever process or thread gets one has a runner, a process of its own, for it.

So a task can be ended when its time is over, can crash or take too much memory, and nothing else notices; and any executor
will do, with threads or processes here or elsewhere: the workers of a scheduler of Dask distributed that runs already.

A runner is this module as a program. What it is told and what it answers are lines of JSON. It ends with its standard input, so
that it never outlives what started it, killed or not. Memory is limited for it alone.
"""

from __future__ import annotations

import json
import os
import subprocess  # this Python with a module of this package
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError, Executor
from contextlib import contextmanager
from queue import SimpleQueue
from selectors import EVENT_READ, DefaultSelector
from signal import Signals
from threading import Lock, Thread
from time import monotonic
from typing import Any, NoReturn, TextIO

from algdim.errors import InputError
from algdim.exact.threads import BLAS_VARIABLES, VARIABLE
from algdim.sweeping.tasks import DIED, TIMEOUT, Row, Settings, compute_row, make_row

START_SECONDS = 120.0
"""A runner that has not started by then never will."""


class Child:
    """A running module of algdim that is told lines of JSON and answers each with one."""

    def __init__(self, module: str) -> None:
        """Start it: one thread of BLAS, no signals of the terminal."""
        self.received = b""
        self.process = subprocess.Popen(  # noqa: S603  # nothing of the user's is among the words
            [sys.executable, "-P", "-m", module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={
                **os.environ,
                **dict.fromkeys((*BLAS_VARIABLES, VARIABLE), "1"),
                "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
            },
            process_group=0 if os.name == "posix" else None,
        )

    def send(self, value: Any) -> None:
        """Write a line; a process that has gone is noticed when it does not answer."""
        assert self.process.stdin is not None  # noqa: S101  # it is a pipe
        try:
            self.process.stdin.write(json.dumps(value).encode() + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            return

    def line(self, deadline: float | None) -> bytes | None:
        """The next line of the process: nothing if it has ended, ``None`` if it is too late."""
        assert self.process.stdout is not None  # noqa: S101  # it is a pipe
        with DefaultSelector() as selector:
            selector.register(self.process.stdout, EVENT_READ)
            while b"\n" not in self.received:
                if not selector.select(None if deadline is None else max(0.0, deadline - monotonic())):
                    return None
                piece = os.read(self.process.stdout.fileno(), 1 << 16)
                if not piece:
                    return b""
                self.received += piece
        line, _, self.received = self.received.partition(b"\n")
        return line

    def close(self) -> None:
        """End the process at once."""
        self.process.kill()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except BrokenPipeError:
                    continue
        self.process.wait()

    @property
    def is_alive(self) -> bool:
        """Whether it can be given another model."""
        return self.process.poll() is None


class Runner(Child):
    """A running process that examines models with given settings."""

    def __init__(self, settings: Settings) -> None:
        """Start it, and tell it the settings."""
        super().__init__("algdim.sweeping.processes")
        self.settings = settings
        self.is_new = True
        self.send(settings.to_dict())

    def examine_model(self, text: str) -> Row:
        """The row of a model, whatever becomes of it."""
        if self.is_new:
            self.is_new = False
            if not self.line(monotonic() + START_SECONDS):
                self.close()
                return make_row(text, self.settings, DIED, "its process did not start")
        self.send(text)
        began, limit = monotonic(), self.settings.timeout
        line = self.line(None if limit is None else began + limit)
        taken = monotonic() - began
        if line is None:
            self.close()
            message = f"not done after {limit:g} s; allow more (--timeout)"
            return make_row(text, self.settings, TIMEOUT, message, seconds=taken)
        if not line:
            self.close()
            message = f"its process ended: {describe_exit(self.process.returncode)}"
            return make_row(text, self.settings, DIED, message, seconds=taken)
        row: Row = json.loads(line)
        return row


class Runners:
    """The runners of this process: those that wait for work, and those that work."""

    def __init__(self) -> None:
        """None yet."""
        self.lock = Lock()
        self.idle: dict[Settings, list[Runner]] = {}
        self.busy: set[Runner] = set()
        self.is_open = True

    @contextmanager
    def one(self, settings: Settings) -> Iterator[Runner]:
        """A runner that nobody else uses meanwhile: one that is idle, or a new one."""
        with self.lock:
            if not self.is_open:
                raise CancelledError
            waiting = self.idle.setdefault(settings, [])
            runner = waiting.pop() if waiting else Runner(settings)
            self.busy.add(runner)
        try:
            yield runner
        finally:
            with self.lock:
                self.busy.discard(runner)
                if self.is_open and runner.is_alive:
                    waiting.append(runner)
                else:
                    runner.close()

    def open(self) -> None:
        """Let there be runners."""
        self.is_open = True

    def end(self) -> None:
        """End all of them, and let there be no others: pending requests are abandoned."""
        with self.lock:
            self.is_open = False
            for runner in self.busy:
                runner.process.kill()
            for runner in (one for waiting in self.idle.values() for one in waiting):
                runner.close()
            self.idle.clear()


RUNNERS = Runners()


def run_batch(texts: Sequence[str], settings: Settings) -> list[Row]:
    """The rows of some models; this is what an executor is given."""
    rows: list[Row] = []
    while len(rows) < len(texts):
        with RUNNERS.one(settings) as runner:
            while len(rows) < len(texts) and runner.is_alive:
                rows.append(runner.examine_model(texts[len(rows)]))
                if not RUNNERS.is_open:  # the sweep is over
                    raise CancelledError
    return rows


@contextmanager
def start_runners() -> Iterator[None]:
    """Let there be runners in this process for as long as a sweep takes."""
    RUNNERS.open()
    try:
        yield
    finally:
        RUNNERS.end()


def describe_exit(code: int | None) -> str:
    """How a process ended, in words.

    >>> describe_exit(-9), describe_exit(1)
    ('killed by SIGKILL, perhaps for lack of memory', 'exit code 1')
    """
    if code is not None and code < 0:
        name = Signals(-code).name if -code in set(Signals) else f"signal {-code}"
        return f"killed by {name}" + (", perhaps for lack of memory" if -code == 9 else "")
    return f"exit code {code}"


WAIT = 30
"""Seconds in which a scheduler has to answer."""


@contextmanager
def open_client(address: str) -> Iterator[Any]:
    """A connection to a scheduler such as ``tcp://10.0.0.1:8786``, with at least one worker."""
    try:
        from distributed import Client
    except ImportError:
        raise InputError("--dask needs Dask distributed; install it: pip install 'algdim[dask]'") from None
    connect: Any = Client  # it has no annotations
    try:
        connection: Any = connect(address, timeout=WAIT)
    except (OSError, ValueError) as error:
        raise InputError(
            f"no Dask scheduler answers at {address!r} ({error}); start one with `dask scheduler`, and workers with `dask worker {address}`"
        ) from None
    try:
        if not connection.nthreads():
            raise InputError(f"the Dask scheduler {address} has no workers; start some: dask worker {address}")
        yield connection
    finally:
        connection.close()


def count_workers(connection: Any) -> int:
    """How many tasks the cluster does at a time."""
    return sum(connection.nthreads().values())


@contextmanager
def open_dask_executor(connection: Any) -> Iterator[Executor]:
    """The connection as an executor; a task whose worker dies is given to another one, a few times."""
    executor: Executor = connection.get_executor(pure=False)
    yield executor


def main() -> None:
    """Say that it has begun, then answer every line of standard input until there are no more."""
    answers = open_answers()
    settings = Settings(**json.loads(sys.stdin.readline()))
    # what is loaded for a model takes neither the time nor the memory of the first task
    compute_row("2:2,2", Settings())
    answer_lines(answers, lambda text: compute_row(text, settings), settings.max_memory)


def open_answers() -> TextIO:
    """Where a child writes its answers, and nothing else: whatever a library prints is none."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    sys.set_int_max_str_digits(0)  # counts of cells may be long
    return answers


def answer_lines(answers: TextIO, answer: Callable[[Any], Any], max_memory: int | None) -> NoReturn:
    """Say that the child is ready, and answer every line of standard input, for ever; the process ends with its last line."""
    if max_memory is not None:
        set_memory_limit(max_memory)
    answers.write("ready\n")
    answers.flush()
    lines: SimpleQueue[str] = SimpleQueue()
    Thread(target=collect_lines, args=(sys.stdin, lines), daemon=True).start()
    while True:
        answers.write(json.dumps(answer(json.loads(lines.get())), ensure_ascii=False) + "\n")
        answers.flush()


def collect_lines(source: TextIO, lines: SimpleQueue[str]) -> None:
    """Pass lines on, and end the process with the last one, even in the middle of a task."""
    for line in source:
        lines.put(line)
    os._exit(0)


SLACK = 1 << 29
"""Bytes that nobody counts: what threads, allocators and libraries take beside the arrays."""


def set_memory_limit(more: int) -> None:
    """Let the process have so many bytes beyond what libraries take; where the system cannot, `algdim` alone refuses."""
    try:
        import resource
    except ImportError:  # Windows
        return

    try:
        with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123  # no path of the user's
            taken = int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:  # systems without it
        return
    resource.setrlimit(resource.RLIMIT_AS, (taken + SLACK + more, resource.getrlimit(resource.RLIMIT_AS)[1]))


if __name__ == "__main__":
    try:
        main()
    except BrokenPipeError:  # what started it has gone: there is nobody to tell
        os._exit(0)
