"""The families "poisson" and "normal": notation, files, cumulants, ranks, the bound by shifts."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from itertools import product
from math import factorial

import brute_maxima
import brute_shared
import families
import mpmath
import numpy as np
import pytest
import sympy
from amount import daily, in_turn, some
from hypothesis import given, settings
from hypothesis import strategies as st

import algdim
from algdim import InputError, LimitError, dimension
from algdim.exact.arithmetic import Residues, make_rationals
from algdim.exact.polynomials import make_polynomials
from algdim.exact.tape import Places, Tape
from algdim.families.additive.map import build_additive_map, compute_design_rank
from algdim.families.additive.maxima import (
    compute_left_tails,
    compute_log_cumulatives,
    list_tail_numbers,
    measure_left_tail,
)
from algdim.families.additive.model import Additive
from algdim.families.discrete.model import Network, Variable
from algdim.identifiability.rowspaces import find_lost_parameters
from algdim.jacobian import evaluate_functionals, evaluate_jacobian, make_evaluator
from algdim.models.anymodel import read_model_dictionary
from algdim.rank import make_object_array


@st.composite
def models(draw):
    """Draw a small additive model."""
    causes = ["A", "B", "C"][: draw(st.integers(1, 3))]
    variables = []
    for number, name in enumerate(causes):
        parents = tuple(earlier for earlier in causes[:number] if draw(st.booleans()))
        variables.append(Variable(name, draw(st.integers(2, 3)), True, parents))
    mechanisms = []
    for number in range(draw(st.integers(1, 3))):
        own = [name for name in draw(st.permutations(causes)) if draw(st.booleans())]
        if draw(st.integers(0, 2)) == 0:
            inside = f"H{number}"
            parents = tuple(name for name in own if draw(st.booleans()))
            variables.append(Variable(inside, draw(st.integers(1, 2)), False, parents))
            own.append(inside)
        mechanisms.append(tuple(own))
    return Additive(draw(st.sampled_from(["poisson", "normal"])), Network(tuple(variables)), ("E",), tuple(mechanisms))


def multiplied_out(pmap):
    """All coordinates as polynomials."""
    arithmetic, point = make_polynomials(len(pmap.parameters))
    evaluator = make_evaluator(pmap)
    return evaluate_functionals(pmap, arithmetic, point, evaluator.all_coordinates(), evaluator=evaluator)


def degree_and_size(polynomial):
    """The degree and the sum of the absolute coefficients, which must be integers."""
    assert all(coefficient.q == 1 for coefficient in polynomial.coeffs())
    return max(map(sum, polynomial.monoms()), default=0), sum(abs(int(c.p)) for c in polynomial.coeffs())


@settings(max_examples=some(40))
@given(models())
def test_cumulant_sizes(model):
    """Lemma "cumulant sizes": multiplied out, no coordinate has a greater degree or size; without mixtures some attain both."""
    pmap = build_additive_map(model)
    if len(pmap.parameters) > 24 or pmap.order > 6:
        return
    degree, log_size = pmap.degree_and_log_size()
    found = [degree_and_size(polynomial) for polynomial in multiplied_out(pmap)]

    assert max(one for one, _ in found) <= degree
    assert max(size for _, size in found) <= 2 ** (log_size + 1e-9)
    if not pmap.is_mixed:
        assert (degree, len(model.mechanisms)) == (max(found)[0], max(size for _, size in found))


@pytest.mark.parametrize(
    ("text", "degree", "size"),
    [
        ("poisson: {A},{B} -> E", 1, 2),
        ("normal: {A},{B},{A,B} -> E", 1, 3),
        ("poisson: {H},{A} -> E; hidden H", 6, 2 * 123),  # c₃ = 3(5 + 3·2 + 2·15·1), c₂ = 3(2 + 3·1) = 15
    ],
)
def test_cumulant_sizes_by_hand(text, degree, size):
    """What the lemma's recursions give."""
    pmap = build_additive_map(algdim.model(text))
    found = pmap.degree_and_log_size()

    assert (degree, pytest.approx(size)) == (found[0], 2 ** found[1])


