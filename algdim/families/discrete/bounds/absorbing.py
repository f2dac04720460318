"""Leaving out mechanisms whose causes another mechanism has too (lemma "absorbed mechanisms" in proofs/lemmas.md).

A maximum of X₁ and X₂ has the distribution function F₁(e|c₁)·F₂(e|c₂). If all causes c₁ are among c₂ and both tables are free,
that is any distribution function given c₂: X₂ alone can do what both do.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from algdim.bound.bounds import Bound, choose_least, derive_bound
from algdim.bound.strategy import Effort, Finding, find_both_bounds
from algdim.errors import join_names
from algdim.families.discrete.locals.function import Deterministic, Maximum
from algdim.families.discrete.locals.table import FREE
from algdim.families.discrete.map import ParamMap, get_param_map
from algdim.families.discrete.model import Network, Variable
from algdim.figures import cut_text
from algdim.models.notation import to_text

ABSORBING = "absorbed-mechanisms"


def find_by_absorbing(pmap: ParamMap, effort: Effort, labels: tuple[str, ...], proved: Bound | None) -> Finding | None:
    """The finding for a model without mechanisms that others absorb; ``None`` if there are none, or tables are not free."""
    found = absorb_mechanisms(pmap.model)
    if found is None:
        return None
    smaller, absorbed = found
    rest = get_param_map(smaller)
    inner = find_both_bounds(rest, effort, labels)
    own = f"{join_names(absorbed, most=6)} left out; that leaves {cut_text(to_text(smaller))}"
    lower, upper = (
        derive_bound(
            [bound], bound.value, bound.side, ABSORBING, f"{own}; {bound.reason}", "absorbed mechanisms", facts=own
        )
        for bound in (inner.lower, inner.upper)
    )
    return Finding(lower, choose_least([proved, upper]) or upper, ABSORBING, inner.draws, of=((rest, inner),))


def absorb_mechanisms(model: Network) -> tuple[Network, tuple[str, ...]] | None:
    """The model without the mechanisms that others absorb, and which these are.

    A maximum of one mechanism that is left has that one's table in its place.

    >>> from algdim.models.notation import parse
    >>> smaller, absorbed = absorb_mechanisms(parse("max: {A,B},{A,B},{B} -> E"))
    >>> to_text(smaller), absorbed
    ('A, B -> E', ('E.1', 'E.2', 'E.3'))
    """
    # tables that are shared or fixed may be tied to other models, which the map of the smaller one would not know
    if not all(one.local == FREE or isinstance(one.local, Deterministic) for one in model.variables):
        return None
    children = Counter(parent for parent, _ in model.edges)
    by_name = {one.name: one for one in model.variables}
    gone: list[str] = []
    changed: dict[str, Variable] = {}
    for effect in model.variables:
        if not isinstance(effect.local, Maximum):
            continue
        causes = [by_name[name] for name in effect.parents]
        absorbed = list_absorbed(
            [one for one in causes if not one.observed and one.local == FREE and children[one.name] == 1]
        )
        if not absorbed:
            continue
        gone += absorbed
        left = tuple(name for name in effect.parents if name not in absorbed)
        changed[effect.name] = replace(effect, parents=left)
        if len(left) == 1:  # it absorbed the others, so that it is a mechanism too
            gone += left
            changed[effect.name] = replace(effect, parents=by_name[left[0]].parents, local=FREE)
    if not gone:
        return None
    kept = tuple(changed.get(one.name, one) for one in model.variables if one.name not in gone)
    return replace(model, variables=kept), tuple(name for name in by_name if name in gone)


def list_absorbed(mechanisms: list[Variable]) -> list[str]:
    """Those whose parents another one has too, with no fewer states; of several that are alike the last one stays."""
    return [
        one.name
        for place, one in enumerate(mechanisms)
        if any(
            {*one.parents} <= {*other.parents}
            and one.states <= other.states
            and (({*one.parents}, one.states) != ({*other.parents}, other.states) or place < number)
            for number, other in enumerate(mechanisms)
            if number != place
        )
    ]
