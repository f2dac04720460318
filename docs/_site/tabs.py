"""The same answer in three languages: below a command about a model, what Python and R have for it, as tabs.

Python is executed when the site is built, so that the tab shows what comes out; R calls the same function through reticulate.
"""

from __future__ import annotations

import re
import shlex
from contextlib import chdir
from functools import lru_cache
from pathlib import Path

ROOT = Path(__file__).parents[2]

FUNCTIONS = {
    "dim": "dimension",
    "identify": "identify",
    "compare": "compare",
    "constraints": "constraints",
    "bounds": "bounds",
    "decompose": "decompose",
    "map": "parametrization",
}
"""The function that does what a command does."""
BLOCK = re.compile(r"^```console\n(\$ algdim (?:\\\n|[^\\\n])*)\n((?:(?!```|\$ ).*\n)+)```$", re.MULTILINE)
"""A block with a single command and its output."""
TABBED = re.compile(r"^`{3,} *(\w+)(?= tab$)")
TITLES = {"console": "Shell", "python": "Python", "r": "R"}


def write_call(command: str) -> tuple[str, str] | None:
    """What to write in Python and in R instead of a command, if it has only models and a format.

    >>> write_call("algdim dim 3:2,2,2,2")
    ('algdim.dimension("3:2,2,2,2")', 'algdim$dimension("3:2,2,2,2")')
    >>> write_call("algdim dim 3:2,2,2,2 --json") is None
    True
    """
    words = shlex.split(command.replace("\\\n", " "))[1:]
    if not words or words[0] not in FUNCTIONS:
        return None
    named = ""
    if "--format" in words[:-1]:
        place = words.index("--format")
        named = f', format = "{words[place + 1]}"'
        del words[place : place + 2]
    models = [" ".join(word.split()) for word in words[1:]]
    if not models or any(model.startswith("-") or '"' in model for model in models):
        return None
    inside = ", ".join(f'"{model}"' for model in models)
    name = FUNCTIONS[words[0]]
    return f"algdim.{name}({inside}{named.replace(' = ', '=')})", f"algdim${name}({inside}{named})"


@lru_cache
def run_call(call: str) -> str | None:
    """What Python prints for it, or nothing where it is an error."""
    import algdim

    with chdir(ROOT):
        try:
            return str(eval(call, {"algdim": algdim}))  # noqa: S307  # made above, of a block of a page
        except algdim.AlgdimError:
            return None


def offer_languages(markdown: str) -> str:
    """A page on which the commands that can be written in other languages are."""
    return BLOCK.sub(offer, markdown)


def offer(match: re.Match[str]) -> str:
    """A block, followed by the same in Python and in R where that is possible."""
    calls = None if "[exit " in match[2] else write_call(match[1].removeprefix("$ "))
    printed = run_call(calls[0]) if calls else None
    if calls is None or printed is None:
        return match[0]
    python = f">>> import algdim\n>>> print({calls[0]})\n{printed}"
    r = f'algdim <- reticulate::import("algdim")\nprint({calls[1]})'
    blocks = {"console": match[0].removeprefix("```console\n").removesuffix("\n```"), "python": python, "r": r}
    return "\n\n".join(f"```{kind} tab\n{text}\n```" for kind, text in blocks.items())


def make_tabs(markdown: str) -> str:
    r"""Neighbouring blocks that show the same thing, and say so by the word *tab*, as tabs.

    >>> print(make_tabs("```console tab\n$ a\n```\n\n```python tab\nb\n```"))
    === "Shell"
    <BLANKLINE>
        ```console
        $ a
        ```
    <BLANKLINE>
    === "Python"
    <BLANKLINE>
        ```python
        b
        ```
    """
    lines: list[str] = []
    fence = ""
    for line in markdown.split("\n"):
        opened = TABBED.match(line)
        if opened and not fence:
            fence = line[: line.index(opened[1])].strip()
            lines += [f'=== "{TITLES[opened[1]]}"', "", f"    {fence}{opened[1]}"]
        elif fence:
            lines.append(f"    {line}".rstrip())
            fence = "" if line == fence else fence
        else:
            lines.append(line)
    return "\n".join(lines)
