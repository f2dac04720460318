"""The LaTeX document of an explanation: every engine compiles it, no box is too wide, and every sign is one of LaTeX's own."""

from __future__ import annotations

import re
import shutil
import subprocess
from functools import cache
from typing import NamedTuple

import pytest
from amount import daily

from algdim import explain as explain_anew
from algdim.display.blocks import Listing, TableBlock, TreeBlock
from algdim.display.latexdocument import make_breakable, render_latex_block
from algdim.models.notation import parse
from algdim.plots.networkdrawing import write_network_tikz

explain = cache(explain_anew)

MODELS = [
    "3:2,2,2,2",
    "5(2,3(2,2),3(2,2))",
    "gaussian: F -> X1, X2, X3, X4; hidden F; means off",
    "max: {C1,C2},{C3} -> E",
    "classifier-figure-2a",
    "sigmoid: H1, H2 -> X1, X2, X3; hidden H1, H2",
    "loglinear: {A,B},{B,C},{A,C}",
    "polynomial: parameters a, b, c; coordinates a*b, b*c, a/c",
    "latent-profile: H -> X1, X2, C; hidden H; states H=3, C=4",
    "poisson: {A,B},{B,C} -> E",
    "normal: {A},{B} -> E",
    "conditional-gaussian: H -> X1, X2, X3; F -> X1, X2, X3; hidden H, F; states H=2",
    "2:2^60",
    "verma",
    "Smoking -> TarDepositsLungs -> LungCancerStage1; Socioeconomic01 -> Smoking, LungCancerStage1; hidden Socioeconomic01",
]
ENGINES = [name for name in ("pdflatex", "xelatex", "lualatex") if shutil.which(name)]
ASKS = shutil.which("kpsewhich")


def has_tikz():
    """Whether TeX has the package that draws."""
    return bool(ASKS) and bool(subprocess.run([ASKS, "tikz.sty"], capture_output=True, check=False).stdout.strip())


@pytest.mark.parametrize("text", daily(MODELS, 4))
def test_all_signs_are_of_latex(text):
    """So that it does not depend on a font, nor on the engine; and braces are balanced."""
    written = explain(text).latex()
    bare = re.sub(r"\\[\\{}]", "", written)

    assert written.isascii(), sorted({sign for sign in written if not sign.isascii()})
    assert bare.count("{") == bare.count("}")
    assert written.count(r"\begin{tikzpicture}") == written.count(r"\end{tikzpicture}")


@pytest.mark.slow
@pytest.mark.skipif(not ENGINES, reason="no LaTeX is on the path (Debian: texlive-latex-recommended)")
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("text", MODELS)
def test_every_engine_compiles_it(text, engine, tmp_path):
    """Nothing is wider than its line or higher than its page, no sign is missing, nothing is an error."""
    if not has_tikz():
        pytest.skip("TeX has no TikZ (Debian: texlive-pictures)")
    (tmp_path / "page.tex").write_text(explain(text).latex(), encoding="utf-8")
    subprocess.run([engine, "-interaction=nonstopmode", "page.tex"], cwd=tmp_path, capture_output=True, check=False)
    log = (tmp_path / "page.log").read_text(encoding="utf-8", errors="replace")

    assert (tmp_path / "page.pdf").exists()
    assert [] == re.findall(r"^(?:Overfull|!|.*too large|Missing character).*", log, re.MULTILINE)


class Node(NamedTuple):
    """A sentence and those below it."""

    text: str
    because: tuple = ()


def test_trees_and_listings_are_indented_lines():
    """Signs of a drawing in text become an indent."""
    tree = TreeBlock(Node("13", (Node("rank ≤ 3"),)))

    assert "\\indented{0}{13}\n\\indented{1.5}{rank $\\leq$ 3}" == render_latex_block(tree)
    assert "\\indented{0.9}{a}" == render_latex_block(Listing(("└─ a",)))


def test_a_wide_table_has_columns_that_are_broken():
    """A narrow one has none."""
    narrow = TableBlock(("of", "count"), (("H", "2"),))
    wide = TableBlock(("of", "what"), (("H", "a long sentence " * 10),))

    assert "longtable}{ll}" in render_latex_block(narrow)
    assert re.search(
        r"longtable\}\{l>\{\\raggedright\\arraybackslash\}p\{0\.\d+\\linewidth\}\}", render_latex_block(wide)
    )


def test_fractions_that_are_too_wide_are_shrunk():
    """And formulas may be broken between factors."""
    assert r"\fitfrac{a}{b} (1 - c) \allowbreak d" == make_breakable(r"\frac{a}{b} \left(1 - c\right) d")


def test_districts_are_framed_in_tikz():
    """As in the other form, below the nodes."""
    lines = write_network_tikz(parse("A -> C <- H -> D <- B; hidden H")).splitlines()
    framed = [number for number, line in enumerate(lines) if "line cap=round" in line]

    assert framed
    assert max(framed) < min(number for number, line in enumerate(lines) if line.startswith(r"\node"))
    assert "line cap" not in write_network_tikz(parse("2:2,2"))
