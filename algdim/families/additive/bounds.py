"""Upper bounds of additive models: what can be moved from one summand to another is redundant (lemma "shifts")."""

from __future__ import annotations

from algdim.bound.bounds import UPPER, Bound, proved_bound
from algdim.families.additive.map import AdditiveMap
from algdim.figures import counted


def shifts_bound(pmap: AdditiveMap) -> Bound | None:
    """The parameters less the translations of rates (or of means, and of variances) that leave every sum as it is."""
    lost = pmap.redundant_shifts
    if not lost:
        return None
    what = "rates" if pmap.model.family == "poisson" else "means and of variances"
    reason = (
        f"{counted(len(pmap.parameters), 'parameter')}, {counted(lost, 'translation')} of {what} between the mechanisms leave "
        f"every sum as it is"
    )
    evidence = {"translations": lost}
    return proved_bound(len(pmap.parameters) - lost, UPPER, "shifts", reason, "shifts", evidence=evidence)


def all_parameters(pmap: AdditiveMap) -> Bound:
    """The parameters bound the dimension of the distributions, whatever the order of the cumulants."""
    count = len(pmap.parameters)
    return proved_bound(count, UPPER, "counting", counted(count, "parameter"), "counting and ambient")


def taken_cumulants(pmap: AdditiveMap) -> str:
    """Which cumulants were taken, where they are not the whole distribution."""
    if not pmap.is_mixed:
        return ""
    return f"taken are the cumulants of {pmap.model.effect} up to order {pmap.order}; what they show, the distribution shows"


def of_the_effect(pmap: AdditiveMap, of_cumulants: Bound) -> tuple[Bound, Bound | None]:
    """What bounds the distributions, beside what bounds the cumulants up to the order, where these are not everything."""
    if not pmap.is_mixed:
        return of_cumulants, None
    return shifts_bound(pmap) or all_parameters(pmap), of_cumulants
