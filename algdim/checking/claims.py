"""A claim: a quantity of a model as it is printed, and where it stands. The quantities, and the words by which papers call them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from algdim.errors import InputError, describe_closest_word, join_names
from algdim.models.values import MOST_DIGITS
from algdim.tables.listing import Listed

MOST_CLAIMS = 10_000
MOST_SIGNS = 20_000
"""Of one cell."""

NUMBER, ANSWER, SCORE = "an integer", "yes or no", "a number"

COUNTS: Mapping[str, str] = {
    "dimension": "dim, dim(M), d_e, de, effective dimension, generic rank",
    "parameters": (
        "standard, d_s, ds, number of parameters, no. of parameters, # of parameters, free parameters, params, npar, "
        "unadjusted dim, standard dimension"
    ),
    "saturated": "complete, d_c, dc, complete dimension, saturated dimension",
    "df": "degrees of freedom, d.f., dof",
    "df_by_counting": "df by counting",
    "expected": "expected dimension",
    "redundant": "redundant parameters",
    "defect": "deficiency",
    "pairwise_bound": "d_p, dp, pairwise dimension",
    "best_bound": "d_b, db",
    "tetrads": "number of tetrads, vanishing tetrads",
    "independent_tetrads": "independent tetrads",
    "rank": "rank at the point",
}
"""What is an integer, with other names for it."""

ANSWERS: Mapping[str, str] = {
    "identifiable": "identified, locally identifiable, locally identified",
    "nested": "nested in the other model",
    "regular": "regular point, regular at the point",
}
"""What is true or not."""

SCORES: Mapping[str, str] = {
    "loglik": "log-likelihood, log likelihood, logl, log l",
    "bic": "",
    "bic+": "",
    "draper": "",
    "draper+": "",
    "mled": "",
    "cs": "",
    "cs+": "",
    "laplace": "",
    "exact": "marginal likelihood",
}
"""What is computed from data, in floating point, on the scale of `algdim score`."""

QUANTITIES: Mapping[str, str] = {
    **dict.fromkeys(COUNTS, NUMBER),
    **dict.fromkeys(ANSWERS, ANSWER),
    **dict.fromkeys(SCORES, SCORE),
}
"""The quantities, with what is printed of each."""

NEEDED: Mapping[str, tuple[str, str]] = {
    "nested": ("other", "in: the model that contains this one"),
    "regular": ("at", "at: a file of parameters"),
    "rank": ("at", "at: a file of parameters"),
    **dict.fromkeys(SCORES, ("data", "data: a file of data")),
}
"""What a claim about a quantity names besides the model."""

YES = {"yes", "true", "y", "✓", "✔"}
NO = {"no", "false", "n", "✗", "✘"}
NOTHING = {"", "-", "--", "---", "–", "—", "…", "...", "⋮", "n/a", "na", "n.a."}
"""Cells in which nothing is claimed."""

RELATIONS: Mapping[str, str] = {"=": "=", "≤": "≤", "<=": "≤", "≥": "≥", ">=": "≥", "<": "<", ">": ">", "": "="}
MARKS = "*†‡§¶ᵃᵇᶜᵈᵉ"
"""Of footnotes, behind a number."""
PRINTED = re.compile(
    r"(<=|>=|[=≤≥<>]?)\s*([+-]?)\s*([0-9]{1,3}(?:[,\u00a0\u2007\u2009\u202f][0-9]{3})+|[0-9]+)(\.[0-9]+)?"
)
RANGE = re.compile(r"\[?\s*([0-9]+)\s*(?:–|--?|…|\.{2,3}|to\b)\s*([0-9]+)\s*\]?")


def make_plain(words: str) -> str:
    """A name of a quantity or a column without what is written in different ways.

    >>> make_plain("Effective  Dimension $d_e$"), make_plain("d_s")
    ('effective dimension d e', 'd s')
    """
    return " ".join(re.sub(r"[_$#.:()\\{}-]", " ", words).lower().split())


def collect_words() -> dict[str, str]:
    """Every name of every quantity, in plain form."""
    named = {**COUNTS, **ANSWERS, **SCORES}
    return {make_plain(word): name for name, others in named.items() for word in (name, *others.split(", ")) if word}


WORDS = collect_words()


def find_quantity(words: str) -> str | None:
    """The quantity that a name means.

    >>> find_quantity("$d_e$"), find_quantity("Degrees of freedom"), find_quantity("age")
    ('dimension', 'df', None)
    """
    return WORDS.get(make_plain(words))


def parse_quantity(words: str, place: str) -> str:
    """The same, or an error."""
    found = find_quantity(words)
    if found is None:
        close = describe_closest_word(words, QUANTITIES)
        raise InputError(
            f"{place}: there is no quantity {words[:60]!r}{close}; known are {join_names(QUANTITIES, most=30)}"
        )
    return found


@dataclass(frozen=True, slots=True)
class Printed:
    """What is printed: a relation and a number, or yes or no; ``places`` are the decimal places of the number."""

    text: str
    value: Fraction | bool
    relation: str = "="
    places: int = 0
    last: Fraction | None = None
    """Of a range, which has the relation …, the end."""

    @property
    def tolerance(self) -> Fraction:
        """Half a unit of the last digit."""
        return Fraction(1, 2 * 10**self.places)


def is_printed_number(text: str) -> bool:
    """Whether this is a number as papers print it, and no head of a column."""
    plain = text.replace("−", "-").strip().rstrip(MARKS).strip()
    return len(plain) <= MOST_DIGITS and PRINTED.fullmatch(plain) is not None


def parse_range(text: str, place: str) -> Printed | None:
    """Two integers and all between them, or nothing.

    >>> parse_range("12–14", "").text, parse_range("12 − 14", "")
    ('12…14', None)
    """
    found = RANGE.fullmatch(text) if len(text) <= MOST_DIGITS else None
    if found is None:
        return None
    first, last = Fraction(found[1]), Fraction(found[2])
    if first >= last:
        raise InputError(f"{place}: the range {text[:60]!r} does not begin below its end")
    return Printed(f"{first}…{last}", first, "…", last=last)


def parse_printed(text: str, quantity: str, place: str) -> Printed | None:
    """What is printed of a quantity, or nothing where nothing is.

    >>> parse_printed("≤ 1,234*", "dimension", "line 2")
    Printed(text='≤ 1234', value=Fraction(1234, 1), relation='≤', places=0, last=None)
    >>> parse_printed("yes", "identifiable", "line 2").value, parse_printed("--", "df", "line 2")
    (True, None)
    """
    plain = text.replace("−", "-").strip().rstrip(MARKS).strip()
    if plain.lower() in NOTHING:
        return None
    kind = QUANTITIES[quantity]
    if kind == ANSWER:
        if plain.lower() not in YES | NO:
            raise InputError(f"{place}: {quantity} is {text[:60]!r}; yes or no is expected")
        return Printed("yes" if plain.lower() in YES else "no", plain.lower() in YES)
    between = parse_range(text.strip().rstrip(MARKS).strip(), place) if kind == NUMBER else None
    if between is not None:
        return between
    found = PRINTED.fullmatch(plain) if len(plain) <= MOST_DIGITS else None
    if found is not None and kind == SCORE and "," in found[3] and not found[4] and found[3].count(",") == 1:
        raise InputError(
            f"{place}: {quantity} is {text[:60]!r}, whose comma may be a decimal point; write it as a point, or without a comma"
        )
    if found is None or (kind == NUMBER and found[4]):
        raise InputError(
            f"{place}: {quantity} is {text[:60]!r}; {kind} is expected, perhaps after ≤ or ≥, a range such as 12–14, or — where nothing is claimed"
        )
    relation, sign, whole, decimals = found[1], found[2], re.sub(r"[^0-9]", "", found[3]), found[4] or ""
    number = f"{'-' if sign == '-' else ''}{whole}{decimals}"
    shown = number.replace("-", "−") if RELATIONS[relation] == "=" else f"{RELATIONS[relation]} {number}"
    return Printed(shown, Fraction(number), RELATIONS[relation], max(0, len(decimals) - 1))


@dataclass(frozen=True, slots=True)
class Claim:
    """A quantity of a model as it is printed.

    ``source`` has the label, the text of the model and the place in the file; ``other`` is the model in which it is said to be
    nested, ``at`` a file of parameters, ``data`` a file of data; ``cited`` says where in a paper the claim is printed.
    """

    number: int
    source: Listed
    quantity: str
    printed: Printed
    other: str = ""
    at: str = ""
    data: str = ""
    cited: str = ""
    note: str = ""
    same_as: str = ""
    """The quantity of the same model that a printed word stands for, as `dc` in a table; empty where a value is printed."""

    def __post_init__(self) -> None:
        needed = NEEDED.get(self.quantity)
        if needed is not None and not getattr(self, needed[0]):
            raise InputError(f"{self.source.full_name}: a claim about {self.quantity} needs {needed[1]}")

    @property
    def subject(self) -> str:
        """What is claimed, in words."""
        return f"{self.quantity} in {self.other}" if self.other else self.quantity
