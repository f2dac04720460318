"""Time slices and hidden Markov models in short forms: what they expand to, dimensions from print, what is refused."""

from __future__ import annotations

from math import log

import brute
import pytest

import algdim
from algdim.errors import InputError, LimitError
from algdim.models.notation import parse, to_text


@pytest.mark.parametrize(
    ("text", "same"),
    [
        (
            "hmm: states 2, items 2, length 3, homogeneous",
            "H_1 -> X_1; H_1 -> H_2; H_2 -> X_2; H_2 -> H_3; H_3 -> X_3; hidden H_1, H_2, H_3; share H: H_2, H_3; share X: X_1, X_2, X_3",
        ),
        (
            "hmm: states 3, items 2,3, length 2, invariant",
            "H_1 -> X1_1, X2_1, H_2; H_2 -> X1_2, X2_2; hidden H_1, H_2; states H_1=3, H_2=3, X2_1=3, X2_2=3; share X1: X1_1, X1_2; share X2: X2_1, X2_2",
        ),
        (
            "dynamic 3: prev.A -> A; A, prev.B -> B; varying B",
            "A_1 -> B_1; A_1 -> A_2; A_2, B_1 -> B_2; A_2 -> A_3; A_3, B_2 -> B_3; share A: A_2, A_3",
        ),
        (
            "dynamic 3: prev.X, prev.prev.X -> X; states X=3",
            "X_1 -> X_2; X_2, X_1 -> X_3; states X_1=3, X_2=3, X_3=3",
        ),
        (
            "dynamic 2: H -> X, Y; hidden H; share e: X, Y; fix P(X=0|H=0)=1/10",
            "H_1 -> X_1, Y_1; H_2 -> X_2, Y_2; hidden H_1, H_2; share H: H_1, H_2; share e: X_1, Y_1, X_2, Y_2; fix P(X_1=0|H_1=0)=1/10",
        ),
        (
            "dynamic 2: A, B -> C; max C",
            "A_1, B_1 -> C_1; A_2, B_2 -> C_2; max C_1, C_2; share A: A_1, A_2; share B: B_1, B_2",
        ),
    ],
)
def test_what_is_meant(text, same):
    """The network that one would write by hand, whatever the order of its variables."""
    model, meant = parse(text), parse(same)

    assert {variable.name: variable for variable in meant.variables} == {
        variable.name: variable for variable in model.variables
    }


@pytest.mark.parametrize(
    ("text", "dimension"),
    [
        # Critch (2013): the binary model of length 4 and more has dimension 5
        ("hmm: states 2, items 2, length 4, homogeneous", 5),
        ("hmm: states 2, items 2, length 5, homogeneous", 5),
        # in equilibrium there is no start
        ("hmm: states 2, items 2, length 4, homogeneous, stationary", 4),
        # Allman, Matias and Rhodes (2009): r(r - 1) + r(κ - 1) from 2k + 1 times with C(k + κ - 1, κ - 1) ≥ r; here a start beside
        ("hmm: states 3, items 2, length 5, homogeneous", 2 + 6 + 3),
        ("hmm: states 3, items 4, length 3, homogeneous", 2 + 6 + 9),
        ("hmm: states 4, items 2, length 7, homogeneous", 3 + 12 + 4),
        # reversible chains have r(r + 1)/2 - 1 parameters
        ("hmm: states 3, items 3, length 4, homogeneous, stationary, reversible", 5 + 6),
        # Markov chains that are observed: all that is free
        ("dynamic 5: prev.X -> X", 1 + 2),
        ("dynamic 5: prev.X, prev.prev.X -> X", 1 + 2 + 4),
        ("dynamic 4: prev.X -> X; varying", 1 + 3 * 2),
    ],
)
def test_printed_dimensions(text, dimension):
    """The numbers of the literature, proved."""
    report = algdim.dimension(text)

    assert (dimension, True) == (report.dimension, report.exact)


