"""Verdicts: confirmed, refuted, open; certificates; the command with its exit codes."""

from __future__ import annotations

import json
import operator
from fractions import Fraction
from itertools import product

import pytest
from amount import daily

import algdim
from algdim.checking.claims import Printed, parse_printed
from algdim.checking.judging import CONFIRMED, OPEN, REFUTED, compare_printed
from algdim.checking.knowing import Finder, KnownValue, find_proved_bounds
from algdim.cli import main
from algdim.errors import InputError
from algdim.trust import BOUNDS_ONLY, bounds_only, probable, proved_by

PROOF = proved_by("lower bound", "rank 13")
HOLDS = {"=": operator.eq, "≤": operator.le, "≥": operator.ge, "<": operator.lt, ">": operator.gt}
PROBABLE = "K -> H1, H2; H1 -> X1; H2 -> X2; hidden K, H1, H2; states K=3, H1=3, H2=3, X1=4, X2=4; share h: H1, H2; share e: X1, X2"


def test_verdicts_are_those_of_every_value_between_the_bounds():
    """By force: confirmed if the relation holds of all values that the bounds leave, refuted if of none, else open."""
    for least, more, printed, relation in product(range(4), range(3), range(6), HOLDS):
        most = least + more
        known = KnownValue(least, PROOF if not more else bounds_only(least, most), least, most, PROOF, PROOF)
        holds = {HOLDS[relation](value, printed) for value in range(least, most + 1)}
        wanted = OPEN if len(holds) == 2 else CONFIRMED if holds == {True} else REFUTED

        word, likely, trust = compare_printed(Printed("", Fraction(printed), relation), known)
        assert (wanted, "") == (word, likely), (least, most, relation, printed)
        assert trust.is_proved == (word != OPEN)


def test_what_is_probable_decides_only_if_asked():
    """A probable 13 neither confirms 13 nor refutes 14; below the proved bound 13 a number is refuted."""
    known = KnownValue(13, probable(1e-20), 13, 14, PROOF, PROOF)
    words = [compare_printed(Printed("", Fraction(n)), known)[:2] for n in (12, 13, 14, 15)]

    assert [(REFUTED, ""), (OPEN, CONFIRMED), (OPEN, REFUTED), (REFUTED, "")] == words
    accepted = [compare_printed(Printed("", Fraction(n)), known, accept_probable=True) for n in (13, 14)]
    assert [CONFIRMED, REFUTED] == [word for word, _, _ in accepted]
    assert not any(trust.is_proved for _, _, trust in accepted)


def test_an_error_of_one_says_nothing():
    """Whose probability of error is no bound is not even likely."""
    known = KnownValue(13, probable(1.5), 13, 14, PROOF, PROOF)

    assert (OPEN, "") == compare_printed(Printed("", Fraction(13)), known, accept_probable=True)[:2]


def test_proved_bounds_of_a_probable_dimension():
    """The upper one is that of the cells, not the probable one."""
    report = algdim.dimension(PROBABLE)
    least, most, of_least, of_most = find_proved_bounds(report)

    assert (8, 15) == (least, most)
    assert report.upper.value == 8
    assert of_least.is_proved
    assert of_most.is_proved


COUNTED = (
    "3:2,2,2,2",
    "4:3^3",
    "A -> B; C -> D -> E; hidden D",
    "gaussian: A -> B",
    "polynomial: parameters x; coordinates x^2",
)


@pytest.mark.parametrize("model", COUNTED)
def test_true_claims_are_confirmed_and_others_refuted(model):
    """Every count of a report, as it is and one more."""
    report = algdim.dimension(model)
    counts = {"dimension": report.dimension, "parameters": report.standard, "redundant": report.redundant}
    if report.complete is not None:
        counts |= {"saturated": report.complete, "df": report.df, "defect": report.defect, "expected": report.expected}
        counts["df_by_counting"] = report.df_by_counting
    true = algdim.check([{"model": model, "printed": counts}])
    false = algdim.check([{"model": model, "printed": {name: value + 1 for name, value in counts.items()}}])

    assert (0, len(counts)) == (true.code, len(true.confirmed))
    assert (1, len(counts)) == (false.code, len(false.refuted))
    assert all(one.trust.is_proved for one in (*true.verdicts, *false.verdicts))


FACTOR = "gaussian: H -> X1, X2, X3, X4; hidden H; means off"


