"""Exact members of a model: its coordinates and their derivatives by the parameters at a random point modulo a prime.

Nothing is taken from algdim but the record of a model and what it calls its parameters. A network is a sum over all joint
states; an entry of a table is a *class* (what is shared or has a name is one class), the classes obey one linear equation
per row, and a parameter is a function on what these leave free. Gaussian models are matrices, formulas dual numbers.
Primes have 31 bits and come with the points from the referee's own source of chance, never from the seed of the program.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, combinations, product
from typing import Any

import numpy as np
from flint import nmod_mat
from numpy.typing import NDArray

from algdim.families.discrete.model import Network
from algdim.families.gaussian.model import Gaussian
from algdim.models.anymodel import convert_model_to_dictionary
from hunting.formulas import Slope, point_of, slope_of

Matrix = NDArray[np.int64]

MOST_TRIES = 30


class UnknownError(Exception):
    """The referee cannot judge this model."""


@dataclass(frozen=True, eq=False)
class Member:
    """A point: the parameters by name, the coordinates by name, and a row of derivatives for each coordinate."""

    prime: int
    values: dict[str, int]
    coordinates: dict[str, int]
    jacobian: Matrix
    axes: tuple[tuple[str, int], ...] = ()
    """Of tables: the observed variables with their states; the coordinates are the cells, the first variable slowest."""

    @property
    def names(self) -> tuple[str, ...]:
        """The parameters."""
        return tuple(self.values)

    @property
    def table(self) -> Matrix:
        """The observed table."""
        cells = np.array(list(self.coordinates.values()), dtype=np.int64)
        return cells.reshape([states for _, states in self.axes])

    def slopes(self) -> dict[str, Slope]:
        """The parameters, each with the slope 1 by itself."""
        return point_of(self.values, self.prime)


def random_prime(source: random.Random) -> int:
    """A prime between 2^30 and 2^31."""
    while True:
        candidate = source.randrange(1 << 30, 1 << 31) | 1
        if all(pow(base, candidate - 1, candidate) == 1 for base in (2, 3, 5, 7, 11)) and is_prime(candidate):
            return candidate


def is_prime(number: int) -> bool:
    """By the strong test with bases that decide it below 2^32."""
    odd, twos = number - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for base in (2, 7, 61):
        power = pow(base, odd, number)
        if power in (1, number - 1):
            continue
        for _ in range(twos - 1):
            power = power * power % number
            if power == number - 1:
                break
        else:
            return False
    return True


def residue(value: Any, prime: int) -> int:
    """A number modulo the prime."""
    exact = Fraction(value)
    return exact.numerator * pow(exact.denominator, -1, prime) % prime


def modular(rows: Any, prime: int, width: int | None = None) -> nmod_mat:
    """A matrix for flint."""
    listed = [[int(value) for value in row] for row in rows]
    wide = len(listed[0]) if listed else width or 0
    return nmod_mat(len(listed), wide, [value % prime for row in listed for value in row], prime)


def plain(matrix: nmod_mat) -> Matrix:
    """A matrix of flint as an array."""
    return np.array([int(value) for value in matrix.entries()], dtype=np.int64).reshape(matrix.nrows(), matrix.ncols())


def rank_of(rows: Matrix, prime: int) -> int:
    """The rank modulo the prime."""
    return int(modular(rows.tolist(), prime).rank()) if rows.size else 0


def kernel_of(rows: Matrix, prime: int) -> Matrix:
    """A basis of the vectors that the matrix takes to 0, in rows, in reduced form."""
    width = rows.shape[1]
    if not rows.size:
        return np.eye(width, dtype=np.int64)
    form, rank = modular(rows.tolist(), prime).rref()
    reduced = plain(form)[:rank]
    pivots = [int(np.flatnonzero(row)[0]) for row in reduced]
    free = [column for column in range(width) if column not in set(pivots)]
    found = np.zeros((len(free), width), dtype=np.int64)
    for number, column in enumerate(free):
        found[number, column] = 1
        found[number, pivots] = -reduced[:, column] % prime
    return found


def times(left: Matrix, right: Matrix, prime: int) -> Matrix:
    """The product of two matrices modulo the prime."""
    if not left.size or not right.size:
        return np.zeros((left.shape[0], right.shape[1]), dtype=np.int64)
    return plain(modular(left.tolist(), prime) * modular(right.tolist(), prime))


def member_of(
    model: Any,
    names: Sequence[str],
    source: random.Random,
    prime: int | None = None,
    at: Mapping[str, Fraction] | None = None,
) -> Member:
    """A random member of a model, or the one at given parameters; `UnknownError` if the referee cannot make one."""
    for _ in range(MOST_TRIES):
        chosen = prime or random_prime(source)
        try:
            if isinstance(model, Network):
                return network_member(model, names, source, chosen, at)
            return FAMILIES[model.family](model, names, source, chosen, at)
        except ZeroDivisionError:
            if at is not None and prime is not None:
                raise
        except KeyError as error:
            raise UnknownError(f"{model.family}: {error}") from None
    raise UnknownError("no point with a value was found")


# Networks


@dataclass(frozen=True, slots=True)
class Unknowns:
    """The raw unknowns of a network: classes of entries and weights, and one equation per row of a table."""

    numbers: dict[Any, int]
    equations: list[tuple[dict[int, int], Fraction]]


def owner(variable: Any) -> str:
    """What a variable's parameters are named after."""
    share: str | None = variable.local.share
    return variable.name if share is None else share


