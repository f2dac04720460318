"""The family "loglinear": p(x) is proportional to a sum, over hidden states, of exponentials of interactions.

log of the summand at a joint state of all variables is the sum of the effects θ_I(x_I) over the interactions I. The effect
of an interaction is 0 unless all of its variables are in a state other than their first; a model that is hierarchical has
with an interaction all of its subsets. The record holds no algebra.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from math import prod
from typing import Any, ClassVar

from algdim.display.models import VariableModel
from algdim.errors import InputError, join_names
from algdim.families.contract import Names, Orders, Renaming, iterate_variable_looks
from algdim.families.discrete.model import Network, Variable, build_latent_class, check_variables
from algdim.models.graphs import find_blocks
from algdim.models.tokens import check_name

WORDS = ("hierarchical",)
"""Clause words of this family alone."""

MOST_TOGETHER = 12
"""Variables in one interaction."""

MOST_INTERACTIONS = 20_000
MOST_SUBSETS = 200_000

MOST_CLASSES = 1000
"""Of a latent class model that contains a log-linear one; a larger one would be of no use."""


@dataclass(frozen=True, slots=True, repr=False)
class LogLinear(VariableModel[Variable]):
    """Variables with states, and interactions among them; those given, or with ``hierarchical`` all subsets of them too.

    >>> LogLinear((Variable("A"), Variable("H", observed=False)), (("A", "H"),)).effects
    (('A',), ('H',), ('A', 'H'))
    """

    family: ClassVar[str] = "loglinear"

    variables: tuple[Variable, ...]
    interactions: tuple[tuple[str, ...], ...]
    hierarchical: bool = True

    def __post_init__(self) -> None:
        names = [variable.name for variable in self.variables]
        check_variables(self.variables)
        for name in names:
            check_name(name, "a variable")
            if name in WORDS:
                raise InputError(f"a variable: {name!r} is a clause word of the family loglinear; choose another name")
        if not self.observed:
            raise InputError("no variable is observed; at least one is needed")
        if any(variable.parents for variable in self.variables):
            raise InputError("a variable of a log-linear model has parents; interactions take their place")
        self.check_interactions(frozenset(names))
        alone = [name for name in names if not any(name in interaction for interaction in self.interactions)]
        if alone:
            raise InputError(f"{join_names(alone)}: no interaction has this variable; add {{{alone[0]}}}")

    def check_interactions(self, known: frozenset[str]) -> None:
        """Raise unless the interactions are sets of known variables, not too large, each given once."""
        if len(self.interactions) > MOST_INTERACTIONS:
            raise InputError(
                f"the model has {len(self.interactions)} interactions; at most {MOST_INTERACTIONS} are allowed"
            )
        subsets = sum(2 ** min(len(interaction), MOST_TOGETHER) for interaction in self.interactions)
        if self.hierarchical and subsets > MOST_SUBSETS:
            raise InputError(f"the interactions have {subsets} subsets; at most {MOST_SUBSETS} are allowed")
        seen: set[frozenset[str]] = set()
        for interaction in self.interactions:
            shown = f"the interaction {{{join_names(interaction)}}}"
            if not 1 <= len(interaction) <= MOST_TOGETHER:
                raise InputError(f"{shown} has {len(interaction)} variables; 1 to {MOST_TOGETHER} are allowed")
            for name in interaction:
                if name not in known:
                    raise InputError(f"{shown}: there is no variable {name}; known are {join_names(known)}")
            if len(set(interaction)) < len(interaction):
                raise InputError(f"{shown} has a variable twice; once is allowed")
            if frozenset(interaction) in seen:
                raise InputError(f"{shown} occurs twice; once is allowed")
            seen.add(frozenset(interaction))

    @property
    def states(self) -> dict[str, int]:
        """The number of states of each variable."""
        return {variable.name: variable.states for variable in self.variables}

    @property
    def effects(self) -> tuple[tuple[str, ...], ...]:
        """All interactions that have parameters, small ones first, the variables in the model's order."""
        place = {variable.name: number for number, variable in enumerate(self.variables)}
        found: dict[tuple[int, ...], None] = {}
        for interaction in self.interactions:
            numbers = sorted(place[name] for name in interaction)
            sizes = range(1, len(numbers) + 1) if self.hierarchical else (len(numbers),)
            found.update(dict.fromkeys(subset for size in sizes for subset in combinations(numbers, size)))
        ordered = sorted(found, key=lambda numbers: (len(numbers), numbers))
        return tuple(tuple(self.variables[number].name for number in numbers) for numbers in ordered)

    @property
    def parameter_count(self) -> int:
        """How many effects there are: one for each choice of states other than the first."""
        states = self.states
        return sum(prod(states[name] - 1 for name in effect) for effect in self.effects)


def find_containing_class(model: LogLinear) -> Network | None:
    """A latent class model that contains this one (lemma "log-linear"); ``None`` if it would be the saturated one.

    Its class is the joint state of all hidden variables. Its items are blocks of observed variables that interact given it.
    """
    states = model.states
    blocks = find_blocks(tuple(variable.name for variable in model.observed), model.interactions)
    classes = prod(variable.states for variable in model.hidden)
    sizes = [prod(states[name] for name in block) for block in blocks]
    if len(sizes) == 1 or classes > MOST_CLASSES or max(sizes) > MOST_CLASSES:
        return None
    return build_latent_class(classes, sizes)


