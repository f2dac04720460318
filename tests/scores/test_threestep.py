"""The third step: exact in the population, by hand where classes are certain, and at a maximum where a likelihood is climbed."""

import json
from itertools import product

import numpy as np
import pytest

import algdim
from algdim import InputError
from algdim.cli import main
from algdim.scores.threestep import BCH, ML, NONE, assign_classes, compare_classes, maximise_logit, regress_classes

ITEMS = {0: (0.2, 0.3, 0.1), 1: (0.8, 0.7, 0.9)}
"""The probability of 1 of each item, by class."""
SHARE = {0: 0.4, 1: 0.6}
OUTCOME = {0: (0.5, 0.3, 0.2), 1: (0.1, 0.2, 0.7)}
"""P(Z | class)."""


def population(cases=1000.0):
    """All cells of the items and Z, with the counts that the distribution has: no sampling at all."""
    rows = {name: [] for name in ("A", "B", "C", "Z", "count")}
    for cell in product((0, 1), (0, 1), (0, 1), (0, 1, 2)):
        chance = sum(
            SHARE[h]
            * OUTCOME[h][cell[3]]
            * np.prod([p if x else 1 - p for p, x in zip(ITEMS[h], cell[:3], strict=True)])
            for h in (0, 1)
        )
        for name, value in zip(rows, (*cell, cases * chance), strict=True):
            rows[name].append(value)
    return rows


def find_truth(data):
    """The classes of the population, and which of them is the one of the low items."""
    found = algdim.fit(data, "H -> A, B, C; hidden H", absolute=1e-13, starts=2, identify=False)
    low = int(found.parameters["A"][0][0] < found.parameters["A"][1][0])
    return assign_classes(data, found), [low, 1 - low]


def shares_of(step, states):
    """Class × label, the classes as in the truth."""
    by = {(one.of, one.state): one.value for one in step.estimates}
    labels = list(dict.fromkeys(one.of for one in step.estimates))
    return [[by[label, state] for label in labels] for state in states]


def test_the_population_is_recovered():
    """Shares and means by BCH and ML are those of the classes; uncorrected they are nearer to each other."""
    data = population()
    assigned, states = find_truth(data)
    words = {**data, "Z": [f"z{value}" for value in data["Z"]]}

    for correction in (BCH, ML):
        (step,) = compare_classes(assigned, words, ["Z"], correction=correction)
        assert np.allclose(shares_of(step, states), [OUTCOME[0], OUTCOME[1]], atol=1e-4)
    (mean,) = compare_classes(assigned, data, ["Z"])
    assert np.allclose(shares_of(mean, states), [[0.7], [1.6]], atol=1e-4)
    (plain,) = compare_classes(assigned, data, ["Z"], correction=NONE)
    low, high = (row[0] for row in shares_of(plain, states))
    assert 0.75 < low < high < 1.55


def test_predictors_of_the_population_are_recovered():
    """Log-odds of the class given Z, by Bayes; labels are compared with the first."""
    data = population()
    assigned, states = find_truth(data)
    words = {**data, "Z": [f"z{value}" for value in data["Z"]]}

    step = regress_classes(assigned, words, ["Z"])
    log_odds = [np.log(SHARE[1] * OUTCOME[1][z] / (SHARE[0] * OUTCOME[0][z])) for z in range(3)]
    expected = [log_odds[0], log_odds[1] - log_odds[0], log_odds[2] - log_odds[0]]
    sign = 1 if states == [0, 1] else -1

    assert ["intercept", "Z=z1", "Z=z2"] == [one.of for one in step.estimates]
    assert np.allclose([sign * one.value for one in step.estimates], expected, atol=1e-3)
    assert 2 == step.dof
    assert step.wald > 30


def test_certain_classes_need_no_correction():
    """Means and their errors are those of two groups by hand, and Wald's statistic is the square of their z."""
    values = np.array([1.0, 2.0, 6.0, 4.0, 8.0, 3.0, 5.0, 7.0] * 10)
    group = np.array([0, 0, 0, 0, 1, 1, 1, 1] * 10)
    data = {name: group.tolist() for name in "ABC"}
    assigned = assign_classes(data, algdim.fit(data, "H -> A, B, C; hidden H", identify=False))

    for correction in (BCH, NONE):
        (step,) = compare_classes(assigned, {"Z": values.tolist()}, ["Z"], correction=correction)
        for one in step.estimates:
            own = values[assigned.modal == one.state]
            assert one.value == pytest.approx(own.mean(), abs=1e-6)
            assert one.error == pytest.approx(own.std() / np.sqrt(len(own)), rel=1e-5)
        first, second = step.estimates
        expected = (first.value - second.value) ** 2 / (first.error**2 + second.error**2)
        assert step.wald == pytest.approx(expected, rel=1e-6)


def test_counts_are_rows():
    """A row that occurs twice is two rows."""
    data = {name: [0, 0, 0, 1, 1, 1] for name in "AB"} | {"C": [0, 0, 1, 1, 1, 0], "Z": [1.0, 2.0, 4.0, 3.0, 5.0, 9.0]}
    counts = [3, 1, 2, 2, 4, 1]
    long = {
        name: [value for value, times in zip(column, counts, strict=True) for _ in range(times)]
        for name, column in data.items()
    }
    found = algdim.fit(long, "H -> A, B, C; hidden H", identify=False)

    short = data | {"count": counts}
    one = compare_classes(assign_classes(short, found), short, ["Z"])
    other = compare_classes(assign_classes(long, found), long, ["Z"])

    assert np.allclose([e.value for e in one[0].estimates], [e.value for e in other[0].estimates])
    assert np.allclose([e.error for e in one[0].estimates], [e.error for e in other[0].estimates])