def parents_text(variable: Any, row: Sequence[int], prefix: str = "") -> str:
    """The condition in the name of an entry."""
    shared = getattr(variable.local, "share", None) is not None
    names = [f"pa{n}" for n in range(1, len(row) + 1)] if shared else variable.parents
    given = ",".join(f"{name}={state}" for name, state in zip(names, row, strict=True))
    return f"{prefix}{'|' if given else ''}{given}"


def class_of(variable: Any, row: tuple[int, ...], state: int, prefix: str = "") -> Any:
    """A fixed number, or the name of the class of an entry of a table, which is the name of its parameter."""
    for cell, value in variable.local.fixed:
        if cell == (row, state):
            return Fraction(value)
    for cell, label in variable.local.equal:
        if cell == (row, state):
            return str(label)
    return f"{prefix}P({parents_text(variable, row, f'{owner(variable)}={state}')})"


def outcome(local: Any, row: Sequence[int]) -> int:
    """The state of a function of the parents."""
    if local.kind == "max":
        return max(row)
    if local.kind == "sum":
        return sum(row)
    if local.kind == "parity":
        return sum(row) % 2
    if local.kind == "at-least":
        return int(sum(row) >= local.n)
    raise UnknownError(f"functions of the kind {local.kind}")


def rows_of(parents: Sequence[str], states: Mapping[str, int]) -> list[tuple[int, ...]]:
    """The joint states of the parents."""
    return list(product(*(range(states[parent]) for parent in parents)))


def weights_of(variable: Any, states: Mapping[str, int]) -> list[tuple[str, int | None]]:
    """The weights of a sigmoid variable: the name, and the place of the parent (None for the constant)."""
    found: list[tuple[str, int | None]] = [(f"A({owner(variable)})", None)]
    for place, parent in enumerate(variable.parents):
        if states[parent] > 1:
            name = f"pa{place + 1}" if variable.local.share is not None else parent
            found.append((f"B({owner(variable)}|{name})", place))
    return found


def unknowns_of(model: Network) -> Unknowns:
    """Number the unknowns, and write down that rows sum to 1."""
    numbers: dict[Any, int] = {}
    equations: list[tuple[dict[int, int], Fraction]] = []

    def table(variable: Any, states: Mapping[str, int], prefix: str = "") -> None:
        for row in rows_of(variable.parents, states):
            counts: dict[int, int] = {}
            left = Fraction(1)
            for state in range(variable.states):
                entry = class_of(variable, row, state, prefix)
                if isinstance(entry, Fraction):
                    left -= entry
                else:
                    number = numbers.setdefault(entry, len(numbers))
                    counts[number] = counts.get(number, 0) + 1
            if counts:
                equations.append((counts, left))

    for variable in model.variables:
        if variable.name in model.given:
            continue
        if variable.local.kind == "table":
            table(variable, model.states)
        elif variable.local.kind == "sigmoid":
            for name, _ in weights_of(variable, model.states):
                numbers.setdefault(name, len(numbers))
        elif variable.local.kind == "classifier":
            inner = variable.local.classifier.network  # type: ignore[attr-defined]
            for one in inner.variables:
                table(one, inner.states, f"{variable.name}:")
    return Unknowns(numbers, equations)


