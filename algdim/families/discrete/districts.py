"""Districts: the connected components that are left if only edges out of hidden variables count; the dimension by districts.

So an observed variable is alone in its district if no hidden variable points at it. Each district has a kernel, the
distribution of its observed members given their observed parents outside, and all kernels multiply to what is observed.
So their dimensions add up to an upper bound. The sum is the dimension itself under two conditions (lemma "districts"):
districts have no parameter in common, and a kernel's entry is dropped if every observed cell that contains it is the zero
polynomial. Districts with a common parameter are joined first; which entries to drop is found exactly, by asking which sums
of products of positive entries have a term at all.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from itertools import chain
from math import prod

import numpy as np
from numpy.typing import NDArray

from algdim.bound.bounds import LOWER, Bound, choose_least, prove_bound
from algdim.bound.counting import bound_by_count
from algdim.bound.strategy import ENTRIES, Effort, Finding
from algdim.families.contract import Counted, Graph, Node, Part, make_part
from algdim.families.discrete.bounds.search import bound_by_cells, find_support, has_zeros
from algdim.families.discrete.functionals import select_marginal_cells
from algdim.families.discrete.locals import get_local_kind
from algdim.families.discrete.locals.table import FREE, Table
from algdim.families.discrete.map import ParamMap, get_param_map
from algdim.families.discrete.model import Network, Variable, find_ancestors
from algdim.figures import format_count
from algdim.models.graphs import find_components

Members = tuple[str, ...]


@lru_cache(1 << 8)
def find_districts(model: Network) -> tuple[Members, ...]:
    """The districts, each in the model's order; variables conditioned on belong to none.

    >>> from algdim.models.notation import parse
    >>> find_districts(parse("A -> C <- H -> D <- B; hidden H"))
    (('A',), ('C', 'H', 'D'), ('B',))
    """
    hidden = {variable.name for variable in model.hidden}
    links = [(parent, child) for parent, child in model.edges if parent in hidden]
    return find_components([v.name for v in model.variables if v.name not in model.given], links)


def group_overlapping_sets(sets: Sequence[Iterable[Hashable]]) -> tuple[tuple[int, ...], ...]:
    """The sets, by number, in groups: two that have a member in common are in one.

    >>> group_overlapping_sets(["ab", "c", "bd"])
    ((0, 2), (1,))
    """
    first: dict[Hashable, int] = {}
    links = [(first.setdefault(member, number), number) for number, members in enumerate(sets) for member in members]
    return find_components(range(len(sets)), links)


def build_kernel(model: Network, members: Iterable[str]) -> Network:
    """The model of the members' observed variables given their parents outside, which become roots without parameters.

    >>> from algdim.models.notation import parse
    >>> small = build_kernel(parse("A -> C <- H -> D <- B; hidden H"), ("C", "H", "D"))
    >>> [variable.name for variable in small.variables], small.given
    (['A', 'C', 'H', 'D', 'B'], ('A', 'B'))
    """
    inside = set(members)
    outside = {
        parent for variable in model.variables if variable.name in inside for parent in variable.parents
    } - inside
    variables = tuple(
        variable if variable.name in inside else Variable(variable.name, variable.states)
        for variable in model.variables
        if variable.name in inside or variable.name in outside
    )
    return Network(variables, tuple(variable.name for variable in variables if variable.name in outside))


def build_surroundings(model: Network, chosen: Iterable[str]) -> Network | None:
    """The hidden variables chosen, their children, and the parents of these; all but the chosen ones are observed.

    Variables that are parents only are conditioned on. ``None`` if a variable that becomes observed has one state, or if
    no variable but the chosen ones is left to have a distribution.

    >>> from algdim.models.notation import parse
    >>> local = build_surroundings(parse("A -> G -> H -> X; B -> X; hidden G, H"), ["H"])
    >>> [variable.name for variable in local.variables], local.given
    (['G', 'H', 'X', 'B'], ('G', 'B'))
    """
    hidden = set(chosen)
    inside = {v.name for v in model.variables if v.name in hidden or hidden.intersection(v.parents)}
    outside = {parent for v in model.variables if v.name in inside for parent in v.parents} - inside
    variables = tuple(
        replace(v, observed=v.name not in hidden) if v.name in inside else Variable(v.name, v.states)
        for v in model.variables
        if v.name in inside or v.name in outside
    )
    if inside == hidden or any(v.observed and v.states < 2 for v in variables):
        return None
    return Network(variables, tuple(v.name for v in variables if v.name in outside))


def build_slice(model: Network, names: Sequence[str]) -> Network:
    """The network in one joint state of some variables: their children have free tables without them.

    >>> from algdim.models.notation import parse
    >>> str(build_slice(parse("A, B -> X; B -> Y"), ("A",)))
    'B -> X, Y'
    """
    left = [
        Variable(one.name, one.states, one.observed, tuple(name for name in one.parents if name not in names))
        if not set(names).isdisjoint(one.parents)
        else one
        for one in model.variables
        if one.name not in names
    ]
    return Network(tuple(left), tuple(name for name in model.given if name not in names))


def keeps_names(model: Network, chosen: Iterable[str]) -> bool:
    """Whether these hidden variables and their children have no name of an entry, nor anything else, in common with other variables.

    Names that occur in their tables alone are tied, if at all, to such names alone.
    """
    hidden = set(chosen)
    inside: set[str] = set()
    outside: set[str] = set()
    for variable in model.variables:
        is_inside = variable.name in hidden or not hidden.isdisjoint(variable.parents)
        (inside if is_inside else outside).update(list_ties(variable))
    return inside.isdisjoint(outside)


def list_ties(variable: Variable) -> Iterable[str]:
    """The names of entries of a variable, or of what else it may have in common with others."""
    if isinstance(variable.local, Table):
        return [label for _, label in variable.local.equal]
    return get_local_kind(variable.local.kind).ties(variable)


def build_network_graph(model: Network, *, frames: bool = True) -> Graph:
    """The arrows, with districts of more than one variable in frames."""
    nodes = tuple(Node(one.name, str(one.states), one.observed) for one in model.variables)
    large = tuple(part for part in find_districts(model) if len(part) > 1) if frames else ()
    return Graph(nodes, model.edges, frames=large)


MOST_CELLS = 1 << 16
"""Kernels with more cells are not searched for entries that vanish; the model is then taken as a whole."""


def split(model: Network, whole: ParamMap, ties: Network) -> tuple[Part, ...]:
    """The parts whose dimensions add up to the model's: one per district, or per group of districts that share."""
    found = find_districts(model)
    if len(found) == 1:
        return (make_part(whole),)
    apart = [make_district(build_kernel(model, members), ties) for members in found]
    # free tables have parameters of their own
    groups = group_overlapping_sets([() if part.counted else part.pmap.parameters for part in apart])
    joined = [len(group) > 1 for group in groups]
    parts = [
        apart[group[0]]
        if len(group) == 1
        else make_part(
            get_param_map(build_kernel(model, chain(*(found[i] for i in group))), ties),
            "districts that share parameters",
        )
        for group in groups
    ]
    if len(parts) == 1:
        return (make_part(whole),)
    if not has_zeros(whole):
        return tuple(parts)
    maps = [part.pmap for part in parts]
    if any(pmap.cells > MOST_CELLS for pmap in maps):
        return (make_part(whole, "not split: some entries are zero and a kernel is too large to search"),)
    kept = [find_extending_cells(pmap, whole) for pmap in maps]
    if any(
        is_joined and not has_all_cells(pmap, cells) for pmap, cells, is_joined in zip(maps, kept, joined, strict=True)
    ):
        return (make_part(whole, "not split: districts share parameters and entries of their kernels vanish"),)
    return tuple(cut_kernel_to_cells(part, cells) for part, cells in zip(parts, kept, strict=True))


