"""`algdim compare`: whether one model is nested in another, proved by a map of parameters or refuted by an equation.

A model is *nested* in another if a map of parameters takes every point to one with the same observed distribution. It is
not nested if its dimension is greater, or if an equation of the other fails at an exact point. Where neither is found it
is said that nothing is decided (lemmas "embedding" and "refutation" in proofs/lemmas.md).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from algdim.about import VERSION
from algdim.bound.flattenings import Separators, candidates
from algdim.bound.gaussiansetting import GaussianSetting, gaussian_point
from algdim.bound.setting import Setting, table_at_point
from algdim.errors import InputError, LimitError, listed
from algdim.exact.arithmetic import Residues
from algdim.exact.draws import drawn_seed, integers, stream
from algdim.exact.inverses import SingularError
from algdim.exact.ranks import rank_mod
from algdim.explanation.covarianceequations import value_and_gradient
from algdim.explanation.discreteconstraints import MOST_LISTED_CELLS, is_independence, sets_of
from algdim.explanation.embedding import Embedding, matches
from algdim.explanation.gaussianconstraints import equations_of
from algdim.explanation.gaussianembeddings import by_entries, by_regressions
from algdim.explanation.gaussiantexts import texts_of
from algdim.explanation.tableembeddings import by_conditionals, by_effects, by_tables
from algdim.figures import abridged, big
from algdim.identifiability.rowspaces import Seen, points_of
from algdim.jacobian import Evaluator, Probed, evaluator_of, values_at
from algdim.maps.anymap import Map, map_of
from algdim.maps.factors import ParamMap
from algdim.maps.functionals import Functionals
from algdim.maps.gaussian import GaussianMap
from algdim.maps.loglinear import LogLinearMap
from algdim.memory import allowed_memory
from algdim.models.anymodel import AnyModel
from algdim.models.gaussian import Gaussian
from algdim.models.network import Network
from algdim.models.notation import to_text
from algdim.models.pruning import without_irrelevant
from algdim.rank import objects, usable_prime
from algdim.report import Report, dimension

if TYPE_CHECKING:
    from algdim.readers.anything import ModelLike

NESTED, NOT_NESTED, UNDECIDED = "nested", "not nested", "not decided"
EQUAL = "equal"
SIZE = 3
"""Minors of Gaussian models have up to so many rows."""
DRAWS = 3
LARGEST = 999
TRIES = 20
PROBES = 8
MOST_NUMBERS = 1 << 20
"""A map of parameters is not checked at a point where one functional needs more numbers."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether one model is nested in the other, and what shows it."""

    word: str
    reason: str
    lines: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The form of the JSON output."""
        return {"verdict": self.word, "reason": self.reason, "map": list(self.lines)}


@dataclass(frozen=True, slots=True)
class Singular:
    """The rank of the larger model's Jacobian at images of points of the smaller, where it is less than its dimension."""

    rank: int
    dimension: int

    def __str__(self) -> str:
        """The warning."""
        return (
            f"warning: the larger model is singular where the smaller one lies: at {DRAWS} points of it, under this map of "
            f"parameters, the Jacobian has rank {self.rank}, not {self.dimension}; the likelihood-ratio statistic need not "
            "have a χ² distribution"
        )

    def to_dict(self) -> dict[str, Any]:
        """The form of the JSON output."""
        return {"rank": self.rank, "dimension": self.dimension}


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two models: the reports, and whether each is nested in the other."""

    first: Report
    second: Report
    forward: Verdict
    backward: Verdict
    singular: Singular | None = None

    @property
    def relation(self) -> str:
        """How the models are related, in words."""
        words = (self.forward.word, self.backward.word)
        if words == (NESTED, NESTED):
            return EQUAL
        if NESTED in words:
            smaller, larger = ("first", "second") if words[0] == NESTED else ("second", "first")
            return f"the {smaller} is nested in the {larger}"
        return "neither is nested in the other" if words == (NOT_NESTED, NOT_NESTED) else UNDECIDED

    @property
    def ordered(self) -> tuple[Report, Report] | None:
        """The reports of the smaller and the larger model, if one is nested in the other."""
        if self.forward.word == NESTED:
            return self.first, self.second
        return (self.second, self.first) if self.backward.word == NESTED else None

    @property
    def freedom(self) -> int | None:
        """The degrees of freedom of the likelihood-ratio test: the difference of the dimensions."""
        return None if self.ordered is None else self.ordered[1].dimension - self.ordered[0].dimension

    @property
    def counted_freedom(self) -> int | None:
        """The difference of the numbers of parameters, which other programs use."""
        return None if self.ordered is None else self.ordered[1].standard - self.ordered[0].standard

    def lines(self) -> Iterator[str]:
        """The comparison, line by line."""
        for name, report in (("first", self.first), ("second", self.second)):
            text = abridged(to_text(report.model))
            yield f"{name}: {text}   dimension {report.dimension} ({report.trust})   standard {big(report.standard)}"
        yield self.relation
        directions = (("├─", "│ ", "first in second", self.forward), ("└─", "  ", "second in first", self.backward))
        for branch, beside, name, verdict in directions:
            yield f"{branch} {name}: {verdict.word}: {verdict.reason}"
            yield from (f"{beside}   {line}" for line in verdict.lines)
        if self.freedom is not None and self.relation != EQUAL:
            both = self.first.exact and self.second.exact
            trust = "proved" if both else "as far as the dimensions are right"
            yield f"likelihood-ratio test: df = {self.freedom} ({trust}); counting parameters gives {self.counted_freedom}"
        if self.singular is not None:
            yield str(self.singular)

    def __str__(self) -> str:
        """The comparison for people."""
        return "\n".join(self.lines())

    def to_dict(self) -> dict[str, Any]:
        """The JSON output."""
        return {
            "schema": "algdim-compare-1",
            "version": VERSION,
            "models": [
                {
                    "model": to_text(report.model),
                    "standard": report.standard,
                    "dimension": report.dimension,
                    "exact": report.exact,
                }
                for report in (self.first, self.second)
            ],
            "relation": self.relation,
            "first_in_second": self.forward.to_dict(),
            "second_in_first": self.backward.to_dict(),
            "df": self.freedom,
            "df_by_counting": self.counted_freedom,
            "singular": None if self.singular is None else self.singular.to_dict(),
            "seed": self.first.seed,
        }


def compare(
    first: ModelLike, second: ModelLike, *, seed: int | str = 0, max_memory: int | str | None = None
) -> Comparison:
    """Whether one of two models of the same observed variables is nested in the other, and the df of the test.

    >>> found = compare("states A=2, B=2", "A -> B")
    >>> found.relation, found.freedom
    ('the first is nested in the second', 1)
    """
    from algdim.readers.anything import model as read_model

    memory, seed = allowed_memory(max_memory), drawn_seed(seed)
    one, other = read_model(first), read_model(second)
    same_order = aligned(one, other)
    reports = tuple(dimension(model, seed=seed, max_memory=memory) for model in (one, other))
    maps = tuple(map_of(without_irrelevant(model)[0], model) for model in (one, same_order))
    forward, map_forward = verdict_of(maps[0], maps[1], reports[0], reports[1], seed)
    backward, map_backward = verdict_of(maps[1], maps[0], reports[1], reports[0], seed)
    same = reports[0].exact and reports[1].exact and reports[0].dimension == reports[1].dimension
    if same and UNDECIDED in (forward.word, backward.word) and NOT_NESTED in (forward.word, backward.word):
        reason = "the dimensions are equal, and the other is not nested in this one"
        forward = Verdict(NOT_NESTED, reason) if forward.word == UNDECIDED else forward
        backward = Verdict(NOT_NESTED, reason) if backward.word == UNDECIDED else backward
    singular = None
    if map_forward is not None and backward.word != NESTED:
        singular = singular_part(map_forward, reports[1], seed, memory)
    elif map_backward is not None and forward.word != NESTED:
        singular = singular_part(map_backward, reports[0], seed, memory)
    return Comparison(reports[0], reports[1], forward, backward, singular)


def aligned(first: AnyModel, second: AnyModel) -> AnyModel:
    """The second model with its variables in the order of the first; raise unless the observed ones are the same."""
    if first.family != second.family:
        raise InputError(f"models of the families {first.family} and {second.family} have no coordinates in common")
    if not isinstance(first, Network | Gaussian) or not isinstance(second, Network | Gaussian):
        if map_of(first).coordinates() != map_of(second).coordinates():
            raise InputError(
                "the models have different coordinates; models of the same observed variables are compared"
            )
        return second
    sizes = [{v.name: getattr(v, "states", None) for v in model.observed} for model in (first, second)]
    if sizes[0] != sizes[1]:
        texts = [listed(f"{name} ({size})" if size else name for name, size in one.items()) for one in sizes]
        raise InputError(
            f"the first model observes {texts[0]}, the second {texts[1]}; models of the same variables are compared"
        )
    if isinstance(first, Gaussian) and isinstance(second, Gaussian) and first.means != second.means:
        with_means = "first" if first.means else "second"
        raise InputError(
            f"only the {with_means} model has means; models of the same coordinates are compared: give both means, or none (means off)"
        )
    if isinstance(first, Network) and isinstance(second, Network) and set(first.given) != set(second.given):
        raise InputError(
            f"given are {listed(first.given) or 'none'} and {listed(second.given) or 'none'}; models under the same conditions are compared"
        )
    by_name = {variable.name: variable for variable in second.variables}
    ordered = (*(by_name[name] for name in sizes[0]), *second.hidden)
    if {variable.name: variable for variable in first.variables} == by_name:
        ordered = first.variables
    return replace(second, variables=ordered)  # type: ignore[arg-type]


def verdict_of(
    first: Map, second: Map, small: Report, large: Report, seed: int | str
) -> tuple[Verdict, Embedding | None]:
    """Whether the first model is nested in the second."""
    if small.lower.is_proved and large.upper.is_proved and small.lower.value > large.upper.value:
        reason = f"its dimension {small.lower.value} is greater than {large.upper.value}"
        return Verdict(NOT_NESTED, reason), None
    if first.model == second.model:
        return Verdict(NESTED, "it is the same model"), None
    found = embedding_of(first, second)
    if found is not None and check_map(found, seed):
        return Verdict(
            NESTED, "a map of parameters keeps the observed distribution", found.lines or ("all numbers stay",)
        ), found
    refuted = failing(first, second, seed)
    if refuted:
        return Verdict(NOT_NESTED, f"the other one implies {refuted}, which fails at an exact point of this one"), None
    return Verdict(UNDECIDED, "no map of parameters was found, and no equation that fails"), None


def failing(first: Map, second: Map, seed: int | str) -> str:
    """An equation of the second model that fails at a drawn point of the first; nothing if none is found."""
    if isinstance(first, GaussianMap) and isinstance(second, GaussianMap):
        return failing_minor(first, second, seed)
    if isinstance(first, ParamMap) and isinstance(second, ParamMap):
        small = first.cells <= MOST_LISTED_CELLS and not first.given
        return failing_flattening(first, second, seed) if small else ""
    return ""


def failing_flattening(first: ParamMap, second: ParamMap, seed: int | str) -> str:
    """A conditional independence or flattening of the second model whose rank is too great on the first."""
    table = table_at_point(Setting(first.model, first, 0, seed, ("compare",)))
    names = [variable.name for variable in second.model.observed]
    for flattening in candidates(Separators(Setting(second.model, second, 0, seed, ("compare",)))):
        for state, matrix in flattening.matrices(table):
            rank = rank_mod(np.ascontiguousarray(matrix.values), table.prime).value
            if rank > matrix.rank:
                one, other, given = sets_of(flattening, names)
                sides = ",".join(one), ",".join(other)
                if is_independence(flattening):
                    return " ⊥ ".join(sides) + (f" | {','.join(given)}" if given else "")
                # the rank may be another in another state of the condition
                at = ",".join(f"{name}={value}" for name, value in zip(given, state, strict=True))
                condition = f" | {at}" if given else ""
                return f"rank P({'; '.join(sides)}{condition}) ≤ {matrix.rank} (it is {rank})"
    return ""


def failing_minor(first: GaussianMap, second: GaussianMap, seed: int | str) -> str:
    """A vanishing minor, pentad or mean of the second model that does not vanish on the first."""
    found = equations_of(second, SIZE, seed)
    at = gaussian_point(GaussianSetting(first, 0, seed), "compare")
    names = [variable.name for variable in second.model.variables]
    places = [
        first.place[name] if variable.observed else None
        for name, variable in zip(names, second.model.variables, strict=True)
    ]
    covariance = [
        [0 if i is None or j is None else int(at.covariance[i, j]) % at.prime for j in places] for i in places
    ]
    for equation in found.equations:
        if equation.kind == "zero mean":
            place = places[equation.rows[0]]
            value = 0 if place is None else int(at.mean[place]) % at.prime
        else:
            value, _ = value_and_gradient(equation, covariance, at.prime, len(names))
        if value:
            return texts_of(equation, names)[0]
    return ""


def embedding_of(first: Map, second: Map) -> Embedding | None:
    """A map of the parameters of the first model to those of the second, if one of these kinds exists."""
    if isinstance(first, GaussianMap) and isinstance(second, GaussianMap):
        carried_over = (by_entries(first, second, match) for match in matches(first.model, second.model))
        return next((found for found in carried_over if found is not None), None) or by_regressions(first, second)
    if isinstance(first, LogLinearMap) and isinstance(second, LogLinearMap):
        return by_effects(first, second)
    if isinstance(first, ParamMap) and isinstance(second, ParamMap):
        tried = (by_tables(first, second, match) for match in matches(first.model, second.model))
        return next((found for found in tried if found is not None), None) or by_conditionals(first, second)
    return None


def images(found: Embedding, seed: int | str) -> Iterator[tuple[list[Fraction], list[Fraction]]]:
    """Drawn points of the first model and what the map makes of them, where it has a value."""
    for number in range(TRIES):
        drawn = integers(stream(seed, "compare", number), 1, LARGEST, len(found.first.parameters))
        point = [Fraction(int(value), LARGEST + 1) for value in drawn]
        point = [value * value if place in found.squares else value for place, value in enumerate(point)]
        try:
            yield point, found.at(point)
        except SingularError:
            continue


def check_map(found: Embedding, seed: int | str) -> bool:
    """Whether a map of parameters has a value at some point; raise if it changes the distribution there: it is proved not to."""
    evaluators = [evaluator_of(pmap) for pmap in (found.first, found.second)]
    if any(evaluator.numbers_per_functional > MOST_NUMBERS for evaluator in evaluators):
        return next(images(found, seed), None) is not None
    prime = usable_prime(found.first, seed, "compare")
    field = Residues(prime)
    for points in images(found, seed):
        try:
            seen = [
                values_at(
                    pmap,
                    field,
                    field.elements(objects(point)),
                    functionals(evaluator, prime, seed),
                    evaluator=evaluator,
                )
                for pmap, point, evaluator in zip((found.first, found.second), points, evaluators, strict=True)
            ]
        except ZeroDivisionError:
            continue
        if (seen[0] != seen[1]).any():
            raise RuntimeError(
                "a map of parameters changes the observed distribution: a bug in algdim, please report the models"
            )
        return True
    return False


def functionals(evaluator: Evaluator, prime: int, seed: int | str) -> Functionals:
    """A few random functionals, the same for both models; all coordinates where there are none."""
    if isinstance(evaluator, Probed):
        return evaluator.random_functionals(PROBES, prime, seed, "compare")
    return evaluator.all_coordinates()


def singular_part(found: Embedding, large: Report, seed: int | str, max_memory: int) -> Singular | None:
    """The rank of the larger model's Jacobian at images of drawn points of the smaller, if it is less than its dimension."""
    points = points_of(found.second, seed, max_memory)
    seen: list[Seen] = []
    for number, (_, image) in enumerate(images(found, seed)):
        try:
            seen.append(points.given(number, image))
        except ZeroDivisionError:
            continue
        if seen[-1].rank >= large.dimension:
            return None
        if len(seen) == DRAWS:
            break
    if not seen:
        raise LimitError("the map of parameters has a value at none of the points drawn; take another --seed")
    return Singular(max(one.rank for one in seen), large.dimension)
