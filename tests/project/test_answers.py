"""The referee of the answers: a sample of what the program says is right, and planted lies are refused."""

import copy
import random
from collections import Counter

import pytest
from amount import daily, drawn, in_turn

import algdim
from hunting import answers
from hunting.against_seed import adversary, constants, drawn_for
from hunting.answer_pairs import Pair, drawn_pair
from hunting.answering import PROVED, judged, status_of
from hunting.answers_beside import judge_bounds, judge_explain, judge_score
from hunting.answers_compare import judge_compare
from hunting.answers_constraints import judge_constraints
from hunting.answers_identify import judge_at, judge_identify
from hunting.answers_solutions import judge_solutions
from hunting.formulas import UnreadableError, slope_of
from hunting.kernels import Table, holds
from hunting.members import is_prime, member_of, random_prime, rank_of

SOURCE = random.Random(5)

FACTOR = "gaussian: F -> X1, X2, X3; hidden F; means off"
VERMA = "A -> B -> C -> D; U -> B, D; hidden U"
COPY = "A -> B -> C -> D; U -> B, D; hidden U; max C"


def false_of(found):
    """The kinds of the answers that are called known and are false."""
    return {answer.kind for answer in found if answer.is_false(proved_only=False)}


def known_of(text):
    """A model and its members."""
    model = algdim.model(text)
    return model, answers.truth(model, random.Random(text))


def identified(text):
    """The JSON of identify, and the members."""
    model, known = known_of(text)
    return algdim.identify(model).to_dict(), known


def refused(text, lie):
    """The kinds of answers that the referee refuses once the lie is told."""
    said, known = identified(text)
    assert not false_of([*judge_identify(said, known, SOURCE), *judge_solutions(said, known, SOURCE)])
    told = copy.deepcopy(said)
    lie(told)
    return false_of([*judge_identify(told, known, SOURCE), *judge_solutions(told, known, SOURCE)])


@pytest.mark.parametrize("kind", daily([kind for kind in answers.KINDS if kind != "against"], 4))
def test_a_sample_of_the_answers_is_right(kind):
    """A few cases of every kind; the hunt goes on from there."""
    cases = [answers.case_of(kind, "tests", number) for number in range(3 if kind == "score" else 9)]
    false = [f"{case.command}: {one.text}" for case in cases for one in case.answers if one.is_false(proved_only=True)]

    assert [] == false
    assert [] == [one.text for case in cases for one in case.answers if one.kind == answers.NOT_UNDERSTOOD]
    assert sum(one.right is True for case in cases for one in case.answers) >= 10


@in_turn(3)
@pytest.mark.drawn
def test_what_is_proved_is_true_of_constants_against_the_seed():
    """What was only drawn is not called proved, whatever was drawn."""
    cases = [answers.case_of("against", "sample", number) for number in drawn(range(12), 2)]

    assert [] == [
        f"{case.command}: {one.text}" for case in cases for one in case.answers if one.is_false(proved_only=True)
    ]


# Planted lies


def change(key, value):
    """A lie that puts something else in the place of one member."""
    return lambda said: said.update({key: value})


