"""The words of docs/style.md: no page, message, help or docstring of a public name uses one that the page replaces."""

from __future__ import annotations

import ast
import inspect
import re
import tomllib
from functools import cache
from pathlib import Path

import pytest
from packages import ROOT
from sources import nodes_of

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


def messages(path):
    """The texts in a program that are printed: all with a blank in them, docstrings aside."""
    nodes = nodes_of(path)
    docstrings = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}  # those of constants too
    texts = [node for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    for node in texts:
        if " " in node.value and id(node) not in docstrings:
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
            is_clear = not pattern().search(path.read_text(encoding="utf-8"))  # most quickly seen
            for line, text in () if is_clear else messages(path):
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


PHRASES = """
independent numbers a model can really adjust | rather than the count of parameters, decides | and still one of them is lost
states the chance that the number | every number of these papers a verdict | in the place of the number of parameters
are read as they are | at parameters of yours | needs no trust | where things are ·
to begin with: | stored row by row | goes on where it was | json for machines | made, or gone on with | the columns of data that are meant
entries may be missing | no more than this part of | nothing is fitted | refuse what needs more | exit 0, 1 invalid
for reports of bugs | by greedy search" | rank {n} on the model
less what the inner edges share | 64 is false | decides nothing here | as good as free tables
is no model of the catalogue; | is not written; available are | is not read as a model | looks like no format | there are no candidates
take a method with numbers | its parameters: 14 (standard) | a number is that of states | numbers that do not come from the model
conditions make no difference | hidden variable tells nothing | is easier to believe | watched to fall | item mends it
punishes the third class | is seen with the text of | puts no equation on | decides among models that are not nested
gold standard, is none for | lean on a nat | no distribution is a member | distribution, or it is not | are read for stands
what is to be read from it stands | by ours | what stays as it is | z mends things | from the docstrings | how it climbs | how often each row stands
store that can be gone on | after so many seconds | for falling order | at most so many rows | signs left out | stands twice
numerical, proves nothing | what is not said of a family | what a report needs of a family beside
no table which stays as it is tells apart | of maps of one's own | a word looks like that stands | of which no clause says anything else
is taken away, again and again | whatever describes a model, to | nobody has one who | before they take a form | can be read aloud
in which nothing is bound | one in a row: the numbers | a process of its own for one model | gets no answer any more | where a verdict turns
the door: | be someone whom
"""
"""Sentences that were rewritten, by words that only they had; {n} is any number."""
SEARCHED = (
    "README.md CONTRIBUTING.md docs/**/*.md docs/_site/*.py proofs/**/*.md proofs/*.py proofs/coq/*.py examples/**/*.py examples/*.md"
    " algdim/**/*.py algdim/**/*.toml algdim/**/*.js algdim_papers/**/*.py algdim_papers/**/*.toml bench/**/*.py hunting/**/*.py"
    " tests/**/*.py tests/**/*.json tests/transcripts/recorded/*.txt mkdocs.yml pyproject.toml Makefile"
).split()


def test_rewritten_sentences_do_not_come_back():
    """No file has one of them, in code or documents."""
    phrases = [phrase.replace("{n}", "0") for phrase in re.split(r" \| |\n", PHRASES.strip())]
    found = []
    for path in sorted({path for one in SEARCHED for path in ROOT.glob(one)} - {STYLE, Path(__file__)}):
        text = re.sub(r"rank \d+", "rank 0", " ".join(path.read_text(encoding="utf-8").lower().split()))
        found += [f"{path.relative_to(ROOT)}: {phrase!r}" for phrase in phrases if phrase in text]

    assert not found, "\n".join(found)
