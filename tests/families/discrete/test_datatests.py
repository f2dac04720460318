"""Independences and ranks of flattenings on data, by G²."""

import numpy as np
import pytest

import algdim
from algdim import InputError
from algdim.families.discrete.datatests import compute_distance, measure_counts
from algdim.fitting.samples import read_sample

BERKELEY = {
    "A": ((512, 313), (89, 19)),
    "B": ((353, 207), (17, 8)),
    "C": ((120, 205), (202, 391)),
    "D": ((138, 279), (131, 244)),
    "E": ((53, 138), (94, 299)),
    "F": ((22, 351), (24, 317)),
}
"""Admissions at Berkeley 1973 by department and sex: admitted and rejected men, then women (Bickel et al. 1975; R's UCBAdmissions)."""


def berkeley():
    """The table as columns."""
    rows = [
        (department, sex, answer, count)
        for department, table in BERKELEY.items()
        for sex, counts in zip("MF", table, strict=True)
        for answer, count in zip(("yes", "no"), counts, strict=True)
    ]
    return dict(zip(("Dept", "Sex", "Admit", "count"), map(list, zip(*rows, strict=True)), strict=True))


def test_a_published_conditional_independence():
    """Agresti, Categorical Data Analysis, and R's loglin: G² = 21.7 with 6 degrees of freedom, p = .001."""
    model = "Dept -> Sex, Admit; states Dept=6"
    (found,) = algdim.constraints(model, data=berkeley()).tests.tested

    assert found.statistic.value == pytest.approx(21.7355, abs=5e-4)
    assert 6 == found.statistic.dof
    assert found.corrected == pytest.approx(0.00135, abs=2e-5)


def test_a_published_marginal_independence():
    """The same table without departments: G² = 93.4 with one degree of freedom (Agresti)."""
    data = berkeley()
    del data["Dept"]
    (found,) = algdim.constraints("states Sex=2, Admit=2", data=data).tests.tested

    assert found.statistic.value == pytest.approx(93.45, abs=0.01)
    assert 1 == found.statistic.dof


def test_rows_and_columns_without_cases_leave_no_freedom():
    """A state that does not occur in one condition takes its degrees of freedom with it."""
    data = {"A": [0, 0, 1, 1, 2, 0, 1], "B": [0, 1, 0, 1, 1, 0, 1], "C": [0, 0, 0, 0, 0, 1, 1]}
    (found,) = algdim.constraints("C -> A, B; states A=3", data=data).tests.tested

    assert 2 + 1 == found.statistic.dof
    assert "fewer than 5 cases a cell" in found.statistic.caution


def test_the_rank_of_a_table():
    """A table of rank two is at distance zero from rank two, not from rank one; its own rank leaves nothing."""
    random = np.random.default_rng(0)
    table = np.round(1000 * random.random((4, 2)) @ random.random((2, 5)))
    near = compute_distance(table, 2)

    assert near < 0.01
    assert compute_distance(table, 1) > 10
    assert compute_distance(table + np.diag([500, 500, 500, 500, 0])[:4], 2) > 10


def test_classes_beyond_the_model_are_seen():
    """Data from three classes: the flattenings of two classes have another rank."""
    random = np.random.default_rng(3)
    classes = random.integers(0, 3, 3000)
    chances = random.random((3, 4))
    data = {f"X{i + 1}": (random.random(3000) < chances[classes, i]).astype(int).tolist() for i in range(4)}
    two, three = (algdim.constraints(model, data=data).tests for model in ("2:2^4", "3:2^4"))

    assert two.rejections
    assert not three.rejections
    assert [4, 4, 4, 1, 1, 1] == [one.statistic.dof for tests in (two, three) for one in tests.tested]


def test_missing_entries_are_refused():
    """With advice."""
    with pytest.raises(InputError, match="missing"):
        algdim.constraints("A -> B -> C", data={"A": [0, 1, None], "B": [0, 1, 1], "C": [1, 0, 1]})


def test_verma_type_equations_are_named_as_not_tested():
    """They are no ranks of tables of counts."""
    random = np.random.default_rng(1)
    data = {name: random.integers(0, 2, 200).tolist() for name in "ABCD"}
    tests = algdim.constraints("verma", data=data).tests

    assert ("Verma-type equations, 1 of 1",) == tests.untested
    assert ["independence"] == [one.kind for one in tests.tested]


@pytest.mark.slow
def test_the_level_is_kept():
    """300 data sets of 600 cases from two classes: each rank is rejected in about a twentieth, some by Holm in no more."""
    chances, single, any_rejected, runs = np.array([[0.2, 0.3, 0.25, 0.2], [0.8, 0.7, 0.75, 0.8]]), [], 0, 300
    equations = algdim.constraints("2:2^4").constraints
    names = [f"X{number}" for number in range(1, 5)]
    for seed in range(runs):
        random = np.random.default_rng(seed)
        classes = random.integers(0, 2, 600)
        data = {name: (random.random(600) < chances[classes, i]).astype(int).tolist() for i, name in enumerate(names)}
        statistics, _ = measure_counts(equations, read_sample(data, algdim.model("2:2^4")))
        ps = [one.p for one in statistics]
        single += [p < 0.05 for p in ps]
        any_rejected += min(ps) * len(ps) < 0.05
    error = (0.05 * 0.95 / runs) ** 0.5

    assert abs(np.mean(single) - 0.05) < 4 * error
    assert any_rejected / runs < 0.05 + 4 * error
