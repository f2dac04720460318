"""The command line: exit codes, where output goes, and that nobody sees a traceback."""

import io
import json
import os
import re
import shlex
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from amount import daily, first, in_turn
from packages import ROOT
from suites.agreement import KEYS, without_times

import algdim
from algdim.about import VERSION
from algdim.bound.strategy import KNOWN
from algdim.cli import build_parser, main
from algdim.cli.options import parse_memory, parse_positive, parse_seed
from algdim.rank import METHODS
from algdim_papers.claims import reading


@pytest.fixture
def run(capsys):
    """Run one command in this process: exit code, standard output, standard error."""

    def run_command(*arguments):
        try:
            code = main(list(arguments))
        except SystemExit as stopped:
            code = stopped.code
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run_command


def start(*arguments, **environment):
    """Run one command as a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "algdim", *arguments],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        timeout=60,
        check=False,
        stdin=subprocess.DEVNULL,
    )


WRONG_MODELS = [
    ("A -> B -> C -> A", "cycle"),
    ("A -> A", "A"),
    ("", "the text is empty"),
    ("H -> X; hidden H, Y", "Y"),
    ("states A=2, A=3", "A"),
    ("A -> B; A -> B", "A -> B"),
    ("states A=1", "A"),
    ("states A=two", "two"),
    ("4:3,x", "x"),
    ("4:2.5", "write an integer"),
    ("A -> B; hidden A, B", "hidden"),
    ("A -> B; fix P(A=0)=1/3, P(A=1)=1/3", "P(A)"),
    ("A -> B; fix P(A=0)=3/2", "P(A=0)"),
    ("A -> B; fix P(C=0)=1/2", "C"),
    ("A -> B; given B", "B"),
    ("A -> B; share s: A, B", "different shape"),
    ("5,3,3:2,2,2,2,2", "5(2,3(2,2),3(2,2))"),
    ("no-such-name", "no-such-name"),
    ("missing.json", "missing.json"),
]


@pytest.mark.parametrize(("text", "spot"), WRONG_MODELS)
@pytest.mark.parametrize("command", ["dim", "map"])
def test_a_wrong_model_is_refused_by_name(run, command, text, spot):
    """Exit code 2, nothing on standard output, one message that names the spot."""
    code, out, err = run(command, text)

    assert (2, "") == (code, out)
    assert err.startswith("algdim: ")
    assert spot in err
    assert "Traceback" not in err


WRONG_FILES = [
    ({}, "variables"),
    ({"variables": []}, "empty"),
    ({"variables": [{"name": "A"}, {"name": "A"}]}, "A"),
    ({"variables": [{"name": "A", "states": 1}]}, "1"),
    ({"variables": [{"name": "A", "states": "two"}]}, "two"),
    ({"variables": [{"name": "A", "states": 2.5}]}, "2.5"),
    ({"variables": [{"name": "A", "observed": False}]}, "hidden"),
    ({"variables": [{"name": "A"}], "edges": [["A", "B"]]}, "B"),
    ({"variables": [{"name": "A"}, {"name": "B"}], "edges": [["A", "B"], ["B", "A"]]}, "cycle"),
    ({"variables": [{"name": "A"}], "colour": "red"}, "colour"),
    ({"family": "magic", "variables": [{"name": "A"}]}, "magic"),
    (
        {"variables": [{"name": "A"}], "local": {"A": {"type": "table", "fixed": {"P(A=0)": "1/2", "P(A=1)": "1/3"}}}},
        "sums to 5/6",
    ),
    ({"variables": [{"name": "A"}], "local": {"B": {"type": "table"}}}, "B"),
    ({"variables": [{"name": "A"}], "given": ["B"]}, "B"),
]


@pytest.mark.parametrize(("document", "spot"), WRONG_FILES, ids=lambda value: str(value)[:40])
def test_a_wrong_file_is_refused_by_name(run, tmp_path, document, spot):
    """The message names the place in the file."""
    file = tmp_path / "model.json"
    file.write_text(json.dumps(document), encoding="utf-8")
    code, out, err = run("dim", str(file))

    assert (2, "") == (code, out)
    assert spot in err


@pytest.mark.parametrize("text", ["", "{", '{"variables": [], "variables": []}', "\x00", "[1]"])
def test_an_unreadable_file_is_refused(run, tmp_path, text):
    """By its name."""
    file = tmp_path / "model.json"
    file.write_text(text, encoding="utf-8")
    code, out, err = run("dim", str(file))

    assert (2, "") == (code, out)
    assert "model.json" in err


@pytest.mark.parametrize(
    ("arguments", "spot"),
    [
        (("dim", "2:2,2", "--method", "magic"), "known are auto, table"),
        (("dim", "2:2,2", "--bounds", "magic"), "known are auto, no-proof, counting"),
        (("dim", "2:2,2", "--bounds", "pairwise"), "add ambient"),
        (("dim", "2:2,2", "--show"), "--method rowreduce"),
        (("dim", "2:2,2", "--seed", "1.5"), "neither an integer nor the word random"),
        (("dim", "2:2,2", "--seed", ""), "neither an integer"),
        (("dim", "2:2,2", "--max-memory", "lots"), "500M or 4G"),
        (("dim", "2:2,2", "--max-memory", "-1"), "--max-memory"),
        (("dim", "2:2,2", "--threads", "0"), "is not a number from 1"),
        (("dim", "2:2,2", "--at", "nowhere.json"), "nowhere.json"),
        (("dim",), "MODEL"),
        (("dim", "2:2,2", "3:2,2"), "unrecognized"),
        (("dim", "2:2,2", "A -> B; hidden A"), "dim takes no further model or file"),
        (("dim", "A", "->", "B"), "a text with spaces stands between quotes"),
        (("select", "data.csv", "loglinear: {A,B,C}"), "models are given by --structures"),
        (("dim", "2:2,2", "--frobnicate"), "frobnicate"),
        (("magic",), "there is no command 'magic'"),
        (("models", "there-is-no-such-word"), "there-is-no-such-word"),
        (("reproduce", "XY99"), "known are"),
    ],
)
def test_a_wrong_option_is_refused(run, arguments, spot):
    """Exit code 2 and what is allowed."""
    code, out, err = run(*arguments)

    assert (2, "") == (code, out)
    assert spot in err


def test_no_command_prints_the_help(run):
    """And counts as wrong input."""
    code, out, err = run()

    assert 2 == code
    assert "COMMAND" in out + err


@pytest.mark.parametrize("method", ["table", "rational", "rowreduce", "float", "symbolic"])
def test_a_table_that_does_not_fit_is_refused_at_once(run, method):
    """Exit code 3 with the figures, before anything is allocated."""
    code, out, err = run("dim", "10:2^60", "--method", method)

    assert (3, "") == (code, out)
    assert "2^60" in err or str(2**60) in err


def test_the_limit_of_memory_is_the_users(run):
    """The message has the needed and the allowed figure; probes do without the table."""
    code, out, err = run("dim", "2:2^16", "--method", "table", "--max-memory", "100k")

    assert (3, "") == (code, out)
    assert "100 kB are allowed" in err
    code, out, err = run("dim", "2:2^16", "--method", "probes", "--max-memory", "1M")

    assert (0, "") == (code, err)
    assert "  dimension      33   proved\n" in out


@in_turn(2)
@pytest.mark.parametrize(
    ("command", "text"), daily([("dim", "1000000:1000000"), ("map", "A -> B; states A=1000000, B=1000000")], 1)
)
def test_tables_of_parameters_that_do_not_fit_are_refused(command, text):
    """A model file of one line can ask for 10^12 parameters; that is a limit, found before they are allocated."""
    limited = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30)); "
        "from algdim.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    found = subprocess.run(
        [sys.executable, "-c", limited, command, text, "--threads", "1"],
        cwd=ROOT,
        capture_output=True,
        timeout=60,
        check=False,
        stdin=subprocess.DEVNULL,
    )

    assert (3, b"") == (found.returncode, found.stdout)
    assert b"Traceback" not in found.stderr


def test_results_go_to_standard_output(run):
    """Nothing is on standard error when all is well."""
    code, out, err = run("dim", "3:2,2,2,2")

    assert (0, "") == (code, err)
    assert out.startswith("3:2,2,2,2   latent class model: 3 classes, 4 items\n\n  dimension   13   proved\n")


def test_json_has_the_fields_that_scripts_rely_on(run):
    """One document, and the same for the same seed but for the times."""
    documents = [json.loads(run("dim", "3:2,2,2,2", "--json", "--seed", "5")[1]) for _ in range(2)]

    assert set() == KEYS - set(documents[0])
    assert (13, 5) == (documents[0]["dimension"], documents[0]["seed"])
    assert without_times(documents[0]) == without_times(documents[1])


def test_a_random_seed_is_repeated(run):
    """So that the run can be."""
    document = json.loads(run("dim", "3:2,2,2,2", "--json", "--seed", "random")[1])
    again = json.loads(run("dim", "3:2,2,2,2", "--json", "--seed", str(document["seed"]))[1])

    assert without_times(document) == without_times(again)


def test_a_negative_seed_is_a_seed(run):
    """Written with = or a blank."""
    assert run("dim", "2:2,2", "--seed=-5")[0] == run("dim", "2:2,2", "--seed", "-5")[0] == 0


@pytest.mark.parametrize("name", ["w-structure", "kz02-hlc"])
def test_models_of_the_catalogue_are_known_by_name(run, name):
    """As `algdim models` lists them."""
    code, listing, _ = run("models", name)

    assert 0 == code
    assert name in listing
    assert 0 == run("dim", name)[0]
    assert [name] == [entry["name"] for entry in json.loads(run("models", name, "--json")[1]) if entry["name"] == name]


REGULAR = {"H": [["1/3", "2/3"]], **{f"X{number}": [["1/4", "3/4"], ["3/5", "2/5"]] for number in (1, 2, 3)}}


@pytest.mark.parametrize(
    ("changed", "rank", "word"),
    [({}, 7, "the point is regular"), ({name: [["1/4", "3/4"]] * 2 for name in ("X1", "X2", "X3")}, 3, "not regular")],
)
def test_the_rank_at_a_point(run, tmp_path, changed, rank, word):
    """It stands beside the dimension, which it never replaces."""
    file = tmp_path / "point.json"
    file.write_text(json.dumps({**REGULAR, **changed}), encoding="utf-8")
    code, out, _ = run("dim", "2:2,2,2", "--at", str(file))
    document = json.loads(run("dim", "2:2,2,2", "--at", str(file), "--json")[1])

    assert 0 == code
    assert "  dimension   7   proved" in out.splitlines()
    assert f"at the parameters of {file}: rank {rank}" in out
    assert word in out
    assert (7, True) == (document["dimension"], document["exact"])
    expected = {"rank": rank, "regular": rank == 7, "source": str(file), "error": None, "status": "proved"}
    assert expected.items() <= document["at"].items()
    assert {"generic rank", "lower bound"} <= set(document["at"]["lemmas"])


@pytest.mark.parametrize("command", ["dim", "identify"])
@pytest.mark.parametrize("small", ["0.0000000000000000000000000001", f"1/{10**30}"])
def test_a_point_near_the_boundary(run, tmp_path, command, small):
    """Estimates there have more decimals than a machine's integer: the points are as good as others."""
    large = f"0.{'9' * 28}" if small.startswith("0.") else f"{10**30 - 1}/{10**30}"
    file = tmp_path / "point.json"
    file.write_text(json.dumps({**REGULAR, "X1": [[small, large], ["3/5", "2/5"]]}), encoding="utf-8")
    code, out, err = run(command, "2:2,2,2", "--at", str(file))

    assert (0, "") == (code, err)
    assert f"at the parameters of {file}: rank 7" in out


