"""An explanation as LaTeX: what is opened is closed, and no sign is left that LaTeX would not take."""

from __future__ import annotations

import re
from functools import cache

import pytest

from algdim import explain as explain_anew
from algdim.display.rendering import SIGNS, encode_for_latex

explain = cache(explain_anew)


MODELS = (
    "3:2,2,2,2",
    "gaussian: H -> X1, X2, X3, X4; hidden H; X1 <-> X2",
    "verma",
    "2:2^30",
    "polynomial: parameters a_1, b; coordinates a_1^2, a_1*b",
    "sigmoid: A -> B",
)


@pytest.mark.parametrize("text", MODELS)
def test_environments_and_braces_close(text):
    """In the order in which they were opened."""
    found = explain(text).latex()
    open_ = []
    for kind, name in re.findall(r"\\(begin|end)\{(\w+\*?)\}", found):
        if kind == "begin":
            open_.append(name)
        else:
            assert name == open_.pop()
    outside = re.sub(r"\\begin\{Verbatim\}.*?\\end\{Verbatim\}", "", found, flags=re.DOTALL)

    assert not open_
    assert outside.replace(r"\{", "").count("{") == outside.replace(r"\}", "").count("}")
    assert found.count("\\section") == len(explain(text).document().sections)


def test_signs():
    """Each sign with a meaning becomes its command, once."""
    assert r"\textbackslash{}\{" == encode_for_latex("\\{")
    assert all(sign in SIGNS for sign in "&%$#_{}~^\\")


def test_pivots_are_coloured():
    """Three of them for 2:2,2."""
    assert 3 == explain("2:2,2").latex().count(r"\pivot{1}")
