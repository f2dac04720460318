"""What identifies the parameters of discrete networks: Kruskal's theorem, districts, impossible cells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import factorial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algdim.analysis import Prepared
from algdim.errors import InputError, LimitError, listed
from algdim.families.contract import Identifying
from algdim.families.discrete.bounds.cited import free_latent_class
from algdim.families.discrete.bounds.kruskal import kruskal_lower
from algdim.families.discrete.bounds.search import MOST_CELLS, possible_cells
from algdim.families.discrete.bounds.weights import has_local
from algdim.families.discrete.locals.sigmoid import Sigmoid, why_free, with_free_tables
from algdim.families.discrete.locals.table import FREE
from algdim.families.discrete.map import ParamMap
from algdim.families.discrete.model import Network
from algdim.figures import big
from algdim.fitting.samples import Sample, read_sample
from algdim.identifiability.freedom import MOST_NAMED, Freedom, ZeroCells, impossible_are, trust_in_freedom
from algdim.identifiability.kernels import Pieces, map_that_matters, pieces_among
from algdim.identifiability.kinds import RELABELLING, Identifiability, identifiability_of
from algdim.identifiability.solutions import Count
from algdim.maps import Map
from algdim.models.anymodel import AnyModel
from algdim.report import Report
from algdim.trust import BOUNDS_ONLY, Remark, Trust, proved_by, trust_in_all


def independent_parts(prepared: Prepared) -> Sequence[Map]:
    """The maps of the districts, if these have all parameters and none twice; otherwise the whole map."""
    whole = prepared.whole_map
    if prepared.reduction.simplified:
        return (whole,)
    pieces = [part.pmap for part in prepared.parts if part.pmap.parameters]
    names = sorted(name for piece in pieces for name in piece.parameters)
    return pieces if len(pieces) > 1 and names == sorted(whole.parameters) else (whole,)


def by_kruskal(model: Network, pmap: ParamMap, seed: int | str) -> Count | None:
    """The number of solutions of a latent class model, where Kruskal's theorem says it."""
    alone = without_covariates(model) if pmap.kept is None else None
    unique = None if alone is None else determined(alone, seed)
    if unique is None:
        return None
    how = f"the relabellings of {unique.classes} {'class' if unique.classes == 1 else 'classes'}"
    same = (
        [proved_by("Kruskal", f"given {listed(model.given)}, on which the class alone depends")] if model.given else []
    )
    return Count(factorial(unique.classes), how, trust_in_all([unique.trust, *same]))


def without_covariates(model: Network) -> Network | None:
    """The model without the variables that are conditioned on, if these are parents of hidden variables alone."""
    given = frozenset(model.given)
    if any(v.observed and given.intersection(v.parents) for v in model.variables):
        return None
    kept = [
        replace(v, parents=() if given.issuperset(v.parents) else v.parents)
        for v in model.variables
        if v.name not in given
    ]
    return Network(tuple(kept)) if all(v.local == FREE for v in kept) else None


def district_pieces(prepared: Prepared) -> Pieces:
    """The maps of the districts, if no parameter stands in two of them."""
    small = map_that_matters(prepared)
    found = [part.pmap for part in prepared.relevant_parts] if small is prepared.relevant_map else []
    inside = [name for part in found for name in part.parameters]
    is_cut = len(set(inside)) == len(inside) and set(inside) == set(small.parameters)
    return pieces_among(prepared, found if is_cut else [small])


def beside(model: Network, pmap: ParamMap, report: Report) -> Iterator[Remark]:
    """What is known of the model as a latent class model."""
    del pmap
    if not model.given and free_latent_class(model) is not None:
        found = identifiability_of(report)
        yield Remark(f"as a latent class model: {found}", found.trust)


def free_shape(model: AnyModel) -> bool:
    """Whether Kruskal's condition was looked at: a latent class model with free tables."""
    return isinstance(model, Network) and free_latent_class(with_free_tables(model)[0]) is not None


