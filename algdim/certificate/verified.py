"""Certificates checked by Coq: `algdim verify --verified` asks proofs/coq/verify.py of the project's folder."""

from __future__ import annotations

from functools import cache
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any

from algdim.certificate.verifying import Verification
from algdim.errors import InputError

FOLDER = Path(__file__).resolve().parents[2] / "proofs" / "coq"

NO_FOLDER = (
    "the proofs that Coq checks are not installed with algdim: take the project's source archive and run `make coq` in its "
    "folder, then `algdim verify --verified` there; `algdim verify` without --verified needs none of this"
)


@cache
def load_coq_program() -> Any:
    """The program that lets Coq check certificates; an error that says what is missing."""
    path = FOLDER / "verify.py"
    if not path.exists():
        raise InputError(NO_FOLDER)
    loader = SourceFileLoader("algdim_coq_verify", str(path))
    module = ModuleType(loader.name)
    module.__file__ = loader.path
    loader.exec_module(module)
    return module


def verify_by_coq(path: str) -> Verification:
    """What Coq says of the certificate in a file; an error if Coq or the compiled proofs are missing."""
    asked = load_coq_program()
    lacking = asked.missing()
    if lacking:
        raise InputError(f"{lacking}; `algdim verify` without --verified needs neither")
    try:
        return Verification(*asked.verdict(Path(path).read_bytes()))
    except OSError as error:
        return Verification(2, f"unreadable: {error.strerror}")