def solved(
    unknowns: Unknowns, names: Sequence[str], source: random.Random, prime: int, at: Mapping[str, Fraction] | None
) -> tuple[Matrix, Matrix, Matrix]:
    """A solution of the equations, a basis of the directions, and what takes directions to changes of the parameters."""
    width = len(unknowns.numbers)
    matrix = np.zeros((len(unknowns.equations), width + 1), dtype=np.int64)
    for number, (counts, total) in enumerate(unknowns.equations):
        for place, count in counts.items():
            matrix[number, place] = count
        matrix[number, width] = residue(-total, prime)
    basis = kernel_of(matrix, prime)
    # the last unknown is 1 in a solution, 0 in a direction; in reduced form one vector has it
    special = next((row for row in basis if row[width]), None)
    if special is None:
        raise UnknownError("the rows of the tables contradict each other")
    start = special[:width] * pow(int(special[width]), -1, prime) % prime
    directions = basis[basis[:, width] == 0, :width]
    places = [unknowns.numbers[name] for name in names]
    changes = directions[:, places]
    if changes.shape[0] != changes.shape[1] or rank_of(changes, prime) != len(names):
        raise UnknownError("the parameters are no coordinates of the tables")
    if not names:
        return start, directions, changes
    inverse = plain(modular(changes.tolist(), prime).inv())
    chart = times(inverse, directions, prime)
    wanted = [source.randrange(1, prime) if at is None else residue(at[name], prime) for name in names]
    moved = np.array([(value - int(start[place])) % prime for value, place in zip(wanted, places, strict=True)])
    point = (start + times(moved.reshape(1, -1), chart, prime)[0]) % prime
    return point, chart, changes


Entry = tuple[int, dict[int, int]]
"""A number and its derivatives by the unknowns."""


def entries_of(
    variable: Any, model: Network, unknowns: Unknowns, point: Matrix, prime: int
) -> dict[tuple[tuple[int, ...], int], Entry]:
    """All entries of the table of a variable."""
    states, numbers = model.states, unknowns.numbers
    found: dict[tuple[tuple[int, ...], int], Entry] = {}
    kind = variable.local.kind
    for row in rows_of(variable.parents, states):
        if kind == "table":
            for state in range(variable.states):
                entry = class_of(variable, row, state)
                found[row, state] = (
                    (residue(entry, prime), {})
                    if isinstance(entry, Fraction)
                    else (int(point[numbers[entry]]), {numbers[entry]: 1})
                )
        elif kind == "sigmoid":
            # an unknown is e to the power of the weight; the derivative is by the weight
            times_of = {
                numbers[name]: 1 if place is None else row[place] for name, place in weights_of(variable, states)
            }
            odds = 1
            for number, power in times_of.items():
                odds = odds * pow(int(point[number]), power, prime) % prime
            if (1 + odds) % prime == 0:
                raise ZeroDivisionError
            one = odds * pow(1 + odds, -1, prime) % prime
            slope = one * (1 - one) % prime
            for state in (0, 1):
                sign = 1 if state else -1
                found[row, state] = (
                    (one if state else (1 - one) % prime),
                    {number: sign * slope * power % prime for number, power in times_of.items() if power},
                )
        elif kind == "classifier":
            found.update(posterior(variable, row, unknowns, point, prime))
        else:
            seen = outcome(variable.local, row)
            found.update({(row, state): (int(state == seen), {}) for state in range(variable.states)})
    return found


def posterior(
    variable: Any, row: tuple[int, ...], unknowns: Unknowns, point: Matrix, prime: int
) -> dict[tuple[tuple[int, ...], int], Entry]:
    """Bayes' rule in a classifier inside a network."""
    inner, count = variable.local.classifier.network, len(unknowns.numbers)
    joint = []
    for state in range(variable.states):
        at = {**dict(zip(variable.parents, row, strict=True)), variable.name: state}
        total = Slope(1, np.zeros(count, dtype=np.int64), prime)
        for one in inner.variables:
            entry = class_of(one, tuple(at[p] for p in one.parents), at[one.name], f"{variable.name}:")
            slopes = np.zeros(count, dtype=np.int64)
            if isinstance(entry, Fraction):
                total = total * Slope(residue(entry, prime), slopes, prime)
            else:
                slopes[unknowns.numbers[entry]] = 1
                total = total * Slope(int(point[unknowns.numbers[entry]]), slopes, prime)
        joint.append(total)
    whole = joint[0]
    for more in joint[1:]:
        whole = whole + more
    found = {}
    for state, one in enumerate(joint):
        share = one * whole.inverse()
        found[row, state] = share.value, {int(n): int(share.slopes[n]) for n in np.flatnonzero(share.slopes)}
    return found


