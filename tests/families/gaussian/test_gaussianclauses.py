"""The family "gaussian" in the notation and in files."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from gaussian_strategies import gaussians
from hypothesis import given

import algdim
from algdim import InputError, dimension, model
from algdim.explanation.printing import print_map
from algdim.families.gaussian.map import get_gaussian_map
from algdim.families.gaussian.reading import read_parameters
from algdim.models.anymodel import convert_model_to_dictionary, read_model_dictionary, remove_irrelevant
from algdim.models.notation import to_text
from algdim.models.values import read_signed_value


@given(gaussians(max_variables=6))
def test_text_and_file_are_read_back(record):
    """Printing and reading gives an equal record, with everything in its order; JSON too."""
    assert record == algdim.model(to_text(record))
    assert record == read_model_dictionary(convert_model_to_dictionary(record))
    assert record == read_model_dictionary(json.loads(json.dumps(convert_model_to_dictionary(record))))


def test_everything_of_the_notation():
    """Chains of all arrows, hidden variables, fixed and equal numbers, no means."""
    found = algdim.model(
        "gaussian: A -> B <-> C; F -> B, C; hidden F; fix b(F->B)=-1/2, v(F)=1; equal l = v(B), v(C); means off"
    )

    assert ("A", "B", "C", "F") == tuple(variable.name for variable in found.variables)
    assert (("A", "B"), ("F", "B"), ("F", "C")) == found.edges
    assert (("B", "C"),) == found.bidirected
    assert ((("b", "F", "B"), Fraction(-1, 2)), (("v", "F"), Fraction(1))) == found.fixed
    assert ((("v", "B"), "l"), (("v", "C"), "l")) == found.equal
    assert not found.means


@pytest.mark.parametrize(
    "text",
    [
        "gaussian: A -> C <- H -> D <- B; hidden H",
        "gaussian: H -> X1, X2, X3, X4; hidden H",
        "gaussian: F, G -> X1, X2, X3; hidden F, G; means off",
        "gaussian: A -> B -> C -> A <-> B",
        "gaussian: A, B",
        "gaussian: A <-> B; fix c(A<->B)=1/2",
    ],
)
def test_short_forms(text):
    """These are printed as they are written."""
    assert text == to_text(algdim.model(text))


def test_a_list_of_names_introduces_variables():
    """A variable without edges, and another order than that of the edges."""
    assert ["B", "A", "C"] == [variable.name for variable in algdim.model("gaussian: B, A, C; A -> B").variables]


def test_a_covariance_may_be_named_from_either_side():
    """c(B<->A) is c(A<->B)."""
    assert ((("c", "A", "B"), Fraction(1)),) == algdim.model("gaussian: A <-> B; fix c(B<->A)=1").fixed


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("gaussian: A -> B; states A=3", "the clause 'states' does not belong to the family gaussian"),
        ("gaussian: A -> B; share s: A, B", "what groups have in common .* is expected, not 's'"),
        ("gaussian: A -> B; share loadings", "share says what groups have in common, and there are none"),
        ("gaussian: A -> B; given A", "'=' and the groups is expected"),
        ("gaussian: A -> B; given s = a", "two or more different ones are needed"),
        ("gaussian: A.a -> B.b; given s = a, b", "there is no|joins two groups"),
        ("gaussian: A -> B; given s = a, b; fix m(A.c)=0", "there is no variable A.c"),
        ("gaussian: A -> B; equal b(A->B) = 3", "there is no number on the right that varies"),
        ("gaussian: A -> B; equal b(A->B) = v(A) + v(A)", "a number occurs twice on the right"),
        ("gaussian: A -> B; equal b(A->B) = 2 v(C)", "there is no variable C"),
        ("gaussian: A -> B; equal b(A->B) = 2 *", "the character '\\*' has no meaning"),
        ("gaussian: A -> B -> A; equal b(A->B) = 2 - v(A)", "coefficients on a cycle can be fixed or equal"),
        ("gaussian: A -> B; equal m(A) = m(B); equal m(B) = v(A)", "is itself given by others"),
        ("gaussian: A -> B; fix v(A)=1; equal v(B) = -2 v(A)", "is -2; a variance is not negative"),
        ("gaussian: A -> B; max B", "the clause 'max' does not belong"),
        ("gaussian: A -> B; leak", "the clause 'leak' does not belong"),
        ("gaussian: A -> B; hidden C", "there is no variable C"),
        ("gaussian: A -> B; fix b(B->A)=1", r"the model has no number b\(B->A\)"),
        ("gaussian: A -> B; means off; fix m(A)=1", r"the model has no number m\(A\)"),
        ("gaussian: A -> B; fix v(A)=1, v(A)=2", "is fixed or named already"),
        ("gaussian: A -> B; fix v(A)=-1", "a variance is not negative"),
        ("gaussian: A -> B; fix P(A=1)=1", "a coefficient b"),
        ("gaussian: A -> B; fix v(A)=x", "a value"),
        ("gaussian: A -> B; equal l = v(A), m(B)", "not of the same kind"),
        ("gaussian: A -> A", "from A to itself"),
        ("gaussian: A -> B; A -> B", "occurs twice"),
        ("gaussian: A -> B; hidden A, B", "all variables are latent"),
        ("gaussian: A B", "an arrow"),
        ("gaussian: hiden F", "did you mean the clause word 'hidden'"),
        ("gaussian: 3:2,2", "takes no family word"),
    ],
)
def test_bad_texts_are_refused(text, message):
    """Each message says what is wrong."""
    with pytest.raises(InputError, match=message):
        algdim.model(text)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"states": 2}, "unknown key 'states'"),
        ({"means": "off"}, "true or false"),
        ({"edges": [["A"]]}, "a pair of names"),
        ({"edges": "A->B"}, "a list such as"),
        ({"variables": [{"name": "A", "states": 2}]}, "unknown key 'states'"),
        ({"variables": None}, "is missing"),
        ({"variables": [{}]}, r"variables\[0\].name is missing"),
        ({"variables": [{"name": "A", "observed": 1}]}, "true or false"),
        ({"fixed": {"b(B->A)": 1}}, "the model has no number"),
        ({"fixed": {"v(A)": "x"}}, "is not a value"),
        ({"fixed": {"v(A": 1}}, "at the end of v"),
        ({"fixed": {"v(A)": -1}}, "a variance is not negative"),
        ({"equal": {"v(A)": 1}}, "a name for the equal numbers"),
        ({"equal": {"v(A)": "1"}}, "is not a name"),
        ({"bidirected": [["A", "C"]]}, "there is no variable C"),
    ],
)
def test_bad_files_are_refused(change, message):
    """Each message names the place."""
    data = {"family": "gaussian", "variables": [{"name": "A"}, {"name": "B"}], "edges": [["A", "B"]]} | change
    with pytest.raises(InputError, match=message):
        read_model_dictionary(data)


def test_values_with_a_sign():
    """As text and as a number, exactly."""
    assert [Fraction(-1, 3), Fraction(-1, 10)] == [read_signed_value(" -1/3", "here"), read_signed_value(-0.1, "here")]


PARAMETERS = {
    "coefficients": {"F->X": "1/2", "F -> Y": -2},
    "variances": {"F": 1, "X": 0.25, "Y": 1},
    "covariances": {"Y<->X": "1/8"},
    "means": {"F": 0, "X": 1, "Y": "-1/3"},
}


def test_parameter_files():
    """The sections and their keys; fixed numbers may be left out; the rank at the point goes into the report."""
    record = algdim.model("gaussian: F -> X <-> Y <- F; hidden F; fix v(F)=1")
    values = read_parameters(PARAMETERS, record)
    without = {**PARAMETERS, "variances": {"X": 0.25, "Y": 1}}
    report = dimension(record, at=PARAMETERS)

    assert (Fraction(-2), Fraction(1, 4), Fraction(1, 8)) == (
        values["b", "F", "Y"],
        values["v", "X"],
        values["c", "X", "Y"],
    )
    assert values == read_parameters(without, record)
    assert (5, True) == (report.at.rank, report.at.regular)


def test_a_singular_point_of_naive_bayes():
    """Where two coefficients vanish the rank is smaller, and the report says so."""
    record = "gaussian: H -> X1, X2, X3; hidden H; means off"
    names = ("H", "X1", "X2", "X3")
    point = {"coefficients": {"H->X1": 0, "H->X2": 0, "H->X3": 1}, "variances": dict.fromkeys(names, 1)}
    report = dimension(record, at=point)

    assert (6, 5, False) == (report.dimension, report.at.rank, report.at.regular)


@pytest.mark.parametrize(
    ("section", "change", "message"),
    [
        ("coefficients", {"F->X": 1}, "values are missing"),
        ("coefficients", {"X->F": 1}, "the model has no such entry"),
        ("variances", {"F": 2}, "it is fixed to 1"),
        ("slopes", {}, "unknown key"),
        ("covariances", {"X<->Y": 1, "Y<->X": 1}, "occurs twice"),
        ("means", {"F": "one"}, "is not a value"),
        ("means", [], "is not a table"),
    ],
)
def test_bad_parameters_are_refused(section, change, message):
    """Each message says what is wrong and where."""
    record = algdim.model("gaussian: F -> X <-> Y <- F; hidden F; fix v(F)=1")
    with pytest.raises(InputError, match=message):
        read_parameters(PARAMETERS | {section: change}, record)


def test_equal_numbers_must_agree():
    """Two values for one parameter are refused."""
    record = algdim.model("gaussian: A, B; equal w = v(A), v(B); means off")

    assert 2 == len(read_parameters({"variances": {"A": 1, "B": 1}}, record))
    with pytest.raises(InputError, match="must be equal"):
        read_parameters({"variances": {"A": 1, "B": 2}}, record)


def test_the_map_is_printed_as_sums_over_treks():
    """Without cycles each coordinate is the sum over treks, each on a line; with cycles a quotient."""
    assert (
        "cov(X1,X1) = v(X1)                    X1\n"
        "           + b(F->X1)·v(F)·b(F->X1)   X1 <- F -> X1\n"
        "cov(X1,X2) = b(F->X1)·v(F)·b(F->X2)   X1 <- F -> X2\n"
        "cov(X2,X2) = v(X2)                    X2\n"
        "           + b(F->X2)·v(F)·b(F->X2)   X2 <- F -> X2"
    ) == str(print_map(get_gaussian_map(algdim.model("gaussian: F -> X1, X2; hidden F; means off"))))
    cycle = print_map(get_gaussian_map(algdim.model("gaussian: A -> B -> A; means off")))

    assert "cov(A,B) = (b(A->B)·v(A) + b(B->A)·v(B))/" in str(cycle)
    assert r"v_{A}" in cycle.latex()


def test_commands_for_discrete_models_say_so(capsys):
    """Decompositions and KZ02's bounds are refused with the family named, and those that have them."""
    from algdim.cli import main

    text = "gaussian: F -> X1, X2; hidden F"
    for command, said in (
        ("decompose", "models of the family gaussian are not taken apart; those of discrete, classifier are"),
        ("bounds", "KZ02's bounds are for discrete models; this one is of the family gaussian"),
    ):
        assert 2 == main([command, text])
        assert said in capsys.readouterr().err


