"""The form of the claims, and the claims themselves."""

import copy
import re
import tomllib
from dataclasses import FrozenInstanceError
from importlib import resources

import pytest
from hypothesis import given
from hypothesis import strategies as st

import algdim
from algdim import InputError
from algdim_papers.claims import reading

CLAIMS = reading.list_claims()

GOOD = """
paper = "KZ02"

[words]
dc = "complete"

[[claim]]
id = "KZ02-T1-2-2-2"
place = "Table 1, row 2:2,2"
statement = "de and dp."
model = "2:2,2"
printed = { dimension = 3, pairwise_bound = "dc" }
verdict = "confirmed"

[[claim]]
id = "KZ02-1-barren"
place = "§1"
statement = "The parameters of X do not matter."
model = "O -> X; hidden X"
quantity = "redundant"
printed = "all of P(X|O)"
means = 2
verdict = "confirmed"
note = "Two states each."

[[claim]]
id = "KZ02-9-lost"
place = "§9"
statement = "A figure that is lost."
printed = 7
verdict = "undecidable-from-text"
note = "The figure is lost."
"""

ONE = """
paper = "GHM96"
[[claim]]
id = "GHM96-5-w-2"
place = "§5"
statement = "The W structure has dimension 9."
model = "A -> C <- H -> D <- B; hidden H"
quantity = "dimension"
printed = 9
verdict = "confirmed"
"""

# what is replaced by what in ONE, and the words that the message has to have
GENERAL = """
paper = "GHM96"
[[claim]]
id = "GHM96-5-conjecture"
place = "§5"
statement = "The regular rank is 1 + 2n for all n > 2."
model = "2:2^{n}"
for = "n = 3…5"
quantity = "dimension"
printed = "1 + 2n"
verdict = "proved-conjecture"
lemma = "a lemma"
lemmas = ["Kruskal"]
"""

MUST_FAIL_GENERAL = {
    "no for": ('for = "n = 3…5"', "", "give all four"),
    "no lemma": ('lemma = "a lemma"', "", "give all four"),
    "no lemmas": ('lemmas = ["Kruskal"]', "", "give all four"),
    "a lemma that is not there": ('["Kruskal"]', '["Kruskal", "Fermat"]', "lemmas has 'Fermat'"),
    "lemmas as text": ('["Kruskal"]', '"Kruskal"', "a list of one name or more"),
    "an empty list of lemmas": ('["Kruskal"]', "[]", "a list of one name or more"),
    "lemmas by number": ('["Kruskal"]', "[17]", "a list of one name or more"),
    "a lemma twice": ('["Kruskal"]', '["Kruskal", "Kruskal"]', "each name is allowed once"),
    "no n in the model": ("2:2^{n}", "2:2^3", "give all four"),
    "no range": ("n = 3…5", "n > 2", "'n > 2'"),
    "an empty range": ("n = 3…5", "n = 5…3", "n = 3…40"),
    "a long range": ("n = 3…5", "n = 3…4000", "at most 200"),
    "a number printed": ('"1 + 2n"', "7", "prints a formula"),
    "words printed": ('"1 + 2n"', '"the number of parameters"', "prints a formula"),
    "a table printed": ('"1 + 2n"', '{ dimension = "1 + 2n" }', "for and a table"),
    "means": ("lemma", "means = 7\nlemma", "has no means"),
    "a verdict in a reading": (
        '"proved-conjecture"',
        '"refuted-in-the-only-reading"\nnote = "n"',
        "one of the verdicts",
    ),
    "an undecidable one": ('"proved-conjecture"', '"undecidable-from-text"\nnote = "n"', "one of the verdicts"),
}

CHECKED = """
paper = "GHM96"
[[claim]]
id = "GHM96-3-x"
place = "§3"
statement = "A statement."
check = "distinct-rows"
arguments = [3]
printed = "a formula"
verdict = "confirmed"
"""

MUST_FAIL_CHECKED = {
    "a model beside it": ("check", 'model = "2:2"\ncheck', "model and a check"),
    "arguments alone": (
        'check = "distinct-rows"',
        'model = "2:2"\nquantity = "dimension"',
        "arguments are those of a check",
    ),
    "arguments no list": ("[3]", "3", "a list of integers from 0 and texts"),
    "arguments with a truth value": ("[3]", "[true]", "a list of integers from 0 and texts"),
    "no text": ('"distinct-rows"', "3", "check is 3"),
    "refuted without a note": ('"confirmed"', '"refuted"', "needs a note"),
}

