"""Sweeps: every model has its row, whatever is stopped, killed or fails."""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import pytest
from amount import in_turn
from sweeps import finished, row_count, rows_without_times, started

import algdim
from algdim import AlgdimError, LimitError, dimension, sweep
from algdim.cli import main
from algdim.readers.files import MOST_BYTES
from algdim.sweeping.querying import iterate_rows
from algdim.sweeping.sweeping import State, choose_batch_size
from algdim.sweeping.tasks import Settings, compute_row

SMALL = "lc cells<=12"
posix = pytest.mark.skipif(os.name != "posix", reason="signals are POSIX's")


class Here(Executor):
    """An executor that does every task at once, where it is."""

    def submit(self, fn, /, *args, **kwargs):
        """A future that is done."""
        future = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except BaseException as error:  # noqa: BLE001  # the future has it
            future.set_exception(error)
        return future


class Fragile(Here):
    """An executor that loses every batch in which a certain model is."""

    def submit(self, fn, /, *args, **kwargs):
        """A future that is done, or lost."""
        if "3:4,3" in args[0]:
            future = Future()
            future.set_exception(RuntimeError("gone"))
            return future
        return super().submit(fn, *args, **kwargs)


class Breaking(Here):
    """An executor of which nothing is left after three batches."""

    def __init__(self):
        """As good as any."""
        self.left = 3

    def submit(self, fn, /, *args, **kwargs):
        """A future that is done, as long as it goes well."""
        if not self.left:
            raise BrokenExecutor("all workers are gone")
        self.left -= 1
        return super().submit(fn, *args, **kwargs)


@pytest.fixture(scope="module")
def reference(tmp_path_factory):
    """The rows of a sweep that nothing has disturbed."""
    path = tmp_path_factory.mktemp("whole") / "a.sqlite"
    found = sweep(SMALL, path, workers=2)
    assert found.complete
    return rows_without_times(path)


def test_rows_are_what_dim_says(reference):
    """Every model has a row with its dimension."""
    assert 12 == len(reference)
    for text in list(reference)[::3]:
        report = dimension(text)

        assert (report.dimension, report.exact) == (reference[text]["dimension"], bool(reference[text]["exact"]))


@pytest.mark.parametrize(
    "make",
    [Here, pytest.param(lambda: ThreadPoolExecutor(3), marks=pytest.mark.slow), lambda: ProcessPoolExecutor(2)],
    ids=["here", "threads", "processes"],
)
def test_any_executor_will_do(make, tmp_path, reference):
    """The rows do not depend on who does the work."""
    found = sweep(SMALL, tmp_path / "a.sqlite", executor=make, workers=2)

    assert found.complete
    assert reference == rows_without_times(tmp_path / "a.sqlite")


@in_turn(2)
def test_what_an_executor_loses_is_recorded(tmp_path, reference):
    """Of a lost batch the models are tried one by one; the guilty one has a row that says so, the others their rows."""
    path = tmp_path / "a.sqlite"
    found = sweep(SMALL, path, executor=Fragile, workers=2)
    got = rows_without_times(path)
    lost = got.pop("3:4,3")

    assert {"done": len(reference) - 1, "died": 1} == found.outcomes
    assert ("died", "lost by the executor: RuntimeError: gone") == (lost["outcome"], lost["message"])
    assert {text: row for text, row in reference.items() if text != "3:4,3"} == got
    sweep(SMALL, path, retry=True, workers=1)
    assert reference == rows_without_times(path)


@in_turn(2)
def test_a_broken_executor_ends_the_sweep(tmp_path, reference):
    """It is said what happened, no model is blamed, and the sweep goes on another time."""
    path = tmp_path / "a.sqlite"
    with pytest.raises(LimitError, match="broken down: all workers are gone; rerun the command to resume"):
        sweep(SMALL, path, executor=Breaking, workers=1)
    sweep(SMALL, path, executor=Here, workers=1)

    assert reference == rows_without_times(path)


def test_a_sweep_goes_on(tmp_path, reference):
    """A wider sweep in the same store does only what is missing; the same one again does nothing."""
    path = tmp_path / "a.sqlite"
    first = sweep("lc cells<=8", path, workers=1)
    second = sweep(SMALL, path, workers=1)
    third = sweep(SMALL, path)

    assert (first.total, len(reference) - first.total) == (second.before, second.done)
    assert (len(reference), 0, True) == (third.before, third.done, third.complete)
    assert reference == rows_without_times(path)