def test_a_model_from_a_dictionary():
    """`model` reads the dictionary of the model file."""
    data = {
        "family": "gaussian",
        "variables": [{"name": "A"}, {"name": "B"}],
        "bidirected": [["A", "B"]],
        "means": False,
    }

    assert "gaussian: A <-> B; means off" == to_text(model(data))


EFFECTS = "gaussian: F -> A, B, C; hidden F; equal b(F->A) = 3 - b(F->B) - b(F->C); means off"


def test_effects_coding():
    """Loadings that add up to 3 are a scale as one that is 1: the same dimension, and nothing is redundant."""
    report = algdim.dimension(EFFECTS)

    assert (6, 6, True) == (report.dimension, report.standard, report.exact)
    assert algdim.verify(algdim.prove(EFFECTS)).accepted


INVARIANT = "gaussian: F -> A, B, C, D; hidden F; fix b(F->A)=1, m(F.a)=0; given school = a, b; share {}"


@pytest.mark.parametrize(
    ("shared", "df"),
    [
        ("residual.covariances", 3),
        ("loadings", 6),
        ("loadings, intercepts", 10),
        ("loadings, intercepts, residuals", 14),
        ("loadings, intercepts, residuals, lv.variances", 15),
        ("loadings, intercepts, residuals, lv.variances, means", 16),
    ],
)
def test_invariance_in_one_line(shared, df):
    """Two groups with four items, 28 moments: 2·2 degrees of freedom, less the mean of F.b that a group without fixed one leaves."""
    text = INVARIANT.format(shared)
    report = algdim.dimension(text)
    free = 2 * (3 + 4 + 1 + 4) + 1
    count = {3: 1, 6: 4, 10: 8, 14: 12, 15: 13, 16: 14}[df] - 1

    assert df == report.complete - report.standard
    assert (28, free - count, True) == (report.complete, report.standard, report.exact)
    assert algdim.verify(algdim.prove(text)).accepted


