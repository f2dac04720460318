"""The referee of the answers: random small models, and everything that is said of them compared with computations of its own.

    python -m hunting.answers --count 20000 --seed 1      from the folder of the project, with tests/ on the path
    python -m hunting.answers --kind compare --seed 1 --number 17      one case again

Counted are single answers: the verdict of a parameter, a set to fix, an equation, a number. An answer is false if it is
called proved, or probable with a small error, and members of the model refute it. Where constants were chosen against the
seed, chance may fail, as the lemma says, and only what is called proved counts. The exit code is 1 if an answer is false.
"""

from __future__ import annotations

import argparse
import json
import random
import shlex
import signal
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain, count
from time import perf_counter
from types import FrameType
from typing import Any

import numpy as np

import algdim
from algdim.errors import AlgdimError, InputError
from algdim.families.discrete.model import Network
from algdim.maps import map_of
from algdim.models.notation import to_text
from hunting.against_seed import adversary
from hunting.answer_models import drawn_model, small_one
from hunting.answer_pairs import drawn_pair
from hunting.answer_points import special_point
from hunting.answering import PROBABLE, PROVED, UNDECIDED, Answer, judged, unread
from hunting.answers_beside import judge_bounds, judge_dimension, judge_explain, judge_score
from hunting.answers_compare import judge_compare
from hunting.answers_constraints import judge_constraints
from hunting.answers_identify import Truth, judge_at, judge_identify, truth_of
from hunting.answers_solutions import MOST_PARAMETERS, judge_solutions
from hunting.members import UnknownError

SECONDS_FOR_ONE = 20
LONGEST = 600
"""Letters of a model or a complaint that are printed."""

ROWS = 25
SHOWN = 5
"""False answers of one kind that are printed."""


WITHOUT = frozenset({"no traceback", "no warning", "no identity"})
"""What is looked at beside each answer; it is not counted as one, but false if it is not so."""


NOT_UNDERSTOOD = "not understood"


class TooSlowError(Exception):
    """One case took too long."""


@dataclass(frozen=True)
class Case:
    """What was asked, how a user would ask it, and the judged answers."""

    command: str
    answers: list[Answer]
    proved_only: bool = False


@dataclass
class Count:
    """The answers so far: by kind and status, and the false ones."""

    cases: Counter[str] = field(default_factory=Counter)
    known: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    without: Counter[str] = field(default_factory=Counter)
    unread: Counter[str] = field(default_factory=Counter)
    against_chance: int = 0
    false: list[str] = field(default_factory=list)

    @property
    def total(self) -> int:
        """How many answers were judged."""
        return sum(self.known.values())

    def add(self, kind: str, case: Case, again: str) -> None:
        """Count the answers of a case, and print the false ones."""
        self.cases[kind] += 1
        for answer in case.answers:
            if answer.right is None:
                self.unread[f"{kind}: {answer.kind}"] += 1
                continue
            if answer.kind in WITHOUT:
                self.without[answer.kind] += 1
            else:
                self.known[kind, answer.kind, answer.status] += 1
            if answer.is_false(proved_only=case.proved_only):
                self.false.append(f"{kind}: {answer.kind}")
                if self.false.count(self.false[-1]) <= SHOWN:
                    print(
                        f"FALSE ({answer.status}) {answer.kind}: {brief(answer.text)}\n  {brief(case.command)}\n  again: {again}",
                        flush=True,
                    )
            elif answer.is_false(proved_only=False):
                self.against_chance += 1


def brief(text: str) -> str:
    """A text that is not too long to be read."""
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}… ({len(text)} letters)"


def asked(
    command: str, ask: Callable[[], Any], judge: Callable[[Any], Iterator[Answer]], *, proved_only: bool = False
) -> Case:
    """Ask, and judge what is said; an exception that is none of the program's own is an answer, and false."""
    try:
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            said = ask()
    except AlgdimError as error:
        return Case(command, [unread("refused", str(error))], proved_only)
    except TooSlowError:
        raise
    except Exception as error:
        return Case(command, [judged("no traceback", PROVED, False, f"{type(error).__name__}: {error}")], proved_only)
    try:
        silent = judged(
            "no warning", PROVED, not warned, "; ".join(f"{one.category.__name__}: {one.message}" for one in warned[:1])
        )
        return Case(command, [judged("no traceback", PROVED, True, ""), silent, *judge(said)], proved_only)
    except UnknownError as error:
        return Case(command, [unread("unknown to the referee", str(error))], proved_only)
    except (KeyError, TypeError, IndexError, AttributeError) as error:
        # the JSON has another form than the referee knows; the tests look that this does not happen
        return Case(command, [unread(NOT_UNDERSTOOD, f"{type(error).__name__}: {error}")], proved_only)


def truth(model: Any, source: random.Random) -> Truth:
    """The members of a model, its parameters named as algdim names them."""
    return truth_of(model, map_of(model).parameters, source)


def text_of(model: Any) -> str:
    """A model on the command line."""
    return shlex.quote(to_text(model))


