"""Build the sections of `explain`, one function each, independent of the output format."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from algdim.display.blocks import (
    Block,
    FormulaBlock,
    Listing,
    MatrixBlock,
    Paragraph,
    Picture,
    Section,
    TableBlock,
)
from algdim.errors import AlgdimError
from algdim.explanation.constraints import Constraint, Evaluated
from algdim.explanation.equivalentparameters import DIGITS, Fibre
from algdim.explanation.printing import (
    PrintedCoordinates,
    choose_signs,
    format_coordinate_latex,
    format_expression,
    format_expression_latex,
)
from algdim.explanation.samplepoint import Standing
from algdim.families import load_explaining
from algdim.figures import cut_text, format_count, format_integer, format_plural_count
from algdim.models.anymodel import AnyModel
from algdim.models.notation import to_text
from algdim.plots.dimensions import draw_derivation
from algdim.plots.heatmap import draw_heatmap
from algdim.plots.networkdrawing import describe_network_signs, draw_network, format_network_lines, write_network_tikz
from algdim.report import Report

MOST_COLUMNS, MOST_LINES = 16, 18
"""Of a matrix that is shown."""
MOST_DERIVATIVES = 10
MOST_LENGTH = 400
"""A longer expression is cut."""
MOST_NAMED = 30
MOST_CHECKED = 5

RANK_PROVES = (
    "the rank of the Jacobian at one point, computed exactly or modulo a prime, is never more than the dimension, because a minor "
    "that is not zero there is not the zero function; so it is a lower bound, and at almost every point it is "
)
RANK_DOES_NOT = (
    "that no other point has a greater rank. Points with a smaller rank form a set of measure zero, so a random point is almost "
    "surely good; but “almost surely” is no proof, and a special point, e.g. one where the items are independent of the class, can "
    "have a smaller rank. A proof that the dimension is not greater needs a reason of another kind, an upper bound."
)


def describe_model(report: Report) -> Section:
    """The network, drawn."""
    blocks: list[Block] = [Paragraph(f"The model: {cut_text(to_text(report.model), MOST_LENGTH)}")]
    try:
        drawn = Picture(
            draw_network(report.model),
            tuple(format_network_lines(report.model)),
            describe_network_signs(report.model),
            write_network_tikz(report.model),
        )
        blocks.append(drawn)
    except AlgdimError as error:
        blocks.append(Paragraph(f"Not drawn: {error}."))
    return Section("The model", tuple(blocks), "model")


def describe_parameters(report: Report, shares: Sequence[Any]) -> Section:
    """The parameters, counted."""
    rows = tuple((share.owner, format_integer(share.count), share.what) for share in shares)
    total = Paragraph(f"{format_count(report.standard, 'free parameter')}.")
    return Section("The parameters", (total, TableBlock(("of", "count", ""), rows)) if rows else (total,), "parameters")


def describe_map(count: int, what: str, printed: PrintedCoordinates | None, refusal: str) -> Section:
    """The map: the first coordinates."""
    lead = Paragraph(f"From the parameters to {format_plural_count(count, what)}:")
    if printed is None:
        return Section("The map", (lead, Paragraph(f"not shown: {refusal}")), "map")
    texts, signs = printed.blocks(), choose_signs(printed.pmap.parameters, printed.pmap.records)
    lines = tuple(
        (text, rf"{format_coordinate_latex(one)} &= {cut_latex(expression, signs)}")
        for text, one, expression in zip(texts, printed.records, printed.expressions, strict=True)
    )
    rest = count - len(printed.coordinates)
    more = (Paragraph(f"… and {format_integer(rest)} more"),) if rest else ()
    return Section("The map", (lead, FormulaBlock(lines), *more), "map")


def cut_latex(expression: Any, signs: Mapping[str, str]) -> str:
    """An expression in LaTeX, unless it is too long."""
    found = format_expression_latex(expression, signs)
    return found if len(found) <= 6 * MOST_LENGTH else r"\cdots"


def describe_jacobian(
    report: Report, parameters: Sequence[str], printed: PrintedCoordinates | None, standing: Standing | None
) -> Section:
    """The derivatives of one coordinate, and where the whole matrix is not zero."""
    blocks: list[Block] = []
    if printed is not None:
        blocks.append(
            Paragraph("One row for each coordinate, one column for each parameter. The first row that is not zero:")
        )
        blocks.append(FormulaBlock(tuple(iterate_derivatives(printed, parameters))))
    if standing is not None:
        try:
            picture = draw_standing_jacobian(standing)
            lines = format_sparsity(standing)
            caption = "Entries at the point below: positive ones orange, negative ones blue, large ones dark; a triangle marks a column without pivot (in text: # in the minor that shows the rank)."
            blocks.append(Picture(picture, tuple(lines), caption))
        except AlgdimError as error:
            blocks.append(Paragraph(f"Not drawn: {error}."))
    if not blocks:
        blocks.append(Paragraph(f"A matrix with {format_integer(report.standard)} columns, which is not shown."))
    return Section("The Jacobian", tuple(blocks), "jacobian")


def draw_standing_jacobian(standing: Standing) -> str:
    """The Jacobian at a point as a heat map, with its coordinates by name."""
    owners = [record.owner for record in standing.pmap.records]
    pivots = [column for _, column in standing.reduced.pivots]
    return draw_heatmap(standing.jacobian, standing.pmap.coordinates(), owners, pivots)


def iterate_derivatives(printed: PrintedCoordinates, parameters: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The derivatives of the first coordinate that has any, those that are not zero."""
    from sympy import Symbol, diff

    for one, expression in zip(printed.records, printed.expressions, strict=True):  # noqa: B007 (used below)
        symbols = {str(symbol) for symbol in expression.free_symbols}
        used = [parameter for parameter in parameters if parameter in symbols]
        if used:
            break
    else:
        return
    signs = choose_signs(parameters, printed.pmap.records)
    for parameter in used[:MOST_DERIVATIVES]:
        value = diff(expression, Symbol(parameter))
        text = format_expression(value)
        text = text if len(text) <= MOST_LENGTH else f"{text[:MOST_LENGTH]} …"
        below = rf"\partial {signs[parameter]}"
        yield (
            f"∂ {one} / ∂ {parameter} = {text}",
            rf"\frac{{\partial {format_coordinate_latex(one)}}}{{{below}}} &= {cut_latex(value, signs)}",
        )
    if len(used) > MOST_DERIVATIVES:
        yield f"… and {len(used) - MOST_DERIVATIVES} more", r"&\cdots"


