"""The command man: the manual page, made of the declarations of the commands, as `algdim man | man -l -` shows it."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping

from algdim.about import VERSION
from algdim.cli.options import Command

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


def run(arguments: argparse.Namespace) -> int:
    """Print the page."""
    del arguments
    print("\n".join(iterate_page()))
    return 0


def iterate_page() -> Iterator[str]:
    """The lines of the page, in the macros of man."""
    from algdim.cli import GROUPS, load_command

    yield f'.TH ALGDIM 1 "" "algdim {VERSION}" "User Commands"'
    yield from (".SH NAME", r"algdim \- the exact effective dimension of statistical models with hidden variables")
    yield from (".SH SYNOPSIS", r".B algdim", r"\fICOMMAND\fR [\fIOPTIONS\fR] ...")
    yield from (".SH DESCRIPTION", escape_roff(DESCRIPTION))
    for title, group in GROUPS.items():
        yield f".SH {title.upper()}"
        for name in group:
            yield from iterate_command(name, load_command(name))
    yield from (".SH EXIT STATUS", *(line for one in EXITS for line in format_item(*one)))
    yield from (".SH ENVIRONMENT", *(line for one in ENVIRONMENT for line in format_item(*one)))


def iterate_command(name: str, command: Command) -> Iterator[str]:
    """One command with its arguments, options and examples."""
    needed = [one for one in command.all_options if one.is_argument]
    options = [one for one in command.all_options if not one.is_argument]
    yield f".SS {escape_roff(' '.join(['algdim', name, *(one.value for one in needed)]))}"
    yield escape_roff(f"{command.words[0].upper()}{command.words[1:]}.")
    for one in (*needed, *sorted(options, key=lambda one: one.is_common)):
        head = one.value if one.is_argument else f"{', '.join(one.names)} {one.value}".strip()
        yield from format_item(head, one.rest["help"].replace("%%", "%"))
    yield from (".PP", ".nf", *map(escape_roff, command.epilog.split("\n")), ".fi")


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


COMMANDS: Mapping[str, Command] = {
    "man": Command(
        run,
        "the manual page: all commands with all options",
        "algdim man | man -l -\n  algdim man > ~/.local/share/man/man1/algdim.1",
        is_document=True,
    )
}
