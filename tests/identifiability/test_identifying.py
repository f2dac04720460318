"""Which parameters are identifiable, what moves together, what to fix: against ranks of rational matrices."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product
from math import prod

import brute_gaussian
import brute_identify
import brute_polynomial
import numpy as np
import pytest
import strategies
from amount import daily, in_turn, some
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from suites.random_gaussians import factor_model, gaussian_model
from test_expressions import TREES

from algdim import InputError, identify
from algdim import model as read_model
from algdim.explanation.printing import print_map
from algdim.families.gaussian.model import format_entry
from algdim.maps import map_of
from algdim.models.anymodel import read_model_dictionary

MOST_CIRCUITS = 10
"""Groups and all sets to fix are compared where there are no more parameters."""


def check(found, truth):
    """Assert that verdicts, groups, sets to fix and the basis are what the rational Jacobian says."""
    assert truth.rank == found.report.dimension
    assert () == found.undecided
    assert truth.lost == set(found.lost)
    assert truth.width - truth.rank == len(found.fixing) == sum(group.freedom for group in found.groups)
    assert truth.rank == truth.rank_without({truth.names.index(name) for name in found.fixing})
    assert set(found.lost) == {name for group in found.groups for name in group.parameters}
    assert all(one.moves.keys() <= set(group.parameters) for group in found.groups for one in group.directions)
    if truth.width <= MOST_CIRCUITS:
        assert truth.groups() == {frozenset(group.parameters) for group in found.groups}
        if all(group.all_listed for group in found.groups):
            listed = {frozenset().union(*sets) for sets in product(*(group.fixings for group in found.groups))}
            assert truth.fixings() == listed
    assert len(found.basis) <= truth.rank
    json.dumps(found.to_dict())
    assert found.sentence in str(found)


def formulas(model):
    """What the written map says, differentiated by sympy."""
    written = print_map(map_of(model))
    return brute_identify.Truth(written.parameters, brute_identify.jacobians(written.parameters, written.expressions))


def by_duals(model):
    """A Gaussian model by treks or Leibniz' formula."""
    names = brute_gaussian.parameters(model)
    points = [brute_gaussian.random_point(model, seed) for seed in range(2)]
    matrices = [
        [[one.slopes.get(name, Fraction(0)) for name in names] for one in brute_gaussian.coordinates_at(model, point)]
        for point in points
    ]
    texts = [name if isinstance(name, str) else format_entry(name) for name in names]
    return brute_identify.Truth(texts, matrices)


@pytest.mark.parametrize("seed", daily(range(60), 10))
def test_gaussian_models(seed):
    """Random Gaussian models with latent variables, cycles, fixed and equal entries."""
    model = gaussian_model(seed, most=4)
    check(identify(model), by_duals(model))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(60, 260))
def test_more_gaussian_models(seed):
    """More of them, larger."""
    model = gaussian_model(seed, most=5)
    check(identify(model), by_duals(model))


def is_small(model):
    """Whether sympy differentiates its map quickly."""
    joint = prod(variable.states for variable in model.variables)
    return 0 < len(map_of(model).parameters) <= 11 and joint <= 36


@settings(max_examples=some(30), suppress_health_check=list(HealthCheck), derandomize=True)
@given(strategies.networks(max_variables=4, max_states=3, deterministic=True))
def test_networks(model):
    """Random networks with hidden variables, shared, fixed and named entries, conditions and functions of parents."""
    assume(is_small(model))
    check(identify(model), formulas(model))


@pytest.mark.slow
@settings(max_examples=some(200), suppress_health_check=list(HealthCheck))
@given(strategies.networks(max_variables=5, max_states=3, deterministic=True, sigmoid=True))
def test_more_networks(model):
    """More of them, with sigmoid variables too."""
    assume(is_small(model))
    check(identify(model), formulas(model))


