"""The map of an additive causal interaction model (MH97 §3.2): tables of causes, and cumulants of the effect given the causes.

Cumulants of independent summands add up: κ_n(E | c) = Σ_j κ_n(E.j | c). All of a Poisson variable are its rate; those of
a normal one are mean, variance, 0, 0, …; those of a mixture follow from its moments,

    m_n = Σ_h w_h m_n(h),      κ_n = m_n − Σ_{i<n} C(n−1, i−1) κ_i m_{n−i}.

Coordinates are the entries of the causes' tables, which are coordinates of their observed distribution, and κ_1 … κ_R of
E in every joint state c of the causes. A functional of the latter is given by vectors u on the causes' states, each with
the sum 1, and weights t on the orders: Σ_n t_n Σ_c ∏ u(c) κ_n(c) = Σ_n t_n Σ_j Σ_q u_j(q) κ_n(E.j | q), where q runs over
the joint states of the causes of mechanism j only. So no array is exponential in the number of mechanisms.

Of a maximum the logarithms of distribution functions add up: log P(E ≤ e | c) = Σ_j log P(E.j ≤ e | c). In the place of
cumulants stand numbers that these functions determine (lemma "maxima"; `algdim.families.additive.maxima`). Maxima of mixtures,
or of very many variables, and the n-th largest of several show every parameter by a theorem (lemma "order statistics"); there
the coordinates are the parameters.

Of sums with shared hidden causes the distribution shows, given the observed causes, the probabilities of all joint states of the hidden
ones and the rates, or means and variances, of all effects in these (lemma "shifts" (e)). These are the coordinates, as if all were observed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from math import comb, log2, prod

import numpy as np
from numpy.typing import NDArray

from algdim.errors import LimitError
from algdim.exact.arithmetic import SIZES, Arithmetic, Array, make_size_point
from algdim.exact.tape import FormulaAt, Places, Tape, TapeNode, combine, stack
from algdim.families.additive.maxima import (
    compute_left_tails,
    compute_log_cumulatives,
    count_denominators,
    measure_left_tail,
)
from algdim.families.additive.model import Additive, count_cumulants
from algdim.families.contract import CUMULANT, LEFT_TAIL, LOG_CUMULATIVE, CoordinateRecord
from algdim.families.discrete.functionals import draw_functional_numbers, list_products, split_functionals
from algdim.families.discrete.locals.table import FREE, NamedTable, Numbering, add_states
from algdim.families.discrete.model import Variable
from algdim.figures import format_count, format_integer
from algdim.maps import MEAN, RATE, VARIANCE, Functionals, Parameter, ParameterBlocks
from algdim.memory import OR_PROBES, check_memory
from algdim.models.graphs import compute_span_dimension

MOST_ORDER_OF_MAXIMA = 48
MOST_COORDINATES = 1_000_000
"""Of maxima and mixtures; where there are more, theorems are asked and no rank is taken."""
OR_FEWER = "take fewer causes"
MOST_PARAMETERS = 1_000_000


def list_letters(model: Additive) -> tuple[str, ...]:
    """The parameters of one component: a rate; a mean and a variance."""
    return (RATE,) if model.is_poisson else (MEAN, VARIANCE)


@dataclass(frozen=True, slots=True, eq=False)
class MechanismRows:
    """One mechanism: its effect, the axes of its causes, and for each joint state its parameters by number, weights first.

    ``weights`` has the states of the hidden variable but the last, ``components`` a parameter of each letter for every state.
    """

    effect: int
    axes: tuple[int, ...]
    weights: NDArray[np.intp]
    components: NDArray[np.intp]

    @property
    def count(self) -> int:
        """The number of joint states of the causes."""
        return int(self.weights.shape[0])


def shows_parameters(model: Additive) -> bool:
    """Whether the coordinates are the parameters (lemma "order statistics"), because there are no rational ones or too many."""
    if not model.is_order_statistic or model.place > 1 or model.hidden:
        return model.is_order_statistic
    order, cells = (
        len(list_letters(model)) * len(model.mechanisms),
        prod(one.states for one in model.coordinate_variables),
    )
    return order > MOST_ORDER_OF_MAXIMA or order * cells > MOST_COORDINATES


def make_coordinate(entry: Parameter) -> CoordinateRecord:
    """A parameter as a coordinate."""
    given = tuple((name, state) for name, state in entry.given if state is not None)
    if not entry.states:
        return CoordinateRecord(entry.kind, entry.owners, given=given)
    return CoordinateRecord(entry.kind, (), tuple(zip(entry.owners, entry.states, strict=True)), given)


@dataclass(frozen=True, eq=False)
class AdditiveMap:
    """Parameters and coordinates of an additive model."""

    model: Additive
    parameters: tuple[str, ...]
    tables: int
    """This many parameters, the first ones, are entries of the causes' tables."""
    sizes: tuple[int, ...]
    """The numbers of states of the causes."""
    rows: tuple[MechanismRows, ...]
    blocks: ParameterBlocks
    """What makes the records of the parameters."""

    @property
    def parameter_count(self) -> int:
        return len(self.parameters)

    @cached_property
    def records(self) -> tuple[Parameter, ...]:
        return self.blocks.records

    @property
    def coordinates_are(self) -> str:
        """What they are called."""
        if self.shows_parameters:
            return f"entries of the causes' tables and {self.numbers_are}"
        return f"entries of the causes' tables and {self.numbers_are} of the {'effects' if len(self.model.effects) > 1 else 'effect'}"

    @property
    def shows_parameters(self) -> bool:
        """Whether every parameter is identifiable by a theorem; then the parameters are the coordinates."""
        return shows_parameters(self.model)

    @property
    def plain(self) -> int:
        """How many parameters are coordinates themselves, the first ones."""
        return len(self.parameters) if self.shows_parameters else self.tables

    @property
    def shown_sizes(self) -> tuple[int, ...]:
        """The numbers of states of the causes in whose states further numbers are taken."""
        return () if self.shows_parameters else self.sizes

    @property
    def numbers_are(self) -> str:
        """What is taken of the effect given the causes."""
        if self.shows_parameters:
            return "the numbers of the mechanisms"
        if self.model.is_shared:
            return "rates" if self.model.is_poisson else "means and variances"
        if not self.model.is_order_statistic:
            return "cumulants"
        return "logarithms of the distribution function" if self.model.is_poisson else "coefficients of the left tail"

    @property
    def is_polynomial(self) -> bool:
        """Logarithms are not, and their derivatives are rational."""
        return self.shows_parameters or not (self.model.is_order_statistic and self.model.is_poisson)

    @property
    def shifts(self) -> int:
        """How many independent functions of single mechanisms' causes sum to zero; of what is ordered nothing can be shifted."""
        if self.model.is_order_statistic:
            return 0
        ranks = (
            compute_design_rank([row.axes for row in self.rows if row.effect == effect], self.sizes)
            for effect in range(len(self.model.effects))
        )
        return sum(row.count for row in self.rows) - sum(ranks)

    @property
    def redundant_shifts(self) -> int:
        """The dimension of the translations of the parameters that leave every sum as it is."""
        return len(list_letters(self.model)) * self.shifts

    @cached_property
    def order(self) -> int:
        """The order of the cumulants: 1 for rates, 2 for means and variances; with mixtures as many as can show all parameters.

        Of a maximum as many numbers are taken as there are parameters in one state of the causes.
        """
        letters = len(list_letters(self.model))
        if self.shows_parameters:
            return 0
        if self.model.is_order_statistic:
            return letters * len(self.rows)
        return count_cumulants(self.model) if self.is_mixed else letters

    @property
    def is_mixed(self) -> bool:
        """Whether some mechanism is a mixture; then the cumulants up to an order are not the whole distribution."""
        return any(row.components.shape[1] > 1 for row in self.rows)

    @property
    def is_partial(self) -> bool:
        """Whether the numbers that are taken of the effect are not its whole distribution."""
        return self.is_mixed or self.model.is_order_statistic or self.model.is_shared

    @property
    def numbers(self) -> int:
        """How many numbers are taken in each state of the causes: of all effects, one after the other."""
        return self.order * len(self.model.effects)

    @property
    def configurations(self) -> int:
        """The number of joint states of the causes."""
        return prod(self.sizes)

    @property
    def coordinate_count(self) -> int:
        return self.plain + self.numbers * self.configurations

    @property
    def complete(self) -> int:
        """The causes saturated, and every cumulant up to the order free in each of their joint states; of parameters all."""
        if self.shows_parameters:
            return self.parameter_count
        return self.configurations - 1 + self.numbers * self.configurations

    @property
    def kept_coordinates(self) -> NDArray[np.intp] | None:
        """What is taken, where it is not the whole distribution."""
        if not self.is_partial:
            return None
        check_memory(
            8 * self.coordinate_count, None, f"there are {format_count(self.coordinate_count, 'coordinate')}", OR_FEWER
        )
        return np.arange(self.coordinate_count)

    @property
    def functional_degree(self) -> int:
        """One vector on the states of each cause, and the weights of the orders (lemma "cumulant sizes" (c))."""
        return len(self.shown_sizes) + 1

    def coordinates(self) -> list[str]:
        return list(map(str, self.coordinate_records()))

    def coordinate_records(self) -> list[CoordinateRecord]:
        """The entries of the causes' tables, then for each of their cells the cumulants of the effect."""
        if self.shows_parameters:
            return [*map(make_coordinate, self.records)]
        names = [variable.name for variable in self.model.coordinate_variables]
        cells = [tuple(zip(names, cell, strict=True)) for cell in product(*(range(size) for size in self.sizes))]
        kinds = [f"{CUMULANT}{order}" for order in range(1, self.order + 1)]
        if self.model.is_order_statistic:
            first, letter = (0, LOG_CUMULATIVE) if self.model.is_poisson else (1, LEFT_TAIL)
            kinds = [f"{letter}{order}" for order in range(first, first + self.order)]
        if self.model.is_shared:
            kinds = [*list_letters(self.model)]
        effects = [(effect,) for effect in self.model.effects]
        cumulants = [CoordinateRecord(kind, one, given=cell) for cell in cells for one in effects for kind in kinds]
        return [*map(make_coordinate, self.records[: self.tables]), *cumulants]

    def denominators(self) -> list[int]:
        return []

    @cached_property
    def size(self) -> tuple[int, float]:
        """Of a sum of as many mechanisms as there are, each as one row of the largest mixture."""
        if self.shows_parameters:
            return 1, 0.0
        if self.model.is_order_statistic:
            degree, log_size = (
                count_denominators(self.order) if self.model.is_poisson else measure_left_tail(self.order)
            )
            count = sum(row.count for row in self.rows)
            return (count * degree + 1, count * log_size) if self.model.is_poisson else (degree, log_size + log2(count))
        if not self.is_mixed:
            return 1, log2(len(self.rows))
        row = max(self.rows, key=lambda row: row.components.shape[1])
        row = replace(row, weights=row.weights[:1], components=row.components[:1])
        cumulants = compute_mechanism_coordinates(
            self, row, Tape(SIZES, make_size_point(len(self.parameters)))
        ).value.ravel()
        return max(one.degree for one in cumulants), log2(len(self.rows) * max(one.norm for one in cumulants))

    def degree_and_log_size(self) -> tuple[int, float]:
        """δ and log₂ H (lemmas "cumulant sizes" and "maxima" in proofs/lemmas.md); 1 and 0 of parameters themselves."""
        return self.size

    def share_with_value(self, choices: int) -> float:
        """At least this share of the points, each coordinate uniform among this many values, make no denominator zero."""
        return 1.0 if self.is_polynomial else max(0.0, 1 - self.size[0] / choices)


