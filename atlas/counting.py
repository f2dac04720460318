"""How many parameters of the models of the atlas are identified; what was counted is appended to a store, so that a run goes on."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from time import monotonic
from typing import Any

import algdim
from algdim.identifiability.identifying import decide_parameters
from algdim.sweeping.lookup import PROBABLE
from atlas.tables import open_found

COUNTED = ("model", "identified")


def count_identified(text: str) -> str:
    """How many parameters are locally identified at almost every point, with a word if that is not proved of each."""
    verdicts = decide_parameters(algdim.model(text))
    count = sum(verdict.identifiable is True for verdict in verdicts)
    return str(count) if all(verdict.trust.is_proved for verdict in verdicts) else f"{count} {PROBABLE}"


def count_all_identified(
    entries: Sequence[dict[str, Any]], chosen: Collection[str], store: Path, seconds: float
) -> int:
    """Fill the column of entries that lack it, from the store, then until the time is over; how many of them are left."""
    until = monotonic() + seconds
    waiting = [entry for entry in entries if entry["class"] in chosen and not entry["identified"]]
    with open_found(store, COUNTED) as (rows, append):
        known = {row["model"]: row["identified"] for row in rows}
        for entry in waiting:
            text = entry["model"]
            if text not in known and monotonic() < until:
                known[text] = count_identified(text)
                append({"model": text, "identified": known[text]})
            entry["identified"] = known.get(text, "")
    return sum(not entry["identified"] for entry in waiting)
