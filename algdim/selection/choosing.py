"""Entry point: candidates for data, all scores of each, and what follows from them.

With even prior probabilities the posterior probability of a candidate is proportional to the exponential of its log marginal
likelihood (CH96 Eq. 4), of which every score is an approximation; an average over candidates weighs what each says so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from math import inf
from os import PathLike
from pathlib import Path
from typing import Any, ClassVar, Protocol

import numpy as np

from algdim.arguments import PATH, check_arguments
from algdim.display.blocks import Block, Paragraph, TableBlock
from algdim.display.html import Drawing
from algdim.display.rendering import format_aligned_lines
from algdim.display.results import Frame, Result, convert_members, cut_cell, cut_rows
from algdim.errors import InputError, describe_value, join_names
from algdim.exact.draws import draw_seed
from algdim.exact.threads import run_with_one_thread
from algdim.families import load_scoring
from algdim.families.discrete.bounds.pairwise import find_free_latent_class
from algdim.families.discrete.locals.classifier import restore_classifier
from algdim.families.discrete.model import Network
from algdim.families.discrete.reading import format_sizes
from algdim.figures import cut_text, format_count, format_integer
from algdim.fitting.criteria import LARGER, PENALTIES, SMALLER
from algdim.fitting.likelihood import Numbers
from algdim.fitting.problems import read_described_model
from algdim.fitting.record import Fit
from algdim.fitting.samples import format_case_count, read_sample
from algdim.fitting.tabulardata import Columns, read_columns
from algdim.limits import Untried, describe_untried
from algdim.memory import allow
from algdim.models.anymodel import AnyModel, convert_model_to_dictionary
from algdim.models.notation import to_text
from algdim.plots.svg import Axis, Series, make_matplotlib_figure, plot
from algdim.readers.anything import ModelLike, read_model
from algdim.readers.formats import find_known_suffix
from algdim.scores.information import compute_distribution
from algdim.scores.named import ALL, CORRECTED, SCORES, choose_scores, describe_dependence_on_estimates
from algdim.scores.record import Scores, describe_prior
from algdim.scores.scores import choose_prior
from algdim.scores.scores import score as scored
from algdim.scores.scoringcontext import Greatest
from algdim.selection.candidates import check_answers, count_most_classes, make_items, make_latent_classes
from algdim.selection.climbing import Journal, describe_search
from algdim.selection.searches import search_network, search_state_numbers, select_features
from algdim.selection.structures import (
    SearchSummary,
    judge_candidate,
    name_as_items,
    name_class_as_item,
    search_structures,
)
from algdim.tables.grid import Cell, Grid
from algdim.tables.spec import describe_provenance

SCHEMA = "algdim-select-1"
BY = "cs+"
USUAL = ("bic", "bic+", "cs+")
"""The scores that are printed unless others are asked for."""
TOLERANCE = 0.1
MOST_CANDIDATES = 1000
WIDTH = 60
"""Of a candidate's text in the table."""

FIRST_CLASSES, MOST_CLIMBED = 4, 12
"""Without candidates: the numbers of classes that are tried in any case, and at most."""

FAR = 5.0
"""What is so many times as far below the best as candidates are in the middle would flatten all else in a plot."""

SCALE = "Scores are logarithms, larger is better; −2 times bic is the BIC of most programs."

MOST_CLASSES = 9999

TEXT_EXPECTED = "a range as 1..8 or one number is expected"

