"""Read the claims: one TOML file per paper, in the form that SCHEMA.md beside this module describes."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from typing import Any, TypeGuard

from algdim.errors import InputError, join_names
from algdim.lemmas import LEMMAS

PAPERS = ("GHM96", "HM97", "KZ02", "CH96", "MH97")
"""The papers' keys, in the order in which they are always listed."""

COUNTED = ("standard", "complete", "pairwise_bound", "best_bound")
"""Quantities that follow from the state counts alone, so that a computed value is always proved."""

QUANTITIES = ("dimension", "redundant", *COUNTED)
"""What a claim can be about: an attribute of the report."""

ONLY_READING = "-in-the-only-reading"
UNDECIDABLE = "undecidable-from-text"
SETTLED = ("proved-conjecture", "open-question-answered")
"""What a paper leaves open and is proved now."""

VERDICTS = (
    "confirmed",
    "refuted",
    f"confirmed{ONLY_READING}",
    f"refuted{ONLY_READING}",
    *SETTLED,
    UNDECIDABLE,
)

FILE_KEYS = ("paper", "words", "claim")
REQUIRED = ("id", "place", "statement", "printed", "verdict")
OPTIONAL = ("model", "quantity", "for", "lemma", "lemmas", "means", "note", "check", "arguments")
IDENTIFIER = re.compile(r"[A-Z]+[0-9]{2}(-[A-Za-z0-9]+)+")

CASES = re.compile(r"n = ([0-9]{1,4})…([0-9]{1,4})")
MOST_CASES = 200
FORMULA = re.compile(r"([0-9]{1,9}) \+ ([0-9]{1,9})n")
PLACE_OF_N = "{n}"
GENERAL = ("proved-conjecture", "confirmed", "refuted")
"""The verdicts that a claim for all n can have."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One number that a paper prints about one model, and the verdict that stands in our record.

    ``means`` is what is to be computed if ``printed`` holds: an integer, or the quantity that the printed word
    stands for. A claim for all n has a formula in n as its printed words and n in its model; ``cases`` are the n that are
    computed, ``lemma`` says what covers the others, and ``lemmas`` are the names of what it cites. A claim about no quantity of a model has the name of a ``check``.
    """

    id: str
    paper: str
    place: str
    statement: str
    model: str
    quantity: str
    printed: int | str
    means: int | str
    verdict: str
    note: str
    cases: tuple[int, ...] = ()
    lemma: str = ""
    lemmas: tuple[str, ...] = ()
    check: str = ""
    arguments: tuple[int | str, ...] = ()

    @property
    def instances(self) -> tuple[Claim, ...]:
        """The claims about one model each that are computed: of a claim for all n one for each of its cases."""
        if not self.cases:
            return (self,)
        return tuple(
            replace(
                self,
                model=self.model.replace(PLACE_OF_N, str(n)),
                means=evaluate_formula(str(self.printed), n),
                cases=(),
            )
            for n in self.cases
        )


def evaluate_formula(formula: str, n: int) -> int:
    """The value of a printed formula.

    >>> evaluate_formula("1 + 2n", 7)
    15
    """
    found = FORMULA.fullmatch(formula)
    if found is None:
        raise InputError(f"{formula!r} is no formula; it has the form 1 + 2n")
    return int(found[1]) + int(found[2]) * n


def list_claims(paper: str | None = None) -> tuple[Claim, ...]:
    """Return the claims of one paper, or of all of them.

    >>> list_claims("GHM96")[0].place
    '§1, Eq. 1'
    """
    if paper is None:
        return tuple(claim for key in list_papers() for claim in list_claims(key))
    if paper not in list_papers():
        raise InputError(f"there are no claims of {paper!r}; there are of {join_names(list_papers())}")
    return read_packaged(paper)


@cache
def list_papers() -> tuple[str, ...]:
    """Return the keys of the papers that have claims."""
    return tuple(paper for paper in PAPERS if get_paper_file(paper).is_file())


def find(identifier: str) -> Claim | None:
    """Return the claim of this id, or None."""
    return next((claim for claim in list_claims() if claim.id == identifier), None)


def get_paper_file(paper: str) -> Any:
    """Return the place of a paper's file inside the package; its type has other names in other Pythons."""
    return resources.files("algdim_papers.claims").joinpath(f"{paper.lower()}.toml")


@cache
def read_packaged(paper: str) -> tuple[Claim, ...]:
    """Read a paper's file, once."""
    place = get_paper_file(paper)
    return read(place.read_text(encoding="utf-8"), place.name)


