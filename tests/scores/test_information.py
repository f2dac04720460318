"""Singular values at an estimate: coordinates do not matter, their number is the dimension."""

from math import prod

import numpy as np
import pytest
from brute_scores import some_parameters

import algdim
from algdim.families.discrete.map import get_param_map
from algdim.fitting.record import convert_to_arrays
from algdim.scores.information import compute_information

MODELS = [
    "2:2,2,2",
    "3:2,2,2,2",
    "A -> C <- H -> D <- B; hidden H",
    "2(2,2(2))",
    "max: {A,B},{B} -> E",
    "A -> B; given A",
]


def found_at(text, parameters, size=100.0):
    """The singular values of a model at parameters."""
    pmap = get_param_map(algdim.model(text))
    return compute_information(pmap, convert_to_arrays(pmap, parameters), algdim.dimension(text).dimension, size)


@pytest.mark.parametrize("text", MODELS)
def test_as_many_are_positive_as_the_dimension_says(text):
    """At random parameters the rank in floats is the proved dimension; no value exceeds 1."""
    model = algdim.model(text)
    found = found_at(text, some_parameters(model, 3))
    report = algdim.dimension(text)

    assert report.standard == len(found.values)
    assert report.dimension == sum(value > 1e-6 for value in found.values)
    assert found.values[0] <= 1 + 1e-9


def test_nothing_is_lost_when_all_is_seen():
    """Of complete data all values are 1, at the boundary too."""
    parameters = {"A": [[0.25, 0.75]], "B": [[0.5, 0.5], [1e-9, 1 - 1e-9]]}

    assert [1.0] * 3 == pytest.approx(found_at("A -> B", parameters).values, abs=1e-6)


def test_a_class_that_never_occurs_tells_nothing():
    """Its rows have no weight: what is left are the three binary items and the class itself, whose chance is at its boundary."""
    gone = {"H": [[0.0, 1.0]], **{f"X{i}": [[0.3, 0.7], [0.6, 0.4]] for i in (1, 2, 3)}}
    values = found_at("2:2,2,2", gone).values

    assert [0.0] * 3 == list(values[-3:])
    assert 3 <= sum(value > 1e-6 for value in values) <= 4


def test_equal_classes_are_weak():
    """Where both classes are alike the dimension is less, and the record warns."""
    alike = {"H": [[0.5, 0.5]], **{f"X{i}": [[0.3, 0.7], [0.3, 0.7]] for i in (1, 2, 3)}}
    found = found_at("2:2,2,2", alike)

    assert found.is_weak
    assert "WARNING" in str(found)
    assert 3 == sum(value > 1e-6 for value in found.values)


def test_the_values_are_those_of_both_metrics():
    """They are the singular values of the Jacobian between both Fisher metrics, differences and loops throughout."""
    model = algdim.model("2:2,3")
    parameters = some_parameters(model, 5)
    point = [value for rows in parameters.values() for row in rows for value in row[:-1]]
    free = [
        (name, i, k) for name, rows in parameters.items() for i, row in enumerate(rows) for k in range(len(row) - 1)
    ]

    def complete(values):
        tables = {name: np.array(rows) for name, rows in parameters.items()}
        for (name, i, k), value in zip(free, values, strict=True):
            tables[name][i, -1] += tables[name][i, k] - value
            tables[name][i, k] = value
        h, x, y = (tables[name] for name in ("H", "X1", "X2"))
        return h[0][:, None, None] * x[:, :, None] * y[:, None, :]

    def metric(function):
        step = 1e-6
        columns = [(function(point + e) - function(point - e)).ravel() / (2 * step) for e in np.eye(len(point)) * step]
        slopes = np.array(columns).T / np.sqrt(function(point)).reshape(-1, 1)
        return slopes.T @ slopes

    point = np.array(point)
    ratio = np.linalg.solve(metric(complete), metric(lambda values: complete(values).sum(axis=0)))
    wanted = np.sort(np.sqrt(np.clip(np.linalg.eigvals(ratio).real, 0, None)))[::-1]

    assert wanted == pytest.approx(found_at("2:2,3", parameters).values, abs=1e-4)
    assert prod(ratio.shape) == len(point) ** 2


def test_cells_of_hardly_any_probability():
    """Numbers so small that they have no reciprocal: no warning, and every value is finite."""
    with np.errstate(all="raise", under="ignore"):
        found = found_at("A -> B", {"A": [[1e-310, 1.0]], "B": [[0.5, 0.5], [1e-320, 1.0]]})

    assert np.isfinite(found.values).all()


def test_entries_near_0_make_values_small_and_the_record_says_so():
    """Of a regular point with entries near 0 nothing is said of a smaller dimension; no value exceeds 1, with 1e-30 too."""
    tables = {"H": [[0.25, 0.75]], "X1": [[1e-30, 1.0], [0.5, 0.5]]}
    tables |= {"X2": [[0.25, 0.75], [0.75, 0.25]], "X3": [[0.125, 0.875], [0.5, 0.5]]}
    data = {"X1": [0, 0, 1, 1, 1, 1], "X2": [0, 1, 0, 1, 0, 1], "X3": [0, 1, 0, 1, 1, 0], "count": [9, 8, 7, 6, 5, 4]}
    found = algdim.score(data, "2:2^3", at=tables, score="bic")

    assert found.information.values[0] <= 1 + 1e-9
    assert found.information.is_weak
    assert "1 entry within 1/N of 0 makes singular values small: the dimension there need not be less" in str(found)
    assert "WARNING: 1 entry within 1/N of 0\n" in f"{found}\n"  # P(X1=0|H=0), of which P(X1=1|H=0) is no second
    assert "may be less" not in str(found)


def test_models_without_singular_values_are_not_told_of_them():
    """Nobody asked a Gaussian model for them."""
    random = np.random.default_rng(1)
    found = algdim.score(random.normal(size=(50, 2)), "gaussian: X -> Y; means off", score="bic")

    assert "singular values" not in str(found)
    assert found.to_dict()["information_reason"]
