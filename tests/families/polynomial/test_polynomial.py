"""The family "polynomial": record, notation, files, ranks, bounds, reports, examples with known numbers."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from math import isclose, log2

import brute_polynomial as brute
import numpy as np
import pytest
import sympy
from amount import daily, in_turn, some
from deadlines import ended_after
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from test_expressions import TREES

import algdim
from algdim import InputError, LimitError, dimension
from algdim.bound.strategy import KNOWN
from algdim.exact.arithmetic import Residues, make_rationals
from algdim.explanation.printing import print_map
from algdim.families.discrete.bounds.polynomialfields import is_identity
from algdim.families.polynomial.bounds import (
    BlockMonomials,
    compute_hull_dimension,
    find_fields,
    find_monomial_sums,
    has_rank_one,
    iterate_flattenings,
)
from algdim.families.polynomial.expansion import bound_product_terms, convert_to_common_denominator, expand_coordinates
from algdim.families.polynomial.map import build_polynomial_map
from algdim.identifiability.classification import NOT, derive_identifiability
from algdim.jacobian import evaluate_functionals, evaluate_jacobian, make_evaluator
from algdim.maps import map_of
from algdim.models.anymodel import convert_model_to_dictionary, read_model_dictionary
from algdim.models.notation import to_text
from algdim.rank import make_object_array

NAMES = ("a", "b", "x_1")
MAPS = st.lists(TREES, min_size=1, max_size=4)


def read(trees):
    """The model of some trees; those that divide by zero are passed over."""
    assume(not any(brute.divides_by_zero(tree) for tree in trees))
    texts = [brute.text_of(tree) for tree in trees]
    return read_model_dictionary({"family": "polynomial", "parameters": NAMES, "coordinates": texts})


def framework(count, edges):
    """The squares of the lengths of the edges of a framework in the plane."""
    return {
        "family": "polynomial",
        "parameters": [f"{axis}{number}" for number in range(count) for axis in "xy"],
        "coordinates": [f"(x{i} - x{j})^2 + (y{i} - y{j})^2" for i, j in edges],
    }


def veronese(variables, degree, summands):
    """Sums of powers of linear forms: the coefficients of the form, without the multinomial numbers."""
    exponents = [e for e in product(range(degree + 1), repeat=variables) if sum(e) == degree]
    terms = [[f"x{h}_{i}^{power}" for i, power in enumerate(e) if power] for e in exponents for h in range(summands)]
    texts = ["*".join(term) for term in terms]
    return {
        "family": "polynomial",
        "parameters": [f"x{h}_{i}" for h in range(summands) for i in range(variables)],
        "coordinates": [" + ".join(texts[at : at + summands]) for at in range(0, len(texts), summands)],
    }


@settings(max_examples=some(60))
@given(MAPS)
def test_values_and_derivatives_are_those_of_dual_numbers(trees):
    """At a rational point, and modulo two primes, values and slopes are those of dual numbers."""
    model = read(trees)
    assert model == algdim.model(to_text(model)) == read_model_dictionary(convert_model_to_dictionary(model))
    pmap = build_polynomial_map(model)
    (point,) = brute.points(NAMES, trees, 1)
    duals = [brute.dual(tree, point) for tree in trees]
    slopes = [[gradient.get(name, Fraction(0)) for name in NAMES] for _, gradient in duals]
    coordinates = make_evaluator(pmap).all_coordinates()
    for field in (make_rationals(), Residues(8388593), Residues(4194319)):
        at = field.elements(make_object_array([point[name] for name in NAMES]))
        expected = field.elements(make_object_array([value for value, _ in duals]))

        assert expected.tolist() == evaluate_functionals(pmap, field, at, coordinates).tolist()
        assert (
            field.elements(np.array(slopes, dtype=object)).tolist()
            == evaluate_jacobian(pmap, field, at, coordinates).tolist()
        )


def test_the_share_with_a_value_by_hand():
    """b/5 + 3, of degree 1 and size 16 once it is cleared, must not vanish; there are 75 primes of ten bits (π(1024) − π(512))."""
    pmap = build_polynomial_map(algdim.model("polynomial: parameters a, b; coordinates a/(b/5 + 3)"))
    usable = 75 - log2(5) / 9

    assert isclose(1 - 1 / 999 - log2(16) / (9 * usable), pmap.share_with_value(999), rel_tol=1e-12)
    assert 0 == pmap.share_with_value(2)


@settings(max_examples=some(40))
@given(MAPS)
def test_sizes_are_bounds(trees):
    """Numerators and denominators, multiplied out, are no larger than their sizes say."""
    pmap = build_polynomial_map(read(trees))
    for node, (above, below) in zip(pmap.line.outputs, expand_coordinates(pmap.line), strict=True):
        size = pmap.sizes[node]
        assert max(above.total_degree(), below.total_degree()) <= size.degree
    degree, log_size = pmap.degree_and_log_size()
    assert degree >= 0
    assert log_size >= 0
    assert 0 <= pmap.share_with_value(999) <= pmap.share_with_value(2**61) <= 1


@settings(max_examples=some(20))
@given(MAPS)
def test_random_functionals_are_combinations_of_the_coordinates(trees):
    """A random functional has the combination of the slopes of all coordinates."""
    pmap, field = build_polynomial_map(read(trees)), Residues(8388593)
    evaluator = make_evaluator(pmap)
    (point,) = brute.points(NAMES, trees, 1)
    at = field.elements(make_object_array([point[name] for name in NAMES]))
    probes = evaluator.random_functionals(3, 8388593, 0)
    (weights,) = probes.vectors(field, 0, 3)
    whole = evaluate_jacobian(pmap, field, at, evaluator.all_coordinates())

    assert (
        field.matmul(np.ascontiguousarray(weights.T), whole).tolist()
        == evaluate_jacobian(pmap, field, at, probes).tolist()
    )


@settings(max_examples=some(15))
@given(MAPS)
def test_symmetries_are_symmetries(trees):
    """No field that is found changes a coordinate, and there are no more of them than redundant parameters."""
    model = read(trees)
    fields = find_fields(build_polynomial_map(model), 0)

    assert all(is_identity(build_polynomial_map(model), field) for field in fields)
    assert len(fields) <= len(NAMES) - brute.dimension(NAMES, trees)


@pytest.mark.parametrize("count", [3, 4, 6, 9])
def test_complete_frameworks_are_rigid(count):
    """2n − 3 (Laman 1970), and three motions of the plane prove it."""
    report = dimension(framework(count, combinations(range(count), 2)))

    assert (True, 2 * count - 3) == (report.exact, report.dimension)
    assert ("ambient" if count == 3 else "symmetry") == report.upper.kind


def test_flexible_frameworks_have_their_edges():
    """A square moves; with one diagonal it is rigid, with both it is stressed."""
    square = [(0, 1), (1, 2), (2, 3), (0, 3)]

    assert [4, 5, 5] == [
        dimension(framework(4, [*square, *more])).dimension for more in ([], [(0, 2)], [(0, 2), (1, 3)])
    ]


def test_two_bananas_are_not_rigid_in_space():
    """Two tetrahedra pairs hinged at two points: 18 edges of 8 points in space, 3n − 6 = 18, and rank 17."""
    edges = [(i, j) for top in ((2, 3, 4), (5, 6, 7)) for i, j in combinations((0, 1, *top), 2) if (i, j) != (0, 1)]
    model = {
        "family": "polynomial",
        "parameters": [f"{axis}{number}" for number in range(8) for axis in "xyz"],
        "coordinates": [" + ".join(f"({axis}{i} - {axis}{j})^2" for axis in "xyz") for i, j in edges],
    }

    assert (18, 17) == (len(edges), dimension(model, bounds="no-proof").dimension)


@pytest.mark.parametrize(
    ("variables", "degree", "summands", "expected"),
    [
        (3, 2, 2, 5),
        (3, 4, 5, 14),
        pytest.param(4, 4, 9, 34, marks=pytest.mark.slow),
        pytest.param(5, 3, 7, 34, marks=pytest.mark.slow),
        (5, 4, 14, 69),
        (3, 3, 3, 9),
        (4, 3, 5, 20),
    ],
)
def test_secants_of_the_veronese(variables, degree, summands, expected):
    """The theorem of Alexander and Hirschowitz (1995): the defective cases, and two that are not."""
    report = dimension(veronese(variables, degree, summands))

    assert (expected, expected) == (report.dimension, report.upper.value)
    assert report.exact == ((variables, degree, summands) != (5, 3, 7))


def test_every_vector_of_both_kernels_counts():
    """Symmetric 4 × 4 matrices of rank at most 2, by their minors alone: 10 − 3, as every textbook says."""
    assert 7 == dimension(veronese(4, 2, 2), bounds="flattenings,ambient").upper.value


def test_rational_maps_have_scalings():
    """A steady state that depends on ratios of rates only: the scaling of time is found."""
    model = "polynomial: parameters k1, k2, k3; coordinates k1/(k1 + k2), k2/(k1 + k2 + k3)"
    report = dimension(model)

    assert (True, 2, "ambient") == (report.exact, report.dimension, report.upper.kind)
    assert 2 == dimension(model, bounds="symmetry").upper.value


def test_affine_hull():
    """Coordinates that sum to one, that are constant, and that are proportional over a common denominator."""
    text = "polynomial: parameters a, b; coordinates a/(a + b), b/(a + b), 5, 2*a/(a + b) - 3"
    report = dimension(text)

    assert (1, 1, True) == (report.complete, report.dimension, report.exact)
    assert "4 coordinates, 3 linear equations between them" == report.upper.reason


@given(MAPS)
def test_numerators_over_a_common_denominator(trees):
    """Divided by it they are the coordinates, and no product has more terms than was said before it was made."""
    pairs = expand_coordinates(build_polynomial_map(read(trees)).line)
    *numerators, common = convert_to_common_denominator(pairs)

    assert all(numerator * below == above * common for numerator, (above, below) in zip(numerators, pairs, strict=True))
    for one, other in combinations([common, *numerators], 2):
        assert len(one * other) <= bound_product_terms(one, other)


def cameras(count, points):
    """Pictures that this many cameras take of this many points: every picture of a point has a denominator of its own."""
    names = [f"p{point}{axis}" for point in range(points) for axis in "xyz"]
    names += [f"c{camera}{row}{column}" for camera in range(count) for row in range(3) for column in range(4)]

    def form(camera, row, point):
        terms = [f"c{camera}{row}{column}*p{point}{axis}" for column, axis in enumerate("xyz")]
        return f"({' + '.join(terms)} + c{camera}{row}3)"

    pictures = product(range(count), range(points), range(2))
    coordinates = [f"{form(camera, row, point)}/{form(camera, 2, point)}" for camera, point, row in pictures]
    return f"polynomial: parameters {', '.join(names)}; coordinates {', '.join(coordinates)}"


@pytest.mark.parametrize(("points", "expected"), daily([(3, 12), (5, 20), (7, 28), (9, 34)], 1))
def test_many_denominators_are_not_multiplied_out(points, expected):
    """Two cameras: 11 and 11 parameters that matter, three for a point, less the 15 of projective space."""
    with ended_after(60):
        report = dimension(cameras(2, points))

    assert (min(4 * points, 22 + 3 * points - 15), 4 * points) == (report.dimension, report.complete)
    assert expected == report.dimension


def test_a_hull_of_many_denominators_says_what_it_is(monkeypatch):
    """Where the common denominator is too long the rank at random points stands there, under its own name."""
    text = f"polynomial: parameters a, b, c; coordinates {', '.join(f'1/(a + {k}*b + c)' for k in range(5))}, 2/(a + c)"
    whole = compute_hull_dimension(build_polynomial_map(algdim.model(text)), 0)
    monkeypatch.setattr("algdim.families.polynomial.expansion.MOST_TERMS", 10)
    drawn = compute_hull_dimension(build_polynomial_map(algdim.model(text)), 0)

    assert (5, "proved") == (whole.value, whole.trust.status)
    assert (5, "probable") == (drawn.value, drawn.trust.status)


def test_a_hull_that_is_too_large_is_not_multiplied_out():
    """Where there are too many terms the coordinates are counted, and a rank at points says whether that is all."""
    names = ", ".join(f"a{number}" for number in range(30))
    power = f"({' + '.join(f'a{number}' for number in range(30))} + 1)^30"
    report = dimension(
        f"polynomial: parameters {names}; coordinates {power}, {power} + a0, 2*a0 + 1", bounds="counting,ambient"
    )

    assert (2, 2, 3) == (report.complete, report.dimension, report.upper.value)
    assert "rank at random points" in str(report)


def test_no_parameters():
    """Constants have dimension 0."""
    report = dimension("polynomial: parameters; coordinates 1, 2/3")

    assert (True, 0, 0) == (report.exact, report.dimension, report.complete)
    for name in KNOWN:
        for coordinates in ("0", "1, 2/3"):
            assert (
                0 == dimension(f"polynomial: parameters; coordinates {coordinates}", bounds=f"{name},chance").dimension
            )


def test_large_monomials_are_searched_within_bounds():
    """Monomials of high degree in many parameters have no flattening that could be looked for; nothing hangs."""
    names = [f"a{number}" for number in range(40)]
    coordinates = ["*".join(names), "*".join(f"{name}^2" for name in names[:30]), "*".join(names[5:])]
    report = dimension({"family": "polynomial", "parameters": names, "coordinates": coordinates})

    assert (True, 3) == (report.exact, report.dimension)
    assert (
        3
        == dimension(
            {"family": "polynomial", "parameters": names, "coordinates": coordinates}, bounds="flattenings,chance"
        ).dimension
    )


def test_sympy_and_names():
    """Expressions and symbols of sympy's are read, coordinates can be named, and everything prints."""
    a, b = sympy.symbols("a b")
    model = algdim.model({"family": "polynomial", "parameters": [a, b], "coordinates": {"x": a * b, "y": a / b + 1}})

    assert "polynomial: parameters a, b; coordinates x = a*b, y = a/b + 1" == to_text(model)
    assert model == algdim.model(to_text(model)) == read_model_dictionary(convert_model_to_dictionary(model))
    assert ["x = a·b", "y = a/b + 1"] == str(print_map(build_polynomial_map(model))).splitlines()
    assert 2 == dimension(model).dimension