def test_row_reduction_can_be_shown(run):
    """As GHM96 §5's Mathematica session: 9 non-zero rows and 7 of zeros, pivots in brackets."""
    code, out, _ = run("dim", "w-structure", "--method", "rowreduce", "--show")
    matrix = out.partition("pivots at ")[2].splitlines()[1:]

    assert 0 == code
    assert 16 == len(matrix)
    assert 9 == sum("[1]" in line for line in matrix)
    assert 7 == sum(set(line.split()) == {"0"} for line in matrix)


def test_the_reduced_matrix_is_in_the_json_too(run):
    """Entries are exact; every pivot is the only entry of its column (GHM96 §5: rank 9 of 11 parameters)."""
    document = json.loads(run("dim", "w-structure", "--method", "rowreduce", "--show", "--json")[1])
    reduced = document["reduced"]
    matrix = [[Fraction(value) for value in row] for row in reduced["matrix"]]

    assert (9, 11, 16) == (len(reduced["pivots"]), len(reduced["parameters"]), len(matrix))
    assert {11} == {len(row) for row in matrix}
    for row, column in reduced["pivots"]:
        assert [int(number == row) for number in range(16)] == [line[column] for line in matrix]
    assert "reduced" not in json.loads(run("dim", "w-structure", "--method", "rowreduce", "--json")[1])