def read(text: str, source: str) -> tuple[Claim, ...]:
    """Read the claims from the text of a file; ``source`` is its name in messages."""
    try:
        document = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # a number that is too long, tables that are nested too deeply
        raise InputError(f"{source} is not TOML: {error}") from None
    check_keys(document, FILE_KEYS, source)
    paper = document.get("paper")
    if paper not in PAPERS:
        raise InputError(f"{source}: paper is {paper!r}; it is one of {join_names(PAPERS)}")
    words = document.get("words", {})
    if not isinstance(words, dict) or not all(is_meaning(meaning) for meaning in words.values()):
        raise InputError(f"{source}: [words] gives each printed word an integer or one of {join_names(QUANTITIES)}")
    tables = document.get("claim")
    if not isinstance(tables, list) or not tables or not all(isinstance(table, dict) for table in tables):
        raise InputError(f"{source}: there is no claim; each begins with a line [[claim]]")
    read_claims = tuple(
        claim
        for number, table in enumerate(tables, 1)
        for claim in parse_claims(table, paper, words, f"{source}, {name_claim(table, number)}")
    )
    seen: set[str] = set()
    for claim in read_claims:
        if claim.id in seen:
            raise InputError(f"{source}: the id {claim.id} occurs twice; each is allowed once")
        seen.add(claim.id)
    return read_claims


def name_claim(table: dict[str, Any], number: int) -> str:
    """Name a claim in a message: by its id if it has one, by its number otherwise."""
    identifier = table.get("id")
    return f"claim {identifier}" if isinstance(identifier, str) else f"claim number {number}"


def parse_claims(table: dict[str, Any], paper: str, words: dict[str, Any], place: str) -> tuple[Claim, ...]:
    """Return the claims of one [[claim]]: one, or one per quantity if ``printed`` is a table."""
    check_keys(table, REQUIRED + OPTIONAL, place)
    for key in REQUIRED:
        if key not in table:
            raise InputError(f"{place}: {key} is missing; required are {join_names(REQUIRED)}")
    printed = table["printed"]
    if not isinstance(printed, dict):
        return (parse_claim(table, paper, words, place),)
    for key in ("quantity", "means"):
        if key in table:
            raise InputError(f"{place}: {key} and a table of printed values exclude each other; give one of them")
    if "for" in table:
        raise InputError(
            f"{place}: for and a table of printed values exclude each other; a claim for all n prints one formula"
        )
    if not printed:
        raise InputError(f"{place}: printed is an empty table; give it at least one of {join_names(QUANTITIES)}")
    return tuple(
        parse_claim(
            {**table, "id": f"{table['id']}-{quantity.replace('_', '-')}", "quantity": quantity, "printed": value},
            paper,
            words,
            f"{place}, printed {quantity}",
        )
        for quantity, value in printed.items()
    )


def parse_claim(table: dict[str, Any], paper: str, words: dict[str, Any], place: str) -> Claim:
    """Return one claim after every check."""
    for key in ("id", "place", "statement", "verdict", "model", "quantity", "for", "lemma", "note", "check"):
        value = table.get(key, "-")
        if not isinstance(value, str) or not value.strip():
            raise InputError(f"{place}: {key} is {value!r}; text is needed")
    identifier, verdict, printed = table["id"], table["verdict"], table["printed"]
    if not IDENTIFIER.fullmatch(identifier) or not identifier.startswith(f"{paper}-"):
        raise InputError(f"{place}: the id begins with {paper}- and has words of letters and digits joined by hyphens")
    if verdict not in VERDICTS:
        raise InputError(f"{place}: the verdict is {verdict!r}; it is one of {join_names(VERDICTS)}")
    if not is_count(printed) and not (isinstance(printed, str) and printed.strip()):
        raise InputError(f"{place}: printed is {printed!r}; an integer from 0 or the printed words are needed")
    check_of(table, place)
    decidable = verdict != UNDECIDABLE and "check" not in table
    for key in ("model", "quantity"):
        if decidable and key not in table:
            raise InputError(
                f"{place}: {key} is missing; only a claim with a check or that is {UNDECIDABLE} can do without"
            )
    if table.get("quantity", QUANTITIES[0]) not in QUANTITIES:
        raise InputError(f"{place}: the quantity is {table['quantity']!r}; it is one of {join_names(QUANTITIES)}")
    if verdict not in {"confirmed", *SETTLED} and "note" not in table:
        raise InputError(f"{place}: the verdict {verdict} needs a note that says why")
    cases = parse_cases(table, place)
    return Claim(
        id=identifier,
        paper=paper,
        place=table["place"],
        statement=table["statement"],
        model=table.get("model", ""),
        quantity=table.get("quantity", ""),
        printed=printed,
        means=parse_meaning(table, words, place) if decidable and not cases else printed,
        verdict=verdict,
        note=table.get("note", ""),
        cases=cases,
        lemma=table.get("lemma", ""),
        lemmas=parse_lemmas(table, place),
        check=table.get("check", ""),
        arguments=tuple(table.get("arguments", ())),
    )


