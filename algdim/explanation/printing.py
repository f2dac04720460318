"""The map and its Jacobian as mathematics: sympy expressions with readable names, for terminal, LaTeX and notebook."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain, islice
from typing import Any

import numpy as np

from algdim.display.results import Compact
from algdim.errors import LimitError
from algdim.exact.arithmetic import Array, Lengths, Objects
from algdim.families import load_explaining
from algdim.families.contract import BY_NAME, LOG_ODDS, MOMENT, CoordinateRecord, PathTerms
from algdim.families.contract import COVARIANCE as COVARIANCES
from algdim.families.contract import MEAN as MEANS
from algdim.figures import format_integer
from algdim.jacobian import evaluate_functionals, evaluate_jacobian, evaluate_values, make_evaluator
from algdim.maps import (
    COEFFICIENT,
    COVARIANCE,
    MEAN,
    ODDS,
    ODDS_FACTOR,
    VARIANCE,
    Map,
    Parameter,
    check_terms,
    find_once,
)

MOST_ENTRIES = 20_000
MOST_TERMS = 1 << 12
"""Of a coordinate that is expanded."""
MOST_LEAVES, MOST_JACOBIAN_LEAVES = 1 << 17, 1 << 20
"""Numbers and letters in factored form, of all coordinates that are written, and of all derivatives."""
MOST_FIRST_LEAVES = 1 << 13
"""The same of the first coordinates, where they are an example."""


@dataclass(frozen=True, slots=True, eq=False)
class PrintedMap:
    """A map written out: names of parameters and coordinates, one expression per coordinate, and the Jacobian.

    Where each term of a coordinate has a meaning, also these, as those of Gaussian models without cycles are treks.
    """

    pmap: Map
    records: tuple[Parameter, ...]
    parameters: tuple[str, ...]
    coordinate_records: tuple[CoordinateRecord, ...]
    expressions: tuple[Any, ...]
    terms: tuple[PathTerms, ...] = ()

    @property
    def coordinates(self) -> tuple[str, ...]:
        """Their names."""
        return tuple(map(str, self.coordinate_records))

    @property
    def jacobian(self) -> tuple[tuple[Any, ...], ...]:
        """The derivatives of the coordinates by the parameters, written when they are asked for."""
        return find_once(self.pmap, "printed jacobian", lambda: write_jacobian(self.pmap))

    def __str__(self) -> str:
        """One coordinate per line, or one term per line."""
        return "\n".join(format_coordinates(self.coordinates, self.expressions, self.terms))

    def jacobian_text(self) -> str:
        """Per coordinate, its derivatives by the parameters, one per line."""
        lines = []
        for name, row in zip(self.coordinates, self.jacobian, strict=True):
            lines.append(f"∂ {name}")
            lines.extend(
                f"  / ∂ {parameter} = {format_expression(value)}"
                for parameter, value in zip(self.parameters, row, strict=True)
            )
        return "\n".join(lines)

    def latex(self) -> str:
        """The coordinates as an aligned display."""
        signs = choose_signs(self.parameters, self.records)
        rows = [
            rf"{format_coordinate_latex(one)} &= {format_expression_latex(value, signs)}"
            for one, value in zip(self.coordinate_records, self.expressions, strict=True)
        ]
        return "\\begin{aligned}\n" + " \\\\\n".join(rows) + "\n\\end{aligned}"

    def jacobian_latex(self) -> str:
        """The Jacobian as a matrix; rows are coordinates, columns parameters."""
        signs = choose_signs(self.parameters, self.records)
        rows = [" & ".join(format_expression_latex(value, signs) for value in row) for row in self.jacobian]
        return "\\begin{pmatrix}\n" + " \\\\\n".join(rows) + "\n\\end{pmatrix}"

    def _repr_latex_(self) -> str:
        """The map in a notebook."""
        return f"$$\n{self.latex()}\n$$"


def print_map(pmap: Map) -> PrintedMap:
    """Write a small map and its Jacobian out.

    >>> from algdim.families.discrete.map import get_param_map
    >>> from algdim.models.notation import parse
    >>> print(print_map(get_param_map(parse("H -> X; hidden H"))))
    P(X=0) = P(H=0)·P(X=0|H=0) + P(X=0|H=1)·(1 - P(H=0))
    P(X=1) = P(H=0)·(1 - P(X=0|H=0)) + (1 - P(H=0))·(1 - P(X=0|H=1))
    """
    if pmap.coordinate_count > MOST_ENTRIES:
        raise LimitError(
            f"there are {format_integer(pmap.coordinate_count)} {pmap.coordinates_are}; at most {MOST_ENTRIES} are allowed"
        )
    check_printable(pmap, pmap.coordinate_count)
    shown = load_explaining(pmap.model.family)
    terms = () if shown.list_terms is None else shown.list_terms(pmap, None)
    arithmetic, point, expression = choose_numbers(pmap)
    evaluator = make_evaluator(pmap)
    values = evaluate_functionals(pmap, arithmetic, point, evaluator.all_coordinates(), evaluator=evaluator)
    return PrintedMap(
        pmap=pmap,
        records=pmap.records,
        parameters=pmap.parameters,
        coordinate_records=tuple(pmap.coordinate_records()),
        expressions=tuple(map(expression, values)),
        terms=terms,
    )


def write_jacobian(pmap: Map) -> tuple[tuple[Any, ...], ...]:
    """The Jacobian of a small map, written out."""
    entries = pmap.coordinate_count * max(1, len(pmap.parameters))
    if entries > MOST_ENTRIES:
        raise LimitError(
            f"the Jacobian has {format_integer(pmap.coordinate_count)} × {len(pmap.parameters)} entries; at most {MOST_ENTRIES} are written out; take a smaller model"
        )
    evaluator = make_evaluator(pmap)
    coordinates = evaluator.all_coordinates()
    if not load_explaining(pmap.model.family).in_lowest_terms and pmap.is_polynomial:
        ones = Lengths().elements(np.ones(len(pmap.parameters)))
        check_leaves(
            float(evaluate_jacobian(pmap, Lengths(), ones, coordinates, evaluator=evaluator).sum()),
            "the Jacobian",
            MOST_JACOBIAN_LEAVES,
        )
    arithmetic, point, expression = choose_numbers(pmap)
    matrix = evaluate_jacobian(pmap, arithmetic, point, coordinates, evaluator=evaluator)
    return tuple(tuple(map(expression, row)) for row in matrix)


def choose_numbers(pmap: Map) -> Numbers:
    """In what expressions a map is written: as they arise, or in lowest terms where its family asks for that."""
    in_lowest_terms = load_explaining(pmap.model.family).in_lowest_terms
    return (make_quotients if in_lowest_terms else make_expressions)(pmap.parameters)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PrintedCoordinates(Compact):
    """The first coordinates of a map written out, without the Jacobian."""

    pmap: Map
    records: tuple[CoordinateRecord, ...]
    expressions: tuple[Any, ...]
    terms: tuple[PathTerms, ...]

    @property
    def coordinates(self) -> tuple[str, ...]:
        """Their names."""
        return tuple(map(str, self.records))

    def __str__(self) -> str:
        """One coordinate per line, or one term per line."""
        return "\n".join(format_coordinates(self.coordinates, self.expressions, self.terms))

    def blocks(self) -> list[str]:
        """One text per coordinate, of several lines where there are several terms."""
        terms: Sequence[Sequence[PathTerms]] = [(one,) for one in self.terms] or [()] * len(self.coordinates)
        each = zip(self.coordinates, self.expressions, terms, strict=True)
        return ["\n".join(format_coordinates((name,), (value,), some)) for name, value, some in each]

    def to_list(self) -> list[dict[str, Any]]:
        """The form of --json."""
        texts = [
            {"name": name, "expression": format_expression(value)}
            for name, value in zip(self.coordinates, self.expressions, strict=True)
        ]
        if not self.terms:
            return list(texts)
        return [{**text, "treks": terms.to_list()} for text, terms in zip(texts, self.terms, strict=True)]


def print_coordinates(pmap: Map, most: int) -> PrintedCoordinates:
    """Write the first coordinates of a map out.

    >>> from algdim.families.discrete.map import get_param_map
    >>> from algdim.models.notation import parse
    >>> print(print_coordinates(get_param_map(parse("A -> B")), 1))
    P(A=0,B=0) = P(A=0)·P(B=0|A=0)
    """
    if pmap.coordinate_count > MOST_ENTRIES:
        raise LimitError(
            f"there are {format_integer(pmap.coordinate_count)} {pmap.coordinates_are}; at most {MOST_ENTRIES} are allowed"
        )
    count = min(most, pmap.coordinate_count)
    most_leaves = MOST_LEAVES if count == pmap.coordinate_count else MOST_FIRST_LEAVES
    check_printable(pmap, count, most_leaves)
    shown = load_explaining(pmap.model.family)
    terms = () if shown.list_terms is None else shown.list_terms(pmap, most)
    found = write_first_expressions(pmap, count)
    if count_leaves(found, most_leaves) > most_leaves:
        raise LimitError(
            f"the {count} {pmap.coordinates_are}, as quotients, have more than {format_integer(most_leaves)} numbers and letters, which is the limit"
        )
    return PrintedCoordinates(pmap, tuple(pmap.coordinate_records()[:count]), found, terms)


def count_leaves(expressions: Sequence[Any], most: int) -> int:
    """The numbers and letters of expressions, or one more than the most that matter; a letter that is shared counts each time."""
    from sympy import preorder_traversal

    nodes = chain.from_iterable(map(preorder_traversal, expressions))
    return sum(1 for _ in islice((node for node in nodes if not node.args), most + 1))


def write_first_expressions(pmap: Map, count: int) -> tuple[Any, ...]:
    """The first coordinates as sympy expressions."""
    arithmetic, point, expression = choose_numbers(pmap)
    evaluator = make_evaluator(pmap)
    values = evaluate_values(evaluator, evaluator.at(arithmetic, point), arithmetic, evaluator.all_coordinates(), count)
    return tuple(map(expression, values))


def write_coordinate_expressions(pmap: Map) -> tuple[Any, ...]:
    """All coordinates as sympy expressions, or a refusal where they are too long.

    >>> from algdim.families.discrete.map import get_param_map
    >>> from algdim.models.notation import parse
    >>> print(*write_coordinate_expressions(get_param_map(parse("states X=2"))))
    P(X=0) 1 - P(X=0)
    """
    check_printable(pmap, pmap.coordinate_count)
    return write_first_expressions(pmap, pmap.coordinate_count)


def format_coordinates(names: Sequence[str], expressions: Sequence[Any], terms: Sequence[PathTerms]) -> list[str]:
    """Coordinates with their expressions, or where there are terms with these and their paths."""
    if terms:
        return [line for name, some in zip(names, terms, strict=True) for line in format_terms(name, some)]
    return [f"{name} = {format_expression(value)}" for name, value in zip(names, expressions, strict=True)]


def format_terms(name: str, found: PathTerms) -> list[str]:
    r"""A coordinate with one line for each of its terms.

    >>> from algdim.families.contract import PathTerm
    >>> terms = (PathTerm("b(A->B)·v(A)", "A -> B"), PathTerm("c(A<->B)", "A <-> B"))
    >>> print("\n".join(format_terms("cov(A,B)", PathTerms(terms, "no trek"))))
    cov(A,B) = b(A->B)·v(A)   A -> B
             + c(A<->B)       A <-> B
    """
    if not found.terms:
        return [f"{name} = 0   {found.none}"]
    width = max(len(term.product) for term in found.terms)
    starts = [f"{name} =", *[f"{' ' * len(name)} +"] * (len(found.terms) - 1)]
    return [f"{start} {term.product:<{width}}   {term.path}" for start, term in zip(starts, found.terms, strict=True)]


def check_printable(pmap: Map, count: int, most_leaves: int = MOST_LEAVES) -> None:
    """Refuse coordinates that are too long; ``count`` are written."""
    shown = load_explaining(pmap.model.family)
    if pmap.is_polynomial and shown.in_lowest_terms:
        check_terms(pmap, MOST_TERMS)
        return
    if pmap.is_polynomial:
        evaluator = make_evaluator(pmap)
        at_point = evaluator.at(Lengths(), Lengths().elements(np.ones(len(pmap.parameters))))
        leaves = evaluate_values(evaluator, at_point, Lengths(), evaluator.all_coordinates(), count)
        check_leaves(float(leaves.sum()), f"the {count} {pmap.coordinates_are}", most_leaves)
        return
    if shown.most_bits is None:
        return
    # what a chance of error may claim is another matter: with fixed coefficients on a cycle nothing
    size = pmap.degree_and_log_size()[1] if shown.compute_log_size is None else shown.compute_log_size(pmap)
    if size > shown.most_bits:
        raise LimitError(
            "the coordinates are quotients of polynomials too large to be written out; take a smaller model"
        )


def check_expandable(pmap: Map) -> None:
    """Refuse coordinates that would have too many terms once they are expanded."""
    if pmap.is_polynomial:
        check_terms(pmap, MOST_TERMS)


def check_leaves(leaves: float, what: str, most: int) -> None:
    """Refuse what has too many letters in factored form."""
    if leaves > most:
        raise LimitError(
            f"{what}, in factored form, would have {format_integer(int(leaves))} numbers and letters; at most {most} are "
            "written out; take a smaller model"
        )


Numbers = tuple[Objects, Array, Callable[[Any], Any]]


def make_expressions(parameters: Sequence[str]) -> Numbers:
    """Sympy expressions as they arise, one symbol per parameter."""
    from sympy import Rational, Symbol, log

    point = np.empty(len(parameters), dtype=object)
    point[:] = [Symbol(name) for name in parameters]
    arithmetic = Objects(
        convert=lambda value: Rational(value.numerator, value.denominator), log=np.frompyfunc(log, 1, 1)
    )
    return arithmetic, point, lambda value: value


def make_quotients(parameters: Sequence[str]) -> Numbers:
    """Quotients of expanded polynomials in lowest terms: without cycles the sums over treks (GHM96 §7)."""
    from sympy import QQ, Symbol

    symbols = [Symbol(name) for name in parameters]
    field = QQ.frac_field(*symbols) if symbols else QQ
    point = np.empty(len(parameters), dtype=object)
    point[:] = list(field.gens) if symbols else []
    arithmetic = Objects(convert=lambda value: field.convert(QQ(value.numerator, value.denominator), QQ))
    return arithmetic, point, field.to_sympy


def format_expression(value: Any) -> str:
    """A sympy expression as text, with · for products and ^ for powers.

    >>> from sympy.abc import x, y
    >>> format_expression(1 - x - y), format_expression(-(x**2) - y)
    ('1 - x - y', '-x^2 - y')
    """
    text, _ = make_printers()
    return str(text().doprint(value)).replace("**", "^").replace("*", "·")


def format_expression_latex(value: Any, signs: Mapping[str, str]) -> str:
    """A sympy expression in LaTeX, with what stands there for each parameter."""
    _, latex = make_printers()
    return str(latex({"symbol_names": {one: signs[str(one)] for one in value.free_symbols}}).doprint(value))


@cache
def make_printers() -> tuple[Any, Any]:
    """Sympy's printers of text and LaTeX, sums beginning with a positive term where they have one."""
    from sympy.printing.latex import LatexPrinter
    from sympy.printing.str import StrPrinter

    def of(printer: Any) -> Any:
        def order_terms(self: Any, expression: Any, order: Any = None) -> list[Any]:
            terms: list[Any] = printer._as_ordered_terms(self, expression, order)  # noqa: SLF001  # sympy has no other hook
            return sorted(terms, key=is_negative) if terms and is_negative(terms[0]) else terms

        return type(printer.__name__, (printer,), {"_as_ordered_terms": order_terms})

    return of(StrPrinter), of(LatexPrinter)


