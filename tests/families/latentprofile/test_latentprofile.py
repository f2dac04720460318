"""The family "latent-profile": record, notation, files, moments, ranks, reports."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import brute_profile as brute
import numpy as np
import pytest
from amount import some
from hypothesis import given, settings
from hypothesis import strategies as st
from profile_strategies import profiles

import algdim
from algdim import InputError, LimitError, dimension
from algdim import model as read_model
from algdim.exact.arithmetic import Residues, make_rationals
from algdim.exact.polynomials import make_polynomials
from algdim.exact.ranks import rank_rational
from algdim.explanation.printing import print_map
from algdim.families.latentprofile.map import count_moments, count_parameters
from algdim.families.latentprofile.model import LatentProfile, ProfileVariable
from algdim.families.latentprofile.order import get_moment_map
from algdim.jacobian import evaluate_functionals, evaluate_jacobian, make_evaluator
from algdim.models.anymodel import read_model_dictionary
from algdim.models.notation import to_text
from algdim.rank import make_object_array

PRIMES = (8388593, 4194319)


def univariate(classes, clauses=""):
    """The mixture of this many normal distributions of one variable."""
    return f"latent-profile: H -> X; hidden H; states H={classes}{clauses}"


def several(items, classes, clauses=""):
    """The mixture of this many normal distributions of several variables."""
    names = ", ".join(f"X{number}" for number in range(1, items + 1))
    return f"latent-profile: H -> {names}; hidden H; states H={classes}{clauses}"


@settings(max_examples=some(40))
@given(profiles())
def test_values_and_derivatives_are_those_of_the_textbook(model):
    """Moments and their derivatives at a rational point are Isserlis' sums written out."""
    pmap, field = get_moment_map(model), make_rationals()
    point = brute.random_point(model, 1)
    elements = field.elements(make_object_array(list(point.values())))
    coordinates = make_evaluator(pmap).all_coordinates()
    expected = brute.moments_at(model, point, model.order)

    assert len(point) == len(pmap.parameters) == count_parameters(model)
    assert len(expected) == pmap.coordinate_count == len(pmap.coordinates()) == len(set(pmap.coordinates()))
    assert [number.value for number in expected] == list(evaluate_functionals(pmap, field, elements, coordinates))
    assert [[number.slopes.get(name, 0) for name in point] for number in expected] == evaluate_jacobian(
        pmap, field, elements, coordinates
    ).tolist()


@settings(max_examples=some(20))
@given(profiles(), st.sampled_from(PRIMES))
def test_residues_are_those_of_the_rational_values(model, prime):
    """Modulo a small and a large prime, moments and derivatives are the residues of the rational numbers."""
    pmap = get_moment_map(model)
    point = make_object_array(list(brute.random_point(model, 2).values()))
    coordinates = make_evaluator(pmap).all_coordinates()
    exact, field = make_rationals(), Residues(prime)
    for evaluate in (evaluate_functionals, evaluate_jacobian):
        expected = evaluate(pmap, exact, exact.elements(point), coordinates)
        found = evaluate(pmap, field, field.elements(point), coordinates)

        assert field.elements(expected_fractions(expected)).tolist() == found.tolist()


def expected_fractions(numbers):
    """Turn gmpy2's rationals into Python's."""
    result = np.empty(numbers.shape, dtype=object)
    for index, value in np.ndenumerate(numbers):
        result[index] = Fraction(int(value.numerator), int(value.denominator))
    return result


@settings(max_examples=some(25))
@given(profiles())
def test_size_and_degree_are_bounds(model):
    """At the point of ones, with all signs taken as plus, no moment exceeds the size; degrees bound the growth."""
    pmap = get_moment_map(model)
    degree, log_size = pmap.degree_and_log_size()
    twos = [Fraction(2)] * len(pmap.parameters)
    field = make_rationals()
    values = evaluate_functionals(
        pmap, field, field.elements(make_object_array(twos)), make_evaluator(pmap).all_coordinates()
    )

    assert all(abs(value) <= 2 ** (log_size + degree + 1e-9) for value in values)


@settings(max_examples=some(40))
@given(profiles(max_classes=3, max_continuous=2, max_order=4))
def test_moment_sizes(model):
    """Lemma "moment sizes": multiplied out, all coefficients are integers, and degree and size are bounds."""
    pmap = get_moment_map(model)
    degree, log_size = pmap.degree_and_log_size()
    arithmetic, point = make_polynomials(len(pmap.parameters))
    evaluator = make_evaluator(pmap)
    for polynomial in evaluate_functionals(pmap, arithmetic, point, evaluator.all_coordinates(), evaluator=evaluator):
        coefficients = polynomial.coeffs()

        assert all(coefficient.q == 1 for coefficient in coefficients)
        assert max(map(sum, polynomial.monoms()), default=0) <= degree
        assert sum(abs(int(coefficient.p)) for coefficient in coefficients) <= 2 ** (log_size + 1e-9)


