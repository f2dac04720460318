"""The version of the package and of its documents, known to every stage."""

VERSION = "0.1.0"

REPORT_SCHEMA = 1
"""The form of the JSON report."""