def format_sparsity(standing: Standing) -> Iterator[str]:
    """The pattern in text: # in the minor, + elsewhere, a dot for zero."""
    rank = standing.reduced.rank
    rows, columns = set(rank.rows), set(rank.columns)
    for i, row in enumerate(standing.jacobian[: 2 * MOST_LINES]):
        signs = ["·" if value == 0 else "#" if i in rows and j in columns else "+" for j, value in enumerate(row)]
        yield " ".join(signs[: 4 * MOST_COLUMNS])


def describe_point(standing: Standing | None, refusal: str) -> Section:
    """A random point, with all its numbers."""
    if standing is None:
        return Section("A random point", (Paragraph(f"Not shown: {refusal}."),), "point")
    names = standing.pmap.parameters
    shown = list(zip(names, standing.point, strict=True))[: 2 * MOST_NAMED]
    rows = tuple((name, str(value)) for name, value in shown)
    blocks: list[Block] = [
        Paragraph(f"Point {standing.label}…, each parameter a random number of thousandths (GHM96 §5):"),
        TableBlock(("parameter", "value"), rows),
    ]
    if len(names) > len(shown):
        blocks.append(Paragraph(f"… and {len(names) - len(shown)} more"))
    if not standing.inside:
        blocks.append(
            Paragraph(
                "No distribution has these parameters: a probability is negative, or a matrix of covariances not positive definite. "
                "For a rank that does not matter."
            )
        )
    return Section("A random point", tuple(blocks), "point")