def check_of(table: dict[str, Any], place: str) -> None:
    """Raise unless a check stands alone, and has arguments that it can have."""
    if "check" not in table:
        if "arguments" in table:
            raise InputError(f"{place}: arguments are those of a check; give its name as check")
        return
    for key in ("model", "quantity", "for", "lemma", "lemmas", "means"):
        if key in table:
            raise InputError(
                f"{place}: {key} and a check exclude each other, as a check computes everything itself; give one of them"
            )
    arguments = table.get("arguments", [])
    if not isinstance(arguments, list) or not all(is_count(item) or isinstance(item, str) for item in arguments):
        raise InputError(f"{place}: arguments is {arguments!r}; a list of integers from 0 and texts is needed")


def parse_cases(table: dict[str, Any], place: str) -> tuple[int, ...]:
    """Return the n that are computed of a claim for all n; none for a claim about one model."""
    has = [*(key in table for key in ("for", "lemma", "lemmas")), PLACE_OF_N in table.get("model", "")]
    if not any(has):
        return ()
    if not all(has):
        raise InputError(
            f"{place}: a claim for all n has for, lemma, lemmas and a model with {PLACE_OF_N}; give all four"
        )
    found = CASES.fullmatch(table["for"])
    cases = range(int(found[1]), int(found[2]) + 1) if found else range(0)
    if not 1 <= len(cases) <= MOST_CASES:
        raise InputError(f"{place}: for is {table['for']!r}; it has the form n = 3…40, with at most {MOST_CASES} cases")
    if not isinstance(table["printed"], str) or not FORMULA.fullmatch(table["printed"]) or "means" in table:
        raise InputError(f"{place}: a claim for all n prints a formula such as 1 + 2n, and has no means")
    if table["verdict"] not in GENERAL:
        raise InputError(f"{place}: a claim for all n has one of the verdicts {join_names(GENERAL)}")
    return tuple(cases)


def parse_lemmas(table: dict[str, Any], place: str) -> tuple[str, ...]:
    """The names of the lemmas that a claim for all n cites, each of them on the page of lemmas."""
    if "lemmas" not in table:
        return ()
    names = table["lemmas"]
    if not isinstance(names, list) or not names or not all(isinstance(name, str) for name in names):
        raise InputError(f"{place}: lemmas is {names!r}; a list of one name or more is needed")
    for name in names:
        if name not in LEMMAS:
            raise InputError(f"{place}: lemmas has {name!r}; each is the name of a lemma in proofs/lemmas.md")
    if len(set(names)) < len(names):
        raise InputError(f"{place}: lemmas is {names!r}; each name is allowed once")
    return tuple(names)


def parse_meaning(table: dict[str, Any], words: dict[str, Any], place: str) -> int | str:
    """Return what is to be computed if the printed value holds: an integer or a quantity."""
    printed = table["printed"]
    if is_count(printed):
        if "means" in table:
            raise InputError(f"{place}: means is for printed words only, not for the number {printed}")
        return int(printed)
    meaning = table.get("means", words.get(printed))
    if not is_meaning(meaning):
        raise InputError(
            f"{place}: printed is {printed!r} and means {meaning!r}; "
            f"what it means is an integer from 0 or one of {join_names(QUANTITIES)}"
        )
    return meaning


def is_count(value: object) -> bool:
    """Whether a value is an integer from 0; true and false are none."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def is_meaning(value: object) -> TypeGuard[int | str]:
    """Whether a value can be what a printed word means."""
    return is_count(value) or (isinstance(value, str) and value in QUANTITIES)


def check_keys(table: dict[str, Any], known: tuple[str, ...], place: str) -> None:
    """Raise unless all keys are known."""
    for key in table:
        if key not in known:
            raise InputError(f"{place}: the key {key!r} is not known; known are {join_names(known)}")
