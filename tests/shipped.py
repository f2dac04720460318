"""Files that pgmpy ships: versions up to 1.0 have networks and graphs among their example models."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path

import pytest


def shipped_files(suffix):
    """The example models with this suffix, or one parameter that is skipped, which says what is missing.

    The folder named by PGMPY_MODELS takes the place of the installed package's.
    """
    spec = find_spec("pgmpy")
    place = Path(spec.origin).parent / "utils/example_models" if spec is not None and spec.origin else None
    folder = Path(os.environ.get("PGMPY_MODELS", place or "none"))
    files = sorted(folder.glob(f"*{suffix}"))
    missing = f"pgmpy is not installed, or a version that ships no {suffix} (pgmpy 1.0 does)"
    return files or [pytest.param(Path("none"), marks=pytest.mark.skip(reason=missing))]
