"""Golden numbers: what the papers print, and what others found where the print is wrong; each with its source."""

import tomllib
from pathlib import Path

FOLDER = Path(__file__).parent / "golden"


def golden(name):
    """The numbers of one file."""
    numbers = tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))["number"]
    assert all(number["source"] for number in numbers)
    return numbers


GHM96, KZ02, CORRECTED = golden("ghm96"), golden("kz02"), golden("corrected")
BOLTZMANN = golden("boltzmann")