def generating_functions(model, order, number):
    """Cumulants of the effect in all joint states, by the logarithm of the moments' generating function, in sympy's ring of the names."""
    by_name = {variable.name: variable for variable in model.network.variables}
    causes = [variable.name for variable in model.network.observed]

    def entry(name, state, at):
        """One entry of a table, the last state as 1 minus the others."""
        variable = by_name[name]
        given_text = ",".join(f"{parent}={at[parent]}" for parent in variable.parents)
        entries = [number[f"P({name}={k}{'|' if given_text else ''}{given_text})"] for k in range(variable.states - 1)]
        return entries[state] if state < variable.states - 1 else 1 - sum(entries)

    def multiplied(one, other):
        """The product of two series in t, up to the order."""
        return [sum((one[i] * other[n - i] for i in range(n + 1)), Fraction(0)) for n in range(order + 1)]

    def composed(series, weights):
        """A power series of a series without constant term."""
        power, total = [1, *[0] * order], [0] * (order + 1)
        for weight in weights:
            total = [a + weight * b for a, b in zip(total, power, strict=True)]
            power = multiplied(power, series)
        return total

    exponential = [Fraction(1, factorial(k)) for k in range(order + 1)]
    logarithm = [Fraction(0), *(Fraction((-1) ** (k + 1), k) for k in range(1, order + 1))]
    found = []
    for cell in product(*(range(by_name[name].states) for name in causes)):
        at, total = dict(zip(causes, cell, strict=True)), [0] * (order + 1)
        for which, parents in enumerate(model.mechanisms, 1):
            inside = [name for name in parents if not by_name[name].observed]
            plain = [name for name in parents if by_name[name].observed]
            mixture = [0] * (order + 1)
            for state in range(by_name[inside[0]].states if inside else 1):
                where = ",".join(
                    f"{name}={value}" for name, value in [*((n, at[n]) for n in plain), *((n, state) for n in inside)]
                )
                own = f"E.{which}{'|' if where else ''}{where}"
                if model.family == "poisson":
                    one = [0, *(number[f"l({own})"] * one for one in exponential[1:])]
                else:
                    one = [0, number[f"m({own})"], number[f"v({own})"] * Fraction(1, 2), *[0] * order][: order + 1]
                weight = entry(inside[0], state, at) if inside else 1
                mixture = [a + weight * b for a, b in zip(mixture, composed(one, exponential), strict=True)]
            shifted = [mixture[0] - 1, *mixture[1:]]
            assert shifted[0] == 0
            total = [a + b for a, b in zip(total, composed(shifted, logarithm), strict=True)]
        found += [total[n] * factorial(n) for n in range(1, order + 1)]
    return found


@in_turn(2)
@settings(max_examples=some(12))
@given(models(), st.integers(0, 99))
def test_values_and_derivatives_are_those_of_generating_functions(model, seed):
    """Cumulants by recursion are those of the logarithm of the generating function, and so are their derivatives."""
    pmap, field = build_additive_map(model), make_rationals()
    order = min(pmap.order, 3)
    if pmap.order > 3 or pmap.coordinate_count > 80 or len(pmap.parameters) > 24:
        return
    random = np.random.default_rng(seed)
    point = [Fraction(int(x), 7) for x in random.integers(1, 30, len(pmap.parameters))]
    ring = sympy.ring([f"x{number}" for number in range(len(pmap.parameters))], sympy.QQ)[0]
    unknowns = ring.gens
    expected = [
        *unknowns[: pmap.tables],
        *generating_functions(model, order, dict(zip(pmap.parameters, unknowns, strict=True))),
    ]
    at = list(zip(unknowns, point, strict=True))
    coordinates = make_evaluator(pmap).all_coordinates()
    elements = field.elements(make_object_array(point))

    assert len(expected) == pmap.coordinate_count == len(set(pmap.coordinates()))
    assert [Fraction(str(one.evaluate(at))) for one in expected] == [
        Fraction(str(x)) for x in evaluate_functionals(pmap, field, elements, coordinates)
    ]
    matrix = evaluate_jacobian(pmap, field, elements, coordinates)
    for row, one in zip(matrix, expected, strict=True):
        assert [Fraction(str(one.diff(x).evaluate(at))) for x in unknowns] == [Fraction(str(x)) for x in row]


@settings(max_examples=some(30))
@given(models())
def test_sums_alone_are_exact(model):
    """Without mixtures a theorem counts the dimensions."""
    report = dimension(model)

    assert report.exact or build_additive_map(model).is_mixed


