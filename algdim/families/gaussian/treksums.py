"""The trek-sum rule written out: every covariance is the sum over its treks of the products of the entries on them.

A mean is the sum over the directed paths into its variable, each times the intercept of its first one. Products are not
merged, so that each line is one trek; entries that are fixed to 1 are left out of them, other fixed entries are numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from algdim.errors import LimitError
from algdim.families.contract import PathTerm, PathTerms
from algdim.families.gaussian.map import GaussianMap
from algdim.families.gaussian.model import Entry
from algdim.families.gaussian.treks import MOST_TREKS, Trek, build_doubled_graph, iterate_paths, list_treks


def list_trek_terms(gmap: GaussianMap, most: int | None = None) -> tuple[PathTerms, ...]:
    """The terms of the first coordinates, or of all; nothing for models with cycles, whose treks have no end.

    >>> from algdim.families.gaussian.map import get_gaussian_map
    >>> from algdim.models.notation import parse
    >>> gmap = get_gaussian_map(parse("gaussian: H -> A, B; hidden H; means off"))
    >>> [(term.product, term.path) for term in list_trek_terms(gmap)[1].terms]
    [('b(H->A)·v(H)·b(H->B)', 'A <- H -> B')]
    """
    if not gmap.is_polynomial:
        return ()
    every = iterate_all_terms(gmap)
    return tuple(every) if most is None else tuple(terms for terms, _ in zip(every, range(most), strict=False))


def iterate_all_terms(gmap: GaussianMap) -> Iterator[PathTerms]:
    """The terms coordinate by coordinate, covariances first."""
    names = [variable.name for variable in gmap.model.observed]
    for one, other in zip(*gmap.pairs, strict=True):
        treks = list_treks(gmap.model, names[one], names[other])
        yield PathTerms(tuple(PathTerm(format_trek_product(gmap, trek), str(trek)) for trek in treks), "no trek")
    for name in names[: gmap.means]:
        yield compute_mean_terms(gmap, name)


def format_trek_product(gmap: GaussianMap, trek: Trek) -> str:
    """The entries on a trek, in its order."""
    left, right = trek.left, trek.right
    up = reversed([("b", *edge) for edge in pairwise(left)])
    return format_factors(
        gmap, [*up, get_error_entry(gmap, left[0], right[0]), *(("b", *edge) for edge in pairwise(right))]
    )


def get_error_entry(gmap: GaussianMap, one: str, other: str) -> Entry:
    """The variance of an error, or the covariance of two under the name that the model has for it."""
    if one == other:
        return ("v", one)
    return ("c", one, other) if (one, other) in gmap.model.bidirected else ("c", other, one)


def format_factors(gmap: GaussianMap, entries: list[Entry]) -> str:
    """A product of parameters and fixed numbers."""
    texts = []
    for entry in entries:
        value = gmap.value_of.get(entry)
        if entry in gmap.linear:
            texts.append(f"({format_sum(gmap, entry)})")
        elif value is None:
            texts.append(gmap.parameters[gmap.number_of[entry]])
        elif value != 1:
            texts.append(str(value) if value > 0 and value.denominator == 1 else f"({value})")
    return "·".join(texts) or "1"


def format_sum(gmap: GaussianMap, entry: Entry) -> str:
    """An entry that is linear in parameters."""
    constant, terms = gmap.linear[entry]
    found = str(constant) if constant else ""
    for number, factor in terms.items():
        sign = (" - " if factor < 0 else " + ") if found else "-" * (factor < 0)
        found += f"{sign}{f'{abs(factor)} ' if abs(factor) != 1 else ''}{gmap.parameters[number]}"
    return found


def compute_mean_terms(gmap: GaussianMap, name: str) -> PathTerms:
    """The terms of a mean."""
    graph = build_doubled_graph(gmap.model)
    goal, count = 2 * graph.count, graph.count
    found: list[PathTerm] = []
    for path in iterate_paths(graph, graph.number(name) + count, goal, graph.reaching(goal)):
        if len(found) == MOST_TREKS:
            raise LimitError(f"there are more than {MOST_TREKS} paths into {name}; take a smaller model")
        up = [graph.names[vertex - count] for vertex in path[:-1]]
        edges = [("b", parent, child) for child, parent in pairwise(up)]
        found.append(PathTerm(format_factors(gmap, [*edges, ("m", up[-1])]), " <- ".join([*up, "1"])))
    return PathTerms(tuple(found), "no path from 1")
