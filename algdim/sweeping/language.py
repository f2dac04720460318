"""The language of sweeps: a kind of models and ranges, such as ``lc cells<=260 classes>=3``, or a file of models."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import NamedTuple, Protocol, TypeVar

from algdim.errors import InputError, LimitError, describe_closest_word, join_names
from algdim.figures import format_integer
from algdim.models.notation import to_text
from algdim.readers.files import read_text
from algdim.sweeping import families
from algdim.sweeping.families import ModelKind, Range, Ranges
from algdim.sweeping.structures import STRUCTURES
from algdim.tables.listing import Listed, Unread, add_place_to_errors, make_refusal
from algdim.tables.spec import is_spec, read_spec

KINDS: Mapping[str, ModelKind] = {
    "lc": families.LATENT_CLASSES,
    "symmetric": families.SYMMETRIC_LATENT_CLASSES,
    "trees": families.TREES,
    "mixed": families.MIXED_GRAPHS,
    "networks": families.NETWORKS,
    "structures": STRUCTURES,
    "random-trees": families.RANDOM_TREES,
    "random-networks": families.RANDOM_NETWORKS,
}

T = TypeVar("T")

MOST_MODELS = 2_000_000
MOST_NUMBER = 1_000_000
MODEL_LIST = ".txt"
TERM = re.compile(r"([a-z-]+)(<=|>=|==?|<|>)([0-9]{1,7})")
EXAMPLE = "a sweep is written like 'lc cells<=260' or 'mixed nodes=4 edges<=6', or is a file of models"


class Source(NamedTuple):
    """Where a file lists a model, in the words of the list: what it is called there, and the place."""

    text: str
    """Of the model, by which it is found among the entries."""
    label: str
    place: str


class SweptModels(NamedTuple):
    """What a sweep goes through."""

    models: dict[str, Unread | None]
    """Each once, in the notation; those that cannot be read as they stand, with what is wrong."""
    sources: tuple[Source, ...] = ()
    """Of the models of a file, in its order; one that stands there twice has two."""
    made: int = 0
    """As many models were listed or drawn, each counted as often as it came; 0 if none came twice."""


Told = Callable[[str], None]
"""Whoever is told how far it is."""


class Sweep(Protocol):
    """What to go through; its text is read back as the same."""

    def entries(self, *, keep_going: bool = True, progress: Told | None = None) -> SweptModels:
        """All models; if there are some that cannot be read, these too, or else an error."""

    def texts(self) -> list[str]:
        """All models in the notation; an error if there are some that cannot be read."""


@dataclass(frozen=True, slots=True)
class KindSweep:
    """A kind of models, with a range for each of its quantities.

    >>> print(read_sweep("lc cells<=30 classes>=3"))
    lc cells<=30 classes>=3
    """

    kind: str
    ranges: Ranges

    def __str__(self) -> str:
        """The sweep as it is written; what is as always is left out."""
        usual = KINDS[self.kind].usual
        terms = [
            term for name, own in self.ranges.items() if own != usual[name] for term in own.terms(name, usual[name])
        ]
        return " ".join([self.kind, *terms])

    def entries(self, *, keep_going: bool = True, progress: Told | None = None) -> SweptModels:
        """All models; what is made can be read."""
        del keep_going
        kind = KINDS[self.kind]
        if kind.count_at_least is not None and kind.count_at_least(self.ranges) > MOST_MODELS:
            raise make_too_many(self)
        found = collect_models(self, kind.models(self.ranges), "widen the ranges", progress)
        models: dict[str, Unread | None] = dict.fromkeys(found)
        return SweptModels(models, made=len(found) if len(found) > len(models) else 0)

    def texts(self) -> list[str]:
        """All models in the notation."""
        return list(self.entries().models)


@dataclass(frozen=True, slots=True)
class FileSweep:
    """The models of a file."""

    path: str

    def __str__(self) -> str:
        return self.path

    def entries(self, *, keep_going: bool = True, progress: Told | None = None) -> SweptModels:
        """All models; if there are some that cannot be read, these too, with what is wrong, or else an error."""
        found = collect_models(self, iterate_file_models(self.path), "list some", progress)
        models = {source.text: unread for source, unread in found}
        wrong = [unread for unread in models.values() if unread is not None]
        if wrong and not keep_going:
            with add_place_to_errors(self.path):
                raise make_refusal(wrong, len(models), "\nfix that, or let --keep-going record it as failed")
        return SweptModels(models, tuple(source for source, _ in found), len(found) if len(found) > len(models) else 0)

    def texts(self) -> list[str]:
        """All models in the notation; an error if there are some that cannot be read."""
        return list(self.entries(keep_going=False).models)


def describe_duplicates(entries: SweptModels) -> str:
    """What is to be said where models came more than once; empty if none did.

    >>> describe_duplicates(SweptModels({"2:2,2": None}, made=3)), describe_duplicates(SweptModels({"2:2,2": None}))
    ('3 drawn, 1 different', '')
    """
    what = "listed" if entries.sources else "drawn"
    return f"{entries.made} {what}, {len(entries.models)} different" if entries.made else ""


EACH_TOLD = 1000
"""Models between two reports of how many there are."""


def collect_models(sweep: Sweep, models: Iterable[T], advice: str, progress: Told | None = None) -> list[T]:
    """All of some models, if there are not too many; the advice is for where there are none."""
    found: list[T] = []
    for one in islice(models, MOST_MODELS + 1):
        found.append(one)
        if progress is not None and len(found) % EACH_TOLD == 0:
            progress(f"{format_integer(len(found))} models so far")
    if len(found) > MOST_MODELS:
        raise make_too_many(sweep)
    if not found:
        raise InputError(f"{sweep}: there is no such model; {advice}")
    return found


def make_too_many(sweep: Sweep) -> LimitError:
    """What is said of a sweep of too many models."""
    return LimitError(f"{sweep}: more than {MOST_MODELS} models; narrow the ranges, or sweep them in parts")


def read_sweep(text: str) -> Sweep:
    """Read the text of a sweep, or say what is wrong with it."""
    words = text.replace(",", " ").split()
    if is_spec(text) or text.lower().endswith(MODEL_LIST):
        return FileSweep(text)
    if not words:
        raise InputError(f"the sweep is empty; {EXAMPLE}")
    if words[0] not in KINDS:
        raise InputError(
            f"{text[:80]!r}: there is no kind {words[0][:40]!r} of models{describe_closest_word(words[0], KINDS)}; known are {join_names(KINDS)}; {EXAMPLE} ({MODEL_LIST}, .csv, .toml)"
        )
    kind = KINDS[words[0]]
    said: dict[str, list[tuple[str, int]]] = {}
    # spaces around a sign are allowed: they are taken out before the terms are told apart
    for term in re.sub(r"\s*(<=|>=|==?|<|>)\s*", r"\1", " ".join(words[1:])).split():
        match = TERM.fullmatch(term)
        if match is None:
            raise InputError(
                f"{text[:80]!r}: {term[:40]!r} is no range; one is written like {next(iter(kind.usual))}<=12"
            )
        name, sign, number = match[1], match[2], int(match[3])
        if name not in kind.usual:
            raise InputError(f"{text[:80]!r}: {words[0]} has no quantity {name!r}; it has {join_names(kind.usual)}")
        if number > MOST_NUMBER:
            raise InputError(f"{text[:80]!r}: {name} {sign} {number}; numbers up to {MOST_NUMBER} are allowed")
        said.setdefault(name, []).append((sign, number))
    given = {name: derive_range(terms, kind.usual[name]) for name, terms in said.items()}
    return KindSweep(words[0], check_ranges(text, words[0], kind, given))


def derive_range(terms: Sequence[tuple[str, int]], usual: Range) -> Range:
    """The range of a quantity: what is said takes the place of what is usual, at its own end of the range.

    >>> derive_range([(">=", 10), ("<=", 12)], Range(3, 8)), derive_range([("<=", 2)], Range(1, 1))
    (Range(least=10, most=12), Range(least=1, most=2))
    """
    ends = {sign[0] for sign, _ in terms}
    least = usual.least if ends == {"<"} else 0
    own = Range(least, usual.most if ends == {">"} and usual.least != usual.most else None)
    for sign, number in terms:
        own = own.narrow(sign, number)
    return own


def check_ranges(text: str, word: str, kind: ModelKind, given: Mapping[str, Range]) -> Ranges:
    """All ranges of a kind, those that are not given as always; an error if one is empty, has no end, or is too wide."""
    ranges = {**kind.usual, **given}
    for name, own in ranges.items():
        usual, ceiling = kind.usual[name], kind.most.get(name, MOST_NUMBER)
        floor = kind.floor.get(name, usual.least)
        if own.least < floor:
            raise InputError(f"{text[:80]!r}: {name} from {own.least}; the least allowed is {floor}")
        if own.most is None:
            if name not in kind.optional:
                raise InputError(f"{text[:80]!r}: how many {name}? {word} needs an upper limit such as {name}<=…")
            continue
        if own.least > own.most:
            raise InputError(f"{text[:80]!r}: no number of {name} is from {own.least} to {own.most}")
        if own.most > ceiling:
            raise LimitError(f"{text[:80]!r}: {name} up to {own.most}; at most {ceiling} are allowed for {word}")
    return ranges


def iterate_file_models(path: str) -> Iterator[tuple[Source, Unread | None]]:
    """The models of a file, a line for each (.txt) or what `algdim table` reads (.csv, .toml), in the notation where they can be read."""
    with add_place_to_errors(path):
        models = read_spec(path).models if is_spec(path) else iterate_listed_lines(path)
    for one in models:
        found = one.read()
        unread = found if isinstance(found, Unread) else None
        yield Source(one.text if isinstance(found, Unread) else to_text(found), one.label, one.place), unread


def iterate_listed_lines(path: str) -> Iterator[Listed]:
    """The models that stand on the lines of a file; empty lines and comments are none."""
    for number, line in enumerate(read_text(Path(path)).splitlines(), 1):
        text = line.strip()
        if text and not text.startswith("#"):
            yield Listed(text, text, f"line {number}")
