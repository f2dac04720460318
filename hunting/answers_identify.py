"""Is what `algdim identify` says true: parameters, groups, directions, sets to fix, what is determined, degrees of freedom, units.

The referee takes the JSON and ranks at several members, each of its own prime. A statement that is generic (almost every
point) is compared with the members of greatest rank; that all of these are exceptions by chance is less likely than 10^-20.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import comb, prod
from typing import Any

import numpy as np

from algdim.families.discrete.model import Network
from algdim.families.gaussian.model import Gaussian
from hunting.answering import Answer, judged, status_of, unread
from hunting.formulas import UnreadableError, slope_of
from hunting.members import (
    Matrix,
    Member,
    UnknownError,
    entry_name,
    gaussian_entries,
    kernel_of,
    member_of,
    rank_of,
    residue,
    times,
)

MEMBERS = 3
MOST_SETS = 3000
"""Sets to fix are all tried up to this many."""
MOST_HULL = 60
MOST_JUDGED = 12
"""Sets to fix of one group that are judged one by one."""


@dataclass(frozen=True, eq=False)
class Truth:
    """What is true of a model: members of greatest rank with the kernels of their Jacobians."""

    model: Any
    names: tuple[str, ...]
    members: tuple[Member, ...]
    rank: int
    kernels: tuple[Matrix, ...]

    @property
    def nullity(self) -> int:
        """In how many directions parameters move without a change of what is observed."""
        return len(self.names) - self.rank

    def columns(self, names: Sequence[str]) -> list[int]:
        """The numbers of parameters."""
        return [self.names.index(name) for name in names]

    @property
    def moving(self) -> frozenset[str]:
        """The parameters that are not identifiable."""
        return frozenset(
            name for place, name in enumerate(self.names) if any(kernel[:, place].any() for kernel in self.kernels)
        )

    def freedom(self, places: Sequence[int]) -> int:
        """The rank of the kernel on some parameters: this many directions are left once these alone may move."""
        return max(rank_of(kernel[:, list(places)], member.prime) for kernel, member in self.pairs())

    def pairs(self) -> Iterator[tuple[Matrix, Member]]:
        """Each kernel with its member."""
        yield from zip(self.kernels, self.members, strict=True)

    def groups(self) -> frozenset[frozenset[str]]:
        """The finest parts of the moving parameters in which the kernel splits: joined where a circuit has both."""
        part: dict[int, set[int]] = {}
        for kernel in self.kernels:
            for vector in kernel:
                support = set(np.flatnonzero(vector).tolist())
                joined = support.union(*(part[place] for place in support if place in part))
                part.update(dict.fromkeys(joined, joined))
        return frozenset(frozenset(self.names[place] for place in one) for one in part.values())


def truth_of(model: Any, names: Sequence[str], source: random.Random) -> Truth:
    """Draw members, and keep those of the greatest rank."""
    drawn = [member_of(model, names, source) for _ in range(MEMBERS)]
    ranks = [rank_of(one.jacobian, one.prime) for one in drawn]
    best = max(ranks)
    kept = tuple(one for one, rank in zip(drawn, ranks, strict=True) if rank == best)
    return Truth(model, tuple(names), kept, best, tuple(kernel_of(one.jacobian, one.prime) for one in kept))


def judge_identify(said: Mapping[str, Any], truth: Truth, source: random.Random) -> Iterator[Answer]:
    """Judge every answer of the JSON of `algdim identify`."""
    yield judged(
        "dimension", status_of(said, "exact"), said["dimension"] == truth.rank, f"{said['dimension']} for {truth.rank}"
    )
    yield judged("standard", "proved", said["standard"] == len(truth.names), f"standard {said['standard']}")
    if said["dimension"] != truth.rank:
        return  # all else follows
    yield from judge_parameters(said, truth)
    yield from judge_groups(said, truth)
    yield from judge_basis(said, truth)
    yield from judge_freedom(said, truth, source)
    yield from judge_units(said, truth)


def judge_parameters(said: Mapping[str, Any], truth: Truth) -> Iterator[Answer]:
    """Each parameter is identifiable, or it moves."""
    moving = truth.moving
    names = [one["parameter"] for one in said["parameters"]]
    yield judged("parameters", "proved", names == list(truth.names), f"parameters {names}")
    for one in said["parameters"]:
        name, claim = one["parameter"], one["identifiable"]
        if claim is None:
            yield Answer("parameter", "undecided", True, "")
        else:
            word = "identifiable" if claim else "not identifiable"
            yield judged("parameter", status_of(one), claim is (name not in moving), f"{name} is called {word}")


def judge_groups(said: Mapping[str, Any], truth: Truth) -> Iterator[Answer]:
    """Groups are the parts, with their freedom; sets to fix leave nothing open, and all are there if that is said."""
    groups = truth.groups()
    undecided = any(one["identifiable"] is None for one in said["parameters"])
    for group in said["groups"]:
        members, status = group["parameters"], status_of(group)
        places = truth.columns(members)
        partition = group.get("partition") or {}
        apart = status_of(partition) if isinstance(partition, dict) and partition.get("status") else status
        is_part = frozenset(members) in groups
        yield judged(
            "group", apart, is_part, f"{members} is called a group; the groups are {[sorted(g) for g in groups]}"
        )
        freedom = truth.freedom(places)
        yield judged(
            "freedom of a group",
            status,
            group["freedom"] == freedom,
            f"{members} move in {group['freedom']} directions, not {freedom}",
        )
        yield from judge_fixings(group, truth, places, status)
        yield from judge_directions(group, truth, status)
    together = {name for group in said["groups"] for name in group["parameters"]}
    if not undecided:
        status = (
            "proved" if all(status_of(group) == "proved" for group in said["groups"]) and said["exact"] else "probable"
        )
        yield judged(
            "groups cover",
            status,
            together == truth.moving,
            f"in groups are {sorted(together)}, and {sorted(truth.moving)} move",
        )
        fixing = truth.columns(said["fixing"])
        fits = len(fixing) == truth.nullity == truth.freedom(fixing)
        yield judged(
            "set to fix, of the model",
            status,
            fits,
            f"fixing {said['fixing']} leaves {truth.nullity - truth.freedom(fixing)} directions",
        )


def judge_fixings(group: Mapping[str, Any], truth: Truth, places: Sequence[int], status: str) -> Iterator[Answer]:
    """Each set is as small as can be and leaves nothing open; if they are called all, they are all."""
    freedom = truth.freedom(places)
    for names in group["fixings"][:MOST_JUDGED]:
        own = truth.columns(names)
        fits = set(own) <= set(places) and len(own) == freedom and truth.freedom(own) == freedom
        yield judged(
            "set to fix", status, fits, f"once {names} are fixed, {group['parameters']} still move, or fewer are enough"
        )
    if group["all_listed"] and comb(len(places), freedom) <= MOST_SETS:
        # a bound: the first member shows what is a set for sure, and the others only add more
        kernel, member = next(truth.pairs())
        listed = {frozenset(names) for names in group["fixings"]}
        missing = next(
            (
                own
                for own in combinations(places, freedom)
                if frozenset(truth.names[p] for p in own) not in listed
                and rank_of(kernel[:, list(own)], member.prime) == freedom
            ),
            None,
        )
        text = (
            "" if missing is None else f"{[truth.names[p] for p in missing]} is a set to fix, and not listed among all"
        )
        yield judged("all sets listed", status, missing is None, text)


def judge_directions(group: Mapping[str, Any], truth: Truth, status: str) -> Iterator[Answer]:
    """A direction given by formulas changes no coordinate, and all of them are independent."""
    formulas = [one["moves"] for one in group["directions"] if one.get("at") is None]
    if not formulas or any(name.startswith(("A(", "B(")) for name in truth.names):
        return  # of weights the referee has other coordinates
    member = truth.members[0]
    point = member.slopes()
    vectors = []
    for moves in formulas:
        vector = np.zeros(len(truth.names), dtype=np.int64)
        try:
            for name, text in moves.items():
                vector[truth.names.index(name)] = slope_of(text, point, member.prime).value
        except (UnreadableError, ZeroDivisionError) as error:
            yield unread("direction", str(error))
            return
        stays = not times(member.jacobian, vector.reshape(-1, 1), member.prime).any()
        yield judged(
            "direction", status, bool(stays and vector.any()), f"the direction {moves} changes what is observed"
        )
        vectors.append(vector)
    rank = rank_of(np.array(vectors), member.prime)
    right = rank == len(vectors) and (len(vectors) == group["freedom"] or len(formulas) < len(group["directions"]))
    yield judged(
        "directions independent", status, right, f"{len(vectors)} directions of rank {rank} in {group['parameters']}"
    )


def judge_basis(said: Mapping[str, Any], truth: Truth) -> Iterator[Answer]:
    """What is called determined has its gradient in the row space, and all are independent."""
    for number, member in enumerate(truth.members[:2]):
        point, rows, worst = member.slopes(), [], "proved"
        for one in said["basis"]:
            try:
                gradient = gradient_of(one, member, point, truth.names)
            except (UnreadableError, ZeroDivisionError) as error:
                if not number:
                    yield unread("determined", str(error))
                return
            rows.append(gradient)
            worst = worse(worst, status_of(one))
            kernel = truth.kernels[number]
            fits = not times(kernel, gradient.reshape(-1, 1), member.prime).any()
            if not number or not fits:
                yield judged("determined", status_of(one), bool(fits), f"{one['text']} is called determined")
        rank = rank_of(np.array(rows, dtype=np.int64).reshape(len(rows), -1), member.prime) if rows else 0
        if not number:
            yield judged(
                "basis independent", worst, rank == len(rows), f"{len(rows)} determined functions of rank {rank}"
            )


def worse(one: str, other: str) -> str:
    """The weaker of two statuses."""
    order = ("proved", "probable", "undecided")
    return max(one, other, key=order.index)


def gradient_of(one: Mapping[str, Any], member: Member, point: Mapping[str, Any], names: Sequence[str]) -> Matrix:
    """The gradient of a function that is called determined."""
    if one["kind"] == "coordinate" and one["text"] in member.coordinates:
        place = list(member.coordinates).index(one["text"])
        return member.jacobian[place]
    if one["kind"] not in ("parameter", "sum") and any(name.startswith(("A(", "B(")) for name in names):
        # the referee knows the powers of e of weights: of sums it has the derivatives, of products not
        raise UnreadableError(one["text"])
    return np.asarray(slope_of(one["text"], point, member.prime).slopes)


def judge_freedom(said: Mapping[str, Any], truth: Truth, source: random.Random) -> Iterator[Answer]:
    """Degrees of freedom: the saturated dimension less structural zeros less the dimension."""
    told = said["degrees_of_freedom"]
    if told is None:
        return
    if told["df"] is None:
        yield Answer("degrees of freedom", "undecided", True, "")
        return
    status = status_of(told, "exact")
    model, member = truth.model, truth.members[0]
    zeros = [
        name
        for name, value in member.coordinates.items()
        if not value and not any(m.coordinates[name] for m in truth.members)
    ]
    zeros = zeros if isinstance(model, Network) else []
    try:
        complete = complete_of(truth, source)
    except UnknownError as error:
        yield unread("degrees of freedom", str(error))
        return
    df = complete - len(zeros) - truth.rank
    yield judged(
        "degrees of freedom", status, told["df"] == df, f"{told['df']} for {complete} − {len(zeros)} − {truth.rank}"
    )
    yield judged(
        "degrees of freedom by counting",
        status,
        told["by_counting"] == complete - len(truth.names),
        f"by counting {told['by_counting']}",
    )
    structural = told.get("structural")
    if structural is not None and isinstance(model, Network):
        right = structural["count"] == len(zeros) and set(structural["cells"]) <= set(zeros)
        yield judged("structural zeros", "proved", right, f"{structural} for {zeros}")


def complete_of(truth: Truth, source: random.Random) -> int:
    """The dimension of the saturated model; of formulas the dimension of the affine hull of the coordinates."""
    model, member = truth.model, truth.members[0]
    if isinstance(model, Network):
        return len(member.coordinates) - prod(model.states[name] for name in model.given)
    if model.family == "polynomial":
        if len(member.coordinates) > MOST_HULL:
            raise UnknownError("too many coordinates")
        return max(hull_of(truth, source) for _ in range(2))
    return len(member.coordinates) - (model.family == "loglinear")


def hull_of(truth: Truth, source: random.Random) -> int:
    """The rank of the differences of the coordinates of many members modulo one prime."""
    first = member_of(truth.model, truth.names, source)
    rows = []
    for _ in range(len(first.coordinates) + 2):
        other = member_of(truth.model, truth.names, source, first.prime)
        rows.append([(other.coordinates[name] - value) % first.prime for name, value in first.coordinates.items()])
    return rank_of(np.array(rows, dtype=np.int64), first.prime)


def judge_units(said: Mapping[str, Any], truth: Truth) -> Iterator[Answer]:
    """The choices of scale and origin of latent variables, as vectors at a point."""
    told = said["units"]
    if told is None or not isinstance(truth.model, Gaussian):
        return
    count = max(unit_rank(truth.model, member) for member in truth.members)
    status = status_of(told, "exact") if "exact" in told or "status" in told else status_of(said, "exact")
    right = told["count"] == count and told["rest"] == truth.nullity - count
    yield judged(
        "units",
        status,
        right,
        f"{told['count']} choices of units and {told['rest']} more, for {count} of {truth.nullity}",
    )


def unit_rank(model: Gaussian, member: Member) -> int:
    """The rank of what rescaling and shifting latent variables does to the parameters, fixed and equal entries and sums respected."""
    entries, prime = gaussian_entries(model), member.prime
    fixed, labels = dict(model.fixed), dict(model.equal)
    sums = dict(model.linear)
    column = {entry: place for place, entry in enumerate(entries)}
    value = {
        e: residue(fixed[e], prime) if e in fixed else member.values[labels.get(e, entry_name(e))]
        for e in entries
        if e not in sums
    } | {(): 1}
    value |= {e: sum(residue(factor, prime) * value[one] for one, factor in sums[e]) % prime for e in sums}
    moves = []
    for latent in (variable.name for variable in model.variables if not variable.observed):
        scale = np.zeros(len(entries), dtype=np.int64)
        shift = np.zeros(len(entries), dtype=np.int64)
        for entry, place in column.items():
            kind, *of = entry
            if kind == "b":
                # h' = (1 + t) h: what comes in grows, what goes out shrinks
                scale[place] = value[entry] * ((of[1] == latent) - (of[0] == latent)) % prime
            elif kind == "v":
                scale[place] = 2 * value[entry] * (of[0] == latent) % prime
            elif kind == "c":
                scale[place] = value[entry] * (latent in of) % prime
            else:
                scale[place] = value[entry] * (of[0] == latent) % prime
                # h' = h + t
                back = value.get(("b", latent, of[0]), 0)
                shift[place] = ((of[0] == latent) - back) % prime
        moves.append(scale)
        if model.means:
            moves.append(shift)
    if not moves:
        return 0
    matrix = np.array(moves, dtype=np.int64)
    wrong = [matrix[:, column[entry]] for entry in fixed if entry in column]
    first: dict[str, int] = {}
    for entry, label in labels.items():
        if label in first:
            wrong.append((matrix[:, column[entry]] - matrix[:, first[label]]) % prime)
        first.setdefault(label, column[entry])
    for entry, terms in sums.items():
        changed = sum(residue(factor, prime) * matrix[:, column[one]] % prime for one, factor in terms if one)
        wrong.append((matrix[:, column[entry]] - changed) % prime)
    allowed = kernel_of(np.array(wrong, dtype=np.int64).reshape(len(wrong), len(moves)), prime)
    return rank_of(times(allowed, matrix, prime), prime)


def judge_at(
    said: Mapping[str, Any], truth: Truth, point: Mapping[str, Fraction], source: random.Random
) -> Iterator[Answer]:
    """At given parameters: the rank there, and that nothing is called identifiable that a direction there changes."""
    told = said["at"]
    members = [member_of(truth.model, truth.names, source, at=point) for _ in range(2)]
    here = max(members, key=lambda one: rank_of(one.jacobian, one.prime))
    rank, kernel = rank_of(here.jacobian, here.prime), kernel_of(here.jacobian, here.prime)
    yield judged("rank at a point", "proved", told["rank"] == rank, f"rank {told['rank']} for {rank} at {point}")
    yield judged(
        "regular point",
        status_of(said, "exact"),
        told["regular"] is (rank == truth.rank),
        f"regular: {told['regular']} at {point}",
    )
    verdicts = told["identifiable"]
    for name, claim in (
        verdicts.items()
        if isinstance(verdicts, dict)
        else ((one["parameter"], one["identifiable"]) for one in verdicts)
    ):
        if claim is None:
            yield Answer("parameter at a point", "undecided", True, "")
            continue
        moves = kernel[:, truth.names.index(name)].any()
        # where the rank is the generic one, the points with the same coordinates are a manifold with this tangent space
        right = rank == truth.rank and (bool(moves) if claim is False else name not in truth.moving)
        yield judged("parameter at a point", status_of(told), right, f"{name}: {claim} at {point}")
