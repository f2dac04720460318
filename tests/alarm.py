"""The ALARM network of ``examples/models/alarm.json`` with some of its variables hidden."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from algdim.models.network import Network
from algdim.readers.files import read_model

FILE = Path(__file__).parents[1] / "examples" / "models" / "alarm.json"


def alarm() -> Network:
    """The whole network, everything observed."""
    return read_model(FILE)


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
    """So many variables, drawn with a seed, in the order of the file."""
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
