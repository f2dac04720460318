"""Commands that a LaTeX source defines: put in their places, within limits."""

from itertools import pairwise

import pytest

from algdim.checking.macros import MOST_USES, expand_macros
from algdim.errors import LimitError


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (r"\newcommand{\a}{1}\a\a", "11"),
        (r"\newcommand\a[1]{<#1>} \a{x\a y}", " <x<y>>"),
        (r"\def\a#1#2{#2#1}\a xy", "yx"),
        (r"\newcommand{\a}{1}\renewcommand{\a}{2}\a", "2"),
        (r"\newcommand{\a}{\b}\newcommand{\b}{3}\a", "3"),
        (r"\newcommand{\a}[2][x]{#1#2}\a{y}", r"\newcommand{\a}[2][x]{#1#2}\a{y}"),
        (r"\newcommand{\a}{1}\ab\\a", r"\ab\\a"),
    ],
)
def test_commands_in_their_places(source, expected):
    """With arguments, defined anew, by one another; with an optional argument they stay; longer names are others."""
    assert expected == expand_macros(source)


def test_lines_stay():
    """What is said of a place names the line of the source."""
    source = "\\newcommand{\\a}[1]{%\n#1\n}\n\\a{x\n\ny} here"

    assert expand_macros(source).partition("here")[0].count("\n") == source.partition("here")[0].count("\n")


def test_endless_commands_are_refused():
    """A command that is itself, and ones that double twenty times."""
    with pytest.raises(LimitError, match="nested"):
        expand_macros(r"\def\a{\a}\a")
    names = "abcdefghijklmnopqrs"
    doubling = "".join(rf"\def\{one}{{\{two}\{two}}}" for one, two in pairwise(names))
    with pytest.raises(LimitError, match=f"more than {MOST_USES}"):
        expand_macros(doubling + r"\def\s{s}\a")
