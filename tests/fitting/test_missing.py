"""Missing entries in models with continuous variables: where the likelihood of what each case shows is greatest.

That it is the integral over what is missing the conformance suite says, of random models.
"""

import csv

import numpy as np
import pytest

import algdim
from algdim import InputError
from algdim.cli import main


def draw_cases(seed, count=60, share=0.2):
    """Two classes with three numbers and an answer, of which a share is missing; each column shows something."""
    random = np.random.default_rng(seed)
    h = np.arange(count) % 2
    x = 4.0 * h + random.normal(size=count)
    columns = {
        "X": x,
        "Y": np.where(h == 1, 1 + 0.5 * x, 3 - 0.5 * x) + random.normal(size=count),
        "Z": h + random.normal(size=count),
        "C": (random.random(count) < 0.2 + 0.6 * h).astype(int),
    }
    return {
        name: [None if k > 3 and random.random() < share else value.item() for k, value in enumerate(column)]
        for name, column in columns.items()
    }


def choose(data, names):
    """Some columns."""
    return {name: data[name] for name in names}


@pytest.mark.parametrize(
    ("names", "one", "other"),
    [
        (
            "XYC",
            "latent-profile: H -> X, Y, C; hidden H; states H=2, C=2",
            "conditional-gaussian: H -> X, Y, C; hidden H; states H=2, C=2",
        ),
        (
            "XY",
            "latent-profile: H -> X, Y; hidden H; states H=2; covariances full",
            "conditional-gaussian: H -> X, Y; X -> Y; hidden H; states H=2",
        ),
        ("XYZ", "gaussian: X -> Y -> Z", "conditional-gaussian: X -> Y -> Z; hidden H; H -> X; states H=1"),
        ("XC", "normal: {C} -> X", "conditional-gaussian: C -> X; states C=2"),
    ],
)
def test_two_families_find_the_same_maximum(names, one, other):
    """The same model, by other equations."""
    data = choose(draw_cases(3), names)
    found = [algdim.fit(data, text, missing=True, starts=6, identify=False) for text in (one, other)]

    assert found[0].loglik == pytest.approx(found[1].loglik, abs=1e-5)
    assert found[0].sample.missing == found[1].sample.missing > 5


@pytest.mark.parametrize(
    ("names", "text"),
    [
        ("XYZC", "latent-profile: H -> X, Y, Z, C; hidden H; states H=2, C=2; covariances full, equal"),
        ("XYC", "conditional-gaussian: C -> X; F, X -> Y; hidden F; states C=2; fix v(F)=1, m(F)=0, v(Y)=1/10"),
        ("XC", "normal: {C,H} -> X; hidden H"),
    ],
)
def test_the_likelihood_is_flat_at_the_estimates(names, text):
    """No parameter alone leads to a greater likelihood of the incomplete data."""
    data = choose(draw_cases(5), names)
    found = algdim.fit(data, text, missing=True, starts=6, absolute=1e-11, identify=False)

    for name, value in found.parameters.items():
        step = 1e-3 * max(abs(value), 0.1)
        ways = [
            algdim.fit_at(data, text, {**found.parameters, name: value + way * step}, missing=True).loglik
            - found.loglik
            for way in (-1, 1)
        ]
        assert max(ways) < abs(min(ways)) / 10 + 1e-7, name


def test_what_is_said_of_parameters_is_said_of_complete_data():
    """Also of Gaussian models: of variables that no case shows together the covariance is not determined."""
    data = {"X": [1.0, 2.0, 4.0, None, None, None], "Y": [None, None, None, 2.0, 1.0, 5.0]}
    for text in ("gaussian: X -> Y", "conditional-gaussian: X -> Y; C; states C=2"):
        more = {"C": [0, 1, 0, 1, 0, 1]} if "C" in text else {}
        found = algdim.fit(data | more, text, missing=True)
        assert "complete data" == found.identified.gaps.scope
        assert "entries are missing" in str(found)


def test_what_no_case_shows():
    """Rows without entries are left out and counted; a column of numbers without any is an error."""
    data = {"X": [1.0, None, 2.5, 4.0], "C": [0, None, 1, None]}
    found = algdim.fit(data, "conditional-gaussian: C -> X; states C=2", missing=True)

    assert 3 == found.sample.size
    assert ("1 case without any value left out",) == found.sample.notes
    with pytest.raises(InputError, match="no row has a value of the column X"):
        algdim.fit(data | {"X": [None] * 4}, "conditional-gaussian: C -> X; states C=2", missing=True)
    with pytest.raises(InputError, match="row 2, column C"):
        algdim.fit(data, "conditional-gaussian: C -> X; states C=2")


def test_the_classes_of_incomplete_cases(tmp_path):
    """A case that shows nothing is in the classes by their sizes, whatever the family."""
    data, target = tmp_path / "data.csv", tmp_path / "classes.csv"
    columns = choose(draw_cases(7), "XYC")
    rows = [*zip(*columns.values(), strict=True), (None, None, None)]
    lines = [",".join("" if one is None else str(one) for one in row) for row in rows]
    data.write_text("\n".join(["X,Y,C", *lines]) + "\n", encoding="utf-8")
    shares = []
    for family in ("latent-profile", "conditional-gaussian"):
        text = f"{family}: H -> X, Y, C; hidden H; states H=2, C=2"
        assert 0 == main(["fit", str(data), text, "--missing", "--posterior", str(target), "--json"])
        with target.open(encoding="utf-8") as file:
            found = [float(row["P(H=0)"]) for row in csv.DictReader(file)]
        size = algdim.fit(columns, text, missing=True, identify=False).parameters["P(H=0)"]
        assert min(abs(found[-1] - size), abs(found[-1] - 1 + size)) < 1e-4
        shares.append([max(one, 1 - one) for one in found])

    assert shares[0] == pytest.approx(shares[1], abs=1e-4)
