"""What `explain`, `bounds` and `score` say of a model, compared with its members: all must speak of one dimension."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import prod
from typing import Any

from algdim.families.discrete.model import Network
from hunting.answering import Answer, judged, status_of, unread
from hunting.answers_identify import Truth
from hunting.formulas import UnreadableError, slope_of
from hunting.members import UnknownError, member_of, rank_of

PRIMES = 2


def judge_dimension(said: Mapping[str, Any], truth: Truth) -> Iterator[Answer]:
    """The number that `dim` prints, and its bounds."""
    text = f"{said['dimension']} for {truth.rank}"
    yield judged("dimension", status_of(said, "exact"), said["dimension"] == truth.rank, text)
    for key, sign in (("lower", 1), ("upper", -1)):
        told = said.get(key)
        if told and told.get("value") is not None:
            right = sign * (truth.rank - told["value"]) >= 0
            yield judged(f"{key} bound", status_of(told), right, f"{key} bound {told['value']} of {truth.rank}")


def judge_explain(said: Mapping[str, Any], truth: Truth, source: random.Random) -> Iterator[Answer]:
    """The dimension, the map written out, the rank at a point, and different parameters with one distribution."""
    yield from judge_dimension(said["report"], truth)
    yield from judge_map(said["map"], truth)
    point = said["point"]
    try:
        if point and point.get("parameters") and not any(name.startswith(("A(", "B(")) for name in truth.names):
            at = {name: Fraction(value) for name, value in point["parameters"].items()}
            rank = max(
                rank_of(one.jacobian, one.prime)
                for one in (member_of(truth.model, truth.names, source, at=at) for _ in range(PRIMES))
            )
            yield judged(
                "rank at a point",
                "proved",
                point["rank"] == rank,
                f"rank {point['rank']} for {rank} at {point['parameters']}",
            )
        yield from judge_same(said["same_distribution"], truth, source)
    except (UnknownError, ValueError, KeyError) as error:
        yield unread("explain", str(error))


def judge_map(told: Mapping[str, Any], truth: Truth) -> Iterator[Answer]:
    """Each coordinate that is written out, at a member."""
    if any(name.startswith(("A(", "B(", "t(")) for name in truth.names) or truth.model.family not in (
        "discrete",
        "gaussian",
        "polynomial",
    ):
        return
    member = truth.members[0]
    point = member.slopes()
    for one in told.get("coordinates") or ():
        if one["name"] not in member.coordinates:
            yield unread("coordinate", one["name"])
            continue
        try:
            value = slope_of(one["expression"], point, member.prime).value
        except (UnreadableError, ZeroDivisionError) as error:
            yield unread("coordinate", str(error))
            continue
        yield judged(
            "coordinate", "proved", value == member.coordinates[one["name"]], f"{one['name']} = {one['expression']}"
        )


def judge_same(told: Any, truth: Truth, source: random.Random) -> Iterator[Answer]:
    """Points that are said to have the same distribution have it, exactly."""
    if not told or not told.get("exact") or not told.get("points"):
        return
    points = [{name: Fraction(str(value)) for name, value in one.items()} for one in told["points"]]
    prime = truth.members[0].prime
    seen = [member_of(truth.model, truth.names, source, prime, at=one).coordinates for one in points]
    yield judged(
        "same distribution", "proved", all(one == seen[0] for one in seen), f"{told['along']}: {told['points']}"
    )
    yield judged(
        "other parameters", "proved", any(one != points[0] for one in points), f"all points of {told['along']} are one"
    )


def judge_bounds(said: Mapping[str, Any], truth: Truth) -> Iterator[Answer]:
    """Upper bounds of latent class models and trees are not below the dimension; what is said to be it, is it."""
    for key in ("ds", "dc", "dp", "db", "standard", "complete", "pairwise_bound", "best_bound"):
        if said.get(key) is not None:
            yield judged(
                "upper bound", "proved", said[key] >= truth.rank, f"{key} is {said[key]} and the dimension {truth.rank}"
            )
    yield judged("standard", "proved", said["standard"] == len(truth.names), f"standard {said['standard']}")
    if said.get("defective"):
        yield judged(
            "defective", "proved", said["defective"]["dimension"] == truth.rank, f"{said['defective']} for {truth.rank}"
        )
    told = said.get("identifiability")
    if told:
        status = status_of(told, "exact")
        yield judged("dimension", status, told["dimension"] == truth.rank, f"{told['dimension']} for {truth.rank}")
        yield judged(
            "redundant", status, told["redundant"] == truth.nullity, f"{told['redundant']} for {truth.nullity}"
        )
        lost = truth.nullity > 0
        if told["word"] == "not identifiable" or told["word"].startswith("generically"):
            yield judged(
                "identifiability",
                status,
                lost is (told["word"] == "not identifiable"),
                f"{told['word']}, with {truth.nullity} directions",
            )


def judge_score(said: Mapping[str, Any], truth: Truth) -> Iterator[Answer]:
    """The dimension behind the scores, and the degrees of freedom of G² and X²."""
    yield judged(
        "dimension", status_of(said, "exact"), said["dimension"] == truth.rank, f"{said['dimension']} for {truth.rank}"
    )
    yield judged("standard", "proved", said["standard"] == len(truth.names), f"standard {said['standard']}")
    told = said.get("goodness")
    if told and isinstance(truth.model, Network):
        zeros = sum(1 for name in truth.members[0].coordinates if not any(m.coordinates[name] for m in truth.members))
        conditions = prod(truth.model.states[name] for name in truth.model.given)
        df = len(truth.members[0].coordinates) - conditions - zeros - truth.rank
        yield judged("degrees of freedom", status_of(said, "exact"), told["df"] == df, f"{told['df']} for {df}")
