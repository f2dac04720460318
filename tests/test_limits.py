"""What one command may use: searches that only sharpen a proof end when their time is over, and say so; nothing else does.

The clock is one of the test: it goes on by one each time that it is looked at.
"""

from __future__ import annotations

import json
from itertools import count
from math import inf

import pytest
from amount import some
from hypothesis import given, settings
from hypothesis import strategies as st

import algdim
from algdim import InputError, LimitError
from algdim.cli import main
from algdim.limits import (
    CALLS_BETWEEN_LOOKS,
    Allowance,
    AllowancePerAnswer,
    MemoryLimitError,
    TimeLimitError,
    Untried,
    allowing,
    allowing_each,
    asking_for,
    check_seconds,
    check_time,
    gathering,
    get_allowance,
    has_time,
    sharpen,
    telling,
)
from algdim.memory import allow, allow_each, check_memory, choose_memory_limit

MODELS = [
    "3:2,2,2,2",
    "3:3,3,3",
    "A -> C <- H -> D <- B; hidden H; states H=3",
    "A -> B -> C -> D; U -> B, D; hidden U",
    "5(2,3(2,2),3(2,2))",
    "gaussian: F -> X1, X2, X3, X4; X1 -> X2; hidden F; means off",
    "gaussian: A -> B -> C -> A; A <-> B; means off",
    "loglinear: {A,B}, {A,H}, {B,H}; hidden H",
    "sigmoid: H, G -> X, Y, Z; hidden H, G",
    "polynomial: parameters a, b, c; coordinates a*b/(1 + c), b + c, a*b*c, (a + c)^2",
]


def counting(seconds):
    """An allowance whose clock is one later at each look."""
    ticks = count()
    return Allowance(seconds, clock=lambda: next(ticks))


FULL = {}


def full(question, text):
    """The answer with all the time there is, once."""
    if (question, text) not in FULL:
        with allowing(Allowance()):
            FULL[question, text] = question(text)
    return FULL[question, text]


@settings(max_examples=some(20), deadline=None)
@given(st.sampled_from(MODELS), st.integers(0, 60))
def test_what_is_proved_in_short_time_is_true(text, seconds):
    """Bounds that are proved hold the dimension between them, the rank is the same, and what is not proved says what was not tried."""
    known = full(algdim.dimension, text)
    with allowing(counting(seconds)):
        found = algdim.dimension(text)

    assert found.lower.value <= known.dimension
    assert not found.upper.is_proved or known.dimension <= found.upper.value
    assert known.draws[:1] == found.draws[:1]
    assert found.exact == known.exact or found.untried
    assert [one.to_dict() for one in found.untried] == found.to_dict()["not_tried"]
    assert bool(found.untried) == ("not tried, or not to the end: " in str(found))


CORPUS = [
    *MODELS,
    "2:2,2,2",
    "4:2,2,2,2,2",
    "4:3,3,3",
    "3:4,4,2",
    "A -> B -> C; U -> A, C; hidden U",
    "H -> A, B, C; G -> C, D; H -> G; hidden H, G; states H=3",
    "A, B -> C; H -> A, B; hidden H; states A=3, B=3",
    "max: {A}, {B}, {C} -> E; hidden C; leak",
    "noisy-or: {A}, {B} -> E1, E2, E3; hidden A, B",
    "gaussian: F -> X1, X2, X3; G -> X3, X4, X5; hidden F, G",
    "gaussian: H -> A, B, C, D, E, F; hidden H; means off",
    "latent-profile: H -> X1, X2; hidden H; states H=3; covariances full",
    "loglinear: {A,B,H}, {C,D,H}, {A,C}; hidden H; states H=3",
    "loglinear: {A,H}, {B,H}, {C,H}, {D,H}; hidden H; states H=3",
    "classifier Y: Y -> X1, X2; X1 -> X2; states Y=3",
    "poisson: {A}, {B}, {H} -> E; hidden H",
    "normal: {A}, {H} -> E; hidden H",
    "polynomial: parameters a, b, c; coordinates (a + b)/(1 + c), (a + b)*c, (a + b)^2",
    "sigmoid: A -> B; H -> B; hidden H",
]


