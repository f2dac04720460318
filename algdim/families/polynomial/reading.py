"""The family "polynomial" in the notation: parameters, and coordinates as formulas.

polynomial: parameters a, b; coordinates a*b, a^2/(1 + b)
polynomial: parameters a, b; coordinates x = a*b, y = a^2/(1 + b)
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from numbers import Rational
from typing import Any

from algdim.errors import InputError
from algdim.families.contract import ModelFile, Notation
from algdim.families.polynomial.expressions import (
    TOKEN,
    Formula,
    convert_from_sympy,
    explain_misplaced_token,
    format_formula,
    is_sympy,
    make_number,
    parse_formula,
    read_formula,
)
from algdim.families.polynomial.model import Coordinate, Polynomial, name_coordinate
from algdim.models.tokens import Cursor, make_position_error
from algdim.models.values import check_keys, format_given_value, read_exact_value, require, require_mapping


def read_polynomial(text: str, start: int) -> Polynomial:
    """Read the clauses of a map, from where they begin in the text."""
    if "[" in text[start:]:
        from algdim.families.polynomial.arrays import read_arrays

        return read_arrays(text, start)
    cursor = Cursor(text, start, TOKEN)
    read_keyword(cursor, "parameters")
    names = (
        [] if cursor.meets(";") else [one.text for _ in cursor.items() for one in cursor.names("a parameter's name")]
    )
    cursor.require(";", "and the coordinates")
    read_keyword(cursor, "coordinates")
    first = cursor.now.at
    found = [read_coordinate(cursor, number) for number, _ in enumerate(cursor.items(), 1)]
    if cursor.now.kind != "end":
        cursor.fail("an operator, ',' or the end of the text", explain_misplaced_token(cursor))
    try:
        return Polynomial(tuple(names), tuple(found))
    except InputError as error:
        raise make_position_error(text, first, str(error)) from None


def read_keyword(cursor: Cursor, word: str) -> None:
    """Step over one of the two words."""
    if cursor.now.text != word:
        cursor.fail(f"'{word}'", "a map is written 'polynomial: parameters a, b; coordinates a*b, a^2'")
    cursor.index += 1


def read_coordinate(cursor: Cursor, number: int) -> Coordinate:
    """Read a formula, with or without a name before it."""
    name = name_coordinate(number)
    if cursor.now.kind == "name" and cursor.next.text == "=":
        name = cursor.name("a coordinate's name").text
        cursor.index += 1
    formula: Formula = read_formula(cursor)
    return Coordinate(name, formula)


def format_polynomial(model: Polynomial) -> str:
    """Print a model.

    >>> format_polynomial(read_polynomial("parameters a, b; coordinates a*b, a - b", 0))
    'polynomial: parameters a, b; coordinates a*b, a - b'
    """
    if model.short:
        return model.short
    plain = model.has_default_names
    formulas = [("" if plain else f"{one.name} = ") + format_formula(one.formula) for one in model.coordinates]
    return f"{model.family}: parameters {', '.join(model.parameters)}; coordinates {', '.join(formulas)}".replace(
        "parameters ;", "parameters;"
    )


def read_map(text: str, start: int, word: str, argument: str) -> Polynomial:
    """Read a map that is written out, or the one of a classifier with normal inputs."""
    if word == "normal-classifier":
        from algdim.families.polynomial.normalinputs import read_normal_classifier

        return read_normal_classifier(text, start, argument)
    return read_polynomial(text, start)


NOTATION = Notation(read_map, format_polynomial)


KEYS = ("family", "parameters", "coordinates")
CLASSIFIER_KEYS = ("family", "class", "clauses")
MOST_CHARACTERS = 1_000_000
"""Of one formula."""


def read_dictionary(data: dict[str, Any]) -> Polynomial:
    """Build a model."""
    if "class" in data or "clauses" in data:
        return read_classifier_dictionary(data)
    check_keys(data, KEYS, "the model")
    for key in ("parameters", "coordinates"):
        if key not in data:
            raise InputError(f'{key} is missing; a map is {{"parameters": ["a", "b"], "coordinates": ["a*b", "a^2"]}}')
    parameters, coordinates = data["parameters"], data["coordinates"]
    if callable(coordinates):
        from algdim.families.polynomial.arrays import trace_function

        if not isinstance(parameters, (dict, list, tuple)):
            raise InputError(
                f'parameters is {format_given_value(parameters)}; shapes such as {{"A": [2, 3], "b": []}} are expected'
            )
        return trace_function(coordinates, parameters)
    require(
        parameters,
        isinstance(parameters, (list, tuple)),
        "parameters",
        'a list of names such as ["a", "b"] is expected',
    )
    if hasattr(coordinates, "tolist"):  # a matrix of sympy, an array of expressions
        coordinates = flatten_rows(coordinates.tolist())
    if isinstance(coordinates, (list, tuple)):
        named = [(name_coordinate(place), f"coordinates[{place - 1}]", one) for place, one in enumerate(coordinates, 1)]
    elif isinstance(coordinates, dict):
        pairs = require_mapping(coordinates, "coordinates").items()
        named = [(name, f"coordinates.{name[:60]}", one) for name, one in pairs]
    else:
        raise InputError(
            f"coordinates is {format_given_value(coordinates)}; a list of formulas, or a table from names to formulas, is expected"
        )
    names = tuple(read_name(one, f"parameters[{place}]") for place, one in enumerate(parameters))
    return Polynomial(names, tuple(Coordinate(name, convert_to_formula(one, place)) for name, place, one in named))


def read_classifier_dictionary(data: dict[str, Any]) -> Polynomial:
    """Build the map of a classifier with normal inputs from its class and its clauses."""
    from algdim.families.polynomial.normalinputs import read_normal_classifier

    check_keys(data, CLASSIFIER_KEYS, "the model")
    label, clauses = data.get("class"), data.get("clauses")
    label = require(label, isinstance(label, str), "class", "the name of the class is expected")
    clauses = require(
        clauses, isinstance(clauses, str), "clauses", "text such as 'Y -> X1, X2; states Y=2' is expected"
    )
    return read_normal_classifier(clauses, 0, label)


def flatten_rows(entries: object) -> list[Any]:
    """The entries of an array, row by row.

    >>> flatten_rows([["a", "b"], ["c", "d"]])
    ['a', 'b', 'c', 'd']
    """
    return [one for row in entries for one in flatten_rows(row)] if isinstance(entries, list) else [entries]


def read_name(value: object, place: str) -> str:
    """Read a parameter's name, from text or a symbol."""
    if isinstance(value, str):
        return value
    if is_sympy(value) and getattr(value, "is_Symbol", False):
        return str(getattr(value, "name", ""))
    raise InputError(f"{place} is {format_given_value(value)}; a name is expected")


