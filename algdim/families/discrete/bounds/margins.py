"""Upper bounds by a margin and by equations of what it leaves open (lemma "margins" in proofs/lemmas.md).

The margin of some observed variables is the distribution of a network with fewer observed variables. A tangent vector of the
model has a margin that is tangent there, and equations bound the vectors whose margin is zero. So symmetries of the one and equations of the
other come together, where neither suffices for the whole: a variable at the end of the graph that many others determine, for instance.
Where all distributions with the same margin are possible, no equation is needed, nor any matrix of the whole: such margins are sought first.
Then margins without one variable at an end of the graph. Equations of distributions given some variables fall apart by the states of these, and so
does what has the same margin: ranks are those of small blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import prod

import numpy as np
from numpy.typing import NDArray

from algdim.bound.bounds import UPPER, Bound, choose_least, derive_bound, join_texts, prove_bound
from algdim.bound.counting import bound_by_counting
from algdim.bound.searches import FormBasis
from algdim.bound.strategy import Effort, Finding, find_both_bounds
from algdim.exact.arithmetic import Residues, reduce
from algdim.exact.draws import describe_draw, draw_residues, format_point_label, open_stream
from algdim.exact.ranks import both_kernels, rank_mod
from algdim.families.discrete.bounds.containing import bound_by_containing_models
from algdim.families.discrete.bounds.equations import Blocks, Collector
from algdim.families.discrete.bounds.flattenings import Flattening, Separators, list_candidates
from algdim.families.discrete.bounds.grids import bound_by_grids, collect_forms, make_form_bound
from algdim.families.discrete.bounds.normalforms import LITTLE_WORK, bound_by_normal_form
from algdim.families.discrete.bounds.search import (
    Setting,
    TableAtPoint,
    bound_by_ambient,
    draw_table,
    has_only_tables,
    has_zeros,
)
from algdim.families.discrete.bounds.supermodels import WORK_OF_A_MODEL, bound_by_supermodels, compute_rank
from algdim.families.discrete.bounds.symmetry import MARGINS, bound_by_symmetry
from algdim.families.discrete.functionals import select_all_cells
from algdim.families.discrete.map import ParamMap, get_param_map
from algdim.families.discrete.model import Network, drop_irrelevant
from algdim.figures import format_count, format_integer
from algdim.jacobian import evaluate_jacobian
from algdim.limits import count_work, has_time, has_work
from algdim.maps import Map, plan_once
from algdim.rank import find_usable_prime

KIND = LEMMA = MARGINS
MOST_ENTRIES = 1 << 22
"""Of the Jacobian, and of the matrix of all vectors that the equations allow."""
MOST_MARGINS = 100
"""Sets of variables whose ranks are taken."""
MOST_MODELS = 3
"""Margins for which a bound is searched."""
MOST_WORK = 1 << 34
"""Multiplications for the rank of a margin without an end of the graph."""
MOST_CELLS = 1 << 14
MOST_CONDITIONS = 12
MOST_BLOCK_WORK = 1 << 33
"""Cells of a table, sets of variables by which blocks are made, and multiplications in the blocks."""

SEARCHES: tuple[Callable[[Setting], Bound | None], ...] = (
    bound_by_containing_models,
    bound_by_grids,
    bound_by_symmetry,
    bound_by_supermodels,
    partial(bound_by_normal_form, most=LITTLE_WORK),
)

OF_MARGINS = (
    *("counting", "ambient", "containing", "flattenings", "koszul", "grids", "symmetry", "supermodels"),
    "normal-form",
)
"""The names of the bounds of a margin that are tried, whatever bounds are asked for of the whole."""

Axes = tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class TangentVectors:
    """At a point modulo a prime: the derivatives of the cells, and the vectors that all equations allow, as columns of arrays."""

    shape: tuple[int, ...]
    prime: int
    derivatives: NDArray[np.int64]
    allowed: NDArray[np.int64]
    rank: int

    def rank_of_margin(self, vectors: NDArray[np.int64], kept: Axes) -> int:
        """The rank of the margins of vectors."""
        left = tuple(axis for axis in range(len(self.shape)) if axis not in kept)
        margins = vectors.reshape(*self.shape, -1).sum(axis=left).reshape(-1, vectors.shape[1])
        return rank_mod(np.ascontiguousarray(margins % self.prime), self.prime).value

    def bound_with(self, kept: Axes, margin: int) -> int:
        """The bound that a margin of some dimension gives."""
        return margin + int(self.allowed.shape[1]) - self.rank_of_margin(self.allowed, kept)


def bound_by_margins(setting: Setting) -> Bound | None:
    """The bound by the first margin that seems to give the rank and whose own bound is proved; nothing if there is none."""
    pmap = setting.pmap
    if not pmap.model.hidden or len(pmap.observed) < 2 or not has_only_tables(pmap):
        return None
    return bound_by_ends(setting) or bound_with_equations(setting)


def bound_by_ends(setting: Setting) -> Bound | None:
    """The bound by a margin without some ends of the graph, or without one."""
    return bound_by_free_ends(setting) or bound_without_an_end(setting)


def bound_by_free_ends(setting: Setting) -> Bound | None:
    """The bound by a margin of which all distributions are possible, if it meets the rank; nothing otherwise.

    Of variables at the ends of the graph one after the other is left out, as long as ranks say that all is free.
    """
    model, wanted = leave_out_free_ends(setting)
    if model is setting.pmap.model:
        return None
    margin = bound_margin(model, wanted, setting, 0)
    if margin is None or margin.value > wanted:
        return None
    return make_margin_bound(setting.lower, margin, [one.name for one in model.observed], setting, None)


def bound_without_an_end(setting: Setting) -> Bound | None:
    """The bound by a margin without one variable at an end of the graph, and flattenings given some others; nothing if it does not meet the rank."""
    pmap, model = setting.pmap, setting.pmap.model
    if pmap.cells > MOST_CELLS or has_zeros(pmap) or pmap.kept_coordinates is not None or len(model.observed) < 3:
        return None
    parents = {name for one in model.variables for name in one.parents}
    at: TableAtPoint | None = None
    for axis, end in enumerate(model.observed):
        if end.name in parents:
            continue
        smaller = build_margin(model, [one.name for one in model.observed if one is not end])
        rank = find_rank(smaller, setting)
        if rank is None or not 0 < setting.lower - rank < pmap.cells // end.states * (end.states - 1):
            continue
        at = at or draw_table(setting)
        candidates = plan_once(pmap, "flattenings", lambda: list_candidates(Separators(setting)))
        found = find_equations_in_blocks(setting, at, axis, setting.lower - rank, candidates)
        margin = None if found is None else bound_margin(smaller, rank, setting, axis)
        if found is not None and margin is not None and margin.value <= rank:
            names = [one.name for one in smaller.observed]
            return make_margin_bound(setting.lower, margin, names, setting, make_block_bound(setting, at, found))
    return None


@dataclass(frozen=True, slots=True, eq=False)
class BlockEquations:
    """How many forms are independent on what has the same margin, and the flattenings that they come from, with states."""

    number: int
    used: Mapping[Flattening, Sequence[Axes]]


def find_equations_in_blocks(
    setting: Setting, at: TableAtPoint, end: int, left: int, candidates: Sequence[Flattening]
) -> BlockEquations | None:
    """Equations that leave so many dimensions open of what has the same margin without an end, in blocks given some variables; nothing if none do."""
    shape = setting.pmap.shape
    usable = [
        one
        for one in candidates
        if end in {*one.blocks.blocks[0], *one.blocks.blocks[1]} and len(set(one.counts)) == 1 and one.blocks.fixed
    ]
    conditions = sorted(
        {one.blocks.fixed for one in usable}, key=lambda axes: (-prod(shape[axis] for axis in axes), axes)
    )
    for given in conditions[:MOST_CONDITIONS]:
        blocks = [tuple(state) for state in np.ndindex(*(shape[axis] for axis in given))]
        inside = [one for one in usable if set(given) <= set(one.blocks.fixed)]
        width = setting.pmap.cells // len(blocks) // shape[end] * (shape[end] - 1)
        if left % len(blocks) or width <= left // len(blocks) or len(blocks) * width**3 > MOST_BLOCK_WORK:
            continue
        needed = width - left // len(blocks)
        used: dict[Flattening, list[Axes]] = {}
        for state in blocks:
            found = collect_in_block(setting, at, end, dict(zip(given, state, strict=True)), inside, needed)
            if found is None or not has_time():
                break
            for flattening, states in found.items():
                used.setdefault(flattening, []).extend(states)
        else:
            return BlockEquations(needed * len(blocks), used)
    return None


def collect_in_block(
    setting: Setting,
    at: TableAtPoint,
    end: int,
    given: Mapping[int, int],
    candidates: Sequence[Flattening],
    needed: int,
) -> dict[Flattening, list[Axes]] | None:
    """The flattenings, with their states, that have so many independent forms on what has the same margin in a block; nothing if they have fewer."""
    shape = setting.pmap.shape
    axes = [axis for axis in range(len(shape)) if axis not in given]
    place = {axis: number for number, axis in enumerate(axes)}
    inside = tuple(shape[axis] for axis in axes)
    part = at.table[tuple(given.get(axis, slice(None)) for axis in range(len(shape)))]
    table = at._replace(table=np.ascontiguousarray(part))
    width = prod(inside) // shape[end] * (shape[end] - 1)
    basis = FormBasis(setting, width, at.prime, setting.needed_codimension - needed)
    used: dict[Flattening, list[Axes]] = {}
    for one in candidates:
        rest = tuple(axis for axis in one.blocks.fixed if axis not in given)
        blocks = tuple(tuple(place[axis] for axis in block) for block in one.blocks.blocks)
        small = Blocks(inside, blocks, tuple(place[axis] for axis in rest))
        counts = (one.counts[0],) * prod(shape[axis] for axis in rest)
        for state, matrix in Flattening(small, one.hidden, counts).matrices(table):
            kernels = both_kernels(matrix.values, matrix.rank, at.prime)
            if kernels is None:
                continue
            pairs = basis.draw_pairs(*kernels, basis.missing)
            forms = np.moveaxis(matrix.pulled_back(*pairs).reshape(len(pairs[0]), *inside), 1 + place[end], -1)
            # on vectors whose sums over the end are zero
            forms = reduce((forms[..., :-1] - forms[..., -1:]).reshape(len(forms), width), at.prime)
            if basis.extend(forms):
                whole = {**given, **dict(zip(rest, state, strict=True))}
                used.setdefault(one, []).append(tuple(whole[axis] for axis in one.blocks.fixed))
            if not basis.missing:
                return used
    return None


def make_block_bound(setting: Setting, at: TableAtPoint, found: BlockEquations) -> Bound:
    """What the equations alone prove."""
    names = [setting.pmap.model.variables[axis].name for axis in setting.pmap.observed]
    value = setting.pmap.complete - found.number
    texts = join_texts([one.text(names) for one in found.used])
    reason = f"{format_integer(setting.pmap.complete)} − {format_integer(found.number)}; {format_count(found.number, 'equation')}, {texts}"
    equations = [
        {**one.make_evidence(names), "states": [list(state) for state in sorted(set(states))]}
        for one, states in found.used.items()
    ]
    evidence = {
        "seed": setting.seed,
        "prime": at.prime,
        "point": at.point,
        "codimension": found.number,
        "equations": equations,
    }
    where = describe_draw(format_point_label(setting.seed, at.point), at.prime)
    lemmas = ("matrices of bounded rank", "equations")
    return prove_bound(value, UPPER, "flattenings", reason, *lemmas, evidence=evidence, at=where)


def leave_out_free_ends(setting: Setting) -> tuple[Network, int]:
    """The network of the margin, the model itself if nothing can be left out, and its rank."""
    last, wanted = setting.pmap.model, setting.lower
    tried: set[str] = set()
    while len(last.observed) > 1 and has_time():
        parents = {name for one in last.variables for name in one.parents}
        ends = [one for one in last.observed if one.name not in parents | tried]
        if not ends:
            break
        end = max(ends, key=lambda one: one.states)
        tried.add(end.name)
        smaller = build_margin(last, [one.name for one in last.observed if one is not end])
        left = wanted - prod(one.states for one in smaller.observed) * (end.states - 1)
        if left > 0 and has_rank(smaller, left, setting):
            last, wanted = smaller, left
    return last, wanted


def has_rank(model: Network, rank: int, setting: Setting) -> bool:
    """Whether a network has this rank at a point; not where that takes too much work."""
    pmap = get_param_map(model)
    return rank <= min(pmap.parameter_count, pmap.complete) and find_rank(model, setting) == rank


def find_rank(model: Network, setting: Setting) -> int | None:
    """The rank of a network at a point; nothing where that takes too much work."""
    pmap = get_param_map(model)
    cost = pmap.parameter_count * min(pmap.parameter_count, pmap.complete) ** 2
    if cost > MOST_WORK or not has_work():
        return None
    count_work(WORK_OF_A_MODEL + cost)
    return compute_rank(pmap, setting)


def bound_with_equations(setting: Setting) -> Bound | None:
    """The bound by the first margin that seems to give the rank with equations of what it leaves open."""
    pmap = setting.pmap
    if pmap.cells * pmap.parameter_count > MOST_ENTRIES:
        return None
    forms = collect_forms(setting)
    if forms is None or forms[0].equal is not None or not forms[0].basis.missing:
        return None
    vectors = compute_tangent_vectors(setting, forms[0])
    if vectors is None:
        return None
    fitting = sorted(find_fitting_margins(vectors), key=lambda kept: np.prod([vectors.shape[axis] for axis in kept]))
    for number, kept in enumerate(fitting[:MOST_MODELS]):
        wanted = vectors.rank_of_margin(vectors.derivatives, kept)
        names = [pmap.model.variables[pmap.observed[axis]].name for axis in kept]
        margin = bound_margin(build_margin(pmap.model, names), wanted, setting, number)
        if margin is not None and vectors.bound_with(kept, margin.value) <= setting.lower:
            equations = make_form_bound(*forms) if len(forms[0].basis) else None
            return make_margin_bound(vectors.bound_with(kept, margin.value), margin, names, setting, equations)
    return None


def compute_tangent_vectors(setting: Setting, collector: Collector) -> TangentVectors | None:
    """Those at the point of the equations; nothing where they are too many, or where the rank is less than it was found to be."""
    pmap, at = setting.pmap, collector.at
    free = np.setdiff1d(np.arange(pmap.cells), collector.basis.pivots)
    if len(free) * pmap.cells > MOST_ENTRIES:
        return None
    allowed = np.zeros((pmap.cells, len(free)), dtype=np.int64)
    allowed[free, np.arange(len(free))] = 1
    allowed[collector.basis.pivots] = -np.remainder(collector.basis.rows, at.prime).astype(np.int64)[:, free]
    field = Residues(at.prime)
    values = draw_residues(open_stream(setting.seed, "point", *at.point.split("|")), at.prime, pmap.parameter_count)
    jacobian = evaluate_jacobian(pmap, field, field.elements(values), select_all_cells(pmap))
    derivatives = np.remainder(jacobian, at.prime).astype(np.int64)
    rank = rank_mod(derivatives, at.prime).value
    if rank != setting.lower:
        return None
    return TangentVectors(pmap.shape, at.prime, derivatives, allowed % at.prime, rank)


def find_fitting_margins(vectors: TangentVectors) -> Iterator[Axes]:
    """The margins that show every vector which the equations allow and which is no derivative; of such a margin all larger ones do."""
    waiting: list[Axes] = [tuple(range(len(vectors.shape)))]
    seen, tested = set(waiting), 0
    while waiting:
        last = waiting.pop()
        for axis in last if len(last) > 1 else ():
            kept = tuple(one for one in last if one != axis)
            if kept in seen:
                continue
            if tested == MOST_MARGINS or not has_time():
                return
            seen.add(kept)
            tested += 1
            if vectors.bound_with(kept, vectors.rank_of_margin(vectors.derivatives, kept)) == vectors.rank:
                waiting.append(kept)
                yield kept


def build_margin(model: Network, names: Sequence[str]) -> Network:
    """The network of which only these variables are observed, without those that then do not matter."""
    variables = tuple(replace(one, observed=one.observed and one.name in names) for one in model.variables)
    given = tuple(name for name in model.given if name in names)
    return drop_irrelevant(Network(variables, given))[0]


def bound_margin(model: Network, wanted: int, setting: Setting, number: int) -> Bound | None:
    """A bound of a margin's dimension, if one is found that is a rank at a point."""
    pmap = get_param_map(model)
    best = choose_least([bound_by_counting(pmap), bound_by_ambient(pmap)])
    inner = Setting(pmap, wanted, setting.seed, (*setting.labels, KIND, number))
    for search in (SEARCHES[0], bound_by_ends, *SEARCHES[1:]):
        if (best is not None and best.value <= wanted) or not has_work():
            return best
        best = choose_least([best, search(inner)])
    return best


