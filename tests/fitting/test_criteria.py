"""Information criteria as other programs print them, and the entropy R², against the definitions."""

from __future__ import annotations

import json
from itertools import product
from math import log

import pytest

import algdim
from algdim.cli import main
from algdim.fitting.criteria import PENALTIES, Criteria

DATA = {"A": [0, 0, 1, 1, 0, 1], "B": [0, 1, 0, 1, 0, 1], "C": [0, 0, 1, 1, 1, 1], "count": [40, 9, 8, 43, 5, 7]}
ROWS = list(zip(*(DATA[name] for name in ("A", "B", "C", "count")), strict=True))


def compute_entropy(found, classes, items):
    """The entropy of the class of each case given its answers, summed: straight from the parameters."""
    weights, tables = found.parameters["H"][0], [found.parameters[name] for name in items]
    total = 0.0
    for *answers, count in ROWS:
        joint = [
            weights[h] * prod_of(table[h][x] for table, x in zip(tables, answers, strict=False)) for h in range(classes)
        ]
        shares = [value / sum(joint) for value in joint]
        total -= count * sum(share * log(share) for share in shares if share > 0)
    return total


def prod_of(values):
    """Their product."""
    result = 1.0
    for value in values:
        result *= value
    return result


@pytest.mark.parametrize("classes", [2, 3])
def test_the_entropy_is_that_of_the_classes(classes):
    """1 − entropy / (N log K)."""
    found = algdim.fit(DATA, f"{classes}:2,2,2", starts=3)
    size = sum(DATA["count"])
    expected = 1 - compute_entropy(found, classes, ("X1", "X2", "X3")) / (size * log(classes))

    assert found.criteria.entropy_at_estimates == pytest.approx(expected, abs=1e-9)
    assert 0 <= expected <= 1


def test_where_parameters_are_not_identified_the_entropy_is_none():
    """Equally likely estimates of 2:2,2 differ in entropy: which one is found depends on the starts, and on the processor."""
    table = {name: DATA[name] for name in ("A", "B", "count")}
    fits = [algdim.fit(table, "2:2,2", starts=1, seed=seed) for seed in range(4)]
    entropies = [found.criteria.entropy_at_estimates for found in fits]

    assert max(found.loglik for found in fits) == pytest.approx(min(found.loglik for found in fits), abs=1e-6)
    assert max(entropies) - min(entropies) > 0.01
    for found in fits:
        assert found.criteria.entropy_r2 is None
        assert found.to_dict()["criteria"]["entropy_r2"] is None
        assert found.criteria.lines()[-1] == "entropy R² not determined: parameters are not identified"
    scored = str(algdim.score(table, "2:2,2", score="bic,cs"))
    assert "cs of such a model is that of one of many equally likely estimates" in scored


def test_where_it_is_not_decided_nothing_is_claimed():
    """Neither an entropy nor that parameters are not identified."""
    undecided = Criteria(-10.0, 100.0, 3, None, 0.5, is_identified=None)

    assert undecided.entropy_r2 is None
    assert undecided.lines()[-1] == "entropy R² not given: whether all parameters are identified is not decided"


def test_two_hidden_variables_count_together():
    """The entropy is that of their joint state; shared tables and functions of parents do not matter."""
    text = "H -> A, G; G -> B, C; hidden H, G; share item: B, C"
    found = algdim.fit(DATA, text, starts=2)
    h, of_g, of_a, item = (found.parameters[name] for name in ("H", "G", "A", "item"))
    entropy = 0.0
    for a, b, c, count in ROWS:
        joint = [h[0][i] * of_g[i][j] * of_a[i][a] * item[j][b] * item[j][c] for i, j in product(range(2), repeat=2)]
        entropy -= count * sum(value / sum(joint) * log(value / sum(joint)) for value in joint if value > 0)

    assert found.criteria.entropy_at_estimates == pytest.approx(1 - entropy / (sum(DATA["count"]) * log(4)), abs=1e-9)


@pytest.mark.parametrize(
    ("data", "text", "more"),
    [
        (DATA, "A -> B -> C", {}),
        (DATA, "A, H -> B; H -> C; hidden H; given A", {}),
        ({**DATA, "A": [0, 0, 1, 1, None, 1]}, "2:2,2,2", {"missing": True}),
        (DATA, "sigmoid: H -> A, B, C; hidden H", {}),
        ({"X": [0.5, 1.5, 3.0, 4.5, 2.5], "Y": [1.0, 2.0, 2.5, 4.0, 3.5]}, "gaussian: X -> Y", {}),
    ],
)
def test_elsewhere_there_is_none(data, text, more):
    """Nothing hidden, conditions, missing entries, weights, other families: the criteria are there all the same."""
    found = algdim.fit(data, text, starts=1, **more).criteria

    assert found.entropy_r2 is None
    assert set(found.compute(found.parameters)) == set(PENALTIES)


def test_the_criteria_are_those_of_the_scores():
    """−2 times bic and bic+, and the others by their definitions; counted with the parameters and with the dimension."""
    scored = algdim.score(DATA, "3:2,2,2", score="bic,bic+")
    found, size = scored.fit.criteria, sum(DATA["count"])
    by_counting, right = found.compute(found.parameters), found.compute(found.dimension)

    assert (11, 7) == (found.parameters, found.dimension)
    assert by_counting["BIC"] == pytest.approx(-2 * scored.values["bic"])
    assert right["BIC"] == pytest.approx(-2 * scored.values["bic+"])
    for count, values in ((11, by_counting), (7, right)):
        assert values["AIC"] == pytest.approx(2 * count - 2 * found.loglik)
        assert values["CAIC"] == pytest.approx(values["BIC"] + count)
        assert values["SABIC"] == pytest.approx(values["BIC"] - count * (log(size) - log((size + 2) / 24)))


@pytest.mark.parametrize("words", [("fit", "2:2,2,2"), ("score", "2:2,2,2"), ("select", "--classes", "1..2")])
def test_it_is_always_said_which_is_better(words, tmp_path, capsys):
    """Larger or smaller, in text; in JSON as `scale`."""
    file = tmp_path / "data.csv"
    file.write_text("\n".join(["A,B,C,count", *(",".join(map(str, row)) for row in ROWS)]), encoding="utf-8")
    command, *rest = words
    assert main([command, str(file), *rest]) == 0
    shown = capsys.readouterr().out
    assert main([command, str(file), *rest, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    told = told.get("candidates", [told])[-1]

    assert "-2 log scale" in shown
    assert "smaller is better" in shown
    assert "entropy R²" in shown
    assert "larger is better" in shown
    assert "smaller is better" in told["criteria"]["scale"]
    assert {"aic", "bic", "sabic", "caic"} == set(told["criteria"]["parameters"])
