"""The map of a model as a program for Macaulay2, Singular or sympy, which prints the rank of its Jacobian at a random point.

A coordinate is a quotient of two polynomials, N/D; the rows of the Jacobian are D·∂N − N·∂D, which is D² times the row of
the quotient. The log-odds of a classifier are replaced by their exponentials, the odds, which multiplies rows too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from algdim.errors import InputError
from algdim.explanation.printing import MOST_ENTRIES, printed_coordinates
from algdim.maps.anymap import map_of
from algdim.models.anymodel import AnyModel
from algdim.models.notation import to_text

MOST_LINE = 200

# numbers alone are no polynomials there unless that is said
PLAIN_MACAULAY2 = "J = transpose jacobian matrix(R, {N});\n"
QUOTIENT_MACAULAY2 = """\
N = apply(N, f -> promote(f, R));
D = apply(D, f -> promote(f, R));
J = matrix apply(#N, i -> apply(gens R, x -> D#i*diff(x, N#i) - N#i*diff(x, D#i)));
"""

PLAIN_SINGULAR = "matrix J = jacob(N);\n"
QUOTIENT_SINGULAR = """\
matrix J[ncols(N)][nvars(R)];
int i, j;
for (i = 1; i <= ncols(N); i++) {
  for (j = 1; j <= nvars(R); j++) { J[i, j] = D[i] * diff(N[i], var(j)) - N[i] * diff(D[i], var(j)); }
}
"""


@dataclass(frozen=True, slots=True)
class Quotients:
    """A map whose parameters are x1, x2, …: names, numerators and denominators as sympy expressions."""

    title: str
    parameters: tuple[str, ...]
    coordinates: tuple[str, ...]
    numerators: tuple[Any, ...]
    denominators: tuple[Any, ...]

    @property
    def is_polynomial(self) -> bool:
        """Whether all denominators are numbers."""
        return all(value.is_number for value in self.denominators)

    def legend(self, sign: str, name: str) -> str:
        """Comments that say what parameters and coordinates are; ``name`` has one place for the number."""
        lines = [self.title[:MOST_LINE], "", "parameters"]
        lines += [f"  {name.format(number)} = {text}" for number, text in enumerate(self.parameters, 1)]
        lines += ["coordinates, in the order of N", *(f"  {text}" for text in self.coordinates)]
        return "".join(f"{sign} {line}".rstrip() + "\n" for line in lines)


def quotients_of(model: AnyModel) -> Quotients:
    """The map of a model as quotients of polynomials."""
    from sympy import Symbol, exp, fraction, log, together

    pmap = map_of(model)
    if not pmap.parameters:
        raise InputError("the model has no parameters: every number of it is fixed, and there is no map to write")
    printed = printed_coordinates(pmap, MOST_ENTRIES)
    new = {Symbol(name): Symbol(f"x{number}") for number, name in enumerate(pmap.parameters, 1)}
    pairs = []
    for expression in printed.expressions:
        value = expression.xreplace(new)
        pairs.append(fraction(together(exp(value) if value.has(log) else value)))
    return Quotients(
        to_text(model),
        pmap.parameters,
        printed.coordinates,
        tuple(top for top, _ in pairs),
        tuple(bottom for _, bottom in pairs),
    )


def macaulay2(model: AnyModel) -> str:
    """A program of Macaulay2."""
    found = quotients_of(model)
    lists = f"N = {{{listed(found.numerators, 'x_')}}};\n"
    if not found.is_polynomial:
        lists += f"D = {{{listed(found.denominators, 'x_')}}};\n"
    return (
        found.legend("--", "x_{}")
        + f"R = QQ[x_1..x_{len(found.parameters)}];\n"
        + lists
        + (PLAIN_MACAULAY2 if found.is_polynomial else QUOTIENT_MACAULAY2)
        + "point = map(QQ, R, apply(numgens R, i -> random(1, 10000)));\n"
        + 'print("dimension " | toString rank point J);\n'
    )


def singular(model: AnyModel) -> str:
    """A program of Singular."""
    found = quotients_of(model)
    lists = f"ideal N = {listed(found.numerators, 'x(', ')')};\n"
    if not found.is_polynomial:
        lists += f"ideal D = {listed(found.denominators, 'x(', ')')};\n"
    return (
        found.legend("//", "x({})")
        + f"ring R = 0, (x(1..{len(found.parameters)})), dp;\n"
        + lists
        + (PLAIN_SINGULAR if found.is_polynomial else QUOTIENT_SINGULAR)
        + "ideal point;\nint k;\nfor (k = 1; k <= nvars(R); k++) { point[k] = random(1, 10000); }\n"
        + "map at_point = R, point;\n"
        + '"dimension " + string(rank(at_point(J)));\n'
    )


def sympy(model: AnyModel) -> str:
    """A program of Python with sympy."""
    from sympy import sstr

    found = quotients_of(model)
    values = [top / bottom for top, bottom in zip(found.numerators, found.denominators, strict=True)]
    rows = "".join(
        f"    {name!r}: {sstr(value, sympy_integers=True)},\n"
        for name, value in zip(found.coordinates, values, strict=True)
    )
    return (
        f"# {found.title[:MOST_LINE]}\n\n"
        "import random\n\n"
        "from sympy import Matrix, Rational, S, symbols\n\n"
        f"names = {list(found.parameters)!r}\n"
        f'parameters = symbols("x1:{len(found.parameters) + 1}")\n'
        f"({', '.join(f'x{number}' for number in range(1, len(found.parameters) + 1))},) = parameters\n"
        f"coordinates = {{\n{rows}}}\n"
        "draw = random.Random(0)\n"
        "point = {parameter: Rational(draw.randint(1, 10000), 10007) for parameter in parameters}\n"
        "jacobian = Matrix([[value.diff(x).subs(point) for x in parameters] for value in map(S, coordinates.values())])\n"
        'print("dimension", jacobian.rank())\n'
    )


def listed(values: tuple[Any, ...], before: str, after: str = "") -> str:
    """Polynomials as both systems write them; the variables x1, x2, … in their form, numbers exact."""
    from sympy import Symbol

    symbols = sorted(set().union(*(value.free_symbols for value in values)), key=str)
    new = {symbol: Symbol(before + str(symbol)[1:] + after) for symbol in symbols}
    return ",\n  ".join(str(value.xreplace(new)).replace("**", "^") for value in values)
