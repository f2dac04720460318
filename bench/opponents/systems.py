"""What the programs that are started from outside share: the limit of time, and the reading of their answer."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

MISSING = "is not on the path"


class NoAnswerError(Exception):
    """A program ended without an answer; the message holds what it wrote."""


def missing(program: str) -> str:
    """Why a program cannot be started; empty if it can."""
    return "" if shutil.which(program) else MISSING


def answer(command: Sequence[str], script: str, suffix: str) -> tuple[int, float]:
    """Run a script that prints ``answer VALUE SECONDS``, the seconds being its own after everything was loaded."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"question{suffix}"
        file.write_text(script, encoding="utf-8")
        ended = subprocess.run(
            [*command, str(file)],
            capture_output=True,
            text=True,
            check=False,
            stdin=subprocess.DEVNULL,
            env={**os.environ, "GC_MARKERS": "1"},  # Macaulay2's collector has threads of its own
            encoding="utf-8",
        )
    found = re.search(r"^answer (\d+) ([0-9.e-]+)", ended.stdout, re.MULTILINE)
    if ended.returncode or found is None:
        raise NoAnswerError(f"{command[0]} ended with {ended.returncode}: {ended.stdout[-500:]}{ended.stderr[-500:]}")
    return int(found[1]), float(found[2])


def braces(numbers: Sequence[int]) -> str:
    """A list of numbers as Macaulay2 writes it."""
    return "{" + ", ".join(map(str, numbers)) + "}"
