"""Check certificates of dimensions: python3 -I -S check.py FILE...

A certificate claims the dimension of a model with hidden variables and carries the evidence. FORMAT.md describes it,
lemmas.md proves that what is checked here suffices ("Lemma" means that page). Nobody has to trust the program that wrote
the certificate: this file imports nothing but the standard library and derives all that it needs itself.

Read the core first: the five sections below and the last one in the file. Then read the section of the model's
family; its title names what to read before it. This is always below 1,000 lines. The core reads the format, computes
modulo a prime, and shows lower bounds by ranks and upper bounds by counting. A certificate with other evidence names
its kinds, and the table KINDS at the end names the function for each: of the theorems read these, each by itself.
Tables of log-odds or embedded classifiers in networks need one tool more, and so do districts in which entries vanish.

A model is a map from parameters to coordinates. Whatever its family, evidence asks it for the value and the gradient of
a functional of the coordinates at a point (`at`), for matrices of coordinates whose rank is bounded (`matrix`), for
coordinates that are constant (`constant`) and for directions in which nothing changes (`directions`).
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from graphlib import CycleError, TopologicalSorter
from itertools import chain, combinations, combinations_with_replacement, islice, pairwise, permutations, product
from math import comb, factorial, inf, prod
from typing import Any, NamedTuple

FORMAT = "algdim certificate 2"

# The limits of the format. They are looked at before any work is done.
MOST_BYTES = 4_000_000
MOST_TEXT = 1000
MOST_VARIABLES = 1000
MOST_STATES = 10_000
MOST_ENTRIES = 300_000  # of all tables together
MOST_DEPTH = 6  # of evidence within evidence
MOST_RANK = 800
MOST_ORDER = 100  # of moments
MOST_FORMULAS = 150  # formulas within formulas
MOST_POWER = 1000  # an exponent
MOST_WORK = 250_000_000  # steps, as FORMAT.md counts them

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.]*")
FRACTION = re.compile(r"-?(0|[1-9][0-9]*)(/[1-9][0-9]*)?")

Parameter = Any  # whatever names a parameter; "1" stands for the number 1 in an expression
Expression = dict[Parameter, Fraction | int]  # a sum of numbers times parameters
Values = Mapping[Parameter, int]  # numbers by parameters
Slopes = list[tuple[Parameter, int]]  # derivatives by parameters
Form = dict[int, int]  # a linear form: coefficients of coordinates
Matrix = list[list[int]]


class Refused(Exception):  # noqa: N818 - not an error of this program
    """The certificate is not accepted; the message says why."""

    code, word = 1, "invalid"


class Invalid(Refused):
    """It says something that is not true, or that the evidence does not show."""


class Unreadable(Refused):
    """It is not in the format, or beyond the format's limits."""

    code, word = 2, "unreadable"


def require(holds: bool, reason: str, kind: type[Refused] = Invalid) -> None:
    """Refuse the certificate unless something holds."""
    if not holds:
        raise kind(reason)


# Core: reading --------------------------------------------------------------------------------------------------------
class Work:
    """Counts what is done against the limit of the format."""

    def __init__(self) -> None:
        self.left = MOST_WORK

    def spend(self, steps: int) -> None:
        """Take off what is about to be done."""
        self.left -= steps
        require(self.left >= 0, f"to check this takes more than {MOST_WORK} steps, the format's limit", Unreadable)


def parsed(data: bytes) -> Any:
    """Read JSON strictly: no byte too many, no key twice, no number but integers."""
    require(len(data) <= MOST_BYTES, f"{len(data)} bytes; at most {MOST_BYTES} are allowed", Unreadable)

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        require(len(dict(pairs)) == len(pairs), "an object in which a key occurs twice", Unreadable)
        return dict(pairs)

    def integer(digits: str) -> int:
        if len(digits) > MOST_TEXT or digits == "-0":
            raise Unreadable(f"the number {digits[:20]}… has too many digits or is a negative zero")
        return int(digits)

    def other(digits: str) -> Any:
        raise Unreadable(f'{digits[:20]} is not an integer; fractions are texts such as "1/3"')

    try:
        text = data.decode("utf-8")
        return json.loads(text, object_pairs_hook=once, parse_int=integer, parse_float=other, parse_constant=other)
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise Unreadable(f"not JSON: {error}") from None
    except RecursionError:
        raise Unreadable("nested too deeply") from None


def read(value: Any, form: Any, place: str) -> Any:
    """Return a value that has a form: {key: form} with no other keys, [form], or a function that reads it.

    A key that may be missing is marked by "?"; its value is then None.
    """
    if isinstance(form, dict):
        require(type(value) is dict, f"{place} is not an object", Unreadable)
        names = {key.removesuffix("?"): key for key in form}
        for key in value:
            known = key in names and (names[key] == key or value[key] is not None)
            require(known, f"{place}: unknown key {key[:40]!r}, or null instead of an omitted key", Unreadable)
        for name, key in names.items():
            require(name in value or name != key, f"{place}: the key {name} is missing", Unreadable)
        return {n: read(value[n], form[key], f"{place}.{n}") if n in value else None for n, key in names.items()}
    if isinstance(form, list):
        require(type(value) is list, f"{place} is not a list", Unreadable)
        return [read(item, form[0], place) for item in value]
    return form(value, place)


def anything(value: Any, _: str) -> Any:
    """What is read later."""
    return value


def as_whole(value: Any, place: str) -> int:
    """A nonnegative integer."""
    require(type(value) is int and value >= 0, f"{place} is not an integer from 0", Unreadable)
    return int(value)


def as_whole_or_null(value: Any, place: str) -> int | None:
    """The dimension of a saturated model, if there is one."""
    return None if value is None else as_whole(value, place)


def as_integer(value: Any, place: str) -> int:
    """Any integer."""
    require(type(value) is int, f"{place} is not an integer", Unreadable)
    return int(value)


def as_truth(value: Any, place: str) -> bool:
    """True or false."""
    require(type(value) is bool, f"{place} is not true or false", Unreadable)
    return bool(value)


def as_text(value: Any, place: str) -> str:
    """A short text."""
    if type(value) is not str or not 0 < len(value) <= MOST_TEXT or not value.isprintable():
        raise Unreadable(f"{place} is not a short printable text")
    return str(value)


def as_name(value: Any, place: str) -> str:
    """The name of a variable."""
    require(NAME.fullmatch(as_text(value, place)) is not None, f"{place}: {value[:40]!r} cannot be a name", Unreadable)
    return str(value)


def as_stream(value: Any, place: str) -> str:
    """The text of a stream."""
    require(as_text(value, place).startswith("algdim 1|"), f"{place} begins with 'algdim 1|'", Unreadable)
    return str(value)


def as_rational(value: Any, place: str) -> Fraction:
    """A rational number in lowest terms."""
    if FRACTION.fullmatch(as_text(value, place)) is None:
        raise Unreadable(f'{place}: {value[:40]!r} is not a fraction such as "-1/3"')
    require(str(Fraction(value)) == value, f"{place}: {value[:40]} is not in lowest terms", Unreadable)
    return Fraction(value)


def dictionary(form: Any) -> Callable[[Any, str], dict[str, Any]]:
    """An object, not empty, with texts for keys and values of one form."""

    def reading(value: Any, place: str) -> dict[str, Any]:
        require(type(value) is dict and len(value) > 0, f"{place} is empty, or not an object", Unreadable)
        return {as_text(key, place): read(inner, form, f"{place}.{key[:40]}") for key, inner in value.items()}

    return reading


def chosen(names: Sequence[str], known: Iterable[str], place: str) -> list[str]:
    """Different names, in the order in which they are known."""
    different = set(names)
    in_order = [name for name in known if name in different]
    require(list(names) == in_order, f"{place}: names that are unknown, repeated or not in order", Unreadable)
    return in_order


def increasing(numbers: Sequence[int], place: str, below: int) -> Sequence[int]:
    """Different numbers in their order."""
    for one, other in pairwise(numbers):
        require(one != other, f"{place}: {one} occurs twice")
        require(one < other, f"{place}: {other} after {one}; numbers must be increasing", Unreadable)
    require(not numbers or numbers[-1] < below, f"{place}: {max(numbers, default=0)} is not below {below}", Unreadable)
    return numbers


def by_name(items: Sequence[Any], *, observed: bool = True) -> dict[str, Any]:
    """Variables by their names: each once, with as many states as they need, and one observed if one has to be."""
    found = {item["name"]: item for item in items}
    require(len(found) == len(items) <= MOST_VARIABLES, "too many variables, or one occurs twice", Unreadable)
    require(not observed or any(item["observed"] for item in items), "no variable is observed", Unreadable)
    sizes = ((1 + (item["observed"] is not False), item.get("states")) for item in items)
    if any(size is not None and not least <= size <= MOST_STATES for least, size in sizes):
        raise Unreadable("too few states, or too many states")
    return found


def acyclic(parents: Mapping[str, Iterable[str]]) -> None:
    """Refuse a cycle."""
    try:
        TopologicalSorter(parents).prepare()
    except CycleError:
        raise Unreadable("the edges form a cycle") from None


# Core: arithmetic modulo a prime --------------------------------------------------------------------------------------
def is_prime(number: int) -> bool:
    """Miller and Rabin's test; with these bases it is a proof below 2^64 (Sorenson and Webster 2015)."""
    bases = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)
    if number < 2 or any(number % base == 0 for base in bases):
        return number in bases
    odd = number - 1
    while odd % 2 == 0:
        odd //= 2
    for base in bases:
        exponent, power = odd, pow(base, odd, number)
        while 2 * exponent < number - 1 and power not in (1, number - 1):
            exponent, power = 2 * exponent, power * power % number
        if power != number - 1 and (power != 1 or exponent != odd):
            return False
    return True


class Field:
    """The integers modulo a prime."""

    def __init__(self, prime: int, work: Work) -> None:
        require(prime < 1 << 63 and is_prime(prime), f"{prime} is not a prime below 2^63")
        self.prime, self.work = prime, work
        work.spend(2000)

    def number(self, value: Fraction | int) -> int:
        """A rational number modulo the prime."""
        require(value.denominator % self.prime != 0, f"the prime {self.prime} divides the denominator of a number")
        return value.numerator * pow(value.denominator, -1, self.prime) % self.prime

    def drawn(self, source: str, count: int) -> list[int]:
        """The first residues of a stream, as docs/seeds.md describes."""
        self.work.spend(40 * count)
        key = hashlib.sha256(source.encode("utf-8")).digest()
        size = 4 if self.prime <= 1 << 32 else 8
        mask = (1 << (self.prime - 1).bit_length()) - 1
        found: list[int] = []
        block = 0
        while len(found) < count:
            digest = hashlib.sha256(key + block.to_bytes(8, "big")).digest()
            words = (int.from_bytes(digest[start : start + size], "big") & mask for start in range(0, 32, size))
            found.extend(word for word in words if word < self.prime)
            block += 1
        return found[:count]

    def eliminate(self, rows: Matrix, width: int) -> list[int]:
        """Subtract from each row multiples of those before it until it is zero or begins elsewhere, in place.

        Only the first ``width`` columns count. Return the numbers of the rows that become zero there.
        """
        dependent: list[int] = []
        for number, row in enumerate(rows):
            self.work.spend(len(rows) + width)
            column = next((k for k in range(width) if row[k]), None)
            if column is None:
                dependent.append(number)
                continue
            inverse, tail = pow(row[column], -1, self.prime), row[column:]
            for other in rows[number + 1 :]:
                if other[column]:
                    self.work.spend(8 + len(tail) * (1 + (self.prime >> 32 > 0)))
                    scale = self.prime - other[column] * inverse % self.prime
                    other[column:] = [(x + scale * y) % self.prime for x, y in zip(other[column:], tail, strict=True)]
        return dependent

    def rank(self, rows: Iterable[list[int]]) -> int:
        """The rank of a matrix, whose rows are used up."""
        matrix = list(rows)
        return len(matrix) - len(self.eliminate(matrix, len(matrix[0]) if matrix else 0))

    def kernel(self, rows: Sequence[Sequence[int]]) -> Matrix:
        """A basis of the left kernel: for each row that depends on those before it the relation with 1 there.

        In it only this row and independent ones before it have coefficients.
        """
        self.work.spend(20 * len(rows) ** 2)
        wide = [[*row, *(int(k == number) for k in range(len(rows)))] for number, row in enumerate(rows)]
        width = len(rows[0]) if rows else 0
        return [wide[number][width:] for number in self.eliminate(wide, width)]


# Core: joint states and graphs ----------------------------------------------------------------------------------------
def place_of(states: Sequence[int], sizes: Sequence[int]) -> int:
    """The number of a joint state; the first variable varies slowest."""
    return reduce(lambda number, pair: number * pair[1] + pair[0], zip(states, sizes, strict=True), 0)


def states_of(number: int, sizes: Sequence[int]) -> list[int]:
    """The joint state with a number."""
    states: list[int] = []
    for size in reversed(sizes):
        number, state = divmod(number, size)
        states.append(state)
    return states[::-1]


def unit_vectors(number: int, sizes: Sequence[int]) -> list[int]:
    """A unit vector for each variable: the joint state with a number."""
    return [int(k == x) for x, size in zip(states_of(number, sizes), sizes, strict=True) for k in range(size)]


def reached(arcs: Mapping[str, Iterable[str]], starts: Iterable[str], avoiding: Iterable[str] = ()) -> set[str]:
    """All vertices on paths from the starts that meet none to be avoided."""
    closed = set(avoiding)
    found = set(starts) - closed
    waiting = list(found)
    while waiting:
        for vertex in arcs.get(waiting.pop(), ()):
            if vertex not in found and vertex not in closed:
                found.add(vertex)
                waiting.append(vertex)
    return found


def connected(vertices: Iterable[str], links: Iterable[tuple[str, str]]) -> list[set[str]]:
    """The connected components, by their first vertices."""
    around: dict[str, list[str]] = {vertex: [] for vertex in vertices}
    for one, other in links:
        around[one].append(other)
        around[other].append(one)
    found: list[set[str]] = []
    seen: set[str] = set()
    for vertex in around:
        if vertex not in seen:
            found.append(reached(around, [vertex]))
            seen |= found[-1]
    return found


# Core: models and evidence --------------------------------------------------------------------------------------------
class Model:
    """A map: what every family has. Coordinates are numbered, and a functional is what `at` can differentiate."""

    parameters: Values
    point: type[Any]
    complete: int | None = None
    width = 0  # how many numbers a probe has
    size = coordinates = 0

    @property
    def count(self) -> int:
        """How many parameters occur in the coordinates; here all do."""
        return len(self.parameters)

    def relevant(self) -> Any:
        """The model without what changes nothing; here nothing is left out."""
        return self

    def seen_by(self, _side: str, _kind: Any) -> Model:
        """The model that evidence of a kind is about; here the model itself."""
        return self

    def coordinate(self, number: int) -> list[int]:
        """The functional that is one coordinate; here the coordinate's number."""
        return [number]

    def sums(self) -> list[Form]:
        """The sums of coordinates that are constant by themselves; here there are none."""
        return []

    def at(self, field: Field, values: Values) -> Any:
        """The map at a point."""
        return self.point(self, field, values)


class Check:
    """One run: the work that is left, and how deep evidence stands within evidence."""

    def __init__(self) -> None:
        self.work, self.depth = Work(), 0

    def bound(self, side: str, model: Model, node: Any) -> int:
        """Check one node of evidence for a model and return its value."""
        kind = node.get("kind") if type(node) is dict else None
        model = model.seen_by(side, kind)
        kinds = {kind: found for kind, found in KINDS.items() if side in found.sides and type(model) in found.models}
        known = type(kind) is str and kind in kinds
        require(known, f"evidence of an unknown kind for a {side} bound; known are {', '.join(kinds)}", Unreadable)
        found = kinds[str(kind)]
        checked = read(node, {"kind": as_text, "value": as_whole, **found.form}, str(kind))
        self.work.spend(10 * model.size)
        self.depth += 1
        require(self.depth <= MOST_DEPTH, f"evidence within evidence more than {MOST_DEPTH} deep", Unreadable)
        value = found.function(self, side, model, checked)
        self.depth -= 1
        require(value == checked["value"], f"{kind} shows {value}, not {checked['value']}")
        return value


def drawn(field: Field, model: Model, source: str) -> dict[Parameter, int]:
    """The values of the parameters, from a stream."""
    return dict(zip(model.parameters, field.drawn(source, len(model.parameters)), strict=True))


def rank(check: Check, _side: str, model: Model, node: Any) -> int:
    """A minor of the Jacobian that does not vanish at a point (Lemma lower bound); rows are coordinates or probes."""
    field = Field(node["prime"], check.work)
    columns = increasing(node["columns"], "columns", len(model.parameters))
    probes = node["probes"] is not None
    require(model.width > 0 or not probes, "the family has no probes", Unreadable)
    rows = increasing(node["rows"], "rows", 20 * MOST_RANK if probes else model.coordinates)
    if not len(rows) == len(columns) == node["value"] <= MOST_RANK:
        sizes = f"{len(rows)} rows and {len(columns)} columns"
        raise Invalid(f"{sizes} are no minor of {node['value']} rows, at most {MOST_RANK}")
    width, count = model.width, max(rows, default=-1) + 1
    numbers = field.drawn(node["probes"], width * count) if probes else []
    at = model.at(field, drawn(field, model, node["point"]))
    minor = []
    for row in rows:
        gradient = at.gradient(numbers[width * row : width * (row + 1)] if probes else model.coordinate(row))
        minor.append([gradient[column] for column in columns])
    require(field.rank(minor) == len(rows), f"the minor of {len(rows)} rows vanishes modulo {field.prime}")
    return len(rows)


def counting(_check: Check, _side: str, model: Model, _node: Any) -> int:
    """The parameters (Lemma counting and ambient)."""
    return model.count


def ambient(_check: Check, _side: str, model: Any, _node: Any) -> int:
    """The coordinates less the conditions that they obey (Lemma counting and ambient)."""
    return int(model.complete)


# Core: the certificate ------------------------------------------------------------------------------------------------
def check_certificate(data: bytes) -> str:
    """Check a certificate; return what it proves, or raise."""
    numbers = {"model": anything, "dimension": as_whole, "standard": as_whole, "complete": as_whole_or_null}
    outer = {"format": anything, "claim": numbers, "evidence": {"lower": anything, "upper": anything}}
    certificate = read(parsed(data), outer, "the certificate")
    form, claim, evidence = certificate["format"], certificate["claim"], certificate["evidence"]
    require(form == FORMAT, f"the format is another one; this program reads {FORMAT!r}", Unreadable)
    described, run = claim["model"], Check()
    family = described.get("family") if type(described) is dict else None
    known = type(family) is str and family in FAMILIES
    require(known, f"a family that is not known; known are {', '.join(FAMILIES)}", Unreadable)
    model = FAMILIES[str(family)](described, run.work)
    standard, complete, dimension = len(model.parameters), model.complete, claim["dimension"]
    require(standard == claim["standard"], f"the model has {standard} parameters, not {claim['standard']}")
    require(complete == claim["complete"], "the dimension of the saturated model is not the one claimed")
    for side in ("upper", "lower"):
        value = run.bound(side, model.relevant(), evidence[side])
        require(value == dimension, f"the {side} bound is {value}; claimed is the dimension {dimension}")
    return f"dimension {dimension}, {evidence['lower']['kind']} and {evidence['upper']['kind']}"


def verdict(data: bytes) -> tuple[int, str]:
    """The exit code for a certificate, and the reason in one line."""
    try:
        return 0, f"accepted: {check_certificate(data)}"
    except Refused as refused:
        return refused.code, f"{refused.word}: {refused}"


def content(path: str) -> bytes:
    """Read a file, no further than needed to see that it is too long."""
    with open(path, "rb") as file:  # noqa: PTH123 - the fewer imports the better
        return file.read(MOST_BYTES + 1)


# Tools: derivatives ---------------------------------------------------------------------------------------------------
Jet = dict[int, int]  # a number: its value at the point (key 0), its derivatives by parameters (from 1; others are 0)


class Jets:
    """Sums and products of numbers with their derivatives."""

    def __init__(self, field: Field, values: Values) -> None:
        self.field = field
        self.theta: list[Jet] = [{0: x, k: 1} for k, x in enumerate(values.values(), 1)]

    def coordinate(self, functional: Sequence[int]) -> Jet:
        """The jet of a functional of the coordinates: each family has its own."""
        raise NotImplementedError

    def gradient(self, functional: Sequence[int]) -> list[int]:
        """The derivatives of a functional."""
        found = self.coordinate(functional)
        self.field.work.spend(2 * len(self.theta))
        return [found.get(1 + number, 0) for number in range(len(self.theta))]

    def kept(self, found: Jet) -> Jet:
        """A number that is kept for later."""
        self.field.work.spend(40 * len(found))
        return found

    def total(self, terms: Iterable[Jet]) -> Jet:
        """A sum."""
        found: Jet = {0: 0}
        for term in terms:
            self.field.work.spend(20 + 10 * len(term))
            found.update((k, (found.get(k, 0) + x) % self.field.prime) for k, x in term.items())
        return found

    def product(self, factors: Iterable[Jet]) -> Jet:
        """A product, by the product rule."""
        found: Jet = {0: 1}
        for one in factors:
            others = {k: x * one[0] for k, x in found.items() if k}
            found = self.total([{k: x * found[0] for k, x in one.items()}, others])
        return found

    def power(self, one: Jet, exponent: int) -> Jet:
        """A power, which for the exponent 0 is 1."""
        slope = exponent * pow(one[0], max(0, exponent - 1), self.field.prime)
        return {k: x * slope if k else pow(x, exponent, self.field.prime) for k, x in one.items()}

    def inverse(self, one: Jet) -> Jet:
        """The reciprocal."""
        require(one[0] % self.field.prime != 0, "a denominator vanishes at the point")
        inverse = pow(one[0], -1, self.field.prime)
        return {k: -x * inverse**2 if k else inverse for k, x in one.items()}

    def row(self, free: list[Jet]) -> list[Jet]:
        """Probabilities: the last is 1 minus the others."""
        return [*free, self.total([{0: 1}, *({k: -x for k, x in one.items()} for one in free)])]


# Tools: polynomials ---------------------------------------------------------------------------------------------------
Polynomial = dict[tuple[Any, ...], Fraction]  # by the parameters that are multiplied, in order
Ratio = tuple[Polynomial, Polynomial]
ONE: Polynomial = {(): Fraction(1)}


def size_of(*numbers: Fraction | int) -> int:
    """How long numbers are together, in words of 64 bits; to compute with them takes the square of it."""
    return sum(x.numerator.bit_length() + x.denominator.bit_length() for x in numbers) // 64


def added(products: Iterable[tuple[Polynomial, Polynomial]], work: Work) -> Polynomial:
    """A sum of products of two polynomials, multiplied out."""
    found: Polynomial = {}
    for one, other in products:
        work.spend(50)
        for (first, x), (last, y) in product(one.items(), other.items()):
            work.spend(100 + 10 * (len(first) + len(last)))
            key = tuple(sorted((*first, *last)))
            work.spend(100 * (key not in found) + size_of(x, y, found.get(key, 0)) ** 2)
            found[key] = found.get(key, Fraction(0)) + x * y
    return {key: x for key, x in found.items() if x}


def along(one: Polynomial, field: Mapping[str, Polynomial], work: Work) -> Polynomial:
    """The derivative along a field."""
    terms = ((key, x, k, p) for key, x in one.items() for k, p in enumerate(key) if p in field)
    return added((({key[:k] + key[k + 1 :]: x}, field[p]) for key, x, k, p in terms), work)


def polynomial_at(one: Polynomial, field: Field, values: Values) -> int:
    """The value at a point."""
    field.work.spend(sum(50 + 2 * len(key) for key in one))
    terms = (reduce(lambda y, p: y * values[p] % field.prime, key, field.number(x)) for key, x in one.items())
    return sum(terms) % field.prime


def rational_rank(rows: Iterable[Polynomial], work: Work) -> int:
    """The rank over ℚ of rows whose columns are monomials, or any other tuples."""
    pivots: dict[tuple[Any, ...], Polynomial] = {}
    for row in rows:
        left = row
        while left:
            key = min(left)
            if key not in pivots:
                pivots[key] = left
                break
            left = added([(left, ONE), (pivots[key], {(): -left[key] / pivots[key][key]})], work)
    return len(pivots)


