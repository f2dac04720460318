"""`algdim identify`: which parameters the observed distribution determines, which only move together, and what to fix.

A parameter is *identifiable* if at almost every point it is constant among the nearby parameters with the same observed
distribution. What is proved, and what holds but for a small chance, is in lemma "parameters" of proofs/lemmas.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from algdim.about import VERSION
from algdim.bound.bounds import PROBABLE, PROVED, round_up
from algdim.bound.chance import LEAST
from algdim.errors import LimitError, listed
from algdim.exact.arithmetic import Floats
from algdim.exact.draws import drawn_seed
from algdim.exact.polynomials import generic_kernel, polynomials
from algdim.figures import abridged, big, counted
from algdim.identifiability.combinations import MOST_PLACES, SPARE, Combination, combinations_of
from algdim.identifiability.fibres import Fibre, fibre_of
from algdim.identifiability.freedom import Freedom, freedom_of
from algdim.identifiability.given import AtPoint, at_point
from algdim.identifiability.groups import Direction, Group, components, fixings_of, supports_of
from algdim.identifiability.rowspaces import Points, Seen, enough_points, error_at, moving, points_of
from algdim.identifiability.units import Units, units_of
from algdim.jacobian import jacobian_at, symbolic_jacobian
from algdim.maps.anymap import Map, map_of
from algdim.maps.gaussian import GaussianMap
from algdim.memory import allowed_memory
from algdim.models.anymodel import AnyModel
from algdim.models.network import Network
from algdim.models.notation import to_text
from algdim.rank import SYMBOLIC_ENTRIES, SYMBOLIC_TERMS, thousandths
from algdim.report import Report, dimension, half_trek_note

if TYPE_CHECKING:
    from algdim.readers.anything import ModelLike

KERNEL_TERMS = 30_000
"""A kernel is written out in polynomials up to products of so many terms."""
KERNEL_PARAMETERS = 40
MOST_NUMBERS = 2_000_000
"""Coordinates and rounded directions are computed where the whole Jacobian has no more entries than these."""
MOST_TERMS_SHOWN = 12
"""Directions with more terms are given as numbers at a point."""
NAMES_SHOWN = 8
SETS_SHOWN = 6
FEW = 4
"""Directions and sets to fix are printed for groups with fewer directions than these; JSON has them all."""
RANK_CHECK = 1e-9


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a parameter is identifiable, and the chance that this is wrong; ``None`` if it is proved.

    ``identifiable`` is ``None`` where that is not decided.
    """

    parameter: str
    identifiable: bool | None
    error: float | None = None

    @property
    def status(self) -> str:
        """Proved or probable."""
        return PROVED if self.error is None else PROBABLE

    def to_dict(self) -> dict[str, Any]:
        """The form of the JSON output."""
        return {
            "parameter": self.parameter,
            "identifiable": self.identifiable,
            "status": self.status,
            "error": self.error,
        }


@dataclass(frozen=True, slots=True)
class Determined:
    """A function of the parameters that the observed distribution determines."""

    text: str
    kind: str
    """parameter, sum, product or coordinate"""
    error: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """The form of the JSON output."""
        return {
            "text": self.text,
            "kind": self.kind,
            "status": PROVED if self.error is None else PROBABLE,
            "error": self.error,
        }


