"""The command line: results to standard output, diagnostics to standard error. Commands of one subject are a file.

Exit codes: 0; 1 a check that failed; 2 input that cannot be read or is wrong; 3 refused because of a limit; 4 a claim that is open.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from importlib import import_module
from typing import Any

from algdim.about import VERSION
from algdim.cli.options import Command, Option, WidthFormatter, collect_words, print_drawn_seed, read_as_asked
from algdim.cli.printing import find_width, tell
from algdim.cli.progress import Progress, show_progress
from algdim.errors import AlgdimError, InputError, LimitError, describe_closest_word, join_names
from algdim.exact.threads import set_threads
from algdim.folding import fold_text
from algdim.limits import Allowance, allowing
from algdim.nextdoor import load_papers

GROUPS: Mapping[str, Mapping[str, str]] = {
    "Ask of a model": {
        "dim": "dimensions",
        "identify": "models",
        "explain": "models",
        "constraints": "models",
        "compare": "dimensions",
        "studio": "studio",
    },
    "With data": {"fit": "data", "score": "data", "select": "data", "simulate": "data"},
    "Prove and check": {"check": "checking", "prove": "dimensions", "verify": "dimensions"},
    "Many models": {"table": "sweeps", "sweep": "sweeps", "query": "sweeps", "lookup": "sweeps"},
    "Papers and named models": {"models": "models", "reproduce": "", "cite": ""},
    "Tools": {
        "map": "models",
        "rowreduce": "models",
        "bounds": "dimensions",
        "decompose": "dimensions",
        "export": "models",
        "doctor": "doctor",
        "completion": "completion",
        "man": "manual",
    },
}
"""The commands in the order of `algdim --help`, under what they are for, each with its module; those of the papers' package have none here.

A module has them as data in its table `COMMANDS`, which is read when one is needed."""

COMMANDS: Mapping[str, str] = {name: module for group in GROUPS.values() for name, module in group.items()}
"""The module of each command."""


def load_command(name: str) -> Command:
    """A command from the table `COMMANDS` of its module, or of the papers' package; where that is missing, it says so when it is run."""
    if COMMANDS[name]:
        table: Mapping[str, Command] = import_module(f"algdim.cli.{COMMANDS[name]}").COMMANDS
        return table[name]
    try:
        offered: Mapping[str, Command] = load_papers().COMMANDS
    except InputError as missing:
        return make_refusing_command(name, missing)
    return offered[name]


def make_refusing_command(name: str, missing: InputError) -> Command:
    """A command that takes any words and raises the error."""

    def refuse(arguments: argparse.Namespace) -> int:
        del arguments
        raise missing

    words = Option("words", "WORD", argparse.SUPPRESS, nargs=argparse.REMAINDER)
    return Command(refuse, "needs the package algdim_papers, which is missing here", f"algdim {name}", words)


BEGINNING = """Getting started:
  algdim dim 3:2,2,2,2                    three classes, four binary items
  algdim identify model.lav               what is identified, degrees of freedom
  algdim select data.csv --classes 1..4   how many classes

`algdim COMMAND --help` has options and an example, `algdim man` everything."""


def main(argv: list[str] | None = None) -> int:
    """Run one command and return its exit code, when all that it printed has been taken."""
    if sys.stdout is None:  # closed by who started it; a file that is opened would take its place
        print("algdim: standard output is closed; redirect it to /dev/null to discard the output", file=sys.stderr)
        return InputError.exit_code
    try:
        try:
            return run_command(argv)
        except AlgdimError as error:
            tell(f"algdim: {error}")
            return error.exit_code
        except MemoryError:
            tell("algdim: out of memory; give a smaller --max-memory to be told before")
            return LimitError.exit_code
        finally:
            sys.stdout.flush()  # what stands in the buffer may fail as well, and Python would not say it
    except BrokenPipeError:  # the reader has gone, as `| head` does
        drop_output()
        return 0
    except OSError as error:  # a full disk, a folder that may not be written
        drop_output()
        place = "standard output" if error.filename is None else error.filename
        tell(f"algdim: {place}: {error.strerror or error}")
        return InputError.exit_code


