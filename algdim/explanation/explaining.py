"""`algdim explain`: a model and its dimension step by step, from the drawing to different parameters with one distribution."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from algdim.arguments import check_arguments
from algdim.display.blocks import Block, Paragraph, Section
from algdim.display.document import Document
from algdim.display.html import Drawing
from algdim.display.results import Frame, Result
from algdim.errors import AlgdimError, InputError, describe_closest_word
from algdim.exact.draws import draw_seed
from algdim.explanation.constraints import Constraint, Evaluated, evaluate_equations
from algdim.explanation.equivalentparameters import Fibre, find_fibre
from algdim.explanation.lecture.fibre import make_panels, make_swap_walks
from algdim.explanation.lecture.making import make_lecture
from algdim.explanation.lecture.page import Lecture, render_fragment, render_page
from algdim.explanation.printing import PrintedCoordinates, print_coordinates
from algdim.explanation.samplepoint import Standing, evaluate_at_random_point
from algdim.explanation.sections import (
    RANK_PROVES,
    describe_bounds,
    describe_equations,
    describe_jacobian,
    describe_map,
    describe_model,
    describe_parameters,
    describe_point,
    describe_reduced_matrix,
    describe_redundancy,
    describe_shared_coordinates,
    describe_subject,
    draw_standing_jacobian,
    explain_rank,
)
from algdim.explanation.walks import find_walks
from algdim.families import load_explaining
from algdim.families.contract import Share
from algdim.figures import cut_text, format_count, format_integer
from algdim.limits import Untried, describe_untried, sharpen
from algdim.maps import map_of
from algdim.memory import allow
from algdim.models.anymodel import AnyModel
from algdim.models.notation import to_text
from algdim.plots.dimensions import draw_derivation, plot_growth
from algdim.plots.fibre import draw_fibre
from algdim.plots.networkdrawing import draw_network
from algdim.plots.svg import convert_to_standalone
from algdim.report import Report, dimension

if TYPE_CHECKING:
    from algdim.readers.anything import ModelLike

SHOWN = 8
"""This many coordinates are written out."""

MOST_IN_TITLE = 100
"""A longer model is cut in the title."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Explanation(Result):
    """A report, the parameters by variable, and the first coordinates, or why these are not written out."""

    _inner: ClassVar[frozenset[str]] = frozenset(
        {"coordinate_count", "coordinates_are", "lecture", "not_standing", "refusal"}
    )

    report: Report
    shares: tuple[Share, ...]
    coordinate_count: int
    coordinates_are: str
    parameters: tuple[str, ...]
    printed: PrintedCoordinates | None
    refusal: str
    standing: Standing | None
    not_standing: str
    """Why nothing is computed at a point."""
    equations: tuple[tuple[Evaluated, ...], tuple[Constraint, ...], str]
    fibre: Fibre | None
    untried: tuple[Untried, ...] = ()
    """Searches that were not made to their end, because of the time or the memory allowed."""

    @property
    def redundant(self) -> str:
        """What it means that there are more parameters than dimensions; empty where there are not."""
        number, standard = self.report.redundant, self.report.standard
        if not number:
            return ""
        same = describe_subject(self.report.model)
        exactly = "" if self.report.exact else "at most " if self.report.lower.is_proved else "about "
        return (
            f"{exactly}{number} of {format_count(standard, 'parameter')} {'is' if number == 1 else 'are'} redundant: around almost every "
            f"point the parameters with the same {'' if same == 'coordinates' else 'observed '}{same} form a set of dimension {exactly}{number}."
        )

    def document(self) -> Document:
        """The explanation before it takes a form."""
        report, standing = self.report, self.standing
        count, what = self.coordinate_count, self.coordinates_are
        sections = (
            describe_model(report),
            describe_parameters(report, self.shares),
            describe_map(count, what, self.printed, self.refusal),
            describe_jacobian(report, self.parameters, self.printed, standing),
            describe_point(standing, self.not_standing),
            describe_reduced_matrix(standing),
            explain_rank(report, standing, what),
            describe_bounds(report),
            *self._describe_end(),
        )
        lead = f"dimension {report.dimension} ({report.trust}), parameters {format_integer(report.standard)}, saturated {format_integer(report.complete)}"
        return Document(
            cut_text(to_text(report.model), MOST_IN_TITLE),
            lead,
            tuple(one for one in sections if one is not None),
        )

    def _show(self) -> Iterator[Block]:
        for section in self.document().sections:
            yield from section.blocks

    def _describe_end(self) -> tuple[Section | None, ...]:
        """The sections that the page has folded."""
        return (
            describe_equations(*self.equations),
            describe_redundancy(self.report, self.redundant, self.standing, self.fibre),
            Section("What was left out", (Paragraph(describe_untried(self.untried)),)) if self.untried else None,
        )

    def lecture(self) -> Lecture:
        """The steps of the page."""
        return make_lecture(
            self.report,
            self.shares,
            self.standing,
            self.not_standing,
            self.fibre,
            describe_shared_coordinates(self.report, self.standing),
            self.printed,
            self.equations,
            [one for one in self._describe_end() if one is not None],
        )

    def lines(self) -> list[str]:
        return self.text().split("\n")

    def text(self, *, colour: bool = False) -> str:
        """The explanation for a terminal, in colour if asked for."""
        return self.document().text(colour=colour)

    def markdown(self) -> str:
        """The explanation in Markdown, pictures inside."""
        return self.document().markdown()

    def latex(self) -> str:
        """The explanation as a LaTeX document."""
        return self.document().latex()

    def html(self) -> str:
        """The explanation as a page that needs nothing else."""
        return render_page(self.lecture())

    def plot(self, what: str = "network") -> Drawing:
        """A picture as SVG, which a notebook shows and `save` writes: one of those of `algdim explain --svg`."""
        return Drawing(draw_picture(self.report.model, what, seed=self.report.seed))

    def _summarise(self) -> str:
        report = self.report
        return f"{cut_text(to_text(report.model))}: dimension {report.dimension} ({report.trust}); {self.redundant}"

    def _tabulate(self) -> Frame:
        rows = tuple((share.owner, share.count, share.what) for share in self.shares)
        return Frame(("of", "parameters", "what"), rows)

    def _repr_html_(self) -> str:
        """The explanation in a notebook."""
        return render_fragment(self.lecture())

    def to_dict(self) -> dict[str, Any]:
        """The form of --json."""
        return {
            "model": to_text(self.report.model),
            "family": self.report.model.family,
            "parameters": [share.to_dict() for share in self.shares],
            "map": {
                "count": self.coordinate_count,
                "are": self.coordinates_are,
                "coordinates": [] if self.printed is None else self.printed.to_list(),
                "refusal": self.refusal,
            },
            "rank": RANK_PROVES,
            "redundant": self.redundant,
            "point": None if self.standing is None else self.standing.to_dict(),
            "equations": [one.to_dict() for one in self.equations[0]],
            "same_distribution": None if self.fibre is None else self.fibre.to_dict(self.parameters),
            "not_tried": [one.to_dict() for one in self.untried],
            "report": self.report.to_dict(),
        }


