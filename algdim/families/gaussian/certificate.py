"""Evidence about Gaussian models: minors of the Jacobian, constants and trek separation, moves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from algdim.bound.bounds import Bound
from algdim.bound.strategy import Finding
from algdim.certificate import checker
from algdim.certificate.equations import equations_node
from algdim.families.gaussian.map import GaussianMap
from algdim.families.gaussian.model import Entry, entry_text

Node = dict[str, Any]


def drawn(evidence: Mapping[str, Any]) -> Node:
    """The prime and the text of the point's stream."""
    return {"prime": evidence["prime"], "point": f"algdim 1|{evidence['seed']}|point|{evidence['point']}"}


def plain(model: checker.Gaussian, gmap: GaussianMap, bound: Bound, finding: Finding) -> Node:  # noqa: ARG001
    """Evidence that the checker needs nothing for."""
    return {"kind": bound.kind, "value": bound.value}


def minors(model: checker.Gaussian, gmap: GaussianMap, bound: Bound, finding: Finding) -> Node:
    """Constant coordinates, and matrices with pairs of kernel vectors, as many as are needed."""
    evidence = bound.evidence
    numbers = {frozenset(pair): number for number, pair in enumerate(model.pairs())}
    named = [*evidence.get("zeros", ()), *evidence.get("constants", ())]
    constants = sorted(numbers[frozenset(pair)] for pair in named)
    if "minors" in evidence:
        at = drawn(evidence)
    else:  # constants need no point, but the format has one
        best = finding.draws[0]
        at = {"prime": best.prime, "point": best.streams[0]}
    names = ("rows", "columns", "left", "right")
    items = ({key: list(told[key]) for key in names} for told in evidence.get("minors", ()))
    node = equations_node(model, at["prime"], at["point"], constants, items, gmap.complete - bound.value)
    return {"kind": "equations", "value": bound.value, **node}


def moves(model: checker.Gaussian, gmap: GaussianMap, bound: Bound, finding: Finding) -> Node:  # noqa: ARG001 (finding)
    """Fields as sums of moves."""
    entries = {entry_text(entry): entry for entry in gmap.model.entries}
    fields = [[part for move in field for part in parts_of(model, entries, move)] for field in bound.evidence["fields"]]
    return {"kind": "symmetry", "value": bound.value, **drawn(bound.evidence), "fields": fields}


def place_of(entry: Entry) -> tuple[str, str, str]:
    """Where an entry stands in the checker's matrices.

    >>> place_of(("c", "A", "B")), place_of(("m", "A"))
    (('O', 'A', 'B'), ('m', 'A', '1'))
    """
    kind, *names = entry
    return ("m", names[0], "1") if kind == "m" else ("B" if kind == "b" else "O", names[0], names[-1])


def parts_of(model: checker.Gaussian, entries: Mapping[str, Entry], move: Mapping[str, Any]) -> list[Node]:
    """A move as the format has it: factors are parameters, and both sides of an equation are two moves."""
    factor = move.get("factor")
    entry = model.entries[place_of(entries[factor])] if factor is not None else None
    kinds = ["equation", "substitution"] if move["move"] == "both" else [move["move"]]
    of = [*move["of"], "1"] if move["move"] == "mean" else list(move["of"])
    if isinstance(entry, str):
        return [{"move": k, "of": of, "coefficient": move["coefficient"], "factor": [entry]} for k in kinds]
    number = Fraction(move["coefficient"]) * (1 if entry is None else entry)
    return [{"move": k, "of": of, "coefficient": str(number), "factor": []} for k in kinds]


Writer = Callable[[checker.Gaussian, GaussianMap, Bound, Finding], Node]

UPPER: Mapping[str, Writer] = {"counting": plain, "ambient": plain, "minors": minors, "symmetry": moves}
"""By the kinds of bounds of Gaussian models."""