@settings(max_examples=some(40))
@given(
    st.lists(st.integers(2, 4), min_size=1, max_size=4).flatmap(
        lambda sizes: st.tuples(
            st.just(sizes), st.lists(st.sets(st.integers(0, len(sizes) - 1)).map(tuple), min_size=1, max_size=4)
        )
    )
)
def test_design_rank_is_the_rank_of_the_design_matrix(case):
    """The faces of the sets give the rank of the matrix written out."""
    sizes, sets = case
    cells = list(product(*map(range, sizes)))
    columns = {(number, tuple(cell[axis] for axis in one)) for cell in cells for number, one in enumerate(sets)}
    matrix = [
        [int(all(cell[a] == v for a, v in zip(sets[n], state, strict=True))) for n, state in sorted(columns)]
        for cell in cells
    ]

    assert np.linalg.matrix_rank(np.array(matrix)) == compute_design_rank(sets, sizes)


def test_probes_are_sums_of_coordinates():
    """The functional of product weights is the weighted sum of all coordinates, in GF(p)."""
    pmap, prime = build_additive_map(algdim.model("normal: {A,B},{B,H} -> E; hidden H; states A=3")), 8388593
    field = Residues(prime)
    point = field.elements(np.arange(3, 3 + len(pmap.parameters)))
    evaluator = make_evaluator(pmap)
    probes = evaluator.random_functionals(5, prime, 1)
    table, few = (
        evaluate_jacobian(pmap, field, point, functionals) for functionals in (evaluator.all_coordinates(), probes)
    )
    entries, a, b, orders = (np.rint(part).astype(np.int64).astype(object) for part in probes.vectors(field, 0, 5))
    cells = [a[i] * b[j] * orders[n] for i in range(3) for j in range(2) for n in range(pmap.order)]
    weights = np.array([*entries, *cells], dtype=object)

    assert (
        (weights.T @ np.rint(table).astype(np.int64).astype(object) - np.rint(few).astype(np.int64).astype(object))
        % prime
        == 0
    ).all()


@pytest.mark.parametrize(
    ("text", "standard", "value"),
    [
        # one cause each: the constants of all but one mechanism are redundant
        ("poisson: {A},{B},{C} -> E", 9, 7),
        ("normal: {A},{B},{C} -> E", 15, 11),
        # a leak is another constant
        ("poisson: {A},{B} -> E; leak", 7, 5),
        # MH97 Table 1's structures F1 … F5: the faces of {1}{2}{3}, {1,2}{3}, {1,2}{2,3}, {1,2}{1,3}{2,3}, {1,2,3}
        ("poisson: {A,B},{C} -> E", 9, 8),
        ("poisson: {A,B},{B,C} -> E", 11, 9),
        ("poisson: {A,B},{A,C},{B,C} -> E", 15, 10),
        ("poisson: {A,B,C} -> E", 11, 11),
        # one mixture of two normal variables has its five parameters (Pearson), one of two Poisson variables its three
        ("normal: {H} -> E; hidden H; states A=2", 6, 6),
        ("poisson: {H} -> E; hidden H; states A=2", 4, 4),
        ("normal: {A,H},{B,G} -> E; hidden H, G", 20, 18),
    ],
)
def test_numbers_that_can_be_counted_by_hand(text, standard, value):
    """Parameters less what can be moved between the summands."""
    report = dimension(text)

    assert (standard, value, True) == (report.standard, report.dimension, report.exact)


