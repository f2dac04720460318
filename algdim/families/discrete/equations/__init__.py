"""The equations that the graph of a discrete network implies: independences, flattenings, Verma-type equations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from algdim.bound.bounds import Bound
from algdim.errors import InputError
from algdim.families.discrete.bounds.equations import Blocks, find_equal_cells, is_worth_it, make_equation_bound, start
from algdim.families.discrete.bounds.flattenings import (
    BoundedRank,
    Flattening,
    Separators,
    bound_ranks,
    is_search_complete,
    list_candidates,
)
from algdim.families.discrete.bounds.search import Setting, compute_saturated_dimension, find_possible_cells
from algdim.families.discrete.equations import independences
from algdim.families.discrete.equations.independences import Independence, Independences, find_independences
from algdim.families.discrete.equations.possiblestates import MOST_CELLS, AllStated, Stated, collect_stated_equations
from algdim.families.discrete.equations.redundancy import MOST_VARIABLES
from algdim.families.discrete.equations.verma import MOST_SUMS, VermaFound, find_verma_equations
from algdim.families.discrete.locals.table import FREE
from algdim.families.discrete.map import ParamMap
from algdim.figures import format_count, format_integer
from algdim.limits import has_time, sharpen
from algdim.models.graphs import MixedGraph, is_separated, iterate_positions, project_hidden_variables
from algdim.trust import Trust

MOST_LISTED_CELLS = 1 << 20
"""Of the observed table; of larger ones flattenings are left out."""


@dataclass(frozen=True, slots=True)
class Searched:
    """Whether each list is complete: ``None`` where only zeros, fixed or equal entries could add to it."""

    independences: bool | None
    flattenings: bool
    verma: bool | None


@dataclass(frozen=True, slots=True)
class DiscreteFound:
    """The equations of a network, and what independences and flattenings prove together at a point."""

    names: tuple[str, ...]
    sizes: tuple[int, ...]
    complete: int
    independences: Independences
    ranks: tuple[BoundedRank, ...]
    verma: tuple[Stated, ...]
    bound: Bound | None
    tried: bool
    """Whether the bound was looked for; if not, there are too many cells."""
    exhausted: bool
    """Whether all of them were looked at for the bound; if not, it may not be the best."""
    searched: Searched
    rest: Trust | None
    """That no independence is missing, of those of the graph or, if all tables are free, of the model; ``None`` if that is not known."""
    upper: Trust
    """That the dimension is at most the complete one less the codimension of the bound."""
    notes: tuple[str, ...] = ()
    """What was left out."""
    zeros: int = 0
    """Cells that are structural zeros: equations too, which the bound counts."""


def find_discrete_equations(pmap: ParamMap, seed: int | str) -> DiscreteFound:
    """Independences that imply all others, flattenings that no larger one contains, and the Verma-type equations."""
    model = pmap.model
    if model.given:
        raise InputError("equations are listed for models in which nothing is conditioned on; leave `given` out")
    setting = Setting(pmap, 0, seed, ("constraints",))
    graph = project_hidden_variables(model)
    separations, kernels = find_independences(graph), find_verma_equations(graph, seed)
    verma = collect_stated_equations(pmap, kernels.equations)
    is_free = all(variable.local == FREE for variable in model.variables)
    small = pmap.cells <= MOST_LISTED_CELLS
    separators = Separators(setting) if small else None
    found = tuple(one for one in list_candidates(separators) if not is_in_graph(graph, one)) if separators else ()
    possible = sharpen("which cells are impossible", lambda: find_possible_cells(pmap)) if small else None
    searched = Searched(
        separations.is_complete and (True if is_free else None),
        not model.hidden or (separators is not None and is_search_complete(separators)),
        kernels.is_complete and not kernels.too_large and (True if is_free else None),
    )
    tried = small and is_worth_it(setting, find_equal_cells(setting))
    bound, exhausted = bound_by(setting, separations, found) if tried else (None, False)
    names = tuple(variable.name for variable in model.observed)
    return DiscreteFound(
        names=names,
        sizes=pmap.shape,
        complete=pmap.complete,
        independences=separations,
        ranks=tuple(rank for one in found for rank in bound_ranks(one, names)),
        verma=verma.equations,
        bound=bound,
        tried=tried,
        exhausted=exhausted,
        searched=searched,
        rest=prove_completeness(separations, is_free=is_free),
        upper=compute_saturated_dimension(pmap, seed).trust if bound is None else bound.trust,
        notes=(*describe_omissions(pmap, searched, separations), *describe_verma_omissions(pmap, kernels, verma)),
        zeros=0 if possible is None else int((~possible).sum()),
    )


def prove_completeness(separations: Independences, *, is_free: bool) -> Trust | None:
    """That the list implies all independences of the graph, and of the model where all tables are free."""
    rest = separations.rest
    return rest.noting("all tables are free, so that the model has no others") if rest and is_free else rest


def bound_by(setting: Setting, separations: Independences, found: Sequence[Flattening]) -> tuple[Bound | None, bool]:
    """What the cells that vanish, independences and flattenings prove, and whether all of them were looked at."""
    collector = start(setting, find_equal_cells(setting))
    for equations in [*(convert_to_flattening(setting, one) for one in separations.basis), *found]:
        if not collector.is_done:
            collector.add(equations)
    return make_equation_bound(collector, "flattenings"), collector.basis.missing == 0 or not collector.is_done


def convert_to_flattening(setting: Setting, one: Independence) -> Flattening:
    """An independence as matrices of rank 1."""
    sides = tuple(iterate_positions(one.one)), tuple(iterate_positions(one.other))
    blocks = Blocks(setting.pmap.shape, sides, tuple(iterate_positions(one.given)))
    return Flattening(blocks, (), (1,) * len(blocks.conditions))


def describe_verma_omissions(pmap: ParamMap, found: VermaFound, stated: AllStated) -> list[str]:
    """Which Verma-type equations are left out."""
    notes = []
    if not found.is_complete and len(pmap.observed) <= independences.MOST_OBSERVED and has_time():
        notes.append(f"Verma-type equations: the search ended after {MOST_SUMS} sums of kernels; there may be more")
    if found.too_large:
        notes.append(
            f"{format_count(found.too_large, 'Verma-type equation')} of the graph left out, with more than {MOST_VARIABLES} variables"
        )
    if stated.nowhere:
        notes.append(
            f"{format_count(stated.nowhere, 'Verma-type equation')} of the graph left out: a denominator is identically zero, "
            "because cells are impossible"
        )
    if stated.unknown:
        notes.append(
            f"{format_count(stated.unknown, 'Verma-type equation')} of the graph left out: cells are impossible, and which ones is examined "
            f"for up to {format_integer(MOST_CELLS)} cells of the variables in an equation"
        )
    return notes


def describe_omissions(pmap: ParamMap, searched: Searched, separations: Independences) -> list[str]:
    """What was not looked at."""
    notes = []
    count = len(separations.graph.names)
    if count > independences.MOST_OBSERVED:
        notes.append(
            f"independences and Verma-type equations are left out: there are {count} observed variables, "
            f"at most {independences.MOST_OBSERVED} are examined"
        )
    elif not separations.is_complete:
        notes.append(
            f"independences: the search ended after {independences.MOST_BLANKETS} Markov blankets, so these need not imply all; "
            "the list of pairs is complete"
            if has_time()
            else "independences: the search was not made to its end, so these need not imply all, and pairs may be missing"
        )
    if searched.independences is None:
        notes.append(
            "independences: all that the graph implies; those that only functions, zeros, fixed or equal entries imply "
            "are not looked for"
        )
    if not searched.flattenings and pmap.cells > MOST_LISTED_CELLS:
        notes.append(
            f"flattenings are left out: there are {format_integer(pmap.cells)} cells, at most {MOST_LISTED_CELLS} are examined"
        )
    if not searched.flattenings and pmap.cells <= MOST_LISTED_CELLS:
        notes.append("flattenings: not all separating sets and margins were looked at; there may be more")
    return notes


def is_in_graph(graph: MixedGraph, flattening: Flattening) -> bool:
    """Whether the latent projection separates the blocks, so that the independences say more."""
    one, other, given = (
        sum(1 << place for place in axes) for axes in (*flattening.blocks.blocks, flattening.blocks.fixed)
    )
    return is_separated(graph, one, other, given)


def is_independence(flattening: Flattening) -> bool:
    """Whether a flattening has rank one because nothing hidden lies between."""
    return not flattening.hidden and set(flattening.counts) == {1}
