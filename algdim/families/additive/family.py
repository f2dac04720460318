"""What a dimension needs of additive models: their map, and what can be moved from one summand to another (lemma "shifts")."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from algdim.bound.bounds import UPPER, Bound, proved_bound
from algdim.bound.counting import Complete, saturated_by
from algdim.families.additive.map import AdditiveMap, additive_map, sums
from algdim.families.additive.model import Additive
from algdim.families.contract import Bounds, Explaining, Family, Graph, Node, Share
from algdim.families.discrete.districts import network_graph
from algdim.figures import counted
from algdim.trust import Remark, Trust, proved_by


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


def by_cumulants(pmap: AdditiveMap) -> Trust:
    """Why the Jacobian of the coordinates says something of the distribution; without mixtures they are all of it."""
    what = f"entries of the causes' tables and cumulants of {pmap.model.effect} up to order {pmap.order}"
    if pmap.is_mixed:
        return proved_by("shifts", f"{what}, whose rank is at most that of the distribution")
    return proved_by("shifts", f"{what}, which have the rank of the distribution: no mechanism is a mixture")


def any_sums(pmap: AdditiveMap, seed: int | str) -> Complete:
    """The dimension of all tables of the causes with any rate, or mean and variance, in each of their joint states."""
    del seed
    states = pmap.configurations
    what = "a rate" if pmap.model.family == "poisson" else "a mean and a variance"
    facts = f"{counted(states - 1, 'free entry')} in the table of the causes, and {what} in each of their {states} joint states"
    return saturated_by(pmap.complete, facts)


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


def graph(model: Additive) -> Graph:
    """The causes above their sum."""
    causes = network_graph(model.network, frames=False)
    effect = Node(model.effect, "Σ", observed=True)
    ways = tuple((cause, model.effect) for part in model.mechanisms for cause in part)
    return Graph((*causes.nodes, effect), (*causes.edges, *dict.fromkeys(ways)))


FAMILY = Family(
    graph=graph,
    can_hide=False,
    make_map=lambda model, whole: additive_map(model),  # noqa: ARG005 (nothing is tied to other models)
    evaluator=sums,
    bounds=Bounds({"counting": all_parameters, "shifts": shifts_bound}, whole=of_the_effect),
    order=lambda pmap: int(pmap.order),
    complete=any_sums,
    of_distributions=by_cumulants,
    note=lambda pmap: Remark(taken_cumulants(pmap)),
)


def summand_shares(pmap: AdditiveMap) -> Iterator[Share]:
    """The parameters of each cause, hidden variable inside a mechanism, and mechanism variable."""
    owners = Counter(one.owner for one in pmap.records)
    for owner, count in owners.items():
        yield Share(owner, count, "")


EXPLAINING = Explaining(summand_shares, shows_all=lambda pmap: not pmap.is_mixed)
