"""One thread for numpy's BLAS while a function runs, where others have set its number: in somebody's own program.

The command sets variables of the environment before numpy is loaded (`algdim.exact.threads`); in Python numpy is there
already. Fits are many small products: a BLAS with threads takes several times the processors' time for them, and other
last digits. The libraries of numpy's own packages are asked by ctypes, as threadpoolctl would do it; where none of the
known functions is there, nothing is changed.
"""

from __future__ import annotations

import ctypes
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, wraps
from pathlib import Path
from threading import Lock
from typing import ParamSpec, TypeVar

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
def controls() -> tuple[Control, ...]:
    """What says and sets the number of threads of the libraries that numpy has loaded."""
    found = []
    for path in sorted(libraries()):
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


def libraries() -> set[str]:
    """The files: those that the process has loaded, if the system tells, or those that came with numpy."""
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
def one_blas_thread() -> Iterator[None]:
    """One thread inside; the last of those who wanted it puts back what was there before."""
    with Inside.lock:
        if Inside.count == 0:
            Inside.before = tuple(says() for says, _ in controls())
            for (_, sets), number in zip(controls(), Inside.before, strict=True):
                if number != 1:
                    sets(1)
        Inside.count += 1
    try:
        yield
    finally:
        with Inside.lock:
            Inside.count -= 1
            if Inside.count == 0:
                for (_, sets), number in zip(controls(), Inside.before, strict=True):
                    if number != 1:
                        sets(number)


def with_one_blas_thread(function: Callable[P, T]) -> Callable[P, T]:
    """Let a function run with one thread."""

    @wraps(function)
    def run(*arguments: P.args, **named: P.kwargs) -> T:
        with one_blas_thread():
            return function(*arguments, **named)

    return run