@pytest.mark.parametrize(
    "text",
    [
        "hmm: states 2, items 2, length 3, homogeneous",
        "hmm: states 2, items 2, length 3, invariant",
        "dynamic 3: prev.H -> H -> X; hidden H; varying H",
        "dynamic 2: prev.X, prev.Y -> X, Y",
    ],
)
def test_dimensions_by_definition(text):
    """The rank of the Jacobian, by visiting all joint states."""
    model = parse(text)

    assert brute.dimension(model) == algdim.dimension(model).dimension
    assert brute.standard(model) == algdim.dimension(model).standard


@pytest.mark.parametrize(
    "text",
    [
        "hmm: states 3, items 4, length 6, homogeneous",
        "hmm: states 2, items 2^5, length 3",
        "hmm: states 2, items 2, length 3, homogeneous, stationary",
        "dynamic 4: prev.H -> H -> X; hidden H; states H=3, X=4; varying X",
    ],
)
def test_round_trip(text):
    """The line is printed as it was read."""
    assert text == to_text(parse(text))
    assert parse(to_text(parse(text))) == parse(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hmm: states 3, items 4", "'length' is expected"),
        ("hmm: states 3, length 4", "'items' is expected"),
        ("hmm: states 3, items 4, length 6, homogenous", "one of states"),
        ("hmm: states 3, states 4", "'states' occurs twice"),
        ("hmm: states 3, items 1, length 6", "2 to 1000000"),
        ("hmm: states 3, items 2, length 6, homogeneous, invariant", "say one"),
        ("hmm: states 3, items 2, length 6, stationary", "add 'homogeneous'"),
        ("hmm: states 3, items 2, length 6, homogeneous, reversible", "add 'stationary'"),
        ("hmm: states 3, items 2, length 6, homogeneous, stationary", "the nearest are"),
        ("dynamic 0: A -> B", "from 1 to"),
        ("dynamic many: A -> B", "from 1 to"),
        ("dynamic: A -> B", "'dynamic SLICES:'"),
        ("dynamic 3: prev.A -> B", "there is no variable A"),
        ("dynamic 3: A -> prev.A", "an edge leads to prev.A"),
        ("dynamic 3: prev.A -> A; states prev.A=3", "leave it out here"),
        ("dynamic 3: prev.A -> A; varying B", "there is no variable B"),
        ("dynamic 3: prev.A -> A; prev.A -> B; equal a = P(B=0|prev.A=0), P(B=1|prev.A=1); varying B", "leave one out"),
        ("dynamic 2: A -> B; classifier B {B -> A}", "add 'varying B'"),
    ],
)
def test_what_is_refused(text, message):
    """What was given, what is allowed."""
    with pytest.raises(InputError, match=message):
        parse(text)


def test_the_moves_of_a_chain_are_one_table():
    """All times have the same one, which is made and looked at once; a chain with too many entries is refused before."""
    model = parse("hmm: states 3, items 2, length 40, homogeneous, stationary, reversible")
    locals_of = {letter: [one.local for one in model.variables if one.name.startswith(letter)] for letter in "ZBH"}

    assert [39, 39, 40] == [len(found) for found in locals_of.values()]
    assert [1, 1, 2] == [len({id(one) for one in found}) for found in locals_of.values()]
    with pytest.raises(LimitError, match="take fewer states or a shorter chain"):
        parse("hmm: states 60, items 2, length 100, homogeneous, stationary, reversible")


@pytest.mark.slow
def test_identification_and_data():
    """What else there is of networks: parameters identified, cases drawn, a fit."""
    text = "hmm: states 2, items 2, length 3, homogeneous"
    tables = {"H_1": [[0.6, 0.4]], "H": [[0.9, 0.1], [0.2, 0.8]], "X": [[0.8, 0.2], [0.3, 0.7]]}
    data = algdim.simulate(text, tables, 300, seed=1)

    assert 5 == len(algdim.identify(text).identifiable)
    assert algdim.fit(data, text, seed=1).loglik > 300 * 3 * log(1 / 2)
