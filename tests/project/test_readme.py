"""The README keeps what its first screens promise: true numbers, whole output, links that lead to proofs."""

from __future__ import annotations

import re

import pytest
from packages import ROOT

import algdim

README = (ROOT / "README.md").read_text(encoding="utf-8")
CONSOLE = re.compile(r"^```(?:console|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ROWS = {
    "[poLCA script](examples/raters.R)": ("3:2^4", None, "14 parameters, df = 1", "dimension 13, df = 2"),
    "4 latent classes, 3 ternary items": ("4:3^3", None, "27 parameters, df = −1", "dimension 25, df = 1"),
    "[lavaan script](examples/pairs.R)": ("examples/pairs.R", None, "df = 3", "df = 6"),
    "[dagitty file](examples/frontdoor.dagitty)": ("examples/frontdoor.dagitty", None, "df = −2", "df = 0"),
    "W structure with five hidden states": (
        "A -> C <- H -> D <- B; hidden H; states H=5",
        "dimension 11",
        "dimension 11",
        "dimension 10",
    ),
}
"""By words of a row: its model, what a paper prints, and what the second and the third column say."""


@pytest.mark.parametrize("words", ROWS)
def test_each_row_of_the_table_is_computed(words, monkeypatch):
    """What counting gives follows from the numbers of parameters and of the saturated model, what is true is proved."""
    monkeypatch.chdir(ROOT)
    model, printed, counted, true = ROWS[words]
    [row] = [line for line in README.splitlines() if line.startswith("|") and words in line]
    report = algdim.dimension(model)
    texts = {
        f"{report.standard} parameters",
        f"df = {report.complete - report.standard}".replace("-", "−"),
        f"dimension {report.dimension}",
        f"df = {report.complete - report.dimension}",
        printed,
    }

    assert report.exact
    assert counted in row.split("|")[2]
    assert true in row.split("|")[3].replace("[", "")
    assert {*counted.split(", "), *true.split(", ")} <= texts


def test_output_is_shown_whole():
    """Nothing is left out of what a command prints; a command's own ellipsis would be in the middle of a line it prints."""
    elided = [line for block in CONSOLE.findall(README) for line in block.splitlines() if line.strip() == "…"]

    assert not elided
    assert len(CONSOLE.findall(README)) >= 5


def test_the_first_screen():
    """A picture, the table, and how to install, reproduce and test stand within forty lines."""
    first = "\n".join(README.splitlines()[:40])

    for words in ("](docs/fibre.svg)", "| true (proved) |", "pip install", "make reproduce", "make test"):
        assert words in first


def test_the_theorem_that_coq_has_checked_is_two_clicks_away():
    """The README links to the page on certificates, and that page to the statement of the main theorem."""
    page = (ROOT / "docs" / "certificates.md").read_text(encoding="utf-8")

    assert "(docs/certificates.md" in README
    assert re.search(r"\]\(\.\./proofs/coq/(?:Check\.v|README\.md#the-statement)\)", page)
    assert "Theorem check_sound" in (ROOT / "proofs" / "coq" / "README.md").read_text(encoding="utf-8")
