"""`algdim explain`: a model and its dimension step by step, from the drawing to different parameters with one distribution."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from algdim.errors import InputError, LimitError, meant
from algdim.exact.draws import drawn_seed
from algdim.explanation.constraints import Constraint
from algdim.explanation.document import Document, fragment, latex_document, markdown, page, terminal
from algdim.explanation.evaluated import Evaluated, equations_at
from algdim.explanation.fibres import Fibre, fibre_through
from algdim.explanation.printing import PrintedCoordinates, printed_coordinates
from algdim.explanation.standing import Standing, stand
from algdim.explanation.telling import (
    RANK_PROVES,
    bounds_section,
    equation_section,
    jacobian_section,
    map_section,
    model_section,
    parameter_section,
    play_of,
    point_section,
    proves_section,
    reduced_section,
    redundant_section,
    seen,
)
from algdim.families import explaining
from algdim.families.contract import Share
from algdim.figures import abridged, big, counted
from algdim.maps import map_of
from algdim.models.anymodel import AnyModel
from algdim.models.notation import to_text
from algdim.plots.dimensions import derivation_svg, growth_svg, jacobian_svg
from algdim.plots.networkdrawing import network_svg
from algdim.plots.svg import by_itself
from algdim.report import Report, dimension

if TYPE_CHECKING:
    from algdim.readers.anything import ModelLike

SHOWN = 8
"""So many coordinates are written out."""

MOST_IN_TITLE = 100
"""A longer model is cut in the title."""
MOST_PLAYED = 1500
"""Of entries of the Jacobian, for a page that computes ranks by itself."""


@dataclass(frozen=True, slots=True, eq=False)
class Explanation:
    """A report, the parameters by variable, and the first coordinates, or why these are not written out."""

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

    @property
    def redundant(self) -> str:
        """What it means that there are more parameters than dimensions; empty where there are not."""
        number, standard = self.report.redundant, self.report.standard
        if not number:
            return ""
        same = seen(self.report.model)
        exactly = "" if self.report.exact else "at most " if self.report.lower.is_proved else "about "
        return (
            f"{exactly}{number} of {counted(standard, 'parameter')} {'is' if number == 1 else 'are'} redundant: around almost every "
            f"point the parameters with the same {'' if same == 'coordinates' else 'observed '}{same} form a set of dimension {exactly}{number}."
        )

    def document(self) -> Document:
        """The explanation before it takes a form."""
        report, standing = self.report, self.standing
        count, what = self.coordinate_count, self.coordinates_are
        evaluated, found, reason = self.equations
        sections = (
            model_section(report),
            parameter_section(report, self.shares),
            map_section(count, what, self.printed, self.refusal),
            jacobian_section(report, self.parameters, self.printed, standing),
            point_section(standing, self.not_standing),
            reduced_section(standing),
            proves_section(report, standing, what),
            bounds_section(report),
            equation_section(evaluated, found, reason),
            redundant_section(report, self.redundant, standing, self.fibre),
        )
        lead = f"dimension {report.dimension} ({report.trust}), standard {big(report.standard)}, complete {big(report.complete)}"
        return Document(
            abridged(to_text(report.model), MOST_IN_TITLE),
            lead,
            tuple(one for one in sections if one is not None),
            self.play,
        )

    @property
    def play(self) -> dict[str, Any] | None:
        """What a page needs to compute ranks by itself, of small models."""
        if self.standing is None or self.printed is None:
            return None
        if self.coordinate_count * len(self.parameters) > MOST_PLAYED:
            return None
        return play_of(self.report, self.standing, printed_coordinates(self.standing.pmap, self.coordinate_count))

    def __str__(self) -> str:
        """The explanation as text."""
        return terminal(self.document())

    def text(self, *, colour: bool = False) -> str:
        """The explanation for a terminal, in colour if asked for."""
        return terminal(self.document(), colour=colour)

    def markdown(self) -> str:
        """The explanation in Markdown, pictures inside."""
        return markdown(self.document())

    def latex(self) -> str:
        """The explanation as a LaTeX document."""
        return latex_document(self.document())

    def html(self) -> str:
        """The explanation as a page that needs nothing else."""
        return page(self.document())

    def _repr_html_(self) -> str:
        """The explanation in a notebook."""
        return fragment(self.document())

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
            "report": self.report.to_dict(),
        }


def explain(model: ModelLike, *, seed: int | str = 0, max_memory: int | str | None = None) -> Explanation:
    """A model of any family explained: parameters by variable, the map, what a rank proves, and the derivation.

    >>> found = explain("2:2,2")
    >>> [(share.owner, share.count) for share in found.shares]
    [('H', 1), ('X1', 2), ('X2', 2)]
    >>> found.redundant.partition(":")[0]
    '2 of 5 parameters are redundant'
    """
    report = dimension(model, seed=seed, max_memory=max_memory)
    pmap, seed = report.prepared.whole_map, report.seed
    printed, refusal = None, ""
    try:
        printed = printed_coordinates(pmap, SHOWN)
    except LimitError as error:
        refusal = str(error)
    standing, not_standing = None, ""
    try:
        standing = stand(pmap, seed)
    except LimitError as error:
        not_standing = str(error)
    return Explanation(
        report=report,
        shares=tuple(explaining(report.model.family).shares(pmap)),
        coordinate_count=pmap.coordinate_count,
        coordinates_are=pmap.coordinates_are,
        parameters=pmap.parameters,
        printed=printed,
        refusal=refusal,
        standing=standing,
        not_standing=not_standing,
        equations=((), (), "there is no point to evaluate equations at")
        if standing is None
        else equations_at(standing, seed),
        fibre=None if standing is None or not report.redundant else fibre_through(standing),
    )


def drawing(model: ModelLike, what: str, *, seed: int | str = 0) -> str:
    """One picture as SVG: the network, the Jacobian's pattern, the derivation, or dimensions against hidden states.

    >>> drawing("2:2,2", "network").count("<circle")
    3
    """
    from algdim.readers.anything import model as read_model

    if what not in DRAWINGS:
        raise InputError(f"there is no picture {what}{meant(what, DRAWINGS)}; known are {', '.join(DRAWINGS)}")
    return by_itself(DRAWINGS[what](read_model(model), drawn_seed(seed)))


def jacobian_drawing(model: AnyModel, seed: int | str) -> str:
    """The pattern of the Jacobian at a random point."""
    standing = stand(map_of(model), seed)
    pmap = standing.pmap
    return jacobian_svg(standing.jacobian, standing.reduced.rank, pmap.coordinates(), pmap.parameters)


DRAWINGS: Mapping[str, Callable[[AnyModel, int | str], str]] = {
    "network": lambda model, _: network_svg(model),
    "jacobian": jacobian_drawing,
    "derivation": lambda model, seed: derivation_svg(dimension(model, seed=seed)),
    "states": lambda model, seed: growth_svg(model, seed=seed),
}
