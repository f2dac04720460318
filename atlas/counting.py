"""How many parameters of the models of the atlas are identified; what was counted is appended to a store, so that a run goes on."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np

import algdim
from algdim.analysis import Prepared
from algdim.exact.draws import draw_seed
from algdim.families.discrete.bounds.pairwise import find_free_latent_class
from algdim.families.discrete.model import Network
from algdim.identifiability.identifying import decide_parameters
from algdim.identifiability.kernels import choose_pieces
from algdim.identifiability.rowspaces import make_point_source
from algdim.memory import choose_memory_limit
from algdim.sweeping.lookup import PROBABLE
from atlas.tables import open_found

COUNTED = ("model", "identified")
NOTHING = "0"


def count_identified(entry: Mapping[str, Any]) -> str:
    """How many parameters are locally identified at almost every point, with a word if that is not proved of each."""
    count = count_at_point(entry) if entry["status"] == "proved" else None
    return count_by_verdicts(entry["model"]) if count is None else str(count)


def count_at_point(entry: Mapping[str, Any]) -> int | None:
    """The same of a model whose dimension is proved, by the kernel of one Jacobian; ``None`` where that leaves something open.

    What a vector of the kernel changes at a point of full rank is not identifiable. In a piece with parameters of its own in which
    none changes anything, the columns are independent, and all of them are (lemma "parameters"). It is left open if some of a piece change.

    >>> count_at_point({"model": "H -> X1, X2; X1 -> X3; hidden H", "dimension": "5"})
    2
    """
    prepared = Prepared(algdim.model(entry["model"]))
    pmap = prepared.whole_map
    seen = make_point_source(pmap, draw_seed(0), choose_memory_limit(None)).at(0)
    if seen.rank != int(entry["dimension"]):
        return None
    moved = frozenset(np.flatnonzero(seen.kernel.moved_columns).tolist())
    kept = [piece.places for piece in choose_pieces(prepared).parts if moved.isdisjoint(piece.places)]
    count = sum(map(len, kept))
    return count if count + len(moved) == len(pmap.parameters) else None


def count_by_verdicts(text: str) -> str:
    """The same of any model."""
    verdicts = decide_parameters(algdim.model(text))
    count = sum(verdict.identifiable is True for verdict in verdicts)
    return str(count) if all(verdict.trust.is_proved for verdict in verdicts) else f"{count} {PROBABLE}"


def count_all_identified(
    entries: Sequence[dict[str, Any]], chosen: Collection[str], store: Path, seconds: float
) -> int:
    """Fill the column of entries that lack it, from the store, then until the time is over; how many of them are left.

    With more classes than leave nothing identified nothing is (lemma "parameters" (h)): of each format few are counted.
    """
    until = monotonic() + seconds
    waiting = [entry for entry in entries if entry["class"] in chosen and not entry["identified"]]
    shapes = {entry["model"]: find_shape(entry["model"]) for entry in waiting}
    lost: set[tuple[int, ...]] = set()
    with open_found(store, COUNTED) as (rows, append):
        known = {row["model"]: row["identified"] for row in rows}
        for entry in sorted(waiting, key=lambda one: shapes[one["model"]]):
            text, (_, items) = entry["model"], shapes[entry["model"]]
            if items in lost:
                known[text] = NOTHING
            elif text not in known and monotonic() < until:
                known[text] = count_identified(entry)
                append({"model": text, "identified": known[text]})
            entry["identified"] = known.get(text, "")
            if items and entry["identified"] == NOTHING:
                lost.add(items)
    return sum(not entry["identified"] for entry in waiting)


def find_shape(text: str) -> tuple[int, tuple[int, ...]]:
    """The classes and the items of a latent class model with free tables, in order of their states; of others no items.

    >>> find_shape("3:4,2,2"), find_shape("X -> Y")
    ((3, (2, 2, 4)), (0, ()))
    """
    model = algdim.model(text)
    classes, items = (find_free_latent_class(model) if isinstance(model, Network) else None) or (0, ())
    return classes, tuple(sorted(items))
