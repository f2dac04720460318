"""The sections of an explanation: what is told of a model, and what is not told of one that is too large."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest
from amount import in_turn
from sympy import sympify

from algdim import InputError
from algdim import explain as explain_anew
from algdim.display.blocks import MatrixBlock, Picture
from algdim.explanation.explaining import draw_picture
from algdim.explanation.lecture.lower import convert_to_prefix
from algdim.explanation.sections import MOST_COLUMNS, MOST_LINES, format_decimal

explain = cache(explain_anew)


def section(text, key):
    """One section of a model's document."""
    return next((one for one in explain(text).document().sections if one.key == key), None)


def texts(one):
    """All sentences of a section."""
    return " ".join(block.text for block in one.blocks if hasattr(block, "text"))


def test_the_matrix_has_as_many_pivots_as_the_rank():
    """3:2,2,2,2 has 13 of 14, each a leading one; the names of the columns are those of the parameters."""
    [matrix] = [block for block in section("3:2,2,2,2", "reduced").blocks if isinstance(block, MatrixBlock)]

    assert 13 == len(matrix.pivots)
    assert {"1"} == {matrix.entries[i][j] for i, j in matrix.pivots}
    assert 14 == len(matrix.columns)


@in_turn(3)
def test_large_matrices_are_abridged():
    """At most this many rows and columns, and a sign that there are more."""
    [matrix] = [block for block in section("3:2^6", "reduced").blocks if isinstance(block, MatrixBlock)]

    assert (MOST_LINES + 1, MOST_COLUMNS + 1) == (len(matrix.entries), len(matrix.columns))
    assert "…" == matrix.entries[0][-1] == matrix.entries[-1][0]


def test_what_is_redundant():
    """GHM96 §5's W: the observed variables A and B keep their parameters, the hidden side moves."""
    told = texts(section("A -> C <- H -> D <- B; hidden H", "redundant"))

    assert "2 of 11 parameters are redundant" in told
    assert "No direction of the kernel moves P(A=0), P(B=0):" in told
    assert section("2:2,2,2", "redundant") is None


def test_a_rank_is_not_overstated():
    """What a rank does not prove is said of every model."""
    for text in ("2:2,2", "gaussian: A -> B", "2:2^30"):
        assert "What it does not prove: that no other point has a greater rank" in texts(section(text, "proves"))


def test_probable_dimensions_are_not_called_theorems():
    """Only where both bounds are proved."""
    from algdim import dimension
    from algdim.explanation.sections import describe_bounds

    assert "a theorem" in texts(describe_bounds(dimension("3:2,2,2,2")))
    assert "a theorem" not in texts(describe_bounds(dimension("3:2,2,2,2", bounds="counting,chance")))


@in_turn(3)
def test_large_models_say_what_is_missing():
    """Sixty items: no map, no point, but the parameters, the drawing and the bounds."""
    told = explain("2:2^60").document()
    keys = [one.key for one in told.sections]

    assert {"model", "parameters", "bounds"} <= set(keys)
    assert "reduced" not in keys
    assert any(isinstance(block, Picture) for block in told.sections[0].blocks)
    assert "Not shown" in texts(section("2:2^60", "point"))


@pytest.mark.parametrize("text", ["x*(1-y)**2", "x/(1+y)", "-x**3 + 2/3", "log(x) - log(1-y)"])
def test_expressions_keep_their_values(text):
    """Nested lists evaluate to what the expression does."""
    from math import isclose, log, prod

    def value(tree, point):
        if isinstance(tree, str):
            return float(Fraction(tree))
        if isinstance(tree, int):
            return point[tree]
        sign, *parts = tree
        if sign == "^":
            return value(parts[0], point) ** parts[1]
        values = [value(part, point) for part in parts]
        return sum(values) if sign == "+" else prod(values) if sign == "*" else log(values[0])

    expression = sympify(text)
    tree = convert_to_prefix(expression, {"x": 0, "y": 1})

    assert isclose(float(expression.subs({"x": 0.3, "y": 0.6})), value(tree, [0.3, 0.6]))


def test_decimals():
    """Twelve places, the sign kept."""
    assert "-0.500000000000" == format_decimal(Fraction(-1, 2))
    assert "2.000000000000" == format_decimal(Fraction(2))


@pytest.mark.parametrize("what", ["network", "jacobian", "derivation", "states"])
def test_drawings(what):
    """Each picture by name."""
    drawn = draw_picture("2:2,2", what)

    assert drawn.startswith("<svg")
    assert "var(" not in drawn


def test_an_unknown_picture():
    """Refused with those that there are."""
    with pytest.raises(InputError, match="known are network, jacobian, derivation, fibre, states"):
        draw_picture("2:2,2", "cat")


@pytest.mark.parametrize(
    ("text", "same", "other"),
    [
        ("latent-profile: H -> X, Y; hidden H; moments 1", "moments up to order 1", "same distribution"),
        ("normal: {A,H1},{A,H2} -> E; A -> H1; hidden H1, H2", "cumulants of the effect", "same distribution"),
        ("poisson: {A},{B} -> E", "parameters with the same distribution", "same cumulants"),
        (
            "classifier Y: Y -> X2 <- X1",
            "observed distribution of Y given the inputs",
            "same observed distribution form",
        ),
        ("H -> A, B; C -> A; hidden H; given C", "observed distribution given C", "same observed distribution form"),
        ("polynomial: parameters a, b; coordinates a + b", "parameters with the same coordinates", "distribution"),
    ],
)
def test_what_is_the_same(text, same, other):
    """Two mixtures with equal means are not one distribution, and two classifiers with equal odds neither."""
    told = texts(section(text, "redundant"))

    assert same in told
    assert other not in told


def test_no_distribution():
    """Where fixed entries leave no room for thousandths this is said, and no family is shown."""
    text = "H -> X1, X2; hidden H; fix P(X1=0|H=0)=99999/100000; states X1=3"

    assert "No distribution has these parameters" in texts(section(text, "point"))
    assert "is shown: no distribution has the parameters above" in texts(section(text, "redundant"))
    assert "No distribution" not in texts(section("2:2,2", "point"))


def test_one_parameter_is_one():
    """In the singular, and no difference is said to be none."""
    told = texts(section("gaussian: X -> Y; X <-> Y; means off", "redundant"))

    assert "determines it. All others move" in told
    assert "The other parameter keeps its value of the random point" in told
    assert "are exactly the same" in told
    assert "0.0e+00" not in told


def test_letters_of_sigmoid_variables():
    """What A and B are stands beside the count."""
    assert "sigmoid, given A; the odds of state 1 are A·∏ B^state" in str(explain("sigmoid: A -> B"))


def test_captions_name_what_is_drawn():
    """No states and no district in a Gaussian model's drawing, no hidden variable in a classifier's."""
    captions = {
        text: explain(text).document().sections[0].blocks[1].caption
        for text in ("3:2,2,2,2", "gaussian: H -> A, B; hidden H", "classifier Y: Y -> X")
    }

    latent = "Latent variables are circles, observed ones squares (in text: in parentheses, in brackets)"
    assert f"{latent}; numbers: states per variable." == captions["3:2,2,2,2"]
    assert f"{latent}." == captions["gaussian: H -> A, B; hidden H"]
    assert "Observed variables are squares; numbers: states per variable." == captions["classifier Y: Y -> X"]