@settings(max_examples=some(15))
@given(profiles(max_classes=2, max_continuous=2, max_order=3), st.randoms(use_true_random=False))
def test_the_order_of_items_does_not_matter(model, source):
    """Permuted and renamed items give the same dimension and the same counts."""
    items = list(model.items)
    source.shuffle(items)
    renamed = tuple(ProfileVariable(f"I{number}", item.states) for number, item in enumerate(items))
    other = LatentProfile("K", model.classes, renamed, model.full, model.equal, model.order)
    one, two = dimension(model), dimension(other)

    assert (one.dimension, one.standard, one.moments.complete) == (two.dimension, two.standard, two.moments.complete)


@settings(max_examples=some(25))
@given(profiles(), st.randoms(use_true_random=False))
def test_the_names_of_the_classes_do_not_matter(model, source):
    """Relabelled classes have the same moments, and the same rank of the Jacobian there."""
    pmap, field = get_moment_map(model), make_rationals()
    point = brute.random_point(model, 5)
    order = list(range(model.classes))
    source.shuffle(order)
    weights = [point["weight", number] for number in range(model.classes - 1)]
    weights.append(1 - sum(weights))
    moved = {}
    for entry in point:
        kind, *of, number = entry
        same = kind == "cov" and model.equal
        moved[entry] = (
            weights[order[number]] if kind == "weight" else point[(kind, *of, number if same else order[number])]
        )
    coordinates = make_evaluator(pmap).all_coordinates()
    both = [field.elements(make_object_array(list(numbers.values()))) for numbers in (point, moved)]
    values = [evaluate_functionals(pmap, field, numbers, coordinates).tolist() for numbers in both]
    ranks = [rank_rational(evaluate_jacobian(pmap, field, numbers, coordinates)).value for numbers in both]

    assert values[0] == values[1]
    assert ranks[0] == ranks[1]


@pytest.mark.parametrize("classes", range(1, 8))
def test_univariate_mixtures_need_as_many_moments_as_parameters(classes):
    """3k − 1 moments show 3k − 1 parameters; fewer moments fill their space (Améndola, Ranestad, Sturmfels 2018)."""
    report = dimension(univariate(classes))

    assert (3 * classes - 1, True) == (report.dimension, report.exact)
    assert 3 * classes - 1 == report.moments.complete == report.moments.order == get_moment_map(report.model).order
    for order in range(1, 3 * classes + 2):
        assert min(order, 3 * classes - 1) == dimension(univariate(classes, f"; moments {order}")).dimension


def test_pearsons_two_normal_distributions():
    """Five parameters are found from five moments (Pearson 1894), and four do not suffice."""
    assert "the moments up to order 5, the least" in str(dimension(univariate(2)))
    assert 4 == dimension(univariate(2, "; moments 4")).dimension
    assert "moments up to order 5" == dimension(univariate(2)).to_dict()["lower"]["evidence"]["functionals"]


@pytest.mark.parametrize("classes", range(1, 8))
def test_equal_variances(classes):
    """k means, k − 1 weights and one variance: 2k dimensions."""
    report = dimension(univariate(classes, "; covariances equal"))

    assert (2 * classes, True) == (report.dimension, report.exact)


@pytest.mark.parametrize("items", range(1, 5))
@pytest.mark.parametrize("equal", ["", ", equal"])
def test_one_class_is_one_normal_distribution(items, equal):
    """Means and variances; with full matrices as many as the saturated Gaussian model has."""
    names = [f"X{number}" for number in range(1, items + 1)]
    arrows = "; ".join(f"{one} <-> {other}" for i, one in enumerate(names) for other in names[i + 1 :])
    full = dimension(f"gaussian: {', '.join(names)}{'; ' if arrows else ''}{arrows}")
    apart = dimension(f"gaussian: {', '.join(names)}")

    assert (
        items + comb(items + 1, 2)
        == full.dimension
        == dimension(several(items, 1, f"; covariances full{equal}")).dimension
    )
    assert 2 * items == apart.dimension == dimension(several(items, 1, f"; covariances diagonal{equal}")).dimension


@pytest.mark.parametrize(("items", "classes"), [(2, 2), (2, 3), (3, 2), (3, 4), (5, 3)])
def test_all_parameters_of_several_items_are_seen(items, classes):
    """Weights, means and matrices are counted once each (mixtures of normal distributions are identifiable)."""
    means, pairs = classes * items, comb(items + 1, 2)
    for clauses, matrices in (
        ("diagonal", classes * items),
        ("diagonal, equal", items),
        ("full", classes * pairs),
        ("full, equal", pairs),
    ):
        report = dimension(several(items, classes, f"; covariances {clauses}"))

        assert (classes - 1 + means + matrices, True) == (report.dimension, report.exact)