def multiplied_out(formula: Any, parameters: Iterable[str], work: Work, depth: int = 0) -> Ratio:
    """A formula, which is a number, a parameter, a sum, a product, a power or a quotient, as a quotient of polynomials."""
    work.spend(50)
    require(depth < MOST_FORMULAS, f"formulas within formulas {MOST_FORMULAS} deep", Unreadable)
    if type(formula) is str:
        key, number = ((formula,), Fraction(1)) if formula in parameters else ((), as_rational(formula, "a formula"))
        return {key: number} if number else {}, ONE
    form = {"sum?": [anything], "product?": [anything], "quotient?": [anything], "power?": [anything]}
    used = [(word, inner) for word, inner in read(formula, form, "a formula").items() if inner is not None]
    require(len(used) == 1 and (used[0][0] in ("sum", "product") or len(used[0][1]) == 2), "no formula", Unreadable)
    word, inner = used[0]
    exponent = as_whole(inner.pop(), "an exponent") if word == "power" else 1
    require(exponent <= MOST_POWER, f"an exponent above {MOST_POWER}", Unreadable)
    parts = [multiplied_out(one, parameters, work, depth + 1) for one in inner]
    if word == "quotient":
        parts[1] = parts[1][::-1]
        require(parts[1][1] != {}, "a quotient by zero", Unreadable)
    if word != "sum":
        above, below = ONE, ONE
        for one, other in parts * exponent:
            above, below = added([(above, one)], work), below if other == ONE else added([(below, other)], work)
        return above, below
    above, below = {}, ONE
    fractions: dict[Any, tuple[Polynomial, list[Polynomial]]] = {}
    for one, other in parts:
        fractions.setdefault(frozenset(other.items()), (other, []))[1].append(one)
    for other, over in fractions.values():
        same = added(((one, ONE) for one in over), work)
        above, below = added([(above, other), (same, below)], work), added([(below, other)], work)
    return above, below


def distinct(polynomials: Iterable[Polynomial]) -> list[Polynomial]:
    """Those that are different."""
    return list({frozenset(one.items()): one for one in polynomials}.values())


# Theorems: equations and symmetries -----------------------------------------------------------------------------------
OPTIONAL = {"exchangeable?": [[as_name]], "margin?": [as_name], "upper?": anything}
GRADIENTS = {"constants": [as_whole], "matrices": [anything], **OPTIONAL}


def equations(check: Check, _side: str, model: Any, node: Any) -> int:
    """The coordinates less the gradients, at a point, of equations that hold (Lemmas equations, matrices of bounded rank).

    Coordinates that are equal count once (Lemma distinct cells). A matrix that has at the point the rank that bounds it gives ℓᵀMr for ℓ and r in its kernels.
    With a margin, what is shown of it is added to what the equations leave open of the rest (Lemma margins).
    """
    field = Field(node["prime"], check.work)
    names, upper = node.get("margin"), node.get("upper")
    require((names is None) == (upper is None), "margin and upper are there together, or neither", Unreadable)
    is_one = isinstance(model, Discrete) and bool(names) and node.get("exchangeable") is None
    require(names is None or (is_one and chosen(names, model.observed, "margin") == names), "margin", Unreadable)
    at = model.at(field, drawn(field, model, node["point"]))
    increasing(node["constants"], "constants", model.coordinates)
    require(model.constant(node["constants"], check.work), "a coordinate that is not constant is claimed to be")
    place = class_numbers(model, node.get("exchangeable"), check.work)
    count = max(place) + 1
    check.work.spend(120 * model.coordinates)

    def line_of(one: Form) -> list[int]:
        check.work.spend(40 * model.coordinates)
        added_up = [0] * count
        for k in one:
            added_up[place[k]] = (added_up[place[k]] + one[k]) % field.prime
        return added_up

    sums = [*(sums_over(model, names) if names else []), *model.sums()]
    lines = [line_of(one) for one in (*sums, *({number: 1} for number in node["constants"]))]
    values: dict[int, int] = {}
    for item in node["matrices"]:
        check.work.spend(10 * model.size)
        has = item.keys() if isinstance(model, Discrete) and type(item) is dict else ()
        make = grid if "minors" in has else pencil if "D" in has else determinants if "chain" in has else None
        bound, matrix = make(model, item, at) if make else model.matrix(item, field)
        used = [number for line in matrix for form in line for number in form]
        pairs = read(item["pairs"], [[as_whole]], "pairs")
        check.work.spend(8 * (1 + len(pairs)) * (len(used) + len(matrix) * len(matrix[0])))
        for number in set(used) - values.keys():
            values[number] = at.value(model.coordinate(number))
        numbers = [[sum(w * values[k] for k, w in form.items()) % field.prime for form in line] for line in matrix]
        left, right = field.kernel(numbers), field.kernel(list(zip(*numbers, strict=True)))
        shown = len(matrix) - len(left)
        require(shown == bound, f"a matrix has rank {shown} at the point; the evidence needs {bound}")
        for pair in pairs:
            if len(pair) != 2 or pair[0] >= len(left) or pair[1] >= len(right):
                raise Invalid(f"the pair {pair} does not name a row of the left kernel and one of the right kernel")
            check.work.spend(8 * len(used))
            form: Form = {}
            for x, line in zip(left[pair[0]], matrix, strict=True):
                for y, entry in zip(right[pair[1]], line, strict=True) if x else ():
                    for number, weight in entry.items() if y else ():
                        form[number] = (form.get(number, 0) + x * y * weight) % field.prime
            lines.append(line_of(form))
    left_open: int = count - field.rank(lines)
    return left_open if names is None else left_open + check.bound("upper", margin_of(model, names), upper)


def margin_of(model: Discrete, names: Sequence[str]) -> Discrete:
    """The model of which only some observed variables are observed; others that were conditioned on have a free table."""
    shown = {v: x._replace(observed=v in names) for v, x in model.variables.items()}
    return Discrete(shown, [v for v in model.given if v in names]).relevant()


def sums_over(model: Discrete, names: Sequence[str]) -> list[Form]:
    """The sums of the cells with the same state of some observed variables."""
    others = model.places([v for v in model.observed if v not in names])
    return [{place + other: 1 for other in others} for place in model.places(names)]


def exchanged(model: Discrete, one: str, other: str) -> list[tuple[list[str], Table]]:
    """The tables that have one of two variables, with these in each other's places."""
    places = {one: other, other: one}
    found = [([places.get(v, v) for v in scope], table) for scope, table in model.tables if places.keys() & {*scope}]
    quotients = any(isinstance(entry, Quotient) for _, table in found for entry in table.values())
    require(not quotients, f"{one} or {other} has to do with a table of quotients")
    return found


def class_numbers(model: Any, groups: list[list[str]] | None, work: Work) -> Sequence[int]:
    """For each coordinate its number among those that differ: cells where variables are exchangeable (Lemma equal cells)."""
    if groups is None:
        return range(model.coordinates)
    require(isinstance(model, Discrete) and all(len(group) > 1 for group in groups or [[]]), "exchangeable", Unreadable)
    used = [v for group in groups for v in chosen(group, model.observed, "exchangeable")]
    require(len(used) == len({*used}) and not {*used} & {*model.given}, "groups that overlap, or are conditioned on")
    for one, other in chain(*map(pairwise, groups)):
        before, after = exchanged(model, one, one), exchanged(model, one, other)
        before += [pair for pair in exchanged(model, other, other) if one not in pair[0]]
        work.spend(5 * model.size * (1 + len(before) ** 2))
        same = model.sizes[one] == model.sizes[other] and len(before) == len(after)
        kept = all(before.count(pair) == after.count(pair) for pair in before)
        require(same and kept, f"{one} and {other} are not exchangeable")
    work.spend(40 * model.coordinates * (1 + len(model.observed)))
    numbers: dict[tuple[int, ...], int] = {}
    found = []
    for number in range(model.coordinates):
        cell = states_of(number, model.shape)
        for places in ([model.observed.index(v) for v in group] for group in groups):
            for k, state in zip(places, sorted(cell[k] for k in places), strict=True):
                cell[k] = state
        found.append(numbers.setdefault(tuple(cell), len(numbers)))
    return found


def classes_between(
    model: Discrete, blocks: list[list[str]], given: list[str], state: tuple[int, ...], names: list[str], work: Work
) -> int:
    """The number of states of hidden variables that, with a state of others, separate blocks (Lemma matrices of bounded rank)."""
    used, hidden = [v for block in [*blocks, given] for v in block], chosen(names, model.hidden, "S")
    require(all(blocks) and len(used) == len(set(used)), "blocks that are empty or overlap")
    for number, block in enumerate(blocks):
        others = [v for other in blocks[number + 1 :] for v in other]
        apart = model.separated(block, others, given + hidden)
        require(apart, f"{block} and {others} are not separated by {given + hidden}")
    return sum(key[: len(given)] == state for key in model.possible([*given, *hidden], work))


def table_span(model: Discrete, blocks: list[list[str]], given: list[str], through: list[str]) -> int:
    """The dimension of what the tables can hand on of the states of variables without parents (Lemma spans)."""
    rows, used = {*blocks[0]}, [*chain(*blocks), *given]
    require(all(blocks) and len(used) == len({*used}), "blocks that are empty or overlap")
    require(not any(model.variables[v].parents for v in rows), "the rows are states of a variable with parents")
    children = [v for v, x in model.variables.items() if rows & {*x.parents}]
    require(through == children, f"{through} are not the children of {blocks[0]}")
    found = 1
    for v in children:
        others = model.states([u for u in model.variables[v].parents if u not in rows and u not in given])
        found *= others if v in given else others * (model.sizes[v] - 1) + 1
    return found


def flattening(model: Discrete, item: Any, field: Field) -> tuple[int, list[list[Form]]]:
    """P(x, y, C = c), or the Koszul flattening of P(x, y, z, C = c), for blocks that S and C separate: of bounded rank."""
    form = {"blocks": [[as_name]], "C": [as_name], "state": [as_whole], "pairs": anything}
    by_tables = type(item) is dict and "through" in item
    more = {"through": [as_name]} if by_tables else {"S": [as_name], "order?": as_whole, "projection?": [[as_integer]]}
    item, work = read(item, {**form, **more}, "a matrix"), field.work
    three = item.get("order") is not None
    require(len(item["blocks"]) == 2 + three, "two blocks, or three with an order", Unreadable)
    blocks = [chosen(block, model.observed, "a block") for block in item["blocks"]]
    given, state = chosen(item["C"], model.observed, "C"), tuple(item["state"])
    if len(state) != len(given) or any(k >= model.sizes[v] for k, v in zip(state, given, strict=True)):
        raise Unreadable("state is not a state of C")
    if by_tables:
        classes = table_span(model, blocks, given, item["through"])
    else:
        classes = classes_between(model, blocks, given, state, item["S"], work)
    rest = [v for v in model.observed if v not in {*given, *chain(*blocks)}]
    x, y, *z = (model.states(block) for block in blocks)
    work.spend(x * y * prod(z) * (200 + 50 * model.states(rest)))
    start, others = model.places(given)[place_of(state, [model.sizes[v] for v in given])], model.places(rest)
    places = [list(enumerate(model.places(block))) for block in blocks]
    tensor: dict[tuple[int, ...], Form] = {}
    for key in product(*places):
        cell = start + sum(place for _, place in key)
        tensor[tuple(number for number, _ in key)] = {cell + other: 1 for other in others}
    if not three:
        return classes, [[tensor[a, b] for b in range(y)] for a in range(x)]
    if item["projection"] is not None:
        tensor, x = projected(tensor, item["projection"], x, field), len(item["projection"])
    require(1 <= item["order"] <= x - 2, f"order {item['order']} of a block of dimension {x}")
    matrix = koszul(tensor, x, y, z[0], item["order"], work)
    return comb(x - 1, item["order"]) * classes, matrix


