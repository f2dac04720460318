"""Models as texts of other programs: JSON, dagitty, BIF, lavaan, and systems of algebra: Macaulay2, Singular, Mathematica, Maple, Julia, sympy.

Dagitty and BIF have no place for fixed, equal or shared numbers and for other local maps; a model that has them is refused.
In lavaan's syntax everything is written out, and what `sem` would add is fixed to 0, so that `sem`, `cfa` and `lavaan` with
or without defaults all mean the same.

In the programs for algebra, which print the rank of the Jacobian at a random point, a coordinate is a quotient of two
polynomials, N/D; the rows of the Jacobian are D·∂N − N·∂D, which is D² times the row of the quotient. The log-odds of a
classifier are replaced by their exponentials, the odds, which multiplies rows too.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any

from algdim.arguments import check_arguments
from algdim.errors import InputError, LimitError, describe_closest_word, join_names
from algdim.explanation.printing import MOST_ENTRIES, print_coordinates
from algdim.families import load_family
from algdim.families.contract import Arrows
from algdim.families.discrete.model import Network, Variable
from algdim.families.gaussian.model import Entry, Gaussian
from algdim.maps import map_of
from algdim.models.anymodel import AnyModel, convert_model_to_dictionary, require_model
from algdim.models.notation import to_text
from algdim.models.values import format_fraction
from algdim.readers.lavaan import RESERVED, parse_statements
from algdim.readers.lavaandefaults import compute_lavaan_defaults, select_lavaan_function

if TYPE_CHECKING:
    from algdim.readers.anything import ModelLike


MOST_VALUES = 1_000_000
"""Probabilities that are written; their number is checked before."""

DAGITTY_WORDS = ("node", "edge", "graph")
"""Names that begin a setting of dagitty's unless they stand in quotes."""


def convert_to_graph(model: AnyModel, target: str) -> Arrows:
    """A model as a graph; refused where there is more to it than the format has."""
    arrows = load_family(model.family).make_arrows
    if arrows is None:
        raise InputError(f"{target} has graphs only; a model of the family {model.family} is none")
    found = arrows(model)
    if found.more:
        raise InputError(f"{target} cannot say that {found.more}")
    return found


def write_dagitty(model: Any) -> str:
    """Write a graph; the reader of dagitty reads it back."""
    graph = convert_to_graph(model, "dagitty")
    states = graph.states
    lines = []
    for variable in model.variables:
        words = [] if variable.observed else ["latent"]
        words += [f"states={states[variable.name]}"] if states else []
        lines.append(encode_name(variable.name) + (f" [{','.join(words)}]" if words else ""))
    lines += [f"{encode_name(one)} -> {encode_name(other)}" for one, other in model.edges]
    lines += [f"{encode_name(one)} <-> {encode_name(other)}" for one, other in graph.correlated]
    return "dag {\n" + "".join(f"{line}\n" for line in lines) + "}\n"


def encode_name(name: str) -> str:
    """A name as dagitty reads it."""
    return f'"{name}"' if name in DAGITTY_WORDS else name


def write_bif(given: AnyModel) -> str:
    """Write a discrete network; the reader of BIF reads it back. Its tables are uniform: a model has no probabilities."""
    model = require_model(given, Network, "BIF has models of the family discrete only")
    convert_to_graph(model, "BIF")
    states = model.states
    count = sum(prod(states[name] for name in (variable.name, *variable.parents)) for variable in model.variables)
    if count > MOST_VALUES:
        raise LimitError(f"the tables have {count} probabilities; at most {MOST_VALUES} are written")
    pieces = [write_variable(variable) for variable in model.variables]
    names = {variable.name: name_states(variable) for variable in model.variables}
    pieces += [write_uniform_table(variable, names) for variable in model.variables]
    return "network unnamed {\n}\n" + "".join(pieces)


def write_variable(variable: Variable) -> str:
    """A variable with its states."""
    names = ", ".join(name_states(variable))
    hidden = "" if variable.observed else "  property hidden = true;\n"
    return f"variable {variable.name} {{\n  type discrete [ {variable.states} ] {{ {names} }};\n{hidden}}}\n"


