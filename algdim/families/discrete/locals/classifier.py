"""The local map "classifier": p(y|parents) of a network over the variable and its parents (HM97 §2's definition).

The parameters of that network are its own; no other variable has them. The entries are a(x, y) / Σ_y' a(x, y'), a the product
of the factors with the class. With p for them, dp(y|x) = p(y|x) Σ_y' ([y = y'] − p(y'|x)) d log a(x, y').
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from math import inf, log2, prod
from typing import Any, ClassVar, cast

import numpy as np
from numpy.typing import NDArray

from algdim.errors import InputError
from algdim.exact.arithmetic import Arithmetic, Array, invert_numbers
from algdim.families.classifier.model import Classifier
from algdim.families.discrete.locals.contract import Affine, Derivative, Entries, Kind, check_local
from algdim.families.discrete.locals.curves import compute_log_shares
from algdim.families.discrete.locals.table import Numbering, Parents, solve_names
from algdim.families.discrete.map import Builder, list_distinct_tables
from algdim.families.discrete.model import Local, Network, Variable
from algdim.maps import Parameter
from algdim.models.clauses import Clauses, parse_clauses
from algdim.models.tokens import Cursor, Token
from algdim.models.values import check_keys, require_mapping

KEYS = ("type", "network")


def format_inner_key(name: str, inner: str) -> str:
    """How a table of a classifier's network is called among all tables; names of variables have no colon.

    >>> format_inner_key("Y", "X1")
    'Y:X1'
    """
    return f"{name}:{inner}"


@dataclass(frozen=True, slots=True)
class Embedded:
    """A classifier of the variable whose inputs are its parents."""

    kind: ClassVar[str] = "classifier"

    classifier: Classifier

    @property
    def share(self) -> None:
        """Its parameters are not shared."""
        return None

    def states(self, counts: Sequence[int]) -> int:
        """The states of the class, whatever the parents have."""
        del counts
        return self.classifier.classes

    def check(self, name: str, states: int, parents: Parents) -> None:
        """Raise unless the classifier is over precisely the variable and its parents, with the same states."""
        if self.classifier.label != name:
            raise InputError(f"{name}: the classifier is one of {self.classifier.label}; one of {name} is expected")
        if not parents:
            raise InputError(f"{name} has no parents; a classifier replaces a table given parents")
        outside, inside = {name: states, **dict(parents)}, self.classifier.states
        for one in sorted({*outside, *inside}):
            if one not in inside:
                raise InputError(
                    f"the classifier of {name}: the parent {one} is missing; its network has {name} and all parents"
                )
            if one not in outside:
                raise InputError(
                    f"the classifier of {name}: {one} is no parent of {name}; leave it out, or add the edge"
                )
            if inside[one] != outside[one]:
                raise InputError(
                    f"the classifier of {name}: {one} has {inside[one]} states there and {outside[one]} outside; "
                    "say them in both places"
                )


@dataclass(frozen=True, slots=True, eq=False)
class EmbeddedEntries:
    """The probabilities of the class given its parents.

    ``tables`` are those that contain the class, with the axes of ``shape`` that are theirs (the class is the last one); their
    parameters are numbered as those of the whole model. ``inside`` are all tables of the classifier's network, also those
    without the class, by the key that they have in its parameter file, and ``own`` the numbers of their parameters.
    ``is_free``: the entries of ``tables`` are free and none is shared.
    """

    shape: tuple[int, ...]
    tables: tuple[tuple[Entries, tuple[int, ...]], ...]
    inside: tuple[tuple[str, Affine], ...]
    own: range
    is_free: bool

    @property
    def degree(self) -> int:
        """Numerators and denominators are products of one entry of each table."""
        return len(self.tables)

    @property
    def is_constant(self) -> bool:
        return all(entries.is_constant for entries, _ in self.tables)

    def broadcast(self, array: Array, axes: tuple[int, ...]) -> Array:
        """An array with these axes as one with all axes, of length 1 where it lacks one."""
        order = np.argsort(axes)
        shape = [size if axis in axes else 1 for axis, size in enumerate(self.shape)]
        return array.transpose(order).reshape(shape)

    def values(self, arithmetic: Arithmetic, point: Array) -> Array:
        """All entries at the point; `SingularError` where the entries of a row have the sum 0 before they are divided."""
        arrays = [self.broadcast(entries.values(arithmetic, point), axes) for entries, axes in self.tables]
        joint = np.broadcast_to(reduce(arithmetic.multiply, arrays), self.shape)
        total = arithmetic.segment_sums(np.moveaxis(joint, -1, 0), np.zeros(1, dtype=np.intp))[0]
        return arithmetic.multiply(joint, invert_numbers(arithmetic, total)[..., None])

    def derivative(self, arithmetic: Arithmetic, point: Array) -> Derivative:
        """The derivatives of all entries of a row by the parameters in the entries that this row multiplies."""
        classes = self.shape[-1]
        chances = self.values(arithmetic, point).reshape(-1, classes)
        minus = arithmetic.elements(np.array([-1]))
        # weights[x, y, y'] = p(y|x)·([y = y'] − p(y'|x))
        unit = arithmetic.elements(np.eye(classes, dtype=np.int64))
        rest = arithmetic.add(unit[None], arithmetic.multiply(minus, chances[:, None, :]))
        weights = arithmetic.multiply(chances[:, :, None], rest)
        found = [
            self.of_table(arithmetic, point, entries, axes, weights)
            for entries, axes in self.tables
            if not entries.is_constant
        ]
        return Derivative(*(np.concatenate(pieces) for pieces in zip(*found, strict=True)))

    def of_table(
        self, arithmetic: Arithmetic, point: Array, entries: Entries, axes: tuple[int, ...], weights: Array
    ) -> tuple[NDArray[np.intp], NDArray[np.intp], Array]:
        """The derivatives by the parameters of one table: entry, parameter, coefficient."""
        classes = self.shape[-1]
        inner = entries.derivative(arithmetic, point)
        inverse = invert_numbers(arithmetic, entries.values(arithmetic, point).ravel()[inner.entry])
        slopes = arithmetic.multiply(inner.coefficient, inverse)
        # the entry of the table that each cell (x, y') multiplies
        numbers = self.broadcast(np.arange(prod(entries.shape)).reshape(entries.shape), axes)
        used = np.broadcast_to(numbers, self.shape).ravel()
        order = np.argsort(inner.entry, kind="stable")
        counts = np.bincount(inner.entry, minlength=prod(entries.shape))
        starts = np.cumsum(counts) - counts
        cell = np.repeat(np.arange(len(used)), counts[used])
        within = np.arange(len(cell)) - np.repeat(np.cumsum(counts[used]) - counts[used], counts[used])
        term = order[starts[used[cell]] + within]
        row, label = np.divmod(cell, classes)
        # each of these moves all entries of its row
        entry = (row[:, None] * classes + np.arange(classes)).ravel()
        coefficient = arithmetic.multiply(weights[row, :, label], slopes[term][:, None]).ravel()
        return entry, np.repeat(inner.parameter[term], classes), coefficient

    @property
    def readable(self) -> frozenset[int]:
        """Nothing is said of single parameters; some may even cancel."""
        return frozenset()

    def iterate_keyed_entries(self, owner: str) -> Iterator[tuple[str, Entries]]:
        """Those of the classifier's network, behind the owner's name."""
        yield from ((format_inner_key(owner, name), entries) for name, entries in self.inside)

    def parameters(self, flat: Sequence[Fraction]) -> dict[int, Fraction]:
        """None can be read off."""
        del flat
        return {}

    def equations(self, flat: Sequence[Fraction]) -> list[tuple[dict[int, Fraction], Fraction]]:
        """There are no linear ones."""
        del flat
        return []

    def denominators(self) -> frozenset[int]:
        """Those of the tables."""
        return frozenset[int]().union(*(entries.denominators() for entries, _ in self.tables))

    def norms(self) -> tuple[int, int]:
        """Over the common denominator D of some rows no sum of entries has a size greater than the bound for D."""
        return 1, 1

    @property
    def quotient(self) -> EmbeddedEntries:
        """The denominators are the sums of rows."""
        return self

    @property
    def total_degree(self) -> int:
        """Each row's denominator, and each entry that a derivative divides by."""
        entries = sum(prod(entries.shape) for entries, _ in self.tables)
        return prod(self.shape[:-1]) * len(self.tables) + entries

    def common(self, summed: Sequence[bool]) -> tuple[int, float]:
        """The product of the denominators of the rows that differ in the summed axes only.

        A denominator is a sum over the class of products of one entry of each table. Unless tables are free nothing is
        claimed, because a denominator might vanish at all points modulo some prime.
        """
        if not self.is_free:
            return self.degree, inf
        rows = prod(size for size, among in zip(self.shape[:-1], summed, strict=False) if among)
        size = log2(self.shape[-1]) + sum(log2(entries.norms()[1]) for entries, _ in self.tables)
        return rows * self.degree, rows * size