def parts_of(report):
    """The report, or those of its districts."""
    return report.parts or (report,)


def names_left(report):
    """The searches that were not made, whatever part they are of."""
    return {one.search.partition(" of ")[0] for one in report.untried}


@pytest.mark.parametrize("seconds", [0, 2, 9])
@pytest.mark.parametrize("text", CORPUS)
def test_the_search_that_is_missing_is_named(text, seconds):
    """Wherever a bound is open that a search finds if there is time, that search is named as not tried."""
    known = full(algdim.dimension, text)
    with allowing(counting(seconds)):
        found = algdim.dimension(text)

    assert found.exact or found.untried or not known.exact
    for mine, theirs in zip(parts_of(found), parts_of(known), strict=True):
        if not mine.upper.is_proved and theirs.upper.is_proved and theirs.upper.kind != "chance":
            assert theirs.upper.kind in names_left(found), (mine.upper.kind, theirs.upper.kind)


def test_flattenings_are_named_until_they_are_made():
    """Where both are searched for, Koszul flattenings begin with the others."""
    left = []
    for seconds in range(60):
        with allowing(counting(seconds)):
            left.append(names_left(algdim.dimension("3:3,3,3", bounds="flattenings,koszul,chance")))

    assert {"koszul", "flattenings"} <= left[0]
    assert any("koszul" in names and "flattenings" not in names for names in left)
    assert not any("flattenings" in names and "koszul" not in names for names in left)


@settings(max_examples=some(20), deadline=None)
@given(st.sampled_from(MODELS), st.integers(0, 1500))
def test_what_is_said_of_parameters_in_short_time_is_true(text, seconds):
    """A verdict that is proved is the one of all the time there is; a list that claims to be all is all."""
    known = full(algdim.identify, text)
    with allowing(counting(seconds)):
        found = algdim.identify(text)

    for mine, theirs in zip(found.verdicts, known.verdicts, strict=True):
        assert not (mine.trust.is_proved and theirs.trust.is_proved) or mine.identifiable == theirs.identifiable
    fixings = {group.parameters: set(group.fixings) for group in known.groups}
    for group in found.groups:
        if group.all_listed and group.parameters in fixings:
            assert fixings[group.parameters] <= set(group.fixings)
    assert found.untried or str(found) == str(known)


@pytest.mark.parametrize("seconds", [0, 3, 10, 40])
@pytest.mark.parametrize("text", ["2:2,2,2,2", MODELS[3], MODELS[5]])
def test_equations_found_in_time_are_listed(text, seconds):
    """They are some of all, and no list claims to be complete that was ended."""
    known = full(algdim.constraints, text)
    with allowing(counting(seconds)):
        found = algdim.constraints(text)

    assert {one.text for one in found.constraints} <= {one.text for one in known.constraints}
    assert found.untried or found.to_dict() == known.to_dict()
    if {one.text for one in found.constraints} < {one.text for one in known.constraints}:
        assert "equations" in [one.search for one in found.untried]
        assert not all(found.to_dict().get(f"{kind}_complete") for kind in ("independences", "flattenings", "verma"))
        assert found.to_dict().get("all_listed") is not True


def test_models_that_are_not_told_apart_in_time_are_not_decided():
    """With time there is a map; without it the answer is open, which is no statement."""
    with allowing(counting(0)):
        found = algdim.compare("2:2,2,2", "3:2,2,2")

    assert (found.relation, found.trust) == ("not decided", None)
    assert "maps of parameters, first in second" in [one.search for one in found.untried]
    assert algdim.compare("2:2,2,2", "3:2,2,2").relation != "not decided"


def test_no_certificate_says_what_was_not_tried():
    """The search for the proof had no time."""
    with pytest.raises(algdim.AlgdimError, match=r"only with .*; not tried, or not to the end: "):
        algdim.prove("3:2,2,2,2", max_seconds=0)