@pytest.mark.parametrize("seed", range(3))
def test_the_logit_is_at_a_maximum(seed):
    """By differences of the likelihood, written out case by case: no slope, and the curvature that is given."""
    random = np.random.default_rng(seed)
    design = np.column_stack([np.ones(300), random.normal(size=300)])
    errors = np.array([[0.8, 0.15, 0.05], [0.1, 0.8, 0.1], [0.1, 0.1, 0.8]])
    odds = np.exp(design @ np.array([[0, 0], [0.3, 1.0], [-0.2, -1.0]]).T)
    true = [random.choice(3, p=row / row.sum()) for row in odds]
    put = np.array([random.choice(3, p=errors[state]) for state in true])
    times = random.integers(1, 3, 300).astype(float)
    seen = errors[:, put].T

    weights, information = maximise_logit(design, times, seen)

    def likelihood(flat):
        total = 0.0
        for row, chances, often in zip(design, seen, times, strict=True):
            scale = np.exp([0.0, *(flat.reshape(2, 2) @ row)])
            total += often * np.log(scale / scale.sum() @ chances)
        return total

    step, flat = 1e-3, weights.ravel()
    units = np.eye(4) * step
    slope = [(likelihood(flat + u) - likelihood(flat - u)) / (2 * step) for u in units]
    curve = [[(likelihood(flat + u + v) - likelihood(flat + u - v) - likelihood(flat - u + v) + likelihood(flat - u - v)) / (4 * step**2) for v in units] for u in units]  # fmt: skip
    assert np.allclose(slope, 0, atol=1e-3)
    assert np.allclose(-np.array(curve), information, rtol=1e-3, atol=1e-2)


def test_shares_below_zero_are_only_those_of_bch():
    """Few cases with a rare label: BCH's share is negative, that of ML is 0 and no other point near is likelier."""
    data = {name: [0] * 30 + [1] * 30 for name in "AB"} | {"C": [0] * 20 + [1] * 10 + [1] * 20 + [0] * 10}
    assigned = assign_classes(data, algdim.fit(data, "H -> A, B, C; hidden H", identify=False))
    assigned = type(assigned)(assigned.name, assigned.modal, assigned.counts, np.array([[0.8, 0.2], [0.2, 0.8]]))
    place = int(assigned.modal[0])
    labels = {"Z": ["a"] * 30 + ["b"] * 29 + ["a"]}

    (bch,) = compare_classes(assigned, labels, ["Z"], correction=BCH)
    (ml,) = compare_classes(assigned, labels, ["Z"], correction=ML)

    assert min(one.value for one in bch.estimates) < -0.1
    shares = {(one.of, one.state): one.value for one in ml.estimates}
    assert shares["b", place] == pytest.approx(0, abs=1e-6)
    assert all(0 <= value <= 1 for value in shares.values())


def test_what_has_no_third_step_is_refused(tmp_path):
    """Each with the reason."""
    data = population()
    assigned, _ = find_truth(data)
    with pytest.raises(InputError, match="no correction 'BCH'"):
        compare_classes(assigned, data, ["Z"], correction="BCH")
    with pytest.raises(InputError, match="needs a distribution within classes"):
        compare_classes(assigned, data, ["Z"], correction=ML)
    with pytest.raises(InputError, match="no column Y"):
        compare_classes(assigned, data, ["Y"])
    with pytest.raises(InputError, match="linearly dependent"):
        regress_classes(assigned, {**data, "Y": data["Z"]}, ["Z", "Y"])
    with pytest.raises(InputError, match="corrected by ml"):
        regress_classes(assigned, data, ["Z"], correction=BCH)
    with pytest.raises(InputError, match="2 rows, and 24 cases"):
        compare_classes(assigned, {"Z": [1, 2]}, ["Z"])
    with pytest.raises(InputError, match="not identified"):
        assign_classes(data, algdim.fit(data, "H -> A, B, C; hidden H; states H=3", starts=2))
    two = "H, G -> A, B, C; hidden H, G"
    with pytest.raises(InputError, match="the classes of one"):
        assign_classes(data, algdim.fit(data, two, identify=False, starts=2, iterations=20))


def test_the_command_leaves_the_columns_out(tmp_path, capsys):
    """Items are the other columns, in order; numbers have means, and the JSON has the steps."""
    data, file = population(), tmp_path / "data.csv"
    lines = [",".join(data), *(",".join(map(str, row)) for row in zip(*data.values(), strict=True))]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")

    assert 0 == main(["fit", str(file), "2:2^3", "--distal", "Z", "--predictors", "Z", "--json"])
    steps = json.loads(capsys.readouterr().out)["third_steps"]
    assert [("mean", "bch", 1), ("predictors", "ml", 1)] == [(s["kind"], s["correction"], s["dof"]) for s in steps]
    assert sorted(round(one["value"], 3) for one in steps[0]["estimates"]) == [0.7, 1.6]

    assert 0 == main(["fit", str(file), "2:2^3", "--distal", "Z"])
    assert "Z: mean by class, bch, 1000 cases   Wald" in capsys.readouterr().out
    assert 2 == main(["fit", str(file), "2:2^3", "--items", "A,B,C", "--correction", "bch"])
