"""The command compare: whether one model is nested in another."""

from __future__ import annotations

import argparse
from typing import Any

from algdim.cli.options import MODEL_HELP, add_command, add_format, add_seed_and_memory, show


def add(commands: Any) -> None:
    """The command compare."""
    example = "algdim compare 2:2,2,2,2 3:2,2,2,2\n  algdim compare 'A -> B -> C' 'C -> A -> B' --json"
    parser = add_command(commands, "compare", run, "whether one of two models is nested in the other", example)
    parser.add_argument("first", metavar="MODEL1", help=MODEL_HELP)
    parser.add_argument("second", metavar="MODEL2", help="another model of the same observed variables")
    add_format(parser)
    add_seed_and_memory(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print a comparison."""
    from algdim.explanation.comparing import compare

    found = compare(arguments.first, arguments.second, seed=arguments.seed, max_memory=arguments.max_memory)
    return show(found, arguments)