RANGE = re.compile(r"([0-9]{1,4})(?:(?:\.\.|-)([0-9]{1,4}))?")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Selection(Result):
    """The scores of all candidates, in the order in which they were given or found.

    Attributes
    ----------
    candidates, best
        The scores of each candidate; those of the one that is chosen.
    by, tolerance
        The score that decides, and how near to the best the smallest candidate may be.
    names
        The scores that some candidate has.
    notes
        Remarks on how the candidates were made.
    searched
        The search over structures, its steps, and how many were compared; ``None`` without one.
    untried
        Searches for proofs that were not made to their end.
    weights, average, distribution
        Posterior probabilities of the candidates (CH96 Eq. 4), and expectations over them.
    plot, figure
        Every score against the candidates: as SVG, and as a figure of matplotlib.
    table
        A table for a paper.
    to_dict, to_pandas, to_polars, document, lines
        The result for JSON, as data frames, as a document of tables and figures, and as the lines that `print` shows.

    Examples
    --------
    >>> data = {"A": [0, 0, 1, 1], "B": [0, 1, 0, 1], "count": [40, 8, 9, 43]}
    >>> found = select(data, structures=["A -> B", "states A=2, B=2"], by="bic", score="bic")
    >>> found
    Selection(2 candidates, best by bic: A -> B, dimension 3 (proved))
    """

    _inner: ClassVar[frozenset[str]] = frozenset(
        {
            "criteria_lines",
            "curves",
            "files",
            "fit_columns",
            "format_rows",
            "name_of",
            "number_of",
            "score_columns",
            "shown",
            "text",
        }
    )

    candidates: tuple[Scores, ...]
    by: str
    """The score that decides."""
    tolerance: float
    notes: tuple[str, ...] = ()
    shown: tuple[str, ...] | None = None
    """The scores that are printed beside the deciding one, ``None`` for all that there are."""
    untried: tuple[Untried, ...] = ()
    searched: SearchSummary | None = None
    """What was searched, and how far; ``None`` without a search over structures."""
    files: tuple[str, ...] = ()
    """The file of each candidate, an empty text where it is of none; or nothing, if none is of a file."""

    def name_of(self, one: Scores, *, whole: bool = False) -> str:
        """What a candidate is called: by its file, if it was given as one; a latent class model by its numbers of states."""
        file = (
            next((name for name, other in zip(self.files, self.candidates, strict=True) if other is one), "")
            if self.files
            else ""
        )
        if self.searched is not None and not file:
            return format_candidate(one) if whole else self.number_of(one)
        if whole:
            return f"{file}: {format_candidate(one)}" if file else format_candidate(one)
        return cut_text(file, WIDTH) if file else format_candidate_shortly(one)

    def number_of(self, one: Scores) -> str:
        """The place of a candidate: the notations of structures that were searched are too long for tables."""
        return str(next(number for number, other in enumerate(self.candidates, 1) if other is one))

    @property
    def best(self) -> Scores:
        """The candidate that is chosen."""
        return choose_preferred(self.candidates, self.by, self.tolerance)

    @property
    def names(self) -> tuple[str, ...]:
        """The scores that some candidate has."""
        return tuple(name for name in SCORES if any(name in one.values for one in self.candidates))

    def weights(self, by: str | None = None) -> tuple[float, ...]:
        """CH96 Eq. 4: the posterior probabilities of the candidates that a score gives, even before the data; 0 without it."""
        name = self.by if by is None else choose_scores(by)[0]
        values = np.array([one.values.get(name, -np.inf) for one in self.candidates])
        if not np.isfinite(values.max()):
            raise InputError(
                f"no candidate has the score {name}: {self.candidates[0].reasons.get(name, 'not computed')}"
            )
        parts = np.exp(values - values.max())
        return tuple((parts / parts.sum()).tolist())

    def average(self, quantity: Callable[[Fit], Any], by: str | None = None) -> Any:
        """The expectation of a quantity over the candidates: each one's value at its fit, by its weight.

        In CH96 Eq. 2 a candidate's own expectation goes over the posterior of its parameters; here it is taken at the fit.
        """
        weights = self.weights(by)
        return sum(
            weight * np.asarray(quantity(one.fit), dtype=np.float64)
            for weight, one in zip(weights, self.candidates, strict=True)
            if weight > 0
        )

    def distribution(self, by: str | None = None) -> Numbers:
        """The averaged distribution of the observed variables, an axis for each in the order of the first candidate."""
        order = [variable.name for variable in self.candidates[0].fit.model.observed]
        return np.asarray(self.average(partial(order_distribution, order), by))

    def plot(self) -> Drawing:
        """The text of an SVG file: how far each score is below the best, against the classes or the candidates in order."""
        return Drawing(plot(*self.curves()))

    def figure(self) -> Any:
        """The same as a figure of matplotlib."""
        return make_matplotlib_figure(*self.curves())

    def curves(self) -> tuple[str, Axis, Axis, list[Series]]:
        """What a plot shows: title, axes, a series for each score; what is far below the best is left out, and named."""
        classes = [count_classes(one) for one in self.candidates]
        places = classes if None not in classes and len(set(classes)) == len(classes) else None
        across = [float(place or number) for number, place in enumerate(places or classes, 1)]
        below = {
            name: [one.values[name] - most if name in one.values else None for one in self.candidates]
            for name, most in (
                (name, max(one.values.get(name, -np.inf) for one in self.candidates)) for name in self.names
            )
        }
        columns = [[value for value in column if value is not None] for column in zip(*below.values(), strict=True)]
        lowest = [min(column) for column in columns if column and min(column) < 0]
        least = FAR * float(np.median(lowest)) if lowest else 0.0
        lines = [
            Series(
                name,
                tuple((x, y) for x, y in zip(across, values, strict=True) if y is not None and y >= least),
            )
            for name, values in below.items()
        ]
        far = [
            self.name_of(one)
            for one, column in zip(self.candidates, columns, strict=True)
            if any(value < least for value in column)
        ]
        title = f"{self.name_of(self.best)} is best by {self.by}"
        title += f"; far below: {join_names(far, most=3)}" if far else ""
        return (
            title[:100],
            Axis("classes" if places else "candidate", whole=True),
            Axis("score − best score"),
            lines,
        )

    def table(self) -> Grid:
        """A table for a paper: counts, likelihood, test of fit and scores of every candidate, the chosen one bold."""
        tested = any(one.goodness is not None for one in self.candidates)
        heads = ("candidate", "parameters", "dimension", "log-likelihood", *(("df", "G²", "p") if tested else ()))

        def row(one: Scores) -> tuple[Cell, ...]:
            bold, report, fits = one is self.best, one.report, one.goodness
            name = self.name_of(one, whole=self.searched is not None)
            counts = (Cell(name, bold), Cell(report.standard), Cell(report.dimension))
            test = (None, None, None) if fits is None else (fits.dof, fits.g2, fits.g2_p)
            places = (None, 2, 3)
            return (
                *counts,
                Cell(one.fit.loglik, places=2),
                *(Cell(value, places=some) for value, some in zip(test, places, strict=True) if tested),
                *(Cell(one.values.get(name), bold and name == self.by, places=2) for name in self.names),
            )

        best = self.best
        cautions = dict.fromkeys(one.goodness.caution for one in self.candidates if one.goodness is not None)
        return Grid(
            name="candidates",
            caption=f"{format_case_count(best.fit.sample.size)}, chosen by {self.by}{describe_prior(best.prior_text)}",
            columns=(*heads, *self.names),
            rows=tuple(map(row, self.candidates)),
            notes=(SCALE, *filter(None, cautions)),
            provenance=describe_provenance([one.report for one in self.candidates], best.fit.seed),
            untried=self.untried,
        )

    def _summarise(self) -> str:
        best = self.best
        on = f", dimension {best.report.dimension} ({best.report.trust})"
        return f"{format_count(len(self.candidates), 'candidate')}, best by {self.by}: {cut_text(format_candidate(best), 120)}{on}"

    def _show(self) -> Iterator[Block]:
        best = self.best
        head = ("candidate", "parameters", "dimension", "known", "log-likelihood", *self.names, "weight")
        rows = [
            (
                self.name_of(one),
                format_integer(one.report.standard),
                str(one.report.dimension),
                str(one.report.trust),
                f"{one.fit.loglik:.3f}",
                *(f"{one.values[name]:.3f}" if name in one.values else "–" for name in self.names),
                f"{weight:.4f}",
            )
            for one, weight in zip(self.candidates, self.weights(), strict=True)
        ]
        bold = frozenset(number for number, one in enumerate(self.candidates) if one is best)
        chosen = f"{format_case_count(best.fit.sample.size)}, chosen by {self.by}{describe_prior(best.prior_text)}"
        if self.searched is not None:
            listed = [(self.number_of(one), format_candidate(one)) for one in self.candidates]
            yield TableBlock(("candidate", "model"), cut_rows(listed), caption=self.searched.describe(), bold=bold)
        yield TableBlock(head, cut_rows(rows), caption=chosen, bold=bold)
        yield Paragraph(f"best by {self.by}: {cut_cell(format_candidate(best))}. {SCALE}")
        known = () if best.fit.identified is None else best.fit.identified.lines()
        untried = [describe_untried(self.untried)] if self.untried else []
        yield from (Paragraph(line.strip()) for line in (*known, *self.notes, *untried))

    def _tabulate(self) -> Frame:
        best = self.best
        head = ("candidate", "standard", "dimension", "status", "loglik", "df", "g2", "p")
        rows = tuple(
            (
                format_candidate(one),
                one.report.standard,
                one.report.dimension,
                one.report.trust.status,
                one.fit.loglik,
                *((None, None, None) if (fits := one.goodness) is None else (fits.dof, fits.g2, fits.g2_p)),
                *(one.values.get(name) for name in self.names),
                weight,
                one is best,
            )
            for one, weight in zip(self.candidates, self.weights(), strict=True)
        )
        return Frame((*head, *self.names, "weight", "best"), rows)

    def to_dict(self) -> dict[str, Any]:
        """The form of the JSON output."""
        return {
            "schema": SCHEMA,
            **convert_members(self, "by tolerance prior=best.prior_text"),
            "best": format_candidate(self.best),
            "model": convert_model_to_dictionary(self.best.fit.model),
            "weights": {name: list(self.weights(name)) for name in self.names},
            **convert_members(self, "candidates search=searched notes not_tried=untried seed=best.report.seed"),
        }

    def lines(self) -> list[str]:
        return self.text().split("\n")

    def text(self, width: int | None = None) -> str:
        """Rows for each candidate, the chosen one with an arrow: how it fits, its scores and weight, criteria of other programs."""
        best = self.best
        identified = best.fit.identified
        lost = [
            self.name_of(one)
            for one in self.candidates
            if one.fit.identified is not None and one.fit.identified.value is False
        ]
        notes = dict.fromkeys((*self.notes, *(note for one in self.candidates for note in one.fit.sample.notes)))
        cautions = dict.fromkeys(one.goodness.caution for one in self.candidates if one.goodness is not None)
        on = f", dimension {best.report.dimension} ({best.report.trust})" if self.by in CORRECTED else ""
        blocks = [
            [f"{format_case_count(best.fit.sample.size)}   chosen by {self.by}{describe_prior(best.prior_text)}"],
            [f"{self.number_of(one):>3}  {format_candidate(one)}" for one in self.candidates] if self.searched else [],
            self.format_rows(*self.fit_columns(), width),
            [
                f"scores, log scale: {LARGER}; weight: probability by {self.by}",
                *self.format_rows(*self.score_columns(), width),
            ],
            self.criteria_lines(width),
            [
                f"best by {self.by}: {self.name_of(best, whole=True)}{on}",
                *([] if identified is None else identified.lines()),
                *([f"candidates with parameters that are not identified: {join_names(lost)}"] if lost else []),
                *(describe_dependence_on_estimates(self.score_columns()[0]) if lost else []),
                *filter(None, cautions),
                *(f"note: {note}" for note in notes),
                *([describe_untried(self.untried)] if self.untried else []),
            ],
        ]
        return "\n\n".join("\n".join(block) for block in blocks if block)

    def format_rows(self, head: Sequence[str], columns: Sequence[Sequence[str]], width: int | None) -> list[str]:
        """A table behind the candidates."""
        arrows = ["→" if one is self.best else "" for one in self.candidates]
        names = [self.name_of(one) for one in self.candidates]
        rows = [list(row) for row in zip(arrows, names, *columns, strict=True)]
        numeric = [False, False, *(name != "" for name in head)]
        return format_aligned_lines(["", "candidate", *head], rows, numeric, "  ", width, 2)

    def fit_columns(self) -> tuple[list[str], list[list[str]]]:
        """How each candidate fits."""
        tests = [one.goodness for one in self.candidates]
        columns = {
            "parameters": [format_integer(one.report.standard) for one in self.candidates],
            "dimension": [str(one.report.dimension) for one in self.candidates],
            "": [str(one.report.trust) for one in self.candidates],
            "log-likelihood": [f"{one.fit.loglik:.3f}" for one in self.candidates],
        }
        if any(test is not None for test in tests):
            columns["df"] = ["-" if test is None else format_integer(test.dof).replace("-", "−") for test in tests]
            columns["G²"] = ["-" if test is None else f"{test.g2:.2f}" for test in tests]
            columns["p"] = ["-" if test is None or test.g2_p is None else f"{test.g2_p:.3f}" for test in tests]
        return list(columns), list(columns.values())

    def score_columns(self) -> tuple[list[str], list[list[str]]]:
        """The scores that are shown, and the weights that the deciding one gives."""
        shown = [name for name in self.names if self.shown is None or name in (*self.shown, self.by)]
        columns = [
            [f"{one.values[name]:.3f}" if name in one.values else "-" for one in self.candidates] for name in shown
        ]
        heads = [*shown, "weight"]
        columns.append([f"{weight:.4f}" for weight in self.weights()])
        entropies = [None if one.fit.criteria is None else one.fit.criteria.entropy_r2 for one in self.candidates]
        if any(value is not None for value in entropies):
            heads.append("entropy R²")
            columns.append(["-" if value is None else f"{value:.3f}" for value in entropies])
        return heads, columns

    def criteria_lines(self, width: int | None) -> list[str]:
        """What other programs print, with the parameters and, behind a plus, with the dimension."""
        found = [one.fit.criteria for one in self.candidates]
        if any(one is None for one in found):
            return []
        known = [one for one in found if one is not None]
        differs = any(one.dimension != one.parameters for one in known)
        columns: dict[str, list[str]] = {}
        for name in PENALTIES:
            columns[name] = [f"{one.compute(one.parameters)[name]:.1f}" for one in known]
            if differs:
                counts = [one.parameters if one.dimension is None else one.dimension for one in known]
                columns[f"{name}+"] = [
                    f"{one.compute(count)[name]:.1f}" for one, count in zip(known, counts, strict=True)
                ]
        plus = "; +: with the dimension" if differs else ""
        head = f"criteria, -2 log scale: {SMALLER}{plus}"
        return [head, *self.format_rows(list(columns), list(columns.values()), width)]


