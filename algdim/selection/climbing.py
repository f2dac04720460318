"""Hill-climbing over structures: steps to the best neighbour, what was scored on the way, and a file from which a search resumes.

What is climbed over is any value that can be hashed; a judge says what it is worth. The file is a line of JSON for each
value, below a line that says of which search it is. A search that is ended loses the line that it was writing and no
other: started again with the same file, it takes the same way and scores nothing twice.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from math import inf, isfinite
from pathlib import Path
from typing import Any, Generic, TypeVar

from algdim.about import VERSION
from algdim.errors import InputError
from algdim.exact.draws import draw_integers, open_stream
from algdim.figures import format_count, format_integer
from algdim.fitting.tabulardata import Columns
from algdim.wholefiles import write_text

FORMAT = "algdim-search-1"
SHOWN = 10
"""The best of all that were scored are the candidates of a selection."""
MOST_FILE_BYTES = 1 << 28
RESTARTS = 10
MOST_SCORED = 1_000_000

State = TypeVar("State")


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a search has to know of a candidate: the score that decides, the dimension, the number of parameters."""

    value: float
    dimension: int
    standard: int

    def __add__(self, other: Judgement) -> Judgement:
        """Of two independent parts together."""
        return Judgement(self.value + other.value, self.dimension + other.dimension, self.standard + other.standard)


NOTHING = Judgement(0.0, 0, 0)
"""Of no parts."""


def prefer(judged: Sequence[tuple[State, Judgement]], tolerance: float) -> State:
    """The one with the greatest value; of those of its dimension within the tolerance the smallest, the first of equals.

    >>> prefer([("a", Judgement(-1.0, 3, 5)), ("b", Judgement(-1.05, 3, 4)), ("c", Judgement(-1.01, 2, 2))], 0.1)
    'b'
    """
    best = max((one for _, one in judged), key=lambda one: one.value)
    equal = [
        (state, one) for state, one in judged if one.dimension == best.dimension and one.value >= best.value - tolerance
    ]
    return min(equal, key=lambda pair: (pair[1].standard, -pair[1].value))[0]


@dataclass(frozen=True, slots=True)
class Climb(Generic[State]):
    """The way of a search, from its start to where no neighbour is better, and all that was scored."""

    way: tuple[State, ...]
    judged: dict[State, Judgement]

    def list_best(self, most: int = SHOWN) -> list[State]:
        """Where the search ended, and the best of the others, from the worst to the best."""
        end = self.way[-1]
        others = sorted((state for state in self.judged if state != end), key=lambda one: -self.judged[one].value)
        return sorted([end, *others[: most - 1]], key=lambda one: self.judged[one].value)


def prefer_by_gain(judged: Sequence[tuple[State, Judgement]], tolerance: float) -> State:
    """Of those that are preferred to the first one, the one that gains most for each dimension that it adds.

    By the gain alone a step that adds many parameters at once would be taken before several small ones that gain more
    together: a state more of one hidden variable of many items before a second hidden variable.

    >>> prefer_by_gain([("a", Judgement(-9.0, 3, 3)), ("b", Judgement(-1.0, 9, 9)), ("c", Judgement(-5.0, 4, 4))], 0.1)
    'c'
    """
    first = judged[0]
    better = [one for one in judged[1:] if prefer([first, one], tolerance) == one[0]]
    return max(better, key=lambda one: compute_gain(first[1], one[1]), default=first)[0]


def compute_gain(before: Judgement, after: Judgement) -> float:
    """What a step gains for each dimension that it adds."""
    return (after.value - before.value) / max(1, after.dimension - before.dimension)


def climb(
    start: State,
    iterate_neighbours: Callable[[State], Iterable[State]],
    judge: Callable[[State], Judgement],
    choose: Callable[[Sequence[tuple[State, Judgement]]], State],
    judged: dict[State, Judgement] | None = None,
) -> Climb[State]:
    """From the start to the chosen neighbour, until nothing that was not visited is chosen; each is judged once.

    >>> worth = lambda n: Judgement(-float(n * n), 1, 1)
    >>> found = climb(3, lambda n: (n - 1, n + 1), worth, lambda some: prefer(some, 0.0))
    >>> found.way, sorted(found.judged)
    ((3, 2, 1, 0), [-1, 0, 1, 2, 3, 4])
    """
    judged = {} if judged is None else judged
    way = [start]
    if start not in judged:
        judged[start] = judge(start)
    while judged[start].value > -inf:
        here = way[-1]
        nearby = dict.fromkeys(one for one in iterate_neighbours(here) if one not in way)
        for one in nearby:
            if one not in judged:
                judged[one] = judge(one)
        then = choose([(one, judged[one]) for one in (here, *nearby)])
        if then == here:
            break
        way.append(then)
    return Climb(tuple(way), judged)


