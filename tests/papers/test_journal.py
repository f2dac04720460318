"""What the tasks of an experiment found is kept as they end, so that a stopped run goes on."""

import json
from dataclasses import replace
from time import sleep

import pytest

from algdim import InputError
from algdim_papers.experiments import journal, running
from algdim_papers.experiments.catalogue import choose_experiments
from algdim_papers.experiments.journal import Journal, open_journal
from algdim_papers.experiments.record import compute_mean, make_measured_cell
from algdim_papers.experiments.rows import make_rows
from algdim_papers.experiments.running import TINY, Experiment, Setting, run_experiment

HEAD = {"name": "squares", "size": "tiny"}
DONE = []


def square(task):
    """A task of which is remembered that it was done."""
    DONE.append(task)
    if task == 3 and DONE.count(3) == 1:
        raise KeyboardInterrupt
    return (task, task**2)


def measure(setting):
    """Squares of five numbers."""
    return {"squares": make_rows(("x", "y"), setting.mapped(square, [1, 2, 3, 4, 5]))}


SQUARES = Experiment(
    "squares",
    "GHM96",
    "§0",
    "squares",
    "five squares",
    measure,
    lambda findings: [make_measured_cell("", "mean", compute_mean(findings["squares"].column("y")))],
    lambda findings: {},
)


def test_a_stopped_run_goes_on_where_it_was(tmp_path):
    """The tasks that ended are not done again; what is found is the same, and the journal is gone at the end."""
    DONE.clear()
    with pytest.raises(KeyboardInterrupt):
        run_experiment(SQUARES, Setting(TINY), tmp_path)
    kept = (tmp_path / "squares.partial").read_text(encoding="utf-8").splitlines()
    seen = []
    found = run_experiment(SQUARES, Setting(TINY, progress=lambda *one: seen.append(one)), tmp_path)

    assert 3 == len(kept)
    assert [1, 2, 3, 3, 4, 5] == DONE
    assert ((1, 1), (2, 4), (3, 9), (4, 16), (5, 25)) == found.findings["squares"].entries
    assert [("squares", number, 5) for number in (2, 3, 4, 5)] == seen
    assert {"squares.csv", "squares.json"} == {file.name for file in tmp_path.iterdir()}


@pytest.mark.parametrize("other", [{"seed": 1}, {"size": running.DEFAULT}])
def test_another_run_begins_anew(tmp_path, other):
    """What was found with another seed or size is not taken."""
    DONE.clear()
    with pytest.raises(KeyboardInterrupt):
        run_experiment(SQUARES, Setting(TINY), tmp_path)
    run_experiment(SQUARES, replace(Setting(TINY), **other), tmp_path)

    assert [1, 2, 3, 1, 2, 3, 4, 5] == DONE


def test_a_line_that_was_being_written_is_dropped(tmp_path):
    """A run may be killed anywhere; the seconds of the runs before count."""
    file = tmp_path / "x.partial"
    first = open_journal(file, HEAD)
    first.add("a", [1.5, None], 40.0)
    first.add("b", {"x": "ü"}, 2.5)
    whole = file.read_text(encoding="utf-8")
    last = whole.splitlines()[-1]
    for cut in range(len(last.encode()) + 1):
        file.write_bytes(whole.encode()[: len(whole.encode()) - 1 - cut])
        again = open_journal(file, HEAD)

        assert {"a": [1.5, None]} == again.results
        assert 2 == len(file.read_text(encoding="utf-8").splitlines())
    file.write_text(whole, encoding="utf-8")

    assert 42.5 == open_journal(file, HEAD).seconds


def test_a_larger_run_is_not_repeated_at_a_smaller_size(tmp_path):
    """What a folder has at a larger size is judged as what it is; a smaller one is run again."""
    DONE[:] = [3]
    run_experiment(SQUARES, Setting(running.DEFAULT), tmp_path)
    smaller = run_experiment(SQUARES, Setting(TINY), tmp_path)
    assert ("default", 6) == (smaller.size, len(DONE))
    larger = run_experiment(SQUARES, Setting(running.FULL), tmp_path)
    assert ("full", 11) == (larger.size, len(DONE))


def test_seconds_are_of_the_processor():
    """What a task waits does not count, so that a busy machine has the seconds of an idle one."""
    found, seconds = running.measure_time(sleep, 0.2)
    assert found is None
    assert seconds < 0.1


@pytest.mark.parametrize(
    "text", ["[]\n[1]\n", '{"name": "squares", "size": "tiny"}\n[1]\n', "x\n", "[" * 100_000 + "\n"]
)
def test_a_file_that_is_no_journal(tmp_path, text):
    """It is refused if it is another thing; a journal of another run is written anew."""
    file = tmp_path / "x.partial"
    file.write_text(text, encoding="utf-8")
    if text.startswith("[]"):
        assert {} == open_journal(file, HEAD).results
        return
    with pytest.raises(InputError, match="remove it to run again"):
        open_journal(file, HEAD)


def test_a_journal_is_not_read_without_end(tmp_path, monkeypatch):
    """There is a limit of bytes, as for all files."""
    monkeypatch.setattr(journal, "MOST_BYTES", 100)
    (tmp_path / "x.partial").write_text("x" * 101, encoding="utf-8")

    with pytest.raises(InputError, match="more than 100 bytes"):
        open_journal(tmp_path / "x.partial", HEAD)


@pytest.mark.slow
def test_what_is_resumed_is_what_is_measured_at_once(tmp_path):
    """Rows of a run that goes on from a journal are those of a run in one piece, for an experiment whose tasks give records."""
    experiment = choose_experiments(["features"])[0]
    whole = run_experiment(experiment, Setting(TINY))
    kept = Journal(None, {})
    experiment.measure(Setting(TINY, journal=kept))
    text = json.dumps(kept.results)
    part = Journal(None, {}, dict(list(json.loads(text).items())[:1]))
    again = experiment.measure(Setting(TINY, journal=part))

    assert len(kept.results) > 1
    assert whole.findings == again
