"""Tasks in processes of their own: killed, too slow, too large, and what becomes of the others."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time

import pytest
from amount import in_turn
from sweeps import ENVIRONMENT, row_count, started

from algdim.sweeping.processes import START_SECONDS, Runner, describe_exit, run_batch, start_runners
from algdim.sweeping.tasks import Settings, compute_row

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals and limits are POSIX's")

SLOW = "9:9,9,9,9"
"""Takes minutes by rational numbers."""


@pytest.fixture(autouse=True)
def _no_process_is_left():
    """End what a test leaves."""
    with start_runners():
        yield


@in_turn(2)
def test_a_task_that_is_killed_has_a_row():
    """The row says how the process ended; the next model has a process of its own."""
    settings = Settings(method="rational")
    runner = Runner(settings)
    first = runner.examine_model("2:2,2")
    threading.Timer(0.2, lambda: os.kill(runner.process.pid, signal.SIGKILL)).start()
    second = runner.examine_model(SLOW)

    assert ("done", "died") == (first["outcome"], second["outcome"])
    assert "its process ended: killed by SIGKILL, perhaps for lack of memory" == second["message"]
    assert not runner.is_alive
    assert ["done"] == [row["outcome"] for row in run_batch(["2:2,2"], settings)]


@in_turn(3)
def test_a_batch_goes_on_after_a_model_that_is_given_up():
    """The row says after how many seconds, which are those that were allowed or more."""
    rows = run_batch([SLOW, "2:2,2"], Settings(method="rational", timeout=2))

    assert ["timeout", "done"] == [row["outcome"] for row in rows]
    assert rows[0]["seconds"] >= 2


def test_the_first_task_has_no_more_time_than_others(monkeypatch):
    """By a clock on which starting takes fifty seconds, and every task as well: starting is not counted."""
    now, until, line = [0], [], Runner.line

    def slowly(self, deadline):
        until.append(deadline)
        now[0] += 50
        return line(self, None)

    monkeypatch.setattr("algdim.sweeping.processes.monotonic", lambda: now[0])
    monkeypatch.setattr(Runner, "line", slowly)
    runner = Runner(Settings(timeout=7))

    assert ["done", "done"] == [runner.examine_model(text)["outcome"] for text in ("2:2,2", "2:2,3")]
    assert [START_SECONDS, 50 + 7, 100 + 7] == until
    runner.close()


def test_memory_is_limited_by_the_system():
    """What nobody has counted cannot take more either."""
    program = (
        "import algdim.sweeping.processes as r; r.set_memory_limit(10**6)\n"
        "try:\n    bytearray(r.SLACK + 10**8)\nexcept MemoryError:\n    print('refused')"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], env=ENVIRONMENT, capture_output=True, text=True, check=True, encoding="utf-8"
    )

    assert "refused\n" == done.stdout


def test_a_process_and_this_one_say_the_same():
    """A row does not depend on where it was made, the time apart."""
    (row,) = run_batch(["3:2,2,2,2"], Settings())

    assert {**compute_row("3:2,2,2,2", Settings()), "seconds": 0} == {**row, "seconds": 0}


def test_a_process_that_cannot_start_is_told(monkeypatch):
    """Not waited for without end."""
    monkeypatch.setattr(sys, "executable", "/bin/false")

    assert "its process did not start" == Runner(Settings()).examine_model("2:2,2")["message"]


@in_turn(2)
def test_the_second_request_ends_at_once(tmp_path):
    """Ctrl-C twice does not wait for a task that takes minutes, and leaves no process behind."""
    models = tmp_path / "models.txt"
    models.write_text(f"2:2,2\n{SLOW}\n", encoding="utf-8")
    process = started(models, "--store", tmp_path / "a.sqlite", "--method", "rational")
    while row_count(tmp_path / "a.sqlite") < 1:
        assert process.poll() is None
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    heard = ""
    while "once more to end at once" not in heard:
        piece = process.stderr.readline()
        assert piece, heard
        heard += piece
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)

    assert 130 == process.returncode, err
    assert "Traceback" not in err


def test_endings_in_words():
    """A signal by its name, an exit code as a number."""
    assert "killed by SIGSEGV" == describe_exit(-11)
    assert "exit code 3" == describe_exit(3)


def test_a_process_that_nobody_listens_to_ends_quietly():
    """Where what started it was killed, nothing is printed."""
    process = subprocess.Popen(
        [sys.executable, "-m", "algdim.sweeping.processes"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=ENVIRONMENT,
    )
    process.stdout.close()
    process.stdin.write(json.dumps(Settings().to_dict()).encode() + b"\n")
    process.stdin.flush()

    assert 0 == process.wait(timeout=60)
    assert b"" == process.stderr.read()
    process.stdin.close()
    process.stderr.close()