def describe_reduced_matrix(standing: Standing | None) -> Section | None:
    """The matrix as RowReduce shows it."""
    if standing is None:
        return None
    names, reduced = standing.pmap.parameters, standing.reduced
    size = f"{len(reduced.matrix)} × {len(names)}"
    shown = render_matrix(standing)
    long = sum(format_entry(value) != str(value) for row in reduced.matrix[:MOST_LINES] for value in row[:MOST_COLUMNS])
    rounded = (
        f"{format_count(long, 'long fraction')} {'is' if long == 1 else 'are'} rounded here; `algdim rowreduce --show` prints fractions in full. "
        if long
        else ""
    )
    text = (
        f"The Jacobian at this point in reduced row echelon form, computed exactly, as by Mathematica's RowReduce ({size}). "
        f"{rounded}The pivots are the leading ones; there are {standing.rank}, so the rank is {standing.rank}."
    )
    pivots = ", ".join(names[column] for _, column in reduced.pivots[:MOST_NAMED])
    return Section(
        "The matrix reduced",
        (Paragraph(text), shown, Paragraph(f"Pivots at {pivots}.")),
        "reduced",
    )


def render_matrix(standing: Standing) -> MatrixBlock:
    """The reduced matrix, its last rows and columns left out if it is large; long fractions are rounded."""
    names, reduced = standing.pmap.parameters, standing.reduced
    height, width = min(len(reduced.matrix), MOST_LINES), min(len(names), MOST_COLUMNS)
    rows = [[format_entry(value) for value in row[:width]] for row in reduced.matrix[:height]]
    columns = list(names[:width])
    if width < len(names):
        rows = [[*row, "…"] for row in rows]
        columns.append("…")
    if height < len(reduced.matrix):
        rows.append(["…"] * len(columns))
    marks = frozenset((i, j) for i, j in reduced.pivots if i < height and j < width)
    return MatrixBlock(tuple(map(tuple, rows)), tuple(columns), marks)


def format_entry(value: Any) -> str:
    """A fraction if it is short, otherwise six significant digits.

    >>> format_entry(Fraction(2, 3)), format_entry(Fraction(123456789, 987654321))
    ('2/3', '0.125')
    """
    text = str(value)
    return (
        text
        if len(text) <= 11
        else f"{float(Fraction(int(value.p), int(value.q)) if hasattr(value, 'p') else value):.6g}"
    )


def explain_rank(report: Report, standing: Standing | None, seen: str) -> Section:
    """What a rank at a point proves, and what it does not."""
    here = ""
    if standing is not None:
        here = f"Here: the minor of the {standing.rank} pivot columns is not zero at the point, so the dimension is at least {standing.rank}. "
        if standing.rank < report.dimension:
            here += f"(This point happens to be special: elsewhere the rank is {report.dimension}.) "
    return Section(
        "What a rank at a point proves, and what it does not",
        (
            Paragraph(f"{here}What a rank proves: {RANK_PROVES}{describe_generic_rank(report, seen)}"),
            Paragraph(f"What it does not prove: {RANK_DOES_NOT}"),
        ),
        "proves",
    )


def describe_generic_rank(report: Report, seen: str) -> str:
    """What the rank is at almost every point; of moments or cumulants up to an order it is their dimension, which may be less."""
    if report.moments is None or report.exact:
        return "the dimension (GHM96 Theorem 1)."
    return f"the dimension of the {seen} alone (GHM96 Theorem 1). The distributions may have a greater one."


def describe_bounds(report: Report) -> Section:
    """Both bounds and the tree of reasons."""
    blocks: list[Block] = []
    lines = tuple(report.derivation.lines())
    if report.exact:
        verdict = f"Both bounds are proved and meet: the dimension is {report.dimension}, a theorem ({report.trust.lemmas_in_words})."
    else:
        verdict = f"The dimension is {report.dimension} ({report.trust})."
    try:
        caption = "Blue: what proves it from below. Orange: what proves it from above."
        blocks.append(Picture(draw_derivation(report), lines, caption))
    except AlgdimError:
        blocks += [Listing(lines)]
    blocks.append(Paragraph(verdict))
    return Section("The bounds", tuple(blocks), "bounds")


