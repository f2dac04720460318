"""Candidates of a data set: classes up to the cap, names of the data."""

from types import SimpleNamespace

import pytest

from algdim import InputError, bounds
from algdim.fitting.tabulardata import Columns, read_columns
from algdim.selection.candidates import make_latent_classes
from algdim.selection.choosing import climb_classes, list_class_numbers

DATA = {"age": ["old", "young", "old"], "H": [0, 1, 2], "yes": [1, 0, 1], "count": [3, 4, 5]}


def test_names_and_states_are_those_of_the_data():
    """A variable for each column but `count`, with as many states as it has labels; H is taken."""
    (model,) = make_latent_classes(read_columns(DATA), [2]).models

    assert {"H1": 2, "age": 2, "H": 3, "yes": 2} == model.states


def test_names_that_no_variable_can_have_are_replaced():
    """Columns of an array are numbered, a name with a space gets another sign for it."""
    for data, names in (([[0, 1], [1, 0]], ["X1", "X2"]), ({"how old": [0, 1], "b": [0, 1]}, ["how_old", "b"])):
        (model,) = make_latent_classes(read_columns(data), [1]).models

        assert names == [variable.name for variable in model.observed]


@pytest.mark.parametrize(("name", "counts"), [("Freq", [20, 30, 7]), ("n", ["0.5", "1", "2"])])
def test_counts_of_another_name_are_no_item(name, counts):
    """What R calls Freq is called count here; an item may have such a name if its labels are no counts."""
    data = {"A": [0, 1, 0], "B": [0, 0, 1], name: counts}

    with pytest.raises(InputError, match=f"the column {name}: if it is the frequency of each row, call it count"):
        make_latent_classes(read_columns(data), [1, 2])
    assert make_latent_classes(read_columns({**data, name: [0, 1, 1]}), [1]).models


@pytest.mark.parametrize("labels", [range(30), [f"person {number}" for number in range(30)], [*range(20), *range(10)]])
def test_what_tells_rows_apart_is_no_item(labels):
    """A column with another label in most rows is refused by name, with what to do."""
    with pytest.raises(InputError, match=r"the column id has .* labels in 30 rows.*--without id"):
        make_latent_classes(read_columns({"id": list(labels), "A": [0, 1, 1] * 10, "B": [0, 1, 0] * 10}), [1, 2])


def test_all_candidates_are_regular_and_none_is_forgotten():
    """The last one is KZ02's greatest regular model: one class more is irregular."""
    found = make_latent_classes(read_columns(DATA), range(1, 51))
    classes = [model.states["H1"] for model in found.models]

    assert [1, 2, 3, 4] == classes
    assert bounds("4:2,3,2", rank=False).regular
    assert not bounds("5:2,3,2", rank=False).regular
    assert "4 classes" in found.notes[0]


@pytest.mark.parametrize(("range_", "word"), [("0..2", "from 1 upward"), ("3..2", "in order"), ("5..9", "are equal")])
def test_ranges_without_candidates_are_refused(range_, word):
    """From 0, backwards, and beyond the cap."""
    with pytest.raises(InputError, match=word):
        make_latent_classes(read_columns(DATA), list_class_numbers(range_))


def test_data_without_cases_are_refused():
    """A table that has names alone."""
    with pytest.raises(InputError, match="no columns with cases"):
        make_latent_classes(read_columns({"A": [], "B": []}), [1, 2])


def test_a_small_column_of_counts_is_named():
    """A column Freq of numbers below ten may be an item or counts; that it is taken for an item is said."""
    data = Columns(("a", "b", "Freq"), (["y", "n", "y"], ["n", "n", "y"], ["4", "5", "6"]), "the data", 1)
    words = Columns(("a", "b", "n"), (["y", "n", "y"], ["n", "n", "y"], ["few", "many", "few"]), "the data", 1)

    (note,) = make_latent_classes(data, [1, 2]).notes

    assert "Freq" in note
    assert "is taken for an item; if it is the frequency of each row, call it count" in note
    assert () == make_latent_classes(words, [1, 2]).notes


def test_the_climb_goes_on_while_the_score_rises():
    """With a score that grows with the classes up to the most that are tried, and one that stops at six."""
    table = read_columns({name: [0, 1, 1, 0, 0, 1] for name in "ABCDEFG"})

    def assess(model, peak):
        classes = model.states["H"]
        return SimpleNamespace(values={"bic": -abs(classes - peak)})

    six, all_notes = climb_classes(table, lambda model: assess(model, 6), "bic")
    twelve, notes = climb_classes(table, lambda model: assess(model, 99), "bic")

    assert (7, 12) == (len(six), len(twelve))
    assert "the last has not the greatest bic, so more were not tried" in all_notes[0]
    assert "bic still rises" in notes[0]
