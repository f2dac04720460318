"""Causal interaction models with Poisson or normal mechanism variables: the effect is their sum (MH97 §3.2), or the n-th largest.

The causes are observed variables of a discrete network with free tables; there may be none. Mechanism j has a variable E.j whose rate (or
mean and variance) is free in every joint state of its parents; the effect E is the sum of the E.j, or the greatest of them, or the n-th
largest: at least n of them are at least E. A hidden parent stands inside one mechanism and makes E.j a mixture; it is a root, or has
causes of the same mechanism as parents.

Of sums there can be several effects, which are independent given all causes, and hidden variables can be causes anywhere: of several
mechanisms, of several effects, and of other causes, as long as each is in some mechanism. Then they are *shared*.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import ceil, prod
from typing import Any, ClassVar

from algdim.display.models import ShownModel
from algdim.errors import InputError, join_names
from algdim.families.contract import Names, Orders, Renaming
from algdim.families.discrete.locals.table import FREE
from algdim.families.discrete.mechanisms import name_mechanism_variable
from algdim.families.discrete.model import (
    Network,
    Variable,
    iterate_links,
    iterate_variable_signatures,
    normalise_network,
)
from algdim.models.graphs import compute_span_dimension
from algdim.models.tokens import check_name

POISSON, NORMAL = "poisson", "normal"
MAX_POISSON, MAX_NORMAL = "max-poisson", "max-normal"
AT_LEAST_POISSON, AT_LEAST_NORMAL = "at-least-poisson", "at-least-normal"
KINDS = (POISSON, NORMAL, MAX_POISSON, MAX_NORMAL, AT_LEAST_POISSON, AT_LEAST_NORMAL)

MOST_ORDER = 24
"""Cumulants of the effect that are taken; mixtures that need more are treated as shared."""
MOST_ROWS = 1_000_000
"""Joint states of the parents of one mechanism."""


@dataclass(frozen=True, slots=True)
class HiddenCauses(Network):
    """Causes all of which are hidden: the sum itself is observed."""

    needs_observed: ClassVar[bool] = False


def make_causes(variables: tuple[Variable, ...], given: tuple[str, ...] = ()) -> Network:
    """The network of the causes of a sum."""
    return (Network if any(variable.observed for variable in variables) else HiddenCauses)(variables, given)


@dataclass(frozen=True, slots=True, repr=False)
class Additive(ShownModel):
    """The network of the causes, the effects, the parents of each mechanism."""

    family: str
    network: Network
    effects: tuple[str, ...]
    mechanisms: tuple[tuple[str, ...], ...]
    least: int = 0
    """How many mechanism variables are at least the effect, in the families that take this number."""
    effect_of_mechanism: tuple[int, ...] = ()
    """The number of the effect of each mechanism, where there are several; those of one effect are together."""
    why_shared: str = field(init=False, compare=False, default="")
    """Why the effects are not each a sum of mixtures that are independent given the observed causes; nothing if they are."""

    def __post_init__(self) -> None:
        if self.family not in KINDS:
            raise InputError(f"the family {self.family!r} is not additive; these are {join_names(KINDS)}")
        names = [variable.name for variable in self.network.variables]
        for effect in self.effects:
            check_name(effect, "the effect")
            if effect in names:
                raise InputError(
                    f"{effect} is the effect and has a table too; the effect is determined by its mechanisms only"
                )
        if len({*self.effects}) < len(self.effects):
            raise InputError("an effect occurs twice; its mechanisms are given once")
        idle = [effect for number, effect in enumerate(self.effects) if number not in self.owners]
        if idle:
            raise InputError(f"{idle[0]} has no mechanism; at least one, such as {{A,B}}, is needed")
        if self.is_order_statistic and len(self.effects) > 1:
            instead = (  # a hidden variable can make them dependent
                f"several effects with hidden causes are supported for sums only, in the families {POISSON} and {NORMAL}"
                if self.hidden
                else "given observed causes several effects are independent: write a model for each, and add the dimensions, "
                "with the causes' tables counted once"
            )
            raise InputError(
                f"{join_names(self.effects)} are effects; in the family {self.family} there is one; {instead}"
            )
        counts = self.family in (AT_LEAST_POISSON, AT_LEAST_NORMAL)
        if counts and not 2 <= self.least <= len(self.mechanisms):
            count = len(self.mechanisms)
            also = (
                f"; the maximum is the family {MAX_POISSON if self.is_poisson else MAX_NORMAL}"
                if self.least == 1
                else ""
            )
            raise InputError(
                f"{self.family} N: N is {self.least}, but {self.effect} has {count} mechanisms; "
                f"N must be {2 if count == 2 else f'from 2 to {count}'}{also}"
                if count > 1
                else f"{self.effect} has one mechanism; the {self.family.removeprefix('at-least-')} variable is {self.effect} itself"
            )
        if self.least and not counts:
            raise InputError(f"the family {self.family} takes no number of mechanism variables")
        for variable in self.network.variables:
            if variable.local != FREE:
                raise InputError(f"{variable.name}: in the family {self.family} the tables of causes are free")
        for name, parents in zip(self.names, self.mechanisms, strict=True):
            self.check_mechanism(name, parents, names)
        inside = {name for parents in self.mechanisms for name in parents}
        for variable in self.network.variables:
            if not variable.observed and variable.name not in inside:
                raise InputError(
                    f"{variable.name} is hidden and belongs to no mechanism; each hidden variable of this family is a cause of some effect. The "
                    "dimension is that of the discrete network of the causes, with those observed that are in mechanisms, plus that of this model "
                    f"without {variable.name}, less the parameters of its tables"
                )
        object.__setattr__(self, "why_shared", reason := self.find_sharing())
        if self.is_order_statistic and reason:
            raise InputError(
                f"{reason}; this is supported for sums only (the families {POISSON} and {NORMAL}), not for maxima and order statistics"
            )

    def check_mechanism(self, name: str, parents: tuple[str, ...], known: list[str]) -> None:
        """Raise unless the parents are known, different and not too many."""
        for parent in parents:
            if parent not in known:
                raise InputError(f"{name}: there is no cause {parent}; known are {join_names(known)}")
        if len(set(parents)) < len(parents):
            raise InputError(f"{name}: a parent occurs twice; once is allowed")
        states = self.network.states
        if prod(states[parent] for parent in parents) > MOST_ROWS:
            raise InputError(f"{name} has more than {MOST_ROWS} joint states of its parents")

    def find_sharing(self) -> str:
        """Why some hidden variable is more than the mixture inside one mechanism; nothing if none is."""
        by_name = {variable.name: variable for variable in self.network.variables}
        hidden = self.hidden
        if not hidden:
            return ""
        if len(self.effects) > 1:
            return f"{hidden[0]} is hidden, and there are several effects"
        uses = Counter(name for parents in self.mechanisms for name in parents)
        for name in hidden:
            if uses[name] > 1:
                return f"{name} is hidden and belongs to {uses[name]} mechanisms"
        for name, parents in zip(self.names, self.mechanisms, strict=True):
            own = [parent for parent in parents if parent in hidden]
            if len(own) > 1:
                return f"{name} has the hidden parents {join_names(own)}"
            for inside in own:
                outside = [one for one in by_name[inside].parents if one not in parents or one in hidden]
                if outside:
                    return f"{inside} stands inside {name} and depends on {outside[0]}, which is none of its causes"
        for variable in self.network.observed:
            if set(hidden) & set(variable.parents):
                return f"{variable.name} depends on {join_names([one for one in variable.parents if one in hidden])}"
        if not self.is_order_statistic and (order := count_cumulants(self)) > MOST_ORDER:
            return f"{join_names(hidden)} would take {order} cumulants of {self.effect}"
        return ""

    @property
    def is_shared(self) -> bool:
        """Whether some hidden variable is more than the mixture inside one mechanism."""
        return bool(self.why_shared)

    @property
    def owners(self) -> tuple[int, ...]:
        """The number of the effect of each mechanism."""
        return self.effect_of_mechanism or (0,) * len(self.mechanisms)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the mechanism variables."""
        counted: Counter[int] = Counter()
        found = []
        for owner in self.owners:
            counted[owner] += 1
            found.append(name_mechanism_variable(self.effects[owner], counted[owner]))
        return tuple(found)

    @property
    def effect(self) -> str:
        """The effect, the first if there are several."""
        return self.effects[0]

    @property
    def coordinate_variables(self) -> tuple[Variable, ...]:
        """The variables in whose joint states coordinates are taken: the observed ones; the hidden ones too if they are shared."""
        return self.network.variables if self.is_shared else self.network.observed

    def list_mechanisms(self, effect: int) -> tuple[tuple[str, ...], ...]:
        """Those of one effect."""
        return tuple(one for one, owner in zip(self.mechanisms, self.owners, strict=True) if owner == effect)

    @property
    def is_order_statistic(self) -> bool:
        """Whether the effect is the n-th largest of its mechanism variables, and not their sum."""
        return self.family not in (POISSON, NORMAL)

    @property
    def place(self) -> int:
        """Which of the mechanism variables it is, from the greatest on."""
        return self.least or 1

    @property
    def is_poisson(self) -> bool:
        """Whether the mechanism variables are Poisson, and not normal."""
        return self.family in (POISSON, MAX_POISSON, AT_LEAST_POISSON)

    @property
    def variables(self) -> tuple[Any, ...]:
        """The variables of the network."""
        return self.network.variables

    @property
    def hidden(self) -> tuple[str, ...]:
        """The hidden variables inside mechanisms."""
        return tuple(variable.name for variable in self.network.variables if not variable.observed)

    def causes(self, mechanism: int) -> tuple[str, ...]:
        """The parents of a mechanism, without the hidden one that makes it a mixture."""
        inside = self.mixture(mechanism)
        return tuple(name for name in self.mechanisms[mechanism] if name != inside)

    def mixture(self, mechanism: int) -> str | None:
        """The hidden parent that makes a mechanism a mixture by itself, if it has one."""
        if self.is_shared:
            return None
        return next((name for name in self.mechanisms[mechanism] if name in self.hidden), None)


