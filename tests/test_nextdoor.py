"""The entry point to the papers' package: what the engine does without it."""

from __future__ import annotations

import sys

import pytest

import algdim
from algdim.cli import main
from algdim.nextdoor import load_papers


@pytest.fixture
def alone(monkeypatch):
    """The engine without the papers."""
    for name in [name for name in sys.modules if name.split(".")[0] == "algdim_papers"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "algdim_papers", None)


@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize("words", ["reproduce", "reproduce KZ02 --json", "cite algdim --bibtex", "table kocka-zhang-1"])
def test_what_needs_the_papers_says_so(words, capsys):
    """One line that names the package and what to do; whatever else is asked."""
    assert 2 == main(words.split())
    printed = capsys.readouterr()

    assert "" == printed.out
    assert "algdim_papers, which is installed with algdim and is missing here; install algdim again" in printed.err
    assert 1 == printed.err.count("\n")


@pytest.mark.usefixtures("alone")
def test_the_engine_works_without_the_papers(tmp_path, capsys):
    """Its commands, user-defined tables, and the help, which names what is missing."""
    (tmp_path / "models.csv").write_text('model\n"2:2,2,2"\n', encoding="utf-8")

    assert 0 == main(["dim", "3:2,2,2,2"])
    assert ("2:2,2,2", 7) == tuple(
        cell.value for cell in algdim.table(str(tmp_path / "models.csv"), columns=["model", "dimension"]).rows[0]
    )
    with pytest.raises(SystemExit):
        main(["--help"])
    assert 2 == " ".join(capsys.readouterr().out.split()).count(
        "needs the package algdim_papers, which is missing here"
    )


def test_a_fault_of_the_papers_is_no_missing_package(monkeypatch):
    """What they lack themselves is named."""
    monkeypatch.delitem(sys.modules, "algdim_papers.offer", raising=False)
    monkeypatch.delattr("algdim_papers.offer", raising=False)
    monkeypatch.setitem(sys.modules, "algdim_papers.commands", None)

    with pytest.raises(ModuleNotFoundError, match=r"algdim_papers\.commands"):
        load_papers()
