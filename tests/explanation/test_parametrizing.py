"""The map in public: expressions, Jacobian, given parameters, row reduction over the rationals and modulo a prime."""

from __future__ import annotations

from fractions import Fraction

import pytest
from amount import daily
from sympy import GF, ImmutableMatrix, Matrix, Rational

import algdim
from algdim import InputError, LimitError
from algdim.explanation.parametrizing import reduce_at_points
from algdim.explanation.samplepoint import evaluate_at_point
from algdim.maps import map_of

MODELS = (
    "2:2,2",
    "3:2,2,2,2",
    "A -> C <- H -> D <- B; hidden H",
    "gaussian: A -> B -> A; means off",
    "gaussian: F -> X1, X2, X3; hidden F",
    "loglinear: {A,B}, {B,C}",
    "max: {A},{B} -> E",
    "polynomial: parameters a, b; coordinates a*b, a/(1 + b)",
)


def as_sympy(rows):
    """A matrix of exact numbers in sympy."""
    return Matrix([[Rational(value.numerator, value.denominator) for value in row] for row in rows])


@pytest.mark.parametrize("text", daily(MODELS, 2))
def test_the_matrix_at_a_point_is_the_symbolic_one_there(text):
    """The expressions are differentiated by sympy, and reduced by it: the same matrix, pivots and ranks."""
    written = algdim.parametrization(text)
    found = written.rowreduce(points=2)
    derived = Matrix(written.expressions).jacobian(written.symbols)
    for one in found.points:
        at = {symbol: Rational(str(one.point[symbol.name])) for symbol in written.symbols}
        matrix = as_sympy(one.matrix)
        reduced, pivots = matrix.rref()

        assert derived.subs(at) == matrix
        assert reduced == as_sympy(one.reduced)
        assert tuple(enumerate(pivots)) == one.pivots
        assert written.jacobian().subs(at) == ImmutableMatrix(matrix)


@pytest.mark.parametrize("text", daily(MODELS, 2))
def test_points_and_ranks_are_those_of_the_method(text):
    """`dim --method rowreduce` takes the same ten points, and sees the same ranks."""
    report = algdim.dimension(text, method="rowreduce", bounds="counting,ambient,chance")
    found = algdim.parametrization(text).rowreduce()

    assert [f"point {draw.point}" for draw in report.draws] == [one.label for one in found.points][: len(report.draws)]
    assert [draw.rank.value for draw in report.draws] == [*found.ranks][: len(report.draws)]
    assert found.rank == report.dimension


@pytest.mark.parametrize("prime", [2, 101, 18446744073709551557])
def test_modulo_a_prime(prime):
    """The residues of the same fractions, reduced as sympy does over GF(p); no rank is above the dimension."""
    written = algdim.parametrization("2:2,2,2")
    found = written.rowreduce(points=2, field=prime)

    for one in found.points:
        at = {symbol: Rational(str(one.point[symbol.name])) for symbol in written.symbols}
        exact = written.jacobian().subs(at)
        field = GF(prime, symmetric=False)
        residues = [[int(field(value.p) / field(value.q)) for value in exact.row(row)] for row in range(exact.rows)]
        reduced, pivots = Matrix(residues).to_DM(field).rref()
        assert residues == [list(row) for row in one.matrix]
        assert [[int(value) for value in row] for row in reduced.to_list()] == [list(row) for row in one.reduced]
        assert tuple(enumerate(pivots)) == one.pivots
        assert one.rank <= 7


def test_given_parameters():
    """At equal classes the rank is smaller; values and matrix are exact."""
    equal = {"H": [["1/2", "1/2"]], **{name: [["1/3", "2/3"]] * 2 for name in ("X1", "X2", "X3")}}
    written = algdim.parametrization("2:2,2,2")
    found = written.rowreduce(at=equal)

    assert (3,) == found.ranks == (algdim.dimension("2:2,2,2", at=equal).at.rank,)
    assert Fraction(1, 27) == written.at(equal).values[0]
    assert found.reduced == tuple(map(tuple, written.at(equal).reduced.matrix))


def test_the_main_example_of_kz02_is_written_out():
    """In factored form, which numpy's contraction gives; expanded it is refused."""
    written = algdim.parametrization("5(2,3(2,2),3(2,2))")
    every = evaluate_at_point(written.pmap, [Fraction(1, 7)] * 41, "sevenths")
    first = written.expressions[0].subs(dict.fromkeys(written.symbols, Rational(1, 7)))

    assert (41, 32) == (len(written.parameters), len(written.coordinates))
    assert Rational(str(every.values[0])) == first
    with pytest.raises(LimitError, match="2\\^13 terms"):
        written.expand()
    small = algdim.parametrization("2:2,2")
    assert [value.expand() for value in small.expressions] == [*small.expand().expressions]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"field": 100}, "a prime below 2"),
        ({"field": 2**64 + 13}, "a prime below 2"),
        ({"field": "R"}, "a prime below 2"),
        ({"points": 0}, "from 1 to 1000"),
        ({"points": 10**6}, "from 1 to 1000"),
        ({"at": {"nobody": 1}}, "nobody|table|variables"),
    ],
)
def test_what_is_refused(options, words):
    """In words, with what is allowed."""
    with pytest.raises(InputError, match=words):
        algdim.parametrization("2:2").rowreduce(**options)


def test_primes_of_denominators_and_large_matrices():
    """A prime in a denominator of the model, and a matrix that is too large to be shown."""
    with pytest.raises(InputError, match="divides a denominator"):
        algdim.parametrization("H -> X; hidden H; fix P(X=0|H=0)=1/3").rowreduce(field=3)
    with pytest.raises(LimitError, match="at most 100000 are reduced"):
        reduce_at_points(map_of(algdim.model("2:2^14")))


@pytest.mark.parametrize(
    "text", ["2:2,2", "A -> C <- H; hidden H", "gaussian: f -> x1, x2; hidden f", "sigmoid: H -> X; hidden H"]
)
def test_a_point_by_the_names_of_parameters(text):
    """The point that a reduction printed is one at which the map can be taken."""
    found = algdim.parametrization(text)
    reduced = found.rowreduce(points=1)
    again = found.rowreduce(at=reduced.point)

    assert (reduced.point, reduced.matrix, reduced.reduced) == (again.point, again.matrix, again.reduced)
    with pytest.raises(algdim.InputError):
        found.at(dict.fromkeys(found.parameters[1:], 0) | {"nobody": 1})