def describe_equations(evaluated: Sequence[Evaluated], found: Sequence[Constraint], reason: str) -> Section:
    """The equations that hold, written out and evaluated."""
    blocks: list[Block] = []
    for one in evaluated:
        equation = one.equation
        because = f" ({equation.because})" if equation.because else ""
        blocks.append(FormulaBlock(((f"{equation.text}{because}", equation.latex.replace("= 0", "&= 0", 1)),)))
        if one.names and one is evaluated[0]:
            blocks.append(Paragraph(f"So this determinant with {len(one.names)} rows is zero on the model:"))
            blocks.append(MatrixBlock(one.names))
            blocks.append(Paragraph("At the point above its entries are"))
            blocks.append(MatrixBlock(tuple(tuple(format_decimal(value) for value in row) for row in one.numbers)))
        elif one.products:
            terms = " + ".join(f"({format_fraction(value)})" for _, value in one.products)
            blocks.append(Paragraph(f"At the point above: {terms} = {one.value}."))
        blocks.append(
            Paragraph(
                f"Its value there, computed with fractions: {format_fraction(one.value)}. At an arbitrary point outside the model "
                f"(1/2, 1/3, 1/5, 1/7, … in place of the coordinates) it is {format_decimal(one.elsewhere)}{', not zero' if one.elsewhere else ''}."
            )
        )
    shown = [each.equation.text for each in evaluated]
    others = [one.text for one in found if one.text not in shown]
    if others:
        blocks.append(Paragraph("Others that hold:" if evaluated else "These hold:"))
        blocks.append(Listing(tuple(others[:MOST_NAMED])))
    blocks.append(Paragraph(f"{reason[0].upper()}{reason[1:]}." if reason else "No equations are known."))
    return Section("The equations that hold", tuple(blocks), "equations")


def format_fraction(value: Fraction) -> str:
    """A fraction, rounded if it is long."""
    text = str(value)
    return text if len(text) <= 40 else f"{format_decimal(value)} (rounded)"


def format_decimal(value: Fraction) -> str:
    """Twelve decimals, or twelve significant digits of a small number.

    >>> format_decimal(Fraction(1, 3)), format_decimal(Fraction(1, 3 * 10**9))
    ('0.333333333333', '3.33333333333e-10')
    """
    if value and abs(value) < Fraction(1, 10**3):
        return f"{float(value):.12g}"
    scaled = round(abs(value) * 10**DIGITS)
    return f"{'-' if value < 0 else ''}{scaled // 10**DIGITS}.{scaled % 10**DIGITS:0{DIGITS}d}"


def describe_redundancy(
    report: Report, sentence: str, standing: Standing | None, fibre: Fibre | None
) -> Section | None:
    """Which parameters are redundant, and different parameters with the same distribution."""
    if not sentence:
        return None
    blocks: list[Block] = [Paragraph(f"Redundant: {sentence}")]
    if standing is not None:
        blocks += [Paragraph(text) for text in describe_moving_parameters(report, standing)]
    if standing is not None and fibre is not None:
        blocks += render_parameter_family(standing, fibre, describe_shared_coordinates(report, standing))
    elif standing is not None:
        why = "none was found"
        if not standing.values:
            why = "the coordinates are logarithms, no fractions"
        elif not standing.inside:
            why = "no distribution has the parameters above"
        blocks.append(Paragraph(f"No family of such parameters is shown: {why}."))
    return Section(
        f"Redundant parameters, and different parameters with the same {describe_shared_coordinates(report, standing)}",
        tuple(blocks),
        "redundant",
    )


