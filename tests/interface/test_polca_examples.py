"""The examples of poLCA's manual, from data and scripts to what is printed there; classes of cases, residuals, the bootstrap."""

from __future__ import annotations

import csv
import json
from collections import Counter
from math import log, prod
from pathlib import Path

import pytest

import algdim
from algdim.cli import main

EXAMPLES = Path(__file__).parents[2] / "examples"
CARCINOMA = str(EXAMPLES / "carcinoma.csv")
"""Landis and Koch 1977: seven pathologists on 118 slides (Agresti 2002, Table 13.1; poLCA's data set carcinoma)."""
CHEATING = dict(
    zip(
        (
            "0000",
            "1000",
            "0100",
            "1100",
            "0010",
            "1010",
            "0110",
            "1110",
            "0001",
            "1001",
            "0101",
            "1101",
            "0011",
            "1011",
            "0111",
            "1111",
        ),
        (207, 10, 13, 11, 7, 1, 1, 1, 46, 3, 4, 4, 5, 2, 2, 2),
        strict=True,
    )
)
"""Dayton 1998: 319 students who lied to avoid an exam or a paper, bought a paper, copied (poLCA's data set cheating)."""
VALUES = dict(
    zip(
        (
            "0000",
            "0001",
            "0010",
            "0011",
            "0100",
            "0101",
            "0110",
            "0111",
            "1000",
            "1001",
            "1010",
            "1011",
            "1100",
            "1101",
            "1110",
            "1111",
        ),
        (42, 23, 6, 25, 6, 24, 7, 38, 1, 4, 1, 6, 2, 9, 2, 20),
        strict=True,
    )
)
"""Stouffer and Toby 1951, as Goodman 1974 has it: 216 respondents (poLCA's data set values)."""


def columns(patterns, names):
    """Patterns with their counts as columns."""
    found = {name: [int(pattern[place]) for pattern in patterns] for place, name in enumerate(names)}
    return found | {"count": list(patterns.values())}


@pytest.mark.parametrize(
    ("classes", "loglik", "bic"), [(2, -317.2568, 706.0739), (3, -293.705, 697.1357), (4, -289.2858, 726.4629)]
)
def test_carcinoma(classes, loglik, bic):
    """The log-likelihoods and BICs of poLCA's vignette: three classes have the least."""
    found = algdim.score(CARCINOMA, f"{classes}:2^7", score="bic")

    assert loglik == pytest.approx(found.fit.loglik, abs=1e-4)
    assert bic == pytest.approx(-2 * found.values["bic"], abs=2e-4)


def test_the_three_classes_of_carcinoma():
    """18, 37 and 45 percent of the slides: the pathologists agree on two classes and not on the third."""
    found = algdim.fit(CARCINOMA, "3:2^7")

    assert [0.1817, 0.3736, 0.4447] == [round(share, 4) for share in sorted(found.parameters["H"][0])]
    assert found.identified.sentence.startswith("locally identified (proved)")


def test_cheating():
    """Two classes: 16 percent cheat; the log-likelihood and G² of the manual."""
    data = columns(CHEATING, ("LIEEXAM", "LIEPAPER", "FRAUD", "COPYEXAM"))
    found = algdim.score(data, "2:2^4", score="bic")

    assert found.fit.loglik == pytest.approx(-440.0271, abs=1e-4)
    assert round(min(found.fit.parameters["H"][0]), 4) == 0.1606
    assert (7.7642, 6) == (round(found.goodness.g2, 4), found.goodness.dof)


SCRIPT = "data(cheating)\nch2c <- poLCA(cbind(LIEEXAM, LIEPAPER, FRAUD, COPYEXAM) ~ GPA, cheating, nclass = 2)\n"


def test_cheating_by_person():
    """The file of 319 students has the table of their answers."""
    with (EXAMPLES / "cheating.csv").open(encoding="utf-8") as file:
        rows = [row[:4] for row in csv.reader(file)][1:]
    counts = Counter("".join(str(int(answer) - 1) for answer in row) for row in rows)

    assert dict(counts) == CHEATING


def test_the_regression_of_cheating():
    """The log-likelihood of poLCA's help page; four students without a grade point average are left out, as there."""
    with pytest.raises(algdim.InputError, match=r"row 2, column GPA .* conditioned on; leave out .*--missing"):
        algdim.fit(EXAMPLES / "cheating.csv", algdim.model(SCRIPT, format="polca"))
    found = algdim.score(EXAMPLES / "cheating.csv", SCRIPT, format="polca", missing=True, score="bic,bic+")

    assert found.fit.loglik == pytest.approx(-429.6384, abs=1e-4)
    assert (315, 10, 65) == (found.fit.sample.size, found.report.dimension, found.goodness.dof)
    assert "left out: 4 cases in which GPA, which is conditioned on, is missing" in found.fit.sample.notes
    assert found.values["bic"] == found.values["bic+"] == pytest.approx(-429.6384 - 5 * log(315), abs=1e-4)


