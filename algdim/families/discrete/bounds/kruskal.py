"""A latent class model with as many dimensions as parameters, by three small ranks (lemma "Kruskal").

Kruskal 1977 (Linear Algebra Appl. 18, 95-138): Σ_h π_h a_h⊗b_h⊗c_h determines its k terms up to their order if the
Kruskal ranks of the three families add up to at least 2k + 2. Allman, Matias, Rhodes 2009 (Ann. Statist. 37,
3099-3132, doi:10.1214/09-AOS689) apply it to items grouped into three blocks. With free tables the classes can be
renamed, so if j rows of P(items of a block | class) are independent at one point, any j are at a generic one. The
parameters are then determined up to the order of the classes, and the dimension is their number.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from math import prod
from typing import Any

import numpy as np

from algdim.bound.bounds import LOWER, Bound, prove_bound
from algdim.errors import join_names
from algdim.exact.arithmetic import RESIDUE_BITS, Array, Residues
from algdim.exact.draws import draw_residues, open_stream
from algdim.exact.primes import draw_prime
from algdim.exact.ranks import rank_mod
from algdim.families.discrete.bounds.pairwise import count_class_parameters, find_free_latent_class
from algdim.families.discrete.model import Network
from algdim.figures import format_integer

MOST_CLASSES = 2000
MOST_ITEMS_TRIED = 200
"""Items beyond these are left out of the blocks, which the lemma allows."""
MOST_GROUPINGS = 4000
SPARE_COLUMNS = 16
ATTEMPTS = 2

Sizes = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Grouping:
    """Three blocks being filled: the item put in last, its block, and the blocks before."""

    item: int
    block: int
    before: Grouping | None


def bound_by_kruskal(model: Network, seed: int | str, labels: tuple[int | str, ...] = ()) -> Bound | None:
    """A proof that the dimension is at least the number of parameters, ``None`` where Kruskal's theorem says nothing.

    >>> from algdim.models.notation import parse
    >>> bound_by_kruskal(parse("2:2,2,2"), 0).value
    7
    >>> bound_by_kruskal(parse("3:2,2,2,2"), 0)
    """
    shape = find_free_latent_class(model)
    if shape is None or not 2 <= shape[0] <= MOST_CLASSES:
        return None
    classes, items = shape
    blocks = find_tripartition(classes, items)
    if blocks is None:
        return None
    names = [variable.name for variable in model.observed]
    for number in range(ATTEMPTS):
        place = (*labels, "kruskal", number)
        prime = draw_prime(open_stream(seed, "prime", *place), RESIDUE_BITS)
        ranks = [rank_of_block(classes, {item: items[item] for item in block}, prime, seed, place) for block in blocks]
        if sum(ranks) >= 2 * classes + 2:
            value = count_class_parameters(classes, items)
            a, b, c = ranks
            reason = (
                f"all {format_integer(value)} parameters: three blocks of items have {a} + {b} + {c} ≥ 2·{classes} + 2 "
                f"independent classes (Kruskal; ranks mod {prime})"
            )
            evidence: dict[str, Any] = {
                "classes": classes,
                "blocks": [[names[item] for item in block] for block in blocks],
                "ranks": ranks,
                "prime": prime,
                "seed": seed,
                "labels": "|".join(str(label) for label in place),
            }
            shown = " | ".join(join_names(block) for block in evidence["blocks"])
            at = f'of {shown}, their tables drawn from "{open_stream(seed, "point", *place).text}|…"'
            return prove_bound(value, LOWER, "kruskal", reason, "Kruskal", evidence=evidence, at=at)
    return None


def find_tripartition(classes: int, items: tuple[int, ...]) -> tuple[tuple[int, ...], ...] | None:
    """Three blocks of items whose generic ranks min(classes, ∏ states) suffice; ``None`` if none are found.

    Items with many states first; what the blocks contain matters only by their sizes, capped at the classes.

    >>> find_tripartition(2, (2, 2, 2, 2))
    ((0,), (1,), (2,))
    >>> find_tripartition(4, (2, 2, 2, 2, 2))
    ((0, 1), (2, 3), (4,))
    """
    order = sorted(range(len(items)), key=lambda item: -items[item])[:MOST_ITEMS_TRIED]
    needed = 2 * classes + 2
    reached: dict[Sizes, Grouping | None] = {(1, 1, 1): None}
    for item in order:
        extended = dict(reached)
        for sizes, grouping in reached.items():
            for block in range(3):
                grown = list(sizes)
                grown[block] = min(classes, grown[block] * items[item])
                a, b, c = sorted(grown, reverse=True) if grouping is None else grown
                extended.setdefault((a, b, c), Grouping(item, block, grouping))
        reached = dict(islice(sorted(extended.items(), key=lambda pair: -sum(pair[0])), MOST_GROUPINGS))
        for sizes, grouping in reached.items():
            if sum(sizes) >= needed:
                return list_block_members(grouping)
    return None


def list_block_members(grouping: Grouping | None) -> tuple[tuple[int, ...], ...]:
    """The three blocks, each in the order of the items."""
    blocks: tuple[list[int], ...] = ([], [], [])
    while grouping is not None:
        blocks[grouping.block].append(grouping.item)
        grouping = grouping.before
    return tuple(tuple(sorted(block)) for block in blocks)


def rank_of_block(
    classes: int, sizes: Mapping[int, int], prime: int, seed: int | str, labels: tuple[int | str, ...]
) -> int:
    """The rank modulo the prime of P(items of a block | class) at a drawn point, against some product probes if large.

    Tables of free entries take every value with rows that sum to 1. A probe's value is a combination of columns, so
    that the rank against probes is a lower bound.
    """
    field = Residues(prime)
    columns = classes + SPARE_COLUMNS
    full = prod(sizes.values()) <= columns
    matrix: Array = field.elements(np.ones((classes, 1), dtype=np.int64))
    for item, size in sizes.items():
        free = draw_residues(open_stream(seed, "point", *labels, item), prime, classes * (size - 1)).reshape(
            classes, size - 1
        )
        table = field.elements(np.hstack([free, 1 - free.sum(axis=1, keepdims=True)]))
        if full:
            # the columns of the block: all products of one column of each item
            matrix = field.multiply(matrix[:, :, None], table[:, None, :]).reshape(classes, -1)
        else:
            vectors = draw_residues(open_stream(seed, "probes", *labels, item), prime, size * columns)
            matrix = field.multiply(matrix, field.matmul(table, field.elements(vectors.reshape(size, columns))))
    return rank_mod(matrix, prime).value
