"""The parser of the command line: its errors name the word that may be meant."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from typing import Any

from algdim.cli.completion import collect_words
from algdim.errors import describe_closest_word, join_names


class Parser(argparse.ArgumentParser):
    """A parser whose errors about commands and values name what is close first."""

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        choices = action.choices
        if choices is None or value in choices:
            return
        known: Iterable[str] = choices
        is_command = action.dest == "command"
        what = "there is no command" if is_command else "invalid choice:"
        raise argparse.ArgumentError(
            None if is_command else action,
            f"{what} {str(value)[:60]!r}{describe_closest_word(str(value), known)}; known are {join_names(known, most=40)}",
        )


def convert_help_words(words: Sequence[str]) -> list[str]:
    """The same words, `help COMMAND` as `COMMAND --help`.

    >>> convert_help_words(["help", "dim"]), convert_help_words(["help"]), convert_help_words(["dim", "2:2"])
    (['dim', '--help'], ['--help'], ['dim', '2:2'])
    """
    return [*words[1:2], "--help"] if list(words[:1]) == ["help"] else list(words)


def explain_unknown_words(parser: argparse.ArgumentParser, command: str | None, left: Sequence[str]) -> str:
    """What to say of words that no option or argument of a command takes."""
    commands = next(action for action in parser._actions if action.dest == "command")  # noqa: SLF001  # argparse has no other way
    text = f"unrecognized arguments: {' '.join(left)}"
    option = next((word.partition("=")[0] for word in left if word.startswith("-")), "")
    if option:
        return text + describe_closest_word(option, collect_words(commands).get(command or "", ("--help", "--version")))
    return f'{text}; a text with spaces stands between quotes, as in algdim dim "A -> B; hidden A"'
