"""What identifies the parameters of discrete networks: Kruskal's theorem, districts, impossible cells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import factorial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from algdim.analysis import Prepared
from algdim.errors import InputError, LimitError, join_names
from algdim.families.contract import Identifying
from algdim.families.discrete.bounds.pairwise import find_free_latent_class
from algdim.families.discrete.bounds.search import MOST_CELLS, find_possible_cells
from algdim.families.discrete.locals.table import FREE
from algdim.families.discrete.map import ParamMap
from algdim.families.discrete.model import Network
from algdim.figures import format_integer
from algdim.identifiability.classification import RELABELLING, Identifiability, derive_report_identifiability
from algdim.identifiability.degreesoffreedom import (
    MOST_NAMED,
    Freedom,
    ZeroCells,
    derive_freedom_trust,
    prove_impossible_cells,
)
from algdim.maps import Map
from algdim.models.anymodel import AnyModel
from algdim.report import Report
from algdim.trust import BOUNDS_ONLY, Remark, Trust, proved_by, trust_in_all

if TYPE_CHECKING:
    from algdim.identifiability.kernels import Pieces
    from algdim.identifiability.solutions import Count


def split_independent_parts(prepared: Prepared) -> Sequence[Map]:
    """The maps of the districts, if these have all parameters and none twice; otherwise the whole map."""
    whole = prepared.whole_map
    if prepared.reduction.simplified:
        return (whole,)
    pieces = [part.pmap for part in prepared.parts if part.pmap.parameters]
    names = sorted(name for piece in pieces for name in piece.parameters)
    return pieces if len(pieces) > 1 and names == sorted(whole.parameters) else (whole,)


def count_by_kruskal(model: Network, pmap: ParamMap, seed: int | str) -> Count | None:
    """The number of solutions of a latent class model, where Kruskal's theorem says it."""
    from algdim.identifiability.solutions import Count

    alone = drop_covariates(model) if pmap.kept_coordinates is None else None
    unique = None if alone is None else prove_uniqueness(alone, seed)
    if unique is None:
        return None
    how = f"the relabellings of {unique.classes} {'class' if unique.classes == 1 else 'classes'}"
    same = (
        [proved_by("Kruskal", f"given {join_names(model.given)}, on which the class alone depends")]
        if model.given
        else []
    )
    return Count(factorial(unique.classes), how, trust_in_all([unique.trust, *same]))


def drop_covariates(model: Network) -> Network | None:
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


def split_into_districts(prepared: Prepared) -> Pieces:
    """The maps of the districts, if no parameter stands in two of them."""
    from algdim.identifiability.kernels import map_that_matters, select_disjoint_pieces

    small = map_that_matters(prepared)
    found = [part.pmap for part in prepared.relevant_parts] if small is prepared.relevant_map else []
    inside = [name for part in found for name in part.parameters]
    is_cut = len(set(inside)) == len(inside) and set(inside) == set(small.parameters)
    return select_disjoint_pieces(prepared, found if is_cut else [small])


def collect_remarks(model: Network, pmap: ParamMap, report: Report) -> Iterator[Remark]:
    """What is known of the model as a latent class model, and as a model of diagnosis."""
    del pmap
    if model.short:
        from algdim.families.discrete.short.diagnosis import find_diagnosis, prove_dina_identifiability

        spec = find_diagnosis(model)
        remark = None if spec is None else prove_dina_identifiability(spec)
        if remark is not None:
            yield remark
    if not model.given and find_free_latent_class(model) is not None:
        found = derive_report_identifiability(report)
        yield Remark(f"as a latent class model: {found}", found.trust)


def is_free_latent_class(model: AnyModel) -> bool:
    """Whether Kruskal's condition was looked at: a latent class model with free tables."""
    from algdim.families.discrete.locals.sigmoid import replace_by_free_tables

    return isinstance(model, Network) and find_free_latent_class(replace_by_free_tables(model)[0]) is not None


def prove_identifiability(network: Network, seed: int | str) -> Identifiability | None:
    """The strongest of the words, of a latent class model or one that is as good as such."""
    from algdim.families.discrete.locals.sigmoid import prove_free_tables, replace_by_free_tables

    model, full = replace_by_free_tables(network)
    found = prove_uniqueness(model, seed)
    if found is None:
        return None
    trust = trust_in_all([found.trust, *prove_free_tables(network, full)])
    return Identifiability(RELABELLING, found.reason, found.count, found.count, True, trust)


@dataclass(frozen=True, slots=True)
class Unique:
    """That almost every observed distribution of a latent class model with this many parameters comes from one point and its relabellings."""

    count: int
    reason: str
    trust: Trust
    classes: int


