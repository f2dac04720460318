"""The family "loglinear": record, notation, files, ranks, bounds, restricted Boltzmann machines."""

from __future__ import annotations

from fractions import Fraction
from math import prod
from unittest import mock

import brute_loglinear as brute
import pytest
from amount import daily, some
from golden_numbers import BOLTZMANN
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import algdim
from algdim import InputError, LimitError, dimension, prove
from algdim.exact.arithmetic import Residues, make_rationals
from algdim.explanation.printing import print_map
from algdim.families.discrete.model import Variable
from algdim.families.loglinear import family
from algdim.families.loglinear.map import build_loglinear_map, compute_cleared_jacobian
from algdim.families.loglinear.model import LogLinear, sum_out_hidden
from algdim.jacobian import evaluate_functionals, evaluate_jacobian, make_evaluator
from algdim.models.anymodel import convert_model_to_dictionary, read_model_dictionary, remove_irrelevant
from algdim.models.notation import to_text
from algdim.rank import make_object_array


@st.composite
def models(draw, most_observed=3, most_hidden=2, most_states=3):
    """Draw a small model, its variables in any order."""
    observed = draw(st.integers(1, most_observed))
    names = draw(st.permutations(("A", "B", "X.1", "H", "K_2")))[: observed + draw(st.integers(0, most_hidden))]
    variables = tuple(
        Variable(name, draw(st.integers(2 if number < observed else 1, most_states)), number < observed)
        for number, name in enumerate(names)
    )
    order = draw(st.permutations(variables))
    sets = draw(st.lists(st.sets(st.sampled_from(names), min_size=1, max_size=3), max_size=5))
    given_sets = {frozenset(one): tuple(sorted(one)) for one in sets}
    missing = [name for name in names if not any(name in one for one in given_sets)]
    interactions = (*given_sets.values(), *((name,) for name in missing))
    return LogLinear(tuple(order), interactions, draw(st.booleans()))


def boltzmann(visible, hidden):
    """The restricted Boltzmann machine."""
    pairs = ", ".join(f"{{V{i},H{j}}}" for i in range(1, visible + 1) for j in range(1, hidden + 1))
    return f"loglinear: {pairs}; hidden {', '.join(f'H{j}' for j in range(1, hidden + 1))}"


@settings(max_examples=some(40))
@given(models())
def test_values_and_derivatives_are_those_of_the_definition(model):
    """At a rational point, and modulo two primes, all cells and slopes are those of the definition."""
    assert model == algdim.model(to_text(model)) == read_model_dictionary(convert_model_to_dictionary(model))
    lmap, point = build_loglinear_map(model), brute.point_of(model, 1)
    texts = {f"t({','.join(f'{n}={s}' for n, s in zip(*effect, strict=True))})": effect for effect in point}
    effects = [texts[name] for name in lmap.parameters]
    table = brute.table(model, point)
    order = [variable.name for variable in model.observed]
    assert list(table) == sorted(table)
    assert len(order) == len(next(iter(table)))
    coordinates = make_evaluator(lmap).all_coordinates()
    for field in (make_rationals(), Residues(8388593), Residues(4194319)):
        at = field.elements(make_object_array([point[effect] for effect in effects]))
        expected = field.elements(make_object_array([value for value, _ in table.values()]))

        assert expected.tolist() == evaluate_functionals(lmap, field, at, coordinates).tolist()
        found = evaluate_jacobian(lmap, field, at, coordinates)
        for row, (_, slopes) in zip(found, table.values(), strict=True):
            assert field.elements(make_object_array([slopes[effect] for effect in effects])).tolist() == row.tolist()


@settings(max_examples=some(30))
@given(models())
def test_degrees_and_sizes(model):
    """The products are as many as joint states, and no parameter occurs twice in one."""
    lmap = build_loglinear_map(model)
    degree, log_size = lmap.degree_and_log_size()
    hidden = prod(variable.states for variable in model.hidden)

    assert abs(2**log_size - hidden**2 * prod(variable.states for variable in model.observed)) < 1e-6 * 2**log_size
    assert degree >= 2
    assert lmap.is_told_apart or not all(v.states > 1 for v in model.variables) or not model.hierarchical


@pytest.mark.parametrize("number", BOLTZMANN, ids=lambda number: str(number["dimension"]))
def test_restricted_boltzmann_machines(number):
    """For n ≤ 7 and k ≤ 6 the expected dimension, proved by counting parameters or cells."""
    report = dimension(number["model"])

    assert (True, number["dimension"]) == (report.exact, report.dimension)


