"""Choosing: weights, averages, ties, the command and its files."""

import json
import re
import xml.etree.ElementTree as ET
from math import exp

import numpy as np
import pytest
from amount import in_turn
from packages import ROOT

import algdim
from algdim import InputError
from algdim.cli import main
from algdim.models.notation import to_text
from algdim.scores.information import compute_distribution
from algdim.scores.named import SCORES

TRUTH = {"H": [[0.4, 0.6]], **{f"X{k}": [[0.9, 0.1], [0.2, 0.8]] for k in range(1, 5)}}
DATA = algdim.simulate("2:2^4", TRUTH, 500, seed=1)
COLUMNS = {name: DATA[name].tolist() for name in DATA.columns}


@pytest.fixture(scope="module")
def found():
    """Eight candidates on data of two classes."""
    return algdim.select(COLUMNS, classes="1..8", score="bic,bic+,cs,cs+")


LONG = {f"question number {k}": [0, 0, 1, 1, 0, 1] for k in range(1, 5)} | {"count": [40, 3, 5, 38, 20, 19]}


def test_candidates_with_long_names_are_told_apart():
    """Where the names leave no room for the number of classes, the line has the short form; the answer names the items."""
    lines = str(algdim.select(LONG, classes="1..2", score="bic,bic+", by="bic+")).splitlines()

    assert ["1:2,2,2,2", "2:2,2,2,2"] == [line.removeprefix("→").split()[0] for line in lines[3:5]]
    assert "question_number_4" in next(line for line in lines if line.startswith("best by"))


def test_shared_tables_are_not_shortened_away():
    """Only free tables have the short form; two models of one shape stay apart."""
    items = ", ".join(f"question_number_{k}" for k in range(1, 5))
    free, shared = f"H -> {items}; hidden H", f"H -> {items}; hidden H; share answer: {items}"
    lines = str(algdim.select(LONG, structures=[free, shared], score="bic", by="bic")).splitlines()

    assert "2:2,2,2,2" == lines[3].removeprefix("→").split()[0]
    assert lines[4].removeprefix("→").split()[0] == "H"


def test_the_candidates_as_a_table_for_a_paper(tmp_path, capsys):
    """Counts, likelihood, test of fit and scores of every candidate, the chosen one bold; in the forms of `algdim table`."""
    found = algdim.select(LONG, classes="1..2", score="bic,bic+", by="bic+")
    grid = found.table()

    heads = ("candidate", "parameters", "dimension", "log-likelihood", "df", "G²", "p", "bic", "bic+")
    assert heads == grid.columns
    assert [found.best is one for one in found.candidates] == [row[0].bold for row in grid.rows]
    first = found.candidates[0]
    assert ["1:2,2,2,2", 4, 4, first.fit.loglik, 11] == [cell.value for cell in grid.rows[0][:5]]
    assert f"{first.fit.loglik:.2f}" == grid.rows[0][3].text
    assert grid.below[-1].endswith("every dimension is proved.")

    path = tmp_path / "long.csv"
    columns = list(LONG.items())
    rows = [",".join(str(values[row]) for _, values in columns) for row in range(6)]
    path.write_text("\n".join([",".join(name for name, _ in columns), *rows]), encoding="utf-8")
    assert 0 == main(
        ["select", str(path), "--classes", "1..2", "--score", "bic,bic+", "--by", "bic+", "--table", "latex"]
    )
    printed = capsys.readouterr().out
    assert printed.startswith("\\begin{table}")
    assert f"{first.fit.loglik:.2f}".lstrip("-") in printed


def test_a_table_without_a_test_of_fit():
    """Where entries are missing there is no test, and no column of it."""
    gap = {**LONG, "question number 1": [0, None, 1, 1, 0, 1]}

    assert "G²" not in algdim.select(gap, classes="1", score="bic", by="bic", missing=True).table().columns


@in_turn(2)
def test_two_classes_are_found(found):
    """The number of classes that the data were drawn from."""
    assert "2:2,2,2,2" == to_text(found.best.fit.model)
    assert list(range(1, 9)) == [one.fit.model.states["H"] for one in found.candidates]


def test_each_candidate_has_the_scores_of_the_function_score(found):
    """Nothing is computed in another way."""
    for one in found.candidates[:3]:
        assert algdim.score(COLUMNS, one.fit.model, score="bic,bic+,cs,cs+").values == one.values


def test_counts_that_are_no_whole_numbers_are_printed():
    """The number of cases is that of the data, not the whole number below."""
    found = algdim.select({"A": [0, 1], "B": [0, 1], "count": [1.5, 2.25]}, classes="1", score="bic", by="bic")

    assert str(found).startswith("3.75 cases   chosen by bic ")


