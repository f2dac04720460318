"""The catalogue of named models."""

import re
from dataclasses import FrozenInstanceError

import pytest

from algdim.families import ARGUMENTS
from algdim.models import catalogue
from algdim.models.anymodel import is_model
from algdim.models.notation import parse, to_text
from algdim.models.tokens import CLAUSE_WORDS

ENTRIES = pytest.mark.parametrize("entry", catalogue.list_catalogue_entries(), ids=lambda entry: entry.name)

# what the papers' texts give as plain tables, by the name it opens with
PAPERS_MODELS = {
    **{f"naive-bayes-{n}": f"2:2^{n}" for n in range(1, 8)},
    "ridge": "H -> X; hidden H",
    "w-structure": "A -> C <- H -> D <- B; hidden H",
    **{f"w-structure-{k}": f"A -> C <- H -> D <- B; hidden H; states H={k}" for k in (3, 4, 5)},
    "autoclass": "3:2,2,2,2",
    "kz02-hlc": "5(2,3(2,2),3(2,2))",
    "barren": "O -> X; hidden X",
    "gaussian-naive-bayes-4": "gaussian: H -> X1, X2, X3, X4; hidden H",
    "gaussian-w-structure": "gaussian: A -> C <- H -> D <- B; hidden H",
}


@ENTRIES
def test_every_entry_opens(entry):
    """An entry's notation is read, and what is printed is read back as the same model."""
    model = parse(entry.notation)

    assert is_model(model)
    assert model == parse(to_text(model))


def test_names_are_kebab_case():
    """A name has small letters, digits and hyphens, begins with a letter, and is no other word of the notation."""
    for entry in catalogue.list_catalogue_entries():
        assert re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", entry.name), entry.name
        assert entry.name not in {*CLAUSE_WORDS, *ARGUMENTS}


def test_every_entry_is_told():
    """Title, citation and remark are one line of text each; a citation has its year."""
    for entry in catalogue.list_catalogue_entries():
        for text in (entry.title, entry.citation, entry.remark):
            assert text == text.strip() != ""
            assert "\n" not in text
        assert re.search(r"\b(19|20)\d\d\b", entry.citation)


def test_names_are_unique_and_many():
    """No name occurs twice, and there are at least forty."""
    names = catalogue.list_catalogue_names()

    assert len(set(names)) == len(names) >= 40
    assert names == tuple(entry.name for entry in catalogue.list_catalogue_entries())


def test_no_entry_is_dropped_by_a_name_given_twice():
    """The file has as many entries as the catalogue."""
    from importlib import resources

    text = resources.files("algdim.models").joinpath("catalogue.toml").read_text(encoding="utf-8")

    assert text.count("[[model]]") == len(catalogue.list_catalogue_names())


def test_equal_models_say_so():
    """Two entries are equal models exactly where the later one's remark names the earlier."""
    first = {}
    for entry in catalogue.list_catalogue_entries():
        model = parse(entry.notation)
        said = re.fullmatch(r"The same model as ([a-z0-9-]+)\.", entry.remark)
        expected = said[1] if said else entry.name

        assert expected == first.setdefault(model, entry.name), entry.name


def test_remarks_name_entries():
    """An entry that a remark names as the same up to names exists."""
    said = [
        re.search(r"[Uu]p to names the model ([a-z0-9-]+)", entry.remark)
        for entry in catalogue.list_catalogue_entries()
    ]
    named = {one[1] for one in said if one is not None}

    assert named
    assert named <= set(catalogue.list_catalogue_names())


@pytest.mark.parametrize(("name", "notation"), PAPERS_MODELS.items())
def test_models_of_the_papers_open_by_name(name, notation):
    """The models whose structure the papers' texts give are in the catalogue."""
    assert parse(notation) == parse(name, catalogue.find_catalogue_notation)


@pytest.mark.parametrize("clause", ["share", "fix", "equal", "given"])
def test_every_kind_of_clause_is_shown(clause):
    """The catalogue has an example of every clause of the discrete family."""
    assert any(f"; {clause} " in entry.notation for entry in catalogue.list_catalogue_entries())


def test_what_is_not_there_is_not_found():
    """An unknown name gives None, whatever its form."""
    for name in ("", "no-such-model", "W-structure", "2:2,2", " w-structure"):
        assert catalogue.find(name) is None
        assert catalogue.find_catalogue_notation(name) is None


def test_entries_are_frozen():
    """An entry cannot be changed."""
    with pytest.raises(FrozenInstanceError):
        catalogue.find("verma").title = "another"
