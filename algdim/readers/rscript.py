"""Scripts of R that hold a model of lavaan: the model's text at its place, and what is said to the function that fits it.

Nothing of a script is executed. It has one text in quotes with formulas, and calls of `cfa`, `sem`, `growth` or `lavaan`.
"""

from __future__ import annotations

import re

from algdim.models.tokens import failure
from algdim.readers.options import Options

PIECES = re.compile(r"(?P<comment>#[^\n]*)|'(?P<single>[^']*)'|\"(?P<double>[^\"]*)\"")
MODEL = re.compile(r"^[^#!\n]*~", re.MULTILINE)
CALL = re.compile(r"\b(sem|cfa|growth|lavaan)\s*\((?!\s*\))")
SAID = re.compile(r"\b(std\.lv|orthogonal|meanstructure)\s*=\s*(TRUE|T|FALSE|F)\b")
MISSING = re.compile(r"\bmissing\s*=\s*[\"'](?:ml|fiml|direct)")
"""Likelihoods of incomplete data, for which lavaan adds a mean structure."""

REFUSED = re.compile(
    r"\b(auto\.[a-z.]+|int\.[ol]v\.free|group(?:\.[a-z]+)?|ordered|orthogonal\.[a-z]+|effect\.coding|constraints|"
    r"parameterization|conditional\.x|std\.ov|rotation|cluster)\s*=(?!=)"
)
"""Arguments of calls that change the model in ways that are not read."""


def is_script(text: str) -> bool:
    """Whether a text is a script that holds a model, and not itself one.

    >>> is_script("m <- 'f =~ x'"), is_script("f =~ x")
    (True, False)
    """
    return re.search(r"(?:<-|=)\s*(['\"])[^'\"]*~", text) is not None or "library(" in text


def model_of_script(text: str, options: Options) -> tuple[str, Options]:
    """The script with all but the model's text made blank, and the options that its calls say, unless some are given.

    >>> model_of_script("m <- 'f =~ x'; cfa(m, d, std.lv=TRUE)", {})
    ('      f =~ x                         ', {'cfa': '', 'std.lv': ''})
    """
    found = []
    code = PIECES.sub(lambda piece: " " * len(piece[0]), text)
    for piece in PIECES.finditer(text):
        inner = "single" if piece["single"] is not None else "double"
        if piece["comment"] is None and MODEL.search(piece[inner]):
            found.append(piece.span(inner))
    other = REFUSED.search(code)
    if other is not None and not options:
        message = f"the argument {other[1]} changes the model and is not read; say what is, as in --format lavaan:cfa"
        raise failure(text, other.start(), message)
    if len(found) != 1:
        at = found[1][0] if found else 0
        raise failure(text, at, f"the script has {len(found)} texts in quotes with formulas; one model is read")
    start, end = found[0]
    blank = re.sub(r"[^\n]", " ", text)
    said: dict[str, str] = {}
    functions = dict.fromkeys(match[1] for match in CALL.finditer(code))
    if len(functions) > 1:
        raise failure(text, 0, f"the script calls {' and '.join(functions)}; say which, as in --format lavaan:cfa")
    said |= dict.fromkeys(functions, "")
    said |= {match[1]: "" for match in SAID.finditer(code) if match[2].startswith("T")}
    if MISSING.search(text):
        said["meanstructure"] = ""
    return blank[:start] + text[start:end] + blank[end:], options or said
