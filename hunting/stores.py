"""Stores of sweeps to make hostile ones from, and what is done with each: it is read, opened for writing, given a row."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from algdim.errors import InputError
from algdim.sweeping.querying import query
from algdim.sweeping.store import FORMAT, FORMAT_NAME, Store
from algdim.sweeping.tasks import COLUMNS, Settings, compute_row

SETTINGS = Settings()
ROWS = [{**compute_row(text, SETTINGS), "number": number} for number, text in enumerate(("3:2,2", "2:2,2,"), 1)]
ADDED = {**compute_row("2:2,2", SETTINGS), "number": 3}
LOCK = ".lock"

ABOUT = "CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT)"
RESULTS = f"CREATE TABLE results ({', '.join(COLUMNS)})"
KNOWN = f"INSERT INTO about VALUES ('format', '{FORMAT_NAME} {FORMAT}')"
ENDLESS = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c)"
SCRIPTS = (
    "CREATE TABLE results (x)",
    f"{ABOUT}; {KNOWN}",
    f"{ABOUT}; {KNOWN}; CREATE TABLE results (model, number)",
    f"{ABOUT}; {RESULTS}; INSERT INTO about VALUES ('format', x'616c')",
    f"{ABOUT}; {RESULTS}; INSERT INTO about VALUES ('format', CAST(x'ff' AS TEXT))",
    f"{ABOUT}; {RESULTS}; {KNOWN}; INSERT INTO results(hash, number, model) VALUES (x'00', 'a', CAST(x'c3' AS TEXT))",
    f"{ABOUT}; {RESULTS}; {KNOWN}; INSERT INTO results(number, error) VALUES (9e999, -9e999), (1, zeroblob(9))",
    f"{ABOUT}; {KNOWN}; CREATE VIEW results AS {ENDLESS} SELECT x AS number FROM c",
    f"{ABOUT}; {KNOWN}; CREATE VIEW results AS {ENDLESS} SELECT {', '.join(f'x AS {name}' for name in COLUMNS)} FROM c",
    f"CREATE VIEW about AS {ENDLESS} SELECT x AS key, x AS value FROM c",
    f"{ABOUT}; {RESULTS}; {KNOWN}; CREATE TRIGGER t BEFORE INSERT ON results BEGIN DELETE FROM results; END",
    f"{ABOUT}; {RESULTS}; {KNOWN}; CREATE INDEX i ON results(abs(number))",
    f"PRAGMA encoding='UTF-16'; {ABOUT}; {RESULTS}; {KNOWN}",
    f"PRAGMA page_size=512; {ABOUT}; {RESULTS}; {KNOWN}; PRAGMA user_version=7",
)
"""Databases that are not what a sweep makes, or not quite."""


def in_wal_mode(data: bytes) -> bytes:
    """A database as a sweep leaves it: its header says that changes stand in a log beside it."""
    return data[:18] + b"\x02\x02" + data[20:]


def made() -> bytes:
    """A store with a row that is done and one that has failed."""
    with Store(":memory:", SETTINGS) as store:
        store.add(ROWS)
        return in_wal_mode(store.connection.serialize())


def run_script(script: str) -> bytes:
    """The database that some statements make."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(script)
        return connection.serialize()


def pages() -> tuple[bytes, ...]:
    """Databases as bytes; half of them are good stores."""
    foreign = [run_script(script) for script in SCRIPTS]
    return (*[made()] * len(foreign), *foreign, *map(in_wal_mode, foreign))


def documents() -> tuple[bytes, ...]:
    """The tables of a store as JSON, whose parts can be changed one by one."""
    about = [["format", f"{FORMAT_NAME} {FORMAT}"], ["made by", "algdim"], ["seed", "0"], ["method", "auto"]]
    results = [[row[name] for name in COLUMNS] for row in ROWS]
    tables = {
        "about": {"columns": {"key": "TEXT PRIMARY KEY", "value": "TEXT"}, "rows": about},
        "results": {"columns": {**COLUMNS, "hash": "TEXT PRIMARY KEY"}, "rows": results},
    }
    return (json.dumps(tables).encode(), json.dumps({**tables, "other": tables["about"]}).encode())


def database(data: bytes) -> bytes:
    """The database that a document describes, with values of whatever types; other bytes as they are."""
    try:
        with closing(sqlite3.connect(":memory:")) as connection:
            for name, table in json.loads(data).items():
                columns = ", ".join(f'"{column}" {kind}' for column, kind in table["columns"].items())
                connection.execute(f'CREATE TABLE "{name}" ({columns})')
                for row in table["rows"]:
                    places = ", ".join("?" for _ in row)
                    connection.execute(f'INSERT INTO "{name}" VALUES ({places})', [*map(stored, row)])
            connection.commit()
            return connection.serialize()
    except (ValueError, RecursionError, KeyError, TypeError, AttributeError, OverflowError, sqlite3.Error):
        return data


def stored(value: Any) -> Any:
    """A value that SQLite takes: lists and tables become bytes."""
    return json.dumps(value).encode() if isinstance(value, list | dict) else value


def use(path: Path) -> None:
    """Read a store and write to it; what is refused, or only read, stays as it was, and nothing is left beside it."""
    before = path.read_bytes()
    read = attempted(lambda: printed(path))
    unchanged(path, before, "reading")
    opened = attempted(lambda: Store(path, SETTINGS).close())
    if opened is not None:
        unchanged(path, before, "refusing")
    else:
        written = attempted(lambda: extended(path))
        if written is None and read is None:
            found = [row[0].value for row in query(path, columns=["model"]).rows]
            if ADDED["model"] not in found:
                raise AssertionError(f"a row that was added is not there: {found}")
    for error in (read, opened):
        if error is not None:
            raise error


def attempted(action: Any) -> InputError | None:
    """The clean error of an action, or nothing."""
    try:
        action()
    except InputError as error:
        return error
    return None


def printed(path: Path) -> None:
    """All rows in the forms that the command `query` prints."""
    grid = query(path, columns=[*COLUMNS], where="dimension < best_bound or model != 'A'", sort="-dimension")
    json.dumps(grid.values(), allow_nan=False).encode()
    for form in (grid.text, grid.csv, grid.markdown):
        form().encode()


def extended(path: Path) -> None:
    """Open a store, ask it everything, add a row."""
    with Store(path, SETTINGS) as store:
        store.hashes(), store.hashes(only_done=True), store.outcomes()
        store.add([ADDED])


def unchanged(path: Path, before: bytes, what: str) -> None:
    """Raise if the file is another one, or others stand beside it."""
    if path.read_bytes() != before:
        raise AssertionError(f"{what} a store changes it")
    beside = {found.name for found in path.parent.glob(f"{path.name}*")} - {path.name, path.name + LOCK}
    if beside:
        raise AssertionError(f"{what} a store leaves {sorted(beside)}")