MUST_FAIL = {
    "not TOML": ("printed = 9", "printed = ", ["not TOML"]),
    "unknown paper": ('"GHM96"', '"GHM97"', ["'GHM97'", "KZ02"]),
    "no paper": ('paper = "GHM96"', "", ["paper is None", "KZ02"]),
    "unknown file key": ('paper = "GHM96"', 'paper = "GHM96"\nauthor = "x"', ["'author'", "words"]),
    "no claims": (ONE[ONE.index("[[") :], "", ["no claim", "[[claim]]"]),
    "claim is no list": ("[[claim]]", "[claim]", ["no claim", "[[claim]]"]),
    "unknown key": ("printed = 9", 'printed = 9\nprinetd = "x"', ["GHM96-5-w-2", "'prinetd'", "printed"]),
    "no id": ('id = "GHM96-5-w-2"', "", ["claim number 1", "id is missing"]),
    "no place": ('place = "§5"', "", ["GHM96-5-w-2", "place is missing"]),
    "no printed": ("printed = 9", "", ["printed is missing"]),
    "no model": ('model = "A -> C <- H -> D <- B; hidden H"', "", ["model is missing", "undecidable-from-text"]),
    "no quantity": ('quantity = "dimension"', "", ["quantity is missing"]),
    "unknown quantity": ('"dimension"', '"dimensoin"', ["'dimensoin'", "best_bound"]),
    "unknown verdict": ('"confirmed"', '"true"', ["'true'", "refuted"]),
    "verdict without note": ('"confirmed"', '"refuted"', ["refuted needs a note"]),
    "id of another paper": ('"GHM96-5-w-2"', '"KZ02-5-w-2"', ["begins with GHM96-"]),
    "id with a blank": ('"GHM96-5-w-2"', '"GHM96-5 w"', ["hyphens"]),
    "id without a word": ('"GHM96-5-w-2"', '"GHM96-"', ["hyphens"]),
    "empty statement": ('"The W structure has dimension 9."', '" "', ["statement is ' '", "text"]),
    "number for text": ('place = "§5"', "place = 5", ["place is 5", "text"]),
    "negative": ("printed = 9", "printed = -9", ["printed is -9", "integer"]),
    "fraction": ("printed = 9", "printed = 9.0", ["printed is 9.0", "integer"]),
    "truth value": ("printed = 9", "printed = true", ["printed is True", "integer"]),
    "words without meaning": ("printed = 9", 'printed = "nine"', ["'nine'", "means None"]),
    "meaning beside a number": ("printed = 9", "printed = 9\nmeans = 9", ["printed words only"]),
    "meaning is no quantity": ("printed = 9", 'printed = "nine"\nmeans = "nine"', ["means 'nine'", "dimension"]),
    "word without meaning": ('paper = "GHM96"', 'paper = "GHM96"\n[words]\nnine = "IX"', ["[words]", "dimension"]),
    "quantity beside a table": ("printed = 9", "printed = { dimension = 9 }", ["quantity and a table"]),
    "empty table": ('quantity = "dimension"\nprinted = 9', "printed = {}", ["empty table", "dimension"]),
    "table of unknown quantity": (
        'quantity = "dimension"\nprinted = 9',
        "printed = { de = 9 }",
        ["printed de", "'de'", "dimension"],
    ),
    "id twice": ("[[claim]]", ONE[ONE.index("[[") :] + "[[claim]]", ["GHM96-5-w-2 occurs twice"]),
}


@pytest.mark.parametrize("case", MUST_FAIL)
def test_what_is_wrong_is_refused_with_its_place(case):
    """A wrong file is an input error that names the file, the place and what is allowed."""
    old, new, words = MUST_FAIL[case]
    assert old in ONE
    with pytest.raises(InputError) as caught:
        reading.read(ONE.replace(old, new, 1), "some.toml")

    for word in ["some.toml", *words]:
        assert word in str(caught.value)


@pytest.mark.parametrize("case", MUST_FAIL_CHECKED)
def test_what_is_wrong_in_a_claim_with_a_check_is_refused(case):
    """A check stands instead of a model and a quantity, with a list of arguments."""
    old, new, words = MUST_FAIL_CHECKED[case]
    assert old in CHECKED
    with pytest.raises(InputError, match=re.escape(words)):
        reading.read(CHECKED.replace(old, new, 1), "some.toml")


def test_a_claim_with_a_check_is_read():
    """It has the name and the arguments, and neither model nor quantity."""
    (claim,) = reading.read(CHECKED, "some.toml")

    assert ("distinct-rows", (3,), "", "") == (claim.check, claim.arguments, claim.model, claim.quantity)
    assert ("a formula", (claim,)) == (claim.printed, claim.instances)


def test_a_single_claim_is_read():
    """A claim has what the file says, and empty text for what it does not say."""
    (claim,) = reading.read(ONE, "some.toml")

    assert ("GHM96-5-w-2", "GHM96", "§5") == (claim.id, claim.paper, claim.place)
    assert ("dimension", 9, 9) == (claim.quantity, claim.printed, claim.means)
    assert ("confirmed", "") == (claim.verdict, claim.note)


def test_a_table_of_printed_values_is_one_claim_each():
    """A row of a table becomes a claim per quantity, and a printed word gets its meaning."""
    dimension, pairwise, barren, lost = reading.read(GOOD, "some.toml")

    assert ("KZ02-T1-2-2-2-dimension", 3, 3) == (dimension.id, dimension.printed, dimension.means)
    assert ("KZ02-T1-2-2-2-pairwise-bound", "dc", "complete") == (pairwise.id, pairwise.printed, pairwise.means)
    assert ("all of P(X|O)", 2) == (barren.printed, barren.means)
    assert ("", "", 7) == (lost.model, lost.quantity, lost.printed)