def convert_to_formula(value: object, place: str) -> Formula:
    """Read a formula from text, a number or an expression of sympy's."""
    if isinstance(value, str):
        if len(value) > MOST_CHARACTERS:
            raise InputError(f"{place}: a formula of {len(value)} characters; at most {MOST_CHARACTERS} are allowed")
        return make_located_formula(place, lambda: parse_formula(value))
    if is_sympy(value):
        return make_located_formula(place, lambda: convert_from_sympy(value))
    if isinstance(value, Rational) and not isinstance(value, bool):
        return make_number(Fraction(read_exact_value(value, place)))
    raise InputError(f"{place} is {format_given_value(value)}; a formula as text is expected, such as 'a*b - 1/2'")


def make_located_formula(place: str, make: Callable[[], Formula]) -> Formula:
    """Make a formula; an error names the place."""
    try:
        return make()
    except InputError as error:
        raise InputError(f"{place}: {error}") from None


def write_dictionary(model: Polynomial) -> dict[str, Any]:
    """Write a model as a dictionary; `read_dictionary` reads it back as an equal record."""
    if model.short:
        word, clauses = model.short.split(": ", 1)
        return {"family": model.family, "class": word.split(" ", 1)[1], "clauses": clauses}
    texts = {coordinate.name: format_formula(coordinate.formula) for coordinate in model.coordinates}
    coordinates = list(texts.values()) if model.has_default_names else texts
    return {"family": model.family, "parameters": list(model.parameters), "coordinates": coordinates}


FILE = ModelFile(read_dictionary, write_dictionary)
