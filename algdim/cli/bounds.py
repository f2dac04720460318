"""The command bounds: KZ02's bounds of a latent class model."""

from __future__ import annotations

import argparse
from typing import Any

from algdim.cli.options import add_command, add_model, add_seed_and_memory, show


def add(commands: Any) -> None:
    """The command bounds."""
    example = "algdim bounds 3:2,2,2,2\n  algdim bounds 9:4,2,2 --json"
    help_text = "the bounds ds, dc, dp and db of a latent class model, whether it is regular, and what is identifiable"
    parser = add_command(commands, "bounds", run, help_text, example)
    add_model(parser, "a latent class model: notation such as '3:2,2,2,2', or a file")
    parser.add_argument("--no-rank", action="store_true", help="only what needs no rank: leave identifiability out")
    add_seed_and_memory(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print KZ02's bounds."""
    from algdim.identifiability.latentclasses import bounds

    found = bounds(arguments.model, rank=not arguments.no_rank, seed=arguments.seed, max_memory=arguments.max_memory)
    return show(found, arguments)