def build_additive_map(model: Additive) -> AdditiveMap:
    """The map of a model.

    >>> from algdim.models.notation import parse
    >>> build_additive_map(parse("poisson: {A},{B} -> E")).parameters
    ('P(A=0)', 'P(B=0)', 'l(E.1|A=0)', 'l(E.1|A=1)', 'l(E.2|B=0)', 'l(E.2|B=1)')
    """
    states, seen = model.network.states, model.coordinate_variables
    count = bound_parameter_count(model)
    if count > MOST_PARAMETERS:
        raise LimitError(
            f"the model has about {format_integer(count)} parameters; at most {format_integer(MOST_PARAMETERS)} are allowed"
        )
    numbering = Numbering()
    for variable in seen:
        numbering.cells(build_named_table(variable, states))
    tables = numbering.count
    causes = [(model.causes(number), model.mixture(number)) for number in range(len(model.mechanisms))]
    rows = tuple(
        build_mechanism_rows(model, (name, owner, *parents), numbering)
        for name, owner, parents in zip(model.names, model.owners, causes, strict=True)
    )
    sizes, blocks = tuple(variable.states for variable in seen), ParameterBlocks(numbering.blocks)
    return AdditiveMap(model, blocks.texts, tables, sizes, rows, blocks)


def bound_parameter_count(model: Additive) -> int:
    """An upper bound for the number of parameters, from sizes alone."""
    states, letters = model.network.states, list_letters(model)
    of_mechanisms = sum(prod(states[name] for name in parents) * len(letters) for parents in model.mechanisms)
    return of_mechanisms + sum(v.states * prod(states[parent] for parent in v.parents) for v in model.network.variables)


