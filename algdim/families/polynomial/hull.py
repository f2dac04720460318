"""The affine hull of the coordinates of a map given by formulas, which is its saturated model.

Where these have too many terms to be multiplied out, its dimension is the rank of their values at points drawn from the seed
(lemma "hulls at points" in proofs/lemmas.md).
"""

from __future__ import annotations

from math import ceil

import numpy as np

from algdim.bound.chance import LEAST, excluded, prime_error, probe_error
from algdim.bound.counting import Complete
from algdim.exact.arithmetic import RESIDUE_BITS, Array, Residues, SingularError
from algdim.exact.draws import residues, stream
from algdim.exact.ranks import rank_mod
from algdim.families.polynomial.map import PolynomialMap, formula_program
from algdim.families.polynomial.program import Program
from algdim.figures import counted
from algdim.rank import usable_prime
from algdim.trust import BOUNDS_ONLY, probable, proved_by

SPARE_POINTS = 4
MOST_EVALUATED = 3000
"""With more coordinates no rank of their values is taken."""
SURE = 1e-9
"""No further prime is drawn once the chance of error is below this."""
MOST_DRAWS = 12
TOO_LARGE = "the coordinates have too many terms to be multiplied out"


def affine_hull(pmap: PolynomialMap, seed: int | str) -> Complete:
    """The dimension of the affine hull of the coordinates.

    >>> from algdim.models.notation import parse
    >>> from algdim.maps import map_of
    >>> affine_hull(map_of(parse("polynomial: parameters a; coordinates a, 2*a + 1")), 0).value
    1
    """
    count = pmap.coordinate_count
    shown = counted(count, "coordinate")
    if pmap.multiplied_hull is not None:
        facts = f"{shown}, multiplied out, span with 1 a space of dimension {pmap.multiplied_hull + 1}"
        return Complete(pmap.multiplied_hull, proved_by("formulas", facts))
    if count > MOST_EVALUATED:
        return Complete(count, BOUNDS_ONLY, f"complete is the number of coordinates: {TOO_LARGE}")
    value, error, where = hull_at_points(pmap, seed)
    if value == count:
        facts = f"the values of {shown} and of 1, at {count + 1 + SPARE_POINTS} points {where}, have rank {count + 1}"
        return Complete(value, proved_by("hulls at points", facts))
    drawn = probable(error) if error < 1 else BOUNDS_ONLY
    return Complete(value, drawn, f"complete is a rank at random points ({drawn}): {TOO_LARGE}")


def hull_at_points(pmap: PolynomialMap, seed: int | str) -> tuple[int, float, str]:
    """The greatest rank of the values of the coordinates and of 1 at drawn points, less one, and the chance that it is too small.

    Also where the last points were drawn.
    """
    program, found, draws, where = formula_program(pmap), -1, [], ""
    for number in range(MOST_DRAWS):
        prime = usable_prime(pmap, seed, "hull", number)
        rows = values_at_points(pmap, program, prime, (seed, "point", "hull", number))
        found = max(found, rank_mod(np.stack(rows), prime).value - 1 if rows else -1)
        draws.append((prime, len(rows)))
        where = f'drawn from "{stream(seed, "point", "hull", number).text}|…" mod {prime}'
        error = 1.0
        for one, count in draws:
            error *= min(1.0, error_of_hull(pmap, one, count, found))
        if found == pmap.coordinate_count or error < SURE or (error >= 1 and number):
            break
    return max(0, found), max(LEAST, error), where


def values_at_points(pmap: PolynomialMap, program: Program, prime: int, labels: tuple[int | str, ...]) -> list[Array]:
    """The coordinates and 1 at points modulo a prime, a few more than there are coordinates; no more than twice as many are drawn."""
    arithmetic, count = Residues(prime), pmap.coordinate_count + 1 + SPARE_POINTS
    rows: list[Array] = []
    one = arithmetic.elements(np.ones(1, dtype=np.int64))
    for number in range(2 * count):
        if len(rows) == count:
            break
        source = stream(labels[0], *labels[1:], number)
        point = arithmetic.elements(residues(source, prime, len(pmap.parameters)))
        try:
            values = program.forward(arithmetic, point)
        except SingularError:
            continue
        # the coordinates are the last nodes
        rows.append(np.concatenate([values[len(values) - pmap.coordinate_count :], one]))
    return rows


def error_of_hull(pmap: PolynomialMap, prime: int, points: int, value: int) -> float:
    """The chance that so many points show no hull of more than this dimension, although there is one (lemma "hulls at points")."""
    sizes = [pmap.sizes[node] for node in pmap.line.outputs]
    share = pmap.share_with_value(prime)
    if share <= 0:
        return 1.0
    below = sum(size.log_below for size in sizes)
    degree = max(size.degree for size in sizes) if pmap.is_polynomial else sum(size.degree for size in sizes)
    log_size = max(size.log_above for size in sizes) + below
    unlucky = 1 - share + prime_error(value + 1, log_size, RESIDUE_BITS, excluded(pmap, RESIDUE_BITS))
    return unlucky + probe_error(ceil(degree / share), points, value + 1, prime)
