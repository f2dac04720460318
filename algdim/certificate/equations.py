"""Choose, among the equations that a bound rests on, as many with independent gradients as it needs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algdim.certificate import checker
from algdim.exact.draws import residues, stream
from algdim.exact.ranks import rank_mod

Item = dict[str, Any]

SPARE = 8


def equations_node(model: checker.Model, evidence: Mapping[str, Any], seed: int | str, needed: int) -> Item:
    """The matrices with the pairs of a row and a column that name independent gradients, as many as needed."""
    prime, budget = evidence["prime"], checker.Budget()
    point = f"algdim 1|{seed}|point|{evidence['point']}"
    network = checker.network_of(model)
    at = checker.table_at(checker.point_of(network, checker.drawn(network, point, prime), prime), budget)
    sizes = [model.variables[name].states for name in model.observed]
    cells = list(product(*map(range, sizes)))
    items: list[Item] = []
    chosen: list[tuple[int, Any]] = []
    basis = np.zeros((0, len(cells)), dtype=np.int64)
    for item in items_of(model, evidence["equations"], sizes):
        if len(chosen) == needed:
            break
        items.append(item)
        for names, forms in batches(network, item, at, cells, prime, needed - len(chosen)):
            together = np.vstack([basis, forms])
            rank = rank_mod(together, prime)
            numbered = [*chosen, *((len(items) - 1, name) for name in names)]
            rows = list(rank.rows)[:needed]
            chosen, basis = [numbered[row] for row in rows], together[rows]
            if len(chosen) == needed:
                break
    for number, item in enumerate(items):
        key = "cells" if item["type"] == "zeros" else "pairs"
        item[key] = sorted(name for used, name in chosen if used == number)
    return {
        "prime": prime,
        "point": point,
        "matrices": [item for item in items if item.get("pairs") or item.get("cells")],
    }


def items_of(model: checker.Model, equations: list[Item], sizes: list[int]) -> Iterator[Item]:
    """One item for each matrix, still without pairs."""
    for found in equations:
        if found["type"] == "zeros":
            yield {"type": "zeros", "cells": [checker.joint(states, sizes) for states in found["cells"]]}
            continue
        given = list(found["C"])
        states = found.get("states") or [list(s) for s in product(*(range(model.variables[c].states) for c in given))]
        every = list(product(*(range(model.variables[name].states) for name in given)))
        for state in states:
            rank = found["rank"]
            common = {"C": given, "S": list(found["S"]), "state": list(state)}
            common["rank"] = rank[every.index(tuple(state))] if isinstance(rank, list) else rank
            if found["type"] == "flattening":
                yield {"type": "flattening", "A": found["A"], "B": found["B"], **common, "pairs": []}
            else:
                more = {"projection": found["projection"]} if "projection" in found else {}
                yield {
                    "type": "koszul",
                    "blocks": found["blocks"],
                    **common,
                    "order": found["order"],
                    **more,
                    "pairs": [],
                }


Cells = list[tuple[int, ...]]


def batches(
    network: checker.Network, item: Item, at: Mapping[tuple[int, ...], int], cells: Cells, prime: int, missing: int
) -> Iterator[tuple[list[Any], NDArray[np.int64]]]:
    """Gradients with their names, some at a time; the pairs in an order drawn once and for all."""
    if item["type"] == "zeros":
        numbers = item["cells"]
        forms = np.zeros((len(numbers), len(cells)), dtype=np.int64)
        forms[np.arange(len(numbers)), numbers] = 1
        yield numbers, forms
        return
    budget = checker.Budget()
    read = checker.flattening if item["type"] == "flattening" else checker.koszul
    flat = read(network, item, budget)
    height, width = flat.size
    places, array = checker.places_of(flat, network.model, at, cells, prime)
    matrix = checker.matrix_of(flat, array, prime)
    left = checker.kernel_of(matrix, flat.rank, prime, budget)
    right = checker.kernel_of([list(column) for column in zip(*matrix, strict=True)], flat.rank, prime, budget)
    pairs = [(a, b) for a in left for b in right]
    drawn = residues(stream(0, "pairs", height, width), 1 << 40, len(pairs))
    pairs = [pairs[k] for k in np.argsort(drawn, kind="stable")]
    rows, columns, weights, spots = (list(column) for column in zip(*flat.terms, strict=True))
    number = {spot: k for k, spot in enumerate(dict.fromkeys(spots))}
    index = np.array([number[spot] for spot in spots])
    weight = np.array(weights, dtype=np.int64)
    target = np.array([number.get(places[k], -1) if k in places else -1 for k in range(len(cells))])
    size = missing + SPARE
    for start in range(0, len(pairs), size):
        some = pairs[start : start + size]
        forms = np.zeros((len(some), len(cells)), dtype=np.int64)
        for k, (a, b) in enumerate(some):
            values = np.array(left[a])[rows] * np.array(right[b])[columns] % prime * weight % prime
            # sums of residues stay far below 2^53
            sums = np.bincount(index, weights=values, minlength=len(number)).astype(np.int64) % prime
            forms[k, target >= 0] = sums[target[target >= 0]]
        yield [list(pair) for pair in some], forms
