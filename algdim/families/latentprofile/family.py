"""What a dimension needs of latent-profile models: their map, and bounds of moments and of distributions.

The parameters bound the dimension of the family of distributions. How many moments there are up to an order, and a rank of
them that was not exceeded, bound the dimension of these moments only: higher ones may show more of the distribution.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

from algdim.bound.bounds import UPPER, Bound, proved_bound
from algdim.families.contract import Bounds, Explaining, Family, Graph, Node, Share
from algdim.families.latentprofile.evaluation import Moments
from algdim.families.latentprofile.map import MomentMap
from algdim.families.latentprofile.model import LatentProfile
from algdim.families.latentprofile.order import moment_map
from algdim.figures import big, counted
from algdim.maps import COVARIANCE, MEAN, PROBABILITY, VARIANCE
from algdim.trust import Remark, Trust, proved_by


def by_moments(pmap: MomentMap) -> Trust:
    """Why the rank of the moments is a lower bound of the dimension of the distributions."""
    return proved_by("moments", f"moments up to order {pmap.order}, whose rank is at most that of the distribution")


def parameters_bound(pmap: MomentMap) -> Bound:
    """The dimension of the distributions is at most the number of parameters, whether or not these moments show them."""
    count = len(pmap.parameters)
    return proved_bound(count, UPPER, "counting", counted(count, "parameter"), "moments")


def moments_bound(pmap: MomentMap) -> Bound:
    """The dimension of the moments is at most their number."""
    sums = ", those of degree 0 sum to 1" if pmap.model.categorical else ""
    reason = f"{big(pmap.coordinate_count)} moments{sums}"
    evidence = {"order": pmap.order}
    return proved_bound(pmap.complete, UPPER, "ambient", reason, "counting and ambient", evidence=evidence)


def of_distributions(pmap: MomentMap, of_moments: Bound) -> tuple[Bound, Bound]:
    """The upper bound of the family of distributions, which is nothing but counting, beside that of the moments."""
    return parameters_bound(pmap), of_moments


def taken(pmap: MomentMap) -> str:
    """Which moments were taken, and what their rank says."""
    how = (
        ""
        if pmap.model.order is not None
        else f", the least order found to show all {counted(len(pmap.parameters), 'parameter')}"
    )
    return f"taken are the moments up to order {pmap.order}{how}; what they show, the distribution shows"


def graph(model: LatentProfile) -> Graph:
    """The class above its items, with arcs between continuous ones if these are correlated."""
    items = tuple(Node(one.name, str(one.states or "ℝ"), one.observed) for one in model.items)
    edges = tuple((model.label, one.name) for one in model.items)
    arcs = tuple(combinations([one.name for one in model.continuous], 2)) if model.full else ()
    return Graph((Node(model.label, str(model.classes), observed=False), *items), edges, (), arcs)


FAMILY = Family(
    graph=graph,
    make_map=lambda model, whole: moment_map(model),  # noqa: ARG005 (nothing is tied to other models)
    evaluator=Moments,
    bounds=Bounds({"counting": parameters_bound, "ambient": moments_bound}, whole=of_distributions),
    order=lambda pmap: int(pmap.order),
    of_distributions=by_moments,
    note=lambda pmap: Remark(taken(pmap)),
)


KINDS = {MEAN: "mean", VARIANCE: "variance", COVARIANCE: "covariance", PROBABILITY: "probability"}


def moment_shares(pmap: MomentMap) -> Iterator[Share]:
    """The weights of the classes, and the parameters of each item or pair of items."""
    kinds: dict[str, Counter[str]] = {variable.name: Counter() for variable in pmap.model.variables}
    for one in pmap.records:
        kinds.setdefault(one.owner, Counter())[KINDS[one.kind]] += 1
    for owner, count in kinds.items():
        yield Share(owner, count.total(), ", ".join(counted(times, kind) for kind, times in count.items()))


EXPLAINING = Explaining(moment_shares, shows_all=lambda pmap: False)  # noqa: ARG005 (higher moments may show more)
