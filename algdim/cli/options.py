"""Commands as data, the engine that makes parsers of them, the options that they share, and how results are printed."""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import chain, islice
from typing import Any

from algdim.cli.printing import find_width, print_text, tell
from algdim.errors import InputError, LimitError, join_names
from algdim.figures import remove_control_characters
from algdim.folding import fold_text
from algdim.limits import check_seconds
from algdim.memory import parse_memory_size
from algdim.wholefiles import write_text

FAILED_CHECK = 1

MODEL_HELP = "a model: notation such as '3:2,2,2,2' or 'A -> C <- H -> B; hidden H', a name that `algdim models` lists, or a file: .json, .toml, lavaan, BIF, dagitty and others (docs/formats.md); - reads standard input"

FORMAT_HELP = "read MODEL as a file, or the text of a file, of this format, with options: lavaan, lavaan:growth,std.lv, bif, dagitty:discrete, …"


class WidthFormatter(argparse.RawDescriptionHelpFormatter):
    """Help at the width of all that is printed, which is known without the library that argparse would import for it."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=find_width(sys.stdout) - 2)


class HelpFormatter(WidthFormatter):
    """Folds a description; of an epilog, which has examples, every line stays."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return super()._fill_text(text if "\n" in text else fold_text(text, width), width, indent)


class Option:
    """An argument or an option with a value, as data: its names, what the help calls the value and says of it, the rest for argparse."""

    def __init__(
        self, names: str, metavar: str | tuple[str, ...], words: str, *, is_common: bool = False, **rest: Any
    ) -> None:
        self.names, self.is_common = names.split(), is_common
        self.rest = {"metavar": metavar, "help": words, **rest}

    @property
    def is_argument(self) -> bool:
        """Whether its place says what it is, not its name."""
        return not self.names[0].startswith("-")

    @property
    def value(self) -> str:
        """What the help calls the value."""
        metavar = self.rest.get("metavar", "")
        return metavar if isinstance(metavar, str) else " ".join(metavar)


class Flag(Option):
    """An option without a value."""

    def __init__(self, names: str, words: str, *, is_common: bool = False, **rest: Any) -> None:
        self.names, self.is_common = names.split(), is_common
        self.rest = {"action": "store_true", "help": words, **rest}


class OneOf:
    """Options of which one may be given."""

    def __init__(self, *options: Option) -> None:
        self.options = options


class Command:
    """A command as data; `build_parser` makes its parser, `algdim man` and `algdim completion` read it too."""

    def __init__(
        self,
        run: Callable[[argparse.Namespace], int],
        words: str,
        examples: str,
        *options: Option | OneOf,
        doing: str = "",
        is_about_many: bool = False,
        is_document: bool = False,
    ) -> None:
        """What runs it, what it does in a few words, and its options in the order of the help.

        `doing` is what it is about where nothing more is known of what takes time; each of many models gets its own seconds.
        """
        self.run, self.words, self.examples, self.options = run, words, examples, options
        self.doing, self.is_about_many, self.is_document = doing, is_about_many, is_document

    @property
    def all_options(self) -> list[Option]:
        """All options one by one, those that every command has first."""
        own = (one.options if isinstance(one, OneOf) else (one,) for one in self.options)
        return [HELP, *COMMON, *chain.from_iterable(own)]

    @property
    def epilog(self) -> str:
        """What follows the options in the help."""
        return f"example:\n  {self.examples}"

    def add_parser(self, commands: Any, name: str) -> None:
        """Make the parser, and add it to those of other commands."""
        parser: argparse.ArgumentParser = commands.add_parser(
            name,
            help=self.words,
            description=self.words[0].upper() + self.words[1:] + ".",
            epilog=self.epilog,
            formatter_class=HelpFormatter,
        )
        parser.set_defaults(asked=self)
        common = parser.add_argument_group("common options")
        for one in (*COMMON, *self.options):
            if isinstance(one, OneOf):
                some = parser.add_mutually_exclusive_group()
                for option in one.options:
                    some.add_argument(*option.names, **option.rest)
            else:
                (common if one.is_common else parser).add_argument(*one.names, **one.rest)


def collect_words(command: Command) -> tuple[str, ...]:
    """The options of a command, long ones."""
    return tuple(name for option in command.all_options for name in option.names if name.startswith("--"))


