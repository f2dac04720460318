"""How many threads share one large matrix, and that there are no others.

Tiles of a product are handed to threads of our own, each with a BLAS of one thread. Tiles are independent and exact, so
nothing depends on how many threads there are. A BLAS with threads of its own would split every small product and wait
for the slowest part each time; with other programs on the same processors that takes many times as long.

The command sets variables of the environment before numpy is loaded. In somebody's own program numpy is there already,
and `take_one_thread` sets the number while a function runs: fits are many small products, for which a BLAS with threads takes
several times the processors' time, and gives other last digits. The libraries of numpy's own packages are asked by
ctypes, as threadpoolctl would do it; where none of the known functions is there, nothing is changed.
"""

from __future__ import annotations

import ctypes
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache, wraps
from threading import Lock
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from algdim.errors import InputError

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

VARIABLE = "ALGDIM_THREADS"
NUMBER = r"[1-9][0-9]{0,5}"
BLAS_VARIABLES = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
GIVEN = {name: os.environ[name] for name in (VARIABLE, *BLAS_VARIABLES) if name in os.environ}
"""What the environment said before `set_threads` changed it."""

Item = TypeVar("Item")


def count_threads() -> int:
    """The number of threads that share a large matrix: what ``ALGDIM_THREADS`` says, or one."""
    text = os.environ.get(VARIABLE, "1")
    if not re.fullmatch(NUMBER, text):
        raise InputError(f"{VARIABLE} is {text!r}; a number from 1 to 999999 is allowed")
    return int(text)


def set_threads(count: int | None = None) -> None:
    """Use this many threads, by default all processors unless the environment says less; before numpy is loaded."""
    if count is not None:
        os.environ[VARIABLE] = str(count)
    elif VARIABLE not in os.environ:
        said = [os.environ.get(name, "") for name in BLAS_VARIABLES]
        limits = [int(text) for text in said if re.fullmatch(r"[0-9]{1,6}", text)]
        os.environ[VARIABLE] = str(max(1, min([count_processors(), *limits])))
    os.environ.update(dict.fromkeys(BLAS_VARIABLES, "1"))


def count_processors() -> int:
    """The number of processors that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # systems without the question
        return os.cpu_count() or 1


def run_in_parallel(work: Callable[[Item], None], items: Iterable[Item]) -> None:
    """Do independent pieces of work, shared among the threads if there are several of both."""
    pieces = list(items)
    count = min(count_threads(), len(pieces)) if len(pieces) > 1 else 1
    if count == 1:
        for piece in pieces:
            work(piece)
        return
    for _ in make_pool(count, os.getpid()).map(work, pieces):
        pass


@cache
def make_pool(count: int, process: int) -> ThreadPoolExecutor:
    """Threads that wait for work; a forked process has none of its parent's."""
    from concurrent.futures import ThreadPoolExecutor

    del process
    return ThreadPoolExecutor(count, thread_name_prefix="algdim")


P = ParamSpec("P")
T = TypeVar("T")

OPENBLAS = [
    f"{before}openblas_{{}}_num_threads{after}" for before in ("", "scipy_") for after in ("", "64_", "_64", "64")
]
NAMES = (
    *((name.format("get"), name.format("set")) for name in OPENBLAS),
    ("MKL_Get_Max_Threads", "MKL_Set_Num_Threads"),
    ("bli_thread_get_num_threads", "bli_thread_set_num_threads"),
)
"""How libraries call what says the number of threads, and what sets it."""

LIBRARY = re.compile(r"(?:openblas|mkl_rt|blis)[^/\\]*\.(?:so|dylib|dll)", re.IGNORECASE)

Control = tuple[Callable[[], int], Callable[[int], object]]


@cache
def find_controls() -> tuple[Control, ...]:
    """What says and sets the number of threads of the libraries that numpy has loaded."""
    found = []
    for path in sorted(find_libraries()):
        try:
            library = ctypes.CDLL(path)
        except OSError:
            continue
        for says, sets in NAMES:
            if hasattr(library, says) and hasattr(library, sets):
                getattr(library, sets).argtypes, getattr(library, sets).restype = [ctypes.c_int], None
                getattr(library, says).argtypes, getattr(library, says).restype = [], ctypes.c_int
                found.append((getattr(library, says), getattr(library, sets)))
                break
    return tuple(found)


def find_libraries() -> set[str]:
    """The files: those that the process has loaded, if the system tells, or those that came with numpy."""
    from pathlib import Path

    maps = Path("/proc/self/maps")
    if sys.platform == "linux" and maps.exists():
        lines = maps.read_text(encoding="utf-8", errors="replace").splitlines()
        paths = {line[line.index("/") :] for line in lines if "/" in line}
    else:
        import numpy as np

        package = Path(np.__file__).parent
        paths = {
            str(path) for folder in (package / ".dylibs", package.with_name("numpy.libs")) for path in folder.glob("*")
        }
    return {path for path in paths if LIBRARY.search(path)}


class Inside:
    """How many callers want one thread at the moment, and what there was before the first of them."""

    lock = Lock()
    count = 0
    before: tuple[int, ...] = ()


@contextmanager
def take_one_thread() -> Iterator[None]:
    """One thread inside; the last of those who wanted it puts back what was there before."""
    with Inside.lock:
        if Inside.count == 0:
            Inside.before = tuple(says() for says, _ in find_controls())
            for (_, sets), number in zip(find_controls(), Inside.before, strict=True):
                if number != 1:
                    sets(1)
        Inside.count += 1
    try:
        yield
    finally:
        with Inside.lock:
            Inside.count -= 1
            if Inside.count == 0:
                for (_, sets), number in zip(find_controls(), Inside.before, strict=True):
                    if number != 1:
                        sets(number)


def run_with_one_thread(function: Callable[P, T]) -> Callable[P, T]:
    """Let a function run with one thread."""

    @wraps(function)
    def run(*arguments: P.args, **named: P.kwargs) -> T:
        with take_one_thread():
            return function(*arguments, **named)

    return run
