"""Files that commands write are whole or as they were, whatever happens meanwhile."""

import ast
import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from packages import ROOT, modules
from sources import nodes_of

from algdim import InputError
from algdim.cli import main
from algdim.wholefiles import replace_whole_file, write_text

SLOWLY = """
import signal, sys, time
from algdim.wholefiles import replace_whole_file
signal.signal(signal.SIGINT, signal.default_int_handler)  # which a job in the background would ignore
try:
    with replace_whole_file(sys.argv[1]) as path, path.open("w") as file:
        for number in range(10**6):
            print("new", number, file=file, flush=True)
            if number == 3:
                print("begun", flush=True)
            time.sleep(0.01)
except KeyboardInterrupt:
    sys.exit(130)
"""


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
@pytest.mark.parametrize("before", [None, "as it was\n"])
def test_who_is_killed_while_writing_leaves_the_old_file(tmp_path, how, before):
    """Half of a new file is never in the place of the old one; after Ctrl-C there is no temporary either."""
    target = tmp_path / "out.json"
    if before is not None:
        target.write_text(before, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        [sys.executable, "-c", SLOWLY, str(target)],
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
        encoding="utf-8",
    ) as process:
        assert "begun\n" == process.stdout.readline()
        process.send_signal(how)
        try:
            process.wait(timeout=20)
        finally:
            process.kill()

    assert before == (target.read_text(encoding="utf-8") if target.exists() else None)
    left = [path for path in tmp_path.iterdir() if path != target]
    assert len(left) <= (how == signal.SIGKILL)


def test_what_is_written_replaces_the_old_file_at_once(tmp_path):
    """The permissions of the old file stay, and so does a link."""
    target, link = tmp_path / "one", tmp_path / "two"
    target.write_text("old", encoding="utf-8")
    target.chmod(0o640)
    link.symlink_to(target)
    write_text(link, "new\n")

    assert ("new\n", 0o640, True) == (
        target.read_text(encoding="utf-8"),
        target.stat().st_mode & 0o777,
        link.is_symlink(),
    )
    assert {target, link} == set(tmp_path.iterdir())


def test_an_error_while_writing_leaves_the_old_file(tmp_path):
    """Also one of another library."""
    target = tmp_path / "one"
    target.write_text("old", encoding="utf-8")

    def fail(path):
        path.write_text("half", encoding="utf-8")
        raise RuntimeError

    with pytest.raises(RuntimeError), replace_whole_file(target) as path:
        fail(path)

    assert ("old", [target]) == (target.read_text(encoding="utf-8"), list(tmp_path.iterdir()))


def test_what_is_no_file_is_written_itself(tmp_path):
    """A pipe stays a pipe."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE, text=True, encoding="utf-8") as process:
        write_text(pipe, "through\n")

        assert "through\n" == process.stdout.read()
    assert pipe.is_fifo()


def test_a_link_that_waits_for_the_new_file_is_not_written_through(tmp_path, monkeypatch):
    """Whoever foretells the name of the new file gets nothing written."""
    monkeypatch.setattr("secrets.token_hex", lambda size: "0" * 2 * size)
    victim, target = tmp_path / "victim", tmp_path / "out.json"
    victim.write_text("precious", encoding="utf-8")
    (tmp_path / (".algdim-" + "0" * 16)).symlink_to(victim)

    with pytest.raises(InputError, match="cannot be written: File exists"):
        write_text(target, "other")
    assert ("precious", False) == (victim.read_text(encoding="utf-8"), target.exists())


def test_a_file_that_is_put_in_the_place_of_the_new_one_is_not_taken(tmp_path):
    """What was written by somebody else does not become the target."""
    target = tmp_path / "out"

    def exchange(path):
        path.unlink()
        path.symlink_to(tmp_path / "other")

    with pytest.raises(InputError, match="another program"), replace_whole_file(target) as path:
        exchange(path)
    assert [] == list(tmp_path.iterdir())


def test_the_new_file_is_as_private_as_the_old_one(tmp_path):
    """While it is written, too; a new name gets what the mask leaves."""
    target = tmp_path / "secret"
    target.write_text("old", encoding="utf-8")
    for mode in (0o600, 0o640, 0o400):
        target.chmod(mode)
        with replace_whole_file(target) as path:
            assert mode | 0o600 == path.stat().st_mode & 0o777
            path.write_text("new", encoding="utf-8")
        assert mode == target.stat().st_mode & 0o777
    before = os.umask(0o027)
    try:
        write_text(tmp_path / "fresh", "text")
    finally:
        os.umask(before)
    assert 0o640 == (tmp_path / "fresh").stat().st_mode & 0o777


def test_threads_that_write_one_target(tmp_path):
    """Each writes all of it, or another does."""
    target, texts = tmp_path / "shared", [str(k) * 50_000 for k in range(4)]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda k: write_text(target, texts[k % 4]), range(80)))

    assert target.read_text(encoding="utf-8") in texts
    assert [target] == list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["é" * 124 + ".json", "日" * 83 + ".json", "a" * 255])
def test_every_name_that_the_system_allows(tmp_path, name):
    """Names are 255 bytes long at most; the new file's own is short."""
    write_text(tmp_path / name, "text")

    assert "text" == (tmp_path / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["missing/file", "\0", "x" * 5000])
def test_what_cannot_be_written_is_said(tmp_path, name):
    """In one line that names the file."""
    with pytest.raises(InputError, match="cannot be written"):
        write_text(tmp_path / name, "text")


@pytest.mark.parametrize("option", ["prove 2:2,2 -o", "explain 2:2,2 --markdown -o"])
def test_commands_write_so(tmp_path, option, capsys):
    """A certificate and an explanation in the place of older ones."""
    target = tmp_path / "file.txt"
    target.write_text("old", encoding="utf-8")

    assert 0 == main([*option.split(), str(target)]), capsys.readouterr().err
    assert "old" != target.read_text(encoding="utf-8")
    assert [target] == list(tmp_path.iterdir())


WRITERS = {"wholefiles.py", "store.py", "processes.py", "journal.py", "climbing.py"}
"""What writes whole files; a store, which the database keeps whole; a worker's own standard output; lines that are added (two),
of which a last one that was cut is dropped."""


def test_nothing_else_writes():
    """No module but those that are known to be careful opens a file for writing."""
    for file in modules():
        for node in nodes_of(file):
            if isinstance(node, ast.Call) and file.name not in WRITERS:
                name = getattr(node.func, "attr", getattr(node.func, "id", ""))
                modes = [one.value for one in node.args if isinstance(one, ast.Constant) and isinstance(one.value, str)]
                modes += [
                    one.value.value
                    for one in node.keywords
                    if one.arg == "mode" and isinstance(one.value, ast.Constant)
                ]
                is_method = isinstance(node.func, ast.Attribute)  # what writes whole files is a bare name

                assert not (is_method and name in {"write_text", "write_bytes"}), (file, node.lineno)
                assert not (name in {"open", "fdopen"} and any(set(mode) & set("wax+") for mode in modes)), file
