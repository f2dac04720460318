"""Progress of long work on standard error: one overwritten line on a terminal after two seconds, elsewhere a line every 30.

Both come from a thread, so work that reports nothing has them too: then they tell what the allowance of the command says is done.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from threading import Event, Thread
from time import monotonic

from algdim.limits import Allowance

EVERY = 30.0
"""Seconds between lines where there is no terminal, and before the first one."""
AFTER, AGAIN = 2.0, 1.0
"""Seconds before the line of a terminal that tells the age of the work, and until it is written anew."""

WIDTH = 78


@dataclass(slots=True)
class Progress:
    """Where the work of one command says how far it is."""

    command: str
    quiet: bool = False
    said: str = ""
    """The last words; where there is no terminal they wait for the next line."""
    watched: Allowance | None = None
    """What work that has no words of its own is about at the moment."""
    otherwise: str = ""
    """What is said where neither has words."""
    written: bool = field(default=False, init=False)
    finished: bool = field(default=False, init=False)
    """Whether the results are being printed, where nothing may come between."""

    @property
    def terminal(self) -> bool:
        """Whether standard error is a terminal."""
        return sys.stderr is not None and sys.stderr.isatty()

    def say(self, text: str) -> None:
        """Take the words for how far the work is; on a terminal they are seen at once."""
        self.said = text
        if self.terminal and not self.quiet:
            self.written = True
            print(f"\r{text[:WIDTH]:<{WIDTH}}", end="\r", file=sys.stderr)

    def count(self, number: int, total: int, label: str) -> None:
        """Say how many of how many are done, and what the present one is."""
        self.say(f"{number}/{total} {label}")
        if number == total:
            self.wipe()

    def steps(self, number: int, best: float) -> None:
        """Say how far a climb is."""
        self.say(f"step {number}: {best:.6f}")

    def renew(self, seconds: float) -> None:
        """Tell on the terminal how old the work is, unless it says itself how far it is."""
        if not self.said and not self.quiet and not self.finished:
            self.written = True
            print(f"\r{self.line(seconds)[:WIDTH]:<{WIDTH}}", end="\r", file=sys.stderr, flush=True)

    def finish(self) -> None:
        """Take the line off the terminal for good: results are printed now."""
        self.finished = True
        self.wipe()

    def wipe(self) -> None:
        """Take the line off the terminal, before something else is printed there."""
        if self.written:
            print(f"\r{'':<{WIDTH}}", end="\r", file=sys.stderr)
            self.written = False

    def line(self, seconds: float) -> str:
        """A line of a log.

        >>> Progress("sweep", said="3/10 0.5 models/s").line(40.2)
        'algdim sweep: 40 s: 3/10 0.5 models/s'
        """
        doing = self.said or ("" if self.watched is None else self.watched.doing) or self.otherwise
        return f"algdim {self.command}: {format_duration(seconds)}{': ' if doing else ''}{doing}"


@contextmanager
def show_progress(progress: Progress) -> Iterator[Progress]:
    """Let the work be seen while it goes on."""
    ended = Event()
    thread = Thread(target=print_repeatedly, args=(progress, ended, monotonic), name="progress", daemon=True)
    if sys.stderr is not None and not progress.quiet:
        thread.start()
    try:
        yield progress
    finally:
        ended.set()
        if thread.ident is not None:
            thread.join(
                timeout=1
            )  # a line that is being written is not torn; who does not read the log is not waited for
        progress.wipe()


def print_repeatedly(progress: Progress, ended: Event, clock: Callable[[], float]) -> None:
    """Rewrite a line until the work has ended; a log that cannot be written to is no reason to fail."""
    began = clock()
    with suppress(OSError, ValueError):
        if progress.terminal:
            wait = AFTER
            while not ended.wait(wait):
                progress.renew(clock() - began)
                wait = AGAIN
            return
        while not ended.wait(EVERY) and not progress.finished:
            sys.stderr.write(f"{progress.line(clock() - began)}\n")  # in one piece, as others write there too
            sys.stderr.flush()


def format_duration(value: float) -> str:
    """A time in words.

    >>> format_duration(59.4), format_duration(600), format_duration(9000)
    ('59 s', '10 min', '2.5 h')
    """
    if value < 100:
        return f"{value:.0f} s"
    return f"{value / 60:.0f} min" if value < 6000 else f"{value / 3600:.1f} h"
