"""Asking programs that run in processes of their own (`worker`), each answer within a limit of time and memory."""

from __future__ import annotations

import contextlib
import json
import os
import resource
import select
import signal
import subprocess
import sys
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import Any, Self

MOST_BYTES = 8 << 30
PREFIX = b"ANSWER "


class Program:
    """A program that is started at the first question, and ended when it does not answer in time."""

    def __init__(self, limit: float) -> None:
        self.limit = limit
        self.environment: dict[str, str] = {}
        self.process: subprocess.Popen[bytes] | None = None
        self.buffer = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()

    def ask(self, **question: Any) -> dict[str, Any]:
        """The answer, or ``{"failed": reason}``."""
        process = self.process or self.start()
        assert process.stdin is not None  # noqa: S101 (both are pipes)
        process.stdin.write(json.dumps(question).encode() + b"\n")
        process.stdin.flush()
        until = monotonic() + self.limit
        while (answer := self.read(until)) is not None:
            if answer.startswith(PREFIX):
                found: dict[str, Any] = json.loads(answer.removeprefix(PREFIX))
                return found
        ended = process.poll()
        self.end()
        return {"failed": f"no answer within {self.limit:g} s" if ended is None else f"it ended with {ended}"}

    def start(self) -> subprocess.Popen[bytes]:
        """Start the process, in a group of its own so that what it starts ends with it."""
        self.process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("worker.py"))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            env={**os.environ, **self.environment},
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES)),  # noqa: PLW1509 (one thread)
        )
        self.buffer = b""
        return self.process

    def read(self, until: float) -> bytes | None:
        """The next line, ``None`` if there is none in time or the process has ended."""
        assert self.process is not None and self.process.stdout is not None  # noqa: S101, PT018 (it was started)
        stream = self.process.stdout.fileno()
        while b"\n" not in self.buffer:
            ready, _, _ = select.select([stream], [], [], max(0.0, until - monotonic()))
            piece = os.read(stream, 1 << 16) if ready else b""
            if not piece:
                return None
            self.buffer += piece
        line, _, self.buffer = self.buffer.partition(b"\n")
        return line

    def end(self) -> None:
        """End the process and what it started."""
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.communicate()
            self.process = None