@pytest.mark.parametrize("seed", ["7", "random"])
def test_a_seed_of_ones_own_is_in_the_last_line(run, seed):
    """So that a printed result can be repeated."""
    out = run("dim", "3:2,2,2,2", "--seed", seed)[1]
    last = out.splitlines()[-1].strip()

    assert last.startswith("seed ")
    assert out == run("dim", "3:2,2,2,2", "--seed", last.removeprefix("seed "))[1]
    assert "seed" not in run("dim", "3:2,2,2,2")[1]


def test_a_map_is_printed(run):
    """As text, LaTeX and JSON, with and without its Jacobian."""
    assert 4 == len(run("map", "2:2,2")[1].splitlines())
    assert "∂ P(X1=0,X2=0)" in run("map", "2:2,2", "--jacobian")[1]
    assert r"\begin{aligned}" in run("map", "2:2,2", "--latex")[1]
    assert r"\begin{pmatrix}" in run("map", "2:2,2", "--latex", "--jacobian")[1]
    document = json.loads(run("map", "2:2,2", "--jacobian", "--json")[1])

    assert (5, 4) == (len(document["parameters"]), len(document["coordinates"]))
    assert [5] * 4 == [len(row) for row in document["jacobian"]]


@pytest.mark.parametrize("command", ["dim", "map", "models", "reproduce", "cite"])
def test_every_command_has_help_with_an_example(run, command):
    """Its last lines can be typed as they are."""
    code, out, _ = run(command, "--help")
    example = shlex.split(out.partition("example:\n")[2].strip().splitlines()[0])

    assert 0 == code
    assert "algdim" == example[0]
    if command != "reproduce":
        assert 0 == run(*example[1:])[0]