def make_component(letter: str, variable: str, causes: Sequence[str], at: Mapping[str, int]) -> Parameter:
    """A parameter of a mechanism variable where its causes are in these states.

    >>> print(make_component("l", "E.1", ["A"], {"A": 1}))
    l(E.1|A=1)
    """
    return Parameter(letter, (variable,), given=tuple((name, at[name]) for name in causes))


@dataclass(frozen=True, slots=True)
class Components:
    """The numbers of a mechanism variable given its causes, and the hidden variable inside, row by row."""

    variable: str
    letters: tuple[str, ...]
    parents: tuple[str, ...]
    sizes: tuple[int, ...]

    def __iter__(self) -> Iterator[Parameter]:
        """One after the other."""
        for row in product(*map(range, self.sizes)):
            given, owners = tuple(zip(self.parents, row, strict=True)), (self.variable,)
            yield from (Parameter(letter, owners, given=given) for letter in self.letters)


def build_mechanism_rows(
    model: Additive, mechanism: tuple[str, int, tuple[str, ...], str | None], numbering: Numbering
) -> MechanismRows:
    """The rows of a mechanism, given its variable, effect, causes and what makes it a mixture; its parameters get their numbers.

    First come the weights of a mixture, if there is one inside, then the numbers of its components, row by row.
    """
    states, letters = model.network.states, list_letters(model)
    own, effect, causes, inside = mechanism
    shape = tuple(states[name] for name in causes)
    count, components = prod(shape), states[inside] if inside else 1
    weights = np.zeros((count, components - 1), dtype=np.intp)
    if inside is not None:
        hidden = next(variable for variable in model.network.variables if variable.name == inside)
        start = numbering.cells(build_named_table(hidden, states))
        cells = np.indices(shape).reshape(len(shape), count)
        place = np.zeros(count, dtype=np.intp)
        for parent in hidden.parents:
            place = place * states[parent] + cells[causes.index(parent)]
        weights = start + place[:, None] * (components - 1) + np.arange(components - 1)
    parents, sizes = ((*causes, inside), (*shape, components)) if inside else (causes, shape)
    first = numbering.extend(Components(own, letters, parents, sizes), prod(sizes) * len(letters))
    component = first + np.arange(count * components * len(letters)).reshape(count, components, len(letters))
    axis = {variable.name: place for place, variable in enumerate(model.coordinate_variables)}
    return MechanismRows(effect, tuple(axis[name] for name in causes), weights, component)