@pytest.mark.parametrize(
    ("claim", "word"),
    [
        ({"model": "2:2,2,2", "quantity": "identifiable", "printed": True}, CONFIRMED),
        ({"model": "3:2,2,2,2", "quantity": "identifiable", "printed": True}, REFUTED),
        ({"model": "2:2,2,2,2", "quantity": "nested", "printed": True, "in": "3:2,2,2,2"}, CONFIRMED),
        ({"model": "3:2,2,2,2", "quantity": "nested", "printed": True, "in": "2:2,2,2,2"}, REFUTED),
        ({"model": FACTOR, "quantity": "tetrads", "printed": 3}, CONFIRMED),
        ({"model": FACTOR, "quantity": "tetrads", "printed": 2}, REFUTED),
        ({"model": FACTOR, "quantity": "independent_tetrads", "printed": 2}, CONFIRMED),
        ({"model": "gaussian: A -> B; C -> D; means off", "quantity": "tetrads", "printed": 0}, OPEN),
        ({"model": "3:2,2,2,2", "quantity": "pairwise_bound", "printed": 14}, CONFIRMED),
        ({"model": "A -> B", "quantity": "pairwise_bound", "printed": 14}, OPEN),
        ({"model": PROBABLE, "quantity": "dimension", "printed": 8}, OPEN),
        ({"model": PROBABLE, "quantity": "dimension", "printed": "≤ 15"}, CONFIRMED),
        ({"model": PROBABLE, "quantity": "dimension", "printed": 7}, REFUTED),
        ({"model": "latent-profile: H -> X1, X2; hidden H", "quantity": "df", "printed": 3}, OPEN),
    ],
)
def test_quantities(claim, word):
    """One claim of each kind, true or not."""
    [verdict] = algdim.check([claim]).verdicts

    assert word == verdict.word
    assert verdict.trust.is_proved == (word != OPEN)


@pytest.fixture
def table(tmp_path):
    """Four claims, of which two are wrong, with parameters and data beside them."""
    (tmp_path / "point.json").write_text(
        json.dumps({"H": [["1/2", "1/2"]], **{f"X{n}": [["1/3", "2/3"], ["1/3", "2/3"]] for n in (1, 2, 3)}}),
        encoding="utf-8",
    )
    (tmp_path / "data.csv").write_text("A,B\n0,0\n0,1\n1,0\n1,1\n1,1\n0,0\n", encoding="utf-8")
    path = tmp_path / "claims.csv"
    path.write_text(
        "label,model,quantity,printed,at,data\n"
        "W,w-structure,dimension,10,,\n"
        '"a, b","3:2,2,2,2",dimension,13,,\n'
        'at,"2:2,2,2",regular,yes,point.json,\n'
        "data,A -> B,loglik,-8.15,,data.csv\n",
        encoding="utf-8",
    )
    return path


def test_parameters_and_data(table):
    """At a point where classes are equal the rank is smaller; the log-likelihood agrees to the digits printed."""
    regular, loglik = algdim.check(table).verdicts[2:]

    assert (REFUTED, "no") == (regular.word, regular.computed)
    value = algdim.score(str(table.parent / "data.csv"), "A -> B", score="bic").fit.loglik
    assert (CONFIRMED if abs(value + 8.15) <= 0.005 else OPEN if value < -8.15 else REFUTED) == loglik.word
    assert "numerical" == loglik.trust.status


def test_the_command(table, capsys, tmp_path):
    """Exit code 1; certificates that the checker accepts; the marked table."""
    assert main(["check", str(table), "--certificates", str(tmp_path / "c"), "--latex"]) == 1
    printed = capsys.readouterr().out
    files = sorted((tmp_path / "c").iterdir())

    assert r"\textbf{9}" in printed
    assert ["001-W-dimension.json", "002-a-b-dimension.json"] == [file.name for file in files]
    assert all(algdim.verify(file).accepted for file in files)


@pytest.mark.parametrize(("printed", "open_one", "code"), daily([("13", "8", 0), ("14", "9", 1)], 1))
def test_exit_codes(tmp_path, printed, open_one, code, capsys):
    """Confirmed, refuted; open; unreadable."""
    path = tmp_path / "a.md"
    path.write_text(f"|model|dimension|\n|-|-|\n|3:2,2,2,2|{printed}|\n", encoding="utf-8")

    assert main(["check", str(path)]) == code
    path.write_text(f"|model|dimension|\n|-|-|\n|{PROBABLE}|{open_one}|\n", encoding="utf-8")
    assert main(["check", str(path)]) == 4
    assert main(["check", str(path), "--accept-probable"]) == code
    path.write_text("|model|dimension|\n|-|-|\n|3:|13|\n|:3|12|\n", encoding="utf-8")
    assert main(["check", str(path)]) == 2
    told = capsys.readouterr().err
    assert "line 3" in told
    assert "line 4" in told


