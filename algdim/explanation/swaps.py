"""Other parameters with the same coordinates that no curve leads to: the states of a hidden variable swapped, a latent variable's sign turned.

What is tried is read off the records of the parameters; what is shown was computed exactly and has the same coordinates.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from algdim.explanation.equivalentparameters import has_same_coordinates
from algdim.explanation.samplepoint import Standing
from algdim.maps import COEFFICIENT, COVARIANCE, MEAN, ODDS, ODDS_FACTOR, PROBABILITY, Parameter

SIGNED = frozenset({COEFFICIENT, COVARIANCE, MEAN})
"""The kinds of parameters whose sign depends on that of a latent variable."""
MOST_SWAPS = 3


def find_swaps(standing: Standing) -> list[tuple[str, tuple[Fraction, ...]]]:
    """Points with exactly the same coordinates, in words.

    >>> from algdim.explanation.samplepoint import evaluate_at_random_point
    >>> from algdim.maps import map_of
    >>> from algdim.models.notation import parse
    >>> [words for words, _ in find_swaps(evaluate_at_random_point(map_of(parse("2:2,2,2"))))]
    ['states 0 and 1 of H swapped']
    """
    if not standing.values:
        return []
    found: list[tuple[str, tuple[Fraction, ...]]] = []
    for words, point in iterate_candidates(standing):
        if len(found) == MOST_SWAPS:
            break
        if point != standing.point and has_same_coordinates(standing, point):
            found.append((words, point))
    return found


def iterate_candidates(standing: Standing) -> Iterator[tuple[str, tuple[Fraction, ...]]]:
    """What may have the same coordinates: for each hidden variable its first two states swapped, and its sign turned."""
    records = standing.pmap.records
    for name, states in list_hidden(standing):
        if states == 2 and any(record.kind == ODDS and record.owners == (name,) for record in records):
            yield f"states 0 and 1 of {name} swapped", invert_odds(records, standing.point, name)
        elif states is not None and states > 1:
            yield f"states 0 and 1 of {name} swapped", swap_states(records, standing.point, name, states)
        else:
            yield f"the sign of {name} turned", turn_sign(records, standing.point, name)


def list_hidden(standing: Standing) -> Iterator[tuple[str, int | None]]:
    """The hidden variables with their numbers of states, ``None`` of continuous ones."""
    for variable in getattr(standing.pmap.model, "variables", ()):
        if not variable.observed:
            yield variable.name, getattr(variable, "states", None)


def swap_states(
    records: Sequence[Parameter], point: Sequence[Fraction], name: str, states: int
) -> tuple[Fraction, ...]:
    """The values with states 0 and 1 of a variable exchanged, where it is given and in its own rows of probabilities.

    >>> from algdim.maps import map_of
    >>> from algdim.models.notation import parse
    >>> records = map_of(parse("2:2")).records
    >>> [str(value) for value in swap_states(records, [Fraction(1, 3), Fraction(1, 5), Fraction(1, 7)], "H", 2)]
    ['2/3', '1/7', '1/5']
    """
    other = {0: 1, 1: 0}
    places = {record: number for number, record in enumerate(records)}
    found = list(point)
    for number, record in enumerate(records):
        given = tuple(
            (one, other.get(state, state) if one == name and state is not None else state)
            for one, state in record.given
        )
        own = record.kind == PROBABILITY and record.owners == (name,) and len(record.states) == 1
        state = other.get(record.states[0], record.states[0]) if own else None
        target = record._replace(given=given, states=(state,) if state is not None else record.states)
        if target in places:
            found[number] = point[places[target]]
        elif own:  # the last state has no parameter of its own
            row = [
                places[target._replace(states=(s,))]
                for s in range(states - 1)
                if target._replace(states=(s,)) in places
            ]
            found[number] = 1 - sum((point[place] for place in row), Fraction(0))
    return tuple(found)


def invert_odds(records: Sequence[Parameter], point: Sequence[Fraction], name: str) -> tuple[Fraction, ...]:
    """The values with the odds of a sigmoid variable inverted, and with them its factors in the odds of others.

    >>> from algdim.maps import map_of
    >>> from algdim.models.notation import parse
    >>> records = map_of(parse("sigmoid: H -> X; hidden H")).records
    >>> [str(value) for value in invert_odds(records, [Fraction(2), Fraction(3), Fraction(5)], "H")]
    ['1/2', '15', '1/5']
    """
    factors = {
        record.owners: value for record, value in zip(records, point, strict=True) if record.given == ((name, None),)
    }
    found = []
    for record, value in zip(records, point, strict=True):
        is_own = record.kind in {ODDS, ODDS_FACTOR} and record.owners == (name,)
        is_factor = record.kind == ODDS_FACTOR and record.given == ((name, None),)
        with_factor = record.kind == ODDS and record.owners in factors
        found.append(
            1 / value if value and (is_own or is_factor) else value * factors[record.owners] if with_factor else value
        )
    return tuple(found)


def turn_sign(records: Sequence[Parameter], point: Sequence[Fraction], name: str) -> tuple[Fraction, ...]:
    """The values with the sign turned of all that belongs to a latent variable once."""
    return tuple(
        -value if record.kind in SIGNED and record.owners.count(name) == 1 else value
        for record, value in zip(records, point, strict=True)
    )