def read_embedded(data: dict[str, Any], place: str, variable: Variable, parents: Parents) -> Local:
    """Read a classifier: a network over the variable and its parents, as the model file has networks."""
    from algdim.families.discrete.file import read_dictionary

    check_keys(data, KEYS, place)
    network = require_mapping(data.get("network"), f"{place}.network")
    inner = network.get("local")
    for name, entry in inner.items() if isinstance(inner, dict) else ():
        if isinstance(entry, dict) and entry.get("type") == Embedded.kind:  # before it is read: files can be deep
            raise InputError(f"{place}.network.local.{str(name)[:60]}: a classifier within a classifier is not allowed")
    try:
        local = Embedded(Classifier(read_dictionary(network), variable.name))
    except InputError as error:
        raise InputError(f"{place}.network: {error}") from None
    return check_local(local, place, variable, parents)


def write_embedded(local: Embedded, variable: Variable, parents: Parents, first: bool) -> dict[str, Any]:
    """Write a classifier."""
    from algdim.families.discrete.file import write_dictionary

    del variable, parents, first
    return {"type": local.kind, "network": write_dictionary(local.classifier.network)}


@dataclass(frozen=True, slots=True)
class InnerParameters:
    """The parameters of the network of a variable's classifier; the names of others might be the same."""

    variable: str
    blocks: tuple[Iterable[Parameter], ...]

    def __iter__(self) -> Iterator[Parameter]:
        """One after the other."""
        return (one._replace(inside=self.variable) for block in self.blocks for one in block)