def unique_up_to_names(network: Network, seed: int | str) -> Identifiability | None:
    """The strongest of the words, of a latent class model or one that is as good as such."""
    model, full = with_free_tables(network)
    found = determined(model, seed)
    if found is None:
        return None
    trust = trust_in_all([found.trust, *why_free(full)])
    return Identifiability(RELABELLING, found.reason, found.count, found.count, True, trust)


@dataclass(frozen=True, slots=True)
class Unique:
    """That almost every observed distribution of a latent class model with so many parameters comes from one point and its relabellings."""

    count: int
    reason: str
    trust: Trust
    classes: int


def determined(model: Network, seed: int | str) -> Unique | None:
    """The statement that the parameters of a latent class model are unique up to the names of the classes, where it is proved."""
    shape = free_latent_class(model)
    if shape is None:
        return None
    classes, items = shape
    if classes == 1:
        reason = "one class: every parameter is an observed probability of an item"
        return Unique(sum(size - 1 for size in items), reason, proved_by("fibre", reason), classes)
    # the lemma says more than the bound: the relabellings are all
    bound = kruskal_lower(model, seed, ("identifiability",))
    return None if bound is None else Unique(bound.value, bound.reason, bound.trust, classes)


def freedom_of_table(pmap: ParamMap, report: Report, data: Any) -> Freedom:
    """The degrees of freedom, in which cells that are impossible do not count."""
    naive = (report.complete or 0) - report.standard
    try:
        possible = possible_cells(pmap)
    except LimitError:
        if data is not None:
            raise
        return Freedom(None, naive, BOUNDS_ONLY)
    zeros = ZeroCells(0, ()) if possible is None else named(pmap, np.flatnonzero(~possible))
    right = (report.complete or 0) - zeros.count - report.dimension
    trust = trust_in_freedom(report, zeros.count, impossible_are(zeros.count) if possible is not None else ())
    if data is None:
        return Freedom(right, naive, trust, zeros)
    sampling, impossible = of_sample(pmap, report.model, data, possible)
    return Freedom(right, naive, trust, zeros, sampling, impossible)


def of_sample(pmap: ParamMap, model: Any, data: Any, possible: NDArray[np.bool_] | None) -> tuple[ZeroCells, ZeroCells]:
    """The possible cells that data do not have, and the impossible ones that they have."""
    if pmap.cells > MOST_CELLS:
        raise InputError(f"the table has {big(pmap.cells)} cells; zeros are named up to {big(MOST_CELLS)}")
    sample = data if isinstance(data, Sample) else read_sample(data, discrete(model))
    if sample.has_missing:
        raise InputError("entries are missing; zeros are cells of complete rows")
    seen = np.zeros(pmap.shape, dtype=np.bool_)
    seen[tuple(sample.patterns[sample.counts > 0].T)] = True
    able = np.ones(pmap.cells, dtype=np.bool_) if possible is None else possible
    return named(pmap, np.flatnonzero(~seen.ravel() & able)), named(pmap, np.flatnonzero(seen.ravel() & ~able))


def discrete(model: Any) -> Network:
    """The model, which has tables."""
    if not isinstance(model, Network):
        raise InputError("data are compared with discrete networks")
    return model


def named(pmap: ParamMap, cells: Sequence[int] | NDArray[np.intp]) -> ZeroCells:
    """Cells by number."""
    places = (tuple(int(x) for x in np.unravel_index(cell, pmap.shape)) for cell in cells[:MOST_NAMED])
    return ZeroCells(len(cells), tuple(str(pmap.coordinate(place)) for place in places))


def refuse_weights(pmap: ParamMap) -> None:
    """Raise where parameters are weights, which are no rational numbers."""
    if has_local(pmap.model, Sigmoid):
        raise InputError(
            "verdicts at given parameters are not available for networks with sigmoid variables; leave --at out"
        )


IDENTIFYING = Identifying(
    unique=unique_up_to_names,
    looked_at=free_shape,
    independent_parts=independent_parts,
    by_theorem=by_kruskal,
    pieces=district_pieces,
    beside=beside,
    freedom=freedom_of_table,
    check_point=refuse_weights,
)