@check_arguments
def explain(
    model: ModelLike,
    *,
    format: str | None = None,  # noqa: A002
    hidden: Iterable[str] = (),
    seed: int | str = 0,
    max_memory: int | str | None = None,
    max_seconds: float | None = None,
) -> Explanation:
    """A model and its dimension step by step: parameters, map, Jacobian, both bounds, what is redundant.

    Parameters
    ----------
    model : text, path, dictionary, graph or model
        Whatever `algdim.model` reads.
    format : str, optional
        How a file or a text is written, such as "lavaan" or "dagitty"; without it the suffix of a path tells.
    hidden : names
        Variables that are not observed, in addition to those that the model declares hidden.
    seed : int or str
        The seed of all draws; "random" takes one from the system.
    max_memory : int or str, optional
        Bytes that may be used, as a number or as "4G"; half of the machine's memory without it.
    max_seconds : float, optional
        Seconds for searches that only sharpen a proof, together; 120 without it. No rank is ended by it.

    Returns
    -------
    Explanation
        Printed it is text; `html`, `markdown` and `latex` are its other forms, and a notebook shows it.

    Examples
    --------
    >>> found = explain("2:2,2")
    >>> [(share.owner, share.count) for share in found.shares]
    [('H', 1), ('X1', 2), ('X2', 2)]
    >>> found.redundant.partition(":")[0]
    '2 of 5 parameters are redundant'
    """
    with allow(max_seconds, max_memory) as allowance:
        known = len(allowance.untried)
        report = dimension(model, format=format, hidden=hidden, seed=seed, max_memory=max_memory)
        return replace(explain_report(report), untried=allowance.since(known))


