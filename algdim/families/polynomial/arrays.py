"""Matrices and tensors of formulas: in the notation, and as what a function of Python is given.

polynomial: parameters A[2,3], B[3,2]; X = A*B; coordinates X
polynomial: parameters A[2,3], B[2,3], C[2,3]; T[i,j,k] = sum r: A[r,i]*B[r,j]*C[r,k]; coordinates T

The entries of A are the parameters A_1_1, A_1_2 and so on; indices begin with 1. A definition is read once, and evaluated for all
values of its indices, whose ranges are those of the places where they stand. Nothing is multiplied out, and nothing is executed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod
from numbers import Rational
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from algdim.errors import InputError, LimitError, describe_value, join_names
from algdim.families.polynomial.expressions import (
    MOST_DEPTH,
    MOST_EXPONENT,
    Formula,
    NamedParameter,
    Number,
    add_formulas,
    make_quotient,
    multiply_formulas,
    raise_to_power,
)
from algdim.families.polynomial.model import (
    MOST_COORDINATES,
    MOST_NODES,
    MOST_PARAMETERS,
    Coordinate,
    Polynomial,
    name_coordinate,
)
from algdim.figures import format_integer
from algdim.models.tokens import NAME, Cursor, make_position_error
from algdim.models.values import parse_fraction

MOST_DEFINITIONS = 30
MOST_AXES = 8
MOST_STEPS = 200_000
MOST_WORK = 20_000_000
"""Numbers, names and operations of all formulas that are made on the way."""
TOKEN = re.compile(
    rf"(?P<space>[ \t\r\n]+)|(?P<name>{NAME.pattern})|(?P<decimal>[0-9]+\.[0-9]+)|(?P<number>[0-9]+)"
    r"|(?P<symbol>\*\*|[-+*/^()=,;:\[\]'])"
)
EXAMPLE = "a map of matrices is written 'polynomial: parameters A[2,3], B[3,2]; X = A*B; coordinates X'"


class Traced:
    """A formula that Python's operators go on with; it has no value, so that nothing can be decided by it."""

    __slots__ = ("formula", "size")

    def __init__(self, formula: Formula, size: int = 1) -> None:
        if size > MOST_NODES:
            raise LimitError(
                f"the formulas have more than {format_integer(MOST_NODES)} numbers, names and operations; at most that many are allowed"
            )
        self.formula, self.size = formula, size

    def __add__(self, other: object) -> Traced:
        one = convert_to_traced(other)
        return NotImplemented if one is None else add_traced([self, one])

    __radd__ = __add__

    def __mul__(self, other: object) -> Traced:
        one = convert_to_traced(other)
        if one is None:
            return NotImplemented
        return Traced(multiply_formulas([self.formula, one.formula]), self.size + one.size + 1)

    __rmul__ = __mul__

    def __neg__(self) -> Traced:
        return self * -1

    def __pos__(self) -> Traced:
        return self

    def __sub__(self, other: object) -> Traced:
        one = convert_to_traced(other)
        return NotImplemented if one is None else add_traced([self, -one])

    def __rsub__(self, other: object) -> Traced:
        return -self + other

    def __truediv__(self, other: object) -> Traced:
        one = convert_to_traced(other)
        if one is None:
            return NotImplemented
        return Traced(make_quotient(self.formula, one.formula), self.size + one.size + 1)

    def __rtruediv__(self, other: object) -> Traced:
        one = convert_to_traced(other)
        return NotImplemented if one is None else one / self

    def __pow__(self, exponent: object) -> Traced:
        if not isinstance(exponent, (int, np.integer)) or isinstance(exponent, bool):
            raise InputError(
                f"the exponent is {describe_value(exponent)}; an integer is expected: formulas are rational"
            )
        return Traced(raise_to_power(self.formula, int(exponent)), self.size + 1)

    def refuse(self, *_: object) -> NoReturn:
        """Raise where a value is asked for."""
        raise InputError(
            "the function asks for the value of a parameter, or compares one; it is called with names, so it may have "
            "+ - * / ** and @ alone, and branches on shapes and indices"
        )

    __bool__ = __float__ = __int__ = __index__ = __lt__ = __le__ = __gt__ = __ge__ = refuse