def count_cumulants(model: Additive) -> int:
    """As many cumulants of a sum as can show all parameters of the mixtures inside its mechanisms."""
    states, hidden, letters = model.network.states, set(model.hidden), 1 if model.is_poisson else 2
    by_name = {variable.name: variable for variable in model.network.variables}
    mixtures: list[tuple[frozenset[str], int]] = []
    for parents in model.mechanisms:
        causes, inside = frozenset(parents) - hidden, [name for name in parents if name in hidden and states[name] > 1]
        for name in inside:
            weights = (states[name] - 1) * prod(states[parent] for parent in by_name[name].parents)
            mixtures.append((causes, weights + letters * (states[name] - 1) * prod(states[one] for one in causes)))
    if not mixtures:
        return letters

    def count_higher(some: list[tuple[frozenset[str], int]]) -> int:
        """How many orders above those that translations move these mixtures need at least to show their parameters.

        There the other summands are zero (in the cumulants of falling factorials, for rates), and no order shows more
        than one function that is a sum of functions of the mixtures' causes.
        """
        return ceil(sum(wanted for _, wanted in some) / compute_span_dimension([causes for causes, _ in some], states))

    closed = [[one for one in mixtures if one[0] <= largest] for largest, _ in mixtures]
    least = (letters + 1) * max(states[name] for name in hidden) - 1
    return max(least, *(letters + count_higher(some) for some in (*closed, mixtures)))


def iterate_cause_signatures(model: Additive) -> Iterator[tuple[str, Any]]:
    """What a cause looks like by itself, and the effects."""
    yield from iterate_variable_signatures(model.network)
    yield from ((effect, (effect, ())) for effect in model.effects)


def iterate_variable_links(model: Additive) -> Iterator[tuple[Any, str, str]]:
    """The edges between causes, and the pairs of each mechanism."""
    yield from iterate_links(model.network)
    for parents in model.mechanisms:
        yield from ((len(parents), one, other) for one in parents for other in parents)


def normalise_additive(model: Additive, names: Names, orders: Orders) -> Any:
    """The network, the effects, and the mechanisms of each."""
    mechanisms = {
        effect: Counter(
            frozenset(names.get(name, name) for name in parents) for parents in model.list_mechanisms(number)
        )
        for number, effect in enumerate(model.effects)
    }
    return model.family, model.least, normalise_network(model.network, names, orders), mechanisms


RENAMING = Renaming(normalise_additive, iterate_cause_signatures, iterate_variable_links)