@dataclass(frozen=True, slots=True)
class Identification:
    """Which parameters of a model the observed distribution determines.

    ``basis`` are independent functions of the parameters that are determined, as many as there are dimensions
    (fewer where these were not written out).
    """

    report: Report
    verdicts: tuple[Verdict, ...]
    groups: tuple[Group, ...]
    basis: tuple[Determined, ...]
    freedom: Freedom | None = None
    units: Units | None = None
    fibre: Fibre | None = None
    beside: tuple[str, ...] = ()
    at: AtPoint | None = None

    @property
    def identifiable(self) -> tuple[str, ...]:
        """The parameters that are identifiable."""
        return tuple(verdict.parameter for verdict in self.verdicts if verdict.identifiable)

    @property
    def lost(self) -> tuple[str, ...]:
        """The parameters that are not identifiable."""
        return tuple(verdict.parameter for verdict in self.verdicts if verdict.identifiable is False)

    @property
    def undecided(self) -> tuple[str, ...]:
        """The parameters of which it is not decided."""
        return tuple(verdict.parameter for verdict in self.verdicts if verdict.identifiable is None)

    @property
    def fixing(self) -> tuple[str, ...]:
        """A smallest set of parameters that leaves nothing to move once they are fixed."""
        return tuple(name for group in self.groups for name in group.fixings[0])

    @property
    def sentence(self) -> str:
        """One plain sentence."""
        count = len(self.verdicts)
        if self.undecided and not self.lost:
            return f"It is not decided which of {counted(count, 'parameter')} are identifiable."
        if not self.groups:
            return (
                f"Every parameter is locally identifiable: the observed distribution leaves only finitely many "
                f"possibilities for the {counted(count, 'parameter')}."
                if count
                else "There are no parameters."
            )
        of = f"{len(self.lost)} of {counted(count, 'parameter')} {'is' if len(self.lost) == 1 else 'are'} not identifiable"
        names = listed(self.lost, most=NAMES_SHOWN)
        example = listed(self.fixing, most=NAMES_SHOWN, separator=" and " if len(self.fixing) < FEW else ", ")
        then = "all others are" if len(self.fixing) < count else "nothing is left"
        return f"{of} ({self.trust(False)}): {names}; once {example} {'is' if len(self.fixing) == 1 else 'are'} fixed, {then}."

    def lines(self) -> Iterator[str]:
        """The findings, line by line."""
        report = self.report
        yield (
            f"{abridged(to_text(report.model))}   dimension {report.dimension} ({report.trust})   "
            f"standard {big(report.standard)}   redundant {report.redundant}"
        )
        yield self.sentence
        if self.groups or self.undecided:
            if self.identifiable:
                yield f"identifiable ({self.trust(True)}): {listed(self.identifiable, most=NAMES_SHOWN)}"
            if self.undecided:
                yield f"not decided: {listed(self.undecided, most=NAMES_SHOWN)}"
        for group in self.groups:
            yield from group_lines(group)
        if self.groups and self.basis:
            texts = [one.text for one in self.basis if one.kind != "parameter"]
            kept = [f"the {counted(len(self.identifiable), 'identifiable parameter')}"] if self.identifiable else []
            missing = report.dimension - len(self.basis)
            more = [f"{missing} more, not written out"] if missing else []
            yield f"determined ({report.dimension}): {'; '.join([*kept, *([listed(texts, most=NAMES_SHOWN)] if texts else []), *more])}"
        if self.units is not None:
            yield f"units: {self.units}"
        if self.fibre is not None:
            yield f"solutions: {self.fibre}"
        if self.freedom is not None:
            yield f"degrees of freedom: {self.freedom}"
        yield from self.beside
        if self.at is not None:
            yield from self.at.lines()

    def trust(self, identifiable: bool) -> str:
        """How far the verdicts of one kind can be trusted."""
        errors = [
            verdict.error
            for verdict in self.verdicts
            if verdict.identifiable is identifiable and verdict.error is not None
        ]
        return f"probable, error below {round_up(max(errors)):.0e}" if errors else PROVED

    def __str__(self) -> str:
        """The findings for people."""
        return "\n".join(self.lines())

    def to_dict(self) -> dict[str, Any]:
        """The JSON output."""
        report = self.report
        return {
            "schema": "algdim-identify-1",
            "version": VERSION,
            "model": to_text(report.model),
            "family": report.model.family,
            "standard": report.standard,
            "dimension": report.dimension,
            "exact": report.exact,
            "redundant": report.redundant,
            "sentence": self.sentence,
            "parameters": [verdict.to_dict() for verdict in self.verdicts],
            "groups": [group.to_dict() for group in self.groups],
            "basis": [one.to_dict() for one in self.basis],
            "fixing": list(self.fixing),
            "degrees_of_freedom": None if self.freedom is None else self.freedom.to_dict(),
            "units": None if self.units is None else self.units.to_dict(),
            "fibre": None if self.fibre is None else self.fibre.to_dict(),
            "beside": list(self.beside),
            "at": None if self.at is None else self.at.to_dict(),
            "seed": report.seed,
        }


