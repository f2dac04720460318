"""The command `algdim`, which is `python -m algdim` as well."""

from __future__ import annotations

import atexit
import gc
import os
import signal
import sys
import threading
from types import FrameType

INTERRUPTED = 130
TERMINATED = 143

IMPORTING = "<frozen importlib._bootstrap>"
LATER = 0.02
"""Seconds between two looks whether an import is over."""
NEW_OBJECTS = 100_000
"""So many are made before cycles among them are looked for, which what is imported has none of."""


def main() -> int:
    """Run the command; whoever ends it, by Ctrl-C or a request to end, sees no traceback, whatever is going on."""
    gc.set_threshold(NEW_OBJECTS)
    atexit.register(gc.freeze)  # what is left at the end goes with the process, and is not looked through
    try:
        for number, usual in ((signal.SIGINT, signal.default_int_handler), (signal.SIGTERM, signal.SIG_DFL)):
            if signal.getsignal(number) is usual:
                signal.signal(number, end_command)
        from algdim.cli import main as run

        return run()
    except KeyboardInterrupt:
        print("algdim: interrupted", file=sys.stderr)
        return INTERRUPTED
    finally:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # nothing is left to be cleaned up


def end_command(number: int, frame: FrameType | None) -> None:
    """End as after an error, so that nothing is left that is half written; in the midst of an import, after it.

    Who imports may take the error for an answer, as of a library that is not there, and Python itself may drop it.
    """
    if is_importing(frame):
        later = threading.Timer(LATER, os.kill, [os.getpid(), number])
        later.daemon = True
        later.start()
    elif number == signal.SIGINT:
        raise KeyboardInterrupt
    else:
        sys.exit(TERMINATED)


def is_importing(frame: FrameType | None) -> bool:
    """Whether a module is being imported."""
    while frame is not None and frame.f_code.co_filename != IMPORTING:
        frame = frame.f_back
    return frame is not None


if __name__ == "__main__":
    sys.exit(main())