Entries = NDArray[Any]
"""An array of `Traced`."""


def convert_to_traced(value: object) -> Traced | None:
    """A number or a formula; `None` for anything else."""
    if isinstance(value, Traced):
        return value
    if isinstance(value, Rational) and not isinstance(value, bool):
        return Traced(Number(Fraction(int(value.numerator), int(value.denominator))))
    if isinstance(value, (float, np.floating)):
        number = float(value)
        if number.is_integer() and abs(number) < 1 << 53:
            return Traced(Number(Fraction(int(number))))
    return None


def add_traced(terms: Sequence[Traced]) -> Traced:
    """A sum, made at once: one by one it would be copied each time."""
    return Traced(add_formulas(term.formula for term in terms), 1 + sum(term.size for term in terms))


def make_array(name: str, shape: Sequence[int]) -> Entries:
    """An array of parameters.

    >>> [entry.formula.name for entry in make_array("A", (2, 1)).flat]
    ['A_1_1', 'A_2_1']
    """
    found = np.empty(tuple(shape), dtype=object)
    for place, entry_name in zip(np.ndindex(*shape), list_entry_names(name, shape), strict=True):
        found[place] = Traced(NamedParameter(entry_name))
    return found


def list_entry_names(name: str, shape: Sequence[int]) -> list[str]:
    """The names of the entries, the first index slowest; a number by itself has the name of the whole."""
    return ["_".join([name, *(str(one + 1) for one in place)]) for place in np.ndindex(*shape)]


# The notation ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ArrayTerm:
    """A part of a formula as it was written: what is done, with which parts, names or numbers, and where it stands."""

    kind: str
    at: int
    parts: tuple[ArrayTerm, ...] = ()
    name: str = ""
    indices: tuple[str, ...] = ()
    value: Fraction = Fraction(0)


def read_arrays(text: str, start: int) -> Polynomial:
    """Read the clauses of a map with matrices."""
    reader = ArrayReader(Cursor(text, start, TOKEN))
    cursor = reader.cursor
    reader.need_word("parameters")
    for _ in cursor.items():
        reader.read_parameter()
    cursor.require(";", "and definitions or the coordinates")
    while cursor.now.text != "coordinates":
        reader.read_definition()
        cursor.require(";", "and another definition or the coordinates")
    cursor.index += 1
    for _ in cursor.items():
        reader.read_coordinate()
    if cursor.now.kind != "end":
        cursor.fail("an operator, ',' or the end of the text", EXAMPLE)
    return Polynomial(tuple(reader.parameters), tuple(reader.coordinates))