def test_weights_are_bayes_rule(found):
    """CH96 Eq. 4: proportional to the exponential of the score."""
    for name in ("bic", "cs+"):
        values = [one.values[name] for one in found.candidates]
        total = sum(exp(value - values[1]) for value in values)

        assert [exp(value - values[1]) / total for value in values] == pytest.approx(found.weights(name))


def test_averages_weigh_what_each_candidate_says(found):
    """The averaged distribution is a distribution, and the weighted sum of all."""
    expected = sum(
        w * compute_distribution(one.fit) for w, one in zip(found.weights("bic"), found.candidates, strict=True)
    )

    assert expected == pytest.approx(found.distribution("bic"))
    assert 1.0 == pytest.approx(found.distribution().sum())
    assert np.dot(found.weights(), [one.fit.loglik for one in found.candidates]) == pytest.approx(
        found.average(lambda fit: fit.loglik)
    )


def test_averages_need_the_same_variables():
    """The order may differ, the names may not."""
    table = {"A": [0, 1, 1, 0], "B": [0, 1, 0, 1], "count": [9, 8, 2, 3]}
    same = algdim.select(table, structures=["A -> B", "B -> A"], score="bic", by="bic")

    assert (0.5, 0.5) == pytest.approx(same.weights())
    assert compute_distribution(same.candidates[0].fit) == pytest.approx(same.distribution(), abs=1e-9)


@in_turn(2)
def test_of_equal_dimensions_the_smaller_model_is_chosen(found):
    """KZ02 §5: BIC+ cannot tell 4 from 8 classes of four binary items, all of dimension 15; noise does not decide."""
    saturated = [one for one in found.candidates if one.report.dimension == 15]
    chosen = algdim.select(COLUMNS, classes="4..8", by="bic+", score="bic+")
    spread = [one.values["bic+"] for one in saturated]

    assert 5 == len(saturated)
    assert max(spread) - min(spread) < 0.1
    assert 4 == chosen.best.fit.model.states["H"]


@in_turn(2)
def test_a_tree_is_climbed_and_the_rival_compared():
    """Data of a tree: the climb begins at two states each; the network without hidden variables is worse."""
    table = [[0.9, 0.1], [0.2, 0.8]]
    truth = {"H1": [[0.5, 0.5]], "H2": table, "H3": table, **{f"X{k}": table for k in range(1, 6)}}
    data = algdim.simulate("2(2,2(2,2),2(2,2))", truth, 1500, seed=2)
    found = algdim.select(data, tree="2(2,2(2,2),2(2,2))", rival=True, by="bic+", score="bic+")

    assert "2(2,2(2,2),2(2,2))" == to_text(found.candidates[0].fit.model) == to_text(found.best.fit.model)
    assert not found.candidates[-1].fit.model.hidden
    assert 5 == len(found.candidates)


def test_the_plot_has_every_score_of_every_candidate():
    """One circle for each value."""
    found = algdim.select(COLUMNS, classes="1..2")
    circles = ET.fromstring(found.plot()).findall("{http://www.w3.org/2000/svg}circle")

    assert sum(len(one.values) for one in found.candidates) == len(circles)
    assert {"bic", "laplace-softmax", "variational"} <= set(found.names) <= set(SCORES)


def test_the_plot_leaves_out_what_is_far_below():
    """One class would flatten all else; the title names it, and the axis counts classes."""
    data = algdim.simulate("2:2^4", ROOT / "examples" / "two-classes.json", 500, seed=1)
    title, x, y, lines = algdim.select(data, classes="1..4", score="bic,bic+", by="bic+").curves()

    assert title == "2:2,2,2,2 is best by bic+; far below: 1:2,2,2,2"
    assert (x.label, y.label) == ("classes", "score − best score")
    assert [[2.0, 3.0, 4.0]] * 2 == [[across for across, _ in one.points] for one in lines]


@in_turn(2)
def test_the_figure_has_the_same_points(tmp_path, monkeypatch):
    """A line for each score, and a file of the form that is named."""
    pytest.importorskip("matplotlib")
    found = algdim.select(COLUMNS, classes="1..2", score="bic,bic+")
    (axes,) = found.figure().axes
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data.csv").write_text(str(DATA) + "\n", encoding="utf-8")

    assert [
        [found.candidates[place].values[name] - max(one.values[name] for one in found.candidates) for place in (0, 1)]
        for name in found.names
    ] == [list(line.get_ydata()) for line in axes.lines]
    assert 0 == main(["select", "data.csv", "--classes", "1..2", "--score", "bic", "--plot", "scores.pdf"])
    assert (tmp_path / "scores.pdf").read_bytes().startswith(b"%PDF")


