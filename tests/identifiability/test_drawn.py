"""What was only drawn is never called proved: constants are chosen such that the very points of a seed mislead.

The truth is found by sympy and fractions at points of its own (`brute_identify`).
"""

from __future__ import annotations

import random
from itertools import combinations

import brute_identify
import pytest
import sympy
from amount import daily
from suites.random_gaussians import gaussian_model
from sympy.ntheory.modular import crt
from test_identifying import MOST_CIRCUITS, by_duals, check
from test_identifying import formulas as model_truth

from algdim import LimitError, dimension, identify
from algdim import model as read_model
from algdim.identifiability.identifying import ParameterSearch, decide_parameters
from algdim.identifiability.points import identify_at_point
from algdim.identifiability.rowspaces import MOST_DRAWS, make_point_source
from algdim.maps import map_of
from algdim.models.anymodel import read_model_dictionary

SEEDS = (0, 7)
F3_CONSTANT = 692898351008252838655478710


def formulas(parameters, coordinates):
    """A model given by formulas."""
    return read_model_dictionary(
        {"family": "polynomial", "parameters": list(parameters), "coordinates": list(coordinates)}
    )


def hidden_values(parameters, place, seed, draws=MOST_DRAWS + 4):
    """A number that is, modulo every prime that `identify` draws for a seed, the value of one parameter at its point.

    Points and primes depend on the seed and on how many parameters there are, not on the coordinates.
    """
    points = make_point_source(map_of(formulas(parameters, parameters)), seed, None)
    seen = {one.prime: int(one.point[place]) for one in map(points.at, range(draws))}
    found, modulus = crt(list(seen), list(seen.values()))
    assert modulus > 2**200
    return int(found)


def truth_of(parameters, coordinates):
    """Verdicts, groups and sets to fix of a model, by ranks of fractions."""
    plain = [one.replace("^", "**") for one in coordinates]
    return brute_identify.Truth(tuple(parameters), brute_identify.jacobians(parameters, plain))


def is_determined(text, truth, parameters, matrices):
    """Whether a sum or product of parameters is in the row space, at points of its own."""
    symbols = sympy.symbols(list(parameters))
    formula = sympy.sympify(text.replace("·", "*").replace("^", "**").replace("−", "-"))
    point, matrix = matrices
    slopes = [sympy.diff(formula, one).subs(dict(zip(symbols, point, strict=True))) for one in symbols]
    rows = [*matrix, slopes]
    return truth.rank == brute_identify.rank([[sympy.Rational(x) for x in row] for row in rows], len(parameters))


def check_proofs(found, truth):
    """Assert that nothing is called proved that is false."""
    parameters = truth.names
    for verdict in found.verdicts:
        if verdict.trust.is_proved:
            assert (verdict.parameter in truth.lost) != verdict.identifiable, verdict
    groups, fixings = truth.groups(), truth.fixings()
    for group in found.groups:
        mine = frozenset(group.parameters)
        if group.trust.is_proved:
            assert mine in groups, group
        listed = {frozenset(one) for one in group.fixings}
        if group.all_listed is not None:
            assert group.trust.is_proved or not group.all_listed
            assert group.all_listed == (listed == {one & mine for one in fixings})
        for one in group.fixings:
            others = {name for other in found.groups if other != group for name in other.fixings[0]}
            assert truth.rank == truth.rank_without({parameters.index(name) for name in others | set(one)})
    if found.lists.fixing is not None and found.lists.fixing.is_proved:
        assert frozenset(found.fixing) in fixings
    if found.lists.identifiable is not None and found.lists.identifiable.is_proved:
        assert not truth.lost.intersection(found.identifiable)
    if found.lists.groups is not None and found.lists.groups.is_proved:
        assert groups == {frozenset(group.parameters) for group in found.groups}


def test_a_zero_of_the_kernel_at_every_point_drawn():
    """Neither x nor y is identifiable, though the vector (1, 2(x − c)) is 0 at y at all points that seed 0 draws."""
    found = identify("polynomial: parameters x, y; coordinates y - (x - 19415400565789)^2")

    assert ("x", "y") == found.lost
    assert (("x",), ("y",)) == found.groups[0].fixings
    assert found.groups[0].all_listed
    assert ["f1"] == [one.text for one in found.basis]
    assert found.lists.basis.is_proved


