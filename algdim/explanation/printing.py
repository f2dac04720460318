"""The map and its Jacobian as mathematics: sympy expressions with readable names, for terminal, LaTeX and notebook."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from algdim.errors import LimitError
from algdim.exact.arithmetic import Objects
from algdim.figures import big
from algdim.jacobian import jacobian_at, values_at
from algdim.maps.factors import ParamMap, check_terms
from algdim.maps.functionals import all_cells

MOST_ENTRIES = 20_000
MOST_TERMS = 1 << 12


@dataclass(frozen=True, slots=True, eq=False)
class PrintedMap:
    """A map written out: names of parameters and coordinates, one expression per coordinate, and the Jacobian."""

    parameters: tuple[str, ...]
    coordinates: tuple[str, ...]
    expressions: tuple[Any, ...]
    jacobian: tuple[tuple[Any, ...], ...]

    def __str__(self) -> str:
        """One coordinate per line."""
        return "\n".join(
            f"{name} = {plain(value)}" for name, value in zip(self.coordinates, self.expressions, strict=True)
        )

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
        rows = [
            rf"{name_latex(name)} &= {self._latex(value)}"
            for name, value in zip(self.coordinates, self.expressions, strict=True)
        ]
        return "\\begin{aligned}\n" + " \\\\\n".join(rows) + "\n\\end{aligned}"

    def jacobian_latex(self) -> str:
        """The Jacobian as a matrix; rows are coordinates, columns parameters."""
        rows = [" & ".join(self._latex(value) for value in row) for row in self.jacobian]
        return "\\begin{pmatrix}\n" + " \\\\\n".join(rows) + "\n\\end{pmatrix}"

    def _repr_latex_(self) -> str:
        """The map in a notebook."""
        return f"$$\n{self.latex()}\n$$"

    def _latex(self, value: Any) -> str:
        from sympy import Symbol, latex

        return str(latex(value, symbol_names={Symbol(name): name_latex(name) for name in self.parameters}))


def printed_map(pmap: ParamMap) -> PrintedMap:
    """Write a small map and its Jacobian out.

    >>> from algdim.maps.factors import param_map
    >>> from algdim.models.notation import parse
    >>> print(printed_map(param_map(parse("H -> X; hidden H"))))
    P(X=0) = P(H=0)·P(X=0|H=0) + P(X=0|H=1)·(1 - P(H=0))
    P(X=1) = P(H=0)·(1 - P(X=0|H=0)) + (1 - P(H=0))·(1 - P(X=0|H=1))
    """
    from sympy import Rational, Symbol

    entries = pmap.cells * max(1, len(pmap.parameters))
    if entries > MOST_ENTRIES:
        raise LimitError(
            f"the Jacobian has {big(pmap.cells)} × {len(pmap.parameters)} entries; at most {MOST_ENTRIES} are written out; take a smaller model"
        )
    check_terms(pmap, MOST_TERMS)
    arithmetic = Objects(convert=lambda value: Rational(value.numerator, value.denominator))
    point = np.empty(len(pmap.parameters), dtype=object)
    point[:] = [Symbol(name) for name in pmap.parameters]
    cells = all_cells(pmap)
    return PrintedMap(
        parameters=pmap.parameters,
        coordinates=tuple(pmap.coordinates()),
        expressions=tuple(values_at(pmap, arithmetic, point, cells)),
        jacobian=tuple(tuple(row) for row in jacobian_at(pmap, arithmetic, point, cells)),
    )


def plain(value: Any) -> str:
    """A sympy expression as text, with · for products and ^ for powers."""
    return str(value).replace("**", "^").replace("*", "·")


def name_latex(name: str) -> str:
    r"""A parameter's or coordinate's name in LaTeX.

    >>> name_latex("P(X12=0|H=1)")
    'P(X_{12}=0\\mid H=1)'
    """
    numbered = re.sub(r"([A-Za-z])(\d+)(?==)", r"\1_{\2}", name)
    return re.sub(r"_(?!{)", r"\_", numbered).replace("|", r"\mid ")


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