FAMILIES = [
    "2:2,2",
    "2:3,2",
    "3:2,2",
    "H -> A, B, C; hidden H; share s: A, B",
    "A -> C <- H -> B; hidden H",
    "A -> B; hidden A",
    "A -> B -> C; given A",
    "sigmoid: H -> X, Y; hidden H",
    "sigmoid: A, B -> X; A -> B; hidden A",
    "poisson: {A},{B} -> E",
    "max: {C1,C2},{C3} -> E",
    "noisy-or: {A},{B},{} -> E",
    "classifier Y: Y -> A, B; A -> B",
    "classifier Y: X1, Y -> X2",
    "loglinear: {A,B}, {B,C}; hidden B",
    "gaussian: X -> Y; X <-> Y; means off",
    "gaussian: H -> X1, X2; hidden H",
    "gaussian: A -> B -> A; means off",
]


@pytest.mark.parametrize("text", daily(FAMILIES, 3))
def test_every_family(text):
    """One or more small models of each family that has formulas."""
    model = read_model(text)
    check(identify(model), formulas(model))


@settings(max_examples=some(40), suppress_health_check=list(HealthCheck), derandomize=True)
@given(st.lists(TREES, min_size=1, max_size=3))
def test_maps_of_formulas(trees):
    """Random rational maps of three parameters, by dual numbers at two points."""
    assume(not any(brute_polynomial.divides_by_zero(tree) for tree in trees))
    texts = [brute_polynomial.text_of(tree) for tree in trees]
    names = ("a", "b", "x_1")
    model = read_model_dictionary({"family": "polynomial", "parameters": names, "coordinates": texts})
    matrices = [
        [[Fraction(brute_polynomial.dual(tree, point)[1].get(name, 0)) for name in names] for tree in trees]
        for point in brute_polynomial.points(names, trees, 3)
    ]
    check(identify(model), brute_identify.Truth(names, matrices))


HALF_SQUARE = {"family": "polynomial", "parameters": ["x", "y"], "coordinates": ["y - x^2/2"]}


def test_zero_at_a_point_proves_nothing():
    """The kernel vector (1, x) is 0 at y where x = 0, yet y moves along the parabola: told as not decided, never as fixed."""
    found = identify(HALF_SQUARE, at={"x": "0", "y": "3"})

    assert ("x", "y") == found.lost
    assert (("x", False), ("y", None)) == found.at.identifiable
    assert (("x", False), ("y", False)) == identify(HALF_SQUARE, at={"x": "1", "y": "3"}).at.identifiable


def test_points_that_are_not_regular():
    """Where the rank is less, nothing is said; where it is the number of parameters, all are identifiable."""
    model = {"family": "polynomial", "parameters": ["x", "y"], "coordinates": ["x^2", "y"]}

    assert (("x", None), ("y", None)) == identify(model, at={"x": "0", "y": "1"}).at.identifiable
    assert (("x", True), ("y", True)) == identify(model, at={"x": "2", "y": "1"}).at.identifiable
    assert 2 == identify(model).fibre.degree


def test_at_the_tables_of_a_file():
    """A generically identifiable parameter is so at a regular point; an irregular one says where nothing is known."""
    regular = {
        "H": [["1/3", "2/3"]],
        "A": [["1/4", "3/4"], ["1/2", "1/2"]],
        "B": [["1/5", "4/5"], ["2/3", "1/3"]],
        "C": [["1/2", "1/2"]],
    }
    found = identify("H -> A, B; hidden H; states C=2", at=regular).at

    assert found.regular
    assert ("P(C=0)",) == found.list_parameters(True)
    assert 5 == len(found.list_parameters(False))
    same = [["1/4", "3/4"], ["1/4", "3/4"]]
    singular = {**regular, "A": same, "B": same}
    assert not identify("H -> A, B; hidden H; states C=2", at=singular).at.regular


def test_weights_have_no_exact_point():
    """A file of weights of sigmoid variables is refused by name."""
    with pytest.raises(InputError, match="networks with sigmoid variables"):
        identify("sigmoid: A -> B", at={"A": {"a": 0, "b": {}}, "B": {"a": 0, "b": {"A": 1}}})