@pytest.mark.parametrize("items", [3, 4])
def test_third_moments_of_three_items_are_defective(items):
    """Two normal distributions of three or more variables: moments of order 3 have less than the expected dimension."""
    report = dimension(several(items, 2, "; covariances full; moments 3"))

    assert report.dimension < min(report.standard, report.moments.complete)
    assert ("counting", "chance") == (report.upper.kind, report.moments.upper.kind)
    assert not report.exact
    assert dimension(several(items, 2, "; covariances full")).exact


def test_second_moments_of_two_classes_are_all_there_are():
    """Two items with full matrices: moments of order 2 are those of any distribution."""
    assert 5 == dimension(several(2, 2, "; covariances full; moments 2")).dimension


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("latent-profile: H -> X, C; hidden H; states C=2", 1 + 4 + 2),
        ("latent-profile: H -> X, C; hidden H; states H=3, C=4; covariances equal", 2 + 3 + 1 + 9),
        ("latent-profile: H -> X, C, Y, D; hidden H; states H=2, C=3, D=2; covariances full", 1 + 4 + 6 + 4 + 2),
    ],
)
def test_categorical_items_beside_continuous_ones(text, expected):
    """Tables given the class are added to the parameters, and all are seen."""
    report = dimension(text)

    assert (expected, True) == (report.dimension, report.exact)


def test_one_class_of_mixed_items():
    """Given a single class all items are independent: the dimensions add up."""
    assert 2 + 3 == dimension("latent-profile: H -> X, C; hidden H; states H=1, C=4").dimension


@pytest.mark.parametrize(("classes", "states"), [(2, (3,)), (2, (3, 3)), (4, (3, 3)), (3, (2, 2, 2)), (4, (2, 3, 4))])
def test_a_first_moment_is_worth_a_binary_item(classes, states):
    """At order 1 one continuous item, by 1 and its mean, is what a binary item is by 1 and a probability."""
    sizes = ", ".join(f"C{number}={size}" for number, size in enumerate(states))
    names = ", ".join(f"C{number}" for number in range(len(states)))
    report = dimension(f"latent-profile: H -> X, {names}; hidden H; states H={classes}, {sizes}; moments 1")
    latent_class = dimension(f"{classes}:2,{','.join(map(str, states))}")

    assert latent_class.dimension == report.dimension
    assert latent_class.complete == report.moments.complete


def test_all_that_is_said_is_said_of_distributions():
    """Moments up to a low order bound the distributions from below alone; what bounds them from above stands apart."""
    report = dimension(univariate(2, "; moments 4"))
    document = report.to_dict()

    assert (False, 4, 5, "proved") == (report.exact, report.dimension, report.upper.value, document["upper"]["status"])
    moments = {"order": 4, "complete": 4, "dimension": 4, "exact": True, "status": "proved"}
    assert moments.items() <= document["moments"].items()
    assert None is document["complete"]
    assert (5, 1) == (document["best_bound"], document["defect"])
    assert "  dimension   ≥ 4   between 4 and 5\n" in str(report)
    assert "of these moments alone: dimension 4 (proved) of 4, at most 4: 4 moments" in str(report)
    assert None is dimension("2:2,2").to_dict()["moments"]


@pytest.mark.parametrize("options", [{}, {"method": "symbolic"}, {"bounds": "ambient"}, {"bounds": "chance"}])
def test_parameters_that_no_moment_shows_still_count(options):
    """Means do not depend on variances; whatever is asked for, the distributions may have all dimensions."""
    report = dimension(univariate(2, "; moments 1"), **options)

    assert (1, 5, False) == (report.dimension, report.upper.value, report.exact)


def test_numbers_prove_nothing_of_the_moments():
    """A rank in floating point is no bound, of distributions or of moments."""
    report = dimension(univariate(2, "; covariances equal"), method="float")

    assert (False, False) == (report.exact, report.to_dict()["moments"]["exact"])


def test_without_a_stated_order_nothing_but_the_family_is_called_exact():
    """Where no order shows all parameters there is no report, but advice to state an order."""
    with pytest.raises(LimitError, match=r"state an order, as in 'moments 200'"):
        dimension(univariate(80))

    assert 7 == dimension(univariate(80, "; moments 7")).dimension


