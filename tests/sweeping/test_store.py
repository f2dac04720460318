"""The store of a sweep: written by one, whole whatever happens, and refused with a clear message."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from amount import in_turn
from packages import ROOT

from algdim import query
from algdim.sweeping.querying import iterate_rows
from algdim.sweeping.store import Store, StoreError
from algdim.sweeping.tasks import COLUMNS, FAILED, Settings, compute_row, make_row

SETTINGS = Settings()


@pytest.fixture
def filled(tmp_path):
    """The path of a store with two rows."""
    path = tmp_path / "results.sqlite"
    with Store(path, SETTINGS) as store:
        done = {**compute_row("2:2,2", SETTINGS), "number": 1}
        store.add([done, {**make_row("3:2,2", SETTINGS, FAILED, "why"), "number": 2}])
    return path


def contents(path):
    """What is in a store, read by SQLite alone."""
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
        return [tuple(row) for row in connection.execute("SELECT * FROM results ORDER BY number")]


def test_rows_are_kept(filled):
    """What was written is there again, with the report's columns under their names."""
    one, other = iterate_rows(str(filled))

    assert ("2:2,2", "done", 3, 5, True) == tuple(
        one[n] for n in ("model", "outcome", "dimension", "standard", "exact")
    )
    assert ("3:2,2", "failed", "why", None) == tuple(other[n] for n in ("model", "outcome", "message", "dimension"))
    with Store(filled, SETTINGS) as store:
        assert {one["hash"], other["hash"]} == store.hashes()
        assert {one["hash"]} == store.hashes(only_done=True)
        assert {"done": 1, "failed": 1} == store.outcomes()


def test_a_row_takes_the_place_of_an_earlier_one(filled):
    """There is one row for each model."""
    with Store(filled, SETTINGS) as store:
        store.add([{**compute_row("3:2,2", SETTINGS), "number": 2}])

        assert {"done": 2} == store.outcomes()


def test_columns_are_flat_and_typed(filled):
    """Every value is a number or a text of the type that its column declares, as other programs expect."""
    types = {"INTEGER": int, "REAL": float, "TEXT": str}
    for row in contents(filled):
        for value, kind in zip(row, COLUMNS.values(), strict=True):
            assert isinstance(value, types[kind] | None)


def test_counts_beyond_64_bits_stand_in_the_report(tmp_path):
    """SQLite's integers have 64 bits; a longer count is left out of its column."""
    with Store(tmp_path / "a.sqlite", SETTINGS) as store:
        store.add([{**compute_row("2:2^80", SETTINGS), "number": 1}])
    (row,) = iterate_rows(str(tmp_path / "a.sqlite"))

    assert (None, 161) == (row["complete"], row["dimension"])
    assert f'"complete": {2**80 - 1}' in row["report"]


def test_two_sweeps_on_one_store(filled):
    """The second is refused, the first goes on; readers are welcome."""
    before = contents(filled)
    with Store(filled, SETTINGS) as store:
        with pytest.raises(StoreError, match="in use by another sweep"):
            Store(filled, SETTINGS)
        assert 2 == len(query(filled).rows)
        store.add([{**compute_row("2:2,2,2", SETTINGS), "number": 3}])

    assert before == contents(filled)[:2]


@pytest.mark.parametrize("change", [{"seed": 1}, {"method": "probes"}, {"bounds": "counting"}, {"certificates": True}])
def test_other_settings_are_refused(filled, change):
    """Rows of one store are made in one way; limits may change."""
    with pytest.raises(StoreError, match=rf"was made with {next(iter(change))} .* another --store"):
        Store(filled, replace(SETTINGS, **change))
    Store(filled, replace(SETTINGS, timeout=1.0, max_memory=10**9)).close()