def grid(model: Discrete, item: Any, at: Any) -> tuple[int, list[list[Form]]]:
    """Derivatives of the coefficients of minors that vanish on a grid; the matrix of them has bounded rank (Lemma grids)."""
    form = {"blocks": [[as_name]], "C": [as_name], "G": [as_name], "H": [as_name], "state": [as_whole]}
    more = {"minors": [[as_whole]], "together": as_truth, "pairs": anything}
    item, field, work = read(item, {**form, **more}, "a matrix"), at.field, at.field.work
    require(len(item["blocks"]) == 4, "four blocks", Unreadable)
    a, b, *inner = [chosen(block, model.observed, "a block") for block in item["blocks"]]
    given, one, other = (
        chosen(item[k], known, k) for k, known in (("C", model.observed), *((x, model.hidden) for x in "GH"))
    )
    used, state = [*a, *b, *chain(*inner), *given], tuple(item["state"])
    require(
        len(used) == len({*used}) and all([a, *inner]) and bool(b) == bool(other), "blocks that overlap or are empty"
    )
    require(not {*one} & {*other}, "G and H have a variable in common")
    for block, others, between in ((a, [*b, *chain(*inner), *other], one), (b, [*a, *chain(*inner), *one], other)):
        apart = not block or model.separated(block, others, given + between)
        require(apart, f"{block} and {others} are not separated by {given + between}")
    require(model.separated(inner[0], inner[1], [*given, *one, *other]), f"{inner} are not separated")
    if len(state) != len(given) or any(k >= model.sizes[v] for k, v in zip(state, given, strict=True)):
        raise Unreadable("state is not a state of C")
    counts = [sum(key[: len(given)] == state for key in model.possible([*given, *side], work)) for side in (one, other)]
    u, v, x, y = (model.states(block) for block in (a, b, *inner))
    rest = model.places([name for name in model.observed if name not in used])
    start = model.places(given)[place_of(state, [model.sizes[name] for name in given])]
    minors = item["minors"]
    inside = all(len(m) == 4 and m[0] < m[1] < x and m[2] < m[3] < y for m in minors)
    require(inside and len({*map(tuple, minors)}) == len(minors) > 0, "minors", Unreadable)
    squares = [list(combinations_with_replacement(range(k), 2)) for k in (u, v)]
    work.spend(
        u * v * x * y * len(rest) * (200 + 2 * model.size) + 2000 * prod(map(len, squares)) * len(minors) * len(rest)
    )
    places = product(*(enumerate(model.places(block)) for block in (a, b, *inner)))
    cells = {tuple(k for k, _ in key): [start + sum(k for _, k in key) + z for z in rest] for key in places}
    numbers = {
        key: sum(at.value(model.coordinate(cell)) for cell in found) % field.prime for key, found in cells.items()
    }
    sides = [[[numbers[i, *key] for key in product(range(v), range(x), range(y))] for i in range(u)]]
    sides += [[[numbers[k, j, p, q] for k, p, q in product(range(u), range(x), range(y))] for j in range(v)]]
    require([*map(field.rank, sides)] == counts, "the outer blocks do not tell the hidden states apart at the point")

    def entry(rows: tuple[int, int], columns: tuple[int, int], minor: list[int]) -> Form:
        found: Form = {}
        p, s, q, t = minor
        orders = product({rows, rows[::-1]}, {columns, columns[::-1]})
        for ((i, k), (j, m)), (near, far, sign) in product(orders, (((p, q), (s, t), 1), ((p, t), (s, q), -1))):
            for here, there in (((i, j, *near), (k, m, *far)), ((k, m, *far), (i, j, *near))):
                for cell in cells[here]:
                    found[cell] = (found.get(cell, 0) + sign * numbers[there]) % field.prime
        return found

    sizes, few = [count * (count + 1) // 2 for count in counts], len(minors)
    if item["together"]:
        both = product(*squares)
        return prod(sizes) - prod(counts), [[entry(i, j, minor) for minor in minors] for i, j in both]
    most = sizes[0] - counts[0] + few * (sizes[1] - counts[1])
    return most, [[entry(i, j, minor) for j, minor in product(squares[1], minors)] for i in squares[0]]


def pencil(model: Discrete, item: Any, at: Any) -> tuple[int, list[list[Form]]]:
    """Derivatives of the coefficients of determinants that are proportional for all states of D (Lemma pencils)."""
    form = {"blocks": [[as_name]], "C": [as_name], "D": [as_name], "G": [as_name], "H": [as_name], "state": [as_whole]}
    item, field, work = read(item, {**form, "pairs": anything}, "a matrix"), at.field, at.field.work
    require(len(item["blocks"]) == 3, "three blocks", Unreadable)
    a, b, y, given, more = [chosen(s, model.observed, "a block") for s in (*item["blocks"], item["C"], item["D"])]
    one, other = (chosen(item[k], model.hidden, k) for k in "GH")
    used, state = [*a, *b, *y, *given, *more], tuple(item["state"])
    require(len(used) == len({*used}) and all([a, b, y, more, one, other]), "blocks that overlap or are empty")
    require(not {*one} & {*other}, "G and H have a variable in common")
    size, letters = model.states(a), model.states(y)
    require(all(model.states(names) == size for names in (b, one, other)), "matrices that are not square")
    terms = factorial(size) * letters**size if size <= 8 else inf
    require(terms <= 10**4, f"determinants of {terms} terms; at most {10**4} are allowed")
    for block, others, between in ((a, [*b, *y, *other], one), (b, [*a, *y, *one], other)):
        apart = model.separated(block, others, [*given, *more, *between])
        require(apart, f"{block} and {others} are not separated by {[*given, *more, *between]}")
    alone = model.separated(one, other, [*given, *more]) and model.separated(y, more, [*given, *one, *other])
    require(alone or model.separated([*one, *other, *y], more, given), f"the inner table may depend on {more}")
    if len(state) != len(given) or any(k >= model.sizes[v] for k, v in zip(state, given, strict=True)):
        raise Unreadable("state is not a state of C")
    start = model.places(given)[place_of(state, [model.sizes[name] for name in given])]
    rest = model.places([name for name in model.observed if name not in used])
    work.spend(model.states([*a, *b, *y, *more]) * len(rest) * (200 + 2 * model.size))
    work.spend(terms * model.states(more) * size * (200 + 100 * len(rest)))
    keys = [*product(*(enumerate(model.places(block)) for block in (a, b, y, more)))]
    cells = {tuple(k for k, _ in key): [start + sum(z for _, z in key) + other for other in rest] for key in keys}
    numbers = {key: sum(at.value(model.coordinate(cell)) for cell in found) for key, found in cells.items()}
    monomials = {m: k for k, m in enumerate(combinations_with_replacement(range(letters), size))}
    matrix: list[list[Form]] = [[{} for _ in monomials] for _ in range(model.states(more))]
    for columns, places in product(permutations(range(size)), product(range(letters), repeat=size)):
        sign = (-1) ** sum(p > q for p, q in combinations(columns, 2))
        for row, line in enumerate(matrix):
            into = line[monomials[tuple(sorted(places))]]
            factors = [(i, j, k, row) for i, (j, k) in enumerate(zip(columns, places, strict=True))]
            for key in factors:
                weight = sign * prod(numbers[near] for near in factors if near != key)
                for cell in cells[key]:
                    into[cell] = (into.get(cell, 0) + weight) % field.prime
    return 1, matrix


def determinants(model: Discrete, item: Any, at: Any) -> tuple[int, list[list[Form]]]:
    """Derivatives of determinants that are products of a function of U and one of V, or of forms (Lemma determinants).

    The forms are in letters for the states of some members of U, and of V, over which the matrices are summed.
    """
    form = {"blocks": [[as_name]], "C": [as_name], "chain": [as_name], "rows": [as_whole], "columns": [as_whole]}
    item, field = read(item, {**form, "state": [as_whole], "pairs": anything}, "a matrix"), at.field
    require(len(item["blocks"]) in (4, 6), "four blocks, or six with letters", Unreadable)
    *blocks, given = [chosen(s, model.observed, "a block") for s in (*item["blocks"], item["C"])]
    ends, (y, u, z, v) = blocks[:2], blocks[2:] if len(blocks) == 6 else ([], blocks[2], [], blocks[3])
    used, state = [*chain(*blocks), *given], tuple(item["state"])
    require(len(used) == len({*used}) and all([*ends, y + u, z + v]), "blocks that overlap or are empty")
    if len(state) != len(given) or any(k >= model.sizes[v] for k, v in zip(state, given, strict=True)):
        raise Unreadable("state is not a state of C")
    require_product(model, ends, item["chain"], [(y, u), (z, v)], given, field.work)
    sizes, lines = {model.sizes[name] for name in item["chain"]}, [item["rows"], item["columns"]]
    for places, block in zip(lines, ends, strict=True):
        increasing(places, "rows or columns", model.states(block))
        require(
            {len(places)} == sizes and len(places) <= 6,
            "as many rows and columns as each of the chain has states, at most 6",
        )
    size, apart, letters = len(lines[0]), model.states([*u, *v]), model.states([*y, *z])
    require(letters == 1 or factorial(size) * letters**size <= 10**4, "determinants of more than 10000 terms")
    start = model.places(given)[place_of(state, [model.sizes[name] for name in given])]
    rest = model.places([name for name in model.observed if name not in used])
    field.work.spend(size**2 * apart * letters * len(rest) * (200 + 2 * model.size))
    field.work.spend(factorial(size) * letters**size * size * apart * (200 + 100 * len(rest)))
    corners = [[model.places(end)[k] for k in places] for end, places in zip(ends, lines, strict=True)]
    keys = [*product(*map(enumerate, (*corners, *map(model.places, (y, u, z, v)))))]
    cells = {tuple(k for k, _ in key): [start + sum(step for _, step in key) + other for other in rest] for key in keys}
    numbers = {key: sum(at.value(model.coordinate(cell)) for cell in found) for key, found in cells.items()}
    counts = [range(model.states(names)) for names in (y, u, z, v)]
    powers = [{m: n for n, m in enumerate(combinations_with_replacement(counts[k], size))} for k in (0, 2)]
    sides = [[*product(powers[k // 2].values(), counts[k + 1])] for k in (0, 2)]
    matrix: dict[Any, Form] = {key: {} for key in product(*sides)}
    for order, near, far in product(permutations(range(size)), *(product(counts[k], repeat=size) for k in (0, 2))):
        sign = (-1) ** sum(p > q for p, q in combinations(order, 2))
        monomials = [power[tuple(sorted(one))] for power, one in zip(powers, (near, far), strict=True)]
        for one, other in product(counts[1], counts[3]):
            into = matrix[(monomials[0], one), (monomials[1], other)]
            factors = [(i, j, p, one, q, other) for i, (j, p, q) in enumerate(zip(order, near, far, strict=True))]
            for factor in factors:
                weight = sign * prod(numbers[key] for key in factors if key != factor)
                for cell in cells[factor]:
                    into[cell] = (into.get(cell, 0) + weight) % field.prime
    return 1, [[matrix[row, column] for column in sides[1]] for row in sides[0]]


def require_product(
    model: Discrete,
    ends: Sequence[list[str]],
    between: Sequence[str],
    sides: Sequence[tuple[list[str], list[str]]],
    given: Sequence[str],
    work: Work,
) -> None:
    """Refuse unless the table of two ends is a product of square matrices along a chain, none a function of both sides.

    These matrices, and numbers, are the functions that tables are when what is summed out, but the chain, is so. What
    of a side is summed with letters is in one of these functions.
    """
    kept = {*chain(*ends, *(names for side in sides for names in side)), *given}
    above = model.above(kept)
    known = {*between} <= above.variables.keys() - kept and len(between) == len({*between}) > 0
    require(known, "the chain is empty, or not of different variables that are summed out")
    order = [ends[0], *([v] for v in between), ends[1]]
    place = {v: k for k, names in enumerate(order) for v in names}
    scopes = {scope[-1]: scope for scope, _ in above.tables}
    first: dict[str, str] = {}
    pairs = [(v, u) for v, scope in scopes.items() for u in scope if u not in place and u not in kept]
    work.spend(100 * (len(pairs) + above.size))
    groups = connected(scopes, [(first.setdefault(u, v), v) for v, u in pairs])
    functions = [{u for v in group for u in scopes[v]} for group in groups]

    def joined(mine: list[set[str]]) -> list[set[str]]:
        """The functions, some of them as one, with those between the same two places of the chain if it is between two."""
        near = sorted({place[u] for one in mine for u in one if u in place})
        require(len(near) < 2 or near == [near[0], near[0] + 1], f"tables join {between} otherwise than as a chain")
        if len(near) == 2:
            mine += [one for one in functions if one not in mine and {place[u] for u in one if u in place} == {*near}]
        work.spend(100 * len(functions) + 10 * sum(map(len, functions)))
        return [one for one in functions if one not in mine] + [{*chain(*mine)}] * bool(mine)

    for one in list(functions):
        functions = joined([one]) if one in functions else functions
    for letters, _ in sides:
        functions = joined([one for one in functions if not one.isdisjoint(letters)])
    names = [[*chain(*side)] for side in sides]
    both = any(not one.isdisjoint(names[0]) and not one.isdisjoint(names[1]) for one in functions)
    require(not both, f"a function of {names[0]} and {names[1]}")


def projected(tensor: Mapping[Any, Form], projection: Matrix, size: int, field: Field) -> dict[Any, Form]:
    """The tensor multiplied by a matrix of integers, modulo the prime, along its first axis."""
    require(all(len(row) == size for row in projection), f"a projection has rows of {size} integers", Unreadable)
    field.work.spend(len(projection) * sum(100 + 60 * len(form) for form in tensor.values()))
    result: dict[Any, Form] = {}
    for i, row in enumerate(projection):
        scales = [x % field.prime for x in row]
        for (k, y, z), form in tensor.items():
            into = result.setdefault((i, y, z), {})
            if scales[k]:
                into.update({number: into.get(number, 0) + scales[k] * weight for number, weight in form.items()})
    return result


def koszul(tensor: Mapping[Any, Form], x: int, y: int, z: int, order: int, work: Work) -> list[list[Form]]:
    """The matrix with the rows (J, c), the columns (I, b) and the entries ±T[i, b, c] where J = I ∪ {i}."""
    work.spend(1 << min(order, x - order, 60))  # C(x, order) is at least as large
    entries, longest = comb(x, order) * comb(x, order + 1) * y * z, max(map(len, tensor.values()))
    work.spend(16 * entries + comb(x, order + 1) * (order + 1) * y * z * (200 + 60 * longest))
    columns = {smaller: number * y for number, smaller in enumerate(combinations(range(x), order))}
    nothing: Form = {}
    matrix: list[list[Form]] = []
    for larger, c in product(combinations(range(x), order + 1), range(z)):
        line = [nothing] * (len(columns) * y)
        for k, i in enumerate(larger):
            first, sign = columns[larger[:k] + larger[k + 1 :]], (-1) ** k
            line[first : first + y] = ({n: sign * w for n, w in tensor[i, b, c].items()} for b in range(y))
        matrix.append(line)
    return matrix


def symmetry(check: Check, _side: str, model: Any, node: Any) -> int:
    """The parameters less the rank of fields along which nothing observed changes (Lemma symmetry)."""
    field = Field(node["prime"], check.work)
    values = drawn(field, model, node["point"])
    return len(model.parameters) - field.rank(
        rows_of(directions_of(check, field, model, values, node["fields"]), model)
    )


def directions_of(check: Check, field: Field, model: Any, values: Values, items: Sequence[Any]) -> list[Values]:
    """The values at a point of fields along which nothing observed changes (Lemma symmetry)."""
    found: list[Values] = []
    for item in items:
        check.work.spend(10 * model.size)
        for direction in model.directions(check, field, values, item):
            check.work.spend(40 * len(model.parameters))
            found.append(direction)
    return found


def rows_of(directions: Iterable[Values], model: Model) -> Iterator[list[int]]:
    """Directions as rows with a number for each parameter."""
    return ([direction.get(parameter, 0) for parameter in model.parameters] for direction in directions)


def read_field(item: Any, movable: Values, known: Values, work: Work) -> dict[str, Polynomial]:
    """A field that moves some parameters by polynomials in those that are known."""
    moved = dictionary(anything)(item, "a field")
    require(moved.keys() <= movable.keys(), "a field that moves what is no parameter", Unreadable)
    found: dict[str, Polynomial] = {}
    for parameter, formula in moved.items():
        found[parameter], below = multiplied_out(formula, known, work)
        require(below == ONE, "a field with a quotient", Unreadable)
    return found


def formula_direction(ratios: Iterable[Ratio], field: Field, values: Mapping[str, int], item: Any) -> dict[str, int]:
    """A field given by polynomials along which no quotient N / D changes: D dN = N dD (Lemmas symmetry, formulas)."""
    work = field.work
    found = read_field(item, values, values, work)
    for above, below in ratios:
        slopes = (along(above, found, work), along(below, found, work))
        same = added([(below, slopes[0])], work) == added([(above, slopes[1])], work)
        require(same, "a coordinate changes along a field")
    return {parameter: polynomial_at(slope, field, values) for parameter, slope in found.items()}


def cells_multiplied_out(model: Discrete, texts: Mapping[Parameter, str], work: Work) -> list[Ratio]:
    """All cells, multiplied out, in the texts that stand for parameters."""
    work.spend(model.states(model.sizes) * (50 + sum(50 + len(scope) for scope, _ in model.tables)))
    quotients = any(isinstance(entry, Quotient) for _, table in model.tables for entry in table.values())
    require(not quotients, "an entry that is a quotient")
    cells: dict[tuple[int, ...], Polynomial] = {}
    for states in product(*map(range, model.sizes.values())):
        at = dict(zip(model.sizes, states, strict=True))
        found = ONE
        for scope, table in model.tables:
            entry = table.get(tuple(at[v] for v in scope), {})
            terms = {() if p == "1" else (texts[p],): Fraction(x) for p, x in entry.items()}
            found = added([(found, terms)], work)
        cell = tuple(at[v] for v in model.observed)
        cells[cell] = added([(cells.get(cell, {}), ONE), (found, ONE)], work)
    return [(cell, ONE) for cell in cells.values()]


def moments_multiplied_out(model: Gaussian, work: Work) -> list[Ratio]:
    """The coordinates of a model without cycles: of Σ = TᵀΩT and μ = Tᵀm, T having the sums over directed paths."""
    parents = {v: [k.row for k in model.entries if k.matrix == "B" and k.column == v] for v in model.variables}
    acyclic(parents)
    work.spend(50 * model.size * len(model.variables))
    known = {k: {((one,) if one else ()): c for one, c in terms_of(x)} for k, x in model.entries.items()}
    paths: dict[str, dict[str, Polynomial]] = {"1": {"1": ONE}}
    for v in TopologicalSorter(parents).static_order():
        paths[v] = {v: ONE}
        for u in parents[v]:
            for k, x in paths[u].items():
                paths[v][k] = added([(paths[v].get(k, {}), ONE), (x, known[Place("B", u, v)])], work)
    errors = {(place.row, place.column): x for place, x in known.items() if place.matrix != "B"}
    found: list[Ratio] = []
    for one, other in model.pairs():
        pairs = [pair for pair in product(paths[one], paths[other]) if pair in errors]
        terms = [(added([(paths[one][k], errors[k, m])], work), paths[other][m]) for k, m in pairs]
        found.append((added(terms, work), ONE))
    return found


def direction_of_quotients(model: LogLinear, check: Check, field: Field, values: Values, item: Any) -> Values:
    """A field of polynomials along which no cell, divided by the sum of all, changes."""
    cells = cells_multiplied_out(model, {parameter: parameter for parameter in model.parameters}, check.work)
    total = added(cells, check.work)
    return formula_direction([(cell, total) for cell, _ in cells], field, values, item)


def local_directions(model: Discrete, check: Check, field: Field, values: Values, item: Any) -> Iterator[Values]:
    """Of a local map, or the whole, a field of polynomials or, if the point shows its rank, the kernel (Lemma symmetry)."""
    item = read(item, {"hidden?": [as_name], "along?": anything, "upper?": anything}, "a field")
    require((item["along"] is None) != (item["upper"] is None), "a field is along formulas or has a bound", Unreadable)
    require(item["hidden"] is not None or item["upper"] is None, "a bound of a local map that is not named", Unreadable)
    hidden = chosen(item["hidden"] or [], model.hidden, "hidden")
    local = model if item["hidden"] is None else model.local_map(hidden)
    outside = (x.table.values() for v, x in model.variables.items() if v not in local.variables or v in local.given)
    elsewhere = {parameter for table in outside for entry in table for parameter in entry}
    require(elsewhere.isdisjoint(local.parameters), f"parameters around {','.join(hidden)} occur elsewhere")
    if item["along"] is not None:
        names = {f"p{number}": parameter for parameter, number in model.parameters.items()}
        texts = {parameter: text for text, parameter in names.items()}
        known = {text: values[parameter] for text, parameter in names.items()}
        moved = formula_direction(cells_multiplied_out(local, texts, check.work), field, known, item["along"])
        require(local.parameters.keys() >= {names[text] for text in moved}, "a field that moves others")
        yield {names[text]: x for text, x in moved.items()}
        return
    bound = check.bound("upper", local, item["upper"])
    at = local.at(field, values)
    check.work.spend(local.coordinates * (80 * len(local.parameters) + 20 * local.width))
    rows = [at.gradient(local.coordinate(number)) for number in range(local.coordinates)]
    kernel_ = field.kernel(list(zip(*rows, strict=True)))
    found = len(local.parameters) - len(kernel_)
    require(found == bound, f"a local map has rank {found} at the point; the evidence needs {bound}")
    for relation in kernel_:
        yield dict(zip(local.parameters, relation, strict=True))


# Theorems: common tables and chains ----------------------------------------------------------------------------------
def side_by_side(model: Discrete, item: Any, work: Work) -> tuple[int, list[list[Form]]]:
    """P(a; all else) for groups of variables with the same tables, given hidden variables (Lemma common tables)."""
    groups = read(item, {"common": [[as_name]], "pairs": anything}, "a matrix")["common"]
    used, first = [v for group in groups for v in group], groups[0] if groups else []
    inside = len(groups) > 1 and {*used} <= {*model.observed} and len(used) == len({*used})
    require(inside and bool(first), "groups of observed variables", Unreadable)
    above = {u for x in model.variables.values() for u in x.parents}
    looks, ranks = [], []
    for group in groups:
        work.spend(20 * model.size)
        hidden = [*dict.fromkeys(u for v in group for u in model.variables[v].parents)]
        require(bool(hidden) and {*hidden} <= {*model.hidden}, f"{group} have parents that are observed, or none")
        require(
            above.isdisjoint(group) and not {*group} & {*model.given}, f"{group} have children, or are conditioned on"
        )
        tables = [model.variables[v].table for v in group]
        require(
            not any(isinstance(x, Quotient) for table in tables for x in table.values()), "an entry that is a quotient"
        )
        places = [[hidden.index(u) for u in model.variables[v].parents] for v in group]
        looks.append((places, tables, [model.sizes[v] for v in (*group, *hidden)]))
        ranks.append(model.states(hidden))
    require(all(look == looks[0] for look in looks), "groups whose tables differ")
    matrix: list[list[Form]] = [[] for _ in range(model.states(first))]
    for group in groups:
        work.spend(300 * model.coordinates)
        others = model.places([v for v in model.observed if v not in group])
        for line, start in zip(matrix, model.places(group), strict=True):
            line += [{start + other: 1} for other in others]
    return ranks[0], matrix


class Chain(NamedTuple):
    """A chain of hidden variables with items at each time: its start and moves, in numbers of parameters, and those of the items."""

    start: dict[tuple[int, ...], Polynomial]
    moves: list[dict[tuple[int, ...], Polynomial]]
    items: set[int]


CHAIN = {"hidden": [as_name], "times": [[as_name]]}


def chain_of(model: Discrete, hidden: list[str], times: list[list[str]], work: Work) -> Chain:
    """The chain that these variables are, if nothing else is observed, with the same tables of items at all times (Lemma chains)."""
    require(1 < len(hidden) == len(times) and bool(times[0]), "a hidden variable and items for each time", Unreadable)
    require(len({*hidden}) == len(hidden) and {*hidden} <= {*model.hidden}, "hidden variables, each once", Unreadable)
    seen, sizes = [v for time in times for v in time], {model.sizes[h] for h in hidden}
    require(sorted(seen) == sorted(model.observed) and not model.given, "items that are not all that is observed")
    require(len(sizes) == 1, "hidden variables with different numbers of states")
    # all places of a move are looked at, though few of its entries may be other than 0
    work.spend(20 * model.size * len(times[0]) + 200 * model.sizes[hidden[0]] ** 2)
    quotients = any(isinstance(entry, Quotient) for _, table in model.tables for entry in table.values())
    require(not quotients, "an entry that is a quotient")
    tables = [model.variables[v].table for v in times[0]]
    for h, time in zip(hidden, times, strict=True):
        own = all(model.variables[v].parents == [h] for v in time)
        require(own and [model.variables[v].table for v in time] == tables, f"{time} have other tables, or parents")
        require([model.sizes[v] for v in time] == [model.sizes[v] for v in times[0]], "items with more states")
    inner = [(scope, table) for scope, table in model.tables if not {*scope} & {*seen}]
    require(len(inner) + len(seen) == len(model.tables), "an item has children")
    place, first, links = {h: k for k, h in enumerate(hidden)}, dict[str, str](), list[tuple[str, str]]()
    for k, (scope, _) in enumerate(inner):
        links += [(first.setdefault(v, str(k)), str(k)) for v in scope if v not in place]
    groups: dict[tuple[int, ...], list[Any]] = {}
    for part in connected(map(str, range(len(inner))), links):
        ends = {place[v] for k in part for v in inner[int(k)][0] if v in place}
        groups.setdefault(tuple(sorted(ends)), []).extend(inner[int(k)] for k in sorted(part, key=int))
    path = [(0,), *pairwise(range(len(hidden)))]
    require(groups.keys() == {*path}, "tables that are not those of a chain")
    found = [summed_out(model, groups[ends], [hidden[k] for k in ends], work) for ends in path]
    for one in [*found[1:], *({key: entry_of(model, x) for key, x in table.items()} for table in tables)]:
        rows: dict[int, list[tuple[Polynomial, Polynomial]]] = {}
        for (state, _), entry in one.items():
            rows.setdefault(state, []).append((entry, ONE))
        sums = [added(row, work) for row in rows.values()]
        require(sums == [ONE] * model.sizes[hidden[0]], "a row of a move, or of an item, does not sum to 1")
    inside = {model.parameters[p] for table in tables for entry in table.values() for p in entry if p != "1"}
    return Chain(found[0], found[1:], inside)


def entry_of(model: Discrete, entry: Expression) -> Polynomial:
    """An entry of a table, in the numbers of the parameters."""
    return {() if p == "1" else (model.parameters[p],): Fraction(x) for p, x in entry.items() if x}


def summed_out(model: Discrete, tables: list[Any], keep: list[str], work: Work) -> dict[tuple[int, ...], Polynomial]:
    """The product of tables, summed over all variables but those kept, where it is not zero."""
    factors: list[Scoped] = []
    values: dict[int, Polynomial] = {0: ONE}
    for scope, table in tables:
        factors.append((scope, {key: number for number, key in enumerate(table, len(values))}))
        values |= {number: entry_of(model, entry) for number, entry in enumerate(table.values(), len(values))}
    sizes = {v: model.sizes[v] for scope, _ in tables for v in scope}
    program, steps = contraction(sizes, factors, len(values), keep, work), dict[int, list[tuple[int, int]]]()
    work.spend(100 * len(program.steps))
    for target, one, other in program.steps:
        steps.setdefault(target, []).append((one, other))
    for target, pairs in steps.items():
        values[target] = added([(values[one], values[other]) for one, other in pairs], work)
    return {key: values[number] for key, number in program.result.items() if values[number]}


def chain_matrix(model: Discrete, item: Any, work: Work) -> tuple[int, list[list[Form]]]:
    """Sums of cells that are equal in a chain whose moves are the same, as a matrix of rank 0; or words by pasts (Lemma chains)."""
    item = read(item, {**CHAIN, "reversed?": as_truth, "words?": as_whole, "pairs": anything}, "a matrix")
    back, count, times = item["reversed"], item["words"], item["times"]
    require((back is None) != (count is None), "reversed or words, not both", Unreadable)
    found = chain_of(model, item["hidden"], times, work)
    length, letters, states = len(times), model.states(times[0]), range(model.sizes[item["hidden"][0]])
    require(all(move == found.moves[0] for move in found.moves), "moves that are not the same at all times")
    work.spend(model.coordinates * (300 + 100 * length))
    cells = [sum(places) for places in product(*map(model.places, times))]
    if count is not None:
        require(1 <= count < length, "words of some of the times", Unreadable)
        work.spend(200 * model.coordinates * length)
        begins = [
            (past, letters ** (length - count - begin))
            for begin in range(length - count + 1)
            for past in range(letters**begin)
        ]
        rows = [[(past * letters**count + word) * rest for past, rest in begins] for word in range(letters**count)]
        return len(states), [
            [dict.fromkeys(cells[k : k + rest], 1) for k, (_, rest) in zip(line, begins, strict=True)] for line in rows
        ]
    flow = {
        (i, j): added([(found.start.get((i,), {}), found.moves[0].get((i, j), {}))], work)
        for i, j in product(states, states)
    }
    forms: list[Form] = []
    if back:
        require(all(flow[i, j] == flow[j, i] for i, j in flow), "a chain that is not reversible")
        for number, word in enumerate(product(range(letters), repeat=length)):
            turned = place_of(word[::-1], [letters] * length)
            forms += [{cells[number]: 1, cells[turned]: -1}] if number < turned else []
        return 0, [forms]
    after = [added([(flow[i, j], ONE) for i in states], work) for j in states]
    require(after == [found.start.get((j,), {}) for j in states], "a chain that is not stationary")
    shift = letters ** (length - 1)
    for number in range(shift):
        form: Form = dict.fromkeys(cells[number * letters : (number + 1) * letters], 1)
        for cell in cells[number::shift]:
            form[cell] = form.get(cell, 0) - 1
        forms.append(form)
    return 0, [forms]


def own_entries(found: Chain, size: int, work: Work) -> tuple[dict[tuple[int, int], int], bool]:
    """Which parameter, that occurs nowhere else, is each entry of the move, and whether it is multiplied by the start in the next state."""
    move, starts = found.moves[0], {p for x in found.start.values() for key in x for p in key}
    free = [move.get(place, {}) for place in product(range(size), range(size - 1))]
    if all([*map(len, x), *x.values()] == [1, 1] for x in free):
        own = {place: next(iter(x))[0] for place, x in zip(product(range(size), range(size - 1)), free, strict=True)}
        require(len({*own.values()}) == len(own), "a parameter that is two entries of a move")
    else:
        own = {}
        for i, j in combinations(range(size), 2):
            mine = {p for key in move.get((i, j), {}) for p in key} - starts
            require(len(mine) == 1, "a move that is neither free nor reversible, with a parameter for each two states")
            own[i, j] = own[j, i] = p = mine.pop()
            for ends in ((i, j), (j, i)):
                weighted = added([({(p,): Fraction(1)}, found.start.get(ends[1:], {}))], work)
                require(
                    move.get(ends, {}) == weighted,
                    "an entry of a move that is not its parameter times the start of the next state",
                )
        require(2 * len({*own.values()}) == len(own), "a parameter of several pairs of states")
    require((starts | found.items).isdisjoint(own.values()), "a parameter of a move that occurs elsewhere")
    return own, len({*own.values()}) < len(own)


def chain_directions(model: Discrete, field: Field, values: Values, item: Any) -> Iterator[Values]:
    """Changes of the move of a chain of two or three times that its items do not see (Lemma chains)."""
    item, work, prime = read(item, CHAIN, "a field"), field.work, field.prime
    hidden, times, names = item["hidden"], item["times"], [*model.parameters]
    found = chain_of(model, hidden, times, work)
    size, numbers = model.sizes[hidden[0]], {number: values[p] for p, number in model.parameters.items()}
    require(
        len(times) <= 3 and found.moves[0] == found.moves[-1], "a chain of more than three times, or moves that differ"
    )
    own, is_weighted = own_entries(found, size, work)
    table = [[1] for _ in range(size)]
    for v in times[0]:
        entries = {key: evaluated(x, field, {**values, "1": 1})[0] for key, x in model.variables[v].table.items()}
        work.spend(50 * model.states(times[0]) * size)
        line = range(model.sizes[v])
        table = [[x * entries.get((h, s), 0) % prime for x in row for s in line] for h, row in enumerate(table)]
    kernel = field.kernel(table)
    require(size - len(kernel) == len(table[0]), "items whose table does not have the rank of all its columns")
    starts = [polynomial_at(found.start.get((i,), {}), field, numbers) for i in range(size)]
    require(all(starts), "a state in which the chain does not start at the point")
    inverses = [pow(x, -1, prime) for x in starts]
    for x, y in combinations_with_replacement(kernel, 2) if is_weighted else product(kernel, kernel):
        work.spend(100 * len(own))
        if is_weighted:
            change = {(i, j): (x[i] * y[j] + y[i] * x[j]) * inverses[i] * inverses[j] for i, j in own}
        else:
            change = {(i, j): x[i] * y[j] * inverses[i] for i, j in own}
        yield {names[own[place]]: z % prime for place, z in change.items()}


# Theorems: normal forms -----------------------------------------------------------------------------------------------
NORMAL = {"constants": dictionary(as_rational), "fields": [anything], "kernel": [anything]}


def normal_form(check: Check, _side: str, model: Discrete, node: Any) -> int:
    """The parameters less the rank of what changes nothing where some of them have constants (Lemma normal forms)."""
    field, work = Field(node["prime"], check.work), check.work
    names = {f"p{number}": parameter for parameter, number in model.parameters.items()}
    require(node["constants"].keys() <= names.keys(), "a constant of what is no parameter", Unreadable)
    constants = {names[text]: x for text, x in node["constants"].items()}
    values = drawn(field, model, node["point"]) | {p: field.number(x) for p, x in constants.items()}
    still = directions_of(check, field, model, values, node["fields"])
    moved: Matrix = []
    for direction in chain(still, mixings(model, field, values), weightings(model, field, values)):
        work.spend(40 * len(constants))
        moved.append([direction.get(p, 0) for p in constants])
    require(field.rank(moved) == len(constants), "the constants are not moved independently at the point")
    left = {text: values[p] for text, p in names.items() if p not in constants}
    fields = [read_field(item, names, left, work) for item in node["kernel"]]
    require_constant_cells(model, constants, names, fields, work)
    for one in fields:
        work.spend(40 * len(names))
        still.append({names[text]: polynomial_at(slope, field, left) for text, slope in one.items()})
    return len(model.parameters) - field.rank(rows_of(still, model))


def own_tables(model: Discrete, field: Field, values: Values) -> dict[str, dict[tuple[int, ...], int]]:
    """The entries at a point of the free tables of variables that are not conditioned on."""
    field.work.spend(50 * model.size)
    free, at = [v for v, x in model.variables.items() if x.free and v not in model.given], {**values, "1": 1}
    return {v: {key: evaluated(x, field, at)[0] for key, x in model.variables[v].table.items()} for v in free}


def together(model: Discrete, v: str, names: Sequence[str]) -> Iterator[list[tuple[int, ...]]]:
    """The keys of a table, those together at which some of its variables, the observed ones, have the same states."""
    scope, found = [*model.variables[v].parents, v], dict[tuple[int, ...], list[tuple[int, ...]]]()
    places = [k for k, u in enumerate(scope) if u in names and u in model.observed]
    for key in model.variables[v].table:
        found.setdefault(tuple(key[k] for k in places), []).append(key)
    yield from found.values()


def as_direction(table: Table, change: Mapping[tuple[int, ...], int]) -> Values:
    """Changes of the entries of a free table as those of its parameters."""
    return {next(iter(table[key])): x for key, x in change.items() if "1" not in table[key]}


def mixings(model: Discrete, field: Field, values: Values) -> Iterator[Values]:
    """For observed variables without children, a joint state of observed parents and states i and j: dP(i) = P(j) = −dP(j)."""
    above = {u for x in model.variables.values() for u in x.parents}
    for v, entries in own_tables(model, field, values).items():
        parents, table = model.variables[v].parents, model.variables[v].table
        for keys in together(model, v, parents) if v in model.observed and v not in above else ():
            rows = [key[:-1] for key in keys if key[-1] == 0]
            for i, j in permutations(range(model.sizes[v]), 2):
                field.work.spend(100 * len(rows))
                change = {(*row, i): entries[(*row, j)] for row in rows}
                yield as_direction(table, change | {(*row, j): -entries[(*row, j)] % field.prime for row in rows})


def taking_weights(model: Discrete, v: str, tables: Iterable[str]) -> list[str]:
    """The variables whose tables take the weights of one, in order; none if there is no such table for one of them."""
    found = [v]
    while not (scope := {*model.variables[found[-1]].parents}) <= {*model.given}:
        fitting = [u for u in tables if u in scope and scope <= {u, *model.variables[u].parents}]
        if not fitting:
            return []
        found += fitting[:1]
    return found


def weightings(model: Discrete, field: Field, values: Values) -> Iterator[Values]:
    """For observed variables and a joint state of one and its observed parents: dP = P(e − ΣPe), and the sum is the next e."""
    tables = own_tables(model, field, values)
    for v in (v for v in tables if v in model.observed):
        order, scope = taking_weights(model, v, tables), [*model.variables[v].parents, v]
        for keys in together(model, v, scope) if order else ():
            weights, found = dict.fromkeys(keys, 1), dict[Parameter, int]()
            for u, above in zip(order, [*order[1:], None], strict=True):
                entries, means = tables[u], dict[tuple[int, ...], int]()
                field.work.spend(150 * len(entries))
                for key, x in entries.items():
                    means[key[:-1]] = (means.get(key[:-1], 0) + x * weights.get(key, 0)) % field.prime
                change = {key: x * (weights.get(key, 0) - means[key[:-1]]) % field.prime for key, x in entries.items()}
                found |= as_direction(model.variables[u].table, change)
                if above is not None:
                    field.work.spend((100 + 5 * len(order)) * len(tables[above]))
                    inside = [*model.variables[above].parents, above]
                    places = [inside.index(w) for w in model.variables[u].parents]
                    weights = {key: means[tuple(key[k] for k in places)] for key in tables[above]}
            yield found


def require_constant_cells(
    model: Discrete,
    constants: Mapping[Parameter, Fraction],
    names: Mapping[str, Parameter],
    fields: Sequence[Mapping[str, Polynomial]],
    work: Work,
) -> None:
    """Multiply out that no cell changes along fields where some parameters have constants.

    In the place of the cells with the last state of an observed variable with a free table and without children stand the
    sums over its states: they determine the cells, and the table drops out.
    """
    quotients = any(isinstance(entry, Quotient) for _, table in model.tables for entry in table.values())
    require(not quotients, "an entry that is a quotient")
    above = {u for x in model.variables.values() for u in x.parents}
    ends = {v for v, x in model.variables.items() if x.observed and x.free and v not in above}
    factors, numbered = model.factors()
    entries: list[Expression] = [ALWAYS, *numbered]
    for scope, places in factors:
        last = model.sizes[scope[-1]] - 1 if scope[-1] in ends else -1
        for key, place in places.items():
            entries[place] = ALWAYS if key[-1] == last else entries[place]
    factors += [([v], {(state,): 0 for state in range(model.sizes[v])}) for v in model.given]
    program = contraction(model.sizes, factors, len(entries), model.observed, work)
    steps: dict[int, list[tuple[int, int]]] = {}
    work.spend(100 * len(program.steps))
    for target, one, other in program.steps:
        steps.setdefault(target, []).append((one, other))
    texts = {p: text for text, p in names.items()}
    values: dict[int, Polynomial] = {}
    for place, entry in enumerate(entries):
        terms = ((p, Fraction(c) * constants.get(p, 1)) for p, c in entry.items())
        values[place] = added([({() if p == "1" or p in constants else (texts[p],): c}, ONE) for p, c in terms], work)
    for target, pairs in steps.items():
        values[target] = added([(values[one], values[other]) for one, other in pairs], work)
    for field in fields:
        work.spend(100 * len(entries) + 100 * len(steps) + 20 * len(program.result))
        slopes: dict[int, Polynomial] = {}
        for place, entry in enumerate(entries):
            moved = ((c, field[texts[p]]) for p, c in entry.items() if p != "1" and texts[p] in field)
            slopes[place] = added([({(): Fraction(c)}, slope) for c, slope in moved], work)
        for target, pairs in steps.items():
            first = [(slopes[one], values[other]) for one, other in pairs]
            slopes[target] = added([*first, *((values[one], slopes[other]) for one, other in pairs)], work)
        changing = any(slopes[place] for place in program.result.values())
        require(not changing, "a cell changes along a vector of the kernel")


# Theorems: parts of a model -------------------------------------------------------------------------------------------
def parts_of(model: Discrete, work: Work) -> list[Discrete]:
    """The kernels of the districts; those that use a parameter in common count as one."""
    links = [(p, v) for v, x in model.variables.items() for p in x.parents if not model.variables[p].observed]
    first: dict[Parameter, str] = {}
    inside = [v for v in model.variables if v not in model.given]
    common: list[tuple[str, str]] = []
    for v in inside:
        used = {parameter for entry in model.variables[v].table.values() for parameter in entry if parameter != "1"}
        common += [(first.setdefault(parameter, v), v) for parameter in used]
    parts: list[Discrete] = []
    for group in connected(inside, links + common):
        part = model.kernel(group)
        work.spend(10 * model.size if model.has_zeros else 0)
        above = model.above(part.observed) if model.has_zeros else model
        cells = above.possible(part.observed, work) if above.has_zeros else None
        if cells is not None and len(cells) < part.coordinates:
            alone = len(connected(group, [link for link in links if group.issuperset(link)])) == 1
            require(alone, "entries vanish of the kernels of districts that use a parameter in common")
            part = Kept(part, cells, work)
        parts.append(part)
    return parts


def districts(check: Check, side: str, model: Discrete, node: Any) -> int:
    """The sum over the districts (Lemma districts)."""
    parts = parts_of(model, check.work)
    require(len(parts) > 1, "the model has one district, or all use parameters in common")
    require(len(node["parts"]) == len(parts), f"evidence for {len(node['parts'])} parts; the model has {len(parts)}")
    return sum(check.bound(side, part, evidence) for part, evidence in zip(parts, node["parts"], strict=True))


def class_model(classes: int, *items: int) -> Discrete:
    """The latent class model with the root H and the items X1, X2, …."""
    root = Variable(classes, observed=False, parents=[], table=free_table("H", [classes]), free=True)
    names = [f"X{number}" for number in range(1, 1 + len(items))]
    tables = [free_table(v, [classes, size]) for v, size in zip(names, items, strict=True)]
    leaves = [Variable(size, True, ["H"], table, True) for size, table in zip(items, tables, strict=True)]
    return Discrete({"H": root, **dict(zip(names, leaves, strict=True))})


class Tree(NamedTuple):
    """A latent tree: the states of all variables, the hidden ones, and who is joined to whom."""

    states: dict[str, int]
    hidden: list[str]
    joined: dict[str, set[str]]

    @property
    def shapes(self) -> list[tuple[int, ...]]:
        """The states of each hidden variable and those of its neighbours."""
        return [(self.states[v], *sorted(self.states[other] for other in self.joined[v])) for v in self.hidden]


def reduced_tree(model: Discrete, work: Work) -> Tree:
    """Cap, splice out and delete hidden variables, the first possible one each time (Lemma capping)."""
    joined = {v: set(x.parents) for v, x in model.variables.items()}
    for v, x in model.variables.items():
        for parent in x.parents:
            joined[parent].add(v)
    one_root = sum(not x.parents for x in model.variables.values()) == 1
    free = all(x.free and len(x.parents) < 2 and x.states > 1 for x in model.variables.values())
    leaves = bool(model.hidden) and all(len(joined[v]) == 1 for v in model.observed)
    require(one_root and free and leaves, "the model is no latent tree with free tables")
    tree = Tree(dict(model.sizes), list(model.hidden), joined)
    while reduce_once(*tree):
        work.spend(100 * len(tree.hidden))
    return tree


def reduce_once(states: dict[str, int], hidden: list[str], joined: dict[str, set[str]]) -> bool:
    """Cap, splice out or delete the first hidden variable that can be (Lemma capping); whether there was one."""
    for v in hidden:
        others = joined[v]
        sizes = [states[other] for other in others]
        cap = prod(sizes) // max(sizes, default=1)
        if len(others) < 2 or (len(others) == 2 and states[v] >= cap):
            for other in others:
                joined[other] = joined[other] - {v} | others - {other}
            hidden.remove(v)
            del joined[v], states[v]
            return True
        if states[v] > cap:
            states[v] = cap
            return True
    return False


def trees(check: Check, side: str, model: Discrete, node: Any) -> int:
    """The local latent class models of the reduced tree, each shape once, less what edges share (Lemma tree rule)."""
    tree = reduced_tree(model, check.work)
    states, hidden, joined = tree
    if not hidden:
        require(not node["parts"], "no hidden variable is left, so that there are no parts")
        return prod(states.values()) - 1 - model.roots
    different = list(dict.fromkeys(tree.shapes))
    if len(node["parts"]) != len(different):
        raise Invalid(f"evidence for {len(node['parts'])} parts; the reduced tree has {len(different)} shapes of parts")
    known = {s: check.bound(side, class_model(*s), part) for s, part in zip(different, node["parts"], strict=True)}
    shared = [states[v] * states[other] - 1 for v in hidden for other in joined[v] if other in hidden]
    return sum(known[shape] for shape in tree.shapes) - sum(shared) // 2 - model.roots  # edges are met from both ends


# Theorems: known dimensions and larger models -------------------------------------------------------------------------
def visible_entries(_check: Check, _side: str, model: Discrete, _node: Any) -> int:
    """The parameters that are entries of the only table, and so coordinates; all of one of log-odds (Lemma sigmoid (d))."""
    tables = [v for v in model.variables if v not in model.given]
    require(len(tables) == 1 and not model.hidden, "the model is not a single observed table")
    table = model.variables[tables[0]].table.values()
    if any(isinstance(entry, Quotient) and entry.readable for entry in table):
        return len(model.parameters)
    lines = [list(entry.items()) for entry in table]
    return len({line[0][0] for line in lines if len(line) == 1 and line[0][0] != "1" and line[0][1] == 1})


def classes_of(model: Discrete) -> int:
    """The number of classes of a latent class model with free tables that are not shared."""
    hidden = model.hidden
    items = all(x.free and x.parents == (hidden if x.observed else []) for x in model.variables.values())
    require(len(hidden) == 1 and items, "the model is no latent class model with free tables")
    return model.sizes[hidden[0]]


def item_groups(model: Discrete) -> list[tuple[int, int]]:
    """Of a latent class model with items in groups of one free table each: the states and the items of each; else none."""
    hidden, items = model.hidden, [model.variables[v] for v in model.observed]
    root = model.variables[hidden[0]] if len(hidden) == 1 else None
    if root is None or not root.free or root.parents or any(x.parents != hidden for x in items):
        return []
    found: dict[Any, list[Variable]] = {}
    for x in items:
        first = next(iter(x.table.values()))
        name: Any = next(iter(first))
        if any(isinstance(entry, Quotient) for entry in x.table.values()) or isinstance(name, str):
            return []
        if x.table != free_table(name[0], [root.states, x.states]):
            return []
        found.setdefault(name[0], []).append(x)
    return [(group[0].states, len(group)) for group in found.values()]


def secants(_check: Check, _side: str, model: Discrete, _node: Any) -> int:
    """The dimension of a latent class model that is known (Lemmas pairwise, binary items, symmetric items, groups of items)."""
    groups = item_groups(model)
    k, degrees = model.sizes[model.hidden[0]] if groups else 0, sorted(n for _, n in groups)
    expected = min(k * (1 + sum(r - 1 for r, _ in groups)), prod(comb(r + n - 1, n) for r, n in groups)) - 1
    if len(groups) == 1 and degrees[0] > 1:
        ((r, n),) = groups
        if n == 2:
            return min(k, r) * (2 * r - min(k, r) + 1) // 2 - 1
        return expected - ((n, r, k) in {(4, 3, 5), (4, 4, 9), (3, 5, 7), (4, 5, 14)})
    if len(groups) > 1 and {r for r, _ in groups} == {2}:
        even = degrees[:-1] in ([2], [1, 1]) and degrees[-1] % 2 == 0 and k == degrees[-1] + 1
        return expected - (even or (degrees, k) in (([2, 2, 2], 7), ([1, 1, 1, 1], 3)))
    if len(groups) > 1 and degrees[0] > 2:
        return expected
    classes, sizes = classes_of(model), model.shape
    if len(sizes) == 2:
        most = min(classes, *sizes)
        return most * (sum(sizes) - most) - 1
    require({*sizes} == {2}, "no latent class model whose dimension is known")
    return 13 if (classes, len(sizes)) == (3, 4) else min(classes * (len(sizes) + 1) - 1, model.complete)


def kruskal(check: Check, _side: str, model: Discrete, node: Any) -> int:
    """All parameters, as three blocks of items have enough independent classes at a point (Lemma Kruskal)."""
    field, blocks, ranks = Field(node["prime"], check.work), node["blocks"], node["ranks"]
    classes = classes_of(model)
    require(len(blocks) == len(ranks) == 3, "there must be three blocks and three ranks")
    used = [v for block in blocks for v in chosen(block, model.observed, "a block")]
    require(len(used) == len(set(used)), "there must be three blocks without common items, and three ranks")
    enough = classes >= 2 and sum(ranks) >= 2 * classes + 2
    require(enough, f"{' + '.join(map(str, ranks))} is less than 2·{classes} + 2")
    for block, least in zip(blocks, ranks, strict=True):
        check.work.spend(20 * classes * min(least, classes))
        matrix = [[1] * classes for _ in range(min(least, classes))]
        for v in block:
            states = range(model.sizes[v])
            check.work.spend(2 * classes * len(matrix) * (5 + len(states)))
            item = model.observed.index(v)
            theta = iter(field.drawn(f"{node['point']}|{item}", classes * (len(states) - 1)))
            rows = [[next(theta) for _ in states[1:]] for _ in range(classes)]
            probes = iter(field.drawn(f"{node['probes']}|{item}", len(matrix) * len(states)))
            for line in matrix:
                probe = [next(probes) for _ in states]
                for h, row in enumerate(rows):
                    chance = [*row, 1 - sum(row)]
                    line[h] = line[h] * sum(x * u for x, u in zip(chance, probe, strict=True)) % field.prime
        require(field.rank(matrix) == least, f"the block {block} does not show {least} independent classes")
    return len(model.parameters)


def two_blocks(check: Check, _side: str, model: Discrete, node: Any) -> int:
    """A matrix of bounded rank: two blocks of all observed variables, separated (Lemma pairwise)."""
    require(len(node["blocks"]) == 2, "not two blocks of all observed variables")
    blocks = [chosen(block, model.observed, "a block") for block in node["blocks"]]
    names = [v for block in blocks for v in block]
    require({*names} == {*model.observed}, "not two blocks of all observed variables")
    sizes = [model.states(block) for block in blocks]
    most = min(classes_between(model, blocks, [], (), node["S"], check.work), *sizes)
    return most * (sum(sizes) - most) - 1 - model.roots


def nested(check: Check, _side: str, model: Discrete, _node: Any) -> int:
    """The numbers q(head | tail) of all intrinsic sets of the latent projection (Lemma nested)."""
    check.work.spend(10 * len(model.observed) * (model.size + len(model.variables) * len(model.observed)))
    latent = {v: model.variables[v].parents for v in model.hidden}
    single = [v for v in latent if model.sizes[v] == 1]
    above = {v: reached(latent, model.variables[v].parents, single) for v in model.observed}
    parents = {v: found - latent.keys() for v, found in above.items()}
    links = [(v, w) for v, w in combinations(parents, 2) if not above[v].isdisjoint(above[w] - parents[w])]

    def split(some: frozenset[str]) -> list[frozenset[str]]:
        check.work.spend(100 * (len(some) + len(links)))
        return list(map(frozenset, connected(some, (link for link in links if some.issuperset(link)))))

    waiting, total = split(frozenset(parents)), -model.roots
    known = {*waiting}
    while waiting:
        inside = waiting.pop()
        check.work.spend(10 * sum(len(parents[v]) for v in inside))
        tail = {parent for v in inside for parent in parents[v]}
        total += prod(model.sizes[v] - 1 for v in inside - tail) * model.states(tail)
        for v in inside - tail:
            new = [part for part in split(inside - {v}) if part not in known]
            waiting += new
            known.update(new)
    return total


AVERAGED = {"hidden": as_name, "children": [as_name]}
WIDENED = {"widened": as_name, "parents": [as_name]}
REVERSED = {"reversed": as_name, "child": as_name}


def widened(model: Discrete, steps: Sequence[Any], work: Work) -> tuple[dict[str, set[str]], set[str]]:
    """The parents after hidden variables were averaged out, edges reversed, and tables made free with more parents; the free ones.

    The model with these parents contains the one at hand (Lemmas containing, supermodels).
    """
    parents = {v: set(x.parents) for v, x in model.variables.items()}
    new: set[str] = set()
    for one in steps:
        has = one.keys() if isinstance(one, dict) else ()
        step = read(one, WIDENED if "widened" in has else REVERSED if "reversed" in has else AVERAGED, "a step")
        work.spend(10 * sum(map(len, parents.values())))
        if "widened" in step:
            v, more = step["widened"], set(chosen(step["parents"], parents, "parents"))
            require(v in parents and v not in model.given, f"{v} is conditioned on, or not left")
            require(v not in reached(parents, more), f"{v} is among its ancestors")
            parents[v], new = parents[v] | more, new | {v}
            continue
        if "reversed" in step:
            v, child = step["reversed"], step["child"]
            require(v in parents and v not in model.given, f"{v} is conditioned on, or not left")
            require(v in parents.get(child, ()), f"{v} is not a parent of {child}")
            others = parents[child] - {v}
            require(v not in reached(parents, others), f"{v} is an ancestor of {child} in another way")
            parents[child] = others | parents[v]
            parents[v], new = parents[child] | {child}, new | {v, child}
            continue
        v, children = step["hidden"], step["children"]
        require(v in parents and v in model.hidden, f"{v} is not a hidden variable that is left")
        real = sorted(child for child, above in parents.items() if v in above)
        require(sorted(children) == real, f"these are not the children of {v}")
        for number, child in enumerate(children):
            work.spend(10 * sum(map(len, parents.values())))
            later = reached(parents, [child]).intersection(children[number + 1 :])
            require(not later, f"{child} stands before one of its ancestors")
        gathered = parents.pop(v)
        for child in children:
            gathered = gathered | parents[child] - {v}
            parents[child] = gathered
            gathered = gathered | {child}
        new = new - {v} | set(children)
    return parents, new


def supermodel(model: Discrete, steps: Sequence[Any], work: Work) -> Discrete:
    """The model that contains another one, with tables of its own for the variables whose tables were made free."""
    parents, new = widened(model, steps, work)
    size = sum(model.states([v, *parents[v]]) for v in new)
    require(size <= MOST_ENTRIES, f"the tables have {size} entries; at most {MOST_ENTRIES} are allowed")
    work.spend(200 * size)

    def freed(v: str) -> Variable:
        above, states = [u for u in model.variables if u in parents[v]], model.sizes[v]
        table = free_table((v, "free"), [*(model.sizes[u] for u in above), states])
        return Variable(states, model.variables[v].observed, above, table, free=True)

    return Discrete(
        {v: freed(v) if v in new else model.variables[v] for v in model.variables if v in parents}, model.given
    )


def containing(check: Check, _side: str, model: Discrete, node: Any) -> int:
    """The parameters of a model that contains this one, or what is shown of it (Lemmas containing, supermodels)."""
    if node.get("upper") is not None:
        return check.bound("upper", supermodel(model, node["averaged"], check.work), node["upper"])
    parents, new = widened(model, node["averaged"], check.work)
    kept = (
        entry for v in parents if v not in new and v not in model.given for entry in model.variables[v].table.values()
    )
    own = {parameter for entry in kept for parameter in entry if parameter != "1"}
    return len(own) + sum((model.sizes[v] - 1) * model.states(parents[v]) for v in new)


PARTS = {"observed": [as_name], "of": [{"slices": [as_name], "upper": anything}]}
SLICES = {"variable": as_name, "reduced": [as_name], "order": [as_name], "parts": [anything]}
SUMMED = {"hidden": [as_name], "upper": anything}
FEWER = {"steps": [{"variable": as_name, "states": as_whole, "lower": anything}], "upper": anything}


def changed(model: Discrete, variable: str, reduced: Sequence[str]) -> tuple[dict[str, int], set[str], list[set[str]]]:
    """States, whose tables are kept, and scopes of functions, of the differences of the slices of a variable from one of them.

    The children of the variable, and of what is reduced, are in a function with it and all their parents.
    """
    sizes, kept = dict(model.sizes), {*model.variables}.difference(model.given)
    change, scopes = [variable], list[set[str]]()
    for v in (variable, *reduced):
        require(change == [v] and sizes[v] > 1, f"{v} is not all that changes, or has one state")
        sizes[v] -= 1
        change = [child for child in model.variables if child in kept and v in model.variables[child].parents]
        is_last = v in model.observed and v != variable
        require(is_last != bool(change), f"nothing depends on {v}, or it is observed")
        if change:
            kept.difference_update(change)
            scopes.append({v, *change}.union(*(model.variables[child].parents for child in change)))
    gone = {v for v in (variable, *reduced) if sizes[v] == 1}
    return {v: states for v, states in sizes.items() if v not in gone}, kept, [scope - gone for scope in scopes]


def divided(
    model: Discrete, kept: set[str], scopes: list[set[str]], order: Sequence[str], work: Work
) -> dict[str, set[str]]:
    """The parents in new tables, if functions are divided by their sums, from the end of the order."""
    place, freed = {v: number for number, v in enumerate(order)}, dict[str, set[str]]()
    for v in reversed(order):
        work.spend(10 * sum(map(len, scopes)))
        above = {*model.variables[v].parents} if v in kept else set()
        require(all(place[u] < place[v] for u in above), f"{v} stands before one of its parents")
        mine = [scope for scope in scopes if v in scope]
        if mine:
            freed[v] = above.union(*mine) - {v}
            scopes = [freed[v], *(scope for scope in scopes if v not in scope)]
    return freed


def slices(model: Discrete, variable: str, reduced: Sequence[str], order: Sequence[str], work: Work) -> list[Discrete]:
    """One slice of a variable, and the network of which the differences of the others from it are multiples (Lemma differences)."""
    own = model.variables.get(variable)
    require(own is not None and own.observed and own.free and not own.parents, f"{variable} is no free observed root")
    model = Discrete(model.variables, [*model.given, variable])
    sizes, kept, scopes = changed(model, variable, reduced)
    require(sorted(order) == sorted(sizes), "the order does not have the variables that are left")
    freed = divided(model, kept, scopes, order, work)
    size = sum(prod(sizes[u] for u in (v, *above)) for v, above in freed.items())
    require(size <= MOST_ENTRIES, f"the tables have {size} entries; at most {MOST_ENTRIES} are allowed")
    work.spend(200 * size)

    new: dict[str, Variable] = {}
    for v, parents in freed.items():
        above = [u for u in sizes if u in parents]
        table = free_table((v, "free"), [sizes[u] for u in (*above, v)])
        new[v] = Variable(sizes[v], model.variables[v].observed, above, table, free=True)
    other = Discrete({v: new.get(v, model.variables[v]) for v in sizes}, [v for v in model.given if v not in new])
    require(len(other.given) < len(other.observed), "the differences show nothing")
    require(other.sizes == sizes, "a variable with fewer states has no new table")
    return [one_slice(model, variable, work), other.relevant()]


def one_slice(model: Discrete, variable: str, work: Work) -> Discrete:
    """The network in one state of a variable that is conditioned on: its children have free tables of their own without it."""
    variables = {v: x for v, x in model.variables.items() if v != variable}
    work.spend(10 * model.size)
    for v, x in variables.items():
        if variable in x.parents:
            above = [u for u in x.parents if u != variable]
            work.spend(200 * model.states([*above, v]))
            table = free_table((v, "free"), [model.sizes[u] for u in (*above, v)])
            variables[v] = Variable(x.states, x.observed, above, table, free=True)
    return Discrete(variables, model.given)


def differences(check: Check, _side: str, model: Discrete, node: Any) -> int:
    """What is shown of one slice, of the network of the others' differences from it, and 1 for a factor (Lemma differences)."""
    v = node["variable"]
    found = slices(model, v, node["reduced"], node["order"], check.work)
    require(len(node["parts"]) == 2, "differences have two parts", Unreadable)
    shown = sum(check.bound("upper", *pair) for pair in zip(found, node["parts"], strict=True))
    return shown + 1 + (0 if v in model.given else model.sizes[v] - 1)


def shown_parts(
    model: Discrete, names: Sequence[str], slices_of: Sequence[Sequence[str]], work: Work
) -> list[tuple[int, Discrete]]:
    """The kernels of the districts where some hidden variables are observed, and how often each counts (Lemma parts).

    Of a kernel one slice may stand for all, one for each joint state of some variables that it is conditioned on.
    """
    chosen(names, model.hidden, "observed")
    require(all(model.sizes[v] > 1 for v in names), "a variable with one state would be observed")
    work.spend(10 * model.size)
    shown = {v: x._replace(observed=x.observed or v in names) for v, x in model.variables.items()}
    larger = Discrete(shown, model.given).relevant()
    links = [(p, v) for v, x in larger.variables.items() for p in x.parents if p in larger.hidden]
    groups = connected([v for v in larger.variables if v not in larger.given], links)
    require(len(slices_of) == len(groups), f"evidence for {len(slices_of)} parts; there are {len(groups)}")
    found: list[tuple[int, Discrete]] = []
    for group, sliced in zip(groups, slices_of, strict=True):
        work.spend(10 * model.size)
        part = larger.kernel(group)
        times = part.states(chosen(sliced, part.given, "slices"))
        for v in sliced:
            part = one_slice(part, v, work)
        found.append((times, part))
    return found


def of_parts(check: Check, _side: str, model: Discrete, node: Any) -> int:
    """The sum over the parts of a model that shows more, each as often as it counts (Lemma parts)."""
    found = shown_parts(model, node["observed"], [one["slices"] for one in node["of"]], check.work)
    pairs = zip(found, node["of"], strict=True)
    return sum(times * check.bound("upper", part, one["upper"]) for (times, part), one in pairs)


def with_states(model: Discrete, v: str, states: int, work: Work) -> Discrete:
    """The network in which a variable that is conditioned on, or has no children, has so many states; with one it is left out."""
    children = [w for w, x in model.variables.items() if v in x.parents]
    ends = v in model.given or (not children and len(model.observed) > 1 + len(model.given))
    require(v in model.observed and ends, f"{v} is not conditioned on, and has children, or nothing else is shown")
    require(all(model.variables[w].free for w in (v, *children)), f"a table of {v} or of a child is not its own")
    work.spend(20 * model.size)
    if states == 1:
        others = [w for w in model.observed if w != v]
        return one_slice(model, v, work) if v in model.given else margin_of(model, others)
    variables, sizes = dict(model.variables), {**model.sizes, v: states}
    for w in (v, *children):
        shape = [sizes[u] for u in (*variables[w].parents, w)]
        work.spend(200 * prod(shape) * (1 + len(shape) // 8))
        table = free_table((w, "free"), shape)
        variables[w] = variables[w]._replace(states=sizes[w], table=table, inner=None)
    return Discrete(variables, model.given)


def given_roots(model: Discrete) -> Discrete:
    """The network in which observed variables without parents, with tables of their own, are conditioned on."""
    roots = [v for v, x in model.variables.items() if x.observed and x.free and not x.parents]
    found = Discrete(model.variables, [*model.given, *roots])
    require(len(found.given) < len(found.observed), "nothing is shown but roots")
    return found


def with_fewer_states(model: Discrete, steps: Iterable[tuple[str, int]], work: Work) -> Iterator[tuple[int, Discrete]]:
    """For each step how many states it takes, and the network with one less still; last the network after all steps."""
    for v, states in steps:
        require(2 <= states < model.sizes.get(v, 0), f"{v} does not get fewer states, at least 2")
        yield model.sizes[v] - states, with_states(model, v, states - 1, work)
        model = with_states(model, v, states, work)
    yield 0, model


def fewer_states(check: Check, _side: str, model: Discrete, node: Any) -> int:
    """What is shown of a network with fewer states, and for each state taken no more than for the last one left (Lemma fewer states)."""
    whole = given_roots(model)
    found = with_fewer_states(whole, ((one["variable"], one["states"]) for one in node["steps"]), check.work)
    inner = [*(("lower", one["lower"]) for one in node["steps"]), ("upper", node["upper"])]
    shown = [(n, check.bound(side, one, evidence)) for (n, one), (side, evidence) in zip(found, inner, strict=True)]
    _, value = shown.pop()
    for times, least in reversed(shown):
        value += times * (value - least)
    return value + whole.roots - model.roots


def latent_class(check: Check, _side: str, model: LogLinear, node: Any) -> int:
    """A bound of the latent class model whose items are blocks that no effect joins (Lemma log-linear (c))."""
    check.work.spend(10 * len(model.variables) * len(node["blocks"]) + sum(map(len, model.effects)))
    blocks = [chosen(block, model.observed, "a block") for block in node["blocks"]]
    names = [v for block in blocks for v in block]
    require(all(blocks) and sorted(names) == sorted(model.observed), "blocks that are no partition of what is observed")
    of = {v: number for number, block in enumerate(blocks) for v in block}
    joined = any(len({of[v] for v in effect if v in of}) > 1 for effect in model.effects)
    require(not joined, "an effect that joins two blocks")
    classes, sizes = model.states(model.hidden), [model.states(block) for block in blocks]
    require(classes * (1 + sum(sizes)) <= MOST_ENTRIES, f"more than {MOST_ENTRIES} entries", Unreadable)
    return check.bound("upper", class_model(classes, *sizes), node["upper"])


def one_interaction(check: Check, _side: str, model: LogLinear, node: Any) -> int:
    """What is shown of a hierarchical model without hidden variables that are in one interaction only (Lemma one interaction)."""
    check.work.spend(50 * sum(len(effect) ** 2 for effect in model.effects))
    left = {frozenset(effect): effect for effect in model.effects}
    closed = all(len(one) == 1 or one - {v} in left for one in left for v in one)
    require(closed, "the effects are not all sets of variables that lie in an interaction")
    for v in node["hidden"]:
        check.work.spend(50 * sum(map(len, left)))
        mine = [one for one in left if v in one]
        require(v in model.hidden and len(mine) > 0, f"{v} is not a hidden variable that is left")
        require(frozenset().union(*mine) in left, f"{v} is in several interactions")
        left = {one: effect for one, effect in left.items() if v not in one}
    check.work.spend(10 * model.size)
    variables = {v: x for v, x in model.variables.items() if v not in node["hidden"]}
    return check.bound("upper", LogLinear(variables, [*left.values()]).relevant(), node["upper"])


def sum_scores(_check: Check, _side: str, model: Discrete, _node: Any) -> int:
    """Items of one hidden trait, as Rasch has them: constants and a function of the sum score (Lemma sigmoid, sum scores)."""
    items = [model.variables[v] for v in model.observed]
    (trait, *others) = {tuple(x.parents) for x in items}
    rasch = not others and len(trait) == 1 and trait[0] in model.hidden and all(x.inner == "rasch" for x in items)
    require(rasch, "the observed variables are not the rasch children of one hidden variable")
    return 2 * sum(x.states - 1 for x in items) - 1


# Theorems: parameters that act together -------------------------------------------------------------------------------
class Effect:
    """A variable that is, through functions of it own alone, a function of hidden variables, its mechanisms (Lemma mechanisms)."""

    def __init__(self, check: Check, model: Discrete, item: Any) -> None:
        check.work.spend(100 * model.size)
        self.work, self.variables, self.name = check.work, model.variables, item["effect"]
        require(self.name in model.variables, f"no {self.name}")
        self.functions = chosen(item["functions"], model.hidden, "functions")
        self.mechanisms = chosen(item["mechanisms"], model.hidden, "mechanisms")
        children: dict[str, list[str]] = {v: [] for v in model.variables}
        for v, x in model.variables.items():
            for parent in x.parents:
                children[parent].append(v)
        inside = {self.name, *self.functions}
        single = all(len(children[v]) == 1 and children[v][0] in inside for v in (*self.functions, *self.mechanisms))
        require(
            single and inside.isdisjoint(self.mechanisms) and self.name not in model.given,
            f"{self.name} has not these mechanisms",
        )
        tables = {v: x.table.values() for v, x in model.variables.items() if v not in model.given}
        mine = [entry for v in self.mechanisms for entry in tables.pop(v)]
        self.parameters = {p for entry in mine for p in entry if p != "1"}
        elsewhere = {p for table in tables.values() for entry in table for p in entry}
        alone = self.parameters.isdisjoint(elsewhere) and not any(isinstance(entry, Quotient) for entry in mine)
        require(alone, f"parameters of the mechanisms of {self.name} occur elsewhere, or in quotients")
        self.levels = [[Fraction(x) for x in level] for level in item["levels"]]
        size = self.variables[self.name].states
        require(all(len(level) == size for level in self.levels), f"a level has not {size} numbers", Unreadable)
        rows = ({(k,): x for k, x in enumerate(level) if x} for level in ([Fraction(1)] * size, *self.levels))
        require(rational_rank(rows, self.work) == size, f"the levels do not tell the states of {self.name} apart")

    def factors(self, level: Sequence[Fraction]) -> dict[str, Sequence[Fraction]]:
        """A vector for each mechanism: the product of their numbers is that of the effect's state, whatever the others are."""
        vectors: dict[str, Sequence[Fraction]] = {self.name: level}
        waiting = [self.name]
        while waiting:
            v = waiting.pop()
            sizes, table = [self.variables[u].states for u in self.variables[v].parents], self.variables[v].table
            self.work.spend(100 * (len(table) + prod(sizes)))
            require(all({*entry} == {"1"} for entry in table.values()), f"{v} is not a function of its parents")
            value = dict.fromkeys(product(*map(range, sizes)), Fraction(0))
            for (*row, state), entry in table.items():
                self.work.spend(size_of(entry["1"], vectors[v][state], value[tuple(row)]) ** 2)
                value[tuple(row)] += entry["1"] * vectors[v][state]
            base = next((row for row, x in value.items() if x), None)
            for k, u in enumerate(self.variables[v].parents):
                lines = [base and value[(*base[:k], x, *base[k + 1 :])] for x in range(sizes[k])]
                self.work.spend(sum(size_of(x or 0, value[base] if base else 0) ** 2 for x in lines))
                vectors[u] = [(x or Fraction(0)) / (value[base] if k and base else 1) for x in lines]
            factors = [vectors[u] for u in self.variables[v].parents]
            longest = sum(max(map(size_of, one), default=0) for one in factors)
            self.work.spend(len(value) * (20 * len(factors) + longest**2))
            alike = all(x == prod(one[k] for one, k in zip(factors, row, strict=True)) for row, x in value.items())
            require(alike, f"a level of {self.name} is no product over the parents of {v}")
            waiting += [u for u in self.variables[v].parents if u in self.functions]
        return vectors

    def numbers(self) -> int:
        """The rank of the exponents of different factors in the products, states other than 0 in one mechanism at most."""
        columns: dict[Any, int] = {}
        rows: list[Polynomial] = []
        tables = {v: (self.variables[v].parents, self.variables[v].table) for v in self.mechanisms}
        cells = {
            frozenset((u, k) for u, k in zip(parents, key, strict=False) if k)
            for parents, table in tables.values()
            for key in table
        }
        for level in self.levels:
            vectors = self.factors(level)
            places: dict[Any, int] = {}
            for v, (_, table) in tables.items():
                forms: dict[tuple[int, ...], Expression] = {}
                longest = max(map(size_of, vectors[v]), default=0)
                self.work.spend(sum((longest + size_of(*entry.values())) ** 2 for entry in table.values()))
                for (*row, state), entry in table.items():
                    form = forms.setdefault(tuple(row), {})
                    form.update({p: form.get(p, 0) + x * vectors[v][state] for p, x in entry.items()})
                self.work.spend(50 * sum(map(len, table.values())))
                for row_, form in forms.items():
                    self.work.spend(sum(size_of(x) ** 2 for x in form.values()))
                    terms = {p: Fraction(x) for p, x in form.items() if x}
                    first = next((terms[p] for p in sorted(terms, key=str) if p != "1"), None)
                    if first is not None:
                        monic = frozenset((p, x / first) for p, x in terms.items())
                        places[v, row_] = columns.setdefault(monic, len(columns))
            for cell in cells:
                at = dict(cell)
                line: Polynomial = {}
                self.work.spend(sum(200 + len(parents) for parents, _ in tables.values()))
                for v, (parents, _) in tables.items():
                    place = places.get((v, tuple(at.get(u, 0) for u in parents)))
                    if place is not None:
                        line[(place,)] = line.get((place,), Fraction(0)) + 1
                rows.append(line)
        return rational_rank(rows, self.work)


EFFECT = {"effect": as_name, "functions": [as_name], "mechanisms": [as_name], "levels": [[as_integer]]}


def acting_mechanisms(check: Check, _side: str, model: Discrete, node: Any) -> int:
    """The parameters, those of mechanisms replaced by the numbers through which they act (Lemma mechanisms)."""
    effects = [Effect(check, model, item) for item in node["effects"]]
    names = [v for effect in effects for v in effect.mechanisms]
    require(len(names) == len({*names}), "a mechanism of two effects")
    return len(model.parameters) - sum(len(effect.parameters) - effect.numbers() for effect in effects)


def classifiers(check: Check, _side: str, model: Discrete, node: Any) -> int:
    """The parameters, those of embedded classifiers replaced by bounds of these (Lemma classifier, after (d))."""
    total = len(model.parameters)
    names = chosen([item["name"] for item in node["of"]], model.variables, "of")
    for v, item in zip(names, node["of"], strict=True):
        inner = model.variables[v].inner
        require(isinstance(inner, Classifier), f"{v} has no classifier in place of its table")
        total += check.bound("upper", inner, item["upper"]) - len(inner.parameters)
    return total


def span(sets: Iterable[Iterable[str]], sizes: Mapping[str, int], work: Work) -> int:
    """The dimension of all sums of functions of the variables in one of the sets each (Lemma interactions)."""
    different = {tuple(sorted(one)) for one in sets}
    work.spend(sum(200 << len(one) for one in different))
    faces = {face for one in different for k in range(len(one) + 1) for face in combinations(one, k)}
    return sum(prod(sizes[v] - 1 for v in face) for face in faces)


def class_tables(check: Check, side: str, model: Classifier, node: Any) -> int:
    """The parameters of some tables with the class, and the rank of the linear map on the others (Lemma classifier (c), (d))."""
    counted = chosen(node["tables"], model.factors, "tables")
    if side == "lower" and (counted or not is_open(model, check.work)):
        raise Invalid("the rank of the linear map is not shown to be a lower bound")
    own = {p for v in counted for entry in model.factors[v][1].values() for p in entry if p != "1"}
    others = [{*scope} - {model.label} for v, (scope, _) in model.factors.items() if v not in counted]
    return len(own) + (model.sizes[model.label] - 1) * span(others, model.sizes, check.work)


def is_open(model: Classifier, work: Work) -> bool:
    """Whether all tables with the class are free and full: then what the linear map is applied to moves freely."""
    inputs = {v: {*scope} - {v, model.label} for v, (scope, _) in model.factors.items()}
    full: set[str] = set()
    more = {v for v in inputs if v == model.label or model.sizes[v] >= model.sizes[model.label]}
    while more:
        full |= more
        wide, left = [inputs[w] | {w} for w in more], inputs.keys() - full
        work.spend(10 * (1 + len(wide)) * (1 + len(left)))
        more = {v for v in left if any(inputs[v] <= one for one in wide)}
    return full == inputs.keys() and all(model.network.variables[v].free for v in inputs)


def shifts(check: Check, _side: str, model: Additive | Sums, _node: Any) -> int:
    """The parameters less what can be moved from one summand to another, effect by effect; both bounds (Lemma shifts (b), (e))."""
    rows = sum(prod(model.states[v] for v in causes) for effect in model.effects for causes in effect)
    moving = sum(span(effect, model.states, check.work) for effect in model.effects)
    return model.count - model.letters * (rows - moving)


def order_statistics(_check: Check, _side: str, model: Ordered, _node: Any) -> int:
    """The parameters: all of them show in one of the variables by size (Lemma order statistics)."""
    return model.count


# Family: discrete networks --------------------------------------------------------------------------------------------
Table = dict[tuple[int, ...], Expression]  # entries that are not zero, by the states of parents and variable
Scoped = tuple[list[str], dict[tuple[int, ...], int]]  # variables, and where the number for each of their states stands


class Variable(NamedTuple):
    """A variable with the states 0 … states − 1 and its table; ``free`` if all entries are its own parameters."""

    states: int
    observed: bool
    parents: list[str]
    table: Table
    free: bool = False
    inner: Any = None  # a classifier in the place of a table, or one of LOGITS


def free_table(owner: str | tuple[str, ...], sizes: Sequence[int]) -> Table:
    """All entries parameters, but the last of each row, which is 1 minus the others; of derived models the owner is no text."""
    table: Table = {}
    for row in product(*map(range, sizes[:-1])):
        names = [(owner, row, state) for state in range(sizes[-1] - 1)]
        table.update({(*row, state): {parameter: 1} for state, parameter in enumerate(names)})
        table[(*row, sizes[-1] - 1)] = {"1": 1, **dict.fromkeys(names, -1)}
    return table


def evaluated(entry: Expression, field: Field, values: Values) -> tuple[int, Slopes]:
    """The value of an entry at a point, and the derivatives by its parameters."""
    if isinstance(entry, Quotient):
        return entry.at(field, values)
    terms = [(p, field.number(c)) for p, c in entry.items()]
    return sum(c * values[p] for p, c in terms) % field.prime, [term for term in terms if term[0] != "1"]


class Program(NamedTuple):
    """A sum of products, step by step: the number at the first place grows by the product of those at the others."""

    size: int
    steps: list[tuple[int, int, int]]
    result: dict[tuple[int, ...], int]


def contraction(sizes: Mapping[str, int], factors: list[Scoped], size: int, keep: Sequence[str], work: Work) -> Program:
    """Multiply the factors and sum over all variables but those kept, each time over the one with the fewest terms.

    The result has the states of the kept variables for which there is a product of entries that are not zero.
    """
    alive = dict(enumerate(factors))
    using: dict[str, set[int]] = {v: set() for v in sizes}
    for number, (scope, _) in alive.items():
        for v in scope:
            using[v].add(number)
    steps: list[tuple[int, int, int]] = []

    def join(one: Scoped, other: Scoped, without: str = "") -> Scoped:
        nonlocal size
        at = {v: k for k, v in enumerate(one[0])}
        common = [(at[v], k) for k, v in enumerate(other[0]) if v in at]
        more = [k for k, v in enumerate(other[0]) if v not in at]
        both = [*one[0], *(other[0][k] for k in more)]
        rest = [k for k, v in enumerate(both) if v != without]
        work.spend(20 * len(both) + (20 + len(other[0])) * len(other[1]))
        partners: dict[tuple[int, ...], list[tuple[tuple[int, ...], int]]] = {}
        for key, place in other[1].items():
            partners.setdefault(tuple(key[k] for _, k in common), []).append((tuple(key[k] for k in more), place))
        numbered: dict[tuple[int, ...], int] = {}
        for key, place in one[1].items():
            fitting = partners.get(tuple(key[k] for k, _ in common), [])
            work.spend((50 + len(both)) * (1 + len(fitting)))
            for more_states, partner in fitting:
                states = key + more_states
                states = tuple(states[k] for k in rest)
                work.spend((160 + 5 * len(rest)) * (states not in numbered))
                steps.append((numbered.setdefault(states, size + len(numbered)), place, partner))
        size += len(numbered)
        return [both[k] for k in rest], numbered

    def cost(variable: str) -> int:
        scopes = [alive[k][0] for k in using[variable]]
        work.spend(10 + 2 * sum(map(len, scopes)))
        return prod(sizes[v] for v in {*chain(*scopes)})

    unit: Scoped = ([], {(): 0})
    left = [v for v in sizes if v not in keep and using[v]]
    costs = {v: cost(v) for v in left}
    for number in range(len(factors), len(factors) + len(left)):
        work.spend(30 * len(left))
        gone = min(left, key=costs.__getitem__)
        left.remove(gone)
        mine = [alive.pop(k) for k in sorted(using[gone])]
        *first, last = mine if len(mine) > 1 else [unit, *mine]
        alive[number] = join(reduce(join, first), last, gone)
        for v in {v for scope, _ in mine for v in scope}:
            using[v] = {k for k in using[v] if k in alive}
        for v in alive[number][0]:
            using[v].add(number)
        costs |= {v: cost(v) for v in alive[number][0] if v in costs}
    scope, found = reduce(join, alive.values(), unit)
    order = [scope.index(v) for v in keep]
    return Program(size, steps, {tuple(key[k] for k in order): place for key, place in found.items()})


class DiscretePoint:
    """Tables evaluated at a point, and the program that sums their products with one vector for each observed variable."""

    def __init__(self, model: Discrete, field: Field, values: Values) -> None:
        self.model, self.field = model, field
        field.work.spend(100 * model.width)
        factors, entries = model.factors()
        size = 1 + len(entries)
        for v in model.observed:
            factors.append(([v], {(state,): size + state for state in range(model.variables[v].states)}))
            size += model.variables[v].states
        self.program = contraction(model.sizes, factors, size, [], field.work)
        table, numbers = {**values, "1": 1}, model.parameters
        different = {id(entry): entry for entry in entries}  # tables that are shared have the same entries
        known = {key: evaluated(entry, field, table) for key, entry in different.items()}
        terms = {key: [(numbers[p], c) for p, c in slopes] for key, (_, slopes) in known.items()}
        self.values = [known[id(entry)][0] for entry in entries]
        self.slopes = [(place, terms[id(entry)]) for place, entry in enumerate(entries, 1)]

    def run(self, functional: Sequence[int]) -> list[int]:
        """All numbers of the program."""
        prime = self.field.prime
        numbers = [1, *self.values, *functional]
        numbers += [0] * (self.program.size - len(numbers))
        self.field.work.spend(3 * self.program.size + 3 * len(self.program.steps))
        for target, one, other in self.program.steps:
            numbers[target] = (numbers[target] + numbers[one] * numbers[other]) % prime
        return numbers

    def value(self, functional: Sequence[int]) -> int:
        """The sum."""
        numbers = self.run(functional)
        return sum(numbers[place] for place in self.program.result.values())

    def gradient(self, functional: Sequence[int]) -> list[int]:
        """The steps backwards: the derivatives of the sum by every number, then by the parameters."""
        prime, numbers = self.field.prime, self.run(functional)
        slopes = [0] * len(numbers)
        for place in self.program.result.values():
            slopes[place] = 1
        self.field.work.spend(6 * len(self.program.steps) + 2 * self.model.size)
        for target, one, other in reversed(self.program.steps):
            slope = slopes[target] % prime
            slopes[one] += slope * numbers[other]
            slopes[other] += slope * numbers[one]
        found = [0] * len(self.model.parameters)
        for place, terms in self.slopes:
            for number, coefficient in terms if slopes[place] else ():
                found[number] += coefficient * slopes[place]
        return [x % prime for x in found]


class Discrete(Model):
    """A network of tables; ``given`` is conditioned on. Coordinates are the cells of the observed table."""

    point: type[Any] = DiscretePoint
    complete: int

    def __init__(
        self,
        variables: dict[str, Variable],
        given: Sequence[str] = (),
        tables: Sequence[tuple[list[str], Table]] | None = None,
    ) -> None:
        own = [([*x.parents, v], x.table) for v, x in variables.items() if v not in given]
        self.tables = own if tables is None else tables
        self.variables, self.given = variables, [v for v in variables if v in given]
        self.sizes = {v: variable.states for v, variable in variables.items()}
        self.observed = [v for v, variable in variables.items() if variable.observed]
        self.hidden = [v for v, variable in variables.items() if not variable.observed]
        self.shape = [self.sizes[v] for v in self.observed]
        self.coordinates, self.conditions = prod(self.shape), self.states(self.given)
        self.complete = self.coordinates - self.conditions
        self.roots = sum(self.sizes[v] - 1 for v in self.given)  # the parameters they would have (Lemma districts (d))
        self.width = sum(self.shape)
        used = (p for _, table in self.tables for entry in table.values() for p in entry if p != "1")
        self.parameters = {parameter: number for number, parameter in enumerate(dict.fromkeys(used))}
        families = sum((1 + len(variable.parents)) ** 2 for variable in variables.values())
        terms = ((1 + len(v) // 8) * sum(1 + len(entry) for entry in table.values()) for v, table in self.tables)
        self.size = families + sum(terms)  # joint states of many variables take longer
        self.has_zeros = any(len(table) < self.states(scope) for scope, table in self.tables)

    def states(self, names: Iterable[str]) -> int:
        """The number of joint states."""
        return prod(self.sizes[v] for v in names)

    def factors(self) -> tuple[list[Scoped], list[Expression]]:
        """The tables as factors, and their entries; the number of an entry is its place, from 1."""
        factors: list[Scoped] = []
        entries: list[Expression] = []
        for scope, table in self.tables:
            factors.append((scope, {key: place for place, key in enumerate(table, 1 + len(entries))}))
            entries.extend(table.values())
        return factors, entries

    def possible(self, names: Sequence[str], work: Work) -> set[tuple[int, ...]]:
        """The states of some variables whose chance does not vanish identically (Lemma districts (e))."""
        work.spend(5 * self.size)
        factors, _ = self.factors()
        factors += [([v], {(state,): 0 for state in range(self.sizes[v])}) for v in self.given]
        return set(contraction(self.sizes, factors, 1, names, work).result)

    def relevant(self) -> Discrete:
        """Leave out hidden variables without observed descendants (Lemma irrelevant variables)."""
        return self.above(self.observed)

    def above(self, names: Iterable[str]) -> Discrete:
        """Some variables and their ancestors; without the others, sums of the tables stay the same."""
        found = reached({v: variable.parents for v, variable in self.variables.items()}, names)
        return Discrete({v: x for v, x in self.variables.items() if v in found}, [v for v in self.given if v in found])

    def kernel(self, inside: Iterable[str]) -> Discrete:
        """These variables, given their parents outside."""
        inside = set(inside)
        outside = {parent for v in inside for parent in self.variables[v].parents} - inside
        variables = {v: x for v, x in self.variables.items() if v in inside or v in outside}
        roots = {v: Variable(self.sizes[v], True, [], free_table((v,), [self.sizes[v]]), free=True) for v in outside}
        return Discrete({v: roots.get(v, x) for v, x in variables.items()}, [*outside])

    def separated(self, one: Iterable[str], other: Iterable[str], given: Iterable[str]) -> bool:
        """Whether ``given`` separates two sets: no path in the moral graph of the ancestors."""
        parents = {v: variable.parents for v, variable in self.variables.items()}
        families = [[v, *parents[v]] for v in reached(parents, {*one, *other, *given})]
        joined: dict[str, set[str]] = {}
        for family in families:
            for v in family:
                joined.setdefault(v, set()).update(family)
        return not reached(joined, one, given).intersection(other)

    def coordinate(self, number: int) -> list[int]:
        """One unit vector for each observed variable."""
        return unit_vectors(number, self.shape)

    def places(self, names: Sequence[str]) -> list[int]:
        """What each joint state of some observed variables adds to the number of a cell."""
        found = [0]
        for v in names:
            stride = prod(self.shape[1 + self.observed.index(v) :])
            found = [place + stride * state for place in found for state in range(self.sizes[v])]
        return found

    def sums(self) -> list[Form]:
        """The sums of cells that are 1: one for every state of what is conditioned on."""
        sums: dict[tuple[int, ...], Form] = {}
        for number in range(self.coordinates):
            cell = states_of(number, self.shape)
            sums.setdefault(tuple(cell[self.observed.index(v)] for v in self.given), {})[number] = 1
        return list(sums.values())

    def constant(self, numbers: Sequence[int], work: Work) -> bool:
        """Whether these cells vanish identically."""
        possible = self.possible(self.observed, work) if numbers else set()
        return possible.isdisjoint(tuple(states_of(number, self.shape)) for number in numbers)

    def matrix(self, item: Any, field: Field) -> tuple[int, list[list[Form]]]:
        """A flattening (Lemma matrices of bounded rank), several side by side, or what a chain shows."""
        make = {"common": side_by_side, "times": chain_matrix}
        known = [make[key] for key in (item if type(item) is dict else ()) if key in make]
        return known[0](self, item, field.work) if known else flattening(self, item, field)

    def local_map(self, hidden: Sequence[str]) -> Discrete:
        """Some hidden variables with their children, which become observed, given the other parents of these."""
        kernel = self.kernel({v for v, x in self.variables.items() if {v, *x.parents} & {*hidden}})
        return Discrete({v: x._replace(observed=v not in hidden) for v, x in kernel.variables.items()}, kernel.given)

    def directions(self, check: Check, field: Field, values: Values, item: Any) -> Iterator[Values]:
        """Those of a local map, or of the whole (Lemma symmetry), or of a chain."""
        if type(item) is dict and "times" in item:
            return chain_directions(self, field, values, item)
        return local_directions(self, check, field, values, item)


def discrete(data: Any, work: Work) -> Discrete:
    """Read a network: variables, tables that are not free or shared, and the parameters that are named in tables."""
    form = {"name": as_name, "states": as_whole, "observed": as_truth, "parents": [as_name], "table?": as_text}
    outer = {"family": as_text, "variables": [form], "tables?": dictionary(anything), "names?": dictionary(as_rational)}
    data = read(data, {**outer, "given?": [as_name]}, "model")
    listed = by_name(data["variables"])
    parents = {v: item["parents"] for v, item in listed.items()}
    for v, above in parents.items():
        if len(above) != len(set(above)) or not set(above) <= listed.keys():
            raise Unreadable(f"{v} has unknown or repeated parents")
    acyclic(parents)
    shapes = {v: [listed[u]["states"] for u in (*above, v)] for v, above in parents.items()}
    size = sum(map(prod, shapes.values()))
    require(size <= MOST_ENTRIES, f"the tables have {size} entries; at most {MOST_ENTRIES} are allowed", Unreadable)
    inside, owners = data["names"] or {}, {v: item["table"] or v for v, item in listed.items()}
    by_owner = {owner: [v for v in listed if owners[v] == owner] for owner in dict.fromkeys(owners.values())}
    tables = data["tables"] or {}
    require(tables.keys() <= by_owner.keys() and "1" not in inside, "a table that no variable has", Unreadable)
    require(None not in tables.values(), "a table that is null; a free one is left out", Unreadable)
    variables: dict[str, Variable] = {}
    for owner, users in by_owner.items():
        shape = shapes[users[0]]
        work.spend(prod(shape) * (40 + 100 * (len(shape) // 8)))
        rows, inner = tables.get(owner), None
        one = all(shapes[v] == shape and rows != "rasch" for v in users[1:]) and (owner not in listed or owner in users)
        require(one, f"the shared table {owner}: two shapes, the name of a variable outside, or rasch", Unreadable)
        if rows in LOGITS:
            inner, table = rows, logit_table(str(rows), owner, parents[users[0]], shape, work)
        elif type(rows) is dict:
            inner = embedded(rows, work, users, dict(zip((*parents[users[0]], users[0]), shape, strict=True)))
            table = class_table(inner, [*parents[users[0]], users[0]])
        else:
            rows = None if rows is None else read(rows, [[anything]], owner)
            table = free_table(owner, shape) if rows is None else table_of(rows, shape, inside, work)
        free = len(users) == 1 and (rows is None or (rows in LOGITS and is_full(str(rows), shape)))
        for v in users:
            variables[v] = Variable(shape[-1], listed[v]["observed"], parents[v], table, free, inner)
    given = chosen(data["given"] or [], listed, "given")
    require(data["given"] != [], "given is empty", Unreadable)
    work.spend(10 * sum(sum(map(len, x.table.values())) for x in variables.values()))
    model = Discrete({v: variables[v] for v in listed}, given)
    roots = all(variables[v].free and variables[v].observed and not parents[v] for v in given)
    require(
        roots and len(given) < len(model.observed), "given are observed variables without parents, not all", Unreadable
    )
    require(set(inside) <= model.parameters.keys(), "a name that does not occur in a table", Unreadable)
    return model


def table_of(rows: list[list[Any]], shape: Sequence[int], inside: Mapping[str, Fraction], work: Work) -> Table:
    """A table that is written out: numbers, and sums of numbers times parameters, positive at the values of the names."""
    if len(rows) != prod(shape[:-1]) or any(len(row) != shape[-1] for row in rows):
        raise Unreadable(f"a table that has not {prod(shape[:-1])} rows of {shape[-1]} entries")
    table: Table = {}
    for states, row in zip(product(*map(range, shape[:-1])), rows, strict=True):
        total: dict[str, Fraction] = {}
        for state, written in enumerate(row):
            terms = (
                dictionary(as_rational)(written, "an entry")
                if type(written) is dict
                else {"1": as_rational(written, "an entry")}
            )
            entry = {parameter: x for parameter, x in terms.items() if x}
            require(entry.keys() <= {"1", *inside}, "an entry with a name that has no value", Unreadable)
            value = Fraction(0)
            for parameter, x in entry.items():
                total[parameter] = total.get(parameter, Fraction(0)) + x
                value += x * inside.get(parameter, Fraction(1))
                work.spend(100 + sum(y.denominator.bit_length() // 64 for y in (total[parameter], value)) ** 2)
            require(value > 0 or not entry, "an entry that is not positive at the values of the names", Unreadable)
            if entry:
                table[(*states, state)] = dict(entry)
        require({p: x for p, x in total.items() if x} == {"1": 1}, "the entries of a row do not sum to 1", Unreadable)
    return table


# Tools: kernels with entries that do not count, after discrete networks -----------------------------------------------
ALWAYS: Expression = {"1": 1}


class Kept(Discrete):
    """A kernel of which only some entries count, those in possible cells of the whole model (Lemma districts (c))."""

    def __init__(self, kernel: Discrete, cells: set[tuple[int, ...]], work: Work) -> None:
        work.spend(200 * len(cells))
        indicator: Table = dict.fromkeys(sorted(cells), ALWAYS)
        super().__init__(kernel.variables, kernel.given, [*kernel.tables, (kernel.observed, indicator)])
        self.whole = kernel
        places = [kernel.observed.index(v) for v in kernel.given]
        lost = {tuple(cell[k] for k in places) for cell in kernel.possible(kernel.observed, work) - cells}
        self.complete = len(cells) - (self.conditions - len(lost))  # the others of these sum to 1
        pairs = ((table, key) for scope, table in self.tables for key in self.possible(scope, work))
        self.occurring = {parameter for table, key in pairs for parameter in table[key] if parameter != "1"}

    @property
    def count(self) -> int:
        """How many parameters occur in the entries that count."""
        return len(self.occurring)

    def seen_by(self, side: str, kind: Any) -> Discrete:
        """Upper bounds that know nothing of entries that do not count are about the whole kernel."""
        return self if side == "lower" or kind in ("counting", "ambient") else self.whole


# Tools: tables that are quotients, after discrete networks, derivatives -----------------------------------------------
Product = Sequence[tuple[Expression, int]]  # sums of numbers times parameters, with exponents


class Quotient(Expression):
    """An entry that is a product divided by a sum of products; the keys are the parameters of the whole table.

    ``readable`` if the entries of the table determine the parameters (Lemma sigmoid (d)).
    """

    def __init__(self, keys: Iterable[Parameter], above: Product, below: Sequence[Product], *, readable: bool) -> None:
        super().__init__(dict.fromkeys(keys, 0))
        self.above, self.below, self.readable = above, below, readable

    def at(self, field: Field, values: Values) -> tuple[int, Slopes]:
        """The value at a point, and the derivatives."""
        field.work.spend(5 * sum(map(len, (self.above, *self.below))))
        names = dict.fromkeys(p for one in (self.above, *self.below) for terms, _ in one for p in terms if p != "1")
        jets = Jets(field, {p: values[p] for p in names})
        theta = {"1": {0: 1}, **dict(zip(names, jets.theta, strict=True))}

        def multiplied(one: Product) -> Jet:
            sums = (jets.total(jets.product([{0: field.number(x)}, theta[p]]) for p, x in e.items()) for e, _ in one)
            return jets.product(jets.power(x, k) for x, (_, k) in zip(sums, one, strict=True))

        found = jets.product([multiplied(self.above), jets.inverse(jets.total(map(multiplied, self.below)))])
        return found[0], [(p, found.get(k, 0)) for k, p in enumerate(names, 1)]


def renamed(table: Table, owner: str) -> Table:
    """The table with parameters of another name."""
    return {key: {p if p == "1" else (owner, p): x for p, x in entry.items()} for key, entry in table.items()}


LOGITS = ("sigmoid", "multinomial", "adjacent", "cumulative", "rasch")  # in the place of the rows of a table


def is_full(word: str, sizes: Sequence[int]) -> bool:
    """Whether a table of log-odds has as many parameters as free entries: it is as good as a free one (Lemma sigmoid (c))."""
    wide = [size for size in sizes[:-1] if size > 1]
    return not wide or (wide == [2] and word != "rasch" and (sizes[-1] == 2 or word == "multinomial"))


def logit_table(word: str, owner: str, parents: Sequence[str], sizes: Sequence[int], work: Work) -> Table:
    """Tables whose log-odds are linear in weights, e to the power of which are the parameters (Lemma sigmoid)."""
    steps, wide = range(1, sizes[-1]), [k for k, size in enumerate(sizes[:-1]) if size > 1]
    right = len(steps) == 1 or (word != "sigmoid" and len(steps) > 1)
    require(right, f"{owner}: a sigmoid table has two states, others two or more", Unreadable)
    if is_full(word, sizes):
        return free_table(owner, sizes)

    def moved(k: int, x: int, s: int) -> tuple[Parameter, int]:
        """The parameter by which state x of parent k multiplies what belongs to state s, and its exponent."""
        if word == "rasch":
            return (("T", parents[k]), x), s if x else 0  # of all rasch children of the parent
        of_all = word in ("adjacent", "cumulative")
        return (owner, "B", k) if of_all else (owner, "B", k, s), (s * x if word == "adjacent" else min(s, 1) * x)

    names: dict[Parameter, None] = dict.fromkeys((owner, "A", s) for s in steps)
    names |= dict.fromkeys(moved(k, x, s)[0] for k in wide for x in range(1, sizes[k]) for s in steps)
    work.spend(100 * prod(sizes) * len(names))
    one: dict[Parameter, Expression] = {p: {p: 1} for p in names}
    table: Table = {}
    for row in product(*map(range, sizes[:-1])):
        terms: list[Product] = []
        for state in range(sizes[-1]):
            constants = range(1 if word in ("adjacent", "rasch") else max(1, state), state + 1)
            powers = [(one[p], e) for p, e in (moved(k, row[k], state) for k in wide) if e]
            terms.append([*((one[owner, "A", t], 1) for t in constants), *powers])
        for state in range(sizes[-1]):
            above, below = terms[state], terms  # the share of the term among all
            if word == "cumulative":  # 1/(1 + z), z/(1 + z), and between them z/(1 + z) less the same with the next z
                below = [[], terms[max(state, 1)]]
                if 0 < state < len(steps):
                    above = [({(owner, "A", state): 1, (owner, "A", state + 1): -1}, 1), *above[1:]]
                    below += [terms[state + 1], [*terms[state], *terms[state + 1]]]
            table[(*row, state)] = Quotient(names, above, below, readable=True)
    return table


def class_table(model: Classifier, scope: Sequence[str]) -> Table:
    """The probabilities of the class, which comes last, given the inputs."""
    found: Table = {}
    for row in product(*(range(model.sizes[v]) for v in scope[:-1])):
        states = [dict(zip(scope, (*row, k), strict=True)) for k in range(model.sizes[model.label])]
        products: list[Product] = [
            [(entries[tuple(at[v] for v in own)], 1) for own, entries in model.factors.values()] for at in states
        ]
        for k, one in enumerate(products):
            found[(*row, k)] = Quotient(model.parameters, one, products, readable=False)
    return found


def embedded(data: Any, work: Work, users: Sequence[str], sizes: Mapping[str, int]) -> Classifier:
    """Read a classifier that stands in the place of a table; its parameters get the variable's name."""
    require(
        data.get("family") == "classifier", "a table that is neither rows nor log-odds nor a classifier", Unreadable
    )
    inner = classifier(data, work)
    if users != [inner.label] or len(sizes) == 1 or inner.sizes != sizes:
        raise Unreadable("the variables of a classifier are not the variable and its parents, with their states")
    work.spend(250 * prod(sizes.values()) * (len(inner.factors) + len(inner.parameters)))
    variables = {v: x._replace(table=renamed(x.table, inner.label)) for v, x in inner.network.variables.items()}
    return Classifier(Discrete(variables), inner.label)


# Family: classifiers, after discrete networks -------------------------------------------------------------------------
class ClassifierPoint:
    """The derivatives of the logarithms of all entries at a point; functionals have a vector for each input and the class."""

    def __init__(self, model: Classifier, field: Field, values: Values) -> None:
        self.model, self.field = model, field
        at = {**values, "1": 1}
        self.slopes: list[tuple[list[str], tuple[int, ...], list[tuple[int, int]]]] = []
        for scope, table in model.factors.values():
            for key, entry in table.items():
                value, by = evaluated(entry, field, at)
                require(value != 0, "an entry of a table with the class vanishes at the point")
                inverse = pow(value, -1, field.prime)
                self.slopes.append((scope, key, [(model.parameters[p], x * inverse) for p, x in by]))

    def gradient(self, functional: Sequence[int]) -> list[int]:
        """The sum of all log-odds, weighted by products; the vector of an input gets the sum 1 by its last number."""
        model, left = self.model, iter(functional)
        vectors = {v: [next(left) for _ in range(model.sizes[v])] for v in model.inputs}
        vectors = {v: [*vector[:-1], 1 - sum(vector[:-1])] for v, vector in vectors.items()}
        odds = list(left)
        vectors[model.label] = [-sum(odds), *odds]
        found = [0] * len(model.parameters)
        self.field.work.spend(20 * model.size)
        for scope, key, terms in self.slopes:
            weight = prod(vectors[v][state] for v, state in zip(scope, key, strict=True)) % self.field.prime
            for number, x in terms:
                found[number] += weight * x
        return [x % self.field.prime for x in found]


class Classifier(Model):
    """The log-odds of one variable of an observed network given all others."""

    point = ClassifierPoint

    def __init__(self, network: Discrete, label: str) -> None:
        self.network, self.label, self.sizes = network, label, network.sizes
        self.parameters, self.size = network.parameters, network.size
        self.inputs = [v for v in network.variables if v != label]
        self.shape = [*(self.sizes[v] for v in self.inputs), self.sizes[label] - 1]
        self.complete = self.coordinates = prod(self.shape)
        self.width = sum(self.shape)
        scopes = {v: ([*x.parents, v], x.table) for v, x in network.variables.items()}
        self.factors = {v: pair for v, pair in scopes.items() if label in pair[0]}

    def coordinate(self, number: int) -> list[int]:
        """A unit vector for each input, and for the class without its first state."""
        return unit_vectors(number, self.shape)


def classifier(data: Any, work: Work) -> Classifier:
    """Read a network as that of a discrete model, and its class."""
    require(type(data) is dict and "class" in data, "model: the key class is missing", Unreadable)
    tables = data.get("tables")
    plain = type(tables) is not dict or all(type(rows) is list for rows in tables.values())
    require(plain, "a table of a classifier's network that is not written as rows", Unreadable)
    network = discrete({key: value for key, value in data.items() if key != "class"}, work)
    label = as_name(data["class"], "class")
    observed = label in network.variables and not network.hidden and not network.given
    require(observed, "the class is no variable, or not all variables are observed and none given", Unreadable)
    require(not network.has_zeros, "a table of a classifier's network with an entry that is 0", Unreadable)
    return Classifier(network, label)


# Family: log-linear models, after discrete networks -------------------------------------------------------------------
class LogLinearPoint(DiscretePoint):
    """The sums q of products of effects at a point, divided by their sum Z over all cells."""

    def __init__(self, model: LogLinear, field: Field, values: Values) -> None:
        super().__init__(model, field, values)
        ones = [1] * model.width
        total, self.slope = super().value(ones) % field.prime, super().gradient(ones)
        require(total != 0, "the sum over all joint states vanishes at the point")
        self.inverse = pow(total, -1, field.prime)

    def value(self, functional: Sequence[int]) -> int:
        """The quotient q / Z."""
        return super().value(functional) * self.inverse % self.field.prime

    def gradient(self, functional: Sequence[int]) -> list[int]:
        """(dq − (q / Z) dZ) / Z."""
        value, slopes = self.value(functional), zip(super().gradient(functional), self.slope, strict=True)
        return [(x - value * y) * self.inverse % self.field.prime for x, y in slopes]


class LogLinear(Discrete):
    """Variables and effects, with a parameter for each of their joint states in which no state is 0."""

    point = LogLinearPoint

    def __init__(self, variables: dict[str, Variable], effects: Sequence[list[str]]) -> None:
        self.effects = effects

        def table(effect: list[str]) -> Table:
            keys = product(*(range(variables[v].states) for v in effect))
            labels = ((key, ",".join(map("{}={}".format, effect, key))) for key in keys)
            return {key: {"1" if 0 in key else f"t({label})": 1} for key, label in labels}

        super().__init__(variables, tables=[(effect, table(effect)) for effect in effects])

    def relevant(self) -> LogLinear:
        """Leave out hidden variables that no chain of effects joins to an observed one (Lemma log-linear (d))."""
        groups = connected(self.variables, [(effect[0], v) for effect in self.effects for v in effect])
        kept = {v for group in groups if not group.isdisjoint(self.observed) for v in group}
        effects = [effect for effect in self.effects if effect[0] in kept]
        return LogLinear({v: x for v, x in self.variables.items() if v in kept}, effects)

    def directions(self, check: Check, field: Field, values: Values, item: Any) -> Iterator[Values]:
        """A field of polynomials (Lemma symmetry)."""
        yield direction_of_quotients(self, check, field, values, item)


def loglinear(data: Any, work: Work) -> LogLinear:
    """Read variables, and sets of them that have effects."""
    variables = {"name": as_name, "states": as_whole, "observed": as_truth}
    data = read(data, {"family": as_text, "variables": [variables], "effects": [[as_name]]}, "model")
    items = by_name(data["variables"]).items()
    listed = {v: Variable(item["states"], item["observed"], [], {}) for v, item in items}
    work.spend(20 * len(listed) * len(data["effects"]))
    effects = [chosen(effect, listed, "an effect") for effect in data["effects"]]
    require(
        all(effects) and len({*map(tuple, effects)}) == len(effects),
        "an effect that is empty or occurs twice",
        Unreadable,
    )
    size = sum(prod(listed[v].states for v in effect) for effect in effects)
    require(size <= MOST_ENTRIES, f"the effects have {size} entries; at most {MOST_ENTRIES} are allowed", Unreadable)
    work.spend(sum((100 + sum(map(len, effect))) * prod(listed[v].states for v in effect) for effect in effects))
    return LogLinear(listed, effects)


# Family: Gaussian models, after polynomials ---------------------------------------------------------------------------
Named = Mapping[str, int]  # a vector, by the names of the variables


class Place(NamedTuple):
    """An entry of B (parent, child), of O for Ω (both orders), of m (variable, "1") or of A = I − Bᵀ."""

    matrix: str
    row: str
    column: str


class GaussianPoint:
    """T = (I − B)⁻¹ at a point; functionals are uᵀΣv + wᵀμ with Σ = TᵀΩT and μ = Tᵀm of all variables."""

    def __init__(self, model: Gaussian, field: Field, values: Values) -> None:
        self.model, self.field = model, field
        field.work.spend(20 * len(model.variables) ** 2)
        self.numbers = {
            k: sum(field.number(c) * (values[one] if one else 1) for one, c in terms_of(x)) % field.prime
            for k, x in model.entries.items()
        }
        names, count = list(model.variables), len(model.variables)
        units = [[int(v == other) for other in names] for v in names]
        lines = [[int(v == other) - self.numbers.get(Place("B", v, other), 0) for other in names] for v in names]
        relations = field.kernel([[x % field.prime for x in line] for line in lines] + units)
        solved = all(relation[count + number] == 1 for number, relation in enumerate(relations))
        require(solved, "I − B has no inverse at the point")
        self.paths = {v: dict(zip(names, (-x for x in r), strict=False)) for v, r in zip(names, relations, strict=True)}
        self.mean = self.gathered({v: self.numbers.get(Place("m", v, "1"), 0) for v in names})

    def gathered(self, vector: Named) -> Named:
        """Tᵀ times a vector."""
        return {v: sum(line[v] * vector[k] for k, line in self.paths.items()) % self.field.prime for v in self.paths}

    def errors(self, vector: Named) -> Named:
        """Ω times a vector."""
        found = dict.fromkeys(self.paths, 0)
        for (kind, row, column), x in self.numbers.items():
            if kind == "O":
                found[row] += x * vector[column]
        return found

    def seen(self, functional: Sequence[int]) -> Sequence[Named]:
        """Tu, Tv and Tw."""
        self.field.work.spend(20 * len(self.paths) ** 2 + 20 * self.model.size)
        count, found = len(self.model.observed), []
        for start in (0, count, 2 * count):
            weights = dict(zip(self.model.observed, functional[start : start + count], strict=False))
            found.append({v: sum(x * line[k] for k, x in weights.items() if x) for v, line in self.paths.items()})
        return found

    def value(self, functional: Sequence[int]) -> int:
        """(Tu)ᵀΩ(Tv) + (Tw)ᵀm."""
        u, v, w = self.seen(functional)
        means = sum(x * w[place.row] for place, x in self.numbers.items() if place.matrix == "m")
        return (sum(u[name] * x for name, x in self.errors(v).items()) + means) % self.field.prime

    def gradient(self, functional: Sequence[int]) -> list[int]:
        """By b_ij (Σv)_i (Tu)_j + (Σu)_i (Tv)_j + μ_i (Tw)_j, by ω_ij (Tu)_i (Tv)_j, for both orders of i and j, by m_i (Tw)_i."""
        u, v, w = self.seen(functional)
        above_u, above_v = self.gathered(self.errors(u)), self.gathered(self.errors(v))
        found = [0] * len(self.model.parameters)
        for (kind, i, j), entry in self.model.entries.items():
            if not isinstance(entry, Fraction):
                slope = u[i] * v[j] if kind == "O" else w[i]
                if kind == "B":
                    slope = above_v[i] * u[j] + above_u[i] * v[j] + self.mean[i] * w[j]
                for one, factor in terms_of(entry):
                    if one:
                        found[self.model.parameters[one]] += slope * self.field.number(factor)
        return [x % self.field.prime for x in found]


Linear = tuple[tuple[str, Fraction], ...]  # parameters with factors, and "" with a constant


def terms_of(entry: Fraction | str | Linear) -> Linear:
    """What an entry is as a sum."""
    return (
        entry
        if isinstance(entry, tuple)
        else (("", entry),)
        if isinstance(entry, Fraction)
        else ((entry, Fraction(1)),)
    )


class Gaussian(Model):
    """Linear equations with normal errors: which variables are observed, each entry's number, parameter or sum, and groups.

    Cases are of one group, so that variables of two groups, which their names end in, have no covariance.
    """

    point = GaussianPoint

    def __init__(
        self,
        variables: dict[str, bool],
        entries: dict[Place, Fraction | str | Linear],
        *,
        means: bool,
        groups: Sequence[str] = (),
    ) -> None:
        self.variables, self.entries, self.means, self.groups = variables, entries, means, groups
        used = dict.fromkeys(x for x in entries.values() if isinstance(x, str))
        self.parameters = {parameter: number for number, parameter in enumerate(used)}
        names = self.observed = [v for v, seen in variables.items() if seen]
        self.one = ["1"] if means else []
        count = len(names)
        self.complete = self.coordinates = len(self.pairs())
        self.width, self.size = count * (2 + means), len(variables) + len(entries)

    def relevant(self) -> Gaussian:
        """Leave out latent variables from which no directed path leads to an observed one (Lemma irrelevant variables)."""
        parents: dict[str, list[str]] = {}
        for kind, row, column in self.entries:
            if kind == "B":
                parents.setdefault(column, []).append(row)
        kept = reached(parents, self.observed)
        entries = {place: x for place, x in self.entries.items() if kept.issuperset({place.row, place.column} - {"1"})}
        left = {x for x in entries.values() if isinstance(x, str)}
        if any(one and one not in left for x in entries.values() if isinstance(x, tuple) for one, _ in x):
            return self  # what is left is a sum of what is not
        variables = {v: seen for v, seen in self.variables.items() if v in kept}
        return Gaussian(variables, entries, means=self.means, groups=self.groups)

    def pairs(self) -> list[tuple[str, str]]:
        """The coordinates: covariances row by row, then means, which are those of a variable and "1"."""
        names = self.observed
        covariances = [(one, other) for number, one in enumerate(names) for other in names[number:]]
        if self.groups:
            covariances = [pair for pair in covariances if len({v.rpartition(".")[2] for v in pair}) == 1]
        return covariances + [(v, "1") for v in names if self.means]

    def coordinate(self, number: int) -> list[int]:
        """Unit vectors u and v, or w."""
        one, other = self.pairs()[number]
        blocks = ([], [], [one]) if other == "1" else ([one], [other], [])
        return [int(v in block) for block in blocks[: 2 + self.means] for v in self.observed]

    def arcs(self, *, free: bool) -> dict[str, list[str]]:
        """The arcs of the doubled graph with copies A' (Lemma treks), without those of zeros, or of all fixed entries."""
        found: dict[str, list[str]] = {}
        for (kind, row, column), x in self.entries.items():
            if not isinstance(x, Fraction) or (x and not free):
                ends = {"B": [(f"{column}'", f"{row}'"), (row, column)], "O": [(f"{row}'", column)]}
                for start, end in ends.get(kind, [(f"{row}'", "1"), ("1'", row)]):
                    found.setdefault(start, []).append(end)
        return found

    def constant(self, numbers: Sequence[int], work: Work) -> bool:
        """Whether no path between these variables has an arc of an entry that is not fixed (Lemma treks (b))."""
        arcs, free, pairs = self.arcs(free=False), self.arcs(free=True), self.pairs()
        moved: dict[str, set[str]] = {}
        for one in {pairs[number][0] for number in numbers}:
            work.spend(40 * self.size)
            moved[one] = reached(arcs, [end for start in reached(arcs, [f"{one}'"]) for end in free.get(start, ())])
        return all(pairs[number][1] not in moved[pairs[number][0]] for number in numbers)

    def matrix(self, item: Any, field: Field) -> tuple[int, list[list[Form]]]:
        """Covariances and means of rows and columns between which all treks meet some vertices (Lemma treks (a))."""
        names = ("rows", "columns", "left", "right")
        item = read(item, {**{side: [as_text] for side in names}, "pairs": anything}, "a matrix")
        rows, columns = (chosen(item[side], self.observed + self.one, side) for side in names[:2])
        left, right = (chosen(item[side], [*self.variables, *self.one], side) for side in names[2:])
        require(bool(rows and columns), "a matrix without rows or columns")
        field.work.spend(30 * self.size)
        cut = {*right, *(f"{v}'" for v in left)}
        open_ends = reached(self.arcs(free=False), [f"{v}'" for v in rows], cut).intersection(columns)
        require(
            not open_ends, f"not all treks between {','.join(rows)} and {','.join(columns)} meet the vertices named"
        )
        field.work.spend(20 * self.coordinates + 150 * len(rows) * len(columns))
        numbers = {pair: number for number, pair in enumerate(self.pairs())}
        places = [[numbers.get((x, y), numbers.get((y, x))) for y in columns] for x in rows]
        return len(cut), [[{} if place is None else {place: 1} for place in line] for line in places]

    def directions(self, check: Check, field: Field, values: Values, item: Any) -> Iterator[Values]:
        """A field of polynomials, or the sum of some moves that changes nothing fixed and equal entries alike (Lemmas symmetry, moves)."""
        if type(item) is dict:
            yield formula_direction(moments_multiplied_out(self, check.work), field, values, item)
            return
        check.work.spend(120 * self.size)
        form = {"move": as_text, "of": [as_text], "coefficient": as_rational, "factor": [as_text]}
        known: dict[Place, Polynomial] = {
            place: {((one,) if one else ()): c for one, c in terms_of(x)} for place, x in self.entries.items()
        }
        sums = {
            Place("A", place.column, place.row) if place.matrix == "B" else place
            for place, x in self.entries.items()
            if isinstance(x, tuple)
        }
        for v, other in [(place.column, place.row) for place in self.entries if place.matrix == "B"]:
            known[Place("A", v, other)] = {key: -x for key, x in known.pop(Place("B", other, v)).items()}
        known |= {Place("A", v, v): {(): Fraction(1)} for v in self.variables}
        change: dict[Place, Polynomial] = {}
        for move in read(item, [form], "a field"):
            check.work.spend(50 * len(known))
            require(set(move["factor"]) <= self.parameters.keys(), "a factor that is no parameter of the model")
            for place, sign, source in self.moved(known, move["move"], move["of"]):
                factor = {tuple(sorted(move["factor"])): sign * move["coefficient"]}
                change[place] = added([(change.get(place, {}), ONE), (factor, known[source])], check.work)
        named: dict[str, Polynomial] = {}
        for place in {**known, **change}.keys() - sums:
            ((monomial, number),) = known.get(place, {(): Fraction(0)}).items()
            signed = {key: number * x for key, x in change.get(place, {}).items()}
            allowed = named.setdefault(monomial[0], signed) if monomial else {}
            alike = signed == allowed and (len(monomial) > 0 or not change.get(place))
            require(alike, f"{tuple(place)} is fixed or missing, or changes not as its equals")
        for place in sums:
            parts = [({(): c}, named.get(one[0], {})) for one, c in known[place].items() if one]
            expected = added(parts, check.work)
            alike = {k: x for k, x in expected.items() if x} == {k: x for k, x in change.get(place, {}).items() if x}
            require(alike, f"{tuple(place)} changes not as the sum that it is")
        yield {parameter: polynomial_at(slope, field, values) for parameter, slope in named.items()}

    def moved(
        self, known: Mapping[Place, Polynomial], move: str, of: Sequence[str]
    ) -> Iterator[tuple[Place, int, Place]]:
        """What a move adds to which entries, with a sign: rows of A, Ω and m, or the column of a latent variable in A."""
        require(move in ("equation", "substitution", "errors", "mean") and len(of) == 2, "an unknown move", Unreadable)
        first, last = of
        require(move == "equation" or self.variables.get(first) is False, f"{first} is not a latent variable")
        require(first in self.variables and (last == "1" if move == "mean" else last in self.variables), f"no {last}")
        for source in known:
            kind, row, column = source
            if move == "equation" and row == last:
                yield Place(kind, first, column), 1, source
                if kind == "O":
                    yield Place(kind, column, first), 1, source
            elif move != "equation" and kind == "A" and column == first:
                if move == "substitution":
                    yield Place("A", row, last), -1, source
                else:
                    yield Place("O" if move == "errors" else "m", row, last), 1, source
                if move == "errors":
                    yield Place("O", last, row), 1, source


def summed(terms: Mapping[str, Fraction], fixed: Mapping[str, Any], equal: Mapping[str, Any]) -> Fraction | Linear:
    """A sum of entries with factors, and of a number at 1: by the names of the parameters, or a number if none is left."""
    total: dict[str, Fraction] = {}
    for one, factor in terms.items():
        name = "" if one == "1" or one in fixed else as_name(equal[one], one) if one in equal else one
        total[name] = total.get(name, Fraction(0)) + factor * (as_rational(fixed[one], one) if one in fixed else 1)
    left = tuple((one, c) for one, c in total.items() if c)
    return left if any(one for one, _ in left) else sum((c for _, c in left), Fraction(0))


def gaussian(data: Any, _: Work) -> Gaussian:
    """Read linear equations: entries b(A->B), v(A), c(A<->B) and m(A) that are free, fixed or equal to others."""
    variables, edges, optional = {"name": as_name, "observed": as_truth}, [[as_name]], dictionary(anything)
    outer = {"family": as_text, "variables": [variables], "edges": edges, "means": as_truth, "bidirected?": edges}
    groups = {"by?": as_name, "groups?": [as_text]}
    linear = dictionary(dictionary(as_rational))
    data = read(data, {**outer, "fixed?": optional, "equal?": optional, "linear?": linear, **groups}, "model")
    observed = {v: item["observed"] for v, item in by_name(data["variables"]).items()}
    bidirected = data["bidirected"] or []
    for edge in data["edges"] + bidirected:
        require(len({*edge}) == len(edge) == 2 and {*edge} <= {*observed}, f"no edge: {edge[:2]}", Unreadable)
    once = len({*map(tuple, data["edges"])}) == len(data["edges"]) and len({*map(frozenset, bidirected)}) == len(
        bidirected
    )
    require(once and data["bidirected"] != [], "an edge occurs twice, or bidirected is empty", Unreadable)
    places: dict[str, tuple[str, list[Place]]] = {f"b({a}->{b})": ("b", [Place("B", a, b)]) for a, b in data["edges"]}
    places |= {f"v({a})": ("v", [Place("O", a, a)]) for a in observed}
    places |= {f"c({a}<->{b})": ("c", [Place("O", a, b), Place("O", b, a)]) for a, b in bidirected}
    places |= {f"m({a})": ("m", [Place("m", a, "1")]) for a in observed if data["means"]}
    require(len(places) <= MOST_ENTRIES, f"more than {MOST_ENTRIES} entries", Unreadable)
    fixed, equal = data["fixed"] or {}, data["equal"] or {}
    known = fixed.keys() <= places.keys() and equal.keys() <= places.keys()
    require(known, "fixed and equal are about entries of the model in the form b(A->B)", Unreadable)
    kinds: dict[str, str] = {}
    entries: dict[Place, Fraction | str | Linear] = {}
    sums = data["linear"] or {}
    free = places.keys() - sums.keys()
    apart = sums.keys() <= places.keys() and not sums.keys() & (fixed.keys() | equal.keys())
    require(
        apart and all(terms.keys() <= free | {"1"} for terms in sums.values()), "linear is in other entries", Unreadable
    )
    listed = data["groups"] or []
    of = {v: v.rpartition(".")[2] for v in observed if "." in v}
    joined = all(of.get(a) == of.get(b) for a, b in data["edges"] + bidirected)
    inside = not listed or ({*of} == {*observed} and {*of.values()} == {*listed} and joined)
    require(
        inside and len({*listed}) == len(listed) and len(listed) != 1,
        "variables and edges are of one group",
        Unreadable,
    )
    for entry, terms in sums.items():
        total = summed(terms, fixed, equal)
        below = entry.startswith("v") and isinstance(total, Fraction) and total < 0
        require(not below, f"{entry} is negative", Unreadable)
        entries.update(dict.fromkeys(places[entry][1], total))
    for entry, (kind, where) in places.items():
        if entry in sums:
            continue
        named = as_name(equal[entry], entry) if entry in equal and entry not in fixed else entry
        value = as_rational(fixed[entry], entry) if entry in fixed else named
        negative = kind == "v" and isinstance(value, Fraction) and value < 0
        require(not negative, f"{entry} is negative", Unreadable)
        alike = isinstance(value, Fraction) or kinds.setdefault(value, kind) == kind
        both = entry in fixed and entry in equal
        require(alike and not both, f"{entry} is fixed and named, or named as an entry of another kind", Unreadable)
        entries.update(dict.fromkeys(where, value))
    entries = {place: entries[place] for _, where in places.values() for place in where}
    return Gaussian(observed, entries, means=data["means"], groups=listed)


# Family: latent-profile models, after derivatives ---------------------------------------------------------------------
class ProfilePoint(Jets):
    """A latent-profile model at a point; functionals are single moments, by their numbers."""

    def __init__(self, model: Profile, field: Field, values: Values) -> None:
        super().__init__(field, values)
        self.model, theta = model, iter(self.theta)
        classes, continuous = range(model.classes), range(model.continuous)

        def row(length: int) -> list[Jet]:
            return self.row([next(theta) for _ in range(length - 1)])

        self.weights = row(model.classes)
        self.means = [[next(theta) for _ in classes] for _ in continuous]
        pairs = [(i, i) for i in continuous] + (list(combinations(continuous, 2)) if model.full else [])
        each = [[next(theta) for _ in (classes[:1] if model.equal else classes)] for _ in pairs]
        self.entries = dict(zip(pairs, each, strict=True))
        self.chances = [[row(states) for _ in classes] for states in model.tables]
        self.known: dict[tuple[int, tuple[int, ...]], Jet] = {}

    def moment(self, h: int, of: tuple[int, ...]) -> Jet:
        """E[X_i X_j ⋯ | h] = μ_i E[X_j ⋯ | h] + Σ_j σ_ij E[the others | h] (Isserlis)."""
        if (h, of) not in self.known:
            terms = [(self.means[of[0]], of[1:])] if of else []
            pairs = [(k, (of[0], j)) for k, j in enumerate(of) if k and (of[0], j) in self.entries]
            terms += [(self.entries[pair], of[1:k] + of[k + 1 :]) for k, pair in pairs]
            found = self.total(self.product([by[h % len(by)], self.moment(h, rest)]) for by, rest in terms)
            self.known[h, of] = self.kept(found) if of else {0: 1}
        return self.known[h, of]

    def coordinate(self, functional: Sequence[int]) -> Jet:
        """E[∏ X_i · 1(C = c)]: the sum over the classes."""
        (number,) = functional
        place, cell = divmod(number + (not self.model.tables), prod(self.model.tables))
        states = states_of(cell, self.model.tables)
        self.field.work.spend(10 * place + 10 * self.model.size)
        orders = (combinations_with_replacement(range(self.model.continuous), k) for k in range(MOST_ORDER + 1))
        power = next(islice(chain.from_iterable(orders), place, None), None)
        require(power is not None, f"a moment of an order above {MOST_ORDER}", Unreadable)
        return self.total(
            self.product(
                [weight, self.moment(h, power or ()), *(c[h][x] for c, x in zip(self.chances, states, strict=True))]
            )
            for h, weight in enumerate(self.weights)
        )


class Profile(Model):
    """Mixtures of normal distributions, with tables for categorical items; the coordinates are moments of all orders."""

    point, coordinates = ProfilePoint, MOST_ENTRIES

    def __init__(self, classes: int, items: Sequence[int | None], *, full: bool, equal: bool) -> None:
        self.classes, self.full, self.equal = classes, full, equal
        self.continuous, self.tables = items.count(None), [states for states in items if states is not None]
        matrix = self.continuous * (self.continuous + 1) // 2 if full else self.continuous
        rows = 1 + self.continuous + sum(states - 1 for states in self.tables)
        self.size = classes * rows - 1 + matrix * (1 if equal else classes)
        require(self.size <= MOST_ENTRIES, f"more than {MOST_ENTRIES} parameters", Unreadable)
        self.parameters = {number: number for number in range(self.size)}


def latent_profile(data: Any, _: Work) -> Profile:
    """Read a latent-profile model; the class comes first, and items without states are continuous."""
    variables = {"name": as_name, "observed": as_truth, "states?": as_whole}
    outer = {"family": as_text, "variables": [variables], "covariances?": dictionary(as_truth)}
    data = read(data, outer, "model")
    by_name(data["variables"], observed=False)
    first, items, matrices = data["variables"][:1], data["variables"][1:], data["covariances"] or {}
    hidden = bool(first) and not first[0]["observed"] and all(item["observed"] for item in items)
    require(hidden, "it is not the first variable alone that is hidden", Unreadable)
    states = [item["states"] for item in items]
    require(None in states, "no continuous item", Unreadable)
    require(first[0]["states"] is not None, "a class without states", Unreadable)
    known = matrices.keys() <= {"full", "equal"} and all(matrices.values())
    require(known, "covariances has a key that is neither full nor equal, or a value that is not true", Unreadable)
    return Profile(first[0]["states"], states, full="full" in matrices, equal="equal" in matrices)


# Family: additive models, after derivatives ---------------------------------------------------------------------------
class AdditivePoint(Jets):
    """An additive model at a point; functionals are entries of the causes' tables and cumulants of the effect."""

    def __init__(self, model: Additive, field: Field, values: Values) -> None:
        require(model.coordinates <= MOST_WORK, "too many joint states of the causes", Unreadable)
        super().__init__(field, values)
        self.model, left = model, iter(self.theta[model.entries :])

        def table(names: Sequence[str], width: int) -> dict[tuple[int, ...], list[Jet]]:
            rows = product(*(range(model.states[v]) for v in names))
            return {row: [next(left) for _ in range(width)] for row in rows}

        pairs = (
            (table(m.weighing, m.components - 1), table(m.causes, m.components * model.letters))
            for m in model.mechanisms
        )
        self.tables = list(pairs)
        self.known: dict[tuple[int, tuple[int, ...], int], Jet] = {}

    def coordinate(self, functional: Sequence[int]) -> Jet:
        """An entry, or a cumulant: those of independent summands add up."""
        (number,), model = functional, self.model
        if number < model.entries:
            return self.theta[number]
        order, cell = divmod(number - model.entries, prod(model.causes.values()))
        require(order < MOST_ORDER, f"a cumulant of an order above {MOST_ORDER}", Unreadable)
        states = dict(zip(model.causes, states_of(cell, [*model.causes.values()]), strict=True))
        return self.total(
            self.cumulant(number, tuple(states[name] for name in mechanism.causes), order + 1)
            for number, mechanism in enumerate(model.mechanisms)
        )

    def cumulant(self, number: int, row: tuple[int, ...], n: int) -> Jet:
        """κ_n = m_n − Σ C(n−1, i−1) κ_i m_{n−i} of one mechanism in one joint state of its causes."""
        if (number, row, n) not in self.known:
            self.field.work.spend(100 * n)
            products = (
                self.product([{0: -comb(n - 1, i - 1)}, self.cumulant(number, row, i), self.moment(number, row, n - i)])
                for i in range(1, n)
            )
            self.known[number, row, n] = self.kept(self.total([self.moment(number, row, n), *products]))
        return self.known[number, row, n]

    def moment(self, number: int, row: tuple[int, ...], n: int) -> Jet:
        """m_n of one mechanism: the sum over its components, weighted."""
        (causes, weighing, components, *_), (weights, numbers) = self.model.mechanisms[number], self.tables[number]
        at = dict(zip(causes, row, strict=True))
        letters, chances = self.model.letters, self.row(weights[tuple(at[v] for v in weighing)])
        own = [numbers[row][letters * k : letters * (k + 1)] for k in range(components)]
        parts = zip(chances, own, strict=True)
        return self.total(self.product([chance, self.component(one, n)]) for chance, one in parts)

    def component(self, numbers: list[Jet], n: int) -> Jet:
        """m_k = Σ C(k−1, i−1) κ_i m_{k−i}: the cumulants are μ, v of a normal variable, λ, λ, … of a Poisson variable."""
        cumulants = numbers if self.model.letters == 2 else numbers * n
        found: list[Jet] = [{0: 1}]
        for k in range(1, n + 1):
            terms = (self.product([{0: comb(k - 1, i)}, x, found[k - 1 - i]]) for i, x in enumerate(cumulants[:k]))
            found.append(self.total(terms))
        return found[n]


Sizes = Mapping[str, int]


class Mechanism(NamedTuple):
    """The causes, the parents of the hidden variable inside, and its states, the components; joint states of both sets."""

    causes: list[str]
    weighing: list[str]
    components: int
    rows: int
    weights: int


class Additive(Model):
    """Sums of Poisson or of normal variables given their causes; the coordinates: entries of tables, then cumulants."""

    point = AdditivePoint

    def __init__(self, states: Sizes, causes: Sizes, entries: int, mechanisms: list[Mechanism], letters: int) -> None:
        self.states, self.causes, self.entries = states, causes, entries
        self.mechanisms, self.letters, self.effects = mechanisms, letters, [[one.causes for one in mechanisms]]
        own = ((one.components - 1) * one.weights + letters * one.components * one.rows for one in mechanisms)
        self.size = entries + sum(own)
        require(self.size <= MOST_ENTRIES, f"more than {MOST_ENTRIES} parameters", Unreadable)
        self.parameters = {number: number for number in range(self.size)}
        cells, mixed = prod(causes.values()), any(one.components > 1 for one in mechanisms)
        self.complete = None if mixed else cells - 1 + letters * cells
        self.coordinates = entries + MOST_ORDER * cells


ADDITIVE = [function + law for function in ("", "max-", "at-least-") for law in ("normal", "poisson")]


class Ordered(Additive):
    """The greatest, or the n-th largest, of Poisson or of normal variables given their causes; nothing is computed of it."""

    def __init__(self, *described: Any) -> None:
        super().__init__(*described)
        self.complete = None


class Sums(Model):
    """Effects that are sums, with hidden causes of any of them; nothing is computed of it."""

    def __init__(self, states: Sizes, hidden: set[str], entries: int, effects: list[Any], letters: int) -> None:
        self.states, self.effects, self.letters = states, effects, letters
        size = entries + letters * sum(prod(states[v] for v in members) for lists in effects for members in lists)
        require(size <= MOST_ENTRIES, f"more than {MOST_ENTRIES} parameters", Unreadable)
        self.parameters = {number: number for number in range(size)}
        cells, mixed = prod(states[v] for v in states if v not in hidden), any(states[v] > 1 for v in hidden)
        self.complete = None if mixed else cells - 1 + letters * len(effects) * cells


def additive(data: Any, _: Work) -> Additive | Sums:
    """Read an additive model: the causes, all tables of which are free, and the causes of each mechanism."""
    form, lists = {"name": as_name, "states?": as_whole, "observed?": as_truth}, [[as_name]]
    one, several = {"effect": as_name, "mechanisms": lists}, {"effects": [{"name": as_name, "mechanisms": lists}]}
    is_sums = type(data) is dict and "effects" in data
    outer = {"family": as_text, "variables": [form], "edges?": lists, **(several if is_sums else one)}
    data = read(data, outer if is_sums else {**outer, "least?": as_whole}, "model")
    listed = by_name(data["variables"], observed=False)
    states = {v: 2 if item["states"] is None else item["states"] for v, item in listed.items()}
    hidden = {v for v, item in listed.items() if item["observed"] is False}
    parents: dict[str, list[str]] = {v: [] for v in states}
    for edge in data["edges"] or []:
        known = len(edge) == 2 and set(edge) <= states.keys() and edge[0] not in parents[edge[1]]
        require(known, "an edge that is no pair of different variables, or occurs twice", Unreadable)
        parents[edge[1]].append(edge[0])
    acyclic(parents)
    return (read_sums if is_sums else read_single)(data, states, hidden, parents)


def count_entries(names: Iterable[str], states: Sizes, parents: Mapping[str, list[str]]) -> int:
    """The parameters of tables."""
    return sum((states[v] - 1) * prod(states[p] for p in parents[v]) for v in names)


def read_sums(data: Any, states: Sizes, hidden: set[str], parents: Mapping[str, list[str]]) -> Sums:
    """Read sums with hidden causes anywhere, each in some mechanism at least."""
    names, lists = [one["name"] for one in data["effects"]], [one["mechanisms"] for one in data["effects"]]
    apart = bool(names) and len({*names}) == len(names) and not states.keys() & {*names}
    require(apart, "an effect that occurs twice or is a variable, or none", Unreadable)
    require(data["family"] in ("normal", "poisson"), "several effects that are no sums", Unreadable)
    require(sum(map(len, lists)) <= MOST_STATES, f"more than {MOST_STATES} mechanisms", Unreadable)
    members = [one for effect in lists for one in effect]
    known = all(lists) and all({*one} <= states.keys() and len({*one}) == len(one) for one in members)
    require(known, "a mechanism that is none, or an effect without", Unreadable)
    require(hidden <= {v for one in members for v in one}, "a hidden variable is in no mechanism", Unreadable)
    letters = 2 if data["family"] == "normal" else 1
    return Sums(states, hidden, count_entries(states, states, parents), lists, letters)


def read_single(data: Any, states: Sizes, hidden: set[str], parents: Mapping[str, list[str]]) -> Additive:
    """Read an effect with hidden variables inside mechanisms."""
    require(data["effect"] not in states, "a variable is the effect", Unreadable)
    causes = {v: states[v] for v in states if v not in hidden}
    outside = any(hidden & {*parents[v]} for v in causes)
    require(not outside, "a cause depends on a hidden variable", Unreadable)
    uses = sorted(v for members in data["mechanisms"] for v in members if v in hidden)
    alone = bool(data["mechanisms"]) and uses == sorted(hidden)
    require(alone, "a hidden variable is not inside one mechanism", Unreadable)
    require(len(data["mechanisms"]) <= MOST_STATES, f"more than {MOST_STATES} mechanisms", Unreadable)
    mechanisms = []
    for members in data["mechanisms"]:
        inside, around = [v for v in members if v in hidden], [v for v in members if v in causes]
        own = len({*around}) + len(inside) == len(members) and len(inside) <= 1
        own = own and all({*parents[v]} <= {*around} for v in inside)
        require(own, "a mechanism that is none", Unreadable)
        weighing, components = (parents[inside[0]], states[inside[0]]) if inside else ([], 1)
        rows, weights = (prod(states[v] for v in names) for names in (around, weighing))
        mechanisms.append(Mechanism(around, weighing, components, rows, weights))
    *kind, law = data["family"].rsplit("-", 1)
    counts = data["least"] is None if kind != ["at-least"] else data["least"] in range(2, 1 + len(mechanisms))
    require(counts, "least is no number of the mechanisms", Unreadable)
    return (Ordered if kind else Additive)(
        states, causes, count_entries(causes, states, parents), mechanisms, 2 if law == "normal" else 1
    )


# Family: formulas, after derivatives, polynomials ---------------------------------------------------------------------
def affine_hull(ratios: Sequence[Ratio], work: Work) -> int:
    """The dimension of the affine hull of quotients: the rank over ℚ, with a common denominator, less 1 (Lemma formulas (d))."""
    denominators = distinct(below for _, below in ratios)

    def rest(own: Polynomial) -> Polynomial:
        return reduce(lambda x, y: added([(x, y)], work), (one for one in denominators if one != own), ONE)

    common = {frozenset(one.items()): rest(one) for one in denominators}
    pairs = (*ratios, (denominators[0], denominators[0]))
    rows = (added([(n, common[frozenset(d.items())])], work) for n, d in pairs)
    return rational_rank(rows, work) - 1


class FormulaPoint(Jets):
    """Formulas at a point; functionals are sums of coordinates."""

    def __init__(self, model: Formulas, field: Field, values: Values) -> None:
        super().__init__(field, values)
        self.model, self.at = model, dict(zip(values, self.theta, strict=True))

    def polynomial(self, one: Polynomial) -> Jet:
        """A polynomial at the point."""
        terms = ((self.field.number(x), key) for key, x in one.items())
        return self.total(self.product([{0: x}, *(self.at[p] for p in key)]) for x, key in terms)

    def coordinate(self, functional: Sequence[int]) -> Jet:
        """The sum."""
        self.field.work.spend(10 * len(functional))
        used = [(x, *ratio) for x, ratio in zip(functional, self.model.known, strict=True) if x]
        return self.total(
            self.product([{0: x}, self.polynomial(n), self.inverse(self.polynomial(d))]) for x, n, d in used
        )

    def value(self, functional: Sequence[int]) -> int:
        """The value of the sum."""
        return self.coordinate(functional)[0]


class Formulas(Model):
    """Coordinates that are quotients of polynomials in the parameters."""

    point = FormulaPoint

    def __init__(self, names: Sequence[str], ratios: Sequence[Ratio], work: Work) -> None:
        self.parameters = {parameter: number for number, parameter in enumerate(names)}
        self.known, self.coordinates = ratios, len(ratios)
        terms = chain.from_iterable(chain(*ratio) for ratio in ratios)
        self.width, self.size = self.coordinates, len(names) + sum(1 + len(key) for key in terms)
        self.complete = affine_hull(ratios, work)

    def directions(self, _: Check, field: Field, values: Values, item: Any) -> Iterator[Values]:
        """A field of polynomials along which no coordinate changes."""
        yield formula_direction(self.known, field, values, item)

    def coordinate(self, number: int) -> list[int]:
        """A unit vector."""
        return unit_vectors(number, [self.coordinates])

    def constant(self, numbers: Sequence[int], _: Work) -> bool:
        """Nothing is said of single coordinates."""
        return not numbers

    def matrix(self, item: Any, field: Field) -> tuple[int, list[list[Form]]]:
        """Coordinates over their coefficients in the first block; blocks make matrices of rank 1 (Lemma sums of monomials)."""
        item, work = (
            read(item, {"blocks": [[as_text]], "rows": [[as_whole]], "pairs": anything}, "a matrix"),
            field.work,
        )
        work.spend(2 * len(item["blocks"]) * len(self.parameters))
        blocks, rows = [chosen(block, self.parameters, "a block") for block in item["blocks"]], item["rows"]
        of = {parameter: number for number, block in enumerate(blocks) for parameter in block}
        require(len(of) == sum(map(len, blocks)), "blocks that overlap")
        numbers = [number for line in rows for number in line]
        if not (numbers and blocks and len({*map(len, rows)}) == 1 and max(numbers) < self.coordinates):
            raise Unreadable("rows that are not of one length, or a number beyond the coordinates")
        parts: dict[int, list[Polynomial]] = {}
        for number in {*numbers}:
            above, below = self.known[number]
            work.spend(50 * len(above) * len(blocks))
            in_one = all(len({of.get(p) for p in key}) == 1 and key[0] in of for key in above)
            require(in_one and below == ONE, "a term that is not of one block")
            split = [{key: x for key, x in above.items() if of[key[0]] == block} for block in range(len(blocks))]
            require(len(split[0]) == 1, "a coordinate that has not one term of the first block")
            scale: Polynomial = {(): 1 / next(iter(split[0].values()))}
            parts[number] = [scale, *(added([(one, scale)], work) for one in split)]
        for block in range(1, 1 + len(blocks)):
            lines = [[parts[number][block] for number in line] for line in rows]
            first = lines[0][0]
            require(first != {}, "a block that does not occur in the first entry")
            pairs = ((line[0], x, y) for line in lines for x, y in zip(line, lines[0], strict=True))
            alike = all(added([(x, first)], work) == added([(left, y)], work) for left, x, y in pairs)
            require(alike, "a block whose matrix has not the rank 1")
        return len(blocks), [[{number: field.number(parts[number][0][()])} for number in line] for line in rows]


def polynomial(data: Any, work: Work) -> Formulas:
    """Read parameters, and coordinates that are formulas in them."""
    coordinates = {"name": as_name, "formula": anything}
    data = read(data, {"family": as_text, "parameters": [as_name], "coordinates": [coordinates]}, "model")
    known = dict.fromkeys(data["parameters"])
    names = {one["name"] for one in data["coordinates"]}
    once = len(known) == len(data["parameters"]) and len(names) == len(data["coordinates"])
    require(
        once and len(known) <= MOST_ENTRIES and 0 < len(names) <= MOST_ENTRIES,
        "a name that occurs twice, no coordinate, or too many",
        Unreadable,
    )
    return Formulas([*known], [multiplied_out(one["formula"], known, work) for one in data["coordinates"]], work)


# Family: conditional Gaussian networks, after formulas ----------------------------------------------------------------
class Mixtures(Formulas):
    """The weights, means and covariances of the normal distributions in the cells of a network, which are formulas."""

    def __init__(self, names: Sequence[str], known: Sequence[Polynomial], smaller: Any, most: int | None) -> None:
        self.parameters = {parameter: number for number, parameter in enumerate(names)}
        self.known, self.coordinates = [(one, ONE) for one in known], len(known)
        self.width, self.size = self.coordinates, len(names) + sum(1 + len(key) for one in known for key in one)
        self.complete, self.smaller = most, smaller

    def relevant(self) -> Mixtures:
        """Leave out hidden variables without observed descendants (Lemma conditional Gaussian (e))."""
        return self.smaller or self


TIES = ("common", "fixed", "equal")


class Mixed:
    """A conditional Gaussian network as it is read; numbers are texts such as b(F->X)."""

    def __init__(self, data: Any, work: Work) -> None:
        self.work, self.edges, self.variables = work, data["edges"], by_name(data["variables"])
        for edge in self.edges:
            require(len({*edge}) == len(edge) == 2 and {*edge} <= {*self.variables}, f"no edge: {edge[:2]}", Unreadable)
        require(len({*map(tuple, self.edges)}) == len(self.edges), "an edge occurs twice", Unreadable)
        self.parents = {v: [a for a, b in self.edges if b == v] for v in self.variables}
        acyclic(self.parents)
        self.sizes = {v: one["states"] for v, one in self.variables.items() if one["states"] is not None}
        fit = all(a in self.sizes for a, b in self.edges if b in self.sizes)
        require(fit, "a discrete variable with a Gaussian parent", Unreadable)
        self.entries = {text: v for v in self.variables if v not in self.sizes for text in self.numbers(v)}
        self.common, self.fixed, self.equal = (data[key] or {} for key in TIES)
        chosen([*self.common], self.entries, "common")
        special = [*self.fixed, *self.equal]
        known = {*special} <= {*self.entries} and len({*special}) == len(special)
        require(known and not {*self.fixed} & {*self.common}, "numbers that are unknown, or fixed and tied", Unreadable)
        positive = all(value > 0 for text, value in self.fixed.items() if text[0] == "v")
        require(positive, "a variance that is fixed and not positive", Unreadable)
        self.first: dict[str, str] = {}
        for text, label in self.equal.items():
            other = self.first.setdefault(label, text)
            alike = text[0] == other[0] and {*self.seen(text)} == {*self.seen(other)}
            require(alike, f"{text} and {other} are equal and not alike", Unreadable)
        self.switches = [v for v in self.sizes if any(v in self.seen(text) for text in self.entries)]
        shown = [v for v in self.variables if self.variables[v]["observed"]]
        self.cells, self.items = [v for v in shown if v in self.sizes], [v for v in shown if v not in self.sizes]
        require(self.items != [], "no Gaussian variable is observed", Unreadable)
        self.weighted = [v for v in self.sizes if v in self.cells or (v in self.switches and self.sizes[v] > 1)]
        work.spend(200 * prod(self.sizes.values()) * (1 + len(self.variables)) ** 2)

    def numbers(self, v: str) -> list[str]:
        """The intercept, the coefficients and the variance of a Gaussian variable."""
        return [f"m({v})", *(f"b({a}->{v})" for a in self.parents[v] if a not in self.sizes), f"v({v})"]

    def seen(self, text: str) -> list[str]:
        """The discrete variables on which a number depends."""
        tied = text in self.common or text in self.fixed
        return [] if tied else [a for a in self.parents[self.entries[text]] if a in self.sizes]

    def states(self, names: Sequence[str]) -> Iterator[dict[str, int]]:
        """Joint states, the first slowest."""
        for found in product(*(range(self.sizes[v]) for v in names)):
            yield dict(zip(names, found, strict=True))

    def parameter(self, text: str, at: Mapping[str, int]) -> str:
        """The name of a number that is not fixed, in a joint state."""
        label = self.equal.get(text)
        bar = ",".join(f"{v}={at[v]}" for v in self.seen(text if label is None else self.first[label]))
        if label is not None:
            return f"{label}|{bar}" if bar else label
        return f"{text[:-1]}|{bar})" if bar else text

    def chance(self, v: str, state: int, at: Mapping[str, int]) -> str:
        """The name of an entry of a table."""
        bar = ",".join(f"{a}={at[a]}" for a in self.parents[v])
        return f"P({v}={state}{'|' if bar else ''}{bar})"

    def names(self) -> list[str]:
        """The parameters: the tables, then the numbers of the equations."""
        rows = ((v, at) for v in self.sizes for at in self.states(self.parents[v]))
        found = [self.chance(v, state, at) for v, at in rows for state in range(self.sizes[v] - 1)]
        free = [text for text in self.entries if text not in self.fixed]
        found += [self.parameter(text, at) for text in free for at in self.states(self.seen(text))]
        require(len(found) <= MOST_ENTRIES, f"more than {MOST_ENTRIES} parameters", Unreadable)
        return [*dict.fromkeys(found)]

    def number(self, text: str, at: Mapping[str, int]) -> Polynomial:
        """A number in a joint state."""
        if text in self.fixed:
            return {(): self.fixed[text]} if self.fixed[text] else {}
        return {(self.parameter(text, at),): Fraction(1)}

    def table(self, v: str, at: Mapping[str, int]) -> Polynomial:
        """An entry; the last of a row is 1 minus the others."""
        last = self.sizes[v] - 1
        if at[v] < last:
            return {(self.chance(v, at[v], at),): Fraction(1)}
        return {(): Fraction(1), **{(self.chance(v, state, at),): Fraction(-1) for state in range(last)}}

    def joint(self, at: Mapping[str, int]) -> Polynomial:
        """The probability of a joint state of the discrete variables."""
        return reduce(lambda x, y: added([(x, y)], self.work), (self.table(v, at) for v in self.sizes), ONE)

    def weights(self) -> Iterator[Polynomial]:
        """The probabilities of the joint states of what is observed or changes a normal distribution."""
        rest = [v for v in self.sizes if v not in self.weighted]
        for at in self.states(self.weighted) if self.weighted else ():
            yield added(((self.joint({**at, **more}), ONE) for more in self.states(rest)), self.work)

    def laws(self) -> Iterator[list[Polynomial]]:
        """In each joint state of the switches means and covariances, by all paths from errors to items."""
        order = [v for v in TopologicalSorter(self.parents).static_order() if v not in self.sizes]
        for at in self.states(self.switches):
            paths: dict[tuple[str, str], Polynomial] = {}
            for source in order:
                for v in order:
                    steps = [(paths[source, a], self.number(f"b({a}->{v})", at)) for a in self.parents[v] if a in order]
                    paths[source, v] = ONE if v == source else added(steps, self.work)
            means = [added([(paths[e, x], self.number(f"m({e})", at)) for e in order], self.work) for x in self.items]
            for x, y in combinations_with_replacement(self.items, 2):
                terms = [(added([(paths[e, x], paths[e, y])], self.work), self.number(f"v({e})", at)) for e in order]
                means.append(added(terms, self.work))
            yield means

    def model(self) -> Mixtures:
        """The map; normal distributions of one observed state differ (Lemma conditional Gaussian (a))."""
        laws = list(self.laws())
        different = set()
        for at, law in zip(self.states(self.switches), laws, strict=True):
            shown = tuple(state for v, state in at.items() if v in self.cells)
            different.add((shown, tuple(frozenset(one.items()) for one in law)))
        require(len(different) == len(laws), "normal distributions of different hidden states that are the same")
        items, cells = len(self.items), prod(self.sizes[v] for v in self.cells)
        mixed = any(v not in self.cells for v in self.switches)
        most = None if mixed else cells - 1 + cells * (items + items * (items + 1) // 2)
        return Mixtures(self.names(), [*self.weights(), *(one for law in laws for one in law)], None, most)


def conditional_gaussian(data: Any, work: Work) -> Mixtures:
    """Read discrete variables, which have states, and Gaussian ones; numbers that are common to all states, fixed or equal."""
    form = {"name": as_name, "states?": as_whole, "observed": as_truth}
    outer = {"common?": [as_text], "fixed?": dictionary(as_rational), "equal?": dictionary(as_name)}
    data = read(data, {"family": as_text, "variables": [form], "edges": [[as_name]], **outer}, "model")
    listed = data["common"] or []
    require(data["common"] != [] and len({*listed}) == len(listed), "common is empty, or repeats one", Unreadable)
    data["common"] = dict.fromkeys(listed)
    whole, kept = Mixed(data, work), {item["name"] for item in data["variables"] if item["observed"]}
    while more := {a for a, b in whole.edges if b in kept} - kept:
        kept |= more
    if kept == {*whole.variables}:
        return whole.model()
    ties = {key: {t: x for t, x in (data[key] or {}).items() if {*t[2:-1].split("->")} <= kept} for key in TIES}
    variables = [one for one in data["variables"] if one["name"] in kept]
    edges = [edge for edge in data["edges"] if {*edge} <= kept]
    smaller = Mixed({"variables": variables, "edges": edges, **ties}, work).model()
    return Mixtures(whole.names(), [], smaller, smaller.complete)  # only the parameters are more


# Core: what is known --------------------------------------------------------------------------------------------------
FAMILIES: dict[str, Callable[[Any, Work], Model]] = {
    "classifier": classifier,
    "conditional-gaussian": conditional_gaussian,
    "discrete": discrete,
    "gaussian": gaussian,
    "latent-profile": latent_profile,
    "loglinear": loglinear,
    "polynomial": polynomial,
    **dict.fromkeys(ADDITIVE, additive),
}


class Kind(NamedTuple):
    """A kind of evidence: for which bounds and models, with which keys."""

    function: Callable[[Check, str, Any, Any], int]
    sides: Sequence[str]
    models: Sequence[type]
    form: Mapping[str, Any]


LOWER, UPPER, BOTH = ("lower",), ("upper",), ("lower", "upper")
NETWORK: Sequence[type] = (Discrete,)
EXACT: Sequence[type] = (Discrete, Gaussian, Formulas)  # coordinates that are known as rational functions
ALL: Sequence[type] = (*EXACT, Kept, Classifier, LogLinear, Mixtures, Profile, Additive)

POINT = {"prime": as_whole, "point": as_stream}
MINOR = {**POINT, "rows": [as_whole], "columns": [as_whole], "probes?": as_stream}
BLOCKS, ITEMS = {"blocks": [[as_name]]}, {**POINT, "probes": as_stream, "ranks": [as_whole]}

KINDS = {
    "rank": Kind(rank, sides=LOWER, models=ALL, form=MINOR),
    "entries": Kind(visible_entries, sides=LOWER, models=NETWORK, form={}),
    "kruskal": Kind(kruskal, sides=LOWER, models=NETWORK, form={**ITEMS, **BLOCKS}),
    "districts": Kind(districts, sides=BOTH, models=NETWORK, form={"parts": [anything]}),
    "trees": Kind(trees, sides=BOTH, models=NETWORK, form={"parts": [anything]}),
    "counting": Kind(counting, sides=UPPER, models=(*ALL, Ordered, Sums), form={}),
    "ambient": Kind(ambient, sides=UPPER, models=(*EXACT, Kept, Classifier, LogLinear), form={}),
    "pairwise": Kind(two_blocks, sides=UPPER, models=NETWORK, form={**BLOCKS, "S": [as_name]}),
    "secants": Kind(secants, sides=BOTH, models=NETWORK, form={}),
    "sum-scores": Kind(sum_scores, sides=UPPER, models=NETWORK, form={}),
    "nested": Kind(nested, sides=UPPER, models=NETWORK, form={}),
    "class-tables": Kind(class_tables, sides=BOTH, models=(Classifier,), form={"tables": [as_name]}),
    "classifiers": Kind(classifiers, sides=UPPER, models=NETWORK, form={"of": [{"name": as_name, "upper": anything}]}),
    "equations": Kind(equations, sides=UPPER, models=EXACT, form={**POINT, **GRADIENTS}),
    "symmetry": Kind(symmetry, sides=UPPER, models=(*EXACT, LogLinear, Mixtures), form={**POINT, "fields": [anything]}),
    "latent-class": Kind(latent_class, sides=UPPER, models=(LogLinear,), form={**BLOCKS, "upper": anything}),
    "one-interaction": Kind(one_interaction, sides=UPPER, models=(LogLinear,), form=SUMMED),
    "mechanisms": Kind(acting_mechanisms, sides=UPPER, models=NETWORK, form={"effects": [EFFECT]}),
    "shifts": Kind(shifts, sides=BOTH, models=(Additive, Sums), form={}),
    "order-statistics": Kind(order_statistics, sides=LOWER, models=(Ordered,), form={}),
    "containing": Kind(containing, sides=UPPER, models=NETWORK, form={"averaged": [anything], "upper?": anything}),
    "differences": Kind(differences, sides=UPPER, models=NETWORK, form=SLICES),
    "parts": Kind(of_parts, sides=UPPER, models=NETWORK, form=PARTS),
    "fewer-states": Kind(fewer_states, sides=UPPER, models=NETWORK, form=FEWER),
    "normal-form": Kind(normal_form, sides=UPPER, models=NETWORK, form={**POINT, **NORMAL}),
}
USAGE = "usage: python3 -I -S check.py [-v] FILE ...   exit: 0 accepted, 1 invalid, 2 unreadable; of several files the worst; -v: show models"


def main(words: Sequence[str]) -> int:
    """Check files; the exit code is the worst."""
    paths = words[1:] if list(words[:1]) == ["-v"] else words
    if not paths or list(paths) == ["--help"]:
        print(USAGE, file=sys.stdout if paths else sys.stderr)
        return 0 if paths else 2
    worst = 0
    for path in paths:
        try:
            code, reason = verdict(data := content(path))
        except OSError as error:
            code, reason = 2, f"unreadable: {error.strerror}"
        print(f"{path}: {reason}".encode("ascii", "backslashreplace").decode())
        if not code and paths is not words:
            print(f"  model: {json.dumps(json.loads(data)['claim']['model'])[:MOST_TEXT]}")
        worst = max(worst, code)
    return worst


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
