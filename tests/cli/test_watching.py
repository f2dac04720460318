"""`algdim check --watch`: a file is checked whenever it changes."""

from __future__ import annotations

import json

from algdim.cli import checking, main
from algdim.cli.checking import watch_files
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
    assert watch_files(str(path), [str(path)], run, wait) == len("three!")
    assert ["one…", "two", "", "three!"] == seen
    assert "it is gone" in capsys.readouterr().err


def test_files_that_claims_name_are_watched(tmp_path, capsys, monkeypatch):
    """Parameters that change are read again, and the verdict is that of the new ones."""
    point, path = tmp_path / "point.json", tmp_path / "a.csv"
    rows, same = [["1/5", "4/5"], ["1/7", "6/7"]], [["1/5", "4/5"], ["1/5", "4/5"]]
    table = {"H": [["1/3", "2/3"]], "X1": rows, "X2": rows}
    point.write_text(json.dumps(table), encoding="utf-8")
    path.write_text('model,quantity,printed,at\n"2:2,2",rank,3,point.json\n', encoding="utf-8")
    steps = iter([lambda: point.write_text(json.dumps(table | {"X1": same, "X2": same}), encoding="utf-8")])

    def wait(seconds):
        step = next(steps, None)
        if step is None:
            raise KeyboardInterrupt
        step()

    monkeypatch.setattr(checking.watch_files, "__defaults__", (wait,))
    assert main(["check", str(path), "--watch"]) == 1
    out, errors = capsys.readouterr()
    assert (1, 1, 2) == (out.count("1 confirmed"), out.count("1 refuted"), errors.count("watching"))


def test_a_table_has_its_notes_beside_it(tmp_path, capsys):
    """What a form has no place for, and what a file has, is said on standard error, unless one wants quiet."""
    path = tmp_path / "a.md"
    path.write_text("|a|b|\n|-|-|\n|1|2|\n\n|model|df|\n|-|-|\n|2:2|0|\n", encoding="utf-8")

    assert main(["check", str(path), "--latex"]) == 0
    assert "algdim: not read: the table at line 1" in capsys.readouterr().err
    assert main(["check", str(path), "-o", str(tmp_path / "x.tex")]) == 0
    assert "1 claim: 1 confirmed" in capsys.readouterr().err
    assert main(["check", str(path), "-o", str(tmp_path / "x.tex"), "--quiet"]) == 0
    assert capsys.readouterr().err == ""