def test_forty_mechanisms_cost_no_table():
    """Two neighbours each of 41 causes with 2^41 joint states: 41 + 1 + 41 + 40 dimensions."""
    braces = ",".join(f"{{C{k},C{k + 1}}}" for k in range(40))
    report = dimension(f"poisson: {braces} -> E")

    assert (41 + 160, 41 + 1 + 41 + 40, True) == (report.standard, report.dimension, report.exact)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("poisson: A -> B", "an effect is expected"),
        ("poisson: {A} -> E; E -> F", "E has infinitely many values"),
        ("max-poisson: {A} -> E, F", "given observed causes several effects are independent"),
        ("max-poisson: {A,H} -> E; {H},{B} -> F; hidden H", "effects with hidden causes are supported for sums only"),
        ("poisson: {A} -> E; {E},{A} -> F", "their difference is an effect without it"),
        ("poisson: {A} -> E; {A} -> F; states F=2", "F is a sum"),
        ("poisson: {A} -> E; {A},{} -> F; leak", "F has a leak already"),
        ("poisson: {A},{B} -> E; max E", "their maximum in the families max-poisson and max-normal"),
        ("max-poisson: {A},{B} -> E; max E", "write 'max: {A},{B} -> E; states E=10'"),
        ("at-least-normal 3: {A},{B} -> E", "N is 3, but E has 2 mechanisms; N must be 2"),
        ("at-least-normal 1: {A},{B} -> E", "the maximum is the family max-normal"),
        ("at-least-poisson 0: {A},{B},{} -> E", "N is 0, but E has 3 mechanisms; N must be from 2 to 3"),
        ("at-least-poisson 2: {A} -> E", "E has one mechanism; the poisson variable is E itself"),
        ("at-least-poisson: {A},{B} -> E", "at-least-poisson N"),
        ("at-least-poisson two: {A},{B} -> E", "a number of mechanism variables is expected"),
        ("at-least-normal 2: {A},{B} -> E; states E=3", "E is one of its mechanism variables"),
        ("max-normal: {A} -> E; states E=3", "is a maximum"),
        ("normal: {A},{B} -> E; at-least 2 E", "write 'at-least 2: {A},{B},{C} -> E'"),
        ("poisson: {} -> E", "no cause"),
        ("poisson: {A},{} -> E; leak", "a leak already"),
        ("max-poisson: {A,H},{B,H} -> E; hidden H", "belongs to 2 mechanisms; this is supported for sums only"),
        ("poisson: {A} -> E; H -> A; hidden H", "belongs to no mechanism"),
        ("at-least-poisson 2: {A,H,G},{} -> E; hidden H,G", "hidden parents H and G|hidden parents H, G"),
        ("max-normal: {A,H},{B} -> E; hidden H; B -> H", "none of its causes"),
        ("max-normal: {A,H} -> E; hidden H; H -> A", "A depends on H"),
        ("normal: {A} -> E; A -> E", "point at E"),
        ("normal: {A} -> E; states E=3", "is a sum"),
        ("normal: {A} -> E; fix P(A=0)=1/2", "does not belong to"),
        ("threshold: {A},{B} -> E", "MH97 §3.3"),
    ],
)
def test_what_is_refused(text, words):
    """Each with its reason, and where in the text."""
    with pytest.raises(InputError, match=words):
        algdim.model(text)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"effect": None}, "effect is missing"),
        ({"effect": "A"}, "has a table too"),
        ({"mechanisms": [["A"], ["Z"]]}, "no cause Z"),
        ({"mechanisms": [["A", "A"]]}, "occurs twice"),
        ({"mechanisms": "A"}, "lists of names"),
        ({"mechanisms": []}, "no mechanism"),
        ({"means": False}, "means"),
        ({"least": 2}, "takes no number of mechanism variables"),
        ({"least": True}, "an integer is expected"),
        ({"family": "at-least-poisson"}, "E has one mechanism"),
        ({"effects": []}, "is expected"),
        ({"effects": [{"name": "F", "mechanisms": [["A"]]}]}, "effects has it"),
        ({"effect": None, "mechanisms": None, "effects": [{"name": "F"}]}, "an effect: mechanisms is missing"),
        ({"effect": None, "mechanisms": None, "effects": [{"name": "F", "mechanisms": []}]}, "no mechanism"),
    ],
)
def test_files_that_are_refused(change, words):
    """Each with its reason."""
    data = {"family": "poisson", "variables": [{"name": "A"}], "effect": "E", "mechanisms": [["A"]]}
    with pytest.raises(InputError, match=words):
        read_model_dictionary({key: value for key, value in {**data, **change}.items() if value is not None})


def test_a_threshold_in_a_file_is_refused_by_name():
    """The continuous threshold node of MH97 §3.3 is no rational function."""
    data = {"variables": [{"name": "A"}, {"name": "E"}], "edges": [["A", "E"]], "local": {"E": {"type": "threshold"}}}
    with pytest.raises(InputError, match=r"MH97 §3\.3"):
        read_model_dictionary(data)