def read_clause(cursor: Cursor, clauses: Clauses) -> tuple[Token, Embedded]:
    """Read the rest of ``classifier NAME {CLAUSE; …}``, whose clauses are those of a discrete network."""
    from algdim.families.discrete.clauses import DISCRETE, build_discrete

    if cursor.next.text == ":":
        cursor.fail("a variable's name and '{' after 'classifier'", "a family word comes first in the text")
    name = cursor.name("the name of a variable with a classifier")
    clauses.names.setdefault(name.text, name.at)
    start = cursor.require("{", f"and the clauses of the classifier of {name.text}")
    while not cursor.meets("}"):
        if cursor.now.kind == "end" or cursor.meets("{"):
            cursor.fail("'}'", "braces of a classifier hold clauses without braces")
        cursor.take()
    inner = parse_clauses(clauses.text[: cursor.take().at], start.at + 1, DISCRETE)
    return name, Embedded(Classifier(build_discrete(inner), name.text))


def format_clause(local: Embedded) -> str:
    """Print the clause, which is read so."""
    from algdim.families.discrete.clauses import format_clauses

    return f"{local.kind} {local.classifier.label} {{{format_clauses(local.classifier.network)}}}"


def add_embedded(builder: Builder, variable: Variable, axes: tuple[int, ...]) -> None:
    """Add an embedded classifier: one array, whose entries depend on the tables of the classifier's network."""
    model = cast("Embedded", variable.local).classifier
    inner = Builder(model.network, Numbering(), solve_names(list_distinct_tables(model.network)))
    names = [one.name for one in model.variables]
    for one in model.variables:
        inner.add(one, tuple(names.index(name) for name in (*one.parents, one.name)))
    count = inner.numbering.count
    first = builder.numbering.extend(InnerParameters(variable.name, tuple(inner.numbering.blocks)), count)
    outside = (*variable.parents, variable.name)
    tables = tuple(
        (
            cast("Affine", inner.arrays[use.array]).renumber_parameters(first),
            tuple(outside.index(names[axis]) for axis in use.axes),
        )
        for use in inner.factors
        if variable.name in (names[axis] for axis in use.axes)
    )
    inside = tuple(
        (name, cast("Affine", entries).renumber_parameters(first))
        for name, entries in zip(inner.owners, inner.arrays, strict=True)
    )
    shape = tuple(builder.sizes[axis] for axis in axes)
    builder.add_array(
        EmbeddedEntries(shape, tables, inside, range(first, first + count), model.is_free),
        axes,
        variable.name,
    )


def restore_classifier(model: Network) -> Network | Classifier:
    """The classifier of which a model is the network given its inputs, or the model itself."""
    local = model.variables[-1].local if model.given else None
    is_whole = isinstance(local, Embedded) and len(local.classifier.variables) == len(model.variables)
    return cast("Embedded", local).classifier if is_whole else model


