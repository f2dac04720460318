"""The notebooks in examples/teaching/: each is executed, exercise by exercise, and every solution is folded and checks itself."""

from __future__ import annotations

import ast
import contextlib
import io
import json
import re

import pytest
from amount import daily
from packages import ROOT

import algdim

FOLDER = ROOT / "examples" / "teaching"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def cells_of(file):
    """The cells of a notebook."""
    document = json.loads(file.read_text(encoding="utf-8"))
    assert 4 == document["nbformat"]
    return document["cells"]


def is_solution(cell):
    """Whether a cell holds the solution of an exercise."""
    return "solution" in cell["metadata"].get("tags", [])


def run(source, names, place):
    """Execute a cell as a notebook does: the value of a last expression is shown. How many pictures that value has."""
    tree = ast.parse(source, place)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, place, "exec"), names)
    if last is not None:
        value = eval(compile(ast.Expression(last.value), place, "eval"), names)
        form = next((name for name in ("_repr_svg_", "_repr_html_") if hasattr(value, name)), "__repr__")
        shown = getattr(value, form)()
        assert isinstance(shown, str)
        return shown.count("<svg")
    return 0


LONG = {"6_bic_picks_the_wrong_model", "8_scores"}
"""Seventy fits, and nine selections; the functions that they call have tests of their own."""


@pytest.mark.parametrize(
    "file",
    daily([pytest.param(file, marks=[pytest.mark.slow] * (file.stem in LONG), id=file.stem) for file in NOTEBOOKS], 2),
)
def test_every_cell_runs(file, tmp_path, monkeypatch):
    """From top to bottom, in one interpreter; what is printed is printed, and at least one picture is shown."""
    monkeypatch.chdir(tmp_path)
    figures = []
    if any("matplotlib" in "".join(cell["source"]) for cell in cells_of(file)):
        plt = pytest.importorskip("matplotlib.pyplot")
        plt.switch_backend("svg")
        monkeypatch.setattr(plt, "show", lambda: figures.extend(plt.get_fignums()) or plt.close("all"))
    names = {"__name__": "__main__"}
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        for number, cell in enumerate(cells_of(file)):
            if cell["cell_type"] == "code":
                figures += [number] * run("".join(cell["source"]), names, f"{file.name}:{number}")

    assert out.getvalue()
    assert figures


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_the_form_of_an_hour(file):
    """Source and number to be found at the top; every exercise has a folded solution with an assert; no output is kept."""
    cells = cells_of(file)
    opening = "".join(cells[0]["source"])
    titles = [re.search(r"^## Exercise \d+", "".join(cell["source"]), re.MULTILINE) for cell in cells]

    assert re.search(r"\*\*.*(GHM96|HM97|KZ02|CH96|MH97|\d{4}\)).*\*\* To be found: ", opening)
    assert sum(map(bool, titles)) >= 3
    for number, title in enumerate(titles):
        if title:
            assert ["answer"] == cells[number + 1]["metadata"]["tags"]
            assert is_solution(cells[number + 2])
    for cell in cells:
        if is_solution(cell):
            assert cell["metadata"]["jupyter"]["source_hidden"]
            assert "assert " in "".join(cell["source"])
        if cell["cell_type"] == "code":
            assert ([], None) == (cell["outputs"], cell["execution_count"])


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_students_see_public_names_and_figures(file):
    """Nothing is imported from a part of the package, and names of algdim are in its list; every hour draws."""
    code = "\n".join("".join(cell["source"]) for cell in cells_of(file) if cell["cell_type"] == "code")
    nodes = list(ast.walk(ast.parse(code)))
    imported = [node.module for node in nodes if isinstance(node, ast.ImportFrom)]
    imported += [one.name for node in nodes if isinstance(node, ast.Import) for one in node.names]
    used = {
        node.attr
        for node in nodes
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "algdim"
    }

    assert [] == [name for name in imported if name.startswith("algdim.")]
    assert used <= set(algdim.__all__)
    assert [] == [node.attr for node in nodes if isinstance(node, ast.Attribute) and node.attr.startswith("_")]
    assert any(isinstance(node, ast.Attribute) and node.attr in {"plot", "show"} for node in nodes)


def test_the_five_papers_have_an_hour():
    """Each is named as a source by one hour at least."""
    openings = " ".join("".join(cells_of(file)[0]["source"]) for file in NOTEBOOKS)

    assert all(paper in openings for paper in ("GHM96", "HM97", "KZ02", "CH96", "MH97"))


def test_there_are_eight():
    """One for each hour, in order; the list in examples/README.md names all."""
    listed = (FOLDER.parent / "README.md").read_text(encoding="utf-8")

    assert list("12345678") == [file.name[0] for file in NOTEBOOKS]
    assert all(f"`teaching/{file.name}`" in listed for file in NOTEBOOKS)
