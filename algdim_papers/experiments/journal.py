"""What the tasks of an experiment found, kept as they end: a run that was stopped resumes.

A file of lines of JSON: on top what was run, then for each task that ended its key, its result, and the seconds of processor time that it took.
A last line that is not whole was being written when the run was stopped, and is dropped.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from algdim.errors import InputError
from algdim.readers.files import MOST_BYTES
from algdim.wholefiles import write_text


@dataclass(slots=True, eq=False)
class Journal:
    """The tasks of one run that have ended; without a file it remembers them only."""

    file: Path | None
    head: dict[str, Any]
    """What was run: another size, seed or version begins anew."""
    results: dict[str, Any] = field(default_factory=dict)
    seconds: float = 0.0
    """Processor time of the tasks, in all runs."""

    def add(self, key: str, result: Any, seconds: float) -> None:
        """Keep the result of a task, and how long it took."""
        if self.file is not None:
            with self.file.open("a", encoding="utf-8") as opened:
                opened.write(encode_line([key, result, round(seconds, 3)]))
        self.results[key] = result
        self.seconds += seconds

    def remove(self) -> None:
        """The outcome is kept: its tasks need not be."""
        if self.file is not None:
            self.file.unlink(missing_ok=True)


def encode_line(value: Any) -> str:
    """A line of the file."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n"


def make_key(work: Callable[..., Any], task: Any) -> str:
    """A task by what is done and what it is given.

    >>> make_key(make_key, (1, "a"))
    'make_key [1,"a"]'
    """
    return f"{work.__name__} {json.dumps(task, ensure_ascii=False, separators=(',', ':'))}"


def open_journal(file: Path | None, head: dict[str, Any]) -> Journal:
    """What an earlier run of the same kept, ready to go on; else a new file."""
    if file is None:
        return Journal(None, head)
    lines = read_whole_lines(file)
    try:
        first, *rest = map(json.loads, lines or ["null"])
        entries = [(str(key), result, float(seconds)) for key, result, seconds in rest] if first == head else []
    except (ValueError, TypeError, RecursionError) as error:
        raise InputError(f"{file} is not a whole journal ({error}); remove it to run again") from None
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{file.parent}: {error.strerror}") from None
    write_text(file, "".join(map(encode_line, [head, *map(list, entries)])))
    return Journal(file, head, {key: result for key, result, _ in entries}, sum(seconds for *_, seconds in entries))


def read_whole_lines(file: Path) -> list[str]:
    """The lines of a file that end."""
    try:
        with file.open("rb") as opened:
            data = opened.read(MOST_BYTES + 1)
    except FileNotFoundError:
        return []
    except OSError as error:
        raise InputError(f"{file}: {error.strerror}") from None
    if len(data) > MOST_BYTES:
        raise InputError(f"{file} has more than {MOST_BYTES} bytes; remove it to run again")
    return data[: data.rfind(b"\n") + 1].decode("utf-8", "replace").splitlines()
