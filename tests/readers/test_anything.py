"""Whatever describes a model."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import networkx as nx
import pytest
from packages import ROOT

from algdim import InputError, model
from algdim.models.anymodel import convert_model_to_dictionary
from algdim.models.catalogue import list_catalogue_entries
from algdim.models.notation import parse, to_text

EXPECTED = parse("H -> X; hidden H")


def test_every_form_gives_the_same_model(tmp_path):
    """A model, text, path, dictionary and graph of the same model agree."""
    path = tmp_path / "m.json"
    path.write_text(json.dumps(convert_model_to_dictionary(EXPECTED)), encoding="utf-8")
    graph = nx.DiGraph([("H", "X")])
    graph.nodes["H"]["hidden"] = True

    for form in (
        EXPECTED,
        "H -> X; hidden H",
        "2:2".replace("2:2", "H->X;hidden H"),
        path,
        str(path),
        convert_model_to_dictionary(EXPECTED),
        graph,
    ):
        assert EXPECTED == model(form)


def test_every_entry_of_the_catalogue_opens_by_name():
    """Each name of the catalogue opens, is printed, and read back."""
    for entry in list_catalogue_entries():
        assert parse(entry.notation) == model(entry.name) == parse(to_text(model(entry.name)))


@pytest.mark.parametrize("x", [3, None, [], ("A",), b"4:3,3,3", object()])
def test_other_things_are_refused(x):
    """What is no description of a model is answered with what is accepted."""
    with pytest.raises(InputError, match=r"a model is expected, not .*; accepted are the notation"):
        model(x)


def test_a_text_is_a_path_only_with_a_known_suffix():
    """A known suffix makes a path, nothing else does; a path object is always a path."""
    with pytest.raises(InputError, match="there is no such file"):
        model("no-such-file.json")
    with pytest.raises(InputError, match=r"looks like a path, and files are read that end in \.json, \.toml"):
        model("no-such-file.doc")
    with pytest.raises(InputError, match=r"the suffix \.doc is not known"):
        model(Path("no-such-file.doc"))


def test_an_unknown_name_is_told_from_the_notation():
    """A single word that is no name of the catalogue is refused as such."""
    with pytest.raises(InputError, match="nosuchmodel is no model of the catalogue either"):
        model("nosuchmodel")


@pytest.mark.parametrize("text", ["models/clinic", "../clinic.yaml", "clinic.jsn", "C\\clinic.net", "2-state.bmp"])
def test_other_files_are_answered_with_the_suffixes(text):
    """What looks like a path and has no known suffix."""
    with pytest.raises(InputError, match=r"it looks like a path, and files are read that end in \.json, \.toml"):
        model(text)


@pytest.mark.parametrize(
    ("text", "close"),
    [("w-structur", "w-structure"), ("W-Structure", "w-structure"), ("verna", "verma"), ("kz02-hcl", "kz02-hlc")],
)
def test_close_names_of_the_catalogue_are_mentioned(text, close):
    """Whether there is a hyphen in the name or not."""
    with pytest.raises(InputError, match=rf"'{text}' is no model of the catalogue .* close are .*{close}"):
        model(text)


@pytest.mark.parametrize("text", ["4:3.x", "A/B -> C", "A", "A.b -> B; fix P(A.b=0)=4/3", "A.b, C.d", "4(2,3/2)"])
def test_wrong_notation_is_not_taken_for_a_path(text):
    """Only a single word is."""
    with pytest.raises(InputError) as caught:
        model(text)

    assert "path" not in str(caught.value)


def test_networkx_is_not_imported_for_other_forms():
    """Reading text imports neither networkx nor sympy."""
    code = "import sys; from algdim.readers.anything import model; model('2:2,2'); print('networkx' in sys.modules, 'sympy' in sys.modules)"

    assert (
        "False False"
        == subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            cwd=ROOT,
            encoding="utf-8",
        ).stdout.strip()
    )