def build_named_table(variable: Variable, states: Mapping[str, int]) -> NamedTable:
    """The free table of a cause or of a hidden variable inside a mechanism."""
    return NamedTable(variable.name, variable.states, add_states(variable.parents, states), FREE)


def compute_design_rank(sets: Sequence[tuple[int, ...]], sizes: Sequence[int]) -> int:
    """The rank of the design matrix: the dimension of the sums of functions of these sets of axes.

    >>> compute_design_rank([(0,), (1,)], (2, 3)), compute_design_rank([(0, 1), (1, 2)], (2, 2, 2))
    (4, 6)
    """
    return compute_span_dimension(sets, dict(enumerate(sizes)))


def list_unit_vectors(pmap: AdditiveMap, bounds: Sequence[int], advice: str) -> Functionals:
    """The coordinates themselves in the form of products: one array for the entries, each cause and the orders."""

    def make_vectors(arithmetic: Arithmetic, start: int, stop: int) -> list[Array]:
        numbers = np.arange(start, stop)
        cells, orders = np.divmod(np.maximum(0, numbers - pmap.plain), max(1, pmap.numbers))
        found = np.zeros((stop - start, bounds[-1]), dtype=np.int64)
        for first, states in zip(
            bounds[1:], np.unravel_index(cells, pmap.shown_sizes) if pmap.shown_sizes else (), strict=False
        ):
            found[np.arange(stop - start), first + states] = 1
        is_entry = numbers < pmap.plain
        found[np.arange(stop - start), np.where(is_entry, numbers, bounds[-2] + orders)] = 1
        return split_functionals(arithmetic, found, bounds)

    return Functionals(pmap.coordinate_count, make_vectors, advice)


