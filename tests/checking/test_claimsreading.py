"""Files of claims: what is claimed, with its line, and errors that name it."""

from __future__ import annotations

from fractions import Fraction

import pytest

from algdim.checking import reading
from algdim.checking.claims import COUNTS, QUANTITIES, find_quantity, parse_printed
from algdim.checking.reading import TEMPLATES, read_claims, read_given_claims
from algdim.errors import InputError, LimitError


def write(folder, name, text):
    """The path of a file with this text."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("form", "suffix", "count"),
    [("csv", ".csv", 4), ("toml", ".toml", 5), ("markdown", ".md", 6), ("latex", ".tex", 4)],
)
def test_templates_are_read(tmp_path, form, suffix, count):
    """What `--template` prints are claims."""
    found = read_claims(write(tmp_path, f"claims{suffix}", TEMPLATES[form]))

    assert count == len(found.claims)
    assert {"3:2,2,2,2"} < {claim.source.text for claim in found.claims}
    assert list(range(1, count + 1)) == [claim.number for claim in found.claims]


def test_every_quantity_has_one_name():
    """No two quantities share a name, and each is found by its own."""
    assert [*QUANTITIES] == [find_quantity(name) for name in QUANTITIES]
    words = [word for others in COUNTS.values() for word in others.split(", ")]
    assert len(words) == len(set(words))


@pytest.mark.parametrize(
    ("text", "value", "relation"),
    [
        ("13", 13, "="),
        ("−1", -1, "="),
        ("≤ 13", 13, "≤"),
        (">= 1,234", 1234, "≥"),
        ("13†", 13, "="),
        ("< 5", 5, "<"),
        ("12–14", 12, "…"),
        ("12 to 14", 12, "…"),
        ("1\u202f234", 1234, "="),
    ],
)
def test_printed_numbers(text, value, relation):
    """With relations, marks of footnotes and separators."""
    found = parse_printed(text, "df", "line 1")

    assert (Fraction(value), relation) == (found.value, found.relation)


@pytest.mark.parametrize(
    "text",
    [
        "13.5",
        "13 15",
        "1–",
        "about 13",
        "13^2",
        "1234,567",
        "13%",
        "~13",
        "13 140",
        "yes",
        "1e3",
        "13 14",
        "__import__('os')",
    ],
)
def test_printed_words_that_are_no_integers(text):
    """An error with the line, whatever stands there."""
    with pytest.raises(InputError, match="line 3: dimension is"):
        parse_printed(text, "dimension", "line 3")


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("a.csv", "model,colour\n2:2,red\n", "the column 'colour' is not known"),
        ("a.csv", "colour\nred\n", "has no column `model`"),
        ("a.csv", "model,label\n2:2,a\n", "nothing is claimed"),
        ("a.csv", "model,dimension,df,dimension\n2:2,1,1,1\n", "two columns are dimension"),
        ("a.csv", "model,printed,df\n2:2,1,1\n", "exclude each other"),
        ("a.csv", "model,quantity\n2:2,df\n", "needs a column `printed`"),
        ("a.csv", "model,quantity,printed\n2:2,size,3\n", "line 2: there is no quantity 'size'"),
        ("a.csv", "model,dimension\n2:2,2,3\n", "line 2 has 3 cells"),
        ("a.csv", "model,dimension\n,3\n", "line 2: the column `model` is empty"),
        ("a.csv", "model,quantity,printed\n2:2,nested,yes\n", "needs in: the model"),
        ("a.csv", "model,printed,in\n2:2,1,3:2\n", "in belongs to claims about nested"),
        ("a.csv", 'model,dimension\n"2:2,3\n', "not valid CSV"),
        ("a.csv", "", "there are no claims"),
        ("a.toml", "[[claim]]\nmodel = '2:2'\n", "line 1: printed is missing"),
        ("a.toml", "\n[[claim]]\nmodel = '2:2'\nprinted = {}\n", "line 2: printed is empty"),
        ("a.toml", "[[claim]]\nmodel = '2:2'\nprinted = [1]\n", "line 1: printed is an integer"),
        ("a.toml", "[[claim]]\nmodel = '2:2'\nprinted = 1\ncolour = 'red'\n", "line 1"),
        ("a.toml", "claim = 3\n", "there is no claim"),
        ("a.md", "nothing\n", "there are no claims"),
        ("a.doc", "nothing\n", "claims are read from files that end in"),
    ],
)
def test_errors_name_the_place(tmp_path, name, text, words):
    """Every mistake is said with its line, before anything is computed."""
    with pytest.raises(InputError) as error:
        read_claims(write(tmp_path, name, text))
    assert words in str(error.value)


def test_columns_can_be_named(tmp_path):
    """By the option for all tables, a dash for what is left out."""
    path = write(tmp_path, "a.csv", "name,colour,size\n2:2,red,1\n")

    [claim] = read_claims(path, ["model", "-", "dimension"]).claims
    assert ("2:2", "dimension", 1) == (claim.source.text, claim.quantity, claim.printed.value)
    with pytest.raises(InputError, match="2 names for 3 columns"):
        read_claims(path, ["model", "dimension"])


def test_tables_without_models_are_named(tmp_path):
    """They are no error, and are not passed over in silence."""
    found = read_claims(write(tmp_path, "a.md", "|a|b|\n|-|-|\n|1|2|\n\n|model|df|\n|-|-|\n|2:2|0|\n"))

    assert 1 == len(found.claims)
    assert ("not read: the table at line 1, which has no column `model` (a, b)",) == found.notes


def test_empty_cells_claim_nothing(tmp_path):
    """Nor do dashes."""
    found = read_claims(write(tmp_path, "a.csv", "model,dimension,df\n2:2,1,\n2:2,—,0\n"))

    assert [("line 2", "dimension"), ("line 3", "df")] == [(one.source.place, one.quantity) for one in found.claims]


def test_files_are_beside_the_claims(tmp_path):
    """Models, parameters and data."""
    path = write(tmp_path, "a.csv", "model,quantity,printed,at\nmodel.json,rank,3,point.json\n")
    [claim] = read_claims(path).claims

    assert (str(tmp_path / "model.json"), str(tmp_path / "point.json")) == (claim.source.text, claim.at)


def test_sizes_are_bounded(tmp_path):
    """A cell, and the number of claims."""
    with pytest.raises(LimitError, match="characters"):
        read_claims(write(tmp_path, "a.csv", f"model,dimension\n{'A' * 30_000},3\n"))
    with pytest.raises(LimitError, match="10000 claims"):
        read_given_claims([{"model": "2:2", "printed": 1}] * 10_001)


PAPERS_FORM = """
paper = "SOME"

