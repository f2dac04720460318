"""The parser of the command line: its errors name the word that may be meant."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from typing import Any

from algdim.cli.completion import words_of
from algdim.errors import listed, meant


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
            f"{what} {str(value)[:60]!r}{meant(str(value), known)}; known are {listed(known, most=40)}",
        )


def asked_for_help(words: Sequence[str]) -> list[str]:
    """The same words, `help COMMAND` as `COMMAND --help`.

    >>> asked_for_help(["help", "dim"]), asked_for_help(["help"]), asked_for_help(["dim", "2:2"])
    (['dim', '--help'], ['--help'], ['dim', '2:2'])
    """
    return [*words[1:2], "--help"] if list(words[:1]) == ["help"] else list(words)


def unknown_words(parser: argparse.ArgumentParser, command: str | None, left: Sequence[str]) -> str:
    """What to say of words that no option or argument of a command takes."""
    commands = next(action for action in parser._actions if action.dest == "command")  # noqa: SLF001  # argparse has no other way
    text = f"unrecognized arguments: {' '.join(left)}"
    option = next((word.partition("=")[0] for word in left if word.startswith("-")), "")
    if option:
        return text + meant(option, words_of(commands).get(command or "", ("--help", "--version")))
    return f'{text}; a text with spaces stands between quotes, as in algdim dim "A -> B; hidden A"'