def name_states(variable: Variable) -> list[str]:
    """What the states are called: as the model's source says, else s0, s1 and so on."""
    if not variable.labels or not all(re.fullmatch(r"[^\"\n\r]+", label) for label in variable.labels):
        return [f"s{state}" for state in range(variable.states)]
    return [label if re.fullmatch(r"[^\s{}()\[\],;|/]+", label) else f'"{label}"' for label in variable.labels]


def write_uniform_table(variable: Variable, states: dict[str, list[str]]) -> str:
    """The parents of a variable, and a uniform table."""
    parents = f" | {', '.join(variable.parents)}" if variable.parents else ""
    row = ", ".join(format_uniform_row(variable.states))
    if not variable.parents:
        body = f"  table {row};\n"
    else:
        body = "".join(f"  ({', '.join(names)}) {row};\n" for names in iterate_parent_states(variable, states))
    return f"probability ( {variable.name}{parents} ) {{\n{body}}}\n"


def iterate_parent_states(variable: Variable, states: dict[str, list[str]]) -> Iterable[tuple[str, ...]]:
    """The states of the parents, row by row."""
    yield from product(*(states[parent] for parent in variable.parents))


def format_uniform_row(states: int) -> list[str]:
    """Decimals that sum to 1: all but the last rounded."""
    each = round(1 / states, 9)
    return [*([f"{each:.9f}"] * (states - 1)), f"{1 - each * (states - 1):.9f}"]


def write_lavaan(given: AnyModel) -> str:
    """Write a Gaussian model; the reader of lavaan reads it back."""
    model = require_model(given, Gaussian, "lavaan has models of the family gaussian only")
    for variable in model.variables:
        if variable.name in RESERVED or variable.name.startswith("_"):
            raise InputError(f"the variable {variable.name}: R has no such name; rename it")
    for _, label in model.equal:
        if label in RESERVED or label.startswith("_"):
            raise InputError(f"the label {label} of equal numbers: R has no such name; rename it")
    if model.groups and not model.means:
        raise InputError("lavaan has means in models of several groups; leave 'means off' out")
    named = name_linear(model)
    texts = []
    for group in model.groups or ("",):
        text = "\n".join(iterate_lavaan_lines(model, named, group)) + "\n"
        found = parse_statements(text)
        defaults = compute_lavaan_defaults(found, select_lavaan_function({}, max(1, len(model.groups))))
        added = [key for key in defaults if key[0] == "~~" and key not in found.rows]
        head = f"group: {group}\n" if group else ""
        texts.append(head + text + "".join(f"{one} ~~ 0*{other}\n" for _, one, other in added))
    return "".join(texts) + "".join(f"{line}\n" for line in iterate_lavaan_equations(model, named))


def name_linear(model: Gaussian) -> dict[Entry, str]:
    """Labels of the entries that occur in equations, those of equal ones theirs."""
    found, known = dict(model.equal), set(dict(model.equal).values())
    fixed = dict(model.fixed)
    for entry, terms in model.linear:
        for one in (entry, *(other for other, _ in terms)):
            if one and one not in found and one not in fixed:
                label = "_".join(part.replace(".", "_") for part in one)
                while label in known or label in RESERVED:
                    label += "_"
                known.add(label)
                found[one] = label
    return found


def iterate_lavaan_equations(model: Gaussian, named: Mapping[Entry, str]) -> Iterable[str]:
    """The equations between labels."""
    fixed = dict(model.fixed)
    for entry, terms in model.linear:
        sums = "".join(
            f" {'-' if value < 0 else '+'} {abs(value)}*{format_fraction(fixed[one]) if one in fixed else named[one] if one else 1}"
            for one, value in terms
        )
        yield f"{named[entry]} == 0{sums}"