@pytest.mark.parametrize(
    ("classes", "states"), [(2, (2, 2)), (3, (2, 2, 2, 2)), (2, (3, 3)), (3, (2, 3, 2)), (4, (3, 3, 3))]
)
def test_latent_class_models_are_log_linear(classes, states):
    """Joined to each item, a hidden variable makes the latent class model, up to its border: dimensions are equal."""
    pairs = ", ".join(f"{{H,X{number}}}" for number in range(1, len(states) + 1))
    sizes = ", ".join(f"X{number}={size}" for number, size in enumerate(states, 1))
    report = dimension(f"loglinear: {pairs}; hidden H; states H={classes}, {sizes}")
    expected = dimension(f"{classes}:{','.join(map(str, states))}")

    assert (expected.dimension, expected.standard) == (report.dimension, report.standard)
    assert report.exact


def test_decomposable_models_have_the_dimension_of_a_network():
    """Without hidden variables a chain of interactions is a Markov chain; all of three pairs leave one effect out."""
    assert dimension("A -> B -> C; states B=3").dimension == dimension("loglinear: {A,B}, {B,C}; states B=3").dimension
    report = dimension("loglinear: {A,B}, {B,C}, {A,C}")
    assert (True, 6, 7) == (report.exact, report.dimension, report.complete)


def test_not_hierarchical():
    """Only the effects that are named; their own dimension follows."""
    report = dimension("loglinear: {A}, {A,B}; hierarchical off")

    assert (2, 2, 3) == (report.standard, report.dimension, report.complete)


def test_hidden_variables_that_cancel():
    """What no interaction joins to an observed variable is removed, and its parameters are redundant."""
    model = algdim.model("loglinear: {A,B}, {K,L}, {L}; hidden K, L")
    report = dimension(model)

    assert ("K", "L") == remove_irrelevant(model)[1] == report.removed
    assert (6, 3) == (report.standard, report.dimension)
    assert "joined to no observed variable" in str(report)


@settings(max_examples=some(20))
@given(models())
def test_what_is_removed_changes_no_cell(model):
    """The cells of the smaller model are those of the definition, whatever the parameters of what is removed."""
    smaller, removed = remove_irrelevant(model)
    point = brute.point_of(model, 1)
    left = brute.parameters(smaller)

    assert set(left) <= set(point)
    assert not {name for names, _ in left for name in names} & set(removed)
    cells = [{cell: value for cell, (value, _) in brute.table(one, at).items()} for one, at in (
        (model, point), (smaller, {effect: point[effect] for effect in left})
    )]  # fmt: skip
    assert cells[0] == cells[1]
    one_state = {variable.name for variable in model.hidden if variable.states == 1}
    assert not model.hierarchical or one_state <= set(removed)


def test_a_hidden_variable_with_one_state_takes_no_rank():
    """Without it nothing is hidden, so that the parameters can be read off the table."""
    text = "loglinear: {X1..X11}; hidden X11; states X11=1"
    report = dimension(text)

    assert (("X11",), 1023, True) == (report.removed, report.dimension, report.exact)
    assert "no variable is hidden" in str(report)


def test_many_variables():
    """A Boltzmann machine with 30 visible units has 2^30 cells and is done in seconds."""
    report = dimension(boltzmann(30, 3))

    assert (True, 30 * 3 + 30 + 3) == (report.exact, report.dimension)


def test_the_map_prints():
    """The map is rational in the exponentials of the effects."""
    assert ["P(A=0) = 1/(t(A=1) + 1)", "P(A=1) = t(A=1)/(t(A=1) + 1)"] == str(
        print_map(build_loglinear_map(algdim.model("loglinear: {A}")))
    ).splitlines()


def test_parameter_file():
    """The rank at given parameters: with all t = 1 the hidden variable is independent of the items."""
    model = "loglinear: {X,H}, {Y,H}, {Z,H}; hidden H"
    names = build_loglinear_map(algdim.model(model)).parameters
    report = dimension(model, at=dict.fromkeys(names, 1))

    assert (7, 3, False) == (report.dimension, report.at.rank, report.at.regular)
    with pytest.raises(InputError, match="no value at the given parameters"):
        dimension("loglinear: {A}", at={"t(A=1)": -1})


def test_parameters_of_what_is_removed_stand_in_the_file():
    """As in the file for `identify`: all parameters that the model has."""
    report = dimension("loglinear: {A}, {H}; hidden H", at={"t(A=1)": "1/2", "t(H=1)": 3})

    assert (1, True, ("H",)) == (report.at.rank, report.at.regular, report.removed)
    with pytest.raises(InputError, match=r"values are missing: t\(H=1\)"):
        dimension("loglinear: {A}, {H}; hidden H", at={"t(A=1)": "1/2"})


def test_prove():
    """Counting, the saturated model and a latent class model prove dimensions."""
    assert 9 == proved("loglinear: {A,B},{B,C},{A,C}; states A=3")
    assert 3 == proved("loglinear: {A,B},{H}; hidden H")
    assert 39 == proved(boltzmann(7, 4))
    assert 13 == proved("loglinear: {A,H},{B,H},{C,H},{D,H}; hidden H; states H=3")


