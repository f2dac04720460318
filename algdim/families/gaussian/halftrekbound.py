"""The half-trek bound of Gaussian models in which everything is observed (lemma "half-trek" in proofs/lemmas.md).

What the model lacks, an entry of Ω for a pair of variables, is an equation for the coefficients; each pair can be used
once, for the coefficients into one of its two variables, and only by way of half-treks. The dimension is at most the
number of variances, covariances and means, and of coefficients that can be reached so.
"""

from __future__ import annotations

from algdim.bound.bounds import UPPER, Bound, proved_bound
from algdim.families.gaussian.halftrek import mixed_graph, reached_coefficients
from algdim.families.gaussian.map import GaussianMap
from algdim.families.gaussian.search import GaussianSetting
from algdim.figures import counted

MOST_VARIABLES = 60
"""Variables up to which the half-trek criterion is asked."""
KIND = "half-trek"


def is_about_half_treks(gmap: GaussianMap) -> bool:
    """Whether the half-trek criterion is about a model: edges, nothing latent, no entry fixed or held equal but means."""
    model = gmap.model
    return bool(model.edges) and not model.hidden and all(e[0] == "m" for e, _ in (*model.fixed, *model.equal))


def half_trek_bound(setting: GaussianSetting) -> Bound | None:
    """The upper bound, where it is below the number of parameters."""
    gmap = setting.gmap
    model = gmap.model
    if not is_about_half_treks(gmap) or len(model.variables) > MOST_VARIABLES:
        return None
    reached = reached_coefficients(mixed_graph(model))
    rest = len(model.variables) * (2 if model.means else 1) + len(model.bidirected)
    if reached == len(model.edges):
        return None
    what = (
        "error variances, error covariances and intercepts" if model.means else "error variances and error covariances"
    )
    reason = f"half-treks reach {reached} of {counted(len(model.edges), 'coefficient')} at once; with {rest} {what}"
    evidence = {"reached": reached, "coefficients": len(model.edges)}
    return proved_bound(rest + reached, UPPER, KIND, reason, "half-trek", evidence=evidence)