def test_groups_that_every_point_drawn_tells_apart():
    """One group, not two, and five sets to fix: the polynomials say so, and without them it is told with a chance."""
    more = [f"z{number}" for number in range(1, 41)]
    model = formulas(["a", "b", "c", "e", *more], ["a - b", f"c - e + (a - {F3_CONSTANT})^2", *more])
    (group,) = identify(model).groups

    assert ("a", "b", "c", "e") == group.parameters
    assert {("a", "c"), ("a", "e"), ("b", "c"), ("b", "e"), ("c", "e")} == set(group.fixings)
    assert group.all_listed


@pytest.mark.parametrize("seed", SEEDS)
def test_without_polynomials_misleading_points_are_told_with_their_chance(seed, monkeypatch):
    """The same, with constants made for any seed, where the kernel is not known: wrong here, and never called proved."""
    monkeypatch.setattr("algdim.identifiability.kernels.KERNEL_PARAMETERS", 0)
    names = ("a", "b", "c", "e", "z")
    constant = hidden_values(names, 0, seed)
    coordinates = ("a - b", f"c - e + (a - {constant})^2", "z")
    found = identify(formulas(names, coordinates), seed=seed)
    document = found.to_dict()

    assert [("a", "b"), ("c", "e")] == [group.parameters for group in found.groups]
    assert ["probable", "probable"] == [one["status"] for one in document["groups"]]
    assert [None, None] == [one["all_listed"] for one in document["groups"]]
    assert all(0 < one["error"] < 1e-6 for one in document["groups"])
    assert "can change together, in 1 direction (probable, error below" in str(found)
    # in floating point a and b do not move together alone, whatever the points say
    assert () == found.groups[0].directions
    assert "proved" == document["lists"]["fixing"]["status"]
    check_proofs(found, truth_of(names, coordinates))


HOSTILE = [
    ("x, y", "y - (x - C0)^2"),
    ("x, y, z", "x*y, z + y*(x - C0)^2"),
    ("x, y, z", "x + y, (x - C0)*z"),
    ("x, y, z", "(x - C0)*y + z^2, (x - C0)*z"),
    ("x, y, z, w", "x*y, z*w + (x - C0)*(z - C2)^2"),
    ("x, y, z, w", "x*(y - C1) + z, w*(y - C1)"),
    ("x, y, z, w", "x - y, z - w + (x - C0)^2*w"),
    ("a, b, c, e, f", "a - b, c - e + (a - C0)^2, f*(c - C2)"),
    ("a, b, c, e, f", "a*b, b*c + (e - C3)*f, (e - C3)*a"),
]


@pytest.mark.parametrize("with_kernel", [True, False])
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("names", "texts"), daily(HOSTILE, 2))
def test_constants_against_the_seed(names, texts, seed, with_kernel, monkeypatch):
    """With polynomials every answer is right; without them what is called proved is."""
    if not with_kernel:
        monkeypatch.setattr("algdim.identifiability.kernels.KERNEL_PARAMETERS", 0)
    parameters = tuple(names.split(", "))
    for place in range(len(parameters)):
        if f"C{place}" in texts:
            texts = texts.replace(f"C{place}", str(hidden_values(parameters, place, seed)))
    coordinates = tuple(texts.split(", "))
    truth = truth_of(parameters, coordinates)
    try:
        found = identify(formulas(parameters, coordinates), seed=seed)
    except LimitError as error:
        told = str(error)
    else:
        told = ""
    if told:
        # at none of the points drawn the Jacobian has its rank: nothing is said, and never where polynomials are computed
        assert told.endswith("take another --seed")
        assert not with_kernel
        return
    check_proofs(found, truth)
    if with_kernel:
        assert truth.lost == set(found.lost)
        assert truth.groups() == {frozenset(group.parameters) for group in found.groups}
        assert frozenset(found.fixing) in truth.fixings()
        assert all(group.all_listed and group.trust.is_proved for group in found.groups)
        assert all(one.trust.is_proved for one in found.basis)