UNITS = [
    ("gaussian: F -> X1, X2, X3, X4; hidden F; means off", 1, 0),
    ("gaussian: F -> X1, X2, X3, X4; hidden F", 2, 0),
    ("gaussian: F -> X1, X2, X3, X4; hidden F; fix v(F)=1; means off", 0, 0),
    ("gaussian: F -> X1, X2; hidden F; means off", 1, 1),
    ("gaussian: F, G -> X1, X2, X3, X4, X5; hidden F, G; means off", 2, 1),
    (
        "gaussian: F, G -> X1; F, G -> X2; F, G -> X3; F, G -> X4; F, G -> X5; hidden F, G; fix v(F)=1, v(G)=1; means off",
        0,
        1,
    ),
    (
        "gaussian: G -> F1, F2; F1 -> X1, X2, X3; F2 -> X4, X5, X6; hidden G, F1, F2; fix v(G)=1, m(F1)=0, m(F2)=0",
        3,
        1,
    ),
    ("gaussian: G -> F -> X; hidden G, F; fix v(F)=1, m(F)=3", 2, 2),
    ("gaussian: A -> H; hidden H; equal i = m(A), m(H)", 1, 1),
    ("gaussian: F, G -> X; hidden F, G; fix v(F)=1, v(G)=1, m(X)=0", 1, 2),
]


@pytest.mark.parametrize(("text", "count", "rest"), daily(UNITS, 4))
def test_units_and_real_redundancy(text, count, rest):
    """The scale and the mean of a factor are choices; the rotation of two factors and too few items are not."""
    units = identify(text).units

    assert (count, rest) == ((0, 0) if units is None else (units.count, units.rest))


@pytest.mark.parametrize(
    ("text", "count", "rest"),
    [
        # F is its intercept times nothing: to rescale it and to shift it move the same parameter
        ("gaussian: F -> X; hidden F; fix b(F->X)=0, v(F)=0", 1, 0),
        ("gaussian: Y -> F; Y -> X; G -> F; F -> X; hidden F, G; fix b(Y->X)=2, b(G->F)=0, v(G)=0, m(X)=1", 2, 1),
    ],
)
def test_units_that_depend_on_each_other(text, count, rest):
    """There is one field more than directions, at every point: their rank as polynomials proves the number."""
    units = identify(text).units

    assert (count, rest, True) == (units.count, units.rest, units.trust.is_proved)
    assert "symbolic" in units.counted_all.lemmas
    assert f"{count + 1} fields span all" in units.trust.facts


@pytest.mark.parametrize(("text", "count", "rest"), daily(UNITS, 4))
def test_units_without_polynomials(text, count, rest, monkeypatch):
    """Where the polynomials would be too long, combinations with numbers are counted, and all only if that is proved."""
    monkeypatch.setattr("algdim.families.gaussian.units.KERNEL_TERMS", 0)
    units = identify(text).units
    found = (0, 0) if units is None else (units.count, units.rest)

    assert found[0] <= count
    assert (count, rest) == found or not units.trust.is_proved
    assert count < 2 or "fix" in text or units.trust.is_proved


@pytest.mark.parametrize(
    ("model", "degree", "status"),
    daily(
        [
            ("2:2,2,2", 2, "proved"),
            ("3:3,3,3", 6, "proved"),
            ("1:2,2", 1, "proved"),
            ("gaussian: X -> Y -> Z; Y <-> Z", 1, "proved"),
            ("gaussian: F -> X1, X2, X3; hidden F; fix v(F)=1; means off", 2, "proved"),
            ("gaussian: F -> X1, X2, X3, X4; hidden F; fix v(F)=1; means off", 2, "proved"),
            ("gaussian: F -> X1, X2, X3, X4, X5; hidden F; fix v(F)=1; means off", 2, "probable"),
            ({"family": "polynomial", "parameters": ["x", "y"], "coordinates": ["x^9 + y", "y^9 + x"]}, 81, "probable"),
            ({"family": "polynomial", "parameters": ["x", "y"], "coordinates": ["x + y", "x*y"]}, 2, "proved"),
            ({"family": "polynomial", "parameters": ["x", "y"], "coordinates": ["x^2", "x*y"]}, 2, "proved"),
            (
                {
                    "family": "polynomial",
                    "parameters": ["x", "y", "z"],
                    "coordinates": ["x+y+z", "x*y+x*z+y*z", "x*y*z"],
                },
                6,
                "proved",
            ),
            ("5:2^5", None, None),
            ("2:2,2", "nothing", None),
        ],
        6,
    ),
)
def test_the_number_of_solutions(model, degree, status):
    """Relabellings, signs and permutations; large models are refused by name, infinite fibres are none."""
    fibre = identify(model).fibre
    if degree == "nothing":
        assert fibre is None
    else:
        assert (degree, status) == (fibre.degree, fibre.to_dict()["status"])
        assert (status == "proved") == bool(fibre.to_dict()["lemmas"])
        assert (status == "probable") == (fibre.to_dict()["error"] is not None)