def test_parameter_file():
    """The rank at given parameters; a point without value is refused."""
    model = "polynomial: parameters a, b; coordinates a*b/(a - b), a^2"
    report = dimension(model, at={"a": 0, "b": "1/2"})

    assert (1, False) == (report.at.rank, report.at.regular)
    with pytest.raises(InputError, match="no value at the given parameters"):
        dimension(model, at={"a": 1, "b": 1})


def test_identifiability():
    """Redundant parameters are counted, by a proof."""
    found = derive_identifiability("polynomial: parameters a, b, c; coordinates a*b, b*c, a/c")

    assert (NOT, 1, True) == (found.word, found.redundant, found.exact)


WRONG = {
    "polynomial: a, b": "'parameters' is expected",
    "polynomial: parameters a; a^2": "'coordinates' is expected",
    "polynomial: parameters a, a; coordinates a": "the parameter a stands 2 times",
    "polynomial: parameters a; coordinates b": "there is no parameter b; known are a",
    "polynomial: parameters a; coordinates x = a, x = 2*a": "the coordinate x stands 2 times",
    "polynomial: parameters a; coordinates a; hidden a": "is expected, not ';'",
    "polynomial: parameters a; coordinates": "a number, a parameter or",
    "polynomial: parameters hidden; coordinates 1": "clause word",
    "polynomial: parameters a; coordinates a,": "a number, a parameter or",
}


