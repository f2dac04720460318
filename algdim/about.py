"""The version of the package and of its documents, known to every stage."""

VERSION = "1.0.0"

REPORT_SCHEMA = 1
"""The form of the JSON report."""
