"""The numbers of sigmoid variables in parameter files, and the rank at them."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from math import exp, isclose

import brute_sigmoid
import numpy as np
import pytest

import algdim
from algdim import InputError, LimitError
from algdim.readers.parameters import read_parameters

MODEL = algdim.model("sigmoid: A, B -> C")
ROOTS = {"A": {"a": 0}, "B": {"a": "-1/2"}}


def test_weights_give_rows():
    """The rows are the sigmoid function of the weights, the first parent slowest, and sum to one exactly."""
    found = read_parameters({**ROOTS, "C": {"a": -1, "b": {"A": "3/2", "B": 0.25}}}, MODEL)

    assert ((Fraction(1, 2), Fraction(1, 2)),) == found["A"]
    for row, weight in zip(found["C"], [-1, -0.75, 0.5, 0.75], strict=True):
        assert isclose(float(row[1]), 1 / (1 + exp(-weight)), rel_tol=1e-14)
        assert 1 == sum(row)


def test_scores_are_the_states():
    """A parent in state 2 counts twice."""
    found = read_parameters(
        {"A": [["1/3", "1/3", "1/3"]], "C": {"a": 0, "b": {"A": 1}}}, algdim.model("A -> C; states A=3; sigmoid C")
    )

    assert isclose(float(found["C"][2][1]), 1 / (1 + exp(-2)))


def test_shared_weights_stand_once():
    """Under the share's name, and the parents are numbered."""
    found = read_parameters(
        {"H": {"a": 1}, "s": {"a": 0, "b": {"pa1": 2}}}, algdim.model("sigmoid: H -> A, B; hidden H; share s: A, B")
    )

    assert {"H", "s"} == set(found)


@pytest.mark.parametrize(
    ("numbers", "message"),
    [
        ([["1/2", "1/2"]], "C: a list is not"),
        ({}, "C.a is missing"),
        ({"a": 1}, "C.b says nothing of A, B"),
        ({"a": 1, "b": {"A": 1}}, "C.b says nothing of B"),
        ({"a": 1, "b": {"A": 1, "B": 1, "D": 1}}, "C.b: unknown key 'D'"),
        ({"a": 1, "b": [1, 2]}, "C.b: a list is not"),
        ({"a": 1, "b": {"A": 1, "B": 1}, "c": 1}, "C: unknown key 'c'"),
        ({"a": "x", "b": {"A": 1, "B": 1}}, "C.a"),
        ({"a": True, "b": {"A": 1, "B": 1}}, "C.a"),
        ({"a": 1001, "b": {"A": 1, "B": 1}}, "C.a is 1001; a weight from -1000 to 1000"),
        ({"a": 0, "b": {"A": -2000, "B": 1}}, "C.b.A is -2000"),
        ({"a": float("nan"), "b": {"A": 1, "B": 1}}, "C.a"),
    ],
)
def test_bad_weights_are_refused(numbers, message):
    """What is wrong is named with its place."""
    with pytest.raises(InputError) as caught:
        read_parameters({**ROOTS, "C": numbers}, MODEL)

    assert message in str(caught.value)


THREE_LEVELS = "sigmoid: T -> H1, H2 -> X1, X2, X3, X4; hidden T, H1, H2"


def numbers_of(model, seed):
    """Weights k/10 for all sigmoid variables."""
    source = random.Random(seed)
    return {
        v.name: {
            "a": f"{source.randint(1, 19)}/10",
            "b": {parent: f"{source.choice([-1, 1]) * source.randint(1, 19)}/10" for parent in v.parents},
        }
        for v in model.variables
    }


def test_the_rank_at_weights(tmp_path):
    """At a regular point it is the dimension; a file is read as well as a dictionary."""
    model = algdim.model(THREE_LEVELS)
    numbers = numbers_of(model, 1)
    (tmp_path / "numbers.json").write_text(json.dumps(numbers), encoding="utf-8")
    for source in (numbers, tmp_path / "numbers.json"):
        found = algdim.dimension(model, at=source).at

        assert (15, True, None) == (found.rank, found.regular, found.error)


@pytest.mark.parametrize("seed", range(3))
def test_a_point_that_is_not_regular_is_seen(seed):
    """With one parent's weights all zero the rank is less: as many singular values are not small."""
    model = algdim.model(THREE_LEVELS)
    numbers = numbers_of(model, seed)
    for name in ("X1", "X2", "X3", "X4"):
        numbers[name]["b"]["H2"] = 0
    found = algdim.dimension(model, at=numbers).at

    class Given(brute_sigmoid.Balls):
        """The weights of the file."""

        def drawn(self, key):
            from flint import arb, fmpq

            _, (_, name), place = key
            entry = numbers[name]
            parents = next(v.parents for v in model.variables if v.name == name)
            value = Fraction(entry["a"] if place == 0 else entry["b"][parents[place - 1]])
            return arb(fmpq(value.numerator, value.denominator))

    rows = brute_sigmoid.jacobian(model, Given(0))
    singular = np.linalg.svd([[float(value) for value in row] for row in rows], compute_uv=False)

    assert not found.regular
    assert 0 < found.error < 1e-20
    assert int((singular > 1e-12 * singular[0]).sum()) == found.rank


def test_the_rank_with_tables_beside():
    """Tables with exact entries and sigmoid variables in one model."""
    model = algdim.model("H, G -> X, Y; hidden H; states H=3; sigmoid X, Y")
    numbers = {
        "H": [["1/2", "1/3", "1/6"]],
        "G": [["1/4", "3/4"]],
        "X": {"a": "1/2", "b": {"H": 1, "G": -1}},
        "Y": {"a": "-1/2", "b": {"H": 2, "G": 1}},
    }
    report = algdim.dimension(model, at=numbers)

    assert report.at.rank <= report.dimension
    assert report.at.regular == (report.at.rank == report.dimension)


def test_weights_with_many_digits():
    """Common denominators of a dozen digits are no matter; where the chance would say nothing, the weights are refused."""
    many = {**ROOTS, "C": {"a": "1/1000003", "b": {"A": "1/999983", "B": 1}}}
    assert 5 == algdim.dimension(MODEL, at=many).at.rank
    model = algdim.model(THREE_LEVELS)
    numbers = numbers_of(model, 1)
    numbers["X1"]["a"], numbers["X2"]["a"] = "1/1000000007", "1/998244353"
    assert 15 == algdim.dimension(model, at=numbers).at.rank
    for name in ("X1", "X2", "X3", "X4"):
        numbers[name]["b"]["H2"] = 0
    with pytest.raises(LimitError, match="smaller common denominator"):
        algdim.dimension(model, at=numbers)
