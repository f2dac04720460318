"""Polynomial maps in the texts of Macaulay2, Singular, Mathematica, Maple and Julia: a list of formulas, and the variables.

Nothing is evaluated. Of a program one list is read, the one called N or N0, over D or D0 if there is such a list, else the only one
or the one that the option ``list`` names; its formulas have the signs + - * / ^ and parentheses. The parameters are the variables
that are declared, where that is said in one of the usual ways, else those of the formulas, in their order. What ``algdim export``
writes is read back.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from algdim.errors import InputError, LimitError, join_names
from algdim.models.anymodel import AnyModel, read_model_dictionary
from algdim.readers.formats import Options

WORDS = {"list": "NAME"}

MOST_DECLARED = 200
"""Characters of a name or a range."""
MOST_VARIABLES = 100_000
"""That a range may declare."""
BRACKETS = {"{": "}", "[": "]", "(": ")"}


class AlgebraDialect(NamedTuple):
    """How a system writes comments, variables with numbers, lists, and which variables there are."""

    name: str
    comment: str
    """To the end of the line, or in brackets that are not nested."""
    variable: str
    """One with a number: its letters, and in one of the other groups its number."""
    assigned: str
    """What stands before a list: its name is a group."""
    opening: str
    """The brackets of a list; none where it ends with a semicolon."""
    declared: tuple[str, ...]
    """What names the variables: names with commas or spaces, or a range of numbers, as a group."""


NUMBERED = r"\b([A-Za-z][A-Za-z0-9]*)"
MACAULAY2 = AlgebraDialect(
    "macaulay2",
    r"--[^\n]*|-\*(?:.*?\*-|.*)",
    NUMBERED + r"_(?:(\d+)|\((\d+)\))",
    r"\b([A-Za-z]\w*)\s*=\s*(?:ideal|matrix|toList|map\s*\(\s*\w+\s*,\s*\w+\s*,)?\s*",
    "{(",
    (r"\bQQ\s*\[([^\]\[\n]*)\]", r"\bZZ(?:/\d+)?\s*\[([^\]\[\n]*)\]"),
)
SINGULAR = AlgebraDialect(
    "singular",
    r"//[^\n]*|/\*(?:.*?\*/|.*)",
    NUMBERED + r"\((\d+)\)",
    r"\bideal\s+([A-Za-z]\w*)\s*=\s*",
    "",
    (r"(?m)^[ \t]*ring[ \t]+\w+[ \t]*=[^,\n(]*,[ \t]*\(([^\n;]*)\)[ \t]*,[ \t]*[a-z(]",),
)
MATHEMATICA = AlgebraDialect(
    "mathematica",
    r"\(\*(?:.*?\*\)|.*)",
    NUMBERED + r"\[(\d+)\]",
    r"\b([A-Za-z]\w*)\s*:?=\s*",
    "{",
    (r"Table\[Symbol\[\"([A-Za-z]\w*)\" <> ToString\[k\]\], \{k, 1, (\d+)\}\]",),
)
MAPLE = AlgebraDialect(
    "maple",
    r"\#[^\n]*|\(\*(?:.*?\*\)|.*)",
    NUMBERED + r"\[(\d+)\]",
    r"\b([A-Za-z]\w*)\s*:=\s*",
    "[",
    (r"seq\(cat\(([A-Za-z]\w*), k\), k = 1 \.\. (\d+)\)",),
)
JULIA = AlgebraDialect(
    "julia",
    r"\#=(?:.*?=\#|.*)|\#[^\n]*",
    NUMBERED + r"\[(\d+)\]",
    r"\b([A-Za-z]\w*)\s*=\s*",
    "[",
    (r"@(?:poly)?var[ \t]+([^\n]*)",),
)

RANGES = (
    re.compile(r"([A-Za-z]\w*?)_?\(?(\d+)\)?\s*\.\.\s*[A-Za-z]\w*?_?\(?(\d+)\)?"),
    re.compile(r"([A-Za-z]\w*)\(\s*(\d+)\s*\.\.\s*(\d+)\s*\)"),
    re.compile(r"([A-Za-z]\w*)\[\s*(\d+)\s*:\s*(\d+)\s*\]"),
)
"""x_1..x_5, x(1..5), x[1:5]."""
MOST_DIGITS = 30
"""Of the number of a variable."""
LETTERS = re.compile(r"[a-z]\.\.[a-z]|[A-Z]\.\.[A-Z]")
"""a..e."""
WHOLE = re.compile(r"[\w\s+\-*/^().]*")
"""The signs of formulas; what has others is no list of formulas."""
NAME = re.compile(r"[A-Za-z]\w*")
CALL = re.compile(r"\b[A-Za-z]\w*\s*\(")


def read_macaulay2(text: str, options: Options) -> AnyModel:
    """Read a map from a program of Macaulay2.

    >>> print(read_macaulay2("R = QQ[x_1..x_3]; N = {x_1*x_2, x_2^2}", {}))
    polynomial: parameters x1, x2, x3; coordinates x1*x2, x2^2
    """
    return read_map(text, MACAULAY2, options)


def read_singular(text: str, options: Options) -> AnyModel:
    """Read a map from a program of Singular.

    >>> print(read_singular("ring R = 0, (x(1..2), y), dp; ideal I = x(1)*y, x(2);", {}))
    polynomial: parameters x1, x2, y; coordinates x1*y, x2
    """
    return read_map(text, SINGULAR, options)


def read_mathematica(text: str, options: Options) -> AnyModel:
    """Read a map from a program of Mathematica.

    >>> print(read_mathematica("(* two *) f = {a*b, a/(1 + b)}", {}))
    polynomial: parameters a, b; coordinates a*b, a/(b + 1)
    """
    return read_map(text, MATHEMATICA, options)


def read_maple(text: str, options: Options) -> AnyModel:
    """Read a map from a program of Maple.

    >>> print(read_maple("N0 := [t[1]^2, t[1]*t[2]]:", {}))
    polynomial: parameters t1, t2; coordinates t1^2, t1*t2
    """
    return read_map(text, MAPLE, options)


def read_julia(text: str, options: Options) -> AnyModel:
    r"""Read a map from a program of Julia.

    >>> print(read_julia("@var x y\nF = [x*y, 1//2*y]", {}))
    polynomial: parameters x, y; coordinates x*y, 1/2*y
    """
    return read_map(text, JULIA, options)


def read_map(text: str, dialect: AlgebraDialect, options: Options) -> AnyModel:
    """The polynomial map of a program."""
    plain = re.sub(dialect.comment, " ", text, flags=re.DOTALL)
    lists = dict(find_lists(plain, dialect))
    name = choose_list(lists, options.get("list", ""), dialect)
    variables = Variables(dialect)
    rings = list(find_declarations(plain, dialect, variables))
    coordinates = [variables.rename(one) for one in lists[name]]
    below = lists.get({"N": "D", "N0": "D0"}.get(name, ""), [])
    if below and len(below) != len(coordinates):
        raise InputError(f"{name} has {len(coordinates)} formulas and its denominators are {len(below)}")
    denominators = [variables.rename(one) for one in below]
    if denominators:
        pairs = zip(coordinates, denominators, strict=True)
        coordinates = [top if bottom == "1" else f"({top})/({bottom})" for top, bottom in pairs]
    used = dict.fromkeys(found for one in coordinates for found in NAME.findall(one))
    # a ring homomorphism has two rings; the formulas are in one of them
    own = [ring for ring in rings if set(used) <= set(ring)] if dialect in (MACAULAY2, SINGULAR) else []
    declared = own[0] if len(own) == 1 else [one for ring in rings for one in ring]
    for one in used:
        if declared and one not in declared:
            raise InputError(f"{one} is not among the variables that the text declares, {join_names(declared, most=8)}")
    parameters = list(dict.fromkeys(declared)) or list(used)
    return read_model_dictionary({"family": "polynomial", "parameters": parameters, "coordinates": coordinates})


class Variables:
    """The variables of a text under names of the notation: x_1, x(1) and x[1] are x1."""

    def __init__(self, dialect: AlgebraDialect) -> None:
        self.pattern = re.compile(rf"{dialect.variable}|([A-Za-z]\w*)")
        self.written = dict[str, str]()
        """How each name was written first."""
        self.rational = dialect is JULIA

    def rename(self, formula: str) -> str:
        """A formula with the names of the notation."""
        if self.rational:
            formula = formula.replace("//", "/")
        return " ".join(self.pattern.sub(self.note, formula).split())

    def note(self, found: re.Match[str]) -> str:
        """The name of a variable; two variables that would be one are refused."""
        letters, *numbers, alone = found.groups()
        number = next(filter(None, numbers), None)
        name = alone if number is None else f"{letters}{read_number(number)}"
        before = self.written.setdefault(name, found[0])
        # y_1 and y_(1) are one variable, y_1 and y1 are two
        if (before == name) != (found[0] == name):
            raise InputError(f"{before} and {found[0]} would both be {name}; rename one of them")
        if not NAME.fullmatch(name):
            raise InputError(f"{found[0]} is no name")
        return name


def find_lists(text: str, dialect: AlgebraDialect) -> Iterator[tuple[str, list[str]]]:
    """The lists of formulas that are given names; a later one takes the place of an earlier one."""
    pattern, at = re.compile(dialect.assigned), 0
    while found := pattern.search(text, at):
        at = found.end()
        if not dialect.opening:
            end = text.find(";", at)
            end = end if end >= 0 else len(text)
            inner = text[at:end]
        elif text[at : at + 1] and text[at] in dialect.opening:
            end = find_closing(text, at)
            inner = text[at + 1 : end].strip()
            rows = [row.strip() for row in split_at_commas(inner)]
            if all(row[:1] == "{" and row[-1:] == "}" for row in rows):  # a matrix, row by row
                inner = ", ".join(row[1:-1] for row in rows)
        else:
            continue
        at = end
        formulas = [one.strip() for one in split_at_commas(inner)]
        formulas = formulas[:-1] if formulas and not formulas[-1] else formulas
        if formulas and all(one and is_formula(one, dialect) for one in formulas):
            yield found[1], formulas


def is_formula(text: str, dialect: AlgebraDialect) -> bool:
    """Whether a text has the signs of a formula alone, once variables with numbers are names."""
    plain = re.sub(dialect.variable, "x", text)
    return bool(WHOLE.fullmatch(plain)) and not CALL.search(plain)


def find_closing(text: str, at: int) -> int:
    """Where the bracket at this place is closed."""
    waiting = []
    for place in range(at, len(text)):
        sign = text[place]
        if sign in BRACKETS:
            waiting.append(BRACKETS[sign])
        elif waiting and sign == waiting[-1]:
            waiting.pop()
            if not waiting:
                return place
    raise InputError(f"the bracket {text[at]!r} before {text[at + 1 : at + 31].strip()!r} is not closed")


def split_at_commas(text: str) -> list[str]:
    """The parts between commas that stand in no bracket.

    >>> split_at_commas("a*(b, c), d")
    ['a*(b, c)', ' d']
    """
    parts, depth, begin = list[str](), 0, 0
    for place, sign in enumerate(text):
        if sign in BRACKETS:
            depth += 1
        elif sign in BRACKETS.values():
            depth -= 1
        elif sign == "," and depth == 0:
            parts.append(text[begin:place])
            begin = place + 1
    return [*parts, text[begin:]]


def choose_list(lists: dict[str, list[str]], wanted: str, dialect: AlgebraDialect) -> str:
    """Which of the lists is the map."""
    if wanted and wanted not in lists:
        raise InputError(
            f"the format {dialect.name}: there is no list of formulas {wanted!r}; there is {join_names(lists) or 'none'}"
        )
    usual: list[str] = [name for name in ("N", "N0") if name in lists]
    chosen = [wanted] if wanted else usual or list(lists)
    if len(chosen) == 1:
        return chosen[0]
    if not chosen:
        raise InputError(
            f"the format {dialect.name}: there is no list of formulas; one is expected, with + - * / ^, as {EXAMPLES[dialect.name]}"
        )
    raise InputError(
        f"the format {dialect.name}: there are the lists {join_names(chosen)}; say which with --format {dialect.name}:list={chosen[-1]}"
    )


EXAMPLES = {
    "macaulay2": "N = {a*b, b*c};",
    "singular": "ideal N = a*b, b*c;",
    "mathematica": "N0 = {a*b, b*c};",
    "maple": "N0 := [a*b, b*c]:",
    "julia": "N0 = [a*b, b*c]",
}


def find_declarations(text: str, dialect: AlgebraDialect, variables: Variables) -> Iterator[list[str]]:
    """The variables that a text declares, each declaration with its names."""
    for pattern in dialect.declared:
        for found in re.finditer(pattern, text):
            if len(found.groups()) > 1:  # x1, …, xn, in the words of `algdim export`
                yield list_range(found[1], 1, read_number(found[2]))
                continue
            yield [name for one in filter(None, split_names(found[1])) for name in list_names(one, variables)]


def split_names(text: str) -> list[str]:
    """Names and ranges between commas and spaces that stand in no bracket.

    >>> split_names("x(1 .. 3), y z")
    ['x(1 .. 3)', '', 'y', 'z']
    """
    parts, depth, begin = list[str](), 0, 0
    for place, sign in enumerate(text):
        depth += (sign in BRACKETS) - (sign in BRACKETS.values())
        if depth == 0 and (sign == "," or sign.isspace()):
            parts.append(text[begin:place])
            begin = place + 1
    return [*parts, text[begin:]]


def list_names(one: str, variables: Variables) -> list[str]:
    """The names of a declaration: one, or a range."""
    if len(one) > MOST_DECLARED:
        raise InputError(f"{one[:30]}… is no name, and no range such as x_1..x_5")
    if LETTERS.fullmatch(one):
        return [chr(code) for code in range(ord(one[0]), ord(one[-1]) + 1)]
    ranged = next((match for form in RANGES if (match := form.fullmatch(one))), None)
    return list_range(ranged[1], int(ranged[2]), int(ranged[3])) if ranged else [variables.rename(one)]


def read_number(digits: str) -> int:
    """The number of a variable; Python refuses very long ones with an error of its own.

    >>> read_number("007")
    7
    """
    if len(digits) > MOST_DIGITS:
        raise InputError(f"{digits[:MOST_DIGITS]}… is too long for the number of a variable")
    return int(digits)


def list_range(letters: str, first: int, last: int) -> list[str]:
    """Names with all numbers of a range."""
    if last - first >= MOST_VARIABLES:
        raise LimitError(
            f"{letters}{first} to {letters}{last} are {last - first + 1} variables; at most {MOST_VARIABLES} are read"
        )
    return [f"{letters}{number}" for number in range(first, last + 1)]