def random_formulas(draw):
    """Parameters and coordinates with products, differences of squares, parameters that occur nowhere, equal rows (ties)."""
    names = [f"t{number}" for number in range(draw.randint(2, 6))]

    def term():
        chosen = draw.sample(names, draw.randint(1, min(3, len(names))))
        shifted = [f"({name} - {draw.randint(0, 2)})" if draw.random() < 0.5 else name for name in chosen]
        return "*".join(one + ("^2" if draw.random() < 0.2 else "") for one in shifted)

    coordinates = [" + ".join(term() for _ in range(draw.randint(1, 3))) for _ in range(draw.randint(1, len(names)))]
    if draw.random() < 0.3:
        coordinates.append(f"3*({coordinates[0]}) - 1")
    return tuple(names), tuple(coordinates)


@pytest.mark.parametrize("with_kernel", [True, False])
@pytest.mark.parametrize("number", daily(range(25), 2))
def test_random_formulas(number, with_kernel, monkeypatch):
    """Verdicts, groups, sets to fix, functions and degrees of freedom of random maps are those of ranks of fractions."""
    if not with_kernel:
        monkeypatch.setattr("algdim.identifiability.kernels.KERNEL_PARAMETERS", 0)
    names, coordinates = random_formulas(random.Random(f"formulas {number}"))
    truth = truth_of(names, coordinates)
    found = identify(formulas(names, coordinates))
    check_proofs(found, truth)
    if truth.rank < len(names):
        assert truth.lost == set(found.lost)
        assert truth.groups() == {frozenset(group.parameters) for group in found.groups}
    draw = random.Random(number)
    point = [sympy.Rational(draw.randint(1, 997), 1009) for _ in names]
    symbols = sympy.symbols(list(names))
    at = dict(zip(symbols, point, strict=True))
    plain = [sympy.sympify(one.replace("^", "**")) for one in coordinates]
    matrix = [[sympy.diff(one, symbol).subs(at) for symbol in symbols] for one in plain]
    for one in found.basis:
        if one.kind != "coordinate":
            assert is_determined(one.text, truth, names, (point, matrix)), one
    # the affine hull, by values at points of their own
    values = []
    for _ in range(len(plain) + 3):
        there = {symbol: sympy.Rational(draw.randint(1, 10**6)) for symbol in symbols}
        values.append([*(one.subs(there) for one in plain), sympy.Integer(1)])
    hull = sympy.Matrix(values).rank() - 1
    assert (hull, hull - truth.rank) == (found.report.complete, found.freedom.right)
    assert found.freedom.trust.is_proved


@pytest.mark.parametrize("with_kernel", [True, False])
@pytest.mark.parametrize("seed", daily(range(15), 2))
def test_gaussian_models_by_polynomials_and_by_points(seed, with_kernel, monkeypatch):
    """Both ways give the answers of ranks of fractions; what each calls proved is."""
    if not with_kernel:
        monkeypatch.setattr("algdim.identifiability.kernels.KERNEL_PARAMETERS", 0)
    model = gaussian_model(seed, most=4)
    found, truth = identify(model), by_duals(model)
    check(found, truth)
    if truth.width <= MOST_CIRCUITS:
        check_proofs(found, truth)


TABLES = [
    "A -> C <- H -> B; hidden H; max C",
    "A -> B -> C; H -> B, C; hidden H; fix P(B=0|A=0,H=0)=1, P(B=1|A=0,H=0)=0",
    "H -> A, B, C; hidden H; share s: A, B; fix P(C=0|H=0)=0, P(C=1|H=0)=1",
    "A -> B; C -> D -> E; hidden D",
    "A -> B; states C=3; hidden C",
    "H -> A, B; L -> C, D; hidden H, L",
    "G -> A; H -> A, B, C; hidden G, H; max A",
    "A, B -> X; parity X; H -> A, B; hidden H",
]


@pytest.mark.parametrize("with_kernel", [True, False])
@pytest.mark.parametrize("text", daily(TABLES, 1))
def test_networks_with_zeros_and_ties(text, with_kernel, monkeypatch):
    """Networks with impossible cells, shared tables, several districts and variables that do not matter."""
    if not with_kernel:
        monkeypatch.setattr("algdim.identifiability.kernels.KERNEL_PARAMETERS", 0)
    model = read_model(text)
    found, truth = identify(model), model_truth(model)
    check(found, truth)
    if truth.width <= MOST_CIRCUITS:
        check_proofs(found, truth)


