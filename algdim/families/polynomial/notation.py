"""The family "polynomial" in the notation: parameters, and coordinates as formulas.

polynomial: parameters a, b; coordinates a*b, a^2/(1 + b)
polynomial: parameters a, b; coordinates x = a*b, y = a^2/(1 + b)
"""

from __future__ import annotations

from algdim.errors import InputError
from algdim.families.contract import Notation
from algdim.families.polynomial.expressions import TOKEN, Formula, formula_text, meant, read_formula
from algdim.families.polynomial.model import Coordinate, Polynomial, default_name
from algdim.models.tokens import Cursor, failure


def read_polynomial(text: str, start: int) -> Polynomial:
    """Read the clauses of a map, from where they begin in the text."""
    cursor = Cursor(text, start, TOKEN)
    keyword(cursor, "parameters")
    names = [] if cursor.meets(";") else [cursor.name("a parameter's name").text for _ in cursor.items()]
    cursor.need(";", "and the coordinates")
    keyword(cursor, "coordinates")
    first = cursor.now.at
    found = [read_coordinate(cursor, number) for number, _ in enumerate(cursor.items(), 1)]
    if cursor.now.kind != "end":
        cursor.fail("an operator, ',' or the end of the text", meant(cursor))
    try:
        return Polynomial(tuple(names), tuple(found))
    except InputError as error:
        raise failure(text, first, str(error)) from None


def keyword(cursor: Cursor, word: str) -> None:
    """Step over one of the two words."""
    if cursor.now.text != word:
        cursor.fail(f"'{word}'", "a map is written 'polynomial: parameters a, b; coordinates a*b, a^2'")
    cursor.index += 1


def read_coordinate(cursor: Cursor, number: int) -> Coordinate:
    """Read a formula, with or without a name before it."""
    name = default_name(number)
    if cursor.now.kind == "name" and cursor.next.text == "=":
        name = cursor.name("a coordinate's name").text
        cursor.index += 1
    formula: Formula = read_formula(cursor)
    return Coordinate(name, formula)


def polynomial_text(model: Polynomial) -> str:
    """Print a model.

    >>> polynomial_text(read_polynomial("parameters a, b; coordinates a*b, a - b", 0))
    'polynomial: parameters a, b; coordinates a*b, a - b'
    """
    plain = model.has_default_names
    formulas = [("" if plain else f"{one.name} = ") + formula_text(one.formula) for one in model.coordinates]
    return f"{model.family}: parameters {', '.join(model.parameters)}; coordinates {', '.join(formulas)}".replace(
        "parameters ;", "parameters;"
    )


NOTATION = Notation(lambda text, start, _, __: read_polynomial(text, start), polynomial_text)