def network_member(
    model: Network, names: Sequence[str], source: random.Random, prime: int, at: Mapping[str, Fraction] | None
) -> Member:
    """The observed table of a network, by all joint states at once."""
    unknowns = unknowns_of(model)
    if at is not None and any(v.local.kind == "sigmoid" for v in model.variables):
        raise UnknownError("weights of sigmoid variables are logarithms here")
    point, chart, _ = solved(unknowns, names, source, prime, at)
    order = [variable.name for variable in model.variables]
    sizes = [variable.states for variable in model.variables]
    grid = np.indices(sizes).reshape(len(sizes), -1)
    axes = tuple((v.name, v.states) for v in model.variables if v.observed)
    cell = np.zeros(grid.shape[1], dtype=np.int64)
    for name, states in axes:
        cell = cell * states + grid[order.index(name)]
    cells = int(np.prod([states for _, states in axes], dtype=np.int64))
    used = [variable for variable in model.variables if variable.name not in model.given]
    places, lists = [], []
    for variable in used:
        entries = entries_of(variable, model, unknowns, point, prime)
        number = np.zeros(grid.shape[1], dtype=np.int64)
        for parent in variable.parents:
            number = number * model.states[parent] + grid[order.index(parent)]
        places.append(number * variable.states + grid[order.index(variable.name)])
        lists.append(list(entries.values()))
    factors = [
        np.array([value for value, _ in one], dtype=np.int64)[at_] for one, at_ in zip(lists, places, strict=True)
    ]
    before = [np.ones(grid.shape[1], dtype=np.int64)]
    for factor in factors:
        before.append(before[-1] * factor % prime)
    after = np.ones(grid.shape[1], dtype=np.int64)
    raw = np.zeros((cells, len(unknowns.numbers)), dtype=np.int64)
    for number in range(len(used) - 1, -1, -1):
        others = before[number] * after % prime
        share = np.zeros((cells, len(lists[number])), dtype=np.int64)
        np.add.at(share, (cell, places[number]), others)
        share %= prime
        for entry, (_, slopes) in enumerate(lists[number]):
            for unknown, slope in slopes.items():
                raw[:, unknown] = (raw[:, unknown] + share[:, entry] * slope) % prime
        after = after * factors[number] % prime
    values = np.zeros(cells, dtype=np.int64)
    np.add.at(values, cell, before[-1])
    jacobian = times(raw, chart.T.copy(), prime)
    given = set(model.given)
    labels = [cell_name(axes, states, given) for states in product(*(range(size) for _, size in axes))]
    return Member(
        prime,
        {name: int(point[unknowns.numbers[name]]) for name in names},
        dict(zip(labels, (values % prime).tolist(), strict=True)),
        jacobian,
        axes,
    )


def cell_name(axes: Sequence[tuple[str, int]], states: Sequence[int], given: set[str]) -> str:
    """What a cell is called."""
    pairs = [(name, state) for (name, _), state in zip(axes, states, strict=True)]
    head = ",".join(f"{name}={state}" for name, state in pairs if name not in given)
    tail = ",".join(f"{name}={state}" for name, state in pairs if name in given)
    return f"P({head}{'|' if tail else ''}{tail})"


# Classifiers, log-linear models


