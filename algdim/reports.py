"""Reports of several models, which are also a table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from algdim.arguments import check_arguments
from algdim.display.blocks import Block, TableBlock
from algdim.display.results import Frame, Plain, Result, cut_cell, cut_rows
from algdim.errors import InputError, LimitError, join_names
from algdim.figures import cut_text, format_count, format_integer
from algdim.models.notation import to_text
from algdim.report import COLUMNS, Report, dimension

if TYPE_CHECKING:
    from algdim.readers.anything import ModelLike


@dataclass(frozen=True, slots=True, repr=False)
class Reports(Result, Plain):
    """The reports of several models, in their order: a sequence that is also a table.

    Attributes
    ----------
    reports
        The reports.
    to_dict, to_pandas, to_polars, document, lines
        The result for JSON, as data frames, as a document of tables and figures, and as the lines that `print` shows.

    Examples
    --------
    >>> dimensions(["2:2,2", "2:2,2,2"])
    Reports(2 models: 2:2,2 has 3, 2:2,2,2 has 7)
    """

    reports: tuple[Report, ...]

    def __len__(self) -> int:
        """The number of models."""
        return len(self.reports)

    def __iter__(self) -> Iterator[Report]:
        """The reports one by one."""
        return iter(self.reports)

    def __getitem__(self, place: int) -> Report:
        """One report."""
        return self.reports[place]

    def _summarise(self) -> str:
        if not self.reports:
            return "no models"
        shown = join_names((f"{cut_text(to_text(one.model), 40)} has {one.dimension}" for one in self.reports), most=4)
        return f"{format_count(len(self), 'model')}: {shown}"

    def _show(self) -> Iterator[Block]:
        rows = [
            (
                cut_cell(to_text(one.model)),
                f"{one.dimension} ({one.trust})",
                format_integer(one.standard),
                format_integer(one.complete),
                "" if one.df is None else format_integer(one.df),
            )
            for one in self.reports
        ]
        yield TableBlock(("model", "dimension", "parameters", "saturated", "df"), cut_rows(rows))

    def _tabulate(self) -> Frame:
        return Frame(COLUMNS, tuple(row for one in self.reports for row in one._tabulate().rows))  # noqa: SLF001

    def lines(self) -> list[str]:
        return [one._summarise() for one in self.reports]  # noqa: SLF001


@check_arguments
def dimensions(
    models: Iterable[ModelLike],
    *,
    format: str | None = None,  # noqa: A002
    hidden: Iterable[str] = (),
    method: str = "auto",
    bounds: str | Sequence[str] = "auto",
    seed: int | str = 0,
    max_memory: int | str | None = None,
    max_seconds: float | None = None,
) -> Reports:
    """The effective dimensions of several models, as a table.

    Parameters
    ----------
    models : list
        Models as `algdim.model` reads them. One that cannot be read is an error that says its place.
    format : str, optional
        How a file or a text is written, such as "lavaan" or "dagitty"; without it the suffix of a path tells.
    hidden : names
        Variables that are not observed, in addition to those that the model declares hidden.
    method : str
        How ranks are taken; "auto" chooses. An unknown name is an error that lists those known.
    bounds : str or list of str
        The upper bounds that may be tried, such as "counting,ambient"; "no-proof" leaves out all that search.
    seed : int or str
        The seed of all draws; "random" takes one from the system.
    max_memory : int or str, optional
        Bytes that may be used, as a number or as "4G"; half of the machine's memory without it.
    max_seconds : float, optional
        Seconds, of each model, for searches that only sharpen a proof; 120 without it. No rank is ended by it.

    Returns
    -------
    Reports
        A sequence of reports, which `to_pandas` and `to_polars` make a data frame.

    Examples
    --------
    >>> found = dimensions(["2:2,2,2", "3:2,2,2,2"])
    >>> [report.dimension for report in found]
    [7, 13]
    >>> found.to_pandas()["df"].tolist()
    [0, 2]
    """
    if isinstance(models, str) or not isinstance(models, Iterable):
        raise InputError("the models of `dimensions` are expected as a list; `dimension` takes a single model")
    found = []
    for number, one in enumerate(models, 1):
        try:
            found.append(
                dimension(
                    one,
                    format=format,
                    hidden=hidden,
                    method=method,
                    bounds=bounds,
                    seed=seed,
                    max_memory=max_memory,
                    max_seconds=max_seconds,
                )
            )
        except (InputError, LimitError) as error:
            kind = LimitError if isinstance(error, LimitError) else InputError
            raise kind(f"model {number} of the list: {error}") from error
    return Reports(tuple(found))
