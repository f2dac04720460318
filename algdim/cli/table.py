"""The command table: tables of the literature."""

from __future__ import annotations

import argparse
from typing import Any

from algdim.cli.options import add_command, print_json, seed_option
from algdim.errors import InputError


def add(commands: Any) -> None:
    """The command table."""
    example = "algdim table kocka-zhang-1 --latex"
    parser = add_command(commands, "table", run, "a table of the literature, computed", example)
    parser.add_argument("name", metavar="NAME", help="kocka-zhang-1")
    forms = parser.add_mutually_exclusive_group()
    forms.add_argument(
        "--latex", action="store_const", dest="form", const="latex", help="LaTeX, for the package booktabs"
    )
    forms.add_argument("--markdown", action="store_const", dest="form", const="markdown", help="Markdown")
    forms.add_argument(
        "--csv", action="store_const", dest="form", const="csv", help="comma-separated values, nothing bold"
    )
    parser.add_argument(
        "--seed", type=seed_option, default=0, metavar="S", help="seed of all random choices (default 0)"
    )


def run(arguments: argparse.Namespace) -> int:
    """Print a table in the form asked for."""
    from algdim.tables.named import table

    if arguments.json and arguments.form is not None:
        raise InputError(f"--json and --{arguments.form} are two forms; give one of them")
    grid = table(arguments.name, seed=arguments.seed)
    if arguments.json:
        print_json(grid.to_dict())
        return 0
    forms = {None: grid.text, "latex": grid.latex, "markdown": grid.markdown, "csv": grid.csv}
    print(forms[arguments.form]())
    return 0