@dataclass(frozen=True, slots=True, eq=False)
class AdditiveEvaluator:
    """An additive map that is ready to be evaluated."""

    pmap: AdditiveMap

    @property
    def bounds(self) -> tuple[int, ...]:
        """Where the parts of a functional begin."""
        return tuple(np.cumsum([0, self.pmap.plain, *self.pmap.shown_sizes, self.pmap.numbers]).tolist())

    @property
    def numbers_per_functional(self) -> int:
        return self.bounds[-1] + 6 * self.pmap.order * sum(row.count for row in self.pmap.rows)

    @property
    def largest(self) -> int:
        return max(1, self.pmap.order) * max(row.count for row in self.pmap.rows)

    def all_coordinates(self, max_memory: int | None = None, advice: str = OR_PROBES) -> Functionals:
        count = self.pmap.coordinate_count
        check_memory(count * 8, max_memory, f"there are {format_count(count, 'coordinate')}", advice)
        return list_unit_vectors(self.pmap, self.bounds, advice)

    def random_functionals(self, count: int, prime: int, seed: int | str, *labels: int | str) -> Functionals:
        """Random functionals; the vector of each cause has the sum 1."""
        numbers = draw_functional_numbers(self.bounds[-1], count, prime, seed, *labels)
        for start, stop in zip(self.bounds[1:-2], self.bounds[2:-1], strict=True):
            numbers[:, stop - 1] = (1 - numbers[:, start : stop - 1].sum(axis=1)) % prime
        return list_products(self.bounds, numbers)

    def at(self, arithmetic: Arithmetic, point: Array) -> FormulaAt:
        tape, tables = Tape(arithmetic, point), Places(np.arange(self.pmap.plain))
        rows = () if self.pmap.shows_parameters else self.pmap.rows
        found = [(row, compute_mechanism_coordinates(self.pmap, row, tape)) for row in rows]

        def write(vectors: Sequence[Array]) -> TapeNode:
            entries, *causes, orders = vectors
            terms = [(tape.point[tables] * tape.constant(entries)).total()] if self.pmap.plain else []
            for row, cumulants in found:
                first = row.effect * self.pmap.order
                weights = orders[first : first + cumulants.shape[0], None]
                for axis in row.axes:
                    weights = arithmetic.multiply(weights[:, :, None], causes[axis][None, None])
                    weights = weights.reshape(len(weights), -1, weights.shape[-1])
                terms.append((cumulants * tape.constant(weights)).total())
            return combine([(1, term) for term in terms])

        return FormulaAt(tape, write)


