"""The notation: reading, printing, and refusing."""

from __future__ import annotations

from fractions import Fraction

import pytest
from amount import in_turn, some
from hypothesis import given, settings
from hypothesis import strategies as st
from packages import ROOT
from strategies import latent_trees, networks

from algdim import InputError
from algdim.families import ARGUMENTS, ENTRIES, WORDS
from algdim.families.discrete.celltexts import parse_entry
from algdim.families.discrete.clauses import CLAUSE_READERS
from algdim.families.discrete.locals import CLAUSES
from algdim.families.discrete.locals.function import AtLeast, Maximum, Parity, StateSum
from algdim.families.discrete.locals.table import Table
from algdim.families.discrete.model import Network, Variable, build_latent_class
from algdim.families.gaussian.reading import GAUSSIAN
from algdim.models.notation import parse, to_text
from algdim.models.tokens import CLAUSE_WORDS
from algdim.models.values import MOST_VARIABLES, parse_fraction

BAD = [
    line.split(" ### ")
    for line in (ROOT / "tests" / "corpora" / "notation_bad.txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("# ")
]


def names(text):
    return [variable.name for variable in parse(text).variables]


def sizes(text):
    return [variable.states for variable in parse(text).variables]


@given(networks(deterministic=True))
@settings(max_examples=some(300))
def test_clauses_round_trip(model):
    """What is printed is read back as an equal record."""
    assert model == parse(to_text(model))


@given(networks(special=False, deterministic=True))
@settings(max_examples=some(100))
def test_printing_is_stable(model):
    """Printing what was read from print gives the same text."""
    assert to_text(model) == to_text(parse(to_text(model)))


@pytest.mark.parametrize(
    "text",
    [
        "A -> B -> C -> D; U -> B, D; hidden U",
        "A -> C <- H -> D <- B; hidden H",
        "Z -> X -> Y; U -> X, Y; hidden U; given Z",
        "X1 -> X2 -> X3 -> X4; H -> X1, X3; G -> X2, X4; hidden H, G",
    ],
)
def test_usual_forms_are_printed_as_they_are_written(text):
    """Chains first, then common causes; no clause of states only for the order of the variables."""
    assert text == to_text(parse(text))


@given(latent_trees())
@settings(max_examples=some(200))
def test_trees_round_trip(text):
    """A tree prints in the sizes form and is read back as an equal record."""
    printed = to_text(parse(text))

    assert "->" not in printed
    assert parse(text) == parse(printed)


@given(st.text(max_size=40) | st.text(alphabet="AB12 ->;:,()=^!hiden{}|/P", max_size=40))
@settings(max_examples=some(300))
def test_any_text_is_read_or_refused(text):
    """Whatever the text, the answer is a model or an InputError."""
    try:
        model = parse(text)
    except InputError:
        return

    assert isinstance(model, Network)


@pytest.mark.parametrize(
    ("text", "states"),
    [
        ("4:3,3,3", [4, 3, 3, 3]),
        ("4:2^8", [4] + [2] * 8),
        ("5:3^2,2", [5, 3, 3, 2]),
        (" 1 : 2 , 2 ", [1, 2, 2]),
        ("5(2,3(2,2),3(2,2))", [5, 2, 3, 2, 2, 3, 2, 2]),
        ("3(2^2,!2(3))", [3, 2, 2, 2, 3]),
    ],
)
def test_sizes_in_reading_order(text, states):
    """Numbers of states stand in reading order."""
    assert states == sizes(text)


def test_names_of_a_latent_class():
    """The hidden variable is H, the items are X1, X2, …"""
    assert ["H", "X1", "X2", "X3"] == names("4:3,3,3")
    assert parse("4(3,3,3)") == parse("4:3,3,3") == build_latent_class(4, [3, 3, 3])


def test_names_of_a_tree():
    """Hidden variables are H1, H2, …, leaves and observed inner nodes X1, X2, … in reading order."""
    assert ["H1", "X1", "H2", "X2", "X3", "H3", "X4", "X5"] == names("5(2,3(2,2),3(2,2))")
    assert ["H1", "X1", "X2", "X3", "H2", "X4", "X5"] == names("3(2,!2(2,4(2)),2)")


def test_an_observed_inner_node_is_observed():
    """The ! makes an inner node observed; a tree with one is no latent class model."""
    model = parse("3(2,!4(2))")

    assert ["H1", "X1", "X2", "X3"] == [variable.name for variable in model.variables]
    assert [False, True, True, True] == [variable.observed for variable in model.variables]
    assert (("H1", "X1"), ("H1", "X2"), ("X2", "X3")) == model.edges
    assert "3(2,!4(2))" == to_text(model)


@pytest.mark.parametrize(
    "text",
    [
        "3:2,2,2,2",
        "10:2^60",
        "3:2^5,3",
        "3:2,2,2,2,3",
        "5(2,3(2,2),3(2,2))",
        "2(!2(2,2(2,2)),2^5)",
        "A -> B; hidden A",
        "A -> B -> C",
        "A -> B <- C; hidden B",
        "A -> C <- H -> D <- B; hidden H",
        "X <- H; hidden H",
        "A, B -> C, D",
        "A -> B, C -> D",
        "A -> B; states A=3",
        "states A=2",
        "states A=2, B=2; B -> A",
        "A -> C; B -> C; states D=2",
        "A -> B; given A",
        "A, B -> D; max D",
        "A -> B; states A=3; max B",
        "A, B -> C, D, E; at-least 1 C; at-least 2 D, E; hidden A",
        "B <- A; A -> C; parity B; given A",
        "H -> X1, X2; hidden H; share x: X1, X2; fix P(X1=1|H=0)=1/3; equal a = P(X1=1|H=1)",
    ],
)
def test_texts_keep_their_meaning_in_print(text):
    """Printing keeps the model."""
    assert parse(text) == parse(to_text(parse(text)))


@pytest.mark.parametrize(
    "text",
    [
        "3:2,2,2,2",
        "10:2^60",
        "3:2^5,3",
        "3(2,!2(2^5),2(2,2))",
        "A -> B <- C; hidden A",
        "A, B -> C, D",
        "X <- H; hidden H",
        "A, B -> D; max D",
        "A, B -> D -> E; hidden D; states A=3; sum D; fix P(E=0|D=3)=1/3",
        "A, B, C -> D, E, F; at-least 2 D, F; parity E",
    ],
)
def test_canonical_texts_print_as_they_are(text):
    """A text in the printer's own form comes back unchanged."""
    assert text == to_text(parse(text))


def test_order_of_first_mention():
    """Variables stand in the order in which the text first mentions them."""
    assert ["B", "A", "C"] == names("B <- A; C <- A")
    assert ["H", "A"] == names("hidden H; A <- H")


def test_parents_in_the_order_of_the_edges():
    """The parents of a variable are ordered as its edges are listed."""
    assert ("C", "A", "B") == parse("C -> D; A -> D <- B").variables[1].parents


def test_lists_are_products():
    """Lists beside an arrow are a product."""
    assert {("A", "B"), ("A", "C"), ("B", "D"), ("C", "D")} == set(parse("A -> B, C -> D").edges)


def test_entries_name_parents_in_any_order():
    """An entry may name its parents in any order; the record has the order of the edges."""
    expected = Table(fixed=((((0, 1), 2), Fraction(1, 3)),))

    assert expected == parse("A, B -> C; states C=3; fix P(C=2|B=1, A=0)=1/3").variables[2].local


def test_entries_of_a_share_hold_for_all_members():
    """An entry named at one member of a share holds for the others."""
    x1, x2 = parse("H -> X1, X2; hidden H; share x: X1, X2; fix P(X1=1|H=0)=0; equal a = P(X2=1|H=1)").variables[1:]

    assert x1.local == x2.local == Table("x", ((((0,), 1), Fraction(0)),), ((((1,), 1), "a"),))


def test_equal_clauses_of_one_name_are_joined():
    """Entries with the same name are equal, also across clauses."""
    model = parse("H -> X, Y; equal a = P(X=1|H=0); equal a = P(Y=1|H=0)")

    assert ["a", "a"] == [variable.local.equal[0][1] for variable in model.variables[1:]]


@pytest.mark.parametrize(
    ("text", "value"), [("1/3", Fraction(1, 3)), ("0.25", Fraction(1, 4)), ("0", Fraction(0)), ("2/4", Fraction(1, 2))]
)
def test_values_are_read_exactly(text, value):
    """Fractions, integers and decimals are exact."""
    assert value == parse_fraction(text)
    assert value == parse(f"A -> B; fix P(A=1)={text}").variables[0].local.fixed[0][1]


@pytest.mark.parametrize(("text", "message"), BAD)
def test_bad_texts_are_refused(text, message):
    """Each text of the corpus is refused with the message that stands beside it."""
    with pytest.raises(InputError) as caught:
        parse(text.replace("\\n", "\n"))

    assert message in str(caught.value)


def test_the_corpus_is_large():
    """The corpus of bad texts has at least sixty."""
    assert len(BAD) >= 60
    assert all(len(pair) == 2 for pair in BAD)


def test_errors_point_at_the_position():
    """The caret stands under the offending token, in its own line of a longer text."""
    with pytest.raises(InputError) as caught:
        parse("A -> B;\nC -> hidden")

    first, shown, caret = str(caught.value).splitlines()
    assert first.startswith("line 2, column 6:")
    assert "hidden" == shown[caret.index("^") :]


def test_every_clause_word_is_read():
    """The words that cannot be names are those that begin a clause."""
    assert set(CLAUSE_WORDS) == {*CLAUSE_READERS, "means"}
    assert {"hidden", "states"} == {*CLAUSE_WORDS} - {*CLAUSES} - {word for one in ENTRIES for word in one.clauses}
    for one in ENTRIES:
        readers = CLAUSE_READERS if one.folder == "discrete" else GAUSSIAN.readers
        assert {*one.clauses} <= {*readers}


@pytest.mark.parametrize(
    ("clause", "rule", "states"),
    [("max D", Maximum(), 3), ("sum D", StateSum(), 4), ("states D=4; sum D", StateSum(), 4)],
)
def test_rules(clause, rule, states):
    """A rule makes a variable a function of its parents and gives it its number of states."""
    d = parse(f"A, B -> D; states B=3; {clause}").variables[2]

    assert (rule, states) == (d.local, d.states)


def test_rules_of_binary_parents():
    """Parity and at-least N give two states; a clause may name several variables."""
    c, d, e = parse("A, B -> C, D, E; parity C; at-least 2 D, E").variables[2:]

    assert (Parity(), AtLeast(2), AtLeast(2)) == (c.local, d.local, e.local)
    assert [2, 2, 2] == [c.states, d.states, e.states]


def test_rules_may_stand_on_rules():
    """The states that a rule gives count for the next one, wherever the clauses stand."""
    model = parse("max E; sum C; C -> E; A, B -> C; states A=3")

    assert {"A": 3, "B": 2, "C": 4, "E": 4} == dict(sorted(model.states.items()))


def test_rules_are_no_family_words():
    """A word before a colon at the beginning is the family, without a colon it is the clause."""
    assert Maximum() == parse("max D; A, B -> D").variables[0].local
    assert AtLeast(2) == parse("at-least 2 D; A, B -> D").variables[0].local
    assert AtLeast(1) == parse("discrete: at-least 1 D; A, B -> D").variables[0].local


def test_every_family_word_is_available():
    """What the words of the notation promise can be read."""
    assert ARGUMENTS.keys() == WORDS.keys()


def test_the_default_family_may_be_named():
    """The word discrete changes nothing."""
    assert parse("A -> B") == parse("discrete: A -> B")


def test_a_share_is_no_family_word():
    """A colon that is not after a family word belongs to a share, whatever the share is called."""
    assert "gaussian" == parse("share gaussian: A, B; A, B -> C").variables[0].local.share


def test_catalogue_names_are_resolved():
    """A name of the catalogue, mapping or function, opens the model."""
    assert parse("2:2,2") == parse("toy", {"toy": "2:2,2"}) == parse(" toy ", {"toy": "2:2,2"}.get)


@in_turn(2)
def test_deep_nesting_is_read():
    """Nesting has no bound but the size."""
    text = "2(" * 5000 + "2" + ")" * 5000

    assert 5001 == len(parse(text).variables)
    assert text == to_text(parse(text))


def test_deep_nesting_that_is_not_closed_is_refused():
    """An open parenthesis is named."""
    with pytest.raises(InputError, match="the parenthesis at position 10000 is open"):
        parse("2(" * 5000 + "2")


def test_large_texts_are_refused():
    """Text beyond the limit is refused unread."""
    with pytest.raises(InputError, match="at most 1000000"):
        parse("A" * 1_000_001)


def test_large_models_are_refused_before_they_are_built():
    """More variables or edges than allowed are refused."""
    with pytest.raises(InputError, match=f"at most {MOST_VARIABLES}"):
        parse(f"2:2^{MOST_VARIABLES}")
    with pytest.raises(InputError, match=f"at most {MOST_VARIABLES}"):
        parse("2(2^60000,2^60000)")
    many = ", ".join(f"A{i}" for i in range(2000))
    with pytest.raises(InputError, match="edges"):
        parse(f"{many} -> {many.replace('A', 'B')}")


def test_names_that_the_notation_lacks_are_refused_in_print():
    """A variable whose name cannot be read back is not printed."""
    with pytest.raises(InputError, match="is not a name"):
        to_text(Network((Variable("a b"),)))
    with pytest.raises(InputError, match="clause word"):
        to_text(Network((Variable("hidden"),)))
    with pytest.raises(InputError, match="is not a name"):
        to_text(Network((Variable("A", local=Table(share="a b")),)))


def test_parse_entry_reads_one_entry():
    """An entry alone is read, and nothing may follow it."""
    assert ("C", 0, (("A", 0), ("B", 1)), 0) == parse_entry("P(C=0|A=0,B=1)")
    with pytest.raises(InputError, match="the end of the entry"):
        parse_entry("P(C=0)=1")


def test_values_that_are_read_are_printed():
    """A value of thousands of digits is read and printed; one beyond the limit is refused on both ways."""
    text = f"A -> B; fix P(A=1)=1/{10**3900 + 1}"

    assert parse(text) == parse(to_text(parse(text)))
    with pytest.raises(InputError, match="at most 4000"):
        parse(f"A -> B; fix P(A=1)=1/{'3' * 4000}")
    with pytest.raises(InputError, match="more than 4000 digits"):
        to_text(Network((Variable("A", local=Table(fixed=((((), 1), Fraction(1, 10**5000)),))),)))


def test_sums_of_many_digits_are_refused_in_short():
    """A wrong sum with thousands of digits is told approximately."""
    with pytest.raises(InputError, match="sums to about"):
        parse(f"states A=2; fix P(A=0)=1/{10**3900 + 1}, P(A=1)=1/{10**3900 + 3}")


@pytest.mark.parametrize("text", ["1 -> 2 -> 3", "gaussian: 1 -> 2; 1 <-> 2", "  2 <- 1; hidden 1", "sigmoid: 1 -> 2"])
def test_graphs_whose_vertices_are_numbers(text):
    """The message says how names begin, not how latent classes are written."""
    with pytest.raises(InputError, match="names begin with a letter: write X1 -> X2, not 1 -> 2"):
        parse(text)


@pytest.mark.parametrize(
    "text",
    [
        "loglinear: {{A,A}}, {{{}}}",
        "max-poisson: {{H}},{{H}},{{{}}} -> E; hidden H",
        "classifier Z: Y -> {}",
        "gaussian: X -> {}; fix v(X)=-1",
    ],
)
def test_errors_about_all_of_a_text_show_its_beginning(text):
    """The same in every family: 200 characters, and a sign that there are more."""
    long = text.format(",".join(f"Variable{number}" for number in range(50)))
    with pytest.raises(InputError) as error:
        parse(long)

    assert f"{error.value}".endswith(f"\n  in: {long[:200]}…")