@pytest.mark.parametrize("case", MUST_FAIL_GENERAL)
def test_what_is_wrong_in_a_claim_for_all_n_is_refused(case):
    """A claim for all n has a model with n, a formula, a range and a lemma, or is an input error."""
    old, new, words = MUST_FAIL_GENERAL[case]
    assert old in GENERAL
    text = GENERAL.replace(old, new, 1)
    if new.startswith("{"):
        text = text.replace('quantity = "dimension"', "")
    with pytest.raises(InputError) as caught:
        reading.read(text, "some.toml")

    assert "some.toml" in str(caught.value)
    assert words in str(caught.value)


def test_a_claim_for_all_n_has_one_instance_for_each_case():
    """The instances are claims about one model each, with the formula's value; other claims are their own instance."""
    (claim,) = reading.read(GENERAL, "some.toml")
    (single,) = reading.read(ONE, "some.toml")

    assert ("1 + 2n", (3, 4, 5), "a lemma", ("Kruskal",)) == (
        claim.printed,
        claim.cases,
        claim.lemma,
        claim.lemmas,
    )
    assert [("2:2^3", 7, ()), ("2:2^4", 9, ()), ("2:2^5", 11, ())] == [
        (instance.model, instance.means, instance.cases) for instance in claim.instances
    ]
    assert (single,) == single.instances


@given(st.data())
def test_any_change_of_a_value_is_read_or_refused(data):
    """Whatever stands in place of a value, the file is read or refused with an input error, nothing else."""
    table = copy.deepcopy(tomllib.loads(ONE)["claim"][0])
    key = data.draw(st.sampled_from([*table, "for", "lemma", "lemmas", "means", "note", "check", "arguments", "other"]))
    table[key] = data.draw(
        st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.lists(st.integers()))
        | st.dictionaries(st.sampled_from([*reading.QUANTITIES, "de"]), st.integers() | st.text(), max_size=3)
    )
    try:
        claims = reading.parse_claims(table, "GHM96", {}, "some.toml")
    except InputError as error:
        assert "some.toml" in str(error)  # noqa: PT017 - either outcome is right, a third is not
    else:
        assert claims


def test_papers_stand_in_their_order():
    """The papers that have claims are the five, in the order in which they are always listed."""
    assert ("GHM96", "HM97", "KZ02", "CH96", "MH97") == reading.list_papers()


def test_an_unknown_paper_is_refused_with_the_known_ones():
    """Asking for a paper without claims names those that have some."""
    with pytest.raises(InputError, match="there are of GHM96, HM97, KZ02"):
        reading.list_claims("XY00")


def test_ids_are_unique_over_all_papers():
    """No id occurs twice, and each claim is found by its id."""
    assert len(CLAIMS) == len({claim.id for claim in CLAIMS})
    assert CLAIMS[7] == reading.find(CLAIMS[7].id)
    assert reading.find("GHM96-0-none") is None


def test_claims_are_frozen():
    """A claim cannot be changed."""
    with pytest.raises(FrozenInstanceError):
        CLAIMS[0].verdict = "refuted"


def test_every_model_of_a_claim_is_read():
    """The notation reads the model of every claim."""
    for model in sorted({one.model for claim in CLAIMS for one in claim.instances if one.model}):
        assert algdim.model(model).variables, model


def test_table_1_is_complete():
    """KZ02's Table 1 has 21 rows of five numbers; dp is printed as dc in twelve rows."""
    rows = [claim for claim in CLAIMS if claim.id.startswith("KZ02-T1-")]

    assert 21 * 5 == len(rows)
    assert 12 == sum(claim.printed == "dc" for claim in rows)
    assert {"dc"} == {claim.printed for claim in rows if isinstance(claim.printed, str)}


def test_the_schema_tells_every_key_and_word():
    """SCHEMA.md names every key, quantity and verdict that is read."""
    text = resources.files("algdim_papers.claims").joinpath("SCHEMA.md").read_text(encoding="utf-8")
    for word in (*reading.REQUIRED, *reading.OPTIONAL, *reading.QUANTITIES, *reading.VERDICTS):
        assert f"`{word}`" in text


def test_the_example_in_the_schema_is_read():
    """The claims that SCHEMA.md shows stand in the files of their papers, word for word."""
    schema = resources.files("algdim_papers.claims").joinpath("SCHEMA.md").read_text(encoding="utf-8")
    data = resources.files("algdim_papers.claims").joinpath("kz02.toml").read_text(encoding="utf-8")
    row, formula = (part.split("```")[0] for part in schema.split("```toml\n")[1:])

    assert row in data
    assert formula in resources.files("algdim_papers.claims").joinpath("ghm96.toml").read_text(encoding="utf-8")