[words]
dc = "complete"

[[claim]]
id = "SOME-1"
place = "Table 1"
statement = "Of a latent class model."
model = "4:3,3,3"
printed = { dimension = 25, standard = 27, pairwise_bound = "dc" }
verdict = "confirmed"

[[claim]]
id = "SOME-2"
place = "§2"
statement = "For all n."
model = "2:2^{n}"
for = "n = 3…5"
quantity = "dimension"
printed = "1 + 2n"
lemma = "the lemma Kruskal"
lemmas = ["Kruskal"]
verdict = "proved-conjecture"

[[claim]]
id = "SOME-3"
place = "§3"
statement = "In words."
model = "H -> X; hidden H"
quantity = "dimension"
printed = "only one"
means = 1
verdict = "confirmed"

[[claim]]
id = "SOME-4"
place = "§4"
statement = "A formula."
check = "of-its-own"
printed = "1 + 1 = 3"
verdict = "refuted"
"""


def test_the_form_of_the_papers(tmp_path):
    """Words that stand for numbers and quantities; of a claim for all n its cases; what is no model is named."""
    found = read_claims(write(tmp_path, "a.toml", PAPERS_FORM))
    said = [(one.source.label, one.quantity, one.printed.text, one.same_as) for one in found.claims]

    assert [
        ("SOME-1", "dimension", "25", ""),
        ("SOME-1", "parameters", "27", ""),
        ("SOME-1", "pairwise_bound", "dc", "saturated"),
    ] == said[:3]
    assert [7, 9, 11] == [one.printed.value for one in found.claims[3:6]]
    assert ("only one", 1) == (found.claims[-1].printed.text, found.claims[-1].printed.value)
    assert 2 == len(found.notes)
    assert "no others" in found.notes[0]
    assert "SOME-4" in found.notes[1]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('dc = "complete"', "dc = 1.5", "a printed word stands for"),
        ('dc = "complete"', 'dc = "identifiable"', "a printed word stands for"),
        ("n = 3…5", "n = 3…9999", "at most 200 cases"),
        ("1 + 2n", "2^n", "at most 200 cases"),
        ("2:2^{n}", "2:2^3", "at most 200 cases"),
    ],
)
def test_errors_of_the_form_of_the_papers(tmp_path, old, new, words):
    """In words, with what is allowed."""
    with pytest.raises(InputError, match=words):
        read_claims(write(tmp_path, "a.toml", PAPERS_FORM.replace(old, new)))


def test_a_table_of_too_many_cells_is_not_kept(tmp_path, monkeypatch):
    """It is refused while it is read, whatever its rows say."""
    monkeypatch.setattr(reading, "MOST_CELLS", 9)
    path = tmp_path / "claims.csv"
    path.write_text("model,dimension\n" + '"2:2,2",3\n' * 3, encoding="utf-8")
    assert 3 == len(read_claims(str(path)).claims)  # with the heads eight cells
    path.write_text("model,dimension\n" + '"2:2,2",3\n' * 4, encoding="utf-8")
    with pytest.raises(LimitError, match="more than 9 cells, which is the limit"):
        read_claims(str(path))


@pytest.mark.parametrize("printed", ["13", '"13"', '"≤ 13"', '"12–14"', '"13*"', "true", '"—"'])
def test_a_value_has_no_other_meaning(printed, tmp_path):
    """Else a printed 13 that means 14 is refuted by a computed 13, and a range is left out in silence."""
    quantity = "identifiable" if printed == "true" else "dimension"
    claim = f'[[claim]]\nmodel = "3:2,2,2,2"\nquantity = "{quantity}"\nprinted = {printed}\n'
    word = printed.strip('"') if printed != "true" else "yes"

    with pytest.raises(InputError, match="for printed words only"):
        read_claims(write(tmp_path, "a.toml", f"{claim}means = 14\n"))
    with pytest.raises(InputError, match="for printed words only"):
        read_claims(write(tmp_path, "b.toml", f'[words]\n"{word}" = 14\n{claim}'))
