"""What every report promises, whatever the model and the method; and which discrete models are small."""

from __future__ import annotations

import json
from itertools import pairwise as neighbours
from math import prod

import brute

EXACT_METHODS = ("table", "probes", "rational", "rowreduce")

MOST_JOINT_STATES = 3000
MOST_WORK = 60_000

KEYS = frozenset(
    "schema version model family standard complete dimension exact lower upper redundant defect pairwise_bound best_bound "
    "moments parts derivation method primes points seed seconds".split()
)
"""The fields of the JSON report that scripts rely on."""


def work(model):
    """How much the brute force has to do, roughly."""
    cells = prod(variable.states for variable in model.variables if variable.observed)
    sizes = {variable.name: variable.states for variable in model.variables}
    entries = sum(v.states * prod(sizes[p] for p in v.parents) for v in model.variables if v.name not in model.given)
    return max(cells * entries, brute.joint_states(model) * MOST_WORK // MOST_JOINT_STATES)


def is_small(model):
    """Whether the brute force takes well below a second."""
    return work(model) <= MOST_WORK


def check_counts(report, standard, complete):
    """Assert what every report promises, whatever the family."""
    assert (standard, complete) == (report.standard, report.complete)
    assert report.lower.value <= report.upper.value
    assert report.dimension == report.lower.value
    assert report.exact == (
        report.lower.status == report.upper.status == "proved" and report.lower.value == report.upper.value
    )
    assert report.redundant == report.standard - report.dimension
    most = report.standard if complete is None else min(report.standard, complete)
    assert report.dimension <= report.best_bound <= most
    assert report.defect == most - report.dimension
    for bound in (report.lower, report.upper):
        assert (bound.error is None) == (bound.status != "probable")
        assert bool(bound.trust.lemmas) == (bound.status == "proved")
        assert bound.error != 0
    check_json(report)


def check_json(report):
    """Assert that the JSON form has the fields that scripts rely on, with the right types."""
    document = json.loads(json.dumps(report.to_dict()))
    assert set() == KEYS - set(document)
    assert report.dimension == document["dimension"] == document["lower"]["value"]
    assert report.exact is document["exact"]
    assert {"value", "status", "evidence"} <= set(document["lower"])
    assert {"value", "status", "evidence", "error"} <= set(document["upper"])
    for side in ("lower", "upper"):
        assert document[side]["status"] in {"proved", "probable", "numerical"}
    assert (document["upper"]["error"] is None) == (document["upper"]["status"] != "probable")
    for name in ("standard", "redundant", "defect", "best_bound"):
        assert isinstance(document[name], int)
    assert report.complete == document["complete"]
    assert isinstance(document["pairwise_bound"], int | None)
    assert isinstance(document["parts"], list)


def without_times(document):
    """A JSON report without what may differ between two runs."""
    if isinstance(document, dict):
        return {key: without_times(value) for key, value in document.items() if key != "seconds"}
    return [without_times(value) for value in document] if isinstance(document, list) else document


def check_same(*reports):
    """Assert that reports are equal up to their times."""
    for first, second in neighbours(reports):
        assert without_times(first.to_dict()) == without_times(second.to_dict())
        assert str(first) == str(second)