def test_what_follows_from_a_regression_with_gaps(tmp_path, capsys):
    """Classes of cases, residuals and the bootstrap are those of the cases that are not left out."""
    script, target = tmp_path / "cheating.R", tmp_path / "classes.csv"
    script.write_text(SCRIPT, encoding="utf-8")
    data = str(EXAMPLES / "cheating.csv")
    more = ["--missing", "--posterior", str(target), "--residuals", "--bootstrap", "2", "--json"]
    assert 0 == main(["fit", data, str(script), *more])
    found = json.loads(capsys.readouterr().out)
    with target.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))

    assert (315, 6, 2) == (len(rows), len(found["residuals"]), len(found["bootstrap"]["drawn"]))
    assert all(row["GPA"] != "NA" for row in rows)
    assert found["bootstrap"]["statistic"] == pytest.approx(74.9548, abs=1e-3)


def test_the_bootstrap_wants_complete_cases(tmp_path, capsys):
    """Where items are missing, what is drawn would not be alike; neither G² nor a larger model is compared."""
    file = tmp_path / "data.csv"
    file.write_text("A,B,C\n0,0,1\n1,,1\n1,1,0\n0,1,1\n", encoding="utf-8")
    for against in ([], ["--against", "2:2^3"]):
        assert 2 == main(["fit", str(file), "1:2^3", "--missing", "--bootstrap", "2", *against])
        assert "the bootstrap draws complete cases" in capsys.readouterr().err


def test_a_regression_without_any_covariate():
    """Nothing is left to fit."""
    with pytest.raises(algdim.InputError, match="no case has an entry of all that is conditioned on"):
        algdim.fit({"Z": [None, None], "X": [0, 1]}, "Z -> X; given Z", missing=True)


def test_election():
    """The regression of three classes on party identification has 112 parameters, and they are identified."""
    items = ",".join(f"{trait}{man}" for man in "GB" for trait in ("MORAL", "CARES", "KNOW", "LEAD", "DISHON", "INTEL"))
    script = f"data(election)\nnes2a <- poLCA(cbind({items})~PARTY, election, nclass=3, nrep=5)\n"
    report = algdim.dimension(algdim.model(script, format="polca"))

    assert (112, 112, True) == (report.standard, report.dimension, report.exact)


def test_covariates_of_any_data():
    """How many values a covariate has the data say; of a binary one the regression is a table for each of its values."""
    data = columns(VALUES, "ABCD")
    found = algdim.fit(data, "cbind(A, B, C) ~ D", format="polca:nclass=2", starts=6, identify=False)
    table = algdim.fit(data, "D -> H -> A, B, C; hidden H; given D", starts=6, identify=False)

    assert str(found.model) == "D -> H -> A, B, C; hidden H; given D; multinomial H"
    assert table.loglik == pytest.approx(found.loglik, abs=1e-5)


@pytest.mark.parametrize(
    "formula", ["cbind(A, B) ~ C*D", "cbind(A, B) ~ log(C)", "cbind(A, B) ~ A", "cbind(A, B) ~ 1*C"]
)
def test_covariates_that_are_not_read(formula):
    """Interactions, functions, items."""
    with pytest.raises(algdim.InputError, match=r"covariates are written|occurs twice"):
        algdim.model(formula, format="polca:nclass=2,states=2")


@pytest.mark.parametrize(
    ("classes", "expected"),
    [
        (1, [12.378947, 5.704402, 8.308752, 15.586100, 23.562456, 23.779559]),
        (2, [1.172162, 0.003304, 0.010098, 0.037914, 0.016504, 0.055859]),
    ],
)
def test_bivariate_residuals(classes, expected, tmp_path, capsys):
    """Those that the R package bvr prints for the data set values."""
    file = tmp_path / "values.csv"
    rows = [*zip(*columns(VALUES, "ABCD").values(), strict=True)]
    file.write_text(
        "\n".join(",".join(map(str, row)) for row in [("A", "B", "C", "D", "count"), *rows]) + "\n", encoding="utf-8"
    )
    assert 0 == main(["fit", str(file), f"H -> A, B, C, D; hidden H; states H={classes}", "--residuals", "--json"])
    found = json.loads(capsys.readouterr().out)["residuals"]

    assert sorted(one["residual"] for one in found) == pytest.approx(sorted(expected), abs=1e-5)


