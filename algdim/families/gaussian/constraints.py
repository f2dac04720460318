"""Equations between covariances in text, LaTeX and JSON."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from fractions import Fraction
from itertools import starmap
from math import prod
from typing import Any, cast

from algdim.analysis import Prepared
from algdim.explanation.constraints import Constraint, Constraints, Evaluated, evaluate_determinant
from algdim.explanation.printing import format_coordinate_latex, format_names_latex
from algdim.families.contract import COVARIANCE, MEAN, Constraining, CoordinateRecord
from algdim.families.gaussian.covarianceequations import CovarianceEquation
from algdim.families.gaussian.equations import Found, find_gaussian_equations
from algdim.families.gaussian.map import GaussianMap
from algdim.families.gaussian.tetrads import measure_equations
from algdim.families.gaussian.treks import TrekSeparation, describe_cut
from algdim.families.gaussian.verma import KernelEquation, list_path_products
from algdim.figures import format_count
from algdim.models.notation import to_text


def format_equation(equation: CovarianceEquation, names: Sequence[str]) -> tuple[str, str]:
    """An equation as text and in LaTeX."""
    if equation.kind == "zero mean":
        mean = CoordinateRecord(MEAN, (names[equation.rows[0]],))
        return f"{mean} = 0", f"{format_coordinate_latex(mean)} = 0"
    if equation.kernel is not None:
        return format_kernel(equation.kernel, names), format_kernel_latex(equation.kernel, names)
    if equation.terms:
        factors = [
            (sign, [make_covariance_coordinate(names[i], names[j]) for i, j in pairs]) for sign, pairs in equation.terms
        ]
        text = "".join(f"{' − ' if sign < 0 else ' + '}{' '.join(map(str, product))}" for sign, product in factors)
        latex = "".join(
            f"{' - ' if sign < 0 else ' + '}{''.join(map(format_coordinate_latex, product))}"
            for sign, product in factors
        )
        return f"{text.removeprefix(' + ')} = 0", f"{latex.removeprefix(' + ')} = 0"
    if equation.kind == "partial minor":
        return format_partial_minor(equation, names)
    rows, columns = (",".join(names[v] for v in side) for side in (equation.rows, equation.columns))
    if equation.kind == "partial":
        one, other = names[equation.rows[0]], names[equation.columns[0]]
        given = ",".join(names[v] for v in equation.rows[1:])
        latex = rf"\operatorname{{cov}}({format_names_latex(f'{one},{other}')} \mid {format_names_latex(given)}) = 0"
        return f"cov({one},{other}|{given}) = 0", latex
    return (
        f"det cov({rows}; {columns}) = 0",
        rf"\det \operatorname{{cov}}({format_names_latex(rows)};\, {format_names_latex(columns)}) = 0",
    )


def format_partial_minor(equation: CovarianceEquation, names: Sequence[str]) -> tuple[str, str]:
    """A minor of partial covariances: what rows and columns have in common is given."""
    given = ",".join(names[v] for v in equation.rows if v in equation.columns)
    rows, columns = (
        ",".join(names[v] for v in side if v not in other)
        for side, other in ((equation.rows, equation.columns), (equation.columns, equation.rows))
    )
    return (
        f"det cov({rows}; {columns} | {given}) = 0",
        rf"\det \operatorname{{cov}}({format_names_latex(rows)};\, {format_names_latex(columns)} \mid {format_names_latex(given)}) = 0",
    )


def format_kernel(equation: KernelEquation, names: Sequence[str]) -> str:
    """A coefficient in a kernel: a sum of products of regression coefficients, or the regressions of each kernel."""
    products = list_path_products(equation)
    if products:
        sums = (" ".join(format_coefficient(*factor, names) for factor in product) for product in products)
        return f"{' + '.join(sums)} = 0"
    kernels = [f"Q{number}" for number in range(1, len(equation.steps) + 1)]
    told = []
    for number, step in enumerate(equation.steps):
        regressions = ", ".join(
            f"{names[v]} ~ {' + '.join(names[u] for u in given) or '1'}" for v, given in step.regressions
        )
        told.append(f"{kernels[number]} = [{regressions}{f' in {kernels[number - 1]}' if number else ''}]")
    one, other = names[equation.cause], names[equation.response]
    condition = f"|{','.join(names[v] for v in equation.given)}" if equation.given else ""
    end = f"effect of {one} on {other}" if equation.is_effect else f"cov({one},{other}{condition})"
    return f"{end} in {kernels[-1]} = 0, where {'; '.join(told)}"


def format_coefficient(response: int, cause: int, others: Sequence[int], names: Sequence[str]) -> str:
    """A coefficient of a regression: of the response, of the cause, the others being in the regression too.

    >>> format_coefficient(2, 0, [1], "ABC")
    'β(C,A|B)'
    """
    given = f"|{','.join(names[v] for v in others)}" if others else ""
    return f"β({names[response]},{names[cause]}{given})"


def format_kernel_latex(equation: KernelEquation, names: Sequence[str]) -> str:
    """The same in LaTeX, with indices as in β_ij·k."""

    def beta(response: int, cause: int, others: Sequence[int]) -> str:
        given = rf"\cdot {format_names_latex(','.join(names[v] for v in others))}" if others else ""
        return rf"\beta_{{{format_names_latex(names[response])},{format_names_latex(names[cause])}{given}}}"

    products = list_path_products(equation)
    if products:
        return f"{' + '.join(''.join(beta(*factor) for factor in product) for product in products)} = 0"
    told = []
    for number, step in enumerate(equation.steps, 1):
        regressions = r",\; ".join(
            rf"{format_names_latex(names[v])} \sim {' + '.join(format_names_latex(names[u]) for u in given) or '1'}"
            for v, given in step.regressions
        )
        told.append(rf"Q_{{{number}}} = [{regressions}]{rf'_{{Q_{{{number - 1}}}}}' if number > 1 else ''}")
    last = f"Q_{{{len(equation.steps)}}}"
    one, other = format_names_latex(names[equation.cause]), format_names_latex(names[equation.response])
    condition = rf" \mid {format_names_latex(','.join(names[v] for v in equation.given))}" if equation.given else ""
    effect = (
        rf"\beta^{{{last}}}_{{{other},{one}}}"
        if equation.is_effect
        else rf"\operatorname{{cov}}_{{{last}}}({one},{other}{condition})"
    )
    return rf"{effect} = 0,\quad {',; '.join(told)}".replace(",; ", r",\; ")


def collect_evidence(cut: TrekSeparation, equation: CovarianceEquation, names: Sequence[str]) -> dict[str, Any]:
    """What the equation is about, by names."""
    kernel = equation.kernel
    if kernel is not None:
        return {
            "response": names[kernel.response],
            "cause": names[kernel.cause],
            "given": [names[v] for v in kernel.given],
            "kernels": [
                {
                    "regressions": [[names[v], [names[u] for u in given]] for v, given in step.regressions],
                    "kept": [names[v] for v in step.kept],
                }
                for step in kernel.steps
            ],
        }
    rows, columns = ([names[v] for v in side] for side in (equation.rows, equation.columns))
    evidence: dict[str, Any] = {"rows": rows, "columns": columns} if columns else {"variables": rows}
    if equation.cut:
        evidence["through"] = {"left": list(cut.left), "right": list(cut.right)}
    if equation.terms:
        evidence["terms"] = [[sign, [[names[i], names[j]] for i, j in pairs]] for sign, pairs in equation.terms]
    return evidence


TITLES = {
    "zero": "vanishing covariances",
    "zero mean": "vanishing means",
    "tetrad": "vanishing tetrads",
    "partial": "vanishing partial covariances",
    "kernel": "Verma-type equations of regressions",
    "sextad": "vanishing sextads (3×3 minors)",
    "octad": "vanishing octads (4×4 minors)",
    "minor": "larger vanishing minors",
    "partial minor": "vanishing minors of partial covariances",
    "pentad": "vanishing pentads",
}
"""What each kind is called."""


MINORS = {3: "sextad", 4: "octad"}


def find_constraints(prepared: Prepared, size: int, seed: int | str) -> Constraints:
    """The equations of a Gaussian model."""
    gmap = cast("GaussianMap", prepared.whole_map)
    return make_gaussian_constraints(to_text(prepared.model), find_gaussian_equations(gmap, size, seed))


def make_gaussian_constraints(text: str, found: Found) -> Constraints:
    """The equations of a Gaussian model, of each kind the independent ones first."""
    chosen = set(found.independent)
    names = [variable.name for variable in found.gmap.model.variables]
    cuts = {cut: describe_cut(found.graph, cut) for cut in {equation.cut for equation in found.equations}}
    told = [
        make_constraint(equation, names, cuts[equation.cut], number in chosen)
        for number, equation in enumerate(found.equations)
    ]
    notes = [str(one) for one in found.left_out]
    if found.trivial_tetrads:
        notes.insert(
            0,
            f"not listed: {format_count(found.trivial_tetrads, 'tetrad')} whose products both contain a vanishing covariance",
        )
    complete, codimension = found.gmap.complete, len(chosen)
    reason = (
        f"{codimension} of {format_count(len(told), 'equation')} {'is' if codimension == 1 else 'are'} independent at a point: "
        f"the dimension is at most {complete} − {codimension} = {complete - codimension}"
    )
    if not told:
        reason = f"the dimension is at most {complete}, that of the saturated model"
    told.sort(key=lambda one: one.independent is False)
    return Constraints(
        text,
        "gaussian",
        complete,
        tuple(told),
        codimension,
        reason,
        tuple(notes),
        completeness={"all_listed": not found.left_out, "left_out": [one.to_dict() for one in found.left_out]},
        upper=found.upper,
    )


def make_constraint(
    equation: CovarianceEquation, names: Sequence[str], cut: TrekSeparation, independent: bool
) -> Constraint:
    """An equation of a Gaussian model in words."""
    kind = MINORS.get(len(equation.rows), "minor") if equation.kind == "minor" else equation.kind
    evidence = collect_evidence(cut, equation, names)
    return Constraint(kind, *format_equation(equation, names), equation.because, independent, evidence, equation.trust)


def evaluate_sum(
    gmap: GaussianMap, equation: Constraint, values: Sequence[Fraction], others: Sequence[Fraction]
) -> Iterator[Evaluated]:
    """A sum of products of covariances, or a determinant of them."""
    at, off = (map_coordinate_values(gmap, numbers) for numbers in (values, others))
    evidence = equation.evidence
    if "terms" in evidence:
        terms = [(sign, list(starmap(make_covariance_coordinate, pairs))) for sign, pairs in evidence["terms"]]
        total, elsewhere = (
            sum((sign * prod((table[name] for name in pairs), start=Fraction(1)) for sign, pairs in terms), Fraction(0))
            for table in (at, off)
        )
        products = tuple(
            (" ".join(map(str, pairs)), sign * prod((at[name] for name in pairs), start=Fraction(1)))
            for sign, pairs in terms
        )
        known = set(gmap.coordinates())
        named = tuple(
            (sign, tuple(name_coordinate(pair, known) for pair in pairs)) for sign, pairs in evidence["terms"]
        )
        yield Evaluated(equation, total, elsewhere, products=products, terms=named)
    elif "rows" in evidence and "columns" in evidence:
        cells = [[make_covariance_coordinate(a, b) for b in evidence["columns"]] for a in evidence["rows"]]
        numbers, elsewhere = ([[table[cell] for cell in row] for row in cells] for table in (at, off))
        yield evaluate_determinant(equation, cells, numbers, elsewhere)


def name_coordinate(pair: Sequence[str], known: Container[str]) -> str:
    """A covariance as the map calls it."""
    one, other = (str(make_covariance_coordinate(*names)) for names in (pair, pair[::-1]))
    return one if one in known else other


def make_covariance_coordinate(one: str, other: str) -> CoordinateRecord:
    """A covariance."""
    return CoordinateRecord(COVARIANCE, (one, other))


def map_coordinate_values(gmap: GaussianMap, values: Sequence[Fraction]) -> dict[CoordinateRecord, Fraction]:
    """Values by coordinate; covariances under both orders of their variables."""
    found = dict(zip(gmap.coordinate_records(), values, strict=True))
    turned = {make_covariance_coordinate(*reversed(one.of)): value for one, value in found.items() if len(one.of) == 2}
    return turned | found


CONSTRAINING = Constraining(find_constraints, TITLES, evaluate_sum, measure_equations)