def test_districts_and_what_does_not_matter_prove_groups(monkeypatch):
    """Without polynomials: each district's group is proved if the rest of it is identifiable, and a loop is one."""
    monkeypatch.setattr("algdim.identifiability.kernels.KERNEL_PARAMETERS", 0)
    found = identify("H -> A, B; L -> C, D; E -> F; hidden H, L, K; states K=2")

    assert [5, 5, 1] == [len(group.parameters) for group in sorted(found.groups, key=lambda g: -len(g.parameters))]
    assert all(group.trust.is_proved for group in found.groups)
    assert {"parameters", "districts"} <= set(found.groups[0].trust.lemmas)
    assert found.lists.identifiable.is_proved


@pytest.mark.parametrize(
    ("text", "is_drawn"),
    [
        ("H1 -> X1, X2; X1 -> X3; H2 -> X3, X4; hidden H1, H2; states H1=3", True),
        ("X1 -> X2; X1, X2 -> H1; X2, H1 -> X4; X3, H1 -> H2; X3 -> H1; H2 -> X4; hidden H1, H2", True),
        ("3:2,2,3", True),
        ("gaussian: H -> X1, X2, X3, X4; X1 -> X2; hidden H", False),
        ("gaussian: X1 -> X2 -> X3; X1 <-> X2", False),
        ("A -> B -> C; A -> C", True),
    ],
)
def test_verdicts_alone_are_those_of_all_that_is_found(text, is_drawn, monkeypatch):
    """Where drawn points prove all of them no polynomials are looked for; elsewhere these prove as much as before."""
    wanted = [(one.parameter, one.identifiable, one.trust.is_proved) for one in identify(text).verdicts]
    if is_drawn:
        monkeypatch.setattr(ParameterSearch, "find_polynomial_kernel", None)
    found = decide_parameters(read_model(text))

    assert wanted == [(one.parameter, one.identifiable, one.trust.is_proved) for one in found]


def test_a_dimension_that_was_missed_is_not_built_upon():
    """The draws of this seed show 0, the polynomials 1, and so does a point: both are refused, with what to do."""
    model = formulas(["x", "y"], ["(x - 317029804222778316640746707911941)^2"])
    report, pmap = dimension(model, bounds="counting,ambient,chance"), map_of(model)
    assert (0, "probable") == (report.dimension, report.trust.status)

    with pytest.raises(LimitError, match="rank 1 over the rational functions; the draws of the dimension missed this"):
        ParameterSearch(pmap, report, make_point_source(pmap, 0, None))
    with pytest.raises(LimitError, match=r"rank at the given parameters is 1, .* take another --seed"):
        identify_at_point(model, pmap, report, [True, False], (None, report.trust), {"x": "1", "y": "2"}, 1 << 30)


def test_moments_of_less_rank_than_the_dimension_say_nothing():
    """A kernel of moments is that of the distribution only if it leaves as many dimensions; of cells less would be a bug."""
    of_moments = "latent-profile: H -> X, Y; hidden H"
    for text, error in ((of_moments, None), ("2:2,2", "a bug in algdim")):
        model = read_model(text)
        report, pmap = dimension(model), map_of(model)
        search = ParameterSearch(pmap, report, make_point_source(pmap, 0, None))
        assert (report.exact, report.moments is None) == (True, text != of_moments)
        assert search.find_polynomial_kernel() is not None
        search.dimension += 1
        if error is None:
            assert search.find_polynomial_kernel() is None
        else:
            with pytest.raises(RuntimeError, match=error):
                search.find_polynomial_kernel()


def test_polynomials_prove_a_dimension_that_was_probable(monkeypatch):
    """The same answer says one thing of the dimension, and of what rests on it."""
    model = formulas(["a", "b", "c"], ["(a + b*c)^2", "(a + b*c)^3"])
    drawn = dimension(model, bounds="counting,ambient,chance")
    monkeypatch.setattr("algdim.identifiability.identifying.dimension", lambda *_, **__: drawn)
    found = identify(model)

    assert not drawn.exact
    assert found.report.exact
    assert found.freedom.trust.is_proved
    assert str(found).splitlines()[0].count("dimension 1 (proved)")


