"""Elimination over the polynomials proves both sides, also where every point that is drawn was foreseen."""

from __future__ import annotations

from math import prod

import brute
import pytest
from amount import daily

import algdim
from algdim import AlgdimError
from algdim.bound.strategy import MOST_DRAWS
from algdim.bound.symbolic import bound_symbolically, eliminate
from algdim.exact.draws import Stream, draw_residues
from algdim.jacobian import make_evaluator
from algdim.maps import map_of
from algdim.rank import Task, draw

COPIED = "A -> B -> C -> D; U -> B, D; hidden U; max C"
SEEDS = (0, 1, "a seed")
PRIME_BITS = 23


def formula(constant):
    """A map whose derivative is zero where x is the constant."""
    return f"polynomial: parameters x; coordinates (x - {constant})^2"


def network(constant, digits):
    """P(B=0) = x² + (1 − x)c, with the derivative 2x − c; c is the constant over a power of 2, and below 1."""
    return f"H -> B; hidden H; equal x = P(H=0), P(B=0|H=0); fix P(B=0|H=1)={constant}/{1 << digits}"


def foreseen(model, seed, count, factor=1):
    """A number that is factor times the point of each of this many draws, modulo its prime (Chinese remainders)."""
    pmap = map_of(algdim.model(model))
    found = [draw(Task(pmap, make_evaluator(pmap), seed), "table", number) for number in range(count)]
    points = {one.prime: int(draw_residues(Stream(one.streams[0]), one.prime, 1)[0]) for one in found}
    modulus = prod(points)
    parts = (point * factor * (modulus // prime) * pow(modulus // prime, -1, prime) for prime, point in points.items())
    return sum(parts) % modulus


def hostile(family, seed, count):
    """A model of dimension 1 that shows rank 0 in this many draws of a seed."""
    if family == "formula":
        return formula(foreseen(formula(0), seed, count))
    digits = PRIME_BITS * count + 1
    return network(foreseen(network(1, digits), seed, count, 2 << digits), digits)


@pytest.mark.parametrize("count", [1, 5, MOST_DRAWS])
@pytest.mark.parametrize("seed", daily(SEEDS, 1))
@pytest.mark.parametrize("family", ["formula", "network"])
def test_constants_chosen_against_the_seed(family, seed, count):
    """All points that are drawn show rank 0 of a model of dimension 1; elimination proves 1, with other bounds or without."""
    text = hostile(family, seed, count)
    pmap = map_of(algdim.model(text))
    missed = [draw(Task(pmap, make_evaluator(pmap), seed), "table", number).rank.value for number in range(count)]

    assert [0] * count == missed
    for bounds in ("auto", "symbolic,chance", "symbolic"):
        report = algdim.dimension(text, seed=seed, bounds=bounds)
        assert (1, True) == (report.dimension, report.exact)
        is_drawn = count < MOST_DRAWS and bounds != "symbolic"
        assert (report.lower.kind, report.lower.trust.lemmas) == (
            ("rank", ("lower bound",)) if is_drawn else ("symbolic", ("symbolic",))
        )


@pytest.mark.parametrize("family", ["formula", "network"])
def test_certificates_against_the_seed(family):
    """A certificate has a point of full rank: one of a later draw, or there is none."""
    assert 1 == algdim.prove(hostile(family, 0, 5)).dimension
    with pytest.raises(AlgdimError, match="no point"):
        algdim.prove(hostile(family, 0, MOST_DRAWS))


@pytest.mark.parametrize("text", ["2:2,2,2", "2:2,3", "gaussian: F -> A, B, C, D; hidden F; means off"])
def test_both_bounds(text):
    """What the other methods prove of models of the papers; lower first."""
    lower, upper = eliminate(map_of(algdim.model(text)))

    assert algdim.dimension(text, bounds="no-proof").dimension == lower.value == upper.value
    assert ("lower", "upper") == (lower.side, upper.side)


def test_kernels_with_entries_left_out():
    """Elimination is about the entries that are kept: the district of B and D, of which 8 of 16 remain, is proved by it."""
    report = algdim.dimension(COPIED, bounds="counting,districts,symbolic,chance")
    part = next(one for one in report.parts if one.dimension == 6)

    assert (7, True) == (report.dimension, report.exact)
    assert ("symbolic", "left out: 8 entries" in part.note) == (part.upper.kind, True)
    assert 7 == brute.dimension(algdim.model(COPIED))


def test_too_large():
    """Nothing is claimed of a model with many parameters."""
    assert () == bound_symbolically(map_of(algdim.model("3:3,3,3,3")), 25)
