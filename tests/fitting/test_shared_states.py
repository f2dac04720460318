"""Labels of variables that share a table are the same states, also where a column does not show all of them."""

from __future__ import annotations

import random

import pytest
from amount import daily

import algdim
from algdim.errors import InputError

MODELS = {
    "2:3^4*": ["X1", "X2", "X3", "X4"],
    "hmm: states 2, items 3, length 4, homogeneous": ["X_1", "X_2", "X_3", "X_4"],
    "hmm: states 2, items 3, length 4, invariant": ["X_1", "X_2", "X_3", "X_4"],
    "dynamic 4: prev.X -> X; states X=3": ["X_1", "X_2", "X_3", "X_4"],
    "H -> A, B, C, D; hidden H; states A=3, B=3, C=3, D=3; share t: A, B, C, D": ["A", "B", "C", "D"],
}


def draw_columns(names, lacking):
    """Numbers of states, which all columns but the last show whole."""
    draw = random.Random(3)
    columns = {name: [draw.choice((0, 0, 1, 2)) for _ in range(40)] for name in names}
    columns[names[-1]] = [(state + (state == lacking)) % 3 for state in columns[names[-1]]]
    return columns


@pytest.mark.parametrize("lacking", [0, 1, 2])
@pytest.mark.parametrize("text", daily(MODELS, 2))
def test_labels_mean_the_same_in_all_columns(text, lacking):
    """With labels the likelihood is that with numbers, which are states whatever occurs; numbers from 1 are labels."""
    columns = draw_columns(MODELS[text], lacking)
    words = {name: ["abc"[state] for state in column] for name, column in columns.items()}
    numbers = {name: [state + 1 for state in column] for name, column in columns.items()}
    expected = algdim.fit(columns, text, starts=2, identify=False)

    for relabelled in (words, numbers):
        found = algdim.fit(relabelled, text, starts=2, identify=False)
        assert found.loglik == pytest.approx(expected.loglik, abs=1e-9)
        assert 1 == len(set(found.sample.states))


def test_the_first_wave_is_what_the_second_depends_on():
    """A chain's first table is its own; its states are those of the others all the same."""
    data = {"X_1": ["b", "c", "b"], "X_2": ["a", "b", "c"], "X_3": ["a", "c", "b"]}
    found = algdim.fit(data, "dynamic 3: prev.X -> X; states X=3", identify=False)

    assert (("a", "b", "c"),) * 3 == found.sample.states
    assert "X_1: no row shows the state a" in found.sample.notes


def test_columns_in_words_of_their_own():
    """Each shows all states, and no word occurs twice: nothing is ambiguous. Where it is, it is refused."""
    found = algdim.fit({"X1": ["no", "yes"], "X2": ["false", "true"]}, "1:2^2*", identify=False)

    assert (("no", "yes"), ("false", "true")) == found.sample.states
    with pytest.raises(
        InputError, match="X1 with those of the same table has the 3 labels a, b, c; the model has 2 states"
    ):
        algdim.fit({"X1": ["a", "b"], "X2": ["b", "c"]}, "1:2^2*")
