"""Equations at a point: matrices of bounded rank, their forms, and the bound that these give.

Let M be a matrix whose entries are linear forms of the observed table, of rank at most s on the model and exactly s at
a point q of the model. The gradients at q of its (s+1)-minors span the forms p ↦ ℓᵀM(p)r, where ℓ and r run over the
left and the right kernel of M(q). They are equations of the tangent space, so the dimension is at most the complete one
minus the rank of all such forms, and everything holds modulo the prime (lemma "equations" in proofs/lemmas.md).

`flattenings` and `koszul` supply the matrices, a `Collector` adds up their forms.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import inf, prod
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from algdim.bound.bounds import UPPER, Bound, join_texts, prove_bound
from algdim.bound.searches import FormBasis
from algdim.exact.arithmetic import Array, Residues, reduce
from algdim.exact.draws import describe_draw, format_point_label
from algdim.exact.ranks import both_kernels
from algdim.families.discrete.bounds.equalcells import list_exchangeable_names, number_equal_cells
from algdim.families.discrete.bounds.search import Setting, TableAtPoint, draw_table, find_support, has_zeros
from algdim.figures import format_count, format_integer
from algdim.jacobian import make_evaluator
from algdim.limits import has_time
from algdim.maps import plan_once

MOST_CELLS = 4096
MOST_ENTRIES = 1 << 21
"""Nothing is tried if the equations that are needed, times the cells, exceed this."""
MOST_EVALUATED = 1 << 31
"""Nor if this many numbers are met where all cells are evaluated: half a minute's worth."""
MOST_WORK = 1 << 32
"""Nor is anything more tried after about so many multiplications, some seconds' worth, most of which reduce forms that were found."""
MOST_KEPT = 1 << 12
"""Kernels of matrices with more entries are not kept."""
MATRIX_WORK, COLUMN_WORK = 1 << 20, 1 << 15
"""What a matrix, and a column of it, cost beside their multiplications, in multiplications."""

Axes = tuple[int, ...]
"""Axes of the observed table, by number."""


class Matrix(Protocol):
    """A matrix of linear forms of the observed table at a point, with a bound of its rank on the model."""

    @property
    def rank(self) -> int:
        """What its rank on the model does not exceed."""

    @property
    def values(self) -> Array:
        """The matrix at the point."""

    def pulled_back(self, left: Array, right: Array) -> Array:
        """The forms p ↦ ℓᵀM(p)r of pairs (ℓ, r), each as an array of the table's shape."""


class Equations(Protocol):
    """One kind of matrix, for every state of the variables conditioned on."""

    def matrices(self, table: TableAtPoint) -> Iterator[tuple[tuple[int, ...], Matrix]]:
        """The matrices whose rank may be bounded, by the state of the variables conditioned on."""

    def make_evidence(self, names: Sequence[str]) -> dict[str, Any]:
        """The evidence, with the names of the observed variables."""

    def text(self, names: Sequence[str]) -> str:
        """The evidence for people."""


@runtime_checkable
class LinearEquations(Protocol):
    """Equations whose forms are the same at all points."""

    def add_to(self, collector: Collector) -> None:
        """Add the forms."""


Kernels = tuple[Array, Array]
"""The left and the right kernel of a matrix, as rows."""

NOTHING_KNOWN: Mapping[tuple[int, ...], Kernels | None] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Used:
    """Equations that contributed: for which states of the variables conditioned on, and how many forms they have at most.

    ``kernels`` are those of the matrices by state, as far as they are small.
    """

    equations: Equations
    states: tuple[tuple[int, ...], ...]
    forms: float
    kernels: Mapping[tuple[int, ...], Kernels | None] = field(default_factory=dict, compare=False)