def test_the_help_names_all_methods_and_bounds(run, monkeypatch):
    """None that can be asked for is left out, on the page of commands neither."""
    monkeypatch.setenv("COLUMNS", "80")
    listed = run("dim", "--bounds", "help")[1].splitlines()
    shown = set(re.findall(r"[a-z]+(?:-[a-z]+)*", run("dim", "--help")[1].replace("-\n" + " " * 21, "-")))
    shown |= {line.split()[0] for line in listed}
    page = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8").partition("## algdim bounds")[0]
    known = {*METHODS, *KNOWN}

    assert set() == known - shown
    assert {*KNOWN} == {line.split()[0] for line in listed}
    assert max(map(len, listed)) <= 80
    assert set() == known - set(re.findall(r"`([a-z-]+)`", page))


def test_the_version_is_printed(run):
    """As the package states it."""
    assert (0, f"algdim {VERSION}\n", "") == run("--version")


def test_a_verdict_that_differs_from_the_record_fails(run, monkeypatch):
    """Exit code 1, and both words are printed."""
    claim = replace(reading.find("GHM96-5-w-5"), verdict="confirmed")
    monkeypatch.setattr(reading, "list_claims", lambda paper: (claim,))
    code, out, _ = run("reproduce", "GHM96", "--quiet")

    assert 1 == code
    assert "refuted (recorded: confirmed)" in out


def test_reproduction_agrees_with_the_recorded_verdicts(run):
    """Exit code 0; JSON is a list of objects with the fields that scripts rely on."""
    code, out, _ = run("reproduce", "GHM96", "--json", "--quiet")
    document = json.loads(out)

    assert 0 == code
    assert all({"id", "paper", "place", "printed", "computed", "verdict", "status"} <= set(entry) for entry in document)


