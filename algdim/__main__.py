"""The command `algdim`, which is `python -m algdim` as well."""

from __future__ import annotations

import signal
import sys
from types import FrameType

INTERRUPTED = 130
TERMINATED = 143


def main() -> int:
    """Run the command; whoever ends it, by Ctrl-C or a request to end, sees no traceback, whatever is going on."""
    try:
        if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
            signal.signal(signal.SIGTERM, raise_on_signal)
        from algdim.cli import main as run

        return run()
    except KeyboardInterrupt:
        print("algdim: interrupted", file=sys.stderr)
        return INTERRUPTED
    finally:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # nothing is left to be cleaned up


def raise_on_signal(number: int, frame: FrameType | None) -> None:
    """End as after an error, so that nothing is left that is half written."""
    del number, frame
    sys.exit(TERMINATED)


if __name__ == "__main__":
    sys.exit(main())
