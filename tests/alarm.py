"""The ALARM network of ``examples/models/alarm.json`` with some of its variables hidden."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection
from dataclasses import replace
from math import prod
from pathlib import Path

from algdim.families.discrete.model import Network
from algdim.readers.formats import read_file

FILE = Path(__file__).parents[1] / "examples" / "models" / "alarm.json"


def alarm() -> Network:
    """The whole network, everything observed."""
    return read_file(FILE)


def with_hidden(network: Network, names: Collection[str]) -> Network:
    """The same network with these variables hidden."""
    unknown = set(names) - set(network.states)
    if unknown:
        raise ValueError(f"there is no variable {', '.join(sorted(unknown))}")
    hidden = (replace(variable, observed=variable.name not in names) for variable in network.variables)
    return replace(network, variables=tuple(hidden))


def most_children(network: Network, count: int = 5) -> tuple[str, ...]:
    """The variables with most children; of equally many, those that stand first in the file."""
    children = Counter(parent for parent, _ in network.edges)
    # sorting is stable, so that variables with equally many children stay in the order of the file
    ordered = sorted(network.variables, key=lambda variable: -children[variable.name])
    return tuple(variable.name for variable in ordered[:count])


def drawn(network: Network, seed: int, count: int = 5) -> tuple[str, ...]:
    """This many variables, drawn with a seed, in the order of the file."""
    chosen = sorted(random.Random(seed).sample(range(len(network.variables)), count))
    return tuple(network.variables[number].name for number in chosen)


def alarm_most_children() -> Network:
    """ALARM without its five variables with most children."""
    network = alarm()
    return with_hidden(network, most_children(network))


def alarm_drawn(seed: int = 0) -> Network:
    """ALARM without five variables drawn with a seed."""
    network = alarm()
    return with_hidden(network, drawn(network, seed))


def piece(seed: int, size: int = 7, most_cells: int = 2000) -> Network | None:
    """A connected piece of this many variables, two of them hidden, edges to others left out; ``None`` if it is too large."""
    network, source = alarm(), random.Random(seed)
    links = [*network.edges, *((child, parent) for parent, child in network.edges)]
    names = {source.choice(network.variables).name}
    while len(names) < size:
        names.add(source.choice([other for one, other in links if one in names and other not in names]))
    hidden = set(source.sample(sorted(names), 2))
    kept = [variable for variable in network.variables if variable.name in names]
    cells = prod(variable.states for variable in kept if variable.name not in hidden)
    if cells > most_cells:
        return None
    return Network(
        tuple(
            replace(
                variable,
                observed=variable.name not in hidden,
                parents=tuple(parent for parent in variable.parents if parent in names),
            )
            for variable in kept
        )
    )
