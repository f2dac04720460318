"""What the page shows of a Gaussian model: its structural equations, and covariance matrices of low rank as sums."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

from algdim.bound.bounds import Bound
from algdim.display.mathml import format_variable_latex
from algdim.errors import InputError
from algdim.families.contract import COVARIANCE, CoordinateRecord, GridSum, OnGraph
from algdim.families.gaussian.map import GaussianMap
from algdim.families.gaussian.model import Gaussian, Terms
from algdim.figures import format_count

MOST_EQUATIONS = 12


def write_structural_equations(model: Gaussian) -> Iterator[str]:
    r"""The equations of the variables, and what follows for the covariances and means.

    >>> from algdim.models.notation import parse
    >>> print(*write_structural_equations(parse("gaussian: A -> B; means off")), sep="\n")
    A = \varepsilon_{A},\quad B = b_{A\to B}\,A + \varepsilon_{B}
    \Sigma = \mathrm{cov}(X) = (I - B)^{-1}\,\Omega\,(I - B)^{-\top},\quad \Omega = \mathrm{cov}(\varepsilon)
    """
    names = {variable.name: format_variable_latex(variable.name) for variable in model.variables}
    known = {entry: str(value) for entry, value in model.fixed} | {
        entry: format_variable_latex(name) for entry, name in model.equal
    }
    known |= {entry: f"({write_sum(terms, names)})" for entry, terms in model.linear}
    lines = []
    for variable in model.variables[:MOST_EQUATIONS]:
        name = names[variable.name]
        mean = known.get(("m", variable.name), f"m_{{{name}}}") if model.means else "0"
        terms = [mean] if mean != "0" else []
        for parent, child in model.edges:
            if child == variable.name:
                value = known.get(("b", parent, child), rf"b_{{{names[parent]}\to {name}}}")
                terms += [] if value == "0" else [names[parent] if value == "1" else rf"{value}\,{names[parent]}"]
        lines.append(f"{name} = {' + '.join([*terms, rf'{chr(92)}varepsilon_{{{name}}}'])}")
    for start in range(0, len(lines), 2):
        yield r",\quad ".join(lines[start : start + 2])
    if len(model.variables) > MOST_EQUATIONS:
        yield r"\ldots"
    seen = (
        r"\Sigma = \mathrm{cov}(X)"
        if not model.hidden
        else r"\Sigma = \left[\,\mathrm{cov}(X)\,\right]_{\text{observed}}"
    )
    if model.hidden:
        yield rf"\mathrm{{cov}}(X) = (I - B)^{{-1}}\,\Omega\,(I - B)^{{-\top}},\quad \Omega = \mathrm{{cov}}(\varepsilon),\quad {seen}"
    else:
        yield rf"{seen} = (I - B)^{{-1}}\,\Omega\,(I - B)^{{-\top}},\quad \Omega = \mathrm{{cov}}(\varepsilon)"
    if model.means:
        yield r"\mu = (I - B)^{-1}\,m"


def write_sum(terms: Terms, names: Mapping[str, str]) -> str:
    """What an entry is linear in, in LaTeX."""
    texts = []
    for entry, value in terms:
        one = rf"{entry[0]}_{{{ARROWS.get(entry[0], '').join(names[name] for name in entry[1:])}}}" if entry else ""
        texts.append(f"{'-' if value < 0 else '+'}{'' if entry and abs(value) == 1 else abs(value)}{one}")
    return "".join(texts).removeprefix("+") or "0"


ARROWS = {"b": r"\to ", "c": r"\leftrightarrow "}

MOST_GRIDS = 2


def picture_minors(gmap: GaussianMap, point: Sequence[Fraction], bound: Bound) -> Iterator[GridSum | OnGraph]:
    """Covariance matrices of low rank, each as a sum of matrices of rank one: a column times a row each."""
    from algdim.explanation.samplepoint import compute_coordinate_values

    minors = bound.evidence.get("minors", ())
    if not minors or not len(point):
        return
    values = dict(zip(gmap.coordinate_records(), compute_coordinate_values(gmap, point), strict=True))
    for one in minors[:MOST_GRIDS]:
        rows, columns = one["rows"], one["columns"]
        pairs = [[((row, column), (column, row)) for column in columns] for row in rows]
        places = [
            [[record for names in pair if (record := CoordinateRecord(COVARIANCE, names)) in values] for pair in row]
            for row in pairs
        ]
        if not all(found for row in places for found in row):  # of variables that the map leaves out
            continue
        whole = [[values[found[0]] for found in row] for row in places]
        through = " or ".join([*one["left"], *one["right"]])
        parts = split_into_rank_one(whole)
        if len(parts) > one["rank"]:
            continue
        text = (
            f"cov({','.join(rows)}; {','.join(columns)}) has rank {len(parts)}: every trek from one side to the other passes through "
            f"{through or 'nothing'}, so at most {format_count(one['rank'], 'trek')} can join the two sides without meeting."
        )
        yield GridSum(
            f"cov({','.join(rows)}; {','.join(columns)})",
            whole,
            [(f"rank one, {n}", part) for n, part in enumerate(parts, 1)],
            text,
        )


def split_into_rank_one(matrix: Sequence[Sequence[Fraction]]) -> list[list[list[Fraction]]]:
    """A matrix as a sum of as many matrices of rank one as its rank: by elimination, in fractions.

    >>> parts = split_into_rank_one([[Fraction(1), Fraction(2)], [Fraction(2), Fraction(4)]])
    >>> len(parts), [[int(value) for value in row] for row in parts[0]]
    (1, [[1, 2], [2, 4]])
    """
    rest, found = [list(row) for row in matrix], []
    for _ in range(min(len(matrix), len(matrix[0]))):
        place = next(((i, j) for i, row in enumerate(rest) for j, value in enumerate(row) if value), None)
        if place is None:
            break
        i, j = place
        part = [[rest[k][j] * rest[i][l] / rest[i][j] for l in range(len(rest[0]))] for k in range(len(rest))]
        rest = [[a - b for a, b in zip(x, y, strict=True)] for x, y in zip(rest, part, strict=True)]
        found.append(part)
    return found


def vary_gaussian(model: Gaussian) -> Iterator[tuple[str, Gaussian]]:
    """Changes that make good exercises: a loading that is known, a variable that is not observed, correlated errors.

    >>> from algdim.models.notation import parse
    >>> [question for question, _ in vary_gaussian(parse("gaussian: F -> X, Y; hidden F"))]
    ['What happens if b(F->X) is fixed to 1?', 'What happens if the errors of X and Y are correlated?']
    """
    hidden = {variable.name for variable in model.hidden}
    free = [
        (one, other)
        for one, other in model.edges
        if ("b", one, other) not in {entry for entry, _ in (*model.fixed, *model.equal, *model.linear)}
    ]
    for one, other in [pair for pair in free if pair[0] in hidden][:1]:
        question = f"What happens if b({one}->{other}) is fixed to 1?"
        yield from ask(question, model, fixed=(*model.fixed, (("b", one, other), Fraction(1))))
    observed = [variable.name for variable in model.observed]
    if len(observed) > 2 and not model.groups:
        name = observed[-1]
        variables = tuple(replace(one, observed=False) if one.name == name else one for one in model.variables)
        yield from ask(f"What happens if {name} is not observed?", model, variables=variables)
    joined = {frozenset(pair) for pair in model.bidirected}
    for one, other in pairwise(observed):
        if frozenset((one, other)) not in joined and not model.groups:
            question = f"What happens if the errors of {one} and {other} are correlated?"
            yield from ask(question, model, bidirected=(*model.bidirected, (one, other)))
            break


def ask(question: str, model: Gaussian, **changes: Any) -> Iterator[tuple[str, Gaussian]]:
    """A question about a change, unless there is no such model: errors of variance 0 have no covariance."""
    try:
        changed = replace(model, **changes)
    except InputError:
        return
    yield question, changed
