"""One program in a process of its own: ``python bench/worker.py NAME``, one question and one answer a line, both JSON.

The process stays, so that what is measured is warm; it can be ended where it takes too long, and nobody else waits for
its memory.
"""

from __future__ import annotations

import json
import resource
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from measuring import clock

sys.path += [str(Path(__file__).parents[1]), str(Path(__file__).parents[1] / "tests")]

Question = dict[str, Any]

WAKING = 0.05
"""An answer that took less is given again, in seconds."""


def opponent(question: Question) -> Question:
    """The dimension of a latent class model, and the seconds for table, conversion and rank."""
    module = import_module(f"opponents.{question['program']}")
    value, *seconds = module.dimension(question["classes"], question["items"], question["seed"])
    return {"value": value, "seconds": seconds}


def report(question: Question) -> Question:
    """The dimension of any model by algdim, the whole report; with the peak of memory of the process so far."""
    import algdim

    given = question.get("bounds", "auto")
    began = clock()
    found = algdim.dimension(question["model"], bounds=given, seed=question["seed"])
    seconds = clock() - began
    return {
        "value": found.dimension,
        "seconds": [0.0, 0.0, seconds],
        "standard": found.standard,
        "log_cells": (found.complete + 1).bit_length() - 1,
        "exact": found.exact,
        "by": found.method,
        "megabytes": read_peak(),
    }


def read_peak() -> int:
    """The peak of this process's memory in MB, where the kernel tells it apart from that of the process it was started from."""
    try:
        lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
        return int(next(line for line in lines if line.startswith("VmHWM:")).split()[1]) // 1024
    except (OSError, StopIteration):  # systems without this file, or without this line
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def rank(question: Question) -> Question:
    """The rank of a dense matrix by one program."""
    from ranks import PROGRAMS

    return PROGRAMS[question["program"]](question["size"])


KINDS: dict[str, Callable[[Question], Question]] = {"opponent": opponent, "report": report, "rank": rank}


def main() -> None:
    """Answer until nothing more is asked."""
    for line in sys.stdin:
        question = json.loads(line)
        work = KINDS[question["kind"]]
        try:
            answer = work(question)
            if sum(answer["seconds"]) < WAKING:
                # who has waited finds the processor's memory taken by others; again, with other draws
                answer = work({**question, "seed": question.get("seed", 0) + 1})
        except MemoryError:
            answer = {"failed": "out of memory"}
        except Exception as error:  # noqa: BLE001 - whatever an opponent raises is its answer, and is printed
            answer = {"failed": f"{type(error).__name__}: {error}"[:300]}
        # what a program prints on its own account begins otherwise
        print("ANSWER " + json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