@in_turn(3)
def test_large_models_by_chance():
    """Where no polynomials are written out, the identifiable are probable with an error, the others proved."""
    found = identify(factor_model(3, 12))

    assert {f"v(X{number})" for number in range(1, 13)} == set(found.identifiable)
    assert all(verdict.error is None for verdict in found.verdicts if not verdict.identifiable)
    assert all(0 < verdict.error < 1e-8 for verdict in found.verdicts if verdict.identifiable)
    assert "\nidentified (probable, error below" in str(found)
    assert (3, 3) == (found.units.count, found.units.rest)


def test_directions_are_tangent():
    """Every direction told as numbers is taken to nearly zero by the Jacobian at its point."""
    found = identify("3:2,2,2,2")
    pmap = map_of(read_model("3:2,2,2,2"))
    (direction,) = found.groups[0].directions
    point = np.array([direction.at[name] for name in pmap.parameters])
    moved = np.array([direction.moves.get(name, 0.0) for name in pmap.parameters])

    def table(values):
        weights = [values[0], values[1], 1 - values[0] - values[1]]
        items = [values[2 + 3 * item : 5 + 3 * item] for item in range(4)]
        return np.array(
            [
                sum(
                    w * np.prod([p[h] if x == 0 else 1 - p[h] for x, p in zip(cell, items, strict=True)])
                    for h, w in enumerate(weights)
                )
                for cell in product(range(2), repeat=4)
            ]
        )

    step = 1e-6
    change = (table(point + step * moved) - table(point - step * moved)) / (2 * step)
    assert np.abs(change).max() < 1e-8 < np.abs(moved).max()


def test_combinations_are_determined():
    """Sums and products that are told: a factor's loadings by their ratios, rates by their differences."""
    factor = identify("gaussian: F -> X1, X2, X3; hidden F; means off")

    assert {"b(F->X1)^2·v(F)", "b(F->X1) / b(F->X2)"} <= {one.text for one in factor.basis} | {"b(F->X1) / b(F->X2)"}
    assert 6 == len(factor.basis)
    rates = identify("poisson: {A},{B} -> E")
    assert "l(E.1|A=0) − l(E.1|A=1)" in {one.text for one in rates.basis}
    assert all(one.error is None for one in (*factor.basis, *rates.basis))


@pytest.mark.parametrize("family", ["poisson", "normal"])
def test_shifts_with_shared_hidden_causes_are_proved(family):
    """Lemma "shifts" (e): what moves together is what does where the hidden causes are observed."""
    text = f"{family}: {{A,H}},{{B}} -> E; {{H}},{{B}} -> F"
    found, observed = identify(f"{text}; hidden H"), identify(text)

    assert [group.parameters for group in observed.groups] == [group.parameters for group in found.groups]
    assert found.groups
    assert all(one.error is None for one in (*found.verdicts, *found.basis))


