"""Files of all formats: how they are recognised and forced, and that what is malformed is refused with its place."""

from __future__ import annotations

import gzip
import json
import re

import pytest
from amount import some
from hypothesis import given, settings
from hypothesis import strategies as st
from packages import ROOT

import algdim
from algdim import InputError, LimitError, model
from algdim.cli import main
from algdim.models.notation import parse
from algdim.readers import files
from algdim.readers.formats import FORMATS

CORPUS = json.loads((ROOT / "tests" / "corpora/malformed_files.json").read_text(encoding="utf-8"))
PLACE = re.compile(r"line \d+, column \d+: \S")

TEXTS = {
    "json": '{"variables": [{"name": "A"}, {"name": "B"}], "edges": [["A", "B"]]}',
    "toml": 'variables = [{name = "A"}, {name = "B"}]\nedges = [["A", "B"]]',
    "lavaan": "B ~ A",
    "dagitty": "dag { A [states=2] A -> B }",
    "bif": "network n {} variable A { type discrete [2] {n,y}; } variable B { type discrete [2] {n,y}; }"
    " probability (A) {} probability (B | A) {}",
    "xmlbif": "<BIF><NETWORK><VARIABLE><NAME>A</NAME><OUTCOME>n</OUTCOME><OUTCOME>y</OUTCOME></VARIABLE>"
    "<DEFINITION><FOR>A</FOR></DEFINITION></NETWORK></BIF>",
    "digraph6": ">>digraph6<<&AO",
    "graph6": ">>graph6<<A_",
    "newick": "[model CFN] (A,B);",
    "qmatrix": "# model DINA\nA1\n1\n1\n1\n",
    "polca": "data(values); poLCA(cbind(A, B) ~ 1, values)",
    "macaulay2": "R = QQ[a, b]; N = {a*b, a}",
    "singular": "ring R = 0, (a, b), dp; ideal N = a*b, a;",
    "julia": "@var a b\nF = [a*b, a]",
    "mathematica": "(* two *) f = {a*b, a}",
    "maple": "f := [a*b, a]:",
}
MAPS = ("macaulay2", "singular", "julia", "mathematica", "maple")
"""Formats of polynomial maps, which have parameters and no variables; a message names the formula."""


def test_there_are_many_malformed_texts():
    """The corpus has 200 texts or more, of every format with a syntax of its own."""
    assert len(CORPUS) >= 200
    assert {"lavaan", "dagitty", "bif", "xmlbif", "graph6", "digraph6", "polca"} == {one["format"] for one in CORPUS}


@pytest.mark.parametrize("one", CORPUS, ids=lambda one: f"{one['format']}-{one['text'][:20]!a}")
def test_malformed_texts_are_refused(one):
    """Every text of the corpus is refused with line and column."""
    with pytest.raises(InputError) as caught:
        model(one["text"], format=one["format"])
    assert PLACE.match(str(caught.value))
    assert len(str(caught.value)) < 1000


@pytest.mark.parametrize("one", CORPUS[::12], ids=lambda one: f"{one['format']}-{one['text'][:20]!a}")
def test_the_command_tells_the_place(one, capsys):
    """The command ends with 2 and one message."""
    assert 2 == main(["dim", "--format", one["format"], "--", one["text"]])
    assert capsys.readouterr().err.startswith("algdim: line ")


@pytest.mark.parametrize("name", FORMATS)
def test_each_format_has_a_text(name):
    """A file is read by its suffix, packed too, and so is a text of which the format is said."""
    found = model(TEXTS[name], format=name)

    assert found.parameters if name in MAPS else found.variables


@pytest.mark.parametrize("name", FORMATS)
def test_suffixes(name, tmp_path):
    """By suffix, in any case, packed or not, all give what the text alone gives."""
    for suffix in FORMATS[name].suffixes:
        file = tmp_path / f"m{suffix.upper()}"
        file.write_text(TEXTS[name], encoding="utf-8")
        packed = tmp_path / f"m{suffix}.gz"
        packed.write_bytes(gzip.compress(TEXTS[name].encode()))

        assert model(TEXTS[name], format=name) == model(file) == model(str(packed))


