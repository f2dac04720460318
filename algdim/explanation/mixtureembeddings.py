"""Maps of the parameters of mixtures of normal distributions, and of sums of variables, to others (lemma "mixtures and sums")."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product

from algdim.explanation.conditionalembeddings import by_conditionals
from algdim.explanation.embedding import Embedding
from algdim.families.additive.map import LETTERS, AdditiveMap, component
from algdim.families.discrete.map import param_map
from algdim.families.discrete.mechanisms import variable_of
from algdim.families.latentprofile.map import MomentMap, covariance, weight
from algdim.families.latentprofile.model import LatentProfile
from algdim.maps.parameters import COVARIANCE, VARIANCE, Parameter


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
        values = dict(zip(first.records, point, strict=True))
        weights = [values[weight(one, number)] for number in range(one.classes - 1)]
        weights += [1 - sum(weights, Fraction(0))]
        return [image(parameter, values, weights, one) for parameter in second.records]

    return Embedding(tuple(lines), first, second, at, lemmas=("mixtures and sums",))


def is_full(model: LatentProfile) -> bool:
    """Whether items may covary inside a class."""
    return model.full and len(model.continuous) > 1


def image(
    parameter: Parameter, values: Mapping[Parameter, Fraction], weights: Sequence[Fraction], one: LatentProfile
) -> Fraction:
    """One parameter of the model with more classes; those that have the probability 0 are like the first one."""
    if parameter.kind in (VARIANCE, COVARIANCE):
        number = in_class(parameter, one)
        first, last = parameter.owners[0], parameter.owners[-1]
        either = covariance(one, first, last, number), covariance(one, last, first, number)
        return next((values[entry] for entry in either if entry in values), Fraction(0))
    if not parameter.given:
        (number,) = parameter.states
        return weights[number] if number < len(weights) else Fraction(0)
    return values[parameter._replace(given=((one.label, in_class(parameter, one)),))]


def in_class(parameter: Parameter, one: LatentProfile) -> int:
    """The class of the model with fewer classes whose parameter it is like; of one for all classes the first."""
    for _, number in parameter.given:
        if number is not None and number < one.classes:
            return number
    return 0


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

    return Embedding((*tables.lines, *lines), first, second, at, lemmas=("mixtures and sums",))