def compute_mechanism_coordinates(pmap: AdditiveMap, row: MechanismRows, tape: Tape) -> TapeNode:
    """What one mechanism adds to the coordinates, orders × joint states of its causes.

    Of a sum its cumulants; those above the last order are zero. Of a maximum the logarithms of its distribution function, or numbers of
    its left tail.
    """
    is_normal, hidden = not pmap.model.is_poisson, row.weights.shape[1]

    def take_components(own: Tape, numbers: NDArray[np.intp]) -> list[TapeNode]:
        """Components × joint states of each letter."""
        return [own.point[Places(letter.T)] for letter in np.moveaxis(numbers.reshape(row.components.shape), 2, 0)]

    def write(own: Tape, numbers: NDArray[np.intp]) -> TapeNode:
        weights = own.point[Places(numbers[:, :hidden].T)].complete()
        compute_moments = compute_normal_moments if is_normal else compute_poisson_moments
        moments = compute_moments(take_components(own, numbers[:, hidden:]), pmap.order)
        return stack(derive_cumulants([(weights * moment).add_rows() for moment in moments]))

    if hidden:
        return tape.apply_to_rows(np.concatenate([row.weights, row.components.reshape(row.count, -1)], axis=1), write)
    letters = [letter.add_rows() for letter in take_components(tape, row.components)]
    if pmap.model.is_order_statistic:
        return compute_left_tails(letters, pmap.order) if is_normal else compute_log_cumulatives(letters[0], pmap.order)
    return stack(letters if is_normal else letters * pmap.order)


def derive_cumulants(moments: Sequence[TapeNode]) -> list[TapeNode]:
    """The cumulants from the moments, both from the first on."""
    found: list[TapeNode] = []
    for n, moment in enumerate(moments, 1):
        products = ((-comb(n - 1, i - 1), found[i - 1] * moments[n - i - 1]) for i in range(1, n))
        found.append(combine([(1, moment), *products]))
    return found


def compute_normal_moments(numbers: Sequence[TapeNode], order: int) -> list[TapeNode]:
    """The moments of a normal variable from the first on: m_n = μ m_{n−1} + (n − 1) v m_{n−2}."""
    mean, variance = numbers
    found = [mean, mean * mean + variance]
    for n in range(3, order + 1):
        found.append(combine([(1, mean * found[-1]), (n - 1, variance * found[-2])]))
    return found


def compute_poisson_moments(numbers: Sequence[TapeNode], order: int) -> list[TapeNode]:
    """The moments of a Poisson variable from the first on: m_n = λ (1 + Σ C(n−1, i) m_i)."""
    (rate,) = numbers
    found = [rate]
    for n in range(2, order + 1):
        found.append(rate * combine([(comb(n - 1, i), found[i - 1]) for i in range(1, n)]) + rate)
    return found


def make_additive_evaluator(pmap: AdditiveMap) -> AdditiveEvaluator:
    """Make a map ready."""
    return AdditiveEvaluator(pmap)
