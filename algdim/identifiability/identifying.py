"""`algdim identify`: which parameters the observed distribution determines, which only move together, and what to fix.

A parameter is *identifiable* if at almost every point it is constant among the nearby parameters with the same observed
distribution. What is proved, and what holds but for a small chance, is in lemma "parameters" of proofs/lemmas.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from algdim.exact.draws import drawn_seed
from algdim.families import identifying
from algdim.figures import counted
from algdim.identifiability.fibres import fibre_of
from algdim.identifiability.freedom import freedom_of
from algdim.identifiability.given import at_point
from algdim.identifiability.groups import Group
from algdim.identifiability.record import Determined, Identification, Lists, Verdict
from algdim.identifiability.rowspaces import points_of
from algdim.identifiability.searching import Search
from algdim.memory import allowed_memory
from algdim.report import dimension
from algdim.trust import proved_by, trust_in_all

if TYPE_CHECKING:
    from algdim.readers.anything import ModelLike


def identify(
    model: ModelLike, *, at: Any = None, data: Any = None, seed: int | str = 0, max_memory: int | str | None = None
) -> Identification:
    """Which parameters the observed distribution determines, generically and at given parameters.

    With data of a discrete network, cells that do not occur are named beside the degrees of freedom.

    >>> found = identify("gaussian: H -> X1, X2, X3; hidden H; means off")
    >>> found.lost, found.units.rest
    (('b(H->X1)', 'b(H->X2)', 'b(H->X3)', 'v(H)'), 0)
    >>> [one.text for one in found.basis]
    ['v(X1)', 'v(X2)', 'v(X3)', 'b(H->X1) / b(H->X2)', 'b(H->X1) / b(H->X3)', 'b(H->X1)^2·v(H)']
    """
    from algdim.readers.anything import model as read_model

    memory, seed = allowed_memory(max_memory), drawn_seed(seed)
    record = read_model(model)
    report = dimension(record, seed=seed, max_memory=memory)
    own, pmap = identifying(record.family), report.prepared.whole_map
    names = pmap.parameters
    if report.lower.is_proved and report.dimension == len(names):
        facts = f"{counted(len(names), 'dimension')}, as many as parameters"
        whole = trust_in_all([proved_by("parameters", facts), report.lower.trust])
        verdicts: tuple[Verdict, ...] = tuple(Verdict(name, True, whole) for name in names)
        groups: tuple[Group, ...] = ()
        basis: tuple[Determined, ...] = tuple(Determined(name, "parameter", whole) for name in names)
        lists, bounded = Lists(identifiable=whole, basis=whole), whole
    else:
        search = Search(pmap, report, points_of(pmap, seed, memory))
        report = search.improved()
        verdicts, groups, basis, lists = search.verdicts(), search.groups, search.basis, search.lists()
        bounded = search.trust_in_rank
    generic = [verdict.identifiable for verdict in verdicts]
    trusts = (lists.identifiable, bounded)
    return Identification(
        report,
        verdicts,
        groups,
        basis,
        lists,
        freedom_of(pmap, report, data),
        None if own.units is None else own.units(pmap, report.redundant, seed, bounded),
        fibre_of(report, seed),
        () if own.beside is None else tuple(own.beside(record, pmap, report)),
        None if at is None else at_point(record, pmap, report, generic, trusts, at, memory),
    )
