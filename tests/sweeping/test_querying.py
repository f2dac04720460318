"""What is asked of a store: conditions, forms, files; nothing is written to it."""

from __future__ import annotations

import csv
import json
import shutil
import sqlite3
from contextlib import closing

import pytest

import algdim
from algdim import InputError, LimitError, query
from algdim.cli import main
from algdim.sweeping import querying
from algdim.sweeping import store as sweepstore
from algdim.sweeping.querying import PLAIN
from algdim.sweeping.store import Store, StoreError
from algdim.sweeping.tasks import FAILED, Settings, compute_row, make_row

MODELS = ["2:2,2", "3:2,2,2,2", "4:3,3,3", "2:2,2,2"]


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """A store with four models and a failure."""
    path = tmp_path_factory.mktemp("store") / "results.sqlite"
    settings = Settings()
    with Store(path, settings) as kept:
        found = [compute_row(text, settings) for text in MODELS]
        found.append(make_row("bad", settings, FAILED, "why"))
        kept.add([{**row, "number": number} for number, row in enumerate(found, 1)])
    return str(path)


def test_conditions_choose_rows(store):
    """The rows of which the condition holds, in the order of the sweep; what has no dimension does not obey one."""

    def models(**options):
        return [row[0].value for row in query(store, columns=["model"], **options).rows]

    assert ["3:2,2,2,2", "4:3,3,3"] == models(where="dimension < best_bound")
    assert ["bad"] == models(where="outcome != 'done'")
    assert [*MODELS, "bad"] == models()
    assert MODELS == models(where="exact == True and dimension > 0")
    assert ["4:3,3,3", "3:2,2,2,2"] == models(sort="-dimension", limit=2)
    assert [] == models(where="dimension > complete")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"columns": ["model", "nothing"]}, "there is no column 'nothing'; known are hash, number, model"),
        ({"sort": "model; DROP TABLE results"}, "there is no column"),
        ({"where": "dimension <"}, "is no condition"),
        ({"where": "__import__('os')"}, "is not allowed in a condition"),
        ({"where": "nothing < 3"}, "there is no quantity nothing"),
    ],
)
def test_wrong_questions_are_refused(store, options, words):
    """Nothing of what is asked is executed."""
    with pytest.raises(InputError, match=words):
        query(store, **options)


def test_a_store_that_is_not_there(tmp_path):
    """It is not made by asking."""
    with pytest.raises(InputError, match="there is no such file"):
        query(tmp_path / "a.sqlite")

    assert [] == list(tmp_path.iterdir())


def test_asking_writes_nothing(store, tmp_path):
    """The bytes of the store are the same afterwards."""
    from pathlib import Path

    before = Path(store).read_bytes()
    query(store, where="dimension > 3")

    assert before == Path(store).read_bytes()


def proof(text):
    """The lemmas that prove the dimension of a model."""
    return list(algdim.dimension(text).trust.lemmas)


def test_a_proof_without_lemmas_is_refused(store, tmp_path):
    """A row that says proved has a report with lemmas, or the store is damaged."""
    path = tmp_path / "damaged.sqlite"
    for report in ("", "[]", '{"lower": 3, "upper": 3}', "[" * 100_000, None):
        path.unlink(missing_ok=True)
        shutil.copy(store, path)
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute("UPDATE results SET report = ? WHERE number = 2", (report,))
        with pytest.raises(StoreError, match="its report has no lemmas"):
            query(path, columns=["status"], lemmas=True)
        assert len(query(path, columns=["status"]).rows) == len(MODELS) + 1


