"""What one command may use, seconds and bytes, and what it left untried because of that: the one place that all searches ask.

A search that only sharpens a proof runs by `sharpen`. What it calls asks `check_time` before each step, and once the seconds
for such searches are over the search ends there: its bound stays open, and its name is kept, to be told. A search that lists
what it finds runs inside `gathering`, asks `has_time`, and keeps what it has. Outside of both nothing is ever ended: a rank
that is asked for takes as long as it takes.

Seconds are those of the processor, which do not depend on what else runs, and those spent in such searches, not those of ranks.
The clock is the allowance's own, so that tests have theirs.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from itertools import count
from math import inf
from time import perf_counter, process_time
from types import FrameType
from typing import TypeVar

from algdim.display.results import Plain
from algdim.errors import InputError, LimitError

SECONDS = 120.0
"""For searches that only sharpen a proof, unless something else is said."""

QUICK = 1e-3
"""Seconds that a look at the processor's clock holds good: it is a call of the system, and takes longer than many a step."""

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Untried(Plain):
    """A search that was not made, or not made to its end, and why."""

    search: str
    reason: str

    def __str__(self) -> str:
        return f"{self.search} ({self.reason})"


class TimeLimitError(LimitError):
    """The seconds for searches that only sharpen a proof are over; `sharpen` takes it."""


class MemoryLimitError(LimitError):
    """What is needed is beyond the memory allowed."""


@dataclass(slots=True, eq=False)
class ProcessorClock:
    """The seconds of the processor, looked at anew when some time has passed by the clock on the wall, which asks no system."""

    seconds: float = 0.0
    looked: float = -inf

    def __call__(self) -> float:
        """The seconds, at most `QUICK` ago."""
        now = perf_counter()
        if now - self.looked >= QUICK:
            self.seconds, self.looked = process_time(), now
        return self.seconds


CLOCK = ProcessorClock()
"""That of the process: many answers that take less than a look are begun between two looks."""


@dataclass(slots=True, eq=False)
class Allowance:
    """The seconds and bytes of one command, what of the seconds is spent, and what is being done."""

    seconds: float = inf
    memory: int | None = None
    clock: Callable[[], float] = CLOCK
    spent: float = field(default=0.0, init=False)
    told: str | Callable[[], str] = field(default="", init=False)
    """What takes time at the moment, or what says it: mostly nobody asks."""
    running: list[tuple[str, ...]] = field(default_factory=list, init=False)
    """The searches that are under way, each called by the one before it, with the searches that they begin with."""
    gathered: int = field(default=0, init=False)
    """How many of these keep what they have."""
    untried: list[Untried] = field(default_factory=list, init=False)
    begun: float = field(default=0.0, init=False)
    """When the first of them began."""
    ended: bool = field(default=False, init=False)
    """Whether the seconds are over."""

    @property
    def doing(self) -> str:
        """What takes time at the moment, for whoever watches."""
        return self.told if isinstance(self.told, str) else self.told()

    def is_over(self) -> bool:
        """Whether a search that is under way has used up the seconds; outside of searches they are not asked for."""
        if not self.running or self.seconds == inf:
            return False
        self.ended = self.ended or self.spent + self.clock() - self.begun >= self.seconds
        return self.ended

    def leave(self, reason: str) -> None:
        """Keep the name of the search that is under way, and of those that it begins with and has not yet done."""
        self.untried.extend(Untried(name, reason) for name in reversed(self.running[-1]))

    @property
    def out_of_time(self) -> str:
        """Why a search was ended."""
        return f"the {self.seconds:g} seconds for searches are over; allow more (--max-seconds)"

    def since(self, known: int) -> tuple[Untried, ...]:
        """What was not tried beyond the first so many, each once."""
        return tuple(dict.fromkeys(self.untried[known:]))

    def begin(self, names: tuple[str, ...]) -> str | Callable[[], str]:
        """Count the seconds of a search from now on, those of searches within it once; what was being done before it."""
        if not self.running:
            self.begun = self.clock()
        before, self.told = self.told, names[0]
        self.running.append(names)
        return before

    def end(self, before: str | Callable[[], str]) -> None:
        """The search that began last is over."""
        self.running.pop()
        self.told = before
        if not self.running:
            self.spent += self.clock() - self.begun


CURRENT: ContextVar[Allowance | None] = ContextVar("allowance", default=None)
"""The allowance of the command at hand: whatever a search calls asks for it, however deep."""


def get_allowance() -> Allowance:
    """The allowance at hand; without limits where there is none."""
    return CURRENT.get() or Allowance()


@dataclass(frozen=True, slots=True, eq=False)
class AllowancePerAnswer:
    """What each answer of a command that gives several may use, and what all of them left untried."""

    seconds: float
    memory: int | None = None
    untried: list[Untried] = field(default_factory=list)

    @property
    def all_untried(self) -> tuple[Untried, ...]:
        """What was not tried, each once."""
        return tuple(dict.fromkeys(self.untried))


PER_ANSWER: ContextVar[AllowancePerAnswer | None] = ContextVar("each", default=None)


@contextmanager
def allowing_each(each: AllowancePerAnswer) -> Iterator[AllowancePerAnswer]:
    """Give every allowance that begins inside, without figures of its own, these ones; the outermost ones hold."""
    outer = PER_ANSWER.get()
    if outer is not None:
        yield outer
        return
    token = PER_ANSWER.set(each)
    try:
        yield each
    finally:
        PER_ANSWER.reset(token)