def test_failures_are_recorded(tmp_path):
    """A model that is refused does not stop the others; its row says what happened."""
    models = tmp_path / "models.txt"
    models.write_text("2:2,2\n9:9,9,9,9\n2:3,3", encoding="utf-8")
    found = sweep(str(models), tmp_path / "a.sqlite", workers=1, method="table", max_memory="100k")
    got = {row["model"]: row for row in iterate_rows(str(tmp_path / "a.sqlite"))}

    assert {"done": 2, "refused": 1} == found.outcomes
    assert "are needed and" in got["9:9,9,9,9"]["message"]
    assert (3, 7) == tuple(got[text]["dimension"] for text in ("2:2,2", "2:3,3"))


def test_lines_that_cannot_be_read_are_recorded(tmp_path, capsys):
    """With --keep-going they get rows that say file and line, and the sweep goes on; without it nothing is begun."""
    models, store = tmp_path / "models.txt", tmp_path / "s.sqlite"
    large = tmp_path / "large.json"
    with large.open("wb") as file:
        file.truncate(MOST_BYTES + 1)
    models.write_text(f"2:2,2\n2:2,\n{large}\n3:2,2,2,2\n", encoding="utf-8")

    assert 2 == main(["sweep", str(models), "--store", str(store), "--workers", "1"])
    assert not store.exists()
    assert "line 2" in (said := capsys.readouterr().err)
    assert "line 3" in said

    for _ in range(2):  # the second time there is nothing to do
        assert 0 == main(["sweep", str(models), "--store", str(store), "--workers", "1", "--keep-going"])
    assert "4 of 4 models; 4 were there, nothing to do" in capsys.readouterr().out
    kept = [(row["number"], row["model"], row["outcome"]) for row in iterate_rows(store)]
    wanted = ["done", "failed", "refused", "done"]
    assert list(zip(range(1, 5), models.read_text(encoding="utf-8").split(), wanted, strict=True)) == kept
    assert [row["message"] for row in iterate_rows(store)][1].startswith(f"{models}: line 2, '2:2,': ")

    assert 0 == main(["sweep", str(models), "--store", str(store), "--workers", "1", "--keep-going", "--retry"])
    assert "4 of 4 models; 2 were there, 1 failed, 1 refused" in capsys.readouterr().out
    assert 0 == main(["sweep", str(models), "--list", "--keep-going"])
    shown = capsys.readouterr()
    assert "2:2,2\n3:2,2,2,2\n" == shown.out
    assert "line 2" in shown.err


@in_turn(2)
def test_labels_and_places_of_a_list_are_kept(tmp_path, capsys):
    """Every entry of a list has its row, with its label and its place, also where two have one model; a new list replaces the old."""
    lav = tmp_path / "one.lav"
    lav.write_text("f =~ x1 + x2 + x3", encoding="utf-8")
    models, store = tmp_path / "mine.csv", str(tmp_path / "a.sqlite")
    models.write_text(f'label,model\nfirst,"2:2,2"\nmine,{lav.name}\nagain,"2:2,2"\nwrong,2:2^\n', encoding="utf-8")
    assert 0 == main(["sweep", str(models), "--store", store, "--workers", "1", "--keep-going"])
    assert "3 of 3 models (4 listed, 3 different); 2 done, 1 failed" in capsys.readouterr().out

    labels = ["first", "mine", "again", "wrong"]
    found = list(iterate_rows(store))
    assert labels == [row["label"] for row in found]
    assert [f"{models}, line {line}" for line in (2, 3, 4, 5)] == [row["source"] for row in found]
    assert [1, 2, 3, 4] == [row["number"] for row in found]
    assert [3, 6, 3, None] == [row["dimension"] for row in found]
    assert 0 == main(["query", store, "--columns", "label,outcome,message"])
    shown = capsys.readouterr().out.splitlines()
    assert [["label", "outcome"], *([label, "done"] for label in labels[:3])] == [
        line.split()[:2] for line in shown[:4]
    ]
    assert 5 == len(shown)
    assert 0 == main(["query", store, "--where", "label == 'again'", "--json"])
    assert ["again", "2:2,2"] == list(json.loads(capsys.readouterr().out)[0].values())[:2]

    models.write_text('label,model\nother,"2:2,2"\n', encoding="utf-8")
    assert 0 == main(["sweep", str(models), "--store", store, "--workers", "1"])
    assert "1 of 1 models; 1 were there, nothing to do" in capsys.readouterr().out
    assert {"2:2,2": "other"}.items() <= {row["model"]: row["label"] for row in iterate_rows(store)}.items()


