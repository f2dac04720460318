"""The generators: from ranges of quantities to models in the notation, each in one fixed order.

A model is printed the way `algdim.models.notation.to_text` prints it, so that its text is its identity.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations, product
from math import comb, prod

from algdim.errors import InputError, LimitError
from algdim.exact.draws import Stream, draw_integers, open_stream
from algdim.families.discrete.bounds.latentclass import compute_latent_class_bounds
from algdim.families.discrete.bounds.secants import find_defective_format
from algdim.families.discrete.model import Network, Variable, build_latent_class
from algdim.families.gaussian.model import Gaussian, GaussianVariable
from algdim.models.graphs import MixedGraph, iterate_positions
from algdim.models.notation import parse, to_text
from algdim.sweeping.isomorphism import (
    MOST_NODES,
    MOST_VERTICES,
    Bits,
    Dag,
    build_random_tree,
    iterate_orbits,
    iterate_sized_trees,
    iterate_trees,
    list_dags,
    list_subsets,
)


@dataclass(frozen=True, slots=True)
class Range:
    """Whole numbers from the least to the most, ``None`` if there is no upper limit."""

    least: int
    most: int | None

    def __contains__(self, number: int) -> bool:
        """Whether a number is in the range."""
        return self.least <= number and (self.most is None or number <= self.most)

    def numbers(self) -> range:
        """All numbers of a range that ends."""
        return range(self.least, self.end + 1)

    @property
    def end(self) -> int:
        """The upper limit of a range that has one."""
        if self.most is None:
            raise InputError(f"a range from {self.least} without an upper limit; give one")
        return self.most

    def narrow(self, sign: str, number: int) -> Range:
        """The numbers of the range that also obey a comparison.

        >>> Range(2, 9).narrow("<", 5), Range(2, None).narrow("=", 3)
        (Range(least=2, most=4), Range(least=3, most=3))
        """
        least, most = {
            "<=": (0, number),
            "<": (0, number - 1),
            ">=": (number, None),
            ">": (number + 1, None),
        }.get(sign, (number, number))
        ends = [end for end in (self.most, most) if end is not None]
        return Range(max(self.least, least), min(ends, default=None))

    def terms(self, name: str, usual: Range) -> Iterator[str]:
        """The range as it is written, without what is as always."""
        if self.least == self.most:
            yield f"{name}={self.least}"
            return
        if self.least != usual.least:
            yield f"{name}>={self.least}"
        if self.most is not None and (self.most != usual.most or usual.least == usual.most):
            yield f"{name}<={self.most}"


Ranges = Mapping[str, Range]


@dataclass(frozen=True, slots=True)
class ModelKind:
    """A kind of models: its quantities with their usual ranges, how far they may go, and what makes the models.

    A usual range without an upper limit needs one, unless the quantity is among ``optional``.
    """

    models: Callable[[Ranges], Iterable[str]]
    usual: Ranges
    most: Mapping[str, int] = field(default_factory=dict)
    floor: Mapping[str, int] = field(default_factory=dict)
    optional: Collection[str] = ()
    count_at_least: Callable[[Ranges], int] | None = None
    """How many models there are at least, where that is known before they are made."""


def iterate_item_lists(cells: int, largest: int | None = None) -> Iterator[tuple[int, ...]]:
    """All lists of items' states in descending order whose product is at most this many cells, the empty one included.

    >>> list(iterate_item_lists(5))
    [(), (2,), (2, 2), (3,), (4,), (5,)]
    """
    yield ()
    for size in range(2, min(cells, largest or cells) + 1):
        for rest in iterate_item_lists(cells // size, size):
            yield (size, *rest)


def iterate_latent_classes(ranges: Ranges) -> Iterator[str]:
    """Latent class models: items of each list, with 2, 3, … classes up to the first number that fills the cells.

    Below that number db or a known defect (`algdim.families.discrete.bounds.secants`) shows that the dimension is not complete.
    """
    for items in sorted(iterate_item_lists(ranges["cells"].end), key=lambda sizes: (prod(sizes), sizes)):
        states_fit = all(size in ranges["states"] for size in items)
        if prod(items) not in ranges["cells"] or len(items) not in ranges["items"] or not states_fit:
            continue
        for classes in range(2, prod(items) + 1):
            if classes in ranges["classes"]:
                yield to_text(build_latent_class(classes, items))
            if can_fill_cells(classes, items):
                break


def can_fill_cells(classes: int, items: tuple[int, ...]) -> bool:
    """Whether nothing is known that keeps the dimension below the complete one.

    >>> can_fill_cells(3, (2, 2, 2, 2)), can_fill_cells(4, (2, 2, 2, 2)), can_fill_cells(4, (3, 3, 3))
    (False, True, False)
    """
    if find_defective_format(classes, items) is not None:
        return False
    bounds = compute_latent_class_bounds(build_latent_class(classes, items))
    return bounds.best_bound == bounds.complete


def iterate_symmetric_latent_classes(ranges: Ranges) -> Iterator[str]:
    """Latent class models whose items have one free table for each group, at least one group of two items or more.

    A group of d items with r states has C(r + d − 1, d) distinct cells. There are 2, 3, … classes up to one more than the first
    number with enough parameters for all distinct cells, where a defect would show.
    """
    for groups in sorted(iterate_item_groups(ranges["coordinates"].end), key=lambda one: (count_distinct(one), one)):
        items = sum(length for _, length in groups)
        states_fit = all(size in ranges["states"] for size, _ in groups)
        if items not in ranges["items"] or not states_fit or max(length for _, length in groups) == 1:
            continue
        distinct = count_distinct(groups)
        if distinct not in ranges["coordinates"]:
            continue
        each = 1 + sum(size - 1 for size, _ in groups)
        for classes in range(2, -(-distinct // each) + 2):
            if classes in ranges["classes"]:
                yield format_symmetric(classes, groups)


def iterate_item_groups(most: int, largest: tuple[int, int] | None = None) -> Iterator[tuple[tuple[int, int], ...]]:
    """Lists of groups, each with its number of states and of items, in descending order and with at most this many distinct cells.

    >>> list(iterate_item_groups(4))
    [(), ((2, 1),), ((2, 1), (2, 1)), ((2, 2),), ((2, 3),), ((3, 1),), ((4, 1),)]
    """
    yield ()
    for size in range(2, most + 1):
        for length in range(1, most):
            group = (size, length)
            distinct = comb(size + length - 1, length)
            if distinct > most or (largest is not None and group > largest):
                break
            for rest in iterate_item_groups(most // distinct, group):
                yield (group, *rest)


def count_distinct(groups: Iterable[tuple[int, int]]) -> int:
    """The number of distinct cells of groups of exchangeable items.

    >>> count_distinct([(3, 2), (4, 1)])
    24
    """
    return prod(comb(size + length - 1, length) for size, length in groups)


def format_symmetric(classes: int, groups: Iterable[tuple[int, int]]) -> str:
    """The latent class model with one table for each group of two items or more.

    >>> format_symmetric(3, [(3, 2), (2, 1)])
    'H -> X1, X2, X3; hidden H; states H=3, X1=3, X2=3; share a: X1, X2'
    """
    names: list[list[str]] = []
    sizes: list[str] = []
    for size, length in groups:
        first = sum(map(len, names)) + 1
        names.append([f"X{number}" for number in range(first, first + length)])
        sizes += [f"{name}={size}" for name in names[-1]]
    shares = [
        f"share {chr(ord('a') + place)}: {', '.join(group)}" for place, group in enumerate(names) if len(group) > 1
    ]
    every = ", ".join(name for group in names for name in group)
    return to_text(parse("; ".join([f"H -> {every}; hidden H; states H={classes}, {', '.join(sizes)}", *shares])))


def iterate_latent_trees(ranges: Ranges) -> Iterator[str]:
    """Latent trees up to isomorphism: observed leaves, hidden inner nodes."""
    leaves, hidden = ranges["leaves"].end, ranges["hidden"].most
    # if every inner node has three neighbours or more there are at most as many as leaves, less two
    inner = [
        number for number in (hidden, leaves - 2 if ranges["neighbours"].least > 2 else None) if number is not None
    ]
    ends = [end for end in (ranges["nodes"].most, leaves + min(inner) if inner else None) if end is not None]
    if not ends:
        raise InputError("hidden variables with two neighbours: how many nodes? The sweep needs nodes<=… or hidden<=…")
    most = min(ends)
    if most > MOST_NODES:
        raise LimitError(f"trees with {most} nodes up to isomorphism; at most {MOST_NODES} are allowed")
    for tree in iterate_trees(range(max(3, ranges["nodes"].least), most + 1)):
        counts = {"leaves": len(tree.joined) - len(tree.inner), "hidden": len(tree.inner), "neighbours": tree.fewest}
        if all(number in ranges[name] for name, number in counts.items()):
            for text in iterate_sized_trees(tree, ranges["states"].numbers(), ranges["classes"].numbers()):
                yield to_text(parse(text))


def iterate_mixed_graphs(ranges: Ranges) -> Iterator[str]:
    """Acyclic mixed graphs up to isomorphism, as Gaussian models without means; all variables are observed."""
    for count in ranges["nodes"].numbers():
        for dag, bidirected in iterate_graph_parts(count, ranges["edges"], ranges["directed"], ranges["bidirected"]):
            yield to_text(build_gaussian(count, dag, bidirected))


def iterate_graph_parts(
    count: int, edges: Range, directed: Range, bidirected: Range
) -> Iterator[tuple[Dag, tuple[Bits, ...]]]:
    """The acyclic mixed graphs on this many vertices up to isomorphism: the directed part, and pairs of vertices as bits."""
    pairs = list_subsets(count, 2, 2)
    for dag in list_dags(count):
        if len(dag.edges) not in directed:
            continue
        sizes = [size for size in range(len(pairs) + 1) if size in bidirected and size + len(dag.edges) in edges]
        choices = [frozenset(chosen) for size in sizes for chosen in combinations(pairs, size)]
        for found in iterate_orbits(choices, dag.symmetries):
            yield dag, tuple(sorted(found))


def count_mixed_graphs_at_least(ranges: Ranges) -> int:
    """No more than there are: no class of a directed part is larger than the group of its symmetries.

    >>> usual = MIXED_GRAPHS.usual | {"nodes": Range(2, 2)}
    >>> count_mixed_graphs_at_least(usual), len(list(iterate_mixed_graphs(usual)))
    (3, 4)
    """
    found = 0
    for count in ranges["nodes"].numbers():
        pairs = comb(count, 2)
        for dag in list_dags(count):
            if len(dag.edges) in ranges["directed"]:
                sizes = (
                    size
                    for size in range(pairs + 1)
                    if size in ranges["bidirected"] and size + len(dag.edges) in ranges["edges"]
                )
                found += -(-sum(comb(pairs, size) for size in sizes) // len(dag.symmetries))
    return found


def build_mixed_graph(dag: Dag, bidirected: Iterable[Bits]) -> MixedGraph:
    """The mixed graph as a record.

    >>> build_mixed_graph(list_dags(2)[1], [0b11])
    MixedGraph(names=('X1', 'X2'), parents=(0, 1), siblings=(2, 1))
    """
    parents, siblings = [0] * dag.count, [0] * dag.count
    for v, w in dag.edges:
        parents[w] |= 1 << v
    for mask in bidirected:
        for v in iterate_positions(mask):
            siblings[v] |= mask & ~(1 << v)
    return MixedGraph(tuple(f"X{number}" for number in range(1, dag.count + 1)), tuple(parents), tuple(siblings))


def build_gaussian(count: int, dag: Dag, bidirected: Iterable[Bits]) -> Gaussian:
    """The Gaussian model of a mixed graph."""
    names = [f"X{number}" for number in range(1, count + 1)]
    return Gaussian(
        tuple(map(GaussianVariable, names)),
        tuple((names[v], names[w]) for v, w in dag.edges),
        tuple((one, other) for one, other in (name_members(mask, names) for mask in bidirected)),
        means=False,
    )


def name_members(mask: Bits, names: list[str]) -> list[str]:
    """The names of a subset."""
    return [name for place, name in enumerate(names) if mask >> place & 1]


def iterate_networks(ranges: Ranges) -> Iterator[str]:
    """Networks with free tables whose hidden variables are roots with two children or more, up to isomorphism.

    With any number of states allowed, every network with hidden variables has the same distributions as one of these: a
    hidden variable's parents may be joined to its children instead, and one whose children are among another's is part of
    that one (Evans, "Graphs for margins of Bayesian networks", Scand. J. Stat. 43 (2016), Lemmas 1 and 2). So no
    hidden variable's children are among another's here.
    """
    for observed in ranges["observed"].numbers():
        blocks = list_subsets(observed, 2, observed)
        for dag, hidden in product(list_dags(observed), ranges["hidden"].numbers()):
            choices = [frozenset(chosen) for chosen in combinations(blocks, hidden) if is_antichain(chosen)]
            for found in iterate_orbits(choices, dag.symmetries):
                for states, classes in product(ranges["states"].numbers(), ranges["classes"].numbers()):
                    yield to_text(build_network(observed, dag, sorted(found), states, classes))


def is_antichain(chosen: tuple[Bits, ...]) -> bool:
    """Whether no set is part of another."""
    return all(one & other not in {one, other} for one, other in combinations(chosen, 2))


def build_network(observed: int, dag: Dag, blocks: Iterable[Bits], states: int, classes: int) -> Network:
    """The network of an acyclic graph with a hidden common cause for every block of vertices."""
    names = [f"X{number}" for number in range(1, observed + 1)]
    causes = {f"H{number}": name_members(mask, names) for number, mask in enumerate(blocks, 1)}
    parents: dict[str, list[str]] = {name: [] for name in names}
    for v, w in dag.edges:
        parents[names[w]].append(names[v])
    for cause, effects in causes.items():
        for effect in effects:
            parents[effect].append(cause)
    return Network(
        (
            *(Variable(cause, classes, observed=False) for cause in causes),
            *(Variable(name, states, parents=tuple(above)) for name, above in parents.items()),
        )
    )


def iterate_random_trees(ranges: Ranges) -> Iterator[str]:
    """Random latent trees: as many as asked for, duplicates left out later."""
    for number in range(ranges["count"].end):
        source = open_stream(ranges["seed"].end, "random tree", number)
        leaves, hidden, *choices = draw_quantities(source, ranges, "leaves", "hidden", 200)
        # with fewer hidden variables than leaves there are enough leaves for those that would be leaves themselves
        yield to_text(parse(build_random_tree(leaves, min(hidden, leaves - 1), choices, *get_state_limits(ranges))))


def iterate_random_networks(ranges: Ranges) -> Iterator[str]:
    """Random networks with free tables, hidden variables anywhere: an edge between two variables has chance one half."""
    for number in range(ranges["count"].end):
        source = open_stream(ranges["seed"].end, "random network", number)
        observed, hidden, *choices = draw_quantities(source, ranges, "observed", "hidden", 400)
        total = observed + hidden
        order = sorted(range(total), key=lambda place: choices[place])
        (low, states), (fewest, classes) = get_state_limits(ranges)
        names = [f"H{n + 1}" if n < hidden else f"X{n - hidden + 1}" for n in range(total)]
        variables = []
        for place, index in enumerate(order):
            coins = choices[total * (place + 1) : total * (place + 2)]
            parents = tuple(names[other] for at, other in enumerate(order[:place]) if coins[at] % 2 == 0)
            count = (
                fewest + coins[-1] % (classes - fewest + 1) if index < hidden else low + coins[-1] % (states - low + 1)
            )
            variables.append(Variable(names[index], count, index >= hidden, parents))
        yield to_text(Network(tuple(variables)))


def draw_quantities(source: Stream, ranges: Ranges, one: str, other: str, count: int) -> list[int]:
    """Numbers of leaves and hidden variables in their ranges, and large uniform numbers for all other choices."""
    first, second, *rest = draw_integers(source, 0, (1 << 62) - 1, count + 2)
    found = [
        ranges[name].least + value % len(ranges[name].numbers()) for name, value in ((one, first), (other, second))
    ]
    return [*found, *rest]


def get_state_limits(ranges: Ranges) -> tuple[tuple[int, int], tuple[int, int]]:
    """The least and the most states of observed and of hidden variables."""
    return tuple((ranges[name].least, ranges[name].end) for name in ("states", "classes"))  # type: ignore[return-value]


ANY = Range(0, None)

LATENT_CLASSES = ModelKind(
    iterate_latent_classes,
    {"cells": Range(4, None), "items": Range(2, None), "states": Range(2, None), "classes": Range(2, None)},
    most={"cells": 4096},
    optional=("items", "states", "classes"),
)
SYMMETRIC_LATENT_CLASSES = ModelKind(
    iterate_symmetric_latent_classes,
    {"coordinates": Range(3, None), "items": Range(2, None), "states": Range(2, None), "classes": Range(2, None)},
    most={"coordinates": 3000},
    optional=("items", "states", "classes"),
)
TREES = ModelKind(
    iterate_latent_trees,
    {
        "leaves": Range(2, None),
        "hidden": Range(1, None),
        "states": Range(2, 2),
        "classes": Range(2, 2),
        "neighbours": Range(3, None),
        "nodes": Range(3, None),
    },
    floor={"neighbours": 2},
    optional=("hidden", "neighbours", "nodes"),
)
MIXED_GRAPHS = ModelKind(
    iterate_mixed_graphs,
    {"nodes": Range(1, None), "edges": ANY, "directed": ANY, "bidirected": ANY},
    most={"nodes": MOST_VERTICES},
    count_at_least=count_mixed_graphs_at_least,
    optional=("edges", "directed", "bidirected"),
)
NETWORKS = ModelKind(
    iterate_networks,
    {"observed": Range(2, None), "hidden": Range(1, 1), "states": Range(2, 2), "classes": Range(2, 2)},
    most={"observed": 5, "hidden": 4},
    floor={"hidden": 0},
)
RANDOM_TREES = ModelKind(
    iterate_random_trees,
    {
        "count": Range(1, None),
        "seed": Range(0, 0),
        "leaves": Range(3, 8),
        "hidden": Range(1, 4),
        "states": Range(2, 4),
        "classes": Range(2, 6),
    },
    most={"leaves": 50, "hidden": 50},
    floor={"leaves": 2},
)
RANDOM_NETWORKS = ModelKind(
    iterate_random_networks,
    {
        "count": Range(1, None),
        "seed": Range(0, 0),
        "observed": Range(2, 5),
        "hidden": Range(0, 2),
        "states": Range(2, 3),
        "classes": Range(2, 3),
    },
    most={"observed": 12, "hidden": 6},
    floor={"observed": 1},
)
