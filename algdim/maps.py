"""What the rest knows of a map of any family, what makes one of a model, and what its parameters and functionals are.

A parameter is a record: of which kind, whose, in which states and given what. Its text is made from it and never read back.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import chain
from math import ceil, lgamma, log, log2
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from algdim.errors import LimitError
from algdim.families import load_family
from algdim.limits import get_allowance
from algdim.memory import ALLOW_MORE

if TYPE_CHECKING:
    from algdim.exact.arithmetic import Arithmetic, Array
    from algdim.families.contract import CoordinateRecord


PROBABILITY = "P"
COEFFICIENT = "b"
VARIANCE = "v"
COVARIANCE = "c"
MEAN = "m"
"""A mean, or an intercept."""
RATE = "l"
EFFECT = "t"
"""Of a log-linear model, e to the power of the effect."""
ODDS = "A"
"""Of a sigmoid variable, where all its parents are 0."""
ODDS_FACTOR = "B"
"""By which one of the parents multiplies these odds."""
NAMED = ""
"""A name that the user gave: to equal entries of tables, or in formulas."""

BETWEEN = {COEFFICIENT: "->", COVARIANCE: "<->"}
"""What stands between two owners; a comma elsewhere."""


class Parameter(NamedTuple):
    """One parameter.

    ``kind`` is one of the above or what a family calls its own, the letter that the text begins with. ``owners`` are a
    variable, a share or a name, two variables of a coefficient or covariance, all variables of an effect; ``states`` are
    theirs, where they are in a state. ``given`` are variables with their states, ``None`` where it is not one of them.
    ``label`` is the user's name of equal entries, and ``inside`` the variable whose classifier has the parameter.

    >>> print(Parameter(PROBABILITY, ("X",), (0,), (("A", 0), ("B", 1))), Parameter(COVARIANCE, ("X", "Y")))
    P(X=0|A=0,B=1) c(X<->Y)
    """

    kind: str
    owners: tuple[str, ...]
    states: tuple[int, ...] = ()
    given: tuple[tuple[str, int | None], ...] = ()
    label: str = ""
    inside: str = ""

    def __str__(self) -> str:
        """The text, as the notation, parameter files and JSON have it."""
        kind, owners, states, given, label, inside = self
        if not label:
            # large maps have very many that are one variable in one state
            if len(states) == 1:
                whose = f"{owners[0]}={states[0]}"
            elif states:
                whose = ",".join([f"{name}={state}" for name, state in zip(owners, states, strict=True)])
            else:
                whose = BETWEEN.get(kind, ",").join(owners)
            bar = ",".join([name if state is None else f"{name}={state}" for name, state in given])
            label = f"{kind}({whose}|{bar})" if given else f"{kind}({whose})"
        return f"{inside}:{label}" if inside else label

    @property
    def owner(self) -> str:
        """With what it is counted: a coefficient with the variable that it is in the equation of.

        >>> Parameter(COEFFICIENT, ("F", "X")).owner, Parameter(COVARIANCE, ("X", "Y")).owner
        ('X', 'X <-> Y')
        """
        if self.kind == COVARIANCE:
            return " <-> ".join(self.owners)
        return self.owners[-1] if self.kind == COEFFICIENT else ",".join(self.owners)


def make_named_parameter(name: str) -> Parameter:
    """A parameter that has a name of the user's and nothing else.

    >>> str(make_named_parameter("a"))
    'a'
    """
    return Parameter(NAMED, (name,), label=name)


class ParameterBlocks(tuple[Iterable[Parameter], ...]):  # noqa: SLOT001 - it remembers
    """What makes the records of parameters, block by block; no record is kept."""

    @property
    def records(self) -> tuple[Parameter, ...]:
        """The parameters of all blocks, made anew each time: there may be many."""
        return tuple(chain.from_iterable(self))

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """Their texts, made when they are asked for, since numbers need none."""
        return tuple(map(str, chain.from_iterable(self)))


@dataclass(frozen=True, slots=True, eq=False)
class Functionals:
    """A finite list of functionals on the coordinates: those themselves, some of them, or random combinations."""

    count: int
    """How many there are."""
    vectors: Callable[[Arithmetic, int, int], list[Array]]
    """The vectors of functionals start … stop − 1, as the family's evaluator takes them; of product functionals one array per
    observed axis, states × functionals."""
    advice: str = ALLOW_MORE
    """What to do if they are too many."""

    def select(self, numbers: Sequence[int]) -> Functionals:
        """Some of them, by their numbers."""

        def make_vectors(arithmetic: Arithmetic, start: int, stop: int) -> list[Array]:
            each = [self.vectors(arithmetic, number, number + 1) for number in numbers[start:stop]]
            return [np.concatenate(arrays, axis=-1) for arrays in zip(*each, strict=True)]

        return Functionals(len(numbers), make_vectors, self.advice)


class Map(Protocol):
    """Parameters, coordinates, and what is needed to bound the chance that a rank at a point is too small."""

    @property
    def model(self) -> Any:
        """The model; its `family` is the key of all tables of families."""

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of the parameters."""

    @property
    def parameter_count(self) -> int:
        """How many they are."""

    @property
    def records(self) -> tuple[Parameter, ...]:
        """What the parameters are, in the same order."""

    @property
    def complete(self) -> int:
        """The dimension of the saturated model."""

    @property
    def coordinate_count(self) -> int:
        """The number of coordinates."""

    @property
    def kept_coordinates(self) -> Any:
        """The coordinates that are kept, where some are left out; ``None`` means all."""

    @property
    def coordinates_are(self) -> str:
        """What the coordinates are called, in the plural."""

    @property
    def is_polynomial(self) -> bool:
        """Whether coordinates are polynomials of the parameters; otherwise they are quotients of such."""

    @property
    def functional_degree(self) -> int:
        """The degree of the value of a functional in the numbers that are drawn for it."""

    def coordinates(self) -> list[str]:
        """The names of all coordinates."""

    def coordinate_records(self) -> list[CoordinateRecord]:
        """What the coordinates are, in the same order."""

    def denominators(self) -> list[int]:
        """The denominators of the model's fixed numbers."""

    def degree_and_log_size(self) -> tuple[int, float]:
        """δ and log₂ H of lemma "chance"; an infinite size says that nothing is claimed."""

    def share_with_value(self, choices: int) -> float:
        """At least this share of the points, each coordinate uniform among this many values, have a value."""


