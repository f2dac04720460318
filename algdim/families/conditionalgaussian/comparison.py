"""How conditional Gaussian networks are compared: a network with more edges, and with fewer ties, contains one with fewer and more.

Hidden variables are those of the same names. Coordinates name the states of hidden variables, so no equation between them refutes anything.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from algdim.explanation.evidence import Embedding, prove_embedding
from algdim.families.conditionalgaussian.map import (
    MixtureMap,
    iterate_states,
    make_entry_parameter,
    make_table_parameter,
)
from algdim.families.conditionalgaussian.model import ConditionalGaussian
from algdim.families.contract import Comparing
from algdim.families.gaussian.model import Entry
from algdim.maps import Parameter


def is_freer(one: ConditionalGaussian, other: ConditionalGaussian) -> bool:
    """Whether every number that the second network fixes, or makes one, is that in the first."""
    idle = {entry[1:] for entry, value in one.fixed if entry[0] == "b" and not value}
    if set(one.variables) != set(other.variables) or not set(one.edges) <= {*other.edges, *idle}:
        return False
    groups: dict[Parameter | Fraction, set[Parameter | Fraction]] = {}
    for entry in other.entries:
        for at in iterate_states(other.states, [name for name in other.parents[entry[-1]] if name in other.states]):
            groups.setdefault(evaluate_entry(other, entry, at), set()).add(evaluate_entry(one, entry, at))
    return all(
        len(mine) == 1 and (not isinstance(theirs, Fraction) or mine == {theirs}) for theirs, mine in groups.items()
    )


def evaluate_entry(model: ConditionalGaussian, entry: Entry, at: Mapping[str, int]) -> Parameter | Fraction:
    """What an entry is in a joint state; 0 where there is no edge."""
    if entry not in model.entries:
        return Fraction(0)
    fixed = model.values
    return fixed[entry] if entry in fixed else make_entry_parameter(model, entry, at)


def find_network_embedding(first: MixtureMap, second: MixtureMap) -> Embedding | None:
    """The map into a network that has all edges of the first, and ties no numbers that the first does not."""
    one, other = first.model, second.model
    if not is_freer(one, other):
        return None
    further = [edge for edge in other.edges if edge not in one.edges]
    lines = [f"what the edge {parent} -> {child} adds is 0, or the same in all states" for parent, child in further]
    lines += (
        ["numbers that are not tied are those that are"]
        if (one.common, one.fixed, one.equal) != (other.common, other.fixed, other.equal)
        else []
    )

    def at(point: Sequence[Fraction]) -> list[Fraction]:
        values = dict(zip(first.records, point, strict=True))
        found: dict[Parameter, Fraction] = {}
        for name, count in other.states.items():
            for states in iterate_states(other.states, (*other.parents[name], name)):
                if states[name] < count - 1:
                    found[make_table_parameter(other, name, states)] = values[make_table_parameter(one, name, states)]
        for entry in other.entries:
            if entry not in other.values:
                for states in iterate_states(
                    other.states, [name for name in other.parents[entry[-1]] if name in other.states]
                ):
                    value = evaluate_entry(one, entry, states)
                    found[make_entry_parameter(other, entry, states)] = (
                        value if isinstance(value, Fraction) else values[value]
                    )
        return [found[parameter] for parameter in second.records]

    return Embedding(tuple(lines), prove_embedding("conditional Gaussian", lines), first, second, at)


def explain_other_coordinates(first: MixtureMap, second: MixtureMap) -> str:
    """Why two networks are not compared at a point: their normal distributions may depend on other hidden states."""
    if first.coordinate_records() != second.coordinate_records():
        return "the normal distributions of the two networks depend on the states of other variables"
    return ""


COMPARING = Comparing(embeddings=(find_network_embedding,), explain_other_coordinates=explain_other_coordinates)