def group_lines(group: Group) -> Iterator[str]:
    """A group for people."""
    if len(group.parameters) == 1:
        yield f"├─ {group.parameters[0]} moves freely: nothing observed depends on it"
        return
    yield f"├─ together, in {counted(group.freedom, 'direction')}: {listed(group.parameters, most=NAMES_SHOWN)}"
    if group.freedom < FEW:
        for direction in group.directions:
            yield f"│    {'' if direction.at is None else 'at a point: '}{direction}"
    sets = group.fixings[: SETS_SHOWN if group.freedom < FEW else 1]
    of = "one of" if group.all_listed and len(group.fixings) > 1 else "for instance"
    texts = [listed(names, most=NAMES_SHOWN, separator=" and " if group.freedom < FEW else ", ") for names in sets]
    rest = f"; … ({len(group.fixings)} in all)" if len(group.fixings) > len(sets) and group.all_listed else ""
    yield f"│    fix {group.freedom}, {of}: {'; '.join(texts)}{rest}"


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
    pmap = map_of(record)
    names = pmap.parameters
    if report.lower.is_proved and report.dimension == len(names):
        verdicts: tuple[Verdict, ...] = tuple(Verdict(name, True) for name in names)
        groups: tuple[Group, ...] = ()
        basis: tuple[Determined, ...] = tuple(Determined(name, "parameter") for name in names)
    else:
        search = Search(pmap, report, points_of(pmap, seed, memory))
        verdicts, groups, basis = search.verdicts(), search.groups(), search.basis()
    generic = [(verdict.identifiable, verdict.error) for verdict in verdicts]
    return Identification(
        report,
        verdicts,
        groups,
        basis,
        freedom_of(pmap, report, data),
        units_of(pmap, report.redundant, seed) if isinstance(pmap, GaussianMap) else None,
        fibre_of(record, pmap, report, seed),
        tuple(beside(record, pmap, report)),
        None if at is None else at_point(record, pmap, report, generic, at, memory),
    )


def beside(model: AnyModel, pmap: Map, report: Report) -> Iterator[str]:
    """What other criteria say."""
    if isinstance(pmap, GaussianMap):
        note = half_trek_note(pmap)
        if note:
            yield note
    if isinstance(model, Network) and not model.given:
        from algdim.bound.theorems import free_latent_class
        from algdim.identifiability.kinds import identifiability

        if free_latent_class(model) is not None:
            yield f"as a latent class model: {identifiability(model, seed=report.seed)}"


