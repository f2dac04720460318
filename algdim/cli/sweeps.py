"""The commands about many models: sweep, query, table."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from algdim.cli.options import (
    FAILED_CHECK,
    LIMITS,
    MEMORY,
    MODEL,
    Command,
    Flag,
    OneOf,
    Option,
    format_json,
    list_forms,
    make_seed_option,
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


TWO_COLUMNS = (
    Flag("--two-columns", "with --latex: for a document of two columns, both of which a wide table spans"),
    Flag("--siunitx", "with --latex: for a document with the package siunitx, which aligns numbers at their points"),
)
"""For which document a table in LaTeX is."""

FORMULAS = Flag(
    "--formulas",
    "in CSV, cells that begin with =, +, - or @ as they are, without an apostrophe that keeps spreadsheets from computing them",
)

TABLE_FILE = (
    Option(
        "-o --output",
        "FILE",
        f"the file to write (default: standard output); {join_names(SUFFIXES)} set the format, unless an option does",
    ),
    *TWO_COLUMNS,
    FORMULAS,
)
"""Where a table is written, and in which layout."""


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


def run_lookup(arguments: argparse.Namespace) -> int:
    """Print the entry of a model."""
    from algdim.models.notation import to_text
    from algdim.readers.anything import read_model
    from algdim.sweeping.lookup import ATLAS, look_up

    asked = read_model(arguments.model)
    found = look_up(asked, arguments.atlas or ATLAS)
    if arguments.json:
        print_json(None if found is None else found.to_dict())
    elif found is None:
        tell(f"algdim: {to_text(asked)[:200]} is not in the atlas; `algdim dim` computes its dimension")
    else:
        print_text(found)
    return FAILED_CHECK if found is None else 0


COMMANDS: Mapping[str, Command] = {
    "table": Command(
        run_table,
        "a table of models, recomputed",
        "algdim table kocka-zhang-1 --latex\n  algdim table models.csv --columns label,standard,dimension,status -o table.tex",
        Option(
            "spec",
            "SPEC",
            "kocka-zhang-1, meek-heckerman-1, a paper (ghm96, hm97, kz02, ch96, mh97: all of its models), or a .toml or .csv file that lists models (see docs/tables.md)",
        ),
        Option("--columns", "NAMES", "columns of a user-defined table, separated by commas"),
        OneOf(*list_forms(FORMS)),
        *TABLE_FILE,
        *LIMITS,
        doing="the models of the table",
        is_about_many=True,
    ),
    "sweep": Command(
        run_sweep,
        "the dimensions of many models, in an SQLite file; rerun the command to resume",
        "algdim sweep 'lc cells<=60' --store results.sqlite\n  algdim query results.sqlite --where 'dimension < best_bound'",
        Option(
            "models",
            "SWEEP",
            "a kind of models with ranges, such as 'lc cells<=260', or a file of models (.txt; .csv and .toml, which may give each a label); kinds: lc, symmetric, trees, mixed, networks, structures, random-trees, random-networks (see docs/sweeps.md)",
        ),
        Option("--store", "FILE", "SQLite file for the results; created if missing, resumed if present"),
        Flag("--list", "only list the models, one per line"),
        Option("--method", "NAME", "method for ranks, as in `algdim dim` (default auto)", default="auto"),
        Option("--bounds", "NAMES", "bounds to try, as in `algdim dim` (default auto)", default="auto"),
        Flag("--certificates", "store a certificate of every proved dimension"),
        Option("--workers", "N", "number of processes (default: all processors)", type=parse_positive),
        Option("--dask", "ADDRESS", "use the workers of a Dask scheduler, e.g. tcp://10.0.0.1:8786"),
        Option("--timeout", "S", "time limit per model, in seconds", type=parse_seconds),
        Flag("--retry", "retry models that failed before"),
        Flag("--keep-going", "record models that cannot be read as failed (default: list them and stop)"),
        make_seed_option(),
        MEMORY,
        Option(
            "--max-seconds",
            "S",
            "seconds of each model for searches that only sharpen a proof (default: no limit, so that rows are the same everywhere)",
            type=parse_allowed_seconds,
        ),
        doing="the list of models",
        is_about_many=True,
    ),
    "query": Command(
        run_query,
        "query the results of a sweep",
        "algdim query results.sqlite --where 'dimension < best_bound' --table markdown\n  algdim query results.sqlite --columns all -o results.parquet",
        Option("store", "STORE", "the file written by `algdim sweep --store`"),
        Option("--where", "CONDITION", "only rows for which this holds", default=""),
        Option("--columns", "NAMES", "columns, separated by commas, or `all` (see docs/sweeps.md)"),
        Option("--sort", "NAME", "the column to sort by; --sort=-NAME for descending order", default="number"),
        Option("--limit", "N", "maximum number of rows", type=parse_positive),
        Option("--table", "FORM", ", ".join(TABLE_FORMS), choices=TABLE_FORMS, default="text"),
        Flag("--count", "only print the number of rows"),
        Option("-o --output", "FILE", "write a .csv or .parquet file instead"),
        FORMULAS,
        doing="reading the store",
    ),
    "lookup": Command(
        run_lookup,
        "a model in the atlas, under any names",
        "algdim lookup 'A <- C -> B; C -> D; hidden C; states C=3'",
        *MODEL,
        Option("--atlas", "FILE", "an atlas that `make atlas` wrote (default: the installed one)"),
        doing="the models of the atlas",
    ),
}
