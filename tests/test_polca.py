"""Formulas of poLCA."""

from __future__ import annotations

import pytest

from algdim.models.notation import parse
from algdim.readers.anything import model

SCRIPT = """
library(poLCA)
data(carcinoma)
f <- cbind(A, B, C, D) ~ 1   # no covariates
lca <- poLCA(f, carcinoma, nclass = 3, maxiter = 5000)
"""


@pytest.mark.parametrize(
    ("text", "options", "notation"),
    [
        ("cbind(A, B) ~ 1", "", "H -> A, B; hidden H"),
        ("cbind(A, B)~1", ":nclass=4", "H -> A, B; hidden H; states H=4"),
        ("f = cbind(A, B, C) ~ 1", ":states=3", "H -> A, B, C; hidden H; states A=3, B=3, C=3"),
        ("cbind(A, B) ~ 1", ":states=3+4,nclass=1", "H -> A, B; hidden H; states H=1, A=3, B=4"),
        ("cbind(`my item`, H) ~ 1", "", "H_ -> my_item, H; hidden H_"),
        (SCRIPT, "", "H -> A, B, C, D; hidden H; states H=3"),
        (SCRIPT + "poLCA(f, carcinoma, nclass=2)", ":nclass=5", "H -> A, B, C, D; hidden H; states H=5"),
    ],
)
def test_formulas(text, options, notation):
    """Classes and states stand in the script or beside the format."""
    assert parse(notation) == model(text, format=f"polca{options}")


def test_a_script_is_recognised(tmp_path):
    """A file .R with such a formula is one of poLCA."""
    file = tmp_path / "lca.R"
    file.write_text(SCRIPT, encoding="utf-8")

    assert parse("H -> A, B, C, D; hidden H; states H=3") == model(file)
