"""What the page shows of a network: a flattening, of Koszul's too, as a sum over classes, a tree taken apart edge by edge; changes for exercises."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import comb, prod
from typing import Any

import numpy as np

from algdim.bound.bounds import Bound
from algdim.families.contract import GridSum, OnGraph
from algdim.families.discrete.bounds.koszul import compute_block_pattern
from algdim.families.discrete.conditionalembeddings import compute_joint_table
from algdim.families.discrete.locals.table import Table
from algdim.families.discrete.map import ParamMap
from algdim.families.discrete.model import Network, Variable
from algdim.figures import format_count

MOST_ROWS, MOST_PARTS, MOST_GRIDS = 9, 6, 2
MOST_KOSZUL = 18
"""Of a flattening that is drawn; how many are. A Koszul flattening may have more rows."""


def picture_table_bound(pmap: ParamMap, point: Sequence[Fraction], bound: Bound) -> Iterator[GridSum | OnGraph]:
    """What the evidence of an upper bound looks like at a point."""
    equations = bound.evidence.get("equations", ()) if len(point) else ()
    make = {"flattening": make_class_sum, "koszul": make_koszul_sum}
    drawn = 0
    for one in sorted(equations, key=lambda one: one["type"] != "koszul"):  # rare ones first
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
    if max(sizes) > MOST_ROWS or not 1 < count <= MOST_PARTS:
        return None
    names = [*sides[0], *sides[1], *separators, *given]
    joint = compute_joint_table(pmap, names, point)
    for _ in given:  # the first state of each condition
        joint = joint[..., 0]
    table = joint.reshape([*sizes, count])
    parts = [(name_state(separators, states, number), table[:, :, number].tolist()) for number in range(count)]
    whole = [[sum(cell, Fraction(0)) for cell in row] for row in table.tolist()]
    blocks = " × ".join(",".join(side) for side in sides)
    under = f" where {', '.join(f'{name}=0' for name in given)}" if given else ""
    between = ",".join(separators)
    text = (
        f"P({','.join(sides[0])}; {','.join(sides[1])}){under}, a matrix with {sizes[0]} rows and {sizes[1]} columns, is a sum of {count} "
        f"matrices of rank one, one for each state of {between}, which separates the two sides. So its rank is at most {count}."
    )
    return GridSum(f"P({blocks})", whole, parts, text)


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


def label_tree(model: Network, bound: Bound) -> OnGraph | None:
    """The local models at their hidden nodes, and the overlaps at the edges between them; ``None`` of a tree that was reduced first."""
    evidence = bound.evidence
    if any(evidence[key] for key in ("capped", "spliced", "deleted")) or not evidence["inner_edges"]:
        return None
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
    terms = " + ".join(value[1:] for value in nodes.values())
    minus = "".join(f" − {value}" for *_, value in evidence["inner_edges"])
    text = (
        f"{terms}{minus} = {total}. Each hidden variable with its neighbours is a latent class model of its own; along an edge between two "
        "of them both speak of the same joint table of its ends, so that is counted once only (tree rule)."
    )
    return OnGraph(nodes, overlaps, text)


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
    named = {parent for v in model.variables if isinstance(v.local, Table) and not is_plain(v) for parent in v.parents}
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