def test_only_whole_districts_are_proved_to_be_identifiable():
    """E and F have as many dimensions as parameters; of the others some move, and of those that stay this is probable."""
    text = "G -> A, B, C, D; L -> D; E -> F; hidden G, L; states A=5, B=5, C=5, D=5"
    found = {verdict.parameter: verdict for verdict in identify(text).verdicts}

    assert (False, None) == (found["P(L=0)"].identifiable, found["P(L=0)"].error)
    assert (True, None) == (found["P(F=0|E=0)"].identifiable, found["P(F=0|E=0)"].error)
    assert found["P(A=0|G=0)"].identifiable
    assert 0 < found["P(A=0|G=0)"].error < 1e-8


def test_other_criteria_stand_beside():
    """The half-trek criterion for Gaussian models without latent variables."""
    assert "half-trek criterion" in str(identify("gaussian: X -> Y; X <-> Y"))


@pytest.mark.parametrize(
    ("text", "is_one"),
    daily([("2:2,2,2", True), ("A -> B", False), ("H -> A, B, C; hidden H; share t: A, B", False)], 2),
)
def test_latent_class_models_have_criteria_of_their_own(text, is_one):
    """They are mentioned for these only, with free tables that are not shared."""
    assert is_one == ("as a latent class model" in str(identify(text)))


def test_what_nothing_depends_on_moves_freely():
    """A group of one parameter is told in a line of its own."""
    assert "P(C=0) can change alone: nothing observed depends on it" in str(identify("A -> B; states C=2; hidden C"))


def test_no_parameters():
    """A model without parameters has nothing to identify."""
    assert (
        "There are no parameters."
        == identify(
            {"family": "gaussian", "variables": [{"name": "A"}], "edges": [], "means": False, "fixed": {"v(A)": 1}}
        ).sentence
    )


def test_moments_that_are_not_everything_decide_nothing():
    """Moments of low order have a kernel, the distributions need not: nothing is called lost, and no group is told."""
    found = identify("latent-profile: H -> X, Y; hidden H; moments 2")

    assert () == found.groups == found.lost
    assert set(found.undecided) == {verdict.parameter for verdict in found.verdicts if not verdict.identifiable}
    assert found.undecided
    assert found.sentence.startswith("It is not decided")


def test_at_a_point_of_an_undecided_model():
    """There too nothing is said, unless the rank there is the number of parameters."""
    model = "latent-profile: H -> X; hidden H; moments 3"
    point = {"P(H=0)": "1/3", "m(X|H=0)": "0", "m(X|H=1)": "1", "v(X|H=0)": "1", "v(X|H=1)": "2"}
    found = identify(model, at=point).at

    assert found.regular is None
    assert {None} == {verdict for _, verdict in found.identifiable}


def test_at_a_point_of_full_rank():
    """All parameters are identifiable there, whatever is known generically."""
    tables = {"H": [["1/3", "2/3"]], "X1": [["1/2", "1/2"], ["1/5", "4/5"]]}
    tables |= {"X2": [["1/7", "6/7"], ["1/2", "1/2"]], "X3": [["1/4", "3/4"], ["2/5", "3/5"]]}
    found = identify("2:2,2,2", at=tables).at

    assert (7, True, None) == (found.rank, found.regular, found.error)
    assert (7, 0) == (len(found.list_parameters(True)), len(found.list_parameters(False)))


@in_turn(2)
def test_at_a_point_with_a_chance():
    """Verdicts that rest on probable ones say so."""
    model = factor_model(3, 12)
    names = map_of(model).parameters
    values = {"coefficients": {}, "variances": {}}
    for number, name in enumerate(names):
        kind, inner = name[0], name[2:-1]
        values["coefficients" if kind == "b" else "variances"][inner] = f"{number**2 % 97 + 1}/7"
    found = identify(model, at=values).at

    assert found.regular
    assert 0 < found.error < 1e-8
    assert {f"v(X{number})" for number in range(1, 13)} == set(found.list_parameters(True))


@in_turn(2)
def test_exchanges_are_bases():
    """Of many sets to fix some are told, each one member from the first: each leaves as many dimensions as parameters."""
    model = factor_model(2, 6)
    found = identify(model)
    (group,) = found.groups
    truth = formulas(model)

    assert not identify("5(2,3(2,2),3(2,2))").groups[0].all_listed
    for names in identify(factor_model(3, 6)).groups[0].fixings[:5]:
        assert 6 == len(names)
    for names in group.fixings:
        assert truth.rank == truth.rank_without({truth.names.index(name) for name in names})


