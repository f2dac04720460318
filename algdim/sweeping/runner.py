"""Worker process: reads model requests and writes results as JSON lines.

It is started by `algdim.sweeping.processes` and ends with its standard input, so that it never outlives what started it,
killed or not. Memory is limited for it alone.
"""

from __future__ import annotations

import json
import os
import sys
from queue import SimpleQueue
from threading import Thread
from typing import TextIO

from algdim.sweeping.tasks import Settings, compute_row


def main() -> None:
    """Say that it has begun, then answer every line of standard input until there are no more."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever a library prints is no answer
    sys.set_int_max_str_digits(0)  # counts of cells may be long
    settings = Settings(**json.loads(sys.stdin.readline()))
    compute_row(
        "2:2,2", Settings()
    )  # what is loaded for a model takes neither the time nor the memory of the first task
    if settings.max_memory is not None:
        set_memory_limit(settings.max_memory)
    answers.write("ready\n")
    answers.flush()
    lines: SimpleQueue[str] = SimpleQueue()
    Thread(target=collect_lines, args=(sys.stdin, lines), daemon=True).start()
    while True:
        answers.write(json.dumps(compute_row(json.loads(lines.get()), settings), ensure_ascii=False) + "\n")
        answers.flush()


def collect_lines(source: TextIO, lines: SimpleQueue[str]) -> None:
    """Pass lines on, and end the process with the last one, even in the middle of a task."""
    for line in source:
        lines.put(line)
    os._exit(0)


SLACK = 1 << 29
"""Bytes that nobody counts: what threads, allocators and libraries take beside the arrays."""


def set_memory_limit(more: int) -> None:
    """Let the process have this many bytes beyond what libraries take; where the system cannot, `algdim` alone refuses."""
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
