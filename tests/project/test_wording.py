"""The project speaks of itself: no file points at papers, places and people that its readers do not have."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from packages import ROOT

MADE = frozenset(".git .venv .hypothesis .mypy_cache .pytest_cache .ruff_cache __pycache__ build dist".split())
"""Folders that are not the project's own text."""

WHO = r"\b(?:an?|the|this|that|another|other|each|every|my|our|your|earlier|previous|last|next|by) "

PATTERNS = {
    "a plan": re.compile(r"\bDESIGN(?:\.md|:| sections?\b|,? §)"),
    "another plan": re.compile(r"\b(?:CONTRACT|LEMMAS|CONVENTIONS)\.md\b"),
    "a place": re.compile(r"(?<![\w.*/-])/(?:work|root|home|tmp)/"),
    "a task": re.compile(r"\b[Ii]ssues? (?:no\.? ?|number )?#?\d"),
    "a colleague": re.compile(
        WHO + r"helpers?\b(?! (?:functions?|methods?|modules?|class(?:es)?|scripts?)\b)", re.IGNORECASE
    ),
    "a working day": re.compile(
        r"\b(?:this|that|another|other|each|my|our|your|earlier|previous|last|next) sessions?\b", re.IGNORECASE
    ),
}

FOUND = {
    "a plan": ("DESIGN.md says so", "see DESIGN section 4", "# DESIGN: what is known", "DESIGN §4"),
    "another plan": ("as in CONTRACT.md", "LEMMAS.md, U4", "CONVENTIONS.md"),
    "a place": ("/work/main", "python /tmp/try.py", '"/home/me/x"', "(/root/x)"),
    "a task": ("closes issue 5", "Issue #12", "issues 2 and 3", "issue no. 7"),
    "a colleague": ("the helper wrote it", "left to another helper", "found by helpers"),
    "a working day": ("in the last session", "another session changed it", "This session"),
}
PASSED = (
    "the design of a study, docs/design.md, DESIGNS",
    "LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT; proofs/lemmas.md",
    "https://example.org/work/a, frame/work/b, ../home/c",
    "at issue; issues 'no number'; tissue 5",
    'a helper function; {"helpers.py": ""}',
    'Mathematica session; "a session": x; "a session with …"; interpreter sessions with >>>; an interpreter session',
)


def files_below(folder):
    """The files of the project; folders with thousands of files that are not are not entered."""
    for path in folder.iterdir():
        if path.name not in MADE:
            if path.is_dir():
                yield from files_below(path)
            elif path.is_file():
                yield path


@cache
def texts():
    """Each text file of the project, this one aside, and what stands in it."""
    return list(texts_below(ROOT))


def texts_below(root):
    """Yield them one by one."""
    for file in sorted(files_below(root)):
        parts = file.relative_to(ROOT).parts
        if file == Path(__file__) or parts[0].endswith(".egg-info"):
            continue
        try:
            yield "/".join(parts), file.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue


ANY_WORD = re.compile(
    r"\b(?:design|contract|lemmas|conventions|issues?|helpers?|sessions?)\b|/(?:work|root|home|tmp)/", re.IGNORECASE
)
"""What a line has in which one of the patterns occurs: most texts have none, and are looked at once."""


def mentions(text):
    """Return the lines of a text in which a pattern occurs, with the pattern's name."""
    if not ANY_WORD.search(text):
        return []
    return [
        f"line {number} names {name}: {line.strip()[:100]}"
        for number, line in enumerate(text.splitlines(), 1)
        if ANY_WORD.search(line)
        for name, pattern in PATTERNS.items()
        if pattern.search(line)
    ]


def test_no_file_speaks_of_where_it_was_written():
    """No file of the project mentions a plan, a place or a person outside it."""
    found = [f"{name}, {mention}" for name, text in texts() for mention in mentions(text)]

    assert not found, "\n".join(found)


def test_the_files_are_seen():
    """The text above is looked at: code, documents, data and what builds them."""
    names = {name for name, _ in texts()}

    assert {
        "README.md",
        "Makefile",
        "pyproject.toml",
        "algdim/cli/dimensions.py",
        "docs/design.md",
        "proofs/check.py",
    } <= names


@pytest.mark.parametrize("name", PATTERNS)
def test_each_pattern_finds(name):
    """Every pattern finds what it is for."""
    assert [] == [text for text in FOUND[name] if not PATTERNS[name].search(text)]


@pytest.mark.parametrize("text", PASSED)
def test_other_words_pass(text):
    """Words that only resemble these are free."""
    assert [] == mentions(text)
