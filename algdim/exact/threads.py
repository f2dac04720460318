"""How many threads share one large matrix, and that there are no others.

Tiles of a product are handed to threads of our own, each with a BLAS of one thread. Tiles are independent and exact, so
nothing depends on how many threads there are. A BLAS with threads of its own would split every small product and wait
for the slowest part each time; with other programs on the same processors that takes many times as long.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from functools import cache
from typing import TYPE_CHECKING, TypeVar

from algdim.errors import InputError

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

VARIABLE = "ALGDIM_THREADS"
NUMBER = r"[1-9][0-9]{0,5}"
BLAS_VARIABLES = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
GIVEN = {name: os.environ[name] for name in (VARIABLE, *BLAS_VARIABLES) if name in os.environ}
"""What the environment said before `set_threads` changed it."""

Item = TypeVar("Item")


def threads() -> int:
    """The number of threads that share a large matrix: what ``ALGDIM_THREADS`` says, or one."""
    text = os.environ.get(VARIABLE, "1")
    if not re.fullmatch(NUMBER, text):
        raise InputError(f"{VARIABLE} is {text!r}; a number from 1 to 999999 is allowed")
    return int(text)


def set_threads(count: int | None = None) -> None:
    """Use so many threads, by default all processors unless the environment says less; before numpy is loaded."""
    if count is not None:
        os.environ[VARIABLE] = str(count)
    elif VARIABLE not in os.environ:
        said = [os.environ.get(name, "") for name in BLAS_VARIABLES]
        limits = [int(text) for text in said if re.fullmatch(r"[0-9]{1,6}", text)]
        os.environ[VARIABLE] = str(max(1, min([processors(), *limits])))
    os.environ.update(dict.fromkeys(BLAS_VARIABLES, "1"))


def processors() -> int:
    """The number of processors that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # systems without the question
        return os.cpu_count() or 1


def in_parallel(work: Callable[[Item], None], items: Iterable[Item]) -> None:
    """Do independent pieces of work, shared among the threads if there are several of both."""
    pieces = list(items)
    count = min(threads(), len(pieces)) if len(pieces) > 1 else 1
    if count == 1:
        for piece in pieces:
            work(piece)
        return
    for _ in pool(count, os.getpid()).map(work, pieces):
        pass


@cache
def pool(count: int, process: int) -> ThreadPoolExecutor:
    """Threads that wait for work; a forked process has none of its parent's."""
    from concurrent.futures import ThreadPoolExecutor

    del process
    return ThreadPoolExecutor(count, thread_name_prefix="algdim")