def explain_report(report: Report) -> Explanation:
    """The same of a model whose dimension was found."""
    pmap, seed = report.preparation.whole_map, report.seed
    printed, refusal = None, ""
    try:
        printed = print_coordinates(pmap, SHOWN)
    except AlgdimError as error:
        refusal = str(error)
    standing, not_standing = None, ""
    try:
        standing = evaluate_at_random_point(pmap, seed)
    except AlgdimError as error:
        not_standing = str(error)
    return Explanation(
        report=report,
        shares=tuple(load_explaining(report.model.family).count_shares(pmap)),
        coordinate_count=pmap.coordinate_count,
        coordinates_are=pmap.coordinates_are,
        parameters=pmap.parameters,
        printed=printed,
        refusal=refusal,
        standing=standing,
        not_standing=not_standing,
        equations=((), (), "there is no point to evaluate equations at")
        if standing is None
        else sharpen("equations", partial(evaluate_equations, standing, report.preparation, seed))
        or ((), (), "equations were not looked for to the end"),
        fibre=None
        if standing is None or not report.redundant
        else sharpen("other parameters with the same distribution", partial(find_fibre, standing)),
    )


def draw_picture(model: ModelLike, what: str, *, seed: int | str = 0) -> str:
    """One picture as SVG: the network, the Jacobian, the derivation, a fibre, or dimensions against hidden states.

    >>> draw_picture("2:2,2", "network").count("<rect")
    3
    """
    from algdim.readers.anything import read_model

    if what not in DRAWINGS:
        raise InputError(
            f"there is no picture {what!r}{describe_closest_word(what, DRAWINGS)}; known are {', '.join(DRAWINGS)}"
        )
    return convert_to_standalone(DRAWINGS[what](read_model(model), draw_seed(seed)))


def draw_jacobian(model: AnyModel, seed: int | str) -> str:
    """The Jacobian at a random point."""
    return draw_standing_jacobian(evaluate_at_random_point(map_of(model), seed))


def draw_one_fibre(model: AnyModel, seed: int | str) -> str:
    """Parameters along a fibre, and the distribution that they share."""
    standing = evaluate_at_random_point(map_of(model), seed)
    shown = [*find_walks(standing, find_fibre(standing)), *make_swap_walks(standing)]
    if not shown:
        raise InputError(
            "no other parameters with the same distribution were found for a picture of the fibre; the model may be identified: "
            "see algdim identify"
        )
    left, right, _ = make_panels(standing, shown, standing.pmap.coordinates_are)
    return draw_fibre(left, right)


DRAWINGS: Mapping[str, Callable[[AnyModel, int | str], str]] = {
    "network": lambda model, _: draw_network(model),
    "jacobian": draw_jacobian,
    "derivation": lambda model, seed: draw_derivation(dimension(model, seed=seed)),
    "fibre": draw_one_fibre,
    "states": lambda model, seed: plot_growth(model, seed=seed),
}