@pytest.mark.parametrize(
    ("text", "lie", "kind"),
    daily([
        (FACTOR, lambda said: said["parameters"][0].update(identifiable=True), "parameter"),
        (FACTOR, lambda said: said["parameters"][-1].update(identifiable=False), "parameter"),
        (FACTOR, lambda said: said["parameters"].pop(), "parameters"),
        (FACTOR, change("dimension", 5), "dimension"),
        (FACTOR, change("standard", 8), "standard"),
        (FACTOR, change("fixing", ["v(X1)"]), "set to fix, of the model"),
        (FACTOR, change("fixing", ["v(F)", "b(F->X1)"]), "set to fix, of the model"),
        (FACTOR, lambda said: said["groups"][0]["parameters"].pop(), "group"),
        (FACTOR, lambda said: said["groups"].clear(), "groups cover"),
        (FACTOR, lambda said: said["groups"][0].update(freedom=2), "freedom of a group"),
        (FACTOR, lambda said: said["groups"][0]["fixings"].append(["v(F)", "b(F->X1)"]), "set to fix"),
        (FACTOR, lambda said: said["groups"][0]["fixings"].pop(), "all sets listed"),
        (FACTOR, lambda said: said["groups"][0]["directions"][0]["moves"].update({"v(F)": "2·v(F)"}), "direction"),
        (FACTOR, lambda said: said["groups"][0]["directions"].append(said["groups"][0]["directions"][0]), "directions independent"),
        (FACTOR, lambda said: said["basis"][0].update(text="v(F)"), "determined"),
        (FACTOR, lambda said: said["basis"][-1].update(text="b(F->X1)·v(F)"), "determined"),
        (FACTOR, lambda said: said["basis"].append({**said["basis"][0], "text": "v(X1) − 2·v(X2)", "kind": "sum"}), "basis independent"),
        (FACTOR, lambda said: said["degrees_of_freedom"].update(df=1), "degrees of freedom"),
        (FACTOR, lambda said: said["degrees_of_freedom"].update(by_counting=0), "degrees of freedom by counting"),
        (FACTOR, lambda said: said["units"].update(count=0, rest=1), "units"),
        (COPY, lambda said: said["degrees_of_freedom"]["structural"].update(count=7), "structural zeros"),
        ("A -> B -> C; max C", lambda said: said["degrees_of_freedom"].update(df=4), "degrees of freedom"),
        ("polynomial: parameters x, y; coordinates x^2, x*y", lambda said: said["fibre"].update(degree=1), "solutions"),
        ("polynomial: parameters x, y, z; coordinates x*y, y*z", lambda said: said["basis"][0].update(text="x·z"), "determined"),
        ("polynomial: parameters x; coordinates x, 2*x + 1", lambda said: said["degrees_of_freedom"].update(df=1), "degrees of freedom"),
        ("loglinear: {A,B}, {B,C}", lambda said: said["degrees_of_freedom"].update(df=1), "degrees of freedom"),
    ], 12),
)  # fmt: skip
def test_a_lie_about_parameters_is_refused(text, lie, kind):
    """One member of the JSON is changed; the referee names it."""
    assert kind in refused(text, lie)


def test_two_groups_called_one_are_refused():
    """So are two that are one."""
    text = "polynomial: parameters a, b, c, d; coordinates a*b, c*d"

    def joined(said):
        first, second = said["groups"]
        first["parameters"] += second["parameters"]
        said["groups"].pop()

    assert "group" in refused(text, joined)
    assert "group" in refused(
        FACTOR,
        lambda said: said.update(
            groups=[
                {**said["groups"][0], "parameters": ["b(F->X1)", "b(F->X2)"], "fixings": []},
                {**said["groups"][0], "parameters": ["b(F->X3)", "v(F)"], "fixings": []},
            ]
        ),
    )


@pytest.mark.parametrize("lie", [{"rank": 2}, {"regular": False}, {"identifiable": {"x": True, "y": True}}])
def test_a_lie_about_a_point_is_refused(lie):
    """At x = 0, y = 3 of y − x²/2 the parameter y alone is known not to be determined."""
    model, known = known_of("polynomial: parameters x, y; coordinates y - x^2/2")
    point = {"x": 0, "y": 3}
    said = algdim.identify(model, at={name: str(value) for name, value in point.items()}).to_dict()

    assert not false_of(judge_at(said, known, point, SOURCE))
    assert false_of(judge_at({**said, "at": {**said["at"], **lie}}, known, point, SOURCE))


def equations_refused(text, lie):
    """What the referee refuses of the equations of a model, once a lie is told."""
    model, known = known_of(text)
    said = algdim.constraints(model).to_dict()
    assert not false_of(judge_constraints(said, known, SOURCE))
    lie(said)
    return false_of(judge_constraints(said, known, SOURCE))


def added(**equation):
    """A lie that adds an equation."""
    whole = {"status": "proved", "independent": None, "text": "", **equation}
    return lambda said: said["constraints"].append(whole)


