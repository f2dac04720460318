"""The packages of the project, for tests that read every module."""

from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = FACADE, PAPERS = "algdim", "algdim_papers"
"""The engine, and the papers next door."""


def modules(root=ROOT):
    """The files of all modules."""
    return sorted(file for package in PACKAGES for file in (root / package).rglob("*.py"))


def claims_files():
    """The files of claims, one for each paper."""
    files = sorted(ROOT.glob("algdim_papers/claims/*.toml"))
    assert files
    return files
