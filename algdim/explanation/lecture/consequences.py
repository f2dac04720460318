"""The last step: what follows for a study, the sentence for a paper, and exercises with computed answers."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from itertools import islice
from math import log

from algdim.display.blocks import TableBlock
from algdim.display.html import render_block
from algdim.errors import AlgdimError
from algdim.explanation.chosen import ShownPart
from algdim.explanation.lecture.lower import find_special_points, name_matrix
from algdim.explanation.lecture.page import LectureStep, keep_arrows, write_folded, write_paragraph
from algdim.explanation.samplepoint import Standing, evaluate_at_point
from algdim.families import load_explaining, load_family
from algdim.figures import cut_text, format_count, format_integer
from algdim.limits import sharpen
from algdim.models.notation import to_text
from algdim.report import Report, dimension

CASES = (100, 1000, 10_000)
EXERCISES, LINE = 3, "\n"
MOST_WRITTEN = 80
"""Letters of a changed model in the notation."""
MOST_PARAMETERS = 150
"""Of a changed model whose dimension is computed for an exercise."""


def make_consequences(report: Report, standing: Standing | None, part: ShownPart | None = None) -> LectureStep:
    """The step."""
    sentence = write_sentence(report)
    rows = [
        (
            format_integer(cases),
            f"{report.standard * log(cases) / 2:.1f}",
            f"{report.dimension * log(cases) / 2:.1f}",
            f"{(report.standard - report.dimension) * log(cases) / 2:.1f}",
        )
        for cases in CASES
    ]
    table = TableBlock(("cases n", "½ · parameters · log n", "½ · dimension · log n", "difference"), tuple(rows))
    exercises = [
        f"<li><p>{escape(question)}</p>\n{write_folded('Answer', [write_paragraph(answer)])}</li>"
        for question, answer in find_exercises(report, standing, part)
    ]
    return LectureStep(
        "consequences",
        "So what?",
        tuple(
            part
            for part in (
                *(write_paragraph(text) for text in explain_consequences(report, standing)),
                '<div class="pair"><div>',
                "<h3>The penalty of BIC</h3>",
                render_block(table),
                write_paragraph(explain_penalty(report), "small"),
                "</div><div>",
                "<h3>For a paper</h3>",
                f'<blockquote id="sentence">{keep_arrows(escape(sentence))}</blockquote><p><button type="button" id="copy" hidden>Copy the sentence</button></p>',
                "</div></div>",
                f"<h3>Exercises</h3>\n<ol>{LINE.join(exercises)}</ol>" if exercises else "",
            )
            if part
        ),
    )


def explain_consequences(report: Report, standing: Standing | None) -> list[str]:
    """The degrees of freedom and what may be concluded from estimates."""
    texts = []
    if report.df is not None and report.df_by_counting is not None:
        counted = format_integer(report.df_by_counting).replace("-", "−")
        if report.df == report.df_by_counting:
            texts.append(f"Degrees of freedom: {format_integer(report.df)}, as counting parameters says, too.")
        else:
            texts.append(
                f"Degrees of freedom: {format_integer(report.df)}, not {counted}, which counting parameters gives. "
                "A test with the wrong number has the wrong p value."
            )
    if report.redundant and report.upper.value > report.dimension:
        texts.append(
            f"Whether the estimates are unique is not known: {format_count(report.redundant, 'parameter')} at most may be redundant."
        )
    elif report.redundant:
        texts.append(
            f"The estimates are not unique: other parameter values fit equally well. Fix {format_count(report.redundant, 'parameter')}"
            f"{'' if standing is None else ' (such as the one in green in the reduced matrix)' if report.redundant == 1 else ' (such as those in green in the reduced matrix)'}, or report what the distribution does determine."
        )
    return texts


def explain_penalty(report: Report) -> str:
    """Which of the columns belongs in BIC."""
    if report.upper.value > report.dimension:
        return (
            "The dimension belongs in the penalty at regular points; it is not known, and the columns are its bounds."
        )
    if report.redundant:
        return (
            "At regular points the penalty is half the dimension times log n; with the number of parameters it is too large. "
            "At singular points it can be smaller still."
        )
    return "The number of parameters is the dimension, so the usual penalty is the right one at regular points."


def write_sentence(report: Report) -> str:
    """What a paper can say.

    >>> print(write_sentence(dimension("3:2,2,2,2")))
    The latent class model with 3 classes and 4 items (3:2,2,2,2) has 14 parameters and effective dimension 13 (proved; algdim), hence 2 degrees of freedom rather than the 1 of parameter counting; not all parameters are identified.
    """
    what, text = load_family(report.model.family).describe(report.model), cut_text(to_text(report.model), 80)
    kind, _, numbers = what.partition(": ")
    named = f"{kind} with {' and '.join(numbers.rsplit(', ', 1))}" if numbers else (what or "model")
    start = f"The {named} ({text}) has {format_count(report.standard, 'parameter')} and effective dimension {report.dimension} ({report.trust}; algdim)"
    if report.upper.value != report.dimension:
        start = start.replace("effective dimension", "effective dimension at least")
    freedom = ""
    if report.df is not None and report.df_by_counting is not None:
        freedom = f", hence {format_count(report.df, 'degree')} of freedom"
        if report.df != report.df_by_counting:
            freedom += (
                f" rather than the {format_integer(report.df_by_counting).replace('-', '−')} of parameter counting"
            )
    identified = (
        "; not all parameters are identified" if report.redundant and report.upper.value < report.standard else ""
    )
    return f"{start}{freedom}{identified}."


def find_exercises(
    report: Report, standing: Standing | None, part: ShownPart | None = None
) -> Iterator[tuple[str, str]]:
    """Three questions with their answers: first about changes of the model, then about counts and the point of the page."""
    yield from islice(iterate_exercises(report, standing, part), EXERCISES)


def iterate_exercises(report: Report, standing: Standing | None, part: ShownPart | None) -> Iterator[tuple[str, str]]:
    """All that there are, each computed when it is asked for."""
    vary = load_explaining(report.model.family).vary
    if vary is not None and report.standard <= MOST_PARAMETERS:
        changes = vary(report.model)
        for _ in range(EXERCISES):
            found = sharpen("an exercise", lambda: next(changes, None))
            if found is None:
                break
            question, model = found
            try:
                other = sharpen("an exercise", lambda model=model: dimension(model, seed=report.seed))  # type: ignore[misc]
            except AlgdimError:
                continue
            if other is not None:
                yield question, answer_with_dimension(other)
    yield from ask_about_counts(report)
    if standing is not None:
        yield from ask_about_points(report, standing, name_matrix(standing))
    elif part is not None:
        yield from ask_about_points(part.report, part.standing, f"the Jacobian of {part.name}")


def answer_with_dimension(other: Report) -> str:
    """The numbers of another model."""
    df = "" if other.df is None else f", {format_count(other.df, 'degree')} of freedom"
    redundant = f"; {format_integer(other.redundant)} redundant" if other.redundant else "; nothing is redundant"
    text = to_text(other.model)
    written = f" In the notation: {text}" if len(text) <= MOST_WRITTEN else ""
    return f"{format_count(other.standard, 'parameter')}, dimension {other.dimension} ({other.trust}){df}{redundant}.{written}"


def ask_about_points(report: Report, standing: Standing, matrix: str) -> Iterator[tuple[str, str]]:
    """Where the rank is smaller, and what fixing one parameter does."""
    pivots = {column for _, column in standing.reduced.pivots}
    free = [name for number, name in enumerate(standing.pmap.parameters) if number not in pivots]
    if free and standing.rank == report.dimension:
        yield (
            f"What happens to the rank of {matrix} at the point of this page if {free[-1]} is known, and its column left out?",
            (
                f"It stays {standing.rank}: the column of {free[-1]} has no pivot, so it depends on the others. "
                f"{format_count(len(free) - 1, 'redundant parameter')} {'is' if len(free) == 2 else 'are'} left."
            ),
        )
    for name, (point, rank) in find_special_points(standing).items():
        yield (
            f"What is the rank of {matrix} where “{name}” holds?",
            f"{rank}, computed in fractions: so the dimension is at least {rank}, which says little.",
        )
        half = [(a + b) / 2 for a, b in zip(point, standing.point, strict=True)]
        try:
            between = evaluate_at_point(standing.pmap, half, "").rank
        except (AlgdimError, ZeroDivisionError):
            continue
        if between < standing.rank:
            continue
        yield (
            f"And half-way between the point of this page and “{name}”?",
            f"{between}, computed in fractions. Special points form a set of measure zero: a little aside the rank is the generic one.",
        )


def ask_about_counts(report: Report) -> Iterator[tuple[str, str]]:
    """The count that needs no computer."""
    if report.complete is not None:
        smallest = min(report.standard, report.complete)
        words = (
            "smaller, so the model is defective"
            if report.dimension < smallest
            else "equal, so the model is not defective"
        )
        yield (
            "Compare the dimension with the smaller of the number of parameters and the dimension of the saturated model. Is the model defective?",
            f"The smaller is {format_integer(smallest)}; the dimension, {report.dimension} ({report.trust}), is {words}.",
        )
    more = report.redundant * log(500) / 2
    yield (
        "With 500 cases, how much larger is the penalty of BIC if parameters are counted instead of dimensions?",
        f"½ · {report.redundant} · log 500 = {more:.2f}{', so it is the same' if not report.redundant else ''}.",
    )