def test_an_older_format_is_refused(filled):
    """The message names both formats; the file stays as it is."""
    with closing(sqlite3.connect(filled)) as connection, connection:
        connection.execute("UPDATE about SET value = 'algdim sweep 0' WHERE key = 'format'")
    before = filled.read_bytes()
    for use in (lambda: Store(filled, SETTINGS), lambda: query(filled)):
        with pytest.raises(StoreError, match=r"format 'algdim sweep 0', made by algdim .*'algdim sweep 1'"):
            use()

    assert before == filled.read_bytes()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        (["DELETE FROM about WHERE key = 'made by'", "ALTER TABLE results DROP COLUMN report"], "not as it was made"),
        (["CREATE VIEW sources AS SELECT 1 AS hash"], "not as it was made"),
        (["ALTER TABLE results RENAME TO other", "CREATE VIEW results AS SELECT * FROM other"], "not as it was made"),
        (["UPDATE results SET best_bound = x'00ff'"], r"a row has .* in the column best_bound; the file is damaged"),
        (["UPDATE results SET dimension = 'three'"], "a row has 'three' in the column dimension; the file is damaged"),
        (["UPDATE results SET status = CAST(x'ff' AS TEXT)"], "the file is damaged"),
    ],
)
def test_what_was_changed_is_refused(filled, changes, words):
    """Tables of another make, and values of another kind than their column's, whoever put them there."""
    with closing(sqlite3.connect(filled)) as connection, connection:
        for change in changes:
            connection.execute(change)

    with pytest.raises(StoreError, match=words):
        query(filled, columns=["model", "dimension", "best_bound", "status"])


def test_a_damaged_store_is_not_written_to(tmp_path):
    """Damage in a page of rows is seen before anything is added, and the file stays as it is."""
    path = tmp_path / "results.sqlite"
    with Store(path, SETTINGS) as store:
        store.add([{**make_row(f"2:2,{states}", SETTINGS, FAILED), "number": states} for states in range(2, 300)])
    data = bytearray(path.read_bytes())
    data[-4096:-3584] = bytes(512)
    path.write_bytes(data)

    with pytest.raises(StoreError, match="the file is damaged; restore a copy"):
        Store(path, SETTINGS)
    assert bytes(data) == path.read_bytes()


def test_a_store_that_was_stopped_at_its_beginning(tmp_path):
    """A file without tables is said to be empty, and a sweep fills it."""
    path = tmp_path / "results.sqlite"
    path.touch()
    with pytest.raises(StoreError, match="is empty; `algdim sweep` fills it"):
        query(path)
    with Store(path, SETTINGS) as store:
        assert {} == store.outcomes()


def test_a_setting_that_got_lost(filled):
    """It is written again, and nothing is refused."""
    with closing(sqlite3.connect(filled)) as connection, connection:
        connection.execute("DELETE FROM about WHERE key = 'method'")
    with Store(filled, SETTINGS) as store:
        assert {"done": 1, "failed": 1} == store.outcomes()


def test_other_files_are_left_alone(tmp_path):
    """A text file, and a database of something else."""
    text, other = tmp_path / "a.txt", tmp_path / "b.sqlite"
    text.write_text("not mine\n" * 200, encoding="utf-8")
    with closing(sqlite3.connect(other)) as connection, connection:
        connection.execute("CREATE TABLE results (x)")
    for file, words in ((text, "no SQLite file"), (other, "a database of something else")):
        before = file.read_bytes()
        for use in (lambda path=file: Store(path, SETTINGS), lambda path=file: query(path)):
            with pytest.raises(StoreError, match=words):
                use()
        assert before == file.read_bytes()


ENDLESS = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c)"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (f"DROP TABLE about; CREATE VIEW about AS {ENDLESS} SELECT x AS key, x AS value FROM c", "something else"),
        (f"DROP TABLE results; CREATE VIEW results AS {ENDLESS} SELECT x AS number FROM c", "damaged"),
        ("CREATE TRIGGER t BEFORE INSERT ON results BEGIN DELETE FROM results; END", "damaged"),
        ("ALTER TABLE results DROP COLUMN seconds", "damaged"),
        ("UPDATE about SET value = x'616c' WHERE key = 'format'", "something else"),
        ("UPDATE results SET dimension = x'00'", "in the column dimension"),
        ("UPDATE results SET seconds = 9e999", "'inf' in the column seconds"),
    ],
)
def test_hostile_stores_are_refused(filled, change, words):
    """Rows without end, triggers, missing columns and values of other types: a message, and the file stays as it is."""
    with closing(sqlite3.connect(filled)) as connection:
        connection.executescript(change)
    before = filled.read_bytes()
    with pytest.raises(StoreError, match=words):
        query(filled, columns=list(COLUMNS))
    if "in the column" not in words:
        with pytest.raises(StoreError, match=words):
            Store(filled, SETTINGS)

    assert before == filled.read_bytes()