def proved(text):
    """The dimension of the certificate, which is accepted."""
    certificate = algdim.prove(text)
    assert algdim.verify(certificate)
    return certificate.dimension


WRONG = {
    "A, B": "an interaction such as {A,B} is expected",
    "A -> B": "interactions are written in braces",
    "{A,B": "'}' or ',' within an interaction is expected",
    "{}": "a variable's name is expected",
    "{A,A}": "has a variable twice",
    "{A,B}, {B,A}": "occurs twice",
    "{A}; hidden B": "B: no interaction has this variable",
    "{A}; hidden A": "all variables are hidden",
    "{A}; states A=1": "an observed variable has 2 to",
    "{A}; hierarchical on": "'off' after 'hierarchical'",
    "{A}; means off": "the clause 'means' does not belong to the family loglinear",
    "{A}; given A": "the clause 'given' does not belong",
    "{hierarchical}": "is a clause word of the family loglinear",
    "{A,α}": "GREEK SMALL LETTER ALPHA",
    "{A,B,C,D,E,F,G,I,J,K,L,M,N}": "has 13 variables; 1 to 12",
}


@pytest.mark.parametrize("text", WRONG)
def test_wrong_notation(text):
    """What is wrong is named."""
    with pytest.raises(InputError, match=WRONG[text]):
        algdim.model(f"loglinear: {text}")


A = {"name": "A"}
FILES = [
    ({"variables": [A]}, "interactions is missing"),
    ({"variables": [A], "interactions": {}}, "interactions is a table"),
    ({"variables": [A], "interactions": ["A"]}, r"interactions\[0\] is 'A'"),
    ({"variables": [A], "interactions": [[1]]}, r"interactions\[0\] is a list"),
    ({"variables": [A], "interactions": [["B"]]}, "there is no variable B"),
    ({"variables": [A], "interactions": [[]]}, "has 0 variables"),
    ({"variables": [A], "interactions": [["A"]], "hierarchical": 1}, "hierarchical is 1"),
    ({"variables": [A], "interactions": [["A"]], "edges": []}, "unknown key 'edges'"),
    ({"variables": [{**A, "states": 10**6}], "interactions": [["A"]]}, ""),
]


@pytest.mark.parametrize(("data", "message"), FILES[:-1])
def test_wrong_files(data, message):
    """What is wrong in a dictionary is named with its place."""
    with pytest.raises(InputError, match=message):
        read_model_dictionary({"family": "loglinear", **data})


def test_sizes_are_refused_before_they_are_built():
    """A million states are a million parameters; 12 variables in a thousand interactions are four million subsets."""
    with pytest.raises(LimitError, match="parameters; at most"):
        dimension(read_model_dictionary({"family": "loglinear", **FILES[-1][0]}))
    names = [f"A{number}" for number in range(40)]
    many = [[names[(start + step * k) % 40] for k in range(12)] for start in range(40) for step in (1, 3)]
    with pytest.raises(InputError, match="subsets; at most"):
        read_model_dictionary(
            {"family": "loglinear", "variables": [{"name": name} for name in names], "interactions": many}
        )


def test_multiplied_out_the_jacobian_is_the_same_up_to_one_factor():
    """Times the square of the normaliser, at a point with fractions."""
    lmap, field = build_loglinear_map(algdim.model("loglinear: {A,H}, {B,H}; hidden H; states A=3")), make_rationals()
    point = [Fraction(2 + 3 * number, 5 + number) for number in range(len(lmap.parameters))]
    evaluator = make_evaluator(lmap)
    matrix = evaluate_jacobian(lmap, field, field.elements(make_object_array(point)), evaluator.all_coordinates())
    cleared = [
        [
            sum(
                Fraction(int(c.p), int(c.q))
                * prod(value ** int(power) for value, power in zip(point, powers, strict=True))
                for powers, c in entry.to_dict().items()
            )
            for entry in row
        ]
        for row in compute_cleared_jacobian(lmap)
    ]
    pairs = [
        (Fraction(int(value.numerator), int(value.denominator)), other)
        for row, others in zip(matrix.tolist(), cleared, strict=True)
        for value, other in zip(row, others, strict=True)
    ]

    (factor,) = {other / value for value, other in pairs if value}

    assert [other for _, other in pairs] == [factor * value for value, _ in pairs]


@settings(max_examples=some(20))
@given(models(most_hidden=0))
def test_all_observed(model):
    """Without hidden variables the dimension is the number of parameters, by the definition and by the lemma."""
    with mock.patch.object(family, "RANKED", 0):
        report = dimension(model)

    assert report.exact
    assert report.lower.kind in ("all-observed", "rank")
    assert brute.dimension(model) == report.dimension == len(brute.parameters(model))


