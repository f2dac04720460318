"""Arithmetics: what a contraction needs of numbers, on whole numpy arrays; and inverses of matrices in any of them.

One contraction (`algdim.families.discrete.contraction`) runs in all of them:

- `Residues`: GF(p), p < 2^23, balanced residues in float64, so that numpy's matrix product (BLAS) does the work;
- `Objects`: any Python numbers (rationals of gmpy2, polynomials, sympy expressions, long floats);
- `Floats`: ordinary floating point;
- `Booleans`: zero or not, for positive numbers;
- `SIZES`: bounds for polynomials.

All operations take and return arrays of the arithmetic's own elements. Nothing here knows statistics.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

RESIDUE_BITS = 23


class Arithmetic(Protocol):
    """What the engine asks of numbers."""

    item_bytes: ClassVar[int]

    def elements(self, values: Array) -> Array:
        """Turn integers (int64), zeros and ones (truth values) or exact fractions (objects) into elements."""

    def multiply(self, a: Array, b: Array) -> Array:
        """Multiply entry by entry, broadcasting."""

    def add(self, a: Array, b: Array) -> Array:
        """Add entry by entry, broadcasting."""

    def matmul(self, a: Array, b: Array) -> Array:
        """Multiply stacks of matrices."""

    def segment_sums(self, a: Array, starts: NDArray[np.intp]) -> Array:
        """Add up runs of rows; run i begins at starts[i], and no run is empty."""


def run_starts(numbers: NDArray[np.intp]) -> NDArray[np.intp]:
    """Where runs of equal numbers begin, as `Arithmetic.segment_sums` asks for it.

    >>> run_starts(np.array([4, 4, 7, 4])).tolist()
    [0, 2, 3]
    """
    is_first = np.ones(len(numbers), dtype=np.bool_)
    np.not_equal(numbers[1:], numbers[:-1], out=is_first[1:])
    return np.flatnonzero(is_first)


def add_weighted_runs(
    arithmetic: Arithmetic,
    a: Array,
    rows: NDArray[np.intp],
    weights: Array,
    starts: NDArray[np.intp],
    are_differences: bool | None = None,
) -> Array:
    """Add up runs of weighted rows of an array; the runs of a free table are one row minus another, which may be known already."""
    if are_differences is None:
        are_differences = isinstance(arithmetic, Residues) and has_difference_weights(weights, starts)
    if are_differences and isinstance(arithmetic, Residues):
        result = a[rows[::2]]
        result -= a[rows[1::2]]
        return reduce(result, arithmetic.prime)
    return arithmetic.segment_sums(arithmetic.multiply(a[rows], weights[:, None]), starts)


def has_difference_weights(weights: Array, starts: NDArray[np.intp]) -> bool:
    """Whether every run has the weights 1 and −1."""
    pairs = len(weights) == 2 * len(starts) and bool((np.diff(starts) == 2).all())
    return pairs and bool((weights[::2] == 1).all() and (weights[1::2] == -1).all())


BY_BATCH = "kmsb,ksnb->kmnb"
"""A product of matrices for each number of a batch, in words of `einsum`."""


def multiply_batches(arithmetic: Arithmetic, a: Array, b: Array) -> Array:
    """Multiply stacks of matrices, as many as there are in the batch that is the last axis of both."""
    if isinstance(arithmetic, Residues):
        if a.shape[2] <= LEAST_SAFE_TERMS:
            return reduce(np.einsum(BY_BATCH, a, b), arithmetic.prime)
        return arithmetic.add_up(lambda run: np.einsum(BY_BATCH, a[:, :, run], b[:, run]), a.shape[2])
    result = arithmetic.multiply(a[:, :, 0, None], b[:, None, 0])
    for index in range(1, a.shape[2]):
        result = arithmetic.add(result, arithmetic.multiply(a[:, :, index, None], b[:, None, index]))
    return result


LEAST_SAFE_TERMS = 511
"""Of balanced residues modulo any prime that is allowed so many products add up to an exact sum."""


@dataclass(frozen=True, slots=True)
class Residues:
    """GF(p) for p < 2^23 in balanced float64 residues: products are exact and sums of some 500 of them stay below 2^53."""

    item_bytes: ClassVar[int] = 8

    prime: int

    def __post_init__(self) -> None:
        if not 2 <= self.prime < 1 << RESIDUE_BITS:
            raise ValueError(f"the prime {self.prime} has more than {RESIDUE_BITS} bits")

    def elements(self, values: Array) -> Array:
        """Turn integers or fractions into balanced residues."""
        if values.dtype == np.bool_:
            return values.astype(np.float64)  # 0 and 1 are what they are modulo any prime
        if values.dtype == object:
            values = np.array([_reduce_number(value, self.prime) for value in values.flat], dtype=np.int64).reshape(
                values.shape
            )
        return reduce(np.asarray(np.remainder(values, self.prime).astype(np.float64)), self.prime)

    def multiply(self, a: Array, b: Array) -> Array:
        return reduce(np.asarray(a * b), self.prime)

    def add(self, a: Array, b: Array) -> Array:
        return reduce(np.asarray(a + b), self.prime)

    def matmul(self, a: Array, b: Array) -> Array:
        """Multiply stacks of matrices."""
        if a.shape[-1] <= LEAST_SAFE_TERMS:
            return reduce(np.asarray(np.matmul(a, b)), self.prime)
        return self.add_up(lambda run: np.matmul(a[..., run], b[..., run, :]), a.shape[-1])

    def add_up(self, multiply: Callable[[slice], Array], count: int) -> Array:
        """The sum of as many products of residues, which a function makes of some of them, reduced before 2^53 is reached."""
        step = count_safe_terms(self.prime)
        result = reduce(np.asarray(multiply(slice(0, step))), self.prime)
        for start in range(step, count, step):
            result = self.add(result, reduce(np.asarray(multiply(slice(start, start + step))), self.prime))
        return result

    def segment_sums(self, a: Array, starts: NDArray[np.intp]) -> Array:
        return reduce(np.asarray(np.add.reduceat(a, starts, axis=0)), self.prime)


def convert_drawn(arithmetic: Arithmetic, drawn: NDArray[np.int64]) -> Array:
    """Integers from 0 to the prime less 1, as they are drawn, as elements; of residues no remainders are taken."""
    if isinstance(arithmetic, Residues):
        return reduce(np.array(drawn, dtype=np.float64, order="C"), arithmetic.prime)
    return arithmetic.elements(np.ascontiguousarray(drawn))


@lru_cache(1 << 6)
def get_residues(prime: int) -> Residues:
    """The residues modulo a prime, which is looked at once.

    >>> get_residues(7) is get_residues(7)
    True
    """
    return Residues(prime)


EXACT_TYPES = frozenset((int, Fraction))


@dataclass(frozen=True, slots=True)
class Objects:
    """Python numbers in object arrays.

    ``convert`` makes an element from an integer or a fraction; ``log`` is the logarithm, if these numbers have one.
    """

    item_bytes: ClassVar[int] = 64

    convert: Callable[[Any], Any]
    log: Callable[[Any], Any] | None = None

    def elements(self, values: Array) -> Array:
        result = np.empty(values.size, dtype=object)
        convert = self.convert
        # asking for the type itself is quicker than for an instance, of which there are few others
        for number, value in enumerate(values.ravel().tolist()):
            is_known = type(value) in EXACT_TYPES or isinstance(value, Fraction)
            result[number] = convert(value if is_known else int(value))
        return result.reshape(values.shape)

    def multiply(self, a: Array, b: Array) -> Array:
        return keep_object(a * b)

    def add(self, a: Array, b: Array) -> Array:
        return keep_object(a + b)

    def matmul(self, a: Array, b: Array) -> Array:
        return keep_object(np.matmul(a, b))

    def segment_sums(self, a: Array, starts: NDArray[np.intp]) -> Array:
        return np.asarray(np.add.reduceat(a, starts, axis=0), dtype=object)


def keep_object(found: Any) -> Array:
    """An array of objects; one object by itself, as arrays without axes give it, is not taken apart into its terms."""
    if isinstance(found, np.ndarray):
        return found
    result = np.empty((), dtype=object)
    result[()] = found
    return result


class Floats:
    """Ordinary float64 numbers."""

    item_bytes: ClassVar[int] = 8

    def log(self, a: Array) -> Array:
        """The natural logarithms."""
        return np.asarray(np.log(a))

    def elements(self, values: Array) -> Array:
        return values.astype(np.float64)

    def multiply(self, a: Array, b: Array) -> Array:
        return np.asarray(a * b)

    def add(self, a: Array, b: Array) -> Array:
        return np.asarray(a + b)

    def matmul(self, a: Array, b: Array) -> Array:
        return np.asarray(np.matmul(a, b))

    def segment_sums(self, a: Array, starts: NDArray[np.intp]) -> Array:
        return np.asarray(np.add.reduceat(a, starts, axis=0))


class Booleans:
    """Zero or not: what is computed is whether a sum of products of positive numbers has a term at all."""

    item_bytes: ClassVar[int] = 1

    def elements(self, values: Array) -> Array:
        """Whether each number is not zero."""
        return np.asarray(values != 0, dtype=np.bool_)

    def multiply(self, a: Array, b: Array) -> Array:
        return np.logical_and(a, b)

    def add(self, a: Array, b: Array) -> Array:
        return np.logical_or(a, b)

    def matmul(self, a: Array, b: Array) -> Array:
        """Some product is not zero; counted in float32, where a sum of ones cannot vanish."""
        return np.asarray(np.matmul(a.astype(np.float32), b.astype(np.float32)) > 0)

    def segment_sums(self, a: Array, starts: NDArray[np.intp]) -> Array:
        """Some summand is not zero."""
        return np.asarray(np.logical_or.reduceat(a, starts, axis=0))


class Lengths:
    """How many numbers and letters an expression has that is written as it arises, nothing expanded; zero has none."""

    item_bytes: ClassVar[int] = 8

    def elements(self, values: Array) -> Array:
        """Each number that is not zero is one."""
        return np.asarray(values != 0, dtype=np.float64)

    def log(self, a: Array) -> Array:
        """A logarithm is as long as what it is of."""
        return a

    def multiply(self, a: Array, b: Array) -> Array:
        """The leaves of both, where neither is zero."""
        return np.asarray(np.where((a != 0) & (b != 0), a + b, 0.0))

    def add(self, a: Array, b: Array) -> Array:
        return np.asarray(a + b)

    def matmul(self, a: Array, b: Array) -> Array:
        """The leaves of all products that are not zero."""
        return np.asarray(np.matmul(a, (b != 0).astype(np.float64)) + np.matmul((a != 0).astype(np.float64), b))

    def segment_sums(self, a: Array, starts: NDArray[np.intp]) -> Array:
        """The leaves of all summands."""
        return np.asarray(np.add.reduceat(a, starts, axis=0))


@dataclass(frozen=True, slots=True)
class PolynomialSize:
    """A bound for a polynomial: its degree, and its norm, the sum of the absolute coefficients; for a product they follow."""

    degree: int
    norm: Any

    def __add__(self, other: PolynomialSize) -> PolynomialSize:
        return PolynomialSize(max(self.degree, other.degree), self.norm + other.norm)

    def __mul__(self, other: PolynomialSize) -> PolynomialSize:
        norm = self.norm * other.norm
        return PolynomialSize(self.degree + other.degree if norm else 0, norm)


SIZES = Objects(convert=lambda value: PolynomialSize(0, abs(value)))
"""In the place of numbers, how large polynomials can be that a formula makes: what cancels is not seen."""


def make_size_point(count: int) -> Array:
    """Parameters in the place of their numbers.

    >>> a, b = make_size_point(2)
    >>> a * b + b
    PolynomialSize(degree=2, norm=2)
    """
    point = np.empty(count, dtype=object)
    point[:] = [PolynomialSize(1, 1)] * count
    return point


def make_rationals() -> Objects:
    """The rational numbers, as gmpy2's.

    >>> import numpy as np
    >>> make_rationals().elements(np.array([Fraction(1, 2)], dtype=object))
    array([mpq(1,2)], dtype=object)
    """
    from gmpy2 import mpq

    return Objects(convert=mpq)


def make_large_prime_field(prime: int) -> Objects:
    """GF(p) for a prime of up to 64 bits, as FLINT's residues.

    >>> import numpy as np
    >>> make_large_prime_field(7).elements(np.array([Fraction(1, 2)], dtype=object))
    array([4], dtype=object)
    """
    from flint import nmod

    def convert(value: Any) -> Any:
        return nmod(value.numerator, prime) / nmod(value.denominator, prime)

    return Objects(convert=convert)


def _reduce_number(value: Any, prime: int) -> int:
    """Reduce an integer or a fraction; a denominator divisible by the prime is an error."""
    fraction = Fraction(value)
    if fraction.denominator % prime == 0:
        raise ZeroDivisionError(f"{fraction} has no residue modulo {prime}")
    return fraction.numerator * pow(fraction.denominator, -1, prime) % prime


def reduce(values: NDArray[np.float64], prime: int) -> NDArray[np.float64]:
    """Reduce exact integers to balanced residues, in place.

    Before it is rounded the quotient has a relative error below 2^-52, so that for a sum below 2^53 the residue is at
    most p/2 + 2 in absolute value; a multiple of p becomes 0.
    """
    inverse, modulus = make_constants(prime)
    quotient = np.asarray(values * inverse)
    np.rint(quotient, out=quotient)
    quotient *= modulus
    values -= quotient
    return values


@lru_cache(1 << 6)
def make_constants(prime: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """One over a prime, and the prime, as numpy multiplies by them without converting a number each time."""
    return np.array(1.0 / prime), np.array(float(prime))


@lru_cache(1 << 6)
def count_safe_terms(prime: int) -> int:
    """How many products of balanced residues can be added to one, with every sum exact and its quotient good."""
    largest = prime // 2 + 2
    # sums of so few are far below 2^53 for small primes, where an error of 2 would be too much
    return min(4096, ((1 << 53) - 2 * prime) // largest**2)


class SingularError(ZeroDivisionError):
    """A matrix has no inverse; of a map: it has no value at this point."""


def invert_matrix(arithmetic: Arithmetic, matrix: Array) -> Array:
    """The inverse by Gauss–Jordan elimination, the first entry that is not zero as pivot.

    >>> invert_matrix(Residues(7), np.array([[0.0, 1.0], [2.0, 1.0]]))
    array([[ 3., -3.],
           [ 1.,  0.]])
    """
    size = len(matrix)
    work = np.concatenate([matrix, arithmetic.elements(np.eye(size, dtype=np.int64))], axis=1)
    zero, minus_one = arithmetic.elements(np.array([0])), arithmetic.elements(np.array([-1]))
    for column in range(size):
        found = np.flatnonzero(np.asarray(work[column:, column] != 0, dtype=bool))
        if not len(found):
            raise SingularError(f"a matrix with {size} rows has no inverse")
        pivot = column + int(found[0])
        work[[column, pivot]] = work[[pivot, column]]
        work[column] = arithmetic.multiply(work[column], invert_number(arithmetic, work[column, column]))
        factors = arithmetic.multiply(work[:, column], minus_one)
        factors[column : column + 1] = zero
        work = arithmetic.add(work, arithmetic.multiply(factors[:, None], work[column][None, :]))
    return work[:, size:]


def invert_number(arithmetic: Arithmetic, value: Any) -> Array:
    """One over a number that is not zero, as an array with one entry."""
    return invert_numbers(arithmetic, np.array([value], dtype=object if isinstance(arithmetic, Objects) else None))


def invert_numbers(arithmetic: Arithmetic, values: Array) -> Array:
    """One over each number; `SingularError` if one of them is zero.

    >>> invert_numbers(Residues(7), np.array([1.0, -3.0]))
    array([1., 2.])
    """
    if isinstance(arithmetic, Booleans):
        return values
    if np.any(values == 0):
        raise SingularError("a denominator is zero")
    if isinstance(arithmetic, Residues):
        inverted = [pow(int(value), -1, arithmetic.prime) for value in values.flat]
        return arithmetic.elements(np.array(inverted, dtype=np.int64).reshape(values.shape))
    return np.asarray(1 / values)