@pytest.mark.parametrize(
    ("read", "text", "value"),
    [
        (parse_memory, "500M", 500 * 10**6),
        (parse_memory, "4G", 4 * 10**9),
        (parse_memory, "4GB", 4 * 10**9),
        (parse_memory, "12", 12),
        (parse_memory, "3k", 3000),
        (parse_positive, "12", 12),
        (parse_seed, "-12", -12),
        (parse_seed, "0012", 12),
    ],
)
def test_options_are_read(read, text, value):
    """Sizes with units, numbers, seeds."""
    assert value == read(text)


def test_a_reader_may_leave():
    """As `head` does: no traceback, no complaint."""
    command = f"{shlex.quote(sys.executable)} -m algdim models | head -n 1"
    found = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}"], cwd=ROOT, capture_output=True, timeout=60, check=False
    )

    assert b"" == found.stderr
    assert b"\n" in found.stdout


@in_turn(2)
@pytest.mark.parametrize(
    ("arguments", "encoding"),
    first(product([("map", "2:2", "--jacobian"), ("dim", "2:2^60")], ["ascii", "cp1252"]), 1),
)
def test_terminals_without_unicode_get_output_too(arguments, encoding):
    """A minus sign that cannot be printed is no reason to fail."""
    found = start(*arguments, PYTHONIOENCODING=encoding)

    assert (0, b"") == (found.returncode, found.stderr)
    assert found.stdout


@pytest.mark.parametrize("words", first([["dim", "20:4^6", "--json"], ["explain", "2:2,2", "--html"]], 1))
def test_documents_are_in_utf_8_whatever_the_locale(words, monkeypatch):
    """What programs read does not depend on the terminal's signs."""
    texts = {}
    for encoding in ("ascii", "latin-1", "utf-8"):
        raw = io.BytesIO()
        monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding=encoding))
        assert 0 == main([*words, "--seed", "0", "--quiet"])
        sys.stdout.flush()
        texts[encoding] = re.sub(r'"seconds": [0-9.e-]+', "", raw.getvalue().decode("utf-8"))
        monkeypatch.undo()

    assert not texts["utf-8"].isascii()
    assert {texts["utf-8"]} == set(texts.values())


@pytest.mark.slow
def test_reports_do_not_depend_on_the_number_of_threads():
    """The number is part of the report, and nothing else changes with it but the time."""
    found = [json.loads(start("dim", "20:2^30", "--json", "--threads", threads).stdout) for threads in ("1", "3")]

    assert [1, 3] == [report.pop("threads") for report in found]
    assert all(report.pop("seconds") > 0 for report in found)
    assert found[0] == found[1]
    assert 619 == found[0]["dimension"]


@pytest.mark.parametrize("option", ["--method", "--seed", "--hidden", "--max-memory"])
def test_two_dashes_are_no_value(capsys, option):
    """They end the options elsewhere; as a value they are refused."""
    with pytest.raises(SystemExit) as ended:
        main(["dim", "2:2,2", f"{option}=--"])

    assert 2 == ended.value.code
    assert f"{option} expects a value" in capsys.readouterr().err


@in_turn(2)
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize(
    ("words", "buffered"),
    first(
        [
            (("cite",), True),
            (("export", "2:2^40", "--to", "json"), False),
            *product(
                [
                    ("dim", "2:2,2"),
                    ("dim", "2:2,2", "--json"),
                    ("export", "2:2,2", "--to", "json"),
                    ("fit", "DATA", "A -> B -> C", "--json"),
                    ("fit", "DATA", "2:2^7", "--json"),
                    ("models",),
                    ("doctor",),
                ],
                [True, False],
            ),
            (("cite",), False),
            (("export", "2:2^40", "--to", "json"), True),
        ],
        2,
    ),
)
def test_a_full_disk_is_said(tmp_path, words, buffered):
    """In one line, with exit code 2, whatever the length, and whether or not Python keeps what is printed in a buffer."""
    data = tmp_path / "data.csv"
    data.write_text("A,B,C,D,E,F,G\n0,1,0,1,0,1,0\n1,1,0,0,1,1,0\n0,0,1,0,1,0,1\n", encoding="utf-8")
    surroundings = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        found = subprocess.run(
            [sys.executable, "-m", "algdim", *(str(data) if word == "DATA" else word for word in words)],
            cwd=ROOT,
            env=surroundings if buffered else {**surroundings, "PYTHONUNBUFFERED": "1"},
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
            check=False,
            encoding="utf-8",
        )

    shown = [line for line in found.stderr.splitlines() if "note:" not in line]
    assert (2, ["algdim: standard output: No space left on device"]) == (found.returncode, shown)


