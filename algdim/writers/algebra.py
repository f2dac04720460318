"""The map of a model as a program for Macaulay2, Singular or sympy, which prints the rank of its Jacobian at a random point.

A coordinate is a quotient of two polynomials, N/D; the rows of the Jacobian are D·∂N − N·∂D, which is D² times the row of
the quotient. The log-odds of a classifier are replaced by their exponentials, the odds, which multiplies rows too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from algdim.errors import InputError
from algdim.explanation.printing import MOST_ENTRIES, printed_coordinates
from algdim.maps import map_of
from algdim.models.anymodel import AnyModel
from algdim.models.notation import to_text

MOST_LINE = 200


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


def quotients_of(model: AnyModel) -> Quotients:
    """The map of a model as quotients of polynomials."""
    from sympy import Symbol, exp, fraction, log, together

    pmap = map_of(model)
    printed = printed_coordinates(pmap, MOST_ENTRIES)  # first, for it counts before anything is named
    if not pmap.parameters:
        raise InputError("the model has no parameters: every number of it is fixed, and there is no map to write")
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


@dataclass(frozen=True, slots=True)
class System:
    """How a computer algebra system writes such a program; the places of templates are numbers or polynomials."""

    comment: str
    variable: str
    ring: str
    polynomials: str
    """A list of them, under a name."""
    jacobian: str
    quotient_jacobian: str
    """The same where N is divided by D."""
    rank: str
    """At a random point."""

    def program(self, found: Quotients) -> str:
        """The program of a map."""
        polynomials = [self.polynomials.format("N", self.listed(found.numerators))]
        if not found.is_polynomial:
            polynomials.append(self.polynomials.format("D", self.listed(found.denominators)))
        jacobian = self.jacobian if found.is_polynomial else self.quotient_jacobian
        return "".join([self.legend(found), self.ring.format(len(found.parameters)), *polynomials, jacobian, self.rank])

    def legend(self, found: Quotients) -> str:
        """Comments that say what parameters and coordinates are."""
        lines = [found.title[:MOST_LINE], "", "parameters"]
        lines += [f"  {self.variable.format(number)} = {text}" for number, text in enumerate(found.parameters, 1)]
        lines += ["coordinates, in the order of N", *(f"  {text}" for text in found.coordinates)]
        return "".join(f"{self.comment} {line}".rstrip() + "\n" for line in lines)

    def listed(self, values: tuple[Any, ...]) -> str:
        """Polynomials with the variables x1, x2, … in the system's form and exact numbers."""
        from sympy import Symbol

        symbols = sorted(set().union(*(value.free_symbols for value in values)), key=str)
        new = {symbol: Symbol(self.variable.format(str(symbol)[1:])) for symbol in symbols}
        return ",\n  ".join(str(value.xreplace(new)).replace("**", "^") for value in values)


MACAULAY2 = System(
    comment="--",
    variable="x_{}",
    ring="R = QQ[x_1..x_{}];\n",
    polynomials="{} = {{{}}};\n",
    # numbers alone are no polynomials there unless that is said
    jacobian="J = transpose jacobian matrix(R, {N});\n",
    quotient_jacobian="""\
N = apply(N, f -> promote(f, R));
D = apply(D, f -> promote(f, R));
J = matrix apply(#N, i -> apply(gens R, x -> D#i*diff(x, N#i) - N#i*diff(x, D#i)));
""",
    rank="""\
point = map(QQ, R, apply(numgens R, i -> random(1, 10000)));
print("dimension " | toString rank point J);
""",
)
SINGULAR = System(
    comment="//",
    variable="x({})",
    ring="ring R = 0, (x(1..{})), dp;\n",
    polynomials="ideal {} = {};\n",
    jacobian="matrix J = jacob(N);\n",
    quotient_jacobian="""\
matrix J[ncols(N)][nvars(R)];
int i, j;
for (i = 1; i <= ncols(N); i++) {
  for (j = 1; j <= nvars(R); j++) { J[i, j] = D[i] * diff(N[i], var(j)) - N[i] * diff(D[i], var(j)); }
}
""",
    rank="""\
ideal point;
int k;
for (k = 1; k <= nvars(R); k++) { point[k] = random(1, 10000); }
map at_point = R, point;
"dimension " + string(rank(at_point(J)));
""",
)


def macaulay2(model: AnyModel) -> str:
    """A program of Macaulay2."""
    return MACAULAY2.program(quotients_of(model))


def singular(model: AnyModel) -> str:
    """A program of Singular."""
    return SINGULAR.program(quotients_of(model))


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
