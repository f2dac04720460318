"""Look for wrong numbers: random small models of all families, each examined in every way there is.

    python -m hunting.hunt --seconds 60 --seed 0          from the folder of the project, with tests/ on the path
    python -m hunting.hunt --model '3:2,2,2,2'            examine one model

What is found is made smaller and printed with the line that shows it again. The exit code is 1 if anything was found.
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from time import perf_counter
from types import FrameType
from typing import Any, NamedTuple

import algdim
from algdim.bound.strategy import KNOWN
from algdim.certificate.exporting import NotProvedError
from algdim.errors import AlgdimError, InputError, LimitError
from algdim.maps import map_of
from algdim.models.anymodel import convert_model_to_dictionary, read_model_dictionary
from algdim.models.notation import parse, to_text
from algdim.report import Report
from hunting import oracle
from hunting.random_models import model_of
from hunting.variations import padded, permuted, relabelled, smaller, with_other_states

CHEAP = "counting,ambient,chance"
FORMS = (
    ("table", CHEAP),
    ("probes", CHEAP),
    ("products", CHEAP),
    ("auto", f"{CHEAP},districts"),
    ("auto", f"{CHEAP},trees"),
    ("auto", f"{CHEAP},trees,districts"),
    ("rational", "counting,ambient"),
    ("rowreduce", "counting,ambient"),
)
"""Methods and bounds that all give the same lower bound; symbolic stands by itself because of its limits."""

SYMBOLIC_TERMS = 150
SECONDS_FOR_ONE = 20
"""Of the processor's time."""
RETRIES = 3
"""Other seeds that are tried where a lower bound is too low: one unlucky point is no mistake, many are."""

UNUSED = frozenset({"ambient", "chance"})


class Found(NamedTuple):
    """A kind of complaint and what exactly was seen."""

    kind: str
    text: str


class TooSlow(Exception):  # noqa: N818 (no error of the program)
    """One model took too long."""


def expected_of(model: Any, seed: int) -> int:
    """The dimension by brute force, or where there is none by two points over the rationals."""
    known = oracle.dimension(model)
    if known is not None:
        return known
    return max(
        algdim.dimension(model, method="rational", bounds="counting,ambient", seed=seed + k).dimension for k in (1, 2)
    )


def complaints(model: Any, seed: int = 0) -> Iterator[Found]:
    """Everything that is wrong with what is said of a model."""
    expected = expected_of(model, seed)
    draw = random.Random(f"examine/{seed}")
    yield from wrong("auto", algdim.dimension(model, seed=seed), expected)
    for number, (method, bounds) in enumerate(FORMS):
        what = f"{method} with {bounds}"
        yield from wrong(what, algdim.dimension(model, method=method, bounds=bounds, seed=seed + number), expected)
    pmap = map_of(model)
    if pmap.coordinate_count * len(pmap.parameters) <= SYMBOLIC_TERMS:
        with suppress(LimitError):  # polynomials may grow beyond the limit
            yield from wrong("symbolic", algdim.dimension(model, method="symbolic", seed=seed), expected)
    names = [name for name in KNOWN if name not in UNUSED]
    for name in draw.sample(names, 4):
        bounds = f"{name},counting,ambient{draw.choice(['', ',districts'])}"
        yield from wrong(
            f"bounds {bounds}", algdim.dimension(model, bounds=bounds, seed=seed + 9), expected, loose=True
        )
    yield from other_forms(model, expected, seed, draw)
    yield from certified(model, expected, seed)


def other_forms(model: Any, expected: int, seed: int, draw: random.Random) -> Iterator[Found]:
    """What is wrong with the model read back, with other names and orders, and with padding."""
    document = json.loads(json.dumps(convert_model_to_dictionary(model)))
    for what, again in (("file", read_model_dictionary(document)), ("text", parse(to_text(model)))):
        if again != model:
            yield Found(f"{what} round trip", to_text(model))
    changed = [
        ("relabelled", relabelled(document, draw), 0),
        ("permuted", permuted(document, draw), 0),
        ("states permuted", with_other_states(document, draw), 0),
        ("padded", *(padded(document, draw) or (None, 0))),
    ]
    for what, other, more in changed:
        if other is None:
            continue
        try:
            varied = read_model_dictionary(other)
        except InputError as error:
            yield Found(f"{what}: refused", f"{error}: {json.dumps(other)}")
            continue
        yield from wrong(what, algdim.dimension(varied, seed=seed + 20), expected + more)


def wrong(what: str, report: Report, expected: int, *, loose: bool = False) -> Iterator[Found]:
    """What a report says that is not so; ``loose``: the upper bound alone is looked at, and the lower may be less."""
    shown = f"{what}: {report.dimension} ≤ {report.upper.value} ({report.upper.kind}) where {expected} is true, {to_text(report.model)}"
    if report.lower.value > expected:
        yield Found(f"{what}: lower above", shown)
    if report.upper.is_proved and report.upper.value < expected:
        yield Found(f"{what}: upper below", shown)
    if report.exact and report.dimension != expected:
        yield Found(f"{what}: exact is false", shown)
    if report.lower.value < expected and not loose and always_less(report, expected):
        yield Found(f"{what}: lower below", shown)


