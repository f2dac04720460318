"""How mixtures of normal distributions are compared: more classes, freer covariance matrices (lemma "mixtures and sums")."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algdim.explanation.evidence import Embedding, prove_embedding
from algdim.families.contract import Comparing
from algdim.families.gaussian.model import Gaussian, GaussianVariable
from algdim.families.latentprofile.map import Layout, MomentMap, name_parameters
from algdim.families.latentprofile.model import LatentProfile
from algdim.families.latentprofile.order import get_moment_map


def list_coordinate_kinds(model: LatentProfile) -> tuple[str, ...]:
    """Moments, of one class without categorical items covariances too."""
    return ("moments", "covariances") if model.classes == 1 and not model.categorical else ("moments",)


def convert_to_kind(model: LatentProfile, kind: str) -> LatentProfile | Gaussian:
    """The model, or the Gaussian one that a mixture of one normal distribution is."""
    if kind == "moments":
        return model
    names = [item.name for item in model.continuous]
    pairs = tuple(combinations(names, 2)) if model.full else ()
    return Gaussian(tuple(map(GaussianVariable, names)), bidirected=pairs)


def order_items(model: LatentProfile, names: Sequence[str]) -> LatentProfile:
    """A model with its items in this order."""
    items: dict[str, Any] = {item.name: item for item in model.items}
    return replace(model, items=tuple(items[name] for name in names))


def map_to_same_moments(first: MomentMap, second: MomentMap) -> tuple[MomentMap, MomentMap]:
    """The maps to moments up to the same order."""
    order = max(first.order, second.order)
    return get_moment_map(replace(first.model, order=order)), get_moment_map(replace(second.model, order=order))


def find_class_embedding(first: MomentMap, second: MomentMap) -> Embedding | None:
    """The map into a model with as many classes or more, whose covariance matrices may be what the first one's are."""
    one, other = first.model, second.model
    freer = (other.full or not is_full(one)) and (not other.equal or one.equal or one.classes == 1)
    if set(one.items) != set(other.items) or one.classes > other.classes or not freer:
        return None
    further = other.classes - one.classes
    lines = (
        [f"{further} further class{'' if further == 1 else 'es'} {'has' if further == 1 else 'have'} the probability 0"]
        if further
        else []
    )
    if is_full(other) and not is_full(one):
        lines.append("covariances inside classes are 0")
    if one.equal and not other.equal and other.classes > 1:
        lines.append("all classes have the same covariance matrix")

    def at(point: Sequence[Fraction]) -> list[Fraction]:
        return map_class_parameters(one, other, point)

    return Embedding(tuple(lines), prove_embedding("mixtures and sums", lines), first, second, at)


def is_full(model: LatentProfile) -> bool:
    """Whether items may covary inside a class."""
    return model.full and len(model.continuous) > 1


def map_class_parameters(one: LatentProfile, other: LatentProfile, point: Sequence[Fraction]) -> list[Fraction]:
    """The parameters of the model with more classes; those that have the probability 0 are like the first one."""
    mine, theirs, values = Layout(one), Layout(other), convert_to_array(point)
    found = convert_to_array([Fraction(0)] * len(name_parameters(other)))
    class_of = [number if number < one.classes else 0 for number in range(other.classes)]
    matrix_of = [number if number < mine.variances.shape[1] else 0 for number in range(theirs.variances.shape[1])]
    weights = values[mine.weights]
    known = [*weights, 1 - sum(weights, Fraction(0))][: other.classes - 1]
    found[theirs.weights[: len(known)]] = known
    item = {variable.name: number for number, variable in enumerate(one.continuous)}
    order = [item[variable.name] for variable in other.continuous]
    found[theirs.means] = values[mine.means[np.ix_(order, class_of)]]
    found[theirs.variances] = values[mine.variances[np.ix_(order, matrix_of)]]
    if is_full(one):
        pair = {frozenset(two): number for number, two in enumerate(combinations(range(len(order)), 2))}
        pairs = [pair[frozenset(two)] for two in combinations(order, 2)]
        found[theirs.pairs] = values[mine.pairs[np.ix_(pairs, matrix_of)]]
    table = {variable.name: places for variable, places in zip(one.categorical, mine.tables, strict=True)}
    for variable, places in zip(other.categorical, theirs.tables, strict=True):
        found[places] = values[table[variable.name][class_of]]
    return list(found)


def convert_to_array(point: Sequence[Fraction]) -> NDArray[np.object_]:
    """Fractions as an array."""
    found = np.empty(len(point), dtype=np.object_)
    found[:] = point
    return found


COMPARING = Comparing(
    list_coordinates=list_coordinate_kinds,
    bring=convert_to_kind,
    further={
        "covariances": "a latent-profile model is compared with a gaussian one if it has one class and no categorical item"
    },
    order=order_items,
    embeddings=(find_class_embedding,),
    bring_together=map_to_same_moments,
)
