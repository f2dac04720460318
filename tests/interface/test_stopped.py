"""Who stops a command sees one line and no traceback, and finds every file as it was."""

import os
import signal
import subprocess
import sys
import time
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
SHARED = "H -> X1, X2, X3, X4; hidden H; states H=400, X1=30, X2=30, X3=30; share s: X1, X2, X3"
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
    """Stop a command, once."""
    os.killpg(process.pid, number)
    return process.communicate(timeout=30)


def contents(folder):
    """All files and what is in them, but what is kept on purpose: the tasks of an experiment that have ended."""
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file() and path.suffix != ".partial"}


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


IMPORTED = """
import signal, sys
import algdim.cli
from algdim.__main__ import main
signal.signal(signal.SIGINT, signal.default_int_handler)


def run():
    import taking
    print("imported", flush=True)
    signal.pause()


algdim.cli.main = run
sys.exit(main())
"""
TAKING = """
import signal, time
try:
    signal.raise_signal({number})
    time.sleep(0.1)
except BaseException:
    print("taken for an answer")
"""


@pytest.mark.parametrize("number", SAID)
def test_no_import_takes_it_for_an_answer(number, tmp_path):
    """A library that looks for another one may catch whatever is raised; the command ends when it is imported."""
    (tmp_path / "taking.py").write_text(TAKING.format(number=int(number)), encoding="utf-8")
    found = subprocess.run(
        [sys.executable, "-c", IMPORTED],
        env={**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{tmp_path}"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    assert (*SAID[number], "imported\n") == (found.returncode, found.stderr, found.stdout)
