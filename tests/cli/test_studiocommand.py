"""The command studio: what it prints, what it opens, what it says where it cannot start."""

from __future__ import annotations

import json
import sys
import types
import webbrowser

import pytest

from algdim.cli import main
from algdim.studio import serving


@pytest.fixture
def served(monkeypatch):
    """A server that only notes what it was given, and the addresses that a browser opened."""
    runs, opened = [], []

    class Server:
        """Runs no longer than a moment."""

        def run(self, sockets):
            """Note the port."""
            runs.append(sockets[0].getsockname()[:2])
            sockets[0].close()
            raise KeyboardInterrupt

    monkeypatch.setattr(serving, "check_installed", lambda: None)
    monkeypatch.setattr(serving, "build_app", lambda *given: given)
    monkeypatch.setattr(serving, "make_server", lambda app: Server())
    monkeypatch.setattr(webbrowser, "open_new_tab", opened.append)
    return types.SimpleNamespace(runs=runs, opened=opened)


def test_the_address_is_printed_and_opened(served, capsys):
    """With the port that was bound on this machine, a token, and the model; Ctrl-C is its end."""
    assert 0 == main(["studio", "w-structure", "--port", "0"])
    address, said = capsys.readouterr().out.splitlines()
    [(host, port)] = served.runs

    assert [address] == served.opened
    assert address.startswith(f"http://127.0.0.1:{port}/")
    assert "127.0.0.1" == host
    assert address.endswith("/#text=A%20-%3E%20C%20%3C-%20H%20-%3E%20D%20%3C-%20B%3B%20hidden%20H")
    assert "Ctrl-C" in said


def test_tokens_are_long_and_differ(served, capsys):
    """Two starts have two addresses; programs read them as JSON, and open nothing."""
    found = []
    for _ in range(2):
        assert 0 == main(["studio", "--port", "0", "--no-browser", "--json"])
        found.append(json.loads(capsys.readouterr().out))
    first, second = (one["address"].split("/")[3] for one in found)

    assert first != second
    assert min(len(first), len(second)) >= 32
    assert [] == served.opened
    assert [one["port"] for one in found] == [port for _, port in served.runs]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["A -> "], "a variable's name is expected"),
        (["--port", "65536"], "from 0 to 65535"),
        (["--port", "x"], "'x' is no port"),
        (["no-such-model.json"], "there is no such file"),
        (["--format", "lavaan"], "no MODEL"),
    ],
)
def test_what_is_wrong_is_said_before_anything_starts(served, capsys, words, said):
    """In one sentence, with exit code 2."""
    try:
        code = main(["studio", *words])
    except SystemExit as stopped:
        code = stopped.code

    assert 2 == code
    assert said in capsys.readouterr().err
    assert ([], []) == (served.runs, served.opened)


def test_what_is_not_installed_is_named(monkeypatch, capsys):
    """With the command that installs it."""
    monkeypatch.setitem(sys.modules, "uvicorn", None)

    assert 2 == main(["studio"])
    assert "pip install 'algdim[studio]'" in capsys.readouterr().err