class Collector:
    """Adds up forms at one point until there are as many as needed, on the tables in which ``equal`` cells are equal."""

    def __init__(
        self,
        setting: Setting,
        equal: NDArray[np.intp] | None = None,
        at: TableAtPoint | None = None,
        basis: FormBasis | None = None,
        used: Iterable[Used] = (),
    ) -> None:
        self.setting, self.equal = setting, equal
        self.at = at or draw_table(setting)
        self.width = count_distinct_cells(self.equal, setting.pmap.cells)
        spare = setting.pmap.cells - self.width
        self.basis = FormBasis(setting, self.width, self.at.prime, spare) if basis is None else basis
        self.used = list(used)

    @property
    def is_done(self) -> bool:
        """Whether nothing more is needed or nothing more is allowed."""
        basis = self.basis
        return len(basis.rows) >= basis.needed or basis.work > MOST_WORK or not has_time()

    def add_all(self, candidates: Iterable[Equations], most_idle: int) -> None:
        """Add one after the other until enough is found, or until this many in a row were of no use."""
        idle = 0
        for equations in () if self.is_done else candidates:
            idle = 0 if self.add(equations) else idle + 1
            if self.is_done or idle >= most_idle:
                return

    def add(self, equations: Equations, known: Mapping[tuple[int, ...], Kernels | None] = NOTHING_KNOWN) -> bool:
        """Add the forms of all matrices, whose kernels may be known; whether there was a new one among them."""
        states, forms, kept = [], 0.0, {}
        for state, matrix in equations.matrices(self.at):
            if self.is_done:
                forms = inf  # some are not looked at
                break
            values = matrix.values
            short = min(values.shape)
            self.basis.work += MATRIX_WORK + COLUMN_WORK * short + values.size * short
            kernels = known[state] if state in known else both_kernels(values, matrix.rank, self.at.prime)
            if values.size <= MOST_KEPT:
                kept[state] = kernels
            if kernels is None:
                continue
            forms += len(kernels[0]) * len(kernels[1])
            if self.absorb(matrix, kernels):
                states.append(state)
        if states:
            self.used.append(Used(equations, tuple(states), forms, kept))
        return bool(states)

    def absorb(self, matrix: Matrix, kernels: Kernels) -> bool:
        """Add the forms of one matrix; whether there was a new one among them."""
        # one random pair of the kernels is new, with all but certainty, if any pair is
        first, missing = self.forms(matrix, kernels, 1), self.basis.missing
        if missing > 1 and not self.basis.reduce_forms(first).any():
            return False
        return self.basis.extend(first if missing == 1 else self.forms(matrix, kernels, missing))

    def forms(self, matrix: Matrix, kernels: Kernels, count: int) -> Array:
        """As many forms of random pairs of the two kernels, or those of all pairs of the bases if these are fewer."""
        pairs = self.basis.draw_pairs(*kernels, count)
        return self.merge_equal_cells(matrix.pulled_back(*pairs).reshape(len(pairs[0]), -1))

    def merge_equal_cells(self, forms: Array) -> Array:
        """Forms of the table as forms of its distinct cells: coefficients of equal ones are added up."""
        if self.equal is None:
            return forms
        merged = np.zeros((len(forms), self.width))
        np.add.at(merged.T, self.equal, forms.T)
        return reduce(merged, self.at.prime)


@dataclass(frozen=True)
class Blocks:
    """The observed table with some axes fixed, some summed over, the others joined into blocks."""

    shape: tuple[int, ...]
    blocks: tuple[Axes, ...]
    fixed: Axes = ()

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """The number of joint states of each block."""
        return tuple([prod(map(self.shape.__getitem__, block)) for block in self.blocks])

    @cached_property
    def conditions(self) -> tuple[tuple[int, ...], ...]:
        """All states of the axes that are fixed."""
        return tuple(np.ndindex(*map(self.shape.__getitem__, self.fixed)))

    def join_blocks(self, table: Array, state: tuple[int, ...], field: Residues) -> Array:
        """The array with one axis for each block."""
        part = table[self.index(state)] if self.fixed else table
        if self.summed:
            part = reduce(np.asarray(part.sum(axis=self.summed)), field.prime)
        return part.transpose(self.order).reshape(self.sizes)

    def pulled_back(self, forms: Array, state: tuple[int, ...]) -> Array:
        """Forms of the joined array as forms of the table: constant along summed axes, zero for other states."""
        count, kept = len(forms), self.kept
        forms = forms.reshape(count, *self.kept_sizes).transpose(self.order_back)
        if not self.fixed and not self.summed:
            return forms
        left = [axis for axis in range(len(self.shape)) if axis not in self.fixed]
        forms = forms.reshape(count, *[self.shape[axis] if axis in kept else 1 for axis in left])
        result = np.zeros((count, *self.shape))
        result[(slice(None), *self.index(state))] = forms
        return result

    @cached_property
    def kept(self) -> Axes:
        """The axes in the blocks, one block after the other."""
        return tuple([axis for block in self.blocks for axis in block])

    @cached_property
    def kept_sizes(self) -> tuple[int, ...]:
        """Their states."""
        return tuple([self.shape[axis] for axis in self.kept])

    @cached_property
    def order_back(self) -> tuple[int, ...]:
        """How forms, one axis for all of them before these axes, are transposed to the order of the table."""
        return (0, *[1 + self.kept.index(axis) for axis in sorted(self.kept)])

    @cached_property
    def summed(self) -> Axes:
        """Which axes are summed over, of those that are not fixed."""
        left = [axis for axis in range(len(self.shape)) if axis not in self.fixed]
        return tuple([place for place, axis in enumerate(left) if axis not in self.kept])

    @cached_property
    def order(self) -> Axes:
        """How the axes that are left are transposed."""
        return tuple([sorted(self.kept).index(axis) for axis in self.kept])

    def index(self, state: tuple[int, ...]) -> tuple[int | slice, ...]:
        """The part of the table in which the fixed axes have a state."""
        at = dict(zip(self.fixed, state, strict=True))
        return tuple([at.get(axis, slice(None)) for axis in range(len(self.shape))])


