"""Whether one model is nested in another: proved by a map of parameters, refuted by an equation or the dimensions, or not decided."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from algdim.errors import AlgdimError
from algdim.exact.arithmetic import Residues
from algdim.exact.draws import stream
from algdim.exact.inverses import SingularError
from algdim.explanation.conditionalembeddings import TableMap, by_conditionals, by_interactions
from algdim.explanation.embedding import UNCHANGED, Embedding, by_lemma, matches, one_after_another
from algdim.explanation.mixtureembeddings import by_classes, by_mechanisms
from algdim.explanation.refuting import refuted
from algdim.explanation.renaming import renamed
from algdim.explanation.standing import drawn_thousandths
from algdim.explanation.tableembeddings import by_tables, with_tables_for_effects
from algdim.families.additive.map import AdditiveMap
from algdim.families.classifier.model import Classifier
from algdim.families.discrete.locals.classifier import Embedded
from algdim.families.discrete.map import ParamMap, param_map
from algdim.families.discrete.model import Network
from algdim.families.gaussian.embeddings import by_covariances, by_entries, by_regressions
from algdim.families.gaussian.map import GaussianMap
from algdim.families.latentprofile.map import MomentMap
from algdim.families.loglinear.map import LogLinearMap
from algdim.jacobian import Evaluator, Probed, evaluator_of, values_at
from algdim.maps.anymap import Map, map_of
from algdim.maps.functionals import Functionals
from algdim.rank import objects, usable_prime
from algdim.report import Report
from algdim.trust import Trust, known, proved_by, trust_in_all

NESTED, NOT_NESTED, UNDECIDED = "nested", "not nested", "not decided"
SAME_EQUATIONS = (
    "so both satisfy the same equations; whether there are inequalities that tell them apart, or none, is not known"
)

TRIES = 20
PROBES = 8
MOST_NUMBERS = 1 << 20
"""A map of parameters is not checked at a point where one functional needs more numbers."""
COMPARED, NOT_COMPARED = "compared at a random point", "not compared at a random point, where the map has a value"

FORWARD, BACKWARD = ("first", "second"), ("second", "first")
"""What the models are called: the one that may be nested in the other stands first."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether one model is nested in the other, what shows it, and how far it is known; of what is not decided nothing is known."""

    word: str
    reason: str
    trust: Trust | None = None
    lines: tuple[str, ...] = ()
    checked: str = ""
    """What a random point says of the map; the proof does not need it."""

    def to_dict(self) -> dict[str, Any]:
        """The form of the JSON output."""
        return {
            "verdict": self.word,
            "reason": self.reason,
            "map": list(self.lines),
            "checked": self.checked or None,
            **known(self.trust),
        }

    def __str__(self) -> str:
        """The verdict for people."""
        return f"{self.word}: {self.reason}" if self.trust is None else f"{self.word} ({self.trust}): {self.reason}"


def verdict_of(
    first: Map, second: Map, small: Report, large: Report, seed: int | str, names: tuple[str, str] = FORWARD
) -> tuple[Verdict, Embedding | None]:
    """Whether the first model is nested in the second, and the map that shows it; ``names`` are what they are called."""
    if small.lower.is_proved and large.upper.is_proved and small.lower.value > large.upper.value:
        reason = f"its dimension {small.lower.value} is greater than {large.upper.value}"
        trust = trust_in_all([small.lower.trust, large.upper.trust, proved_by("refutation", reason)])
        return Verdict(NOT_NESTED, reason, trust), None
    lines = renamed(first.model, second.model)
    if lines is not None:
        facts = "; ".join(lines) or "the models are the same up to order"
        return Verdict(NESTED, "it is the same model", proved_by("renaming", facts), lines), None
    found = embedding_of(first, second)
    checked = None if found is None else check_map(found, seed)
    if found is not None and checked is not None:
        reason, lines = "a map of parameters keeps the observed distribution", found.lines or (UNCHANGED,)
        return Verdict(NESTED, reason, found.trust.noting(checked), lines, checked), found
    refutation = refuted(first, second, seed)
    if refutation is not None:
        reason = f"the {names[1]} model implies {refutation.equation}, which fails at an exact point of the {names[0]}"
        return Verdict(NOT_NESTED, reason, refutation.trust), None
    return Verdict(
        UNDECIDED, f"no map of parameters was found, and no equation that fails; {dimensions_text(small, large)}"
    ), None


def verdict_resting_on(verdict: Verdict, allowed: Sequence[Trust]) -> Verdict:
    """A verdict about the models as they were made ready, which rests on what that was allowed by."""
    return verdict if verdict.trust is None else replace(verdict, trust=trust_in_all([verdict.trust, *allowed]))


def same_dimension(verdict: Verdict, other: Verdict, trust: Trust, names: tuple[str, str] = FORWARD) -> Verdict:
    """What the opposite verdict says of one that is not decided, if the dimensions are equal."""
    if verdict.word != UNDECIDED or other.trust is None:
        return verdict
    if other.word == NESTED:
        return replace(verdict, reason=f"{verdict.reason}, {SAME_EQUATIONS}")
    reason = f"the dimensions are equal, and the {names[1]} model is not nested in the {names[0]}"
    return Verdict(NOT_NESTED, reason, trust_in_all([trust, other.trust, proved_by("refutation", reason)]))


def dimensions_text(small: Report, large: Report) -> str:
    """The dimensions, for what is not decided."""
    if small.dimension == large.dimension:
        return f"both dimensions are {small.dimension}"
    return f"the dimensions are {small.dimension} and {large.dimension}"