def list_forms(forms: Mapping[str, str], words: str = "") -> tuple[Option, ...]:
    """An option for each form in which something is printed."""
    return tuple(
        Flag(f"--{form}", f"{words}{said}", action="store_const", dest="form", const=form)
        for form, said in forms.items()
    )


def read_data(arguments: argparse.Namespace) -> Any:
    """The data with the chosen columns only; the column of counts is kept, unless it is left out by name."""
    if all(said is None for said in (arguments.items, arguments.without, arguments.na, arguments.encoding)):
        return arguments.data
    if arguments.data is None:
        raise InputError("--items, --without, --na and --encoding are about data; give --data too")
    from dataclasses import replace

    from algdim.fitting.samples import COUNT, warn_omitted_counts
    from algdim.fitting.tabulardata import UTF8, find_encoding, read_columns
    from algdim.models.ranges import describe_meant_range

    table = read_columns(arguments.data, UTF8 if arguments.encoding is None else find_encoding(arguments.encoding))
    if arguments.na is not None:
        table = table.without({text.strip() for text in ",".join(arguments.na).split(",")})
    if arguments.items is None and arguments.without is None:
        return table
    header = {name: place for place, name in enumerate(table.names or ())}
    said = parse_names(arguments.items or arguments.without, header)
    times = Counter(said)
    for name in said:
        if name not in header:
            hint = describe_meant_range(name)
            raise InputError(
                f"{table.source}: there is no column {name}; there are {join_names(header)}{hint and f'; {hint}'}"
            )
        if times[name] > 1:
            raise InputError(f"{name} occurs twice; each column is taken once")
    by_name = arguments.items is not None
    meant = said if by_name else [name for name in header if name not in times and name != COUNT]
    if not meant:
        raise InputError(f"{table.source}: no column is left; name some of {join_names(header)}")
    counts = [COUNT] if COUNT in header and COUNT not in times else []
    found = table.select_columns([header[name] for name in [*meant, *counts]])
    return replace(found, notes=(*found.notes, *warn_omitted_counts(table, [*meant, *counts])))


def parse_names(texts: Iterable[str], known: Collection[str] = ()) -> list[str]:
    """The names of an option, separated by commas, those of ranges such as X1..X4 too; a known name is no range.

    >>> parse_names(["A,B", "X1..X3"]), parse_names(["X1..X3"], ["X1..X3"])
    (['A', 'B', 'X1', 'X2', 'X3'], ['X1..X3'])
    """
    from algdim.models.ranges import expand_range

    said = [name.strip() for name in ",".join(texts).split(",") if name.strip()]
    return [name for text in said for name in ([text] if text in known else expand_range(text))]


MODEL_ARGUMENTS = ("model", "first", "second")
FROM_INPUT = "-"
NAMES_OF_INPUT = (FROM_INPUT, "/dev/stdin")
"""In the place of a file: standard input."""
INPUT_NAME = "standard input"


def read_standard_input(arguments: argparse.Namespace) -> None:
    """Put what standard input has into the place of the argument `-`: a model, data as CSV, or parameters as JSON."""
    asked = [
        name for name in (*MODEL_ARGUMENTS, "data", "at", "resume") if getattr(arguments, name, None) in NAMES_OF_INPUT
    ]
    if not asked:
        return
    if len(asked) > 1:
        raise InputError("'-' stands for standard input, which can be read once; give a file for the others")
    raw = read_input_bytes()
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeError:
        raise InputError(f"{INPUT_NAME} is not UTF-8; convert it, or save it as a file in UTF-8") from None
    if not text.strip():
        raise InputError(f"{INPUT_NAME} is empty")
    setattr(arguments, asked[0], read_input_text(text, asked[0], is_formatted=bool(getattr(arguments, "format", None))))


def read_input_bytes() -> bytes:
    """All that standard input has, up to the limit of a file."""
    from algdim.readers.files import MOST_BYTES

    if sys.stdin is None:
        raise InputError("standard input is closed; give a file instead of '-'")
    raw: bytes | str = getattr(sys.stdin, "buffer", sys.stdin).read(MOST_BYTES + 1)
    if len(raw) > MOST_BYTES:
        raise LimitError(f"{INPUT_NAME} has more than {MOST_BYTES} bytes, which is the limit")
    return raw.encode() if isinstance(raw, str) else raw


