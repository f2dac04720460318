"""Candidates of a data set: classes up to the cap, names of the data."""

import pytest

from algdim.errors import InputError
from algdim.fitting.columns import read_columns
from algdim.identifiability.latentclasses import bounds
from algdim.selection.candidates import latent_classes

DATA = {"age": ["old", "young", "old"], "H": [0, 1, 2], "yes": [1, 0, 1], "count": [3, 4, 5]}


def test_names_and_states_are_those_of_the_data():
    """A variable for each column but `count`, with as many states as it has labels; H is taken."""
    (model,) = latent_classes(read_columns(DATA), 2, 2).models

    assert {"H1": 2, "age": 2, "H": 3, "yes": 2} == model.states


def test_names_that_no_variable_can_have_are_replaced():
    """Columns of an array, and a name with a space."""
    for data in ([[0, 1], [1, 0]], {"how old": [0, 1], "b": [0, 1]}):
        (model,) = latent_classes(read_columns(data), 1, 1).models

        assert ["X1", "X2"] == [variable.name for variable in model.observed]


def test_all_candidates_are_regular_and_none_is_forgotten():
    """The last one is KZ02's greatest regular model: one class more is irregular."""
    found = latent_classes(read_columns(DATA), 1, 50)
    classes = [model.states["H1"] for model in found.models]

    assert [1, 2, 3, 4] == classes
    assert bounds("4:2,3,2", rank=False).regular
    assert not bounds("5:2,3,2", rank=False).regular
    assert "4 classes" in found.notes[0]


@pytest.mark.parametrize(("range_", "word"), [((0, 2), "from 1 upward"), ((3, 2), "in order"), ((5, 9), "are equal")])
def test_ranges_without_candidates_are_refused(range_, word):
    """From 0, backwards, and beyond the cap."""
    with pytest.raises(InputError, match=word):
        latent_classes(read_columns(DATA), *range_)


def test_data_without_cases_are_refused():
    """A table that has names alone."""
    with pytest.raises(InputError, match="no columns with cases"):
        latent_classes(read_columns({"A": [], "B": []}), 1, 2)