@pytest.mark.parametrize("text", WRONG)
def test_wrong_notation(text):
    """What is wrong is named."""
    with pytest.raises(InputError, match=WRONG[text]):
        algdim.model(text)


FILES = [
    ({"coordinates": ["a"]}, "parameters is missing"),
    ({"parameters": ["a"]}, "coordinates is missing"),
    ({"parameters": "a", "coordinates": ["a"]}, "parameters is 'a'; a list"),
    ({"parameters": [1], "coordinates": ["1"]}, r"parameters\[0\] is 1; a name"),
    ({"parameters": ["a"], "coordinates": "a"}, "coordinates is 'a'"),
    ({"parameters": ["a"], "coordinates": []}, "no coordinates"),
    ({"parameters": ["a"], "coordinates": [None]}, r"coordinates\[0\] is None"),
    ({"parameters": ["a"], "coordinates": [0.5]}, r"coordinates\[0\] is 0.5"),
    ({"parameters": ["a"], "coordinates": {"x": "a*"}}, "coordinates.x: at position 3"),
    ({"parameters": ["a"], "coordinates": {"x y": "a"}}, "is not a name"),
    ({"parameters": ["a"], "coordinates": ["a"], "edges": []}, "unknown key 'edges'"),
    ({"parameters": ["π"], "coordinates": ["1"]}, "GREEK SMALL LETTER PI"),
    ({"parameters": [f"a{i}" for i in range(6000)], "coordinates": ["1"]}, "6000 parameters; at most 5000"),
]