def iterate_lavaan_lines(model: Gaussian, equal: Mapping[Entry, str], group: str = "") -> Iterable[str]:
    """The formulas: loadings, regressions, variances, covariances, intercepts; those of one group, if there are groups."""
    fixed = dict(model.fixed)
    whole, end = model, f".{group}" if group else ""
    if group:
        strip = operator.methodcaller("removesuffix", end)
        fixed = {(kind, *map(strip, names)): value for (kind, *names), value in model.fixed if names[0].endswith(end)}
        equal = {(kind, *map(strip, names)): label for (kind, *names), label in equal.items() if names[0].endswith(end)}
        model = Gaussian(
            tuple(replace(one, name=strip(one.name)) for one in whole.variables if one.name.endswith(end)),
            tuple((strip(a), strip(b)) for a, b in whole.edges if a.endswith(end)),
            tuple((strip(a), strip(b)) for a, b in whole.bidirected if a.endswith(end)),
            whole.means,
        )

    def term(entry: Entry, name: str) -> str:
        if entry in fixed:
            return f"{format_fraction(fixed[entry])}*{name}"
        label = f"{equal[entry]}*{name}" if entry in equal else ""
        # else the first loading, or with std.lv the variance, of a latent variable is fixed to 1
        if entry[0] in "bv" and entry[1] in latent:
            return f"NA*{name} + {label}" if label else f"NA*{name}"
        return label or name

    latent = {variable.name for variable in model.hidden}
    for variable in model.hidden:
        terms = [term(("b", start, end), end) for start, end in model.edges if start == variable.name]
        yield f"{variable.name} =~ {' + '.join(terms) or '0'}"
    for variable in model.variables:
        name = variable.name
        terms = [term(("b", start, end), start) for start, end in model.edges if end == name and start not in latent]
        if terms:
            yield f"{name} ~ {' + '.join(terms)}"
        yield f"{name} ~~ {term(('v', name), name)}"
        if model.means:
            yield f"{name} ~ {term(('m', name), '1')}"
    for one, other in model.bidirected:
        yield f"{one} ~~ {term(('c', one, other), other)}"


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


def derive_quotients(model: AnyModel) -> Quotients:
    """The map of a model as quotients of polynomials."""
    from sympy import Symbol, exp, fraction, log, together

    pmap = map_of(model)
    printed = print_coordinates(pmap, MOST_ENTRIES)  # first, for it counts before anything is named
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
class AlgebraSystem:
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
    comment_end: str = ""
    listing: str = ",\n  "
    """What stands between polynomials."""

    def program(self, found: Quotients, above: str = "N", below: str = "D") -> str:
        """The program of a map, with the names of numerators and denominators."""
        polynomials = [self.polynomials.format(above, self.format_list(found.numerators))]
        if not found.is_polynomial:
            polynomials.append(self.polynomials.format(below, self.format_list(found.denominators)))
        jacobian = self.jacobian if found.is_polynomial else self.quotient_jacobian
        return "".join([self.legend(found), self.ring.format(len(found.parameters)), *polynomials, jacobian, self.rank])

    def legend(self, found: Quotients) -> str:
        """Comments that say what parameters and coordinates are."""
        lines = [found.title[:MOST_LINE], "", "parameters"]
        lines += [f"  {self.variable.format(number)} = {text}" for number, text in enumerate(found.parameters, 1)]
        lines += ["coordinates, in the order of N", *(f"  {text}" for text in found.coordinates)]
        # nothing in a name or a formula ends a comment
        safe = [line.replace("*)", "* )") for line in lines]
        return "".join(f"{self.comment} {line}".rstrip() + f"{self.comment_end}\n" for line in safe)

    def format_list(self, values: tuple[Any, ...]) -> str:
        """Polynomials with the variables x1, x2, … in the system's form and exact numbers."""
        from sympy import Symbol

        symbols = sorted(set().union(*(value.free_symbols for value in values)), key=str)
        new = {symbol: Symbol(self.variable.format(str(symbol)[1:])) for symbol in symbols}
        return self.listing.join(str(value.xreplace(new)).replace("**", "^") for value in values)