def test_reading_leaves_nothing_beside_a_store(filled):
    """Nor does refusing leave a lock beside what is no store."""
    Path(f"{filled}.lock").unlink()
    query(filled)
    text = filled.with_name("a.txt")
    text.write_text("not mine\n" * 200, encoding="utf-8")
    for path in (text, filled.parent):
        with pytest.raises(StoreError):
            Store(path, SETTINGS)

    assert {filled.name, text.name} == {path.name for path in filled.parent.iterdir()}
    assert not Path(f"{filled.parent}.lock").exists()


def test_a_folder_that_is_not_there(tmp_path):
    """The message names the file and what to do."""
    with pytest.raises(StoreError, match="cannot be written: No such file or directory; name another --store"):
        Store(tmp_path / "no" / "a.sqlite", SETTINGS)


PROGRAM = """
import sys
from algdim.sweeping.store import Store, StoreError
from algdim.sweeping.tasks import Settings, compute_row
settings = Settings()
try:
    with Store(sys.argv[1], settings) as store:
        for number in range(3, 400):
            store.add([{**compute_row("2:" + ",".join(["2"] * (number % 9 + 2)), settings), "hash": str(number), "number": number}])
except StoreError as error:
    print(error)
else:
    print("all written")
"""


def run_limited(path, **options):
    """Let a process of its own write many rows."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-c", PROGRAM, str(path)]
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        env=environment,
        cwd=path.parent,
        timeout=120,
        **options,
        encoding="utf-8",
    )


@in_turn(2)
@pytest.mark.skipif(os.name != "posix", reason="limits for the size of files are POSIX's")
def test_a_full_disk_damages_nothing(filled):
    """Simulated by a limit for the size of files: a clear message, and the rows that were there are there."""
    import resource

    before = contents(filled)
    limit = 150_000
    done = run_limited(filled, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
    after = contents(filled)

    assert "rerun the command to resume" in done.stdout, done.stderr
    assert before == after[:2]
    assert len(after) > 2
    with closing(sqlite3.connect(filled)) as connection:
        assert [("ok",)] == connection.execute("PRAGMA integrity_check").fetchall()
    with Store(filled, SETTINGS) as store:
        store.add([{**compute_row("2:2,2,2", SETTINGS), "number": 999}])


@pytest.mark.skipif(os.name != "posix", reason="rights are POSIX's")
def test_a_read_only_store(filled):
    """Refused for writing with a clear message, and still read."""
    before = filled.read_bytes()
    with TemporaryDirectory() as folder, as_somebody(folder):
        path = Path(folder) / "results.sqlite"
        path.write_bytes(before)
        path.chmod(0o444)
        with pytest.raises(StoreError, match="the file is read-only; let it be written, or give another --store"):
            Store(path, SETTINGS)
        Path(f"{path}.lock").unlink()
        Path(folder).chmod(0o555)
        with pytest.raises(StoreError, match="cannot be written: Permission denied; name another --store"):
            Store(path, SETTINGS)

        assert 2 == len(query(path).rows)
        Path(folder).chmod(0o755)


def test_rows_beside_a_read_only_store_are_not_left_out(tmp_path):
    """Where what was written last cannot be read, nothing is shown instead of a part."""
    path = tmp_path / "results.sqlite"
    with Store(path, SETTINGS) as store:
        store.add([{**make_row("2:2,2", SETTINGS, FAILED), "number": 1}])
        stopped = {end: Path(f"{path}{end}").read_bytes() for end in ("", "-wal")}
    with TemporaryDirectory() as folder, as_somebody(folder):
        copy = Path(folder) / "copy.sqlite"
        for end, data in stopped.items():
            Path(f"{copy}{end}").write_bytes(data)
        Path(folder).chmod(0o555)
        with pytest.raises(StoreError, match=r"some rows are in copy\.sqlite-wal next to it"):
            query(copy)
        Path(folder).chmod(0o755)

        assert 1 == len(query(copy).rows)


@contextmanager
def as_somebody(folder):
    """Drop root privileges, so that file modes apply."""
    if os.geteuid() != 0:
        yield
        return
    os.chown(folder, 65534, 65534)
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)