@pytest.mark.parametrize(("data", "message"), FILES)
def test_wrong_files(data, message):
    """What is wrong in a dictionary is named with its place."""
    with pytest.raises(InputError, match=message):
        read_model_dictionary({"family": "polynomial", **data})


def test_degrees_are_limited():
    """A degree that no method could use is refused."""
    text = "((((a + 1)^1000 + 1)^100) + 1)"
    with pytest.raises(LimitError, match="degree above 10000"):
        dimension({"family": "polynomial", "parameters": ["a"], "coordinates": [text]})


@in_turn(2)
def test_prove():
    """The affine hull, fields and sums of monomials prove dimensions; Veronese quartics: 14 summands in five variables give 69."""
    rigid = ", ".join(f"(x{i} - x{j})^2 + (y{i} - y{j})^2" for i, j in combinations(range(4), 2))
    names = ", ".join(f"{axis}{i}" for i in range(4) for axis in "xy")
    monomials = list(combinations_with_replacement(range(5), 4))
    sums = (" + ".join("*".join(f"a{k}_{i}" for i in one) for k in range(14)) for one in monomials)
    summands = ", ".join(f"a{k}_{i}" for k in range(14) for i in range(5))

    assert 5 == proved(f"polynomial: parameters {names}; coordinates {rigid}")
    assert 3 == proved("polynomial: parameters k1, k2, k3, a, b; coordinates a, b, k1*a*b/(k2 + k3)")
    assert 2 == proved("polynomial: parameters a, b, c; coordinates a*b, b*c, a/c")
    assert 69 == proved(f"polynomial: parameters {summands}; coordinates {', '.join(sums)}")


