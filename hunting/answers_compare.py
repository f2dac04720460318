"""Is what `algdim compare` says of two models true.

*Not nested* is false of what is nested by construction. *Nested* is refuted by a polynomial of degree two or less that
vanishes on the larger model (found by interpolation at its members) and not at a member of the smaller one, by dimensions,
and by what is zero at all parameters.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations_with_replacement, product
from typing import Any

import numpy as np

from algdim.families.discrete.locals.table import FREE
from hunting.answer_pairs import Pair
from hunting.answering import Answer, judged, status_of, unread
from hunting.answers_constraints import flattened
from hunting.answers_identify import Truth
from hunting.kernels import Table
from hunting.members import Matrix, Member, kernel_of, member_of, random_prime, rank_of
from hunting.regressions import covariances_of

NESTED, NOT_NESTED = "nested", "not nested"
MOST_COORDINATES = 16
REPEATS = 2
TEST_LINE = re.compile(r"likelihood-ratio test:.*proved")


def judge_compare(
    said: Mapping[str, Any], text: str, pair: Pair, truths: tuple[Truth, Truth], source: random.Random
) -> Iterator[Answer]:
    """Judge the verdicts of both directions, the relation, the degrees of freedom and the warning."""
    first, second = truths
    for told, truth in zip(said["models"], truths, strict=True):
        yield judged(
            "dimension",
            status_of(told, "exact"),
            told["dimension"] == truth.rank,
            f"{told['dimension']} for {truth.rank}",
        )
    known = {"nested": (True, None), "equal": (True, True), "unknown": (None, None)}[pair.order]
    verdicts = []
    for key, small, large, nested in (
        ("first_in_second", first, second, known[0]),
        ("second_in_first", second, first, known[1]),
    ):
        told = said[key]
        verdict = told["verdict"]
        verdicts.append(verdict)
        status = told.get("status") or "proved"
        markov = by_markov(small, large)
        if verdict == NOT_NESTED:
            right = nested is not True and markov is not True
            yield judged("not nested", status, right, f"{key}: not nested ({told['reason']}), but it is ({pair.how})")
        elif verdict == NESTED:
            yield from judge_nested(key, status, small, large, source)
            if markov is not None:
                yield judged(
                    "nested, Markov", status, markov, f"{key}: nested, but an independence of the larger model fails"
                )
        else:
            yield Answer("nesting", "undecided", True, "")
    yield judged("relation", "proved", said["relation"] == relation(verdicts), f"{said['relation']} for {verdicts}")
    one_in_other = NESTED in verdicts
    df = abs(second.rank - first.rank) if one_in_other else None
    exact = all(status_of(told, "exact") == "proved" for told in said["models"])
    yield judged(
        "difference of dimensions", "proved" if exact else "undecided", said["df"] == df, f"{said['df']} for {df}"
    )
    yield from judge_ratio(said, verdicts, df, truths)
    boundary = pair.on_boundary or new_zeros(first, second)
    if boundary and verdicts[0] == NESTED:
        silent = bool(TEST_LINE.search(text)) and "warning" not in text and "boundary" not in text
        yield judged(
            "likelihood-ratio test",
            "proved",
            not silent,
            f"the first lies on the boundary of the second ({pair.how}), and nothing is said of it",
        )


def judge_ratio(
    said: Mapping[str, Any], verdicts: Sequence[str], df: int | None, truths: tuple[Truth, Truth]
) -> Iterator[Answer]:
    """What the JSON says of the likelihood-ratio test, if it says it: the difference, and how many cells only one model allows."""
    told = said.get("likelihood_ratio")
    if not told:
        return
    yield judged(
        "difference of dimensions", status_of(told), told["difference"] == df, f"{told['difference']} for {df}"
    )
    small, large = truths if verdicts[0] == NESTED else truths[::-1]
    one, other = (aligned(truth.members[0]) for truth in (small, large))
    if small.members[0].axes and large.members[0].axes and one.shape == other.shape:
        count = int(((one == 0) & (other != 0)).sum())
        yield judged(
            "impossible cells", "proved", told["impossible_cells"] == count, f"{told['impossible_cells']} for {count}"
        )
    if told["regular"] is True and not told["boundary"] and not told["impossible_cells"]:
        # where nothing is doubtful the smaller model must not be known to be on the boundary
        yield judged(
            "nothing doubtful", "proved", not new_zeros(small, large), "cells are zero in the smaller model only"
        )


def relation(verdicts: Sequence[str]) -> str:
    """The words for two verdicts."""
    if verdicts == [NESTED, NESTED]:
        return "equal"
    if verdicts[0] == NESTED:
        return "the first is nested in the second"
    if verdicts[1] == NESTED:
        return "the second is nested in the first"
    return "neither is nested in the other" if verdicts == [NOT_NESTED, NOT_NESTED] else "not decided"


def by_markov(small: Truth, large: Truth) -> bool | None:
    """Whether one model is nested in a network of free tables, or of free regressions, without hidden variables.

    Such a network is all that satisfies its local Markov property; ``None`` for others.
    """
    model, member = large.model, small.members[0]
    if not all(variable.observed for variable in model.variables):
        return None
    if model.family == "discrete":
        if model.given or any(v.local != FREE for v in model.variables) or not member.axes:
            return None
        parents = {v.name: list(v.parents) for v in model.variables}
    elif model.family == "gaussian":
        if model.bidirected or model.fixed or model.equal:
            return None
        parents = {v.name: [a for a, b in model.edges if b == v.name] for v in model.variables}
    else:
        return None
    placed: list[str] = []
    while len(placed) < len(parents):
        ready = next((name for name in parents if name not in placed and set(parents[name]) <= set(placed)), None)
        if ready is None:
            return None  # a cycle
        others = [name for name in placed if name not in parents[ready]]
        if others and not is_independent(member, ready, others, parents[ready]):
            return False
        placed.append(ready)
    return True


def is_independent(member: Member, name: str, others: Sequence[str], given: Sequence[str]) -> bool:
    """Whether a variable is independent of others given some, at a member."""
    if member.axes:
        table = Table(member.table, member.axes, member.prime)
        sizes = [member.table.shape[axis] for axis in table.axes(given)]
        return all(
            rank_of(flattened(table, [name], others, given, state), member.prime) <= 1
            for state in product(*map(range, sizes))
        )
    rows, columns = [name, *given], [*others, *given]
    at = covariances_of(member)
    matrix = np.array([[at.covariance(a, b).value for b in columns] for a in rows], dtype=np.int64)
    return rank_of(matrix, member.prime) <= len(given)


def new_zeros(first: Truth, second: Truth) -> bool:
    """Whether cells are zero everywhere in the first model and not in the second."""
    if not (first.members[0].axes and second.members[0].axes):
        return False
    one, other = aligned(first.members[0]), aligned(second.members[0])
    return one.shape == other.shape and bool(((one == 0) & (other != 0)).any())


def aligned(member: Member) -> Matrix:
    """The coordinates in an order that both models have: the axes of a table by name, others by their names."""
    if member.axes:
        names = [name for name, _ in member.axes]
        return np.transpose(member.table, [names.index(name) for name in sorted(names)])

    def key(name: str) -> str:
        inside = re.fullmatch(r"cov\((.*),(.*)\)", name)
        return f"cov({','.join(sorted(inside.groups()))})" if inside else name

    return np.array(
        [value for _, value in sorted((key(name), value) for name, value in member.coordinates.items())], dtype=np.int64
    )


def judge_nested(key: str, status: str, small: Truth, large: Truth, source: random.Random) -> Iterator[Answer]:
    """Refute that one model is nested in the other, if that can be done."""
    yield judged(
        "nested, dimensions",
        status,
        small.rank <= large.rank,
        f"{key}: nested, with dimensions {small.rank} and {large.rank}",
    )
    count = aligned(large.members[0]).size
    if large.rank >= count - bool(large.members[0].axes):
        return  # the larger model is saturated: nothing vanishes on it
    if count > MOST_COORDINATES or aligned(small.members[0]).size != count:
        yield unread("nested, equations", f"{count} coordinates")
        return
    failed = all(not satisfies(small, large, source) for _ in range(REPEATS))
    yield judged(
        "nested, equations",
        status,
        not failed,
        f"{key}: nested, but a quadric that contains the larger model does not contain the smaller one",
    )


def satisfies(small: Truth, large: Truth, source: random.Random) -> bool:
    """Whether members of the smaller model satisfy all equations of degree two or less of the larger one, modulo a prime."""
    prime = random_prime(source)
    count = aligned(large.members[0]).size
    needed = (count + 1) * (count + 2) // 2 + 5
    rows = np.array(
        [quadratic(aligned(member_of(large.model, large.names, source, prime)), prime) for _ in range(needed)]
    )
    equations = kernel_of(rows, prime)
    if not equations.size:
        return True
    tests = np.array([quadratic(aligned(member_of(small.model, small.names, source, prime)), prime) for _ in range(3)])
    values = np.array(
        [[sum(int(a) * int(b) for a, b in zip(row, one, strict=True)) % prime for one in tests] for row in equations]
    )
    return not values.any()


def quadratic(values: Matrix, prime: int) -> list[int]:
    """All monomials of degree two or less."""
    flat = [1, *values.ravel().tolist()]
    return [a * b % prime for a, b in combinations_with_replacement(flat, 2)]
