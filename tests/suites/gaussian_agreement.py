"""What must hold for every Gaussian model, whatever its graph: one call, `check_gaussian`.

The rank by every method is compared with the brute force of `brute_gaussian`, which shares no code with the engine.
"""

from __future__ import annotations

import brute_gaussian as brute
from suites.agreement import EXACT_METHODS, check_counts, check_same

from algdim.bound.strategy import KNOWN
from algdim.errors import LimitError
from algdim.models.modelfile import from_dict, to_dict
from algdim.models.notation import parse, to_text
from algdim.report import dimension

SYMBOLIC_TERMS = 200


def check_gaussian(model, seed=0):
    """Assert that all methods and all bounds agree with the brute force, and that every report keeps its promises."""
    expected = brute.dimension(model)
    terms = brute.complete(model) * max(1, len(brute.parameters(model)))
    symbolic = ("symbolic",) * (terms <= SYMBOLIC_TERMS and brute.is_acyclic(model))
    for method in (*EXACT_METHODS, *symbolic):
        try:
            report = dimension(model, method=method, seed=seed)
        except LimitError:
            assert method == "symbolic"  # polynomials may grow beyond the limit
            continue
        assert (method, expected) == (method, report.dimension)
        check_gaussian_report(report, model)
    for name in KNOWN:
        report = dimension(model, bounds=f"{name},ambient", seed=seed)
        assert report.lower.value <= expected
        assert (name, True) == (name, report.upper.value >= expected)
    automatic = dimension(model, seed=seed)
    check_gaussian_report(automatic, model)
    assert expected == automatic.dimension
    check_same(automatic, dimension(model, seed=seed))
    assert expected == dimension(parse(to_text(model)), seed=seed + 1).dimension
    assert model == parse(to_text(model))
    assert model == from_dict(to_dict(model))


def check_gaussian_report(report, model):
    """Assert what every report of a Gaussian model promises."""
    check_counts(report, len(brute.parameters(model)), brute.complete(model))
    assert "gaussian" == report.to_dict()["family"]
