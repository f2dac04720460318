"""What can stand in a column: the quantities of a report, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256

from algdim.errors import AlgdimError
from algdim.report import Report

Value = int | float | str | None


@dataclass(frozen=True, slots=True)
class Row:
    """A model with the name that it has in the table, and its report."""

    label: str
    text: str
    report: Report


def certificate_id(row: Row) -> Value:
    """The first sixteen digits of the SHA-256 of the certificate that `algdim prove` writes, or nothing."""
    from algdim.certificate.exporting import prove

    try:
        certificate = prove(row.report.model, seed=row.report.seed)
    except AlgdimError:  # not every proof can be exported; the column then says nothing
        return None
    return sha256(certificate.text.encode()).hexdigest()[:16]


QUANTITIES: Mapping[str, Callable[[Row], Value]] = {
    "label": lambda row: row.label,
    "model": lambda row: row.text,
    "family": lambda row: str(row.report.model.family),
    "standard": lambda row: row.report.standard,
    "complete": lambda row: row.report.complete,
    "dimension": lambda row: row.report.dimension,
    "exact": lambda row: row.report.exact,
    "status": lambda row: str(row.report.trust),
    "lemmas": lambda row: ", ".join(row.report.trust.lemmas) or None,
    "lower": lambda row: row.report.lower.value,
    "upper": lambda row: row.report.upper.value,
    "lower_status": lambda row: row.report.lower.status,
    "upper_status": lambda row: row.report.upper.status,
    "lower_kind": lambda row: row.report.lower.kind,
    "upper_kind": lambda row: row.report.upper.kind,
    "error": lambda row: row.report.upper.error,
    "redundant": lambda row: row.report.redundant,
    "defect": lambda row: row.report.defect,
    "pairwise_bound": lambda row: row.report.pairwise_bound,
    "best_bound": lambda row: row.report.best_bound,
    "parts": lambda row: len(row.report.parts),
    "method": lambda row: row.report.method,
    "seconds": lambda row: row.report.seconds,
    "certificate": certificate_id,
}
CHEAP = tuple(name for name in QUANTITIES if name != "certificate")
"""What a condition can ask for."""