def about_parameters(seed: str, number: int, source: random.Random) -> Case:
    """`identify`, of models of all families."""
    _, model = drawn_model(f"identify {seed}", number)
    known = truth(model, source)
    return asked(
        f"algdim identify {text_of(model)} --seed {number}",
        lambda: algdim.identify(model, seed=number).to_dict(),
        lambda said: chain(judge_identify(said, known, source), judge_solutions(said, known, source)),
    )


def about_a_point(seed: str, number: int, source: random.Random) -> Case:
    """`identify --at`, at points that may be special."""
    kind = source.choice(["monomials", "paths", "polynomial", "factors", "gaussian", "free", "latent class", "tree"])
    model = small_one(kind, f"at {seed}", number)
    known = truth(model, source)
    point, given = special_point(model, known.names, source)

    def judge(said: Mapping[str, Any]) -> Iterator[Answer]:
        yield from judge_at(said, known, point, source)

    command = f"algdim identify {text_of(model)} --seed {number} --at FILE   with {json.dumps(given)}"
    return asked(command, lambda: algdim.identify(model, at=given, seed=number).to_dict(), judge)


def about_solutions(seed: str, number: int, source: random.Random) -> Case:
    """`identify` of very small maps in which everything is identifiable: how many solutions there are."""
    for attempt in range(MOST_ATTEMPTS):
        kind = source.choice(["monomials", "monomials", "polynomial", "paths", "factors"])
        model = small_one(kind, f"solutions {seed} {attempt}", number)
        known = truth(model, source)
        if not known.nullity and 0 < len(known.names) <= MOST_PARAMETERS:
            break
    return asked(
        f"algdim identify {text_of(model)} --seed {number}",
        lambda: algdim.identify(model, seed=number).to_dict(),
        lambda said: judge_solutions(said, known, source),
    )


EQUATIONS = (*(5 * ["confounded"]), "factors", "factors", "paths", "mixed", "mechanisms", "gaussian", "tree")


def about_equations(seed: str, number: int, source: random.Random) -> Case:
    """`constraints`, of networks with hidden causes and of Gaussian models."""
    kind = source.choice(EQUATIONS)
    model = small_one(kind, f"constraints {seed}", number)
    if isinstance(model, Network) and model.given:
        model = Network(model.variables)
    known = truth(model, source)
    return asked(
        f"algdim constraints {text_of(model)} --seed {number} --all",
        lambda: algdim.constraints(model, seed=number).to_dict(),
        lambda said: judge_constraints(said, known, source),
    )


def about_pairs(seed: str, number: int, source: random.Random) -> Case:
    """`compare`."""
    pair = drawn_pair(f"compare {seed}", number)
    truths = truth(pair.first, source), truth(pair.second, source)
    return asked(
        f"algdim compare {text_of(pair.first)} {text_of(pair.second)} --seed {number}",
        lambda: algdim.compare(pair.first, pair.second, seed=number),
        lambda found: judge_compare(found.to_dict(), str(found), pair, truths, source),
    )


def about_constants(seed: str, number: int, source: random.Random) -> Case:
    """`identify` and `dim` where constants were chosen against the seed."""
    model = adversary(seed, number, number)
    known = truth(model, source)
    return asked(
        f"algdim identify {text_of(model)} --seed {number}",
        lambda: (algdim.identify(model, seed=number).to_dict(), algdim.dimension(model, seed=number).to_dict()),
        lambda said: chain(judge_identify(said[0], known, source), judge_dimension(said[1], known)),
        proved_only=True,
    )


def about_explanations(seed: str, number: int, source: random.Random) -> Case:
    """`explain`."""
    _, model = drawn_model(f"explain {seed}", number)
    known = truth(model, source)
    return asked(
        f"algdim explain {text_of(model)} --seed {number}",
        lambda: algdim.explain(model, seed=number).to_dict(),
        lambda said: judge_explain(said, known, source),
    )


def about_bounds(seed: str, number: int, source: random.Random) -> Case:
    """`bounds` of latent class models."""
    model = small_one("latent class", f"bounds {seed}", number)
    known = truth(model, source)
    return asked(
        f"algdim bounds {text_of(model)} --seed {number}",
        lambda: algdim.bounds(model, seed=number).to_dict(),
        lambda said: judge_bounds(said, known),
    )


def about_scores(seed: str, number: int, source: random.Random) -> Case:
    """The dimension that `score` takes, on a few random rows."""
    model = small_one(source.choice(["latent class", "mechanisms", "free"]), f"score {seed}", number)
    if isinstance(model, Network) and model.given:
        model = Network(model.variables)
    known = truth(model, source)
    cells = [cell for cell in np.ndindex(known.members[0].table.shape) if known.members[0].table[cell]]
    rows = [source.choice(cells) for _ in range(ROWS)]
    data = {v.name: [row[place] for row in rows] for place, v in enumerate(model.observed)}
    return asked(
        f"algdim score DATA {text_of(model)} --score bic --seed {number}",
        lambda: algdim.score(data, model, score="bic", starts=1, seed=number).to_dict(),
        lambda said: judge_score(said, known),
    )


