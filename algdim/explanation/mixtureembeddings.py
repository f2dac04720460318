"""Maps of the parameters of mixtures of normal distributions, and of sums of variables, to others (lemma "mixtures and sums")."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from algdim.explanation.conditionalembeddings import by_conditionals
from algdim.explanation.embedding import Embedding, by_lemma
from algdim.families.additive.map import LETTERS, AdditiveMap, component
from algdim.families.discrete.map import param_map
from algdim.families.discrete.mechanisms import variable_of
from algdim.families.latentprofile.evaluation import Layout
from algdim.families.latentprofile.map import MomentMap, parameters_of
from algdim.families.latentprofile.model import LatentProfile
from algdim.trust import trust_in_all


def by_classes(first: MomentMap, second: MomentMap) -> Embedding | None:
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
        return image_of_classes(one, other, point)

    return Embedding(tuple(lines), by_lemma("mixtures and sums", lines), first, second, at)


def is_full(model: LatentProfile) -> bool:
    """Whether items may covary inside a class."""
    return model.full and len(model.continuous) > 1


def image_of_classes(one: LatentProfile, other: LatentProfile, point: Sequence[Fraction]) -> list[Fraction]:
    """The parameters of the model with more classes; those that have the probability 0 are like the first one."""
    mine, theirs, values = Layout(one), Layout(other), numbers_of(point)
    found = numbers_of([Fraction(0)] * len(parameters_of(other)))
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


def numbers_of(point: Sequence[Fraction]) -> NDArray[np.object_]:
    """Fractions as an array."""
    found = np.empty(len(point), dtype=np.object_)
    found[:] = point
    return found


def by_mechanisms(first: AdditiveMap, second: AdditiveMap) -> Embedding | None:
    """The map into a model each of whose mechanisms adds up those of the first whose causes it has; none is a mixture."""
    one, other = first.model, second.model
    if one.family != other.family or one.effect != other.effect or one.hidden or other.hidden:
        return None
    place = {variable.name: variable for variable in other.network.variables}
    if {variable.name for variable in one.network.variables} != set(place):
        return None
    network = replace(other.network, variables=tuple(place[variable.name] for variable in one.network.variables))
    tables = by_conditionals(param_map(one.network), param_map(network))
    goes = [
        next((k for k, theirs in enumerate(other.mechanisms) if set(mine) <= set(theirs)), None)
        for mine in one.mechanisms
    ]
    if tables is None or None in goes:
        return None
    idle = [variable_of(other.effect, k + 1) for k in range(len(other.mechanisms)) if k not in goes]
    lines = [f"{name} is 0 always" for name in idle]
    lines += [
        f"{variable_of(other.effect, k + 1)} has the sum of {', '.join(variable_of(one.effect, j + 1) for j, where in enumerate(goes) if where == k)}"
        for k in range(len(other.mechanisms))
        if goes.count(k) > 1
    ]
    states = other.network.states

    def at(point: Sequence[Fraction]) -> list[Fraction]:
        values = dict(zip(first.records, point, strict=True))
        found = dict(zip(tables.second.records, tables.at(point[: first.tables]), strict=True))
        for k, causes in enumerate(other.mechanisms):
            for row in product(*(range(states[name]) for name in causes)):
                at_row = dict(zip(causes, row, strict=True))
                for letter in LETTERS[other.family]:
                    found[component(letter, other.effect, k, causes, at_row)] = sum(
                        (
                            values[component(letter, one.effect, j, one.mechanisms[j], at_row)]
                            for j, where in enumerate(goes)
                            if where == k
                        ),
                        Fraction(0),
                    )
        return [found[parameter] for parameter in second.records]

    trust = trust_in_all([tables.trust, by_lemma("mixtures and sums", lines)])
    return Embedding((*tables.lines, *lines), trust, first, second, at)