@pytest.mark.skipif(os.name != "posix", reason="there is no shell")
def test_a_closed_output_is_said():
    """Nothing could be written; exit code 0 would say that it was."""
    words = shlex.join([sys.executable, "-m", "algdim", "dim", "2:2,2"])
    found = subprocess.run(
        ["/bin/sh", "-c", f"{words} >&-"],
        cwd=ROOT,
        stderr=subprocess.PIPE,
        text=True,
        timeout=60,
        check=False,
        encoding="utf-8",
    )

    assert 2 == found.returncode
    assert found.stderr.startswith("algdim: standard output is closed")


@pytest.mark.parametrize("command", ["dim", "identify", "bounds", "decompose"])
def test_the_answer_of_a_file_has_its_name(run, tmp_path, command):
    """Of many files one can tell whose answer it is; with hidden variables and formats beside, too."""
    file = tmp_path / "mine.dagitty"
    file.write_text("dag { H [latent, states=2] A [states=2] B [states=3] H -> A; H -> B }", encoding="utf-8")
    for options in ((), ("--format", "dagitty:discrete"), ("--hidden", "H")):
        _, out, _ = run(command, str(file), *options)
        assert out.startswith(f"{file}: ")
        assert str(file) == json.loads(run(command, str(file), "--json", *options)[1])["file"]
    assert "file" not in json.loads(run(command, "2:2,2", "--json")[1])


def test_the_answer_is_found_behind_a_long_model(run):
    """The first line of a network with many variables is no longer than a few lines of a terminal."""
    names = ", ".join(f"variable_{number}" for number in range(60))
    for command in ("dim", "identify"):
        shown = " ".join(run(command, f"H -> {names}; hidden H; states H=3")[1].split())
        assert 0 < shown.index("dimension 182") < 200


AT_TWO_CLASSES = str(ROOT / "examples" / "two-classes.json")
RUNS_WITH_SEED = {
    "dim": ("2:2,2,2",),
    "bounds": ("2:2,2,2",),
    "decompose": ("2(2,2(2,2))",),
    "identify": ("2:2,2",),
    "compare": ("2:2,2", "3:2,2"),
    "explain": ("2:2,2",),
    "constraints": ("A -> B -> C",),
    "prove": ("2:2,2",),
    "fit": ("data.csv", "2:2^4"),
    "simulate": ("2:2^4", "--at", AT_TWO_CLASSES, "-n", "5"),
    "score": ("data.csv", "2:2^4"),
    "select": ("data.csv", "--classes", "1..2"),
    "reproduce": ("MH97", "--quiet"),
    "table": ("models.csv",),
    "check": ("claims.csv",),
    "rowreduce": ("2:2", "--points", "2"),
    "sweep": ("lc cells<=8", "--workers", "1", "--store"),
}


