"""The command decompose: a latent tree or a classifier in parts."""

from __future__ import annotations

import argparse
from typing import Any

from algdim.cli.options import add_command, add_model, add_seed_and_memory, names_of, show


def add(commands: Any) -> None:
    """The command decompose."""
    help_text = "a latent tree cut into latent class models, or a classifier cut into blocks, with every step"
    example = "algdim decompose '5(2,3(2,2),3(2,2))'\n  algdim decompose 'classifier Y: Y -> X1, X2' --order X2,X1"
    parser = add_command(commands, "decompose", run, help_text, example)
    add_model(parser)
    parser.add_argument("--order", metavar="NAMES", help="the inputs of a classifier in the order of its blocks")
    parser.add_argument("--at", metavar="FILE", help="parameters of a classifier, at which every step is computed")
    add_seed_and_memory(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print a proof tree."""
    from algdim.explanation.decomposing import decompose

    order = None if arguments.order is None else names_of([arguments.order])
    found = decompose(
        arguments.model, seed=arguments.seed, max_memory=arguments.max_memory, order=order, at=arguments.at
    )
    return show(found, arguments, arguments.file)
