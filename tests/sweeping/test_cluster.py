"""Dask distributed: a real scheduler and two workers on loopback, one of them killed in mid-task."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from importlib.util import find_spec

import pytest
from amount import in_turn
from sweeps import ENVIRONMENT, row_count, rows_without_times

from algdim import InputError, sweep
from algdim.cli import main
from algdim.sweeping.processes import open_client

pytestmark = pytest.mark.skipif(find_spec("distributed") is None, reason="distributed is not installed")


@pytest.fixture
def start(tmp_path):
    """Start programs of Dask, and end them with the test."""
    running = []

    def begin(*words):
        command = [sys.executable, "-m", "dask", *map(str, words)]
        with (tmp_path / "dask.log").open("a", encoding="utf-8") as log:
            running.append(subprocess.Popen(command, env=ENVIRONMENT, cwd=tmp_path, stdout=log, stderr=log))
        return running[-1]

    yield begin
    for process in reversed(running):
        process.kill()
        process.wait()


@pytest.fixture
def scheduler(start, tmp_path):
    """The address of a scheduler."""
    file = tmp_path / "scheduler.json"
    start("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--no-show", "--scheduler-file", file)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if file.exists() and file.read_text(encoding="utf-8").endswith("}"):
            return json.loads(file.read_text(encoding="utf-8"))["address"]
        time.sleep(0.1)
    raise AssertionError((tmp_path / "dask.log").read_text(encoding="utf-8"))


def swept(address, text, store):
    """Start a sweep by the workers of a scheduler, as a command."""
    command = [sys.executable, "-m", "algdim", "sweep", text, "--store", str(store), "--dask", address, "--quiet"]
    return subprocess.Popen(
        command, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8"
    )


@pytest.mark.slow
def test_a_worker_killed_in_mid_task(start, scheduler, tmp_path):
    """The rows are those of a sweep on this machine alone, although a worker was killed while it had work."""
    text = "lc cells<=96"
    words = ("worker", scheduler, "--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1")
    workers = [start(*words) for _ in range(2)]
    # a sweep needs a worker; the other one may come later
    deadline, process = time.monotonic() + 60, None
    while process is None or process.poll() not in {None, 0}:
        assert time.monotonic() < deadline
        process = swept(scheduler, text, tmp_path / "a.sqlite")
        while process.poll() is None and row_count(tmp_path / "a.sqlite") < 30:
            time.sleep(0.02)
    assert process.poll() is None
    workers[0].send_signal(signal.SIGKILL)
    out, err = process.communicate(timeout=240)

    assert 0 == process.returncode, err
    assert "948 done" in out
    sweep(text, tmp_path / "b.sqlite", workers=2)
    assert rows_without_times(tmp_path / "b.sqlite") == rows_without_times(tmp_path / "a.sqlite")


@pytest.mark.slow
def test_a_scheduler_without_workers_is_refused(scheduler):
    """The message says how to start one."""
    with pytest.raises(InputError, match="has no workers; start some: dask worker tcp"), open_client(scheduler):
        pass


@in_turn(3)
def test_an_address_without_a_scheduler_is_refused(tmp_path, capsys, monkeypatch):
    """The message says how to start one, and no store is made."""
    monkeypatch.setattr("algdim.sweeping.processes.WAIT", 1)

    assert 2 == main(["sweep", "lc cells<=9", "--store", str(tmp_path / "a.sqlite"), "--dask", "tcp://127.0.0.1:9"])
    assert "no Dask scheduler answers at 'tcp://127.0.0.1:9'" in capsys.readouterr().err
    assert [] == list(tmp_path.iterdir())