TETRAD = [[1, [["X1", "X2"], ["X3", "X4"]]], [-1, [["X1", "X3"], ["X2", "X3"]]]]
FALSE_VERMA = "Σ_B P(B|A) P(D|A,B,C) does not depend on A"


@pytest.mark.parametrize(
    ("text", "lie", "kind"),
    [
        (VERMA, added(kind="independence", A=["A"], B=["D"], C=["B"]), "independence"),
        (VERMA, added(kind="flattening", A=["A", "B"], B=["C", "D"], C=[], rank=2), "flattening"),
        (VERMA, added(kind="verma", text="Σ_B P(B|A) P(D|A,B,C) does not depend on C"), "verma"),
        (VERMA, added(kind="verma", text="Σ_A P(A) P(C|A,B) does not depend on D"), "no identity"),
        (VERMA, change("upper", 9), "codimension"),
        (VERMA, change("zero_cells", 1), "zero cells"),
        ("A -> B; H -> A, B; hidden H; fix P(B=0|A=0,H=0)=0", added(kind="independence", A=["A"], B=["B"], C=[]), "independence"),
        ("gaussian: H -> X1, X2, X3, X4; hidden H", added(kind="tetrad", rows=[], columns=[], terms=TETRAD), "tetrad"),
        ("gaussian: H -> X1, X2, X3, X4; hidden H", added(kind="zero", variables=["X1", "X2"], terms=[[1, [["X1", "X2"]]]]), "zero"),
        ("gaussian: H -> X1, X2, X3, X4; hidden H", added(kind="zero mean", variables=["X1"]), "zero mean"),
        ("gaussian: H -> X1, X2, X3, X4; hidden H", added(kind="partial", rows=["X1", "X3"], columns=["X2", "X3"]), "partial"),
        ("gaussian: H -> X1, X2, X3, X4; hidden H", added(kind="minor", rows=["X1", "X2"], columns=["X3", "X1"]), "minor"),
        ("gaussian: H -> X1, X2, X3, X4; hidden H", lambda said: said["constraints"][2].update(independent=True), "independent equations"),
    ],
)  # fmt: skip
def test_a_false_equation_is_refused(text, lie, kind):
    """Each kind of equation, and what is counted."""
    assert kind in equations_refused(text, lie)


def test_lists_that_are_called_complete():
    """What follows from a list by the rules counts as listed; a pair without an equation of its own is missing."""
    from hunting.independences import closure

    chain = "A -> B -> C -> D"
    _, known = known_of(chain)
    said = {"family": "discrete", "upper": 7, "codimension": 8, "zero_cells": 0, "independences_complete": True}

    def listed(*triples):
        return [{"kind": "independence", "status": "proved", "text": "", "A": a, "B": b, "C": c} for a, b, c in triples]

    def found(constraints, pairs):
        return false_of(judge_constraints({**said, "constraints": constraints, "pairs": pairs}, known, SOURCE))

    basis = listed((["A"], ["C"], ["B"]), (["A", "B"], ["D"], ["C"]))
    pairs = listed((["A"], ["C"], ["B"]), (["A"], ["D"], ["B"]), (["B"], ["D"], ["C"]))
    assert not found(basis, pairs)
    assert found(basis[:1], pairs) == {"independences complete"}
    assert found(basis, pairs[1:]) == {"pairs complete"}
    assert (frozenset("AC"), frozenset("BD")) in closure([("A", "C", "B"), ("AB", "D", "C")])
    _, known = known_of("gaussian: A -> B -> C <-> A; means off")
    told = {"family": "gaussian", "upper": 6, "codimension": 0, "constraints": [], "all_listed": True}
    assert not false_of(judge_constraints(told, known, SOURCE))
    _, known = known_of("gaussian: A -> B -> C; means off")
    assert {"pairs complete"} == false_of(judge_constraints(told, known, SOURCE))


