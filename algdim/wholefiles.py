"""Write files completely or not at all: beside the target first, then in its place."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from algdim.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path


def write_text(target: str | os.PathLike[str], text: str) -> None:
    """Write a text file; who is interrupted leaves what was there before, and nothing else."""
    with open_replacement(target) as (path, number):
        if number is None:
            path.write_text(text, encoding="utf-8")
        else:
            with open(number, "w", encoding="utf-8", closefd=False) as file:
                file.write(text)


@contextmanager
def replace_whole_file(target: str | os.PathLike[str]) -> Iterator[Path]:
    """Give the path of a file to write, which takes the target's place when all is written.

    A target that is no file, such as a terminal or a pipe, is written itself.
    """
    with open_replacement(target) as (path, _):
        yield path


@contextmanager
def open_replacement(target: str | os.PathLike[str]) -> Iterator[tuple[Path, int | None]]:
    """The path, and the number of the file, which is there and empty; none of what is no file."""
    import secrets
    from pathlib import Path

    try:
        place = Path(os.path.realpath(target))  # a link stays a link
        if place.exists() and not place.is_file():
            yield Path(target), None
            return
        mode = place.stat().st_mode & 0o7777 if place.exists() else None
        beside = place.with_name(f".algdim-{secrets.token_hex(8)}")
        # whatever stands there, a link above all, is not ours; who may not read the target may not read this
        number = os.open(beside, os.O_RDWR | os.O_CREAT | os.O_EXCL | NO_LINK, 0o666 if mode is None else 0o600)
        try:
            if mode is not None:
                os.fchmod(number, mode | 0o600)
            yield beside, number
            if not os.path.samestat(os.fstat(number), beside.lstat()):
                raise OSError(None, "another program replaced the new file")
            if mode is not None:
                os.fchmod(number, mode)
            os.fsync(number)  # a machine that stops after the renaming has the content too
            beside.replace(place)
        finally:
            os.close(number)
            beside.unlink(missing_ok=True)
    except (OSError, ValueError) as error:  # ValueError: a null character in the path
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{os.fspath(target)} cannot be written: {reason}; name another file") from None


NO_LINK = getattr(os, "O_NOFOLLOW", 0)  # not on Windows


def find_state(path: str) -> tuple[int, int] | None:
    """When a file was changed and how long it is; nothing if it is not there."""
    from pathlib import Path

    try:
        state = Path(path).stat()
    except OSError:
        return None
    return state.st_mtime_ns, state.st_size