@in_turn(2)
def test_a_store_without_lists_gets_them(tmp_path):
    """One that an earlier version has made, or a sweep of a kind, is read, and resumed."""
    store, models = str(tmp_path / "a.sqlite"), tmp_path / "some.txt"
    sweep("lc cells<=8", store, workers=1)
    before = list(iterate_rows(store))
    models.write_text("2:2,2\n2:2,2,2,2\n", encoding="utf-8")

    assert {None} == {row["label"] for row in before}
    assert (1, 1) == (sweep(str(models), store, workers=1).before, len(list(iterate_rows(store))) - len(before))
    assert {"2:2,2", "2:2,2,2,2", None} == {row["label"] for row in iterate_rows(store)}


@in_turn(2)
@posix
def test_a_task_may_take_so_long(tmp_path):
    """A model that takes longer is given up, and the next one is done."""
    models = tmp_path / "models.txt"
    models.write_text("2:2,2\n9:9,9,9,9\n2:3,3\n", encoding="utf-8")
    found = sweep(str(models), tmp_path / "a.sqlite", workers=1, timeout=1, method="rational")
    got = {row["model"]: row for row in iterate_rows(str(tmp_path / "a.sqlite"))}

    assert {"done": 2, "timeout": 1} == found.outcomes
    assert "not done after 1 s; allow more (--timeout)" == got["9:9,9,9,9"]["message"]


@in_turn(2)
def test_certificates_are_stored(tmp_path):
    """A certificate of every proved dimension, if asked for; the checker accepts it."""
    sweep("lc cells<=9", tmp_path / "a.sqlite", workers=1, certificates=True)
    for row in iterate_rows(str(tmp_path / "a.sqlite")):
        assert algdim.verify(row["certificate"].encode())


@pytest.mark.parametrize("options", [{"method": "no"}, {"bounds": "no"}, {"timeout": -1}])
def test_wrong_options_are_refused_before_anything_is_done(tmp_path, options):
    """What would make every model fail is an error at once."""
    with pytest.raises(AlgdimError):
        sweep(SMALL, tmp_path / "a.sqlite", **options)


def test_batches_take_about_a_second():
    """This many as fit into a second, and towards the end no more than a share for each worker."""

    def rows_of(seconds, count=1000):
        return [{"seconds": seconds}] * count

    assert 100 == choose_batch_size(rows_of(0.01), 10_000, 2)
    assert 1 == choose_batch_size(rows_of(7.0), 10_000, 2)
    assert 500 == choose_batch_size(rows_of(1e-9), 10_000, 2)
    assert 12 == choose_batch_size(rows_of(0.01, 3), 10_000, 2)
    assert 5 == choose_batch_size(rows_of(0.01), 10, 2)
    assert 1 == choose_batch_size(rows_of(None), 10, 2)


def test_the_rate_and_the_time_that_is_left(monkeypatch):
    """Of what this run has done itself, by a clock that stands at 110."""
    monkeypatch.setattr("algdim.sweeping.sweeping.monotonic", lambda: 110.0)
    state = State(100, 50, began=100.0)
    assert state.remaining is None
    state.done = 20

    assert (2, 15) == (state.rate, state.remaining)


def test_the_command(tmp_path, capsys, monkeypatch):
    """It says what was done, is quiet without a terminal, and lists models."""
    monkeypatch.chdir(tmp_path)

    assert 0 == main(["sweep", "lc cells<=6", "--store", "a.sqlite", "--workers", "1"])
    out, err = capsys.readouterr()
    assert "" == err
    assert out.startswith("a.sqlite: 2 of 2 models; 2 done\n")
    assert 0 == main(["sweep", "lc cells<=6", "--list"])
    assert "2:2,2\n2:3,2\n" == capsys.readouterr().out
    assert 2 == main(["sweep", "lc cells<=6"])
    assert "give --store FILE, or --list" in capsys.readouterr().err
    assert algdim.sweep is sweep


@in_turn(2)
def test_progress_is_told_to_a_terminal(tmp_path, capsys, monkeypatch):
    """Rate and remaining time, in a line that is written over."""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    main(["sweep", "lc cells<=6", "--store", str(tmp_path / "a.sqlite"), "--workers", "1"])
    err = capsys.readouterr().err

    assert "models/s, " in err
    assert " left" in err
    assert "\r2/2 " in err


