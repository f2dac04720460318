"""Do the equations that `algdim constraints` lists hold? Each is evaluated at exact random members of the model."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np

from hunting.answering import Answer, judged, status_of, unread
from hunting.answers_identify import Truth
from hunting.formulas import UnreadableError
from hunting.independences import closure, has_cycle, parents_of, separated
from hunting.kernels import Table, holds
from hunting.members import Matrix, Member, random_prime, rank_of
from hunting.regressions import covariances_of, equation_of

MOST_OBSERVED = 6
"""Variables of a graph of which all independences are looked at."""


def judge_constraints(said: Mapping[str, Any], truth: Truth, source: random.Random) -> Iterator[Answer]:
    """Judge every equation, the codimension, and the zeros."""
    is_gaussian = said["family"] == "gaussian"
    for one in (*said["constraints"], *said.get("pairs", ())):
        status = status_of(one)
        try:
            wrong = next(
                (m for m in truth.members if not (holds_gaussian if is_gaussian else holds_discrete)(one, m)), None
            )
        except (UnreadableError, KeyError, ValueError) as error:
            yield unread(one["kind"], f"{error} in {one['text']}")
            continue
        yield judged(one["kind"], status, wrong is None, f"{one['text']}   does not hold")
        if is_gaussian and wrong is None:
            empty = is_identity(one, truth.members[0], source)
            yield judged("no identity", status, not empty, f"{one['text']}   holds for all covariances")
        if one["kind"] == "verma" and wrong is None:
            empty = is_vacuous(one, truth, source)
            yield judged("no identity", status, not empty, f"{one['text']}   holds for every table")
    yield judged(
        "codimension",
        "proved",
        said["upper"] >= truth.rank,
        f"the dimension is at most {said['upper']}, and it is {truth.rank}",
    )
    if is_gaussian:
        yield from judge_pairs(said, truth.model)
        flagged = [one for one in said["constraints"] if one["independent"]]
        if flagged:
            rank = max(
                rank_of(np.array([gradient_of(one, member) for one in flagged]), member.prime)
                for member in truth.members
            )
            yield judged(
                "independent equations",
                "proved",
                rank == len(flagged) == said["codimension"],
                f"{len(flagged)} equations of rank {rank}",
            )
    else:
        yield from judge_completeness(said, truth.model)
        zeros = sum(1 for name in truth.members[0].coordinates if not any(m.coordinates[name] for m in truth.members))
        yield judged(
            "zero cells", "proved", said["zero_cells"] == zeros, f"{said['zero_cells']} zero cells for {zeros}"
        )


def judge_pairs(said: Mapping[str, Any], model: Any) -> Iterator[Answer]:
    """If all equations of a Gaussian model are said to be listed, each pair that others separate has one of its own."""
    names = [variable.name for variable in model.variables if variable.observed]
    if not said.get("all_listed") or len(names) > MOST_OBSERVED or has_cycle(parents_of(model)):
        return
    listed = {frozenset(one["variables"]) for one in said["constraints"] if one["kind"] == "zero"}
    listed |= {
        frozenset((one["rows"][0], one["columns"][0])) for one in said["constraints"] if one["kind"] == "partial"
    }
    lost = {pair for pair, _ in separated(model, names)} - listed
    yield judged("pairs complete", "proved", not lost, f"not listed: {sorted(map(sorted, lost))[:5]}")


def judge_completeness(said: Mapping[str, Any], model: Any) -> Iterator[Answer]:
    """If the independences are called complete, they imply all that the graph implies, and no separable pair is missing."""
    names = [variable.name for variable in model.variables if variable.observed]
    if not said.get("independences_complete") or len(names) > MOST_OBSERVED:
        return
    listed = [(one["A"], one["B"], one["C"]) for one in said["constraints"] if one["kind"] == "independence"]
    missing = separated(model, names) - closure(listed)
    yield judged(
        "independences complete",
        "proved",
        not missing,
        f"not implied: {sorted((sorted(a), sorted(b)) for a, b in missing)[:5]}",
    )
    pairs = {frozenset((*one["A"], *one["B"])) for one in said.get("pairs", ())}
    lost = {pair for pair, _ in separated(model, names)} - pairs
    yield judged("pairs complete", "proved", not lost, f"not listed: {sorted(map(sorted, lost))[:5]}")


def holds_discrete(one: Mapping[str, Any], member: Member) -> bool:
    """An independence, a flattening, or a Verma-type equation at a member."""
    table = Table(member.table, member.axes, member.prime)
    if one["kind"] not in ("independence", "flattening"):
        return holds(one["text"], table, one.get("where") or (), one.get("states"))
    most = 1 if one["kind"] == "independence" else one["rank"]
    wanted = one.get("states")
    for state in product(*(range(member.table.shape[axis]) for axis in table.axes(one["C"]))):
        if wanted is not None and list(state) not in wanted:
            continue
        if rank_of(flattened(table, one["A"], one["B"], one["C"], state), member.prime) > most:
            return False
    return True


def flattened(
    table: Table, rows: Sequence[str], columns: Sequence[str], given: Sequence[str], state: Sequence[int]
) -> Matrix:
    """P(rows, columns, given = state) as a matrix; other variables are summed out."""
    axes = table.axes([*rows, *columns, *given])
    others = tuple(axis for axis in range(table.table.ndim) if axis not in axes)
    values = table.table.sum(axis=others, keepdims=True) % table.prime
    values = np.transpose(values, (*axes, *others)).reshape([table.table.shape[axis] for axis in axes])
    wide = int(np.prod([table.table.shape[axis] for axis in table.axes(rows)], dtype=np.int64))
    part = values[(..., *state)] if given else values
    return np.asarray(part).reshape(wide, -1)


def is_vacuous(one: Mapping[str, Any], truth: Truth, source: random.Random) -> bool:
    """Whether an equation holds for every table: then it says nothing."""
    axes = truth.members[0].axes
    for _ in range(2):
        prime = random_prime(source)
        shape = [states for _, states in axes]
        cells = np.array([source.randrange(1, prime) for _ in range(int(np.prod(shape)))], dtype=np.int64)
        total = pow(int(cells.sum()) % prime, -1, prime)
        table = Table((cells * total % prime).reshape(shape), axes, prime)
        if not holds(one["text"], table, one.get("where") or (), one.get("states")):
            return False
    return True


def gradient_of(one: Mapping[str, Any], member: Member) -> Matrix:
    """The derivatives of an equation by the coordinates at a member."""
    return np.asarray(equation_of(one, covariances_of(member))[0].slopes)


def holds_gaussian(one: Mapping[str, Any], member: Member) -> bool:
    """An equation of covariances or means at a member; one that divides by zero does not hold."""
    try:
        return all(value.value == 0 for value in equation_of(one, covariances_of(member)))
    except ZeroDivisionError:
        return False


def is_identity(one: Mapping[str, Any], member: Member, source: random.Random) -> bool:
    """Whether an equation holds for all covariances: then it says nothing."""
    drawn = {name: source.randrange(1, member.prime) for name in member.coordinates}
    saturated = Member(member.prime, {}, drawn, member.jacobian)
    return all(value.value == 0 for value in equation_of(one, covariances_of(saturated)))