class ArrayReader:
    """Reads the clauses one after the other, and knows the arrays so far."""

    def __init__(self, cursor: Cursor) -> None:
        self.cursor = cursor
        self.parameters: list[str] = []
        self.coordinates: list[Coordinate] = []
        self.arrays: dict[str, Entries] = {}
        self.definitions = 0
        self.steps = self.work = self.size = 0

    def fail_at(self, at: int, message: str) -> NoReturn:
        """Raise at a place."""
        raise make_position_error(self.cursor.text, at, message)

    def need_word(self, word: str) -> None:
        """Step over a word."""
        if self.cursor.now.text != word:
            self.cursor.fail(f"'{word}'", EXAMPLE)
        self.cursor.index += 1

    def add_array(self, name: str, at: int, array: Entries) -> None:
        """Note an array under a name that is new."""
        if name in self.arrays:
            self.fail_at(at, f"{name[:60]} is there already; each name is allowed once")
        self.arrays[name] = array

    def read_parameter(self) -> None:
        """Read ``A[2,3]`` or ``a``."""
        cursor = self.cursor
        for token in cursor.names("a parameter's name"):
            shape: list[int] = []
            if cursor.skip("["):
                shape = [cursor.number("a size", 1, MOST_PARAMETERS) for _ in cursor.items()]
                cursor.require("]", "or ','")
            count = prod(shape) + len(self.parameters)
            if count > MOST_PARAMETERS or len(shape) > MOST_AXES:
                self.fail_at(
                    token.at,
                    f"with {token.text[:60]} there are {count} parameters in arrays of up to {len(shape)} indices; at most {MOST_PARAMETERS} "
                    f"and {MOST_AXES} are allowed",
                )
            self.add_array(token.text, token.at, make_array(token.text, shape))
            self.parameters += list_entry_names(token.text, shape)

    def read_definition(self) -> None:
        """Read ``X = FORMULA`` or ``X[i,j] = FORMULA``."""
        cursor = self.cursor
        if cursor.now.kind != "name":
            cursor.fail("a definition such as X = A*B, or 'coordinates'", EXAMPLE)
        self.definitions += 1
        if self.definitions > MOST_DEFINITIONS:
            self.fail_at(
                cursor.now.at, f"there are more than {MOST_DEFINITIONS} definitions; at most that many are allowed"
            )
        name = cursor.take()
        self.add_array(name.text, name.at, self.read_defined())

    def read_defined(self) -> Entries:
        """Read the rest of a definition: indices, if there are some, and the formula."""
        cursor = self.cursor
        indices: list[str] = []
        at = cursor.last.at
        if cursor.skip("["):
            indices = [cursor.take().text if cursor.now.kind == "name" else self.need_index() for _ in cursor.items()]
            cursor.require("]", "or ','")
        cursor.require("=", "and a formula")
        if len(set(indices)) < len(indices) or len(indices) > MOST_AXES:
            self.fail_at(at, f"{join_names(indices)}: different indices are expected, at most {MOST_AXES}")
        term = self.read_sum_of_terms(0)
        return self.evaluate_for(indices, term) if indices else self.evaluate(term, {})

    def need_index(self) -> str:
        """Fail where an index is expected."""
        self.cursor.fail("an index such as i")

    def read_coordinate(self) -> None:
        """Read a formula, with or without a name, whose entries are coordinates."""
        cursor = self.cursor
        begin = cursor.now
        named = begin.kind == "name" and cursor.next.text == "="
        if not named and begin.kind == "name" and cursor.next.text == "[":
            rest = [token.text for token in cursor.tokens[cursor.index :]]
            named = "]" in rest and rest[rest.index("]") + 1 : rest.index("]") + 2] == ["="]
        if named:
            cursor.index += 1
            array, name = self.read_defined(), begin.text
        else:
            term = self.read_sum_of_terms(0)
            array, name = (
                self.evaluate(term, {}),
                term.name if term.kind == "name" and term.name not in self.parameters else "",
            )
        if array.size + len(self.coordinates) > MOST_COORDINATES:
            self.fail_at(begin.at, f"there are more than {MOST_COORDINATES} coordinates; at most that many are allowed")
        names = list_entry_names(name, array.shape) if name else None
        for place, entry in enumerate(array.flat):
            self.size = add_size(self.size, entry)
            called = names[place] if names else name_coordinate(len(self.coordinates) + 1)
            self.coordinates.append(Coordinate(called, entry.formula))

    def read_sum_of_terms(self, depth: int) -> ArrayTerm:
        """Read a sum at the cursor."""
        cursor = self.cursor
        if depth > MOST_DEPTH:
            self.fail_at(cursor.now.at, f"more than {MOST_DEPTH} parentheses and signs inside one another")
        if cursor.now.text == "sum" and cursor.next.kind == "name":
            at = cursor.take().at
            indices = tuple(
                cursor.take().text if cursor.now.kind == "name" else self.need_index() for _ in cursor.items()
            )
            cursor.require(":", "and what is summed")
            return ArrayTerm("sum", at, (self.read_sum_of_terms(depth + 1),), indices=indices)
        terms = [self.read_product(depth)]
        at = terms[0].at
        while cursor.meets("+", "-"):
            sign = cursor.take()
            term = self.read_product(depth)
            terms.append(term if sign.text == "+" else ArrayTerm("minus", sign.at, (term,)))
        return terms[0] if len(terms) == 1 else ArrayTerm("plus", at, tuple(terms))

    def read_product(self, depth: int) -> ArrayTerm:
        """Read a product at the cursor."""
        found = self.read_factor(depth)
        while self.cursor.meets("*", "/"):
            operator = self.cursor.take()
            found = ArrayTerm(
                "times" if operator.text == "*" else "over", operator.at, (found, self.read_factor(depth))
            )
        return found

    def read_factor(self, depth: int) -> ArrayTerm:
        """Read a base with exponent and transposition, or one with a sign."""
        cursor = self.cursor
        if depth > MOST_DEPTH:
            self.fail_at(cursor.now.at, f"more than {MOST_DEPTH} parentheses and signs inside one another")
        if cursor.meets("-", "+"):
            sign = cursor.take()
            inner = self.read_factor(depth + 1)
            return ArrayTerm("minus", sign.at, (inner,)) if sign.text == "-" else inner
        found = self.read_base(depth)
        while cursor.skip("'"):
            found = ArrayTerm("transposed", cursor.last.at, (found,))
        if cursor.meets("^", "**"):
            at = cursor.take().at
            negative = cursor.skip("-")
            exponent = cursor.number("a whole exponent", 0, MOST_EXPONENT)
            found = ArrayTerm("power", at, (found,), value=Fraction(-exponent if negative else exponent))
        return found

    def read_base(self, depth: int) -> ArrayTerm:
        """Read a number, a name with or without indices, or a formula in parentheses."""
        cursor = self.cursor
        token = cursor.now
        if cursor.skip("("):
            inner = self.read_sum_of_terms(depth + 1)
            cursor.require(")", "or an operator")
            return inner
        if token.kind in ("number", "decimal"):
            cursor.index += 1
            return ArrayTerm("number", token.at, value=parse_fraction(token.text))
        if token.kind != "name":
            cursor.fail("a number, a name or '('", EXAMPLE)
        cursor.index += 1
        if token.text not in self.arrays:
            self.fail_at(token.at, f"there is no {token.text[:60]}; known are {join_names(self.arrays)}")
        if not cursor.skip("["):
            return ArrayTerm("name", token.at, name=token.text)
        indices = []
        for _ in cursor.items():
            if cursor.now.kind not in ("name", "number"):
                self.need_index()
            indices.append(cursor.take().text)
        cursor.require("]", "or ','")
        if len(indices) != self.arrays[token.text].ndim:
            self.fail_at(
                token.at, f"{token.text} has {self.arrays[token.text].ndim} indices, and {len(indices)} are given"
            )
        return ArrayTerm("entry", token.at, name=token.text, indices=tuple(indices))

    def find_range(self, index: str, term: ArrayTerm) -> int:
        """How far an index goes: as far as the places where it stands."""
        sizes = {
            self.arrays[one.name].shape[place]
            for one in iterate_terms(term)
            if one.kind == "entry"
            for place, other in enumerate(one.indices)
            if other == index
        }
        if len(sizes) != 1:
            what = f"places of the sizes {join_names(map(str, sorted(sizes)))}" if sizes else "no place"
            self.fail_at(term.at, f"the index {index[:30]} occurs in {what}; places of one size are expected")
        return int(sizes.pop())

    def evaluate_for(self, indices: Sequence[str], term: ArrayTerm) -> Entries:
        """The array of the values of a formula for all values of its indices."""
        shape = tuple(self.find_range(index, term) for index in indices)
        if prod(shape) > MOST_NODES:
            self.fail_at(
                term.at, f"{format_integer(prod(shape))} entries; at most {format_integer(MOST_NODES)} are allowed"
            )
        found = np.empty(shape, dtype=object)
        for place in np.ndindex(*shape):
            value = self.evaluate(term, dict(zip(indices, place, strict=True)))
            found[place] = self.take_number(value, term.at, "the formula of an entry")
        return found

    def take_number(self, value: Entries, at: int, what: str) -> Traced:
        """The one entry of a number."""
        if value.ndim:
            self.fail_at(at, f"{what} is an array of {' × '.join(map(str, value.shape))}; a number is expected")
        found: Traced = value.item()
        return found

    def evaluate(self, term: ArrayTerm, at: Mapping[str, int]) -> Entries:
        """The value of a formula at values of indices."""
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise LimitError(
                f"the definitions take more than {format_integer(MOST_STEPS)} steps; at most that many are allowed"
            )
        match term.kind:
            case "number":
                return hold(Traced(Number(term.value)))
            case "name":
                return self.arrays[term.name]
            case "entry":
                return hold(self.arrays[term.name][tuple(self.find_places(term, at))])
            case "sum":
                ranges = [range(self.find_range(index, term)) for index in term.indices]
                summands = [
                    self.take_number(
                        self.evaluate(term.parts[0], {**at, **dict(zip(term.indices, place, strict=True))}),
                        term.at,
                        "what is summed",
                    )
                    for place in product(*ranges)
                ]
                return hold(add_traced(summands))
        values = [self.evaluate(part, at) for part in term.parts]
        try:
            found = self.combine(term, values)
        except InputError as error:
            if "\n" in str(error):
                raise
            self.fail_at(term.at, str(error))
        self.work += sum(entry.size for entry in found.flat)
        if self.work > MOST_WORK:
            raise LimitError(
                f"the formulas have more than {format_integer(MOST_WORK)} parts on the way; write fewer or smaller ones"
            )
        return found

    def find_places(self, term: ArrayTerm, at: Mapping[str, int]) -> Iterator[int]:
        """The indices of an entry as numbers from 0."""
        for index, size in zip(term.indices, self.arrays[term.name].shape, strict=True):
            if index.isdigit():
                if len(index) > 9 or not 1 <= int(index) <= size:
                    self.fail_at(term.at, f"the index {index[:9]} of {term.name} is not from 1 to {size}")
                yield int(index) - 1
            elif index in at:
                yield at[index]
            else:
                self.fail_at(
                    term.at, f"the index {index[:30]} is open; write 'sum {index[:30]}: …', or define an array by it"
                )

    def combine(self, term: ArrayTerm, values: Sequence[Entries]) -> Entries:
        """What an operation makes of its parts."""
        first = values[0]
        match term.kind:
            case "minus":
                return hold(-first.item()) if not first.ndim else np.negative(first)
            case "plus":
                if len({value.shape for value in values}) > 1:
                    raise InputError(f"arrays of {describe_shapes(values)} are added; those of one shape can be")
                found = np.empty(first.shape, dtype=object)
                for number, entries in enumerate(zip(*(value.flat for value in values), strict=True)):
                    found.flat[number] = add_traced(entries)
                return found
            case "times":
                return multiply_arrays(first, values[1])
            case "over":
                return divide_array(first, self.take_number(values[1], term.at, "what is divided by"))
            case "power":
                return hold(self.take_number(first, term.at, "the base of a power") ** int(term.value))
        if first.ndim != 2:
            raise InputError(f"an array of {describe_shapes(values)} is transposed; a matrix is expected")
        return first.T