def test_groups_are_read_back_from_text_and_file():
    """With groups that differ, too."""
    for text in (INVARIANT.format("loadings"), "gaussian: A -> B; C.b -> B.b; given g = a, b; equal v(A) = 2 v(B) - 1"):
        model = algdim.model(text)

        assert model == algdim.model(to_text(model)) == read_model_dictionary(convert_model_to_dictionary(model))


@pytest.mark.parametrize(
    ("clauses", "left"),
    [
        ("fix v(H)=2; equal v(A) = v(H) + v(B)", "equal v(A) = 2 + v(B)"),
        ("equal l = v(H), v(B); equal v(A) = v(H) + 1", "equal l = v(B); equal v(A) = v(B) + 1"),
        ("equal l = v(H), v(B); equal v(A) = 1 + v(H) - v(B)", "fix v(A)=1; equal l = v(B)"),
    ],
)
def test_sums_keep_no_latent_variable_that_is_fixed_or_equal(clauses, left):
    """H has no descendant that is observed, and its number is known otherwise; the checker leaves it out as well."""
    record = algdim.model(f"gaussian: A, B, H; A -> B, H; B -> H; hidden H; {clauses}")

    assert remove_irrelevant(record) == (algdim.model(f"gaussian: A, B; A -> B; {left}"), ("H",))
    assert algdim.verify(algdim.prove(record)).accepted


def test_a_sum_that_others_cancel_is_a_number():
    """Its variance is negative at all parameters."""
    with pytest.raises(InputError, match="is -1; a variance is not negative"):
        model("gaussian: A, B, C; equal l = v(B), v(C); equal v(A) = v(B) - v(C) - 1")