def test_the_classes_of_cases(tmp_path):
    """The file has the rows of the data, and Bayes' theorem in each."""
    target = tmp_path / "classes.csv"
    assert 0 == main(["fit", CARCINOMA, "3:2^7", "--posterior", str(target), "--json"])
    parameters = algdim.fit(CARCINOMA, "3:2^7", identify=False).parameters
    with target.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))

    assert 20 == len(rows)
    for row in rows:
        joint = [
            parameters["H"][0][h] * prod(parameters[f"X{k + 1}"][h][int(row[name])] for k, name in enumerate("ABCDEFG"))
            for h in range(3)
        ]
        shares = [float(row[f"P(H={h})"]) for h in range(3)]
        assert shares == pytest.approx([one / sum(joint) for one in joint], abs=1e-5)
        assert int(row["H"]) == shares.index(max(shares))


def test_the_classes_of_mixtures(tmp_path):
    """The same of normal distributions, by two families."""
    data = tmp_path / "data.csv"
    data.write_text(
        "X,Y\n" + "\n".join(f"{5 * (k % 2) + k / 7},{-5 * (k % 2) + (k * 3 % 5) / 3}" for k in range(30)) + "\n",
        encoding="utf-8",
    )
    shares = []
    for family in ("latent-profile", "conditional-gaussian"):
        target = tmp_path / f"{family}.csv"
        assert 0 == main(
            ["fit", str(data), f"{family}: H -> X, Y; hidden H; states H=2", "--posterior", str(target), "--json"]
        )
        with target.open(encoding="utf-8") as file:
            shares.append([max(float(row["P(H=0)"]), float(row["P(H=1)"])) for row in csv.DictReader(file)])

    assert shares[0] == pytest.approx(shares[1], abs=1e-5)


def test_the_bootstrap(tmp_path, capsys):
    """Of independent items one class is enough, of dependent ones it is not; by G², and against two classes."""
    file = tmp_path / "data.csv"
    rows = [(a, b, c, 16 if a == b == c else 4) for a in (0, 1) for b in (0, 1) for c in (0, 1)]
    file.write_text(
        "\n".join(",".join(map(str, row)) for row in [("A", "B", "C", "count"), *rows]) + "\n", encoding="utf-8"
    )
    found = {}
    for against in ([], ["--against", "2:2^3"]):
        assert 0 == main(["fit", str(file), "1:2^3", "--bootstrap", "4", *against, "--json"])
        found[bool(against)] = json.loads(capsys.readouterr().out)["bootstrap"]

    assert (0.2, 4, None) == (found[False]["p"], found[False]["draws"], found[False]["against"])
    assert (0.2, "2:2,2,2") == (found[True]["p"], found[True]["against"])
    assert 2 == main(["fit", str(file), "1:2^3", "--against", "2:2^3"])


def test_the_bootstrap_of_a_regression(tmp_path, capsys):
    """What is conditioned on keeps its states; G² is that of `score`."""
    file = tmp_path / "data.csv"
    rows = [*zip(*columns(VALUES, "ABCD").values(), strict=True)]
    lines = [",".join(map(str, row)) for row in [("A", "B", "C", "D", "count"), *rows]]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    text = "D -> H -> A, B, C; hidden H; given D; multinomial H"
    assert 0 == main(["fit", str(file), text, "--bootstrap", "3", "--json"])
    found = json.loads(capsys.readouterr().out)["bootstrap"]
    goodness = algdim.score(str(file), text, score="bic").goodness

    assert found["statistic"] == pytest.approx(goodness.g2, abs=1e-4)
    assert len(set(found["drawn"])) == 3


@pytest.mark.parametrize(
    ("model", "dimension"),
    [
        ("G -> H; G, H -> A, B, C, D; hidden H; given G", 18),  # a model of its own for each group
        ("G -> H -> A, B, C, D; hidden H; given G", 10),  # the same items in both
        ("G -> H; H -> A, B, C; G, H -> D; hidden H; given G", 12),  # but for one
        ("H -> A, B, C; G, H -> D; hidden H; given G", 11),  # and classes of the same size
    ],
)
def test_groups(model, dimension):
    """Measurement invariance (Clogg and Goodman 1984): two groups, two classes, four items."""
    report = algdim.dimension(model)

    assert (dimension, True) == (report.dimension, report.exact)
    assert 30 - dimension == report.df
