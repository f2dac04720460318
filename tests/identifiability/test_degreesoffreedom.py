"""Degrees of freedom: structural zeros leave none, sampling zeros are named."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

import algdim
from algdim import InputError, LimitError, identify
from algdim.identifiability.degreesoffreedom import derive_freedom_trust
from algdim.trust import BOUNDS_ONLY, bounds_only, proved_by

COPY = "A -> B; fix P(B=0|A=0)=1, P(B=1|A=0)=0, P(B=0|A=1)=0, P(B=1|A=1)=1"


def test_counting_and_right():
    """Goodman's remark on three classes of four binary items: counting gives 1, the right number is 2."""
    found = identify("3:2,2,2,2").freedom

    assert (2, 1) == (found.right, found.by_counting)
    assert found.exact


def test_structural_zeros_are_named():
    """A copy has two impossible cells of four; the one parameter fits what is left."""
    found = identify(COPY).freedom

    assert (0, ("P(A=0,B=1)", "P(A=1,B=0)")) == (found.right, found.structural.names)
    assert "structural zeros: 2 cells" in str(found)


def test_sampling_zeros_are_named():
    """Cells that do not occur, and impossible ones that do, by name; without data nothing is said of them."""
    data = {"A": [0, 0], "B": [0, 1]}
    found = identify(COPY, data=data).freedom

    assert ("P(A=1,B=1)",) == found.sampling.names
    assert ("P(A=0,B=1)",) == found.impossible.names
    assert identify(COPY).freedom.sampling is None
    assert ("P(A=1,B=0)", "P(A=1,B=1)") == identify("A -> B", data=data).freedom.sampling.names


def test_scores_leave_structural_zeros_out():
    """The df of G² are those of the possible cells."""
    data = {"A": [0, 0, 1, 1], "B": [0, 0, 1, 1], "C": [0, 1, 0, 1]}
    found = algdim.score(data, f"{COPY}; B -> C")

    assert 0 == found.goodness.dof


def test_gaussian_models():
    """One factor and three items fit exactly, whatever counting says of the scale."""
    found = identify("gaussian: F -> X1, X2, X3; hidden F; means off").freedom

    assert (0, -1) == (found.right, found.by_counting)
    assert identify("latent-profile: H -> X; hidden H").freedom is None
    with pytest.raises(InputError, match="zeros are cells"):
        identify("gaussian: A -> B", data={"A": [0], "B": [1]})


def test_zeros_that_cannot_be_found_are_not_forgotten():
    """Of 2^22 cells half are impossible; with 2^13 cells they are found, with more nothing is said."""
    small, large = (f"{', '.join(f'A{n}' for n in range(count))} -> E; max E" for count in (12, 21))

    assert 2**12 - 1 - 12 == identify(small).freedom.right
    assert identify(large).freedom.right is None
    assert not identify(large).freedom.exact
    assert "not known" in str(identify(large).freedom)
    data = {name: [0, 0] for name in [*(f"A{n}" for n in range(21)), "E"]}
    with pytest.raises(LimitError, match="some may be impossible"):
        identify(large, data=data)
    assert "some may be impossible" in algdim.score(data, large, score="bic").goodness_reason


@pytest.mark.parametrize(
    ("complete", "zeros", "least", "most"), [(15, 0, 9, 11), (15, 3, 9, 9), (8, 0, 3, 8), (7, 1, 5, 7)]
)
def test_between_which_numbers_the_degrees_of_freedom_are(complete, zeros, least, most):
    """A proved number of cells and an open dimension: the least and the greatest difference, never below 0."""
    report = SimpleNamespace(
        complete=complete,
        in_complete=proved_by("degrees of freedom", "cells"),
        dimension=least,
        trust=BOUNDS_ONLY,
        upper=SimpleNamespace(value=most, is_proved=True),
    )
    differences = [max(0, complete - zeros - dimension) for dimension in range(least, most + 1)]

    assert bounds_only(min(differences), max(differences)) == derive_freedom_trust(report, zeros)


def test_no_sampling_zeros_are_said_to_be_none():
    """Where data show every cell; a data set with an empty cell names it."""
    full = {"A": [0, 0, 1, 1], "B": [0, 1, 0, 1]}

    assert str(identify("A -> B", data=full).freedom).endswith("; sampling zeros: none")
    assert "sampling zeros: none" not in str(
        identify("A -> B", data={name: one[1:] for name, one in full.items()}).freedom
    )