@dataclass(frozen=True, slots=True, eq=False)
class ClassifierCurve:
    """The class given its inputs, as the tables of the classifier's network make it; weights are logarithms of their entries."""

    classifier: Classifier
    shape: tuple[int, ...]
    tables: tuple[tuple[str, int, int], ...]
    """Per table of the network: its owner, its rows, its states."""
    cells: tuple[NDArray[np.intp] | None, ...]
    """Per table the entry, numbered through all tables, that each cell multiplies; nothing if the class is not in it."""

    @property
    def size(self) -> int:
        """The entries of all tables."""
        return sum(rows * states for _, rows, states in self.tables)

    def dimension(self) -> int:
        from algdim.analysis import Prepared, analyse
        from algdim.bound.strategy import Effort, choose_bounds
        from algdim.memory import choose_memory_limit

        return analyse(
            Prepared(self.classifier), Effort("auto", choose_bounds("auto"), 0, choose_memory_limit(None))
        ).finding.lower.value

    def logarithms(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """The logarithms of the entries, each row less that of its sum."""
        pieces, first = [], 0
        for _, rows, states in self.tables:
            part = weights[:, first : first + rows * states].reshape(-1, rows, states)
            pieces.append(compute_log_shares(part).reshape(len(weights), -1))
            first += rows * states
        return np.concatenate(pieces, axis=1)

    def logits(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """The sum of the logarithms that a cell multiplies."""
        logs = self.logarithms(weights)
        return np.asarray(sum((logs[:, cells] for cells in self.cells if cells is not None), np.zeros((1, 1))))

    def slopes(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """1 at the entry, less the entries of its row."""
        shares = np.exp(self.logarithms(weights))
        result = np.zeros((len(weights), prod(self.shape), self.size))
        places, first = np.arange(prod(self.shape)), 0
        for (_, rows, states), cells in zip(self.tables, self.cells, strict=True):
            if cells is not None:
                row = (cells - first) // states
                for state in range(states):
                    result[:, places, first + row * states + state] -= shares[:, first + row * states + state]
                result[:, places, cells] += 1.0
            first += rows * states
        return result

    def bend(self, weights: NDArray[np.float64], by_cell: NDArray[np.float64]) -> NDArray[np.float64]:
        """Minus diag s − s sᵀ for each row s that a cell uses."""
        shares = np.exp(self.logarithms(weights[None])[0])
        result, first = np.zeros((self.size, self.size)), 0
        for (_, rows, states), cells in zip(self.tables, self.cells, strict=True):
            if cells is not None:
                factors = np.bincount((cells - first) // states, by_cell, rows)
                for row, factor in enumerate(factors.tolist()):
                    part = slice(first + row * states, first + (row + 1) * states)
                    result[part, part] -= factor * (np.diag(shares[part]) - np.outer(shares[part], shares[part]))
            first += rows * states
        return result

    def name_parameters(self, weights: NDArray[np.float64]) -> dict[str, Any]:
        """The tables of the network."""
        entries, result, first = np.exp(self.logarithms(weights[None])[0]), {}, 0
        for owner, rows, states in self.tables:
            result[owner] = entries[first : first + rows * states].reshape(rows, states).tolist()
            first += rows * states
        return result

    def weights(self, named: Mapping[str, Any]) -> NDArray[np.float64]:
        """The logarithms of the tables."""
        flat = np.concatenate([np.array(named[owner], dtype=np.float64).ravel() for owner, _, _ in self.tables])
        return np.asarray(np.log(np.maximum(flat, 1e-300)))


def make_classifier_curve(variable: Variable, shape: tuple[int, ...], states: Mapping[str, int]) -> ClassifierCurve:
    """The curve of a classifier whose tables are free."""
    del states  # they are those of the classifier
    classifier = cast("Embedded", variable.local).classifier
    if not classifier.is_free:
        raise InputError(
            f"the classifier of {variable.name} has tables that share, fix or name entries; classifiers with free tables are fitted"
        )
    order = (*variable.parents, variable.name)
    grid = dict(
        zip(order, np.indices([classifier.states[name] for name in order]).reshape(len(order), -1), strict=True)
    )
    tables, cells, first = [], [], 0
    for one in classifier.network.variables:
        axes = (*one.parents, one.name)
        sizes = [classifier.states[name] for name in axes]
        inside = variable.name in axes
        place = first + np.ravel_multi_index(tuple(grid[name] for name in axes), sizes) if inside else None
        tables.append((one.name, prod(sizes[:-1]), sizes[-1]))
        cells.append(None if place is None else np.asarray(place, dtype=np.intp))
        first += prod(sizes)
    return ClassifierCurve(classifier, shape, tuple(tables), tuple(cells))


LOCAL = Kind(
    read_embedded,
    write_embedded,
    add_embedded,
    head=format_clause,
    what="has a classifier",
    curve=make_classifier_curve,
    has_likelihood=True,
    clause=read_clause,
)