def proved(text):
    """The dimension of the certificate, which is accepted."""
    certificate = algdim.prove(text)
    assert algdim.verify(certificate)
    return certificate.dimension


def test_flattenings_are_checked_entry_by_entry():
    """Blocks whose coefficients or exponents do not multiply up make no flattening; constants do not either."""
    sums = find_monomial_sums(build_polynomial_map(read_model_dictionary(veronese(3, 2, 2))))
    (flattening,) = iterate_flattenings(sums)
    assert (3, 3) == flattening.entries.shape
    assert has_rank_one(sums, flattening.entries, 1)

    # one coefficient of the second block is another one: the six coefficients are free of equations
    model = veronese(3, 2, 2)
    model["coordinates"][1] = model["coordinates"][1].replace(" + ", " + 2*")
    other = find_monomial_sums(build_polynomial_map(read_model_dictionary(model)))
    assert not has_rank_one(other, flattening.entries, 1)
    assert 6 == dimension(model).dimension
    assert (6, "ambient") == (len(model["coordinates"]), dimension(model, bounds="flattenings,ambient").upper.kind)

    for text in ("a, b; coordinates a + b, a + 1", "a, b; coordinates a + a^2, b", "a, b; coordinates a/b"):
        assert find_monomial_sums(build_polynomial_map(algdim.model(f"polynomial: parameters {text}"))) is None


