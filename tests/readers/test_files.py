"""Files: strict JSON and TOML."""

from __future__ import annotations

import json
from decimal import Decimal

import pytest

from algdim import InputError, LimitError
from algdim.models.anymodel import convert_model_to_dictionary
from algdim.models.notation import parse
from algdim.readers import files
from algdim.readers.files import read_data
from algdim.readers.formats import read_file

TEXT = "H -> X1, X2; hidden H; states H=3; share x: X1, X2; fix P(X1=1|H=0)=1/3"
TOML = """
family = "discrete"
variables = [{name = "H", states = 3, observed = false}, {name = "X1"}, {name = "X2"}]
edges = [["H", "X1"], ["H", "X2"]]
[local.X1]
type = "table"
share = "x"
fixed = {"P(X1=1|H=0)" = "1/3"}
[local.X2]
type = "table"
share = "x"
"""


def written(folder, name, content):
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_json_model_file(tmp_path):
    """A JSON model file gives the model, by text or path, whatever the case of the suffix."""
    path = written(tmp_path, "m.JSON", json.dumps(convert_model_to_dictionary(parse(TEXT))))

    assert parse(TEXT) == read_file(path) == read_file(str(path))


def test_toml_model_file(tmp_path):
    """A TOML model file gives the model."""
    assert parse(TEXT) == read_file(written(tmp_path, "m.toml", TOML))


def test_byte_order_mark_is_skipped(tmp_path):
    """A byte order mark, as some editors write it, does no harm."""
    assert {"a": 1} == read_data(written(tmp_path, "m.json", b'\xef\xbb\xbf{"a": 1}'))


@pytest.mark.parametrize(("name", "content"), [("m.json", '{"a": 0.1}'), ("m.toml", "a = 0.1")])
def test_decimals_are_not_rounded(tmp_path, name, content):
    """Decimal numbers stay what was written."""
    assert {"a": Decimal("0.1")} == read_data(written(tmp_path, name, content))


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("m.doc", "{}", "the suffix .doc is not known; known are .json, .toml"),
        ("m", "{}", "the suffix (none) is not known"),
        ("m.json", "", "not valid JSON"),
        ("m.json", "{", "not valid JSON"),
        ("m.json", "{} {}", "not valid JSON"),
        ("m.json", "[1]", "the file holds no table"),
        ("m.json", '{"a": 1, "a": 1}', "the key 'a' occurs twice"),
        ("m.json", '{"b": [{"a": 1, "a": 1}]}', "the key 'a' occurs twice"),
        ("m.json", '{"a": NaN}', "NaN is not a value"),
        ("m.json", '{"a": -Infinity}', "-Infinity is not a value"),
        ("m.json", '{"a": ' + "1" * 5000 + "}", "5000 digits; at most"),
        ("m.json", '{"a": 0.' + "1" * 5000 + "}", "too long"),
        ("m.json", '{"a": 1e99999999999999999999}', "too large an exponent"),
        ("m.json", '{"a": ' + "[" * 200_000 + "]" * 200_000 + "}", "nested too deeply"),
        ("m.json", '{"a":' * 200_000 + "1" + "}" * 200_000, "nested too deeply"),
        ("m.json", b'{"a": "\xff"}', "not UTF-8: byte 7 in line 1 is 0xff"),
        ("m.json", '{"variables": [{"name": "A", "states": 1}]}', "variables[0].states is 1"),
        ("m.toml", "a = ", "not valid TOML"),
        ("m.toml", "a = 1\na = 2", "not valid TOML"),
        ("m.toml", "a = nan", "nan is not a value"),
        ("m.toml", "a = +inf", "+inf is not a value"),
        ("m.toml", "a = " + "1" * 5000, "not valid TOML"),
        ("m.toml", "a = " + "[" * 50_000 + "]" * 50_000, "nested"),
        ("m.toml", "variables = [{name = 'A', states = 1979-05-27}]", "variables[0].states is datetime.date"),
    ],
)
def test_bad_files_are_refused(tmp_path, name, content, message):
    """Each wrong file is refused, its path in front."""
    path = written(tmp_path, name, content)

    with pytest.raises(InputError) as caught:
        read_file(path)

    assert message in str(caught.value)
    assert str(caught.value).startswith(f"{path}: ")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("m.bif", "of a BIF file the graph and the states are read, not the tables: write them to a JSON file"),
        ("m.BIF.gz", "of a BIF file the graph and the states are read, not the tables"),
        ("m.json.gz", "known are .json, .toml; unpack it (gunzip)"),
    ],
)
def test_files_that_hold_no_parameters_are_refused_with_advice(tmp_path, name, message):
    """Of a network in BIF, and of packed files, the message says what to do."""
    with pytest.raises(InputError) as caught:
        read_data(written(tmp_path, name, "{}"))

    assert message in str(caught.value)


def test_missing_files_and_folders_are_refused(tmp_path):
    """A path that leads nowhere, or to a folder, is refused."""
    with pytest.raises(InputError, match="there is no such file"):
        read_data(tmp_path / "m.json")
    (tmp_path / "d.json").mkdir()
    with pytest.raises(InputError, match="cannot be read"):
        read_data(tmp_path / "d.json")
    with pytest.raises(InputError, match="cannot be read"):
        read_data("a\0b.json")


def test_large_files_are_refused(tmp_path, monkeypatch):
    """A file beyond the limit is refused unread, as a limit."""
    monkeypatch.setattr(files, "MOST_BYTES", 10)

    with pytest.raises(LimitError, match="has 11 bytes; at most 10 are read"):
        read_data(written(tmp_path, "m.json", '{"a": 1111}'))


@pytest.mark.parametrize(
    ("suffix", "text"),
    [
        (".json", '{"a": [' + "[]," * 40 + "[]]}"),
        (".json", '{"a": {' + ",".join(f'"{k}":1' for k in range(30)) + "}}"),
        (".toml", "a = 1\n" + "# no word\n" * 10),
    ],
    ids=["lists", "keys", "toml"],
)
def test_texts_that_would_take_much_memory_are_refused(suffix, text, monkeypatch):
    """A value of three signs takes a hundred bytes: they are counted before they are read."""
    monkeypatch.setattr(files, "MOST_SIGNS", 50)
    monkeypatch.setattr(files, "MOST_TOML", 90)

    with pytest.raises(LimitError, match=r"the text has \d+ .*; at most (50|90) are read"):
        files.parse_table(text, suffix)
    monkeypatch.undo()
    assert files.parse_table(text, suffix)