def make_district(kernel: Network, ties: Network) -> Part:
    """The part of a kernel: a free table of observed variables is counted, and its map made only if it is asked for."""
    free = [variable for variable in kernel.variables if variable.name not in kernel.given]
    make_map = partial(get_param_map, kernel, ties)
    if len(free) > 1 or not free[0].observed or free[0].local != FREE:
        return make_part(make_map())
    rows = prod(kernel.states[parent] for parent in free[0].parents)
    count = rows * (free[0].states - 1)
    return Part(kernel, make_map, counted=Counted(count, count, partial(find_table_bounds, rows, free[0].states)))


def find_table_bounds(rows: int, states: int, effort: Effort) -> Finding | None:
    """The finding for a free table with so many rows, unless a method or bounds are asked for that ask for its map."""
    count = rows * (states - 1)
    known = {
        "counting": bound_by_count(count),
        "ambient": bound_by_cells(rows * states, count, is_conditional=rows > 1),
    }
    proved = choose_least(known[name] for name in effort.bounds if name in known)
    return None if proved is None or effort.method != "auto" else make_entries_finding(count, proved)


def make_entries_finding(count: int, proved: Bound, what: str = "entries of the kernel") -> Finding:
    """The finding for a table whose parameters are its entries, as many as the upper bound."""
    entries = prove_bound(count, LOWER, ENTRIES, f"its parameters are {what}", "generic rank")
    return Finding(entries, proved, ENTRIES)


def find_extending_cells(pmap: ParamMap, whole: ParamMap) -> NDArray[np.intp]:
    """The cells of a kernel that extend to an observed cell of the whole model which is not identically zero.

    Their ancestors say which: of all other variables some state has a positive probability, whatever the ancestors' states.
    """
    names = tuple(variable.name for variable in pmap.model.observed)
    kept = find_ancestors(whole.model, names)
    ancestral = Network(
        tuple(variable for variable in whole.model.variables if variable.name in kept),
        tuple(name for name in whole.model.given if name in kept),
    )
    inside = get_param_map(ancestral)
    axis = {variable.name: number for number, variable in enumerate(ancestral.variables)}
    return np.flatnonzero(find_support(inside, select_marginal_cells(inside, [axis[name] for name in names])))


def has_all_cells(pmap: ParamMap, cells: NDArray[np.intp]) -> bool:
    """Whether all cells of the kernel are kept."""
    return len(cells) == pmap.cells


def cut_kernel_to_cells(part: Part, cells: NDArray[np.intp]) -> Part:
    """The kernel with the cells that extend."""
    pmap = part.pmap
    if has_all_cells(pmap, cells):
        return part
    lost = pmap.cells - len(cells)
    return make_part(
        replace(pmap, kept_coordinates=cells),
        f"left out: {format_count(lost, 'entry')} of the kernel, zero or in no observed cell",
    )