def test_a_kernel_of_a_gaussian_model():
    """The same Verma-type equation twice: as a sum of products of coefficients, and as an effect in a kernel."""
    _, known = known_of("gaussian: A -> B -> C -> D; U -> B, D; hidden U; means off")
    system = [{"regressions": [["B", ["A"]], ["D", ["A", "B", "C"]]], "kept": ["D"]}]
    equation = {
        "kind": "kernel",
        "status": "proved",
        "independent": True,
        "kernels": system,
        "response": "D",
        "cause": "A",
    }
    said = {"family": "gaussian", "upper": 9, "codimension": 1}

    def found(**more):
        return false_of(judge_constraints({**said, "constraints": [{**equation, "given": [], **more}]}, known, SOURCE))

    right = "β(D,A|B,C) + β(D,B|A,C) β(B,A) = 0"
    assert not found(text=right)
    assert not found(text="effect of A on D in Q1 = 0, where Q1 = [B ~ A, D ~ A + B + C]")
    assert found(text="β(D,A|B,C) = 0") == {"kernel"}
    assert found(text=right, cause="C") == {"kernel"}
    assert found(text="cov(B,D) in Q1 = 0", cause="B", kernels=[{**system[0], "kept": ["B", "D"]}]) == {"kernel"}


def test_an_equation_that_zeros_break_is_refused():
    """C is a copy of B: for C = 1 the sum over B has one term, which depends on A."""
    _, known = known_of(COPY)
    equation = {"kind": "verma", "text": FALSE_VERMA, "status": "proved"}
    said = {"family": "discrete", "constraints": [equation], "upper": 7, "codimension": 8, "zero_cells": 8}

    assert {"verma"} == false_of(judge_constraints(said, known, SOURCE))


def test_a_flattening_in_some_states_is_judged_in_these():
    """With zeros the rank depends on the state of what is conditioned on."""
    model, known = known_of("E -> H -> C1, C2; E -> C1; hidden H; fix P(H=0|E=0)=1, P(H=1|E=0)=0")
    said = {"family": "discrete", "constraints": [], "upper": 99, "codimension": 0, "zero_cells": 0}
    equation = {"kind": "flattening", "A": ["C1"], "B": ["C2"], "C": ["E"], "rank": 1, "status": "proved", "text": ""}
    del model

    assert not false_of(judge_constraints({**said, "constraints": [{**equation, "states": [[0]]}]}, known, SOURCE))
    assert false_of(judge_constraints({**said, "constraints": [{**equation, "states": [[1]]}]}, known, SOURCE))
    assert false_of(judge_constraints({**said, "constraints": [equation]}, known, SOURCE))


def test_kernels_with_names_are_read_as_they_are_printed():
    """The two steps of an equation with a kernel of its own; what cannot be read is not judged."""
    _, known = known_of("X0 -> X1 -> X2; U0 -> X0, X2; hidden U0")
    member = known.members[0]
    table = Table(member.table, member.axes, member.prime)

    assert holds("Q[X0,X2](X2|X0) does not depend on X1, where Q[X0,X2] = P(X0) P(X2|X0)", table)
    assert not holds("Σ_X0 Q[X0,X2] does not depend on X1, where Q[X0,X2] = P(X0) P(X2|X0,X1)", table)
    with pytest.raises(UnreadableError):
        holds("E(X2) does not depend on X1", table)
    with pytest.raises(UnreadableError):
        holds("X0 = X1", table)


def comparison(first, second, order):
    """What compare says of two models, and what the referee knows."""
    pair = Pair(algdim.model(first), algdim.model(second), order, "by hand")
    truths = answers.truth(pair.first, random.Random(1)), answers.truth(pair.second, random.Random(2))
    found = algdim.compare(pair.first, pair.second)
    return found.to_dict(), str(found), pair, truths