def format_candidate_shortly(one: Scores) -> str:
    """The notation of a candidate, of a latent class model with free tables without the names of its items."""
    model = one.fit.model
    shape = find_free_latent_class(model) if load_scoring(model.family).is_network else None
    return cut_text(format_candidate(one), WIDTH) if shape is None else f"{shape[0]}:{format_sizes(shape[1])}"


def name_file(structure: ModelLike) -> str:
    """The name of the file that a structure was given as, or nothing."""
    return (
        str(structure)
        if isinstance(structure, PathLike) or (isinstance(structure, str) and find_known_suffix(structure))
        else ""
    )


def count_classes(one: Scores) -> int | None:
    """The number of classes of a latent class model with free tables, ``None`` of any other model."""
    model = one.fit.model
    shape = find_free_latent_class(model) if load_scoring(model.family).is_network else None
    return None if shape is None else shape[0]


def format_candidate(one: Scores) -> str:
    """The notation of a candidate; of a classifier, which is fitted as a network given its inputs, that of its family."""
    model = one.fit.model
    return to_text(restore_classifier(model) if load_scoring(model.family).is_network else model)


def order_distribution(names: Sequence[str], fit: Fit) -> Numbers:
    """The distribution of a fit, the observed variables in a given order."""
    own = [variable.name for variable in fit.model.observed]
    if sorted(own) != sorted(names):
        raise InputError(
            f"the candidates observe {join_names(names)} and {join_names(own)}; an average needs the same variables"
        )
    return compute_distribution(fit).transpose([own.index(name) for name in names])


