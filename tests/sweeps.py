"""Sweeps as commands of their own, for tests that stop, kill and resume them."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

ROOT = Path(__file__).parents[1]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}


def started(*words, **options):
    """Start `algdim sweep` with two workers."""
    command = [sys.executable, "-m", "algdim", "sweep", *map(str, words), "--workers", "2"]
    return subprocess.Popen(
        command,
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        stdin=subprocess.DEVNULL,
        **options,
        encoding="utf-8",
    )


def finished(*words):
    """Let a sweep run to its end and return what it says."""
    process = started(*words)
    out, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    return out


def rows_without_times(path):
    """All rows of a store by model, read by SQLite alone, with everything but the times."""
    with closing(sqlite3.connect(f"{Path(path).as_uri()}?mode=ro", uri=True, timeout=10)) as connection:
        connection.row_factory = sqlite3.Row
        found = [dict(row) for row in connection.execute("SELECT * FROM results")]
    return {row["model"]: {name: value for name, value in row.items() if name != "seconds"} for row in found}


def row_count(path):
    """How many rows a store has, 0 if there is none yet."""
    try:
        return len(rows_without_times(path))
    except sqlite3.OperationalError:
        return 0
