"""Polynomial fields: the search finds what is known, only identities pass, nothing shared is moved."""

from fractions import Fraction

import pytest

import algdim
from algdim.families.discrete.bounds.polynomialfields import (
    PolynomialField,
    evaluate_field,
    find_surroundings,
    is_identity,
    list_moved_parameters,
    search,
)
from algdim.families.discrete.map import get_param_map

COIN = "H -> X, Y; hidden H; fix P(H=0)=1/2; states X=3, Y=3"

COUNTS = {
    COIN: 1,
    "A -> H -> X; hidden H; given A": 2,  # k(k − 1), degree one
    "H -> X, Y; hidden H": 2,  # k(k − 1), degree two
    "H -> X; hidden H": 2,
    "2:2,2,2": 0,
}


@pytest.mark.parametrize("text", COUNTS)
def test_search(text):
    """As many independent fields as there are, all of them identities."""
    pmap = get_param_map(algdim.model(text))
    fields = search(pmap, 0)
    assert COUNTS[text] == len(fields)
    assert all(is_identity(pmap, field) for field in fields)


def test_no_search_for_what_is_known():
    """A search that cannot add anything is not made."""
    assert () == search(get_param_map(algdim.model("H -> X, Y; hidden H")), 2)


def test_a_changed_field_is_no_identity():
    """One coefficient changed, and the field does not pass."""
    pmap = get_param_map(algdim.model(COIN))
    (field,) = search(pmap, 0)
    (parameter, ((monomial, coefficient), *others)), *rest = field.terms
    changed = PolynomialField(((parameter, ((monomial, coefficient + 1), *others)), *rest))
    assert not is_identity(pmap, changed)


def test_values_and_texts():
    """A field is evaluated modulo a prime, a coefficient without a residue makes it zero, and it can be printed."""
    field = PolynomialField(((1, (((0, 0), Fraction(1, 2)), ((), Fraction(3)))),))
    assert [0, 5] == evaluate_field(field, [2, 9], 101)
    assert [0, 0] == evaluate_field(field, [1, 1], 2)
    assert {"b": "1/2·a·a + 3"} == field.texts(["a", "b"])


def test_moved_parameters():
    """Parameters of shared tables are not moved, those beside fixed entries are."""
    pmap = get_param_map(algdim.model("H -> X, Y, Z; hidden H; share T: X, Y; fix P(Z=0|H=0)=1/2; states Z=3"))
    assert {"P(H=0)", "P(Z=1|H=0)", "P(Z=0|H=1)", "P(Z=1|H=1)"} == {
        pmap.parameters[n] for n in list_moved_parameters(pmap)
    }


def test_surroundings():
    """Names that other tables use as well exclude a search; a table shared outside stays as it is."""
    named = "G -> H -> X; G -> Y; hidden G, H; equal a = P(X=0|H=0), P(X=1|H=1)"
    assert find_surroundings(algdim.model(f"{named}, P(Y=0|G=0)"), "H") is None
    assert ("G",) == find_surroundings(algdim.model(named), "H").given
    around = find_surroundings(algdim.model("G -> H -> X; G -> Y; hidden G, H; share T: X, Y"), "H")
    assert ("G",) == around.given
