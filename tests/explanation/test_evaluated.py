"""Equations evaluated: zero on the model, not elsewhere."""

from __future__ import annotations

from fractions import Fraction

import pytest

from algdim import model
from algdim.analysis import Prepared
from algdim.explanation.constraints import evaluate_equations
from algdim.explanation.samplepoint import evaluate_at_random_point
from algdim.families.discrete.constraints import compute_marginals


def evaluate_model(text):
    """The equations of a model at a random point."""
    prepared = Prepared(model(text))
    return evaluate_equations(evaluate_at_random_point(prepared.whole_map), prepared)


@pytest.mark.parametrize(
    "text",
    [
        "3:2,2,2,2",
        "A -> C <- H -> D <- B; hidden H",
        "verma",
        "2(2,2,2(2,2))",
        "gaussian: H -> X1, X2, X3, X4; hidden H",
        "gaussian: F -> A, B, C, D, E; G -> A, B, C, D, E; hidden F, G",
        "gaussian: A -> B -> C; A -> D",
    ],
)
def test_equations_hold_on_the_model_alone(text):
    """The value is exactly zero at a point of the model and not at other numbers; what is written out agrees with it."""
    evaluated, found, reason = evaluate_model(text)

    assert 0 < len(evaluated) <= len(found)
    assert all(one.value == 0 != one.elsewhere for one in evaluated)
    assert reason
    for one in evaluated:
        if one.products:
            assert 0 == sum(value for _, value in one.products)
        assert len(one.names) == len(one.numbers)


def test_marginals():
    """Cells are summed over what is not named."""
    values = [Fraction(1, 10), Fraction(2, 10), Fraction(3, 10), Fraction(4, 10)]

    assert [Fraction(4, 10), Fraction(6, 10)] == compute_marginals(["A", "B"], (2, 2), ["B"], values).tolist()
    assert [values[::2], values[1::2]] == compute_marginals(["A", "B"], (2, 2), ["B", "A"], values).tolist()


def test_families_without_equations():
    """It is said where none are looked for."""
    evaluated, found, reason = evaluate_model("max: {C1},{C2} -> E; given C1")

    assert ((), ()) == (evaluated, found)
    assert "nothing is conditioned on" in reason


def test_what_separates():
    """Rank 3 is that of the whole flattening, not that given H, which would be 1."""
    from algdim import constraints

    assert {"separated by H"} == {one.because for one in constraints("3:2,2,2,2").constraints}