def classifier_member(
    model: Any, names: Sequence[str], source: random.Random, prime: int, at: Mapping[str, Fraction] | None
) -> Member:
    """Log-odds λ(y|x) = log p(y|x)/p(0|x) by the joint table: given are the odds, and the derivatives of their logarithms."""
    inner = network_member(model.network, names, source, prime, at)
    table, place = inner.table, [name for name, _ in inner.axes].index(model.label)
    slopes = inner.jacobian.reshape(*table.shape, len(names))
    table, slopes = np.moveaxis(table, place, 0), np.moveaxis(slopes, place, 0)
    inputs = [one for one in inner.axes if one[0] != model.label]
    values: dict[str, int] = {}
    rows = []
    for states in product(*(range(size) for _, size in inputs)):
        inverses = [
            pow(int(table[(y, *states)]), -1, prime) if table[(y, *states)] else 0 for y in range(table.shape[0])
        ]
        if not all(inverses):
            raise ZeroDivisionError
        text = ",".join(f"{name}={state}" for (name, _), state in zip(inputs, states, strict=True))
        for y in range(1, table.shape[0]):
            values[f"λ({model.label}={y}{'|' if text else ''}{text})"] = int(table[(y, *states)]) * inverses[0] % prime
            rows.append((slopes[(y, *states)] * inverses[y] - slopes[(0, *states)] * inverses[0] % prime) % prime)
    jacobian = np.array(rows, dtype=np.int64).reshape(len(values), len(names))
    return Member(prime, inner.values, values, jacobian)


def loglinear_member(
    model: Any, names: Sequence[str], source: random.Random, prime: int, at: Mapping[str, Fraction] | None
) -> Member:
    """Products of effects, normalised."""
    order = [variable.name for variable in model.variables]
    states = {variable.name: variable.states for variable in model.variables}
    sets = {frozenset(one) for one in model.interactions}
    if model.hierarchical:
        sets = {
            frozenset(s) for i in sets for s in chain.from_iterable(combinations(i, k) for k in range(1, len(i) + 1))
        }
    effects: dict[str, tuple[tuple[str, int], ...]] = {}
    for members in sets:
        ordered = sorted(members, key=order.index)
        for cell in product(*(range(1, states[name]) for name in ordered)):
            pairs = tuple(zip(ordered, cell, strict=True))
            effects[f"t({','.join(f'{name}={state}' for name, state in pairs)})"] = pairs
    if set(effects) != set(names):
        raise UnknownError("the effects have other names")
    values = {name: source.randrange(1, prime) if at is None else residue(at[name], prime) for name in names}
    inverses = [pow(value, -1, prime) if value else 0 for value in values.values()]
    if not all(inverses):
        raise ZeroDivisionError
    axes = tuple((v.name, v.states) for v in model.variables if v.observed)
    cells = dict.fromkeys(product(*(range(size) for _, size in axes)), 0)
    slopes = {cell: np.zeros(len(names), dtype=np.int64) for cell in cells}
    for joint in product(*(range(variable.states) for variable in model.variables)):
        where = dict(zip(order, joint, strict=True))
        active = [n for n, name in enumerate(names) if all(where[v] == s for v, s in effects[name])]
        weight = 1
        for number in active:
            weight = weight * values[names[number]] % prime
        cell = tuple(where[name] for name, _ in axes)
        cells[cell] = (cells[cell] + weight) % prime
        for number in active:
            slopes[cell][number] = (slopes[cell][number] + weight * inverses[number]) % prime
    total = Slope(0, np.zeros(len(names), dtype=np.int64), prime)
    for cell, value in cells.items():
        total = total + Slope(value, slopes[cell], prime)
    one = total.inverse()
    shares = {cell_name(axes, cell, set()): Slope(value, slopes[cell], prime) * one for cell, value in cells.items()}
    jacobian = np.array([share.slopes for share in shares.values()], dtype=np.int64).reshape(len(shares), len(names))
    return Member(prime, values, {name: share.value for name, share in shares.items()}, jacobian, axes)


# Gaussian models


def entry_name(entry: tuple[str, ...]) -> str:
    """What an entry of a Gaussian model is called."""
    kind, *of = entry
    return f"{kind}({ {'b': '->', 'c': '<->'}.get(kind, '').join(of) })".replace("( ", "(").replace(" )", ")")


def gaussian_entries(model: Gaussian) -> list[tuple[str, ...]]:
    """All numbers of a Gaussian model."""
    names = [variable.name for variable in model.variables]
    return [
        *(("b", *edge) for edge in model.edges),
        *(("v", name) for name in names),
        *(("c", *pair) for pair in model.bidirected),
        *((("m", name) for name in names) if model.means else ()),
    ]


