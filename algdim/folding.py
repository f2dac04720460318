"""Text that is folded at the width of a terminal: what hangs over stands below, further in."""

from __future__ import annotations

import re
from collections.abc import Sequence
from unicodedata import combining, east_asian_width

USUAL = 80
"""The width where nothing says another one."""
LEAST = 20
"""A narrower terminal is taken for one of this width."""
IN = 2
"""So much further in stands what hangs over."""
MOST_LABEL = 26
"""Behind a longer label the text does not hang below itself."""

BRANCHES = re.compile(r"[ │├└─]*")
GAP = re.compile(rf"\S(?:.{{0,{MOST_LABEL - 4}}}\S)??  +(?=\S)")
SIGNS = frozenset("+−-×≥≤=")
MOST_WHOLE = 44
"""A longer text in parentheses may be broken between its words."""
ENDS = ",;·|→/=+)]}"
"""A word without blanks that is too long is broken behind one of these, if it can be."""


def measure_width(text: str) -> int:
    """The columns that a text takes; wide signs take two.

    >>> measure_width("dimension"), measure_width("次元")
    (9, 4)
    """
    if text.isascii():
        return len(text)
    return sum(0 if combining(sign) else 1 + (east_asian_width(sign) in "WF") for sign in text)


def fold_text(text: str, width: int) -> str:
    r"""The text with no line wider than this; shorter lines stay as they are.

    >>> print(fold_text("a first line\n├─ and a longer one", 20))
    a first line
    ├─ and a longer one
    >>> print(fold_text("├─ at least 13: the rank\n└─ at most 13: a count", 20))
    ├─ at least 13: the
    │    rank
    └─ at most 13: a
         count
    """
    width = max(width, LEAST)
    return "\n".join(piece for line in text.split("\n") for piece in fold_line(line, width))


def fold_line(line: str, width: int) -> list[str]:
    """One line as several ones: below its own text where two blanks stand behind a label, else a little further in.

    >>> fold_line("  ≤ 13   15 − 2: the flattenings", 24)
    ['  ≤ 13   15 − 2: the', '         flattenings']
    """
    if measure_width(line) <= width:
        return [line]
    branches = BRANCHES.match(line)
    first = branches[0] if branches else ""
    if len(first) > width // 2:  # there is hardly room for words
        line, first = line[len(first) - width // 2 :], first[-(width // 2) :]
    label = GAP.match(line, len(first))
    label = label if label and measure_width(line[: label.end()]) <= width // 2 else None
    inside = measure_width(label[0]) if label else IN
    below = first.replace("├─", "│ ").replace("└─", "  ").replace("─", " ") + " " * inside
    if measure_width(below) > width // 2:
        below = " " * (IN * 2)
    head = line[: label.end()] if label else first
    pieces, present = [], head
    is_begun = False
    for word in split_words(line[len(head) :]):
        blank = " " if is_begun else ""
        if measure_width(present) + len(blank) + measure_width(word) <= width:
            present, is_begun = f"{present}{blank}{word}", True
            continue
        if is_begun:
            pieces.append(present.rstrip())
            present = below
        rest = word.lstrip()
        while measure_width(present) + measure_width(rest) > width:
            piece, rest = break_word(rest, width - measure_width(present))
            pieces.append(f"{present}{piece.rstrip()}")
            present, rest = below, rest.lstrip()
        present, is_begun = f"{present}{rest}", True
    return [*pieces, present.rstrip()]


def split_words(text: str) -> list[str]:
    """The pieces between which a line may be broken: words, sums before a sign, short texts in parentheses whole.

    >>> split_words("P(A)·(1 - P(B)) + P(C), … (4 in all)")
    ['P(A)·(1 - P(B))', '+ P(C),', '…', '(4 in all)']
    """
    found: list[str] = []
    words = re.findall(r"(?:(?<= ) +)?[^ ]+", text)
    place = 0
    while place < len(words):
        end = find_end(words, place)
        found.append(" ".join(words[place:end]))
        place = end
    return found


def find_end(words: Sequence[str], begin: int) -> int:
    """Behind the last word that belongs to the piece that begins here."""
    end = begin + 1
    while words[end - 1] in SIGNS and end < len(words):
        end += 1
    depth, length = 0, 0
    for place in range(begin, len(words)):
        depth += words[place].count("(") - words[place].count(")")
        length += len(words[place]) + 1
        if depth <= 0 and place + 1 >= end:
            return place + 1
        if length > MOST_WHOLE and place + 1 >= end:
            break
    return end


def break_word(word: str, room: int) -> tuple[str, str]:
    """A word that is wider than the room, as the part that fits, behind a sign at which it can be broken, and the rest.

    >>> break_word("P(H=0)·P(X=0|H=0)·P(Y=0|H=0)", 20), break_word("aaaa", 3)
    (('P(H=0)·P(X=0|H=0)·', 'P(Y=0|H=0)'), ('aaa', 'a'))
    """
    fits = 1
    while fits < len(word) and measure_width(word[: fits + 1]) <= room:
        fits += 1
    for signs in (" ", ";,·", ENDS):
        place = max(word.rfind(sign, 1, fits) for sign in signs)
        if place > fits // 3:
            return word[: place + 1], word[place + 1 :]
    return word[:fits], word[fits:]
