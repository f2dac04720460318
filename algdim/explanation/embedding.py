"""Maps from the parameters of one model to those of another under which the observed distribution stays (lemma "embedding")."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice, product

from algdim.maps import Map
from algdim.trust import Trust, proved_by, trust_in_all

UNCHANGED = "all numbers stay"
"""What a map does that has nothing to say."""
MOST_MATCHES = 5000
"""So many ways to pair the hidden variables of two models are tried at most."""


@dataclass(frozen=True, slots=True, eq=False)
class Embedding:
    """A map of parameters, in sentences and as a function, and trust that it keeps the observed distribution."""

    lines: tuple[str, ...]
    trust: Trust
    first: Map
    second: Map
    at: Callable[[Sequence[Fraction]], list[Fraction]]
    """The parameters of the second model at a point of the first."""
    squares: frozenset[int] = frozenset()
    """The parameters whose roots are taken."""
    zeros: frozenset[int] = frozenset()
    """Parameters of the second model that are known to be 0 at all points of the first."""
    needs_value: bool = False
    """Whether the lemma supposes that the map has a value at some point, which an exact point shows."""

    def squared(self, point: Sequence[Fraction]) -> list[Fraction]:
        """The point with squares for the parameters whose roots are taken, so that the roots are rational."""
        return [value * value if place in self.squares else value for place, value in enumerate(point)]


def one_after_another(first: Embedding, second: Embedding) -> Embedding:
    """The map that follows one after the other."""
    lines, trust = (*first.lines, *second.lines), trust_in_all([first.trust, second.trust])
    return Embedding(lines, trust, first.first, second.second, lambda point: second.at(first.at(point)), first.squares)


def by_lemma(lemma: str, lines: Sequence[str], hypotheses: Sequence[str] = ()) -> Trust:
    """Trust in a map that is of the kind of a lemma; the sentences say what it is, and what the lemma supposes of the models."""
    return trust_in_all(proved_by(lemma, fact) for fact in (*(lines or [UNCHANGED]), *hypotheses))


def matches(mine: Sequence[str], theirs: Sequence[str], *, all_of_them: bool = True) -> Iterator[dict[str, str]]:
    """The ways to let hidden variables of the second model stand for all of the first one's; equal names first.

    Several may stand for one: all but the first of them copy a parent that stands for it too. With ``all_of_them`` off
    some are not stood for, and each is stood for once at most.

    >>> list(matches(["H"], ["G", "H"]))[0]
    {'H': 'H'}
    """
    choices = [[*([name] if name in mine else []), None, *(one for one in mine if one != name)] for name in theirs]
    for chosen in islice(product(*choices), MOST_MATCHES):
        stood = [one for one in chosen if one is not None]
        is_whole = set(mine) <= set(stood)
        if is_whole if all_of_them else not is_whole and len(set(stood)) == len(stood):
            yield {name: one for name, one in zip(theirs, chosen, strict=True) if one is not None}
