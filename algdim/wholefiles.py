"""Write files completely or not at all: beside the target first, then in its place."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from algdim.errors import InputError


def write_text(target: str | os.PathLike[str], text: str) -> None:
    """Write a text file; who is interrupted leaves what was there before, and nothing else."""
    with whole_file(target) as path:
        path.write_text(text, encoding="utf-8")


@contextmanager
def whole_file(target: str | os.PathLike[str]) -> Iterator[Path]:
    """Give the path of a file to write, which takes the target's place when all is written.

    A target that is no file, such as a terminal or a pipe, is written itself.
    """
    try:
        place = Path(os.path.realpath(target))  # a link stays a link
        if place.exists() and not place.is_file():
            yield Path(target)
            return
        beside = place.with_name(f".{place.name[:200]}.{os.getpid()}")
        try:
            yield beside
            if place.exists():
                beside.chmod(place.stat().st_mode & 0o7777)
            with beside.open("rb") as file:
                os.fsync(file.fileno())  # a machine that stops after the renaming has the content too
            beside.replace(place)
        finally:
            beside.unlink(missing_ok=True)
    except (OSError, ValueError) as error:  # ValueError: a null character in the path
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{os.fspath(target)} cannot be written: {reason}; name another file") from None
