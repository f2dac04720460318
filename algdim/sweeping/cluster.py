"""An executor of Dask distributed: the workers of a scheduler that runs already."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import Any

from algdim.errors import InputError

WAIT = 30
"""Seconds in which a scheduler has to answer."""


@contextmanager
def client(address: str) -> Iterator[Any]:
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


def worker_count(connection: Any) -> int:
    """How many tasks the cluster does at a time."""
    return sum(connection.nthreads().values())


@contextmanager
def dask_executor(connection: Any) -> Iterator[Executor]:
    """The connection as an executor; a task whose worker dies is given to another one, a few times."""
    executor: Executor = connection.get_executor(pure=False)
    yield executor