def test_the_command(store, tmp_path, capsys):
    """Tables in all forms, JSON, counts and CSV."""
    assert 0 == main(["query", store, "--where", "dimension < best_bound", "--table", "markdown"])
    assert "| 3:2,2,2,2 | 14 | 15 | 13 | 14 | proved | done |" in capsys.readouterr().out
    assert 0 == main(["query", store, "--where", "dimension < best_bound", "--count"])
    assert "2\n" == capsys.readouterr().out
    assert 0 == main(["query", store, "--json", "--columns", "model,exact", "--limit", "1"])
    assert [{"model": "2:2,2", "exact": True}] == json.loads(capsys.readouterr().out)
    assert 0 == main(["query", store, "--json", "--columns", "status,model"])
    rows = json.loads(capsys.readouterr().out)
    assert [*map(proof, MODELS), []] == [row["lemmas"] for row in rows]
    assert ["proved"] * len(MODELS) + [None] == [row["status"] for row in rows]
    for form in ("text", "latex", "html", "typst", "csv"):
        assert 0 == main(["query", store, "--table", form])
        assert "4:3,3,3" in capsys.readouterr().out
    out = tmp_path / "out.csv"
    assert 0 == main(["query", store, "--columns", "all", "-o", str(out)])
    with out.open(encoding="utf-8", newline="") as file:
        table = list(csv.DictReader(file))
    assert [*MODELS, "bad"] == [row["model"] for row in table]
    assert list(PLAIN) == list(table[0])
    assert 2 == main(["query", store, "-o", "x.txt"])
    assert ".csv or .parquet is expected" in capsys.readouterr().err
    assert algdim.query is query


def test_parquet(store, tmp_path, capsys):
    """The columns have their types."""
    parquet = pytest.importorskip("pyarrow.parquet")
    out = tmp_path / "out.parquet"
    assert 0 == main(["query", store, "--columns", "all", "-o", str(out)])
    found = parquet.read_table(out).to_pylist()

    assert [3, 13, 25, 7, None] == [row["dimension"] for row in found]
    assert [True, True, True, True, None] == [row["exact"] for row in found]


def test_parquet_opens_in_duckdb(store, tmp_path):
    """As it is, with a condition in SQL."""
    duckdb = pytest.importorskip("duckdb")
    pytest.importorskip("pyarrow")
    out = tmp_path / "out.parquet"
    main(["query", store, "--columns", "all", "-o", str(out)])
    found = duckdb.sql(f"SELECT model FROM '{out}' WHERE dimension < best_bound ORDER BY number").fetchall()

    assert [("3:2,2,2,2",), ("4:3,3,3",)] == found


def test_the_store_opens_in_polars(store):
    """The columns of the file itself are flat: no more than a query is needed."""
    polars = pytest.importorskip("polars")
    import sqlite3
    from contextlib import closing

    with closing(sqlite3.connect(store)) as connection:
        found = polars.read_database("SELECT * FROM results ORDER BY number", connection, infer_schema_length=None)

    assert [3, 13, 25, 7, None] == found["dimension"].to_list()
    assert 2 == len(found.filter(polars.col("dimension") < polars.col("best_bound")))


def test_an_answer_that_is_too_large_is_refused(store, monkeypatch, capsys):
    """By the number of its cells; they can still be counted."""
    monkeypatch.setattr(querying, "MOST_CELLS", 3)
    with pytest.raises(LimitError, match="more than 3 cells; ask for fewer"):
        query(store, columns=["model", "dimension"])
    assert 1 == len(query(store, columns=["model", "dimension"], limit=1).rows)

    assert 0 == main(["query", str(store), "--count"])
    assert len(query(store, columns=["model"], limit=3).rows) <= int(capsys.readouterr().out)


def test_a_value_that_is_too_long_is_not_read(store, tmp_path, monkeypatch):
    """Only where its column is asked for."""
    copy = tmp_path / "copy.sqlite"
    shutil.copy(store, copy)
    with closing(sqlite3.connect(copy)) as connection, connection:
        connection.execute("UPDATE results SET message = ?", ("x" * 5001,))
    monkeypatch.setattr(sweepstore, "MOST_LETTERS", 5000)
    with pytest.raises(StoreError, match="a value has more than"):
        query(copy, columns=["message"])

    assert query(copy, columns=["model"]).rows
