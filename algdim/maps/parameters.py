"""What a parameter is: of which kind, whose, in which states and given what. Its text is made from that and never read back."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import NamedTuple

PROBABILITY = "P"
COEFFICIENT = "b"
VARIANCE = "v"
COVARIANCE = "c"
MEAN = "m"
"""A mean, or an intercept."""
RATE = "l"
EFFECT = "t"
"""Of a log-linear model, e to the power of the effect."""
ODDS = "A"
"""Of a sigmoid variable, where all its parents are 0."""
ODDS_FACTOR = "B"
"""By which one of the parents multiplies these odds."""
NAMED = ""
"""A name that the user gave: to equal entries of tables, or in formulas."""

BETWEEN = {COEFFICIENT: "->", COVARIANCE: "<->"}
"""What stands between two owners; a comma elsewhere."""


class Parameter(NamedTuple):
    """One parameter.

    ``kind`` is one of the above or what a family calls its own, the letter that the text begins with. ``owners`` are a
    variable, a share or a name, two variables of a coefficient or covariance, all variables of an effect; ``states`` are
    theirs, where they are in a state. ``given`` are variables with their states, ``None`` where it is not one of them.
    ``label`` is the user's name of equal entries, and ``inside`` the variable whose classifier has the parameter.

    >>> print(Parameter(PROBABILITY, ("X",), (0,), (("A", 0), ("B", 1))), Parameter(COVARIANCE, ("X", "Y")))
    P(X=0|A=0,B=1) c(X<->Y)
    """

    kind: str
    owners: tuple[str, ...]
    states: tuple[int, ...] = ()
    given: tuple[tuple[str, int | None], ...] = ()
    label: str = ""
    inside: str = ""

    def __str__(self) -> str:
        """The text, as the notation, parameter files and JSON have it."""
        kind, owners, states, given, label, inside = self
        if not label:
            # large maps have very many that are one variable in one state
            if len(states) == 1:
                whose = f"{owners[0]}={states[0]}"
            elif states:
                whose = ",".join([f"{name}={state}" for name, state in zip(owners, states, strict=True)])
            else:
                whose = BETWEEN.get(kind, ",").join(owners)
            bar = ",".join([name if state is None else f"{name}={state}" for name, state in given])
            label = f"{kind}({whose}|{bar})" if given else f"{kind}({whose})"
        return f"{inside}:{label}" if inside else label

    @property
    def owner(self) -> str:
        """With what it is counted: a coefficient with the variable that it is in the equation of.

        >>> Parameter(COEFFICIENT, ("F", "X")).owner, Parameter(COVARIANCE, ("X", "Y")).owner
        ('X', 'X <-> Y')
        """
        if self.kind == COVARIANCE:
            return " <-> ".join(self.owners)
        return self.owners[-1] if self.kind == COEFFICIENT else ",".join(self.owners)


def with_name(name: str) -> Parameter:
    """A parameter that has a name of the user's and nothing else.

    >>> str(with_name("a"))
    'a'
    """
    return Parameter(NAMED, (name,), label=name)


def in_order(blocks: Iterable[Iterable[Parameter]]) -> tuple[Parameter, ...]:
    """The parameters of all blocks."""
    return tuple(chain.from_iterable(blocks))


def texts_of(blocks: Iterable[Iterable[Parameter]]) -> tuple[str, ...]:
    """Their texts; no record is kept."""
    return tuple(map(str, chain.from_iterable(blocks)))
