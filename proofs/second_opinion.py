"""Check certificates once more with the arithmetic of PARI: minors, kernels and ranks of gradients.

python proofs/second_opinion.py [FILE ...]   (default: proofs/certificates/; needs cypari)

The checker's own functions for these are replaced. The rows of the Jacobian come from the product rule, applied to the
sum over all joint states, or to the sum over the classes of a latent class model; what is too large for that is counted.
For Gaussian models Σ = (I − B)⁻ᵀ Ω (I − B)⁻¹ and μ = (I − B)⁻ᵀ m are computed with power series, one parameter at a time
being its value + x; the coefficients of x are the derivatives.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.util import module_from_spec, spec_from_file_location
from itertools import product
from math import prod
from pathlib import Path
from typing import Any, NamedTuple

from cypari import pari

HERE = Path(__file__).parent
MOST_STATES = 1 << 13

pari.allocatemem(1 << 28, silent=True)


class TooLargeError(Exception):
    """A Jacobian that the product rule would take too long for."""


def matrix(rows: Sequence[Sequence[int]], prime: int) -> Any:
    """A matrix of PARI modulo the prime."""
    return pari.matrix(len(rows), len(rows[0]), [x for row in rows for x in row]) * pari.Mod(1, prime)


def rank_of(rows: Iterable[Sequence[int]], prime: int, budget: Any) -> int:  # noqa: ARG001 - the checker's signature
    """The rank, by PARI; of a square matrix by its determinant too."""
    known = [list(row) for row in rows]
    if not known or not known[0]:
        return 0
    found = matrix(known, prime)
    rank = int(found.matrank())
    if len(known) == len(known[0]) and (rank == len(known)) != (found.matdet() != 0):
        raise AssertionError(f"rank {rank} and determinant disagree")
    return rank


def kernel_of(rows: Sequence[Sequence[int]], rank: int, prime: int, budget: Any) -> dict[int, list[int]]:  # noqa: ARG001
    """The left kernel, with the identity at the rows that depend on those before them."""
    whole = matrix(rows, prime)
    if int(whole.matrank()) != rank:
        raise CHECK.Invalid("the rank at the point is not the one needed")
    ranks = [0, *(int(matrix(rows[: k + 1], prime).matrank()) for k in range(len(rows)))]
    dependent = [k for k in range(len(rows)) if ranks[k + 1] == ranks[k]]
    if not dependent:
        return {}
    basis = whole.mattranspose().matker()
    columns = len(dependent)
    numbers = [[basis[row, column] for column in range(columns)] for row in range(len(rows))]
    square = pari.matrix(columns, columns, [numbers[row][column] for row in dependent for column in range(columns)])
    solved = basis * square**-1
    return {d: [int(solved[row, k].lift()) for row in range(len(rows))] for k, d in enumerate(dependent)}


def jacobian(point: Any, functionals: Iterable[Sequence[list[int]]], budget: Any) -> Iterator[list[int]]:  # noqa: ARG001
    """The rows of the Jacobian by the product rule."""
    network = point.network
    items = latent_class(network)
    if items is None and prod(network.sizes.values()) > MOST_STATES:
        raise TooLargeError
    for vectors in functionals:
        yield by_classes(point, items, vectors) if items is not None else by_states(point, vectors)


def latent_class(network: Any) -> list[int] | None:
    """The factors of the items of a latent class model whose root comes first, or nothing."""
    first, *rest = network.factors
    is_one = len(first.scope) == 1 and all(len(f.scope) == 2 and f.scope[0] == first.scope[0] for f in rest)
    hidden = [name for name, variable in network.model.variables.items() if not variable.observed]
    return list(range(1, len(network.factors))) if is_one and hidden == [first.scope[0]] else None


def by_classes(point: Any, items: list[int], vectors: Sequence[list[int]]) -> list[int]:
    """Σ_h π_h ∏_i s_i(h) with s_i(h) = Σ_x P(x | h) u_i(x)."""
    network, prime = point.network, point.prime
    one, zero = pari.Mod(1, prime), pari.Mod(0, prime)
    gradient = [zero] * len(network.parameters)
    keys = [list(factor.entries) for factor in network.factors]
    root = dict(zip((key[0] for key in keys[0]), point.arrays[0], strict=True))
    sums = []
    for number, vector in zip(items, vectors, strict=True):
        mine = dict.fromkeys(root, zero)
        for (h, x), value in zip(keys[number], point.arrays[number], strict=True):
            mine[h] += pari.Mod(value, prime) * vector[x]
        sums.append(mine)
    before = [dict.fromkeys(root, one)]
    for mine in sums:
        before.append({h: before[-1][h] * mine[h] for h in root})
    after = [dict.fromkeys(root, one)]
    for mine in reversed(sums):
        after.append({h: after[-1][h] * mine[h] for h in root})
    for place, parameter, coefficient in point.slopes[0]:
        gradient[parameter] += before[-1][keys[0][place][0]] * coefficient
    for k, (number, vector) in enumerate(zip(items, vectors, strict=True)):
        others = {h: before[k][h] * after[len(items) - 1 - k][h] * root[h] for h in root}
        for place, parameter, coefficient in point.slopes[number]:
            h, x = keys[number][place]
            gradient[parameter] += others[h] * vector[x] * coefficient
    return [int(value.lift()) for value in gradient]


def by_states(point: Any, vectors: Sequence[list[int]]) -> list[int]:
    """The sum over all joint states of the products of all entries, each product differentiated."""
    network, prime = point.network, point.prime
    gradient = [pari.Mod(0, prime)] * len(network.parameters)
    names = list(network.sizes)
    weights = dict(zip(network.model.observed, vectors, strict=True))
    ranges = [
        [state for state in range(size) if name not in weights or weights[name][state]]
        for name, size in network.sizes.items()
    ]
    places = [{key: place for place, key in enumerate(factor.entries)} for factor in network.factors]
    axes = [[names.index(name) for name in factor.scope] for factor in network.factors]
    slopes: list[dict[int, list[tuple[int, int]]]] = []
    for slope in point.slopes:
        slopes.append({})
        for place, parameter, coefficient in slope:
            slopes[-1].setdefault(place, []).append((parameter, coefficient))
    for states in product(*ranges):
        at = [table.get(tuple(states[axis] for axis in mine)) for table, mine in zip(places, axes, strict=True)]
        if None in at:
            continue
        weight = pari.Mod(1, prime)
        for axis, name in enumerate(names):
            weight *= weights[name][states[axis]] if name in weights else 1
        entries = [pari.Mod(array[place], prime) for array, place in zip(point.arrays, at, strict=True)]
        for number, place in enumerate(at):
            term = weight
            for other, entry in enumerate(entries):
                term = term if other == number else term * entry
            for parameter, coefficient in slopes[number].get(place, ()):
                gradient[parameter] += term * coefficient
    return [int(value.lift()) for value in gradient]


class Series(NamedTuple):
    """Σ and μ of a Gaussian model at a point, and their derivatives by each parameter."""

    covariance: list[list[int]]
    mean: list[int]
    slopes: list[tuple[Any, Any]]


def moments(model: Any, values: Mapping[Any, int], prime: int, budget: Any) -> Series:  # noqa: ARG001 - as above
    """Σ and μ at a point, with derivatives."""
    names = list(model.variables)
    covariance, mean = at_value(model, names, values, None, prime)
    slopes = [at_value(model, names, values, parameter, prime) for parameter in model.parameters]
    return Series(plain(covariance, len(names), 0), [row[0] for row in plain(mean, 1, 0)], slopes)


def at_value(model: Any, names: list[str], values: Mapping[Any, int], moved: str | None, prime: int) -> tuple[Any, Any]:
    """Σ and μ with x added to one parameter, as power series up to x."""
    count, zero = len(names), f"Mod(0,{prime})+O(x^2)"
    path = [[pari(f"Mod({int(i == j)},{prime})+O(x^2)") for j in range(count)] for i in range(count)]
    error, intercept = ([[pari(zero) for _ in range(width)] for _ in range(count)] for width in (count, 1))
    for (kind, *ends), value in values.items():
        entry = pari(f"Mod({value},{prime})+Mod({int(model.entries[(kind, *ends)] == moved)},{prime})*x+O(x^2)")
        i, j = names.index(ends[0]), names.index(ends[-1])
        if kind == "b":
            path[i][j] -= entry
        elif kind == "m":
            intercept[i][0] = entry
        else:
            error[i][j] = error[j][i] = entry
    whole, middle, last = (
        pari.matrix(count, len(rows[0]), [entry for row in rows for entry in row]) for rows in (path, error, intercept)
    )
    if pari("(M)->matdet(M)")(whole).polcoef(0) == 0:
        raise CHECK.Invalid("I - B has no inverse at the point")
    inverse = whole**-1
    return inverse.mattranspose() * middle * inverse, inverse.mattranspose() * last


def plain(found: Any, width: int, degree: int) -> list[list[int]]:
    """The coefficients of one power of x, as integers."""
    height = len(found.mattranspose())
    return [[int(found[i, j].polcoef(degree).lift()) for j in range(width)] for i in range(height)]


def gradient_of(model: Any, at: Series, vectors: Any, prime: int, budget: Any) -> list[int]:  # noqa: ARG001 - as above
    """The derivatives of uᵀΣv + wᵀμ."""
    names = list(model.variables)
    u, v, w = ([vector.get(name, 0) for name in names] for vector in vectors)
    found = []
    for covariance, mean in at.slopes:
        second, first = plain(covariance, len(names), 1), plain(mean, 1, 1)
        total = sum(a * x * b for a, row in zip(u, second, strict=True) for x, b in zip(row, v, strict=True))
        found.append((total + sum(c * row[0] for c, row in zip(w, first, strict=True))) % prime)
    return found


def checker() -> Any:
    """The checker with PARI's arithmetic."""
    spec = spec_from_file_location("check", HERE / "check.py")
    if spec is None or spec.loader is None:
        raise FileNotFoundError(HERE / "check.py")
    module = module_from_spec(spec)
    sys.modules["check"] = module
    spec.loader.exec_module(module)
    for function in (rank_of, kernel_of, jacobian, moments, gradient_of):
        setattr(module, function.__name__, function)
    return module


CHECK = checker()


def main(paths: Sequence[str]) -> int:
    """Check the files; 1 if one is not accepted."""
    files = [Path(path) for path in paths] or sorted((HERE / "certificates").glob("*.json"))
    accepted, large, refused = 0, [], 0
    for file in files:
        try:
            code, reason = CHECK.verdict(file.read_bytes())
        except TooLargeError:
            large.append(file.name)
            continue
        accepted += code == 0
        if code:
            refused += 1
            print(f"{file.name}: {reason}")
    print(
        f"PARI {'.'.join(map(str, pari.version()[:3]))}: {accepted} accepted, {refused} refused, {len(large)} too large"
    )
    return 1 if refused or not accepted else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