def test_limits_leave_a_claim_open():
    """What is refused because of its size is open, with the numbers."""
    [verdict] = algdim.check([{"model": "40:20,20,20", "printed": 2319}], max_memory="1M").verdicts

    assert OPEN == verdict.word
    assert "are allowed" in verdict.reason
    found = algdim.check([{"model": "A -> C <- H -> D <- B; hidden H; states H=5", "printed": 10}], max_seconds=0)
    assert OPEN == found.verdicts[0].word
    assert found.untried
    assert "not tried" in str(found)
    assert found.to_dict()["not_tried"]


def test_each_model_is_computed_once():
    """Several claims about one model share its report."""
    finder = Finder(seed=0)
    model = algdim.model("2:2,2,2")

    assert finder.report(model) is finder.report(algdim.model("2:2,2,2"))


def test_given_claims_are_checked_at_the_door():
    """What is no list of dictionaries is refused in words."""
    with pytest.raises(InputError, match="list of dictionaries"):
        algdim.check({"model": "2:2", "printed": 1})
    with pytest.raises(InputError, match=r"claims\[0\]: printed is missing"):
        algdim.check([{"model": "2:2"}])
    assert BOUNDS_ONLY.status == "bounds only"


def test_a_slip_in_a_name_is_said():
    """A claim about another model than is meant has a verdict, and a note."""
    found = algdim.check([{"model": "A -> C <- H -> D <- B; hidden H; states h=3", "printed": 10}])

    assert found.notes == ("claims[0]: h occurs in 'states' alone, and is independent of all others",)
    assert found.notes[0] in str(found)


@pytest.mark.parametrize(
    ("printed", "word"), [("12–14", "confirmed"), ("9–12", "refuted"), ("14–15", "refuted"), ("13–14", "confirmed")]
)
def test_a_range(printed, word):
    """It holds if the value is in it."""
    [verdict] = algdim.check([{"model": "3:2^4", "printed": printed}]).verdicts

    assert word == verdict.word


def test_a_range_beside_bounds():
    """Bounds inside of it confirm it, bounds outside refute it, others leave it open."""
    proof = proved_by("lower bound", "rank 9")
    known = KnownValue(9, BOUNDS_ONLY, 9, 11, proof, proof)
    words = [
        compare_printed(parse_printed(text, "dimension", ""), known)[0] for text in ("9–11", "9–10", "5–8", "12–13")
    ]

    assert ["confirmed", "open", "refuted", "refuted"] == words


def test_a_score_on_another_scale(tmp_path):
    """Minus twice the score, as much software prints it, is named as such and refutes nothing."""
    (tmp_path / "x.csv").write_text("A,B,count\n0,0,40\n0,1,10\n1,0,15\n1,1,35\n", encoding="utf-8")
    given = {"model": "A -> B", "quantity": "bic", "data": str(tmp_path / "x.csv")}
    [ours] = algdim.check([{**given, "printed": "0.00"}]).verdicts
    twice = f"{-2 * float(ours.computed.replace('−', '-')):.1f}"
    for text in (twice, f"-{twice}"):
        [verdict] = algdim.check([{**given, "printed": text}]).verdicts
        assert "open" == verdict.word
        assert "the scale of the log-likelihood" in verdict.reason


def test_a_defect_without_a_saturated_model():
    """Where the saturated model has no finite dimension, the number of parameters is what is expected."""
    given = {"model": "normal: {A,H},{B} -> E; hidden H", "printed": {"parameters": 15, "expected": 15, "defect": 2}}

    assert ["confirmed"] * 3 == [one.word for one in algdim.check([given]).verdicts]


@pytest.mark.parametrize(
    ("model", "all_of_them", "independent"),
    [
        ("gaussian: f -> x1, x2, x3, x4; hidden f", 3, 2),
        ("gaussian: f -> x1, x2, x3, x4, x5; hidden f", 15, 5),
        ("gaussian: A -> B -> C -> D", 1, 1),
        ("gaussian: A -> B; A -> C; B -> C", 0, 0),
    ],
)
def test_tetrads(model, all_of_them, independent):
    """How many there are, and how many of them are independent, which other equations beside them do not change."""
    given = {"model": model, "printed": {"tetrads": all_of_them, "independent_tetrads": independent}}

    assert ["confirmed"] * 2 == [one.word for one in algdim.check([given]).verdicts]