class Zeros(NamedTuple):
    """The cells that are zero on the whole model: each is an equation by itself."""

    cells: tuple[int, ...]
    shape: tuple[int, ...]

    def make_evidence(self, names: Sequence[str]) -> dict[str, Any]:
        """The cells, by the states of the observed variables."""
        states = np.array(np.unravel_index(self.cells, self.shape)).T.tolist()
        return {"type": "zeros", "variables": list(names), "cells": states}

    def text(self, names: Sequence[str]) -> str:  # noqa: ARG002 - one signature for all equations
        return f"{format_count(len(self.cells), 'cell')} that {'vanishes' if len(self.cells) == 1 else 'vanish'}"

    def matrices(self, table: TableAtPoint) -> Iterator[tuple[tuple[int, ...], Matrix]]:  # noqa: ARG002
        """None: the forms are unit vectors."""
        return iter(())

    def add_to(self, collector: Collector) -> None:
        """Add the forms."""
        forms = np.zeros((len(self.cells), prod(self.shape)))
        forms[np.arange(len(self.cells)), self.cells] = 1
        forms = collector.merge_equal_cells(forms)
        if collector.basis.missing and len(self.cells) and collector.basis.extend(forms):
            collector.used.append(Used(self, (), len(self.cells)))


def find_equal_cells(setting: Setting) -> NDArray[np.intp] | None:
    """The classes of cells that are equal because variables are exchangeable; none are sought where no equations are."""
    if setting.pmap.cells > MOST_CELLS:
        return None
    return plan_once(setting.pmap, "equal cells", lambda: number_equal_cells(setting.pmap))


def count_distinct_cells(equal: NDArray[np.intp] | None, cells: int) -> int:
    """The number of classes of equal cells."""
    return cells if equal is None else int(equal.max()) + 1


def is_worth_it(setting: Setting, equal: NDArray[np.intp] | None = None) -> bool:
    """Whether equations are needed and few and short enough to be collected, and all cells soon evaluated at a point."""
    cells = setting.pmap.cells
    if not 0 < setting.needed_codimension or cells > MOST_CELLS:
        return False
    needed = setting.needed_codimension - cells + count_distinct_cells(equal, cells)
    few = 0 < needed and needed * cells <= MOST_ENTRIES
    return few and make_evaluator(setting.pmap).numbers_per_functional * cells <= MOST_EVALUATED


def start(setting: Setting, equal: NDArray[np.intp] | None = None) -> Collector:
    """A collector that knows the cells which vanish."""
    collector = Collector(setting, equal)
    if has_zeros(setting.pmap):
        zeros = np.flatnonzero(~find_support(setting.pmap))
        Zeros(tuple(zeros.tolist()), setting.pmap.shape).add_to(collector)
    return collector


def drop_idle_equations(collector: Collector) -> Collector:
    """The same equations, last ones first, without those that then add nothing."""
    known = collector.setting, collector.equal, collector.at
    if sum(used.forms for used in collector.used) == len(collector.basis):
        # each form is independent of all others, in whatever order they come
        return Collector(*known, collector.basis, reversed(collector.used))
    again = Collector(*known)
    for used in reversed(collector.used):
        if isinstance(used.equations, LinearEquations):
            used.equations.add_to(again)
        else:
            again.add(used.equations, used.kernels)
    return again if len(again.basis) >= len(collector.basis) else collector


def make_equation_bound(collector: Collector, kind: str, *more: str) -> Bound | None:
    """The bound that the forms give, on the tables in which equal cells are equal; ``None`` without any form."""
    if not len(collector.basis) and collector.equal is None:
        return None
    if len(collector.used) > 1:
        collector = drop_idle_equations(collector)
    setting, codimension, complete = collector.setting, len(collector.basis), collector.width - 1
    names = [setting.pmap.model.variables[axis].name for axis in setting.pmap.observed]
    texts = [used.equations.text(names) for used in collector.used]
    is_whole = collector.equal is None
    if not is_whole:
        texts = [f"{format_integer(collector.width)} distinct cells", *texts]
    reason = f"{format_integer(complete)} − {format_integer(codimension)}; {format_count(codimension, 'equation')}, {join_texts(texts)}"
    equations: list[dict[str, Any]] = [
        {**used.equations.make_evidence(names), **collect_condition_states(used)} for used in collector.used
    ]
    evidence = {
        "seed": setting.seed,
        "prime": collector.at.prime,
        "point": collector.at.point,
        "codimension": codimension,
        "equations": equations,
    } | ({} if is_whole else {"exchangeable": list_exchangeable_names(setting.pmap)})
    named = {
        "grid": "grids",
        "pencil": "pencils",
        "determinants": "determinants",
        "determinant forms": "determinants",
        "span": "spans",
        "common": "common tables",
        "chain": "chains",
    }
    types = {one["type"] for one in equations}
    more = (*more, *[lemma for word, lemma in named.items() if word in types])
    lemmas = ("matrices of bounded rank", "equations", *more, *(() if is_whole else ("distinct cells",)))
    at = describe_draw(format_point_label(setting.seed, collector.at.point), collector.at.prime)
    return prove_bound(complete - codimension, UPPER, kind, reason, *lemmas, evidence=evidence, at=at)


def collect_condition_states(used: Used) -> dict[str, Any]:
    """For which states of the variables conditioned on the equations are used; nothing if there are none."""
    return {"states": [list(state) for state in used.states]} if any(used.states) else {}
