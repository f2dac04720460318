"""Every exception of algdim.

``InputError`` is the user's to mend (exit code 2), ``LimitError`` is a refusal before anything large is built (exit code 3).
"""

from __future__ import annotations

from collections.abc import Iterable

MOST_SIGNS = 4000
"""Of a message; names and numbers in a file can have any length."""


class AlgdimError(Exception):
    """The base of all errors that algdim raises on purpose.

    Examples
    --------
    >>> issubclass(InputError, AlgdimError), issubclass(LimitError, AlgdimError)
    (True, True)
    """

    exit_code = 2

    def __init__(self, message: str = "") -> None:
        super().__init__(message if len(message) <= MOST_SIGNS else cut_middle(message))


class InputError(AlgdimError):
    """What was given cannot be read or is wrong; the message names the place and says what is allowed.

    Examples
    --------
    >>> from algdim.report import dimension
    >>> try:
    ...     dimension("2:2,2", method="tabel")
    ... except InputError as error:
    ...     print(str(error).partition(";")[0])
    there is no method 'tabel'
    """


class LimitError(AlgdimError):
    """Refused because of a limit; the message gives the figure that is needed and the one that is allowed.

    Examples
    --------
    >>> from algdim.report import dimension
    >>> try:
    ...     dimension("50:10^12", method="table", max_memory="1G")
    ... except LimitError as error:
    ...     print("allowed" in str(error))
    True
    """

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


MOST_OF_VALUE = 40


def describe_value(value: object) -> str:
    """A value that was given, in a message: not too long, and without line ends.

    >>> describe_value([1] * 100)
    '[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, …'
    """
    try:
        text = " ".join(repr(value).split())
    except Exception:  # noqa: BLE001  # a repr of the user's own
        text = describe_type(value)
    return text if len(text) <= MOST_OF_VALUE else f"{text[:MOST_OF_VALUE]}…"


def describe_type(value: object) -> str:
    """What kind of value was given, in a message.

    >>> describe_type(3), describe_type([])
    ('the int 3', 'a list')
    """
    name = type(value).__name__
    if isinstance(value, (int, float)):
        return f"the {name} {describe_value(value)}"
    return f"{'an' if name[0] in 'aeiouAEIOU' else 'a'} {name}"
