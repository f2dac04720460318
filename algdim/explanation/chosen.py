"""What a page shows of a model that is too large for it: some functionals with the whole rank, or a part of the model.

Of very many coordinates, simple functionals are offered by the family, or some coordinates are drawn; modulo a prime those
are chosen that are independent. Where there are too many parameters, the page has the marginal distribution of some
observed variables: the model in which all others are hidden, without what does not matter to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from algdim.display.results import Compact
from algdim.errors import AlgdimError, join_names
from algdim.exact.arithmetic import Residues
from algdim.exact.draws import draw_integers, draw_residues, open_stream
from algdim.exact.ranks import rank_mod
from algdim.explanation.samplepoint import Standing, evaluate_at_random_point
from algdim.families import load_explaining, load_family
from algdim.families.contract import CoordinateRecord
from algdim.jacobian import ChosenMap, evaluate_jacobian, make_evaluator
from algdim.maps import Functionals, Map, map_of
from algdim.models.anymodel import AnyModel
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
"""Variables that a part has at most."""


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
    """The marginal distribution of some observed variables: their names, its dimension, its map at a point."""

    names: tuple[str, ...]
    report: Report
    standing: Standing


def name_part(part: ShownPart) -> str:
    """The marginal distribution that is shown, in words."""
    return f"the marginal distribution of {join_names(part.names, most=12)}"


def find_part(report: Report) -> ShownPart | None:
    """The largest part that a page can show in full, of variables with few ancestors, which they have in common."""
    model = report.model
    if not load_family(model.family).can_hide or load_family(model.family).drop_irrelevant is None:
        return None
    found = None
    for names in iterate_prefixes(report):
        try:
            pmap = map_of(take_part(model, names))
            if pmap.coordinate_count * pmap.parameter_count > MOST_PART:
                break
            found = names, pmap
        except AlgdimError:
            break
    if found is None:
        return None
    names, pmap = found
    try:
        return ShownPart(names, dimension(pmap.model, seed=report.seed), evaluate_at_random_point(pmap, report.seed))
    except AlgdimError:
        return None


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


def iterate_prefixes(report: Report) -> Iterator[tuple[str, ...]]:
    """Observed variables, one more each time: first that with the fewest ancestors, then those that add the fewest."""
    record: Any = report.model
    parents = find_parents(report)
    given = set(getattr(record, "given", ()))
    above = {variable.name: find_above(parents, variable.name) for variable in record.variables if variable.observed}
    seen: set[str] = set()
    names: list[str] = []
    rest = [name for name in above if name not in given]
    while rest and len(names) < MOST_TRIED:
        best = min(rest, key=lambda name: len(above[name] - seen))
        rest.remove(best)
        seen |= above[best]
        names.append(best)
        yield tuple(names)


def find_parents(report: Report) -> dict[str, set[str]]:
    """The tails of the arrows at each variable."""
    found: dict[str, set[str]] = {}
    for tail, head in get_model_graph(report.model).edges:
        found.setdefault(head, set()).add(tail)
    return found


def find_above(parents: dict[str, set[str]], name: str) -> set[str]:
    """A variable and its ancestors."""
    found, waiting = {name}, [name]
    while waiting:
        more = parents.get(waiting.pop(), set()) - found
        found |= more
        waiting += more
    return found