@pytest.mark.parametrize(
    ("first", "second", "order", "lie", "kind"),
    daily(
        [
            ("2:2,2,2,2", "3:2,2,2,2", "nested", {"verdict": "not nested"}, "not nested"),
            ("A -> B <- C", "A -> B -> C", "unknown", {"verdict": "nested"}, "nested, dimensions"),
            ("A -> B -> C; A -> D", "A -> B; A -> C -> D", "unknown", {"verdict": "nested"}, "nested, equations"),
            ("A -> B -> C", "A <- B; B -> C", "unknown", {"verdict": "not nested"}, "not nested"),
            ("gaussian: A -> B -> C", "gaussian: A <- B; B -> C", "unknown", {"verdict": "not nested"}, "not nested"),
            ("gaussian: A -> B -> C", "gaussian: A -> B; A -> C", "unknown", {"verdict": "nested"}, "nested, Markov"),
        ],
        3,
    ),
)
def test_a_lie_about_two_models_is_refused(first, second, order, lie, kind):
    """A verdict is turned into its contrary."""
    said, text, pair, truths = comparison(first, second, order)
    assert not false_of(judge_compare(said, text, pair, truths, SOURCE))
    said["first_in_second"].update(reason="a lie", **lie)

    assert kind in false_of(judge_compare(said, text, pair, truths, SOURCE))


def test_other_lies_about_two_models_are_refused():
    """The relation in words, the difference of the dimensions, a test on the boundary of which nothing is said."""
    said, text, pair, truths = comparison("states A=2, B=2", "A -> B", "nested")
    assert not false_of(judge_compare(said, text, pair, truths, SOURCE))

    assert "relation" in false_of(judge_compare({**said, "relation": "equal"}, text, pair, truths, SOURCE))
    assert "difference of dimensions" in false_of(judge_compare({**said, "df": 2}, text, pair, truths, SOURCE))
    said, _, pair, truths = comparison("A -> B; fix P(B=1|A=0)=0, P(B=0|A=0)=1", "A -> B", "nested")
    line = "likelihood-ratio test: df = 1 (proved); counting parameters gives 1"
    assert "likelihood-ratio test" in false_of(judge_compare(said, line, pair, truths, SOURCE))


def test_lies_of_other_commands_are_refused():
    """Of explain, bounds and score."""
    model, known = known_of("2:2,2,2")
    told = algdim.explain(model).to_dict()
    assert not false_of(judge_explain(told, known, SOURCE))
    for lie, kind in (
        (lambda said: said["report"].update(dimension=6), "dimension"),
        (lambda said: said["point"].update(rank=6), "rank at a point"),
        (lambda said: said["map"]["coordinates"][1].update(expression="P(H=0)"), "coordinate"),
    ):
        changed = copy.deepcopy(told)
        lie(changed)
        assert kind in false_of(judge_explain(changed, known, SOURCE))
    moved, lost = known_of("2:2,2")
    told = algdim.explain(moved).to_dict()
    told["same_distribution"]["points"][0]["P(H=0)"] = "1/7"
    assert "same distribution" in false_of(judge_explain(told, lost, SOURCE))
    told = algdim.bounds(model).to_dict()
    assert not false_of(judge_bounds(told, known))
    assert "upper bound" in false_of(judge_bounds({**told, "best_bound": 6}, known))
    told["identifiability"]["word"] = "not identifiable"
    assert "identifiability" in false_of(judge_bounds(told, known))
    score = {"dimension": 6, "exact": True, "standard": 7, "goodness": {"df": 1}}
    assert {"dimension", "degrees of freedom"} == false_of(judge_score(score, known))


# What the referee rests on


def test_what_is_probable_counts_unless_the_constants_know_the_seed():
    """And what is hardly a statement does not."""
    assert judged("x", "probable", False, "").is_false(proved_only=False)
    assert not judged("x", "probable", False, "").is_false(proved_only=True)
    assert status_of({"status": "probable", "error": 1e-12}) == "probable"
    assert status_of({"status": "probable", "error": 0.5}) == "undecided"
    assert status_of({"exact": False}, "exact") == "undecided"