@pytest.mark.parametrize(
    "text",
    [
        several(60, 2, "; moments 5"),
        "latent-profile: H -> X, C, D; hidden H; states C=1000, D=1000",
        "latent-profile: H -> X, C; hidden H; states H=1000000, C=1000000",
    ],
)
def test_too_many_moments_are_refused(text):
    """The numbers that are too large are refused before anything is built."""
    with pytest.raises(LimitError, match="at most"):
        dimension(text)


@pytest.mark.parametrize(
    ("rest", "message"),
    [
        ("H -> X", "one hidden variable, the class, is expected"),
        ("H -> X; hidden H, X", "one hidden variable"),
        ("H -> X; hidden H; means off", "the clause 'means' does not belong to the family latent-profile"),
        ("H -> X; hidden H; fix v(X)=1", "the clause 'fix' does not belong"),
        ("H -> X <- Y; hidden H", "Y is no item of H"),
        ("H -> X, Y; X -> Y; hidden H", "only the class H has edges"),
        ("H -> X; X <-> Y; hidden H", "belongs to the family gaussian"),
        ("H -> C; hidden H; states C=3", "at least one continuous item"),
        ("H -> X, C; hidden H; states C=1", "the states of C: 1 is not allowed"),
        ("H -> X; hidden H; covariances round", "diagonal or full, own or equal is expected"),
        ("H -> X; hidden H; covariances full, diagonal", "given twice"),
        ("H -> X; hidden H; moments 0", "1 to 200 is allowed"),
        ("H -> X; hidden H; moments 3; moments 4", "given already"),
        ("H -> moments; hidden H", "is a clause word of the family latent-profile"),
        ("H -> X; hidden H;", "a clause is expected"),
        ("H, X; hidden H", "an arrow"),
        ("3:2,2", "takes no family word"),
    ],
)
def test_what_cannot_be_read_says_why(rest, message):
    """Errors name what is wrong."""
    with pytest.raises(InputError, match=message):
        algdim.model(f"latent-profile: {rest}")


H, X = {"name": "H", "states": 2, "observed": False}, {"name": "X"}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"variables": [X]}, "0 are hidden"),
        ({"variables": None}, "variables is missing"),
        ({"variables": [H, {"states": 2}]}, r"variables\[1\].name is missing"),
        ({"variables": [H, {"name": "X", "states": "2"}]}, r"variables\[1\].states is '2'"),
        ({"variables": [H, X, X]}, "stands 2 times"),
        ({"covariances": {"full": 1}}, "covariances.full is 1"),
        ({"covariances": {"round": True}}, "unknown key"),
        ({"moments": "3"}, "the order of the moments: '3' is not allowed"),
        ({"edges": []}, "unknown key 'edges'"),
    ],
)
def test_wrong_files_say_why(change, message):
    """Errors of model files name the place."""
    with pytest.raises(InputError, match=message):
        read_model_dictionary({"family": "latent-profile", "variables": [H, X]} | change)


def test_a_model_from_a_dictionary():
    """`model` reads the dictionary of the model file."""
    data = {"family": "latent-profile", "variables": [H, X], "covariances": {"equal": True}}

    assert "latent-profile: H -> X; hidden H; covariances equal" == to_text(read_model(data))


def test_the_rank_at_given_parameters():
    """At equal means two moments are seen, and higher ones might show more; wrong parameter files are refused."""
    text = univariate(2, "; covariances equal")
    point = {"P(H=0)": "1/4", "m(X|H=0)": 1, "m(X|H=1)": 1, "v(X)": 2}
    report = dimension(text, at=point)

    assert (2, None) == (report.at.rank, report.at.regular)
    assert "whether this is the generic rank is not known; higher moments may show more" in str(report)
    assert dimension(text, at=point | {"m(X|H=1)": -0.5}).at.regular
    with pytest.raises(InputError, match=r"values are missing: v\(X\)"):
        dimension(text, at={name: value for name, value in point.items() if name != "v(X)"})
    with pytest.raises(InputError, match="the model has no 'w'"):
        dimension(text, at=point | {"w": 1})


def test_the_map_is_printed():
    """Moments are written by classes."""
    printed = print_map(
        get_moment_map(algdim.model("latent-profile: H -> X, C; hidden H; states H=1; states C=2; moments 2"))
    )

    assert "E(X^2·1(C=0)) = P(C=0|H=0)·(m(X|H=0)^2 + v(X|H=0))" in str(printed)
    assert r"\operatorname{E}(X^{2} 1(C=0)) &=" in printed.latex()


def test_counts_of_moments():
    """Monomials up to the order, one for each cell; the constant one is left out where it is no probability."""
    assert comb(3 + 4, 4) - 1 == count_moments(algdim.model(several(3, 2)), 4)
    assert 6 * comb(1 + 2, 2) == count_moments(
        algdim.model("latent-profile: H -> X, C, D; hidden H; states C=2, D=3"), 2
    )
