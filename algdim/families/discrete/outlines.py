"""The variables of discrete models as certificates have them, and the models that are derived from these.

The format has links for rules of many parents, so that a claim has variables that the network has not. What evidence needs
to know of them is derived here, from the claim that is written. The checker derives the same from the claim that it reads; where the two differ
`Derived` stops.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, combinations_with_replacement, permutations, product
from math import comb, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algdim.certificate import checker
from algdim.certificate.equations import Coordinates, Forms, LinearForms, build_terms, reduce_to_positive
from algdim.exact.arithmetic import Residues
from algdim.exact.draws import Stream, draw_residues
from algdim.families.discrete.bounds.chains import ChainCells, WordMatrices, list_differences
from algdim.families.discrete.bounds.commontables import Joined
from algdim.families.discrete.bounds.determinantforms import list_double_terms
from algdim.families.discrete.functionals import select_all_cells
from algdim.families.discrete.map import ParamMap
from algdim.families.discrete.model import Network
from algdim.families.discrete.trees import LatentTree
from algdim.jacobian import evaluate_functionals

Shape = tuple[int, ...]
"""The states of a hidden variable of a tree, then those of its neighbours, sorted."""


@dataclass(frozen=True, slots=True)
class Outline:
    """Names in order, states, parents; which are observed, which of these are conditioned on, which are links of rules."""

    states: Mapping[str, int]
    parents: Mapping[str, tuple[str, ...]]
    observed: tuple[str, ...]
    given: tuple[str, ...] = ()
    links: frozenset[str] = field(default=frozenset(), compare=False)

    @property
    def hidden(self) -> tuple[str, ...]:
        """The others, in order."""
        return tuple(name for name in self.states if name not in self.observed)

    def children(self, names: Iterable[str]) -> set[str]:
        """The children of some variables."""
        some = set(names)
        return {child for child, above in self.parents.items() if not some.isdisjoint(above)}

    def relevant(self) -> Outline:
        """Without hidden variables that nothing observed descends from."""
        found: set[str] = set()
        waiting = list(self.observed)
        while waiting:
            name = waiting.pop()
            if name not in found:
                found.add(name)
                waiting += self.parents[name]
        return self.select_variables(found, self.given)

    def select_variables(self, names: Iterable[str], given: Iterable[str]) -> Outline:
        """Some variables; those conditioned on have no parents and are observed."""
        some, roots = set(names), set(given)
        order = [name for name in self.states if name in some]
        return Outline(
            {name: self.states[name] for name in order},
            {name: () if name in roots else self.parents[name] for name in order},
            tuple(name for name in order if name in self.observed or name in roots),
            tuple(name for name in order if name in roots),
            self.links,
        )

    def kernel(self, names: Iterable[str]) -> Outline:
        """Some variables given their parents outside."""
        some = set(names)
        outside = {parent for name in some for parent in self.parents[name]} - some
        return self.select_variables(some | outside, outside)

    def with_links(self, names: Iterable[str]) -> set[str]:
        """Some variables, with the links that the format puts between them and their parents."""
        found = set(names)
        waiting = list(found)
        while waiting:
            new = [above for above in self.parents[waiting.pop()] if above in self.links and above not in found]
            found.update(new)
            waiting += new
        return found

    def local_map(self, hidden: Sequence[str]) -> Outline:
        """Some hidden variables with their children, which become observed, given the other parents of these."""
        kernel = self.kernel({*hidden, *self.children(hidden)})
        observed = tuple(name for name in kernel.states if name not in hidden)
        return replace(kernel, observed=observed)

    def margin(self, names: Sequence[str]) -> Outline:
        """With fewer variables observed, without those that then do not matter."""
        given = tuple(name for name in self.given if name in names)
        return replace(self, observed=tuple(names), given=given).relevant()

    def supermodel(self, steps: Sequence[Mapping[str, Any]]) -> Outline:
        """After hidden variables have been averaged out, tables have got more parents and edges been reversed."""
        parents = {name: set(above) for name, above in self.parents.items()}
        for step in steps:
            if "widened" in step:
                parents[step["widened"]].update(step["parents"])
                continue
            if "reversed" in step:
                one, child = step["reversed"], step["child"]
                parents[child] = parents[one] | parents[child] - {one}
                parents[one] = parents[child] | {child}
                continue
            gathered = parents.pop(step["hidden"])
            for child in step["children"]:
                gathered = gathered | parents[child] - {step["hidden"]}
                parents[child] = gathered
                gathered = gathered | {child}
        return replace(
            self,
            states={name: states for name, states in self.states.items() if name in parents},
            parents={
                name: self.parents[name]
                if parents[name] == set(self.parents[name]) and not is_touched(name, steps)
                else tuple(above for above in self.states if above in parents[name])
                for name in parents
            },
        )


def is_touched(name: str, steps: Sequence[Mapping[str, Any]]) -> bool:
    """Whether the table of a variable is made free by one of the steps."""
    return any(
        name in (step.get("widened"), step.get("reversed"), step.get("child"), *step.get("children", ()))
        for step in steps
    )


def draw_network_outline(claim: Mapping[str, Any], network: Network) -> Outline:
    """The outline of a network, with the links that the claim about it has."""
    variables, names = claim["variables"], {variable.name for variable in network.variables}
    return Outline(
        {item["name"]: item["states"] for item in variables},
        {item["name"]: tuple(item["parents"]) for item in variables},
        tuple(item["name"] for item in variables if item["observed"]),
        tuple(claim.get("given", ())),
        frozenset(item["name"] for item in variables) - names,
    )


def draw_plain_outline(network: Network) -> Outline:
    """The outline of a network whose variables all have tables."""
    variables = {variable.name: variable for variable in network.variables}
    return Outline(
        {name: one.states for name, one in variables.items()},
        {name: one.parents for name, one in variables.items()},
        tuple(name for name, one in variables.items() if one.observed),
        tuple(name for name in variables if name in network.given),
    )


def draw_class_outline(shape: Sequence[int]) -> Outline:
    """The latent class model of a shape, with the names that the format gives it."""
    items = {f"X{number}": size for number, size in enumerate(shape[1:], 1)}
    return Outline({"H": shape[0], **items}, {"H": (), **dict.fromkeys(items, ("H",))}, tuple(items))


@dataclass(frozen=True, slots=True, eq=False)
class Derived:
    """A model as it is derived here, and as the checker derives it, which is asked whether it accepts evidence about it."""

    outline: Outline
    claimed: checker.Discrete

    def __post_init__(self) -> None:
        outline, claimed = self.outline, self.claimed
        parents = {v: () if v in outline.given else tuple(one.parents) for v, one in claimed.variables.items()}
        theirs = Outline(claimed.sizes, parents, tuple(claimed.observed), tuple(claimed.given))
        if list(theirs.states) != list(outline.states) or theirs != outline:
            raise RuntimeError(f"the checker derives another model: {theirs}, and not {outline}")

    def parts(self, insides: Sequence[Sequence[str]]) -> list[Derived]:
        """The kernels of some parts of the network."""
        theirs = checker.parts_of(self.claimed, checker.Work())
        ours = [self.outline.kernel(self.outline.with_links(inside)) for inside in insides]
        return [Derived(one, other) for one, other in zip(ours, theirs, strict=True)]

    def local_map(self, hidden: Sequence[str]) -> Derived:
        """That of some hidden variables."""
        return Derived(self.outline.local_map(hidden), self.claimed.local_map(hidden))

    def supermodel(self, steps: Sequence[Mapping[str, Any]]) -> Derived:
        """A model that contains this one."""
        theirs = checker.supermodel(self.claimed, steps, checker.Work())
        return Derived(self.outline.supermodel(steps), theirs)

    def slices(self, evidence: Mapping[str, Any], networks: Sequence[Network]) -> list[Derived]:
        """The networks of a slice and of the differences of the others from it."""
        found = (evidence["variable"], evidence["reduced"], evidence["order"])
        theirs = checker.slices(self.claimed, *found, checker.Work())
        return [Derived(draw_plain_outline(one), other) for one, other in zip(networks, theirs, strict=True)]

    def shown_parts(self, observed: Sequence[str], parts: Sequence[tuple[Network, Sequence[str]]]) -> list[Derived]:
        """The parts of the network in which more is observed, each with the variables of which one state stands for all."""
        theirs = checker.shown_parts(self.claimed, observed, [names for _, names in parts], checker.Work())
        return [Derived(draw_plain_outline(one), other) for (one, _), (_, other) in zip(parts, theirs, strict=True)]

    def fewer_states(self, steps: Sequence[tuple[str, int]], networks: Sequence[Network]) -> list[Derived]:
        """The network with one state less still than each step leaves, and last the one after all steps."""
        theirs = checker.with_fewer_states(checker.given_roots(self.claimed), steps, checker.Work())
        return [Derived(draw_plain_outline(one), other) for one, (_, other) in zip(networks, theirs, strict=True)]

    def margin(self, names: Sequence[str]) -> Derived:
        """The model of which fewer variables are observed."""
        return Derived(self.outline.margin(names), checker.margin_of(self.claimed, names))


def list_shapes(tree: LatentTree) -> list[Shape]:
    """The different shapes of a tree's local models in the format's order: the first hidden variable that can be is reduced.

    `algdim.families.discrete.trees.reduce_tree` has an order of its own: which variables stay depends on it, their shapes do not.

    >>> from algdim.models.notation import parse
    >>> from algdim.families.discrete.trees import find_latent_tree
    >>> list_shapes(find_latent_tree(parse("2(3(3,2),2(4))")))
    [(3, 2, 2, 3), (2, 3, 4)]
    """
    states = {**tree.hidden, **tree.observed}
    around = {name: set(others) for name, others in tree.neighbours.items()}
    left = list(tree.hidden)

    def cap(name: str) -> int:
        sizes = [states[other] for other in around[name]]
        return prod(sizes) // max(sizes, default=1)

    def can_be_reduced(name: str) -> bool:
        return (
            len(around[name]) < 2 or states[name] > cap(name) or (len(around[name]) == 2 and states[name] == cap(name))
        )

    while (first := next(filter(can_be_reduced, left), None)) is not None:
        if len(around[first]) > 2:
            states[first] = cap(first)
            continue
        left.remove(first)
        ends = around.pop(first)
        for end in ends:
            around[end] = around[end] - {first} | ends - {end}
    shapes = [(states[name], *sorted(states[other] for other in around[name])) for name in left]
    return list(dict.fromkeys(shapes))


def list_cells(pmap: ParamMap) -> Coordinates:
    """The cells of the observed table; those of one state of what is conditioned on sum to 1."""
    whole = pmap if pmap.kept_coordinates is None else replace(pmap, kept_coordinates=None)
    names, shape = tuple(variable.name for variable in pmap.model.observed), pmap.shape
    cells = np.arange(pmap.cells).reshape(shape)
    places = [number for number, axis in enumerate(pmap.observed) if axis in pmap.given]
    others = [number for number in range(len(shape)) if number not in places]
    sums = cells.transpose(places + others).reshape(-1, max(1, int(np.prod([shape[k] for k in others]))))

    def values(prime: int, point: str) -> Forms:
        field = Residues(prime)
        drawn = field.elements(draw_residues(Stream(point), prime, len(pmap.parameters)))
        return reduce_to_positive(evaluate_functionals(whole, field, drawn, select_all_cells(whole)), prime)

    def matrix(item: Mapping[str, Any], prime: int) -> LinearForms:
        if "common" in item:
            groups = [tuple(map(names.index, group)) for group in item["common"]]
            return build_joined(Joined(shape, tuple(groups), 0).parts)
        return (build_chain_matrix if "times" in item else build_flattening)(cells, names, item, prime)

    def matrix_at(item: Mapping[str, Any], prime: int, at: Forms) -> LinearForms:
        build = build_grid if "minors" in item else build_pencil if "D" in item else build_determinants
        return build(cells, names, item, at, prime)

    return Coordinates(pmap.cells, sums.tolist(), values, matrix, matrix_at)


def build_grid(
    cells: NDArray[np.intp], names: Sequence[str], item: Mapping[str, Any], at: Forms, prime: int
) -> LinearForms:
    """The derivatives of the coefficients of minors, at the values of the cells."""
    inner = arrange_blocks(cells, names, item)
    sizes = inner.shape[:-1]
    values = at[inner].sum(axis=-1) % prime
    first, second = (list(combinations_with_replacement(range(size), 2)) for size in sizes[:2])
    minors, together = [tuple(minor) for minor in item["minors"]], item["together"]
    terms: list[tuple[int, int, int, int]] = []
    for (row, rows), (column, columns), (number, minor) in product(
        enumerate(first), enumerate(second), enumerate(minors)
    ):
        place = (row * len(second) + column, number) if together else (row, column * len(minors) + number)
        p, s, q, t = minor
        for (i, k), (j, m) in product({rows, rows[::-1]}, {columns, columns[::-1]}):
            for near, far, sign in (((p, q), (s, t), 1), ((p, t), (s, q), -1)):
                for here, there in (((i, j, *near), (k, m, *far)), ((k, m, *far), (i, j, *near))):
                    terms += [(*place, int(cell), sign * int(values[there])) for cell in inner[here]]
    size = (len(first) * len(second), len(minors)) if together else (len(first), len(second) * len(minors))
    return build_terms(size, *zip(*terms, strict=True))


def build_pencil(
    cells: NDArray[np.intp], names: Sequence[str], item: Mapping[str, Any], at: Forms, prime: int
) -> LinearForms:
    """The derivatives of the coefficients of determinants, at the values of the cells, a row for each state of D."""
    inner = arrange_blocks(cells, names, {**item, "blocks": [*item["blocks"], item["D"]]})
    size, _, letters, rows, _ = inner.shape
    values = (at[inner].sum(axis=-1) % prime).tolist()
    powers = combinations_with_replacement(range(letters), size)
    monomials: dict[tuple[int, ...], int] = {one: number for number, one in enumerate(powers)}
    terms: list[tuple[int, int, int, int]] = []
    for columns, places, row in product(permutations(range(size)), product(range(letters), repeat=size), range(rows)):
        sign = (-1) ** sum(one > other for one, other in combinations(columns, 2))
        for i, (j, k) in enumerate(zip(columns, places, strict=True)):
            weight = sign
            for near, (column, place) in enumerate(zip(columns, places, strict=True)):
                weight = weight * (1 if near == i else values[near][column][place][row]) % prime
            terms += [(row, monomials[tuple(sorted(places))], int(cell), weight) for cell in inner[i, j, k, row]]
    return build_terms((rows, len(monomials)), *zip(*terms, strict=True))


def build_determinants(
    cells: NDArray[np.intp], names: Sequence[str], item: Mapping[str, Any], at: Forms, prime: int
) -> LinearForms:
    """The derivatives of determinants, or of the coefficients of forms that they are, at the values of the cells."""
    blocks = item["blocks"]
    if len(blocks) == 4:  # no letters
        blocks = [*blocks[:2], [], blocks[2], [], blocks[3]]
    inner = arrange_blocks(cells, names, {**item, "blocks": blocks})[np.ix_(item["rows"], item["columns"])]
    values = at[inner].sum(axis=-1) % prime
    size, _, one, rows, other, columns, _ = inner.shape
    found: list[tuple[NDArray[Any], ...]] = []
    for term in list_double_terms(size, one, other):
        factors = [values[row, j, p, :, q] for row, (j, p, q) in enumerate(term.places)]
        for row, (j, p, q) in enumerate(term.places):
            weights = np.full((rows, columns), term.sign, dtype=np.int64)
            for factor in (*factors[:row], *factors[row + 1 :]):
                weights = weights * factor % prime
            numbers = inner[row, j, p, :, q]
            u, v, _ = np.indices(numbers.shape)
            place = term.monomials[0] * rows + u, term.monomials[1] * columns + v
            found.append((*place, numbers, np.broadcast_to(weights[..., None], numbers.shape)))
    shape = comb(one + size - 1, size) * rows, comb(other + size - 1, size) * columns
    return build_terms(shape, *(np.stack(each) for each in zip(*found, strict=True)))


def build_joined(parts: Sequence[NDArray[np.intp]]) -> LinearForms:
    """Matrices of sums of cells side by side."""
    begins = np.cumsum([0, *(part.shape[1] for part in parts)]).tolist()
    indices = [np.indices(part.shape) for part in parts]
    rows = np.concatenate([one[0].ravel() for one in indices])
    columns = np.concatenate([one[1].ravel() + begin for one, begin in zip(indices, begins, strict=False)])
    numbers = np.concatenate([part.ravel() for part in parts])
    return build_terms((len(parts[0]), begins[-1]), rows, columns, numbers, np.ones_like(numbers))


def build_chain_matrix(
    cells: NDArray[np.intp], names: Sequence[str], item: Mapping[str, Any], prime: int
) -> LinearForms:
    """Differences of sums of cells that are equal, in a row; or words by pasts."""
    times = tuple(tuple(map(names.index, time)) for time in item["times"])
    chain = ChainCells(cells.shape, times, tuple(item["hidden"]))
    if "words" in item:
        return build_joined(WordMatrices(chain, item["words"], 0).parts)
    more, less = list_differences(chain.cells, is_reversed=item["reversed"])
    columns = np.tile(np.broadcast_to(np.arange(len(more))[:, None], more.shape).ravel(), 2)
    weights = np.repeat(np.array([1, prime - 1], dtype=np.int64), more.size)
    numbers = np.concatenate([more.ravel(), less.ravel()])
    return build_terms((1, len(more)), np.zeros_like(columns), columns, numbers, weights)


def arrange_blocks(cells: NDArray[np.intp], names: Sequence[str], item: Mapping[str, Any]) -> NDArray[np.intp]:
    """The cells with C in its state, an axis for each block; the last axis is summed over."""
    blocks = [[names.index(name) for name in block] for block in item["blocks"]]
    fixed = dict(zip(map(names.index, item["C"]), item["state"], strict=True))
    part = cells[tuple(fixed.get(axis, slice(None)) for axis in range(cells.ndim))]
    left = [axis for axis in range(cells.ndim) if axis not in fixed]
    inside = [axis for block in blocks for axis in block]
    order = [left.index(axis) for axis in (*inside, *(axis for axis in left if axis not in inside))]
    sizes = [prod(cells.shape[axis] for axis in block) for block in blocks]
    return np.asarray(part.transpose(order).reshape(*sizes, -1))


def build_flattening(cells: NDArray[np.intp], names: Sequence[str], item: Mapping[str, Any], prime: int) -> LinearForms:
    """P(a, b, C = c), or the Koszul flattening of P(x, y, z, C = c), the first block multiplied by a matrix if there is one."""
    tensor = arrange_blocks(cells, names, item)
    if tensor.ndim == 3:
        rows, columns, _ = np.indices(tensor.shape)
        return build_terms(tensor.shape[:2], rows, columns, tensor, np.ones_like(tensor))
    projection = np.array(item.get("projection", np.eye(len(tensor))), dtype=np.int64) % prime
    return build_koszul(tensor, projection, item["order"], prime)


def build_koszul(tensor: NDArray[np.intp], projection: Forms, order: int, prime: int) -> LinearForms:
    """The rows (J, z), the columns (I, y) and the entries ±T[i, y, z] where J = I ∪ {i}, T projected along its first axis."""
    width, (_, y, z, _) = len(projection), tensor.shape
    larger = {chosen: number for number, chosen in enumerate(combinations(range(width), order + 1))}
    source, b, c, _ = np.indices(tensor.shape)
    parts: list[tuple[Forms, ...]] = []
    for column, smaller in enumerate(combinations(range(width), order)):
        for i in range(width):
            if i not in smaller:
                row = larger[tuple(sorted((*smaller, i)))]
                sign = (-1) ** sum(j < i for j in smaller)
                weights = sign * projection[i][source] % prime
                parts.append((row * z + c, column * y + b, tensor, weights))
    rows, columns, numbers, weights = (np.stack(each) for each in zip(*parts, strict=True))
    used = weights.ravel() != 0
    size = (comb(width, order + 1) * z, comb(width, order) * y)
    return build_terms(size, *(each.ravel()[used] for each in (rows, columns, numbers, weights)))