DATA = {f"X{i}": [0, 1, 1, i % 2] for i in (1, 2, 3, 4)}


@pytest.mark.parametrize(
    "ask",
    [
        lambda **time: algdim.dimension("3:2,2,2,2", **time),
        lambda **time: algdim.identify("3:2,2,2,2", **time),
        lambda **time: algdim.explain("3:2,2,2,2", **time),
        lambda **time: algdim.compare("2:2,2,2", "3:2,2,2", **time),
        lambda **time: algdim.constraints("2:2,2,2,2", **time),
        lambda **time: algdim.bounds("3:2,2,2,2", **time),
        lambda **time: algdim.decompose("3:2,2,2,2", **time),
        lambda **time: algdim.table("kocka-zhang-1", **time),
        lambda **time: algdim.fit(DATA, "3:2,2,2,2", starts=1, iterations=2, **time),
        lambda **time: algdim.select(DATA, classes=3, by="bic+", score="bic+", starts=1, **time),
        lambda **time: algdim.score(DATA, "3:2,2,2,2", score="bic+", **time),
    ],
)
def test_every_answer_says_what_was_not_tried(ask):
    """In text and JSON; no time at all needs no clock."""
    found = ask(max_seconds=0)

    assert found.to_dict()["not_tried"]
    assert "the 0 seconds for searches are over; allow more (--max-seconds)" in str(found)
    assert [] == ask(max_seconds=inf).to_dict()["not_tried"]


@pytest.mark.parametrize("seconds", [-1, float("nan"), "1", True])
def test_seconds_that_are_none(seconds):
    """A number, 0 or more."""
    with pytest.raises(InputError, match="a number of seconds, 0 or more, is allowed"):
        algdim.dimension("2:2,2", max_seconds=seconds)


def test_seconds_are_those_of_searches():
    """What is done outside does not count, and is never ended; a search within a search counts once."""
    now = [0.0]
    with allowing(Allowance(5, clock=lambda: now[0])) as allowance:

        def last(seconds):
            now[0] += seconds
            check_time()
            return seconds

        last(100)
        assert 2 == sharpen("outer", lambda: sharpen("inner", lambda: last(2)))
        assert (2, []) == (allowance.spent, allowance.untried)
        assert sharpen("late", lambda: last(4)) is None
        assert sharpen("later", lambda: last(0)) is None
        last(100)

    assert ["late", "later"] == [one.search for one in allowance.since(0)]
    assert get_allowance() is not allowance


def test_a_search_that_keeps_what_it_has_is_not_thrown_out():
    """It asks whether there is time; one that only sharpens within it is ended all the same."""
    with allowing(counting(3)) as allowance, gathering("lists"):
        found = []
        while has_time():
            check_time()
            found.append(1)
        check_time()
        assert sharpen("one of them", lambda: check_time() or 1) is None

    assert found
    assert {"lists", "one of them"} == {one.search for one in allowance.untried}


def test_who_takes_the_error_does_not_hide_it():
    """A search that takes errors of limits for its own is told of as not tried."""

    def careless():
        try:
            check_time()
        except LimitError:
            return 1
        raise AssertionError

    with allowing(counting(1)) as allowance:
        sharpen("careless", careless)

    assert ("careless",) == tuple(dict.fromkeys(one.search for one in allowance.untried))
    with allowing(counting(0)) as allowance:
        allowance.begin(("bare",))
        with pytest.raises(TimeLimitError):
            check_time()


def test_a_library_that_does_not_ask_is_asked_for():
    """At its calls of functions; nothing is left behind."""
    import sys

    from sympy import groebner, symbols

    x = symbols("x0:6")
    cyclic = [sum(x), *(sum(_product(x, i, n) for i in range(6)) for n in range(2, 6)), _product(x, 0, 6) - 1]
    before = sys.gettrace()
    with allowing(counting(3)) as allowance:
        found = sharpen("cyclic", lambda: _with_sympy(lambda: groebner(cyclic, *x, order="lex")))

    assert found is None
    assert ["cyclic"] == [one.search for one in allowance.since(0)]
    assert before is sys.gettrace()
    assert CALLS_BETWEEN_LOOKS > 1