@pytest.fixture
def folder(tmp_path, monkeypatch, run):
    """A working folder with data and models."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data.csv").write_text(
        run("simulate", "2:2^4", "--at", AT_TWO_CLASSES, "-n", "60")[1], encoding="utf-8"
    )
    (tmp_path / "claims.csv").write_text('model,dimension\n"2:2,2",3\n', encoding="utf-8")
    (tmp_path / "models.csv").write_text('model\n"2:2,2"\n"2:2,2,2"\n', encoding="utf-8")


ONE_FACTOR = "gaussian: f -> x1, x2, x3, x4; hidden f; fix v(f)=1; means off"


def test_rows_of_data_are_never_folded(run, monkeypatch):
    """However narrow the terminal is, one line is one case."""
    monkeypatch.setenv("COLUMNS", "40")
    rows = run("simulate", ONE_FACTOR, "--at", str(ROOT / "examples" / "one-factor.json"), "-n", "5")[1].splitlines()

    assert 6 == len(rows)
    assert {3} == {row.count(",") for row in rows}
    assert max(map(len, rows)) > 40


def test_commands_with_a_seed():
    """The list above is complete."""
    commands = next(action for action in build_parser()._actions if action.dest == "command").choices

    assert set(RUNS_WITH_SEED) == {name for name, one in commands.items() if "--seed" in one.format_help()}


@pytest.mark.parametrize(("command", "form"), daily(product(RUNS_WITH_SEED, ["text", "json"]), 4))
def test_a_drawn_seed_is_said(command, form, folder, run):
    """Standard error says the seed, JSON documents have it, and with it the run gives the same."""
    said = (command, *RUNS_WITH_SEED[command])
    last = ("--json",) if form == "json" else ()

    def run_with(seed, number):
        more = (f"{number}.sqlite",) if command == "sweep" else ()
        code, out, error = run(*said, *more, "--seed", seed, *last)
        assert 0 == code, error
        if form == "json":
            return without_times(json.loads(out)), error
        return re.sub(r"\d+\.sqlite|[\d.]+ s\b|\d+\.\d\d$", "", out, flags=re.MULTILINE), error

    first, error = run_with("random", 1)
    seed = re.search(r"^algdim: seed ([0-9]+); --seed \1 repeats this run$", error, re.MULTILINE)[1]
    again, silence = run_with(seed, 2)
    if command == "sweep" and form == "json":
        first.pop("store"), again.pop("store")

    assert first == again
    assert "seed" not in silence
    if form == "json" and command not in {"prove", "reproduce"}:  # a certificate, a list
        assert int(seed) == first["seed"]


@pytest.mark.parametrize("name", ["dimension", "explain", "identify", "decompose", "prove", "bounds"])
def test_drawn_seeds_of_the_library(name):
    """The word random draws in Python too: it is not the text of a seed."""
    drawn = [getattr(algdim, name)("2:2,2,2", seed="random") for _ in range(2)]
    texts = [json.dumps(one.data if name == "prove" else one.to_dict()) for one in drawn]

    assert "|random|" not in texts[0]
    if name != "bounds":
        assert texts[0] != texts[1]


@pytest.mark.parametrize("text", ["A -> B -> C", "gaussian: A -> B -> C"])
def test_drawn_seeds_of_constraints(text, monkeypatch):
    """The equations are looked for at points of a seed that was drawn."""
    from algdim.families.discrete import constraints as discrete
    from algdim.families.gaussian import constraints as gaussian

    seeds = []
    for module, name, place in ((gaussian, "find_gaussian_equations", 2), (discrete, "find_discrete_equations", 1)):
        true = getattr(module, name)
        monkeypatch.setattr(
            module, name, lambda *given, true=true, place=place: (seeds.append(given[place]), true(*given))[1]
        )
    for _ in range(2):
        algdim.constraints(text, seed="random")

    assert all(isinstance(seed, int) for seed in seeds)
    assert 2 == len(set(seeds))


@in_turn(3)
def test_drawn_seeds_of_scores(folder):
    """A score draws one seed, which the fit and the dimension share."""
    found = algdim.score("data.csv", "2:2^4", seed="random")
    chosen = algdim.select("data.csv", classes="1..2", seed="random")

    assert isinstance(found.fit.seed, int)
    assert found.fit.seed == found.report.seed
    assert 1 == len({one.fit.seed for one in chosen.candidates} | {one.report.seed for one in chosen.candidates})


def test_lookup_of_a_model_that_is_not_in_the_atlas(run):
    """Exit code 1 and advice; JSON has null."""
    code, out, err = run("lookup", "7:5,5,5,5,5")
    assert (code, out) == (1, "")
    assert "algdim dim" in err
    assert run("lookup", "7:5,5,5,5,5", "--json")[:2] == (1, "null\n")
    assert run("lookup", "A, B, C, D <- G; hidden G; states G=3")[0] == 0