def test_large_mechanisms_are_refused_before_they_are_built():
    """Numbers are named."""
    with pytest.raises((InputError, LimitError), match=r"1000000|1,000,000"):
        dimension(f"poisson: {{{','.join(f'C{k}' for k in range(40))}}} -> E")


def test_the_rank_at_given_parameters(tmp_path):
    """Parameters by their names; two equal components make the point singular."""
    text = "normal: {A,H} -> E; hidden H"
    names = build_additive_map(algdim.model(text)).parameters
    values = {name: "1/2" if name.startswith("P") else 1 for name in names}
    path = tmp_path / "at.json"
    path.write_text(json.dumps(values), encoding="utf-8")
    report = dimension(text, at=str(path))

    assert report.at.rank < report.dimension


@pytest.mark.parametrize(
    ("text", "parameters", "shifts"),
    [
        ("poisson: {A},{H1},{H2} -> E; hidden H1, H2", 9, 2),
        ("poisson: {H0},{A},{H2} -> E; hidden H0, H2; states H0=3", 11, 2),
        ("normal: {A},{H1},{H2} -> E; hidden H1, H2", 15, 4),
        ("normal: {A},{H1},{H2} -> E; hidden H1, H2; states H2=3", 18, 4),
        ("normal: {A,B,H0},{A,H1},{A,C} -> E; A -> B; A -> H1; hidden H0, H1; states B=3, C=3", 54, 8),
    ],
)
def test_enough_cumulants_are_taken_for_mixtures_beside_mechanisms_without(text, parameters, shifts):
    """Finite mixtures of Poisson or normal variables show their components (Teicher 1963), so only shifts are lost."""
    report = dimension(text)
    assert (parameters, parameters - shifts) == (report.standard, report.dimension)
    assert report.exact


def test_the_saturated_model():
    """Both causes' six joint states, and in each of these every cumulant that is taken."""
    assert 6 - 1 + 6 == build_additive_map(algdim.model("poisson: {A},{B} -> E; states A=3")).complete
    assert 6 - 1 + 2 * 6 == build_additive_map(algdim.model("normal: {A},{B} -> E; states A=3")).complete


@pytest.mark.parametrize("variables", [1, 2, 5, 9])
@pytest.mark.parametrize("law", ["poisson", "normal"])
def test_a_maximum_shows_all_its_parameters(law, variables):
    """Lemma "maxima": also where no cause tells the mechanisms apart; a sum would show one or two numbers."""
    braces = ",".join(["{A}", *["{}"] * (variables - 1)])
    report = dimension(f"max-{law}: {braces} -> E")
    parameters = 1 + (variables + 1) * (1 if law == "poisson" else 2)

    assert (parameters, parameters, True) == (report.standard, report.dimension, report.exact)


@pytest.mark.parametrize("words", ["max-poisson", "max-normal", "at-least-poisson", "at-least-normal"])
def test_one_of_several_by_size_shows_all_its_parameters(words):
    """Lemma "order statistics": mixtures and equal causes too, by brute force on values of the distribution function."""
    causes = [
        "{A},{B},{}",
        "{A},{}",
        "{A,H},{A}; hidden H",
        "{H},{G}; hidden H, G; states H=3",
        "{A,H},{},{G}; A -> H; hidden H, G",
        "{},{},{},{A}",
    ]
    for number, text in enumerate(causes):
        braces, _, rest = text.partition(";")
        mechanisms = braces.count("{")
        least = f" {2 + number % (mechanisms - 1)}" if words.startswith("at-least") else ""
        model = algdim.model(f"{words}{least}: {braces} -> E;{rest}".rstrip(";"))
        report = dimension(model)

        assert report.exact
        assert report.standard == report.dimension == brute_maxima.dimension(model)
        assert algdim.verify(algdim.prove(model)).accepted


