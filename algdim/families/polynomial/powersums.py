"""Flattenings of sums of monomials: coordinates that are sums, over blocks of parameters, of one monomial each.

Sums of powers of linear forms are of this kind, and other secants of monomial maps. If the coordinates of a matrix M belong
to the products of some monomials (rows) with others (columns), each block makes a matrix of rank one, and M has at most as
many as there are blocks (lemma "sums of monomials"). The gradients of its minors at a point prove a bound, as for networks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb

import numpy as np
from numpy.typing import NDArray

from algdim.bound.bounds import UPPER, Bound, proved_bound
from algdim.exact.arithmetic import Array, Residues
from algdim.exact.draws import point_text, residues, stream, where_drawn
from algdim.exact.ranks import both_kernels, rank_mod
from algdim.families.loglinear.model import connected
from algdim.families.polynomial.expansion import expanded
from algdim.families.polynomial.map import PolynomialMap
from algdim.families.polynomial.stepsizes import MOST_TERMS
from algdim.families.polynomial.symmetry import MapSetting
from algdim.figures import counted
from algdim.jacobian import evaluator_of, values_at
from algdim.rank import objects, usable_prime

MOST_ENTRIES = 40_000
"""Of a flattening."""

MOST_FORMS = 4000
MOST_WORK = 50_000_000
MOST_CHECKED = 500_000
"""Entries of flattenings, for all blocks."""

MOST_SPLITS = 4

Exponents = tuple[int, ...]
"""One for each parameter."""


@dataclass(frozen=True, slots=True, eq=False)
class Monomials:
    """Per coordinate (rows) and block the coefficient and the exponents of the one monomial."""

    coefficients: list[list[Fraction]]
    exponents: list[list[Exponents]]

    @property
    def blocks(self) -> int:
        """The number of blocks."""
        return len(self.coefficients[0])


@dataclass(frozen=True, slots=True, eq=False)
class Flattening:
    """The coordinate in each entry, by number; all entries of a row and column belong to one product of monomials."""

    entries: NDArray[np.intp]
    text: str


def sums_of_monomials(pmap: PolynomialMap) -> Monomials | None:
    """The coordinates as sums of one monomial in each block of parameters; ``None`` if they are not."""
    if not pmap.parameters or not pmap.is_polynomial or pmap.terms > MOST_TERMS:
        return None
    rows = [dict(above.to_dict()) for above, _ in expanded(pmap.line)]
    names = tuple(map(str, range(len(pmap.parameters))))
    used = {tuple(str(n) for n, power in enumerate(exponents) if power) for row in rows for exponents in row}
    components = connected(names, tuple(used))
    block = {int(name): number for number, component in enumerate(components) for name in component}
    coefficients: list[list[Fraction]] = []
    monomials: list[list[Exponents]] = []
    for row in rows:
        found: dict[int, tuple[Fraction, Exponents]] = {}
        for exponents, value in row.items():
            number = next((block[n] for n, power in enumerate(exponents) if power), None)
            if number is None or number in found:
                return None
            found[number] = Fraction(int(value.p), int(value.q)), tuple(map(int, exponents))
        if len(found) < len(components):
            return None
        coefficients.append([found[number][0] for number in range(len(components))])
        monomials.append([found[number][1] for number in range(len(components))])
    return Monomials(coefficients, monomials)


def flattenings_of(sums: Monomials) -> Iterator[Flattening]:
    """Matrices whose entries belong to the products of two sets of monomials in the first block."""
    powers = np.array([row[0] for row in sums.exponents], dtype=np.int64)
    powers = powers[:, powers.any(axis=0)]
    place = {tuple(row): number for number, row in enumerate(powers.tolist())}
    degree, width = int(powers.sum(axis=1).max()), powers.shape[1]
    for size in range(degree // 2, max(0, degree // 2 - MOST_SPLITS), -1):
        if comb(width + size - 1, size) * powers.size > MOST_WORK:
            continue
        chosen = combinations_with_replacement(range(width), size)
        divisors = (np.bincount(np.array(one), minlength=width) for one in chosen)
        rows = [divisor for divisor in divisors if (powers >= divisor).all(axis=1).any()]
        columns = powers[(powers >= rows[0]).all(axis=1)] - rows[0]
        if len(rows) * len(columns) > MOST_ENTRIES or len(rows) * len(columns) * sums.blocks > MOST_CHECKED:
            continue
        kept = [column for column in columns if all(tuple((row + column).tolist()) in place for row in rows)]
        if kept:
            entries = [[place[tuple((row + column).tolist())] for column in kept] for row in rows]
            text = f"{len(rows)}×{len(kept)}, monomials of degree {size} by those of degree {degree - size}"
            yield Flattening(np.array(entries, dtype=np.intp), text)


def has_rank_one(sums: Monomials, entries: NDArray[np.intp], block: int) -> bool:
    """Whether the matrix of the monomials of a block, coordinates divided by the first block's coefficients, has rank one.

    So it is if all minors with the upper left entry, which is not zero, vanish: exponents add up, coefficients multiply.
    """
    exponents = np.array([row[block] for row in sums.exponents], dtype=np.int64)
    exponents = exponents[:, exponents.any(axis=0)][entries]
    if not (exponents + exponents[:1, :1] == exponents[:, :1] + exponents[:1, :]).all():
        return False
    ratios = [row[block] / row[0] for row in sums.coefficients]
    first = ratios[entries[0, 0]]
    return all(
        ratios[entries[i, j]] * first == ratios[entries[i, 0]] * ratios[entries[0, j]]
        for i in range(entries.shape[0])
        for j in range(entries.shape[1])
    )


def power_sums(setting: MapSetting) -> Bound | None:
    """D ≤ N − c, c the rank of the gradients of the minors of all flattenings at a point; ``None`` where there are none."""
    pmap = setting.pmap
    sums = sums_of_monomials(pmap) if isinstance(pmap, PolynomialMap) else None
    if sums is None:
        return None
    count, labels = pmap.coordinate_count, (*setting.labels, "equations")
    prime = usable_prime(pmap, setting.seed, *labels)
    if any(row[0].numerator % prime == 0 for row in sums.coefficients):
        return None
    field = Residues(prime)
    point = field.elements(residues(stream(setting.seed, "point", *labels), prime, len(pmap.parameters)))
    scale = field.elements(objects([1 / row[0] for row in sums.coefficients]))
    values = field.multiply(values_at(pmap, field, point, evaluator_of(pmap).all_coordinates()), scale)
    forms: list[Array] = []
    texts: list[str] = []
    for flattening in flattenings_of(sums):
        entries = flattening.entries
        if min(entries.shape) <= sums.blocks or not all(has_rank_one(sums, entries, b) for b in range(sums.blocks)):
            continue
        found = gradients(values[entries], entries, sums.blocks, count, prime)
        if found is not None:
            forms.append(found)
            texts.append(flattening.text)
    if not forms:
        return None
    rank = rank_mod(np.vstack(forms), prime).value
    shown = "; ".join(f"flattening {text}, rank at most {sums.blocks}" for text in texts)
    label = "|".join(map(str, labels))
    evidence = {"prime": prime, "point": label, "equations": rank, "blocks": sums.blocks}
    reason = f"{count} − {rank}; {counted(rank, 'equation')}, {shown}"
    lemmas = ("sums of monomials", "equations")
    at = where_drawn(point_text(setting.seed, label), prime)
    return proved_bound(count - rank, UPPER, "flattenings", reason, *lemmas, evidence=evidence, at=at)


def gradients(matrix: Array, entries: NDArray[np.intp], bound: int, count: int, prime: int) -> Array | None:
    """The forms ℓᵀM(·)r, as rows over the coordinates, each divided by its coefficient; ``None`` unless the rank is the bound."""
    kernels = both_kernels(matrix, bound, prime)
    if kernels is None:
        return None
    left, right = kernels
    left, right = left[: max(1, MOST_FORMS // len(right))], right[:MOST_FORMS]
    field = Residues(prime)
    products = field.multiply(left[:, None, :, None], right[None, :, None, :]).reshape(-1, entries.size)
    order = np.argsort(entries.ravel(), kind="stable")
    used, starts = np.unique(entries.ravel()[order], return_index=True)
    forms = np.zeros((len(products), count))
    forms[:, used] = field.segment_sums(np.ascontiguousarray(products[:, order].T), starts).T
    return forms
