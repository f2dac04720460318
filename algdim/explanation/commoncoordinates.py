"""Two models brought to the same coordinates, of a kind that both families have: a table, a conditional table, covariances."""

from __future__ import annotations

from algdim.analysis import Prepared
from algdim.errors import InputError, listed
from algdim.families import comparing, family_of
from algdim.families.discrete.locals.sigmoid import why_free
from algdim.maps.anymap import Map, map_of
from algdim.models.anymodel import AnyModel, why_removed
from algdim.trust import Trust, trust_in_all


def with_common_coordinates(first: AnyModel, second: AnyModel) -> tuple[AnyModel, AnyModel]:
    """The two models with the same coordinates in the same order; raise if they have different ones.

    >>> from algdim.models.notation import parse
    >>> one, other = with_common_coordinates(parse("A -> B"), parse("loglinear: {B,A}"))
    >>> [[variable.name for variable in model.variables] for model in (one, other)]
    [['A', 'B'], ['A', 'B']]
    """
    mine, theirs = comparing(first.family), comparing(second.family)
    kinds, others = mine.coordinates(first), theirs.coordinates(second)
    kind = next((one for one in kinds if one in others), None)
    if kind is None:
        further = [*(mine.further.get(one) for one in others), *(theirs.further.get(one) for one in kinds)]
        sentences = [
            f"models of the families {first.family} and {second.family} have no coordinates in common",
            *filter(None, further),
        ]
        raise InputError("; ".join(sentences))
    one, other = mine.brought(first, kind), theirs.brought(second, kind)
    check_variables(one, other)
    for family in dict.fromkeys((one.family, other.family)):
        check = comparing(family).check
        if check is not None:
            check(one, other)
    return one, comparing(other.family).ordered(other, list(comparing(one.family).observed(one)))


def check_variables(first: AnyModel, second: AnyModel) -> None:
    """Raise unless the models observe the same variables with the same states."""
    sizes = [comparing(model.family).observed(model) for model in (first, second)]
    if sizes[0] != sizes[1]:
        texts = [listed(f"{name} ({size})" if size else name for name, size in one.items()) for one in sizes]
        raise InputError(comparing(first.family).differ.format(*texts))


def map_to_compare(prepared: Prepared, *, as_larger: bool) -> tuple[Map, Trust | None]:
    """The map without hidden variables that cannot matter, with tables in the place of locals as good; and why that is allowed.

    What is removed may keep the rest from some values. Without it a model has more distributions, which does no harm to the
    smaller one of two; the larger one keeps such variables.
    """
    model, reduction, pmap = prepared.model, prepared.reduction, prepared.pmap
    keeps, simplify = comparing(model.family).keeps, family_of(model.family).simplified
    removed, full = reduction.removed, reduction.simplified
    if keeps is not None and keeps(model, removed, as_larger):
        smaller, full = (model, ()) if simplify is None else simplify(model)
        removed, pmap = (), map_of(smaller, model)
    trusts = (*why_removed(model.family, removed), *why_free(full))
    return pmap, trust_in_all(trusts) if trusts else None