SHARED = [
    "{A,H},{B} -> E; {H},{C} -> F; hidden H",
    "{A},{B} -> E; {A,B} -> F",
    "{H},{A} -> E; H -> A; H -> X; hidden H",
    "{A,H,G} -> E; hidden H, G",
    "{H},{A} -> E; {H,A} -> F; hidden H; states H=3",
    "{A,H},{B,H} -> E; hidden H",
    "{H},{G} -> E; {H},{G} -> F; hidden H, G",
    "{H},{G} -> E; {H,G} -> F; G -> H; hidden H, G",
    "{H} -> E; {H} -> F; A -> H; hidden H",
    "{H,G} -> E; H -> G; G -> X; hidden H, G",
    "{A,H},{A},{} -> E; {H},{} -> F; hidden H; B -> A",
    "{H},{H},{G} -> E; {A,G} -> F; A -> H; hidden H, G",
    "{H} -> E; {H} -> F; {H} -> G; hidden H; states H=3",
]


@pytest.mark.parametrize("law", ["poisson", "normal"])
@pytest.mark.parametrize("text", daily(SHARED, 4))
def test_shared_hidden_causes_by_brute_force(law, text):
    """Lemma "shifts" (e): the rank of all joint moments of the effects and observed causes, modulo a prime."""
    model = algdim.model(f"{law}: {text}")
    report = dimension(model)

    assert report.exact
    assert report.dimension == brute_shared.dimension(model, brute_shared.enough(model))
    assert report.dimension == dimension(model, method="table").dimension
    assert algdim.verify(algdim.prove(model)).accepted


@settings(max_examples=some(10))
@given(st.integers(0, 10**6))
def test_random_shared_hidden_causes_by_brute_force(seed):
    """The same of random networks of causes, two effects, and one to four mechanisms of each."""
    draw = random.Random(seed)
    drawn = (families.shared("poisson" if seed % 2 else "normal")(draw) for _ in range(100))
    model = next(model for model in drawn if model is not None)

    assert dimension(model).dimension == brute_shared.dimension(model, brute_shared.enough(model))


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("poisson: {A,H},{B} -> E; {H},{B} -> F; hidden H", 10),  # all rates
        ("poisson: {A,H},{B} -> E; {H} -> F; hidden H", 6),  # F is one mechanism, nothing of which is redundant
        ("normal: {A,H},{B} -> E; hidden H", 12),
    ],
)
def test_rates_that_can_be_shifted_are_named(text, named):
    """Those of the mechanisms between which something can be moved; `identify` names the same."""
    lost = find_lost_parameters(dimension(text))

    assert (named, "proved") == (len(lost.names), lost.trust.status)
    assert {*lost.names} == {one.parameter for one in algdim.identify(text).verdicts if one.identifiable is False}


def test_equal_hidden_states_show_less_than_the_theorem_says_of_almost_all():
    """At a point where two hidden states have the same rates the brute force sees a rank that is smaller."""
    model = algdim.model("poisson: {H} -> E; {H} -> F; hidden H; A -> H")
    same = {"chance": Fraction(1, 3), "mean": Fraction(3, 2)}

    assert 7 == dimension(model).dimension
    assert 7 > brute_shared.dimension(model, 4, value_of=lambda kind, *_: same[kind])
    names = build_additive_map(model).parameters
    with pytest.raises(InputError, match="not known here"):
        dimension(model, at=dict.fromkeys(names, "1/2"))
    apart = {name: f"1/{2 + number}" for number, name in enumerate(names)}
    assert 7 == dimension(model, at=apart).at.rank
    assert algdim.identify(model, at=apart).at.regular
    with pytest.raises(InputError, match=r"known here: P\(A=0\) is not below 1"):
        dimension(model, at=apart | {"P(A=0)": 1})
    with pytest.raises(InputError, match=r"known here: P\(H=0\|A=1\) is not positive"):
        dimension(model, at=apart | {"P(H=0|A=1)": 0})
    with pytest.raises(InputError, match=r"E, F have the same rates in the states \(.*H=0.*\) and \(.*H=1.*\)"):
        dimension(model, at=apart | {"l(E.1|H=0)": 2, "l(E.1|H=1)": 2, "l(F.1|H=0)": 3, "l(F.1|H=1)": 3})