def embedding_of(first: Map, second: Map) -> Embedding | None:
    """A map of the parameters of the first model to those of the second, if one of these kinds exists."""
    if isinstance(first, GaussianMap) and isinstance(second, GaussianMap):
        hidden = ([variable.name for variable in pmap.model.hidden] for pmap in (first, second))
        carried_over = (by_entries(first, second, match) for match in matches(*hidden))
        found = next((found for found in carried_over if found is not None), None)
        return found or by_regressions(first, second) or by_covariances(first, second)
    if isinstance(first, MomentMap) and isinstance(second, MomentMap):
        return by_classes(first, second)
    if isinstance(first, AdditiveMap) and isinstance(second, AdditiveMap):
        return by_mechanisms(first, second)
    if isinstance(first, TableMap) and isinstance(second, LogLinearMap):
        return by_interactions(first, second)
    if isinstance(first, TableMap) and isinstance(second, ParamMap):
        found = into_network(first, second)
        if found is None and isinstance(first, ParamMap):
            found = by_joint_distributions(first, second)
        return found or by_way_of(first, second)
    return None


def into_network(first: TableMap, second: ParamMap) -> Embedding | None:
    """A map into a network, by tables or by conditional probabilities."""
    found = by_tables(first, second) if isinstance(first, ParamMap) else None
    return found or by_conditionals(first, second)


def by_joint_distributions(first: ParamMap, second: ParamMap) -> Embedding | None:
    """The map of a classifier's network into that of another: what holds of joint distributions holds of conditional ones."""
    one, other = classifier_of(first), classifier_of(second)
    if one is None or other is None:
        return None
    by_name = {variable.name: variable for variable in other.network.variables}
    ordered = Network(tuple(by_name[variable.name] for variable in one.network.variables))
    found = into_network(param_map(one.network), param_map(ordered))
    if found is None:
        return None
    names = param_map(other.network).parameters
    line = "the joint distributions of class and inputs are nested"

    def at(point: Sequence[Fraction]) -> list[Fraction]:
        values = dict(zip(found.second.parameters, found.at(point), strict=True))
        return [values[name] for name in names]

    trust = trust_in_all([by_lemma("Markov maps", [line]), found.trust])
    return Embedding((line, *found.lines), trust, first, second, at)


def classifier_of(pmap: ParamMap) -> Classifier | None:
    """The classifier of a network in which all but its class is given."""
    model = pmap.model
    free = [variable.local for variable in model.variables if variable.name not in model.given]
    return free[0].classifier if len(free) == 1 and isinstance(free[0], Embedded) else None


def by_way_of(first: TableMap, second: ParamMap) -> Embedding | None:
    """A map by way of a network in which mechanisms of the second one are idle and their effects have tables."""
    for simpler in with_tables_for_effects(second.model):
        middle = param_map(simpler)
        begin = into_network(first, middle)
        end = None if begin is None else by_tables(middle, second)
        if begin is not None and end is not None:
            return one_after_another(begin, end)
    return None


def images(found: Embedding, seed: int | str) -> Iterator[tuple[list[Fraction], list[Fraction]]]:
    """Drawn points of the first model and what the map makes of them, where it has a value."""
    for number in range(TRIES):
        point = found.squared(drawn_thousandths(found.first, stream(seed, "compare", number)))
        try:
            yield point, found.at(point)
        except (SingularError, ZeroDivisionError, AlgdimError):
            continue


def check_map(found: Embedding, seed: int | str) -> str | None:
    """What a random point says of a map of parameters, in a sentence; ``None`` where the map has no value at any that was tried.

    Raise if the map changes the distribution there: it is proved not to.
    """
    maps = with_same_moments(found.first, found.second)
    evaluators = [evaluator_of(pmap) for pmap in maps]
    reason = why_not_compared(maps, evaluators)
    if reason:
        return None if next(images(found, seed), None) is None else f"{NOT_COMPARED}: {reason}"
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
                for pmap, point, evaluator in zip(maps, points, evaluators, strict=True)
            ]
        except (ZeroDivisionError, SingularError):
            continue
        if (seen[0] != seen[1]).any():
            raise RuntimeError(
                "a map of parameters changes the observed distribution: a bug in algdim, please report the models"
            )
        some = f"{PROBES} random combinations of the" if isinstance(evaluators[0], Probed) else "all"
        return f"{COMPARED}: {some} {maps[0].coordinates_are} agree modulo a prime"
    return None


def why_not_compared(maps: tuple[Map, Map], evaluators: Sequence[Evaluator]) -> str:
    """Why the coordinates of two maps are not compared at a point; empty where they are."""
    first, second = maps
    # tables of causes are coordinates of a sum, and these may be others
    sums = isinstance(first, AdditiveMap) and isinstance(second, AdditiveMap)
    if sums and (
        max(one.coordinate_count for one in maps) > MOST_NUMBERS or first.coordinates() != second.coordinates()
    ):
        return "the two sums have other coordinates, or these in another order"
    most = max(evaluator.numbers_per_functional for evaluator in evaluators)
    return f"one value takes {most} numbers on the way, more than {MOST_NUMBERS}" if most > MOST_NUMBERS else ""


def with_same_moments(first: Map, second: Map) -> tuple[Map, Map]:
    """The maps, of mixtures to moments up to the same order."""
    if isinstance(first, MomentMap) and isinstance(second, MomentMap):
        order = max(first.order, second.order)
        return map_of(replace(first.model, order=order)), map_of(replace(second.model, order=order))
    return first, second


def functionals(evaluator: Evaluator, prime: int, seed: int | str) -> Functionals:
    """A few random functionals, the same for both models; all coordinates where there are none."""
    if isinstance(evaluator, Probed):
        return evaluator.random_functionals(PROBES, prime, seed, "compare")
    return evaluator.all_coordinates()
