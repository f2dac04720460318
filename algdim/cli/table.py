"""The command table: tables of the literature, and of one's own."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from algdim.cli.options import add_command, add_seed, json_text, print_or_write, with_seed
from algdim.errors import InputError, listed

if TYPE_CHECKING:
    from algdim.tables.grid import Grid

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


def add(commands: Any) -> None:
    """The command table."""
    example = "algdim table kocka-zhang-1 --latex\n  algdim table models.csv --columns label,standard,dimension,status -o table.tex"
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
        "-o",
        "--output",
        metavar="FILE",
        help=f"the file to write (default: standard output); {listed(SUFFIXES)} say the form, if nothing else does",
    )
    add_formulas(parser)
    add_seed(parser)


def add_formulas(parser: argparse.ArgumentParser) -> None:
    """How cells are written that a spreadsheet would compute."""
    words = "in CSV, cells that begin with =, +, - or @ as they are, without an apostrophe that keeps spreadsheets from computing them"
    parser.add_argument("--formulas", action="store_true", help=words)


def rendered(grid: Grid, form: str, arguments: argparse.Namespace) -> str:
    """A table in one of the forms."""
    return grid.csv(formulas=arguments.formulas) if form == "csv" else str(getattr(grid, form)())


def run(arguments: argparse.Namespace) -> int:
    """Print a table in the form asked for."""
    from algdim.tables.named import table

    if arguments.json and arguments.form is not None:
        raise InputError(f"--json and --{arguments.form} are two forms; give one of them")
    columns = None if arguments.columns is None else [name.strip() for name in arguments.columns.split(",")]
    grid = table(arguments.spec, columns=columns, seed=arguments.seed, progress=arguments.progress.count)
    form = "json" if arguments.json else arguments.form or form_of(arguments.output)
    text = json_text(with_seed(grid.to_dict(), arguments)) if form == "json" else rendered(grid, form, arguments)
    return print_or_write(text, arguments.output)


def form_of(target: str | None) -> str:
    """The form of a table in a file of this name, text if the name does not say.

    >>> form_of("paper/table-1.tex"), form_of(None)
    ('latex', 'text')
    """
    return "text" if target is None else SUFFIXES.get(Path(target).suffix.lower(), "text")