def choose_preferred(candidates: Sequence[Scores], by: str, tolerance: float) -> Scores:
    """The candidate with the greatest score; of those of its effective dimension within the tolerance the smallest.

    Where dimensions are equal so is the penalty, and what EM did not reach would decide (KZ02 §5).
    """
    having = [one for one in candidates if by in one.values]
    if not having:
        first = candidates[0]
        raise InputError(
            f"no candidate has the score {by}: {first.reasons.get(by, 'it was not asked for')}; "
            f"choose by another one, {format_candidate(first)} has {join_names(first.values)}"
        )
    best = max(having, key=lambda one: one.values[by])
    equal = [
        one
        for one in having
        if one.report.dimension == best.report.dimension and one.values[by] >= best.values[by] - tolerance
    ]
    return min(equal, key=lambda one: (one.report.standard, -one.values[by]))


@check_arguments
@run_with_one_thread
def select(
    data: Any,
    *,
    classes: str | int | Iterable[int] | None = None,
    tree: ModelLike | None = None,
    structures: Sequence[ModelLike] = (),
    format: str | None = None,  # noqa: A002
    hidden: Iterable[str] = (),
    rival: bool = False,
    label: str | None = None,
    search: str | None = None,
    resume: str | PathLike[str] | None = None,
    by: str = BY,
    score: str | Sequence[str] | None = None,
    alpha: float | None = None,
    ess: float | None = None,
    tolerance: float = TOLERANCE,
    starts: int | str = "auto",
    missing: bool = False,
    all_answers: bool = False,
    seed: int | str = 0,
    max_memory: int | str | None = None,
    max_seconds: float | None = None,
    progress: Callable[[str], None] | None = None,
) -> Selection:
    """Score candidates on data and choose one: latent class models, a tree's hidden states, given structures.

    Parameters
    ----------
    data : path, data frame, dictionary of columns, or cases in rows
        The cases, or with a column `count` their different patterns.
    classes : str, int, range, pair or list, optional
        Numbers of classes of latent class models: "1..8", 3, range(1, 9), the pair (1, 8) of the least and the greatest, or
        a list, each number of which is tried. Without any candidates 1 to 4, and more while the score rises.
    tree : model, optional
        A latent tree, climbed from two states of every hidden variable (KZ02 §6).
    structures : list of models
        Given candidates.
    format : str, optional
        How the tree and the structures are written, if they are files or texts.
    hidden : names
        Variables of the tree and the structures that are not observed.
    rival : bool
        Whether the best network without hidden variables that a greedy search by BD finds is a candidate too (CH96 §5).
    label : str, optional
        The class of naive Bayes classifiers with ever more inputs, each added or removed by the score; of classifiers of
        any structure with ``search="classifiers"``.
    search : str, optional
        Structures that are climbed over: "latent-trees", "interactions" (networks with causal interaction models) or
        "classifiers".
    resume : path, optional
        A file in which a search keeps what it scored; started again with it, it scores nothing twice.
    by : str
        The score that decides.
    score : str or list of str, optional
        The scores that are computed.
    alpha : float, optional
        A Dirichlet prior with this exponent for every entry of a table.
    ess : float, optional
        The equivalent sample size of the BDeu prior; 1 if neither is given.
    tolerance : float
        Of candidates with the same dimension within so much of the best the smallest is chosen.
    starts : int or str
        "auto", "staged" (CH96 §3), or a number of random starts that all climb to the end.
    missing : bool
        Whether missing values are allowed.
    all_answers : bool
        Whether labels that look like codes of missing answers, as -99, are answers; without it they are an error.
    seed : int or str
        The seed of all draws; "random" takes one from the system.
    max_memory : int or str, optional
        Bytes that may be used, as a number or as "4G"; half of the machine's memory without it.
    max_seconds : float, optional
        Seconds for searches that only sharpen a proof, of all candidates together; 120 without it. No fit and no rank is
        ended by it.
    progress : callable, optional
        Told each candidate before it is scored.

    Returns
    -------
    Selection
        All candidates with their scores, and the best one.

    Examples
    --------
    >>> data = {"A": [0, 0, 1, 1], "B": [0, 1, 0, 1], "C": [0, 0, 1, 1], "count": [40, 8, 9, 43]}
    >>> found = select(data, classes=range(1, 3), by="bic+", score="bic,bic+")
    >>> found.best.fit.model.states["H"]
    2
    """
    names = choose_scores(ALL if score is None else score)
    if by not in names:
        choose_scores(by)
        names = [*names, by]
    if not tolerance >= 0:
        raise InputError(f"the tolerance {tolerance}: a number from 0 on is allowed")
    with allow(max_seconds, max_memory) as allowance:
        before = len(allowance.untried)
        table, seed = read_columns(data), draw_seed(seed)
        is_climb = not (classes is not None or tree is not None or structures or rival or label is not None or search)
        if not all_answers and (classes is not None or rival or label is not None or search or is_climb):
            check_answers(table)
        if resume is not None and search is None:
            raise InputError("resume is for the structures of --search; say which, as --search latent-trees")
        if resume is not None and not PATH.fits(resume):
            raise InputError(f"resume={describe_value(resume)}: {PATH.words} is expected")
        of = partial(scored, score=names, alpha=alpha, ess=ess, starts=starts, missing=missing, seed=seed)
        assess = make_assessment(table, of, progress)
        if is_climb:
            found, notes = climb_classes(table, assess, by)
        else:
            found, notes = assess_classes(table, classes, assess)
        if tree is not None:
            root = read_model(tree, format=format, hidden=hidden)
            found += search_state_numbers(root, assess, lambda some: choose_preferred(some, by, tolerance))
        files = [*("" for _ in found), *map(name_file, structures)]
        found += assess_structures(table, structures, format, hidden, assess)
        if rival:
            sample = read_sample(table, Network(make_items(table)))
            found.append(assess(search_network(sample, choose_prior(alpha, ess))))
        searched = None
        if search is not None:
            options = {"by": by, "alpha": alpha, "ess": ess, "starts": starts, "missing": missing, "seed": seed}
            journal = Journal(describe_search(search, table, options), None if resume is None else Path(resume))
            judge = partial(judge_candidate, partial(of, score=by), by, journal, progress)
            searched, models = search_structures(search, table, label, by, tolerance, judge, seed)
            found += [assess(one, part) for part, one in models]
            notes = (*notes, f"{searched.describe()}; {journal.describe()}")
        elif label is not None:
            items = make_items(table)
            found += select_features(
                name_as_items(table, items),
                items,
                name_class_as_item(label, table, items),
                lambda part, one: assess(one, part),
                lambda one: one.values.get(by, -inf),
            )
        files += [""] * (len(found) - len(files))
        result = Selection(
            tuple(found),
            by,
            tolerance,
            notes,
            USUAL if score is None else None,
            allowance.since(before),
            searched,
            tuple(files) if any(files) else (),
        )
        result.weights()  # raises if no candidate has the score
        return result