@in_turn(3)
def test_an_exception_is_a_false_answer(monkeypatch, capsys):
    """The hunt prints the line that shows it again, and its exit code is 1."""

    def broken(*given, **more):
        raise ValueError("math domain error")

    monkeypatch.setattr(algdim, "bounds", broken)
    monkeypatch.setattr("sys.argv", ["answers", "--kind", "bounds", "--count", "1", "--seed", "7", "--seconds", "1"])

    assert answers.main() == 1
    out = capsys.readouterr().out
    assert "FALSE (proved) no traceback: ValueError: math domain error" in out
    assert "python -m hunting.answers --kind bounds --seed 7 --number 0" in out
    monkeypatch.setattr("sys.argv", ["answers", "--kind", "bounds", "--seed", "7", "--number", "0"])
    assert answers.main() == 1


def test_answers_are_counted(monkeypatch, capsys):
    """By kind of answer and how far they are known; the exit code is 0 if none is false."""
    monkeypatch.setattr("sys.argv", ["answers", "--kind", "bounds", "--count", "20", "--seed", "7"])

    assert answers.main() == 0
    assert "upper bound" in capsys.readouterr().out


def test_the_same_number_gives_the_same_case():
    """A line that was printed shows the same again."""
    for kind in ("identify", "constraints", "compare"):
        first, again = (answers.case_of(kind, "same", 3) for _ in range(2))
        assert first == again
    assert drawn_pair("same", 4) == drawn_pair("same", 4)


@in_turn(3)
def test_adversaries_meet_the_points_that_are_drawn():
    """At the points drawn for the seed the Jacobian has less rank than it has elsewhere, or what vanishes there does not elsewhere."""
    seen = drawn_for(algdim.model("polynomial: parameters x, y; coordinates y - (x - 5)^2"), 3)
    assert seen
    for prime, values in seen:
        assert values[0] % prime in [constant % prime for constant in constants(seen, 0, 1)]
    assert adversary("same", 2, 2) == adversary("same", 2, 2)
    assert Counter(adversary("kinds", number, number).family for number in range(8))["polynomial"] >= 3


@pytest.mark.parametrize(("text", "expected"), [("2:2,2,2", 7), ("3:2,2,2,2", 13), (COPY, 7), (FACTOR, 6), ("classifier Y: Y -> A, B", 3), ("sigmoid: A, B -> C; hidden B", 3), ("polynomial: parameters x, y; coordinates x*y, x^2*y^2", 1)])  # fmt: skip
def test_members_have_the_known_dimensions(text, expected):
    """Numbers of the papers and of simple counting."""
    _, known = known_of(text)

    assert expected == known.rank
    assert all(is_prime(one.prime) for one in known.members)


def test_a_member_at_given_parameters():
    """Derivatives agree with differences of a linear map, and quotients with their rule."""
    model = algdim.model("polynomial: parameters x, y; coordinates x/y, 3*x - y/2")
    prime = random_prime(random.Random(1))
    member = member_of(model, ["x", "y"], random.Random(1), prime, at={"x": 3, "y": 4})

    assert 4 * member.coordinates["f1"] % prime == 3
    assert member.coordinates["f2"] == 7
    assert member.jacobian[1].tolist() == [3, -pow(2, -1, prime) % prime]
    assert member.jacobian[0, 0] * 4 % prime == 1
    assert member.jacobian[0, 1] * 16 % prime == prime - 3
    assert rank_of(member.jacobian, prime) == 2


def test_formulas_are_read_as_they_are_printed():
    """Signs of the output, powers before products, signs before powers."""
    prime = 1000003
    _, known = known_of("polynomial: parameters x, y; coordinates x, y")
    point = known.members[0].slopes()
    x, y = (known.members[0].values[name] for name in "xy")
    p = known.members[0].prime
    del prime

    assert slope_of("−x^2·y + 3", point, p).value == (3 - x * x * y) % p
    assert slope_of("(x − 2*y)/4", point, p).value == (x - 2 * y) * pow(4, -1, p) % p
    assert slope_of("x^-2", point, p).value == pow(x, -2, p)
    for text in ("x y", "z", "(x", "x^y", "2 +"):
        with pytest.raises(UnreadableError):
            slope_of(text, point, p)


def test_statuses_are_those_of_the_program():
    """The words of the JSON."""
    from algdim import trust

    assert trust.PROVED == PROVED
