"""Fixed numbers of Gaussian models that leave no valid point: no inverse of I − B, no errors with such covariances.

Neither question depends on what is observed, so that variables which cannot matter are looked at too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

from algdim.errors import InputError, join_names
from algdim.exact.rationals import find_bad_minor
from algdim.models.graphs import find_strong_components

Edge = tuple[str, str]
Numbers = Mapping[tuple[str, ...], Fraction]
"""The fixed numbers by entry, ("b", parent, child) and so on."""

DRAWS = 4
"""Points at which I − B has no inverse before a model is refused."""

DRAWN_BITS = 61

MOST_MEMBERS = 1000
"""Cycles through more variables are not looked at; where they have no point, none is found when a rank is taken."""

MOST_PROVED = 100
"""Up to this many variables a singular matrix of fixed numbers is also found singular over the rationals."""

MOST_WORK = 2 * 10**9
"""Of the minors of error covariances, in bits times operations; blocks beyond it are not looked at."""

MOST_BLOCKS = 1000
"""Where covariances between the fixed ones are free, this many blocks without these are looked at."""


def check_inverse(
    names: Sequence[str], edges: Iterable[Edge], fixed: Numbers, equal: Mapping[tuple[str, ...], str]
) -> None:
    """Raise if I − B has no inverse whatever the free coefficients are.

    Its determinant is 1 where all coefficients are zero, so only a cycle of fixed ones can make it vanish identically.
    A polynomial that does not vanish identically does so at a point and modulo a prime of 61 bits, both drawn, with a
    chance of about the number of variables over 2^61. Coefficients that are all fixed make a matrix of rationals, whose
    rank is a proof.
    """
    entries = {edge: ("b", *edge) for edge in edges}
    present = [edge for edge, entry in entries.items() if fixed.get(entry) != 0]
    constant = [edge for edge in present if entries[edge] in fixed]
    cycles = [members for members in find_strong_components(names, constant) if len(members) > 1]
    on_cycles = {name for members in cycles for name in members}
    for members in find_strong_components(names, present) if cycles else ():
        if on_cycles.isdisjoint(members) or len(members) > MOST_MEMBERS:
            continue
        inside = frozenset(members)
        coefficients = {
            edge: fixed.get(entries[edge], equal.get(entries[edge], f"{edge[0]}->{edge[1]}"))
            for edge in present
            if inside.issuperset(edge)
        }
        if is_singular(members, coefficients):
            told = join_names(f"b({one}->{other})" for one, other in constant if (one, other) in coefficients)
            raise InputError(
                f"I − B has no inverse, so that the equations have no solution: {told} are fixed, and whatever the other "
                f"coefficients between {join_names(members)} are, the determinant is 0; change or free one of them"
            )


def is_singular(members: Sequence[str], coefficients: Mapping[Edge, Fraction | str]) -> bool:
    """Whether I − B has no inverse on a component, at any of some points; coefficients are numbers or names."""
    import numpy as np  # only models with fixed cycles need numbers

    from algdim.exact.draws import draw_residues, open_stream
    from algdim.exact.primes import draw_prime
    from algdim.exact.ranks import rank_mod, rank_rational

    place, count = {name: number for number, name in enumerate(members)}, len(members)
    free = dict.fromkeys(value for value in coefficients.values() if isinstance(value, str))
    for attempt in range(DRAWS):
        prime = draw_prime(open_stream(0, "inverse", "prime", attempt), DRAWN_BITS)
        drawn = draw_residues(open_stream(0, "inverse", "point", attempt), prime, len(free)).tolist()
        point = dict(zip(free, drawn, strict=True))
        matrix = np.eye(count, dtype=np.int64)
        for (one, other), value in coefficients.items():
            number = Fraction(point[value]) if isinstance(value, str) else value
            if number.denominator % prime == 0:
                return False  # no such numbers by chance; nothing is said
            residue = number.numerator * pow(number.denominator, -1, prime)
            matrix[place[one], place[other]] = -residue % prime
        if rank_mod(matrix, prime).value == count:
            return False
    if free or count > MOST_PROVED:
        return True
    known = {edge: value for edge, value in coefficients.items() if isinstance(value, Fraction)}
    rational = [[int(one == other) - known.get((one, other), Fraction(0)) for other in members] for one in members]
    return rank_rational(rational).value < count


def check_blocks(names: Iterable[str], bidirected: Sequence[Edge], fixed: Numbers) -> None:
    """Raise unless errors can have the variances and covariances that are fixed, for all free ones near some point.

    Errors without an edge between them have the covariance 0. Those of variance 0 are constants and left out. Errors that
    are fixed to be functions of each other, as the common environment of twins, are allowed if all their covariances are
    fixed: a free one would be tied to others.
    """
    variances = {name: variance for name in names if (variance := fixed.get(("v", name)))}
    pairs = {pair: fixed.get(("c", *pair)) for pair in bidirected if variances.keys() >= {*pair}}
    matrix = {turned: value for pair, value in pairs.items() if value for turned in (pair, pair[::-1])}
    components = find_strong_components(list(variances), list(matrix))
    matrix |= {(name, name): variance for name, variance in variances.items()}
    free = [pair for pair, value in pairs.items() if value is None]
    unfixed = [pair for pair in bidirected if ("c", *pair) not in fixed]
    bits = max((value.numerator.bit_length() + value.denominator.bit_length() for value in matrix.values()), default=0)
    left = MOST_WORK
    for members in components:
        for block in iterate_uncorrelated_sets(members, free) if len(members) > 1 else ():
            left -= len(block) ** 4 * bits
            if left < 0:
                return
            rows = [[matrix.get((one, other), Fraction(0)) for other in block] for one in block]
            number = find_bad_minor(rows)
            if number is None:
                continue
            if not is_semidefinite(rows):
                raise InputError(
                    f"the variances and covariances of the errors of {join_names(block[: number + 1])} are fixed to a matrix "
                    "that is not positive definite, so that no errors have them; change or free one of them"
                )
            tied = frozenset(block)
            loose = [pair for pair in unfixed if not tied.isdisjoint(pair)]
            if loose:
                raise InputError(
                    f"the variances and covariances of the errors of {join_names(block[: number + 1])} are fixed so that one of "
                    f"them is a function of the others; then the covariance of the errors of {' and '.join(loose[0])} "
                    "follows from others, and cannot be free: fix it, or write one variable for those that are one"
                )


def iterate_uncorrelated_sets(members: tuple[str, ...], free: Iterable[tuple[str, str]]) -> Iterator[tuple[str, ...]]:
    """The greatest sets in which no covariance is free, or some of them where there are very many.

    >>> sorted(iterate_uncorrelated_sets(("A", "B", "C"), [("A", "B")]))
    [('A', 'C'), ('B', 'C')]
    """
    inside = frozenset(members)
    pairs = [pair for pair in free if inside.issuperset(pair)]
    seen, waiting = {members}, [members]
    while waiting and len(seen) <= MOST_BLOCKS:
        block = waiting.pop()
        inside = frozenset(block)
        pair = next((pair for pair in pairs if inside.issuperset(pair)), None)
        if pair is None:
            yield block
            continue
        for out in pair:
            smaller = tuple(name for name in block if name != out)
            if smaller not in seen:
                seen.add(smaller)
                waiting.append(smaller)


def is_semidefinite(matrix: Sequence[Sequence[Fraction]]) -> bool:
    """Whether some errors have this covariance matrix.

    >>> one, two = Fraction(1), Fraction(2)
    >>> is_semidefinite([[one, one], [one, one]]), is_semidefinite([[one, two], [two, one]])
    (True, False)
    """
    rows = [list(row) for row in matrix]
    for number, row in enumerate(rows):
        if row[number] < 0 or (row[number] == 0 and any(row[number:])):
            return False
        for other in rows[number + 1 :] if row[number] else ():
            factor = other[number] / row[number]
            other[number:] = [x - factor * y for x, y in zip(other[number:], row[number:], strict=True)]
    return True