@pytest.mark.parametrize("name", [name for name in FORMATS if name != "toml"])
def test_open_suffixes(name, tmp_path):
    """What stands in a .txt file says its format."""
    file = tmp_path / "m.txt"
    file.write_text(TEXTS[name], encoding="utf-8")

    assert model(TEXTS[name], format=name) == model(file)


def test_a_format_can_be_forced(tmp_path):
    """A file of any name is read as it is said; a text that looks like a path is one."""
    file = tmp_path / "model.syntax"
    file.write_text("f =~ x1 + x2 + x3", encoding="utf-8")

    assert parse("gaussian: f -> x1, x2, x3; hidden f; fix v(f)=1; means off") == model(file, format="lavaan:std.lv")
    with pytest.raises(InputError, match="there is no such file"):
        model("nosuch.file", format="lavaan")


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ("mplus", "the format 'mplus' is not known; known are json, toml, dagitty, bif"),
        ("lavaan:sem,sem", "the format lavaan: 'sem' is not a word or WORD=VALUE that occurs once"),
        ("lavaan:std-lv", "'std-lv' is not a word"),
        ("lavaan:ml", "'ml' is not known; known are sem, cfa, growth, lavaan, std.lv, orthogonal, meanstructure"),
        ("lavaan:sem=1", "'sem=1' is written sem"),
        ("polca:nclass", "'nclass' is written nclass=NUMBER"),
        ("polca:nclass=0", "nclass=0 is not an integer from 1 to"),
        ("polca:states=2+2+2", "states has 3 numbers; one, or 2 for the items, is allowed"),
        ("bif:hidden=A", "'hidden' is not known; known are zeros"),
        ("xmlbif:zeros", "'zeros' is not known; known are no options"),
    ],
)
def test_wrong_formats_are_refused(form, message):
    """Unknown formats and options are answered with the known ones."""
    with pytest.raises(InputError) as caught:
        model("cbind(A, B) ~ 1", format=form)

    assert message in str(caught.value)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_ends_of_lines(end):
    """Lines end as on any system."""
    assert model("f =~ x1 + x2\ny ~ f", format="lavaan") == model(f"f =~ x1 + x2{end}y ~ f{end}", format="lavaan")


def test_objects_have_no_format():
    """A format is said of files and texts only."""
    with pytest.raises(InputError, match="a dict has no format"):
        model({}, format="json")


def test_a_text_that_looks_like_nothing(tmp_path):
    """A .txt file of no known format is answered with the formats."""
    file = tmp_path / "m.txt"
    file.write_text("hello", encoding="utf-8")
    with pytest.raises(InputError, match=r"m\.txt: could not recognise the format; specify it with --format"):
        model(file)


def test_packed_files_are_bounded(tmp_path, monkeypatch):
    """A small file that unpacks to a large one is refused, and one that is not packed is no traceback."""
    monkeypatch.setattr(files, "MOST_BYTES", 1000)
    bomb = tmp_path / "m.bif.gz"
    bomb.write_bytes(gzip.compress(b" " * 100_000))
    with pytest.raises(LimitError, match="at most 1000 are read"):
        model(bomb)
    bomb.write_bytes(b"network n {}")
    with pytest.raises(InputError, match="cannot be"):
        model(bomb)


SIGNS = [
    *"{}[]()<>=~*+-,;:|&#!?%^\"'.0123456789aXé→\n\t \0",
    "<->",
    "=~",
    "~~",
    "<!ENTITY a 'b'>",
    "&a;",
    "]]>",
    "1e9",
    "NA*",
]


@settings(max_examples=some(300))
@given(st.sampled_from([name for name in FORMATS if name not in ("json", "toml", *MAPS)]), st.data())
def test_changed_texts_are_read_or_refused(name, data):
    """Signs put in, pieces taken out or cut off: a model, or an error with its place, and never anything else."""
    text = data.draw(st.sampled_from([TEXTS[name], *(one["text"] for one in CORPUS if one["format"] == name)]))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text)))
        end = min(len(text), at + data.draw(st.integers(0, 6)))
        text = text[:at] + data.draw(st.sampled_from(["", *SIGNS])) + text[end:]
    try:
        FORMATS[name].read(text.rstrip() + "\n", {})
    except InputError as error:
        assert PLACE.match(str(error))  # noqa: PT017


