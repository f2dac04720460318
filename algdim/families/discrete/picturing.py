"""What the page shows of a network: a flattening, of Koszul's too, as a sum over classes, a tree taken apart edge by edge; changes for exercises."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import comb, prod
from typing import Any

import numpy as np

from algdim.bound.bounds import Bound
from algdim.errors import join_names
from algdim.families.contract import BoundPicture, EqualCells, GridSum, Heads, OnGraph
from algdim.families.discrete.bounds.absorbing import ABSORBING, absorb_mechanisms
from algdim.families.discrete.bounds.containing import CONTAINING
from algdim.families.discrete.bounds.equalcells import (
    EQUAL_CELLS,
    EQUAL_STATES,
    number_equal_cells,
    number_exchanged_cells,
)
from algdim.families.discrete.bounds.koszul import compute_block_pattern
from algdim.families.discrete.bounds.pairwise import find_best_bipartition, find_latent_class
from algdim.families.discrete.bounds.span import SPAN
from algdim.families.discrete.bounds.supermodels import KIND as SUPERMODELS
from algdim.families.discrete.bounds.supermodels import rebuild_supermodel
from algdim.families.discrete.conditionalembeddings import compute_joint_table
from algdim.families.discrete.locals.table import Table
from algdim.families.discrete.map import ParamMap, get_param_map
from algdim.families.discrete.model import Network, Variable
from algdim.families.discrete.trees import convert_to_network, find_latent_tree, reduce_tree
from algdim.figures import format_count, format_integer

MOST_ROWS, MOST_PARTS, MOST_GRIDS = 9, 6, 2
MOST_DOTS, MOST_GROUPED = 480, 12
RARE = ("grid", "koszul")
"""Kinds of equations that are drawn first."""
MOST_ON_SIDE = 32
"""Rows and columns of a table whose equal cells are marked."""
MOST_KOSZUL = 18
"""Of a flattening that is drawn; how many are. A Koszul flattening may have more rows."""


def picture_table_bound(pmap: ParamMap, point: Sequence[Fraction], bound: Bound) -> Iterator[BoundPicture]:
    """What the evidence of an upper bound looks like at a point."""
    shows: Mapping[str, Callable[[ParamMap, Bound], Iterator[BoundPicture]]] = {
        EQUAL_CELLS: show_equal_cells,
        EQUAL_STATES: show_equal_cells,
        SPAN: show_span,
        SUPERMODELS: show_supermodel,
        CONTAINING: show_containing,
        ABSORBING: show_absorbed,
        "nested": show_heads_of_nested_model,
        "pairwise": partial(show_grouping, point=point),
    }
    if bound.kind in shows:
        yield from shows[bound.kind](pmap, bound)
        return
    equations = bound.evidence.get("equations", ()) if len(point) else ()
    make = {"flattening": make_class_sum, "koszul": make_koszul_sum, "grid": make_grid_of_zeros}
    drawn = 0
    for one in sorted(equations, key=lambda one: RARE.index(one["type"]) if one["type"] in RARE else len(RARE)):
        found = make[one["type"]](pmap, point, one) if drawn < MOST_GRIDS and one["type"] in make else None
        if found is not None:
            drawn += 1
            yield found
    if "inner_edges" in bound.evidence:
        found_tree = label_tree(pmap.model, bound)
        if found_tree is not None:
            yield found_tree


def make_class_sum(pmap: ParamMap, point: Sequence[Fraction], equation: Mapping[str, Any]) -> GridSum | None:
    """A flattening as the sum of one matrix of rank one for each joint state of what separates its sides."""
    sides, separators, given = (equation["A"], equation["B"]), equation["S"], equation["C"]
    states = pmap.model.states
    sizes = [prod(states[name] for name in side) for side in sides]
    count = prod(states[name] for name in separators)
    if max(sizes) > MOST_ROWS or count > MOST_PARTS:
        return None
    names = [*sides[0], *sides[1], *separators, *given]
    joint = compute_joint_table(pmap, names, point)
    for _ in given:  # the first state of each condition
        joint = joint[..., 0]
    table = joint.reshape([*sizes, count])
    parts = [(name_state(separators, states, number), table[:, :, number].tolist()) for number in range(count)]
    whole = [[sum(cell, Fraction(0)) for cell in row] for row in table.tolist()]
    whose = name_table(pmap, sides)
    under = f" where {', '.join(f'{name}=0' for name in given)}" if given else ""
    between = ",".join(separators)
    if not separators:
        condition = f" given {', '.join(given)}" if given else ""
        left, right = (",".join(side) for side in sides)
        text = (
            f"{whose}{under}, a matrix with {sizes[0]} rows and {sizes[1]} columns, has rank one, since {left} {'are' if len(sides[0]) > 1 else 'is'} independent of {right}"
            f"{condition}: each entry is that of its row times that of its column."
        )
        return GridSum(whose, whole, [("row times column", whole)], text)
    text = (
        f"{whose}{under}, a matrix with {sizes[0]} rows and {sizes[1]} columns, is a sum of {count} "
        f"matrices of rank one, one for each state of {between}, which separates the two sides. So its rank is at most {count}."
    )
    return GridSum(whose, whole, parts, text)


def name_table(pmap: ParamMap, sides: Sequence[Sequence[str]]) -> str:
    """A table as a matrix; where variables are given, of the probabilities given these.

    >>> from algdim.families.discrete.map import get_param_map
    >>> from algdim.models.notation import parse
    >>> name_table(get_param_map(parse("A -> B <- H; H -> C; hidden H; given A")), (["A", "B"], ["C"]))
    'P(B,C | A), rows A,B, columns C'
    """
    rows, columns = (",".join(side) for side in sides)
    given = [name for side in sides for name in side if name in pmap.model.given]
    own = [name for side in sides for name in side if name not in given]
    return (
        f"P({','.join(own)} | {','.join(given)}), rows {rows}, columns {columns}" if given else f"P({rows}; {columns})"
    )


def make_koszul_sum(pmap: ParamMap, point: Sequence[Fraction], equation: Mapping[str, Any]) -> GridSum | None:
    """A Koszul flattening as the sum of one matrix for each joint state of what separates its three blocks."""
    first, second, third = blocks = equation["blocks"]
    separators, given = equation["S"], equation["C"]
    states = pmap.model.states
    sizes = [prod(states[name] for name in block) for block in blocks]
    count = prod(states[name] for name in separators)
    if max(equation["size"]) > MOST_KOSZUL or not 1 < count <= MOST_PARTS:
        return None
    joint = compute_joint_table(pmap, [*first, *second, *third, *separators, *given], point)
    for _ in given:
        joint = joint[..., 0]
    table = joint.reshape([*sizes, count])
    if "projection" in equation:
        table = np.tensordot(np.array(equation["projection"], dtype=object), table, axes=1)
    pattern = compute_block_pattern(len(table), equation["order"])
    rows, columns = pattern.height, pattern.width
    parts = []
    for number in range(count):
        matrix = np.full((rows, sizes[2], columns, sizes[1]), Fraction(0), dtype=object)
        for row, column, index, sign in zip(pattern.rows, pattern.columns, pattern.indices, pattern.signs, strict=True):
            matrix[row, :, column, :] = int(sign) * table[index, :, :, number].T
        parts.append((name_state(separators, states, number), matrix.reshape(rows * sizes[2], -1)))
    whole = np.sum([matrix for _, matrix in parts], axis=0)
    each = comb(len(table) - 1, equation["order"])
    names = [",".join(block) for block in blocks]
    sets = "a state" if equation["order"] == 1 else f"{equation['order']} states"
    more = format_count(equation["order"] + 1, "state")
    under = f" where {', '.join(f'{name}=0' for name in given)}" if given else ""
    text = (
        f"The table of {', '.join(names)}{under} in another order, with signs: a column for {sets} of {names[0]} and a state of {names[1]}, a row for "
        f"{more} of {names[0]} and a state of {names[2]}; given {','.join(separators)} the three are independent, so each of its {count} states gives a "
        f"matrix of rank {each} only, and the sum has rank at most {count * each}, with {rows * sizes[2]} rows (a Koszul flattening)."
    )
    return GridSum(f"{' | '.join(names)}", whole.tolist(), [(name, matrix.tolist()) for name, matrix in parts], text)


def name_state(names: Sequence[str], states: Mapping[str, int], number: int) -> str:
    """A joint state of some variables.

    >>> name_state(["A", "B"], {"A": 2, "B": 3}, 4)
    'A=1,B=1'
    """
    parts = []
    for name in reversed(names):
        number, state = divmod(number, states[name])
        parts.append(f"{name}={state}")
    return ",".join(reversed(parts))


def make_grid_of_zeros(pmap: ParamMap, point: Sequence[Fraction], equation: Mapping[str, Any]) -> EqualCells | None:
    """The points at which a form on a grid vanishes: one for each pair of states of both hidden sets."""
    del point
    states = pmap.model.states
    rows, columns = (prod(states[name] for name in equation[key]) for key in ("G", "H"))
    if max(rows, columns) > MOST_ROWS:
        return None
    one, other, *inner = (",".join(block) for block in equation["blocks"])
    hidden, hidden_too = (",".join(equation[key]) for key in ("G", "H"))
    text = (
        f"The table of {one}, {other} and {', '.join(inner)}, summed over {one} and over {other} with weights α and β, has minors that are forms of "
        f"degree 2 in α and in β. For each state of {hidden} and each of {hidden_too} there are weights for which {' and '.join(inner)} become "
        f"independent: there the minors are 0, as the grid shows. A matrix of the coefficients of such forms lacks rank."
    )
    return EqualCells(hidden, hidden_too, [[0] * columns for _ in range(rows)], text)


def show_equal_cells(pmap: ParamMap, bound: Bound) -> Iterator[EqualCells]:
    """The table with a number for each class of equal cells."""
    equal = number_exchanged_cells(pmap) if bound.kind == EQUAL_STATES else number_equal_cells(pmap)
    # as near to a square as the order of the variables allows
    split = min(range(len(pmap.shape) + 1), key=lambda place: abs(prod(pmap.shape[:place]) - prod(pmap.shape[place:])))
    height, width = prod(pmap.shape[:split]), prod(pmap.shape[split:])
    if equal is None or max(height, width) > MOST_ON_SIDE:
        return
    names = [pmap.model.variables[axis].name for axis in pmap.observed]
    text = (
        f"Cells with the same number have the same probability at all parameters: {format_integer(int(equal.max()) + 1)} different ones of "
        f"{format_integer(pmap.cells)}."
    )
    yield EqualCells(
        ",".join(names[:split]), ",".join(names[split:]), (equal + 1).reshape(height, width).tolist(), text
    )


def show_span(pmap: ParamMap, bound: Bound) -> Iterator[EqualCells | Heads]:
    """The directions of the linear space that contains all distributions, and cells that are always equal."""
    kinds = (EQUAL_STATES, EQUAL_CELLS) if number_exchanged_cells(pmap) is not None else (EQUAL_CELLS,)
    yield from show_equal_cells(pmap, replace(bound, kind=kinds[0]))
    text = (
        f"All distributions lie in one linear space, of dimension {bound.value + 1}, in which those that sum to 1 have {format_count(bound.value, 'direction')}: "
        f"the full dots. The saturated model has {format_integer(pmap.complete)}."
    )
    if pmap.complete <= MOST_DOTS:
        yield Heads([""] * bound.value, pmap.complete - bound.value, text)


def show_supermodel(pmap: ParamMap, bound: Bound) -> Iterator[OnGraph]:
    """The model that contains this one."""
    other = rebuild_supermodel(pmap.model, bound.evidence["steps"])
    yield OnGraph({}, {}, f"A model that contains this one, and has dimension {bound.value} at most.", other)


def show_containing(pmap: ParamMap, bound: Bound) -> Iterator[OnGraph]:
    """The reduced tree, or the network in which hidden variables are averaged out."""
    if "parents" in bound.evidence:
        parents = bound.evidence["parents"]
        kept = [
            replace(one, parents=tuple(parents[one.name]), local=Table())
            for one in pmap.model.variables
            if one.name in parents
        ]
        gone = join_names(name for name, _ in bound.evidence["averaged_out"])
        text = f"The network without {gone}, whose tables are free: it contains the model, and its {format_count(bound.value, 'parameter')} are counted."
        yield OnGraph({}, {}, text, Network(tuple(kept), pmap.model.given))
    elif "capped" in bound.evidence:
        tree = find_latent_tree(pmap.model)
        if tree is not None:
            text = f"The tree after its reduction has the same distributions, and {format_count(bound.value, 'parameter')}."
            yield OnGraph({}, {}, text, convert_to_network(reduce_tree(tree).tree))


def show_absorbed(pmap: ParamMap, bound: Bound) -> Iterator[OnGraph]:
    """The model without what other mechanisms absorb."""
    found = absorb_mechanisms(pmap.model)
    if found is not None:
        text = f"Without {join_names(found[1])} the model has the same distributions: other mechanisms can do what these do. What is left has {format_count(get_param_map(found[0]).parameter_count, 'parameter')}, and its bound, {bound.value}, is that of the whole."
        yield OnGraph({}, {}, text, found[0])


def show_heads_of_nested_model(pmap: ParamMap, bound: Bound) -> Iterator[Heads]:
    """The parameters of the nested model, by head and tail."""
    if pmap.complete <= MOST_DOTS:
        heads = bound.evidence["heads"]
        owners = [
            f"{','.join(one['head'])} | {','.join(one['tail'])}" if one["tail"] else ",".join(one["head"])
            for one in heads
            for _ in range(one["count"])
        ]
        text = (
            f"The nested Markov model on the latent projection contains this one. Its {format_count(bound.value, 'parameter')} belong to heads, each given "
            f"its tail; the saturated model has {format_integer(pmap.complete)}."
        )
        yield Heads(owners, pmap.complete - bound.value, text)


def show_grouping(pmap: ParamMap, bound: Bound, point: Sequence[Fraction]) -> Iterator[GridSum]:
    """The items in two groups: their table as a matrix that is a sum over the classes."""
    shape = find_latent_class(pmap.model)
    best = find_best_bipartition(*shape) if shape is not None and len(point) else None
    items, states = [one.name for one in pmap.model.observed], pmap.model.states
    if best is None or len(items) > MOST_GROUPED:
        return
    for mask in range(1, 1 << len(items)):
        one = [name for number, name in enumerate(items) if mask >> number & 1]
        other = [name for name in items if name not in one]
        if (prod(states[name] for name in one), prod(states[name] for name in other)) == best:
            found = make_class_sum(pmap, point, {"A": one, "B": other, "S": [pmap.model.hidden[0].name], "C": []})
            if found is not None:
                count, (left, right) = shape[0] if shape else 0, best
                text = f" Such matrices have dimension {count}·({left} + {right} − {count}) = {count * (left + right - count)}; their sum is 1, so {bound.value} remain."
                yield found._replace(text=found.text + text)
            return


def label_tree(whole: Network, bound: Bound) -> OnGraph | None:
    """The local models at their hidden nodes, and the overlaps at the edges between them, in the tree after its reduction."""
    evidence = bound.evidence
    tree = find_latent_tree(whole)
    if not evidence["inner_edges"] or tree is None:
        return None
    is_reduced = any(evidence[key] for key in ("capped", "spliced", "deleted"))
    model = convert_to_network(reduce_tree(tree).tree) if is_reduced else whole
    states, edges = model.states, model.edges
    values = {(part["classes"], tuple(part["items"])): part["value"] for part in evidence["parts"]}
    nodes = {}
    for variable in model.variables:
        around = sorted(
            states[other] for pair in edges for other in pair if variable.name in pair and other != variable.name
        )
        value = values.get((variable.states, tuple(around)))
        if not variable.observed:
            if value is None:
                return None
            nodes[variable.name] = f"+{value}"
    overlaps = {(one, other): f"−{value}" for one, other, value in evidence["inner_edges"]}
    total = sum(int(value) for value in nodes.values()) - sum(value for *_, value in evidence["inner_edges"])
    if total != bound.value:
        return None
    terms = write_terms([int(value) for value in nodes.values()])
    minus = write_terms([int(value) for *_, value in evidence["inner_edges"]], "−")
    text = (
        f"{terms} − {minus} = {total}. Each hidden variable with its neighbours is a latent class model of its own; along an edge between two "
        "of them both speak of the same joint table of its ends, so that is counted once only (tree rule)."
    )
    drawn = {pair if pair in edges else (pair[1], pair[0]): value for pair, value in overlaps.items()}
    if is_reduced:
        return OnGraph(
            nodes, drawn, text, model, "The tree is drawn after its reduction, which changes no distribution."
        )
    return OnGraph(nodes, drawn, text)


MOST_TERMS = 12
"""Of a sum that is written term by term."""


def write_terms(numbers: Sequence[int], sign: str = "+") -> str:
    """Numbers that are added, or taken away; of many those that are equal together.

    >>> write_terms([7, 7, 3], "−"), write_terms([7] * 98 + [3])
    ('7 − 7 − 3', '98·7 + 3')
    """
    if len(numbers) <= MOST_TERMS:
        return f" {sign} ".join(map(str, numbers))
    counts = Counter(numbers)
    return f" {sign} ".join(f"{count}·{number}" if count > 1 else str(number) for number, count in counts.items())


def vary_network(model: Network) -> Iterator[tuple[str, Network]]:
    """Questions, and the network that each is about.

    >>> from algdim.models.notation import parse
    >>> [question for question, _ in vary_network(parse("3:2,2,2,2"))]
    ['What happens with one more item like X4?', 'What happens if H has 2 states?', 'What happens if X1 is not observed?']
    """
    hidden, observed = model.hidden, [one for one in model.observed if one.name not in model.given]
    leaves = (
        [one for one in observed if one.parents and not any(one.name in other.parents for other in model.variables)]
        if all(is_plain(one) for one in model.variables)
        else []
    )
    if hidden and leaves:
        last = leaves[-1]
        name = name_next(last.name, {one.name for one in model.variables})
        yield (
            f"What happens with one more item like {last.name}?",
            replace(model, variables=(*model.variables, Variable(name, last.states, True, last.parents))),
        )
    # what has a rule or fixed entries may not allow its parents another number of states
    named = {parent for v in model.variables if not is_plain(v) for parent in v.parents}
    for one in hidden:
        if one.states > 2 and is_plain(one) and one.name not in named:
            yield (
                f"What happens if {one.name} has {one.states - 1} states?",
                replace(
                    model,
                    variables=tuple(v.with_states(v.states - 1) if v.name == one.name else v for v in model.variables),
                ),
            )
            break
    for one in observed[:1] if len(observed) > 2 else []:
        yield (
            f"What happens if {one.name} is not observed?",
            replace(
                model, variables=tuple(replace(v, observed=False) if v.name == one.name else v for v in model.variables)
            ),
        )


def is_plain(variable: Variable) -> bool:
    """Whether the variable has a table of its own without further conditions."""
    return variable.local == Table()


def name_next(name: str, known: set[str]) -> str:
    """A name that is not there yet.

    >>> name_next("X4", {"X4", "X5"}), name_next("Smoking", set())
    ('X6', 'Smoking2')
    """
    stem = name.rstrip("0123456789")
    number = int(name[len(stem) :] or 1) + 1
    while f"{stem}{number}" in known:
        number += 1
    return f"{stem}{number}"
