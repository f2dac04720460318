"""Choose, among the equations that a bound rests on, as many with independent gradients as it needs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algdim.certificate import checker
from algdim.exact.draws import residues, stream
from algdim.exact.ranks import rank_mod

Item = dict[str, Any]
Forms = NDArray[np.int64]

SPARE = 64
SUM, CONSTANT = -1, -2


def equations_node(
    model: checker.Discrete | checker.Gaussian | checker.Formulas,
    prime: int,
    point: str,
    constants: Sequence[int],
    items: Iterable[Mapping[str, Any]],
    needed: int,
) -> Item:
    """The constants, and the matrices with the pairs of kernel vectors that name as many independent gradients as needed."""
    field = checker.Field(prime, checker.Work())
    at = model.at(field, checker.drawn(field, model, point))
    values: dict[int, int] = {}
    sums = model.sums()
    basis = dense([*sums, *({number: 1} for number in constants)], model.coordinates)
    chosen: list[tuple[int, Any]] = [*((SUM, k) for k in range(len(sums))), *((CONSTANT, k) for k in constants)]
    needed += len(sums)
    found: list[Item] = []
    for item in map(dict, items):
        if len(chosen) >= needed:
            break
        found.append(item)
        for names, forms in batches(model, item, at, values, needed - len(chosen)):
            together = np.vstack([basis, forms])
            numbered = [*chosen, *((len(found) - 1, name) for name in names)]
            rows = list(rank_mod(together, prime).rows)[:needed]
            chosen, basis = [numbered[row] for row in rows], together[rows]
            if len(chosen) >= needed:
                break
    for number, item in enumerate(found):
        item["pairs"] = sorted(name for used, name in chosen if used == number)
    matrices = [item for item in found if item["pairs"]]
    kept = sorted(name for used, name in chosen if used == CONSTANT)
    return {"prime": prime, "point": point, "constants": kept, "matrices": matrices}


def dense(forms: Sequence[Mapping[int, int]], width: int) -> Forms:
    """Linear forms as rows."""
    rows = np.zeros((len(forms), width), dtype=np.int64)
    for row, form in zip(rows, forms, strict=True):
        row[list(form)] = list(form.values())
    return rows


def batches(
    model: checker.Discrete | checker.Gaussian | checker.Formulas,
    item: Item,
    at: Any,
    values: dict[int, int],
    missing: int,
) -> Iterator[tuple[list[list[int]], Forms]]:
    """Gradients with their pairs, some at a time, in an order drawn once and for all."""
    field: checker.Field = at.field
    prime = field.prime
    _, matrix = model.matrix({**item, "pairs": []}, field)
    for number in {number for line in matrix for form in line for number in form} - values.keys():
        values[number] = at.value(model.coordinate(number))
    numbers = [[sum(w * values[k] for k, w in form.items()) % prime for form in line] for line in matrix]
    left, right = field.kernel(numbers), field.kernel(list(zip(*numbers, strict=True)))
    pairs = [[a, b] for a in range(len(left)) for b in range(len(right))]
    drawn = residues(stream(0, "pairs", len(matrix), len(matrix[0])), 1 << 40, len(pairs))
    pairs = [pairs[k] for k in np.argsort(drawn, kind="stable")]
    terms = [
        (i, j, number, weight % prime)
        for i, line in enumerate(matrix)
        for j, form in enumerate(line)
        for number, weight in form.items()
    ]
    rows, columns, spots, weights = (np.array(column, dtype=np.int64) for column in zip(*terms, strict=True))
    first, second = np.array(left, dtype=np.int64), np.array(right, dtype=np.int64)
    size = missing + SPARE
    for start in range(0, len(pairs), size):
        some = pairs[start : start + size]
        forms = np.zeros((len(some), model.coordinates), dtype=np.int64)
        for row, (a, b) in zip(forms, some, strict=True):
            np.add.at(row, spots, product_mod(product_mod(first[a][rows], second[b][columns], prime), weights, prime))
        yield some, forms % prime


def product_mod(one: Forms, other: Forms, prime: int) -> Forms:
    """Products of residues, also of those whose product is beyond 64 bits."""
    if prime < 1 << 31:
        return one * other % prime
    return np.array([x * y % prime for x, y in zip(one.tolist(), other.tolist(), strict=True)], dtype=np.int64)


def constants_of(model: checker.Discrete, equations: Sequence[Item]) -> list[int]:
    """The cells that vanish identically."""
    cells = {tuple(states) for found in equations if found["type"] == "zeros" for states in found["cells"]}
    return sorted(checker.place_of(states, model.shape) for states in cells)


def items_of(model: checker.Discrete, equations: Sequence[Item]) -> Iterator[Item]:
    """One item for each matrix, still without pairs."""
    for found in equations:
        if found["type"] == "zeros":
            continue
        given = list(found["C"])
        states = found.get("states") or list(product(*(range(model.sizes[v]) for v in given)))
        for state in states:
            blocks = found["blocks"] if "blocks" in found else [found["A"], found["B"]]
            more: Item = {key: found[key] for key in ("order", "projection") if key in found}
            yield {
                "blocks": [list(block) for block in blocks],
                "C": given,
                "S": list(found["S"]),
                "state": list(state),
                **more,
            }
