"""The command explain: a model step by step."""

from __future__ import annotations

import argparse
import os
import sys
from typing import Any

from algdim.cli.options import add_command, add_model, add_seed_and_memory, print_json, print_or_write, with_seed
from algdim.errors import InputError

FORMS = {
    "markdown": "Markdown",
    "latex": "a LaTeX document (lualatex or xelatex)",
    "html": "a page that stands by itself, without network",
}
PICTURES = ("network", "jacobian", "derivation", "states")


def add(commands: Any) -> None:
    """The command explain."""
    help_text = "a model and its dimension step by step: drawing, map, matrix, bounds, equations, redundant parameters"
    example = (
        "algdim explain 2:2,2\n  algdim explain 3:2,2,2,2 --html -o page.html\n  algdim explain 3:2,2,2,2 --svg network"
    )
    parser = add_command(commands, "explain", run, help_text, example)
    add_model(parser)
    forms = parser.add_mutually_exclusive_group()
    for form, words in FORMS.items():
        forms.add_argument(f"--{form}", action="store_const", dest="form", const=form, help=words)
    forms.add_argument(
        "--svg",
        choices=PICTURES,
        metavar="NAME",
        help=f"one picture as SVG: {', '.join(PICTURES)} (see docs/teaching.md)",
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="the file to write (default: standard output)")
    add_seed_and_memory(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print an explanation, or write it to a file."""
    from algdim.explanation.explaining import drawing, explain

    if arguments.json and (arguments.form or arguments.svg):
        raise InputError(f"--json and --{arguments.form or 'svg'} are two forms; give one of them")
    if arguments.json and arguments.output:
        raise InputError("--json goes to standard output; leave -o out")
    if arguments.svg:
        return print_or_write(drawing(arguments.model, arguments.svg, seed=arguments.seed), arguments.output)
    found = explain(arguments.model, seed=arguments.seed, max_memory=arguments.max_memory)
    if arguments.json:
        print_json(with_seed(found.to_dict(), arguments))
        return 0
    if arguments.form:
        return print_or_write(getattr(found, arguments.form)(), arguments.output)
    colour = arguments.output is None and sys.stdout.isatty() and "NO_COLOR" not in os.environ
    return print_or_write(found.text(colour=colour), arguments.output)
