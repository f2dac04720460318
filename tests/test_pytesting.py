"""The plugin of pytest: what passes, what fails and with which words; the entry point names it."""

from __future__ import annotations

import subprocess
import sys
import tomllib

import pytest
from amount import in_turn
from packages import ROOT

from algdim.pytesting import assert_claims, assert_dimension

PROBABLE = "K -> H1, H2; H1 -> X1; H2 -> X2; hidden K, H1, H2; states K=3, H1=3, H2=3, X1=4, X2=4; share h: H1, H2; share e: X1, X2"


@in_turn(2)
def test_a_dimension():
    """The true one passes, another fails with the true one and its lemmas, a probable one only if that is enough."""
    assert assert_dimension("3:2,2,2,2", 13).proved
    with pytest.raises(AssertionError, match="the dimension is 13, not 14"):
        assert_dimension("3:2,2,2,2", 14)
    with pytest.raises(AssertionError, match="8 is open"):
        assert_dimension(PROBABLE, 8)
    assert not assert_dimension(PROBABLE, 8, accept_probable=True).proved
    with pytest.raises(AssertionError, match="not 9"):
        assert_dimension(PROBABLE, 9, accept_probable=True)


def test_claims(tmp_path):
    """All have to be confirmed."""
    path = tmp_path / "claims.md"
    path.write_text("|model|df|\n|-|-|\n|3:2^4|2|\n", encoding="utf-8")
    assert 0 == assert_claims(path).code
    path.write_text("|model|df|\n|-|-|\n|3:2^4|1|\n", encoding="utf-8")
    with pytest.raises(AssertionError, match="1 refuted"):
        assert_claims(path)


def test_the_entry_point():
    """It names this module, in which pytest finds fixtures of both names; and loading it loads little."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert {"algdim": assert_dimension.__module__} == project["entry-points"]["pytest11"]
    program = "import sys, pytest; before = {*sys.modules}; import algdim.pytesting; print(*({*sys.modules} - before))"
    ended = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True, encoding="utf-8"
    )
    assert {"numpy", "sympy", "flint", "networkx"}.isdisjoint(ended.stdout.split())
