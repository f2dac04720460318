"""Check certificates once more with the arithmetic of PARI: minors, kernels and ranks of gradients.

python proofs/second_opinion.py [FILE ...]   (default: proofs/certificates/; needs cypari)

The checker's own functions for these are replaced. The rows of the Jacobian come from the product rule, applied to the
sum over all joint states, or to the sum over the classes of a latent class model; what is too large for that is counted.
Classifiers and log-linear models are summed over all joint states too, and formulas are differentiated as power series.
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
from typing import Any

from cypari import pari

HERE = Path(__file__).parent
MOST_STATES = 1 << 13

pari.allocatemem(1 << 28, silent=True)


class TooLargeError(Exception):
    """A Jacobian that the product rule would take too long for."""


def matrix(rows: Sequence[Sequence[int]], prime: int) -> Any:
    """A matrix of PARI modulo the prime."""
    return pari.matrix(len(rows), len(rows[0]), [x for row in rows for x in row]) * pari.Mod(1, prime)


def rank(field: Any, rows: Iterable[Sequence[int]]) -> int:
    """The rank, by PARI; of a square matrix by its determinant too."""
    known = [list(row) for row in rows]
    if not known or not known[0]:
        return 0
    found = matrix(known, field.prime)
    rank = int(found.matrank())
    if len(known) == len(known[0]) and (rank == len(known)) != (found.matdet() != 0):
        raise AssertionError(f"rank {rank} and determinant disagree")
    return rank


def kernel(field: Any, rows: Sequence[Sequence[int]]) -> list[list[int]]:
    """The left kernel, with the identity at the rows that depend on those before them."""
    whole = matrix(rows, field.prime)
    ranks = [0, *(int(matrix(rows[: k + 1], field.prime).matrank()) for k in range(len(rows)))]
    dependent = [k for k in range(len(rows)) if ranks[k + 1] == ranks[k]]
    if not dependent:
        return []
    basis = whole.mattranspose().matker()
    columns = len(dependent)
    numbers = [[basis[row, column] for column in range(columns)] for row in range(len(rows))]
    square = pari.matrix(columns, columns, [numbers[row][column] for row in dependent for column in range(columns)])
    solved = basis * square**-1
    return [[int(solved[row, k].lift()) for row in range(len(rows))] for k in range(columns)]


class DiscretePoint:
    """Tables at a point; derivatives by the product rule."""

    def __init__(self, model: Any, field: Any, values: Mapping[Any, int]) -> None:
        self.model, self.prime = model, field.prime
        self.factors, self.entries = model.factors()
        self.at = {parameter: pari.Mod(x, self.prime) for parameter, x in values.items()} | {"1": ONE}
        self.values = [pari.Mod(0, self.prime), *(self.entry(entry, self.at) for entry in self.entries)]

    def entry(self, entry: Any, at: Mapping[Any, Any]) -> Any:
        """An entry at a point."""
        if not isinstance(entry, CHECK.Quotient):
            return sum((pari.Mod(pari(str(x)), self.prime) * at[p] for p, x in entry.items()), start=ONE * 0)
        above, *below = (
            prod((self.entry(sum_, at) ** k for sum_, k in one), start=ONE) for one in (entry.above, *entry.below)
        )
        return above / sum(below, start=ONE * 0)

    def slopes(self, place: int) -> Iterator[tuple[int, Any]]:
        """The derivatives of an entry; of a quotient from power series."""
        entry = self.entries[place - 1]
        for parameter, x in entry.items():
            if isinstance(entry, CHECK.Quotient):
                series = self.entry(entry, {**self.at, parameter: self.at[parameter] + STEP})
                yield self.model.parameters[parameter], series.polcoef(1)
            elif parameter != "1":
                yield self.model.parameters[parameter], pari.Mod(pari(str(x)), self.prime)

    def vectors(self, functional: Sequence[int]) -> dict[str, Sequence[int]]:
        """The vector of each observed variable."""
        left = iter(functional)
        return {v: [next(left) for _ in range(self.model.sizes[v])] for v in self.model.observed}

    def terms(self, vectors: Mapping[str, Sequence[int]]) -> Iterator[tuple[Any, list[int]]]:
        """For each joint state the product of the vectors' numbers, and the places of the entries that are multiplied."""
        sizes = self.model.sizes
        if prod(sizes.values()) > MOST_STATES:
            raise TooLargeError
        ranges = [[k for k in range(size) if v not in vectors or vectors[v][k]] for v, size in sizes.items()]
        for states in product(*ranges):
            at = dict(zip(sizes, states, strict=True))
            places = [table.get(tuple(at[v] for v in scope)) for scope, table in self.factors]
            if None not in places:
                yield prod((pari.Mod(x[at[v]], self.prime) for v, x in vectors.items()), start=ONE), places

    def value(self, functional: Sequence[int]) -> int:
        """The sum over all joint states."""
        terms = self.terms(self.vectors(functional))
        return residue(
            sum((w * prod(self.values[k] for k in places) for w, places in terms), start=pari.Mod(0, self.prime))
        )

    def gradient(self, functional: Sequence[int]) -> list[int]:
        """By the classes of a latent class model, or by all joint states."""
        gradient = [pari.Mod(0, self.prime)] * len(self.model.parameters)
        vectors = self.vectors(functional)
        changes = self.by_classes(vectors) if is_latent_class(self.model) else self.by_states(vectors)
        for place, change in changes:
            for number, x in self.slopes(place):
                gradient[number] += change * x
        return [residue(value) for value in gradient]

    def by_states(self, vectors: Mapping[str, Sequence[int]]) -> Iterator[tuple[int, Any]]:
        """What each entry is multiplied by in each term."""
        for weight, places in self.terms(vectors):
            for number, place in enumerate(places):
                yield place, weight * prod(self.values[k] for n, k in enumerate(places) if n != number)

    def by_classes(self, vectors: Mapping[str, Sequence[int]]) -> Iterator[tuple[int, Any]]:
        """Σ_h π_h ∏_i s_i(h) with s_i(h) = Σ_x P(x | h) u_i(x), differentiated."""
        (_, root), *items = self.factors
        for (h,), place in root.items():
            sums = []
            for (scope, table), vector in zip(items, vectors.values(), strict=True):
                states = range(self.model.sizes[scope[1]])
                sums.append(sum(self.values[table[h, x]] * vector[x] for x in states))
            yield place, prod(sums, start=ONE)
            before = [self.values[place]]
            for one in sums:
                before.append(before[-1] * one)
            after = ONE
            for k in reversed(range(len(sums))):
                scope, table = items[k]
                for x in range(self.model.sizes[scope[1]]):
                    yield table[h, x], before[k] * after * vectors[scope[1]][x]
                after = after * sums[k]


