"""The record of a certificate, and its text."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import Any

from algdim.figures import format_integer
from algdim.wholefiles import write_text


@dataclass(frozen=True, slots=True)
class Certificate:
    """A certificate as plain data: the claim, and the evidence for it."""

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

    def __str__(self) -> str:
        """One line."""
        claim, evidence = self.data["claim"], self.data["evidence"]
        return (
            f"dimension {claim['dimension']}, parameters {format_integer(claim['standard'])}, saturated {format_integer(claim['complete'])}: "
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
