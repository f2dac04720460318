"""What is said beside estimates: which parameters are not identifiable, and the degrees of freedom."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction

import pytest

import algdim
from algdim import LimitError, identify
from algdim.cli import main
from algdim.identifiability import estimates
from algdim.identifiability.estimates import assess_identifiability, derive_identified
from algdim.trust import PROBABLE, PROVED

FOUR = {
    "X1": [0, 1, 0, 1, 0, 1, 1, 0],
    "X2": [0, 0, 1, 1, 0, 1, 0, 0],
    "X3": [0, 1, 1, 1, 0, 1, 0, 1],
    "X4": [0, 0, 0, 1, 0, 1, 1, 1],
    "count": [50, 7, 9, 40, 11, 31, 12, 13],
}


@pytest.mark.parametrize(
    ("text", "lost", "df", "counting"),
    [
        ("3:2,2,2,2", 14, 2, 1),  # the model of which the papers print 14
        ("2:2,2,2,2", 0, 6, 6),
        ("2:2,2", 5, 0, -2),
        ("A -> C <- H -> D <- B; hidden H", 9, 6, 4),  # all but P(A=0) and P(B=0)
        ("gaussian: F -> X1..X3; hidden F; means off", 4, 0, -1),
        ("gaussian: F -> X1..X4; hidden F; fix v(F)=1; means off", 0, 2, 2),
        ("gaussian: A, B", 0, 1, 1),
    ],
)
def test_a_model_is_identified_if_identify_says_so(text, lost, df, counting):
    """The verdict, the names and both degrees of freedom are those of `identify`, which finds them in another way."""
    said, found = assess_identifiability(algdim.model(text)), identify(text)
    assert said.value is (lost == 0)
    assert said.trust.is_proved
    assert (said.lost.names if said.lost else ()) == found.lost
    assert len(found.lost) == lost
    assert (said.freedom.right, said.freedom.by_counting) == (df, counting)
    assert (found.freedom.right, found.freedom.by_counting) == (df, counting)


def test_a_lost_parameter_can_be_moved_without_a_change_of_the_distribution():
    """Of the smallest model every named parameter is lost: another point has the same cells, by hand."""
    said = assess_identifiability(algdim.model("2:2,2"))
    assert len(said.lost.names) == 5

    def cells(h, a, b):
        return [h * a[0][x] * b[0][y] + (1 - h) * a[1][x] * b[1][y] for x in (0, 1) for y in (0, 1)]

    half, row = Fraction(1, 2), lambda p: (p, 1 - p)
    one = cells(half, (row(Fraction(1, 4)), row(Fraction(3, 4))), (row(Fraction(1, 4)), row(Fraction(3, 4))))
    other = cells(half, (row(Fraction(3, 8)), row(Fraction(5, 8))), (row(Fraction(0)), row(Fraction(1))))
    assert one == other


def test_what_is_not_proved_is_not_called_so():
    """The word beside the verdict is that of the dimension; between bounds nothing is said."""
    report = algdim.dimension("3:2,2,2,2", bounds="no-proof")
    assert report.trust.status == PROBABLE
    said = derive_identified(report)
    assert (said.value, said.trust.status) == (False, PROBABLE)
    assert "probable" in said.sentence
    whole = derive_identified(algdim.dimension("2:2,2,2,2", bounds="no-proof"))
    assert (whole.value, whole.trust.status) == (True, PROVED)  # a rank at one point is a lower bound
    text = "polynomial: parameters x, y; coordinates x*y"
    open_ended = replace(algdim.dimension(text), lower=replace(algdim.dimension(text).lower, value=0))
    undecided = derive_identified(open_ended)
    assert undecided.value is None
    assert undecided.to_dict()["identified"] is None
    assert "not decided" in undecided.sentence


def test_large_models_are_not_asked(monkeypatch):
    """Beyond a number of parameters, and where the dimension is refused, the reason is given in the place of a verdict."""
    monkeypatch.setattr(estimates, "MOST_PARAMETERS", 13)
    said = assess_identifiability(algdim.model("3:2,2,2,2"))
    assert said.value is None
    assert "more than 13 parameters" in said.sentence
    assert said.freedom is None
    monkeypatch.undo()

    def refuse(*_, **__):
        raise LimitError("too large")

    monkeypatch.setattr(estimates, "dimension", refuse)
    assert assess_identifiability(algdim.model("3:2,2,2,2")).to_dict()["identified_reason"] == "too large"


def test_fit_score_and_select_say_it(tmp_path, capsys):
    """In text and in JSON, of a model with 14 estimates none of which is identified."""
    file = tmp_path / "data.csv"
    rows = zip(*FOUR.values(), strict=True)
    file.write_text("\n".join([",".join(FOUR), *(",".join(map(str, row)) for row in rows)]) + "\n", encoding="utf-8")
    for words in (
        ["fit", str(file), "3:2^4", "--starts", "2", "--iterations", "20"],
        ["score", str(file), "3:2^4", "--score", "bic"],
        ["select", str(file), "--structures", "3:2^4", "--score", "bic"],
    ):
        chosen = ["--by", "bic"] if words[0] == "select" else []
        assert main([*words, *chosen]) == 0
        text = capsys.readouterr().out
        assert "not identified (proved): all 14 parameters" in text
        assert "`algdim identify` says" in text
        assert "degrees of freedom: 2 (proved); counting parameters gives 1" in text
        assert main([*words, *chosen, "--json"]) == 0
        found = json.loads(capsys.readouterr().out)
        found = found["candidates"][0] if words[0] == "select" else found
        assert found["identified"] is False
        assert len(found["not_identified"]) == 14
        assert found["identified_trust"]["status"] == PROVED
        assert found["what_to_do"]
        assert (found["degrees_of_freedom"]["df"], found["degrees_of_freedom"]["by_counting"]) == (2, 1)


def test_select_names_the_candidates_that_are_not_identified():
    """Beside the best one, all others."""
    found = algdim.select(FOUR, classes="1..3", by="bic+", score="bic+", starts=2)
    assert "candidates with parameters that are not identified: 3:2,2,2,2" in str(found)


def test_python_asks_unless_told_not_to():
    """A record of `algdim.fit` has the verdict; loops over many fits leave it out."""
    assert algdim.fit(FOUR, "3:2^4", starts=1, iterations=3).identified.value is False
    plain = algdim.fit(FOUR, "3:2^4", starts=1, iterations=3, identify=False)
    assert plain.identified is None
    assert plain.to_dict()["identified"] is None
    assert "identifiable" not in str(plain)
