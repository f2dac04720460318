"""The command table: tables of the literature, and of one's own."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from algdim.cli.options import add_command, print_json, progress_line, seed_option
from algdim.errors import InputError

FORMS = {
    "latex": "LaTeX, for the package booktabs",
    "markdown": "Markdown",
    "html": "HTML",
    "typst": "Typst",
    "csv": "comma-separated values, nothing bold",
}


def add(commands: Any) -> None:
    """The command table."""
    example = "algdim table kocka-zhang-1 --latex\n  algdim table models.csv --columns label,standard,dimension,status"
    parser = add_command(commands, "table", run, "a table of models, computed", example)
    parser.add_argument(
        "spec",
        metavar="SPEC",
        help="kocka-zhang-1, meek-heckerman-1, a paper (ghm96, hm97, kz02, ch96, mh97: all of its models), or a .toml or .csv "
        "file that lists models (see docs/tables.md)",
    )
    parser.add_argument("--columns", metavar="NAMES", help="columns of a table of one's own, separated by commas")
    forms = parser.add_mutually_exclusive_group()
    for form, words in FORMS.items():
        forms.add_argument(f"--{form}", action="store_const", dest="form", const=form, help=words)
    parser.add_argument(
        "--seed", type=seed_option, default=0, metavar="S", help="seed of all random choices (default 0)"
    )


def run(arguments: argparse.Namespace) -> int:
    """Print a table in the form asked for."""
    from algdim.tables.named import table

    if arguments.json and arguments.form is not None:
        raise InputError(f"--json and --{arguments.form} are two forms; give one of them")
    columns = None if arguments.columns is None else [name.strip() for name in arguments.columns.split(",")]
    shows = sys.stderr.isatty() and not arguments.quiet
    grid = table(arguments.spec, columns=columns, seed=arguments.seed, progress=progress_line if shows else None)
    if arguments.json:
        print_json(grid.to_dict())
    else:
        print(getattr(grid, arguments.form or "text")())
    return 0
