"""The command line: results to standard output, diagnostics to standard error. Commands of one subject are a file.

Exit codes: 0; 1 a check that failed; 2 input that cannot be read or is wrong; 3 refused because of a limit; 4 a claim that is open.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from algdim.about import VERSION
from algdim.cli.completion import collect_helps, collect_words
from algdim.cli.options import add_command, print_drawn_seed, read_as_asked
from algdim.cli.printing import find_width, tell
from algdim.cli.progress import Progress, show_progress
from algdim.errors import AlgdimError, InputError, LimitError, describe_closest_word, join_names
from algdim.exact.threads import set_threads
from algdim.folding import fold_text
from algdim.limits import Allowance, allowing
from algdim.nextdoor import load_papers


@dataclass(frozen=True, slots=True)
class FromNextDoor:
    """A command of the papers' package. Where that is missing, it says so when it is run."""

    name: str

    def add(self, commands: Any) -> None:
        """Let the package add its command."""
        try:
            command = load_papers().COMMANDS[self.name]
        except InputError as missing:
            self.add_refusal(commands, missing)
        else:
            command(commands)

    def add_refusal(self, commands: Any, missing: InputError) -> None:
        """A command that takes any words and raises the error."""

        def refuse(arguments: argparse.Namespace) -> int:
            del arguments
            raise missing

        words = "needs the package algdim_papers, which is missing here"
        parser = add_command(commands, self.name, refuse, words, f"algdim {self.name}")
        parser.add_argument("words", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)


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
"""The commands in the order of `algdim --help`, under what they are for, each with its module; those of the papers' package have none here."""

COMMANDS: Mapping[str, str] = {name: module for group in GROUPS.values() for name, module in group.items()}
"""The module of each command."""


def add_by_name(name: str, commands: Any) -> None:
    """Add a command; its module, which has `add_` and the name, is imported when it is needed."""
    module = COMMANDS[name]
    if not module:
        FromNextDoor(name).add(commands)
        return
    getattr(import_module(f"algdim.cli.{module}"), f"add_{name}")(commands)


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
    # a command that is named first needs no parser but its own, unless it tells of all
    is_alone = bool(words) and words[0] in COMMANDS and words[0] not in TELLING_OF_ALL
    parser = build_parser(words[:1] if is_alone else COMMANDS)
    for word in words:
        option, _, value = word.partition("=")
        if option.startswith("--") and value == "--":
            parser.error(f"{option} expects a value, not --")  # argparse may take it as nothing at all
    arguments, left = parser.parse_known_args(convert_help_words(words))
    if left:
        parser.error(explain_unknown_words(parser, arguments.command, left))
    if arguments.command is None:
        parser.print_help()
        return InputError.exit_code
    set_threads(arguments.threads)
    run: Callable[[argparse.Namespace], int] = arguments.run
    if isinstance(sys.stdout, io.TextIOWrapper) and is_for_programs(arguments):
        sys.stdout.reconfigure(encoding="utf-8")  # whatever the locale: JSON and pages say, or suppose, that they are
    print_drawn_seed(arguments)
    with (
        allow_as_asked(arguments) as arguments.allowance,
        show_progress(make_progress(arguments)) as arguments.progress,
    ):
        read_as_asked(arguments)
        return run(arguments)


def allow_as_asked(arguments: argparse.Namespace) -> AbstractContextManager[Allowance | None]:
    """The seconds and the memory of the command, if it is about one answer; those about many models give each its own."""
    if arguments.command in OF_MANY:
        return nullcontext()
    if not hasattr(arguments, "max_seconds"):
        return allowing(Allowance())  # which only tells what is done
    from algdim.memory import allow

    return allow(arguments.max_seconds, getattr(arguments, "max_memory", None))


def make_progress(arguments: argparse.Namespace) -> Progress:
    """Where the command says what it does."""
    return Progress(
        arguments.command,
        arguments.quiet,
        watched=arguments.allowance,
        otherwise=DOING.get(arguments.command, ""),
    )


DOING = {
    "dim": "the model, its map and its bounds",
    "identify": "the kernel of the Jacobian",
    "explain": "explaining the model",
    "constraints": "lists of equations",
    "compare": "both models, and maps between them",
    "fit": "data, model and estimates",
    "score": "data, model and scores",
    "select": "data and candidates",
    "simulate": "drawing cases",
    "prove": "writing and checking the evidence",
    "verify": "checking certificates",
    "table": "the models of the table",
    "check": "the claims of the file",
    "rowreduce": "reducing the matrices",
    "sweep": "the list of models",
    "query": "reading the store",
    "lookup": "the models of the atlas",
    "reproduce": "the claims of the papers",
    "map": "writing out the coordinates",
    "bounds": "the bounds of the latent class model",
    "decompose": "the parts of the model",
    "export": "writing out the coordinates",
    "studio": "starting the studio",
}
"""What a command is about where nothing more is known of what takes time."""


OF_MANY = {"check", "reproduce", "sweep", "table"}
"""The commands that give each of many models its own seconds."""


def is_for_programs(arguments: argparse.Namespace) -> bool:
    """Whether what is printed is a document that a program reads, not text for a terminal."""
    form = getattr(arguments, "form", None) or getattr(arguments, "table", None) or "text"
    wanted = (getattr(arguments, "json", False), getattr(arguments, "svg", None), form != "text")
    return arguments.command in DOCUMENTS or any(wanted)


DOCUMENTS = {"export", "prove", "simulate", "completion", "man"}
"""The commands whose output is nothing else."""

TELLING_OF_ALL = {"completion", "man"}
"""The commands that need the parsers of all."""


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
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("-V", "--version", action="version", version=f"algdim {VERSION}")
    parser.set_defaults(threads=None)
    commands = parser.add_subparsers(prog="algdim", dest="command", metavar="COMMAND", help=argparse.SUPPRESS)
    for name in names:
        add_by_name(name, commands)
    parser.epilog = "\n\n".join([*format_groups(commands), BEGINNING])
    return parser


def format_groups(commands: Any) -> Iterator[str]:
    """The commands under what they are for, as `git --help` has them."""
    helps = collect_helps(commands)
    width = max((len(name) for name in COMMANDS), default=0)
    fits = find_width(sys.stdout)
    for title, group in GROUPS.items():
        lines = [f"  {name:<{width}}   {helps[name]}" for name in group if name in helps]
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


def explain_unknown_words(parser: argparse.ArgumentParser, command: str | None, left: Sequence[str]) -> str:
    """What to say of words that no option or argument of a command takes."""
    commands = next(action for action in parser._actions if action.dest == "command")  # noqa: SLF001  # argparse has no other way
    text = f"unrecognized arguments: {' '.join(left)}"
    option = next((word.partition("=")[0] for word in left if word.startswith("-") and not word.startswith("->")), "")
    if option == "--pdf":
        return f"{text}; --latex writes a document, and browsers print the page of --html"
    if option:
        return text + describe_closest_word(option, collect_words(commands).get(command or "", ("--help", "--version")))
    if all(word.isdecimal() for word in left):
        return f"{text}; numbers of states are separated by commas, without spaces, as in algdim dim 3:2,2,2,2"
    return f'{text}; a text with spaces stands between quotes, as in algdim dim "A -> B; hidden A"'
