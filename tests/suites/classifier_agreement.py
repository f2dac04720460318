"""What must hold for every classifier: one call, `check_classifier`."""

from __future__ import annotations

import brute_classifier as brute
from suites.agreement import EXACT_METHODS, check_counts, check_same

from algdim.bound.classifierbounds import recipe_holds
from algdim.bound.strategy import KNOWN
from algdim.models.modelfile import from_dict, to_dict
from algdim.models.notation import parse, to_text
from algdim.report import dimension


def check_classifier(model, seed=0):
    """Assert that all methods and all bounds agree with Bayes' rule, and that every report keeps its promises."""
    expected = brute.dimension(model)
    for method in EXACT_METHODS:
        report = dimension(model, method=method, seed=seed)

        assert (method, expected) == (method, report.dimension)
        check_classifier_report(report, model)
    for name in KNOWN:
        report = dimension(model, bounds=f"{name},ambient", seed=seed)

        assert report.lower.value <= expected
        assert (name, True) == (name, report.upper.value >= expected)
    linear = dimension(model, bounds="linear-map", seed=seed).upper.value
    assert not recipe_holds(model) or expected == linear
    automatic = dimension(model, seed=seed)
    check_classifier_report(automatic, model)
    assert expected == automatic.dimension
    check_same(automatic, dimension(model, seed=seed))
    assert expected == dimension(parse(to_text(model)), seed=seed + 1).dimension
    assert model == parse(to_text(model))
    assert model == from_dict(to_dict(model))


def check_classifier_report(report, model):
    """Assert what every report of a classifier promises."""
    check_counts(report, brute.standard(model), brute.complete(model))
    assert "classifier" == report.to_dict()["family"]