def test_latent_variables_that_do_not_matter_move_freely():
    """Their entries are in no coordinate, in Gaussian models too: proved without polynomials."""
    found = identify("gaussian: X -> H; X -> Y; hidden H")

    assert {("b(X->H)",), ("v(H)",), ("m(H)",)} == {group.parameters for group in found.groups}
    assert all(group.trust.is_proved for group in found.groups)
    assert found.lists.identifiable.is_proved


def test_kernels_decide_minors_that_points_cannot():
    """Two columns that are always parallel, and two that are so at all points of the seed: the polynomials tell them apart."""
    names = ("x", "y", "z", "w", "v")
    constant = hidden_values(names, 0, 0)
    coordinates = (f"y + w + (x - {constant})^2", f"z + w + x*(x - {2 * constant})")
    found = identify(formulas(names, coordinates))
    truth = truth_of(names, coordinates)

    check_proofs(found, truth)
    assert all(group.all_listed for group in found.groups)


@pytest.mark.parametrize("seed", range(3))
def test_all_sets_are_all_sets(seed):
    """Where sets are said to be all, brute force finds no other; where more are said to exist, it does."""
    draw = random.Random(seed)
    names = [f"t{number}" for number in range(7)]
    rows = [[draw.randint(-1, 1) for _ in names] for _ in range(3)]
    coordinates = [" + ".join(f"{x}*{name}^2" for x, name in zip(row, names, strict=True)) for row in rows]
    found, truth = identify(formulas(names, coordinates)), truth_of(names, coordinates)

    check_proofs(found, truth)
    assert all(group.all_listed is not None for group in found.groups)


# chances


def test_a_list_carries_the_errors_of_all_that_could_be_in_it():
    """Eleven parameters are called identifiable, each with an error; the other two are in no coordinate, proved."""
    found = identify("classifier Y: Y -> X2; X1 -> X2; states Y=3, X1=3")
    kept = [verdict.error for verdict in found.verdicts if verdict.identifiable]

    assert 11 == len(kept)
    assert pytest.approx(sum(kept)) == found.lists.identifiable.error
    assert [(1, "proved"), (1, "proved")] == [(len(one.parameters), one.trust.status) for one in found.groups]
    assert f"\nidentified ({found.lists.identifiable})" in str(found)


def test_a_list_carries_the_errors_of_those_that_were_not_listed_too():
    """Some of 45 parameters are settled by their districts; of the others any could have been called identifiable wrongly."""
    found = identify("G -> A, B, C, D; L -> D; E -> F; hidden G, L; states A=5, B=5, C=5, D=5")
    settled = [one for one in found.verdicts if one.identifiable and one.trust.is_proved]
    (error,) = {one.error for one in found.verdicts if one.error is not None}

    assert 3 == len(settled)
    assert pytest.approx((len(found.verdicts) - 3) * error) == found.lists.identifiable.error


def test_a_list_at_a_point_too():
    """At given parameters the list of what is identifiable has the error of all of them."""
    classifier = "classifier Y: Y -> X2; X1 -> X2; states Y=3, X1=3"
    third = ["1/2", "1/3", "1/6"]
    rows = [[f"{n}/11", f"{11 - n}/11"] for n in (1, 2, 3, 5, 7, 4, 6, 8, 9)]
    found = identify(classifier, at={"Y": [third], "X1": [third], "X2": rows})

    assert found.at.regular
    assert found.lists.identifiable.error == found.at.error
    assert ("P(X1=0)", "P(X1=1)") == found.at.list_parameters(False)


@pytest.mark.slow
@pytest.mark.parametrize("bits", [10])
def test_chances_bound_how_often_points_mislead(bits, monkeypatch):
    """With one draw and primes of ten bits, wrong groups occur, and no more often than their error says."""
    monkeypatch.setattr("algdim.identifiability.kernels.KERNEL_PARAMETERS", 0)
    monkeypatch.setattr("algdim.identifiability.rowspaces.MOST_DRAWS", 1)
    monkeypatch.setattr("algdim.identifiability.rowspaces.RESIDUE_BITS", bits)
    monkeypatch.setattr("algdim.rank.RESIDUE_BITS", bits)
    monkeypatch.setattr("algdim.identifiability.rowspaces.SURE", 1.0)
    names = ("x", "y", "z")
    model = formulas(names, ("z + (x - 3)^2*(x - 5)^2*(x - 7)^2*(x - 8)^2 + y*(x - 1)*(x - 2)",))
    wrong, runs, bounds = 0, 300, []
    report = dimension(model)
    assert report.exact
    for seed in range(runs):
        found = identify(model, seed=seed)
        wrong += [("x", "y", "z")] != [group.parameters for group in found.groups]
        bounds.append(min(1.0, found.groups[0].error or 1.0))
    assert 0 < wrong < sum(bounds)