@in_turn(3)
def test_large_kernels_are_quick():
    """With 132 directions sets to fix are told by exchanging members, and no rounded directions."""
    found = identify("12:12,12")
    (group,) = found.groups

    assert (132, ()) == (group.freedom, group.directions)
    assert not group.all_listed
    assert len(set(group.fixings)) == len(group.fixings) > 1


@pytest.mark.parametrize(
    ("model", "at"),
    [
        ("H -> X; hidden H", {"H": [["1/2", "1/2"]], "X": [[1, 0], [1, 0]]}),
        ("gaussian: H -> X; hidden H; means off", {"coefficients": {"H->X": 1}, "variances": {"H": 1, "X": 0}}),
        ("poisson: {A},{} -> E", {"P(A=0)": "1/2", "l(E.1|A=0)": 0, "l(E.1|A=1)": 1, "l(E.2)": 0}),
    ],
)
def test_nothing_is_lost_at_a_boundary_point_for_sure(model, at):
    """All parameters nearby with the same distribution may be outside: P(X=0) = 1 leaves both rows of X no choice."""
    found = identify(model, at=at)

    assert found.lost
    assert found.at.regular
    assert () == found.at.list_parameters(False)


def test_what_is_left_without_variables_that_cannot_matter():
    """No chance of error is claimed with a fixed coefficient on a cycle; here none is needed, for five numbers show five."""
    found = identify("gaussian: H, A, B; A -> B -> A; hidden H; fix b(A->B)=2")

    assert ("v(H)", "m(H)") == found.lost
    assert () == found.undecided
    assert all(one.error is None for one in (*found.verdicts, *found.basis))


def test_what_is_not_decided_is_not_determined():
    """Neither in the words nor in the JSON; and what is redundant is so as far as the dimension is right."""
    found = identify(
        "gaussian: X3, X1, X0, X2, H; X3 -> X0; X1 -> H; X0 -> X1, H; X2 -> X1; H -> X0, X2; X3, X1, X0 <-> X2; hidden H; "
        "fix b(X1->H)=1/2, v(X1)=3, v(X0)=1, m(X1)=1"
    )

    assert set(found.undecided) == {one.parameter for one in found.verdicts}
    assert {"coordinate"} == {one.kind for one in found.basis}
    assert str(found.units).endswith("real redundancy, as far as the dimension is right")


def four_items_in_three_classes(least):
    """A fit of four binary items by three classes, as a file has it, with one probability at or near its end."""
    tables = {"H": [[0.25, 0.25, 0.5]]}
    for number, rows in enumerate(([0.5, 0.25, 0.75], [0.125, 0.625, 0.25], [0.375, 0.5, 0.875], [0.75, 0.25, 0.5])):
        tables[f"X{number + 1}"] = [[value, 1 - value] for value in rows]
    tables["X1"][0] = [least, 1 - least]
    return {
        "schema": "algdim-fit-1",
        "boundary": [{"entry": "P(X1=0|H=0)", "value": least}],
        "parameters": tables,
    }


@pytest.mark.parametrize(("least", "boundary"), [(0.0, "on"), (2.4e-15, "near"), (9e-10, "near")])
def test_an_estimate_at_the_boundary_counts_as_the_boundary(tmp_path, least, boundary):
    """Climbing does not arrive at 0: with 2.4e-15 nothing is called lost that is not with 0."""
    path = tmp_path / "fit.json"
    path.write_text(json.dumps(four_items_in_three_classes(least)), encoding="utf-8")
    found = identify("3:2^4", at=path).at

    assert (13, True) == (found.rank, found.regular)
    assert () == found.list_parameters(False)
    assert boundary == found.boundary == found.to_dict()["boundary"]
    assert "counts as a boundary point" in "\n".join(found.lines())