@pytest.mark.parametrize(
    ("text", "standard", "value"),
    [
        # two classes with k rates each are k + k + 1 numbers, all shown (Teicher 1963)
        ("poisson: {H} -> E; {H} -> F; {H} -> G; hidden H", 7, 7),
        # a leak, or an additive observed cause, can be moved to the hidden one, in each effect
        ("poisson: {H},{} -> E; {H},{} -> F; hidden H", 7, 5),
        ("poisson: {H},{A} -> E; {H},{A} -> F; hidden H", 10, 8),
        ("normal: {H},{A} -> E; {H},{A} -> F; hidden H", 18, 14),
        # with an interaction the constant and the main effects of A, and those of H, are the same functions twice
        ("poisson: {H,A},{A} -> E; {H,A},{H} -> F; hidden H", 14, 10),
        # several effects of observed causes: one model each, the tables counted once, here 2 + (4 − 1) + (8 − 4)
        ("poisson: {A},{B} -> E; {A},{B},{A,B} -> F", 14, 9),
        # mixtures of 25 components, whose parameters would take cumulants beyond those that are computed
        ("poisson: {H} -> E; hidden H; states H=25", 49, 49),
    ],
)
def test_numbers_of_several_effects_that_can_be_counted_by_hand(text, standard, value):
    """Weights and the sums over the mechanisms of each effect, where all causes count as observed."""
    report = dimension(text)

    assert (standard, value, True) == (report.standard, report.dimension, report.exact)


def test_causes_with_very_many_joint_states():
    """No coordinate is made: 60 mixtures, one hidden cause in 60 mechanisms, the greatest of 40 variables."""
    places = range(60)
    own = f"poisson: {','.join(f'{{C{k},H{k}}}' for k in places)} -> E; hidden {', '.join(f'H{k}' for k in places)}"
    one = f"poisson: {','.join(f'{{C{k},H}}' for k in places)} -> E; hidden H"
    greatest = f"max-normal: {','.join(f'{{C{k}}}' for k in range(40))} -> E"

    # weights and tables 60 + 60, rates 4 in each mechanism, of which the constants of all but one can be moved
    assert 60 + 60 + 240 - 59 == dimension(own).dimension
    # of functions of C_k and H the constant and the main effect of H are in all mechanisms
    assert 60 + 1 + 240 - 2 * 59 == dimension(one).dimension
    assert 40 + 160 == dimension(greatest).dimension
    for text in (own, one, greatest):
        assert dimension(text).exact
        assert algdim.verify(algdim.prove(text)).accepted
    with pytest.raises(LimitError, match="take fewer causes"):
        algdim.identify(own)


@pytest.mark.slow
def test_what_is_identified_where_cumulants_do_not_suffice():
    """Weights and differences of rates; a constant can be moved."""
    found = algdim.identify("poisson: {H},{} -> E; hidden H; states H=14")

    assert 27 == found.report.dimension
    assert all(("l(" in verdict.parameter) != bool(verdict.identifiable) for verdict in found.verdicts)


def test_the_theorem_is_about_almost_all_parameters_only():
    """Two mixtures of equal components show less: the brute force does see a rank that is smaller."""
    model = algdim.model("at-least-poisson 2: {H},{} -> E; hidden H")
    same = {"chance": Fraction(1, 2), "mean": Fraction(3, 2)}

    assert 4 == dimension(model).dimension
    assert 4 > brute_maxima.dimension(model, value_of=lambda kind, *_: same[kind])
    with pytest.raises(InputError, match="not known here"):
        dimension(model, at=dict.fromkeys(build_additive_map(model).parameters, "1/2"))


def test_numbers_of_the_expansions_are_never_zero():
    """What the proof of lemma "order statistics" needs of normal variables, and of Poisson ones."""
    assert all((-1) ** k * number > 0 for k, number in enumerate(list_tail_numbers(60)))
    # γ(λ, n) = f(n)/P(X > n) in powers of 1/n: the coefficient of n^−s has the degree s − 1 in λ, and begins with 1
    order = 6
    below = {(0, 0): Fraction(1)}
    term = dict(below)

    def times(one, other):
        found = {}
        for (i, j), a in one.items():
            for (k, m), b in other.items():
                if i + k <= order:
                    found[i + k, j + m] = found.get((i + k, j + m), 0) + a * b
        return found

    for r in range(1, order + 1):  # one more factor λ/(n + r + 1)
        term = times(term, {(s + 1, 1): Fraction((-r - 1) ** s) for s in range(order)})
        below |= {key: below.get(key, 0) + value for key, value in term.items()}
    rest, power, inverse = {key: -value for key, value in below.items() if key != (0, 0)}, {(0, 0): Fraction(1)}, {}
    for _ in range(order + 1):
        inverse |= {key: inverse.get(key, 0) + value for key, value in power.items()}
        power = times(power, rest)
    gamma = {}
    for (i, j), value in inverse.items():
        for factor in (0, 1):
            gamma[i - factor, j - 1] = gamma.get((i - factor, j - 1), 0) + value
    for s in range(1, order):
        found = {j: value for (i, j), value in gamma.items() if i == s and value}
        assert (s - 1, 1) == max(found.items())


