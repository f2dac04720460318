"""The map and its Jacobian as mathematics: sympy expressions with readable names, for terminal, LaTeX and notebook."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import numpy as np

from algdim.errors import LimitError
from algdim.exact.arithmetic import Array, Objects
from algdim.families import explaining
from algdim.families.gaussian.treksums import Terms, term_lines
from algdim.figures import big
from algdim.jacobian import evaluator_of, jacobian_at, values_at
from algdim.maps import COEFFICIENT, COVARIANCE, MEAN, ODDS, ODDS_FACTOR, VARIANCE, Map, Parameter, check_terms

MOST_ENTRIES = 20_000
MOST_TERMS = 1 << 12


@dataclass(frozen=True, slots=True, eq=False)
class PrintedMap:
    """A map written out: names of parameters and coordinates, one expression per coordinate, and the Jacobian.

    Of Gaussian models without cycles also the terms of each coordinate, one for each trek.
    """

    records: tuple[Parameter, ...]
    parameters: tuple[str, ...]
    coordinates: tuple[str, ...]
    expressions: tuple[Any, ...]
    jacobian: tuple[tuple[Any, ...], ...]
    treks: tuple[Terms, ...] = ()

    def __str__(self) -> str:
        """One coordinate per line, or one trek per line."""
        return "\n".join(coordinate_lines(self.coordinates, self.expressions, self.treks))

    def jacobian_text(self) -> str:
        """Per coordinate, its derivatives by the parameters, one per line."""
        lines = []
        for name, row in zip(self.coordinates, self.jacobian, strict=True):
            lines.append(f"∂ {name}")
            lines.extend(
                f"  / ∂ {parameter} = {plain(value)}" for parameter, value in zip(self.parameters, row, strict=True)
            )
        return "\n".join(lines)

    def latex(self) -> str:
        """The coordinates as an aligned display."""
        signs = signs_of(self.parameters, self.records)
        rows = [
            rf"{name_latex(name)} &= {expression_latex(value, signs)}"
            for name, value in zip(self.coordinates, self.expressions, strict=True)
        ]
        return "\\begin{aligned}\n" + " \\\\\n".join(rows) + "\n\\end{aligned}"

    def jacobian_latex(self) -> str:
        """The Jacobian as a matrix; rows are coordinates, columns parameters."""
        signs = signs_of(self.parameters, self.records)
        rows = [" & ".join(expression_latex(value, signs) for value in row) for row in self.jacobian]
        return "\\begin{pmatrix}\n" + " \\\\\n".join(rows) + "\n\\end{pmatrix}"

    def _repr_latex_(self) -> str:
        """The map in a notebook."""
        return f"$$\n{self.latex()}\n$$"


def printed_map(pmap: Map) -> PrintedMap:
    """Write a small map and its Jacobian out.

    >>> from algdim.families.discrete.map import param_map
    >>> from algdim.models.notation import parse
    >>> print(printed_map(param_map(parse("H -> X; hidden H"))))
    P(X=0) = P(H=0)·P(X=0|H=0) + P(X=0|H=1)·(1 - P(H=0))
    P(X=1) = P(H=0)·(1 - P(X=0|H=0)) + (1 - P(H=0))·(1 - P(X=0|H=1))
    """
    entries = pmap.coordinate_count * max(1, len(pmap.parameters))
    if entries > MOST_ENTRIES:
        raise LimitError(
            f"the Jacobian has {big(pmap.coordinate_count)} × {len(pmap.parameters)} entries; at most {MOST_ENTRIES} are written out; take a smaller model"
        )
    check_printable(pmap)
    shown = explaining(pmap.model.family)
    terms = () if shown.terms is None else shown.terms(pmap, None)
    arithmetic, point, expression = (quotients if shown.in_lowest_terms else expressions)(pmap.parameters)
    evaluator = evaluator_of(pmap)
    coordinates = evaluator.all_coordinates()
    values = values_at(pmap, arithmetic, point, coordinates, evaluator=evaluator)
    jacobian = jacobian_at(pmap, arithmetic, point, coordinates, evaluator=evaluator)
    return PrintedMap(
        records=pmap.records,
        parameters=pmap.parameters,
        coordinates=tuple(pmap.coordinates()),
        expressions=tuple(map(expression, values)),
        jacobian=tuple(tuple(map(expression, row)) for row in jacobian),
        treks=terms,
    )


@dataclass(frozen=True, slots=True, eq=False)
class PrintedCoordinates:
    """The first coordinates of a map written out, without the Jacobian."""

    pmap: Map
    coordinates: tuple[str, ...]
    expressions: tuple[Any, ...]
    treks: tuple[Terms, ...]

    def __str__(self) -> str:
        """One coordinate per line, or one trek per line."""
        return "\n".join(coordinate_lines(self.coordinates, self.expressions, self.treks))

    def blocks(self) -> list[str]:
        """One text per coordinate, of several lines where there are several treks."""
        terms: Sequence[Sequence[Terms]] = [(one,) for one in self.treks] or [()] * len(self.coordinates)
        each = zip(self.coordinates, self.expressions, terms, strict=True)
        return ["\n".join(coordinate_lines((name,), (value,), some)) for name, value, some in each]

    def to_list(self) -> list[dict[str, Any]]:
        """The form of --json."""
        texts = [
            {"name": name, "expression": plain(value)}
            for name, value in zip(self.coordinates, self.expressions, strict=True)
        ]
        if not self.treks:
            return list(texts)
        return [
            {**text, "treks": [term.to_dict() for term in terms]} for text, terms in zip(texts, self.treks, strict=True)
        ]


def printed_coordinates(pmap: Map, most: int) -> PrintedCoordinates:
    """Write the first coordinates of a map out.

    >>> from algdim.families.discrete.map import param_map
    >>> from algdim.models.notation import parse
    >>> print(printed_coordinates(param_map(parse("A -> B")), 1))
    P(A=0,B=0) = P(A=0)·P(B=0|A=0)
    """
    if pmap.coordinate_count > MOST_ENTRIES:
        raise LimitError(
            f"there are {big(pmap.coordinate_count)} {pmap.coordinates_are}; at most {MOST_ENTRIES} are allowed"
        )
    check_printable(pmap)
    shown = explaining(pmap.model.family)
    terms = () if shown.terms is None else shown.terms(pmap, most)
    arithmetic, point, expression = (quotients if shown.in_lowest_terms else expressions)(pmap.parameters)
    evaluator = evaluator_of(pmap)
    count = min(most, pmap.coordinate_count)
    vectors = evaluator.all_coordinates().vectors(arithmetic, 0, count)
    values = evaluator.at(arithmetic, point).values(vectors)
    return PrintedCoordinates(pmap, tuple(pmap.coordinates()[:count]), tuple(map(expression, values)), terms)


def coordinate_lines(names: Sequence[str], expressions: Sequence[Any], terms: Sequence[Terms]) -> list[str]:
    """Coordinates with their expressions, or where there are terms with these and their treks."""
    if terms:
        return [line for name, some in zip(names, terms, strict=True) for line in term_lines(name, some)]
    return [f"{name} = {plain(value)}" for name, value in zip(names, expressions, strict=True)]


def check_printable(pmap: Map) -> None:
    """Refuse coordinates with too many terms."""
    shown = explaining(pmap.model.family)
    if pmap.is_polynomial:
        check_terms(pmap, MOST_TERMS)
        return
    if shown.most_bits is None:
        return
    # what a chance of error may claim is another matter: with fixed coefficients on a cycle nothing
    size = pmap.degree_and_log_size()[1] if shown.log_size is None else shown.log_size(pmap)
    if size > shown.most_bits:
        raise LimitError(
            "the coordinates are quotients of polynomials too large to be written out; take a smaller model"
        )


Numbers = tuple[Objects, Array, Callable[[Any], Any]]


def expressions(parameters: Sequence[str]) -> Numbers:
    """Sympy expressions as they arise, one symbol per parameter."""
    from sympy import Rational, Symbol, log

    point = np.empty(len(parameters), dtype=object)
    point[:] = [Symbol(name) for name in parameters]
    arithmetic = Objects(
        convert=lambda value: Rational(value.numerator, value.denominator), log=np.frompyfunc(log, 1, 1)
    )
    return arithmetic, point, lambda value: value


def quotients(parameters: Sequence[str]) -> Numbers:
    """Quotients of expanded polynomials in lowest terms: without cycles the sums over treks (GHM96 §7)."""
    from sympy import QQ, Symbol

    symbols = [Symbol(name) for name in parameters]
    field = QQ.frac_field(*symbols) if symbols else QQ
    point = np.empty(len(parameters), dtype=object)
    point[:] = list(field.gens) if symbols else []
    arithmetic = Objects(convert=lambda value: field.convert(QQ(value.numerator, value.denominator), QQ))
    return arithmetic, point, field.to_sympy


def plain(value: Any) -> str:
    """A sympy expression as text, with · for products and ^ for powers.

    >>> from sympy.abc import x, y
    >>> plain(1 - x - y), plain(-(x**2) - y)
    ('1 - x - y', '-x^2 - y')
    """
    text, _ = printers()
    return str(text().doprint(value)).replace("**", "^").replace("*", "·")


def expression_latex(value: Any, signs: Mapping[str, str]) -> str:
    """A sympy expression in LaTeX, with what stands there for each parameter."""
    _, latex = printers()
    return str(latex({"symbol_names": {one: signs[str(one)] for one in value.free_symbols}}).doprint(value))


@cache
def printers() -> tuple[Any, Any]:
    """Sympy's printers of text and LaTeX, sums beginning with a positive term where they have one."""
    from sympy.printing.latex import LatexPrinter
    from sympy.printing.str import StrPrinter

    def of(printer: Any) -> Any:
        def ordered(self: Any, expression: Any, order: Any = None) -> list[Any]:
            terms: list[Any] = printer._as_ordered_terms(self, expression, order)  # noqa: SLF001  # sympy has no other hook
            return sorted(terms, key=is_negative) if terms and is_negative(terms[0]) else terms

        return type(printer.__name__, (printer,), {"_as_ordered_terms": ordered})

    return of(StrPrinter), of(LatexPrinter)