def describe_subject(model: AnyModel) -> str:
    """What the model is a model of.

    >>> from algdim.models.notation import parse
    >>> describe_subject(parse("classifier Y: Y -> X")), describe_subject(parse("A -> B; given A"))
    ('distribution of Y given the inputs', 'distribution given A')
    """
    what = load_explaining(model.family).describe_subject
    return "distribution" if what is None else what(model)


def describe_shared_coordinates(report: Report, standing: Standing | None) -> str:
    """What parameters with the same coordinates have in common: moments, or cumulants of a mixture, are no distribution."""
    pmap = None if standing is None else standing.pmap
    shows_all = load_explaining(report.model.family).shows_all
    finitely_many = pmap is not None and shows_all is not None and not shows_all(pmap)
    return pmap.coordinates_are if pmap is not None and finitely_many else describe_subject(report.model)


def describe_moving_parameters(report: Report, standing: Standing) -> Iterator[str]:
    """Which parameters move within the set of those with the same distribution."""
    if standing.rank != report.dimension:
        return
    names, kernel = standing.pmap.parameters, standing.kernel()
    free = [
        name for number, name in enumerate(names) if number not in {column for _, column in standing.reduced.pivots}
    ]
    moving = {number for vector in kernel for number, value in enumerate(vector) if value}
    still = [name for number, name in enumerate(names) if number not in moving]
    same = describe_shared_coordinates(report, standing)
    several = not same.startswith("distribution")
    which = (
        f"The column without a pivot is that of {free[0]}: near the point it"
        if len(free) == 1
        else f"The columns without a pivot are those of {format_names(free)}: near the point these"
    )
    yield (
        f"{which} can be held fixed, and what remains has "
        f"{'the same ' if report.exact else ''}{format_count(report.dimension, 'dimension')} and no redundant parameter."
    )
    if still:
        yield f"No direction of the kernel moves {format_names(still)}: to first order the {same} {'determine' if several else 'determines'} {'them' if len(still) > 1 else 'it'}. All others move."
    else:
        yield f"Every parameter moves along {'the direction' if len(kernel) == 1 else 'the directions'} of the kernel: the {same} {'determine' if several else 'determines'} none of them by itself."


def format_names(names: Sequence[str]) -> str:
    """Names, the last ones left out if there are many."""
    rest = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (f" and {rest} more" if rest > 0 else "")


def render_parameter_family(standing: Standing, fibre: Fibre, same: str) -> Iterator[Block]:
    """The family in numbers, and the check."""
    how = "exactly" if fibre.exact else f"to {DIGITS} digits"
    yield Paragraph(f"A family of different parameters with the same {same}, {how}, along {fibre.along}:")
    names, coordinates = standing.pmap.parameters, standing.pmap.coordinates()
    write = str if fibre.exact else format_decimal
    changed = fibre.find_changing()
    rows = [(names[j], *(write(point[j]) for point in fibre.points)) for j in changed[:MOST_NAMED]]
    yield TableBlock(("parameter", *(f"t = {step}" for step in fibre.steps)), tuple(rows))
    left = len(names) - len(changed)
    if len(changed) > len(rows):
        yield Paragraph(f"… and {len(changed) - len(rows)} more that change")
    if left:
        rest = (
            f"other {format_count(left, 'parameter')} keep their values"
            if left > 1
            else "other parameter keeps its value"
        )
        yield Paragraph(f"The {rest} of the random point above.")
    values = standing.values
    checked = list(range(min(MOST_CHECKED, len(values))))
    shown = tuple(
        (coordinates[i], format_fraction(values[i]) if fibre.exact else format_decimal(values[i])) for i in checked
    )
    if fibre.exact:
        yield Paragraph(
            f"All {format_integer(len(values))} {standing.pmap.coordinates_are} are the same fractions at each of these points, among them"
        )
    else:
        off = f"differ by at most {float(fibre.difference):.1e}" if fibre.difference else "are exactly the same"
        yield Paragraph(
            f"With the parameters rounded as they stand here, the {format_integer(len(values))} {standing.pmap.coordinates_are} {off}; among them"
        )
    yield TableBlock(("coordinate", "value"), shown)
