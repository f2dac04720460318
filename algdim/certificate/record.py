"""The record of a certificate, and its text."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from algdim.display.blocks import Block, TableBlock
from algdim.display.results import Frame, Result, cut_cell, make_frame
from algdim.figures import format_integer
from algdim.wholefiles import write_text


@dataclass(frozen=True, slots=True, repr=False)
class Certificate(Result):
    """A certificate as plain data: the claim, and the evidence for it.

    Attributes
    ----------
    data
        What the file holds, as a dictionary.
    dimension
        The dimension that is proved.
    text
        The text of the file.
    save
        Writes the file, completely or not at all.
    to_pandas, to_polars
        The claim as data frames.

    Examples
    --------
    >>> from algdim.certificate.exporting import prove
    >>> prove("2:2,2").dimension
    3
    """

    data: dict[str, Any]

    @property
    def dimension(self) -> int:
        """The dimension that is proved."""
        value: int = self.data["claim"]["dimension"]
        return value

    @property
    def text(self) -> str:
        """The file's text; lists of numbers and names stand on one line."""
        return write_json(self.data) + "\n"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the file: completely or not at all."""
        write_text(path, self.text)

    def _summarise(self) -> str:
        return str(self)

    def _show(self) -> Iterator[Block]:
        claim, evidence = self.data["claim"], self.data["evidence"]
        rows = [(name, format_integer(claim[name])) for name in ("dimension", "standard", "complete")]
        rows += [(f"{side} bound by", str(evidence[side]["kind"])) for side in ("lower", "upper")]
        yield TableBlock((), tuple(rows), caption=f"a certificate in the format {cut_cell(str(self.data['format']))}")

    def _tabulate(self) -> Frame:
        claim, evidence = self.data["claim"], self.data["evidence"]
        numbers = {name: claim[name] for name in ("dimension", "standard", "complete")}
        return make_frame([numbers | {side: evidence[side]["kind"] for side in ("lower", "upper")}])

    def __str__(self) -> str:
        """One line."""
        claim, evidence = self.data["claim"], self.data["evidence"]
        return (
            f"dimension {claim['dimension']}, standard {format_integer(claim['standard'])}, complete {format_integer(claim['complete'])}: "
            f"{evidence['lower']['kind']} and {evidence['upper']['kind']}"
        )


def write_json(value: Any, indent: str = "") -> str:
    """JSON with one line for each member, but lists without objects on one line."""
    deeper = indent + " "
    if isinstance(value, dict) and any(isinstance(inner, dict | list) for inner in value.values()):
        lines = [f"{deeper}{json.dumps(key)}: {write_json(inner, deeper)}" for key, inner in value.items()]
        return "{\n" + ",\n".join(lines) + f"\n{indent}}}"
    if isinstance(value, list) and any(isinstance(inner, dict) for inner in value):
        return "[\n" + ",\n".join(deeper + write_json(inner, deeper) for inner in value) + f"\n{indent}]"
    return json.dumps(value, ensure_ascii=False)
