"""Who stops a command sees one line and no traceback, and finds every file as it was."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from itertools import product

import pytest
from amount import daily, first
from packages import ROOT

BEGUN = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # which a job in the background would ignore
from algdim.__main__ import main
print("begun", flush=True)
sys.exit(main())
"""

HIDDEN = {"H": [["1/2", "1/2"]], "X1": [["1/2", "1/2"]] * 2, "X2": [["1/2", "1/2"]] * 2}
CAUSES, EFFECTS = (",".join(f"{sign}{number}" for number in range(count)) for sign, count in (("H", 8), ("X", 40)))
LONG = f"{CAUSES} -> {EFFECTS}; hidden {CAUSES}"
SHARED = "H -> X1, X2, X3; hidden H; states H=400, X1=30, X2=30, X3=30; share s: X1, X2, X3"
NOISY = f"noisy-or: {', '.join(f'{{C{i}}}' for i in range(20))} -> E1..E10; hidden C0..C19"
COMMANDS = {
    "table": ["table", "models.csv", "--columns", "label,standard,dimension"],
    "simulate": ["simulate", "2:2,2", "--at", "at.json", "-n", "16000000"],
    "fit": ["fit", "data.csv", "8:3^5", "--starts", "500", "--absolute", "1e-14"],
    "select": "select data.csv --classes 9..30 --by bic+ -o best.json --fit fit.json --plot scores.svg".split(),
    "export": ["export", f"gaussian: {LONG}", "--to", "macaulay2"],
    "prove": ["prove", f"sigmoid: {LONG}", "-o", "certificate.json"],
    "dim": ["dim", SHARED],
    "identify": ["identify", "H0..H9 -> X0..X9; hidden H0..H9"],
    "explain": ["explain", SHARED],
    "compare": ["compare", SHARED, SHARED.replace("400", "390")],
    "constraints": ["constraints", NOISY],
    "reproduce": "reproduce CH96 --experiments --workers 2 --output outcomes".split(),
}
SAID = {signal.SIGINT: (130, "algdim: interrupted\n"), signal.SIGTERM: (143, "")}


@pytest.fixture
def folder(tmp_path):
    """What the commands need, and a file that one of them would replace."""
    rows = [[(case * (place + 3) // 7 + case // 11) % 3 for place in range(5)] for case in range(2000)]
    lines = ["X1,X2,X3,X4,X5", *(",".join(map(str, row)) for row in rows)]
    (tmp_path / "data.csv").write_text("\n".join(lines), encoding="utf-8")
    long = "".join(f'long,"sigmoid: {LONG}; H0 -> Y{number}"\n' for number in range(60))
    (tmp_path / "models.csv").write_text(f"label,model\n{long}", encoding="utf-8")
    (tmp_path / "at.json").write_text(str(HIDDEN).replace("'", '"'), encoding="utf-8")
    (tmp_path / "certificate.json").write_text("old", encoding="utf-8")
    return tmp_path


def stopped(process, number):
    """Stop a command, and again as a person would: mpmath, while it looks for gmpy2, takes Ctrl-C for an answer."""
    for _ in range(5):
        os.killpg(process.pid, number)
        with suppress(subprocess.TimeoutExpired):
            return process.communicate(timeout=5)
    raise AssertionError("it does not stop")


def contents(folder):
    """All files and what is in them."""
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    ("name", "number", "delay"), [*daily(product(COMMANDS, SAID, [0.2]), 3), *first(product(COMMANDS, SAID, [1, 4]), 0)]
)
def test_who_stops_a_command_finds_everything_as_it_was(folder, name, number, delay):
    """At once, while libraries are read, or later; a terminal sends Ctrl-C to the processes of a command too."""
    before = contents(folder)
    with subprocess.Popen(
        [sys.executable, "-c", BEGUN, *COMMANDS[name]],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        encoding="utf-8",
    ) as process:
        try:
            assert "begun\n" == process.stdout.readline()
            time.sleep(delay)
            out, err = stopped(process, number)
        finally:
            process.kill()

    assert (*SAID[number], "") == (process.returncode, err, out)
    assert before == contents(folder)
