"""Symmetry: directions in which the parameters can move while nothing observed changes.

If v₁, …, v_m are rational vector fields on the parameters with J·v ≡ 0, the dimension is at most the number of
parameters minus the rank of their values at any point, also modulo a prime (lemma "symmetry" in proofs/lemmas.md). The
fields are local: each changes the tables around few hidden variables and leaves the sum over these as it is. Five
sources supply them, cheap ones first:

- `algdim.families.discrete.bounds.chainfields`: the moves of a chain, where its items do not see all states;
- `algdim.families.discrete.bounds.fields`: a hidden variable between two sides, GL(k) acting on its states;
- the small maps below: all fields of a map around hidden variables, once the rank of that map is proved;
- `algdim.families.discrete.bounds.polynomialfields`: polynomial fields of small degree around one hidden variable;
- `algdim.families.discrete.bounds.tablefields`: all fields that move one table alone;
- `algdim.families.discrete.bounds.circuits`: polynomial fields around a few of them that move few parameters.

A small map around some hidden variables gives all directions that leave it as it is, once its rank is proved. Let F be the local map of a set S of hidden variables: the sum over S of the tables that contain S, all other variables
open. The observed distribution is a function of F and of parameters that do not occur in it. Let r be a proved upper
bound of the generic rank of F's Jacobian. If the rank modulo p at a point is r too, an r-minor is a unit of the local
ring of the point and all greater minors vanish, so the kernel of the Jacobian over that ring is a direct summand, and
its reduction is the kernel modulo p: every vector of the kernel modulo p is the value of a rational field v with
dF·v ≡ 0 (lemma "symmetry" in proofs/lemmas.md). F is itself a model, so any upper bound of a dimension can prove r.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algdim.bound.bounds import UPPER, Bound, prove_bound
from algdim.bound.searches import Directions, check_tangent
from algdim.bound.strategy import Effort, Finding, find_both_bounds
from algdim.errors import join_names
from algdim.exact.arithmetic import Array, Residues
from algdim.exact.draws import describe_draw, format_point_label
from algdim.families.discrete.bounds.chainfields import CHAIN, find_chain_fields
from algdim.families.discrete.bounds.circuits import FEW, Circuits
from algdim.families.discrete.bounds.directions import (
    Known,
    Point,
    compute_right_kernel,
    compute_shape_key,
    draw_point,
    find_movable_factors,
    rank_of,
)
from algdim.families.discrete.bounds.fields import iterate_exchanged_states, iterate_two_sided_fields
from algdim.families.discrete.bounds.flattenings import bound_by_flattenings
from algdim.families.discrete.bounds.polynomialfields import PolynomialFields
from algdim.families.discrete.bounds.search import Setting, make_closed_setting
from algdim.families.discrete.bounds.tablefields import TableFields
from algdim.families.discrete.districts import build_slice, build_surroundings, keeps_names
from algdim.families.discrete.functionals import select_all_cells
from algdim.families.discrete.locals.table import FREE
from algdim.families.discrete.map import ParamMap, get_param_map
from algdim.families.discrete.model import Network
from algdim.figures import format_count, format_integer
from algdim.jacobian import evaluate_jacobian
from algdim.limits import count_work, has_work
from algdim.maps import Map

Search = Callable[[Setting], Bound | None]

KIND = "symmetry"
NORMAL_FORM, MARGINS = "normal-form", "margins"

SIMPLE = ("counting", "ambient")
OF_SMALL_MAPS = ("containing", "flattenings")

MOST_SETS = 2000
"""Sets of hidden variables that are looked at, of each size."""

MOST_JACOBIANS = 100
"""Local maps whose rank is taken; those that repeat a shape without symmetries do not count."""

MOST_WORK = 1 << 28
SEARCH_WORK = 1 << 23
"""For bounds of local maps about this many multiplications are spent in all, and this many at least for each."""

MOST_CELLS = 2048
MOST_ENTRIES = 1 << 20
MOST_PARAMETERS = 1024
"""Local maps of whose slices one has more cells or parameters, or a larger Jacobian, are not looked at."""
WORK_OF_A_MAP, WORK_OF_A_PROOF = 1 << 27, 1 << 28
"""What it takes to make a local map and its matrix, and to look for a proof of its rank, in multiplications: counted of the work that searches share."""
MOST_IN_ALL = 1 << 22
"""Entries of the Jacobian of all slices."""


@dataclass(frozen=True, slots=True)
class Proof:
    """The generic rank of a local map and what proves it.

    "complete": no distribution of these variables given the others has more. "bound": an upper bound of the model in
    which the variables conditioned on are free roots, which add ``roots`` dimensions.
    """

    rank: int
    evidence: dict[str, Any]


class LocalMaps:
    """Goes through sets of hidden variables and remembers, shape by shape, what was found out."""

    def __init__(self, setting: Setting, point: Point, searches: Sequence[Search]) -> None:
        self.setting, self.point, self.searches = setting, point, searches
        self.model = setting.pmap.model
        self.numbers = {name: number for number, name in enumerate(setting.pmap.parameters)}
        self.proofs: dict[Any, Proof | None] = {}
        self.jacobians = self.work = 0

    def around(self, size: int, known: Sequence[Known]) -> Iterator[Known]:
        """The directions of the local maps of all connected sets of this many hidden variables, given those known."""
        known = list(known)
        for chosen in iterate_connected_sets(self.model, size):
            if self.jacobians >= MOST_JACOBIANS or not has_work():
                return
            found = self.of(chosen, known)
            if found is not None:
                known.append(found)
                yield found

    def of(self, chosen: frozenset[str], known: Sequence[Known]) -> Known | None:
        """The kernel of one local map, if its rank is proved and the kernel holds more than is known."""
        model = build_local_model(self.model, chosen)
        key = compute_shape_key(model) if model is not None else None
        if model is None or (key in self.proofs and self.proofs[key] is None):
            return None
        pmap = get_param_map(model)
        slices = find_slice_variables(model)
        count = prod(model.states[name] for name in slices)
        width, cells = len(pmap.parameters) // count, pmap.cells // count
        if not 0 < width <= MOST_PARAMETERS or cells > MOST_CELLS or cells * width > MOST_ENTRIES:
            return None
        if cells * width * count**2 > MOST_IN_ALL:
            return None
        self.jacobians += 1
        count_work(WORK_OF_A_MAP + count * cells * width * min(cells, width))
        parameters, rank, kernel = compute_local_kernel(pmap, self.point, self.numbers)
        inside = [one.directions for one in known if one.hidden <= chosen]
        if len(kernel) == rank_of(inside, self.point.prime):
            if not len(kernel):
                self.proofs[key] = None
            return None
        if key not in self.proofs:
            self.proofs[key] = self.prove_rank_of_slices(chosen, pmap, rank, slices)
        proof = self.proofs[key]
        if proof is None or proof.rank != rank:
            return None
        evidence = {
            "type": "local map",
            "hidden": sorted(chosen),
            "variables": [variable.name for variable in model.variables],
            "given": list(model.given),
            "parameters": len(pmap.parameters),
            "rank": rank,
            **proof.evidence,
        }
        return Known(chosen, Directions(parameters, kernel, "+".join(sorted(chosen)), evidence))

    def prove_rank_of_slices(
        self, chosen: frozenset[str], pmap: ParamMap, rank: int, slices: Sequence[str]
    ) -> Proof | None:
        """The rank of a local map from that of a slice."""
        if not slices and len(chosen) == len(self.model.hidden) and rank < pmap.complete:
            return None  # the local map of all hidden variables is the model
        if not slices or rank == pmap.complete:
            return self.prove_rank(chosen, pmap, rank)
        count = prod(pmap.model.states[name] for name in slices)
        one = self.prove_rank(chosen, get_param_map(build_slice(pmap.model, slices)), rank // count)
        return None if one is None else Proof(count * one.rank, {**one.evidence, "slices": list(slices)})

    def prove_rank(self, chosen: frozenset[str], pmap: ParamMap, rank: int) -> Proof | None:
        """The rank of a local map and why it is no greater generically."""
        if rank == pmap.complete:
            return Proof(rank, {"proof": "complete"})
        work = pmap.cells * (pmap.complete - rank) ** 2 + SEARCH_WORK
        if self.work + work > MOST_WORK:
            return None
        self.work += work
        count_work(WORK_OF_A_PROOF + work)
        setting, extra = make_closed_setting(
            pmap, rank, self.setting.seed, (*self.setting.labels, "local", *sorted(chosen))
        )
        for search in self.searches:
            bound = search(setting)
            if bound is not None and bound.is_proved and bound.value - extra == rank:
                return Proof(rank, {"proof": "bound", "bound": bound.to_dict(), "roots": extra})
        return None


def examine_local_maps(
    pmap: ParamMap, bound: Bound, effort: Effort, labels: tuple[str, ...]
) -> tuple[tuple[Map, Finding], ...]:
    """The local maps from which a bound by symmetry has its directions, with what is found of each.

    The search has looked at a point of the model; that the rank there is the generic one is a proof of its own.
    """
    found: dict[tuple[str, ...], tuple[Map, Finding]] = {}
    for field in bound.evidence["fields"] if bound.kind in (KIND, NORMAL_FORM) else ():
        if field["type"] in (FEW, CHAIN):
            continue
        inside = {field["hidden"]} if isinstance(field["hidden"], str) else {*field["hidden"]}
        hidden = tuple(variable.name for variable in pmap.model.hidden if variable.name in inside)
        network = build_local_model(pmap.model, frozenset(hidden))
        if network is None or hidden in found:
            continue
        # the local map of all hidden variables may be the model itself, of which the same bounds would be found again and again
        is_same = network == pmap.model
        by_fields = (NORMAL_FORM, "surroundings") if bound.kind == NORMAL_FORM or is_same else ()
        left_out = (*SIMPLE, KIND, "supermodels", *by_fields)
        names = (*SIMPLE, *(name for name in effort.bounds if name not in left_out))
        local, inner = get_param_map(network), field["bound"]["evidence"]["kind"] if "bound" in field else None
        # first what `surroundings` has found, with what local maps of the local map may need
        first = ((*SIMPLE, *OF_SMALL_MAPS, inner),) if inner in (NORMAL_FORM, MARGINS) and not is_same else ()
        for tried in (*first, names):
            finding = find_both_bounds(local, effort._replace(bounds=tried), (*labels, "local", *hidden))
            found[hidden] = (local, finding)
            if finding.upper.is_proved and finding.upper.value == finding.lower.value:
                break
    return tuple(found.values())


def compute_local_kernel(
    local: ParamMap, point: Point, numbers: Mapping[str, int]
) -> tuple[NDArray[np.intp], int, NDArray[np.int64]]:
    """The parameters of a local map, the rank of its Jacobian at a point of the model, and the directions that this takes to zero."""
    parameters = np.array([numbers[name] for name in local.parameters], dtype=np.intp)
    jacobian = compute_local_jacobian(local, point, parameters)
    return parameters, *compute_kernel_of_slices(local, jacobian, find_slice_variables(local.model), point.prime)


def find_slice_variables(model: Network) -> tuple[str, ...]:
    """Variables conditioned on that are parents of all that are not, if all tables are free: each of their states has parameters of its own.

    >>> from algdim.models.notation import parse
    >>> find_slice_variables(parse("A -> H; A, B, H -> X; hidden H; given A, B"))
    ('A',)
    """
    inside = [one for one in model.variables if one.name not in model.given]
    if any(one.local != FREE for one in inside):
        return ()
    return tuple(name for name in model.given if all(name in one.parents for one in inside))


def compute_kernel_of_slices(pmap: ParamMap, jacobian: Array, slices: Sequence[str], prime: int) -> tuple[int, Any]:
    """The rank and a basis of the right kernel, slice by slice: each has rows and columns of its own."""
    places = [place for place, axis in enumerate(pmap.observed) if pmap.model.variables[axis].name in slices]
    if not places:
        return compute_right_kernel(jacobian, prime)
    states = np.indices(pmap.shape).reshape(len(pmap.shape), -1)[places]
    _, number = np.unique(states, axis=1, return_inverse=True)
    number = number.ravel()
    rank, rows, seen = 0, [], np.zeros(jacobian.shape[1], dtype=np.intp)
    for one in range(number.max() + 1):
        block = jacobian[number == one]
        columns = np.flatnonzero(block.any(axis=0))
        more, kernel = compute_right_kernel(np.ascontiguousarray(block[:, columns]), prime)
        row = np.zeros((len(kernel), jacobian.shape[1]), dtype=np.int64)
        row[:, columns] = kernel
        rows.append(row)
        seen[columns] += 1
        rank += more
    if seen.max() > 1:
        raise RuntimeError("a parameter enters several slices")
    rows.append(np.eye(jacobian.shape[1], dtype=np.int64)[seen == 0])
    return rank, np.vstack(rows)


def compute_local_jacobian(pmap: ParamMap, point: Point, parameters: Any) -> Any:
    """The Jacobian of a local map at the point, as residues."""
    arithmetic = Residues(point.prime)
    return evaluate_jacobian(pmap, arithmetic, arithmetic.elements(point.values[parameters]), select_all_cells(pmap))


def build_local_model(model: Network, chosen: frozenset[str]) -> Network | None:
    """The surroundings of the hidden variables chosen, ``None`` if a parameter of theirs may occur elsewhere."""
    around = (v for v in model.variables if v.name in chosen or chosen.intersection(v.parents))
    is_own = all(variable.local.share is None for variable in around) and keeps_names(model, chosen)
    return build_surroundings(model, chosen) if is_own else None


def iterate_connected_sets(model: Network, size: int) -> Iterable[frozenset[str]]:
    """Sets of this many hidden variables that are connected by common tables, at most `MOST_SETS`.

    >>> from algdim.models.notation import parse
    >>> [sorted(chosen) for chosen in iterate_connected_sets(parse("F -> G -> H -> X; hidden F, G, H"), 2)]
    [['F', 'G'], ['G', 'H']]
    """
    with_children = {parent for parent, _ in model.edges}
    hidden = [variable.name for variable in model.hidden if variable.name in with_children]
    links: dict[str, set[str]] = {name: set() for name in hidden}
    for variable in model.variables:
        together = [name for name in (*variable.parents, variable.name) if name in links]
        for name in together:
            links[name].update(together)
    found = dict.fromkeys(frozenset([name]) for name in hidden[:MOST_SETS])
    for _ in range(size - 1):
        larger: dict[frozenset[str], None] = {}
        for chosen in found:
            for name in sorted(set().union(*(links[one] for one in chosen)) - chosen):
                larger[chosen | {name}] = None
            if len(larger) > MOST_SETS:
                break
        found = larger
    return list(found)[:MOST_SETS]


MOST_HIDDEN = 3000
"""Models with more hidden axes are not searched."""

MOST_TOGETHER = 3
"""Local maps sum over this many hidden variables at most."""

MOST_SIFTED = 40
"""Of more lists of directions than these, none is left out of the evidence."""

MOST_SHOWN = 4


def bound_by_symmetry(setting: Setting) -> Bound | None:
    """The number of parameters minus the rank of the fields found, or ``None`` if no field was found."""
    hidden = find_hidden_axes(setting)
    parameters = len(setting.pmap.parameters)
    if not 0 < len(hidden) <= MOST_HIDDEN or setting.lower >= parameters:
        return None
    point = draw_point(setting)
    known: list[Known] = []
    rank = 0
    for source in iterate_field_sources(setting, point, hidden):
        more = source(known)
        if more:
            known += more
            rank = rank_of([one.directions for one in known], point.prime)
        if parameters - rank <= setting.lower or not has_work():
            break
    if not rank:
        return None
    found = drop_idle_directions([one.directions for one in known], point.prime)
    check_tangent(setting, point.prime, point.values, found)
    return make_symmetry_bound(setting, point, found, rank)


def iterate_field_sources(
    setting: Setting, point: Point, hidden: dict[int, list[int]]
) -> Iterator[Callable[[Sequence[Known]], list[Known]]]:
    """What supplies fields, given those that are known; cheap ones first."""
    yield from iterate_plain_sources(setting, point, hidden)
    tables = TableFields(point, setting.lower)
    for size in range(1, MOST_TOGETHER + 1):
        yield partial(lambda known, size: list(iterate_table_fields(tables, size, known)), size=size)
    circuits = Circuits(point, setting.lower)
    for size in range(1, MOST_TOGETHER + 1):
        yield partial(lambda known, size: list(iterate_circuits(circuits, size, known)), size=size)


def iterate_plain_sources(
    setting: Setting, point: Point, hidden: dict[int, list[int]]
) -> Iterator[Callable[[Sequence[Known]], list[Known]]]:
    """Those that find fields by formulas, local maps and linear algebra."""
    movable = find_movable_factors(point.pmap)

    def list_fields(iterate_fields: Callable[..., Iterator[Directions]], _: Sequence[Known]) -> list[Known]:
        return [
            Known(frozenset([directions.text]), directions)
            for axis, factors in hidden.items()
            for directions in iterate_fields(point, axis, factors, movable)
        ]

    yield lambda _: find_chain_fields(point)
    yield partial(list_fields, iterate_exchanged_states)
    yield partial(list_fields, iterate_two_sided_fields)
    local = LocalMaps(setting, point, (bound_by_flattenings,))
    yield lambda known: list(local.around(1, known))
    polynomial = PolynomialFields(point)
    yield lambda known: list(polynomial.around_each(known))
    for size in range(2, MOST_TOGETHER + 1):
        yield partial(lambda known, size: list(local.around(size, known)), size=size)


def iterate_table_fields(tables: TableFields, size: int, known: Sequence[Known]) -> Iterator[Known]:
    """The fields that move one table around all connected sets of this many hidden variables, given those known."""
    known = list(known)
    rank = rank_of([one.directions for one in known], tables.point.prime)
    for pmap, chosen in iterate_polynomial_maps(tables.point.pmap.model, size):
        for found in tables.of(pmap, chosen, known, rank):
            known.append(found)
            rank += len(found.directions.matrix)
            yield found


def iterate_polynomial_maps(model: Network, size: int) -> Iterator[tuple[ParamMap, frozenset[str]]]:
    """The local maps of connected sets of hidden variables: identities are of polynomials, tables that are quotients of them are left to other fields."""
    for chosen in iterate_connected_sets(model, size):
        local = build_local_model(model, chosen)
        pmap = None if local is None else get_param_map(local)
        if pmap is not None and pmap.is_polynomial:
            yield pmap, chosen


def iterate_circuits(circuits: Circuits, size: int, known: Sequence[Known]) -> Iterator[Known]:
    """The fields that move few parameters around all connected sets of this many hidden variables, given those known."""
    known = list(known)
    for pmap, chosen in iterate_polynomial_maps(circuits.point.pmap.model, size):
        found = circuits.of(pmap, chosen, known)
        if found is not None:
            known.append(found)
            yield found


def find_hidden_axes(setting: Setting) -> dict[int, list[int]]:
    """The hidden and auxiliary axes, and the factors around each."""
    pmap = setting.pmap
    around: dict[int, list[int]] = {axis: [] for axis in range(len(pmap.sizes)) if axis not in set(pmap.observed)}
    for number, factor in enumerate(pmap.factors):
        for axis in factor.axes:
            if axis in around:
                around[axis].append(number)
    return around


def drop_idle_directions(found: list[Directions], prime: int) -> list[Directions]:
    """The directions without those that add nothing to the ones before them; long lists are left as they are."""
    found = [directions for directions in found if directions.matrix.any()]
    if len(found) > MOST_SIFTED:
        return found
    kept: list[Directions] = []
    rank = 0
    for directions in found:
        more = rank_of([*kept, directions], prime)
        if more > rank:
            kept.append(directions)
            rank = more
    return kept


def make_symmetry_bound(setting: Setting, point: Point, found: Sequence[Directions], rank: int) -> Bound:
    """What fields of this rank prove."""
    parameters = len(point.values)
    where = join_names(dict.fromkeys(directions.text for directions in found), most=MOST_SHOWN)
    return prove_bound(
        parameters - rank,
        UPPER,
        KIND,
        f"{format_integer(parameters)} − {format_integer(rank)}; {format_count(rank, 'direction')} around {where} in which nothing observed changes",
        "symmetry",
        *(["chains"] if any(directions.evidence["type"] == CHAIN for directions in found) else []),
        evidence={
            "prime": point.prime,
            "point": point.label,
            "parameters": parameters,
            "rank": rank,
            "fields": [directions.evidence for directions in found],
        },
        at=describe_draw(format_point_label(setting.seed, point.label), point.prime),
    )
