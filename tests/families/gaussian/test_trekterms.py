"""The trek-sum rule written out: the terms sum to the map, and each names its trek."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from amount import daily
from suites.random_gaussians import gaussian_model
from sympy import Symbol, expand, prod

import algdim
from algdim.cli import main
from algdim.explanation.printing import print_map
from algdim.families.gaussian.map import get_gaussian_map
from algdim.families.gaussian.treksums import list_trek_terms


def value_of(product, symbols):
    """What a printed product says, read factor by factor; those in parentheses are numbers or sums."""
    return prod(
        symbols.get(word) or sum_of(word[1:-1] if word[0] == "(" else word, symbols) for word in product.split("·")
    )


def sum_of(text, symbols):
    """A sum such as 2 - 1/2 v(A) + v(B)."""
    total = Fraction(0)
    for term in text.replace(" - ", " + -").split(" + "):
        *number, name = term.removeprefix("-").split(" ")
        factor = Fraction(number[0]) if number else Fraction(1)
        total += (-1 if term.startswith("-") else 1) * factor * (symbols[name] if name in symbols else Fraction(name))
    return total


@pytest.mark.parametrize("seed", daily(range(60), 7))
def test_terms_sum_to_the_map(seed):
    """Fixed and equal entries, bidirected edges and means included, the terms of each coordinate sum to it."""
    written = print_map(get_gaussian_map(gaussian_model(seed, most=5, cycles=False)))
    symbols = {name: Symbol(name) for name in written.parameters}

    assert len(written.coordinates) == len(written.terms)
    for value, one in zip(written.expressions, written.terms, strict=True):
        assert 0 == expand(value - sum(value_of(term.product, symbols) for term in one.terms))


def test_two_treks_have_two_lines():
    """A trek through the error of X1 and two through F, none merged with another."""
    text = str(print_map(get_gaussian_map(algdim.model("gaussian: F -> X1 -> X2; F -> X2; hidden F; means off"))))

    assert ["X1 -> X2", "X1 <- F -> X1 -> X2", "X1 <- F -> X2"] == sorted(
        line.rpartition("   ")[2] for line in text.splitlines()[2:5]
    )


def test_no_trek_and_a_mean():
    """A covariance without treks is 0, a mean is a sum over paths from 1."""
    lines = str(print_map(get_gaussian_map(algdim.model("gaussian: A -> C <- B; fix m(B)=0")))).splitlines()

    assert "cov(A,B) = 0   no trek" in lines
    assert "mean(B) = 0   no path from 1" in lines
    assert "C <- A <- 1" in "\n".join(lines[-3:])


def test_cycles_have_no_terms():
    """Treks on a cycle have no end: the map keeps its quotient."""
    gmap = get_gaussian_map(algdim.model("gaussian: A -> B -> A; means off"))

    assert () == list_trek_terms(gmap)
    assert "/" in str(print_map(gmap))


def test_json_has_the_treks(capsys):
    """Beside the expressions, for each coordinate its products and treks; models of other families have none."""
    assert 0 == main(["map", "gaussian: H -> X1, X2; hidden H; means off", "--json"])
    document = json.loads(capsys.readouterr().out)

    assert [{"product": "b(H->X1)·v(H)·b(H->X2)", "trek": "X1 <- H -> X2"}] == document["treks"]["cov(X1,X2)"]
    assert 0 == main(["map", "2:2", "--json"])
    assert "treks" not in json.loads(capsys.readouterr().out)