class Search:
    """What is found at drawn points, and by polynomials where these are few."""

    def __init__(self, pmap: Map, report: Report, points: Points) -> None:
        self.pmap, self.report, self.points = pmap, report, points
        self.dimension = report.dimension
        self.seen = enough_points(points, self.dimension)
        self.full = [one for one in self.seen if one.rank == self.dimension]
        if not self.full:
            best = max(one.rank for one in self.seen)
            raise LimitError(
                f"at {len(self.seen)} points drawn the Jacobian had rank {best}, not the dimension {self.dimension}; take another --seed"
            )
        self.kernel = self.polynomial_kernel()
        self.moves = moving(self.seen, self.dimension)

    def polynomial_kernel(self) -> list[dict[int, Any]] | None:
        """The kernel as polynomials; ``None`` where that would be too much, or the map shows not the whole distribution."""
        pmap = self.pmap
        large = (
            len(pmap.parameters) > KERNEL_PARAMETERS or pmap.coordinate_count * len(pmap.parameters) > SYMBOLIC_ENTRIES
        )
        if large or self.report.moments is not None:
            return None
        try:
            matrix = symbolic_jacobian(pmap, self.points.task.evaluator, SYMBOLIC_TERMS, self.points.task.max_memory)
            kernel = generic_kernel(matrix, KERNEL_TERMS)
        except LimitError:
            return None
        if len(pmap.parameters) - len(kernel) != self.dimension:
            raise RuntimeError(
                f"the kernel has {len(kernel)} dimensions and the rank is {self.dimension}: a bug in algdim, please report the model"
            )
        return kernel

    @property
    def error_of_moves(self) -> float | None:
        """The chance that a parameter which moves at a point of full rank is identifiable after all."""
        upper = self.report.upper
        if self.kernel is not None or (upper.is_proved and upper.value == self.dimension):
            return None
        return 1.0 if upper.error is None or upper.value != self.dimension else upper.error

    def verdicts(self) -> tuple[Verdict, ...]:
        """For every parameter whether it is identifiable."""
        stays = None if self.kernel is not None else max(LEAST, error_at(self.pmap, self.seen, self.dimension - 1))
        proved = frozenset(self.districts())
        moves = self.error_of_moves
        found = []
        for place, name in enumerate(self.pmap.parameters):
            if self.moves[place]:
                found.append(Verdict(name, None if moves is not None and moves >= 1 else False, moves))
            else:
                error = None if name in proved else stays
                found.append(Verdict(name, None if error is not None and error >= 1 else True, error))
        return tuple(found)

    def districts(self) -> Iterator[str]:
        """The parameters of districts that have as many dimensions as parameters: each is identifiable, proved."""
        known = set(self.pmap.parameters)
        for part in self.report.parts:
            if part.lower.is_proved and part.dimension == part.standard:
                yield from known.intersection(map_of(part.model, self.report.model).parameters)

    def group_places(self) -> list[tuple[int, ...]]:
        """The parameters of each group."""
        if self.kernel is not None:
            return components([tuple(vector) for vector in self.kernel])
        return components(supports_of(self.seen, self.dimension))

    def groups(self) -> tuple[Group, ...]:
        """The groups with their directions and sets to fix, checked together at a further point.

        None where the dimension may be greater: what moves at a point of this rank may be determined.
        """
        error = self.error_of_moves
        if error is not None and error >= 1:
            return ()
        one = self.full[0]
        found = []
        chosen: list[int] = []
        for places in self.group_places():
            rows = one.kernel[:, places]
            rows = rows[rows.any(axis=1)]
            sets, all_listed = fixings_of(rows, one.prime)
            chosen.extend(places[place] for place in sets[0])
            names = [self.pmap.parameters[place] for place in places]
            fixings = tuple(tuple(names[place] for place in members) for members in sets)
            found.append(
                Group(tuple(names), len(rows), tuple(self.directions(places, rows)), fixings, all_listed, error)
            )
        self.check_fixing(chosen)
        return tuple(found)

    def check_fixing(self, chosen: Sequence[int]) -> None:
        """Raise unless fixing the parameters chosen leaves as many dimensions as parameters, at a point of its own."""
        rest = [place for place in range(len(self.pmap.parameters)) if place not in set(chosen)]
        tried = [self.points.at(len(self.seen)), *self.full]
        if len(rest) != self.dimension or all(one.rank_of(rest) != len(rest) for one in tried):
            raise RuntimeError(
                f"fixing {listed(self.pmap.parameters[place] for place in chosen)} leaves something to move: a bug in algdim, "
                "please report the model"
            )

    def directions(self, places: tuple[int, ...], rows: Any) -> Iterator[Direction]:
        """How a group moves: by formulas where the kernel is known as polynomials, else by numbers at a point."""
        names = self.pmap.parameters
        mine = [vector for vector in self.kernel or () if set(vector) <= set(places)]
        if mine and all(len(value) <= MOST_TERMS_SHOWN for vector in mine for value in vector.values()):
            for vector in mine:
                yield Direction({names[place]: written(value, names) for place, value in vector.items()})
            return
        yield from self.rounded(places, len(rows))

    def rounded(self, places: tuple[int, ...], freedom: int) -> Iterator[Direction]:
        """The directions of a group as numbers at a point, if there are not too many coordinates."""
        pmap, task = self.pmap, self.points.task
        if pmap.coordinate_count * len(pmap.parameters) > MOST_NUMBERS:
            return
        point = np.array([float(value) for value in thousandths(task, 0)])
        coordinates = task.evaluator.all_coordinates(task.max_memory)
        try:
            matrix = jacobian_at(pmap, Floats(), point, coordinates, evaluator=task.evaluator)
        except (ZeroDivisionError, np.linalg.LinAlgError):
            return
        mine = matrix[:, list(places)]
        _, values, vectors = np.linalg.svd(mine, full_matrices=True)
        rank = len(places) - freedom
        if len(values) > rank and values[rank] > RANK_CHECK * values[0]:
            return
        where = {pmap.parameters[place]: float(point[place]) for place in places}
        for vector in reduced_rows(vectors[rank:]):
            moved = {pmap.parameters[place]: float(value) for place, value in zip(places, vector, strict=True) if value}
            yield Direction(moved, where)

    def basis(self) -> tuple[Determined, ...]:
        """Independent functions that are determined: parameters, sums and products, then coordinates."""
        names = self.pmap.parameters
        one = next((one for one in self.full if one.point.all()), self.full[0])
        kept = [place for place in range(len(names)) if not self.moves[place]]
        verdicts = {verdict.parameter: verdict for verdict in self.verdicts()}
        found = [Determined(names[place], "parameter", verdicts[names[place]].error) for place in kept]
        rows = [np.eye(1, len(names), place, dtype=np.int64)[0] for place in kept]
        for combination, error in self.combinations():
            new = combination.gradient(one.point, one.prime)
            if independent([*rows, new], one.prime):
                rows.append(new)
                found.append(Determined(combination.text(names), combination.kind, error))
        missing = self.dimension - len(rows)
        if missing and self.pmap.coordinate_count * len(names) <= MOST_NUMBERS and one.draw.method == "table":
            texts = self.pmap.coordinates() if self.pmap.kept is None else []
            order = np.vstack([*rows, np.remainder(one.matrix, one.prime).astype(np.int64)])
            numbers = first_independent(order, one.prime)[len(rows) :] if texts else ()
            found.extend(Determined(texts[number - len(rows)], "coordinate") for number in numbers)
        return tuple(found)

    def combinations(self) -> Iterator[tuple[Combination, float | None]]:
        """Sums and products of the parameters of each group that are determined, and the chance that they are not."""
        places = [group for group in self.group_places() if 1 < len(group) <= MOST_PLACES]
        if not places:
            return
        unknowns = [] if self.kernel is None else list(polynomials(len(self.pmap.parameters))[1])
        searched = list(self.of_one_prime(max(map(len, places))))
        for group in places if len(searched) > SPARE else ():
            for combination in combinations_of(group, searched):
                if self.kernel is not None:
                    if all(combination.is_constant_along(vector, unknowns) for vector in self.kernel):
                        yield combination, None
                    continue
                used = [one for one in self.seen if one.point.all()]
                determined = all(
                    not (one.kernel @ combination.gradient(one.point, one.prime) % one.prime).any()
                    for one in used
                    if one.rank == self.dimension
                )
                degree, log_size = self.pmap.degree_and_log_size()
                own_degree, own_size = combination.size
                size = max(degree, own_degree), max(log_size, own_size)
                error = max(LEAST, error_at(self.pmap, used, self.dimension, size))
                if determined and error < 1:
                    yield combination, error

    def of_one_prime(self, width: int) -> Iterator[Seen]:
        """Points modulo one prime, until more of them say nothing new of sums and products."""
        first = self.points.at(len(self.seen) + 1)
        freedom = max(1, len(self.pmap.parameters) - self.dimension)
        for number in range(2 + width // freedom + SPARE):
            one = first if number == 0 else self.points.at(len(self.seen) + 1 + number, first.prime)
            if one.rank == self.dimension and one.point.all():
                yield one


def independent(rows: Sequence[Any], prime: int) -> bool:
    """Whether rows are independent modulo a prime."""
    return len(first_independent(np.array(rows), prime)) == len(rows)


def first_independent(rows: Any, prime: int) -> tuple[int, ...]:
    """The first independent rows."""
    from algdim.exact.flint import rank_by_flint

    return rank_by_flint(np.ascontiguousarray(rows), prime).rows


def reduced_rows(vectors: Any) -> Any:
    """A basis of the same space in reduced form, the greatest entry of each row 1; what is nearly zero is zero."""
    rows = np.array(vectors)
    free: list[int] = []
    for number in range(len(rows)):
        rest = np.abs(rows[number])
        rest[free] = 0
        column = int(rest.argmax())
        free.append(column)
        rows[number] /= rows[number, column]
        for other in range(len(rows)):
            if other != number:
                rows[other] -= rows[other, column] * rows[number]
    rows[np.abs(rows) < RANK_CHECK] = 0
    return rows / np.abs(rows).max(axis=1, keepdims=True)


def written(polynomial: Any, names: Sequence[str]) -> str:
    """A polynomial in the parameters' names, in factors."""
    content, factors = polynomial.factor()
    pieces = [factor_text(str(factor), names) + (f"^{power}" if power > 1 else "") for factor, power in factors]
    number = str(content)
    sign = "−" if number.startswith("-") else ""
    number = number.removeprefix("-")
    return sign + "·".join([*([number] if number != "1" or not pieces else []), *pieces])


def factor_text(text: str, names: Sequence[str]) -> str:
    """A factor with the parameters' names."""
    named = re.sub(r"\bt(\d+)\b", lambda match: names[int(match[1])], text.replace("*", "·").replace(" - ", " − "))
    return f"({named})" if " " in text else named
