"""One task: a model is examined and becomes a row of plain values, whatever happens."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from math import inf
from time import perf_counter
from typing import Any

from algdim.about import VERSION
from algdim.display.results import drop_times
from algdim.errors import AlgdimError, LimitError

DONE, FAILED, REFUSED, TIMEOUT, MEMORY, DIED = "done", "failed", "refused", "timeout", "memory", "died"
"""What can become of a model: a report; an error; a limit; too slow; too large; its process was killed or has crashed."""

MOST_MESSAGE = 500
MOST_INTEGER = (1 << 63) - 1

Row = dict[str, Any]

INTEGERS = "standard complete dimension lower upper redundant defect pairwise_bound best_bound parts".split()
TRUTHS = ["exact"]
NUMBERS = ["error", "seconds"]
TEXTS = "family status lower_status upper_status lower_kind upper_kind method".split()
COLUMNS: Mapping[str, str] = {
    "hash": "TEXT",
    "number": "INTEGER",
    "model": "TEXT",
    "outcome": "TEXT",
    "message": "TEXT",
    **dict.fromkeys(TEXTS, "TEXT"),
    **dict.fromkeys(INTEGERS, "INTEGER"),
    **dict.fromkeys(TRUTHS, "INTEGER"),
    **dict.fromkeys(NUMBERS, "REAL"),
    "seed": "TEXT",
    "version": "TEXT",
    "certificate": "TEXT",
    "report": "TEXT",
}
"""The columns of a store and their types in SQLite; those of a report have the names that `algdim table` gives them."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What is done with every model of a sweep."""

    seed: int | str = 0
    method: str = "auto"
    bounds: str = "auto"
    certificates: bool = False
    timeout: float | None = None
    max_memory: int | None = None
    max_seconds: float | None = None
    """For searches that only sharpen a proof; no limit, unless one is given, so that rows are the same on every machine."""

    def to_dict(self) -> dict[str, Any]:
        """The settings as plain values."""
        return asdict(self)


def compute_model_hash(text: str) -> str:
    """The identity of a model: the SHA-256 of its text in the notation.

    >>> compute_model_hash("2:2,2")[:12]
    'c084beab38fd'
    """
    return sha256(text.encode()).hexdigest()


def make_row(text: str, settings: Settings, outcome: str, message: str = "", **more: Any) -> Row:
    """A row with nothing but what is known of every model."""
    known = {"hash": compute_model_hash(text), "model": text, "outcome": outcome, "message": message[:MOST_MESSAGE]}
    return {**dict.fromkeys(COLUMNS), **known, "seed": str(settings.seed), "version": VERSION, **more}


def name_outcome(error: AlgdimError) -> str:
    """What becomes of a model with this error: a limit, or a failure."""
    return REFUSED if isinstance(error, LimitError) else FAILED


def compute_row(text: str, settings: Settings) -> Row:
    """Examine a model; whatever goes wrong is said in the row.

    >>> row = compute_row("2:2,2", Settings())
    >>> row["outcome"], row["dimension"], row["exact"]
    ('done', 3, True)
    >>> compute_row("2:2,2,", Settings())["outcome"]
    'failed'
    """
    began = perf_counter()
    try:
        found = compute_report_columns(text, settings)
    except AlgdimError as error:
        found = make_row(text, settings, name_outcome(error), str(error))
    except MemoryError:
        found = make_row(text, settings, MEMORY, "out of memory; allow more (--max-memory)")
    except Exception as error:  # noqa: BLE001  # a bug met by one model must not take the others with it
        found = make_row(text, settings, FAILED, f"{type(error).__name__}: {error}")
    return {**found, "seconds": perf_counter() - began}


def compute_report_columns(text: str, settings: Settings) -> Row:
    """The row of a model that can be examined."""
    from algdim.report import dimension
    from algdim.tables.spec import CHEAP, QUANTITIES, ReportRow

    report = dimension(
        text,
        method=settings.method,
        bounds=settings.bounds,
        seed=settings.seed,
        max_memory=settings.max_memory,
        max_seconds=inf if settings.max_seconds is None else settings.max_seconds,
    )
    entry = ReportRow(text, text, report)
    columns = {name: convert_to_column(QUANTITIES[name](entry)) for name in CHEAP if name in COLUMNS}
    proof = write_certificate(report, settings) if settings.certificates and report.exact else None
    return {
        **make_row(text, settings, DONE),
        **columns,
        "model": text,
        "report": json.dumps(drop_times(report.to_dict()), ensure_ascii=False),
        "certificate": proof,
    }


def write_certificate(report: Any, settings: Settings) -> str | None:
    """The text of the certificate, if the format knows the evidence."""
    from algdim.certificate.exporting import NotProvedError, prove_prepared_model
    from algdim.memory import choose_memory_limit

    try:
        return prove_prepared_model(report.preparation, report.seed, choose_memory_limit(settings.max_memory)).text
    except (NotProvedError, LimitError):
        return None


def convert_to_column(value: Any) -> Any:
    """A value for a column; whole numbers beyond 64 bits stand in the report only."""
    return None if isinstance(value, int) and abs(value) > MOST_INTEGER else value
