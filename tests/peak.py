"""Run one command, or answer one question of the studio, and print at the end the peak of the memory of its processes, in bytes."""

from __future__ import annotations

import json
import re
import resource
import sys
from pathlib import Path

from algdim.cli import main


def find_peak() -> int:
    """The kernel's own count for this process, which getrusage begins with the size of its parent, and for those that it began."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    (kilobytes,) = re.findall(r"^VmHWM:\s+(\d+) kB$", status, re.MULTILINE)
    return 1024 * max(int(kilobytes), resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)


def run(words: list[str]) -> int:
    """The exit code of a command; for the studio, whose words are one question, that of its answer."""
    if words[0] != "studio":
        return main(words)
    from algdim.studio.answering import answer_question

    answer = answer_question(json.loads(words[1]))
    print(answer.get("error", ""))
    return 3 if answer.get("kind") == "limit" else 0


if __name__ == "__main__":
    code = run(sys.argv[1:])
    sys.stderr.flush()
    print(f"\nexit {code}, peak {find_peak()}")