def climb_again(
    found: Climb[State],
    iterate_neighbours: Callable[[State], Iterable[State]],
    judge: Callable[[State], Judgement],
    choose: Callable[[Sequence[tuple[State, Judgement]]], State],
    seed: int | str,
    kicks: int,
) -> Climb[State]:
    """Climb from places some random steps away from where a climb ended; the climb that ended best, with all that was judged.

    Where a first step in a wrong direction cannot be taken back one by one, as the direction of an edge, this leads out.
    """
    for again in range(RESTARTS):
        here, stream = found.way[-1], open_stream(seed, "search", again)
        for number in draw_integers(stream, 0, MOST_SCORED, kicks):
            nearby = list(iterate_neighbours(here))
            here = nearby[number % len(nearby)] if nearby else here
        other = climb(here, iterate_neighbours, judge, choose, found.judged)
        ends = [(one, found.judged[one]) for one in (found.way[-1], other.way[-1])]
        if choose(ends) != found.way[-1]:
            found = other
    return found


@dataclass(slots=True)
class Journal:
    """What is known of candidates, by their texts; with a path it is kept in a file, and taken up from it."""

    about: dict[str, Any]
    """What decides the values: a file about something else is refused."""
    path: Path | None = None
    known: dict[str, Judgement] = field(default_factory=dict)
    taken_up: int = 0
    """Lines that were there before."""

    def __post_init__(self) -> None:
        if self.path is None:
            return
        try:
            if self.path.exists() and self.path.stat().st_size:
                self.take_up(self.path)
            else:
                write_text(self.path, f"{json.dumps(self.about)}\n")
        except (OSError, ValueError) as error:
            raise InputError(
                f"{self.path} cannot be used: {getattr(error, 'strerror', None) or error}; name another file"
            ) from None

    def take_up(self, path: Path) -> None:
        """Read what an earlier search of the same kind wrote; cut off a line that was not finished."""
        if path.stat().st_size > MOST_FILE_BYTES:
            raise InputError(
                f"{path} has {format_integer(path.stat().st_size)} bytes; at most {format_integer(MOST_FILE_BYTES)} are read"
            )
        data = path.read_bytes()
        whole = data[: data.rfind(b"\n") + 1]
        lines = whole.decode("utf-8", errors="replace").splitlines()
        head = decode_line(lines[0]) if lines else None
        if not isinstance(head, dict) or head.get("format") != FORMAT:
            raise InputError(f"{path} holds no search of algdim; name a file that one wrote, or a new one")
        for key, value in self.about.items():
            if head.get(key) != value:
                raise InputError(
                    f"{path} is of a search with {key} {head.get(key)}, not {value}; give the same, or name another file"
                )
        for number, line in enumerate(lines[1:], 2):
            row = decode_line(line)
            if not isinstance(row, dict):
                raise InputError(f"{path}, line {number} is no line of a search; name another file")
            self.known[str(row.get("model"))] = read_judgement(row, f"{path}, line {number}")
        self.taken_up = len(self.known)
        if len(whole) < len(data):
            os.truncate(path, len(whole))

    def look_up(self, text: str, judge: Callable[[], Judgement]) -> Judgement:
        """What is known of a candidate, or what is found of it now, which is written down."""
        if text not in self.known:
            if len(self.known) >= MOST_SCORED:
                raise InputError(
                    f"{format_integer(MOST_SCORED)} candidates are scored, and no more are allowed; choose fewer items"
                )
            found = judge()
            self.known[text] = found
            if self.path is not None:
                value = found.value if isfinite(found.value) else None
                row = {"model": text, "value": value, "dimension": found.dimension, "standard": found.standard}
                with self.path.open("a", encoding="utf-8") as file:
                    file.write(f"{json.dumps(row)}\n")
        return self.known[text]

    def describe(self) -> str:
        """How many were scored, and how many of them before."""
        before = f", {format_integer(self.taken_up)} of them before" if self.taken_up else ""
        return f"{format_count(len(self.known), 'candidate')} scored{before}"


def decode_line(line: str) -> Any:
    """The value of a line of JSON, or nothing if it has none."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def read_judgement(row: dict[str, Any], place: str) -> Judgement:
    """The numbers of a line."""
    value, counts = row.get("value"), [row.get("dimension"), row.get("standard")]
    right = value is None or (isinstance(value, float) and isfinite(value))
    if not right or not all(type(one) is int and one >= 0 for one in counts):
        raise InputError(f"{place}: a value and two counts are expected; name another file")
    return Judgement(-inf if value is None else value, *(one for one in counts if type(one) is int))


def describe_search(kind: str, data: Columns, options: dict[str, Any]) -> dict[str, Any]:
    """What decides the values of a search: its kind, the version, the data by their digest, the options."""
    digest = hashlib.sha256(json.dumps([data.names, data.columns]).encode("utf-8")).hexdigest()
    return {"format": FORMAT, "version": VERSION, "search": kind, "data": digest, **options}