def read_input_text(text: str, argument: str, *, is_formatted: bool) -> Any:
    r"""What a text stands for in the place of an argument.

    >>> read_input_text("A -> B\n", "model", is_formatted=False), read_input_text('{"A": 1}', "at", is_formatted=False)
    ('A -> B', {'A': 1})
    """
    if argument == "data":
        from algdim.fitting.tabulardata import read_csv

        return read_csv(text, INPUT_NAME)
    if argument not in MODEL_ARGUMENTS:
        from algdim.readers.files import parse_table

        return parse_table(text, ".json")
    if is_formatted:
        return text
    from algdim.readers.formats import find_format, read_as

    name = find_format(text)
    return text.strip() if name is None else read_as(text, name, {})


def read_as_asked(arguments: argparse.Namespace) -> None:
    """Read models at once where their format, or hidden variables, are said beside them."""
    read_standard_input(arguments)
    form, hidden = getattr(arguments, "format", None), getattr(arguments, "hidden", None)
    arguments.file = find_file(getattr(arguments, "model", None))
    if form is None:
        warn_of_doubts(arguments)
    if form is None and hidden is None:
        return
    from algdim.readers.anything import read_model

    names = parse_names(hidden or ())
    for argument in MODEL_ARGUMENTS:
        if hasattr(arguments, argument):
            text = getattr(arguments, argument)
            if text is None:
                raise InputError("--format and --hidden are about MODEL, and there is no MODEL; give one")
            arguments.file = find_file(text)
            if getattr(arguments, "data", None) is not None:
                from algdim.fitting.problems import read_described_model

                arguments.data, text = read_described_model(read_data(arguments), text, form)
                arguments.items = arguments.without = arguments.na = arguments.encoding = None  # the data are as asked
                setattr(arguments, argument, read_model(text, hidden=names))
            else:
                setattr(arguments, argument, read_model(text, format=form, hidden=names))


def warn_of_doubts(arguments: argparse.Namespace) -> None:
    """Say what may be meant otherwise than it is read, as a list between two arrows; on standard error."""
    texts = [getattr(arguments, argument, None) for argument in MODEL_ARGUMENTS]
    for text in texts:
        if (
            isinstance(text, str)
            and ("," in text or "=" in text)
            and ("->" in text or "<-" in text)
            and not arguments.quiet
        ):
            from algdim.models.notation import describe_doubts

            note = describe_doubts(text)
            if note:
                tell(f"algdim: note: {note}")


