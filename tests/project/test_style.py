"""The words of docs/style.md: no page, message, help or docstring of a public name uses one that the page replaces."""

from __future__ import annotations

import ast
import inspect
import re
import tomllib
from functools import cache

import pytest
from packages import ROOT

import algdim

STYLE = ROOT / "docs" / "style.md"
PAGES = ("README.md", "CONTRIBUTING.md", "docs/**/*.md", "proofs/**/*.md", "examples/*.md")
CODE = ("algdim", "algdim_papers")
DATA = ("algdim/**/*.toml", "algdim_papers/**/*.toml")

ROW = re.compile(r"^\| ((?:`[^`]+`(?:, )?)+) \| ([^|]+) \|$", re.MULTILINE)
NO_PROSE = re.compile(
    r"^ *(`{3,}|~{3,}).*?^ *\1 *$"  # a block of code
    r"|`[^`\n]+`|\]\([^()\s]*\)|</?[a-z][^<>\n]*>"  # code, the target of a link, a tag
    r'|lemma "[^"]+"|"[a-z][a-z -]*"|^## Lemma \d+ \([^\n]*\)$|\[chance\]|districts(?:,| and) chance',  # names
    re.MULTILINE | re.DOTALL,
)


@cache
def words():
    """Each word or phrase that is not used, with what is written instead."""
    found = ROW.findall(STYLE.read_text(encoding="utf-8"))
    return {word: instead.strip() for cell, instead in found for word in re.findall(r"`([^`]+)`", cell)}


@cache
def pattern():
    """One expression for all of them."""
    return re.compile(rf"(?<![\w-])(?:{'|'.join(re.escape(word) for word in words())})(?![\w-])", re.IGNORECASE)


def uses(text):
    """The replaced words in a text without its code and names, each with what stands around it."""
    prose = NO_PROSE.sub(" ", text)
    return [
        f"{found[0]!r} (write: {words()[found[0].lower()]}): "
        f"…{' '.join(prose[max(found.start() - 50, 0) : found.end() + 40].split())}…"
        for found in pattern().finditer(prose)
    ]


def messages(tree):
    """The texts in a program that are printed: all with a blank in them, docstrings aside."""
    docstrings = {
        id(node.value)  # those of constants too
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        is_text = isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings
        if is_text and " " in node.value.strip():
            yield node.lineno, node.value


def texts_in(value):
    """The texts in a file of data."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from texts_in(part)


NAMES_ALONE = re.compile(r"^\w+(, \w+)*$", re.MULTILINE)
"""The line of attributes above what is said of them."""


def public_docstrings():
    """The docstrings of `algdim.__all__`, and of what they offer."""
    for name in algdim.__all__:
        thing = getattr(algdim, name)
        yield name, inspect.getdoc(thing) or ""
        if inspect.isclass(thing):
            for part, value in vars(thing).items():
                if not part.startswith("_") and (inspect.isfunction(value) or isinstance(value, property)):
                    yield f"{name}.{part}", inspect.getdoc(value) or ""


def files(*patterns):
    """The files of the project that match, in order."""
    return sorted(path for one in patterns for path in ROOT.glob(one) if path != STYLE)


@pytest.mark.parametrize("page", files(*PAGES), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_pages_use_the_words_of_the_field(page):
    """No page uses a word that the style page replaces."""
    found = uses(page.read_text(encoding="utf-8"))

    assert not found, "\n".join(found)


def test_messages_use_the_words_of_the_field():
    """Nor does anything that a command prints: results, errors, help."""
    found = []
    for folder in CODE:
        for path in files(f"{folder}/**/*.py"):
            for line, text in messages(ast.parse(path.read_text(encoding="utf-8"))):
                found += [f"{path.relative_to(ROOT)}:{line}: {use}" for use in uses(text)]
    for path in files(*DATA):
        for text in texts_in(tomllib.loads(path.read_text(encoding="utf-8"))):
            found += [f"{path.relative_to(ROOT)}: {use}" for use in uses(text)]

    assert not found, "\n".join(found)


def test_public_docstrings_use_the_words_of_the_field():
    """Nor the docstrings of public names."""
    found = [f"{name}: {use}" for name, text in public_docstrings() for use in uses(NAMES_ALONE.sub("", text))]

    assert not found, "\n".join(found)


def test_the_words_are_found():
    """In any case and place, but not in code, in names, or inside of other words."""
    assert len(words()) > 30
    assert uses("The Chance is small.")
    assert uses("it\ngoes on\nhere") or uses("it goes on here")
    for text in ("`chance`", 'lemma "chance"', "perchance", "```text\nchance\n```", "## Lemma 11 (chance)"):
        assert not uses(text), text
