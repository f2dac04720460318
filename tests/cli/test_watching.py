"""`algdim check --watch`: a file is checked whenever it changes."""

from __future__ import annotations

from algdim.cli.checking import watch_file
from algdim.errors import InputError


def test_a_file_is_watched(tmp_path, capsys):
    """It is checked when it changes, an error does not end that, an interrupt does."""
    path = tmp_path / "a.md"
    steps = iter(
        [
            lambda: path.write_text("two", encoding="utf-8"),
            lambda: None,
            path.unlink,
            lambda: path.write_text("three!", encoding="utf-8"),
        ]
    )
    seen = []

    def run():
        seen.append(path.read_text(encoding="utf-8") if path.exists() else "")
        if not seen[-1]:
            raise InputError("it is gone")
        return len(seen[-1])

    def wait(seconds):
        step = next(steps, None)
        if step is None:
            raise KeyboardInterrupt
        step()

    path.write_text("one…", encoding="utf-8")
    assert watch_file(str(path), run, wait) == len("three!")
    assert ["one…", "two", "", "three!"] == seen
    assert "it is gone" in capsys.readouterr().err