def parse_positive(text: str) -> int:
    """A positive integer of the command line."""
    if not re.fullmatch(r"[1-9][0-9]{0,5}", text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 to 999999")
    return int(text)


class DrawnSeed(int):
    """A seed that was drawn from the system; the command says which, so that its run can be repeated."""


def parse_seed(text: str) -> int:
    """A seed: an integer, or `random` to draw one from the system."""
    if text == "random":
        from algdim.exact.draws import draw_random_seed

        return DrawnSeed(draw_random_seed())
    if not re.fullmatch(r"-?[0-9]{1,100}", text):
        raise argparse.ArgumentTypeError(f"{text!r} is neither an integer nor the word random")
    return int(text)


def parse_memory(text: str) -> int:
    """A size such as 500M, 4G or a number of bytes."""
    try:
        return parse_memory_size(text)
    except InputError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def print_json(value: Any) -> None:
    """Print one JSON document, piece by piece: a long one is never in memory as one text."""
    with allowing_long_numbers():
        pieces = iterate_json(value)
        while some := "".join(islice(pieces, MOST_PIECES)):
            sys.stdout.write(some)
    print()


def format_json(value: Any) -> str:
    """One JSON document; a count of cells may have more digits than Python prints unless told to."""
    with allowing_long_numbers():
        return "".join(iterate_json(value))


def iterate_json(value: Any) -> Iterator[str]:
    """The pieces of one JSON document."""
    import json

    return json.JSONEncoder(ensure_ascii=False, indent=1).iterencode(value)


@contextmanager
def allowing_long_numbers() -> Iterator[None]:
    """Let integers have any number of digits in texts."""
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(limit)


MOST_PIECES = 10_000
"""Of a document, which are written at once."""


def print_or_write(text: str, target: str | None) -> int:
    """Print a text, or write it to a file, completely or not at all."""
    if target is None:
        print(text.removesuffix("\n"))
        return 0
    write_text(target, text if text.endswith("\n") else f"{text}\n")
    return 0


def show(found: Any, arguments: argparse.Namespace, file: str | None = None) -> int:
    """Print a record for people or for machines, with the name of the model's file, if it is of one."""
    arguments.progress.finish()
    if arguments.json:
        print_json(add_file_name(with_seed(found.to_dict(), arguments), file))
    else:
        print_text(f"{format_heading(file)}{found}")
    return 0


def with_seed(document: dict[str, Any], arguments: argparse.Namespace) -> dict[str, Any]:
    """A JSON document with the seed of the command, if it takes one."""
    return {**document, "seed": document.get("seed", arguments.seed)} if hasattr(arguments, "seed") else document


def print_drawn_seed(arguments: argparse.Namespace) -> None:
    """Say which seed was drawn; on standard error, because what is printed may be a document."""
    if isinstance(getattr(arguments, "seed", None), DrawnSeed):
        tell(f"algdim: seed {arguments.seed}; --seed {arguments.seed} repeats this run")


def add_file_name(document: dict[str, Any], file: str | None) -> dict[str, Any]:
    """A document with the name of the model's file."""
    return document if file is None else {**document, "file": file}


def format_heading(file: str | None) -> str:
    """What stands before a result that is of a file."""
    return "" if file is None else f"{remove_control_characters(file)}: "


def find_file(text: object) -> str | None:
    """The path, if an argument is that of a model's file."""
    if not isinstance(text, str) or "." not in text:
        return None
    from algdim.readers.formats import find_known_suffix

    return text if find_known_suffix(text) is not None else None


def parse_allowed_seconds(text: str) -> float:
    """A number of seconds, 0 and inf included."""
    try:
        return check_seconds(float(text))
    except (ValueError, InputError):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds, 0 or more, or inf") from None


HELP = Flag("-h --help", "show this help message and exit")

COMMON = (
    Flag("--json", "print JSON", is_common=True),
    Option(
        "--threads", "N", "threads for large matrices (default: all processors)", type=parse_positive, is_common=True
    ),
    Flag("--quiet", "no progress on standard error", is_common=True),
)
"""The options of every command, which are listed below the others."""

FORMAT = (
    Option("--format", "NAME", FORMAT_HELP, is_common=True),
    Option(
        "--hidden",
        "NAMES",
        "additional hidden variables of MODEL, separated by commas",
        action="append",
        is_common=True,
    ),
)
"""What can be said of every model that a command takes."""

MODEL = (Option("model", "MODEL", MODEL_HELP), *FORMAT)
"""The argument MODEL, and what else can be said of it."""

ITEMS = (
    OneOf(
        Option("--items", "NAMES", "columns of DATA to use as items, separated by commas", action="append"),
        Option("--without", "NAMES", "columns of DATA to leave out, separated by commas", action="append"),
    ),
    Option(
        "--na",
        "TEXTS",
        "further codes for missing values in DATA, separated by commas, as in --na=-99,unknown (with --missing)",
        action="append",
    ),
    Option("--encoding", "NAME", "encoding of a CSV file: latin-1, cp1252, … (default UTF-8)"),
)
"""Which columns of the data are meant."""


def make_seed_option(what: str = "all random choices") -> Option:
    """The option of what draws at random."""
    return Option("--seed", "S", f"seed of {what} (default 0), or `random`", type=parse_seed, default=0)


def make_seconds_option(
    words: str = "seconds for searches that only sharpen a proof (default 120; inf: no limit), not for ranks; what is not tried is told",
) -> Option:
    """The option of what searches for proofs."""
    return Option("--max-seconds", "S", words, type=parse_allowed_seconds)


MEMORY = Option("--max-memory", "SIZE", "memory limit, e.g. 4G (default: half of RAM)", type=parse_memory)
LIMITS = (make_seed_option(), MEMORY, make_seconds_option())
"""The options of what takes ranks and searches for proofs."""