ONE = pari(1)
STEP = pari("x+O(x^2)")


def residue(value: Any) -> int:
    """A residue as an integer."""
    return int(value.lift())


def is_latent_class(model: Any) -> bool:
    """Whether the first variable is the class and all others are items, with tables without zeros."""
    first, *others = model.variables.items()
    items = all(x.observed and x.parents == [first[0]] for _, x in others)
    return not first[1].observed and items and not model.given and not model.has_zeros


class GaussianPoint:
    """Σ and μ of a Gaussian model at a point, and their derivatives by each parameter, as power series."""

    def __init__(self, model: Any, field: Any, values: Mapping[Any, int]) -> None:
        self.model, self.prime, self.names = model, field.prime, list(model.variables)
        self.seen = [k for k, v in enumerate(self.names) if model.variables[v]]
        numbers = {k: values[x] if isinstance(x, str) else field.number(x) for k, x in model.entries.items()}
        self.moments = self.at_value(numbers, None)
        self.slopes = [self.at_value(numbers, parameter) for parameter in model.parameters]

    def at_value(self, numbers: Mapping[Any, int], moved: str | None) -> tuple[Any, Any]:
        """Σ and μ with x added to one parameter, as power series up to x."""
        names, prime, count = self.names, self.prime, len(self.names)
        path = [[pari(f"Mod({int(i == j)},{prime})+O(x^2)") for j in range(count)] for i in range(count)]
        error, intercept = ([[pari(f"Mod(0,{prime})+O(x^2)")] * width for _ in range(count)] for width in (count, 1))
        for (kind, row, column), value in numbers.items():
            slope = int(self.model.entries[kind, row, column] == moved)
            entry = pari(f"Mod({value},{prime})+Mod({slope},{prime})*x+O(x^2)")
            if kind == "B":
                path[names.index(row)][names.index(column)] -= entry
            elif kind == "m":
                intercept[names.index(row)][0] = entry
            else:
                error[names.index(row)][names.index(column)] = entry
        whole, middle, last = (
            pari.matrix(count, len(rows[0]), [entry for row in rows for entry in row])
            for rows in (path, error, intercept)
        )
        if pari("(M)->matdet(M)")(whole).polcoef(0) == 0:
            raise CHECK.Invalid("I - B has no inverse at the point")
        inverse = whole**-1
        return inverse.mattranspose() * middle * inverse, inverse.mattranspose() * last

    def applied(self, found: tuple[Any, Any], functional: Sequence[int], degree: int) -> int:
        """The coefficient of uᵀΣv + wᵀμ at a power of x."""
        count = len(self.seen)
        u, v, w = (functional[k : k + count] for k in (0, count, 2 * count))
        total = pari.Mod(0, self.prime)
        for a, i in zip(u, self.seen, strict=True):
            for b, j in zip(v, self.seen, strict=True):
                total += a * b * found[0][i, j].polcoef(degree) if a and b else 0
        for c, i in zip(w, self.seen, strict=False):
            total += c * found[1][i, 0].polcoef(degree) if c else 0
        return residue(total)

    def value(self, functional: Sequence[int]) -> int:
        """The value."""
        return self.applied(self.moments, functional, 0)

    def gradient(self, functional: Sequence[int]) -> list[int]:
        """The derivatives."""
        return [self.applied(slope, functional, 1) for slope in self.slopes]


