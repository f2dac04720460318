"""How the parameters of discrete networks are counted by variable."""

from __future__ import annotations

from collections.abc import Iterator

from algdim.families.contract import Explaining, Share
from algdim.families.discrete.locals.classifier import Embedded
from algdim.families.discrete.locals.classifierentries import EmbeddedEntries
from algdim.families.discrete.locals.sigmoid import Sigmoid
from algdim.families.discrete.map import ParamMap
from algdim.figures import counted


def table_shares(pmap: ParamMap) -> Iterator[Share]:
    """The parameters of each table of a network; what ties leave over stands last."""
    counts: dict[str, set[int]] = {}
    seen: set[int] = set()
    for owner, entries in zip(pmap.owners, pmap.arrays, strict=True):
        own = entries.own if isinstance(entries, EmbeddedEntries) else entries.readable
        here = frozenset(own) - seen
        seen |= here
        counts.setdefault(owner, set()).update(here)
    rows = {variable.name: states_text(pmap, number) for number, variable in enumerate(pmap.model.variables)}
    for owner, numbers in counts.items():
        yield Share(owner, len(numbers), rows.get(owner, "shared table"))
    if len(seen) < len(pmap.parameters):
        yield Share("ties", len(pmap.parameters) - len(seen), "names that are no entry by themselves")


def states_text(pmap: ParamMap, number: int) -> str:
    """States and parents of a variable."""
    variable = pmap.model.variables[number]
    states = counted(variable.states, "state")
    kind = states if variable.observed else f"hidden, {states}"
    kind = f"{kind}, {variable.local.kind}" if isinstance(variable.local, Sigmoid | Embedded) else kind
    text = f"{kind}, given {','.join(variable.parents)}" if variable.parents else kind
    return f"{text}; the odds of state 1 are A·∏ B^state" if isinstance(variable.local, Sigmoid) else text


EXPLAINING = Explaining(table_shares, most_bits=64)
