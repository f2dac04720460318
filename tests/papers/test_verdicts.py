"""The verdicts as a table."""

from __future__ import annotations

import unicodedata
from itertools import product

import pytest
from amount import daily, in_turn
from latexing import complaints, needs_latex

from algdim import table
from algdim.cli import main
from algdim_papers.claims.judging import run
from algdim_papers.claims.reading import list_claims
from algdim_papers.tables import NAMED, NARROW_COLUMNS, VERDICT_COLUMNS, build_verdict_grid


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


@needs_latex
@pytest.mark.usefixtures("home")
@pytest.mark.parametrize("options", daily(["a4paper", "a4paper,twocolumn"], 1))
def test_verdicts_fit_the_page(verdicts, options, tmp_path):
    """Formulas, ids and places, in one column and in two."""
    source = build_verdict_grid(verdicts, NARROW_COLUMNS).latex(in_two_columns="two" in options)

    assert [] == complaints(source, options, tmp_path)


@needs_latex
@pytest.mark.usefixtures("home")
@pytest.mark.parametrize(("name", "options"), daily(product(NAMED, ["a4paper", "a4paper,twocolumn"]), 1))
def test_tables_of_the_literature_fit_the_page(name, options, tmp_path):
    """Every table that has a name."""
    assert [] == complaints(table(name).latex(in_two_columns="two" in options), options, tmp_path)


@in_turn(2)
def test_the_command_prints_both_forms(capsys):
    """Markdown with the reasons, LaTeX without; two forms at once are refused."""
    assert 0 == main(["reproduce", "HM97", "--markdown", "--quiet"])
    assert "| reason |" in capsys.readouterr().out
    assert 0 == main(["reproduce", "HM97", "--latex", "--quiet"])
    assert r"$\kappa$ $\to$ $\lambda$" in capsys.readouterr().out
    assert 2 == main(["reproduce", "HM97", "--latex", "--json"])
