"""The limit of memory: what is refused says how much it needs, and what is allowed stays within it, measured from outside."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from amount import daily, in_turn
from packages import ROOT

from algdim import InputError
from algdim.cli import build_parser
from algdim.memory import parse_memory_size
from algdim.studio import answering
from algdim.sweeping.querying import iterate_rows

BESIDE = 100_000_000
"""For Python and its libraries, and what is small beside the matrix."""

FIGURE = re.compile(r"; ([0-9.]+) ([kMG]?B|bytes) are needed and .{1,20} are allowed")
SCALES = {"bytes": 1, "B": 1, "kB": 10**3, "MB": 10**6, "GB": 10**9}


def listed(letter, count):
    """Names with numbers."""
    return ", ".join(f"{letter}{number}" for number in range(count))


COUNTED = ("--bounds", "counting,ambient")
FACTORS = f"gaussian: F1, F2 -> {listed('X', 13)}; hidden F1, F2"
COMMANDS = {
    "dim, a large table": ("dim", "100:8^4", "--method", "table", *COUNTED),
    "dim, many classes by probes": ("dim", "60:6^6", "--method", "probes", *COUNTED),
    "dim, few classes": ("dim", "60:4^6", "--method", "table", *COUNTED),
    "dim, rational numbers": ("dim", "6:3^5", "--method", "rational", *COUNTED),
    "dim, a latent tree": ("dim", "8(6(6,6),6(6,6),6)", "--method", "table", *COUNTED),
    "dim, a Gaussian model": ("dim", f"gaussian: F1, F2, F3 -> {listed('X', 60)}; hidden F1, F2, F3", *COUNTED),
    "dim, a classifier": ("dim", f"classifier Y: Y -> {listed('X', 12)}; states Y=20", "--method", "table", *COUNTED),
    "dim, a log-linear model": (
        "dim",
        f"loglinear: {', '.join(f'{{X{number},H}}' for number in range(12))}; hidden H; states H=20",
        "--method",
        "table",
        *COUNTED,
    ),
    "dim, a sigmoid network": (
        "dim",
        f"sigmoid: {listed('H', 10)} -> {listed('X', 40)}; hidden {listed('H', 10)}",
        "--method",
        "probes",
        *COUNTED,
    ),
    "dim, a mixture of normals": (
        "dim",
        "latent-profile: H -> X1..X6; hidden H; states H=30; covariances full; moments 4",
        *COUNTED,
    ),
    "dim, discrete and normal variables": (
        "dim",
        "conditional-gaussian: H -> X1..X8; F, G -> X1..X8; hidden H, F, G; states H=9",
        *COUNTED,
    ),
    "dim, a formula": ("dim", "polynomial: parameters a, b, c, d; coordinates (1 + a + 2*b + 3*c + 4*d)^40, a*b"),
    "dim, all its bounds": ("dim", "U, V -> A, B, C, D, E, F; hidden U, V; states U=3, V=3"),
    "dim, a small model": ("dim", "3:2,2,2,2"),
    "dim, the reduced matrix": ("dim", "4:3,3,3", "--method", "rowreduce", "--show"),
    "rowreduce": ("rowreduce", "4:3,3,3", "--show"),
    "rowreduce modulo a prime": ("rowreduce", "6:4,4,4", "--prime", "101"),
    "dim, a regression on many joint states": (
        "dim",
        "sigmoid: A1..A4 -> B1..B4; states A1..A4=20; multinomial B1..B4; given A1..A4",
    ),
    "identify, a long document": ("identify", "A, B, C -> D; states A=30, B=20, C=20, D=3", "--json"),
    "identify": ("identify", "A -> B -> C -> D; U -> B, D; hidden U; states U=200"),
    "explain": ("explain", "12:5,5,5,5"),
    "explain, a page": ("explain", "gaussian: F -> X1..X6; hidden F", "--html"),
    "constraints": ("constraints", FACTORS),
    "constraints, with data": ("constraints", "A -> B -> C -> D; states A=40, B=40, C=40, D=40", "--data", "DATA"),
    "compare": ("compare", "A, B -> C; states A=30, B=30, C=30", "A -> B -> C; states A=30, B=30, C=30"),
    "prove": ("prove", "20:30,30"),
    "bounds": ("bounds", "60:6^4"),
    "decompose": ("decompose", "8(6(6,6),6(6,6),6)"),
    "fit": ("fit", "DATA", "300:40,40,40,40", "--iterations", "3", "--starts", "1"),
    "fit, many starts": ("fit", "DATA", "40:40,40,40,40", "--iterations", "3"),
    "fit, tables in layers": (
        "fit",
        "DATA",
        "A, B -> H -> C, D; hidden H; states A=40, B=40, C=40, D=40, H=5",
        "--iterations",
        "2",
    ),
    "fit, a Gaussian model": (
        "fit",
        "DATA",
        "gaussian: F1..F9 -> A, B, C, D; hidden F1..F9; E1..E9 -> F1..F9; hidden E1..E9",
        "--iterations",
        "3",
    ),
    "fit, a mixture of normals": (
        "fit",
        "DATA",
        "latent-profile: H -> A, B, C, D; hidden H; states H=40",
        "--iterations",
        "3",
    ),
    "fit, discrete and normal variables": (
        "fit",
        "DATA",
        "conditional-gaussian: H, F -> A, B, C, D; hidden H, F; states H=60; common intercepts",
        "--iterations",
        "3",
    ),
    "fit, with residuals": ("fit", "DATA", "30:40,40,40,40", "--iterations", "3", "--starts", "1", "--residuals"),
    "fit, with a bootstrap": ("fit", "DATA", "9:40,40,40,40", "--iterations", "3", "--starts", "1", "--bootstrap", "2"),
    "score": ("score", "DATA", "9:40,40,40,40"),
    "select": ("select", "DATA", "--classes", "9..10"),
    "check": ("check", "MODELS"),
    "table": ("table", "MODELS"),
    "sweep": ("sweep", "MODELS", "--store", "STORE", "--workers", "1", "--keep-going", *COUNTED),
}
"""Every command that has a limit of memory, with what needs much of it; some files are made for them."""


def make_files(folder):
    """The words that stand for files, and their paths."""
    data, models = folder / "data.csv", folder / "models.csv"
    rows = [f"{k % 40},{k * k % 40},{k * 7 % 40},{(k * k + k) // 3 % 40}" for k in range(400)]
    data.write_text("\n".join(["A,B,C,D", *rows]), encoding="utf-8")
    models.write_text('model,dimension\n"60:6^4",1139\n"2:2,2",3\n', encoding="utf-8")
    return {"DATA": str(data), "MODELS": str(models), "STORE": str(folder / "store.sqlite")}


def run(words, limit, folder):
    """What one command prints in a process of its own, in one line, its exit code, and its peak."""
    files = make_files(folder)
    Path(files["STORE"]).unlink(missing_ok=True)
    given = [files.get(word, word) for word in words]
    given += [] if limit is None else ["--max-memory", str(limit), "--threads", "1"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    said = subprocess.run(
        [sys.executable, str(ROOT / "tests" / "peak.py"), *given],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=True,
        timeout=600,
        encoding="utf-8",
    ).stdout
    text, code, peak = re.fullmatch(r"(.*)\nexit (\d+), peak (\d+)\n", said, re.DOTALL).groups()
    return " ".join(text.split()), int(code), int(peak)


def find_needed(said):
    """The greatest figure of what was refused, or not tried, in bytes."""
    return max((float(number) * SCALES[unit] for number, unit in FIGURE.findall(said)), default=None)


@pytest.mark.parametrize("name", daily(COMMANDS, 1))
def test_memory_of_every_command_stays_within_the_limit(name, tmp_path):
    """From a small limit on to what is enough, as refusals say: what the processes take is what is allowed and a little more."""
    limit, refusals = 100_000, 0
    while True:
        said, code, peak = run(COMMANDS[name], limit, tmp_path)
        assert peak <= limit + BESIDE, (limit, said[-300:])
        needed = find_needed(said)
        if needed is None:
            break
        assert needed > limit
        assert (refusals := refusals + 1) <= 12
        limit = int(needed * 1.01)  # what is printed is rounded
    assert code in (0, 1), said[-300:]


SWEPT = (
    "60:6^4",
    "12:5,5,5,5",
    "30:40,40",
    "8(6(6,6),6(6,6),6)",
    "U, V -> A, B, C, D, E, F; hidden U, V; states U=3, V=3",
    f"gaussian: F1, F2, F3 -> {listed('X', 40)}; hidden F1, F2, F3",
    f"loglinear: {', '.join(f'{{X{number},H}}' for number in range(10))}; hidden H; states H=12",
    f"classifier Y: Y -> {listed('X', 12)}; states Y=20",
    "latent-profile: H -> X1..X5; hidden H; states H=12; covariances full; moments 4",
    "conditional-gaussian: H -> X1..X6; F -> X1..X6; hidden H, F; states H=7",
    "polynomial: parameters a, b, c, d; coordinates (1 + a + 2*b + 3*c + 4*d)^20, a*b",
)
"""Models of several families whose analysis takes from one to some hundred megabytes."""


@pytest.mark.parametrize("limit", daily([2 * 10**6, 10**7, 5 * 10**7, 2 * 10**8, 10**9], 1))
def test_memory_of_a_sweep_stays_within_every_limit(limit, tmp_path):
    """Small ones and medium ones, with all searches and two workers: each model has an outcome, also where it is refused."""
    models, store = tmp_path / "swept.txt", tmp_path / "swept.sqlite"
    models.write_text("\n".join(SWEPT), encoding="utf-8")
    words = ("sweep", str(models), "--store", str(store), "--workers", "2", "--keep-going", "--max-seconds", "5")
    said, code, peak = run(words, limit, tmp_path)
    assert peak <= limit + BESIDE, said[-300:]
    assert code in (0, 1), said[-300:]
    outcomes = [row["outcome"] for row in iterate_rows(store)]
    assert len(SWEPT) == len(outcomes)
    assert {"done", "refused", "memory"} >= set(outcomes)
    assert limit < 10**9 or {"done"} == set(outcomes)


def test_no_command_is_left_out():
    """All that have the option."""
    (commands,) = (action for action in build_parser()._actions if action.dest == "command")
    limited = {name for name, parser in commands.choices.items() if "--max-memory" in parser.format_usage()}

    assert limited - {"reproduce"} == {words[0] for words in COMMANDS.values()}


QUESTIONS = {
    "dim": "100:8^4",
    "constraints": FACTORS,
    "lecture": "12:5,5,5,5",
    "certificate": "20:30,30",
    "what-if": "60:6^4",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", QUESTIONS)
def test_memory_of_what_the_studio_answers(name, tmp_path):
    """It has a limit of its own."""
    form = {"question": "write", "form": name} if name in answering.FORMS else {"question": name, "variables": ["H"]}
    said, code, peak = run(["studio", json.dumps({**form, "text": QUESTIONS[name]})], None, tmp_path)

    assert code in (0, 3)
    assert "what if:" not in said
    assert peak <= answering.MEMORY + BESIDE


@in_turn(2)
def test_a_refusal_has_both_figures(tmp_path):
    """What is needed, and what is allowed, at once."""
    said, code, _ = run(COMMANDS["dim, a large table"], 10**7, tmp_path)

    assert code == 3
    assert 10**7 < find_needed(said)
    assert "10 MB are allowed" in said


@pytest.mark.parametrize("text", ["", "4 G", "-1", "1e9", "4P", "٤G", "1.5G", "9" * 20])
def test_sizes_that_are_none(text):
    """Whole numbers with k, M, G or T."""
    with pytest.raises(InputError, match="is not a size of memory"):
        parse_memory_size(text)
