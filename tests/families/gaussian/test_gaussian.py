"""The family "gaussian": record, map, ranks, reports."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import comb, log2

import brute_gaussian as brute
import numpy as np
import pytest
from amount import daily, in_turn, some
from gaussian_strategies import gaussians
from hypothesis import given, settings

import algdim
from algdim import InputError, dimension
from algdim.bound.chance import compute_error
from algdim.exact.arithmetic import Residues, SingularError, invert_matrix, make_rationals
from algdim.families.gaussian.evaluation import evaluate_covariance
from algdim.families.gaussian.map import get_gaussian_map
from algdim.families.gaussian.model import Gaussian, GaussianVariable, find_strong_components
from algdim.jacobian import evaluate_functionals, evaluate_jacobian, make_evaluator
from algdim.models.anymodel import remove_irrelevant
from algdim.rank import PROVES_BOTH, Task, draw, make_object_array

EXACT = ("table", "probes", "rational", "rowreduce")


def factors(k, m, means="; means off"):
    """The model of k independent factors, each with all m indicators."""
    hidden = ", ".join(f"F{number}" for number in range(1, k + 1))
    return f"gaussian: {hidden} -> {', '.join(f'X{number}' for number in range(1, m + 1))}; hidden {hidden}{means}"


@settings(max_examples=some(40))
@given(gaussians(max_variables=5))
def test_values_and_derivatives_are_those_of_the_textbook(model):
    """Covariances, means and their derivatives at a rational point are the sums over treks, or Leibniz' quotients."""
    gmap, field = get_gaussian_map(model), make_rationals()
    point = brute.random_point(model, 1)
    elements = field.elements(make_object_array(list(point.values())))
    evaluator = make_evaluator(gmap)
    coordinates = evaluator.all_coordinates()
    expected = brute.coordinates_at(model, point)

    assert len(point) == len(gmap.parameters)
    assert [number.value for number in expected] == list(evaluate_functionals(gmap, field, elements, coordinates))
    assert [[number.slopes.get(name, 0) for name in point] for number in expected] == evaluate_jacobian(
        gmap, field, elements, coordinates
    ).tolist()


@settings(max_examples=some(30))
@given(gaussians(max_variables=5))
def test_residues_are_those_of_the_rational_values(model):
    """Modulo a small and a large prime, Σ and μ and all derivatives are the residues of the rational numbers."""
    gmap = get_gaussian_map(model)
    point = {name: Fraction(number**3 + 2) for number, name in enumerate(brute.parameters(model))}
    expected = brute.coordinates_at(model, point)
    for prime in (8388593, 4194319):
        field = Residues(prime)
        elements = field.elements(make_object_array(list(point.values())))
        coordinates = make_evaluator(gmap).all_coordinates()
        values = evaluate_functionals(gmap, field, elements, coordinates)
        matrix = evaluate_jacobian(gmap, field, elements, coordinates)

        assert [residue(number.value, prime) for number in expected] == [int(value) % prime for value in values]
        for number, row in zip(expected, matrix, strict=True):
            assert [residue(number.slopes.get(name, 0), prime) for name in point] == [int(x) % prime for x in row]


def residue(value, prime):
    """A rational number modulo a prime."""
    value = Fraction(value)
    return value.numerator * pow(value.denominator, -1, prime) % prime


@settings(max_examples=some(25))
@given(gaussians(max_variables=5))
def test_a_probe_is_the_product_of_its_vectors_with_the_coordinates(model):
    """The row of a probe is Σ u_i v_j times the rows of the covariances plus Σ w_i times those of the means."""
    gmap = get_gaussian_map(model)
    prime = 8388593
    field = Residues(prime)
    evaluator = make_evaluator(gmap)
    elements = field.elements(np.arange(3, 3 + len(gmap.parameters)) ** 4)
    probes = evaluator.random_functionals(5, prime, 0, "test")
    rows = evaluate_jacobian(gmap, field, elements, evaluator.all_coordinates())
    found = evaluate_jacobian(gmap, field, elements, probes)
    count = len(gmap.observed_places)
    for number in range(5):
        u, v, *w = (block[:, 0].astype(np.int64).astype(object) for block in probes.vectors(field, number, number + 1))
        weights = [u[i] * v[i] if i == j else u[i] * v[j] + u[j] * v[i] for i in range(count) for j in range(i, count)]
        weights += list(w[0]) if w else []
        row = np.array(weights, dtype=object) @ rows.astype(np.int64).astype(object)

        assert [int(x) % prime for x in row] == [int(x) % prime for x in found[number]]


@pytest.mark.parametrize("method", [*EXACT, "symbolic", "auto"])
def test_naive_bayes_with_four_items_has_dimension_12(method):
    """GHM96 §7: 14 parameters, 14 coordinates, dimension 12."""
    report = dimension("gaussian: H -> X1, X2, X3, X4; hidden H", method=method)

    assert (14, 14, 12) == (report.standard, report.complete, report.dimension)