class LogLinearPoint(DiscretePoint):
    """q / Z and its derivative: both by the sum over all joint states, and the rule for quotients."""

    def __init__(self, model: Any, field: Any, values: Mapping[Any, int]) -> None:
        super().__init__(model, field, values)
        ones = [1] * model.width
        self.total, self.slope = pari.Mod(super().value(ones), self.prime), super().gradient(ones)

    def value(self, functional: Sequence[int]) -> int:
        """The quotient."""
        return residue(super().value(functional) / self.total)

    def gradient(self, functional: Sequence[int]) -> list[int]:
        """The rule for quotients."""
        value, pairs = super().value(functional), zip(super().gradient(functional), self.slope, strict=True)
        return [residue((x * self.total - value * y) / self.total**2) for x, y in pairs]


class ClassifierPoint:
    """The log-odds of a class: log p(x, y) for all joint states, differentiated, and weighted."""

    def __init__(self, model: Any, field: Any, values: Mapping[Any, int]) -> None:
        self.model, self.prime = model, field.prime
        self.inner = DiscretePoint(model.network, field, values)

    def gradient(self, functional: Sequence[int]) -> list[int]:
        """The sum over all joint states of all variables."""
        model, left = self.model, iter(functional)
        vectors = {v: [next(left) for _ in range(model.sizes[v])] for v in model.inputs}
        vectors = {v: [*vector[:-1], 1 - sum(vector[:-1])] for v, vector in vectors.items()}
        odds = list(left)
        vectors[model.label] = [-sum(odds), *odds]
        found = [pari.Mod(0, self.prime)] * len(model.parameters)
        for weight, places in self.inner.terms({v: vectors[v] for v in model.network.observed}):
            for place in places:
                for number, slope in self.inner.slopes(place):
                    found[number] += weight * slope / self.inner.values[place]
        return [residue(x) for x in found]


class FormulaPoint:
    """Quotients of polynomials at a point, and their derivatives from power series."""

    def __init__(self, model: Any, field: Any, values: Mapping[Any, int]) -> None:
        self.model, self.prime, self.field = model, field.prime, field
        self.at = {parameter: pari.Mod(x, self.prime) for parameter, x in values.items()}

    def summed(self, functional: Sequence[int], at: Mapping[Any, Any]) -> Any:
        """The weighted sum of the coordinates."""

        def polynomial(one: Mapping[Any, Any]) -> Any:
            terms = (
                pari.Mod(pari(str(x)), self.prime) * prod((at[p] for p in key), start=ONE) for key, x in one.items()
            )
            return sum(terms, start=pari.Mod(0, self.prime))

        pairs = zip(functional, self.model.known, strict=True)
        terms = (x * polynomial(n) / polynomial(d) for x, (n, d) in pairs if x)
        return sum(terms, start=pari.Mod(0, self.prime))

    def value(self, functional: Sequence[int]) -> int:
        """The value."""
        return residue(self.summed(functional, self.at))

    def gradient(self, functional: Sequence[int]) -> list[int]:
        """The derivatives."""
        moved = ({**self.at, p: x + STEP} for p, x in self.at.items())
        return [residue(pari.Mod(1, self.prime) * self.summed(functional, at).polcoef(1)) for at in moved]


def checker() -> Any:
    """The checker with PARI's arithmetic."""
    spec = spec_from_file_location("check", HERE / "check.py")
    if spec is None or spec.loader is None:
        raise FileNotFoundError(HERE / "check.py")
    module = module_from_spec(spec)
    sys.modules["check"] = module
    spec.loader.exec_module(module)
    module.Field.rank, module.Field.kernel = rank, kernel
    module.Discrete.point, module.Gaussian.point = DiscretePoint, GaussianPoint
    module.LogLinear.point, module.Classifier.point = LogLinearPoint, ClassifierPoint
    module.Formulas.point = FormulaPoint
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
