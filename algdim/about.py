"""The version of the package and of its documents, known to every stage."""

VERSION = "1.0.0"

RELEASED = "2026-11-18"
"""The day of that version."""

REPORT_SCHEMA = 1
"""The form of the JSON report."""
