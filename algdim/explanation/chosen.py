"""What a page shows of a model that is too large for it: some functionals with the whole rank, or a part of the model.

Of very many coordinates, simple functionals are offered by the family, or some coordinates are drawn; modulo a prime those
are chosen that are independent. Where there are too many parameters, the page has a part that the family offers, or else the
marginal distribution of some observed variables: the model in which all others are hidden, without what does not matter to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from algdim.display.results import Compact
from algdim.errors import AlgdimError
from algdim.exact.arithmetic import Residues
from algdim.exact.draws import draw_integers, draw_residues, open_stream
from algdim.exact.ranks import rank_mod
from algdim.explanation.samplepoint import Standing, evaluate_at_random_point
from algdim.families import load_explaining, load_family
from algdim.families.contract import CoordinateRecord, SmallerModel, name_margin
from algdim.jacobian import ChosenMap, evaluate_jacobian, make_evaluator
from algdim.maps import Functionals, Map, map_of
from algdim.models.anymodel import AnyModel
from algdim.models.graphs import iterate_ancestral_sets
from algdim.plots.networkdrawing import get_model_graph
from algdim.rank import find_usable_prime
from algdim.report import Report, dimension

FEW = 24
"""At least so many functionals are offered."""
TIMES = (4, 16)
"""So many times as many as there are parameters."""
MOST_LISTED = 100_000
"""Of coordinates whose names are listed."""
MOST_OFFERED = 2_000_000
"""Entries of the Jacobian modulo a prime of all coordinates."""
MOST_COLUMNS, MOST_CHOSEN = 150, 20_000
"""Parameters of a Jacobian with the whole rank, and its entries."""
MOST_PART = 1500
"""Entries of the Jacobian of a part."""
MOST_TRIED = 12
"""Parts that are tried, each with a variable more."""


def evaluate_chosen_coordinates(pmap: Map, rank: int, seed: int | str = 0) -> Standing | None:
    """A map of very many coordinates at a random point, with as many functionals as its rank, and of that rank.

    >>> from algdim.models.notation import parse
    >>> found = evaluate_chosen_coordinates(map_of(parse("2:2^60")), 121)
    >>> found.rank, found.pmap.coordinate_count, found.pmap.coordinates()[0]
    (121, 121, 'P(X1=0)')
    """
    width = pmap.parameter_count
    if not rank or width > MOST_COLUMNS or rank * width > MOST_CHOSEN:
        return None
    prime = find_usable_prime(pmap, seed, "chosen")
    arithmetic, evaluator = Residues(prime), make_evaluator(pmap)
    point = arithmetic.elements(draw_residues(open_stream(seed, "point", "chosen"), prime, width))
    for times in TIMES:
        offered = offer_coordinates(pmap, max(FEW, times * width), seed)
        if offered is None:
            return None
        functionals, records = offered
        rows = rank_mod(evaluate_jacobian(pmap, arithmetic, point, functionals, evaluator=evaluator), prime).rows
        if len(rows) == rank:
            chosen = ChosenMap(pmap, functionals.select(sorted(rows)), tuple(records[row] for row in sorted(rows)))
            found = evaluate_at_random_point(chosen, seed, MOST_CHOSEN)
            if found.rank == rank and found.inside:
                return replace(found, left_out=pmap.coordinate_count - rank)
    return None


def offer_coordinates(pmap: Map, count: int, seed: int | str) -> tuple[Functionals, Sequence[CoordinateRecord]] | None:
    """The functionals that the family offers, or so many coordinates, all if they are not more."""
    offer = load_explaining(pmap.model.family).offer_coordinates
    if offer is not None:
        return offer(pmap, count, open_stream(seed, "coordinates", count))
    if pmap.coordinate_count > MOST_LISTED:
        return None
    everything, records = make_evaluator(pmap).all_coordinates(), pmap.coordinate_records()
    if len(records) <= max(count, MOST_OFFERED // pmap.parameter_count):
        return everything, records
    drawn = draw_integers(open_stream(seed, "coordinates", count), 0, len(records) - 1, 2 * count)
    numbers = sorted(dict.fromkeys(map(int, drawn[:count])))
    return everything.select(numbers), [records[number] for number in numbers]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ShownPart(Compact):
    """A part of a model, its dimension, its map at a point."""

    smaller: SmallerModel
    report: Report
    standing: Standing

    @property
    def name(self) -> str:
        """What it is, in words."""
        return self.smaller.name


def find_part(report: Report, most: int = MOST_PART) -> ShownPart | None:
    """The largest part that a page can show in full: with at most so many entries of the Jacobian."""
    for growing in offer_parts(report.model):
        found = None
        for smaller in islice(growing, MOST_TRIED):
            try:
                pmap = map_of(smaller.model)
                if pmap.coordinate_count * pmap.parameter_count > most:
                    break
                found = smaller, pmap
            except AlgdimError:
                break
        if found is None:
            continue
        smaller, pmap = found
        try:
            return ShownPart(
                smaller, dimension(pmap.model, seed=report.seed), evaluate_at_random_point(pmap, report.seed)
            )
        except AlgdimError:
            continue
    return None


def offer_parts(model: AnyModel) -> Iterator[Iterator[SmallerModel]]:
    """The parts that the family has, or marginal distributions."""
    offer = load_explaining(model.family).offer_parts
    if offer is not None:
        yield from offer(model)
    elif load_family(model.family).can_hide and load_family(model.family).drop_irrelevant is not None:
        yield iterate_margins(model)


def iterate_margins(model: AnyModel) -> Iterator[SmallerModel]:
    """Marginal distributions of observed variables with few ancestors, which they have in common."""
    record: Any = model
    given = set(getattr(record, "given", ()))
    observed = [variable.name for variable in record.variables if variable.observed and variable.name not in given]
    for names in iterate_ancestral_sets(find_parents(model), observed):
        yield name_margin(take_part(model, names), names)


def take_part(model: AnyModel, names: Sequence[str]) -> AnyModel:
    """The model of the marginal distribution of some observed variables, and of what is conditioned on.

    >>> from algdim.models.notation import parse, to_text
    >>> to_text(take_part(parse("H -> A, B, C; A -> D; hidden H"), ["A", "B"]))
    'H -> A, B; hidden H'
    """
    record: Any = model
    kept = {*names, *getattr(record, "given", ())}
    hidden = tuple(
        variable if variable.name in kept or not variable.observed else replace(variable, observed=False)
        for variable in record.variables
    )
    drop = load_family(model.family).drop_irrelevant
    part: AnyModel = replace(record, variables=hidden)
    return part if drop is None else drop(part)[0]


def find_parents(model: AnyModel) -> dict[str, set[str]]:
    """The tails of the arrows at each variable."""
    found: dict[str, set[str]] = {}
    for tail, head in get_model_graph(model).edges:
        found.setdefault(head, set()).add(tail)
    return found