class Assessment(Protocol):
    """What scores a candidate: on all data, or on some columns of them."""

    def __call__(self, candidate: AnyModel, data: Columns | None = None) -> Scores:
        """The scores."""


def make_assessment(table: Columns, of: Callable[..., Scores], progress: Callable[[str], None] | None) -> Assessment:
    """The same function for all candidates; what sBIC compares is fitted once for all those on the same data."""
    known: dict[AnyModel, Greatest] = {}

    def assess(candidate: AnyModel, data: Columns | None = None) -> Scores:
        if progress is not None:
            progress(to_text(candidate))
        is_whole = data is None or data is table
        return of(table if is_whole else data, candidate, known=known if is_whole else None)

    return assess


def assess_classes(table: Columns, classes: object, assess: Assessment) -> tuple[list[Scores], tuple[str, ...]]:
    """The latent class models with the numbers of classes that are asked for, if any are."""
    if classes is None:
        return [], ()
    candidates = make_latent_classes(table, list_class_numbers(classes))
    return list(map(assess, candidates.models)), candidates.notes


def assess_structures(
    table: Columns, structures: Sequence[ModelLike], form: str | None, hidden: Iterable[str], assess: Assessment
) -> list[Scores]:
    """The candidates that are given."""
    if len(structures) > MOST_CANDIDATES:
        raise InputError(f"{len(structures)} structures: at most {MOST_CANDIDATES} are compared at once")
    read = (read_described_model(table, structure, form, hidden) for structure in structures)
    return [assess(record, data) for data, record in read]