def map_of(model: Any, whole: Any = None) -> Map:
    """The map of a model of any family.

    >>> from algdim.models.notation import parse
    >>> map_of(parse("2:2,2")).complete
    3
    """
    return load_family(model.family).make_map(model, whole)


Found = TypeVar("Found")

FOUND: WeakKeyDictionary[Map, dict[Hashable, Any]] = WeakKeyDictionary()
"""What was found of each map that is in use. Nothing in it holds the map, which could then never be given up."""


def find_once(pmap: Map, key: Hashable, find: Callable[[], Found]) -> Found:
    """What was found of a map under a key as long as the map is in use, else what is found now.

    What a search finds that is ended by its limits is not kept: with more seconds or memory it finds more.

    >>> from algdim.models.notation import parse
    >>> pmap = map_of(parse("2:2,2"))
    >>> find_once(pmap, "example", lambda: "found"), find_once(pmap, "example", lambda: "found again")
    ('found', 'found')
    """
    return keep(FOUND.setdefault(pmap, {}), key, find)


def plan_once(pmap: Map, key: Hashable, make: Callable[[], Found]) -> Found:
    """What follows from the structure of a map, such as the order of a contraction: made once for all maps that share a structure.

    No point, prime or rank is in it, and not the map, either.
    """
    structure: dict[Hashable, Any] | None = getattr(pmap, "structure", None)
    return find_once(pmap, key, make) if structure is None else keep(structure, key, make)


def keep(known: dict[Hashable, Any], key: Hashable, find: Callable[[], Found]) -> Found:
    """What is known under a key, else what is found now, and kept unless it was ended by its limits."""
    if key in known:
        kept: Found = known[key]
        return kept
    untried = get_allowance().untried
    before = len(untried)
    found = find()
    if len(untried) == before:
        known[key] = found
    return found


def check_terms(pmap: Map, most: int) -> None:
    """Refuse coordinates that are no polynomials, or with so many terms that they are not to be written as such."""
    if not pmap.is_polynomial:
        raise LimitError(
            "the coordinates are no polynomials (there are cycles, sigmoid variables, or log-odds); take a numerical method"
        )
    degree, log_size = pmap.degree_and_log_size()
    # where coefficients are large the size says little; there are C(P + δ, δ) monomials up to the degree
    count = pmap.parameter_count
    log_size = min(log_size, (lgamma(count + degree + 1) - lgamma(count + 1) - lgamma(degree + 1)) / log(2))
    if log_size > log2(most):
        raise LimitError(
            f"a coordinate may have about 2^{ceil(log_size)} terms; as polynomials at most {most} are allowed; "
            "take a numerical method, or a smaller model"
        )


Numbers = NDArray[np.intp]


def is_positive(value: Fraction, strictly: bool, margin: Fraction = Fraction(0)) -> bool:
    """Whether a number is not negative, ``strictly`` above the margin."""
    return value > margin if strictly else value >= 0


def collect_numbers(arrays: Iterable[NDArray[Any]]) -> frozenset[int]:
    """All numbers in some arrays."""
    return frozenset(int(number) for array in arrays for number in array.flat)


def iterate_completed_rows(rows: Iterable[Numbers], point: Sequence[Fraction]) -> Iterator[Fraction]:
    """The probabilities among the parameters, with the last one of each row."""
    for row in rows:
        values = [point[number] for number in row]
        yield from (*values, 1 - sum(values, Fraction(0)))
