"""The commands about many models: sweep, query, table."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from algdim.cli.options import (
    FAILED_CHECK,
    add_command,
    add_model,
    add_seconds,
    add_seed_and_memory,
    format_json,
    parse_allowed_seconds,
    parse_positive,
    print_json,
    print_or_write,
    with_seed,
)
from algdim.cli.printing import find_width, print_text, tell
from algdim.cli.progress import format_duration
from algdim.errors import InputError, join_names
from algdim.folding import USUAL, fold_text
from algdim.wholefiles import replace_whole_file, write_text

if TYPE_CHECKING:
    from algdim.sweeping.language import Sweep, SweptModels
    from algdim.sweeping.sweeping import State
    from algdim.tables.grid import Cell, Grid


FORMS = {
    "latex": "LaTeX, for the package booktabs",
    "markdown": "Markdown",
    "html": "HTML",
    "typst": "Typst",
    "csv": "comma-separated values, nothing bold",
}

TABLE_FORMS = ("text", *FORMS)
"""Where the form is the value of an option."""

SUFFIXES = {".tex": "latex", ".md": "markdown", ".html": "html", ".typ": "typst", ".csv": "csv", ".json": "json"}
"""What a file is written in that ends so, unless another form is asked for."""


def add_table(commands: Any) -> None:
    """The command table."""
    example = "algdim table kocka-zhang-1 --latex\n  algdim table models.csv --columns label,standard,dimension,status -o table.tex"
    parser = add_command(commands, "table", run_table, "a table of models, recomputed", example)
    parser.add_argument(
        "spec",
        metavar="SPEC",
        help="kocka-zhang-1, meek-heckerman-1, a paper (ghm96, hm97, kz02, ch96, mh97: all of its models), or a .toml or .csv "
        "file that lists models (see docs/tables.md)",
    )
    parser.add_argument("--columns", metavar="NAMES", help="columns of a user-defined table, separated by commas")
    forms = parser.add_mutually_exclusive_group()
    for form, words in FORMS.items():
        forms.add_argument(f"--{form}", action="store_const", dest="form", const=form, help=words)
    add_table_file(parser)
    add_seed_and_memory(parser)
    add_seconds(parser)


def add_table_file(parser: argparse.ArgumentParser) -> None:
    """Where a table is written, and in which layout."""
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help=f"the file to write (default: standard output); {join_names(SUFFIXES)} set the format, unless an option does",
    )
    add_two_columns(parser)
    add_formulas(parser)


def add_two_columns(parser: argparse.ArgumentParser) -> None:
    """For which document a table in LaTeX is."""
    words = "with --latex: for a document of two columns, both of which a wide table spans"
    parser.add_argument("--two-columns", action="store_true", help=words)
    words = "with --latex: for a document with the package siunitx, which aligns numbers at their points"
    parser.add_argument("--siunitx", action="store_true", help=words)


def add_formulas(parser: argparse.ArgumentParser) -> None:
    """How cells are written that a spreadsheet would compute."""
    words = "in CSV, cells that begin with =, +, - or @ as they are, without an apostrophe that keeps spreadsheets from computing them"
    parser.add_argument("--formulas", action="store_true", help=words)


def render_grid(grid: Grid, form: str, arguments: argparse.Namespace) -> str:
    """A table in one of the forms; as text it is as wide as the terminal."""
    if form == "text":
        width = find_width(sys.stdout) if arguments.output is None else USUAL
        return fold_text(grid.text(width), width)
    if form == "latex":
        return grid.latex(
            in_two_columns=getattr(arguments, "two_columns", False), with_siunitx=getattr(arguments, "siunitx", False)
        )
    return grid.csv(formulas=arguments.formulas) if form == "csv" else str(getattr(grid, form)())


def run_table(arguments: argparse.Namespace) -> int:
    """Print a table in the form asked for."""
    from algdim.tables.spec import table

    if arguments.json and arguments.form is not None:
        raise InputError(f"--json and --{arguments.form} are two forms; give one of them")
    columns = None if arguments.columns is None else [name.strip() for name in arguments.columns.split(",")]
    grid = table(
        arguments.spec,
        columns=columns,
        seed=arguments.seed,
        max_memory=arguments.max_memory,
        max_seconds=arguments.max_seconds,
        progress=arguments.progress.count,
    )
    arguments.progress.finish()
    for remark in grid.remarks:
        tell(f"algdim: note: {remark}")
    form = "json" if arguments.json else arguments.form or match_form(arguments.output)
    text = format_json(with_seed(grid.to_dict(), arguments)) if form == "json" else render_grid(grid, form, arguments)
    return print_or_write(text, arguments.output)


def match_form(target: str | None) -> str:
    """The form of a table in a file of this name, text if the name does not say.

    >>> match_form("paper/table-1.tex"), match_form(None)
    ('latex', 'text')
    """
    return "text" if target is None else SUFFIXES.get(Path(target).suffix.lower(), "text")


def add_sweep(commands: Any) -> None:
    """The command sweep."""
    example = "algdim sweep 'lc cells<=60' --store results.sqlite\n  algdim query results.sqlite --where 'dimension < best_bound'"
    help_text = "the dimensions of many models, in an SQLite file; rerun the command to resume"
    parser = add_command(commands, "sweep", run_sweep, help_text, example)
    parser.add_argument(
        "models",
        metavar="SWEEP",
        help="a kind of models with ranges, such as 'lc cells<=260', or a file of models (.txt; .csv and .toml, which may give each a label); kinds: lc, symmetric, trees, mixed, "
        "networks, structures, random-trees, random-networks (see docs/sweeps.md)",
    )
    parser.add_argument(
        "--store", metavar="FILE", help="SQLite file for the results; created if missing, resumed if present"
    )
    parser.add_argument("--list", action="store_true", help="only list the models, one per line")
    parser.add_argument(
        "--method", default="auto", metavar="NAME", help="method for ranks, as in `algdim dim` (default auto)"
    )
    parser.add_argument(
        "--bounds", default="auto", metavar="NAMES", help="bounds to try, as in `algdim dim` (default auto)"
    )
    parser.add_argument("--certificates", action="store_true", help="store a certificate of every proved dimension")
    parser.add_argument(
        "--workers", type=parse_positive, metavar="N", help="number of processes (default: all processors)"
    )
    parser.add_argument(
        "--dask", metavar="ADDRESS", help="use the workers of a Dask scheduler, e.g. tcp://10.0.0.1:8786"
    )
    parser.add_argument("--timeout", type=parse_seconds, metavar="S", help="time limit per model, in seconds")
    parser.add_argument("--retry", action="store_true", help="retry models that failed before")
    parser.add_argument(
        "--keep-going",
        action="store_true",
        help="record models that cannot be read as failed (default: list them and stop)",
    )
    add_seed_and_memory(parser)
    parser.add_argument(
        "--max-seconds",
        type=parse_allowed_seconds,
        metavar="S",
        help="seconds of each model for searches that only sharpen a proof (default: no limit, so that rows are the same everywhere)",
    )


def parse_seconds(text: str) -> float:
    """A positive number of seconds."""
    try:
        value = float(text)
    except ValueError:
        value = -1
    if not 0 < value < 1e9:
        raise argparse.ArgumentTypeError(f"{text!r} is not a positive number of seconds")
    return value


def run_sweep(arguments: argparse.Namespace) -> int:
    """Run a sweep, or only list its models."""
    from algdim.sweeping.language import describe_duplicates, read_sweep
    from algdim.sweeping.processes import count_workers, open_client, open_dask_executor
    from algdim.sweeping.sweeping import sweep

    models = read_sweep(arguments.models)
    if arguments.list:
        found = models.entries(keep_going=arguments.keep_going, progress=arguments.progress.say)
        arguments.progress.wipe()
        texts = select_readable(models, found)
        if found.made:
            tell(f"algdim: note: {describe_duplicates(found)}")
        print_json(texts) if arguments.json else print("\n".join(texts))
        return 0
    if arguments.store is None:
        raise InputError("where to? give --store FILE, or --list to see the models only")
    with ExitStack() as stack:
        make, workers = None, arguments.workers
        if arguments.dask is not None:
            connection = stack.enter_context(open_client(arguments.dask))
            make, workers = (lambda: open_dask_executor(connection)), workers or count_workers(connection)
        swept = sweep(
            models,
            arguments.store,
            executor=make,
            workers=workers,
            seed=arguments.seed,
            method=arguments.method,
            bounds=arguments.bounds,
            certificates=arguments.certificates,
            timeout=arguments.timeout,
            max_memory=arguments.max_memory,
            max_seconds=arguments.max_seconds,
            retry=arguments.retry,
            keep_going=arguments.keep_going,
            progress=lambda state: arguments.progress.say(describe_state(state)),
        )
    arguments.progress.wipe()
    if arguments.json:
        print_json(with_seed(swept.to_dict(), arguments))
    else:
        print_text(swept)
    return 0 if swept.complete else FAILED_CHECK


def select_readable(models: Sweep, entries: SweptModels) -> list[str]:
    """The models that can be read; of the others it is said what is wrong with them."""
    for unread in entries.models.values():
        if unread is not None:
            tell(f"algdim: {models}: {unread}")
    return [text for text, unread in entries.models.items() if unread is None]


def describe_state(state: State) -> str:
    """How many models are done, how many a second, and how long it may take."""
    left = "" if state.remaining is None else f", {format_duration(state.remaining)} left"
    wrong = sum(count for outcome, count in state.outcomes.items() if outcome != "done")
    failed = f", {wrong} without a result" if wrong else ""
    return f"{state.before + state.done}/{state.total} {state.rate:.3g} models/s{left}{failed}"


QUERY_SUFFIXES = (".csv", ".parquet")


def add_query(commands: Any) -> None:
    """The command query."""
    example = (
        "algdim query results.sqlite --where 'dimension < best_bound' --table markdown\n"
        "  algdim query results.sqlite --columns all -o results.parquet"
    )
    parser = add_command(commands, "query", run_query, "query the results of a sweep", example)
    parser.add_argument("store", metavar="STORE", help="the file written by `algdim sweep --store`")
    parser.add_argument("--where", default="", metavar="CONDITION", help="only rows for which this holds")
    parser.add_argument(
        "--columns", metavar="NAMES", help="columns, separated by commas, or `all` (see docs/sweeps.md)"
    )
    parser.add_argument(
        "--sort", default="number", metavar="NAME", help="the column to sort by; --sort=-NAME for descending order"
    )
    parser.add_argument("--limit", type=parse_positive, metavar="N", help="maximum number of rows")
    parser.add_argument("--table", choices=TABLE_FORMS, default="text", metavar="FORM", help=", ".join(TABLE_FORMS))
    parser.add_argument("--count", action="store_true", help="only print the number of rows")
    parser.add_argument("-o", "--output", metavar="FILE", help="write a .csv or .parquet file instead")
    add_formulas(parser)


def run_query(arguments: argparse.Namespace) -> int:
    """Print rows, or write them."""
    from algdim.sweeping.querying import PLAIN, count_rows, query, write_parquet

    suffix = "" if arguments.output is None else Path(arguments.output).suffix.lower()
    if arguments.output is not None and suffix not in QUERY_SUFFIXES:
        raise InputError(f"-o {arguments.output}: a file that ends in {' or '.join(QUERY_SUFFIXES)} is expected")
    columns = None
    if arguments.columns is not None:
        columns = list(PLAIN) if arguments.columns == "all" else [n.strip() for n in arguments.columns.split(",")]
    if arguments.count:
        count = count_rows(arguments.store, arguments.where, arguments.limit)
        print_json({"count": count}) if arguments.json else print(count)
        return 0
    grid = query(
        arguments.store,
        where=arguments.where,
        columns=columns,
        sort=arguments.sort,
        limit=arguments.limit,
        lemmas=arguments.json,
    )
    if suffix == ".parquet":
        with replace_whole_file(arguments.output) as path:
            write_parquet(grid, path)
    elif suffix:
        write_text(arguments.output, grid.csv(formulas=arguments.formulas) + "\n")
    elif arguments.json:
        print_json([convert_row(grid.columns, row) for row in grid.rows])
    else:
        print(render_grid(grid, arguments.table, arguments))
    return 0


def convert_row(columns: Sequence[str], row: Sequence[Cell]) -> dict[str, Any]:
    """A row for machines, with the lemmas beside the status."""
    cells = dict(zip(columns, row, strict=True))
    lemmas = {"lemmas": list(cells["status"].lemmas)} if "status" in cells else {}
    return {**{column: cell.value for column, cell in cells.items()}, **lemmas}


def add_lookup(commands: Any) -> None:
    """The command lookup."""
    example = "algdim lookup 'A <- C -> B; C -> D; hidden C; states C=3'"
    parser = add_command(commands, "lookup", run_lookup, "a model in the atlas, under any names", example)
    add_model(parser)
    parser.add_argument("--atlas", metavar="FILE", help="an atlas that `make atlas` wrote (default: the installed one)")


def run_lookup(arguments: argparse.Namespace) -> int:
    """Print the entry of a model."""
    from algdim.models.notation import to_text
    from algdim.readers.anything import model
    from algdim.sweeping.lookup import ATLAS, look_up

    asked = model(arguments.model)
    found = look_up(asked, arguments.atlas or ATLAS)
    if arguments.json:
        print_json(None if found is None else found.to_dict())
    elif found is None:
        tell(f"algdim: {to_text(asked)[:200]} is not in the atlas; `algdim dim` computes its dimension")
    else:
        print_text(found)
    return FAILED_CHECK if found is None else 0