CONSTANT_CLASS = "H -> A, B, C, D, E; hidden H; fix P(H=0)=1, P(H=1)=0, " + ", ".join(
    f"P({name}={state}|H=0)=1/2" for name in "ABCDE" for state in (0, 1)
)


@pytest.mark.parametrize(
    "model",
    [
        "A, B, C, D, E -> X; parity X; given A, B, C, D, E; X -> H; hidden H",
        CONSTANT_CLASS,
        "polynomial: parameters a, b; coordinates 1, 2/3",
    ],
)
def test_models_of_dimension_zero(model):
    """Nothing depends on any parameter: each moves freely, proved, also where the table is seen by probes."""
    found = identify(model)

    assert 0 == found.report.dimension
    assert all(1 == len(group.parameters) and group.trust.is_proved for group in found.groups)
    assert set(found.lost) == {verdict.parameter for verdict in found.verdicts}


# degrees of freedom


def sum_of(names):
    """A sum of parameters whose twelfth power has too many terms to be multiplied out."""
    return f"({' + '.join(names)} + 1)"


def hull_constants(names, seed, count):
    """The coefficients of a polynomial in the sum of the parameters that is 0 at all points drawn for a hull."""
    from algdim.exact.draws import draw_residues, open_stream
    from algdim.families.polynomial.bounds import MOST_DRAWS as PRIMES
    from algdim.families.polynomial.bounds import SPARE_POINTS
    from algdim.rank import find_usable_prime

    pmap = map_of(formulas(names, names))
    rows, primes = [], []
    for number in range(PRIMES):
        prime = find_usable_prime(pmap, seed, "hull", number)
        zeros = [
            int(draw_residues(open_stream(seed, "point", "hull", number, k), prime, len(names)).sum() + 1) % prime
            for k in range(count + 1 + SPARE_POINTS)
        ]
        row = [1]
        for zero in zeros:
            row = [(a - zero * b) % prime for a, b in zip([*row, 0], [0, *row], strict=True)]
        rows.append(row)
        primes.append(prime)
    return [int(crt(primes, list(column))[0]) for column in zip(*rows, strict=True)]


NINE = ("x", "a", "b", "c", "d", "e", "f", "g", "h")


@pytest.mark.parametrize("seed", SEEDS)
def test_a_hull_at_points_is_never_proved_unless_it_is_full(seed):
    """Made for a seed: the hull has dimension 2 and seems to have 1; degrees of freedom 0 with a chance, right with other seeds."""
    total = sum_of(NINE)
    degrees = hull_constants(NINE, seed, 2)
    more = " + ".join(f"{x}*{total}^{len(degrees) - 1 - k}" for k, x in enumerate(degrees))
    model = formulas(NINE, (f"{total}^12", f"{total}^12 + {more}"))
    misled, right = identify(model, seed=seed), identify(model, seed=seed + 1)

    assert (1, 1, 0) == (misled.report.dimension, misled.report.complete, misled.freedom.right)
    assert "probable" == misled.freedom.to_dict()["status"] == misled.report.to_dict()["complete_trust"]["status"]
    assert "degrees of freedom: 0 (probable, error below" in str(misled)
    assert "probable" in misled.report.note
    assert (2, 1) == (right.report.complete, right.freedom.right)
    assert right.report.in_complete.is_proved
    assert right.freedom.trust == right.report.trust


@pytest.mark.parametrize("seed", SEEDS)
def test_a_hull_that_contradicts_the_dimension_is_refused(seed):
    """No model has more dimensions than its affine hull: the points missed it."""
    total = sum_of(NINE)
    degrees = hull_constants(NINE, seed, 2)
    more = " + ".join(f"{x}*{total}^{len(degrees) - 1 - k}" for k, x in enumerate(degrees))
    model = formulas(NINE, (f"{total}^12", f"{total}^12 + a*({more})"))

    with pytest.raises(LimitError, match="take another --seed"):
        dimension(model, seed=seed)
    assert 2 == dimension(model, seed=seed + 1).complete


