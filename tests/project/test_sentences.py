"""The sentences on pages of random models of all families: sums add up, and nothing is said that is not known."""

from __future__ import annotations

import re
from operator import mul

import pytest

from algdim import explain
from algdim.figures import format_count
from hunting.random_models import model_of


@pytest.mark.slow
@pytest.mark.parametrize("number", range(60))
def test_sentences_of_random_models(number):
    """Sums add up, directions change nothing, what is known for certain only is said so."""
    _, model = model_of("lecture", number)
    found = explain(model)
    steps = {step.key: re.sub(r"<[^>]+>", "", "".join(step.parts)) for step in found.lecture().steps}
    report, standing = found.report, found.standing

    assert f"The model has {format_count(report.standard, 'free parameter')}." in steps["question"]
    for terms, total in re.findall(r"((?:\d+ [+−] )+\d+) = (\d+)\.", steps["upper"]):
        assert int(total) == sum(int(term) for term in terms.replace("− ", "+ -").split("+"))
    if standing is not None:
        assert all(not sum(map(mul, row, way)) for way in standing.kernel() for row in standing.jacobian)
        assert standing.rank <= report.dimension
    if not report.exact:
        assert "a theorem" not in steps["upper"]
        assert "is redundant:" not in steps["question"].replace("In all probability", "")
