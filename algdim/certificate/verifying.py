"""Certificates: the record, and its verification by the checker that is shipped beside algdim as proofs/check.py.

`algdim verify --verified` asks Coq as well, by proofs/coq/verify.py of the project's folder.
"""

from __future__ import annotations

import json
import os
from collections.abc import Container, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any

from algdim.certificate import checker
from algdim.display.blocks import Block, TableBlock
from algdim.display.results import Frame, Result, cut_cell, make_frame
from algdim.errors import InputError, describe_type, describe_value
from algdim.families import find_verifying
from algdim.figures import format_integer
from algdim.trust import Trust, proved_by
from algdim.wholefiles import write_text


@dataclass(frozen=True, slots=True, repr=False)
class Certificate(Result):
    """A certificate as plain data: the claim, and the evidence for it.

    Attributes
    ----------
    data
        What the file holds, as a dictionary.
    dimension
        The dimension that is proved.
    text
        The text of the file.
    save
        Writes the file, completely or not at all.
    to_pandas, to_polars, document, lines
        The claim as data frames, as a document, and as the line that `print` shows.

    Examples
    --------
    >>> from algdim.certificate.exporting import prove
    >>> prove("2:2,2").dimension
    3
    """

    data: dict[str, Any]

    @property
    def dimension(self) -> int:
        """The dimension that is proved."""
        value: int = self.data["claim"]["dimension"]
        return value

    @property
    def text(self) -> str:
        """The file's text; lists of numbers and names stand on one line."""
        return write_json(self.data) + "\n"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the file: completely or not at all."""
        write_text(path, self.text)

    def _show(self) -> Iterator[Block]:
        claim, evidence = self.data["claim"], self.data["evidence"]
        rows = [(name, format_integer(claim[name])) for name in ("dimension", "standard", "complete")]
        rows += [(f"{side} bound by", str(evidence[side]["kind"])) for side in ("lower", "upper")]
        yield TableBlock((), tuple(rows), caption=f"a certificate in the format {cut_cell(str(self.data['format']))}")

    def _tabulate(self) -> Frame:
        claim, evidence = self.data["claim"], self.data["evidence"]
        numbers = {name: claim[name] for name in ("dimension", "standard", "complete")}
        return make_frame([numbers | {side: evidence[side]["kind"] for side in ("lower", "upper")}])

    def _summarise(self) -> str:
        claim, evidence = self.data["claim"], self.data["evidence"]
        return (
            f"dimension {claim['dimension']}, parameters {format_integer(claim['standard'])}, saturated {format_integer(claim['complete'])}: "
            f"{evidence['lower']['kind']} and {evidence['upper']['kind']}"
        )


def write_json(value: Any, indent: str = "") -> str:
    """JSON with one line for each member, but lists without objects on one line."""
    deeper = indent + " "
    if isinstance(value, dict) and any(isinstance(inner, dict | list) for inner in value.values()):
        lines = [f"{deeper}{json.dumps(key)}: {write_json(inner, deeper)}" for key, inner in value.items()]
        return "{\n" + ",\n".join(lines) + f"\n{indent}}}"
    if isinstance(value, list) and any(isinstance(inner, dict) for inner in value):
        return "[\n" + ",\n".join(deeper + write_json(inner, deeper) for inner in value) + f"\n{indent}]"
    return json.dumps(value, ensure_ascii=False)


WORDS = ("accepted", "invalid", "unreadable")

LEMMAS = {
    "rank": ("lower bound",),
    "counting": ("counting and ambient",),
    "ambient": ("counting and ambient",),
    "symmetry": ("symmetry",),
}
"""What a kind of evidence rests on that any family may have; each family says the same of its own kinds."""


@dataclass(frozen=True, slots=True, repr=False)
class Verification(Result):
    """What the checker says: the exit code 0, 1 or 2 and the reason in one line."""

    code: int
    reason: str
    trust: Trust | None = None
    """Trust in the claim, ``None`` of what is not accepted."""

    @property
    def accepted(self) -> bool:
        """Whether the certificate proves its claim."""
        return self.code == 0

    @property
    def word(self) -> str:
        """accepted, invalid or unreadable."""
        return WORDS[self.code]

    def to_dict(self) -> dict[str, Any]:
        lemmas = [] if self.trust is None else list(self.trust.lemmas)
        return {"verdict": self.word, "reason": self.reason, "lemmas": lemmas}

    def _summarise(self) -> str:
        return self.reason

    def _show(self) -> Iterator[Block]:
        lemmas = "" if self.trust is None else ", ".join(self.trust.lemmas)
        rows = (("verdict", self.word), ("reason", self.reason), *((("lemmas", lemmas),) if lemmas else ()))
        yield TableBlock((), rows)

    def _tabulate(self) -> Frame:
        return make_frame([{"accepted": self.accepted, **self.to_dict()}])

    def __bool__(self) -> bool:
        """Whether the certificate was accepted."""
        return self.accepted


def verify(certificate: Any) -> Verification:
    """Whether a certificate proves its claim, as the checker says that is shipped with algdim.

    Parameters
    ----------
    certificate : path, bytes, dictionary or Certificate
        The path of a file, the text of one as bytes, its content, or what `algdim.prove` returned.

    Returns
    -------
    Verification
        `accepted`, the `word` and the `reason`; true if the certificate was accepted.

    Examples
    --------
    >>> from algdim.certificate.exporting import prove
    >>> str(verify(prove("2:2,2")))
    'accepted: dimension 3, trees and trees'
    """
    try:
        return verify_bytes(read_bytes(certificate))
    except OSError as error:
        raise InputError(f"{describe_value(certificate)}: {error.strerror}") from None


def verify_bytes(data: bytes) -> Verification:
    """Check the text of a certificate."""
    code, reason = checker.verdict(data)
    if code:
        return Verification(code, reason)
    certified = json.loads(data)
    lemma, *lemmas = collect_lemmas(certified["claim"]["model"], certified["evidence"])
    return Verification(code, reason, proved_by(lemma, reason, *lemmas))


def collect_lemmas(model: dict[str, Any], evidence: Any) -> list[str]:
    """The lemmas that the claim about a model and the evidence of an accepted certificate rest on.

    >>> counted = {"lower": {"kind": "rank", "value": 3}, "upper": {"kind": "counting", "value": 3}}
    >>> collect_lemmas({"family": "poisson"}, counted)
    ['shifts', 'lower bound', 'counting and ambient']
    """
    known = find_verifying(model["family"])
    about = () if known is None else known.list_lemmas(model)
    rests_on = LEMMAS if known is None else {**LEMMAS, **known.rests_on}
    kinds = dict.fromkeys(iterate_kinds(evidence, rests_on))
    return list(dict.fromkeys((*about, *(lemma for kind in kinds for lemma in rests_on[kind]))))


OF_MATRICES = ("minors", "through", "D", "chain", "common", "times")
"""The keys of matrices of `equations`, and of fields, that rest on lemmas of their own."""


def iterate_kinds(evidence: Any, known: Container[str]) -> Iterator[str]:
    """The kinds of all nodes, of those that are known, and after each its keys that rest on lemmas of their own."""
    if isinstance(evidence, dict):
        kind = evidence.get("kind")
        if isinstance(kind, str) and kind in known and "value" in evidence:  # a parameter may be called kind
            yield kind
            yield from (f"{kind}.{key}" for key in evidence if f"{kind}.{key}" in known)
        yield from (f"equations.{key}" for key in evidence if key in OF_MATRICES and f"equations.{key}" in known)
        for inner in evidence.values():
            yield from iterate_kinds(inner, known)
    elif isinstance(evidence, list):
        for inner in evidence:
            yield from iterate_kinds(inner, known)


def read_bytes(certificate: Any) -> bytes:
    """The bytes of a certificate."""
    if isinstance(certificate, bytes):
        return certificate
    if isinstance(certificate, Certificate):
        return certificate.text.encode()
    if isinstance(certificate, dict):
        try:
            return json.dumps(certificate).encode()
        except (TypeError, ValueError, RecursionError) as error:
            raise InputError(f"the dictionary is no certificate, for JSON cannot hold it: {error}") from None
    if not isinstance(certificate, (str, os.PathLike)) or "\0" in os.fspath(certificate):
        raise InputError(
            f"a certificate is expected, not {describe_type(certificate)}: the path of a file, its bytes, its dictionary, "
            "or what algdim.prove returned"
        )
    return checker.content(os.fspath(certificate))


def verify_file(path: str) -> Verification:
    """Check a file; one that cannot be opened is unreadable.

    >>> verify_file("no such file").word
    'unreadable'
    """
    try:
        return verify_bytes(read_bytes(path))
    except OSError as error:
        return Verification(checker.Unreadable.code, f"{checker.Unreadable.word}: {error.strerror}")


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