def climb_classes(table: Columns, assess: Assessment, by: str) -> tuple[list[Scores], tuple[str, ...]]:
    """Where no candidates are named: the first few numbers of classes, and more while the score rises."""
    cap = count_most_classes(make_items(table))
    candidates = make_latent_classes(table, range(1, min(FIRST_CLASSES, cap) + 1))
    found = list(map(assess, candidates.models))
    while is_rising(found, by) and len(found) < min(cap, MOST_CLIMBED):
        found += map(assess, make_latent_classes(table, [len(found) + 1]).models)
    others = "others with --classes A..B (classes= in Python)"
    if len(found) == cap:
        end = f"more than {cap} have the same distributions (KZ02 Lemma 3.2)"
    elif is_rising(found, by):
        end = f"{by} still rises; {others}"
    else:
        end = f"the last has not the greatest {by}, so more were not tried; {others}"
    compared = "1 class is fitted" if len(found) == 1 else f"1 to {len(found)} classes are compared"
    return found, (f"no candidates were given: {compared}; {end}", *candidates.notes)


def is_rising(found: Sequence[Scores], by: str) -> bool:
    """Whether the last has the greatest score."""
    values = [one.values.get(by, -inf) for one in found]
    return len(values) > 1 and values[-1] > max(values[:-1])


