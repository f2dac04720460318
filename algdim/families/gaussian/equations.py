"""Equations between covariances in text, LaTeX and JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement
from math import prod
from typing import Any

from algdim.explanation.constraints import Constraint, Constraints
from algdim.explanation.evaluated import Evaluated, square
from algdim.explanation.printing import name_latex, names_latex
from algdim.families.gaussian.constraints import Found, equations_of
from algdim.families.gaussian.covarianceequations import CovarianceEquation
from algdim.families.gaussian.map import GaussianMap, gaussian_map
from algdim.families.gaussian.model import Gaussian
from algdim.families.gaussian.treks import TrekSeparation, separation_of
from algdim.families.gaussian.verma import KernelEquation, path_products
from algdim.figures import counted
from algdim.models.notation import to_text


def texts_of(equation: CovarianceEquation, names: Sequence[str]) -> tuple[str, str]:
    """An equation as text and in LaTeX."""
    if equation.kind == "zero mean":
        text = f"mean({names[equation.rows[0]]})"
        return f"{text} = 0", f"{name_latex(text)} = 0"
    if equation.kernel is not None:
        return kernel_text(equation.kernel, names), kernel_latex(equation.kernel, names)
    if equation.terms:
        factors = [(sign, [f"cov({names[i]},{names[j]})" for i, j in pairs]) for sign, pairs in equation.terms]
        text = "".join(f"{' − ' if sign < 0 else ' + '}{' '.join(product)}" for sign, product in factors)
        latex = "".join(f"{' - ' if sign < 0 else ' + '}{''.join(map(latex_of, product))}" for sign, product in factors)
        return f"{text.removeprefix(' + ')} = 0", f"{latex.removeprefix(' + ')} = 0"
    if equation.kind == "partial minor":
        return partial_minor_texts(equation, names)
    rows, columns = (",".join(names[v] for v in side) for side in (equation.rows, equation.columns))
    if equation.kind == "partial":
        one, other = names[equation.rows[0]], names[equation.columns[0]]
        given = ",".join(names[v] for v in equation.rows[1:])
        inner = name_latex(f"cov({one},{other})")[:-1] + rf" \mid {names_latex(given)})"
        return f"cov({one},{other}|{given}) = 0", f"{inner} = 0"
    return (
        f"det cov({rows}; {columns}) = 0",
        rf"\det \operatorname{{cov}}({names_latex(rows)};\, {names_latex(columns)}) = 0",
    )


latex_of = lru_cache(1 << 14)(name_latex)


def partial_minor_texts(equation: CovarianceEquation, names: Sequence[str]) -> tuple[str, str]:
    """A minor of partial covariances: what rows and columns have in common is given."""
    given = ",".join(names[v] for v in equation.rows if v in equation.columns)
    rows, columns = (
        ",".join(names[v] for v in side if v not in other)
        for side, other in ((equation.rows, equation.columns), (equation.columns, equation.rows))
    )
    return (
        f"det cov({rows}; {columns} | {given}) = 0",
        rf"\det \operatorname{{cov}}({names_latex(rows)};\, {names_latex(columns)} \mid {names_latex(given)}) = 0",
    )


def kernel_text(equation: KernelEquation, names: Sequence[str]) -> str:
    """A coefficient in a kernel: a sum of products of regression coefficients, or the regressions of each kernel."""
    products = path_products(equation)
    if products:
        sums = (" ".join(coefficient(*factor, names) for factor in product) for product in products)
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


def coefficient(response: int, cause: int, others: Sequence[int], names: Sequence[str]) -> str:
    """A coefficient of a regression: of the response, of the cause, the others being in the regression too.

    >>> coefficient(2, 0, [1], "ABC")
    'β(C,A|B)'
    """
    given = f"|{','.join(names[v] for v in others)}" if others else ""
    return f"β({names[response]},{names[cause]}{given})"


def kernel_latex(equation: KernelEquation, names: Sequence[str]) -> str:
    """The same in LaTeX, with indices as in β_ij·k."""

    def beta(response: int, cause: int, others: Sequence[int]) -> str:
        given = rf"\cdot {names_latex(','.join(names[v] for v in others))}" if others else ""
        return rf"\beta_{{{names_latex(names[response])},{names_latex(names[cause])}{given}}}"

    products = path_products(equation)
    if products:
        return f"{' + '.join(''.join(beta(*factor) for factor in product) for product in products)} = 0"
    told = []
    for number, step in enumerate(equation.steps, 1):
        regressions = r",\; ".join(
            rf"{names_latex(names[v])} \sim {' + '.join(names_latex(names[u]) for u in given) or '1'}"
            for v, given in step.regressions
        )
        told.append(rf"Q_{{{number}}} = [{regressions}]{rf'_{{Q_{{{number - 1}}}}}' if number > 1 else ''}")
    last = f"Q_{{{len(equation.steps)}}}"
    one, other = names_latex(names[equation.cause]), names_latex(names[equation.response])
    condition = rf" \mid {names_latex(','.join(names[v] for v in equation.given))}" if equation.given else ""
    effect = (
        rf"\beta^{{{last}}}_{{{other},{one}}}"
        if equation.is_effect
        else rf"\operatorname{{cov}}_{{{last}}}({one},{other}{condition})"
    )
    return rf"{effect} = 0,\quad {',; '.join(told)}".replace(",; ", r",\; ")


def evidence_of(cut: TrekSeparation, equation: CovarianceEquation, names: Sequence[str]) -> dict[str, Any]:
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


MINORS = {3: "sextad", 4: "octad"}


def constraints_of(model: Gaussian, size: int, seed: int | str) -> Constraints:
    """The equations of a Gaussian model."""
    return of_gaussian(to_text(model), equations_of(gaussian_map(model), size, seed))


def of_gaussian(text: str, found: Found) -> Constraints:
    """The equations of a Gaussian model, of each kind the independent ones first."""
    chosen = set(found.independent)
    names = [variable.name for variable in found.gmap.model.variables]
    cuts = {cut: separation_of(found.graph, cut) for cut in {equation.cut for equation in found.equations}}
    told = [
        gaussian_constraint(equation, names, cuts[equation.cut], number in chosen)
        for number, equation in enumerate(found.equations)
    ]
    notes = [str(one) for one in found.left_out]
    if found.trivial_tetrads:
        notes.insert(
            0,
            f"not listed: {counted(found.trivial_tetrads, 'tetrad')} whose products both contain a vanishing covariance",
        )
    complete, codimension = found.gmap.complete, len(chosen)
    reason = (
        f"{codimension} of {counted(len(told), 'equation')} {'is' if codimension == 1 else 'are'} independent at a point: "
        f"the dimension is at most {complete} − {codimension} = {complete - codimension}"
    )
    told.sort(key=lambda one: one.independent is False)
    return Constraints(
        text,
        "gaussian",
        complete,
        tuple(told),
        codimension,
        reason,
        tuple(notes),
        left_out=found.left_out,
        upper=found.upper,
    )


def gaussian_constraint(
    equation: CovarianceEquation, names: Sequence[str], cut: TrekSeparation, independent: bool
) -> Constraint:
    """An equation of a Gaussian model in words."""
    kind = MINORS.get(len(equation.rows), "minor") if equation.kind == "minor" else equation.kind
    evidence = evidence_of(cut, equation, names)
    return Constraint(kind, *texts_of(equation, names), equation.because, independent, evidence, equation.trust)


def sum_of(
    gmap: GaussianMap, equation: Constraint, values: Sequence[Fraction], others: Sequence[Fraction]
) -> Iterator[Evaluated]:
    """A sum of products of covariances, or a determinant of them."""
    at, off = (table_of(gmap, numbers) for numbers in (values, others))
    evidence = equation.evidence
    if "terms" in evidence:
        terms = [(sign, [f"cov({a},{b})" for a, b in pairs]) for sign, pairs in evidence["terms"]]
        total, elsewhere = (
            sum((sign * prod((table[name] for name in pairs), start=Fraction(1)) for sign, pairs in terms), Fraction(0))
            for table in (at, off)
        )
        products = tuple(
            (" ".join(pairs), sign * prod((at[name] for name in pairs), start=Fraction(1))) for sign, pairs in terms
        )
        yield Evaluated(equation, total, elsewhere, products=products)
    elif "rows" in evidence and "columns" in evidence:
        cells = tuple(tuple(f"cov({a},{b})" for b in evidence["columns"]) for a in evidence["rows"])
        yield square(equation, cells, at, off)


def table_of(gmap: GaussianMap, values: Sequence[Fraction]) -> dict[str, Fraction]:
    """Values by name; covariances under both orders of their variables."""
    pairs = combinations_with_replacement([variable.name for variable in gmap.model.observed], 2)
    turned = {f"cov({other},{one})": value for (one, other), value in zip(pairs, values, strict=False)}
    return turned | dict(zip(gmap.coordinates(), values, strict=True))


EQUATIONS = constraints_of
EVALUATING = sum_of