@pytest.mark.parametrize("count", [10, 11, 12])
def test_a_large_saturated_model_needs_no_rank(count):
    """Nor any work with its table; one with a hidden variable gets no such bound."""
    names = ",".join(f"A{number}" for number in range(count))
    report = dimension(f"loglinear: {{{names}}}")

    assert (2**count - 1, True, ()) == (report.dimension, report.exact, report.draws)
    assert ("all observed",) == report.lower.trust.lemmas
    with mock.patch.object(family, "RANKED", 0):
        assert dimension("loglinear: {A,B,C},{A,H},{B,H}; hidden H").draws


@settings(max_examples=some(20))
@given(models(), st.sampled_from([0, family.RANKED]))
def test_hidden_variables_in_one_interaction_are_summed_out(model, ranked):
    """By the lemma and by the definition, whether the model is large or small; where one is in two interactions, by a rank."""
    assume(model.hidden)
    smaller = sum_out_hidden(model)
    with mock.patch.object(family, "RANKED", ranked):
        report = dimension(model)

    assert brute.dimension(model) == report.dimension
    if smaller is None:
        assert report.upper.kind != "one-interaction"
        return
    assert len(smaller.hidden) < len(model.hidden)
    assert brute.dimension(smaller) == report.dimension <= smaller.parameter_count
    if not smaller.hidden:
        assert report.exact
        assert report.dimension == smaller.parameter_count


def sum_out_slowly(groups, hidden):
    """The interactions that are left, by the words of the lemma: none lies in another, one variable at a time."""
    groups = {group for group in groups if not any(group < other for other in groups)}
    for name in hidden:
        having = [group for group in groups if name in group]
        if len(having) == 1:
            rest = (groups - {having[0]}) | ({having[0] - {name}} - {frozenset()})
            return sum_out_slowly(rest, [other for other in hidden if other != name])
    return groups


@settings(max_examples=some(20))
@given(
    st.lists(st.frozensets(st.sampled_from("ABCGHIJ"), min_size=1), min_size=1, max_size=7, unique=True),
    st.permutations("GHIJ"),
)
def test_what_is_left_does_not_depend_on_the_order(groups, hidden):
    """Whichever hidden variable is summed out first, the same interactions remain."""
    assume(any(group & {*"ABC"} for group in groups))
    used = sorted(frozenset().union(*groups))
    model = LogLinear(
        tuple(Variable(name, observed=name in "ABC") for name in used), tuple(tuple(sorted(one)) for one in groups)
    )
    smaller = sum_out_hidden(model) or model
    left = {*map(frozenset, smaller.interactions)}

    assert sum_out_slowly({*groups}, list(hidden)) == {one for one in left if not any(one < other for other in left)}


@pytest.mark.parametrize(
    ("text", "count"),
    daily(
        [
            ("loglinear: {A,B,H}, {B,C}; hidden H", 5),
            ("loglinear: {A,B,H}, {B,C,G}, {C,D}; hidden H, G; states G=3", 7),
            ("loglinear: {A,B,H,G}, {B,C}, {A,C}; hidden H, G", 6),
            ("loglinear: {A,H}, {B,H}, {C,H}, {C,D,G}, {E,D}; hidden G, H", 11),
        ],
        1,
    ),
)
def test_small_models_are_proved_by_summing_out(text, count):
    """A rank is the lower bound, the number of parameters that are left the upper one; some are counted by hand."""
    report = dimension(text)

    assert (count, True) == (report.dimension, report.exact)
    assert ("rank", "one-interaction") == (report.lower.kind, report.upper.kind)
    assert "one interaction" in report.upper.trust.lemmas
    assert brute.dimension(report.model) == count
    assert {"kind": "one-interaction", "value": count}.items() <= prove(text).data["evidence"]["upper"].items()


def test_a_large_model_whose_hidden_variables_are_summed_out_needs_no_rank():
    """One after the other: where the first is left out, the second is in one interaction only."""
    names = ",".join(f"A{number}" for number in range(11))
    report = dimension(f"loglinear: {{{names},G}}, {{G,H}}, {{A0,B}}; hidden G, H")

    assert (2**11 - 1 + 2, True, ()) == (report.dimension, report.exact, report.draws)
    assert ("one interaction", "all observed") == report.lower.trust.lemmas


def test_other_evidence_comes_first_in_certificates():
    """Where two bounds are as good, one is written that the format has."""
    text = "loglinear: {A,H}, {D}; hidden H; states H=3"

    assert "one-interaction" == dimension(text).upper.kind
    assert 2 == prove(text).dimension


def test_a_certificate_has_a_minor_all_the_same():
    """The format has no other lower bound for log-linear models."""
    with mock.patch.object(family, "RANKED", 0):
        assert "rank" == prove("loglinear: {A,B},{B,C}").data["evidence"]["lower"]["kind"]