def test_candidates_of_files_are_called_by_them(tmp_path, monkeypatch, capsys):
    """In the tables and below them; files of all formats are separated by commas."""
    monkeypatch.chdir(tmp_path)
    for name, text in (("one.lav", "f =~ x1 + x2 + x3"), ("two.lav", "f =~ x1 + x2 + x3; x1 ~~ 1*x1")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    rows = ["x1,x2,x3", *(f"{k % 5},{(k * k) % 7},{(k + k * k) % 11}" for k in range(40))]
    (tmp_path / "data.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    options = ["--structures", "one.lav,two.lav", "--score", "bic,bic+", "--by", "bic+"]

    assert 0 == main(["select", "data.csv", *options])
    lines = capsys.readouterr().out.splitlines()
    assert 3 == sum(line.removeprefix("→").lstrip().startswith("one.lav ") for line in lines)
    assert any(re.match(r"best by bic\+: (one|two)\.lav: gaussian: f -> x1", line) for line in lines)


def test_without_candidates_classes_are_climbed():
    """1 to 4 in any case, more while the score rises, never more than differ; the output says so."""
    data = algdim.simulate("2:2^4", ROOT / "examples" / "two-classes.json", 500, seed=1)
    found = algdim.select(data, score="bic", by="bic")
    two = algdim.select({"A": [0, 1, 1, 0], "B": [0, 1, 0, 1]}, score="bic", by="bic")

    assert [1, 2, 3, 4] == [one.fit.model.states["H"] for one in found.candidates]
    assert found.notes[0].startswith(
        "no candidates were given: 1 to 4 classes are compared; the last has not the greatest bic"
    )
    assert [1, 2] == [one.fit.model.states["H"] for one in two.candidates]
    assert "more than 2 have the same distributions (KZ02 Lemma 3.2)" in two.notes[0]


def test_other_forms_of_a_plot_are_refused(tmp_path, capsys):
    """Before anything is fitted."""
    assert 2 == main(["select", str(tmp_path / "no.csv"), "--classes", "1..2", "--plot", "scores.txt"])
    assert ".svg" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({"classes": "two"}, "1..8"),
        ({"classes": "1..3", "by": "aic"}, "aic"),
        ({"classes": "1..3", "tolerance": -1}, "tolerance"),
        ({"classes": "3", "by": "laplace", "score": "bic"}, "no candidate has the score laplace: the effective"),
        ({"classes": "1..3", "alpha": 1, "ess": 1}, "one prior"),
    ],
)
def test_what_cannot_be_chosen_is_refused(options, word):
    """Each with its reason."""
    with pytest.raises(InputError, match=word):
        algdim.select(COLUMNS, **options)


@in_turn(2)
def test_the_command_writes_the_best_model(tmp_path, capsys, monkeypatch):
    """A model file and a fit that the other commands read, a plot, and the JSON of the record."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data.csv").write_text(str(DATA) + "\n", encoding="utf-8")
    arguments = ["--classes", "1..3", "--score", "bic,bic+", "--by", "bic+", "--json"]
    files = ["-o", "best.json", "--fit", "fit.json", "--plot", "scores.svg"]

    assert 0 == main(["select", "data.csv", *arguments, *files])
    printed = json.loads(capsys.readouterr().out)
    assert ("bic+", "2:2,2,2,2", 3) == (printed["by"], printed["best"], len(printed["candidates"]))
    assert json.loads((tmp_path / "best.json").read_text(encoding="utf-8")) == printed["model"]
    assert 0 == main(["simulate", "best.json", "--at", "fit.json", "-n", "3"])
    assert 4 == len(capsys.readouterr().out.split())
    assert (tmp_path / "scores.svg").read_text(encoding="utf-8").startswith("<svg")
    assert 0 == main(
        [
            "select",
            "data.csv",
            "--structures",
            "best.json,best.json",
            "--structures",
            "3:2^4",
            "--score",
            "bic",
            "--by",
            "bic",
        ]
    )
    assert "best by bic: best.json: 2:2,2,2,2" in capsys.readouterr().out


@in_turn(3)
def test_what_sbic_compares_is_fitted_once(monkeypatch):
    """Each number of classes has one fit for all candidates, and the scores are those of each candidate alone."""
    random = np.random.default_rng(4)
    data = {name: random.integers(0, 2, 60).tolist() for name in "ABCDE"}
    alone = [algdim.score(data, f"H -> A, B, C, D, E; hidden H; states H={k}", score="sbic").values for k in (2, 3, 4)]
    fitted = []
    original = algdim.scores.scores.fit
    monkeypatch.setattr(
        "algdim.scores.scores.fit", lambda *words, **options: fitted.append(words[1]) or original(*words, **options)
    )
    found = algdim.select(data, classes="1..4", by="sbic", score="sbic")

    assert 4 == len(fitted)
    assert [one.values["sbic"] for one in found.candidates[1:]] == [values["sbic"] for values in alone]