def is_negative(term: Any) -> bool:
    """Whether a term of a sum is printed with a minus."""
    return bool(term.as_coeff_Mul()[0].is_extended_negative)


BETWEEN = {COEFFICIENT: r" \to ", COVARIANCE: r" \leftrightarrow "}
"""What stands between two owners; a comma elsewhere."""

WITH_INDICES = frozenset({COEFFICIENT, VARIANCE, COVARIANCE, MEAN, ODDS, ODDS_FACTOR})
"""The kinds of parameters that are a letter with indices."""


def choose_signs(parameters: Sequence[str], records: Sequence[Parameter]) -> dict[str, str]:
    """What stands for each parameter in LaTeX, by its text."""
    return dict(zip(parameters, map(format_parameter_latex, records), strict=True))


def format_parameter_latex(one: Parameter) -> str:
    r"""A parameter in LaTeX.

    >>> print(format_parameter_latex(Parameter("P", ("X12",), (0,), (("H", 1),))))
    P(X_{12}=0\mid H=1)
    >>> print(
    ...     format_parameter_latex(Parameter("b", ("F", "X1"))),
    ...     format_parameter_latex(Parameter("m", ("X1",), (), (("H", 0),))),
    ... )
    b_{F \to X_{1}} m_{X_{1} \mid H=0}
    """
    text = escape_underscores(one.label)
    if not one.label:
        owners = [format_names_latex(name) for name in one.owners]
        if one.states:
            owners = [f"{name}={state}" for name, state in zip(owners, one.states, strict=True)]
        given = [format_names_latex(name) + ("" if state is None else f"={state}") for name, state in one.given]
        is_index = one.kind in WITH_INDICES
        bar = (r" \mid " if is_index else r"\mid ") if given else ""
        text = f"{BETWEEN.get(one.kind, ',').join(owners)}{bar}{','.join(given)}"
        text = f"{one.kind}_{{{text}}}" if is_index else f"{one.kind}({text})"
    return f"{escape_underscores(one.inside)}:{text}" if one.inside else text