def is_negative(term: Any) -> bool:
    """Whether a term of a sum is printed with a minus."""
    return bool(term.as_coeff_Mul()[0].is_extended_negative)


BETWEEN = {COEFFICIENT: r" \to ", COVARIANCE: r" \leftrightarrow "}
"""What stands between two owners; a comma elsewhere."""

WITH_INDICES = frozenset({COEFFICIENT, VARIANCE, COVARIANCE, MEAN, ODDS, ODDS_FACTOR})
"""The kinds of parameters that are a letter with indices."""


def signs_of(parameters: Sequence[str], records: Sequence[Parameter]) -> dict[str, str]:
    """What stands for each parameter in LaTeX, by its text."""
    return dict(zip(parameters, map(parameter_latex, records), strict=True))


def parameter_latex(one: Parameter) -> str:
    r"""A parameter in LaTeX.

    >>> print(parameter_latex(Parameter("P", ("X12",), (0,), (("H", 1),))))
    P(X_{12}=0\mid H=1)
    >>> print(parameter_latex(Parameter("b", ("F", "X1"))), parameter_latex(Parameter("m", ("X1",), (), (("H", 0),))))
    b_{F \to X_{1}} m_{X_{1} \mid H=0}
    """
    text = escaped(one.label)
    if not one.label:
        owners = [names_latex(name) for name in one.owners]
        if one.states:
            owners = [f"{name}={state}" for name, state in zip(owners, one.states, strict=True)]
        given = [names_latex(name) + ("" if state is None else f"={state}") for name, state in one.given]
        is_index = one.kind in WITH_INDICES
        bar = (r" \mid " if is_index else r"\mid ") if given else ""
        text = f"{BETWEEN.get(one.kind, ',').join(owners)}{bar}{','.join(given)}"
        text = f"{one.kind}_{{{text}}}" if is_index else f"{one.kind}({text})"
    return f"{escaped(one.inside)}:{text}" if one.inside else text


