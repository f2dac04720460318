"""The command constraints: the equations of a model."""

from __future__ import annotations

import argparse
from typing import Any

from algdim.cli.options import add_command, add_model, add_seed, positive, print_json, with_seed


def add(commands: Any) -> None:
    """The command constraints."""
    example = "algdim constraints 'gaussian: H -> X1, X2, X3, X4; hidden H'\n  algdim constraints verma --latex"
    help_text = "the equations that a model implies: tetrads and larger minors, independences, flattenings, Verma's"
    parser = add_command(commands, "constraints", run, help_text, example)
    add_model(parser)
    parser.add_argument("--latex", action="store_true", help="all equations in LaTeX instead of plain text")
    parser.add_argument("--all", action="store_true", help="print all equations, not the first ones of each kind")
    parser.add_argument(
        "--size", type=positive, default=4, metavar="N", help="minors with up to N rows (Gaussian models; default 4)"
    )
    add_seed(parser, "the point")


def run(arguments: argparse.Namespace) -> int:
    """Print equations."""
    from algdim.explanation.constraints import constraints

    found = constraints(arguments.model, size=arguments.size, seed=arguments.seed)
    if arguments.json:
        print_json(with_seed(found.to_dict(), arguments))
    elif arguments.latex:
        print(found.latex())
    else:
        print("\n".join(found.lines(None)) if arguments.all else found)
    return 0
