"""Print the peak of the memory of a process with one call, in bytes, or the refusal."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import algdim


def main() -> None:
    """The words of the command line: the question, for a dimension with its method, the model, the limit."""
    question, text, limit = sys.argv[1:]
    name, _, method = question.partition(" ")
    options = {"method": method, "bounds": "counting,ambient"} if method else {}
    try:
        str(getattr(algdim, name)(text, max_memory=int(limit), **options))
        # the kernel's own count; what getrusage says is at least the size of the process that began this one
        (kilobytes,) = re.findall(
            r"^VmHWM:\s+(\d+) kB$", Path("/proc/self/status").read_text(encoding="utf-8"), re.MULTILINE
        )
        print(int(kilobytes) * 1024)
    except algdim.LimitError as error:
        print(f"refused {error}")


if __name__ == "__main__":
    main()
