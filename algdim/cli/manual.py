"""The command man: the manual page, made of the declarations of the commands, as `algdim man | man -l -` shows it."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

from algdim.about import VERSION
from algdim.cli.completion import collect_helps
from algdim.cli.options import add_command, get_common_options

DESCRIPTION = (
    "In models with hidden variables some parameters cannot be determined by any amount of data. algdim computes how many can, "
    "the effective dimension, in exact arithmetic and with its reasons; with it come degrees of freedom, scores, identifiability and "
    "equations. MODEL is a notation such as 3:2,2,2,2 or 'A -> C <- H -> B; hidden H', the name of a known model, a file, or - "
    "for standard input."
)
EXITS = (
    ("0", "done"),
    ("1", "a check failed"),
    ("2", "input that cannot be read, or is wrong"),
    ("3", "refused because of a limit, with the figure that is needed and the one that is allowed"),
)
ENVIRONMENT = (
    ("COLUMNS", "the width at which results are folded (default: the terminal's, and 80 where there is none)"),
    ("NO_COLOR", "if it is set, no colours on a terminal"),
)


def add_man(commands: Any) -> None:
    """The command man."""
    example = "algdim man | man -l -\n  algdim man > ~/.local/share/man/man1/algdim.1"
    parser = add_command(commands, "man", run, "the manual page: all commands with all options", example)
    parser.set_defaults(commands=commands)


def run(arguments: argparse.Namespace) -> int:
    """Print the page."""
    print("\n".join(iterate_page(arguments.commands)))
    return 0


def iterate_page(commands: Any) -> Iterator[str]:
    """The lines of the page, in the macros of man."""
    from algdim.cli import GROUPS

    yield f'.TH ALGDIM 1 "" "algdim {VERSION}" "User Commands"'
    yield from (".SH NAME", r"algdim \- the exact effective dimension of statistical models with hidden variables")
    yield from (".SH SYNOPSIS", r".B algdim", r"\fICOMMAND\fR [\fIOPTIONS\fR] ...")
    yield from (".SH DESCRIPTION", escape_roff(DESCRIPTION))
    helps = collect_helps(commands)
    for title, group in GROUPS.items():
        yield f".SH {title.upper()}"
        for name in group:
            yield from iterate_command(name, helps[name], commands.choices[name])
    yield from (".SH EXIT STATUS", *(line for one in EXITS for line in format_item(*one)))
    yield from (".SH ENVIRONMENT", *(line for one in ENVIRONMENT for line in format_item(*one)))


def iterate_command(name: str, text: str, parser: argparse.ArgumentParser) -> Iterator[str]:
    """One command with its arguments, options and examples."""
    arguments = [action for action in parser._actions if action.help != argparse.SUPPRESS]  # noqa: SLF001  # argparse has no other way
    needed = [action.metavar for action in arguments if not action.option_strings]
    words = " ".join(str(word) for word in needed if word)
    yield f".SS {escape_roff(f'algdim {name} {words}'.strip())}"
    yield escape_roff(f"{text[0].upper()}{text[1:]}.")
    common = get_common_options(parser)._group_actions  # noqa: SLF001  # the same
    for action in sorted(arguments, key=lambda one: (bool(one.option_strings), one in common)):
        heads = action.option_strings or [str(action.metavar)]
        value = action.metavar if action.option_strings and action.nargs != 0 else ""
        value = " ".join(value) if isinstance(value, tuple) else value or ""
        yield from format_item(f"{', '.join(heads)} {value}".strip(), (action.help or "").replace("%%", "%"))
    lines = (parser.epilog or "").split("\n")
    yield from (".PP", ".nf", *map(escape_roff, lines), ".fi")


def format_item(head: str, text: str) -> tuple[str, str, str]:
    """A word and what it means."""
    return ".TP", rf"\fB{escape_roff(head)}\fR", escape_roff(text)


def escape_roff(text: str) -> str:
    r"""A text as roff reads it.

    >>> print(escape_roff("--json"), escape_roff(".5 of a\\b"))
    \-\-json \&.5 of a\eb
    """
    escaped = text.replace("\\", r"\e").replace("-", r"\-")
    return rf"\&{escaped}" if escaped.startswith((".", "'")) else escaped