def escaped(name: str) -> str:
    """A name with its underscores as LaTeX reads them."""
    return name.replace("_", r"\_")


def name_latex(name: str) -> str:
    r"""A coordinate's name in LaTeX.

    >>> print(name_latex("P(X12=0|H=1)"), name_latex("cov(X1,X2)"), name_latex("E(X1^12·Y·1(C=0))"))
    P(X_{12}=0\mid H=1) \operatorname{cov}(X_{1},X_{2}) \operatorname{E}(X_{1}^{12} Y 1(C=0))
    """
    moments = re.fullmatch(r"(cov|mean)\((.*)\)", name)
    if moments:
        return rf"\operatorname{{{moments[1]}}}({names_latex(moments[2])})"
    moment = re.fullmatch(r"E\((.*)\)", name)
    if moment:
        inside = re.sub(r"([A-Za-z])(\d+)(?![A-Za-z0-9_.])", r"\1_{\2}", moment[1])
        inside = re.sub(r"\^(\d+)", r"^{\1}", re.sub(r"_(?!{)", r"\_", inside))
        return rf"\operatorname{{E}}({inside.replace('·', ' ')})"
    numbered = re.sub(r"([A-Za-z])(\d+)(?==)", r"\1_{\2}", name)
    return re.sub(r"_(?!{)", r"\_", numbered).replace("|", r"\mid ").replace("λ", r"\lambda ")


@lru_cache(1 << 14)
def names_latex(names: str) -> str:
    r"""Names of variables, separated by commas, in LaTeX.

    >>> names_latex("X1,Y_a")
    'X_{1},Y\\_a'
    """
    return re.sub(r"_(?!{)", r"\_", re.sub(r"([A-Za-z])(\d+)(?![A-Za-z0-9_.])", r"\1_{\2}", names))


def matrix_text(matrix: Sequence[Sequence[Any]], pivots: Sequence[tuple[int, int]] = ()) -> str:
    """A matrix in aligned columns, pivots in brackets.

    >>> print(matrix_text([[1, 0], [0, 10]], [(0, 0)]))
    [1]   0
     0   10
    """
    marked = set(pivots)
    texts = [
        [f"[{value}]" if (i, j) in marked else f" {value} " for j, value in enumerate(row)]
        for i, row in enumerate(matrix)
    ]
    widths = [max(len(row[j]) for row in texts) for j in range(len(texts[0]))] if texts else []
    return "\n".join(
        " ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in texts
    )
