"""The tests depend on no locale: whatever becomes text, or is made of text, names its encoding."""

import ast

import pytest
from packages import ROOT
from sources import nodes_of

FOLDERS = ("tests", "hunting", "bench", "proofs", "examples", "algdim", "algdim_papers")
STARTED = {"run", "Popen", "check_output"}


def is_guessed(call):
    """Whether a call would take the encoding of the locale."""
    named = {keyword.arg: keyword.value for keyword in call.keywords}
    if not isinstance(call.func, ast.Attribute) or "encoding" in named:
        return False
    match call.func.attr:
        case "read_text":
            return not call.args
        case "write_text":
            return len(call.args) == 1
        case name if name in STARTED:
            return "text" in named or "universal_newlines" in named
        case "open" if isinstance(call.func.value, ast.Name) and call.func.value.id in {
            "gzip",
            "tarfile",
            "os",
            "self",
            "RUNNERS",
        }:
            return False
        case "open":
            modes = [one for one in (*call.args[:1], named.get("mode")) if isinstance(one, ast.Constant)]
            return not any("b" in str(mode.value) for mode in modes)
    return False


def guesses(nodes):
    """The lines with such calls."""
    return [node.lineno for node in nodes if isinstance(node, ast.Call) and is_guessed(node)]


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_text_has_an_encoding(folder):
    """UTF-8 mostly, whatever the locale says."""
    found = {}
    for file in (ROOT / folder).rglob("*.py"):
        lines = guesses(nodes_of(file))
        if lines:
            found[str(file.relative_to(ROOT))] = lines

    assert {} == found


@pytest.mark.parametrize(
    ("line", "is_wrong"),
    [
        ("path.read_text()", True),
        ("path.write_text('ä')", True),
        ("subprocess.run(words, text=True)", True),
        ("path.open('w')", True),
        ("path.read_text(encoding='ascii')", False),
        ("path.open('rb')", False),
        ("subprocess.run(words)", False),
    ],
)
def test_what_takes_the_encoding_of_the_locale(line, is_wrong):
    """The check finds it."""
    assert is_wrong == bool(guesses(ast.walk(ast.parse(line))))
