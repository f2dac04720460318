"""Flattenings whose rank tables bound: a case that needs them, and random models against the rank by definition."""

from __future__ import annotations

import random

import brute
import pytest

import algdim
from algdim.exact.ranks import rank_mod
from algdim.families.discrete.bounds.equations import start
from algdim.families.discrete.bounds.flattenings import Separators, bound_by_flattenings, list_spans
from algdim.families.discrete.bounds.search import make_closed_setting
from algdim.families.discrete.map import get_param_map
from algdim.models.notation import parse

TWO = "H1, A -> H2; H1, H2 -> H3; B, H3 -> X; H2 -> Y; hidden H1, H2, H3; states A=9, H2=3, Y=4; given A, B"
"""H2 given a state of A has 2·2 free entries, and H2, H3 have six states."""


def test_a_dimension_that_needs_the_span_of_a_table():
    """As by definition, with a certificate; a matrix of rank 5 where the graph says 6."""
    report = algdim.dimension(TWO)

    assert (46, True) == (report.dimension, report.exact)
    assert "spans" in report.upper.trust.lemmas
    assert 46 == brute.dimension(parse(TWO))
    assert "spans" in algdim.verify(algdim.prove(TWO)).trust.lemmas


def test_bounds_by_hand():
    """2·2 + 1 of the 3 × 2 entries of H2 given a state of A; of a child conditioned on as many as its other parents have states."""
    setting, _ = make_closed_setting(get_param_map(parse(TWO)), 0, 0)
    model = "A, H -> X; H -> Y; hidden H; states A=9, H=3, X=5, Y=4; given A"
    other, _ = make_closed_setting(get_param_map(parse(model)), 0, 0)

    assert {5} == {count for one in list_spans(Separators(setting)) for count in one.counts}
    assert {3} == {count for one in list_spans(Separators(other)) for count in one.counts}


@pytest.mark.slow
def test_ranks_and_bounds_hold():
    """Random models with roots, shared tables among them: no matrix has a greater rank, and no bound is too small."""
    source, met = random.Random(0), 0
    for _ in range(300):
        text = draw_rooted(source)
        setting, extra = make_closed_setting(get_param_map(parse(text)), 0, source.randrange(100))
        if setting.pmap.cells > 400:
            continue
        separators, table = Separators(setting), start(setting).at
        found = list_spans(separators)
        for one in found:
            for _, matrix in one.matrices(table):
                assert rank_mod(matrix.values, table.prime).value <= matrix.rank, text
        bound = bound_by_flattenings(setting)
        if found and bound is not None:
            met += 1
            assert bound.value - extra >= brute.dimension(parse(text)), text
    assert met > 40


def draw_rooted(source):
    """One root or two of many states above hidden variables and items."""
    hidden, items = ["H1", "H2"], ["X", "Y", "Z"]
    roots = source.choice([["A"], ["A", "B"]])
    arcs = [(root, source.choice([*hidden, *items])) for root in roots]
    order = [*hidden, *items]
    arcs += [(one, other) for k, one in enumerate(order) for other in order[k + 1 :] if source.random() < 0.4]
    arcs += [("H1", "X"), ("H2", "Y"), ("H1", "Z")]
    arcs = list(dict.fromkeys(arcs))
    sizes = [f"{root}={source.choice([3, 5, 6])}" for root in roots]
    sizes += [f"{name}={source.choice([2, 2, 3])}" for name in order]
    above = {name: [one for one, other in arcs if other == name] for name in items}
    share = ""
    if above["X"] == above["Y"]:
        sizes = [size.replace("Y=3", "Y=2").replace("X=3", "X=2") for size in sizes]
        share = "; share s: X, Y"
    given = source.choice(["", f"; given {', '.join(roots)}"])
    text = "; ".join(f"{one} -> {other}" for one, other in arcs)
    return f"{text}; hidden H1, H2; states {', '.join(sizes)}{share}{given}"
