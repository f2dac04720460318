"""The verdicts as a table."""

from __future__ import annotations

import shutil
import subprocess
import unicodedata

import pytest
from amount import in_turn

from algdim.cli import main
from algdim_papers.claims.judging import run
from algdim_papers.claims.reading import list_claims
from algdim_papers.tables import NARROW_COLUMNS, VERDICT_COLUMNS, build_verdict_grid


@pytest.fixture(scope="module")
def verdicts():
    """Those of all claims that are formulas, sentences or lost."""
    return list(run(claim for claim in list_claims() if claim.check or not claim.model))


def test_every_claim_has_a_row(verdicts):
    """In their order, with place, verdict, time and reason; what is not as printed is bold."""
    grid = build_verdict_grid(verdicts)

    assert VERDICT_COLUMNS == grid.columns
    assert [v.claim.id for v in verdicts] == [row[0].value for row in grid.rows]
    assert [(v.verdict or "").startswith(("refuted", "open", "proved")) for v in verdicts] == [
        row[VERDICT_COLUMNS.index("verdict")].bold for row in grid.rows
    ]
    assert all(row[-1].value for row in grid.rows)


def test_latex_has_no_sign_that_tex_lacks(verdicts):
    """All signs of the formulas are written in ASCII, with dollars in pairs."""
    text = build_verdict_grid(verdicts, NARROW_COLUMNS).latex()

    assert "" == "".join(sign for sign in text if not sign.isascii() and unicodedata.category(sign) != "Ll")
    assert text.replace(r"\$", "").count("$") % 2 == 0


@pytest.mark.slow
@pytest.mark.usefixtures("home")
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="there is no pdflatex")
def test_latex_compiles(verdicts, tmp_path):
    """In a document of a class, a package and the table."""
    source = build_verdict_grid(verdicts[:20], NARROW_COLUMNS).latex()
    text = rf"\documentclass{{article}}\usepackage{{booktabs}}\begin{{document}}{source}\end{{document}}"
    (tmp_path / "one.tex").write_text(text, encoding="utf-8")
    done = subprocess.run(
        ["pdflatex", "-halt-on-error", "one.tex"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        encoding="utf-8",
    )

    assert 0 == done.returncode, done.stdout[-2000:]


@in_turn(2)
def test_the_command_prints_both_forms(capsys):
    """Markdown with the reasons, LaTeX without; two forms at once are refused."""
    assert 0 == main(["reproduce", "HM97", "--markdown", "--quiet"])
    assert "| reason |" in capsys.readouterr().out
    assert 0 == main(["reproduce", "HM97", "--latex", "--quiet"])
    assert r"$\kappa$ $\to$ $\lambda$" in capsys.readouterr().out
    assert 2 == main(["reproduce", "HM97", "--latex", "--json"])
