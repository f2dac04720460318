"""Let Coq check certificates: python3 -I -S verify.py FILE...

One line for each file and the worst of the exit codes: 0 accepted by Coq, 1 refused by Coq, 2 not formalised, unreadable,
or Coq is not there. Coq and the compiled files in build/coq are needed: `make coq` says what is missing and makes them.

`verify.py --published ROWS` checks those certificates in ../certificates that are formalised and have minors of at most this
many rows, and says how many; the exit code is 0 if none is refused.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from contextlib import suppress
from functools import cache
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

HERE = Path(__file__).resolve().parent
BUILD = HERE.parent.parent / "build" / "coq"
SECONDS = 1200
TOGETHER = 12
NEEDED = "Coq 8.16 with MathComp 1.15 and its multinomials (Debian: apt-get install coq libcoq-mathcomp libcoq-mathcomp-multinomials)"
CLOSED = "Closed under the global context"
REFUSED = 'while it is expected to have type "check the_certificate = true"'


def loaded(name: str) -> Any:
    """A program beside this file."""
    loader = SourceFileLoader(f"coq_{name}", str(HERE / f"{name}.py"))
    module = ModuleType(loader.name)
    module.__file__ = loader.path
    loader.exec_module(module)
    return module


def missing() -> str:
    """What is missing to let Coq check a certificate, in a sentence; nothing if all is there."""
    if shutil.which("coqc") is None:
        return f"coqc is not on the path; {NEEDED} is needed"
    if not (BUILD / "Check.vo").exists():
        return f"the proofs are not compiled, {BUILD} has no Check.vo; `make coq` in the project's folder does it"
    return ""


@cache
def axioms() -> str:
    """What the theorem that everything rests on assumes beyond Coq's logic; nothing if it assumes nothing."""
    with tempfile.TemporaryDirectory() as folder:
        _, printed = compiled("From Algdim Require Check. Print Assumptions Check.check_sound.\n", folder)
    return (
        ""
        if printed.split() == CLOSED.split()
        else f"the theorem check_sound is not closed: {' '.join(printed.split())[-200:]}"
    )


def compiled(text: str, folder: str) -> tuple[int, str]:
    """The exit code of coqc for a file, and what it printed."""
    file = Path(folder) / "Certificate.v"
    file.write_text(text, encoding="utf-8")
    command = ["coqc", "-q", "-w", "none", "-Q", str(BUILD), "Algdim", file.name]
    done = subprocess.run(  # noqa: S603 - coqc, on a file of numbers
        command, cwd=folder, capture_output=True, text=True, timeout=SECONDS, check=False, encoding="utf-8"
    )
    return done.returncode, done.stdout + done.stderr


class Read(NamedTuple):
    """A certificate as definitions of Coq; ``unknown``: the reason why some of its evidence is not that of the file."""

    text: str
    dimension: int
    unknown: str | None


def read(data: bytes, most: int | None = None) -> Read | str:
    """A certificate for Coq, or the reason in one line why there is none."""
    translate = loaded("translate")
    unknown = None
    try:
        try:
            text = translate.defined(data, most)
        except translate.UnknownKind as reason:
            text, unknown = translate.defined(data, most, anew=True), str(reason)
    except translate.Unformalised as reason:
        return f"not formalised: {reason}"
    except translate.check().Refused as reason:
        return f"{reason.word}: {reason}"
    return Read(text, translate.check().parsed(data)["claim"]["dimension"], unknown)


def accepted(found: Read) -> str:
    """What is said of a certificate that Coq accepts."""
    return f"accepted by Coq{'' if found.unknown is None else ', by other evidence'}: dimension {found.dimension}"


def verdict(data: bytes, most: int | None = None) -> tuple[int, str]:
    """The exit code for a certificate, and the reason in one line."""
    found = read(data, most)
    if isinstance(found, str):
        return 2, found
    lacking = missing() or axioms()
    if lacking:
        return 2, lacking
    translate = loaded("translate")
    with tempfile.TemporaryDirectory() as folder:
        try:
            code, printed = compiled(f"{translate.HEAD}\n{found.text}{translate.THEOREM}", folder)
        except subprocess.TimeoutExpired:
            return 2, f"Coq has not ended after {SECONDS} seconds"
    if code == 0 and not printed:
        return 0, accepted(found)
    if REFUSED in " ".join(printed.split()) and found.unknown is not None:
        return 2, f"not formalised: {found.unknown}, and other evidence was not found"
    if REFUSED in " ".join(printed.split()):
        return 1, "refused by Coq: the evidence does not show the claim"
    return 2, f"Coq stopped: {' '.join(printed.split())[-200:]}"


def verdicts(certificates: list[bytes], most: int) -> list[tuple[int, str]]:
    """The same of several at once, which saves the loading of the libraries; one by one if Coq does not accept them all."""
    known = [read(data, most) for data in certificates]
    translate = loaded("translate")
    texts = [
        f"Module M{number}.\n{found.text}{translate.THEOREM}End M{number}.\n"
        for number, found in enumerate(known)
        if isinstance(found, Read)
    ]
    if not (missing() or axioms()):
        with tempfile.TemporaryDirectory() as folder, suppress(subprocess.TimeoutExpired):
            if compiled(translate.HEAD + "".join(texts), folder) == (0, ""):
                return [(2, found) if isinstance(found, str) else (0, accepted(found)) for found in known]
    return [verdict(data, most) for data in certificates]


def show(path: str, code: int, reason: str) -> int:
    """Print the line of a file; return the code."""
    print(f"{path}: {reason}".encode("ascii", "backslashreplace").decode(), flush=True)
    return code


def published(most: int) -> int:
    """Check the published certificates that are formalised and not too large."""
    files = sorted((HERE.parent / "certificates").glob("*.json"))
    codes = []
    for first in range(0, len(files), TOGETHER):
        some = files[first : first + TOGETHER]
        for file, (code, reason) in zip(some, verdicts([file.read_bytes() for file in some], most), strict=True):
            if not reason.startswith("not formalised"):
                codes.append(show(file.name, code, reason))
    print(f"{codes.count(0)} of {len(files)} certificates accepted by Coq; minors of at most {most} rows")
    return max(codes, default=2)


def main(words: list[str]) -> int:
    """Check files; the exit code is the worst."""
    if words[:1] == ["--published"] and len(words) == 2 and words[1].isdigit():
        return published(int(words[1]))
    if not words or words[0].startswith("--"):
        print(__doc__)
        return 2
    worst = 0
    for path in words:
        try:
            code, reason = verdict(Path(path).read_bytes())
        except OSError as error:
            code, reason = 2, f"unreadable: {error.strerror}"
        worst = max(worst, show(path, code, reason))
    return worst


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