KINDS: Mapping[str, Callable[[str, int, random.Random], Case]] = {
    "identify": about_parameters,
    "at": about_a_point,
    "constraints": about_equations,
    "compare": about_pairs,
    "against": about_constants,
    "explain": about_explanations,
    "bounds": about_bounds,
    "solutions": about_solutions,
    "score": about_scores,
}
TURNS = ("identify", "constraints", "compare", "against", "identify", "constraints", "compare", "at", "identify", "explain",
         "constraints", "compare", "bounds", "identify", "constraints", "against", "solutions")  # fmt: skip
MOST_ATTEMPTS = 40
RARE = 64
"""One case in this many is a score: it takes longest."""


def kind_of(number: int) -> str:
    """What is asked in the case of a number."""
    return "score" if number % RARE == RARE - 1 else TURNS[number % len(TURNS)]


def case_of(kind: str, seed: str, number: int) -> Case:
    """Ask and judge one case."""
    try:
        return KINDS[kind](seed, number, random.Random(f"referee/{kind}/{seed}/{number}"))
    except UnknownError as error:
        return Case("", [unread("unknown to the referee", str(error))])
    except InputError as error:
        return Case("", [unread("refused", str(error))])


def on_alarm(signum: int, frame: FrameType | None) -> None:
    """Give one case up."""
    del signum, frame
    raise TooSlowError


def hunt(most: int, seconds: float, seed: str, kinds: tuple[str, ...], first: int) -> Count:
    """Judge cases until there are this many answers, or the time is over."""
    signal.signal(signal.SIGPROF, on_alarm)
    began, found = perf_counter(), Count()
    for number in count(first):
        if found.total >= most or perf_counter() - began >= seconds:
            break
        kind = kind_of(number) if not kinds else kinds[number % len(kinds)]
        again = f"python -m hunting.answers --kind {kind} --seed {shlex.quote(seed)} --number {number}"
        signal.setitimer(signal.ITIMER_PROF, SECONDS_FOR_ONE)
        try:
            case = case_of(kind, seed, number)
        except TooSlowError:
            print(f"  given up after {SECONDS_FOR_ONE} s: {again}", flush=True)
            continue
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        found.add(kind, case, again)
    print(summary(found, perf_counter() - began, seed))
    return found


def summary(found: Count, seconds: float, seed: str) -> str:
    """The counts, by what was asked and kind of answer."""
    lines = [f"{found.total} answers in {found.cases.total()} cases, {seconds:.0f} s (seed {seed})"]
    lines.append(f"  {'asked':<12}{'kind of answer':<32}{'proved':>8}{'probable':>10}{'undecided':>11}")
    rows = dict.fromkeys((kind, answer) for kind, answer, _ in sorted(found.known))
    for kind, answer in rows:
        numbers = [found.known[kind, answer, status] for status in (PROVED, PROBABLE, UNDECIDED)]
        lines.append(f"  {kind:<12}{answer:<32}{numbers[0]:>8}{numbers[1]:>10}{numbers[2]:>11}")
    totals = [sum(n for (_, _, s), n in found.known.items() if s == status) for status in (PROVED, PROBABLE, UNDECIDED)]
    lines.append(f"  {'all':<44}{totals[0]:>8}{totals[1]:>10}{totals[2]:>11}")
    lines.append("  besides: " + ", ".join(f"{kind} in {times}" for kind, times in sorted(found.without.items())))
    if found.unread:
        lines.append("  not judged: " + ", ".join(f"{kind} {times}" for kind, times in sorted(found.unread.items())))
    if found.against_chance:
        lines.append(f"  called probable and false, by constants against the seed: {found.against_chance}")
    kinds = ", ".join(f"{kind} {times}" for kind, times in sorted(Counter(found.false).items()))
    lines.append(f"  false: {len(found.false)}{f' ({kinds})' if kinds else ''}")
    return "\n".join(lines)


def main() -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Judge the answers of the program on random small models.")
    parser.add_argument("--count", type=int, default=10**9, help="this many answers")
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", default="0")
    parser.add_argument("--kind", action="append", choices=list(KINDS), help="these questions only")
    parser.add_argument("--number", type=int, help="one case only")
    parser.add_argument("--first", type=int, default=0, help="the number of the first case")
    given = parser.parse_args()
    if given.number is not None:
        kind = given.kind[0] if given.kind else kind_of(given.number)
        case = case_of(kind, given.seed, given.number)
        print(case.command)
        for answer in case.answers:
            print(
                f"  {answer.kind} ({answer.status}): {'not judged: ' + answer.text if answer.right is None else 'right' if answer.right else 'FALSE: ' + answer.text}"
            )
        return int(any(answer.is_false(proved_only=case.proved_only) for answer in case.answers))
    return int(bool(hunt(given.count, given.seconds, given.seed, tuple(given.kind or ()), given.first).false))


if __name__ == "__main__":
    sys.exit(main())