def gaussian_member(
    model: Gaussian, names: Sequence[str], source: random.Random, prime: int, at: Mapping[str, Fraction] | None
) -> Member:
    """Σ = A Ω Aᵀ and μ = A m with A = (I − B)⁻¹, and their derivatives entry by entry."""
    order = {variable.name: place for place, variable in enumerate(model.variables)}
    fixed, labels, size = dict(model.fixed), dict(model.equal), len(order)
    values = {name: source.randrange(1, prime) if at is None else residue(at[name], prime) for name in names}
    column = {name: place for place, name in enumerate(names)}
    number_of: dict[tuple[str, ...], int] = {}
    free: list[tuple[tuple[str, ...], int, int]] = []
    sums = dict(model.linear)
    for entry in gaussian_entries(model):
        number_of[entry] = 0
        for other, factor in sums.get(entry, ((entry, Fraction(1)),)):
            times_ = residue(factor, prime)
            if other in fixed or not other:
                number_of[entry] += times_ * residue(fixed.get(other, Fraction(1)), prime)
            else:
                name = labels.get(other, entry_name(other))
                number_of[entry] += times_ * values[name]
                free.append((entry, column[name], times_))
        number_of[entry] %= prime
    if {name for _, name, _ in free} != set(range(len(names))):
        raise UnknownError("the entries have other names")
    path = np.eye(size, dtype=np.int64)
    errors = np.zeros((size, size), dtype=np.int64)
    intercepts = np.zeros((size, 1), dtype=np.int64)
    for (kind, *of), value in number_of.items():
        if kind == "b":
            path[order[of[1]], order[of[0]]] = -value % prime
        elif kind == "m":
            intercepts[order[of[0]], 0] = value
        else:
            one, other = order[of[0]], order[of[-1]]
            errors[one, other] = errors[other, one] = value
    effects = plain(modular(path.tolist(), prime).inv())
    covariance = times(times(effects, errors, prime), effects.T.copy(), prime)
    mean = times(effects, intercepts, prime)[:, 0]
    seen = [order[variable.name] for variable in model.variables if variable.observed]
    named = [variable.name for variable in model.variables]
    group = {place: name.rpartition(".")[2] if model.groups else "" for name, place in order.items()}
    pairs = [(one, other) for number, one in enumerate(seen) for other in seen[number:] if group[one] == group[other]]
    coordinates = {f"cov({named[one]},{named[other]})": int(covariance[one, other]) for one, other in pairs}
    rows = len(pairs)
    if model.means:
        coordinates.update({f"mean({named[one]})": int(mean[one]) for one in seen})
    jacobian = np.zeros((len(coordinates), len(names)), dtype=np.int64)
    first, second = [one for one, _ in pairs], [other for _, other in pairs]
    for (kind, *of), place, times_ in free:
        change = np.zeros((size, size), dtype=np.int64)
        if kind == "b":
            half = np.outer(effects[:, order[of[1]]], covariance[order[of[0]]]) % prime
            change = half + half.T
        elif kind == "v":
            change = np.outer(effects[:, order[of[0]]], effects[:, order[of[0]]])
        elif kind == "c":
            half = np.outer(effects[:, order[of[0]]], effects[:, order[of[1]]]) % prime
            change = half + half.T
        jacobian[:rows, place] = (jacobian[:rows, place] + change[first, second] % prime * times_) % prime
        if model.means and kind in "bm":
            factor = times_ * (int(mean[order[of[0]]]) if kind == "b" else 1) % prime
            at_ = order[of[-1]]
            jacobian[rows:, place] = (jacobian[rows:, place] + effects[seen, at_] * factor) % prime
    return Member(prime, values, coordinates, jacobian)


# Formulas


def polynomial_member(
    model: Any, names: Sequence[str], source: random.Random, prime: int, at: Mapping[str, Fraction] | None
) -> Member:
    """The formulas, read by the referee's own reader."""
    listed = convert_model_to_dictionary(model)["coordinates"]
    texts = listed if isinstance(listed, dict) else {f"f{n}": text for n, text in enumerate(listed, 1)}
    values = {name: source.randrange(1, prime) if at is None else residue(at[name], prime) for name in names}
    point = point_of(values, prime)
    found = {name: slope_of(text, point, prime) for name, text in texts.items()}
    jacobian = np.array([one.slopes for one in found.values()], dtype=np.int64).reshape(len(found), len(names))
    return Member(prime, values, {name: one.value for name, one in found.items()}, jacobian)


FAMILIES = {
    "gaussian": gaussian_member,
    "classifier": classifier_member,
    "loglinear": loglinear_member,
    "polynomial": polynomial_member,
}
