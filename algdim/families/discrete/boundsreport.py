"""`algdim bounds`: KZ02's bounds of a latent class model, and what is identifiable."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from algdim.arguments import check_arguments
from algdim.display.blocks import Block, Paragraph, TableBlock
from algdim.display.results import Frame, Result, cut_cell, make_frame
from algdim.errors import LimitError
from algdim.families.discrete.bounds.latentclass import LatentClassBounds, compute_latent_class_bounds
from algdim.families.discrete.locals.sigmoid import replace_by_free_tables
from algdim.families.discrete.model import Network
from algdim.figures import cut_text, format_integer
from algdim.identifiability.classification import Identifiability, compare_with_bound, derive_identifiability
from algdim.limits import Untried, describe_untried
from algdim.memory import allow
from algdim.models.anymodel import require_model
from algdim.models.notation import to_text

if TYPE_CHECKING:
    from algdim.readers.anything import ModelLike


@dataclass(frozen=True, slots=True, repr=False)
class BoundsReport(Result):
    """The counts, and one of the words for identifiability; ``None`` if none was asked for, or a limit leaves it open."""

    _inner: ClassVar[frozenset[str]] = frozenset({"counts"})

    counts: LatentClassBounds
    identifiability: Identifiability | None = None
    note: str = ""
    untried: tuple[Untried, ...] = ()
    """Searches that were not made to their end, because of the time or the memory allowed."""

    @property
    def model(self) -> Network:
        """The latent class model, rooted at its class variable."""
        return self.counts.model

    @property
    def ds(self) -> int:
        """The number of parameters."""
        return self.counts.standard

    @property
    def dc(self) -> int:
        """The dimension of the saturated model."""
        return self.counts.complete

    @property
    def dp(self) -> int | None:
        """KZ02 Theorem 3's bound; dc if no bipartition qualifies."""
        return self.counts.pairwise_bound

    @property
    def db(self) -> int:
        """KZ02 Theorem 4's bound, the least of the three."""
        return self.counts.best_bound

    @property
    def partition(self) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
        """The bipartition behind dp, by name."""
        return self.counts.partition

    @property
    def attained(self) -> tuple[str, ...]:
        """Which of ds, dc and dp are db."""
        return self.counts.attained

    @property
    def regular(self) -> bool:
        """Whether there are no more classes than the items can use."""
        return self.counts.regular

    @property
    def equivalent(self) -> str:
        """The equivalent regular model; the model itself if it is regular."""
        return to_text(self.counts.equivalent)

    def _summarise(self) -> str:
        dimension = "" if self.identifiability is None else f", {self.identifiability.word}"
        return f"{cut_text(to_text(self.model))}: ds {self.ds}, dc {self.dc}, dp {self.dp}, db {self.db}{dimension}"

    def _show(self) -> Iterator[Block]:
        numbers = {"ds": self.ds, "dc": self.dc, "dp": self.dp, "db": self.db}
        what = {
            "ds": "parameters",
            "dc": "saturated model",
            "dp": self.counts.pairwise_text,
            "db": f"the least of them: {', '.join(self.attained)}",
        }
        rows = [(name, "—" if value is None else format_integer(value), what[name]) for name, value in numbers.items()]
        yield TableBlock(("", "", "what it is"), tuple(rows), caption=cut_cell(to_text(self.model)))
        yield Paragraph("regular" if self.regular else f"not regular: equivalent to {self.equivalent}")
        yield from (Paragraph(text) for text in (str(self.identifiability or ""), self.note) if text)

    def _tabulate(self) -> Frame:
        found = self.identifiability
        return make_frame(
            [
                {
                    "model": to_text(self.model),
                    "ds": self.ds,
                    "dc": self.dc,
                    "dp": self.dp,
                    "db": self.db,
                    "attained": self.attained,
                    "regular": self.regular,
                    "dimension": None if found is None else found.dimension,
                    "identifiability": None if found is None else found.word,
                }
            ]
        )

    def lines(self) -> list[str]:
        further = (str(self.identifiability or ""), self.note, describe_untried(self.untried))
        return [*self.counts.lines(), *filter(None, further)]

    def to_dict(self) -> dict[str, Any]:
        word = None if self.identifiability is None else self.identifiability.to_dict()
        untried = [one.to_dict() for one in self.untried]
        return {**self.counts.to_dict(), "identifiability": word, "note": self.note, "not_tried": untried}


@check_arguments
def bounds(
    model: ModelLike,
    *,
    format: str | None = None,  # noqa: A002
    hidden: Iterable[str] = (),
    rank: bool = True,
    seed: int | str = 0,
    max_memory: int | str | None = None,
    max_seconds: float | None = None,
) -> BoundsReport:
    """KZ02's bounds of a latent class model with free tables.

    Parameters
    ----------
    model : text, path, dictionary, graph or model
        Whatever `algdim.model` reads.
    format : str, optional
        How a file or a text is written, such as "lavaan" or "dagitty"; without it the suffix of a path tells.
    hidden : names
        Variables that are not observed, in addition to those that the model declares hidden.
    rank : bool
        Whether the dimension is computed, which says what is identifiable.
    seed : int or str
        The seed of all draws; "random" takes one from the system.
    max_memory : int or str, optional
        Bytes that may be used, as a number or as "4G"; half of the machine's memory without it.
    max_seconds : float, optional
        Seconds for searches that only sharpen a proof, together; 120 without it. No rank is ended by it.

    Returns
    -------
    BoundsReport
        The numbers ds, dc, dp and db, and what is identifiable.

    Examples
    --------
    >>> found = bounds("4:3,3,3")
    >>> found.ds, found.dc, found.dp, found.db, found.attained
    (27, 26, 26, 26, ('dc', 'dp'))
    >>> found.identifiability.dimension
    25
    """
    from algdim.readers.anything import read_model

    counts = compute_latent_class_bounds(
        replace_by_free_tables(
            require_model(
                read_model(model, format=format, hidden=hidden), Network, "KZ02's bounds are for discrete models"
            )
        )[0]
    )
    if not rank:
        return BoundsReport(counts)
    with allow(max_seconds, max_memory) as allowance:
        known = len(allowance.untried)
        try:
            word = derive_identifiability(counts.model, seed=seed, max_memory=max_memory)
            return BoundsReport(counts, word, untried=allowance.since(known))
        except LimitError as error:
            found = compare_with_bound(counts.standard, *counts.at_most)
            what = "identifiability not decided" if found is None else "dimension not computed"
            return BoundsReport(counts, found, f"{what}: {error}", allowance.since(known))
