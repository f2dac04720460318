"""How results reach the terminal: folded at its width, the verdicts in colour; diagnostics on standard error.

One rule for the width: `COLUMNS` if it is set, else the terminal's, else 80, also in files and pipes; so what a page of the
documentation shows is what everybody sees. Documents for programs (JSON, certificates, CSV, LaTeX, SVG and the like) are never
folded. Diagnostics are folded on a terminal only: in a log each is one line.
"""

from __future__ import annotations

import os
import re
import sys
from typing import TextIO

from algdim.figures import remove_control_characters
from algdim.folding import USUAL, fold_text

PLAIN, RED, GREEN, YELLOW = "\x1b[0m", "\x1b[1;31m", "\x1b[1;32m", "\x1b[1;33m"
COLOURS = (
    (re.compile(r"(?<!not )\bproved\b"), GREEN),
    (re.compile(r"\b(?:probable|numerical|bounds only|between \d+ and \d+)\b"), YELLOW),
    (re.compile(r"\b(?:not (?:locally )?identified|not nested|not decided)\b"), YELLOW),
    (re.compile(r"\bWARNING\b|\binvalid\b"), RED),
)
"""How far a statement is known, and what is not well."""
MOST_COLUMNS = 100_000


def is_terminal(stream: TextIO | None) -> bool:
    """Whether somebody looks at it."""
    return stream is not None and stream.isatty()


def is_in_colour(stream: TextIO | None) -> bool:
    """Whether signs for colours may be written: on a terminal that has them, unless NO_COLOR is set."""
    return is_terminal(stream) and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def find_width(stream: TextIO | None) -> int:
    """The width at which a text is folded."""
    said = os.environ.get("COLUMNS", "")
    if said.isascii() and said.isdigit() and 0 < int(said) <= MOST_COLUMNS:
        return int(said)
    if stream is not None and is_terminal(stream):
        try:
            return os.get_terminal_size(stream.fileno()).columns or USUAL
        except (OSError, ValueError):
            return USUAL
    return USUAL


def colour_verdicts(text: str) -> str:
    r"""The words that say how far a statement is known, in colour.

    >>> colour_verdicts("dimension 13 (proved), not proved")
    'dimension 13 (\x1b[1;32mproved\x1b[0m), not proved'
    """
    for pattern, colour in COLOURS:
        text = pattern.sub(rf"{colour}\g<0>{PLAIN}", text)
    return text


def print_text(text: object) -> None:
    """Print a result for people."""
    folded = fold_text(str(text), find_width(sys.stdout))
    print(colour_verdicts(folded) if is_in_colour(sys.stdout) else folded)


def tell(text: str) -> None:
    """Print a diagnostic."""
    plain = remove_control_characters(text)
    print(fold_text(plain, find_width(sys.stderr)) if is_terminal(sys.stderr) else plain, file=sys.stderr)