class allowing:  # noqa: N801 (it is called as a function)
    """Let everything inside share one allowance; the outermost one holds."""

    __slots__ = ("each", "given", "token")

    def __init__(self, allowance: Allowance) -> None:
        self.given = allowance

    def __enter__(self) -> Allowance:
        outer = CURRENT.get()
        self.token = CURRENT.set(self.given) if outer is None else None
        self.each = PER_ANSWER.get()
        return self.given if outer is None else outer

    def __exit__(self, *raised: object) -> None:
        if self.token is None:
            return
        CURRENT.reset(self.token)
        if self.each is not None:
            self.each.untried.extend(self.given.untried)


def check_seconds(seconds: float | None) -> float:
    """The seconds that are meant: what is given, which may be 0 or infinite, or those of each answer, or the default.

    >>> check_seconds(None), check_seconds(0)
    (120.0, 0.0)
    """
    if seconds is None:
        each = PER_ANSWER.get()
        return SECONDS if each is None else each.seconds
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not (seconds >= 0):
        raise InputError(f"max_seconds is {seconds!r}; a number of seconds, 0 or more, is allowed")
    return float(seconds)


def check_time() -> None:
    """End the search that is under way if its seconds are over; where nothing is searched, or found things are kept, go on."""
    allowance = CURRENT.get()
    if allowance is not None and allowance.running and not allowance.gathered and allowance.is_over():
        allowance.leave(allowance.out_of_time)  # whoever takes the error, it is told
        raise TimeLimitError(allowance.out_of_time)


CALLS_BETWEEN_LOOKS = 500
"""Calls of functions between two looks at the clock."""


@contextmanager
def asking_for(library: str) -> Iterator[None]:
    """Ask `check_time` inside again and again, for a library of Python's that knows nothing of it: at calls of its functions.

    Not where somebody traces the program already.
    """
    allowance = CURRENT.get()
    if allowance is None or not allowance.running or allowance.seconds == inf or sys.gettrace() is not None:
        yield
        return
    calls = count(1)

    def look(frame: FrameType, event: str, argument: object) -> None:
        del event, argument
        if next(calls) % CALLS_BETWEEN_LOOKS == 0 and library in frame.f_globals.get("__name__", ""):
            check_time()

    sys.settrace(look)
    try:
        yield
    finally:
        sys.settrace(None)


def has_time() -> bool:
    """Whether a search that keeps what it has may go on; if not, that it was not made to its end is kept."""
    allowance = CURRENT.get()
    if allowance is None or not allowance.is_over():
        return True
    allowance.leave(allowance.out_of_time)
    return False


@dataclass(slots=True, eq=False)
class SharedWork:
    """Steps of computation that searches may still make together, counted and not timed: what they find does not depend on the machine."""

    left: float


WORK: ContextVar[SharedWork | None] = ContextVar("work", default=None)


@contextmanager
def sharing_work(most: float) -> Iterator[None]:
    """Let all searches inside, however deep, share so much work; the outermost one holds, so that it is handed down and not multiplied."""
    if WORK.get() is not None:
        yield
        return
    token = WORK.set(SharedWork(most))
    try:
        yield
    finally:
        WORK.reset(token)


def count_work(steps: float) -> None:
    """Take steps from what is left of the work that is shared, if any is."""
    work = WORK.get()
    if work is not None:
        work.left -= steps


def has_work() -> bool:
    """Whether anything is left of it; always where none is shared."""
    work = WORK.get()
    return work is None or work.left > 0


def sharpen(name: str, search: Callable[[], Result], *begins_with: str) -> Result | None:
    """What a search finds that only sharpens a proof; ``None`` where it would need more seconds or bytes than are allowed.

    If it begins with other searches, which are not made on their own, these are named as well until it calls `mark_first_searches_made`.
    """
    allowance = get_allowance()
    before = allowance.begin((name, *begins_with))
    kept, allowance.gathered = allowance.gathered, 0
    try:
        check_time()
        return search()
    except (TimeLimitError, MemoryLimitError) as error:
        allowance.leave(str(error))
        return None
    finally:
        allowance.gathered = kept
        allowance.end(before)


def mark_first_searches_made() -> None:
    """The searches with which the one under way begins were made: if it is ended from now on, these are not named."""
    allowance = CURRENT.get()
    if allowance is not None and allowance.running and not allowance.ended:
        allowance.running[-1] = allowance.running[-1][:1]


@contextmanager
def gathering(name: str) -> Iterator[None]:
    """A search inside that keeps what it has found when its seconds are over: it asks `has_time`."""
    allowance = get_allowance()
    before = allowance.begin((name,))
    allowance.gathered += 1
    try:
        yield
    finally:
        allowance.gathered -= 1
        allowance.end(before)


class telling:  # noqa: N801 (it is called as a function)
    """Say what takes time inside, for whoever watches."""

    __slots__ = ("allowance", "before", "text")

    def __init__(self, text: str | Callable[[], str]) -> None:
        self.text, self.allowance = text, get_allowance()

    def __enter__(self) -> None:
        self.before, self.allowance.told = self.allowance.told, self.text

    def __exit__(self, *raised: object) -> None:
        self.allowance.told = self.before


def describe_untried(untried: Sequence[Untried]) -> str:
    """One line about what was not tried, searches with one reason together; empty if there are none.

    >>> describe_untried([Untried("koszul", "late"), Untried("trees", "late"), Untried("minors", "large")])
    'not tried, or not to the end: koszul, trees (late); minors (large)'
    """
    reasons: dict[str, list[str]] = {}
    for one in untried:
        reasons.setdefault(one.reason, []).append(one.search)
    texts = [f"{', '.join(dict.fromkeys(names))} ({reason})" for reason, names in reasons.items()]
    return f"not tried, or not to the end: {'; '.join(texts)}" if texts else ""