def test_inside_verdicts_stay(tmp_path):
    """A small probability that is no rounding is inside."""
    path = tmp_path / "fit.json"
    path.write_text(json.dumps(four_items_in_three_classes(1e-6)), encoding="utf-8")
    found = identify("3:2^4", at=path).at

    assert found.boundary is None
    assert 14 == len(found.list_parameters(False))
    assert "boundary point" not in "\n".join(found.lines())
    assert "within 1/N of the boundary" in found.fit_boundary  # what the fit says is repeated


@pytest.mark.parametrize(("error", "unit"), [(1e-14, 1.0), (1e-14, 1e-12), (1e-14, 1e12)])
def test_a_variance_at_its_end_counts_as_the_boundary(error, unit):
    """Whatever the unit of the variables is: the variance is compared with that of its own variable."""
    model = "gaussian: H -> X1, X2, X3; hidden H; means off"
    point = {"coefficients": {f"H->X{i}": 1.0 for i in (1, 2, 3)}}
    point["variances"] = {"H": unit, "X1": unit * error, "X2": unit, "X3": unit}
    found = identify(model, at=point).at
    inside = identify(model, at={**point, "variances": dict.fromkeys(("H", "X1", "X2", "X3"), unit)}).at

    assert ("near", ()) == (found.boundary, found.list_parameters(False))
    assert (None, 4) == (inside.boundary, len(inside.list_parameters(False)))


def test_directions_have_no_idle_parentheses_and_minus_signs():
    """A formula that is one sum stands without; as a factor, or behind a sign, it has them."""
    text = str(identify("X -> Y -> Z; hidden Y"))

    assert "dP(Z=0|Y=0) = P(Z=0|Y=0) − P(Z=0|Y=1)\n" in text
    assert "dP(Y=0|X=0) = −(P(Y=0|X=0) − P(Y=0|X=1))," in text
    assert "= -" not in str(identify("3:2^4"))


def test_long_directions_are_given_as_numbers(monkeypatch):
    """Polynomials with too many terms to be read are replaced by numbers at a point, in which nothing observed changes."""
    groups = identify("2:2,2").groups
    monkeypatch.setattr("algdim.identifiability.combinations.MOST_TERMS_SHOWN", 1)
    rounded = identify("2:2,2").groups

    assert all(one.at is None for group in groups for one in group.directions)
    assert all(one.at is not None for group in rounded for one in group.directions)
    assert [(len(group.directions), group.freedom) for group in groups] == [
        (len(group.directions), group.freedom) for group in rounded
    ]


@pytest.mark.parametrize("text", ["A -> B", "gaussian: A -> B", "2:2,2,2", "loglinear: {A,B}"])
def test_where_all_is_identifiable_all_is_determined(text):
    """The basis has the parameters themselves."""
    found = identify(text)

    assert all(one.identifiable for one in found.verdicts)
    assert [(one.parameter, "parameter") for one in found.verdicts] == [(one.text, one.kind) for one in found.basis]


@in_turn(2)
def test_a_list_of_functions_is_no_better_known_than_the_dimension():
    """There may be more of them: independence is proved, that these are all is as probable as the dimension."""
    text = "K -> H1, H2; H1 -> X1; H2 -> X2; hidden K, H1, H2; states K=3, H1=3, H2=3, X1=4, X2=4; share h: H1, H2; share e: X1, X2"
    found = identify(text)

    assert found.report.trust.status == found.lists.basis.status == "probable"
    assert found.lists.basis.error >= found.report.trust.error
    assert f"determined ({found.report.dimension}; probable" in str(found)


def test_the_limit_of_memory_is_handed_on(monkeypatch):
    """The points at which parameters are looked at are drawn within the limit that was given."""
    from algdim.identifiability import identifying

    limits = []

    def noted(pmap, seed, memory):
        limits.append(memory)
        return points_of(pmap, seed, memory)

    points_of = identifying.make_point_source
    monkeypatch.setattr(identifying, "make_point_source", noted)
    identify("2:2,2", max_memory="20MB")

    assert [20 * 10**6] == limits