def add_size(size: int, entry: Traced) -> int:
    """The size of all coordinates with one more."""
    if size + entry.size > MOST_NODES:
        raise LimitError(
            f"the coordinates have more than {format_integer(MOST_NODES)} numbers, names and operations; at most that many are allowed"
        )
    return size + entry.size


def iterate_terms(term: ArrayTerm) -> Iterator[ArrayTerm]:
    """A term and all that it is made of."""
    waiting = [term]
    while waiting:
        one = waiting.pop()
        yield one
        waiting.extend(one.parts)


def hold(value: Traced) -> Entries:
    """An array without indices."""
    found = np.empty((), dtype=object)
    found[()] = value
    return found


def describe_shapes(values: Sequence[Entries]) -> str:
    """The sizes of arrays, in print."""
    return " and ".join(" × ".join(map(str, value.shape)) or "1" for value in values)


def divide_array(above: Entries, below: Traced) -> Entries:
    """Each entry divided by a number."""
    found = np.empty(above.shape, dtype=object)
    for place in np.ndindex(*above.shape):
        found[place] = above[place] / below
    return found


def multiply_arrays(one: Entries, other: Entries) -> Entries:
    """A product with a number, or of matrices, or of a matrix and a vector."""
    if not one.ndim or not other.ndim:
        found = np.empty(one.shape or other.shape, dtype=object)
        for place in np.ndindex(*found.shape):
            found[place] = one[place if one.ndim else ()] * other[place if other.ndim else ()]
        return found
    if one.ndim > 2 or other.ndim > 2 or one.ndim + other.ndim < 3 or one.shape[-1] != other.shape[0]:
        raise InputError(
            f"arrays of {describe_shapes((one, other))} are multiplied; a number times an array is allowed, and matrices and "
            "vectors that fit. Write other products with indices, as in T[i,j] = sum k: A[i,k]*B[j,k]"
        )
    shape = (*one.shape[:-1], *other.shape[1:])
    if prod(shape) * other.shape[0] > MOST_NODES:
        raise LimitError(
            f"the product takes more than {format_integer(MOST_NODES)} steps; at most that many are allowed"
        )
    found = np.empty(shape, dtype=object)
    for place in np.ndindex(*shape):
        row = one[place[0]] if one.ndim == 2 else one
        column = other[:, place[-1]] if other.ndim == 2 else other
        found[place] = add_traced([a * b for a, b in zip(row, column, strict=True)])
    return found


