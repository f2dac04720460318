"""Verify certificates with the checker that is shipped beside algdim as proofs/check.py."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import Any

from algdim.certificate import checker
from algdim.certificate.record import Certificate

WORDS = ("accepted", "invalid", "unreadable")


@dataclass(frozen=True, slots=True)
class Verification:
    """What the checker says: the exit code 0, 1 or 2 and the reason in one line."""

    code: int
    reason: str

    @property
    def accepted(self) -> bool:
        """Whether the certificate proves its claim."""
        return self.code == 0

    @property
    def word(self) -> str:
        """accepted, invalid or unreadable."""
        return WORDS[self.code]

    def __bool__(self) -> bool:
        """Whether the certificate was accepted."""
        return self.accepted

    def __str__(self) -> str:
        """The reason."""
        return self.reason


def verify(certificate: Any) -> Verification:
    """Check a certificate: the path of a file, the text as bytes, a dictionary, or what `prove` returned.

    >>> from algdim.certificate.exporting import prove
    >>> str(verify(prove("2:2,2")))
    'accepted: dimension 3, trees and trees'
    """
    return Verification(*checker.verdict(content(certificate)))


def content(certificate: Any) -> bytes:
    """The bytes of a certificate."""
    if isinstance(certificate, bytes):
        return certificate
    if isinstance(certificate, Certificate):
        return certificate.text.encode()
    if isinstance(certificate, dict):
        return json.dumps(certificate).encode()
    return checker.content(os.fspath(certificate))


def verify_file(path: str) -> Verification:
    """Check a file; one that cannot be opened is unreadable.

    >>> verify_file("no such file").word
    'unreadable'
    """
    try:
        return verify(path)
    except OSError as error:
        return Verification(checker.Unreadable.code, f"{checker.Unreadable.word}: {error.strerror}")
