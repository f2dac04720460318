"""Short forms of networks: a word, and a line that says what a field calls its model; a module for each.

A short form is expanded into variables and tables when it is read, so that nothing else knows of it. The network keeps the line
beside its variables, as something to be printed, and `find_short_form` prints it only if reading it gives this network again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from algdim.families import load
from algdim.families.discrete.model import Network

WORDS: Mapping[str, str] = {"phylo": "phylogeny", "dynamic": "slices", "hmm": "slices", "diagnosis": "diagnosis"}
"""The module that reads what follows a word."""


def read_short_form(text: str, start: int, word: str, argument: str) -> Network:
    """Read the line behind a word."""
    return keep_line(*load("discrete", f"short.{WORDS[word]}").read_line(text, start, word, argument))


def keep_line(expanded: Network, line: str) -> Network:
    """The network with the line from which it was expanded."""
    return replace(expanded, short=line)


def find_short_form(model: Network) -> str | None:
    """The line that a network was read from, if it still is that network."""
    return model.short if model.short and expand_line(model.short) == model else None


@lru_cache(maxsize=8)
def expand_line(line: str) -> Any:
    """The network of a line, which is printed more than once."""
    from algdim.models.notation import parse

    return parse(line)