def test_the_hull_of_the_points_of_one_seed():
    """The degrees of freedom of this map are 0; the points of a fixed stream showed −1 and called it proved."""
    factors = "*".join(f"(x-{n})" for n in (1747370, 2588338, 4345723, 4398624, 3540911, 148887, 2701019))
    found = identify(formulas(NINE, (f"{sum_of(NINE)}^12", f"{sum_of(NINE)}^12 + {factors}")))

    assert (2, 2, 0) == (found.report.complete, found.report.dimension, found.freedom.right)


def test_the_chances_of_hulls_multiply(monkeypatch):
    """Each prime may mislead by itself: after all of them the chance is the product."""
    from algdim.families.polynomial import bounds

    monkeypatch.setattr(bounds, "compute_hull_error", lambda *_: 0.5)
    value, error, _ = bounds.estimate_hull_dimension(map_of(formulas(("a",), ("a", "2*a + 1"))), 0)

    assert (1, 0.5**bounds.MOST_DRAWS) == (value, error)


def test_hulls_at_points_and_multiplied_out_agree(monkeypatch):
    """Of random maps, quotients among them, both find the same hull, and a chance is never claimed to be none."""
    models = [random_formulas(random.Random(f"hull {number}")) for number in range(15)]
    models += [(("a", "b"), ("a/(b + 1)", "1/(b + 1)", "(a + 2)/(b + 1)")), (("a",), ("1/a", "1 + 2/a"))]
    expected = [map_of(formulas(*one)).complete for one in models]
    monkeypatch.setattr("algdim.families.polynomial.map.MOST_TERMS", -1)
    for (names, coordinates), value in zip(models, expected, strict=True):
        report = dimension(formulas(names, coordinates), bounds="counting,ambient,chance")
        assert value == report.complete
        assert report.in_complete.is_proved == (value == len(coordinates))
        assert report.in_complete.is_proved or 0 < report.in_complete.error < 1e-6


def test_degrees_of_freedom_of_an_open_dimension():
    """Between the numbers that the bounds of the dimension leave."""
    found = identify(
        "gaussian: X3, X1, X0, X2, H; X3 -> X0; X1 -> H; X0 -> X1, H; X2 -> X1; H -> X0, X2; X3, X1, X0 <-> X2; hidden H; "
        "fix b(X1->H)=1/2, v(X1)=3, v(X0)=1, m(X1)=1"
    )
    report = found.report
    low, high = report.complete - report.upper.value, report.complete - report.lower.value

    assert f"degrees of freedom: {high} (between {max(0, low)} and {high})" in str(found)
    assert "bounds only" == found.freedom.to_dict()["status"]


# units


def test_units_without_proof_say_at_least(monkeypatch):
    """A point at which the fields vanish shows too few: their rank as polynomials tells, and nothing is called proved."""
    text = "gaussian: F, G -> X1, X2, X3, X4, X5; hidden F, G; means off"
    assert identify(text).units.trust.is_proved
    assert {"units", "moves"} <= set(identify(text).units.trust.lemmas)
    monkeypatch.setattr("algdim.families.gaussian.units.evaluate_field", lambda field, at: at.values * 0)
    found = identify(text).units

    assert (0, "bounds only") == (found.count, found.to_dict()["status"])
    assert "at most real redundancy" in str(found)


def test_pairs_of_parameters_in_one_circuit():
    """Any two parameters of a group are in a common circuit of the columns: what the chance of groups rests on."""
    names = ("a", "b", "c", "e", "f")
    truth = truth_of(names, ("a*b", "b*c + e*f", "e*a"))
    width = truth.width
    circuits = [
        set(chosen)
        for size in range(1, truth.rank + 2)
        for chosen in combinations(range(width), size)
        if brute_identify.rank([[row[x] for x in chosen] for row in truth.matrix], size) == size - 1
        and all(
            brute_identify.rank([[row[x] for x in chosen if x != y] for row in truth.matrix], size - 1) == size - 1
            for y in chosen
        )
    ]
    for group in truth.groups():
        places = [truth.names.index(name) for name in group]
        assert all(any({i, j} <= one for one in circuits) for i, j in combinations(places, 2))