def test_the_left_tail_of_a_normal_variable():
    """Its coefficients are those of the logarithm of the distribution function, far to the left."""
    order = 16
    arithmetic = make_rationals()
    tape = Tape(arithmetic, arithmetic.elements(make_object_array([Fraction(7, 5), Fraction(3, 2)])))
    mean_node, variance_node = (tape.point[Places(np.array([place]))] for place in (0, 1))
    tails = compute_left_tails([mean_node, variance_node], order).value.ravel()
    with mpmath.workdps(60):
        e, mean, variance = mpmath.mpf(-1000), mpmath.mpf(7) / 5, mpmath.mpf(3) / 2
        known = (
            -((e - mean) ** 2) / (2 * variance) + mpmath.log(mpmath.sqrt(variance) / -e) - mpmath.log(2 * mpmath.pi) / 2
        )
        rest = mpmath.log(mpmath.ncdf((e - mean) / mpmath.sqrt(variance))) - known
        for n, tail in enumerate(tails, 1):
            term = mpmath.mpf(int(tail.numerator)) / int(tail.denominator) / n / e**n
            assert abs(rest - term) < abs(rest) / 10
            rest -= term


def test_the_derivatives_of_distribution_functions():
    """Those of the logarithms, by differences with many digits."""
    order, rate = 9, Fraction(13, 5)
    arithmetic = make_rationals()
    tape = Tape(arithmetic, arithmetic.elements(make_object_array([rate])))
    node = compute_log_cumulatives(tape.point, order)
    slopes = arithmetic.elements(np.zeros((order, 1), dtype=np.int64))
    tape.differentiate(node, slopes, arithmetic.elements(np.eye(order, dtype=np.int64))[:, None])

    def evaluate(value, n):
        return mpmath.log(mpmath.fsum(mpmath.exp(-value) * value**k / mpmath.factorial(k) for k in range(n + 1)))

    with mpmath.workdps(60):
        at, step = mpmath.mpf(13) / 5, mpmath.mpf(10) ** -20
        for n, (slope,) in enumerate(slopes):
            expected = (evaluate(at + step, n) - evaluate(at - step, n)) / (2 * step)
            assert abs(expected - mpmath.mpf(int(slope.numerator)) / int(slope.denominator)) < mpmath.mpf(10) ** -30


@pytest.mark.parametrize("order", [1, 2, 5, 8])
def test_sizes_of_what_adds_up_over_maxima(order):
    """Lemma "maxima": degrees and norms multiplied out."""
    arithmetic, point = make_polynomials(2)
    tape = Tape(arithmetic, point)
    nodes = [tape.point[Places(np.array([place]))] for place in (0, 1)]
    found = [degree_and_size(polynomial) for polynomial in compute_left_tails(nodes, order).value.ravel()]
    degree, log_size = measure_left_tail(order)

    assert (degree, max(size for _, size in found)) == (max(one for one, _ in found), round(2**log_size))


@pytest.mark.parametrize(
    ("one", "other", "nested"),
    [
        ("{A},{B}", "{A,B},{B}", True),
        ("{A},{B}", "{A,B},{B},{}", True),
        ("{A},{A}", "{A,B},{B}", False),
    ],
)
def test_maxima_in_larger_ones(one, other, nested):
    """Mechanism by mechanism; those that are left over have the rate 0, and no normal variable is below all values."""
    for law in ("poisson", "normal"):
        first, second = (f"max-{law}: {braces} -> E; A -> B" for braces in (one, other))
        expected = nested and (law == "poisson" or other.count("{") == one.count("{"))
        assert ("nested" == algdim.compare(first, second).forward.word) == expected
