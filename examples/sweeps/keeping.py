"""Small results are kept beside the programs that find them: compared with what is found, or written with --write.

Stores of sweeps are made in a folder of their own and deleted; `--stores FOLDER` keeps them, so that a program that was
stopped goes on.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import algdim


def kept(name: str, lines: Sequence[Sequence[object]]) -> None:
    """Compare a table with the file that is kept, or write it."""
    file = Path(__file__).with_name(name)
    text = "".join(
        ",".join(f'"{value}"' if "," in str(value) else str(value) for value in line) + "\n" for line in lines
    )
    if "--write" in sys.argv:
        file.write_text(text, encoding="utf-8")
    assert file.read_text(encoding="utf-8") == text, f"{name} differs from what is found"


@contextmanager
def folder() -> Iterator[Path]:
    """Where stores are made."""
    if "--stores" in sys.argv:
        yield Path(sys.argv[sys.argv.index("--stores") + 1])
        return
    with TemporaryDirectory() as name:
        yield Path(name)


def swept(models: str | Sequence[str], name: str, columns: Sequence[str], **options: Any) -> list[list[Any]]:
    """Sweep models, given as a sweep or one by one, and return columns of all rows; every model must have been done."""
    with folder() as place:
        text = models
        if not isinstance(models, str):
            text = str(place / f"{name}.txt")
            Path(text).write_text("\n".join(models) + "\n", encoding="utf-8")
        store = place / f"{name}.sqlite"
        found = algdim.sweep(text, store, **options)
        print(found)
        assert found.complete
        assert not algdim.query(store, where="outcome != 'done'").rows
        return algdim.query(store, columns=columns).values()