@settings(max_examples=some(25))
@given(
    st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2), st.integers(0, 2)), min_size=2, max_size=7, unique=True),
    st.lists(st.tuples(st.integers(1, 3), st.integers(1, 3)), min_size=7, max_size=7),
    st.integers(1, 2),
)
def test_flattenings_are_never_below_the_dimension(exponents, coefficients, blocks):
    """Random sums of monomials: the bound by flattenings holds, whatever the coefficients."""
    trees = []
    names = [f"{axis}{block}" for block in range(blocks) for axis in "xyz"]
    for powers, scales in zip(exponents, coefficients, strict=False):
        tree = 0
        for block in range(blocks):
            term = scales[block]
            for axis, power in zip("xyz", powers, strict=True):
                term = ("*", term, ("^", f"{axis}{block}", power))
            tree = ("+", tree, term)
        trees.append(tree)
    texts = [brute.text_of(tree) for tree in trees]
    model = read_model_dictionary({"family": "polynomial", "parameters": names, "coordinates": texts})

    assert brute.dimension(names, trees) <= dimension(model, bounds="flattenings,ambient").upper.value


@pytest.mark.parametrize("seed", range(30))
def test_rank_one_is_what_all_minors_say(seed):
    """The monomials of a block, relative to the first one's coefficients, in a matrix in which coordinates may stand twice."""
    draw = random.Random(seed)
    rows, columns = draw.randint(2, 3), draw.randint(2, 3)
    left, right = ([Fraction(draw.randint(1, 3)) for _ in range(size)] for size in (rows, columns))
    ups, downs = ([draw.randint(0, 2) for _ in range(size)] for size in (rows, columns))
    first = [Fraction(draw.randint(1, 4)) for _ in range(rows * columns)]
    ratios = [x * y for x, y in product(left, right)]
    powers = [(0, u + v) for u, v in product(ups, downs)]
    changed = draw.randrange(rows * columns)
    ratios[changed] *= draw.choice([1, 1, 2])
    powers[changed] = (0, powers[changed][1] + draw.choice([0, 0, 0, 1]))
    numbers = list(range(rows * columns))
    draw.shuffle(numbers)
    coefficients = [[first[number], ratios[number] * first[number]] for number in range(rows * columns)]
    sums = BlockMonomials(
        [coefficients[number] for number in numbers], [[(1, 0), powers[number]] for number in numbers]
    )
    entries = np.argsort(numbers).reshape(rows, columns)

    def same(i, j, k, n):
        a, b, c, d = (i * columns + k, j * columns + n, i * columns + n, j * columns + k)
        return (
            ratios[a] * ratios[b] == ratios[c] * ratios[d]
            and powers[a][1] + powers[b][1] == powers[c][1] + powers[d][1]
        )

    expected = all(
        same(i, j, k, n) for i, j in combinations(range(rows), 2) for k, n in combinations(range(columns), 2)
    )

    assert expected == has_rank_one(sums, entries, 1)


def test_coordinates_are_taken_by_their_numbers():
    """Not by unit vectors, of which there would be as many numbers as the square of the coordinates; the values are the same."""
    program = make_evaluator(map_of(algdim.model("polynomial: parameters a, b; coordinates a*b, a + 1/b, a^3, 5*b")))
    field = Residues(101)
    at = program.at(field, field.elements(np.array([2, 3])))
    listed = program.all_coordinates().select([3, 1, 2])
    numbers, units = listed.vectors(field, 0, 3), [np.eye(4)[:, [3, 1, 2]]]
    by_number, by_unit = np.empty((3, 2)), np.empty((3, 2))
    at.derivatives(numbers, by_number)
    at.derivatives(units, by_unit)

    assert (1, 3) == (len(numbers), numbers[0].size)
    assert at.values(numbers).tolist() == at.values(units).tolist() == [15, 36, 8]
    assert by_number.tolist() == by_unit.tolist() == [[0, 5], [1, -45], [12, 0]]