def escape_underscores(name: str) -> str:
    """A name with its underscores as LaTeX reads them."""
    return name.replace("_", r"\_")


ORDERED = {"κ": r"\kappa", "τ": r"\tau", "logF": r"\log F"}
"""The kinds of coordinates that have an order."""

OPERATORS = frozenset({COVARIANCES, MEANS, MOMENT})
"""The kinds of coordinates that are set as operators."""


@lru_cache(1 << 14)
def format_coordinate_latex(one: CoordinateRecord) -> str:
    r"""A coordinate in LaTeX.

    >>> print(format_coordinate_latex(CoordinateRecord("P", (), (("X12", 0),), (("H", 1),))))
    P(X_{12}=0\mid H=1)
    >>> print(format_coordinate_latex(CoordinateRecord("E", ("X1", "Y"), (("C", 0),), powers=(12, 1))))
    \operatorname{E}(X_{1}^{12} Y 1(C=0))
    """
    if one.kind == BY_NAME:
        return escape_underscores(one.of[0])
    states, given = (
        ",".join(f"{format_names_latex(name)}={state}" for name, state in some) for some in (one.states, one.given)
    )
    variables = [format_names_latex(name) for name in one.of]
    if one.kind == MOMENT:
        powers = ["" if power == 1 else f"^{{{power}}}" for power in one.powers]
        factors = [f"{name}{power}" for name, power in zip(variables, powers, strict=True)]
        inside = " ".join([*factors, f"1({states})"] if states else factors)
    else:
        inside = ",".join([*variables, states] if states else variables)
    kind = (
        rf"\operatorname{{{one.kind}}}"
        if one.kind in OPERATORS
        else r"\lambda "
        if one.kind == LOG_ODDS
        else re.sub(r"(κ|τ|logF)(\d+)", lambda found: f"{ORDERED[found[1]]}_{{{found[2]}}}", one.kind)
    )
    return rf"{kind}({inside}\mid {given})" if given else f"{kind}({inside})"


@lru_cache(1 << 14)
def format_names_latex(names: str) -> str:
    r"""Names of variables, separated by commas, in LaTeX.

    >>> format_names_latex("X1,Y_a")
    'X_{1},Y\\_a'
    """
    return re.sub(r"_(?!{)", r"\_", re.sub(r"([A-Za-z])(\d+)(?![A-Za-z0-9_.])", r"\1_{\2}", names))
