"""How sums of variables are compared: mechanisms that add up others (lemma "mixtures and sums"); maxima, one by one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

from algdim.explanation.evidence import Embedding, prove_embedding
from algdim.explanation.nesting import MOST_NUMBERS
from algdim.families.additive.map import AdditiveMap, list_letters, make_component
from algdim.families.additive.model import Additive
from algdim.families.contract import Comparing
from algdim.families.discrete.conditionalembeddings import find_conditional_embedding
from algdim.families.discrete.map import get_param_map
from algdim.trust import trust_in_all


def collect_observed_variables(model: Additive) -> dict[str, Any]:
    """The observed causes with their states, and the effects."""
    return {**{one.name: one.states for one in model.network.observed}, **dict.fromkeys(model.effects)}


def find_mechanism_embedding(first: AdditiveMap, second: AdditiveMap) -> Embedding | None:
    """The map into a model each of whose mechanisms adds up those of the first whose causes it has; none is a mixture.

    Of a maximum each has one of the first at most, or, of normal variables, exactly one: no constant is below all values.
    """
    one, other = first.model, second.model
    if (
        first.shows_parameters
        or second.shows_parameters
        or one.family != other.family
        or one.effects != other.effects
        or one.hidden
        or other.hidden
    ):
        return None
    place = {variable.name: variable for variable in other.network.variables}
    if {variable.name for variable in one.network.variables} != set(place):
        return None
    network = replace(other.network, variables=tuple(place[variable.name] for variable in one.network.variables))
    tables = find_conditional_embedding(get_param_map(one.network), get_param_map(network))
    goes: list[int | None] = []
    theirs = list(zip(other.mechanisms, other.owners, strict=True))
    for mine, effect in zip(one.mechanisms, one.owners, strict=True):
        fitting = (k for k, (causes, owner) in enumerate(theirs) if owner == effect and set(mine) <= set(causes))
        goes.append(next((k for k in fitting if not one.is_order_statistic or k not in goes), None))
    if tables is None or None in goes:
        return None
    if one.is_order_statistic and not one.is_poisson and len(goes) < len(other.mechanisms):
        return None
    idle = [name for k, name in enumerate(other.names) if k not in goes]
    lines = [f"{name} is 0 always" for name in idle]
    lines += [
        f"{name} has the sum of {', '.join(part for part, where in zip(one.names, goes, strict=True) if where == k)}"
        for k, name in enumerate(other.names)
        if goes.count(k) > 1
    ]
    states = other.network.states

    def at(point: Sequence[Fraction]) -> list[Fraction]:
        values = dict(zip(first.records, point, strict=True))
        found = dict(zip(tables.second.records, tables.at(point[: first.tables]), strict=True))
        for k, causes in enumerate(other.mechanisms):
            for row in product(*(range(states[name]) for name in causes)):
                at_row = dict(zip(causes, row, strict=True))
                for letter in list_letters(other):
                    found[make_component(letter, other.names[k], causes, at_row)] = sum(
                        (
                            values[make_component(letter, one.names[j], one.mechanisms[j], at_row)]
                            for j, where in enumerate(goes)
                            if where == k
                        ),
                        Fraction(0),
                    )
        return [found[parameter] for parameter in second.records]

    lemma = "maxima" if one.is_order_statistic else "mixtures and sums"
    trust = trust_in_all([tables.trust, prove_embedding(lemma, lines)])
    return Embedding((*tables.lines, *lines), trust, first, second, at)


def explain_other_coordinates(first: AdditiveMap, second: AdditiveMap) -> str:
    """Why two sums or maxima are not compared at a point: tables of causes are coordinates, and these may be others."""
    if first.shows_parameters or second.shows_parameters:
        return "the coordinates are parameters, which are identifiable up to the order of mechanisms and components"
    if first.model.is_shared or second.model.is_shared:
        return "the coordinates are numbers of hidden states, which are identifiable up to the order of these states"
    if not first.is_polynomial:
        return "logarithms of distribution functions have no values modulo a prime"
    count = max(first.coordinate_count, second.coordinate_count)
    if count > MOST_NUMBERS or first.coordinate_records() != second.coordinate_records():
        return f"the two {'maxima' if first.model.is_order_statistic else 'sums'} have other coordinates, or these in another order"
    return ""


COMPARING = Comparing(
    collect_observed=collect_observed_variables,
    order=lambda model, names: model,  # noqa: ARG005
    embeddings=(find_mechanism_embedding,),
    explain_other_coordinates=explain_other_coordinates,
)
