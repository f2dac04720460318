"""Print the peak of the memory of one call of `dimension`, in bytes, or the refusal; both after what was used before it."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import algdim


def main() -> None:
    """The words of the command line: the model, the method, the limit."""
    text, method, limit = sys.argv[1:]
    algdim.dimension("2:2,2", method=method)  # libraries are loaded
    try:
        algdim.dimension(text, method=method, bounds="counting,ambient", max_memory=int(limit))
        # the kernel's own count; what getrusage says is at least the size of the process that began this one
        (kilobytes,) = re.findall(
            r"^VmHWM:\s+(\d+) kB$", Path("/proc/self/status").read_text(encoding="utf-8"), re.MULTILINE
        )
        print(int(kilobytes) * 1024)
    except algdim.LimitError as error:
        print(f"refused {error}")


if __name__ == "__main__":
    main()
