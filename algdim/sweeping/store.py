"""The store of a sweep: one SQLite file, a row for each model, written by one process, never left half-written.

The file is in WAL mode: others may read while a sweep writes, and what is committed stays whatever happens to the
process. What holds a store for writing has a lock on a file beside it, which the system takes back when it dies.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from algdim.about import VERSION
from algdim.errors import InputError
from algdim.sweeping.tasks import COLUMNS, DONE, Row, Settings

FORMAT = 1
FORMAT_NAME = "algdim sweep"
APPLICATION = 0x616C6764
"""`algd`, in the header of the file."""


MOST_LETTERS = 1 << 24
"""Bytes of a value that is read; the longest that are written are certificates, of at most 4,000,000."""


class StoreError(InputError):
    """A store that cannot be used, or not any more; what is in it is as it was."""


class Store:
    """A store that is open for writing.

    >>> from algdim.sweeping.tasks import compute_row
    >>> with Store(":memory:", Settings()) as store:
    ...     store.add([{**compute_row("2:2,2", Settings()), "number": 1}])
    ...     store.outcomes()
    {'done': 1}
    """

    def __init__(self, path: str | os.PathLike[str], settings: Settings) -> None:
        """Open a store, or make it; refuse one that is not ours, in use, or made with other settings."""
        self.path = os.fspath(path)
        check_file(self.path)
        self.lock = None if self.path == ":memory:" else take_lock(self.path)
        try:
            self.connection = open_for_writing(self.path)
            self.prepare(settings)
        except BaseException:
            self.close()
            raise

    def prepare(self, settings: Settings) -> None:
        """Check what is there, or write what a new store begins with."""
        with translate_errors(self.path):
            tables = {name for (name,) in self.connection.execute("SELECT name FROM sqlite_master")}
            if tables:
                check_format(self.connection, self.path)
                self.agree(settings)
            if self.connection.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
                raise StoreError(f"{self.path}: {DAMAGED}")
            # only now is anything written: what is refused stays as it is
            self.connection.execute("PRAGMA journal_mode=WAL")
            self.connection.execute("PRAGMA synchronous=NORMAL")
            with self.connection:
                self.connection.execute("BEGIN IMMEDIATE")
                if not tables:
                    make_tables(self.connection)
                deciding = select_deciding_settings(settings).items()
                self.connection.executemany("INSERT OR IGNORE INTO about VALUES (?, ?)", deciding)

    def agree(self, settings: Settings) -> None:
        """Refuse other settings than those the store began with, of those that decide what rows are."""
        known = dict(self.connection.execute("SELECT key, value FROM about"))
        for key, value in select_deciding_settings(settings).items():
            if known.get(key, value) != value:
                raise StoreError(
                    f"{self.path} was made with {key} {known.get(key)}, not {value}; give the same, or another --store"
                )

    def hashes(self, *, only_done: bool = False) -> set[str]:
        """The models that have a row; those that failed do not count if they are to be tried again."""
        with translate_errors(self.path):
            chosen = self.connection.execute("SELECT hash FROM results WHERE outcome = ? OR NOT ?", (DONE, only_done))
            return {text for (text,) in chosen}

    def add(self, rows: Iterable[Row]) -> None:
        """Write rows, all of them or none; a row takes the place of an earlier one of the same model."""
        names = list(COLUMNS)
        values = [[row[name] for name in names] for row in rows]
        places = ", ".join("?" for _ in names)
        with translate_errors(self.path), self.connection:
            self.connection.executemany(f"INSERT OR REPLACE INTO results VALUES ({places})", values)  # noqa: S608

    def add_sources(self, file: str, sources: Sequence[tuple[str, str, str]]) -> None:
        """Write where a file lists its models, in the place of what it listed before: hash, label, place."""
        if not sources:
            return
        with translate_errors(self.path), self.connection:
            self.connection.execute("BEGIN IMMEDIATE")
            if not self.connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'sources'").fetchone():
                self.connection.execute(MORE_TABLES["sources"])
            self.connection.execute("DELETE FROM sources WHERE file = ?", (file,))
            rows = ((file, number, *source) for number, source in enumerate(sources, 1))
            self.connection.executemany("INSERT INTO sources VALUES (?, ?, ?, ?, ?)", rows)

    def outcomes(self) -> dict[str, int]:
        """How many models there are of each outcome."""
        with translate_errors(self.path):
            found = self.connection.execute("SELECT outcome, count(*) FROM results GROUP BY outcome ORDER BY outcome")
            return dict(found)

    def close(self) -> None:
        """Close the file and let others have it."""
        connection = getattr(self, "connection", None)
        if connection is not None:
            connection.close()
        if self.lock is not None:
            self.lock.close()

    def __enter__(self) -> Self:
        """The store itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close it."""
        self.close()


def select_deciding_settings(settings: Settings) -> dict[str, str]:
    """What decides what rows are, as texts. A limit decides only what is refused, so it may change."""
    names = ("seed", "method", "bounds", "certificates")
    return {name: str(getattr(settings, name)) for name in names}


def open_for_writing(path: str) -> sqlite3.Connection:
    """A connection that may write; a new file is made beside what is there."""
    with translate_errors(path):
        return sqlite3.connect(path, timeout=10, isolation_level=None)


def read_only(path: str) -> sqlite3.Connection:
    """A connection that changes nothing; where not even a lock can be written, the file as it is.

    One that SQLite itself takes as read-only would leave the files of the log behind.
    """
    uri = Path(path).absolute().as_uri()
    with translate_errors(path):
        connection = sqlite3.connect(f"{uri}?mode=rw", uri=True, timeout=10)
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MOST_LETTERS)
        try:
            connection.execute("PRAGMA query_only=ON")
            connection.execute("SELECT name FROM sqlite_master").fetchall()
        except sqlite3.OperationalError:
            connection.close()
            log = Path(f"{path}-wal")
            if log.is_file() and log.stat().st_size:
                raise StoreError(
                    f"{path}: some rows are in {log.name} next to it, which cannot be read in a read-only folder; copy both elsewhere"
                ) from None
            connection = sqlite3.connect(f"{uri}?immutable=1", uri=True)
            connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MOST_LETTERS)
            return connection
        except BaseException:
            connection.close()
            raise
        return connection


def check_file(path: str) -> None:
    """Raise if what is there cannot be a store, before anything is written beside it."""
    if path == ":memory:" or not Path(path).exists():
        return
    if not Path(path).is_file():
        raise StoreError(f"{path} is no file; name another --store")
    with closing(read_only(path)) as connection, translate_errors(path):
        if connection.execute("SELECT 1 FROM sqlite_master").fetchone():
            check_format(connection, path)


RESULTS = ", ".join(f"{name} {kind}{' PRIMARY KEY' if name == 'hash' else ''}" for name, kind in COLUMNS.items())
TABLES = {
    "results": f"CREATE TABLE results ({RESULTS})",
    "about": "CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT)",
}

MORE_TABLES = {
    "sources": "CREATE TABLE sources (file TEXT, number INTEGER, hash TEXT, label TEXT, place TEXT, PRIMARY KEY (file, number))"
}
"""Tables that a store has when there is something in them: stores that have none are read as before."""


def make_tables(connection: sqlite3.Connection) -> None:
    """Write the tables of a new store, inside a transaction."""
    connection.execute(f"PRAGMA application_id={APPLICATION}")
    for statement in TABLES.values():
        connection.execute(statement)
    about = {"format": f"{FORMAT_NAME} {FORMAT}", "made by": f"algdim {VERSION}"}
    connection.executemany("INSERT INTO about VALUES (?, ?)", about.items())


def check_format(connection: sqlite3.Connection, path: str) -> None:
    """Raise unless the file is a store of this format.

    A view in the place of a table could have rows without end, and a trigger could change what is written.
    """
    kinds = dict(connection.execute("SELECT name, type FROM sqlite_master"))
    if not kinds:
        raise StoreError(f"{path} is empty; `algdim sweep` fills it")
    try:
        about = dict(connection.execute("SELECT key, value FROM about")) if kinds.get("about") == "table" else {}
        name, _, number = about["format"].rpartition(" ")
    except (sqlite3.Error, KeyError, ValueError, AttributeError, TypeError):
        raise StoreError(
            f"{path} is a database of something else, not the store of a sweep; name another file"
        ) from None
    if name != FORMAT_NAME or number != str(FORMAT):
        made = about.get("made by", "another program")
        raise StoreError(
            f"{path} has the format {about['format']!r}, made by {made}; algdim {VERSION} reads and writes "
            f"'{FORMAT_NAME} {FORMAT}'. Use the version that made it, or start again with another --store"
        )
    tables = dict(connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'"))
    changed = [name for name, statement in TABLES.items() if tables.get(name) != statement]
    changed += [name for name, statement in MORE_TABLES.items() if name in kinds and tables.get(name) != statement]
    if changed or "trigger" in kinds.values():
        raise StoreError(f"{path}: the table of {(changed or ['results'])[0]} is not as it was made; {DAMAGED}")


def take_lock(path: str) -> IO[str] | None:
    """A lock beside the store, which goes with the process; an error if another one holds it."""
    try:
        import fcntl
    except ImportError:  # Windows: SQLite's own locks keep two writers from hurting each other
        return None
    beside = Path(f"{path}.lock")
    try:
        file = beside.open("a", encoding="ascii")
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {error.strerror}; name another --store") from None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise StoreError(f"{path} is in use by another sweep; wait for its end, or give another --store") from None
    return file


@contextmanager
def translate_errors(path: str) -> Iterator[None]:
    """Say in words what SQLite complains of."""
    try:
        yield
    except sqlite3.Error as error:
        raise StoreError(f"{path}: {explain_complaint(str(error))}") from None
    except UnicodeDecodeError:  # names in a file that is damaged, in SQLite's complaint
        raise StoreError(f"{path}: {explain_complaint('malformed')}") from None


def explain_complaint(complaint: str) -> str:
    """What a complaint of SQLite means for a store.

    >>> explain_complaint("database or disk is full")
    'the disk is full; all rows before are safe. Make room, and rerun the command to resume'
    """
    for words, meaning in MEANINGS.items():
        if words in complaint:
            return meaning
    return complaint


SAFE = "all rows before are safe"
DAMAGED = "the file is damaged; restore a copy, or give another --store"
MEANINGS = {
    "disk is full": f"the disk is full; {SAFE}. Make room, and rerun the command to resume",
    "disk I/O": f"the file cannot be written further: a full disk, a limit for the size of files, or a broken disk; {SAFE}. "
    "Make room, and rerun the command to resume",
    "readonly": "the file is read-only; let it be written, or give another --store",
    "unable to open": "the file cannot be opened for writing: its folder does not exist or is read-only; give another --store",
    "too big": f"a value has more than {MOST_LETTERS} bytes, which no sweep writes; {DAMAGED}",
    "not a database": "not a store of a sweep, and no SQLite file at all; name another file",
    "malformed": DAMAGED,
    "decode": DAMAGED,
    "locked": "in use by another program that writes; wait for its end, or give another --store",
}
