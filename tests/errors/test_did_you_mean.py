"""A word that is not known: the error names the one that is meant."""

from __future__ import annotations

import pytest
from packages import ROOT

import algdim
from algdim.cli import main
from algdim.errors import describe_closest_word

TYPOS = [
    # commands
    ("dims 2:2", "dim"),
    ("identfy 2:2", "identify"),
    ("explian 2:2", "explain"),
    ("comapre 2:2 2:2", "compare"),
    ("constraint 2:2", "constraints"),
    ("verfy x.json", "verify"),
    ("fti data.csv 2:2", "fit"),
    ("selct data.csv", "select"),
    ("sore data.csv 2:2", "score"),
    ("Simulate 2:2", "simulate"),
    ("sweeps lc", "sweep"),
    ("complete bash", "completion"),
    # options
    ("dim 2:2 --methd table", "--method"),
    ("dim 2:2 --sed 1", "--seed"),
    ("dim 2:2 --jsn", "--json"),
    ("dim 2:2 --maxmemory 4G", "--max-memory"),
    ("dim 2:2 --hiden A", "--hidden"),
    ("dim 2:2 --formt bif", "--format"),
    ("fit d.csv 2:2 --pior ml", "--prior"),
    ("select d.csv --clases 1..4", "--classes"),
    ("select d.csv --tabel latex", "--table"),
    ("score d.csv 2:2 --scores bic", "--score"),
    ("explain 2:2 --hmtl", "--html"),
    # values
    ("dim 2:2,2 --method tables", "table"),
    ("dim 2:2,2 --method prob", "probes"),
    ("dim 2:2,2 --bounds kruskall", "kruskal"),
    ("dim 2:2,2 --bounds symetry", "symmetry"),
    ("dim 2:2,2 --bounds ambient,flatening", "flattenings"),
    ("explain 2:2,2 --svg netwrk", "network"),
    ("export 2:2,2 --to macualay2", "macaulay2"),
    ("export 2:2,2 --to Lavaan", "lavaan"),
    ("select FILES/data.csv --classes 1 --score bci", "bic"),
    ("select FILES/data.csv --classes 1 --score laplace-softmx", "laplace-softmax"),
    ("fit FILES/data.csv 2:2,2,2 --method scorng", "scoring"),
    ("fit FILES/data.csv 2:2,2,2 --coordinates probabilty", "probability"),
    ("fit FILES/data.csv 2:2,2,2 --prior alhpa=1", "alpha"),
    ("fit FILES/data.csv 2:2,2,2 --starts stagd", "staged"),
    ("select FILES/data.csv --classes 1 --table ltex", "latex"),
    ("completion zhs", "zsh"),
    # kinds of models, models, formats
    ("sweep network", "networks"),
    ("sweep random-tree", "random-trees"),
    ("dim w-strcture", "w-structure"),
    ("dim x --format lavan", "lavaan"),
    ("dim x --format daggity", "dagitty"),
    ("dim x --format polca:nclas=3", "nclass"),
    ("dim x --format lavaan:std_lv", "std.lv"),
    ("dim 'gausian: A -> B'", "gaussian:"),
    ("dim 'A -> B; hiden A'", "hidden"),
    ("dim 'A -> B; sates A=3'", "states"),
    ("dim 'Gaussian: H -> X1; hidden H'", "gaussian:"),
    ("dim 'gaussian H -> X1; hidden H'", "gaussian:"),
    ("dim 'noisy_or: {A} -> E'", "noisy-or:"),
    ("dim 'loglinar: {A,B}'", "loglinear:"),
    ("dim 'H -> X1; hidden h'", "H"),
    ("models wstructure", "w-structure"),
    ("reproduce KZ03", "KZ02"),
]

OTHERWISE = [
    ("dim 3:2 2 2 2", "separated by commas"),
    ("dim 'H -> X1-X4; hidden H'", "X1..X4"),
    ("dim 'y ~ x'", "--format lavaan"),
    ("dim 'latent H; H -> A'", "'hidden H'"),
    ("dim 'H -> A; hidden=H'", "'hidden H'"),
    ("dim 2:2*4", "'3:2^4'"),
    ("dim 3x2x2x2x2", "'3:2^4'"),
    ("dim 'H -> X1 X2'", "','"),
    ("explain 2:2 --pdf", "--latex"),
]
"""Not a letter is wrong, the way to write it is: the error says the right one."""


@pytest.fixture
def said(tmp_path, monkeypatch, capsys):
    """What a command prints as its error."""
    import shlex

    files = ROOT / "tests" / "transcripts" / "files"

    def run(text):
        monkeypatch.chdir(tmp_path)
        words = [word.replace("FILES", str(files)) for word in shlex.split(text)]
        try:
            code = main(words)
        except SystemExit as stopped:
            code = stopped.code
        return code, capsys.readouterr().err

    return run


def named(text, wanted):
    """Whether an error names a word as the one that is meant."""
    spots = (f"did you mean '{wanted}'", f"did you mean {wanted}", f"did you mean the clause word '{wanted}'")
    return any(spot in text for spot in spots)


@pytest.mark.parametrize(("text", "wanted"), TYPOS)
def test_a_typo_is_answered_with_what_is_meant(text, wanted, said):
    """Exit code 2, and the word."""
    code, error = said(text)
    assert code == 2
    assert named(error, wanted), error


@pytest.mark.parametrize(("text", "advice"), OTHERWISE)
def test_what_is_written_otherwise_is_answered_with_the_form(text, advice, said):
    """Exit code 2, and how it is written."""
    code, error = said(text)
    assert code == 2
    assert advice in error, error


def test_help_is_a_command_too(said, capsys):
    """As in other programs; -V is --version."""
    assert said("help dim")[0] == 0
    assert said("help")[0] == 0
    assert said("-V")[0] == 0
    assert "quotes" in said("dim A -> B")[1]


def test_names_of_python():
    """The facade says which of its names is close."""
    with pytest.raises(AttributeError, match="did you mean 'dimension'"):
        algdim.dimention  # noqa: B018


def test_what_is_far_from_all_has_no_suggestion():
    """A guess is worse than none."""
    assert describe_closest_word("frobnicate", ["table", "probes"]) == ""
    assert describe_closest_word("", ["table"]) == ""
    assert describe_closest_word("t", ["table", "probes"]) == "; did you mean 'table'?"


def test_the_list_is_long():
    """Forty typos at least, of all kinds."""
    assert len({text for text, _ in TYPOS}) >= 40
