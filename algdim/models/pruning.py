"""Variables that cannot matter: a hidden variable without observed descendants sums to one and drops out."""

from __future__ import annotations

from algdim.models.network import Network


def without_irrelevant(model: Network) -> tuple[Network, tuple[str, ...]]:
    """Remove hidden variables without observed descendants (KZ02 §1's O → X); also return their names.

    >>> from algdim.models.notation import parse
    >>> smaller, removed = without_irrelevant(parse("O -> X; hidden X"))
    >>> [variable.name for variable in smaller.variables], removed
    (['O'], ('X',))
    """
    relevant = ancestors(model, tuple(variable.name for variable in model.observed))
    removed = tuple(variable.name for variable in model.variables if variable.name not in relevant)
    if not removed:
        return model, ()
    kept = tuple(variable for variable in model.variables if variable.name in relevant)
    return Network(kept, model.given), removed


def ancestors(model: Network, names: tuple[str, ...]) -> frozenset[str]:
    """The variables named and all their ancestors."""
    parents = {variable.name: variable.parents for variable in model.variables}
    found, waiting = set(names), list(names)
    while waiting:
        for parent in parents[waiting.pop()]:
            if parent not in found:
                found.add(parent)
                waiting.append(parent)
    return frozenset(found)
