"""The map of a conditional Gaussian network: to the weights of normal distributions, and to their means and covariances.

Given the observed discrete variables C the Gaussian ones have a mixture of normal distributions, one for each joint state k of the
discrete variables on which Gaussian ones depend, as far as k agrees with C. Coordinates are the weights P(c, k), sums over the other
hidden states, and the mean and the covariance matrix of each k,

    μ_Y = m_Y + Σ b_ZY μ_Z,      σ_YW = Σ b_ZY σ_ZW for W before Y,      σ_YY = v_Y + Σ b_ZY σ_ZY.

They determine the distribution, which determines them up to the order of the k (lemma "conditional Gaussian"). They are written as one
program of sums and products, on which the map of formulas stands.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations_with_replacement, product
from math import prod
from typing import Any, ClassVar

from algdim.errors import LimitError
from algdim.families.conditionalgaussian.model import ConditionalGaussian
from algdim.families.contract import CELL, COVARIANCE, MEAN, CoordinateRecord
from algdim.families.gaussian.model import Entry
from algdim.families.polynomial.map import PolynomialMap
from algdim.families.polynomial.program import ADD, MULTIPLY, ONE, Compiler, Step, StraightLine, bound_node_sizes
from algdim.figures import format_integer
from algdim.maps import NAMED, PROBABILITY, Parameter

MOST_JOINT = 50_000
"""Joint states of the discrete variables."""
MOST_COORDINATES = 100_000

States = dict[str, int]


def iterate_states(states: Mapping[str, int], names: Sequence[str]) -> Iterator[States]:
    """The joint states of some variables, the first slowest."""
    for found in product(*(range(states[name]) for name in names)):
        yield dict(zip(names, found, strict=True))


def make_table_parameter(model: ConditionalGaussian, name: str, at: Mapping[str, int]) -> Parameter:
    """The entry of a table in a joint state."""
    return Parameter(PROBABILITY, (name,), (at[name],), tuple((one, at[one]) for one in model.parents[name]))


def make_entry_parameter(model: ConditionalGaussian, entry: Entry, at: Mapping[str, int]) -> Parameter:
    """The parameter of an entry that is not fixed, in a joint state.

    >>> from algdim.models.notation import parse
    >>> model = parse("conditional-gaussian: H, F -> X; states H=2; hidden H, F; equal l = m(X)")
    >>> print(make_entry_parameter(model, ("b", "F", "X"), {"H": 1}), make_entry_parameter(model, ("m", "X"), {"H": 0}))
    b(F->X|H=1) l|H=0
    """
    label = model.labels.get(entry)
    if label is not None:  # in the order of the first of those that are equal
        entry = model.firsts[label]
    given = tuple((name, at[name]) for name in model.get_switches(entry))
    if label is None:
        return Parameter(entry[0], entry[1:], given=given)
    bar = ",".join(f"{name}={state}" for name, state in given)
    return Parameter(NAMED, (label,), given=given, label=f"{label}|{bar}" if bar else label)


def iterate_parameter_records(model: ConditionalGaussian) -> Iterator[Parameter]:
    """The parameters: variable by variable, tables without their last states."""
    fixed = model.values
    for one in model.variables:
        if one.states is not None:
            for at in iterate_states(model.states, model.parents[one.name]):
                yield from (
                    make_table_parameter(model, one.name, at | {one.name: state}) for state in range(one.states - 1)
                )
    for entry in model.entries:
        if entry not in fixed:
            yield from (
                make_entry_parameter(model, entry, at) for at in iterate_states(model.states, model.get_switches(entry))
            )


@dataclass(frozen=True, eq=False)
class MixtureMap(PolynomialMap):
    """The parameters and coordinates of a conditional Gaussian network, or of its normal distributions alone."""

    model: Any
    """A conditional Gaussian network; its coordinates are no formulas, but the program."""
    has_weights: bool = True

    coordinates_are: ClassVar[str] = "weights, means and covariances of the normal distributions"

    @cached_property
    def records(self) -> tuple[Parameter, ...]:
        """What the parameters are; equal ones are one."""
        found = tuple(dict.fromkeys(iterate_parameter_records(self.model)))
        return found if self.has_weights else tuple(one for one in found if one.kind != PROBABILITY)

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        return tuple(map(str, self.records))

    def coordinate_records(self) -> list[CoordinateRecord]:
        """Weights, then means and covariances."""
        return list(iterate_coordinate_records(self.model, has_weights=self.has_weights))

    @property
    def complete(self) -> int:
        """The coordinates that differ, of which the weights sum to 1."""
        return len(set(self.line.outputs)) - (self.has_weights and bool(list_weighted(self.model)))


def list_weighted(model: ConditionalGaussian) -> tuple[str, ...]:
    """The discrete variables of whose joint states there are weights."""
    return () if model.network is None else tuple(one.name for one in model.network.observed)


def list_observed_pairs(model: ConditionalGaussian) -> list[tuple[str, str]]:
    """The pairs of observed Gaussian variables, and each with itself."""
    return list(combinations_with_replacement([one.name for one in model.observed if one.states is None], 2))


def iterate_coordinate_records(model: ConditionalGaussian, *, has_weights: bool) -> Iterator[CoordinateRecord]:
    """What the coordinates are."""
    if has_weights and list_weighted(model):
        for at in iterate_states(model.states, list_weighted(model)):
            yield CoordinateRecord(CELL, states=tuple(at.items()))
    for at in iterate_states(model.states, model.shown_switches):
        given = tuple(at.items())
        yield from (CoordinateRecord(MEAN, (one.name,), given=given) for one in model.observed if one.states is None)
        yield from (CoordinateRecord(COVARIANCE, pair, given=given) for pair in list_observed_pairs(model))


def count_coordinates(model: ConditionalGaussian) -> int:
    """How many coordinates there are."""
    items = sum(one.states is None for one in model.observed)
    weights = prod(model.states[name] for name in list_weighted(model)) if list_weighted(model) else 0
    return weights + prod(model.states[name] for name in model.shown_switches) * (items + items * (items + 1) // 2)


def build_mixture_map(model: ConditionalGaussian, *, has_weights: bool = True) -> MixtureMap:
    """The map of a model.

    >>> from algdim.models.notation import parse
    >>> pmap = build_mixture_map(parse("conditional-gaussian: H -> X; hidden H; states H=2"))
    >>> pmap.parameters
    ('P(H=0)', 'm(X|H=0)', 'm(X|H=1)', 'v(X|H=0)', 'v(X|H=1)')
    >>> pmap.coordinates()
    ['P(H=0)', 'P(H=1)', 'mean(X|H=0)', 'cov(X,X|H=0)', 'mean(X|H=1)', 'cov(X,X|H=1)']
    """
    check_size(model)
    names = MixtureMap(model, StraightLine(0, (), ()), (), has_weights).parameters
    writer = Writer(model, names)
    outputs = [*(writer.iterate_weights() if has_weights else ()), *writer.iterate_laws()]
    line = StraightLine(len(names), tuple(writer.compiler.steps), tuple(outputs))
    return MixtureMap(model, line, bound_node_sizes(line), has_weights)


def check_size(model: ConditionalGaussian) -> None:
    """Refuse what is too large to be written out."""
    joint, count = prod(model.states.values()), count_coordinates(model)
    if joint > MOST_JOINT or count > MOST_COORDINATES:
        raise LimitError(
            f"the discrete variables have {format_integer(joint)} joint states, and there are {format_integer(count)} weights, means "
            f"and covariances; at most {MOST_JOINT} and {MOST_COORDINATES} are allowed; take a smaller model"
        )


class Writer:
    """Writes the coordinates as a program."""

    def __init__(self, model: ConditionalGaussian, names: Sequence[str]) -> None:
        self.model, self.compiler = model, Compiler(names)
        self.fixed = model.values

    def add(self, terms: Sequence[tuple[Fraction | int, int]]) -> int:
        """The node of a sum of nodes with coefficients."""
        found: dict[int, Fraction] = {}
        for coefficient, node in terms:
            found[node] = found.get(node, Fraction(0)) + coefficient
        pairs = sorted((node, value) for node, value in found.items() if value)
        if len(pairs) == 1 and pairs[0][1] == 1:
            return pairs[0][0]
        return self.compiler.node(Step(ADD, tuple(node for node, _ in pairs), tuple(value for _, value in pairs)))

    @property
    def one(self) -> int:
        """The node of the number 1."""
        return self.compiler.node(Step(ONE, ()))

    def get_chance(self, name: str, at: States) -> int:
        """The node of a table's entry; the last state's is 1 less the others."""
        count = self.model.states[name]
        state = at[name]
        listed = [state] if state < count - 1 else range(count - 1)
        nodes = [
            self.compiler.number_of[str(make_table_parameter(self.model, name, at | {name: one}))] for one in listed
        ]
        return nodes[0] if state < count - 1 else self.add([(1, self.one), *((-1, node) for node in nodes)])

    def get_entry(self, entry: Entry, at: States) -> int:
        """The node of an entry."""
        if entry in self.fixed:
            return self.add([(self.fixed[entry], self.one)])
        return self.compiler.number_of[str(make_entry_parameter(self.model, entry, at))]

    def iterate_weights(self) -> Iterator[int]:
        """The weights; hidden states that change no normal distribution are summed out."""
        weighted, states = list_weighted(self.model), self.model.states
        if not weighted:
            return
        rest = [name for name in states if name not in weighted]
        for at in iterate_states(states, weighted):
            yield self.add(
                [
                    (1, self.compiler.multiply_nodes([self.get_chance(name, at | more) for name in states]))
                    for more in iterate_states(states, rest)
                ]
            )

    def multiply(self, one: int, other: int) -> int:
        """The node of a product."""
        return self.compiler.node(Step(MULTIPLY, (min(one, other), max(one, other))))

    def iterate_laws(self) -> Iterator[int]:
        """The means and covariances of the observed Gaussian variables in each joint state."""
        shown = [one.name for one in self.model.observed if one.states is None]
        for at in iterate_states(self.model.states, self.model.shown_switches):
            mean: dict[str, int] = {}
            covariance: dict[frozenset[str], int] = {}
            for name in (one for one in self.model.gaussian if one in self.model.relevant):
                slopes = {
                    parent: self.get_entry(("b", parent, name), at)
                    for parent in self.model.parents[name]
                    if parent not in self.model.states
                }
                for other in mean:
                    terms = [
                        (1, self.multiply(slope, covariance[frozenset((parent, other))]))
                        for parent, slope in slopes.items()
                    ]
                    covariance[frozenset((name, other))] = self.add(terms)
                terms = [
                    (1, self.multiply(slope, covariance[frozenset((parent, name))])) for parent, slope in slopes.items()
                ]
                covariance[frozenset((name,))] = self.add([(1, self.get_entry(("v", name), at)), *terms])
                terms = [(1, self.multiply(slope, mean[parent])) for parent, slope in slopes.items()]
                mean[name] = self.add([(1, self.get_entry(("m", name), at)), *terms])
            yield from (mean[name] for name in shown)
            yield from (covariance[frozenset(pair)] for pair in list_observed_pairs(self.model))
