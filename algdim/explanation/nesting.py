"""Whether one model is nested in another: proved by a map of parameters, refuted by an equation or the dimensions, or not decided.

Both are brought to the same coordinates first, of a kind that both families have: a table, a conditional table, covariances.

Models that are the same but for names and order are recognised (lemma "renaming" in proofs/lemmas.md). Free names are those
of hidden variables, of shares, of equal entries and of formulas' parameters; no order means anything: of variables, of
parents (a function of parents is symmetric), of the states of a hidden variable between tables.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import islice, permutations
from typing import Any, ClassVar, TypeVar

from algdim.analysis import Prepared
from algdim.display.results import Compact, Plain
from algdim.errors import AlgdimError, InputError, join_names
from algdim.exact.arithmetic import Residues, SingularError
from algdim.exact.draws import open_stream
from algdim.explanation.evidence import UNCHANGED, Embedding, find_refutation
from algdim.explanation.samplepoint import draw_thousandths
from algdim.families import load_comparing, load_family, load_renaming
from algdim.families.contract import Names, Orders, Renaming
from algdim.jacobian import Evaluator, evaluate_functionals, is_probed, make_evaluator
from algdim.limits import check_time, sharpen
from algdim.maps import Functionals, Map, map_of
from algdim.models.anymodel import AnyModel, prove_removal
from algdim.rank import find_usable_prime, make_object_array
from algdim.report import Report
from algdim.trust import Trust, format_verdict, proved_by, trust_in_all

NESTED, NOT_NESTED, UNDECIDED = "nested", "not nested", "not decided"
SAME_EQUATIONS = "so both satisfy the same equations; whether inequalities distinguish them is not known"

MOST_PRINTED = 500
"""A longer equation stands in JSON only."""
TRIES = 20
PROBES = 8
MOST_NUMBERS = 1 << 20
"""A map of parameters is not checked at a point where one functional needs more numbers."""
COMPARED, NOT_COMPARED = "compared at a random point", "not compared at a random point, where the map has a value"

Item = TypeVar("Item")

FORWARD, BACKWARD = ("first", "second"), ("second", "first")
"""What the models are called: the one that may be nested in the other stands first."""


@dataclass(frozen=True, slots=True, repr=False)
class NestingVerdict(Compact, Plain):
    """Whether one model is nested in the other, what shows it, and its status; of what is not decided nothing is known."""

    _json: ClassVar[str] = "verdict=word reason map=lines checked? equation? trust"

    word: str
    reason: str
    trust: Trust | None = None
    lines: tuple[str, ...] = ()
    told: tuple[str, ...] = ()
    """What is printed below beside the map."""
    checked: str = ""
    """What a random point says of the map; the proof does not need it."""
    equation: str = ""
    """The equation that fails, written out."""

    def __str__(self) -> str:
        return format_verdict(self.word, self.trust, self.reason)


def decide_nesting(
    first: Map, second: Map, small: Report, large: Report, seed: int | str, names: tuple[str, str] = FORWARD
) -> tuple[NestingVerdict, Embedding | None]:
    """Whether the first model is nested in the second, and the map that shows it; ``names`` are what they are called."""
    if small.lower.is_proved and large.upper.is_proved and small.lower.value > large.upper.value:
        reason = f"its dimension {small.lower.value} is greater than {large.upper.value}"
        bounds = [small.lower.trust.about("this model"), large.upper.trust.about("the other one")]
        trust = trust_in_all([*bounds, proved_by("refutation", reason)])
        return NestingVerdict(NOT_NESTED, reason, trust), None
    lines = sharpen(f"the same model as the {names[1]}", partial(find_renaming, first.model, second.model))
    if lines is not None:
        facts = "; ".join(lines) or "the models are the same up to order"
        return NestingVerdict(NESTED, "it is the same model", proved_by("renaming", facts), lines), None
    found = sharpen(f"maps of parameters, {names[0]} in {names[1]}", partial(find_embedding, first, second))
    checked = None if found is None else check_map(found, seed)
    if found is not None and checked is not None:
        reason, lines = "a map of parameters keeps the observed distribution", found.lines or (UNCHANGED,)
        trust = trust_in_all([found.trust, *prove_value_exists(found, seed)])
        return NestingVerdict(NESTED, reason, trust, lines, checked=checked), found
    refutation = sharpen(f"equations of the {names[1]}", partial(find_refutation, first, second, seed))
    if refutation is not None:
        reason = f"the {names[1]} model implies {refutation.equation}, which fails at an exact point of the {names[0]}"
        lines = (refutation.whole,) if 0 < len(refutation.whole) <= MOST_PRINTED else ()
        equation = refutation.whole or refutation.equation
        return NestingVerdict(NOT_NESTED, reason, refutation.trust, told=lines, equation=equation), None
    return NestingVerdict(
        UNDECIDED, f"no map of parameters was found, and no equation that fails; {format_dimensions(small, large)}"
    ), None


def weaken_verdict(verdict: NestingVerdict, allowed: Sequence[Trust]) -> NestingVerdict:
    """A verdict about the models as they were made ready, which rests on what that was allowed by."""
    return verdict if verdict.trust is None else replace(verdict, trust=trust_in_all([verdict.trust, *allowed]))


def derive_opposite_verdict(
    verdict: NestingVerdict, other: NestingVerdict, trust: Trust, names: tuple[str, str] = FORWARD
) -> NestingVerdict:
    """What the opposite verdict says of one that is not decided, if the dimensions are equal."""
    if verdict.word != UNDECIDED or other.trust is None:
        return verdict
    if other.word == NESTED:
        return replace(verdict, reason=f"{verdict.reason}, {SAME_EQUATIONS}")
    reason = f"the dimensions are equal, and the {names[1]} model is not nested in the {names[0]}"
    return NestingVerdict(NOT_NESTED, reason, trust_in_all([trust, other.trust, proved_by("refutation", reason)]))


def format_dimensions(small: Report, large: Report) -> str:
    """The dimensions, for what is not decided."""
    if small.dimension == large.dimension:
        return f"both dimensions are {small.dimension}"
    return f"the dimensions are {small.dimension} and {large.dimension}"


def find_embedding(first: Map, second: Map) -> Embedding | None:
    """A map of the parameters of the first model to those of the second, the first that its family knows."""
    tries = (embed(first, second) for embed in load_comparing(second.model.family).embeddings)
    return next(filter(None, tries), None)


def iterate_images(found: Embedding, seed: int | str) -> Iterator[tuple[int, list[Fraction], list[Fraction]]]:
    """The numbers of drawn points, points of the first model and what the map makes of them, where it has a value."""
    for number in range(TRIES):
        point = found.square_roots(draw_thousandths(found.first, open_stream(seed, "compare", number)))
        try:
            yield number, point, found.at(point)
        except (SingularError, ZeroDivisionError, AlgdimError):
            continue


def prove_value_exists(found: Embedding, seed: int | str) -> tuple[Trust, ...]:
    """That the map has a value at an exact point, where its lemma supposes it; nothing where it does not."""
    if not found.needs_value:
        return ()
    number = next(number for number, _, _ in iterate_images(found, seed))
    source = open_stream(seed, "compare", number).text
    return (proved_by(found.trust.lemmas[0], f'what is divided by is not 0 at the point k/1000 drawn from "{source}"'),)


def check_map(found: Embedding, seed: int | str) -> str | None:
    """What a random point says of a map of parameters, in a sentence; ``None`` where the map has no value at any that was tried.

    Raise if the map changes the distribution there: it is proved not to.
    """
    bring = load_comparing(found.second.model.family).bring_together
    maps = (found.first, found.second) if bring is None else bring(found.first, found.second)
    evaluators = [make_evaluator(pmap) for pmap in maps]
    reason = explain_not_compared(maps, evaluators)
    if reason:
        return None if next(iterate_images(found, seed), None) is None else f"{NOT_COMPARED}: {reason}"
    prime = find_usable_prime(found.first, seed, "compare")
    field = Residues(prime)
    for _, *points in iterate_images(found, seed):
        try:
            seen = [
                evaluate_functionals(
                    pmap,
                    field,
                    field.elements(make_object_array(point)),
                    draw_functionals(evaluator, prime, seed),
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
        some = f"{PROBES} random combinations of the" if is_probed(evaluators[0]) else "all"
        return f"{COMPARED}: {some} {maps[0].coordinates_are} agree modulo a prime"
    return None


def explain_not_compared(maps: tuple[Map, Map], evaluators: Sequence[Evaluator]) -> str:
    """Why the coordinates of two maps are not compared at a point; empty where they are."""
    compared = load_comparing(maps[1].model.family).explain_other_coordinates
    reason = "" if compared is None else compared(*maps)
    if reason:
        return reason
    most = max(evaluator.numbers_per_functional for evaluator in evaluators)
    return f"one value takes {most} numbers on the way, more than {MOST_NUMBERS}" if most > MOST_NUMBERS else ""


def draw_functionals(evaluator: Evaluator, prime: int, seed: int | str) -> Functionals:
    """A few random functionals, the same for both models; all coordinates where there are none."""
    if is_probed(evaluator):
        return evaluator.random_functionals(PROBES, prime, seed, "compare")
    return evaluator.all_coordinates()


MOST_TRIED = 5000
"""This many ways to name hidden variables, and to order their states, are tried at most."""
MOST_COLOURED = 3000
"""In larger models hidden variables keep their names."""


def find_renaming(first: AnyModel, second: AnyModel) -> tuple[str, ...] | None:
    """How names and states of the first model's hidden variables have to be changed to give the second; ``None`` if none will do.

    >>> from algdim.models.notation import parse
    >>> find_renaming(parse("2:2,2"), parse("G -> X2, X1; hidden G"))
    ('G stands for H',)
    >>> find_renaming(parse("2:2,2"), parse("G -> X2, X1; hidden G; states G=3"))
    """
    if first == second:
        return ()
    own, other = (load_renaming(model.family) for model in (first, second))
    if own is not other:
        return None
    if own.is_same is not None:
        return () if own.is_same(first, second) else None
    mine, theirs = (list(iterate_hidden_names(model)) for model in (first, second))
    target = own.normalise(second, {name: name for name in theirs}, {})
    for names, orders in islice(iterate_namings(own, first, second, mine, theirs), MOST_TRIED):
        check_time()
        if own.normalise(first, names, orders) == target:
            return tuple(
                [f"{new} stands for {old}" for old, new in names.items() if old != new]
                + [f"the states of {names[name]} are numbered otherwise" for name in orders]
            )
    return None


def iterate_hidden_names(model: Any) -> Iterator[str]:
    """The names of hidden variables."""
    return (getattr(variable, "name", variable) for variable in model.hidden)


def iterate_namings(
    family: Renaming, first: Any, second: Any, mine: Sequence[str], theirs: Sequence[str]
) -> Iterator[tuple[Names, Orders]]:
    """The ways to name the hidden variables of the first model as those of the second that look alike, and order states."""
    if len(mine) != len(theirs):
        return
    if len(getattr(first, "variables", ())) > MOST_COLOURED:
        classes = [([name], [name]) for name in mine]
    else:
        colours = compute_colours(family, first, second)
        classes = []
        for colour in dict.fromkeys(colours[0][name] for name in mine):
            alike, others = (
                [name for name in names if known[name] == colour]
                for names, known in zip((mine, theirs), colours, strict=True)
            )
            classes.append((alike, others))
        if any(len(one) != len(other) for one, other in classes):
            return
    for chosen in iterate_orders_of_all([other for _, other in classes]):
        names = {
            old: new for (one, _), news in zip(classes, chosen, strict=True) for old, new in zip(one, news, strict=True)
        }
        for orders in iterate_state_orders(family.count_reordered(first)):
            yield names, orders


def iterate_state_orders(counts: Mapping[str, int]) -> Iterator[Orders]:
    """All orders of the states of some variables; as they are first.

    >>> [dict(orders) for orders in iterate_state_orders({"H": 2})]
    [{}, {'H': (1, 0)}]
    """
    for chosen in iterate_orders_of_all([range(count) for count in counts.values()]):
        yield {name: order for name, order in zip(counts, chosen, strict=True) if list(order) != sorted(order)}


def iterate_orders_of_all(classes: Sequence[Sequence[Item]]) -> Iterator[tuple[Sequence[Item], ...]]:
    """All orders of all classes, those of the last one changing first; none is kept, of a hundred things there are too many.

    >>> [" ".join(map("".join, chosen)) for chosen in iterate_orders_of_all([["A", "B"], ["C"], ["D", "E"]])]
    ['AB C DE', 'AB C ED', 'BA C DE', 'BA C ED']
    """
    several = [place for place, names in enumerate(classes) if len(names) > 1]
    chosen: list[Sequence[Item]] = list(classes)
    orders = [permutations(classes[place]) for place in several]
    for place, first in zip(several, orders, strict=True):
        chosen[place] = next(first)
    while True:
        yield tuple(chosen)
        for number in reversed(range(len(several))):
            following = next(orders[number], None)
            if following is not None:
                chosen[several[number]] = following
                break
            orders[number] = permutations(classes[several[number]])
            chosen[several[number]] = next(orders[number])
        else:
            return


def compute_colours(family: Renaming, *models: Any) -> list[dict[str, int]]:
    """A colour for each variable of each model such that variables that stand for each other have the same one."""
    links = [list(family.iterate_links(model)) for model in models]
    colours = [dict(family.iterate_looks(model)) for model in models]
    count = 0
    while True:
        numbers: dict[Any, int] = {}
        around: list[dict[str, list[Any]]] = [defaultdict(list) for _ in models]
        for near, edges, given in zip(around, links, colours, strict=True):
            for label, one, other in edges:
                near[one].append((label, 0, given[other]))
                near[other].append((label, 1, given[one]))
        colours = [
            {
                name: numbers.setdefault((colour, tuple(sorted(near[name], key=repr))), len(numbers))
                for name, colour in given.items()
            }
            for near, given in zip(around, colours, strict=True)
        ]
        # nothing new, or all are told apart
        if len(numbers) in (count, max(map(len, colours))):
            return colours
        count = len(numbers)


def match_coordinates(first: AnyModel, second: AnyModel) -> tuple[AnyModel, AnyModel]:
    """The two models with the same coordinates in the same order; raise if they have different ones.

    >>> from algdim.models.notation import parse
    >>> one, other = match_coordinates(parse("A -> B"), parse("loglinear: {B,A}"))
    >>> [[variable.name for variable in model.variables] for model in (one, other)]
    [['A', 'B'], ['A', 'B']]
    """
    mine, theirs = load_comparing(first.family), load_comparing(second.family)
    kinds, others = mine.list_coordinates(first), theirs.list_coordinates(second)
    kind = next((one for one in kinds if one in others), None)
    if kind is None:
        further = [*(mine.further.get(one) for one in others), *(theirs.further.get(one) for one in kinds)]
        sentences = [
            f"models of the families {first.family} and {second.family} have no coordinates in common",
            *filter(None, further),
        ]
        raise InputError("; ".join(sentences))
    one, other = mine.bring(first, kind), theirs.bring(second, kind)
    check_variables(one, other)
    for family in dict.fromkeys((one.family, other.family)):
        check = load_comparing(family).check
        if check is not None:
            check(one, other)
    return one, load_comparing(other.family).order(other, list(load_comparing(one.family).collect_observed(one)))


def check_variables(first: AnyModel, second: AnyModel) -> None:
    """Raise unless the models observe the same variables with the same states."""
    sizes = [load_comparing(model.family).collect_observed(model) for model in (first, second)]
    if sizes[0] != sizes[1]:
        texts = [join_names(f"{name} ({size})" if size else name for name, size in one.items()) for one in sizes]
        raise InputError(load_comparing(first.family).differ.format(*texts))


def map_to_compare(prepared: Prepared, *, as_larger: bool) -> tuple[Map, Trust | None]:
    """The map without hidden variables that cannot matter, with tables in the place of locals as good; and why that is allowed.

    What is removed may keep the rest from some values. Without it a model has more distributions, which does no harm to the
    smaller one of two; the larger one keeps such variables.
    """
    model, reduction, pmap = prepared.model, prepared.reduction, prepared.pmap
    keeps, simplify = load_comparing(model.family).keeps_irrelevant, load_family(model.family).simplify
    removed, note = reduction.removed, reduction.simplified
    if keeps is not None and keeps(model, removed, as_larger):
        smaller, note = (model, None) if simplify is None else simplify(model)
        removed, pmap = (), map_of(smaller, model)
    trusts = (*prove_removal(model.family, removed), *([] if note is None or note.trust is None else [note.trust]))
    return pmap, trust_in_all(trusts) if trusts else None