def list_class_numbers(classes: object) -> tuple[int, ...]:
    """The numbers of classes that a text, a number, a pair of the least and the greatest, a range or a list stands for.

    >>> list_class_numbers("1..4"), list_class_numbers(3), list_class_numbers((2, 4)), list_class_numbers([5, 2])
    ((1, 2, 3, 4), (3,), (2, 3, 4), (2, 5))
    >>> list_class_numbers(range(1, 4))
    (1, 2, 3)
    """
    found: Sequence[object]
    if isinstance(classes, str):
        match = RANGE.fullmatch(classes)
        found = () if match is None else range(int(match[1]), int(match[2] or match[1]) + 1)
        if match is not None and not found:
            raise InputError(f"the classes {classes}: numbers from 1 upward in order are expected, as 1..8")
    elif isinstance(classes, tuple) and len(classes) == 2 and all(map(is_count, classes)):
        found = range(int(classes[0]), int(classes[1]) + 1)
    else:
        found = list(islice(classes, MOST_CLASSES + 1)) if isinstance(classes, Iterable) else [classes]
    numbers = {int(number) for number in found[: MOST_CLASSES + 1] if isinstance(number, (int, np.integer))}
    if not found or len(found) > MOST_CLASSES or not all(map(is_count, found)) or max(numbers) > MOST_CLASSES:
        more = (
            "" if isinstance(classes, str) else f"; or range(1, 9), a pair, a list, with numbers up to {MOST_CLASSES}"
        )
        raise InputError(f"the classes {describe_value(classes)}: {TEXT_EXPECTED}{more}")
    return tuple(sorted(numbers))


def is_count(value: object) -> bool:
    """Whether a value is an integer, numpy's among them."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)