def always_less(report: Report, expected: int) -> bool:
    """Whether other seeds have too low a rank too."""
    method = report.method if report.method in {"table", "probes", "rational", "symbolic"} else "auto"
    seeds = (int(report.seed) + 1000 + k for k in range(RETRIES))
    found = [algdim.dimension(report.model, method=method, seed=seed).dimension for seed in seeds]
    print(f"  a low rank: {report.dimension}, then {found}, of {expected}: {to_text(report.model)}", flush=True)
    return max(found) < expected


def certified(model: Any, expected: int, seed: int) -> Iterator[Found]:
    """What is wrong with the certificate, if there is one."""
    try:
        certificate = algdim.prove(model, seed=seed)
    except (NotProvedError, LimitError):
        return
    if certificate.dimension != expected:
        yield Found("certificate: dimension", f"{certificate.dimension} where {expected} is true: {to_text(model)}")
    if not algdim.verify(certificate.text.encode()).accepted:
        yield Found("certificate: refused", to_text(model))
    for change in (-1, 1):
        data = json.loads(certificate.text)
        data["claim"]["dimension"] += change
        if algdim.verify(json.dumps(data).encode()).accepted:
            yield Found("certificate: a wrong claim is accepted", to_text(model))


def found_in(model: Any, seed: int) -> list[Found]:
    """All complaints; an exception that is none of ours is one too."""
    try:
        return list(complaints(model, seed))
    except TooSlow:
        raise
    except LimitError:
        return []
    except Exception as error:
        return [
            Found(
                type(error).__name__,
                f"{type(error).__name__}: {error}: {json.dumps(convert_model_to_dictionary(model))}",
            )
        ]


def minimised(model: Any, kind: str, seed: int, seconds: float = 120) -> Any:
    """A smaller model that has a complaint of the same kind."""
    end = perf_counter() + seconds
    document, again = json.loads(json.dumps(convert_model_to_dictionary(model))), True
    while again and perf_counter() < end:
        again = False
        for candidate in smaller(document):
            if perf_counter() > end:
                break
            try:
                other = read_model_dictionary(candidate)
                if other != read_model_dictionary(document) and any(one.kind == kind for one in found_in(other, seed)):
                    document, again = candidate, True
                    break
            except (AlgdimError, TooSlow):
                continue
    return read_model_dictionary(document)


def on_alarm(signum: int, frame: FrameType | None) -> None:
    """Give one model up."""
    del signum, frame
    raise TooSlow


def examined(model: Any, seed: int) -> bool:
    """Examine one model, print what is found, made smaller, and say whether anything was."""
    found = found_in(model, seed)
    for kind in dict.fromkeys(one.kind for one in found):
        signal.setitimer(signal.ITIMER_PROF, 0)
        print(f"FOUND {next(one for one in found if one.kind == kind).text}")
        small = minimised(model, kind, seed)
        print(f"  smallest: {to_text(small)}")
        print(
            f"  again:    python -m hunting.hunt --seed {seed} --document '{json.dumps(convert_model_to_dictionary(small))}'",
            flush=True,
        )
    return bool(found)


def hunt(seconds: float, seed: int, most: int, first: int) -> int:
    """Examine models until the time is over, and return how many have something wrong."""
    signal.signal(signal.SIGPROF, on_alarm)
    began, count, bad = perf_counter(), Counter[str](), 0
    number = first
    while perf_counter() - began < seconds and number - first < most:
        kind, model = model_of(seed, number)
        signal.setitimer(signal.ITIMER_PROF, SECONDS_FOR_ONE)
        try:
            bad += examined(model, number)
            count[kind] += 1
        except TooSlow:
            print(f"  given up after {SECONDS_FOR_ONE} s: {to_text(model)}", flush=True)
        signal.setitimer(signal.ITIMER_PROF, 0)
        number += 1
        if number % 1000 == 0:
            print(f"  {number - first} models in {perf_counter() - began:.0f} s", flush=True)
    kinds = ", ".join(f"{kind} {times}" for kind, times in count.items())
    print(
        f"{count.total()} models in {perf_counter() - began:.0f} s (seed {seed}, from {first}): {kinds}; {bad} with something wrong"
    )
    return bad


def main() -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Look for wrong numbers on random small models.")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0, help="the number of the first model")
    parser.add_argument("--most", type=int, default=10**9, help="this many models at most")
    parser.add_argument("--model", help="examine this model only")
    parser.add_argument("--document", help="the same, as JSON")
    given = parser.parse_args()
    if given.model or given.document:
        model = algdim.model(given.model) if given.model else read_model_dictionary(json.loads(given.document))
        found = found_in(model, given.seed)
        print("\n".join(one.text for one in found) or f"nothing wrong: {to_text(model)}")
        return int(bool(found))
    return int(bool(hunt(given.seconds, given.seed, given.most, given.first)))


if __name__ == "__main__":
    sys.exit(main())