def run_command(argv: list[str] | None) -> int:
    """Read the words of the command line and do what they say."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a sign that the terminal lacks is no reason to fail
    words = sys.argv[1:] if argv is None else argv
    # a command that is named first needs no parser but its own
    parser = build_parser(words[:1] if words and words[0] in COMMANDS else COMMANDS)
    for word in words:
        option, _, value = word.partition("=")
        if option.startswith("--") and value == "--":
            parser.error(f"{option} expects a value, not --")  # argparse may take it as nothing at all
    arguments, left = parser.parse_known_args(convert_help_words(words))
    if left:
        parser.error(explain_unknown_words(arguments.command, left))
    if arguments.command is None:
        parser.print_help()
        return InputError.exit_code
    command: Command = arguments.asked
    check_forms(arguments)
    set_threads(arguments.threads)
    if isinstance(sys.stdout, io.TextIOWrapper) and is_for_programs(arguments):
        sys.stdout.reconfigure(encoding="utf-8")  # whatever the locale: JSON and pages say, or suppose, that they are
    print_drawn_seed(arguments)
    with (
        allow_as_asked(arguments) as arguments.allowance,
        show_progress(make_progress(arguments)) as arguments.progress,
    ):
        read_as_asked(arguments)
        return command.run(arguments)


def check_forms(arguments: argparse.Namespace) -> None:
    """Raise if JSON and another form are asked for."""
    others = (name for name in ("svg", "bibtex") if getattr(arguments, name, None))
    form = getattr(arguments, "form", None) or next(others, None)
    if arguments.json and form:
        raise InputError(f"--json and --{form} are two forms; give one of them")


def allow_as_asked(arguments: argparse.Namespace) -> AbstractContextManager[Allowance | None]:
    """The seconds and the memory of the command, if it is about one answer; those about many models give each its own."""
    if arguments.asked.is_about_many:
        return nullcontext()
    if not hasattr(arguments, "max_seconds"):
        return allowing(Allowance())  # which only tells what is done
    from algdim.memory import allow

    return allow(arguments.max_seconds, getattr(arguments, "max_memory", None))


def make_progress(arguments: argparse.Namespace) -> Progress:
    """Where the command says what it does."""
    return Progress(arguments.command, arguments.quiet, watched=arguments.allowance, otherwise=arguments.asked.doing)


def is_for_programs(arguments: argparse.Namespace) -> bool:
    """Whether what is printed is a document that a program reads, not text for a terminal."""
    form = getattr(arguments, "form", None) or getattr(arguments, "table", None) or "text"
    wanted = (getattr(arguments, "json", False), getattr(arguments, "svg", None), form != "text")
    return arguments.asked.is_document or any(wanted)


def drop_output() -> None:
    """Nobody takes what is left in the buffer: let it go, or Python would complain at the end."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def build_parser(names: Iterable[str] = COMMANDS) -> argparse.ArgumentParser:
    """All commands and their options, or those of some."""
    parser = Parser(
        prog="algdim",
        description="The exact effective dimension of statistical models with hidden variables.",
        usage="algdim [-h] [-V] COMMAND ...",
        formatter_class=WidthFormatter,
    )
    parser.add_argument("-V", "--version", action="version", version=f"algdim {VERSION}")
    parser.set_defaults(threads=None)
    commands = parser.add_subparsers(prog="algdim", dest="command", metavar="COMMAND", help=argparse.SUPPRESS)
    loaded = {name: load_command(name) for name in names}
    for name, command in loaded.items():
        command.add_parser(commands, name)
    parser.epilog = "\n\n".join([*format_groups(loaded), BEGINNING])
    return parser


def format_groups(commands: Mapping[str, Command]) -> Iterator[str]:
    """The commands under what they are for, as `git --help` has them."""
    width = max((len(name) for name in COMMANDS), default=0)
    fits = find_width(sys.stdout)
    for title, group in GROUPS.items():
        lines = [f"  {name:<{width}}   {commands[name].words}" for name in group if name in commands]
        if lines:
            yield fold_text("\n".join([title, *lines]), fits)


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


def explain_unknown_words(command: str | None, left: Sequence[str]) -> str:
    """What to say of words that no option or argument of a command takes."""
    text = f"unrecognized arguments: {' '.join(left)}"
    option = next((word.partition("=")[0] for word in left if word.startswith("-") and not word.startswith("->")), "")
    if option == "--pdf":
        return f"{text}; --latex writes a document, and browsers print the page of --html"
    if option:
        known = collect_words(load_command(command)) if command else ("--help", "--version")
        return text + describe_closest_word(option, known)
    if command == "select":
        return f"{text}; models are given by --structures, as in algdim select data.csv --structures 2:2^4"
    if all(word.isdecimal() for word in left):
        return f"{text}; numbers of states are separated by commas, without spaces, as in algdim dim 3:2,2,2,2"
    if any(" " in word for word in left):
        return f"{text}; {command or 'algdim'} takes no further model or file"
    return f'{text}; a text with spaces stands between quotes, as in algdim dim "A -> B; hidden A"'