MACAULAY2 = AlgebraSystem(
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
SINGULAR = AlgebraSystem(
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


MATHEMATICA = AlgebraSystem(
    comment="(*",
    comment_end=" *)",
    variable="x{}",
    ring='X = Table[Symbol["x" <> ToString[k]], {{k, 1, {}}}];\n',
    polynomials="{} = {{{}}};\n",
    jacobian="J = D[N0, {X}];\n",
    quotient_jacobian="J = D[N0/D0, {X}];\n",
    rank="""\
point = Thread[X -> RandomInteger[{1, 999}, Length[X]]/1000];
Print["dimension ", MatrixRank[J /. point]];
RowReduce[J /. point] // MatrixForm
""",
)
MAPLE = AlgebraSystem(
    comment="#",
    variable="x{}",
    ring="X := [seq(cat(x, k), k = 1 .. {})]:\n",
    polynomials="{} := [{}]:\n",
    jacobian="J := Matrix(nops(N0), nops(X), (i, j) -> diff(N0[i], X[j])):\n",
    quotient_jacobian="J := Matrix(nops(N0), nops(X), (i, j) -> diff(N0[i] / D0[i], X[j])):\n",
    rank="""\
roll := rand(1 .. 999):
point := [seq(variable = roll() / 1000, variable in X)]:
printf("dimension %d\\n", LinearAlgebra[Rank](subs(point, J))):
""",
)
JULIA = AlgebraSystem(
    comment="#",
    variable="x[{}]",
    ring="using HomotopyContinuation, LinearAlgebra\n@var x[1:{}]\n",
    polynomials="{} = [\n  {},\n]\n",
    jacobian="F = N0 .+ 0 * x[1]  # a constant is an expression too\n",
    quotient_jacobian="F = N0 ./ D0 .+ 0 * x[1]\n",
    rank="""\
J = differentiate(F, x)
point = rand(1:999, length(x)) ./ 1000
println("dimension ", rank(evaluate(J, x => point)), " (in floating point)")
""",
)


def write_mathematica(model: AnyModel) -> str:
    """A program of Mathematica."""
    return MATHEMATICA.program(derive_quotients(model), "N0", "D0")  # N and D are functions there


def write_maple(model: AnyModel) -> str:
    """A program of Maple."""
    return MAPLE.program(derive_quotients(model), "N0", "D0")


def write_julia(model: AnyModel) -> str:
    """A program of Julia with HomotopyContinuation."""
    return JULIA.program(derive_quotients(model), "N0", "D0")


def write_macaulay2(model: AnyModel) -> str:
    """A program of Macaulay2."""
    return MACAULAY2.program(derive_quotients(model))


def write_singular(model: AnyModel) -> str:
    """A program of Singular."""
    return SINGULAR.program(derive_quotients(model))


def write_sympy(model: AnyModel) -> str:
    """A program of Python with sympy."""
    from sympy import sstr

    found = derive_quotients(model)
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


def write_json(model: AnyModel) -> str:
    """The model file."""
    import json

    return json.dumps(convert_model_to_dictionary(model), ensure_ascii=False, indent=1) + "\n"


TARGETS: Mapping[str, Callable[[AnyModel], str]] = {
    "macaulay2": write_macaulay2,
    "singular": write_singular,
    "mathematica": write_mathematica,
    "maple": write_maple,
    "julia": write_julia,
    "sympy": write_sympy,
    "lavaan": write_lavaan,
    "dagitty": write_dagitty,
    "bif": write_bif,
    "json": write_json,
}
"""What is written, by name."""


@check_arguments
def export(
    model: ModelLike,
    to: str,
    *,
    format: str | None = None,  # noqa: A002
    hidden: Iterable[str] = (),
) -> str:
    r"""The text of a model for another program.

    Parameters
    ----------
    model : text, path, dictionary, graph or model
        Whatever `algdim.model` reads.
    to : str
        The program: macaulay2, singular, mathematica, maple, julia, sympy, lavaan, dagitty, bif or json.
    format : str, optional
        How a file or a text is written, such as "lavaan" or "dagitty"; without it the suffix of a path tells.
    hidden : names
        Variables that are not observed, in addition to those that the model declares hidden.

    Returns
    -------
    str
        What a file of that program holds.

    Examples
    --------
    >>> export("gaussian: F -> X1, X2; hidden F; means off", "dagitty")
    'dag {\nF [latent]\nX1\nX2\nF -> X1\nF -> X2\n}\n'
    """
    from algdim.readers.anything import read_model

    if to not in TARGETS:
        to = str(to)
        raise InputError(
            f"cannot export to {to[:60]!r}{describe_closest_word(to, TARGETS)}; supported are {join_names(TARGETS)}"
        )
    return TARGETS[to](read_model(model, format=format, hidden=hidden))