def make_margin_bound(
    value: int, margin: Bound, names: Sequence[str], setting: Setting, equations: Bound | None
) -> Bound:
    """The bound from that of the margin and from equations, if any were needed."""
    rest = value - margin.value
    what = f"{margin.value} of the margin of {', '.join(names)}, {format_integer(rest)} of all that has the same margin"
    labels = (*setting.labels, 0)
    prime, point = find_usable_prime(setting.pmap, setting.seed, *labels), "|".join(map(str, labels))
    reason = f"{what}; {margin.reason}" + ("" if equations is None else f"; {equations.reason}")
    evidence = (
        {"prime": prime, "point": point, "equations": []}
        | dict(equations.evidence if equations else {})
        | {"margin": list(names), "bound": margin.to_dict()}
    )
    proofs = [margin] if equations is None else [margin, equations]
    return derive_bound(proofs, value, UPPER, KIND, reason, LEMMA, evidence, what)


def examine_margin(
    pmap: ParamMap, bound: Bound, effort: Effort, labels: tuple[str, ...]
) -> tuple[tuple[Map, Finding], ...]:
    """The margin on which a bound rests, with what is found of it."""
    small = get_param_map(build_margin(pmap.model, bound.evidence["margin"]))
    return ((small, find_both_bounds(small, effort._replace(bounds=OF_MARGINS), (*labels, KIND))),)