# Functions of Python --------------------------------------------------------------------------------------------------


def trace_function(function: Callable[..., Any], parameters: Mapping[str, Any] | Sequence[str]) -> Polynomial:
    """The map that a function computes, which is called once, with names in the places of numbers.

    >>> len(trace_function(lambda A, b: A @ A + b, {"A": (2, 2), "b": ()}).coordinates)
    4
    """
    shapes = dict(parameters) if isinstance(parameters, Mapping) else dict.fromkeys(parameters, ())
    names: list[str] = []
    given: list[Any] = []
    for name, value in shapes.items():
        shape = (value,) if isinstance(value, int) else tuple(value) if isinstance(value, (list, tuple)) else None
        if shape is None or not all(isinstance(one, int) and not isinstance(one, bool) and one > 0 for one in shape):
            raise InputError(
                f"parameters.{str(name)[:60]} is {describe_value(value)}; a shape such as [2, 3] is expected"
            )
        if prod(shape) + len(names) > MOST_PARAMETERS:
            raise LimitError(
                f"the map has {prod(shape) + len(names)} parameters; at most {MOST_PARAMETERS} are allowed"
            )
        names += list_entry_names(name, shape)
        array = make_array(name, shape)
        given.append(array if shape else array[()])
    result = function(*given)
    pairs = list(result.items()) if isinstance(result, Mapping) else [("", result)]
    coordinates: list[Coordinate] = []
    size = 0
    for name, value in pairs:
        array = np.array(value, dtype=object)
        called = list_entry_names(name, array.shape) if name else None
        for place, entry in enumerate(array.flat):
            traced = convert_to_traced(entry)
            if traced is None:
                raise InputError(
                    f"the function returns {describe_value(entry)} in an array; formulas of its arguments, integers and fractions are expected"
                )
            size = add_size(size, traced)
            label = called[place] if called else name_coordinate(len(coordinates) + 1)
            coordinates.append(Coordinate(label, traced.formula))
    return Polynomial(tuple(names), tuple(coordinates))
