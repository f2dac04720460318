"""Entry point to the papers' package: the engine knows of it here and nowhere else.

`algdim_papers` stands upon the engine and is installed with it. The engine works without it, but for what it offers.
"""

from __future__ import annotations

from types import ModuleType

from algdim.errors import InputError

MISSING = (
    "the papers' numbers and tables are in the package algdim_papers, which is installed with algdim and is missing here; "
    "install algdim again: python3 -m pip install --force-reinstall --no-deps algdim"
)


def load_papers() -> ModuleType:
    """What the papers' package offers, `algdim_papers.offer`; an error if the package is not installed."""
    try:
        from algdim_papers import offer
    except ModuleNotFoundError as error:
        if error.name != "algdim_papers":
            raise
        raise InputError(MISSING) from None
    return offer
