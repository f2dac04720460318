"""The command decompose: a latent tree in parts."""

from __future__ import annotations

import argparse
from typing import Any

from algdim.cli.options import MODEL_HELP, add_command, add_seed_and_memory, show


def add(commands: Any) -> None:
    """The command decompose."""
    help_text = "a latent tree reduced and cut into latent class models, with every step"
    parser = add_command(commands, "decompose", run, help_text, "algdim decompose '5(2,3(2,2),3(2,2))'")
    parser.add_argument("model", metavar="MODEL", help=MODEL_HELP)
    add_seed_and_memory(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print a proof tree."""
    from algdim.explanation.decomposing import decompose

    found = decompose(arguments.model, seed=arguments.seed, max_memory=arguments.max_memory)
    return show(found, as_json=arguments.json)
