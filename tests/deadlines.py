"""An end for what must not hang: no test asserts how long something took."""

from __future__ import annotations

import signal
from contextlib import contextmanager


@contextmanager
def ended_after(seconds):
    """Fail what takes more processor time, so that a fault in the amount of work does not hang the tests.

    What is right takes a hundredth of that, and what is wrong a multiple of it, on any machine.
    """

    def stop(*_):
        raise AssertionError(f"not done after {seconds} seconds of processor time")

    if not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
