"""The command export: a model as the text of another program."""

from __future__ import annotations

import argparse
from typing import Any

from algdim.cli.options import add_command, add_model, print_json


def add(commands: Any) -> None:
    """The command export."""
    example = "algdim export 3:2,2,2,2 --to macaulay2 > model.m2\n  algdim export model.lav --to dagitty"
    help_text = "a model as a program or file of Macaulay2, Singular, sympy, lavaan, dagitty, BIF or JSON"
    parser = add_command(commands, "export", run, help_text, example)
    add_model(parser)
    parser.add_argument(
        "--to", required=True, metavar="NAME", help="macaulay2, singular, sympy, lavaan, dagitty, bif or json"
    )


def run(arguments: argparse.Namespace) -> int:
    """Print the text."""
    from algdim.writers import export

    text = export(arguments.model, arguments.to)
    if arguments.json:
        print_json({"format": arguments.to, "text": text})
    else:
        print(text, end="")
    return 0