def prove_uniqueness(model: Network, seed: int | str) -> Unique | None:
    """The statement that the parameters of a latent class model are unique up to the names of the classes, where it is proved."""
    from algdim.families.discrete.bounds.kruskal import bound_by_kruskal

    shape = find_free_latent_class(model)
    if shape is None:
        return None
    classes, items = shape
    if classes == 1:
        reason = "one class: every parameter is an observed probability of an item"
        return Unique(sum(size - 1 for size in items), reason, proved_by("fibre", reason), classes)
    # the lemma says more than the bound: the relabellings are all
    bound = bound_by_kruskal(model, seed, ("identifiability",))
    return None if bound is None else Unique(bound.value, bound.reason, bound.trust, classes)


def compute_table_freedom(pmap: ParamMap, report: Report, data: Any) -> Freedom:
    """The degrees of freedom, in which cells that are impossible do not count."""
    naive = (report.complete or 0) - report.standard
    try:
        possible = find_possible_cells(pmap)
    except LimitError:
        if data is not None:
            raise
        return Freedom(None, naive, BOUNDS_ONLY)
    zeros = ZeroCells(0, ()) if possible is None else name_cells(pmap, np.flatnonzero(~possible))
    right = (report.complete or 0) - zeros.count - report.dimension
    trust = derive_freedom_trust(
        report, zeros.count, prove_impossible_cells(zeros.count) if possible is not None else ()
    )
    if data is None:
        return Freedom(right, naive, trust, zeros)
    sampling, impossible = compare_zero_cells(pmap, report.model, data, possible)
    return Freedom(right, naive, trust, zeros, sampling, impossible)


def compare_zero_cells(
    pmap: ParamMap, model: Any, data: Any, possible: NDArray[np.bool_] | None
) -> tuple[ZeroCells, ZeroCells]:
    """The possible cells that data do not have, and the impossible ones that they have."""
    from algdim.fitting.samples import Sample, read_sample

    if pmap.cells > MOST_CELLS:
        raise InputError(
            f"the table has {format_integer(pmap.cells)} cells; zeros are named up to {format_integer(MOST_CELLS)}"
        )
    sample = data if isinstance(data, Sample) else read_sample(data, require_discrete(model))
    if sample.has_missing:
        raise InputError("entries are missing; zeros are cells of complete rows")
    seen = np.zeros(pmap.shape, dtype=np.bool_)
    seen[tuple(sample.patterns[sample.counts > 0].T)] = True
    able = np.ones(pmap.cells, dtype=np.bool_) if possible is None else possible
    return name_cells(pmap, np.flatnonzero(~seen.ravel() & able)), name_cells(
        pmap, np.flatnonzero(seen.ravel() & ~able)
    )


def require_discrete(model: Any) -> Network:
    """The model, which has tables."""
    if not isinstance(model, Network):
        raise InputError("data are compared with discrete networks")
    return model


def name_cells(pmap: ParamMap, cells: Sequence[int] | NDArray[np.intp]) -> ZeroCells:
    """Cells by number."""
    places = (tuple(int(x) for x in np.unravel_index(cell, pmap.shape)) for cell in cells[:MOST_NAMED])
    return ZeroCells(len(cells), tuple(str(pmap.coordinate(place)) for place in places))


def refuse_weights(pmap: ParamMap, source: Any) -> None:
    """Raise where parameters are weights, which are no rational numbers, whatever these are."""
    del source
    from algdim.families.discrete.bounds.weights import has_local
    from algdim.families.discrete.locals.sigmoid import Weighted

    if has_local(pmap.model, Weighted):
        raise InputError(
            "verdicts at given parameters are not available for networks with sigmoid variables; leave --at out"
        )


def doubt_probits(model: Network) -> str:
    """Why nothing is said of single parameters."""
    names = [variable.name for variable in model.variables if variable.local.kind == "probit"]
    if not names:
        return ""
    return (
        f"{join_names(names)} {'is' if len(names) == 1 else 'are'} probit, and there are more parameters than dimensions: which of them "
        "are identified is not decided; with as many dimensions as parameters all are"
    )


IDENTIFYING = Identifying(
    prove_unique=prove_identifiability,
    is_looked_at=is_free_latent_class,
    split=split_independent_parts,
    count_by_theorem=count_by_kruskal,
    find_pieces=split_into_districts,
    iterate_remarks=collect_remarks,
    count_freedom=compute_table_freedom,
    check_point=refuse_weights,
    find_doubt=doubt_probits,
)