LARGE = {
    "covariances": ("lavaan", "y ~ " + " + ".join(f"x{n}" for n in range(2000)), "covariances; at most"),
    "a product": (
        "lavaan",
        " + ".join(f"y{n}" for n in range(2000)) + " ~ " + " + ".join(f"x{n}" for n in range(2000)),
        "",
    ),
    "a product of groups": (
        "dagitty",
        f"dag {{ {{{' '.join(f'x{n}' for n in range(2000))}}} -> {{{' '.join(f'y{n}' for n in range(2000))}}} }}",
        "edges",
    ),
    "a long text": ("polca", "cbind(A) ~ 1" + " " * 10**6 + "#", "at most 1000000 are read in the format polca"),
}


@pytest.mark.parametrize("name", LARGE)
def test_large_texts_are_refused(name):
    """What a short text makes large is refused before it is built."""
    form, text, message = LARGE[name]
    with pytest.raises(LimitError, match=message or "limit"):
        model(text, format=form)


@pytest.mark.parametrize("sign", ["(", "-", "--(-(", "1/", "2*"])
def test_deep_texts_are_no_traceback(sign):
    """Nesting is bounded by the length of the text alone."""
    with pytest.raises(InputError, match="line 1, column"):
        model("y ~ " + sign * 20_000, format="lavaan")


def test_hidden_variables_beside(capsys):
    """--hidden makes variables of a file hidden; unknown names and families without variables are refused."""
    assert 0 == main(["dim", "--brief", TEXTS["bif"], "--brief", "--format", "bif", "--hidden", "A"])
    assert "A -> B; hidden A   dimension 1" in capsys.readouterr().out
    assert 0 == main(["dim", "--brief", "A, B, C -> D", "--brief", "--hidden", "A,B", "--hidden", "C"])
    assert "hidden A, B, C   dimension 1" in capsys.readouterr().out
    assert 2 == main(["dim", "A -> B", "--hidden", "C"])
    assert "there is no such variable; known are A, B" in capsys.readouterr().err
    with pytest.raises(InputError, match="family polynomial has no variables"):
        model("polynomial: parameters a, b; coordinates a*b", hidden=["a"])


def test_composites():
    """x1 to x3 act on y1 and y2 through one number: 9 variances and covariances of theirs, and 2 of 6 slopes less."""
    read = model("c <~ x1 + x2 + x3\ny1 + y2 ~ c", format="lavaan")
    report = algdim.dimension(read)

    assert (6 + 3 + 4, 15, True) == (report.dimension, report.complete, report.exact)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("item,A,B\none,1,0\ntwo,0,1\n", "zeros and ones, a Q-matrix or data; .* --format qmatrix:model=DINA, .*DINO"),
        ("1;0\n0;1\n", "--format qmatrix:model=DINA"),
        ("A,B,count\n0,1,34\n", "no Q-matrix, since it has more than zeros and ones; data are given before the model"),
        ("A,B\n", "no Q-matrix"),
        ("", "no Q-matrix"),
    ],
)
def test_tables_are_no_models(text, message, tmp_path):
    """Of a table that does not say what it is the message says what to do, whether it is a Q-matrix or data."""
    for suffix in ("csv", "tsv"):
        file = tmp_path / f"table.{suffix}"
        file.write_text(text, encoding="utf-8")
        with pytest.raises(InputError, match=message):
            model(file)


def test_a_table_that_says_its_model_is_a_q_matrix(tmp_path):
    """By its first line, whatever it is called, and by the format."""
    file = tmp_path / "Q.csv"
    file.write_text("# model DINO\nitem,A,B\none,1,0\ntwo,0,1\n", encoding="utf-8")

    assert "diagnosis DINO: items one=10, two=01; attributes A, B" == str(model(file)) == str(model(str(file)))
    assert "diagnosis GDINA: items one=10, two=01; attributes A, B" == str(model(file, format="qmatrix:model=GDINA"))
