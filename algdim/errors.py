"""Every exception of algdim.

``InputError`` is the user's to mend (exit code 2), ``LimitError`` is a refusal before anything large is built (exit code 3).
"""

from __future__ import annotations

from collections.abc import Iterable

MOST_SIGNS = 4000
"""Of a message; names and numbers in a file can have any length."""


class AlgdimError(Exception):
    """The base of all errors that algdim raises on purpose."""

    exit_code = 2

    def __init__(self, message: str = "") -> None:
        super().__init__(message if len(message) <= MOST_SIGNS else cut_middle(message))


class InputError(AlgdimError):
    """What was given cannot be read or is wrong; the message names the place and says what is allowed."""


class LimitError(AlgdimError):
    """Refused because of a limit; the message gives the figure that is needed and the one that is allowed."""

    exit_code = 3


def cut_middle(message: str) -> str:
    """A message without its middle.

    >>> cut_middle("a" * 5000 + "b") == "a" * 2000 + " … (1001 characters omitted) … " + "a" * 1999 + "b"
    True
    """
    half = MOST_SIGNS // 2
    return f"{message[:half]} … ({len(message) - 2 * half} characters omitted) … {message[-half:]}"


def join_names(names: Iterable[object], *, most: int = 12, separator: str = ", ") -> str:
    """Join names for a message, abridged when there are many.

    >>> join_names(["a", "b"])
    'a, b'
    >>> join_names("abcd", most=2, separator="; ")
    'a; b; … (4 in all)'
    """
    items = [str(name) for name in names]
    shown = separator.join(items[:most])
    return shown if len(items) <= most else f"{shown}{separator}… ({len(items)} in all)"


SHORT = 4


def describe_closest_word(word: str, known: Iterable[str]) -> str:
    """What follows the error about a word that is not known: the one that is close to it, if there is one.

    >>> describe_closest_word("tabel", ["table", "probes"]), describe_closest_word("x", ["table"])
    ("; did you mean 'table'?", '')
    """
    from difflib import get_close_matches

    by_letters = {name.lower().replace("_", "-"): name for name in known}
    plain = word[:100].lower().replace("_", "-")
    # two letters that changed places are a third of a short word
    close = get_close_matches(plain, by_letters, n=1, cutoff=0.66 if len(plain) <= SHORT else 0.7)
    begun = [name for name in by_letters if plain and name.startswith(plain)]
    found = close or (begun if len(begun) == 1 else [])
    return f"; did you mean {by_letters[found[0]]!r}?" if found else ""