def _product(x, start, length):
    """A cyclic monomial."""
    found = 1
    for place in range(start, start + length):
        found *= x[place % len(x)]
    return found


def _with_sympy(run):
    with asking_for("sympy"):
        return run()


def test_memory_is_that_of_the_command():
    """Deep inside, where no limit was handed over; a search that needs more is not made, and what is asked for is refused."""
    with allow(None, 1000) as allowance:
        check_memory(1000, None, "a matrix", "allow more")
        with pytest.raises(MemoryLimitError, match=r"a matrix; 1\.1 kB are needed and 1 kB are allowed; allow more$"):
            check_memory(1100, None, "a matrix", "allow more")
        assert sharpen("large", lambda: check_memory(1100, None, "a matrix", "allow more")) is None

    assert (Untried("large", "a matrix; 1.1 kB are needed and 1 kB are allowed; allow more"),) == allowance.since(0)


def test_who_watches_sees_what_is_done():
    """A rank, a search; afterwards what was done before."""
    with allowing(Allowance()) as allowance:
        with telling("a rank"):
            assert "a rank" == allowance.doing
            assert "koszul" == sharpen("koszul", lambda: allowance.doing)
            assert "a rank" == allowance.doing
        assert "" == allowance.doing


def test_the_default_is_two_minutes():
    """Unless something is said."""
    assert 120 == check_seconds(None)


@pytest.mark.parametrize(
    "words",
    [
        ["dim", "3:2,2,2,2"],
        ["decompose", "3:2,2,2,2"],
        ["table", "kocka-zhang-1"],
        ["fit", "DATA", "3:2,2,2,2", "--starts", "1", "--iterations", "2"],
        ["score", "DATA", "3:2,2,2,2", "--score", "bic+"],
        ["select", "DATA", "--classes", "3", "--score", "bic+", "--by", "bic+"],
    ],
)
def test_the_option_of_the_command_line(words, tmp_path, capsys):
    """Of every command that searches; its JSON says what was not tried."""
    path = tmp_path / "data.csv"
    text = "\n".join([",".join(DATA), *(",".join(map(str, row)) for row in zip(*DATA.values(), strict=True))])
    path.write_text(text, encoding="utf-8")
    given = [str(path) if word == "DATA" else word for word in words]
    assert 0 == main([*given, "--max-seconds", "0", "--max-memory", "1G", "--json", "--quiet"])

    document = json.loads(capsys.readouterr().out)
    assert "koszul" in [one["search"] for one in document["not_tried"]]


def test_each_answer_has_its_own_seconds():
    """Those of one do not count for the next; what all of them left untried is kept, each once."""
    with allowing_each(AllowancePerAnswer(0.0, 10**9)) as each:
        for _ in range(2):
            assert not algdim.dimension("3:2,2,2,2").exact
        with allowing_each(AllowancePerAnswer(inf)) as inner:
            assert inner is each
        assert algdim.dimension("3:2,2,2,2", max_seconds=inf).exact

    assert "koszul" in [one.search for one in each.all_untried]
    assert len(each.all_untried) < len(each.untried)
    assert 120 == check_seconds(None)


def test_the_least_memory_is_none():
    """A limit of 0 bytes is a limit, for each answer too."""
    with allow_each(None, 0):
        assert 0 == choose_memory_limit(None)
    with allow(None, 0):
        assert 0 == choose_memory_limit(None)


def test_a_fitted_estimator_of_another_library():
    """Its dimension is searched for as any other."""
    model = algdim.LatentClass(3).fit([["0", "1", "0", "1"], ["1", "0", "0", "1"], ["1", "1", "1", "0"]])
    found = algdim.for_estimator(model, max_seconds=0)

    assert found.to_dict()["not_tried"]
    assert "not tried, or not to the end: " in str(found)
    assert [] == algdim.for_estimator(model).to_dict()["not_tried"]
