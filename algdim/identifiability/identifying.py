"""`algdim identify`: which parameters the observed distribution determines, which only move together, and what to fix.

A parameter is *identifiable* if at almost every point it is constant among the nearby parameters with the same observed
distribution. What the kernel as polynomials says is proved. Without it, what moves at a drawn point of full rank is
proved, and that nothing else does has the chances of lemmas "parameters" and "drawn lists" of proofs/lemmas.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from algdim.arguments import check_arguments
from algdim.bound.bounds import UPPER, Bound
from algdim.bound.chance import LEAST
from algdim.errors import InputError, LimitError, join_names
from algdim.exact.draws import draw_seed
from algdim.exact.flint import convert_to_residues, rank_by_flint
from algdim.exact.polynomials import make_polynomials
from algdim.families import load_identifying
from algdim.figures import format_count
from algdim.identifiability.combinations import (
    MOST_NUMBERS,
    MOST_PLACES,
    SPARE,
    Combination,
    find_combinations,
    iterate_directions,
)
from algdim.identifiability.degreesoffreedom import compute_degrees_of_freedom
from algdim.identifiability.groups import (
    MOST_SETS,
    Group,
    Sets,
    collect_kernel_components,
    find_connected_components,
    find_fixing_sets,
)
from algdim.identifiability.kernels import Kernel, choose_pieces, compute_polynomial_kernel, find_own_columns
from algdim.identifiability.points import identify_at_point
from algdim.identifiability.record import Determined, Identification, Lists, Verdict
from algdim.identifiability.rowspaces import (
    MOST_DRAWS,
    SURE,
    Points,
    Seen,
    compute_pair_error,
    compute_rank_error,
    draw_enough_points,
    find_first_fixing_set,
    find_moving_parameters,
    make_point_source,
)
from algdim.identifiability.solutions import compute_fibre_degree
from algdim.limits import sharpen
from algdim.maps import Map, map_of
from algdim.memory import ALLOW_MORE, allow, check_memory, choose_memory_limit
from algdim.models.anymodel import AnyModel, prove_removal
from algdim.report import Report, dimension
from algdim.trust import BOUNDED, BOUNDS_ONLY, Trust, probable, proved_by, trust_in_all

if TYPE_CHECKING:
    from algdim.readers.anything import ModelLike


BYTES_PER_PARAMETER = 3_000
"""Of what is said of it: the verdict, its reasons, and the entries of the document."""


@check_arguments
def identify(
    model: ModelLike,
    *,
    format: str | None = None,  # noqa: A002
    hidden: Iterable[str] = (),
    at: Any = None,
    data: Any = None,
    seed: int | str = 0,
    max_memory: int | str | None = None,
    max_seconds: float | None = None,
) -> Identification:
    """Which parameters the observed distribution determines, generically and at given parameters.

    Parameters
    ----------
    model : text, path, dictionary, graph or model
        Whatever `algdim.model` reads.
    format : str, optional
        How a file or a text is written, such as "lavaan" or "dagitty"; without it the suffix of a path tells.
    hidden : names
        Variables that are not observed, in addition to those that the model declares hidden.
    at : path or dictionary, optional
        Parameters at which identifiability is decided too, in the form of a parameter file.
    data : path, data frame or dictionary of columns, optional
        Data of a discrete network: cells that do not occur are named with the degrees of freedom.
    seed : int or str
        The seed of all draws; "random" takes one from the system.
    max_memory : int or str, optional
        Bytes that may be used, as a number or as "4G"; half of the machine's memory without it.
    max_seconds : float, optional
        Seconds for searches that only sharpen a proof, together; 120 without it. No rank is ended by it.

    Returns
    -------
    Identification
        A verdict on each parameter, the groups that move together, and what to fix.

    Examples
    --------
    >>> found = identify("gaussian: H -> X1, X2, X3; hidden H; means off")
    >>> found.lost, found.units.rest, found.df
    (('b(H->X1)', 'b(H->X2)', 'b(H->X3)', 'v(H)'), 0, 0)
    >>> [one.text for one in found.basis]
    ['v(X1)', 'v(X2)', 'v(X3)', 'b(H->X1) / b(H->X2)', 'b(H->X1) / b(H->X3)', 'b(H->X1)^2·v(H)']
    """
    from algdim.readers.anything import read_model

    with allow(max_seconds, max_memory) as allowance:
        known = len(allowance.untried)
        found = identify_parameters(
            read_model(model, format=format, hidden=hidden), at, data, draw_seed(seed), choose_memory_limit(max_memory)
        )
        return replace(found, untried=allowance.since(known))


def identify_parameters(record: AnyModel, at: Any, data: Any, seed: int | str, memory: int) -> Identification:
    """The same of a model that was read."""
    report = dimension(record, seed=seed, max_memory=memory)
    own, pmap = load_identifying(record.family), report.preparation.whole_map
    names = pmap.parameters
    check_memory(
        BYTES_PER_PARAMETER * len(names),
        memory,
        f"there are answers about {format_count(len(names), 'parameter')}",
        ALLOW_MORE,
    )
    whole = trust_in_all_parameters(report)
    if whole is not None:
        verdicts: tuple[Verdict, ...] = tuple(Verdict(name, True, whole) for name in names)
        groups: tuple[Group, ...] = ()
        basis: tuple[Determined, ...] = tuple(Determined(name, "parameter", whole) for name in names)
        lists, bounded = Lists(identifiable=whole, basis=whole), whole
    else:
        refuse_doubtful(record)
        search = ParameterSearch(pmap, report, make_point_source(pmap, seed, memory))
        report = search.improve_upper_bound()
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
        compute_degrees_of_freedom(pmap, report, data),
        None
        if own.find_units is None
        else sharpen("units", partial(own.find_units, pmap, report.redundant, seed, bounded)),
        sharpen("the number of solutions", lambda: compute_fibre_degree(report, seed)),
        () if own.iterate_remarks is None else tuple(own.iterate_remarks(record, pmap, report)),
        None if at is None else identify_at_point(record, pmap, report, generic, trusts, at, memory),
    )


def decide_parameters(record: AnyModel, seed: int | str = 0) -> tuple[Verdict, ...]:
    """The verdicts of `identify` alone: polynomials are looked for only where drawn points leave a proof open.

    >>> from algdim.models.notation import parse
    >>> [one.identifiable for one in decide_parameters(parse("gaussian: H -> X1, X2, X3; hidden H; means off"))]
    [False, False, False, False, True, True, True]
    """
    with allow(None, None):
        seed, memory = draw_seed(seed), choose_memory_limit(None)
        report = dimension(record, seed=seed, max_memory=memory)
        pmap = report.preparation.whole_map
        whole = trust_in_all_parameters(report)
        if whole is not None:
            return tuple(Verdict(name, True, whole) for name in pmap.parameters)
        refuse_doubtful(record)
        points = make_point_source(pmap, seed, memory)
        drawn = ParameterSearch(pmap, report, points, has_polynomials=False).verdicts()
        return drawn if all(one.trust.is_proved for one in drawn) else ParameterSearch(pmap, report, points).verdicts()


def trust_in_all_parameters(report: Report) -> Trust | None:
    """Trust that every parameter is identifiable where there are as many dimensions as parameters; ``None`` where there are not."""
    count = len(report.preparation.whole_map.parameters)
    if not report.lower.is_proved or report.dimension != count:
        return None
    return trust_in_all(
        [proved_by(LEMMA, f"{format_count(count, 'dimension')}, as many as parameters"), report.lower.trust]
    )


def refuse_doubtful(record: AnyModel) -> None:
    """Raise where what a family knows of a model forbids an answer."""
    find_doubt = load_identifying(record.family).find_doubt
    doubt = "" if find_doubt is None else find_doubt(record)
    if doubt:
        raise InputError(doubt)


LEMMA = "parameters"


class ParameterSearch:
    """What is found at drawn points, and by polynomials where these are few."""

    def __init__(self, pmap: Map, report: Report, points: Points, *, has_polynomials: bool = True) -> None:
        self.pmap, self.report, self.points = pmap, report, points
        self.names = pmap.parameters
        self.tests: list[Seen] = []
        self.dimension = report.dimension
        self.pieces = choose_pieces(report.preparation)
        self.kernel = self.find_polynomial_kernel() if has_polynomials else None
        self.seen = draw_enough_points(points, self.dimension)
        self.check_rank(max(one.rank for one in self.seen), "at a drawn point")
        self.full = [one for one in self.seen if one.rank == self.dimension]
        if not self.full:
            best = max(one.rank for one in self.seen)
            raise LimitError(
                f"at {len(self.seen)} points drawn the Jacobian had rank {best}, not the dimension {self.dimension}; take another --seed"
            )

    def find_polynomial_kernel(self) -> Kernel | None:
        """The kernel of the derivative of the distribution as polynomials.

        Moments up to an order may have a larger kernel. If their rank is the proved dimension, it is the same one, as
        moments are functions of the distribution.
        """
        report = self.report
        if report.moments is not None and not report.exact:
            return None
        kernel = sharpen(
            "the kernel over the rational functions",
            lambda: compute_polynomial_kernel(self.pmap, self.pieces, self.points.task.max_memory),
        )
        if kernel is None:
            return None
        rank = len(self.names) - len(kernel.vectors)
        self.check_rank(rank, "over the rational functions")
        if rank == self.dimension:
            return (
                kernel if report.moments is None else replace(kernel, trust=trust_in_all([kernel.trust, report.trust]))
            )
        if report.moments is not None:
            return None
        raise RuntimeError(
            f"the Jacobian has rank {rank}, and the dimension is {self.dimension}: a bug in algdim, please report the model"
        )

    def check_rank(self, rank: int, where: str) -> None:
        """Refuse a dimension that is less than a rank: it was missed by chance, or a bound is wrong."""
        if rank > self.report.upper.value and self.report.upper.is_proved:
            raise RuntimeError(
                f"the Jacobian has rank {rank} {where}, and the dimension is at most {self.report.upper.value}: a bug in "
                "algdim, please report the model"
            )
        if rank > self.dimension:
            raise LimitError(
                f"the Jacobian has rank {rank} {where}; the draws of the dimension missed this and showed {self.dimension}; "
                "take another --seed"
            )

    @cached_property
    def trust_in_rank(self) -> Trust:
        """How far it is known that the dimension is not greater than the rank of the points."""
        return self.report.trust if self.kernel is None else self.kernel.trust

    def improve_upper_bound(self) -> Report:
        """The report of the dimension, with the upper bound that the polynomials prove if there was none."""
        if self.report.exact or self.kernel is None:
            return self.report
        trust = self.kernel.trust
        return replace(self.report, upper=Bound(self.dimension, UPPER, "symbolic", trust.facts, trust))

    @property
    def is_open(self) -> bool:
        """Whether nothing is known of greater dimensions, so that nothing which moves at a point is known to be lost."""
        return self.trust_in_rank.status == BOUNDED or self.trust_in_rank.says_nothing

    @property
    def place(self) -> str:
        """Where what is drawn was seen."""
        return f"rank {self.full[0].rank} of the Jacobian {self.full[0].at}"

    @cached_property
    def moves(self) -> frozenset[int]:
        """The parameters that a vector of the kernel changes: over the rational functions, or at a point of full rank."""
        if self.kernel is not None:
            return self.kernel.moved_parameters
        return frozenset(np.flatnonzero(find_moving_parameters(self.seen, self.dimension)).tolist())

    @cached_property
    def proved_identifiable(self) -> dict[int, Trust]:
        """The parameters that are proved to be identifiable."""
        if self.kernel is not None:
            facts = "no vector of the kernel of the Jacobian over the rational functions changes it"
            stays = trust_in_all([proved_by(LEMMA, facts), self.kernel.trust])
            return {place: stays for place in range(len(self.names)) if place not in self.kernel.moved_parameters}
        return {place: trust for place, trust in self.of_full_rank() if place not in self.moves}

    def of_full_rank(self) -> Iterator[tuple[int, Trust]]:
        """The parameters of models and districts that have as many dimensions as parameters: each is identifiable.

        So are all parameters of a model that has as many once hidden variables that cannot matter are removed.
        """
        place = {name: number for number, name in enumerate(self.names)}
        model, report, prepared = self.report.model, self.report, self.report.preparation
        removed, relevant = prepared.reduction.removed, prepared.relevant_map.parameters
        if report.lower.is_proved and self.dimension == len(relevant):
            facts = f"{format_count(len(relevant), 'dimension')}, as many as parameters that matter"
            matter = prove_removal(model.family, removed)
            whole = trust_in_all([proved_by(LEMMA, facts), report.lower.trust, *matter])
            yield from ((place[name], whole) for name in relevant if name in place)
        for part in report.parts:
            if part.lower.is_proved and part.dimension == part.standard:
                facts = (
                    f"the district {part.subject} has {format_count(part.standard, 'dimension')}, as many as parameters"
                )
                mine = trust_in_all([proved_by(LEMMA, facts, "districts"), part.lower.trust])
                yield from ((place[name], mine) for name in map_of(part.model, model).parameters if name in place)

    @cached_property
    def trust_in_lost(self) -> Trust:
        """Trust in what moves at points of full rank: one event, that the dimension is greater, makes all of it wrong."""
        if self.kernel is not None:
            facts = "a vector of the kernel of the Jacobian over the rational functions changes it"
            return trust_in_all([proved_by(LEMMA, facts), self.kernel.trust])
        if self.is_open:
            return BOUNDS_ONLY
        return self.resting(f"{self.place}, which is the dimension; a vector of the kernel changes it")

    def resting(self, facts: str, *further: Trust) -> Trust:
        """Trust in what these facts prove if the dimension is not greater than the rank of the points."""
        return trust_in_all([proved_by(LEMMA, facts), *further, self.trust_in_rank])

    @cached_property
    def trust_in_one_kept(self) -> Trust:
        """Trust in one parameter that moves at no point drawn, and is not proved to be identifiable."""
        error = max(LEAST, compute_rank_error(self.pmap, self.seen, self.dimension - 1))
        return probable(error) if error < 1 else BOUNDS_ONLY

    def verdicts(self) -> tuple[Verdict, ...]:
        """For every parameter whether it is identifiable."""
        found = []
        for place, name in enumerate(self.names):
            if place in self.moves:
                found.append(Verdict(name, None if self.is_open else False, self.trust_in_lost))
            elif place in self.proved_identifiable:
                found.append(Verdict(name, True, self.proved_identifiable[place]))
            else:
                found.append(Verdict(name, True if self.trust_in_one_kept.error else None, self.trust_in_one_kept))
        return tuple(found)

    def lists(self) -> Lists:
        """Trust in each list as one statement."""
        kept = [verdict for verdict in self.verdicts() if verdict.identifiable]
        drawn = [verdict for verdict in kept if not verdict.trust.is_proved]
        proofs = [verdict.trust for verdict in kept if verdict.trust.is_proved]
        return Lists(
            identifiable=trust_in_all([*proofs, *([self.trust_in_kept()] if drawn else [])]) if kept else None,
            not_identifiable=self.trust_in_lost if self.moves and not self.is_open else None,
            groups=self.trust_in_groups(),
            fixing=self.trust_in_fixing() if self.groups else None,
            basis=self.trust_in_basis() if self.basis else None,
        )

    def trust_in_groups(self) -> Trust | None:
        """Trust in all groups together."""
        trusts = [group.trust for group in self.groups]
        if not trusts:
            return None
        return trust_in_all(trusts) if all(one.is_proved for one in trusts) else self.trust_in_drawn_groups

    def trust_in_kept(self) -> Trust:
        """Trust in all parameters that move at no point drawn: any of which the points decide could have been among them."""
        of_one = self.trust_in_one_kept.error
        return BOUNDS_ONLY if of_one is None else probable(of_one * self.open_count)

    @property
    def open_count(self) -> int:
        """How many parameters there are of which the points decide."""
        return len(self.names) - len(self.loops.union(self.proved_identifiable))

    # groups

    @cached_property
    def group_places(self) -> list[tuple[int, ...]]:
        """The parameters of each group."""
        if self.kernel is not None:
            return self.kernel.groups()
        return find_connected_components(collect_kernel_components(self.seen, self.dimension))

    @cached_property
    def loops(self) -> frozenset[int]:
        """The parameters on which nothing observed depends: those that no piece has."""
        return self.pieces.loops

    @cached_property
    def trust_in_drawn_groups(self) -> Trust:
        """Trust in the groups that are only drawn, and in what is in none: that no circuit was missed at all points."""
        error = max(LEAST, (self.open_count - 1) * compute_pair_error(self.pmap, self.seen, self.dimension))
        if error >= 1 or self.is_open:
            return BOUNDS_ONLY
        return trust_in_all([probable(error), self.trust_in_rank])

    def trust_in_group(self, places: tuple[int, ...]) -> Trust:
        """Trust in a group: that these parameters, and no others, only move together."""
        if self.kernel is not None:
            facts = "it is a component of the kernel of the Jacobian over the rational functions"
            return trust_in_all([proved_by(LEMMA, facts), self.kernel.trust])
        if not self.dimension:
            return self.resting("nothing observed depends on any parameter")
        if self.loops.issuperset(places):
            facts = "no coordinate of the observed distribution contains it"
            return trust_in_all([proved_by(LEMMA, facts), *self.pieces.in_loops])
        block = next((one.places for one in self.pieces.parts if set(one.places).issuperset(places)), ())
        if set(places) != set(block) - self.proved_identifiable.keys():
            return self.trust_in_drawn_groups
        others = [self.proved_identifiable[place] for place in block if place in self.proved_identifiable]
        here = " of the district" if self.pieces.in_sum else ""
        facts = f"{self.place}, whose kernel joins them" + (
            f"; the other parameters{here} are identifiable" if others else ""
        )
        return self.resting(facts, *others, *self.pieces.in_sum, *self.pieces.in_loops)

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """The groups with their directions and sets to fix.

        None where the dimension may be greater: what moves at a point of this rank may be determined.
        """
        if self.is_open:
            return ()
        found: list[Group] = []
        for places in self.group_places:
            trust = self.trust_in_group(places)
            freedom, sets = self.sets_of(places, trust)
            names = [self.names[place] for place in places]
            fixings = tuple(tuple(names[place] for place in members) for members in sets.found)
            moved = tuple(iterate_directions(self.points, self.kernel, places, freedom))
            found.append(Group(tuple(names), freedom, moved, fixings, sets.all_listed, trust))
        return tuple(found)

    def sets_of(self, places: tuple[int, ...], trust: Trust) -> tuple[int, Sets]:
        """In how many directions a group moves, and its sets to fix.

        Without polynomials all are of one point, so that any choice of one for each group has a minor there; and whether
        there are others is only known of a group that is proved.
        """
        if self.kernel is not None:
            kernel = self.kernel
            vectors = kernel.of(places)
            listed = sharpen("sets to fix", lambda: kernel.fixings(places, self.full))
            return len(vectors), listed or Sets((find_own_columns(vectors, places),), None)
        one = self.full[0]
        rows = one.kernel.within(places)
        if len(rows) == 1 and trust.is_proved:
            # each moves at some point, and nothing else can be fixed for it
            single = tuple((place,) for place in range(len(places)))
            return 1, Sets(single[:MOST_SETS], len(single) <= MOST_SETS)
        sets = sharpen("sets to fix", lambda: find_fixing_sets(rows, one.prime))
        sets = sets or Sets((find_first_fixing_set(rows, one.prime),), None)
        return len(rows), sets if sets.all_listed is False or trust.is_proved else replace(sets, all_listed=None)

    def trust_in_fixing(self) -> Trust:
        """Trust that the sets chosen leave nothing open, which a minor proves, and that no fewer parameters do."""
        return trust_in_all([self.trust_in_chosen, self.trust_in_rank])

    @cached_property
    def trust_in_chosen(self) -> Trust:
        """Trust that fixing the first set of each group leaves nothing open: a point shows it, or else the polynomials.

        Raise unless it leaves as many dimensions as parameters.
        """
        chosen = [name for group in self.groups for name in group.fixings[0]]
        rest = [place for place, name in enumerate(self.names) if name not in chosen]
        for one in (*self.full, self.points.at(len(self.seen))):
            if len(rest) == self.dimension == one.rank_of(rest):
                facts = f"without the columns of these parameters the Jacobian has rank {len(rest)} {one.at}, as many as columns"
                return proved_by(LEMMA, facts)
        if len(rest) != self.dimension or self.kernel is None:
            raise RuntimeError(
                f"fixing {join_names(chosen)} leaves something to move: a bug in algdim, please report the model"
            )
        # a minor that vanishes at all points drawn
        facts = "the minor of the kernel over the rational functions on these parameters is not zero"
        return trust_in_all([proved_by("sets to fix", facts), self.kernel.trust])

    # what is determined

    @cached_property
    def basis(self) -> tuple[Determined, ...]:
        """Independent functions that are determined: parameters, sums and products, then coordinates."""
        names, one = self.names, self.full[0]
        verdicts = self.verdicts()
        kept = [place for place in range(len(names)) if verdicts[place].identifiable]
        found = [Determined(names[place], "parameter", verdicts[place].trust) for place in kept]
        rows = [np.eye(1, len(names), place, dtype=np.int64)[0] for place in kept]
        for combination, trust in self.combinations:
            new = combination.gradient(one.point, one.prime)
            if is_independent([*rows, new], one.prime):
                rows.append(new)
                found.append(Determined(combination.text(names), combination.kind, trust))
        missing = self.dimension - len(rows)
        if missing > 0 and self.pmap.coordinate_count * len(names) <= MOST_NUMBERS and one.draw.method == "table":
            texts = self.pmap.coordinates() if self.pmap.kept_coordinates is None else []
            order = np.vstack([*rows, np.remainder(one.matrix, one.prime).astype(np.int64)])
            numbers = select_independent_rows(order, one.prime)[len(rows) :] if texts else ()
            trust = proved_by(LEMMA, "it is a coordinate of the observed distribution")
            found.extend(Determined(texts[number - len(rows)], "coordinate", trust) for number in numbers)
        return tuple(found)

    def trust_in_basis(self) -> Trust:
        """Trust that all of these functions are determined and independent, which a point shows, and that there are no more.

        There may be more if the dimension may be greater.
        """
        one = self.full[0]
        found = [*(one.trust for one in self.basis if one.trust.is_proved), *self.errors_of_basis(), self.trust_in_rank]
        facts = f"their gradients are independent {one.at}"
        return trust_in_all([*found, proved_by("lower bound", facts)] if len(self.basis) > 1 else found)

    def errors_of_basis(self) -> Iterator[Trust]:
        """The chances that add up for the functions determined: of parameters, and of all sums and products tested."""
        if any(one.kind == "parameter" and not one.trust.is_proved for one in self.basis):
            yield self.trust_in_kept()
        yield from (trust for _, trust in self.combinations if not trust.is_proved)

    @cached_property
    def combinations(self) -> list[tuple[Combination, Trust]]:
        """Sums and products of the parameters of each group that are determined."""
        return sharpen("sums and products", lambda: list(self.determined_combinations())) or []

    def determined_combinations(self) -> Iterator[tuple[Combination, Trust]]:
        """Identities of the kernel, or functions tested at points that were not used to find them."""
        places = [group for group in self.group_places if 1 < len(group) <= MOST_PLACES]
        if not places:
            return
        searched = list(self.of_one_prime(max(map(len, places))))
        if len(searched) <= SPARE:
            return
        found = [combination for group in places for combination in find_combinations(group, searched)]
        if self.kernel is not None:
            unknowns = list(make_polynomials(len(self.names))[1])
            facts = "the kernel of the Jacobian over the rational functions does not change it"
            identity = trust_in_all([proved_by(LEMMA, facts), self.kernel.trust])
            for combination in found:
                if all(combination.is_constant_along(vector, unknowns) for vector in self.kernel.vectors):
                    yield combination, identity
            return
        for combination in found:
            error = self.error_of(combination)
            if error < 1:
                yield combination, probable(error)

    def error_of(self, combination: Combination) -> float:
        """The chance that a function which is not determined seems to be at all points of its own; 1 where one shows it."""
        degree, log_size = self.pmap.degree_and_log_size()
        own_degree, own_size = combination.size
        size = max(degree, own_degree), max(log_size, own_size)
        used: list[Seen] = []
        for number in range(MOST_DRAWS):
            used.append(self.draw_test_point(number))
            one = used[-1]
            slopes = combination.gradient(one.point, one.prime)
            if one.rank == self.dimension and one.kernel.times(slopes, one.prime).any():
                return 1.0
            error = compute_rank_error(self.pmap, used, self.dimension, size)
            if error < SURE or (error >= 1 and number):
                break
        return max(LEAST, error)

    def draw_test_point(self, number: int) -> Seen:
        """A point at which sums and products are tested, none of those where they were found."""
        while len(self.tests) <= number:
            points = self.points._replace(task=self.points.task._replace(labels=(*self.points.task.labels, "test")))
            self.tests.append(points.at(len(self.tests)))
        return self.tests[number]

    def of_one_prime(self, width: int) -> Iterator[Seen]:
        """Points modulo one prime, until more of them say nothing new of sums and products."""
        first = self.points.at(len(self.seen) + 1)
        freedom = max(1, len(self.names) - self.dimension)
        for number in range(2 + width // freedom + SPARE):
            one = first if number == 0 else self.points.at(len(self.seen) + 1 + number, first.prime)
            if one.rank == self.dimension and one.point.all():
                yield one


def is_independent(rows: Sequence[Any], prime: int) -> bool:
    """Whether rows are independent modulo a prime."""
    return len(select_independent_rows(np.array(rows), prime)) == len(rows)


def select_independent_rows(rows: Any, prime: int) -> tuple[int, ...]:
    """The first independent rows."""
    return rank_by_flint(convert_to_residues(np.asarray(rows), prime), prime).rows