@pytest.mark.parametrize("method", [*EXACT, "symbolic", "auto"])
def test_the_w_structure_has_dimension_11(method):
    """GHM96 §7 prints 12; the model has 4 means and 7 covariances that are not zero, so no more than 11."""
    report = dimension("gaussian: A -> C <- H -> D <- B; hidden H", method=method)
    zero = [value for value in brute.coordinates_at(report.model, brute.random_point(report.model)) if not value.value]

    assert (14, 14, 11) == (report.standard, report.complete, report.dimension)
    assert 3 == len(zero)


@pytest.mark.parametrize("m", range(3, 11))
def test_one_factor(m):
    """One factor with m indicators: min(2m, m(m+1)/2) for the covariances, and m means."""
    covariances = min(2 * m, m * (m + 1) // 2)
    report = dimension(factors(1, m, ""))

    assert covariances == dimension(factors(1, m)).dimension
    assert (3 * m + 2, m * (m + 3) // 2) == (report.standard, report.complete)
    assert covariances + m == report.dimension


@pytest.mark.parametrize("method", ["table", "probes", "rational"])
@pytest.mark.parametrize("m", daily(range(2, 11), 1))
def test_several_factors(m, method):
    """Factors k < m ≤ 10: the covariances have dimension min(m(k+1) − k(k−1)/2, m(m+1)/2)."""
    for k in range(1, m):
        expected = min(m * (k + 1) - comb(k, 2), m * (m + 1) // 2)
        if method == "rational" and m * k > 30:
            continue
        assert (k, expected) == (k, dimension(factors(k, m), method=method, bounds="no-proof").dimension)


def test_small_factor_models_symbolically():
    """The symbolic rank proves both sides: one factor, up to four indicators; two factors, three indicators."""
    for k, m, expected in ((1, 2, 3), (1, 3, 6), (1, 4, 8), (2, 3, 6)):
        gmap = get_gaussian_map(algdim.model(factors(k, m)))
        found = draw(Task(gmap, make_evaluator(gmap)), "symbolic")

        assert (expected, PROVES_BOTH) == (found.rank.value, found.proves)


@in_turn(3)
def test_many_indicators():
    """Two hundred indicators of ten factors: 20,300 coordinates, ranked by probes; the formula of factor models."""
    report = dimension(factors(10, 200, ""), bounds="counting,ambient")

    assert (2420, 20_300) == (report.standard, report.complete)
    assert 200 * 11 - comb(10, 2) + 200 == report.dimension
    assert "probes" == report.method


def test_a_cycle_has_no_value_where_its_coefficients_multiply_to_one():
    """I − B is singular there: the point is refused, and another one is drawn for a rank."""
    gmap = get_gaussian_map(algdim.model("gaussian: A -> B -> A; means off"))

    with pytest.raises(SingularError):
        evaluate_covariance(gmap, 101, np.array([2, 51, 1, 1]))


def test_covariances_of_all_variables():
    """`evaluate_covariance` gives latent variables too, in the order of the model."""
    gmap = get_gaussian_map(algdim.model("gaussian: F -> X, Y; hidden F; fix v(F)=1, m(F)=2"))
    covariance, mean = evaluate_covariance(gmap, 10007, np.array([2, 3, 5, 7, 0, 0]))

    assert [[1, 2, 3], [2, 9, 6], [3, 6, 16]] == covariance.astype(int).tolist()
    assert [2, 4, 6] == mean.astype(int).tolist()


@settings(max_examples=some(40))
@given(gaussians(max_variables=5))
def test_latent_variables_without_observed_descendants_drop_out(model):
    """They and their bidirected edges occur in no coordinate: the dimension stays, also with cycles."""
    smaller, removed = remove_irrelevant(model)

    assert brute.dimension(model) == brute.dimension(smaller)
    assert {variable.name for variable in model.variables} == {v.name for v in smaller.variables} | {*removed}


def test_what_is_removed_is_said():
    """A latent child is removed first and the report says so; its parameters still count."""
    report = dimension("gaussian: A -> L <-> B; hidden L")

    assert (("L",), 4, 8) == (report.removed, report.dimension, report.standard)


def test_the_derivation_speaks_of_coordinates():
    """Not of cells."""
    text = str(dimension("gaussian: F -> A <-> B; F -> B; hidden F"))

    assert "5 coordinates" in text
    assert "cell" not in text
    assert "3 variances and covariances, 2 means" in text


def test_one_of_a_kind_is_in_the_singular():
    """One variable has one variance, and no covariance."""
    without_mean, with_mean = (str(dimension(f"gaussian: H -> A; hidden H{end}")) for end in ("; means off", ""))

    assert "1 coordinate\n" in without_mean
    assert "≤ 1   1 variance\n" in f"{without_mean}\n"
    assert "≤ 2   1 variance, 1 mean\n" in f"{with_mean}\n"


@pytest.mark.parametrize("special", ["", "; fix b(F->X1)=2/3, v(X1)=3", "; equal l = b(F->X1), b(F->X2)"])
def test_the_size_bounds_the_coefficients(special):
    """The sum of the absolute coefficients of a coordinate, its denominators cleared, is at most what is claimed."""
    from algdim.exact.polynomials import make_polynomials

    gmap = get_gaussian_map(algdim.model(f"gaussian: F -> X1, X2 -> Y; G -> F; X1 <-> Y; hidden F, G{special}"))
    degree, log_size = gmap.degree_and_log_size()
    arithmetic, point = make_polynomials(len(gmap.parameters))
    for polynomial in evaluate_functionals(gmap, arithmetic, point, make_evaluator(gmap).all_coordinates()):
        coefficients = [Fraction(int(c.p), int(c.q)) for c in polynomial.coeffs()]
        cleared = np.lcm.reduce([c.denominator for c in coefficients])

        assert sum(abs(c) for c in coefficients) * int(cleared) <= 2**log_size * 1.000001
        assert polynomial.total_degree() <= degree


@pytest.mark.parametrize(
    ("text", "degree", "size"),
    [
        # (1 + 3)² for the paths into B, 1 for the error; a trek has two coefficients at most, fixed ones included
        ("A -> B; fix b(A->B)=3; means off", 3, 4**2),
        ("A -> B; means off", 3, 2**2),
        # the greatest number of Ω is 5, with its denominator cleared once, that of a coefficient twice
        ("A -> B; fix v(A)=5/2, b(A->B)=1/3; means off", 3, Fraction(5, 2) * Fraction(4, 3) ** 2 * 2 * 3**2),
        # R⁴ with R = 2·2; the errors add up to 2, with a covariance to 4
        ("A -> B -> A; means off", 8, 4**4 * 2),
        ("A -> B -> A; A <-> B; means off", 8, 4**4 * 4),
        # means are sums of three intercepts, errors of two that are free and one that is small
        ("A -> B -> A; C; fix v(C)=1/2", 12, 4**4 * 3 * 2**4),
        # R = (1 + 1 + 3/2)·2·1, and every denominator four times
        ("A -> B -> A; A -> C; fix b(A->C)=3/2; means off", 12, 7**4 * 3 * 2**4),
    ],
)
def test_degree_and_size_by_hand(text, degree, size):
    """What goes into the chance: sums of treks, or with cycles those of cofactors and determinants."""
    found = get_gaussian_map(algdim.model(f"gaussian: {text}")).degree_and_log_size()

    assert degree == found[0]
    assert log2(size) == pytest.approx(found[1], abs=1e-9)


def test_chance_with_cycles_is_larger_but_says_something():
    """Quotients have twice the degree; a few draws are still all but sure."""
    for text, says in (("gaussian: A -> B -> C -> A", True), ("gaussian: A -> B -> A; fix b(A->B)=2", False)):
        gmap = get_gaussian_map(algdim.model(text))
        found = [draw(Task(gmap, make_evaluator(gmap)), "table", number) for number in range(3)]
        error = compute_error(gmap, found, found[0].rank.value)

        assert says == (error < 1e-9)


def test_strong_components_in_order():
    """Components stand parents first, their members in the order of the variables; long chains need no recursion."""
    names = [f"X{number}" for number in range(3000)]
    chain = list(pairwise(names))

    assert tuple((name,) for name in names) == find_strong_components(names, chain)
    assert (tuple(names),) == find_strong_components(names, [*chain, (names[-1], names[0])])
    assert (("C",), ("A", "B"), ("D",)) == find_strong_components(
        list("ABCD"), [("A", "B"), ("B", "A"), ("C", "A"), ("B", "D")]
    )


@pytest.mark.parametrize("prime", [7, 8388593, 4194319])
def test_the_inverse_times_the_matrix_is_one(prime):
    """Also where the first pivot is zero; a singular matrix has none."""
    field = Residues(prime)
    matrix = field.elements(np.array([[0, 2, 1], [3, 0, 4], [1, 1, 1]]))
    product = field.matmul(invert_matrix(field, matrix), matrix)

    assert np.array_equal(field.elements(np.eye(3, dtype=np.int64)), product)
    with pytest.raises(SingularError):
        invert_matrix(field, field.elements(np.array([[1, 2], [2, 4]])))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (((GaussianVariable("A", False),),), "all variables are latent"),
        ((), "the model is empty"),
        (((GaussianVariable("A"), GaussianVariable("A")),), "stands 2 times"),
        (((GaussianVariable("A"),), (("A", "B"),)), "there is no variable B"),
        (((GaussianVariable("A"),), (("A", "A"),)), "joins a variable with itself"),
        (((GaussianVariable("A"), GaussianVariable("B")), (), (("A", "B"), ("B", "A"))), "occurs twice"),
        (((GaussianVariable("A"),), (), (), True, ((("v", "A"), Fraction(-1)),)), "a variance is not negative"),
        (((GaussianVariable("A"),), (), (), False, ((("m", "A"), Fraction(1)),)), "no such intercept"),
        (
            ((GaussianVariable("A"),), (), (), True, (), ((("v", "A"), "l"), (("m", "A"), "l"))),
            "not of the same kind",
        ),
    ],
)
def test_bad_records_are_refused(arguments, message):
    """Each message says what is wrong."""
    with pytest.raises(InputError, match=message):
        Gaussian(*(arguments or ((),)))