@in_turn(2)
@posix
@pytest.mark.parametrize("number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.slow)])
def test_a_request_to_stop_is_obeyed(tmp_path, number):
    """Tasks in flight are finished and stored, the exit code is 1, and it is said how to go on."""
    path = tmp_path / "a.sqlite"
    process = started("lc cells<=130", "--store", path, process_group=0)
    while row_count(path) < 3:
        assert process.poll() is None
        time.sleep(0.02)
    os.killpg(process.pid, number)  # as a terminal does
    out, err = process.communicate(timeout=60)

    assert 1 == process.returncode
    assert "the tasks in flight are finished first" in err
    assert "stopped; rerun the command to resume" in out
    assert f"{row_count(path)} of 1696 models" in " ".join(out.split())  # lines are folded, by the length of the path
    assert {"done"} == {row["outcome"] for row in rows_without_times(path).values()}


def children_of(pid):
    """The processes that a process has started, where the system tells."""
    file = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(child) for child in file.read_text(encoding="ascii").split()] if file.exists() else []


def is_running(pid):
    """Whether there is such a process, and it is not waiting to be buried."""
    file = Path(f"/proc/{pid}/stat")
    try:
        return file.read_text(encoding="ascii").rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def killed_and_resumed(path, text, kills, seed):
    """Kill a sweep repeatedly at random moments, and let the last one end; return how often it was killed."""
    draws = random.Random(seed)
    count = 0
    for _ in range(kills):
        process = started(text, "--store", path)
        before, wanted = row_count(path), draws.random() * 1.5
        began = time.monotonic()
        # from before the first row until long after
        while process.poll() is None and (
            time.monotonic() - began < wanted or (count % 2 and row_count(path) == before)
        ):
            time.sleep(0.01)
        runners = children_of(process.pid)
        count += process.poll() is None
        process.kill()
        process.communicate()
        deadline = time.monotonic() + 60
        while any(map(is_running, runners)):
            assert time.monotonic() < deadline, "a runner has outlived its sweep"
            time.sleep(0.02)
    finished(text, "--store", path)
    return count


@in_turn(2)
@posix
def test_a_killed_sweep_is_resumed(tmp_path, reference):
    """Killed twice and run again, a sweep ends with the rows of one that was not disturbed; no process is left behind."""
    path = tmp_path / "a.sqlite"
    killed_and_resumed(path, SMALL, 2, 1)

    assert reference == rows_without_times(path)


@posix
@pytest.mark.slow
def test_twenty_kills(tmp_path):
    """Killed twenty times at random moments and run again, a sweep ends with the rows of one that was not disturbed."""
    text = "lc cells<=160"
    finished(text, "--store", tmp_path / "whole.sqlite")

    assert 20 == killed_and_resumed(tmp_path / "a.sqlite", text, 20, 2)
    assert rows_without_times(tmp_path / "whole.sqlite") == rows_without_times(tmp_path / "a.sqlite")


@in_turn(2)
def test_models_that_are_drawn_twice_are_counted(tmp_path, capsys):
    """Fewer rows than were asked for are explained, in text, in JSON, and where models are only listed."""
    words = ["sweep", "random-networks count=30 observed=2 hidden=0 states=2", "--store", str(tmp_path / "a.sqlite")]

    assert 0 == main([*words, "--workers", "1"])
    assert "4 of 4 models (30 drawn, 4 different); 4 done\n" in capsys.readouterr().out
    assert 0 == main([*words, "--workers", "1", "--json"])
    said = json.loads(capsys.readouterr().out)
    assert (30, 4, 4) == (said["listed"], said["total"], said["before"])
    assert 0 == main([*words[:2], "--list"])
    listed = capsys.readouterr()
    assert 4 == len(listed.out.splitlines())
    assert "algdim: note: 30 drawn, 4 different\n" == listed.err
    assert 0 == main(["sweep", "random-networks count=1 observed=2 hidden=0 states=2", "--list"])
    assert "" == capsys.readouterr().err


def test_rows_have_no_limit_of_time_unless_one_is_given():
    """So that they are the same on every machine; with one the report says what was not tried."""
    free, short = (compute_row("3:2,2,2,2", Settings(max_seconds=seconds)) for seconds in (None, 0.0))

    assert (True, []) == (free["exact"], json.loads(free["report"])["not_tried"])
    assert not short["exact"]
    assert json.loads(short["report"])["not_tried"]