def drop_irrelevant(model: LogLinear) -> tuple[LogLinear, tuple[str, ...]]:
    """Remove hidden variables that no chain of interactions joins to an observed one: they cancel when p is normalised.

    Then those with one state, of hierarchical models: no effect with parameters has them. What they alone joined stays.
    """
    observed = {variable.name for variable in model.observed}
    names = tuple(variable.name for variable in model.variables)
    removed = {
        name
        for component in find_blocks(names, model.interactions)
        if observed.isdisjoint(component)
        for name in component
    }
    left = [interaction for interaction in model.interactions if not removed & {*interaction}]
    if model.hierarchical:
        single = {variable.name for variable in model.hidden if variable.states == 1} - removed
        removed |= single
        smaller = (tuple(name for name in interaction if name not in single) for interaction in left)
        left = list({frozenset(interaction): interaction for interaction in smaller if interaction}.values())
    if not removed:
        return model, ()
    kept = tuple(variable for variable in model.variables if variable.name not in removed)
    return LogLinear(kept, tuple(left), model.hierarchical), tuple(name for name in names if name in removed)


def sum_out_hidden(model: LogLinear) -> LogLinear | None:
    """The model with the same distributions without the hidden variables that are in one interaction only, one after the other.

    ``None`` if there is none of them, or the model is not hierarchical.

    >>> from algdim.models.notation import parse, to_text
    >>> to_text(sum_out_hidden(parse("loglinear: {A,B,H}, {B,C}, {G,H}; hidden G, H")))
    'loglinear: {A,B}, {B,C}'
    >>> to_text(sum_out_hidden(parse("loglinear: {A,H}, {B,H,G}; hidden G, H")))
    'loglinear: {A,H}, {H,B}; hidden H'
    >>> sum_out_hidden(parse("loglinear: {A,H}, {B,H}; hidden H"))
    """
    removed, groups = sum_out_in_turn(model)
    if not removed:
        return None
    order = {variable.name: place for place, variable in enumerate(model.variables)}
    kept = tuple(variable for variable in model.variables if variable.name not in removed)
    places = sorted(sorted(order[name] for name in group) for group in groups)
    return LogLinear(kept, tuple(tuple(model.variables[place].name for place in group) for group in places))


def list_summed_out(model: LogLinear) -> list[str]:
    """The hidden variables that are in one interaction only, one after the other.

    >>> from algdim.models.notation import parse
    >>> list_summed_out(parse("loglinear: {A,B,H}, {B,C}, {G,H}; hidden H, G"))
    ['G', 'H']
    """
    return sum_out_in_turn(model)[0]


def sum_out_in_turn(model: LogLinear) -> tuple[list[str], list[frozenset[str]]]:
    """The hidden variables of a hierarchical model that can be summed out, in turn, and the interactions that are left."""
    if not model.hierarchical:
        return [], []
    groups = dict(enumerate(keep_maximal(map(frozenset, model.interactions))))
    having: dict[str, set[int]] = {variable.name: set() for variable in model.variables}
    for number, group in groups.items():
        for name in group:
            having[name].add(number)
    left = {variable.name for variable in model.hidden}
    alone = [variable.name for variable in model.hidden if len(having[variable.name]) == 1]
    removed = []
    while alone:
        name = alone.pop()
        left.remove(name)
        removed.append(name)
        (number,) = having.pop(name)
        groups[number] -= {name}
        # where it lies in another interaction, that has all of its variables
        if not groups[number] or set.intersection(*(having[other] for other in groups[number])) - {number}:
            for other in sorted(groups.pop(number)):
                having[other].remove(number)
                if other in left and len(having[other]) == 1:
                    alone.append(other)
    return removed, list(groups.values())


def keep_maximal(groups: Iterable[frozenset[str]]) -> list[frozenset[str]]:
    """The sets that lie in no other one, each once.

    >>> [sorted(group) for group in keep_maximal([frozenset("A"), frozenset("AB"), frozenset("BC"), frozenset("AB")])]
    [['A', 'B'], ['B', 'C']]
    """
    found: list[frozenset[str]] = []
    having: dict[str, set[int]] = {}
    for group in sorted({*groups}, key=lambda one: (-len(one), sorted(one))):
        if not set.intersection(*(having.get(name, set()) for name in group)):
            for name in group:
                having.setdefault(name, set()).add(len(found))
            found.append(group)
    return found


def iterate_links(model: LogLinear) -> Iterator[tuple[Any, str, str]]:
    """The pairs of variables of each effect."""
    for effect in model.effects:
        yield from ((len(effect), one, other) for one in effect for other in effect)


def normalise_loglinear(model: LogLinear, names: Names, orders: Orders) -> Any:
    """The effects that have parameters."""
    del orders
    called = {variable.name: names.get(variable.name, variable.name) for variable in model.variables}
    states = model.states
    variables = sorted((called[one.name], one.states, one.observed) for one in model.variables)
    effects = {
        frozenset(called[name] for name in effect)
        for effect in model.effects
        if all(states[name] > 1 for name in effect)
    }
    return variables, effects


RENAMING = Renaming(normalise_loglinear, iterate_variable_looks, iterate_links)
